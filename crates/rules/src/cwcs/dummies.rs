//! Dummies (3.2): how many there may be, how they go and come back; new officers come with them (11.32).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, PieceSetId, PlaceId, Procedure, Refusal, SeatId, SideId,
    Sight as _, SpaceId, StackId, Verdict, WordId,
};
use smallvec::SmallVec;

use super::Cwcs;
use super::units::Bodies;

/// A side returns dummies to play and replaces fallen officers, while its enemy looks away: a draft until `done`.
#[derive(Locals)]
pub(crate) struct Returns {
    side: SideId,
    /// The scenario begins: none was removed (3.21.c).
    at_start: bool,
    begun: bool,
    #[local(class = "owner")]
    placed: List<BodyId, 32>,
}

/// An area to which dummies may come, and the stacks there on which they may be laid.
struct Landing {
    area: SpaceId,
    may_return: Verdict,
    stacks: SmallVec<[StackId; 4]>,
}

impl Returns {
    pub(crate) fn of(side: SideId, at_start: bool) -> Self {
        Self { side, at_start, begun: false, placed: List::new() }
    }

    /// What is in the pool cannot be told apart before any of it leaves it unseen.
    fn begin(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let pool: Bodies = cx.read().bodies(cw.boxes(self.side).pool).collect();
        for &body in &pool {
            cw.turn_down(cx, body)?;
        }
        cx.mix_alike(&pool)
    }

    /// All see where pieces came: how high stacks are now, and not which are new; and that a real unit is there.
    fn commit(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        let read = cx.read();
        let areas: SmallVec<[(SpaceId, i32); 8]> = cw
            .map
            .areas
            .iter()
            .map(|&area| (area, self.placed.iter().filter(|&&b| read.space(b) == Some(area)).count() as i32))
            .filter(|&(_, number)| number > 0)
            .collect();
        let w = &cw.w;
        cx.story(w.returned, Some(cw.rules.dummy_returns), |e| {
            e.arg(w.side, Arg::Side(self.side));
            let pair =
                |&(area, n): &(SpaceId, i32)| Arg::List(vec![Arg::Place(PlaceId(area.0)), Arg::Number(n)]);
            e.arg(w.number, Arg::Number(areas.iter().map(|(_, number)| number).sum()));
            e.arg(w.areas, Arg::List(areas.iter().map(pair).collect()));
        });
        for &(area, _) in &areas {
            let bodies = cw.here(cx, self.side, area);
            cx.mix_alike(&bodies)?;
            let stacks: SmallVec<[_; 4]> = cx.read().stacks_of(self.side, area).collect();
            for stack in stacks {
                cx.renew_stack(stack)?;
            }
            cw.tell_units(cx, &bodies, cw.rules.dummy_beside_real, cw.moments.turn_ends)?;
        }
        Ok(())
    }
}

impl Procedure for Returns {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.begun {
            self.begin(cw, cx)?;
            self.begun = true;
        }
        Ok(Flow::ask(cw.seat(self.side), cw.w.dummies))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, side) = (&cw.w, self.side);
        let mut dummies = seen.bodies(cw.boxes(side).pool);
        dummies.retain(|body| seen.is(*body, cw.pieces.sets.dummies).is_yes());
        // Where they may come is the same for all of them.
        let landings: SmallVec<[Landing; 16]> =
            if dummies.is_empty() { SmallVec::new() } else { cw.landings(seen, side) };
        for body in dummies {
            let mut may_come = None;
            for Landing { area, may_return, stacks } in &landings {
                let may = |may_come: &mut Option<Verdict>| {
                    (*may_return)?;
                    *may_come.get_or_insert_with(|| cw.may_return(seen, side, body))
                };
                out.consider(Action::new(w.return_).on(body).on(*area), || may(&mut may_come));
                for &stack in stacks {
                    out.consider(Action::new(w.return_).on(body).on(stack), || may(&mut may_come));
                }
            }
        }
        for officer in if self.at_start { Bodies::new() } else { cw.replacements(seen, side) } {
            let Some(formation) = cw.units.formation(seen, officer) else { continue };
            for &area in &cw.map.areas {
                out.consider(Action::new(w.replace).on(officer).on(area), || {
                    let there = cw.has_unit_of(seen, side, area, formation);
                    if there { Ok(()) } else { Err(Refusal { rule: cw.rules.replacement_place }) }
                });
            }
        }
        out.add(Action::new(w.done));
        let own = |body: Option<BodyId>| body.is_some_and(|b| seen.owns(b));
        out.otherwise(cw.rules.dummy_beside_real, |a| a.verb == w.return_ && own(a.body(0)));
        out.otherwise(cw.rules.replacement, |a| a.verb == w.replace && own(a.body(0)));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let Some(body) = action.body(0) else {
            self.commit(cw, cx)?;
            return Ok(Flow::Done);
        };
        let dest = match (action.stack(1), action.place(1)) {
            (Some(stack), _) => Dest::Stack(stack, Position::Top),
            (None, Some(area)) => Dest::NewStack(area),
            (None, None) => return Err(cx.fault("a piece returns to an area or a stack")),
        };
        if cx.read().place(body) == Some(cw.boxes(self.side).eliminated) {
            cw.turn_down(cx, body)?;
        }
        cx.move_unseen(action.verb, &[body], dest)?;
        if self.placed.push(body).is_err() {
            Err(cx.fault("too many return at once"))
        } else {
            self.run(cw, cx)
        }
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// How many came to each area, and how high the stacks are there.
    fn shape(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        let mut shape = Vec::new();
        for &area in &cw.map.areas {
            let came = self.placed.iter().filter(|&&b| seen.space(b) == Some(area)).count();
            shape.push(came as i32);
            if came > 0 {
                shape.extend(seen.stacks_of(self.side, area).map(|stack| seen.loose(stack).count() as i32));
            }
        }
        Some(shape)
    }
}

impl Cwcs {
    /// A dummy that is revealed leaves play (3.21).
    pub(super) fn dummy_revealed(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let Some(side) = cx.read().side(body) else { return Ok(()) };
        if !cx.read().is(body, self.pieces.sets.dummies) || !cx.rule_on(self.rules.dummy_goes) {
            return Ok(());
        }
        cx.conceal(body)?;
        cx.move_group(self.w.removed, &[body], Dest::Place(self.boxes(side).pool, Position::Bottom))?;
        cx.clear_markers(body)?;
        cx.leave_told(body)?;
        let (w, piece) = (&self.w, cx.read().piece(body));
        cx.story(w.removed, Some(self.rules.dummy_goes), |e| {
            e.arg(w.unit, Arg::Piece(piece));
            e.arg(w.side, Arg::Side(side));
        });
        Ok(())
    }

    /// The types of dummies with the real units that they stand for.
    fn types(&self) -> [(PieceSetId, PieceSetId, WordId); 2] {
        let (sets, w) = (&self.pieces.sets, &self.w);
        [(sets.dummy_infantry, sets.foot, w.infantry), (sets.dummy_cavalry, sets.cavalry, w.cavalry)]
    }

    /// The areas to which dummies may be asked to come: all where there may be somebody of their side.
    fn landings(&self, seen: &Seen<'_>, side: SideId) -> SmallVec<[Landing; 16]> {
        let areas = self.map.areas.iter().copied();
        let landing = |area| {
            let row = self.row(seen, side, area);
            let of_units = |stack: &_| row.iter().any(|&body| seen.stack(body) == Some(*stack));
            let stacks = seen.stacks_of(side, area).filter(of_units).collect();
            Landing { area, may_return: self.may_return_to(seen, side, area), stacks }
        };
        areas.filter(|&area| !seen.occupied(side, PlaceId(area.0)).is_no()).map(landing).collect()
    }

    /// Whether a dummy may come (back) to an area: a real unit must be there (3.21.a).
    fn may_return_to(&self, seen: &Seen<'_>, side: SideId, area: SpaceId) -> Verdict {
        let real = |b: BodyId| seen.is(b, self.pieces.sets.units).is_yes();
        let rule = self.rules.dummy_beside_real;
        if !seen.rule_on(rule) || seen.bodies_of(side, area).into_iter().any(real) {
            return Ok(());
        }
        Err(Refusal { rule })
    }

    /// Whether a dummy may come (back) at all: no more of its type may be in play than one for every two real units
    /// (3.25), unless the title says otherwise.
    fn may_return(&self, seen: &Seen<'_>, side: SideId, body: BodyId) -> Verdict {
        let of_type = |(set, ..): &(PieceSetId, _, _)| seen.is(body, *set).is_yes();
        let Some((dummies, units, word)) = self.types().into_iter().find(of_type) else {
            return Err(Refusal { rule: self.rules.dummy_returns });
        };
        let own = self.on_map(seen, side);
        let in_play = |set| own.iter().filter(|&&b| seen.is(b, set).is_yes()).count() as i32;
        let real = in_play(units);
        let args = [PointArg::Side(side), PointArg::Word(word), PointArg::Number(real)];
        let limit = match seen.total(self.points.dummy_limit, &args) {
            limit if limit >= 0 => limit,
            _ => real / 2,
        };
        if seen.rule_on(self.rules.dummy_limit) && in_play(dummies) >= limit {
            return Err(Refusal { rule: self.rules.dummy_limit });
        }
        Ok(())
    }
}

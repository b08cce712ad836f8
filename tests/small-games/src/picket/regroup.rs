//! Regroup (pl:6).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Seen};
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, PlaceId, Procedure, Refusal, SeatId, SideId, SpaceId,
};
use smallvec::SmallVec;

use super::Picket;
use super::board;
use super::pieces::Bodies;

/// A side's regroup; a draft until `done`.
#[derive(Locals)]
pub(crate) struct Regroup {
    side: SideId,
    begun: bool,
    /// Bodies that were raised or returned: once each (pl:6.d).
    #[local(class = "owner")]
    touched: List<BodyId, 8>,
    /// Dummies that came back.
    #[local(class = "owner")]
    returned: List<BodyId, 2>,
}

impl Regroup {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, begun: false, touched: List::new(), returned: List::new() }
    }

    /// pl:6.a and pl:6.b: face-up bodies are turned down, the pool is mixed, the stacks of each area are joined,
    /// the oldest on top.
    fn begin(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for area in board::areas() {
            turn_down(cx, &pl.here(cx.read(), self.side, area))?;
        }
        if !cx.rulebook().mutant("no_pool_mix") {
            let pool: Bodies = cx.read().loose(pl.boxes(self.side).pool).collect();
            turn_down(cx, &pool)?;
            cx.mix_alike(&pool)?;
        }
        for area in board::areas() {
            cx.join_stacks(self.side, PlaceId(area.0))?;
        }
        Ok(())
    }

    /// pl:6.c, pl:6.d: every area is mixed, and where dummies came back the side's control is told.
    fn commit(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        for area in board::areas() {
            let bodies = pl.here(cx.read(), self.side, area);
            if bodies.is_empty() {
                continue;
            }
            if cx.rulebook().mutant("mix_only_real") && !pl.controls(cx.read(), self.side, area) {
                continue;
            }
            // An umpire may have turned one up since.
            turn_down(cx, &bodies)?;
            cx.mix_alike(&bodies)?;
            let stacks: SmallVec<[_; 2]> = cx.read().stacks_of(self.side, area).collect();
            for stack in stacks {
                cx.renew_stack(stack)?;
            }
        }
        let returns = board::areas().map(|area| {
            let back = self.returned.iter().filter(|&&b| cx.read().space(b) == Some(area));
            (area, back.count() as i32)
        });
        let returns: SmallVec<[(SpaceId, i32); 9]> = returns.filter(|&(_, n)| n > 0).collect();
        let (w, side) = (&pl.w, self.side);
        cx.story(w.regrouped, Some(pl.rules.regroup), |e| {
            e.arg(w.side, Arg::Side(side));
            let pair =
                |&(area, n): &(SpaceId, i32)| Arg::List(vec![Arg::Place(PlaceId(area.0)), Arg::Number(n)]);
            e.arg(w.returned, Arg::List(returns.iter().map(pair).collect()));
        });
        for &(area, _) in &returns {
            let bodies = pl.here(cx.read(), self.side, area);
            pl.tell_real(cx, &bodies, About::Bodies, pl.rules.returns)?;
        }
        pl.settle(cx, board::OPEN)
    }
}

fn turn_down(cx: &mut Cx<'_>, bodies: &[BodyId]) -> Result<(), Halt> {
    bodies.iter().try_for_each(|&body| cx.conceal(body))
}

impl Procedure for Regroup {
    type Module = Picket;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.begun {
            self.begin(pl, cx)?;
            self.begun = true;
        }
        Ok(Flow::ask(pl.chief(self.side), pl.w.regroup))
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let w = &pl.w;
        let mut homes: SmallVec<[(SpaceId, bool); 9]> = SmallVec::new();
        for area in board::areas() {
            let bodies = pl.seen_here(seen, self.side, area);
            for (n, &body) in bodies.iter().enumerate() {
                let allowed = n > 0 && !self.touched.contains(&body);
                out.consider(Action::new(w.raise).on(body), || {
                    if allowed { Ok(()) } else { Err(Refusal { rule: pl.rules.raises }) }
                });
            }
            if pl.own_real(seen, &bodies) {
                homes.push((area, (bodies.len() as i32) < pl.limit(seen, self.side, area)));
            }
        }
        for body in seen.loose(pl.boxes(self.side).pool) {
            for &(area, has_room) in &homes {
                out.consider(Action::new(w.return_).on(body).on(area), || {
                    if has_room { Ok(()) } else { Err(Refusal { rule: pl.rules.limit }) }
                });
            }
        }
        out.add(Action::new(w.done));
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == pl.w.done {
            self.commit(pl, cx)?;
            return Ok(Flow::Done);
        }
        let Some(body) = action.body(0) else { return Err(cx.fault("a body is raised or returned")) };
        if let Some(area) = action.space(1) {
            let dest = match cx.read().stacks_of(self.side, area).next() {
                Some(stack) => Dest::Stack(stack, Position::Top),
                None => Dest::NewStack(PlaceId(area.0)),
            };
            cx.move_unseen(pl.w.return_, &[body], dest)?;
            if self.returned.push(body).is_err() {
                return Err(cx.fault("more than two dummies return"));
            }
        } else {
            cx.raise(body)?;
        }
        if self.touched.push(body).is_err() { Err(cx.fault("each body once")) } else { self.run(pl, cx) }
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// What is on top in the open shows itself at the commit only.
    fn settled(&self) -> bool {
        false
    }

    /// The returns by area.
    fn shape(&self, _: &Picket, seen: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        let back = |area| self.returned.iter().filter(|&&b| seen.space(b) == Some(area)).count() as i32;
        Some(board::areas().map(back).collect())
    }
}

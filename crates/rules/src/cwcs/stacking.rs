//! Stacks (3.3): at the end of the Movement Phase, and after a combat, their owner arranges them in fives.
//!
//! The units of an area are arranged as one row, from which stacks of five are cut: so any order and any division that
//! the rule allows can be had. Nobody else sees how; afterwards they see how high the stacks are.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{ColumnClass, Holder};
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Procedure, Refusal, SeatId, SideId, Sight, SpaceId,
};
use smallvec::SmallVec;

use super::Cwcs;
use super::units::Bodies;

/// How many units, leaders and dummies make a stack (3.31).
const STACK: usize = 5;

/// A side arranges its stacks: a draft until `done`.
#[derive(Locals)]
pub(crate) struct Arrange {
    side: SideId,
    /// In one area alone, after a combat.
    area: Option<SpaceId>,
}

impl Arrange {
    /// In every area, at the end of movement (3.31).
    pub(crate) fn everywhere(side: SideId) -> Self {
        Self { side, area: None }
    }

    /// In one area, after a combat there (3.32).
    pub(crate) fn after_combat(side: SideId, area: SpaceId) -> Self {
        Self { side, area: Some(area) }
    }

    fn areas<'a>(&'a self, cw: &'a Cwcs) -> impl Iterator<Item = SpaceId> + 'a {
        let all = cw.map.areas.iter().copied();
        all.filter(|&area| self.area.is_none_or(|only| only == area))
    }

    /// Brings a unit to the front of its area.
    fn raise(&self, cw: &Cwcs, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let Some(area) = cx.read().space(body) else { return Err(cx.fault("it stands in no area")) };
        let row = cw.row(&cx.common(), self.side, area);
        let stack = |body: &BodyId| cx.read().stack(*body);
        if let Some(first) = row.iter().find_map(stack) {
            let rest: Bodies = row.iter().copied().filter(|body| stack(body) != Some(first)).collect();
            cx.move_unseen(cw.w.arranged, &rest, Dest::Stack(first, Position::Bottom))?;
        }
        cx.raise(body)?;
        cx.set(cw.columns.arranged, body, 1)
    }

    /// Cuts the units of each area into stacks of five, of which nobody else knows any more which unit is where.
    fn commit(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        for area in self.areas(cw).collect::<SmallVec<[SpaceId; 16]>>() {
            let bodies = cw.row(&cx.common(), self.side, area);
            for stack in bodies.chunks(STACK) {
                cx.move_unseen(cw.w.arranged, stack, Dest::NewStack(PlaceId(area.0)))?;
            }
            for &body in &bodies {
                cx.set(cw.columns.arranged, body, 0)?;
            }
            // What lies face up everybody tells apart.
            let down: Bodies = bodies.iter().copied().filter(|&b| !cx.read().face_up(b)).collect();
            cx.mix_alike(&down)?;
        }
        let (w, rules) = (&cw.w, &cw.rules);
        let rule = if self.area.is_some() { rules.restack_after_combat } else { rules.stacks_of_five };
        cx.story(w.restacked, Some(rule), |e| {
            e.arg(w.side, Arg::Side(self.side));
            if let Some(area) = self.area {
                e.arg(w.area, Arg::Place(PlaceId(area.0)));
            }
        });
        Ok(())
    }
}

/// What a body looks like to everybody: its markers, and who it is if it is face up.
pub(crate) fn looks(seen: &Seen<'_>, body: BodyId) -> impl Iterator<Item = i32> {
    let rulebook = seen.rulebook();
    let public =
        rulebook.columns().iter().filter(|c| c.class == ColumnClass::Public && c.holder == Holder::Body);
    let columns = public.filter_map(move |column| rulebook.column_named::<BodyId>(&column.name));
    let piece = seen.face_up(body).then(|| seen.piece(body)).flatten();
    let face = piece.map_or(-1, |piece| i32::from(piece.0));
    columns.map(move |column| seen.get(column, body).unwrap_or(0)).chain([face])
}

/// Bodies laid out unseen: those face up first, and markers together. Each one's place among the others would tell which
/// of them are there.
pub(crate) fn by_looks(seen: &Seen<'_>, mut bodies: Bodies) -> Bodies {
    bodies.sort_by_cached_key(|&body| (!seen.face_up(body), looks(seen, body).collect::<Vec<_>>()));
    bodies
}

impl Procedure for Arrange {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(cw.seat(self.side), cw.w.arrange))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, rule) = (&cw.w, cw.rules.stacks_of_five);
        for area in self.areas(cw) {
            for (n, body) in cw.row(seen, self.side, area).into_iter().enumerate() {
                let may = n > 0 && !seen.flag(cw.columns.arranged, body);
                out.consider(
                    Action::new(w.raise).on(body),
                    || {
                        if may { Ok(()) } else { Err(Refusal { rule }) }
                    },
                );
            }
        }
        out.add(Action::new(w.done));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match action.body(0) {
            Some(body) => self.raise(cw, cx, body)?,
            None => {
                self.commit(cw, cx)?;
                return Ok(Flow::Done);
            }
        }
        self.run(cw, cx)
    }

    /// Nothing of the arrangement shows but where units with markers and those that are face up stand.
    fn shape(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        let bodies = self.areas(cw).flat_map(|area| cw.row(seen, self.side, area));
        Some(bodies.flat_map(|body| looks(seen, body)).collect())
    }
}

impl Cwcs {
    /// The bodies of a side in an area that lie in stacks (3.31.a), in order: all but those of which who looks knows that
    /// they are none of them. What all know tells markers from units, or stacks would tell it.
    pub(crate) fn row<S: Sight>(&self, sight: &S, side: SideId, area: SpaceId) -> Bodies {
        let mut bodies = sight.bodies_of(side, area);
        bodies.retain(|body| !sight.is(*body, self.pieces.sets.stacks).is_no());
        bodies
    }
}

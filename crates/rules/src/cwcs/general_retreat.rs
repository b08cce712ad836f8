//! General retreat (6.6, option): an army goes home, and the enemy's control does not hold it.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::rulebook::ValueKind;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, Procedure, SeatId, SideId, SpaceId, Verdict, WordId,
};

use smallvec::SmallVec;

use super::Cwcs;
use super::leaders::Line;
use super::movement::{Mover, refused};

/// How many armies there may be: a bit each.
const ARMIES: usize = 30;

/// A side says which of its armies retreat: a draft until `done`.
#[derive(Locals)]
pub(crate) struct GeneralRetreat {
    side: SideId,
}

impl GeneralRetreat {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side }
    }
}

impl Procedure for GeneralRetreat {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(cw.seat(self.side), cw.movement.w.declare_retreat))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let declare = Action::new(cw.movement.w.retreat);
        let declared = seen.get(cw.movement.marks.retreats, self.side).unwrap_or(0);
        for (n, army) in cw.armies(seen, self.side) {
            if declared >> n & 1 == 0 {
                out.add(army.map_or(declare, |army| declare.on(army)));
            }
        }
        out.add(Action::new(cw.w.done));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == cw.w.done {
            cx.commit();
            return Ok(Flow::Done);
        }
        let wanted = action.choice(0);
        let armies = cw.armies(&cx.seen(self.side), self.side);
        let Some(&(n, _)) = armies.iter().find(|(_, army)| *army == wanted) else {
            return Err(cx.fault("there is no such army"));
        };
        let column = cw.movement.marks.retreats;
        let declared = cx.get(column, self.side) | 1 << n;
        cx.set(column, self.side, declared)?;
        cx.story(cw.movement.w.retreats, Some(cw.movement.rules.declare_retreat), |e| {
            e.arg(cw.w.side, Arg::Side(self.side));
            if let Some(army) = wanted {
                e.arg(cw.movement.w.army, Arg::Word(army));
            }
        });
        self.run(cw, cx)
    }
}

impl Cwcs {
    /// The armies of a side, each with its bit of the column `retreats`: by the attribute `army` of its pieces, or one
    /// without a name where there is no such attribute.
    fn armies(&self, seen: &Seen<'_>, side: SideId) -> SmallVec<[(usize, Option<WordId>); 4]> {
        let rulebook = seen.rulebook();
        let Some(attribute) = self.movement.army else { return [(0, None)].into_iter().collect() };
        let ValueKind::Choice(words) = &rulebook.attributes()[attribute.index()].kind else {
            return [(0, None)].into_iter().collect();
        };
        let own = self.on_map(seen, side);
        let is_there = |n: usize| own.iter().any(|&b| seen.attribute(b, attribute) == Some(n as i32));
        let named = words.iter().enumerate().take(ARMIES).filter(|(_, word)| **word != self.movement.w.none);
        named.filter(|(n, _)| is_there(*n)).map(|(n, &word)| (n, Some(word))).collect()
    }

    /// Whether a unit belongs to an army that retreats, and to those who may do so: infantry needs its whole line (6.6.1).
    fn may_retreat<S: Sight>(&self, sight: &S, side: SideId, body: BodyId) -> bool {
        let declared = sight.get(self.movement.marks.retreats, side).unwrap_or(0);
        if declared == 0 || sight.is(body, self.pieces.sets.dummies).is_yes() {
            return false;
        }
        let army = self.movement.army.map_or(Some(0), |attribute| sight.attribute(body, attribute));
        let called = army.is_some_and(|n| (0..ARMIES as i32).contains(&n) && declared >> n & 1 == 1);
        let infantry = sight.is(body, self.pieces.sets.infantry).is_yes();
        called && (!infantry || self.line(sight, body) == Some(Line::Whole.value()))
    }
}

impl Mover<'_> {
    /// Whether a step leads along a shortest way to a Home Area of the side (6.6.2).
    fn is_homeward(&self, from: SpaceId, to: SpaceId) -> bool {
        self.homeward().of(to).zip(self.homeward().of(from)).is_some_and(|(to, from)| to < from)
    }

    /// Whether a unit of a group leaves an area in general retreat. Dummies go along with those who do.
    pub(super) fn may_retreat_by(&self, body: BodyId, group: &[BodyId], from: SpaceId, to: SpaceId) -> bool {
        let movement = &self.cw.movement;
        let in_force =
            self.seen.option(movement.general_retreat) && self.seen.rule_on(movement.rules.retreat_exit);
        if !in_force || !self.is_homeward(from, to) {
            return false;
        }
        let may = |body: BodyId| self.cw.may_retreat(self.seen, self.side, body);
        if self.is_dummy(body) { group.iter().any(|&other| may(other)) } else { may(body) }
    }

    /// Whether a unit has yet to go nearer to its Home Area, and can.
    fn must_retreat(&self, body: BodyId, from: SpaceId) -> bool {
        let leads = |to: SpaceId| self.is_homeward(from, to) && self.can_go(&[body], from, Some(to)).is_ok();
        self.moved(body) == 0
            && self.cw.may_retreat(self.seen, self.side, body)
            && self.cw.map.adjacent(from).iter().any(|&to| leads(to))
    }

    /// A unit that must retreat takes no other way, nor off the map.
    pub(super) fn keeps_retreating(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        let rule = self.cw.movement.rules.must_retreat;
        if !self.seen.option(self.cw.movement.general_retreat)
            || !self.seen.rule_on(rule)
            || to.is_some_and(|to| self.is_homeward(from, to))
            || !group.iter().any(|&body| self.must_retreat(body, from))
        {
            return Ok(());
        }
        refused(rule)
    }

    /// Whether somebody must still retreat (6.6).
    pub(super) fn someone_must_retreat(&self) -> bool {
        let cw = self.cw;
        if !self.seen.option(cw.movement.general_retreat)
            || !self.seen.rule_on(cw.movement.rules.who_can_must)
            || self.seen.get(cw.movement.marks.retreats, self.side).unwrap_or(0) == 0
        {
            return false;
        }
        let must = |area: SpaceId| {
            self.seen.bodies_of(self.side, area).into_iter().any(|body| self.must_retreat(body, area))
        };
        cw.map.areas.iter().any(|&area| must(area))
    }
}

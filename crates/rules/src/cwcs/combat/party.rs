//! Who takes part in a combat (9.0), where they stand on the Battle Board, and who may attack.

use adjutant_kernel::knowledge::{About, Sight};
use adjutant_kernel::locals::Choice;
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::state::Position;
use adjutant_kernel::{Audience, BodyId, Cx, Halt, PlaceId, RuleId, SideId, SpaceId};

use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// What stands in each of the three positions of a side.
pub(crate) type Filled = [bool; 3];

impl Cwcs {
    /// Whether a body is of those that are deployed at all: a unit, a leader or a dummy, as far as who looks can tell.
    fn is_deployed<S: Sight>(&self, sight: &S, body: BodyId) -> bool {
        let sets = &self.pieces.sets;
        [sets.units, sets.leaders, sets.dummies].iter().any(|&set| !sight.is(body, set).is_no())
    }

    /// The bodies of a side in an area that take part in its combat (9.0): all, but those without strength (7.44) and
    /// those that came there by retreating or have fought there already in this phase. In an interception combat those
    /// that intercept or are intercepted, alone (8.23).
    pub(crate) fn party<S: Sight>(
        &self,
        sight: &S,
        side: SideId,
        area: SpaceId,
        interception: bool,
    ) -> Bodies {
        let columns = &self.columns;
        let mut bodies = sight.bodies_of(side, area);
        bodies.retain(|body| {
            let body = *body;
            let fights = sight.flag(columns.in_interception, body) == interception;
            fights
                && !sight.flag(columns.spent, body)
                && !sight.flag(columns.sits_out, body)
                && self.is_deployed(sight, body)
        });
        bodies
    }

    /// Whether a body is known to be a unit that can fight: it has strength (9.32).
    pub(crate) fn can_fight<S: Sight>(&self, sight: &S, body: BodyId) -> bool {
        sight.is(body, self.pieces.sets.units).is_yes() && !sight.flag(self.columns.spent, body)
    }

    /// The bodies in a position, in order.
    pub(crate) fn in_line<S: Sight>(&self, sight: &S, side: SideId, position: LinePosition) -> Bodies {
        sight.bodies(self.line_box(side, position))
    }

    /// The bodies in the Reserve.
    pub(crate) fn in_reserve<S: Sight>(&self, sight: &S, side: SideId) -> Bodies {
        let mut bodies = sight.bodies_of(side, self.boxes(side).reserve);
        bodies.retain(|body| self.is_deployed(sight, *body));
        bodies
    }

    /// All bodies of a side on the Battle Board.
    pub(crate) fn on_board<S: Sight>(&self, sight: &S, side: SideId) -> Bodies {
        let lines = LinePosition::ALL.into_iter().flat_map(|position| self.in_line(sight, side, position));
        lines.chain(self.in_reserve(sight, side)).collect()
    }

    /// Which positions of a side hold somebody.
    pub(crate) fn filled<S: Sight>(&self, sight: &S, side: SideId) -> Filled {
        LinePosition::ALL.map(|position| !self.in_line(sight, side, position).is_empty())
    }

    /// Whether a position of a side holds an ineffective unit, which everybody sees.
    pub(crate) fn holds_ineffective<S: Sight>(&self, sight: &S, side: SideId) -> bool {
        let lines = LinePosition::ALL.into_iter().flat_map(|position| self.in_line(sight, side, position));
        lines.into_iter().any(|body| sight.flag(self.columns.ineffective, body))
    }

    /// Says to all whether there is a unit among the bodies of a side that can attack: it is effective (3.24, 9.32).
    pub(crate) fn tell_attackers(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        rule: RuleId,
    ) -> Result<bool, Halt> {
        let fit: Bodies =
            bodies.iter().copied().filter(|&b| self.units.is_effective(&cx.truth(), b)).collect();
        self.tell_units(cx, &fit, rule, self.moments.turn_ends)
    }

    /// Says to all whether there is an officer among bodies.
    pub(crate) fn tell_officers(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        rule: RuleId,
    ) -> Result<bool, Halt> {
        if bodies.is_empty() {
            return Ok(false);
        }
        let (question, audience, about) = (self.combat.officers, Audience::ALL, About::Bodies);
        let lapse = self.moments.turn_ends;
        Ok(cx.tell(Telling { question, bodies, about, audience, rule, lapse })? != 0)
    }

    /// Whether a side that is attacked has a unit to fight with: all are told. Dummies that are alone are revealed, and
    /// go; of the others that are alone it is said what they are (3.22.c).
    pub(crate) fn stands_up(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        others_there: bool,
    ) -> Result<bool, Halt> {
        let rule = self.combat.rules.dummies_attacked;
        if self.tell_units(cx, bodies, rule, self.moments.turn_ends)? {
            return Ok(true);
        }
        if others_there {
            return Ok(false);
        }
        self.single_out(cx, bodies, rule)?;
        Ok(false)
    }

    /// Marks units that initiated combat: they may leave in their next Movement Phase (3.43).
    pub(crate) fn mark_initiated(&self, cx: &mut Cx<'_>, bodies: &[BodyId], value: bool) -> Result<(), Halt> {
        bodies.iter().try_for_each(|&body| cx.set(self.columns.initiated_combat, body, i32::from(value)))
    }

    /// The order of a position that is revealed.
    pub(crate) fn order_of<S: Sight>(
        &self,
        sight: &S,
        side: SideId,
        position: LinePosition,
    ) -> Option<Order> {
        Order::from_number(sight.get(self.columns.order, (position.choice(), side))? - 1)
    }

    /// The position of the enemy that a position fires at.
    pub(crate) fn target_of<S: Sight>(
        &self,
        sight: &S,
        side: SideId,
        position: LinePosition,
    ) -> Option<LinePosition> {
        LinePosition::from_number(sight.get(self.columns.fires_at, (position.choice(), side))? - 1)
    }

    /// The combat is over: its units are turned down, but for those that were face up before it, and come back to the
    /// area that they were taken from (9.6.d); all that was decided in it is forgotten.
    pub(crate) fn leave_board(&self, cx: &mut Cx<'_>, area: SpaceId) -> Result<(), Halt> {
        for side in [SideId(0), SideId(1)] {
            // Also those that never fight, as trains: face down they went to the Reserve with the others.
            let reserve = self.boxes(side).reserve;
            let boxes = LinePosition::ALL.map(|position| self.line_box(side, position)).into_iter();
            let bodies: Bodies =
                boxes.chain([reserve]).flat_map(|at| cx.read().bodies_of(side, at)).collect();
            for &body in &bodies {
                self.turn_back(cx, body)?;
            }
            if !bodies.is_empty() {
                cx.move_group(self.combat.w.over, &bodies, Dest::NewStack(PlaceId(area.0)))?;
            }
        }
        cx.set(self.columns.battle, (), -1)?;
        cx.set(self.columns.attacker, (), -1)?;
        cx.set(self.columns.round, (), 0)?;
        self.forget_round(cx)
    }

    /// Turns a body down that the combat has revealed (3.12); what was face up before stays so.
    pub(crate) fn turn_back(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        if cx.flag(self.columns.exposed, body) { Ok(()) } else { self.turn_down(cx, body) }
    }

    /// Orders, attacks and targets of a round are taken off.
    pub(crate) fn forget_round(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.reset(self.columns.order_given.id, None)?;
        cx.reset(self.columns.order.id, None)?;
        cx.reset(self.columns.fires_at.id, None)?;
        cx.unrecord(self.combat.attack, |_| true)?;
        Ok(())
    }

    /// Whom a position no longer shelters: officers whose units are gone fall back to the Reserve (9.32).
    pub(crate) fn clear_positions(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        for position in LinePosition::ALL {
            let bodies = self.in_line(&cx.truth(), side, position);
            if !bodies.is_empty() && !bodies.iter().any(|&body| self.can_fight(&cx.truth(), body)) {
                let dest = Dest::Place(self.boxes(side).reserve, Position::Bottom);
                cx.move_group(self.combat.w.to_reserve, &bodies, dest)?;
            }
        }
        Ok(())
    }
}

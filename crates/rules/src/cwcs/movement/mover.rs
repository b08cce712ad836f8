//! Whether a group of units may go from its area into the next, as far as its owner knows.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{BodyId, LinkId, PieceSetId, Refusal, RuleId, SideId, SpaceId, Verdict};

use super::super::units::Bodies;
use super::super::{Cwcs, interception};
use super::Distances;
use super::gates::Gate;
use super::ways::WayArgs;

/// A refusal by a rule.
pub(crate) fn refused<T>(rule: RuleId) -> Result<T, Refusal> {
    Err(Refusal { rule })
}

/// A side in its Movement Phase, with what it sees.
pub(crate) struct Mover<'a> {
    pub(crate) cw: &'a Cwcs,
    pub(crate) seen: &'a Seen<'a>,
    pub(crate) side: SideId,
    homeward: OnceCell<Distances>,
    ahead: OnceCell<Distances>,
    /// The area that was looked at last, and whether the enemy stands there.
    met: Cell<Option<(SpaceId, bool)>>,
    /// The group that was asked about last, and whether the title lets it set out.
    set_out: RefCell<(Bodies, Verdict)>,
    /// The ways out of the area that was asked for last.
    gates: RefCell<Option<(SpaceId, Rc<[Gate<'a>]>)>>,
}

impl<'a> Mover<'a> {
    pub(crate) fn new(cw: &'a Cwcs, seen: &'a Seen<'a>, side: SideId) -> Self {
        let (homeward, ahead) = (OnceCell::new(), OnceCell::new());
        let set_out = RefCell::new((Bodies::new(), Ok(())));
        Self { cw, seen, side, homeward, ahead, met: Cell::new(None), set_out, gates: RefCell::new(None) }
    }

    pub(crate) fn enemy(&self) -> SideId {
        self.cw.enemy(self.side)
    }

    /// Whether the enemy stands in an area, as far as the side knows.
    pub(super) fn meets_enemy(&self, area: SpaceId) -> bool {
        match self.met.get() {
            Some((at, met)) if at == area => met,
            _ => {
                let met = !self.seen.bodies_of(self.enemy(), area).is_empty();
                self.met.set(Some((area, met)));
                met
            }
        }
    }

    /// Distances from the side's own Home Areas.
    pub(crate) fn homeward(&self) -> &Distances {
        self.homeward.get_or_init(|| self.cw.distances(self.seen, self.side))
    }

    /// Distances from the enemy's Home Areas.
    pub(super) fn ahead(&self) -> &Distances {
        self.ahead.get_or_init(|| self.cw.distances(self.seen, self.enemy()))
    }

    /// Whether an own unit is of a set: the owner always knows.
    pub(super) fn is(&self, body: BodyId, set: PieceSetId) -> bool {
        self.seen.is(body, set).is_yes()
    }

    /// Whether a unit is cavalry or passes for it (3.23).
    pub(super) fn is_mounted(&self, body: BodyId) -> bool {
        let sets = &self.cw.pieces.sets;
        self.is(body, sets.cavalry) || self.is(body, sets.dummy_cavalry)
    }

    pub(super) fn is_leader(&self, body: BodyId) -> bool {
        self.is(body, self.cw.pieces.sets.leaders)
    }

    pub(crate) fn is_dummy(&self, body: BodyId) -> bool {
        self.is(body, self.cw.pieces.sets.dummies)
    }

    pub(crate) fn moved(&self, body: BodyId) -> i32 {
        self.seen.get(self.cw.columns.moved, body).unwrap_or(0)
    }

    pub(super) fn is_force_marching(&self, body: BodyId) -> bool {
        self.seen.flag(self.cw.columns.force_marching, body)
    }

    /// The area from which a unit has come over a major river into its own this turn (7.2).
    pub(super) fn across_from(&self, body: BodyId) -> Option<SpaceId> {
        if !self.seen.flag(self.cw.movement.marks.across, body) {
            return None;
        }
        let from = self.seen.get(self.cw.columns.forded_from, body)?;
        u16::try_from(from).ok().map(SpaceId)
    }

    /// How many areas a unit may move in this phase (7.11).
    pub(super) fn allowance(&self, body: BodyId) -> i32 {
        let basic = if self.is_mounted(body) || self.is_leader(body) { 2 } else { 1 };
        let args = [PointArg::Side(self.side), PointArg::Body(body)];
        let more = self.seen.total(self.cw.points.movement_allowance, &args);
        basic + more + i32::from(self.is_force_marching(body))
    }

    /// Whether a body is one that marches at all, and no marker.
    pub(super) fn marches(&self, body: BodyId) -> Verdict {
        let marches = self.is(body, self.cw.pieces.sets.stacks);
        if marches { Ok(()) } else { refused(self.cw.movement.rules.moves) }
    }

    /// Whether every unit of a group can still move, wherever it is: 7.1, 7.44, 3.45, 8.23, 7.11.
    pub(super) fn can_move(&self, group: &[BodyId]) -> Verdict {
        let (columns, rules) = (&self.cw.columns, &self.cw.movement.rules);
        for &body in group {
            self.marches(body)?;
            if self.seen.flag(columns.spent, body) && self.seen.rule_on(rules.spent_stays) {
                return refused(rules.spent_stays);
            }
            if self.seen.flag(self.cw.movement.marks.compelled, body) {
                return refused(rules.artillery_stops);
            }
            if interception::is_caught(self.cw, self.seen, body) {
                return refused(rules.caught);
            }
            if self.moved(body) >= self.allowance(body) && self.seen.rule_on(rules.allowance) {
                return refused(rules.allowance);
            }
        }
        Ok(())
    }

    /// Whether the title lets a group go anywhere, off the map too: the same for every way, and so asked once.
    pub(super) fn may_set_out(&self, group: &[BodyId]) -> Verdict {
        let mut set_out = self.set_out.borrow_mut();
        if set_out.0[..] != *group {
            let mut args = WayArgs::new();
            args.push(PointArg::Side(self.side));
            args.extend(group.iter().map(|&body| PointArg::Body(body)));
            let verdict = self.seen.forbidden(self.cw.points.may_set_out, &args).map_or(Ok(()), refused);
            *set_out = (Bodies::from_slice(group), verdict);
        }
        set_out.1
    }

    /// The link by which a group may go into the next area (7.12, 7.2, 7.32).
    pub(super) fn way(&self, group: &[BodyId], from: SpaceId, to: SpaceId) -> Result<LinkId, Refusal> {
        let is_marching = group.iter().any(|&body| self.is_force_marching(body));
        let mut against = None;
        for gate in self.gates(from).iter().filter(|gate| gate.to() == to && self.leads(gate)) {
            match self.may_pass(gate, group, from, is_marching) {
                Ok(()) => return Ok(gate.link()),
                // What is against a road says more than that an open way is none.
                Err(refusal) => against = Some(refusal),
            }
        }
        Err(against.unwrap_or_else(|| Refusal { rule: self.cw.no_way(self.seen, from, to) }))
    }

    /// The ways out of an area.
    pub(super) fn gates(&self, from: SpaceId) -> Rc<[Gate<'a>]> {
        let mut gates = self.gates.borrow_mut();
        match &*gates {
            Some((at, gates)) if *at == from => Rc::clone(gates),
            _ => {
                let made: Rc<[Gate<'a>]> =
                    self.cw.map.ways_out(from).iter().map(|way| Gate::new(*way)).collect();
                *gates = Some((from, Rc::clone(&made)));
                made
            }
        }
    }

    /// Whether a group can go into the next area, or off the map.
    pub(crate) fn can_go(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        self.can_move(group)?;
        self.can_take(group, from, to)
    }

    /// Whether a group that can move can go that way.
    fn can_take(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        match to {
            Some(to) => drop(self.way(group, from, to)?),
            None => self.may_exit_the_map(group, from)?,
        }
        self.may_leave(group, from, to)
    }

    /// Whether a group that can move may go that way, unless it must retreat another (6.6).
    pub(super) fn may_take(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        self.can_take(group, from, to)?;
        self.keeps_retreating(group, from, to)
    }

    /// Whether there is anywhere that a group may go.
    pub(super) fn has_a_way(&self, group: &[BodyId], from: SpaceId) -> Verdict {
        self.can_move(group)?;
        let mut against = Ok(());
        for to in self.cw.map.adjacent(from).iter().map(|&to| Some(to)).chain([None]) {
            match self.may_take(group, from, to) {
                Ok(()) => return Ok(()),
                Err(refusal) => against = against.and(Err(refusal)),
            }
        }
        against
    }
}

impl Cwcs {
    /// What the points `may move` and `may force march` are asked about.
    pub(super) fn move_args(
        &self,
        side: SideId,
        (from, to): (SpaceId, SpaceId),
        link: LinkId,
        units: &[BodyId],
    ) -> WayArgs {
        let mut args = WayArgs::new();
        args.extend([PointArg::Side(side), PointArg::Space(from), PointArg::Space(to), PointArg::Link(link)]);
        args.extend(units.iter().map(|&unit| PointArg::Body(unit)));
        args
    }
}

//! Whether a group of units may go from its area into the next, as far as its owner knows.

use std::cell::OnceCell;

use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{BodyId, LinkId, PieceSetId, PointId, Refusal, RuleId, SideId, SpaceId, Verdict};

use super::super::{Cwcs, interception};
use super::Distances;
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
}

impl<'a> Mover<'a> {
    pub(crate) fn new(cw: &'a Cwcs, seen: &'a Seen<'a>, side: SideId) -> Self {
        Self { cw, seen, side, homeward: OnceCell::new(), ahead: OnceCell::new() }
    }

    pub(crate) fn enemy(&self) -> SideId {
        self.cw.enemy(self.side)
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
    fn can_move(&self, group: &[BodyId]) -> Verdict {
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

    /// The link by which a group may go into the next area (7.12, 7.2, 7.32).
    pub(super) fn way(&self, group: &[BodyId], from: SpaceId, to: SpaceId) -> Result<LinkId, Refusal> {
        let (cw, seen) = (self.cw, self.seen);
        let marching = group.iter().any(|&body| self.is_force_marching(body));
        let cause = if marching { cw.movement.w.force_march } else { cw.movement.w.move_ };
        let mut against = None;
        for link in cw.links_between(seen, from, to) {
            let verdict = cw
                .may_cross(seen, self.side, (from, to), link, cause, group)
                .and_then(
                    |()| if marching { self.may_force_march_over(group, from, to, link) } else { Ok(()) },
                )
                .and_then(|()| self.title_lets(cw.points.may_move, group, from, to, link));
            match verdict {
                Ok(()) => return Ok(link),
                // What is against a road says more than that an open way is none.
                Err(refusal) => against = Some(refusal),
            }
        }
        Err(against.unwrap_or_else(|| Refusal { rule: cw.no_way(seen, from, to) }))
    }

    /// Whether a permission of the title is not against a group that goes over a link.
    pub(super) fn title_lets(
        &self,
        point: PointId,
        group: &[BodyId],
        from: SpaceId,
        to: SpaceId,
        link: LinkId,
    ) -> Verdict {
        if !self.seen.rulebook().has_attachments(point) {
            return Ok(());
        }
        let args = self.cw.move_args(self.side, (from, to), link, group);
        self.seen.forbidden(point, &args).map_or(Ok(()), refused)
    }

    /// Whether a group can go into the next area, or off the map.
    pub(crate) fn can_go(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        self.can_move(group)?;
        match to {
            Some(to) => drop(self.way(group, from, to)?),
            None => self.may_exit_the_map(group, from)?,
        }
        self.may_leave(group, from, to)
    }

    /// The same, unless the group must retreat another way (6.6).
    pub(super) fn may_go(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        self.can_go(group, from, to)?;
        self.keeps_retreating(group, from, to)
    }

    /// Whether there is anywhere that a group may go.
    pub(super) fn has_a_way(&self, group: &[BodyId], from: SpaceId) -> Verdict {
        let mut against = Ok(());
        for to in self.cw.map.adjacent(from).iter().map(|&to| Some(to)).chain([None]) {
            match self.may_go(group, from, to) {
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

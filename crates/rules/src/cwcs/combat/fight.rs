//! What a combat is resolved by: who attacks where, what each Line Position was ordered and whom it fires at.

use adjutant_kernel::{Cx, SideId, Sight, SpaceId};

use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// A combat in one of its rounds. Lists are by side, then by position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fight {
    pub(crate) area: SpaceId,
    /// Whose turn it is.
    pub(crate) phasing: SideId,
    /// Who attacks in this round.
    pub(crate) attacker: SideId,
    /// Cavalry alone fights, because it was intercepted (8.23).
    pub(crate) interception: bool,
    /// 1 or 2.
    pub(crate) round: i32,
    pub(crate) orders: [[Option<Order>; 3]; 2],
    /// The enemy position that each fires at in this round.
    pub(crate) targets: [[Option<LinePosition>; 3]; 2],
}

impl Fight {
    pub(crate) fn defender(&self) -> SideId {
        SideId(1 - self.attacker.0.min(1))
    }

    /// The order of a position, if there is one.
    pub(crate) fn order(&self, side: SideId, position: LinePosition) -> Option<Order> {
        self.orders[side.index().min(1)][position.index()]
    }

    /// Whom a position fires at.
    pub(crate) fn target(&self, side: SideId, position: LinePosition) -> Option<LinePosition> {
        self.targets[side.index().min(1)][position.index()]
    }
}

impl Cwcs {
    /// The units of a position that fight: real ones with strength (7.44).
    pub(crate) fn line_units<S: Sight>(&self, sight: &S, side: SideId, position: LinePosition) -> Bodies {
        let mut bodies = self.in_line(sight, side, position);
        bodies.retain(|body| self.can_fight(sight, *body));
        bodies
    }

    /// Whether a position has units and all of them are militia.
    pub(crate) fn is_all_militia(&self, cx: &Cx<'_>, side: SideId, position: LinePosition) -> bool {
        let units = self.line_units(&cx.truth(), side, position);
        !units.is_empty() && units.iter().all(|&body| cx.read().is(body, self.pieces.sets.militia))
    }
}

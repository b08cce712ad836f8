//! The parts of a combat that are told elsewhere, as its course calls them.

use adjutant_kernel::{Cx, Flow, Halt, SideId, SpaceId};

use super::lines::{LinePosition, Order};
use super::pairing::Attack;
use super::retreat::RetreatBeforeCombat;
use crate::cwcs::Cwcs;

/// A round of a combat, with the orders and targets of all positions by side and position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fight {
    pub(crate) area: SpaceId,
    /// Who attacks in this round.
    pub(crate) attacker: SideId,
    pub(crate) interception: bool,
    pub(crate) round: i32,
    pub(crate) orders: [[Option<Order>; 3]; 2],
    pub(crate) targets: [[Option<LinePosition>; 3]; 2],
}

impl Cwcs {
    /// The non-phasing side may retreat before combat (9.2).
    pub(crate) fn retreat_before_combat(&self, area: SpaceId, defender: SideId) -> Flow {
        self.cavalry.procs.retreat.call(RetreatBeforeCombat::of(area, defender))
    }

    /// A pair of positions fights: both are revealed, and its losses taken (9.12.c, 9.12.d).
    pub(crate) fn resolve_pair(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        (attacking, attacked): Attack,
    ) -> Result<Flow, Halt> {
        let defender = self.enemy(fight.attacker);
        for (side, position) in [(fight.attacker, attacking), (defender, attacked)] {
            for body in self.in_line(&cx.truth(), side, position) {
                if !cx.read().face_up(body) {
                    cx.reveal(body, self.combat.rules.revealed)?;
                }
            }
        }
        Ok(Flow::Again)
    }

    /// Officers may have fallen in a round (11.31).
    pub(crate) fn roll_casualties(&self, _: &Fight) -> Flow {
        Flow::Again
    }

    /// Those who fell go when the combat is over (11.31).
    pub(crate) fn bury_fallen(&self, _: SpaceId) -> Flow {
        Flow::Again
    }

    /// Positions that were ordered to withdraw do so (9.91).
    pub(crate) fn withdraw(&self, _: &Fight) -> Flow {
        Flow::Again
    }

    /// Whether attackers who crossed a major river have not driven off the defender (9.92.c).
    pub(crate) fn must_go_back(&self, _: &mut Cx<'_>, _: &Fight) -> Result<bool, Halt> {
        Ok(false)
    }

    /// They go back.
    pub(crate) fn go_back(&self, _: &Fight) -> Flow {
        Flow::Again
    }

    /// Straggler losses of the Combat Phase take effect (9.91.b).
    pub(crate) fn end_straggling(&self, _: &mut Cx<'_>) -> Result<(), Halt> {
        Ok(())
    }
}

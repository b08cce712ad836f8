//! The parts of a combat that are told elsewhere, as its course calls them.

use adjutant_kernel::{Cx, Flow, Halt, SideId, SpaceId};

use super::casualties::{Casualties, Fallen};
use super::fight::Fight;
use super::pair::Pair;
use super::pairing::Attack;
use super::retreat::RetreatBeforeCombat;
use super::rivers::RiverReturn;
use super::withdrawal::Withdraw;
use crate::cwcs::Cwcs;

impl Cwcs {
    /// The non-phasing side may retreat before combat (9.2).
    pub(crate) fn retreat_before_combat(&self, area: SpaceId, defender: SideId) -> Flow {
        self.cavalry.procs.retreat.call(RetreatBeforeCombat::of(area, defender))
    }

    /// A pair of positions fights: both are revealed, and its losses taken (9.12.c, 9.12.d).
    pub(crate) fn resolve_pair(&self, fight: &Fight, (attacking, attacked): Attack) -> Flow {
        self.procs.resolution.pair.call(Pair::of(*fight, attacking, attacked))
    }

    /// Officers may have fallen in a round (11.31).
    pub(crate) fn roll_casualties(&self, fight: &Fight) -> Flow {
        self.procs.resolution.casualties.call(Casualties::of(*fight, false))
    }

    /// Those who fell go when the combat is over (11.31).
    pub(crate) fn bury_fallen(&self, area: SpaceId) -> Flow {
        self.procs.resolution.fallen.call(Fallen::of(area))
    }

    /// Positions that were ordered to withdraw do so (9.91).
    pub(crate) fn withdraw(&self, fight: &Fight) -> Flow {
        self.procs.resolution.withdraw.call(Withdraw::of(*fight))
    }

    /// They go back (9.92.c), unless this was the last round and their officers hold the bank.
    pub(crate) fn go_back(&self, fight: &Fight, was_last_round: bool) -> Flow {
        self.procs.resolution.river.call(RiverReturn::of(*fight, was_last_round))
    }

    /// Straggler losses of the Combat Phase take effect (9.91.b).
    pub(crate) fn end_straggling(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        self.lose_stragglers_of_combat(cx)
    }
}

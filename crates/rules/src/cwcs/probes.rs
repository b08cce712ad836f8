//! Cavalry probes (8.1).

use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::{Action, Cx, Flow, Halt, Offers, SeatId, SideId};

use super::Cwcs;

/// What the side whose Movement Phase it is may do about probes.
pub(crate) fn offers(_: &Cwcs, _: &Seen<'_>, _: SideId, _: &mut Offers<'_>) {}

/// Carries out an action of probes; nothing, if it is none.
pub(crate) fn act(_: &Cwcs, _: &mut Cx<'_>, _: SideId, _: SeatId, _: &Action) -> Result<Option<Flow>, Halt> {
    Ok(None)
}

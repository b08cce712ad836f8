//! Interception (8.2).

use adjutant_kernel::{BodyId, Cx, Flow, Halt, SideId, Sight, SpaceId};

use super::Cwcs;

/// Before cavalry leaves an area where the enemy stands: what is asked of him, if he may intercept.
pub(crate) fn before_exit(
    _: &Cwcs,
    _: &mut Cx<'_>,
    _: SideId,
    _: &[BodyId],
    _: SpaceId,
    _: Option<SpaceId>,
) -> Result<Option<Flow>, Halt> {
    Ok(None)
}

/// Whether a unit was intercepted, and so must stay and fight (8.23).
pub(crate) fn is_caught<S: Sight>(_: &Cwcs, _: &S, _: BodyId) -> bool {
    false
}

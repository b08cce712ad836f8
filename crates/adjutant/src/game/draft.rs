//! Drafts: what a seat did since the last barrier. It may take it back, and no other seat is shown any of it.

use adjutant_kernel::events::Emitted;
use adjutant_kernel::{Action, SeatId, State};

/// One decision since the last barrier, with the events that others have not been shown.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) seat: SeatId,
    pub(super) action: Action,
    pub(super) events: Vec<Emitted>,
}

/// What a seat has done since the last barrier.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The position as the seat has made it: what was published, and its own decisions alone.
    pub(super) state: State,
    /// How many of its decisions are final: something only it noticed was drawn or released after them.
    pub(super) sealed: usize,
    /// Its branch of a fork has committed: nothing may be taken back, nothing is shown.
    pub(super) committed: bool,
}

//! Drafts: what a seat did since the last barrier. It may take it back, and no other seat is shown any of it.

use adjutant_kernel::events::Emitted;
use adjutant_kernel::{Action, RuleId, SeatId, State, TableId};

/// One decision since the last barrier, with the events that others have not been shown.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) seat: SeatId,
    /// How many entries were known before it.
    pub(super) entry: usize,
    pub(super) action: Action,
    pub(super) events: Vec<Emitted>,
}

/// What a seat has done since the last barrier.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The position as the seat has made it: what was published, and its own decisions alone.
    pub(super) state: State,
    /// How many decisions are in it.
    pub(super) count: usize,
    /// How many of its decisions are final: something only it noticed was drawn or released after them.
    pub(super) sealed: usize,
    /// Its branch of a fork has committed: nothing may be taken back, nothing is shown.
    pub(super) committed: bool,
}

/// What an umpire did while there were drafts: it must not come to be earlier when they are played again.
#[derive(Clone, Debug)]
pub(super) struct Late {
    /// The position as of the last barrier, without it.
    pub(super) state: State,
    /// What, each after so many known entries.
    pub(super) done: Vec<(usize, Umpired)>,
}

/// Something that an umpire does to a position at once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Umpired {
    /// Fixes a die.
    Force(TableId, i32),
    /// Switches off what is attached for a rule.
    Skip(RuleId),
}

impl Umpired {
    pub(super) fn apply(self, state: &mut State) {
        match self {
            Self::Force(table, value) => state.force(table, value),
            Self::Skip(rule) => state.skip(rule),
        }
    }
}

//! The journal: all that a game is beside its start (invariant 3).

use adjutant_kernel::view::ShownAction;
use serde::{Deserialize, Serialize};

/// One entry of the journal; targets are named as they are called in the pack, never by handle or index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// A seat's decision.
    Act {
        /// The seat.
        seat: String,
        /// What it did.
        action: ShownAction,
        /// Whether a standing answer did it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        standing: bool,
    },
    /// A seat took its last decision back.
    Undo {
        /// The seat.
        seat: String,
    },
    /// The umpire fixed the next die of a table.
    Force {
        /// The table.
        table: String,
        /// The number that the die will show.
        value: i32,
    },
    /// A seat gave up for its side.
    Resign {
        /// The seat.
        seat: String,
    },
}

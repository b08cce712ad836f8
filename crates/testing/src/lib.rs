//! Tests of packs, written in Luau and run by `adjutant test`.
//!
//! A test sets up a scenario or a position, forces dice, acts through seats as a frontend would, and looks at the
//! result through a seat or as the umpire:
//!
//! ```luau
//! test("horse stays off heights", { "ford:3.1" }, function(t)
//!     local g = t.game { scenario = "crossing" }
//!     t.refused(g.seat("blue"), "march", "Hussars", "Hill", "ford:3.1")
//! end)
//! ```
//!
//! Each file runs in an interpreter of its own, in the sandbox of scripts, with a budget. What it may call is in
//! [`DEFINITIONS`], which editors read. Rule ids that tests cite are what `adjutant coverage` joins with the
//! ledger.

mod actions;
mod charts;
mod decline;
mod game;
mod map;
mod seats;
mod suite;
mod table;
mod values;

pub use suite::{Failure, Outcome, Suite, Test};

/// Declarations, with types and texts, of what tests may call: for editors.
pub const DEFINITIONS: &str = include_str!("../../../schemas/tests.d.luau");

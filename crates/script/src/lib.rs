//! The Luau host: exclusive rules as scripts.
//!
//! A script of a pack is a pure, bounded guest (invariant 10). It declares, while it is loaded, contributions to
//! rule points, permissions with reasons, procedures with named steps, and what hangs on moments. In a game it
//! sees what it is lent for one call, keeps nothing between calls, and has no files, clock or chance but the
//! kernel's. What it may not know is nil. Hitting a limit or failing is a [`Fault`](adjutant_kernel::Fault).
//!
//! A [`Program`] is compiled once; each worker has a [`Host`] of its own, made from it.
//!
//! ```
//! use std::sync::Arc;
//! use adjutant_kernel::RulebookBuilder;
//! use adjutant_script::{Program, ScriptProblem};
//! # use adjutant_kernel::board::{BoardBuilder, Provenance};
//! # let mut board = BoardBuilder::new("heaps", Provenance::printed("h:1"));
//! # board.space("table");
//! let mut builder = RulebookBuilder::new("heaps", "1", board.build()?);
//! let script = "rules.point('no_such_point', 'h:2', nil, function(g) return 1 end)";
//! let problems = Program::load(&[("scripts/heaps.luau", script)], &mut builder).unwrap_err();
//! assert_eq!(
//!     problems[0].to_string(),
//!     "scripts/heaps.luau:1: there is no point `no_such_point`; there are none"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api;
mod bytecode;
mod code;
mod columns;
mod declare;
mod fields;
mod frames;
mod freeze;
mod fuel;
mod guest;
mod handle;
mod host;
mod memo;
mod names;
mod problem;
mod program;
mod raw;
mod sandbox;
mod shared;
mod steps;
mod strict;

pub use api::{API, Definition, Definitions, Form};
pub use fuel::Watchdog;
pub use guest::Guest;
pub use host::Host;
pub use problem::ScriptProblem;
pub use program::{Loaded, Program, opening};
pub use sandbox::{FUEL, MEMORY};
pub use strict::strict;

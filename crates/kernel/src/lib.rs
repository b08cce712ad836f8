//! The rules kernel of Adjutant.
//!
//! It knows boards, pieces, phases, tables, dice, decisions and hidden information, and no title, series or
//! period. A [`Rulebook`] is the immutable set of rules, a [`State`] plain data, and a [`Worker`] runs the one
//! on the other. Nothing here does I/O, reads a clock, starts a thread or keeps a global.

extern crate self as adjutant_kernel;

pub mod allocation;
pub mod board;
pub mod chance;
pub mod contributions;
pub mod decisions;
pub mod error;
pub mod events;
pub mod flow;
pub mod handles;
pub mod ids;
pub mod knowledge;
pub mod locals;
pub mod ops;
pub mod points;
pub mod provenance;
pub mod rulebook;
pub mod state;
pub mod suggest;
pub mod tables;
pub mod view;
pub mod worker;

pub use decisions::{Action, Offers, Refusal, Target, Verdict};
pub use error::{Fault, Refused};
pub use flow::{Cx, Flow, Halt, Procedure};
pub use ids::*;
pub use knowledge::{Audience, Common, Seen, Sight, Tri, Truth};
pub use rulebook::{Module, Placement, Rulebook, RulebookBuilder};
pub use state::{Digest, Read, State};
pub use worker::Worker;

//! Play board wargames by their real rules.
//!
//! A [`Game`] is what a table of people plays: seats with their own views, offers, drafts and versions, a
//! journal, saves, replays. A [`Sim`] is the same rules on a bare state, without drafts, journal and events,
//! for bots and statistics. [`verify`] is the conformance suite that every rulebook must pass.

pub mod game;
mod random;
mod save;
mod sim;
pub mod verify;

pub use adjutant_kernel as kernel;
pub(crate) use game::Release;
pub use game::{
    Entry, Game, Happened, NamedEdit, NotedFault, Packet, Replay, ReplayStep, SeatView, Setup, Standing,
};
pub use random::Random;
pub use save::{Checked, Incompatible, Io, LoadError, Save, Snapshot};
pub use sim::Sim;

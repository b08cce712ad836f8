//! Play board wargames by their real rules.
//!
//! A [`Library`] finds packs in a folder, and a [`Pack`] is one of them with its overlays, checked and compiled:
//! the [`Rules`] to play by, their texts, ledger and provenance. A [`Game`] is what a table of people plays: seats with their own views, offers, drafts and versions, a
//! journal, saves, replays. A [`Sim`] is the same rules on a bare state, without drafts, journal and events,
//! for bots and statistics. [`verify`] is the conformance suite that every rulebook must pass.

pub mod game;
mod library;
mod modules;
mod random;
mod rules;
mod save;
mod sim;
pub mod text;
pub mod verify;

pub use adjutant_kernel as kernel;
pub use adjutant_pack as packs;
pub use adjutant_script as scripts;
pub(crate) use game::Release;
pub use game::{
    Entry, Game, Happened, NamedEdit, NotedFault, Packet, Replay, ReplayStep, SeatView, Setup, Standing,
    StartError,
};
pub use library::{Library, Pack};
pub use modules::{Modules, NativeModule};
pub use random::Random;
pub use rules::{LayerStamp, Rules, Stamp};
pub use save::{Checked, FindRules, Incompatible, Io, LoadError, Save, Snapshot};
pub use sim::Sim;

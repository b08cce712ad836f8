//! Play board wargames by their real rules.
//!
//! A [`Library`] finds packs in a folder, and a [`Pack`] is one of them with its overlays, checked and compiled:
//! the [`Rules`] to play by, their texts, ledger and provenance. A [`Game`] is what a table of people plays: seats
//! with their own views, offers, drafts and versions, a journal, saves, replays. A [`Sim`] is the same rules on a
//! bare state, without drafts, journal and events, for bots and statistics. [`verify`] is the conformance suite that
//! every rulebook must pass.
//!
//! A frontend draws a title that it does not know from [`Pack::sheet`] (what is printed) and [`Game::view`] (what a seat
//! sees), and reads events and offers with [`Pack::text`]. A game stays on the thread that began it, for its scripts do;
//! a save goes anywhere. Whoever lets others' packs run keeps a [`scripts::Watchdog`] beside it: what scripts use is
//! counted, and a call that takes too long all the same is stopped by the clock.
//!
//! ```
//! use adjutant::{Game, Library, Save, Setup};
//! # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
//! let pack = Library::open(games).and_then(|packs| packs.pack("ford")).map_err(|report| report.render())?;
//! let mut game = Game::start(&pack, Setup { seed: 1862, ..Setup::default() })?;
//! let blue = game.rulebook().seat_named("blue").unwrap();
//! let offers = game.offers(blue);
//! let events = game.act(blue, None, &offers[0])?; // it marches
//! assert_eq!(game.view(blue).version, 2); // it did something, and was shown what came of it
//! assert!(!events.is_empty() && game.may_undo(blue));
//! let save = Save::from_json(&game.save().to_json())?;
//! assert_eq!(Game::load(&pack, &save)?.digest(), game.digest());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod game;
mod library;
mod modules;
mod random;
mod rules;
mod save;
pub mod sheet;
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
pub use library::{BASE_PACK, Library, Pack};
pub use modules::{Modules, NativeModule};
pub use random::Random;
pub use rules::{LayerStamp, Rules, Stamp};
pub use save::{Checked, FindRules, Incompatible, Io, LoadError, Save, Snapshot};
pub use sim::Sim;

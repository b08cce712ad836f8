//! Game packs.
//!
//! A pack is a folder of RON that says what a game is made of. This crate reads it, reports everything that is
//! wrong with it at once and with its place, lays series, titles and overlays over one another, and makes the
//! kernel's rulebook of the outcome.
//!
//! | module | what |
//! | --- | --- |
//! | [`files`] | the files of a pack, read with care |
//! | [`tree`] | RON with places, which is what layers are laid over one another as |
//! | [`layers`] | series, title, overlays: additions, changes by path, origins |
//! | [`model`] | what a pack says, a file a concept |
//! | [`load`], [`check()`], [`compile()`] | from files to a model, to problems, to a rulebook |
//! | [`text`] | Fluent texts and their lint |
//! | [`provenance`] | where the data come from, as a list |
//! | [`hash`] | fingerprints |
//! | [`schema`] | JSON Schemas of the model |
//!
//! ```
//! use adjutant_pack::LoadedPack;
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
//! let mut problems = Vec::new();
//! let pack = LoadedPack::open(folder.as_ref(), &[], &|_| None, &mut problems).unwrap();
//! assert!(problems.is_empty() && !pack.has_errors);
//! assert_eq!(pack.model.pack.as_ref().unwrap().title, "Tiny");
//! assert_eq!(pack.model.boards.get("map").unwrap().source.as_ref().unwrap().text().value, "map");
//! ```

pub mod check;
pub mod compile;
pub mod diagnostic;
pub mod files;
pub mod hash;
pub mod layers;
pub mod load;
pub mod luau;
pub mod model;
pub mod provenance;
pub mod read;
mod render;
pub mod schema;
pub mod source;
mod suggest;
pub mod text;
pub mod tree;

pub use check::{Contract, Surroundings, check};
pub use compile::{Declared, MakeFrame, Procedures, compile};
pub use diagnostic::{Diagnostic, Label, Report, Severity};
pub use files::Files;
pub use load::{BAD_EXTENDS, LoadedPack};

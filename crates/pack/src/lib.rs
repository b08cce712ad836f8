//! Game packs.
//!
//! A pack is a folder of RON that says what a game is made of. This crate reads it, reports everything that is
//! wrong with it at once and with its place, lays series, titles and overlays over one another, and makes the
//! kernel's rulebook of the outcome.

pub mod diagnostic;
pub mod model;
pub mod read;
mod render;
pub mod source;
mod suggest;
pub mod tree;

pub use diagnostic::{Diagnostic, Label, Report, Severity};
pub mod files;
pub mod hash;
pub mod layers;

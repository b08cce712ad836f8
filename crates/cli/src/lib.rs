//! Adjutant in the terminal: playing any rulebook by numbers and a few commands.

mod bots;
mod terminal;
mod text;
mod words;

pub use bots::random_step;
pub use terminal::{Player, Reload, Table};
pub use text::position_text;

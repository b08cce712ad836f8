//! Adjutant in the terminal: playing any rulebook by numbers and a few commands.

mod terminal;
mod text;

pub use terminal::{Player, Table};
pub use text::{event_line, position_text};

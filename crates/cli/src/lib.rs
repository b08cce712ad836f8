//! Adjutant in the terminal: playing any rulebook by numbers and a few commands.

mod map;
mod terminal;
mod text;

pub use map::map_text;
pub use terminal::{Player, Table};
pub use text::{board_text, event_line, position_text};

//! Adjutant in the terminal: playing any rulebook by numbers and a few commands.

mod bots;
mod map;
mod plain;
mod terminal;
mod text;
mod words;

pub use bots::random_step;
pub use map::map_text;
pub use plain::plain;
pub use terminal::{End, Player, Reload, Table};
pub use text::{board_text, position_text};

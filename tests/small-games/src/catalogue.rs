//! The small games by name.

use adjutant_kernel::Rulebook;
use adjutant_kernel::rulebook::BadRulebook;

/// A small game.
pub struct SmallGame {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Makes its rulebook.
    pub rulebook: fn() -> Result<Rulebook, BadRulebook>,
}

/// All of them.
pub const GAMES: &[SmallGame] = &[];

/// The game with a name.
///
/// ```
/// assert!(small_games::catalogue::find("chess").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static SmallGame> {
    GAMES.iter().find(|g| g.name == name)
}

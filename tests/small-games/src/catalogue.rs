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
pub const GAMES: &[SmallGame] = &[
    SmallGame {
        name: "breakthrough",
        about: "pawns race for the other end of the board; nothing is hidden",
        rulebook: crate::breakthrough::rulebook,
    },
    SmallGame {
        name: "duel",
        about: "two duellists bid in secret for the next strike",
        rulebook: crate::duel::rulebook,
    },
    SmallGame {
        name: "phantom",
        about: "tic-tac-toe in which each side sees its own marks only",
        rulebook: crate::phantom::rulebook,
    },
];

/// The game with a name.
///
/// ```
/// assert!(small_games::catalogue::find("chess").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static SmallGame> {
    GAMES.iter().find(|g| g.name == name)
}

//! The small games by name.

use adjutant::verify::Check;
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
    /// Its own checks for the conformance suite.
    pub checks: fn() -> Vec<Check>,
}

/// All of them.
pub const GAMES: &[SmallGame] = &[
    SmallGame {
        name: "breakthrough",
        about: "a race of pawns on 8 x 8 squares; everything is open",
        rulebook: crate::breakthrough::rulebook,
        checks: Vec::new,
    },
    SmallGame {
        name: "phantom",
        about: "tic-tac-toe in which nobody sees the other's marks",
        rulebook: crate::phantom::rulebook,
        checks: Vec::new,
    },
    SmallGame {
        name: "duel",
        about: "two duellists bid cards in secret; the higher bid strikes",
        rulebook: crate::duel::rulebook,
        checks: Vec::new,
    },
    SmallGame {
        name: "skirmish",
        about: "a fight on hexes: zones of control, odds, retreats, morale",
        rulebook: crate::skirmish::rulebook,
        checks: crate::skirmish::checks,
    },
    SmallGame {
        name: "picket-line",
        about: "two sides face down on nine areas: dummies, probes, secret orders, a hidden base",
        rulebook: || crate::picket::rulebook(&Default::default()),
        checks: Vec::new,
    },
];

/// The game with a name.
///
/// ```
/// assert!(small_games::catalogue::find("picket-line").is_some());
/// assert!(small_games::catalogue::find("chess").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static SmallGame> {
    GAMES.iter().find(|g| g.name == name)
}

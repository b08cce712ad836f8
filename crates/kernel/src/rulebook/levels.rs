//! Levels: what a viewer sees of the bodies in a place, declared by deck, place and viewer.
//!
//! Hiding is an allow-list (invariant 7): what no rule shows is not shown.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// How much of the bodies in a place a viewer sees. Values (who they are) are a matter of knowledge, not of
/// levels: a level says only which handles and numbers are drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Level {
    /// Not even whether there is anything.
    Nothing,
    /// The number of bodies; of those that are face up more: they are seen.
    Number,
    /// The top body of each stack by handle, of the rest the number. A body that comes to be on top is
    /// revealed.
    Top,
    /// Every body by handle, in order.
    Order,
    /// Every body by handle, in order, face up.
    Everything,
}

/// Which viewers a level rule speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Onlooker {
    /// The side that owns the bodies.
    Owner,
    /// Everybody else.
    Others,
    /// Everybody.
    Anyone,
    /// One viewer.
    Viewer(Viewer),
}

/// A condition of a level rule; both parts must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LevelCondition {
    /// A public column of the space has this value.
    pub column: Option<(ColumnId, i32)>,
    /// An option is on (true) or off (false).
    pub option: Option<(OptionId, bool)>,
}

/// One rule; of the rules that match, the first counts.
#[derive(Clone, Debug)]
pub struct LevelRule {
    /// The decks it speaks of; empty means every piece, those without a deck included.
    pub decks: Vec<DeckId>,
    /// The places it speaks of; empty means all.
    pub places: Vec<PlaceId>,
    /// For whom.
    pub onlooker: Onlooker,
    /// When.
    pub when: LevelCondition,
    /// What they see.
    pub level: Level,
    /// The rule id that a reveal under level top cites.
    pub rule: RuleId,
}

//! `scenarios/*.ron`: how a game begins.

use super::{Scalar, Source};
use crate::read::{Entries, Name, Spanned, record, variants};
use crate::tree::Node;

record! {
    /// How a game begins.
    pub struct Scenario {
        /// Its title.
        pub title: String,
        /// Where it comes from.
        pub source: Option<Source>,
        /// Where in the sequence of play it begins; at the beginning if left out.
        pub start: Option<Start>,
        /// Options that are on unless the players choose otherwise.
        pub options: Vec<Name> = default,
        /// A preset of options instead.
        pub preset: Option<Name>,
        /// Values of columns: one of the game as `"turn": 3`, others by what has them, as
        /// `"control": { "Hill": "blue" }`, those by side as `"supply": { "Hill": { "blue": 2 } }`.
        pub columns: Entries<Node> = default,
        /// Entries of relations, each by its fields: `"ambush": [{ "where": "Hill", "who": "blue" }]`.
        pub relations: Entries<Vec<Entries<Spanned<Scalar>>>> = default,
        /// Where pieces stand, in the order in which they are put there.
        pub place: Vec<Spanned<Group>> = default,
    }

    /// Where in the sequence of play a scenario begins.
    pub struct Start {
        /// The phase.
        pub phase: Name,
        /// The side whose turn it is, if phases of this name are in player turns.
        pub side: Option<Name>,
    }

    /// Pieces that are put somewhere.
    pub struct Group {
        /// The place.
        pub at: Name,
        /// A stack, top first.
        pub stack: Vec<Name> = default,
        /// Pieces outside stacks.
        pub pieces: Vec<Name> = default,
        /// The piece under whose command `pieces` stand; then `at` is where that stands.
        pub under: Option<Name>,
        /// Face up or down; down, where they have a back, if left out.
        pub face: Face = default,
        /// The rule that shows what is face up; needed for pieces of a deck.
        pub rule: Option<Name>,
        /// In a random order, which nobody knows who sees their backs alone; else in the order in which they are
        /// listed, which everybody can read here.
        pub mixed: bool = default,
        /// Which way they face, in steps of the grid's directions.
        pub facing: u8 = default,
        /// Where it comes from, if not whence the scenario does.
        pub source: Option<Source>,
    }
}

variants! {
    /// Which side of a piece is up.
    #[derive(Default)]
    pub enum Face {
        /// The back.
        #[default]
        Down,
        /// The front.
        Up,
    }
}

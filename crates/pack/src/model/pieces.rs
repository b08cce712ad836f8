//! `pieces.ron`: kinds, attributes, decks and the pieces themselves.

use super::{Scalar, Source, Values};
use crate::read::{Entries, Name, Spanned, record, variants};

record! {
    /// All pieces.
    pub struct Pieces {
        /// Where the list comes from.
        pub source: Option<Source>,
        /// The kinds that there are (infantry, leader, marker).
        pub kinds: Vec<Name>,
        /// What pieces have printed on them.
        pub attributes: Entries<Attribute> = default,
        /// Pieces of a side whose backs look alike.
        pub decks: Entries<Deck> = default,
        /// The pieces by name.
        pub pieces: Entries<Piece>,
    }

    /// Something printed on pieces.
    pub struct Attribute {
        /// What it may be.
        pub values: Values,
        /// Who may see it.
        pub class: Visible = default,
    }

    /// Pieces of a side whose backs look alike.
    pub struct Deck {
        /// The side that owns them.
        pub side: Name,
    }

    /// A piece, or several alike.
    pub struct Piece {
        /// What kind it is.
        pub kind: Name,
        /// The side that owns it.
        pub side: Option<Name>,
        /// The deck that its back belongs to; without one everybody always sees which piece it is.
        pub deck: Option<Name>,
        /// How many there are; more than one are called `Name 1`, `Name 2`, ...
        pub count: Option<Spanned<u16>>,
        /// What is printed on it.
        pub attributes: Entries<Spanned<Scalar>> = default,
        /// Where it comes from, if not whence the list does.
        pub source: Option<Source>,
    }
}

variants! {
    /// Who may see an attribute.
    #[derive(Default)]
    pub enum Visible {
        /// Everybody, even when the piece is face down.
        Public,
        /// The owner of the piece.
        Owner,
        /// One side.
        Side(Name),
        /// Everybody who knows which piece it is.
        #[default]
        OnReveal,
    }
}

impl Piece {
    /// The names of the pieces that an entry stands for.
    pub fn names(&self, name: &str) -> Vec<String> {
        match self.count.as_ref().map_or(1, |c| c.value) {
            1 => vec![name.to_owned()],
            count => (1..=count).map(|n| format!("{name} {n}")).collect(),
        }
    }
}

//! How viewers imagine what they may not see, and questions that are worked out.

use crate::read::{Name, record, variants};

record! {
    /// How a viewer who may not see a cell of a column imagines it: of the rows whose parts all hold, the first
    /// counts; the start value if none does.
    pub struct Sample {
        /// The piece that has the cell, or that its body is taken for, is of this set.
        pub set: Option<Name>,
        /// It stands in none of these places.
        pub not_in: Vec<Name> = default,
        /// The cell is that of this choice.
        pub choice: Option<Name>,
        /// The cell is that of this side.
        pub side: Option<Name>,
        /// Something stands in this place.
        pub occupied: Option<Name>,
        /// The least that it may be.
        pub least: Bound,
        /// The most; all from the least on are as likely.
        pub most: Bound,
    }

    /// A bound that follows a column of the game.
    pub struct ColumnBound {
        /// The column.
        pub name: Name,
        /// So much for each of its value.
        pub times: i32,
        /// And so much more; never below 0.
        pub plus: i32 = default,
    }

    /// Where pieces may stand that a viewer sees nothing of: such a viewer imagines them elsewhere among these
    /// places.
    pub struct Hideout {
        /// The pieces; those of one side look alike there.
        pub set: Name,
        /// The places.
        pub places: Vec<Name>,
        /// Each stands alone.
        pub alone: bool = default,
        /// Of each of these lists of places, no side stands in all.
        pub never_all: Vec<Vec<Name>> = default,
    }

    /// Whether a chain of links leads from somewhere to somewhere.
    pub struct Joined {
        /// From where a piece of this set stands.
        pub from: Name,
        /// To one of these spaces.
        pub to: Vec<Name>,
        /// Over links of these networks; all if left out.
        pub networks: Vec<Name> = default,
        /// Through spaces, both ends included, in which no piece of this set stands.
        pub barred: Option<Name>,
    }
}

record! {
    /// How many pieces of a set stand where pieces of another set are, and none that would protect them: what is not
    /// protected is told without a word about the rest.
    pub struct Caught {
        /// Those who are caught.
        pub pieces: Name,
        /// Who catches them.
        pub by: Name,
        /// Who protects them, in the same place.
        pub without: Name,
    }
}

variants! {
    /// An end of a range.
    pub enum Bound {
        /// This.
        Is(i32),
        /// As a column of the game says.
        Column(ColumnBound),
    }
}

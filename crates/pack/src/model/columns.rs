//! `columns.ron`: all that the game remembers beside where pieces stand.

use super::{Sample, Scalar, Values};
use crate::read::{Entries, Name, Spanned, record, variants};

record! {
    /// Columns and relations.
    pub struct Columns {
        /// A value of the game, or one a piece, space, side, ...
        pub columns: Entries<Column> = default,
        /// Small lists of entries with a few fields.
        pub relations: Entries<Relation> = default,
        /// What runs at once when a column passes a bound, in place of all that goes on.
        pub watches: Vec<Spanned<WatchRow>> = default,
    }

    /// A bound of a column; one of the two.
    pub struct WatchRow {
        /// The column.
        pub column: Name,
        /// When a cell reaches this or more.
        pub least: Option<i32>,
        /// When a cell falls to this or less.
        pub most: Option<i32>,
        /// The procedure that takes over.
        pub run: Name,
    }

    /// A remembered value.
    pub struct Column {
        /// What has one.
        pub of: Of,
        /// Each has one value a side.
        pub by_side: bool = default,
        /// What it may be.
        pub values: Values,
        /// Its value at the start and after a reset; the least if left out.
        pub start: Option<Spanned<Scalar>>,
        /// Who may see it.
        pub class: Who,
        /// For a column of choices: the choices.
        pub choices: Vec<Name> = default,
        /// When it is set back.
        pub resets: Vec<Reset> = default,
        /// How those imagine it who may not see it; anything that it may be, if left out.
        pub sample: Vec<Sample> = default,
    }

    /// When a column is set back.
    pub struct Reset {
        /// At this moment.
        pub at: Name,
        /// Only the cells of the side whose turn it is.
        pub own: bool = default,
    }

    /// A relation.
    pub struct Relation {
        /// The fields, at most four.
        pub fields: Entries<FieldType>,
        /// The greatest number of entries.
        pub most: Spanned<u16>,
        /// Who may see them.
        pub class: Who,
    }
}

variants! {
    /// What has a value of a column.
    pub enum Of {
        /// The game.
        Game,
        /// Each side.
        Side,
        /// Each seat.
        Seat,
        /// Each piece; it goes with the identity.
        Piece,
        /// Each body; it stays with what stands there, whatever piece it is.
        Body,
        /// Each space.
        Space,
        /// Each border.
        Border,
        /// Each link.
        Link,
        /// Each of the declared choices.
        Choice,
    }

    /// Who may see something.
    pub enum Who {
        /// Everybody.
        Public,
        /// The side of what has it.
        Owner,
        /// One side.
        Side(Name),
        /// Nobody but the umpire.
        Hidden,
    }

    /// Type of a field of a relation.
    pub enum FieldType {
        /// A number.
        Int,
        /// A space.
        Space,
        /// A side.
        Side,
        /// A body.
        Body,
        /// A piece.
        Piece,
        /// A word.
        Word,
    }
}

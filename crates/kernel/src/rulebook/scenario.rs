//! Scenarios: how a game begins, as data.

use crate::ids::*;

/// Where pieces of a scenario stand in their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In a stack of their own, the first on top.
    Stack,
    /// Outside stacks, in this order.
    Loose,
    /// Under the command of a piece that stands already.
    Under(PieceId),
}

/// Pieces that a scenario puts somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placing {
    /// The place.
    pub place: PlaceId,
    /// How they stand there.
    pub standing: Standing,
    /// The pieces.
    pub pieces: Vec<PieceId>,
    /// The rule by which they are face up; without one, those that have a back are face down.
    pub up: Option<RuleId>,
    /// Which way they face.
    pub facing: u8,
}

/// A cell that a scenario sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartCell {
    /// The column.
    pub column: ColumnId,
    /// Which of its holders, by number.
    pub holder: u16,
    /// The side, in a column by side.
    pub side: u8,
    /// The value.
    pub value: i32,
}

/// How a game begins: what stands where, the values of columns, and where in the sequence of play it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioDef {
    /// Its name.
    pub name: String,
    /// What is put where, in this order. The placement check is asked for the cause `set_up`.
    pub placings: Vec<Placing>,
    /// Cells that do not have the start value of their column.
    pub cells: Vec<StartCell>,
    /// Entries of relations, field by field.
    pub records: Vec<(RecordId, Vec<i32>)>,
    /// The phase to begin with, and the side whose turn it is; at the opening procedure or the beginning of the
    /// sequence without. What precedes the phase, such as the count of the turn, is not made up for: set the cells.
    pub start: Option<(WordId, Option<SideId>)>,
    /// The options that are on unless the players choose otherwise, a bit each.
    pub options: u64,
}

impl ScenarioDef {
    /// A scenario in which nothing stands anywhere.
    pub fn new(name: impl Into<String>) -> Self {
        let (placings, cells, records) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.into(), placings, cells, records, start: None, options: 0 }
    }
}

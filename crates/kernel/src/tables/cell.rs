//! What stands in the cells of a table.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::{TableId, WordId};

/// One cell of a table.
///
/// ```
/// use adjutant_kernel::tables::{Cell, CellKind, Part, Parts};
/// let losses = Cell::Several(Parts::new(&[Part::Number(2), Part::None]).unwrap()); // printed 2/-
/// assert_eq!((losses.kind(), losses.number()), (CellKind::Several, None));
/// assert_eq!(Cell::from(3).number(), Some(3));
/// assert_eq!(Cell::from(3).parts()[..], [Part::Number(3)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Cell {
    /// Printed empty or with a dash: no effect.
    #[default]
    None,
    /// A number, in the unit of the table (ships sunk, bodies revealed).
    Number(i32),
    /// A result by name.
    Word(WordId),
    /// Several results in one cell, such as the losses of either side.
    Several(Parts),
    /// The result is looked up on another table.
    Table(TableId),
}

/// The kind of a cell, by which a table declares what may stand in it.
///
/// ```
/// use adjutant_kernel::WordId;
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{Cell, CellKind, Problem, TableBuilder};
/// let raid = TableBuilder::new("raid", Provenance::printed("charts")).may_hold(CellKind::Number);
/// let found = raid.row([Cell::Word(WordId(4))]).build().unwrap_err();
/// assert_eq!(found.0, [Problem::CellKind { row: 0, column: 0, kind: CellKind::Word }]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CellKind {
    /// [`Cell::None`].
    None,
    /// [`Cell::Number`].
    Number,
    /// [`Cell::Word`].
    Word,
    /// [`Cell::Several`].
    Several,
    /// [`Cell::Table`].
    Table,
}

impl Cell {
    /// The kind of the cell.
    pub fn kind(&self) -> CellKind {
        match self {
            Cell::None => CellKind::None,
            Cell::Number(_) => CellKind::Number,
            Cell::Word(_) => CellKind::Word,
            Cell::Several(_) => CellKind::Several,
            Cell::Table(_) => CellKind::Table,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<i32> {
        match self {
            Cell::Number(number) => Some(*number),
            Cell::None | Cell::Word(_) | Cell::Several(_) | Cell::Table(_) => None,
        }
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<WordId> {
        match self {
            Cell::Word(word) => Some(*word),
            Cell::None | Cell::Number(_) | Cell::Several(_) | Cell::Table(_) => None,
        }
    }

    /// The parts of the cell: those of several, one for a number or word, none otherwise.
    pub fn parts(&self) -> Parts {
        match self {
            Cell::Number(number) => Parts::one(Part::Number(*number)),
            Cell::Word(word) => Parts::one(Part::Word(*word)),
            Cell::Several(parts) => *parts,
            Cell::None | Cell::Table(_) => Parts::default(),
        }
    }
}

impl From<i32> for Cell {
    fn from(number: i32) -> Self {
        Cell::Number(number)
    }
}

impl From<WordId> for Cell {
    fn from(word: WordId) -> Self {
        Cell::Word(word)
    }
}

/// One of several results in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Part {
    /// A dash in its place: nothing (for that side).
    #[default]
    None,
    /// A number.
    Number(i32),
    /// A result by name.
    Word(WordId),
}

/// Up to four results of one cell, in printed order; reads as a slice.
///
/// ```
/// use adjutant_kernel::tables::{Part, Parts};
/// let losses = Parts::new(&[Part::Number(2), Part::None]).unwrap(); // printed 2/-
/// assert_eq!(losses[0], Part::Number(2));
/// assert_eq!(Parts::new(&[Part::None; 5]), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Part>", into = "Vec<Part>")]
pub struct Parts {
    parts: [Part; 4],
    count: u8,
}

/// More than four results in one cell.
///
/// ```
/// use adjutant_kernel::tables::{Part, Parts, TooManyParts};
/// assert_eq!(Parts::try_from(vec![Part::None; 5]), Err(TooManyParts));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a cell holds at most four results")]
pub struct TooManyParts;

impl Parts {
    /// These parts; `None` if they are more than four.
    pub fn new(parts: &[Part]) -> Option<Self> {
        let mut copy = [Part::None; 4];
        copy.get_mut(..parts.len())?.copy_from_slice(parts);
        Some(Parts { parts: copy, count: parts.len() as u8 })
    }

    fn one(part: Part) -> Self {
        Parts { parts: [part, Part::None, Part::None, Part::None], count: 1 }
    }
}

impl Deref for Parts {
    type Target = [Part];

    fn deref(&self) -> &[Part] {
        &self.parts[..usize::from(self.count)]
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl TryFrom<Vec<Part>> for Parts {
    type Error = TooManyParts;

    fn try_from(parts: Vec<Part>) -> Result<Self, TooManyParts> {
        Parts::new(&parts).ok_or(TooManyParts)
    }
}

impl From<Parts> for Vec<Part> {
    fn from(parts: Parts) -> Self {
        parts.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_each_kind() {
        let pair = Parts::new(&[Part::None, Part::Number(2)]).unwrap();
        assert_eq!(*Cell::Several(pair).parts(), [Part::None, Part::Number(2)]);
        assert_eq!(*Cell::from(3).parts(), [Part::Number(3)]);
        assert_eq!(*Cell::from(WordId(4)).parts(), [Part::Word(WordId(4))]);
        assert!(Cell::None.parts().is_empty() && Cell::Table(TableId(1)).parts().is_empty());
        assert_eq!((Cell::from(3).number(), Cell::from(3).word()), (Some(3), None));
    }

    #[test]
    fn a_saved_cell_cannot_hold_too_much() {
        let cell = Cell::Several(Parts::new(&[Part::Number(1); 4]).unwrap());
        let json = serde_json::to_string(&cell).unwrap();
        assert_eq!(serde_json::from_str::<Cell>(&json).unwrap(), cell);
        let five = serde_json::to_string(&vec![Part::None; 5]).unwrap();
        assert!(serde_json::from_str::<Parts>(&five).is_err());
    }
}

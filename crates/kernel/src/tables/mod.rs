//! Look-up charts as data.
//!
//! A [`Table`] has columns and rows, of which dice may choose the row, and cells. It is built by a
//! [`TableBuilder`], which reports every problem at once, says where it comes from (invariant 11), and answers a
//! look-up with the whole [`Working`], each shift and modifier with its rule (invariant 9). What rounding does,
//! what zero strength comes to, what happens beyond the ends and in which order shifts apply is declared, never
//! assumed. All arithmetic is exact and in integers. Tables draw nothing: the caller throws the dice.
//!
//! ```
//! use adjutant_kernel::RuleId;
//! use adjutant_kernel::contributions::Contribution;
//! use adjutant_kernel::provenance::Provenance;
//! use adjutant_kernel::tables::*;
//!
//! let table = TableBuilder::new("probe", Provenance::Printed("charts, page 2".into()))
//!     .dice(Dice::one(6))
//!     .columns(Axis::Differences {
//!         spans: ["..-1", "0", "1", "2.."].map(|span| span.parse().unwrap()).into(),
//!         ends: Ends::CLAMP,
//!     })
//!     .rows(Axis::Numbers {
//!         spans: ["1..3", "4..5", "6"].map(|span| span.parse().unwrap()).into(),
//!         ends: Ends::CLAMP,
//!     })
//!     .row([0, 0, 1, 1])
//!     .row([1, 2, 2, 3])
//!     .row([2, 2, 3, 3])
//!     .build()
//!     .unwrap();
//! let working = table
//!     .look_up(&Entry {
//!         column: Input::Pair { attacker: 2, defender: 1 },
//!         dice: Faces::new(&[3]).unwrap(),
//!         modifiers: &[Contribution::new(RuleId(5), 2)],
//!         ..Entry::default()
//!     })
//!     .unwrap();
//! assert_eq!((working.column.end, working.row.rolled, working.row.modified), (2, Some(3), Some(5)));
//! assert_eq!(working.result, Cell::Number(2));
//! ```

mod axis;
mod builder;
mod cell;
mod dice;
mod explain;
mod look_up;
mod odds;
mod order;
#[cfg(test)]
mod tests;

pub use axis::{Axis, BadHeading, End, Ends, Input, Span, Which};
pub use builder::{Problem, Problems, TableBuilder};
pub use cell::{Cell, CellKind, Part, Parts, TooManyParts};
pub use dice::{Dice, Faces, MOST_DICE, TooManyDice};
pub use look_up::{ColumnWorking, Entry, LookUpError, RowWorking, Working};
pub use odds::{AtZero, Party, Ratio, Ratios, Rounding, ZeroRule};
pub use order::{Clamping, Direction, Order, Stage, StageTotal, Step, Steps};

use crate::contributions::Contribution;
use crate::provenance::Provenance;

/// A look-up chart: immutable, and checked when it was built.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{Cell, Table, TableBuilder};
/// let smudged = Provenance::reconstructed("unreadable; as in the row above");
/// let table: Table = TableBuilder::new("supply", Provenance::printed("charts"))
///     .row([4])
///     .cell_source(0, 0, smudged.clone())
///     .build()
///     .unwrap();
/// assert_eq!((table.name(), table.cell(0, 0)), ("supply", Some(Cell::Number(4))));
/// assert_eq!(table.cell_provenance(0, 0), &smudged);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    name: String,
    provenance: Provenance,
    dice: Dice,
    columns: Axis,
    rows: Axis,
    column_order: Order,
    die_order: Order,
    /// Row by row.
    cells: Box<[Cell]>,
    /// Row, column and source of the cells that do not come from where the table does.
    sources: Vec<(usize, usize, Provenance)>,
}

impl Table {
    /// The name, as printed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the table comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// Where a cell comes from.
    pub fn cell_provenance(&self, row: usize, column: usize) -> &Provenance {
        let own = self.sources.iter().find(|source| (source.0, source.1) == (row, column));
        own.map_or(&self.provenance, |source| &source.2)
    }

    /// The dice that are thrown on it.
    pub fn dice(&self) -> Dice {
        self.dice
    }

    /// The columns.
    pub fn columns(&self) -> &Axis {
        &self.columns
    }

    /// The rows.
    pub fn rows(&self) -> &Axis {
        &self.rows
    }

    /// The order of column shifts.
    pub fn column_order(&self) -> &Order {
        &self.column_order
    }

    /// The order of die modifiers.
    pub fn die_order(&self) -> &Order {
        &self.die_order
    }

    /// The cell in a row and column, from 0; `None` beyond the table.
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        let width = self.columns.len();
        if column >= width { None } else { self.cells.get(row * width + column).copied() }
    }

    /// The result and all that led to it.
    ///
    /// # Errors
    /// When the entry is not what the table is made for, or lies beyond it where the table declares no clamping.
    pub fn look_up(&self, entry: &Entry<'_>) -> Result<Working, LookUpError> {
        let column = self.find_column(entry.column, entry.shifts)?;
        let row = match self.dice {
            Dice::None => self.find_row(entry)?,
            Dice::Sum { .. } | Dice::TensAndUnits { .. } => self.roll_row(entry.dice, entry.modifiers)?,
        };
        let result = self.cells[usize::from(row.end) * self.columns.len() + usize::from(column.end)];
        Ok(Working { column, row, result })
    }

    /// The column alone, before the dice are thrown.
    ///
    /// # Errors
    /// As [`look_up`](Table::look_up).
    pub fn find_column(&self, input: Input, shifts: &[Contribution]) -> Result<ColumnWorking, LookUpError> {
        let start = self.columns.locate(Which::Column, input)?;
        let last = self.columns.len() as i32 - 1;
        let (end, shifts) = self.column_order.apply(start as i32, (0, last), shifts)?;
        Ok(ColumnWorking { input, start: start as u16, shifts, end: end as u16 })
    }

    fn find_row(&self, entry: &Entry<'_>) -> Result<RowWorking, LookUpError> {
        if !entry.dice.is_empty() {
            return Err(LookUpError::WrongDice { dice: self.dice, faces: entry.dice });
        }
        if let Some(modifier) = entry.modifiers.first() {
            return Err(LookUpError::NoDice { rule: modifier.rule });
        }
        let end = self.rows.locate(Which::Row, entry.row)? as u16;
        let (rolled, modified) = (None, None);
        Ok(RowWorking { input: entry.row, dice: entry.dice, rolled, modifiers: Steps::new(), modified, end })
    }

    fn roll_row(&self, dice: Faces, modifiers: &[Contribution]) -> Result<RowWorking, LookUpError> {
        let wrong = LookUpError::WrongDice { dice: self.dice, faces: dice };
        let rolled = self.dice.read(&dice).ok_or(wrong)?;
        let place = self.dice.place_of(rolled);
        let (place, modifiers) = self.die_order.apply(place, self.places(), modifiers)?;
        let modified = self.dice.roll_at(place);
        let end = self.rows.locate(Which::Row, Input::Number(modified))? as u16;
        let (rolled, modified) = (Some(rolled), Some(modified));
        Ok(RowWorking { input: Input::None, dice, rolled, modifiers, modified, end })
    }

    /// The places in the order of rolls within which a modified roll is kept.
    fn places(&self) -> (i32, i32) {
        let (low, high) = self.rows.bounds();
        match self.dice {
            Dice::None | Dice::Sum { .. } => (low, high),
            // Every roll has a row, so the rows reach from 11 to 66 at least, and no roll lies beyond.
            Dice::TensAndUnits { sides } => (
                if self.clamps().low == End::Clamp { 0 } else { low },
                if self.clamps().high == End::Clamp { i32::from(sides).pow(2) - 1 } else { high },
            ),
        }
    }

    fn clamps(&self) -> Ends {
        match &self.rows {
            Axis::Numbers { ends, .. } | Axis::Differences { ends, .. } => *ends,
            Axis::Ratios(ratios) => ratios.ends,
            Axis::Single | Axis::Words(_) => Ends::REFUSE,
        }
    }
}

//! What goes into a look-up and what comes out of it.

use serde::{Deserialize, Serialize};

use super::{Cell, Dice, Faces, Input, Steps, Which};
use crate::contributions::Contribution;
use crate::{RuleId, WordId};

/// What is known when a table is looked up.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{Axis, Dice, Ends, Entry, Faces, TableBuilder};
/// let spans = ["1..4", "5..6"].map(|span| span.parse().unwrap()).to_vec();
/// let table = TableBuilder::new("volley", Provenance::printed("charts"))
///     .dice(Dice::one(6))
///     .rows(Axis::Numbers { spans, ends: Ends::CLAMP })
///     .row([0])
///     .row([1])
///     .build()
///     .unwrap();
/// let entry = Entry { dice: Faces::new(&[5]).unwrap(), ..Entry::default() };
/// assert_eq!(table.look_up(&entry).unwrap().result.number(), Some(1));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// What finds the column.
    pub column: Input,
    /// What finds the row, on a table without dice.
    pub row: Input,
    /// What the dice show; none on a table without dice.
    pub dice: Faces,
    /// The column shifts, in columns: negative is left. Their `stage` is that of the column order.
    pub shifts: &'a [Contribution],
    /// The die modifiers, in points. Their `stage` is that of the die order.
    pub modifiers: &'a [Contribution],
}

/// A result with all that led to it.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::Contribution;
/// use adjutant_kernel::tables::{Axis, Ends, Entry, Input, TableBuilder};
/// # use adjutant_kernel::provenance::Provenance;
/// # let spans = ["1", "2", "3"].map(|span| span.parse().unwrap()).to_vec();
/// # let table = TableBuilder::new("fire", Provenance::printed("charts"));
/// # let table = table.columns(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0, 1, 2]).build().unwrap();
/// let uphill = Contribution::new(RuleId(4), -1);
/// let entry = Entry { column: Input::Number(3), shifts: &[uphill], ..Entry::default() };
/// let working = table.look_up(&entry).unwrap();
/// assert_eq!((working.column.start, working.column.end), (2, 1));
/// assert_eq!(working.column.shifts[0].rule, RuleId(4)); // why it is one column less
/// assert_eq!((working.row.rolled, working.result.number()), (None, Some(1)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Working {
    /// How the column was found.
    pub column: ColumnWorking,
    /// How the row was found.
    pub row: RowWorking,
    /// What stands there.
    pub result: Cell,
}

/// How the column was found. Columns are numbered from 0, from the left.
///
/// ```
/// use adjutant_kernel::tables::{Axis, ColumnWorking, Ends, Input, Steps, TableBuilder};
/// # use adjutant_kernel::provenance::Provenance;
/// # let spans = ["1", "2", "3"].map(|span| span.parse().unwrap()).to_vec();
/// # let table = TableBuilder::new("fire", Provenance::printed("charts"));
/// # let table = table.columns(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0, 1, 2]).build().unwrap();
/// let input = Input::Number(9);
/// let found = table.find_column(input, &[]).unwrap();
/// assert_eq!(found, ColumnWorking { input, start: 2, shifts: Steps::new(), end: 2 }); // clamped to the last
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ColumnWorking {
    /// What it was entered with.
    pub input: Input,
    /// The column before shifts, clamped to the table.
    pub start: u16,
    /// The shifts, in the order in which they applied.
    pub shifts: Steps,
    /// The column after all shifts.
    pub end: u16,
}

/// How the row was found. Rows are numbered from 0, from the top.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::Contribution;
/// use adjutant_kernel::tables::{Axis, Dice, Ends, Entry, Faces, RowWorking, TableBuilder};
/// # use adjutant_kernel::provenance::Provenance;
/// # let spans = ["1..3", "4..6"].map(|span| span.parse().unwrap()).to_vec();
/// # let table = TableBuilder::new("volley", Provenance::printed("charts")).dice(Dice::one(6));
/// # let table = table.rows(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0]).row([1]).build().unwrap();
/// let modifiers = [Contribution::new(RuleId(4), 2)];
/// let entry = Entry { dice: Faces::new(&[5]).unwrap(), modifiers: &modifiers, ..Entry::default() };
/// let row: RowWorking = table.look_up(&entry).unwrap().row;
/// assert_eq!((row.rolled, row.modified, row.end), (Some(5), Some(6), 1)); // 7 is clamped
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowWorking {
    /// What it was entered with, on a table without dice.
    pub input: Input,
    /// What the dice showed.
    pub dice: Faces,
    /// How they were read, before modifiers; `None` without dice.
    pub rolled: Option<i32>,
    /// The die modifiers, in the order in which they applied.
    pub modifiers: Steps,
    /// The roll after all modifiers, clamped to the rows; `None` without dice.
    pub modified: Option<i32>,
    /// The row.
    pub end: u16,
}

/// Why a look-up has no answer: the table was entered with what it was not made for.
///
/// ```
/// use adjutant_kernel::tables::{Axis, Ends, Entry, Input, LookUpError, TableBuilder, Which};
/// # use adjutant_kernel::provenance::Provenance;
/// # let spans = ["1", "2"].map(|span| span.parse().unwrap()).to_vec();
/// # let table = TableBuilder::new("fire", Provenance::printed("charts"));
/// # let table = table.columns(Axis::Numbers { spans, ends: Ends::REFUSE }).row([0, 1]).build().unwrap();
/// let entry = Entry { column: Input::Number(3), ..Entry::default() };
/// assert_eq!(table.look_up(&entry), Err(LookUpError::Above { axis: Which::Column }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LookUpError {
    /// The axis is of another kind.
    #[error("the {axis}s of this table cannot be entered with {input:?}")]
    WrongInput {
        /// Columns or rows.
        axis: Which,
        /// With what it was entered.
        input: Input,
    },
    /// No line has that name.
    #[error("no {axis} has the name {word:?}")]
    UnknownWord {
        /// Columns or rows.
        axis: Which,
        /// The name.
        word: WordId,
    },
    /// Before the first line, where the table declares no clamping.
    #[error("below the first {axis}")]
    Below {
        /// Columns or rows.
        axis: Which,
    },
    /// After the last line, where the table declares no clamping.
    #[error("above the last {axis}")]
    Above {
        /// Columns or rows.
        axis: Which,
    },
    /// Between two lines of a table with d66 rows.
    #[error("no {axis} for this number")]
    NoLine {
        /// Columns or rows.
        axis: Which,
    },
    /// A side has no strength, and the table declares that this does not happen.
    #[error("odds without strength have no {axis}")]
    NoStrength {
        /// Columns or rows.
        axis: Which,
    },
    /// A shift or modifier for a stage that the order does not have.
    #[error("{rule:?} applies in stage {stage}, which the table does not have")]
    UnknownStage {
        /// The rule of the shift.
        rule: RuleId,
        /// Its stage.
        stage: u8,
    },
    /// A shift or modifier that its stage does not admit.
    #[error("{rule:?} shifts by {amount} in a stage that goes the other way")]
    WrongDirection {
        /// The rule of the shift.
        rule: RuleId,
        /// Its amount.
        amount: i32,
    },
    /// The faces are not those of the table's dice.
    #[error("{faces:?} is no throw of {dice:?}")]
    WrongDice {
        /// What the table throws.
        dice: Dice,
        /// What it was given.
        faces: Faces,
    },
    /// A die modifier on a table without dice.
    #[error("{rule:?} modifies the die of a table without dice")]
    NoDice {
        /// The rule of the modifier.
        rule: RuleId,
    },
}

//! The checked construction of tables.

use std::fmt;

use super::{Axis, Cell, CellKind, Dice, Order, Ratio, Span, Table, Which};
use crate::WordId;
use crate::provenance::Provenance;

/// Gathers a table and checks it as a whole.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{Axis, Dice, Ends, Problem, TableBuilder};
///
/// let rows = ["..2", "3..4", "6.."].map(|span| span.parse().unwrap());
/// let problems = TableBuilder::new("shore battery", Provenance::Printed("charts".into()))
///     .dice(Dice::one(6))
///     .rows(Axis::Numbers { spans: rows.into(), ends: Ends::CLAMP })
///     .row([0])
///     .row([1, 1])
///     .build()
///     .unwrap_err();
/// // a gap at 5, which is a roll without a row; a row with two cells; a row missing
/// assert_eq!(problems.0.len(), 4);
/// assert!(problems.0.contains(&Problem::RowCount { expected: 3, found: 2 }));
/// ```
#[derive(Clone, Debug)]
pub struct TableBuilder {
    name: String,
    provenance: Provenance,
    dice: Dice,
    columns: Axis,
    rows: Axis,
    column_order: Order,
    die_order: Order,
    kinds: Vec<CellKind>,
    cells: Vec<Vec<Cell>>,
    sources: Vec<(usize, usize, Provenance)>,
}

/// What is wrong with a table.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{Cell, Problem, Problems, TableBuilder};
/// let found = TableBuilder::new("raid", Provenance::printed("")).row([1, 2]).build();
/// let row = Problem::RowLength { row: 0, expected: 1, found: 2 };
/// assert_eq!(found, Err(Problems(vec![row, Problem::NoSource])));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// The source says nothing.
    #[error("the source of the table or of a cell has no text")]
    NoSource,
    /// No such dice exist, or they can fall in too many ways.
    #[error("{dice:?} are no dice that can be thrown")]
    Dice {
        /// The dice.
        dice: Dice,
    },
    /// Dice choose the row, but the rows are no numbers.
    #[error("the rows of a table with dice must be ranges of numbers")]
    DiceWithoutRows,
    /// A roll that no row has.
    #[error("the roll {roll} has no row")]
    RollWithoutRow {
        /// The roll.
        roll: i32,
    },
    /// An axis without lines, or with too many.
    #[error("{count} {axis}s; a table has 1 to 65535")]
    LineCount {
        /// Columns or rows.
        axis: Which,
        /// How many.
        count: usize,
    },
    /// A range that ends before it begins.
    #[error("the {axis} {span} ends before it begins")]
    Backwards {
        /// Columns or rows.
        axis: Which,
        /// The range.
        span: Span,
    },
    /// A range that does not begin after the one before it.
    #[error("the {axis} {span} does not begin after {before}")]
    Overlap {
        /// Columns or rows.
        axis: Which,
        /// The one before.
        before: Span,
        /// The range.
        span: Span,
    },
    /// Numbers that no range has.
    #[error("there are numbers between the {axis}s {before} and {span}")]
    Gap {
        /// Columns or rows.
        axis: Which,
        /// The range before the gap.
        before: Span,
        /// The range after it.
        span: Span,
    },
    /// Odds with a zero.
    #[error("the {axis} {ratio} has a zero")]
    RatioOfZero {
        /// Columns or rows.
        axis: Which,
        /// The odds.
        ratio: Ratio,
    },
    /// Odds that are not above those before them.
    #[error("the {axis} {ratio} is not above {before}")]
    RatioOrder {
        /// Columns or rows.
        axis: Which,
        /// The odds before.
        before: Ratio,
        /// The odds.
        ratio: Ratio,
    },
    /// No strength goes to a line that does not exist.
    #[error("zero goes to the {axis} {ratio}, which does not exist")]
    UnknownZeroLine {
        /// Columns or rows.
        axis: Which,
        /// The odds.
        ratio: Ratio,
    },
    /// A name that stands twice.
    #[error("{axis} {line} repeats the name {word:?}")]
    DuplicateWord {
        /// Columns or rows.
        axis: Which,
        /// The line, from 0.
        line: usize,
        /// The name.
        word: WordId,
    },
    /// Too few or too many rows of cells.
    #[error("{found} rows of cells; the table has {expected}")]
    RowCount {
        /// As many as the rows have headings.
        expected: usize,
        /// As many as were given.
        found: usize,
    },
    /// Too few or too many cells in a row.
    #[error("{found} cells in row {row}; the table has {expected} columns")]
    RowLength {
        /// The row, from 0.
        row: usize,
        /// As many as there are columns.
        expected: usize,
        /// As many as were given.
        found: usize,
    },
    /// A cell of a kind that the table does not declare.
    #[error("the cell in row {row}, column {column} is a {kind:?}, which the table does not declare")]
    CellKind {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// Its kind.
        kind: CellKind,
    },
    /// The source of a cell that does not exist.
    #[error("there is no cell in row {row}, column {column} to have a source")]
    SourceOfNothing {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// An order without stages or with more than 255.
    #[error("the order of {axis} shifts has {count} stages; it needs 1 to 255")]
    StageCount {
        /// Columns (shifts) or rows (die modifiers).
        axis: Which,
        /// How many.
        count: usize,
    },
    /// Two stages of one name.
    #[error("two stages of {axis} shifts have the name {name:?}")]
    DuplicateStage {
        /// Columns (shifts) or rows (die modifiers).
        axis: Which,
        /// The name.
        name: WordId,
    },
}

/// All that is wrong with a table.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{Problems, TableBuilder};
/// let Problems(list) = TableBuilder::new("raid", Provenance::printed("charts")).build().unwrap_err();
/// assert_eq!(list[0].to_string(), "0 rows of cells; the table has 1");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            write!(f, "{}{problem}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl TableBuilder {
    /// A table of this name with one cell, without dice; shifts and die modifiers are netted. The source is
    /// that of the whole table, unless [`cell_source`](TableBuilder::cell_source) says otherwise.
    pub fn new(name: impl Into<String>, provenance: Provenance) -> Self {
        TableBuilder {
            name: name.into(),
            provenance,
            dice: Dice::None,
            columns: Axis::Single,
            rows: Axis::Single,
            column_order: Order::netted(),
            die_order: Order::netted(),
            kinds: Vec::new(),
            cells: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// The dice. If there are any, they choose the row. Turn a chart that prints the die along its top.
    pub fn dice(mut self, dice: Dice) -> Self {
        self.dice = dice;
        self
    }

    /// The columns; they can be shifted.
    pub fn columns(mut self, columns: Axis) -> Self {
        self.columns = columns;
        self
    }

    /// The rows.
    pub fn rows(mut self, rows: Axis) -> Self {
        self.rows = rows;
        self
    }

    /// The order of column shifts.
    pub fn column_order(mut self, order: Order) -> Self {
        self.column_order = order;
        self
    }

    /// The order of die modifiers.
    pub fn die_order(mut self, order: Order) -> Self {
        self.die_order = order;
        self
    }

    /// Declares that cells may be of this kind. A table that declares none may have any.
    pub fn may_hold(mut self, kind: CellKind) -> Self {
        self.kinds.push(kind);
        self
    }

    /// The next row of cells, from the left.
    pub fn row<C: Into<Cell>>(mut self, cells: impl IntoIterator<Item = C>) -> Self {
        self.cells.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// Where one cell comes from, if not from where the table does.
    pub fn cell_source(mut self, row: usize, column: usize, provenance: Provenance) -> Self {
        self.sources.push((row, column, provenance));
        self
    }

    /// The table.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn build(self) -> Result<Table, Problems> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(Problems(problems));
        }
        Ok(Table {
            name: self.name,
            provenance: self.provenance,
            dice: self.dice,
            columns: self.columns,
            rows: self.rows,
            column_order: self.column_order,
            die_order: self.die_order,
            cells: self.cells.into_iter().flatten().collect(),
            sources: self.sources,
        })
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let tens_and_units = matches!(self.dice, Dice::TensAndUnits { .. });
        self.columns.problems(Which::Column, false, &mut problems);
        self.rows.problems(Which::Row, tens_and_units, &mut problems);
        self.check_dice(&mut problems);
        for (axis, order) in [(Which::Column, &self.column_order), (Which::Row, &self.die_order)] {
            check_order(axis, order, &mut problems);
        }
        self.check_cells(&mut problems);
        self.check_sources(&mut problems);
        problems
    }

    fn check_dice(&self, problems: &mut Vec<Problem>) {
        if !self.dice.is_valid() {
            problems.push(Problem::Dice { dice: self.dice });
        }
        match &self.rows {
            _ if self.dice == Dice::None => {}
            Axis::Numbers { spans, .. } => {
                let missing = |roll: &i32| !spans.iter().any(|span| span.contains(*roll));
                let missing = self.dice.rolls().map(|(roll, _)| roll).filter(missing);
                problems.extend(missing.map(|roll| Problem::RollWithoutRow { roll }));
            }
            Axis::Single | Axis::Differences { .. } | Axis::Ratios(_) | Axis::Words(_) => {
                problems.push(Problem::DiceWithoutRows);
            }
        }
    }

    fn check_cells(&self, problems: &mut Vec<Problem>) {
        if self.cells.len() != self.rows.len() {
            problems.push(Problem::RowCount { expected: self.rows.len(), found: self.cells.len() });
        }
        for (row, cells) in self.cells.iter().enumerate() {
            let (expected, found) = (self.columns.len(), cells.len());
            if expected != found {
                problems.push(Problem::RowLength { row, expected, found });
            }
            for (column, kind) in cells.iter().map(Cell::kind).enumerate() {
                if !self.kinds.is_empty() && !self.kinds.contains(&kind) {
                    problems.push(Problem::CellKind { row, column, kind });
                }
            }
        }
    }

    fn check_sources(&self, problems: &mut Vec<Problem>) {
        let sources = self.sources.iter().map(|(_, _, source)| source);
        if std::iter::once(&self.provenance).chain(sources).any(|source| source.text().trim().is_empty()) {
            problems.push(Problem::NoSource);
        }
        for &(row, column, _) in &self.sources {
            if row >= self.rows.len() || column >= self.columns.len() {
                problems.push(Problem::SourceOfNothing { row, column });
            }
        }
    }
}

fn check_order(axis: Which, order: &Order, problems: &mut Vec<Problem>) {
    let stages = order.stages();
    if !(1..=255).contains(&stages.len()) {
        problems.push(Problem::StageCount { axis, count: stages.len() });
    }
    for (i, stage) in stages.iter().enumerate() {
        match stage.name {
            Some(name) if stages[..i].iter().any(|other| other.name == stage.name) => {
                problems.push(Problem::DuplicateStage { axis, name });
            }
            Some(_) | None => {}
        }
    }
}

//! Hex grids: which hexes there are, and how they are numbered on the map.

use super::hex::{Hex, Orientation};
use super::names::Names;
use super::problem::Problem;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which lines of hexes (columns if flat-top, rows if pointy-top) are shifted by half a hex (down, or right).
///
/// ```
/// use adjutant_kernel::board::{Hex, HexGridSpec, Orientation, Shift};
/// // 0201 lies half a hex below 0101 and 0301, or half a hex above them.
/// let next = |shift| {
///     let grid = HexGridSpec::new(Orientation::FlatTop, shift, 3, 3).build().unwrap();
///     let (a, b) = (grid.hex_named("0102").unwrap(), grid.hex_named("0201").unwrap());
///     a.distance(b)
/// };
/// assert_eq!((next(Shift::Second), next(Shift::First)), (1, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Shift {
    /// The first line, the third, the fifth ...
    First,
    /// The second line, the fourth, the sixth ...
    Second,
}

/// Which part of a hex number comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum DigitOrder {
    /// Column, then row: the usual `CCRR`.
    ColumnRow,
    /// Row, then column.
    RowColumn,
}

/// Hex numbers made of a column and a row, such as `0512` or `3.14`.
///
/// The number of the column with index `i` (from 0 at the left) is `first_column + i * column_step`; rows alike from
/// the top. A step of -1 numbers from the other end.
///
/// ```
/// use adjutant_kernel::board::{DigitOrder, HexDigits, HexGridSpec, Orientation, Shift};
/// let mut spec = HexGridSpec::new(Orientation::PointyTop, Shift::First, 4, 3);
/// spec.digits = HexDigits {
///     order: DigitOrder::RowColumn,
///     first_row: 20,
///     row_step: -1, // counted from the bottom
///     separator: ".".into(),
///     ..HexDigits::default()
/// };
/// let grid = spec.build().unwrap();
/// assert_eq!(grid.label(grid.hex_at(2, 1).unwrap()), Some("19.03"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct HexDigits {
    /// Which part comes first.
    pub order: DigitOrder,
    /// The number of the leftmost column.
    pub first_column: i32,
    /// The number of the top row.
    pub first_row: i32,
    /// What is added from a column to the next.
    pub column_step: i32,
    /// What is added from a row to the next.
    pub row_step: i32,
    /// Digits of a column, padded with zeros.
    pub column_digits: u8,
    /// Digits of a row, padded with zeros.
    pub row_digits: u8,
    /// What stands between the two parts.
    pub separator: String,
}

impl Default for HexDigits {
    /// `0101`, the usual numbering.
    fn default() -> Self {
        Self {
            order: DigitOrder::ColumnRow,
            first_column: 1,
            first_row: 1,
            column_step: 1,
            row_step: 1,
            column_digits: 2,
            row_digits: 2,
            separator: String::new(),
        }
    }
}

/// What a map says of its hex grid; a [`HexGrid`] is made of it.
///
/// Columns and rows are counted from 0 at the top left. Lines are columns on a flat-top grid and rows on a pointy-top
/// one.
///
/// ```
/// use adjutant_kernel::board::{HexGridSpec, Orientation, Shift};
/// // A map whose hexes have letters for their columns, and no hex in its top left corner.
/// let spec = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 2).labelled(|column, row| {
///     let letter = ["A", "B", "C"][usize::from(column)];
///     (column + row > 0).then(|| format!("{letter}{}", row + 1))
/// });
/// let grid = spec.build().unwrap();
/// assert_eq!(grid.hexes().len(), 5);
/// assert!(grid.hex_named("A1").is_none() && grid.hex_named("C2").is_some());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HexGridSpec {
    /// How the hexes lie.
    pub orientation: Orientation,
    /// Which lines are shifted.
    pub shift: Shift,
    /// Number of columns, 1 to 10,000.
    pub columns: u16,
    /// Number of rows, 1 to 10,000; the longest column counts.
    pub rows: u16,
    /// How the hexes are numbered, unless `labels` say otherwise.
    pub digits: HexDigits,
    /// The labels of the hexes if they are no regular numbers: `labels[column][row]`. A `None` is a hole.
    pub labels: Option<Vec<Vec<Option<String>>>>,
    /// The number of hexes of each line, if they differ; the others of the line are missing at its end.
    pub line_lengths: Option<Vec<u16>>,
    /// Missing hexes, by label.
    pub holes: Vec<String>,
}

impl HexGridSpec {
    /// A full grid of so many columns and rows, numbered from `0101` at the top left.
    pub fn new(orientation: Orientation, shift: Shift, columns: u16, rows: u16) -> Self {
        Self {
            orientation,
            shift,
            columns,
            rows,
            digits: HexDigits::default(),
            labels: None,
            line_lengths: None,
            holes: Vec::new(),
        }
    }

    /// Labels each hex by a function of its column and row, both from 0; `None` makes a hole.
    pub fn labelled(mut self, label: impl Fn(u16, u16) -> Option<String>) -> Self {
        let column = |c| (0..self.rows).map(|r| label(c, r)).collect();
        self.labels = Some((0..self.columns).map(column).collect());
        self
    }

    /// Makes the grid.
    ///
    /// # Errors
    /// All that is wrong with it: its size, line lengths, label table, numbers, holes.
    pub fn build(&self) -> Result<HexGrid, Vec<Problem>> {
        let mut problems = Vec::new();
        if !(1..=MOST_LINES).contains(&self.columns) || !(1..=MOST_LINES).contains(&self.rows) {
            problems.push(Problem::GridSize { columns: self.columns, rows: self.rows, most: MOST_LINES });
            return Err(problems);
        }
        let (lines, longest) = match self.orientation {
            Orientation::FlatTop => (self.columns, self.rows),
            Orientation::PointyTop => (self.rows, self.columns),
        };
        if let Some(lengths) = &self.line_lengths {
            if lengths.len() != lines as usize {
                problems.push(Problem::LineLengths { given: lengths.len(), right: lines });
            }
            for (line, length) in lengths.iter().enumerate().filter(|(_, length)| **length > longest) {
                problems.push(Problem::LineTooLong { line, length: *length, longest });
            }
        }
        if let Some(labels) = &self.labels
            && (labels.len() != self.columns as usize || labels.iter().any(|c| c.len() != self.rows as usize))
        {
            problems.push(Problem::LabelTable { columns: self.columns, rows: self.rows });
        }
        // Of the columns, and of the rows, the first that cannot be numbered says enough.
        let (mut column_numbers, mut row_numbers) = (Vec::new(), Vec::new());
        if self.labels.is_none() {
            let columns: Result<_, _> = (0..self.columns).map(|column| self.digits.column(column)).collect();
            let rows: Result<_, _> = (0..self.rows).map(|row| self.digits.row(row)).collect();
            column_numbers = columns.unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
            row_numbers = rows.unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
        }
        if !problems.is_empty() {
            return Err(problems);
        }

        let mut labels = Names::default();
        let mut cells = vec![NO_HEX; self.columns as usize * self.rows as usize];
        let mut hexes = Vec::new();
        let mut unused_holes: Vec<&str> = self.holes.iter().map(String::as_str).collect();
        let holes: std::collections::HashSet<&str> = unused_holes.iter().copied().collect();
        let mut found = std::collections::HashSet::new();
        for column in 0..self.columns {
            for row in 0..self.rows {
                let (line, place) = match self.orientation {
                    Orientation::FlatTop => (column, row),
                    Orientation::PointyTop => (row, column),
                };
                if self.line_lengths.as_ref().is_some_and(|lengths| place >= lengths[line as usize]) {
                    continue;
                }
                let label = match &self.labels {
                    Some(labels) => match &labels[column as usize][row as usize] {
                        Some(label) => label.clone(),
                        None => continue,
                    },
                    None => self.digits.label(&column_numbers[column as usize], &row_numbers[row as usize]),
                };
                if let Some(hole) = holes.get(label.as_str()) {
                    found.insert(*hole);
                    continue;
                }
                if hexes.len() == NO_HEX as usize {
                    problems.push(Problem::TooMany { what: "hexes", most: NO_HEX as usize });
                    return Err(problems);
                }
                if !labels.push(&label) {
                    problems.push(Problem::DuplicateName { what: "hex", name: label });
                }
                cells[column as usize * self.rows as usize + row as usize] = hexes.len() as u16;
                hexes.push(to_axial(self.orientation, self.shift, column, row));
            }
        }
        let grid = HexGrid {
            orientation: self.orientation,
            shift: self.shift,
            columns: self.columns,
            rows: self.rows,
            cells,
            hexes,
            labels,
        };
        unused_holes.retain(|hole| !found.contains(hole));
        problems.extend(
            unused_holes.into_iter().map(|hole| grid.bad_number(hole, "the holes of the grid".into())),
        );
        if grid.hexes.is_empty() && problems.is_empty() {
            problems.push(Problem::NoSpaces);
        }
        if problems.is_empty() { Ok(grid) } else { Err(problems) }
    }
}

/// A hex grid: which hexes there are, their labels, columns and rows.
///
/// ```
/// use adjutant_kernel::board::{HexGridSpec, Orientation, Shift};
/// let mut spec = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 4, 3);
/// spec.holes.push("0202".into());
/// let grid = spec.build().unwrap();
/// let hex = grid.hex_named("0103").unwrap();
/// assert_eq!(grid.label(hex), Some("0103"));
/// assert_eq!(grid.column_row(hex), (0, 2));
/// assert_eq!(grid.hex_named("0202"), None);
/// ```
#[derive(Clone, Debug)]
pub struct HexGrid {
    orientation: Orientation,
    shift: Shift,
    columns: u16,
    rows: u16,
    /// The index of the hex at each column and row, column by column.
    cells: Vec<u16>,
    hexes: Vec<Hex>,
    labels: Names,
}

const MOST_LINES: u16 = 10_000;
const NO_HEX: u16 = u16::MAX;

impl HexGrid {
    /// How the hexes lie.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Which lines are shifted by half a hex.
    pub fn shift(&self) -> Shift {
        self.shift
    }

    /// Number of columns.
    pub fn columns(&self) -> u16 {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u16 {
        self.rows
    }

    /// All hexes, column by column.
    pub fn hexes(&self) -> &[Hex] {
        &self.hexes
    }

    /// The hex at a column and row, both from 0 at the top left; `None` off the grid and in a hole.
    pub fn hex_at(&self, column: u16, row: u16) -> Option<Hex> {
        let hex = to_axial(self.orientation, self.shift, column, row);
        (column < self.columns && row < self.rows && self.contains(hex)).then_some(hex)
    }

    /// Column and row of a hex, both from 0 at the top left; negative or too large off the grid.
    pub fn column_row(&self, hex: Hex) -> (i32, i32) {
        let (q, r) = (i32::from(hex.q), i32::from(hex.r));
        match self.orientation {
            Orientation::FlatTop => (q, r + half_shifts(self.shift, q)),
            Orientation::PointyTop => (q + half_shifts(self.shift, r), r),
        }
    }

    /// Whether the hex is on the grid and no hole.
    pub fn contains(&self, hex: Hex) -> bool {
        self.index_of(hex).is_some()
    }

    /// The printed number or other label of a hex of the grid.
    pub fn label(&self, hex: Hex) -> Option<&str> {
        self.index_of(hex).map(|index| self.labels.name(index))
    }

    /// The hex with this printed number or other label.
    pub fn hex_named(&self, label: &str) -> Option<Hex> {
        self.labels.number(label).map(|index| self.hexes[index as usize])
    }

    /// The place of a hex in [`HexGrid::hexes`].
    #[inline]
    pub(super) fn index_of(&self, hex: Hex) -> Option<usize> {
        let (column, row) = self.column_row(hex);
        if !(0..i32::from(self.columns)).contains(&column) || !(0..i32::from(self.rows)).contains(&row) {
            return None;
        }
        let index = self.cells[column as usize * self.rows as usize + row as usize];
        (index != NO_HEX).then_some(index as usize)
    }

    /// The problem of a label that no hex has.
    pub(super) fn bad_number(&self, number: &str, place: String) -> Problem {
        let end = |hex: Option<&Hex>| hex.and_then(|hex| self.label(*hex)).unwrap_or("?").to_owned();
        let (first, last) = (end(self.hexes.first()), end(self.hexes.last()));
        Problem::BadHexNumber { number: number.to_owned(), place, first, last }
    }
}

impl HexDigits {
    fn column(&self, index: u16) -> Result<String, Problem> {
        digits("column", index, self.first_column, self.column_step, self.column_digits)
    }

    fn row(&self, index: u16) -> Result<String, Problem> {
        digits("row", index, self.first_row, self.row_step, self.row_digits)
    }

    fn label(&self, column: &str, row: &str) -> String {
        let separator = &self.separator;
        match self.order {
            DigitOrder::ColumnRow => format!("{column}{separator}{row}"),
            DigitOrder::RowColumn => format!("{row}{separator}{column}"),
        }
    }
}

fn digits(line: &'static str, index: u16, first: i32, step: i32, digits: u8) -> Result<String, Problem> {
    let number = i64::from(first) + i64::from(index) * i64::from(step);
    let text = format!("{number:0width$}", width = digits as usize);
    if number < 0 || text.len() > digits as usize {
        return Err(Problem::HexDigits { line, index, number, digits });
    }
    Ok(text)
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FlatTop => "flat-top",
            Self::PointyTop => "pointy-top",
        })
    }
}

/// What to add to an axial coordinate across the lines to get a place within the line with this index.
#[inline]
fn half_shifts(shift: Shift, line: i32) -> i32 {
    let odd = line & 1;
    match shift {
        Shift::First => (line + odd) >> 1,
        Shift::Second => (line - odd) >> 1,
    }
}

fn to_axial(orientation: Orientation, shift: Shift, column: u16, row: u16) -> Hex {
    let (column, row) = (i32::from(column), i32::from(row));
    let (q, r) = match orientation {
        Orientation::FlatTop => (column, row - half_shifts(shift, column)),
        Orientation::PointyTop => (column - half_shifts(shift, row), row),
    };
    Hex::new(q as i16, r as i16)
}

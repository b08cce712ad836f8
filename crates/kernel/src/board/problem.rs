//! What can be wrong with a board: each problem says what, where, and what would be right.

use super::feature::FeatureOn;
use std::fmt;
use thiserror::Error;

/// Everything that is wrong with a board, in the order of its declarations.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
/// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
/// builder.network("road").space("Ashby").link(LinkSpec::new("Ashby", "Asby", "road"));
/// let found = builder.build().unwrap_err();
/// assert_eq!((found.board.as_str(), found.problems.len()), ("valley", 1));
/// assert!(found.to_string().contains("there is no space \"Asby\"")); // and says what may be meant
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardProblems {
    /// The board.
    pub board: String,
    /// At least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for BoardProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board {:?}:", self.board)?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl std::error::Error for BoardProblems {}

/// One thing that is wrong with a board. `place` says where, such as `link "ford"`.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, Problem, Provenance};
/// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
/// let problems = builder.space("Ashby").space("Ashby").build().unwrap_err().problems;
/// assert_eq!(problems[0], Problem::DuplicateName { what: "space", name: "Ashby".into() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A name without a letter.
    #[error("a {what} has an empty name; every {what} needs one")]
    EmptyName {
        /// The kind of thing.
        what: &'static str,
    },
    /// The same name twice among things of a kind.
    #[error("two of the {} are called {name:?}; give each a name of its own", plural(what))]
    DuplicateName {
        /// The kind of thing.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Two places of different kinds, in both of which pieces can stand, have the same name.
    #[error("both a {first} and a {second} in which pieces stand are called {name:?}; rename one")]
    AmbiguousPlace {
        /// The name.
        name: String,
        /// The kind of the first.
        first: &'static str,
        /// The kind of the second.
        second: &'static str,
    },
    /// A name that nothing of the kind has.
    #[error("{place}: there is no {what} {name:?}{}", hint(nearest))]
    Unknown {
        /// The kind of thing that is meant.
        what: &'static str,
        /// The name.
        name: String,
        /// Where it is used.
        place: String,
        /// The name that may have been meant.
        nearest: Option<String>,
    },
    /// A number that no hex of the grid has.
    #[error("{place}: no hex is numbered {number:?}; the hexes are {first} to {last}, without the holes")]
    BadHexNumber {
        /// The number.
        number: String,
        /// Where it is used.
        place: String,
        /// The number of the hex at the top left.
        first: String,
        /// The number of the last hex of the last column.
        last: String,
    },
    /// A column or row whose number cannot be written with its digits; only the first is reported.
    #[error(
        "{line} {index} (from 0) of the hex grid: {number} cannot be written with {digits} digits; \
         give more digits, or another first number or step"
    )]
    HexDigits {
        /// `column` or `row`.
        line: &'static str,
        /// The column or row, from 0.
        index: u16,
        /// The number that does not fit.
        number: i64,
        /// The digits that there are.
        digits: u8,
    },
    /// A grid that is empty or too large.
    #[error("the hex grid has {columns} columns and {rows} rows; both must be 1 to {most}")]
    GridSize {
        /// Columns.
        columns: u16,
        /// Rows.
        rows: u16,
        /// The most of each.
        most: u16,
    },
    /// Not as many line lengths as lines.
    #[error("the hex grid has {right} lines of hexes, but {given} line lengths; give one for each line")]
    LineLengths {
        /// The number of lengths.
        given: usize,
        /// The number of lines.
        right: u16,
    },
    /// A line longer than the grid.
    #[error("line {line} (from 0) of the hex grid has {length} hexes, but the grid is only {longest} long")]
    LineTooLong {
        /// The line, from 0.
        line: usize,
        /// Its length.
        length: u16,
        /// The longest that is possible.
        longest: u16,
    },
    /// A label table of the wrong size.
    #[error("the label table of the hex grid must have {columns} columns of {rows} labels each")]
    LabelTable {
        /// Columns of the grid.
        columns: u16,
        /// Rows of the grid.
        rows: u16,
    },
    /// More than one grid on a board.
    #[error("a board has at most one hex grid; join the maps into one grid, or make two boards")]
    SecondGrid,
    /// A board without a space.
    #[error("the board has no spaces; declare areas or a hex grid")]
    NoSpaces,
    /// Too many things for their ids.
    #[error("the board has more than {most} {what}")]
    TooMany {
        /// The kind of things.
        what: &'static str,
        /// The most that there may be.
        most: usize,
    },
    /// A link or border from a space to itself.
    #[error("{place}: both ends are {space:?}; it needs two different spaces")]
    SameEnds {
        /// The link or border.
        place: String,
        /// The space.
        space: String,
    },
    /// Two borders between the same spaces.
    #[error(
        "{place}: there is already a border between {a:?} and {b:?}, called {first:?}; put features on that one"
    )]
    DuplicateBorder {
        /// The second border.
        place: String,
        /// One space.
        a: String,
        /// The other space.
        b: String,
        /// The first border.
        first: String,
    },
    /// A border said to meet itself.
    #[error("border {border:?} is said to meet itself; name two different borders")]
    MeetsItself {
        /// The border.
        border: String,
    },
    /// A feature of one kind of thing put on another.
    #[error("feature {feature:?} lies on {right}, so that pieces cannot stand on its {wrong}")]
    WrongHolder {
        /// The feature.
        feature: String,
        /// What it lies on.
        right: FeatureOn,
        /// What was wanted.
        wrong: &'static str,
    },
    /// The same feature twice on one thing.
    #[error("feature {feature:?} is put on {place:?} twice; once is right")]
    DuplicateFeature {
        /// The feature.
        feature: String,
        /// The space, border or link.
        place: String,
    },
    /// A side that cannot be in a mask of closed sides.
    #[error("{place}: closed for side {side}, but sides are numbered 0 to 63")]
    SideTooLarge {
        /// The link.
        place: String,
        /// The number of the side.
        side: u8,
    },
    /// Several spaces and no link at all.
    #[error("the board has {spaces} spaces and no links; give the hex grid a network, or declare links")]
    NoLinks {
        /// The number of spaces.
        spaces: usize,
    },
    /// Spaces that no link joins to the largest part of the board.
    #[error("no links join {} to {main:?}; link one of them, or declare one of them apart", list(spaces))]
    Unreachable {
        /// The spaces, joined to one another.
        spaces: Vec<String>,
        /// The first space of the largest part.
        main: String,
    },
    /// A space declared apart that is in the largest part of the board all the same.
    #[error("space {space:?} is declared apart, but links join it to {main:?}; drop the declaration")]
    NotApart {
        /// The space.
        space: String,
        /// The first space of the largest part.
        main: String,
    },
    /// A provenance that says nothing.
    #[error(
        "{place}: its provenance is empty; say where it is printed, how it follows, or why it was filled in so"
    )]
    EmptyProvenance {
        /// What lacks it.
        place: String,
    },
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

/// The first few of many names.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len() - SHOWN);
    }
    text
}

/// The plural of the kind of a thing.
fn plural(what: &str) -> String {
    let es = what.ends_with(['x', 's']) || what.ends_with("sh") || what.ends_with("ch");
    if es { format!("{what}es") } else { format!("{what}s") }
}

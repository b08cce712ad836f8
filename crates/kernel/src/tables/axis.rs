//! The columns or the rows of a table, and how what is known at the moment finds one of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{LookUpError, Problem, Ratio, Ratios};
use crate::WordId;

/// The columns or the rows of a table, from left to right or from top to bottom.
///
/// ```
/// use adjutant_kernel::tables::{Axis, Ends};
/// let spans = ["..2", "3..4", "5.."].map(|span| span.parse().unwrap()).to_vec();
/// let strength = Axis::Numbers { spans, ends: Ends::REFUSE };
/// assert_eq!(strength.len(), 3);
/// assert_eq!(strength.heading(1).as_deref(), Some("3..4"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Axis {
    /// One line without a heading.
    #[default]
    Single,
    /// Lines for a number: a strength, a level, or the roll of the dice.
    Numbers {
        /// The heading of each line, rising, without gaps.
        spans: Vec<Span>,
        /// What happens to numbers beyond them.
        ends: Ends,
    },
    /// Lines for a difference, the attacker's number less the defender's.
    Differences {
        /// The heading of each line, rising, without gaps.
        spans: Vec<Span>,
        /// What happens to differences beyond them.
        ends: Ends,
    },
    /// Lines for odds.
    Ratios(Ratios),
    /// Lines for names.
    Words(Vec<WordId>),
}

/// What happens beyond the first and the last line.
///
/// ```
/// use adjutant_kernel::tables::{Axis, End, Ends, Entry, Input, LookUpError, TableBuilder, Which};
/// # use adjutant_kernel::provenance::Provenance;
/// let spans = ["1", "2"].map(|span| span.parse().unwrap()).to_vec();
/// let ends = Ends { low: End::Refuse, high: End::Clamp };
/// let table = TableBuilder::new("raid", Provenance::printed("charts"))
///     .columns(Axis::Numbers { spans, ends })
///     .row([10, 20])
///     .build()
///     .unwrap();
/// let enter = |n| table.look_up(&Entry { column: Input::Number(n), ..Entry::default() });
/// assert_eq!(enter(7).unwrap().result.number(), Some(20));
/// assert_eq!(enter(0), Err(LookUpError::Below { axis: Which::Column }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Ends {
    /// Before the first line.
    pub low: End,
    /// After the last line.
    pub high: End,
}

/// What happens beyond one end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// The line at that end is used.
    Clamp,
    /// The look-up is an error.
    Refuse,
}

impl Ends {
    /// The line at the end is used, at both ends.
    pub const CLAMP: Ends = Ends { low: End::Clamp, high: End::Clamp };
    /// The look-up is an error, at both ends.
    pub const REFUSE: Ends = Ends { low: End::Refuse, high: End::Refuse };
}

/// With what one enters an axis.
///
/// ```
/// use adjutant_kernel::tables::{Axis, Ends, Entry, Input, LookUpError, TableBuilder, Which};
/// # use adjutant_kernel::provenance::Provenance;
/// let spans = ["..0", "1.."].map(|span| span.parse().unwrap()).to_vec();
/// let table = TableBuilder::new("clash", Provenance::printed("charts"))
///     .columns(Axis::Differences { spans, ends: Ends::CLAMP })
///     .row([0, 1])
///     .build()
///     .unwrap();
/// let column = |input| table.find_column(input, &[]).map(|found| found.end);
/// assert_eq!(column(Input::Pair { attacker: 5, defender: 3 }), Ok(1)); // the difference is taken
/// assert_eq!(column(Input::Number(-2)), Ok(0)); // or was already
/// assert_eq!(column(Input::None), Err(LookUpError::WrongInput { axis: Which::Column, input: Input::None }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Input {
    /// Nothing: for a single line, and for rows that the dice choose.
    #[default]
    None,
    /// A number, or a difference already taken.
    Number(i32),
    /// The numbers of both sides, for odds and differences.
    Pair {
        /// The attacker's.
        attacker: i32,
        /// The defender's.
        defender: i32,
    },
    /// A name.
    Word(WordId),
}

/// Which of the two axes of a table.
///
/// ```
/// use adjutant_kernel::tables::Which;
/// assert_eq!((Which::Column.to_string(), Which::Row.to_string()), ("column".into(), "row".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Which {
    /// The columns.
    Column,
    /// The rows.
    Row,
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Which::Column => "column",
            Which::Row => "row",
        })
    }
}

/// The numbers of one line, both ends included. Written `3`, `3..4`, `..2` or `5..`.
///
/// ```
/// use adjutant_kernel::tables::Span;
/// let span: Span = "..2".parse().unwrap();
/// assert!(span.contains(-7) && span.contains(2) && !span.contains(3));
/// assert_eq!(Span::between(3, 4).to_string(), "3..4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Span {
    low: i32,
    high: i32,
}

impl Span {
    /// This number alone.
    pub const fn exactly(number: i32) -> Self {
        Span { low: number, high: number }
    }

    /// `low` to `high`.
    pub const fn between(low: i32, high: i32) -> Self {
        Span { low, high }
    }

    /// `high` and less.
    pub const fn at_most(high: i32) -> Self {
        Span { low: i32::MIN, high }
    }

    /// `low` and more.
    pub const fn at_least(low: i32) -> Self {
        Span { low, high: i32::MAX }
    }

    /// Whether the number is among them.
    pub fn contains(&self, number: i32) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// The least number, `i32::MIN` if there is none.
    pub fn low(&self) -> i32 {
        self.low
    }

    /// The greatest number, `i32::MAX` if there is none.
    pub fn high(&self) -> i32 {
        self.high
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (low, high) if low == high => write!(f, "{low}"),
            (i32::MIN, i32::MAX) => f.write_str(".."),
            (i32::MIN, high) => write!(f, "..{high}"),
            (low, i32::MAX) => write!(f, "{low}.."),
            (low, high) => write!(f, "{low}..{high}"),
        }
    }
}

/// A heading that cannot be read.
///
/// ```
/// use adjutant_kernel::tables::{BadHeading, Ratio, Span};
/// assert_eq!("3-4".parse::<Span>(), Err(BadHeading::Span("3-4".into())));
/// assert_eq!("3/2".parse::<Ratio>().unwrap_err().to_string(), "\"3/2\" is no ratio; write 3:2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadHeading {
    /// It is no span.
    #[error("\"{0}\" is no range of numbers; write 3, 3..4, ..2 or 5..")]
    Span(String),
    /// It is no ratio.
    #[error("\"{0}\" is no ratio; write 3:2")]
    Ratio(String),
}

impl FromStr for Span {
    type Err = BadHeading;

    fn from_str(text: &str) -> Result<Self, BadHeading> {
        let number = |text: &str, open: i32| match text.trim() {
            "" => Ok(open),
            text => text.parse::<i32>(),
        };
        let read = || match text.split_once("..") {
            Some((low, high)) => Ok(Span { low: number(low, i32::MIN)?, high: number(high, i32::MAX)? }),
            None => text.trim().parse().map(Span::exactly),
        };
        read().map_err(|_: std::num::ParseIntError| BadHeading::Span(text.into()))
    }
}

impl TryFrom<String> for Span {
    type Error = BadHeading;

    fn try_from(text: String) -> Result<Self, BadHeading> {
        text.parse()
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        span.to_string()
    }
}

impl Axis {
    /// How many lines it has.
    pub fn len(&self) -> usize {
        match self {
            Axis::Single => 1,
            Axis::Numbers { spans, .. } | Axis::Differences { spans, .. } => spans.len(),
            Axis::Ratios(ratios) => ratios.steps.len(),
            Axis::Words(words) => words.len(),
        }
    }

    /// Whether it has no line; a checked table has none such.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The heading of a line; `None` for a single line, for a name (a word has no text here) and beyond the end.
    pub fn heading(&self, line: usize) -> Option<String> {
        match self {
            Axis::Single | Axis::Words(_) => None,
            Axis::Numbers { spans, .. } | Axis::Differences { spans, .. } => {
                spans.get(line).map(Span::to_string)
            }
            Axis::Ratios(ratios) => ratios.steps.get(line).map(Ratio::to_string),
        }
    }

    /// The line on which `input` falls.
    pub(super) fn locate(&self, which: Which, input: Input) -> Result<usize, LookUpError> {
        match (self, input) {
            (Axis::Single, Input::None) => Ok(0),
            (Axis::Numbers { spans, ends } | Axis::Differences { spans, ends }, Input::Number(number)) => {
                in_spans(spans, *ends, which, number)
            }
            (Axis::Differences { spans, ends }, Input::Pair { attacker, defender }) => {
                in_spans(spans, *ends, which, attacker.saturating_sub(defender))
            }
            (Axis::Ratios(ratios), Input::Pair { attacker, defender }) => {
                ratios.locate(which, attacker, defender)
            }
            (Axis::Words(words), Input::Word(word)) => {
                words.iter().position(|w| *w == word).ok_or(LookUpError::UnknownWord { axis: which, word })
            }
            _ => Err(LookUpError::WrongInput { axis: which, input }),
        }
    }

    /// The numbers within which a modified roll is kept.
    pub(super) fn bounds(&self) -> (i32, i32) {
        let Axis::Numbers { spans, ends } = self else { return (i32::MIN, i32::MAX) };
        let low = spans.first().filter(|_| ends.low == End::Clamp).map_or(i32::MIN, Span::low);
        let high = spans.last().filter(|_| ends.high == End::Clamp).map_or(i32::MAX, Span::high);
        (low, high)
    }

    /// What is wrong with it. Gaps are right where numbers are d66 rolls; the builder checks those.
    pub(super) fn problems(&self, axis: Which, gaps: bool, problems: &mut Vec<Problem>) {
        if self.is_empty() || self.len() > usize::from(u16::MAX) {
            problems.push(Problem::LineCount { axis, count: self.len() });
        }
        match self {
            Axis::Single => {}
            Axis::Numbers { spans, .. } | Axis::Differences { spans, .. } => {
                for span in spans.iter().filter(|span| span.low > span.high) {
                    problems.push(Problem::Backwards { axis, span: *span });
                }
                for pair in spans.windows(2) {
                    let (before, span) = (pair[0], pair[1]);
                    let gap = i64::from(span.low) - i64::from(before.high) - 1;
                    if gap < 0 {
                        problems.push(Problem::Overlap { axis, before, span });
                    } else if gap > 0 && !gaps {
                        problems.push(Problem::Gap { axis, before, span });
                    }
                }
            }
            Axis::Ratios(ratios) => ratios.problems(axis, problems),
            Axis::Words(words) => {
                for (i, &word) in words.iter().enumerate().filter(|(i, word)| words[..*i].contains(word)) {
                    problems.push(Problem::DuplicateWord { axis, line: i, word });
                }
            }
        }
    }
}

fn in_spans(spans: &[Span], ends: Ends, axis: Which, number: i32) -> Result<usize, LookUpError> {
    let line = spans.partition_point(|span| span.high < number);
    match spans.get(line) {
        Some(span) if span.low <= number => Ok(line),
        Some(_) if line > 0 => Err(LookUpError::NoLine { axis }),
        Some(_) => ends.low.line(0, LookUpError::Below { axis }),
        None => ends.high.line(line.saturating_sub(1), LookUpError::Above { axis }),
    }
}

impl End {
    pub(super) fn line(self, line: usize, error: LookUpError) -> Result<usize, LookUpError> {
        match self {
            End::Clamp => Ok(line),
            End::Refuse => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_printed() {
        for text in ["3", "3..4", "..2", "5..", "..", "-1", "-3..-2", "..-1"] {
            assert_eq!(text.parse::<Span>().unwrap().to_string(), text);
        }
        for text in ["", "a", "1-2", "1..b", "99999999999"] {
            assert_eq!(text.parse::<Span>(), Err(BadHeading::Span(text.into())), "{text}");
        }
    }

    #[test]
    fn differences_and_numbers() {
        let spans: Vec<Span> = ["..-1", "0", "1", "2.."].map(|s| s.parse().unwrap()).into();
        let axis = Axis::Differences { spans: spans.clone(), ends: Ends::REFUSE };
        let at = |attacker, defender| axis.locate(Which::Row, Input::Pair { attacker, defender });
        assert_eq!(
            [at(1, 5), at(2, 2), at(2, 1), at(2, 0), at(i32::MAX, i32::MIN)].map(Result::unwrap),
            [0, 1, 2, 3, 3]
        );
        assert_eq!(axis.locate(Which::Row, Input::Number(-4)), Ok(0));
        let numbers =
            Axis::Numbers { spans: vec![Span::between(1, 3), Span::exactly(4)], ends: Ends::REFUSE };
        let at = |number| numbers.locate(Which::Row, Input::Number(number));
        assert_eq!((at(3), at(4)), (Ok(0), Ok(1)));
        assert_eq!(at(0), Err(LookUpError::Below { axis: Which::Row }));
        assert_eq!(at(5), Err(LookUpError::Above { axis: Which::Row }));
        let input = Input::Pair { attacker: 1, defender: 1 };
        let wrong = numbers.locate(Which::Row, input);
        assert_eq!(wrong, Err(LookUpError::WrongInput { axis: Which::Row, input }));
    }
}

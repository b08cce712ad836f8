//! Odds: lines headed by ratios, and which of them two strengths take.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{BadHeading, Ends, LookUpError, Problem, Which};

/// Lines for odds, rising. All arithmetic is exact.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::{AtZero, Axis, Ends, Input, Party, Ratios, Rounding, TableBuilder, ZeroRule};
/// let odds = Ratios {
///     steps: ["1:2", "1:1", "2:1", "3:1"].map(|ratio| ratio.parse().unwrap()).to_vec(),
///     first: Party::Attacker,
///     rounding: Rounding::DefendersFavour,
///     zero: ZeroRule { attacker: AtZero::Lowest, defender: AtZero::Highest, both: AtZero::Refuse },
///     ends: Ends::CLAMP,
/// };
/// let table = TableBuilder::new("combat", Provenance::printed("charts"))
///     .columns(Axis::Ratios(odds))
///     .row([0, 1, 2, 3])
///     .build()
///     .unwrap();
/// let column = |attacker, defender| table.find_column(Input::Pair { attacker, defender }, &[]).unwrap().end;
/// assert_eq!((column(5, 2), column(3, 4)), (2, 0)); // 2:1 and 1:2, in the defender's favour
/// assert_eq!((column(9, 2), column(0, 2), column(1, 0)), (3, 0, 3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ratios {
    /// The heading of each line, rising.
    pub steps: Vec<Ratio>,
    /// Whose number a heading names first.
    pub first: Party,
    /// Which line odds between two headings take.
    pub rounding: Rounding,
    /// What no strength at all comes to.
    pub zero: ZeroRule,
    /// What happens to odds beyond the headings, after rounding: 7:2 is not beyond 3:1 when rounded down.
    pub ends: Ends,
}

/// Who is named first in the headings of odds.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::*;
/// let column = |first| {
///     let steps = ["1:2", "1:1", "2:1"].map(|ratio| ratio.parse().unwrap()).to_vec();
///     let zero = ZeroRule { attacker: AtZero::Refuse, defender: AtZero::Refuse, both: AtZero::Refuse };
///     let odds = Ratios { steps, first, rounding: Rounding::Down, zero, ends: Ends::CLAMP };
///     let table = TableBuilder::new("combat", Provenance::printed("charts")).columns(Axis::Ratios(odds));
///     let table = table.row([0, 1, 2]).build().unwrap();
///     table.find_column(Input::Pair { attacker: 4, defender: 2 }, &[]).unwrap().end
/// };
/// assert_eq!((column(Party::Attacker), column(Party::Defender)), (2, 0)); // 2:1 or 1:2
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Party {
    /// The attacker: 3:1 is three attackers to one defender.
    Attacker,
    /// The defender.
    Defender,
}

/// Which line odds between two headings take.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// use adjutant_kernel::tables::*;
/// let column = |rounding, attacker, defender| {
///     let steps = ["1:2", "1:1", "2:1"].map(|ratio| ratio.parse().unwrap()).to_vec();
///     let zero = ZeroRule { attacker: AtZero::Refuse, defender: AtZero::Refuse, both: AtZero::Refuse };
///     let odds = Ratios { steps, first: Party::Attacker, rounding, zero, ends: Ends::CLAMP };
///     let table = TableBuilder::new("combat", Provenance::printed("charts")).columns(Axis::Ratios(odds));
///     table.row([0, 1, 2]).build().unwrap().find_column(Input::Pair { attacker, defender }, &[]).unwrap().end
/// };
/// assert_eq!((column(Rounding::Down, 3, 4), column(Rounding::Up, 3, 4)), (0, 1));
/// assert_eq!((column(Rounding::Nearest, 7, 4), column(Rounding::TowardsEven, 7, 4)), (2, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Rounding {
    /// The one that is better for the defender: the lower if the attacker is named first, else the higher.
    DefendersFavour,
    /// The lower heading, as a number: 5:2 becomes 2:1, and 3:4 becomes 1:2 (not 1:1).
    Down,
    /// The higher heading.
    Up,
    /// The heading whose quotient is nearer, in the defender's favour if both are as near.
    Nearest,
    /// The heading towards 1:1: the fraction of the stronger side is dropped, whichever it is.
    TowardsEven,
}

/// Where the attack goes when a side has no strength. A total below zero counts as zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ZeroRule {
    /// The attacker alone has none.
    pub attacker: AtZero,
    /// The defender alone has none.
    pub defender: AtZero,
    /// Neither has any.
    pub both: AtZero,
}

/// One case of a [`ZeroRule`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AtZero {
    /// The first line.
    Lowest,
    /// The last line.
    Highest,
    /// The line with this heading.
    Line(Ratio),
    /// The look-up is an error: the rules do not let it come to this.
    Refuse,
}

/// Odds as a heading, such as 3:2. Neither number is 0 in a table that was checked.
///
/// ```
/// use adjutant_kernel::tables::Ratio;
/// let odds: Ratio = "3:2".parse().unwrap();
/// assert_eq!(odds, Ratio::new(3, 2));
/// assert_eq!(odds.to_string(), "3:2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Ratio {
    /// The number named first.
    pub first: u16,
    /// The number named second.
    pub second: u16,
}

impl Ratio {
    /// `first` to `second`.
    pub const fn new(first: u16, second: u16) -> Self {
        Ratio { first, second }
    }

    /// How much `first:second` is above this heading, as the numerator of a fraction over
    /// `second * self.second`.
    fn below(&self, first: i32, second: i32) -> i64 {
        i64::from(first) * i64::from(self.second) - i64::from(self.first) * i64::from(second)
    }

    fn is_less(&self, other: &Ratio) -> bool {
        self.below(other.first.into(), other.second.into()) > 0
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.first, self.second)
    }
}

impl FromStr for Ratio {
    type Err = BadHeading;

    fn from_str(text: &str) -> Result<Self, BadHeading> {
        let read = || {
            let (first, second) = text.split_once([':', '-'])?;
            Some(Ratio { first: first.trim().parse().ok()?, second: second.trim().parse().ok()? })
        };
        read().ok_or_else(|| BadHeading::Ratio(text.into()))
    }
}

impl TryFrom<String> for Ratio {
    type Error = BadHeading;

    fn try_from(text: String) -> Result<Self, BadHeading> {
        text.parse()
    }
}

impl From<Ratio> for String {
    fn from(ratio: Ratio) -> Self {
        ratio.to_string()
    }
}

impl Ratios {
    /// What is wrong with the lines.
    pub(super) fn problems(&self, axis: Which, problems: &mut Vec<Problem>) {
        for &ratio in self.steps.iter().filter(|ratio| ratio.first == 0 || ratio.second == 0) {
            problems.push(Problem::RatioOfZero { axis, ratio });
        }
        for pair in self.steps.windows(2).filter(|pair| !pair[0].is_less(&pair[1])) {
            problems.push(Problem::RatioOrder { axis, before: pair[0], ratio: pair[1] });
        }
        for at_zero in [self.zero.attacker, self.zero.defender, self.zero.both] {
            match at_zero {
                AtZero::Line(ratio) if !self.steps.contains(&ratio) => {
                    problems.push(Problem::UnknownZeroLine { axis, ratio });
                }
                AtZero::Line(_) | AtZero::Lowest | AtZero::Highest | AtZero::Refuse => {}
            }
        }
    }

    /// The line on which the strengths fall; a strength below zero counts as zero.
    pub(super) fn locate(&self, axis: Which, attacker: i32, defender: i32) -> Result<usize, LookUpError> {
        let (attacker, defender) = (attacker.max(0), defender.max(0));
        let zero = match (attacker, defender) {
            (0, 0) => Some(self.zero.both),
            (0, _) => Some(self.zero.attacker),
            (_, 0) => Some(self.zero.defender),
            _ => None,
        };
        let last = self.steps.len().saturating_sub(1);
        match zero {
            None => {}
            Some(AtZero::Lowest) => return Ok(0),
            Some(AtZero::Highest) => return Ok(last),
            Some(AtZero::Line(ratio)) => {
                return self.steps.iter().position(|step| *step == ratio).ok_or(LookUpError::NoLine { axis });
            }
            Some(AtZero::Refuse) => return Err(LookUpError::NoStrength { axis }),
        }
        let (first, second) = match self.first {
            Party::Attacker => (attacker, defender),
            Party::Defender => (defender, attacker),
        };
        let next = self.steps.partition_point(|step| step.below(first, second) >= 0);
        let Some(lower) = next.checked_sub(1) else {
            let low = || self.ends.low.line(0, LookUpError::Below { axis });
            return if self.up(first, second) == Some(true) { Ok(0) } else { low() };
        };
        if self.steps[lower].below(first, second) == 0 {
            return Ok(lower);
        }
        if next > last {
            let high = || self.ends.high.line(last, LookUpError::Above { axis });
            return if self.up(first, second) == Some(false) { Ok(last) } else { high() };
        }
        let up = self.up(first, second).unwrap_or_else(|| {
            let (low, high) = (&self.steps[lower], &self.steps[next]);
            let from_low = i128::from(low.below(first, second)) * i128::from(high.second);
            let from_high = -i128::from(high.below(first, second)) * i128::from(low.second);
            from_high < from_low || (from_high == from_low && self.first == Party::Defender)
        });
        Ok(if up { next } else { lower })
    }

    /// Whether odds that no heading names are rounded up; `None` if it depends on the headings.
    fn up(&self, first: i32, second: i32) -> Option<bool> {
        match self.rounding {
            Rounding::DefendersFavour => Some(self.first == Party::Defender),
            Rounding::Down => Some(false),
            Rounding::Up => Some(true),
            Rounding::Nearest => None,
            Rounding::TowardsEven => Some(first < second),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Axis, Input};

    const ZERO: ZeroRule =
        ZeroRule { attacker: AtZero::Lowest, defender: AtZero::Highest, both: AtZero::Refuse };

    fn ratios(steps: &[&str], rounding: Rounding) -> Ratios {
        let steps = steps.iter().map(|s| s.parse().unwrap()).collect();
        Ratios { steps, first: Party::Attacker, rounding, zero: ZERO, ends: Ends::CLAMP }
    }

    fn odds(ratios: &Ratios, attacker: i32, defender: i32) -> Result<String, LookUpError> {
        let axis = Axis::Ratios(ratios.clone());
        let line = axis.locate(Which::Column, Input::Pair { attacker, defender })?;
        Ok(axis.heading(line).unwrap())
    }

    #[test]
    fn ratios_are_read_and_printed() {
        for text in ["", "3", "3:", "-1:2", "1:2:3", "70000:1"] {
            assert!(text.parse::<Ratio>().is_err(), "{text}");
        }
        assert_eq!("3-2".parse::<Ratio>().unwrap().to_string(), "3:2");
    }

    /// Each way of rounding at odds between headings, on both sides of even, at headings and beyond the ends.
    #[test]
    fn rounding() {
        use Rounding::*;
        let steps = &["1:2", "1:1", "3:2", "2:1", "3:1"];
        for (attacker, defender, expected) in [
            // defender's favour, down, up, nearest, towards even
            (1, 2, ["1:2"; 5]),
            (6, 4, ["3:2"; 5]),
            (3, 4, ["1:2", "1:2", "1:1", "1:2", "1:1"]), // half way between: the defender's
            (4, 5, ["1:2", "1:2", "1:1", "1:1", "1:1"]),
            (5, 4, ["1:1", "1:1", "3:2", "1:1", "1:1"]), // half way
            (18, 10, ["3:2", "3:2", "2:1", "2:1", "3:2"]),
            (5, 2, ["2:1", "2:1", "3:1", "2:1", "2:1"]), // half way
            (2_000_000_001, 1_000_000_000, ["2:1", "2:1", "3:1", "2:1", "2:1"]),
            (7, 2, ["3:1"; 5]),
            (1, 9, ["1:2"; 5]),
        ] {
            let found = [DefendersFavour, Down, Up, Nearest, TowardsEven]
                .map(|rounding| odds(&ratios(steps, rounding), attacker, defender).unwrap());
            assert_eq!(found, expected, "{attacker}:{defender}");
        }
    }

    #[test]
    fn with_the_defender_named_first_his_favour_is_up() {
        let mut ratios = ratios(&["1:2", "1:1", "2:1"], Rounding::DefendersFavour);
        ratios.first = Party::Defender;
        assert_eq!(odds(&ratios, 4, 3).unwrap(), "1:1"); // 3:4, between 1:2 and 1:1
        ratios.rounding = Rounding::Nearest;
        assert_eq!(odds(&ratios, 4, 3).unwrap(), "1:1");
        ratios.rounding = Rounding::Down;
        assert_eq!(odds(&ratios, 4, 3).unwrap(), "1:2");
    }

    #[test]
    fn refused_ends_are_what_rounding_leaves_outside() {
        let refused = |rounding, attacker, defender| {
            let ratios = Ratios { ends: Ends::REFUSE, ..ratios(&["1:2", "3:1"], rounding) };
            odds(&ratios, attacker, defender)
        };
        let (below, above) = (
            Err(LookUpError::Below { axis: Which::Column }),
            Err(LookUpError::Above { axis: Which::Column }),
        );
        assert_eq!(refused(Rounding::Down, 1, 3), below);
        assert_eq!(refused(Rounding::Down, 4, 1), Ok("3:1".into()));
        assert_eq!(refused(Rounding::Up, 1, 3), Ok("1:2".into()));
        assert_eq!(refused(Rounding::Up, 4, 1), above);
        assert_eq!(refused(Rounding::Nearest, 1, 3), below);
        assert_eq!(refused(Rounding::Nearest, 4, 1), above);
        assert_eq!(refused(Rounding::TowardsEven, 1, 3), Ok("1:2".into()));
        assert_eq!(refused(Rounding::TowardsEven, 4, 1), Ok("3:1".into()));
    }

    #[test]
    fn zero_goes_where_it_is_declared() {
        let mut ratios = ratios(&["1:2", "1:1", "3:1"], Rounding::Down);
        assert_eq!(odds(&ratios, 0, 3).unwrap(), "1:2");
        assert_eq!(odds(&ratios, 3, -2).unwrap(), "3:1");
        assert_eq!(odds(&ratios, 0, 0), Err(LookUpError::NoStrength { axis: Which::Column }));
        ratios.zero.both = AtZero::Line(Ratio::new(1, 1));
        assert_eq!(odds(&ratios, -1, 0).unwrap(), "1:1");
    }

    /// Every pair of small numbers against a plain search from the highest heading.
    #[test]
    fn every_small_pair_agrees_with_a_plain_search() {
        let ratios = ratios(&["1:4", "1:3", "1:2", "2:3", "1:1", "3:2", "2:1", "3:1"], Rounding::Down);
        for attacker in 1..60 {
            for defender in 1..60 {
                let fits = |r: &&Ratio| i32::from(r.first) * defender <= attacker * i32::from(r.second);
                let expected = ratios.steps.iter().rev().find(fits).unwrap_or(&ratios.steps[0]);
                assert_eq!(odds(&ratios, attacker, defender).unwrap(), expected.to_string());
            }
        }
    }
}

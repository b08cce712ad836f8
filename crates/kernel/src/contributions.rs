//! What titles and overlays contribute to a rule point, and how contributions combine.
//!
//! Every effect names its rule (invariant 9): a contribution is a value with the rule id it comes from, and the
//! list of them is the working that explains the total. Order never matters: the same contributions give the
//! same total however they were pushed.

use std::ops::Deref;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::RuleId;

/// How the contributions of a rule point make one value. The start value of the list takes part in each.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::{Combine, Contribution, Contributions};
/// let mut list = Contributions::new(1);
/// list.extend([3, 2].map(|value| Contribution::new(RuleId(4), value)));
/// let totals = [Combine::Sum, Combine::Product, Combine::Most, Combine::All].map(|how| list.total(how));
/// assert_eq!(totals, [6, 6, 3, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Combine {
    /// The start value plus all values.
    Sum,
    /// The start value times all values.
    Product,
    /// The least of the start value and all values (a limit).
    Least,
    /// The greatest of the start value and all values.
    Most,
    /// 1 if the start value or any value is not 0, else 0.
    Any,
    /// 1 if the start value and all values are not 0, else 0.
    All,
    /// Values of `n` stages, applied one stage after another, as the column shifts of a table are: see
    /// [`Contributions::stages`]. Its total is the start value plus all values.
    Stages(u8),
}

/// One value with the rule it comes from.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::{Contribution, Contributions};
/// let mut shifts = Contributions::new(0);
/// shifts.push(Contribution::new(RuleId(1), -2)); // stage 0: to the left
/// shifts.push(Contribution { rule: RuleId(2), value: 1, stage: 1 });
/// assert_eq!(shifts.stages(2).collect::<Vec<_>>(), [-2, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Contribution {
    /// The rule that gives it.
    pub rule: RuleId,
    /// The value, in the unit of the rule point (columns, die points, bodies; 0 or 1 for flags).
    pub value: i32,
    /// The stage at which it applies, from 0; 0 where the point has no stages.
    pub stage: u8,
}

impl Contribution {
    /// A contribution to a point without stages (or to its first).
    pub fn new(rule: RuleId, value: i32) -> Self {
        Contribution { rule, value, stage: 0 }
    }
}

/// The contributions to one rule point, in the order in which they were pushed, and the start value: what the
/// point is worth when nobody contributes. Up to eight are kept without allocating.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::{Combine, Contribution, Contributions};
///
/// let mut limit = Contributions::new(4); // four bodies an area, where no rule says less
/// assert_eq!(limit.total(Combine::Least), 4);
/// limit.push(Contribution::new(RuleId(7), 2));
/// assert_eq!(limit.total(Combine::Least), 2);
/// assert_eq!(limit.iter().map(|c| c.rule).collect::<Vec<_>>(), [RuleId(7)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Contributions {
    start: i32,
    list: SmallVec<[Contribution; 8]>,
}

impl Contributions {
    /// No contributions yet. `start` is the value of the point without any: 0 for a sum or `Any`, 1 for a
    /// product or `All`, the printed limit for `Least` and `Most`. Where an overlay may relax the printed
    /// limit, start at the end of the range and push the printed limit with its rule id, so that it can be
    /// switched off.
    pub fn new(start: i32) -> Self {
        Contributions { start, list: SmallVec::new() }
    }

    /// The value without any contribution.
    pub fn start(&self) -> i32 {
        self.start
    }

    /// Adds one.
    pub fn push(&mut self, contribution: Contribution) {
        self.list.push(contribution);
    }

    /// Empties the list and sets the start value, keeping the memory, so that a worker can use it again.
    pub fn reset(&mut self, start: i32) {
        self.start = start;
        self.list.clear();
    }

    /// The combined value. Sums and products are exact where they fit an `i32`; beyond it they stop at
    /// `i32::MIN` or `i32::MAX`, in whichever order the values stand.
    pub fn total(&self, combine: Combine) -> i32 {
        let values = self.list.iter().map(|c| c.value);
        match combine {
            Combine::Sum | Combine::Stages(_) => sum(self.start, values),
            Combine::Product => product(self.start, values),
            Combine::Least => values.fold(self.start, i32::min),
            Combine::Most => values.fold(self.start, i32::max),
            Combine::Any => (self.start != 0 || values.into_iter().any(|v| v != 0)).into(),
            Combine::All => (self.start != 0 && values.into_iter().all(|v| v != 0)).into(),
        }
    }

    /// The sum of each of `n` stages, in order; a contribution to stage `n` or later counts in the last.
    pub fn stages(&self, n: u8) -> impl Iterator<Item = i32> + '_ {
        let last = n.saturating_sub(1);
        (0..n).map(move |stage| {
            sum(0, self.list.iter().filter(|c| c.stage.min(last) == stage).map(|c| c.value))
        })
    }
}

impl Deref for Contributions {
    type Target = [Contribution];

    fn deref(&self) -> &[Contribution] {
        &self.list
    }
}

impl Extend<Contribution> for Contributions {
    fn extend<I: IntoIterator<Item = Contribution>>(&mut self, iter: I) {
        self.list.extend(iter);
    }
}

impl<'a> IntoIterator for &'a Contributions {
    type Item = &'a Contribution;
    type IntoIter = std::slice::Iter<'a, Contribution>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// Added in 64 bits and cut to 32 at the end, so that the order cannot matter.
fn sum(start: i32, values: impl Iterator<Item = i32>) -> i32 {
    let total = values.fold(i64::from(start), |total, v| total.saturating_add(i64::from(v)));
    total.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// Sign and magnitude apart, so that neither the order nor a late zero can matter.
fn product(start: i32, values: impl Iterator<Item = i32>) -> i32 {
    let (mut negative, mut magnitude, mut zero) = (start < 0, u64::from(start.unsigned_abs()), start == 0);
    for value in values {
        negative ^= value < 0;
        zero |= value == 0;
        magnitude = magnitude.saturating_mul(value.unsigned_abs().into());
    }
    match (zero, negative) {
        (true, _) => 0,
        (false, false) => magnitude.min(i32::MAX as u64) as i32,
        (false, true) => -(magnitude.min(1 << 31) as i64) as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(start: i32, values: &[i32]) -> Contributions {
        let mut list = Contributions::new(start);
        list.extend(values.iter().enumerate().map(|(i, &v)| Contribution::new(RuleId(i as u16), v)));
        list
    }

    #[test]
    fn each_way_of_combining() {
        use Combine::*;
        for (combine, start, values, total) in [
            (Sum, 0, &[1, -3, 5][..], 3),
            (Sum, 2, &[], 2),
            (Product, 1, &[2, -3], -6),
            (Product, 1, &[], 1),
            (Least, 4, &[], 4),
            (Least, 4, &[6, 5], 4),
            (Least, 4, &[6, 3], 3),
            (Most, 0, &[-2], 0),
            (Most, 0, &[-2, 2], 2),
            (Any, 0, &[], 0),
            (Any, 0, &[0, 7], 1),
            (Any, 1, &[0], 1),
            (All, 1, &[], 1),
            (All, 1, &[1, 0], 0),
            (All, 0, &[1], 0),
            (Stages(3), 1, &[1, 1], 3),
        ] {
            assert_eq!(list(start, values).total(combine), total, "{combine:?} {start} {values:?}");
        }
    }

    #[test]
    fn totals_stop_at_the_ends_in_any_order() {
        for values in [[i32::MAX, i32::MAX, i32::MIN], [i32::MAX, i32::MIN, i32::MAX]] {
            assert_eq!(list(0, &values).total(Combine::Sum), i32::MAX - 1);
            assert_eq!(list(1, &values).total(Combine::Product), i32::MIN);
        }
        assert_eq!(list(1, &[i32::MIN, i32::MIN, 0]).total(Combine::Product), 0);
        assert_eq!(list(-1, &[i32::MIN]).total(Combine::Product), i32::MAX);
        assert_eq!(list(1, &[i32::MIN]).total(Combine::Product), i32::MIN);
        assert_eq!(list(i32::MAX, &[1]).total(Combine::Sum), i32::MAX);
    }

    #[test]
    fn stages_keep_their_order_and_late_ones_count_last() {
        let mut list = Contributions::new(0);
        for (value, stage) in [(1, 1), (-2, 0), (3, 2), (4, 9), (-1, 0)] {
            list.push(Contribution { rule: RuleId(0), value, stage });
        }
        assert_eq!(list.stages(3).collect::<Vec<_>>(), [-3, 1, 7]);
        assert_eq!(list.stages(0).count(), 0);
        list.reset(5);
        assert_eq!((list.len(), list.total(Combine::Sum)), (0, 5));
    }
}

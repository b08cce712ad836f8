//! The order in which column shifts or die modifiers apply.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::LookUpError;
use crate::contributions::Contribution;
use crate::{RuleId, WordId};

/// Which way the shifts of a stage go. Negative is left (or down, for a die), positive right (up).
///
/// ```
/// use adjutant_kernel::tables::{Clamping, Direction, Order, Stage};
/// let order = Order::new([Stage::new(Direction::Left), Stage::new(Direction::Right)], Clamping::AtEnd);
/// assert_eq!(order, Order::new(Order::left_then_right().stages().to_vec(), Clamping::AtEnd));
/// assert_eq!(order.stage_for(3), Some(1)); // to the right
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Direction {
    /// Left only.
    Left,
    /// Right only.
    Right,
    /// Both, netted.
    Either,
}

impl Direction {
    fn admits(self, amount: i32) -> bool {
        match self {
            Direction::Left => amount <= 0,
            Direction::Right => amount >= 0,
            Direction::Either => true,
        }
    }
}

/// What the shifts of one stage come to.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::Contribution;
/// use adjutant_kernel::tables::{Axis, Clamping, Direction, Ends, Input, Order, Stage, StageTotal, TableBuilder};
/// # use adjutant_kernel::provenance::Provenance;
/// let stage = Stage { total: StageTotal::Most, ..Stage::new(Direction::Right) };
/// # let spans = ["1", "2", "3", "4"].map(|span| span.parse().unwrap()).to_vec();
/// # let table = TableBuilder::new("fire", Provenance::printed("charts"));
/// # let table = table.columns(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0, 1, 2, 3]);
/// let table = table.column_order(Order::new([stage], Clamping::AtEnd)).build().unwrap();
/// let shifts = [2, 1].map(|columns| Contribution::new(RuleId(4), columns));
/// let found = table.find_column(Input::Number(1), &shifts).unwrap();
/// assert_eq!(found.end, 2); // two columns, not three
/// assert!(!found.shifts[1].counted);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum StageTotal {
    /// All of them, added.
    Sum,
    /// Only the least: the strongest of those to the left. The first of equal ones.
    Least,
    /// Only the greatest: the strongest of those to the right. The first of equal ones.
    Most,
}

/// A stage of an order.
///
/// ```
/// use adjutant_kernel::WordId;
/// use adjutant_kernel::tables::{Clamping, Direction, Order, Stage, StageTotal};
/// // Of all that shifts to the left only the strongest counts.
/// let terrain = Stage { name: Some(WordId(4)), direction: Direction::Left, total: StageTotal::Least };
/// let order = Order::new([terrain, Stage::new(Direction::Right)], Clamping::EachStage);
/// assert_eq!(order.stage_named(WordId(4)), Some(0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// How packs and logs call it, if it has a name.
    pub name: Option<WordId>,
    /// Which way its shifts go.
    pub direction: Direction,
    /// What they come to.
    pub total: StageTotal,
}

impl Stage {
    /// A stage without a name whose shifts are added.
    pub const fn new(direction: Direction) -> Self {
        Stage { name: None, direction, total: StageTotal::Sum }
    }
}

/// When a shift past the end of the table is cut off.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::Contribution;
/// use adjutant_kernel::tables::{Axis, Clamping, Direction, Ends, Input, Order, Stage, TableBuilder};
/// # use adjutant_kernel::provenance::Provenance;
/// let column = |clamping| {
///     let order = Order::new([Direction::Right, Direction::Left].map(Stage::new), clamping);
/// #    let spans = ["1", "2", "3"].map(|span| span.parse().unwrap()).to_vec();
/// #    let table = TableBuilder::new("fire", Provenance::printed("charts"));
/// #    let table = table.columns(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0, 1, 2]);
///     let table = table.column_order(order).build().unwrap();
///     let shift = |stage, value| Contribution { rule: RuleId(4), value, stage };
///     table.find_column(Input::Number(2), &[shift(0, 3), shift(1, -1)]).unwrap().end
/// };
/// // Three to the right from the middle one, of which two are lost at once, then one to the left; or all netted.
/// assert_eq!((column(Clamping::EachStage), column(Clamping::AtEnd)), (1, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Clamping {
    /// After each stage: what went over the end is lost before the next stage begins.
    EachStage,
    /// Only after the last.
    AtEnd,
}

/// The stages in which shifts (or die modifiers) apply, each netted, one after another.
///
/// ```
/// use adjutant_kernel::tables::Order;
/// let order = Order::left_then_right();
/// assert_eq!((order.stage_for(-2), order.stage_for(1)), (Some(0), Some(1)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Order {
    stages: SmallVec<[Stage; 4]>,
    clamping: Clamping,
}

impl Order {
    /// These stages, in this order. A table accepts up to 255.
    pub fn new(stages: impl IntoIterator<Item = Stage>, clamping: Clamping) -> Self {
        Order { stages: stages.into_iter().collect(), clamping }
    }

    /// One stage: all shifts are netted and applied together, then clamped.
    pub fn netted() -> Self {
        Order::new([Stage::new(Direction::Either)], Clamping::AtEnd)
    }

    /// All left, then all right, clamped after each.
    pub fn left_then_right() -> Self {
        Order::new([Direction::Left, Direction::Right].map(Stage::new), Clamping::EachStage)
    }

    /// All left, then all right, then a named last stage of either direction, clamped after each.
    pub fn left_then_right_then(last: WordId) -> Self {
        let mut order = Order::left_then_right();
        order.stages.push(Stage { name: Some(last), ..Stage::new(Direction::Either) });
        order
    }

    /// All netted, then a named last stage of either direction, clamped after each.
    ///
    /// ```
    /// use adjutant_kernel::contributions::Contribution;
    /// use adjutant_kernel::tables::{Axis, Ends, Input, Order, TableBuilder};
    /// use adjutant_kernel::{RuleId, WordId};
    /// # use adjutant_kernel::provenance::Provenance;
    /// # let spans = ["1", "2", "3"].map(|span| span.parse().unwrap()).to_vec();
    /// # let table = TableBuilder::new("fire", Provenance::printed("charts"));
    /// # let table = table.columns(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0, 1, 2]);
    /// let table = table.column_order(Order::netted_then(WordId(4))).build().unwrap();
    /// let shift = |stage, value| Contribution { rule: RuleId(4), value, stage };
    /// let column = |shifts: &[Contribution]| table.find_column(Input::Number(1), shifts).unwrap().end;
    /// assert_eq!(column(&[shift(0, -1), shift(0, 1)]), 0); // one left, one right
    /// assert_eq!(column(&[shift(0, 5), shift(1, -1)]), 1); // to the end, then one left
    /// ```
    pub fn netted_then(last: WordId) -> Self {
        let stage = Stage::new(Direction::Either);
        Order::new([stage, Stage { name: Some(last), ..stage }], Clamping::EachStage)
    }

    /// The stages.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// When shifts are clamped.
    pub fn clamping(&self) -> Clamping {
        self.clamping
    }

    /// The first stage that admits such a shift, for contributions that do not name theirs.
    pub fn stage_for(&self, amount: i32) -> Option<u8> {
        self.stages.iter().position(|stage| stage.direction.admits(amount)).map(|stage| stage as u8)
    }

    /// The stage of that name.
    pub fn stage_named(&self, name: WordId) -> Option<u8> {
        self.stages.iter().position(|stage| stage.name == Some(name)).map(|stage| stage as u8)
    }

    /// Where `shifts` lead from `start` within `low..=high`, with the working.
    pub(super) fn apply(
        &self,
        start: i32,
        (low, high): (i32, i32),
        shifts: &[Contribution],
    ) -> Result<(i32, Steps), LookUpError> {
        let mut steps = Steps::new();
        let mut at = i64::from(start);
        if shifts.is_empty() {
            return Ok((start.clamp(low, high), steps));
        }
        if let Some(shift) = shifts.iter().find(|shift| usize::from(shift.stage) >= self.stages.len()) {
            return Err(LookUpError::UnknownStage { rule: shift.rule, stage: shift.stage });
        }
        for (number, stage) in (0u8..).zip(&self.stages) {
            let first = steps.len();
            for shift in shifts.iter().filter(|shift| shift.stage == number) {
                if !stage.direction.admits(shift.value) {
                    return Err(LookUpError::WrongDirection { rule: shift.rule, amount: shift.value });
                }
                steps.push(Step { rule: shift.rule, stage: number, amount: shift.value, counted: true });
            }
            at += stage.total.of(&mut steps[first..]);
            if self.clamping == Clamping::EachStage {
                at = at.clamp(low.into(), high.into());
            }
        }
        Ok((at.clamp(low.into(), high.into()) as i32, steps))
    }
}

impl StageTotal {
    fn of(self, steps: &mut [Step]) -> i64 {
        let chosen = match self {
            StageTotal::Sum => return steps.iter().map(|step| i64::from(step.amount)).sum(),
            StageTotal::Least => steps.iter().map(|step| step.amount).min(),
            StageTotal::Most => steps.iter().map(|step| step.amount).max(),
        };
        let Some(amount) = chosen else { return 0 };
        let mut found = false;
        for step in steps {
            step.counted = step.amount == amount && !found;
            found |= step.counted;
        }
        amount.into()
    }
}

/// One column shift or die modifier of a working.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::contributions::Contribution;
/// use adjutant_kernel::tables::{Axis, Ends, Input, Step, TableBuilder};
/// # use adjutant_kernel::provenance::Provenance;
/// # let spans = ["1", "2"].map(|span| span.parse().unwrap()).to_vec();
/// # let table = TableBuilder::new("fire", Provenance::printed("charts"));
/// # let table = table.columns(Axis::Numbers { spans, ends: Ends::CLAMP }).row([0, 1]).build().unwrap();
/// let rule = RuleId(4);
/// let found = table.find_column(Input::Number(1), &[Contribution::new(rule, 1)]).unwrap();
/// assert_eq!(found.shifts[..], [Step { rule, stage: 0, amount: 1, counted: true }]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The rule that gives it.
    pub rule: RuleId,
    /// The stage in which it applied, an index into [`Order::stages`].
    pub stage: u8,
    /// Columns (negative is left) or points of the die.
    pub amount: i32,
    /// Whether it counted; another of its stage may have counted alone.
    pub counted: bool,
}

/// The shifts or modifiers of a working, in the order in which they applied; eight do not allocate.
///
/// ```
/// use adjutant_kernel::RuleId;
/// use adjutant_kernel::tables::{Step, Steps};
/// fn cited(steps: &Steps) -> Vec<RuleId> {
///     steps.iter().filter(|step| step.counted).map(|step| step.rule).collect()
/// }
/// let step = Step { rule: RuleId(4), stage: 0, amount: -1, counted: true };
/// assert_eq!(cited(&Steps::from_slice(&[step])), [RuleId(4)]);
/// ```
pub type Steps = SmallVec<[Step; 8]>;

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(value: i32, stage: u8) -> Contribution {
        Contribution { rule: RuleId(value.unsigned_abs() as u16), value, stage }
    }

    fn end(order: &Order, start: i32, shifts: &[Contribution]) -> i32 {
        order.apply(start, (0, 4), shifts).unwrap().0
    }

    #[test]
    fn clamping_after_each_stage_or_at_the_end_differ() {
        let shifts = [shift(2, 1), shift(-3, 0)];
        let each = Order::left_then_right();
        let at_end = Order::new(each.stages().to_vec(), Clamping::AtEnd);
        assert_eq!(end(&each, 1, &shifts), 2); // to 0, what is over is lost, then 2 right
        assert_eq!(end(&at_end, 1, &shifts), 0);
        assert_eq!(end(&Order::netted(), 1, &[shift(2, 0), shift(-3, 0)]), 0);
    }

    #[test]
    fn the_working_is_in_the_order_of_stages() {
        let order = Order::left_then_right_then(WordId(9));
        let (at, steps) = order.apply(4, (0, 4), &[shift(-1, 2), shift(2, 1), shift(-2, 0)]).unwrap();
        assert_eq!(at, 3);
        assert_eq!(steps.iter().map(|s| (s.amount, s.stage)).collect::<Vec<_>>(), [(-2, 0), (2, 1), (-1, 2)]);
        assert_eq!(order.stage_named(WordId(9)), Some(2));
        assert_eq!(order.stage_named(WordId(8)), None);
    }

    #[test]
    fn only_the_strongest_of_a_group() {
        let left = Stage { total: StageTotal::Least, ..Stage::new(Direction::Left) };
        let right = Stage { total: StageTotal::Most, ..Stage::new(Direction::Right) };
        let order = Order::new([left, right], Clamping::AtEnd);
        let shifts = [shift(-1, 0), shift(-2, 0), shift(-2, 0), shift(1, 1)];
        let (at, steps) = order.apply(4, (0, 4), &shifts).unwrap();
        assert_eq!(at, 3);
        assert_eq!(steps.iter().map(|s| s.counted).collect::<Vec<_>>(), [false, true, false, true]);
    }

    #[test]
    fn nonsense_is_an_error_and_great_amounts_do_not_overflow() {
        let order = Order::left_then_right();
        let wrong = order.apply(0, (0, 4), &[shift(1, 0)]);
        assert_eq!(wrong, Err(LookUpError::WrongDirection { rule: RuleId(1), amount: 1 }));
        let unknown = order.apply(0, (0, 4), &[shift(1, 2)]);
        assert_eq!(unknown, Err(LookUpError::UnknownStage { rule: RuleId(1), stage: 2 }));
        let shifts = [shift(i32::MAX, 1); 3];
        assert_eq!(order.apply(1, (i32::MIN, i32::MAX), &shifts).unwrap().0, i32::MAX);
    }
}

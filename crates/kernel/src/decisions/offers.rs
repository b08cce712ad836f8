//! Offers: listing what may be done and saying why something may not, by the same code.

use crate::decisions::Action;
use crate::ids::*;

/// Why an action is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The rule that forbids it.
    pub rule: RuleId,
}

/// Allowed, or refused by a rule.
pub type Verdict = Result<(), Refusal>;

enum Mode<'a> {
    List(&'a mut Vec<Action>),
    Check { wanted: Action, found: Option<Verdict> },
}

/// Collects what a seat may do, or judges one action.
///
/// A procedure lists every action that *makes sense*, each with the test that allows it; which of the two is
/// going on it cannot tell, so that the list and the refusals cannot disagree.
pub struct Offers<'a>(Mode<'a>);

impl<'a> Offers<'a> {
    /// Collects allowed actions into `list`.
    pub fn list(list: &'a mut Vec<Action>) -> Self {
        Self(Mode::List(list))
    }

    /// Judges `wanted`.
    pub fn check(wanted: Action) -> Self {
        Self(Mode::Check { wanted, found: None })
    }

    /// An action that makes sense here; `test` says whether a rule forbids it.
    #[inline]
    pub fn consider(&mut self, action: Action, test: impl FnOnce() -> Verdict) {
        if let Mode::Check { wanted, found } = &self.0
            && (*wanted != action || matches!(found, Some(Ok(()))))
        {
            return;
        }
        // One call, so that the test is compiled in place.
        let verdict = test();
        match &mut self.0 {
            Mode::List(list) => {
                if verdict.is_ok() {
                    list.push(action);
                }
            }
            Mode::Check { found, .. } => *found = Some(verdict),
        }
    }

    /// An action that is allowed.
    #[inline]
    pub fn add(&mut self, action: Action) {
        self.consider(action, || Ok(()));
    }

    /// Actions that make sense and are not listed, because they are without number or never allowed (marching
    /// three of a stack of two): an action of which `fits` says so is refused by a rule, instead of being
    /// nothing that can be done now. Call it after the actions that are listed; of several the first that fits
    /// counts. `fits` looks at nothing but what the seat may know.
    pub fn otherwise(&mut self, rule: RuleId, fits: impl FnOnce(&Action) -> bool) {
        if let Mode::Check { wanted, found: found @ None } = &mut self.0
            && fits(wanted)
        {
            *found = Some(Err(Refusal { rule }));
        }
    }

    /// How many actions have been offered so far; 0 while judging.
    pub fn count(&self) -> usize {
        match &self.0 {
            Mode::List(list) => list.len(),
            Mode::Check { .. } => 0,
        }
    }

    /// Whether an action is judged, for faulty rules that then answer otherwise.
    #[cfg(feature = "mutants")]
    pub fn is_judging(&self) -> bool {
        matches!(self.0, Mode::Check { .. })
    }

    /// The list so far, unless an action is judged, for faulty rules that order it by the truth.
    #[cfg(feature = "mutants")]
    pub fn listed(&mut self) -> Option<&mut Vec<Action>> {
        match &mut self.0 {
            Mode::List(list) => Some(list),
            Mode::Check { .. } => None,
        }
    }

    /// The judgement: `None` when the action makes no sense here.
    pub fn judgement(self) -> Option<Verdict> {
        match self.0 {
            Mode::List(_) => None,
            Mode::Check { found, .. } => found,
        }
    }
}

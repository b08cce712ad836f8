//! Offers: listing what may be done and saying why something may not, by the same code.

use crate::decisions::{Action, Target};
use crate::ids::*;

/// Why an action is not allowed.
///
/// ```
/// use adjutant_kernel::{Action, Offers, Refusal, RuleId, Verdict, WordId};
/// let (charge, uphill) = (Action::new(WordId(3)), RuleId(9));
/// let test = || -> Verdict { Err(Refusal { rule: uphill }) };
/// let mut out = Offers::check(charge);
/// out.consider(charge, test);
/// assert_eq!(out.judgement(), Some(Err(Refusal { rule: uphill })));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The rule that forbids it.
    pub rule: RuleId,
}

/// Allowed, or refused by a rule.
pub type Verdict = Result<(), Refusal>;

/// With a tag of its own, not one folded into a field: it is looked at twice an action.
#[repr(u8)]
enum Mode<'a> {
    List(&'a mut Vec<Action>),
    Untested(&'a mut Urn),
    Check { wanted: Action, found: Option<Verdict>, kinds: Kinds },
    Any { found: bool },
}

/// Whether actions with the verb of the wanted one were considered, by the kinds of their targets.
#[derive(Clone, Copy, Default)]
struct Kinds {
    same: bool,
    other: bool,
}

/// Collects what a seat may do, or judges one action.
///
/// A procedure lists every action that *makes sense*, each with the test that allows it; which of the two is
/// going on it cannot tell, so that the list and the refusals cannot disagree.
///
/// ```
/// use adjutant_kernel::{Action, Offers, Refusal, RuleId, WordId};
/// fn orders(out: &mut Offers<'_>) {
///     let take = |n: i16| Action::new(WordId(3)).on(n);
///     for n in 1..=3 {
///         out.consider(take(n), || if n < 3 { Ok(()) } else { Err(Refusal { rule: RuleId(9) }) });
///     }
/// }
/// let mut list = Vec::new();
/// orders(&mut Offers::list(&mut list));
/// assert_eq!(list.len(), 2); // the third is not offered, and asked about it is refused by its rule
/// let mut out = Offers::check(Action::new(WordId(3)).on(3i16));
/// orders(&mut out);
/// assert_eq!(out.judgement(), Some(Err(Refusal { rule: RuleId(9) })));
/// ```
pub struct Offers<'a>(Mode<'a>);

/// What one action is drawn from: room that is used again and again ([`flow::draw`](crate::flow::draw)).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::decisions::Urn;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// let mut urn = Urn::default();
/// for turn in 0..3 {
///     assert!(flow::draw(&rulebook, &worker, &state, ids.seats[0], &mut urn, &mut |n| turn % n)?.is_some());
/// }
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Urn {
    /// What is known to be allowed.
    pub(crate) allowed: Vec<Action>,
    /// What makes sense, and is tested when it is drawn.
    pub(crate) untested: Vec<Action>,
}

impl<'a> Offers<'a> {
    /// Collects allowed actions into `list`.
    pub fn list(list: &'a mut Vec<Action>) -> Self {
        Self(Mode::List(list))
    }

    /// Collects all that makes sense into `urn`, without a test of any.
    pub(crate) fn untested(urn: &'a mut Urn) -> Self {
        Self(Mode::Untested(urn))
    }

    /// Judges `wanted`.
    pub fn check(wanted: Action) -> Self {
        Self(Mode::Check { wanted, found: None, kinds: Kinds::default() })
    }

    /// Finds out whether there is anything to do at all.
    pub(crate) fn any() -> Self {
        Self(Mode::Any { found: false })
    }

    /// An action that makes sense here; `test` says whether a rule forbids it.
    #[inline]
    pub fn consider(&mut self, action: Action, test: impl FnOnce() -> Verdict) {
        let [a, b, c, d] = action.targets;
        if !matches!(self.0, Mode::List(_)) && !self.wants(action.verb, a, b, c, d) {
            return;
        }
        // One call, so that the test is compiled in place.
        let verdict = test();
        match &mut self.0 {
            Mode::List(list) => {
                // Without a branch: which actions are forbidden cannot be predicted.
                list.push(action);
                list.truncate(list.len() - usize::from(verdict.is_err()));
            }
            Mode::Check { .. } | Mode::Any { .. } | Mode::Untested(_) => self.note(verdict),
        }
    }

    /// Keeps a verdict that was wanted.
    #[cold]
    fn note(&mut self, verdict: Verdict) {
        match &mut self.0 {
            Mode::List(_) | Mode::Untested(_) => {}
            Mode::Check { found, .. } => *found = Some(verdict),
            Mode::Any { found } => *found = verdict.is_ok(),
        }
    }

    /// Whether the verdict on an action is still wanted.
    ///
    /// It is given in parts, not by reference: so an action that is listed is never put together on the stack, from
    /// where it would be read wider than it was written, which stalls.
    #[cold]
    fn wants(&mut self, verb: WordId, a: Target, b: Target, c: Target, d: Target) -> bool {
        match &mut self.0 {
            Mode::List(_) => true,
            Mode::Untested(urn) => {
                urn.untested.push(Action { verb, targets: [a, b, c, d] });
                false
            }
            Mode::Check { wanted, found, kinds } => {
                if wanted.verb == verb {
                    let kind = std::mem::discriminant::<Target>;
                    let same = wanted.targets.map(|t| kind(&t)) == [a, b, c, d].map(|t| kind(&t));
                    kinds.same |= same;
                    kinds.other |= !same;
                }
                *wanted == (Action { verb, targets: [a, b, c, d] }) && !matches!(found, Some(Ok(())))
            }
            Mode::Any { found } => !*found,
        }
    }

    /// Whether a verdict on anything that begins so may be wanted: always while a list is made, and while an action is
    /// judged when that one begins so. A procedure whose tests need long preparations looks first.
    ///
    /// ```
    /// use adjutant_kernel::{Action, BodyId, Offers, SpaceId, WordId};
    /// let go = Action::new(WordId(3));
    /// let out = Offers::check(go.on(BodyId(1)).on(SpaceId(7)));
    /// assert!(out.concerns(&go) && out.concerns(&go.on(BodyId(1))) && !out.concerns(&go.on(BodyId(2))));
    /// ```
    pub fn concerns(&self, beginning: &Action) -> bool {
        match &self.0 {
            Mode::List(_) | Mode::Untested(_) => true,
            Mode::Check { wanted, .. } => {
                let mut given = beginning.given().zip(wanted.targets);
                wanted.verb == beginning.verb && given.all(|(given, wanted)| given == wanted)
            }
            Mode::Any { found } => !found,
        }
    }

    /// What an action that is judged is about first; `None` while a list is made. A procedure that goes through the whole
    /// map goes only there.
    ///
    /// ```
    /// use adjutant_kernel::decisions::Target;
    /// use adjutant_kernel::{Action, BodyId, Offers, SpaceId, WordId};
    /// let out = Offers::check(Action::new(WordId(3)).on(BodyId(1)).on(SpaceId(7)));
    /// assert_eq!(out.subject(), Some(Target::Body(BodyId(1))));
    /// assert_eq!(Offers::list(&mut Vec::new()).subject(), None);
    /// ```
    pub fn subject(&self) -> Option<Target> {
        match &self.0 {
            Mode::Check { wanted, .. } => Some(wanted.targets[0]),
            Mode::List(_) | Mode::Untested(_) | Mode::Any { .. } => None,
        }
    }

    /// An action that is allowed.
    #[inline]
    pub fn add(&mut self, action: Action) {
        self.decided(action, Ok(()));
    }

    /// An action that makes sense here, with a verdict that cost nothing to find.
    ///
    /// ```
    /// use adjutant_kernel::{Action, Offers, Refusal, RuleId, WordId};
    /// let halt = Action::new(WordId(3));
    /// let mut out = Offers::check(halt);
    /// out.decided(halt, Err(Refusal { rule: RuleId(9) }));
    /// assert_eq!(out.judgement(), Some(Err(Refusal { rule: RuleId(9) })));
    /// ```
    #[inline]
    pub fn decided(&mut self, action: Action, verdict: Verdict) {
        if let Mode::Untested(urn) = &mut self.0 {
            if verdict.is_ok() {
                urn.allowed.push(action);
            }
            return;
        }
        self.consider(action, || verdict);
    }

    /// Actions that make sense and are not listed, because they are without number or never allowed (marching
    /// three of a stack of two): an action of which `fits` says so is refused by a rule, instead of being
    /// nothing that can be done now. Call it after the actions that are listed; of several the first that fits
    /// counts. `fits` looks at nothing but what the seat may know. Where what was listed takes targets of other kinds,
    /// the action is a slip of the pen, and no rule forbids it.
    ///
    /// ```
    /// use adjutant_kernel::{Action, Offers, Refusal, RuleId, WordId};
    /// let take = |n: i16| Action::new(WordId(3)).on(n);
    /// let mut out = Offers::check(take(90)); // of a stack of two
    /// out.add(take(1));
    /// out.add(take(2));
    /// out.otherwise(RuleId(9), |action| action.verb == WordId(3));
    /// assert_eq!(out.judgement(), Some(Err(Refusal { rule: RuleId(9) })));
    /// // Nobody takes a space.
    /// let mut out = Offers::check(Action::new(WordId(3)).on(adjutant_kernel::SpaceId(1)));
    /// out.add(take(1));
    /// out.otherwise(RuleId(9), |action| action.verb == WordId(3));
    /// assert_eq!(out.judgement(), None);
    /// ```
    pub fn otherwise(&mut self, rule: RuleId, fits: impl FnOnce(&Action) -> bool) {
        if let Mode::Check { wanted, found: found @ None, kinds } = &mut self.0
            && (kinds.same || !kinds.other)
            && fits(wanted)
        {
            *found = Some(Err(Refusal { rule }));
        }
    }

    /// How many actions have been offered so far; 0 while judging, and the first alone counts while it is only asked
    /// whether there is anything to do.
    pub fn count(&self) -> usize {
        match &self.0 {
            Mode::List(list) => list.len(),
            Mode::Untested(urn) => urn.allowed.len() + urn.untested.len(),
            Mode::Check { .. } => 0,
            Mode::Any { found } => usize::from(*found),
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
            Mode::Check { .. } | Mode::Any { .. } | Mode::Untested(_) => None,
        }
    }

    /// The judgement: `None` when the action makes no sense here.
    pub fn judgement(self) -> Option<Verdict> {
        match self.0 {
            Mode::List(_) | Mode::Untested(_) | Mode::Any { .. } => None,
            Mode::Check { found, .. } => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO: Action = Action { verb: WordId(1), targets: [Target::None; 4] };
    const CLOSED: Refusal = Refusal { rule: RuleId(9) };

    /// Bodies 1 to 4, of which those of even numbers may go; counts the tests made and the bodies prepared for.
    fn procedure(out: &mut Offers<'_>) -> (u32, u32) {
        let (mut tests, mut prepared) = (0, 0);
        for n in 1..5 {
            let go = GO.on(BodyId(n));
            if out.concerns(&go) {
                prepared += 1;
                out.consider(go.on(SpaceId(n)), || {
                    tests += 1;
                    if n % 2 == 0 { Ok(()) } else { Err(CLOSED) }
                });
            }
        }
        (tests, prepared)
    }

    #[test]
    fn a_list_has_what_is_allowed() {
        let mut list = Vec::new();
        assert_eq!(procedure(&mut Offers::list(&mut list)), (4, 4));
        assert_eq!(list, [2, 4].map(|n| GO.on(BodyId(n)).on(SpaceId(n))));
    }

    #[test]
    fn what_makes_sense_is_listed_without_a_test() {
        let mut urn = Urn::default();
        let mut out = Offers::untested(&mut urn);
        assert_eq!(procedure(&mut out), (0, 4));
        out.add(GO);
        out.decided(GO.on(BodyId(9)), Err(CLOSED));
        assert_eq!(out.count(), 5);
        assert_eq!(urn.untested, [1, 2, 3, 4].map(|n| GO.on(BodyId(n)).on(SpaceId(n))));
        assert_eq!(urn.allowed, [GO]);
    }

    #[test]
    fn who_judges_one_action_prepares_for_it_alone() {
        let judge = |wanted| {
            let mut out = Offers::check(wanted);
            let work = procedure(&mut out);
            (work, out.judgement())
        };
        assert_eq!(judge(GO.on(BodyId(2)).on(SpaceId(2))), ((1, 1), Some(Ok(()))));
        assert_eq!(judge(GO.on(BodyId(3)).on(SpaceId(3))), ((1, 1), Some(Err(CLOSED))));
        assert_eq!(judge(GO.on(BodyId(3)).on(SpaceId(1))), ((0, 1), None));
        assert_eq!(judge(GO), ((0, 0), None));
        assert_eq!(judge(Action::new(WordId(2)).on(BodyId(2)).on(SpaceId(2))), ((0, 0), None));
    }

    #[test]
    fn the_first_offer_is_enough_to_know_that_there_is_one() {
        let mut out = Offers::any();
        assert_eq!(procedure(&mut out), (2, 2));
        assert_eq!(out.count(), 1);
        assert_eq!(Offers::any().count(), 0);
    }
}

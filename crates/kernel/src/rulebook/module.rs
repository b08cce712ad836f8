//! Native modules of rules.

use smallvec::SmallVec;

use crate::flow::{Cx, Halt};
use crate::ids::*;
use crate::knowledge::Seen;

/// The answer of the placement check, through which every way of entering a place goes (invariant 1).
///
/// ```
/// use adjutant_kernel::{BodyId, Placement, RuleId};
/// assert_eq!(Placement::Forbidden(RuleId(4)).forbidden(), Some(RuleId(4)));
/// // They may stand there, if somebody else leaves.
/// assert_eq!(Placement::Displaces([BodyId(2)].into_iter().collect(), RuleId(4)).forbidden(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// They may stand there.
    Allowed,
    /// They may enter but not stay: whoever brings them there must take them on, by this rule.
    MustGoOn(RuleId),
    /// They may stand there and these bodies must leave, by this rule.
    Displaces(SmallVec<[BodyId; 4]>, RuleId),
    /// They may not enter, by this rule.
    Forbidden(RuleId),
}

impl Placement {
    /// The rule that forbids it, if one does.
    pub fn forbidden(&self) -> Option<RuleId> {
        match self {
            Self::Forbidden(rule) => Some(*rule),
            _ => None,
        }
    }

    /// Of two answers the one that restricts more.
    pub(crate) fn stricter(self, other: Self) -> Self {
        let rank = |p: &Self| match p {
            Self::Allowed => 0,
            Self::Displaces(..) => 1,
            Self::MustGoOn(_) => 2,
            Self::Forbidden(_) => 3,
        };
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// A set of native rules. Its procedures are registered by name with the rulebook; what the kernel asks of it
/// directly is here.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{BodyId, Module, PlaceId, Placement, RuleId, Seen, WordId};
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// struct Swamp { place: PlaceId, rule: RuleId }
/// impl Module for Swamp {
///     fn name(&self) -> &str {
///         "swamp"
///     }
///     fn placement(&self, _: &Seen<'_>, _: WordId, _: &[BodyId], to: PlaceId) -> Placement {
///         if to == self.place { Placement::Forbidden(self.rule) } else { Placement::Allowed }
///     }
/// }
/// let (mut builder, ids) = Field::builder(|ids, cx| {
///     let stack: Vec<BodyId> = cx.read().bodies(ids.hill).collect();
///     let to = |space: adjutant_kernel::SpaceId| cx.placement(None, ids.march, &stack, PlaceId(space.0));
///     assert_eq!(to(ids.ford), Placement::Allowed);
///     assert_eq!(cx.placement(None, ids.march, &stack, PlaceId(2)), Placement::Forbidden(ids.rule));
///     Ok(())
/// });
/// builder.module(std::sync::Arc::new(Swamp { place: PlaceId(2), rule: ids.rule }));
/// # let rulebook = builder.build().unwrap();
/// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// ```
pub trait Module: Send + Sync + 'static {
    /// The module's name.
    fn name(&self) -> &str;

    /// The rule that it carries out, if it is one; switching that off takes the module out.
    fn rule(&self) -> Option<RuleId> {
        None
    }

    /// Whether `bodies` may come to stand in `to` for `cause` (march, retreat, reinforcement, ...). It reads
    /// what the moving side may know: what hangs on hidden bodies is a question, not a verdict.
    fn placement(&self, seen: &Seen<'_>, cause: WordId, bodies: &[BodyId], to: PlaceId) -> Placement {
        let _ = (seen, cause, bodies, to);
        Placement::Allowed
    }

    /// Called after a body was revealed, by whatever rule.
    ///
    /// # Errors
    /// What the operations called in it answer.
    fn revealed(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let _ = (cx, body);
        Ok(())
    }
}

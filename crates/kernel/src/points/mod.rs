//! Rule points: where a module or pack computes something that a title may want to change.
//!
//! A point declares its parameters, what it runs on and how contributions combine. Attachments return
//! contributions, each with its rule id (invariant 9), and carry a filter that is tested natively, so that code
//! runs only where it can matter. A point without attachments costs one load and one branch.

mod alike;
mod sieve;

use std::ops::ControlFlow;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::board::Board;
use crate::contributions::{Combine, Contribution, Contributions};
use crate::ids::*;
use crate::knowledge::{Seen, Sight};
use crate::rulebook::PieceSetDef;

use sieve::Sieve;

/// An argument of a point.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::points::{Attachment, Contribute, Filter, PointArg};
/// use adjutant_kernel::{RuleId, Sight};
/// # let (mut builder, ids) = Field::builder(|ids, cx| {
/// #     let horse = cx.read().body_of(ids.horse).unwrap();
/// #     assert_eq!(cx.total(ids.march_bonus, &[PointArg::Body(horse), PointArg::Number(2)])?, 3);
/// #     Ok(())
/// # });
/// // So much more as the second argument says, for a body that is known to be horse.
/// let bonus = move |sight: &dyn Sight, args: &[PointArg]| match args {
///     &[PointArg::Body(body), PointArg::Number(more), ..] => (sight.piece(body)? == ids.horse).then_some(more),
///     _ => None,
/// };
/// builder.attach(ids.march_bonus, Attachment {
///     rule: ids.rule,
///     filter: Filter::default(),
///     stage: 0,
///     contribute: Contribute::Native(std::sync::Arc::new(bonus)),
/// });
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let rulebook = builder.build().unwrap();
/// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointArg {
    /// A body.
    Body(BodyId),
    /// A side.
    Side(SideId),
    /// A space.
    Space(SpaceId),
    /// A link.
    Link(LinkId),
    /// A number.
    Number(i32),
    /// A word.
    Word(WordId),
}

impl PointArg {
    #[inline]
    fn body(&self) -> Option<BodyId> {
        match self {
            Self::Body(body) => Some(*body),
            _ => None,
        }
    }
}

/// What a point's attachments may look at.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::points::{PointArg, RunsOn};
/// Field::where_first(|ids, cx| {
///     let args = [PointArg::Space(ids.ford)];
///     let bonus = &cx.rulebook().points()[ids.march_bonus.index()];
///     assert_eq!(bonus.runs_on, RunsOn::Both); // so it may be asked for what a side knows and for the truth
///     assert_eq!((cx.seen(ids.blue).total(ids.march_bonus, &args), cx.total(ids.march_bonus, &args)?), (1, 1));
///     Ok(())
/// });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunsOn {
    /// What a side may know.
    Seen,
    /// The truth.
    Truth,
    /// Both, at different times: permissions.
    Both,
}

/// A declared point.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::contributions::Combine;
/// use adjutant_kernel::points::{PointDef, RunsOn};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let may_cross = builder.point(PointDef {
///     name: "may_cross".into(),
///     runs_on: RunsOn::Both, // a permission
///     combine: Combine::Any,
///     start: 0,
///     rules: vec![ids.rule],
/// });
/// # let rulebook = builder.build().unwrap();
/// assert_eq!(rulebook.point_named("may_cross"), Some(may_cross));
/// assert!(!rulebook.has_attachments(may_cross)); // asking it costs next to nothing
/// ```
#[derive(Clone, Debug)]
pub struct PointDef {
    /// Its name.
    pub name: String,
    /// What its attachments look at.
    pub runs_on: RunsOn,
    /// How contributions combine.
    pub combine: Combine,
    /// The value that contributions start from.
    pub start: i32,
    /// The rules that it stands for.
    pub rules: Vec<RuleId>,
}

/// When an attachment applies; every part that is given must hold. A part about bodies holds only when it is
/// *known* to hold, so a filter never tells what its reader may not know.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::points::{Attachment, Contribute, Filter, PointArg};
/// # let (mut builder, ids) = Field::builder(|ids, cx| {
/// #     assert_eq!(cx.total(ids.march_bonus, &[PointArg::Space(ids.ford)])?, 3);
/// #     assert_eq!(cx.total(ids.march_bonus, &[PointArg::Space(ids.hill)])?, 1);
/// #     Ok(())
/// # });
/// // Two more at the ford: a filter and a constant, and no code.
/// builder.attach(ids.march_bonus, Attachment {
///     rule: ids.rule,
///     filter: Filter { spaces: Some(vec![ids.ford]), ..Filter::default() },
///     stage: 0,
///     contribute: Contribute::Constant(2),
/// });
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let rulebook = builder.build().unwrap();
/// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Some body among the arguments is of this set.
    pub pieces: Option<PieceSetId>,
    /// A side among the arguments is one of these.
    pub sides: Option<Vec<SideId>>,
    /// A space among the arguments is one of these.
    pub spaces: Option<Vec<SpaceId>>,
    /// A link among the arguments is one of these.
    pub links: Option<Vec<LinkId>>,
    /// A space among the arguments has this feature.
    pub feature: Option<FeatureId>,
    /// A link among the arguments has this feature, or the border that it crosses.
    pub crossing: Option<FeatureId>,
    /// The sequence is in one of these phases.
    pub phases: Option<Vec<WordId>>,
    /// An option is on or off.
    pub option: Option<(OptionId, bool)>,
}

/// A native contribution: `None` when it has nothing to say.
///
/// ```
/// use adjutant_kernel::points::{NativePoint, PointArg};
/// use adjutant_kernel::Sight;
/// # use std::sync::Arc;
/// let in_autumn: NativePoint = Arc::new(|sight: &dyn Sight, _: &[PointArg]| sight.phase().map(|_| -1));
/// ```
pub type NativePoint = Arc<dyn Fn(&dyn Sight, &[PointArg]) -> Option<i32> + Send + Sync>;

/// What an attachment contributes.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::points::{Attachment, Contribute, Filter};
/// # let (mut builder, ids) = Field::builder(|ids, cx| {
/// #     assert_eq!(cx.total(ids.march_bonus, &[])?, 5);
/// #     Ok(())
/// # });
/// for contribute in [
///     Contribute::Constant(4),
///     Contribute::Native(std::sync::Arc::new(|_, _| None)), // nothing to say
/// ] {
///     let attachment = Attachment { rule: ids.rule, filter: Filter::default(), stage: 0, contribute };
///     builder.attach(ids.march_bonus, attachment);
/// }
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let rulebook = builder.build().unwrap();
/// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// ```
#[derive(Clone)]
pub enum Contribute {
    /// Always this; a permission forbids with any value but 0.
    Constant(i32),
    /// What native code says.
    Native(NativePoint),
    /// What the script with this number says; see [`ScriptHost`](crate::worker::ScriptHost).
    Script(u32),
}

/// Something attached to a point.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::points::{Attachment, Contribute, Filter};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let forced_march = builder.rule("field:4");
/// builder.attach(ids.march_bonus, Attachment {
///     rule: forced_march,
///     filter: Filter::default(),
///     stage: 0,
///     contribute: Contribute::Constant(1),
/// });
/// builder.switch_off(forced_march); // an overlay may
/// # let rulebook = builder.build().unwrap();
/// assert!(!rulebook.has_attachments(ids.march_bonus));
/// ```
#[derive(Clone)]
pub struct Attachment {
    /// The rule that it carries out.
    pub rule: RuleId,
    /// When it applies.
    pub filter: Filter,
    /// The stage of a point with stages.
    pub stage: u8,
    /// What it contributes.
    pub contribute: Contribute,
}

impl Attachment {
    #[inline]
    fn value<S: Sight>(&self, sight: &S, args: &[PointArg], scripts: &mut RunScript<'_>) -> Option<i32> {
        match &self.contribute {
            Contribute::Constant(value) => Some(*value),
            Contribute::Native(native) => native(sight, args),
            Contribute::Script(script) => scripts(*script, sight, args),
        }
    }
}

/// What a permission point says of a case to whomever it applies: who asks it for many bodies asks what they have in
/// common once. It is of one position, as one viewer knows it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::points::{Alike, Attachment, Contribute, Filter, PointArg};
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = Field::builder(|ids, cx| {
/// let seen = cx.seen(ids.blue);
/// let alike: Alike<'_> = seen.alike(ids.march_bonus, &[PointArg::Space(ids.ford)]);
/// let horse = cx.read().body_of(ids.horse).unwrap();
/// assert_eq!(alike.forbidden(&[horse]), Some(ids.rule));
/// assert_eq!(alike.forbidden(&[]), None);
/// #     Ok(())
/// # });
/// # let filter = Filter { pieces: Some(ids.real), ..Filter::default() };
/// # let contribute = Contribute::Constant(1);
/// # builder.attach(ids.march_bonus, Attachment { rule: ids.rule, filter, stage: 0, contribute });
/// # let rulebook = builder.build().unwrap();
/// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// ```
#[derive(Clone)]
pub struct Alike<'a> {
    seen: Seen<'a>,
    point: PointId,
    args: SmallVec<[PointArg; 6]>,
    /// Attachments that may look at the bodies and come before the one that forbids it to all.
    open: SmallVec<[u64; 1]>,
    forbids: Option<RuleId>,
}

/// What is attached to a point, in layer order.
#[derive(Default)]
pub(crate) struct Attachments {
    list: Vec<Attachment>,
    /// Made when the rulebook is: one for as many attachments as it holds.
    sieves: Vec<Sieve>,
}

impl Attachments {
    pub(crate) fn push(&mut self, attachment: Attachment) {
        self.list.push(attachment);
    }

    /// Drops what is attached for some rules and makes the rest ready for use.
    pub(crate) fn settle(&mut self, off: &[RuleId], board: &Board, sets: &[PieceSetDef]) {
        self.list.retain(|attachment| !off.contains(&attachment.rule));
        self.sieves = self.list.chunks(sieve::MOST).map(|part| Sieve::new(part, board, sets)).collect();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All, in layer order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Attachment> {
        self.list.iter()
    }

    /// Goes through the contributions, in layer order, until one breaks it off.
    #[inline]
    fn each<S: Sight>(
        &self,
        sight: &S,
        args: &[PointArg],
        scripts: &mut RunScript<'_>,
        mut take: impl FnMut(Contribution) -> ControlFlow<()>,
    ) {
        for (sieve, part) in self.sieves.iter().zip(self.list.chunks(sieve::MOST)) {
            let mut left = sieve.sift(args);
            if left != 0 {
                left &= sieve.sift_pieces(sight, args.iter().filter_map(PointArg::body));
            }
            while left != 0 {
                let attachment = &part[left.trailing_zeros() as usize];
                left &= left - 1;
                if !sieve::applies(attachment, sight) || !sieve::admits(attachment, sight, args) {
                    continue;
                }
                if let Some(value) = attachment.value(sight, args, scripts)
                    && take(Contribution { rule: attachment.rule, value, stage: attachment.stage }).is_break()
                {
                    return;
                }
            }
        }
    }

    /// What a permission point says before it is known which bodies it is about: the attachments that may look at them,
    /// a bit each, and the rule that forbids it to all others. `takes` says how many arguments a script looks at.
    fn alike<S: Sight>(
        &self,
        sight: &S,
        args: &[PointArg],
        takes: &dyn Fn(u32) -> usize,
        scripts: &mut RunScript<'_>,
    ) -> (SmallVec<[u64; 1]>, Option<RuleId>) {
        let mut all_open = SmallVec::new();
        for (sieve, part) in self.sieves.iter().zip(self.list.chunks(sieve::MOST)) {
            let (mut left, mut open) = (sieve.sift(args), 0);
            while left != 0 {
                let bit = left & left.wrapping_neg();
                let attachment = &part[left.trailing_zeros() as usize];
                left ^= bit;
                if !sieve::applies(attachment, sight) {
                    continue;
                }
                let is_alike = attachment.filter.pieces.is_none()
                    && match attachment.contribute {
                        Contribute::Constant(_) => true,
                        Contribute::Native(_) => false,
                        Contribute::Script(script) => takes(script) <= args.len(),
                    };
                if !is_alike {
                    open |= bit;
                } else if attachment.value(sight, args, scripts).is_some_and(|value| value != 0) {
                    all_open.push(open);
                    return (all_open, Some(attachment.rule));
                }
            }
            all_open.push(open);
        }
        (all_open, None)
    }

    /// The first of the attachments left over by [`alike`](Self::alike) that forbids it to some bodies: its rule.
    fn forbids_some<S: Sight>(
        &self,
        all_open: &[u64],
        sight: &S,
        args: &[PointArg],
        bodies: &[BodyId],
        scripts: &mut RunScript<'_>,
    ) -> Option<RuleId> {
        let mut all_args: SmallVec<[PointArg; 12]> = SmallVec::new();
        for ((open, sieve), part) in all_open.iter().zip(&self.sieves).zip(self.list.chunks(sieve::MOST)) {
            let mut left = open & sieve.sift_pieces(sight, bodies.iter().copied());
            if left != 0 && all_args.is_empty() {
                all_args.extend_from_slice(args);
                all_args.extend(bodies.iter().map(|body| PointArg::Body(*body)));
            }
            while left != 0 {
                let attachment = &part[left.trailing_zeros() as usize];
                left &= left - 1;
                if sieve::admits(attachment, sight, &all_args)
                    && attachment.value(sight, &all_args, scripts).is_some_and(|value| value != 0)
                {
                    return Some(attachment.rule);
                }
            }
        }
        None
    }
}

/// Runs a script by number.
pub(crate) type RunScript<'a> = dyn FnMut(u32, &dyn Sight, &[PointArg]) -> Option<i32> + 'a;

/// Gathers the contributions of a point's attachments, in layer order.
pub(crate) fn gather<S: Sight>(
    attachments: &Attachments,
    start: i32,
    sight: &S,
    args: &[PointArg],
    scripts: &mut RunScript<'_>,
) -> Contributions {
    let mut list = Contributions::new(start);
    attachments.each(sight, args, scripts, |contribution| {
        list.push(contribution);
        ControlFlow::Continue(())
    });
    list
}

/// The first attachment that forbids, as a permission point has them: its rule. Those after it are not asked.
pub(crate) fn forbids<S: Sight>(
    attachments: &Attachments,
    sight: &S,
    args: &[PointArg],
    scripts: &mut RunScript<'_>,
) -> Option<RuleId> {
    let mut first = None;
    attachments.each(sight, args, scripts, |contribution| {
        if contribution.value == 0 {
            return ControlFlow::Continue(());
        }
        first = Some(contribution.rule);
        ControlFlow::Break(())
    });
    first
}

/// Up to four arguments, kept in place.
///
/// ```
/// use adjutant_kernel::points::{PointArg, PointArgs};
/// use adjutant_kernel::{BodyId, SpaceId};
/// let args: PointArgs = [PointArg::Body(BodyId(3)), PointArg::Space(SpaceId(7))].into_iter().collect();
/// assert!(!args.spilled()); // kept in place
/// ```
pub type PointArgs = SmallVec<[PointArg; 4]>;

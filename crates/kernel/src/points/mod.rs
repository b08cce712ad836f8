//! Rule points: where a module or pack computes something that a title may want to change.
//!
//! A point declares its parameters, what it runs on and how contributions combine. Attachments return
//! contributions, each with its rule id (invariant 9), and carry a filter that is tested natively, so that code
//! runs only where it can matter. A point without attachments costs one load and one branch.

mod sieve;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::board::Board;
use crate::contributions::{Combine, Contribution, Contributions};
use crate::ids::*;
use crate::knowledge::Sight;

use sieve::Sieve;

/// An argument of a point.
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

/// What a point's attachments may look at.
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
pub type NativePoint = Arc<dyn Fn(&dyn Sight, &[PointArg]) -> Option<i32> + Send + Sync>;

/// What an attachment contributes.
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
    pub(crate) fn settle(&mut self, off: &[RuleId], board: &Board) {
        self.list.retain(|attachment| !off.contains(&attachment.rule));
        self.sieves = self.list.chunks(sieve::MOST).map(|part| Sieve::new(part, board)).collect();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All, in layer order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Attachment> {
        self.list.iter()
    }

    /// Goes through the contributions, in layer order.
    #[inline]
    fn each<S: Sight>(
        &self,
        sight: &S,
        args: &[PointArg],
        scripts: &mut RunScript<'_>,
        mut take: impl FnMut(Contribution),
    ) {
        for (sieve, part) in self.sieves.iter().zip(self.list.chunks(sieve::MOST)) {
            let mut left = sieve.sift(args);
            while left != 0 {
                let attachment = &part[left.trailing_zeros() as usize];
                left &= left - 1;
                if !sieve::admits(attachment, sight, args) {
                    continue;
                }
                let value = match &attachment.contribute {
                    Contribute::Constant(value) => Some(*value),
                    Contribute::Native(native) => native(sight, args),
                    Contribute::Script(script) => scripts(*script, sight, args),
                };
                if let Some(value) = value {
                    take(Contribution { rule: attachment.rule, value, stage: attachment.stage });
                }
            }
        }
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
    attachments.each(sight, args, scripts, |contribution| list.push(contribution));
    list
}

/// The first attachment that forbids, as a permission point has them: its rule.
pub(crate) fn forbids<S: Sight>(
    attachments: &Attachments,
    sight: &S,
    args: &[PointArg],
    scripts: &mut RunScript<'_>,
) -> Option<RuleId> {
    let mut first = None;
    attachments.each(sight, args, scripts, |contribution| {
        if contribution.value != 0 {
            first.get_or_insert(contribution.rule);
        }
    });
    first
}

/// Up to four arguments, kept in place.
pub type PointArgs = SmallVec<[PointArg; 4]>;

//! Rule points: where a module or pack computes something that a title may want to change.
//!
//! A point declares its parameters, what it runs on and how contributions combine. Attachments return
//! contributions, each with its rule id (invariant 9), and carry a filter that is tested natively, so that code
//! runs only where it can matter. A point without attachments costs one load and one branch.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::contributions::{Combine, Contribution, Contributions};
use crate::ids::*;
use crate::knowledge::Sight;

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
    /// The sequence is in one of these phases.
    pub phases: Option<Vec<WordId>>,
    /// An option is on or off.
    pub option: Option<(OptionId, bool)>,
}

impl Filter {
    /// Whether the filter lets a call through.
    pub fn admits(&self, sight: &dyn Sight, args: &[PointArg]) -> bool {
        fn among<T>(wanted: &Option<Vec<T>>, mut test: impl FnMut(&T) -> bool) -> bool {
            wanted.as_ref().is_none_or(|list| list.iter().any(&mut test))
        }
        self.option.is_none_or(|(option, on)| sight.option(option) == on)
            && among(&self.phases, |p| sight.phase() == Some(*p))
            && among(&self.sides, |s| args.contains(&PointArg::Side(*s)))
            && among(&self.spaces, |s| args.contains(&PointArg::Space(*s)))
            && among(&self.links, |l| args.contains(&PointArg::Link(*l)))
            && self.feature.is_none_or(|f| {
                args.iter().any(|a| match a {
                    PointArg::Space(s) => sight.rulebook().board().has_feature_space(*s, f),
                    _ => false,
                })
            })
            && self.pieces.is_none_or(|set| {
                args.iter().any(|a| match a {
                    PointArg::Body(b) => sight.is(*b, set).is_yes(),
                    _ => false,
                })
            })
    }
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

/// Runs a script by number.
pub(crate) type RunScript<'a> = dyn FnMut(u32, &dyn Sight, &[PointArg]) -> Option<i32> + 'a;

/// Gathers the contributions of a point's attachments, in layer order.
pub(crate) fn gather(
    attachments: &[Attachment],
    start: i32,
    sight: &dyn Sight,
    args: &[PointArg],
    scripts: &mut RunScript<'_>,
) -> Contributions {
    let mut list = Contributions::new(start);
    for attachment in attachments {
        if sight.skips(attachment.rule) || !attachment.filter.admits(sight, args) {
            continue;
        }
        let value = match &attachment.contribute {
            Contribute::Constant(value) => Some(*value),
            Contribute::Native(native) => native(sight, args),
            Contribute::Script(script) => scripts(*script, sight, args),
        };
        if let Some(value) = value {
            list.push(Contribution { rule: attachment.rule, value, stage: attachment.stage });
        }
    }
    list
}

/// The first attachment that forbids, as a permission point has them: its rule.
pub(crate) fn forbids(
    attachments: &[Attachment],
    sight: &dyn Sight,
    args: &[PointArg],
    scripts: &mut RunScript<'_>,
) -> Option<RuleId> {
    gather(attachments, 0, sight, args, scripts).iter().find(|c| c.value != 0).map(|c| c.rule)
}

/// Up to four arguments, kept in place.
pub type PointArgs = SmallVec<[PointArg; 4]>;

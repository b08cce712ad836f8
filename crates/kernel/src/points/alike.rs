//! One permission asked for many bodies.

use smallvec::SmallVec;

use super::{Alike, PointArg};
use crate::ids::*;
use crate::knowledge::{Seen, Sight as _};

impl<'a> Seen<'a> {
    /// What a permission point says of a case whichever bodies it is about; `args` are what it is asked before them.
    #[inline]
    pub fn alike(&self, point: PointId, args: &[PointArg]) -> Alike<'a> {
        let mut alike = Alike {
            seen: *self,
            point,
            args: SmallVec::from_slice(args),
            open: SmallVec::new(),
            forbids: None,
        };
        let attachments = &self.rulebook().attachments[point.index()];
        if !attachments.is_empty() {
            let takes = |script| self.host().map_or(usize::MAX, |host| host.takes(script));
            (alike.open, alike.forbids) =
                attachments.alike(self, args, &takes, &mut |script, sight, args| {
                    self.host().and_then(|host| host.call(script, sight, args))
                });
        }
        alike
    }
}

impl Alike<'_> {
    /// The rule by which the point forbids it to some bodies, as far as the viewer may know: what
    /// [`Seen::forbidden`] answers for the arguments and then the bodies.
    #[inline]
    pub fn forbidden(&self, bodies: &[BodyId]) -> Option<RuleId> {
        if self.open.iter().all(|open| *open == 0) {
            return self.forbids;
        }
        let seen = &self.seen;
        let attachments = &seen.rulebook().attachments[self.point.index()];
        let scripts = &mut |script, sight: &dyn crate::knowledge::Sight, args: &[PointArg]| {
            seen.host().and_then(|host| host.call(script, sight, args))
        };
        attachments.forbids_some(&self.open, seen, &self.args, bodies, scripts).or(self.forbids)
    }
}

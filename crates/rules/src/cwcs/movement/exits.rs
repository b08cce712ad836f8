//! Ways off the map (7.12.c).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::state::Position;
use adjutant_kernel::{BodyId, Cx, Halt, RuleId, SideId, SpaceId, Verdict, WordId};

use super::super::Cwcs;
use super::super::units::Bodies;
use super::mover::{Mover, refused};
use super::ways::WayArgs;

impl Mover<'_> {
    /// Whether a group may leave the map: from an area at its edge, if the title is not against it.
    pub(super) fn may_exit_the_map(&self, group: &[BodyId], from: SpaceId) -> Verdict {
        self.cw.may_leave_map(self.seen, (self.side, from), self.cw.movement.w.move_, group)?;
        self.may_set_out(group)
    }
}

impl Cwcs {
    /// Whether units may leave the map from an area for some cause, as far as their side knows (7.12.c, and the title).
    pub(crate) fn may_leave_map(
        &self,
        seen: &Seen<'_>,
        (side, from): (SideId, SpaceId),
        cause: WordId,
        units: &[BodyId],
    ) -> Verdict {
        let rule = self.movement.rules.off_map;
        if !seen.rulebook().board().has_feature_space(from, self.map.map_edge) || !seen.rule_on(rule) {
            return refused(rule);
        }
        let mut args = WayArgs::new();
        args.extend([PointArg::Side(side), PointArg::Space(from), PointArg::Word(cause)]);
        args.extend(units.iter().map(|&unit| PointArg::Body(unit)));
        seen.forbidden(self.points.may_exit_the_map, &args).map_or(Ok(()), refused)
    }

    /// Units leave the map for the rest of the game, by a rule.
    pub(crate) fn leave_map(&self, cx: &mut Cx<'_>, group: &[BodyId], rule: RuleId) -> Result<(), Halt> {
        let side = group.first().and_then(|&body| cx.read().side(body));
        let Some(side) = side else { return Err(cx.fault("nobody leaves the map")) };
        let bodies: Bodies = group.iter().copied().collect();
        let w = &self.movement.w;
        cx.story(w.leaves_map, Some(rule), |e| {
            e.arg(self.w.units, Arg::KnownBodies(bodies));
            e.arg(self.w.side, Arg::Side(side));
        });
        for &body in group {
            cx.clear_markers(body)?;
        }
        cx.lapse_about(group, false)?;
        cx.move_group(w.exit, group, Dest::Place(self.boxes(side).exited, Position::Bottom))?;
        Ok(())
    }
}

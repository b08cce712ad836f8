//! Ways off the map (7.12.c).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Sight as _;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::state::Position;
use adjutant_kernel::{BodyId, Cx, Halt, RuleId, SpaceId, Verdict};

use super::super::Cwcs;
use super::super::units::Bodies;
use super::mover::{Mover, refused};
use super::ways::WayArgs;

impl Mover<'_> {
    /// Whether a group may leave the map: from an area at its edge, if the title is not against it.
    pub(super) fn may_exit_the_map(&self, group: &[BodyId], from: SpaceId) -> Verdict {
        let cw = self.cw;
        if !self.seen.rulebook().board().has_feature_space(from, cw.map.map_edge) {
            return refused(cw.movement.rules.off_map);
        }
        self.may_set_out(group)?;
        let mut args = WayArgs::new();
        args.extend([PointArg::Side(self.side), PointArg::Space(from), PointArg::Word(cw.movement.w.move_)]);
        args.extend(group.iter().map(|&body| PointArg::Body(body)));
        self.seen.forbidden(cw.points.may_exit_the_map, &args).map_or(Ok(()), refused)
    }
}

impl Cwcs {
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
            self.leave(cx, body)?;
        }
        cx.lapse_about(group, false)?;
        cx.move_group(w.exit, group, Dest::Place(self.boxes(side).exited, Position::Bottom))?;
        Ok(())
    }
}

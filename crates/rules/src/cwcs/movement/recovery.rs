//! Recovery of stragglers (7.4), at the end of a Movement Phase, for those who stood still.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Sight as _, Tri};
use adjutant_kernel::ops::Telling;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{Audience, BodyId, Cx, Halt, SideId, SpaceId};

use super::super::Cwcs;
use super::super::units::Bodies;

/// Points that come back in a turn: to cavalry, and to infantry that cavalry helps.
const FAST: i32 = 2;
/// To infantry by itself.
const SLOW: i32 = 1;

impl Cwcs {
    /// Whoever stood still recovers stragglers, where no real enemy unit is.
    pub(super) fn recover_stragglers(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        if !cx.rule_on(self.movement.rules.recovery) {
            return Ok(());
        }
        for area in self.map.areas.iter().copied() {
            let resting: Bodies =
                self.here(cx, side, area).into_iter().filter(|&body| self.stood_still(cx, body)).collect();
            let wanted = resting.iter().any(|&body| self.recoverable(cx, body) > 0);
            let undisturbed = wanted && !self.is_disturbed(cx, side, area)?;
            let sets = &self.pieces.sets;
            // Cavalry that has stragglers of its own sees to them.
            let helps = |&body: &BodyId| {
                cx.read().is(body, sets.cavalry)
                    && cx.get(self.columns.stragglers, cx.read().piece(body)) == 0
            };
            let helped = resting.iter().any(helps) && cx.rule_on(self.movement.rules.recovery_help);
            for body in resting {
                let most = if undisturbed { self.recoverable(cx, body) } else { 0 };
                self.recover_some(cx, (side, area), body, most, helped)?;
            }
        }
        Ok(())
    }

    /// Whether a unit was in its area all through the phase.
    fn stood_still(&self, cx: &Cx<'_>, body: BodyId) -> bool {
        cx.get(self.columns.moved, body) == 0
            && cx.get(self.movement.marks.group, body) == 0
            && !cx.flag(self.columns.force_marching, body)
    }

    /// How many points a unit may ever get back now: infantry and cavalry, what they did not lose this turn (7.4).
    fn recoverable(&self, cx: &Cx<'_>, body: BodyId) -> i32 {
        let (read, sets) = (cx.read(), &self.pieces.sets);
        if !read.is(body, sets.foot) && !read.is(body, sets.cavalry) {
            return 0;
        }
        let piece = read.piece(body);
        let fresh = match cx.rule_on(self.movement.rules.recovery_later) {
            true => cx.get(self.movement.marks.straggled, piece),
            false => 0,
        };
        (cx.get(self.columns.stragglers, piece) - fresh).max(0)
    }

    /// Whether a real enemy unit is in the area; the side alone is told (7.41).
    fn is_disturbed(&self, cx: &mut Cx<'_>, side: SideId, area: SpaceId) -> Result<bool, Halt> {
        let rule = self.movement.rules.recovery_alone;
        let foes = self.here(cx, self.enemy(side), area);
        if !cx.rule_on(rule) {
            return Ok(false);
        }
        match cx.seen(side).any(self.pieces.sets.units, &foes) {
            Tri::No => Ok(false),
            Tri::Yes => Ok(true),
            Tri::Unknown => {
                let (question, about, audience) = (self.questions.units, About::Bodies, Audience::side(side));
                let lapse = self.moments.movement_ends;
                Ok(cx.tell(Telling { question, bodies: &foes, about, audience, rule, lapse })? != 0)
            }
        }
    }

    /// A unit recovers what it can, at most so many points: nothing perhaps, which looks no different.
    fn recover_some(
        &self,
        cx: &mut Cx<'_>,
        (side, area): (SideId, SpaceId),
        body: BodyId,
        most: i32,
        helped: bool,
    ) -> Result<(), Halt> {
        let (rules, sets) = (&self.movement.rules, &self.pieces.sets);
        let (rate, rule) = match (cx.read().is(body, sets.cavalry), helped) {
            (true, _) => (FAST, rules.recovery_horse),
            (false, true) => (FAST, rules.recovery_help),
            (false, false) => (SLOW, rules.recovery_foot),
        };
        let args = [PointArg::Side(side), PointArg::Space(area), PointArg::Body(body)];
        let points = (rate + cx.total(self.points.recovery, &args)?).clamp(0, most);
        // What all see of it names the rule of them all: another would tell horse from foot.
        let back = self.recover(cx, body, points, rules.recovery)?;
        if back > 0 {
            let w = &self.movement.w;
            cx.story_for(w.recovers, Audience::side(side), Some(rule), |e| {
                e.arg(self.w.unit, Arg::KnownBodies(Bodies::from_slice(&[body])));
                e.arg(self.w.points, Arg::Number(back));
            });
        }
        Ok(())
    }
}

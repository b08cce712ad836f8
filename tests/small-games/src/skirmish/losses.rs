//! Lost steps and eliminated units (sk:2.a, sk:9.a).

use adjutant_kernel::events::Arg;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::Position;
use adjutant_kernel::{BodyId, Cx, Halt, RuleId};

use super::Skirmish;

impl Skirmish {
    /// A unit loses a step by a rule, and its side a point of morale: at none the game ends here and now.
    pub(crate) fn lose_step(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let steps = cx.get(self.columns.steps, body);
        self.lose_steps(cx, body, steps.min(1), rule)
    }

    /// A unit is eliminated by a rule with all the steps that it has.
    pub(crate) fn eliminate(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let steps = cx.get(self.columns.steps, body);
        self.lose_steps(cx, body, steps, rule)
    }

    /// Morale goes last, so that the position is as it should be when it ends the game.
    fn lose_steps(&self, cx: &mut Cx<'_>, body: BodyId, count: i32, rule: RuleId) -> Result<(), Halt> {
        let left = cx.get(self.columns.steps, body) - count;
        cx.set(self.columns.steps, body, left)?;
        if left == 0 {
            cx.story(self.words.eliminated, Some(rule), |e| e.arg(self.words.unit, Arg::Body(body)));
            cx.set(self.columns.target, body, -1)?;
            cx.move_group(self.words.elimination, &[body], Dest::Place(self.away, Position::Bottom))?;
        }
        if left > 0 && count > 0 {
            let words = &self.words;
            cx.story(words.step_lost, Some(rule), |e| {
                e.arg(words.unit, Arg::Body(body));
                e.arg(words.left, Arg::Number(left));
            });
        }
        let side = self.unit(body).side;
        let morale = cx.get(self.columns.morale, side);
        cx.set(self.columns.morale, side, (morale - count).max(0))
    }
}

//! Force march (7.3): an area more, for those who can, along roads.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Sight as _;
use adjutant_kernel::{BodyId, Cx, Halt, LinkId, Refusal, SideId, SpaceId, Verdict};

use super::super::Cwcs;
use super::super::leaders::Line;
use super::super::units::Bodies;
use super::mover::{Mover, refused};

impl Mover<'_> {
    /// Whether a force march may be declared for units, before the first of them has moved (7.3, 7.31).
    pub(super) fn may_declare(&self, group: &[BodyId]) -> Verdict {
        let rules = &self.cw.movement.rules;
        for &body in group {
            self.marches(body)?;
            if self.is_force_marching(body) {
                return refused(rules.marches);
            }
            self.may_march(body)?;
            if self.moved(body) > 0 {
                return refused(rules.march_first);
            }
        }
        self.has_a_road(group)
    }

    /// Whether those who would force march can go anywhere by it, over some link out of their area: no road is known off the map. What
    /// the title has against it says more than 7.32.
    fn has_a_road(&self, group: &[BodyId]) -> Verdict {
        let Some(from) = group.first().and_then(|&body| self.seen.space(body)) else { return Ok(()) };
        let rules = &self.cw.movement.rules;
        let is_common = |refusal: &Refusal| {
            [rules.march_river, rules.march_road, rules.march_terrain].contains(&refusal.rule)
        };
        let mut against: Option<Refusal> = None;
        for gate in self.gates(from).iter().filter(|gate| self.leads(gate)) {
            match self.may_pass(gate, group, from, true) {
                Ok(()) => return Ok(()),
                Err(refusal) if against.as_ref().is_none_or(is_common) => against = Some(refusal),
                Err(_) => {}
            }
        }
        against.map_or(Ok(()), Err)
    }

    /// Who may force march at all: cavalry, artillery, garrisons, infantry with a line to its officer, leaders (7.31),
    /// and dummies as what they stand for (3.23).
    fn may_march(&self, body: BodyId) -> Verdict {
        let (cw, rules, sets) = (self.cw, &self.cw.movement.rules, &self.cw.pieces.sets);
        let is = |set| self.is(body, set);
        if is(sets.militia) {
            return refused(rules.no_militia);
        }
        if self.seen.flag(cw.columns.spent, body) {
            return refused(rules.spent_stays);
        }
        if self.seen.flag(cw.columns.ineffective, body) {
            return refused(rules.march_ineffective);
        }
        if is(sets.infantry) {
            let line = cw.line(self.seen, body).unwrap_or(Line::Whole.value());
            return if line >= Line::Officer.value() { Ok(()) } else { refused(rules.march_line) };
        }
        let others = [sets.cavalry, sets.artillery, sets.garrison, sets.leaders, sets.dummies];
        if others.into_iter().any(is) { Ok(()) } else { refused(rules.may_march) }
    }

    /// Whether units that force march may go over a link: every area of their way is bound by 7.32.
    pub(super) fn may_march_over(&self, from: SpaceId, to: SpaceId, link: LinkId) -> Verdict {
        let (map, rules) = (&self.cw.map, &self.cw.movement.rules);
        let board = self.seen.rulebook().board();
        let on = |rule| self.seen.rule_on(rule);
        let hard = [map.rough, map.swamp, map.mountain];
        let is_hard = |area| hard.iter().any(|terrain| board.has_feature_space(area, *terrain));
        // First of all the country that nobody force marches out of, wherever he goes.
        if is_hard(from) && on(rules.march_terrain) {
            return refused(rules.march_terrain);
        }
        if map.is_over_river(board, link) && on(rules.march_river) {
            return refused(rules.march_river);
        }
        if !map.is_road(board, link) && on(rules.march_road) {
            return refused(rules.march_road);
        }
        let border = board.border_between(from, to);
        let ridge = border.is_some_and(|border| board.has_feature_border(border, map.ridge));
        if (is_hard(to) || ridge) && on(rules.march_terrain) {
            return refused(rules.march_terrain);
        }
        Ok(())
    }
}

impl Cwcs {
    /// Units are said to force march in this phase, and are marked so (7.31.a).
    pub(super) fn declare_force_march(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
    ) -> Result<(), Halt> {
        for &body in group {
            cx.set(self.columns.force_marching, body, 1)?;
        }
        let bodies: Bodies = group.iter().copied().collect();
        let w = &self.movement.w;
        cx.story(w.force_marches, Some(self.movement.rules.march_first), |e| {
            e.arg(self.w.units, Arg::KnownBodies(bodies));
            e.arg(self.w.side, Arg::Side(side));
        });
        Ok(())
    }
}

//! Troop density (7.6, option): through an enemy who is strong enough nobody passes.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Input};
use adjutant_kernel::{BodyId, Cx, Halt, LinkId, PlaceId, SideId, SpaceId, Verdict};
use smallvec::SmallVec;

use super::super::Cwcs;
use super::mover::{Mover, refused};

/// What a side was told of an area, as the column `dense` has it.
const PASSABLE: i32 = 1;
const DENSE: i32 = 2;

/// Which way a link is gone, as the column `barred` has it.
fn direction(from: SpaceId, to: SpaceId) -> i32 {
    if from < to { 1 } else { 2 }
}

impl Mover<'_> {
    /// Whether troops in an area could bar the way into the next: it is nearer to their Home Area than they are.
    fn is_ahead(&self, from: SpaceId, to: SpaceId) -> bool {
        self.ahead().of(to).zip(self.ahead().of(from)).is_some_and(|(to, from)| to < from)
    }

    /// Whether a group may try to pass the enemy in its area.
    pub(super) fn may_pass_troops(&self, group: &[BodyId], from: SpaceId, to: SpaceId) -> Verdict {
        let (movement, rules) = (&self.cw.movement, &self.cw.movement.rules);
        if !self.seen.option(movement.troop_density) || !self.seen.rule_on(rules.density) {
            return Ok(());
        }
        let enemy = self.cw.enemy(self.side);
        let is_secret = self.cw.hides_home(self.seen, enemy);
        if is_secret && self.seen.bodies_of(enemy, from).is_empty() || !is_secret && !self.is_ahead(from, to)
        {
            return Ok(());
        }
        if is_secret && self.cw.is_told_barred(self.seen, self.side, from, to) {
            return refused(rules.density);
        }
        match self.seen.get(movement.marks.dense, (from, self.side)).unwrap_or(0) {
            PASSABLE => Ok(()),
            DENSE => refused(rules.density),
            // Dummies cannot make the enemy say how strong he is.
            _ if group.iter().all(|&body| self.is_dummy(body)) => refused(rules.not_by_dummies),
            _ => Ok(()),
        }
    }
}

impl Cwcs {
    /// Whether who looks may not know where a side has its Home Area.
    fn hides_home(&self, seen: &Seen<'_>, side: SideId) -> bool {
        self.map.areas.iter().all(|&area| seen.get(self.columns.home, (area, side)).is_none())
    }

    /// Whether a side was told in this phase that a way is barred.
    fn is_told_barred(&self, seen: &Seen<'_>, side: SideId, from: SpaceId, to: SpaceId) -> bool {
        let barred = self.movement.marks.barred;
        self.links_between(seen, from, to)
            .any(|link| seen.get(barred, (link, side)) == Some(direction(from, to)))
    }

    /// A group tries to pass the enemy in its area: he says whether he is too many. Whether it must stay, which costs
    /// an area.
    pub(super) fn is_too_dense(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
        from: SpaceId,
        to: SpaceId,
    ) -> Result<bool, Halt> {
        let (marks, rules) = (&self.movement.marks, &self.movement.rules);
        if !cx.read().option(self.movement.troop_density) || !cx.rule_on(rules.density) {
            return Ok(false);
        }
        let enemy = self.enemy(side);
        if self.here(cx, enemy, from).is_empty() {
            return Ok(false);
        }
        // Where the enemy's Home Area is may be his secret: then it is he who says, of each way, whether it is barred.
        let is_secret = self.hides_home(&cx.seen(side), enemy);
        let eyes = if is_secret { enemy } else { side };
        let is_ahead = Mover::new(self, &cx.seen(eyes), side).is_ahead(from, to);
        if !is_secret && (!is_ahead || cx.get(marks.dense, (from, side)) != 0) {
            return Ok(false);
        }
        let dense = is_ahead && self.bars_passage(cx, side, from)?;
        let w = &self.movement.w;
        cx.publish(w.density, rules.density, |e| {
            e.about(self.w.area, Arg::Place(PlaceId(from.0)));
            e.answer(self.w.result, Arg::Flag(dense));
        })?;
        if !is_secret {
            cx.set(marks.dense, (from, side), if dense { DENSE } else { PASSABLE })?;
        } else if dense {
            let links: SmallVec<[LinkId; 4]> = self.links_between(&cx.seen(side), from, to).collect();
            for link in links {
                cx.set(marks.barred, (link, side), direction(from, to))?;
            }
        }
        if dense {
            self.spend_area(cx, group)?;
            self.stop_group(cx, group, from, rules.density_costs);
        }
        Ok(dense)
    }

    /// Whether both sides control the area and the enemy of `side` has the strength that its terrain asks for.
    fn bars_passage(&self, cx: &mut Cx<'_>, side: SideId, area: SpaceId) -> Result<bool, Halt> {
        let enemy = self.enemy(side);
        let truth = cx.truth();
        let mutual = [side, enemy].iter().all(|&one| self.control.controls(&truth, one, area, None).is_yes());
        let effective = |body: &BodyId| {
            self.units.is_effective(&truth, *body) && truth.is(*body, self.pieces.sets.units).is_yes()
        };
        let there = truth.bodies_of(enemy, area);
        let strength: i32 =
            there.iter().filter(|b| effective(b)).filter_map(|&b| self.units.strength(&truth, b)).sum();
        let board = cx.rulebook().board();
        let terrain = self.map.terrain.iter().position(|t| board.has_feature_space(area, *t)).unwrap_or(0);
        let row = Input::Word(self.movement.terrain[terrain]);
        let found = self.look_up(cx, self.tables.troop_density, &Entry { row, ..Entry::default() })?;
        let args = [PointArg::Side(enemy), PointArg::Space(area)];
        let level = found.number().unwrap_or(0) + cx.total(self.points.troop_density, &args)?;
        Ok(mutual && strength >= level)
    }
}

//! How a group leaves an area where the enemy stands (3.42): what is known before, and what it learns when it tries.
//!
//! Whoever leaves says by what right (3.42): as cavalry, in general retreat, or if nobody holds him; those who bear the
//! marker of 3.43 need not. Then the enemy answers, and he too says no more than that right asks of him: whether he
//! controls the area (3.42.a), or to real cavalry whether he has dummies alone (3.22.b).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Sight as _, Tri};
use adjutant_kernel::ops::Telling;
use adjutant_kernel::{
    Audience, BodyId, Cx, Flow, Halt, LinkId, PlaceId, Refusal, RuleId, SideId, SpaceId, Verdict, WordId,
};

use super::super::units::Bodies;
use super::super::{Cwcs, interception};
use super::mover::{Mover, refused};

/// What becomes of a group that sets out.
pub(crate) enum Departure {
    /// It is stopped.
    Stays,
    /// It goes.
    Goes,
    /// The enemy is asked first.
    Waits(Flow),
}

/// By what right a group leaves an area where the enemy stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Right {
    /// All of it initiated combat there (3.43), as everybody sees.
    Marked,
    /// Cavalry, and leaders who have been there (3.42.b and c).
    Cavalry,
    /// In general retreat (6.6).
    Retreat,
    /// None: the enemy must not control the area (3.42.a).
    Leave,
}

/// A group that leaves an area where the enemy stands.
#[derive(Clone, Copy)]
struct Exit<'a> {
    side: SideId,
    group: &'a [BodyId],
    from: SpaceId,
    right: Right,
    /// The crossing by which it came in.
    over: Option<LinkId>,
    /// The rule by which the enemy's control would hold it.
    rule: RuleId,
}

impl Mover<'_> {
    fn is_marked(&self, body: BodyId) -> bool {
        self.seen.flag(self.cw.columns.initiated_combat, body)
            && self.seen.rule_on(self.cw.movement.rules.marked)
    }

    /// Whether a unit goes whether or not the enemy controls the area (3.42.b and c). Cavalry that came over a major
    /// river goes back only (8.14).
    fn goes_freely(&self, body: BodyId, to: Option<SpaceId>) -> bool {
        if self.is_mounted(body) {
            let back = self.across_from(body);
            return back.is_none() || back == to;
        }
        self.is_leader(body) && self.moved(body) == 0
    }

    fn right(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Right {
        if group.iter().all(|&body| self.is_marked(body)) {
            return Right::Marked;
        }
        let is_free = |body: BodyId| self.is_marked(body) || self.goes_freely(body, to);
        let mut bound = group.iter().copied().filter(|&body| !is_free(body)).peekable();
        if bound.peek().is_none() {
            return Right::Cavalry;
        }
        // Cavalry may be intercepted, and so goes by itself.
        let mounted = group.iter().any(|&body| self.is_mounted(body) && !self.is_marked(body));
        let retreats = |body: BodyId| to.is_some_and(|to| self.may_retreat_by(body, group, from, to));
        if !mounted && bound.all(retreats) { Right::Retreat } else { Right::Leave }
    }

    /// The crossing by which a group came into its area this turn: against those artillery may exert control (3.44).
    fn came_over(&self, group: &[BodyId], area: SpaceId) -> Option<LinkId> {
        let from = group.iter().find_map(|&body| self.across_from(body))?;
        let board = self.seen.rulebook().board();
        let mut links = self.cw.links_between(self.seen, from, area);
        links.find(|&link| self.cw.map.is_over_river(board, link))
    }

    /// The rule by which the enemy's control holds a group.
    fn holding_rule(&self, group: &[BodyId]) -> RuleId {
        let rules = &self.cw.movement.rules;
        if group.iter().all(|&body| self.is_dummy(body)) {
            rules.lone_dummies
        } else if group.iter().any(|&body| self.is_mounted(body) && self.across_from(body).is_some()) {
            rules.only_back
        } else if group.iter().any(|&body| self.moved(body) > 0) {
            rules.stop
        } else {
            rules.exit
        }
    }

    /// Whether a group may try to leave its area, by all that its owner knows.
    pub(super) fn may_leave(&self, group: &[BodyId], from: SpaceId, to: Option<SpaceId>) -> Verdict {
        let (cw, rules) = (self.cw, &self.cw.movement.rules);
        if !self.meets_enemy(from) {
            return Ok(());
        }
        let is_bound = |body: BodyId| !self.is_marked(body) && !self.goes_freely(body, to);
        if self.right(group, from, to) == Right::Leave && self.seen.rule_on(rules.exit) {
            let over = self.came_over(group, from);
            match cw.control.controls(self.seen, self.enemy(), from, over) {
                Tri::No => {}
                Tri::Yes => return refused(self.holding_rule(group)),
                // Dummies cannot make the enemy say who is there.
                Tri::Unknown => {
                    if !group.iter().any(|&body| is_bound(body) && !self.is_dummy(body)) {
                        return refused(rules.not_by_dummies);
                    }
                }
            }
        }
        to.map_or(Ok(()), |to| self.may_pass_troops(group, from, to))
    }
}

impl Cwcs {
    /// A group sets out from an area for the next, or off the map. Where the enemy stands it is said by what right, and
    /// the truth decides.
    pub(super) fn depart(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
        from: SpaceId,
        to: Option<SpaceId>,
    ) -> Result<Departure, Halt> {
        let enemy = self.enemy(side);
        if self.here(cx, enemy, from).is_empty() {
            return Ok(Departure::Goes);
        }
        let seen = cx.seen(side);
        let mover = Mover::new(self, &seen, side);
        let right = mover.right(group, from, to);
        let (over, rule) = (mover.came_over(group, from), mover.holding_rule(group));
        // What everybody knows need not be asked.
        let is_open = self.control.controls(&cx.common(), enemy, from, over).is_no();
        if !is_open && !self.declare_exit(cx, Exit { side, group, from, right, over, rule })? {
            return Ok(Departure::Stays);
        }
        if let Some(to) = to
            && self.is_too_dense(cx, side, group, from, to)?
        {
            return Ok(Departure::Stays);
        }
        let is_there = !self.here(cx, enemy, from).is_empty();
        if right == Right::Cavalry
            && is_there
            && let Some(flow) = interception::before_exit(self, cx, side, group, from, to)?
        {
            return Ok(Departure::Waits(flow));
        }
        Ok(Departure::Goes)
    }

    /// The group says by what right it leaves, and the enemy answers. Whether it may go.
    fn declare_exit(&self, cx: &mut Cx<'_>, exit: Exit<'_>) -> Result<bool, Halt> {
        let Exit { side, group, from, right, over, rule } = exit;
        let (w, rules, lapse) = (&self.movement.w, &self.movement.rules, self.moments.movement_ends);
        let foes = (self.enemy(side), from);
        let by = match right {
            Right::Marked => {
                self.unmask(cx, foes, self.rules.dummies_passed, lapse)?;
                return Ok(true);
            }
            Right::Cavalry => w.as_cavalry,
            Right::Retreat => w.in_retreat,
            Right::Leave => w.by_leave,
        };
        self.publish_exit(cx, group, from, by)?;
        match right {
            Right::Marked => {}
            Right::Cavalry => self.ride_past(cx, side, group, from)?,
            Right::Retreat => {
                self.unmask(cx, foes, self.rules.dummies_passed, lapse)?;
            }
            Right::Leave if !cx.rule_on(rules.exit) => {}
            Right::Leave => {
                let (question, bodies, about) = (self.movement.genuine, group, About::Bodies);
                let audience = Audience::ALL;
                cx.tell(Telling {
                    question,
                    bodies,
                    about,
                    audience,
                    rule: self.rules.dummies_passed,
                    lapse,
                })?;
                if self.tell_control(cx, foes, over, rule, lapse)? {
                    self.stop_group(cx, group, from, rule);
                    return Ok(false);
                }
                self.unmask(cx, foes, self.rules.dummies_passed, lapse)?;
            }
        }
        Ok(true)
    }

    fn publish_exit(&self, cx: &mut Cx<'_>, group: &[BodyId], from: SpaceId, by: WordId) -> Result<(), Halt> {
        let w = &self.movement.w;
        let bodies: Bodies = group.iter().copied().collect();
        cx.publish(w.goes, self.movement.rules.exit_declared, |e| {
            e.about(self.w.units, Arg::KnownBodies(bodies));
            e.about(w.from, Arg::Place(PlaceId(from.0)));
            e.answer(w.how, Arg::Word(by));
        })
    }

    /// Cavalry rides on. If it is real and finds dummies alone, they are removed (3.22.b); nobody else learns anything,
    /// but the rider that somebody is there.
    fn ride_past(&self, cx: &mut Cx<'_>, side: SideId, group: &[BodyId], from: SpaceId) -> Result<(), Halt> {
        let (rule, lapse) = (self.rules.dummies_passed, self.moments.movement_ends);
        let enemy = self.enemy(side);
        let foes = self.here(cx, enemy, from);
        let units = self.pieces.sets.units;
        let is_real = group.iter().any(|&body| cx.read().is(body, units));
        let found = foes.iter().any(|&body| cx.read().is(body, units));
        let (w, passes) = (&self.movement.w, is_real && !found);
        cx.publish(w.passes, rule, |e| {
            e.about(self.w.area, Arg::Place(PlaceId(from.0)));
            e.answer(self.w.result, Arg::Flag(passes));
        })?;
        if passes {
            self.tell_units(cx, group, rule, lapse)?;
            self.unmask(cx, (enemy, from), rule, lapse)?;
        } else if is_real {
            let (question, bodies, about) = (self.questions.units, &foes[..], About::Bodies);
            cx.tell(Telling { question, bodies, about, audience: Audience::side(side), rule, lapse })?;
        }
        Ok(())
    }

    /// A group that tried to go stays where it is, by a rule.
    pub(super) fn stop_group(&self, cx: &mut Cx<'_>, group: &[BodyId], area: SpaceId, rule: RuleId) {
        let bodies: Bodies = group.iter().copied().collect();
        cx.stop(rule, |e| {
            e.arg(self.w.units, Arg::KnownBodies(bodies));
            e.arg(self.w.area, Arg::Place(PlaceId(area.0)));
        });
    }

    /// A group for which nothing is in the way any more goes into the next area, or off the map.
    pub(super) fn go_on(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
        from: SpaceId,
        to: Option<SpaceId>,
    ) -> Result<(), Halt> {
        let Some(to) = to else { return self.leave_map(cx, group, self.movement.rules.off_map) };
        let way = Mover::new(self, &cx.seen(side), side).way(group, from, to);
        let against = match way {
            Ok(link) => match self.title_stops(cx, side, group, (from, to), link)? {
                None => return self.march(cx, side, group, (from, to), link),
                Some(rule) => rule,
            },
            // The crossing was closed while the enemy was asked.
            Err(Refusal { rule }) => rule,
        };
        self.spend_all(cx, side, group)?;
        self.stop_group(cx, group, from, against);
        Ok(())
    }

    /// Whether the title stops a group by what the side cannot know. It is said whether or not, wherever the enemy stands
    /// in its way.
    fn title_stops(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
        (from, to): (SpaceId, SpaceId),
        link: LinkId,
    ) -> Result<Option<RuleId>, Halt> {
        let enemy = self.enemy(side);
        let is_met = [from, to].iter().any(|&area| !self.here(cx, enemy, area).is_empty());
        if !is_met || !cx.rulebook().has_attachments(self.points.stops) {
            return Ok(None);
        }
        let stopped = cx.forbidden(self.points.stops, &self.move_args(side, (from, to), link, group))?;
        let bodies: Bodies = group.iter().copied().collect();
        let w = &self.movement.w;
        cx.publish(w.halts, self.movement.rules.adjacent, |e| {
            e.about(self.w.units, Arg::KnownBodies(bodies));
            e.about(w.to, Arg::Place(PlaceId(to.0)));
            e.answer(self.w.result, Arg::Flag(stopped.is_some()));
        })?;
        Ok(stopped)
    }

    /// An attempt costs all that is left of the movement.
    fn spend_all(&self, cx: &mut Cx<'_>, side: SideId, group: &[BodyId]) -> Result<(), Halt> {
        for &body in group {
            let all = Mover::new(self, &cx.seen(side), side).allowance(body);
            let moved = cx.get(self.columns.moved, body);
            cx.set(self.columns.moved, body, all.max(moved))?;
        }
        Ok(())
    }

    /// An attempt costs an area of movement.
    pub(super) fn spend_area(&self, cx: &mut Cx<'_>, group: &[BodyId]) -> Result<(), Halt> {
        group.iter().try_for_each(|&body| cx.add(self.columns.moved, body, 1))
    }
}

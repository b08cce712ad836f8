//! Cavalry probes (8.1): cavalry that has come where the enemy stands looks into one of his stacks.

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight};
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Input};
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, PlaceId, Procedure, Refusal, SeatId, SideId, SpaceId,
    StackId, Verdict,
};
use smallvec::SmallVec;

use super::Cwcs;
use super::points::contributed;
use super::units::Bodies;

/// How many units may probe together, and block together.
const MOST: usize = 16;

/// The last area of a force march in which cavalry may still probe (8.13.b).
const LAST_AREA: i32 = 2;

/// What the side whose Movement Phase it is may do about probes.
pub(crate) fn offers(cw: &Cwcs, seen: &Seen<'_>, side: SideId, out: &mut Offers<'_>) {
    let probe = Action::new(cw.cavalry.w.probe);
    if !out.concerns(&probe) {
        return;
    }
    for &area in &cw.map.areas {
        let foes = seen.bodies_of(cw.enemy(side), area);
        if foes.is_empty() {
            continue;
        }
        for body in seen.bodies_of(side, area) {
            out.consider(probe.on(body), || cw.may_probe(seen, side, area, body));
        }
    }
    out.otherwise(cw.cavalry.rules.enters, |a| {
        a.verb == cw.cavalry.w.probe && a.body(0).is_some_and(|body| seen.owns(body))
    });
}

/// Carries out an action of probes; nothing, if it is none.
pub(crate) fn act(
    cw: &Cwcs,
    cx: &mut Cx<'_>,
    side: SideId,
    _: SeatId,
    action: &Action,
) -> Result<Option<Flow>, Halt> {
    let Some(body) = action.body(0).filter(|_| action.verb == cw.cavalry.w.probe) else { return Ok(None) };
    let Some(area) = cx.read().space(body) else { return Err(cx.fault("it stands in no area")) };
    Ok(Some(cw.cavalry.procs.probe.call(Probe::of(side, area, body))))
}

impl Cwcs {
    /// Whether an own body may begin a probe (8.11, 8.12, 8.13), where the enemy stands.
    fn may_probe(&self, seen: &Seen<'_>, side: SideId, area: SpaceId, body: BodyId) -> Verdict {
        let (rules, columns) = (&self.cavalry.rules, &self.columns);
        self.is_own_cavalry(seen, body)?;
        let against = [
            (rules.once, seen.flag(self.cavalry.marks.probed, body)),
            (rules.enters, seen.get(self.movement.marks.group, body) == Some(0)),
            (rules.ineffective, seen.flag(columns.ineffective, body)),
            (rules.third_area, self.is_in_third_area(seen, body)),
        ];
        match against.into_iter().find(|&(rule, against)| against && seen.rule_on(rule)) {
            Some((rule, _)) => Err(Refusal { rule }),
            None => self.title_permits(seen, self.points.may_probe, side, area, body),
        }
    }

    /// Whether a unit that force marches has gone too far to probe (8.13.b).
    fn is_in_third_area(&self, seen: &Seen<'_>, body: BodyId) -> bool {
        let columns = &self.columns;
        seen.flag(columns.force_marching, body) && seen.get(columns.moved, body).unwrap_or(0) > LAST_AREA
    }
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The prober may take others along.
    Combine,
    Announce,
    /// The enemy may block.
    Block,
    /// The strengths are compared.
    Meet,
    /// The prober chooses a stack.
    Inspect,
    Over,
}

/// A probe.
#[derive(Locals)]
pub(crate) struct Probe {
    side: SideId,
    area: SpaceId,
    step: Step,
    /// Who began it.
    first: BodyId,
    /// Who probes, once it is announced.
    probers: List<BodyId, MOST>,
    /// Who blocks it.
    blockers: List<BodyId, MOST>,
    /// Who will: the draft of the phasing side.
    #[local(class = "sides")]
    drafts: [List<BodyId, MOST>; 2],
    /// How many units are to be revealed.
    number: i32,
}

impl Probe {
    pub(crate) fn of(side: SideId, area: SpaceId, first: BodyId) -> Self {
        let drafts = [List::new(), List::new()];
        let (probers, blockers) = (List::new(), List::new());
        Self { side, area, step: Step::Combine, first, probers, blockers, drafts, number: 0 }
    }

    fn draft(&self, side: SideId) -> &[BodyId] {
        &self.drafts[side.index().min(1)]
    }

    fn add(&mut self, cx: &Cx<'_>, side: SideId, body: BodyId) -> Result<(), Halt> {
        self.drafts[side.index().min(1)].push(body).map_err(|_| cx.fault("too many units probe or block"))
    }

    /// Those who came into the area in one stack with the first, as all see it (8.11.a).
    fn companions<S: Sight>(&self, cw: &Cwcs, sight: &S) -> Bodies {
        let group = |body: BodyId| sight.get(cw.movement.marks.group, body).unwrap_or(0);
        let (first, own) = (group(self.first), sight.bodies_of(self.side, self.area));
        let others = own.into_iter().filter(|&body| body != self.first && group(body) == first);
        others.collect()
    }

    /// Whether an own body may join the probe.
    fn may_join(&self, cw: &Cwcs, seen: &Seen<'_>, body: BodyId) -> Verdict {
        let rule = cw.cavalry.rules.together;
        if seen.rule_on(rule) && !self.companions(cw, seen).contains(&body) {
            return Err(Refusal { rule });
        }
        cw.may_probe(seen, self.side, self.area, body)
    }

    /// Whether all see that nobody can join.
    fn is_alone(&self, cw: &Cwcs, cx: &Cx<'_>) -> bool {
        let common = cx.common();
        let may = cw.possible_cavalry(&common, self.side, self.area);
        let others: Bodies = match cx.rule_on(cw.cavalry.rules.together) {
            true => self.companions(cw, &common),
            false => may.iter().copied().filter(|&body| body != self.first).collect(),
        };
        !others.iter().any(|body| may.contains(body) && !common.flag(cw.cavalry.marks.probed, *body))
    }

    /// The probers are revealed (8.11).
    fn announce(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules) = (&cw.cavalry.w, &cw.cavalry.rules);
        let mut all = Bodies::from_slice(&[self.first]);
        all.extend(self.draft(self.side).iter().copied());
        self.drafts = [List::new(), List::new()];
        let probers = cw.permitted(cx, cw.points.may_probe, self.side, self.area, &all)?;
        if probers.is_empty() {
            return Ok(Flow::Done);
        }
        let (side, area) = (self.side, PlaceId(self.area.0));
        let named = probers.clone();
        cx.story(w.probes, Some(rules.probe), |e| {
            e.arg(cw.w.side, Arg::Side(side));
            e.arg(cw.w.units, Arg::KnownBodies(named));
            e.arg(cw.w.area, Arg::Place(area));
        });
        for &body in &probers {
            cw.expose(cx, body, rules.prober_shown)?;
            cx.set(cw.cavalry.marks.probed, body, 1)?;
            self.probers.push(body).map_err(|_| cx.fault("too many units probe"))?;
        }
        cx.set(cw.cavalry.marks.probe, (), i32::from(self.area.0))?;
        let foes = cw.possible_blockers(cx, cw.enemy(side), self.area);
        if foes.is_empty() || !cx.rule_on(rules.block) {
            return Ok(self.title_comes_in(cw));
        }
        self.step = Step::Block;
        Ok(Flow::ask(cw.seat(cw.enemy(side)), w.blocking))
    }

    /// The blockers are revealed (8.11.c).
    fn block(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules, enemy) = (&cw.cavalry.w, &cw.cavalry.rules, cw.enemy(self.side));
        let drafted = Bodies::from_slice(self.draft(enemy));
        self.drafts = [List::new(), List::new()];
        let blockers = cw.permitted(cx, cw.points.may_block, enemy, self.area, &drafted)?;
        let (named, area) = (blockers.clone(), PlaceId(self.area.0));
        cx.story(w.blocks, Some(rules.block), |e| {
            e.arg(cw.w.side, Arg::Side(enemy));
            e.arg(cw.w.number, Arg::Number(named.len() as i32));
            e.arg(cw.w.units, Arg::KnownBodies(named));
            e.arg(cw.w.area, Arg::Place(area));
        });
        for &body in &blockers {
            cw.expose(cx, body, rules.block)?;
            cx.set(cw.cavalry.marks.blocked, body, 1)?;
            self.blockers.push(body).map_err(|_| cx.fault("too many units block"))?;
        }
        Ok(self.title_comes_in(cw))
    }

    /// Before the strengths are compared the title may come in.
    fn title_comes_in(&mut self, cw: &Cwcs) -> Flow {
        self.step = Step::Meet;
        Flow::Moment(cw.moments.probe_met)
    }

    fn point_args(&self) -> SmallVec<[PointArg; 8]> {
        let mut args: SmallVec<[PointArg; 8]> = SmallVec::new();
        args.extend([PointArg::Side(self.side), PointArg::Space(self.area)]);
        args.extend(self.probers.iter().map(|&body| PointArg::Body(body)));
        args
    }

    /// The strengths are compared, and if something is left the die is thrown (8.11.d and e).
    fn meet(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.set(cw.cavalry.marks.probe, (), -1)?;
        let (w, rules) = (&cw.cavalry.w, &cw.cavalry.rules);
        let args = self.point_args();
        let strength = cw.strength_of(cx, &self.probers) + cx.total(cw.points.probe_strength, &args)?;
        let against = cw.strength_of(cx, &self.blockers);
        let (difference, area) = (strength - against, PlaceId(self.area.0));
        // Losses are a secret: what is left of the probe is told before all that hangs on it.
        cx.publish(w.opposed, rules.difference, |e| {
            e.about(cw.w.area, Arg::Place(area));
            e.answer(w.strength, Arg::Number(strength));
            e.answer(w.against, Arg::Number(against));
            e.answer(cw.w.result, Arg::Number(difference));
        })?;
        if difference <= 0 {
            cx.story(w.blocked, Some(rules.blocked), |e| e.arg(cw.w.area, Arg::Place(area)));
            return Ok(Flow::Done);
        }
        self.number = self.roll(cw, cx, difference)?;
        self.step = if self.number > 0 { Step::Inspect } else { Step::Over };
        Ok(Flow::Again)
    }

    fn roll(&self, cw: &Cwcs, cx: &mut Cx<'_>, difference: i32) -> Result<i32, Halt> {
        let (w, table) = (&cw.cavalry.w, cw.tables.probe);
        let modifiers: SmallVec<[Contribution; 4]> =
            cx.contributions(cw.points.probe_die, &self.point_args())?.iter().copied().collect();
        let drawn = cx.throw(None, table)?;
        let dice = drawn.faces().unwrap_or_default();
        let entry =
            Entry { column: Input::Number(difference), dice, modifiers: &modifiers, ..Entry::default() };
        let number = cw.look_up(cx, table, &entry)?.number().unwrap_or(0);
        cx.report(drawn, cw.cavalry.rules.die, |e| {
            e.arg(w.against, Arg::Number(difference));
            e.arg(w.modifiers, contributed(&modifiers));
            e.arg(w.modified, Arg::Flag(!modifiers.is_empty()));
            e.arg(cw.w.result, Arg::Number(number));
        });
        Ok(number)
    }

    /// The stacks of the enemy in the area, each by its bodies from the top; a body in no stack is one by itself.
    fn stacks<S: Sight>(&self, cw: &Cwcs, seen: &S, ids: &[StackId]) -> Vec<Bodies> {
        let loose = seen.bodies_of(cw.enemy(self.side), self.area);
        let stacks: Vec<Bodies> = ids.iter().map(|&stack| seen.bodies(stack)).collect();
        let single = |body: &BodyId| !stacks.iter().any(|stack| stack.contains(body));
        let singles: Vec<Bodies> =
            loose.iter().filter(|b| single(b)).map(|&b| Bodies::from_slice(&[b])).collect();
        stacks.into_iter().chain(singles).collect()
    }

    /// Of a stack so many units are revealed, from the top (8.11.f).
    fn inspect(&self, cw: &Cwcs, cx: &mut Cx<'_>, stack: &[BodyId]) -> Result<Flow, Halt> {
        let (w, rules, sets) = (&cw.cavalry.w, &cw.cavalry.rules, &cw.pieces.sets);
        let (number, named) = (self.number, Bodies::from_slice(stack));
        cx.story(w.inspects, Some(rules.choice), |e| {
            e.arg(cw.w.units, Arg::KnownBodies(named));
            e.arg(cw.w.number, Arg::Number(number));
        });
        let mut left = self.number;
        for &body in stack {
            if left <= 0 {
                break;
            }
            // Markers lie open, and who is face up is revealed no more.
            if cx.read().face_up(body) || cx.rulebook().deck_of(body).is_none() {
                continue;
            }
            if cx.read().is(body, sets.leaders) && cx.rule_on(rules.leaders_skipped) {
                if !cx.common().is(body, sets.leaders).is_yes() {
                    // The same release as a reveal, but for the answer.
                    cx.narrow(body, sets.leaders, rules.shown)?;
                }
                continue;
            }
            cw.expose(cx, body, rules.shown)?;
            left -= 1;
        }
        Ok(Flow::Done)
    }
}

impl Procedure for Probe {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.step {
            Step::Combine if self.is_alone(cw, cx) => {
                self.step = Step::Announce;
                Ok(Flow::Again)
            }
            Step::Combine => Ok(Flow::ask(cw.seat(self.side), cw.cavalry.w.combine)),
            Step::Announce => self.announce(cw, cx),
            Step::Block => Ok(Flow::ask(cw.seat(cw.enemy(self.side)), cw.cavalry.w.blocking)),
            Step::Meet => self.meet(cw, cx),
            Step::Inspect => {
                let ids: SmallVec<[StackId; 4]> =
                    cx.read().stacks_of(cw.enemy(self.side), self.area).collect();
                match self.stacks(cw, &cx.common(), &ids).as_slice() {
                    [] => Ok(Flow::Done),
                    [only] => self.inspect(cw, cx, only),
                    _ => Ok(Flow::ask(cw.seat(self.side), cw.cavalry.w.inspection)),
                }
            }
            Step::Over => Ok(Flow::Done),
        }
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, enemy) = (&cw.cavalry.w, cw.enemy(self.side));
        match self.step {
            Step::Combine => {
                for body in seen.bodies_of(self.side, self.area) {
                    if body != self.first && !self.draft(self.side).contains(&body) {
                        out.consider(Action::new(w.join).on(body), || self.may_join(cw, seen, body));
                    }
                }
                out.add(Action::new(cw.w.done));
            }
            Step::Block => {
                for body in seen.bodies_of(enemy, self.area) {
                    if !self.draft(enemy).contains(&body) {
                        out.consider(Action::new(w.block).on(body), || {
                            cw.may_block(seen, enemy, self.area, body)
                        });
                    }
                }
                out.add(Action::new(cw.w.done));
            }
            Step::Inspect => {
                let ids: SmallVec<[StackId; 4]> = seen.stacks_of(enemy, self.area).collect();
                for &stack in &ids {
                    out.add(Action::new(w.inspect).on(stack));
                }
                for single in self.stacks(cw, seen, &ids).iter().skip(ids.len()) {
                    out.add(Action::new(w.inspect).on(single[0]));
                }
            }
            Step::Announce | Step::Meet | Step::Over => {}
        }
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match (self.step, action.body(0), action.stack(0)) {
            (Step::Combine, Some(body), _) => self.add(cx, self.side, body)?,
            (Step::Combine, None, _) => self.step = Step::Announce,
            (Step::Block, Some(body), _) => self.add(cx, cw.enemy(self.side), body)?,
            (Step::Block, None, _) => return self.block(cw, cx),
            (Step::Inspect, body, stack) => {
                let bodies: Bodies = match stack {
                    Some(stack) => cx.read().bodies(stack).collect(),
                    None => body.into_iter().collect(),
                };
                cx.commit();
                return self.inspect(cw, cx, &bodies);
            }
            (Step::Announce | Step::Meet | Step::Over, ..) => return Err(cx.fault("nobody is asked")),
        }
        self.run(cw, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

impl Cwcs {
    /// Whether an own unit may block a probe (8.11.c, 8.12). An ineffective one may.
    fn may_block(&self, seen: &Seen<'_>, side: SideId, area: SpaceId, body: BodyId) -> Verdict {
        let rule = self.cavalry.rules.blocks_once;
        self.is_own_cavalry(seen, body)?;
        if seen.rule_on(rule) && seen.flag(self.cavalry.marks.blocked, body) {
            return Err(Refusal { rule });
        }
        self.title_permits(seen, self.points.may_block, side, area, body)
    }

    /// Those of a side who may block a probe, as all see it.
    fn possible_blockers(&self, cx: &Cx<'_>, side: SideId, area: SpaceId) -> Bodies {
        let common = cx.common();
        let mut bodies = self.possible_cavalry(&common, side, area);
        if cx.rule_on(self.cavalry.rules.blocks_once) {
            bodies.retain(|body| !common.flag(self.cavalry.marks.blocked, *body));
        }
        bodies
    }
}

//! Which steps of a deployment leave it possible to end it as the rules demand (9.31, 9.32).
//!
//! A draft puts bodies into Line Positions, one after the other; whoever is left over is in the Reserve. So only what
//! must be filled can fail: the center, and each position that holds a dummy or an officer and no unit yet.

use adjutant_kernel::allocation::{Assignment, Problem, Set, Slot, Spec};
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{BodyId, Refusal, RuleId, SideId, Sight as _, SpaceId, Verdict, WordId};
use smallvec::SmallVec;

use super::limits::{self, Counts};
use super::lines::LinePosition;
use super::names::Placed;
use super::party::Filled;
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// For whom, and against what, a deployment is.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) side: SideId,
    pub(crate) area: SpaceId,
    pub(crate) attacks: bool,
    /// Which positions the defender has filled, for an attacker.
    pub(crate) against: Option<Filled>,
    /// The positions as they stand: reserves are brought up to these (9.93.a).
    pub(crate) reinforces: bool,
}

/// What a side has to deploy, as it knows it.
pub(crate) struct Plan<'a> {
    cw: &'a Cwcs,
    seen: &'a Seen<'a>,
    task: Task,
    /// Units that can fight and may stand in some position.
    units: Bodies,
    /// For each position the units that may stand there.
    allowed: [Set; 3],
    effective: Set,
    /// Sets of units that may be in line together, by the formations of regular infantry that a title allows there: all
    /// that are in line are of one of these.
    companies: SmallVec<[Set; 4]>,
    shapes: SmallVec<[Set; 4]>,
    /// What stands in each position already, when reserves are brought up.
    before: [Bodies; 3],
}

impl<'a> Plan<'a> {
    /// The plan for `bodies`. If no deployment obeys everything, what the title forbids is let go, and at last that
    /// those that are ineffective or have marched too far may not attack: one that must fight always can.
    pub(crate) fn new(cw: &'a Cwcs, seen: &'a Seen<'a>, task: Task, bodies: &[BodyId]) -> Self {
        let plan = Self::strict(cw, seen, task, bodies);
        if plan.is_possible() {
            return plan;
        }
        let plan = Self::with(cw, seen, task, bodies, |position, body| plan.standing_rule(position, body));
        if plan.is_possible() { plan } else { Self::with(cw, seen, task, bodies, |_, _| None) }
    }

    /// The plan by all rules, which may be impossible.
    pub(crate) fn strict(cw: &'a Cwcs, seen: &'a Seen<'a>, task: Task, bodies: &[BodyId]) -> Self {
        let bare = Self::with(cw, seen, task, &[], |_, _| None);
        let mut plan = Self::with(cw, seen, task, bodies, |position, body| bare.bars(position, body));
        if seen.rulebook().has_attachments(cw.points.most_formations) {
            let most = seen.total(cw.points.most_formations, &role_args(cw, task)).max(0) as usize;
            plan.companies = plan.companies_of(most);
        }
        plan
    }

    fn with(
        cw: &'a Cwcs,
        seen: &'a Seen<'a>,
        task: Task,
        bodies: &[BodyId],
        bars: impl Fn(LinePosition, BodyId) -> Option<RuleId>,
    ) -> Self {
        let units: Bodies = bodies.iter().copied().filter(|&b| cw.can_fight(seen, b)).take(64).collect();
        let numbers = |test: &dyn Fn(BodyId) -> bool| -> Set {
            units.iter().enumerate().filter(|(_, b)| test(**b)).map(|(n, _)| n).collect()
        };
        let allowed = LinePosition::ALL.map(|position| numbers(&|body| bars(position, body).is_none()));
        let effective = numbers(&|body| cw.units.is_effective(seen, body));
        let companies = [Set::below(units.len())].into_iter().collect();
        let nothing = || LinePosition::ALL.map(|_| Bodies::new());
        let (before, shapes) = if task.reinforces {
            let before = LinePosition::ALL.map(|position| cw.in_line(seen, task.side, position));
            let shape = limits::as_set([0, 1, 2].map(|n: usize| !before[n].is_empty()));
            // Who has no position left forms one in the center.
            let shape = if shape.is_empty() { Set::from([1]) } else { shape };
            (before, [shape].into_iter().collect())
        } else {
            let most = seen.total(cw.points.most_positions, &role_args(cw, task));
            (nothing(), limits::shapes(most, task.against))
        };
        Self { cw, seen, task, units, allowed, effective, companies, shapes, before }
    }

    /// The rule of the series that keeps a unit out of a position.
    fn standing_rule(&self, _: LinePosition, body: BodyId) -> Option<RuleId> {
        let (cw, rules, seen) = (self.cw, &self.cw.combat.rules, self.seen);
        if !self.task.attacks {
            return None;
        }
        if seen.flag(cw.columns.ineffective, body) {
            return Some(rules.no_ineffective).filter(|&rule| seen.rule_on(rule));
        }
        let marched = seen.flag(cw.columns.force_marching, body);
        let guns = marched && seen.is(body, cw.pieces.sets.artillery).is_yes();
        Some(rules.artillery).filter(|&rule| guns && seen.rule_on(rule))
    }

    /// The rule that keeps a unit out of a position, a title's included.
    fn bars(&self, position: LinePosition, body: BodyId) -> Option<RuleId> {
        let Task { side, area, .. } = self.task;
        let args = [
            PointArg::Side(side),
            PointArg::Space(area),
            PointArg::Word(self.cw.lines.position(position)),
            PointArg::Body(body),
        ];
        let by_title = || self.seen.forbidden(self.cw.points.may_be_deployed, &args);
        self.standing_rule(position, body).or_else(by_title)
    }

    /// Whether it can be carried out at all.
    pub(crate) fn is_possible(&self) -> bool {
        let nothing = Assignment::new();
        let of = |shape: Set, company: Set| {
            self.problems(shape, company).iter().any(|problem| problem.feasible(&nothing))
        };
        self.shapes.iter().any(|&shape| self.companies.iter().any(|&company| of(shape, company)))
    }

    /// The companies if infantry of no more than so many formations may be in line: those that stand there already, and
    /// some of the others.
    fn companies_of(&self, most: usize) -> SmallVec<[Set; 4]> {
        let formation = |body: BodyId| match self.counts(body) {
            Counts::Infantry(formation) => formation,
            Counts::Local | Counts::Other => None,
        };
        let mut held: SmallVec<[WordId; 4]> = SmallVec::new();
        let mut free: SmallVec<[WordId; 8]> = SmallVec::new();
        for found in self.before.iter().flatten().filter_map(|&body| formation(body)) {
            if !held.contains(&found) {
                held.push(found);
            }
        }
        for found in self.units.iter().filter_map(|&body| formation(body)) {
            if !held.contains(&found) && !free.contains(&found) {
                free.push(found);
            }
        }
        let may = |without: &[WordId]| -> Set {
            let barred = |body: BodyId| formation(body).is_some_and(|found| without.contains(&found));
            self.units.iter().enumerate().filter(|(_, body)| !barred(**body)).map(|(n, _)| n).collect()
        };
        // A company is what is left when the formations that are too many are taken away.
        let too_many = (held.len() + free.len()).saturating_sub(most).min(free.len());
        choices(&free, too_many).iter().map(|without| may(without)).collect()
    }

    /// What a position must hold if it is filled, as problems of which one must have a solution. A defender who has
    /// effective units does not leave an ineffective one alone (3.53): it holds an effective unit, or two at least.
    fn problems(&self, shape: Set, company: Set) -> SmallVec<[Problem; 4]> {
        let all = Set::below(self.units.len());
        let ineffective = all.without(self.effective);
        let strict = !self.task.attacks
            && !self.effective.is_empty()
            && !ineffective.is_empty()
            && self.seen.rule_on(self.cw.combat.rules.ineffective_alone);
        let ways: usize = if strict && ineffective.len() >= 2 { 8 } else { 1 };
        let problem = |way: usize| {
            let mut spec = Spec::new(self.units.len());
            for (n, allowed) in self.allowed.iter().enumerate() {
                let allowed = allowed.and(company);
                let slot = match (shape.contains(n), self.before[n].is_empty()) {
                    (false, _) => Slot::up_to(0),
                    (true, false) => Slot::any().only(allowed),
                    (true, true) if way >> n & 1 == 1 => Slot::between(2, 64).only(allowed),
                    (true, true) => {
                        let needed = if strict { self.effective } else { all };
                        Slot::between(1, 64).only(allowed).needs(1, needed)
                    }
                };
                spec = spec.slot(slot);
            }
            spec.slot(Slot::any()).check().ok()
        };
        (0..ways).filter_map(problem).collect()
    }

    /// What a position would hold of what was placed, beside what stands there.
    fn units_in(&self, position: LinePosition, (bodies, positions): Placed<'_>) -> Bodies {
        let placed = bodies.iter().zip(positions).filter(|(_, p)| **p == position).map(|(b, _)| *b);
        let units = self.before[position.index()].iter().copied().chain(placed);
        units.filter(|&body| self.cw.can_fight(self.seen, body)).collect()
    }

    fn counts(&self, body: BodyId) -> Counts {
        let (seen, sets) = (self.seen, &self.cw.pieces.sets);
        if seen.is(body, sets.infantry).is_yes() {
            Counts::Infantry(self.cw.units.formation(seen, body))
        } else if seen.is(body, sets.foot).is_yes() {
            Counts::Local
        } else {
            Counts::Other
        }
    }

    /// The steps that leave it possible to end as one must, after what was placed.
    pub(crate) fn steps(&self, placed: Placed<'_>) -> Steps {
        let (mut units, mut others) = ([Set::default(); 3], [false; 3]);
        let (assignment, touched) = (self.assignment(placed), touched(placed));
        for (&shape, &company) in self.shapes.iter().flat_map(|s| self.companies.iter().map(move |c| (s, c)))
        {
            if !touched.without(shape).is_empty() || !assignment.placed().without(company).is_empty() {
                continue;
            }
            for problem in self.problems(shape, company) {
                let offers = problem.offers(&assignment);
                let may = problem.feasible(&assignment);
                for n in shape.iter() {
                    units[n] = units[n].or(offers.items(n));
                    others[n] |= may;
                }
            }
        }
        Steps { units, others, is_complete: self.is_complete(placed) }
    }

    fn assignment(&self, (bodies, positions): Placed<'_>) -> Assignment {
        let mut assignment = Assignment::new();
        for (body, position) in bodies.iter().zip(positions) {
            if let Some(item) = self.units.iter().position(|unit| unit == body) {
                assignment.place(item, position.index());
            }
        }
        assignment
    }

    /// Whether it is all done, if whoever is left over is in the Reserve.
    fn is_complete(&self, placed: Placed<'_>) -> bool {
        let before = limits::as_set([0, 1, 2].map(|n: usize| !self.before[n].is_empty()));
        let filled = touched(placed).or(before);
        let has_effective = !self.effective.is_empty();
        let effective = |body: &BodyId| self.cw.units.is_effective(self.seen, *body);
        let strict =
            !self.task.attacks && has_effective && self.seen.rule_on(self.cw.combat.rules.ineffective_alone);
        let holds = |position: LinePosition| {
            let units = self.units_in(position, placed);
            match units.len() {
                0 => false,
                1 => !strict || !self.before[position.index()].is_empty() || units.iter().any(effective),
                _ => true,
            }
        };
        let is_held = |position: &LinePosition| !filled.contains(position.index()) || holds(*position);
        self.shapes.contains(&filled) && LinePosition::ALL.iter().all(is_held)
    }

    /// Whether a body may be put into a position.
    pub(crate) fn may_place(
        &self,
        steps: &Steps,
        placed: Placed<'_>,
        body: BodyId,
        position: LinePosition,
    ) -> Verdict {
        let (cw, seen, rules) = (self.cw, self.seen, &self.cw.combat.rules);
        let refuse = |rule: RuleId| Err(Refusal { rule });
        let n = position.index();
        if seen.is(body, cw.pieces.sets.commanders).is_yes() {
            return refuse(rules.commander);
        }
        let shape = touched(placed).with(n);
        if !self.shapes.iter().any(|whole| shape.without(*whole).is_empty()) {
            return refuse(self.shape_rule(shape));
        }
        let Some(item) = self.units.iter().position(|unit| *unit == body) else {
            let is_attached = seen.is(body, cw.pieces.sets.officers).is_yes()
                || seen.is(body, cw.pieces.sets.dummies).is_yes();
            return if is_attached && steps.others[n] { Ok(()) } else { refuse(rules.alone) };
        };
        if !self.allowed[n].contains(item) {
            return refuse(self.bars(position, body).unwrap_or(rules.able));
        }
        let mut counts: SmallVec<[Counts; 8]> =
            self.units_in(position, placed).iter().map(|&unit| self.counts(unit)).collect();
        counts.push(self.counts(body));
        if seen.rule_on(rules.stacking) && !limits::fit_together(&counts) {
            return refuse(rules.stacking);
        }
        let in_line = self.assignment(placed).placed().with(item);
        if !self.companies.iter().any(|company| in_line.without(*company).is_empty()) {
            return refuse(self.formations_rule());
        }
        if steps.units[n].contains(item) { Ok(()) } else { refuse(rules.able) }
    }

    /// The title's rule by which no more formations may be in line: the first that sets a limit.
    fn formations_rule(&self) -> RuleId {
        let limit = self.seen.forbidden(self.cw.points.most_formations, &role_args(self.cw, self.task));
        limit.unwrap_or(self.cw.combat.rules.stacking)
    }

    /// The rule by which positions may not be filled together.
    fn shape_rule(&self, shape: Set) -> RuleId {
        let rules = &self.cw.combat.rules;
        let theirs = self.task.against.map(|filled| limits::as_set(filled).len());
        match (self.task.reinforces, shape.len(), theirs) {
            (true, ..) => rules.reinforced,
            (false, 3, Some(1)) => rules.two_at_most,
            (false, 2, Some(2)) => rules.opposite,
            (false, ..) if self.task.attacks => rules.attacker_center,
            (false, ..) => rules.defender_center,
        }
    }

    /// The rule by which a deployment is not done yet.
    pub(crate) fn incomplete_rule(&self, placed: Placed<'_>) -> RuleId {
        let rules = &self.cw.combat.rules;
        let touched = touched(placed);
        if !self.shapes.contains(&touched) && !self.task.reinforces {
            return self.shape_rule(touched);
        }
        let is_empty = |position: LinePosition| self.units_in(position, placed).is_empty();
        let wants_one = |position: LinePosition| touched.contains(position.index()) && is_empty(position);
        if self.task.reinforces || LinePosition::ALL.into_iter().any(wants_one) {
            rules.able
        } else {
            rules.ineffective_alone
        }
    }
}

/// What the points are asked of which the role of a side decides.
fn role_args(cw: &Cwcs, task: Task) -> [PointArg; 3] {
    let role = if task.attacks { cw.combat.w.attacker } else { cw.combat.w.defender };
    [PointArg::Side(task.side), PointArg::Space(task.area), PointArg::Word(role)]
}

/// All ways to choose so many of some words.
fn choices(words: &[WordId], many: usize) -> Vec<Vec<WordId>> {
    let Some((&first, rest)) = words.split_first().filter(|_| many > 0) else {
        return if many == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let with = choices(rest, many - 1).into_iter().map(|mut chosen| {
        chosen.push(first);
        chosen
    });
    with.chain(choices(rest, many)).collect()
}

/// The positions into which something was put.
fn touched((_, positions): Placed<'_>) -> Set {
    positions.iter().map(|position| position.index()).collect()
}

/// What may be done next.
pub(crate) struct Steps {
    /// For each position the units that may go there, by number in the plan.
    units: [Set; 3],
    /// The positions to which dummies and officers may go.
    others: [bool; 3],
    /// Whether it may end here.
    pub(crate) is_complete: bool,
}

//! Interception (8.2): cavalry keeps enemy cavalry from leaving an area, in his movement or before a combat.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Seen, Sight};
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::ops::Telling;
use adjutant_kernel::{
    Action, Audience, BodyId, Cx, Flow, Halt, Imagine, Offers, PlaceId, Procedure, QuestionId, Refusal,
    RuleId, SeatId, SideId, SpaceId, Verdict,
};

use super::Cwcs;
use super::units::Bodies;

/// How many units go together, and how many may be intercepted.
const GROUP: usize = 32;

/// How many units may intercept together.
const MOST: usize = 16;

/// Before cavalry leaves an area where the enemy stands: what is asked of him, if he may intercept.
pub(crate) fn before_exit(
    cw: &Cwcs,
    cx: &mut Cx<'_>,
    side: SideId,
    group: &[BodyId],
    from: SpaceId,
    _: Option<SpaceId>,
) -> Result<Option<Flow>, Halt> {
    cw.ask_to_intercept(cx, cw.enemy(side), from, group)
}

/// Whether a unit was intercepted, and so must stay and fight (8.23).
pub(crate) fn is_caught<S: Sight>(cw: &Cwcs, sight: &S, body: BodyId) -> bool {
    sight.flag(cw.columns.in_interception, body)
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Ask,
    /// Both may attack: whose die was higher chooses (8.23).
    Contest,
    Choose,
    Over,
}

/// A side may intercept.
#[derive(Locals)]
pub(crate) struct Intercept {
    /// Who may intercept.
    side: SideId,
    area: SpaceId,
    step: Step,
    /// Who is about to leave.
    group: List<BodyId, GROUP>,
    /// Who will intercept, as drafted so far.
    #[local(class = "owner")]
    interceptors: List<BodyId, MOST>,
    /// Who chooses whether he attacks.
    winner: SideId,
}

impl Intercept {
    fn decide(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules, area) = (&cw.cavalry.w, &cw.cavalry.rules, PlaceId(self.area.0));
        let drafted = Bodies::from_slice(&self.interceptors);
        self.interceptors = List::new();
        let riders = cw.permitted(cx, cw.points.may_intercept, self.side, self.area, &drafted)?;
        let side = self.side;
        if riders.is_empty() {
            cx.story(w.declines, Some(rules.intercept), |e| {
                e.arg(cw.w.side, Arg::Side(side));
                e.arg(cw.w.area, Arg::Place(area));
            });
            return Ok(Flow::Done);
        }
        let named = riders.clone();
        cx.story(w.intercepts, Some(rules.intercept), |e| {
            e.arg(cw.w.side, Arg::Side(side));
            e.arg(cw.w.units, Arg::KnownBodies(named));
            e.arg(cw.w.area, Arg::Place(area));
        });
        let turned_up: Bodies = riders.iter().copied().filter(|&body| !cx.read().face_up(body)).collect();
        for &body in &turned_up {
            cx.reveal(body, rules.interceptor_shown)?;
        }
        match self.catch(cw, cx)?.as_slice() {
            [] => self.miss(cw, cx, &turned_up)?,
            caught => return self.join(cw, cx, &riders, caught),
        }
        Ok(Flow::Done)
    }

    /// Of those who are about to leave the cavalry is caught, if a unit of it is real; else it was dummies, which go
    /// (8.22.b).
    fn catch(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Bodies, Halt> {
        let rules = &cw.cavalry.rules;
        let mounted = cw.sort_out(cx, &self.group, cw.cavalry.mounted, rules.affected)?;
        if cw.tell_units(cx, &mounted, rules.missed, cw.moments.turn_ends)? {
            return Ok(mounted);
        }
        for body in mounted {
            cx.reveal(body, rules.missed)?;
        }
        Ok(Bodies::new())
    }

    /// There was nobody to catch: whoever was turned up for it is turned down at once.
    fn miss(&self, cw: &Cwcs, cx: &mut Cx<'_>, turned_up: &[BodyId]) -> Result<(), Halt> {
        for &body in turned_up {
            cw.turn_down(cx, body)?;
        }
        let area = PlaceId(self.area.0);
        cx.story(cw.cavalry.w.missed, Some(cw.cavalry.rules.missed), |e| e.arg(cw.w.area, Arg::Place(area)));
        Ok(())
    }

    /// Both fight in the one interception combat of the area (8.22.a, 8.23).
    fn join(
        &mut self,
        cw: &Cwcs,
        cx: &mut Cx<'_>,
        riders: &[BodyId],
        caught: &[BodyId],
    ) -> Result<Flow, Halt> {
        let (w, rules, area) = (&cw.cavalry.w, &cw.cavalry.rules, PlaceId(self.area.0));
        for &body in riders.iter().chain(caught) {
            cx.set(cw.columns.in_interception, body, 1)?;
        }
        let named = Bodies::from_slice(caught);
        cx.story(w.caught, Some(rules.caught), |e| {
            e.arg(cw.w.units, Arg::KnownBodies(named));
            e.arg(cw.w.area, Arg::Place(area));
        });
        match cw.attacker_of_interception(cx, self.area) {
            None => {
                cx.record(cw.combat.interception, &[i32::from(area.0), i32::from(self.side.0)])?;
                Ok(Flow::Done)
            }
            Some(by) if by == self.side || !cx.rule_on(rules.contest) => Ok(Flow::Done),
            Some(_) => {
                self.step = Step::Contest;
                Ok(Flow::Again)
            }
        }
    }

    /// Both could attack: each rolls, again if they are even; the higher chooses (8.23).
    fn contest(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let mut dice = [0, 0];
        for side in [SideId(0), SideId(1)] {
            let drawn = cx.throw(None, cw.cavalry.die)?;
            dice[side.index()] =
                cx.report(drawn, cw.cavalry.rules.contest, |e| e.arg(cw.w.side, Arg::Side(side)));
        }
        if dice[0] == dice[1] {
            return Ok(Flow::Again);
        }
        self.winner = SideId(u8::from(dice[1] > dice[0]));
        self.step = Step::Choose;
        Ok(Flow::Again)
    }

    fn choose(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, action: &Action) -> Result<Flow, Halt> {
        cx.commit();
        let (w, area) = (&cw.cavalry.w, self.area);
        let attacker = if action.verb == w.attack { self.winner } else { cw.enemy(self.winner) };
        cx.unrecord(cw.combat.interception, |r| r.fields[0] == i32::from(area.0))?;
        cx.record(cw.combat.interception, &[i32::from(area.0), i32::from(attacker.0)])?;
        cx.story(w.chosen, Some(cw.cavalry.rules.contest), |e| {
            e.arg(cw.w.side, Arg::Side(attacker));
            e.arg(cw.w.area, Arg::Place(PlaceId(area.0)));
        });
        self.step = Step::Over;
        Ok(Flow::Again)
    }
}

impl Procedure for Intercept {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.step {
            Step::Ask => Ok(Flow::ask(cw.seat(self.side), cw.cavalry.w.intercept)),
            Step::Contest => self.contest(cw, cx),
            Step::Choose => Ok(Flow::ask(cw.seat(self.winner), cw.cavalry.w.contest)),
            Step::Over => Ok(Flow::Done),
        }
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let w = &cw.cavalry.w;
        match self.step {
            Step::Ask => {
                for body in seen.bodies_of(self.side, self.area) {
                    if !self.interceptors.contains(&body) {
                        out.consider(Action::new(w.intercept).on(body), || {
                            cw.may_intercept(seen, self.side, self.area, body)
                        });
                    }
                }
                out.add(Action::new(cw.w.done));
            }
            Step::Choose => {
                out.add(Action::new(w.attack));
                out.add(Action::new(w.defend));
            }
            Step::Contest | Step::Over => {}
        }
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match (self.step, action.body(0)) {
            (Step::Ask, Some(body)) => {
                self.interceptors.push(body).map_err(|_| cx.fault("too many units intercept"))?;
                self.run(cw, cx)
            }
            (Step::Ask, None) => self.decide(cw, cx),
            (Step::Choose, _) => self.choose(cw, cx, action),
            (Step::Contest | Step::Over, _) => Err(cx.fault("nobody is asked")),
        }
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

impl Cwcs {
    /// Asks a side whether it intercepts those who are about to leave an area, unless all see that it cannot.
    pub(crate) fn ask_to_intercept(
        &self,
        cx: &Cx<'_>,
        side: SideId,
        area: SpaceId,
        group: &[BodyId],
    ) -> Result<Option<Flow>, Halt> {
        let (rules, common) = (&self.cavalry.rules, cx.common());
        let may = |body: &BodyId| self.may_ride(&common, *body).is_ok();
        let riders = self.possible_cavalry(&common, side, area);
        let mounted = |body: &BodyId| !common.is(*body, self.pieces.sets.mounted).is_no();
        if !cx.rule_on(rules.intercept) || !riders.iter().any(may) || !group.iter().any(mounted) {
            return Ok(None);
        }
        let mut list = List::new();
        for &body in group {
            list.push(body).map_err(|_| cx.fault("too many units go together"))?;
        }
        let interceptors = List::new();
        let step = Step::Ask;
        Ok(Some(self.cavalry.procs.intercept.call(Intercept {
            side,
            area,
            step,
            group: list,
            interceptors,
            winner: side,
        })))
    }

    /// Whether what all see lets a unit of cavalry intercept (8.24): it is effective, has not blocked a probe and fights
    /// no more than this interception.
    fn may_ride<S: Sight>(&self, sight: &S, body: BodyId) -> Verdict {
        let (rules, columns) = (&self.cavalry.rules, &self.columns);
        let against = [
            (rules.ineffective, sight.flag(columns.ineffective, body)),
            (rules.not_blockers, sight.flag(self.cavalry.marks.blocked, body)),
            (rules.committed, sight.flag(columns.sits_out, body)),
        ];
        match against.into_iter().find(|&(rule, against)| against && sight.rule_on(rule)) {
            Some((rule, _)) => Err(Refusal { rule }),
            None => Ok(()),
        }
    }

    fn may_intercept(&self, seen: &Seen<'_>, side: SideId, area: SpaceId, body: BodyId) -> Verdict {
        self.is_own_cavalry(seen, body)?;
        self.may_ride(seen, body)?;
        self.title_permits(seen, self.points.may_intercept, side, area, body)
    }

    /// Who attacks in the interception combat that is to be fought in an area, if there is one.
    fn attacker_of_interception(&self, cx: &Cx<'_>, area: SpaceId) -> Option<SideId> {
        let here = cx.read().records(self.combat.interception).find(|r| r.fields[0] == i32::from(area.0));
        here.map(|record| SideId(record.fields[1].clamp(0, 1) as u8))
    }

    /// Says to all of each of some bodies, one by one, whether the answer to a question is yes; gives those.
    pub(super) fn sort_out(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        question: QuestionId,
        rule: RuleId,
    ) -> Result<Bodies, Halt> {
        let mut found = Bodies::new();
        for &body in bodies {
            let (about, audience, lapse) = (About::Bodies, Audience::ALL, self.moments.turn_ends);
            if cx.tell(Telling { question, bodies: &[body], about, audience, rule, lapse })? != 0 {
                found.push(body);
            }
        }
        Ok(found)
    }
}

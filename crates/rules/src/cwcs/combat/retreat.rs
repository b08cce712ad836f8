//! Retreat before combat (9.2): before anybody is deployed those who are attacked may leave, if no infantry is there.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Seen};
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::ops::Telling;
use adjutant_kernel::{
    Action, Audience, BodyId, Cx, Flow, Halt, Imagine, Offers, PlaceId, Procedure, QuestionId, Refusal,
    RuleId, SeatId, SideId, Sight, SpaceId, Verdict,
};

use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// How many units may retreat.
const GROUP: usize = 32;

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Who will retreat?
    Who,
    /// The enemy was asked whether he intercepts.
    Intercepted,
    /// Where do they go?
    Where,
}

/// The side that is attacked may retreat before combat.
#[derive(Locals)]
pub(crate) struct RetreatBeforeCombat {
    area: SpaceId,
    side: SideId,
    step: Step,
    /// Who retreats.
    going: List<BodyId, GROUP>,
    /// Who will retreat, or has been told where to go, as drafted so far; and where.
    #[local(class = "owner")]
    draft: List<BodyId, GROUP>,
    #[local(class = "owner")]
    to: List<Option<SpaceId>, GROUP>,
}

impl RetreatBeforeCombat {
    /// Of a side that is attacked in an area.
    pub(crate) fn of(area: SpaceId, defender: SideId) -> Self {
        let (going, draft) = (List::new(), List::new());
        Self { area, side: defender, step: Step::Who, going, draft, to: List::new() }
    }

    /// Whether all see that nobody may retreat.
    fn is_idle(&self, cw: &Cwcs, cx: &Cx<'_>) -> bool {
        let (common, rules) = (cx.common(), &cw.cavalry.rules);
        let own = common.bodies_of(self.side, self.area);
        let bars = cx.rule_on(rules.infantry_stays) && common.any(cw.pieces.sets.bars_retreat, &own).is_yes();
        let may = |body: &BodyId| cw.is_free_to_go(&common, *body).is_ok();
        bars || !cx.rule_on(rules.retreat) || !own.iter().any(may)
    }

    /// Whether an own body may be added to those who will retreat.
    fn may_retreat(&self, cw: &Cwcs, seen: &Seen<'_>, body: BodyId) -> Verdict {
        let (rules, sets) = (&cw.cavalry.rules, &cw.pieces.sets);
        let refuse = |rule: RuleId| Err(Refusal { rule });
        let is = |body: BodyId, set| seen.is(body, set).is_yes();
        if !is(body, sets.stacks) {
            return refuse(rules.who_retreats);
        }
        let own = seen.bodies_of(self.side, self.area);
        if seen.rule_on(rules.infantry_stays) && own.iter().any(|&b| is(b, sets.bars_retreat)) {
            return refuse(rules.infantry_stays);
        }
        if is(body, sets.dummy_infantry) {
            return refuse(rules.dummy_infantry);
        }
        cw.is_free_to_go(seen, body)?;
        if is(body, sets.dummy_cavalry) {
            self.may_dummy_retreat(cw, seen, &own)?;
        } else if ![sets.leaders, sets.militia, sets.artillery, sets.cavalry].iter().any(|&set| is(body, set))
        {
            return refuse(rules.who_retreats);
        }
        cw.title_permits(seen, cw.points.may_retreat, self.side, self.area, body)?;
        match self.refuges(cw, seen, body) {
            Ok(areas) if areas.is_empty() && !self.may_leave_map(cw, seen, body) => refuse(rules.no_refuge),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Dummy cavalry retreats where no real unit is, or with cavalry where a real unit does (9.21.a, 3.22.c).
    fn may_dummy_retreat(&self, cw: &Cwcs, seen: &Seen<'_>, own: &[BodyId]) -> Verdict {
        let (rules, sets) = (&cw.cavalry.rules, &cw.pieces.sets);
        let is_real = |body: BodyId| seen.is(body, sets.units).is_yes();
        if !own.iter().any(|&body| is_real(body)) {
            return Ok(());
        }
        if !own.iter().any(|&body| seen.is(body, sets.cavalry).is_yes()) {
            return Err(Refusal { rule: rules.dummy_cavalry });
        }
        let followed = self.draft.iter().any(|&body| is_real(body));
        if followed { Ok(()) } else { Err(Refusal { rule: rules.dummies_follow }) }
    }

    fn refuges(&self, cw: &Cwcs, seen: &Seen<'_>, body: BodyId) -> Result<super::refuges::Areas, SpaceId> {
        cw.refuges(seen, self.side, self.area, cw.cavalry.w.retreat, &[body])
    }

    /// Whether a unit may retreat off the map (7.12.c).
    fn may_leave_map(&self, cw: &Cwcs, seen: &Seen<'_>, body: BodyId) -> bool {
        cw.may_leave_map(seen, (self.side, self.area), cw.cavalry.w.retreat, &[body]).is_ok()
    }

    /// It is said who would retreat, which says what they and those beside them are not; dummy infantry goes (9.21.a).
    fn declare(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules, side, area) = (&cw.cavalry.w, &cw.cavalry.rules, self.side, PlaceId(self.area.0));
        let drafted = Bodies::from_slice(&self.draft);
        (self.draft, self.to) = (List::new(), List::new());
        let going = cw.permitted(cx, cw.points.may_retreat, side, self.area, &drafted)?;
        if going.is_empty() {
            cx.story(w.stands, Some(rules.retreat), |e| {
                e.arg(cw.w.side, Arg::Side(side));
                e.arg(cw.w.area, Arg::Place(area));
            });
            return Ok(Flow::Done);
        }
        let named = going.clone();
        cx.story(w.would_retreat, Some(rules.retreat), |e| {
            e.arg(cw.w.units, Arg::KnownBodies(named));
            e.arg(cw.w.area, Arg::Place(area));
        });
        self.clear_infantry(cw, cx, &going)?;
        cw.retreats_to(cx, side, self.area, w.retreat, &going, rules.priorities)?;
        for body in self.who_can_go(cw, cx, &going)? {
            self.going.push(body).map_err(|_| cx.fault("too many units retreat"))?;
        }
        self.step = Step::Intercepted;
        let asked = cw.ask_to_intercept(cx, cw.enemy(side), self.area, &self.going)?;
        Ok(asked.unwrap_or(Flow::Again))
    }

    /// Where somebody retreats there is no infantry; dummies of it are revealed.
    fn clear_infantry(&self, cw: &Cwcs, cx: &mut Cx<'_>, going: &[BodyId]) -> Result<(), Halt> {
        let rules = &cw.cavalry.rules;
        let own = cw.here(cx, self.side, self.area);
        if cx.rule_on(rules.infantry_stays) {
            cw.say_none(cx, &own, cw.cavalry.bars_retreat, rules.infantry_stays)?;
        }
        if !cx.rule_on(rules.dummy_infantry) {
            return Ok(());
        }
        cw.say_none(cx, going, cw.cavalry.dummy_infantry, rules.dummy_infantry)?;
        let staying: Bodies = own.into_iter().filter(|body| !going.contains(body)).collect();
        for body in cw.sort_out(cx, &staying, cw.cavalry.dummy_infantry, rules.dummy_infantry)? {
            cx.reveal(body, rules.dummy_infantry)?;
        }
        Ok(())
    }

    /// Those who have a place to go; that the others have none is told, unit by unit (9.22.a).
    fn who_can_go(&self, cw: &Cwcs, cx: &mut Cx<'_>, going: &[BodyId]) -> Result<Bodies, Halt> {
        let (w, rules) = (&cw.cavalry.w, &cw.cavalry.rules);
        let mut able = Bodies::new();
        for &body in going {
            let can = {
                let seen = cx.seen(self.side);
                let areas = self.refuges(cw, &seen, body).unwrap_or_default();
                !areas.is_empty() || self.may_leave_map(cw, &seen, body)
            };
            cx.publish(w.refuge, rules.no_refuge, |e| {
                e.about(cw.w.units, Arg::KnownBodies(Bodies::from_slice(&[body])));
                e.answer(cw.w.result, Arg::Flag(can));
            })?;
            if can {
                able.push(body);
                continue;
            }
            cx.stop(rules.no_refuge, |e| {
                e.arg(cw.w.units, Arg::KnownBodies(Bodies::from_slice(&[body])));
                e.arg(cw.w.area, Arg::Place(PlaceId(self.area.0)));
            });
        }
        Ok(able)
    }

    /// Whoever was not intercepted goes on.
    fn after_interception(&mut self, cw: &Cwcs, cx: &Cx<'_>) -> Flow {
        let is_left = |body: BodyId| {
            cx.read().space(body) == Some(self.area) && !cx.flag(cw.columns.in_interception, body)
        };
        let left: Bodies = self.going.iter().copied().filter(|&body| is_left(body)).collect();
        self.going = List::new();
        for &body in &left {
            // They were among as many.
            let _ = self.going.push(body);
        }
        self.step = Step::Where;
        if left.is_empty() { Flow::Done } else { Flow::Again }
    }

    /// Where a unit has been told to go: `Some(None)` is off the map.
    fn destination(&self, body: BodyId) -> Option<Option<SpaceId>> {
        let at = self.draft.iter().position(|&one| one == body)?;
        self.to.get(at).copied()
    }

    /// Where a unit that is still to be told may go.
    fn choices(&self, cw: &Cwcs, seen: &Seen<'_>, body: BodyId) -> Vec<Option<SpaceId>> {
        if self.destination(body).is_some() {
            return Vec::new();
        }
        let areas = self.refuges(cw, seen, body).unwrap_or_default();
        let off = self.may_leave_map(cw, seen, body).then_some(None);
        areas.into_iter().map(Some).chain(off).collect()
    }

    /// All go at once, those to one area together.
    fn go(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules) = (&cw.cavalry.w, &cw.cavalry.rules);
        let told: Vec<(BodyId, Option<SpaceId>)> =
            self.going.iter().filter_map(|&body| Some((body, self.destination(body)?))).collect();
        let mut goals: Vec<Option<SpaceId>> = told.iter().map(|(_, to)| *to).collect();
        goals.sort_unstable();
        goals.dedup();
        for goal in goals {
            let units: Bodies = told.iter().filter(|(_, to)| *to == goal).map(|(body, _)| *body).collect();
            match goal {
                Some(to) => {
                    let way = (self.area, to);
                    cw.falls_back(cx, self.side, &units, way, w.retreat, rules.priorities)?;
                }
                None => cw.leave_map(cx, &units, cw.movement.rules.off_map)?,
            }
        }
        Ok(Flow::Done)
    }

    fn offer_who(&self, cw: &Cwcs, seen: &Seen<'_>, out: &mut Offers<'_>) {
        for body in seen.bodies_of(self.side, self.area) {
            if !self.draft.contains(&body) {
                out.consider(Action::new(cw.cavalry.w.retreat).on(body), || self.may_retreat(cw, seen, body));
            }
        }
        out.add(Action::new(cw.w.done));
    }

    fn offer_where(&self, cw: &Cwcs, seen: &Seen<'_>, out: &mut Offers<'_>) {
        let (w, rule) = (&cw.cavalry.w, cw.cavalry.rules.priorities);
        let mut open = false;
        for &body in &*self.going {
            for to in self.choices(cw, seen, body) {
                open = true;
                match to {
                    Some(to) => out.add(Action::new(w.retreat_to).on(body).on(to)),
                    None => out.add(Action::new(cw.movement.w.exit).on(body)),
                }
            }
        }
        out.consider(Action::new(cw.w.done), || if open { Err(Refusal { rule }) } else { Ok(()) });
        let is_going = |body: Option<BodyId>| body.is_some_and(|body| self.going.contains(&body));
        out.otherwise(rule, |a| a.verb == w.retreat_to && is_going(a.body(0)) && a.space(1).is_some());
    }
}

impl Procedure for RetreatBeforeCombat {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let (seat, w) = (cw.seat(self.side), &cw.cavalry.w);
        match self.step {
            Step::Who if self.is_idle(cw, cx) => Ok(Flow::Done),
            Step::Who => Ok(Flow::ask(seat, w.retreating)),
            Step::Intercepted => Ok(self.after_interception(cw, cx)),
            Step::Where => Ok(Flow::ask(seat, w.going)),
        }
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        match self.step {
            Step::Who => self.offer_who(cw, seen, out),
            Step::Where => self.offer_where(cw, seen, out),
            Step::Intercepted => {}
        }
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let Some(body) = action.body(0) else {
            return if self.step == Step::Who { self.declare(cw, cx) } else { self.go(cw, cx) };
        };
        if self.draft.push(body).is_err() || self.to.push(action.space(1)).is_err() {
            return Err(cx.fault("too many units retreat"));
        }
        self.run(cw, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

impl Cwcs {
    /// Whether nothing that all see keeps a body from retreating: it has strength (7.44), and need not fight an
    /// interception (8.23).
    fn is_free_to_go<S: Sight>(&self, sight: &S, body: BodyId) -> Verdict {
        let rules = &self.cavalry.rules;
        let against = [
            (rules.spent, sight.flag(self.columns.spent, body)),
            (rules.caught, sight.flag(self.columns.in_interception, body)),
        ];
        match against.into_iter().find(|&(rule, against)| against && sight.rule_on(rule)) {
            Some((rule, _)) => Err(Refusal { rule }),
            None => Ok(()),
        }
    }

    /// Says to all that none of some bodies is what a question asks for, as the rules have it.
    fn say_none(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        question: QuestionId,
        rule: RuleId,
    ) -> Result<(), Halt> {
        if !bodies.is_empty() {
            let (about, audience, lapse) = (About::Bodies, Audience::ALL, self.moments.turn_ends);
            cx.tell(Telling { question, bodies, about, audience, rule, lapse })?;
        }
        Ok(())
    }
}

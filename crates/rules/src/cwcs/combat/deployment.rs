//! Deployment on the Battle Board (9.11, 9.3), and the reserves that are brought up for a second round (9.93.a).
//!
//! A draft: bodies are put into Line Positions, one after the other, and whoever is left over is in the Reserve. Nobody
//! else sees it; when it is done all see how many are where, and that each position holds a unit.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, Procedure, Refusal, SeatId, SideId, Sight as _, SpaceId,
    WordId,
};

use super::lines::{LinePosition, Order};
use super::names::Placed;
use super::orders::Ordering;
use super::party::Filled;
use super::plan::{Plan, Task};
use crate::cwcs::Cwcs;
use crate::cwcs::stacking::{by_looks, looks};
use crate::cwcs::units::Bodies;

/// What is deployed.
#[derive(adjutant_kernel::locals::Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// All that takes part, at the beginning.
    Party,
    /// The cavalry of an interception combat.
    Interceptors,
    /// The Reserve, for a second round.
    Reserve,
    /// The Reserve of a side whose position in this round is one that its enemy began (9.93).
    ReserveAgainst,
}

/// A side's deployment.
#[derive(Locals)]
pub(crate) struct Deploy {
    side: SideId,
    area: SpaceId,
    attacks: bool,
    what: What,
    /// The positions that the defender has filled, for an attacker at the beginning.
    against: Option<Filled>,
    #[local(class = "owner")]
    bodies: List<BodyId, 96>,
    #[local(class = "owner")]
    positions: List<LinePosition, 96>,
}

impl Deploy {
    fn of(side: SideId, area: SpaceId, attacks: bool, what: What, against: Option<Filled>) -> Self {
        Self { side, area, attacks, what, against, bodies: List::new(), positions: List::new() }
    }

    /// The defender's (9.11.a).
    pub(crate) fn defending(side: SideId, area: SpaceId, interception: bool) -> Self {
        Self::of(side, area, false, what(interception), None)
    }

    /// The attacker's, who sees which positions the defender has filled (9.11.b).
    pub(crate) fn attacking(side: SideId, area: SpaceId, interception: bool, against: Filled) -> Self {
        Self::of(side, area, true, what(interception), Some(against))
    }

    /// Reserves are brought up (9.93.a); `by_defender` when the one who defended began the round.
    pub(crate) fn reserves(side: SideId, area: SpaceId, attacks: bool, by_defender: bool) -> Self {
        let what = if by_defender { What::ReserveAgainst } else { What::Reserve };
        Self::of(side, area, attacks, what, None)
    }

    fn reinforces(&self) -> bool {
        match self.what {
            What::Party | What::Interceptors => false,
            What::Reserve | What::ReserveAgainst => true,
        }
    }

    fn verb(&self, cw: &Cwcs) -> WordId {
        if self.reinforces() { cw.combat.w.bring_up } else { cw.combat.w.deploy }
    }

    fn task(&self) -> Task {
        let Self { side, area, attacks, against, .. } = *self;
        Task { side, area, attacks, against, reinforces: self.reinforces() }
    }

    fn placed(&self) -> Placed<'_> {
        (&self.bodies, &self.positions)
    }

    /// Those that are deployed.
    fn who<S: adjutant_kernel::Sight>(&self, cw: &Cwcs, sight: &S) -> Bodies {
        match self.what {
            What::Party => cw.party(sight, self.side, self.area, false),
            What::Interceptors => cw.party(sight, self.side, self.area, true),
            What::Reserve | What::ReserveAgainst => cw.in_reserve(sight, self.side),
        }
    }

    fn at(&self, position: LinePosition, all: &[BodyId]) -> Bodies {
        let there =
            |body: &BodyId| self.bodies.iter().zip(&self.positions).any(|(b, p)| b == body && *p == position);
        all.iter().copied().filter(there).collect()
    }

    /// All go to their places, and of those that are face down nobody else knows which is where (9.11.a).
    fn commit(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        let (verb, side) = (self.verb(cw), self.side);
        let all = self.who(cw, &cx.common());
        let seen = cx.seen(side);
        let lines = LinePosition::ALL.map(|position| by_looks(&seen, self.at(position, &all)));
        let rest = by_looks(&seen, all.iter().copied().filter(|b| !self.bodies.contains(b)).collect());
        for (position, bodies) in LinePosition::ALL.into_iter().zip(&lines) {
            let dest = Dest::Place(cw.line_box(side, position), Position::Bottom);
            cx.move_unseen(verb, bodies, dest)?;
        }
        if !self.reinforces() {
            cx.move_unseen(verb, &rest, Dest::Place(cw.boxes(side).reserve, Position::Bottom))?;
        }
        let down: Bodies = all.iter().copied().filter(|&b| !cx.read().face_up(b)).collect();
        cx.mix_alike(&down)?;
        let (w, rules) = (&cw.combat.w, &cw.combat.rules);
        let rule = if self.reinforces() { rules.reinforced } else { rules.deployed };
        let common = cx.common();
        let stand = LinePosition::ALL.map(|position| (position, cw.in_line(&common, side, position).len()));
        let kept = cw.in_reserve(&common, side).len();
        cx.story(w.deployed, Some(rule), |e| {
            e.arg(cw.w.side, Arg::Side(side));
            for (position, many) in stand {
                e.arg(cw.lines.position(position), Arg::Number(many as i32));
            }
            e.arg(w.reserve, Arg::Number(kept as i32));
        });
        for position in LinePosition::ALL {
            let bodies = cw.in_line(&cx.truth(), side, position);
            let is_new = bodies.iter().any(|body| self.bodies.contains(body));
            if is_new || (!self.reinforces() && !bodies.is_empty()) {
                cw.tell_units(cx, &bodies, rules.able, cw.moments.battle_ended)?;
            }
        }
        Ok(())
    }

    /// Whether a position with one body more could still be given an order, in a round that the one who defended
    /// began: nobody comes up who would leave its attack without one (9.93).
    fn may_be_ordered(
        &self,
        cw: &Cwcs,
        seen: &Seen<'_>,
        body: BodyId,
        position: LinePosition,
    ) -> Result<(), Refusal> {
        if !self.attacks || self.what != What::ReserveAgainst {
            return Ok(());
        }
        let mut bodies = cw.in_line(seen, self.side, position);
        bodies.extend(self.at(position, &self.bodies));
        bodies.push(body);
        let ordering =
            Ordering { side: self.side, area: self.area, by_defender: true, position, bodies: &bodies };
        cw.may_order(seen, &ordering, Order::Advance)
    }
}

fn what(interception: bool) -> What {
    if interception { What::Interceptors } else { What::Party }
}

impl Procedure for Deploy {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        // Who has nobody in Reserve is not asked whom he brings up; all see that.
        if self.reinforces() && self.who(cw, &cx.common()).is_empty() {
            return Ok(Flow::Done);
        }
        let w = &cw.combat.w;
        let prompt = if self.reinforces() { w.reserves } else { w.deployment };
        Ok(Flow::ask(cw.seat(self.side), prompt))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (who, verb, placed) = (self.who(cw, seen), self.verb(cw), self.placed());
        let plan = Plan::new(cw, seen, self.task(), &who);
        let steps = plan.steps(placed);
        for &body in who.iter().filter(|body| !self.bodies.contains(body)) {
            for position in LinePosition::ALL {
                let action = Action::new(verb).on(body).on(cw.lines.position(position));
                out.consider(action, || {
                    plan.may_place(&steps, placed, body, position)?;
                    self.may_be_ordered(cw, seen, body, position)
                });
            }
        }
        out.consider(Action::new(cw.w.done), || {
            // In a world that is only imagined there may be nobody to fight with.
            let may = steps.is_complete || !plan.is_possible();
            if may { Ok(()) } else { Err(Refusal { rule: plan.incomplete_rule(placed) }) }
        });
        // Those that are deployed already, and those that do not take part.
        let rules = &cw.combat.rules;
        let rule = match self.what {
            What::Party => rules.deployed,
            What::Interceptors => rules.cavalry_alone,
            What::Reserve | What::ReserveAgainst => rules.stays,
        };
        out.otherwise(rule, |action| action.verb == verb && action.body(0).is_some_and(|b| seen.owns(b)));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == cw.w.done {
            self.commit(cw, cx)?;
            return Ok(Flow::Done);
        }
        let position = action.choice(1).and_then(|word| cw.lines.position_named(word));
        let (Some(body), Some(position)) = (action.body(0), position) else {
            return Err(cx.fault("a body is deployed in a position"));
        };
        if self.bodies.push(body).is_err() || self.positions.push(position).is_err() {
            return Err(cx.fault("too many are deployed"));
        }
        self.run(cw, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// How many are in each position, and where those are that everybody tells apart: with markers, and face up.
    fn shape(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        let who = self.who(cw, seen);
        let mut shape = Vec::new();
        for position in LinePosition::ALL {
            let there = by_looks(seen, self.at(position, &who));
            shape.push(there.len() as i32);
            shape.extend(there.iter().flat_map(|&body| looks(seen, body)));
        }
        Some(shape)
    }
}

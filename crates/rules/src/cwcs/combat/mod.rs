//! Combat (9, 10): the phase, in which the phasing side says where it fights, and in which order (9.1).
//!
//! A combat is declared and fought in [`battle`]: deployed ([`deployment`], within the limits of [`limits`] and
//! [`plan`]), given orders ([`orders`]), its attacks declared ([`declaration`], by [`pairing`]).
//!
//! A pair of Line Positions is resolved ([`pair`]) by the charts ([`intensity`]) and by fire ([`fire`]), for both of which
//! [`strength`] counts; then it loses points (`losses`). At the end of a round officers may fall ([`casualties`]),
//! positions withdraw ([`withdrawal`]), and who crossed a river may have to go back ([`rivers`]).

pub(crate) mod battle;
mod casualties;
mod declaration;
mod deployment;
pub(crate) mod fight;
mod fire;
mod intensity;
mod limits;
pub(crate) mod lines;
pub(crate) mod names;
mod officers;
mod orders;
mod pair;
mod pairing;
mod parts;
mod party;
mod plan;
mod refuges;
pub(crate) mod resolution;
pub(crate) mod retreat;
mod rivers;
mod strength;
mod withdrawal;

use std::sync::Arc;

use adjutant_kernel::flow::ProcRef;
use adjutant_kernel::knowledge::{Seen, Sight};
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::rulebook::Column;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, Procedure, Refusal, RuleId, RulebookBuilder, SeatId, SideId,
    SpaceId, Verdict,
};

use super::Cwcs;
use battle::{Battle, Cause};
use plan::{Plan, Task};

/// The procedures of the course of combat.
#[derive(Clone, Debug)]
pub(crate) struct CombatProcs {
    pub(crate) phase: ProcRef<Combat>,
    pub(crate) instead: ProcRef<Instead>,
    pub(crate) battle: ProcRef<Battle>,
    pub(crate) deploy: ProcRef<deployment::Deploy>,
    pub(crate) orders: ProcRef<orders::GiveOrders>,
    pub(crate) declare: ProcRef<declaration::Declare>,
}

impl CombatProcs {
    pub(crate) fn declare(rb: &mut RulebookBuilder) -> Self {
        Self {
            phase: rb.proc("cwcs.combat"),
            instead: rb.proc("cwcs.attack instead"),
            battle: rb.proc("cwcs.battle"),
            deploy: rb.proc("cwcs.deployment"),
            orders: rb.proc("cwcs.orders"),
            declare: rb.proc("cwcs.declaration"),
        }
    }

    pub(crate) fn define(&self, rb: &mut RulebookBuilder, cwcs: &Arc<Cwcs>) {
        rb.define(self.phase, cwcs);
        rb.define(self.instead, cwcs);
        rb.define(self.battle, cwcs);
        rb.define(self.deploy, cwcs);
        rb.define(self.orders, cwcs);
        rb.define(self.declare, cwcs);
        cwcs.order_sampler(rb);
    }
}

/// The Combat Phase (4.33).
#[derive(Locals)]
pub(crate) struct Combat {
    side: SideId,
    step: CombatStep,
    /// Where the last combat was: its area is done with when another's begins (9.13).
    here: Option<SpaceId>,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum CombatStep {
    Begin,
    Combats,
    Instead,
    Straggling,
    Over,
}

impl Combat {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, step: CombatStep::Begin, here: None }
    }

    /// A combat begins somewhere, or none does any more: what was left to do in the area before it is let go (9.13).
    fn go_to(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, area: Option<SpaceId>) -> Result<(), Halt> {
        if let Some(here) = self.here.filter(|_| self.here != area) {
            cx.set(cw.columns.fought, here, 1)?;
        }
        self.here = area;
        Ok(())
    }
}

impl Procedure for Combat {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        use CombatStep as Step;
        let (next, flow) = match self.step {
            Step::Begin => (Step::Combats, Flow::Moment(cw.moments.combat_begins)),
            // Where nobody stands against anybody there is nothing to ask; all see that.
            Step::Combats if cw.may_be_fought(cx) => {
                return Ok(Flow::ask(cw.seat(self.side), cw.combat.w.choose));
            }
            Step::Combats => (Step::Instead, Flow::Again),
            Step::Instead => {
                (Step::Straggling, cw.procs.combat.instead.call(Instead { side: cw.enemy(self.side) }))
            }
            Step::Straggling => {
                cw.end_straggling(cx)?;
                (Step::Over, Flow::Moment(cw.moments.combat_ends))
            }
            Step::Over => return Ok(Flow::Done),
        };
        self.step = next;
        Ok(flow)
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, rules, side) = (&cw.combat.w, &cw.combat.rules, self.side);
        let mut must = false;
        for &area in &cw.map.areas {
            if seen.records(cw.combat.interception).any(|r| r.fields[0] == i32::from(area.0)) {
                out.add(Action::new(w.fight).on(area));
                must = true;
            }
            if !cw.is_contested(seen, area) {
                continue;
            }
            let verdict = cw.may_attack(seen, side, area);
            must |= verdict.is_ok() && cw.must_attack(seen, side, area);
            out.consider(Action::new(w.attack).on(area), || verdict);
        }
        out.consider(Action::new(cw.w.done), || {
            if must && seen.rule_on(rules.mandatory) {
                Err(Refusal { rule: rules.mandatory })
            } else {
                Ok(())
            }
        });
        let is_area = |action: &Action| action.space(0).is_some();
        out.otherwise(rules.needs_enemies, |a| a.verb == w.attack && is_area(a));
        out.otherwise(rules.needs_enemies, |a| a.verb == w.fight && is_area(a));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        self.go_to(cw, cx, action.space(0))?;
        let Some(area) = action.space(0) else {
            cx.commit();
            self.step = CombatStep::Instead;
            return Ok(Flow::Again);
        };
        let (by, cause) = match action.verb == cw.combat.w.fight {
            true => (cw.interception_in(cx, area)?.unwrap_or(self.side), Cause::Interception),
            false => (self.side, Cause::Declared),
        };
        Ok(cw.procs.combat.battle.call(Battle::of(area, by, cause)))
    }
}

/// Where the phasing side came and did not attack, the other may (9.94).
#[derive(Locals)]
pub(crate) struct Instead {
    side: SideId,
}

impl Instead {
    /// Areas that the enemy has entered in this turn, where both stand and nobody has fought.
    fn areas<'a, S: Sight>(&'a self, cw: &'a Cwcs, sight: &'a S) -> impl Iterator<Item = SpaceId> + 'a {
        let entered = |area: SpaceId| sight.flag(cw.columns.entered, (area, cw.enemy(self.side)));
        let all = cw.map.areas.iter().copied();
        all.filter(move |&area| {
            cw.is_contested(sight, area) && !sight.flag(cw.columns.fought, area) && entered(area)
        })
    }
}

impl Procedure for Instead {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let is_on = cx.read().option(cw.combat.by_defender);
        if is_on && self.areas(cw, &cx.common()).next().is_some() {
            return Ok(Flow::ask(cw.seat(self.side), cw.combat.w.instead));
        }
        Ok(Flow::Done)
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, rules, side) = (&cw.combat.w, &cw.combat.rules, self.side);
        for area in self.areas(cw, seen) {
            out.consider(Action::new(w.attack).on(area), || {
                cw.may_attack(seen, side, area)?;
                let officers = cw.pieces.sets.officers;
                let led = seen.bodies_of(side, area).into_iter().any(|body| seen.is(body, officers).is_yes());
                if led { Ok(()) } else { Err(Refusal { rule: rules.instead }) }
            });
        }
        out.add(Action::new(cw.w.done));
        out.otherwise(rules.instead, |action| action.verb == w.attack && action.space(0).is_some());
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match action.space(0) {
            Some(area) => Ok(cw.procs.combat.battle.call(Battle::of(area, self.side, Cause::Instead))),
            None => {
                cx.commit();
                Ok(Flow::Done)
            }
        }
    }
}

impl Cwcs {
    /// Whether both sides have bodies in an area that could fight.
    fn is_contested<S: Sight>(&self, sight: &S, area: SpaceId) -> bool {
        [SideId(0), SideId(1)].iter().all(|&side| !self.party(sight, side, area, false).is_empty())
    }

    /// Whether, as all see it, there is still something to fight, or to decide on, in this phase.
    fn may_be_fought(&self, cx: &Cx<'_>) -> bool {
        let common = cx.common();
        let open =
            |area: &SpaceId| !common.flag(self.columns.fought, *area) && self.is_contested(&common, *area);
        cx.read().records(self.combat.interception).next().is_some() || self.map.areas.iter().any(open)
    }

    /// The interception combat to be fought in an area, if there is one: who attacks in it. It is taken off the list.
    pub(crate) fn interception_in(&self, cx: &mut Cx<'_>, area: SpaceId) -> Result<Option<SideId>, Halt> {
        let here = i32::from(area.0);
        let record = cx.read().records(self.combat.interception).find(|r| r.fields[0] == here);
        let Some(by) = record.map(|r| SideId(r.fields[1].clamp(0, 1) as u8)) else { return Ok(None) };
        cx.unrecord(self.combat.interception, |r| r.fields[0] == here)?;
        Ok(Some(by))
    }

    /// Whether a side may attack in an area (9.0), as far as it knows.
    fn may_attack(&self, seen: &Seen<'_>, side: SideId, area: SpaceId) -> Verdict {
        let (rules, columns) = (&self.combat.rules, &self.columns);
        let refuse = |rule: RuleId| Err(Refusal { rule });
        if seen.flag(columns.fought, area) {
            return refuse(rules.one_regular);
        }
        let foes = self.party(seen, self.enemy(side), area, false);
        if foes.is_empty() {
            return refuse(self.no_foes_rule(seen, side, area));
        }
        if seen.any(self.pieces.sets.units, &foes).is_no() {
            return refuse(rules.needs_enemies);
        }
        let own = self.party(seen, side, area, false);
        let units: super::units::Bodies =
            own.iter().copied().filter(|&body| self.can_fight(seen, body)).collect();
        if units.is_empty() {
            return refuse(rules.dummies_attack);
        }
        if !units.iter().any(|&body| self.units.is_effective(seen, body))
            && seen.rule_on(rules.no_ineffective)
        {
            return refuse(rules.no_ineffective);
        }
        // Before the plan: the title's reason says more than that nothing can be deployed.
        let args = [PointArg::Side(side), PointArg::Space(area)];
        if let Some(rule) = seen.forbidden(self.points.may_attack, &args) {
            return refuse(rule);
        }
        let task = Task { side, area, attacks: true, against: Some([true; 3]), reinforces: false };
        if Plan::strict(self, seen, task, &own).is_possible() { Ok(()) } else { refuse(rules.artillery) }
    }

    /// Why there is nobody to attack where the enemy stands.
    fn no_foes_rule(&self, seen: &Seen<'_>, side: SideId, area: SpaceId) -> RuleId {
        let rules = &self.combat.rules;
        let there = seen.bodies_of(self.enemy(side), area);
        let is = |column: Column<BodyId>| there.iter().any(|&body| seen.flag(column, body));
        if is(self.columns.sits_out) || is(self.columns.in_interception) {
            rules.committed
        } else if is(self.columns.spent) {
            rules.spent
        } else {
            rules.needs_enemies
        }
    }

    /// Whether a side must attack in an area (9.0): one of its bodies there came under the control of artillery, or over
    /// a major river where the enemy alone was in control.
    fn must_attack(&self, seen: &Seen<'_>, side: SideId, area: SpaceId) -> bool {
        let columns = [self.combat.compelled, Some(self.columns.bridgehead)];
        let own = self.party(seen, side, area, false);
        columns.into_iter().flatten().any(|column| own.iter().any(|&body| seen.flag(column, body)))
    }
}

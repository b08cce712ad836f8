//! Combat Orders (9.4): both sides give theirs at once and in secret.

use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{Choice as _, Locals};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, Procedure, Refusal, RuleId, SeatId, SideId, Sight as _,
    SpaceId, Verdict,
};
use smallvec::SmallVec;

use super::lines::{LinePosition, Order};
use super::party::Filled;
use crate::cwcs::Cwcs;
use crate::cwcs::leaders::Line;
use crate::cwcs::units::Bodies;

/// What an order is for.
#[derive(Clone, Copy)]
pub(crate) struct Ordering<'a> {
    pub(crate) side: SideId,
    pub(crate) area: SpaceId,
    /// The one who defended at the beginning began this round (9.93).
    pub(crate) by_defender: bool,
    pub(crate) position: LinePosition,
    /// What stands there.
    pub(crate) bodies: &'a [BodyId],
}

impl Order {
    /// The orders of attack (9.43) or of defence (9.42); the first is the one that is always there to give, but for an
    /// attacker in a round that he began as defender.
    fn choices(attacks: bool) -> [Self; 3] {
        match attacks {
            true => [Self::Diversion, Self::Advance, Self::Assault],
            false => [Self::Withdraw, Self::Stand, Self::Counterattack],
        }
    }
}

impl Cwcs {
    /// Whether a position may be given an order, as its owner knows what stands there (9.41 to 9.43).
    pub(crate) fn may_order(&self, seen: &Seen<'_>, ordering: &Ordering<'_>, order: Order) -> Verdict {
        let rules = &self.combat.rules;
        let units: Bodies =
            ordering.bodies.iter().copied().filter(|&body| self.can_fight(seen, body)).collect();
        let forbid = |holds: bool, rule: RuleId| {
            if holds && seen.rule_on(rule) { Err(Refusal { rule }) } else { Ok(()) }
        };
        let is_ineffective = |body: &BodyId| seen.flag(self.columns.ineffective, *body);
        let (any, all) = (units.iter().any(is_ineffective), units.iter().all(is_ineffective));
        let sets = &self.pieces.sets;
        let has = |set| units.iter().any(|&body| seen.is(body, set).is_yes());
        let infantry = units.iter().filter(|body| seen.is(**body, sets.infantry).is_yes());
        let reach = infantry.filter_map(|&body| self.line(seen, body)).min();
        let reaches = |line: Line| reach.is_none_or(|reach| reach >= line.value());
        match order {
            Order::Diversion => {
                forbid(any, rules.void)?;
                forbid(ordering.by_defender, rules.new_attacker)?;
            }
            Order::Advance => {
                forbid(any, rules.void)?;
                forbid(!reaches(Line::Officer), rules.advance_line)?;
            }
            Order::Assault => {
                forbid(any, rules.void)?;
                forbid(!reaches(Line::Whole), rules.assault_line)?;
                forbid(has(sets.militia), rules.assault_militia)?;
            }
            Order::Withdraw => {}
            Order::Stand => forbid(all, rules.only_withdraw)?,
            Order::Counterattack => {
                forbid(ordering.by_defender, rules.new_defender)?;
                forbid(all, rules.only_withdraw)?;
                forbid(any, rules.stand_or_withdraw)?;
                forbid(!reaches(Line::Whole), rules.counterattack_line)?;
                let mounted = has(sets.artillery) || has(sets.cavalry);
                let foot = has(sets.infantry) || has(sets.garrison);
                forbid(mounted && !foot, rules.counterattack_foot)?;
                forbid(has(sets.militia), rules.counterattack_militia)?;
            }
        }
        let mut args: SmallVec<[PointArg; 12]> = [
            PointArg::Side(ordering.side),
            PointArg::Space(ordering.area),
            PointArg::Word(self.lines.position(ordering.position)),
            PointArg::Word(self.lines.order(order)),
        ]
        .into_iter()
        .collect();
        args.extend(units.iter().map(|&body| PointArg::Body(body)));
        match seen.forbidden(self.points.may_be_ordered, &args) {
            Some(rule) => Err(Refusal { rule }),
            None => Ok(()),
        }
    }
}

/// One side's orders for its positions: a branch of a fork, until `done`.
#[derive(Locals)]
pub(crate) struct GiveOrders {
    side: SideId,
    area: SpaceId,
    attacks: bool,
    by_defender: bool,
    filled: Filled,
    #[local(class = "owner")]
    given: [Option<Order>; 3],
}

impl GiveOrders {
    pub(crate) fn of(side: SideId, area: SpaceId, attacks: bool, by_defender: bool, filled: Filled) -> Self {
        Self { side, area, attacks, by_defender, filled, given: [None; 3] }
    }

    /// The order of a position.
    pub(crate) fn given(&self, position: LinePosition) -> Option<Order> {
        self.given[position.index()]
    }

    fn positions(&self) -> impl Iterator<Item = LinePosition> + '_ {
        LinePosition::ALL.into_iter().filter(|position| self.filled[position.index()])
    }
}

impl Procedure for GiveOrders {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(cw.seat(self.side), cw.combat.w.orders))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, &Self { side, area, attacks, by_defender, .. }) = (&cw.combat.w, self);
        let mut all_given = true;
        for position in self.positions().filter(|&position| self.given(position).is_none()) {
            all_given = false;
            let bodies = cw.in_line(seen, side, position);
            let ordering = Ordering { side, area, by_defender, position, bodies: &bodies };
            let choices = Order::choices(attacks);
            let verdicts = choices.map(|order| cw.may_order(seen, &ordering, order));
            // A position always has an order: where all are forbidden, the most cautious is let through.
            let none = verdicts.iter().all(Result::is_err);
            let least = if attacks && by_defender { Order::Advance } else { choices[0] };
            for (order, verdict) in choices.into_iter().zip(verdicts) {
                let action = Action::new(w.order).on(cw.lines.position(position)).on(cw.lines.order(order));
                out.consider(action, || if none && order == least { Ok(()) } else { verdict });
            }
        }
        out.consider(Action::new(cw.w.done), || {
            if all_given { Ok(()) } else { Err(Refusal { rule: cw.combat.rules.one_order }) }
        });
        // Another order for a position that has one, one for nobody, one of the other side's.
        out.otherwise(cw.combat.rules.one_order, |action| action.verb == w.order);
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == cw.w.done {
            return Ok(Flow::Done);
        }
        let position = action.choice(0).and_then(|word| cw.lines.position_named(word));
        let order = Order::choices(self.attacks)
            .into_iter()
            .find(|order| action.choice(1) == Some(cw.lines.order(*order)));
        let (Some(position), Some(order)) = (position, order) else {
            return Err(cx.fault("a position is given an order"));
        };
        self.given[position.index()] = Some(order);
        self.run(cw, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// Nothing shows before the orders are revealed.
    fn shape(&self, _: &Cwcs, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        Some(Vec::new())
    }
}

impl Cwcs {
    /// How those imagine the orders who have not seen them: any that both could have given, as far as markers tell.
    pub(crate) fn order_sampler(&self, rb: &mut adjutant_kernel::RulebookBuilder) {
        let boxes = self.boxes;
        let (attacker, battle) = (self.columns.attacker, self.columns.battle);
        let ineffective = self.columns.ineffective;
        rb.sampler(self.columns.order_given, move |s| {
            let Some(&place) = boxes[s.side.index().min(1)].line.get(usize::from(s.holder)) else { return 0 };
            if s.read.get(battle, ()) < 0 || s.read.bodies(place).next().is_none() {
                return 0;
            }
            if s.read.get(attacker, ()) == i32::from(s.side.0) {
                return s.between(Order::Diversion.number(), Order::Advance.number()) + 1;
            }
            let worn = s.read.bodies(place).any(|body| s.read.flag(ineffective, body));
            let most = if worn { Order::Withdraw } else { Order::Stand };
            s.between(Order::Withdraw.number(), most.number()) + 1
        });
    }
}

//! The course of one combat (9.1, 9.12, 9.93): declared, deployed, fought in one round or two, and over.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{
    Action, Cx, Flow, Halt, Offers, PlaceId, Procedure, Refusal, SeatId, SideId, Sight, SpaceId, Verdict,
};

use super::declaration::Declare;
use super::deployment::Deploy;
use super::fight::Fight;
use super::lines::{LinePosition, Order};
use super::orders::{GiveOrders, Ordering};
use super::pairing::{Attacks, Lines};
use super::party::Filled;
use crate::cwcs::Cwcs;
use crate::cwcs::stacking::Arrange;
use crate::cwcs::units::Bodies;

/// What brought a combat about.
#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// The phasing side declared it.
    Declared,
    /// The phasing side did not, and so the other did (9.94).
    Instead,
    /// Cavalry was intercepted (8.23).
    Interception,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Begin,
    Retreat,
    /// An interception of those who retreat is fought first, if there was one.
    Remaining,
    DefenderDeploys,
    DefenderDeployed,
    AttackerDeploys,
    Deployed,
    Orders,
    Join,
    Declare,
    DefenderFires,
    Reveal,
    Pairs,
    Casualties,
    Withdrawal,
    AskAttacker,
    AskDefender,
    RoundOver,
    Reinforce,
    ReinforceAttacker,
    Fallen,
    Return,
    ArrangeAttacker,
    ArrangeDefender,
    Over,
    End,
}

/// A combat in an area.
#[derive(Locals)]
pub(crate) struct Battle {
    area: SpaceId,
    /// Who attacked first, and who attacks in this round.
    first: SideId,
    attacker: SideId,
    cause: Cause,
    step: Step,
    round: i32,
    /// The pair that is fought next.
    pair: i32,
    /// Attackers across a major river have not driven off the defender.
    must_go_back: bool,
    goes_on: bool,
}

impl Battle {
    pub(crate) fn of(area: SpaceId, attacker: SideId, cause: Cause) -> Self {
        Self {
            area,
            first: attacker,
            attacker,
            cause,
            step: Step::Begin,
            round: 0,
            pair: 0,
            must_go_back: false,
            goes_on: false,
        }
    }

    fn is_interception(&self) -> bool {
        self.cause == Cause::Interception
    }

    fn defender(&self, cw: &Cwcs) -> SideId {
        cw.enemy(self.attacker)
    }

    /// The one who defended at first began this round (9.93).
    fn by_defender(&self) -> bool {
        self.attacker != self.first
    }

    fn lines<S: Sight>(&self, cw: &Cwcs, sight: &S) -> Lines {
        let (attacker, defender) = (cw.filled(sight, self.attacker), cw.filled(sight, self.defender(cw)));
        Lines { attacker, defender }
    }

    /// It is declared (9.1): who has an effective unit there, and whom dummies alone do not stand up to (3.22.c).
    fn begin(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules, at) = (&cw.combat.w, &cw.combat.rules, PlaceId(self.area.0));
        let (attacker, defender, is_interception) =
            (self.attacker, self.defender(cw), self.is_interception());
        let rule = match self.cause {
            Cause::Declared => rules.declared,
            Cause::Instead => rules.instead,
            Cause::Interception => rules.interception_first,
        };
        cx.story(w.battle, Some(rule), |e| {
            e.arg(cw.w.area, Arg::Place(at));
            e.arg(w.attacker, Arg::Side(attacker));
            e.arg(w.defender, Arg::Side(defender));
            e.arg(w.interception, Arg::Flag(is_interception));
        });
        let own = cw.party(&cx.common(), attacker, self.area, is_interception);
        if self.cause == Cause::Instead {
            let there = cw.here(cx, attacker, self.area);
            cw.tell_officers(cx, &there, rules.instead)?;
        }
        if !is_interception {
            cw.tell_attackers(cx, &own, rules.dummies_attack)?;
        }
        // The attempt counts, whoever there turns out to be: else the marker would tell dummies that retreat.
        cw.mark_initiated(cx, &own, true)?;
        // Only the side whose turn it is not may retreat (9.21), and nobody does from an interception (8.23).
        self.step = Step::Retreat;
        Ok(Flow::Again)
    }

    /// Whether the defender has a unit that fights.
    fn is_stood_up_to(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<bool, Halt> {
        let defender = self.defender(cw);
        let bodies = cw.party(&cx.common(), defender, self.area, false);
        let others = cw.here(cx, defender, self.area).len() > bodies.len();
        cw.stands_up(cx, &bodies, others)
    }

    /// After retreats before combat: an interception of those who retreat comes first (8.23.a), then whoever is left
    /// fights.
    fn remaining(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let (columns, defender) = (&cw.columns, self.defender(cw));
        if !self.is_interception() {
            if let Some(by) = cw.interception_in(cx, self.area)? {
                return Ok(cw.procs.combat.battle.call(Battle::of(self.area, by, Cause::Interception)));
            }
            cx.set(columns.fought, self.area, 1)?;
            let own = cw.party(&cx.common(), self.attacker, self.area, false);
            let stand_up = !cw.party(&cx.common(), defender, self.area, false).is_empty()
                && cw.tell_attackers(cx, &own, cw.combat.rules.dummies_attack)?
                && self.is_stood_up_to(cw, cx)?;
            if !stand_up {
                let (w, at) = (&cw.combat.w, PlaceId(self.area.0));
                let rule = cw.combat.rules.dummies_attacked;
                cx.story(w.no_battle, Some(rule), |e| e.arg(cw.w.area, Arg::Place(at)));
                self.step = Step::Over;
                return Ok(Flow::Again);
            }
        }
        let who = |side| cw.party(&cx.common(), side, self.area, self.is_interception());
        if [self.attacker, defender].into_iter().any(|side| who(side).is_empty()) {
            self.step = Step::Return;
            return Ok(Flow::Again);
        }
        cx.set(columns.battle, (), i32::from(self.area.0))?;
        cx.set(columns.attacker, (), i32::from(self.attacker.0))?;
        // What is face up before a combat stays so until its owner moves (3.12, 9.11.a).
        for side in [self.attacker, defender] {
            for body in cw.party(&cx.common(), side, self.area, self.is_interception()) {
                if cx.read().face_up(body) {
                    cx.set(columns.exposed, body, 1)?;
                }
            }
        }
        self.step = Step::DefenderDeploys;
        Ok(Flow::Again)
    }

    fn over(&self, cw: &Cwcs, cx: &mut Cx<'_>) {
        let (w, at) = (&cw.combat.w, PlaceId(self.area.0));
        cx.story(w.over, Some(cw.combat.rules.over), |e| e.arg(cw.w.area, Arg::Place(at)));
    }

    /// Both give their orders at once (9.12.a).
    fn ask_orders(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        self.round += 1;
        self.step = Step::Join;
        cx.set(cw.columns.round, (), self.round)?;
        let branch = |side: SideId| {
            let filled = cw.filled(&cx.common(), side);
            let (attacks, by_defender) = (side == self.attacker, self.by_defender());
            let orders = GiveOrders::of(side, self.area, attacks, by_defender, filled);
            (cw.seat(side), cw.procs.combat.orders.with(orders))
        };
        let branches = vec![branch(SideId(0)), branch(SideId(1))];
        Ok(Flow::Fork { branches, together: true })
    }

    /// The orders are given and not revealed: a title may come in between.
    fn join(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        for side in [SideId(0), SideId(1)] {
            let orders = cx.joined(cw.procs.combat.orders, cw.seat(side))?;
            for position in LinePosition::ALL {
                let value = orders.given(position).map_or(0, |order| order.number() + 1);
                cx.set(cw.columns.order_given, (position.choice(), side), value)?;
            }
        }
        self.step = Step::Declare;
        Ok(Flow::Moment(cw.moments.orders_given))
    }

    /// An ineffective unit in an attacking position makes the combat void (9.41.a): everybody sees its marker, so it
    /// takes a title to bring that about. So does one that leaves a side no position.
    fn is_void(&self, cw: &Cwcs, cx: &Cx<'_>) -> bool {
        let lines = self.lines(cw, &cx.common());
        let none = [lines.attacker, lines.defender].contains(&[false; 3]);
        none || (cx.rule_on(cw.combat.rules.void) && cw.holds_ineffective(&cx.common(), self.attacker))
    }

    fn declare(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.is_void(cw, cx) {
            let at = PlaceId(self.area.0);
            cx.story(cw.combat.w.void, Some(cw.combat.rules.void), |e| e.arg(cw.w.area, Arg::Place(at)));
            if self.round == 1 {
                let own = cw.on_board(&cx.common(), self.attacker);
                cw.mark_initiated(cx, &own, false)?;
            }
            self.step = Step::Fallen;
            return Ok(Flow::Again);
        }
        self.step = Step::DefenderFires;
        let lines = self.lines(cw, &cx.common());
        Ok(cw.procs.combat.declare.call(Declare::attacker(self.attacker, lines)))
    }

    /// The attacks of this round, in sequence.
    fn attacks(cw: &Cwcs, cx: &Cx<'_>) -> Attacks {
        let position = |n: i32| LinePosition::from_number(n).unwrap_or_default();
        let records = cx.read().records(cw.combat.attack);
        records.map(|record| (position(record.fields[0]), position(record.fields[1]))).collect()
    }

    /// All orders are revealed, the attacker's first (9.12.b).
    fn reveal(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let mut told = Vec::new();
        for side in [self.attacker, self.defender(cw)] {
            for position in LinePosition::ALL {
                let key = (position.choice(), side);
                let is_filled = !cw.in_line(&cx.common(), side, position).is_empty();
                let value = if is_filled { cx.get(cw.columns.order_given, key) } else { 0 };
                if let Some(order) = Order::from_number(value - 1) {
                    told.push((side, position, order));
                }
            }
        }
        cx.reset(cw.columns.order_given.id, None)?;
        let w = &cw.combat.w;
        cx.publish(w.ordered, cw.combat.rules.revealed, |e| {
            let sides = [(w.attacker, self.attacker), (w.defender, self.defender(cw))];
            for (name, side) in sides {
                let own = told.iter().filter(|(s, ..)| *s == side);
                let pair = |&(_, position, order): &(SideId, LinePosition, Order)| {
                    let words = [cw.lines.position(position), cw.lines.order(order)];
                    Arg::List(words.map(Arg::Word).to_vec())
                };
                e.answer(name, Arg::List(own.map(pair).collect()));
            }
        })?;
        for (side, position, order) in told {
            cx.set(cw.columns.order, (position.choice(), side), order.number() + 1)?;
        }
        Ok(())
    }

    /// This round as those see it who resolve it.
    fn fight(&self, cw: &Cwcs, cx: &Cx<'_>) -> Fight {
        let sides = [SideId(0), SideId(1)];
        let of_all = |side: SideId| LinePosition::ALL.map(|position| (side, position));
        Fight {
            area: self.area,
            phasing: cx.read().phasing().unwrap_or(self.first),
            attacker: self.attacker,
            interception: self.is_interception(),
            round: self.round,
            orders: sides.map(|side| of_all(side).map(|(s, p)| cw.order_of(&cx.truth(), s, p))),
            targets: sides.map(|side| of_all(side).map(|(s, p)| cw.target_of(&cx.truth(), s, p))),
        }
    }

    /// The next pair fights (9.12.c); a position that has fought its last is turned down again (3.12).
    fn next_pair(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let attacks = Self::attacks(cw, cx);
        let at = self.pair.max(0) as usize;
        if let Some(&(attacking, attacked)) = at.checked_sub(1).and_then(|last| attacks.get(last)) {
            let (_, later) = attacks.split_at(at.min(attacks.len()));
            let sides = [(self.attacker, attacking), (self.defender(cw), attacked)];
            for (n, (side, position)) in sides.into_iter().enumerate() {
                let is_done = !later.iter().any(|&(a, d)| [a, d][n] == position);
                if is_done && cx.rule_on(cw.combat.rules.turned_down) {
                    for body in cw.in_line(&cx.truth(), side, position) {
                        cw.turn_back(cx, body)?;
                    }
                }
            }
        }
        let Some(&attack) = attacks.get(at) else {
            self.step = Step::Casualties;
            return Ok(Flow::Again);
        };
        self.pair += 1;
        let fight = self.fight(cw, cx);
        Ok(cw.resolve_pair(&fight, attack))
    }

    /// Whether, as all see it, a side could begin another round: there may be one more, both have somebody on the
    /// Battle Board, and none of its own positions holds an ineffective unit (9.93, 9.32).
    fn may_ask(&self, cw: &Cwcs, cx: &mut Cx<'_>, side: SideId) -> Result<bool, Halt> {
        let is_last = self.is_last_round(cw, cx)?;
        let common = cx.common();
        let both = [SideId(0), SideId(1)].iter().all(|&side| !cw.on_board(&common, side).is_empty());
        let worn = cx.rule_on(cw.combat.rules.void) && cw.holds_ineffective(&common, side);
        Ok(!is_last && both && !worn)
    }

    /// Whether the combat can have no round after this one.
    fn is_last_round(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<bool, Halt> {
        let args = [PointArg::Side(self.first), PointArg::Space(self.area)];
        Ok(self.round >= cx.total(cw.points.rounds, &args)?)
    }

    /// Whether a side may begin another round, as it knows itself: it has an effective unit on the board, each of its
    /// positions can be ordered to attack, and no title forbids it.
    fn may_begin(&self, cw: &Cwcs, seen: &Seen<'_>, side: SideId) -> Verdict {
        let rules = &cw.combat.rules;
        let is_fit =
            |body: &adjutant_kernel::BodyId| cw.can_fight(seen, *body) && cw.units.is_effective(seen, *body);
        if !cw.on_board(seen, side).iter().any(is_fit) {
            return Err(Refusal { rule: rules.able });
        }
        let by_defender = side != self.first;
        if by_defender {
            for position in LinePosition::ALL {
                let bodies: Bodies = cw.in_line(seen, side, position);
                let ordering = Ordering { side, area: self.area, by_defender, position, bodies: &bodies };
                cw.may_order(seen, &ordering, Order::Advance)
                    .map_err(|_| Refusal { rule: rules.new_attacker })?;
            }
        }
        let round = PointArg::Number(self.round + 1);
        let args = [PointArg::Side(side), PointArg::Space(self.area), round];
        match seen.forbidden(cw.points.may_begin_a_round, &args) {
            Some(rule) => Err(Refusal { rule }),
            None => Ok(()),
        }
    }

    /// Losses are taken: who fell back to nothing leaves his position, and the attacker is asked (9.93).
    fn ask_attacker(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let fight = self.fight(cw, cx);
        self.must_go_back = cw.must_go_back(cx, &fight)?;
        for side in [SideId(0), SideId(1)] {
            cw.clear_positions(cx, side)?;
        }
        self.step = Step::AskAttacker;
        if self.may_ask(cw, cx, self.attacker)? {
            return Ok(Flow::ask(cw.seat(self.attacker), cw.combat.w.again));
        }
        self.attacker_declines(cw, cx)
    }

    /// The attacker begins no further round. If he has to, he goes back over the river, and there is no other round
    /// (9.92.d); else the defender is asked.
    fn attacker_declines(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        self.goes_on = false;
        if self.must_go_back {
            self.step = Step::RoundOver;
            let is_last = self.is_last_round(cw, cx)?;
            return Ok(cw.go_back(&self.fight(cw, cx), is_last));
        }
        self.step = Step::AskDefender;
        Ok(Flow::Again)
    }

    fn ask_defender(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let defender = self.defender(cw);
        if self.may_ask(cw, cx, defender)? {
            return Ok(Flow::ask(cw.seat(defender), cw.combat.w.again));
        }
        self.step = Step::RoundOver;
        Ok(Flow::Again)
    }

    /// A side begins another round; if it defended, the sides change their parts (9.93).
    fn begin_round(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, by: SideId) -> Result<(), Halt> {
        let (w, rules) = (&cw.combat.w, &cw.combat.rules);
        let rule = if by == self.attacker { rules.second } else { rules.second_by_defender };
        cx.story(w.round_begins, Some(rule), |e| {
            e.arg(cw.w.side, Arg::Side(by));
            e.arg(w.round, Arg::Number(self.round + 1));
        });
        if by != self.attacker {
            self.attacker = by;
            cx.set(cw.columns.attacker, (), i32::from(by.0))?;
            let own = cw.on_board(&cx.common(), by);
            cw.tell_attackers(cx, &own, rules.dummies_attack)?;
            cw.mark_initiated(cx, &own, true)?;
        }
        self.goes_on = true;
        self.step = Step::RoundOver;
        Ok(())
    }

    /// Before another round: if only dummies are left to defend they are revealed, and it is over (3.22.c).
    fn reinforce(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let (defender, area) = (self.defender(cw), self.area);
        let left = cw.on_board(&cx.common(), defender);
        if !cw.stands_up(cx, &left, false)? {
            self.step = Step::Fallen;
            return Ok(Flow::Again);
        }
        cw.forget_round(cx)?;
        self.pair = 0;
        self.step = Step::ReinforceAttacker;
        let by_defender = self.by_defender();
        Ok(cw.procs.combat.deploy.call(Deploy::reserves(defender, area, false, by_defender)))
    }

    fn arrange(&self, cw: &Cwcs, cx: &Cx<'_>, side: SideId) -> Flow {
        if cw.row(&cx.common(), side, self.area).is_empty() {
            return Flow::Again;
        }
        cw.procs.arrange.call(Arrange::after_combat(side, self.area))
    }

    /// All come back to the map (9.12.f); who fought an interception combat fights no other in this phase.
    fn return_to_map(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        if self.is_interception() {
            for side in [SideId(0), SideId(1)] {
                for body in cw.on_board(&cx.truth(), side) {
                    cx.set(cw.columns.in_interception, body, 0)?;
                    cx.set(cw.columns.sits_out, body, 1)?;
                }
            }
        }
        cw.leave_board(cx, self.area)?;
        self.over(cw, cx);
        Ok(())
    }
}

impl Procedure for Battle {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let (area, procs) = (self.area, &cw.procs.combat);
        let next = |battle: &mut Self, step: Step, flow: Flow| {
            battle.step = step;
            Ok(flow)
        };
        match self.step {
            Step::Begin => self.begin(cw, cx),
            Step::Retreat => {
                let defender = self.defender(cw);
                let may = self.cause == Cause::Declared;
                let flow = if may { cw.retreat_before_combat(area, defender) } else { Flow::Again };
                next(self, Step::Remaining, flow)
            }
            Step::Remaining => self.remaining(cw, cx),
            Step::DefenderDeploys => {
                let deploy = Deploy::defending(self.defender(cw), area, self.is_interception());
                next(self, Step::DefenderDeployed, procs.deploy.call(deploy))
            }
            Step::DefenderDeployed => {
                next(self, Step::AttackerDeploys, Flow::Moment(cw.moments.defender_deployed))
            }
            Step::AttackerDeploys => {
                let against: Filled = cw.filled(&cx.common(), self.defender(cw));
                let deploy = Deploy::attacking(self.attacker, area, self.is_interception(), against);
                next(self, Step::Deployed, procs.deploy.call(deploy))
            }
            Step::Deployed => next(self, Step::Orders, Flow::Moment(cw.moments.battle_deployed)),
            Step::Orders => self.ask_orders(cw, cx),
            Step::Join => self.join(cw, cx),
            Step::Declare => self.declare(cw, cx),
            Step::DefenderFires => {
                let (lines, attacks) = (self.lines(cw, &cx.common()), Self::attacks(cw, cx));
                let declare = Declare::defender(self.defender(cw), lines, &attacks);
                next(self, Step::Reveal, procs.declare.call(declare))
            }
            Step::Reveal => {
                self.reveal(cw, cx)?;
                next(self, Step::Pairs, Flow::Again)
            }
            Step::Pairs => self.next_pair(cw, cx),
            Step::Casualties => {
                let flow = cw.roll_casualties(&self.fight(cw, cx));
                next(self, Step::Withdrawal, flow)
            }
            Step::Withdrawal => {
                let flow = cw.withdraw(&self.fight(cw, cx));
                next(self, Step::AskAttacker, flow)
            }
            Step::AskAttacker => self.ask_attacker(cw, cx),
            Step::AskDefender => self.ask_defender(cw, cx),
            Step::RoundOver => {
                let step = if self.goes_on { Step::Reinforce } else { Step::Fallen };
                next(self, step, Flow::Moment(cw.moments.round_ended))
            }
            Step::Reinforce => self.reinforce(cw, cx),
            Step::ReinforceAttacker => {
                let deploy = Deploy::reserves(self.attacker, area, true, self.by_defender());
                next(self, Step::Orders, procs.deploy.call(deploy))
            }
            Step::Fallen => next(self, Step::Return, cw.bury_fallen(area)),
            Step::Return => {
                self.return_to_map(cw, cx)?;
                next(self, Step::ArrangeAttacker, Flow::Again)
            }
            Step::ArrangeAttacker => {
                let flow = self.arrange(cw, cx, self.first);
                next(self, Step::ArrangeDefender, flow)
            }
            Step::ArrangeDefender => {
                let flow = self.arrange(cw, cx, cw.enemy(self.first));
                next(self, Step::Over, flow)
            }
            Step::Over => next(self, Step::End, Flow::Moment(cw.moments.battle_ended)),
            Step::End => Ok(Flow::Done),
        }
    }

    /// Another round or none.
    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let side = if self.step == Step::AskAttacker { self.attacker } else { self.defender(cw) };
        out.consider(Action::new(cw.combat.w.second), || self.may_begin(cw, seen, side));
        out.add(Action::new(cw.combat.w.decline));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        cx.commit();
        let is_attacker = self.step == Step::AskAttacker;
        if action.verb == cw.combat.w.second {
            let by = if is_attacker { self.attacker } else { self.defender(cw) };
            self.begin_round(cw, cx, by)?;
            return Ok(Flow::Again);
        }
        if is_attacker {
            return self.attacker_declines(cw, cx);
        }
        self.step = Step::RoundOver;
        Ok(Flow::Again)
    }
}

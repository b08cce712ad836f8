//! Attacks and fire are declared before anything is revealed (9.5): the attacker says who attacks whom, in which
//! sequence, and at whom each of his positions fires; then the defender at whom each of his does.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{Choice as _, List, Locals};
use adjutant_kernel::{Action, Cx, Flow, Halt, Offers, Procedure, Refusal, SeatId, SideId, WordId};
use smallvec::SmallVec;

use super::lines::LinePosition;
use super::pairing::{Attack, Attacks, Lines};
use super::party::Filled;
use crate::cwcs::Cwcs;

/// A side's declaration: a draft until `done`.
#[derive(Locals)]
pub(crate) struct Declare {
    side: SideId,
    attacks: bool,
    attacker: Filled,
    defender: Filled,
    /// The attacks so far, in sequence: whose position, and whose it attacks.
    attacking: List<LinePosition, 6>,
    attacked: List<LinePosition, 6>,
    fires: [Option<LinePosition>; 3],
    holds: [bool; 3],
}

impl Declare {
    fn of(side: SideId, attacks: bool, lines: Lines, attacks_so_far: &[Attack]) -> Self {
        let mut declare = Self {
            side,
            attacks,
            attacker: lines.attacker,
            defender: lines.defender,
            attacking: List::new(),
            attacked: List::new(),
            fires: [None; 3],
            holds: [false; 3],
        };
        for &attack in attacks_so_far {
            declare.push(attack);
        }
        declare
    }

    /// The attacker's, who declares his attacks too.
    pub(crate) fn attacker(side: SideId, lines: Lines) -> Self {
        let mut declare = Self::of(side, true, lines, &[]);
        declare.follow();
        declare
    }

    /// The defender's, who knows the attacks.
    pub(crate) fn defender(side: SideId, lines: Lines, attacks: &[Attack]) -> Self {
        Self::of(side, false, lines, attacks)
    }

    fn push(&mut self, (attacking, attacked): Attack) {
        // There are never more pairs than three and three positions make.
        let _ = self.attacking.push(attacking);
        let _ = self.attacked.push(attacked);
    }

    fn declared(&self) -> Attacks {
        self.attacking.iter().copied().zip(self.attacked.iter().copied()).collect()
    }

    fn next(&self) -> Attacks {
        if !self.attacks {
            return Attacks::new();
        }
        Lines { attacker: self.attacker, defender: self.defender }.next(&self.declared())
    }

    /// What there is no choice about is declared by itself.
    fn follow(&mut self) {
        while let [only] = self.next()[..] {
            self.push(only);
        }
    }

    /// The enemy positions that a position has to do with, at one of which it may fire (9.51.a).
    fn targets(&self, position: LinePosition) -> SmallVec<[LinePosition; 3]> {
        let mut targets = SmallVec::new();
        for (attacking, attacked) in self.declared() {
            let (own, other) = if self.attacks { (attacking, attacked) } else { (attacked, attacking) };
            if own == position && !targets.contains(&other) {
                targets.push(other);
            }
        }
        targets
    }

    fn own(&self) -> Filled {
        if self.attacks { self.attacker } else { self.defender }
    }

    /// At whom a position fires: if there is but one it fires at that, unless it was told to hold its fire.
    fn target(&self, position: LinePosition) -> Option<LinePosition> {
        if self.holds[position.index()] {
            return None;
        }
        match self.targets(position)[..] {
            [only] => Some(only),
            _ => self.fires[position.index()],
        }
    }

    fn is_decided(&self, position: LinePosition) -> bool {
        let n = position.index();
        !self.own()[n] || self.holds[n] || self.fires[n].is_some() || self.targets(position).len() < 2
    }

    fn commit(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        let (w, rules) = (&cw.combat.w, &cw.combat.rules);
        let word = |position: LinePosition| Arg::Word(cw.lines.position(position));
        let pair = |a: LinePosition, b: LinePosition| Arg::List(vec![word(a), word(b)]);
        if self.attacks {
            let mut attacks = Vec::new();
            for (attacking, attacked) in self.declared() {
                cx.record(cw.combat.attack, &[attacking.number(), attacked.number()])?;
                attacks.push(pair(attacking, attacked));
            }
            cx.story(w.declared, Some(rules.attacks), |e| {
                e.arg(cw.w.side, Arg::Side(self.side));
                e.arg(w.pairs, Arg::List(attacks));
            });
        }
        let mut fires = Vec::new();
        for position in LinePosition::ALL {
            let target = self.target(position).filter(|_| self.own()[position.index()]);
            let value = target.map_or(0, |target| target.number() + 1);
            cx.set(cw.columns.fires_at, (position.choice(), self.side), value)?;
            fires.extend(target.map(|target| pair(position, target)));
        }
        cx.story(w.targeted, Some(rules.fire), |e| {
            e.arg(cw.w.side, Arg::Side(self.side));
            e.arg(cw.w.number, Arg::Number(fires.len() as i32));
            e.arg(w.fires, Arg::List(fires));
        });
        Ok(())
    }

    fn named(&self, cw: &Cwcs, word: Option<WordId>) -> Option<LinePosition> {
        word.and_then(|word| cw.lines.position_named(word))
    }
}

impl Procedure for Declare {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        let prompt = if self.next().is_empty() { cw.combat.w.targets } else { cw.combat.w.attacks };
        Ok(Flow::ask(cw.seat(self.side), prompt))
    }

    fn offers(&self, cw: &Cwcs, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, rules) = (&cw.combat.w, &cw.combat.rules);
        let word = |position| cw.lines.position(position);
        let next = self.next();
        for &(attacking, attacked) in &next {
            out.add(Action::new(w.engage).on(word(attacking)).on(word(attacked)));
        }
        if next.is_empty() {
            let open = |p: &LinePosition| {
                let n = p.index();
                self.own()[n] && !self.holds[n] && self.fires[n].is_none()
            };
            for position in LinePosition::ALL.into_iter().filter(open) {
                let targets = self.targets(position);
                if targets.len() > 1 {
                    for target in targets {
                        out.add(Action::new(w.fire).on(word(position)).on(word(target)));
                    }
                }
                out.add(Action::new(w.hold_fire).on(word(position)));
            }
        }
        out.consider(Action::new(cw.w.done), || {
            if !next.is_empty() {
                Err(Refusal { rule: rules.all_attack })
            } else if LinePosition::ALL.into_iter().all(|position| self.is_decided(position)) {
                Ok(())
            } else {
                Err(Refusal { rule: rules.fire })
            }
        });
        // A second attack while another has had none; one on somebody else than who is opposite.
        let lines = Lines { attacker: self.attacker, defender: self.defender };
        let named = |action: &Action| {
            let position = |n| self.named(cw, action.choice(n));
            Some((position(0)?, position(1)?))
        };
        let declared = self.declared();
        out.otherwise(rules.once_each, |action| {
            let later = named(action).filter(|_| action.verb == w.engage && !next.is_empty());
            later.is_some_and(|attack| lines.may_meet(attack) && !declared.contains(&attack))
        });
        out.otherwise(rules.opposed, |action| action.verb == w.engage);
        out.otherwise(rules.fires_once, |action| action.verb == w.fire || action.verb == w.hold_fire);
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let w = &cw.combat.w;
        if action.verb == cw.w.done {
            self.commit(cw, cx)?;
            return Ok(Flow::Done);
        }
        let (first, second) = (self.named(cw, action.choice(0)), self.named(cw, action.choice(1)));
        match (first, second) {
            (Some(attacking), Some(attacked)) if action.verb == w.engage => {
                self.push((attacking, attacked));
                self.follow();
            }
            (Some(position), Some(_)) if action.verb == w.fire => self.fires[position.index()] = second,
            (Some(position), None) if action.verb == w.hold_fire => self.holds[position.index()] = true,
            _ => return Err(cx.fault("an attack is declared, or fire")),
        }
        self.run(cw, cx)
    }
}

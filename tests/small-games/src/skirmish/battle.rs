//! Battles: the order in which they are fought, and each from the odds to the advance (sk:6.d to sk:8.f).

use adjutant_kernel::events::Arg;
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::tables::{Entry, Faces, Input};
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Placement, Procedure, SeatId, Seen, SideId, Sight as _,
    SpaceId,
};
use smallvec::SmallVec;

use super::field::Field;
use super::march::STACK;
use super::odds::Outcome;
use super::retreat::Retreat;
use super::roster::UNITS;
use super::{Skirmish, enemy_of};

/// A side fights its battles in the order of its choice (sk:6.d).
#[derive(Locals)]
pub(crate) struct Assaults {
    pub(crate) side: SideId,
}

impl Procedure for Assaults {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let seen = cx.seen(self.side);
        let battles = game.battles(&seen, &Field::of(game, &seen), self.side);
        let mut hexes = battles.iter();
        match (hexes.next(), hexes.next()) {
            (None, _) => Ok(Flow::Done),
            (Some(hex), None) => Ok(game.procs.battle.call(Battle::at(self.side, hex))),
            (Some(_), Some(_)) => Ok(Flow::ask(game.seats[self.side.index()], game.words.resolve)),
        }
    }

    fn offers(&self, game: &Skirmish, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for hex in game.battles(seen, &Field::of(game, seen), self.side).iter() {
            out.add(Action::new(game.words.resolve).on(hex));
        }
    }

    fn act(&mut self, game: &Skirmish, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match action.space(0) {
            Some(hex) => Ok(game.procs.battle.call(Battle::at(self.side, hex))),
            None => Err(cx.fault("a battle without a hex")),
        }
    }
}

/// How far a battle has come.
#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The odds and the die.
    Roll,
    /// The attackers' losses.
    AttackersLose,
    /// The defenders' losses.
    DefendersLose,
    /// The attackers' retreat.
    AttackersRetreat,
    /// The defenders' retreat.
    DefendersRetreat,
    /// The advance.
    Advance,
}

/// A battle for a hex.
#[derive(Locals)]
pub(crate) struct Battle {
    pub(crate) attacker: SideId,
    pub(crate) hex: SpaceId,
    pub(crate) step: Step,
    pub(crate) outcome: Option<Outcome>,
    /// Units that assault; bombarding guns suffer nothing and are not kept (sk:7.j).
    pub(crate) attackers: List<BodyId, UNITS>,
    pub(crate) defenders: List<BodyId, STACK>,
}

impl Battle {
    pub(crate) fn at(attacker: SideId, hex: SpaceId) -> Self {
        let (attackers, defenders) = (List::new(), List::new());
        Self { attacker, hex, step: Step::Roll, outcome: None, attackers, defenders }
    }

    /// The units of one side in the battle that are still on the map and have not retreated.
    fn standing(&self, game: &Skirmish, seen: &Seen<'_>, side: SideId) -> SmallVec<[BodyId; UNITS]> {
        let units = if side == self.attacker { &self.attackers[..] } else { &self.defenders[..] };
        let stands = |b: &BodyId| seen.space(*b).is_some() && !seen.flag(game.columns.fled, *b);
        units.iter().copied().filter(stands).collect()
    }

    /// The units that may advance (sk:8.f).
    fn advancing(&self, game: &Skirmish, seen: &Seen<'_>) -> SmallVec<[BodyId; UNITS]> {
        let board = seen.rulebook().board();
        let may = |&body: &BodyId| {
            let Some(from) = seen.space(body).filter(|&from| from != self.hex) else { return false };
            board
                .links(from)
                .iter()
                .any(|edge| edge.to == self.hex && game.may_cross(seen, body, edge.link, edge.to).is_ok())
                && seen.placement(game.words.advance, &[body], PlaceId(self.hex.0)) == Placement::Allowed
        };
        self.standing(game, seen, self.attacker).into_iter().filter(may).collect()
    }

    /// Who is hit how by the result at this step: the side, or nobody.
    fn suffers(&self) -> Option<SideId> {
        let (attacker, defender) = (self.attacker, enemy_of(self.attacker));
        match (self.step, self.outcome?) {
            (Step::AttackersLose, Outcome::A1 | Outcome::Ex | Outcome::Ae)
            | (Step::AttackersRetreat, Outcome::Ar) => Some(attacker),
            (Step::DefendersLose, Outcome::Ex | Outcome::D1 | Outcome::De)
            | (Step::DefendersRetreat, Outcome::Dr | Outcome::D1) => Some(defender),
            _ => None,
        }
    }

    fn roll(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.reset(game.columns.fled.id, None)?;
        let seen = cx.seen(self.attacker);
        let sides = game.sides(&seen, self.hex);
        let args = game.circumstances(&seen, self.hex, &sides);
        let attackers: SmallVec<[BodyId; UNITS]> =
            sides.assault.iter().chain(&sides.bombard).copied().collect();
        let (attack, defence) = (game.strength(&seen, &attackers), game.strength(&seen, &sides.defend));
        let full = sides.assault.iter().any(|&body| self.attackers.push(body).is_err())
            || sides.defend.iter().any(|&body| self.defenders.push(body).is_err());
        if full {
            return Err(cx.fault("more units fight than there can be"));
        }
        for body in attackers {
            cx.set(game.columns.target, body, -1)?;
        }
        let shifts = cx.contributions(game.points.odds_shift, &args)?;
        let modifiers = cx.contributions(game.points.die_modifier, &args)?;
        let drawn = cx.draw(None, game.fight, 6)?;
        let face = drawn.value() as u16;
        let table = cx.rulebook().table(game.fight);
        let looked_up = Faces::new(&[face]).map(|dice| {
            let column = Input::Pair { attacker: attack, defender: defence };
            table.look_up(&Entry { column, dice, shifts: &shifts, modifiers: &modifiers, ..Entry::default() })
        });
        let Some(Ok(working)) = looked_up else { return Err(cx.fault("the fight table has no answer")) };
        let word = working.result.word();
        let outcome = Outcome::ALL.into_iter().find(|o| Some(o.word(&game.words)) == word);
        let heading = table.columns().heading(usize::from(working.column.end)).unwrap_or_default();
        cx.report(drawn, game.rules.battle, |e| {
            e.arg(game.words.odds, Arg::Text(heading));
            for shift in shifts.iter().chain(modifiers.iter()) {
                e.arg(game.words.odds, Arg::List(vec![Arg::Rule(shift.rule), Arg::Number(shift.value)]));
            }
            if let Some(word) = word {
                e.arg(game.words.result, Arg::Word(word));
            }
        });
        self.outcome = outcome;
        Ok(())
    }

    /// Losses of the side that suffers them: all for AE and DE, else one step of its choice (sk:7.k).
    fn lose(&mut self, game: &Skirmish, cx: &mut Cx<'_>, side: SideId) -> Result<Option<Flow>, Halt> {
        let standing = self.standing(game, &cx.seen(side), side);
        match (self.outcome, &standing[..]) {
            (Some(Outcome::Ae | Outcome::De), all) => {
                all.iter().try_for_each(|&body| game.eliminate(cx, body, game.rules.results))?;
                Ok(None)
            }
            (_, []) => Ok(None),
            (_, [one]) => {
                game.lose_step(cx, *one, game.rules.results)?;
                Ok(None)
            }
            _ => Ok(Some(Flow::ask(game.seats[side.index()], game.words.lose))),
        }
    }

    fn next(&mut self) {
        self.step = match self.step {
            Step::Roll => Step::AttackersLose,
            Step::AttackersLose => Step::DefendersLose,
            Step::DefendersLose => Step::AttackersRetreat,
            Step::AttackersRetreat => Step::DefendersRetreat,
            Step::DefendersRetreat | Step::Advance => Step::Advance,
        };
    }
}

impl Procedure for Battle {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        loop {
            match (self.step, self.suffers()) {
                (Step::Roll, _) => self.roll(game, cx)?,
                (Step::AttackersLose | Step::DefendersLose, Some(side)) => {
                    if let Some(ask) = self.lose(game, cx, side)? {
                        return Ok(ask);
                    }
                }
                (Step::AttackersRetreat | Step::DefendersRetreat, Some(side)) => {
                    if let Some(&body) = self.standing(game, &cx.seen(side), side).first() {
                        return Ok(game.procs.retreat.call(Retreat::of(body)));
                    }
                }
                (Step::Advance, _) => {
                    let nobody = self.advancing(game, &cx.seen(self.attacker)).is_empty();
                    let seat = game.seats[self.attacker.index()];
                    return Ok(if nobody { Flow::Done } else { Flow::ask(seat, game.words.advance) });
                }
                (_, None) => {}
            }
            self.next();
        }
    }

    fn offers(&self, game: &Skirmish, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        if self.step == Step::Advance {
            for body in self.advancing(game, seen) {
                out.add(Action::new(game.words.advance).on(body));
            }
            out.add(Action::new(game.words.decline));
        } else if let Some(side) = self.suffers() {
            for body in self.standing(game, seen, side) {
                out.add(Action::new(game.words.lose).on(body));
            }
        }
    }

    fn act(&mut self, game: &Skirmish, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match (self.step, action.body(0)) {
            (Step::Advance, Some(body)) => {
                game.enter(cx, game.words.advance, body, self.hex)?;
                Ok(Flow::Again)
            }
            (Step::Advance, None) => {
                cx.commit();
                Ok(Flow::Done)
            }
            (_, Some(body)) => {
                game.lose_step(cx, body, game.rules.results)?;
                self.next();
                Ok(Flow::Again)
            }
            (_, None) => Err(cx.fault("a loss without a unit")),
        }
    }
}

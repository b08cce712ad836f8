//! A fight for one position (pl:10.h to pl:10.l).

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Faces, Input};
use adjutant_kernel::{Action, BodyId, Cx, Flow, Halt, Offers, Procedure, SeatId, SideId, SpaceId, WordId};
use smallvec::SmallVec;

use super::Post;
use super::retreat::Retreat;
use crate::picket::Picket;
use crate::picket::pieces::Bodies;

/// The result of a fight.
#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    #[choice(name = "A1")]
    AttackerLoses,
    #[choice(name = "AR")]
    AttackerRetreats,
    #[choice(name = "EX")]
    Exchange,
    #[choice(name = "DR")]
    DefenderRetreats,
    #[choice(name = "D1")]
    DefenderLoses,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Roll,
    Attacker,
    Defender,
}

/// A fight.
#[derive(Locals)]
pub(crate) struct Fight {
    at: SpaceId,
    post: Post,
    by: SideId,
    step: Step,
    outcome: Option<Outcome>,
}

impl Fight {
    pub(crate) fn of(at: SpaceId, post: Post, by: SideId) -> Self {
        Self { at, post, by, step: Step::Roll, outcome: None }
    }

    /// The strength of a side's bodies in the position; a weary piece counts one less (pl:7.g).
    fn strength(&self, pl: &Picket, cx: &Cx<'_>, side: SideId) -> i32 {
        let read = cx.read();
        let one = |body: BodyId| {
            if !pl.is_real(read, body) {
                return 0;
            }
            let piece = read.piece(body);
            let printed = read.attribute(body, pl.pieces.strength);
            let strength = printed.unwrap_or_else(|| read.get(pl.levy, piece));
            (strength - read.get(pl.weary, piece)).max(0)
        };
        read.loose(pl.post(side, self.post)).map(one).sum()
    }

    fn roll(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Outcome, Halt> {
        let (w, by) = (&pl.w, self.by);
        let odds = (self.strength(pl, cx, by), self.strength(pl, cx, pl.enemy(by)));
        let position = pl.post_word(self.post);
        let args = [PointArg::Side(by), PointArg::Space(self.at), PointArg::Word(position)];
        let contributions = cx.contributions(pl.points.fight_shift, &args)?;
        let shifts: SmallVec<[Contribution; 6]> = contributions.iter().copied().collect();
        let drawn = cx.draw(None, pl.tables.fight, 6)?;
        let entry = Entry {
            column: Input::Pair { attacker: odds.0, defender: odds.1 },
            dice: Faces::new(&[drawn.value() as u16]).unwrap_or_default(),
            shifts: &shifts,
            ..Entry::default()
        };
        let working = pl.look_up(cx, pl.tables.fight, &entry)?;
        let columns = pl.table(cx, pl.tables.fight).columns();
        let heading = |column: u16| Arg::Text(columns.heading(column.into()).unwrap_or_default());
        let result = working.result.word();
        cx.report(drawn, pl.rules.fight, |e| {
            e.arg(w.position, Arg::Word(position));
            e.arg(w.by, Arg::Side(by));
            e.arg(w.odds, Arg::List(vec![Arg::Number(odds.0), Arg::Number(odds.1)]));
            e.arg(w.start, heading(working.column.start));
            let shifts = working.column.shifts.iter();
            let pairs = shifts.map(|s| Arg::List(vec![Arg::Rule(s.rule), Arg::Number(s.amount)]));
            e.arg(w.shifts, Arg::List(pairs.collect()));
            e.arg(w.column, heading(working.column.end));
            if let Some(result) = result {
                e.arg(w.result, Arg::Word(result));
            }
        });
        result.and_then(|r| outcome(pl, r)).ok_or_else(|| cx.fault("a fight without a result"))
    }
}

fn outcome(pl: &Picket, result: WordId) -> Option<Outcome> {
    let w = &pl.w;
    [w.a1, w.ar, w.ex, w.dr, w.d1]
        .iter()
        .position(|&word| word == result)
        .and_then(|n| Outcome::from_number(n as i32))
}

impl Procedure for Fight {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let loss = |side| pl.procs.loss.call(Loss { side, post: self.post });
        let retreat = |side| pl.procs.retreat.call(Retreat::of(side, self.post, self.at));
        match (self.step, self.outcome) {
            (Step::Roll, _) => {
                self.outcome = Some(self.roll(pl, cx)?);
                self.step = Step::Attacker;
                Ok(Flow::Again)
            }
            (Step::Attacker, outcome) => {
                let flow = match outcome {
                    Some(Outcome::AttackerLoses | Outcome::Exchange) => loss(self.by),
                    Some(Outcome::AttackerRetreats) => retreat(self.by),
                    Some(Outcome::DefenderRetreats | Outcome::DefenderLoses) | None => Flow::Again,
                };
                self.step = Step::Defender;
                Ok(flow)
            }
            (Step::Defender, outcome) => {
                self.outcome = None;
                let defender = pl.enemy(self.by);
                Ok(match outcome {
                    Some(Outcome::DefenderLoses | Outcome::Exchange) => loss(defender),
                    Some(Outcome::DefenderRetreats) => retreat(defender),
                    Some(Outcome::AttackerLoses | Outcome::AttackerRetreats) => Flow::Again,
                    None => Flow::Done,
                })
            }
        }
    }
}

/// A side loses a real body of a position (pl:10.l).
#[derive(Locals)]
pub(crate) struct Loss {
    side: SideId,
    post: Post,
}

impl Procedure for Loss {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let read = cx.read();
        let here = read.loose(pl.post(self.side, self.post));
        let eligible: Bodies = here.filter(|&b| pl.is_real(read, b)).collect();
        match eligible[..] {
            [] => Ok(Flow::Done),
            [only] => {
                cx.commit();
                pl.lose(cx, only, pl.rules.loss)?;
                Ok(Flow::Done)
            }
            _ => Ok(Flow::ask(pl.chief(self.side), pl.w.loss)),
        }
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for body in seen.loose(pl.post(self.side, self.post)) {
            if seen.is(body, pl.pieces.real).is_yes() {
                out.add(Action::new(pl.w.lose).on(body));
            }
        }
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        cx.commit();
        match action.body(0) {
            Some(body) => pl.lose(cx, body, pl.rules.loss)?,
            None => return Err(cx.fault("a body is lost")),
        }
        Ok(Flow::Done)
    }
}

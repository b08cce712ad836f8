//! Outpost: a tiny game of hidden pieces, and the faults that may be built into it.
//!
//! Two sides of four look-alike pieces, two of them real. A turn: rearrange the own stack in secret, split it
//! off, probe or peek at the enemy's, then secret orders of both, then a rest that only the side itself
//! notices.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use adjutant_kernel::board::{BoardBuilder, LinkSpec};
use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::{Halt, Imagine, ProcRef};
use adjutant_kernel::knowledge::{About, Audience, QuestionKind};
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::rulebook::*;
use adjutant_kernel::state::Position;
use adjutant_kernel::tables::{Axis, Dice, Ends, Span, TableBuilder};
use adjutant_kernel::*;

/// What is wrong with the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flaw {
    None,
    Panics,
    Fails,
    OffersNothing,
    NeverEnds,
    NeverAsks,
    /// What an umpire turned up is mixed with what is face down.
    ForgetsUmpires,
    /// The enemy is asked only if there is something to ask him about.
    AsksOnTruth,
    /// A die falls for real pieces only.
    DrawsOnTruth,
    /// An event names a hidden piece.
    Tells,
    /// The answers are about what only the truth knows.
    TellsAboutTruth,
    /// Offers differ each time.
    Wavers,
    /// A value comes from outside the state.
    LooksAtAClock,
}

const ROUNDS: i32 = 3;
const PIECES: u16 = 4;

struct Rules {
    flaw: Flaw,
    clock: AtomicI32,
    words: Words,
    real: PieceSetId,
    is_real: QuestionId,
    turn_end: MomentId,
    tired: Column<PieceId>,
    spent: Column<SideId>,
    round: Column<()>,
    die: TableId,
    rest: TableId,
    near: [PlaceId; 2],
    camp: PlaceId,
    seats: [[SeatId; 2]; 2],
    known: RuleId,
    probed: RuleId,
    peeked: RuleId,
    ordered: RuleId,
    over: RuleId,
    orders: ProcRef<Orders>,
    ask: ProcRef<Salute>,
}

macro_rules! words {
    ($($word:ident)*) => {
        struct Words { $($word: WordId,)* }
        impl Words {
            fn new(b: &mut RulebookBuilder) -> Self {
                Self { $($word: b.word(stringify!($word)),)* }
            }
        }
    };
}

words! { arrange raise done march split halt probe pass peek order attack hold stopped salute salutes set_up top }

fn bodies(side: SideId) -> impl Iterator<Item = BodyId> {
    let first = u16::from(side.0) * PIECES;
    (first..first + PIECES).map(BodyId)
}

fn enemy(side: SideId) -> SideId {
    SideId(1 - side.0)
}

#[derive(Choice, Clone, Copy, PartialEq, Debug)]
enum Step {
    SetUp,
    Begin,
    Arrange,
    March,
    Probe,
    Salute,
    Orders,
    Rest,
}

#[derive(Locals)]
struct Turn {
    side: SideId,
    step: Step,
    split: bool,
    probes: i32,
}

impl Rules {
    fn ask(&self, side: SideId, prompt: WordId) -> Flow {
        Flow::ask(self.seats[side.index()][0], prompt)
    }

    fn set_up(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for side in [SideId(0), SideId(1)] {
            let all: Vec<BodyId> = bodies(side).collect();
            cx.move_group(self.words.set_up, &all[..3], Dest::NewStack(self.near[side.index()]))?;
            cx.move_group(self.words.set_up, &all[3..], Dest::Place(self.camp, Position::Bottom))?;
            let near: Vec<BodyId> = cx.read().bodies_of(side, self.near[side.index()]).collect();
            let camp: Vec<BodyId> = cx.read().bodies_of(side, self.camp).collect();
            cx.mix(&[near, camp].concat())?;
        }
        Ok(())
    }

    fn end_turn(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        cx.lapse(self.turn_end)?;
        for body in bodies(SideId(0)).chain(bodies(SideId(1))) {
            cx.conceal(body)?;
        }
        let other = self.near[side.index()];
        if let Some(top) = cx.read().bodies(other).next() {
            let piece = cx.read().piece(top);
            cx.set(self.tired, piece, 1)?;
        }
        let rest = cx.draw(Some(side), self.rest, 3)?;
        let spent = cx.report(rest, self.over, |_| {});
        let now = cx.get(self.spent, side);
        cx.set(self.spent, side, (now + spent).min(40))
    }
}

impl Procedure for Turn {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let words = &rules.words;
        let area = rules.near[self.side.index()];
        match self.step {
            Step::SetUp => {
                rules.set_up(cx)?;
                self.step = Step::Begin;
                Ok(Flow::Again)
            }
            Step::Begin => {
                (self.split, self.probes) = (false, 0);
                cx.join_stacks(self.side, area)?;
                self.step = Step::Arrange;
                Ok(rules.ask(self.side, words.arrange))
            }
            Step::Arrange => Ok(rules.ask(self.side, words.arrange)),
            Step::March => Ok(rules.ask(self.side, words.march)),
            Step::Probe => {
                let seats = rules.seats[self.side.index()];
                Ok(Flow::ask_any(&seats, words.probe))
            }
            Step::Salute => {
                self.step = Step::Orders;
                let other = enemy(self.side);
                let top = cx.read().bodies(rules.near[other.index()]).next();
                let asked =
                    rules.flaw != Flaw::AsksOnTruth || top.is_some_and(|b| cx.read().is(b, rules.real));
                Ok(if asked { rules.ask.call(Salute { side: other }) } else { Flow::Again })
            }
            Step::Orders => {
                self.step = Step::Rest;
                let branch = |n: usize| {
                    let frame = rules.orders.with(Orders { side: SideId(n as u8), order: None });
                    (rules.seats[n][0], frame)
                };
                Ok(Flow::Fork { branches: [branch(0), branch(1)].into(), together: true })
            }
            Step::Rest => {
                let orders = [0, 1].map(|n| cx.joined(rules.orders, rules.seats[n][0]));
                let [one, two] = orders;
                let orders = [one?.order, two?.order].map(|o| Arg::Flag(o == Some(Order::Attack)));
                let name = words.order;
                cx.publish(name, rules.ordered, |e| orders.iter().for_each(|o| e.answer(name, o.clone())))?;
                rules.end_turn(cx, self.side)?;
                if self.side == SideId(1) {
                    let round = cx.get(rules.round, ());
                    if round >= ROUNDS && rules.flaw != Flaw::NeverEnds {
                        cx.end_game(None, rules.over)?;
                        return Ok(Flow::Done);
                    }
                    cx.set(rules.round, (), (round + 1).min(ROUNDS))?;
                }
                (self.side, self.step) = (enemy(self.side), Step::Begin);
                Ok(Flow::Again)
            }
        }
    }

    fn offers(&self, rules: &Rules, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let words = &rules.words;
        let own = rules.near[self.side.index()];
        let other = rules.near[enemy(self.side).index()];
        match self.step {
            Step::Arrange => {
                for stack in seen.stacks_of(self.side, own) {
                    seen.loose(stack).skip(1).for_each(|b| out.add(Action::new(words.raise).on(b)));
                }
                out.add(Action::new(words.done));
            }
            Step::March => {
                if !self.split && seen.bodies_of(self.side, own).len() > 1 {
                    let bodies = seen.bodies_of(self.side, own);
                    bodies.iter().for_each(|&b| out.add(Action::new(words.split).on(b)));
                }
                out.add(Action::new(words.halt));
            }
            Step::Probe => {
                if rules.flaw == Flaw::OffersNothing && seen.get(rules.round, ()) == Some(2) {
                    return;
                }
                for stack in seen.stacks_of(enemy(self.side), other) {
                    let two: Vec<BodyId> = seen.loose(stack).take(2).collect();
                    out.consider(Action::new(words.probe).on(stack), || {
                        if seen.any(rules.real, &two).is_yes() {
                            Err(Refusal { rule: rules.known })
                        } else {
                            Ok(())
                        }
                    });
                    if rules.flaw != Flaw::Wavers || rules.clock.fetch_add(1, Ordering::Relaxed) % 2 == 0 {
                        seen.loose(stack).for_each(|b| out.add(Action::new(words.peek).on(b)));
                    }
                }
                out.add(Action::new(words.pass));
            }
            Step::SetUp | Step::Begin | Step::Salute | Step::Orders | Step::Rest => {}
        }
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let words = &rules.words;
        let area = rules.near[self.side.index()];
        if action.verb == words.raise {
            if let Some(body) = action.body(0) {
                cx.raise(body)?;
            }
            return Ok(rules.ask(self.side, words.arrange));
        }
        if action.verb == words.split {
            if let Some(body) = action.body(0) {
                cx.move_group(words.split, &[body], Dest::NewStack(area))?;
            }
            self.split = true;
            return Ok(rules.ask(self.side, words.march));
        }
        if action.verb == words.done {
            cx.commit();
            let all: Vec<BodyId> = cx.read().bodies_of(self.side, area).collect();
            if rules.flaw == Flaw::ForgetsUmpires {
                cx.mix(&all)?;
            } else {
                all.iter().try_for_each(|&body| cx.conceal(body))?;
                cx.mix_alike(&all)?;
            }
            for stack in cx.read().stacks_of(self.side, area).collect::<Vec<_>>() {
                cx.renew_stack(stack)?;
            }
            self.step = Step::March;
        } else if action.verb == words.halt {
            cx.commit();
            self.step = Step::Probe;
            if rules.flaw == Flaw::NeverAsks {
                self.step = Step::Begin;
                return Ok(Flow::Call(rules.orders.with(Orders { side: SideId(9), order: None })));
            }
        } else if action.verb == words.pass {
            self.step = Step::Salute;
        } else {
            self.probe(rules, cx, action)?;
            self.probes += 1;
            if self.probes >= 2 {
                self.step = Step::Salute;
            }
        }
        Ok(Flow::Again)
    }

    fn shape(&self, _: &Rules, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        (self.step == Step::Arrange).then(Vec::new)
    }
}

impl Turn {
    fn probe(&self, rules: &Rules, cx: &mut Cx<'_>, action: &Action) -> Result<(), Halt> {
        let words = &rules.words;
        let first = action.body(0).or_else(|| cx.read().loose(action.stack(0)?).next());
        let Some(first) = first else { return Err(cx.fault("nobody is there")) };
        match rules.flaw {
            Flaw::Panics if cx.get(rules.round, ()) == 2 => panic!("a panic on purpose"),
            Flaw::Fails if cx.get(rules.round, ()) == 2 => return Err(cx.fault("it fails on purpose")),
            Flaw::LooksAtAClock => {
                let time = rules.clock.fetch_add(1, Ordering::Relaxed);
                cx.set(rules.spent, self.side, time.rem_euclid(40))?;
            }
            _ => {}
        }
        if rules.flaw != Flaw::DrawsOnTruth || cx.read().is(first, rules.real) {
            let die = cx.draw(None, rules.die, 6)?;
            cx.report(die, rules.probed, |_| {});
        }
        if rules.flaw == Flaw::Tells {
            let piece = cx.read().piece(first);
            let key = words.top;
            cx.story(words.probe, Some(rules.probed), |e| e.arg(key, Arg::Piece(piece)));
        }
        let Some(stack) = action.stack(0) else { return cx.reveal(first, rules.peeked) };
        let mut two: Vec<BodyId> = cx.read().loose(stack).take(2).collect();
        if rules.flaw == Flaw::TellsAboutTruth {
            two.sort_by_key(|&b| cx.read().piece(b));
        }
        let telling = Telling {
            question: rules.is_real,
            bodies: &two,
            about: About::Bodies,
            audience: Audience::ALL,
            rule: rules.probed,
            lapse: rules.turn_end,
        };
        if cx.tell(telling)? != 0 {
            cx.story(words.stopped, Some(rules.probed), |_| {});
        }
        Ok(())
    }
}

#[derive(Choice, Clone, Copy, PartialEq, Debug)]
enum Order {
    Attack,
    Hold,
}

#[derive(Locals)]
struct Orders {
    side: SideId,
    #[local(class = "owner")]
    order: Option<Order>,
}

impl Procedure for Orders {
    type Module = Rules;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, rules: &Rules, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.side == SideId(9) {
            return Ok(Flow::Again);
        }
        Ok(rules.ask(self.side, rules.words.order))
    }

    fn offers(&self, rules: &Rules, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let words = &rules.words;
        if self.order.is_none() {
            out.add(Action::new(words.order).on(words.attack));
            out.add(Action::new(words.order).on(words.hold));
        } else {
            out.add(Action::new(words.done));
        }
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == rules.words.done {
            cx.commit();
            return Ok(Flow::Done);
        }
        let attack = action.choice(0) == Some(rules.words.attack);
        self.order = Some(if attack { Order::Attack } else { Order::Hold });
        Ok(rules.ask(self.side, rules.words.order))
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    fn shape(&self, _: &Rules, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        Some(Vec::new())
    }
}

/// The enemy salutes, whatever he has there.
#[derive(Locals)]
struct Salute {
    side: SideId,
}

impl Procedure for Salute {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(rules.ask(self.side, rules.words.salute))
    }

    fn offers(&self, rules: &Rules, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        out.add(Action::new(rules.words.salute));
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
        cx.commit();
        cx.story(rules.words.salutes, None, |_| {});
        Ok(Flow::Done)
    }
}

fn die(name: &str, sides: u16) -> tables::Table {
    let all: Span = format!("1..{sides}").parse().unwrap();
    TableBuilder::new(name, Provenance::printed("table"))
        .dice(Dice::one(sides))
        .rows(Axis::Numbers { spans: vec![all], ends: Ends::REFUSE })
        .row([0])
        .build()
        .unwrap()
}

/// The rules, with a flaw and, in builds for it, a mutant of the kernel.
pub(super) fn rulebook(flaw: Flaw, mutant: Option<&str>) -> Arc<Rulebook> {
    let mut board = BoardBuilder::new("two camps", Provenance::printed("map"));
    board.network("road").space("north").space("south").holding_box("camp");
    board.link(LinkSpec::new("north", "south", "road"));
    let mut b = RulebookBuilder::new("Outpost", "1", board.build().unwrap());
    let sides = ["red", "blue"].map(|name| b.side(name));
    let seats = sides.map(|side| {
        let name = if side.0 == 0 { "red" } else { "blue" };
        let chief = b.seat(name, Some(side), SeatRole::Player);
        [chief, b.seat(&format!("{name} scout"), Some(side), SeatRole::Player)]
    });
    b.seat("spectator", None, SeatRole::Spectator);
    b.seat("umpire", None, SeatRole::Umpire);
    for side in sides {
        let name = if side.0 == 0 { "red" } else { "blue" };
        let deck = b.deck(name, side);
        for n in 1..=PIECES {
            let kind = if n > 2 { "dummy" } else { "real" };
            b.piece(&format!("{name} {n}"), Some(side), kind, Some(deck), &[]);
        }
    }
    let near = ["north", "south"].map(|name| b.board().place_named(name).unwrap());
    let camp = b.board().place_named("camp").unwrap();
    let sight = b.rule("op:sight");
    for (places, level) in [(near.to_vec(), Level::Order), (vec![camp], Level::Number)] {
        let (onlooker, when) = (Onlooker::Others, LevelCondition::default());
        b.level(LevelRule { decks: Vec::new(), places, onlooker, when, level, rule: sight });
    }
    let real = b.piece_set("real", |_, def| def.name.ends_with(['1', '2']));
    let rules = Rules {
        flaw,
        clock: AtomicI32::new(0),
        words: Words::new(&mut b),
        real,
        is_real: b.question("is any real", QuestionKind::Any(real)),
        turn_end: b.moment("turn end"),
        tired: b.column("tired", ValueKind::Flag, 0, ColumnClass::Owner),
        spent: b.column("spent", ValueKind::Int { min: 0, max: 40 }, 0, ColumnClass::Owner),
        round: b.column("round", ValueKind::Int { min: 1, max: ROUNDS }, 1, ColumnClass::Public),
        die: b.table("die", die("die", 6)),
        rest: b.table("rest", die("rest", 3)),
        near,
        camp,
        seats,
        known: b.rule("op:known"),
        probed: b.rule("op:probed"),
        peeked: b.rule("op:peeked"),
        ordered: b.rule("op:ordered"),
        over: b.rule("op:over"),
        orders: b.proc("orders"),
        ask: b.proc("salute"),
    };
    b.option("fog", &[]);
    b.option("dusk", &[]);
    b.step_bound(500);
    let turn: ProcRef<Turn> = b.proc("turn");
    let (orders, ask) = (rules.orders, rules.ask);
    let rules = Arc::new(rules);
    b.define(turn, &rules);
    b.define(orders, &rules);
    b.define(ask, &rules);
    b.opening(turn.with(Turn { side: SideId(0), step: Step::SetUp, split: false, probes: 0 }));
    #[cfg(feature = "mutants")]
    if let Some(mutant) = mutant {
        b.mutant(mutant);
    }
    let _ = mutant;
    Arc::new(b.build().unwrap())
}

//! Scouts: a small game for tests that has one of everything that a state can hold - hidden pieces, stacks,
//! commands, columns of every holder, records, told answers, draws of every stream, a fork, asks in the middle.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::expect_used)]

pub mod mutate;

use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, BorderSpec, LinkSpec};
use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::{Imagine, Item, ProcRef, phase};
use adjutant_kernel::knowledge::{About, QuestionKind};
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::rulebook::{
    ChoiceIndex, Column, ColumnClass, FieldKind, Level, LevelCondition, LevelRule, Onlooker, SeatRole,
    ValueKind,
};
use adjutant_kernel::state::Position;
use adjutant_kernel::tables::TableBuilder;
use adjutant_kernel::*;

/// What renamed or reordered rules look like: the same game, declared otherwise.
#[derive(Clone, Copy, Default)]
pub struct Edition {
    /// Words, columns and rules that the first edition does not have come first.
    pub reordered: bool,
    /// The piece `Amber Horse` is called `Amber Hussars`.
    pub renamed: bool,
}

pub struct Scouts {
    sides: [SideId; 2],
    seats: [SeatId; 2],
    leaders: [PieceId; 2],
    words: Words,
    rule: RuleId,
    real: QuestionId,
    dusk: MomentId,
    die: TableId,
    raid: RecordId,
    postures: [WordId; 2],
    turn: Column<()>,
    vp: Column<SideId>,
    pressed: Column<SeatId>,
    weary: Column<PieceId>,
    marched: Column<BodyId>,
    held: Column<SpaceId>,
    seen: Column<(SpaceId, SideId)>,
    used: Column<LinkId>,
    high: Column<BorderId>,
    turned: Column<ChoiceIndex>,
    posture: ProcRef<Posture>,
}

struct Words {
    go: WordId,
    split: WordId,
    join: WordId,
    order: WordId,
    raise: WordId,
    scout: WordId,
    done: WordId,
    challenge: WordId,
    decline: WordId,
    pick: WordId,
    hold: WordId,
    march: WordId,
    reply: WordId,
    plan: WordId,
    setup: WordId,
    plans: WordId,
}

#[derive(Choice, Clone, Copy, PartialEq, Debug, Default)]
enum Step {
    #[default]
    Ask,
    Reply,
}

#[derive(Choice, Clone, Copy, PartialEq, Debug)]
enum Stance {
    Hold,
    Attack,
}

#[derive(Locals, Default)]
struct Muster {
    joined: bool,
    #[local(class = "sides")]
    stances: [Option<Stance>; 2],
}

#[derive(Locals)]
struct Posture {
    side: SideId,
    seat: SeatId,
    #[local(class = "owner")]
    stance: Option<Stance>,
    #[local(class = "owner")]
    picked: List<BodyId, 3>,
}

#[derive(Locals)]
struct March {
    side: SideId,
    left: u8,
    step: Step,
    moved: Option<StackId>,
    by: Option<BodyId>,
    along: Option<LinkId>,
    last: Option<[SpaceId; 2]>,
    marks: List<Option<PieceId>, 2>,
    cited: Option<RuleId>,
    word: WordId,
}

#[derive(Locals, Default)]
struct Finish {
    number: i32,
}

impl Procedure for Muster {
    type Module = Scouts;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, m: &Scouts, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.joined {
            for (n, &seat) in m.seats.iter().enumerate() {
                self.stances[n] = cx.joined(m.posture, seat)?.stance;
            }
            let attackers = self.stances.iter().filter(|s| **s == Some(Stance::Attack)).count();
            cx.publish(m.words.plans, m.rule, |e| e.answer(m.words.plan, Arg::Number(attackers as i32)))?;
            return Ok(Flow::Done);
        }
        if cx.get(m.turn, ()) == 1 {
            m.set_up(cx)?;
        }
        self.joined = true;
        let branches = [0, 1].map(|n| {
            let (side, seat) = (m.sides[n], m.seats[n]);
            (seat, m.posture.with(Posture { side, seat, stance: None, picked: List::new() }))
        });
        Ok(Flow::Fork { branches: branches.into_iter().collect(), together: cx.get(m.turn, ()) % 2 == 1 })
    }
}

impl Procedure for Posture {
    type Module = Scouts;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, m: &Scouts, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(self.seat, m.words.plan))
    }

    fn offers(&self, m: &Scouts, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for word in m.postures {
            out.add(Action::new(m.words.hold).on(word));
        }
        if self.picked.len() < 3 {
            for body in m.bodies(seen, self.side).into_iter().filter(|b| !self.picked.contains(b)).take(3) {
                out.add(Action::new(m.words.pick).on(body));
            }
        }
    }

    fn act(&mut self, m: &Scouts, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if let Some(body) = action.body(0) {
            let _ = self.picked.push(body);
            let piece = cx.read().piece(body);
            cx.set(m.weary, piece, 1)?;
            return Ok(Flow::Again);
        }
        self.stance =
            Some(if action.choice(0) == Some(m.postures[0]) { Stance::Hold } else { Stance::Attack });
        cx.commit();
        Ok(Flow::Done)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

impl March {
    fn new(side: SideId, word: WordId) -> Self {
        let (moved, by, along, last, cited) = (None, None, None, None, None);
        Self { side, left: 4, step: Step::Ask, moved, by, along, last, marks: List::new(), cited, word }
    }
}

impl Procedure for March {
    type Module = Scouts;

    fn run(&mut self, m: &Scouts, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.left == 0 {
            return Ok(Flow::Done);
        }
        Ok(match self.step {
            Step::Ask => Flow::ask(m.seat_of(self.side), m.words.march),
            Step::Reply => Flow::ask(m.seat_of(m.other(self.side)), m.words.reply),
        })
    }

    fn offers(&self, m: &Scouts, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        if self.step == Step::Reply {
            out.add(Action::new(m.words.challenge));
            out.add(Action::new(m.words.decline));
            return;
        }
        out.add(Action::new(m.words.done));
        out.add(Action::new(m.words.scout));
        let board = seen.rulebook().board();
        for n in 0..board.space_count() as u16 {
            let space = SpaceId(n);
            let stacks: Vec<StackId> = seen.stacks_of(self.side, space).collect();
            let led = seen.loose(space).any(|b| seen.piece(b) == Some(m.leader(self.side)));
            for &stack in &stacks {
                for edge in board.links(space) {
                    out.add(Action::new(m.words.go).on(stack).on(edge.to).on(edge.link));
                }
                for body in seen.loose(stack) {
                    out.add(Action::new(m.words.split).on(body));
                    out.add(Action::new(m.words.raise).on(body));
                    if led {
                        out.add(Action::new(m.words.order).on(body));
                    }
                }
            }
            if stacks.len() > 1 {
                out.add(Action::new(m.words.join).on(space));
            }
        }
    }

    fn act(&mut self, m: &Scouts, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let w = &m.words;
        if self.step == Step::Reply {
            self.step = Step::Ask;
            self.word = action.verb;
            if action.verb == w.challenge {
                m.challenge(cx, self)?;
            }
            return Ok(Flow::Again);
        }
        self.left = self.left.saturating_sub(1);
        if action.verb == w.done {
            self.left = 0;
            cx.commit();
        } else if action.verb == w.scout {
            let drawn = cx.draw(Some(self.side), m.die, 6)?;
            let value = cx.report(drawn, m.rule, |_| {});
            cx.set(m.turned, ChoiceIndex((value % 2) as u8), 1)?;
        } else if let Some((stack, to)) = action.stack(0).zip(action.space(1)) {
            let Some(from) = cx.read().stack_space(stack) else { return Ok(Flow::Again) };
            cx.move_stack(w.go, stack, PlaceId(to.0))?;
            (self.moved, self.along, self.last) = (Some(stack), action.link(2), Some([from, to]));
            self.by = cx.read().loose(stack).next();
            if let Some(link) = action.link(2) {
                cx.set(m.used, link, 1)?;
            }
            cx.set(m.held, to, i32::from(self.side.0))?;
            cx.set(m.seen, (to, self.side), 1)?;
            if let Some(border) = cx.rulebook().board().border_between(from, to) {
                cx.set(m.high, border, 1 + i32::from(self.left))?;
            }
            if cx.read().stacks_of(m.other(self.side), to).next().is_some() {
                self.step = Step::Reply;
            }
        } else if action.verb == w.join {
            if let Some(space) = action.space(0) {
                cx.join_stacks(self.side, PlaceId(space.0))?;
            }
        } else if let Some(body) = action.body(0) {
            self.on_body(m, cx, action.verb, body)?;
        }
        Ok(Flow::Again)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

impl March {
    fn on_body(&mut self, m: &Scouts, cx: &mut Cx<'_>, verb: WordId, body: BodyId) -> Result<(), Halt> {
        let Some(place) = cx.read().place(body) else { return Ok(()) };
        if verb == m.words.split {
            cx.move_group(verb, &[body], Dest::NewStack(place))?;
            cx.face(body, self.left)?;
        } else if verb == m.words.order {
            let leader = cx.read().body_of(m.leader(self.side));
            cx.set(m.marched, body, 1)?;
            if let Some(leader) = leader {
                cx.move_group(verb, &[body], Dest::Command(leader))?;
            }
        } else {
            cx.raise(body)?;
        }
        Ok(())
    }
}

impl Procedure for Finish {
    type Module = Scouts;

    fn run(&mut self, m: &Scouts, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let [a, b] = m.sides.map(|s| cx.get(m.vp, s));
        let winner = if a == b { None } else { Some(m.sides[usize::from(b > a)]) };
        cx.end_game(winner, m.rule)?;
        Ok(Flow::Done)
    }
}

impl Scouts {
    fn other(&self, side: SideId) -> SideId {
        self.sides[usize::from(side == self.sides[0])]
    }

    fn seat_of(&self, side: SideId) -> SeatId {
        self.seats[side.index()]
    }

    fn leader(&self, side: SideId) -> PieceId {
        self.leaders[side.index()]
    }

    fn bodies(&self, seen: &Seen<'_>, side: SideId) -> Vec<BodyId> {
        let spaces = (0..seen.rulebook().board().space_count() as u16).map(SpaceId);
        let stacks = spaces.flat_map(|s| seen.stacks_of(side, s).collect::<Vec<_>>());
        stacks.flat_map(|s| seen.loose(s).collect::<Vec<_>>()).collect()
    }

    fn set_up(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let rb = cx.rulebook();
        for (n, &side) in self.sides.iter().enumerate() {
            let home = PlaceId(if n == 0 { 0 } else { rb.board().space_count() as u16 - 1 });
            let of: Vec<BodyId> = (0..rb.pieces().len() as u16)
                .map(BodyId)
                .filter(|&b| cx.read().side(b) == Some(side) && cx.read().piece_def(b).deck.is_some())
                .collect();
            let (first, rest) = of.split_at(3);
            cx.move_group(self.words.setup, first, Dest::NewStack(home))?;
            cx.move_group(self.words.setup, &rest[..2], Dest::NewStack(home))?;
            if let Some(leader) = cx.read().body_of(self.leader(side)) {
                cx.move_group(self.words.setup, &[leader], Dest::Place(home, Position::Top))?;
            }
        }
        Ok(())
    }

    fn challenge(&self, cx: &mut Cx<'_>, march: &mut March) -> Result<(), Halt> {
        let Some(stack) = march.moved.filter(|s| cx.read().stack_exists(*s)) else { return Ok(()) };
        let (rule, by) = (self.rule, self.other(march.side));
        let bodies: Vec<BodyId> = cx.read().loose(stack).collect();
        let Some(space) = cx.read().stack_space(stack) else { return Ok(()) };
        let audience = if march.left.is_multiple_of(2) { Audience::ALL } else { Audience::side(by) };
        let about = if march.left < 2 { About::Place(PlaceId(space.0)) } else { About::Bodies };
        cx.tell(Telling { question: self.real, bodies: &bodies, about, audience, rule, lapse: self.dusk })?;
        let drawn = cx.draw(None, self.die, 6)?;
        let value = cx.report(drawn, rule, |_| {});
        march.cited = Some(rule);
        cx.add(self.vp, by, value)?;
        cx.set(self.pressed, self.seat_of(by), 1)?;
        if value <= 2 {
            let _ = march.marks.push((value == 1).then_some(cx.read().piece(bodies[0])));
            if cx.read().records(self.raid).count() < 3 {
                let fields = [i32::from(space.0), i32::from(by.0), i32::from(bodies[0].0), value];
                cx.record(self.raid, &fields)?;
            }
            if !cx.read().face_up(bodies[0]) {
                cx.reveal(bodies[0], rule)?;
            }
        } else {
            for &body in &bodies {
                cx.conceal(body)?;
                cx.face(body, 0)?;
                cx.set(self.marched, body, 0)?;
            }
            cx.mix(&bodies)?;
            cx.renew_stack(stack)?;
        }
        Ok(())
    }
}

/// The rulebook of the game.
#[allow(clippy::too_many_lines)]
pub fn rulebook(edition: Edition) -> Arc<Rulebook> {
    let mut board = BoardBuilder::new("field", Provenance::printed("map"));
    board.network("land");
    let names = ["Ash", "Birch", "Cedar", "Elder", "Hazel"];
    for name in names {
        board.space(name);
    }
    for pair in names.windows(2) {
        board.link(LinkSpec::new(pair[0], pair[1], "land"));
        board.border(BorderSpec::new(pair[0], pair[1]));
    }
    board.link(LinkSpec::new("Ash", "Cedar", "land"));
    board.holding_box("Rest");
    let mut b = RulebookBuilder::new("Scouts", "1", board.build().expect("a sound board"));
    if edition.reordered {
        b.word("an older word");
        b.rule("sc:0");
        b.option("sunny", &[]);
        b.column::<()>("weather", ValueKind::Int { min: 0, max: 9 }, 3, ColumnClass::Public);
    }
    let sides = ["amber", "blue"].map(|n| b.side(n));
    let seats = [0, 1].map(|n| b.seat(["Anna", "Bert"][n], Some(sides[n]), SeatRole::Player));
    b.seat("watcher", None, SeatRole::Spectator);
    b.seat("umpire", None, SeatRole::Umpire);
    let rule = b.rule("sc:1");
    b.option("windy", &[rule]);
    b.option("night", &[rule]);
    let mut leaders = [PieceId(0); 2];
    for (n, &side) in sides.iter().enumerate() {
        let colour = ["Amber", "Blue"][n];
        let deck = b.deck(colour, side);
        let horse = if edition.renamed && n == 0 { "Hussars" } else { "Horse" };
        for name in ["First Foot", "Second Foot", horse, "Scouts", "Dummy"] {
            let kind = if name == "Dummy" { "dummy" } else { "unit" };
            b.piece(&format!("{colour} {name}"), Some(side), kind, Some(deck), &[]);
        }
        leaders[n] = b.piece(&format!("{colour} General"), Some(side), "leader", None, &[]);
    }
    let unit = b.word("unit");
    let real_set = b.piece_set("real", |_, def| def.kind == unit);
    let real = b.question("is one real", QuestionKind::Any(real_set));
    let (dawn, dusk) = (b.moment("dawn"), b.moment("dusk"));
    let die = b.table(
        "challenge",
        TableBuilder::new("challenge", Provenance::Reconstructed("for tests".into()))
            .row([1])
            .build()
            .expect("a sound table"),
    );
    let fields = [
        ("where", FieldKind::Space),
        ("by", FieldKind::Side),
        ("body", FieldKind::Body),
        ("die", FieldKind::Int),
    ];
    let raid = b.relation("raid", &fields, 3, ColumnClass::Public);
    let (flag, public) = (ValueKind::Flag, ColumnClass::Public);
    let turned = b.column("turned", flag.clone(), 0, ColumnClass::Hidden);
    let postures = ["hold", "attack"].map(|w| b.word(w));
    b.choices(turned, &postures);
    let mut word = |text: &str| b.word(text);
    let words = Words {
        go: word("go"),
        split: word("split"),
        join: word("join"),
        order: word("order"),
        raise: word("raise"),
        scout: word("scout"),
        done: word("done"),
        challenge: word("challenge"),
        decline: word("decline"),
        pick: word("pick"),
        hold: word("hold"),
        march: word("march"),
        reply: word("reply"),
        plan: word("plan"),
        setup: word("setup"),
        plans: word("plans"),
    };
    let muster = b.proc::<Muster>("muster");
    let march = b.proc::<March>("march");
    let finish = b.proc::<Finish>("finish");
    let posture = b.proc::<Posture>("posture");
    let module = Arc::new(Scouts {
        sides,
        seats,
        leaders,
        rule,
        real,
        dusk,
        die,
        raid,
        postures,
        turn: b.column("turn", ValueKind::Int { min: 0, max: 9 }, 0, public),
        vp: b.column("vp", ValueKind::Int { min: 0, max: 999 }, 0, public),
        pressed: b.column("pressed", flag.clone(), 0, public),
        weary: b.column("weary", flag.clone(), 0, ColumnClass::Owner),
        marched: b.column("marched", flag.clone(), 0, public),
        held: b.column("held", ValueKind::Side, -1, public),
        seen: b.column("seen", flag.clone(), 0, public),
        used: b.column("used", flag, 0, public),
        high: b.column("high", ValueKind::Int { min: 0, max: 5 }, 0, public),
        turned,
        words,
        posture,
    });
    b.define(muster, &module);
    b.define(march, &module);
    b.define(finish, &module);
    b.define(posture, &module);
    b.reset_at(module.used, dawn, false);
    let all = |onlooker, level| LevelRule {
        decks: Vec::new(),
        places: Vec::new(),
        onlooker,
        when: LevelCondition::default(),
        level,
        rule,
    };
    b.level(all(Onlooker::Anyone, Level::Order));
    let (turn, plan) = (module.turn, module.words.plan);
    let first = sides[0];
    b.sequence(&[
        Item::Turns {
            column: turn,
            last: 4,
            turn: vec![
                Item::Moment(dawn),
                phase("muster", move |_| muster.with(Muster::default())),
                Item::Sides(
                    sides.to_vec(),
                    vec![phase("march", move |side| march.with(March::new(side.unwrap_or(first), plan)))],
                ),
                Item::Moment(dusk),
            ],
        },
        phase("finish", move |_| finish.with(Finish::default())),
    ]);
    Arc::new(b.build().expect("a sound rulebook"))
}

//! Secret locals in sampled worlds: what a side may not see of a frame, further out or in a branch, is not the
//! truth there, and play can go on from what stands in its place.

#![allow(clippy::unwrap_used, reason = "tests may")]

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, Provenance};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, ProcRef, Sink};
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{ColumnClass, FieldKind, SeatRole};
use adjutant_kernel::state::Position;
use adjutant_kernel::view::{Ciphers, Names, view};
use adjutant_kernel::*;
use serde_json::Value;

const RED: Viewer = Viewer::Side(SideId(0));
const BLUE: Viewer = Viewer::Side(SideId(1));

struct Ids {
    prompt: WordId,
    choose: WordId,
    open: RuleId,
    field: PlaceId,
    trap: ProcRef<Trap>,
    look: ProcRef<Look>,
    stake: ProcRef<Stake>,
}

/// Red lays a trap with one of its pieces and stakes a number on it; blue looks around, then both bet.
#[derive(Locals)]
struct Trap {
    owner: SideId,
    step: u8,
    #[local(class = "owner")]
    trap: BodyId,
    #[local(class = "owner")]
    stake: u8,
}

/// Blue looks around. What is to spring was handed on.
#[derive(Locals)]
struct Look {
    #[local(class = "hidden")]
    trap: BodyId,
    looked: bool,
}

/// A side's bet, in a branch that knows of the trap.
#[derive(Locals)]
struct Stake {
    side: SideId,
    #[local(class = "owner")]
    trap: BodyId,
    #[local(class = "owner")]
    bet: [Bet; 2],
}

#[derive(Choice, Clone, Copy, PartialEq, Debug)]
enum Bet {
    None,
    High,
    Low,
}

fn red_bodies(read: Read<'_>) -> Vec<BodyId> {
    (0..4).map(BodyId).filter(|&body| read.side(body) == Some(SideId(0))).collect()
}

impl Procedure for Trap {
    type Module = Ids;

    const IMAGINE: Imagine<Self> = Imagine::By(|trap, _, imagining| {
        assert_eq!((trap.trap, trap.stake), (BodyId(0), 0), "what is hidden is blank");
        trap.trap = imagining.one_of(&red_bodies(imagining.read)).unwrap();
        trap.stake = 1 + imagining.below(3) as u8;
    });

    fn run(&mut self, ids: &Ids, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        self.step += 1;
        match self.step {
            1 => {
                for body in (0..4).map(BodyId) {
                    cx.move_group(ids.choose, &[body], Dest::Place(ids.field, Position::Bottom))?;
                }
                Ok(ids.look.call(Look { trap: self.trap, looked: false }))
            }
            2 => {
                let bet = [Bet::None; 2];
                let branch = |n| (SeatId(n), ids.stake.with(Stake { side: SideId(n), trap: self.trap, bet }));
                Ok(Flow::Fork { branches: vec![branch(0), branch(1)], together: true })
            }
            _ if red_bodies(cx.read()).contains(&self.trap) && (1..4).contains(&self.stake) => {
                cx.end_game(Some(self.owner), ids.open)?;
                Ok(Flow::Done)
            }
            _ => Err(cx.fault("no trap was laid")),
        }
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.owner)
    }
}

impl Procedure for Look {
    type Module = Ids;

    const IMAGINE: Imagine<Self> = Imagine::By(|look, ids: &Ids, imagining| {
        look.trap = imagining.outer(ids.trap).unwrap().trap;
    });

    fn run(&mut self, ids: &Ids, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(if self.looked { Flow::Done } else { Flow::ask(SeatId(1), ids.prompt) })
    }

    fn offers(&self, ids: &Ids, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        out.add(Action::new(ids.choose));
    }

    fn act(&mut self, _: &Ids, _: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
        self.looked = true;
        Ok(Flow::Again)
    }
}

impl Procedure for Stake {
    type Module = Ids;

    const IMAGINE: Imagine<Self> = Imagine::By(|stake, ids: &Ids, imagining| {
        stake.trap = imagining.outer(ids.trap).unwrap().trap;
    });

    fn run(&mut self, ids: &Ids, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(SeatId(self.side.0), ids.prompt))
    }

    fn offers(&self, ids: &Ids, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        (1..3i16).for_each(|n| out.add(Action::new(ids.choose).on(n)));
    }

    fn act(&mut self, _: &Ids, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        self.bet[0] = if action.number(0) == Some(1) { Bet::High } else { Bet::Low };
        cx.commit();
        Ok(Flow::Done)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

/// Play has begun: red's second piece is the trap, on which it staked 3.
fn begin() -> (Rulebook, Worker, State) {
    let mut board = BoardBuilder::new("field", Provenance::printed("map"));
    board.space("field");
    let mut rb = RulebookBuilder::new("trap", "1", board.build().unwrap());
    for name in ["red", "blue"] {
        let side = rb.side(name);
        rb.seat(name, Some(side), SeatRole::Player);
    }
    let open = rb.rule("x:1");
    rb.open_information(open);
    for name in ["first", "second", "third"] {
        rb.piece(name, Some(SideId(0)), "unit", None, &[]);
    }
    rb.piece("scout", Some(SideId(1)), "unit", None, &[]);
    let (trap, look, stake) = (rb.proc::<Trap>("trap"), rb.proc("look"), rb.proc("stake"));
    let ids = Ids {
        prompt: rb.word("prompt"),
        choose: rb.word("choose"),
        open,
        field: PlaceId(0),
        trap,
        look,
        stake,
    };
    let ids = Arc::new(ids);
    rb.define(trap, &ids);
    rb.define(look, &ids);
    rb.define(stake, &ids);
    rb.opening(trap.with(Trap { owner: SideId(0), step: 0, trap: BodyId(1), stake: 3 }));
    let (rb, mut worker) = (rb.build().unwrap(), Worker::new().checking());
    let st = flow::start(&rb, &mut worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap();
    (rb, worker, st)
}

/// A local of the first frame of a procedure that is there.
fn local(rb: &Rulebook, st: &State, procedure: &str, name: &str) -> String {
    let named = serde_json::to_value(st.named(rb)).unwrap();
    let frames = named["frames"].as_array().unwrap();
    let frame = frames.iter().find(|f| f["procedure"] == procedure).unwrap();
    frame["locals"][name].to_string()
}

fn seen(rb: &Rulebook, st: &State, viewer: Viewer) -> Value {
    let mut ciphers = Ciphers::default();
    let names = Names::new(st.ciphers(rb, &mut ciphers), Read::new(rb, st));
    serde_json::to_value(view(&names, Some(viewer), None)).unwrap()
}

/// Samples worlds; each looks the same to the viewer, and is given to `look` before it is played to its end.
fn sample(rb: &Rulebook, worker: &mut Worker, st: &State, viewer: Viewer, mut look: impl FnMut(&State)) {
    let mut word = 7u64;
    for seed in 0..60 {
        let mut random = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            word
        };
        let mut world = flow::determinize(rb, worker, st, viewer, Key::from_seed(seed), &mut random).unwrap();
        assert_eq!(seen(rb, &world, viewer), seen(rb, st, viewer));
        look(&world);
        play_out(rb, worker, &mut world);
    }
}

fn play_out(rb: &Rulebook, worker: &mut Worker, world: &mut State) {
    while let Some(asked) = flow::asked(world) {
        let mut list = Vec::new();
        flow::offers(rb, worker, world, asked.seats[0], &mut list).unwrap();
        flow::act(rb, worker, &mut Sink::off(), world, asked.seats[0], &list[0]).unwrap();
    }
}

#[test]
fn a_secret_of_an_outer_frame_is_imagined() {
    let (rb, mut worker, st) = begin();
    let (mut traps, mut stakes) = (BTreeSet::new(), BTreeSet::new());
    sample(&rb, &mut worker, &st, BLUE, |world| {
        traps.insert(local(&rb, world, "trap", "trap"));
        stakes.insert(local(&rb, world, "trap", "stake"));
        assert_eq!(local(&rb, world, "trap", "trap"), local(&rb, world, "look", "trap"));
    });
    assert_eq!((traps.len(), stakes.len()), (3, 3), "all that may be, as if nobody had looked");
    // Whose secret it is knows it; what the inner frame hides from everybody follows it.
    sample(&rb, &mut worker, &st, RED, |world| {
        assert_eq!(local(&rb, world, "trap", "trap"), local(&rb, &st, "trap", "trap"));
        assert_eq!(local(&rb, world, "trap", "stake"), local(&rb, &st, "trap", "stake"));
        assert_eq!(local(&rb, world, "look", "trap"), local(&rb, &st, "look", "trap"));
    });
}

#[test]
fn a_secret_that_a_branch_began_with_is_imagined() {
    let (rb, mut worker, mut st) = begin();
    let look = Action::new(rb.word_named("choose").unwrap());
    flow::act(&rb, &mut worker, &mut Sink::off(), &mut st, SeatId(1), &look).unwrap();
    flow::act(&rb, &mut worker, &mut Sink::off(), &mut st, SeatId(0), &look.on(2i16)).unwrap();
    let (mut traps, mut bets) = (BTreeSet::new(), BTreeSet::new());
    sample(&rb, &mut worker, &st, BLUE, |world| {
        assert_eq!(local(&rb, world, "stake", "trap"), local(&rb, world, "trap", "trap"));
        traps.insert(local(&rb, world, "stake", "trap"));
        bets.insert(local(&rb, world, "stake", "bet"));
        // Nor is the truth left where the branch would be begun from again.
        let named = serde_json::to_value(world.named(&rb)).unwrap();
        let branch = &named["frames"][1];
        assert_eq!(branch["fresh"]["trap"], branch["locals"]["trap"]);
    });
    assert_eq!((traps.len(), bets.len()), (3, 2), "he has bet, one way or the other");
}

/// Red's plans, with the number of entries that stand there and the sampler of the relation.
fn planned(sampler: bool) -> Vec<Vec<[i32; 4]>> {
    let mut board = BoardBuilder::new("plain", Provenance::printed("t:1"));
    board.network("land").space("field");
    let mut builder = RulebookBuilder::new("plans", "1", board.build().unwrap());
    let sides = ["red", "blue"].map(|name| {
        let side = builder.side(name);
        builder.seat(name, Some(side), SeatRole::Player);
        side
    });
    let fields = [("at", FieldKind::Space), ("strength", FieldKind::Int)];
    let plan = builder.relation("plan", &fields, 3, ColumnClass::Side(sides[0]));
    if sampler {
        builder.relation_sampler(plan, |_, random| {
            (0..5).map(|_| [0, 1 + (random() % 2) as i32, 0, 0]).collect()
        });
    }
    let open = builder.rule("t:1");
    builder.open_information(open);
    let begin = builder.proc("begin");
    let wait = builder.word("wait");
    builder.define(begin, &Arc::new((plan, wait)));
    builder.opening(begin.with(Plan {}));
    let rulebook = builder.build().unwrap();
    let (mut worker, mut sink) = (Worker::new(), Sink::off());
    let state = flow::start(&rulebook, &mut worker, &mut sink, Key::from_seed(1), 0).unwrap();
    let entries = |state: &State| Read::new(&rulebook, state).records(plan).map(|r| r.fields).collect();
    let mut words = 0..;
    let mut world = |viewer| {
        let mut world = state.clone();
        knowledge::resample(&rulebook, &mut world, viewer, &mut || words.next().unwrap());
        entries(&world)
    };
    vec![entries(&state), world(RED), world(BLUE)]
}

/// Red plans two raids.
#[derive(Locals)]
struct Plan {}

impl Procedure for Plan {
    type Module = (RecordId, WordId);

    fn run(&mut self, (plan, wait): &Self::Module, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.record(*plan, &[0, 7])?;
        cx.record(*plan, &[0, 8])?;
        Ok(Flow::ask(SeatId(0), *wait))
    }

    fn offers(&self, (_, wait): &Self::Module, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        out.add(Action::new(*wait));
    }
}

#[test]
fn entries_of_a_relation_that_a_viewer_may_not_see_are_imagined() {
    let truth = vec![[0, 7, 0, 0], [0, 8, 0, 0]];
    assert_eq!(planned(false), [truth.clone(), truth.clone(), Vec::new()]);
    let drawn = vec![[0, 1, 0, 0], [0, 2, 0, 0], [0, 1, 0, 0]]; // of five the three that there may be
    assert_eq!(planned(true), [truth.clone(), truth, drawn]);
}

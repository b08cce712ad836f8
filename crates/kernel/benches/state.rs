//! Benchmarks of what every step of every game costs: a clone of the state, a rule point to which nothing is
//! attached, a move of a body without events.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::hint::black_box;
use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::chance::Key;
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::flow::{self, Flow, Halt, Procedure, Sink};
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::{PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::{Level, LevelCondition, LevelRule, Onlooker, SeatRole};
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Offers, PlaceId, PointId, Read, Rulebook, RulebookBuilder, SeatId, SideId, SpaceId,
    State, Viewer, WordId, Worker,
};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

/// How often a measured part is repeated within one action, so that what surrounds it does not count.
const REPEATS: u32 = 1000;

struct Rules {
    spaces: u16,
    bodies: u16,
    march: WordId,
    prompt: WordId,
    point: PointId,
    words: [WordId; 3],
}

#[derive(Locals)]
struct Play {
    ready: bool,
}

impl Procedure for Play {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.ready {
            self.ready = true;
            for n in 0..rules.bodies {
                let place = PlaceId(n % rules.spaces);
                cx.move_group(rules.march, &[BodyId(n)], Dest::Place(place, Position::Bottom))?;
            }
        }
        Ok(Flow::ask(SeatId(0), rules.prompt))
    }

    fn offers(&self, rules: &Rules, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        rules.words.iter().for_each(|&word| out.add(Action::new(word)));
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        let [nothing, moves, points] = rules.words;
        for n in 0..REPEATS {
            let (body, space) = (BodyId(n as u16 % rules.bodies), SpaceId(n as u16 * 7 % rules.spaces));
            if action.verb == moves {
                cx.move_group(rules.march, &[body], Dest::Place(PlaceId(space.0), Position::Bottom))?;
            } else if action.verb == points {
                let total = cx.total(rules.point, &[PointArg::Body(body), PointArg::Space(space)])?;
                black_box(total);
            } else if action.verb == nothing {
                black_box((body, space));
            }
        }
        Ok(Flow::ask(seat, rules.prompt))
    }
}

/// A game of two decks of hidden pieces on a chain of areas, with two sides and the public looking on.
fn rulebook(pieces: u16, spaces: u16) -> Rulebook {
    let mut board = BoardBuilder::new("chain", Provenance::Reconstructed("for the benchmark".into()));
    board.network("land");
    for n in 0..spaces {
        board.space(format!("space {n}"));
        if n > 0 {
            board.link(LinkSpec::new(format!("space {}", n - 1), format!("space {n}"), "land"));
        }
    }
    let board = board.build().expect("the board is good");
    let mut b = RulebookBuilder::new("chain", "1", board);
    for name in ["north", "south"] {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
        let deck = b.deck(name, side);
        for n in 0..pieces / 2 {
            b.piece(&format!("{name} {n}"), Some(side), "unit", Some(deck), &[]);
        }
    }
    let rule = b.rule("bench:1");
    b.level(LevelRule {
        decks: Vec::new(),
        places: Vec::new(),
        onlooker: Onlooker::Anyone,
        when: LevelCondition::default(),
        level: Level::Order,
        rule,
    });
    let point = b.point(PointDef {
        name: "march.allowance".into(),
        runs_on: RunsOn::Both,
        combine: Combine::Sum,
        start: 4,
        rules: Vec::new(),
    });
    let rules = Rules {
        spaces,
        bodies: pieces,
        march: b.word("march"),
        prompt: b.word("go_on"),
        point,
        words: ["nothing", "moves", "points"].map(|word| b.word(word)),
    };
    let play = b.proc::<Play>("play");
    b.define(play, &Arc::new(rules));
    b.opening(play.with(Play { ready: false }));
    b.build().expect("the rulebook is good")
}

fn start(rb: &Rulebook) -> (Worker, State) {
    let mut worker = Worker::new();
    let st = flow::start(rb, &mut worker, &mut Sink::off(), Key::from_seed(1), 0);
    (worker, st.expect("the game begins"))
}

fn clones(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clone");
    for (pieces, spaces) in [(150, 150), (1500, 150), (150, 1500)] {
        let (_, st) = start(&rulebook(pieces, spaces));
        println!("{pieces} pieces, {spaces} spaces: {} bytes in a save", st.size());
        let id = BenchmarkId::from_parameter(format!("{pieces} pieces {spaces} spaces"));
        group.bench_function(id, |bencher| bencher.iter(|| black_box(&st).clone()));
    }
    group.finish();
}

/// Each function repeats its part [`REPEATS`] times; `nothing` is the loop around it.
fn steps(criterion: &mut Criterion) {
    let rb = rulebook(150, 150);
    let (mut worker, st) = start(&rb);
    let mut list = Vec::new();
    flow::offers(&rb, &worker, &st, SeatId(0), &mut list).expect("there are offers");
    let mut group = criterion.benchmark_group("1000 times");
    for (name, action) in ["nothing", "move_group", "Cx::total"].into_iter().zip(list) {
        let mut st = st.clone();
        group.bench_function(name, |bencher| {
            bencher.iter(|| flow::act(&rb, &mut worker, &mut Sink::off(), &mut st, SeatId(0), &action));
        });
    }
    let seen = Seen::new(Read::new(&rb, &st), Viewer::Side(SideId(0)));
    let point = rb.points().iter().position(|p| p.name == "march.allowance").map(|n| PointId(n as u16));
    let point = point.expect("it was declared");
    group.bench_function("Seen::forbidden", |bencher| {
        bencher.iter(|| {
            for n in 0..REPEATS as u16 {
                let args = [PointArg::Body(BodyId(n % 150)), PointArg::Space(SpaceId(n % 150))];
                black_box(seen.forbidden(black_box(point), &args));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, clones, steps);
criterion_main!(benches);

//! How the two things that a bot does at every node grow with the size of a game: listing what a seat may do, and
//! cloning a state. Ten times the pieces, ten times the spaces, and both.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::hint::black_box;
use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, HexGridSpec, Orientation, Provenance, Shift};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{
    ColumnClass, Level, LevelCondition, LevelRule, Onlooker, SeatRole, ValueKind,
};
use adjutant_kernel::*;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

/// Pieces of both sides together.
const PIECES: [u16; 2] = [20, 200];
/// Columns and rows of the hex grid.
const GRIDS: [(u16, u16); 2] = [(10, 10), (40, 25)];

/// A march: a body goes to a hex next to its own, where no more than four of a side may stand.
struct Marches {
    march: WordId,
    orders: WordId,
    pieces: u16,
    stacking: RuleId,
}

impl Module for Marches {
    fn name(&self) -> &str {
        "marches"
    }

    fn placement(&self, seen: &Seen<'_>, _: WordId, bodies: &[BodyId], to: PlaceId) -> Placement {
        let Some(side) = bodies.first().and_then(|&body| seen.side(body)) else { return Placement::Allowed };
        if seen.bodies_of(side, to).len() < 4 {
            Placement::Allowed
        } else {
            Placement::Forbidden(self.stacking)
        }
    }
}

#[derive(Locals)]
struct March {
    begun: bool,
}

impl Procedure for March {
    type Module = Marches;

    fn run(&mut self, m: &Marches, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.begun {
            self.begun = true;
            // Everywhere on the map alike, a stack each.
            let spaces = cx.rulebook().board().space_count() as u16;
            for body in 0..m.pieces {
                let to = PlaceId((body * 37 + 11) % spaces);
                cx.move_group(m.march, &[BodyId(body)], Dest::NewStack(to))?;
            }
        }
        Ok(Flow::ask(SeatId(0), m.orders))
    }

    fn offers(&self, m: &Marches, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let board = seen.rulebook().board();
        for body in (0..m.pieces).step_by(2).map(BodyId) {
            let Some(from) = seen.space(body) else { continue };
            for to in board.links(from).iter().map(|edge| edge.to) {
                out.consider(Action::new(m.march).on(body).on(to), || {
                    match seen.placement(m.march, &[body], PlaceId(to.0)).forbidden() {
                        None => Ok(()),
                        Some(rule) => Err(Refusal { rule }),
                    }
                });
            }
        }
    }
}

fn rulebook(pieces: u16, (columns, rows): (u16, u16)) -> Rulebook {
    let mut board = BoardBuilder::new("field", Provenance::Reconstructed("for the benchmark".into()));
    let grid = HexGridSpec::new(Orientation::FlatTop, Shift::Second, columns, rows);
    board.network("land").hex_grid(grid, ["land"]);
    let mut b = RulebookBuilder::new("growth", "1", board.build().expect("the board is good"));
    let sides = ["red", "blue"].map(|name| b.side(name));
    for (name, side) in ["red", "blue"].into_iter().zip(sides) {
        b.seat(name, Some(side), SeatRole::Player);
    }
    let decks = [b.deck("red", sides[0]), b.deck("blue", sides[1])];
    for n in 0..pieces {
        let owner = usize::from(n % 2);
        b.piece(&format!("unit {n}"), Some(sides[owner]), "unit", Some(decks[owner]), &[]);
    }
    let rule = b.rule("g:1");
    b.level(LevelRule {
        decks: Vec::new(),
        places: Vec::new(),
        onlooker: Onlooker::Anyone,
        when: LevelCondition::default(),
        level: Level::Order,
        rule,
    });
    b.column::<BodyId>("steps", ValueKind::Int { min: 0, max: 4 }, 4, ColumnClass::Public);
    b.column::<SpaceId>("held", ValueKind::Side, 0, ColumnClass::Public);
    let marches =
        Arc::new(Marches { march: b.word("march"), orders: b.word("orders"), pieces, stacking: rule });
    b.module(marches.clone());
    let march = b.proc::<March>("march");
    b.define(march, &marches);
    b.opening(march.with(March { begun: false }));
    b.build().expect("the rulebook is good")
}

fn growth(criterion: &mut Criterion) {
    let mut games = Vec::new();
    for (pieces, grid) in PIECES.into_iter().flat_map(|p| GRIDS.map(|g| (p, g))) {
        let rb = rulebook(pieces, grid);
        let mut worker = Worker::new();
        let st = flow::start(&rb, &mut worker, &mut Sink::off(), Key::from_seed(1), 0);
        games.push((format!("{pieces} pieces, {} spaces", grid.0 * grid.1), rb, worker, st.expect("a game")));
    }
    let mut group = criterion.benchmark_group("growth");
    for (name, rb, worker, st) in &games {
        let mut list = Vec::new();
        group.bench_function(BenchmarkId::new("offers", name), |b| {
            b.iter(|| flow::offers(rb, worker, black_box(st), SeatId(0), &mut list));
        });
        println!("growth/offers/{name}: {} offers", list.len());
    }
    for (name, _, _, st) in &games {
        group.bench_function(BenchmarkId::new("clone", name), |b| b.iter(|| black_box(st).clone()));
        println!("growth/clone/{name}: {} bytes", st.size());
    }
    group.finish();
}

criterion_group!(benches, growth);
criterion_main!(benches);

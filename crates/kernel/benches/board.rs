//! Searches and lines on a hex grid of 50 by 40, with terrain costs 1 to 4.

#![allow(missing_docs, clippy::unwrap_used)]

use adjutant_kernel::SpaceId;
use adjutant_kernel::board::{
    Board, BoardBuilder, Grazing, HexGridSpec, LinePolicy, OffMap, Orientation, Provenance, SearchScratch,
    Shift, Ways,
};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn field() -> (Board, Vec<u32>) {
    let mut builder = BoardBuilder::new("field", Provenance::reconstructed("made for measuring"));
    builder.network("land");
    builder.hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 50, 40), ["land"]);
    let board = builder.build().unwrap();
    let mut seed = 1u64;
    let costs = (0..board.space_count())
        .map(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            1 + (seed >> 33) as u32 % 4
        })
        .collect();
    (board, costs)
}

fn searches(c: &mut Criterion) {
    let (board, costs) = field();
    let mut scratch = SearchScratch::default();
    let space = |number| board.space_named(number).unwrap();
    let (corner, far, middle) = (space("0101"), space("5040"), space("2520"));
    c.bench_function("path corner to corner, 2000 hexes", |b| {
        b.iter(|| {
            board.cheapest_path(&mut scratch, Ways::all(), black_box(corner), far, |_, edge| {
                Some(costs[edge.to.index()])
            })
        });
    });
    c.bench_function("path corner to corner, costs to 200", |b| {
        b.iter(|| {
            board.cheapest_path(&mut scratch, Ways::all(), black_box(corner), far, |_, edge| {
                Some(costs[edge.to.index()] * 50)
            })
        });
    });
    c.bench_function("reachable with 8 movement points", |b| {
        b.iter(|| {
            let cost = |_, edge: &adjutant_kernel::board::Edge| Some(costs[edge.to.index()]);
            board.reachable(&mut scratch, Ways::all(), [black_box(middle)], 8, cost);
        });
    });
    c.bench_function("flood, 2000 hexes", |b| {
        b.iter(|| {
            board.flood(&mut scratch, Ways::all(), [black_box(corner)], |_, edge| costs[edge.to.index()] < 4);
        });
    });
}

fn lines(c: &mut Criterion) {
    let (board, costs) = field();
    let space = |number| board.space_named(number).unwrap();
    let policy = LinePolicy {
        along_side: Grazing::BothBlock,
        through_vertex: Grazing::BothBlock,
        off_map: OffMap::Blocks,
    };
    let clear = |space: SpaceId| costs[space.index()] > 4;
    c.bench_function("line of sight over 10 hexes", |b| {
        let (from, to) = (space("2010"), space("3012"));
        b.iter(|| board.trace(black_box(from), to, policy, clear, |_| false));
    });
    c.bench_function("build the board, 2000 hexes", |b| b.iter(field));
}

criterion_group!(benches, searches, lines);
criterion_main!(benches);

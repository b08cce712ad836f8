//! Random playouts, one function a game; the time of one playout from the start to the end of the game.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use adjutant_kernel::Rulebook;
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use small_games::playout::{Random, Scratch, play_out};

fn playouts(criterion: &mut Criterion, name: &str, rb: &Rulebook) {
    let mut scratch = Scratch::default();
    let mut random = Random::new(1);
    let start = flow::start(rb, &mut scratch.worker, &mut Sink::off(), Key::from_seed(1), 0);
    let start = start.expect("the game begins without a fault");
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let mut st = start.clone();
            play_out(rb, &mut scratch, &mut st, &mut random)
        });
    });
    group.finish();
}

fn breakthrough(criterion: &mut Criterion) {
    let rb = small_games::breakthrough::rulebook().expect("the rulebook is good");
    playouts(criterion, "breakthrough", &rb);
}

fn duel(criterion: &mut Criterion) {
    let rb = small_games::duel::rulebook().expect("the rulebook is good");
    playouts(criterion, "duel", &rb);
}

fn phantom(criterion: &mut Criterion) {
    let rb = small_games::phantom::rulebook().expect("the rulebook is good");
    playouts(criterion, "phantom", &rb);
}

criterion_group!(benches, breakthrough, duel, phantom);
criterion_main!(benches);

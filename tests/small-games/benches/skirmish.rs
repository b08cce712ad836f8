//! Random games of hex skirmish.

#![allow(missing_docs, clippy::unwrap_used)]

use std::sync::Arc;

use adjutant::{Random, Sim};
use adjutant_kernel::chance::Key;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use small_games::skirmish;

fn playouts(criterion: &mut Criterion) {
    let rulebook = Arc::new(skirmish::rulebook().unwrap());
    let play = |seed: u64| {
        let mut sim = Sim::start(&rulebook, Key::from_seed(seed), 0).unwrap();
        let mut random = Random::new(seed);
        let mut decisions = 0u64;
        while sim.random_step(&mut random).unwrap() {
            decisions += 1;
        }
        decisions
    };
    let decisions: u64 = (0..20).map(play).sum();
    let mut group = criterion.benchmark_group("skirmish");
    group.sample_size(10);
    group.throughput(Throughput::Elements(decisions));
    group.bench_function("20 random games, by decisions", |b| b.iter(|| (0..20).map(play).sum::<u64>()));
    group.finish();
}

criterion_group!(benches, playouts);
criterion_main!(benches);

//! Benchmarks of the kernel's parts that bots call at every node.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::hint::black_box;

use adjutant_kernel::RuleId;
use adjutant_kernel::allocation::{Assignment, Set, Slot, Spec};
use adjutant_kernel::chance::{ChanceCache, Key, die};
use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::handles::HandleCipher;
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::tables::{
    AtZero, Axis, Dice, Ends, Entry, Faces, Input, Order, Party, Ratio, Ratios, Rounding, Span, Table,
    TableBuilder, ZeroRule,
};
use criterion::{Criterion, criterion_group, criterion_main};

fn fight() -> Option<Table> {
    let steps = [(1, 2), (1, 1), (3, 2), (2, 1), (3, 1)].map(|(a, d)| Ratio::new(a, d));
    let columns = Axis::Ratios(Ratios {
        steps: steps.into(),
        first: Party::Attacker,
        rounding: Rounding::DefendersFavour,
        zero: ZeroRule { attacker: AtZero::Lowest, defender: AtZero::Highest, both: AtZero::Lowest },
        ends: Ends::CLAMP,
    });
    let mut table = TableBuilder::new("fight", Provenance::Reconstructed("for the benchmark".into()))
        .dice(Dice::one(6))
        .columns(columns)
        .rows(Axis::Numbers { spans: (1..=6).map(Span::exactly).collect(), ends: Ends::CLAMP })
        .column_order(Order::left_then_right());
    for row in 0..6 {
        table = table.row([row, row + 1, row + 2, row + 3, row + 4]);
    }
    table.build().ok()
}

fn tables(c: &mut Criterion) {
    let Some(table) = fight() else { return };
    let shift = |value, stage| Contribution { rule: RuleId(1), value, stage };
    let shifts = [shift(-1, 0), shift(1, 1), shift(1, 1)];
    let mut entry = Entry {
        column: Input::Pair { attacker: 7, defender: 4 },
        dice: Faces::new(&[4]).unwrap_or_default(),
        ..Entry::default()
    };
    c.bench_function("table/plain", |b| b.iter(|| black_box(&table).look_up(black_box(&entry))));
    entry.shifts = &shifts;
    c.bench_function("table/three shifts", |b| b.iter(|| black_box(&table).look_up(black_box(&entry))));
}

fn chance(c: &mut Criterion) {
    let (key, mut cache, mut index) = (Key::from_seed(1), ChanceCache::new(), 0);
    c.bench_function("chance/next die", |b| {
        b.iter(|| {
            index += 1;
            die(cache.word(black_box(&key), 0, index), 6)
        })
    });
    c.bench_function("chance/two streams in turn", |b| {
        b.iter(|| {
            index += 1;
            die(cache.word(black_box(&key), u64::from(index & 1), index), 6)
        })
    });
    c.bench_function("chance/first die of a key", |b| {
        let mut seed = [0; 32];
        b.iter(|| {
            seed[0] += 1;
            seed[0] &= 127;
            die(cache.word(&Key::from_bytes(seed), 0, 0), 6)
        })
    });
}

fn handles(c: &mut Criterion) {
    let key = Key::from_seed(1);
    let cipher = HandleCipher::new(&key, 1);
    let mut n = 0;
    c.bench_function("handles/letters", |b| {
        b.iter(|| {
            n = (n + 1) % 160_000;
            cipher.letters(n)
        })
    });
    c.bench_function("handles/number", |b| b.iter(|| cipher.number(black_box("qtrw"))));
    c.bench_function("handles/new cipher and first", |b| b.iter(|| HandleCipher::new(&key, 2).letters(0)));
}

fn deployment() -> Spec {
    let position = || Slot::up_to(2).needs(1, Set::from([0, 1]));
    Spec::new(4).slot(position()).slot(position()).slot(Slot::any()).filled(1, Set::from([0, 1]))
}

fn set_up() -> Spec {
    let area = || Slot::between(2, 4);
    Spec::new(8).slot(area()).slot(area()).slot(area())
}

fn allocation(c: &mut Criterion) {
    c.bench_function("allocation/check deployment", |b| b.iter(|| deployment().check()));
    let mut placed = Assignment::new();
    placed.place(2, 0);
    for (name, spec) in [("deployment", deployment()), ("set-up", set_up())] {
        let Ok(problem) = spec.check() else { continue };
        c.bench_function(&format!("allocation/offers of {name}"), |b| {
            b.iter(|| problem.offers(black_box(&placed)).count())
        });
    }
    let mut units = Spec::new(3);
    for steps in [1, 2, 2, 1] {
        units = units.slot(Slot::up_to(steps));
    }
    if let Ok(problem) = units.check() {
        let placed = Assignment::new();
        c.bench_function("allocation/offers of losses", |b| {
            b.iter(|| problem.offers(black_box(&placed)).count())
        });
    }
    let hexes = Spec::new(10).slot(Slot::between(4, 6).contiguous()).slot(Slot::any());
    if let Ok(problem) = hexes.neighbours(|a, b| b - a == 1 || b - a == 3).check() {
        let mut placed = Assignment::new();
        placed.place(4, 0);
        c.bench_function("allocation/offers of contiguous hexes", |b| {
            b.iter(|| problem.offers(black_box(&placed)).count())
        });
    }
}

criterion_group!(parts, tables, chance, handles, allocation);
criterion_main!(parts);

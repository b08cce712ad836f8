//! What whole games cost as packs: random decisions, and playouts of breakthrough.

use adjutant::Pack;
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::{Action, State, Worker};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A table that plays random decisions for ever.
struct Player {
    game: Pack,
    worker: Worker,
    state: Option<State>,
    seed: u64,
    list: Vec<Action>,
}

impl Player {
    fn open(name: &str) -> Option<Self> {
        let game = pack_games::open(name).ok()?;
        let worker = game.rules().worker();
        Some(Self { game, worker, state: None, seed: 1, list: Vec::new() })
    }

    fn random(&mut self) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) as usize
    }

    /// One decision; whether the game goes on.
    fn decide(&mut self) -> bool {
        let key = Key::from_seed(self.random() as u64);
        let rb = std::sync::Arc::clone(self.game.rulebook());
        let pick = self.random();
        let state = match &mut self.state {
            Some(state) => state,
            None => match flow::start(&rb, &mut self.worker, &mut Sink::off(), key, 0) {
                Ok(state) => self.state.insert(state),
                Err(_) => return false,
            },
        };
        let Some(asked) = flow::asked(state) else {
            self.state = None;
            return false;
        };
        let seat = asked.seats[pick % asked.seats.len()];
        let offered = flow::offers(&rb, &self.worker, state, seat, &mut self.list);
        if offered.is_err() || self.list.is_empty() {
            return false;
        }
        let action = self.list[(pick >> 8) % self.list.len()];
        flow::act(&rb, &mut self.worker, &mut Sink::off(), state, seat, &action).is_ok()
    }
}

fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("decisions");
    group.throughput(Throughput::Elements(1));
    for name in ["breakthrough", "phantom", "duel", "skirmish", "picket-line"] {
        let Some(mut player) = Player::open(name) else { continue };
        group.bench_function(name, |b| b.iter(|| player.decide()));
    }
    group.finish();
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    if let Some(mut player) = Player::open("breakthrough") {
        group.bench_function("breakthrough", |b| b.iter(|| while player.decide() {}));
    }
    group.finish();
}

criterion_group!(packs, games);
criterion_main!(packs);

//! Games of random players for tests of saves and replays.
#![allow(dead_code, unreachable_pub, clippy::expect_used)]

#[path = "../../../kernel/tests/scouts/mod.rs"]
pub mod scouts;

use std::sync::Arc;

use adjutant::kernel::{Rulebook, SeatId};
use adjutant::{Game, Random, Setup};

/// A game that has just begun.
pub fn begin(rb: &Arc<Rulebook>, seed: u64) -> Game {
    let options = if seed.is_multiple_of(2) { vec!["windy".to_owned()] } else { Vec::new() };
    Game::start(rb, Setup { options, seed: 0x5eed_0000_0000 + seed, ..Setup::default() }).expect("it begins")
}

/// Somebody does something: decides, takes back, or the umpire fixes a die. `false` when the game has ended.
pub fn step(game: &mut Game, random: &mut Random) -> bool {
    if game.ended() {
        return false;
    }
    let rb = Arc::clone(game.rulebook());
    match random.below(24) {
        0 => game.force("challenge", 1 + random.below(6) as i32).expect("a die is fixed"),
        1 => game.skip("sc:1").expect("a rule is skipped"),
        2..6 => {
            let seats: Vec<SeatId> = rb.seat_ids().filter(|s| game.may_undo(*s)).collect();
            if let Some(&seat) = random.pick(&seats) {
                game.undo(seat).expect("it may be taken back");
            }
        }
        _ => {
            let offered: Vec<(SeatId, _)> = rb
                .seat_ids()
                .flat_map(|seat| game.offers(seat).into_iter().map(move |action| (seat, action)))
                .collect();
            let (seat, action) = random.pick(&offered).expect("something is offered").clone();
            game.act(seat, None, &action).expect("what is offered is accepted");
        }
    }
    true
}

/// A game of so many steps, or a whole one.
pub fn play(rb: &Arc<Rulebook>, seed: u64, steps: usize) -> Game {
    let (mut game, mut random) = (begin(rb, seed), Random::new(seed));
    for _ in 0..steps {
        if !step(&mut game, &mut random) {
            break;
        }
    }
    game
}

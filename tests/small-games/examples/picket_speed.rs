//! Random decisions a second on a bare state: `cargo run --release -p small-games --example picket_speed -- 2000`.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;
use std::time::Instant;

use adjutant::kernel::chance::Key;
use adjutant::{Random, Sim};
use small_games::picket::{Variant, rulebook};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games: u64 = std::env::args().nth(1).map_or(Ok(2000), |n| n.parse())?;
    let rulebook = Arc::new(rulebook(&Variant::default())?);
    let mut random = Random::new(1);
    let (begin, mut decisions) = (Instant::now(), 0u64);
    for seed in 0..games {
        let mut sim = Sim::start(&rulebook, Key::from_seed(seed), seed % 4)?;
        while sim.random_step(&mut random)? {
            decisions += 1;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{games} games, {decisions} decisions, {:.0} a second", decisions as f64 / seconds);
    Ok(())
}

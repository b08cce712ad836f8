//! The conformance suite over all small games.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;

use adjutant::verify::{Plan, Report, verify};
use small_games::catalogue::{GAMES, find};

fn conformance(name: &str, plan: &Plan) -> Report {
    let game = find(name).unwrap();
    let rulebook = Arc::new((game.rulebook)().unwrap());
    let begun = std::time::Instant::now();
    let report = verify(&rulebook, &Plan { checks: (game.checks)(), ..plan.clone() });
    println!("{report}\n  {:.1} s", begun.elapsed().as_secs_f32());
    report
}

#[test]
fn every_game_passes() {
    for game in GAMES {
        let report = conformance(game.name, &Plan { games: 6, threads: 2, ..Plan::default() });
        assert!(report.passed(), "{report}");
        assert_eq!(report.counts.games, report.counts.ended);
    }
}

/// The same at length: `VERIFY_GAMES` games (1,000 if it is not set) of each, or of `VERIFY_GAME` alone.
#[test]
#[ignore = "takes minutes"]
fn every_game_passes_at_length() {
    let number = |name: &str, otherwise: u32| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let plan = Plan {
        games: number("VERIFY_GAMES", 1_000),
        seed: u64::from(number("VERIFY_SEED", 1)),
        pairs: number("VERIFY_PAIRS", 3) as usize,
        threads: number("VERIFY_THREADS", 2) as usize,
        ..Plan::default()
    };
    let only = std::env::var("VERIFY_GAME").ok();
    for game in GAMES.iter().filter(|g| only.as_ref().is_none_or(|name| name == g.name)) {
        let report = conformance(game.name, &plan);
        assert!(report.passed(), "{report}");
    }
}

//! The conformance suite finds the deliberate faults of picket line, of games and of the kernel in random games.
#![cfg(feature = "mutants")]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;

use adjutant::verify::{Plan, verify};
use small_games::picket::{MUTANTS, Variant, rulebook};

/// What random play cannot find: a chit that was drawn too early looks like one drawn in time.
const UNSEEN: &str = "levy_at_setup";

/// Each in at most `VERIFY_GAMES` games (300 if it is not set); `VERIFY_MUTANT` picks one by number.
#[test]
#[ignore = "takes minutes"]
fn every_deliberate_fault_is_found() {
    let number = std::env::var("VERIFY_GAMES").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("VERIFY_MUTANT").ok();
    let plan = Plan { games: number.unwrap_or(300), threads: 2, stop: true, ..Plan::default() };
    let all = MUTANTS.iter().map(|(number, name, _)| (*number, *name)).filter(|(_, name)| *name != UNSEEN);
    let mut missed = Vec::new();
    for (number, name) in all.filter(|(n, _)| only.as_ref().is_none_or(|o| o == n)) {
        let variant = Variant { mutants: vec![name.to_owned()], ..Variant::default() };
        let begun = std::time::Instant::now();
        let report = verify(&Arc::new(rulebook(&variant).unwrap()), &plan);
        let seconds = begun.elapsed().as_secs_f32();
        match report.findings.first() {
            Some(finding) => {
                let text: String = finding.text.chars().take(300).collect();
                let games = report.counts.games;
                println!(
                    "{number} {name}: {} after {games} games, {seconds:.1} s: {text}\n",
                    finding.verdict
                );
            }
            None => {
                println!("{number} {name}: MISSED in {} games, {seconds:.1} s\n", report.counts.games);
                missed.push(number);
            }
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

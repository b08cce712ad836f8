//! The conformance suite finds the deliberate faults of picket line, of games and of the kernel in random games.
#![cfg(feature = "mutants")]

use std::sync::Arc;

use adjutant::verify::{Plan, verify};
use small_games::picket::{MUTANTS, Variant, rulebook};

/// Faults of the facade and the kernel, which no rulebook knows of.
const BELOW: &[(&str, &str)] = &[
    ("M10", "view_live"),
    ("M12", "version_counts_all"),
    ("M14", "undo_any"),
    ("M15", "fork_shows_commit"),
    ("M17", "undo_keeps_handles"),
    ("M34", "sample_ignores_told"),
    ("M35 key", "sample_keeps_key"),
    ("M35 values", "sample_keeps_values"),
    ("M35 decisions", "sample_keeps_decisions"),
    ("M36", "unseen_differs"),
    ("M37", "draft_to_partner"),
    ("M39", "handle_reuse"),
];

/// Each in at most `VERIFY_GAMES` games (300 if it is not set); `VERIFY_MUTANT` picks one by number.
#[test]
#[ignore = "takes minutes"]
fn every_deliberate_fault_is_found() {
    let number = std::env::var("VERIFY_GAMES").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("VERIFY_MUTANT").ok();
    let plan = Plan { games: number.unwrap_or(300), threads: 2, stop: true, ..Plan::default() };
    let all = MUTANTS.iter().map(|(number, name, _)| (*number, *name)).chain(BELOW.iter().copied());
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

//! Replays for a seat: all that it was shown and did, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod common;

use std::collections::BTreeSet;

use adjutant::kernel::{SeatId, Viewer};
use adjutant::{Game, Happened, Random, Replay};
use common::scouts::{Edition, rulebook};
use common::{begin, play, step};

/// All handles in a text of JSON values.
fn handles(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, inner) in map {
                match (key.as_str(), inner) {
                    ("handle" | "body" | "stack", serde_json::Value::String(text)) => {
                        found.insert(text.clone());
                    }
                    _ => handles(inner, found),
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|v| handles(v, found)),
        _ => {}
    }
}

#[test]
fn a_replay_has_what_the_seat_was_shown_and_did() {
    let rb = rulebook(Edition::default());
    for seed in 0..6 {
        let (mut game, mut random) = (begin(&rb, seed), Random::new(seed));
        while step(&mut game, &mut random) {}
        for seat in rb.seat_ids() {
            let replay = game.replay(seat);
            let shown: Vec<_> = replay
                .steps
                .iter()
                .filter_map(|s| match &s.what {
                    Happened::Shown(batch) => Some(batch.clone()),
                    _ => None,
                })
                .collect();
            assert_eq!(shown, game.log(seat));
            assert_eq!(replay.steps.last().map(|s| s.version), Some(game.version(seat)));
            assert!(replay.steps.windows(2).all(|w| w[0].version <= w[1].version));
            let name = &rb.seat(seat).name;
            let decided = game.journal().iter().filter(
                |e| matches!(e, adjutant::Entry::Act { seat, .. } | adjutant::Entry::Undo { seat } if seat == name),
            );
            let did = replay.steps.iter().filter(|s| !matches!(s.what, Happened::Shown(_)));
            assert_eq!(did.count(), decided.count());
            assert_eq!(serde_json::from_str::<Replay>(&replay.to_json()).expect("it is read"), replay);
        }
    }
}

#[test]
fn nothing_hidden_is_in_it() {
    let rb = rulebook(Edition::default());
    for seed in 0..8 {
        let game = play(&rb, seed, 400);
        let named = game.state().named(&rb);
        let secrets = [named.key.0.clone(), named.handles.0.clone(), game.setup().seed.to_string()];
        let all: Vec<(SeatId, String)> = rb.seat_ids().map(|s| (s, game.replay(s).to_json())).collect();
        let mut by_viewer: Vec<(Viewer, BTreeSet<String>)> = Vec::new();
        for (seat, text) in &all {
            for secret in &secrets {
                assert!(!text.contains(secret.as_str()));
            }
            for word in ["journal", "seed", "key", "snapshot", "frames"] {
                assert!(!text.contains(&format!("\"{word}\"")), "{word}");
            }
            let mut found = BTreeSet::new();
            handles(&serde_json::from_str(text).expect("JSON"), &mut found);
            if let Some(viewer) = rb.seat(*seat).viewer() {
                by_viewer.push((viewer, found));
            }
        }
        // No handle of another viewer: the handles of two are drawn apart (a few agree by chance).
        for (n, (_, mine)) in by_viewer.iter().enumerate() {
            for (_, other) in &by_viewer[n + 1..] {
                let both = mine.intersection(other).count();
                assert!(mine.len() > 5 && both <= 2, "{both} of {}", mine.len());
            }
        }
    }
}

/// A draft that another seat took back leaves no trace in a replay.
#[test]
fn drafts_of_others_are_not_in_it() {
    let rb = rulebook(Edition::default());
    let mut compared = 0;
    for seed in 0..40 {
        let mut game = play(&rb, seed, 12);
        let seats: Vec<SeatId> = rb.seat_ids().filter(|s| game.may_undo(*s)).collect();
        let Some(&seat) = seats.first() else { continue };
        let others: Vec<SeatId> = rb.seat_ids().filter(|s| *s != seat).collect();
        let before: Vec<Replay> = others.iter().map(|s| game.replay(*s)).collect();
        game.undo(seat).expect("it may");
        let after: Vec<Replay> = others.iter().map(|s| game.replay(*s)).collect();
        assert_eq!(before, after);
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn a_replay_from_a_snapshot_says_so() {
    let rb = rulebook(Edition::default());
    let game = play(&rb, 2, 50);
    let loaded = Game::load(&rb, &game.save_from_snapshot()).expect("it loads");
    let seat = SeatId(0);
    assert!(game.replay(seat).whole);
    let late = loaded.replay(seat);
    assert!(!late.whole);
    let whole = game.replay(seat).steps;
    assert!(whole.ends_with(&late.steps));
}

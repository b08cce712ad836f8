//! Whatever is done to a save, loading it gives a game or an error: thousands of mutations, always the same.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod common;

use std::sync::Arc;

use adjutant::kernel::Rulebook;
use adjutant::{Game, Random, Save};
use common::play;
use common::scouts::mutate::mutate;
use common::scouts::{Edition, rulebook};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

#[derive(Default, Debug)]
struct Counts {
    unread: u32,
    refused: u32,
    loaded: u32,
}

/// Tries a text; what loads must show and offer something to every seat, and be saved again.
fn attempt(rb: &Arc<Rulebook>, text: &str, counts: &mut Counts) {
    let Ok(save) = Save::from_json(text) else {
        counts.unread += 1;
        return;
    };
    let _ = Game::check_save(rb, &save);
    match Game::load(rb, &save) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            counts.refused += 1;
        }
        Ok(mut game) => {
            counts.loaded += 1;
            for seat in rb.seat_ids() {
                let _ = game.packet(seat);
                let _ = game.replay(seat);
            }
            let _ = game.fork_at(save.journal_from);
            assert!(Game::load(rb, &game.save_from_snapshot()).is_ok());
        }
    }
}

fn saves(rb: &Arc<Rulebook>, seed: u64) -> [Save; 3] {
    let game = play(rb, seed, 14 + 9 * (seed % 5) as usize);
    [game.save(), game.save_from_snapshot(), game.save_with_snapshot()]
}

#[test]
fn spoilt_bytes() {
    let (rb, mut random, mut counts) = (rulebook(Edition::default()), Random::new(1), Counts::default());
    for seed in 0..10 {
        for save in saves(&rb, seed) {
            let text = save.to_json().into_bytes();
            for _ in 0..130 {
                let mut spoilt = text.clone();
                for _ in 0..1 + random.below(3) {
                    let at = random.below(spoilt.len());
                    match random.below(6) {
                        0 => spoilt.truncate(at.max(1)),
                        1 => drop(spoilt.remove(at)),
                        2 => spoilt.insert(at, b"0{}[]\",:-9"[random.below(10)]),
                        3 => spoilt[at] = b'0' + random.below(10) as u8,
                        4 => spoilt[at] ^= 1 << random.below(8),
                        _ => {
                            let end = (at + random.below(200)).min(spoilt.len());
                            let part = spoilt[at..end].to_vec();
                            let to = random.below(spoilt.len());
                            spoilt.splice(to..to, part);
                        }
                    }
                }
                attempt(&rb, &String::from_utf8_lossy(&spoilt), &mut counts);
            }
        }
    }
    assert!(counts.unread > 500 && counts.refused > 50, "{counts:?}");
}

/// Changes of structure; the fingerprint of the snapshot is mended, so that what is in it is looked at.
#[test]
fn spoilt_structure() {
    let (rb, mut random, mut counts) = (rulebook(Edition::default()), Random::new(2), Counts::default());
    for seed in 0..10 {
        for save in saves(&rb, seed) {
            let value: Value = serde_json::from_str(&save.to_json()).expect("JSON");
            for _ in 0..130 {
                let mut spoilt = value.clone();
                for _ in 0..1 + random.below(3) {
                    mutate(&mut spoilt, &mut |n| random.below(n));
                }
                if let Ok(mut save) = serde_json::from_value::<Save>(spoilt.clone()) {
                    if let Some(snapshot) = &mut save.snapshot {
                        let json = serde_json::to_vec(&snapshot.state).expect("JSON");
                        snapshot.fingerprint =
                            Sha256::digest(&json).iter().map(|b| format!("{b:02x}")).collect();
                    }
                    attempt(&rb, &save.to_json(), &mut counts);
                } else {
                    attempt(&rb, &spoilt.to_string(), &mut counts);
                }
            }
        }
    }
    assert!(counts.unread > 300 && counts.refused > 500, "{counts:?}");
}

/// Deep nesting and great numbers.
#[test]
fn monsters() {
    let (rb, mut counts) = (rulebook(Edition::default()), Counts::default());
    let text = play(&rb, 1, 40).save_with_snapshot().to_json();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    attempt(&rb, &deep, &mut counts);
    attempt(&rb, &text.replacen("\"journal\": [", &format!("\"journal\": [{deep},"), 1), &mut counts);
    for (from, to) in [
        ("\"entries\": ", "\"entries\": 1844674407370955161"),
        ("\"drawn\": ", "\"drawn\": 99999999"),
        ("\"format\": 1", "\"format\": 18446744073709551615"),
        ("\"format\": 1", "\"format\": -1"),
    ] {
        attempt(&rb, &text.replacen(from, to, 1), &mut counts);
    }
    let mut save = Save::from_json(&text).expect("it is read");
    save.journal_from = usize::MAX;
    assert!(Game::load(&rb, &save).is_err() && Game::check_save(&rb, &save).is_err());
    if let Some(snapshot) = &mut save.snapshot {
        snapshot.entries = usize::MAX;
    }
    assert!(Game::load(&rb, &save).is_err() && Game::check_save(&rb, &save).is_err());
    assert_eq!(counts.loaded, 0, "{counts:?}");
}

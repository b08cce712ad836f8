//! Playthroughs of the small games are what they were: see `golden/`. A change that is meant is written with
//! `UPDATE_GOLDEN=1`.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use adjutant::verify::Golden;
use adjutant::{Game, Random, Setup};
use small_games::catalogue::{GAMES, find};

fn golden(name: &str) -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name))
}

#[test]
fn playthroughs_are_what_they_were() {
    for game in GAMES {
        let rulebook = Arc::new((game.rulebook)().unwrap());
        let golden = golden(game.name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            golden.update(&rulebook).unwrap();
        }
        let changed = golden.compare(&rulebook).unwrap();
        assert!(changed.is_empty(), "{}: {changed:#?}", game.name);
    }
}

#[test]
fn what_differs_is_named_by_file_and_line() {
    let rulebook = Arc::new((find("phantom").unwrap().rulebook)().unwrap());
    let folder = std::env::temp_dir().join(format!("adjutant-golden-{}", std::process::id()));
    let own = Golden { folder: folder.clone(), games: 1, ..golden("phantom") };
    let missing = own.compare(&rulebook).unwrap();
    assert_eq!((missing.len(), missing[0].line), (1, 0));
    own.update(&rulebook).unwrap();
    assert_eq!(own.compare(&rulebook).unwrap(), []);

    let file = folder.join("1.txt");
    let text = std::fs::read_to_string(&file).unwrap();
    let third = text.lines().nth(2).unwrap();
    std::fs::write(&file, text.replacen(third, "something else", 1)).unwrap();
    let changed = own.compare(&rulebook).unwrap();
    assert_eq!((changed[0].line, changed[0].expected.as_str()), (3, "something else"));
    assert_eq!(changed[0].found, third);
    // Other dice lead elsewhere.
    std::fs::write(&file, text).unwrap();
    assert!(!Golden { seed: 2, ..own }.compare(&rulebook).unwrap().is_empty());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Each game tells what was done, not only the kernel's details.
#[test]
fn every_game_tells_its_story() {
    for (name, told) in [
        ("breakthrough", "moves"),
        ("phantom", "marked"),
        ("duel", "bids"),
        ("skirmish", "march"),
        ("picket-line", "set_up"),
    ] {
        let rulebook = Arc::new((find(name).unwrap().rulebook)().unwrap());
        let mut game = Game::start(&rulebook, Setup::default()).unwrap();
        let mut random = Random::new(1);
        for _ in 0..80 {
            let seats = rulebook.seat_ids().filter(|&s| !game.offers(s).is_empty()).collect::<Vec<_>>();
            let Some(&seat) = random.pick(&seats) else { break };
            let offers = game.offers(seat);
            game.act(seat, None, random.pick(&offers).unwrap()).unwrap();
        }
        let watcher = rulebook.seat_named("spectator").unwrap_or_default();
        let events = game.log(watcher).iter().flatten().filter(|e| !e.detail);
        let names: BTreeSet<&str> = events.map(|e| e.event.as_str()).collect();
        assert!(names.contains(told), "{name}: {names:?}");
    }
}

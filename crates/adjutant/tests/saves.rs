//! Saves with and without snapshots, their check, old formats, forks.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod common;

use adjutant::kernel::SeatId;
use adjutant::{Entry, Game, Incompatible, Random, Save, Setup};
use common::scouts::{Edition, rulebook};
use common::{begin, play, step};

fn packets(game: &mut Game) -> Vec<adjutant::Packet> {
    let seats: Vec<SeatId> = game.rulebook().seat_ids().collect();
    seats.into_iter().map(|seat| game.packet(seat)).collect()
}

/// Through JSON, as a file would.
fn through_json(save: &Save) -> Save {
    let read = Save::from_json(&save.to_json()).expect("what was written is read");
    assert_eq!(read, *save);
    read
}

#[test]
fn snapshots_lead_to_the_same_game_at_every_entry() {
    let rb = rulebook(Edition::default());
    let (mut drafts, mut replaced) = (0, 0);
    for seed in 0..12 {
        let (mut game, mut random) = (begin(&rb, seed), Random::new(seed));
        while step(&mut game, &mut random) {
            for save in [game.save_from_snapshot(), game.save_with_snapshot()] {
                let mut loaded = Game::load(&rb, &through_json(&save)).expect("it loads");
                assert_eq!(loaded.state(), game.state());
                assert_eq!(packets(&mut loaded), packets(&mut game));
                assert_eq!(loaded.entries(), game.entries());
                let snapshot = save.snapshot.as_ref().expect("it has one");
                assert_eq!(loaded.log_from(), snapshot.entries);
                drafts += usize::from(snapshot.entries < game.entries());
            }
            let cut = game.save_from_snapshot();
            replaced += cut.journal_from;
            assert_eq!(cut.journal_from + cut.journal.len(), game.entries());
            // Whoever may undo, may undo after loading, with the same result.
            let mut loaded = Game::load(&rb, &cut).expect("it loads");
            if let Some(seat) = rb.seat_ids().find(|s| game.may_undo(*s)) {
                let mut game = game.branch_off();
                assert!(loaded.may_undo(seat));
                game.undo(seat).expect("it may");
                loaded.undo(seat).expect("it may");
                assert_eq!(loaded.state(), game.state(), "seed {seed}");
            }
        }
    }
    assert!(drafts > 300 && replaced > 1_000, "{drafts} {replaced}");
}

#[test]
fn a_game_from_a_snapshot_is_saved_with_it() {
    let rb = rulebook(Edition::default());
    let game = play(&rb, 4, 60);
    let mut loaded = Game::load(&rb, &game.save_from_snapshot()).expect("it loads");
    let mut random = Random::new(9);
    for _ in 0..10 {
        step(&mut loaded, &mut random);
    }
    let again = Game::load(&rb, &through_json(&loaded.save())).expect("it loads");
    assert_eq!(again.state(), loaded.state());
    assert_eq!(again.log_from(), loaded.log_from());
    assert!(loaded.journal_from() > 0);
    let refused = Game::check_save(&rb, &loaded.save()).expect_err("the beginning is lost");
    assert!(matches!(refused, Incompatible::NoEntry { .. }), "{refused}");
}

#[test]
fn a_sound_save_is_found_sound() {
    let rb = rulebook(Edition::default());
    for seed in 0..8 {
        let game = play(&rb, seed, 30 + 20 * seed as usize);
        let checked = Game::check_save(&rb, &game.save_with_snapshot()).expect("it is sound");
        assert_eq!(checked.entries, game.entries());
        assert!(checked.snapshot.is_some());
        assert_eq!(Game::check_save(&rb, &game.save()).expect("it is sound").snapshot, None);
        // A snapshot in the middle, and the journal past it.
        let early = play(&rb, seed, 15).save_with_snapshot().snapshot;
        let mut save = game.save();
        save.snapshot = early.clone();
        assert_eq!(Game::check_save(&rb, &save).expect("it is sound").snapshot, early.map(|s| s.entries));
        assert_eq!(Game::load(&rb, &save).expect("it loads").state(), game.state());
    }
}

#[test]
fn the_first_entry_that_differs_is_named() {
    let rb = rulebook(Edition::default());
    let game = play(&rb, 2, 80);
    let (good, other) = (play(&rb, 2, 40).save_with_snapshot(), play(&rb, 3, 40).save_with_snapshot());
    // Another game's snapshot.
    let mut save = game.save();
    let mut foreign = other.snapshot.clone().expect("it has one");
    let entries = good.snapshot.as_ref().expect("it has one").entries;
    foreign.entries = entries;
    save.snapshot = Some(foreign);
    match Game::check_save(&rb, &save) {
        Err(Incompatible::Differs { number, what }) => {
            assert_eq!(number, entries);
            assert!(what.contains("[0].bodies.Amber"), "{what}");
        }
        other => panic!("{other:?}"),
    }
    // A damaged one.
    let mut save = good.clone();
    if let Some(snapshot) = &mut save.snapshot {
        snapshot.state.draws.public += 1;
    }
    assert_eq!(Game::load(&rb, &save).expect_err("it is damaged"), Incompatible::Damaged);
    // An entry that cannot be carried out.
    let mut save = game.save();
    save.journal[7] = Entry::Undo { seat: "nobody".to_owned() };
    assert!(matches!(Game::check_save(&rb, &save), Err(Incompatible::Entry { number: 8, .. })));
    // Another end.
    let mut save = game.save();
    save.fingerprint = other.fingerprint;
    assert!(matches!(Game::check_save(&rb, &save), Err(Incompatible::Diverged { .. })));
}

/// Saves are by names throughout: rules in which everything has another number read them, and lead to the same.
#[test]
fn saves_are_read_by_rules_in_another_order() {
    let (old, new) = (rulebook(Edition::default()), rulebook(Edition { reordered: true, renamed: false }));
    for seed in 0..6 {
        let game = play(&old, seed, 70);
        let saves = [game.save(), game.save_from_snapshot(), game.save_with_snapshot()];
        let digests =
            saves.map(|save| Game::load(&new, &through_json(&save)).expect("it loads").save().fingerprint);
        assert!(digests.iter().all(|d| *d == game.save().fingerprint));
        assert!(Game::check_save(&new, &game.save_with_snapshot()).is_ok());
    }
    let renamed = rulebook(Edition { reordered: false, renamed: true });
    let error = Game::load(&renamed, &play(&old, 1, 70).save_from_snapshot()).expect_err("a name is missing");
    assert!(error.to_string().contains("there is no piece `Amber Horse`"), "{error}");
}

#[test]
fn old_formats_are_brought_up_to_date() {
    let rb = rulebook(Edition::default());
    let save = play(&rb, 1, 30).save();
    let mut old: serde_json::Value = serde_json::from_str(&save.to_json()).expect("JSON");
    let map = old.as_object_mut().expect("an object");
    let journal = map.remove("journal").expect("the journal");
    map.insert("moves".to_owned(), journal);
    map.insert("format".to_owned(), 0.into());
    assert_eq!(Save::from_json(&old.to_string()).expect("format 0 is known"), save);
    old["format"] = 2.into();
    assert!(matches!(Save::from_json(&old.to_string()), Err(Incompatible::Format { found: 2, known: 1 })));
}

#[test]
fn a_fork_is_the_game_as_it_was() {
    let rb = rulebook(Edition::default());
    for seed in 0..6 {
        let (mut game, mut random) = (begin(&rb, seed), Random::new(seed));
        let mut marks = vec![(0, game.digest())];
        while step(&mut game, &mut random) {
            marks.push((game.entries(), game.digest()));
        }
        for (entries, digest) in &marks {
            let fork = game.fork_at(*entries).expect("it is known");
            assert_eq!((fork.entries(), fork.digest()), (*entries, *digest));
        }
        let too_far = game.fork_at(game.entries() + 1).expect_err("there is no such entry");
        assert!(too_far.to_string().contains("is not known"), "{too_far}");
        // Of a game from a snapshot only what comes after it can be had again.
        let half = game.fork_at(game.entries() / 2).expect("it is known").save_from_snapshot();
        let half = Game::load(&rb, &half).expect("it loads");
        let from = half.log_from();
        for (entries, digest) in marks.iter().filter(|(n, _)| (from..=half.entries()).contains(n)) {
            assert_eq!(half.fork_at(*entries).expect("it is known").digest(), *digest);
        }
        assert!(matches!(half.fork_at(from - 1), Err(Incompatible::NoEntry { .. })));
        // With the whole journal at hand there is no such limit.
        let both = Game::load(&rb, &game.save_with_snapshot()).expect("it loads");
        assert_eq!(both.fork_at(marks[3].0).expect("it is known").digest(), marks[3].1);
    }
}

#[test]
fn what_a_save_says_is_cut_to_what_a_message_needs() {
    let (pack, mut save) = saved_ford();
    save.title = "x".repeat(1_000_000);
    let error = Game::load(&pack, &save).unwrap_err().to_string();
    assert!(error.contains("xxx..`") && error.len() < 300, "{} letters", error.len());
}

/// Names are numbers inside: a save of other names is of other rules, whatever else it states.
#[test]
fn a_save_of_other_names_is_refused() {
    let (pack, mut save) = saved_ford();
    save.rulebook = "zz".to_owned();
    let error = Game::load(&pack, &save).unwrap_err().to_string();
    assert!(error.contains("the names that the rules declare have fingerprint"), "{error}");
    assert!(error.ends_with("the save has zz"), "{error}");
    assert!(Game::upgrade(&pack, &save).is_ok(), "by whoever means to");
}

fn saved_ford() -> (adjutant::Pack, Save) {
    let ford = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs/ford");
    let pack = adjutant::Pack::open(ford).unwrap();
    let save = Game::start(&pack, Setup::default()).unwrap().save();
    assert!(Game::load(&pack, &save).is_ok());
    (pack, save)
}

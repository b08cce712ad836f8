//! Snapshots by names: round trips of whatever random play comes to, and what is said of bad ones.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod scouts;

use std::collections::{BTreeMap, BTreeSet};

use adjutant_kernel::chance::{ChanceCache, Key, below};
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::state::named::NamedStatus;
use adjutant_kernel::state::{NamedState, State};
use adjutant_kernel::{Rulebook, Viewer, Worker};
use scouts::mutate::mutate;
use scouts::{Edition, rulebook};

/// A seeded source of random words.
struct Words(Key, ChanceCache, u32);

impl Words {
    fn new(seed: u64) -> Self {
        Self(Key::from_seed(seed).derive("test"), ChanceCache::new(), 0)
    }

    fn word(&mut self) -> u64 {
        self.2 += 1;
        self.1.word(&self.0, 0, self.2)
    }

    fn below(&mut self, n: usize) -> usize {
        below(self.word(), n as u32) as usize
    }
}

/// Calls `look` with every state of a game of random players.
fn play(rb: &Rulebook, seed: u64, look: &mut dyn FnMut(&State, &mut Words)) {
    let (mut worker, mut words) = (Worker::new().checking(), Words::new(seed));
    let mut st =
        flow::start(rb, &mut worker, &mut Sink::off(), Key::from_seed(seed), seed % 4).expect("it begins");
    let mut list = Vec::new();
    loop {
        if words.below(8) == 0 {
            st.force(rb.table_named("challenge").expect("the table"), 1 + words.below(2) as i32);
        }
        if words.below(40) == 0 {
            st.skip(rb.rule_named("sc:1").expect("the rule"));
        }
        look(&st, &mut words);
        let Some((seat, _)) = flow::pick_asked(&st, &mut |n| words.below(n)) else { return };
        flow::offers(rb, &worker, &st, seat, &mut list).expect("offers");
        let action = list[words.below(list.len())];
        flow::act(rb, &mut worker, &mut Sink::off(), &mut st, seat, &action).expect("it goes on");
    }
}

fn json(named: &NamedState) -> String {
    serde_json::to_string(named).expect("names have a JSON form")
}

#[test]
fn every_state_of_random_play_comes_back() {
    let rb = rulebook(Edition::default());
    let (mut states, mut kinds) = (0, BTreeSet::new());
    for seed in 0..60 {
        play(&rb, seed, &mut |st, _| {
            let named = st.named(&rb);
            let again: NamedState = serde_json::from_str(&json(&named)).expect("the JSON is read");
            assert_eq!(again, named);
            assert_eq!(again.state(&rb).expect("it is sound"), *st);
            assert_eq!(st.round_trip(&rb), Ok(()));
            states += 1;
            // What the states had in them, so that nothing goes untested.
            let mut has = |what: &'static str, yes: bool| yes.then(|| kinds.insert(what));
            has("command", !named.commands.is_empty());
            has("closed stack", !named.closed_stacks.is_empty());
            has("told", !named.told.is_empty());
            has("skipped", !named.skipped.is_empty());
            has("forced", !named.forced.is_empty());
            has("record", !named.records.is_empty());
            has("committed", named.frames.iter().any(|f| f.status == NamedStatus::Committed));
            has("outcome", named.outcome.is_some());
            has("fresh", named.frames.iter().any(|f| f.fresh.is_some()));
            has("candidates", named.knowledge.public.candidates.values().any(|c| c.len() > 1));
            has("up", named.bodies.iter().any(|(n, b)| b.up && !n.ends_with("General")));
            has("option", !named.options.is_empty());
            for column in named.columns.keys() {
                kinds.insert(match column.as_str() {
                    "turn" => "of the game",
                    "vp" => "of sides",
                    "pressed" => "of seats",
                    "weary" => "of pieces",
                    "marched" => "of bodies",
                    "held" => "of spaces",
                    "seen" => "of spaces by side",
                    "used" => "of links",
                    "high" => "of borders",
                    "turned" => "of choices",
                    other => panic!("unexpected column {other}"),
                });
            }
        });
    }
    assert!(states > 1_500, "{states} states");
    assert_eq!(kinds.len(), 22, "{kinds:?}");
}

#[test]
fn sampled_worlds_come_back() {
    let rb = rulebook(Edition::default());
    let (mut worker, mut exchanged) = (Worker::new(), 0);
    for seed in 100..110 {
        play(&rb, seed, &mut |st, words| {
            for viewer in rb.viewers() {
                let key = Key::from_seed(words.word());
                let world = flow::determinize(&rb, &mut worker, st, viewer, key, &mut || words.word());
                let world = world.expect("a world");
                assert_eq!(world.round_trip(&rb), Ok(()), "for {viewer:?}");
                exchanged += usize::from(world.named(&rb).bodies.values().any(|b| b.of.is_some()));
            }
        });
    }
    assert!(exchanged > 100, "{exchanged} worlds with exchanged pieces");
}

/// A snapshot outlives rules in which everything has another number: the game goes on the same.
#[test]
fn a_snapshot_is_read_by_rules_in_another_order() {
    let (old, new) = (rulebook(Edition::default()), rulebook(Edition { reordered: true, renamed: false }));
    for seed in 0..10 {
        play(&old, seed, &mut |st, _| {
            let named = st.named(&old);
            let moved = named.state(&new).expect("all names are known");
            assert_eq!(moved.named(&new), named);
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for seat in old.seat_ids() {
                flow::offers(&old, &Worker::new(), st, seat, &mut a).expect("offers");
                flow::offers(&new, &Worker::new(), &moved, seat, &mut b).expect("offers");
                assert_eq!(a.len(), b.len());
            }
        });
    }
}

#[test]
fn what_is_wrong_is_said_all_at_once() {
    let rb = rulebook(Edition::default());
    let mut kept = None;
    for seed in 0..20 {
        play(&rb, seed, &mut |st, _| {
            let rich = st.named(&rb);
            if rich.frames.len() > 1 && !rich.records.is_empty() {
                kept.get_or_insert(rich);
            }
        });
    }
    let mut bad = kept.expect("a state in the middle of a game");
    bad.key.0.pop();
    bad.options.push("nihgt".to_owned());
    let ash = bad.bodies.remove("Amber Horse").expect("it is there");
    bad.bodies.insert("Amber Hrose".to_owned(), ash);
    bad.records[0].relation = "riad".to_owned();
    bad.phase = Some("mrach".to_owned());
    bad.knowledge.sides.remove("blue");
    bad.draws.public = u32::MAX;
    bad.columns.insert("turn".to_owned(), BTreeMap::from([("game".to_owned(), 77.into_value())]));
    bad.frames[0].parent = Some(9);
    let problems = bad.state(&rb).expect_err("much is wrong");
    let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
    for expected in [
        "key: it is no key; it should be 64 hexadecimal digits",
        "options: there is no option `nihgt`; did you mean `night`?",
        "bodies/Amber Hrose: there is no piece `Amber Hrose`; did you mean `Amber Horse`?",
        "bodies: there is no body of `Amber Horse`; every piece of the rules has one",
        "records/0: there is no relation `riad`; did you mean `raid`?",
        "phase: there is no word `mrach`; did you mean `march`?",
        "knowledge/sides: side `blue` is missing; every side has its own",
        "draws/public: 4294967295 draws; it should be 1073741824 at most",
        "columns/turn/game: found 77; it should be a number from 0 to 9",
        "frames/0/parent: 9 comes later; a frame comes after the one that called it",
    ] {
        assert!(text.iter().any(|t| t == expected), "{expected}\nis not in\n{}", text.join("\n"));
    }
}

trait IntoValue {
    fn into_value(self) -> adjutant_kernel::state::named::NamedValue;
}

impl IntoValue for i32 {
    fn into_value(self) -> adjutant_kernel::state::named::NamedValue {
        adjutant_kernel::state::named::NamedValue::Number(self)
    }
}

#[test]
fn a_renamed_piece_is_missed_wherever_it_is_named() {
    let (old, new) = (rulebook(Edition::default()), rulebook(Edition { reordered: false, renamed: true }));
    play(&old, 5, &mut |st, _| {
        let problems = st.named(&old).state(&new).expect_err("a name is missing");
        assert!(problems.iter().all(|p| p.to_string().contains("Amber H")), "{problems:?}");
        assert!(problems.len() >= 3, "body, place and handles: {problems:?}");
    });
}

/// Whatever is done to the JSON of a snapshot, it makes an error or a state with which everything works.
#[test]
fn mutated_snapshots_never_panic() {
    let rb = rulebook(Edition::default());
    let (mut sound, mut unsound, mut unread) = (0, 0, 0);
    for seed in 0..6 {
        play(&rb, seed, &mut |st, words| {
            let value = serde_json::to_value(st.named(&rb)).expect("JSON");
            for _ in 0..12 {
                let mut mutant = value.clone();
                for _ in 0..1 + words.below(2) {
                    mutate(&mut mutant, &mut |n| words.below(n));
                }
                let Ok(named) = serde_json::from_value::<NamedState>(mutant) else {
                    unread += 1;
                    continue;
                };
                match named.state(&rb) {
                    Err(problems) => {
                        assert!(!problems.is_empty());
                        unsound += 1;
                    }
                    Ok(mut state) => {
                        sound += 1;
                        go_on(&rb, &mut state, words);
                    }
                }
            }
        });
    }
    assert!(sound > 100 && unsound > 300 && unread > 300, "{sound} {unsound} {unread}");
}

/// Views, names and random play from a state that a mutated snapshot made: faults are possible, panics not.
fn go_on(rb: &Rulebook, st: &mut State, words: &mut Words) {
    st.round_trip(rb).expect("what was read is sound");
    let mut ciphers = adjutant_kernel::view::Ciphers::default();
    for seat in rb.seat_ids() {
        let viewer: Option<Viewer> = rb.seat(seat).viewer();
        let names = adjutant_kernel::view::Names::new(
            st.ciphers(rb, &mut ciphers),
            adjutant_kernel::Read::new(rb, st),
        );
        let view = adjutant_kernel::view::view(&names, viewer, Some(seat));
        assert!(serde_json::to_string(&view).is_ok());
    }
    let mut worker = Worker::new().checking();
    let mut list = Vec::new();
    for _ in 0..6 {
        let Some((seat, _)) = flow::pick_asked(st, &mut |n| words.below(n)) else { return };
        if flow::offers(rb, &worker, st, seat, &mut list).is_err() || list.is_empty() {
            return;
        }
        let action = list[words.below(list.len())];
        if flow::act(rb, &mut worker, &mut Sink::on(), st, seat, &action).is_err() {
            return;
        }
    }
}

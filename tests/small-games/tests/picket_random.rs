//! Random players play picket line to its end.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant::kernel::chance::Key;
use adjutant::kernel::flow::{self, Sink};
use adjutant::kernel::{Action, Rulebook, Worker};
use adjutant::{Random, Sim};
use small_games::picket::{Variant, rulebook};

fn plain() -> Arc<Rulebook> {
    Arc::new(rulebook(&Variant::default()).unwrap())
}

/// Plays one game, `done` taken less often than its share, everything checked after every step.
fn play(rulebook: &Rulebook, seed: u64, verbs: &mut BTreeMap<String, u32>) -> u32 {
    let mut worker = Worker::new().checking();
    let mut random = Random::new(seed);
    let mut sink = if seed.is_multiple_of(8) { Sink::on() } else { Sink::off() };
    let mut state = flow::start(rulebook, &mut worker, &mut sink, Key::from_seed(seed), seed % 4).unwrap();
    let done = rulebook.word_named("done").unwrap();
    let mut list: Vec<Action> = Vec::new();
    for n in 0..2000 {
        let Some((seat, _)) = flow::pick_asked(&state, &mut |n| random.below(n)) else {
            assert!(state.outcome().is_some());
            return n;
        };
        flow::offers(rulebook, &worker, &state, seat, &mut list).unwrap();
        let ends = list.last().is_some_and(|action| action.verb == done);
        if list.len() > 1 && ends && random.percent(75) {
            list.pop();
        }
        let action = list[random.below(list.len())];
        assert_eq!(flow::judge(rulebook, &worker, &state, seat, &action).unwrap(), Some(Ok(())));
        *verbs.entry(rulebook.word(action.verb).to_owned()).or_default() += 1;
        let result = flow::act(rulebook, &mut worker, &mut sink, &mut state, seat, &action);
        result.unwrap_or_else(|fault| panic!("seed {seed}, decision {n}, {action:?}: {fault}"));
        sink.take();
    }
    panic!("seed {seed} does not end");
}

#[test]
fn random_games_end_and_every_verb_occurs() {
    let rulebook = plain();
    let mut verbs = BTreeMap::new();
    let mut lengths: Vec<u32> = (0..400).map(|seed| play(&rulebook, seed, &mut verbs)).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(lengths[0] > 150 && lengths[lengths.len() - 1] < 700, "{lengths:?}");
    assert!((310..380).contains(&median), "median {median}");
    for verb in [
        "place",
        "hide",
        "return",
        "raise",
        "march",
        "press",
        "probe",
        "intercept",
        "decline",
        "block",
        "attack",
        "search",
        "deploy",
        "order",
        "lose",
        "retreat",
        "falter",
        "rest",
        "done",
    ] {
        assert!(verbs.contains_key(verb), "nobody did {verb}: {verbs:?}");
    }
}

/// Uniform random decisions on the bare state, and the states of the end compared: the same seed gives the same
/// game.
#[test]
fn the_same_seed_gives_the_same_game() {
    let rulebook = plain();
    let play = |seed| {
        let mut sim = Sim::start(&rulebook, Key::from_seed(seed), seed % 4).unwrap();
        let mut random = Random::new(seed);
        while sim.random_step(&mut random).unwrap() {}
        sim.state().digest()
    };
    for seed in 0..20 {
        assert_eq!(play(seed), play(seed));
    }
}

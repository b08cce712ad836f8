//! Random games: no dead end, no broken invariant.

use std::collections::HashMap;

use adjutant::Random;

use super::*;
use crate::skirmish::field::Field;
use crate::skirmish::{BLUE, RED};

/// What must hold whenever somebody is asked.
fn check(play: &Play) {
    let read = play.read();
    let (_, prompt) = play.asked();
    // sk:2.b: a third unit only while whom it displaces retreats.
    let most = if prompt == "retreat" { 3 } else { 2 };
    for hex in (0..play.rulebook.board().space_count() as u16).map(SpaceId) {
        let (blue, red) = (read.bodies_of(BLUE, hex).count(), read.bodies_of(RED, hex).count());
        assert!(blue.max(red) <= most, "sk:2.b: {blue} blue and {red} red at {prompt}");
        assert!(blue == 0 || red == 0, "sk:2.c");
    }
    for body in bodies() {
        let on_map = read.space(body).is_some();
        assert_eq!(on_map, read.get(play.game.columns.steps, body) > 0, "units without steps are away");
    }
    for side in [BLUE, RED] {
        let lost: i32 = bodies()
            .filter(|&b| play.game.unit(b).side == side)
            .map(|b| play.game.unit(b).steps() - read.get(play.game.columns.steps, b))
            .sum();
        let morale = play.game.scenario.morale[side.index()] - lost;
        assert_eq!(play.morale(side), morale.max(0), "sk:9.a");
        // What is worked out at once equals what is asked hex by hex.
        let seen = play.seen(side);
        let field = Field::of(&play.game, &seen);
        for hex in (0..play.rulebook.board().space_count() as u16).map(SpaceId) {
            let zone = field.zone[side.index()].has(hex);
            assert_eq!(zone, play.game.in_zone(&seen, side, hex), "sk:4.a");
        }
    }
}

fn play_out(play: &mut Play, seed: u64, thorough: bool, prompts: &mut HashMap<String, u32>) -> String {
    let mut random = Random::new(seed);
    play.restart(seed);
    let mut list = Vec::new();
    for _ in 0..2_000 {
        if thorough {
            check(play);
        }
        let Some(asked) = flow::asked(&play.state) else { break };
        let seat = asked.seats[0];
        *prompts.entry(play.rulebook.word(asked.prompt).to_owned()).or_default() += 1;
        flow::offers(&play.rulebook, &play.worker, &play.state, seat, &mut list).unwrap();
        let action = *random.pick(&list).unwrap();
        flow::act(&play.rulebook, &mut play.worker, &mut Sink::off(), &mut play.state, seat, &action)
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    }
    let outcome = play.state.outcome().unwrap_or_else(|| panic!("seed {seed} does not end"));
    play.rulebook.rule(outcome.rule.unwrap()).to_owned()
}

/// sk:6.c, sk:8, sk:9: two thousand games, each to its end, without a dead end or fault.
#[test]
fn two_thousand_random_games_end() {
    let (mut ends, mut prompts) = (HashMap::new(), HashMap::new());
    let mut play = Play::with(Scenario::default(), |_| ());
    for seed in 0..2_000 {
        let rule = play_out(&mut play, seed, seed % 20 == 0, &mut prompts);
        *ends.entry(rule).or_insert(0) += 1;
    }
    for rule in ["sk:9.a", "sk:9.b"] {
        assert!(ends.contains_key(rule), "no game ended by {rule}: {ends:?}");
    }
    for prompt in ["march", "assign", "resolve", "retreat", "lose", "advance"] {
        assert!(prompts.contains_key(prompt), "nobody was asked to {prompt}: {prompts:?}");
    }
}

/// The same start in a crush: armies face to face, so that every turn is full of battles and cascades.
#[test]
fn crowded_games_end() {
    let scenario = Scenario {
        deployed: vec![
            ("1st Foot", "0707", 2),
            ("2nd Foot", "0707", 2),
            ("3rd Foot", "0807", 2),
            ("4th Foot", "0807", 2),
            ("Blue Lancers", "0708", 2),
            ("Blue Dragoons", "0708", 2),
            ("Blue Battery A", "0808", 1),
            ("Blue Battery B", "0808", 1),
            ("Garrison", "0806", 2),
            ("Fusiliers", "0806", 2),
            ("Grenadiers", "0907", 2),
            ("Militia", "0907", 2),
            ("Red Hussars", "0906", 2),
            ("Red Guides", "0906", 2),
            ("Red Battery A", "0805", 1),
            ("Red Battery B", "0805", 1),
        ],
        morale: [14, 14],
        turns: 6,
    };
    let (mut play, mut prompts) = (Play::with(scenario, |_| ()), HashMap::new());
    for seed in 0..300 {
        play_out(&mut play, seed, true, &mut prompts);
    }
}

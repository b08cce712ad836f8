//! A whole game in Luau: breakthrough.

mod common;

use adjutant_kernel::flow;
use common::{Table, breakthrough};

#[test]
fn a_game_is_played_to_its_end() {
    let mut table = breakthrough();
    for seed in 0..20 {
        let actions = table.play_out(seed);
        assert!((20..250).contains(&actions), "{actions}");
        assert!(table.state().outcome().is_some());
    }
}

#[test]
fn perft_is_that_of_the_rules() {
    let mut table = breakthrough();
    let counts: Vec<u64> = (1..=3).map(|depth| table.perft(depth)).collect();
    assert_eq!(counts, [22, 484, 11_132]);
}

#[test]
fn what_a_rule_forbids_is_named() {
    let table = breakthrough();
    let rb = table.rulebook();
    let white = rb.seat_named("white").unwrap();
    let (pawn, blocked) = (table.body("white pawn 1"), rb.board().space_named("a2").unwrap());
    let action = adjutant_kernel::Action::new(rb.word_named("move").unwrap()).on(pawn).on(blocked);
    let verdict = flow::judge(rb, table.worker(), table.state(), white, &action).unwrap();
    assert_eq!(verdict.unwrap().unwrap_err().rule, rb.rule_named("bt:3").unwrap());
}

#[test]
fn the_same_dice_give_the_same_game_in_another_interpreter() {
    let digests: Vec<_> = (0..2)
        .map(|_| {
            let mut table: Table = breakthrough();
            table.play_out(7);
            table.state().digest()
        })
        .collect();
    assert_eq!(digests[0], digests[1]);
}

//! sk:7.i to sk:7.k, sk:8.f, sk:9.

use super::*;
use crate::skirmish::{BLUE, RED};

/// One unit against one, at 0807 and 0806, with a forced die.
fn duel(blue: (&'static str, i32), red: (&'static str, i32), die: i32) -> Play {
    let mut play = Play::of(&[(blue.0, "0807", blue.1), (red.0, "0806", red.1)]);
    play.force(die).act(&["done"]).act(&["assign", blue.0, "0806"]);
    play
}

#[test]
fn sk_7i_ae_attackers_are_eliminated() {
    let play = duel(("4th Foot", 2), ("Garrison", 2), 1);
    assert_eq!((play.at("4th Foot"), play.morale(BLUE), play.morale(RED)), ("away", 28, 30));
    assert_eq!(play.asked(), ("red".into(), "march".into()));
}

#[test]
fn sk_7i_a1_attackers_lose_a_step() {
    let play = duel(("4th Foot", 2), ("Garrison", 2), 2);
    assert_eq!((play.at("4th Foot"), play.steps("4th Foot"), play.morale(BLUE)), ("0807", 1, 29));
}

#[test]
fn sk_7i_ar_attackers_retreat() {
    let mut play = duel(("4th Foot", 2), ("Garrison", 2), 3);
    assert_eq!(play.asked(), ("blue".into(), "retreat".into()));
    assert_eq!(
        play.offers(),
        ["0708", "0808", "0908"].map(|hex| format!("retreat 4th Foot {hex}")),
        "sk:8.c"
    );
    play.act(&["retreat", "4th Foot", "0808"]);
    assert_eq!((play.at("4th Foot"), play.asked().0), ("0808", "red".into()));
}

#[test]
fn sk_7i_ex_both_lose_a_step() {
    let play = duel(("4th Foot", 2), ("Garrison", 2), 5);
    assert_eq!((play.steps("4th Foot"), play.steps("Garrison")), (1, 1));
    assert_eq!((play.morale(BLUE), play.morale(RED)), (29, 29));
}

#[test]
fn sk_7i_dr_defenders_retreat() {
    let mut play = duel(("1st Foot", 2), ("Militia", 1), 2);
    assert_eq!(play.asked(), ("red".into(), "retreat".into()));
    play.act(&["retreat", "Militia", "0805"]);
    assert_eq!((play.at("Militia"), play.steps("Militia")), ("0805", 1));
    assert_eq!(play.offers(), ["advance 1st Foot", "decline"]);
}

#[test]
fn sk_7i_d1_defenders_lose_a_step_and_retreat() {
    let play = duel(("1st Foot", 2), ("Red Guides", 2), 6);
    assert_eq!((play.steps("Red Guides"), play.asked().1), (1, "retreat".into()));
}

/// sk:7.i, sk:8.f: DE, and the advance that may be declined.
#[test]
fn sk_8f_advance_or_decline() {
    let mut play = duel(("1st Foot", 2), ("Militia", 1), 6);
    assert_eq!((play.at("Militia"), play.morale(RED)), ("away", 29));
    let before = play.state.clone();
    play.act(&["advance", "1st Foot"]);
    assert_eq!((play.at("1st Foot"), play.asked().0), ("0806", "red".into()));
    play.state = before;
    play.act(&["decline"]);
    assert_eq!((play.at("1st Foot"), play.asked().0), ("0807", "red".into()));
}

#[test]
fn sk_7j_bombarding_guns_suffer_nothing() {
    for die in 1..=6 {
        let mut play = Play::of(&[("Blue Battery B", "0808", 1), ("Garrison", "0806", 2)]);
        play.force(die).act(&["done"]).act(&["assign", "Blue Battery B", "0806"]);
        assert_eq!((play.at("Blue Battery B"), play.morale(BLUE)), ("0808", 30), "{die}");
    }
}

#[test]
fn sk_7k_the_owner_chooses_who_loses_a_step() {
    let deployed =
        [("1st Foot", "0807", 2), ("2nd Foot", "0807", 2), ("Garrison", "0806", 2), ("Fusiliers", "0806", 2)];
    let mut play = Play::of(&deployed);
    play.force(4).act(&["done"]).act(&["assign", "1st Foot", "0806"]).act(&["assign", "2nd Foot", "0806"]);
    assert_eq!(play.asked(), ("blue".into(), "lose".into()));
    assert_eq!(play.offers(), ["lose 1st Foot", "lose 2nd Foot"]);
    play.act(&["lose", "2nd Foot"]);
    assert_eq!(play.asked(), ("red".into(), "lose".into()));
    play.act(&["lose", "Garrison"]);
    let steps = ["1st Foot", "2nd Foot", "Garrison", "Fusiliers"].map(|unit| play.steps(unit));
    assert_eq!(steps, [2, 1, 1, 2]);
    assert_eq!(play.asked(), ("red".into(), "march".into()));
}

/// sk:9.a: the loss comes before the retreat, and the game is over before it.
#[test]
fn sk_9a_a_rout_in_the_middle_of_a_battle() {
    let deployed = vec![("1st Foot", "0807", 2), ("Red Guides", "0806", 2)];
    let mut play = Play::with(Scenario { deployed, morale: [9, 1], turns: 8 }, |_| ());
    play.force(6).act(&["done"]).act(&["assign", "1st Foot", "0806"]);
    assert_eq!(play.asked().0, "over");
    assert_eq!((play.at("Red Guides"), play.steps("Red Guides")), ("0806", 1), "it has not retreated");
    let outcome = play.outcome();
    assert_eq!((outcome.winner, outcome.rule.map(|r| play.rulebook.rule(r))), (Some(BLUE), Some("sk:9.a")));
}

/// sk:9.a, sk:7.i: attackers lose first, so that an exchange that would rout both routs the attackers.
#[test]
fn sk_9a_attackers_first() {
    let deployed = vec![("4th Foot", "0807", 2), ("Garrison", "0806", 2)];
    let mut play = Play::with(Scenario { deployed, morale: [1, 1], turns: 8 }, |_| ());
    play.force(5).act(&["done"]).act(&["assign", "4th Foot", "0806"]);
    assert_eq!((play.outcome().winner, play.morale(RED)), (Some(RED), 1));
}

/// Both sides do nothing to the end of a game of one turn.
fn winner(deployed: &[Deployed], morale: [i32; 2]) -> (Option<SideId>, String) {
    let scenario = Scenario { deployed: deployed.to_vec(), morale, turns: 1 };
    let mut play = Play::with(scenario, |_| ());
    play.act(&["done"]).act(&["done"]);
    let outcome = play.outcome();
    (outcome.winner, play.rulebook.rule(outcome.rule.unwrap()).to_owned())
}

#[test]
fn sk_9b_9c_objectives_then_morale() {
    assert_eq!(winner(&[("1st Foot", "0506", 2)], [1, 9]), (Some(BLUE), "sk:9.b".into()));
    assert_eq!(winner(&[("Garrison", "0303", 2)], [9, 1]), (Some(RED), "sk:9.b".into()));
    assert_eq!(winner(&[], [1, 2]), (Some(RED), "sk:9.c".into()));
    assert_eq!(winner(&[("1st Foot", "0506", 2), ("Garrison", "0303", 2)], [2, 2]), (None, "sk:9.c".into()));
}

/// sk:9.b: who entered last holds it, though he has left.
#[test]
fn sk_9b_held_by_who_entered_last() {
    let scenario = Scenario { deployed: vec![("1st Foot", "0506", 2)], morale: [1, 9], turns: 1 };
    let mut play = Play::with(scenario, |_| ());
    play.act(&["move", "1st Foot", "0507"]).act(&["done"]).act(&["done"]);
    assert_eq!(play.outcome().winner, Some(BLUE));
}

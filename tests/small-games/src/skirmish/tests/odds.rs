//! sk:7.a to sk:7.h.

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::tables::{Entry, Faces, Input};
use smallvec::SmallVec;

use super::*;
use crate::skirmish::odds::{FIGHT, ODDS, Sides};

/// The greatest column whose odds, as a fraction, the strengths reach: the rule written out plainly.
fn column(attack: i32, defence: i32) -> usize {
    let reaches = |&(a, d): &(u16, u16)| attack * i32::from(d) >= i32::from(a) * defence;
    match (attack, defence) {
        (0, _) => 0,
        (_, 0) => ODDS.len() - 1,
        _ => ODDS.iter().rposition(reaches).unwrap_or(0),
    }
}

/// sk:7.a: all strengths to 40, all shifts that there can be, all dice.
#[test]
fn sk_7a_the_whole_fight_table() {
    let play = Play::of(&[]);
    let (table, game) = (play.rulebook.table(play.game.fight), &play.game);
    let shift = |value: i32, stage| Contribution { rule: game.rules.battle, value, stage };
    for (attack, defence) in (0..=40).flat_map(|a| (0..=40).map(move |d| (a, d))) {
        for (left, right) in (0..=3).flat_map(|l| (0..=2).map(move |r| (l, r))) {
            let end = (column(attack, defence) as i32 - left).max(0);
            let end = (end + right).min(ODDS.len() as i32 - 1);
            for (die, modifier) in (1..=6).flat_map(|d| (-1..=1).map(move |m| (d, m))) {
                let working = table
                    .look_up(&Entry {
                        column: Input::Pair { attacker: attack, defender: defence },
                        dice: Faces::new(&[die as u16]).unwrap(),
                        shifts: &[shift(right, 1), shift(-left, 0)],
                        modifiers: &[shift(modifier, 0)],
                        ..Entry::default()
                    })
                    .unwrap();
                let row = (die + modifier).clamp(1, 6) as usize - 1;
                let expected = FIGHT[row][end as usize].word(&game.words);
                assert_eq!(
                    working.result.word(),
                    Some(expected),
                    "{attack}:{defence} -{left} +{right} {die}"
                );
            }
        }
    }
}

/// The column shift and the die modifier of an attack on a hex by units that stand where they are deployed.
fn shifts(deployed: &[Deployed], hex: &str, bombard: &[&str]) -> (i32, i32) {
    let play = Play::of(deployed);
    let bombard: SmallVec<[BodyId; 8]> = bombard.iter().map(|name| play.body(name)).collect();
    let assault = deployed.iter().map(|d| play.body(d.0)).filter(|b| !bombard.contains(b)).collect();
    let sides = Sides { assault, bombard, defend: SmallVec::new() };
    let seen = play.seen(SideId(0));
    let args = play.game.circumstances(&seen, play.hex(hex), &sides);
    (seen.total(play.game.points.odds_shift, &args), seen.total(play.game.points.die_modifier, &args))
}

#[test]
fn sk_7b_over_the_river_only() {
    assert_eq!(shifts(&[("1st Foot", "0305", 2)], "0304", &[]), (-1, 0));
    assert_eq!(shifts(&[("1st Foot", "0505", 2)], "0504", &[]), (-1, 0));
    assert_eq!(shifts(&[("1st Foot", "0305", 2), ("2nd Foot", "0204", 2)], "0304", &[]), (0, 0));
}

#[test]
fn sk_7c_a_town() {
    assert_eq!(shifts(&[("1st Foot", "0302", 2)], "0303", &[]), (-1, 0));
}

#[test]
fn sk_7d_a_hill_unless_from_a_hill() {
    assert_eq!(shifts(&[("1st Foot", "0806", 2)], "0805", &[]), (-1, 0));
    assert_eq!(shifts(&[("1st Foot", "0804", 2)], "0805", &[]), (0, 0));
}

#[test]
fn sk_7e_fresh_cavalry_charges_in_the_open() {
    assert_eq!(shifts(&[("Blue Lancers", "0807", 2)], "0806", &[]), (1, 0));
    assert_eq!(shifts(&[("Blue Lancers", "0807", 1)], "0806", &[]), (0, 0));
    assert_eq!(shifts(&[("Blue Lancers", "0302", 2)], "0303", &[]), (-1, 0));
}

#[test]
fn sk_7f_a_pincer() {
    assert_eq!(shifts(&[("1st Foot", "0806", 2), ("2nd Foot", "0808", 2)], "0807", &[]), (1, 0));
    assert_eq!(shifts(&[("1st Foot", "0806", 2), ("2nd Foot", "0907", 2)], "0807", &[]), (0, 0));
}

#[test]
fn sk_7g_woods() {
    assert_eq!(shifts(&[("1st Foot", "0707", 2)], "0706", &[]), (0, -1));
}

#[test]
fn sk_7h_guns_in_support() {
    let deployed = [("1st Foot", "0807", 2), ("Blue Battery A", "0808", 1)];
    assert_eq!(shifts(&deployed, "0806", &["Blue Battery A"]), (0, 1));
    assert_eq!(shifts(&deployed[1..], "0806", &["Blue Battery A"]), (0, 0), "not without an assault");
}

/// sk:7.a, invariant 9: a contribution can be switched off and another attached by an overlay.
#[test]
fn sk_7_shifts_answer_to_their_rule_ids() {
    let scenario = Scenario { deployed: vec![("1st Foot", "0302", 2)], morale: [9, 9], turns: 1 };
    let play = Play::with(scenario, |builder| {
        let rule = builder.rule("sk:7.c");
        builder.switch_off(rule);
    });
    let assault = SmallVec::from_slice(&[play.body("1st Foot")]);
    let sides = Sides { assault, bombard: SmallVec::new(), defend: SmallVec::new() };
    let seen = play.seen(SideId(0));
    let args = play.game.circumstances(&seen, play.hex("0303"), &sides);
    assert_eq!(seen.total(play.game.points.odds_shift, &args), 0);
}

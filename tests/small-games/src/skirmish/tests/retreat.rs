//! sk:8.

use super::*;
use crate::skirmish::RED;

/// 1st Foot at 0208 drives the spent Militia out of the corner hex 0108, whose only way out is 0107.
fn corner(others: &[Deployed]) -> Play {
    let mut deployed = vec![("1st Foot", "0208", 2), ("Militia", "0108", 1)];
    deployed.extend(others);
    let mut play = Play::of(&deployed);
    play.force(2).act(&["done"]).act(&["assign", "1st Foot", "0108"]);
    play
}

/// sk:8.a: nobody is asked about the only hex.
#[test]
fn sk_8a_the_only_hex() {
    let play = corner(&[]);
    assert_eq!((play.at("Militia"), play.asked().1), ("0107", "advance".into()));
}

/// sk:8.a: the order in which they stand.
#[test]
fn sk_8a_one_after_another() {
    let deployed = [
        ("1st Foot", "0807", 2),
        ("2nd Foot", "0807", 2),
        ("Militia", "0806", 1),
        ("Red Battery A", "0806", 1),
    ];
    let mut play = Play::of(&deployed);
    // 9 to 4 is 2:1.
    play.force(4).act(&["done"]).act(&["assign", "1st Foot", "0806"]).act(&["assign", "2nd Foot", "0806"]);
    assert_eq!(play.offers(), ["0706", "0805", "0906"].map(|hex| format!("retreat Militia {hex}")));
    play.act(&["retreat", "Militia", "0805"]);
    assert_eq!(play.offers(), ["0805", "0906"].map(|hex| format!("retreat Red Battery A {hex}")), "sk:8.b");
    play.act(&["retreat", "Red Battery A", "0805"]);
    assert_eq!((play.at("Militia"), play.at("Red Battery A")), ("0805", "0805"));
}

/// sk:8.e by sk:8.c: enemy zones on all sides.
#[test]
fn sk_8e_cut_off_by_zones() {
    let play = corner(&[("Blue Lancers", "0206", 2)]);
    assert_eq!((play.at("Militia"), play.morale(RED)), ("away", 29));
}

/// sk:8.d: the unit that has stood there longest makes room.
#[test]
fn sk_8d_displaces_the_longest_standing() {
    let mut play = corner(&[("Fusiliers", "0107", 2), ("Grenadiers", "0107", 2)]);
    assert_eq!((play.at("Militia"), play.asked()), ("0107", ("red".into(), "retreat".into())));
    assert_eq!(play.offers(), ["retreat Fusiliers 0106", "retreat Fusiliers 0206"]);
    play.act(&["retreat", "Fusiliers", "0206"]);
    assert_eq!((play.at("Fusiliers"), play.at("Grenadiers")), ("0206", "0107"));
    assert_eq!(play.asked().1, "advance");
}

/// sk:8.d: a cascade of three.
#[test]
fn sk_8d_cascade() {
    let mut play = corner(&[
        ("Fusiliers", "0107", 2),
        ("Grenadiers", "0107", 2),
        ("Red Hussars", "0106", 2),
        ("Red Guides", "0106", 2),
        ("Red Battery A", "0206", 1),
        ("Red Battery B", "0206", 1),
    ]);
    assert_eq!(play.offers(), ["retreat Fusiliers 0106", "retreat Fusiliers 0206"], "all full");
    play.act(&["retreat", "Fusiliers", "0106"]);
    assert_eq!(play.offers(), ["retreat Red Hussars 0105", "retreat Red Hussars 0205"], "room comes first");
    play.act(&["retreat", "Red Hussars", "0105"]);
    let at = ["Militia", "Grenadiers", "Fusiliers", "Red Guides", "Red Hussars"].map(|unit| play.at(unit));
    assert_eq!(at, ["0107", "0107", "0106", "0106", "0105"]);
    assert_eq!((play.asked().1, play.morale(RED)), ("advance".into(), 30));
}

/// sk:8.d, sk:8.e: the last of a cascade is eliminated where it cannot go on.
#[test]
fn sk_8e_displaced_into_nothing() {
    let play = corner(&[("Fusiliers", "0107", 2), ("Grenadiers", "0107", 2), ("Blue Lancers", "0205", 2)]);
    assert_eq!((play.at("Militia"), play.at("Grenadiers"), play.at("Fusiliers")), ("0107", "0107", "away"));
    assert_eq!(play.morale(RED), 28);
}

/// sk:8.d: full hexes only where there is no room elsewhere.
#[test]
fn sk_8d_room_comes_first() {
    let deployed = [
        ("Blue Battery A", "0308", 1),
        ("Militia", "0108", 1),
        ("Fusiliers", "0107", 2),
        ("Grenadiers", "0107", 2),
    ];
    let mut play = Play::of(&deployed);
    play.force(3).act(&["done"]).act(&["assign", "Blue Battery A", "0108"]);
    assert_eq!(play.offers(), ["retreat Militia 0207", "retreat Militia 0208"]);
}

/// sk:8.b: not over the river but at the bridge or the ford.
#[test]
fn sk_8b_the_river_cuts_off() {
    let deployed = [("1st Foot", "0206", 2), ("Blue Lancers", "0105", 2), ("Militia", "0205", 1)];
    let play = Play::of(&deployed);
    let seen = play.seen(RED);
    let body = play.body("Militia");
    let hexes = play.game.retreats(&seen, play.game.words.retreat, body);
    let names: Vec<&str> = hexes.iter().map(|&hex| play.rulebook.board().space_name(hex)).collect();
    assert_eq!(names, ["0305"]);
}

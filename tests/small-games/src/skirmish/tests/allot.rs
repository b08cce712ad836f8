//! sk:6.

use super::*;

#[test]
fn sk_6b_who_is_in_an_enemy_zone_must_assault() {
    let mut play = Play::of(&[("1st Foot", "0807", 2), ("Garrison", "0806", 2)]);
    play.act(&["done"]);
    assert_eq!(play.offers(), ["assign 1st Foot 0806"]);
    assert_eq!(play.verdict(&["hold", "1st Foot"]), "sk:6.b");
}

#[test]
fn sk_6c_who_is_in_an_own_zone_must_be_attacked() {
    let deployed = [("1st Foot", "0807", 2), ("2nd Foot", "0807", 2), ("Red Battery A", "0806", 1)];
    let mut play = Play::of(&deployed);
    play.act(&["done"]).act(&["hold", "1st Foot"]);
    assert_eq!(play.verdict(&["hold", "2nd Foot"]), "sk:6.c");
    assert_eq!(play.offers(), ["assign 2nd Foot 0806"]);
}

/// sk:6.c: the unit between two enemies must take the one that nobody else can reach.
#[test]
fn sk_6c_steps_that_cannot_be_completed_are_not_offered() {
    let deployed =
        [("1st Foot", "0807", 2), ("2nd Foot", "0906", 2), ("Garrison", "0806", 2), ("Militia", "0808", 2)];
    let mut play = Play::of(&deployed);
    play.act(&["done"]);
    assert_eq!(play.offers(), ["assign 1st Foot 0808", "assign 2nd Foot 0806"]);
    assert_eq!(play.verdict(&["assign", "1st Foot", "0806"]), "sk:6.c");
}

/// sk:6.c: one unit cannot attack two hexes, so one of them is enough.
#[test]
fn sk_6c_as_many_as_can_be() {
    let mut play = Play::of(&[("1st Foot", "0807", 2), ("Garrison", "0806", 2), ("Militia", "0808", 2)]);
    play.act(&["done"]);
    assert_eq!(play.offers(), ["assign 1st Foot 0806", "assign 1st Foot 0808"]);
    play.force(6).act(&["assign", "1st Foot", "0808"]);
    assert_ne!(play.asked().1, "assign");
}

#[test]
fn sk_5a_guns_bombard_from_afar_and_over_the_river() {
    let mut play = Play::of(&[("Blue Battery A", "0808", 1), ("Garrison", "0806", 2)]);
    play.act(&["done"]);
    assert_eq!(play.offers(), ["assign Blue Battery A 0806", "hold Blue Battery A"]);
    let mut play =
        Play::of(&[("Blue Battery A", "0405", 1), ("1st Foot", "0405", 2), ("Garrison", "0404", 2)]);
    play.act(&["done"]);
    assert_eq!(play.offers(), ["assign Blue Battery A 0404", "hold Blue Battery A"]);
}

/// sk:6.b: a gun in an enemy zone must assault and does not bombard.
#[test]
fn sk_6b_guns_too() {
    let deployed = [("Blue Battery A", "0807", 1), ("Garrison", "0806", 2), ("Militia", "0805", 2)];
    let mut play = Play::of(&deployed);
    play.act(&["done"]);
    assert_eq!(play.offers(), ["assign Blue Battery A 0806"]);
}

#[test]
fn sk_6d_he_chooses_the_order() {
    let deployed =
        [("1st Foot", "0807", 2), ("2nd Foot", "0906", 2), ("Garrison", "0806", 2), ("Militia", "0808", 2)];
    let mut play = Play::of(&deployed);
    play.act(&["done"]).act(&["assign", "1st Foot", "0808"]).act(&["assign", "2nd Foot", "0806"]);
    assert_eq!(play.asked(), ("blue".into(), "resolve".into()));
    assert_eq!(play.offers(), ["resolve 0806", "resolve 0808"]);
}

/// sk:6.e: a unit that is displaced before its battle takes no part in it.
#[test]
fn sk_6e_displaced_before_its_battle() {
    let deployed = [
        ("4th Foot", "0108", 2),
        ("2nd Foot", "0107", 2),
        ("3rd Foot", "0107", 2),
        ("Garrison", "0208", 2),
        ("Red Battery A", "0206", 1),
    ];
    let mut play = Play::of(&deployed);
    play.act(&["done"]);
    play.act(&["assign", "4th Foot", "0208"]).act(&["assign", "2nd Foot", "0206"]).act(&["hold", "3rd Foot"]);
    play.force(3).act(&["resolve", "0208"]);
    assert_eq!((play.at("4th Foot"), play.at("2nd Foot")), ("0107", "0106"));
    assert_eq!(play.at("Red Battery A"), "0206");
    assert_eq!(play.asked(), ("red".into(), "march".into()), "there is no second battle");
}

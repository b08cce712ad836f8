//! sk:2 to sk:4.

use super::*;
use crate::skirmish::field::Field;
use crate::skirmish::{BLUE, RED};

impl Play {
    /// The cost of a step of a march from a hex that is not the start, or the rule that forbids it.
    fn step(&self, unit: &str, start: &str, from: &str, to: &str) -> Result<u32, &str> {
        let body = self.body(unit);
        let seen = self.seen(self.game.unit(body).side);
        let field = Field::of(&self.game, &seen);
        let (start, from, to) = (self.hex(start), self.hex(from), self.hex(to));
        let edge = self.rulebook.board().links(from).iter().find(|e| e.to == to).unwrap();
        let step = self.game.step(&seen, &field, body, start, from, edge);
        step.map_err(|rule| self.rulebook.rule(rule))
    }

    fn zone(&self, side: SideId) -> Vec<&str> {
        let zone = Field::of(&self.game, &self.seen(side)).zone[side.index()];
        zone.iter().map(|hex| self.rulebook.board().space_name(hex)).collect()
    }
}

#[test]
fn sk_2b_two_units_a_hex_and_more_in_passing() {
    let play = Play::of(&[("1st Foot", "0106", 2), ("2nd Foot", "0106", 2), ("Blue Battery A", "0107", 1)]);
    assert_eq!(play.verdict(&["move", "Blue Battery A", "0106"]), "sk:2.b");
    // Guns have no other way there: 0205 is woods.
    assert_eq!(play.verdict(&["move", "Blue Battery A", "0105"]), "allowed");
    assert_eq!(play.verdict(&["move", "1st Foot", "0107"]), "allowed");
}

#[test]
fn sk_2c_not_into_enemies() {
    let play = Play::of(&[("1st Foot", "0807", 2), ("Red Battery A", "0806", 1)]);
    assert_eq!(play.verdict(&["move", "1st Foot", "0806"]), "sk:2.c");
}

#[test]
fn sk_3a_3b_movement_points_and_rough_ground() {
    let play =
        Play::of(&[("1st Foot", "0808", 2), ("Blue Battery A", "0807", 1), ("Blue Battery B", "0808", 1)]);
    assert_eq!(play.verdict(&["move", "1st Foot", "0805"]), "allowed");
    assert_eq!(play.verdict(&["move", "1st Foot", "0804"]), "sk:3.a");
    assert_eq!(play.verdict(&["move", "Blue Battery A", "0805"]), "allowed");
    assert_eq!(play.verdict(&["move", "Blue Battery B", "0805"]), "sk:3.a");
    assert_eq!(play.step("1st Foot", "0808", "0607", "0606"), Ok(2));
}

#[test]
fn sk_3c_3d_the_river() {
    let play = Play::of(&[("1st Foot", "0305", 2)]);
    assert_eq!(play.step("1st Foot", "0305", "0505", "0504"), Ok(2), "the ford");
    assert_eq!(play.step("1st Foot", "0305", "0305", "0304"), Ok(1), "the bridge");
    assert_eq!(play.step("1st Foot", "0305", "0305", "0404"), Err("sk:3.d"));
    assert_eq!(play.step("1st Foot", "0305", "0605", "0604"), Err("sk:3.d"));
    assert_eq!(play.step("1st Foot", "0305", "0705", "0604"), Ok(1), "the river has ended");
}

#[test]
fn sk_3e_guns_keep_out_of_woods() {
    let deployed = vec![("Blue Battery A", "0607", 1)];
    let play = Play::of(&deployed);
    assert_eq!(play.step("Blue Battery A", "0607", "0607", "0606"), Err("sk:3.e"));
    let scenario = Scenario { deployed, morale: [9, 9], turns: 1 };
    let off = Play::with(scenario, |builder| {
        let rule = builder.rule("sk:3.e");
        builder.switch_off(rule);
    });
    assert_eq!(off.step("Blue Battery A", "0607", "0607", "0606"), Ok(2), "switched off by its id");
}

#[test]
fn sk_3f_once_a_turn() {
    let mut play = Play::of(&[("1st Foot", "0106", 2)]);
    play.act(&["move", "1st Foot", "0107"]);
    assert_eq!(play.verdict(&["move", "1st Foot", "0106"]), "sk:3.f");
    play.act(&["done"]);
    assert_eq!(play.asked(), ("red".into(), "march".into()));
    play.act(&["done"]);
    assert_eq!(play.verdict(&["move", "1st Foot", "0106"]), "allowed");
}

#[test]
fn sk_4a_infantry_and_cavalry_control_six_hexes_and_guns_none() {
    let ring = ["0707", "0708", "0806", "0808", "0907", "0908"];
    assert_eq!(Play::of(&[("Garrison", "0807", 2)]).zone(RED), ring);
    assert_eq!(Play::of(&[("Red Guides", "0807", 1)]).zone(RED), ring);
    assert_eq!(Play::of(&[("Red Battery A", "0807", 1)]).zone(RED), [""; 0]);
}

#[test]
fn sk_4b_zones_cross_the_river_at_the_bridge_only() {
    assert_eq!(Play::of(&[("1st Foot", "0305", 2)]).zone(BLUE), ["0205", "0304", "0306", "0405"]);
    assert_eq!(Play::of(&[("1st Foot", "0505", 2)]).zone(BLUE), ["0405", "0506", "0605"]);
}

#[test]
fn sk_4c_zones_stop_all_but_cavalry_which_pays() {
    let deployed = [("1st Foot", "0907", 2), ("Blue Lancers", "0908", 2), ("Garrison", "0904", 2)];
    let play = Play::of(&deployed);
    assert_eq!(play.step("1st Foot", "0907", "0906", "0905"), Ok(1));
    assert_eq!(play.step("1st Foot", "0907", "0905", "0805"), Err("sk:4.c"));
    assert_eq!(play.step("1st Foot", "0905", "0905", "0805"), Ok(2), "out of the hex where it began");
    assert_eq!(play.step("Blue Lancers", "0908", "0906", "0905"), Ok(2));
    assert_eq!(play.step("Blue Lancers", "0908", "0905", "0805"), Ok(2));
}

#[test]
fn sk_4d_never_from_zone_to_zone() {
    let play = Play::of(&[("1st Foot", "0905", 2), ("Blue Lancers", "0905", 2), ("Garrison", "0904", 2)]);
    assert_eq!(play.step("1st Foot", "0905", "0905", "0804"), Err("sk:4.d"));
    assert_eq!(play.step("Blue Lancers", "0905", "0905", "0804"), Err("sk:4.d"));
}

//! Sampled worlds of picket line: within the enumeration of all that may be, alike to whom they are sampled for, with
//! other dice, and playable to their end.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod table;

use table::worlds;

/// Nobody knows anything of Blue but that there is foot or horse in 4: 8! less 3 x 2 x 6! arrangements.
#[test]
fn d1_a_told_answer_binds() {
    worlds::d1(&[]).unwrap();
}

#[test]
fn d1_chits_are_not_drawn_before_they_are_seen() {
    worlds::d1_levy(&[]).unwrap();
}

/// After Blue's regroup what was told has lapsed and what was mixed is a union.
#[test]
fn d2_mixed_and_lapsed() {
    worlds::d2(&[]).unwrap();
}

/// In a fork the orders of the other side are drawn anew, whatever it has drafted or committed.
#[test]
fn d3_orders_not_shown_are_drawn_anew() {
    worlds::d3(&[]).unwrap();
}

/// Base, arrears and weariness of Amber as Blue may imagine them.
#[test]
fn d4_private_values_and_answers() {
    worlds::d4(&[]).unwrap();
}

//! The one turn that the page traces: position P, the dice, every decision by the name of its step.

use adjutant::Game;
use small_games::picket::Variant;
use small_games::picket::position::Position;

use super::{at, begin, play};

/// The dice of the turn.
pub(crate) const DICE: [(&str, i32); 8] = [
    ("straggle", 6),
    ("straggle", 5),
    ("probe", 4),
    ("levy", 3),
    ("fight", 5),
    ("fight", 5),
    ("arrears", 4),
    ("rain", 3),
];

/// Its decisions, by the true names of the pieces.
const DECISIONS: [(&str, &str); 39] = [
    ("a1", "amber 4/1 4-5"),
    ("b1", "amber 9/2 6-9"),
    ("b2", "scouts decline"),
    ("b3", "amber probe aH2 6"),
    ("b4", "scouts done"),
    ("e1", "amber 7/3 7-8"),
    ("e2", "amber undo"),
    ("e3", "amber 7/2 7-8"),
    ("e4", "amber press 8 8-9"),
    ("e5", "amber done"),
    ("e5", "amber done"),
    ("f1", "blue return bD1 1"),
    ("f2", "blue raise bF3"),
    ("f3", "blue done"),
    ("c1", "scouts 1/1 1-4"),
    ("c2", "amber intercept aH1"),
    ("c3", "blue 1/2 1-4"),
    ("c4", "amber intercept aH1"),
    ("c5", "blue done"),
    ("d1", "blue deploy bF2 road"),
    ("d2", "blue deploy bD2 road"),
    ("d3", "blue deploy bG field"),
    ("d4", "blue deploy bH1 reserve"),
    ("d5", "blue done"),
    ("d6", "amber deploy aF2 road"),
    ("d7", "amber deploy aH1 field"),
    ("d8", "amber done"),
    ("d9", "blue order road hold"),
    ("d10", "amber order road hold"),
    ("d11", "amber undo"),
    ("d12", "amber order road attack"),
    ("d13", "blue order field attack"),
    ("d14", "amber order field hold"),
    ("d15", "amber done"),
    ("d16", "blue done"),
    ("d17", "blue retreat 1"),
    ("d18", "blue done"),
    ("g1", "amber done"),
    ("g2", "blue done"),
];

/// The game after a step (`P` is before the first), with deliberate faults.
pub(crate) fn after(step: &str, mutants: &[&str]) -> Game {
    let variant = Variant { mutants: mutants.iter().map(|&m| m.to_owned()).collect(), ..at(Position::p()) };
    let mut game = begin(&variant, &[], &DICE);
    if step == "P" {
        return game;
    }
    let last = DECISIONS.iter().rposition(|(name, _)| *name == step);
    let last = last.unwrap_or_else(|| panic!("there is no step {step}"));
    for (_, decision) in &DECISIONS[..=last] {
        play(&mut game, &[decision]);
    }
    game
}

//! Why a look-up has no answer, in words and with the names that the table knows.

use super::{Axis, Input, LookUpError, Table, Which};
use crate::rulebook::Rulebook;
use crate::suggest::instead;

impl Table {
    /// Says of an error of this table's look-up what was given and what would be right.
    pub fn explain(&self, error: &LookUpError, rulebook: &Rulebook) -> String {
        let axis_of = |which: Which| match which {
            Which::Column => self.columns(),
            Which::Row => self.rows(),
        };
        match error {
            LookUpError::WrongInput { axis, input } => {
                let given = match input {
                    Input::None => "nothing".to_owned(),
                    Input::Number(number) => format!("the number {number}"),
                    Input::Pair { attacker, defender } => format!("{attacker} against {defender}"),
                    Input::Word(word) => format!("the name `{}`", rulebook.word(*word)),
                };
                format!("its {axis}s are entered with {}, not with {given}", wanted(axis_of(*axis)))
            }
            LookUpError::UnknownWord { axis, word } => {
                let name = rulebook.word(*word);
                let known: Vec<&str> = match axis_of(*axis) {
                    Axis::Words(words) => words.iter().map(|w| rulebook.word(*w)).collect(),
                    _ => Vec::new(),
                };
                format!("no {axis} has the name `{name}`; {}", instead(name, known))
            }
            LookUpError::UnknownStage { rule, stage } => {
                let rule = rulebook.rule(*rule);
                format!("{rule} applies in stage {stage}, which the table does not have")
            }
            LookUpError::WrongDirection { rule, amount } => {
                let rule = rulebook.rule(*rule);
                format!("{rule} shifts by {amount} in a stage that goes the other way")
            }
            LookUpError::NoDice { rule } => {
                format!("{} modifies the die of a table without dice", rulebook.rule(*rule))
            }
            plain @ (LookUpError::Below { .. }
            | LookUpError::Above { .. }
            | LookUpError::NoLine { .. }
            | LookUpError::NoStrength { .. }
            | LookUpError::WrongDice { .. }) => plain.to_string(),
        }
    }
}

/// With what an axis is entered.
fn wanted(axis: &Axis) -> &'static str {
    match axis {
        Axis::Single => "nothing",
        Axis::Numbers { .. } => "a number",
        Axis::Differences { .. } => "a difference, or the numbers of both sides",
        Axis::Ratios(_) => "the numbers of both sides",
        Axis::Words(_) => "a name",
    }
}

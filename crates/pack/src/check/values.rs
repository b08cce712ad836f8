//! Values of declared types as the numbers that the kernel keeps.

use super::Known;
use crate::model::{Scalar, Values};
use crate::suggest;

/// The number of a value of a type; the error says what would be right.
pub(crate) fn number(scalar: &Scalar, values: &Values, known: &Known) -> Result<i32, String> {
    match (values, scalar) {
        (Values::Int((least, most)), Scalar::Number(number)) => {
            if (*least..=*most).contains(number) {
                Ok(*number)
            } else {
                Err(format!("{number} is out of bounds; it takes {least} to {most}"))
            }
        }
        (Values::Int((least, most)), other) => {
            Err(format!("it takes a whole number from {least} to {most}, not {other}"))
        }
        (Values::Flag, Scalar::Flag(flag)) => Ok(i32::from(*flag)),
        (Values::Flag, other) => Err(format!("it takes `true` or `false`, not {other}")),
        (Values::Choice(words), Scalar::Text(text)) => {
            let names = words.iter().map(|w| w.value.as_str());
            match words.iter().position(|w| w.value == *text) {
                Some(n) => Ok(n as i32),
                None => {
                    Err(format!("\"{text}\" is no choice of it; {}", suggest::help(text, "choices", names)))
                }
            }
        }
        (Values::Choice(words), other) => {
            let names = words.iter().map(|w| w.value.as_str());
            Err(format!("it takes a choice, not {other}; {}", suggest::list("choices", names)))
        }
        (Values::Side | Values::Space, Scalar::None) => Ok(-1),
        (Values::Side, Scalar::Text(text)) => among(&known.sides, text),
        (Values::Space, Scalar::Text(text)) => among(&known.spaces, text),
        (Values::Side, other) => Err(format!("it takes a side or `None`, not {other}")),
        (Values::Space, other) => Err(format!("it takes a space or `None`, not {other}")),
    }
}

fn among(names: &super::known::Names, text: &str) -> Result<i32, String> {
    match names.find(text) {
        Some(n) => Ok(n as i32),
        None if names.has(text) => Ok(0),
        None => {
            let (one, several) = names.what;
            Err(format!("there is no {one} \"{text}\"; {}", suggest::help(text, several, names.iter())))
        }
    }
}

/// The value of a column or attribute that is not given: the least, or none.
pub(crate) fn least(values: &Values) -> i32 {
    match values {
        Values::Int((least, _)) => *least,
        Values::Flag | Values::Choice(_) => 0,
        Values::Side | Values::Space => -1,
    }
}

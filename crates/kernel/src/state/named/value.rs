//! Values of cells, record fields and locals by name, typed by their declarations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kind::{At, Kind};
use super::read::Reader;
use super::write::Writer;
use crate::ids::*;
use crate::locals::{FieldType, LocalType, Words};
use crate::rulebook::{FieldKind, ValueKind};

/// A value by name.
///
/// ```
/// use adjutant_kernel::state::named::NamedValue;
/// let orders = NamedValue::List(vec![NamedValue::Name("ford".into()), NamedValue::Nothing]);
/// let by_side = NamedValue::Sides([("blue".into(), orders)].into());
/// assert_ne!(by_side, NamedValue::Sides(Default::default()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NamedValue {
    /// No value, where one may be missing.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(i32),
    /// Something that has a name.
    Name(String),
    /// Several values in order.
    List(Vec<NamedValue>),
    /// A value for each of some sides.
    Sides(BTreeMap<String, NamedValue>),
}

impl NamedValue {
    fn shape(&self) -> String {
        match self {
            Self::Nothing => "nothing".to_owned(),
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Name(name) => format!("`{name}`"),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Sides(sides) => format!("values of {} sides", sides.len()),
        }
    }
}

impl Writer<'_> {
    fn name(&self, kind: Kind, number: i32) -> NamedValue {
        let name = usize::try_from(number).ok().and_then(|n| kind.name(self.rb, n));
        name.map_or(NamedValue::Number(number), |name| NamedValue::Name(name.to_owned()))
    }

    fn body_value(&self, number: i32) -> NamedValue {
        match usize::try_from(number).ok().filter(|n| *n < self.st.bodies.len()) {
            Some(n) => NamedValue::Name(self.body(BodyId(n as u16))),
            None => NamedValue::Number(number),
        }
    }

    /// A value of a column.
    pub(super) fn cell_value(&self, kind: &ValueKind, value: i32) -> NamedValue {
        match kind {
            ValueKind::Int { .. } => NamedValue::Number(value),
            ValueKind::Flag => match value {
                0 | 1 => NamedValue::Flag(value == 1),
                _ => NamedValue::Number(value),
            },
            ValueKind::Choice(words) => match usize::try_from(value).ok().and_then(|n| words.get(n)) {
                Some(word) => self.name(Kind::Word, i32::from(word.0)),
                None => NamedValue::Number(value),
            },
            ValueKind::Side | ValueKind::Space if value == -1 => NamedValue::Nothing,
            ValueKind::Side => self.name(Kind::Side, value),
            ValueKind::Space => self.name(Kind::Space, value),
        }
    }

    /// A field of a record.
    pub(super) fn field_value(&self, kind: FieldKind, value: i32) -> NamedValue {
        match kind {
            FieldKind::Int => NamedValue::Number(value),
            FieldKind::Space => self.name(Kind::Space, value),
            FieldKind::Side => self.name(Kind::Side, value),
            FieldKind::Body => self.body_value(value),
            FieldKind::Piece => self.name(Kind::Piece, value),
            FieldKind::Word => self.name(Kind::Word, value),
        }
    }

    /// A local.
    pub(super) fn local_value(&self, ty: &FieldType, words: &[i32]) -> NamedValue {
        let first = words.first().copied().unwrap_or_default();
        let rest = words.get(1..).unwrap_or_default();
        let several = |item: &FieldType, words: &[i32], count: usize| {
            let items = words.chunks(item.words().max(1)).take(count);
            NamedValue::List(items.map(|words| self.local_value(item, words)).collect())
        };
        match ty {
            FieldType::One(LocalType::Int) => NamedValue::Number(first),
            FieldType::One(LocalType::Flag) => self.cell_value(&ValueKind::Flag, first),
            FieldType::Choice(names) => match usize::try_from(first).ok().and_then(|n| names.get(n)) {
                Some(name) => NamedValue::Name((*name).to_owned()),
                None => NamedValue::Number(first),
            },
            FieldType::One(LocalType::Body) => self.body_value(first),
            FieldType::One(LocalType::Stack) => NamedValue::Number(first),
            FieldType::Option(_) if first == 0 => NamedValue::Nothing,
            FieldType::Option(inner) => match self.local_value(inner, rest) {
                // A value that looks like none or like this very list is wrapped up.
                value @ (NamedValue::Nothing | NamedValue::List(_)) => NamedValue::List(vec![value]),
                value => value,
            },
            FieldType::List(item, _) => several(item, rest, usize::try_from(first).unwrap_or_default()),
            FieldType::Array(item, count) => several(item, words, usize::from(*count)),
            FieldType::One(one) => match kind_of(*one) {
                Some(kind) => self.name(kind, first),
                None => NamedValue::Number(first),
            },
        }
    }
}

fn kind_of(ty: LocalType) -> Option<Kind> {
    Some(match ty {
        LocalType::Space => Kind::Space,
        LocalType::Link => Kind::Link,
        LocalType::Border => Kind::Border,
        LocalType::Place => Kind::Place,
        LocalType::Piece => Kind::Piece,
        LocalType::Side => Kind::Side,
        LocalType::Seat => Kind::Seat,
        LocalType::Word => Kind::Word,
        LocalType::Rule => Kind::Rule,
        _ => return None,
    })
}

impl Reader<'_> {
    fn odd(&mut self, at: &At<'_>, found: &NamedValue, right: &str) -> Option<i32> {
        self.bad(at, format!("found {}", found.shape()), format!("it should be {right}"));
        None
    }

    fn named(&mut self, at: &At<'_>, kind: Kind, value: &NamedValue) -> Option<i32> {
        match value {
            NamedValue::Name(name) => self.id(at, kind, name).map(i32::from),
            _ => self.odd(at, value, &format!("the name of a {}", kind.label())),
        }
    }

    fn body_word(&mut self, at: &At<'_>, value: &NamedValue) -> Option<i32> {
        match value {
            NamedValue::Name(name) => self.body(at, name).map(|body| i32::from(body.0)),
            _ => self.odd(at, value, "the name of a piece"),
        }
    }

    fn one_of(&mut self, at: &At<'_>, value: &NamedValue, names: &[&str]) -> Option<i32> {
        let NamedValue::Name(name) = value else {
            return self.odd(at, value, &format!("one of {}", names.join(", ")));
        };
        let found = names.iter().position(|n| n == name);
        if found.is_none() {
            let right = crate::suggest::instead(name, names.iter().copied());
            self.bad(at, format!("`{name}` is no choice here"), right);
        }
        found.map(|n| n as i32)
    }

    /// A value of a column, within its bounds.
    pub(super) fn cell_word(&mut self, at: &At<'_>, kind: &ValueKind, value: &NamedValue) -> Option<i32> {
        match (kind, value) {
            (ValueKind::Int { min, max }, NamedValue::Number(number)) if (min..=max).contains(&number) => {
                Some(*number)
            }
            (ValueKind::Int { min, max }, _) => self.odd(at, value, &format!("a number from {min} to {max}")),
            (ValueKind::Flag, NamedValue::Flag(flag)) => Some(i32::from(*flag)),
            (ValueKind::Flag, _) => self.odd(at, value, "true or false"),
            (ValueKind::Choice(words), _) => {
                let names: Vec<&str> = words.iter().map(|w| self.rb.word(*w)).collect();
                self.one_of(at, value, &names)
            }
            (ValueKind::Side | ValueKind::Space, NamedValue::Nothing) => Some(-1),
            (ValueKind::Side, _) => self.named(at, Kind::Side, value),
            (ValueKind::Space, _) => self.named(at, Kind::Space, value),
        }
    }

    /// A field of a record.
    pub(super) fn field_word(&mut self, at: &At<'_>, kind: FieldKind, value: &NamedValue) -> Option<i32> {
        match kind {
            FieldKind::Int => match value {
                NamedValue::Number(number) => Some(*number),
                _ => self.odd(at, value, "a number"),
            },
            FieldKind::Space => self.named(at, Kind::Space, value),
            FieldKind::Side => self.named(at, Kind::Side, value),
            FieldKind::Body => self.body_word(at, value),
            FieldKind::Piece => self.named(at, Kind::Piece, value),
            FieldKind::Word => self.named(at, Kind::Word, value),
        }
    }

    /// Appends the words of a local; of what is wrong with it zeros stand in.
    pub(super) fn local_words(&mut self, at: &At<'_>, ty: &FieldType, value: &NamedValue, out: &mut Words) {
        let blank = |count: usize, out: &mut Words| out.extend(std::iter::repeat_n(0, count));
        let word = match (ty, value) {
            (FieldType::One(LocalType::Int), NamedValue::Number(number)) => Some(*number),
            (FieldType::One(LocalType::Int), _) => self.odd(at, value, "a number"),
            (FieldType::One(LocalType::Flag), _) => self.cell_word(at, &ValueKind::Flag, value),
            (FieldType::Choice(names), _) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                self.one_of(at, value, &names)
            }
            (FieldType::One(LocalType::Body), _) => self.body_word(at, value),
            (FieldType::One(LocalType::Stack), NamedValue::Number(number))
                if (0..self.stacks as i32).contains(number) =>
            {
                Some(*number)
            }
            (FieldType::One(LocalType::Stack), _) => {
                let right = format!("the number of a stack; {} are in the snapshot", self.stacks);
                self.odd(at, value, &right)
            }
            (FieldType::Option(inner), NamedValue::Nothing) => {
                blank(1 + inner.words(), out);
                return;
            }
            (FieldType::Option(inner), _) => {
                out.push(1);
                match (&**inner, value) {
                    (
                        FieldType::Option(_) | FieldType::List(..) | FieldType::Array(..),
                        NamedValue::List(list),
                    ) if list.len() == 1 => {
                        self.local_words(at, inner, &list[0], out);
                    }
                    _ => self.local_words(at, inner, value, out),
                }
                return;
            }
            (FieldType::List(item, most), NamedValue::List(list)) if list.len() <= usize::from(*most) => {
                out.push(list.len() as i32);
                list.iter().enumerate().for_each(|(n, v)| self.local_words(&at.nth(n), item, v, out));
                blank((usize::from(*most) - list.len()) * item.words(), out);
                return;
            }
            (FieldType::Array(item, count), NamedValue::List(list)) if list.len() == usize::from(*count) => {
                list.iter().enumerate().for_each(|(n, v)| self.local_words(&at.nth(n), item, v, out));
                return;
            }
            (FieldType::List(..) | FieldType::Array(..), _) => {
                self.odd(at, value, &format!("a list: {ty}"));
                blank(ty.words(), out);
                return;
            }
            (FieldType::One(one), _) => match kind_of(*one) {
                Some(kind) => self.named(at, kind, value),
                None => None,
            },
        };
        out.push(word.unwrap_or_default());
    }
}

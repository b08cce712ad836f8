//! Declared columns and attributes as properties.

use std::sync::Arc;

use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::rulebook::{ColumnDef, Holder, ValueKind};
use adjutant_kernel::{AttributeId, ColumnId, Rulebook, SideId, SpaceId, WordId};
use mlua::Value;

use crate::api::{Api, Get};
use crate::fields::{integer, show, text};
use crate::handle::{Handle, Kind};
use crate::names::Names;
use crate::raw::{Slot, Small};

/// How a cell's number is a value of a script.
#[derive(Clone)]
pub(crate) enum Meaning {
    Number,
    Flag,
    Choice(Vec<WordId>),
    Side,
    Space,
}

impl Meaning {
    pub(crate) fn of(kind: &ValueKind) -> Self {
        match kind {
            ValueKind::Int { .. } => Self::Number,
            ValueKind::Flag => Self::Flag,
            ValueKind::Choice(words) => Self::Choice(words.clone()),
            ValueKind::Side => Self::Side,
            ValueKind::Space => Self::Space,
        }
    }

    /// The value that a number is.
    #[inline]
    pub(crate) fn value(&self, names: &Names, number: i32) -> Small {
        match self {
            Self::Number => Small::Number(number),
            Self::Flag => Small::Flag(number != 0),
            Self::Choice(words) => {
                words.get(number.max(0) as usize).map_or(Small::Nil, |word| names.word(*word))
            }
            Self::Side => u8::try_from(number).map_or(Small::Nil, |side| names.side(SideId(side))),
            Self::Space => Small::from(u16::try_from(number).ok().map(SpaceId)),
        }
    }

    /// The type as the definitions write it, for a value that may be nil.
    fn type_name(&self, rb: &Rulebook) -> String {
        match self {
            Self::Number => "number?".into(),
            Self::Flag => "boolean?".into(),
            Self::Choice(words) => {
                let words: Vec<String> = words.iter().map(|w| format!("{:?}", rb.word(*w))).collect();
                format!("({})?", words.join(" | "))
            }
            Self::Side => "Side?".into(),
            Self::Space => "Space?".into(),
        }
    }
}

/// How a column is read.
#[derive(Clone)]
pub(crate) struct CellRead {
    pub(crate) column: ColumnId,
    meaning: Meaning,
}

impl CellRead {
    pub(crate) fn new(column: ColumnId, def: &ColumnDef) -> Self {
        Self { column, meaning: Meaning::of(&def.kind) }
    }

    /// The value of a cell; nil when it is hidden.
    #[inline]
    pub(crate) fn read(&self, names: &Names, sight: &Lent<'_>, holder: u16, side: u8) -> Small {
        sight.cell(self.column, holder, side).map_or(Small::Nil, |value| self.meaning.value(names, value))
    }

    /// The number of a value on the bare stack; `None` for what is out of the way.
    pub(crate) fn number_on(&self, names: &Names, value: Slot) -> Option<i32> {
        Some(match &self.meaning {
            Meaning::Number => value.integer()?,
            Meaning::Flag => value.flag()?.into(),
            Meaning::Choice(words) => {
                let word = names.known(value)?.word?;
                words.iter().position(|w| *w == word)? as i32
            }
            Meaning::Side | Meaning::Space if value == Slot::Nil => -1,
            Meaning::Side => names.known(value)?.side?.0.into(),
            Meaning::Space => value.handle().filter(|h| h.kind == Kind::Space)?.id.into(),
        })
    }

    /// The number of a value.
    pub(crate) fn number(&self, rb: &Rulebook, value: &Value) -> Result<i32, String> {
        let found = || show(value);
        match &self.meaning {
            Meaning::Number => integer(value).ok_or_else(|| format!("takes a whole number, not {}", found())),
            Meaning::Flag => match value {
                Value::Boolean(flag) => Ok((*flag).into()),
                _ => Err(format!("takes true or false, not {}", found())),
            },
            Meaning::Choice(words) => {
                let wanted = text(value).and_then(|t| rb.word_named(&t));
                let at = words.iter().position(|w| Some(*w) == wanted);
                at.map(|n| n as i32).ok_or_else(|| {
                    let names: Vec<&str> = words.iter().map(|w| rb.word(*w)).collect();
                    format!("takes {}, not {}", names.join(", "), found())
                })
            }
            Meaning::Side => match value {
                Value::Nil => Ok(-1),
                _ => match text(value).and_then(|t| rb.side_named(&t)) {
                    Some(side) => Ok(side.0.into()),
                    None => Err(format!("takes a side or nil, not {}", found())),
                },
            },
            Meaning::Space => match value {
                Value::Nil => Ok(-1),
                Value::LightUserData(raw) => match Handle::from_raw(*raw) {
                    Some(Handle { kind: Kind::Space, id }) => Ok(id.into()),
                    _ => Err(format!("takes a space or nil, not {}", found())),
                },
                _ => Err(format!("takes a space or nil, not {}", found())),
            },
        }
    }

    /// The type as the definitions write it.
    pub(crate) fn type_name(&self, rb: &Rulebook) -> String {
        self.meaning.type_name(rb)
    }
}

/// The kind of thing whose property a column is; `None` for columns of the game, seats and choices.
pub(crate) fn kind_of(holder: Holder) -> Option<Kind> {
    match holder {
        Holder::Side => Some(Kind::Side),
        Holder::Piece | Holder::Body => Some(Kind::Unit),
        Holder::Space => Some(Kind::Space),
        Holder::Border => Some(Kind::Border),
        Holder::Link => Some(Kind::Link),
        Holder::Game | Holder::Seat | Holder::Choice => None,
    }
}

/// Makes columns and attributes properties.
pub(crate) fn install(api: &mut Api<'_>, rb: &Arc<Rulebook>) {
    for (n, def) in rb.columns().iter().enumerate() {
        let cell = CellRead::new(ColumnId(n as u16), def);
        let Some(kind) = kind_of(def.holder).filter(|_| !def.by_side) else { continue };
        let ty = cell.type_name(rb);
        let get = if def.holder == Holder::Piece { Get::PieceCell(cell) } else { Get::Cell(cell) };
        api.declared(kind, &def.name, &ty, "A column of the pack; nil when it is hidden.", get);
    }
    for (n, def) in rb.attributes().iter().enumerate() {
        let text = "An attribute of the pack; nil when there is none or the piece is not known.";
        let meaning = Meaning::of(&def.kind);
        let ty = meaning.type_name(rb);
        let id = AttributeId(n as u16);
        let printed = Get::Printed(id, meaning.clone());
        api.declared(Kind::Unit, &def.name, &ty, text, Get::Attribute(id, meaning));
        api.declared(
            Kind::Piece,
            &def.name,
            &ty,
            "An attribute of the pack; nil when there is none.",
            printed,
        );
    }
}

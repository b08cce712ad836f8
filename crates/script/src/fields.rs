//! The types of locals as scripts write them, and of declared values between words and Luau.
//!
//! ```luau
//! locals = {
//!     at = "space",
//!     stance = "hold | fall_back",
//!     spared = "unit?",
//!     waiting = "unit[8]",
//!     orders = "sides space?",
//! }
//! ```

use std::sync::Arc;

use adjutant_kernel::locals::{Field, FieldType, LocalClass, LocalType, Words};
use adjutant_kernel::{
    BodyId, BorderId, LinkId, PieceId, PlaceId, RuleId, Rulebook, SeatId, SideId, SpaceId, StackId, WordId,
};
use mlua::{Lua, Value};

use crate::handle::{Handle, Kind};
use crate::names::Names;
use crate::problem::suggest;
use crate::raw::{Slot, Small, Things};

const ONES: [(&str, LocalType); 14] = [
    ("number", LocalType::Int),
    ("flag", LocalType::Flag),
    ("space", LocalType::Space),
    ("link", LocalType::Link),
    ("border", LocalType::Border),
    ("place", LocalType::Place),
    ("unit", LocalType::Body),
    ("stack", LocalType::Stack),
    ("piece", LocalType::Piece),
    ("side", LocalType::Side),
    ("seat", LocalType::Seat),
    ("word", LocalType::Word),
    ("rule", LocalType::Rule),
    ("turn", LocalType::Int),
];

/// Reads a declared local: `[owner|sides|hidden] type`.
pub(crate) fn parse(name: &str, text: &str, sides: usize) -> Result<Field, String> {
    let text = text.trim();
    let (class, rest) = match text.split_once(' ') {
        Some(("owner", rest)) => (LocalClass::Owner, rest),
        Some(("sides", rest)) => (LocalClass::Sides, rest),
        Some(("hidden", rest)) => (LocalClass::Hidden, rest),
        _ => (LocalClass::Public, text),
    };
    let ty = parse_type(rest.trim()).map_err(|e| format!("local `{name}`: {e}"))?;
    let ty = match class {
        LocalClass::Sides => FieldType::Array(Arc::new(ty), u8::try_from(sides.max(1)).unwrap_or(14)),
        LocalClass::Public | LocalClass::Owner | LocalClass::Hidden => ty,
    };
    if ty.words() > 512 {
        return Err(format!("local `{name}` takes {} words; 512 are possible", ty.words()));
    }
    Ok(Field::new(name, ty, class))
}

fn parse_type(text: &str) -> Result<FieldType, String> {
    if let Some(inner) = text.strip_suffix('?') {
        return Ok(FieldType::Option(Arc::new(parse_type(inner.trim())?)));
    }
    if let Some((item, most)) = text.strip_suffix(']').and_then(|t| t.rsplit_once('[')) {
        let most = most.trim().parse::<u8>().ok().filter(|m| *m > 0);
        let most = most.ok_or_else(|| format!("`{text}`: a list holds 1 to 255 items, as in \"unit[8]\""))?;
        return Ok(FieldType::List(Arc::new(parse_type(item.trim())?), most));
    }
    let text = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).map_or(text, str::trim);
    if text.contains('|') {
        let names: Vec<String> = text.split('|').map(|n| n.trim().to_owned()).collect();
        return match names.iter().find(|n| !is_word(n)) {
            Some(bad) => Err(format!("`{bad}` is no name of a choice")),
            None => Ok(FieldType::Choice(names.into())),
        };
    }
    match ONES.iter().find(|(name, _)| *name == text) {
        Some((_, one)) => Ok(FieldType::One(*one)),
        None => Err(format!("unknown type `{text}`{}", suggest(text, ONES.iter().map(|(n, _)| *n)))),
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// What a type is called in texts.
pub(crate) fn describe(ty: &FieldType) -> String {
    match ty {
        FieldType::One(one) => ONES.iter().find(|(_, o)| o == one).map_or("value", |(n, _)| n).to_owned(),
        FieldType::Choice(names) => format!("one of {}", names.join(", ")),
        FieldType::Option(inner) => format!("{} or nil", describe(inner)),
        FieldType::List(inner, most) => format!("a list of at most {most} ({})", describe(inner)),
        FieldType::Array(inner, _) => format!("a table by side ({})", describe(inner)),
    }
}

/// Whether a frame may begin without this local.
pub(crate) fn may_be_absent(ty: &FieldType) -> bool {
    match ty {
        FieldType::One(LocalType::Int | LocalType::Flag) => true,
        FieldType::One(_) => false,
        FieldType::Choice(_) | FieldType::Option(_) | FieldType::List(..) => true,
        FieldType::Array(inner, _) => may_be_absent(inner),
    }
}

/// The value that words are.
pub(crate) fn decode(
    lua: &Lua,
    rb: &Rulebook,
    names: &Names,
    ty: &FieldType,
    words: &[i32],
) -> mlua::Result<Value> {
    let first = words.first().copied().unwrap_or_default();
    Ok(match ty {
        FieldType::One(one) => names.value(decode_one(rb, names, *one, first)),
        FieldType::Choice(list) => match list.get(first.max(0) as usize) {
            Some(name) => names.word_text(lua, rb, name)?,
            None => Value::Nil,
        },
        FieldType::Option(inner) => match first {
            0 => Value::Nil,
            _ => decode(lua, rb, names, inner, words.get(1..).unwrap_or_default())?,
        },
        FieldType::List(inner, _) => {
            let table = lua.create_table()?;
            let each = inner.words().max(1);
            let items = words.get(1..).unwrap_or_default().chunks_exact(each);
            for item in items.take(first.max(0) as usize) {
                table.raw_push(decode(lua, rb, names, inner, item)?)?;
            }
            Value::Table(table)
        }
        FieldType::Array(inner, _) => {
            let table = lua.create_table()?;
            for (side, item) in rb.side_ids().zip(words.chunks_exact(inner.words().max(1))) {
                table.raw_set(names.value(names.side(side)), decode(lua, rb, names, inner, item)?)?;
            }
            Value::Table(table)
        }
    })
}

/// The value that words are, when it needs no memory.
#[inline]
pub(crate) fn decode_small(rb: &Rulebook, names: &Names, ty: &FieldType, words: &[i32]) -> Option<Small> {
    let first = words.first().copied().unwrap_or_default();
    match ty {
        FieldType::One(one) => Some(decode_one(rb, names, *one, first)),
        FieldType::Choice(list) => {
            let word = list.get(first.max(0) as usize).and_then(|name| rb.word_named(name));
            word.map(|word| names.word(word))
        }
        FieldType::Option(_) if first == 0 => Some(Small::Nil),
        FieldType::Option(inner) => decode_small(rb, names, inner, words.get(1..)?),
        FieldType::List(..) | FieldType::Array(..) => None,
    }
}

/// The things that words are, when they are a list of nothing else.
pub(crate) fn decode_things(rb: &Rulebook, names: &Names, ty: &FieldType, words: &[i32]) -> Option<Things> {
    let FieldType::List(inner, _) = ty else { return None };
    let count = (*words.first()?).max(0) as usize;
    let items = words.get(1..)?.chunks_exact(inner.words().max(1)).take(count);
    items
        .map(|item| match decode_small(rb, names, inner, item)? {
            Small::Handle(handle) => Some(handle),
            _ => None,
        })
        .collect()
}

/// Appends the words of a value on the bare stack; `None`, with nothing of use appended, for what is out of the way.
pub(crate) fn encode_small(
    rb: &Rulebook,
    names: &Names,
    ty: &FieldType,
    value: Slot,
    out: &mut Words,
) -> Option<()> {
    let thing = |kind: Kind| value.handle().filter(|h| h.kind == kind).map(|h| i32::from(h.id));
    let word = match ty {
        FieldType::One(LocalType::Int) => value.integer()?,
        FieldType::One(LocalType::Flag) => value.flag()?.into(),
        FieldType::One(LocalType::Space) => thing(Kind::Space)?,
        FieldType::One(LocalType::Link) => thing(Kind::Link)?,
        FieldType::One(LocalType::Border) => thing(Kind::Border)?,
        FieldType::One(LocalType::Body) => thing(Kind::Unit)?,
        FieldType::One(LocalType::Stack) => thing(Kind::Stack)?,
        FieldType::One(LocalType::Piece) => thing(Kind::Piece)?,
        FieldType::One(LocalType::Place) => value.handle()?.place(rb)?.0.into(),
        FieldType::One(LocalType::Side) => names.known(value)?.side?.0.into(),
        FieldType::One(LocalType::Seat) => names.known(value)?.seat?.0.into(),
        FieldType::One(LocalType::Word) => names.known(value)?.word?.0.into(),
        FieldType::One(LocalType::Rule) => names.known(value)?.rule?.0.into(),
        FieldType::One(_) | FieldType::List(..) | FieldType::Array(..) => return None,
        FieldType::Choice(list) => {
            let wanted = rb.word(names.known(value)?.word?);
            list.iter().position(|name| name == wanted)? as i32
        }
        FieldType::Option(inner) if value == Slot::Nil => {
            blank(1 + inner.words(), out);
            return Some(());
        }
        FieldType::Option(inner) => {
            out.push(1);
            return encode_small(rb, names, inner, value, out);
        }
    };
    out.push(word);
    Some(())
}

fn decode_one(rb: &Rulebook, names: &Names, one: LocalType, word: i32) -> Small {
    let id = u16::try_from(word).ok();
    let within = |count: usize| id.filter(|n| usize::from(*n) < count);
    let board = rb.board();
    let handle = |kind: Kind, id: Option<u16>| Small::from(id.map(|id| Handle { kind, id }));
    match one {
        LocalType::Int => Small::Number(word),
        LocalType::Flag => Small::Flag(word != 0),
        LocalType::Space => handle(Kind::Space, within(board.space_count())),
        LocalType::Link => handle(Kind::Link, within(board.link_count())),
        LocalType::Border => handle(Kind::Border, within(board.border_count())),
        LocalType::Place => {
            Small::from(within(board.place_count()).map(|p| Handle::of_place(rb, PlaceId(p))))
        }
        LocalType::Body => handle(Kind::Unit, within(rb.pieces().len())),
        LocalType::Stack => handle(Kind::Stack, id),
        LocalType::Piece => handle(Kind::Piece, within(rb.pieces().len())),
        LocalType::Side => within(rb.sides().len()).map_or(Small::Nil, |s| names.side(SideId(s as u8))),
        LocalType::Seat => within(rb.seats().len()).map_or(Small::Nil, |s| names.seat(SeatId(s as u8))),
        LocalType::Word => id.map_or(Small::Nil, |w| names.word(WordId(w))),
        LocalType::Rule => id.map_or(Small::Nil, |r| names.rule(RuleId(r))),
        LocalType::Choice(_) | LocalType::Option(_) | LocalType::List(..) | LocalType::Array(..) => {
            Small::Nil
        }
    }
}

/// Appends the words of a value.
pub(crate) fn encode(rb: &Rulebook, ty: &FieldType, value: &Value, out: &mut Words) -> Result<(), String> {
    let wrong = || format!("expected {}, found {}", describe(ty), show(value));
    match ty {
        FieldType::One(one) => out.push(encode_one(rb, *one, value).ok_or_else(wrong)?),
        FieldType::Choice(list) => {
            let at = text(value).and_then(|t| list.iter().position(|n| *n == t)).ok_or_else(wrong)?;
            out.push(at as i32);
        }
        FieldType::Option(inner) => {
            if value.is_nil() {
                blank(1 + inner.words(), out);
            } else {
                out.push(1);
                encode(rb, inner, value, out).map_err(|e| e.replacen(", found", " or nil, found", 1))?;
            }
        }
        FieldType::List(inner, most) => {
            let Value::Table(table) = value else { return Err(wrong()) };
            let count = table.raw_len();
            if count > usize::from(*most) {
                return Err(format!("the list has {count} items; it holds {most} at most"));
            }
            out.push(count as i32);
            for n in 1..=count {
                encode(rb, inner, &table.raw_get(n).map_err(|e| e.to_string())?, out)?;
            }
            blank((usize::from(*most) - count) * inner.words(), out);
        }
        FieldType::Array(inner, _) => {
            let Value::Table(table) = value else { return Err(wrong()) };
            for side in rb.sides() {
                encode(rb, inner, &table.raw_get(side.as_str()).map_err(|e| e.to_string())?, out)?;
            }
        }
    }
    Ok(())
}

fn encode_one(rb: &Rulebook, one: LocalType, value: &Value) -> Option<i32> {
    let handle = |kind: Kind| match value {
        Value::LightUserData(raw) => Handle::from_raw(*raw).filter(|h| h.kind == kind).map(|h| h.id.into()),
        _ => None,
    };
    match one {
        LocalType::Int => integer(value),
        LocalType::Flag => match value {
            Value::Boolean(flag) => Some((*flag).into()),
            _ => None,
        },
        LocalType::Space => handle(Kind::Space),
        LocalType::Link => handle(Kind::Link),
        LocalType::Border => handle(Kind::Border),
        LocalType::Place => match value {
            Value::LightUserData(raw) => Handle::from_raw(*raw)?.place(rb).map(|p| p.0.into()),
            _ => None,
        },
        LocalType::Body => handle(Kind::Unit),
        LocalType::Stack => handle(Kind::Stack),
        LocalType::Piece => handle(Kind::Piece),
        LocalType::Side => rb.side_named(&text(value)?).map(|s| s.0.into()),
        LocalType::Seat => rb.seat_named(&text(value)?).map(|s| s.0.into()),
        LocalType::Word => rb.word_named(&text(value)?).map(|w| w.0.into()),
        LocalType::Rule => rb.rule_named(&text(value)?).map(|r| r.0.into()),
        LocalType::Choice(_) | LocalType::Option(_) | LocalType::List(..) | LocalType::Array(..) => None,
    }
}

fn blank(count: usize, out: &mut Words) {
    out.extend(std::iter::repeat_n(0, count));
}

/// A whole number that fits.
pub(crate) fn integer(value: &Value) -> Option<i32> {
    match value {
        Value::Integer(n) => i32::try_from(*n).ok(),
        Value::Number(n) if n.fract() == 0.0 && n.abs() <= f64::from(i32::MAX) => Some(*n as i32),
        _ => None,
    }
}

/// A text.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.to_str().ok().map(|t| t.to_owned()),
        _ => None,
    }
}

/// A value as messages show it.
pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", text.to_string_lossy().chars().take(40).collect::<String>()),
        Value::Integer(n) => n.to_string(),
        Value::Number(n) => n.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::LightUserData(raw) => Handle::from_raw(*raw).map_or("nothing", |h| h.kind.name()).to_owned(),
        other => other.type_name().to_owned(),
    }
}

/// Ids that words of frames may be: asserts at compile time that they are as wide as handles.
const _: fn(BodyId, SpaceId, LinkId, BorderId, StackId, PieceId) -> [u16; 6] =
    |a, b, c, d, e, f| [a.0, b.0, c.0, d.0, e.0, f.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        for (text, words, class) in [
            ("number", 1, LocalClass::Public),
            ("space?", 2, LocalClass::Public),
            ("unit[8]", 9, LocalClass::Public),
            ("hold | fall_back", 1, LocalClass::Public),
            ("(hold | go)?", 2, LocalClass::Public),
            ("hidden number", 1, LocalClass::Hidden),
            ("sides space?", 4, LocalClass::Sides),
        ] {
            let field = parse("x", text, 2).unwrap();
            assert_eq!((field.ty.words(), field.class), (words, class), "{text}");
        }
        for (text, message) in [
            ("spice", "local `x`: unknown type `spice`; did you mean `space`?"),
            ("unit[0]", "local `x`: `unit[0]`: a list holds 1 to 255 items, as in \"unit[8]\""),
            ("a | b c", "local `x`: `b c` is no name of a choice"),
            ("unit[8][200]", "local `x` takes 1801 words; 512 are possible"),
        ] {
            assert_eq!(parse("x", text, 2).unwrap_err(), message);
        }
    }
}

//! Values between Rust and Luau.

use mlua::{Lua, Value};
use serde_json::Value as Json;

/// A failure of a test, or of how it is written.
pub(crate) fn fail<T>(text: impl Into<String>) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text.into()))
}

/// A value of Luau as people read it.
pub(crate) fn show(value: &Value) -> String {
    shown(value, 0)
}

fn shown(value: &Value, depth: usize) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("\"{}\"", text.to_string_lossy()),
        Value::Table(_) if depth > 3 => "{ .. }".to_owned(),
        Value::Table(table) => {
            let mut parts = Vec::new();
            let length = table.raw_len();
            for pair in table.pairs::<Value, Value>().flatten() {
                let (key, value) = pair;
                let text = shown(&value, depth + 1);
                match &key {
                    Value::Integer(n) if (1..=length as i64).contains(n) => parts.push((*n, text)),
                    Value::Number(n) if *n >= 1.0 && *n <= length as f64 => parts.push((*n as i64, text)),
                    Value::String(name) => {
                        parts.push((i64::MAX, format!("{} = {text}", name.to_string_lossy())));
                    }
                    other => parts.push((i64::MAX, format!("[{}] = {text}", shown(other, depth + 1)))),
                }
            }
            parts.sort();
            let parts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
            if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
        }
        Value::Function(_) => "a function".to_owned(),
        _ => "a value".to_owned(),
    }
}

/// Parts of tables that are compared, at most: they may hold one another, and then there is no end.
const MOST_PARTS: usize = 100_000;
/// Tables within tables that are compared, at most.
const DEEPEST: usize = 64;

/// Whether two values are the same, tables by what is in them.
pub(crate) fn same(a: &Value, b: &Value) -> mlua::Result<bool> {
    let mut left = MOST_PARTS;
    alike(a, b, 0, &mut left)
}

fn alike(a: &Value, b: &Value, depth: usize, left: &mut usize) -> mlua::Result<bool> {
    let (a, b) = match (a, b) {
        (Value::Table(a), Value::Table(b)) if a.to_pointer() != b.to_pointer() => (a, b),
        (Value::Integer(a), Value::Number(b)) | (Value::Number(b), Value::Integer(a)) => {
            return Ok(*a as f64 == *b);
        }
        (a, b) => return Ok(a == b),
    };
    if depth == DEEPEST {
        return fail("these tables are too deep to compare; do they hold one another?");
    }
    let mut parts = [0, 0];
    for pair in a.pairs::<Value, Value>() {
        let (key, value) = pair?;
        *left = left.checked_sub(1).map_or_else(|| fail("these tables are too large to compare"), Ok)?;
        parts[0] += 1;
        if !alike(&value, &b.raw_get::<Value>(key)?, depth + 1, left)? {
            return Ok(false);
        }
    }
    // What the other has besides.
    for pair in b.pairs::<Value, Value>() {
        pair?;
        parts[1] += 1;
    }
    Ok(parts[0] == parts[1])
}

/// Data as a table of Luau; nothing is nil.
pub(crate) fn to_lua(lua: &Lua, value: &Json) -> mlua::Result<Value> {
    Ok(match value {
        Json::Null => Value::Nil,
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Number(number as f64),
            None => Value::Number(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::String(lua.create_string(text)?),
        Json::Array(list) => {
            let table = lua.create_table()?;
            for (n, item) in list.iter().enumerate() {
                table.raw_set(n + 1, to_lua(lua, item)?)?;
            }
            Value::Table(table)
        }
        Json::Object(map) => {
            let table = lua.create_table()?;
            for (name, item) in map {
                table.raw_set(name.as_str(), to_lua(lua, item)?)?;
            }
            Value::Table(table)
        }
    })
}

/// Something as data.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Json {
    // Views, events and actions are names, numbers and lists of them: they always have a JSON form.
    serde_json::to_value(value).unwrap_or_default()
}

/// A text, or a number as one: places are often numbers on the map.
pub(crate) fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_str().ok()?.to_owned()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Number(number) if number.fract() == 0.0 => Some(format!("{number:.0}")),
        _ => None,
    }
}

/// A text that must be one.
pub(crate) fn name(value: &Value, what: &str) -> mlua::Result<String> {
    word(value).map_or_else(|| fail(format!("{what} is a name, not {}", show(value))), Ok)
}

//! RON as a tree in which every value knows where it stands.

use crate::source::Span;

/// A value with its place.
///
/// ```
/// use adjutant_pack::source::FileId;
/// use adjutant_pack::tree::{Node, parse};
/// let node: Node = parse(FileId(0), r#"( die: "1d6", rows: [0, 1] )"#, &mut Vec::new());
/// assert_eq!(node.field("die").unwrap().node.text(), Some("1d6"));
/// let moved = parse(FileId(0), r#"(die:"1d6",rows:[0,1])"#, &mut Vec::new());
/// assert!(node.same(&moved) && node.span != moved.span);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// What a value is.
///
/// ```
/// use adjutant_pack::source::FileId;
/// use adjutant_pack::tree::{Value, parse};
/// let value = |text| parse(FileId(0), text, &mut Vec::new()).value;
/// assert_eq!((value("3"), value("true")), (Value::Number(3), Value::Flag(true)));
/// assert!(matches!(value("Clamp"), Value::Tuple { name: Some(name), items } if name == "Clamp" && items.is_empty()));
/// assert_eq!(value("#"), Value::Broken); // and the problem is reported
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A number with a fraction, or one that is too large, as it is written.
    Decimal(String),
    /// A text (or a character).
    Text(String),
    /// `[..]`.
    List(Vec<Node>),
    /// `{ key: value }`, `(field: value)` or `Name(field: value)`.
    Fields(Fields),
    /// `(a, b)`, `Name(a, b)`, `Name` or `()`.
    Tuple {
        /// The name before it.
        name: Option<String>,
        /// The values.
        items: Vec<Node>,
    },
    /// Something that could not be read; the problem was reported.
    Broken,
}

/// Named values: a map or a struct.
///
/// ```
/// use adjutant_pack::source::FileId;
/// use adjutant_pack::tree::{Fields, Value, parse};
/// let node = parse(FileId(0), r#"Phase(name: "march", run: "act")"#, &mut Vec::new());
/// let Value::Fields(Fields { name, braces, list }) = node.value else { panic!() };
/// assert_eq!((name.as_deref(), braces, list.len()), (Some("Phase"), false, 2));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fields {
    /// The name before them.
    pub name: Option<String>,
    /// Whether they stand in `{ }`.
    pub braces: bool,
    /// The values in order.
    pub list: Vec<Field>,
}

/// A named value.
///
/// ```
/// use adjutant_pack::source::FileId;
/// use adjutant_pack::tree::{Field, parse};
/// let node = parse(FileId(0), r#"{ "fire": 1, "rout": 2 }"#, &mut Vec::new());
/// let rout: &Field = &node.fields()[1];
/// assert_eq!((rout.key.as_str(), rout.key_span.range(), rout.node.to_string().as_str()), ("rout", 13..19, "2"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The name (the key of a map, as text).
    pub key: String,
    /// Where the name stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Flag(_) => "`true` or `false`",
            Value::Number(_) => "a whole number",
            Value::Decimal(_) => "a decimal number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Fields(f) if f.braces => "a map",
            Value::Fields(f) if f.name.is_some() => "a named struct",
            Value::Fields(_) => "a struct",
            Value::Tuple { name: Some(_), items } if items.is_empty() => "a bare word",
            Value::Tuple { name: Some(_), .. } => "a named tuple",
            Value::Tuple { items, .. } if items.is_empty() => "an empty `()`",
            Value::Tuple { .. } => "a tuple",
            Value::Broken => "nothing readable",
        }
    }

    /// The named value, if it is a map or struct that has it.
    pub fn field(&self, key: &str) -> Option<&Field> {
        match &self.value {
            Value::Fields(fields) => fields.get(key),
            _ => None,
        }
    }

    /// The named values, if it is a map or struct; `()` has none.
    pub fn fields(&self) -> &[Field] {
        match &self.value {
            Value::Fields(fields) => &fields.list,
            _ => &[],
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it says the same, wherever it stands and however it is written.
    pub fn same(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::List(a), Value::List(b)) => all_same(a, b),
            (Value::Fields(a), Value::Fields(b)) => {
                a.list.len() == b.list.len()
                    && a.list.iter().all(|f| b.get(&f.key).is_some_and(|g| f.node.same(&g.node)))
            }
            (Value::Tuple { name, items }, Value::Tuple { name: other, items: others }) => {
                name == other && all_same(items, others)
            }
            (a, b) => a == b,
        }
    }
}

fn all_same(a: &[Node], b: &[Node]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
}

impl Fields {
    /// The value with a name.
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.list.iter().find(|f| f.key == key)
    }
}

impl std::fmt::Display for Node {
    /// As RON, on one line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.value {
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Decimal(text) => f.write_str(text),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::List(items) => {
                f.write_str("[")?;
                joined(f, items, |f, item| write!(f, "{item}"))?;
                f.write_str("]")
            }
            Value::Fields(fields) => {
                let (open, close) = if fields.braces { ("{ ", " }") } else { ("(", ")") };
                write!(f, "{}{open}", fields.name.as_deref().unwrap_or_default())?;
                joined(f, &fields.list, |f, field| {
                    if fields.braces {
                        write!(f, "{:?}: {}", field.key, field.node)
                    } else {
                        write!(f, "{}: {}", field.key, field.node)
                    }
                })?;
                f.write_str(close)
            }
            Value::Tuple { name, items } => {
                f.write_str(name.as_deref().unwrap_or_default())?;
                if name.is_some() && items.is_empty() {
                    return Ok(());
                }
                f.write_str("(")?;
                joined(f, items, |f, item| write!(f, "{item}"))?;
                f.write_str(")")
            }
            Value::Broken => f.write_str("?"),
        }
    }
}

fn joined<T>(
    f: &mut std::fmt::Formatter<'_>,
    items: &[T],
    mut one: impl FnMut(&mut std::fmt::Formatter<'_>, &T) -> std::fmt::Result,
) -> std::fmt::Result {
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            f.write_str(", ")?;
        }
        one(f, item)?;
    }
    Ok(())
}

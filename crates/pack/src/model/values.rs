//! Types of values, and values of those types.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::read::{FromNode, Name, Reading, variants};
use crate::tree::{Node, Value};

variants! {
    /// What values an attribute or column may have.
    pub enum Values {
        /// A whole number, `Int(least, greatest)`.
        Int((i32, i32)),
        /// `true` or `false`.
        Flag,
        /// One of these words.
        Choice(Vec<Name>),
        /// A side, or `None`.
        Side,
        /// A space, or `None`.
        Space,
    }
}

/// A plain value: a number, `true` or `false`, or a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A number.
    Number(i32),
    /// `true` or `false`.
    Flag(bool),
    /// A name.
    Text(String),
    /// `None`.
    None,
}

impl FromNode for Scalar {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        match &node.value {
            Value::Number(_) => i32::from_node(node, cx).map(Self::Number),
            Value::Flag(flag) => Some(Self::Flag(*flag)),
            Value::Text(text) => Some(Self::Text(text.clone())),
            Value::Tuple { name: Some(name), items } if name == "None" && items.is_empty() => {
                Some(Self::None)
            }
            _ => cx.wrong_type(node, "a number, `true` or `false`, or a text"),
        }
    }
}

impl JsonSchema for Scalar {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A plain value: a number, `true` or `false`, or a name.",
            "type": ["integer", "boolean", "string", "null"],
        })
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::None => f.write_str("None"),
        }
    }
}

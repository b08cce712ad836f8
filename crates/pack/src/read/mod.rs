//! The model read from trees: every problem of an entry is reported, not only its first.

mod schema;
mod words;

use std::ops::Deref;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::suggest;
use crate::tree::{Field, Node, Value};

use words::said;

/// A value with the place where it stands.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack};
/// use adjutant_pack::read::Spanned;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let pack = LoadedPack::read(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let format: &Spanned<u32> = &pack.model.pack.as_ref().unwrap().format;
/// assert_eq!(format.value, 1);
/// assert_eq!(pack.layers.sources.text(format.span), "1");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spanned<T> {
    /// Where.
    pub span: Span,
    /// What.
    pub value: T,
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A name or reference with the place where it stands.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack};
/// use adjutant_pack::read::Name;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let pack = LoadedPack::read(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let id: &Name = &pack.model.pack.as_ref().unwrap().id;
/// assert_eq!(id.as_str(), "tiny");
/// assert!(pack.layers.sources.place(id.span).ends_with("pack.ron:3:9")); // line and column
/// ```
pub type Name = Spanned<String>;

/// Named values in order, with the places of their names.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let pack = LoadedPack::read(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let tables = &pack.model.tables; // `Entries<Table>`
/// let names: Vec<&str> = tables.names().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["fire", "odds", "weather"]); // as they are written
/// assert!(tables.get("fire").unwrap().roll.is_some() && tables.get("fier").is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Entries<T> {
    list: Vec<(Name, T)>,
    /// Names whose values could not be read.
    broken: Vec<Name>,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self { list: Vec::new(), broken: Vec::new() }
    }
}

impl<T> Entries<T> {
    /// All that could be read.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &T)> {
        self.list.iter().map(|(name, value)| (name, value))
    }

    /// All values that could be read.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.list.iter().map(|(_, value)| value)
    }

    /// All names, those of values that could not be read too.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.list.iter().map(|(name, _)| name).chain(&self.broken)
    }

    /// The value with a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.list.iter().find(|(n, _)| n.value == name).map(|(_, value)| value)
    }

    /// The place of a name.
    pub fn place(&self, name: &str) -> Option<Span> {
        self.names().find(|n| n.value == name).map(|n| n.span)
    }

    /// How many could be read.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no names at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.broken.is_empty()
    }

    /// Adds a value.
    pub(crate) fn push(&mut self, name: Name, value: Option<T>) {
        match value {
            Some(value) => self.list.push((name, value)),
            None => self.broken.push(name),
        }
    }
}

/// Where reading is, and what was found wrong.
#[derive(Default)]
pub(crate) struct Reading {
    path: Vec<String>,
    /// The problems found.
    pub(crate) problems: Vec<Diagnostic>,
}

impl Reading {
    /// Reads a value that is called `part` where it stands.
    pub(crate) fn within<T>(&mut self, part: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(part.replace('~', "~0").replace('/', "~1"));
        let value = read(self);
        self.path.pop();
        value
    }

    /// Notes a problem where reading is.
    pub(crate) fn problem(&mut self, problem: Diagnostic) {
        let path = self.path.join("/");
        self.problems.push(if problem.path.is_empty() { problem.at(path) } else { problem });
    }

    /// Notes that a value is of the wrong type.
    pub(crate) fn wrong_type<T>(&mut self, node: &Node, expected: &str) -> Option<T> {
        if node.value != Value::Broken {
            let named = self.path.iter().rev().find(|p| p.parse::<usize>().is_err());
            let field = named.map_or("this", String::as_str);
            let found = match &node.value {
                Value::Text(_) => format!("the text {node}"),
                Value::Number(_) | Value::Decimal(_) => format!("the number {node}"),
                Value::Flag(_) => format!("`{node}`"),
                Value::Tuple { name: Some(name), items } if items.is_empty() => format!("the word `{name}`"),
                _ => node.kind().to_owned(),
            };
            let message = format!("`{field}` takes {expected}, not {found}");
            self.problem(
                Diagnostic::error("wrong-type", node.span, message).label(format!("expected {expected}")),
            );
        }
        None
    }
}

/// Something that can be read from a tree.
pub(crate) trait FromNode: Sized {
    /// Reads it; problems are noted, and `None` means that there were some.
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self>;
}

impl FromNode for Node {
    fn from_node(node: &Node, _: &mut Reading) -> Option<Self> {
        (node.value != Value::Broken).then(|| node.clone())
    }
}

impl FromNode for bool {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        match node.value {
            Value::Flag(flag) => Some(flag),
            _ => cx.wrong_type(node, "`true` or `false`"),
        }
    }
}

impl FromNode for String {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Tuple { name: Some(name), items } if items.is_empty() => {
                let problem =
                    Diagnostic::error("wrong-type", node.span, format!("`{name}` stands without quotes"));
                cx.problem(problem.label("expected a text").help(format!("write \"{name}\"")));
                None
            }
            _ => cx.wrong_type(node, "a text"),
        }
    }
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl FromNode for $ty {
            fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
                let expected = || format!("a whole number from {} to {}", <$ty>::MIN, <$ty>::MAX);
                match &node.value {
                    Value::Number(number) => match <$ty>::try_from(*number) {
                        Ok(number) => Some(number),
                        Err(_) => cx.wrong_type(node, &expected()),
                    },
                    Value::Decimal(_) => cx.wrong_type(node, &expected()),
                    _ => cx.wrong_type(node, "a whole number"),
                }
            }
        }
    )*};
}

numbers!(i32 u8 u16 u32);

impl<T: FromNode> FromNode for Box<T> {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        T::from_node(node, cx).map(Box::new)
    }
}

impl<T: FromNode> FromNode for Spanned<T> {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        let value = T::from_node(node, cx)?;
        // What a text with a place is, is a name - but where it says where something comes from.
        if let Some(text) = node.text().filter(|_| !cx.path.iter().any(|part| part == "source")) {
            one_line(text, node.span, cx);
        }
        Some(Self { span: node.span, value })
    }
}

impl<T: FromNode> FromNode for Option<T> {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        match &node.value {
            Value::Tuple { name: Some(name), items } => match (name.as_str(), items.as_slice()) {
                ("None", []) => Some(None),
                ("Some", [item]) => T::from_node(item, cx).map(Some),
                _ => T::from_node(node, cx).map(Some),
            },
            _ => T::from_node(node, cx).map(Some),
        }
    }
}

impl<T: FromNode> FromNode for Vec<T> {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        let Value::List(items) = &node.value else { return cx.wrong_type(node, "a list `[..]`") };
        let read = |(n, item): (usize, &Node)| {
            cx.within(&n.to_string(), |cx| match item.value {
                Value::Broken => None,
                _ => T::from_node(item, cx),
            })
        };
        // What could not be read was reported; the rest is kept, so that the checks go on.
        Some(items.iter().enumerate().filter_map(read).collect())
    }
}

impl<A: FromNode, B: FromNode> FromNode for (A, B) {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        match &node.value {
            Value::Tuple { name: None, items } if items.len() == 2 => {
                let a = cx.within("0", |cx| A::from_node(&items[0], cx));
                let b = cx.within("1", |cx| B::from_node(&items[1], cx));
                Some((a?, b?))
            }
            _ => cx.wrong_type(node, "two values `(a, b)`"),
        }
    }
}

impl<T: FromNode> FromNode for Entries<T> {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        let list = match &node.value {
            Value::Fields(fields) if fields.braces => &fields.list,
            _ => return cx.wrong_type(node, "a map `{ \"name\": value }`"),
        };
        let mut entries = Self::default();
        let mut first = std::collections::HashMap::new();
        for field in list {
            let name = Spanned { span: field.key_span, value: field.key.clone() };
            if field.key.trim().is_empty() {
                cx.problem(Diagnostic::error("empty-name", field.key_span, "a name is empty"));
            }
            one_line(&field.key, field.key_span, cx);
            if duplicate(field, &mut first, cx) {
                continue;
            }
            let value = cx.within(&field.key, |cx| T::from_node(&field.node, cx));
            entries.push(name, value);
        }
        Some(entries)
    }
}

/// Notes a name that would fill more than a line, or do worse to whoever shows it.
fn one_line(name: &str, span: Span, cx: &mut Reading) {
    if name.contains(char::is_control) {
        let message = format!("the name {name:?} has a line break or another control character");
        cx.problem(Diagnostic::error("bad-name", span, message).help("write it on one line"));
    }
}

fn duplicate<'a>(
    field: &'a Field,
    first: &mut std::collections::HashMap<&'a str, Span>,
    cx: &mut Reading,
) -> bool {
    let Some(span) = first.insert(&field.key, field.key_span) else { return false };
    let message = format!("`{}` is declared twice", field.key);
    let problem = Diagnostic::error("duplicate", field.key_span, message).label("again here");
    cx.problem(problem.and(span, "first here").help("give one of them another name, or remove it"));
    true
}

/// The fields of a struct, taken one by one.
pub(crate) struct Taking<'a> {
    list: &'a [Field],
    span: Span,
    name: &'static str,
}

impl<'a> Taking<'a> {
    /// Opens a struct: its name, if written, must be right, and all its fields known.
    pub(crate) fn open(node: &'a Node, name: &'static str, known: &[&str], cx: &mut Reading) -> Option<Self> {
        let (written, list): (&Option<String>, &[Field]) = match &node.value {
            Value::Fields(fields) if !fields.braces => (&fields.name, &fields.list),
            Value::Tuple { name, items } if items.is_empty() => (name, &[]),
            Value::Fields(fields) if fields.list.is_empty() => (&None, &[]),
            _ => return cx.wrong_type(node, "a struct `(field: value)`"),
        };
        if let Some(written) = written.as_deref().filter(|w| *w != name) {
            let message = format!("expected `{name}(..)`, found `{written}(..)`");
            cx.problem(
                Diagnostic::error("wrong-type", node.span, message)
                    .label(format!("expected `{name}`"))
                    .help(format!("write `{name}(..)`, or leave the name out")),
            );
            return None;
        }
        let mut first = std::collections::HashMap::new();
        for field in list {
            if !known.contains(&field.key.as_str()) {
                let message = format!("{} has no field `{}`", said(name), field.key);
                let help = suggest::help(&field.key, "fields", known.iter().copied());
                cx.within(&field.key, |cx| {
                    let problem = Diagnostic::error("unknown-field", field.key_span, message);
                    cx.problem(problem.label("no such field").help(help));
                });
            } else {
                duplicate(field, &mut first, cx);
            }
        }
        Some(Self { list, span: node.span, name })
    }

    /// Takes a field; `absent` is its value when it is left out, and without that it must be there.
    pub(crate) fn take<T: FromNode>(&self, key: &str, absent: Option<T>, cx: &mut Reading) -> Option<T> {
        match self.list.iter().find(|f| f.key == key) {
            Some(field) => cx.within(key, |cx| T::from_node(&field.node, cx)),
            None if absent.is_some() => absent,
            None => {
                // An option that is left out is none.
                let none = Node {
                    span: self.span,
                    value: Value::Tuple { name: Some("None".to_owned()), items: Vec::new() },
                };
                let mut silent = Reading::default();
                if is_option::<T>()
                    && let Some(value) = T::from_node(&none, &mut silent)
                {
                    return Some(value);
                }
                let message = format!("{} lacks `{key}`", said(self.name));
                let problem = Diagnostic::error("missing-field", self.span, message);
                cx.problem(problem.label(format!("`{key}: ..` is missing here")));
                None
            }
        }
    }
}

fn is_option<T>() -> bool {
    std::any::type_name::<T>().starts_with("core::option::Option<")
}

/// The payload of a variant, as the node of its own type.
pub(crate) fn payload(node: &Node) -> Node {
    let value = match &node.value {
        Value::Fields(fields) => {
            Value::Fields(crate::tree::Fields { name: None, braces: false, list: fields.list.clone() })
        }
        Value::Tuple { items, .. } => match items.as_slice() {
            [item] => return item.clone(),
            items => Value::Tuple { name: None, items: items.to_vec() },
        },
        other => other.clone(),
    };
    Node { span: node.span, value }
}

/// The name of a variant.
pub(crate) fn variant(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Fields(fields) => fields.name.as_deref(),
        Value::Tuple { name, .. } => name.as_deref(),
        _ => None,
    }
}

/// Notes that a value is none of the variants that there are.
pub(crate) fn no_variant<T>(node: &Node, what: &'static str, known: &[&str], cx: &mut Reading) -> Option<T> {
    let what = said(what);
    if let Some(text) = node.text().filter(|t| known.contains(t)) {
        let problem = Diagnostic::error("wrong-type", node.span, format!("`{text}` stands in quotes"));
        cx.problem(problem.label(format!("expected {what}")).help(format!("write {text} without quotes")));
        return None;
    }
    let Some(name) = variant(node) else {
        let list = known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
        return cx.wrong_type(node, &format!("{what} ({list})"));
    };
    let span = Span { end: node.span.start + name.len() as u32, ..node.span };
    let list = suggest::list("choices", known.iter().copied());
    let near = suggest::nearest(name, known.iter().copied());
    let problem = Diagnostic::error("unknown-variant", span, format!("`{name}` is not {what}"));
    let problem = problem.label("no such choice").help(list);
    cx.problem(problem.help(near.map(|n| format!("did you mean `{n}`?")).unwrap_or_default()));
    None
}

/// Declares structs of the model: with documentation, reading and schema. A field with `= default` may be left
/// out; so may an `Option`.
macro_rules! record {
    ($($(#[$m:meta])* $vis:vis struct $name:ident {
        $($(#[$fm:meta])* $fvis:vis $field:ident : $ty:ty $(= $default:ident)? ,)*
    })*) => {$(
        $(#[$m])*
        #[derive(Clone, Debug, schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        $vis struct $name {
            $($(#[$fm])* $(#[doc = concat!("\n\nMay be left out (", stringify!($default), ").")] #[schemars(default)])?
            $fvis $field: $ty,)*
        }
        impl $crate::read::FromNode for $name {
            fn from_node(node: &$crate::tree::Node, cx: &mut $crate::read::Reading) -> Option<Self> {
                let fields = $crate::read::Taking::open(node, stringify!($name), &[$(stringify!($field)),*], cx)?;
                $(
                    #[allow(unused_mut, unused_assignments)]
                    let mut absent: Option<$ty> = None;
                    $(absent = Some($crate::read::$default());)?
                    let $field = fields.take::<$ty>(stringify!($field), absent, cx);
                )*
                let _ = &fields;
                Some(Self { $($field: $field?,)* })
            }
        }
    )*};
}

/// Declares enums of the model; a variant is bare or holds one type.
macro_rules! variants {
    ($($(#[$m:meta])* $vis:vis enum $name:ident {
        $($(#[$vm:meta])* $variant:ident $(($ty:ty))? ,)*
    })*) => {$(
        $(#[$m])*
        #[derive(Clone, Debug, schemars::JsonSchema)]
        $vis enum $name {
            $($(#[$vm])* $variant $(($ty))?,)*
        }
        impl $crate::read::FromNode for $name {
            fn from_node(node: &$crate::tree::Node, cx: &mut $crate::read::Reading) -> Option<Self> {
                const KNOWN: &[&str] = &[$(stringify!($variant)),*];
                match $crate::read::variant(node) {
                    $(Some(stringify!($variant)) => {
                        $(return <$ty as $crate::read::FromNode>::from_node(&$crate::read::payload(node), cx)
                            .map(Self::$variant);)?
                        #[allow(unreachable_code)]
                        $crate::read::bare(node, cx, || variants!(@bare $name $variant $(($ty))?))
                    })*
                    _ => $crate::read::no_variant(node, stringify!($name), KNOWN, cx),
                }
            }
        }
    )*};
    (@bare $name:ident $variant:ident) => { Self::$variant };
    (@bare $name:ident $variant:ident ($ty:ty)) => { unreachable!() };
}

pub(crate) use {record, variants};

/// The value of a field that is left out.
pub(crate) fn default<T: Default>() -> T {
    T::default()
}

/// A bare variant: it holds nothing.
pub(crate) fn bare<T>(node: &Node, cx: &mut Reading, make: impl FnOnce() -> T) -> Option<T> {
    match &node.value {
        Value::Tuple { items, .. } if items.is_empty() => Some(make()),
        _ => {
            let name = variant(node).unwrap_or_default();
            let message = format!("`{name}` holds nothing");
            cx.problem(Diagnostic::error("wrong-type", node.span, message).help(format!("write `{name}`")));
            None
        }
    }
}

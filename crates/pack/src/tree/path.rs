//! Paths to values: names with `/` between them, such as `tables/fire/rows/3..4`.

use super::node::{Field, Node, Value};

/// A path to a value. A name that holds a `/` is written with `~1`, a `~` as `~0`; entries of lists are numbered
/// from 0, or called by their `name`, or by what they are if they are texts; borders without a name by `a|b`, links by
/// `from-to`.
///
/// ```
/// use adjutant_pack::source::FileId;
/// use adjutant_pack::tree::{Path, parse};
/// let node = parse(FileId(0), r#"{ "fire": (roll: "1d6", cells: [3, 4]) }"#, &mut Vec::new());
/// assert_eq!(Path::parse("fire/cells/1").follow(&node).unwrap().to_string(), "4");
/// assert_eq!(Path::parse("fire/rows/1").follow(&node), Err(1)); // one name led somewhere
/// assert!(Path::parse("fire").overlaps(&Path::parse("fire/cells")));
/// assert_eq!(Path::default().then("Hill/Mill").to_string(), "Hill~1Mill");
/// let node = parse(FileId(0), r#"(borders: [(a: "Hill", b: "Mill")], links: [("Mill", "Ford")])"#, &mut Vec::new());
/// assert!(Path::parse("borders/Hill|Mill").follow(&node).is_ok());
/// assert_eq!(Path::parse("links/Mill-Ford/1").follow(&node).unwrap().text(), Some("Ford"));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Path(Vec<String>);

impl Path {
    /// Reads a path.
    pub fn parse(text: &str) -> Self {
        let part = |p: &str| p.replace("~1", "/").replace("~0", "~");
        Self(text.split('/').filter(|p| !p.is_empty()).map(part).collect())
    }

    /// The names.
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// The path of a value in this one.
    #[must_use]
    pub fn then(&self, part: &str) -> Self {
        let mut parts = self.0.clone();
        parts.push(part.to_owned());
        Self(parts)
    }

    /// The path of what holds this, and its name there.
    pub fn split_last(&self) -> Option<(Self, &str)> {
        let (last, rest) = self.0.split_last()?;
        Some((Self(rest.to_vec()), last))
    }

    /// Whether one of the two leads to or into the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a == b)
    }

    /// Follows it; the error is the number of names that could be followed.
    ///
    /// # Errors
    /// How many of its names lead somewhere.
    pub fn follow<'a>(&self, root: &'a Node) -> Result<&'a Node, usize> {
        let mut node = root;
        for (n, part) in self.0.iter().enumerate() {
            node = child(node, part).ok_or(n)?;
        }
        Ok(node)
    }

    /// Follows it to change what is there.
    pub(crate) fn follow_mut<'a>(&self, root: &'a mut Node) -> Option<&'a mut Node> {
        let mut node = root;
        for part in &self.0 {
            node = match &mut node.value {
                Value::Fields(fields) => fields.list.iter_mut().find(|f| f.key == *part).map(|f| &mut f.node),
                Value::List(items) | Value::Tuple { items, .. } => {
                    let n = entry(items, part)?;
                    items.get_mut(n)
                }
                Value::Flag(_) | Value::Number(_) | Value::Decimal(_) | Value::Text(_) | Value::Broken => {
                    None
                }
            }?;
        }
        Some(node)
    }
}

fn child<'a>(node: &'a Node, part: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Fields(fields) => fields.get(part).map(|f: &Field| &f.node),
        Value::List(items) | Value::Tuple { items, .. } => items.get(entry(items, part)?),
        Value::Flag(_) | Value::Number(_) | Value::Decimal(_) | Value::Text(_) | Value::Broken => None,
    }
}

/// The entry of a list with this number, or this name.
pub(crate) fn entry(items: &[Node], part: &str) -> Option<usize> {
    let named = |item: &Node| {
        let field = |name: &str| item.field(name).and_then(|f| f.node.text());
        match field("name").or_else(|| item.text()) {
            Some(name) => name == part,
            None => {
                joins(field("a"), field("b"), "|", part) || {
                    let (from, to) = match &item.value {
                        Value::Tuple { items, .. } => {
                            (items.first().and_then(Node::text), items.get(1).and_then(Node::text))
                        }
                        _ => (field("from"), field("to")),
                    };
                    joins(from, to, "-", part)
                }
            }
        }
    };
    match part.parse::<usize>() {
        Ok(n) => Some(n).filter(|n| *n < items.len()),
        Err(_) => items.iter().position(named),
    }
}

/// Whether two ends with a mark between them are what is looked for.
fn joins(one: Option<&str>, other: Option<&str>, mark: &str, part: &str) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    part.strip_prefix(one).and_then(|rest| rest.strip_prefix(mark)) == Some(other)
}

/// The names that lead on from a value.
pub(crate) fn names(node: &Node) -> Vec<String> {
    match &node.value {
        Value::Fields(fields) => fields.list.iter().map(|f| f.key.clone()).collect(),
        Value::List(items) | Value::Tuple { items, .. } => (0..items.len()).map(|n| n.to_string()).collect(),
        Value::Flag(_) | Value::Number(_) | Value::Decimal(_) | Value::Text(_) | Value::Broken => Vec::new(),
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (n, part) in self.0.iter().enumerate() {
            if n > 0 {
                f.write_str("/")?;
            }
            f.write_str(&part.replace('~', "~0").replace('/', "~1"))?;
        }
        Ok(())
    }
}

//! Where the data of a pack come from, as a list.

use crate::layers::Layers;
use crate::tree::{Node, Path, Value};

/// A statement of where something comes from.
///
/// ```
/// use adjutant_pack::Files;
/// use adjutant_pack::layers::Layers;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let layers = Layers::load(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let statements = layers.provenance();
/// let filled_in = statements.iter().find(|statement| statement.kind == "Reconstructed").unwrap();
/// assert_eq!((filled_in.path.as_str(), filled_in.text.as_str()), ("pieces/pieces/Works", "as many as fit"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Statement {
    /// What comes from there, as a path.
    pub path: String,
    /// `Printed`, `Derived` or `Reconstructed`.
    pub kind: String,
    /// The place, reasoning or reason.
    pub text: String,
    /// The layer that says so.
    pub layer: String,
    /// Where it says so, `file:line:column`.
    pub place: String,
}

impl Layers {
    /// All statements of the outcome, in the order of the data.
    pub fn provenance(&self) -> Vec<Statement> {
        let mut out = Vec::new();
        self.statements(&Path::default(), &self.root, &mut out);
        out
    }

    fn statements(&self, path: &Path, node: &Node, out: &mut Vec<Statement>) {
        match &node.value {
            Value::Tuple { name: Some(name), items }
                if matches!(name.as_str(), "Printed" | "Derived" | "Reconstructed") && items.len() == 1 =>
            {
                let last = path.parts().last().is_some_and(|p| p == "source");
                let holder = path.split_last().filter(|_| last).map_or_else(|| path.clone(), |(p, _)| p);
                out.push(Statement {
                    path: holder.to_string(),
                    kind: name.clone(),
                    text: items[0].text().unwrap_or_default().to_owned(),
                    layer: self.layer_of(node.span).id.clone(),
                    place: self.sources.place(node.span),
                });
            }
            Value::Fields(fields) => {
                fields.list.iter().for_each(|f| self.statements(&path.then(&f.key), &f.node, out));
            }
            Value::List(items) | Value::Tuple { items, .. } => {
                let numbered = items.iter().enumerate();
                numbered.for_each(|(n, item)| self.statements(&path.then(&n.to_string()), item, out));
            }
            Value::Flag(_) | Value::Number(_) | Value::Decimal(_) | Value::Text(_) | Value::Broken => {}
        }
    }
}

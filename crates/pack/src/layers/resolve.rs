//! The outcome of all layers with the origin of every value.

use super::Layers;
use crate::source::{FileId, Span};
use crate::suggest;
use crate::tree::{self, Node, Path, Value};

/// A value of the outcome, and how it came to be.
///
/// ```
/// use adjutant_pack::Files;
/// use adjutant_pack::layers::{Layers, Origin};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let layers = Layers::load(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let origin: &Origin = &layers.resolve(Some("tables/fire/roll")).unwrap()[0];
/// assert_eq!((origin.value.as_str(), origin.layer.as_str()), ("\"1d6\"", "tiny"));
/// assert!(origin.place.contains("tables.ron:3:") && origin.earlier.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Origin {
    /// Where it is.
    pub path: String,
    /// What it is, as RON.
    pub value: String,
    /// The layer that it comes from.
    pub layer: String,
    /// Where it is written, `file:line:column`.
    pub place: String,
    /// What it was before, oldest first: the value, its layer, and its place.
    pub earlier: Vec<(String, String, String)>,
}

/// A path to be explained leads nowhere.
///
/// ```
/// use adjutant_pack::Files;
/// use adjutant_pack::layers::Layers;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let layers = Layers::load(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let error = layers.resolve(Some("tables/fier")).unwrap_err();
/// assert_eq!((error.part.as_str(), error.help.as_str()), ("fier", "did you mean `fire`?"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the path `{path}` leads nowhere: there is no `{part}`{}", if help.is_empty() { String::new() } else { format!("; {help}") })]
pub struct ResolveError {
    /// The path.
    pub path: String,
    /// The first name of it that is not there.
    pub part: String,
    /// What there is instead.
    pub help: String,
}

impl Layers {
    /// Every value of the outcome with its origin, or those at a path and below it.
    ///
    /// # Errors
    /// When there is no such path.
    pub fn resolve(&self, path: Option<&str>) -> Result<Vec<Origin>, ResolveError> {
        if let Some(script) = path.and_then(|path| self.script_origins(Some(path)).pop()) {
            return Ok(vec![script]);
        }
        let whole = path.is_none();
        let path = path.map(Path::parse).unwrap_or_default();
        let node = path.follow(&self.root).map_err(|reached| {
            let parts = path.parts();
            let holder = parts[..reached].iter().fold(Path::default(), |p, part| p.then(part));
            let known = holder.follow(&self.root).map(tree::names).unwrap_or_default();
            let help = suggest::help(&parts[reached], "names there", known.iter().map(String::as_str));
            ResolveError { path: path.to_string(), part: parts[reached].clone(), help }
        })?;
        let mut origins = Vec::new();
        self.collect(&path, node, &mut origins);
        if whole {
            origins.extend(self.script_origins(None));
        }
        Ok(origins)
    }

    /// The scripts, or the one with a path: the layer from which each comes, and what it stands in place of.
    fn script_origins(&self, path: Option<&str>) -> Vec<Origin> {
        let wanted =
            self.scripts.iter().filter(|&&file| path.is_none_or(|p| self.sources.file(file).path == p));
        let origin = |&file: &FileId| {
            let layer = |file: FileId| self.layers[self.sources.file(file).layer].id.clone();
            let lines = |file: FileId| format!("{} lines", self.sources.file(file).text.lines().count());
            let mut earlier = Vec::new();
            let mut above = file;
            while let Some((below, _)) = self.replaced.iter().find(|(_, file)| *file == above) {
                earlier.insert(0, (lines(*below), layer(*below), self.sources.file(*below).shown.clone()));
                above = *below;
            }
            let source = self.sources.file(file);
            let (path, place) = (source.path.clone(), source.shown.clone());
            Origin { path, value: lines(file), layer: layer(file), place, earlier }
        };
        wanted.map(origin).collect()
    }

    fn collect(&self, path: &Path, node: &Node, out: &mut Vec<Origin>) {
        match &node.value {
            Value::Fields(fields) if !fields.list.is_empty() => {
                for field in &fields.list {
                    self.collect(&path.then(&field.key), &field.node, out);
                }
            }
            Value::List(items) if items.iter().any(|i| i.text().is_none()) => {
                for (n, item) in items.iter().enumerate() {
                    self.collect(&path.then(&n.to_string()), item, out);
                }
            }
            _ => out.push(self.origin(path, node)),
        }
    }

    fn origin(&self, path: &Path, node: &Node) -> Origin {
        let layer = |span: Span| self.layer_of(span).id.clone();
        let earlier = self
            .changes
            .iter()
            .filter(|c| c.path.parts().len() <= path.parts().len() && c.path.overlaps(path))
            .filter_map(|c| {
                let rest = path.parts()[c.path.parts().len()..].iter();
                let rest = rest.fold(Path::default(), |p, part| p.then(part));
                let before = rest.follow(c.before.as_ref()?).ok()?;
                Some((before.to_string(), layer(before.span), self.sources.place(before.span)))
            })
            .collect();
        Origin {
            path: path.to_string(),
            value: node.to_string(),
            layer: layer(node.span),
            place: self.sources.place(node.span),
            earlier,
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}  // {} {}", self.path, self.value, self.layer, self.place)?;
        for (value, layer, place) in self.earlier.iter().rev() {
            write!(f, "\n    was {value}  // {layer} {place}")?;
        }
        Ok(())
    }
}

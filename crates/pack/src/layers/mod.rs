//! Layers: a series pack, the title that extends it, and overlays, one laid over another as trees.
//!
//! An upper layer adds entries by having files of its own, and changes what lies below only through its
//! `changes.ron`, by path. Nothing is overridden in silence.
//!
//! ```
//! use adjutant_pack::Files;
//! use adjutant_pack::layers::Layers;
//! let pack = |id: &str, more: &str| {
//!     format!(
//!         r#"(id: "{id}", title: "A", version: "1.0.0", format: 1, api: 1, authors: ["A"], licence: "MIT"{more})"#
//!     )
//! };
//! let base = Files::new("base", [
//!     ("pack.ron", pack("base", "")),
//!     ("points.ron", r#"{ "range": (runs_on: Seen, combine: Sum, start: 3) }"#.into()),
//! ]);
//! let house_rules = Files::new("house-rules", [
//!     ("pack.ron", pack("house-rules", r#", extends: "base""#)),
//!     ("changes.ron", r#"[Set(path: "points/range/start", expect: 3, to: 4)]"#.into()),
//! ]);
//! let mut problems = Vec::new();
//! let layers = Layers::load(&[base, house_rules], &mut problems);
//! assert!(problems.is_empty());
//! let start = &layers.resolve(Some("points/range/start")).unwrap()[0];
//! assert_eq!((start.value.as_str(), start.layer.as_str(), start.earlier[0].0.as_str()), ("4", "house-rules", "3"));
//! ```

mod changes;
mod merge;
mod resolve;

pub use changes::Change;
pub(crate) use changes::ChangeKind;
pub use resolve::{Origin, ResolveError};

use crate::diagnostic::Diagnostic;
use crate::files::{BYTE_ORDER_MARK, Files};
use crate::hash::{Hash, rules_hash};
use crate::read::{FromNode as _, Name, Reading, Spanned};
use crate::source::{FileId, Sources, Span};
use crate::suggest;
use crate::tree::{self, Field, Fields, Node, Value};

/// Files that are one section each.
pub(crate) const SECTIONS: &[&str] = &[
    "pack",
    "sides",
    "pieces",
    "columns",
    "tables",
    "sequence",
    "options",
    "points",
    "restrictions",
    "knowledge",
    "rules",
];
/// Folders in which each RON file is an entry of a section.
pub(crate) const FOLDERS: &[&str] = &["boards", "scenarios"];
const CHANGES: &str = "changes.ron";

/// A layer.
///
/// ```
/// use adjutant_pack::Files;
/// use adjutant_pack::layers::{LayerInfo, Layers};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let layers = Layers::load(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new());
/// let layer: &LayerInfo = &layers.layers[0];
/// assert_eq!((layer.id.as_str(), layer.version.as_str()), ("tiny", "1.0.0"));
/// ```
#[derive(Clone, Debug)]
pub struct LayerInfo {
    /// Its id; the folder if it has none.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its version.
    pub version: String,
    /// The folder, as it is shown.
    pub shown: String,
    /// The fingerprint of what can change play in this layer alone.
    pub hash: Hash,
}

/// All layers laid over one another.
///
/// ```
/// use adjutant_pack::Files;
/// use adjutant_pack::layers::Layers;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let mut problems = Vec::new();
/// let layers = Layers::load(&[Files::read(folder.as_ref()).unwrap()], &mut problems);
/// assert!(problems.is_empty() && layers.broken.is_empty());
/// let manifest = layers.section("pack").unwrap();
/// assert_eq!(layers.layer_of(manifest.span).id, "tiny");
/// assert_eq!(manifest.field("title").unwrap().node.text(), Some("Tiny"));
/// ```
#[derive(Clone, Debug)]
pub struct Layers {
    /// The files of all layers.
    pub sources: Sources,
    /// The layers from the bottom up.
    pub layers: Vec<LayerInfo>,
    /// The outcome: a map of sections.
    pub root: Node,
    /// What was changed, in order.
    pub changes: Vec<Change>,
    /// Rules that are switched off, with the places that say so.
    pub switched_off: Vec<Name>,
    /// Sections that are there and could not be read.
    pub broken: Vec<String>,
    /// Fluent files by language, from the bottom up.
    pub texts: Vec<(String, FileId)>,
    /// Scripts, from the bottom up. One of an upper layer stands in place of one below with the same path.
    pub scripts: Vec<FileId>,
    /// Scripts that are replaced, each with the one in its place.
    pub replaced: Vec<(FileId, FileId)>,
    /// Tests, from the bottom up.
    pub tests: Vec<FileId>,
}

/// One layer as it was read.
struct Sheet {
    sections: Vec<Field>,
    changes: Option<Node>,
}

impl Layers {
    /// Reads the files of all layers, from the bottom up, and lays them over one another.
    pub fn load(files: &[Files], problems: &mut Vec<Diagnostic>) -> Self {
        let root = Value::Fields(Fields { name: None, braces: true, list: Vec::new() });
        let nowhere = Span { file: FileId(0), start: 0, end: 0 };
        let mut layers = Self {
            sources: Sources::default(),
            layers: Vec::new(),
            root: Node { span: nowhere, value: root },
            changes: Vec::new(),
            switched_off: Vec::new(),
            broken: Vec::new(),
            texts: Vec::new(),
            scripts: Vec::new(),
            replaced: Vec::new(),
            tests: Vec::new(),
        };
        for (number, layer) in files.iter().enumerate() {
            let sheet = layers.read_layer(number, layer, problems);
            let info = layers.identify(&sheet, layer, problems);
            layers.layers.push(info);
            layers.lay(number, sheet, problems);
        }
        layers
    }

    fn read_layer(&mut self, number: usize, layer: &Files, problems: &mut Vec<Diagnostic>) -> Sheet {
        let mut sheet = Sheet { sections: Vec::new(), changes: None };
        for (path, bytes) in &layer.files {
            let part = part_of(path);
            if part == Part::Other {
                continue;
            }
            if let Part::Unknown(help) = part {
                let message = "is no file that a pack has";
                problems.push(Diagnostic::of_file("unknown-file", layer.shown(path), message).help(help));
                continue;
            }
            let text = match std::str::from_utf8(bytes) {
                Ok(text) => text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).to_owned(),
                Err(error) => {
                    let message = format!("is not UTF-8 from byte {} on", error.valid_up_to());
                    problems.push(Diagnostic::of_file("not-utf8", layer.shown(path), message));
                    if let Part::Section(name) | Part::Entry(name, _) = part {
                        self.broken.push(name.to_owned());
                    }
                    continue;
                }
            };
            let file = self.sources.add(number, path, layer.shown(path), text);
            match part {
                Part::Section(name) => {
                    let node = self.parse(file, name, problems);
                    sheet.sections.push(named(name, node));
                }
                Part::Entry(section, name) => {
                    let node = self.parse(file, section, problems);
                    let key_span = Span { file, start: 0, end: 0 };
                    let field = Field { key: name.to_owned(), key_span, node };
                    match sheet.sections.iter_mut().find(|s| s.key == section).map(|s| &mut s.node.value) {
                        Some(Value::Fields(fields)) => fields.list.push(field),
                        _ => {
                            let fields = Fields { name: None, braces: true, list: vec![field] };
                            let node = Node { span: key_span, value: Value::Fields(fields) };
                            sheet.sections.push(named(section, node));
                        }
                    }
                }
                Part::Changes => sheet.changes = Some(self.parse(file, "changes", problems)),
                Part::Text(language) => self.texts.push((language.to_owned(), file)),
                Part::Script => self.script(file),
                Part::Test => self.tests.push(file),
                Part::Other | Part::Unknown(_) => {}
            }
        }
        sheet
    }

    /// A script; where one lies below it with the same path, in place of that.
    fn script(&mut self, file: FileId) {
        let path = &self.sources.file(file).path;
        match self.scripts.iter().position(|&below| self.sources.file(below).path == *path) {
            Some(at) => {
                let below = std::mem::replace(&mut self.scripts[at], file);
                self.replaced.push((below, file));
            }
            None => self.scripts.push(file),
        }
    }

    /// Of three layers with the same script the uppermost must know of the middle one: else one would take back
    /// in silence what another has changed.
    fn check_replaced(&self, layer: &LayerInfo, extends: Option<&str>, problems: &mut Vec<Diagnostic>) {
        let number = self.layers.len();
        for &(below, file) in
            self.replaced.iter().filter(|(_, file)| self.sources.file(*file).layer == number)
        {
            let middle = self.sources.file(below);
            let again = self.replaced.iter().any(|(_, replacing)| *replacing == below);
            let by = &self.layers[middle.layer].id;
            if again && extends != Some(by.as_str()) {
                let message =
                    format!("`{}` is replaced by two layers, `{by}` and `{}`", middle.path, layer.id);
                let top = |file| Span { file, start: 0, end: 0 };
                let problem = Diagnostic::error("layer-conflict", top(file), message);
                let problem = problem.and(top(below), "the other");
                problems.push(problem.help(format!("put both into one file, in a pack that extends `{by}`")));
            }
        }
    }

    fn parse(&mut self, file: FileId, section: &str, problems: &mut Vec<Diagnostic>) -> Node {
        let before = problems.len();
        let node = tree::parse(file, &self.sources.file(file).text, problems);
        if problems.len() > before {
            self.broken.push(section.to_owned());
        }
        node
    }

    /// Id and version of a layer, and whether it stands on the right one.
    fn identify(&self, sheet: &Sheet, layer: &Files, problems: &mut Vec<Diagnostic>) -> LayerInfo {
        let hash = rules_hash(std::slice::from_ref(layer));
        let Some(pack) = sheet.sections.iter().find(|s| s.key == "pack") else {
            if !layer.files.contains_key("pack.ron") {
                let message = "is missing; a pack says there what it is";
                problems.push(Diagnostic::of_file("no-manifest", layer.shown("pack.ron"), message));
            }
            let (id, shown) = (layer.shown.clone(), layer.shown.clone());
            return LayerInfo { id, title: String::new(), version: String::new(), shown, hash };
        };
        let text =
            |key: &str| pack.node.field(key).and_then(|f| f.node.text()).unwrap_or_default().to_owned();
        let (id, title, version) = (text("id"), text("title"), text("version"));
        let info = LayerInfo { id, title, version, shown: layer.shown.clone(), hash };
        let below: Vec<&str> = self.layers.iter().map(|l| l.id.as_str()).collect();
        let mut quiet = Reading::default();
        let extends = pack.node.field("extends").map(|f| &f.node);
        let extends = extends.and_then(|n| Option::<Name>::from_node(n, &mut quiet)).flatten();
        self.check_replaced(&info, extends.as_ref().map(|name| name.value.as_str()), problems);
        match extends {
            Some(extends) if !below.contains(&extends.value.as_str()) => {
                let message =
                    format!("the pack `{}` extends `{}`, which is not below it", info.id, extends.value);
                let help = suggest::help(&extends, "packs below", below.iter().copied());
                problems.push(
                    Diagnostic::error("bad-extends", extends.span, message).help(help).at("pack/extends"),
                );
            }
            None if !below.is_empty() && quiet.problems.is_empty() => {
                let message =
                    format!("the pack `{}` extends nothing, but stands on `{}`", info.id, below.join("`, `"));
                let problem = Diagnostic::error("bad-extends", pack.node.span, message);
                problems.push(problem.help(format!("add `extends: \"{}\"`", below[below.len() - 1])));
            }
            Some(_) | None => {}
        }
        if let Some(n) = below.iter().position(|id| *id == info.id) {
            let message = format!("two layers have the id `{}`, this and {}", info.id, self.layers[n].shown);
            problems.push(Diagnostic::error("duplicate", pack.node.span, message));
        }
        info
    }

    fn lay(&mut self, number: usize, sheet: Sheet, problems: &mut Vec<Diagnostic>) {
        if let Value::Fields(root) = &mut self.root.value {
            for section in sheet.sections {
                merge::section(root, section, problems);
            }
        }
        let Some(node) = sheet.changes else { return };
        if number == 0 {
            let message = "this pack extends nothing, so there is nothing that it could change";
            problems.push(Diagnostic::error("bad-change", node.span, message));
            return;
        }
        let mut reading = Reading::default();
        let list = reading.within("changes", |cx| Vec::<Spanned<ChangeKind>>::from_node(&node, cx));
        problems.append(&mut reading.problems);
        for change in list.unwrap_or_default() {
            self.apply(number, change, problems);
        }
    }

    /// The layer that a place belongs to.
    pub fn layer_of(&self, span: Span) -> &LayerInfo {
        &self.layers[self.sources.file(span.file).layer]
    }

    /// A section, if there is one.
    pub fn section(&self, name: &str) -> Option<&Node> {
        self.root.field(name).map(|f| &f.node)
    }
}

fn named(key: &str, node: Node) -> Field {
    Field { key: key.to_owned(), key_span: Span { end: node.span.start, ..node.span }, node }
}

#[derive(Clone, PartialEq, Eq)]
enum Part<'a> {
    Section(&'a str),
    Entry(&'a str, &'a str),
    Changes,
    Text(&'a str),
    Script,
    Test,
    /// Read-me files, pictures.
    Other,
    Unknown(String),
}

fn part_of(path: &str) -> Part<'_> {
    if path == CHANGES {
        return Part::Changes;
    }
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    if folders.split('/').any(|folder| folder.ends_with(".ron")) {
        return Part::Unknown(format!("`{folders}` is a folder, and should be a file"));
    }
    if path.starts_with("tests/") {
        return if path.ends_with(".luau") { Part::Test } else { Part::Other };
    }
    if let Some(stem) = path.strip_suffix(".ron") {
        if SECTIONS.contains(&stem) {
            return Part::Section(stem);
        }
        if let Some((folder, name)) = stem.split_once('/')
            && FOLDERS.contains(&folder)
            && !name.contains('/')
        {
            return Part::Entry(folder, name);
        }
        let known: Vec<String> = SECTIONS.iter().map(|s| format!("{s}.ron")).collect();
        let folders: Vec<String> = FOLDERS.iter().map(|f| format!("{f}/*.ron")).collect();
        let all = known.iter().map(String::as_str).chain([CHANGES]).chain(folders.iter().map(String::as_str));
        let help = match suggest::nearest(path, all.clone()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("the files are {}", all.map(|f| format!("`{f}`")).collect::<Vec<_>>().join(", ")),
        };
        return Part::Unknown(help);
    }
    if let Some(name) = path.strip_prefix("text/").and_then(|p| p.strip_suffix(".ftl")) {
        return Part::Text(name);
    }
    if path.starts_with("scripts/") && path.ends_with(".luau") {
        return Part::Script;
    }
    if path.ends_with(".luau") {
        return Part::Unknown("scripts lie in `scripts/`, tests in `tests/`".to_owned());
    }
    Part::Other
}

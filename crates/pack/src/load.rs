//! From files to a model.

use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Report};
use crate::files::Files;
use crate::hash::{Hash, full_hash, rules_hash};
use crate::layers::{LayerInfo, Layers};
use crate::model::{Item, Knowledge, Model};
use crate::read::{Entries, FromNode, Name, Reading, Spanned};
use crate::source::{FileId, Sources, Span};
use crate::text::Texts;

/// A pack with all that lies below it: checked, and ready to be compiled.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack};
/// let sides = r#"(sides: { "blue": () }, seats: { "blue": (side: "blue", rolle: Umpire) })"#;
/// let mut problems = Vec::new();
/// let pack = LoadedPack::read(&[Files::new("my-title", [("sides.ron", sides)])], &mut problems);
/// assert!(pack.has_errors); // the slip in `role`, and no manifest; what could be read is there
/// let report = pack.report(problems);
/// assert!(report.render_short().contains("my-title/sides.ron:1:"));
/// ```
#[derive(Clone, Debug)]
pub struct LoadedPack {
    /// What the layers come to.
    pub layers: Layers,
    /// How many of them, from the top, are overlays.
    pub overlays: usize,
    /// What that says.
    pub model: Model,
    /// The texts.
    pub texts: Texts,
    /// Whether errors were found in reading it.
    pub has_errors: bool,
    /// The fingerprint of what can change play.
    pub rules_hash: Hash,
    /// The fingerprint of all files.
    pub full_hash: Hash,
}

impl LoadedPack {
    /// Reads the files of all layers, from the bottom up. Whatever is wrong is added to `problems`; the rest is
    /// read all the same, so that the checks can go on.
    pub fn read(files: &[Files], problems: &mut Vec<Diagnostic>) -> Self {
        let layers = Layers::load(files, problems);
        let model = read_model(&layers, problems);
        let texts = Texts::read(&layers, problems);
        let has_errors = problems.iter().any(Diagnostic::is_error);
        let (rules_hash, full_hash) = (rules_hash(files), full_hash(files));
        Self { layers, overlays: 0, model, texts, has_errors, rules_hash, full_hash }
    }

    /// Reads a pack and all that it stands on: `find` gives the folder of a pack by its id.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn open(
        top: &Path,
        overlays: &[PathBuf],
        find: &dyn Fn(&str) -> Option<PathBuf>,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<Self, Report> {
        let read =
            |folder: &Path| Files::read(folder).map_err(|problems| Report::new(Sources::default(), problems));
        let mut layers = vec![read(top)?];
        while let Some(below) = manifest::<Option<Name>>(&layers[0], "extends").flatten() {
            let wrong = |message: String, help: &str| {
                let problem =
                    |file| Diagnostic::error(BAD_EXTENDS, Span { file, ..below.span }, message).help(help);
                of_manifest(&layers[0], problem)
            };
            let chain: Vec<String> =
                layers.iter().map(|layer| manifest(layer, "id").unwrap_or_default()).collect();
            if let Some(at) = chain.iter().position(|id| *id == below.value) {
                // From the bottom up, and round to the bottom again.
                let round = chain[..=at].iter().rev().chain([&chain[at]]);
                let round: Vec<String> = round.map(|id| format!("`{id}`")).collect();
                let message = format!("packs extend one another in a ring: {}", round.join(" extends "));
                return Err(wrong(message, "one of them has to extend nothing"));
            }
            if layers.len() == MOST_LAYERS {
                let message = format!("a pack stands on more than {MOST_LAYERS} others");
                return Err(wrong(message, ""));
            }
            let Some(folder) = find(&below) else {
                let message = format!("extends `{}`, and there is no such pack", below.value);
                return Err(wrong(message, ""));
            };
            let files = read(&folder)?;
            layers.insert(0, files);
        }
        for overlay in overlays {
            layers.push(read(overlay)?);
        }
        let ids: Vec<Option<String>> = layers.iter().map(|layer| manifest(layer, "id")).collect();
        for (n, layer) in layers.iter().enumerate() {
            // Whatever else is wrong with it is so because it stands on itself.
            if let Some(id) = ids[n].as_ref().filter(|_| ids[..n].contains(&ids[n])) {
                let message = format!("`{id}` is laid twice; a pack is one layer");
                let problem = Diagnostic::of_file("duplicate", layer.shown("pack.ron"), message);
                return Err(Report::new(Sources::default(), vec![problem]));
            }
        }
        for layer in &layers {
            required(layer, find, problems);
        }
        Ok(Self { overlays: overlays.len(), ..Self::read(&layers, problems) })
    }

    /// The layer whose title and version the game bears: the uppermost that is no overlay.
    pub fn title_layer(&self) -> Option<&LayerInfo> {
        self.layers.layers.iter().rev().nth(self.overlays)
    }

    /// A report of problems in this pack.
    pub fn report(&self, problems: Vec<Diagnostic>) -> Report {
        Report::new(self.layers.sources.clone(), problems)
    }
}

/// Looks up the packs that one requires.
fn required(files: &Files, find: &dyn Fn(&str) -> Option<PathBuf>, problems: &mut Vec<Diagnostic>) {
    let shown = files.shown("pack.ron");
    for (id, range) in manifest::<Entries<String>>(files, "requires").iter().flat_map(Entries::iter) {
        let Some(folder) = find(id) else {
            let message = format!("requires `{}`, and there is no such pack", id.value);
            problems.push(Diagnostic::of_file("bad-requires", &shown, message));
            continue;
        };
        let there = Files::read(&folder).ok().and_then(|f| manifest::<String>(&f, "version"));
        match there {
            Some(version) if crate::check::matches(range, &version) => {}
            Some(version) => {
                let message = format!("requires `{}` {range}, and there is {version}", id.value);
                problems.push(Diagnostic::of_file("bad-requires", &shown, message));
            }
            None => {
                let message = format!("requires `{}`, whose manifest cannot be read", id.value);
                problems.push(Diagnostic::of_file("bad-requires", &shown, message));
            }
        }
    }
}

/// A field of a manifest, as far as it can be read.
fn manifest<T: FromNode>(files: &Files, field: &str) -> Option<T> {
    let text = std::str::from_utf8(files.files.get("pack.ron")?).ok()?;
    let node = crate::tree::parse(FileId(0), text, &mut Vec::new());
    T::from_node(&node.field(field)?.node, &mut Reading::default())
}

/// A report of one problem in the manifest of a pack that could not be read with what it stands on.
fn of_manifest(files: &Files, problem: impl FnOnce(FileId) -> Diagnostic) -> Report {
    let mut sources = Sources::default();
    let text = files.files.get("pack.ron").map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let file = sources.add(0, "pack.ron", files.shown("pack.ron"), text.unwrap_or_default());
    Report::new(sources, vec![problem(file)])
}

/// The code of the diagnostic that a pack extends what it cannot extend.
pub const BAD_EXTENDS: &str = "bad-extends";
/// Packs that stand on one another, at most.
const MOST_LAYERS: usize = 16;

fn read_model(layers: &Layers, problems: &mut Vec<Diagnostic>) -> Model {
    let slips: Vec<_> = problems.iter().filter(|d| d.code == "syntax").filter_map(|d| d.span).collect();
    let mut reader = Reader { layers, cx: Reading::default(), broken: layers.broken.clone() };
    let mut model = Model {
        pack: reader.section("pack"),
        sides: reader.section("sides"),
        boards: reader.entries("boards"),
        pieces: reader.section("pieces"),
        columns: reader.section("columns"),
        tables: reader.entries("tables"),
        sequence: reader.section::<Vec<Spanned<Item>>>("sequence").unwrap_or_default(),
        options: reader.section("options"),
        points: reader.entries("points"),
        restrictions: reader.entries("restrictions"),
        knowledge: reader.section::<Knowledge>("knowledge"),
        scenarios: reader.entries("scenarios"),
        rules: reader.entries("rules"),
        broken: Vec::new(),
        switched_off: layers.switched_off.clone(),
    };
    model.broken = reader.broken;
    // What is missing in other files than those that are there is not asked for either.
    for needed in ["sides", "sequence", "boards", "scenarios"] {
        if layers.section(needed).is_none() {
            model.broken.push(needed.to_owned());
        }
    }
    // A problem around a slip of the pen only follows from that.
    let follows = |d: &Diagnostic| {
        let around =
            |s: &Span, slip: &Span| s.file == slip.file && s.start <= slip.start && slip.start < s.end;
        d.span.is_some_and(|s| slips.iter().any(|slip| around(&s, slip)))
    };
    problems.extend(reader.cx.problems.into_iter().filter(|d| !follows(d)));
    model
}

struct Reader<'a> {
    layers: &'a Layers,
    cx: Reading,
    broken: Vec<String>,
}

impl Reader<'_> {
    fn section<T: FromNode>(&mut self, name: &str) -> Option<T> {
        let node = self.layers.section(name)?;
        let value = self.cx.within(name, |cx| T::from_node(node, cx));
        if value.is_none() {
            self.broken.push(name.to_owned());
        }
        value
    }

    fn entries<T: FromNode>(&mut self, name: &str) -> Entries<T> {
        self.section(name).unwrap_or_default()
    }
}

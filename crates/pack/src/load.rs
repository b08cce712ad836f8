//! From files to a model.

use crate::diagnostic::{Diagnostic, Report};
use crate::files::Files;
use crate::hash::{Hash, full_hash, rules_hash};
use crate::layers::Layers;
use crate::model::{Item, Knowledge, Model};
use crate::read::{Entries, FromNode, Reading, Spanned};
use crate::text::Texts;

/// A pack with all that lies below it: checked, and ready to be compiled.
#[derive(Clone, Debug)]
pub struct LoadedPack {
    /// What the layers come to.
    pub layers: Layers,
    /// What that says.
    pub model: Model,
    /// The texts.
    pub texts: Texts,
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
        let (rules_hash, full_hash) = (rules_hash(files), full_hash(files));
        Self { layers, model, texts, rules_hash, full_hash }
    }

    /// A report of problems in this pack.
    pub fn report(&self, problems: Vec<Diagnostic>) -> Report {
        Report::new(self.layers.sources.clone(), problems)
    }
}

fn read_model(layers: &Layers, problems: &mut Vec<Diagnostic>) -> Model {
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
    problems.append(&mut reader.cx.problems);
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

//! A pack with its overlays, checked and compiled.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_kernel::Rulebook;
use adjutant_pack::diagnostic::{Diagnostic, Report};
use adjutant_pack::hash::Hash;
use adjutant_pack::layers::{Layers, Origin, ResolveError};
use adjutant_pack::model::{LedgerRule, Model, RuleKind};
use adjutant_pack::provenance::Statement;
use adjutant_pack::read::Entries;
use adjutant_pack::source::FileId;
use adjutant_pack::{BAD_EXTENDS, Declared, LoadedPack, Procedures, Surroundings, check, compile};
use adjutant_script::Program;

use super::scripts::{All, Scripts, diagnostic, script_names};
use super::{Library, citations, idle, required};
use crate::rules::{FromPack, LayerStamp, Rules, Stamp, Switch};
use crate::text::Text;
use crate::{FindRules, Incompatible, Save};

/// The code of the diagnostic by which a pack is refused that is nothing but the base of others (`base: true` in its
/// manifest). It comes only where nothing else is wrong with the pack as far as it goes.
pub const BASE_PACK: &str = "base-pack";

/// A pack with what lies below it and its overlays, checked and compiled: rules to play by, and all that is said
/// about them.
///
/// ```
/// use adjutant::Pack;
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// let pack = Pack::open(format!("{games}/ford"))?;
/// assert_eq!((pack.id(), pack.title()), ("ford", "The Ford"));
/// assert_eq!(pack.ledger().get("ford:5").unwrap().summary, "In the rain horse cannot use the ford.");
/// assert_eq!(pack.text("en").label("side", "blue"), "Blue");
/// let origin = &pack.resolve(Some("tables/fight/roll")).unwrap()[0];
/// assert!(origin.to_string().contains("tables.ron"));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
pub struct Pack {
    id: String,
    rules: Rules,
    loaded: LoadedPack,
    declared: Declared,
    warnings: Report,
}

impl Pack {
    /// Opens a pack by its folder. What it extends is looked for near it.
    ///
    /// # Errors
    /// All that is wrong with it, at once: data, texts and scripts, each with its place.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Report> {
        Self::open_with(folder, &[])
    }

    /// Opens a pack by its folder with overlays, each a folder, the lowest first.
    ///
    /// # Errors
    /// As [`Pack::open`].
    pub fn open_with(folder: impl AsRef<Path>, overlays: &[PathBuf]) -> Result<Self, Report> {
        Library::default().open_pack(folder.as_ref(), overlays)
    }

    /// Reads a pack in a library.
    pub(super) fn read(folder: &Path, overlays: &[PathBuf], library: &Library) -> Result<Self, Report> {
        let mut problems = Vec::new();
        let twice = RefCell::new(Vec::new());
        let find = |id: &str| library.below(id, folder, &mut twice.borrow_mut());
        let loaded = LoadedPack::open(folder, overlays, &find, &mut problems).map_err(|mut report| {
            for problem in
                report.diagnostics.iter_mut().filter(|d| d.code == BAD_EXTENDS && d.help.is_empty())
            {
                problem.help.push(library.looked_in(folder));
            }
            report
        })?;
        problems.extend(twice.take());
        problems.extend(loaded.model.pack.iter().flat_map(|manifest| required(manifest, library, folder)));
        let names = script_names(&loaded);
        let program = compile_scripts(&loaded, &names, &mut problems);
        let contracts = library.modules().contracts();
        let used: Vec<String> = match &loaded.model.pack {
            Some(pack) => pack.modules.names().map(|n| n.value.clone()).collect(),
            None => Vec::new(),
        };
        let modules = used.iter().filter_map(|name| library.modules().find(name));
        let sources = &loaded.layers.sources;
        let scripts = match &program {
            Some(Ok(program)) => Some(Scripts::new(program, &names, sources)),
            _ => None,
        };
        let mut procedures = All { modules: modules.map(|m| m.procedures()).collect(), scripts };
        // Without the scripts nobody can say which procedures there are.
        let known: Option<&dyn Procedures> = match &program {
            Some(Err(())) => None,
            _ => Some(&procedures),
        };
        let texts: Vec<String> = contracts
            .iter()
            .filter(|c| used.contains(&c.module))
            .flat_map(|c| c.texts.iter().cloned())
            .collect();
        let around = Surroundings { contracts: &contracts, procedures: known, texts: &texts };
        problems.extend(check(&loaded, &around));
        problems.extend(citations::unknown(&loaded, &names));
        if problems.iter().any(Diagnostic::is_error) {
            return Err(loaded.report(problems));
        }
        if loaded.model.is_base() {
            let message = "the pack is only the base of others; open one that extends it";
            problems.push(Diagnostic::of_file(BASE_PACK, "pack.ron", message));
            return Err(loaded.report(problems));
        }
        let (rulebook, declared) = compile(&loaded, &contracts, &mut procedures).map_err(|report| {
            let found = report.diagnostics.into_iter().chain(problems.iter().cloned());
            loaded.report(found.collect())
        })?;
        drop(procedures);
        let compiled = program.as_ref().and_then(|program| program.as_ref().ok());
        problems.extend(idle::warnings(&loaded, &names, compiled));
        let program = program.and_then(Result::ok);
        let rulebook = Arc::new(rulebook);
        if let Some(Err(found)) = program.as_ref().map(|program| program.host(&rulebook)) {
            problems.extend(found.into_iter().map(|p| diagnostic(p, &names, sources)));
            return Err(loaded.report(problems));
        }
        problems.extend(citations::misnamed(&loaded, &names, &rulebook));
        if problems.iter().any(Diagnostic::is_error) {
            return Err(loaded.report(problems));
        }
        let id = loaded.title_layer().map(|layer| layer.id.clone()).unwrap_or_default();
        let versions = contracts.into_iter().filter(|c| used.contains(&c.module));
        let stamp = Stamp {
            pack: id.clone(),
            layers: stamps(&loaded.layers),
            modules: versions.map(|c| (c.module, c.version)).collect::<BTreeMap<_, _>>(),
        };
        let switches = switches(&loaded.model, &declared);
        let rules = Rules::of_pack(rulebook, FromPack { program, stamp, switches });
        let warnings = loaded.report(problems);
        Ok(Self { id, rules, loaded, declared, warnings })
    }

    /// The id: that of the uppermost layer that is no overlay.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The title.
    pub fn title(&self) -> &str {
        self.rulebook().title()
    }

    /// The titles and versions of the overlays, the lowest first.
    ///
    /// ```
    /// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
    /// let pack = adjutant::Pack::open_with(format!("{games}/ford"), &[format!("{games}/ford-heights").into()])?;
    /// let overlays: Vec<_> = pack.overlays().collect();
    /// assert_eq!((pack.title(), overlays[0].0), ("The Ford", "The Ford, open heights"));
    /// # Ok::<(), adjutant::packs::Report>(())
    /// ```
    pub fn overlays(&self) -> impl Iterator<Item = (&str, &str)> {
        let layers = &self.loaded.layers.layers;
        let first = layers.len().saturating_sub(self.loaded.overlays);
        layers[first..].iter().map(|layer| (layer.title.as_str(), layer.version.as_str()))
    }

    /// The rules to play by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The compiled rulebook.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.rules.rulebook()
    }

    /// The bundles of options: of each its name and the options that it has on; all others are off then.
    pub fn presets(&self) -> impl Iterator<Item = (&str, Vec<String>)> {
        let presets = self.model().options.iter().flat_map(|options| options.presets.iter());
        presets
            .map(|(name, preset)| (name.value.as_str(), preset.on.iter().map(|o| o.value.clone()).collect()))
    }

    /// What the layers say, put together.
    pub fn model(&self) -> &Model {
        &self.loaded.model
    }

    /// The numbers of what was declared, by name.
    pub fn declared(&self) -> &Declared {
        &self.declared
    }

    /// What is likely not meant so: warnings alone, for with an error there is no pack.
    pub fn warnings(&self) -> &Report {
        &self.warnings
    }

    /// The fingerprint of what can change play, of all layers.
    pub fn rules_hash(&self) -> Hash {
        self.loaded.rules_hash
    }

    /// The fingerprint of all files of all layers.
    pub fn full_hash(&self) -> Hash {
        self.loaded.full_hash
    }

    /// The rule ledger.
    pub fn ledger(&self) -> &Entries<LedgerRule> {
        &self.loaded.model.rules
    }

    /// Where the data come from.
    pub fn provenance(&self) -> Vec<Statement> {
        self.loaded.layers.provenance()
    }

    /// Every value with its origin, or those at a path and below it.
    ///
    /// # Errors
    /// When there is no such path.
    pub fn resolve(&self, path: Option<&str>) -> Result<Vec<Origin>, ResolveError> {
        self.loaded.layers.resolve(path)
    }

    /// The tests of all layers, from the bottom up: how each file is shown, and its text.
    pub fn tests(&self) -> impl Iterator<Item = (&str, &str)> {
        let sources = &self.loaded.layers.sources;
        self.loaded.layers.tests.iter().map(|&file| {
            let source = sources.file(file);
            (source.shown.as_str(), source.text.as_str())
        })
    }

    /// The scripts that stand in place of others of the same path: the path, the layer from which it comes now, and
    /// the layer whose script is replaced.
    pub fn replaced_scripts(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let layers = &self.loaded.layers;
        layers.replaced.iter().map(|&(below, file)| {
            let (below, file) = (layers.sources.file(below), layers.sources.file(file));
            let id = |layer: usize| layers.layers[layer].id.as_str();
            (file.path.as_str(), id(file.layer), id(below.layer))
        })
    }

    /// The folders of all layers, from the bottom up.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.loaded.layers.layers.iter().map(|layer| layer.shown.as_str())
    }

    /// The languages for which there are texts.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.loaded.texts.languages.keys().map(String::as_str)
    }

    /// The texts in a language; what it lacks is said in English where that is there, and else made of the names
    /// themselves.
    pub fn text(&self, language: &str) -> Text {
        let layers = &self.loaded.layers;
        let files = |wanted: &str| -> Vec<&str> {
            let files = layers.texts.iter().filter(|(language, _)| language == wanted);
            files.map(|(_, file)| layers.sources.file(*file).text.as_str()).collect()
        };
        let mut all = if language == "en" { Vec::new() } else { files("en") };
        all.extend(files(language));
        // What a gap or an erratum says is a question; the reading answers it.
        let says = |rule: &LedgerRule| match (&rule.kind, &rule.reading) {
            (RuleKind::Gap | RuleKind::Erratum, Some(reading)) => reading.clone(),
            _ => rule.summary.clone(),
        };
        let summaries = self.ledger().iter().map(|(id, rule)| (id.value.clone(), says(rule)));
        Text::new(language, &all, summaries.collect())
    }
}

impl From<&Pack> for Rules {
    fn from(pack: &Pack) -> Self {
        pack.rules.clone()
    }
}

impl FindRules for Pack {
    fn find_rules(&self, _: &Save) -> Result<Rules, Incompatible> {
        Ok(self.rules.clone())
    }
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pack({}, {:?})", self.id, self.rules)
    }
}

/// The compiled scripts: none where the pack has none, an error when they cannot be compiled.
fn compile_scripts(
    loaded: &LoadedPack,
    names: &[(String, FileId)],
    problems: &mut Vec<Diagnostic>,
) -> Option<Result<Program, ()>> {
    if names.is_empty() {
        return None;
    }
    let sources = &loaded.layers.sources;
    let text = |(name, file): &'_ (String, FileId)| (name.clone(), sources.file(*file).text.clone());
    let files: Vec<(String, String)> = names.iter().map(text).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    Some(Program::compile(&files).map_err(|found| {
        problems.extend(found.into_iter().map(|p| diagnostic(p, names, sources)));
    }))
}

fn stamps(layers: &Layers) -> Vec<LayerStamp> {
    let stamp = |layer: &adjutant_pack::layers::LayerInfo| LayerStamp {
        id: layer.id.clone(),
        version: layer.version.clone(),
        hash: layer.hash.to_string(),
    };
    layers.layers.iter().map(stamp).collect()
}

fn switches(model: &Model, declared: &Declared) -> Vec<Switch> {
    let Some(options) = &model.options else { return Vec::new() };
    let bits = |names: &[adjutant_pack::read::Name]| {
        let ids = names.iter().filter_map(|n| declared.options.get(&n.value));
        ids.fold(0u64, |bits, option| bits | 1 << option.0)
    };
    let all = options.options.iter().map(|(name, switch)| Switch {
        bit: bits(std::slice::from_ref(name)),
        needs: bits(&switch.needs),
        excludes: bits(&switch.excludes),
    });
    all.filter(|switch| switch.needs | switch.excludes != 0).collect()
}

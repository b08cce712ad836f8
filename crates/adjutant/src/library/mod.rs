//! Packs: found in a folder, checked, compiled, and ready to be played.

mod citations;
mod idle;
mod pack;
mod scripts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use adjutant_pack::check::matches;
use adjutant_pack::diagnostic::{Diagnostic, Report, Severity};
use adjutant_pack::files::{LARGEST_FILE, read_text};
use adjutant_pack::source::{FileId, Sources};
use adjutant_pack::tree;

pub use pack::{BASE_PACK, Pack};

use crate::{FindRules, Incompatible, Modules, Rules, Save};

/// Folders within folders in which packs are looked for, at most.
const DEEPEST: usize = 6;
/// Folders that are looked at, at most.
const MOST_FOLDERS: usize = 5_000;

/// The packs of a folder, and the native modules that they may play by.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// use adjutant::Library;
///
/// let library = Library::open(games)?;
/// assert!(library.packs().any(|(id, _)| id == "ford"));
/// let pack = library.pack("ford")?;
/// assert_eq!(pack.title(), "The Ford");
/// let missing = library.pack("fort").unwrap_err();
/// assert!(missing.render_short().contains("did you mean `ford`?"));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Library {
    packs: BTreeMap<String, PathBuf>,
    modules: Modules,
}

impl Library {
    /// Finds the packs of a folder: the folders with a `pack.ron` in it, however deep.
    ///
    /// # Errors
    /// When the folder cannot be read, or two packs have the same id. What is wrong inside a pack shows when it is
    /// opened.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Report> {
        let folder = folder.as_ref();
        if let Err(error) = std::fs::read_dir(folder) {
            let message = format!("cannot be listed: {error}");
            let problem = Diagnostic::of_file("io", folder.display().to_string(), message);
            return Err(Report::new(Sources::default(), vec![problem]));
        }
        let (mut library, mut problems) = (Self::default(), Vec::new());
        for (id, path) in search(folder, DEEPEST) {
            if let Some(first) = library.packs.get(&id) {
                let message =
                    format!("has the id `{id}`, as {} has; give one of them another", first.display());
                problems.push(Diagnostic::of_file("duplicate", path.display().to_string(), message));
            } else {
                library.packs.insert(id, path);
            }
        }
        if problems.is_empty() { Ok(library) } else { Err(Report::new(Sources::default(), problems)) }
    }

    /// The same library with native modules that its packs may play by.
    #[must_use]
    pub fn with_modules(mut self, modules: Modules) -> Self {
        self.modules = modules;
        self
    }

    /// The native modules.
    pub fn modules(&self) -> &Modules {
        &self.modules
    }

    /// The ids of all packs with their folders, overlays included.
    pub fn packs(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.packs.iter().map(|(id, path)| (id.as_str(), path.as_path()))
    }

    /// The folder of a pack.
    pub fn folder(&self, id: &str) -> Option<&Path> {
        self.packs.get(id).map(PathBuf::as_path)
    }

    /// Opens a pack by its id.
    ///
    /// # Errors
    /// All that is wrong with it, at once.
    pub fn pack(&self, id: &str) -> Result<Pack, Report> {
        self.pack_with(id, &[])
    }

    /// Opens a pack by its id with overlays, each a folder, the lowest first.
    ///
    /// ```
    /// use adjutant::Library;
    /// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
    /// let library = Library::open(games)?;
    /// let house_rules = library.folder("ford-heights").unwrap().to_owned();
    /// let pack = library.pack_with("ford", &[house_rules])?;
    /// assert_eq!(pack.folders().count(), 2);
    /// assert!(!pack.rulebook().rule_on(pack.rulebook().rule_named("ford:3.1").unwrap())); // it switches that off
    /// # Ok::<(), adjutant::packs::Report>(())
    /// ```
    ///
    /// # Errors
    /// All that is wrong with it, at once.
    pub fn pack_with(&self, id: &str, overlays: &[PathBuf]) -> Result<Pack, Report> {
        let Some(path) = self.packs.get(id) else {
            let known: Vec<&str> = self.packs.keys().map(String::as_str).collect();
            let help = adjutant_kernel::suggest::instead(id, known);
            let message = format!("there is no such pack; {help}");
            return Err(Report::new(
                Sources::default(),
                vec![Diagnostic::of_file("unknown-pack", id, message)],
            ));
        };
        self.open_pack(path, overlays)
    }

    /// Opens a pack by its folder with overlays, each a folder, the lowest first. What it extends is looked for in
    /// this library, and else near the pack.
    ///
    /// # Errors
    /// All that is wrong with it, at once.
    pub fn open_pack(&self, folder: &Path, overlays: &[PathBuf]) -> Result<Pack, Report> {
        Pack::read(folder, overlays, self)
    }

    /// Opens the pack that a save names, with its overlays. They may be others than those that it was made by:
    /// [`Save::differences`] says in what.
    ///
    /// # Errors
    /// When the save names none, one of them is not there, or what is there is wrong.
    pub fn pack_of(&self, save: &Save) -> Result<Pack, Incompatible> {
        let Some(stamp) = &save.pack else {
            return Err(Incompatible::Pack("the save names none; it was not made by a pack".to_owned()));
        };
        let above = stamp.layers.iter().skip_while(|l| l.id != stamp.pack).skip(1);
        let overlays = above.map(|layer| {
            let folder = self.folder(&layer.id).map(Path::to_owned);
            folder.ok_or_else(|| Incompatible::Pack(format!("there is no overlay `{}`", layer.id)))
        });
        let overlays: Vec<PathBuf> = overlays.collect::<Result<_, _>>()?;
        let pack = self.pack_with(&stamp.pack, &overlays);
        pack.map_err(|report| Incompatible::Pack(report.render_short()))
    }

    /// The folder of a pack that another one extends; what stands in `problems` is wrong with that.
    fn below(&self, id: &str, folder: &Path, problems: &mut Vec<Diagnostic>) -> Option<PathBuf> {
        if let Some(path) = self.packs.get(id) {
            return Some(path.clone());
        }
        let found = near(folder, id);
        // A copy that somebody kept is told from the pack by its name, or lies deeper.
        let rank =
            |path: &PathBuf| (path.components().count(), path.file_name().is_none_or(|name| name != id));
        let first = found.iter().min_by_key(|path| rank(path))?;
        for other in found.iter().filter(|other| *other != first) {
            let (first_shown, shown) = (first.display(), other.display().to_string());
            let found = match rank(other) == rank(first) {
                true => {
                    let message =
                        format!("has the id `{id}`, as {first_shown} has; give one of them another");
                    Diagnostic::of_file("duplicate", shown, message)
                }
                false => {
                    let message = format!("has the id `{id}` too; what extends it stands on {first_shown}");
                    Diagnostic {
                        severity: Severity::Warning,
                        ..Diagnostic::of_file("duplicate", shown, message)
                    }
                }
            };
            // It is asked for more than once.
            if !problems.contains(&found) {
                problems.push(found);
            }
        }
        Some(first.clone())
    }

    /// Where the packs are looked for that one extends, for messages.
    fn looked_in(&self, folder: &Path) -> String {
        let around = around(folder).into_iter().map(|above| format!("in {}", above.display()));
        let known: Vec<String> = self.packs.keys().take(MOST_NAMED).map(|id| format!("`{id}`")).collect();
        let library = match (known.is_empty(), self.packs.len() > known.len()) {
            (true, _) => "there is no library".to_owned(),
            (false, more) => {
                format!("the library has {}{}", known.join(", "), if more { ", .." } else { "" })
            }
        };
        let places: Vec<String> = around.collect();
        format!("{library}; else it is looked for {} and two folders deeper", places.join(", then "))
    }
}

/// Packs of a library that a message names, at most.
const MOST_NAMED: usize = 8;

/// The folders in which the packs lie that one extends: the one beside it, and the one around that.
fn around(folder: &Path) -> Vec<PathBuf> {
    let Ok(folder) = folder.canonicalize() else { return Vec::new() };
    // Not the whole disk, where a pack lies at its root.
    let above = folder.ancestors().skip(1).take(2).filter(|above| above.parent().is_some());
    above.map(Path::to_owned).collect()
}

/// The packs with an id beside a folder; if there is none, beside the folder that it lies in.
fn near(folder: &Path, id: &str) -> Vec<PathBuf> {
    let with_id = |above: PathBuf| -> Vec<PathBuf> {
        search(&above, 2).into_iter().filter(|(found, _)| found == id).map(|(_, path)| path).collect()
    };
    around(folder).into_iter().map(with_id).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The packs at and below a folder, by id and path, in the order of their paths.
fn search(folder: &Path, depth: usize) -> Vec<(String, PathBuf)> {
    let (mut found, mut left) = (Vec::new(), MOST_FOLDERS);
    search_in(folder, depth, &mut left, &mut found);
    found
}

fn search_in(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<(String, PathBuf)>) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    let manifest = folder.join("pack.ron");
    if manifest.is_file() {
        // One that cannot be read is known by its folder, so that whoever opens it is told what is wrong.
        let id = read_manifest(folder).ok().and_then(|text| id_of(&text));
        let name = || folder.file_name().map(|n| n.to_string_lossy().into_owned());
        found.extend(id.or_else(name).map(|id| (id, folder.to_owned())));
    }
    if depth == 0 {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|t| t.is_dir()))
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            !name.starts_with('.') && name != "target" && name != "node_modules"
        })
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for inner in folders {
        search_in(&inner, depth - 1, left, found);
    }
}

/// The manifest of a pack, whoever it may be from.
fn read_manifest(folder: &Path) -> std::io::Result<String> {
    read_text(&folder.join("pack.ron"), LARGEST_FILE)
}

/// The id that a manifest states.
fn id_of(manifest: &str) -> Option<String> {
    stated(manifest, "id")
}

/// A text that a manifest states.
fn stated(manifest: &str, what: &str) -> Option<String> {
    let node = tree::parse(FileId(0), manifest, &mut Vec::new());
    node.field(what)?.node.text().map(str::to_owned)
}

/// Packs that a manifest requires and that are not there, or in another version.
fn required(manifest: &adjutant_pack::model::Pack, library: &Library, folder: &Path) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (name, range) in manifest.requires.iter() {
        let text = library.below(name, folder, &mut problems).map(|path| read_manifest(&path));
        let version = text.and_then(Result::ok).and_then(|text| stated(&text, "version"));
        let (pack, name_of, wanted) = (&manifest.id.value, &name.value, &range.value);
        let message = match version {
            Some(version) if matches(wanted, &version) => continue,
            Some(version) => {
                format!("`{pack}` needs version {wanted} of the pack `{name_of}`; there is {version}")
            }
            None => format!("`{pack}` needs the pack `{name_of}`, and there is none"),
        };
        problems.push(Diagnostic::error("missing-pack", name.span, message).at("pack/requires"));
    }
    problems
}

impl FindRules for Library {
    fn find_rules(&self, save: &Save) -> Result<Rules, Incompatible> {
        self.pack_of(save).map(|pack| pack.rules().clone())
    }
}

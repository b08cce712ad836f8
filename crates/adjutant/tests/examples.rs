//! Every public type, trait, free function and derive is shown at work by an example that `cargo test --doc` runs.
//!
//! An item is shown if its own docs have an example, if one elsewhere in its file uses it by name, or if one in the
//! docs of a module above it does. Methods are not asked for: the example of their type is where they belong.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that others build on, by their folders.
const CRATES: [&str; 6] = ["kernel", "kernel-derive", "adjutant", "pack", "script", "testing"];

/// What a source file declares and shows.
#[derive(Default)]
struct Source {
    /// The public items with their lines, from 1, and whether their own docs have an example.
    items: Vec<(String, usize, bool)>,
    /// The words of all examples in the file.
    shown: BTreeSet<String>,
    /// The words of the examples in the docs of the module itself.
    shown_by_module: BTreeSet<String>,
    /// Modules that are public for the sake of macros only.
    hidden: Vec<String>,
}

/// Whether a code block with these words after its fence is run as a test.
fn runs(fence: &str) -> bool {
    fence.split(',').map(str::trim).all(|word| matches!(word, "" | "rust" | "should_panic"))
}

fn words(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_owned)
}

/// The name of the public item that a line declares; `None` for items of other kinds and for what is in them. Macros
/// declare the kernel's ids, a line each, and the model of packs, one step to the right of the margin.
fn declared(line: &str) -> Option<&str> {
    if let Some((id, _)) = line.strip_prefix("    ").and_then(|line| line.split_once(": u")) {
        return (line.ends_with(';') && id.ends_with("Id") && !id.contains(' ')).then_some(id);
    }
    let in_macro =
        line.strip_prefix("    pub ").filter(|rest| rest.starts_with("struct ") || rest.starts_with("enum "));
    let rest = line.strip_prefix("pub ").or(in_macro)?;
    let rest = ["const fn ", "fn ", "struct ", "enum ", "union ", "trait ", "type "]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

fn scan(text: &str) -> Source {
    let mut source = Source::default();
    // The block that is open: whether it runs, and whether it belongs to the module.
    let mut block: Option<(bool, bool)> = None;
    let (mut example, mut hidden) = (false, false);
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let doc = trimmed.strip_prefix("//!").map(|doc| (doc, true));
        if let Some((doc, module)) = doc.or_else(|| trimmed.strip_prefix("///").map(|doc| (doc, false))) {
            match (doc.trim_start().strip_prefix("```"), block) {
                (Some(_), Some(_)) => block = None,
                (Some(fence), None) => {
                    block = Some((runs(fence), module));
                    example |= runs(fence);
                }
                (None, Some((true, module))) => {
                    source.shown.extend(words(doc));
                    if module {
                        source.shown_by_module.extend(words(doc));
                    }
                }
                (None, _) => {}
            }
            continue;
        }
        if let Some(name) = declared(line) {
            source.items.push((name.to_owned(), number + 1, example));
        }
        if let Some(module) = line.strip_prefix("pub mod ").filter(|_| hidden) {
            source.hidden.extend(module.strip_suffix(';').map(str::to_owned));
        }
        // Attributes stand between the docs of an item and the item.
        let attribute =
            trimmed.starts_with("#[") || line.starts_with(|c: char| c.is_whitespace() || c == ')');
        if !attribute {
            (example, hidden) = (false, false);
        }
        hidden |= trimmed == "#[doc(hidden)]";
    }
    source
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// The files of the modules above that of `file`, from the nearest on, up to the crate's own.
fn above(root: &Path, file: &Path) -> Vec<PathBuf> {
    let mut modules = Vec::new();
    let mut folder = file.parent().unwrap();
    while folder.starts_with(root) {
        modules.extend(["mod.rs", "lib.rs"].map(|name| folder.join(name)));
        modules.push(folder.with_extension("rs"));
        folder = folder.parent().unwrap();
    }
    modules.retain(|module| module.is_file() && module != file);
    modules
}

#[test]
fn every_public_item_has_an_example_that_runs() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut bare, mut count) = (Vec::new(), 0);
    for name in CRATES {
        let root = crates.join(name).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        let read = |file: &Path| scan(&fs::read_to_string(file).unwrap());
        for file in &files {
            let source = read(file);
            let above: Vec<Source> = above(&root, file).iter().map(|module| read(module)).collect();
            let stem = file.file_stem().unwrap().to_string_lossy();
            if above.iter().any(|module| module.hidden.iter().any(|hidden| *hidden == stem)) {
                continue;
            }
            for (item, line, example) in &source.items {
                count += 1;
                let shown = *example
                    || source.shown.contains(item)
                    || above.iter().any(|module| module.shown_by_module.contains(item));
                if !shown {
                    bare.push(format!("{}:{line}: {item}", file.strip_prefix(crates).unwrap().display()));
                }
            }
        }
    }
    assert!(count > 400, "only {count} public items were found: does the scan still read them?");
    assert!(
        bare.is_empty(),
        "{} of {count} public items are without an example:\n{}",
        bare.len(),
        bare.join("\n")
    );
}

#[test]
fn the_scan_tells_examples_from_other_blocks() {
    let source = scan(
        "//! ```\n//! let a = Shown::new();\n//! ```\n\n/// ```text\n/// Bare\n/// ```\n#[derive(Clone)]\npub struct Bare;\n\n\
         /// ```\n/// use Other;\n/// ```\n#[derive(Clone)]\npub enum Mine {\n}\npub(crate) fn inner() {}\n\
         ids! {\n    /// A mine.\n    MineId: u16;\n    mine: u16,\n    pub struct Made {\n}\nimpl Mine {\n    /// ```\n    /// three();\n    /// ```\n    pub fn method() {}\n}\n\
         /// ```no_run\n/// nothing();\n/// ```\npub fn two() {}\n#[doc(hidden)]\npub mod support;\n",
    );
    let items: Vec<(&str, bool)> = source.items.iter().map(|(name, _, own)| (name.as_str(), *own)).collect();
    assert_eq!(items, [("Bare", false), ("Mine", true), ("MineId", false), ("Made", false), ("two", false)]);
    assert_eq!(source.hidden, ["support"]);
    assert!(source.shown.contains("Other") && source.shown.contains("three"));
    assert!(!source.shown.contains("Bare") && !source.shown.contains("nothing"));
    assert!(source.shown_by_module.contains("Shown") && !source.shown_by_module.contains("Other"));
}

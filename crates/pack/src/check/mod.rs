//! Semantic checks: what single entries cannot show. All problems are found in one run; what could not be read is
//! taken to be right, so that one slip is one problem.

mod boards;
mod known;
mod manifest;
mod pieces;
mod play;
mod scenario;
mod tables;
mod values;

pub(crate) use known::Known;
pub use manifest::matches;
pub(crate) use scenario::{StartField, start_cells, start_records};
pub(crate) use values::{least, number};

use crate::compile::Procedures;
use crate::diagnostic::Diagnostic;
use crate::load::LoadedPack;
use crate::model::{Model, Source};
use crate::read::Name;
use crate::source::Span;

/// What a native module needs of a pack, and what it provides.
///
/// ```
/// use adjutant_pack::{Contract, Files, LoadedPack, Surroundings, check};
/// # let files = [("pack.ron", r#"(id: "storm", title: "Storm", version: "1.0.0", format: 1, api: 1, authors: ["A"],
/// #     licence: "MIT", modules: { "weather": "1" })"#)];
/// # let pack = LoadedPack::read(&[Files::new("", files)], &mut Vec::new());
/// let weather = Contract {
///     module: "weather".into(),
///     version: "1.2.0".into(),
///     tables: vec!["weather".into()],
///     ..Contract::default()
/// };
/// // A pack that plays by the module and has no such table:
/// let problems = check(&pack, &Surroundings { contracts: &[weather], ..Surroundings::default() });
/// assert!(problems.iter().any(|problem| problem.message.contains("table `weather`")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// The module.
    pub module: String,
    /// Its version.
    pub version: String,
    /// Attributes that pieces must have.
    pub attributes: Vec<String>,
    /// Kinds of pieces that there must be.
    pub kinds: Vec<String>,
    /// Columns that there must be.
    pub columns: Vec<String>,
    /// Tables that there must be.
    pub tables: Vec<String>,
    /// Phases that the sequence of play must have.
    pub phases: Vec<String>,
    /// Features that boards must know.
    pub features: Vec<String>,
    /// Sets of pieces that there must be.
    pub sets: Vec<String>,
    /// Rule points that it declares.
    pub points: Vec<String>,
    /// Moments that it declares.
    pub moments: Vec<String>,
    /// Keys of texts for what its procedures ask and tell, such as `event-weather`.
    pub texts: Vec<String>,
}

impl Contract {
    pub(crate) fn is_used(&self, model: &Model) -> bool {
        model.pack.as_ref().is_some_and(|p| p.modules.get(&self.module).is_some())
    }
}

/// What a pack is checked against.
#[derive(Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The native modules that there are.
    pub contracts: &'a [Contract],
    /// The procedures that there are; without, no name of a procedure is checked.
    pub procedures: Option<&'a dyn Procedures>,
    /// Text keys that procedures use.
    pub texts: &'a [String],
}

/// Checks a pack.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack, Surroundings, check};
/// let sides = r#"(sides: { "blue": () }, seats: { "blue": (side: "bleu") })"#;
/// let pack = LoadedPack::read(&[Files::new("", [("sides.ron", sides)])], &mut Vec::new());
/// let problems = check(&pack, &Surroundings::default());
/// let slip = problems.iter().find(|problem| problem.code == "unknown-name").unwrap();
/// assert_eq!(slip.path, "sides/seats/blue");
/// ```
pub fn check(pack: &LoadedPack, around: &Surroundings<'_>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let known = Known::new(pack, around, &mut problems);
    check_known(pack, around, &known, problems)
}

/// Checks a pack whose names were gathered, with the problems of that.
pub(crate) fn check_known(
    pack: &LoadedPack,
    around: &Surroundings<'_>,
    known: &Known,
    problems: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut cx = Checking { pack, model: &pack.model, known, around, problems };
    cx.manifest();
    cx.contracts();
    cx.sides();
    cx.pieces();
    cx.columns();
    cx.tables();
    cx.sequence();
    cx.options();
    cx.points();
    cx.knowledge();
    cx.scenarios();
    cx.boards();
    cx.ledger();
    cx.unused();
    let said = cx.said_in_scripts();
    let mut problems = cx.problems;
    pack.texts.lint(&pack.model, &said, around.texts, &mut problems);
    problems
}

/// A check at work.
pub(crate) struct Checking<'a> {
    pub(crate) pack: &'a LoadedPack,
    pub(crate) model: &'a Model,
    pub(crate) known: &'a Known,
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) problems: Vec<Diagnostic>,
}

impl<'a> Checking<'a> {
    pub(crate) fn push(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn is_broken(&self, section: &str) -> bool {
        self.model.broken.iter().any(|b| b == section)
    }

    /// Data must say where they come from.
    fn source(&mut self, source: Option<&Source>, span: Span, what: &str, path: &str) {
        match source {
            None => {
                let message = format!("{what} does not say where it comes from");
                let help =
                    "add `source: Printed(\"where\")`, `Derived(\"how\")` or `Reconstructed(\"why so\")`";
                self.push(Diagnostic::error("no-source", span, message).help(help).at(path));
            }
            Some(source) => self.source_text(source, path),
        }
    }

    fn source_text(&mut self, source: &Source, path: &str) {
        let text = source.text();
        if text.trim().is_empty() {
            let message = "the source says nothing";
            let help = "say where it is printed, how it follows, or why it was filled in so";
            self.push(Diagnostic::error("no-source", text.span, message).help(help).at(path));
        }
    }

    /// A rule id that is cited: its book must be declared, and the rule in the ledger if there is one.
    fn rule(&mut self, rule: &Name, path: &str) {
        let known = self.known;
        let Some(pack) = &self.model.pack else { return };
        let book = rule.split_once(':').map(|(book, _)| book);
        match book {
            None => {
                let message = format!("`{}` is no rule id", rule.value);
                let help = "write the book, a colon and the number, such as `book:4.2`";
                self.push(Diagnostic::error("bad-rule", rule.span, message).help(help).at(path));
                return;
            }
            Some(book) if pack.rulebooks.get(book).is_none() => {
                let message = format!("the rulebook `{book}` is not declared");
                // A ledger has hundreds of rules of a book: once is enough.
                if self.problems.iter().any(|problem| problem.message == message) {
                    return;
                }
                let books: Vec<&str> = pack.rulebooks.names().map(|n| n.value.as_str()).collect();
                let help = crate::suggest::help(book, "rulebooks of `pack.ron`", books.iter().copied());
                self.push(Diagnostic::error("bad-rule", rule.span, message).help(help).at(path));
                return;
            }
            Some(_) => {}
        }
        if !known.rules.is_empty() {
            let whole = rule.split_once('#').map_or(rule.value.as_str(), |(whole, _)| whole);
            if !known.rules.has(&rule.value) && !known.rules.has(whole) {
                let mut problem = known.rules.unknown(rule).at(path);
                problem.message = format!("the rule `{}` is not in the ledger `rules.ron`", rule.value);
                self.push(problem);
            }
        }
    }

    fn rules(&mut self, rules: &[Name], path: &str) {
        rules.iter().for_each(|rule| self.rule(rule, path));
    }

    /// A procedure that is called by name.
    fn procedure(&mut self, name: &Name, path: &str) {
        let Some(procedures) = self.around.procedures else { return };
        if !procedures.knows(name) {
            let known = procedures.names();
            let message = format!("there is no procedure `{}`", name.value);
            let help = crate::suggest::help(name, "procedures", known.iter().map(String::as_str));
            let problem = Diagnostic::error("unknown-name", name.span, message).label("no such procedure");
            self.push(problem.help(help).at(path));
        }
    }

    /// Two options that would have to be on and off.
    fn option_pair(&mut self, on: Option<&Name>, off: Option<&Name>, path: &str) {
        let known = self.known;
        if let Some(on) = on {
            known.options.refer(on, path, self);
        }
        if let Some(off) = off {
            known.options.refer(off, path, self);
        }
        if let (Some(on), Some(off)) = (on, off) {
            let message = "`option` and `without_option` exclude one another";
            let problem = Diagnostic::error("bad-option", off.span, message).and(on.span, "the other");
            self.push(problem.help("keep one of them").at(path));
        }
    }
}

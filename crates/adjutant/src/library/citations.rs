//! Names that scripts write out: rule ids that they cite, features, sets, columns, options and places. A slip in one
//! would show in play only, when the line runs.

use adjutant_kernel::suggest::{instead, nearest};
use adjutant_kernel::{FeatureId, LinkId, PlaceId, Rulebook, SpaceId};
use adjutant_pack::LoadedPack;
use adjutant_pack::diagnostic::Diagnostic;
use adjutant_pack::luau::{is_argument, texts};
use adjutant_pack::model::LedgerRule;
use adjutant_pack::read::Entries;
use adjutant_pack::source::{FileId, Span};

/// The ids in texts of scripts, such as `"book:4.2"`, whose book is not declared or that the ledger has not.
pub(super) fn unknown(pack: &LoadedPack, names: &[(String, FileId)]) -> Vec<Diagnostic> {
    let Some(manifest) = &pack.model.pack else { return Vec::new() };
    let (books, ledger) = (&manifest.rulebooks, &pack.model.rules);
    let sources = &pack.layers.sources;
    let mut problems = Vec::new();
    for &(_, file) in names {
        let script = &sources.file(file).text;
        for (start, text) in texts(script) {
            let Some((book, number)) = text.split_once(':') else { continue };
            if number.is_empty() || number.contains(char::is_whitespace) {
                continue;
            }
            let span = Span { file, start: start as u32, end: (start + text.len()) as u32 };
            if books.get(book).is_some() {
                problems.extend(not_in_ledger(ledger, span, text));
            } else if ledger.names().next().is_some() {
                let books: Vec<&str> = books.names().map(|name| name.value.as_str()).collect();
                problems.extend(of_no_book(&books, span, (book, number), is_argument(script, start)));
            }
        }
    }
    problems
}

fn not_in_ledger(ledger: &Entries<LedgerRule>, span: Span, text: &str) -> Option<Diagnostic> {
    ledger.names().next()?;
    // A sub-statement may be cited where the ledger has the whole alone.
    let whole = text.split_once('#').map_or(text, |(whole, _)| whole);
    if ledger.get(text).is_some() || ledger.get(whole).is_some() {
        return None;
    }
    let message = format!("the rule `{text}` is not in the ledger `rules.ron`");
    let near = instead(text, ledger.names().map(|name| name.value.as_str()));
    Some(Diagnostic::error("unknown-name", span, message).label("no such rule").help(near))
}

/// What looks like an id - a word, a colon and a number, or a slip in a declared book - and is of no book. Where it is
/// no argument it may be something else.
fn of_no_book(
    books: &[&str],
    span: Span,
    (book, number): (&str, &str),
    argument: bool,
) -> Option<Diagnostic> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let slip = nearest(book, books.iter().copied()).is_some();
    if !book.starts_with(|c: char| c.is_ascii_alphabetic())
        || !book.chars().all(is_word)
        || !number.contains(|c: char| c.is_ascii_digit())
        || !(slip || number.starts_with(|c: char| c.is_ascii_digit()))
    {
        return None;
    }
    let message = format!("the rule `{book}:{number}` is of a book that `pack.ron` does not declare");
    let found = match argument {
        true => Diagnostic::error("unknown-name", span, message),
        false => Diagnostic::warning("unknown-name", span, message),
    };
    Some(found.label(format!("no rulebook `{book}`")).help(instead(book, books.iter().copied())))
}

/// What the text is that follows a call, of those names whose kind the call itself says.
const CALLS: [(&str, Named); 12] = [
    (":has(", Named::Feature),
    (":value(", Named::Feature),
    ("g:spaces(", Named::Feature),
    (":is(", Named::Set),
    ("set = ", Named::Set),
    ("g:option(", Named::Option),
    ("g:place(", Named::Place),
    ("g:space(", Named::Space),
    ("g:link(", Named::Link),
    ("g:unit(", Named::Piece),
    ("g:piece(", Named::Piece),
    ("g:records(", Named::Relation),
];

#[derive(Clone, Copy)]
enum Named {
    Feature,
    Set,
    Option,
    Place,
    Space,
    Link,
    Piece,
    Relation,
}

impl Named {
    fn what(self) -> &'static str {
        match self {
            Self::Feature => "feature",
            Self::Set => "set of pieces",
            Self::Option => "option",
            Self::Place => "place",
            Self::Space => "space",
            Self::Link => "link",
            Self::Piece => "piece",
            Self::Relation => "relation",
        }
    }

    /// What would be right in place of a name that is not there.
    fn wrong(self, rb: &Rulebook, name: &str) -> Option<String> {
        let board = rb.board();
        let near = |found: bool, all: &mut dyn Iterator<Item = &str>| (!found).then(|| instead(name, all));
        match self {
            Self::Feature => {
                let mut all = (0..board.feature_count() as u16).map(|n| board.feature_name(FeatureId(n)));
                near(board.feature_named(name).is_some(), &mut all)
            }
            Self::Set => {
                let mut all = rb.piece_sets().iter().map(|s| s.name.as_str());
                near(rb.piece_set_named(name).is_some(), &mut all)
            }
            Self::Option => {
                let mut all = rb.options().iter().map(|o| o.name.as_str());
                near(rb.option_named(name).is_some(), &mut all)
            }
            Self::Place => {
                let mut all = (0..board.place_count() as u16).map(|n| board.place_name(PlaceId(n)));
                near(board.place_named(name).is_some(), &mut all)
            }
            Self::Space => {
                let mut all = (0..board.space_count() as u16).map(|n| board.space_name(SpaceId(n)));
                near(board.space_named(name).is_some(), &mut all)
            }
            Self::Link => {
                let mut all = (0..board.link_count() as u16).map(|n| board.link_name(LinkId(n)));
                near(board.link_named(name).is_some(), &mut all)
            }
            Self::Piece => {
                let mut all = rb.pieces().iter().map(|p| p.name.as_str());
                near(rb.piece_named(name).is_some(), &mut all)
            }
            Self::Relation => {
                let mut all = rb.records().iter().map(|r| r.name.as_str());
                near(rb.relation_named(name).is_some(), &mut all)
            }
        }
    }
}

/// The names written out in calls that ask for what the rulebook has not.
pub(super) fn misnamed(pack: &LoadedPack, names: &[(String, FileId)], rb: &Rulebook) -> Vec<Diagnostic> {
    let sources = &pack.layers.sources;
    let mut problems = Vec::new();
    for &(_, file) in names {
        let script = &sources.file(file).text;
        for (start, text) in texts(script) {
            let before = &script[..start.saturating_sub(1)];
            let Some((call, named)) = CALLS.iter().find(|(call, _)| before.ends_with(call)) else { continue };
            // What goes on after the text is put together when the script runs.
            let whole =
                script[start + text.len()..].chars().skip(1).find(|c| !c.is_whitespace()) != Some('.');
            let Some(near) = named.wrong(rb, text).filter(|_| whole) else { continue };
            let span = Span { file, start: start as u32, end: (start + text.len()) as u32 };
            let what = named.what();
            let message = format!("there is no {what} `{text}`");
            // A script may have tables and methods of its own with such a name.
            let found = match *call {
                "set = " | ":value(" => Diagnostic::warning("unknown-name", span, message),
                _ => Diagnostic::error("unknown-name", span, message),
            };
            problems.push(found.label(format!("no such {what}")).help(near));
        }
    }
    problems
}

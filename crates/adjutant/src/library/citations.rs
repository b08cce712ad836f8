//! Names that scripts write out: rule ids that they cite, features, sets, columns, options and places. A slip in one
//! would show in play only, when the line runs.

use adjutant_kernel::suggest::instead;
use adjutant_kernel::{FeatureId, LinkId, PlaceId, Rulebook, SpaceId};
use adjutant_pack::LoadedPack;
use adjutant_pack::diagnostic::Diagnostic;
use adjutant_pack::luau::texts;
use adjutant_pack::source::{FileId, Span};

/// The ids in texts of scripts, such as `"book:4.2"`, that begin with a declared book and are not in the ledger.
pub(super) fn unknown(pack: &LoadedPack, names: &[(String, FileId)]) -> Vec<Diagnostic> {
    let ledger = &pack.model.rules;
    let Some(manifest) = &pack.model.pack else { return Vec::new() };
    if ledger.names().next().is_none() {
        return Vec::new();
    }
    let sources = &pack.layers.sources;
    let mut problems = Vec::new();
    for &(_, file) in names {
        for (start, text) in texts(&sources.file(file).text) {
            let Some((book, number)) = text.split_once(':') else { continue };
            let is_id = !number.is_empty() && !number.contains(char::is_whitespace);
            if !is_id || manifest.rulebooks.get(book).is_none() {
                continue;
            }
            // A sub-statement may be cited where the ledger has the whole alone.
            let whole = text.split_once('#').map_or(text, |(whole, _)| whole);
            if ledger.get(text).is_some() || ledger.get(whole).is_some() {
                continue;
            }
            let span = Span { file, start: start as u32, end: (start + text.len()) as u32 };
            let message = format!("the rule `{text}` is not in the ledger `rules.ron`");
            let near = instead(text, ledger.names().map(|name| name.value.as_str()));
            problems.push(Diagnostic::error("unknown-name", span, message).label("no such rule").help(near));
        }
    }
    problems
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

//! Rule ids that scripts cite: a slip in one would show in play only, as a rule that nobody finds.

use adjutant_kernel::suggest::instead;
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

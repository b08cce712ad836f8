//! Checks of the manifest, the contracts of modules, the ledger, and of data that nothing uses.

use super::Checking;
use crate::diagnostic::Diagnostic;
use crate::luau;
use crate::read::Name;
use crate::source::Span;
use crate::suggest;
use crate::text::Said;
use crate::tree::Node;

/// The format of files that this version reads.
pub(crate) const FORMAT: u32 = 1;
/// The version of the interface for scripts.
pub(crate) const API: u32 = 1;

impl Checking<'_> {
    pub(super) fn manifest(&mut self) {
        let Some(pack) = &self.model.pack else { return };
        let id = &pack.id;
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.is_empty() || !id.chars().all(letters) || id.starts_with('-') {
            let message = format!("`{}` is no id of a pack", id.value);
            let help = "use small letters, digits and `-`, such as `my-title`";
            self.push(Diagnostic::error("bad-manifest", id.span, message).help(help).at("pack/id"));
        }
        self.version(&pack.version, "pack/version");
        // They are shown as a line, or within one.
        let texts = [("title", &pack.title), ("licence", &pack.licence)];
        for (field, text) in texts.into_iter().chain(pack.authors.iter().map(|author| ("authors", author))) {
            if text.contains(char::is_control) {
                let span = self.pack.layers.section("pack").and_then(|n| n.field(field)).map(|f| f.node.span);
                let message = format!("`{field}` has a line break or another control character");
                let problem = Diagnostic::error("bad-name", span.unwrap_or(id.span), message);
                self.push(problem.help("write it on one line").at(format!("pack/{field}")));
            }
        }
        for (what, value, right) in [("format", &pack.format, FORMAT), ("api", &pack.api, API)] {
            if value.value != right {
                let message = format!("{what} {} is not known; this version reads {right}", value.value);
                let help = if value.value > right { "use a newer version of Adjutant" } else { "" };
                let problem = Diagnostic::error("bad-manifest", value.span, message).help(help);
                self.push(problem.at(format!("pack/{what}")));
            }
        }
        for (name, version) in pack.modules.iter().chain(pack.requires.iter()) {
            if !is_range(version) {
                let message = format!("`{}` of `{}` is no version", version.value, name.value);
                let help = "write one, two or three numbers, such as `1` or `1.2`";
                self.push(Diagnostic::error("bad-manifest", version.span, message).help(help));
            }
        }
    }

    fn version(&mut self, version: &Name, path: &str) {
        if version.split('.').count() != 3 || !is_range(version) {
            let message = format!("`{}` is no version", version.value);
            let help = "write three numbers, such as `1.0.0`";
            self.push(Diagnostic::error("bad-manifest", version.span, message).help(help).at(path));
        }
    }

    pub(super) fn contracts(&mut self) {
        let Some(pack) = &self.model.pack else { return };
        let around = self.around;
        let modules: Vec<&str> = around.contracts.iter().map(|c| c.module.as_str()).collect();
        for (name, version) in pack.modules.iter() {
            let Some(contract) = around.contracts.iter().find(|c| c.module == name.value) else {
                let message = format!("there is no module `{}`", name.value);
                let problem = Diagnostic::error("unknown-name", name.span, message).label("no such module");
                let help = suggest::help(name, "modules", modules.iter().copied());
                self.push(problem.help(help).at("pack/modules"));
                continue;
            };
            if is_range(version) && !matches(version, &contract.version) {
                let message = format!(
                    "the pack is made for version {} of module `{}`; this is {}",
                    version.value, name.value, contract.version
                );
                self.push(Diagnostic::error("module-version", version.span, message).at("pack/modules"));
            }
            // What a base lacks, packs that extend it add.
            if self.model.is_base() {
                continue;
            }
            let known = self.known;
            for (names, needed, file) in [
                (&known.attributes, &contract.attributes, "pieces.ron"),
                (&known.kinds, &contract.kinds, "pieces.ron"),
                (&known.sets, &contract.sets, "knowledge.ron"),
                (&known.columns, &contract.columns, "columns.ron"),
                (&known.tables, &contract.tables, "tables.ron"),
                (&known.phases, &contract.phases, "sequence.ron"),
                (&known.features, &contract.features, "boards/*.ron"),
            ] {
                for missing in needed.iter().filter(|n| !names.has(n)) {
                    let one = names.what.0;
                    let article = if one.starts_with('a') { "an" } else { "a" };
                    let message = format!("module `{}` needs {article} {one} `{missing}`", name.value);
                    let near = suggest::nearest(missing, names.iter());
                    let mut problem = Diagnostic::error("contract", name.span, message)
                        .label("needed by this")
                        .help(format!("declare it in `{file}`"))
                        .at("pack/modules");
                    if let Some((near, span)) = near.and_then(|n| Some((n, names.place(n)?))) {
                        problem = problem.and(span, format!("is `{near}` meant to be it?"));
                    }
                    self.push(problem);
                }
            }
        }
    }

    pub(super) fn ledger(&mut self) {
        for (id, rule) in self.model.rules.iter() {
            self.rule(id, "rules");
            let path = format!("rules/{}", id.value);
            if rule.summary.trim().is_empty() {
                let message = format!("the summary of `{}` is empty", id.value);
                self.push(Diagnostic::error("bad-rule", id.span, message).at(&path));
            }
            if let crate::model::How::NotApplicable(reason) = &rule.how
                && reason.trim().is_empty()
            {
                let message = format!("`{}` is not applicable, but it is not said why", id.value);
                self.push(Diagnostic::error("bad-rule", id.span, message).at(&path));
            }
        }
        for rule in &self.model.switched_off {
            let cited = self.model.restrictions.place(rule).is_some() || self.known.rules.has(rule);
            if !cited && !self.known.rules.is_empty() {
                let mut problem = self.known.rules.unknown(rule).at("changes");
                problem.message = format!(
                    "the rule `{}`, which is switched off, is not in the ledger `rules.ron`",
                    rule.value
                );
                self.push(problem);
            }
        }
    }

    /// Declared names to which nothing refers, neither data nor scripts nor modules.
    pub(super) fn unused(&mut self) {
        // Of a pack that is wrong nobody can say what it uses.
        if self.pack.has_errors || self.problems.iter().any(Diagnostic::is_error) || self.model.is_base() {
            return;
        }
        let known = self.known;
        let written = self.written_in_scripts();
        let modules = self.model.pack.as_ref().is_some_and(|p| !p.modules.is_empty());
        let mut found = Vec::new();
        for names in [&known.kinds, &known.attributes, &known.decks, &known.features] {
            found.extend(names.unused().map(|(name, span)| (names.what.0, name, span)));
        }
        // Native modules may ask for whatever else they are told of by name.
        if !modules {
            for names in [&known.tables, &known.sets, &known.columns, &known.questions, &known.options] {
                found.extend(names.unused().map(|(name, span)| (names.what.0, name, span)));
            }
        }
        for (what, name, span) in found {
            if !written.iter().any(|w| w == name) && !self.is_composed(name) {
                let message = format!("nothing uses the {what} `{name}`");
                let help = "remove it, or use it in data or in a script";
                self.push(Diagnostic::warning("unused", span, message).help(help));
            }
        }
    }

    /// Whether a script may put a name together from parts.
    fn is_composed(&self, name: &str) -> bool {
        let layers = &self.pack.layers;
        layers.scripts.iter().any(|&script| {
            let text = &layers.sources.file(script).text;
            luau::texts(text).into_iter().any(|(start, part)| luau::is_part(text, start, part, name))
        })
    }

    /// All texts in quotes in the scripts.
    fn written_in_scripts(&self) -> Vec<String> {
        let layers = &self.pack.layers;
        let mut written = Vec::new();
        for &script in &layers.scripts {
            let text = &layers.sources.file(script).text;
            for quote in ['"', '\''] {
                written.extend(text.split(quote).filter(|w| w.len() < 80).map(str::to_owned));
            }
            // `unit.strength` reads an attribute without quotes.
            let word = |c: char| !(c.is_alphanumeric() || c == '_');
            written.extend(text.split(word).filter(|w| !w.is_empty()).map(str::to_owned));
        }
        written.sort_unstable();
        written.dedup();
        written
    }

    /// What scripts ask and tell: prompts and events that are written out, with the places of their names, and all
    /// texts in quotes where a script tells of an event whose name it computes.
    pub(super) fn said_in_scripts(&self) -> Said {
        let layers = &self.pack.layers;
        let (mut names, mut computed) = (Vec::new(), false);
        for &script in &layers.scripts {
            let text = &layers.sources.file(script).text;
            for (prefix, before) in [("event", ":story("), ("event", ":publish("), ("prompt", "prompt = ")] {
                for (at, _) in text.match_indices(before) {
                    let start = at + before.len() + 1;
                    let quoted = text[start - 1..].starts_with('"');
                    computed |= prefix == "event" && !quoted;
                    let Some(length) = text.get(start..).and_then(|rest| rest.find('"')) else { continue };
                    if quoted {
                        let (start, end) = (start as u32, (start + length) as u32);
                        let value = text[start as usize..end as usize].to_owned();
                        names.push((prefix, Name { span: Span { file: script, start, end }, value }));
                    }
                }
            }
        }
        let perhaps = if computed { self.written_in_scripts() } else { Vec::new() };
        Said { names, perhaps }
    }

    /// The place of a section that is there.
    pub(super) fn section_span(&self, name: &str) -> Option<Span> {
        let node: &Node = self.pack.layers.section(name)?;
        Some(node.span)
    }
}

fn is_range(version: &str) -> bool {
    let parts: Vec<&str> = version.split('.').collect();
    parts.len() <= 3 && parts.iter().all(|p| p.parse::<u32>().is_ok())
}

/// Whether a version is one of a range: `1` is any 1.x.y, `1.2` is 1.2.y and later ones of 1.
///
/// ```
/// use adjutant_pack::check::matches;
/// assert!(matches("1.2", "1.4.2") && matches("1.4.2", "1.4.2"));
/// assert!(!matches("1.5", "1.4.2") && !matches("1.2", "2.0.0"));
/// ```
pub fn matches(range: &str, version: &str) -> bool {
    let numbers = |text: &str| -> Vec<u32> { text.split('.').filter_map(|p| p.parse().ok()).collect() };
    let (range, version) = (numbers(range), numbers(version));
    range.first() == version.first() && version[1.min(version.len())..] >= range[1.min(range.len())..]
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges() {
        use super::matches;
        assert!(matches("1", "1.4.2") && matches("1.2", "1.2.0") && matches("1.2", "1.3.0"));
        assert!(!matches("1.2", "1.1.9") && !matches("2", "1.0.0") && !matches("1", "2.0.0"));
    }
}

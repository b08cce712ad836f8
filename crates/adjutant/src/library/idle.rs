//! What changes nothing: rules that are switched off though nothing hangs on them, rule points that nobody asks.
//!
//! Native modules may consult any rule and ask any point, so that of a pack with modules nobody can say it.

use adjutant_pack::LoadedPack;
use adjutant_pack::diagnostic::Diagnostic;
use adjutant_pack::luau::{is_part, texts};
use adjutant_pack::source::{FileId, Span};
use adjutant_script::Program;

/// Warnings of what changes nothing.
pub(super) fn warnings(
    pack: &LoadedPack,
    names: &[(String, FileId)],
    program: Option<&Program>,
) -> Vec<Diagnostic> {
    let model = &pack.model;
    if model.pack.as_ref().is_none_or(|manifest| !manifest.modules.is_empty()) {
        return Vec::new();
    }
    let sources = &pack.layers.sources;
    let scripts: Vec<Script<'_>> =
        names.iter().map(|&(_, file)| Script { file, text: &sources.file(file).text }).collect();
    let mut problems = Vec::new();
    for rule in model.switched_off.iter().filter(|rule| !hangs_on(pack, program, rule)) {
        let message = format!("nothing hangs on the rule `{}`: switching it off changes nothing", rule.value);
        let problem = Diagnostic::warning("idle", rule.span, message);
        let named = scripts.iter().find_map(|script| script.names(&rule.value));
        problems.push(match named {
            Some(span) => problem.and(span, "this names it, and goes on as before").help(
                "change the script: a file of the same path in the overlay stands in its place; or let it ask \
                 a rule point, to which the rule is attached",
            ),
            None => problem.help("no data and no script is attached for it"),
        });
    }
    for point in model.points.names() {
        if scripts.iter().any(|script| script.asks(&point.value)) {
            continue;
        }
        let message = format!(
            "no script asks the rule point `{}`: what is contributed to it does not count",
            point.value
        );
        let help = format!(
            "ask it where it matters, with `g:forbidden(\"{0}\", ..)` or `g:total(\"{0}\", ..)`",
            point.value
        );
        problems.push(Diagnostic::warning("idle", point.span, message).help(help));
    }
    problems
}

/// Whether switching a rule off takes anything out: what is attached to points and moments, table modifiers, and
/// what viewers see by it.
fn hangs_on(pack: &LoadedPack, program: Option<&Program>, rule: &str) -> bool {
    let model = &pack.model;
    let in_tables = || {
        model
            .tables
            .iter()
            .any(|(_, table)| table.modifiers.iter().any(|modifier| modifier.rule.value == rule))
    };
    let in_levels = || model.knowledge.iter().any(|knowledge| knowledge.rules().any(|cited| cited == rule));
    model.restrictions.get(rule).is_some()
        || in_tables()
        || in_levels()
        || program.is_some_and(|program| program.attached().iter().any(|attached| attached == rule))
}

struct Script<'a> {
    file: FileId,
    text: &'a str,
}

impl Script<'_> {
    /// Where a text stands in quotes.
    fn names(&self, wanted: &str) -> Option<Span> {
        let (start, text) = texts(self.text).into_iter().find(|(_, text)| *text == wanted)?;
        Some(Span { file: self.file, start: start as u32, end: (start + text.len()) as u32 })
    }

    /// Whether a point is named other than to contribute to it, or its name may be put together from parts.
    fn asks(&self, point: &str) -> bool {
        texts(self.text).into_iter().any(|(start, text)| {
            let before = self.text[..start - 1].trim_end();
            let contributes = ["rules.permit(", "rules.point("].iter().any(|call| before.ends_with(call));
            text == point && !contributes || is_part(self.text, start, text, point)
        })
    }
}

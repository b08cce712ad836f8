//! Texts: Fluent files, and the lint for keys that are missing or not used.
//!
//! | what | key |
//! | --- | --- |
//! | a side, phase, option, preset, scenario | `side-`, `phase-`, `option-`, `preset-`, `scenario-` and its name |
//! | a piece | `piece-` and its name, as soon as one piece has such a text |
//! | what scripts ask and tell | `prompt-` or `event-` and the name, as soon as there is one such text |
//! | what the kernel itself tells in every title | `event-` and the name, if one likes |
//! | what native procedures ask and tell | the keys that the host names |
//!
//! Names are written in small letters, with `-` for everything but letters and digits.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_kernel::events::KERNEL_EVENTS;
use fluent_syntax::ast;
use fluent_syntax::parser;

use crate::diagnostic::Diagnostic;
use crate::layers::Layers;
use crate::model::{Item, Model, walk};
use crate::read::Name;
use crate::source::{FileId, Span};
use crate::suggest;

/// The texts of all layers by language; of two with the same key the upper counts.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack};
/// let files = Files::new("", [("text/en.ftl", "side-blue = Blue"), ("text/de.ftl", "side-blue = Blau")]);
/// let pack = LoadedPack::read(&[files], &mut Vec::new());
/// let place = pack.texts.languages["de"]["side-blue"];
/// assert_eq!(pack.layers.sources.place(place), "text/de.ftl:1:1");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// Key, place of the message, by language.
    pub languages: BTreeMap<String, BTreeMap<String, Span>>,
    /// Keys of messages that other messages refer to.
    referred: Vec<String>,
    /// The messages to which each message refers, by language.
    refers: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Languages whose files could not be read whole.
    broken: Vec<String>,
}

impl Texts {
    /// Reads the texts of all layers.
    pub(crate) fn read(layers: &Layers, problems: &mut Vec<Diagnostic>) -> Self {
        let mut texts = Self::default();
        for (language, file) in &layers.texts {
            texts.read_file(layers, language, *file, problems);
        }
        texts
    }

    fn read_file(&mut self, layers: &Layers, language: &str, file: FileId, problems: &mut Vec<Diagnostic>) {
        let source = &layers.sources.file(file).text;
        let keys = self.languages.entry(language.to_owned()).or_default();
        if let Some(at) = too_deep(source) {
            let span = Span { file, start: at as u32, end: at as u32 + 1 };
            problems.push(Diagnostic::error("text", span, "`{` within `{` more than 32 deep"));
            self.broken.push(language.to_owned());
            return;
        }
        let resource = match parser::parse(source.as_str()) {
            Ok(resource) => resource,
            Err((resource, errors)) => {
                for error in errors {
                    let range = error.pos;
                    let span = Span { file, start: range.start as u32, end: range.end as u32 };
                    problems.push(Diagnostic::error("text", span, format!("{}", error.kind)));
                }
                self.broken.push(language.to_owned());
                resource
            }
        };
        let mut own: BTreeMap<&str, Span> = BTreeMap::new();
        for entry in &resource.body {
            let (key, pattern, term) = match entry {
                ast::Entry::Message(m) => (m.id.name, m.value.as_ref(), false),
                ast::Entry::Term(t) => (t.id.name, Some(&t.value), true),
                _ => continue,
            };
            let span = place(source, file, key);
            let mut refers = References::default();
            if let Some(pattern) = pattern {
                refers.of(pattern);
            }
            let References { messages: refers, variables } = refers;
            self.referred.extend(refers.iter().cloned());
            if term {
                continue;
            }
            for variable in variables {
                let span = place(source, file, variable);
                if let Some(takes) = takes_not(key, variable) {
                    let message = format!("the text `{key}` is never given `${variable}`: {takes}");
                    problems.push(Diagnostic::error("text", span, message));
                }
            }
            self.refers.entry(language.to_owned()).or_default().insert(key.to_owned(), refers);
            if let Some(first) = own.insert(key, span) {
                let message = format!("the text `{key}` is there twice");
                problems.push(Diagnostic::error("duplicate", span, message).and(first, "first here"));
            }
            keys.insert(key.to_owned(), span);
        }
    }

    /// Compares the texts with the keys that are used: by the model, by what scripts say, and by `more`.
    pub(crate) fn lint(
        &self,
        model: &Model,
        scripts: &Said,
        more: &[String],
        problems: &mut Vec<Diagnostic>,
    ) {
        for (language, refers) in &self.refers {
            if let Some(key) = refers.keys().find(|key| goes_round(key, refers))
                && let Some(span) = self.languages.get(language).and_then(|keys| keys.get(key))
            {
                let message = format!("the text `{key}` refers to itself, so it can never be shown");
                problems.push(Diagnostic::error("text", *span, message));
            }
        }
        let Some(english) = self.languages.get("en") else { return };
        if self.broken.iter().any(|l| l == "en") {
            return;
        }
        let mut wanted = wanted(model);
        // Names that need no text of their own, unless others of their kind have one.
        let begun =
            |prefix: &str| english.keys().any(|k| k.strip_prefix(prefix).is_some_and(|k| k.starts_with('-')));
        if let Some(pieces) = model.pieces.as_ref().filter(|_| begun("piece")) {
            for name in pieces.pieces.names() {
                wanted.entry(key("piece", name)).or_insert(name.span);
            }
        }
        for (prefix, name) in scripts.names.iter().filter(|(prefix, _)| begun(prefix)) {
            wanted.entry(key(prefix, name)).or_insert(name.span);
        }
        for (key, span) in &wanted {
            if !english.contains_key(key) {
                let message = format!("there is no text `{key}` in `text/en.ftl`");
                let near = suggest::nearest(key, english.keys().map(String::as_str));
                let near = near.filter(|n| !wanted.contains_key(*n));
                let help = near.map_or_else(
                    || format!("add a line `{key} = ..`"),
                    |near| format!("add a line `{key} = ..`; there is `{near}`, which nothing uses"),
                );
                problems
                    .push(Diagnostic::warning("missing-text", *span, message).label("for this").help(help));
            }
        }
        let perhaps: BTreeSet<String> = KERNEL_EVENTS
            .iter()
            .copied()
            .chain(scripts.perhaps.iter().map(String::as_str))
            .map(|name| self::key("event", name))
            .collect();
        for (key, span) in english {
            let used = wanted.contains_key(key)
                || more.contains(key)
                || perhaps.contains(key)
                || self.referred.contains(key);
            if !used && more_known(key, model) {
                let message = format!("nothing uses the text `{key}`");
                let near = suggest::nearest(key, wanted.keys().map(String::as_str));
                let help = near.map(|n| format!("did you mean `{n}`?")).unwrap_or_default();
                problems.push(Diagnostic::warning("unused-text", *span, message).help(help));
            }
        }
        for (language, keys) in self.languages.iter().filter(|(l, _)| *l != "en") {
            for (key, span) in keys.iter().filter(|(key, _)| !english.contains_key(*key)) {
                let message = format!("the text `{key}` is in `{language}`, but not in `en`");
                problems.push(Diagnostic::warning("unused-text", *span, message));
            }
        }
    }
}

/// What the scripts of a pack ask and tell.
pub(crate) struct Said {
    /// What is written out, by the prefix of its key (`prompt` or `event`), with the place of the name.
    pub(crate) names: Vec<(&'static str, Name)>,
    /// What may be the name of an event, since some script computes it; empty if none does.
    pub(crate) perhaps: Vec<String>,
}

/// Whether a message comes to itself by what it refers to.
fn goes_round(key: &str, refers: &BTreeMap<String, Vec<String>>) -> bool {
    let (mut seen, mut next) = (BTreeSet::new(), vec![key]);
    while let Some(at) = next.pop() {
        for to in refers.get(at).into_iter().flatten() {
            if to == key {
                return true;
            }
            if seen.insert(to.as_str()) {
                next.push(to);
            }
        }
    }
    false
}

/// Where braces are nested deeper than a parser that calls itself can bear.
fn too_deep(source: &str) -> Option<usize> {
    let mut depth = 0i32;
    source.bytes().enumerate().find_map(|(at, byte)| {
        match byte {
            b'{' | b'(' => depth += 1,
            b'}' | b')' => depth = (depth - 1).max(0),
            _ => {}
        }
        (depth > 32).then_some(at)
    })
}

/// Whether the model alone says if a text of this key is used; others may be asked for by scripts.
fn more_known(key: &str, model: &Model) -> bool {
    let readable = |section: &str| !model.broken.iter().any(|b| b == section);
    PREFIXES.iter().any(|(prefix, section)| key.starts_with(prefix) && readable(section))
}

/// How keys begin, and the section that says which there are.
const PREFIXES: &[(&str, &str)] = &[
    ("side-", "sides"),
    ("phase-", "sequence"),
    ("option-", "options"),
    ("preset-", "options"),
    ("scenario-", "scenarios"),
    ("piece-", "pieces"),
    ("prompt-", "scripts"),
    ("event-", "scripts"),
];

/// The key of a thing's name.
///
/// ```
/// use adjutant_pack::text::key;
/// assert_eq!(key("piece", "1st Division, V Corps"), "piece-1st-division-v-corps");
/// ```
pub fn key(prefix: &str, name: &str) -> String {
    let mut key = format!("{prefix}-");
    for c in name.to_lowercase().chars() {
        match c {
            c if c.is_ascii_alphanumeric() => key.push(c),
            _ if key.ends_with('-') => {}
            _ => key.push('-'),
        }
    }
    key.trim_end_matches('-').to_owned()
}

/// The keys that the model uses, and for what.
fn wanted(model: &Model) -> BTreeMap<String, Span> {
    let mut wanted = BTreeMap::new();
    let mut add = |prefix: &str, name: &str, span: Span| {
        wanted.entry(key(prefix, name)).or_insert(span);
    };
    if let Some(sides) = &model.sides {
        sides.sides.names().for_each(|n| add("side", n, n.span));
    }
    if let Some(options) = &model.options {
        options.options.names().for_each(|n| add("option", n, n.span));
        options.presets.names().for_each(|n| add("preset", n, n.span));
    }
    model.scenarios.names().for_each(|n| add("scenario", n, n.span));
    walk(&model.sequence, &mut |item| {
        if let Item::Phase(phase) = &item.value {
            add("phase", &phase.name, phase.name.span);
        }
    });
    wanted
}

fn place(source: &str, file: FileId, key: &str) -> Span {
    let whole = source.as_ptr() as usize;
    let start = (key.as_ptr() as usize).saturating_sub(whole);
    let start = if source.get(start..).is_some_and(|s| s.starts_with(key)) { start } else { 0 };
    Span { file, start: start as u32, end: (start + key.len()) as u32 }
}

/// What the text of a kind may use, when it is never given this variable. Events have arguments of their own.
fn takes_not(key: &str, variable: &str) -> Option<String> {
    if key.starts_with("action-") {
        let number = variable.strip_prefix("target").and_then(|number| number.parse::<u8>().ok());
        let help = "an action has its targets, `$target1`, `$target2` ..";
        return number.is_none_or(|number| number == 0).then(|| help.to_owned());
    }
    let kind =
        NAMES.iter().find(|kind| key.strip_prefix(**kind).is_some_and(|rest| rest.starts_with('-')))?;
    Some(format!("a text of a {kind} is given nothing"))
}

/// The kinds of keys whose texts stand by themselves.
const NAMES: &[&str] = &[
    "side", "seat", "phase", "option", "preset", "scenario", "piece", "place", "column", "word", "prompt",
    "verb",
];

/// What a text refers to.
#[derive(Default)]
struct References<'s> {
    messages: Vec<String>,
    variables: Vec<&'s str>,
}

impl<'s> References<'s> {
    fn of(&mut self, pattern: &ast::Pattern<&'s str>) {
        for element in &pattern.elements {
            if let ast::PatternElement::Placeable { expression } = element {
                self.of_expression(expression);
            }
        }
    }

    fn of_expression(&mut self, expression: &ast::Expression<&'s str>) {
        let inline = match expression {
            ast::Expression::Select { selector, variants } => {
                variants.iter().for_each(|v| self.of(&v.value));
                selector
            }
            ast::Expression::Inline(inline) => inline,
        };
        match inline {
            ast::InlineExpression::MessageReference { id, .. } => self.messages.push(id.name.to_owned()),
            ast::InlineExpression::VariableReference { id } => self.variables.push(id.name),
            ast::InlineExpression::FunctionReference { arguments, .. } => {
                for argument in &arguments.positional {
                    if let ast::InlineExpression::VariableReference { id } = argument {
                        self.variables.push(id.name);
                    }
                }
            }
            ast::InlineExpression::Placeable { expression } => self.of_expression(expression),
            _ => {}
        }
    }
}

//! Problems, as modders and their editors are shown them: one type for everything that can be wrong with a pack.

use serde::Serialize;

use crate::source::{Sources, Span};

/// How bad it is.
///
/// ```
/// use adjutant_pack::diagnostic::{Diagnostic, Severity};
/// use adjutant_pack::source::{FileId, Span};
/// let span = Span { file: FileId(0), start: 0, end: 4 };
/// assert_eq!(Diagnostic::warning("unused", span, "the deck is not used").severity, Severity::Warning);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The pack cannot be used.
    Error,
    /// It can be used, but something is likely not meant so.
    Warning,
}

/// A place in a file with a remark.
///
/// ```
/// use adjutant_pack::diagnostic::{Diagnostic, Label};
/// use adjutant_pack::source::{FileId, Span};
/// let (first, second) = (Span { file: FileId(0), start: 2, end: 8 }, Span { file: FileId(0), start: 20, end: 26 });
/// let twice = Diagnostic::error("duplicate", second, "there are two of them").and(first, "the first is here");
/// assert_eq!(twice.labels, [Label { span: first, text: "the first is here".into() }]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to see there.
    pub text: String,
}

/// Something wrong with a pack.
///
/// ```
/// use adjutant_pack::source::{Sources, Span};
/// use adjutant_pack::{Diagnostic, Report};
/// let mut sources = Sources::default();
/// let file = sources.add(0, "sides.ron", "my-title/sides.ron".into(), "(sides: { \"bleu\": () })".into());
/// let slip = Diagnostic::error("unknown-name", Span { file, start: 10, end: 16 }, "there is no side `bleu`")
///     .label("used here")
///     .help("did you mean `blue`?")
///     .at("sides/sides/bleu");
/// assert!(slip.is_error());
/// let report = Report::new(sources, vec![slip]);
/// assert!(report.render_short().starts_with("my-title/sides.ron:1:11: error[unknown-name]: there is no side `bleu`"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of problem, such as `unknown-name`; stable.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The place of the problem, or of none in particular (a missing file).
    pub span: Option<Span>,
    /// What to see at that place.
    pub label: String,
    /// Other places that have to do with it.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Vec<String>,
    /// Where in the data: `tables/fire/rows/3..4`.
    pub path: String,
    /// The file when there is no place in it.
    pub file: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            labels: Vec::new(),
            help: Vec::new(),
            path: String::new(),
            file: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// An error of a whole file or folder.
    pub fn of_file(code: &'static str, file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            labels: Vec::new(),
            help: Vec::new(),
            path: String::new(),
            file: Some(file.into()),
        }
    }

    /// Says what to see at the place itself.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.help.push(text);
        }
        self
    }

    /// Says where in the data it is.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The problems of a run, with the files that they speak of.
///
/// ```
/// use adjutant_pack::{Diagnostic, Report};
/// let missing = Diagnostic::of_file("no-manifest", "pack.ron", "the pack has no manifest");
/// let report = Report::new(Default::default(), vec![missing.clone(), missing]);
/// assert!(report.has_errors());
/// assert_eq!(report.counts(), (1, 0)); // errors and warnings; said twice, counted once
/// assert!(report.render().contains("the pack has no manifest")); // for people
/// assert!(report.render_short().starts_with("pack.ron:1:1: error[no-manifest]: ")); // for lists of problems
/// assert!(report.to_json().to_string().contains("no-manifest")); // for editors
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The files.
    pub sources: Sources,
    /// The problems, sorted by file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors and warnings that are left out, less those that say so.
    left_out: (usize, usize),
}

/// Errors of one file, and warnings, that are shown: who has more made one slip many times, or none.
const MOST_OF_FILE: usize = 100;

impl Report {
    /// Sorts the problems by file and place, and drops repetitions. Of a file with very many the first hundred errors
    /// and warnings are kept, and how many more there are.
    pub fn new(sources: Sources, mut diagnostics: Vec<Diagnostic>) -> Self {
        let key = |d: &Diagnostic| match d.span {
            Some(span) => {
                let file = sources.file(span.file);
                (file.layer, file.shown.clone(), span.start, d.severity, d.code)
            }
            None => (0, d.file.clone().unwrap_or_default(), 0, d.severity, d.code),
        };
        diagnostics.sort_by_cached_key(|d| (key(d), d.message.clone()));
        diagnostics.dedup();
        let mut report = Self { sources, diagnostics: Vec::new(), left_out: (0, 0) };
        report.keep_the_first(diagnostics);
        report
    }

    fn keep_the_first(&mut self, sorted: Vec<Diagnostic>) {
        let file_of = |sources: &Sources, d: &Diagnostic| match d.span {
            Some(span) => sources.file(span.file).shown.clone(),
            None => d.file.clone().unwrap_or_default(),
        };
        let mut sorted = sorted.into_iter().peekable();
        while let Some(first) = sorted.peek() {
            let file = file_of(&self.sources, first);
            let mut counts = [0, 0];
            while let Some(d) = sorted.next_if(|d| file_of(&self.sources, d) == file) {
                let count = &mut counts[usize::from(!d.is_error())];
                *count += 1;
                if *count <= MOST_OF_FILE {
                    self.diagnostics.push(d);
                }
            }
            for (count, severity) in counts.into_iter().zip([Severity::Error, Severity::Warning]) {
                let more = count.saturating_sub(MOST_OF_FILE);
                if more == 0 {
                    continue;
                }
                let what = if severity == Severity::Error { "errors" } else { "warnings" };
                let message = format!("there are {more} more {what} in this file");
                let left_out = match severity {
                    Severity::Error => &mut self.left_out.0,
                    Severity::Warning => &mut self.left_out.1,
                };
                *left_out += more - 1;
                self.diagnostics.push(Diagnostic { severity, ..Diagnostic::of_file("more", &file, message) });
            }
        }
    }

    /// Whether an error is among them.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The number of errors and of warnings.
    pub fn counts(&self) -> (usize, usize) {
        let errors = self.diagnostics.iter().filter(|d| d.is_error()).count();
        let warnings = self.diagnostics.len() - errors;
        (errors + self.left_out.0, warnings + self.left_out.1)
    }

    /// All problems for people, without colours.
    pub fn render(&self) -> String {
        crate::render::render(self, false)
    }

    /// All problems for people, with colours for a terminal.
    pub fn render_styled(&self) -> String {
        crate::render::render(self, true)
    }

    /// One line a problem: `file:line:column: error[code]: message`.
    pub fn render_short(&self) -> String {
        let line = |d: &Diagnostic| {
            let place = match d.span {
                Some(span) => self.sources.place(span),
                None => match d.file.clone().unwrap_or_default() {
                    // Editors look for a line and a column, also where it is the file that is wrong.
                    file if file.contains(['.', '/']) => format!("{file}:1:1"),
                    other => other,
                },
            };
            let severity = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("{place}: {severity}[{}]: {}\n", d.code, d.message)
        };
        self.diagnostics.iter().map(line).collect()
    }

    /// All problems for programs.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::Value::Array(self.diagnostics.iter().map(|d| self.json_of(d)).collect())
    }

    fn json_of(&self, d: &Diagnostic) -> serde_json::Value {
        let place = |span: Span| {
            let file = self.sources.file(span.file);
            let (line, column) = file.line_column(span.start);
            let (end_line, end_column) = file.line_column(span.end);
            serde_json::json!({
                "file": file.shown, "start": span.start, "end": span.end,
                "line": line, "column": column, "end_line": end_line, "end_column": end_column,
            })
        };
        let label = |text: &str, span: Span| {
            let mut value = place(span);
            value["text"] = text.into();
            value
        };
        let mut value = match d.span {
            Some(span) => label(&d.label, span),
            None => serde_json::json!({ "file": d.file }),
        };
        value["code"] = d.code.into();
        value["severity"] = serde_json::json!(d.severity);
        value["message"] = d.message.as_str().into();
        value["path"] = d.path.as_str().into();
        value["help"] = d.help.clone().into();
        value["labels"] = d.labels.iter().map(|l| label(&l.text, l.span)).collect();
        value
    }
}

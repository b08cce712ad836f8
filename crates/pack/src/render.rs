//! Problems drawn with the lines that they speak of.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::source::{FileId, Span};

/// Draws all problems of a report, an empty line after each.
pub(crate) fn render(report: &Report, styled: bool) -> String {
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        out.push_str(&one(report, diagnostic, &renderer));
        out.push_str("\n\n");
    }
    out
}

fn one(report: &Report, d: &Diagnostic, renderer: &Renderer) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = match (&d.file, d.span) {
        (Some(file), None) => format!("{file}: {}", d.message),
        _ => d.message.clone(),
    };
    let mut group = Group::with_title(level.primary_title(title.as_str()).id(d.code));
    for file in files(d) {
        let source = report.sources.file(file);
        let mut notes: Vec<Annotation<'_>> = Vec::new();
        if let Some(span) = d.span.filter(|s| s.file == file) {
            let mark = AnnotationKind::Primary.span(clip(&source.text, span));
            notes.push(if d.label.is_empty() { mark } else { mark.label(d.label.as_str()) });
        }
        for label in d.labels.iter().filter(|l| l.span.file == file) {
            let mark = AnnotationKind::Context.span(clip(&source.text, label.span));
            notes.push(mark.label(label.text.as_str()));
        }
        group = group
            .element(Snippet::source(source.text.as_str()).path(source.shown.as_str()).annotations(notes));
    }
    if !d.path.is_empty() {
        group = group.element(Level::NOTE.message(format!("in {}", d.path)));
    }
    for help in &d.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// The files that a problem speaks of, its own first.
fn files(d: &Diagnostic) -> Vec<FileId> {
    let mut files: Vec<FileId> = d.span.iter().map(|s| s.file).collect();
    for label in &d.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

/// A stretch cut to the end of its first line, so that a long value does not fill the screen, and to borders of
/// characters.
fn clip(text: &str, span: Span) -> std::ops::Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start as usize);
    let end = floor(span.end as usize).max(start);
    let line = text[start..end].find('\n').map_or(end, |n| start + n);
    start..line
}

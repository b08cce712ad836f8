//! Problems drawn with the lines that they speak of.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::source::{FileId, Span};

/// Bytes of lines that are drawn, at most: of what is longer the place is said and no line shown.
const LONGEST_DRAWN: usize = 4096;

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
        let primary = d.span.filter(|s| s.file == file);
        let labels = d.labels.iter().filter(|l| l.span.file == file);
        // No more of the file is handed on than the lines that are spoken of: a file may be large, and have a
        // problem on each of its lines.
        let spoken = primary.iter().copied().chain(labels.clone().map(|l| l.span));
        let lines = spoken.map(|span| report.sources.line_column(span).0);
        let (first, last) = lines.fold((u32::MAX, 1), |(a, b), line| (a.min(line), b.max(line)));
        // Behind the last line break there is nothing to draw: what is wrong there is shown at the end of the last line.
        let begun = u32::from(first > 1 && report.sources.lines(file, first, last).is_empty());
        let first = first - begun;
        let window = report.sources.lines(file, first, last);
        let text = report.sources.text(window);
        if longest(text) > LONGEST_DRAWN {
            for (span, label) in
                primary.map(|s| (s, &d.label)).into_iter().chain(labels.map(|l| (l.span, &l.text)))
            {
                let (line, column) = source.line_column(span.start);
                let origin = Origin::path(source.shown.as_str()).line(line as usize);
                group = group.element(origin.char_column(column as usize));
                if !label.is_empty() {
                    group = group.element(Level::NOTE.message(label.as_str()));
                }
            }
            continue;
        }
        let within = |span: Span| {
            let down = |at: u32| at.saturating_sub(window.start);
            clip(text, Span { start: down(span.start), end: down(span.end), ..span })
        };
        let mut notes: Vec<Annotation<'_>> = Vec::new();
        if let Some(span) = primary {
            let mark = AnnotationKind::Primary.span(within(span));
            notes.push(if d.label.is_empty() { mark } else { mark.label(d.label.as_str()) });
        }
        for label in labels {
            let mark = AnnotationKind::Context.span(within(label.span));
            notes.push(mark.label(label.text.as_str()));
        }
        let snippet = Snippet::source(text).path(source.shown.as_str()).line_start(first as usize);
        group = group.element(snippet.annotations(notes));
    }
    if !d.path.is_empty() {
        group = group.element(Level::NOTE.message(format!("in {}", d.path)));
    }
    for help in &d.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// The length of the longest line.
fn longest(text: &str) -> usize {
    text.lines().map(str::len).max().unwrap_or(0)
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

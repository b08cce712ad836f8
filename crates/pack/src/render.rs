//! Problems drawn with the lines that they speak of.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::source::{FileId, Span};

/// Bytes of a line that is drawn, at most: of what is longer the place is said and no line shown.
const LONGEST_DRAWN: u32 = 4096;
/// Lines from one place of a problem to another that are drawn as one piece, at most: whoever draws them goes through
/// all between.
const MOST_DRAWN: u32 = 200;

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
        for marks in pieces(report, marks(d, file)) {
            group = piece(report, file, &marks, group);
        }
    }
    if !d.path.is_empty() {
        group = group.element(Level::NOTE.message(format!("in {}", d.path)));
    }
    for help in &d.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// A place of a file that is spoken of.
#[derive(Clone, Copy)]
struct Mark<'a> {
    span: Span,
    label: &'a str,
    primary: bool,
}

/// The places of a file that a problem speaks of, its own first.
fn marks(d: &Diagnostic, file: FileId) -> Vec<Mark<'_>> {
    let own = d.span.map(|span| Mark { span, label: &d.label, primary: true });
    let others = d.labels.iter().map(|l| Mark { span: l.span, label: &l.text, primary: false });
    own.into_iter().chain(others).filter(|mark| mark.span.file == file).collect()
}

/// The places that are drawn as one piece of a file, each with the first that is near enough.
fn pieces<'a>(report: &Report, marks: Vec<Mark<'a>>) -> Vec<Vec<Mark<'a>>> {
    let line = |mark: &Mark<'_>| report.sources.line_column(mark.span).0;
    let mut pieces: Vec<Vec<Mark<'_>>> = Vec::new();
    for mark in marks {
        match pieces.iter_mut().find(|piece| line(&piece[0]).abs_diff(line(&mark)) <= MOST_DRAWN) {
            Some(piece) => piece.push(mark),
            None => pieces.push(vec![mark]),
        }
    }
    pieces
}

/// Draws the lines of a file from the first of these places to the last.
fn piece<'a>(report: &'a Report, file: FileId, marks: &[Mark<'a>], mut group: Group<'a>) -> Group<'a> {
    let source = report.sources.file(file);
    // No more of the file is handed on than the lines that are spoken of: a file may be large, and have a problem on
    // each of its lines.
    let lines = marks.iter().map(|mark| report.sources.line_column(mark.span).0);
    let (first, last) = lines.fold((u32::MAX, 1), |(a, b), line| (a.min(line), b.max(line)));
    if report.sources.longest_line(file, first, last) > LONGEST_DRAWN {
        for mark in marks {
            let (line, column) = source.line_column(mark.span.start);
            let origin = Origin::path(source.shown.as_str()).line(line as usize);
            group = group.element(origin.char_column(column as usize));
            if !mark.label.is_empty() {
                group = group.element(Level::NOTE.message(mark.label));
            }
        }
        return group;
    }
    // Behind the last line break there is nothing to draw: what is wrong there is shown at the end of the last line.
    let begun = u32::from(first > 1 && report.sources.lines(file, first, last).is_empty());
    let first = first - begun;
    let window = report.sources.lines(file, first, last);
    let text = report.sources.text(window);
    let notes = marks.iter().map(|mark| {
        let down = |at: u32| at.saturating_sub(window.start);
        let span = Span { start: down(mark.span.start), end: down(mark.span.end), ..mark.span };
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let note: Annotation<'_> = kind.span(clip(text, span));
        if mark.label.is_empty() { note } else { note.label(mark.label) }
    });
    let snippet = Snippet::source(text).path(source.shown.as_str()).line_start(first as usize);
    group.element(snippet.annotations(notes))
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

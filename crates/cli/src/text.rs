//! Views and events as plain text.

use std::fmt::Write as _;

use adjutant::kernel::events::{Shown, ShownEvent};
use adjutant::kernel::view::{BodyView, PlaceView, ValueView, View};

/// An event on one line: what, its arguments, and the rule that it comes from.
///
/// ```
/// use adjutant::kernel::events::{Shown, ShownEvent};
/// let event = ShownEvent {
///     event: "blocks".into(),
///     rule: Some("pl:9.b".into()),
///     detail: false,
///     args: vec![("number".into(), Shown::Number(2))],
/// };
/// assert_eq!(adjutant_cli::event_line(&event), "blocks: number 2 (pl:9.b)");
/// ```
pub fn event_line(event: &ShownEvent) -> String {
    let mut line = event.event.replace('_', " ");
    for (n, (name, shown)) in event.args.iter().enumerate() {
        let separator = if n == 0 { ": " } else { ", " };
        let _ = write!(line, "{separator}{} {}", name.replace('_', " "), shown_text(shown));
    }
    if let Some(rule) = &event.rule {
        let _ = write!(line, " ({rule})");
    }
    line
}

fn shown_text(shown: &Shown) -> String {
    match shown {
        Shown::Handle(text) => text.clone(),
        Shown::Name(text) => text.replace('_', " "),
        Shown::Handles(list) => list.join(" "),
        Shown::Number(number) => number.to_string(),
        Shown::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Shown::List(list) => list.iter().map(shown_text).collect::<Vec<_>>().join(" "),
    }
}

fn value_text(value: &ValueView) -> String {
    match value {
        ValueView::Number(number) => number.to_string(),
        ValueView::Name(name) => name.clone(),
        ValueView::Sides(sides) => {
            sides.iter().map(|(s, v)| format!("{s} {}", value_text(v))).collect::<Vec<_>>().join(", ")
        }
    }
}

fn body_text(body: &BodyView) -> String {
    let mut text = body.handle.clone();
    match (&body.piece, body.candidates.len()) {
        (Some(piece), _) => {
            let _ = write!(text, "={piece}");
        }
        (None, 0) => {}
        (None, n) => {
            let _ = write!(text, "?{n}");
        }
    }
    if body.up {
        text.push('^');
    }
    for (name, value) in &body.values {
        let _ = write!(text, " {name}:{}", value_text(value));
    }
    if !body.command.is_empty() {
        let _ = write!(text, " ({})", body.command.iter().map(body_text).collect::<Vec<_>>().join("; "));
    }
    text
}

fn place_text(name: &str, place: &PlaceView, out: &mut String) {
    let mut parts = Vec::new();
    for stack in &place.stacks {
        let bodies: Vec<String> = stack.bodies.iter().map(body_text).collect();
        let more = if stack.more > 0 { format!(" and {} more", stack.more) } else { String::new() };
        parts.push(format!("{} /{} [{}{more}]", stack.side, stack.handle, bodies.join(", ")));
    }
    for body in &place.bodies {
        let side = body.side.as_ref().map_or_else(String::new, |s| format!("{s} "));
        parts.push(format!("{side}{}", body_text(body)));
    }
    for (side, number) in &place.more {
        parts.push(format!("{side} {number} unseen"));
    }
    for (column, value) in &place.values {
        parts.push(format!("{column} {}", value_text(value)));
    }
    let _ = writeln!(out, "  {name:<14} {}", parts.join("; "));
}

/// A position as a list: `handle=piece` for a known body, `handle?n` for one that may be any of n pieces, `^`
/// for face up.
pub fn position_text(view: &View) -> String {
    let mut out = String::new();
    let phase = view.phase.as_deref().unwrap_or("-");
    let side = view.phasing.as_ref().map_or_else(String::new, |s| format!(", {s}"));
    let _ = writeln!(out, "phase {phase}{side}");
    for (name, place) in &view.places {
        place_text(name, place, &mut out);
    }
    for (name, values) in view.links.iter().chain(&view.borders) {
        let values: Vec<String> = values.iter().map(|(c, v)| format!("{c} {}", value_text(v))).collect();
        let _ = writeln!(out, "  {name:<14} {}", values.join("; "));
    }
    for (column, value) in &view.values {
        let _ = writeln!(out, "  {column}: {}", value_text(value));
    }
    for (column, holders) in &view.holders {
        let list: Vec<String> = holders.iter().map(|(h, v)| format!("{h} {}", value_text(v))).collect();
        let _ = writeln!(out, "  {column}: {}", list.join(", "));
    }
    for told in &view.told {
        let answer = match told.answer {
            0 => "no".to_owned(),
            1 => "yes".to_owned(),
            n => n.to_string(),
        };
        let _ = writeln!(out, "  told: {} of {}: {answer}", told.question, told.about.join(" "));
    }
    if let Some(outcome) = &view.outcome {
        let winner = outcome.winner.as_deref().unwrap_or("nobody");
        let _ = writeln!(out, "  the game is over; {winner} won");
    }
    out
}

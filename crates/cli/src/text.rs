//! Views as plain text.

use std::fmt::Write as _;

use adjutant::kernel::view::{BodyView, PlaceView, ValueView, View};
use adjutant::text::Text;

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

fn place_text(name: &str, place: &PlaceView, text: &Text, out: &mut String) {
    let mut parts = Vec::new();
    for stack in &place.stacks {
        let bodies: Vec<String> = stack.bodies.iter().map(body_text).collect();
        let more = if stack.more > 0 { format!(" and {} more", stack.more) } else { String::new() };
        let side = text.label("side", &stack.side);
        parts.push(format!("{side} /{} [{}{more}]", stack.handle, bodies.join(", ")));
    }
    for body in &place.bodies {
        let side = body.side.as_ref().map_or_else(String::new, |s| format!("{} ", text.label("side", s)));
        parts.push(format!("{side}{}", body_text(body)));
    }
    for (side, number) in &place.more {
        parts.push(format!("{side} {number} unseen"));
    }
    for (column, value) in &place.values {
        parts.push(format!("{column} {}", value_text(value)));
    }
    let _ = writeln!(out, "  {:<14} {}", text.label("place", name), parts.join("; "));
}

/// A position as a list: `handle=piece` for a known body, `handle?n` for one that may be any of n pieces, `^`
/// for face up.
pub fn position_text(view: &View, text: &Text) -> String {
    let mut out = String::new();
    let phase = view.phase.as_ref().map_or_else(|| "-".to_owned(), |p| text.label("phase", p));
    let side = view.phasing.as_ref().map_or_else(String::new, |s| format!(", {}", text.label("side", s)));
    let _ = writeln!(out, "phase {phase}{side}");
    for (name, place) in &view.places {
        place_text(name, place, text, &mut out);
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
        let winner = outcome.winner.as_ref().map_or_else(|| "nobody".to_owned(), |w| text.label("side", w));
        let _ = writeln!(out, "  the game is over; {winner} won");
    }
    out
}

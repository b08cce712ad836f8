//! Views as plain text.

use std::fmt::Write as _;

use adjutant::kernel::rulebook::{AttributeClass, ValueKind};
use adjutant::kernel::view::{BodyView, PlaceView, ValueView, View};
use adjutant::kernel::{Rulebook, SeatId, SpaceId};
use adjutant::text::Text;

use crate::map::map_text;

fn value_text(value: &ValueView) -> String {
    match value {
        ValueView::Number(number) => number.to_string(),
        ValueView::Name(name) => name.clone(),
        ValueView::Sides(sides) => {
            sides.iter().map(|(s, v)| format!("{s} {}", value_text(v))).collect::<Vec<_>>().join(", ")
        }
    }
}

/// What a piece is worth, of what its viewer may know; nothing without the rules.
#[derive(Clone, Copy)]
struct Worth<'a>(Option<(&'a Rulebook, SeatId)>);

impl Worth<'_> {
    /// The attributes of a known piece: public ones, those seen on reveal, and those of the viewer's own side.
    fn text(self, body: &BodyView) -> String {
        let mut text = String::new();
        let Some((rulebook, seat)) = self.0 else { return text };
        let piece = body.piece.as_ref().and_then(|name| rulebook.piece_named(name));
        let (Some(piece), seat) = (piece.map(|p| rulebook.piece(p)), rulebook.seat(seat)) else {
            return text;
        };
        for (attribute, value) in rulebook.attributes().iter().zip(&piece.attributes) {
            let may = match attribute.class {
                AttributeClass::Public | AttributeClass::OnReveal => true,
                AttributeClass::Owner => seat.viewer().is_none() || seat.side == piece.side,
                AttributeClass::Side(side) => seat.viewer().is_none() || seat.side == Some(side),
            };
            let Some(value) = value.filter(|_| may) else { continue };
            let index = usize::try_from(value).ok();
            let shown = match &attribute.kind {
                ValueKind::Int { .. } | ValueKind::Flag => Some(value.to_string()),
                ValueKind::Choice(words) => {
                    index.and_then(|n| words.get(n)).map(|w| rulebook.word(*w).to_owned())
                }
                ValueKind::Side => index.and_then(|n| rulebook.sides().get(n)).cloned(),
                ValueKind::Space => index
                    .filter(|n| *n < rulebook.board().space_count())
                    .map(|n| rulebook.board().space_name(SpaceId(n as u16)).to_owned()),
            };
            if let Some(shown) = shown {
                let _ = write!(text, " {}:{shown}", attribute.name);
            }
        }
        text
    }
}

fn body_text(body: &BodyView, worth: Worth<'_>) -> String {
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
    text.push_str(&worth.text(body));
    for (name, value) in &body.values {
        let _ = write!(text, " {name}:{}", value_text(value));
    }
    if !body.command.is_empty() {
        let _ = write!(
            text,
            " ({})",
            body.command.iter().map(|b| body_text(b, worth)).collect::<Vec<_>>().join("; ")
        );
    }
    text
}

fn place_text(name: &str, place: &PlaceView, worth: Worth<'_>, words: &Text, out: &mut String) {
    let mut parts = Vec::new();
    for stack in &place.stacks {
        let bodies: Vec<String> = stack.bodies.iter().map(|b| body_text(b, worth)).collect();
        let more = if stack.more > 0 { format!(" and {} more", stack.more) } else { String::new() };
        let side = words.label("side", &stack.side);
        parts.push(format!("{side} /{} [{}{more}]", stack.handle, bodies.join(", ")));
    }
    for body in &place.bodies {
        let side = body.side.as_ref().map_or_else(String::new, |s| format!("{} ", words.label("side", s)));
        parts.push(format!("{side}{}", body_text(body, worth)));
    }
    for (side, number) in &place.more {
        parts.push(format!("{side} {number} unseen"));
    }
    for (column, value) in &place.values {
        parts.push(format!("{column} {}", value_text(value)));
    }
    let _ = writeln!(out, "  {:<14} {}", words.label("place", name), parts.join("; "));
}

/// A position as a list: `handle=piece` for a known body, `handle?n` for one that may be any of n pieces, `^`
/// for face up.
pub fn position_text(view: &View, text: &Text) -> String {
    listed(view, Worth(None), text)
}

/// A position as a seat sees it: the map, if the board is one of hexes, and the list of [`position_text`] with
/// what known pieces are worth.
pub fn board_text(rulebook: &Rulebook, seat: SeatId, view: &View, text: &Text) -> String {
    let list = listed(view, Worth(Some((rulebook, seat))), text);
    map_text(rulebook, view).map_or_else(|| list.clone(), |map| format!("{map}{list}"))
}

fn listed(view: &View, worth: Worth<'_>, text: &Text) -> String {
    let mut out = String::new();
    let phase = view.phase.as_ref().map_or_else(|| "-".to_owned(), |p| text.label("phase", p));
    let side = view.phasing.as_ref().map_or_else(String::new, |s| format!(", {}", text.label("side", s)));
    let _ = writeln!(out, "phase {phase}{side}");
    for (name, place) in &view.places {
        place_text(name, place, worth, text, &mut out);
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

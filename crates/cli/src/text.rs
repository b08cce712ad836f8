//! Views as plain text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use adjutant::kernel::rulebook::{AttributeClass, ColumnDef, ValueKind};
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
    /// The value of a column of the game.
    fn value(self, column: &str, value: &ValueView) -> String {
        let names =
            |def: &&ColumnDef| def.name == column && matches!(def.kind, ValueKind::Side | ValueKind::Space);
        match (value, self.0.and_then(|(rulebook, _)| rulebook.columns().iter().find(names))) {
            (ValueView::Number(_), Some(_)) => "none".to_owned(),
            _ => value_text(value),
        }
    }

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

/// What a column is called; nothing for one that is of use to the rules alone, whose text is `-`.
fn column(name: &str, words: &Text) -> Option<String> {
    Some(words.label("column", name)).filter(|label| label != "-")
}

/// The values of columns, each with what it is.
fn values(list: &BTreeMap<String, ValueView>, words: &Text) -> impl Iterator<Item = String> {
    list.iter().filter_map(|(name, value)| Some(format!("{} {}", column(name, words)?, value_text(value))))
}

fn body_text(body: &BodyView, worth: Worth<'_>, words: &Text) -> String {
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
        if let Some(name) = column(name, words) {
            let _ = write!(text, " {name}:{}", value_text(value));
        }
    }
    if !body.command.is_empty() {
        let _ = write!(
            text,
            " ({})",
            body.command.iter().map(|b| body_text(b, worth, words)).collect::<Vec<_>>().join("; ")
        );
    }
    text
}

/// Characters of a line, at most.
const WIDTH: usize = 118;
/// Where the second line of an entry begins.
const INDENT: usize = 17;
/// So many places with the same values and no pieces are one entry.
const LIKE_PLACES: usize = 4;

/// An entry of a board: what it is of, and what is to be said of it in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The place or column; empty for what cannot be told from the next entry of its kind.
    pub(crate) name: String,
    parts: Vec<String>,
    /// What stands between two parts.
    between: &'static str,
}

impl Entry {
    fn new(name: String, parts: Vec<String>) -> Self {
        Self { name, parts, between: "; " }
    }

    /// The entry on as many lines as it takes.
    pub(crate) fn lines(&self) -> String {
        // Places stand in a column; what a heading says is not of one place.
        let pad = if self.name.ends_with(':') { 0 } else { INDENT - 3 };
        let mut out = format!("  {:<pad$}", self.name);
        let mut width = out.chars().count();
        for (n, part) in self.parts.iter().enumerate() {
            let end = if n + 1 == self.parts.len() { "" } else { self.between.trim_end() };
            let length = part.chars().count() + end.len() + 1;
            if (n > 0 || width > INDENT) && width + length > WIDTH {
                let _ = write!(out, "\n{:INDENT$}{part}{end}", "");
                width = INDENT + length - 1;
            } else {
                let _ = write!(out, " {part}{end}");
                width += length;
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

impl Entry {
    /// What it says when nothing is left of it.
    pub(crate) fn emptied(&self) -> String {
        Self::new(self.name.clone(), vec!["-".to_owned()]).lines()
    }
}

fn place_entry(name: &str, place: &PlaceView, worth: Worth<'_>, words: &Text) -> Entry {
    let mut parts = Vec::new();
    for stack in &place.stacks {
        let bodies: Vec<String> = stack.bodies.iter().map(|b| body_text(b, worth, words)).collect();
        let more = if stack.more > 0 { format!(" and {} more", stack.more) } else { String::new() };
        let side = words.label("side", &stack.side);
        parts.push(format!("{side} /{} [{}{more}]", stack.handle, bodies.join(", ")));
    }
    for body in &place.bodies {
        let side = body.side.as_ref().map_or_else(String::new, |s| format!("{} ", words.label("side", s)));
        parts.push(format!("{side}{}", body_text(body, worth, words)));
    }
    for (side, number) in &place.more {
        parts.push(format!("{side} {number} unseen"));
    }
    parts.extend(values(&place.values, words));
    Entry::new(words.label("place", name), parts)
}

/// A position as a list: `handle=piece` for a known body, `handle?n` for one that may be any of n pieces, `^`
/// for face up.
pub fn position_text(view: &View, text: &Text) -> String {
    let list: String = entries(view, Worth(None), text, true).iter().map(Entry::lines).collect();
    format!("{}{list}", phase_text(view, text))
}

/// A position as a seat sees it: the map, if the board is one of hexes, and the list of [`position_text`] with
/// what known pieces are worth.
pub fn board_text(rulebook: &Rulebook, seat: SeatId, view: &View, text: &Text) -> String {
    let worth = Worth(Some((rulebook, seat)));
    let list: String = entries(view, worth, text, true).iter().map(Entry::lines).collect();
    format!("{}{}{list}", map_text(rulebook, view).unwrap_or_default(), phase_text(view, text))
}

/// The list of [`board_text`], each place by itself.
pub(crate) fn board_entries(rulebook: &Rulebook, seat: SeatId, view: &View, text: &Text) -> Vec<Entry> {
    entries(view, Worth(Some((rulebook, seat))), text, false)
}

/// The phase, on a line.
pub(crate) fn phase_text(view: &View, text: &Text) -> String {
    let phase = view.phase.as_ref().map_or_else(|| "-".to_owned(), |p| text.label("phase", p));
    let side = view.phasing.as_ref().map_or_else(String::new, |s| format!(", {}", text.label("side", s)));
    format!("phase {phase}{side}\n")
}

/// All entries; places that are like one another are one, if they are `gathered`.
fn entries(view: &View, worth: Worth<'_>, text: &Text, gathered: bool) -> Vec<Entry> {
    let mut out = Vec::new();
    if gathered {
        places(view, worth, text, &mut out);
    } else {
        out.extend(view.places.iter().map(|(name, place)| place_entry(name, place, worth, text)));
    }
    for (name, values) in view.links.iter().chain(&view.borders) {
        let parts: Vec<String> = self::values(values, text).collect();
        if !parts.is_empty() {
            out.push(Entry::new(name.clone(), parts));
        }
    }
    for (name, value) in &view.values {
        if let Some(label) = column(name, text) {
            out.push(Entry::new(format!("{label}:"), vec![worth.value(name, value)]));
        }
    }
    for (name, holders) in &view.holders {
        if let Some(label) = column(name, text) {
            let list = holders.iter().map(|(h, v)| format!("{h} {}", value_text(v))).collect();
            out.push(Entry { name: format!("{label}:"), parts: list, between: ", " });
        }
    }
    for (relation, records) in &view.records {
        let fields = |record: &BTreeMap<String, ValueView>| {
            let list: Vec<String> = record.iter().map(|(f, v)| format!("{f} {}", value_text(v))).collect();
            list.join(", ")
        };
        let label = column(relation, text).unwrap_or_else(|| relation.clone());
        out.push(Entry::new(format!("{label}:"), records.iter().map(fields).collect()));
    }
    for told in &view.told {
        let answer = match told.answer {
            0 => "no".to_owned(),
            1 => "yes".to_owned(),
            n => n.to_string(),
        };
        let what = format!("told: {} of {}: {answer}", text.name(&told.question), told.about.join(" "));
        out.push(Entry::new(what, Vec::new()));
    }
    if let Some(outcome) = &view.outcome {
        let winner = outcome.winner.as_ref().map_or_else(|| "nobody".to_owned(), |w| text.label("side", w));
        out.push(Entry::new(format!("the game is over; {winner} won"), Vec::new()));
    }
    out
}

/// The places; many with the same values and nothing else are one entry.
fn places(view: &View, worth: Worth<'_>, text: &Text, out: &mut Vec<Entry>) {
    let mut like: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for (name, place) in &view.places {
        let entry = place_entry(name, place, worth, text);
        if place.stacks.is_empty() && place.bodies.is_empty() && place.more.is_empty() {
            like.entry(entry.parts).or_default().push(entry.name);
        } else {
            out.push(entry);
        }
    }
    for (values, names) in like {
        if names.len() < LIKE_PLACES {
            out.extend(names.into_iter().map(|name| Entry::new(name, values.clone())));
        } else {
            out.push(Entry { name: format!("{}:", values.join("; ")), parts: names, between: ", " });
        }
    }
}

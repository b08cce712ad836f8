//! Checks of sides, pieces, columns and relations.

use std::collections::HashMap;

use super::{Checking, number};
use crate::diagnostic::Diagnostic;
use crate::model::{Bound, Column, Deck, Of, Pieces, Role, Sample, Values, Visible, Who};
use crate::read::{Entries, Name};
use crate::source::Span;

impl Checking<'_> {
    pub(super) fn sides(&mut self) {
        let Some(sides) = &self.model.sides else {
            if self.section_span("sides").is_none() && !self.model.is_base() {
                let message = "the pack has no sides; add `sides.ron`";
                self.push(Diagnostic::of_file("no-sides", "sides.ron", message));
            }
            return;
        };
        let span = self.section_span("sides");
        if let Some(span) = span.filter(|_| sides.sides.is_empty() || sides.sides.len() > 14) {
            let message = format!("there are {} sides; 1 to 14 are possible", sides.sides.len());
            self.push(Diagnostic::error("bad-sides", span, message).at("sides/sides"));
        }
        if let Some(span) = span.filter(|_| sides.seats.len() > 32) {
            let message = format!("there are {} seats; 32 at most", sides.seats.len());
            self.push(Diagnostic::error("bad-sides", span, message).at("sides/seats"));
        }
        for (name, side) in sides.sides.iter() {
            if let Some(colour) = side.colour.as_ref().filter(|colour| !is_colour(colour)) {
                let message = format!("`{}` is no colour", colour.value);
                let problem = Diagnostic::error("bad-sides", colour.span, message);
                let help = "write `#` and three or six digits from 0 to f, as in `#3060a0`, or a word such as `navy`";
                self.push(problem.help(help).at(format!("sides/sides/{}", name.value)));
            }
        }
        let known = self.known;
        for (name, seat) in sides.seats.iter() {
            let path = format!("sides/seats/{}", name.value);
            if let Some(side) = &seat.side {
                known.sides.refer(side, &path, self);
            }
            let player = matches!(seat.role, Role::Player);
            if player != seat.side.is_some() {
                let message = format!("the seat `{}` is wrong", name.value);
                let help = "players have a side, umpires and spectators have none";
                let message = if player {
                    format!("the player's seat `{}` has no side", name.value)
                } else {
                    format!("{message}: it is no player's and has a side")
                };
                self.push(Diagnostic::error("bad-sides", name.span, message).help(help).at(path));
            }
        }
        for name in sides.sides.names() {
            let seated = sides.seats.values().any(|s| s.side.as_ref().is_some_and(|s| s.value == name.value));
            if !seated && sides.seats.len() == sides.seats.names().count() {
                let message = format!("the side `{}` has no seat, so nobody can play it", name.value);
                let help = format!("add a seat `\"{0}\": (side: \"{0}\")`", name.value);
                self.push(Diagnostic::error("bad-sides", name.span, message).help(help).at("sides/seats"));
            }
        }
    }

    pub(super) fn pieces(&mut self) {
        let Some(pieces) = &self.model.pieces else { return };
        let known = self.known;
        if let Some(span) = self.section_span("pieces") {
            if pieces.source.is_none() && pieces.pieces.values().any(|p| p.source.is_none()) {
                self.source(None, Span { end: span.start + 1, ..span }, "the list of pieces", "pieces");
            }
            if let Some(source) = &pieces.source {
                self.source_text(source, "pieces/source");
            }
        }
        self.distinct(&pieces.kinds, "kind", "pieces/kinds");
        for (name, deck) in pieces.decks.iter() {
            known.sides.refer(&deck.side, &format!("pieces/decks/{}", name.value), self);
        }
        for (name, attribute) in pieces.attributes.iter() {
            let path = format!("pieces/attributes/{}", name.value);
            self.value_type(&attribute.values, name, &path);
            if let Visible::Side(side) = &attribute.class {
                known.sides.refer(side, &path, self);
            }
        }
        let mut taken: HashMap<String, Span> = HashMap::new();
        for (name, piece) in pieces.pieces.iter() {
            let path = format!("pieces/pieces/{}", name.value);
            known.kinds.refer(&piece.kind, &format!("{path}/kind"), self);
            if let Some(side) = &piece.side {
                known.sides.refer(side, &format!("{path}/side"), self);
            }
            if let Some(source) = &piece.source {
                self.source_text(source, &path);
            }
            if let Some(deck) = &piece.deck {
                known.decks.refer(deck, &format!("{path}/deck"), self);
                if let Some(declared) = pieces.decks.get(deck) {
                    self.deck_side(name, piece.side.as_ref(), deck, declared);
                }
            }
            if let Some(count) = piece.count.as_ref().filter(|c| c.value == 0) {
                let message = format!("there are no `{}` at all", name.value);
                let help = "give a count of 1 or more, or remove the piece";
                self.push(Diagnostic::error("bad-piece", count.span, message).help(help).at(&path));
            }
            for (attribute, value) in piece.attributes.iter() {
                let path = format!("{path}/attributes/{}", attribute.value);
                known.attributes.refer(attribute, &path, self);
                if let Some(declared) = pieces.attributes.get(attribute)
                    && let Err(why) = number(value, &declared.values, known)
                {
                    let message = format!("`{}` of `{}`: {why}", attribute.value, name.value);
                    let problem = Diagnostic::error("bad-value", value.span, message);
                    let place = pieces.attributes.place(attribute);
                    let problem = match place {
                        Some(span) => problem.and(span, "the attribute is declared here"),
                        None => problem,
                    };
                    self.push(problem.at(path));
                }
            }
            for name_of_one in piece.names(name) {
                if let Some(first) = taken.insert(name_of_one.clone(), name.span) {
                    let message = format!("two pieces are called `{name_of_one}`");
                    let problem = Diagnostic::error("duplicate", name.span, message).and(first, "the other");
                    self.push(problem.help("several alike are called `Name 1`, `Name 2`, ...").at(&path));
                }
            }
        }
        if taken.len() > usize::from(u16::MAX) - 1 {
            let message = format!("there are {} pieces; 65534 at most", taken.len());
            if let Some(span) = self.section_span("pieces") {
                self.push(Diagnostic::error("bad-piece", span, message));
            }
        }
        self.public_attributes(pieces);
    }

    fn deck_side(&mut self, name: &Name, side: Option<&Name>, deck: &Name, declared: &Deck) {
        if side.map(|s| &s.value) != Some(&declared.side.value) {
            let message = match side {
                Some(side) => format!(
                    "`{}` is of side `{}`, its deck `{}` of `{}`",
                    name.value, side.value, deck.value, declared.side.value
                ),
                None => format!(
                    "`{}` has no side, its deck `{}` is of `{}`",
                    name.value, deck.value, declared.side.value
                ),
            };
            let problem = Diagnostic::error("bad-piece", deck.span, message);
            let problem = problem.and(declared.side.span, "the side of the deck");
            self.push(
                problem
                    .help("all pieces of a deck are of its side")
                    .at(format!("pieces/pieces/{}", name.value)),
            );
        }
    }

    /// What is public must be equal within a deck, or it would tell backs apart.
    fn public_attributes(&mut self, pieces: &Pieces) {
        for (attribute, _) in pieces.attributes.iter().filter(|(_, a)| matches!(a.class, Visible::Public)) {
            let mut first: HashMap<&str, (&Name, String)> = HashMap::new();
            for (name, piece) in pieces.pieces.iter() {
                let Some(deck) = &piece.deck else { continue };
                let value = piece.attributes.get(attribute).map_or("nothing".to_owned(), |v| v.to_string());
                let (other, told) = first.entry(deck.as_str()).or_insert_with(|| (name, value.clone()));
                if *told != value {
                    let message = format!(
                        "the public attribute `{}` tells pieces of deck `{}` apart: {told} for `{}`, {value} for `{}`",
                        attribute.value, deck.value, other.value, name.value
                    );
                    let other = other.span;
                    let problem =
                        Diagnostic::error("tells-apart", name.span, message).and(other, "the other");
                    let help = "make the attribute `OnReveal`, or the values equal";
                    self.push(problem.help(help).at(format!("pieces/attributes/{}", attribute.value)));
                    break;
                }
            }
        }
    }

    pub(super) fn distinct(&mut self, names: &[Name], what: &str, path: &str) {
        let mut first: HashMap<&str, Span> = HashMap::new();
        for name in names {
            if let Some(span) = first.insert(&name.value, name.span) {
                let message = format!("the {what} `{}` is there twice", name.value);
                let problem = Diagnostic::error("duplicate", name.span, message).label("again here");
                self.push(problem.and(span, "first here").at(path));
            }
        }
    }

    fn value_type(&mut self, values: &Values, name: &Name, path: &str) {
        match values {
            Values::Int((least, most)) if least > most => {
                let message = format!("`{}` takes {least} to {most}, which is nothing", name.value);
                let problem = Diagnostic::error("bad-value", name.span, message);
                self.push(problem.help(format!("write `Int({most}, {least})`")).at(path));
            }
            Values::Choice(words) if words.is_empty() => {
                let message = format!("`{}` takes a choice, and there is none", name.value);
                self.push(Diagnostic::error("bad-value", name.span, message).at(path));
            }
            Values::Choice(words) => self.distinct(words, "choice", path),
            Values::Int(_) | Values::Flag | Values::Side | Values::Space => {}
        }
    }

    pub(super) fn columns(&mut self) {
        let Some(columns) = &self.model.columns else { return };
        let known = self.known;
        for (name, column) in columns.columns.iter() {
            let path = format!("columns/columns/{}", name.value);
            self.value_type(&column.values, name, &path);
            self.who(&column.class, &path);
            if let Some(start) = &column.start
                && let Err(why) = number(start, &column.values, known)
            {
                let message = format!("the start of column `{}`: {why}", name.value);
                let problem = Diagnostic::error("bad-value", start.span, message);
                self.push(problem.at(format!("{path}/start")));
            }
            let choices = matches!(column.of, Of::Choice);
            if choices == column.choices.is_empty() {
                let message = if choices {
                    format!("the column `{}` is of choices, and names none", name.value)
                } else {
                    format!("the column `{}` names choices, and is not of choices", name.value)
                };
                let help = "`of: Choice` goes with `choices: [..]`";
                self.push(Diagnostic::error("bad-column", name.span, message).help(help).at(&path));
            }
            self.distinct(&column.choices, "choice", &path);
            for reset in &column.resets {
                known.moments.refer(&reset.at, &format!("{path}/resets"), self);
                if reset.own && !column.by_side {
                    let message = format!(
                        "the reset of column `{}` is of the side's own cells, but the column is not `by_side`",
                        name.value
                    );
                    self.push(Diagnostic::error("bad-column", reset.at.span, message).at(&path));
                }
            }
        }
        for (name, column) in columns.columns.iter() {
            for (n, row) in column.sample.iter().enumerate() {
                self.sample(column, row, &format!("columns/columns/{}/sample/{n}", name.value));
            }
        }
        for (n, watch) in columns.watches.iter().enumerate() {
            let path = format!("columns/watches/{n}");
            known.columns.refer(&watch.column, &path, self);
            self.procedure(&watch.run, &path);
            if watch.least.is_some() == watch.most.is_some() {
                let message = "a watch has either `least` or `most`";
                self.push(Diagnostic::error("bad-column", watch.span, message).at(&path));
            }
        }
        for (name, relation) in columns.relations.iter() {
            let path = format!("columns/relations/{}", name.value);
            self.who(&relation.class, &path);
            let most = adjutant_kernel::rulebook::RECORD_FIELDS;
            if relation.fields.len() > most || relation.fields.is_empty() {
                let message = format!(
                    "the relation `{}` has {} fields; 1 to {most} are possible",
                    name.value,
                    relation.fields.len()
                );
                self.push(Diagnostic::error("bad-column", name.span, message).at(&path));
            }
            if relation.most.value == 0 {
                let message = format!("the relation `{}` can never hold an entry", name.value);
                self.push(Diagnostic::error("bad-column", relation.most.span, message).at(&path));
            }
        }
    }

    fn sample(&mut self, column: &Column, row: &Sample, path: &str) {
        let known = self.known;
        if let Some(set) = &row.set {
            known.sets.refer(set, path, self);
            if !matches!(column.of, Of::Piece | Of::Body) {
                let message = "only columns of pieces and bodies are imagined by a set of pieces";
                self.push(Diagnostic::error("bad-column", set.span, message).at(path));
            }
        }
        for place in row.not_in.iter().chain(&row.occupied) {
            known.places.refer(place, path, self);
        }
        if let Some(side) = &row.side {
            known.sides.refer(side, path, self);
        }
        if let Some(choice) =
            row.choice.as_ref().filter(|c| column.choices.iter().all(|o| o.value != c.value))
        {
            let message = format!("the column has no choice `{}`", choice.value);
            let choices = column.choices.iter().map(|c| c.value.as_str());
            let help = crate::suggest::help(choice, "choices", choices);
            self.push(Diagnostic::error("unknown-name", choice.span, message).help(help).at(path));
        }
        for bound in [&row.least, &row.most] {
            if let Bound::Column(bound) = bound {
                self.public_column(&bound.name, &Of::Game, path);
            }
        }
    }

    fn who(&mut self, who: &Who, path: &str) {
        if let Who::Side(side) = who {
            let known = self.known;
            known.sides.refer(side, path, self);
        }
    }

    /// A public column of the game or of spaces, by name; what it is instead is reported.
    pub(super) fn public_column(
        &mut self,
        name: &Name,
        of: &Of,
        path: &str,
    ) -> Option<&crate::model::Column> {
        let known = self.known;
        known.columns.refer(name, path, self)?;
        let columns: &Entries<_> = &self.model.columns.as_ref()?.columns;
        let column: &crate::model::Column = columns.get(name)?;
        let right = std::mem::discriminant(&column.of) == std::mem::discriminant(of);
        if !right || column.by_side || !matches!(column.class, Who::Public) {
            let what = if matches!(of, Of::Game) { "the game" } else { "spaces" };
            let message = format!("`{}` is no public column of {what}", name.value);
            let problem = Diagnostic::error("bad-column", name.span, message);
            let problem = match columns.place(name) {
                Some(span) => problem.and(span, "declared here"),
                None => problem,
            };
            let help =
                format!("what everybody knows may be asked for here: a column `of: {of:?}`, `class: Public`");
            self.push(problem.help(help).at(path));
            return None;
        }
        Some(column)
    }
}

/// Whether a frontend may take a text for a colour without looking: digits behind a `#`, or a word.
fn is_colour(text: &str) -> bool {
    match text.strip_prefix('#') {
        Some(digits) => matches!(digits.len(), 3 | 6) && digits.chars().all(|c| c.is_ascii_hexdigit()),
        None => !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic()),
    }
}

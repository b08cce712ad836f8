//! The kinds of things that have names, and where in a snapshot something is.

use std::fmt;

use crate::ids::*;
use crate::rulebook::Rulebook;

/// A kind of things that have names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Side,
    Seat,
    Piece,
    Space,
    Link,
    Border,
    Place,
    Word,
    Rule,
    Column,
    Relation,
    Table,
    Option,
    Procedure,
    Moment,
    Question,
}

impl Kind {
    /// What one of them is called.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Side => "side",
            Self::Seat => "seat",
            Self::Piece => "piece",
            Self::Space => "space",
            Self::Link => "link",
            Self::Border => "border",
            Self::Place => "place",
            Self::Word => "word",
            Self::Rule => "rule",
            Self::Column => "column",
            Self::Relation => "relation",
            Self::Table => "table",
            Self::Option => "option",
            Self::Procedure => "procedure",
            Self::Moment => "moment",
            Self::Question => "question",
        }
    }

    /// How many there are.
    pub(super) fn count(self, rb: &Rulebook) -> usize {
        match self {
            Self::Side => rb.sides.len(),
            Self::Seat => rb.seats.len(),
            Self::Piece => rb.pieces.len(),
            Self::Space => rb.board.space_count(),
            Self::Link => rb.board.link_count(),
            Self::Border => rb.board.border_count(),
            Self::Place => rb.board.place_count(),
            Self::Word => rb.words.len(),
            Self::Rule => rb.rules.len(),
            Self::Column => rb.columns.len(),
            Self::Relation => rb.records.len(),
            Self::Table => rb.tables.len(),
            Self::Option => rb.options.len(),
            Self::Procedure => rb.procs.len(),
            Self::Moment => rb.moments.len(),
            Self::Question => rb.questions.len(),
        }
    }

    /// The name of one; `None` for a number that is none's.
    pub(super) fn name(self, rb: &Rulebook, number: usize) -> Option<&str> {
        if number >= self.count(rb) {
            return None;
        }
        let n = number as u16;
        Some(match self {
            Self::Side => &rb.sides[number],
            Self::Seat => &rb.seats[number].name,
            Self::Piece => &rb.pieces[number].name,
            Self::Space => rb.board.space_name(SpaceId(n)),
            Self::Link => rb.board.link_name(LinkId(n)),
            Self::Border => rb.board.border_name(BorderId(n)),
            Self::Place => rb.board.place_name(PlaceId(n)),
            Self::Word => rb.words.name(n),
            Self::Rule => rb.rules.name(n),
            Self::Column => &rb.columns[number].name,
            Self::Relation => &rb.records[number].name,
            Self::Table => &rb.tables[number].0,
            Self::Option => &rb.options[number].name,
            Self::Procedure => &rb.procs[number].name,
            Self::Moment => rb.words.name(rb.moments[number].name.0),
            Self::Question => rb.words.name(rb.questions[number].name.0),
        })
    }

    /// All names in order.
    pub(super) fn names(self, rb: &Rulebook) -> impl Iterator<Item = &str> {
        (0..self.count(rb)).filter_map(move |n| self.name(rb, n))
    }

    /// The number of the one with a name.
    pub(super) fn number(self, rb: &Rulebook, name: &str) -> Option<u16> {
        match self {
            Self::Space => rb.board.space_named(name).map(|s| s.0),
            Self::Link => rb.board.link_named(name).map(|l| l.0),
            Self::Border => rb.board.border_named(name).map(|b| b.0),
            Self::Place => rb.board.place_named(name).map(|p| p.0),
            Self::Word => rb.words.find(name),
            Self::Rule => rb.rules.find(name),
            Self::Side
            | Self::Seat
            | Self::Piece
            | Self::Column
            | Self::Relation
            | Self::Table
            | Self::Option
            | Self::Procedure
            | Self::Moment
            | Self::Question => self.names(rb).position(|n| n == name).map(|n| n as u16),
        }
    }
}

/// Where in a snapshot something is: a chain that is written out only when there is something to say.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    up: Option<&'a At<'a>>,
    part: Part<'a>,
}

#[derive(Clone, Copy)]
enum Part<'a> {
    Name(&'a str),
    Nth(usize),
}

impl<'a> At<'a> {
    pub(super) fn top(name: &'a str) -> Self {
        Self { up: None, part: Part::Name(name) }
    }

    pub(super) fn of(&'a self, name: &'a str) -> Self {
        Self { up: Some(self), part: Part::Name(name) }
    }

    pub(super) fn nth(&'a self, n: usize) -> Self {
        Self { up: Some(self), part: Part::Nth(n) }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(up) = self.up {
            write!(f, "{up}/")?;
        }
        match self.part {
            Part::Name(name) => f.write_str(name),
            Part::Nth(n) => write!(f, "{n}"),
        }
    }
}

//! What a pack says, one file a concept. The types here are what `schemas/` is made of and what the loader reads.

mod board;
mod columns;
mod imagine;
mod knowledge;
mod ledger;
mod manifest;
mod options;
mod pieces;
mod points;
mod scenario;
mod sequence;
mod sides;
mod source;
mod tables;
mod values;

pub use board::{
    Board, Border, FeatureKind, Grid, Holding, Link, Numbering, On, Order, Orientation, Shifted, Space,
};
pub use columns::{Column, Columns, FieldType, Of, Relation, Reset, WatchRow, Who};
pub use imagine::{Bound, ColumnBound, Hideout, Joined, Sample};
pub use knowledge::{Knowledge, LevelOf, LevelRow, MomentDef, Onlookers, PieceSet, Question, RunAt, Test};
pub use ledger::{How, LedgerRule, RuleKind};
pub use manifest::Pack;
pub use options::{Options, Preset, Switch};
pub use pieces::{Attribute, Deck, Piece, Pieces, Visible};
pub use points::{Combining, Filter, Point, Restriction, Sees};
pub use scenario::{Face, Group, Scenario, Start};
pub(crate) use sequence::walk;
pub use sequence::{ColumnTest, Condition, Conditional, Item, Phase, PlayerTurns, Turns};
pub use sides::{Role, Seat, Side, Sides};
pub use source::Source;
pub use tables::{
    Axis, Beyond, Cell, CellOf, Edge, Favour, Lines, Modifier, Odds, OddsParty, OddsRows, Row, Rows,
    Shifting, Table, Zero, ZeroAt,
};
pub use values::{Scalar, Values};

use crate::read::{Entries, Spanned};

/// A pack, or a pack with what lies below it, as it was read.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `pack.ron` of the uppermost layer.
    pub pack: Option<Pack>,
    /// `sides.ron`.
    pub sides: Option<Sides>,
    /// `boards/*.ron` by file.
    pub boards: Entries<Board>,
    /// `pieces.ron`.
    pub pieces: Option<Pieces>,
    /// `columns.ron`.
    pub columns: Option<Columns>,
    /// `tables.ron`.
    pub tables: Entries<Table>,
    /// `sequence.ron`.
    pub sequence: Vec<Spanned<Item>>,
    /// `options.ron`.
    pub options: Option<Options>,
    /// `points.ron`.
    pub points: Entries<Point>,
    /// `restrictions.ron` by rule id.
    pub restrictions: Entries<Restriction>,
    /// `knowledge.ron`.
    pub knowledge: Option<Knowledge>,
    /// `scenarios/*.ron` by file.
    pub scenarios: Entries<Scenario>,
    /// `rules.ron` by rule id.
    pub rules: Entries<LedgerRule>,
    /// Sections (file names without `.ron`) that are there and could not be read: what they may declare is not
    /// asked for.
    pub broken: Vec<String>,
    /// Rule ids that layers switch off, with the places where they say so.
    pub switched_off: Vec<Spanned<String>>,
}

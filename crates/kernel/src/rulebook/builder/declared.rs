//! Ids as `build` checks them: how many things of a kind there are.

use crate::ids::*;
use crate::rulebook::Rulebook;

/// An id of something that a rulebook declares.
pub(super) trait Declared: Copy {
    /// What it names.
    const KIND: &'static str;
    /// Its number.
    fn number(self) -> usize;
    /// How many things of the kind there are.
    fn count(rb: &Rulebook) -> usize;
}

macro_rules! declared {
    ($($id:ident $kind:literal |$rb:ident| $count:expr;)*) => {$(
        impl Declared for $id {
            const KIND: &'static str = $kind;
            fn number(self) -> usize {
                self.index()
            }
            fn count($rb: &Rulebook) -> usize {
                $count
            }
        }
    )*};
}

declared! {
    SpaceId "space" |rb| rb.board.space_count();
    LinkId "link" |rb| rb.board.link_count();
    PlaceId "place" |rb| rb.board.place_count();
    FeatureId "feature" |rb| rb.board.feature_count();
    SideId "side" |rb| rb.sides.len();
    PieceId "piece" |rb| rb.pieces.len();
    DeckId "deck" |rb| rb.decks.len();
    PieceSetId "piece set" |rb| rb.piece_sets.len();
    ColumnId "column" |rb| rb.columns.len();
    RuleId "rule" |rb| rb.rules.len();
    WordId "word" |rb| rb.words.len();
    ProcId "procedure" |rb| rb.procs.len();
    MomentId "moment" |rb| rb.moments.len();
    OptionId "option" |rb| rb.options.len();
}

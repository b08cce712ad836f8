//! Names of things as small numbers, interned when a rulebook is built.
//!
//! Every id is an index into the [`Rulebook`](crate::Rulebook) that made it (or, for bodies and stacks, into
//! the arenas of a state). None of them is ever shown to a seat: seats see names and handles.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident: $repr:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        pub struct $name(pub $repr);
        impl $name {
            /// The id as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A space of the board: a hex or an area. Spaces are numbered from 0 in the order of their declaration.
    SpaceId: u16;
    /// A link between two spaces along which pieces move; several may join the same two spaces.
    LinkId: u16;
    /// A border between two adjacent spaces (a hexside, the line between two areas).
    BorderId: u16;
    /// Any place where bodies can stand: a space, a box, a link or a border. The places of a board begin with
    /// its spaces, so `PlaceId(s.0)` is space `s`.
    PlaceId: u16;
    /// A network of links (land, river, rail).
    NetworkId: u8;
    /// A type of feature on spaces, borders or links (woods, river, road).
    FeatureId: u16;
    /// A piece of the pack: the identity of a body (a unit, leader, marker, dummy).
    PieceId: u16;
    /// What stands somewhere; which piece it is may be hidden.
    BodyId: u16;
    /// An ordered pile of bodies of one side.
    StackId: u16;
    /// A set of pieces whose backs look alike, so that one may be taken for another.
    DeckId: u8;
    /// A declared set of pieces (all horse, all real units), used in questions.
    PieceSetId: u16;
    /// A side of the game.
    SideId: u8;
    /// Somebody who sees or plays: a commander, an umpire, a spectator.
    SeatId: u8;
    /// A declared attribute of pieces.
    AttributeId: u16;
    /// A declared column (a remembered value of a piece, body, space, ...).
    ColumnId: u16;
    /// A declared relation.
    RecordId: u16;
    /// The id of a rule, such as `cwcs:9.72.a`.
    RuleId: u16;
    /// An interned word: a verb, a choice, a prompt, an event, a phase.
    WordId: u16;
    /// A look-up table.
    TableId: u16;
    /// A rule point, to which titles and overlays attach contributions.
    PointId: u16;
    /// A procedure.
    ProcId: u16;
    /// A named moment: of the sequence of play, or before or after a step.
    MomentId: u16;
    /// A declared question that can be answered to seats.
    QuestionId: u16;
    /// An option of the rulebook.
    OptionId: u8;
}

/// Whose eyes: one of the sides, or the public (seats of no side, who know only what everybody knows).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Viewer {
    /// The seats of a side.
    Side(SideId),
    /// Seats of no side.
    Public,
}

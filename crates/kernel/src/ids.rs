//! Names of things as small numbers, interned when a rulebook is built.
//!
//! Every id is an index into the [`Rulebook`](crate::Rulebook) that made it (or, for bodies and stacks, into
//! the arenas of a state). None of them is ever shown to a seat: seats see names and handles.
//!
//! ```
//! use adjutant_kernel::board::{BoardBuilder, BorderSpec, FeatureOn, LinkSpec, Provenance};
//! use adjutant_kernel::{BorderId, FeatureId, LinkId, NetworkId, PlaceId, SpaceId};
//! let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
//! builder.network("road").feature("wall", FeatureOn::Border, Provenance::printed("map"));
//! builder.space("Ashby").space("Berry").holding_box("Turn 1");
//! builder.link(LinkSpec::new("Ashby", "Berry", "road")).border(BorderSpec::new("Ashby", "Berry"));
//! let board = builder.build()?;
//! let berry: SpaceId = board.space_named("Berry").unwrap();
//! assert_eq!((berry, berry.index()), (SpaceId(1), 1)); // in the order of their declaration
//! let (road, link) = (board.network_named("road"), board.link_named("Ashby-Berry"));
//! assert_eq!((road, link), (Some(NetworkId(0)), Some(LinkId(0))));
//! let (wall, border) = (board.feature_named("wall"), board.border_named("Ashby|Berry"));
//! assert_eq!((wall, border), (Some(FeatureId(0)), Some(BorderId(0))));
//! assert_eq!(board.place_named("Turn 1"), Some(PlaceId(2))); // the spaces come first
//! # Ok::<(), adjutant_kernel::board::BoardProblems>(())
//! ```
//!
//! ```
//! # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
//! use adjutant_kernel::*;
//! # let (builder, ids) = Field::builder(|_, _| Ok(()));
//! # let rulebook = builder.build()?;
//! let (blue, seat): (Option<SideId>, Option<SeatId>) = (rulebook.side_named("blue"), rulebook.seat_named("blue"));
//! let (horse, real): (Option<PieceId>, Option<PieceSetId>) =
//!     (rulebook.piece_named("Horse"), rulebook.piece_set_named("real"));
//! let backs: DeckId = rulebook.piece(horse.unwrap()).deck.unwrap();
//! assert_eq!(rulebook.deck(backs).side, blue.unwrap());
//! let (strength, turn): (AttributeId, ColumnId) = (ids.strength, ids.turn.id);
//! assert_eq!((strength.index(), rulebook.column(turn).name.as_str()), (0, "turn"));
//! let (rule, word): (Option<RuleId>, Option<WordId>) = (rulebook.rule_named("field:1"), rulebook.word_named("march"));
//! let (table, point): (Option<TableId>, Option<PointId>) =
//!     (rulebook.table_named("skirmish"), rulebook.point_named("march_bonus"));
//! let (proc, moment): (Option<ProcId>, Option<MomentId>) =
//!     (rulebook.procedure_named("turn"), rulebook.moment_named("dusk"));
//! let (raid, question): (Option<RecordId>, Option<QuestionId>) =
//!     (rulebook.relation_named("raid"), rulebook.question_named("any_real"));
//! let (scenario, fog): (Option<ScenarioId>, Option<OptionId>) =
//!     (rulebook.scenario_named("meeting"), rulebook.option_named("fog"));
//! assert_eq!((scenario, fog), (Some(ScenarioId(0)), None)); // there is no such option
//! # let field = Field::start();
//! let read = Read::new(&field.rulebook, &field.state);
//! let body: BodyId = read.body_of(horse.unwrap()).unwrap(); // bodies and stacks are those of a state
//! let stack: StackId = read.stack(body).unwrap();
//! assert_eq!(read.bodies(stack).next(), Some(body));
//! # Ok::<(), adjutant_kernel::rulebook::BadRulebook>(())
//! ```

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
    /// A scenario: a way in which a game begins.
    ScenarioId: u16;
    /// An option of the rulebook.
    OptionId: u8;
}

/// Whose eyes: one of the sides, or the public (seats of no side, who know only what everybody knows).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Sight, Seen, Read, Viewer};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// assert_eq!(rulebook.viewers().last(), Some(Viewer::Public));
/// let read = Read::new(&rulebook, &state);
/// let horse = read.body_of(ids.horse).unwrap();
/// assert!(Seen::new(read, Viewer::Side(ids.blue)).piece(horse).is_some());
/// assert!(Seen::new(read, Viewer::Public).piece(horse).is_none()); // it may be the dummy
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Viewer {
    /// The seats of a side.
    Side(SideId),
    /// Seats of no side.
    Public,
}

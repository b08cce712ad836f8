//! `knowledge.ron`: sets of pieces, questions, moments, and who sees how much where.

use super::{Caught, Hideout, Joined, Scalar};
use crate::read::{Entries, Name, Spanned, record, variants};

record! {
    /// Who may know what.
    pub struct Knowledge {
        /// Everybody sees everything everywhere, by this rule.
        pub open: Option<Name>,
        /// Sets of pieces.
        pub sets: Entries<PieceSet> = default,
        /// Questions that can be answered to seats.
        pub questions: Entries<Question> = default,
        /// Named moments, and what runs at them.
        pub moments: Entries<MomentDef> = default,
        /// What viewers see of the pieces in a place; of the rows that match, the first counts.
        pub levels: Vec<Spanned<LevelRow>> = default,
        /// Where pieces may be that a viewer sees nothing of.
        pub hideouts: Vec<Hideout> = default,
    }

    /// A set of pieces: every part that is given must hold.
    pub struct PieceSet {
        /// Of one of these kinds.
        pub kinds: Vec<Name> = default,
        /// Of one of these sides.
        pub sides: Vec<Name> = default,
        /// Of one of these decks.
        pub decks: Vec<Name> = default,
        /// One of these pieces.
        pub pieces: Vec<Name> = default,
        /// With these attributes.
        pub attributes: Entries<Test> = default,
        /// All others instead.
        pub but: bool = default,
    }

    /// A question; one of these.
    pub struct Question {
        /// Is there a piece of this set?
        pub any: Option<Name>,
        /// Does a piece of this side stand there?
        pub occupied: Option<Name>,
        /// Does a chain of links lead there?
        pub joined: Option<Joined>,
        /// How many pieces have met others without an escort?
        pub caught: Option<Caught>,
    }

    /// A moment.
    pub struct MomentDef {
        /// Procedures that run then, in order.
        pub run: Vec<RunAt> = default,
    }

    /// A procedure at a moment.
    pub struct RunAt {
        /// The procedure.
        pub name: Name,
        /// The rule that it carries out.
        pub rule: Name,
        /// It stands in for the step that asks for the moment.
        pub instead: bool = default,
        /// Only if this option is on.
        pub option: Option<Name>,
        /// Only if this option is off.
        pub without_option: Option<Name>,
    }

    /// What viewers see of the pieces in some places.
    pub struct LevelRow {
        /// Pieces of these decks; all if left out.
        pub decks: Vec<Name> = default,
        /// In these places; everywhere if left out.
        pub places: Vec<Name> = default,
        /// For whom.
        pub onlooker: Onlookers,
        /// If a public column of the space has this value.
        pub column: Option<(Name, Spanned<Scalar>)>,
        /// If this option is on.
        pub option: Option<Name>,
        /// If this option is off.
        pub without_option: Option<Name>,
        /// What they see.
        pub level: LevelOf,
        /// The rule.
        pub rule: Name,
    }
}

impl Knowledge {
    /// The rules by which something is seen or runs.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let moments = self.moments.iter().flat_map(|(_, moment)| &moment.run).map(|run| &run.rule);
        let levels = self.levels.iter().map(|row| &row.value.rule);
        self.open.iter().chain(moments).chain(levels).map(|rule| rule.value.as_str())
    }
}

variants! {
    /// A test of an attribute.
    pub enum Test {
        /// It is this.
        Is(Spanned<Scalar>),
        /// At least this.
        AtLeast(i32),
        /// At most this.
        AtMost(i32),
    }

    /// Which viewers.
    pub enum Onlookers {
        /// The side that owns the pieces.
        Owner,
        /// Everybody else.
        Others,
        /// Everybody.
        Anyone,
        /// One side.
        Side(Name),
        /// Who is of no side.
        Public,
    }

    /// How much they see.
    pub enum LevelOf {
        /// Not even whether there is anything.
        Nothing,
        /// How many.
        Number,
        /// The top piece of each stack, of the rest how many.
        Top,
        /// Every piece from its back, in order.
        Order,
        /// Every piece from its front.
        Everything,
    }
}

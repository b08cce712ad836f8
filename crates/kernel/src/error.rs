//! What can go wrong (invariant 12): never a panic, always one of these.

use crate::locals::BadLocal;

/// Something is wrong with the rules. The action is refused, the state is unchanged, the seat gets a number;
/// the details are the umpire's.
///
/// ```
/// use adjutant_kernel::Fault;
/// let fault = Fault::OutOfBounds { column: "strength".into(), min: 0, max: 8, value: 9 };
/// assert_eq!(fault.to_string(), "column `strength` takes 0 to 8, not 9");
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    /// A procedure says so.
    #[error("{text}")]
    Rules {
        /// What is wrong.
        text: String,
    },
    /// A procedure never came to ask anybody.
    #[error("no seat was asked after {steps} steps; the last procedure was `{procedure}`")]
    StepBound {
        /// Steps made.
        steps: u32,
        /// The procedure that was running.
        procedure: String,
    },
    /// A seat is asked and nothing is offered to it.
    #[error("seat `{seat}` is asked `{prompt}` and can do nothing")]
    DeadEnd {
        /// The seat.
        seat: String,
        /// What it is asked.
        prompt: String,
    },
    /// A value is out of its column's bounds.
    #[error("column `{column}` takes {min} to {max}, not {value}")]
    OutOfBounds {
        /// The column.
        column: String,
        /// The least value.
        min: i32,
        /// The greatest value.
        max: i32,
        /// The value given.
        value: i32,
    },
    /// A told answer in force is no longer true, or a candidate set has lost the truth.
    #[error("what viewers know is no longer true: {text}")]
    Knowledge {
        /// What.
        text: String,
    },
    /// An operation after the end of the game.
    #[error("the game has ended; nothing can be changed")]
    Ended,
    /// A branch of a fork wrote something that its side does not own.
    #[error("a branch of a fork may only write what its side owns, not {what}")]
    Branch {
        /// What it tried.
        what: String,
    },
    /// A frame holds what its procedure cannot read.
    #[error(transparent)]
    Locals(#[from] BadLocal),
    /// A seat is offered something that it does not see.
    #[error("seat `{seat}` is offered `{verb}` on something that it does not see")]
    Unseen {
        /// The seat.
        seat: String,
        /// The verb of the offer.
        verb: String,
    },
    /// The placement check said that bodies may not stay, and nobody took them on before the phase was over.
    #[error("{pieces} may not stay in `{place}` by {rule}, and nothing took them on")]
    Unfinished {
        /// The names of the pieces.
        pieces: String,
        /// Where they are.
        place: String,
        /// The rule.
        rule: String,
    },
    /// A relation is full.
    #[error("relation `{relation}` holds {max} entries at most")]
    Full {
        /// The relation.
        relation: String,
        /// Its greatest number of entries.
        max: u16,
    },
    /// A procedure is named and not registered.
    #[error("procedure `{0}` is declared and not defined")]
    NoCode(String),
    /// A fault, and where in the sources of the rules it came up.
    #[error("{place}: {fault}")]
    At {
        /// The file and the line.
        place: String,
        /// What is wrong there.
        fault: Box<Fault>,
    },
}

impl Fault {
    /// What is wrong, without the place.
    ///
    /// ```
    /// use adjutant_kernel::Fault;
    /// let placed = Fault::Ended.at("scripts/dusk.luau:7").at("scripts/march.luau:2"); // the first place counts
    /// assert_eq!(placed.what(), &Fault::Ended);
    /// assert!(placed.to_string().starts_with("scripts/dusk.luau:7: the game has ended"));
    /// ```
    pub fn what(&self) -> &Self {
        match self {
            Self::At { fault, .. } => fault.what(),
            other => other,
        }
    }

    /// The same with where it came up, unless that is known already.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        match self {
            Self::At { .. } => self,
            fault => Self::At { place: place.into(), fault: Box::new(fault) },
        }
    }

    /// The same with the place that `find` gives, if it gives one and none is known already.
    #[must_use]
    pub(crate) fn at_found(self, find: impl FnOnce() -> Option<String>) -> Self {
        match self {
            Self::At { .. } => self,
            fault => match find() {
                Some(place) => fault.at(place),
                None => fault,
            },
        }
    }
}

/// Why an action was refused. Nothing has changed. It says only what the seat may know: an unseen and an
/// unknown target get the same refusal.
///
/// ```
/// use adjutant_kernel::Refused;
/// // What a frontend does with a refusal: say it, or look again and answer anew.
/// fn look_again(refused: &Refused) -> bool {
///     matches!(refused, Refused::Stale { .. })
/// }
/// assert!(look_again(&Refused::Stale { given: 3, current: 4 }));
/// assert_eq!(Refused::Rule { rule: "march:2".into() }.to_string(), "forbidden by march:2");
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Refused {
    /// The seat is not asked.
    #[error("it is not for this seat to act now")]
    NotAsked,
    /// The action answers an older version of what the seat was shown.
    #[error("the action answers version {given}; the seat has since been shown version {current}")]
    Stale {
        /// The version that the action names.
        given: u32,
        /// The version that the seat is at.
        current: u32,
    },
    /// A word, handle or name that means nothing to the seat.
    #[error("unknown target or verb: {0}")]
    Unknown(String),
    /// Nothing like that can be done now.
    #[error("that is not among the things that can be done now")]
    NotOffered,
    /// A rule forbids it.
    #[error("forbidden by {rule}")]
    Rule {
        /// The rule.
        rule: String,
    },
    /// There is nothing that may be taken back.
    #[error("there is nothing that may be taken back")]
    NothingToUndo,
    /// An umpire's edit would be shown at once, and with it what a seat has not committed.
    #[error("nothing can be edited while a seat has decisions that it may still take back")]
    DraftOpen,
    /// A number that dice cannot show.
    #[error("the dice of `{table}` show {min} to {max} each, not {value}")]
    CannotShow {
        /// The table.
        table: String,
        /// The least that a die shows.
        min: i32,
        /// The greatest.
        max: i32,
        /// The number given.
        value: i32,
    },
    /// The game has ended.
    #[error("the game has ended")]
    Ended,
    /// The rules are at fault; the umpire has the details under this number.
    #[error("fault {0}: the rules could not carry this out; the umpire has the details")]
    Fault(u32),
}

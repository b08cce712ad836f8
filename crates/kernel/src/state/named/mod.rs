//! Snapshots: a state as a record of stable names, for saves (invariants 3, 11, 12).
//!
//! A [`State`] is numbers that mean something only to the rulebook that made it. A [`NamedState`] says the same
//! in names, so that it outlives a rulebook in which things come in another order or more have been added.
//! Invariant: `state.named(rb).state(rb)` is the state again, whatever was played. And no snapshot, however it
//! was come by, makes the kernel panic: [`NamedState::state`] gives a state that is sound or says all that is
//! wrong.
//!
//! A body is named by the piece that it is now. That is not always the piece that its number is made for: in
//! sampled worlds pieces are exchanged among bodies, and [`NamedBody::of`] says whose body it is. Stacks have
//! no names; they are numbered within the snapshot.
//!
//! ```
//! # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
//! use adjutant_kernel::Audience;
//! use adjutant_kernel::knowledge::About;
//! use adjutant_kernel::ops::Telling;
//! use adjutant_kernel::state::named::*;
//! let field = Field::where_first(|ids, cx| {
//!     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
//!     let (question, audience) = (ids.any_real, Audience::side(ids.red));
//!     let (about, rule, lapse) = (About::Bodies, ids.rule, ids.dusk);
//!     cx.tell(Telling { question, bodies: &stack, about, audience, rule, lapse })?;
//!     cx.record(ids.raid, &[i32::from(ids.ford.0)])?;
//!     cx.set(ids.turn, (), 2)
//! });
//! let named = field.state.named(&field.rulebook);
//!
//! assert_eq!(named.places["ford"], [NamedSpot::Body("Guns".into())]);
//! assert_eq!(named.bodies["Horse"], NamedBody::default()); // face down, and nothing more to be said
//! assert_eq!(named.columns["turn"]["game"], NamedValue::Number(2));
//! let at = [("at".into(), NamedValue::Name("ford".into()))].into();
//! assert_eq!(named.records, [NamedRecord { relation: "raid".into(), fields: at }]);
//!
//! let NamedTold { about, audience, answer, .. } = &named.told[0];
//! assert_eq!((about, answer), (&NamedAbout::Bodies, &1));
//! assert_eq!(audience, &NamedAudience::Only { sides: vec!["red".into()], public: false });
//! let knowledge: &ByViewer<NamedKnowledge> = &named.knowledge;
//! assert_eq!(knowledge.public.bodies.len(), 3); // a handle a body
//!
//! let frame: &NamedFrame = named.frames.last().unwrap();
//! let asking = NamedStatus::Asking { seats: vec!["blue".into()], prompt: "orders".into() };
//! assert_eq!((frame.procedure.as_str(), &frame.status), ("turn", &asking));
//! ```

mod flow;
mod kind;
mod knowledge;
mod read;
mod value;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rulebook::Rulebook;
use crate::state::State;

pub use value::NamedValue;

/// A whole position by names, hidden facts included. It is the host's; no seat may be shown any of it.
///
/// ```
/// use adjutant_kernel::{Rulebook, State, state::BadSnapshot};
/// fn same(rulebook: &Rulebook, state: &State) -> Result<bool, Vec<BadSnapshot>> {
///     Ok(state.named(rulebook).state(rulebook)? == *state)
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedState {
    /// The key of draws.
    pub key: Secret,
    /// The key of handles.
    pub handles: Secret,
    /// The options that are on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What stands in each place, in order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<String, Vec<NamedSpot>>,
    /// The bodies under the command of another, in order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub commands: BTreeMap<String, Vec<String>>,
    /// Numbers of stacks that are no more, with the side that they were of. They are given out again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub closed_stacks: BTreeMap<u16, String>,
    /// Every body, by the piece that it is.
    pub bodies: BTreeMap<String, NamedBody>,
    /// Cells that differ from the start value of their column: column, then holder. The holder of a column of
    /// the game is `game`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, BTreeMap<String, NamedValue>>,
    /// The entries of all relations, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<NamedRecord>,
    /// What each viewer knows.
    pub knowledge: ByViewer<NamedKnowledge>,
    /// The answers in force.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<NamedTold>,
    /// Draws made so far, by stream.
    pub draws: ByViewer<u32>,
    /// Dice that the umpire has fixed, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forced: Vec<NamedForced>,
    /// Rules whose attachments the umpire has switched off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Bodies that may not stay where they stand and have not been taken on yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<NamedOwed>,
    /// The procedures at work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<NamedFrame>,
    /// The phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// How the game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<NamedOutcome>,
}

/// A key in hexadecimal. Printing it for debugging shows none of it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::state::named::Secret;
/// # let field = Field::start();
/// let key: Secret = field.state.named(&field.rulebook).key;
/// assert_eq!(key.0.len(), 64);
/// assert!(!format!("{key:?}").contains(&key.0)); // so that no log shows it
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// One thing for each side and one for the public.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByViewer<T> {
    /// By side.
    pub sides: BTreeMap<String, T>,
    /// Of the public.
    pub public: T,
}

/// What stands directly in a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NamedSpot {
    /// A body in no stack.
    Body(String),
    /// A stack.
    Stack {
        /// Its number in the snapshot.
        stack: u16,
        /// Its side.
        side: String,
        /// The bodies, top first.
        bodies: Vec<String>,
    },
}

/// A body, but for where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedBody {
    /// The piece whose body it is by number, when it is now another piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Face up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub up: bool,
    /// Its private values are shown with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bared: bool,
    /// Which way it faces.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub facing: u8,
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

/// An entry of a relation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedRecord {
    /// The relation.
    pub relation: String,
    /// Its fields.
    pub fields: BTreeMap<String, NamedValue>,
}

/// What a viewer knows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedKnowledge {
    /// How many handles were drawn for it.
    pub drawn: u32,
    /// Handle numbers of all bodies.
    pub bodies: BTreeMap<String, u32>,
    /// Handle numbers of all stacks, closed ones too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stacks: BTreeMap<u16, u32>,
    /// What each body may be, where that is not every piece of its deck.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub candidates: BTreeMap<String, Vec<String>>,
}

/// An answer in force.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedTold {
    /// The question.
    pub question: String,
    /// The bodies that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<String>,
    /// How viewers name what it is about.
    pub about: NamedAbout,
    /// The answer.
    pub answer: i32,
    /// Who was told.
    pub audience: NamedAudience,
    /// The moment at which it lapses.
    pub lapse: String,
}

/// How viewers name what a told answer is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedAbout {
    /// By the bodies.
    Bodies,
    /// By their place.
    Place(String),
    /// Not at all.
    Nothing,
}

/// A set of viewers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedAudience {
    /// Everybody.
    All,
    /// Everybody but some.
    But {
        /// Sides that do not belong to it.
        sides: Vec<String>,
        /// Whether the public does not either.
        public: bool,
    },
    /// Some.
    Only {
        /// Sides that belong to it.
        sides: Vec<String>,
        /// Whether the public does too.
        public: bool,
    },
}

/// A die that the umpire has fixed.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::state::named::NamedForced;
/// # let mut field = Field::start();
/// field.state.force(field.ids.die, 6);
/// let forced = field.state.named(&field.rulebook).forced;
/// assert_eq!(forced, [NamedForced { table: "skirmish".into(), value: 6 }]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedForced {
    /// The table.
    pub table: String,
    /// What it will show.
    pub value: i32,
}

/// Bodies that may not stay where they stand.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::state::named::NamedOwed;
/// # let field = Field::start();
/// let mut named = field.state.named(&field.rulebook);
/// let (place, rule) = ("ford".into(), "field:1".into());
/// named.owed.push(NamedOwed { bodies: vec!["Guns".into()], place, rule });
/// assert_ne!(named.state(&field.rulebook).unwrap(), field.state); // the guns must go on
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedOwed {
    /// Which.
    pub bodies: Vec<String>,
    /// Where they stand.
    pub place: String,
    /// The rule by which they may not stay.
    pub rule: String,
}

/// A procedure at work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedFrame {
    /// The procedure.
    pub procedure: String,
    /// The frame that it was called from, by its place in the list; none for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u16>,
    /// What it is doing.
    pub status: NamedStatus,
    /// The seat whose branch of a fork begins here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Its locals by field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locals: Option<BTreeMap<String, NamedValue>>,
    /// The locals that a branch began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<BTreeMap<String, NamedValue>>,
}

/// What a frame is doing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedStatus {
    /// Not in use.
    Free,
    /// Waits for a procedure that it called.
    Waiting,
    /// Waits for one of these seats.
    Asking {
        /// The seats.
        seats: Vec<String>,
        /// What they are asked.
        prompt: String,
    },
    /// Waits for all its branches.
    Forked {
        /// Whether all is applied at the join.
        together: bool,
    },
    /// A branch that has committed.
    Committed,
}

/// How a game ended.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::state::named::NamedOutcome;
/// # let mut field = Field::start();
/// field.state.resign(Some(field.ids.blue));
/// let outcome = field.state.named(&field.rulebook).outcome;
/// assert_eq!(outcome, Some(NamedOutcome { winner: Some("blue".into()), rule: None }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedOutcome {
    /// The side that won; none for a draw.
    pub winner: Option<String>,
    /// The rule that ended it; none when a side resigned.
    pub rule: Option<String>,
}

/// Something in a snapshot that makes no state by the rules given.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let field = Field::start();
/// let mut named = field.state.named(&field.rulebook);
/// named.phase = Some("winter quarters".into());
/// let bad = named.state(&field.rulebook).unwrap_err();
/// assert_eq!((bad.len(), bad[0].at.as_str()), (1, "phase"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {what}; {right}")]
pub struct BadSnapshot {
    /// Where: the way to it from the top of the record.
    pub at: String,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub right: String,
}

impl State {
    /// The state by names. It can be made a state again with [`NamedState::state`].
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// # let field = Field::start();
    /// let named = field.state.named(&field.rulebook);
    /// assert_eq!(named.bodies.keys().collect::<Vec<_>>(), ["Dummy", "Guns", "Horse"]);
    /// assert_eq!(named.state(&field.rulebook), Ok(field.state));
    /// ```
    pub fn named(&self, rulebook: &Rulebook) -> NamedState {
        write::Writer::new(rulebook, self).state()
    }

    /// Whether the snapshot of this state makes this state again: it does for every state that can come about,
    /// and tests of rulebooks say so after every step.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// # let field = Field::start();
    /// assert_eq!(field.state.round_trip(&field.rulebook), Ok(()));
    /// ```
    ///
    /// # Errors
    /// What is wrong with the snapshot.
    pub fn round_trip(&self, rulebook: &Rulebook) -> Result<(), Vec<BadSnapshot>> {
        let named = self.named(rulebook);
        let again = named.state(rulebook)?;
        if again == *self {
            return Ok(());
        }
        let what = "a snapshot of the state makes another state".to_owned();
        let right = match again.named(rulebook) == named {
            true => "their snapshots are equal: it leaves something out".to_owned(),
            false => "their snapshots differ: it is read wrongly".to_owned(),
        };
        Err(vec![BadSnapshot { at: String::new(), what, right }])
    }
}

impl NamedState {
    /// The state that this is by a rulebook: the one that it was made by, or one that still knows all the names.
    ///
    /// # Errors
    /// All that is wrong, each with its place and what would be right.
    pub fn state(&self, rulebook: &Rulebook) -> Result<State, Vec<BadSnapshot>> {
        read::Reader::new(rulebook, self).state()
    }
}

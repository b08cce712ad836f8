//! The state of a game: plain data, cheap to clone (invariant 2).
//!
//! A [`State`] holds no closure, no pointer into a pack, no log, no undo and no cache; it means something only
//! together with the [`Rulebook`] that made it. Only the operations of [`Cx`](crate::Cx)
//! change it (invariant 1): all its fields are private to the kernel.

mod columns;
pub mod named;
mod read;
mod tree;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use smallvec::SmallVec;

use crate::chance::Key;
use crate::flow::Frame;
use crate::handles::HandleCipher;
use crate::ids::*;
use crate::knowledge::Knowledge;
use crate::rulebook::{RECORD_FIELDS, Rulebook};
use crate::view::Ciphers;

pub use named::{BadSnapshot, NamedState};
pub use read::{Bodies, Read};
pub use tree::{Position, Spot};

pub(crate) use columns::SparseCells;
pub(crate) use tree::{NONE, Node, Tree};

/// What stands somewhere, but for its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Body {
    pub(crate) ident: PieceId,
    /// Face up: its values are shown to all.
    pub(crate) up: bool,
    /// Its private values were shown with it and stay shown until it is turned down.
    pub(crate) bared: bool,
    pub(crate) facing: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Stack {
    pub(crate) side: SideId,
    pub(crate) used: bool,
}

/// One entry of a relation.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Read;
/// use adjutant_kernel::state::Record;
/// let field = Field::where_first(|ids, cx| cx.record(ids.raid, &[i32::from(ids.ford.0)]));
/// let entry: &Record = Read::new(&field.rulebook, &field.state).records(field.ids.raid).next().unwrap();
/// assert_eq!(entry.fields, [i32::from(field.ids.ford.0), 0, 0, 0]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The relation.
    pub relation: RecordId,
    /// Field values in the order of their declaration; the rest is 0.
    pub fields: [i32; RECORD_FIELDS],
}

/// Bodies that may not stay where they stand: whoever brought it about takes them on, in the same phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Owed {
    pub(crate) bodies: SmallVec<[BodyId; 4]>,
    pub(crate) place: PlaceId,
    /// The rule by which they may not stay.
    pub(crate) rule: RuleId,
}

/// How a game ended.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::state::Outcome;
/// let field = Field::where_first(|ids, cx| cx.end_game(Some(ids.red), ids.rule));
/// # let _ = &field.events;
/// let outcome = Outcome { winner: Some(field.ids.red), rule: Some(field.ids.rule) };
/// assert_eq!(field.state.outcome(), Some(&outcome));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The side that won; `None` for a draw.
    pub winner: Option<SideId>,
    /// The rule that ended it; none when a side resigned.
    pub rule: Option<RuleId>,
}

/// A whole position, hidden facts included. It is the host's: what a seat gets is a
/// [`View`](crate::view::View).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::State;
/// # let Field { rulebook, mut state, ids, .. } = Field::start();
/// let before: State = state.clone(); // a bot does it at every node
/// assert!(state.outcome().is_none() && state.round_trip(&rulebook).is_ok());
/// state.resign(Some(ids.blue)); // red gives up
/// assert_eq!(state.outcome().and_then(|outcome| outcome.winner), Some(ids.blue));
/// assert_ne!(state.digest(), before.digest());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The source of draws.
    pub(crate) key: Key,
    /// The source of handles.
    pub(crate) handles: Key,
    pub(crate) options: u64,
    pub(crate) tree: Tree,
    pub(crate) bodies: Vec<Body>,
    pub(crate) stacks: Vec<Stack>,
    pub(crate) cells: Vec<i32>,
    pub(crate) sparse: SparseCells,
    pub(crate) records: Vec<Record>,
    pub(crate) knowledge: Knowledge,
    /// Draws made so far, by stream: the public one first, then one a side.
    pub(crate) draws: SmallVec<[u32; 4]>,
    pub(crate) forced: Vec<(TableId, i32)>,
    /// Rules whose attachments the umpire has switched off for this game.
    pub(crate) skipped: SmallVec<[RuleId; 2]>,
    /// What the placement check demanded and has not been done yet.
    pub(crate) owed: Vec<Owed>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) phase: Option<WordId>,
    pub(crate) outcome: Option<Outcome>,
}

/// A fingerprint of a state: SHA-256 of its canonical bytes, equal on every machine, build and thread count.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Digest;
/// # let Field { state, .. } = Field::start();
/// let digest: Digest = state.digest();
/// assert_eq!(digest, state.clone().digest());
/// assert_eq!(digest.to_string().len(), 64); // in hexadecimal
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// In what two states differ; see [`State::differs`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::chance::Key;
/// use adjutant_kernel::state::Differs;
/// # let Field { state, .. } = Field::start();
/// let mut other = state.clone();
/// other.rekey(Key::from_seed(99));
/// assert_eq!(state.differs(&other), Differs { key: true, identities: false, places: false, values: false });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Differs {
    /// The secret of the draws.
    pub key: bool,
    /// Which piece some body is.
    pub identities: bool,
    /// What stands where.
    pub places: bool,
    /// Values of columns.
    pub values: bool,
}

impl State {
    /// The fingerprint of the whole state, key and hidden facts included.
    pub fn digest(&self) -> Digest {
        // Serialising plain numbers to memory has no failing case.
        let bytes = postcard::to_allocvec(self).unwrap_or_default();
        Digest(Sha256::digest(&bytes).into())
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The phase that the sequence of play is in, if any.
    pub fn phase(&self) -> Option<WordId> {
        self.phase
    }

    /// Takes a new secret key, so that no later draw can be told from this state's own.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::chance::Key;
    /// # let mut field = Field::start();
    /// let before = field.state.clone();
    /// field.state.rekey(Key::from_seed(7)); // other dice from here on
    /// assert!(field.state.differs(&before).key && !field.state.differs(&before).places);
    /// ```
    pub fn rekey(&mut self, key: Key) {
        self.key = key;
    }

    /// The handle ciphers of this state, out of a cache.
    pub fn ciphers<'a>(&self, rb: &Rulebook, cache: &'a mut Ciphers) -> &'a [HandleCipher] {
        cache.get(rb, &self.handles)
    }

    /// Fixes the next draw for a table (an umpire's doing): it will show `value`, or the nearest number that
    /// can come up. Several are used up in their order.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// # let mut field = Field::start();
    /// field.state.force(field.ids.die, 40); // a die of six sides will show its 6
    /// # let again = field.state.clone();
    /// assert_ne!(field.state, Field::start().state);
    /// ```
    pub fn force(&mut self, table: TableId, value: i32) {
        self.forced.push((table, value));
    }

    /// Switches off whatever is attached for a rule, for the rest of the game (an umpire's doing, when it fails).
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::{Read, Sight, Truth};
    /// # let mut field = Field::start();
    /// field.state.skip(field.ids.rule);
    /// let truth = Truth(Read::new(&field.rulebook, &field.state));
    /// assert!(truth.skips(field.ids.rule) && !truth.rule_on(field.ids.rule));
    /// ```
    pub fn skip(&mut self, rule: RuleId) {
        if !self.skipped.contains(&rule) {
            self.skipped.push(rule);
        }
    }

    /// Ends the game because a side resigned (an umpire's doing).
    pub fn resign(&mut self, winner: Option<SideId>) {
        if self.outcome.is_none() {
            self.outcome = Some(Outcome { winner, rule: None });
            self.frames.clear();
        }
    }

    /// Writes a cell, whether or not anybody may: for sampled worlds.
    pub(crate) fn put_cell(&mut self, rb: &Rulebook, column: ColumnId, holder: u16, side: u8, value: i32) {
        let def = rb.column(column);
        if def.sparse() {
            self.sparse.set(column, holder, side, (value != def.start).then_some(value));
        } else {
            let at = rb.cell_index(def, holder, side);
            self.cells[at] = value;
        }
    }

    /// In what two states of one rulebook differ: for tests of sampled worlds.
    pub fn differs(&self, other: &Self) -> Differs {
        Differs {
            key: self.key != other.key,
            identities: self.bodies.iter().zip(&other.bodies).any(|(a, b)| a.ident != b.ident),
            places: self.tree != other.tree,
            values: self.cells != other.cells || self.sparse != other.sparse,
        }
    }

    /// Keeps the numbers of handles drawn by another state (a deliberate fault).
    #[cfg(feature = "mutants")]
    pub fn keep_handles_of(&mut self, other: &Self) {
        self.knowledge.drawn = other.knowledge.drawn.clone();
    }

    /// Approximate size in bytes of the state with all that it owns.
    pub fn size(&self) -> usize {
        postcard::to_allocvec(self).map_or(0, |bytes| bytes.len())
    }
}

//! Declared columns and records: all that a title remembers.

use std::marker::PhantomData;

use super::Rulebook;
use crate::ids::*;
use crate::knowledge::Sampling;

/// What a column hangs on.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::Holder;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let holders = [ids.turn.id, ids.weary.id].map(|column| rulebook.column(column).holder);
/// assert_eq!(holders, [Holder::Game, Holder::Body]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// One value for the game.
    Game,
    /// One a side.
    Side,
    /// One a seat.
    Seat,
    /// One a piece; it goes with the identity, whatever body it is.
    Piece,
    /// One a body; it stays with the body (and its handle), whatever piece it is.
    Body,
    /// One a space; stored sparsely.
    Space,
    /// One a border; stored sparsely.
    Border,
    /// One a link; stored sparsely.
    Link,
    /// One a declared choice (a formation, a position).
    Choice,
}

/// Who may see the values of a column.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{ColumnClass, ValueKind};
/// use adjutant_kernel::{Read, Seen, SideId, Sight, Viewer};
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let gold = builder.column::<SideId>("gold", ValueKind::Int { min: 0, max: 9 }, 5, ColumnClass::Owner);
/// # let rulebook = builder.build().unwrap();
/// # let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// let blue = Seen::new(Read::new(&rulebook, &state), Viewer::Side(ids.blue));
/// assert_eq!((blue.get(gold, ids.blue), blue.get(gold, ids.red)), (Some(5), None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnClass {
    /// Everybody.
    Public,
    /// The side of the holder: the owner of the piece or body, the side itself, the side of the seat.
    Owner,
    /// One named side.
    Side(SideId),
    /// Nobody but the umpire.
    Hidden,
}

/// What a value means.
///
/// ```
/// use adjutant_kernel::WordId;
/// use adjutant_kernel::rulebook::ValueKind;
/// let (sides, spaces) = (2, 40);
/// let weather = ValueKind::Choice(vec![WordId(3), WordId(4), WordId(5)]);
/// assert_eq!(weather.bounds(sides, spaces), (0, 2));
/// assert_eq!(ValueKind::Side.bounds(sides, spaces), (-1, 1)); // or none
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// An integer within bounds, both included.
    Int {
        /// Least value.
        min: i32,
        /// Greatest value.
        max: i32,
    },
    /// 0 or 1.
    Flag,
    /// An index into these words.
    Choice(Vec<WordId>),
    /// A side by number, or -1 for none.
    Side,
    /// A space by number, or -1 for none.
    Space,
}

impl ValueKind {
    /// The bounds of the values, both included.
    pub fn bounds(&self, sides: usize, spaces: usize) -> (i32, i32) {
        match self {
            Self::Int { min, max } => (*min, *max),
            Self::Flag => (0, 1),
            Self::Choice(words) => (0, words.len() as i32 - 1),
            Self::Side => (-1, sides as i32 - 1),
            Self::Space => (-1, spaces as i32 - 1),
        }
    }
}

/// Draws a plausible value of a private cell for a viewer who may not see it.
///
/// ```
/// use adjutant_kernel::rulebook::Sampler;
/// let one_or_two: Sampler = std::sync::Arc::new(|cell| cell.between(1, 2));
/// ```
pub type Sampler = std::sync::Arc<dyn Fn(&Sampling<'_>) -> i32 + Send + Sync>;

/// A declared column.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let turn = rulebook.column(ids.turn.id);
/// assert_eq!((turn.name.as_str(), turn.start, turn.by_side), ("turn", 1, false));
/// assert!(!turn.sparse() && turn.choices().is_empty());
/// ```
#[derive(Clone)]
pub struct ColumnDef {
    /// Its name in saves and views.
    pub name: String,
    /// What it hangs on.
    pub holder: Holder,
    /// Whether each holder has one value a side.
    pub by_side: bool,
    /// Type and bounds of its values.
    pub kind: ValueKind,
    /// The value at the start and after a reset.
    pub start: i32,
    /// Who may see it.
    pub class: ColumnClass,
    /// The moments that set every cell back to `start`.
    pub resets: Vec<MomentId>,
    /// How a viewer who may not see a cell imagines it; uniform within the bounds when absent.
    pub sampler: Option<Sampler>,
    /// Index of the first cell in the dense arena; unused when sparse.
    pub(crate) offset: u32,
    /// Number of holders.
    pub(crate) holders: u16,
    pub(crate) choices: Vec<WordId>,
    pub(crate) watched: bool,
    pub(crate) min: i32,
    pub(crate) max: i32,
}

impl ColumnDef {
    /// The choices that have a value each, for a column of choices.
    pub fn choices(&self) -> &[WordId] {
        &self.choices
    }

    /// The least and the greatest value that a cell may have.
    pub fn bounds(&self) -> (i32, i32) {
        (self.min, self.max)
    }

    /// Whether the column is stored sparsely (columns of spaces, borders and links).
    pub fn sparse(&self) -> bool {
        matches!(self.holder, Holder::Space | Holder::Border | Holder::Link)
    }

    /// How many holders the column has in a rulebook.
    pub(crate) fn count_holders(&self, rb: &Rulebook) -> usize {
        match self.holder {
            Holder::Game => 1,
            Holder::Side => rb.sides.len(),
            Holder::Seat => rb.seats.len(),
            Holder::Piece | Holder::Body => rb.pieces.len(),
            Holder::Space => rb.board.space_count(),
            Holder::Border => rb.board.border_count(),
            Holder::Link => rb.board.link_count(),
            Holder::Choice => self.choices.len(),
        }
    }
}

impl std::fmt::Debug for ColumnDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {} of {:?}", self.name, self.holder)
    }
}

/// A column whose holder is of type `K`: `Column<BodyId>`, `Column<(SpaceId, SideId)>`, `Column<()>`.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::Column;
/// use adjutant_kernel::{BodyId, SideId};
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let weary: Column<BodyId> = rulebook.typed(ids.weary.id).unwrap();
/// assert_eq!(weary.id, ids.weary.id);
/// assert!(rulebook.typed::<SideId>(ids.weary.id).is_none()); // it hangs on bodies, not on sides
/// ```
pub struct Column<K> {
    /// The column itself.
    pub id: ColumnId,
    holder: PhantomData<fn(K)>,
}

impl<K> Column<K> {
    pub(crate) fn new(id: ColumnId) -> Self {
        Self { id, holder: PhantomData }
    }
}

impl super::Rulebook {
    /// The column with a number, if its holder is of type `K`.
    pub fn typed<K: CellKey>(&self, column: ColumnId) -> Option<Column<K>> {
        let def = self.columns.get(column.index())?;
        (def.holder == K::HOLDER && def.by_side == K::BY_SIDE).then(|| Column::new(column))
    }
}

impl<K> Clone for Column<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Column<K> {}

impl<K> std::fmt::Debug for Column<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.id)
    }
}

/// What names one cell of a column.
///
/// ```
/// use adjutant_kernel::rulebook::{CellKey, Holder};
/// use adjutant_kernel::{SideId, SpaceId};
/// assert_eq!((SpaceId(7), SideId(1)).cell(), (7, 1)); // a column of spaces with one value a side
/// assert_eq!((<(SpaceId, SideId)>::HOLDER, <(SpaceId, SideId)>::BY_SIDE), (Holder::Space, true));
/// ```
pub trait CellKey: Copy {
    /// The kind of holder that the key names.
    const HOLDER: Holder;
    /// Whether the key also names a side.
    const BY_SIDE: bool = false;
    /// Index of the holder, and the side or 0.
    fn cell(self) -> (u16, u8);
}

macro_rules! cell_keys {
    ($($ty:ty => $holder:ident, |$key:ident| $index:expr;)*) => {$(
        impl CellKey for $ty {
            const HOLDER: Holder = Holder::$holder;
            #[inline]
            fn cell(self) -> (u16, u8) {
                let $key = self;
                ($index, 0)
            }
        }
        impl CellKey for ($ty, SideId) {
            const HOLDER: Holder = Holder::$holder;
            const BY_SIDE: bool = true;
            #[inline]
            fn cell(self) -> (u16, u8) {
                let $key = self.0;
                ($index, self.1.0)
            }
        }
    )*};
}

/// The n-th of a column's declared choices.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{ChoiceIndex, ColumnClass, ValueKind};
/// # use adjutant_kernel::{Read, Worker, chance::Key, flow::{self, Sink}};
/// # let (mut builder, _) = Field::builder(|_, _| Ok(()));
/// let wings = ["left", "right"].map(|wing| builder.word(wing));
/// let broken = builder.column::<ChoiceIndex>("broken", ValueKind::Flag, 0, ColumnClass::Public);
/// builder.choices(broken, &wings);
/// # let rulebook = builder.build().unwrap();
/// # let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// assert!(!Read::new(&rulebook, &state).flag(broken, ChoiceIndex(1))); // the right wing stands
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChoiceIndex(pub u8);

cell_keys! {
    () => Game, |_k| 0;
    SideId => Side, |k| u16::from(k.0);
    SeatId => Seat, |k| u16::from(k.0);
    PieceId => Piece, |k| k.0;
    BodyId => Body, |k| k.0;
    SpaceId => Space, |k| k.0;
    BorderId => Border, |k| k.0;
    LinkId => Link, |k| k.0;
    ChoiceIndex => Choice, |k| u16::from(k.0);
}

/// Type of a field of a record.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{ColumnClass, FieldKind};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let fields = [("by", FieldKind::Piece), ("at", FieldKind::Space), ("turn", FieldKind::Int)];
/// let ambush = builder.relation("ambush", &fields, 3, ColumnClass::Side(ids.red));
/// # let rulebook = builder.build().unwrap();
/// assert_eq!(rulebook.records()[ambush.index()].fields[1].1, FieldKind::Space);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A number.
    Int,
    /// A space.
    Space,
    /// A side.
    Side,
    /// A body.
    Body,
    /// A piece.
    Piece,
    /// A word.
    Word,
}

/// A declared relation: up to [`RECORD_FIELDS`] typed fields and a greatest number of entries.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let field =
/// Field::where_first(|ids, cx| {
///     cx.record(ids.raid, &[i32::from(ids.ford.0)])?;
///     assert_eq!(cx.read().records(ids.raid).count(), 1);
///     assert_eq!(cx.unrecord(ids.raid, |raid| raid.fields[0] == i32::from(ids.ford.0))?, 1);
///     Ok(())
/// });
/// # let (rulebook, ids) = (&field.rulebook, field.ids);
/// let raid = &rulebook.records()[ids.raid.index()];
/// assert_eq!((raid.name.as_str(), raid.max, raid.fields.len()), ("raid", 2, 1));
/// ```
#[derive(Clone)]
pub struct RecordDef {
    /// Its name in saves and views.
    pub name: String,
    /// The fields with their types.
    pub fields: Vec<(String, FieldKind)>,
    /// The greatest number of entries; one more is a fault.
    pub max: u16,
    /// Who may see the entries.
    pub class: ColumnClass,
    /// What a viewer who may not see the entries imagines in their place; without, none.
    pub sampler: Option<RecordSampler>,
}

impl std::fmt::Debug for RecordDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, fields, max, class, sampler: _ } = self;
        let fields: &dyn std::fmt::Debug = fields;
        f.debug_struct("RecordDef")
            .field("name", name)
            .field("fields", fields)
            .field("max", max)
            .field("class", class)
            .finish_non_exhaustive()
    }
}

/// Imagines the entries of a relation in a world that is being sampled, from what is in it and a source of uniformly
/// random words; entries beyond the greatest number are dropped.
///
/// ```
/// use adjutant_kernel::rulebook::RecordSampler;
/// let one_at_the_first_space: RecordSampler = std::sync::Arc::new(|_, _| vec![[0; 4]]);
/// ```
pub type RecordSampler = std::sync::Arc<
    dyn Fn(crate::state::Read<'_>, &mut dyn FnMut() -> u64) -> Vec<[i32; RECORD_FIELDS]> + Send + Sync,
>;

/// The greatest number of fields of a record.
pub const RECORD_FIELDS: usize = 4;

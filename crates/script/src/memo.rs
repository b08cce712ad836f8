//! What functions of points answered before.
//!
//! A function of a point is pure: what it answers hangs on its arguments and on what it reads of the position. So what it
//! read is noted, each with the answer. When it is asked with the same arguments again, and all that it read would be
//! answered the same, in whatever position and by whatever eyes, then it would answer the same, and is not run. Nothing has
//! to be forgotten when a position changes: what was noted is compared each time. A function that looks at the position in
//! any other way than those of [`Look`] is run each time.

use std::cell::{Cell, RefCell};
use std::hash::Hasher as _;

use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{AttributeId, BodyId, ColumnId, OptionId, PieceSetId, Sight as _, Tri};
use smallvec::SmallVec;

use crate::names::{Names, Spread};
use crate::raw::Small;
use crate::shared::{SIGHT, Shared, look};

/// Something that a script reads of a position and that is quick to read again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Look {
    /// A cell of a column: of a holder, for a side.
    Cell(ColumnId, u16, u8),
    /// The same of the piece that a unit is.
    PieceCell(ColumnId, BodyId),
    /// The number of an attribute of the piece that a unit is.
    Attribute(AttributeId, BodyId),
    /// What the API knows of a thing.
    Property(fn(&Shared, &Lent<'_>, u16) -> mlua::Result<Small>, u16),
    /// Whether a unit is of a set.
    Is(BodyId, PieceSetId),
    Option(OptionId),
    Phase,
    Phasing,
}

impl Look {
    #[inline]
    fn read(self, shared: &Shared, names: &Names, sight: &Lent<'_>) -> mlua::Result<Small> {
        let cell = |column, holder, side| {
            names.cell(column).map_or(Small::Nil, |cell| cell.read(names, sight, holder, side))
        };
        Ok(match self {
            Self::Cell(column, holder, side) => cell(column, holder, side),
            Self::PieceCell(column, body) => {
                sight.piece(body).map_or(Small::Nil, |piece| cell(column, piece.0, 0))
            }
            Self::Attribute(attribute, body) => Small::from(sight.attribute(body, attribute)),
            Self::Property(function, id) => function(shared, sight, id)?,
            Self::Is(body, set) => match sight.is(body, set) {
                Tri::Yes => Small::Flag(true),
                Tri::No => Small::Flag(false),
                Tri::Unknown => Small::Nil,
            },
            Self::Option(option) => Small::Flag(sight.option(option)),
            Self::Phase => sight.phase().map_or(Small::Nil, |phase| names.word(phase)),
            Self::Phasing => sight.phasing().map_or(Small::Nil, |side| names.side(side)),
        })
    }
}

/// As much as is noted of one call.
const MOST: usize = 12;

type Looks = SmallVec<[(Look, Small); 2]>;

thread_local! {
    /// Whether what is read is noted for the function that runs.
    static NOTING: Cell<bool> = const { Cell::new(false) };
    static NOTED: RefCell<Vec<(Look, Small)>> = const { RefCell::new(Vec::new()) };
}

/// Says that the function that runs looks at something that is not noted.
#[inline]
pub(crate) fn spoil() {
    NOTING.set(false);
}

/// Reads what is lent, and notes it.
#[inline]
pub(crate) fn read(shared: &Shared, what: Look) -> mlua::Result<Small> {
    let names = shared.names()?;
    if !NOTING.get() {
        return look(|sight| what.read(shared, names, &sight))?;
    }
    let small = SIGHT.with(|sight| what.read(shared, names, &sight))?;
    NOTED.with_borrow_mut(|noted| if noted.len() < MOST { noted.push((what, small)) } else { spoil() });
    Ok(small)
}

/// What one call came to.
struct Entry {
    script: u32,
    args: SmallVec<[PointArg; 6]>,
    looks: Looks,
    answer: Option<i32>,
    fuel: i64,
}

/// As many arguments as are kept.
const ARGS: usize = 12;

/// A place for each of so many calls; one that wants the place of another takes it.
const PLACES: usize = 1 << 13;

/// What functions of points answered before; one a host.
pub(crate) struct Memo {
    entries: RefCell<Box<[Option<Box<Entry>>]>>,
    recalled: Cell<u64>,
}

impl Default for Memo {
    fn default() -> Self {
        Self { entries: RefCell::new((0..PLACES).map(|_| None).collect()), recalled: Cell::new(0) }
    }
}

/// A call whose answer may be kept.
pub(crate) struct Key<'a> {
    script: u32,
    args: &'a [PointArg],
    place: usize,
}

impl<'a> Key<'a> {
    /// A call by the arguments that its function looks at; `None` if they are too many.
    #[inline]
    pub(crate) fn new(script: u32, args: &'a [PointArg]) -> Option<Self> {
        if args.len() > ARGS {
            return None;
        }
        let mut spread = Spread::default();
        spread.write_usize(script as usize);
        for arg in args {
            spread.write_usize(match *arg {
                PointArg::Body(body) => usize::from(body.0),
                PointArg::Side(side) => 1 << 16 | usize::from(side.0),
                PointArg::Space(space) => 2 << 16 | usize::from(space.0),
                PointArg::Link(link) => 3 << 16 | usize::from(link.0),
                PointArg::Word(word) => 4 << 16 | usize::from(word.0),
                PointArg::Number(number) => 1 << 32 | number as u32 as usize,
            });
        }
        let hash = spread.finish();
        Some(Self { script, args, place: ((hash ^ hash >> 32) as usize) & (PLACES - 1) })
    }
}

impl Memo {
    /// What the function would answer, and the fuel that it would use, if it was asked before and would read the same.
    pub(crate) fn recall(
        &self,
        key: &Key<'_>,
        shared: &Shared,
        sight: &Lent<'_>,
    ) -> Option<(Option<i32>, i64)> {
        let entries = self.entries.borrow();
        let entry = entries[key.place].as_deref()?;
        if entry.script != key.script || entry.args[..] != *key.args {
            return None;
        }
        let names = shared.names().ok()?;
        let same = |(what, was): &(Look, Small)| what.read(shared, names, sight).is_ok_and(|now| now == *was);
        entry.looks.iter().all(same).then_some((entry.answer, entry.fuel))
    }

    /// An answer that was recalled is given.
    pub(crate) fn count(&self) {
        self.recalled.set(self.recalled.get() + 1);
    }

    /// How many answers that were recalled have been given.
    pub(crate) fn recalled(&self) -> u64 {
        self.recalled.get()
    }

    /// Runs a function, noting what it reads, and keeps what it answers. `run` gives the answer and the fuel used.
    pub(crate) fn keep<E>(
        &self,
        key: &Key<'_>,
        run: impl FnOnce() -> Result<(Option<i32>, i64), E>,
    ) -> Result<Option<i32>, E> {
        let noting = Noting::begin();
        let (answer, fuel) = run()?;
        if let Some(looks) = noting.end() {
            let (script, args) = (key.script, SmallVec::from_slice(key.args));
            self.entries.borrow_mut()[key.place] =
                Some(Box::new(Entry { script, args, looks, answer, fuel }));
        }
        Ok(answer)
    }
}

/// What a function reads is noted. It came from a function of which nothing is noted any more: that one asked a point.
struct Noting;

impl Noting {
    fn begin() -> Self {
        NOTED.with_borrow_mut(Vec::clear);
        NOTING.set(true);
        Self
    }

    /// All that was read, if nothing else was.
    fn end(self) -> Option<Looks> {
        NOTING.get().then(|| NOTED.with_borrow(|noted| SmallVec::from_slice(noted)))
    }
}

impl Drop for Noting {
    fn drop(&mut self) {
        spoil();
    }
}

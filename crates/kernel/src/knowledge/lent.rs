//! The sight that a script is lent for one call.

use smallvec::SmallVec;

use super::sight::sealed;
use super::{Seen, Sight};
use crate::contributions::Contributions;
use crate::ids::*;
use crate::points::{self, PointArg};
use crate::rulebook::{ColumnClass, Holder, Placement};
use crate::state::{Read, Record, Spot};
use crate::worker::Host;

/// How a position looks to a script: as the truth or as a viewer's eyes, for the time of one call.
///
/// It answers by number and by name what [`Sight`] answers by type, and like it never shows what who looks may
/// not know.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{PlaceId, Sight};
/// let field = Field::where_first(|ids, cx| {
///     let truth = cx.lent();
///     assert_eq!((truth.body_count(), truth.cell(ids.turn.id, 0, 0)), (3, Some(1)));
///     assert_eq!(truth.each_body_on_map(|space| space == ids.hill).count(), 2);
///     assert_eq!(truth.cells(ids.turn.id), None); // a column of the game, not of spaces
///     let red = truth.seen_by(ids.red).unwrap();
///     let top = red.each_body(ids.hill).next().unwrap();
///     assert_eq!((red.place(top), red.piece(top)), (Some(PlaceId(ids.hill.0)), None));
///     assert_eq!(truth.piece(top), Some(ids.horse));
///     Ok(())
/// });
/// # assert!(field.state.outcome().is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Lent<'a> {
    read: Read<'a>,
    viewer: Option<Viewer>,
    host: &'a Host,
}

impl sealed::Peek for Lent<'_> {
    fn peek(&self) -> Read<'_> {
        self.read
    }

    #[inline]
    fn open(&self) -> bool {
        self.viewer.is_none_or(|viewer| self.read.rb.fixed_levels.all_open(viewer))
    }
}

impl Sight for Lent<'_> {
    fn viewer(&self) -> Option<Viewer> {
        self.viewer
    }
}

impl<'a> Lent<'a> {
    pub(crate) fn new(read: Read<'a>, viewer: Option<Viewer>, host: &'a Host) -> Self {
        Self { read, viewer, host }
    }

    pub(crate) fn of(sight: &'a dyn Sight, host: &'a Host) -> Self {
        Self::new(sight.peek(), sight.viewer(), host)
    }

    /// The value of a cell by numbers, when who looks may see it; `None` too when there is no such cell.
    #[inline]
    pub fn cell(&self, column: ColumnId, holder: u16, side: u8) -> Option<i32> {
        let def = self.read.rb.column(column);
        let there = holder < def.holders
            && (side == 0 || def.by_side && usize::from(side) < self.read.rb.sides.len());
        let seen = def.class == ColumnClass::Public || self.may_see(column, holder, side);
        (there && seen).then(|| self.read.cell(column, holder, side))
    }

    /// The cells of a column of spaces with one value each, in order of the spaces, when who looks may see them all;
    /// `None` else. It is for who goes through all: each by itself is looked up by [`cell`](Self::cell).
    pub fn cells(&self, column: ColumnId) -> Option<Vec<i32>> {
        let def = self.read.rb.column(column);
        let seen = match (def.class, self.viewer) {
            (ColumnClass::Public, _) | (_, None) => true,
            (ColumnClass::Side(side), Some(viewer)) => viewer == Viewer::Side(side),
            (ColumnClass::Hidden | ColumnClass::Owner, Some(_)) => false,
        };
        if !seen || def.by_side || def.holder != Holder::Space {
            return None;
        }
        let mut cells = vec![def.start; usize::from(def.holders)];
        for (holder, _, value) in self.read.st.sparse.of(column) {
            cells[usize::from(holder)] = value;
        }
        Some(cells)
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.read.st.bodies.len()
    }

    /// The place that a body stands in, if who looks may know.
    pub fn place(&self, body: BodyId) -> Option<PlaceId> {
        self.read.place(body).filter(|_| self.notices(body))
    }

    /// The stack that a body is in, if who looks may know.
    pub fn stack(&self, body: BodyId) -> Option<StackId> {
        self.read.stack(body).filter(|_| self.notices(body))
    }

    /// The body under whose command a body is, if who looks may know.
    pub fn command(&self, body: BodyId) -> Option<BodyId> {
        match self.read.spot(body).filter(|_| self.notices(body))? {
            Spot::Body(leader) => Some(leader),
            Spot::Place(_) | Spot::Stack(_) => None,
        }
    }

    /// Which way a body faces.
    pub fn facing(&self, body: BodyId) -> u8 {
        self.read.facing(body)
    }

    /// The stacks in a place, oldest first, that who looks may know of.
    pub fn stacks(&self, place: PlaceId) -> impl Iterator<Item = StackId> + '_ {
        self.read.stacks(place).filter(|&s| self.read.loose(s).next().is_some_and(|b| self.notices(b)))
    }

    /// Whether a stack is in play.
    pub fn stack_exists(&self, stack: StackId) -> bool {
        self.read.stack_exists(stack)
    }

    /// The place that a stack in play stands in.
    pub fn stack_place(&self, stack: StackId) -> Option<PlaceId> {
        if self.stack_exists(stack) { self.read.stack_place(stack) } else { None }
    }

    /// The side of a stack in play.
    pub fn stack_side(&self, stack: StackId) -> Option<SideId> {
        self.stack_exists(stack).then(|| self.read.stack_side(stack))
    }

    /// The bodies on or in a spot, in order, that who looks may know of.
    pub fn each_body(&self, spot: impl Into<Spot>) -> impl Iterator<Item = BodyId> + '_ {
        let open = sealed::Peek::open(self);
        self.read.bodies(spot).filter(move |&b| open || self.notices(b))
    }

    /// The bodies in those spaces that are wanted, in the order of the spaces, that who looks may know of.
    pub fn each_body_on_map(&self, wanted: impl Fn(SpaceId) -> bool) -> impl Iterator<Item = BodyId> {
        let spaces = (0..self.read.rb.board.space_count() as u16).map(SpaceId);
        // Most spaces are empty.
        let spaces = spaces.filter(move |&space| !self.read.is_bare(space) && wanted(space));
        spaces.flat_map(|space| self.each_body(space))
    }

    /// The entries of a relation that who looks may see, oldest first.
    pub fn records(&self, relation: RecordId) -> impl Iterator<Item = &'a Record> + use<'a> {
        let visible = self.viewer.is_none_or(|v| self.read.rb.record_class(relation).shows(v));
        self.read.records(relation).filter(move |_| visible)
    }

    /// The side whose turn the sequence of play is in.
    pub fn phasing(&self) -> Option<SideId> {
        self.read.phasing()
    }

    /// The rule by which a permission point forbids something, as far as who looks may know. A script that
    /// fails is noted with the host and forbids nothing.
    pub fn forbidden(&self, point: PointId, args: &[PointArg]) -> Option<RuleId> {
        let attachments = self.read.rb.attachments.get(point.index())?;
        points::forbids(attachments, self, args, &mut |script, sight, args| {
            self.host.call(script, sight, args)
        })
    }

    /// The total of a point, as far as who looks may know.
    pub fn total(&self, point: PointId, args: &[PointArg]) -> i32 {
        let Some(def) = self.read.rb.points.get(point.index()) else { return 0 };
        self.contributions(point, args).total(def.combine)
    }

    /// The contributions to a point, as far as who looks may know.
    pub fn contributions(&self, point: PointId, args: &[PointArg]) -> Contributions {
        let Some(def) = self.read.rb.points.get(point.index()) else { return Contributions::new(0) };
        points::gather(
            &self.read.rb.attachments[point.index()],
            def.start,
            self,
            args,
            &mut |script, sight, args| self.host.call(script, sight, args),
        )
    }

    /// The placement check, as far as who looks may know; the truth asks as `side`.
    pub fn placement(
        &self,
        side: Option<SideId>,
        cause: WordId,
        bodies: &[BodyId],
        to: PlaceId,
    ) -> Placement {
        let viewer = self.viewer.unwrap_or(side.map_or(Viewer::Public, Viewer::Side));
        Seen::new(self.read, viewer).with_host(self.host).placement(cause, bodies, to)
    }

    /// The same position as everybody knows it.
    pub fn common(&self) -> Lent<'a> {
        Self { viewer: Some(self.viewer.map_or(Viewer::Public, |_| Viewer::Public)), ..*self }
    }

    /// The same position as a side knows it; `None` when who looks is somebody else.
    pub fn seen_by(&self, side: SideId) -> Option<Lent<'a>> {
        let viewer = Viewer::Side(side);
        self.viewer.is_none_or(|v| v == viewer).then_some(Self { viewer: Some(viewer), ..*self })
    }
}

impl<'a> Lent<'a> {
    /// All bodies of a list that are of a side.
    pub fn of_side(&self, side: SideId, spot: impl Into<Spot>) -> SmallVec<[BodyId; 8]> {
        self.each_body(spot).filter(|&b| self.side(b) == Some(side)).collect()
    }
}

impl std::fmt::Debug for Lent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lent({:?})", self.viewer)
    }
}

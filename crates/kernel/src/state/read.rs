//! Reading a state through its rulebook.

use crate::ids::*;
use crate::rulebook::{CellKey, Column, Holder, PieceDef, Rulebook};
use crate::state::{Record, Spot, State};

/// A state and the rulebook that gives it meaning. It sees everything: rules that must not are written over
/// [`Sight`](crate::knowledge::Sight).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Read;
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let read = Read::new(&rulebook, &state);
/// let horse = read.body_of(ids.horse).unwrap();
/// assert_eq!((read.space(horse), read.side(horse)), (Some(ids.hill), Some(ids.blue)));
/// assert_eq!(read.attribute(horse, ids.strength), Some(3));
/// let stack = read.stack(horse).unwrap();
/// assert_eq!(read.stacks_of(ids.blue, ids.hill).next(), Some(stack));
/// assert_eq!((read.bodies(stack).count(), read.loose(ids.hill).count()), (2, 0)); // both are in the stack
/// assert!(!read.is_bare(ids.hill));
/// assert_eq!(read.get(ids.turn, ()), 1);
/// ```
#[derive(Clone, Copy)]
pub struct Read<'a> {
    pub(crate) rb: &'a Rulebook,
    pub(crate) st: &'a State,
}

impl<'a> Read<'a> {
    /// Reads `state` by `rulebook`, which must be the one that made it.
    pub fn new(rulebook: &'a Rulebook, state: &'a State) -> Self {
        Self { rb: rulebook, st: state }
    }

    /// The rulebook.
    #[inline]
    pub fn rulebook(&self) -> &'a Rulebook {
        self.rb
    }

    /// The state.
    #[inline]
    pub fn state(&self) -> &'a State {
        self.st
    }

    /// Whether an option is on.
    #[inline]
    pub fn option(&self, option: OptionId) -> bool {
        self.st.options >> option.0 & 1 == 1
    }

    /// The piece that a body is.
    #[inline]
    pub fn piece(&self, body: BodyId) -> PieceId {
        self.st.bodies[body.index()].ident
    }

    /// The definition of the piece that a body is.
    #[inline]
    pub fn piece_def(&self, body: BodyId) -> &'a PieceDef {
        self.rb.piece(self.piece(body))
    }

    /// The value of an attribute of the piece that a body is; `None` where the piece has none.
    #[inline]
    pub fn attribute(&self, body: BodyId, attribute: AttributeId) -> Option<i32> {
        self.piece_def(body).attributes.get(attribute.index()).copied().flatten()
    }

    /// The side that owns a body.
    #[inline]
    pub fn side(&self, body: BodyId) -> Option<SideId> {
        // That of the piece with its number: a body is exchanged within its deck alone, and a deck is of one side.
        self.rb.piece_sides[body.index()]
    }

    /// The body that a piece is.
    pub fn body_of(&self, piece: PieceId) -> Option<BodyId> {
        // Bodies stand with their own piece until worlds are exchanged, so this is nearly always the first try.
        if self.st.bodies.get(piece.index()).is_some_and(|b| b.ident == piece) {
            return Some(BodyId(piece.0));
        }
        self.st.bodies.iter().position(|b| b.ident == piece).map(|b| BodyId(b as u16))
    }

    /// Whether the piece that a body is belongs to a declared set.
    #[inline]
    pub fn is(&self, body: BodyId, set: PieceSetId) -> bool {
        self.rb.piece_set(set).has(self.piece(body))
    }

    /// Whether a body is face up.
    #[inline]
    pub fn face_up(&self, body: BodyId) -> bool {
        self.st.bodies[body.index()].up
    }

    /// Which way a body faces, in steps of its grid's directions.
    #[inline]
    pub fn facing(&self, body: BodyId) -> u8 {
        self.st.bodies[body.index()].facing
    }

    /// The place that a body stands in, through whatever stacks and commands; `None` before it is first put
    /// anywhere.
    #[inline]
    pub fn place(&self, body: BodyId) -> Option<PlaceId> {
        self.st.tree.place(self.st.tree.node(Spot::Body(body)))
    }

    /// The space that a body stands in, if its place is a space.
    #[inline]
    pub fn space(&self, body: BodyId) -> Option<SpaceId> {
        self.place(body).filter(|p| p.index() < self.rb.board.space_count()).map(|p| SpaceId(p.0))
    }

    /// What a body hangs on.
    #[inline]
    pub fn spot(&self, body: BodyId) -> Option<Spot> {
        let tree = &self.st.tree;
        tree.parent(tree.node(Spot::Body(body))).map(|n| tree.spot(n))
    }

    /// The stack that a body is in, if any.
    #[inline]
    pub fn stack(&self, body: BodyId) -> Option<StackId> {
        match self.spot(body)? {
            Spot::Stack(stack) => Some(stack),
            _ => None,
        }
    }

    /// The place that a stack stands in.
    #[inline]
    pub fn stack_place(&self, stack: StackId) -> Option<PlaceId> {
        self.st.tree.place(self.st.tree.node(Spot::Stack(stack)))
    }

    /// The space that a stack stands in; `None` when it stands in a box, on a link or a border, or is no more.
    #[inline]
    pub fn stack_space(&self, stack: StackId) -> Option<SpaceId> {
        self.stack_place(stack).filter(|p| p.index() < self.rb.board.space_count()).map(|p| SpaceId(p.0))
    }

    /// The side of a stack.
    #[inline]
    pub fn stack_side(&self, stack: StackId) -> SideId {
        self.st.stacks[stack.index()].side
    }

    /// Whether a stack is in play.
    #[inline]
    pub fn stack_exists(&self, stack: StackId) -> bool {
        self.st.stacks.get(stack.index()).is_some_and(|s| s.used)
    }

    /// The stacks in a place, oldest first.
    #[inline]
    pub fn stacks<S: Into<Spot>>(&self, place: S) -> impl Iterator<Item = StackId> + use<'a, S> {
        let tree = &self.st.tree;
        tree.children(tree.node(place.into())).filter_map(|n| match tree.spot(n) {
            Spot::Stack(stack) => Some(stack),
            _ => None,
        })
    }

    /// The stacks of a side in a place, oldest first.
    #[inline]
    pub fn stacks_of<S: Into<Spot>>(
        &self,
        side: SideId,
        place: S,
    ) -> impl Iterator<Item = StackId> + use<'a, S> {
        let read = *self;
        self.stacks(place).filter(move |&s| read.stack_side(s) == side)
    }

    /// The bodies directly on a spot (not those in stacks there), in order.
    #[inline]
    pub fn loose<S: Into<Spot>>(&self, spot: S) -> impl Iterator<Item = BodyId> + use<'a, S> {
        let tree = &self.st.tree;
        tree.children(tree.node(spot.into())).filter_map(|n| tree.body(n))
    }

    /// Whether nothing stands on a spot.
    #[inline]
    pub fn is_bare(&self, spot: impl Into<Spot>) -> bool {
        let tree = &self.st.tree;
        tree.first(tree.node(spot.into())).is_none()
    }

    /// All bodies on or in a spot - in its stacks and their commands too - in the order of the tree.
    #[inline]
    pub fn bodies(&self, spot: impl Into<Spot>) -> Bodies<'a> {
        let tree = &self.st.tree;
        let root = tree.node(spot.into());
        Bodies { read: *self, root, next: tree.first(root).unwrap_or(super::NONE) }
    }

    /// All bodies of a side on or in a spot, in the order of the tree.
    #[inline]
    pub fn bodies_of<S: Into<Spot>>(
        &self,
        side: SideId,
        spot: S,
    ) -> impl Iterator<Item = BodyId> + use<'a, S> {
        let read = *self;
        self.bodies(spot).filter(move |&b| read.side(b) == Some(side))
    }

    /// The value of a cell.
    #[inline]
    pub fn get<K: CellKey>(&self, column: Column<K>, key: K) -> i32 {
        let (holder, side) = key.cell();
        self.cell(column.id, holder, side)
    }

    /// Whether a flag is set.
    #[inline]
    pub fn flag<K: CellKey>(&self, column: Column<K>, key: K) -> bool {
        self.get(column, key) != 0
    }

    /// The value of a cell by numbers.
    #[inline]
    pub fn cell(&self, column: ColumnId, holder: u16, side: u8) -> i32 {
        let def = self.rb.column(column);
        if def.sparse() {
            self.st.sparse.get(column, holder, side).unwrap_or(def.start)
        } else {
            self.st.cells[self.rb.cell_index(def, holder, side)]
        }
    }

    /// The entries of a relation, oldest first.
    pub fn records(&self, relation: RecordId) -> impl Iterator<Item = &'a Record> + use<'a> {
        self.st.records.iter().filter(move |r| r.relation == relation)
    }

    /// The side that a column's holder belongs to, as far as that is public.
    pub(crate) fn holder_side(&self, holder: Holder, index: u16, side: u8, by_side: bool) -> Option<SideId> {
        match holder {
            Holder::Piece => self.rb.piece(PieceId(index)).side,
            Holder::Body => self.side(BodyId(index)),
            Holder::Side => Some(SideId(index as u8)),
            Holder::Seat => self.rb.seats()[usize::from(index)].side,
            _ if by_side => Some(SideId(side)),
            _ => None,
        }
    }
}

/// Bodies below a node, depth first; see [`Read::bodies`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Read;
/// use adjutant_kernel::state::Bodies;
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let read = Read::new(&rulebook, &state);
/// let bodies: Bodies<'_> = read.bodies(ids.hill);
/// assert_eq!(bodies.map(|body| read.piece(body)).collect::<Vec<_>>(), [ids.horse, ids.dummy]); // the top first
/// ```
#[derive(Clone)]
pub struct Bodies<'a> {
    read: Read<'a>,
    root: super::Node,
    next: super::Node,
}

impl Iterator for Bodies<'_> {
    type Item = BodyId;

    fn next(&mut self) -> Option<BodyId> {
        let tree = &self.read.st.tree;
        while self.next != super::NONE {
            let node = self.next;
            self.next = match tree.first(node) {
                Some(child) => child,
                None => self.after(node),
            };
            if let Some(body) = tree.body(node) {
                return Some(body);
            }
        }
        None
    }
}

impl Bodies<'_> {
    fn after(&self, mut node: super::Node) -> super::Node {
        let tree = &self.read.st.tree;
        loop {
            if let Some(next) = tree.next_sibling(node) {
                return next;
            }
            match tree.parent(node) {
                Some(parent) if parent != self.root => node = parent,
                _ => return super::NONE,
            }
        }
    }
}

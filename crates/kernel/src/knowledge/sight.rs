//! Sight: rules that must not peek are written once over it, for the truth and for what a viewer knows.

use smallvec::SmallVec;

use super::About;
use super::candidates::only;
use crate::ids::*;
use crate::rulebook::{AttributeClass, CellKey, Column, ColumnClass, Level, Rulebook};
use crate::state::{Node, Read, Spot};
use crate::worker::Host;

/// Yes, no, or not known.
///
/// ```
/// use adjutant_kernel::Tri;
/// let seen = [Tri::from(false), Tri::Unknown];
/// assert!(!seen.iter().any(|known| known.is_yes())); // nothing is known to be so
/// assert!(!seen.iter().all(|known| known.is_no())); // nor that nothing is
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tri {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// Who looks cannot tell.
    Unknown,
}

impl Tri {
    /// Whether it is known to be so.
    pub fn is_yes(self) -> bool {
        self == Self::Yes
    }

    /// Whether it is known not to be so.
    pub fn is_no(self) -> bool {
        self == Self::No
    }
}

impl From<bool> for Tri {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}

pub(super) mod sealed {
    use crate::state::Read;

    /// What only the kernel may do with a sight: look behind it.
    pub trait Peek {
        fn peek(&self) -> Read<'_>;

        /// Whether nothing stands anywhere that who looks may not know of, so that nobody need ask body by body.
        fn open(&self) -> bool {
            false
        }
    }
}

/// How a position looks to somebody: to the truth, or to a viewer (invariant 5).
///
/// Whatever a rule reads through this trait is either known to the one who looks or answered with unknown.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{BodyId, Read, Seen, Sight, Tri, Truth, Viewer};
/// # use field::Ids;
/// // Written once, for the truth and for what a side may know.
/// fn may_charge(sight: &impl Sight, ids: &Ids, body: BodyId) -> Tri {
///     match sight.attribute(body, ids.strength) {
///         Some(strength) => Tri::from(strength >= 3),
///         None => Tri::Unknown,
///     }
/// }
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let read = Read::new(&rulebook, &state);
/// let horse = read.body_of(ids.horse).unwrap();
/// assert_eq!(may_charge(&Truth(read), &ids, horse), Tri::Yes);
/// assert_eq!(may_charge(&Seen::new(read, Viewer::Side(ids.red)), &ids, horse), Tri::Unknown);
/// ```
pub trait Sight: sealed::Peek {
    /// The viewer; `None` for the truth.
    fn viewer(&self) -> Option<Viewer>;

    /// The rulebook.
    fn rulebook(&self) -> &Rulebook {
        self.peek().rb
    }

    /// Whether an option is on.
    fn option(&self, option: OptionId) -> bool {
        self.peek().option(option)
    }

    /// Whether the umpire has switched off a rule's attachments.
    fn skips(&self, rule: RuleId) -> bool {
        self.peek().st.skipped.contains(&rule)
    }

    /// Whether a rule is in force: neither the rulebook nor the umpire has switched it off.
    fn rule_on(&self, rule: RuleId) -> bool {
        self.rulebook().rule_on(rule) && !self.skips(rule)
    }

    /// The phase that the sequence of play is in.
    fn phase(&self) -> Option<WordId> {
        self.peek().st.phase
    }

    /// Whether who looks owns a body (the truth owns all).
    fn owns(&self, body: BodyId) -> bool {
        match self.viewer() {
            None => true,
            Some(viewer) => self.peek().side(body).is_some_and(|side| viewer == Viewer::Side(side)),
        }
    }

    /// Whether who looks may know that a body is where it is.
    #[inline]
    fn notices(&self, body: BodyId) -> bool {
        match self.viewer() {
            None => true,
            Some(viewer) => {
                self.open() || self.owns(body) || self.peek().body_level(viewer, body).0 != Level::Nothing
            }
        }
    }

    /// The side of a body; the backs of the pieces show it.
    fn side(&self, body: BodyId) -> Option<SideId> {
        self.peek().side(body)
    }

    /// The piece that a body is, when that is known.
    fn piece(&self, body: BodyId) -> Option<PieceId> {
        let read = self.peek();
        let Some(viewer) = self.viewer().filter(|_| !self.owns(body)) else { return Some(read.piece(body)) };
        match read.st.knowledge.set(read.rb, viewer, body) {
            None => Some(read.piece(body)),
            Some(set) => only(set).map(|position| {
                let slot = read.rb.slot(body);
                slot.map_or(PieceId(0), |slot| read.rb.deck(slot.deck).pieces[position])
            }),
        }
    }

    /// The pieces that a body may be.
    fn candidates(&self, body: BodyId) -> SmallVec<[PieceId; 8]> {
        let read = self.peek();
        if let Some(piece) = self.piece(body) {
            return SmallVec::from_slice(&[piece]);
        }
        let (Some(viewer), Some(slot)) = (self.viewer(), read.rb.slot(body)) else { return SmallVec::new() };
        let Some(set) = read.st.knowledge.set(read.rb, viewer, body) else { return SmallVec::new() };
        let deck = read.rb.deck(slot.deck);
        deck.pieces
            .iter()
            .enumerate()
            .filter(|&(n, _)| super::candidates::has(set, n))
            .map(|(_, &piece)| piece)
            .collect()
    }

    /// The value of an attribute of the piece that a body is: `None` where who looks may not know it, or the
    /// piece has none.
    fn attribute(&self, body: BodyId, attribute: AttributeId) -> Option<i32> {
        let read = self.peek();
        let known = match read.rb.attributes()[attribute.index()].class {
            AttributeClass::Public => true,
            AttributeClass::Owner => self.owns(body),
            AttributeClass::Side(side) => self.viewer().is_none_or(|v| v == Viewer::Side(side)),
            AttributeClass::OnReveal => self.piece(body).is_some(),
        };
        known.then(|| read.attribute(body, attribute)).flatten()
    }

    /// Whether a body is of a declared set of pieces.
    fn is(&self, body: BodyId, set: PieceSetId) -> Tri {
        let read = self.peek();
        let Some(viewer) = self.viewer().filter(|_| !self.owns(body)) else {
            return Tri::from(read.is(body, set));
        };
        let Some(candidates) = read.st.knowledge.set(read.rb, viewer, body) else {
            return Tri::from(read.is(body, set));
        };
        let mask = read.rb.deck_mask(set, body);
        let (mut inside, mut outside) = (false, false);
        for (&word, &mask) in candidates.iter().zip(mask) {
            inside |= word & mask != 0;
            outside |= word & !mask != 0;
        }
        match (inside, outside) {
            (true, false) => Tri::Yes,
            (false, _) => Tri::No,
            (true, true) => Tri::Unknown,
        }
    }

    /// Whether there is one of a declared set of pieces among `bodies`: from candidate sets and told answers.
    fn any(&self, set: PieceSetId, bodies: &[BodyId]) -> Tri {
        let mut possible = false;
        for &body in bodies {
            match self.is(body, set) {
                Tri::Yes => return Tri::Yes,
                Tri::Unknown => possible = true,
                Tri::No => {}
            }
        }
        if !possible {
            return Tri::No;
        }
        match self.viewer() {
            None => Tri::No,
            Some(viewer) => self.peek().told_any(viewer, set, bodies),
        }
    }

    /// Whether a body of a side stands in a place: from what is seen there and from told answers.
    fn occupied(&self, side: SideId, place: PlaceId) -> Tri {
        let read = self.peek();
        let Some(viewer) = self.viewer().filter(|v| *v != Viewer::Side(side)) else {
            return Tri::from(read.bodies_of(side, place).next().is_some());
        };
        let level = |deck| read.level(viewer, place, deck, Some(side)).0;
        let mut there = read.bodies_of(side, place);
        if there.any(|b| level(read.rb.deck_of(b)) != Level::Nothing) {
            return Tri::Yes;
        }
        let decks = read.rb.decks().iter().enumerate().filter(|(_, deck)| deck.side == side);
        let mut kinds = decks.map(|(n, _)| Some(DeckId(n as u8))).chain([None]);
        if kinds.all(|deck| level(deck) != Level::Nothing) {
            return Tri::No;
        }
        read.told_occupied(viewer, side, place)
    }

    /// The answer to a question that was told and is in force.
    fn was_told(&self, question: QuestionId) -> Option<i32> {
        let read = self.peek();
        match self.viewer() {
            None => Some(read.answer(question, &About::Nothing, &[])),
            Some(viewer) => read.told(viewer).find(|t| t.question == question).map(|t| t.answer),
        }
    }

    /// The value of a cell, when who looks may see it.
    fn get<K: CellKey>(&self, column: Column<K>, key: K) -> Option<i32>
    where
        Self: Sized,
    {
        let read = self.peek();
        let (holder, side) = key.cell();
        self.may_see(column.id, holder, side).then(|| read.cell(column.id, holder, side))
    }

    /// Whether a flag is known to be set.
    fn flag<K: CellKey>(&self, column: Column<K>, key: K) -> bool
    where
        Self: Sized,
    {
        self.get(column, key).is_some_and(|v| v != 0)
    }

    /// Whether who looks may see a cell, by numbers.
    fn may_see(&self, column: ColumnId, holder: u16, side: u8) -> bool {
        let Some(viewer) = self.viewer() else { return true };
        let read = self.peek();
        let def = read.rb.column(column);
        match def.class {
            ColumnClass::Public => true,
            ColumnClass::Hidden => false,
            ColumnClass::Side(s) => viewer == Viewer::Side(s),
            ColumnClass::Owner => {
                let owner = read.holder_side(def.holder, holder, side, def.by_side);
                owner.is_some_and(|s| viewer == Viewer::Side(s))
                    || match def.holder {
                        crate::rulebook::Holder::Piece => {
                            read.body_of(PieceId(holder)).is_some_and(|b| read.st.bodies[b.index()].bared)
                        }
                        crate::rulebook::Holder::Body => read.st.bodies[usize::from(holder)].bared,
                        _ => false,
                    }
            }
        }
    }

    /// Whether a body is face up.
    fn face_up(&self, body: BodyId) -> bool {
        self.peek().face_up(body)
    }

    /// The bodies on or in a spot, in order; none of those whose number who looks may not know.
    #[inline]
    fn bodies(&self, spot: impl Into<Spot>) -> SmallVec<[BodyId; 8]>
    where
        Self: Sized,
    {
        let (read, spot) = (self.peek(), spot.into());
        // Most places are empty, and whoever looks over the whole board asks them all.
        if read.is_bare(spot) {
            return SmallVec::new();
        }
        read.bodies(spot).filter(|&b| self.notices(b)).collect()
    }

    /// The bodies of a side on or in a spot, as [`bodies`](Sight::bodies).
    #[inline]
    fn bodies_of(&self, side: SideId, spot: impl Into<Spot>) -> SmallVec<[BodyId; 8]>
    where
        Self: Sized,
    {
        let (read, spot) = (self.peek(), spot.into());
        if read.is_bare(spot) {
            return SmallVec::new();
        }
        read.bodies_of(side, spot).filter(|&b| self.notices(b)).collect()
    }
}

/// What attachments read, which do not know whose eyes they are lent.
impl dyn Sight + '_ {
    /// The value of a cell, when who looks may see it.
    pub fn value<K: CellKey>(&self, column: Column<K>, key: K) -> Option<i32> {
        let (holder, side) = key.cell();
        self.may_see(column.id, holder, side).then(|| self.peek().cell(column.id, holder, side))
    }

    /// The bodies on or in a spot, in order; none of those whose number who looks may not know.
    pub fn standing(&self, spot: impl Into<Spot>) -> SmallVec<[BodyId; 8]> {
        self.peek().bodies(spot).filter(|&b| self.notices(b)).collect()
    }
}

/// Everything as it is.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Read, Sight, Tri, Truth};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let truth = Truth(Read::new(&rulebook, &state));
/// let top = truth.bodies(ids.hill)[0];
/// assert_eq!((truth.viewer(), truth.piece(top), truth.is(top, ids.real)), (None, Some(ids.horse), Tri::Yes));
/// ```
#[derive(Clone, Copy)]
pub struct Truth<'a>(pub Read<'a>);

impl sealed::Peek for Truth<'_> {
    fn peek(&self) -> Read<'_> {
        self.0
    }
}

impl Sight for Truth<'_> {
    fn viewer(&self) -> Option<Viewer> {
        None
    }
}

/// What one viewer may know.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Read, Seen, Sight, Tri, Viewer};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let seen = Seen::new(Read::new(&rulebook, &state), Viewer::Side(ids.red));
/// let stack = seen.stacks_of(ids.blue, ids.hill).next().unwrap();
/// let bodies: Vec<_> = seen.loose(stack).collect();
/// assert_eq!(bodies.len(), 2); // their backs are seen
/// assert_eq!(seen.candidates(bodies[0]).len(), 2); // the horse or the dummy
/// assert_eq!((seen.is(bodies[0], ids.real), seen.any(ids.real, &bodies)), (Tri::Unknown, Tri::Unknown));
/// assert_eq!(seen.occupied(ids.blue, adjutant_kernel::PlaceId(ids.hill.0)), Tri::Yes);
/// ```
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    read: Read<'a>,
    viewer: Viewer,
    /// Nothing is hidden from the viewer but what bodies are.
    open: bool,
    host: Option<&'a Host>,
}

impl<'a> Seen<'a> {
    /// What `viewer` may know of a position.
    #[inline]
    pub fn new(read: Read<'a>, viewer: Viewer) -> Self {
        Self { read, viewer, open: read.rb.fixed_levels.all_open(viewer), host: None }
    }

    pub(crate) fn with_host(self, host: &'a Host) -> Self {
        Self { host: Some(host), ..self }
    }

    /// What a faulty rule peeks at.
    #[cfg(feature = "mutants")]
    pub fn behind(&self) -> Truth<'a> {
        Truth(self.read)
    }

    pub(crate) fn host(&self) -> Option<&'a Host> {
        self.host
    }

    /// The stacks in a place, oldest first, that the viewer may know of.
    pub fn stacks<S: Into<Spot>>(&self, place: S) -> impl Iterator<Item = StackId> + use<'_, 'a, S> {
        self.read.stacks(place).filter(move |&s| self.read.loose(s).next().is_some_and(|b| self.notices(b)))
    }

    /// The stacks of a side in a place, oldest first.
    pub fn stacks_of<S: Into<Spot>>(
        &self,
        side: SideId,
        place: S,
    ) -> impl Iterator<Item = StackId> + use<'_, 'a, S> {
        self.stacks(place).filter(move |&s| self.read.stack_side(s) == side)
    }

    /// The bodies directly on a spot, in order; see [`Sight::bodies`].
    #[inline]
    pub fn loose<S: Into<Spot>>(&self, spot: S) -> Loose<'a> {
        let spot = spot.into();
        let tree = &self.read.st.tree;
        let on = tree.node(spot);
        let open = self.open
            || match spot {
                Spot::Place(place) => {
                    tree.first(on).is_some() && self.read.rb.fixed_levels.open(self.viewer, place)
                }
                Spot::Stack(_) | Spot::Body(_) => false,
            };
        Loose { read: self.read, viewer: self.viewer, open, on, last: None }
    }

    /// The place that a body stands in, if the viewer may know.
    #[inline]
    pub fn place(&self, body: BodyId) -> Option<PlaceId> {
        if self.open || self.notices(body) { self.read.place(body) } else { None }
    }

    /// The space that a body stands in, if its place is a space and the viewer may know.
    #[inline]
    pub fn space(&self, body: BodyId) -> Option<SpaceId> {
        if self.open || self.notices(body) { self.read.space(body) } else { None }
    }

    /// The stack that a body is in, if the viewer may know.
    pub fn stack(&self, body: BodyId) -> Option<StackId> {
        if self.open || self.notices(body) { self.read.stack(body) } else { None }
    }

    /// The space that a stack stands in.
    pub fn stack_space(&self, stack: StackId) -> Option<SpaceId> {
        self.read.stack_space(stack)
    }

    /// The side of a stack.
    pub fn stack_side(&self, stack: StackId) -> SideId {
        self.read.stack_side(stack)
    }

    /// The side whose eyes these are.
    pub fn side_of_viewer(&self) -> Option<SideId> {
        match self.viewer {
            Viewer::Side(side) => Some(side),
            Viewer::Public => None,
        }
    }

    /// The entries of a relation that the viewer may see.
    pub fn records(&self, relation: RecordId) -> impl Iterator<Item = &crate::state::Record> + '_ {
        let visible = self.read.rb.record_class(relation).shows(self.viewer);
        self.read.records(relation).filter(move |_| visible)
    }
}

/// Bodies directly on a spot that a viewer may know of; see [`Seen::loose`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::knowledge::Loose;
/// use adjutant_kernel::{Read, Seen, Viewer};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let seen = Seen::new(Read::new(&rulebook, &state), Viewer::Side(ids.blue));
/// let mut loose: Loose<'_> = seen.loose(ids.ford);
/// assert!(loose.next().is_some() && loose.next().is_none()); // the guns
/// assert_eq!(seen.loose(ids.hill).count(), 0); // all in a stack
/// ```
#[derive(Clone)]
pub struct Loose<'a> {
    read: Read<'a>,
    viewer: Viewer,
    /// Nothing on the spot is hidden from the viewer.
    open: bool,
    on: Node,
    /// The node that was looked at last. Who wants the first body alone never looks for a second.
    last: Option<Node>,
}

/// Whether a viewer may know that a body is where it is. Given all by value, so that who goes through bodies keeps
/// where it is in registers.
#[cold]
fn notices(read: Read<'_>, viewer: Viewer, body: BodyId) -> bool {
    Seen::new(read, viewer).notices(body)
}

impl Iterator for Loose<'_> {
    type Item = BodyId;

    #[inline]
    fn next(&mut self) -> Option<BodyId> {
        let tree = &self.read.st.tree;
        while let Some(node) = self.last.map_or_else(|| tree.first(self.on), |last| tree.next_sibling(last)) {
            self.last = Some(node);
            if let Some(body) = tree.body(node)
                && (self.open || notices(self.read, self.viewer, body))
            {
                return Some(body);
            }
        }
        None
    }
}

impl sealed::Peek for Seen<'_> {
    fn peek(&self) -> Read<'_> {
        self.read
    }

    fn open(&self) -> bool {
        self.open
    }
}

impl Sight for Seen<'_> {
    fn viewer(&self) -> Option<Viewer> {
        Some(self.viewer)
    }
}

/// What everybody knows: who is asked, what is mixed and how many draws a stream makes is decided from this
/// (invariant 6).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Common, Read, Sight, Tri};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let common = Common::new(Read::new(&rulebook, &state));
/// let top = common.bodies(ids.hill)[0];
/// // Blue knows, and red does not: so whether blue is asked about it may not hang on it.
/// assert_eq!(common.is(top, ids.real), Tri::Unknown);
/// ```
#[derive(Clone, Copy)]
pub struct Common<'a>(Seen<'a>);

impl<'a> Common<'a> {
    /// What everybody knows of a position.
    pub fn new(read: Read<'a>) -> Self {
        Self(Seen::new(read, Viewer::Public))
    }
}

impl sealed::Peek for Common<'_> {
    fn peek(&self) -> Read<'_> {
        self.0.read
    }

    fn open(&self) -> bool {
        self.0.open
    }
}

impl Sight for Common<'_> {
    fn viewer(&self) -> Option<Viewer> {
        Some(Viewer::Public)
    }
}

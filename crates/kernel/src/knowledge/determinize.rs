//! Sampling worlds: states that a viewer cannot tell from the true one.
//!
//! A walk by exchanges of pieces within candidate sets, kept only while every told answer that the viewer knows
//! still holds; private values come from the samplers of their columns. The same walk makes the twins of the
//! conformance suite and the worlds that a bot samples (which also take a new key).

use smallvec::SmallVec;

use super::{QuestionKind, Sight as _, candidates};
use crate::chance;
use crate::ids::*;
use crate::rulebook::{ColumnClass, Level, Rulebook};
use crate::state::{Position, Read, Record, Spot, State};

/// What a sampler of a private value may look at, and its source of chance.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::knowledge::Sampling;
/// use adjutant_kernel::rulebook::{ColumnClass, ValueKind};
/// use adjutant_kernel::SideId;
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let gold = builder.column("gold", ValueKind::Int { min: 0, max: 9 }, 5, ColumnClass::Owner);
/// let halves = builder.column::<SideId>("halves", ValueKind::Flag, 0, ColumnClass::Owner);
/// builder.sampler::<SideId>(gold, |cell: &Sampling<'_>| cell.between(3, 7)); // as every treasury so far
/// builder.sampler(halves, |cell| i32::from(cell.below(2) == 0));
/// # let rulebook = builder.build().unwrap();
/// assert!(rulebook.column(gold.id).sampler.is_some());
/// ```
pub struct Sampling<'a> {
    /// The world sampled so far; samplers may look at all of it but the cell that they fill.
    pub read: Read<'a>,
    /// Index of the holder of the cell.
    pub holder: u16,
    /// The side of the cell, if the column has one value a side.
    pub side: SideId,
    /// The number drawn for this cell; see [`Sampling::below`].
    pub word: u64,
}

impl Sampling<'_> {
    /// A number from 0 to `n` - 1, each as likely.
    pub fn below(&self, n: u32) -> u32 {
        chance::below(self.word, n.max(1))
    }

    /// A number from `min` to `max`, both included, each as likely.
    pub fn between(&self, min: i32, max: i32) -> i32 {
        min + self.below((max - min + 1).max(1) as u32) as i32
    }
}

/// Where bodies may stand that a viewer sees nothing of: how such a viewer imagines their places.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::PlaceId;
/// use adjutant_kernel::knowledge::Hideout;
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let woods = [ids.hill, ids.ford].map(|space| PlaceId(space.0));
/// builder.hideout(Hideout {
///     pieces: ids.real,
///     places: woods.to_vec(),
///     fits: Box::new(move |read, body| read.face_up(body) || read.bodies(ids.ford).count() < 3),
/// });
/// # let rulebook = builder.build().unwrap();
/// assert_eq!(rulebook.hideouts()[0].places, woods);
/// ```
pub struct Hideout {
    /// The pieces that it speaks of; those of one side look alike there.
    pub pieces: PieceSetId,
    /// The places among which they may be; everybody knows how many of them are there in all.
    pub places: Vec<PlaceId>,
    /// Whether a body may stand where it does in a world that is being imagined. It may look at all of that
    /// world.
    pub fits: Box<dyn Fn(Read<'_>, BodyId) -> bool + Send + Sync>,
}

impl Hideout {
    /// Puts bodies that `viewer` sees nothing of elsewhere, in `tries` random attempts; gives the number of
    /// those that were made. Told answers that the viewer knows hold before and after each.
    fn rearrange(
        &self,
        rb: &Rulebook,
        st: &mut State,
        viewer: Viewer,
        tries: usize,
        random: &mut dyn FnMut() -> u64,
    ) -> usize {
        let hidden_here = |st: &State, body: BodyId, place: PlaceId| {
            let read = Read::new(rb, st);
            let side = read.side(body);
            side.is_none_or(|s| viewer != Viewer::Side(s))
                && read.level(viewer, place, rb.deck_of(body), side).0 == Level::Nothing
        };
        let unseen: Vec<BodyId> = (0..st.bodies.len() as u16)
            .map(BodyId)
            .filter(|&body| {
                let place = Read::new(rb, st).place(body).filter(|p| self.places.contains(p));
                Read::new(rb, st).is(body, self.pieces) && place.is_some_and(|p| hidden_here(st, body, p))
            })
            .collect();
        if unseen.is_empty() || self.places.is_empty() {
            return 0;
        }
        let mut made = 0;
        for _ in 0..tries {
            let body = unseen[chance::below(random(), unseen.len() as u32) as usize];
            let to = self.places[chance::below(random(), self.places.len() as u32) as usize];
            let node = st.tree.node(Spot::Body(body));
            let Some(from) = st.tree.parent(node) else { continue };
            // Only a body that stands by itself can go without a trace.
            if st.tree.node(Spot::Place(to)) == from
                || !matches!(st.tree.spot(from), Spot::Place(_))
                || !hidden_here(st, body, to)
            {
                continue;
            }
            let target = st.tree.node(Spot::Place(to));
            st.tree.attach(node, target, Position::Bottom);
            let read = Read::new(rb, st);
            if (self.fits)(read, body) && read.told(viewer).all(|t| read.holds(t)) {
                made += 1;
            } else {
                st.tree.attach(node, from, Position::Bottom);
            }
        }
        made
    }
}

/// Exchanges pieces among the bodies that `viewer` cannot tell apart and puts those elsewhere that it sees
/// nothing of (see [`Hideout`]), in `tries` random attempts each; gives the number of changes made. Told answers that the viewer knows hold before and after each.
///
/// `random` yields uniformly random words.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Viewer;
/// use adjutant_kernel::knowledge::exchange;
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let mut twin = state.clone();
/// let mut words = (0u64..).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)); // any source of chance
/// let changes = exchange(&rulebook, &mut twin, Viewer::Side(ids.red), 8, &mut || words.next().unwrap());
/// assert!(changes > 0); // red cannot tell the horse from the dummy
/// assert_eq!(exchange(&rulebook, &mut twin, Viewer::Side(ids.blue), 8, &mut || 7), 0);
/// ```
pub fn exchange(
    rb: &Rulebook,
    st: &mut State,
    viewer: Viewer,
    tries: usize,
    random: &mut dyn FnMut() -> u64,
) -> usize {
    let hidden: Vec<BodyId> = (0..st.bodies.len() as u16)
        .map(BodyId)
        .filter(|&b| {
            let read = Read::new(rb, st);
            read.side(b).is_some_and(|side| viewer != Viewer::Side(side))
                && super::Seen::new(read, viewer).piece(b).is_none()
        })
        .collect();
    let mut made = 0;
    for hideout in &rb.hideouts {
        made += hideout.rearrange(rb, st, viewer, tries, random);
    }
    for _ in 0..if hidden.len() < 2 { 0 } else { tries } {
        let x = hidden[chance::below(random(), hidden.len() as u32) as usize];
        let y = hidden[chance::below(random(), hidden.len() as u32) as usize];
        if x == y || rb.deck_of(x) != rb.deck_of(y) {
            continue;
        }
        let (px, py) = (st.bodies[x.index()].ident, st.bodies[y.index()].ident);
        let may = |body: BodyId, piece: PieceId| {
            st.knowledge.set(rb, viewer, body).is_some_and(|s| candidates::has(s, rb.deck_position(piece)))
        };
        if !may(x, py) || !may(y, px) {
            continue;
        }
        st.bodies[x.index()].ident = py;
        st.bodies[y.index()].ident = px;
        if binding_hold(Read::new(rb, st), viewer) || rb.mutant("sample_ignores_told") {
            made += 1;
        } else {
            st.bodies[x.index()].ident = px;
            st.bodies[y.index()].ident = py;
        }
    }
    if made > 0 {
        mend_others(rb, st, viewer);
    }
    made
}

/// Whether all told answers that a viewer knows hold.
fn binding_hold(read: Read<'_>, viewer: Viewer) -> bool {
    read.told(viewer).all(|t| read.holds(t))
}

/// Other viewers' knowledge must not exclude the new truth, and their told answers are answered anew. What they
/// knew for certain they know for certain still.
fn mend_others(rb: &Rulebook, st: &mut State, viewer: Viewer) {
    for other in rb.viewers().filter(|&v| v != viewer) {
        let index = rb.viewer_index(other);
        let mut certain: SmallVec<[BodyId; 8]> = SmallVec::new();
        for n in 0..st.bodies.len() {
            let body = BodyId(n as u16);
            let piece = st.bodies[n].ident;
            let Some(set) = st.knowledge.set(rb, other, body) else { continue };
            if candidates::has(set, rb.deck_position(piece)) {
                continue;
            }
            if candidates::only(set).is_some() {
                certain.push(body);
            }
            st.knowledge.admit(rb, index, body, piece);
        }
        for body in certain {
            let piece = st.bodies[body.index()].ident;
            st.knowledge.known(rb, index, body, piece);
        }
    }
    answer_anew(rb, st, viewer);
}

/// What others were told is answered anew. A yes that is none any more is forgotten: of such questions a no is
/// nothing that stands.
fn answer_anew(rb: &Rulebook, st: &mut State, viewer: Viewer) {
    let mut all = std::mem::take(&mut st.knowledge.told);
    let read = Read::new(rb, st);
    all.retain_mut(|told| {
        if told.audience.has(viewer) {
            return true;
        }
        let answer = read.answer(told.question, &told.about, &told.bodies);
        let stands = match rb.question(told.question).kind {
            QuestionKind::Any(_) | QuestionKind::Occupied(_) => answer == told.answer,
            QuestionKind::Computed(_) => true,
        };
        told.answer = answer;
        stands
    });
    st.knowledge.told = all;
}

/// Draws anew every private value and every private entry that `viewer` may not see, by the samplers of columns and
/// relations; a value that would make an answer false that the viewer was told stays.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::knowledge::resample;
/// use adjutant_kernel::rulebook::{ColumnClass, ValueKind};
/// use adjutant_kernel::{Read, SideId, Viewer};
/// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let gold = builder.column::<SideId>("gold", ValueKind::Int { min: 0, max: 9 }, 5, ColumnClass::Owner);
/// builder.sampler(gold, |cell| cell.between(2, 2));
/// # let rulebook = builder.build().unwrap();
/// # let mut state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// resample(&rulebook, &mut state, Viewer::Side(ids.red), &mut || 0);
/// let read = Read::new(&rulebook, &state);
/// assert_eq!((read.get(gold, ids.red), read.get(gold, ids.blue)), (5, 2)); // red knows its own
/// ```
pub fn resample(rb: &Rulebook, st: &mut State, viewer: Viewer, random: &mut dyn FnMut() -> u64) {
    for (n, def) in rb.columns().iter().enumerate() {
        if def.class == ColumnClass::Public {
            continue;
        }
        let column = ColumnId(n as u16);
        let sides = if def.by_side { rb.sides().len() as u8 } else { 1 };
        for holder in 0..def.holders {
            for side in 0..sides {
                let read = Read::new(rb, st);
                if super::Seen::new(read, viewer).may_see(column, holder, side) {
                    continue;
                }
                let sampling = Sampling { read, holder, side: SideId(side), word: random() };
                let value = match &def.sampler {
                    Some(sampler) => sampler(&sampling).clamp(def.min, def.max),
                    None => sampling.between(def.min, def.max),
                };
                let before = read.cell(column, holder, side);
                if value == before {
                    continue;
                }
                st.put_cell(rb, column, holder, side, value);
                if !binding_hold(Read::new(rb, st), viewer) {
                    st.put_cell(rb, column, holder, side, before);
                }
            }
        }
    }
    for (n, def) in rb.records().iter().enumerate() {
        if !def.class.shows(viewer) {
            imagine_entries(rb, st, RecordId(n as u16), random);
        }
    }
    answer_anew(rb, st, viewer);
}

/// Puts imagined entries of a relation in the place of the true ones.
fn imagine_entries(rb: &Rulebook, st: &mut State, relation: RecordId, random: &mut dyn FnMut() -> u64) {
    let def = &rb.records()[relation.index()];
    let entries = def.sampler.as_ref().map(|sampler| sampler(Read::new(rb, st), random)).unwrap_or_default();
    st.records.retain(|record| record.relation != relation);
    let entries = entries.into_iter().take(def.max.into());
    st.records.extend(entries.map(|fields| Record { relation, fields }));
}

impl super::Knowledge {
    /// Adds a candidate (in a sampled world, for a viewer who is not the one that it was sampled for).
    fn admit(&mut self, rb: &Rulebook, viewer: usize, body: BodyId, piece: PieceId) {
        if let Some(range) = self.range(rb, viewer, body) {
            let position = rb.deck_position(piece);
            self.candidates[range][position / 64] |= 1 << (position % 64);
        }
    }
}

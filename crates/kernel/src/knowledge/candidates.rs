//! Candidate sets: what a body may be, for a viewer.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

use super::Knowledge;
use crate::ids::*;
use crate::rulebook::Rulebook;
use crate::state::State;

/// The candidate sets of all viewers, one after another.
///
/// They grow with the square of the pieces and are nearly all of a large state, and few steps of a game change one.
/// So a state and its clones share them until one of them changes a set: whoever writes looks first whether there is
/// anything to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sets(Arc<[u64]>);

impl From<Vec<u64>> for Sets {
    fn from(words: Vec<u64>) -> Self {
        Self(words.into())
    }
}

impl Deref for Sets {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Sets {
    fn deref_mut(&mut self) -> &mut [u64] {
        Arc::make_mut(&mut self.0)
    }
}

impl Serialize for Sets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Sets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|words: Vec<u64>| words.into())
    }
}

/// The only member of a set, if it has just one.
pub(super) fn only(set: &[u64]) -> Option<usize> {
    let mut found = None;
    for (at, &word) in set.iter().enumerate() {
        match (word.count_ones(), found) {
            (0, _) => {}
            (1, None) => found = Some(at * 64 + word.trailing_zeros() as usize),
            _ => return None,
        }
    }
    found
}

#[inline]
pub(super) fn has(set: &[u64], position: usize) -> bool {
    set[position / 64] >> (position % 64) & 1 == 1
}

/// A body of which a viewer knows less after than before though it has the same handle: knowledge hangs on
/// handles and is lost by mixing alone, which renews them. The owner's own sets mean nothing and are left out.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::knowledge::forgotten;
/// # let before = Field::start();
/// let after = Field::where_first(|ids, cx| {
///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
///     cx.mix(&stack) // knowledge is lost, and so are the handles that it hung on
/// });
/// assert_eq!(forgotten(&after.rulebook, &before.state, &after.state), None);
/// ```
pub fn forgotten(rb: &Rulebook, before: &State, after: &State) -> Option<(Viewer, BodyId)> {
    for viewer in rb.viewers() {
        for body in (0..before.bodies.len() as u16).map(BodyId) {
            let own = rb.piece(before.bodies[body.index()].ident).side;
            if own.is_some_and(|side| viewer == Viewer::Side(side))
                || before.knowledge.handle(rb, viewer, body) != after.knowledge.handle(rb, viewer, body)
            {
                continue;
            }
            let (Some(was), Some(is)) =
                (before.knowledge.set(rb, viewer, body), after.knowledge.set(rb, viewer, body))
            else {
                continue;
            };
            if was.iter().zip(is).any(|(was, is)| is & !was != 0) {
                return Some((viewer, body));
            }
        }
    }
    None
}

impl Knowledge {
    /// Leaves only what `keep` holds, then takes what is known out of all other sets.
    pub(crate) fn narrow_to(&mut self, rb: &Rulebook, viewer: usize, body: BodyId, keep: &[u64]) {
        let Some(range) = self.range(rb, viewer, body) else { return };
        if self.candidates[range.clone()].iter().zip(keep).all(|(word, keep)| word & !keep == 0) {
            return;
        }
        for (word, keep) in self.candidates[range].iter_mut().zip(keep) {
            *word &= keep;
        }
        self.propagate(rb, viewer, body);
    }

    /// Makes a body known.
    pub(crate) fn known(&mut self, rb: &Rulebook, viewer: usize, body: BodyId, piece: PieceId) {
        let Some(range) = self.range(rb, viewer, body) else { return };
        let position = rb.deck_position(piece);
        if only(&self.candidates[range.clone()]) != Some(position) {
            let set = &mut self.candidates[range];
            set.fill(0);
            set[position / 64] = 1 << (position % 64);
        }
        self.propagate(rb, viewer, body);
    }

    /// A piece known at one body is no candidate of the others, repeatedly.
    fn propagate(&mut self, rb: &Rulebook, viewer: usize, changed: BodyId) {
        let Some(slot) = rb.slot(changed) else { return };
        let deck = rb.deck(slot.deck);
        let base = viewer * rb.candidate_words + deck.offset;
        let mut todo: SmallVec<[usize; 16]> = SmallVec::new();
        let at = |n: usize| base + n * deck.words..base + (n + 1) * deck.words;
        let first = (slot.offset - deck.offset) / deck.words;
        if only(&self.candidates[at(first)]).is_some() {
            todo.push(first);
        }
        while let Some(known) = todo.pop() {
            let Some(position) = only(&self.candidates[at(known)]) else { continue };
            for other in 0..deck.pieces.len() {
                if other == known || !has(&self.candidates[at(other)], position) {
                    continue;
                }
                let set = &mut self.candidates[at(other)];
                set[position / 64] &= !(1 << (position % 64));
                if only(set).is_some() {
                    todo.push(other);
                }
            }
        }
    }

    /// Gives each of `bodies` the union of their sets.
    pub(crate) fn unite(&mut self, rb: &Rulebook, viewer: usize, bodies: &[BodyId]) {
        let mut union: SmallVec<[u64; 4]> = SmallVec::new();
        for &body in bodies {
            let Some(range) = self.range(rb, viewer, body) else { continue };
            union.resize(range.len(), 0);
            for (to, from) in union.iter_mut().zip(&self.candidates[range]) {
                *to |= from;
            }
        }
        for &body in bodies {
            if let Some(range) = self.range(rb, viewer, body)
                && self.candidates[range.clone()] != union[..]
            {
                self.candidates[range].copy_from_slice(&union);
            }
        }
    }

    /// Forgets all about a body (a deliberate fault; no rule does this).
    #[cfg(feature = "mutants")]
    pub(crate) fn forget(&mut self, rb: &Rulebook, viewer: usize, body: BodyId) {
        let Some(slot) = rb.slot(body) else { return };
        let count = rb.deck(slot.deck).pieces.len();
        if let Some(range) = self.range(rb, viewer, body) {
            for (n, word) in self.candidates[range].iter_mut().enumerate() {
                *word = u64::MAX >> (64 - (count - n * 64).min(64));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_sets_until_one_of_them_writes() {
        let before = Sets::from(vec![0b111, 0b11]);
        let mut after = before.clone();
        assert!(Arc::ptr_eq(&before.0, &after.0));
        after[0] = 0b100;
        assert_eq!((&before[..], &after[..]), (&[0b111, 0b11][..], &[0b100, 0b11][..]));
        assert_ne!(before, after);
    }

    /// Digests are made of these bytes.
    #[test]
    fn sets_are_written_as_a_list_of_numbers() {
        let words = vec![u64::MAX, 0, 300];
        let bytes = postcard::to_allocvec(&Sets::from(words.clone())).unwrap();
        assert_eq!(bytes, postcard::to_allocvec(&words).unwrap());
        assert_eq!(postcard::from_bytes::<Sets>(&bytes).unwrap(), Sets::from(words));
    }
}

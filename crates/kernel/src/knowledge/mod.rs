//! What every viewer knows: handles, candidate sets and told answers (invariants 5 to 7).
//!
//! A viewer is a side or the public; the public viewer stands for the seats of no side and knows nothing that a
//! side does not know, so what it sees is what everybody knows ([`Common`]). For each body a viewer holds a
//! *candidate set* of the pieces of its deck. Reveal makes it one, narrow removes some, mixing gives each body
//! of a set the union. A piece known at one body is taken out of the sets of all others, and no more is
//! deduced.

mod candidates;
mod determinize;
mod lent;
mod levels;
mod sight;
mod told;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::ids::*;
use crate::rulebook::Rulebook;

use candidates::Sets;
pub use candidates::forgotten;
pub use determinize::{Hideout, Sampling, exchange, resample};
pub use lent::Lent;
pub use sight::{Common, Loose, Seen, Sight, Tri, Truth};
pub use told::{About, Answer, QuestionDef, QuestionKind, Told};

/// Who gets something: a set of viewers. The umpire always gets everything.
///
/// ```
/// use adjutant_kernel::{Audience, SideId, Viewer};
/// let (blue, red) = (SideId(0), SideId(1));
/// let both = Audience::side(blue).or(Audience::side(red));
/// assert!(both.has(Viewer::Side(red)) && !both.has(Viewer::Public));
/// assert!(!Audience::but(Some(red)).has(Viewer::Side(red)));
/// assert!(both.and(Audience::viewer(Viewer::Public)).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Audience(u16);

impl Audience {
    /// Everybody.
    pub const ALL: Self = Self(u16::MAX);
    /// Nobody but the umpire.
    pub const NOBODY: Self = Self(0);
    const PUBLIC: u16 = 1 << 15;

    /// One side.
    pub fn side(side: SideId) -> Self {
        Self(1 << side.0)
    }

    /// A side if there is one, else everybody.
    pub fn side_or_all(side: Option<SideId>) -> Self {
        side.map_or(Self::ALL, Self::side)
    }

    /// One viewer.
    pub fn viewer(viewer: Viewer) -> Self {
        match viewer {
            Viewer::Side(side) => Self::side(side),
            Viewer::Public => Self(Self::PUBLIC),
        }
    }

    /// Everybody but one side.
    pub fn but(side: Option<SideId>) -> Self {
        side.map_or(Self::ALL, |side| Self(!(1 << side.0)))
    }

    /// Those in either.
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those who do not belong to it.
    pub(crate) fn complement(self) -> Self {
        Self(!self.0)
    }

    /// Whether a viewer belongs to it.
    #[inline]
    pub fn has(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Side(side) => self.0 >> side.0 & 1 == 1,
            Viewer::Public => self.0 & Self::PUBLIC != 0,
        }
    }

    /// Whether everybody belongs to it.
    pub fn is_all(self) -> bool {
        self == Self::ALL
    }

    /// Whether nobody does.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// All that the viewers of a state know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Knowledge {
    /// Handles drawn so far, by viewer. A handle is a number; its letters come from a keyed permutation when
    /// it is shown, so it is never used twice.
    pub(crate) drawn: SmallVec<[u32; 4]>,
    /// Handle number of each body, viewer by viewer.
    pub(crate) bodies: Vec<u32>,
    /// Handle number of each stack, stack by stack.
    pub(crate) stacks: Vec<u32>,
    /// Candidate sets, viewer by viewer.
    pub(crate) candidates: Sets,
    pub(crate) told: Vec<Told>,
}

impl Knowledge {
    pub(crate) fn new(rb: &Rulebook) -> Self {
        let viewers = rb.viewer_count();
        let count = rb.pieces().len();
        let mut bodies = Vec::with_capacity(viewers * count);
        let mut candidates = Vec::with_capacity(viewers * rb.candidate_words);
        for _ in 0..viewers {
            bodies.extend(0..count as u32);
            for deck in rb.decks() {
                for _ in &deck.pieces {
                    for word in 0..deck.words {
                        let bits = (deck.pieces.len() - word * 64).min(64);
                        candidates.push(u64::MAX >> (64 - bits));
                    }
                }
            }
        }
        Self {
            drawn: SmallVec::from_elem(count as u32, viewers),
            bodies,
            stacks: Vec::new(),
            candidates: candidates.into(),
            told: Vec::new(),
        }
    }

    #[inline]
    fn range(&self, rb: &Rulebook, viewer: usize, body: BodyId) -> Option<std::ops::Range<usize>> {
        let slot = rb.slot(body)?;
        let from = viewer * rb.candidate_words + slot.offset;
        Some(from..from + slot.words)
    }

    /// The candidate set of a body, as bits over its deck; `None` for a body whose identity is public.
    #[inline]
    pub(crate) fn set(&self, rb: &Rulebook, viewer: Viewer, body: BodyId) -> Option<&[u64]> {
        self.range(rb, rb.viewer_index(viewer), body).map(|r| &self.candidates[r])
    }

    /// The handle number of a body for a viewer.
    #[inline]
    pub(crate) fn handle(&self, rb: &Rulebook, viewer: Viewer, body: BodyId) -> u32 {
        self.bodies[rb.viewer_index(viewer) * rb.pieces().len() + body.index()]
    }

    /// The handle number of a stack for a viewer.
    #[inline]
    pub(crate) fn stack_handle(&self, rb: &Rulebook, viewer: Viewer, stack: StackId) -> u32 {
        self.stacks[stack.index() * rb.viewer_count() + rb.viewer_index(viewer)]
    }

    pub(crate) fn new_handle(&mut self, rb: &Rulebook, viewer: usize) -> u32 {
        #[cfg(feature = "mutants")]
        if rb.mutant("handle_reuse") {
            return self.free_handle(rb, viewer);
        }
        let _ = rb;
        let n = self.drawn[viewer];
        self.drawn[viewer] += 1;
        n
    }

    /// The least number that is no handle of the viewer now (a deliberate fault: the one just given up by
    /// another body tells where that went).
    #[cfg(feature = "mutants")]
    fn free_handle(&self, rb: &Rulebook, viewer: usize) -> u32 {
        let (count, viewers) = (rb.pieces().len(), rb.viewer_count());
        let bodies = &self.bodies[viewer * count..(viewer + 1) * count];
        let stacks = || self.stacks.iter().skip(viewer).step_by(viewers);
        (0..).find(|n| !bodies.contains(n) && !stacks().any(|s| s == n)).unwrap_or_default()
    }

    /// Gives a stack new handles for all viewers but `spared`.
    pub(crate) fn renew_stack(&mut self, rb: &Rulebook, stack: StackId, spared: Option<Viewer>) {
        let viewers = rb.viewer_count();
        let from = stack.index() * viewers;
        if self.stacks.len() < from + viewers {
            self.stacks.resize(from + viewers, 0);
        }
        for viewer in rb.viewers().filter(|&v| spared != Some(v)).map(|v| rb.viewer_index(v)) {
            self.stacks[from + viewer] = self.new_handle(rb, viewer);
        }
    }
}

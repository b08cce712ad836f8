//! Items to slots: what long decisions are made of.
//!
//! Setting up bodies in areas, deploying an army on a battle board or allotting losses is a series of atomic
//! actions, each of which puts one item into one slot. A step may be offered only if the choice can still be
//! completed; [`Problem::offers`] lists those steps. All items are to be placed; where some may be left out,
//! that is a slot of its own.
//!
//! Whether all items find room and whether all that the filled slots require can be met are two matching
//! problems, and where both have a solution one solution solves both. Which of the slots that may stay empty
//! are filled is searched, and with contiguous slots every placement is. The answer is exact unless the search
//! passes [`SEARCH_LIMIT`]; a problem of the size of a battle board takes a few steps of it.

mod fit;
#[cfg(test)]
mod tests;

use std::iter::FusedIterator;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// How many choices one call tries, at most. Beyond it a step is offered although it was not shown that the
/// assignment can be completed; everything ends (invariant 12).
pub const SEARCH_LIMIT: u32 = 20_000;

/// A set of items, or of slots, by number from 0 to 63.
///
/// ```
/// use adjutant_kernel::allocation::Set;
/// let (real, seen) = (Set::from([0, 3]), Set::below(2)); // 0 and 3; 0 and 1
/// assert_eq!(real.and(seen), Set::from([0]));
/// assert_eq!(real.or(seen).iter().collect::<Vec<_>>(), [0, 1, 3]);
/// assert_eq!(real.without(seen).with(5).len(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Set(pub u64);

impl Set {
    /// The numbers below `count`, which is taken as 64 if it is more.
    pub const fn below(count: usize) -> Self {
        Set(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether the number is in it.
    #[inline]
    pub const fn contains(self, number: usize) -> bool {
        number < 64 && self.0 >> number & 1 == 1
    }

    /// The set with this number too; numbers from 64 on are left out.
    #[inline]
    #[must_use]
    pub const fn with(self, number: usize) -> Self {
        Set(if number < 64 { self.0 | 1 << number } else { self.0 })
    }

    /// How many numbers are in it.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in both.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Set) -> Self {
        Set(self.0 & other.0)
    }

    /// What is in either.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Set) -> Self {
        Set(self.0 | other.0)
    }

    /// What is in this one only.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Set) -> Self {
        Set(self.0 & !other.0)
    }

    /// The numbers, rising.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let number = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (number < 64).then_some(number)
        })
    }

    fn first(self) -> Option<usize> {
        self.iter().next()
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        numbers.into_iter().fold(Set::default(), Set::with)
    }
}

impl<const N: usize> From<[usize; N]> for Set {
    fn from(numbers: [usize; N]) -> Self {
        numbers.into_iter().collect()
    }
}

/// What a slot takes.
///
/// ```
/// use adjutant_kernel::allocation::{Assignment, Set, Slot, Spec};
/// // The bridge stays empty or is held by two or three, with one of the real bodies 0 and 1 among them.
/// let bridge = Slot::between(2, 3).or_empty().needs(1, Set::from([0, 1]));
/// let problem = Spec::new(4).slot(bridge).slot(Slot::any().only(Set::from([1, 2, 3]))).check().unwrap();
/// assert_eq!(problem.offers(&Assignment::new()).slots(0), Set::from([0])); // 0 fits on the bridge alone
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    allowed: Set,
    min: u8,
    max: u8,
    may_be_empty: bool,
    needs: SmallVec<[(Set, u8); 2]>,
    contiguous: bool,
}

impl Slot {
    /// At least `min` and at most `max` items.
    pub fn between(min: u8, max: u8) -> Self {
        let (allowed, needs) = (Set::below(64), SmallVec::new());
        Slot { allowed, min, max, may_be_empty: min == 0, needs, contiguous: false }
    }

    /// At most `max` items.
    pub fn up_to(max: u8) -> Self {
        Slot::between(0, max)
    }

    /// Any number of items.
    pub fn any() -> Self {
        Slot::up_to(64)
    }

    /// Or none at all: the least number holds only if the slot is filled.
    #[must_use]
    pub fn or_empty(mut self) -> Self {
        self.may_be_empty = true;
        self
    }

    /// Only these items may go in.
    #[must_use]
    pub fn only(mut self, items: Set) -> Self {
        self.allowed = items;
        self
    }

    /// If it is filled, it holds at least `count` of these items (the real bodies). Of several such needs any
    /// two must have no item in common, or one must be part of the other.
    #[must_use]
    pub fn needs(mut self, count: u8, items: Set) -> Self {
        self.needs.push((items, count));
        self
    }

    /// After its first item it takes only neighbours of items in it.
    #[must_use]
    pub fn contiguous(mut self) -> Self {
        self.contiguous = true;
        self
    }
}

/// A problem while it is put together.
///
/// ```
/// use adjutant_kernel::allocation::{Assignment, Set, Slot, Spec};
/// // Three bodies in a row; each wing takes neighbours only, and both must be held.
/// let wing = || Slot::up_to(2).contiguous();
/// let spec = Spec::new(3).slot(wing()).slot(wing()).filled(2, Set::below(2));
/// let problem = spec.neighbours(|a, b| a.abs_diff(b) == 1).check().unwrap();
/// let mut placed = Assignment::new();
/// placed.place(0, 0);
/// assert_eq!(problem.offers(&placed).items(0), Set::from([1])); // 2 is no neighbour of 0
/// ```
#[derive(Clone, Debug)]
pub struct Spec {
    items: usize,
    slots: SmallVec<[Slot; 4]>,
    filled: SmallVec<[(Set, u8); 2]>,
    neighbours: Vec<Set>,
}

/// What is wrong with a [`Spec`].
///
/// ```
/// use adjutant_kernel::allocation::{Mistake, Set, Slot, Spec};
/// let overlapping = Slot::any().needs(1, Set::from([0, 1])).needs(1, Set::from([1, 2]));
/// let mistakes = Spec::new(65).slot(overlapping).check().unwrap_err();
/// assert_eq!(mistakes, [Mistake::TooManyItems(65), Mistake::OverlappingNeeds { slot: 0 }]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mistake {
    /// More than 64 items.
    #[error("{0} items; there may be 64")]
    TooManyItems(usize),
    /// More than 64 slots.
    #[error("{0} slots; there may be 64")]
    TooManySlots(usize),
    /// Two needs of a slot share some of their items only.
    #[error("two needs of slot {slot} overlap; one must be part of the other, or they share nothing")]
    OverlappingNeeds {
        /// The slot.
        slot: usize,
    },
    /// Slots to be filled that do not exist.
    #[error("slots are to be filled that do not exist: {slots:?}")]
    UnknownSlots {
        /// Those that do not exist.
        slots: Set,
    },
    /// A contiguous slot, but neighbours were not given.
    #[error("slot {slot} is contiguous, but no neighbours are given")]
    NoNeighbours {
        /// The slot.
        slot: usize,
    },
}

impl Spec {
    /// So many items, no slots yet.
    pub fn new(items: usize) -> Self {
        Spec { items, slots: SmallVec::new(), filled: SmallVec::new(), neighbours: Vec::new() }
    }

    /// Adds the next slot.
    #[must_use]
    pub fn slot(mut self, slot: Slot) -> Self {
        self.slots.push(slot);
        self
    }

    /// At least `count` of these slots are to be filled.
    #[must_use]
    pub fn filled(mut self, count: u8, slots: Set) -> Self {
        self.filled.push((slots, count));
        self
    }

    /// Which items are neighbours, for contiguous slots. Asked once for each pair, the lower number first.
    #[must_use]
    pub fn neighbours(mut self, are: impl Fn(usize, usize) -> bool) -> Self {
        let count = self.items.min(64);
        self.neighbours = vec![Set::default(); count];
        for (a, b) in (0..count).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| are(a, b)) {
            self.neighbours[a] = self.neighbours[a].with(b);
            self.neighbours[b] = self.neighbours[b].with(a);
        }
        self
    }

    /// The problem. One without a solution is none either: nothing is offered.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn check(self) -> Result<Problem, Vec<Mistake>> {
        let mut mistakes = Vec::new();
        if self.items > 64 {
            mistakes.push(Mistake::TooManyItems(self.items));
        }
        if self.slots.len() > 64 {
            mistakes.push(Mistake::TooManySlots(self.slots.len()));
        }
        for &(slots, _) in &self.filled {
            let slots = slots.without(Set::below(self.slots.len()));
            if !slots.is_empty() {
                mistakes.push(Mistake::UnknownSlots { slots });
            }
        }
        for (number, slot) in self.slots.iter().enumerate() {
            if slot.contiguous && self.neighbours.len() < self.items {
                mistakes.push(Mistake::NoNeighbours { slot: number });
            }
            let overlaps = |a: Set, b: Set| {
                let common = a.and(b);
                !common.is_empty() && common != a && common != b
            };
            if slot.needs.iter().enumerate().any(|(i, a)| slot.needs[..i].iter().any(|b| overlaps(a.0, b.0)))
            {
                mistakes.push(Mistake::OverlappingNeeds { slot: number });
            }
        }
        if mistakes.is_empty() { Ok(Problem::new(self)) } else { Err(mistakes) }
    }
}

/// What was put where so far.
///
/// ```
/// use adjutant_kernel::allocation::{Assignment, Set};
/// let mut losses = Assignment::new();
/// losses.place(4, 1);
/// losses.place(2, 1);
/// assert_eq!(losses.items(1), Set::from([2, 4]));
/// assert_eq!(losses.placed().len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Assignment {
    slots: SmallVec<[Set; 4]>,
}

impl Assignment {
    /// Nothing yet.
    pub fn new() -> Self {
        Assignment::default()
    }

    /// Puts an item into a slot.
    pub fn place(&mut self, item: usize, slot: usize) {
        if self.slots.len() <= slot && slot < 64 {
            self.slots.resize(slot + 1, Set::default());
        }
        if let Some(items) = self.slots.get_mut(slot) {
            *items = items.with(item);
        }
    }

    /// The items in a slot.
    pub fn items(&self, slot: usize) -> Set {
        self.slots.get(slot).copied().unwrap_or_default()
    }

    /// All items that are placed.
    pub fn placed(&self) -> Set {
        self.slots.iter().copied().fold(Set::default(), Set::or)
    }
}

/// A checked problem.
///
/// ```
/// use adjutant_kernel::allocation::{Assignment, Set, Slot, Spec};
///
/// // Bodies 0 and 1 are real, 2 and 3 dummies. Road and field take two, with a real one among them; the
/// // reserve takes any. At least one of road and field is filled.
/// let position = || Slot::up_to(2).needs(1, Set::from([0, 1]));
/// let problem = Spec::new(4)
///     .slot(position())
///     .slot(position())
///     .slot(Slot::any())
///     .filled(1, Set::from([0, 1]))
///     .check()
///     .unwrap();
/// let mut placed = Assignment::new();
/// placed.place(0, 2);
/// placed.place(2, 0);
/// // The last real body must go to the dummy on the road; the last dummy may not go to the field.
/// let offers: Vec<_> = problem.offers(&placed).collect();
/// assert_eq!(offers, [(1, 0), (3, 2)]);
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    items: Set,
    slots: SmallVec<[Slot; 4]>,
    filled: SmallVec<[(Set, u8); 2]>,
    neighbours: Vec<Set>,
    /// Items that no slot and no need tells apart.
    kinds: SmallVec<[Set; 8]>,
    /// The kinds that each slot takes, and then those of each of its needs, slot by slot.
    kinds_of: SmallVec<[u64; 8]>,
    contiguous: bool,
}

impl Problem {
    fn new(spec: Spec) -> Self {
        let Spec { items, mut slots, filled, neighbours } = spec;
        let items = Set::below(items);
        let mut kinds: SmallVec<[Set; 8]> = smallvec![items];
        for slot in &mut slots {
            slot.allowed = slot.allowed.and(items);
            slot.max = slot.max.min(64);
            // A need that is part of another comes before it.
            slot.needs.iter_mut().for_each(|need| need.0 = need.0.and(slot.allowed));
            slot.needs.sort_by_key(|need| need.0.len());
            split(&mut kinds, slot.allowed);
            slot.needs.iter().for_each(|need| split(&mut kinds, need.0));
        }
        kinds.retain(|kind| !kind.is_empty());
        let contiguous = slots.iter().any(|slot| slot.contiguous);
        let kinds_of = kinds_of(&slots, &kinds);
        Problem { items, slots, filled, neighbours, kinds, kinds_of, contiguous }
    }

    /// Whether what is placed so far can be completed: every further item can be placed so that all slots are
    /// as they must be. `false` also for an assignment of items or slots that do not exist, or of an item to
    /// two slots.
    pub fn feasible(&self, assignment: &Assignment) -> bool {
        let placed: usize = assignment.slots.iter().map(|items| items.len()).sum();
        let all = assignment.placed();
        assignment.slots.len() <= self.slots.len()
            && all.len() == placed
            && all.without(self.items).is_empty()
            && self.completes(&mut assignment.slots_for(self), &mut { SEARCH_LIMIT })
    }

    /// Whether everything is placed, as it must be.
    pub fn complete(&self, assignment: &Assignment) -> bool {
        assignment.placed() == self.items && self.feasible(assignment)
    }

    /// The steps after which the choice can still be completed, as item and slot, by item and then by slot.
    /// None if nothing is left to place, or what was placed cannot be completed.
    pub fn offers(&self, assignment: &Assignment) -> Offers {
        let mut offers = Offers { rest: Set::default(), slot: 0, slots: SmallVec::new() };
        if assignment.slots.len() > self.slots.len() {
            return offers;
        }
        let (mut slots, mut limit) = (assignment.slots_for(self), SEARCH_LIMIT);
        let left = self.items.without(assignment.placed());
        for (number, slot) in self.slots.iter().enumerate() {
            let (before, mut offered) = (slots[number], Set::default());
            let free = left.and(slot.allowed);
            let free = if before.len() >= usize::from(slot.max) { Set::default() } else { free };
            let mut try_one = |item: usize, whole: Set| {
                slots[number] = before.with(item);
                if self.completes(&mut slots, &mut limit) {
                    offered = offered.or(whole);
                }
                slots[number] = before;
            };
            if self.contiguous {
                let near = |item: &usize| {
                    !slot.contiguous || before.is_empty() || !self.neighbours[*item].and(before).is_empty()
                };
                free.iter().filter(near).for_each(|item| try_one(item, Set::default().with(item)));
            } else {
                for kind in self.kinds.iter().map(|kind| kind.and(free)) {
                    if let Some(item) = kind.first() {
                        try_one(item, kind);
                    }
                }
            }
            offers.rest = offers.rest.or(offered);
            offers.slots.push(offered);
        }
        offers
    }
}

impl Assignment {
    /// The items of each slot of the problem.
    fn slots_for(&self, problem: &Problem) -> SmallVec<[Set; 4]> {
        let mut slots = self.slots.clone();
        slots.resize(problem.slots.len(), Set::default());
        slots
    }
}

/// Divides each kind into what is in the set and what is not.
fn split(kinds: &mut SmallVec<[Set; 8]>, set: Set) {
    for i in 0..kinds.len() {
        let (inside, outside) = (kinds[i].and(set), kinds[i].without(set));
        if !inside.is_empty() && !outside.is_empty() {
            kinds[i] = inside;
            kinds.push(outside);
        }
    }
}

/// For each slot, which kinds it takes and which kinds each of its needs is about.
fn kinds_of(slots: &[Slot], kinds: &[Set]) -> SmallVec<[u64; 8]> {
    let sets = slots.iter().flat_map(|slot| {
        let needs = slot.needs.iter().map(|need| need.0);
        std::iter::once(slot.allowed).chain(needs)
    });
    let inside = |set: Set| {
        let bits = kinds.iter().enumerate().map(|(i, kind)| u64::from(!kind.and(set).is_empty()) << i);
        bits.fold(0, |all, bit| all | bit)
    };
    sets.map(inside).collect()
}

/// The steps that [`Problem::offers`] found.
///
/// ```
/// use adjutant_kernel::allocation::{Assignment, Set, Slot, Spec};
/// let problem = Spec::new(2).slot(Slot::up_to(1)).slot(Slot::up_to(1)).check().unwrap();
/// let offers = problem.offers(&Assignment::new());
/// assert_eq!((offers.items(0), offers.slots(1)), (Set::from([0, 1]), Set::from([0, 1])));
/// assert_eq!(offers.collect::<Vec<_>>(), [(0, 0), (0, 1), (1, 0), (1, 1)]); // item, slot
/// ```
#[derive(Clone, Debug)]
pub struct Offers {
    /// The items still to be listed; the first of them from `slot` on.
    rest: Set,
    slot: usize,
    /// For each slot the items that may go in.
    slots: SmallVec<[Set; 4]>,
}

impl Offers {
    /// The items that may go into a slot.
    pub fn items(&self, slot: usize) -> Set {
        self.slots.get(slot).copied().unwrap_or_default()
    }

    /// The slots into which an item may go.
    pub fn slots(&self, item: usize) -> Set {
        (0..self.slots.len()).filter(|&slot| self.slots[slot].contains(item)).collect()
    }
}

impl Iterator for Offers {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        loop {
            let item = self.rest.first()?;
            while self.slot < self.slots.len() {
                self.slot += 1;
                if self.slots[self.slot - 1].contains(item) {
                    return Some((item, self.slot - 1));
                }
            }
            (self.rest, self.slot) = (self.rest.without(Set::default().with(item)), 0);
        }
    }
}

impl FusedIterator for Offers {}

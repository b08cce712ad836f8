//! Whether an assignment can be completed.
//!
//! A slot is a few *bins*: one for each of its needs, which takes only items of that need and must be filled up,
//! and one for the rest, of which a part may be required. All items find room if the kinds of items can be
//! matched into the bins; all requirements are met if the required places can be matched to items. By the
//! theorem of Mendelsohn and Dulmage there is then a matching that does both.

use smallvec::SmallVec;

#[cfg(test)]
use super::SEARCH_LIMIT;
use super::{Problem, Set};

/// Up to so many kinds of items Hall's condition is tested for every set of kinds; beyond it by paths.
const FEW_KINDS: usize = 5;

/// Places of a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    slot: usize,
    /// The kinds of items that it takes.
    kinds: u64,
    /// How many items it takes.
    room: u16,
    /// How many of them are required, if the slot is filled.
    required: u16,
}

/// What is left to place, and where.
pub(super) struct Rest {
    /// How many items of each kind are left.
    counts: SmallVec<[u16; 8]>,
    bins: SmallVec<[Bin; 12]>,
}

impl Problem {
    /// Whether the slots with these items can be completed.
    pub(super) fn completes(&self, slots: &mut [Set], limit: &mut u32) -> bool {
        if self.contiguous { self.grows(slots, limit) } else { self.fits(slots, limit) }
    }

    /// Whether the slots can be completed, contiguous or not.
    fn fits(&self, slots: &[Set], limit: &mut u32) -> bool {
        let left = self.items.without(slots.iter().copied().fold(Set::default(), Set::or));
        let counts = self.kinds.iter().map(|kind| kind.and(left).len() as u16).collect();
        let mut rest = Rest { counts, bins: SmallVec::new() };
        // Slots that take items; those that are filled for certain; those that may be filled or not.
        let (mut on, mut filled, mut open) = (Set::default(), Set::default(), Set::default());
        for (number, &items) in slots.iter().enumerate() {
            let slot = &self.slots[number];
            let may_be_empty = items.is_empty() && slot.may_be_empty;
            let counted = self.filled.iter().any(|(slots, _)| slots.contains(number));
            let free = may_be_empty && !counted && slot.min <= 1 && slot.needs.is_empty();
            let min = if free { 0 } else { slot.min.max(u8::from(may_be_empty)) };
            if !items.without(slot.allowed).is_empty() || items.len() > usize::from(slot.max) {
                return false;
            }
            let possible = rest.add(self, number, items, min);
            match (possible, may_be_empty) {
                (false, false) => return false,
                (false, true) => {}
                (true, true) if !free => open = open.with(number),
                (true, _) => {
                    on = on.with(number);
                    if !items.is_empty() || min > 0 {
                        filled = filled.with(number);
                    }
                }
            }
        }
        self.choose(&rest, on, filled, open, limit)
    }

    /// Whether some of the open slots can be filled, and the others left empty, so that everything fits.
    fn choose(&self, rest: &Rest, on: Set, filled: Set, open: Set, limit: &mut u32) -> bool {
        let enough_filled = |filled: Set| {
            self.filled.iter().all(|&(slots, count)| slots.and(filled).len() >= usize::from(count))
        };
        if !enough_filled(filled.or(open)) || !rest.meets(on.or(open), on) {
            return false;
        }
        if open.is_empty() || (enough_filled(filled) && rest.meets(on, on)) {
            return true;
        }
        let (Some(slot), Some(left)) = (open.first(), limit.checked_sub(1)) else { return true };
        *limit = left;
        let one = Set::default().with(slot);
        let open = open.without(one);
        self.choose(rest, on.or(one), filled.or(one), open, limit)
            || self.choose(rest, on, filled, open, limit)
    }

    /// Whether the slots can be completed so that every contiguous one is connected, by trying.
    fn grows(&self, slots: &mut [Set], limit: &mut u32) -> bool {
        if !self.fits(slots, limit) {
            return false;
        }
        let left = self.items.without(slots.iter().copied().fold(Set::default(), Set::or));
        let mut contiguous = self.slots.iter().zip(slots.iter()).filter(|(slot, _)| slot.contiguous);
        if !contiguous.all(|(slot, &items)| self.connects(items, left.and(slot.allowed))) {
            return false;
        }
        let takes = |item: usize, slot: usize| {
            self.slots[slot].allowed.contains(item) && slots[slot].len() < usize::from(self.slots[slot].max)
        };
        let choices = |item: &usize| (0..slots.len()).filter(|&slot| takes(*item, slot)).count();
        let Some(item) = left.iter().min_by_key(choices) else { return true };
        for slot in 0..slots.len() {
            let before = slots[slot];
            if !self.slots[slot].allowed.contains(item) || before.len() >= usize::from(self.slots[slot].max) {
                continue;
            }
            let Some(rest) = limit.checked_sub(1) else { return true };
            *limit = rest;
            slots[slot] = before.with(item);
            let grows = self.grows(slots, limit);
            slots[slot] = before;
            if grows {
                return true;
            }
        }
        false
    }

    /// Whether the items can be connected by way of some of the others.
    fn connects(&self, items: Set, others: Set) -> bool {
        let Some(first) = items.first() else { return true };
        let all = items.or(others);
        let (mut reached, mut edge) = (Set::default().with(first), Set::default().with(first));
        while !edge.is_empty() {
            let near = edge.iter().map(|item| self.neighbours[item]).fold(Set::default(), Set::or);
            edge = near.and(all).without(reached);
            reached = reached.or(edge);
        }
        items.without(reached).is_empty()
    }
}

impl Rest {
    /// Adds the places of a slot that holds `items` and must hold `min` if it is filled; whether it can be.
    fn add(&mut self, problem: &Problem, number: usize, items: Set, min: u8) -> bool {
        let slot = &problem.slots[number];
        let kinds = |set: Set| {
            let inside = |(_, kind): &(usize, &Set)| !kind.and(set).is_empty();
            problem.kinds.iter().enumerate().filter(inside).fold(0, |kinds, (i, _)| kinds | 1u64 << i)
        };
        let start = self.bins.len();
        let mut required = 0;
        for &(set, count) in &slot.needs {
            let within = |bin: &&Bin| {
                let kinds = kinds(set);
                bin.kinds & kinds == bin.kinds
            };
            let already: u16 = self.bins[start..].iter().filter(within).map(|bin| bin.required).sum();
            let missing = u16::from(count).saturating_sub(items.and(set).len() as u16 + already);
            if missing > 0 {
                required += missing;
                self.bins.push(Bin { slot: number, kinds: kinds(set), room: missing, required: missing });
            }
        }
        let room = u16::from(slot.max).saturating_sub(items.len() as u16);
        let more = u16::from(min).saturating_sub(items.len() as u16 + required);
        if required + more > room {
            self.bins.truncate(start);
            return false;
        }
        if room > required {
            let bin = Bin { slot: number, kinds: kinds(slot.allowed), room: room - required, required: more };
            self.bins.push(bin);
        }
        true
    }

    /// Whether all items find room in the slots `on`, and what the slots `filled` require can be met.
    fn meets(&self, on: Set, filled: Set) -> bool {
        if self.counts.len() <= FEW_KINDS {
            self.meets_by_subsets(on, filled)
        } else {
            self.meets_by_paths(on, filled)
        }
    }

    /// Hall's condition: no set of kinds has more items than the bins for any of them have room, and no set of
    /// kinds has fewer items than the bins for these kinds alone require.
    fn meets_by_subsets(&self, on: Set, filled: Set) -> bool {
        let mut items = [0u16; 1 << FEW_KINDS];
        for kinds in 0..1usize << self.counts.len() {
            if kinds != 0 {
                items[kinds] = items[kinds & (kinds - 1)] + self.counts[kinds.trailing_zeros() as usize];
            }
            let (mut room, mut required) = (0, 0);
            for bin in &self.bins {
                if bin.kinds & kinds as u64 != 0 && on.contains(bin.slot) {
                    room += bin.room;
                }
                if bin.kinds & !(kinds as u64) == 0 && filled.contains(bin.slot) {
                    required += bin.required;
                }
            }
            if items[kinds] > room || required > items[kinds] {
                return false;
            }
        }
        true
    }

    /// The same by augmenting paths.
    fn meets_by_paths(&self, on: Set, filled: Set) -> bool {
        let room = |set: Set, of: fn(&Bin) -> u16| -> Vec<u16> {
            self.bins.iter().map(|bin| if set.contains(bin.slot) { of(bin) } else { 0 }).collect()
        };
        let takes = |bin: usize, kind: usize| self.bins[bin].kinds >> kind & 1 == 1;
        Paths::new(&self.counts, room(on, |bin| bin.room))
            .saturate(&self.counts, &|kind, bin| takes(bin, kind))
            && {
                let required = room(filled, |bin| bin.required);
                Paths::new(&required, self.counts.to_vec()).saturate(&required, &takes)
            }
    }
}

/// A bipartite flow, grown unit by unit.
struct Paths {
    /// What flows from each source to each sink, source by source.
    flow: Vec<u16>,
    /// What each sink still takes.
    room: Vec<u16>,
    seen: Vec<bool>,
}

impl Paths {
    fn new(sources: &[u16], room: Vec<u16>) -> Self {
        Paths { flow: vec![0; sources.len() * room.len()], seen: vec![false; room.len()], room }
    }

    /// Whether all that the sources have can flow.
    fn saturate(&mut self, sources: &[u16], joined: &impl Fn(usize, usize) -> bool) -> bool {
        sources.iter().enumerate().all(|(source, &units)| {
            (0..units).all(|_| {
                self.seen.fill(false);
                self.augment(source, joined)
            })
        })
    }

    fn augment(&mut self, source: usize, joined: &impl Fn(usize, usize) -> bool) -> bool {
        let sinks = self.room.len();
        for sink in 0..sinks {
            if !joined(source, sink) || std::mem::replace(&mut self.seen[sink], true) {
                continue;
            }
            let makes_way = |paths: &mut Self| {
                (0..paths.flow.len() / sinks).any(|other| {
                    let flows = paths.flow[other * sinks + sink] > 0 && paths.augment(other, joined);
                    paths.flow[other * sinks + sink] -= u16::from(flows);
                    flows
                })
            };
            let free = self.room[sink] > 0;
            if free || makes_way(self) {
                self.room[sink] -= u16::from(free);
                self.flow[source * sinks + sink] += 1;
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
impl Problem {
    /// Both ways of matching, for tests.
    pub(super) fn fits_by_paths(&self, slots: &[Set]) -> bool {
        let mut finer = self.clone();
        // Every item a kind of its own, and so many kinds without items that subsets are too many.
        finer.kinds = finer.items.iter().map(|item| Set::default().with(item)).collect();
        finer.kinds.extend([Set::default(); FEW_KINDS]);
        finer.kinds.push(Set::default());
        finer.fits(slots, &mut { SEARCH_LIMIT })
    }
}

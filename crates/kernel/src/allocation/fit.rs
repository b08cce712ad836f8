//! Whether an assignment can be completed.
//!
//! A slot is a few *bins*: one for each of its needs, which takes only items of that need and must be filled up,
//! and one for the rest, of which a part may be required. All items find room if the kinds of items can be
//! matched into the bins; all requirements are met if the required places can be matched to items. By the
//! theorem of Mendelsohn and Dulmage there is then a matching that does both.

use smallvec::SmallVec;

#[cfg(test)]
use super::SEARCH_LIMIT;
use super::{Problem, Set, Slot};

/// Up to so many kinds of items Hall's condition is tested for every set of kinds; beyond it by paths.
const FEW_KINDS: usize = 5;

/// Places of a slot.
#[derive(Clone, Copy)]
struct Bin {
    /// The slot, alone in a set.
    slot: Set,
    /// The kinds of items that it takes.
    kinds: u64,
    /// How many items it takes.
    room: u16,
    /// How many of them are required, if the slot is filled.
    required: u16,
}

/// What is left to place, and where.
struct Rest {
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
        let mut kinds_of = &self.kinds_of[..];
        for (number, (slot, &items)) in self.slots.iter().zip(slots).enumerate() {
            let may_be_empty = items.is_empty() && slot.may_be_empty;
            let counted = self.filled.iter().any(|(slots, _)| slots.contains(number));
            let free = may_be_empty && !counted && slot.min <= 1 && slot.needs.is_empty();
            let min = if free { 0 } else { slot.min.max(u8::from(may_be_empty)) };
            if !items.without(slot.allowed).is_empty() || items.len() > usize::from(slot.max) {
                return false;
            }
            let kinds_of_slot = &kinds_of[..=slot.needs.len()];
            kinds_of = &kinds_of[slot.needs.len() + 1..];
            let possible = rest.add(number, slot, kinds_of_slot, items, min);
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
        if !enough_filled(filled.or(open)) {
            return false;
        }
        match rest.fit(on, open) {
            Fit::No => return false,
            Fit::Now if open.is_empty() || enough_filled(filled) => return true,
            Fit::Now | Fit::WithOpen => {}
        }
        // A choice in a large problem takes as long as several in one of the size of a battle board.
        let weight = 1 + (self.slots.len() * rest.counts.len() / 64) as u32;
        let (Some(slot), Some(left)) = (open.first(), limit.checked_sub(weight)) else { return true };
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
            let weight = 1 + (self.slots.len() * self.kinds.len() / 64) as u32;
            let Some(rest) = limit.checked_sub(weight) else { return true };
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
    /// Adds the places of a slot that holds `items` and must hold `min` if it is filled; whether it can be. `kinds`
    /// are those that it takes and those of its needs.
    fn add(&mut self, number: usize, slot: &Slot, kinds: &[u64], items: Set, min: u8) -> bool {
        let Some((&takes, kinds)) = kinds.split_first() else { return false };
        let number = Set::default().with(number);
        let (mut required, start) = (0, self.bins.len());
        for (&(set, count), &kinds) in slot.needs.iter().zip(kinds) {
            let within = self.bins[start..].iter().filter(|bin| bin.kinds & kinds == bin.kinds);
            let already: u16 = within.map(|bin| bin.required).sum();
            let missing = u16::from(count).saturating_sub(items.and(set).len() as u16 + already);
            if missing > 0 {
                required += missing;
                self.bins.push(Bin { slot: number, kinds, room: missing, required: missing });
            }
        }
        let room = u16::from(slot.max).saturating_sub(items.len() as u16);
        let more = u16::from(min).saturating_sub(items.len() as u16 + required);
        if required + more > room {
            self.bins.truncate(start);
            return false;
        }
        if room > required {
            let bin = Bin { slot: number, kinds: takes, room: room - required, required: more };
            self.bins.push(bin);
        }
        true
    }

    /// Whether all that the slots `on` require can be met, and all items find room in them, or in them and the
    /// `open` ones.
    fn fit(&self, on: Set, open: Set) -> Fit {
        if self.counts.len() <= FEW_KINDS {
            self.fit_by_subsets(on, open)
        } else {
            self.fit_by_paths(on, open)
        }
    }

    /// Hall's condition: no set of kinds has more items than the bins for any of them have room, and no set of
    /// kinds has fewer items than the bins for these kinds alone require.
    fn fit_by_subsets(&self, on: Set, open: Set) -> Fit {
        let mut items = [0u16; 1 << FEW_KINDS];
        let mut fit = Fit::Now;
        for kinds in 0..1usize << self.counts.len() {
            if kinds != 0 {
                items[kinds] = items[kinds & (kinds - 1)] + self.counts[kinds.trailing_zeros() as usize];
            }
            let (mut room, mut room_with_open, mut required) = (0, 0, 0);
            for bin in &self.bins {
                let is_on = u16::from(!bin.slot.and(on).is_empty());
                let may_be_on = is_on | u16::from(!bin.slot.and(open).is_empty());
                let takes_any = u16::from(bin.kinds & kinds as u64 != 0);
                let takes_no_other = u16::from(bin.kinds & !(kinds as u64) == 0);
                room += bin.room * (takes_any & is_on);
                room_with_open += bin.room * (takes_any & may_be_on);
                required += bin.required * (takes_no_other & is_on);
            }
            if items[kinds] > room_with_open || required > items[kinds] {
                return Fit::No;
            }
            if items[kinds] > room {
                fit = Fit::WithOpen;
            }
        }
        fit
    }

    /// The same by augmenting paths.
    fn fit_by_paths(&self, on: Set, open: Set) -> Fit {
        let of = |slots: Set, places: fn(&Bin) -> u16| -> Vec<u16> {
            let chosen = |bin: &Bin| !bin.slot.and(slots).is_empty();
            self.bins.iter().map(|bin| if chosen(bin) { places(bin) } else { 0 }).collect()
        };
        let takes = |bin: usize, kind: usize| self.bins[bin].kinds >> kind & 1 == 1;
        let finds_room = |slots: Set| {
            let room = of(slots, |bin| bin.room);
            Paths::new(&self.counts, room).saturate(&self.counts, &|kind, bin| takes(bin, kind))
        };
        let required = of(on, |bin| bin.required);
        if !Paths::new(&required, self.counts.to_vec()).saturate(&required, &takes) {
            Fit::No
        } else if finds_room(on) {
            Fit::Now
        } else if finds_room(on.or(open)) {
            Fit::WithOpen
        } else {
            Fit::No
        }
    }
}

/// Whether what is left fits.
enum Fit {
    /// It does not.
    No,
    /// It does, if slots are filled of which this is not known yet.
    WithOpen,
    /// It does.
    Now,
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
        finer.kinds_of = super::kinds_of(&finer.slots, &finer.kinds);
        finer.fits(slots, &mut { SEARCH_LIMIT })
    }
}

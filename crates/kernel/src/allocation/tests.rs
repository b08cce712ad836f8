use super::*;
use crate::chance::{ChanceCache, Key, below};

/// Numbers for random problems.
struct Chance(ChanceCache, Key, u32);

impl Chance {
    fn new(seed: u64) -> Self {
        Chance(ChanceCache::new(), Key::from_seed(seed), 0)
    }

    fn below(&mut self, n: usize) -> usize {
        self.2 += 1;
        below(self.0.word(&self.1, 0, self.2), n as u32) as usize
    }

    fn set(&mut self, of: usize) -> Set {
        (0..of).filter(|_| self.below(2) == 1).collect()
    }
}

fn random_spec(chance: &mut Chance, contiguous: bool) -> Spec {
    let items = chance.below(6);
    let count = 1 + chance.below(3);
    let mut spec = Spec::new(items);
    for _ in 0..count {
        let max = chance.below(5) as u8;
        let mut slot = Slot::between((chance.below(4) as u8).min(max), max);
        if chance.below(2) == 1 {
            slot = slot.or_empty();
        }
        if chance.below(2) == 1 {
            slot = slot.only(chance.set(items));
        }
        if chance.below(2) == 1 {
            let outer = chance.set(items);
            slot = slot.needs(chance.below(3) as u8, outer);
            if chance.below(2) == 1 {
                let part = chance.set(items).and(outer);
                let apart = chance.set(items).without(outer);
                slot = slot.needs(chance.below(3) as u8, if chance.below(2) == 1 { part } else { apart });
            }
        }
        if contiguous && chance.below(2) == 1 {
            slot = slot.contiguous();
        }
        spec = spec.slot(slot);
    }
    if chance.below(2) == 1 {
        spec = spec.filled(chance.below(count + 1) as u8, chance.set(count));
    }
    let mut near = [[false; 8]; 8];
    near.iter_mut().flatten().for_each(|near| *near = chance.below(2) == 1);
    spec.neighbours(|a, b| near[a][b])
}

/// The rules of a problem, read off its declaration for a full assignment.
fn holds(problem: &Problem, slots: &[Set]) -> bool {
    let slot_holds = |(slot, &items): (&Slot, &Set)| {
        let filled = !items.is_empty();
        let bounds = usize::from(slot.min)..=usize::from(slot.max);
        let needs = slot.needs.iter().all(|(set, count)| items.and(*set).len() >= usize::from(*count));
        items.without(slot.allowed).is_empty()
            && if filled { bounds.contains(&items.len()) && needs } else { slot.may_be_empty }
            && (!slot.contiguous || connected(problem, items))
    };
    let filled: Set = (0..slots.len()).filter(|&slot| !slots[slot].is_empty()).collect();
    problem.slots.iter().zip(slots).all(slot_holds)
        && problem.filled.iter().all(|(of, count)| of.and(filled).len() >= usize::from(*count))
}

fn connected(problem: &Problem, items: Set) -> bool {
    let Some(first) = items.first() else { return true };
    let mut reached = Set::from([first]);
    for _ in 0..items.len() {
        let near = |&item: &usize| !problem.neighbours[item].and(reached).is_empty();
        reached = reached.or(items.iter().filter(near).collect());
    }
    items.without(reached).is_empty()
}

/// Tries every way to place what is left.
fn brute(problem: &Problem, slots: &mut Vec<Set>) -> bool {
    let placed = slots.iter().copied().fold(Set::default(), Set::or);
    let Some(item) = problem.items.without(placed).first() else { return holds(problem, slots) };
    (0..slots.len()).any(|slot| {
        let before = slots[slot];
        slots[slot] = before.with(item);
        let found = brute(problem, slots);
        slots[slot] = before;
        found
    })
}

fn check(problem: &Problem, assignment: &Assignment, counts: &mut [usize; 2]) {
    let mut slots: Vec<Set> = (0..problem.slots.len()).map(|slot| assignment.items(slot)).collect();
    let feasible = brute(problem, &mut slots);
    assert_eq!(problem.feasible(assignment), feasible, "{problem:?} {assignment:?}");
    counts[usize::from(feasible)] += 1;
    if !problem.contiguous {
        assert_eq!(problem.fits_by_paths(&slots), feasible, "by paths: {problem:?} {assignment:?}");
    }
    let mut expected = Vec::new();
    for item in problem.items.without(assignment.placed()).iter() {
        for slot in 0..slots.len() {
            let before = slots[slot];
            let near = !problem.slots[slot].contiguous
                || before.is_empty()
                || !problem.neighbours[item].and(before).is_empty();
            slots[slot] = before.with(item);
            if near && brute(problem, &mut slots) {
                expected.push((item, slot));
            }
            slots[slot] = before;
        }
    }
    let offers = problem.offers(assignment);
    for &(item, slot) in &expected {
        assert!(offers.items(slot).contains(item) && offers.slots(item).contains(slot));
    }
    assert_eq!(offers.collect::<Vec<_>>(), expected, "{problem:?} {assignment:?}");
}

fn against_brute_force(seed: u64, contiguous: bool, problems: usize) {
    let mut chance = Chance::new(seed);
    let mut counts = [0, 0];
    for _ in 0..problems {
        let Ok(problem) = random_spec(&mut chance, contiguous).check() else { continue };
        // Somewhere, sensible or not, and then along the offers from the start to the end.
        let mut assignment = Assignment::new();
        for item in 0..problem.items.len() {
            if chance.below(3) == 0 {
                assignment.place(item, chance.below(problem.slots.len()));
            }
        }
        check(&problem, &assignment, &mut counts);
        let mut assignment = Assignment::new();
        loop {
            check(&problem, &assignment, &mut counts);
            let offers: Vec<_> = problem.offers(&assignment).collect();
            if offers.is_empty() {
                break;
            }
            let (item, slot) = offers[chance.below(offers.len())];
            assignment.place(item, slot);
        }
        assert_eq!(problem.complete(&assignment), problem.feasible(&Assignment::new()));
    }
    assert!(counts.iter().all(|&count| count > problems / 4), "both answers come up: {counts:?}");
}

#[test]
fn random_problems_agree_with_brute_force() {
    against_brute_force(1, false, 3000);
}

#[test]
fn random_contiguous_problems_agree_with_brute_force() {
    against_brute_force(2, true, 3000);
}

/// Eight bodies into three areas, two to four in each.
#[test]
fn set_up() {
    let area = || Slot::between(2, 4);
    let problem = Spec::new(8).slot(area()).slot(area()).slot(area()).check().unwrap();
    let mut placed = Assignment::new();
    assert_eq!(problem.offers(&placed).count(), 24);
    (0..4).for_each(|item| placed.place(item, 0));
    placed.place(4, 1);
    // Three are left for area 1, which lacks one, and area 2, which lacks two: anything goes but area 0.
    assert_eq!(problem.offers(&placed).map(|(_, slot)| slot).collect::<Set>(), Set::from([1, 2]));
    placed.place(5, 1);
    assert_eq!(problem.offers(&placed).collect::<Vec<_>>(), [(6, 2), (7, 2)]);
    placed.place(6, 2);
    placed.place(7, 2);
    assert!(problem.complete(&placed) && problem.offers(&placed).next().is_none());
}

/// Steps lost by units, up to the steps that each has.
#[test]
fn losses() {
    let problem = Spec::new(3).slot(Slot::up_to(1)).slot(Slot::up_to(2)).check().unwrap();
    let mut placed = Assignment::new();
    placed.place(0, 1);
    placed.place(1, 1);
    assert_eq!(problem.offers(&placed).collect::<Vec<_>>(), [(2, 0)]);
    let too_many = Spec::new(4).slot(Slot::up_to(1)).slot(Slot::up_to(2)).check().unwrap();
    assert!(!too_many.feasible(&Assignment::new()) && too_many.offers(&Assignment::new()).next().is_none());
}

#[test]
fn mistakes_are_told_together() {
    let overlapping = Slot::any().needs(1, Set::from([0, 1])).needs(1, Set::from([1, 2])).contiguous();
    let mistakes = Spec::new(65).slot(overlapping).filled(1, Set::from([0, 5])).check().unwrap_err();
    assert_eq!(
        mistakes,
        [
            Mistake::TooManyItems(65),
            Mistake::UnknownSlots { slots: Set::from([5]) },
            Mistake::NoNeighbours { slot: 0 },
            Mistake::OverlappingNeeds { slot: 0 },
        ]
    );
    let slots = (0..65).fold(Spec::new(1), |spec, _| spec.slot(Slot::any())).check();
    assert_eq!(slots.unwrap_err(), [Mistake::TooManySlots(65)]);
}

#[test]
fn strange_assignments_are_not_feasible() {
    let problem = Spec::new(2).slot(Slot::any()).slot(Slot::any()).check().unwrap();
    for places in [&[(2, 0)][..], &[(0, 2)], &[(0, 0), (0, 1)]] {
        let mut assignment = Assignment::new();
        places.iter().for_each(|&(item, slot)| assignment.place(item, slot));
        assert!(!problem.feasible(&assignment), "{places:?}");
        problem.offers(&assignment).count();
    }
    let mut far = Assignment::new();
    far.place(70, 0);
    far.place(0, 70);
    assert_eq!(far.placed(), Set::default());
}

#[test]
fn the_largest_problem_ends() {
    let mut spec = Spec::new(64).neighbours(|a, b| b - a == 1);
    for slot in 0..64 {
        spec = spec
            .slot(Slot::between(1, 64).only(Set::below(64 - slot % 3)).needs(1, Set::below(60)).or_empty());
    }
    let problem = spec.filled(20, Set::below(64)).check().unwrap();
    assert!(problem.feasible(&Assignment::new()));
    // Triples to be covered exactly, which no matching decides: the search gives up in the end.
    let mut spec = Spec::new(30);
    let mut chance = Chance::new(3);
    for _ in 0..60 {
        let triple = [0; 3].map(|_: usize| chance.below(30));
        spec = spec.slot(Slot::between(3, 3).or_empty().only(Set::from(triple)));
    }
    spec.check().unwrap().offers(&Assignment::new()).count();
}

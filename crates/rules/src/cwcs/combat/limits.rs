//! What Line Positions may hold (3.33), and which of them a side may fill (9.31).

use adjutant_kernel::WordId;
use adjutant_kernel::allocation::Set;
use smallvec::SmallVec;

use super::lines::LinePosition;
use super::party::Filled;

/// What a unit counts as in a position (3.33).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counts {
    /// Regular infantry, by its formation; one of none is like no other.
    Infantry(Option<WordId>),
    /// Militia and garrisons.
    Local,
    /// Cavalry, artillery, and whatever else a title has.
    Other,
}

/// Non-infantry in a position beside the infantry of one formation; and all but regular infantry in one with units of
/// several.
const OTHERS: usize = 2;

/// Regular infantry of several formations in a position.
const MIXED: usize = 2;

/// Whether units may stand in one position together: as the infantry of one formation with two others that are neither
/// militia nor garrison, or as two infantry units of different formations with two others of any kind (3.33). Leaders
/// and dummies do not count.
pub(crate) fn fit_together(units: &[Counts]) -> bool {
    let formations: SmallVec<[Option<WordId>; 8]> = units
        .iter()
        .filter_map(|unit| match unit {
            Counts::Infantry(formation) => Some(*formation),
            Counts::Local | Counts::Other => None,
        })
        .collect();
    let others = units.len() - formations.len();
    let has_local = units.contains(&Counts::Local);
    let same = |a: &Option<WordId>, b: &Option<WordId>| a.is_some() && a == b;
    let one_formation = formations.windows(2).all(|pair| same(&pair[0], &pair[1]));
    let all_differ = (1..formations.len()).all(|n| formations[..n].iter().all(|f| !same(f, &formations[n])));
    let first = one_formation && !has_local && others <= OTHERS;
    let second = all_differ && formations.len() <= MIXED && others <= OTHERS;
    first || second
}

/// A set of positions.
pub(crate) fn as_set(filled: Filled) -> Set {
    LinePosition::ALL.into_iter().map(LinePosition::index).filter(|&n| filled[n]).collect()
}

/// The sets of positions that a side may fill at the beginning, of at most `most`: the center alone, the center and a
/// wing, or all (9.31.a). The attacker, who sees which the defender has filled, has at most two against one, and with
/// two against two those that face them (9.31.b).
pub(crate) fn shapes(most: i32, against: Option<Filled>) -> SmallVec<[Set; 4]> {
    let sets = [Set::from([1]), Set::from([0, 1]), Set::from([1, 2]), Set::from([0, 1, 2])];
    let theirs = against.map(as_set);
    let facing: Option<Set> = theirs.map(|set| {
        let facing = LinePosition::ALL.into_iter().filter(|p| set.contains(p.facing().index()));
        facing.map(LinePosition::index).collect()
    });
    let may = |set: &Set| match (set.len(), theirs.map(Set::len)) {
        (1, _) => true,
        (n, _) if n as i32 > most => false,
        (3, Some(1)) => false,
        (2, Some(2)) => facing == Some(*set),
        _ => true,
    };
    sets.into_iter().filter(may).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Counts = Counts::Infantry(Some(WordId(1)));
    const B: Counts = Counts::Infantry(Some(WordId(2)));
    const NONE: Counts = Counts::Infantry(None);
    const LOCAL: Counts = Counts::Local;
    const OTHER: Counts = Counts::Other;

    /// cwcs:3.33.1
    #[test]
    fn all_of_one_formation_with_two_others_that_are_no_militia() {
        assert!(fit_together(&[A, A, A, A, OTHER, OTHER]));
        assert!(!fit_together(&[A, A, OTHER, OTHER, OTHER]));
        assert!(!fit_together(&[A, A, LOCAL]));
    }

    /// cwcs:3.33.2, cwcs:3.33#2
    #[test]
    fn two_of_different_formations_with_two_of_anything() {
        assert!(fit_together(&[A, B, LOCAL, OTHER]));
        assert!(fit_together(&[A, LOCAL, LOCAL]));
        assert!(fit_together(&[LOCAL, OTHER]) && fit_together(&[OTHER, OTHER]));
        assert!(fit_together(&[NONE, NONE, LOCAL]));
        assert!(!fit_together(&[A, B, LOCAL, OTHER, OTHER]));
        assert!(!fit_together(&[A, A, B]));
        assert!(!fit_together(&[OTHER, OTHER, LOCAL]));
        assert!(!fit_together(&[NONE, NONE, NONE]));
    }

    /// cwcs:9.31.a
    #[test]
    fn the_center_is_always_held() {
        let all = shapes(3, None);
        assert_eq!(all[..], [Set::from([1]), Set::from([0, 1]), Set::from([1, 2]), Set::from([0, 1, 2])]);
        assert_eq!(shapes(2, None)[..], all[..3]);
        assert_eq!(shapes(0, None)[..], all[..1]);
    }

    /// cwcs:9.31#2, cwcs:9.31.b#2, cwcs:9.31.b#3
    #[test]
    fn the_attacker_conforms_to_the_defender() {
        let lines = |against| shapes(3, Some(against)).to_vec();
        let [center, left, right, all] =
            [Set::from([1]), Set::from([0, 1]), Set::from([1, 2]), Set::below(3)];
        assert_eq!(lines([false, true, false]), [center, left, right]);
        // The defender holds center and right: two attack in center and left.
        assert_eq!(lines([false, true, true]), [center, left, all]);
        assert_eq!(lines([true, true, false]), [center, right, all]);
        assert_eq!(lines([true, true, true]), [center, left, right, all]);
    }
}

//! Which Line Positions fight which (9.51): a position attacks the one that faces it; one that faces nobody attacks, or
//! is attacked by, the nearest.

use smallvec::SmallVec;

use super::lines::LinePosition;
use super::party::Filled;

/// An attack: the attacker's position and the defender's.
pub(crate) type Attack = (LinePosition, LinePosition);

/// Attacks in a row.
pub(crate) type Attacks = SmallVec<[Attack; 4]>;

/// The positions of both sides that hold somebody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub(crate) attacker: Filled,
    pub(crate) defender: Filled,
}

impl Lines {
    fn attacks(self, position: LinePosition) -> bool {
        self.attacker[position.index()]
    }

    fn defends(self, position: LinePosition) -> bool {
        self.defender[position.index()]
    }

    /// Whether an attack is one that could be: they face one another, or one of them faces nobody and there is none
    /// nearer to it.
    pub(crate) fn may_meet(self, (attacking, defending): Attack) -> bool {
        if !self.attacks(attacking) || !self.defends(defending) {
            return false;
        }
        let unopposed_attack = !self.defends(attacking.facing());
        let unopposed_defence = !self.attacks(defending.facing());
        attacking.facing() == defending
            || (unopposed_attack && is_nearest(self.defender, attacking.facing(), defending))
            || (unopposed_defence && is_nearest(self.attacker, defending.facing(), attacking))
    }

    /// The attacks that may be declared after these (9.5, 9.51): each position of either side must be in one, those that
    /// face one another in one with each other, and nobody is attacked twice while another has not been attacked.
    pub(crate) fn next(self, declared: &[Attack]) -> Attacks {
        let attacked = |position: LinePosition| declared.iter().any(|(_, d)| *d == position);
        let has_attacked = |position: LinePosition| declared.iter().any(|(a, _)| *a == position);
        let all_attacked = LinePosition::ALL.iter().all(|&p| !self.defends(p) || attacked(p));
        let mut next = Attacks::new();
        for attacking in LinePosition::ALL {
            for defending in LinePosition::ALL {
                let attack = (attacking, defending);
                if !self.may_meet(attack) || declared.contains(&attack) {
                    continue;
                }
                let wanted = attacking.facing() == defending
                    || (!self.defends(attacking.facing()) && !has_attacked(attacking))
                    || (!self.attacks(defending.facing()) && !attacked(defending));
                if wanted && (!attacked(defending) || all_attacked) {
                    next.push(attack);
                }
            }
        }
        next
    }
}

/// Whether no position of those filled is nearer to a place than this one.
fn is_nearest(filled: Filled, to: LinePosition, position: LinePosition) -> bool {
    let distance = |p: LinePosition| p.index().abs_diff(to.index());
    LinePosition::ALL.into_iter().all(|p| !filled[p.index()] || distance(p) >= distance(position))
}

#[cfg(test)]
mod tests {
    use super::LinePosition::{Center, Left, Right};
    use super::*;

    /// All attacks that come about when the first that may be is declared, again and again.
    fn first(attacker: Filled, defender: Filled) -> Vec<Attack> {
        let (lines, mut declared) = (Lines { attacker, defender }, Vec::new());
        while let Some(&attack) = lines.next(&declared).first() {
            declared.push(attack);
        }
        declared
    }

    const ONE: Filled = [false, true, false];
    const ALL: Filled = [true, true, true];

    /// cwcs:9.51.a#1: his left faces my right.
    #[test]
    fn equal_lines_attack_who_faces_them() {
        assert_eq!(first(ONE, ONE), [(Center, Center)]);
        assert_eq!(first(ALL, ALL), [(Left, Right), (Center, Center), (Right, Left)]);
        assert_eq!(first([true, true, false], [false, true, true]), [(Left, Right), (Center, Center)]);
    }

    /// cwcs:9.12.b#4, cwcs:9.51.a#2, cwcs:9.5#4: the second attack on the center comes last.
    #[test]
    fn a_surplus_attacker_joins_in_against_the_next() {
        assert_eq!(first([true, true, false], ONE), [(Left, Center), (Center, Center)]);
        let lines = Lines { attacker: ALL, defender: [false, true, true] };
        assert_eq!(lines.next(&[])[..], [(Left, Right), (Center, Center), (Right, Center)]);
        assert_eq!(lines.next(&[(Center, Center)])[..], [(Left, Right)]);
        assert_eq!(lines.next(&[(Center, Center), (Left, Right)])[..], [(Right, Center)]);
    }

    /// cwcs:9.12.b#3, cwcs:9.51.a#4, cwcs:9.33#3
    #[test]
    fn one_attacker_faces_all() {
        assert_eq!(first(ONE, ALL), [(Center, Left), (Center, Center), (Center, Right)]);
        assert_eq!(first([true, true, false], ALL), [(Left, Right), (Center, Left), (Center, Center)]);
    }

    /// What is left after a withdrawal: the nearest fight, and where two are as near the attacker chooses.
    #[test]
    fn lines_with_a_gap_still_all_fight() {
        assert_eq!(first(ONE, [true, false, true]), [(Center, Left), (Center, Right)]);
        let lines = Lines { attacker: ALL, defender: [true, false, true] };
        let declared = [(Left, Right), (Right, Left)];
        assert_eq!(lines.next(&declared)[..], [(Center, Left), (Center, Right)]);
        assert_eq!(lines.next(&[declared[0], declared[1], (Center, Left)])[..], []);
        assert_eq!(first([true, false, false], [true, false, false]), [(Left, Left)]);
        assert_eq!(
            first([true, true, false], [true, true, false]),
            [(Left, Center), (Center, Left), (Center, Center)]
        );
    }
}

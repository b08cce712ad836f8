//! The dice of a table, and how they are read.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::chance::below;

/// Most dice that one throw may have, so that what fell is kept without allocating.
pub const MOST_DICE: u8 = 15;

/// The dice that are thrown on a table.
///
/// ```
/// use adjutant_kernel::tables::{Dice, Faces};
/// let faces = Faces::new(&[3, 5]).unwrap();
/// assert_eq!(Dice::Sum { count: 2, sides: 6 }.read(&faces), Some(8));
/// assert_eq!(Dice::TensAndUnits { sides: 6 }.read(&faces), Some(35));
/// assert_eq!(Dice::one(4).read(&faces), None); // no such throw
/// assert_eq!(Dice::one(6).throw(u64::MAX)[..], [6]); // from a word of chance
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Dice {
    /// No dice: rows and columns are both known.
    #[default]
    None,
    /// The sum of `count` dice with `sides` sides: 1d6, 2d6, 1d10.
    Sum {
        /// How many dice, 1 to [`MOST_DICE`].
        count: u8,
        /// Sides of each, from 2.
        sides: u16,
    },
    /// Two dice read as tens and units (d66: 11 to 16, 21 to 26, ...). A die modifier goes on by so many rolls
    /// in that order: 16 and one is 21.
    TensAndUnits {
        /// Sides of each, 2 to 9.
        sides: u16,
    },
}

impl Dice {
    /// One die with so many sides.
    pub const fn one(sides: u16) -> Self {
        Dice::Sum { count: 1, sides }
    }

    /// How many dice, and the sides of each.
    pub fn count_and_sides(&self) -> (u8, u16) {
        match *self {
            Dice::None => (0, 1),
            Dice::Sum { count, sides } => (count, sides),
            Dice::TensAndUnits { sides } => (2, sides),
        }
    }

    /// Whether such dice exist: counts and sides within their bounds, and no more than 2^32 ways to fall.
    ///
    /// ```
    /// use adjutant_kernel::tables::Dice;
    /// assert!(Dice::Sum { count: 3, sides: 6 }.is_valid());
    /// assert!(!Dice::Sum { count: 16, sides: 6 }.is_valid() && !Dice::TensAndUnits { sides: 10 }.is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        match *self {
            Dice::None => true,
            Dice::Sum { count, sides } => {
                let ways = u64::from(sides).checked_pow(count.into());
                (1..=MOST_DICE).contains(&count) && sides >= 2 && ways.is_some_and(|ways| ways < 1 << 32)
            }
            Dice::TensAndUnits { sides } => (2..=9).contains(&sides),
        }
    }

    /// Throws them with one word of chance: one draw, however many dice. All ways to fall have the same chance,
    /// but for the bias of [`below`].
    pub fn throw(&self, word: u64) -> Faces {
        let (count, sides) = self.count_and_sides();
        let mut way = below(word, u32::from(sides).saturating_pow(count.into()));
        let mut faces = Faces { count: count.min(MOST_DICE), ..Faces::default() };
        for face in &mut faces.faces[..usize::from(faces.count)] {
            *face = (way % u32::from(sides.max(1))) as u16 + 1;
            way /= u32::from(sides.max(1));
        }
        faces
    }

    /// The roll that the faces make; `None` if they are not faces of these dice, or there are no dice.
    pub fn read(&self, faces: &Faces) -> Option<i32> {
        let (count, sides) = self.count_and_sides();
        if faces.count != count || faces.iter().any(|face| !(1..=sides).contains(face)) {
            return None;
        }
        match self {
            Dice::None => None,
            Dice::Sum { .. } => Some(faces.iter().map(|&face| i32::from(face)).sum()),
            Dice::TensAndUnits { .. } => Some(i32::from(faces[0]) * 10 + i32::from(faces[1])),
        }
    }

    /// Each roll that can come up, rising, with the number of ways in which the dice can fall so.
    ///
    /// ```
    /// use adjutant_kernel::tables::Dice;
    /// let two = Dice::Sum { count: 2, sides: 6 };
    /// assert_eq!(two.rolls().find(|&(roll, _)| roll == 7), Some((7, 6)));
    /// ```
    pub fn rolls(&self) -> impl Iterator<Item = (i32, u64)> {
        let rolls: Vec<(i32, u64)> = match *self {
            _ if !self.is_valid() => Vec::new(),
            Dice::None => Vec::new(),
            Dice::Sum { count, sides } => {
                let mut ways = vec![1u64]; // ways[sum - dice so far]
                for _ in 0..count {
                    let mut more = vec![0; ways.len() + usize::from(sides) - 1];
                    for (sum, way) in ways.iter().enumerate() {
                        more[sum..sum + usize::from(sides)].iter_mut().for_each(|w| *w += way);
                    }
                    ways = more;
                }
                (i32::from(count)..).zip(ways).collect()
            }
            Dice::TensAndUnits { sides } => {
                (0..i32::from(sides).pow(2)).map(|way| (self.roll_at(way), 1)).collect()
            }
        };
        rolls.into_iter()
    }

    /// The place of a roll in the order of rolls, by which modifiers count.
    pub(super) fn place_of(&self, roll: i32) -> i32 {
        match *self {
            Dice::None | Dice::Sum { .. } => roll,
            Dice::TensAndUnits { sides } => (roll / 10 - 1) * i32::from(sides) + roll % 10 - 1,
        }
    }

    /// The roll at a place in the order of rolls; places beyond 11..=66 give rolls beyond them.
    pub(super) fn roll_at(&self, place: i32) -> i32 {
        match *self {
            Dice::None | Dice::Sum { .. } => place,
            Dice::TensAndUnits { sides } => {
                let sides = i32::from(sides.max(1));
                let tens = place.div_euclid(sides).saturating_add(1).saturating_mul(10);
                tens.saturating_add(place.rem_euclid(sides) + 1)
            }
        }
    }
}

/// What fell: the face of each die, in the order of the dice. Reads as a slice.
///
/// ```
/// use adjutant_kernel::tables::{Faces, TooManyDice};
/// let forced = Faces::new(&[6, 1]).unwrap();
/// assert_eq!((forced[0], forced.len()), (6, 2));
/// assert_eq!(Faces::try_from(vec![1; 16]), Err(TooManyDice));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<u16>", into = "Vec<u16>")]
pub struct Faces {
    faces: [u16; MOST_DICE as usize],
    count: u8,
}

/// More dice than one throw may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at most {MOST_DICE} dice are thrown at once")]
pub struct TooManyDice;

impl Faces {
    /// These faces (forced dice); `None` if they are more than [`MOST_DICE`].
    pub fn new(faces: &[u16]) -> Option<Self> {
        let mut copy = [0; MOST_DICE as usize];
        copy.get_mut(..faces.len())?.copy_from_slice(faces);
        Some(Faces { faces: copy, count: faces.len() as u8 })
    }
}

impl Deref for Faces {
    type Target = [u16];

    fn deref(&self) -> &[u16] {
        &self.faces[..usize::from(self.count)]
    }
}

impl TryFrom<Vec<u16>> for Faces {
    type Error = TooManyDice;

    fn try_from(faces: Vec<u16>) -> Result<Self, TooManyDice> {
        Faces::new(&faces).ok_or(TooManyDice)
    }
}

impl From<Faces> for Vec<u16> {
    fn from(faces: Faces) -> Self {
        faces.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Throws each way once: the words are spread evenly over the ways.
    fn thrown(dice: Dice, ways: u64) -> BTreeMap<i32, u64> {
        let mut counts = BTreeMap::new();
        for way in 0..ways {
            let word = ((u128::from(way) << 64) / u128::from(ways)) as u64 + 1;
            *counts.entry(dice.read(&dice.throw(word)).unwrap()).or_default() += 1;
        }
        counts
    }

    #[test]
    fn throws_follow_the_declared_chances() {
        for (dice, ways) in [
            (Dice::one(6), 6),
            (Dice::one(10), 10),
            (Dice::Sum { count: 2, sides: 6 }, 36),
            (Dice::Sum { count: 3, sides: 6 }, 216),
            (Dice::TensAndUnits { sides: 6 }, 36),
        ] {
            assert!(dice.is_valid());
            assert_eq!(thrown(dice, ways), dice.rolls().collect(), "{dice:?}");
        }
    }

    #[test]
    fn d66_counts_in_rolls() {
        let d66 = Dice::TensAndUnits { sides: 6 };
        assert_eq!(d66.read(&Faces::new(&[1, 6]).unwrap()), Some(16));
        assert_eq!(d66.roll_at(d66.place_of(16) + 1), 21);
        assert_eq!(d66.roll_at(d66.place_of(21) - 1), 16);
        assert!(d66.roll_at(d66.place_of(66) + 1) > 66 && d66.roll_at(d66.place_of(11) - 1) < 11);
        assert!(d66.rolls().all(|(roll, _)| d66.roll_at(d66.place_of(roll)) == roll));
    }

    #[test]
    fn impossible_dice_and_faces_are_told() {
        for dice in [
            Dice::Sum { count: 0, sides: 6 },
            Dice::Sum { count: 16, sides: 2 },
            Dice::Sum { count: 13, sides: 6 },
            Dice::one(1),
            Dice::TensAndUnits { sides: 10 },
        ] {
            assert!(!dice.is_valid(), "{dice:?}");
            assert_eq!(dice.rolls().count(), 0);
            dice.throw(u64::MAX);
        }
        for faces in [&[][..], &[0], &[7], &[1, 1]] {
            assert_eq!(Dice::one(6).read(&Faces::new(faces).unwrap()), None, "{faces:?}");
        }
        assert_eq!(Faces::new(&[1; 16]), None);
    }
}

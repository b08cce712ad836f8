//! Hexes as exact integer coordinates: directions, distance, rings.
//!
//! A hex has axial coordinates `(q, r)`; the third cube coordinate is `s = -q - r`. The two orientations of a
//! grid differ only in how columns and rows become axial coordinates and in how the directions are called;
//! everything here is the same for both.

use serde::{Deserialize, Serialize};

/// How the hexes of a grid lie.
///
/// ```
/// use adjutant_kernel::board::{Direction, Orientation};
/// assert_eq!(Direction::ALL[0].name(Orientation::FlatTop), "N");
/// assert_eq!(Direction::ALL[0].name(Orientation::PointyTop), "NW");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Orientation {
    /// A side is at the top of a hex: hexes stand in straight columns, every second one shifted down.
    FlatTop,
    /// A corner is at the top of a hex: hexes lie in straight rows, every second one shifted right.
    PointyTop,
}

/// A hex by its axial coordinates, on the map or off it.
///
/// Coordinates wrap around at the ends of `i16`, far outside every grid (at most 10,000 columns and rows).
///
/// ```
/// use adjutant_kernel::board::Hex;
/// let (a, b) = (Hex::new(0, 0), Hex::new(2, -1));
/// assert_eq!(a.distance(b), 2);
/// assert_eq!(a.direction_to(b), None); // no row of hexes leads straight there
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Hex {
    /// Axial column: grows to the right.
    pub q: i16,
    /// Axial row: grows downward.
    pub r: i16,
}

/// One of the six directions of a hex row, numbered clockwise from 0. Direction 0 is north on a flat-top grid and
/// north-west on a pointy-top one.
///
/// ```
/// use adjutant_kernel::board::{Direction, Hex};
/// let north = Direction::ALL[0];
/// assert_eq!(north.turned(-1), Direction::ALL[5]);
/// assert_eq!(north.opposite().index(), 3);
/// let here = Hex::new(4, 4);
/// assert_eq!(here.ahead(north, 3).neighbour(north.opposite()), here.ahead(north, 2));
/// assert!(Direction::try_from(6).is_err()); // there are six, 0 to 5
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Direction(u8);

/// The step of each direction, clockwise.
const STEPS: [(i16, i16); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

impl Direction {
    /// All six, clockwise.
    pub const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];

    /// The number of the direction, 0 to 5.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The direction so many sixths of a circle clockwise (counter-clockwise if negative).
    #[inline]
    pub fn turned(self, sixths: i32) -> Direction {
        Direction((i32::from(self.0) + sixths.rem_euclid(6)).rem_euclid(6) as u8)
    }

    /// The direction back.
    #[inline]
    pub fn opposite(self) -> Direction {
        Direction((self.0 + 3) % 6)
    }

    /// The direction on the compass, with north at the top of the map.
    pub fn name(self, orientation: Orientation) -> &'static str {
        match orientation {
            Orientation::FlatTop => ["N", "NE", "SE", "S", "SW", "NW"][self.index()],
            Orientation::PointyTop => ["NW", "NE", "E", "SE", "SW", "W"][self.index()],
        }
    }
}

impl TryFrom<u8> for Direction {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Self::ALL
            .get(number as usize)
            .copied()
            .ok_or_else(|| format!("{number} is no hex direction; they are 0 to 5"))
    }
}

impl From<Direction> for u8 {
    fn from(direction: Direction) -> u8 {
        direction.0
    }
}

impl Hex {
    /// The hex at these axial coordinates.
    #[inline]
    pub fn new(q: i16, r: i16) -> Self {
        Self { q, r }
    }

    /// The next hex in a direction.
    #[inline]
    pub fn neighbour(self, direction: Direction) -> Hex {
        let (q, r) = STEPS[direction.index()];
        Hex { q: self.q.wrapping_add(q), r: self.r.wrapping_add(r) }
    }

    /// The hex so many steps in a direction.
    #[inline]
    pub fn ahead(self, direction: Direction, steps: u16) -> Hex {
        let (q, r) = STEPS[direction.index()];
        let steps = steps as i16;
        Hex { q: self.q.wrapping_add(q.wrapping_mul(steps)), r: self.r.wrapping_add(r.wrapping_mul(steps)) }
    }

    /// Distance in hexes: the least number of steps from hex to hex.
    #[inline]
    pub fn distance(self, other: Hex) -> u32 {
        let (q, r) = self.offset_of(other);
        q.unsigned_abs().max(r.unsigned_abs()).max((q + r).unsigned_abs())
    }

    /// The direction of the straight row of hexes from here to `other`; `None` if there is none or it is this hex.
    pub fn direction_to(self, other: Hex) -> Option<Direction> {
        let (q, r) = self.offset_of(other);
        let number = match (q.signum(), r.signum()) {
            (0, -1) => 0,
            (1, -1) if q == -r => 1,
            (1, 0) => 2,
            (0, 1) => 3,
            (-1, 1) if q == -r => 4,
            (-1, 0) => 5,
            _ => return None,
        };
        Some(Direction(number))
    }

    /// The hexes at exactly this distance, clockwise, beginning with the one `radius` hexes away in direction 4: 6
    /// for each hex of radius, and for radius 0 the hex itself. Hexes that are on no map are among them.
    pub fn ring(self, radius: u16) -> impl Iterator<Item = Hex> {
        let corners = if radius == 0 { 1 } else { 6 };
        Direction::ALL.into_iter().take(corners).flat_map(move |side| {
            let corner = self.ahead(side.turned(4), radius);
            (0..radius.max(1)).map(move |steps| corner.ahead(side, steps))
        })
    }

    /// The hexes at most this far, from near to far, each ring clockwise.
    pub fn within(self, radius: u16) -> impl Iterator<Item = Hex> {
        (0..=radius).flat_map(move |r| self.ring(r))
    }

    #[inline]
    fn offset_of(self, other: Hex) -> (i32, i32) {
        (i32::from(other.q) - i32::from(self.q), i32::from(other.r) - i32::from(self.r))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_go_round() {
        let hex = Hex::new(3, -7);
        for d in Direction::ALL {
            assert_eq!(hex.neighbour(d).neighbour(d.opposite()), hex);
            assert_eq!(d.turned(6), d);
            assert_eq!(d.turned(-1).turned(1), d);
            assert_eq!(d.turned(3), d.opposite());
            // The side between the neighbours in directions d and d+1 lies in direction d+2 of the first.
            assert_eq!(hex.neighbour(d).neighbour(d.turned(2)), hex.neighbour(d.turned(1)));
            assert_eq!(hex.direction_to(hex.neighbour(d).neighbour(d)), Some(d));
        }
        assert!(Direction::try_from(6).is_err());
    }

    #[test]
    fn rings_hold_the_hexes_at_their_distance() {
        let centre = Hex::new(-2, 5);
        for radius in 0..6u16 {
            let ring: std::collections::BTreeSet<Hex> = centre.ring(radius).collect();
            assert_eq!(centre.ring(radius).count(), ring.len());
            let mut expected = std::collections::BTreeSet::new();
            for q in -20..20 {
                for r in -20..20 {
                    if centre.distance(Hex::new(q, r)) == u32::from(radius) {
                        expected.insert(Hex::new(q, r));
                    }
                }
            }
            assert_eq!(ring, expected);
        }
        assert_eq!(centre.within(3).count(), 37);
    }
}

//! The straight line between the centres of two hexes, exactly.
//!
//! In cube coordinates a hex is where three differences (one an axis: `x - y`, `y - z`, `z - x`) are each at most 1
//! from those of its centre, so that all comparisons along a line are between fractions of small integers. The
//! line from `b` to `a` is the line from `a` to `b` in reverse, left and right exchanged.

use super::hex::{Direction, Hex};
use super::{Board, HexMap};
use crate::{BorderId, SpaceId};
use std::cmp::Ordering;

/// A hex of a line, on the map or not.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, Cell, HexGridSpec, LineStep, Orientation, Provenance, Shift};
/// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// let mut grid = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 1, 3);
/// grid.holes.push("0102".into());
/// # let board = builder.network("land").hex_grid(grid, ["land"]).apart("0103").build().unwrap();
/// let (a, b) = (board.space_named("0101").unwrap(), board.space_named("0103").unwrap());
/// let cells: Vec<Cell> = board.line(a, b).unwrap().filter_map(|step| match step {
///     LineStep::Through(cell) => Some(cell),
///     _ => None,
/// }).collect();
/// assert_eq!(cells[1].space, None); // the hole
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The hex.
    pub hex: Hex,
    /// Its space; `None` off the map and in a hole.
    pub space: Option<SpaceId>,
}

/// A hexside of a line, on the map or not.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, Hexside, HexGridSpec, LineStep, Orientation, Provenance, Shift};
/// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 1, 2), ["land"]);
/// # let board = builder.build().unwrap();
/// let (a, b) = (board.space_named("0101").unwrap(), board.space_named("0102").unwrap());
/// let steps: Vec<LineStep> = board.line(a, b).unwrap().collect();
/// let border = board.border_named("0101|0102");
/// let hexes = (board.hex(a).unwrap(), board.hex(b).unwrap());
/// assert_eq!(steps[1], LineStep::Across(Hexside { hexes, border }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hexside {
    /// The hexes on both sides, in ascending order.
    pub hexes: (Hex, Hex),
    /// Its border; `None` if neither hex is on the map.
    pub border: Option<BorderId>,
}

/// What a line does next. Left and right are seen along the line with the map upright.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, HexGridSpec, LineStep, Orientation, Provenance, Shift};
/// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3), ["land"]);
/// # let board = builder.build().unwrap();
/// let hex = |number| board.space_named(number).unwrap();
/// let along = |step: &LineStep| matches!(step, LineStep::AlongSide { .. });
/// assert!(board.line(hex("0102"), hex("0302")).unwrap().any(|step| along(&step)));
/// assert!(!board.line(hex("0101"), hex("0203")).unwrap().any(|step| along(&step)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineStep {
    /// Crosses the inside of a hex; the first step and the last are such, and every second one.
    Through(Cell),
    /// Crosses a hexside between its corners.
    Across(Hexside),
    /// Enters a hexside at one corner, runs along it and leaves it at the other corner.
    AlongSide {
        /// The hex before.
        from: Cell,
        /// The hex on the left of the line.
        left: Cell,
        /// The hex on the right of the line.
        right: Cell,
        /// The hexside between left and right.
        side: Hexside,
        /// The hex after.
        to: Cell,
    },
    /// Passes from hex to hex exactly through a corner that they share.
    ThroughVertex {
        /// The hex before.
        from: Cell,
        /// The third hex at the corner, touched there only.
        beside: Cell,
        /// The hexside between the hexes before and after, at whose end the corner is.
        side: Hexside,
        /// The hex after.
        to: Cell,
    },
}

/// The steps of the straight line between two hex centres.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, HexGridSpec, LineStep, Orientation, Provenance, Shift};
/// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3), ["land"]);
/// # let board = builder.build().unwrap();
/// let hex = |number| board.space_named(number).unwrap();
/// let mut line = board.line(hex("0101"), hex("0103")).unwrap(); // straight down a column
/// let Some(LineStep::Through(cell)) = line.next() else { panic!() };
/// assert_eq!(cell.space, Some(hex("0101")));
/// let Some(LineStep::Across(hexside)) = line.next() else { panic!() };
/// assert_eq!(hexside.border, board.border_between(hex("0101"), hex("0102")));
/// assert_eq!(line.count(), 3); // through 0102, across, through 0103
/// ```
#[derive(Clone, Debug)]
pub struct Line<'a> {
    map: &'a HexMap,
    start: Hex,
    end: Hex,
    /// The directions in which the line advances, and how far it does; an advance of 0 is none.
    advances: [(Direction, i64); 3],
    at: Hex,
    /// The line is inside `at`, which has been reported.
    inside: bool,
    finished: bool,
}

impl Board {
    /// The straight line from the centre of a hex to that of another; `None` if one of the spaces is an area.
    ///
    /// ```
    /// use adjutant_kernel::board::{BoardBuilder, HexGridSpec, LineStep, Orientation, Provenance, Shift};
    /// let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// let grid = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 2);
    /// let board = builder.network("land").hex_grid(grid, ["land"]).build().unwrap();
    /// let (a, b) = (board.space_named("0101").unwrap(), board.space_named("0301").unwrap());
    /// let steps: Vec<LineStep> = board.line(a, b).unwrap().collect();
    /// // Between the two columns lies 0201, a half hex lower: the line runs along its upper side.
    /// let LineStep::AlongSide { left, right, .. } = steps[1] else { panic!() };
    /// assert_eq!((left.space, right.space), (None, board.space_named("0201")));
    /// ```
    pub fn line(&self, from: SpaceId, to: SpaceId) -> Option<Line<'_>> {
        let (start, end) = (self.hex(from)?, self.hex(to)?);
        let map = self.hexes.as_ref()?;
        // Of a direction and its opposite the line advances in one at most.
        let advances = [0, 1, 2].map(|axis| {
            let (direction, whole) = (Direction::ALL[axis], project(Direction::ALL[axis], start, end));
            if whole < 0 { (direction.opposite(), -whole) } else { (direction, whole) }
        });
        Some(Line { map, start, end, advances, at: start, inside: false, finished: false })
    }
}

impl Iterator for Line<'_> {
    type Item = LineStep;

    fn next(&mut self) -> Option<LineStep> {
        if self.finished {
            return None;
        }
        if !self.inside {
            self.inside = true;
            self.finished = self.at == self.end;
            return Some(LineStep::Through(self.map.cell(self.at)));
        }
        self.inside = false;
        let (map, here) = (self.map, self.at);
        let from = map.cell(here);
        Some(match self.exit() {
            Exit::Side(direction) => {
                self.at = here.neighbour(direction);
                LineStep::Across(map.hexside(here, direction))
            }
            Exit::Vertex(left) => {
                let right = left.turned(1);
                // From the hex on the left to that on the right.
                let across = left.turned(2);
                let (left_hex, right_hex) = (here.neighbour(left), here.neighbour(right));
                match project(across, self.start, self.end).signum() {
                    0 => {
                        self.at = left_hex.neighbour(right);
                        LineStep::AlongSide {
                            from,
                            left: map.cell(left_hex),
                            right: map.cell(right_hex),
                            side: map.hexside(left_hex, across),
                            to: map.cell(self.at),
                        }
                    }
                    sign => {
                        let (onward, beside) = if sign > 0 { (right, left_hex) } else { (left, right_hex) };
                        self.at = here.neighbour(onward);
                        LineStep::ThroughVertex {
                            from,
                            beside: map.cell(beside),
                            side: map.hexside(here, onward),
                            to: map.cell(self.at),
                        }
                    }
                }
            }
        })
    }
}

/// How a line leaves a hex.
enum Exit {
    Side(Direction),
    /// Between this direction, on the left, and the next clockwise, on the right.
    Vertex(Direction),
}

impl Line<'_> {
    /// The side or corner by which the line leaves the hex that it is in.
    ///
    /// It reaches the side in direction `d` after `(1 + p(start, at)) / p(start, end)` of its length, where `p` is the
    /// projection on `d`; the least such fraction over the directions in which the line advances is the exit.
    fn exit(&self) -> Exit {
        let mut first: Option<(Direction, i64, i64)> = None;
        let mut tie = None;
        for (direction, whole) in self.advances.into_iter().filter(|(_, whole)| *whole > 0) {
            let part = 1 + project(direction, self.start, self.at);
            let order = first.map_or(Ordering::Less, |(_, p, w)| (part * w).cmp(&(p * whole)));
            match order {
                Ordering::Less => (first, tie) = (Some((direction, part, whole)), None),
                Ordering::Equal => tie = Some(direction),
                Ordering::Greater => {}
            }
        }
        // A line that has not ended advances in some direction.
        let first = first.map_or(Direction::ALL[0], |(direction, _, _)| direction);
        match tie {
            None => Exit::Side(first),
            Some(other) if other == first.turned(1) => Exit::Vertex(first),
            Some(other) => Exit::Vertex(other),
        }
    }
}

/// How far `to` lies from `from` in a direction, in units of half the distance between adjacent hexes.
#[inline]
fn project(direction: Direction, from: Hex, to: Hex) -> i64 {
    let (q, r) = (i64::from(to.q) - i64::from(from.q), i64::from(to.r) - i64::from(from.r));
    match direction.index() {
        0 => -q - 2 * r,
        1 => q - r,
        2 => 2 * q + r,
        3 => q + 2 * r,
        4 => r - q,
        _ => -2 * q - r,
    }
}

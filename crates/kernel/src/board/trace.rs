//! Line tracing: whether anything blocks the straight line between two hexes (line of sight, line of fire).

use super::hex::{Direction, Hex};
use super::line::{Cell, Hexside, LineStep};
use super::{Board, HexMap};
use crate::{BorderId, SpaceId};

/// What blocks a line that runs exactly along a hexside or through a vertex.
///
/// Such a line could be nudged by a hair to its left or to its right. Along a hexside, the nudged line crosses the hex
/// on that side and the hexsides by which it enters and leaves it. At a vertex, one nudged line crosses the hexside
/// between the hexes before and after, the other the third hex at the vertex and the two hexsides around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grazing {
    /// Blocked if either nudged line is, or the hexside along which the line runs blocks.
    EitherBlocks,
    /// Blocked only if both nudged lines are.
    BothBlock,
}

/// What hexes off the map and holes do to a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OffMap {
    /// They block like a blocking hex.
    Blocks,
    /// They are clear.
    Clear,
}

/// How a line is traced.
///
/// ```
/// use adjutant_kernel::board::*;
/// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3), ["land"]);
/// # let board = builder.build().unwrap();
/// let hex = |number| board.space_named(number).unwrap();
/// let trace = |along_side| {
///     let policy = LinePolicy { along_side, through_vertex: Grazing::BothBlock, off_map: OffMap::Clear };
///     board.trace(hex("0102"), hex("0302"), policy, |space| space == hex("0202"), |_| false)
/// };
/// assert_eq!(trace(Grazing::BothBlock), Some(Sight::Clear)); // 0201, on the other side, is open
/// assert_eq!(trace(Grazing::EitherBlocks), Some(Sight::Blocked(Obstacle::Space(hex("0202")))));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinePolicy {
    /// Where the line runs along a hexside.
    pub along_side: Grazing,
    /// Where the line passes through a vertex.
    pub through_vertex: Grazing,
    /// Where the line leaves the map.
    pub off_map: OffMap,
}

/// What blocks a line first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A space.
    Space(SpaceId),
    /// A hexside.
    Border(BorderId),
    /// A hex off the map, or a hole.
    OffMap(Hex),
}

/// The result of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// Nothing blocks the line.
    Clear,
    /// The first obstacle from the start of the line; of two beside each other, the left one.
    Blocked(Obstacle),
}

impl Board {
    /// Traces the straight line between the centres of two hexes; `None` if one of the spaces is an area.
    ///
    /// `space_blocks` is asked about the hexes between the two, never about these; `border_blocks` about the hexsides
    /// on the way. If neither depends on the direction of the line, then whether the line is clear does not either;
    /// which obstacle is first does.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// let grid = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3);
    /// let board = builder.network("land").hex_grid(grid, ["land"]).build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// let policy = LinePolicy {
    ///     along_side: Grazing::BothBlock,
    ///     through_vertex: Grazing::BothBlock,
    ///     off_map: OffMap::Blocks,
    /// };
    /// let woods = hex("0202"); // below the hexside along which the line runs; 0201 above it is clear
    /// let sight = board.trace(hex("0102"), hex("0302"), policy, |space| space == woods, |_| false);
    /// assert_eq!(sight, Some(Sight::Clear));
    /// ```
    pub fn trace(
        &self,
        a: SpaceId,
        b: SpaceId,
        policy: LinePolicy,
        space_blocks: impl FnMut(SpaceId) -> bool,
        border_blocks: impl FnMut(BorderId) -> bool,
    ) -> Option<Sight> {
        let map = self.hexes.as_ref()?;
        let end = self.hex(b)?;
        let mut tracer = Tracer { map, policy, end, space_blocks, border_blocks };
        let obstacle = self.line(a, b)?.skip(1).find_map(|step| tracer.obstacle(&step));
        Some(obstacle.map_or(Sight::Clear, Sight::Blocked))
    }
}

struct Tracer<'a, S, B> {
    map: &'a HexMap,
    policy: LinePolicy,
    end: Hex,
    space_blocks: S,
    border_blocks: B,
}

impl<S: FnMut(SpaceId) -> bool, B: FnMut(BorderId) -> bool> Tracer<'_, S, B> {
    fn obstacle(&mut self, step: &LineStep) -> Option<Obstacle> {
        match step {
            LineStep::Through(cell) if cell.hex == self.end => None,
            LineStep::Through(cell) => self.cell(cell),
            LineStep::Across(side) => self.side(side),
            LineStep::AlongSide { from, left, right, side, to } => {
                let left = self.detour(from, left, to);
                let right = self.detour(from, right, to);
                match self.policy.along_side {
                    Grazing::EitherBlocks => left.or(right).or_else(|| self.side(side)),
                    Grazing::BothBlock => left.and_then(|left| right.map(|_| left)),
                }
            }
            LineStep::ThroughVertex { from, beside, side, to } => {
                let direct = self.side(side);
                let detour = self.detour(from, beside, to);
                match self.policy.through_vertex {
                    Grazing::EitherBlocks => direct.or(detour),
                    Grazing::BothBlock => direct.and_then(|direct| detour.map(|_| direct)),
                }
            }
        }
    }

    /// What blocks the way from one hex to another through a third, adjacent to both.
    fn detour(&mut self, from: &Cell, by: &Cell, to: &Cell) -> Option<Obstacle> {
        self.side_between(from, by).or_else(|| self.cell(by)).or_else(|| self.side_between(by, to))
    }

    fn cell(&mut self, cell: &Cell) -> Option<Obstacle> {
        match cell.space {
            Some(space) => (self.space_blocks)(space).then_some(Obstacle::Space(space)),
            None => match self.policy.off_map {
                OffMap::Blocks => Some(Obstacle::OffMap(cell.hex)),
                OffMap::Clear => None,
            },
        }
    }

    fn side(&mut self, side: &Hexside) -> Option<Obstacle> {
        let border = side.border?;
        (self.border_blocks)(border).then_some(Obstacle::Border(border))
    }

    fn side_between(&mut self, a: &Cell, b: &Cell) -> Option<Obstacle> {
        let direction: Direction = a.hex.direction_to(b.hex)?;
        self.side(&self.map.hexside(a.hex, direction))
    }
}

//! The hex grid of a board: spaces and hexes, distance, direction, neighbours, hexsides.

use super::hex::{Direction, Hex};
use super::line::{Cell, Hexside};
use super::{Board, HexGrid, HexMap};
use crate::{BorderId, SpaceId};

impl Board {
    /// The hex grid, if the board has one.
    pub fn hex_grid(&self) -> Option<&HexGrid> {
        self.hexes.as_ref().map(|map| &map.grid)
    }

    /// The hex of a space; `None` for an area.
    #[inline]
    pub fn hex(&self, space: SpaceId) -> Option<Hex> {
        let map = self.hexes.as_ref()?;
        map.grid.hexes().get(space.index().checked_sub(map.first as usize)?).copied()
    }

    /// The space at a hex; `None` off the map and in a hole.
    #[inline]
    pub fn space_at(&self, hex: Hex) -> Option<SpaceId> {
        self.hexes.as_ref()?.space_at(hex)
    }

    /// The border at the hexside of a hex in a direction; `None` if neither hex of it is on the map.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 2, 2), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let corner = board.hex(board.space_named("0101").unwrap()).unwrap();
    /// let edge = board.border_at(corner, Direction::ALL[0]).unwrap();
    /// assert_eq!(board.border_name(edge), "0101|N"); // there is no hex beyond
    /// ```
    #[inline]
    pub fn border_at(&self, hex: Hex, direction: Direction) -> Option<BorderId> {
        self.hexes.as_ref()?.border_at(hex, direction)
    }

    /// The next space in a direction; `None` at the map's edge and for an area.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number);
    /// let [north, _, _, south, ..] = Direction::ALL;
    /// assert_eq!(board.neighbour(hex("0203").unwrap(), south), hex("0204"));
    /// assert_eq!(board.neighbour(hex("0201").unwrap(), north), None); // the edge of the map
    /// ```
    #[inline]
    pub fn neighbour(&self, space: SpaceId, direction: Direction) -> Option<SpaceId> {
        self.space_at(self.hex(space)?.neighbour(direction))
    }

    /// Distance in hexes, over holes too; `None` if one of the spaces is an area.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// assert_eq!(board.distance(hex("0101"), hex("0503")), Some(4));
    /// ```
    #[inline]
    pub fn distance(&self, a: SpaceId, b: SpaceId) -> Option<u32> {
        Some(self.hex(a)?.distance(self.hex(b)?))
    }

    /// The direction of the straight row of hexes from one space to another; `None` if there is none.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// let ahead = board.direction(hex("0205"), hex("0201")).unwrap();
    /// assert_eq!(ahead.name(Orientation::FlatTop), "N");
    /// assert_eq!(board.direction(hex("0101"), hex("0204")), None); // no straight row
    /// ```
    pub fn direction(&self, from: SpaceId, to: SpaceId) -> Option<Direction> {
        self.hex(from)?.direction_to(self.hex(to)?)
    }

    /// No two hexes of the map are farther apart; 0 without a grid.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// assert!(board.distance(hex("0101"), hex("0505")).unwrap() <= u32::from(board.span()));
    /// assert_eq!(board.ring(hex("0303"), 65_535).count(), 0);
    /// assert_eq!(board.within(hex("0303"), 65_535).count(), 25);
    /// ```
    pub fn span(&self) -> u16 {
        self.hexes.as_ref().map_or(0, |map| map.grid.columns() + map.grid.rows())
    }

    /// The spaces at exactly this distance in hexes, clockwise.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// assert_eq!(board.ring(hex("0303"), 2).count(), 12);
    /// assert_eq!(board.ring(hex("0101"), 1).count(), 2); // in the corner
    /// ```
    pub fn ring(&self, space: SpaceId, radius: u16) -> impl Iterator<Item = SpaceId> {
        let hexes = self.hex(space).filter(|_| radius <= self.span());
        let hexes = hexes.into_iter().flat_map(move |hex| hex.ring(radius));
        hexes.filter_map(|hex| self.space_at(hex))
    }

    /// The spaces at most this far in hexes, itself first, from near to far.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// let near: Vec<_> = board.within(hex("0303"), 2).collect();
    /// assert_eq!((near[0], near.len()), (hex("0303"), 19));
    /// ```
    pub fn within(&self, space: SpaceId, radius: u16) -> impl Iterator<Item = SpaceId> {
        let radius = radius.min(self.span());
        let hexes = self.hex(space).into_iter().flat_map(move |hex| hex.within(radius));
        hexes.filter_map(|hex| self.space_at(hex))
    }
}

impl HexMap {
    #[inline]
    pub(super) fn space_at(&self, hex: Hex) -> Option<SpaceId> {
        self.grid.index_of(hex).map(|index| SpaceId(self.first + index as u16))
    }

    #[inline]
    pub(super) fn border_at(&self, hex: Hex, direction: Direction) -> Option<BorderId> {
        if let Some(index) = self.grid.index_of(hex) {
            return Some(self.sides[index][direction.index()]);
        }
        let beyond = self.grid.index_of(hex.neighbour(direction))?;
        Some(self.sides[beyond][direction.opposite().index()])
    }

    pub(super) fn cell(&self, hex: Hex) -> Cell {
        Cell { hex, space: self.space_at(hex) }
    }

    pub(super) fn hexside(&self, hex: Hex, direction: Direction) -> Hexside {
        let beyond = hex.neighbour(direction);
        let border = self.border_at(hex, direction);
        Hexside { hexes: (hex.min(beyond), hex.max(beyond)), border }
    }
}

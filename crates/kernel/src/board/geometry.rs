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
    #[inline]
    pub fn border_at(&self, hex: Hex, direction: Direction) -> Option<BorderId> {
        self.hexes.as_ref()?.border_at(hex, direction)
    }

    /// The next space in a direction; `None` at the map's edge and for an area.
    #[inline]
    pub fn neighbour(&self, space: SpaceId, direction: Direction) -> Option<SpaceId> {
        self.space_at(self.hex(space)?.neighbour(direction))
    }

    /// Distance in hexes, over holes too; `None` if one of the spaces is an area.
    #[inline]
    pub fn distance(&self, a: SpaceId, b: SpaceId) -> Option<u32> {
        Some(self.hex(a)?.distance(self.hex(b)?))
    }

    /// The direction of the straight row of hexes from one space to another; `None` if there is none.
    pub fn direction(&self, from: SpaceId, to: SpaceId) -> Option<Direction> {
        self.hex(from)?.direction_to(self.hex(to)?)
    }

    /// The spaces at exactly this distance in hexes, clockwise.
    pub fn ring(&self, space: SpaceId, radius: u16) -> impl Iterator<Item = SpaceId> {
        let hexes = self.hex(space).into_iter().flat_map(move |hex| hex.ring(radius));
        hexes.filter_map(|hex| self.space_at(hex))
    }

    /// The spaces at most this far in hexes, itself first, from near to far.
    pub fn within(&self, space: SpaceId, radius: u16) -> impl Iterator<Item = SpaceId> {
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

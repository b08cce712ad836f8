//! Who stands where, and what he controls: worked out from what is seen, never remembered.

use adjutant_kernel::board::Board;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{BodyId, LinkId, RuleId, Seen, SideId, Sight as _, SpaceId};

use super::ground::Hexes;
use super::roster::{Kind, UNITS, Unit};
use super::{BLUE, RED, Skirmish, enemy_of};

/// The position at a glance.
pub(crate) struct Field {
    at: [Option<SpaceId>; UNITS],
    /// The hexes where units of each side stand.
    pub(crate) held: [Hexes; 2],
    /// The hexes that each side controls (sk:4.a).
    pub(crate) zone: [Hexes; 2],
}

impl Field {
    /// The position as it is seen.
    pub(crate) fn of(game: &Skirmish, seen: &Seen<'_>) -> Self {
        let mut field = Self { at: [None; UNITS], held: Default::default(), zone: Default::default() };
        let board = seen.rulebook().board();
        for body in bodies() {
            let Some(hex) = seen.space(body) else { continue };
            let side = game.unit(body).side.index();
            field.at[body.index()] = Some(hex);
            field.held[side].add(hex);
            for edge in board.links(hex) {
                if !field.zone[side].has(edge.to) && game.controls(seen, body, edge.link, edge.to).is_ok() {
                    field.zone[side].add(edge.to);
                }
            }
        }
        field
    }

    /// The hex of a unit on the map.
    pub(crate) fn hex(&self, body: BodyId) -> Option<SpaceId> {
        self.at[body.index()]
    }

    /// The units of a side on the map.
    pub(crate) fn units<'a>(
        &'a self,
        game: &'a Skirmish,
        side: SideId,
    ) -> impl Iterator<Item = (BodyId, SpaceId)> + 'a {
        let on_map = |body: BodyId| self.hex(body).map(|hex| (body, hex));
        bodies().filter(move |&b| game.unit(b).side == side).filter_map(on_map)
    }
}

/// All units.
pub(crate) fn bodies() -> impl Iterator<Item = BodyId> {
    (0..UNITS as u16).map(BodyId)
}

impl Skirmish {
    /// The unit that a body is: all identities are public, so each piece is its own body.
    pub(crate) fn unit(&self, body: BodyId) -> &Unit {
        &self.units[body.index()]
    }

    /// Whether a unit controls the hex at the other end of a link, or the rule why not (sk:4.a, sk:4.b).
    pub(crate) fn controls(
        &self,
        seen: &Seen<'_>,
        body: BodyId,
        link: LinkId,
        hex: SpaceId,
    ) -> Result<(), RuleId> {
        let args = [PointArg::Body(body), PointArg::Link(link), PointArg::Space(hex)];
        seen.forbidden(self.points.zone, &args).map_or(Ok(()), Err)
    }

    /// Whether a side controls a hex: the same as [`Field::zone`], asked for one hex.
    pub(crate) fn in_zone(&self, seen: &Seen<'_>, side: SideId, hex: SpaceId) -> bool {
        let board: &Board = seen.rulebook().board();
        board.links(hex).iter().any(|edge| {
            seen.bodies_of(side, edge.to).iter().any(|&b| self.controls(seen, b, edge.link, hex).is_ok())
        })
    }

    /// Whether a unit may go over a link into a hex, or the rule why not (sk:3.d, sk:3.e).
    pub(crate) fn may_cross(
        &self,
        seen: &Seen<'_>,
        body: BodyId,
        link: LinkId,
        hex: SpaceId,
    ) -> Result<(), RuleId> {
        let args = [PointArg::Body(body), PointArg::Link(link), PointArg::Space(hex)];
        seen.forbidden(self.points.may_cross, &args).map_or(Ok(()), Err)
    }

    /// The hexes beside a unit's that it could enter as far as ground and enemies go.
    pub(crate) fn ways_out(&self, seen: &Seen<'_>, body: BodyId) -> Vec<SpaceId> {
        let Some(from) = seen.space(body) else { return Vec::new() };
        let ways = seen.rulebook().board().links(from).iter();
        ways.filter(|e| self.may_cross(seen, body, e.link, e.to).is_ok()).map(|e| e.to).collect()
    }

    /// The enemy hexes that a unit may attack: by assault, and by bombardment alone (sk:6.a, sk:5.a). A unit in
    /// an enemy zone must assault (sk:6.b).
    pub(crate) fn targets(&self, field: &Field, body: BodyId) -> (Hexes, Hexes) {
        let Some(hex) = field.hex(body) else { return Default::default() };
        let unit = self.unit(body);
        let enemies = field.held[enemy_of(unit.side).index()];
        let open = self.ground.open[hex.index()];
        let assault = open.and(enemies);
        let pressed = self.pressed(field, body);
        let bombard = match unit.kind {
            Kind::Guns if !pressed => self.ground.fire[hex.index()].without(open).and(enemies),
            _ => Hexes::default(),
        };
        (assault, bombard)
    }

    /// Whether a unit stands in an enemy zone with somebody to assault.
    pub(crate) fn pressed(&self, field: &Field, body: BodyId) -> bool {
        let Some(hex) = field.hex(body) else { return false };
        let enemy = enemy_of(self.unit(body).side).index();
        field.zone[enemy].has(hex) && !self.ground.open[hex.index()].and(field.held[enemy]).is_empty()
    }
}

const _: () = assert!(BLUE.0 == 0 && RED.0 == 1);

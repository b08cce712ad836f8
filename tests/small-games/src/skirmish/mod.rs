//! Hex skirmish: a small open game on hexes.
//!
//! It plays what hex wargames have in common: zones of control, stacking, movement by cost, lines of fire, odds,
//! assaults that must be made, retreats that displace friends, step losses, advances and morale.
//!
//! # Rules
//! **Sides.** sk:1.a Blue and Red take player turns, Blue first, for as many turns as the scenario says. sk:1.b A
//! player turn is a march, an allotment and the assaults. sk:1.c All information is open.
//!
//! **Units.** sk:2.a Infantry and cavalry have two steps and a lower strength with one; guns have one. sk:2.b At
//! most two units of a side stand in a hex at the end of a march, a retreat or an advance; a marching unit may
//! pass through more. sk:2.c Units of both sides never share a hex.
//!
//! **March.** sk:3.a Each unit moves once a turn, to a hex that it can reach within its movement points. A hex
//! costs 1, sk:3.b one more for woods or a hill, sk:3.c one more over a ford. sk:3.d A river hexside is crossed
//! only at a bridge or a ford. sk:3.e Guns do not enter woods. sk:3.f A unit that has moved does not move again.
//!
//! **Zones of control.** sk:4.a Infantry and cavalry control the six hexes around them; guns control none. sk:4.b
//! A zone crosses a river hexside at a bridge only. sk:4.c A unit that enters an enemy zone stops; cavalry goes on
//! but pays one more for each zone hex it enters. sk:4.d No unit moves from one enemy zone hex straight into
//! another.
//!
//! **Lines of fire.** sk:5.a Guns bombard a hex one to three hexes away that they do not border over a passable
//! hexside. sk:5.b Woods, town and hedge hexsides between block the line; a hill between blocks it unless one of
//! its ends is a hill. sk:5.c A line along a hexside or through a corner is blocked only if both ways round are.
//!
//! **Allotment.** sk:6.a A unit assaults a hex that it borders over a passable hexside. sk:6.b A unit in an enemy
//! zone must assault. sk:6.c As many enemy hexes in own zones must be attacked as can be. The phasing player
//! allots one unit after another and may hold back those that need not attack. sk:6.d He chooses the order of the
//! battles. sk:6.e A unit that leaves its hex before its battle takes no part in it, and a battle without
//! attackers or defenders is not fought.
//!
//! **Battle.** sk:7.a The odds of the attackers' to the defenders' strength, rounded in the defenders' favour,
//! give the column. Shifts left come first: one each for sk:7.b assaults over river hexsides only, sk:7.c a town,
//! sk:7.d a hill, unless an attacker assaults from a hill. Then shifts right, one each for sk:7.e a charge (fresh
//! cavalry that assaults a hex without woods, hill or town) and sk:7.f a pincer (assaults from opposite hexes). The
//! die is one less for sk:7.g defenders in woods and one more for sk:7.h guns that support an assault from afar.
//! sk:7.i Results: AE attackers eliminated; A1 attackers lose a step; AR attackers retreat; EX both lose a step,
//! attackers first; DR defenders retreat; D1 defenders lose a step and retreat; DE defenders eliminated. sk:7.j
//! Bombarding guns suffer nothing. sk:7.k The owner chooses which of several units loses a step.
//!
//! **Retreat.** sk:8.a Units retreat one hex, one after another in the order in which they stand, each once a
//! battle; the owner chooses the hex. sk:8.b Not where a march could not go, to an enemy or sk:8.c into an enemy
//! zone. sk:8.d Only if no hex has room, into a full one: the unit that has stood there longest, of those that have
//! not retreated in this battle, is displaced and retreats in its turn. sk:8.e A unit that cannot retreat is
//! eliminated. sk:8.f If the defenders' hex is empty, assaulting units that have not retreated may advance into it,
//! zones or not.
//!
//! **Morale and victory.** sk:9.a A side loses a morale point for each step lost; at none it has lost at once.
//! sk:9.b After the last turn the side that holds more objectives (entered last) wins, sk:9.c then the side with the
//! higher morale.
//!
//! Though all is open, everything here is written over what a seat sees, as any game's rules are.

mod allot;
mod battle;
mod build;
mod checks;
mod ending;
mod field;
mod ground;
mod losses;
mod march;
mod odds;
mod retreat;
mod roster;
#[cfg(test)]
mod tests;
mod vocabulary;

use adjutant_kernel::flow::ProcRef;
use adjutant_kernel::rulebook::Column;
use adjutant_kernel::{BodyId, PlaceId, PointId, SeatId, SideId, SpaceId, TableId};

pub use build::{rulebook, rulebook_of};
pub use checks::checks;
pub use roster::{Deployed, Scenario};

/// Blue, who moves first.
pub const BLUE: SideId = SideId(0);
/// Red.
pub const RED: SideId = SideId(1);

/// The other side.
pub(crate) fn enemy_of(side: SideId) -> SideId {
    if side == BLUE { RED } else { BLUE }
}

/// The native module: the numbers of all that its rules name.
pub(crate) struct Skirmish {
    pub(crate) scenario: Scenario,
    pub(crate) words: vocabulary::Words,
    pub(crate) rules: vocabulary::Rules,
    pub(crate) ground: ground::Ground,
    pub(crate) units: Vec<roster::Unit>,
    pub(crate) seats: [SeatId; 2],
    pub(crate) columns: Columns,
    pub(crate) points: Points,
    pub(crate) fight: TableId,
    pub(crate) procs: Procs,
    /// Where units are that were eliminated or are not in the scenario.
    pub(crate) away: PlaceId,
}

/// What is remembered.
pub(crate) struct Columns {
    pub(crate) turn: Column<()>,
    pub(crate) steps: Column<BodyId>,
    pub(crate) moved: Column<BodyId>,
    /// The hex that a unit is allotted to attack.
    pub(crate) target: Column<BodyId>,
    /// Whether a unit has retreated in the battle that is being fought.
    pub(crate) fled: Column<BodyId>,
    pub(crate) morale: Column<SideId>,
    /// Who entered an objective last.
    pub(crate) holder: Column<SpaceId>,
}

/// The rule points.
pub(crate) struct Points {
    /// Permission: a unit, the link it takes, the hex it enters.
    pub(crate) may_cross: PointId,
    /// Movement points: the same, and whether that hex is in an enemy zone.
    pub(crate) move_cost: PointId,
    /// Permission: a unit controls a hex beyond a link.
    pub(crate) zone: PointId,
    /// Column shifts: the defenders' hex and the circumstances.
    pub(crate) odds_shift: PointId,
    /// Die modifiers: the same.
    pub(crate) die_modifier: PointId,
}

/// The procedures.
pub(crate) struct Procs {
    pub(crate) battle: ProcRef<battle::Battle>,
    pub(crate) retreat: ProcRef<retreat::Retreat>,
}

//! Units lie face down (3.1): what was revealed is turned down again at its time.

use adjutant_kernel::{BodyId, Cx, Halt, SideId, Sight};

use super::Cwcs;
use super::units::Bodies;

impl Cwcs {
    /// The bodies of a side on the map, area by area.
    pub(crate) fn on_map<S: Sight>(&self, sight: &S, side: SideId) -> Bodies {
        self.map.areas.iter().flat_map(|&area| sight.bodies_of(side, area)).collect()
    }

    /// The side's next Movement Phase begins: what was revealed is turned down (3.12), and the markers of its last
    /// turn come off (7.2, 7.31.a, 8.11.g).
    pub(crate) fn reinvert(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        let columns = &self.columns;
        for body in self.on_map(&cx.truth(), side) {
            self.turn_down(cx, body)?;
            for marker in [columns.exposed, columns.force_marching, columns.moved] {
                cx.set(marker, body, 0)?;
            }
            cx.set(columns.forded_from, body, -1)?;
        }
        Ok(())
    }

    /// Turns a body down; one that is always open stays so.
    pub(crate) fn turn_down(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        if cx.rulebook().deck_of(body).is_some() { cx.conceal(body) } else { Ok(()) }
    }
}

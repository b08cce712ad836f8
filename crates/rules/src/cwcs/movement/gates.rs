//! The ways out of one area, asked about once for all who may go there.

use std::cell::OnceCell;

use adjutant_kernel::points::Alike;
use adjutant_kernel::{BodyId, LinkId, SpaceId, Verdict};

use super::super::map::Way;
use super::mover::{Mover, refused};

/// A link by which units could go into an area, with what the title says of it to all alike, as far as it was asked.
pub(super) struct Gate<'a> {
    way: Way,
    leads: OnceCell<bool>,
    /// To those who move, and to those who force march.
    crosses: [OnceCell<Alike<'a>>; 2],
    moves: OnceCell<Alike<'a>>,
    marches: OnceCell<Alike<'a>>,
    /// What 7.32 says of it.
    over: OnceCell<Verdict>,
}

impl Gate<'_> {
    pub(super) fn new(way: Way) -> Self {
        let crosses = [OnceCell::new(), OnceCell::new()];
        let (moves, marches) = (OnceCell::new(), OnceCell::new());
        Self { way, leads: OnceCell::new(), crosses, moves, marches, over: OnceCell::new() }
    }

    pub(super) fn to(&self) -> SpaceId {
        self.way.to
    }

    pub(super) fn link(&self) -> LinkId {
        self.way.link
    }
}

fn allowed(alike: &Alike<'_>, group: &[BodyId]) -> Verdict {
    alike.forbidden(group).map_or(Ok(()), refused)
}

impl<'a> Mover<'a> {
    /// Whether units may pass a gate at all.
    pub(super) fn leads(&self, gate: &Gate<'a>) -> bool {
        let Way { is_open, link, .. } = gate.way;
        is_open || *gate.leads.get_or_init(|| self.cw.is_crossing(self.seen, link))
    }

    /// Whether a group may pass a gate (7.12, 7.2), by force march (7.32) or else.
    pub(super) fn may_pass(
        &self,
        gate: &Gate<'a>,
        group: &[BodyId],
        from: SpaceId,
        is_marching: bool,
    ) -> Verdict {
        self.may_set_out(group)?;
        let (cw, points, way, link) = (self.cw, &self.cw.points, (from, gate.to()), gate.link());
        let ask = |point| self.seen.alike(point, &cw.move_args(self.side, way, link, &[]));
        let crosses = gate.crosses[usize::from(is_marching)].get_or_init(|| {
            let cause = if is_marching { cw.movement.w.force_march } else { cw.movement.w.move_ };
            self.seen.alike(points.may_cross, &cw.way_args(self.side, way, link, cause, &[]))
        });
        allowed(crosses, group)?;
        if is_marching {
            (*gate.over.get_or_init(|| self.may_march_over(from, gate.to(), link)))?;
            allowed(gate.marches.get_or_init(|| ask(points.may_force_march)), group)?;
        }
        allowed(gate.moves.get_or_init(|| ask(points.may_move)), group)
    }
}

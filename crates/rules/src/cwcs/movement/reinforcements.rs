//! Reinforcements (7.5): they wait in a box, each with the turn and the area of its arrival.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Sight as _;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{Action, BodyId, Cx, Halt, Offers, PlaceId, SideId, SpaceId, Verdict};

use super::super::Cwcs;
use super::super::units::Bodies;
use super::mover::{Mover, refused};

impl Mover<'_> {
    /// Offers the arrival of all who are due, and their force march.
    pub(super) fn offer_arrivals(&self, out: &mut Offers<'_>) {
        let (cw, w) = (self.cw, &self.cw.movement.w);
        let Some(waiting) = cw.movement.waiting[self.side.index().min(1)] else { return };
        for body in self.seen.bodies(waiting) {
            let arrive = Action::new(w.arrive).on(body);
            if out.concerns(&arrive) {
                for &area in &cw.map.areas {
                    out.consider(arrive.on(area), || self.may_arrive(body, area));
                }
            }
            out.consider(Action::new(w.force_march).on(body), || {
                self.is_due(body)?;
                self.may_declare(&[body])
            });
        }
    }

    /// Whether a unit's turn has come. One that does not come then may come in any later turn.
    fn is_due(&self, body: BodyId) -> Verdict {
        let (marks, rules) = (&self.cw.movement.marks, &self.cw.movement.rules);
        let turn = self.seen.get(self.cw.columns.turn, ()).unwrap_or(0);
        let due = self.seen.get(marks.due, body).unwrap_or(0);
        if due > 0 && turn >= due { Ok(()) } else { refused(rules.arrives) }
    }

    /// Whether a unit may arrive in an area: in the one assigned, and when it is late also in those next to it.
    fn may_arrive(&self, body: BodyId, area: SpaceId) -> Verdict {
        let (cw, rules) = (self.cw, &self.cw.movement.rules);
        self.is_due(body)?;
        let turn = self.seen.get(cw.columns.turn, ()).unwrap_or(0);
        let is_late = turn > self.seen.get(cw.movement.marks.due, body).unwrap_or(0);
        let at = self.seen.get(cw.movement.marks.due_at, body).and_then(|at| u16::try_from(at).ok());
        let Some(at) = at.map(SpaceId) else { return refused(rules.arrives) };
        if area != at && !cw.map.adjacent(at).contains(&area) {
            return refused(rules.arrives);
        }
        if area != at && !is_late {
            return refused(rules.arrives_late);
        }
        let args = [PointArg::Side(self.side), PointArg::Space(area), PointArg::Body(body)];
        self.seen.forbidden(cw.points.may_arrive, &args).map_or(Ok(()), refused)
    }
}

impl Cwcs {
    /// A reinforcement enters the map; at its edge that costs the first area of its movement.
    pub(super) fn arrive(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        body: BodyId,
        area: SpaceId,
    ) -> Result<(), Halt> {
        let (w, rules) = (&self.movement.w, &self.movement.rules);
        cx.move_group(w.arrive, &[body], Dest::NewStack(PlaceId(area.0)))?;
        let number = self.next_group(cx)?;
        cx.set(self.movement.marks.group, body, number)?;
        cx.set(self.movement.marks.due, body, 0)?;
        cx.set(self.movement.marks.due_at, body, -1)?;
        let at_edge = cx.rulebook().board().has_feature_space(area, self.map.map_edge);
        if at_edge && cx.rule_on(rules.arrival_costs) {
            self.spend_area(cx, &[body])?;
        }
        cx.story(w.arrives, Some(rules.arrives), |e| {
            e.arg(self.w.unit, Arg::KnownBodies(Bodies::from_slice(&[body])));
            e.arg(self.w.side, Arg::Side(side));
            e.arg(self.w.area, Arg::Place(PlaceId(area.0)));
        });
        self.meet_artillery(cx, side, &[body], area, None)
    }
}

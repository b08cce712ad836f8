//! How a group comes into an area: what is noted of it, and what artillery does to it (3.44, 3.45).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Sight as _};
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::{Audience, BodyId, Cx, Halt, LinkId, PlaceId, SideId, SpaceId};

use super::super::Cwcs;
use super::super::units::Bodies;

impl Cwcs {
    /// A group goes over a link into the next area.
    pub(super) fn march(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
        (from, to): (SpaceId, SpaceId),
        link: LinkId,
    ) -> Result<(), Halt> {
        let (w, rules) = (&self.movement.w, &self.movement.rules);
        let back = self.goes_back(cx, group, to);
        let stack = group.first().and_then(|&body| cx.read().stack(body));
        match stack.filter(|&stack| cx.read().bodies(stack).count() == group.len()) {
            Some(stack) => cx.move_stack(w.move_, stack, PlaceId(to.0))?,
            None => cx.move_group(w.move_, group, Dest::NewStack(PlaceId(to.0)))?,
        };
        self.note_move(cx, group, from, link, back)?;
        let marching = group.iter().any(|&body| cx.flag(self.columns.force_marching, body));
        let rule = if marching { rules.marches } else { rules.moves };
        let bodies: Bodies = group.iter().copied().collect();
        cx.story(w.marches, Some(rule), |e| {
            e.arg(self.w.units, Arg::KnownBodies(bodies));
            e.arg(w.from, Arg::Place(PlaceId(from.0)));
            e.arg(w.to, Arg::Place(PlaceId(to.0)));
        });
        self.meet_artillery(cx, side, group, to, Some(link).filter(|_| !back))
    }

    /// Whether all of a group go back over the river whence they came this turn: that asks for no combat (8.14.1).
    fn goes_back(&self, cx: &Cx<'_>, group: &[BodyId], to: SpaceId) -> bool {
        group.iter().all(|&body| {
            cx.flag(self.movement.marks.across, body)
                && cx.get(self.columns.forded_from, body) == i32::from(to.0)
        })
    }

    /// What is remembered of units that have come over a link.
    fn note_move(
        &self,
        cx: &mut Cx<'_>,
        group: &[BodyId],
        from: SpaceId,
        link: LinkId,
        back: bool,
    ) -> Result<(), Halt> {
        let (columns, marks) = (&self.columns, &self.movement.marks);
        let across = self.map.is_over_river(cx.rulebook().board(), link);
        let to = group.first().and_then(|&body| cx.read().space(body)).filter(|_| across && !back);
        let side = group.first().and_then(|&body| cx.read().side(body));
        let bridgehead = match (side, to) {
            (Some(side), Some(to)) => self.takes_bridgehead(cx, side, to)?,
            _ => false,
        };
        let number = self.next_group(cx)?;
        self.spend_area(cx, group)?;
        for &body in group {
            cx.set(marks.entered_from, body, i32::from(from.0))?;
            cx.set(marks.group, body, number)?;
            cx.set(marks.across, body, i32::from(across && !back))?;
            cx.set(columns.bridgehead, body, i32::from(bridgehead))?;
            cx.set(columns.initiated_combat, body, 0)?;
            if across {
                cx.set(columns.forded_from, body, i32::from(from.0))?;
            }
        }
        Ok(())
    }

    /// The number of the next group that moves.
    pub(super) fn next_group(&self, cx: &mut Cx<'_>) -> Result<i32, Halt> {
        cx.add(self.movement.marks.moves, (), 1)?;
        Ok(cx.get(self.movement.marks.moves, ()))
    }

    /// Whoever comes under the control of artillery must stop and attack, and the artillery is revealed (3.45). Leaders
    /// and dummies alone are not worth it: then the artillery says nothing, as if there were none.
    pub(super) fn meet_artillery(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        group: &[BodyId],
        area: SpaceId,
        over: Option<LinkId>,
    ) -> Result<(), Halt> {
        let (w, rules, sets) = (&self.movement.w, &self.movement.rules, &self.pieces.sets);
        let lapse = self.moments.movement_ends;
        if !cx.rule_on(rules.artillery_stops) || !self.control.artillery_counts(cx.rulebook(), area, over) {
            return Ok(());
        }
        let foes = self.units.may_control(&cx.truth(), self.enemy(side), area);
        if cx.common().any(sets.artillery, &foes).is_no() {
            return Ok(());
        }
        let is_real = group.iter().any(|&body| cx.read().is(body, sets.units));
        let is_gun = |body: &BodyId| is_real && cx.read().is(*body, sets.artillery);
        let guns: Bodies = foes.iter().copied().filter(is_gun).collect();
        let (compelled, shown) = (!guns.is_empty(), guns.clone());
        let bodies: Bodies = group.iter().copied().collect();
        cx.publish(w.compelled, rules.artillery_stops, |e| {
            e.about(self.w.units, Arg::KnownBodies(bodies));
            e.about(self.w.area, Arg::Place(PlaceId(area.0)));
            e.answer(self.w.result, Arg::Flag(compelled));
            // Which they are is a part of the answer.
            e.answer(w.guns, Arg::KnownBodies(shown));
        })?;
        if compelled {
            self.tell_units(cx, group, rules.artillery_stops, lapse)?;
            for gun in guns {
                if !cx.read().face_up(gun) {
                    cx.reveal(gun, rules.artillery_shown)?;
                }
            }
            return group.iter().try_for_each(|&body| cx.set(self.movement.marks.compelled, body, 1));
        }
        if is_real {
            let (question, bodies, about) = (self.movement.guns, &foes[..], About::Bodies);
            let audience = Audience::side(side);
            cx.tell(Telling { question, bodies, about, audience, rule: rules.artillery_stops, lapse })?;
        }
        Ok(())
    }
}

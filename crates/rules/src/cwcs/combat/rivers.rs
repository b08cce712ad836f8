//! Attacks over major rivers: who does not drive off the enemy goes back (9.92).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::{Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Procedure, SeatId, SideId, SpaceId};

use super::fight::Fight;
use super::lines::LinePosition;
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// The attacker has not driven off the enemy and fights no further round: the units that crossed a major river into an area
/// under the enemy's sole control return to where they came from. If there can be no other round, they may stay where their
/// officers hold the bank: the second round of 9.92.c is the last that there may be.
#[derive(Locals)]
pub(crate) struct RiverReturn {
    area: SpaceId,
    side: SideId,
    was_last_round: bool,
}

impl RiverReturn {
    /// After a round, which was the last that there can be, or after which the attacker wants no other.
    pub(crate) fn of(fight: Fight, was_last_round: bool) -> Self {
        let Fight { area, phasing: side, .. } = fight;
        Self { area, side, was_last_round }
    }

    fn go_back(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let (w, rules) = (&cw.resolution.w, &cw.resolution.rules);
        let rule = if self.was_last_round { rules.back_after_second } else { rules.back_after_first };
        let lines = LinePosition::ALL.into_iter();
        let in_line: Bodies =
            lines.flat_map(|position| cw.in_line(&cx.truth(), self.side, position)).collect();
        let crossed: Bodies = cw.crossed(cx, self.side);
        cx.story(w.goes_back, Some(rule), |e| {
            e.arg(w.side, Arg::Side(self.side));
            e.arg(w.area, Arg::Place(PlaceId(self.area.0)));
            e.arg(w.units, Arg::KnownBodies(crossed.clone()));
        });
        for body in crossed {
            let from = u16::try_from(cx.get(cw.columns.forded_from, body)).map(SpaceId);
            let Ok(from) = from else { return Err(cx.fault("a unit crossed a river from nowhere")) };
            cw.turn_back(cx, body)?;
            cx.move_group(w.go_back, &[body], Dest::NewStack(PlaceId(from.0)))?;
            cw.note_fallen_back(cx, body, in_line.contains(&body))?;
            for mark in [cw.columns.bridgehead, cw.movement.marks.across] {
                cx.set(mark, body, 0)?;
            }
        }
        cw.roll_after_withdrawal(cx, self.side, self.area, rule)?;
        Ok(Flow::Done)
    }
}

impl Procedure for RiverReturn {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.was_last_round && cw.officers_hold(cx, self.side) {
            return Ok(Flow::ask(cw.seat(self.side), cw.resolution.w.river_return));
        }
        self.go_back(cw, cx)
    }

    fn offers(&self, cw: &Cwcs, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        out.add(Action::new(cw.resolution.w.stay));
        out.add(Action::new(cw.resolution.w.go_back));
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let w = &cw.resolution.w;
        if action.verb == w.go_back {
            return self.go_back(cw, cx);
        }
        cx.commit();
        cx.story(w.stays, Some(cw.resolution.rules.officer_holds), |e| {
            e.arg(w.side, Arg::Side(self.side));
            e.arg(w.area, Arg::Place(PlaceId(self.area.0)));
        });
        for body in cw.crossed(cx, self.side) {
            cx.set(cw.columns.bridgehead, body, 0)?;
        }
        Ok(Flow::Done)
    }
}

/// What all know of an area since the Movement Phase began, in the column `contested`: whether the side whose it is had
/// somebody there, and what was said of control.
const NOBODY_THERE: i32 = 0;
const STOOD_THERE: i32 = 1;
const BOTH_CONTROLLED: i32 = 2;
const NOT_BOTH: i32 = 3;

impl Cwcs {
    /// A Movement Phase begins: it is noted which areas both sides control (9.92.e), and where the side stands at all.
    pub(crate) fn note_contested(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        for &area in &self.map.areas {
            let stood = !self.here(cx, side, area).is_empty();
            let controls = |side| self.control.controls(&cx.truth(), side, area, None).is_yes();
            let both = controls(side) && controls(self.enemy(side));
            cx.set(self.columns.both_controlled, area, i32::from(both))?;
            cx.set(self.columns.contested, area, if stood { STOOD_THERE } else { NOBODY_THERE })?;
        }
        Ok(())
    }

    /// Whether a side that comes over a major river into an area comes where the enemy alone was in control, and must
    /// drive him off or go back (9.92.b). Where both stood when the phase began all are told whether both were in
    /// control (9.92.e).
    pub(crate) fn takes_bridgehead(&self, cx: &mut Cx<'_>, side: SideId, to: SpaceId) -> Result<bool, Halt> {
        if self.here(cx, self.enemy(side), to).is_empty() {
            return Ok(false);
        }
        match cx.get(self.columns.contested, to) {
            STOOD_THERE => {}
            said => return Ok(said != BOTH_CONTROLLED),
        }
        let both = cx.flag(self.columns.both_controlled, to);
        let w = &self.resolution.w;
        cx.publish(w.contested, self.resolution.rules.mutual, |e| {
            e.about(w.area, Arg::Place(PlaceId(to.0)));
            e.answer(w.result, Arg::Flag(both));
        })?;
        cx.set(self.columns.contested, to, if both { BOTH_CONTROLLED } else { NOT_BOTH })?;
        Ok(!both)
    }

    /// Whether the phasing side has units in this combat that crossed a major river and must fight another round or go
    /// back, for they have not driven off the enemy (9.92.c). All are told what they cannot see of it. An interception is
    /// no attack of those who crossed (8.23): they fight it where they are.
    pub(crate) fn must_go_back(&self, cx: &mut Cx<'_>, fight: &Fight) -> Result<bool, Halt> {
        let Fight { area, phasing: side, interception, .. } = *fight;
        if interception || !cx.rule_on(self.resolution.rules.driven_off) || self.crossed(cx, side).is_empty()
        {
            return Ok(false);
        }
        Ok(!self.are_driven_off(cx, self.enemy(side), area)?)
    }

    /// Whether a side has no effective unit left in an area where it fought (9.92.b).
    fn are_driven_off(&self, cx: &mut Cx<'_>, side: SideId, area: SpaceId) -> Result<bool, Halt> {
        let mut left = self.on_board(&cx.truth(), side);
        left.extend(self.here(cx, side, area));
        left.retain(|body| self.units.is_effective(&cx.truth(), *body));
        let w = &self.resolution.w;
        let driven =
            !self.tell_units(cx, &left, self.resolution.rules.driven_off, self.moments.combat_ends)?;
        if driven {
            cx.story(w.drives_off, Some(self.resolution.rules.driven_off), |e| {
                e.arg(w.side, Arg::Side(self.enemy(side)));
                e.arg(w.area, Arg::Place(PlaceId(area.0)));
            });
        }
        Ok(driven)
    }

    /// The bodies in this combat that crossed a major river into an area under the enemy's sole control.
    fn crossed(&self, cx: &Cx<'_>, side: SideId) -> Bodies {
        let all = self.on_board(&cx.truth(), side).into_iter();
        all.filter(|&body| cx.flag(self.columns.bridgehead, body)).collect()
    }

    /// Officers who fought in a position and did not fall (9.92.c#5).
    fn officers_who_fought(&self, cx: &Cx<'_>, side: SideId) -> Bodies {
        let lines = LinePosition::ALL.into_iter();
        let officers = lines.flat_map(|position| self.line_officers(&cx.truth(), side, position));
        officers.filter(|&body| !cx.flag(self.columns.fallen, body)).collect()
    }

    /// Whether the attacker's officers hold the bank: he has one and the defender none, or one whose offence is above the
    /// defence of all of the defender's (9.92.c#3, 9.92.c#4).
    fn officers_hold(&self, cx: &Cx<'_>, side: SideId) -> bool {
        let rating = |body: BodyId, attribute| cx.read().attribute(body, attribute).unwrap_or(0);
        let theirs = self.officers_who_fought(cx, self.enemy(side));
        let best = theirs.iter().map(|&body| rating(body, self.pieces.defence)).max();
        let own = self.officers_who_fought(cx, side);
        cx.rule_on(self.resolution.rules.officer_holds)
            && own.iter().any(|&body| best.is_none_or(|best| rating(body, self.pieces.offence) > best))
    }
}

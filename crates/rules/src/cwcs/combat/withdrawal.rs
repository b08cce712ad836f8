//! Withdrawal at the end of a round (9.91).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight};
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, PlaceId, Procedure, Refusal, RuleId, SeatId, SideId,
    SpaceId, Verdict,
};

use super::fight::Fight;
use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// The defender's positions that were ordered to withdraw leave the area; the reserve may go along.
#[derive(Locals)]
pub(crate) struct Withdraw {
    side: SideId,
    area: SpaceId,
    begun: bool,
    /// Which positions withdraw.
    lines: [bool; 3],
    /// Whither (9.22). It hangs on where their own side is in control and has leaders, and so is its secret.
    #[local(class = "owner")]
    open: List<SpaceId, 16>,
}

impl Withdraw {
    /// The withdrawal that a round's orders bring.
    pub(crate) fn of(fight: Fight) -> Self {
        let side = fight.defender();
        let lines = LinePosition::ALL.map(|position| fight.order(side, position) == Some(Order::Withdraw));
        Self { side, area: fight.area, begun: false, lines, open: List::new() }
    }

    /// Who must go: all in the positions, but for units without strength, which do not move (7.44).
    fn must_go<S: Sight>(&self, cw: &Cwcs, sight: &S) -> Bodies {
        let lines = LinePosition::ALL.into_iter().filter(|position| self.lines[position.index()]);
        let bodies = lines.flat_map(|position| cw.in_line(sight, self.side, position));
        bodies.filter(|&body| !sight.flag(cw.columns.spent, body)).collect()
    }

    /// Who may go along: the reserve (9.91.c), and those that came into the area by a retreat or withdrawal and take no part in the combat (9.22.4).
    fn may_go<S: Sight>(&self, cw: &Cwcs, sight: &S) -> Bodies {
        let reserve = sight.bodies_of(self.side, cw.boxes(self.side).reserve).into_iter();
        let guests = sight.bodies_of(self.side, self.area).into_iter();
        let guests = guests.filter(|&body| sight.flag(cw.columns.sits_out, body));
        reserve.chain(guests).filter(|&body| !sight.flag(cw.columns.spent, body)).collect()
    }

    fn begin(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        let going = self.must_go(cw, &cx.truth());
        if going.is_empty() {
            return Ok(Flow::Done);
        }
        let (w, rules) = (&cw.resolution.w, &cw.resolution.rules);
        let open = cw.retreats_to(cx, self.side, self.area, w.withdraw, &going, rules.withdrawal_areas)?;
        for area in open {
            self.open
                .push(area)
                .map_err(|_| cx.fault("more areas to withdraw to than there are around one"))?;
        }
        let may = {
            let seen = cx.seen(self.side);
            !self.open.is_empty() || going.iter().any(|&body| self.may_leave_map(cw, &seen, body).is_ok())
        };
        // By one rule, whatever the answer: it hangs on what the other side may not know.
        cx.publish(w.may_withdraw, rules.withdrawal_areas, |e| {
            e.about(w.side, Arg::Side(self.side));
            e.about(w.area, Arg::Place(PlaceId(self.area.0)));
            e.answer(w.result, Arg::Flag(may));
        })?;
        if may { Ok(Flow::ask(cw.seat(self.side), w.withdrawal)) } else { Ok(Flow::Done) }
    }

    fn may_leave_map(&self, cw: &Cwcs, seen: &Seen<'_>, body: BodyId) -> Verdict {
        cw.may_leave_map(seen, (self.side, self.area), cw.resolution.w.withdraw, &[body])
    }

    /// A unit or leader goes to an area, or off the map.
    fn go(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, body: BodyId, to: Option<SpaceId>) -> Result<(), Halt> {
        let rules = &cw.resolution.rules;
        let in_line = self.must_go(cw, &cx.truth()).contains(&body);
        let rule = if in_line { rules.withdrawal } else { rules.reserve_withdraws };
        let Some(to) = to else { return cw.leave_map(cx, &[body], rule) };
        cw.turn_back(cx, body)?;
        let cause = cw.resolution.w.withdraw;
        if cw.falls_back(cx, self.side, &[body], (self.area, to), cause, rule)? {
            cw.note_fallen_back(cx, body, in_line)
        } else {
            // What stopped it was not known before, for what is known is not offered: nobody tries again.
            self.open.remove(&to);
            Ok(())
        }
    }

    /// All have gone: those in one area are a stack, and who withdrew from a position rolls for stragglers (9.91.b).
    fn finish(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        for &area in cw.map.adjacent(self.area) {
            let mut came: Bodies = cw.here(cx, self.side, area);
            came.retain(|body| cx.flag(cw.columns.fell_back, *body));
            if !came.is_empty() {
                cx.move_group(cw.w.arranged, &came, Dest::NewStack(PlaceId(area.0)))?;
            }
        }
        cw.roll_after_withdrawal(cx, self.side, self.area, cw.resolution.rules.withdrawal_straggles)?;
        Ok(Flow::Done)
    }
}

impl Procedure for Withdraw {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.begun {
            self.begun = true;
            return self.begin(cw, cx);
        }
        Ok(Flow::ask(cw.seat(self.side), cw.resolution.w.withdrawal))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let w = &cw.resolution.w;
        let must = self.must_go(cw, seen);
        // Whether one who must go still can.
        let mut goes = false;
        for &body in must.iter().chain(&self.may_go(cw, seen)) {
            let is_bound = must.contains(&body);
            for &to in &self.open {
                let way = cw.way_back(seen, self.side, (self.area, to), w.withdraw, &[body]);
                goes |= is_bound && way.is_ok();
                out.consider(Action::new(w.withdraw).on(body).on(to), || match way {
                    Ok(_) => Ok(()),
                    Err(rule) => Err(Refusal { rule }),
                });
            }
            let off = self.may_leave_map(cw, seen, body);
            goes |= is_bound && off.is_ok();
            out.consider(Action::new(w.withdraw).on(body).on(cw.boxes(self.side).exited), || off);
        }
        out.consider(Action::new(cw.w.done), || {
            let rule = cw.resolution.rules.withdrawal;
            if goes && seen.rule_on(rule) { Err(Refusal { rule }) } else { Ok(()) }
        });
        out.otherwise(cw.resolution.rules.withdrawal_areas, |a| a.verb == w.withdraw && a.place(1).is_some());
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let off_map = action.place(1) == Some(cw.boxes(self.side).exited);
        match action.body(0) {
            None => return self.finish(cw, cx),
            Some(body) => self.go(cw, cx, body, action.space(1).filter(|_| !off_map))?,
        }
        self.run(cw, cx)
    }
}

/// What the column `fell back` says of a body.
const ROLLS: i32 = 1;
const HAS_ROLLED: i32 = 2;
const ROLLS_NOT: i32 = 3;

impl Cwcs {
    /// A unit or leader has left the battle for an area. Units of a position roll for stragglers afterwards, once in a
    /// phase (9.22.4).
    pub(crate) fn note_fallen_back(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        from_line: bool,
    ) -> Result<(), Halt> {
        let columns = &self.columns;
        let first = cx.get(columns.fell_back, body) == 0;
        let rolls = from_line && first && cx.read().is(body, self.pieces.sets.units);
        if first {
            cx.set(columns.fell_back, body, if rolls { ROLLS } else { ROLLS_NOT })?;
        }
        cx.set(columns.sits_out, body, 1)
    }

    /// A die for every unit that has fallen back from a position (9.91.b); what it loses counts from the end of the
    /// phase.
    pub(crate) fn roll_after_withdrawal(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        from: SpaceId,
        rule: RuleId,
    ) -> Result<(), Halt> {
        for body in self.on_map(&cx.truth(), side) {
            if cx.get(self.columns.fell_back, body) != ROLLS {
                continue;
            }
            cx.set(self.columns.fell_back, body, HAS_ROLLED)?;
            let Some(to) = cx.read().space(body) else { continue };
            let lost = self.straggler_roll(cx, body, (from, to), self.resolution.w.withdraw, rule)?;
            let piece = cx.read().piece(body);
            cx.set(self.columns.straggling, piece, lost)?;
        }
        Ok(())
    }

    /// The Combat Phase is over: stragglers of withdrawals are lost (9.91.b#4).
    pub(crate) fn lose_stragglers_of_combat(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for side in [SideId(0), SideId(1)] {
            for body in self.on_map(&cx.truth(), side) {
                let has_rolled = cx.get(self.columns.fell_back, body) == HAS_ROLLED;
                cx.set(self.columns.fell_back, body, 0)?;
                let piece = cx.read().piece(body);
                let lost = cx.get(self.columns.straggling, piece);
                cx.set(self.columns.straggling, piece, 0)?;
                if has_rolled {
                    self.straggle(cx, body, lost, self.resolution.rules.straggled)?;
                }
            }
        }
        Ok(())
    }
}

//! A combat between two opposing Line Positions (9.6).

use adjutant_kernel::events::Arg;
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{Cx, Flow, Halt, PlaceId, Procedure, SideId, SpaceId};

use super::fight::Fight;
use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;
use crate::cwcs::losses::Losses;
use crate::cwcs::points::contributed;

/// One of the attacker's positions against one of the defender's.
#[derive(Locals)]
pub(crate) struct Pair {
    area: SpaceId,
    phasing: SideId,
    attacker: SideId,
    interception: bool,
    round: i32,
    orders: [[Option<Order>; 3]; 2],
    targets: [[Option<LinePosition>; 3]; 2],
    attacking: LinePosition,
    defending: LinePosition,
    step: Step,
    /// Points that attacker and defender lose.
    lost: [i32; 2],
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Meet,
    Resolve,
    Defender,
    Attacker,
    Over,
}

impl Pair {
    /// The pair of a position of the attacker and one of the defender.
    pub(crate) fn of(fight: Fight, attacking: LinePosition, defending: LinePosition) -> Self {
        let Fight { area, phasing, attacker, interception, round, orders, targets } = fight;
        let (step, lost) = (Step::Meet, [0; 2]);
        Self {
            area,
            phasing,
            attacker,
            interception,
            round,
            orders,
            targets,
            attacking,
            defending,
            step,
            lost,
        }
    }

    fn fight(&self) -> Fight {
        let Self { area, phasing, attacker, interception, round, orders, targets, .. } = *self;
        Fight { area, phasing, attacker, interception, round, orders, targets }
    }

    /// The attacker's side and position, and the defender's.
    fn both(&self) -> [(SideId, LinePosition); 2] {
        [(self.attacker, self.attacking), (self.fight().defender(), self.defending)]
    }

    /// Whether all see that a position has nobody left to fight with.
    fn is_gone(cw: &Cwcs, cx: &Cx<'_>, side: SideId, position: LinePosition) -> bool {
        let truth = cx.truth();
        cw.in_line(&truth, side, position).iter().all(|&body| cx.read().face_up(body))
            && cw.line_units(&truth, side, position).is_empty()
    }

    /// Both reveal their units (9.6#2), unless the pair is passed over (9.76#4). Whether both have some.
    fn meet(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<bool, Halt> {
        cx.commit();
        let both = self.both();
        let passed_over = both.iter().any(|&(side, at)| Self::is_gone(cw, cx, side, at));
        for (side, position) in both.into_iter().filter(|_| !passed_over) {
            for body in cw.in_line(&cx.truth(), side, position) {
                if !cx.read().face_up(body) {
                    cx.reveal(body, cw.resolution.rules.revealed)?;
                }
            }
        }
        let (truth, fight) = (cx.truth(), self.fight());
        let stand = self.both().iter().all(|&(side, at)| !cw.line_units(&truth, side, at).is_empty());
        let w = &cw.resolution.w;
        let [(attacker, own), (defender, other)] = self.both();
        cx.story(if stand { w.meets } else { w.no_fight }, Some(cw.resolution.rules.pair), |e| {
            e.arg(w.area, Arg::Place(PlaceId(self.area.0)));
            e.arg(w.attacker, Arg::Side(attacker));
            e.arg(w.position, Arg::Word(cw.lines.position(own)));
            e.arg(w.defender, Arg::Side(defender));
            e.arg(w.target, Arg::Word(cw.lines.position(other)));
            if let (Some(attack), Some(defence)) = (fight.order(attacker, own), fight.order(defender, other))
            {
                e.arg(w.order, Arg::Word(cw.lines.order(attack)));
                e.arg(w.reply, Arg::Word(cw.lines.order(defence)));
            }
        });
        Ok(stand)
    }

    /// The charts, then fire, the attacker first; nothing is applied yet (9.6.a, 9.6.b, 9.8).
    fn resolve(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let fight = self.fight();
        let [own, other] = self.both();
        let automatic = cw.automatic_losses(cx, &fight, (own.1, other.1))?;
        self.lost = automatic.losses;
        if fight.target(own.0, own.1) == Some(other.1) {
            self.lost[1] += cw.fire(cx, &fight, own, other.1)?;
        }
        if fight.target(other.0, other.1) == Some(own.1) {
            self.lost[0] += cw.fire(cx, &fight, other, own.1)?;
        }
        for ((side, position), lost) in self.both().into_iter().zip(&mut self.lost) {
            let word = PointArg::Word(cw.lines.position(position));
            let (at, called) = ((position.choice(), side), *lost);
            let before = cx.get(cw.columns.points_called, at);
            let points = [called, before].map(PointArg::Number);
            let args = [PointArg::Side(side), PointArg::Space(self.area), word, points[0], points[1]];
            cx.set(cw.columns.points_called, at, before.saturating_add(called).min(999))?;
            *lost = lost.saturating_add(cx.total(cw.points.position_losses, &args)?).max(0);
            if *lost != called {
                let rules = contributed(&cx.contributions(cw.points.position_losses, &args)?);
                let (w, lost) = (&cw.resolution.w, *lost);
                cx.publish(w.adjusts, cw.resolution.rules.losses, |e| {
                    e.about(w.side, Arg::Side(side));
                    e.about(w.position, Arg::Word(cw.lines.position(position)));
                    e.answer(w.called, Arg::Number(called));
                    e.answer(w.lost, Arg::Number(lost));
                    e.answer(w.shifts, rules);
                })?;
            }
            let highest = cx.get(cw.columns.line_intensity, at).max(automatic.level);
            cx.set(cw.columns.line_intensity, at, highest)?;
        }
        Ok(())
    }
}

impl Procedure for Pair {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let [(attacker, own), (defender, other)] = self.both();
        let losses = &cw.procs.resolution.losses;
        match self.step {
            Step::Meet if !self.meet(cw, cx)? => Ok(Flow::Done),
            Step::Meet => {
                self.step = Step::Resolve;
                Ok(Flow::Again)
            }
            Step::Resolve => {
                self.resolve(cw, cx)?;
                self.step = Step::Defender;
                Ok(Flow::Again)
            }
            // 10.0: the defender first.
            Step::Defender => {
                self.step = Step::Attacker;
                Ok(losses.call(Losses::of(defender, other, self.lost[1], 0)))
            }
            Step::Attacker => {
                self.step = Step::Over;
                let infantry = if cx.rule_on(cw.resolution.rules.as_the_defender) {
                    cx.get(cw.columns.infantry_lost, ())
                } else {
                    0
                };
                Ok(losses.call(Losses::of(attacker, own, self.lost[0], infantry)))
            }
            Step::Over => Ok(Flow::Done),
        }
    }
}

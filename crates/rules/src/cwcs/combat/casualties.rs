//! Casualties among officers (11.3).

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Input};
use adjutant_kernel::{BodyId, Cx, Flow, Halt, Procedure, SideId, Sight as _, SpaceId};
use smallvec::SmallVec;

use super::fight::Fight;
use super::lines::LinePosition;
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

/// The points that a position must lose in a round for its officer to be in danger, at an intensity (11.3).
fn danger(level: i32) -> Option<i32> {
    match level {
        ..=0 => None,
        1 | 2 => Some(4),
        3.. => Some(3),
    }
}

/// At the end of a round the enemy of each officer in danger rolls for him (11.31); what positions have been through in
/// the round is forgotten.
#[derive(Locals)]
pub(crate) struct Casualties {
    area: SpaceId,
    /// No other round will be fought: who falls is removed at once.
    last: bool,
}

impl Casualties {
    pub(crate) fn of(fight: Fight, last: bool) -> Self {
        Self { area: fight.area, last }
    }

    fn roll(
        &self,
        cw: &Cwcs,
        cx: &mut Cx<'_>,
        side: SideId,
        officer: BodyId,
        level: i32,
    ) -> Result<(), Halt> {
        let table = cw.tables.officer_casualty;
        let args = [PointArg::Side(side), PointArg::Space(self.area), PointArg::Body(officer)];
        let given = cx.contributions(cw.points.casualty_die, &args)?;
        let modifiers: SmallVec<[Contribution; 4]> = given.iter().copied().collect();
        let drawn = cx.throw(None, table)?;
        let entry = Entry {
            column: Input::Number(level),
            dice: drawn.faces().unwrap_or_default(),
            modifiers: &modifiers,
            ..Entry::default()
        };
        let falls = cw.look_up(cx, table, &entry)?.number().unwrap_or(0) > 0;
        let (w, rules) = (&cw.resolution.w, &cw.resolution.rules);
        // He was revealed with his position (11.2).
        let piece = cx.read().piece(officer);
        let rule = if level > 2 { rules.casualty_high } else { rules.casualty_low };
        cx.report(drawn, rule, |e| {
            e.arg(w.unit, Arg::Piece(piece));
            e.arg(w.result, Arg::Flag(falls));
        });
        if falls {
            cx.set(cw.columns.fallen, officer, 1)?;
            cx.story(w.casualty, Some(rules.casualty), |e| {
                e.arg(w.unit, Arg::Piece(piece));
                e.arg(w.side, Arg::Side(side));
            });
        }
        Ok(())
    }
}

impl Procedure for Casualties {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        for side in [SideId(0), SideId(1)] {
            for position in LinePosition::ALL {
                let at = (position.choice(), side);
                let (level, lost) =
                    (cx.get(cw.columns.line_intensity, at), cx.get(cw.columns.line_losses, at));
                let in_danger = danger(level).is_some_and(|points| lost >= points);
                if !in_danger || !cx.rule_on(cw.resolution.rules.casualty) {
                    continue;
                }
                for officer in cw.line_officers(&cx.truth(), side, position) {
                    if !cx.flag(cw.columns.fallen, officer) {
                        self.roll(cw, cx, side, officer, level)?;
                    }
                }
            }
        }
        cx.reset(cw.columns.line_intensity.id, None)?;
        cx.reset(cw.columns.line_losses.id, None)?;
        cx.reset(cw.columns.points_called.id, None)?;
        if self.last {
            cw.remove_fallen(cx)?;
        }
        Ok(Flow::Done)
    }
}

/// A combat is over: officers who fell in its first round go, if they have not gone yet (11.31#2).
#[derive(Locals)]
pub(crate) struct Fallen {
    area: SpaceId,
}

impl Fallen {
    pub(crate) fn of(area: SpaceId) -> Self {
        Self { area }
    }
}

impl Procedure for Fallen {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cw.remove_fallen(cx)?;
        Ok(Flow::Done)
    }
}

impl Cwcs {
    fn remove_fallen(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for side in [SideId(0), SideId(1)] {
            let mut all: Bodies = self.on_board(&cx.truth(), side);
            all.extend(self.on_map(&cx.truth(), side));
            all.extend(cx.truth().bodies(self.boxes(side).exited));
            for body in all {
                if cx.flag(self.columns.fallen, body) {
                    cx.set(self.columns.fallen, body, 0)?;
                    self.eliminate(cx, body, self.resolution.rules.fallen)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::danger;

    #[test]
    fn the_fiercer_the_fight_the_fewer_losses_endanger_an_officer() {
        assert_eq!([0, 1, 2, 3, 4].map(danger), [None, Some(4), Some(4), Some(3), Some(3)]);
    }
}

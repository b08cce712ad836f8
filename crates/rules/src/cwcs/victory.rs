//! Victory points (12), the end of a turn (4.5) and of the game.
//!
//! What earns points is the title's: its scripts act at the moments `victory points` and `game ends`, add to the column
//! `victory points` and reveal the unit that earns them. Points for losses are counted by the column `losses`.

use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::{Cx, Flow, Halt, Procedure, SideId};

use super::Cwcs;

/// A side's Victory Point Phase, in the turn of its enemy (4.34): the enemy's lines are checked again (6.1), and the
/// side scores as the title says.
#[derive(Locals)]
pub(crate) struct VictoryPoints {
    /// Whose turn it is.
    phasing: SideId,
    step: VictoryStep,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum VictoryStep {
    Lines,
    Score,
    Over,
}

impl VictoryPoints {
    pub(crate) fn of(phasing: SideId) -> Self {
        Self { phasing, step: VictoryStep::Lines }
    }
}

impl Procedure for VictoryPoints {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        use VictoryStep as Step;
        let (next, moment) = match self.step {
            Step::Lines => {
                cw.check_lines(cx, self.phasing)?;
                (Step::Score, cw.moments.communications_checked)
            }
            Step::Score => (Step::Over, cw.moments.victory_points),
            Step::Over => return Ok(Flow::Done),
        };
        self.step = next;
        Ok(Flow::Moment(moment))
    }
}

/// The Turn Record Phase (4.5); after the last turn the game is over.
#[derive(Locals)]
pub(crate) struct TurnRecord {
    step: TurnStep,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum TurnStep {
    End,
    Last,
    Winner,
}

impl Default for TurnRecord {
    fn default() -> Self {
        Self { step: TurnStep::End }
    }
}

impl Procedure for TurnRecord {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.step {
            TurnStep::End => {
                self.step = TurnStep::Last;
                Ok(Flow::Moment(cw.moments.turn_ends))
            }
            TurnStep::Last if cx.get(cw.columns.turn, ()) < cx.get(cw.columns.last_turn, ()) => {
                Ok(Flow::Done)
            }
            TurnStep::Last => {
                self.step = TurnStep::Winner;
                Ok(Flow::Moment(cw.moments.game_ends))
            }
            TurnStep::Winner => {
                // A title that decides otherwise has ended the game itself.
                if !cx.replaced() {
                    cw.end_by_points(cx)?;
                }
                Ok(Flow::Done)
            }
        }
    }
}

impl Cwcs {
    /// The side with more points wins (12.0).
    fn end_by_points(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let points = [0, 1].map(|side| cx.get(self.columns.victory_points, SideId(side)));
        let winner = match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => Some(SideId(0)),
            std::cmp::Ordering::Less => Some(SideId(1)),
            std::cmp::Ordering::Equal => None,
        };
        cx.end_game(winner, self.rules.winner)
    }
}

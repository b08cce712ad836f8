//! The phases of a side's turn (4.1, 4.3). What a turn is made of is data of the pack: `sequence.ron`.

use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::{Cx, Flow, Halt, Procedure, SideId};

use super::Cwcs;
use super::dummies::Returns;
use super::stacking::Arrange;

/// The Pre-Game Activity Phase (4.1), once for each side: dummies join the set-up (3.21.c).
#[derive(Locals)]
pub(crate) struct PreGame {
    side: SideId,
    step: PreGameStep,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum PreGameStep {
    Title,
    Dummies,
    Stacks,
    Over,
}

impl PreGame {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, step: PreGameStep::Title }
    }
}

impl Procedure for PreGame {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        use PreGameStep as Step;
        let (next, flow) = match self.step {
            Step::Title => (Step::Dummies, Flow::Moment(cw.moments.before_play)),
            Step::Dummies => (Step::Stacks, cw.procs.returns.call(Returns::of(self.side, true))),
            Step::Stacks => (Step::Over, cw.procs.arrange.call(Arrange::everywhere(self.side))),
            Step::Over => return Ok(Flow::Done),
        };
        self.step = next;
        Ok(flow)
    }
}

/// The Communications Phase (4.31).
#[derive(Locals)]
pub(crate) struct Communications {
    side: SideId,
    step: CommunicationsStep,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum CommunicationsStep {
    Begin,
    Returns,
    Lines,
    Checked,
    Over,
}

impl Communications {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, step: CommunicationsStep::Begin }
    }
}

impl Procedure for Communications {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        use CommunicationsStep as Step;
        let (next, flow) = match self.step {
            Step::Begin => (Step::Returns, Flow::Moment(cw.moments.communications_begin)),
            // 4.31.a and b: both in one draft, so that nobody can tell an officer from a dummy.
            Step::Returns => (Step::Lines, cw.procs.returns.call(Returns::of(self.side, false))),
            Step::Lines => {
                cw.check_lines(cx, self.side)?;
                (Step::Checked, Flow::Moment(cw.moments.communications_checked))
            }
            // 4.31.d
            Step::Checked if cx.read().option(cw.movement.general_retreat) => {
                (Step::Over, Flow::Call(cw.movement.procs.general_retreat_of(self.side)))
            }
            Step::Checked => return Ok(Flow::Done),
            Step::Over => return Ok(Flow::Done),
        };
        self.step = next;
        Ok(flow)
    }
}

/// The Movement Phase (4.32).
#[derive(Locals)]
pub(crate) struct Movement {
    side: SideId,
    step: MovementStep,
}

#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
enum MovementStep {
    Begin,
    Moves,
    Marched,
    Ended,
    Stacks,
    End,
    Over,
}

impl Movement {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, step: MovementStep::Begin }
    }
}

impl Procedure for Movement {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        use MovementStep as Step;
        let (next, flow) = match self.step {
            Step::Begin => {
                cw.reinvert(cx, self.side)?;
                cw.begin_movement(cx, self.side)?;
                (Step::Moves, Flow::Moment(cw.moments.movement_begins))
            }
            Step::Moves => (Step::Marched, Flow::Call(cw.movement.procs.moves_of(self.side))),
            // While it is known yet how everybody came where he stands.
            Step::Marched => (Step::Ended, Flow::Moment(cw.moments.marches_over)),
            Step::Ended => {
                cw.end_movement(cx, self.side)?;
                (Step::Stacks, Flow::Again)
            }
            Step::Stacks => (Step::End, cw.procs.arrange.call(Arrange::everywhere(self.side))),
            Step::End => (Step::Over, Flow::Moment(cw.moments.movement_ends)),
            Step::Over => return Ok(Flow::Done),
        };
        self.step = next;
        Ok(flow)
    }
}

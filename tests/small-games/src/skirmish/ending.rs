//! The beginning and the end (sk:1.a, sk:9).

use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::Position;
use adjutant_kernel::{Cx, Flow, Halt, PlaceId, Procedure, SideId};

use super::field::bodies;
use super::{BLUE, RED, Skirmish, enemy_of};

/// Puts the units of the scenario on the map.
#[derive(Locals)]
pub(crate) struct Deployment {}

impl Procedure for Deployment {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        for body in bodies() {
            cx.move_group(game.words.deployment, &[body], Dest::Place(game.away, Position::Bottom))?;
        }
        for &(name, hex, steps) in &game.scenario.deployed {
            let body = bodies().find(|&b| game.unit(b).name == name);
            let (Some(body), Some(hex)) = (body, cx.rulebook().board().space_named(hex)) else {
                return Err(
                    cx.fault(format!("the scenario puts `{name}` into `{hex}`; one of them is unknown"))
                );
            };
            game.enter(cx, game.words.deployment, body, hex)?;
            cx.set(game.columns.steps, body, steps)?;
        }
        for side in [BLUE, RED] {
            cx.set(game.columns.morale, side, game.scenario.morale[side.index()])?;
        }
        Ok(Flow::Done)
    }
}

/// A side has no morale left (sk:9.a).
#[derive(Locals)]
pub(crate) struct Rout {}

impl Procedure for Rout {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let routed = [BLUE, RED].into_iter().find(|&side| cx.get(game.columns.morale, side) == 0);
        cx.end_game(routed.map(enemy_of), game.rules.morale)?;
        Ok(Flow::Done)
    }
}

/// The reckoning after the last turn (sk:9.b, sk:9.c).
#[derive(Locals)]
pub(crate) struct Reckoning {}

impl Procedure for Reckoning {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let objectives = |side: SideId| {
            let held = |&hex: &_| cx.get(game.columns.holder, hex) == i32::from(side.0);
            game.ground.objectives.iter().filter(held).count() as i32
        };
        let held = [objectives(BLUE), objectives(RED)];
        let morale = [BLUE, RED].map(|side| cx.get(game.columns.morale, side));
        let better = |of: [i32; 2]| match of[0].cmp(&of[1]) {
            std::cmp::Ordering::Greater => Some(BLUE),
            std::cmp::Ordering::Less => Some(RED),
            std::cmp::Ordering::Equal => None,
        };
        match better(held) {
            Some(winner) => cx.end_game(Some(winner), game.rules.objectives)?,
            None => cx.end_game(better(morale), game.rules.spirits)?,
        }
        Ok(Flow::Done)
    }
}

/// Where units are that are not on the map.
pub(crate) fn away(board: &adjutant_kernel::board::Board) -> Option<PlaceId> {
    board.place_named("away")
}

//! The end of the game (pl:14).

use adjutant_kernel::events::Arg;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::{Audience, BodyId, Cx, Flow, Halt, Procedure, SideId, SpaceId};

use super::Picket;
use super::board::{self, OPEN};
use super::combat::Post;

/// Everything is revealed and scored. A side's fifth loss of a real body calls it in mid-fight.
#[derive(Locals)]
pub(crate) struct Finish {}

impl Procedure for Finish {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.lapse(pl.moments.player_turn_end)?;
        cx.lapse(pl.moments.amber_combat)?;
        for body in to_reveal(pl, cx) {
            if !cx.read().face_up(body) {
                cx.show(body, Audience::ALL, pl.rules.reveal_all)?;
            }
        }
        let w = &pl.w;
        let arrears = cx.get(pl.arrears, ());
        cx.publish(w.arrears, pl.rules.tell_arrears, |e| e.answer(w.number, Arg::Number(arrears)))?;
        cx.add(pl.vp, pl.blue, arrears)?;
        if pl.base_at(cx.read()).is_some() {
            cx.add(pl.vp, pl.amber, 5)?;
        }
        for area in board::areas() {
            score_area(pl, cx, area)?;
        }
        let (amber, blue) = (cx.get(pl.vp, pl.amber), cx.get(pl.vp, pl.blue));
        cx.story(w.scores, Some(pl.rules.end), |e| {
            e.arg(w.amber, Arg::Number(amber));
            e.arg(w.blue, Arg::Number(blue));
        });
        let winner = match amber.cmp(&blue) {
            std::cmp::Ordering::Greater => Some(pl.amber),
            std::cmp::Ordering::Less => Some(pl.blue),
            std::cmp::Ordering::Equal => None,
        };
        cx.end_game(winner, pl.rules.end)?;
        Ok(Flow::Done)
    }
}

/// By area, Amber's first, stack by stack from the top; in mid-fight then road, field and reserve; then the
/// markers (pl:14.a).
fn to_reveal(pl: &Picket, cx: &Cx<'_>) -> Vec<BodyId> {
    let read = cx.read();
    let sides = [pl.amber, pl.blue];
    let mut list: Vec<BodyId> = Vec::with_capacity(19);
    for area in board::areas() {
        list.extend(sides.iter().flat_map(|&side| pl.here(read, side, area)));
    }
    for side in sides {
        list.extend(Post::ALL.into_iter().flat_map(|post| read.loose(pl.post(side, post))));
    }
    list.extend(pl.markers(read).map(|(marker, _)| marker));
    if cx.rulebook().mutant("final_by_number") {
        list.sort();
    }
    list
}

/// 2 for sole control of the open area, 1 for each of the enemy's home.
fn score_area(pl: &Picket, cx: &mut Cx<'_>, area: SpaceId) -> Result<(), Halt> {
    let controls = |side: SideId| pl.controls(cx.read(), side, area);
    let sole = match (controls(pl.amber), controls(pl.blue)) {
        (true, false) => pl.amber,
        (false, true) => pl.blue,
        (true, true) | (false, false) => return Ok(()),
    };
    if area == OPEN {
        cx.add(pl.vp, sole, 2)
    } else if pl.home(pl.enemy(sole)).contains(&area) {
        cx.add(pl.vp, sole, 1)
    } else {
        Ok(())
    }
}

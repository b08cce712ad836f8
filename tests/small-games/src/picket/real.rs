//! Who is real: the one question of the game, the challenge (pl:3.e), and how bodies leave the map.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::About;
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::state::Position;
use adjutant_kernel::{Audience, BodyId, Cx, Halt, PlaceId, RuleId, SpaceId, WordId};

use super::Picket;

impl Picket {
    /// Answers to all whether there is a foot or horse among bodies (pl:3.g); it stands until the player turn
    /// ends (pl:3.h).
    pub(crate) fn tell_real(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        about: About,
        rule: RuleId,
    ) -> Result<bool, Halt> {
        let answer = cx.tell(Telling {
            question: self.real,
            bodies,
            about,
            audience: Audience::ALL,
            rule,
            lapse: self.moments.player_turn_end,
        })?;
        Ok(answer != 0)
    }

    /// The challenge of a set of bodies, all in one area (pl:3.e). Whether one is real; if not, each of them
    /// from the top is seen.
    pub(crate) fn challenge(&self, cx: &mut Cx<'_>, bodies: &[BodyId], rule: RuleId) -> Result<bool, Halt> {
        let area = bodies.first().and_then(|&b| cx.read().place(b));
        if self.tell_real(cx, bodies, About::Bodies, rule)? {
            return Ok(true);
        }
        for &body in bodies {
            if cx.read().is(body, self.pieces.dummy) {
                cx.reveal(body, self.rules.challenge)?;
            } else {
                cx.narrow(body, self.pieces.leader, self.rules.challenge)?;
            }
        }
        if let Some(area) = area {
            cx.settle(area)?;
        }
        Ok(false)
    }

    /// What pl:3.f demands of the stacks in an area.
    pub(crate) fn settle(&self, cx: &mut Cx<'_>, area: SpaceId) -> Result<(), Halt> {
        cx.settle(PlaceId(area.0))
    }

    /// A body leaves the map, face down and fresh, and the sets that something was told about (pl:3.h).
    pub(crate) fn remove(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        to: PlaceId,
        event: WordId,
        rule: RuleId,
    ) -> Result<(), Halt> {
        cx.conceal(body)?;
        cx.move_group(self.w.removed, &[body], Dest::Place(to, Position::Bottom))?;
        cx.set(self.march, body, 0)?;
        let w = &self.w;
        cx.story(event, Some(rule), |e| {
            e.arg(w.bodies, Arg::KnownBodies([body].into_iter().collect()));
            e.arg(w.to, Arg::Place(to));
        });
        cx.leave_told(body)
    }

    /// A body is lost: the enemy scores for it, and with the fifth real one the game is over (pl:14).
    pub(crate) fn lose(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let Some(side) = cx.read().side(body) else { return Ok(()) };
        self.remove(cx, body, self.boxes(side).lost, self.w.lost, rule)?;
        cx.add(self.vp, self.enemy(side), 1)?;
        if self.is_real(cx.read(), body) {
            cx.add(self.lost, side, 1)?;
        }
        Ok(())
    }
}

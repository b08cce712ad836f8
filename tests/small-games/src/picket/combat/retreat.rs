//! Retreats (pl:10.m, pl:10.n).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::Placement;
use adjutant_kernel::{Action, Cx, Flow, Halt, Offers, PlaceId, Procedure, SeatId, SideId, SpaceId};

use super::Post;
use crate::picket::Picket;
use crate::picket::pieces::Bodies;

/// The bodies of a position retreat together.
#[derive(Locals)]
pub(crate) struct Retreat {
    side: SideId,
    post: Post,
    at: SpaceId,
    /// The battle's area and those entered.
    entered: List<SpaceId, 9>,
    open: List<SpaceId, 4>,
}

impl Retreat {
    pub(crate) fn of(side: SideId, post: Post, battle: SpaceId) -> Self {
        let mut entered = List::new();
        // The list is empty: there is room.
        let _ = entered.push(battle);
        Self { side, post, at: battle, entered, open: List::new() }
    }

    fn group(&self, pl: &Picket, cx: &Cx<'_>) -> Bodies {
        cx.read().loose(pl.post(self.side, self.post)).collect()
    }

    /// Challenges each linked area that holds enemies, by number; those that are open are told to all.
    fn look(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        self.open.clear();
        let foe = pl.enemy(self.side);
        for &(link, to) in &pl.map.ways[self.at.index()] {
            let flooded = link == pl.map.ford && cx.flag(pl.high, pl.map.ford_border);
            if flooded || self.entered.contains(&to) {
                continue;
            }
            let foes = pl.here(cx.read(), foe, to);
            let held = if cx.rulebook().mutant("retreat_no_tell") {
                pl.controls(cx.read(), foe, to)
            } else {
                !foes.is_empty() && pl.challenge(cx, &foes, pl.rules.retreat)?
            };
            if !held && self.open.push(to).is_err() {
                return Err(cx.fault("more than four areas are linked to one"));
            }
        }
        let (w, side, open) = (&pl.w, self.side, &self.open);
        cx.story(w.open, Some(pl.rules.retreat), |e| {
            e.arg(w.side, Arg::Side(side));
            e.arg(w.areas, Arg::Places(open.iter().map(|a| PlaceId(a.0)).collect()));
        });
        Ok(())
    }

    /// The group enters an area; where a fifth body would stand it must go on.
    fn enter(&mut self, pl: &Picket, cx: &mut Cx<'_>, to: SpaceId) -> Result<Flow, Halt> {
        if self.entered.push(to).is_err() {
            return Err(cx.fault("each area once"));
        }
        self.at = to;
        let (w, group, side) = (&pl.w, self.group(pl, cx), self.side);
        let verdict = cx.placement(Some(side), w.retreat, &group, PlaceId(to.0));
        let stays = !matches!(verdict, Placement::MustGoOn(_));
        cx.story(w.retreats, Some(pl.rules.retreat), |e| {
            e.arg(w.bodies, Arg::KnownBodies(group.clone()));
            e.arg(w.to, Arg::Place(PlaceId(to.0)));
            e.arg(w.verdict, Arg::Word(if stays { w.allowed } else { w.must_go_on }));
        });
        if !stays {
            return Ok(Flow::Again);
        }
        for &body in &group {
            cx.conceal(body)?;
        }
        cx.move_group(w.retreat, &group, Dest::NewStack(PlaceId(to.0)))?;
        pl.settle(cx, to)?;
        Ok(Flow::Done)
    }
}

impl Procedure for Retreat {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        cx.commit();
        self.look(pl, cx)?;
        match self.open[..] {
            [] => {
                for body in self.group(pl, cx) {
                    pl.lose(cx, body, pl.rules.no_retreat)?;
                }
                Ok(Flow::Done)
            }
            [to] => self.enter(pl, cx, to),
            _ => Ok(Flow::ask(pl.chief(self.side), pl.w.retreat)),
        }
    }

    fn offers(&self, pl: &Picket, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for &to in &self.open {
            out.add(Action::new(pl.w.retreat).on(to));
        }
        out.otherwise(pl.rules.retreat, |a| a.verb == pl.w.retreat && a.space(0).is_some());
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        cx.commit();
        match action.space(0) {
            Some(to) => self.enter(pl, cx, to),
            None => Err(cx.fault("an area is entered")),
        }
    }
}

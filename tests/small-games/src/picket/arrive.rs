//! A group that arrives (pl:7.e): a lone leader is displaced (pl:7.h), and the enemy may intercept (pl:8).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::Placement;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Procedure, SeatId, SideId, SpaceId, StackId,
};
use smallvec::SmallVec;

use super::Picket;
use super::march::State;
use super::pieces::Bodies;

#[derive(Choice, Clone, Copy, PartialEq, Debug)]
pub(crate) enum Step {
    Enter,
    Displace,
    Settle,
    Intercept,
}

/// The arrival of a stack of the marching side.
#[derive(Locals)]
pub(crate) struct Arrive {
    side: SideId,
    stack: StackId,
    at: SpaceId,
    step: Step,
}

impl Arrive {
    pub(crate) fn of(side: SideId, stack: StackId) -> Self {
        Self { side, stack, at: SpaceId(0), step: Step::Enter }
    }

    /// The lone enemy leader, face up, that the group finds (pl:7.h).
    fn lone_leader(&self, pl: &Picket, cx: &Cx<'_>) -> Option<BodyId> {
        if !cx.rule_on(pl.rules.displace) {
            return None;
        }
        let read = cx.read();
        match pl.here(read, pl.enemy(self.side), self.at)[..] {
            [lone] if read.face_up(lone) && read.is(lone, pl.pieces.leader) => Some(lone),
            _ => None,
        }
    }

    /// Where the leader may go: areas linked to this one, without enemies and with room.
    fn refuges(&self, pl: &Picket, seen: &Seen<'_>, leader: BodyId) -> SmallVec<[SpaceId; 4]> {
        let free = |&(link, to): &(_, SpaceId)| {
            !(link == pl.map.ford && seen.flag(pl.high, pl.map.ford_border))
                && pl.seen_here(seen, self.side, to).is_empty()
                && seen.placement(pl.w.displaced, &[leader], PlaceId(to.0)) == Placement::Allowed
        };
        pl.map.ways[self.at.index()].iter().copied().filter(|way| free(way)).map(|(_, to)| to).collect()
    }

    fn displace(&self, pl: &Picket, cx: &mut Cx<'_>, leader: BodyId, to: SpaceId) -> Result<(), Halt> {
        cx.commit();
        cx.conceal(leader)?;
        cx.move_group(pl.w.displaced, &[leader], Dest::NewStack(PlaceId(to.0)))?;
        let w = &pl.w;
        cx.story(w.displaced, Some(pl.rules.displace), |e| {
            e.arg(w.bodies, Arg::KnownBodies([leader].into_iter().collect()));
            e.arg(w.to, Arg::Place(PlaceId(to.0)));
        });
        pl.settle(cx, to)
    }

    fn enter(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let Some(at) = cx.read().stack_space(self.stack) else { return Err(cx.fault("nobody arrives")) };
        self.at = at;
        self.step = Step::Settle;
        if let Some(leader) = self.lone_leader(pl, cx) {
            let owner = pl.enemy(self.side);
            match self.refuges(pl, &cx.seen(owner), leader)[..] {
                [] => {
                    cx.commit();
                    pl.lose(cx, leader, pl.rules.displace)?;
                }
                [to] => self.displace(pl, cx, leader, to)?,
                _ => {
                    self.step = Step::Displace;
                    return Ok(Flow::ask(pl.chief(owner), pl.w.displace));
                }
            }
        }
        self.settle(pl, cx)
    }

    /// pl:3.f; then the group is arrived if there are enemies, who are asked if they may have horse.
    fn settle(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        pl.settle(cx, self.at)?;
        if !cx.read().stack_exists(self.stack) {
            return Ok(Flow::Done);
        }
        let owner = pl.enemy(self.side);
        let foes = pl.here(cx.read(), owner, self.at);
        if foes.is_empty() {
            return Ok(Flow::Done);
        }
        let group: Bodies = cx.read().loose(self.stack).collect();
        pl.set_states(cx, &group, State::Arrived)?;
        cx.commit();
        if !cx.rule_on(pl.rules.intercept) || !pl.may_be_horse(&cx.common(), cx.read(), &foes) {
            return Ok(Flow::Done);
        }
        self.step = Step::Intercept;
        Ok(Flow::ask(pl.outposts(owner), pl.w.intercept))
    }

    /// pl:8.a to pl:8.c
    fn intercept(&self, pl: &Picket, cx: &mut Cx<'_>, horse: BodyId) -> Result<(), Halt> {
        let (w, at, by) = (&pl.w, PlaceId(self.at.0), pl.enemy(self.side));
        cx.story(w.intercepts, Some(pl.rules.intercept), |e| {
            e.arg(w.area, Arg::Place(at));
            e.arg(w.side, Arg::Side(by));
        });
        cx.reveal(horse, pl.rules.interceptor)?;
        let group: Bodies = cx.read().loose(self.stack).collect();
        if pl.challenge(cx, &group, pl.rules.intercepted)? {
            pl.set_states(cx, &group, State::Caught)?;
            if !cx.read().records(pl.clash).any(|r| r.fields[0] == i32::from(at.0)) {
                cx.record(pl.clash, &[i32::from(at.0), i32::from(by.0)])?;
            }
            cx.story(w.clash, Some(pl.rules.intercepted), |e| {
                e.arg(w.area, Arg::Place(at));
                e.arg(w.by, Arg::Side(by));
            });
        } else {
            cx.conceal(horse)?;
            cx.settle(at)?;
            cx.story(w.turned_down, Some(pl.rules.missed), |e| {
                e.arg(w.bodies, Arg::KnownBodies([horse].into_iter().collect()));
            });
        }
        Ok(())
    }
}

impl Procedure for Arrive {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.step {
            Step::Enter => self.enter(pl, cx),
            Step::Settle => self.settle(pl, cx),
            Step::Displace | Step::Intercept => Err(cx.fault("a seat is asked")),
        }
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let owner = pl.enemy(self.side);
        let own = pl.seen_here(seen, owner, self.at);
        if self.step == Step::Displace {
            if let Some(&leader) = own.first() {
                for to in self.refuges(pl, seen, leader) {
                    out.add(Action::new(pl.w.retreat).on(to));
                }
            }
            return;
        }
        for &body in own.iter().filter(|&&b| seen.is(b, pl.pieces.horse).is_yes()) {
            out.add(Action::new(pl.w.intercept).on(body));
        }
        out.add(Action::new(pl.w.decline));
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if self.step == Step::Displace {
            let leader = self.lone_leader(pl, cx);
            let (Some(leader), Some(to)) = (leader, action.space(0)) else {
                return Err(cx.fault("there is no leader to displace"));
            };
            self.displace(pl, cx, leader, to)?;
            return self.settle(pl, cx);
        }
        cx.commit();
        let (w, at) = (&pl.w, PlaceId(self.at.0));
        match action.body(0) {
            Some(horse) => self.intercept(pl, cx, horse)?,
            None => cx.story(w.declined, Some(pl.rules.intercept), |e| e.arg(w.area, Arg::Place(at))),
        }
        Ok(Flow::Done)
    }

    /// The leader goes before the ground shows who came (pl:7.e).
    fn settled(&self) -> bool {
        self.step != Step::Displace
    }
}

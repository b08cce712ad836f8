//! March (pl:7): what may be done. How it is done is in [`march_acts`](super::march_acts).

use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, LinkId, Offers, Procedure, Refusal, SeatId, SideId, SpaceId, StackId,
    Tri, Verdict,
};

use super::Picket;
use super::board;
use super::pieces::Bodies;
use super::points::group_args;

/// What a body has done in the March phase (pl:7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Fresh,
    Marched,
    Halted,
    Arrived,
    Probed,
    Caught,
}

impl State {
    /// The value of the column.
    pub(crate) fn value(self) -> i32 {
        self as i32
    }
}

/// A side's March phase.
#[derive(Locals)]
pub(crate) struct March {
    pub(crate) side: SideId,
}

/// A stack and what stands against it, as its owner sees them.
struct Stack<'a> {
    id: StackId,
    at: SpaceId,
    bodies: &'a [BodyId],
    foes: &'a [BodyId],
    /// The side goes out of the area freely (pl:7.c).
    free: bool,
    /// Whether there is a real enemy.
    held: Tri,
}

fn refused(rule: adjutant_kernel::RuleId) -> Verdict {
    Err(Refusal { rule })
}

impl March {
    /// How many more bodies may come to stand in each area (pl:3.d).
    fn room(&self, pl: &Picket, seen: &Seen<'_>) -> [i32; 9] {
        let mut room = [0; 9];
        for area in board::areas() {
            let there: usize = seen.stacks_of(self.side, area).map(|s| seen.loose(s).count()).sum();
            room[area.index()] = pl.limit(seen, self.side, area) - there as i32;
        }
        room
    }

    /// Whether a group may go over a link at all, to an area with so much room.
    fn passes(
        &self,
        pl: &Picket,
        seen: &Seen<'_>,
        (link, to): (LinkId, SpaceId),
        group: &[BodyId],
        room: i32,
    ) -> Verdict {
        if !pl.usable(seen, link) {
            return refused(pl.rules.usable);
        }
        if (group.len() as i32) > room {
            return refused(pl.rules.limit);
        }
        if seen.rulebook().has_attachments(pl.points.may_enter)
            && let Some(rule) = seen.forbidden(pl.points.may_enter, &group_args(self.side, to, link, group))
        {
            return refused(rule);
        }
        Ok(())
    }

    /// pl:7.a to pl:7.d, in the order in which they refuse.
    fn may_march(
        &self,
        pl: &Picket,
        seen: &Seen<'_>,
        stack: &Stack<'_>,
        n: usize,
        way: (LinkId, SpaceId),
        room: i32,
    ) -> Verdict {
        let group = &stack.bodies[..n];
        if group.iter().any(|&b| seen.get(pl.march, b) != Some(State::Fresh.value())) {
            return refused(pl.rules.march);
        }
        self.passes(pl, seen, way, group, room)?;
        if !stack.foes.is_empty() && !stack.free {
            if seen.rule_on(pl.rules.leave) && !pl.own_real(seen, group) {
                return refused(pl.rules.leave);
            }
            if stack.held.is_yes() && seen.rule_on(pl.rules.stopped) {
                return refused(pl.rules.stopped);
            }
        }
        if seen.rulebook().has_attachments(pl.points.may_leave)
            && let Some(rule) =
                seen.forbidden(pl.points.may_leave, &group_args(self.side, stack.at, way.0, group))
        {
            return refused(rule);
        }
        Ok(())
    }

    fn offer_stack(
        &self,
        pl: &Picket,
        seen: &Seen<'_>,
        seat: SeatId,
        room: &[i32; 9],
        stack: &Stack<'_>,
        out: &mut Offers<'_>,
    ) {
        let w = &pl.w;
        let states = |state: State| move |&b: &BodyId| seen.get(pl.march, b) == Some(state.value());
        let has_marched = stack.bodies.iter().all(states(State::Marched));
        let may_press = has_marched && !seen.flag(pl.pressed, seat);
        for &(link, to) in &pl.map.ways[stack.at.index()] {
            for n in 1..=stack.bodies.len() {
                out.consider(Action::new(w.march).on(stack.id).on(n as i16).on(link), || {
                    self.may_march(pl, seen, stack, n, (link, to), room[to.index()])
                });
            }
            out.consider(Action::new(w.press).on(stack.id).on(link), || {
                if !may_press {
                    return refused(pl.rules.force);
                }
                self.passes(pl, seen, (link, to), stack.bodies, room[to.index()])
            });
        }
        if stack.foes.is_empty() {
            return;
        }
        let has_arrived = stack.bodies.iter().all(states(State::Arrived));
        for &body in stack.bodies {
            if !seen.is(body, pl.pieces.horse).is_yes() {
                continue;
            }
            for target in seen.stacks_of(pl.enemy(self.side), stack.at) {
                out.consider(Action::new(w.probe).on(body).on(target), || {
                    if has_arrived { Ok(()) } else { refused(pl.rules.probe) }
                });
            }
        }
    }

    /// Whether the side knows of a real enemy among these.
    fn held(&self, pl: &Picket, seen: &Seen<'_>, foes: &[BodyId], out: &Offers<'_>) -> Tri {
        #[cfg(feature = "mutants")]
        {
            let peeks = if out.is_judging() { "explain_on_truth" } else { "offer_on_truth" };
            if seen.rulebook().mutant(peeks) {
                return seen.behind().any(pl.pieces.real, foes);
            }
        }
        let _ = out;
        seen.any(pl.pieces.real, foes)
    }
}

impl Procedure for March {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(if self.side == pl.amber {
            Flow::ask(pl.amber_seat, pl.w.march)
        } else {
            Flow::ask_any(&[pl.blue_seat, pl.scouts], pl.w.march)
        })
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, seat: SeatId, out: &mut Offers<'_>) {
        let room = self.room(pl, seen);
        let foe = pl.enemy(self.side);
        for at in board::areas() {
            let mut foes: Option<(Bodies, bool, Tri)> = None;
            for id in seen.stacks_of(self.side, at) {
                let (foes, free, held) = foes.get_or_insert_with(|| {
                    let foes = pl.seen_here(seen, foe, at);
                    let free = foes.is_empty() || seen.flag(pl.engaged, (at, self.side));
                    let held = if free { Tri::No } else { self.held(pl, seen, &foes, out) };
                    (foes, free, held)
                });
                let bodies: Bodies = seen.loose(id).collect();
                let stack = Stack { id, at, bodies: &bodies, foes, free: *free, held: *held };
                self.offer_stack(pl, seen, seat, &room, &stack, out);
            }
        }
        out.add(Action::new(pl.w.done));
        let own = |stack: Option<StackId>| {
            stack.is_some_and(|s| board::areas().any(|a| seen.stacks_of(self.side, a).any(|own| own == s)))
        };
        // More bodies than the stack has, links that lead elsewhere.
        out.otherwise(pl.rules.march, |a| {
            a.verb == pl.w.march && own(a.stack(0)) && a.number(1).is_some() && a.link(2).is_some()
        });
        out.otherwise(pl.rules.probe, |a| {
            let own = a.body(0).is_some_and(|b| seen.side(b) == Some(self.side));
            a.verb == pl.w.probe && own && a.stack(1).is_some()
        });
        out.otherwise(pl.rules.force, |a| a.verb == pl.w.press && own(a.stack(0)) && a.link(1).is_some());
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        let w = &pl.w;
        match (action.verb, action.stack(0), action.body(0), action.link(1).or(action.link(2))) {
            (verb, ..) if verb == w.done => {
                cx.commit();
                Ok(Flow::Done)
            }
            (verb, Some(stack), _, Some(link)) if verb == w.march => {
                let n = action.number(1).unwrap_or(0).max(0) as usize;
                pl.march(cx, self.side, stack, n, link)
            }
            (verb, Some(stack), _, Some(link)) if verb == w.press => {
                pl.press(cx, self.side, seat, stack, link)
            }
            (verb, _, Some(body), _) if verb == w.probe => match action.stack(1) {
                Some(target) => Ok(pl.procs.probe.call(super::probe::Probe::of(self.side, body, target))),
                None => Err(cx.fault("a stack is probed")),
            },
            _ => Err(cx.fault(format!("no such march: {action:?}"))),
        }
    }
}

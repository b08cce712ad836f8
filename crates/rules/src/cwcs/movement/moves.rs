//! The moves of a Movement Phase (4.32.b): all that the phasing side may do, and what becomes of it.

use std::cell::LazyCell;

use adjutant_kernel::decisions::Target;
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::state::Read;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, Procedure, Refusal, SeatId, SideId, SpaceId, StackId,
    Verdict,
};

use super::super::units::Bodies;
use super::super::{Cwcs, interception, probes};
use super::leaving::Departure;
use super::mover::Mover;

/// How many units may go together.
const GROUP: usize = 32;

/// A side moves its units.
#[derive(Locals)]
pub(crate) struct Moves {
    side: SideId,
    /// Units of one stack that will go together.
    #[local(class = "owner")]
    group: List<BodyId, GROUP>,
    /// Units that have set out when the enemy was asked whether he intercepts (8.2), and the area that they leave.
    waiting: List<BodyId, GROUP>,
    leaving: Option<SpaceId>,
    /// Where they go: off the map, if nowhere.
    to: Option<SpaceId>,
}

impl Moves {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, group: List::new(), waiting: List::new(), leaving: None, to: None }
    }

    fn ask(&self, cw: &Cwcs) -> Flow {
        Flow::ask(cw.seat(self.side), cw.movement.w.move_units)
    }

    /// The units that an action is about: a stack, or a unit with those that were gathered round it.
    fn group_of(&self, cw: &Cwcs, read: Read<'_>, action: &Action) -> Bodies {
        if let Some(stack) = action.stack(0) {
            return read.bodies(stack).filter(|&body| read.is(body, cw.pieces.sets.stacks)).collect();
        }
        action.body(0).map(|body| self.with(body)).unwrap_or_default()
    }

    /// A unit with those that were gathered, if it is one of them.
    fn with(&self, body: BodyId) -> Bodies {
        if self.group.contains(&body) {
            self.group.iter().copied().collect()
        } else {
            Bodies::from_slice(&[body])
        }
    }

    /// The units gathered in the order of their stack.
    fn gather(&mut self, cw: &Cwcs, cx: &Cx<'_>, body: BodyId) -> Result<Flow, Halt> {
        let read = cx.read();
        let Some(stack) = read.stack(body) else { return Err(cx.fault("it stands in no stack")) };
        let before = std::mem::take(&mut self.group);
        for one in read.bodies(stack).filter(|one| *one == body || before.contains(one)) {
            if self.group.push(one).is_err() {
                return Err(cx.fault("too many units are gathered"));
            }
        }
        Ok(self.ask(cw))
    }

    /// A group sets out.
    fn set_out(
        &mut self,
        cw: &Cwcs,
        cx: &mut Cx<'_>,
        group: &[BodyId],
        to: Option<SpaceId>,
    ) -> Result<Flow, Halt> {
        let from = group.first().and_then(|&body| cx.read().space(body));
        let Some(from) = from else { return Err(cx.fault("nobody moves")) };
        match cw.depart(cx, self.side, group, from, to)? {
            Departure::Stays => {}
            Departure::Goes => cw.go_on(cx, self.side, group, from, to)?,
            Departure::Waits(flow) => {
                for &body in group {
                    if self.waiting.push(body).is_err() {
                        return Err(cx.fault("too many units go together"));
                    }
                }
                (self.leaving, self.to) = (Some(from), to);
                return Ok(flow);
            }
        }
        Ok(self.ask(cw))
    }

    /// The enemy has answered: whoever is still there and is not intercepted goes on.
    fn resume(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, from: SpaceId) -> Result<(), Halt> {
        let (group, to) = (std::mem::take(&mut self.waiting), self.to.take());
        let left: Bodies =
            group.iter().copied().filter(|&body| cx.read().space(body) == Some(from)).collect();
        let caught = left.iter().any(|&body| interception::is_caught(cw, &cx.truth(), body));
        if left.is_empty() || caught { Ok(()) } else { cw.go_on(cx, self.side, &left, from, to) }
    }

    fn offer_area(&self, mover: &Mover<'_>, area: SpaceId, out: &mut Offers<'_>) {
        let (seen, w) = (mover.seen, &mover.cw.movement.w);
        let bodies = seen.bodies_of(self.side, area);
        let height = |stack| bodies.iter().filter(|&&body| seen.stack(body) == Some(stack)).count();
        for &body in &bodies {
            let (go, exit) = (Action::new(w.move_).on(body), Action::new(w.exit).on(body));
            let ways = offer_moves(mover, go, exit, area, out, || self.with(body));
            out.consider(Action::new(w.force_march).on(body), || mover.may_declare(&[body]));
            self.offer_gathering(mover, area, body, ways, &height, out);
        }
        for stack in seen.stacks_of(self.side, area) {
            let mut group: Bodies = seen.bodies(stack);
            group.retain(|body| mover.marches(*body).is_ok());
            if !(2..=GROUP).contains(&group.len()) {
                continue;
            }
            let (go, exit) = (Action::new(w.move_).on(stack), Action::new(w.exit).on(stack));
            offer_moves(mover, go, exit, area, out, || group.clone());
            out.consider(Action::new(w.force_march).on(stack), || mover.may_declare(&group));
        }
    }

    /// A unit may be added to those that will go together, if they are of one stack, some stay behind, and there is
    /// somewhere to go: `ways` says so of the unit alone, where that is known.
    fn offer_gathering(
        &self,
        mover: &Mover<'_>,
        area: SpaceId,
        body: BodyId,
        ways: Option<Verdict>,
        height: &dyn Fn(StackId) -> usize,
        out: &mut Offers<'_>,
    ) {
        let (seen, cw) = (mover.seen, mover.cw);
        let gather = Action::new(cw.movement.w.gather).on(body);
        let Some(stack) = seen.stack(body).filter(|_| out.concerns(&gather)) else { return };
        let gathered = self.group.len();
        let same = self.group.first().is_none_or(|&first| seen.stack(first) == Some(stack));
        if !same || self.group.contains(&body) || gathered + 1 >= height(stack).min(GROUP) {
            return;
        }
        if let Some(ways) = ways.filter(|_| gathered == 0) {
            return out.consider(gather, || ways);
        }
        let mut group: Bodies = self.group.iter().copied().collect();
        group.push(body);
        out.consider(gather, || mover.has_a_way(&group, area));
    }
}

/// Offers the ways of a group into the areas next to its own, and off the map. Gives, if all were tried, whether there is
/// one, as [`Mover::has_a_way`] does.
fn offer_moves(
    mover: &Mover<'_>,
    go: Action,
    exit: Action,
    area: SpaceId,
    out: &mut Offers<'_>,
    group: impl FnOnce() -> Bodies,
) -> Option<Verdict> {
    if !out.concerns(&go) && !out.concerns(&exit) {
        return None;
    }
    let ready = LazyCell::new(|| {
        let group = group();
        let can_move = mover.can_move(&group);
        (group, can_move)
    });
    let (adjacent, mut tried, mut found, mut against) = (mover.cw.map.adjacent(area), 0, false, Ok(()));
    let mut take = |to| {
        let (group, can_move) = &*ready;
        let verdict = can_move.and_then(|()| mover.may_take(group, area, to));
        tried += 1;
        found |= verdict.is_ok();
        against = against.and(verdict);
        verdict
    };
    for &to in adjacent {
        out.consider(go.on(to), || take(Some(to)));
    }
    out.consider(exit, || take(None));
    (tried > adjacent.len()).then_some(if found { Ok(()) } else { against })
}

impl Procedure for Moves {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;
    const DRAWN: bool = true;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if let Some(from) = self.leaving.take() {
            self.resume(cw, cx, from)?;
        }
        Ok(self.ask(cw))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let mover = Mover::new(cw, seen, self.side);
        let w = &cw.movement.w;
        let only = match out.subject() {
            Some(Target::Body(body)) => seen.space(body),
            Some(Target::Stack(stack)) => seen.stack_space(stack),
            _ => None,
        };
        for &area in cw.map.areas.iter().filter(|&&area| only.is_none_or(|only| only == area)) {
            self.offer_area(&mover, area, out);
        }
        mover.offer_arrivals(out);
        probes::offers(cw, seen, self.side, out);
        out.consider(Action::new(cw.w.done), || mover.may_end());
        let own = |a: &Action| {
            let stack = a.stack(0).is_some_and(|stack| seen.stack_side(stack) == self.side);
            stack || a.body(0).is_some_and(|body| seen.owns(body))
        };
        out.otherwise(cw.movement.rules.adjacent, |a| a.verb == w.move_ && own(a) && a.place(1).is_some());
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        let w = &cw.movement.w;
        if action.verb == w.gather {
            let Some(body) = action.body(0) else { return Err(cx.fault("a unit is gathered")) };
            return self.gather(cw, cx, body);
        }
        let group = self.group_of(cw, cx.read(), action);
        self.group.clear();
        if action.verb == w.move_ || action.verb == w.exit {
            return self.set_out(cw, cx, &group, action.space(1));
        }
        if action.verb == w.force_march {
            cw.declare_force_march(cx, self.side, &group)?;
            return Ok(self.ask(cw));
        }
        if action.verb == w.arrive {
            let (Some(body), Some(area)) = (action.body(0), action.space(1)) else {
                return Err(cx.fault("a unit arrives in an area"));
            };
            cw.arrive(cx, self.side, body, area)?;
            return Ok(self.ask(cw));
        }
        if action.verb == cw.w.done {
            cx.commit();
            return Ok(Flow::Done);
        }
        match probes::act(cw, cx, self.side, seat, action)? {
            Some(flow) => Ok(flow),
            None => Err(cx.fault(format!("no such move: {action:?}"))),
        }
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

impl Mover<'_> {
    /// Whether the side may be done: not before all have gone who must retreat (6.6).
    fn may_end(&self) -> Result<(), Refusal> {
        match self.someone_must_retreat() {
            true => Err(Refusal { rule: self.cw.movement.rules.who_can_must }),
            false => Ok(()),
        }
    }
}

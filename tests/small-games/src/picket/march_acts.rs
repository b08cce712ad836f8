//! March and force march carried out (pl:7.a to pl:7.g).

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::About;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Faces, Input};
use adjutant_kernel::{Audience, BodyId, Cx, Flow, Halt, LinkId, PlaceId, SeatId, SideId, SpaceId, StackId};
use smallvec::SmallVec;

use super::Picket;
use super::arrive::Arrive;
use super::march::State;
use super::pieces::Bodies;

impl Picket {
    /// pl:7.a: the top bodies of a stack go over a link, unless they are stopped (pl:7.d).
    pub(crate) fn march(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        stack: StackId,
        n: usize,
        link: LinkId,
    ) -> Result<Flow, Halt> {
        let Some(from) = cx.read().stack_space(stack) else { return Err(cx.fault("the stack is nowhere")) };
        let to = cx.rulebook().board().other_end(link, from);
        let group: Bodies = cx.read().loose(stack).take(n).collect();
        let whole = cx.read().loose(stack).count() == n;
        let foes = self.here(cx.read(), self.enemy(side), from);
        if !foes.is_empty() && !cx.flag(self.engaged, (from, side)) {
            if cx.rule_on(self.rules.leave) {
                self.tell_real(cx, &group, About::Bodies, self.rules.leave)?;
            }
            if cx.rule_on(self.rules.stopped) && self.challenge(cx, &foes, self.rules.stopped)? {
                return self.stopped(cx, &group, whole, from, link, &foes);
            }
        }
        // A group that arrives is a stack of its own, whether or not it leaves anybody behind (pl:3.b).
        cx.move_group(self.w.march, &group, Dest::NewStack(PlaceId(to.0)))?;
        if !whole {
            self.settle(cx, from)?;
        }
        let stack = self.stack_of(cx, &group)?;
        self.set_states(cx, &group, State::Marched)?;
        self.cross(cx, side, link, to)?;
        let w = &self.w;
        self.tell_of_march(cx, w.marched, self.rules.march, &group, link, to);
        Ok(self.procs.arrive.call(Arrive::of(side, stack)))
    }

    /// pl:7.d: the group stays, halted, as a stack of its own.
    fn stopped(
        &self,
        cx: &mut Cx<'_>,
        group: &Bodies,
        whole: bool,
        at: SpaceId,
        link: LinkId,
        foes: &[BodyId],
    ) -> Result<Flow, Halt> {
        self.set_states(cx, group, State::Halted)?;
        if !whole {
            cx.move_group(self.w.march, group, Dest::NewStack(PlaceId(at.0)))?;
            self.settle(cx, at)?;
        }
        let w = &self.w;
        let names = cx.rulebook().mutant("stop_names");
        let real = foes.iter().copied().find(|&b| self.is_real(cx.read(), b));
        cx.stop(self.rules.stopped, |e| {
            e.arg(w.bodies, Arg::KnownBodies(group.clone()));
            e.arg(w.area, Arg::Place(PlaceId(at.0)));
            e.arg(w.link, Arg::Link(link));
            if let Some(real) = real.filter(|_| names) {
                e.arg(w.by, Arg::Piece(e.read().piece(real)));
            }
        });
        Ok(Flow::Again)
    }

    /// pl:7.f: a stack that has marched goes one area farther; each of its bodies may straggle.
    pub(crate) fn press(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        seat: SeatId,
        stack: StackId,
        link: LinkId,
    ) -> Result<Flow, Halt> {
        let Some(from) = cx.read().stack_space(stack) else { return Err(cx.fault("the stack is nowhere")) };
        let to = cx.rulebook().board().other_end(link, from);
        cx.set(self.pressed, seat, 1)?;
        let group: Bodies = cx.read().loose(stack).collect();
        for &body in &group {
            if cx.rulebook().mutant("no_sham") && !cx.read().is(body, self.pieces.foot) {
                continue;
            }
            self.straggle(cx, side, body, &group, link)?;
        }
        cx.move_stack(self.w.press, stack, PlaceId(to.0))?;
        self.set_states(cx, &group, State::Halted)?;
        self.cross(cx, side, link, to)?;
        self.tell_of_march(cx, self.w.pressed, self.rules.force, &group, link, to);
        Ok(self.procs.arrive.call(Arrive::of(side, stack)))
    }

    /// One public draw for one body; for one that is no foot it is a sham (pl:7.f, pl:7.g).
    fn straggle(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        body: BodyId,
        group: &[BodyId],
        link: LinkId,
    ) -> Result<(), Halt> {
        let mut args: SmallVec<[PointArg; 8]> = SmallVec::new();
        args.extend([PointArg::Side(side), PointArg::Link(link)]);
        args.extend(group.iter().map(|&b| PointArg::Body(b)));
        let secret = cx.contributions(self.points.straggle_die, &args)?;
        let ford = (link == self.map.ford).then(|| Contribution::new(self.rules.straggle, 1));
        let modifiers: SmallVec<[Contribution; 4]> = ford.into_iter().chain(secret.iter().copied()).collect();
        let drawn = cx.draw(None, self.tables.straggle, 6)?;
        let w = &self.w;
        let column = if cx.read().is(body, self.pieces.foot) { w.foot } else { w.other };
        let faces = Faces::new(&[drawn.value() as u16]).unwrap_or_default();
        let entry =
            Entry { column: Input::Word(column), dice: faces, modifiers: &modifiers, ..Entry::default() };
        let result = self.look_up(cx, self.tables.straggle, &entry)?.result.word();
        let own = Audience::side(side);
        let leak_result = cx.rulebook().mutant("leak_result");
        let leak_mods = cx.rulebook().mutant("mods_public");
        cx.report(drawn, self.rules.force, |e| {
            let list = |mods: &mut dyn Iterator<Item = &Contribution>| {
                Arg::List(mods.map(|c| Arg::List(vec![Arg::Rule(c.rule), Arg::Number(c.value)])).collect())
            };
            e.arg(w.bodies, Arg::KnownBodies([body].into_iter().collect()));
            e.arg(w.mods, list(&mut ford.iter()));
            let to_whom = if leak_mods { Audience::ALL } else { own };
            e.arg_for(w.private_mods, to_whom, list(&mut secret.iter()));
            e.arg_for(w.column, own, Arg::Word(column));
            let to_whom = if leak_result { Audience::ALL } else { own };
            e.arg_for(w.result, to_whom, Arg::Flag(result.is_some()));
        });
        if result.is_some() {
            let piece = cx.read().piece(body);
            cx.set(self.weary, piece, 1)?;
        }
        Ok(())
    }

    fn tell_of_march(
        &self,
        cx: &mut Cx<'_>,
        event: adjutant_kernel::WordId,
        rule: adjutant_kernel::RuleId,
        group: &Bodies,
        link: LinkId,
        to: SpaceId,
    ) {
        let w = &self.w;
        cx.story(event, Some(rule), |e| {
            e.arg(w.bodies, Arg::KnownBodies(group.clone()));
            e.arg(w.link, Arg::Link(link));
            e.arg(w.to, Arg::Place(PlaceId(to.0)));
        });
    }

    /// pl:2.b: bridge and ford mark the area that is entered; the ford serves one group a phase.
    fn cross(&self, cx: &mut Cx<'_>, side: SideId, link: LinkId, to: SpaceId) -> Result<(), Halt> {
        if self.crosses(link) {
            cx.set(self.over, (to, side), 1)?;
        }
        if link == self.map.ford {
            cx.set(self.used, link, 1)?;
        }
        Ok(())
    }

    pub(crate) fn set_states(&self, cx: &mut Cx<'_>, bodies: &[BodyId], state: State) -> Result<(), Halt> {
        bodies.iter().try_for_each(|&b| cx.set(self.march, b, state.value()))
    }

    /// The stack that a group forms.
    pub(crate) fn stack_of(&self, cx: &Cx<'_>, group: &[BodyId]) -> Result<StackId, Halt> {
        let stack = group.first().and_then(|&b| cx.read().stack(b));
        stack.ok_or_else(|| cx.fault("the group is no stack"))
    }
}

//! The probe (pl:9).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::tables::{Entry, Faces, Input};
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, Procedure, SeatId, SideId, SpaceId, StackId,
};

use super::Picket;
use super::march::State;
use super::pieces::Bodies;

/// A horse looks at an enemy stack.
#[derive(Locals)]
pub(crate) struct Probe {
    side: SideId,
    prober: BodyId,
    target: StackId,
    at: SpaceId,
    /// Horses of the enemy that will block; his draft until `done`.
    #[local(class = "owner")]
    blockers: List<BodyId, 4>,
}

impl Probe {
    pub(crate) fn of(side: SideId, prober: BodyId, target: StackId) -> Self {
        Self { side, prober, target, at: SpaceId(0), blockers: List::new() }
    }

    /// pl:9.a: who looks; in a faulty rule all horse of his stack.
    fn probers(&self, pl: &Picket, cx: &Cx<'_>) -> Bodies {
        let read = cx.read();
        match read.stack(self.prober) {
            Some(stack) if cx.rulebook().mutant("probe_all_horse") => {
                read.loose(stack).filter(|&b| read.is(b, pl.pieces.horse)).collect()
            }
            Some(_) | None => [self.prober].into_iter().collect(),
        }
    }

    fn strength(pl: &Picket, cx: &Cx<'_>, bodies: &[BodyId]) -> i32 {
        bodies.iter().filter_map(|&b| cx.read().attribute(b, pl.pieces.strength)).sum()
    }

    /// pl:9.c and pl:9.d
    fn look(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let w = &pl.w;
        let difference =
            Self::strength(pl, cx, &self.probers(pl, cx)) - Self::strength(pl, cx, &self.blockers);
        let drawn = cx.draw(None, pl.tables.probe, 6)?;
        let dice = Faces::new(&[drawn.value() as u16]).unwrap_or_default();
        let entry = Entry { column: Input::Number(difference), dice, ..Entry::default() };
        let working = pl.look_up(cx, pl.tables.probe, &entry)?;
        let number = working.result.number().unwrap_or(0);
        let table = pl.table(cx, pl.tables.probe);
        cx.report(drawn, pl.rules.probe_die, |e| {
            e.arg(w.difference, Arg::Number(difference));
            let heading = table.columns().heading(usize::from(working.column.end));
            e.arg(w.column, Arg::Text(heading.unwrap_or_default()));
            e.arg(w.result, Arg::Number(number));
        });
        let stack: Bodies = cx.read().loose(self.target).collect();
        let mut seen = 0;
        for &body in &stack {
            if seen == number {
                break;
            }
            if cx.read().is(body, pl.pieces.leader) {
                if !cx.rulebook().mutant("skip_silent") {
                    cx.narrow(body, pl.pieces.leader, pl.rules.probed)?;
                }
                continue;
            }
            cx.reveal(body, pl.rules.probed)?;
            seen += 1;
        }
        pl.settle(cx, self.at)?;
        Ok(Flow::Done)
    }
}

impl Procedure for Probe {
    type Module = Picket;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let read = cx.read();
        let (Some(stack), Some(at)) = (read.stack(self.prober), read.space(self.prober)) else {
            return Err(cx.fault("nobody probes"));
        };
        self.at = at;
        let group: Bodies = read.loose(stack).collect();
        pl.set_states(cx, &group, State::Probed)?;
        let (w, target) = (&pl.w, self.target);
        cx.story(w.probe, Some(pl.rules.probe), |e| {
            e.arg(w.stack, Arg::Stack(stack));
            e.arg(w.target, Arg::Stack(target));
        });
        for body in self.probers(pl, cx) {
            cx.reveal(body, pl.rules.prober)?;
        }
        let owner = pl.enemy(self.side);
        let foes = pl.here(cx.read(), owner, at);
        let asks = cx.rule_on(pl.rules.block) && pl.may_be_horse(&cx.common(), cx.read(), &foes);
        if asks { Ok(Flow::ask(pl.outposts(owner), w.block)) } else { self.look(pl, cx) }
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for body in pl.seen_here(seen, pl.enemy(self.side), self.at) {
            if seen.is(body, pl.pieces.horse).is_yes() && !self.blockers.contains(&body) {
                out.add(Action::new(pl.w.block).on(body));
            }
        }
        out.add(Action::new(pl.w.done));
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        if let Some(body) = action.body(0) {
            if self.blockers.push(body).is_err() {
                return Err(cx.fault("too many blockers"));
            }
            return Ok(Flow::ask(seat, pl.w.block));
        }
        cx.commit();
        let (w, number) = (&pl.w, self.blockers.len() as i32);
        cx.story(w.blocks, Some(pl.rules.block), |e| e.arg(w.number, Arg::Number(number)));
        for &body in &self.blockers {
            cx.reveal(body, pl.rules.block)?;
        }
        self.look(pl, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(SideId(1 - self.side.0))
    }
}

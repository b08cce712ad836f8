//! Orders (pl:10.e) and hesitation (pl:13.b).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{Choice as _, Locals};
use adjutant_kernel::state::Read;
use adjutant_kernel::tables::{Entry, Faces};
use adjutant_kernel::{Action, Cx, Flow, Halt, Imagine, Offers, Procedure, SeatId, SideId};
use smallvec::SmallVec;

use super::{Order, Post};
use crate::picket::Picket;

/// One side's orders for its filled positions.
#[derive(Locals)]
pub(crate) struct Orders {
    side: SideId,
    filled: [bool; 2],
    #[local(class = "owner")]
    given: [Option<Order>; 2],
}

impl Orders {
    pub(crate) fn of(pl: &Picket, read: Read<'_>, side: SideId) -> Self {
        let filled = Post::POSITIONS.map(|post| read.loose(pl.post(side, post)).next().is_some());
        Self { side, filled, given: [None; 2] }
    }

    /// The order for a position.
    pub(crate) fn given(&self, post: Post) -> Option<Order> {
        self.given[usize::from(post.index().0)]
    }
}

impl Procedure for Orders {
    type Module = Picket;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, pl: &Picket, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(pl.chief(self.side), pl.w.orders))
    }

    fn offers(&self, pl: &Picket, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let w = &pl.w;
        let mut open = false;
        for post in Post::POSITIONS {
            if self.filled[usize::from(post.index().0)] && self.given(post).is_none() {
                open = true;
                for choice in [w.attack, w.hold] {
                    out.add(Action::new(w.order).on(pl.post_word(post)).on(choice));
                }
            }
        }
        if !open {
            out.add(Action::new(w.done));
        }
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == pl.w.done {
            return Ok(Flow::Done);
        }
        let Some(post) = pl.post_named(action.choice(0)).filter(|p| *p != Post::Reserve) else {
            return Err(cx.fault("a position is ordered"));
        };
        let order = if action.choice(1) == Some(pl.w.attack) { Order::Attack } else { Order::Hold };
        self.given[usize::from(post.index().0)] = Some(order);
        self.run(pl, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// Nothing shows at the commit.
    fn shape(&self, _: &Picket, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        Some(Vec::new())
    }
}

/// On a 1 one of the attacker's positions holds, whatever its order (pl:13.b).
#[derive(Locals, Default)]
pub(crate) struct Falter {
    asked: bool,
}

impl Falter {
    fn attacker(pl: &Picket, cx: &Cx<'_>) -> SideId {
        SideId(cx.get(pl.attacker, ()).max(0) as u8)
    }

    fn falter(pl: &Picket, cx: &mut Cx<'_>, post: Post) -> Result<Flow, Halt> {
        let side = Self::attacker(pl, cx);
        cx.set(pl.ordered, (post.index(), side), Order::Hold.number() + 1)?;
        let w = &pl.w;
        cx.story(w.falters, Some(pl.rules.hesitation), |e| {
            e.arg(w.side, Arg::Side(side));
            e.arg(w.position, Arg::Word(pl.post_word(post)));
        });
        Ok(Flow::Done)
    }
}

impl Procedure for Falter {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.asked {
            return Ok(Flow::Done);
        }
        let drawn = cx.draw(None, pl.tables.hesitation, 6)?;
        let dice = Faces::new(&[drawn.value() as u16]).unwrap_or_default();
        let working = pl.look_up(cx, pl.tables.hesitation, &Entry { dice, ..Entry::default() })?;
        cx.report(drawn, pl.rules.hesitation, |_| ());
        if working.result.word().is_none() {
            return Ok(Flow::Done);
        }
        let side = Self::attacker(pl, cx);
        let filled = Post::POSITIONS.into_iter();
        let filled: SmallVec<[Post; 2]> =
            filled.filter(|&post| cx.read().loose(pl.post(side, post)).next().is_some()).collect();
        let attacks = |post: &&Post| cx.get(pl.ordered, (post.index(), side)) == Order::Attack.number() + 1;
        let by_order = cx.rulebook().mutant("falter_by_order") && filled.iter().filter(attacks).count() < 2;
        match filled[..] {
            [_, _] if !by_order => {
                self.asked = true;
                Ok(Flow::ask(pl.chief(side), pl.w.hesitate))
            }
            [only, ..] => Self::falter(pl, cx, only),
            [] => Ok(Flow::Done),
        }
    }

    fn offers(&self, pl: &Picket, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for post in Post::POSITIONS {
            out.add(Action::new(pl.w.falter).on(pl.post_word(post)));
        }
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        cx.commit();
        match pl.post_named(action.choice(0)) {
            Some(post) => Self::falter(pl, cx, post),
            None => Err(cx.fault("a position falters")),
        }
    }
}

//! Combat (pl:10) and search (pl:11): first every clash, then what the phasing side chooses.
//!
//! A battle is deployed ([`deploy`]), given orders ([`orders`]) and fought ([`fight`], [`retreat`]); its course
//! is in [`battle`].

pub(crate) mod battle;
pub(crate) mod deploy;
pub(crate) mod fight;
pub(crate) mod orders;
pub(crate) mod retreat;

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Seen, Sight as _};
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::ChoiceIndex;
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Procedure, Refusal, RuleId, SeatId, SideId, SpaceId,
    Verdict, WordId,
};

use super::Picket;
use super::board;

/// Where bodies are deployed in a battle (pl:10.c).
#[derive(Choice, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Post {
    #[default]
    Road,
    Field,
    Reserve,
}

impl Post {
    /// The two positions, which are fought over.
    pub(crate) const POSITIONS: [Self; 2] = [Self::Road, Self::Field];
    /// All three.
    pub(crate) const ALL: [Self; 3] = [Self::Road, Self::Field, Self::Reserve];

    /// A position as holder of a column of choices.
    pub(crate) fn index(self) -> ChoiceIndex {
        ChoiceIndex(u8::from(self != Self::Road))
    }

    /// The other position.
    pub(crate) fn other(self) -> Self {
        if self == Self::Road { Self::Field } else { Self::Road }
    }
}

/// What a position is told to do (pl:10.e); the value of the column `ordered` less one.
#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Attack,
    Hold,
}

impl Picket {
    /// The box of a post.
    pub(crate) fn post(&self, side: SideId, post: Post) -> PlaceId {
        let boxes = self.boxes(side);
        match post {
            Post::Road => boxes.road,
            Post::Field => boxes.field,
            Post::Reserve => boxes.reserve,
        }
    }

    /// The word for a post.
    pub(crate) fn post_word(&self, post: Post) -> WordId {
        match post {
            Post::Road => self.w.road,
            Post::Field => self.w.field,
            Post::Reserve => self.w.reserve,
        }
    }

    /// The post that an action names.
    pub(crate) fn post_named(&self, word: Option<WordId>) -> Option<Post> {
        Post::ALL.into_iter().find(|&post| Some(self.post_word(post)) == word)
    }

    /// The word for an order.
    pub(crate) fn order_word(&self, order: Order) -> WordId {
        match order {
            Order::Attack => self.w.attack,
            Order::Hold => self.w.hold,
        }
    }
}

/// A side's combat phase.
#[derive(Locals)]
pub(crate) struct Combat {
    side: SideId,
    searched: List<BodyId, 3>,
}

impl Combat {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, searched: List::new() }
    }

    /// Whether `attack` may be ordered in an area that holds enemies (pl:10, pl:10.a).
    fn may_attack(&self, pl: &Picket, seen: &Seen<'_>, area: SpaceId, has_real: bool) -> Verdict {
        if seen.flag(pl.fought, area) {
            return Err(Refusal { rule: pl.rules.combat });
        }
        if has_real { Ok(()) } else { Err(Refusal { rule: pl.rules.attacker }) }
    }

    /// pl:11, pl:11.a, pl:11.b
    fn may_search(
        &self,
        pl: &Picket,
        seen: &Seen<'_>,
        marker: BodyId,
        area: SpaceId,
        has_real: bool,
    ) -> Verdict {
        let refuse = |rule: RuleId| Err(Refusal { rule });
        if self.searched.contains(&marker) {
            return refuse(pl.rules.search);
        }
        if !has_real {
            return refuse(pl.rules.searcher);
        }
        let foes = pl.seen_here(seen, pl.amber, area);
        if !foes.is_empty() && seen.any(pl.pieces.real, &foes).is_yes() {
            return refuse(pl.rules.search_stopped);
        }
        Ok(())
    }

    fn search(&mut self, pl: &Picket, cx: &mut Cx<'_>, marker: BodyId) -> Result<(), Halt> {
        let Some(area) = cx.read().space(marker) else { return Err(cx.fault("the marker is gone")) };
        if self.searched.push(marker).is_err() {
            return Err(cx.fault("each marker once"));
        }
        let (w, at) = (&pl.w, PlaceId(area.0));
        cx.story(w.search, Some(pl.rules.searcher), |e| {
            e.arg(w.bodies, Arg::KnownBodies([marker].into_iter().collect()));
            e.arg(w.area, Arg::Place(at));
        });
        let own = pl.here(cx.read(), pl.blue, area);
        pl.tell_real(cx, &own, About::Bodies, pl.rules.searcher)?;
        let foes = pl.here(cx.read(), pl.amber, area);
        if !foes.is_empty() && pl.challenge(cx, &foes, pl.rules.search_stopped)? {
            cx.stop(pl.rules.search_stopped, |e| e.arg(w.area, Arg::Place(at)));
            return Ok(());
        }
        cx.reveal(marker, pl.rules.found)?;
        cx.move_group(w.found, &[marker], Dest::Place(pl.boxes(pl.amber).out, Position::Bottom))?;
        if cx.read().piece(marker) == pl.pieces.base {
            cx.add(pl.vp, pl.blue, 2)?;
        }
        Ok(())
    }
}

impl Procedure for Combat {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let clashes = cx.read().records(pl.clash).map(|r| (r.fields[0], r.fields[1]));
        if let Some((area, by)) = clashes.min() {
            cx.unrecord(pl.clash, |r| r.fields[0] == area)?;
            let (area, by) = (SpaceId(area as u16), SideId(by as u8));
            return Ok(pl.procs.battle.call(battle::Battle::clash(area, by)));
        }
        Ok(Flow::ask(pl.chief(self.side), pl.w.combat))
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let w = &pl.w;
        let mut has_real = [false; 9];
        let mut first = 0;
        for area in board::areas() {
            let own = pl.seen_here(seen, self.side, area);
            if own.is_empty() {
                continue;
            }
            has_real[area.index()] = pl.own_real(seen, &own);
            if seen.stacks_of(pl.enemy(self.side), area).next().is_some() {
                out.consider(Action::new(w.attack).on(area), || {
                    self.may_attack(pl, seen, area, has_real[area.index()])
                });
            }
        }
        if self.side == pl.blue {
            first = out.count();
            for area in board::areas() {
                for marker in seen.loose(area) {
                    out.consider(Action::new(w.search).on(marker), || {
                        self.may_search(pl, seen, marker, area, has_real[area.index()])
                    });
                }
            }
        }
        base_first(pl, seen, first, out);
        out.add(Action::new(w.done));
        // Where nobody stands to attack or to be attacked.
        out.otherwise(pl.rules.attacker, |a| a.verb == w.attack && a.space(0).is_some());
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == pl.w.done {
            cx.commit();
            return Ok(Flow::Done);
        }
        if let Some(marker) = action.body(0) {
            self.search(pl, cx, marker)?;
            return Ok(Flow::Again);
        }
        match action.space(0) {
            Some(area) => Ok(pl.procs.battle.call(battle::Battle::chosen(area, self.side))),
            None => Err(cx.fault("an area is attacked")),
        }
    }
}

/// A faulty rule: the true base heads the list of markers.
#[cfg(feature = "mutants")]
fn base_first(pl: &Picket, seen: &Seen<'_>, first: usize, out: &mut Offers<'_>) {
    if seen.rulebook().mutant("order_by_truth")
        && let Some(list) = out.listed()
    {
        let truth = seen.behind();
        let is_base = |a: &Action| a.body(0).is_some_and(|b| truth.piece(b) == Some(pl.pieces.base));
        list[first..].sort_by_key(|a| !is_base(a));
    }
}

#[cfg(not(feature = "mutants"))]
fn base_first(_: &Picket, _: &Seen<'_>, _: usize, _: &mut Offers<'_>) {}

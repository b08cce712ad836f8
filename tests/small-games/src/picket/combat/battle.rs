//! The course of a battle (pl:10).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::About;
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::{BodyId, Cx, Flow, Halt, PlaceId, Procedure, SideId, SpaceId};
use smallvec::SmallVec;

use super::deploy::Deploy;
use super::fight::Fight;
use super::orders::Orders;
use super::{Order, Post};
use crate::picket::Picket;
use crate::picket::board::OPEN;
use crate::picket::pieces::Bodies;

#[derive(Choice, Clone, Copy, PartialEq, Debug)]
pub(crate) enum Step {
    Begin,
    Deploy,
    Orders,
    Joined,
    Open,
    Road,
    Field,
    End,
}

/// A battle in an area.
#[derive(Locals)]
pub(crate) struct Battle {
    at: SpaceId,
    attacker: SideId,
    clash: bool,
    step: Step,
    /// The orders of Amber and of Blue, road and field, once they are told.
    told: [[Option<Order>; 2]; 2],
}

impl Battle {
    /// A battle that the attacker chose.
    pub(crate) fn chosen(at: SpaceId, attacker: SideId) -> Self {
        Self { at, attacker, clash: false, step: Step::Begin, told: [[None; 2]; 2] }
    }

    /// A battle that an interception brought about.
    pub(crate) fn clash(at: SpaceId, attacker: SideId) -> Self {
        Self { clash: true, ..Self::chosen(at, attacker) }
    }

    /// pl:10.a and pl:10.b; then the defender deploys.
    fn begin(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let (w, at, attacker, clash) = (&pl.w, PlaceId(self.at.0), self.attacker, self.clash);
        let defender = pl.enemy(attacker);
        cx.commit();
        cx.set(pl.fought, self.at, 1)?;
        cx.story(w.battle, Some(pl.rules.combat), |e| {
            e.arg(w.area, Arg::Place(at));
            e.arg(w.attacker, Arg::Side(attacker));
            e.arg(w.clashed, Arg::Flag(clash));
        });
        if !clash {
            let own = pl.here(cx.read(), attacker, self.at);
            pl.tell_real(cx, &own, About::Bodies, pl.rules.attacker)?;
            let foes = pl.here(cx.read(), defender, self.at);
            if !pl.challenge(cx, &foes, pl.rules.defender)? {
                cx.story(w.no_battle, Some(pl.rules.defender), |e| e.arg(w.area, Arg::Place(at)));
                return Ok(Flow::Done);
            }
        }
        cx.set(pl.battle_at, (), i32::from(self.at.0))?;
        cx.set(pl.attacker, (), i32::from(attacker.0))?;
        self.step = Step::Deploy;
        Ok(pl.procs.deploy.call(Deploy::of(defender, self.at)))
    }

    /// pl:10.e: both at once.
    fn ask_orders(&mut self, pl: &Picket, cx: &Cx<'_>) -> Flow {
        self.step = Step::Joined;
        let branch = |side| (pl.chief(side), pl.procs.orders.with(Orders::of(pl, cx.read(), side)));
        Flow::Fork { branches: vec![branch(pl.amber), branch(pl.blue)], together: true }
    }

    /// The orders are given and not told yet: hesitation may come in between (pl:13.b).
    fn join(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        for side in [pl.amber, pl.blue] {
            let orders = cx.joined(pl.procs.orders, pl.chief(side))?;
            for post in Post::POSITIONS {
                let value = orders.given(post).map_or(0, |order| order.number() + 1);
                cx.set(pl.ordered, (post.index(), side), value)?;
            }
        }
        self.step = Step::Open;
        Ok(Flow::moment(pl.moments.before_orders))
    }

    /// pl:10.f: the orders are told, then every body is revealed with its weariness, dummies go; levies draw
    /// their strength (pl:10.g), and it is seen who turned a flank (pl:10.j).
    fn open(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for side in [pl.amber, pl.blue] {
            for post in Post::POSITIONS {
                let value = cx.get(pl.ordered, (post.index(), side));
                self.told[side.index()][usize::from(post.index().0)] = Order::from_number(value - 1);
            }
        }
        cx.reset(pl.ordered.id, None)?;
        let told = self.told;
        let w = &pl.w;
        cx.publish(w.orders, pl.rules.battle, |e| {
            for side in [pl.amber, pl.blue] {
                let given = Post::POSITIONS.into_iter().zip(told[side.index()]);
                let pair = |(post, order)| {
                    Arg::List(vec![Arg::Word(pl.post_word(post)), Arg::Word(pl.order_word(order))])
                };
                let list = given.filter_map(|(post, order)| order.map(|o| pair((post, o)))).collect();
                e.answer(pl.side_word(side), Arg::List(list));
            }
        })?;
        let sides = [self.attacker, pl.enemy(self.attacker)];
        let boxes = Post::POSITIONS.into_iter().flat_map(|post| sides.map(|side| pl.post(side, post)));
        let boxes: SmallVec<[PlaceId; 4]> = boxes.collect();
        for &place in &boxes {
            let bodies: Bodies = cx.read().loose(place).collect();
            for body in bodies {
                cx.reveal_with(body, pl.rules.battle, &[pl.weary])?;
            }
            let left: Bodies = cx.read().loose(place).collect();
            cx.lapse_about(&left, true)?;
        }
        for &place in &boxes {
            let bodies: Bodies = cx.read().loose(place).collect();
            for body in bodies {
                self.draw_levy(pl, cx, body)?;
            }
        }
        for post in Post::POSITIONS {
            for side in [pl.amber, pl.blue] {
                let alone = |place| cx.read().loose(place).next().is_some();
                let is_alone = alone(pl.post(side, post)) && !alone(pl.post(pl.enemy(side), post));
                if is_alone && self.order(side, post) == Some(Order::Attack) {
                    cx.set(pl.turned, post.other().index(), i32::from(side.0))?;
                }
            }
        }
        Ok(())
    }

    fn order(&self, side: SideId, post: Post) -> Option<Order> {
        self.told[side.index()][usize::from(post.index().0)]
    }

    /// pl:10.g
    fn draw_levy(&self, pl: &Picket, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let piece = cx.read().piece(body);
        if !cx.read().is(body, pl.pieces.levy) || cx.get(pl.levy, piece) >= 0 {
            return Ok(());
        }
        let pieces = cx.rulebook().pieces().len() as u16;
        let levies = (0..pieces).map(adjutant_kernel::PieceId);
        let drawn: SmallVec<[i32; 4]> = levies.map(|p| cx.get(pl.levy, p)).filter(|&v| v >= 0).collect();
        let left: SmallVec<[i32; 4]> = (0..=3).filter(|chit| !drawn.contains(chit)).collect();
        let die = cx.draw(None, pl.tables.levy, left.len() as u16)?;
        let drawn = left.get(die.index()).copied().unwrap_or(0);
        let strength = pl.chit.map_or(drawn, |chit| cx.get(chit, piece));
        let w = &pl.w;
        cx.report(die, pl.rules.levy, |e| {
            e.arg(w.piece, Arg::Piece(piece));
            e.arg(w.result, Arg::Number(strength));
        });
        cx.set(pl.levy, piece, strength)
    }

    /// pl:10.h: a fight where both have bodies and one ordered an attack.
    fn fight(&self, pl: &Picket, cx: &Cx<'_>, post: Post) -> Flow {
        let sides = [self.attacker, pl.enemy(self.attacker)];
        let stands = |&side: &SideId| cx.read().loose(pl.post(side, post)).next().is_some();
        let by = sides.into_iter().find(|&side| self.order(side, post) == Some(Order::Attack));
        match by.filter(|_| sides.iter().all(stands)) {
            Some(by) => pl.procs.fight.call(Fight::of(self.at, post, by)),
            None => Flow::Again,
        }
    }

    /// pl:10.o
    fn end(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        if self.at == OPEN {
            cx.set(pl.cover, OPEN, 0)?;
        }
        for side in [pl.amber, pl.blue] {
            let bodies: Bodies =
                Post::ALL.into_iter().flat_map(|post| cx.read().loose(pl.post(side, post))).collect();
            for &body in &bodies {
                cx.conceal(body)?;
            }
            cx.set(pl.engaged, (self.at, side), 1)?;
            cx.move_group(pl.w.battle_over, &bodies, Dest::NewStack(PlaceId(self.at.0)))?;
        }
        cx.set(pl.battle_at, (), -1)?;
        cx.set(pl.attacker, (), -1)?;
        cx.reset(pl.turned.id, None)?;
        let (w, at) = (&pl.w, PlaceId(self.at.0));
        cx.story(w.battle_over, Some(pl.rules.after), |e| e.arg(w.area, Arg::Place(at)));
        cx.settle(at)
    }
}

impl Procedure for Battle {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.step {
            Step::Begin => self.begin(pl, cx),
            Step::Deploy => {
                self.step = Step::Orders;
                Ok(pl.procs.deploy.call(Deploy::of(self.attacker, self.at)))
            }
            Step::Orders => Ok(self.ask_orders(pl, cx)),
            Step::Joined => self.join(pl, cx),
            Step::Open => {
                self.open(pl, cx)?;
                self.step = Step::Road;
                Ok(Flow::Again)
            }
            Step::Road => {
                self.step = Step::Field;
                Ok(self.fight(pl, cx, Post::Road))
            }
            Step::Field => {
                self.step = Step::End;
                Ok(self.fight(pl, cx, Post::Field))
            }
            Step::End => {
                self.end(pl, cx)?;
                Ok(Flow::Done)
            }
        }
    }
}

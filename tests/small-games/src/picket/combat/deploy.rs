//! Deployment (pl:10.c, pl:10.d).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, Seen, Sight as _};
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, Procedure, Refusal, SeatId, SideId, SpaceId,
};

use super::Post;
use crate::picket::Picket;
use crate::picket::pieces::Bodies;

/// A side's deployment for a battle; a draft until `done`.
#[derive(Locals)]
pub(crate) struct Deploy {
    side: SideId,
    at: SpaceId,
    #[local(class = "owner")]
    bodies: List<BodyId, 8>,
    #[local(class = "owner")]
    posts: List<Post, 8>,
}

/// How the bodies of a side stand in the two positions, and how many real ones are left.
#[derive(Clone, Copy, Default)]
struct Count {
    bodies: [u8; 2],
    real: [u8; 2],
    left: u8,
}

impl Count {
    /// Whether the rest can still be placed: at most two in a position, a real body in each filled one, and one
    /// filled at least.
    fn completes(&self) -> bool {
        let mut need = 0;
        let mut filled = false;
        for (bodies, real) in self.bodies.into_iter().zip(self.real) {
            match (bodies, real) {
                (0, _) => {}
                (3.., _) | (2, 0) => return false,
                (_, 0) => need += 1,
                (_, _) => filled = true,
            }
        }
        if !filled && need == 0 {
            need = 1;
        }
        need <= self.left
    }

    /// The same with one more body at a post.
    fn with(mut self, post: Post, is_real: bool) -> Self {
        self.left -= u8::from(is_real).min(self.left);
        match post {
            Post::Road | Post::Field => {
                let at = usize::from(post.index().0);
                self.bodies[at] += 1;
                self.real[at] += u8::from(is_real);
            }
            Post::Reserve => {}
        }
        self
    }
}

impl Deploy {
    pub(crate) fn of(side: SideId, at: SpaceId) -> Self {
        Self { side, at, bodies: List::new(), posts: List::new() }
    }

    fn at_post(&self, post: Post) -> Bodies {
        let placed = self.bodies.iter().zip(&self.posts);
        placed.filter(|&(_, p)| *p == post).map(|(b, _)| *b).collect()
    }

    /// The bodies are turned down, go to their posts and are mixed, the reserve included; all learn the numbers
    /// and that each filled position holds a real body.
    fn commit(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        let (w, side) = (&pl.w, self.side);
        cx.lapse_about(&pl.here(cx.read(), side, self.at), false)?;
        for body in pl.here(cx.read(), side, self.at) {
            cx.conceal(body)?;
        }
        for post in Post::ALL {
            let dest = Dest::Place(pl.post(side, post), Position::Bottom);
            cx.move_group(w.deploy, &self.at_post(post), dest)?;
        }
        if !cx.rulebook().mutant("no_mix_deploy") {
            cx.mix_alike(&self.bodies)?;
        }
        let count = |post| self.at_post(post).len() as i32;
        cx.story(w.deployed, Some(pl.rules.deploy), |e| {
            e.arg(w.side, Arg::Side(side));
            e.arg(w.road, Arg::Number(count(Post::Road)));
            e.arg(w.field, Arg::Number(count(Post::Field)));
        });
        for post in Post::POSITIONS {
            let place = pl.post(side, post);
            let bodies: Bodies = cx.read().loose(place).collect();
            if !bodies.is_empty() {
                pl.tell_real(cx, &bodies, About::Place(place), pl.rules.deploy)?;
            }
        }
        Ok(())
    }
}

impl Procedure for Deploy {
    type Module = Picket;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, pl: &Picket, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(pl.chief(self.side), pl.w.deploy))
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let w = &pl.w;
        let is_real = |body| seen.is(body, pl.pieces.real).is_yes();
        let here = pl.seen_here(seen, self.side, self.at);
        let left = here.iter().filter(|&&b| is_real(b)).count() as u8;
        let placed = self.bodies.iter().zip(&self.posts);
        let start = Count { left, ..Count::default() };
        let so_far = placed.fold(start, |count, (&body, &post)| count.with(post, is_real(body)));
        for &body in here.iter().filter(|b| !self.bodies.contains(b)) {
            for post in Post::ALL {
                let action = Action::new(w.deploy).on(body).on(pl.post_word(post));
                out.consider(action, || {
                    let completes = so_far.with(post, is_real(body)).completes();
                    if completes { Ok(()) } else { Err(Refusal { rule: pl.rules.deploy }) }
                });
            }
        }
        out.consider(Action::new(w.done), || {
            let all = self.bodies.len() == here.len();
            if all { Ok(()) } else { Err(Refusal { rule: pl.rules.deploy }) }
        });
        // Bodies that are deployed already.
        out.otherwise(pl.rules.deploy, |a| {
            a.verb == w.deploy && a.body(0).is_some_and(|b| self.bodies.contains(&b))
        });
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == pl.w.done {
            self.commit(pl, cx)?;
            return Ok(Flow::Done);
        }
        let (Some(body), Some(post)) = (action.body(0), pl.post_named(action.choice(1))) else {
            return Err(cx.fault("a body is deployed at a post"));
        };
        if self.bodies.push(body).is_err() || self.posts.push(post).is_err() {
            return Err(cx.fault("all are deployed"));
        }
        self.run(pl, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// The numbers in road and field.
    fn shape(&self, _: &Picket, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        Some(Post::POSITIONS.map(|post| self.at_post(post).len() as i32).to_vec())
    }
}

//! The set-up (pl:4): both chief seats at once, joined together.

use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::locals::{Choice, List, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::{Position, Read};
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Imagine, Offers, PlaceId, Procedure, Refusal, SeatId, SideId, SpaceId,
    Verdict,
};

use super::Picket;
use super::board::{self, area};
use super::pieces::Bodies;

/// Where markers may be hidden.
const HIDING: [SpaceId; 4] = [area(4), area(6), area(7), area(9)];

#[derive(Choice, Clone, Copy, Default, Debug)]
pub(crate) enum Step {
    #[default]
    Muster,
    Joined,
}

/// The set-up as a whole.
#[derive(Locals, Default)]
pub(crate) struct SetUp {
    step: Step,
}

/// What one side has placed so far.
#[derive(Locals)]
pub(crate) struct Place {
    side: SideId,
    #[local(class = "owner")]
    bodies: List<BodyId, 8>,
    #[local(class = "owner")]
    areas: List<SpaceId, 8>,
    #[local(class = "owner")]
    markers: List<BodyId, 3>,
    #[local(class = "owner")]
    hidden: List<SpaceId, 3>,
}

impl Procedure for SetUp {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let sides = [pl.amber, pl.blue];
        match self.step {
            Step::Muster => {
                for n in 0..cx.rulebook().pieces().len() as u16 {
                    pl.muster(cx, BodyId(n))?;
                }
                pl.open_ground(cx)?;
                self.step = Step::Joined;
                let branch = |side| (pl.chief(side), pl.procs.place.with(Place::of(side)));
                Ok(Flow::Fork { branches: vec![branch(pl.amber), branch(pl.blue)], together: true })
            }
            Step::Joined => {
                for side in sides {
                    let placed = cx.joined(pl.procs.place, pl.chief(side))?;
                    placed.carry_out(pl, cx)?;
                }
                let markers: Bodies = pl.markers(cx.read()).map(|(marker, _)| marker).collect();
                cx.mix_alike(&markers)?;
                cx.story(pl.w.set_up, Some(pl.rules.set_up), |_| ());
                Ok(Flow::Done)
            }
        }
    }
}

impl Place {
    fn of(side: SideId) -> Self {
        Self { side, bodies: List::new(), areas: List::new(), markers: List::new(), hidden: List::new() }
    }

    /// Whether all eight can still be placed, two to four in each area, with one more in `to`.
    fn fits(&self, home: &[SpaceId; 3], to: SpaceId) -> bool {
        let left = 8 - self.bodies.len() as i32 - 1;
        let mut missing = 0;
        for &area in home {
            let there = self.areas.iter().filter(|&&a| a == area).count() as i32 + i32::from(area == to);
            if there > 4 {
                return false;
            }
            missing += (2 - there).max(0);
        }
        missing <= left
    }

    /// Puts the bodies into stacks, the later ones on top, and the markers where they are hidden. That the owner
    /// chose from his muster unseen makes it a mix.
    fn carry_out(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let mut all = Bodies::new();
        for area in pl.home(self.side) {
            let placed = self.bodies.iter().zip(&self.areas).rev();
            let stack: Bodies = placed.filter(|&(_, a)| *a == area).map(|(b, _)| *b).collect();
            cx.move_group(pl.w.place, &stack, Dest::NewStack(PlaceId(area.0)))?;
            all.extend(stack);
        }
        cx.mix_alike(&all)?;
        // By area: in which order they were hidden is nobody's business.
        for area in HIDING {
            let hidden = self.markers.iter().zip(&self.hidden).find(|&(_, at)| *at == area);
            let Some((&marker, _)) = hidden else { continue };
            cx.move_group(pl.w.hide, &[marker], Dest::Place(PlaceId(area.0), Position::Bottom))?;
        }
        Ok(())
    }
}

impl Procedure for Place {
    type Module = Picket;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, pl: &Picket, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(pl.chief(self.side), pl.w.setup))
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let refuse = Refusal { rule: pl.rules.set_up };
        let check = |allowed: bool| -> Verdict { if allowed { Ok(()) } else { Err(refuse) } };
        let home = pl.home(self.side);
        let fits = home.map(|to| self.fits(&home, to));
        let (mut bodies, mut markers) = (0, 0);
        for body in seen.loose(pl.boxes(self.side).muster) {
            let is_marker =
                seen.piece(body).is_some_and(|p| seen.rulebook().piece(p).deck == Some(pl.pieces.markers));
            if is_marker {
                markers += 1;
                if self.markers.contains(&body) {
                    continue;
                }
                for to in HIDING {
                    let free = !self.hidden.contains(&to);
                    out.consider(Action::new(pl.w.hide).on(body).on(to), || check(free));
                }
            } else {
                bodies += 1;
                if self.bodies.contains(&body) {
                    continue;
                }
                for (to, fits) in home.into_iter().zip(fits) {
                    out.consider(Action::new(pl.w.place).on(body).on(to), || check(fits));
                }
            }
        }
        let complete = self.bodies.len() == bodies && self.markers.len() == markers;
        out.consider(Action::new(pl.w.done), || check(complete));
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == pl.w.done {
            return Ok(Flow::Done);
        }
        let (Some(body), Some(area)) = (action.body(0), action.space(1)) else {
            return Err(cx.fault("a body is placed in an area"));
        };
        let (bodies, areas) = (&mut self.bodies, &mut self.areas);
        let full = if action.verb == pl.w.place {
            bodies.push(body).is_err() || areas.push(area).is_err()
        } else {
            self.markers.push(body).is_err() || self.hidden.push(area).is_err()
        };
        if full { Err(cx.fault("all are placed")) } else { self.run(pl, cx) }
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// Numbers by area, and where markers lie.
    fn shape(&self, pl: &Picket, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        let count = |area: SpaceId| self.areas.iter().filter(|&&a| a == area).count() as i32;
        let hidden = HIDING.iter().map(|area| i32::from(self.hidden.contains(area)));
        Some(pl.home(self.side).into_iter().map(count).chain(hidden).collect())
    }
}

impl Picket {
    /// Puts a body into its side's muster.
    pub(crate) fn muster(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let Some(side) = cx.read().side(body) else { return Ok(()) };
        cx.move_group(self.w.setup, &[body], Dest::Place(self.boxes(side).muster, Position::Bottom))?;
        Ok(())
    }

    /// pl:2.c, unless at dusk (pl:13.a).
    pub(crate) fn open_ground(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        if cx.read().option(self.dusk) { Ok(()) } else { cx.set(self.cover, board::OPEN, 1) }
    }
}

/// The bodies of a side, markers left out, wherever they are.
pub(crate) fn bodies_of(read: Read<'_>, deck: adjutant_kernel::DeckId) -> Bodies {
    let pieces = &read.rulebook().deck(deck).pieces;
    pieces.iter().filter_map(|&piece| read.body_of(piece)).collect()
}

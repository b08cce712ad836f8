//! Positions loaded for tests: an umpire's edit, which obeys knowledge (face down unless said).

use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::state::Position as Order;
use adjutant_kernel::{
    Audience, BodyId, Cx, Flow, Halt, PieceId, PlaceId, Procedure, RulebookBuilder, SideId, SpaceId,
};

use super::board;
use super::pieces::Bodies;
use super::{Picket, setup};

/// A position by names, and where the sequence of play starts.
///
/// Every body not mentioned stays in its side's muster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Area and bodies of a stack, top first; the older stacks of an area first.
    pub stacks: Vec<(u8, Vec<String>)>,
    /// Area and marker.
    pub markers: Vec<(u8, String)>,
    /// Dummies in their owner's pool.
    pub pool: Vec<String>,
    /// Bodies that are lost.
    pub lost: Vec<String>,
    /// Bodies whose identity all know.
    pub known: Vec<String>,
    /// Those of them that are face up.
    pub up: Vec<String>,
    /// Weary pieces.
    pub weary: Vec<String>,
    /// Side and area of an engagement.
    pub engaged: Vec<(String, u8)>,
    /// The turn.
    pub turn: u8,
    /// The side whose player turn it is.
    pub side: String,
    /// The phase.
    pub phase: String,
}

impl Position {
    /// Position P: turn 2, Amber's March; nothing known, nobody engaged.
    pub fn p() -> Self {
        Self::of(
            &[
                (4, "aF2 aH1"),
                (7, "aD1 aF3 aL"),
                (9, "aH2 aG aD2"),
                (1, "bH1 bG"),
                (2, "bH2"),
                (4, "bD2 bF2"),
                (6, "bD1 bL bF3"),
            ],
            &[(4, "Base"), (7, "X1"), (9, "X2")],
        )
    }

    /// Stacks and markers by area; turn 2, Amber's March.
    pub fn of(stacks: &[(u8, &str)], markers: &[(u8, &str)]) -> Self {
        let stack = |&(area, names): &(u8, &str)| (area, names.split(' ').map(str::to_owned).collect());
        Self {
            stacks: stacks.iter().map(stack).collect(),
            markers: markers.iter().map(|&(area, name)| (area, name.to_owned())).collect(),
            pool: Vec::new(),
            lost: Vec::new(),
            known: Vec::new(),
            up: Vec::new(),
            weary: Vec::new(),
            engaged: Vec::new(),
            turn: 2,
            side: "amber".to_owned(),
            phase: "march".to_owned(),
        }
    }

    /// The same at the beginning of a phase.
    #[must_use]
    pub fn at(mut self, turn: u8, side: &str, phase: &str) -> Self {
        (self.turn, self.side, self.phase) = (turn, side.to_owned(), phase.to_owned());
        self
    }

    /// The same with identities exchanged in pairs, wherever they stand.
    #[must_use]
    pub fn swapped(mut self, pairs: &[(&str, &str)]) -> Self {
        let swap = |name: &mut String| {
            for &(a, b) in pairs {
                if name == a {
                    *name = b.to_owned();
                    return;
                }
                if name == b {
                    *name = a.to_owned();
                    return;
                }
            }
        };
        self.stacks.iter_mut().flat_map(|(_, names)| names).for_each(swap);
        self.markers.iter_mut().for_each(|(_, name)| swap(name));
        let lists = [&mut self.pool, &mut self.lost, &mut self.known, &mut self.up, &mut self.weary];
        lists.into_iter().flatten().for_each(swap);
        self
    }

    /// The position by number; names that mean nothing are problems of the rulebook.
    pub(super) fn resolve(&self, rb: &mut RulebookBuilder) -> Loading {
        let mut unknown = Vec::new();
        let mut piece = |name: &String| {
            rb.piece_called(name).unwrap_or_else(|| {
                unknown.push(name.clone());
                PieceId(0)
            })
        };
        let area = |number: u8| board::area(u16::from(number.clamp(1, 9)));
        let mut list = |names: &[String]| -> Vec<PieceId> { names.iter().map(&mut piece).collect() };
        let stacks = self.stacks.iter().map(|(at, names)| (area(*at), list(names))).collect();
        let (pool, lost) = (list(&self.pool), list(&self.lost));
        let (known, up, weary) = (list(&self.known), list(&self.up), list(&self.weary));
        let markers = self.markers.iter().map(|(at, name)| (area(*at), piece(name))).collect();
        let side = |name: &str| SideId(u8::from(name == "blue"));
        let loading = Loading {
            stacks,
            markers,
            pool,
            lost,
            known,
            up,
            weary,
            engaged: self.engaged.iter().map(|(s, at)| (side(s), area(*at))).collect(),
            turn: i32::from(self.turn),
            side: (self.phase != "rest").then_some(side(&self.side)),
            phase: self.phase.clone(),
        };
        for name in unknown {
            rb.problem(format!("the position names `{name}`, which is no piece"));
        }
        loading
    }
}

/// A position by number.
#[derive(Debug)]
pub(crate) struct Loading {
    stacks: Vec<(SpaceId, Vec<PieceId>)>,
    markers: Vec<(SpaceId, PieceId)>,
    pool: Vec<PieceId>,
    lost: Vec<PieceId>,
    known: Vec<PieceId>,
    up: Vec<PieceId>,
    weary: Vec<PieceId>,
    engaged: Vec<(SideId, SpaceId)>,
    turn: i32,
    side: Option<SideId>,
    phase: String,
}

/// The opening procedure that loads a position and plays on from it.
#[derive(Locals, Default)]
pub(crate) struct Load {
    loaded: bool,
}

impl Procedure for Load {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let Some(position) = pl.position.as_ref().filter(|_| !self.loaded) else { return Ok(Flow::Done) };
        self.loaded = true;
        position.place(pl, cx)?;
        position.inform(pl, cx)?;
        match cx.rulebook().sequence_from(&position.phase, position.side) {
            Some(sequence) => Ok(Flow::Call(sequence)),
            None => Err(cx.fault(format!("there is no phase `{}`", position.phase))),
        }
    }
}

fn body(cx: &Cx<'_>, piece: PieceId) -> Result<BodyId, Halt> {
    cx.read().body_of(piece).ok_or_else(|| cx.fault("a piece has no body"))
}

impl Loading {
    /// Puts everything where it stands. That nobody saw how makes each deck a mix.
    fn place(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for n in 0..cx.rulebook().pieces().len() as u16 {
            pl.muster(cx, BodyId(n))?;
        }
        for (at, pieces) in &self.stacks {
            let stack: Bodies = pieces.iter().map(|&p| body(cx, p)).collect::<Result<_, _>>()?;
            cx.move_group(pl.w.place, &stack, Dest::NewStack(PlaceId(at.0)))?;
        }
        for &(at, piece) in &self.markers {
            let marker = body(cx, piece)?;
            cx.move_group(pl.w.hide, &[marker], Dest::Place(PlaceId(at.0), Order::Bottom))?;
        }
        for (pieces, is_lost) in [(&self.pool, false), (&self.lost, true)] {
            for &piece in pieces {
                let body = body(cx, piece)?;
                let Some(side) = cx.read().side(body) else { continue };
                let boxes = pl.boxes(side);
                let to = if is_lost { boxes.lost } else { boxes.pool };
                cx.move_group(pl.w.place, &[body], Dest::Place(to, Order::Bottom))?;
            }
        }
        let decks = [pl.pieces.decks[0], pl.pieces.decks[1], pl.pieces.markers];
        decks.into_iter().try_for_each(|deck| cx.mix(&setup::bodies_of(cx.read(), deck)))
    }

    /// What is known, and the columns.
    fn inform(&self, pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for &piece in self.pool.iter().chain(&self.lost).chain(&self.known) {
            let body = body(cx, piece)?;
            cx.show(body, Audience::ALL, pl.rules.umpire)?;
        }
        for &piece in &self.up {
            let body = body(cx, piece)?;
            cx.reveal(body, pl.rules.umpire)?;
        }
        for &piece in &self.lost {
            let body = body(cx, piece)?;
            if let Some(side) = cx.read().side(body).filter(|_| pl.is_real(cx.read(), body)) {
                cx.add(pl.lost, side, 1)?;
            }
        }
        for &piece in &self.weary {
            cx.set(pl.weary, piece, 1)?;
        }
        for &(side, at) in &self.engaged {
            cx.set(pl.engaged, (at, side), 1)?;
        }
        cx.set(pl.turn, (), self.turn)?;
        pl.open_ground(cx)?;
        pl.settle(cx, board::OPEN)
    }
}

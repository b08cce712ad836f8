//! Retreats and whom they displace (sk:8).
//!
//! Every unit retreats at most once a battle, so a cascade ends after as many retreats as a side has units.

use adjutant_kernel::locals::Locals;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Placement, Procedure, SeatId, Seen, SpaceId, WordId,
};
use smallvec::SmallVec;

use super::Skirmish;

/// One unit retreats, and whom it displaces after it.
#[derive(Locals)]
pub(crate) struct Retreat {
    pub(crate) body: BodyId,
    /// Whether a friend takes its place.
    pub(crate) displaced: bool,
    /// Whether it has gone.
    pub(crate) gone: bool,
}

impl Retreat {
    pub(crate) fn of(body: BodyId) -> Self {
        Self { body, displaced: false, gone: false }
    }

    fn cause(&self, game: &Skirmish) -> WordId {
        if self.displaced { game.words.displaced } else { game.words.retreat }
    }

    fn go(&mut self, game: &Skirmish, cx: &mut Cx<'_>, hex: SpaceId) -> Result<Flow, Halt> {
        self.gone = true;
        cx.set(game.columns.fled, self.body, 1)?;
        cx.set(game.columns.target, self.body, -1)?;
        match game.enter(cx, self.cause(game), self.body, hex)? {
            Placement::Displaces(bodies, _) if !bodies.is_empty() => {
                let next = Retreat { body: bodies[0], displaced: true, gone: false };
                Ok(game.procs.retreat.call(next))
            }
            _ => Ok(Flow::Done),
        }
    }
}

impl Procedure for Retreat {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.gone {
            return Ok(Flow::Done);
        }
        let side = game.unit(self.body).side;
        match game.retreats(&cx.seen(side), self.cause(game), self.body)[..] {
            [] => {
                game.eliminate(cx, self.body, game.rules.cut_off)?;
                Ok(Flow::Done)
            }
            [hex] => self.go(game, cx, hex),
            _ => Ok(Flow::ask(game.seats[side.index()], game.words.retreat)),
        }
    }

    fn offers(&self, game: &Skirmish, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for hex in game.retreats(seen, self.cause(game), self.body) {
            out.add(Action::new(game.words.retreat).on(self.body).on(hex));
        }
    }

    fn act(&mut self, game: &Skirmish, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match action.space(1) {
            Some(hex) => self.go(game, cx, hex),
            None => Err(cx.fault("a retreat without a hex")),
        }
    }
}

impl Skirmish {
    /// The hexes that a unit may retreat to: those with room, and only if there are none the full ones (sk:8.d).
    pub(crate) fn retreats(&self, seen: &Seen<'_>, cause: WordId, body: BodyId) -> SmallVec<[SpaceId; 6]> {
        let (mut free, mut full) = (SmallVec::new(), SmallVec::new());
        for hex in self.ways_out(seen, body) {
            match seen.placement(cause, &[body], PlaceId(hex.0)) {
                Placement::Allowed => free.push(hex),
                Placement::Displaces(..) => full.push(hex),
                Placement::MustGoOn(_) | Placement::Forbidden(_) => {}
            }
        }
        if free.is_empty() { full } else { free }
    }
}

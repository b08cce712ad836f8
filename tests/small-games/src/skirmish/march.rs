//! The march (sk:3) and the placement check.

use adjutant_kernel::board::{Edge, SearchScratch, Ways};
use adjutant_kernel::events::Arg;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Module, Offers, PlaceId, Placement, Procedure, Refusal, RuleId, SeatId,
    Seen, SideId, Sight as _, SpaceId, WordId,
};
use smallvec::smallvec;

use super::field::Field;
use super::roster::Kind;
use super::{Skirmish, enemy_of};

/// At most so many units stand in a hex (sk:2.b).
pub(crate) const STACK: usize = 2;

/// A side marches: one unit after another, until it says that it is done.
#[derive(Locals)]
pub(crate) struct March {
    pub(crate) side: SideId,
}

impl Procedure for March {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(game.seats[self.side.index()], game.words.march))
    }

    fn offers(&self, game: &Skirmish, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let field = Field::of(game, seen);
        let mut search = SearchScratch::default();
        for (body, from) in field.units(game, self.side) {
            if !out.concerns(&Action::new(game.words.move_unit).on(body)) {
                continue;
            }
            let fresh = !seen.flag(game.columns.moved, body);
            if fresh {
                game.reach(seen, &field, &mut search, body, from);
            }
            for to in (0..seen.rulebook().board().space_count() as u16).map(SpaceId).filter(|&to| to != from)
            {
                out.consider(Action::new(game.words.move_unit).on(body).on(to), || {
                    let verdict = if fresh {
                        game.may_march(seen, &field, &search, body, to)
                    } else {
                        Err(game.rules.once)
                    };
                    verdict.map_err(|rule| Refusal { rule })
                });
            }
        }
        out.add(Action::new(game.words.done));
    }

    fn act(&mut self, game: &Skirmish, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match (action.body(0), action.space(1)) {
            (Some(body), Some(hex)) => {
                game.enter(cx, game.words.march, body, hex)?;
                cx.set(game.columns.moved, body, 1)?;
                Ok(Flow::Again)
            }
            _ => {
                cx.commit();
                Ok(Flow::Done)
            }
        }
    }
}

impl Skirmish {
    /// Finds the hexes that a unit can march to (sk:3, sk:4).
    pub(crate) fn reach(
        &self,
        seen: &Seen<'_>,
        field: &Field,
        search: &mut SearchScratch,
        body: BodyId,
        start: SpaceId,
    ) {
        let unit = self.unit(body);
        let board = seen.rulebook().board();
        board.reachable(search, Ways::all(), [start], unit.moves, |from, edge| {
            self.step(seen, field, body, start, from, edge).ok()
        });
    }

    /// The cost of one step of a march, or the rule that forbids it.
    pub(crate) fn step(
        &self,
        seen: &Seen<'_>,
        field: &Field,
        body: BodyId,
        start: SpaceId,
        from: SpaceId,
        edge: &Edge,
    ) -> Result<u32, RuleId> {
        let unit = self.unit(body);
        let enemy = enemy_of(unit.side).index();
        let (leaves, enters) = (field.zone[enemy].has(from), field.zone[enemy].has(edge.to));
        if field.held[enemy].has(edge.to) {
            return Err(self.rules.shared);
        }
        if leaves && enters {
            return Err(self.rules.zone_to_zone);
        }
        if leaves && from != start && unit.kind != Kind::Cavalry {
            return Err(self.rules.cavalry_zone);
        }
        self.may_cross(seen, body, edge.link, edge.to)?;
        let args = [
            PointArg::Body(body),
            PointArg::Link(edge.link),
            PointArg::Space(edge.to),
            PointArg::Word(self.words.zone),
        ];
        let args = if enters { &args[..] } else { &args[..3] };
        Ok(seen.total(self.points.move_cost, args).max(1) as u32)
    }

    /// Whether a unit may end its march in a hex, after [`reach`](Self::reach).
    fn may_march(
        &self,
        seen: &Seen<'_>,
        field: &Field,
        search: &SearchScratch,
        body: BodyId,
        to: SpaceId,
    ) -> Result<(), RuleId> {
        if !search.is_reached(to) {
            let held = field.held[enemy_of(self.unit(body).side).index()].has(to);
            return Err(if held { self.rules.shared } else { self.rules.reach });
        }
        match seen.placement(self.words.march, &[body], PlaceId(to.0)) {
            Placement::Allowed => Ok(()),
            Placement::MustGoOn(rule) | Placement::Displaces(_, rule) | Placement::Forbidden(rule) => {
                Err(rule)
            }
        }
    }

    /// Brings a unit into a hex; who enters an objective holds it (sk:9.b). Gives those that it displaces.
    pub(crate) fn enter(
        &self,
        cx: &mut Cx<'_>,
        cause: WordId,
        body: BodyId,
        hex: SpaceId,
    ) -> Result<Placement, Halt> {
        let answer = cx.move_group(cause, &[body], Dest::Place(PlaceId(hex.0), Position::Bottom))?;
        if let Some(rule) = answer.forbidden() {
            let (unit, rule) = (self.unit(body).name, cx.rulebook().rule(rule));
            let text = format!("{unit} cannot come to {}: {rule}", cx.rulebook().board().space_name(hex));
            return Err(cx.fault(text));
        }
        let (words, rules) = (&self.words, &self.rules);
        let rule = match cause {
            _ if cause == words.march => rules.reach,
            _ if cause == words.displaced => rules.no_room,
            _ if cause == words.advance => rules.advance,
            _ => rules.results,
        };
        if cause != words.deployment {
            cx.story(cause, Some(rule), |e| {
                e.arg(words.unit, Arg::Body(body));
                e.arg(words.to, Arg::Place(PlaceId(hex.0)));
            });
        }
        if self.ground.objectives.has(hex) {
            cx.set(self.columns.holder, hex, i32::from(self.unit(body).side.0))?;
        }
        Ok(answer)
    }
}

impl Module for Skirmish {
    fn name(&self) -> &str {
        "skirmish"
    }

    /// Stacking (sk:2.b, sk:2.c) and what retreats may enter (sk:8.b to sk:8.d).
    fn placement(&self, seen: &Seen<'_>, cause: WordId, bodies: &[BodyId], to: PlaceId) -> Placement {
        let Some(&body) = bodies.first().filter(|_| to != self.away) else { return Placement::Allowed };
        let (words, rules) = (&self.words, &self.rules);
        let (side, hex) = (self.unit(body).side, SpaceId(to.0));
        if seen.loose(hex).any(|b| self.unit(b).side != side) {
            return Placement::Forbidden(rules.shared);
        }
        let retreats = cause == words.retreat || cause == words.displaced;
        if retreats && self.in_zone(seen, enemy_of(side), hex) {
            return Placement::Forbidden(rules.retreat_zone);
        }
        let there = || seen.loose(hex).filter(|b| !bodies.contains(b));
        if there().count() + bodies.len() <= STACK {
            return Placement::Allowed;
        }
        if cause == words.march {
            return Placement::MustGoOn(rules.full);
        }
        match there().find(|&b| retreats && !seen.flag(self.columns.fled, b)) {
            Some(longest) => Placement::Displaces(smallvec![longest], rules.no_room),
            None => Placement::Forbidden(rules.full),
        }
    }
}

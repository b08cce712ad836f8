//! Rain (pl:5.a), and the end of a turn: rest and supply (pl:12).

use adjutant_kernel::board::{SearchScratch, Ways};
use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, QuestionKind, Seen, Sight as _};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Telling;
use adjutant_kernel::state::Read;
use adjutant_kernel::tables::{Entry, Faces, Input};
use adjutant_kernel::{
    Action, Audience, Cx, Flow, Halt, Imagine, Offers, Procedure, QuestionId, RulebookBuilder, SeatId,
    SideId, SpaceId,
};
use smallvec::SmallVec;

use super::Picket;
use super::board::{self, Map, area};
use super::pieces::Pieces;

/// Rain: on a 6 the water is high this turn.
#[derive(Locals)]
pub(crate) struct Rain {}

impl Procedure for Rain {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let drawn = cx.draw(None, pl.tables.rain, 6)?;
        let dice = Faces::new(&[drawn.value() as u16]).unwrap_or_default();
        let working = pl.look_up(cx, pl.tables.rain, &Entry { dice, ..Entry::default() })?;
        let high = working.result.word().is_some();
        let w = &pl.w;
        cx.report(drawn, pl.rules.rain, |e| e.arg(w.result, Arg::Flag(high)));
        cx.set(pl.high, pl.map.ford_border, i32::from(high))?;
        Ok(Flow::Done)
    }
}

/// Both sides rest at once (pl:12.a), then Base is supplied or not (pl:12.b, pl:12.c).
#[derive(Locals, Default)]
pub(crate) struct Rest {
    asked: bool,
}

/// A side's rest, applied as it commits.
#[derive(Locals)]
pub(crate) struct RestBranch {
    side: SideId,
    #[local(class = "owner")]
    rested: bool,
}

impl Procedure for Rest {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.asked {
            self.asked = true;
            let mut sides: SmallVec<[SideId; 2]> = [pl.amber, pl.blue].into_iter().collect();
            if cx.rulebook().mutant("rest_by_truth") {
                sides.retain(|side| weary(pl, cx.read(), *side));
            }
            if sides.is_empty() {
                return Ok(Flow::Again);
            }
            let branch =
                |side| (pl.chief(side), pl.procs.rest_branch.with(RestBranch { side, rested: false }));
            return Ok(Flow::Fork { branches: sides.into_iter().map(branch).collect(), together: false });
        }
        cx.story(pl.w.rested, Some(pl.rules.rest), |_| ());
        supply(pl, cx)?;
        Ok(Flow::Done)
    }
}

/// Whether a side has a weary body on the map.
fn weary(pl: &Picket, read: Read<'_>, side: SideId) -> bool {
    board::areas().any(|a| pl.here(read, side, a).iter().any(|&b| read.flag(pl.weary, read.piece(b))))
}

impl Procedure for RestBranch {
    type Module = Picket;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, pl: &Picket, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(pl.chief(self.side), pl.w.rest))
    }

    fn offers(&self, pl: &Picket, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        if !self.rested {
            for area in board::areas() {
                for body in pl.seen_here(seen, self.side, area) {
                    if seen.piece(body).is_some_and(|piece| seen.flag(pl.weary, piece)) {
                        out.add(Action::new(pl.w.rest).on(body));
                    }
                }
            }
        }
        out.add(Action::new(pl.w.done));
    }

    fn act(&mut self, pl: &Picket, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let Some(body) = action.body(0) else { return Ok(Flow::Done) };
        self.rested = true;
        let piece = cx.read().piece(body);
        cx.set(pl.weary, piece, 0)?;
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

/// Is there a path from Base to area 8, both included, through areas that Blue does not control?
pub(super) fn supply_question(
    rb: &mut RulebookBuilder,
    blue: SideId,
    pieces: &Pieces,
    map: &Map,
) -> QuestionId {
    let (base, real, ways) = (pieces.base, pieces.real, map.ways.len());
    let supplied = move |read: Read<'_>| {
        let held =
            |area: SpaceId| read.stacks_of(blue, area).flat_map(|s| read.loose(s)).any(|b| read.is(b, real));
        let Some(at) = read.body_of(base).and_then(|b| read.space(b)).filter(|&at| !held(at)) else {
            return 0;
        };
        debug_assert_eq!(ways, read.rulebook().board().space_count());
        let mut scratch = SearchScratch::default();
        read.rulebook().board().flood(&mut scratch, Ways::all(), [at], |_, edge| !held(edge.to));
        i32::from(scratch.is_reached(area(8)))
    };
    rb.question("supplied", QuestionKind::Computed(Box::new(supplied)))
}

/// Amber alone is told whether Base is supplied; if not, he draws secretly (pl:12.b, pl:12.c).
fn supply(pl: &Picket, cx: &mut Cx<'_>) -> Result<(), Halt> {
    let Some(base) = pl.base_at(cx.read()) else { return Ok(()) };
    let supplied = cx.tell(Telling {
        question: pl.supplied,
        bodies: &[],
        about: About::Nothing,
        audience: Audience::side(pl.amber),
        rule: pl.rules.supply,
        lapse: pl.moments.amber_combat,
    })?;
    if supplied != 0 {
        return Ok(());
    }
    let w = &pl.w;
    if cx.rulebook().mutant("arrears_event") {
        cx.story_for(w.rolls, Audience::but(Some(pl.amber)), Some(pl.rules.arrears), |_| ());
    }
    let stream = (!cx.rulebook().mutant("secret_on_public")).then_some(pl.amber);
    let drawn = cx.draw(stream, pl.tables.arrears, 6)?;
    let column = if board::is_north(base) { w.north } else { w.south };
    let dice = Faces::new(&[drawn.value() as u16]).unwrap_or_default();
    let entry = Entry { column: Input::Word(column), dice, ..Entry::default() };
    let result = pl.look_up(cx, pl.tables.arrears, &entry)?.result.number().unwrap_or(0);
    let own = Audience::side(pl.amber);
    cx.report(drawn, pl.rules.arrears, |e| {
        e.arg_for(w.column, own, Arg::Word(column));
        e.arg_for(w.result, own, Arg::Number(result));
    });
    cx.add(pl.arrears, (), result)
}

/// Area 5 is open again (pl:12.d), unless at dusk.
#[derive(Locals)]
pub(crate) struct Reopen {}

impl Procedure for Reopen {
    type Module = Picket;

    fn run(&mut self, pl: &Picket, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        pl.open_ground(cx)?;
        pl.settle(cx, board::OPEN)?;
        Ok(Flow::Done)
    }
}

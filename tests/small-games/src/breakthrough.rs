//! Breakthrough: a game without chance and secrets, and the measure of the kernel's speed.
//!
//! | rule | text |
//! | --- | --- |
//! | `bt:1` | The board has eight by eight squares. Each side begins with its two last rows full of pawns; white begins. |
//! | `bt:2` | A turn is one move: a pawn goes one square forward, straight or diagonally, onto an empty square. |
//! | `bt:3` | Only diagonally it may go where an enemy pawn stands, which is captured; a square with a pawn of its own side is closed. |
//! | `bt:4` | Who reaches the enemy's last row wins. |
//! | `bt:5` | Who has no pawn left has lost. |
//!
//! A side can always move: of its foremost pawns, at least one diagonal is on the board, and only an own pawn
//! closes it.

use std::sync::Arc;

use adjutant_kernel::board::{Board, BoardBuilder, BoardProblems, LinkSpec, Provenance};
use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::{Flow, Halt, ProcRef, Procedure};
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{BadRulebook, SeatRole};
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Offers, PlaceId, Refusal, RuleId, Rulebook, RulebookBuilder, SeatId, SideId, SpaceId,
    WordId,
};

const SIZE: u8 = 8;
const SQUARES: usize = SIZE as usize * SIZE as usize;
const PAWNS: u16 = 2 * SIZE as u16;
const WHITE: SideId = SideId(0);

/// A way forward out of a square.
#[derive(Clone, Copy)]
struct Step {
    to: SpaceId,
    diagonal: bool,
}

struct Rules {
    go: WordId,
    moves: WordId,
    pawn: WordId,
    to: WordId,
    captures: WordId,
    capture: WordId,
    prompt: WordId,
    captured: PlaceId,
    closed: RuleId,
    breakthrough: RuleId,
    annihilation: RuleId,
    set_up: WordId,
    /// For each side and square the ways forward.
    forward: [Vec<Vec<Step>>; 2],
}

/// Puts the pawns up, then gives each side its turn until one has won.
#[derive(Locals)]
struct Play {
    ready: bool,
    side: SideId,
}

fn pawns(side: SideId) -> impl Iterator<Item = BodyId> {
    (u16::from(side.0) * PAWNS..(u16::from(side.0) + 1) * PAWNS).map(BodyId)
}

fn enemy(side: SideId) -> SideId {
    SideId(1 - side.0)
}

impl Rules {
    fn set_up(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for side in [WHITE, enemy(WHITE)] {
            let first = if side == WHITE { 0 } else { u16::from(SIZE) * u16::from(SIZE) - PAWNS };
            for (n, body) in (first..).zip(pawns(side)) {
                cx.move_group(self.set_up, &[body], Dest::Place(PlaceId(n), Position::Bottom))?;
            }
        }
        Ok(())
    }

    /// Whether a square is on the last row of the side that moves towards it.
    fn is_home(&self, side: SideId, square: SpaceId) -> bool {
        self.forward[side.index()][square.index()].is_empty()
    }
}

impl Procedure for Play {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.ready {
            rules.set_up(cx)?;
            self.ready = true;
        }
        Ok(Flow::ask(SeatId(self.side.0), rules.prompt))
    }

    fn offers(&self, rules: &Rules, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let forward = &rules.forward[self.side.index()];
        // Which squares are open straight ahead and diagonally; all who were captured count in one square more.
        let mut straight = [true; SQUARES + 1];
        let mut diagonal = [true; SQUARES + 1];
        for pawn in pawns(self.side) {
            let at = seen.place(pawn).map_or(SQUARES, PlaceId::index);
            straight[at] = false;
            diagonal[at] = false;
        }
        for pawn in pawns(enemy(self.side)) {
            let at = seen.place(pawn).map_or(SQUARES, PlaceId::index);
            straight[at] = false;
        }
        for pawn in pawns(self.side) {
            let Some(from) = seen.space(pawn) else { continue };
            let go = Action::new(rules.go).on(pawn);
            for step in &forward[from.index()] {
                let open = if step.diagonal { diagonal[step.to.index()] } else { straight[step.to.index()] };
                out.consider(
                    go.on(step.to),
                    || if open { Ok(()) } else { Err(Refusal { rule: rules.closed }) },
                );
            }
        }
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let (Some(pawn), Some(to)) = (action.body(0), action.space(1)) else {
            return Err(cx.fault("a move is a pawn and a square"));
        };
        let victim = cx.read().loose(to).next();
        if let Some(victim) = victim {
            cx.move_group(rules.capture, &[victim], Dest::Place(rules.captured, Position::Bottom))?;
        }
        cx.move_group(rules.go, &[pawn], Dest::Place(PlaceId(to.0), Position::Bottom))?;
        cx.story(rules.moves, None, |e| {
            e.arg(rules.pawn, Arg::Body(pawn));
            e.arg(rules.to, Arg::Place(PlaceId(to.0)));
            if let Some(victim) = victim {
                e.arg(rules.captures, Arg::Body(victim));
            }
        });
        if rules.is_home(self.side, to) {
            cx.end_game(Some(self.side), rules.breakthrough)?;
            return Ok(Flow::Done);
        }
        self.side = enemy(self.side);
        if victim.is_some() && pawns(self.side).all(|p| cx.read().space(p).is_none()) {
            cx.end_game(Some(enemy(self.side)), rules.annihilation)?;
            return Ok(Flow::Done);
        }
        Ok(Flow::ask(SeatId(self.side.0), rules.prompt))
    }
}

fn square(column: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}

fn squares() -> impl Iterator<Item = (u8, u8)> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (column, row)))
}

fn board() -> Result<Board, BoardProblems> {
    let mut builder = BoardBuilder::new("eight by eight", Provenance::Printed("bt:1".into()));
    builder.network("straight").network("diagonal");
    for (column, row) in squares() {
        builder.space(square(column, row));
    }
    for (column, row) in squares().filter(|(_, row)| row + 1 < SIZE) {
        for to in column.saturating_sub(1)..=(column + 1).min(SIZE - 1) {
            let network = if to == column { "straight" } else { "diagonal" };
            builder.link(LinkSpec::new(square(column, row), square(to, row + 1), network));
        }
    }
    builder.holding_box("captured");
    builder.build()
}

/// The ways forward of a side: along the links that lead to the next row.
fn forward(board: &Board, side: SideId) -> Vec<Vec<Step>> {
    let straight = board.network_named("straight");
    let row = |space: SpaceId| space.0 / u16::from(SIZE);
    let ways = |from: SpaceId| {
        board
            .links(from)
            .iter()
            .filter(|edge| (row(edge.to) > row(from)) == (side == WHITE))
            .map(|edge| Step { to: edge.to, diagonal: Some(edge.network) != straight })
            .collect()
    };
    (0..board.space_count() as u16).map(SpaceId).map(ways).collect()
}

/// The rulebook.
///
/// # Errors
/// When the kernel does not accept it.
pub fn rulebook() -> Result<Rulebook, BadRulebook> {
    let board = board().map_err(|problems| BadRulebook { problems: vec![problems.to_string()] })?;
    let mut b = RulebookBuilder::new("Breakthrough", "1", board);
    for name in ["white", "black"] {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
        for n in 1..=PAWNS {
            b.piece(&format!("{name} pawn {n}"), Some(side), "pawn", None, &[]);
        }
    }
    b.seat("spectator", None, SeatRole::Spectator);
    let open = b.rule("bt:1");
    b.open_information(open);
    let rules = Rules {
        go: b.word("move"),
        moves: b.word("moves"),
        pawn: b.word("pawn"),
        to: b.word("to"),
        captures: b.word("captures"),
        capture: b.word("capture"),
        prompt: b.word("move_a_pawn"),
        set_up: b.word("set_up"),
        captured: b.board().place_named("captured").unwrap_or_default(),
        closed: b.rule("bt:3"),
        breakthrough: b.rule("bt:4"),
        annihilation: b.rule("bt:5"),
        forward: [forward(b.board(), WHITE), forward(b.board(), enemy(WHITE))],
    };
    let play: ProcRef<Play> = b.proc("play");
    b.define(play, &Arc::new(rules));
    b.opening(play.with(Play { ready: false, side: WHITE }));
    b.build()
}

#[cfg(test)]
mod tests;

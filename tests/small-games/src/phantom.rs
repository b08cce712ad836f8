//! Phantom tic-tac-toe: a game of hidden places and of what is learnt by trying.
//!
//! | rule | text |
//! | --- | --- |
//! | `pt:1` | Crosses has five marks and noughts four; crosses begins. A turn puts one mark on one of nine cells, where it stays. |
//! | `pt:2` | Each side sees its own marks only; that the turn goes over, and whether there is a line now, is all that is public. |
//! | `pt:3` | A cell with a mark, as far as the side knows, cannot be chosen. |
//! | `pt:4` | The side, and only it, is told whether the enemy's mark is on the chosen cell. If so, the attempt is stopped: it never forgets that, and chooses again. |
//! | `pt:5` | Three own marks in a line win. |
//! | `pt:6` | With nine marks on the board and no line the game is drawn. |
//! | `pt:7` | At the end of the game all marks are shown. |
//!
//! A mark is a body whose identity everybody may know - it is one of its side's, all alike - and whose place
//! only its owner sees. What a stopped attempt tells is an answer about a place.

use std::sync::Arc;

use adjutant_kernel::board::{Board, BoardBuilder, BoardProblems, LinkSpec, Provenance};
use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::{Flow, Halt, ProcRef, Procedure};
use adjutant_kernel::knowledge::{About, Audience, Hideout, QuestionKind, Seen};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::rulebook::{
    BadRulebook, Column, ColumnClass, Level, LevelCondition, LevelRule, Onlooker, SeatRole, ValueKind,
};
use adjutant_kernel::state::{Position, Read};
use adjutant_kernel::{
    Action, BodyId, Cx, MomentId, Offers, PieceId, PlaceId, QuestionId, Refusal, RuleId, Rulebook,
    RulebookBuilder, SeatId, SideId, Sight as _, SpaceId, WordId,
};

const CELLS: [&str; 9] = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
const LINES: [[u16; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const SIDES: [&str; 2] = ["crosses", "noughts"];
/// Marks of each side; their pieces are numbered one side after the other.
const MARKS: [u16; 2] = [5, 4];

struct Rules {
    mark: WordId,
    prompt: WordId,
    board: WordId,
    names: [WordId; 2],
    /// For each side whether a mark of it is on a cell.
    taken: [QuestionId; 2],
    never: MomentId,
    /// An answer that nothing is there stands only until the mark is put there.
    attempt: MomentId,
    marked: WordId,
    in_line: WordId,
    public: RuleId,
    shown: Column<SpaceId>,
    known_taken: RuleId,
    stopped: RuleId,
    line: RuleId,
    full: RuleId,
    end: RuleId,
}

/// Gives each side its turn until the game ends.
#[derive(Locals)]
struct Play {
    side: SideId,
}

fn cells() -> impl Iterator<Item = SpaceId> {
    (0..CELLS.len() as u16).map(SpaceId)
}

fn enemy(side: SideId) -> SideId {
    SideId(1 - side.0)
}

fn marks(side: SideId) -> impl Iterator<Item = BodyId> {
    let first = if side.0 == 0 { 0 } else { MARKS[0] };
    (first..first + MARKS[side.index()]).map(BodyId)
}

fn has_line(read: Read<'_>, side: SideId) -> bool {
    let own = |cell: u16| read.bodies_of(side, SpaceId(cell)).next().is_some();
    LINES.iter().any(|line| line.iter().all(|&cell| own(cell)))
}

impl Rules {
    /// The game is over: what stood where is shown to all (pt:7).
    fn finish(&self, cx: &mut Cx<'_>, winner: Option<SideId>, rule: RuleId) -> Result<Flow, Halt> {
        let names = self.names;
        cx.publish(self.board, self.end, |e| {
            for (side, name) in [SideId(0), SideId(1)].into_iter().zip(names) {
                let read = e.read();
                let marks = cells().filter_map(|cell| {
                    let mark = read.bodies_of(side, cell).next()?;
                    Some(Arg::List(vec![Arg::Place(PlaceId(cell.0)), Arg::Piece(read.piece(mark))]))
                });
                e.answer(name, Arg::List(marks.collect()));
            }
        })?;
        for cell in cells() {
            cx.set(self.shown, cell, 1)?;
        }
        cx.end_game(winner, rule)?;
        Ok(Flow::Done)
    }
}

impl Procedure for Play {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(SeatId(self.side.0), rules.prompt))
    }

    fn offers(&self, rules: &Rules, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        for cell in cells() {
            out.consider(Action::new(rules.mark).on(cell), || {
                let taken = [self.side, enemy(self.side)]
                    .iter()
                    .any(|&side| seen.occupied(side, PlaceId(cell.0)).is_yes());
                if taken { Err(Refusal { rule: rules.known_taken }) } else { Ok(()) }
            });
        }
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        let Some(cell) = action.space(0) else { return Err(cx.fault("a mark goes on a cell")) };
        let other = enemy(self.side);
        let taken = cx.truth().occupied(other, PlaceId(cell.0)).is_yes();
        cx.tell(Telling {
            question: rules.taken[other.index()],
            bodies: &[],
            about: About::Place(PlaceId(cell.0)),
            audience: Audience::side(self.side),
            rule: rules.stopped,
            lapse: if taken { rules.never } else { rules.attempt },
        })?;
        if taken {
            return Ok(Flow::ask(seat, rules.prompt));
        }
        cx.lapse(rules.attempt)?;
        let Some(mark) = marks(self.side).find(|&m| cx.read().place(m).is_none()) else {
            return Err(cx.fault("there is no mark left"));
        };
        cx.move_group(rules.mark, &[mark], Dest::Place(PlaceId(cell.0), Position::Bottom))?;
        let line = has_line(cx.read(), self.side);
        let key = rules.in_line;
        cx.publish(rules.marked, rules.public, |e| e.answer(key, Arg::Flag(line)))?;
        if line {
            return rules.finish(cx, Some(self.side), rules.line);
        }
        if cells().all(|c| cx.read().bodies(c).next().is_some()) {
            return rules.finish(cx, None, rules.full);
        }
        self.side = other;
        Ok(Flow::ask(SeatId(other.0), rules.prompt))
    }

    /// Nothing shows of where a mark goes, nor of the attempts before.
    fn shape(&self, _: &Rules, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        Some(Vec::new())
    }
}

fn board() -> Result<Board, BoardProblems> {
    let mut builder = BoardBuilder::new("three by three", Provenance::Printed("pt:1".into()));
    builder.network("grid");
    for name in CELLS {
        builder.space(name);
    }
    for n in 0..CELLS.len() {
        for (step, inside) in [(1, n % 3 < 2), (3, n < 6)] {
            if inside {
                builder.link(LinkSpec::new(CELLS[n], CELLS[n + step], "grid"));
            }
        }
    }
    builder.build()
}

/// The rulebook.
///
/// # Errors
/// When the kernel does not accept it.
pub fn rulebook() -> Result<Rulebook, BadRulebook> {
    let board = board().map_err(|problems| BadRulebook { problems: vec![problems.to_string()] })?;
    let mut b = RulebookBuilder::new("Phantom tic-tac-toe", "1", board);
    for (name, count) in SIDES.into_iter().zip(MARKS) {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
        for n in 1..=count {
            b.piece(&format!("{name} {n}"), Some(side), "mark", None, &[]);
        }
    }
    b.seat("spectator", None, SeatRole::Spectator);
    let shown = b.column::<SpaceId>("shown", ValueKind::Flag, 0, ColumnClass::Public);
    let end = b.rule("pt:7");
    b.level(LevelRule {
        decks: Vec::new(),
        places: cells().map(|c| PlaceId(c.0)).collect(),
        onlooker: Onlooker::Anyone,
        when: LevelCondition { column: Some((shown.id, 1)), option: None },
        level: Level::Everything,
        rule: end,
    });
    let all = b.piece_set("marks", |_: PieceId, _| true);
    b.hideout(Hideout {
        pieces: all,
        places: cells().map(|c| PlaceId(c.0)).collect(),
        fits: Box::new(|read, body| {
            let alone = read.place(body).is_some_and(|cell| read.bodies(cell).count() == 1);
            alone && read.side(body).is_some_and(|side| !has_line(read, side))
        }),
    });
    let rules = Rules {
        mark: b.word("mark"),
        prompt: b.word("mark_a_cell"),
        board: b.word("final_board"),
        names: SIDES.map(|name| b.word(name)),
        taken: [0, 1]
            .map(|n| b.question(&format!("taken by {}", SIDES[n]), QuestionKind::Occupied(SideId(n as u8)))),
        never: b.moment("never"),
        attempt: b.moment("attempt"),
        marked: b.word("marked"),
        in_line: b.word("line"),
        public: b.rule("pt:2"),
        shown,
        known_taken: b.rule("pt:3"),
        stopped: b.rule("pt:4"),
        line: b.rule("pt:5"),
        full: b.rule("pt:6"),
        end,
    };
    let play: ProcRef<Play> = b.proc("play");
    b.define(play, &Arc::new(rules));
    b.opening(play.with(Play { side: SideId(0) }));
    b.build()
}

#[cfg(test)]
mod tests;

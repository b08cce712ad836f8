//! The procedure that lays out a scenario and then lets play begin.

use smallvec::SmallVec;

use super::driver::SEQUENCE;
use super::{Cx, Flow, Halt, NewFrame, Procedure, SequenceRun};
use crate::chance::{ChanceCache, Key, below};
use crate::ids::*;
use crate::locals::{Locals, Words};
use crate::ops::Dest;
use crate::rulebook::{Placement, Placing, Standing};
use crate::state::Position;

/// Lays out a scenario and calls the opening procedure or the sequence of play.
#[derive(Locals)]
pub(crate) struct SetUp {
    pub(crate) scenario: u16,
    pub(crate) begun: bool,
}

impl Procedure for SetUp {
    type Module = ();

    fn run(&mut self, _: &(), cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.begun {
            return Ok(Flow::Done);
        }
        self.begun = true;
        let rb = cx.rb;
        let (Some(scenario), Some((_, cause))) = (rb.scenarios.get(usize::from(self.scenario)), rb.set_up)
        else {
            return Err(cx.fault(format!("there is no scenario {}", self.scenario)));
        };
        for cell in &scenario.cells {
            cx.set_cell(cell.column, cell.holder, cell.side, cell.value)?;
        }
        for (relation, fields) in &scenario.records {
            cx.record(*relation, fields)?;
        }
        cx.laying_out = true;
        let key = cx.st.key.derive("set_up");
        for (number, placing) in scenario.placings.iter().enumerate() {
            place(cx, cause, placing, &mut Shuffle { key: &key, number: number as u64 })?;
        }
        for placing in &scenario.placings {
            cx.settle(placing.place)?;
        }
        cx.laying_out = false;
        let next = match (scenario.start, &rb.opening) {
            (Some((phase, side)), _) => rb.sequence_from(rb.word(phase), side),
            (None, Some(opening)) => Some(opening.clone()),
            (None, None) => {
                let mut words = Words::new();
                SequenceRun::default().store(&mut words);
                Some(NewFrame { proc: SEQUENCE, words })
            }
        };
        next.map(Flow::Call)
            .ok_or_else(|| cx.fault(format!("scenario {} begins with no phase", scenario.name)))
    }
}

/// The order in which the pieces of a placing are mixed: of chance, and no draw of any stream.
struct Shuffle<'a> {
    key: &'a Key,
    number: u64,
}

impl Shuffle<'_> {
    fn of<T>(&mut self, list: &mut [T]) {
        let mut chance = ChanceCache::new();
        for end in (1..list.len()).rev() {
            let word = chance.word(self.key, self.number, end as u32);
            list.swap(end, below(word, end as u32 + 1) as usize);
        }
    }
}

fn place(cx: &mut Cx<'_>, cause: WordId, placing: &Placing, shuffle: &mut Shuffle<'_>) -> Result<(), Halt> {
    let rb = cx.rb;
    let body_of = |cx: &Cx<'_>, piece: PieceId| {
        let name = || rb.pieces.get(piece.index()).map_or("?", |p| p.name.as_str());
        cx.read().body_of(piece).ok_or_else(|| cx.fault(format!("no body is {}", name())))
    };
    let mut bodies: SmallVec<[BodyId; 8]> =
        placing.pieces.iter().map(|&piece| body_of(cx, piece)).collect::<Result<_, _>>()?;
    if placing.mixed {
        shuffle.of(&mut bodies);
    }
    let dest = match placing.standing {
        Standing::Stack => Dest::NewStack(placing.place),
        Standing::Loose => Dest::Place(placing.place, Position::Bottom),
        Standing::Under(piece) => Dest::Command(body_of(cx, piece)?),
    };
    // Nobody would see to what else must happen.
    match cx.move_group(cause, &bodies, dest)? {
        Placement::Allowed => {}
        Placement::MustGoOn(rule) | Placement::Displaces(_, rule) | Placement::Forbidden(rule) => {
            let (place, rule) = (rb.board.place_name(placing.place), rb.rule(rule));
            return Err(
                cx.fault(format!("a scenario puts pieces in {place}, where {rule} lets them not stay"))
            );
        }
    }
    for &body in &bodies {
        if placing.facing != 0 {
            cx.face(body, placing.facing)?;
        }
        if let Some(rule) = placing.up.filter(|_| !cx.read().face_up(body)) {
            cx.reveal(body, rule)?;
        }
    }
    Ok(())
}

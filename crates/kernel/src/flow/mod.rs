//! Procedures: resumable step machines over frames that are plain data.
//!
//! A frame is a procedure and its locals, typed and classed like attributes; states hold nothing else of the
//! flow of play. Frames form a tree: a fork gives several seats a branch each. Whoever writes a procedure
//! writes a struct of locals (one of them usually its step) and three functions: [`Procedure::run`],
//! [`Procedure::offers`] and [`Procedure::act`].

mod asks;
mod cx;
mod driver;
mod fork;
mod imagine;
mod procedure;
mod sample;
mod script;
mod sequence;
mod set_up;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::error::Fault;
use crate::ids::*;
use crate::locals::Words;

pub use asks::{asked, dead_end, draw, is_asked, judge, offers, pick_asked, place_of_ask, shape};
pub use cx::{Barrier, Cx, Sink};
pub(crate) use driver::{MOMENT, SEQUENCE, blank};
pub use driver::{act, start, start_scenario};
pub use imagine::{Imagine, Imagining, ScriptImagine, imagine};
pub(crate) use procedure::{AnyProcedure, ProcDef, Registered};
pub use procedure::{Flow, NewFrame, ProcRef, Procedure};
pub use sample::determinize;
pub use script::total;
pub(crate) use script::{ScriptModule, Scripted};
pub(crate) use sequence::{AtMoment, MomentDef, MomentRun, SequenceOp, SequenceRun, compile};
pub use sequence::{Item, phase};
pub(crate) use set_up::SetUp;

/// No frame.
pub(crate) const ROOT: u16 = u16::MAX;

/// What a frame is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Status {
    /// Not in use.
    Free,
    /// Waits for a procedure that it called, or for the driver.
    Waiting,
    /// Waits for one of these seats (a bit each).
    Asking { seats: u32, prompt: WordId },
    /// Waits for all its branches.
    Forked { together: bool },
    /// A branch that has committed.
    Committed,
}

/// A procedure at work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub(crate) proc: ProcId,
    pub(crate) parent: u16,
    pub(crate) status: Status,
    /// The seat whose branch this is, if it is the root of one.
    pub(crate) branch: Option<SeatId>,
    pub(crate) words: Words,
    /// The locals that a branch began with.
    pub(crate) fresh: Vec<i32>,
}

/// Who is asked what.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, AskMode, Asked};
/// # let Field { state, ids, .. } = Field::start();
/// let seats = [ids.seats[0]].into_iter().collect();
/// assert_eq!(flow::asked(&state), Some(Asked { seats, prompt: ids.orders, mode: AskMode::One }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The seats; one of several may answer unless it is a fork.
    pub seats: SmallVec<[SeatId; 4]>,
    /// What they are asked.
    pub prompt: WordId,
    /// How.
    pub mode: AskMode,
}

/// How seats are asked.
///
/// ```
/// use adjutant_kernel::flow::AskMode;
/// fn waits_for(mode: AskMode) -> &'static str {
///     match mode {
///         AskMode::One => "this seat",
///         AskMode::Any => "whoever answers first",
///         AskMode::Fork { together: true } => "everybody; then all is shown",
///         AskMode::Fork { together: false } => "everybody; each is shown as it commits",
///     }
/// }
/// assert_eq!(waits_for(AskMode::Any), "whoever answers first");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AskMode {
    /// One seat.
    One,
    /// Any of several: each answer is a commit of its own.
    Any,
    /// All of several, each by itself, joined when all have committed.
    Fork {
        /// Whether all is applied at the join (else each branch as it commits).
        together: bool,
    },
}

/// Why a procedure could not go on.
///
/// ```
/// use adjutant_kernel::{Fault, Halt};
/// fn pay(supply: i32, cost: i32) -> Result<i32, Halt> {
///     let text = format!("{cost} supply is to be paid of {supply}");
///     if cost <= supply { Ok(supply - cost) } else { Err(Fault::Rules { text }.into()) }
/// }
/// assert_eq!(pay(3, 2), Ok(1));
/// assert!(matches!(pay(1, 2), Err(Halt::Fault(_))));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Halt {
    /// A watch fired: what goes on is dropped and the watch's procedure takes over.
    Watch(u16),
    /// Something is wrong with the rules.
    Fault(Fault),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// When a watch fires.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, ProcRef, Threshold};
/// use adjutant_kernel::locals::Locals;
/// use adjutant_kernel::{Cx, Flow, Halt, Procedure, RuleId};
/// # use adjutant_kernel::{Worker, chance::Key, flow::Sink};
/// # use std::sync::Arc;
/// #[derive(Locals)]
/// struct TimeUp {}
/// impl Procedure for TimeUp {
///     type Module = RuleId;
///     fn run(&mut self, rule: &RuleId, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
///         cx.end_game(None, *rule)?;
///         Ok(Flow::Done)
///     }
/// }
/// let (mut builder, ids) = Field::builder(|ids, cx| cx.set(ids.turn, (), 9));
/// let time_up: ProcRef<TimeUp> = builder.proc("time_up");
/// builder.define(time_up, &Arc::new(ids.rule));
/// builder.watch(ids.turn, Threshold::AtLeast(9), time_up.with(TimeUp {}));
/// # let rulebook = builder.build().unwrap();
/// # let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// assert!(state.outcome().is_some()); // at once, whatever was going on
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threshold {
    /// A cell reaches this or more.
    AtLeast(i32),
    /// A cell falls to this or less.
    AtMost(i32),
}

impl Threshold {
    pub(crate) fn met(self, value: i32) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

/// A condition looked at whenever a cell of a column changes: when it comes to hold, all that goes on is
/// dropped, in the middle of a fight too, and a procedure takes over.
pub(crate) struct Watch {
    pub(crate) column: ColumnId,
    pub(crate) threshold: Threshold,
    pub(crate) then: NewFrame,
}

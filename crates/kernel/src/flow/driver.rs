//! The driver: runs procedures until a seat is asked or the game is over.

use smallvec::SmallVec;

use super::asks::{check_ask, place};
use super::fork::{branch_of, fork, join};
use super::{Cx, Flow, Frame, Halt, MomentRun, NewFrame, ROOT, SequenceRun, SetUp, Sink, Status};
use crate::chance::Key;
use crate::decisions::Action;
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::Knowledge;
use crate::locals::{Locals as _, Words};
use crate::rulebook::Rulebook;
use crate::state::{Body, SparseCells, State, Tree};
use crate::worker::Worker;

/// The number of the procedure that runs the sequence of play.
pub(crate) const SEQUENCE: ProcId = ProcId(0);
/// The number of the procedure that runs what is attached to a moment.
pub(crate) const MOMENT: ProcId = ProcId(1);

/// Begins a game: every piece of the rulebook has a body that stands nowhere yet, and the first scenario, else
/// the opening procedure, else the sequence of play runs until somebody is asked.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::chance::Key;
/// use adjutant_kernel::flow::{self, Sink};
/// use adjutant_kernel::Worker;
/// # let (rulebook, _) = Field::rules(|_, _| Ok(()));
/// let begin = |seed| flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(seed), 0);
/// assert_eq!(begin(1862)?.digest(), begin(1862)?.digest());
/// assert_ne!(begin(1862)?.digest(), begin(1863)?.digest());
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
///
/// # Errors
/// A fault of the rules.
pub fn start(
    rb: &Rulebook,
    worker: &mut Worker,
    sink: &mut Sink,
    key: Key,
    options: u64,
) -> Result<State, Fault> {
    let opening = match &rb.opening {
        _ if !rb.scenarios.is_empty() => {
            return start_scenario(rb, worker, sink, key, options, ScenarioId(0));
        }
        Some(opening) => opening.clone(),
        None => {
            let mut words = Words::new();
            SequenceRun::default().store(&mut words);
            NewFrame { proc: SEQUENCE, words }
        }
    };
    begin(rb, worker, sink, key, options, opening)
}

/// Begins a scenario: it is laid out, and play begins where it says.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::chance::Key;
/// use adjutant_kernel::flow::{self, Sink};
/// use adjutant_kernel::{ScenarioId, Worker};
/// # let (rulebook, _) = Field::rules(|_, _| Ok(()));
/// let meeting = rulebook.scenario_named("meeting").unwrap();
/// let begin = |n| flow::start_scenario(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0, n);
/// assert!(begin(meeting).is_ok());
/// assert!(begin(ScenarioId(7)).is_err());
/// ```
///
/// # Errors
/// A fault of the rules, or when there is no such scenario.
pub fn start_scenario(
    rb: &Rulebook,
    worker: &mut Worker,
    sink: &mut Sink,
    key: Key,
    options: u64,
    scenario: ScenarioId,
) -> Result<State, Fault> {
    let Some((proc, _)) = rb.set_up.filter(|_| scenario.index() < rb.scenarios.len()) else {
        return Err(Fault::Rules { text: format!("there is no scenario {}", scenario.0) });
    };
    let mut words = Words::new();
    SetUp { scenario: scenario.0, begun: false }.store(&mut words);
    begin(rb, worker, sink, key, options, NewFrame { proc, words })
}

fn begin(
    rb: &Rulebook,
    worker: &mut Worker,
    sink: &mut Sink,
    key: Key,
    options: u64,
    opening: NewFrame,
) -> Result<State, Fault> {
    let mut st = blank(rb, key, options);
    let mut cx = Cx::new(rb, &mut st, &mut worker.scratch, sink);
    let at = push(&mut cx, opening, ROOT, None);
    drive(&mut cx, at, None)?;
    Ok(st)
}

/// A state in which nothing has happened.
pub(crate) fn blank(rb: &Rulebook, key: Key, options: u64) -> State {
    let mut cells = vec![0; rb.cell_count];
    for def in rb.columns() {
        if !def.sparse() {
            cells[rb.cell_range(def)].fill(def.start);
        }
    }
    let count = rb.pieces().len() as u16;
    State {
        handles: key.derive("handles"),
        key,
        options,
        tree: Tree::new(rb.board().place_count() as u16, count),
        bodies: (0..count)
            .map(|n| Body {
                ident: PieceId(n),
                up: rb.slots[usize::from(n)].is_none(),
                bared: false,
                facing: 0,
            })
            .collect(),
        stacks: Vec::new(),
        cells,
        sparse: SparseCells::default(),
        records: Vec::new(),
        knowledge: Knowledge::new(rb),
        draws: SmallVec::from_elem(0, rb.viewer_count()),
        forced: Vec::new(),
        skipped: SmallVec::new(),
        owed: Vec::new(),
        frames: Vec::new(),
        phase: None,
        outcome: None,
    }
}

/// Carries out an action that was offered to a seat, and runs until somebody is asked again. On an error the
/// state is spoilt: work on a clone to keep the old one.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, Sink};
/// use adjutant_kernel::{Action, Fault};
/// # let Field { rulebook, state, mut worker, ids, .. } = Field::start();
/// let mut next = state.clone(); // kept if all goes well
/// flow::act(&rulebook, &mut worker, &mut Sink::off(), &mut next, ids.seats[0], &Action::new(ids.halt))?;
/// assert_eq!(next.outcome().and_then(|outcome| outcome.winner), Some(ids.blue));
/// assert!(flow::asked(&next).is_none());
/// # Ok::<(), Fault>(())
/// ```
///
/// # Errors
/// A fault of the rules, or when the seat is not asked.
pub fn act(
    rb: &Rulebook,
    worker: &mut Worker,
    sink: &mut Sink,
    st: &mut State,
    seat: SeatId,
    action: &Action,
) -> Result<(), Fault> {
    let Some(at) = st.asking(seat) else {
        return Err(Fault::Rules { text: format!("seat {} is not asked", rb.seat(seat).name) });
    };
    let mut cx = Cx::new(rb, st, &mut worker.scratch, sink);
    cx.branch = branch_of(&cx, at);
    cx.st.frames[usize::from(at)].status = Status::Waiting;
    let flow = step(&mut cx, at, Some((seat, action)));
    drive(&mut cx, at, Some(flow))
}

/// Runs one function of a frame's procedure.
fn step(cx: &mut Cx<'_>, at: u16, action: Option<(SeatId, &Action)>) -> Result<Flow, Halt> {
    let rb = cx.rb;
    let frame = &mut cx.st.frames[usize::from(at)];
    let def = &rb.procs[frame.proc.index()];
    let code = def.code.as_ref().ok_or_else(|| Fault::NoCode(def.name.clone()))?;
    let mut words = std::mem::take(&mut frame.words);
    let flow = match action {
        Some((seat, action)) => code.act(cx, &mut words, seat, action),
        None => code.run(cx, &mut words),
    };
    if let Some(frame) = cx.st.frames.get_mut(usize::from(at)) {
        frame.words = words;
    }
    flow
}

/// As many frames as may wait on one another: more are procedures that call one another without end.
const MOST_FRAMES: usize = 1000;

pub(super) fn push(cx: &mut Cx<'_>, new: NewFrame, parent: u16, branch: Option<SeatId>) -> u16 {
    let fresh = if branch.is_some() { new.words.to_vec() } else { Vec::new() };
    let frame = Frame { proc: new.proc, parent, status: Status::Waiting, branch, words: new.words, fresh };
    let frames = &mut cx.st.frames;
    frames.push(frame);
    frames.len() as u16 - 1
}

pub(super) fn free(cx: &mut Cx<'_>, at: u16) -> Words {
    let frames = &mut cx.st.frames;
    let frame = &mut frames[usize::from(at)];
    frame.status = Status::Free;
    frame.branch = None;
    let words = std::mem::take(&mut frame.words);
    while frames.last().is_some_and(|f| f.status == Status::Free) {
        frames.pop();
    }
    words
}

/// Runs procedures, from the frame `at`, until somebody is asked. A fault has the place of the step that ran.
pub(super) fn drive(cx: &mut Cx<'_>, at: u16, pending: Option<Result<Flow, Halt>>) -> Result<(), Fault> {
    let mut at = at;
    let driven = run(cx, &mut at, pending);
    driven.map_err(|fault| fault.at_found(|| place(cx.rb, &cx.scratch.host, cx.st, at)))
}

fn run(cx: &mut Cx<'_>, at: &mut u16, mut pending: Option<Result<Flow, Halt>>) -> Result<(), Fault> {
    loop {
        cx.steps += 1;
        if cx.steps > cx.rb.step_bound {
            let procedure = cx.rb.procs[cx.st.frames[usize::from(*at)].proc.index()].name.clone();
            return Err(Fault::StepBound { steps: cx.steps, procedure });
        }
        if cx.st.frames.len() > MOST_FRAMES {
            let last = cx.rb.procs[cx.st.frames[usize::from(*at)].proc.index()].name.clone();
            let text =
                format!("more than {MOST_FRAMES} procedures wait on one another; the last is `{last}`");
            return Err(Fault::Rules { text });
        }
        let flow = match pending.take() {
            Some(flow) => flow,
            None => {
                let flow = step(cx, *at, None);
                cx.joined.clear();
                cx.replaced = false;
                flow
            }
        };
        if cx.scratch.unreported > 0 {
            cx.scratch.unreported = 0;
            return Err(Fault::Rules { text: "a draw was not reported".into() });
        }
        let flow = match flow {
            Ok(flow) => flow,
            Err(Halt::Fault(fault)) => return Err(fault),
            Err(Halt::Watch(_)) if cx.branch.is_some() => {
                // It would show at once what only the branch's side may know.
                return Err(Fault::Branch { what: "what a watch looks at".to_owned() });
            }
            Err(Halt::Watch(watch)) => {
                cx.st.frames.clear();
                cx.st.owed.clear();
                let then = cx.rb.watches[usize::from(watch)].then.clone();
                cx.sink.barrier.public = true;
                *at = push(cx, then, ROOT, None);
                continue;
            }
        };
        if cx.st.outcome.is_some() {
            cx.st.frames.clear();
            cx.st.owed.clear();
            return Ok(());
        }
        match flow {
            Flow::Again => {}
            Flow::Call(new) => *at = push(cx, new, *at, None),
            Flow::Ask { seats, prompt } if u64::from(seats) >> cx.rb.seats.len() != 0 || seats == 0 => {
                let asked = if seats == 0 { "nobody" } else { "a seat that there is not" };
                let prompt = cx.rb.word(prompt);
                return Err(Fault::Rules { text: format!("{asked} is asked `{prompt}`") });
            }
            Flow::Ask { seats, prompt } if cx.branch_seats(*at).is_some_and(|own| seats != own) => {
                let prompt = cx.rb.word(prompt);
                return Err(Fault::Branch { what: format!("the answer of another seat to `{prompt}`") });
            }
            Flow::Ask { seats, prompt } => {
                cx.st.frames[usize::from(*at)].status = Status::Asking { seats, prompt };
                return if cx.scratch.check { check_ask(cx, seats, prompt) } else { Ok(()) };
            }
            Flow::Moment(moment) => {
                if let Err(halt) = cx.pass(moment) {
                    pending = Some(Err(halt));
                    continue;
                }
                if !cx.rb.moments[moment.index()].attached.is_empty() {
                    let mut words = Words::new();
                    MomentRun { moment: moment.0, next: 0, replaced: false }.store(&mut words);
                    *at = push(cx, NewFrame { proc: MOMENT, words }, *at, None);
                }
            }
            Flow::Fork { branches, together } => {
                if !fork(cx, *at, branches, together)? {
                    return Ok(());
                }
            }
            Flow::Done => {
                let Frame { parent, branch, .. } = cx.st.frames[usize::from(*at)];
                // While the frame is there, so that a fault has its place.
                if parent == ROOT || cx.st.frames[usize::from(parent)].proc == SEQUENCE {
                    cx.check_owed()?;
                }
                if branch.is_some() {
                    cx.st.frames[usize::from(*at)].status = Status::Committed;
                    if cx.forking || !join(cx, parent) {
                        return Ok(());
                    }
                } else {
                    let proc = cx.st.frames[usize::from(*at)].proc;
                    let words = free(cx, *at);
                    if proc == MOMENT {
                        cx.replaced = MomentRun::load(&words).map_err(Fault::from)?.replaced;
                    }
                }
                if parent == ROOT {
                    return Err(Fault::Rules {
                        text: "the sequence of play is over and the game has not ended".into(),
                    });
                }
                *at = parent;
            }
        }
    }
}

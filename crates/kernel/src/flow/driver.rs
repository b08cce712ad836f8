//! The driver: runs procedures until a seat is asked or the game is over.

use smallvec::SmallVec;

use super::fork::{branch_of, fork, join};
use super::{
    AskMode, Asked, Cx, Flow, Frame, Halt, MomentRun, NewFrame, ROOT, SequenceRun, SetUp, Sink, Status,
};
use crate::chance::Key;
use crate::decisions::{Action, Offers, Verdict};
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::{Knowledge, Seen};
use crate::locals::{Locals as _, Words};
use crate::rulebook::Rulebook;
use crate::state::{Body, Read, SparseCells, State, Tree};
use crate::worker::{Host, Worker};

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

/// Who is asked what; `None` when the game has ended.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, AskMode};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let asked = flow::asked(&state).unwrap();
/// assert_eq!((&asked.seats[..], asked.mode), (&[ids.seats[0]][..], AskMode::One));
/// assert_eq!(rulebook.word(asked.prompt), "orders");
/// ```
pub fn asked(st: &State) -> Option<Asked> {
    let mut found: Option<Asked> = None;
    for frame in &st.frames {
        match frame.status {
            Status::Asking { seats, prompt } => {
                let asked =
                    found.get_or_insert_with(|| Asked { seats: SmallVec::new(), prompt, mode: AskMode::One });
                asked.seats.extend(seats_in(seats));
                if seats.count_ones() > 1 {
                    asked.mode = AskMode::Any;
                }
            }
            Status::Free | Status::Waiting | Status::Forked { .. } | Status::Committed => {}
        }
    }
    if let (Some(asked), Some(together)) = (&mut found, st.open_fork()) {
        asked.mode = AskMode::Fork { together };
    }
    found
}

/// Whether a seat is asked anything.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { state, ids, .. } = Field::start();
/// assert_eq!(ids.seats.map(|seat| flow::is_asked(&state, seat)), [true, false]);
/// ```
pub fn is_asked(st: &State, seat: SeatId) -> bool {
    st.asking(seat).is_some()
}

/// One of the seats that are asked, and what for; `pick` chooses a number below its argument. `None` when the
/// game has ended.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { state, ids, .. } = Field::start();
/// let mut never_needed = |_| unreachable!("one seat alone is asked");
/// assert_eq!(flow::pick_asked(&state, &mut never_needed), Some((ids.seats[0], ids.orders)));
/// ```
pub fn pick_asked(st: &State, pick: &mut dyn FnMut(usize) -> usize) -> Option<(SeatId, WordId)> {
    let mut count = 0;
    for frame in &st.frames {
        if let Status::Asking { seats, .. } = frame.status {
            count += seats.count_ones() as usize;
        }
    }
    if count == 0 {
        return None;
    }
    let mut wanted = if count == 1 { 0 } else { pick(count) };
    for frame in &st.frames {
        if let Status::Asking { mut seats, prompt } = frame.status {
            while seats != 0 {
                if wanted == 0 {
                    return Some((SeatId(seats.trailing_zeros() as u8), prompt));
                }
                wanted -= 1;
                seats &= seats - 1;
            }
        }
    }
    None
}

/// The seats of a set of bits.
fn seats_in(mut bits: u32) -> impl Iterator<Item = SeatId> {
    std::iter::from_fn(move || {
        let seat = (bits != 0).then(|| SeatId(bits.trailing_zeros() as u8));
        bits &= bits.wrapping_sub(1);
        seat
    })
}

impl State {
    /// Whether a fork is open, and if so whether it is applied together.
    pub(crate) fn open_fork(&self) -> Option<bool> {
        self.frames.iter().find_map(|f| match f.status {
            Status::Forked { together } => Some(together),
            _ => None,
        })
    }

    /// All seats with a branch in the open fork, committed or not, in the order of the fork.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::flow::{self, AskMode, ProcRef, Sink};
    /// use adjutant_kernel::locals::Locals;
    /// use adjutant_kernel::{Action, Cx, Flow, Halt, Offers, Procedure, SeatId, Seen, WordId};
    /// # use adjutant_kernel::{RuleId, Worker, chance::Key};
    /// struct Plans { seats: [SeatId; 2], plan: WordId, hold: WordId, last: RuleId, branch: ProcRef<Plan> }
    /// #[derive(Locals)]
    /// struct Plan { seat: SeatId, made: bool } // a branch, one a seat
    /// #[derive(Locals)]
    /// struct Both { joined: bool }
    /// impl Procedure for Both {
    ///     type Module = Plans;
    ///     fn run(&mut self, m: &Plans, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
    ///         if std::mem::replace(&mut self.joined, true) {
    ///             assert!(cx.joined(m.branch, m.seats[0])?.made);
    ///             cx.end_game(None, m.last)?;
    ///             return Ok(Flow::Done);
    ///         }
    ///         let branches = m.seats.map(|seat| (seat, m.branch.with(Plan { seat, made: false }))).to_vec();
    ///         Ok(Flow::Fork { branches, together: true })
    ///     }
    /// }
    /// impl Procedure for Plan {
    ///     type Module = Plans;
    /// #    fn run(&mut self, m: &Plans, _: &mut Cx<'_>) -> Result<Flow, Halt> {
    /// #        Ok(Flow::ask(self.seat, m.plan))
    /// #    }
    /// #    fn offers(&self, m: &Plans, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
    /// #        out.add(Action::new(m.hold));
    /// #    }
    ///     // It asks its seat once, then:
    ///     fn act(&mut self, _: &Plans, cx: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
    ///         self.made = true;
    ///         cx.commit();
    ///         Ok(Flow::Done)
    ///     }
    /// }
    /// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
    /// # let (plan, hold) = (builder.word("plan"), builder.word("hold"));
    /// # let (both, branch) = (builder.proc("both"), builder.proc("plan"));
    /// # let plans = std::sync::Arc::new(Plans { seats: ids.seats, plan, hold, last: ids.rule, branch });
    /// # builder.define(both, &plans);
    /// # builder.define(branch, &plans);
    /// # builder.opening(both.with(Both { joined: false }));
    /// # let rulebook = builder.build().unwrap();
    /// # let (mut worker, mut sink) = (Worker::new(), Sink::off());
    /// # let mut state = flow::start(&rulebook, &mut worker, &mut sink, Key::from_seed(1), 0)?;
    /// assert_eq!(state.fork_seats()[..], ids.seats);
    /// assert_eq!(flow::asked(&state).unwrap().mode, AskMode::Fork { together: true });
    /// flow::act(&rulebook, &mut worker, &mut sink, &mut state, ids.seats[0], &Action::new(hold))?;
    /// assert!(state.committed(ids.seats[0]) && !state.committed(ids.seats[1]));
    /// assert_eq!(state.branch_locals(ids.seats[0]), Some(&[i32::from(ids.seats[0].0), 1][..]));
    /// # flow::act(&rulebook, &mut worker, &mut sink, &mut state, ids.seats[1], &Action::new(hold))?;
    /// # assert!(state.outcome().is_some());
    /// # Ok::<(), adjutant_kernel::Fault>(())
    /// ```
    pub fn fork_seats(&self) -> SmallVec<[SeatId; 4]> {
        self.frames.iter().filter(|f| f.status != Status::Free).filter_map(|f| f.branch).collect()
    }

    /// The locals of a seat's branch of the open fork, its secrets included: for tests of sampled worlds.
    pub fn branch_locals(&self, seat: SeatId) -> Option<&[i32]> {
        self.frames.iter().find(|f| f.branch == Some(seat)).map(|f| f.words.as_slice())
    }

    /// Whether a seat's branch of the open fork has committed.
    pub fn committed(&self, seat: SeatId) -> bool {
        self.frames.iter().any(|f| f.branch == Some(seat) && f.status == Status::Committed)
    }

    /// The frame that asks a seat.
    pub(crate) fn asking(&self, seat: SeatId) -> Option<u16> {
        self.frames
            .iter()
            .rposition(|f| matches!(f.status, Status::Asking { seats, .. } if seats >> seat.0 & 1 == 1))
            .map(|n| n as u16)
    }
}

/// Lists what a seat may do, in the order of its procedure; empty when it is not asked.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// let mut list = Vec::new(); // used again and again
/// flow::offers(&rulebook, &worker, &state, ids.seats[0], &mut list)?;
/// assert_eq!((list.len(), list[2].verb), (3, ids.halt)); // either body may march, or blue halts
/// flow::offers(&rulebook, &worker, &state, ids.seats[1], &mut list)?;
/// assert!(list.is_empty());
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
///
/// # Errors
/// A fault of the rules.
pub fn offers(
    rb: &Rulebook,
    worker: &Worker,
    st: &State,
    seat: SeatId,
    list: &mut Vec<Action>,
) -> Result<(), Fault> {
    list.clear();
    let mut out = Offers::list(list);
    gather(rb, worker, st, seat, &mut out)
}

/// Judges one action of a seat; `None` when it makes no sense here or the seat is not asked.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Action, Refusal, flow};
/// let Field { rulebook, state, worker, ids, .. } = Field::where_first(|ids, cx| {
///     let horse = cx.read().body_of(ids.horse).unwrap();
///     cx.set(ids.weary, horse, 1)
/// });
/// # let horse = adjutant_kernel::Read::new(&rulebook, &state).body_of(ids.horse).unwrap();
/// let judge = |action: &Action| flow::judge(&rulebook, &worker, &state, ids.seats[0], action);
/// assert_eq!(judge(&Action::new(ids.halt))?, Some(Ok(())));
/// let march = Action::new(ids.march).on(horse).on(ids.ford);
/// assert_eq!(judge(&march)?, Some(Err(Refusal { rule: ids.rule }))); // the horse is weary
/// assert_eq!(judge(&Action::new(ids.orders))?, None); // no such thing can be done
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
///
/// # Errors
/// A fault of the rules.
pub fn judge(
    rb: &Rulebook,
    worker: &Worker,
    st: &State,
    seat: SeatId,
    action: &Action,
) -> Result<Option<Verdict>, Fault> {
    let mut out = Offers::check(*action);
    gather(rb, worker, st, seat, &mut out)?;
    Ok(out.judgement())
}

/// What a commit of a seat's open branch or ask will show; see [`Procedure::shape`](super::Procedure::shape).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// assert_eq!(flow::shape(&rulebook, &worker, &state, ids.seats[0]), None); // blue marches in the open
/// ```
pub fn shape(rb: &Rulebook, worker: &Worker, st: &State, seat: SeatId) -> Option<Vec<i32>> {
    let frame = &st.frames[usize::from(st.asking(seat)?)];
    let viewer = rb.seat(seat).side.map_or(Viewer::Public, Viewer::Side);
    let seen = Seen::new(Read::new(rb, st), viewer).with_host(&worker.scratch.host);
    rb.procs[frame.proc.index()].code.as_ref()?.shape(&seen, &frame.words, seat)
}

fn gather(
    rb: &Rulebook,
    worker: &Worker,
    st: &State,
    seat: SeatId,
    out: &mut Offers<'_>,
) -> Result<(), Fault> {
    let Some(at) = st.asking(seat) else { return Ok(()) };
    let viewer = rb.seat(seat).side.map_or(Viewer::Public, Viewer::Side);
    let seen = Seen::new(Read::new(rb, st), viewer).with_host(&worker.scratch.host);
    let frame = &st.frames[usize::from(at)];
    let def = &rb.procs[frame.proc.index()];
    let code = def.code.as_ref().ok_or_else(|| Fault::NoCode(def.name.clone()))?;
    let listed = if def.open {
        code.offers(&seen, &frame.words, seat, out)
    } else {
        code.offers(&seen, &seen_locals(rb, frame, Some(viewer)), seat, out)
    };
    let host = &worker.scratch.host;
    let fault = listed.err().or_else(|| host.take_fault());
    fault.map_or(Ok(()), |fault| Err(fault.at_found(|| place(rb, host, st, at))))
}

/// Where in the scripts the step stands that asks a seat, the file and the line: for whoever mends what is offered
/// there. `None` where no script asks it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// assert_eq!(flow::place_of_ask(&rulebook, &worker, &state, ids.seats[0]), None); // its procedure is native
/// ```
pub fn place_of_ask(rb: &Rulebook, worker: &Worker, st: &State, seat: SeatId) -> Option<String> {
    place(rb, &worker.scratch.host, st, st.asking(seat)?)
}

/// The fault that a seat is asked and nothing is offered to it, with the place of the step that asks, if a script does.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// let fault = flow::dead_end(&rulebook, &worker, &state, ids.seats[0], ids.orders);
/// assert!(fault.to_string().ends_with("is asked `orders` and can do nothing"));
/// ```
pub fn dead_end(rb: &Rulebook, worker: &Worker, st: &State, seat: SeatId, prompt: WordId) -> Fault {
    let fault = Fault::DeadEnd { seat: rb.seat(seat).name.clone(), prompt: rb.word(prompt).to_owned() };
    fault.at_found(|| place_of_ask(rb, worker, st, seat))
}

/// Where in the scripts the step stands that a frame is at.
fn place(rb: &Rulebook, host: &Host, st: &State, at: u16) -> Option<String> {
    let frame = st.frames.get(usize::from(at)).filter(|frame| frame.status != Status::Free)?;
    rb.procs.get(frame.proc.index())?.code.as_ref()?.place(host, &frame.words)
}

/// The locals of a frame with what `viewer` may not see blanked out.
pub(crate) fn seen_locals(rb: &Rulebook, frame: &Frame, viewer: Option<Viewer>) -> Words {
    let mut words = frame.words.clone();
    let Some(viewer) = viewer else { return words };
    let hidden = rb.procs[frame.proc.index()].hidden(rb, &frame.words, viewer);
    hidden.into_iter().for_each(|(_, part)| words[part].fill(0));
    words
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

fn check_ask(cx: &Cx<'_>, seats: u32, prompt: WordId) -> Result<(), Fault> {
    if cx.branch.is_none() {
        let asking = (0..32u8).find(|s| seats >> s & 1 == 1).and_then(|s| cx.st.asking(SeatId(s)));
        let settled = asking.map(|at| &cx.st.frames[usize::from(at)]).is_none_or(|frame| {
            let code = &cx.rb.procs[frame.proc.index()].code;
            code.as_ref().is_none_or(|code| code.settled(&frame.words))
        });
        cx.check_knowledge(settled)?;
    }
    for seat in seats_in(seats) {
        let mut out = Offers::any();
        let frame = cx.st.asking(seat);
        let Some(frame) = frame.map(|at| &cx.st.frames[usize::from(at)]) else { continue };
        let viewer = cx.rb.seat(seat).side.map_or(Viewer::Public, Viewer::Side);
        let seen = Seen::new(cx.read(), viewer).with_host(&cx.scratch.host);
        let code = cx.rb.procs[frame.proc.index()].code.as_ref();
        if let Some(code) = code {
            code.offers(&seen, &seen_locals(cx.rb, frame, Some(viewer)), seat, &mut out)?;
        }
        if out.count() == 0 {
            let (seat, prompt) = (cx.rb.seat(seat).name.clone(), cx.rb.word(prompt).to_owned());
            let place = || code?.place(&cx.scratch.host, &frame.words);
            return Err(Fault::DeadEnd { seat, prompt }.at_found(place));
        }
    }
    cx.scratch.host.take_fault().map_or(Ok(()), Err)
}

impl Cx<'_> {
    /// Checks that every seat that is asked has something to do.
    pub(crate) fn check_asks(&self) -> Result<(), Fault> {
        let asks: SmallVec<[(u32, WordId); 4]> = self
            .st
            .frames
            .iter()
            .filter_map(|f| match f.status {
                Status::Asking { seats, prompt } => Some((seats, prompt)),
                _ => None,
            })
            .collect();
        asks.into_iter().try_for_each(|(seats, prompt)| check_ask(self, seats, prompt))
    }
}

//! Who is asked, and what may be done: read from a state, changing nothing.

use smallvec::SmallVec;

use super::{AnyProcedure, AskMode, Asked, Cx, Frame, Status};
use crate::decisions::{Action, Offers, Urn, Verdict};
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::Seen;
use crate::locals::Words;
use crate::rulebook::Rulebook;
use crate::state::{Read, State};
use crate::worker::{Host, Worker};

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
        // None for a seat that no game has.
        let bit = 1u32.checked_shl(u32::from(seat.0))?;
        let asks = |status: &Status| matches!(status, Status::Asking { seats, .. } if seats & bit != 0);
        self.frames.iter().rposition(|f| asks(&f.status)).map(|n| n as u16)
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

/// Draws one of the things that a seat may do, each as likely, without a list of all: where tests are long
/// ([`Procedure::DRAWN`](super::Procedure::DRAWN), and those of scripts) only what is drawn is tested. `below` draws a
/// number below another. `None` when the seat can do nothing.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::decisions::Urn;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// let mut urn = Urn::default(); // used again and again
/// let drawn = flow::draw(&rulebook, &worker, &state, ids.seats[0], &mut urn, &mut |number| number - 1)?;
/// assert_eq!(drawn.unwrap().verb, ids.halt); // the last of three
/// assert_eq!(flow::draw(&rulebook, &worker, &state, ids.seats[1], &mut urn, &mut |_| 0)?, None);
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
///
/// # Errors
/// A fault of the rules.
pub fn draw(
    rb: &Rulebook,
    worker: &Worker,
    st: &State,
    seat: SeatId,
    urn: &mut Urn,
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<Action>, Fault> {
    urn.allowed.clear();
    urn.untested.clear();
    let frame = st.asking(seat).map(|at| &st.frames[usize::from(at)]);
    let code = frame.and_then(|frame| rb.procs[frame.proc.index()].code.as_ref());
    if code.is_some_and(|code| code.drawn()) {
        gather(rb, worker, st, seat, &mut Offers::untested(urn))?;
    } else {
        gather(rb, worker, st, seat, &mut Offers::list(&mut urn.allowed))?;
    }
    loop {
        let all = urn.allowed.len() + urn.untested.len();
        if all == 0 {
            return Ok(None);
        }
        let at = below(all);
        if let Some(action) = urn.allowed.get(at) {
            return Ok(Some(*action));
        }
        let action = urn.untested.swap_remove(at - urn.allowed.len());
        if test(rb, worker, st, seat, &action)?.is_ok() {
            return Ok(Some(action));
        }
    }
}

/// The verdict on an action that makes sense.
fn test(rb: &Rulebook, worker: &Worker, st: &State, seat: SeatId, action: &Action) -> Result<Verdict, Fault> {
    let by_itself = ask(rb, worker, st, seat, |code, seen, words| code.test(seen, words, seat, action))?;
    if let Some(verdict) = by_itself.flatten() {
        return Ok(verdict);
    }
    let judged = judge(rb, worker, st, seat, action)?;
    judged.ok_or_else(|| Fault::Rules {
        text: format!("{action:?} was offered, and makes no sense when it is judged"),
    })
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
    ask(rb, worker, st, seat, |code, seen, words| code.offers(seen, words, seat, out)).map(|_| ())
}

/// Asks the procedure that asks a seat, with what that seat may know; `None` when none does.
fn ask<T>(
    rb: &Rulebook,
    worker: &Worker,
    st: &State,
    seat: SeatId,
    run: impl FnOnce(&dyn AnyProcedure, &Seen<'_>, &[i32]) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    let Some(at) = st.asking(seat) else { return Ok(None) };
    let viewer = rb.seat(seat).side.map_or(Viewer::Public, Viewer::Side);
    let seen = Seen::new(Read::new(rb, st), viewer).with_host(&worker.scratch.host);
    let frame = &st.frames[usize::from(at)];
    let def = &rb.procs[frame.proc.index()];
    let code = def.code.as_deref().ok_or_else(|| Fault::NoCode(def.name.clone()))?;
    let answer = if def.open {
        run(code, &seen, &frame.words)
    } else {
        run(code, &seen, &seen_locals(rb, frame, Some(viewer)))
    };
    let host = &worker.scratch.host;
    let answer = answer.and_then(|answer| host.take_fault().map_or(Ok(answer), Err));
    answer.map(Some).map_err(|fault| fault.at_found(|| place(rb, host, st, at)))
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
pub(super) fn place(rb: &Rulebook, host: &Host, st: &State, at: u16) -> Option<String> {
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
pub(super) fn check_ask(cx: &Cx<'_>, seats: u32, prompt: WordId) -> Result<(), Fault> {
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

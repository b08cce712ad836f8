//! Forks: several seats decide at once, each in a branch of its own.

use smallvec::SmallVec;

use super::driver::{drive, free, push};
use super::imagine::imagine_frame;
use super::{Cx, NewFrame, ROOT, Sink, Status};
use crate::error::Fault;
use crate::ids::*;
use crate::locals::Words;
use crate::rulebook::Rulebook;
use crate::state::State;
use crate::worker::Worker;

/// The side of the branch that a frame belongs to: `None` outside a fork.
pub(super) fn branch_of(cx: &Cx<'_>, mut at: u16) -> Option<Option<SideId>> {
    while at != ROOT {
        let frame = &cx.st.frames[usize::from(at)];
        if let Some(seat) = frame.branch {
            return Some(cx.rb.seat(seat).side);
        }
        at = frame.parent;
    }
    None
}

/// Begins a fork; whether all its branches have committed at once and it has been joined.
pub(super) fn fork(
    cx: &mut Cx<'_>,
    at: u16,
    branches: Vec<(SeatId, NewFrame)>,
    together: bool,
) -> Result<bool, Fault> {
    if cx.branch.is_some() || branches.is_empty() {
        let text = "a fork needs a branch at least, and forks are not nested".into();
        return Err(Fault::Rules { text });
    }
    for (n, (seat, _)) in branches.iter().enumerate() {
        if seat.index() >= cx.rb.seats.len() || branches[..n].iter().any(|(s, _)| s == seat) {
            let text = format!("a fork has one branch a seat; seat {} is not there or twice", seat.0);
            return Err(Fault::Rules { text });
        }
    }
    cx.st.frames[usize::from(at)].status = Status::Forked { together };
    let mut begun: SmallVec<[(u16, SeatId); 4]> = SmallVec::new();
    for (seat, new) in branches {
        begun.push((push(cx, new, at, Some(seat)), seat));
    }
    cx.forking = true;
    for (frame, seat) in begun {
        cx.branch = Some(cx.rb.seat(seat).side);
        drive(cx, frame, None)?;
    }
    cx.forking = false;
    Ok(join(cx, at))
}

/// Joins the branches of a fork if all have committed; its frame may then go on.
pub(super) fn join(cx: &mut Cx<'_>, fork: u16) -> bool {
    let mut branches: SmallVec<[u16; 4]> = SmallVec::new();
    for (n, frame) in cx.st.frames.iter().enumerate() {
        if frame.parent == fork && frame.branch.is_some() {
            if frame.status != Status::Committed {
                return false;
            }
            branches.push(n as u16);
        }
    }
    cx.joined.clear();
    for branch in branches {
        let frame = &cx.st.frames[usize::from(branch)];
        if let Some(seat) = frame.branch {
            let proc = frame.proc;
            let words = free(cx, branch);
            cx.joined.push((seat, NewFrame { proc, words }));
        }
    }
    cx.st.frames[usize::from(fork)].status = Status::Waiting;
    cx.branch = None;
    cx.sink.barrier.public = true;
    true
}

impl Cx<'_> {
    /// In a branch, the bit of the seat whose branch it is.
    pub(super) fn branch_seats(&self, mut at: u16) -> Option<u32> {
        while at != ROOT {
            let frame = &self.st.frames[usize::from(at)];
            if let Some(seat) = frame.branch {
                return Some(1 << seat.0);
            }
            at = frame.parent;
        }
        None
    }
}

/// Takes the open fork back to its beginning for all seats but those of `viewer`, in a world imagined for it:
/// whatever they decided is dropped, and of what their branches began with it finds what it may not see imagined.
/// The seats whose branches were begun anew, in order.
///
/// # Errors
/// A fault of the rules.
pub(super) fn drop_branches(
    rb: &Rulebook,
    worker: &mut Worker,
    st: &mut State,
    viewer: Viewer,
    random: &mut dyn FnMut() -> u64,
) -> Result<SmallVec<[SeatId; 4]>, Fault> {
    let mut sink = Sink::off();
    let mut cx = Cx::new(rb, st, &mut worker.scratch, &mut sink);
    cx.forking = true;
    let mut begun = SmallVec::new();
    // Frames at the end may go while a branch is begun anew.
    for n in 0..cx.st.frames.len() {
        let branch = cx.st.frames.get(n).and_then(|frame| frame.branch);
        let Some(seat) = branch.filter(|s| rb.seat(*s).viewer() != Some(viewer)) else { continue };
        let root = n as u16;
        let below: SmallVec<[u16; 4]> = (0..cx.st.frames.len() as u16)
            .filter(|&at| at != root && cx.st.frames[usize::from(at)].status != Status::Free)
            .filter(|&at| under(&cx, at, root))
            .collect();
        for at in below {
            cx.st.frames[usize::from(at)].status = Status::Free;
            cx.st.frames[usize::from(at)].words = Words::new();
        }
        let frame = &mut cx.st.frames[n];
        frame.words = Words::from_slice(&frame.fresh);
        frame.status = Status::Waiting;
        imagine_frame(rb, &cx.scratch.host, cx.st, n, viewer, random)?;
        cx.st.frames[n].fresh = cx.st.frames[n].words.to_vec();
        cx.branch = Some(rb.seat(seat).side);
        drive(&mut cx, root, None)?;
        begun.push(seat);
    }
    Ok(begun)
}

fn under(cx: &Cx<'_>, mut at: u16, root: u16) -> bool {
    while at != ROOT {
        if at == root {
            return true;
        }
        at = cx.st.frames[usize::from(at)].parent;
    }
    false
}

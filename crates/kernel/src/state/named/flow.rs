//! Frames by names: procedures, their locals, and the shape of their tree.

use std::collections::HashMap;

use super::kind::{At, Kind};
use super::read::Reader;
use super::write::Writer;
use super::*;
use crate::flow::{Frame, MOMENT, ROOT, SEQUENCE, SequenceOp, Status};
use crate::ids::*;
use crate::locals::Words;

/// Locals of the kernel's own procedures that are numbers and have better names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// The next instruction of the sequence of play, named by the phase before it.
    Sequence,
    /// A moment.
    Moment,
}

fn special(proc: ProcId, field: &str) -> Option<Special> {
    match (proc, field) {
        (SEQUENCE, "next") => Some(Special::Sequence),
        (MOMENT, "moment") => Some(Special::Moment),
        _ => None,
    }
}

/// The instructions of the sequence of play by name: the last phase before, which of its name, and how many
/// instructions after it.
fn labels(rb: &Rulebook) -> Vec<String> {
    let mut labels = Vec::with_capacity(rb.sequence.len() + 1);
    let (mut after, mut since) = ("the beginning".to_owned(), 0);
    let mut counts: HashMap<WordId, u32> = HashMap::new();
    for op in &rb.sequence {
        labels.push(format!("{since} after {after}"));
        since += 1;
        if let SequenceOp::Phase { name, .. } = op {
            let count = counts.entry(*name).or_default();
            *count += 1;
            (after, since) = (format!("{} #{count}", rb.word(*name)), 0);
        }
    }
    labels.push(format!("{since} after {after}"));
    labels
}

type Locals = Option<BTreeMap<String, NamedValue>>;

impl Writer<'_> {
    pub(super) fn frame(&self, frame: &Frame) -> NamedFrame {
        NamedFrame {
            procedure: Kind::Procedure.name(self.rb, frame.proc.index()).unwrap_or("?").to_owned(),
            parent: (frame.parent != ROOT).then_some(frame.parent),
            status: match frame.status {
                Status::Free => NamedStatus::Free,
                Status::Waiting => NamedStatus::Waiting,
                Status::Asking { seats, prompt } => NamedStatus::Asking {
                    seats: (0..32u8).filter(|n| seats >> n & 1 == 1).map(|n| self.seat(SeatId(n))).collect(),
                    prompt: self.rb.word(prompt).to_owned(),
                },
                Status::Forked { together } => NamedStatus::Forked { together },
                Status::Committed => NamedStatus::Committed,
            },
            branch: frame.branch.map(|seat| self.seat(seat)),
            locals: self.locals(frame.proc, &frame.words),
            fresh: self.locals(frame.proc, &frame.fresh),
        }
    }

    fn locals(&self, proc: ProcId, words: &[i32]) -> Locals {
        if words.is_empty() {
            return None;
        }
        let fields = &self.rb.procs.get(proc.index())?.fields;
        let mut rest = words;
        let mut all = BTreeMap::new();
        for field in fields {
            let (own, next) = rest.split_at_checked(usize::from(field.words)).unwrap_or((rest, &[]));
            rest = next;
            let first = own.first().copied().unwrap_or_default();
            let name = match special(proc, &field.name) {
                Some(Special::Sequence) => labels(self.rb).get(first.max(0) as usize).cloned(),
                Some(Special::Moment) => Kind::Moment.name(self.rb, first.max(0) as usize).map(str::to_owned),
                None => None,
            };
            let value = name.map_or_else(|| self.local_value(&field.ty, own), NamedValue::Name);
            all.insert(field.name.to_owned(), value);
        }
        Some(all)
    }
}

impl Reader<'_> {
    pub(super) fn read_frames(&mut self) -> Vec<Frame> {
        let top = At::top("frames");
        let mut frames: Vec<Frame> = Vec::new();
        let before = self.problems.len();
        for (n, from) in self.from.frames.iter().enumerate() {
            if let Some(frame) = self.read_frame(&top.nth(n), n, from) {
                frames.push(frame);
            }
        }
        if self.problems.len() == before {
            self.check_tree(&frames);
        }
        frames
    }

    fn read_frame(&mut self, at: &At<'_>, n: usize, from: &NamedFrame) -> Option<Frame> {
        let proc = self.id(&at.of("procedure"), Kind::Procedure, &from.procedure).map(ProcId);
        let branch = from.branch.as_ref().map(|name| self.id(&at.of("branch"), Kind::Seat, name));
        let status = self.read_status(&at.of("status"), &from.status);
        let parent = match from.parent {
            Some(parent) if usize::from(parent) >= n => {
                let right = "a frame comes after the one that called it".to_owned();
                self.bad(&at.of("parent"), format!("{parent} comes later"), right);
                None
            }
            Some(parent) => Some(parent),
            None => Some(ROOT),
        };
        let proc = proc?;
        let words = self.read_locals(&at.of("locals"), proc, &from.locals);
        let fresh = self.read_locals(&at.of("fresh"), proc, &from.fresh);
        let def = &self.rb.procs[proc.index()];
        if words.is_empty() && !def.fields.is_empty() && from.status != NamedStatus::Free {
            self.bad(at, "its locals are missing".into(), format!("`{}` has some", def.name));
        }
        let branch = match branch {
            Some(seat) => Some(SeatId(seat? as u8)),
            None => None,
        };
        Some(Frame { proc, parent: parent?, status: status?, branch, words, fresh: fresh.to_vec() })
    }

    fn read_status(&mut self, at: &At<'_>, status: &NamedStatus) -> Option<Status> {
        Some(match status {
            NamedStatus::Free => Status::Free,
            NamedStatus::Waiting => Status::Waiting,
            NamedStatus::Asking { seats, prompt } => {
                let mut bits = 0;
                for name in seats {
                    bits |= 1 << self.id(at, Kind::Seat, name)?;
                }
                if bits == 0 {
                    self.bad(at, "nobody is asked".into(), "it names the seats that are".into());
                }
                Status::Asking { seats: bits, prompt: WordId(self.id(at, Kind::Word, prompt)?) }
            }
            NamedStatus::Forked { together } => Status::Forked { together: *together },
            NamedStatus::Committed => Status::Committed,
        })
    }

    fn read_locals(&mut self, at: &At<'_>, proc: ProcId, from: &Locals) -> Words {
        let mut words = Words::new();
        let Some(from) = from else { return words };
        let def = &self.rb.procs[proc.index()];
        let before = self.problems.len();
        for name in from.keys().filter(|name| !def.fields.iter().any(|f| f.name == **name)) {
            let right = crate::suggest::instead(name, def.fields.iter().map(|f| f.name.as_str()));
            self.bad(&at.of(name), format!("`{}` has no local of this name", def.name), right);
        }
        for field in &def.fields {
            let at = at.of(&field.name);
            match (from.get(&field.name), special(proc, &field.name)) {
                (Some(NamedValue::Name(name)), Some(special)) => {
                    words.push(self.read_special(&at, special, name).unwrap_or_default());
                }
                (Some(value), None) => self.local_words(&at, &field.ty, value, &mut words),
                (Some(_), Some(_)) => self.bad(&at, "it has no name".into(), "it should be a name".into()),
                (None, _) => self.bad(&at, "it is missing".into(), format!("it should be {}", field.ty)),
            }
        }
        let Some(code) = self.rb.procs[proc.index()].code.as_ref() else { return words };
        if self.problems.len() == before
            && let Err(bad) = code.check(&words)
        {
            self.bad(at, bad.to_string(), format!("it should be what `{}` can read", def.name));
        }
        words
    }

    fn read_special(&mut self, at: &At<'_>, special: Special, name: &str) -> Option<i32> {
        match special {
            Special::Moment => self.id(at, Kind::Moment, name).map(i32::from),
            Special::Sequence => {
                let labels = labels(self.rb);
                let found = labels.iter().position(|label| label == name);
                if found.is_none() {
                    let right = crate::suggest::instead(name, labels.iter().map(String::as_str));
                    self.bad(at, format!("the sequence of play has no `{name}`"), right);
                }
                found.map(|n| n as i32)
            }
        }
    }

    /// The driver goes on from the leaves of the tree: each must ask or be a branch that has committed.
    fn check_tree(&mut self, frames: &[Frame]) {
        let mut children: Vec<(u32, u32)> = vec![(0, 0); frames.len()];
        let (mut roots, mut asking) = (0, 0);
        for (n, frame) in frames.iter().enumerate().filter(|(_, f)| f.status != Status::Free) {
            let parent = frames.get(usize::from(frame.parent));
            let forked = parent.is_some_and(|p| matches!(p.status, Status::Forked { .. }));
            match children.get_mut(usize::from(frame.parent)) {
                Some((all, branches)) => {
                    *all += 1;
                    *branches += u32::from(frame.branch.is_some());
                }
                None => roots += 1,
            }
            asking += usize::from(matches!(frame.status, Status::Asking { .. }));
            if parent.is_some_and(|p| !matches!(p.status, Status::Waiting | Status::Forked { .. })) {
                let right = "only a frame that waits has frames below it".to_owned();
                self.bad(&At::top("frames").nth(n), "what called it does not wait for it".into(), right);
            }
            if forked != frame.branch.is_some() || frame.status == Status::Committed && !forked {
                let right = "the frames below a fork, and no others, are branches, and only they commit";
                let what = "it is a branch of no fork, or a fork's and no branch".to_owned();
                self.bad(&At::top("frames").nth(n), what, right.to_owned());
            }
        }
        let forks = frames.iter().filter(|f| matches!(f.status, Status::Forked { .. })).count();
        for (n, frame) in frames.iter().enumerate() {
            let wrong = match frame.status {
                Status::Waiting => children[n].0 != 1,
                Status::Forked { .. } => children[n].0 == 0,
                Status::Free | Status::Asking { .. } | Status::Committed => false,
            };
            if wrong {
                let right = "a frame waits for one that it called, a fork for one branch at least".to_owned();
                self.bad(&At::top("frames").nth(n), format!("it waits for {} frames", children[n].0), right);
            }
        }
        let ended = self.from.outcome.is_some();
        let live = roots + asking;
        if ended && live > 0 || !ended && (roots != 1 || asking == 0) || forks > 1 {
            let what = format!("{roots} frames were called by none, {asking} ask, {forks} fork");
            let right = match ended {
                true => "a game that has ended has no frames".to_owned(),
                false => "one is called by none, one at least asks, and forks are not nested".to_owned(),
            };
            self.bad(&At::top("frames"), what, right);
        }
    }
}

//! Procedures that a script host runs.

use smallvec::SmallVec;

use super::{AnyProcedure, Cx, Flow, Halt, Imagining, NewFrame, ScriptImagine};
use crate::decisions::{Action, Offers, Verdict};
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::Sight as _;
use crate::knowledge::{Lent, Seen};
use crate::locals::{BadLocal, Field, Words};
use crate::points::PointArg;
use crate::rulebook::{Module, Placement, Rulebook};
use crate::state::{Read, State};
use crate::worker::{Host, Worker};

/// A procedure whose code is a script.
pub(crate) struct Scripted {
    pub(crate) script: u32,
    pub(crate) count: usize,
    /// The word of the local that names the side to which locals of class owner belong.
    pub(crate) owner: Option<usize>,
    /// See [`Procedure::settled`](super::Procedure::settled).
    pub(crate) settled: bool,
    pub(crate) imagine: ScriptImagine,
}

impl Scripted {
    fn fits(&self, words: &[i32]) -> Result<(), Fault> {
        if words.len() == self.count {
            return Ok(());
        }
        let text = format!("a frame holds {} words where its procedure keeps {}", words.len(), self.count);
        Err(Fault::Rules { text })
    }

    fn lent<'a>(seen: &'a Seen<'a>) -> Result<Lent<'a>, Fault> {
        let host = seen.host().ok_or_else(|| Fault::Rules { text: "no script host is lent here".into() })?;
        Ok(Lent::of(seen, host))
    }
}

impl AnyProcedure for Scripted {
    fn run(&self, cx: &mut Cx<'_>, words: &mut Words) -> Result<Flow, Halt> {
        self.fits(words)?;
        let host = std::rc::Rc::clone(cx.scratch.host.get()?);
        host.run(self.script, cx, words)
    }

    fn act(&self, cx: &mut Cx<'_>, words: &mut Words, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        self.fits(words)?;
        let host = std::rc::Rc::clone(cx.scratch.host.get()?);
        host.act(self.script, cx, words, seat, action)
    }

    fn offers(
        &self,
        seen: &Seen<'_>,
        words: &[i32],
        seat: SeatId,
        out: &mut Offers<'_>,
    ) -> Result<(), Fault> {
        self.fits(words)?;
        let host = seen.host().ok_or_else(|| Fault::Rules { text: "no script host is lent here".into() })?;
        host.get()?.offers(self.script, Self::lent(seen)?, words, seat, out)
    }

    fn drawn(&self) -> bool {
        true
    }

    fn test(
        &self,
        seen: &Seen<'_>,
        words: &[i32],
        seat: SeatId,
        action: &Action,
    ) -> Result<Option<Verdict>, Fault> {
        self.fits(words)?;
        let host = seen.host().ok_or_else(|| Fault::Rules { text: "no script host is lent here".into() })?;
        host.get()?.test(self.script, Self::lent(seen)?, words, seat, action).map(Some)
    }

    fn owner(&self, words: &[i32]) -> Option<SideId> {
        let word = *words.get(self.owner?)?;
        u8::try_from(word).ok().map(SideId)
    }

    fn shape(&self, seen: &Seen<'_>, words: &[i32], seat: SeatId) -> Option<Vec<i32>> {
        let host = seen.host()?.get().ok()?;
        host.shape(self.script, Self::lent(seen).ok()?, words, seat)
    }

    fn settled(&self, _: &[i32]) -> bool {
        self.settled
    }

    fn imagines(&self) -> ScriptImagine {
        self.imagine
    }

    fn imagine(&self, words: &mut Words, imagining: &mut Imagining<'_>) -> Result<(), Fault> {
        self.fits(words)?;
        let host = std::rc::Rc::clone(imagining.host().get()?);
        host.imagine(self.script, imagining, words)
    }

    fn check(&self, words: &[i32]) -> Result<(), BadLocal> {
        // A script reads a local when it needs it, and whatever the words are finds a value or nil.
        if words.len() == self.count { Ok(()) } else { Err(BadLocal::wrong_number(self.count, words.len())) }
    }

    fn place(&self, host: &Host, words: &[i32]) -> Option<String> {
        host.get().ok()?.place(self.script, words)
    }
}

/// What the kernel asks of a pack directly, answered by scripts for one rule.
pub(crate) struct ScriptModule {
    pub(crate) name: String,
    pub(crate) rule: RuleId,
    pub(crate) placement: Option<u32>,
    pub(crate) revealed: Option<u32>,
}

impl Module for ScriptModule {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self) -> Option<RuleId> {
        Some(self.rule)
    }

    fn placement(&self, seen: &Seen<'_>, cause: WordId, bodies: &[BodyId], to: PlaceId) -> Placement {
        let (Some(script), Some(host)) = (self.placement, seen.host()) else { return Placement::Allowed };
        if seen.skips(self.rule) {
            return Placement::Allowed;
        }
        let lent = Lent::of(seen, host);
        match host.get().and_then(|h| h.placement(script, self.rule, lent, cause, bodies, to)) {
            Ok(placement) => placement,
            Err(fault) => {
                host.note(fault);
                // Whoever asked finds the fault; until then nothing is let in.
                Placement::Forbidden(self.rule)
            }
        }
    }

    fn revealed(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let Some(script) = self.revealed.filter(|_| !cx.truth().skips(self.rule)) else { return Ok(()) };
        let host = std::rc::Rc::clone(cx.scratch.host.get()?);
        host.revealed(script, cx, body)
    }
}

/// The total of a point on a state, on the truth or as far as a viewer may know.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// # let Field { rulebook, state, worker, ids, .. } = Field::start();
/// assert_eq!(flow::total(&rulebook, &worker, &state, None, ids.march_bonus, &[])?, 1); // nothing is attached
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
///
/// # Errors
/// A fault when a script fails.
pub fn total(
    rb: &Rulebook,
    worker: &Worker,
    st: &State,
    viewer: Option<Viewer>,
    point: PointId,
    args: &[PointArg],
) -> Result<i32, Fault> {
    let host = &worker.scratch.host;
    let total = Lent::new(Read::new(rb, st), viewer, host).total(point, args);
    host.take_fault().map_or(Ok(total), Err)
}

impl Rulebook {
    /// The procedure with a name.
    pub fn procedure_named(&self, name: &str) -> Option<ProcId> {
        self.procs.iter().position(|p| p.name == name).map(|n| ProcId(n as u16))
    }

    /// The names of all procedures.
    pub fn procedure_names(&self) -> impl Iterator<Item = &str> {
        self.procs.iter().map(|p| p.name.as_str())
    }

    /// The name of a procedure.
    pub fn procedure_name(&self, proc: ProcId) -> &str {
        &self.procs[proc.index()].name
    }

    /// The fields of a procedure's locals.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::locals::{FieldType, LocalType};
    /// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
    /// let fields = rulebook.procedure_fields(ids.proc.id());
    /// assert_eq!((fields[0].name.as_str(), &fields[0].ty), ("begun", &FieldType::One(LocalType::Flag)));
    /// ```
    pub fn procedure_fields(&self, proc: ProcId) -> &[Field] {
        &self.procs[proc.index()].fields
    }

    /// A procedure about to begin with locals given as words; `None` when their number is wrong.
    pub fn frame(&self, proc: ProcId, words: &[i32]) -> Option<NewFrame> {
        let count: usize = self.procs.get(proc.index())?.fields.iter().map(|f| usize::from(f.words)).sum();
        (words.len() == count).then(|| NewFrame { proc, words: Words::from_slice(words) })
    }
}

impl Cx<'_> {
    /// The position, all of it, as it is lent to a script.
    pub fn lent(&self) -> Lent<'_> {
        Lent::new(self.read(), None, &self.scratch.host)
    }

    /// The same context for a shorter time.
    pub fn reborrow(&mut self) -> Cx<'_> {
        Cx {
            rb: self.rb,
            st: self.st,
            scratch: self.scratch,
            sink: self.sink,
            branch: self.branch,
            joined: SmallVec::new(),
            replaced: self.replaced,
            steps: self.steps,
            forking: self.forking,
            laying_out: self.laying_out,
        }
    }

    /// The procedures and locals of the branches that have just been joined, by seat, in the order of the
    /// fork. Only the first run after a join has them.
    pub fn joined_words(&self) -> impl Iterator<Item = (SeatId, ProcId, &[i32])> {
        self.joined.iter().map(|(seat, frame)| (*seat, frame.proc, &frame.words[..]))
    }
}

//! Workers: scratch buffers, caches and the script host that run a rulebook on states.
//!
//! A worker is not part of any state and may be dropped at any time without a trace: with a new one every game
//! goes on the same.

use std::cell::RefCell;
use std::rc::Rc;

use crate::chance::ChanceCache;
use crate::decisions::{Action, Offers, Verdict};
use crate::error::Fault;
use crate::flow::{Cx, Flow, Halt, Imagining};
use crate::ids::*;
use crate::knowledge::{Lent, Sight};
use crate::locals::Words;
use crate::points::PointArg;
use crate::rulebook::Placement;

/// Runs scripts. The kernel knows nothing of their language.
///
/// A host is called again while it runs: a step of a script may call an operation that comes to a point to which
/// another script is attached. Whatever goes wrong in a script is a [`Fault`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow;
/// use adjutant_kernel::knowledge::Lent;
/// use adjutant_kernel::locals::Words;
/// use adjutant_kernel::points::{Attachment, Contribute, Filter, PointArg};
/// use adjutant_kernel::worker::ScriptHost;
/// use adjutant_kernel::*;
/// # use adjutant_kernel::{chance::Key, flow::Sink};
/// /// Scripts that are numbers: each contributes its own, and that is all they can do.
/// struct Numbers;
/// # fn no_such() -> Fault { Fault::Rules { text: "numbers contribute, and nothing else".into() } }
/// impl ScriptHost for Numbers {
///     fn contribute(&self, script: u32, _: Lent<'_>, _: &[PointArg]) -> Result<Option<i32>, Fault> {
///         Ok(i32::try_from(script).ok())
///     }
///     // The rest answers with a fault.
/// #    fn run(&self, _: u32, _: &mut Cx<'_>, _: &mut Words) -> Result<Flow, Halt> { Err(no_such().into()) }
/// #    fn act(&self, _: u32, _: &mut Cx<'_>, _: &mut Words, _: SeatId, _: &Action) -> Result<Flow, Halt> {
/// #        Err(no_such().into())
/// #    }
/// #    fn offers(&self, _: u32, _: Lent<'_>, _: &[i32], _: SeatId, _: &mut Offers<'_>) -> Result<(), Fault> {
/// #        Err(no_such())
/// #    }
/// #    fn shape(&self, _: u32, _: Lent<'_>, _: &[i32], _: SeatId) -> Option<Vec<i32>> { None }
/// #    fn placement(
/// #        &self, _: u32, _: RuleId, _: Lent<'_>, _: WordId, _: &[BodyId], _: PlaceId,
/// #    ) -> Result<Placement, Fault> { Err(no_such()) }
/// #    fn revealed(&self, _: u32, _: &mut Cx<'_>, _: BodyId) -> Result<(), Halt> { Err(no_such().into()) }
/// #    fn imagine(&self, _: u32, _: &mut flow::Imagining<'_>, _: &mut Words) -> Result<(), Fault> { Err(no_such()) }
/// }
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let contribute = Contribute::Script(40);
/// builder.attach(ids.march_bonus, Attachment { rule: ids.rule, filter: Filter::default(), stage: 0, contribute });
/// # let rulebook = builder.build().unwrap();
/// let mut worker = Worker::new().with_host(std::rc::Rc::new(Numbers));
/// # let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// assert_eq!(flow::total(&rulebook, &worker, &state, None, ids.march_bonus, &[])?, 41); // it starts from 1
/// # Ok::<(), Fault>(())
/// ```
pub trait ScriptHost {
    /// What a script contributes to a point, computed on `sight`; `None` when it has nothing to say.
    ///
    /// # Errors
    /// A fault when the script fails or exceeds a limit.
    fn contribute(&self, script: u32, sight: Lent<'_>, args: &[PointArg]) -> Result<Option<i32>, Fault>;

    /// How many of a point's arguments, from the first, a script that contributes to it can look at; all, where that is
    /// not known.
    fn takes(&self, _script: u32) -> usize {
        usize::MAX
    }

    /// Goes on with a procedure; see [`Procedure::run`](crate::Procedure::run).
    ///
    /// # Errors
    /// As the operations called answer, or a fault when the script fails or exceeds a limit.
    fn run(&self, script: u32, cx: &mut Cx<'_>, words: &mut Words) -> Result<Flow, Halt>;

    /// A seat that a procedure asked has acted; see [`Procedure::act`](crate::Procedure::act).
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn act(
        &self,
        script: u32,
        cx: &mut Cx<'_>,
        words: &mut Words,
        seat: SeatId,
        action: &Action,
    ) -> Result<Flow, Halt>;

    /// Lists what a seat may do; see [`Procedure::offers`](crate::Procedure::offers).
    ///
    /// # Errors
    /// A fault when the script fails or exceeds a limit.
    fn offers(
        &self,
        script: u32,
        sight: Lent<'_>,
        words: &[i32],
        seat: SeatId,
        out: &mut Offers<'_>,
    ) -> Result<(), Fault>;

    /// The verdict on an action that a script listed without one, if it lists any so.
    ///
    /// # Errors
    /// A fault when the script fails or exceeds a limit.
    fn test(
        &self,
        script: u32,
        sight: Lent<'_>,
        words: &[i32],
        seat: SeatId,
        action: &Action,
    ) -> Result<Verdict, Fault> {
        let _ = (script, sight, words, seat, action);
        Ok(Ok(()))
    }

    /// What a commit will show of secret decisions; see [`Procedure::shape`](crate::Procedure::shape).
    fn shape(&self, script: u32, sight: Lent<'_>, words: &[i32], seat: SeatId) -> Option<Vec<i32>>;

    /// Sets the locals of a procedure that a viewer may not see, in a world that is imagined for it; they are
    /// blank. See [`Imagine::By`](crate::flow::Imagine::By).
    ///
    /// # Errors
    /// A fault when the script fails or exceeds a limit.
    fn imagine(&self, script: u32, imagining: &mut Imagining<'_>, words: &mut Words) -> Result<(), Fault>;

    /// The placement check of a script; see [`Module::placement`](crate::Module::placement). Its answer names
    /// `rule`, which it was registered for.
    ///
    /// # Errors
    /// A fault when the script fails or exceeds a limit.
    fn placement(
        &self,
        script: u32,
        rule: RuleId,
        sight: Lent<'_>,
        cause: WordId,
        bodies: &[BodyId],
        to: PlaceId,
    ) -> Result<Placement, Fault>;

    /// A body was revealed; see [`Module::revealed`](crate::Module::revealed).
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn revealed(&self, script: u32, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt>;

    /// Where the step of a procedure stands that its locals are at, for whoever mends it: the file and the line.
    fn place(&self, script: u32, words: &[i32]) -> Option<String> {
        let _ = (script, words);
        None
    }
}

/// A script host with the first fault of the current call.
#[derive(Default)]
pub(crate) struct Host {
    host: Option<Rc<dyn ScriptHost>>,
    fault: RefCell<Option<Fault>>,
}

impl Host {
    /// The host itself.
    pub(crate) fn get(&self) -> Result<&Rc<dyn ScriptHost>, Fault> {
        self.host.as_ref().ok_or_else(|| Fault::Rules { text: "the worker has no script host".into() })
    }

    pub(crate) fn call(&self, script: u32, sight: &dyn Sight, args: &[PointArg]) -> Option<i32> {
        match self.get().and_then(|host| host.contribute(script, Lent::of(sight, self), args)) {
            Ok(value) => value,
            Err(fault) => {
                self.note(fault);
                None
            }
        }
    }

    pub(crate) fn takes(&self, script: u32) -> usize {
        self.host.as_ref().map_or(usize::MAX, |host| host.takes(script))
    }

    /// Notes a fault that whoever called cannot answer with.
    pub(crate) fn note(&self, fault: Fault) {
        self.fault.borrow_mut().get_or_insert(fault);
    }

    pub(crate) fn take_fault(&self) -> Option<Fault> {
        self.fault.borrow_mut().take()
    }
}

/// Scratch buffers and caches of a worker.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) chance: ChanceCache,
    pub(crate) ciphers: crate::view::Ciphers,
    pub(crate) host: Host,
    pub(crate) unreported: u32,
    /// Check what viewers know against the truth after every step.
    pub(crate) check: bool,
}

/// Runs a rulebook on states; one a thread.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
/// # let (rulebook, _) = Field::rules(|_, _| Ok(()));
/// let mut worker = Worker::new().checking(); // what viewers know is compared with the truth after every step
/// let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0)?;
/// let again = flow::start(&rulebook, &mut worker.branch_off(), &mut Sink::off(), Key::from_seed(1), 0)?;
/// assert_eq!(state, again); // nothing of a worker is in a state
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
#[derive(Default)]
pub struct Worker {
    pub(crate) scratch: Scratch,
}

impl Worker {
    /// A worker without a script host.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same worker, checking after every step that told answers hold and candidate sets contain the truth.
    #[must_use]
    pub fn checking(mut self) -> Self {
        self.scratch.check = true;
        self
    }

    /// A worker for a game that branches off from this one's: the same checks, caches and
    /// script host.
    #[must_use]
    pub fn branch_off(&self) -> Self {
        let mut worker = Self::new();
        worker.scratch.check = self.scratch.check;
        worker.scratch.ciphers = self.scratch.ciphers.clone();
        worker.scratch.host.host = self.scratch.host.host.clone();
        worker
    }

    /// The same worker with a script host.
    #[must_use]
    pub fn with_host(mut self, host: Rc<dyn ScriptHost>) -> Self {
        self.scratch.host.host = Some(host);
        self
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Worker")
    }
}

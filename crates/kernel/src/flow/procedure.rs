//! The trait that procedures implement, and how a rulebook keeps them.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Cx, Halt, Imagine, Imagining, ScriptImagine};
use crate::decisions::{Action, Offers, Verdict};
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::Seen;
use crate::locals::{BadLocal, Field, Locals, Words};

/// What happens next.
///
/// ```
/// use adjutant_kernel::{Flow, SeatId, WordId};
/// let (seats, prompt) = ([SeatId(0), SeatId(2)], WordId(4));
/// assert!(matches!(Flow::ask_any(&seats, prompt), Flow::Ask { seats: 0b101, .. }));
/// assert!(matches!(Flow::ask(seats[1], prompt), Flow::Ask { seats: 0b100, .. }));
/// ```
#[derive(Clone, Debug)]
pub enum Flow {
    /// Run this procedure again (its step has changed).
    Again,
    /// Run another procedure, then this one again.
    Call(NewFrame),
    /// Ask one seat, or any of several.
    Ask {
        /// Who is asked, a bit a seat.
        seats: u32,
        /// What for: the key of a text, whose arguments are the frame's locals.
        prompt: WordId,
    },
    /// Ask several seats, each in a branch of its own; run this procedure again when all have committed.
    Fork {
        /// A procedure for each seat.
        branches: Vec<(SeatId, NewFrame)>,
        /// Whether all is applied at the join (else each branch as it commits).
        together: bool,
    },
    /// Run the procedures attached to a moment, then this one again.
    Moment(MomentId),
    /// This procedure is over.
    Done,
}

/// The bit of a seat; none for a seat that cannot be, so that asking it is a fault.
fn seat_bit(seat: SeatId) -> u32 {
    1u32.checked_shl(u32::from(seat.0)).unwrap_or(0)
}

impl Flow {
    /// Asks one seat.
    pub fn ask(seat: SeatId, prompt: WordId) -> Self {
        Self::Ask { seats: seat_bit(seat), prompt }
    }

    /// Asks any of several seats.
    pub fn ask_any(seats: &[SeatId], prompt: WordId) -> Self {
        Self::Ask { seats: seats.iter().fold(0, |bits, s| bits | seat_bit(*s)), prompt }
    }

    /// Runs the procedures of a moment, then this one again.
    pub fn moment(moment: MomentId) -> Self {
        Self::Moment(moment)
    }
}

/// A procedure about to begin.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{NewFrame, ProcRef};
/// # use field::Turn;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let turn: ProcRef<Turn> = ids.proc;
/// let frame: NewFrame = turn.with(Turn { begun: false });
/// assert_eq!(rulebook.frame(turn.id(), &[0]), Some(frame)); // the same by number and words
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct NewFrame {
    pub(crate) proc: ProcId,
    pub(crate) words: Words,
}

/// The name of a procedure that has locals `P`, given by [`RulebookBuilder::proc`](crate::RulebookBuilder::proc).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Flow;
/// use adjutant_kernel::flow::ProcRef;
/// # use field::Turn;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let turn: ProcRef<Turn> = ids.proc;
/// assert_eq!(rulebook.procedure_name(turn.id()), "turn");
/// assert!(matches!(turn.call(Turn { begun: true }), Flow::Call(_)));
/// ```
pub struct ProcRef<P>(pub(crate) ProcId, PhantomData<fn(P)>);

impl<P> Clone for ProcRef<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for ProcRef<P> {}

impl<P> std::fmt::Debug for ProcRef<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl<P> ProcRef<P> {
    pub(crate) fn new(id: ProcId) -> Self {
        Self(id, PhantomData)
    }

    /// The procedure's number.
    pub fn id(self) -> ProcId {
        self.0
    }
}

impl<P: Locals> ProcRef<P> {
    /// The procedure, about to begin with these locals.
    pub fn with(self, locals: P) -> NewFrame {
        let mut words = Words::new();
        locals.store(&mut words);
        NewFrame { proc: self.0, words }
    }

    /// Calls it.
    pub fn call(self, locals: P) -> Flow {
        Flow::Call(self.with(locals))
    }
}

/// A step machine: its locals are the fields of the struct that implements it.
///
/// `run` is called when the procedure begins, when one that it called is over, and after [`Flow::Again`]; `act`
/// when a seat that it asked has acted. `offers` lists what a seat may do; it sees what the seat's side may
/// know, and locals of a class that the side may not see are blank in it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Action, Cx, Flow, Halt, Offers, Procedure, RuleId, SeatId, Seen, SideId, WordId};
/// use adjutant_kernel::locals::Locals;
/// # use adjutant_kernel::flow::{self, Sink};
/// # use adjutant_kernel::{Worker, chance::Key};
/// struct Parley { seat: SeatId, other: SideId, question: WordId, answers: [WordId; 2], rule: RuleId }
/// #[derive(Locals)]
/// struct Ask {
///     answered: bool,
/// }
/// impl Procedure for Ask {
///     type Module = Parley;
///     fn run(&mut self, m: &Parley, _: &mut Cx<'_>) -> Result<Flow, Halt> {
///         Ok(if self.answered { Flow::Done } else { Flow::ask(m.seat, m.question) })
///     }
///     fn offers(&self, m: &Parley, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
///         m.answers.iter().for_each(|answer| out.add(Action::new(*answer)));
///     }
///     fn act(&mut self, m: &Parley, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
///         self.answered = true;
///         if action.verb == m.answers[0] {
///             cx.end_game(Some(m.other), m.rule)?; // it yields
///         }
///         Ok(Flow::Again)
///     }
/// }
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// # let answers = ["yield", "fight"].map(|word| builder.word(word));
/// # let parley = Parley { seat: ids.seats[0], other: ids.red, question: ids.orders, answers, rule: ids.rule };
/// # let ask = builder.proc("ask");
/// # builder.define(ask, &std::sync::Arc::new(parley));
/// # builder.opening(ask.with(Ask { answered: false }));
/// # let rulebook = builder.build().unwrap();
/// # let mut worker = Worker::new();
/// # let mut state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// # flow::act(&rulebook, &mut worker, &mut Sink::off(), &mut state, ids.seats[0], &Action::new(answers[0])).unwrap();
/// # assert_eq!(state.outcome().unwrap().winner, Some(ids.red));
/// ```
pub trait Procedure: Locals + 'static {
    /// The module that the procedure belongs to.
    type Module: Send + Sync + 'static;

    /// What stands in a sampled world in place of locals that the viewer may not see, so that a bot cannot peek at
    /// them. Play goes on from there: they are to be values with which the procedure can go on, and that agree with
    /// what everybody knows.
    const IMAGINE: Imagine<Self> = Imagine::Nothing;

    /// Whether the tests of what it offers take much longer than the list: whoever wants any one action draws it from what
    /// makes sense, and tests that alone ([`draw`](super::draw)).
    const DRAWN: bool = false;

    /// Goes on.
    ///
    /// # Errors
    /// [`Halt`] as the operations called answer, or a fault of its own.
    fn run(&mut self, module: &Self::Module, cx: &mut Cx<'_>) -> Result<Flow, Halt>;

    /// Lists what `seat` may do.
    fn offers(&self, module: &Self::Module, seen: &Seen<'_>, seat: SeatId, out: &mut Offers<'_>) {
        let _ = (module, seen, seat, out);
    }

    /// A seat that was asked has acted; the action is one that was offered.
    ///
    /// # Errors
    /// [`Halt`] as the operations called answer, or a fault of its own.
    fn act(
        &mut self,
        module: &Self::Module,
        cx: &mut Cx<'_>,
        seat: SeatId,
        action: &Action,
    ) -> Result<Flow, Halt> {
        let _ = (module, seat);
        Err(cx.fault(format!("nobody expected the action {action:?}")))
    }

    /// The side that locals of class owner belong to.
    fn owner(&self) -> Option<SideId> {
        None
    }

    /// Whether what the levels of places demand has been revealed whenever this procedure asks. A procedure in
    /// which a side rearranges its own pieces says no and settles when that side commits.
    fn settled(&self) -> bool {
        true
    }

    /// What a commit will show of decisions that others are not shown as they are made (how many bodies in
    /// each position, say). `None` when the decisions asked for here are no secret. The conformance suite uses
    /// it to match hidden decisions of twins.
    fn shape(&self, module: &Self::Module, seen: &Seen<'_>, seat: SeatId) -> Option<Vec<i32>> {
        let _ = (module, seen, seat);
        None
    }
}

/// A procedure as the rulebook keeps it.
pub(crate) trait AnyProcedure: Send + Sync {
    fn run(&self, cx: &mut Cx<'_>, words: &mut Words) -> Result<Flow, Halt>;
    fn act(&self, cx: &mut Cx<'_>, words: &mut Words, seat: SeatId, action: &Action) -> Result<Flow, Halt>;
    fn offers(&self, seen: &Seen<'_>, words: &[i32], seat: SeatId, out: &mut Offers<'_>)
    -> Result<(), Fault>;
    /// Whether one action is drawn before it is tested.
    fn drawn(&self) -> bool;
    /// The verdict on an action that was listed without one, where it can be found without the list.
    fn test(
        &self,
        seen: &Seen<'_>,
        words: &[i32],
        seat: SeatId,
        action: &Action,
    ) -> Result<Option<Verdict>, Fault> {
        let _ = (seen, words, seat, action);
        Ok(None)
    }
    fn owner(&self, words: &[i32]) -> Option<SideId>;
    fn shape(&self, seen: &Seen<'_>, words: &[i32], seat: SeatId) -> Option<Vec<i32>>;
    fn settled(&self, words: &[i32]) -> bool;
    /// How locals that a viewer may not see are imagined.
    fn imagines(&self) -> ScriptImagine;
    /// Sets them, if the procedure is to be asked; they are blank.
    fn imagine(&self, words: &mut Words, imagining: &mut Imagining<'_>) -> Result<(), Fault>;
    /// Whether the procedure can read these locals.
    fn check(&self, words: &[i32]) -> Result<(), BadLocal>;
    /// Where the step stands that these locals are at; of native code nobody asks.
    fn place(&self, host: &crate::worker::Host, words: &[i32]) -> Option<String> {
        let _ = (host, words);
        None
    }
}

pub(crate) struct Registered<P: Procedure>(pub(crate) Arc<P::Module>);

impl<P: Procedure> AnyProcedure for Registered<P> {
    fn run(&self, cx: &mut Cx<'_>, words: &mut Words) -> Result<Flow, Halt> {
        let mut locals = P::load(words).map_err(Fault::from)?;
        let flow = locals.run(&self.0, cx)?;
        words.clear();
        locals.store(words);
        Ok(flow)
    }

    fn act(&self, cx: &mut Cx<'_>, words: &mut Words, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        let mut locals = P::load(words).map_err(Fault::from)?;
        let flow = locals.act(&self.0, cx, seat, action)?;
        words.clear();
        locals.store(words);
        Ok(flow)
    }

    fn offers(
        &self,
        seen: &Seen<'_>,
        words: &[i32],
        seat: SeatId,
        out: &mut Offers<'_>,
    ) -> Result<(), Fault> {
        P::load(words).map_err(Fault::from)?.offers(&self.0, seen, seat, out);
        Ok(())
    }

    fn drawn(&self) -> bool {
        P::DRAWN
    }

    fn owner(&self, words: &[i32]) -> Option<SideId> {
        P::load(words).ok()?.owner()
    }

    fn shape(&self, seen: &Seen<'_>, words: &[i32], seat: SeatId) -> Option<Vec<i32>> {
        P::load(words).ok()?.shape(&self.0, seen, seat)
    }

    fn settled(&self, words: &[i32]) -> bool {
        P::load(words).is_ok_and(|locals| locals.settled())
    }

    fn imagines(&self) -> ScriptImagine {
        match P::IMAGINE {
            Imagine::Nothing => ScriptImagine::Nothing,
            Imagine::Drawn => ScriptImagine::Drawn,
            Imagine::Blank => ScriptImagine::Blank,
            Imagine::By(_) => ScriptImagine::Asked,
        }
    }

    fn imagine(&self, words: &mut Words, imagining: &mut Imagining<'_>) -> Result<(), Fault> {
        if let Imagine::By(set) = P::IMAGINE {
            let mut locals = P::load(words)?;
            set(&mut locals, &self.0, imagining);
            words.clear();
            locals.store(words);
        }
        Ok(())
    }

    fn check(&self, words: &[i32]) -> Result<(), BadLocal> {
        P::load(words).map(drop)
    }
}

/// A procedure with its name and the fields of its locals.
pub(crate) struct ProcDef {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    /// Whether all its locals are public.
    pub(crate) open: bool,
    /// `None` while the rulebook is being built.
    pub(crate) code: Option<Box<dyn AnyProcedure>>,
}

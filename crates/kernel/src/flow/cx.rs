//! What a procedure works with: the state, through operations only (invariant 1).

use smallvec::SmallVec;

use super::Halt;
use crate::error::Fault;
use crate::events::Emitted;
use crate::ids::*;
use crate::knowledge::{Audience, Common, Seen, Truth};
use crate::rulebook::Rulebook;
use crate::state::{Read, State};
use crate::worker::Scratch;

/// What an action did that cannot be taken back.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, Barrier, Sink};
/// # let Field { rulebook, mut state, mut worker, ids, .. } = Field::start();
/// # let mut offers = Vec::new();
/// # flow::offers(&rulebook, &worker, &state, ids.seats[0], &mut offers)?;
/// let mut sink = Sink::off();
/// flow::act(&rulebook, &mut worker, &mut sink, &mut state, ids.seats[0], &offers[0])?;
/// let (events, barrier) = sink.take();
/// assert!(events.is_empty()); // it is off
/// assert_eq!(barrier, Barrier::default()); // nothing was drawn or told: the seat may take it back
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Barrier {
    /// Something was drawn, released or committed that others notice: the draft is published.
    pub public: bool,
    /// Viewers of whom only they noticed a draw or release: it ends their undo and publishes nothing.
    pub private: Option<Audience>,
}

/// Where events go. Without one that is on, nothing is built.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, Sink};
/// # let Field { rulebook, mut state, mut worker, ids, .. } = Field::start();
/// # let mut offers = Vec::new();
/// # flow::offers(&rulebook, &worker, &state, ids.seats[0], &mut offers)?;
/// let mut sink = Sink::on();
/// flow::act(&rulebook, &mut worker, &mut sink, &mut state, ids.seats[0], &offers[0])?;
/// let (events, _) = sink.take();
/// assert!(events.iter().any(|event| event.shown(&rulebook, None).is_some_and(|shown| shown.event == "moved")));
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
#[derive(Debug, Default)]
pub struct Sink {
    pub(crate) on: bool,
    pub(crate) events: Vec<Emitted>,
    pub(crate) barrier: Barrier,
}

impl Sink {
    /// A sink that drops everything; barriers are still noted.
    pub fn off() -> Self {
        Self::default()
    }

    /// A sink that keeps events.
    pub fn on() -> Self {
        Self { on: true, ..Self::default() }
    }

    /// Takes what has come in.
    pub fn take(&mut self) -> (Vec<Emitted>, Barrier) {
        (std::mem::take(&mut self.events), std::mem::take(&mut self.barrier))
    }
}

/// The context of a procedure at work: reads of everything, and the operations that change the state.
///
/// The operations are grouped by concept in the modules under [`ops`](crate::ops). A procedure is lent a context for
/// each of its steps; in the examples `Field::where_first` is such a step of a [small game](crate).
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::ops::Dest;
/// use adjutant_kernel::{Cx, Halt, PlaceId};
/// # use adjutant_kernel::Read;
/// # use field::Ids;
/// fn march(ids: &Ids, cx: &mut Cx<'_>) -> Result<(), Halt> {
///     let horse = cx.read().body_of(ids.horse).ok_or_else(|| cx.fault("the horse has no body"))?;
///     cx.reveal(horse, ids.rule)?;
///     cx.move_group(ids.march, &[horse], Dest::NewStack(PlaceId(ids.ford.0)))?;
///     cx.add(ids.turn, (), 1)
/// }
/// let field = Field::where_first(march);
/// let read = Read::new(&field.rulebook, &field.state);
/// assert_eq!(read.body_of(field.ids.horse).and_then(|horse| read.space(horse)), Some(field.ids.ford));
/// assert_eq!(read.get(field.ids.turn, ()), 2);
/// ```
pub struct Cx<'a> {
    pub(crate) rb: &'a Rulebook,
    pub(crate) st: &'a mut State,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) sink: &'a mut Sink,
    /// The side whose branch of a fork is running: until it commits it writes only what its side owns.
    pub(crate) branch: Option<Option<SideId>>,
    pub(crate) joined: SmallVec<[(SeatId, super::NewFrame); 2]>,
    pub(crate) replaced: bool,
    /// Steps made since a seat acted.
    pub(crate) steps: u32,
    /// Branches are being begun: none is joined yet.
    pub(crate) forking: bool,
    /// A scenario is being laid out: what is open from the start is no story.
    pub(crate) laying_out: bool,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(
        rb: &'a Rulebook,
        st: &'a mut State,
        scratch: &'a mut Scratch,
        sink: &'a mut Sink,
    ) -> Self {
        Self {
            rb,
            st,
            scratch,
            sink,
            branch: None,
            joined: SmallVec::new(),
            replaced: false,
            steps: 0,
            forking: false,
            laying_out: false,
        }
    }

    /// The position, all of it.
    #[inline]
    pub fn read(&self) -> Read<'_> {
        Read { rb: self.rb, st: self.st }
    }

    /// The position as it is, for rules written over [`Sight`](crate::Sight).
    pub fn truth(&self) -> Truth<'_> {
        Truth(self.read())
    }

    /// What a side may know of the position.
    pub fn seen(&self, side: SideId) -> Seen<'_> {
        Seen::new(self.read(), Viewer::Side(side)).with_host(&self.scratch.host)
    }

    /// What everybody knows: ask, mix and draw by this.
    pub fn common(&self) -> Common<'_> {
        Common::new(self.read())
    }

    /// The rulebook.
    #[inline]
    pub fn rulebook(&self) -> &'a Rulebook {
        self.rb
    }

    /// The locals of the branches that have just been joined, by seat. Only the first run after a join has
    /// them.
    ///
    /// # Errors
    /// A fault when the seat has no branch with these locals.
    pub fn joined<P: crate::locals::Locals>(&self, proc: super::ProcRef<P>, seat: SeatId) -> Result<P, Halt> {
        let frame = self.joined.iter().find(|(s, frame)| *s == seat && frame.proc == proc.id());
        match frame {
            Some((_, frame)) => Ok(P::load(&frame.words).map_err(Fault::from)?),
            None => Err(self.fault(format!("seat {} has no such branch", self.rb.seat(seat).name))),
        }
    }

    /// Whether something attached to the moment that has just passed stands in for this step ("instead").
    /// Only the first run after the moment knows.
    pub fn replaced(&self) -> bool {
        self.replaced
    }

    /// A fault: something is wrong with the rules, not with what a player did.
    pub fn fault(&self, text: impl Into<String>) -> Halt {
        Halt::Fault(Fault::Rules { text: text.into() })
    }
}

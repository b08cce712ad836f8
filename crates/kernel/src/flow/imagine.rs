//! Locals in worlds that are imagined: what a viewer may not see of a frame is never the truth there.
//!
//! A procedure that keeps a secret says how others imagine it ([`Procedure::IMAGINE`]): only it knows which values
//! it can go on with. The builder refuses one that does not say.

use std::ops::Range;

use smallvec::SmallVec;

use super::{MOMENT, ProcDef, ProcRef, Procedure, SEQUENCE, Status};
use crate::chance;
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::Lent;
use crate::locals::{Field, FieldType, LocalClass, LocalType, Locals};
use crate::rulebook::Rulebook;
use crate::state::{Read, State};
use crate::worker::{Host, Worker};

/// How a viewer who may not see some of a procedure's locals imagines them; see [`Procedure::IMAGINE`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::{self, Imagine, Imagining, ScriptImagine, Sink};
/// use adjutant_kernel::locals::Locals;
/// use adjutant_kernel::{Action, Cx, Flow, Halt, Offers, Procedure, SeatId, Seen, Viewer, WordId};
/// # use adjutant_kernel::{Worker, chance::Key};
/// /// Somebody has laid an ambush of 1 to 6 men.
/// #[derive(Locals)]
/// struct Ambush {
///     #[local(class = "hidden")]
///     men: u8,
/// }
/// impl Procedure for Ambush {
///     type Module = (SeatId, WordId);
///     const IMAGINE: Imagine<Self> =
///         Imagine::By(|ambush, _, imagining: &mut Imagining<'_>| ambush.men = 1 + imagining.below(6) as u8);
///     fn run(&mut self, &(seat, walk): &Self::Module, _: &mut Cx<'_>) -> Result<Flow, Halt> {
///         Ok(Flow::ask(seat, walk))
///     }
///     fn offers(&self, &(_, walk): &Self::Module, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
///         out.add(Action::new(walk));
///     }
///     fn act(&mut self, _: &Self::Module, _: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
///         Ok(Flow::Done)
///     }
/// }
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// # let walk = builder.word("walk");
/// # let ambush = builder.proc("ambush");
/// # builder.define(ambush, &std::sync::Arc::new((ids.seats[0], walk)));
/// # builder.opening(ambush.with(Ambush { men: 5 }));
/// # let rulebook = builder.build().unwrap();
/// # let mut worker = Worker::new();
/// # let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// let mut world = state.clone();
/// flow::imagine(&rulebook, &worker, &mut world, Viewer::Public, &mut || 0)?;
/// assert!(world != state); // somebody waits, but who knows how many men
/// assert!(ScriptImagine::Nothing.suits(&[]).is_ok()); // there is nothing hidden
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
pub enum Imagine<P: Procedure> {
    /// Nothing is hidden: all locals are public. What is said by saying nothing; the builder refuses it for others.
    Nothing,
    /// Each flag is yes or no and each choice one of its values, all as likely. The builder refuses it for hidden
    /// locals of other types.
    Drawn,
    /// As if nothing were there yet: zero, no, the first choice, none, an empty list. Right for what a side has
    /// drafted so far: in an imagined world it begins anew.
    Blank,
    /// A function sets them. It finds what the viewer may not see blank, and all else as it is; what it does to that
    /// is dropped.
    By(fn(&mut P, &P::Module, &mut Imagining<'_>)),
}

/// [`Imagine`] for a procedure of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScriptImagine {
    /// As [`Imagine::Nothing`].
    #[default]
    Nothing,
    /// As [`Imagine::Drawn`].
    Drawn,
    /// As [`Imagine::Blank`].
    Blank,
    /// The script host is asked; see [`ScriptHost::imagine`](crate::worker::ScriptHost::imagine).
    Asked,
}

impl ScriptImagine {
    /// Whether it says enough for a procedure with these locals.
    ///
    /// # Errors
    /// What is wrong, to go on from the name of the procedure.
    pub fn suits(self, fields: &[Field]) -> Result<(), String> {
        let mut hidden = fields.iter().filter(|f| f.class != LocalClass::Public);
        match self {
            Self::Nothing => hidden.next().map_or(Ok(()), |field| {
                Err(format!(
                    "hides its local `{}` and does not say what others imagine in its place",
                    field.name
                ))
            }),
            Self::Drawn => hidden.find(|f| !f.ty.is_drawable()).map_or(Ok(()), |field| {
                let Field { name, ty, .. } = field;
                Err(format!("has its local `{name}` drawn, which is {ty}; flags and choices can be"))
            }),
            Self::Blank | Self::Asked => Ok(()),
        }
    }
}

/// Parts of locals, each with what it is.
type Hidden<'a> = SmallVec<[(&'a FieldType, Range<usize>); 4]>;

/// What a procedure that imagines its locals may look at, and its source of chance.
pub struct Imagining<'a> {
    /// The world imagined so far: pieces, places and columns, and the locals of the procedures further out. The
    /// procedure may look at all of it, for none of it need be true.
    pub read: Read<'a>,
    /// For whom.
    pub viewer: Viewer,
    parent: u16,
    host: &'a Host,
    random: &'a mut dyn FnMut() -> u64,
}

impl Imagining<'_> {
    /// A number from 0 to `n` - 1, each as likely.
    pub fn below(&mut self, n: u32) -> u32 {
        chance::below((self.random)(), n.max(1))
    }

    /// One of these, each as likely; `None` of nothing.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        list.get(self.below(list.len() as u32) as usize).copied()
    }

    /// The locals of the next procedure further out that is `proc`, imagined already: whence a procedure that was
    /// handed a secret takes it.
    pub fn outer<P: Locals>(&self, proc: ProcRef<P>) -> Option<P> {
        let (_, words) = self.outwards().find(|(id, _)| *id == proc.id())?;
        P::load(words).ok()
    }

    /// The procedure that called this one, and its locals as words; moments do not count.
    pub fn caller(&self) -> Option<(ProcId, &[i32])> {
        self.outwards().find(|(id, _)| *id != MOMENT && *id != SEQUENCE)
    }

    /// The position as it is lent to a script, all of it.
    pub fn lent(&self) -> Lent<'_> {
        Lent::new(self.read, None, self.host)
    }

    /// A uniformly random word.
    pub fn word(&mut self) -> u64 {
        (self.random)()
    }

    pub(super) fn host(&self) -> &Host {
        self.host
    }

    fn outwards(&self) -> impl Iterator<Item = (ProcId, &[i32])> {
        let frames = &self.read.st.frames;
        let first = frames.get(usize::from(self.parent));
        std::iter::successors(first, |frame| frames.get(usize::from(frame.parent)))
            .map(|frame| (frame.proc, frame.words.as_slice()))
    }
}

impl ProcDef {
    /// Where among the words of its locals, these, there is one or part of one that `viewer` may not see.
    pub(crate) fn hidden<'a>(&'a self, rb: &Rulebook, words: &[i32], viewer: Viewer) -> Hidden<'a> {
        let mut hidden = Hidden::new();
        if self.open {
            return hidden;
        }
        let owner = self.code.as_ref().and_then(|code| code.owner(words));
        let mut at = 0;
        for field in &self.fields {
            let from = at;
            at += usize::from(field.words);
            match (field.class, &field.ty) {
                (LocalClass::Public, _) => {}
                (LocalClass::Owner, _) if owner.is_some_and(|side| viewer == Viewer::Side(side)) => {}
                (LocalClass::Sides, FieldType::Array(each, _)) => {
                    let own = (from..at).step_by(each.words().max(1));
                    let others = rb.side_ids().zip(own).filter(|(side, _)| viewer != Viewer::Side(*side));
                    hidden.extend(others.map(|(_, from)| (&**each, from..from + each.words())));
                }
                (LocalClass::Owner | LocalClass::Sides | LocalClass::Hidden, ty) => {
                    hidden.push((ty, from..at));
                }
            }
        }
        hidden
    }
}

/// Puts imagined values in place of all locals that `viewer` may not see, outermost procedures first; the branches
/// of other seats are left alone, for those are decided anew. See [`Procedure::IMAGINE`].
///
/// `random` yields uniformly random words.
///
/// # Errors
/// A fault when a procedure cannot imagine its locals.
pub fn imagine(
    rb: &Rulebook,
    worker: &Worker,
    st: &mut State,
    viewer: Viewer,
    random: &mut dyn FnMut() -> u64,
) -> Result<(), Fault> {
    for at in 0..st.frames.len() {
        let apart = of_branch(st, at).is_some_and(|seat| rb.seat(seat).viewer() != Some(viewer));
        if st.frames[at].status != Status::Free && !apart {
            imagine_frame(rb, &worker.scratch.host, st, at, viewer, random)?;
        }
    }
    Ok(())
}

/// The seat in whose branch a frame is.
fn of_branch(st: &State, at: usize) -> Option<SeatId> {
    let frames = std::iter::successors(st.frames.get(at), |f| st.frames.get(usize::from(f.parent)));
    frames.into_iter().find_map(|frame| frame.branch)
}

/// Puts imagined values in place of the locals of one frame that `viewer` may not see.
pub(super) fn imagine_frame(
    rb: &Rulebook,
    host: &Host,
    st: &mut State,
    at: usize,
    viewer: Viewer,
    random: &mut dyn FnMut() -> u64,
) -> Result<(), Fault> {
    let frame = &mut st.frames[at];
    let (def, parent) = (&rb.procs[frame.proc.index()], frame.parent);
    if frame.words.is_empty() {
        return Ok(());
    }
    let hidden = def.hidden(rb, &frame.words, viewer);
    let Some(code) = def.code.as_ref().filter(|_| !hidden.is_empty()) else { return Ok(()) };
    let mut words = std::mem::take(&mut frame.words);
    for (ty, part) in &hidden {
        words[part.clone()].fill(0);
        if code.imagines() == ScriptImagine::Drawn {
            draw(ty, &mut words[part.clone()], random);
        }
        // Nor may what a branch began with tell anything, should it be begun anew.
        if let Some(fresh) = frame.fresh.get_mut(part.clone()) {
            fresh.fill(0);
        }
    }
    if code.imagines() == ScriptImagine::Asked {
        let mut set = words.clone();
        let mut imagining = Imagining { read: Read::new(rb, st), viewer, parent, host, random };
        code.imagine(&mut set, &mut imagining)?;
        for (_, part) in hidden {
            words[part.clone()].copy_from_slice(&set[part]);
        }
    }
    st.frames[at].words = words;
    Ok(())
}

fn draw(ty: &FieldType, words: &mut [i32], random: &mut dyn FnMut() -> u64) {
    match ty {
        FieldType::One(LocalType::Flag) => words[0] = chance::below(random(), 2) as i32,
        FieldType::Choice(names) => words[0] = chance::below(random(), names.len().max(1) as u32) as i32,
        FieldType::Array(inner, _) => {
            words.chunks_mut(inner.words().max(1)).for_each(|part| draw(inner, part, random));
        }
        // The builder lets none be drawn.
        FieldType::One(_) | FieldType::Option(_) | FieldType::List(..) => words.fill(0),
    }
}

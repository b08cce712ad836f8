//! Told answers: declared questions, their answers and their life.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Audience, Knowledge, Tri};
use crate::ids::*;
use crate::state::Read;

/// What a question is about.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::PlaceId;
/// use adjutant_kernel::Read;
/// use adjutant_kernel::knowledge::{About, Answer};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let read = Read::new(&rulebook, &state);
/// let stack: Vec<_> = read.bodies(ids.hill).collect();
/// let yes: Answer = 1;
/// assert_eq!(read.answer(ids.any_real, &About::Bodies, &stack), yes);
/// assert_eq!(read.answer(ids.any_real, &About::Place(PlaceId(ids.hill.0)), &stack[1..]), 0); // the dummy alone
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum About {
    /// A set of bodies, each named by its handle.
    Bodies,
    /// The bodies in a place, which is named instead of them.
    Place(PlaceId),
    /// Nothing but the question itself.
    Nothing,
}

/// An answer: for a yes-or-no question 1 or 0, else a number.
pub type Answer = i32;

/// How a question is answered.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Read;
/// use adjutant_kernel::knowledge::{About, QuestionKind};
/// # use adjutant_kernel::{PlaceId, Worker, chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let held = builder.question("held", QuestionKind::Occupied(ids.blue));
/// let on_hill = move |read: Read<'_>| read.bodies(ids.hill).count() as i32;
/// let count = builder.question("count", QuestionKind::Computed(Box::new(on_hill)));
/// # let rulebook = builder.build().unwrap();
/// # let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// let read = Read::new(&rulebook, &state);
/// assert_eq!(read.answer(held, &About::Place(PlaceId(ids.ford.0)), &[]), 0);
/// assert_eq!(read.answer(count, &About::Nothing, &[]), 2);
/// ```
pub enum QuestionKind {
    /// Is there a piece of this set among the bodies? A yes stands for every larger set.
    Any(PieceSetId),
    /// Does a body of this side stand in the place that the question is about? What was told is read with
    /// [`Sight::occupied`](super::Sight::occupied).
    Occupied(SideId),
    /// A number computed from the truth.
    Computed(Box<dyn Fn(Read<'_>) -> Answer + Send + Sync>),
}

/// A declared question.
///
/// ```
/// use adjutant_kernel::PieceSetId;
/// use adjutant_kernel::WordId;
/// use adjutant_kernel::knowledge::{QuestionDef, QuestionKind};
/// let def = QuestionDef { name: WordId(3), kind: QuestionKind::Any(PieceSetId(0)) };
/// assert!(matches!(def.kind, QuestionKind::Any(set) if set.index() == 0));
/// ```
pub struct QuestionDef {
    /// Its name in events, views and saves.
    pub name: WordId,
    /// How it is answered.
    pub kind: QuestionKind,
}

impl std::fmt::Debug for QuestionDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "question {:?}", self.name)
    }
}

/// An answer that was given and is still in force.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::knowledge::{About, Told};
/// use adjutant_kernel::ops::Telling;
/// use adjutant_kernel::{Audience, Read, Viewer};
/// let field = Field::where_first(|ids, cx| {
///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
///     let (audience, about) = (Audience::side(ids.red), About::Bodies);
///     let (question, lapse) = (ids.any_real, ids.dusk);
///     let answer = cx.tell(Telling { question, bodies: &stack, about, audience, rule: ids.rule, lapse })?;
///     assert_eq!(answer, 1);
///     Ok(())
/// });
/// let read = Read::new(&field.rulebook, &field.state);
/// let told: Vec<&Told> = read.told(Viewer::Side(field.ids.red)).collect();
/// assert_eq!((told[0].answer, told[0].lapse), (1, field.ids.dusk));
/// assert!(read.holds(told[0]) && read.told(Viewer::Public).next().is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The question.
    pub question: QuestionId,
    /// The bodies that it is about.
    pub bodies: SmallVec<[BodyId; 6]>,
    /// How viewers name what it is about.
    pub about: About,
    /// The answer given.
    pub answer: Answer,
    /// Who was told.
    pub audience: Audience,
    /// The moment at which it lapses.
    pub lapse: MomentId,
}

impl Read<'_> {
    /// The true answer to a question about `bodies`, which `about` names: 1 (yes) or 0 (no), but for a computed
    /// question, whose number it is. `Any` looks at the bodies and not at `about`; `Occupied` looks at the place
    /// in `about`, not at the bodies, and is 0 without a place. It is the truth: nobody is told by asking here.
    pub fn answer(&self, question: QuestionId, about: &About, bodies: &[BodyId]) -> Answer {
        match (&self.rb.question(question).kind, about) {
            (QuestionKind::Any(set), _) => Answer::from(bodies.iter().any(|&b| self.is(b, *set))),
            (QuestionKind::Occupied(side), About::Place(place)) => {
                Answer::from(self.bodies_of(*side, *place).next().is_some())
            }
            (QuestionKind::Occupied(_), About::Bodies | About::Nothing) => 0,
            (QuestionKind::Computed(compute), _) => compute(*self),
        }
    }

    /// Whether a told answer is (still) true.
    pub fn holds(&self, told: &Told) -> bool {
        self.answer(told.question, &told.about, &told.bodies) == told.answer
    }

    /// The told answers in force that a viewer was given, in the order of their telling.
    pub fn told(&self, viewer: Viewer) -> impl Iterator<Item = &Told> {
        self.st.knowledge.told.iter().filter(move |t| t.audience.has(viewer))
    }

    /// What told answers say of whether a body of `side` stands in `place`.
    pub(super) fn told_occupied(&self, viewer: Viewer, side: SideId, place: PlaceId) -> Tri {
        let about = About::Place(place);
        self.told(viewer)
            .find(|told| {
                let kind = &self.rb.question(told.question).kind;
                matches!(kind, QuestionKind::Occupied(s) if *s == side) && told.about == about
            })
            .map_or(Tri::Unknown, |told| Tri::from(told.answer != 0))
    }

    /// What told answers say of "is there one of `set` among `bodies`": a yes about a part of them is a yes, a
    /// no about all of them or more a no.
    pub(super) fn told_any(&self, viewer: Viewer, set: PieceSetId, bodies: &[BodyId]) -> Tri {
        for told in self.told(viewer) {
            if told.bodies.is_empty() {
                continue;
            }
            match (&self.rb.question(told.question).kind, told.answer) {
                (QuestionKind::Any(s), 1) if *s == set && told.bodies.iter().all(|b| bodies.contains(b)) => {
                    return Tri::Yes;
                }
                (QuestionKind::Any(s), 0) if *s == set && bodies.iter().all(|b| told.bodies.contains(b)) => {
                    return Tri::No;
                }
                _ => {}
            }
        }
        Tri::Unknown
    }
}

impl Knowledge {
    /// A told answer about some of a mixed set holds of all of it: nobody can say which they were.
    pub(crate) fn blur_told(&mut self, mixed: &[BodyId]) {
        for told in &mut self.told {
            let touched = told.bodies.iter().filter(|b| mixed.contains(b)).count();
            if touched == 0 || touched == mixed.len() {
                continue;
            }
            for &body in mixed {
                if !told.bodies.contains(&body) {
                    told.bodies.push(body);
                }
            }
        }
        // A no about a part says nothing of the whole.
        self.told.retain(|told| told.answer != 0 || !told.bodies.iter().any(|b| mixed.contains(b)));
    }
}

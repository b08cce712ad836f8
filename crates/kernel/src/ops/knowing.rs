//! What viewers learn and forget: the releases, and what blurs them (invariant 6).
//!
//! A release names its bodies by handle even where the level of their place hides handles (below the top of a
//! stack, say): what a release is about is what everybody can name, and nothing there was rearranged unseen.

use smallvec::SmallVec;

use crate::error::Fault;
use crate::events::{Arg, EventBuilder};
use crate::flow::{Cx, Halt};
use crate::ids::*;
use crate::knowledge::{About, Audience, QuestionKind, Seen, Sight as _, Told};
use crate::rulebook::{Column, Holder, Level};

/// A question to be answered to somebody; see [`Cx::tell`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::knowledge::About;
/// use adjutant_kernel::ops::Telling;
/// use adjutant_kernel::{Audience, Sight, Tri};
/// Field::where_first(|ids, cx| {
///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
///     assert_eq!(cx.seen(ids.red).any(ids.real, &stack), Tri::Unknown);
///     cx.tell(Telling {
///         question: ids.any_real,
///         bodies: &stack,
///         about: About::Bodies,
///         audience: Audience::side(ids.red),
///         rule: ids.rule,
///         lapse: ids.dusk,
///     })?;
///     assert_eq!(cx.seen(ids.red).any(ids.real, &stack), Tri::Yes);
///     assert_eq!(cx.seen(ids.red).is(stack[0], ids.real), Tri::Unknown); // one of them, but which?
///     cx.lapse(ids.dusk)?;
///     assert_eq!(cx.seen(ids.red).any(ids.real, &stack), Tri::Unknown);
///     Ok(())
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Telling<'a> {
    /// The question.
    pub question: QuestionId,
    /// The bodies that it is about, in the order in which they are named.
    pub bodies: &'a [BodyId],
    /// How they are named.
    pub about: About,
    /// Who is told.
    pub audience: Audience,
    /// The rule that tells it.
    pub rule: RuleId,
    /// The moment at which the answer lapses.
    pub lapse: MomentId,
}

impl Cx<'_> {
    fn note_release(&mut self, audience: Audience) {
        if audience.is_all() {
            self.sink.barrier.public = true;
        } else {
            let private = self.sink.barrier.private.unwrap_or(Audience::NOBODY);
            self.sink.barrier.private = Some(private.or(audience));
        }
    }

    fn learners(&self, body: BodyId, audience: Audience) -> SmallVec<[usize; 4]> {
        let side = self.read().side(body);
        self.rb
            .viewers()
            .filter(|&v| audience.has(v) && side.is_none_or(|s| v != Viewer::Side(s)))
            .map(|v| self.rb.viewer_index(v))
            .collect()
    }

    /// Turns a body face up: everybody learns which piece it is. What the rules do to a revealed body (a dummy
    /// goes) follows at once.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.reveal(horse, ids.rule)?;
    ///     assert!(cx.read().face_up(horse));
    ///     assert_eq!(cx.seen(ids.red).piece(horse), Some(ids.horse));
    ///     Ok(())
    /// });
    /// # use adjutant_kernel::Sight;
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch; whatever follows from the reveal.
    pub fn reveal(&mut self, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        self.reveal_with(body, rule, &[])
    }

    /// Reveals a body together with private values of its piece, which stay shown until it is turned down.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::rulebook::{Column, ColumnClass, ValueKind};
    /// use adjutant_kernel::{PieceId, Sight};
    /// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
    /// # let losses: Column<PieceId> = {
    /// #     let mut builder = Field::builder(|_, _| Ok(())).0;
    /// #     builder.column("losses", ValueKind::Int { min: 0, max: 3 }, 0, ColumnClass::Owner)
    /// # };
    /// let (mut builder, ids) = Field::builder(move |ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.set(losses, ids.horse, 2)?;
    ///     assert_eq!(cx.seen(ids.red).get(losses, ids.horse), None);
    ///     cx.reveal_with(horse, ids.rule, &[losses])?;
    ///     assert_eq!(cx.seen(ids.red).get(losses, ids.horse), Some(2));
    ///     Ok(())
    /// });
    /// # builder.column::<PieceId>("losses", ValueKind::Int { min: 0, max: 3 }, 0, ColumnClass::Owner);
    /// # let rulebook = builder.build().unwrap();
    /// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`Cx::reveal`].
    pub fn reveal_with(
        &mut self,
        body: BodyId,
        rule: RuleId,
        values: &[Column<PieceId>],
    ) -> Result<(), Halt> {
        self.guard_public("a reveal")?;
        self.note_release(Audience::ALL);
        let piece = self.read().piece(body);
        for viewer in self.learners(body, Audience::ALL) {
            self.st.knowledge.known(self.rb, viewer, body, piece);
        }
        let shown = &mut self.st.bodies[body.index()];
        shown.up = true;
        shown.bared |= !values.is_empty();
        let words = &self.rb.keywords;
        let (w_body, w_piece) = (words.body, words.piece);
        self.release(words.reveal, Audience::ALL, rule, |e| {
            e.about(w_body, Arg::KnownBody(body));
            e.answer(w_piece, Arg::Piece(piece));
            for &column in values {
                let value = e.read().get(column, piece);
                let name = e.word_of_column(column.id);
                e.answer(name, Arg::Number(value));
            }
        });
        for module in &self.rb.modules {
            module.revealed(self, body)?;
        }
        Ok(())
    }

    /// Shows everybody (or an audience) which piece a body is without turning it up.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::{Audience, Sight};
    /// Field::where_first(|ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.show(horse, Audience::side(ids.red), ids.rule)?;
    ///     assert_eq!(cx.seen(ids.red).piece(horse), Some(ids.horse));
    ///     assert!(!cx.read().face_up(horse) && cx.common().piece(horse).is_none());
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn show(&mut self, body: BodyId, audience: Audience, rule: RuleId) -> Result<(), Halt> {
        self.guard_public("a reveal")?;
        self.note_release(audience);
        let piece = self.read().piece(body);
        for viewer in self.learners(body, audience) {
            self.st.knowledge.known(self.rb, viewer, body, piece);
        }
        let words = &self.rb.keywords;
        let (w_body, w_piece) = (words.body, words.piece);
        self.release(words.reveal, audience, rule, |e| {
            e.about(w_body, Arg::KnownBody(body));
            e.answer(w_piece, Arg::Piece(piece));
        });
        Ok(())
    }

    /// Says of a body that it is of a declared set of pieces. To a viewer this is the same release as a
    /// reveal, with another answer.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::{Sight, Tri};
    /// Field::where_first(|ids, cx| {
    ///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
    ///     cx.narrow(stack[0], ids.real, ids.rule)?; // it is no dummy
    ///     assert_eq!(cx.seen(ids.red).is(stack[0], ids.real), Tri::Yes);
    ///     assert_eq!(cx.seen(ids.red).is(stack[1], ids.real), Tri::No); // so the other is
    ///     assert!(cx.narrow(stack[1], ids.real, ids.rule).is_err()); // which would not be true
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when it is not so, the game has ended, or in a branch.
    pub fn narrow(&mut self, body: BodyId, set: PieceSetId, rule: RuleId) -> Result<(), Halt> {
        self.guard_public("a narrowing")?;
        if !self.read().is(body, set) {
            let text = format!("narrowing to {} leaves out the truth", self.rb.piece_set(set).name);
            return Err(Fault::Knowledge { text }.into());
        }
        self.note_release(Audience::ALL);
        self.narrow_quietly(body, set, Audience::ALL);
        let words = &self.rb.keywords;
        let (w_body, w_is) = (words.body, words.is);
        self.release(words.narrow, Audience::ALL, rule, |e| {
            e.about(w_body, Arg::KnownBody(body));
            e.answer(w_is, Arg::Set(set));
        });
        Ok(())
    }

    fn narrow_quietly(&mut self, body: BodyId, set: PieceSetId, audience: Audience) {
        let mask = self.rb.deck_mask(set, body);
        for viewer in self.learners(body, audience) {
            self.st.knowledge.narrow_to(self.rb, viewer, body, mask);
        }
    }

    fn exclude_quietly(&mut self, body: BodyId, set: PieceSetId, audience: Audience) {
        let keep: SmallVec<[u64; 4]> = self.rb.deck_mask(set, body).iter().map(|m| !m).collect();
        for viewer in self.learners(body, audience) {
            self.st.knowledge.narrow_to(self.rb, viewer, body, &keep);
        }
    }

    /// Answers a declared question. A yes about several bodies stands until it lapses and counts for every
    /// larger set; a yes about one, or a no, narrows candidates for good.
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn tell(&mut self, telling: Telling<'_>) -> Result<i32, Halt> {
        self.guard_public("an answer")?;
        let Telling { question, bodies, audience, rule, .. } = telling;
        let answer = self.read().answer(question, &telling.about, bodies);
        self.note_release(audience);
        let words = &self.rb.keywords;
        let (w_question, w_about, w_answer) = (words.question, words.about, words.answer);
        let name = self.rb.question(question).name;
        let computed = matches!(self.rb.question(question).kind, QuestionKind::Computed(_));
        self.release(words.tell, audience, rule, |e| {
            e.about(w_question, Arg::Word(name));
            match &telling.about {
                About::Bodies => e.about(w_about, Arg::KnownBodies(SmallVec::from_slice(bodies))),
                About::Place(place) => e.about(w_about, Arg::Place(*place)),
                About::Nothing => {}
            }
            e.answer(w_answer, if computed { Arg::Number(answer) } else { Arg::Flag(answer != 0) });
        });
        match self.rb.question(question).kind {
            QuestionKind::Any(set) => match (answer, bodies) {
                (0, _) => bodies.iter().for_each(|&b| self.exclude_quietly(b, set, audience)),
                (_, [one]) => self.narrow_quietly(*one, set, audience),
                _ => self.keep_told(telling, answer),
            },
            QuestionKind::Occupied(_) => {
                let about = telling.about.clone();
                let same = |t: &Told| t.question == question && t.audience == audience && t.about == about;
                self.st.knowledge.told.retain(|t| !same(t));
                self.keep_told(telling, answer);
            }
            QuestionKind::Computed(_) => {
                self.st.knowledge.told.retain(|t| t.question != question || t.audience != audience);
                self.keep_told(telling, answer);
            }
        }
        Ok(answer)
    }

    fn keep_told(&mut self, telling: Telling<'_>, answer: i32) {
        if self.rb.mutant("fact_dropped") {
            return;
        }
        let Telling { question, bodies, about, audience, lapse, .. } = telling;
        let place = |about: &About| match about {
            About::Place(place) => Some(*place),
            About::Bodies | About::Nothing => None,
        };
        let same = |t: &Told| {
            t.question == question
                && t.answer == answer
                && t.audience == audience
                && (!bodies.is_empty() || place(&t.about) == place(&about))
                && t.bodies.len() == bodies.len()
                && bodies.iter().all(|b| t.bodies.contains(b))
        };
        if !self.st.knowledge.told.iter().any(same) {
            let bodies = SmallVec::from_slice(bodies);
            self.st.knowledge.told.push(Told { question, bodies, about, answer, audience, lapse });
        }
    }

    /// Publishes something that was decided in secret (orders, a bid), so that everybody learns it at once.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::events::{Arg, Shown};
    /// let field = Field::where_first(|ids, cx| {
    ///     cx.publish(ids.orders, ids.rule, |event| event.answer(ids.march, Arg::Flag(true)))
    /// });
    /// let event = field.events.last().unwrap().shown(&field.rulebook, None).unwrap();
    /// assert_eq!((event.event.as_str(), event.arg("march")), ("orders", Some(&Shown::Flag(true))));
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn publish(
        &mut self,
        name: WordId,
        rule: RuleId,
        build: impl FnOnce(&mut EventBuilder<'_>),
    ) -> Result<(), Halt> {
        self.guard_public("a release")?;
        self.note_release(Audience::ALL);
        self.release(name, Audience::ALL, rule, build);
        Ok(())
    }

    /// Told answers that lapse at a moment lapse.
    ///
    /// # Errors
    /// A fault when the game has ended.
    pub fn lapse(&mut self, moment: MomentId) -> Result<(), Halt> {
        self.guard()?;
        self.untell(|t| t.lapse == moment);
        Ok(())
    }

    /// Told answers about any of these bodies lapse (or, with `whole`, those about no others).
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::knowledge::About;
    /// use adjutant_kernel::ops::Telling;
    /// use adjutant_kernel::{Audience, Sight, Tri};
    /// Field::where_first(|ids, cx| {
    ///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
    ///     let (question, about, audience) = (ids.any_real, About::Bodies, Audience::ALL);
    ///     cx.tell(Telling { question, bodies: &stack, about, audience, rule: ids.rule, lapse: ids.dusk })?;
    ///     cx.lapse_about(&stack[..1], false)?; // one of them has marched off, say
    ///     assert_eq!(cx.common().any(ids.real, &stack), Tri::Unknown);
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended.
    pub fn lapse_about(&mut self, bodies: &[BodyId], whole: bool) -> Result<(), Halt> {
        self.guard()?;
        self.untell(|t| match whole {
            true => !t.bodies.is_empty() && t.bodies.iter().all(|b| bodies.contains(b)),
            false => t.bodies.iter().any(|b| bodies.contains(b)),
        });
        Ok(())
    }

    /// Told answers that `test` picks out are no longer in force; those who were given them have an event.
    fn untell(&mut self, test: impl Fn(&Told) -> bool) {
        let told = &mut self.st.knowledge.told;
        if !told.iter().any(&test) {
            return;
        }
        let gone: SmallVec<[(QuestionId, Audience); 4]> =
            told.iter().filter(|t| test(t)).map(|t| (t.question, t.audience)).collect();
        told.retain(|t| !test(t));
        let words = &self.rb.keywords;
        let key = words.question;
        for (question, audience) in gone {
            let name = self.rb.question(question).name;
            self.detail(words.lapsed, audience, |e| e.arg(key, Arg::Word(name)));
        }
    }

    /// A body leaves the sets of told answers (it was revealed and went).
    ///
    /// # Errors
    /// A fault when the game has ended.
    pub fn leave_told(&mut self, body: BodyId) -> Result<(), Halt> {
        self.guard()?;
        for told in &mut self.st.knowledge.told {
            told.bodies.retain(|b| *b != body);
        }
        Ok(())
    }

    /// Turns a body face down. Its values are hidden again; what is known stays known.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::Sight;
    /// Field::where_first(|ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.reveal(horse, ids.rule)?;
    ///     cx.conceal(horse)?;
    ///     assert!(!cx.read().face_up(horse));
    ///     assert_eq!(cx.seen(ids.red).piece(horse), Some(ids.horse)); // nobody forgets by that
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn conceal(&mut self, body: BodyId) -> Result<(), Halt> {
        self.guard_public("the face of a body")?;
        if !self.st.bodies[body.index()].up {
            return Ok(());
        }
        let words = &self.rb.keywords;
        let key = words.body;
        self.detail(words.concealed, Audience::ALL, |e| e.arg(key, Arg::Body(body)));
        let shown = &mut self.st.bodies[body.index()];
        (shown.up, shown.bared) = (false, false);
        #[cfg(feature = "mutants")]
        if self.rb.mutant("conceal_forgets") {
            for viewer in self.learners(body, Audience::ALL) {
                self.st.knowledge.forget(self.rb, viewer, body);
            }
        }
        Ok(())
    }

    /// Mixes bodies that their owner may rearrange unseen: everybody else gets new handles for them, and each
    /// may then be whatever any of them might have been. Which bodies are mixed must follow from what
    /// everybody knows.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::Sight;
    /// Field::where_first(|ids, cx| {
    ///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
    ///     cx.reveal(stack[0], ids.rule)?;
    ///     cx.conceal(stack[0])?;
    ///     cx.mix(&stack)?; // blue may have exchanged them
    ///     assert_eq!(cx.seen(ids.red).candidates(stack[0]).len(), 2);
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the bodies do not look alike, the game has ended, or in a branch.
    pub fn mix(&mut self, bodies: &[BodyId]) -> Result<(), Halt> {
        self.guard_public("a mix")?;
        let Some(&first) = bodies.first() else { return Ok(()) };
        if let Some(odd) = bodies.iter().find(|&&b| !self.look_alike(first, b)) {
            let name = |b: BodyId| self.read().piece_def(b).name.clone();
            let text = format!("{} and {} are mixed and do not look alike", name(first), name(*odd));
            return Err(Fault::Knowledge { text }.into());
        }
        let ordered = self.in_place_order(bodies);
        let owner = self.read().side(first);
        for viewer in self.rb.viewers().filter(|&v| owner.is_none_or(|s| v != Viewer::Side(s))) {
            let index = self.rb.viewer_index(viewer);
            if !self.rb.mutant("mix_keeps_candidates") {
                self.st.knowledge.unite(self.rb, index, &ordered);
            }
            if !self.rb.mutant("mix_keeps_handles") {
                let count = self.rb.pieces().len();
                for &body in &ordered {
                    let handle = self.st.knowledge.new_handle(self.rb, index);
                    self.st.knowledge.bodies[index * count + body.index()] = handle;
                }
            }
        }
        self.st.knowledge.blur_told(&ordered);
        let words = &self.rb.keywords;
        let key = words.number;
        self.detail(words.mixed, Audience::but(owner), |e| {
            e.arg(key, Arg::Number(ordered.len() as i32));
        });
        Ok(())
    }

    /// Mixes bodies as [`Cx::mix`] does, those among each other that look alike: what looks different stays what
    /// it was, for anybody can see which it is. For a mix of bodies that an umpire may have changed since they
    /// were made alike.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::Sight;
    /// Field::where_first(|ids, cx| {
    ///     let bodies = [ids.horse, ids.guns, ids.dummy].map(|piece| cx.read().body_of(piece).unwrap());
    ///     assert!(cx.mix(&bodies).is_err()); // anybody tells the guns from the others
    ///     cx.mix_alike(&bodies)?;
    ///     assert_eq!(cx.seen(ids.red).candidates(bodies[0]).len(), 2);
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended, or in a branch.
    pub fn mix_alike(&mut self, bodies: &[BodyId]) -> Result<(), Halt> {
        let mut left: SmallVec<[BodyId; 16]> = self.in_place_order(bodies);
        while let Some(&first) = left.first() {
            let (alike, others): (SmallVec<[BodyId; 16]>, _) =
                left.into_iter().partition(|&b| self.look_alike(first, b));
            left = others;
            self.mix(&alike)?;
        }
        Ok(())
    }

    /// Bodies in the order of their places and of the tree, which everybody sees; the order of their numbers
    /// would travel with the pieces.
    fn in_place_order(&self, bodies: &[BodyId]) -> SmallVec<[BodyId; 16]> {
        let read = self.read();
        if self.rb.mutant("handles_by_identity") {
            let mut list: SmallVec<[BodyId; 16]> = SmallVec::from_slice(bodies);
            list.sort_by_key(|&b| read.piece(b));
            return list;
        }
        let mut places: SmallVec<[PlaceId; 8]> = bodies.iter().filter_map(|&b| read.place(b)).collect();
        places.sort_unstable();
        places.dedup();
        places.iter().flat_map(|&p| read.bodies(p)).filter(|b| bodies.contains(b)).collect()
    }

    fn look_alike(&self, a: BodyId, b: BodyId) -> bool {
        let (x, y) = (&self.st.bodies[a.index()], &self.st.bodies[b.index()]);
        let read = self.read();
        x.up == y.up
            && x.facing == y.facing
            && self.rb.deck_of(a) == self.rb.deck_of(b)
            && self.rb.columns().iter().enumerate().all(|(n, def)| {
                def.holder != Holder::Body
                    || def.class != crate::rulebook::ColumnClass::Public
                    || (0..if def.by_side { self.rb.sides().len() as u8 } else { 1 }).all(|side| {
                        let column = ColumnId(n as u16);
                        read.cell(column, a.0, side) == read.cell(column, b.0, side)
                    })
            })
    }

    /// Reveals what the levels of a place demand: of each stack at level top the top body while it is face
    /// down, at level everything every body that is not known; side by side, in their order. Call it after
    /// whatever changed who stands there or on top; the driver checks that nobody forgot.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::PlaceId;
    /// Field::where_first(|ids, cx| {
    ///     cx.settle(PlaceId(ids.hill.0))?; // seen from their backs, in order: nothing is to be turned up
    ///     let top = cx.read().bodies(ids.hill).next().unwrap();
    ///     assert!(!cx.read().face_up(top));
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// As [`Cx::reveal`].
    pub fn settle(&mut self, place: PlaceId) -> Result<(), Halt> {
        while let Some((body, rule)) = self.unsettled(place) {
            self.reveal(body, rule)?;
        }
        Ok(())
    }

    /// A body that the levels of its place say must be revealed, and by which rule.
    pub(crate) fn unsettled(&self, place: PlaceId) -> Option<(BodyId, RuleId)> {
        let read = self.read();
        // Most places are empty, and all are looked at.
        read.bodies(place).next()?;
        if !self.rb.levels[place.index()].iter().any(|l| matches!(l.level, Level::Top | Level::Everything)) {
            return None;
        }
        // Side by side, whichever came first.
        let sides = self.rb.side_ids().map(Some).chain(std::iter::once(None));
        sides.flat_map(|side| read.bodies(place).filter(move |&b| read.side(b) == side)).find_map(|body| {
            self.rb.viewers().find_map(|viewer| {
                if read.side(body).is_some_and(|s| viewer == Viewer::Side(s)) {
                    return None;
                }
                let (level, rule) = read.body_level(viewer, body);
                let due = match level {
                    Level::Top => read.on_top(body) && !read.face_up(body),
                    Level::Everything => Seen::new(read, viewer).piece(body).is_none(),
                    Level::Nothing | Level::Number | Level::Order => false,
                };
                rule.filter(|_| due).map(|rule| (body, rule))
            })
        })
    }

    /// Checks what viewers know against the truth, and, with `settled`, that what levels demand was revealed.
    pub(crate) fn check_knowledge(&self, settled: bool) -> Result<(), Fault> {
        let read = self.read();
        for told in &self.st.knowledge.told {
            if !read.holds(told) {
                let name = self.rb.word(self.rb.question(told.question).name).to_owned();
                return Err(Fault::Knowledge { text: format!("the answer to `{name}` has changed") });
            }
        }
        for viewer in self.rb.viewers() {
            for n in 0..self.st.bodies.len() {
                let body = BodyId(n as u16);
                let piece = read.piece(body);
                if let Some(set) = self.st.knowledge.set(self.rb, viewer, body) {
                    let position = self.rb.deck_position(piece);
                    if set[position / 64] >> (position % 64) & 1 == 0 {
                        let text = format!("{} is no candidate of its own body", self.rb.piece(piece).name);
                        return Err(Fault::Knowledge { text });
                    }
                }
            }
        }
        for place in 0..if settled { self.rb.levels.len() } else { 0 } {
            if let Some((body, _)) = self.unsettled(PlaceId(place as u16)) {
                let text = format!("{} should have been revealed where it stands", read.piece_def(body).name);
                return Err(Fault::Knowledge { text });
            }
        }
        Ok(())
    }
}

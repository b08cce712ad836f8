//! Moving bodies and stacks. Every change of place goes through the placement check.

use smallvec::SmallVec;

use crate::error::Fault;
use crate::events::Arg;
use crate::flow::{Cx, Halt};
use crate::ids::*;
use crate::knowledge::{Audience, Seen, Sight as _};
use crate::rulebook::{Level, Placement};
use crate::state::{Owed, Position, Spot, Stack};

/// Where a group goes.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::PlaceId;
/// use adjutant_kernel::ops::Dest;
/// use adjutant_kernel::state::Position;
/// Field::where_first(|ids, cx| {
///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
///     let ford = PlaceId(ids.ford.0);
///     cx.move_group(ids.march, &stack[..1], Dest::NewStack(ford))?;
///     let at_ford = cx.read().stack(stack[0]).unwrap();
///     cx.move_group(ids.march, &stack[1..], Dest::Stack(at_ford, Position::Top))?;
///     assert_eq!(cx.read().bodies(at_ford).collect::<Vec<_>>(), [stack[1], stack[0]]);
///     cx.move_group(ids.march, &stack[..1], Dest::Place(ford, Position::Top))?; // out of the stack again
///     assert_eq!(cx.read().stack(stack[0]), None);
///     Ok(())
/// });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dest {
    /// Into a stack of its own, the newest of the place.
    NewStack(PlaceId),
    /// Into a stack, on top or below.
    Stack(StackId, Position),
    /// Loose in a place (not in a stack), first or last.
    Place(PlaceId, Position),
    /// Under the command of another body.
    Command(BodyId),
}

impl Cx<'_> {
    /// The placement check: whether `bodies` may come to stand in `to` for `cause`, as far as `side` may know.
    pub fn placement(
        &self,
        side: Option<SideId>,
        cause: WordId,
        bodies: &[BodyId],
        to: PlaceId,
    ) -> Placement {
        let viewer = side.map_or(Viewer::Public, Viewer::Side);
        Seen::new(self.read(), viewer).with_host(&self.scratch.host).placement(cause, bodies, to)
    }

    /// The same, or the fault of a script that it came to.
    fn checked(
        &self,
        side: Option<SideId>,
        cause: WordId,
        bodies: &[BodyId],
        to: PlaceId,
    ) -> Result<Placement, Halt> {
        if self.rb.modules.is_empty() {
            return Ok(Placement::Allowed);
        }
        let verdict = self.placement(side, cause, bodies, to);
        self.scratch.host.take_fault().map_or(Ok(verdict), |fault| Err(fault.into()))
    }

    /// Moves `bodies`, top first, to `dest` for `cause`. What the placement check forbids is not done: the
    /// answer says so. When they must go on, or displace others, they are moved, and the caller sees to it that
    /// those who may not stay leave: it is a fault if they are still there when the phase is over. Stacks left
    /// empty cease to be.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::ops::Dest;
    /// use adjutant_kernel::{PlaceId, Placement};
    /// Field::where_first(|ids, cx| {
    ///     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
    ///     let there = cx.move_group(ids.march, &stack, Dest::NewStack(PlaceId(ids.ford.0)))?;
    ///     assert_eq!(there, Placement::Allowed);
    ///     assert_eq!(cx.read().bodies_of(ids.blue, ids.ford).collect::<Vec<_>>(), stack); // top first, as before
    ///     assert_eq!(cx.read().stacks(ids.hill).count(), 0);
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended, in a branch, or when a body would come under its own command.
    pub fn move_group(&mut self, cause: WordId, bodies: &[BodyId], dest: Dest) -> Result<Placement, Halt> {
        self.place_group(cause, bodies, dest, false)
    }

    /// The same, of which only the owner has an event: a side arranges its pieces in a draft, and the procedure
    /// tells at its commit what shows. The order in which it did so would be seen otherwise.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::PlaceId;
    /// use adjutant_kernel::events::Shown;
    /// use adjutant_kernel::ops::Dest;
    /// let field = Field::where_first(|ids, cx| {
    ///     let dummy = cx.read().body_of(ids.dummy).unwrap();
    ///     cx.move_unseen(ids.march, &[dummy], Dest::NewStack(PlaceId(ids.ford.0)))?;
    ///     Ok(())
    /// });
    /// let told = |side| {
    ///     let viewer = Some(adjutant_kernel::Viewer::Side(side));
    ///     let march = Some(&Shown::Name("march".into()));
    ///     field.events.iter().filter_map(|e| e.shown(&field.rulebook, viewer)).any(|e| e.arg("cause") == march)
    /// };
    /// assert!(told(field.ids.blue) && !told(field.ids.red));
    /// ```
    ///
    /// # Errors
    /// As [`Cx::move_group`].
    pub fn move_unseen(&mut self, cause: WordId, bodies: &[BodyId], dest: Dest) -> Result<Placement, Halt> {
        self.place_group(cause, bodies, dest, true)
    }

    fn place_group(
        &mut self,
        cause: WordId,
        bodies: &[BodyId],
        dest: Dest,
        unseen: bool,
    ) -> Result<Placement, Halt> {
        self.guard_public("the place of a body")?;
        let Some(&first) = bodies.first() else { return Ok(Placement::Allowed) };
        let side = self.read().side(first);
        let Some(to) = self.dest_place(dest) else { return Err(self.fault("that place is nowhere")) };
        self.check_group(bodies, dest)?;
        let entering = bodies.iter().any(|&b| self.read().place(b) != Some(to));
        let verdict = if entering { self.checked(side, cause, bodies, to)? } else { Placement::Allowed };
        if verdict.forbidden().is_some() {
            return Ok(verdict);
        }
        let before = self.sink.on.then(|| self.note_before(bodies));
        match dest {
            Dest::NewStack(place) => {
                let Some(side) = side else { return Err(self.fault("a piece of no side is in no stack")) };
                let stack = self.open_stack(side, place);
                self.hang(bodies, Spot::Stack(stack), Position::Bottom)?;
            }
            Dest::Stack(stack, position) => self.hang(bodies, Spot::Stack(stack), position)?,
            Dest::Place(place, position) => self.hang(bodies, Spot::Place(place), position)?,
            Dest::Command(leader) => self.hang(bodies, Spot::Body(leader), Position::Bottom)?,
        }
        self.owe(&verdict, bodies, to);
        if let Some(before) = before.filter(|_| entering) {
            self.emit_moved(cause, bodies, &before, to, side.filter(|_| unseen));
        }
        Ok(verdict)
    }

    /// Remembers who may not stay after a placement.
    #[inline]
    fn owe(&mut self, verdict: &Placement, bodies: &[BodyId], place: PlaceId) {
        if *verdict != Placement::Allowed {
            self.owe_leaving(verdict, bodies, place);
        }
    }

    #[cold]
    fn owe_leaving(&mut self, verdict: &Placement, bodies: &[BodyId], place: PlaceId) {
        let (bodies, rule) = match verdict {
            Placement::MustGoOn(rule) => (bodies, *rule),
            Placement::Displaces(others, rule) => (others.as_slice(), *rule),
            Placement::Allowed | Placement::Forbidden(_) => return,
        };
        let mut bodies: SmallVec<[BodyId; 4]> = SmallVec::from_slice(bodies);
        bodies.retain(|b| self.read().place(*b) == Some(place));
        if !bodies.is_empty() {
            self.st.owed.push(Owed { bodies, place, rule });
        }
    }

    /// Bodies that have left the place where they might not stay are out of debt.
    #[inline]
    fn forget_owed(&mut self) {
        if !self.st.owed.is_empty() {
            self.forget_who_left();
        }
    }

    #[cold]
    fn forget_who_left(&mut self) {
        let mut owed = std::mem::take(&mut self.st.owed);
        for one in &mut owed {
            one.bodies.retain(|b| self.read().place(*b) == Some(one.place));
        }
        owed.retain(|one| !one.bodies.is_empty());
        self.st.owed = owed;
    }

    /// Whether all that may not stay have left.
    pub(crate) fn check_owed(&self) -> Result<(), Fault> {
        let Some(owed) = self.st.owed.first() else { return Ok(()) };
        let names: Vec<&str> = owed.bodies.iter().map(|&b| self.read().piece_def(b).name.as_str()).collect();
        Err(Fault::Unfinished {
            pieces: names.join(", "),
            place: self.rb.board().place_name(owed.place).to_owned(),
            rule: self.rb.rule(owed.rule).to_owned(),
        })
    }

    /// A body moves once, and a stack is of one side.
    fn check_group(&self, bodies: &[BodyId], dest: Dest) -> Result<(), Halt> {
        let read = self.read();
        if bodies.iter().enumerate().any(|(n, body)| bodies[..n].contains(body)) {
            return Err(self.fault("a body is moved twice at once"));
        }
        let owner = match dest {
            Dest::NewStack(_) => bodies.first().and_then(|&b| read.side(b)),
            Dest::Stack(stack, _) if read.stack_exists(stack) => Some(read.stack_side(stack)),
            Dest::Stack(..) => return Err(self.fault("that stack is no more")),
            Dest::Command(leader) if leader.index() >= read.st.bodies.len() => {
                return Err(self.fault("there is no such leader"));
            }
            Dest::Place(..) | Dest::Command(_) => return Ok(()),
        };
        match bodies.iter().find(|&&b| read.side(b) != owner) {
            Some(&body) => {
                Err(self.fault(format!("{} is not of the side of the stack", read.piece_def(body).name)))
            }
            None => Ok(()),
        }
    }

    /// Moves a whole stack to a place, where it is the newest.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::PlaceId;
    /// Field::where_first(|ids, cx| {
    ///     let stack = cx.read().stacks_of(ids.blue, ids.hill).next().unwrap();
    ///     cx.move_stack(ids.march, stack, PlaceId(ids.ford.0))?;
    ///     assert_eq!(cx.read().stack_space(stack), Some(ids.ford));
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// As [`Cx::move_group`].
    pub fn move_stack(&mut self, cause: WordId, stack: StackId, to: PlaceId) -> Result<Placement, Halt> {
        self.guard_public("the place of a stack")?;
        let bodies: SmallVec<[BodyId; 8]> = self.read().bodies(stack).collect();
        let side = self.read().stack_side(stack);
        let verdict = self.checked(Some(side), cause, &bodies, to)?;
        if verdict.forbidden().is_some() {
            return Ok(verdict);
        }
        let before = self.sink.on.then(|| self.note_before(&bodies));
        let (node, parent) = (self.st.tree.node(Spot::Stack(stack)), self.st.tree.node(Spot::Place(to)));
        self.st.tree.attach(node, parent, Position::Bottom);
        self.forget_owed();
        self.owe(&verdict, &bodies, to);
        if let Some(before) = before {
            self.emit_moved(cause, &bodies, &before, to, None);
        }
        Ok(verdict)
    }

    /// Puts a body on top of the stack that it is in. Only its owner notices.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let dummy = cx.read().body_of(ids.dummy).unwrap();
    ///     cx.raise(dummy)?;
    ///     assert_eq!(cx.read().bodies(ids.hill).next(), Some(dummy));
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended, or in a branch of another side.
    pub fn raise(&mut self, body: BodyId) -> Result<(), Halt> {
        let side = self.read().side(body);
        self.guard_owned(side, "the order of a stack")?;
        if let Some(stack) = self.read().stack(body) {
            let (node, parent) = (self.st.tree.node(Spot::Body(body)), self.st.tree.node(Spot::Stack(stack)));
            self.st.tree.attach(node, parent, Position::Top);
            let words = &self.rb.keywords;
            let audience = if self.rb.mutant("raise_event") {
                Audience::ALL
            } else {
                side.map_or(Audience::ALL, Audience::side)
            };
            let key = words.body;
            self.detail(words.raised, audience, |e| e.arg(key, Arg::Body(body)));
        }
        Ok(())
    }

    /// Joins all stacks of a side in a place into the oldest, in their order; gives that stack.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::PlaceId;
    /// use adjutant_kernel::ops::Dest;
    /// Field::where_first(|ids, cx| {
    ///     let hill = PlaceId(ids.hill.0);
    ///     let dummy = cx.read().body_of(ids.dummy).unwrap();
    ///     cx.move_group(ids.march, &[dummy], Dest::NewStack(hill))?;
    ///     assert_eq!(cx.read().stacks(ids.hill).count(), 2);
    ///     let joined = cx.join_stacks(ids.blue, hill)?.unwrap();
    ///     assert_eq!((cx.read().stacks(ids.hill).count(), cx.read().bodies(joined).count()), (1, 2));
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn join_stacks(&mut self, side: SideId, place: PlaceId) -> Result<Option<StackId>, Halt> {
        self.guard_public("a stack")?;
        let stacks: SmallVec<[StackId; 4]> = self.read().stacks_of(side, place).collect();
        let Some((&oldest, rest)) = stacks.split_first() else { return Ok(None) };
        if rest.is_empty() {
            return Ok(Some(oldest));
        }
        let seers = stacks.iter().fold(Audience::NOBODY, |a, &stack| a.or(self.stack_seers(stack)));
        for &stack in rest {
            let bodies: SmallVec<[BodyId; 8]> = self.read().loose(stack).collect();
            self.hang(&bodies, Spot::Stack(oldest), Position::Bottom)?;
        }
        let words = &self.rb.keywords;
        let (w_side, w_at, w_stack) = (words.side, words.at, words.stack);
        self.detail(words.joined, seers, |e| {
            e.arg(w_side, Arg::Side(side));
            e.arg(w_at, Arg::Place(place));
            e.arg(w_stack, Arg::Stack(oldest));
        });
        Ok(Some(oldest))
    }

    /// The viewers who see that a stack is there.
    fn stack_seers(&self, stack: StackId) -> Audience {
        let read = self.read();
        let top = read.loose(stack).next();
        let sees = |v: &Viewer| top.is_some_and(|top| read.shows_handle(*v, top));
        self.rb.viewers().filter(sees).fold(Audience::NOBODY, |a, v| a.or(Audience::viewer(v)))
    }

    /// Gives a stack new handles, for all but its owner, as a mix does to bodies. They are shown the new one, and
    /// where it is.
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn renew_stack(&mut self, stack: StackId) -> Result<(), Halt> {
        self.guard_public("a stack")?;
        let side = self.read().stack_side(stack);
        self.st.knowledge.renew_stack(self.rb, stack, Some(Viewer::Side(side)));
        let Some(place) = self.read().stack_place(stack) else { return Ok(()) };
        let seers = self.stack_seers(stack).and(Audience::but(Some(side)));
        let words = &self.rb.keywords;
        let (w_side, w_at, w_stack) = (words.side, words.at, words.stack);
        self.detail(words.renewed, seers, |e| {
            e.arg(w_side, Arg::Side(side));
            e.arg(w_at, Arg::Place(place));
            e.arg(w_stack, Arg::Stack(stack));
        });
        Ok(())
    }

    /// Turns a body to face a direction of its grid.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let guns = cx.read().body_of(ids.guns).unwrap();
    ///     cx.face(guns, 3)?;
    ///     assert_eq!(cx.read().facing(guns), 3);
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn face(&mut self, body: BodyId, facing: u8) -> Result<(), Halt> {
        self.guard_public("the facing of a body")?;
        self.st.bodies[body.index()].facing = facing;
        let words = &self.rb.keywords;
        let (w_body, w_value) = (words.body, words.value);
        let read = self.read();
        let seers = self.rb.viewers().filter(|&v| read.shows_handle(v, body));
        let audience = seers.fold(Audience::NOBODY, |a, v| a.or(Audience::viewer(v)));
        self.detail(words.faced, audience, |e| {
            e.arg(w_body, Arg::Body(body));
            e.arg(w_value, Arg::Number(i32::from(facing)));
        });
        Ok(())
    }

    fn dest_place(&self, dest: Dest) -> Option<PlaceId> {
        match dest {
            Dest::NewStack(place) | Dest::Place(place, _) => Some(place),
            Dest::Stack(stack, _) => self.read().stack_place(stack),
            Dest::Command(leader) => self.read().place(leader),
        }
    }

    pub(crate) fn open_stack(&mut self, side: SideId, place: PlaceId) -> StackId {
        let stacks = &self.st.stacks;
        let stack = self.st.tree.new_stack(|s| !stacks.get(s.index()).is_some_and(|s| s.used));
        if stack.index() == self.st.stacks.len() {
            self.st.stacks.push(Stack { side, used: true });
        } else {
            self.st.stacks[stack.index()] = Stack { side, used: true };
        }
        self.st.knowledge.renew_stack(self.rb, stack, None);
        let (node, parent) = (self.st.tree.node(Spot::Stack(stack)), self.st.tree.node(Spot::Place(place)));
        self.st.tree.attach(node, parent, Position::Bottom);
        stack
    }

    /// Hangs bodies, first one uppermost, on a spot, and closes the stacks that this leaves empty.
    pub(crate) fn hang(&mut self, bodies: &[BodyId], spot: Spot, position: Position) -> Result<(), Halt> {
        let parent = self.st.tree.node(spot);
        let one = |cx: &mut Self, body: BodyId| -> Result<(), Halt> {
            let node = cx.st.tree.node(Spot::Body(body));
            if matches!(spot, Spot::Body(_)) && cx.st.tree.below(parent, node) {
                return Err(Fault::Rules { text: "a body cannot be under its own command".into() }.into());
            }
            let from = cx.st.tree.parent(node);
            cx.st.tree.attach(node, parent, position);
            if let Some(from) = from {
                cx.close_if_empty(from);
            }
            Ok(())
        };
        match position {
            Position::Bottom => bodies.iter().try_for_each(|&b| one(self, b))?,
            Position::Top => bodies.iter().rev().try_for_each(|&b| one(self, b))?,
        }
        self.forget_owed();
        Ok(())
    }

    #[inline]
    fn close_if_empty(&mut self, node: crate::state::Node) {
        if let Some(stack) = self.st.tree.stack(node)
            && self.st.tree.first(node).is_none()
        {
            self.st.tree.detach(node);
            self.st.stacks[stack.index()].used = false;
        }
    }

    /// For each body, who sees its handle before it moves.
    fn note_before(&self, bodies: &[BodyId]) -> Vec<(Audience, Option<PlaceId>)> {
        let read = self.read();
        bodies
            .iter()
            .map(|&body| {
                let seers = self.rb.viewers().filter(|&v| read.shows_handle(v, body));
                (seers.fold(Audience::NOBODY, |a, v| a.or(Audience::viewer(v))), read.place(body))
            })
            .collect()
    }

    /// The kernel's own event of a move: for each viewer the handles that it saw before and sees after, else the
    /// number, else nothing. That a piece is known says nothing of where it goes unseen.
    fn emit_moved(
        &mut self,
        cause: WordId,
        bodies: &[BodyId],
        before: &[(Audience, Option<PlaceId>)],
        to: PlaceId,
        only: Option<SideId>,
    ) {
        let words = &self.rb.keywords;
        let (w_cause, w_bodies, w_number, w_from, w_to) =
            (words.cause, words.bodies, words.number, words.from, words.to);
        let origin = before.first().and_then(|(_, from)| *from);
        self.detail_to(words.moved, None, |e| {
            e.arg(w_cause, Arg::Word(cause));
            e.arg(w_bodies, Arg::KnownBodies(SmallVec::from_slice(bodies)));
            if let Some(from) = origin {
                e.arg(w_from, Arg::Place(from));
            }
            e.arg(w_to, Arg::Place(to));
        });
        let shown = |viewer: &Viewer| only.is_none_or(|side| *viewer == Viewer::Side(side));
        for viewer in self.rb.viewers().filter(shown) {
            let read = self.read();
            let mut handles: SmallVec<[BodyId; 8]> = SmallVec::new();
            let mut number = 0;
            for (&body, (seers, _)) in bodies.iter().zip(before) {
                let level = read.body_level(viewer, body).0;
                if seers.has(viewer) && read.shows_handle(viewer, body) {
                    handles.push(body);
                } else if level != Level::Nothing {
                    number += 1;
                }
            }
            let from = before.first().and_then(|(seers, from)| from.filter(|_| seers.has(viewer)));
            if handles.is_empty() && number == 0 {
                continue;
            }
            let to_shown =
                number > 0 || handles.iter().any(|&b| read.body_level(viewer, b).0 != Level::Nothing);
            self.detail_to(words.moved, Some(viewer), |e| {
                e.arg(w_cause, Arg::Word(cause));
                if !handles.is_empty() {
                    e.arg(w_bodies, Arg::KnownBodies(handles.clone()));
                }
                if number > 0 {
                    e.arg(w_number, Arg::Number(number));
                }
                if let Some(from) = from.filter(|_| !handles.is_empty()) {
                    e.arg(w_from, Arg::Place(from));
                }
                if to_shown {
                    e.arg(w_to, Arg::Place(to));
                }
            });
        }
    }
}

impl Seen<'_> {
    /// The placement check: whether `bodies` may come to stand in `to` for `cause`, as far as the viewer may
    /// know. Of the answers of all modules the strictest counts.
    pub fn placement(&self, cause: WordId, bodies: &[BodyId], to: PlaceId) -> Placement {
        self.rulebook()
            .modules
            .iter()
            .fold(Placement::Allowed, |so_far, m| so_far.stricter(m.placement(self, cause, bodies, to)))
    }
}

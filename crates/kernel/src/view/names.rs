//! Names: every id rendered for a viewer, and read back.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::chance::Key;
use crate::decisions::{Action, Target};
use crate::events::{Arg, Shown, ShownBody};
use crate::handles::HandleCipher;
use crate::ids::*;
use crate::knowledge::{Seen, Sight as _};
use crate::rulebook::{Holder, Rulebook};
use crate::state::{Read, Spot};

/// Stream numbers of the handle ciphers begin here; draws use the streams below.
const FIRST_STREAM: u64 = 1 << 32;

/// The handle ciphers of a state, one a viewer. A cache: it may be dropped at any time.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::view::Ciphers;
/// # let Field { rulebook, state, .. } = Field::start();
/// let mut cache = Ciphers::default(); // kept by whoever shows states, and made anew for another key
/// assert_eq!(state.ciphers(&rulebook, &mut cache).len(), 3); // blue, red and the public
/// ```
#[derive(Clone, Default)]
pub struct Ciphers {
    key: Option<Key>,
    ciphers: Arc<[HandleCipher]>,
}

impl Ciphers {
    /// The ciphers for a key, made anew when it is another one.
    pub fn get(&mut self, rb: &Rulebook, key: &Key) -> &[HandleCipher] {
        if self.key.as_ref() != Some(key) || self.ciphers.len() != rb.viewer_count() {
            self.key = Some(key.clone());
            self.ciphers = (0..rb.viewer_count() as u64)
                .map(|v| HandleCipher::with_first_length(key, FIRST_STREAM + v, rb.first_handle))
                .collect();
        }
        &self.ciphers
    }
}

/// Something that an action is about, as a viewer names it. Without a viewer (in the journal, for the umpire)
/// bodies are named by their piece and stacks by the piece on top.
///
/// ```
/// use adjutant_kernel::view::ShownTarget;
/// assert_eq!(ShownTarget::Place("Ford".into()).to_string(), "Ford");
/// assert_eq!(ShownTarget::Stack("bcdf".into()).to_string(), "/bcdf"); // as the journal tells it from a body
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownTarget {
    /// A body.
    Body(String),
    /// A stack.
    Stack(String),
    /// A place.
    Place(String),
    /// A link.
    Link(String),
    /// A number.
    Number(i16),
    /// A choice.
    Choice(String),
    /// A piece.
    Piece(String),
    /// A side.
    Side(String),
}

impl std::fmt::Display for ShownTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Stack(name) => write!(f, "/{name}"),
            Self::Body(name)
            | Self::Place(name)
            | Self::Link(name)
            | Self::Choice(name)
            | Self::Piece(name)
            | Self::Side(name) => f.write_str(name),
        }
    }
}

/// An action as a viewer names it.
///
/// ```
/// use adjutant_kernel::view::{ShownAction, ShownTarget};
/// let targets = vec![ShownTarget::Body("bcdf".into()), ShownTarget::Place("ford".into())];
/// assert_eq!(ShownAction { verb: "march".into(), targets }.to_string(), "march bcdf ford");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ShownAction {
    /// What is done.
    pub verb: String,
    /// To what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<ShownTarget>,
}

impl std::fmt::Display for ShownAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.verb)?;
        self.targets.iter().try_for_each(|t| write!(f, " {t}"))
    }
}

/// Renders ids for viewers, by one state.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::view::{Ciphers, Names};
/// use adjutant_kernel::{Action, Read, Viewer};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let read = Read::new(&rulebook, &state);
/// let mut cache = Ciphers::default();
/// let names = Names::new(state.ciphers(&rulebook, &mut cache), read);
/// let march = Action::new(ids.march).on(read.body_of(ids.horse).unwrap()).on(ids.ford);
/// assert_eq!(names.action(None, &march).to_string(), "march Horse ford"); // as the umpire is shown it
/// let blue = Some(Viewer::Side(ids.blue));
/// let shown = names.offer(blue, &march).unwrap();
/// assert_eq!(names.read_action(blue, &shown), Ok(march));
/// assert!(names.read_action(Some(Viewer::Side(ids.red)), &shown).is_err()); // red has other handles
/// ```
#[derive(Clone, Copy)]
pub struct Names<'a> {
    ciphers: &'a [HandleCipher],
    pub(super) read: Read<'a>,
}

impl<'a> Names<'a> {
    /// Names by a state, with the ciphers of its key.
    pub fn new(ciphers: &'a [HandleCipher], read: Read<'a>) -> Self {
        Self { ciphers, read }
    }

    fn letters(&self, viewer: Viewer, number: u32) -> String {
        self.ciphers[self.read.rb.viewer_index(viewer)].letters(number).to_string()
    }

    /// The handle of a body for a viewer, whether or not it sees it now; for the umpire the piece's name.
    pub(super) fn handle(&self, viewer: Option<Viewer>, body: BodyId) -> String {
        match viewer {
            Some(viewer) => self.letters(viewer, self.read.st.knowledge.handle(self.read.rb, viewer, body)),
            None => self.read.piece_def(body).name.clone(),
        }
    }

    /// The handle of a stack for a viewer; for the umpire the name of the piece on top.
    pub(super) fn stack_handle(&self, viewer: Option<Viewer>, stack: StackId) -> String {
        match viewer {
            Some(viewer) => {
                self.letters(viewer, self.read.st.knowledge.stack_handle(self.read.rb, viewer, stack))
            }
            None => match self.read.loose(stack).next() {
                Some(top) => self.read.piece_def(top).name.clone(),
                None => "empty".to_owned(),
            },
        }
    }

    /// The handle of a body for a viewer, whether or not it sees it now: to test that it means nothing to one
    /// who does not.
    pub fn any_handle(&self, viewer: Option<Viewer>, body: BodyId) -> String {
        self.handle(viewer, body)
    }

    /// A body as a viewer sees it; `None` when it does not see its handle.
    pub fn body(&self, viewer: Option<Viewer>, body: BodyId) -> Option<String> {
        let seen = viewer.is_none_or(|v| self.read.shows_handle(v, body));
        seen.then(|| self.handle(viewer, body))
    }

    /// A stack as a viewer sees it; `None` when it does not see that it is there.
    pub fn stack(&self, viewer: Option<Viewer>, stack: StackId) -> Option<String> {
        let top = self.read.loose(stack).next()?;
        let seen = viewer.is_none_or(|v| self.read.shows_handle(v, top));
        seen.then(|| self.stack_handle(viewer, stack))
    }

    /// A body as a viewer is shown it, by its handle and, if the viewer knows, the piece that it is; `None` when
    /// the viewer does not see it.
    pub(super) fn shown_body(&self, viewer: Option<Viewer>, body: BodyId) -> Option<ShownBody> {
        self.body(viewer, body).map(|handle| ShownBody { handle, piece: self.piece(viewer, body) })
    }

    /// The piece that a body is, if the viewer knows.
    fn piece(&self, viewer: Option<Viewer>, body: BodyId) -> Option<String> {
        let piece = Seen::new(self.read, viewer?).piece(body)?;
        Some(self.read.rb.piece(piece).name.clone())
    }

    /// What a release is about, as a viewer is shown it: bodies by their handles alone, which are the same whatever
    /// is answered.
    pub(crate) fn about(&self, viewer: Option<Viewer>, arg: &Arg) -> Option<Shown> {
        let bare = |shown| match shown {
            Shown::Body(body) => Shown::Body(ShownBody { piece: None, ..body }),
            Shown::Bodies(bodies) => {
                Shown::Bodies(bodies.into_iter().map(|body| ShownBody { piece: None, ..body }).collect())
            }
            other => other,
        };
        self.arg(viewer, arg).map(bare)
    }

    /// An argument of an event as a viewer is shown it; `None` when there is nothing that it may see.
    pub(crate) fn arg(&self, viewer: Option<Viewer>, arg: &Arg) -> Option<Shown> {
        let rb = self.read.rb;
        let name = |s: &str| Some(Shown::Name(s.to_owned()));
        let one = |body: ShownBody| match viewer {
            Some(_) => Shown::Body(body),
            None => Shown::Name(body.handle),
        };
        let known =
            |body: BodyId| ShownBody { handle: self.handle(viewer, body), piece: self.piece(viewer, body) };
        match arg {
            Arg::Body(body) => self.shown_body(viewer, *body).map(one),
            Arg::KnownBody(body) => Some(one(known(*body))),
            Arg::Bodies(bodies) => {
                Some(Shown::Bodies(bodies.iter().filter_map(|b| self.shown_body(viewer, *b)).collect()))
            }
            Arg::KnownBodies(bodies) => Some(Shown::Bodies(bodies.iter().map(|b| known(*b)).collect())),
            Arg::Stack(stack) => self.stack(viewer, *stack).map(|handle| match viewer {
                Some(_) => Shown::Stack(handle),
                None => Shown::Name(handle),
            }),
            Arg::Place(place) => name(rb.board().place_name(*place)),
            Arg::Places(places) => Some(Shown::List(
                places.iter().map(|p| Shown::Name(rb.board().place_name(*p).to_owned())).collect(),
            )),
            Arg::Link(link) => name(rb.board().link_name(*link)),
            Arg::Border(border) => name(rb.board().border_name(*border)),
            Arg::Number(number) => Some(Shown::Number(*number)),
            Arg::Flag(flag) => Some(Shown::Flag(*flag)),
            Arg::Word(word) => name(rb.word(*word)),
            Arg::Rule(rule) => name(rb.rule(*rule)),
            Arg::Piece(piece) => name(&rb.piece(*piece).name),
            Arg::Set(set) => name(&rb.piece_set(*set).name),
            Arg::Side(side) => name(&rb.sides()[side.index()]),
            Arg::Seat(seat) => name(&rb.seat(*seat).name),
            Arg::Table(table) => name(rb.table_name(*table)),
            Arg::Column(column) => name(&rb.column(*column).name),
            // A heading that is a number is not the place of that name.
            Arg::Text(text) => text.parse().map_or_else(|_| name(text), |number| Some(Shown::Number(number))),
            Arg::List(list) => Some(Shown::List(list.iter().filter_map(|a| self.arg(viewer, a)).collect())),
        }
    }

    /// An action that a viewer is offered, as it names it; `None` when it does not see what it is about. A handle
    /// that it does not see is never printed.
    pub fn offer(&self, viewer: Option<Viewer>, action: &Action) -> Option<ShownAction> {
        let sees = |target| match target {
            Target::Body(body) => viewer.is_none_or(|v| self.read.shows_handle(v, body)),
            Target::Stack(stack) => {
                let top = self.read.loose(stack).next();
                viewer.is_none_or(|v| top.is_some_and(|top| self.read.shows_handle(v, top)))
            }
            Target::None
            | Target::Place(_)
            | Target::Link(_)
            | Target::Number(_)
            | Target::Choice(_)
            | Target::Piece(_)
            | Target::Side(_) => true,
        };
        action.given().all(sees).then(|| self.action(viewer, action))
    }

    /// An action as a viewer names it, whether or not it sees what it is about.
    pub fn action(&self, viewer: Option<Viewer>, action: &Action) -> ShownAction {
        let rb = self.read.rb;
        let targets = action.given().map(|target| match target {
            Target::None => ShownTarget::Number(0),
            Target::Body(body) => ShownTarget::Body(self.handle(viewer, body)),
            Target::Stack(stack) => ShownTarget::Stack(self.stack_handle(viewer, stack)),
            Target::Place(place) => ShownTarget::Place(rb.board().place_name(place).to_owned()),
            Target::Link(link) => ShownTarget::Link(rb.board().link_name(link).to_owned()),
            Target::Number(number) => ShownTarget::Number(number),
            Target::Choice(word) => ShownTarget::Choice(rb.word(word).to_owned()),
            Target::Piece(piece) => ShownTarget::Piece(rb.piece(piece).name.clone()),
            Target::Side(side) => ShownTarget::Side(rb.sides()[side.index()].clone()),
        });
        ShownAction { verb: rb.word(action.verb).to_owned(), targets: targets.collect() }
    }

    /// Reads an action as a viewer names it. A handle of a body that the viewer does not see now is as unknown
    /// as one that never was.
    ///
    /// # Errors
    /// The part that means nothing to the viewer.
    pub fn read_action(&self, viewer: Option<Viewer>, shown: &ShownAction) -> Result<Action, String> {
        let rb = self.read.rb;
        let verb = rb.word_named(&shown.verb).ok_or_else(|| shown.verb.clone())?;
        let mut action = Action::new(verb);
        if shown.targets.len() > action.targets.len() {
            return Err(format!("{} targets", shown.targets.len()));
        }
        for (to, target) in action.targets.iter_mut().zip(&shown.targets) {
            *to = self.read_target(viewer, target).ok_or_else(|| target.to_string())?;
        }
        Ok(action)
    }

    fn read_target(&self, viewer: Option<Viewer>, target: &ShownTarget) -> Option<Target> {
        let rb = self.read.rb;
        Some(match target {
            ShownTarget::Body(handle) => Target::Body(self.read_body(viewer, handle)?),
            ShownTarget::Stack(handle) => Target::Stack(self.read_stack(viewer, handle)?),
            ShownTarget::Place(name) => Target::Place(rb.board().place_named(name)?),
            ShownTarget::Link(name) => Target::Link(rb.board().link_named(name)?),
            ShownTarget::Number(number) => Target::Number(*number),
            ShownTarget::Choice(word) => Target::Choice(rb.word_named(word)?),
            ShownTarget::Piece(name) => Target::Piece(rb.piece_named(name)?),
            ShownTarget::Side(name) => Target::Side(rb.side_named(name)?),
        })
    }

    /// The body with a handle that a viewer sees now (for the umpire: with a piece's name).
    pub fn read_body(&self, viewer: Option<Viewer>, handle: &str) -> Option<BodyId> {
        let Some(viewer) = viewer else {
            return self.read.body_of(self.read.rb.piece_named(handle)?);
        };
        let number = self.ciphers[self.read.rb.viewer_index(viewer)].number(handle)?;
        (0..self.read.st.bodies.len() as u16)
            .map(BodyId)
            .find(|&b| self.read.st.knowledge.handle(self.read.rb, viewer, b) == number)
            .filter(|&b| self.read.shows_handle(viewer, b) || self.read.rb.mutant("unseen_differs"))
    }

    /// The stack with a handle that a viewer sees now (for the umpire: with the name of its top piece).
    pub fn read_stack(&self, viewer: Option<Viewer>, handle: &str) -> Option<StackId> {
        let Some(viewer) = viewer else {
            let body = self.read_body(None, handle)?;
            return match self.read.spot(body)? {
                Spot::Stack(stack) => Some(stack),
                Spot::Place(_) | Spot::Body(_) => None,
            };
        };
        let number = self.ciphers[self.read.rb.viewer_index(viewer)].number(handle)?;
        let stacks: SmallVec<[StackId; 16]> = (0..self.read.st.stacks.len() as u16).map(StackId).collect();
        stacks
            .into_iter()
            .filter(|&s| self.read.stack_exists(s))
            .find(|&s| self.read.st.knowledge.stack_handle(self.read.rb, viewer, s) == number)
            .filter(|&s| self.stack(Some(viewer), s).is_some())
    }
}

impl Names<'_> {
    /// A column and the index of one of its holders, by name.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// # use adjutant_kernel::{Read, view::{Ciphers, Names}};
    /// # let Field { rulebook, state, ids, .. } = Field::start();
    /// # let mut cache = Ciphers::default();
    /// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
    /// assert_eq!(names.read_cell("turn", None), Ok((ids.turn.id, 0)));
    /// assert_eq!(names.read_cell("weary", Some("Horse")), Ok((ids.weary.id, ids.horse.0)));
    /// assert_eq!(names.read_cell("weary", Some("Hrose")), Err("holder `Hrose` of column `weary`".into()));
    /// ```
    ///
    /// # Errors
    /// What there is not.
    pub fn read_cell(&self, column: &str, of: Option<&str>) -> Result<(ColumnId, u16), String> {
        let rb = self.read.rb;
        let found = rb.columns().iter().position(|c| c.name == column);
        let index = found.ok_or_else(|| format!("column `{column}`"))?;
        let def = &rb.columns()[index];
        let name = of.unwrap_or_default();
        let missing = || format!("holder `{name}` of column `{column}`");
        let holder = match def.holder {
            Holder::Game => of.is_none().then_some(0),
            Holder::Side => rb.side_named(name).map(|s| u16::from(s.0)),
            Holder::Seat => rb.seat_named(name).map(|s| u16::from(s.0)),
            Holder::Piece => rb.piece_named(name).map(|p| p.0),
            Holder::Body => self.read_body(None, name).map(|b| b.0),
            Holder::Space => rb.board().space_named(name).map(|s| s.0),
            Holder::Border => rb.board().border_named(name).map(|b| b.0),
            Holder::Link => rb.board().link_named(name).map(|l| l.0),
            Holder::Choice => def.choices.iter().position(|w| rb.word(*w) == name).map(|n| n as u16),
        };
        Ok((ColumnId(index as u16), holder.ok_or_else(missing)?))
    }
}

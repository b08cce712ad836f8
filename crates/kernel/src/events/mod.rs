//! Events: complete when emitted, for each audience its own arguments and the handles of that moment.
//!
//! An event is rendered at once for every viewer and the umpire and never again from a later state. Text is by
//! message key (the event's name) with typed arguments. Story is marked apart from detail.

mod build;
mod keywords;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::ids::*;
use crate::knowledge::Audience;

pub use build::EventBuilder;
pub use keywords::KERNEL_EVENTS;
pub(crate) use keywords::Keywords;

/// An argument of an event, before it is rendered for a viewer.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::events::{Arg, Shown};
/// let field = Field::where_first(|ids, cx| {
///     let horse = cx.read().body_of(ids.horse).unwrap();
///     cx.story(ids.orders, None, |event| event.arg(ids.march, Arg::Body(horse)));
///     Ok(())
/// });
/// let event = field.events.last().unwrap();
/// let umpire = event.shown(&field.rulebook, None).unwrap();
/// assert_eq!(umpire.arg("march"), Some(&Shown::Name("Horse".into())));
/// let red = event.shown(&field.rulebook, Some(adjutant_kernel::Viewer::Side(field.ids.red))).unwrap();
/// assert!(matches!(red.arg("march"), Some(Shown::Body(body)) if body.piece.is_none())); // it might be the dummy
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// A body: its handle for viewers who see it, and which piece it is for those who know; its name for the umpire.
    Body(BodyId),
    /// A body whose handle the viewer knows though it may see it no more, or not yet.
    KnownBody(BodyId),
    /// Bodies: those that the viewer sees.
    Bodies(SmallVec<[BodyId; 8]>),
    /// Bodies whose handles the viewer knows though it may see them no more.
    KnownBodies(SmallVec<[BodyId; 8]>),
    /// A stack: its handle.
    Stack(StackId),
    /// A place.
    Place(PlaceId),
    /// Places.
    Places(SmallVec<[PlaceId; 8]>),
    /// A link.
    Link(LinkId),
    /// A border.
    Border(BorderId),
    /// A number.
    Number(i32),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(WordId),
    /// A rule.
    Rule(RuleId),
    /// A piece by name.
    Piece(PieceId),
    /// A declared set of pieces.
    Set(PieceSetId),
    /// A side.
    Side(SideId),
    /// A seat.
    Seat(SeatId),
    /// A table.
    Table(TableId),
    /// A column.
    Column(ColumnId),
    /// Text made by the rules out of names (an odds column); never out of hidden facts.
    Text(String),
    /// Several.
    List(Vec<Arg>),
}

/// An argument as a viewer is shown it.
///
/// ```
/// use adjutant_kernel::events::Shown;
/// fn plain(shown: &Shown) -> String {
///     match shown {
///         Shown::Body(body) => body.piece.as_ref().unwrap_or(&body.handle).clone(),
///         Shown::Bodies(list) => list.iter().map(|body| plain(&Shown::Body(body.clone()))).collect(),
///         Shown::Stack(text) | Shown::Name(text) => text.clone(),
///         Shown::Number(number) => number.to_string(),
///         Shown::Flag(flag) => flag.to_string(),
///         Shown::List(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
///     }
/// }
/// assert_eq!(plain(&Shown::List(vec![Shown::Name("Ford".into()), Shown::Number(2)])), "Ford, 2");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// A body.
    Body(ShownBody),
    /// Bodies, in order.
    Bodies(Vec<ShownBody>),
    /// A stack by its handle for the viewer.
    Stack(String),
    /// Something by its name in the pack.
    Name(String),
    /// A number.
    Number(i32),
    /// Yes or no.
    Flag(bool),
    /// Several.
    List(Vec<Shown>),
}

/// A body as a viewer is shown it in an event.
///
/// ```
/// use adjutant_kernel::events::ShownBody;
/// let hidden = ShownBody { handle: "vlzz".into(), piece: None };
/// assert_eq!(hidden.to_string(), "vlzz");
/// assert_eq!(ShownBody { piece: Some("Ann".into()), ..hidden }.to_string(), "Ann");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ShownBody {
    /// Its handle for the viewer at that moment.
    pub handle: String,
    /// The name of the piece that it is, if the viewer knew it at that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
}

impl std::fmt::Display for ShownBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.piece.as_ref().unwrap_or(&self.handle))
    }
}

/// An event as a viewer is shown it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::events::Shown;
/// # let field = Field::where_first(|ids, cx| cx.set(ids.turn, (), 2));
/// let event = field.events.last().unwrap().shown(&field.rulebook, None).unwrap();
/// assert_eq!((event.event.as_str(), event.detail), ("set", true));
/// assert_eq!(event.arg("column"), Some(&Shown::Name("turn".into())));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShownEvent {
    /// What happened: a message key.
    pub event: String,
    /// The rule that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Detail that a log may leave out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub detail: bool,
    /// The arguments by name, in the order of the event.
    pub args: Vec<(String, Shown)>,
}

impl ShownEvent {
    /// The argument with a name.
    pub fn arg(&self, name: &str) -> Option<&Shown> {
        self.args.iter().find(|(n, _)| n == name).map(|(_, shown)| shown)
    }
}

/// What twins are compared by: a release to a viewer.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Viewer;
/// use adjutant_kernel::events::Shown;
/// let field = Field::where_first(|ids, cx| {
///     let horse = cx.read().body_of(ids.horse).unwrap();
///     cx.reveal(horse, ids.rule)
/// });
/// let red = Viewer::Side(field.ids.red);
/// let release = field.events.iter().find_map(|event| event.release(&field.rulebook, red)).unwrap();
/// assert_eq!((release.rule.as_str(), release.to_all), ("field:1", true));
/// assert!(release.answer.contains(&("piece".into(), Shown::Name("Horse".into()))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShownRelease {
    /// The rule that it comes from.
    pub rule: String,
    /// What it is about, as the viewer names it.
    pub about: Vec<Shown>,
    /// Its answer.
    pub answer: Vec<(String, Shown)>,
    /// Whether it went to everybody.
    pub to_all: bool,
}

/// An event rendered for everybody.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{Audience, Viewer};
/// let field = Field::where_first(|ids, cx| {
///     cx.story_for(ids.orders, Audience::side(ids.blue), None, |_| {});
///     Ok(())
/// });
/// let secret = field.events.last().unwrap();
/// let shown = |side| secret.shown(&field.rulebook, Some(Viewer::Side(side))).is_some();
/// assert_eq!((shown(field.ids.blue), shown(field.ids.red)), (true, false));
/// ```
#[derive(Clone, Debug)]
pub struct Emitted {
    /// By viewer (the sides, then the public), then the umpire; `None` where it is not shown.
    pub(crate) shown: Vec<Option<ShownEvent>>,
    /// The same for the release that the event is, if it is one.
    pub(crate) releases: Vec<Option<ShownRelease>>,
    pub(crate) audience: Audience,
}

impl Emitted {
    /// What a viewer (or, without one, the umpire) is shown.
    pub fn shown(&self, rb: &crate::Rulebook, viewer: Option<Viewer>) -> Option<&ShownEvent> {
        self.shown[viewer.map_or(rb.viewer_count(), |v| rb.viewer_index(v))].as_ref()
    }

    /// The release that the event is to a viewer, if it is one.
    pub fn release(&self, rb: &crate::Rulebook, viewer: Viewer) -> Option<&ShownRelease> {
        self.releases.get(rb.viewer_index(viewer))?.as_ref()
    }

    /// Takes the event back from a side that has been shown it already.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::Viewer;
    /// # let field = Field::where_first(|ids, cx| cx.set(ids.turn, (), 2));
    /// let mut event = field.events.last().unwrap().clone();
    /// event.withdraw_from(&field.rulebook, Some(field.ids.blue)); // it was shown as a draft
    /// let shown = |side| event.shown(&field.rulebook, Some(Viewer::Side(side))).is_some();
    /// assert!(!shown(field.ids.blue) && shown(field.ids.red));
    /// ```
    pub fn withdraw_from(&mut self, rb: &crate::Rulebook, side: Option<SideId>) {
        if let Some(side) = side {
            self.shown[rb.viewer_index(Viewer::Side(side))] = None;
        }
    }

    /// Who is shown it.
    pub fn audience(&self) -> Audience {
        self.audience
    }
}

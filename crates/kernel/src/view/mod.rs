//! Projection: the one way by which anything leaves the kernel for a seat (invariant 7).
//!
//! [`view`] makes all that a viewer may see of a position; [`Names`] renders every id for a viewer, in views,
//! events and offers alike. Both work by allow-list: what no rule shows is not shown.
//!
//! ```
//! # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
//! use adjutant_kernel::view::{Ciphers, Names, View, view};
//! use adjutant_kernel::{Read, Viewer};
//! # let Field { rulebook, state, ids, .. } = Field::start();
//! let mut cache = Ciphers::default();
//! let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
//! let red: View = view(&names, Some(Viewer::Side(ids.red)), None);
//! let stack = &red.places["hill"].stacks[0];
//! assert_eq!((stack.side.as_str(), stack.bodies.len()), ("blue", 2));
//! let top = &stack.bodies[0];
//! assert!(top.piece.is_none());
//! assert_eq!(top.candidates, ["Horse", "Dummy"]); // one of them
//! assert_eq!(red.places["ford"].bodies[0].piece.as_deref(), Some("Guns"));
//! ```

mod names;
mod project;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use names::{Ciphers, Names, ShownAction, ShownTarget};
pub use project::view;

/// A body as a viewer sees it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, view::{BodyView, Ciphers, Names, view}};
/// # let field = Field::where_first(|ids, cx| {
/// #     let horse = cx.read().body_of(ids.horse).unwrap();
/// #     cx.reveal(horse, ids.rule)
/// # });
/// # let (mut cache, read) = (Ciphers::default(), Read::new(&field.rulebook, &field.state));
/// # let names = Names::new(field.state.ciphers(&field.rulebook, &mut cache), read);
/// let red = view(&names, Some(Viewer::Side(field.ids.red)), None);
/// let horse: &BodyView = &red.places["hill"].stacks[0].bodies[0];
/// assert_eq!((horse.piece.as_deref(), horse.up), (Some("Horse"), true)); // it was revealed
/// assert_eq!((horse.side.as_deref(), horse.handle.len()), (Some("blue"), 4));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BodyView {
    /// Its handle for the viewer.
    pub handle: String,
    /// The side that owns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The piece, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// The pieces that it may be, when it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Face up.
    pub up: bool,
    /// Which way it faces.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub facing: u8,
    /// Columns of the body, and of its piece when it is known and they may be seen; only what differs from
    /// the start value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, ValueView>,
    /// Bodies under its command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<BodyView>,
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

/// A stack as a viewer sees it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, view::{Ciphers, Names, StackView, view}};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// # let mut cache = Ciphers::default();
/// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let blue = view(&names, Some(Viewer::Side(ids.blue)), None);
/// let stack: &StackView = &blue.places["hill"].stacks[0];
/// let pieces: Vec<_> = stack.bodies.iter().filter_map(|body| body.piece.as_deref()).collect();
/// assert_eq!((pieces, stack.more), (vec!["Horse", "Dummy"], 0)); // the top first; none unseen
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StackView {
    /// Its handle for the viewer.
    pub handle: String,
    /// The side that owns it.
    pub side: String,
    /// The bodies that the viewer sees, top first.
    pub bodies: Vec<BodyView>,
    /// How many more there are.
    pub more: u32,
}

/// A place as a viewer sees it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, view::{Ciphers, Names, PlaceView, view}};
/// # let Field { rulebook, state, .. } = Field::start();
/// # let mut cache = Ciphers::default();
/// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let public = view(&names, Some(Viewer::Public), None);
/// let ford: &PlaceView = &public.places["ford"];
/// assert_eq!((ford.stacks.len(), ford.bodies.len()), (0, 1)); // the guns stand loose
/// assert!(!public.places.contains_key("reserve")); // nothing to see there
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlaceView {
    /// Stacks, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<StackView>,
    /// Bodies in no stack, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodyView>,
    /// The number of unseen bodies in no stack (or, at level number, of all), by side.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, u32>,
    /// Columns of the space, link or border: only what differs from the start value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, ValueView>,
}

/// A value of a column.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, view::{Ciphers, Names, ValueView, view}};
/// # let Field { rulebook, state, .. } = Field::start();
/// # let mut cache = Ciphers::default();
/// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let public = view(&names, Some(Viewer::Public), None);
/// assert_eq!(public.values["turn"], ValueView::Number(1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ValueView {
    /// A number.
    Number(i32),
    /// A name: a choice, side or space.
    Name(String),
    /// One value a side.
    Sides(BTreeMap<String, ValueView>),
}

/// An answer in force.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Audience, Read, Viewer, knowledge::About, ops::Telling};
/// # use adjutant_kernel::view::{Ciphers, Names, ToldView, view};
/// # let field = Field::where_first(|ids, cx| {
/// #     let stack: Vec<_> = cx.read().bodies(ids.hill).collect();
/// #     let (question, audience) = (ids.any_real, Audience::side(ids.red));
/// #     let (about, rule, lapse) = (About::Bodies, ids.rule, ids.dusk);
/// #     cx.tell(Telling { question, bodies: &stack, about, audience, rule, lapse })?;
/// #     Ok(())
/// # });
/// # let (mut cache, read) = (Ciphers::default(), Read::new(&field.rulebook, &field.state));
/// # let names = Names::new(field.state.ciphers(&field.rulebook, &mut cache), read);
/// let red = view(&names, Some(Viewer::Side(field.ids.red)), None);
/// let told: &ToldView = &red.told[0]; // whether one of blue's stack is real
/// assert_eq!((told.question.as_str(), told.about.len(), told.answer), ("any_real", 2, 1));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ToldView {
    /// The question.
    pub question: String,
    /// The handles of the bodies that it is about (sorted: their order would tell), or the name of their place.
    pub about: Vec<String>,
    /// The answer.
    pub answer: i32,
}

/// A procedure at work, as far as the viewer may know.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, events::Shown, view::{Ciphers, FrameView, Names, view}};
/// # let Field { rulebook, state, .. } = Field::start();
/// # let mut cache = Ciphers::default();
/// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let public = view(&names, Some(Viewer::Public), None);
/// let at_work: &FrameView = public.frames.last().unwrap();
/// assert_eq!((at_work.procedure.as_str(), &at_work.locals["begun"]), ("turn", &Shown::Flag(true)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FrameView {
    /// The procedure.
    pub procedure: String,
    /// Its locals by name.
    pub locals: BTreeMap<String, crate::events::Shown>,
}

/// Everything that a viewer may see of a position.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, view::{Ciphers, Names, view}};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// # let mut cache = Ciphers::default();
/// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let blue = view(&names, Some(Viewer::Side(ids.blue)), Some(ids.seats[0]));
/// assert_eq!((&blue.asked[..], blue.prompt.as_deref()), (&["blue".to_owned()][..], Some("orders")));
/// assert_eq!(blue.places.keys().collect::<Vec<_>>(), ["ford", "hill"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct View {
    /// The phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The side whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phasing: Option<String>,
    /// The places where there is anything to see.
    pub places: BTreeMap<String, PlaceView>,
    /// Links that carry values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, BTreeMap<String, ValueView>>,
    /// Borders that carry values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub borders: BTreeMap<String, BTreeMap<String, ValueView>>,
    /// Columns of the game, of sides, seats and choices, and of pieces that are public.
    pub values: BTreeMap<String, ValueView>,
    /// Columns of holders with a name: column, then holder.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub holders: BTreeMap<String, BTreeMap<String, ValueView>>,
    /// Entries of relations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<String, Vec<BTreeMap<String, ValueView>>>,
    /// Answers in force.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<ToldView>,
    /// What goes on.
    pub frames: Vec<FrameView>,
    /// Who is asked.
    pub asked: Vec<String>,
    /// What they are asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Whether the game has ended, and who won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeView>,
}

/// How the game ended.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # use adjutant_kernel::{Read, Viewer, view::{Ciphers, Names, OutcomeView, view}};
/// # let Field { rulebook, mut state, ids, .. } = Field::start();
/// state.resign(Some(ids.blue)); // red gives up
/// # let mut cache = Ciphers::default();
/// # let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let public = view(&names, Some(Viewer::Public), None);
/// assert_eq!(public.outcome, Some(OutcomeView { winner: Some("blue".into()), rule: None }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutcomeView {
    /// The winner; absent for a draw.
    pub winner: Option<String>,
    /// The rule that ended it; absent when a side resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

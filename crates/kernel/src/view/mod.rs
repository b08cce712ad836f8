//! Projection: the one way by which anything leaves the kernel for a seat (invariant 7).
//!
//! [`view`] makes all that a viewer may see of a position; [`Names`] renders every id for a viewer, in views,
//! events and offers alike. Both work by allow-list: what no rule shows is not shown.

mod names;
mod project;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use names::{Ciphers, Names, ShownAction, ShownTarget};
pub use project::view;

/// A body as a viewer sees it.
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FrameView {
    /// The procedure.
    pub procedure: String,
    /// Its locals by name.
    pub locals: BTreeMap<String, crate::events::Shown>,
}

/// Everything that a viewer may see of a position.
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutcomeView {
    /// The winner; absent for a draw.
    pub winner: Option<String>,
    /// The rule that ended it; absent when a side resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

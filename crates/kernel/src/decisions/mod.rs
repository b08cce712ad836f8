//! Decisions: small atomic actions, what is offered, and why something is not.

mod offers;

use serde::{Deserialize, Serialize};

use crate::ids::*;

pub use offers::{Offers, Refusal, Urn, Verdict};

/// One thing that an action is about.
///
/// ```
/// use adjutant_kernel::{BodyId, PlaceId, SpaceId, Target};
/// assert_eq!(Target::from(BodyId(2)), Target::Body(BodyId(2)));
/// assert_eq!(Target::from(SpaceId(7)), Target::Place(PlaceId(7))); // a space is a place
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Target {
    /// Nothing.
    #[default]
    None,
    /// A body.
    Body(BodyId),
    /// A stack.
    Stack(StackId),
    /// A place: a space, box, link or border.
    Place(PlaceId),
    /// A link that is travelled.
    Link(LinkId),
    /// A number.
    Number(i16),
    /// A choice by name.
    Choice(WordId),
    /// A piece by name, known to all.
    Piece(PieceId),
    /// A side.
    Side(SideId),
}

macro_rules! targets {
    ($($ty:ty => $variant:ident;)*) => {$(
        impl From<$ty> for Target {
            fn from(id: $ty) -> Self {
                Self::$variant(id)
            }
        }
    )*};
}

targets! {
    BodyId => Body;
    StackId => Stack;
    PlaceId => Place;
    LinkId => Link;
    i16 => Number;
    WordId => Choice;
    PieceId => Piece;
    SideId => Side;
}

impl From<SpaceId> for Target {
    fn from(space: SpaceId) -> Self {
        Self::Place(PlaceId(space.0))
    }
}

/// A verb and up to four targets.
///
/// ```
/// use adjutant_kernel::{Action, BodyId, SpaceId, WordId};
/// let march = WordId(3);
/// let action = Action::new(march).on(BodyId(1)).on(SpaceId(7));
/// assert_eq!((action.body(0), action.space(1)), (Some(BodyId(1)), Some(SpaceId(7))));
/// assert_eq!(action.number(0), None); // the first target is a body
/// assert_eq!(action.given().count(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Action {
    /// What is done.
    pub verb: WordId,
    /// To what, in the order that the verb states; the rest is [`Target::None`].
    pub targets: [Target; 4],
}

impl Action {
    /// An action without targets.
    #[inline]
    pub fn new(verb: WordId) -> Self {
        Self { verb, targets: [Target::None; 4] }
    }

    /// The same with one more target.
    ///
    /// ```
    /// use adjutant_kernel::{Action, SpaceId, Target, WordId};
    /// let action = Action::new(WordId(3)).on(SpaceId(7)).on(2i16);
    /// assert_eq!(action.targets[1], Target::Number(2));
    /// ```
    #[must_use]
    #[inline]
    pub fn on(mut self, target: impl Into<Target>) -> Self {
        // Spelt out, so that an action made of known targets is put together in registers.
        let [a, b, c, d] = &mut self.targets;
        if *a == Target::None {
            *a = target.into();
        } else if *b == Target::None {
            *b = target.into();
        } else if *c == Target::None {
            *c = target.into();
        } else if *d == Target::None {
            *d = target.into();
        }
        self
    }

    /// The targets given.
    pub fn given(&self) -> impl Iterator<Item = Target> + '_ {
        self.targets.iter().copied().take_while(|t| *t != Target::None)
    }

    /// The n-th target, if it is a body.
    pub fn body(&self, n: usize) -> Option<BodyId> {
        match self.targets.get(n) {
            Some(Target::Body(body)) => Some(*body),
            _ => None,
        }
    }

    /// The n-th target, if it is a stack.
    pub fn stack(&self, n: usize) -> Option<StackId> {
        match self.targets.get(n) {
            Some(Target::Stack(stack)) => Some(*stack),
            _ => None,
        }
    }

    /// The n-th target, if it is a place.
    pub fn place(&self, n: usize) -> Option<PlaceId> {
        match self.targets.get(n) {
            Some(Target::Place(place)) => Some(*place),
            _ => None,
        }
    }

    /// The n-th target as a space; whether it is one is the business of whoever offered it.
    pub fn space(&self, n: usize) -> Option<SpaceId> {
        self.place(n).map(|p| SpaceId(p.0))
    }

    /// The n-th target, if it is a link.
    pub fn link(&self, n: usize) -> Option<LinkId> {
        match self.targets.get(n) {
            Some(Target::Link(link)) => Some(*link),
            _ => None,
        }
    }

    /// The n-th target, if it is a number.
    pub fn number(&self, n: usize) -> Option<i32> {
        match self.targets.get(n) {
            Some(Target::Number(number)) => Some(i32::from(*number)),
            _ => None,
        }
    }

    /// The n-th target, if it is a choice.
    pub fn choice(&self, n: usize) -> Option<WordId> {
        match self.targets.get(n) {
            Some(Target::Choice(word)) => Some(*word),
            _ => None,
        }
    }
}

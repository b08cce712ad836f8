//! Handles: how scripts hold spaces, units and the rest.
//!
//! A handle is a number that fits a pointer: a kind and an id. It costs nothing to make, is equal to every other
//! handle of the same thing, and is a good key of a table: tables with such keys are in the same order on every
//! machine, which tables keyed by tables are not.

use mlua::{FromLua, IntoLua, LightUserData, Lua, Value};

use adjutant_kernel::board::PlaceKind;
use adjutant_kernel::state::Spot;
use adjutant_kernel::{BodyId, BorderId, LinkId, PieceId, PlaceId, Rulebook, SideId, SpaceId, StackId};

/// What a handle is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    Space = 1,
    Place,
    Link,
    Border,
    Unit,
    Stack,
    Side,
    Piece,
    Signal,
}

/// How many kinds there are, and one.
pub(crate) const KINDS: usize = 10;

impl Kind {
    pub(crate) const ALL: [Kind; 9] = [
        Kind::Space,
        Kind::Place,
        Kind::Link,
        Kind::Border,
        Kind::Unit,
        Kind::Stack,
        Kind::Side,
        Kind::Piece,
        Kind::Signal,
    ];

    /// How it is called in the definitions and in texts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Space => "space",
            Kind::Place => "place",
            Kind::Link => "link",
            Kind::Border => "border",
            Kind::Unit => "unit",
            Kind::Stack => "stack",
            Kind::Side => "side",
            Kind::Piece => "piece",
            Kind::Signal => "signal",
        }
    }
}

/// The signal that a procedure is over.
pub(crate) const DONE: Handle = Handle { kind: Kind::Signal, id: 0 };
/// The signal that a call, fork or moment was prepared.
pub(crate) const PREPARED: Handle = Handle { kind: Kind::Signal, id: 1 };

/// A thing of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handle {
    pub(crate) kind: Kind,
    pub(crate) id: u16,
}

impl Handle {
    #[inline]
    pub(crate) fn from_raw(raw: LightUserData) -> Option<Self> {
        let bits = raw.0.addr();
        let kind = *Kind::ALL.get((bits >> 16).wrapping_sub(1))?;
        Some(Self { kind, id: bits as u16 })
    }

    /// The pointer that it is to the interpreter. It points nowhere.
    #[inline]
    pub(crate) fn pointer(self) -> *mut std::ffi::c_void {
        std::ptr::without_provenance_mut((self.kind as usize) << 16 | usize::from(self.id))
    }

    #[inline]
    pub(crate) fn value(self) -> Value {
        Value::LightUserData(LightUserData(self.pointer()))
    }

    /// The handle of a place: spaces are spaces.
    #[inline]
    pub(crate) fn of_place(rb: &Rulebook, place: PlaceId) -> Self {
        match rb.board().place(place) {
            PlaceKind::Space(space) => Self { kind: Kind::Space, id: space.0 },
            PlaceKind::Box | PlaceKind::Link(_) | PlaceKind::Border(_) => {
                Self { kind: Kind::Place, id: place.0 }
            }
        }
    }

    /// The place that it is, if it is one in which pieces may stand.
    pub(crate) fn place(self, rb: &Rulebook) -> Option<PlaceId> {
        match self.kind {
            Kind::Space | Kind::Place => Some(PlaceId(self.id)),
            Kind::Link => rb.board().place_of_link(LinkId(self.id)),
            Kind::Border => rb.board().place_of_border(BorderId(self.id)),
            Kind::Unit | Kind::Stack | Kind::Side | Kind::Piece | Kind::Signal => None,
        }
    }
}

impl Handle {
    /// The unit that it is.
    pub(crate) fn body(self) -> mlua::Result<BodyId> {
        if self.kind == Kind::Unit {
            return Ok(BodyId(self.id));
        }
        Err(mlua::Error::runtime(format!("expected a unit, found a {}", self.kind.name())))
    }

    /// The place that it is, or that it stands in.
    pub(crate) fn spot(self, rb: &Rulebook) -> mlua::Result<Spot> {
        match self.kind {
            Kind::Stack => {
                let stack = StackId(self.id);
                if crate::shared::look(|sight| sight.stack_exists(stack))? {
                    return Ok(Spot::Stack(stack));
                }
                Err(mlua::Error::runtime("that stack is no more"))
            }
            Kind::Unit => Ok(Spot::Body(BodyId(self.id))),
            _ => self.place(rb).map(Spot::Place).ok_or_else(|| {
                mlua::Error::runtime(format!("pieces cannot stand on a {}", self.kind.name()))
            }),
        }
    }
}

macro_rules! handles {
    ($($id:ty => $kind:ident;)*) => {$(
        impl From<$id> for Handle {
            #[inline]
            fn from(id: $id) -> Self {
                Self { kind: Kind::$kind, id: u16::from(id.0) }
            }
        }
    )*};
}

handles! {
    SpaceId => Space;
    LinkId => Link;
    BorderId => Border;
    BodyId => Unit;
    StackId => Stack;
    SideId => Side;
    PieceId => Piece;
}

impl FromLua for Handle {
    #[inline]
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Self> {
        let handle = match value {
            Value::LightUserData(raw) => Self::from_raw(raw),
            _ => None,
        };
        handle.ok_or_else(|| {
            let text =
                format!("expected a thing of the game (a unit, a space, ...), found {}", value.type_name());
            mlua::Error::runtime(text)
        })
    }
}

impl IntoLua for Handle {
    #[inline]
    fn into_lua(self, _: &Lua) -> mlua::Result<Value> {
        Ok(self.value())
    }
}

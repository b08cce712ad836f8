//! Combat (9, 10).
//!
//! A pair of Line Positions is resolved ([`pair`]) by the charts ([`intensity`]) and by fire ([`fire`]), for both of which
//! [`strength`] counts; then it loses points (`losses`). At the end of a round officers may fall ([`casualties`]),
//! positions withdraw ([`withdrawal`]), and who crossed a river may have to go back ([`rivers`]).

pub(crate) mod casualties;
pub(crate) mod fight;
pub(crate) mod fire;
pub(crate) mod intensity;
pub(crate) mod lines;
pub(crate) mod officers;
pub(crate) mod pair;
pub(crate) mod resolution;
pub(crate) mod rivers;
pub(crate) mod strength;
pub(crate) mod withdrawal;

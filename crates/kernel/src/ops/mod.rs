//! The operations: the only way in which a state changes (invariant 1). Each emits its event.
//!
//! | file | operations |
//! | --- | --- |
//! | `columns` | set, add, reset, records |
//! | `moving` | move a group or a stack, new stack, raise, remove from play |
//! | `knowing` | reveal, narrow, bare, conceal, tell, lapse, mix, settle |
//! | `chance` | draw, report |
//! | `edit` | an umpire's edits |
//! | `rules` | rule points, permissions, the placement check, end of game, commit |

mod chance;
mod columns;
mod edit;
mod knowing;
mod moving;
mod rules;

pub use chance::{Drawn, Report};
pub use edit::{Edit, EditError, edit};
pub use knowing::Telling;
pub use moving::Dest;

use crate::error::Fault;
use crate::flow::{Cx, Halt};
use crate::ids::*;

impl Cx<'_> {
    /// Every operation comes through here first.
    #[inline]
    pub(crate) fn guard(&self) -> Result<(), Halt> {
        if self.st.outcome.is_some() {
            return Err(Fault::Ended.into());
        }
        Ok(())
    }

    /// An operation that others notice may not happen in a branch of a fork that has not been joined.
    #[inline]
    pub(crate) fn guard_public(&self, what: &str) -> Result<(), Halt> {
        self.guard()?;
        if self.branch.is_some() {
            return Err(Fault::Branch { what: what.to_owned() }.into());
        }
        Ok(())
    }

    /// In a branch, only what the branch's side owns may be written.
    #[inline]
    pub(crate) fn guard_owned(&self, owner: Option<SideId>, what: &str) -> Result<(), Halt> {
        self.guard()?;
        match self.branch {
            Some(side) if side.is_none() || side != owner => {
                Err(Fault::Branch { what: what.to_owned() }.into())
            }
            _ => Ok(()),
        }
    }
}

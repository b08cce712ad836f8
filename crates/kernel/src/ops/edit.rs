//! Umpire's edits: they obey knowledge and placement like everything else.

use crate::error::Fault;
use crate::flow::{Cx, Halt, Sink};
use crate::ids::*;
use crate::ops::Dest;
use crate::rulebook::{Placement, Rulebook};
use crate::state::{Position, State};
use crate::worker::Worker;

/// One thing that an umpire changes.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::Sink;
/// use adjutant_kernel::ops::{Edit, edit};
/// use adjutant_kernel::{PlaceId, Read};
/// # let Field { rulebook, mut state, mut worker, ids, .. } = Field::start();
/// let horse = Read::new(&rulebook, &state).body_of(ids.horse).unwrap();
/// let edits = [
///     Edit::Place { bodies: vec![horse], place: PlaceId(ids.ford.0), stacked: false },
///     Edit::Reveal(horse),
///     Edit::Set { column: ids.turn.id, holder: 0, side: 0, value: 4 },
/// ];
/// edit(&rulebook, &mut worker, &mut Sink::off(), &mut state, &edits)?;
/// let read = Read::new(&rulebook, &state);
/// assert_eq!((read.space(horse), read.face_up(horse), read.get(ids.turn, ())), (Some(ids.ford), true, 4));
/// # Ok::<(), adjutant_kernel::ops::EditError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Bodies, top first, stand in a place now: as a stack of their own, or loose.
    Place {
        /// Which.
        bodies: Vec<BodyId>,
        /// Where.
        place: PlaceId,
        /// As a stack.
        stacked: bool,
    },
    /// A body is turned up, and everybody knows it.
    Reveal(BodyId),
    /// A body is turned down.
    Conceal(BodyId),
    /// A cell has this value now.
    Set {
        /// The column.
        column: ColumnId,
        /// Index of the holder.
        holder: u16,
        /// The side of the cell, or 0.
        side: u8,
        /// The value.
        value: i32,
    },
}

/// Why an edit is refused.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::Sink;
/// use adjutant_kernel::ops::{Edit, EditError, edit};
/// # let Field { rulebook, mut state, mut worker, ids, .. } = Field::start();
/// let late = Edit::Set { column: ids.turn.id, holder: 0, side: 0, value: 40 };
/// let refused = edit(&rulebook, &mut worker, &mut Sink::off(), &mut state, &[late]).unwrap_err();
/// assert!(matches!(refused, EditError::Fault(_)));
/// assert_eq!(refused.to_string(), "column `turn` takes 0 to 9, not 40");
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EditError {
    /// The placement check forbids it by this rule.
    #[error("the placement check forbids it")]
    Placement(RuleId),
    /// The rules cannot carry it out.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Carries out edits, one after another, all or none: on an error the state given is spoilt, so work on a
/// clone. Told answers must still hold afterwards and whoever is asked must have something to do.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::flow::Sink;
/// use adjutant_kernel::ops::{Edit, edit};
/// # let Field { rulebook, state, mut worker, ids, .. } = Field::start();
/// let horse = adjutant_kernel::Read::new(&rulebook, &state).body_of(ids.horse).unwrap();
/// let mut edited = state.clone(); // kept if no edit is refused
/// edit(&rulebook, &mut worker, &mut Sink::off(), &mut edited, &[Edit::Reveal(horse)])?;
/// assert_ne!(edited, state);
/// # Ok::<(), adjutant_kernel::ops::EditError>(())
/// ```
///
/// # Errors
/// The first edit that is refused.
pub fn edit(
    rb: &Rulebook,
    worker: &mut Worker,
    sink: &mut Sink,
    st: &mut State,
    edits: &[Edit],
) -> Result<(), EditError> {
    let mut cx = Cx::new(rb, st, &mut worker.scratch, sink);
    for edit in edits {
        match cx.edit(edit) {
            Ok(None) => {}
            Ok(Some(rule)) => return Err(EditError::Placement(rule)),
            Err(Halt::Fault(fault)) => return Err(fault.into()),
            Err(Halt::Watch(_)) => {
                let text = "the edit would end what is being played: a watch fires".to_owned();
                return Err(Fault::Rules { text }.into());
            }
        }
    }
    cx.check_asks()?;
    Ok(())
}

impl Cx<'_> {
    fn edit(&mut self, edit: &Edit) -> Result<Option<RuleId>, Halt> {
        match edit {
            Edit::Place { bodies, place, stacked } => {
                let from: Vec<PlaceId> = bodies.iter().filter_map(|&b| self.read().place(b)).collect();
                let dest =
                    if *stacked { Dest::NewStack(*place) } else { Dest::Place(*place, Position::Bottom) };
                // Nobody would see to what else must happen.
                match self.move_group(self.rb.keywords.umpire, bodies, dest)? {
                    Placement::Allowed => {}
                    Placement::MustGoOn(rule)
                    | Placement::Displaces(_, rule)
                    | Placement::Forbidden(rule) => {
                        return Ok(Some(rule));
                    }
                }
                for place in from.into_iter().chain([*place]) {
                    self.settle(place)?;
                }
            }
            Edit::Reveal(body) => self.reveal(*body, self.rb.umpire)?,
            Edit::Conceal(body) => {
                self.conceal(*body)?;
                if let Some(place) = self.read().place(*body) {
                    self.settle(place)?;
                }
            }
            Edit::Set { column, holder, side, value } => self.set_cell(*column, *holder, *side, *value)?,
        }
        self.commit();
        Ok(None)
    }
}

//! Movement (7): units go from area to area, alone or in stacks, as far as their allowance reaches.
//!
//! What is offered hangs on what the side sees, what becomes of it on the truth. The files: [`ways`] from area to area
//! (7.12, 7.2) and [`gates`] out of one, the phase itself with all that is offered in it ([`moves`]), whether a group may
//! go ([`mover`]), how it leaves an area where the enemy stands ([`leaving`], 3.42) and comes into the next
//! ([`entering`], 3.45), troop density ([`density`], 7.6), ways off the map ([`exits`], 7.12.c), force march
//! ([`force_march`], 7.3), reinforcements ([`reinforcements`], 7.5), and what the end of the phase brings: [`stragglers`]
//! (7.33) and their [`recovery`] (7.4).

mod density;
mod entering;
mod exits;
mod force_march;
mod gates;
mod leaving;
mod mover;
mod moves;
mod names;
mod recovery;
mod reinforcements;
mod stragglers;
mod ways;

use std::sync::Arc;

use adjutant_kernel::flow::{NewFrame, ProcRef};
use adjutant_kernel::knowledge::QuestionKind;
use adjutant_kernel::rulebook::Column;
use adjutant_kernel::{
    AttributeId, BodyId, LinkId, OptionId, PieceId, PlaceId, QuestionId, RulebookBuilder, SideId, SpaceId,
    WordId,
};

pub(crate) use mover::{Mover, refused};
pub(crate) use moves::Moves;
pub(crate) use ways::Distances;

use super::Cwcs;
use super::general_retreat::GeneralRetreat;
use super::pieces::{Missing, Pieces, stand_in};
use names::Rules;
pub(crate) use names::Words as MovementWords;
use names::Words;

/// What movement names, by number.
pub(crate) struct Movement {
    pub(crate) w: Words,
    pub(crate) rules: Rules,
    pub(crate) marks: Marks,
    pub(crate) procs: MovementProcs,
    pub(crate) general_retreat: OptionId,
    pub(crate) troop_density: OptionId,
    /// Is there anybody but dummies among these?
    genuine: QuestionId,
    /// Is there artillery among these?
    guns: QuestionId,
    /// Where reinforcements of each side wait, in titles that have some.
    waiting: [Option<PlaceId>; 2],
    /// The armies of a side that has several (6.6).
    pub(crate) army: Option<AttributeId>,
    terrain: [WordId; 4],
}

impl Movement {
    pub(crate) fn resolve(rb: &mut RulebookBuilder, pieces: &Pieces, missing: &mut Missing) -> Self {
        let dummies = ["dummy infantry", "dummy cavalry"].map(|kind| rb.word(kind));
        let genuine = rb.piece_set("all but dummies", move |_, piece| !dummies.contains(&piece.kind));
        let army = rb.so_far().attributes().iter().position(|a| a.name == "army");
        Self {
            w: Words::intern(rb),
            rules: Rules::intern(rb),
            marks: Marks::find(rb, missing),
            procs: MovementProcs::declare(rb),
            general_retreat: missing.option(rb, "general retreat"),
            troop_density: missing.option(rb, "troop density"),
            genuine: rb.question("all but dummies", QuestionKind::Any(genuine)),
            guns: rb.question("artillery", QuestionKind::Any(pieces.sets.artillery)),
            waiting: ["Confederate Reinforcements", "Union Reinforcements"]
                .map(|b| rb.board().place_named(b)),
            army: army.map(|n| AttributeId(n as u16)),
            terrain: ["clear", "rough", "mountain", "swamp"].map(|terrain| rb.word(terrain)),
        }
    }
}

/// The procedures of movement.
#[derive(Clone, Debug)]
pub(crate) struct MovementProcs {
    pub(crate) moves: ProcRef<Moves>,
    pub(crate) general_retreat: ProcRef<GeneralRetreat>,
}

impl MovementProcs {
    fn declare(rb: &mut RulebookBuilder) -> Self {
        Self { moves: rb.proc("cwcs.moves"), general_retreat: rb.proc("cwcs.general retreat") }
    }

    pub(crate) fn define(&self, rb: &mut RulebookBuilder, cwcs: &Arc<Cwcs>) {
        rb.define(self.moves, cwcs);
        rb.define(self.general_retreat, cwcs);
    }

    /// The moves of a side.
    pub(crate) fn moves_of(&self, side: SideId) -> NewFrame {
        self.moves.with(Moves::of(side))
    }

    /// A side declares general retreats.
    pub(crate) fn general_retreat_of(&self, side: SideId) -> NewFrame {
        self.general_retreat.with(GeneralRetreat::of(side))
    }
}

/// What movement remembers of units and areas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// The area whence a unit came into its own in this phase.
    pub(crate) entered_from: Column<BodyId>,
    /// The number of the move by which it came (8.11.a).
    pub(crate) group: Column<BodyId>,
    /// It came over a major river this turn.
    pub(crate) across: Column<BodyId>,
    /// It came under the control of artillery and must attack (3.45).
    pub(crate) compelled: Column<BodyId>,
    /// The turn in which a reinforcement is due, and where (7.5).
    pub(crate) due: Column<BodyId>,
    pub(crate) due_at: Column<BodyId>,
    /// Stragglers that a unit has lost this turn (7.4).
    pub(crate) straggled: Column<PieceId>,
    /// How many groups have moved in this phase.
    pub(crate) moves: Column<()>,
    /// What a side was told of the troop density of an area in this phase (7.6).
    pub(crate) dense: Column<(SpaceId, SideId)>,
    /// Ways that it was told are barred, where the enemy's Home Area is his secret (7.6): 1 towards the area with the
    /// higher number, 2 towards the other.
    pub(crate) barred: Column<(LinkId, SideId)>,
    /// The armies of a side that are in general retreat, a bit each (6.6).
    pub(crate) retreats: Column<SideId>,
}

impl Marks {
    /// The names of the columns.
    pub(crate) const NAMES: &'static [&'static str] = &[
        "entered from",
        "group",
        "across",
        "compelled",
        "due",
        "due at",
        "straggled",
        "moves",
        "dense",
        "barred",
        "retreats",
    ];

    fn find(rb: &mut RulebookBuilder, missing: &mut Missing) -> Self {
        macro_rules! column {
            ($name:literal) => {
                missing.column(rb, $name).unwrap_or_else(|| stand_in(rb))
            };
        }
        Self {
            entered_from: column!("entered from"),
            group: column!("group"),
            across: column!("across"),
            compelled: column!("compelled"),
            due: column!("due"),
            due_at: column!("due at"),
            straggled: column!("straggled"),
            moves: column!("moves"),
            dense: column!("dense"),
            barred: column!("barred"),
            retreats: column!("retreats"),
        }
    }
}

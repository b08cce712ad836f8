//! Leaders (11): who commands whom, and who replaces a fallen officer (11.32).

use adjutant_kernel::{BodyId, SideId, Sight, SpaceId, WordId};
use smallvec::SmallVec;

use super::Cwcs;
use super::control::Control;
use super::units::Bodies;

/// How far a line of communication reaches, as the column `communications` has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Line {
    /// To nobody.
    CutOff,
    /// Of infantry: to its officer, who is cut off himself.
    Officer,
    /// As far as it goes: of infantry and officers to the commander, of a commander to his Home Area.
    Whole,
}

impl Line {
    /// The value of the column.
    pub(crate) fn value(self) -> i32 {
        self as i32
    }
}

impl Control {
    /// The officers of a formation on the map, of a side. Several may be.
    pub(crate) fn officers_of<S: Sight>(
        &self,
        sight: &S,
        side: SideId,
        formation: WordId,
        areas: &[SpaceId],
    ) -> Bodies {
        let all = areas.iter().flat_map(|&area| sight.bodies_of(side, area));
        all.filter(|&body| {
            sight.is(body, self.units.sets.officers).is_yes()
                && self.units.formation(sight, body) == Some(formation)
        })
        .collect()
    }
}

impl Cwcs {
    /// How far the line of a body reached when it was last checked: a [`Line`] by its value.
    pub(crate) fn line<S: Sight>(&self, sight: &S, body: BodyId) -> Option<i32> {
        sight.get(self.columns.communications, sight.piece(body)?)
    }

    /// Who may replace fallen officers of a side now, one a formation that has lost its officer: the named replacement
    /// while he has not fallen, then one without rating (11.32).
    ///
    /// A formation has lost its officer when one of its own lies among the eliminated and none is on the map.
    pub(crate) fn replacements<S: Sight>(&self, sight: &S, side: SideId) -> Bodies {
        let boxes = self.boxes(side);
        let mut found = Bodies::new();
        let mut seen: SmallVec<[WordId; 4]> = SmallVec::new();
        for fallen in sight.bodies(boxes.eliminated) {
            let formation = self.units.formation(sight, fallen).filter(|f| !seen.contains(f));
            let Some(formation) = formation.filter(|f| self.is_officer_of(sight, fallen, *f)) else {
                continue;
            };
            seen.push(formation);
            if !self.control.officers_of(sight, side, formation, &self.map.areas).is_empty() {
                continue;
            }
            let waiting = sight.bodies(boxes.pool).into_iter();
            // Officers without rating are as many as are wanted: one that fell comes again (11.32.a).
            let again = sight.bodies(boxes.eliminated).into_iter();
            let again = again.filter(|&b| self.succession(sight, b) >= GENERIC);
            let may = waiting.chain(again).filter(|&b| self.is_officer_of(sight, b, formation));
            found.extend(may.min_by_key(|&b| self.succession(sight, b)));
        }
        found
    }

    fn is_officer_of<S: Sight>(&self, sight: &S, body: BodyId, formation: WordId) -> bool {
        sight.is(body, self.pieces.sets.officers).is_yes()
            && self.units.formation(sight, body) == Some(formation)
    }

    fn succession<S: Sight>(&self, sight: &S, body: BodyId) -> i32 {
        sight.attribute(body, self.pieces.succession).unwrap_or(0)
    }

    /// Whether a unit of a formation stands in an area: there its new officer may be placed (11.32).
    pub(crate) fn has_unit_of<S: Sight>(
        &self,
        sight: &S,
        side: SideId,
        area: SpaceId,
        formation: WordId,
    ) -> bool {
        sight.bodies_of(side, area).into_iter().any(|body| {
            sight.is(body, self.pieces.sets.units).is_yes()
                && self.units.formation(sight, body) == Some(formation)
        })
    }
}

/// The succession of officers without rating, who are never used up (11.32.a).
const GENERIC: i32 = 2;

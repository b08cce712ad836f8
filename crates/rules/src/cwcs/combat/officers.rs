//! What officers do for the fire of their Line Position (11.2).

use adjutant_kernel::{AttributeId, Cx, SideId, Sight, WordId};
use smallvec::SmallVec;

use super::fight::Fight;
use super::lines::LinePosition;
use crate::cwcs::Cwcs;
use crate::cwcs::units::Bodies;

impl Cwcs {
    /// The officers in a position.
    pub(crate) fn line_officers<S: Sight>(&self, sight: &S, side: SideId, position: LinePosition) -> Bodies {
        let mut bodies = self.in_line(sight, side, position);
        bodies.retain(|body| sight.is(*body, self.pieces.sets.officers).is_yes());
        bodies
    }

    /// The formations of the regular infantry in a position, each once.
    pub(crate) fn line_formations(
        &self,
        cx: &Cx<'_>,
        side: SideId,
        position: LinePosition,
    ) -> SmallVec<[WordId; 4]> {
        let mut found = SmallVec::new();
        for body in self.line_units(&cx.truth(), side, position) {
            let formation = self.units.formation(&cx.truth(), body);
            if cx.read().is(body, self.pieces.sets.infantry)
                && let Some(formation) = formation.filter(|f| !found.contains(f))
            {
                found.push(formation);
            }
        }
        found
    }

    /// Whether the officer of a position that fires gives it a column (11.21, 11.22): he is the only one there, all its
    /// regular infantry is of his formation, and the target has no officer or none with as high a rating.
    pub(crate) fn officer_helps(
        &self,
        cx: &Cx<'_>,
        fight: &Fight,
        (side, position): (SideId, LinePosition),
        target: LinePosition,
    ) -> bool {
        // Officers have no effect where cavalry intercepts (8.23.b).
        if fight.interception {
            return false;
        }
        let truth = cx.truth();
        let [officer] = self.line_officers(&truth, side, position)[..] else { return false };
        let formations = self.line_formations(cx, side, position);
        let his = self.units.formation(&truth, officer);
        if his.is_none() || formations[..] != *his.as_slice() {
            return false;
        }
        let attacks = side == fight.attacker;
        let (own, other) = if attacks {
            (self.pieces.offence, self.pieces.defence)
        } else {
            (self.pieces.defence, self.pieces.offence)
        };
        let rating = |body, attribute: AttributeId| truth.attribute(body, attribute).unwrap_or(0);
        let others = self.line_officers(&truth, self.enemy(side), target);
        others.iter().all(|&enemy| rating(officer, own) > rating(enemy, other))
    }
}

//! Control of areas (3.4), on the truth and on what a side knows.
//!
//! Ineffective units exert none (3.53) and those without strength neither (7.44), which everybody sees; what kinds
//! do is said by the sets `controls` and `controls with artillery`, so that control is a question about a set of
//! bodies, and can be answered to a seat that may not know them.

use adjutant_kernel::knowledge::{About, Sight, Tri};
use adjutant_kernel::ops::Telling;
use adjutant_kernel::rulebook::{Column, Rulebook};
use adjutant_kernel::state::Read;
use adjutant_kernel::{
    Audience, BodyId, Cx, FeatureId, Halt, LinkId, MomentId, PieceId, PieceSetId, RuleId, SideId, SpaceId,
};

use super::Cwcs;
use super::map::Map;
use super::pieces::{Columns, Pieces};
use super::units::Units;

/// What control hangs on: no more than numbers, so that questions can keep it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Control {
    pub(crate) units: Units,
    controls: PieceSetId,
    with_artillery: PieceSetId,
    rough: FeatureId,
    mountain: FeatureId,
    major_river: FeatureId,
    pub(crate) communications: Column<PieceId>,
}

impl Control {
    pub(crate) fn new(pieces: &Pieces, columns: &Columns, map: &Map, units: &Units) -> Self {
        Self {
            units: *units,
            controls: pieces.sets.controls,
            with_artillery: pieces.sets.controls_with_artillery,
            rough: map.rough,
            mountain: map.mountain,
            major_river: map.major_river,
            communications: columns.communications,
        }
    }

    /// Whether artillery exerts control in an area (3.44): in mountains and rough country, or against those who come
    /// over the link `over`, a crossing point of a major river.
    pub(crate) fn artillery_counts(&self, rulebook: &Rulebook, area: SpaceId, over: Option<LinkId>) -> bool {
        let board = rulebook.board();
        let river = |link: LinkId| {
            board.border_of_link(link).is_some_and(|b| board.has_feature_border(b, self.major_river))
        };
        board.has_feature_space(area, self.rough)
            || board.has_feature_space(area, self.mountain)
            || over.is_some_and(river)
    }

    /// The set of those whose presence is control in an area.
    fn set(&self, rulebook: &Rulebook, area: SpaceId, over: Option<LinkId>) -> PieceSetId {
        if self.artillery_counts(rulebook, area, over) { self.with_artillery } else { self.controls }
    }

    /// Whether one of the bodies that may control does, in truth.
    pub(crate) fn controls_alone(&self, read: Read<'_>, body: BodyId, area: SpaceId) -> bool {
        read.is(body, self.set(read.rulebook(), area, None))
    }

    /// Whether a side controls an area (3.4), alone or together with the other: in truth, or as far as a side knows.
    /// `over` is the link by which somebody comes in or would, for which artillery may count (3.44).
    pub(crate) fn controls<S: Sight>(
        &self,
        sight: &S,
        side: SideId,
        area: SpaceId,
        over: Option<LinkId>,
    ) -> Tri {
        let bodies = self.units.may_control(sight, side, area);
        if bodies.is_empty() {
            return Tri::No;
        }
        sight.any(self.set(sight.rulebook(), area, over), &bodies)
    }
}

/// What there was where nobody controls an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unmasked {
    /// It has real units there that exert no control; dummies beside them stay hidden.
    Held,
    /// It had dummies and leaders alone: the dummies are gone, the leaders are known for such.
    Empty,
}

impl Cwcs {
    /// Says to all whether `owner` controls an area, by a rule; it stands until a moment.
    pub(crate) fn tell_control(
        &self,
        cx: &mut Cx<'_>,
        (owner, area): (SideId, SpaceId),
        over: Option<LinkId>,
        rule: RuleId,
        lapse: MomentId,
    ) -> Result<bool, Halt> {
        let bodies = self.units.may_control(&cx.truth(), owner, area);
        if bodies.is_empty() {
            return Ok(false);
        }
        let question = match self.control.artillery_counts(cx.rulebook(), area, over) {
            true => self.questions.controls_with_artillery,
            false => self.questions.controls,
        };
        let audience = Audience::ALL;
        let about = About::Bodies;
        Ok(cx.tell(Telling { question, bodies: &bodies, about, audience, rule, lapse })? != 0)
    }

    /// Says to all whether there is a real unit among bodies, by a rule; it stands until a moment.
    pub(crate) fn tell_units(
        &self,
        cx: &mut Cx<'_>,
        bodies: &[BodyId],
        rule: RuleId,
        lapse: MomentId,
    ) -> Result<bool, Halt> {
        if bodies.is_empty() {
            return Ok(false);
        }
        let (question, audience, about) = (self.questions.units, Audience::ALL, About::Bodies);
        Ok(cx.tell(Telling { question, bodies, about, audience, rule, lapse })? != 0)
    }

    /// What follows when all know that `owner` does not control an area (3.22): they are told whether he has a real unit
    /// there. If not, his dummies are revealed, and so removed, and of the others it is said what they are.
    pub(crate) fn unmask(
        &self,
        cx: &mut Cx<'_>,
        (owner, area): (SideId, SpaceId),
        rule: RuleId,
        lapse: MomentId,
    ) -> Result<Unmasked, Halt> {
        let bodies = self.here(cx, owner, area);
        if self.tell_units(cx, &bodies, rule, lapse)? {
            return Ok(Unmasked::Held);
        }
        self.single_out(cx, &bodies, rule)?;
        Ok(Unmasked::Empty)
    }

    /// Among bodies none of which is a real unit, as all know, the dummies are revealed, and so removed; of the others it
    /// is said what they are. Each gets a release, whatever it is: who gets none would be known by that.
    pub(crate) fn single_out(&self, cx: &mut Cx<'_>, bodies: &[BodyId], rule: RuleId) -> Result<(), Halt> {
        let sets = &self.pieces.sets;
        for &body in bodies {
            // Markers lie open.
            if cx.read().face_up(body) || cx.rulebook().deck_of(body).is_none() {
                continue;
            }
            if cx.read().is(body, sets.dummies) {
                cx.reveal(body, rule)?;
                continue;
            }
            let kind = if cx.read().is(body, sets.leaders) { sets.leaders } else { self.others };
            if cx.read().is(body, kind) && !cx.common().is(body, kind).is_yes() {
                cx.narrow(body, kind, rule)?;
            }
        }
        Ok(())
    }
}

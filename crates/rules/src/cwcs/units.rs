//! Units (2.1): strength, losses, stragglers, ineffectiveness (3.5), formations.
//!
//! What a unit has lost is its owner's secret (3.5); that it is ineffective, or has no strength left, a marker shows
//! to all. So whatever both sides must agree on hangs on the markers, which are columns of the body.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::Sight;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{Column, ValueKind};
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    AttributeId, BodyId, Cx, Halt, PieceId, RuleId, RulebookBuilder, SideId, SpaceId, WordId,
};
use smallvec::SmallVec;

use super::Cwcs;
use super::pieces::{Columns, Pieces, Sets};

/// Bodies in the order in which they stand.
pub(crate) type Bodies = SmallVec<[BodyId; 8]>;

/// What is asked of a unit, in itself: no more than numbers, so that questions can keep it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    strength: AttributeId,
    formation: AttributeId,
    pub(crate) sets: Sets,
    losses: Column<PieceId>,
    stragglers: Column<PieceId>,
    ineffective: Column<BodyId>,
    spent: Column<BodyId>,
    no_control: Column<BodyId>,
    /// The column of titles whose units change their formation.
    formation_now: Option<Column<PieceId>>,
    none: WordId,
}

impl Units {
    pub(crate) fn new(rb: &mut RulebookBuilder, pieces: &Pieces, columns: &Columns) -> Self {
        Self {
            formation_now: rb.so_far().column_named("formation now"),
            none: rb.word("none"),
            strength: pieces.strength,
            formation: pieces.formation,
            sets: pieces.sets,
            losses: columns.losses,
            stragglers: columns.stragglers,
            ineffective: columns.ineffective,
            spent: columns.spent,
            no_control: columns.no_control,
        }
    }

    /// The strength that a unit has now (2.11.e), in points; `None` where who looks may not know it.
    pub(crate) fn strength<S: Sight>(&self, sight: &S, body: BodyId) -> Option<i32> {
        let piece = sight.piece(body)?;
        let printed = sight.attribute(body, self.strength)?;
        let lost = sight.get(self.losses, piece)? + sight.get(self.stragglers, piece)?;
        Some((printed - lost).max(0))
    }

    /// Whether a body carries no marker that takes its control away: it is neither ineffective nor without strength
    /// (3.53, 7.44). Everybody sees that.
    pub(crate) fn is_effective<S: Sight>(&self, sight: &S, body: BodyId) -> bool {
        !sight.flag(self.ineffective, body) && !sight.flag(self.spent, body)
    }

    /// The bodies of a side in an area whose control may count: effective ones, of which the title has not said that
    /// they exert none. It hangs on what everybody sees alone.
    pub(crate) fn may_control<S: Sight>(&self, sight: &S, side: SideId, area: SpaceId) -> Bodies {
        let may = |body: &BodyId| self.is_effective(sight, *body) && !sight.flag(self.no_control, *body);
        sight.bodies_of(side, area).into_iter().filter(may).collect()
    }

    /// The formation that a unit or leader belongs to (2.11.c), by the word of the title: `None` for those without,
    /// and where who looks may not know it.
    ///
    /// A title whose units change their formation has a column `formation now` of pieces, whose first choice stands
    /// for what is printed.
    pub(crate) fn formation<S: Sight>(&self, sight: &S, body: BodyId) -> Option<WordId> {
        let (rulebook, piece) = (sight.rulebook(), sight.piece(body)?);
        let word = |kind: &ValueKind, value: i32| match kind {
            ValueKind::Choice(words) => words.get(usize::try_from(value).ok()?).copied(),
            _ => None,
        };
        let now = self.formation_now.and_then(|column| Some((column, sight.get(column, piece)?)));
        if let Some((column, now)) = now.filter(|(_, now)| *now > 0) {
            return word(&rulebook.column(column.id).kind, now).filter(|w| *w != self.none);
        }
        let printed = sight.attribute(body, self.formation)?;
        word(&rulebook.attributes()[self.formation.index()].kind, printed).filter(|w| *w != self.none)
    }

    /// How those who may not see losses imagine them: so that they agree with the markers.
    pub(crate) fn samplers(&self, rb: &mut RulebookBuilder, pieces: &Pieces, columns: &Columns) {
        let (units, strength, at) = (*self, pieces.strength, pieces.ineffective_at);
        rb.sampler(columns.losses, move |s| {
            let Some(body) = s.read.body_of(PieceId(s.holder)) else { return 0 };
            let printed = s.read.attribute(body, strength).unwrap_or(0);
            let limit = s.read.attribute(body, at).unwrap_or(0);
            if printed == 0 || s.read.flag(units.spent, body) {
                0
            } else if s.read.flag(units.ineffective, body) {
                s.between((printed - limit).max(0), printed - 1)
            } else {
                s.between(0, (printed - limit - 1).max(0))
            }
        });
        rb.sampler(columns.stragglers, move |s| {
            let Some(body) = s.read.body_of(PieceId(s.holder)) else { return 0 };
            // A unit without strength has lost it by straggling: else it would be eliminated.
            if s.read.flag(units.spent, body) { s.read.attribute(body, strength).unwrap_or(0) } else { 0 }
        });
    }
}

impl Cwcs {
    /// The bodies of a side in an area or another spot, all of them, in order.
    pub(crate) fn here(&self, cx: &Cx<'_>, side: SideId, area: SpaceId) -> Bodies {
        cx.read().bodies_of(side, area).collect()
    }

    /// A unit loses strength in combat (10.11), or none; at most what it has. One that has none left is eliminated. What
    /// all see of it is said first, whatever it is.
    ///
    /// Gives the points that it lost.
    pub(crate) fn lose(&self, cx: &mut Cx<'_>, body: BodyId, points: i32, rule: RuleId) -> Result<i32, Halt> {
        let piece = cx.read().piece(body);
        let lost = points.min(self.units.strength(&cx.truth(), body).unwrap_or(0)).max(0);
        cx.add(self.columns.losses, piece, lost)?;
        let printed = cx.read().attribute(body, self.pieces.strength).unwrap_or(0);
        let all_by_combat = cx.get(self.columns.losses, piece) >= printed;
        // Stragglers come back, but not those of artillery (7.42).
        let spent = self.units.strength(&cx.truth(), body) == Some(0);
        let is_gone = all_by_combat || (spent && cx.read().is(body, self.pieces.sets.artillery));
        self.say_what_is_left(cx, body, is_gone.then_some(rule), rule)?;
        Ok(lost)
    }

    /// A unit loses strength by straggling (7.45), or none; at most what it has. Artillery without strength is
    /// eliminated, other units stay (7.44). What all see of it is said first, whatever it is.
    pub(crate) fn straggle(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        points: i32,
        rule: RuleId,
    ) -> Result<i32, Halt> {
        let piece = cx.read().piece(body);
        let lost = points.min(self.units.strength(&cx.truth(), body).unwrap_or(0)).max(0);
        cx.add(self.columns.stragglers, piece, lost)?;
        cx.add(self.movement.marks.straggled, piece, lost)?;
        let left = self.units.strength(&cx.truth(), body).unwrap_or(0);
        let is_gone = left == 0 && lost > 0 && cx.read().is(body, self.pieces.sets.artillery);
        self.say_what_is_left(cx, body, is_gone.then_some(self.rules.artillery_spent), rule)?;
        Ok(lost)
    }

    /// Says what all see of a unit after a loss, by the rule of the loss: that it is eliminated, and by which rule it is
    /// then taken away, or its markers (3.53, 7.44).
    fn say_what_is_left(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        eliminated_by: Option<RuleId>,
        rule: RuleId,
    ) -> Result<(), Halt> {
        let Some(gone) = eliminated_by else { return self.mark_openly(cx, body, rule) };
        self.say_condition(cx, body, (self.w.eliminated, false), rule)?;
        self.eliminate(cx, body, gone)
    }

    /// A unit gets stragglers back (7.4); at most what it has lost so.
    pub(crate) fn recover(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        points: i32,
        rule: RuleId,
    ) -> Result<i32, Halt> {
        let piece = cx.read().piece(body);
        let back = points.min(cx.get(self.columns.stragglers, piece)).max(0);
        if back > 0 {
            cx.add(self.columns.stragglers, piece, -back)?;
        }
        if !self.units.is_effective(&cx.truth(), body) {
            self.mark_openly(cx, body, rule)?;
        }
        Ok(back)
    }

    /// Says to all which markers a unit bears now (3.53, 7.44), also if they are what they were: what they hang on is
    /// its owner's secret. Then sets them.
    pub(crate) fn mark_openly(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let w = &self.w;
        let condition = match self.markers(cx, body) {
            (is, true) => (w.spent, is),
            (true, false) => (w.ineffective, true),
            (false, false) => (w.effective, false),
        };
        self.say_condition(cx, body, condition, rule)?;
        self.mark(cx, body, rule)
    }

    fn say_condition(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        (condition, ineffective): (WordId, bool),
        rule: RuleId,
    ) -> Result<(), Halt> {
        cx.publish(self.w.condition, rule, |e| {
            let read = e.read();
            let unit = if read.face_up(body) { Arg::Piece(read.piece(body)) } else { Arg::KnownBody(body) };
            e.about(self.w.unit, unit);
            e.answer(self.w.result, Arg::Word(condition));
            // Who has no strength left is ineffective too, unless he has no number (3.52).
            e.answer(self.w.ineffective, Arg::Flag(ineffective));
        })
    }

    /// Whether a unit is ineffective, and whether it has no strength left. Those that have no strength at all are neither:
    /// in a world that is only imagined one of them may bear a marker.
    fn markers(&self, cx: &Cx<'_>, body: BodyId) -> (bool, bool) {
        let Some(strength) = self.units.strength(&cx.truth(), body) else { return (false, false) };
        let limit = cx.read().attribute(body, self.pieces.ineffective_at).unwrap_or(0);
        (limit > 0 && strength <= limit, strength == 0)
    }

    /// Sets the markers of a unit by its strength (3.52, 7.44), which everybody sees.
    pub(crate) fn mark(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let (is, spent) = self.markers(cx, body);
        let was = cx.flag(self.columns.ineffective, body);
        cx.set(self.columns.ineffective, body, i32::from(is))?;
        cx.set(self.columns.spent, body, i32::from(spent))?;
        if was != is {
            let (event, rule) =
                if is { (self.w.ineffective, self.rules.ineffective) } else { (self.w.restored, rule) };
            cx.story(event, Some(rule), |e| e.arg(self.w.unit, Arg::Body(body)));
        }
        Ok(())
    }

    /// A unit or leader is eliminated: it goes, face up, where the eliminated lie.
    pub(crate) fn eliminate(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let Some(side) = cx.read().side(body) else { return Ok(()) };
        // That there was a real unit among others may no longer be so.
        cx.lapse_about(&[body], false)?;
        cx.clear_markers(body)?;
        cx.lapse_about(&[body], false)?;
        let to = self.boxes(side).eliminated;
        cx.move_group(self.w.eliminated, &[body], Dest::Place(to, Position::Bottom))?;
        cx.settle(to)?;
        let piece = cx.read().piece(body);
        cx.story(self.w.eliminated, Some(rule), |e| {
            e.arg(self.w.unit, Arg::Piece(piece));
            e.arg(self.w.side, Arg::Side(side));
        });
        Ok(())
    }
}

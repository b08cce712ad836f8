//! Which level a viewer sees the bodies of a place at.

use crate::ids::*;
use crate::rulebook::{Level, LevelCondition, unruled};
use crate::state::Read;

impl Read<'_> {
    /// The level at which `viewer` sees the bodies of `deck` (or those without one) and `side` in `place`, and
    /// the rule that says so. Owners see their own by handle; what else no rule shows is not shown
    /// (invariant 7).
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::rulebook::Level;
    /// use adjutant_kernel::{PlaceId, Read, Viewer};
    /// # let Field { rulebook, state, ids, .. } = Field::start();
    /// let read = Read::new(&rulebook, &state);
    /// let backs = rulebook.piece(ids.horse).deck;
    /// let (level, rule) = read.level(Viewer::Side(ids.red), PlaceId(ids.hill.0), backs, Some(ids.blue));
    /// assert_eq!((level, rule), (Level::Order, Some(ids.rule))); // their backs, and by which rule
    /// ```
    #[inline]
    pub fn level(
        &self,
        viewer: Viewer,
        place: PlaceId,
        deck: Option<DeckId>,
        side: Option<SideId>,
    ) -> (Level, Option<RuleId>) {
        match self.rb.fixed_levels.fixed(viewer, place, deck, side) {
            Some(level) => level,
            None => self.level_now(viewer, place, deck, side),
        }
    }

    fn level_now(
        &self,
        viewer: Viewer,
        place: PlaceId,
        deck: Option<DeckId>,
        side: Option<SideId>,
    ) -> (Level, Option<RuleId>) {
        self.rb
            .level_rules(place)
            .iter()
            .find(|rule| rule.concerns(viewer, deck, side) && self.holds_here(&rule.when, place))
            .map_or_else(|| unruled(viewer, side), |rule| (rule.level, Some(rule.rule)))
    }

    /// The level at which `viewer` sees a body where it stands now; nothing when it stands nowhere.
    #[inline]
    pub fn body_level(&self, viewer: Viewer, body: BodyId) -> (Level, Option<RuleId>) {
        match self.place(body) {
            Some(place) => self.level(viewer, place, self.rb.deck_of(body), self.side(body)),
            None => (Level::Nothing, None),
        }
    }

    /// Whether `viewer` sees the handle of a body where it stands now.
    pub fn shows_handle(&self, viewer: Viewer, body: BodyId) -> bool {
        match self.body_level(viewer, body).0 {
            Level::Nothing => false,
            Level::Number => self.face_up(body),
            Level::Order | Level::Everything => true,
            Level::Top => self.on_top(body),
        }
    }

    /// Whether a body is the top one of its stack, or in no stack.
    pub fn on_top(&self, body: BodyId) -> bool {
        match self.stack(body) {
            Some(stack) => self.loose(stack).next() == Some(body),
            None => true,
        }
    }

    fn holds_here(&self, when: &LevelCondition, place: PlaceId) -> bool {
        when.column.is_none_or(|(column, value)| self.cell(column, place.0, 0) == value)
            && when.option.is_none_or(|(option, on)| self.option(option) == on)
    }
}

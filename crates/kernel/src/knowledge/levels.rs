//! Which level a viewer sees the bodies of a place at.

use crate::ids::*;
use crate::rulebook::{Level, LevelCondition, Onlooker};
use crate::state::Read;

impl Read<'_> {
    /// The level at which `viewer` sees the bodies of `deck` (or those without one) and `side` in `place`, and
    /// the rule that says so. Owners see their own by handle; what else no rule shows is not shown
    /// (invariant 7).
    pub fn level(
        &self,
        viewer: Viewer,
        place: PlaceId,
        deck: Option<DeckId>,
        side: Option<SideId>,
    ) -> (Level, Option<RuleId>) {
        for rule in self.rb.level_rules(place) {
            let concerns = match rule.onlooker {
                Onlooker::Anyone => true,
                Onlooker::Owner => side.is_some_and(|s| viewer == Viewer::Side(s)),
                Onlooker::Others => side.is_none_or(|s| viewer != Viewer::Side(s)),
                Onlooker::Viewer(v) => v == viewer,
            };
            if concerns
                && (rule.decks.is_empty() || deck.is_some_and(|d| rule.decks.contains(&d)))
                && self.holds_here(&rule.when, place)
            {
                return (rule.level, Some(rule.rule));
            }
        }
        match (side, viewer) {
            (Some(side), Viewer::Side(own)) if side == own => (Level::Order, None),
            _ => (Level::Nothing, None),
        }
    }

    /// The level at which `viewer` sees a body where it stands now; nothing when it stands nowhere.
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

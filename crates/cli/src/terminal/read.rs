//! What people type for actions, and for files.

use adjutant::kernel::Refused;
use adjutant::kernel::SeatId;
use adjutant::kernel::view::{ShownAction, ShownTarget};

use super::Table;
use crate::words::{pieces_named, words_of};

impl Table {
    /// Reads an action as it is listed: the number of an offer, its text, or a verb and targets in whatever
    /// reading means most to the seat.
    pub(super) fn read_action(&mut self, seat: SeatId, text: &str, offers: &[ShownAction]) -> ShownAction {
        let by_number = text.parse::<usize>().ok().and_then(|n| offers.get(n.wrapping_sub(1)));
        if let Some(offer) = by_number.or_else(|| offers.iter().find(|o| o.to_string() == text)) {
            return offer.clone();
        }
        let nothing = || ShownAction { verb: text.to_owned(), targets: Vec::new() };
        let words = words_of(text);
        let Some(verb) = words.first() else { return nothing() };
        let position = self.game.view(seat).position;
        let known = adjutant::text::known(&position);
        let mut actions = vec![ShownAction { verb: verb.clone(), targets: Vec::new() }];
        for word in words[1..].iter().take(4) {
            let longer = |a: &ShownAction| {
                let with = |target| {
                    let mut action = a.clone();
                    action.targets.push(target);
                    action
                };
                pieces_named(word, &known).into_iter().chain(readings(word)).map(with).collect::<Vec<_>>()
            };
            let means = |a: &ShownAction| !matches!(self.game.explain(seat, a), Some(Refused::Unknown(_)));
            let (good, bad): (Vec<_>, Vec<_>) = actions.iter().flat_map(longer).partition(means);
            actions = if good.is_empty() { bad } else { good };
            actions.truncate(16);
        }
        let rank = |a: &ShownAction| match self.game.explain(seat, a) {
            None => 0,
            Some(Refused::Rule { .. }) => 1,
            Some(Refused::Unknown(_)) => 3,
            Some(_) => 2,
        };
        actions.into_iter().min_by_key(rank).unwrap_or_else(nothing)
    }
}

/// What follows the first word of a line, without quotes around it.
pub(super) fn argument(line: &str) -> &str {
    let rest = line.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim());
    rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(rest)
}

/// The readings of a word as a target.
fn readings(word: &str) -> Vec<ShownTarget> {
    let text = word.trim_start_matches('/').to_owned();
    let mut all = Vec::new();
    if let Ok(number) = word.parse() {
        all.push(ShownTarget::Number(number));
    }
    all.extend([
        ShownTarget::Stack(text.clone()),
        ShownTarget::Body(text.clone()),
        ShownTarget::Link(text.clone()),
        ShownTarget::Place(text.clone()),
        ShownTarget::Choice(text.clone()),
        ShownTarget::Piece(text.clone()),
        ShownTarget::Side(text),
    ]);
    all
}

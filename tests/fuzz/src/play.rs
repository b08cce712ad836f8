//! What is done with a game that came out of spoilt input: everything that a frontend does.

use adjutant::kernel::SeatId;
use adjutant::{Game, Random, Save};

/// Plays some decisions, looking at everything, then saves and loads. That nothing panics is the test; what must
/// hold besides is asserted.
pub(crate) fn play(game: &mut Game, decisions: usize, random: &mut Random) {
    for _ in 0..decisions {
        if game.ended() {
            break;
        }
        let seats: Vec<SeatId> = game.rulebook().seat_ids().collect();
        let mut offered = Vec::new();
        for &seat in &seats {
            let packet = game.packet(seat);
            offered.extend(packet.offers.into_iter().map(|action| (seat, action)));
        }
        // At a fault of the rules nobody is offered anything.
        let Some((seat, action)) = random.pick(&offered).cloned() else { break };
        let undone = random.below(8) == 0 && seats.iter().any(|s| game.may_undo(*s) && game.undo(*s).is_ok());
        if undone {
            continue;
        }
        let _ = game.explain(seat, &action);
        if game.act(seat, None, &action).is_err() {
            break;
        }
    }
    goes_on(game);
}

/// Everybody can look, and the game can be saved, loaded and replayed.
pub(crate) fn goes_on(game: &mut Game) {
    let seats: Vec<SeatId> = game.rulebook().seat_ids().collect();
    for seat in seats {
        let _ = (game.packet(seat), game.replay(seat));
    }
    let save = game.save_with_snapshot();
    let read = Save::from_json(&save.to_json());
    assert!(read.as_ref() == Ok(&save), "a save is read as it was written");
    let rules = game.rules().clone();
    match Game::load(&rules, &save) {
        Ok(again) => assert!(again.digest() == game.digest(), "a game goes on where it was saved"),
        Err(error) => panic!("what was saved cannot be loaded: {error}"),
    }
}

/// The journal leads to the position, entry by entry. (The one of a spoilt save need not.)
pub(crate) fn replays(game: &Game) {
    let rules = game.rules().clone();
    let checked = Game::check_save(&rules, &game.save_with_snapshot());
    assert!(checked.is_ok(), "what was played cannot be replayed: {checked:?}");
}

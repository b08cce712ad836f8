//! Random players.

use adjutant::kernel::{Refused, SeatId, flow};
use adjutant::{Game, Random};

/// Lets a seat that is asked do something at random; `false` when the game has ended.
///
/// # Errors
/// When the rules are at fault, or offer nothing to whom they ask.
pub fn random_step(game: &mut Game, random: &mut Random) -> Result<bool, Refused> {
    match flow::pick_asked(game.state(), &mut |n| random.below(n)) {
        Some((seat, _)) => random_move(game, seat, random).map(|()| true),
        None => Ok(false),
    }
}

/// Lets a seat do something at random: what is offered is accepted, unless the rules are at fault.
pub(crate) fn random_move(game: &mut Game, seat: SeatId, random: &mut Random) -> Result<(), Refused> {
    let offers = game.offers(seat);
    match random.pick(&offers) {
        Some(action) => game.act(seat, None, action).map(drop),
        None => Err(Refused::NotOffered),
    }
}

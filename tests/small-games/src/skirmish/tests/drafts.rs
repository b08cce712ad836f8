//! The march through the facade: a draft until it is done, and a mid-battle end as a seat sees it.

use adjutant::{Game, Random, Save, Setup};

use super::*;

fn game(seed: u64) -> Game {
    let rulebook = Arc::new(crate::skirmish::rulebook().unwrap());
    Game::start(&rulebook, Setup { options: Vec::new(), seed, ..Setup::default() }).unwrap()
}

#[test]
fn sk_3_a_march_is_a_draft_until_it_is_done() {
    let mut game = game(3);
    let (blue, red) = (SeatId(0), SeatId(1));
    let (start, shown) = (game.digest(), game.view(red));
    let offers = game.offers(blue);
    game.act(blue, None, &offers[0]).unwrap();
    assert_ne!(game.digest(), start);
    assert_eq!(game.view(red), shown);
    assert!(game.may_undo(blue));
    game.undo(blue).unwrap();
    assert_eq!(game.digest(), start);

    game.act(blue, None, &offers[0]).unwrap();
    let done = game.offers(blue).into_iter().last().unwrap();
    game.act(blue, None, &done).unwrap();
    assert!(!game.may_undo(blue), "the march is shown");
    assert_ne!(game.view(red), shown);
}

/// A whole game by its journal and by its save gives the same digest.
#[test]
fn a_save_goes_on_the_same() {
    let (mut random, mut game) = (Random::new(5), game(5));
    while let Some(asked) = flow::asked(game.state()) {
        let offers = game.offers(asked.seats[0]);
        let action = random.pick(&offers).unwrap().clone();
        game.act(asked.seats[0], None, &action).unwrap();
    }
    let save: Save = game.save();
    let again = Game::load(game.rulebook(), &save).unwrap();
    assert_eq!(again.digest(), game.digest());
}

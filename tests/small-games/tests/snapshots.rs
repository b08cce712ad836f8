//! Every state that random play of a small game comes to is the same again from its names, and every game goes
//! on from a snapshot.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;

use adjutant::kernel::chance::Key;
use adjutant::kernel::state::NamedState;
use adjutant::{Game, Random, Setup, Sim};
use small_games::catalogue::GAMES;

#[test]
fn states_and_sampled_worlds_come_back() {
    for game in GAMES {
        let rb = Arc::new((game.rulebook)().expect("a sound rulebook"));
        let (mut random, mut states) = (Random::new(11), 0);
        for seed in 0..3 {
            let mut sim = Sim::start(&rb, Key::from_seed(seed), 0).expect("it begins");
            let mut steps = 0;
            loop {
                assert_eq!(sim.state().round_trip(&rb), Ok(()), "{} seed {seed} step {steps}", game.name);
                states += 1;
                if steps % 8 == 0 {
                    let named = sim.state().named(&rb);
                    let json = serde_json::to_string(&named).expect("names have a JSON form");
                    assert_eq!(serde_json::from_str::<NamedState>(&json).expect("it is read"), named);
                    for viewer in rb.viewers() {
                        let world = sim.determinize(viewer, &mut random).expect("a world");
                        assert_eq!(world.round_trip(&rb), Ok(()), "{} for {viewer:?}", game.name);
                    }
                }
                steps += 1;
                if steps > 400 || !sim.random_step(&mut random).expect("it goes on") {
                    break;
                }
            }
        }
        assert!(states > 10, "{}: {states} states", game.name);
    }
}

#[test]
fn games_go_on_from_snapshots() {
    for small in GAMES {
        let rb = Arc::new((small.rulebook)().expect("a sound rulebook"));
        let mut random = Random::new(12);
        let mut game =
            Game::start(&rb, Setup { options: Vec::new(), seed: 5, ..Setup::default() }).expect("it begins");
        for step in 0..60 {
            let asked = rb.seat_ids().find(|s| !game.offers(*s).is_empty());
            let Some(seat) = asked.filter(|_| !game.ended()) else { break };
            let offers = game.offers(seat);
            let action = random.pick(&offers).expect("something is offered").clone();
            game.act(seat, None, &action).expect("what is offered is accepted");
            if step % 6 == 0 {
                let cut = Game::load(&rb, &game.save_from_snapshot()).expect("it loads");
                assert_eq!(cut.state(), game.state(), "{} step {step}", small.name);
            }
        }
        let checked = Game::check_save(&rb, &game.save_with_snapshot()).expect("it is sound");
        assert_eq!(checked.entries, game.entries(), "{}", small.name);
    }
}

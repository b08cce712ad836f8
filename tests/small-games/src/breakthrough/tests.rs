use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::{Action, Rulebook, SeatId, State, Worker};

use super::*;
use crate::playout::{Random, Scratch, play_out};

fn start(rb: &Rulebook, worker: &mut Worker) -> State {
    flow::start(rb, worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap()
}

fn perft(rb: &Rulebook, worker: &mut Worker, st: &State, depth: u32) -> u64 {
    let Some(asked) = flow::asked(st) else { return 0 };
    let seat = asked.seats[0];
    let mut list = Vec::new();
    flow::offers(rb, worker, st, seat, &mut list).unwrap();
    if depth == 1 {
        return list.len() as u64;
    }
    let child = |action: &Action| {
        let mut next = st.clone();
        flow::act(rb, worker, &mut Sink::off(), &mut next, seat, action).unwrap();
        perft(rb, worker, &next, depth - 1)
    };
    list.iter().map(child).sum()
}

/// Plays moves such as `a2-b3`.
fn play(rb: &Rulebook, worker: &mut Worker, st: &mut State, moves: &[&str]) {
    for text in moves {
        let action = read(rb, st, text);
        let seat = flow::asked(st).unwrap().seats[0];
        assert_eq!(flow::judge(rb, worker, st, seat, &action).unwrap(), Some(Ok(())), "{text}");
        flow::act(rb, worker, &mut Sink::off(), st, seat, &action).unwrap();
    }
}

fn read(rb: &Rulebook, st: &State, text: &str) -> Action {
    let (from, to) = text.split_once('-').unwrap();
    let square = |name: &str| rb.board().space_named(name).unwrap();
    let pawn = adjutant_kernel::Read::new(rb, st).loose(square(from)).next().unwrap();
    Action::new(rb.word_named("move").unwrap()).on(pawn).on(square(to))
}

fn outcome(rb: &Rulebook, st: &State) -> (u8, String) {
    let outcome = st.outcome().unwrap();
    (outcome.winner.unwrap().0, rb.rule(outcome.rule.unwrap()).to_owned())
}

/// bt:1 to bt:5, all together: the number of sequences of moves.
#[test]
fn perft_from_the_start() {
    let (rb, mut worker) = (rulebook().unwrap(), Worker::new());
    let st = start(&rb, &mut worker);
    let counts: Vec<u64> = (1..=4).map(|depth| perft(&rb, &mut worker, &st, depth)).collect();
    assert_eq!(counts, [22, 484, 11_132, 256_036]);
}

#[test]
#[ignore = "takes seconds without optimisation"]
fn perft_to_depth_five() {
    let (rb, mut worker) = (rulebook().unwrap(), Worker::new());
    let st = start(&rb, &mut worker);
    assert_eq!(perft(&rb, &mut worker, &st, 5), 6_182_818);
}

#[test]
fn random_games_end() {
    let rb = rulebook().unwrap();
    let mut scratch = Scratch { worker: Worker::new().checking(), ..Scratch::default() };
    let st = start(&rb, &mut scratch.worker);
    let mut won = [0; 2];
    for seed in 0..100 {
        let mut game = st.clone();
        let actions = play_out(&rb, &mut scratch, &mut game, &mut Random::new(seed)).unwrap();
        assert!(actions <= 2 * 16 * 7);
        won[game.outcome().unwrap().winner.unwrap().index()] += 1;
    }
    assert!(won.iter().all(|&n| n > 20), "{won:?}");
}

/// bt:3
#[test]
fn straight_ahead_nothing_is_captured() {
    let (rb, mut worker) = (rulebook().unwrap(), Worker::new());
    let mut st = start(&rb, &mut worker);
    play(&rb, &mut worker, &mut st, &["a2-a3", "a7-a6", "a3-a4", "a6-a5"]);
    let verdict = |worker: &Worker, text: &str| {
        let verdict = flow::judge(&rb, worker, &st, SeatId(0), &read(&rb, &st, text)).unwrap();
        verdict.map(|v| v.map_err(|refusal| rb.rule(refusal.rule).to_owned()))
    };
    assert_eq!(verdict(&worker, "a4-a5"), Some(Err("bt:3".to_owned())));
    assert_eq!(verdict(&worker, "a1-b2"), Some(Err("bt:3".to_owned())));
    assert_eq!(verdict(&worker, "a4-b5"), Some(Ok(())));
    assert_eq!(verdict(&worker, "a4-a6"), None);
}

/// bt:3, bt:4
#[test]
fn who_breaks_through_wins() {
    let (rb, mut worker) = (rulebook().unwrap(), Worker::new());
    let mut st = start(&rb, &mut worker);
    let moves = ["b2-b3", "g7-g6", "b3-b4", "g6-g5", "b4-b5", "g5-g4", "b5-b6", "g4-g3", "b6-a7", "g3-h2"];
    play(&rb, &mut worker, &mut st, &moves);
    let captured = rb.board().place_named("captured").unwrap();
    assert_eq!(adjutant_kernel::Read::new(&rb, &st).loose(captured).count(), 2);
    play(&rb, &mut worker, &mut st, &["a7-b8"]);
    assert_eq!(outcome(&rb, &st), (0, "bt:4".to_owned()));
    assert_eq!(flow::asked(&st), None);
}

/// bt:5: white hunts random black pawns that never hit back, as long as there are any.
#[test]
fn who_has_no_pawn_left_has_lost() {
    let (rb, mut worker) = (rulebook().unwrap(), Worker::new());
    let first = start(&rb, &mut worker);
    let mut ends = std::collections::BTreeSet::new();
    let mut list = Vec::new();
    for seed in 0..400 {
        let (mut st, mut random) = (first.clone(), Random::new(seed));
        while let Some(asked) = flow::asked(&st) {
            let seat = asked.seats[0];
            flow::offers(&rb, &worker, &st, seat, &mut list).unwrap();
            let read = adjutant_kernel::Read::new(&rb, &st);
            let taking = |a: &&Action| read.loose(a.space(1).unwrap()).next().is_some();
            let row = |a: &Action| a.space(1).unwrap().0 / 8;
            let pick = match seat.0 {
                0 => list.iter().find(taking).or_else(|| list.iter().min_by_key(|a| row(a))),
                _ => list
                    .iter()
                    .filter(|a| !taking(a))
                    .min_by_key(|a| row(a) as usize * 100 + random.below(100)),
            };
            let action = pick.copied().unwrap_or(list[0]);
            flow::act(&rb, &mut worker, &mut Sink::off(), &mut st, seat, &action).unwrap();
        }
        ends.insert(outcome(&rb, &st));
    }
    assert!(ends.contains(&(0, "bt:5".to_owned())), "{ends:?}");
}

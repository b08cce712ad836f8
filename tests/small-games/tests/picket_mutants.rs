//! Every deliberate fault shows somewhere: some random game goes otherwise than by the plain rules. Which twin
//! pair catches it is the business of the conformance suite.

#![cfg(feature = "mutants")]
#![allow(clippy::unwrap_used)] // a test may panic

use std::fmt::Write as _;
use std::sync::Arc;

use adjutant::Random;
use adjutant::kernel::chance::Key;
use adjutant::kernel::flow::{self, Sink};
use adjutant::kernel::state::Read;
use adjutant::kernel::view::{self, Ciphers, Names};
use adjutant::kernel::{Action, Rulebook, Worker};
use small_games::picket::{MUTANTS, Variant, rulebook};

/// All that every viewer is shown in one game, with its verdicts on what is not offered.
fn transcript(rulebook: &Rulebook, seed: u64, length: u32) -> String {
    let mut worker = Worker::new();
    let (mut random, mut ciphers) = (Random::new(seed), Ciphers::default());
    let mut state =
        flow::start(rulebook, &mut worker, &mut Sink::off(), Key::from_seed(seed), seed % 4).unwrap();
    let (mut text, mut list, mut before) = (String::new(), Vec::new(), Vec::<Action>::new());
    for _ in 0..length {
        let Some((seat, _)) = flow::pick_asked(&state, &mut |n| random.below(n)) else { break };
        flow::offers(rulebook, &worker, &state, seat, &mut list).unwrap();
        for action in &before {
            write!(text, "{:?}", flow::judge(rulebook, &worker, &state, seat, action)).unwrap();
        }
        let n = if list.len() > 1 { random.below(list.len() - 1) } else { 0 };
        let n = if random.percent(20) { list.len() - 1 } else { n };
        let action = list[n];
        let mut sink = Sink::on();
        if let Err(fault) = flow::act(rulebook, &mut worker, &mut sink, &mut state, seat, &action) {
            write!(text, "{fault}").unwrap();
            break;
        }
        let events = sink.take().0;
        let names = Names::new(state.ciphers(rulebook, &mut ciphers), Read::new(rulebook, &state));
        for viewer in rulebook.viewers() {
            for event in events.iter().filter_map(|e| e.shown(rulebook, Some(viewer))) {
                writeln!(text, "{event:?}").unwrap();
            }
            writeln!(text, "{:?}", view::view(&names, Some(viewer), None)).unwrap();
        }
        list.iter().for_each(|a| writeln!(text, "{}", names.action(None, a)).unwrap());
        before = std::mem::take(&mut list);
    }
    text
}

#[test]
fn every_fault_shows() {
    let plain = rulebook(&Variant::default()).unwrap();
    let games: Vec<String> = (0..24).map(|seed| transcript(&plain, seed, 300)).collect();
    let mut silent = Vec::new();
    for &(number, switch, _) in MUTANTS {
        let variant = Variant { mutants: vec![switch.to_owned()], ..Variant::default() };
        let faulty = Arc::new(rulebook(&variant).unwrap());
        let differs = (0..24).any(|seed| transcript(&faulty, seed, 300) != games[seed as usize]);
        if !differs {
            silent.push(format!("{number} {switch}"));
        }
    }
    assert!(silent.is_empty(), "no difference: {silent:?}");
}

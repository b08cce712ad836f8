//! Playing games to their end at random, for tests and benchmarks.

use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::{Action, Fault, Rulebook, State, Worker};

/// A small, fast source of random words (xorshift), so that a benchmark measures the rules and not the dice.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source that gives the same words for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }
}

/// What a playout uses again.
#[derive(Default)]
pub struct Scratch {
    /// Runs the rules.
    pub worker: Worker,
    /// The last list of offers.
    pub list: Vec<Action>,
}

/// Plays a position at random until the game ends; gives the number of actions.
///
/// # Errors
/// A fault of the rules; also when a seat is asked and nothing is offered to it.
pub fn play_out(
    rb: &Rulebook,
    scratch: &mut Scratch,
    st: &mut State,
    random: &mut Random,
) -> Result<u32, Fault> {
    let Scratch { worker, list } = scratch;
    let mut sink = Sink::off();
    let mut actions = 0;
    while let Some((seat, prompt)) = flow::pick_asked(st, &mut |n| random.below(n)) {
        flow::offers(rb, worker, st, seat, list)?;
        if list.is_empty() {
            return Err(flow::dead_end(rb, worker, st, seat, prompt));
        }
        let action = list[random.below(list.len())];
        flow::act(rb, worker, &mut sink, st, seat, &action)?;
        actions += 1;
    }
    Ok(actions)
}

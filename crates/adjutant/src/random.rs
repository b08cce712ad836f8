//! A seeded source of random words for bots and tests. It has nothing to do with the dice of a game, which come
//! from the game's own secret key.

use adjutant_kernel::chance;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

/// A seeded random source: the same seed gives the same numbers on every machine.
///
/// ```
/// use adjutant::Random;
/// let (mut a, mut b) = (Random::new(7), Random::new(7));
/// assert_eq!(a.word(), b.word()); // on every machine
/// assert!(a.below(6) < 6);
/// assert_eq!(a.pick(&["only"]), Some(&"only"));
/// assert!(a.percent(100) && !a.percent(0));
/// ```
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The source with a seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A random word.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n` - 1, each as likely; 0 when `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        chance::below(self.0.next_u64(), n.max(1) as u32) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

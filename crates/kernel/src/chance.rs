//! The one source of chance (invariant 8): a secret key, from which every draw of every stream follows.
//!
//! A state holds the [`Key`] and, for each stream, only how many words were drawn. The word of a stream at an
//! index is a pure function of key, stream and index, the same on every machine, so a draw can be repeated, and
//! a draw of one stream never shifts another. [`ChanceCache`] is scratch of a worker that makes consecutive
//! draws cheap; it changes no value. Nothing here may leave the kernel.

use std::fmt;

use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The secret from which all chance follows: 32 bytes. Printing it shows none of them.
///
/// ```
/// use adjutant_kernel::chance::Key;
/// let key = Key::from_seed(1862);
/// assert_eq!(format!("{key:?}"), "Key(secret)");
/// assert_ne!(key.derive("handles"), key.derive("sample"));
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key([u8; 32]);

impl Key {
    /// The key with these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Key(bytes)
    }

    /// The key of a seed number, expanded by SHA-256. For tests and play-tests: whoever knows that a game was
    /// seeded with a small number can try them all.
    pub fn from_seed(seed: u64) -> Self {
        Key(Sha256::new()
            .chain_update(b"adjutant seed 1\0")
            .chain_update(seed.to_le_bytes())
            .finalize()
            .into())
    }

    /// The 64 hexadecimal digits of the key, for a snapshot, which is the host's.
    pub(crate) fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The key with these hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
        let pairs: Vec<u8> =
            digits.chunks(2).map(|pair| pair.iter().fold(0, |n, d| n * 16 + *d as u8)).collect();
        (digits.len() == 64).then_some(pairs)?.try_into().ok().map(Key)
    }

    /// A key that is independent of this one and of those of other labels; nobody can compute this key, or
    /// another label's, from it.
    pub fn derive(&self, label: &str) -> Key {
        let digest = Sha256::new()
            .chain_update(b"adjutant derive 1\0")
            .chain_update((label.len() as u64).to_le_bytes())
            .chain_update(label)
            .chain_update(self.0)
            .finalize();
        Key(digest.into())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(secret)")
    }
}

/// 64-bit words that one call of the generator makes.
const BLOCK: u32 = 32;
/// Streams remembered at once: public, sides, seats and a few handle streams.
const STREAMS: usize = 16;

/// Scratch of a worker: the last block drawn of each of a few streams. It is no part of a state; two caches
/// give the same words, whatever either was asked before.
///
/// ```
/// use adjutant_kernel::chance::{ChanceCache, Key, die};
/// let (mut cache, key) = (ChanceCache::new(), Key::from_seed(1));
/// let third = cache.word(&key, 0, 2);
/// assert_eq!(third, ChanceCache::new().word(&key, 0, 2));
/// assert!((1..=6).contains(&die(third, 6)));
/// ```
#[derive(Clone, Default)]
pub struct ChanceCache {
    blocks: Vec<Block>,
    /// Where the last word was found.
    last: usize,
    /// What is overwritten next when all places are taken.
    next: usize,
}

#[derive(Clone)]
struct Block {
    key: Key,
    stream: u64,
    number: u32,
    words: [u64; BLOCK as usize],
}

impl ChanceCache {
    /// An empty cache.
    pub fn new() -> Self {
        ChanceCache::default()
    }

    /// The word of `stream` at `index`, from 0: the 64-bit little-endian words of the ChaCha12 key stream whose
    /// nonce is `stream`.
    #[inline]
    pub fn word(&mut self, key: &Key, stream: u64, index: u32) -> u64 {
        let (number, offset) = (index / BLOCK, (index % BLOCK) as usize);
        match self.blocks.get(self.last) {
            Some(block) if block.is(key, stream, number) => block.words[offset],
            _ => self.find(key, stream, number)[offset],
        }
    }

    fn find(&mut self, key: &Key, stream: u64, number: u32) -> &[u64; BLOCK as usize] {
        self.last = match self.blocks.iter().position(|b| b.is(key, stream, number)) {
            Some(at) => at,
            None => {
                let block = Block { key: key.clone(), stream, number, words: block(key, stream, number) };
                match self.blocks.iter().position(|b| b.stream == stream) {
                    Some(at) => {
                        self.blocks[at] = block;
                        at
                    }
                    None if self.blocks.len() < STREAMS => {
                        self.blocks.push(block);
                        self.blocks.len() - 1
                    }
                    None => {
                        let at = self.next;
                        self.next = (at + 1) % STREAMS;
                        self.blocks[at] = block;
                        at
                    }
                }
            }
        };
        &self.blocks[self.last].words
    }
}

impl Block {
    #[inline]
    fn is(&self, key: &Key, stream: u64, number: u32) -> bool {
        self.number == number && self.stream == stream && self.key == *key
    }
}

impl fmt::Debug for ChanceCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChanceCache(secret)")
    }
}

fn block(key: &Key, stream: u64, number: u32) -> [u64; BLOCK as usize] {
    let mut rng = ChaCha12Rng::from_seed(key.0);
    rng.set_stream(stream);
    rng.set_word_pos(u128::from(number) * u128::from(2 * BLOCK));
    std::array::from_fn(|_| rng.next_u64())
}

/// A number in `0..n` (0 if `n` is 0): the upper part of `word * n`.
///
/// Each number comes from either floor or ceiling of 2^64 / `n` words, so its chance differs from 1 / `n` by
/// less than 2^-64: no number of games could show it.
///
/// ```
/// use adjutant_kernel::chance::below;
/// assert_eq!((below(0, 52), below(u64::MAX / 2, 52), below(u64::MAX, 52)), (0, 25, 51));
/// ```
#[inline]
pub fn below(word: u64, n: u32) -> u32 {
    ((u128::from(word) * u128::from(n)) >> 64) as u32
}

/// The face of a die with `sides` sides, in `1..=sides` (1 if `sides` is 0); the bias is that of [`below`].
///
/// ```
/// use adjutant_kernel::chance::die;
/// assert_eq!((die(0, 6), die(u64::MAX, 6)), (1, 6));
/// ```
#[inline]
pub fn die(word: u64, sides: u16) -> i32 {
    below(word, sides.into()) as i32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(key: &Key, stream: u64, count: u32) -> Vec<u64> {
        let mut cache = ChanceCache::new();
        (0..count).map(|i| cache.word(key, stream, i)).collect()
    }

    /// Chi-square of `counts` against equal chances.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum()
    }

    /// First block of ChaCha12, 256-bit zero key and zero nonce (test case 1 of draft-strombergson-chacha).
    #[test]
    fn the_words_are_those_of_the_published_vector() {
        let key = Key::from_bytes([0; 32]);
        let bytes: Vec<u8> = words(&key, 0, 8).iter().flat_map(|w| w.to_le_bytes()).collect();
        let expected = "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f\
                        0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be";
        assert_eq!(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>(), expected);
    }

    /// Golden values, confirmed by an independent implementation: a change would break every saved game.
    #[test]
    fn known_answers() {
        let key = Key::from_seed(1862);
        assert_eq!(words(&key, 0, 3), [0xd557caa44cfbb7ed, 0x7e67edbf7feedaea, 0x91eb37c47e92be65]);
        assert_eq!(words(&key, 7, 3), [0x0755a50c670f354b, 0xd6192629b0a0fbde, 0x3639fab729d2e678]);
        let mut cache = ChanceCache::new();
        assert_eq!(cache.word(&key, 0, u32::MAX), 0x3129c3b4b69e8ff4);
        assert_eq!(cache.word(&key.derive("handles"), u64::MAX, 0), 0x42d0a107ae92c7a4);
        let dice: Vec<i32> = words(&key, 0, 20).iter().map(|&w| die(w, 6)).collect();
        assert_eq!(dice, [6, 3, 4, 5, 1, 3, 4, 5, 2, 5, 1, 1, 6, 1, 6, 4, 5, 3, 4, 1]);
    }
    #[test]
    fn any_order_of_calls_gives_the_same_words() {
        let keys = [Key::from_seed(1), Key::from_seed(2)];
        let mut busy = ChanceCache::new();
        let order = words(&Key::from_seed(99), 0, 3000);
        for w in order {
            let (key, stream, index) = (&keys[below(w, 2) as usize], (w >> 8) % 20, (w >> 16) as u32 % 100);
            let fresh = ChanceCache::new().word(key, stream, index);
            assert_eq!(busy.word(key, stream, index), fresh);
            assert_eq!(busy.word(key, stream, index), fresh);
        }
        assert!(busy.blocks.len() <= STREAMS);
    }

    #[test]
    fn below_reaches_both_ends_and_no_farther() {
        for n in [1, 2, 6, 10, 1000, u32::MAX] {
            assert_eq!((below(0, n), below(u64::MAX, n)), (0, n - 1));
        }
        assert_eq!((below(u64::MAX, 0), die(u64::MAX, 0), die(0, 6), die(u64::MAX, 6)), (0, 1, 1, 6));
    }

    /// 99.99 % bounds of chi-square: 25.7 with 5 degrees of freedom, 76 with 35, 353 with 255.
    #[test]
    fn dice_are_even_and_unrelated() {
        let key = Key::from_seed(3);
        let (public, side) = (words(&key, 0, 60_000), words(&key, 1, 60_000));
        let (mut faces, mut pairs, mut streams) = ([0; 6], [0; 36], [0; 36]);
        for i in 0..public.len() - 1 {
            let [a, b, c] = [public[i], public[i + 1], side[i]].map(|w| (die(w, 6) - 1) as usize);
            faces[a] += 1;
            pairs[6 * a + b] += 1;
            streams[6 * a + c] += 1;
        }
        assert!(chi_square(&faces) < 25.7, "{faces:?}");
        assert!(chi_square(&pairs) < 76.0, "{pairs:?}");
        assert!(chi_square(&streams) < 76.0, "{streams:?}");
        for shift in (0..64).step_by(8) {
            let mut bytes = [0; 256];
            public.iter().for_each(|w| bytes[(w >> shift) as usize & 255] += 1);
            assert!(chi_square(&bytes) < 353.0, "byte {shift}");
        }
    }

    /// What recovers a linear congruential generator from its output finds nothing here: no multiplier maps
    /// each word to the next.
    #[test]
    fn the_next_word_does_not_follow_from_the_last() {
        let w = words(&Key::from_seed(4), 0, 400);
        let recovered = w.windows(4).filter(|w| {
            let (a, b, c) = (w[1].wrapping_sub(w[0]), w[2].wrapping_sub(w[1]), w[3].wrapping_sub(w[2]));
            b.wrapping_mul(b) == a.wrapping_mul(c)
        });
        assert_eq!(recovered.count(), 0);
    }

    #[test]
    fn a_key_shows_nothing_and_survives_saving() {
        let key = Key::from_bytes([0xab; 32]);
        assert!(!format!("{key:?}").contains("ab, ") && !format!("{key:?}").contains("171"));
        let saved = postcard::to_allocvec(&key).unwrap();
        assert_eq!((saved.len(), postcard::from_bytes(&saved)), (32, Ok(key.clone())));
        let derived = [key.derive(""), key.derive("a"), key.derive("b"), Key::from_seed(0)];
        for (i, a) in derived.iter().enumerate() {
            assert!(*a != key && derived[..i].iter().all(|b| a != b));
        }
    }
}

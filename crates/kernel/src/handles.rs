//! Handles: the names by which viewers know bodies, drawn so that nothing can be told from them.
//!
//! A state keeps, for a viewer, how many handles were drawn for it, and for each body the number of its
//! handle. The text of the n-th handle comes from a keyed permutation, so that none is repeated and a viewer
//! learns neither how many there are nor in which order they were drawn.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::chance::{ChanceCache, Key, below};

const ALPHABET: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
const LONGEST: usize = 8;
const ROUNDS: usize = 8;

/// A handle as a viewer sees it: one to eight letters, no vowels, so that no words come up.
///
/// ```
/// use adjutant_kernel::handles::Handle;
/// let handle: Handle = "bcdf".parse().unwrap();
/// assert_eq!(handle.as_str(), "bcdf");
/// assert!("aeiou".parse::<Handle>().is_err()); // no vowels
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    letters: [u8; LONGEST],
    length: u8,
}

/// Why a text is no handle.
///
/// ```
/// use adjutant_kernel::handles::{Handle, NotAHandle};
/// assert_eq!("Horse".parse::<Handle>(), Err(NotAHandle));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a handle is one to eight of the letters bcdfghjklmnpqrstvwxz")]
pub struct NotAHandle;

impl Handle {
    /// The letters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..usize::from(self.length)]).unwrap_or_default()
    }

    fn from_value(mut value: u64, length: usize) -> Self {
        let mut letters = [0; LONGEST];
        for letter in letters[..length].iter_mut().rev() {
            *letter = ALPHABET[(value % 20) as usize];
            value /= 20;
        }
        Handle { letters, length: length as u8 }
    }

    fn value(&self) -> u64 {
        let digit = |letter: &u8| ALPHABET.binary_search(letter).unwrap_or_default() as u64;
        self.letters[..usize::from(self.length)].iter().fold(0, |value, letter| 20 * value + digit(letter))
    }
}

impl FromStr for Handle {
    type Err = NotAHandle;

    fn from_str(text: &str) -> Result<Self, NotAHandle> {
        let bytes = text.as_bytes();
        let known = bytes.iter().all(|letter| ALPHABET.binary_search(letter).is_ok());
        if bytes.is_empty() || bytes.len() > LONGEST || !known {
            return Err(NotAHandle);
        }
        let mut letters = [0; LONGEST];
        letters[..bytes.len()].copy_from_slice(bytes);
        Ok(Handle { letters, length: bytes.len() as u8 })
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Handle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Handle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Handle;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a handle")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Handle, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// The handles of one viewer: a keyed one-to-one map between numbers and handles.
///
/// The first 20^`first_length` numbers give handles of that length, the next 20^(`first_length` + 1) handles
/// one letter longer, and so on up to eight letters, which is enough for every `u32`. Within a length the map
/// is a balanced Feistel network of eight rounds over pairs of residues; its round functions are tables filled
/// from the key, made when the length is first needed (about 20 microseconds for four letters), and values
/// beyond the words of the length are walked on until they fall among them.
///
/// ```
/// use adjutant_kernel::chance::Key;
/// use adjutant_kernel::handles::HandleCipher;
///
/// let amber = HandleCipher::new(&Key::from_seed(1), 3);
/// let handle = amber.letters(17);
/// assert_eq!(handle.as_str().len(), 4);
/// assert_eq!(amber.number(handle.as_str()), Some(17));
/// assert_eq!(amber.number("no such handle"), None);
/// ```
pub struct HandleCipher {
    key: Key,
    stream: u64,
    first_length: usize,
    domains: [OnceLock<Domain>; LONGEST],
}

impl HandleCipher {
    /// The handles of the viewer with this stream, from four letters on. The key is that of the state; what is
    /// drawn here is independent of every other use of it.
    pub fn new(key: &Key, viewer_stream: u64) -> Self {
        HandleCipher::with_first_length(key, viewer_stream, 4)
    }

    /// The same from `first_length` letters on (taken into 1..=7). Short ones are for tests.
    pub(crate) fn with_first_length(key: &Key, viewer_stream: u64, first_length: u8) -> Self {
        HandleCipher {
            key: key.derive("handles"),
            stream: viewer_stream,
            first_length: usize::from(first_length).clamp(1, 7),
            domains: Default::default(),
        }
    }

    /// The handle with number `n`.
    pub fn letters(&self, n: u32) -> Handle {
        let (mut rest, mut length) = (u64::from(n), self.first_length);
        while rest >= words(length) {
            rest -= words(length);
            length += 1;
        }
        Handle::from_value(self.domain(length).forward(rest), length)
    }

    /// The number of a handle; `None` for a text that is none of this viewer's.
    pub fn number(&self, handle: &str) -> Option<u32> {
        let handle: Handle = handle.parse().ok()?;
        let length = usize::from(handle.length);
        if length < self.first_length {
            return None;
        }
        let before: u64 = (self.first_length..length).map(words).sum();
        u32::try_from(before + self.domain(length).backward(handle.value())).ok()
    }

    fn domain(&self, length: usize) -> &Domain {
        self.domains[length - 1].get_or_init(|| Domain::new(&self.key, self.stream, length))
    }
}

impl fmt::Debug for HandleCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HandleCipher(secret)")
    }
}

/// How many handles have this length, in 1..=8.
fn words(length: usize) -> u64 {
    20u64.pow(length as u32)
}

/// The permutation of the handles of one length.
struct Domain {
    size: u64,
    /// The network works on pairs below this, the least number whose square covers `size`.
    modulus: u32,
    /// The table of each round, one after another.
    rounds: Box<[u32]>,
}

impl Domain {
    fn new(key: &Key, stream: u64, length: usize) -> Self {
        let size = words(length);
        let root = size.isqrt();
        let modulus = (if root * root == size { root } else { root + 1 }) as u32;
        // Each length has its own part of the stream; the longest takes 8 * 160,000 of 2^24 words.
        let (mut cache, start) = (ChanceCache::new(), (length as u32) << 24);
        let entry = |i| below(cache.word(key, stream, start + i), modulus);
        Domain { size, modulus, rounds: (0..ROUNDS as u32 * modulus).map(entry).collect() }
    }

    fn forward(&self, value: u64) -> u64 {
        self.walk(value, |mut left, mut right| {
            for round in self.rounds.chunks_exact(self.modulus as usize) {
                let sum = left + round[right as usize];
                (left, right) = (right, if sum < self.modulus { sum } else { sum - self.modulus });
            }
            (left, right)
        })
    }

    fn backward(&self, value: u64) -> u64 {
        self.walk(value, |mut left, mut right| {
            for round in self.rounds.chunks_exact(self.modulus as usize).rev() {
                let (sum, part) = (right, round[left as usize]);
                (left, right) = (if sum < part { sum + self.modulus - part } else { sum - part }, left);
            }
            (left, right)
        })
    }

    /// Applies the network until the value is a word of the length. The network permutes the pairs, so from a
    /// value below `size` its cycle comes back to one; a step in either direction is undone by the other.
    fn walk(&self, mut value: u64, network: impl Fn(u32, u32) -> (u32, u32)) -> u64 {
        let modulus = u64::from(self.modulus);
        loop {
            let (left, right) = network((value / modulus) as u32, (value % modulus) as u32);
            value = u64::from(left) * modulus + u64::from(right);
            if value < self.size {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn cipher(seed: u64, first_length: u8) -> HandleCipher {
        HandleCipher::with_first_length(&Key::from_seed(seed), 5, first_length)
    }

    #[test]
    fn two_and_three_letters_are_each_used_once() {
        let cipher = cipher(1, 2);
        let mut seen = HashSet::new();
        for n in 0..400 + 8000 {
            let handle = cipher.letters(n);
            assert_eq!(handle.as_str().len(), if n < 400 { 2 } else { 3 });
            assert!(seen.insert(handle), "{handle} is repeated");
            assert_eq!(cipher.number(handle.as_str()), Some(n));
        }
        assert_eq!(seen.len(), 8400);
    }

    #[test]
    fn longer_ones_go_there_and_back() {
        let cipher = cipher(2, 4);
        let mut seen = HashSet::new();
        let ends = [0, 159_999, 160_000, 160_001, 3_359_999, 3_360_000, 67_359_999, 67_360_000];
        for n in ends.into_iter().chain((0..160_000).step_by(7)) {
            let handle = cipher.letters(n);
            assert!(seen.insert(handle) || ends.contains(&n));
            assert_eq!(cipher.number(handle.as_str()), Some(n));
        }
        let lengths = [0, 160_000, 3_360_000, 67_360_000].map(|n| cipher.letters(n).as_str().len());
        assert_eq!(lengths, [4, 5, 6, 7]);
    }

    #[test]
    fn the_last_number_has_a_handle() {
        let cipher = cipher(3, 7);
        let last = cipher.letters(u32::MAX);
        assert_eq!((last.as_str().len(), cipher.number(last.as_str())), (8, Some(u32::MAX)));
        // Eight letters are more than the numbers: most such texts are nobody's handle.
        assert!(["bbbbbbbb", "cccccccc", "zzzzzzzz"].iter().any(|text| cipher.number(text).is_none()));
    }

    #[test]
    fn malformed_texts_have_no_number() {
        let cipher = cipher(4, 4);
        for text in ["", "bcd", "bcda", "BCDF", "bcdfghjkl", "bcd ", "bcdé", "/bcd"] {
            assert_eq!(cipher.number(text), None, "{text}");
        }
    }

    /// Of 400 handles of two letters two unrelated permutations agree at one number on average; neighbouring
    /// numbers share a first letter one time in twenty.
    #[test]
    fn other_keys_and_streams_give_unrelated_handles() {
        let same =
            |a: &HandleCipher, b: &HandleCipher| (0..400).filter(|&n| a.letters(n) == b.letters(n)).count();
        let key = Key::from_seed(5);
        let of = |key: &Key, stream| HandleCipher::with_first_length(key, stream, 2);
        let (mut keys, mut streams, mut neighbours) = (0, 0, 0);
        for i in 0..50 {
            let base = of(&key, i);
            keys += same(&base, &of(&Key::from_seed(100 + i), i));
            streams += same(&base, &of(&key, i + 1));
            let first = |n| base.letters(n).as_str().as_bytes()[0];
            neighbours += (0..399).filter(|&n| first(n) == first(n + 1)).count();
        }
        assert!((20..100).contains(&keys), "{keys} of 50 expected");
        assert!((20..100).contains(&streams), "{streams} of 50 expected");
        assert!((850..1150).contains(&neighbours), "{neighbours} of 950 expected");
    }

    /// Golden, confirmed by an independent implementation: a change would rename everything in a running game.
    #[test]
    fn known_answers() {
        let cipher = HandleCipher::new(&Key::from_seed(1862), 1);
        let handles: Vec<String> = [0, 1, 2, 160_000].map(|n| cipher.letters(n).to_string()).into();
        assert_eq!(handles, ["trvn", "nwrk", "pspx", "rlhnw"]);
    }

    #[test]
    fn handles_are_saved_as_text() {
        let handle: Handle = "qtrw".parse().unwrap();
        let json = serde_json::to_string(&handle).unwrap();
        assert_eq!(json, "\"qtrw\"");
        assert_eq!(serde_json::from_str::<Handle>(&json).unwrap(), handle);
        assert!(serde_json::from_str::<Handle>("\"oops\"").is_err());
        assert_eq!(format!("{handle:>6}"), "  qtrw");
    }
}

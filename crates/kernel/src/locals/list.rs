//! A short ordered list that lives inside its frame.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::{BadLocal, Expected, Local, LocalType, Words, blank, count, first, put_blank};

/// An ordered list of at most `N` items, `N` up to 255, without an allocation. It reads like a slice.
///
/// ```
/// use adjutant_kernel::{BodyId, locals::List};
///
/// let mut waiting = List::<BodyId, 2>::new();
/// waiting.push(BodyId(5))?;
/// waiting.push(BodyId(8))?;
/// assert!(waiting.push(BodyId(9)).is_err());
///
/// assert!(waiting.contains(&BodyId(8)));
/// assert!(waiting.remove(&BodyId(5)));
/// assert_eq!(waiting[..], [BodyId(8)]);
/// # Ok::<(), adjutant_kernel::locals::Full>(())
/// ```
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    len: u8,
    items: [T; N],
}

/// A list that has no room for one more item.
///
/// ```
/// use adjutant_kernel::BodyId;
/// use adjutant_kernel::locals::{Full, List};
/// let mut waiting = List::<BodyId, 1>::new();
/// waiting.push(BodyId(5)).unwrap();
/// assert_eq!(waiting.push(BodyId(6)), Err(Full { capacity: 1 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the list is full: it holds at most {capacity}")]
pub struct Full {
    /// How many items it holds.
    pub capacity: u8,
}

impl<T, const N: usize> List<T, N> {
    const CAPACITY: u8 = count(N);
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        const { assert!(N <= u8::MAX as usize, "a list holds at most 255 items") };
        List { len: 0, items: [T::default(); N] }
    }

    /// How many items fit.
    #[inline]
    pub const fn capacity(&self) -> usize {
        N
    }

    /// Appends an item.
    ///
    /// # Errors
    /// When the list is full already.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Full> {
        let slot = self.items.get_mut(usize::from(self.len)).ok_or(Full { capacity: Self::CAPACITY })?;
        *slot = item;
        self.len += 1;
        Ok(())
    }

    /// Removes the first item that equals this one, keeping the order of the others; false if there is none.
    #[inline]
    pub fn remove(&mut self, item: &T) -> bool
    where
        T: PartialEq,
    {
        let at = self.iter().position(|other| other == item);
        at.and_then(|at| self.remove_at(at)).is_some()
    }

    /// Removes and returns the item at a position, keeping the order of the others.
    #[inline]
    pub fn remove_at(&mut self, at: usize) -> Option<T> {
        let item = self.get(at).copied()?;
        self.items.copy_within(at + 1..usize::from(self.len), at);
        self.len -= 1;
        Some(item)
    }

    /// Removes all items.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

// Slots past the length keep what was removed, so lists are compared, hashed and shown as slices.
impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: Hash, const N: usize> Hash for List<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Local + Copy + Default, const N: usize> Local for List<T, N> {
    const WORDS: usize = 1 + N * T::WORDS;
    const TYPE: LocalType = LocalType::List(&T::TYPE, count(N));

    #[inline]
    fn put(&self, out: &mut Words) {
        out.push(i32::from(self.len));
        for item in self {
            item.put(out);
        }
        put_blank((N - self.len()) * T::WORDS, out);
    }

    #[inline]
    fn get(words: &[i32]) -> Result<Self, BadLocal> {
        let words = first(words, Self::WORDS)?;
        let (length, mut rest) = (words[0], &words[1..]);
        let Some(len) = u8::try_from(length).ok().filter(|len| usize::from(*len) <= N) else {
            return Err(BadLocal::word(Expected::Length { most: Self::CAPACITY }, length));
        };
        let mut list = Self::new();
        for item in &mut list.items[..usize::from(len)] {
            *item = T::get(rest)?;
            rest = &rest[T::WORDS..];
        }
        list.len = len;
        blank(rest)?;
        Ok(list)
    }
}

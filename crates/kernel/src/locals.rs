//! What a procedure remembers between its steps: the locals of its frame, as plain words in a state.
//!
//! Invariant: *state is data*. A frame holds nothing but `i32` words; a Rust struct is read from them before a
//! step and written back after it. [`Locals::FIELDS`] says of each field what it is, so that a save writes it
//! by name, and who may see it, so that nothing hidden leaves with a frame.
//!
//! Invariant: *one value, one spelling*. Whatever [`Locals::load`] accepts, [`Locals::store`] writes again word
//! for word, so that equal frames have equal digests. All other words are an error, never a panic.
//!
//! ```
//! use adjutant_kernel::{BodyId, SpaceId, locals::{Choice, List, LocalClass, Locals, Words}};
//!
//! #[derive(Choice, Clone, Copy, PartialEq, Debug)]
//! enum Stance { Hold, FallBack }
//!
//! #[derive(Locals, PartialEq, Debug)]
//! struct Clash {
//!     at: SpaceId,
//!     stance: Option<Stance>,
//!     waiting: List<BodyId, 4>,
//!     #[local(class = "sides")]
//!     orders: [Option<SpaceId>; 2],
//! }
//!
//! let mut waiting = List::new();
//! waiting.push(BodyId(7))?;
//! let clash = Clash { at: SpaceId(3), stance: Some(Stance::FallBack), waiting, orders: [None, Some(SpaceId(4))] };
//!
//! let mut words = Words::new();
//! clash.store(&mut words);
//! assert_eq!(words[..], [3,  1, 1,  1, 7, 0, 0, 0,  0, 0, 1, 4]);
//! assert_eq!(Clash::load(&words)?, clash);
//!
//! assert_eq!(Stance::NAMES, ["hold", "fall_back"]);
//! assert_eq!(Clash::FIELDS[3].name, "orders");
//! assert_eq!(Clash::FIELDS[3].class, LocalClass::Sides);
//!
//! words[0] = -1;
//! let bad = Clash::load(&words).unwrap_err();
//! assert_eq!(bad.to_string(), "local `at`: expected a space (0 to 65535), found -1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{BodyId, BorderId, LinkId, PieceId, PlaceId, RuleId, SeatId, SideId, SpaceId, StackId, WordId};

mod field;
mod list;
#[doc(hidden)]
pub mod support;
#[cfg(test)]
mod tests;

pub use adjutant_kernel_derive::{Choice, Locals};
pub use field::{Field, FieldType};
pub use list::{Full, List};

/// The stored locals of one frame.
pub type Words = SmallVec<[i32; 12]>;

/// Who may see a local.
///
/// ```
/// use adjutant_kernel::BodyId;
/// use adjutant_kernel::locals::{LocalClass, Locals};
/// #[derive(Locals)]
/// struct Ambush {
///     #[local(class = "owner")]
///     by: BodyId,
///     round: u8,
/// }
/// let classes: Vec<LocalClass> = Ambush::FIELDS.iter().map(|field| field.class).collect();
/// assert_eq!(classes, [LocalClass::Owner, LocalClass::Public]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalClass {
    /// Everybody.
    #[default]
    Public,
    /// The side that the frame's `owner` names.
    Owner,
    /// Each side its own: the local is an array whose element `i` belongs to side `i`.
    Sides,
    /// Nobody but the umpire.
    Hidden,
}

/// What a local is, so that a save can write it by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalType {
    /// A number.
    Int,
    /// Yes (1) or no (0).
    Flag,
    /// One of these names; the word is its position among them.
    Choice(&'static [&'static str]),
    /// A space.
    Space,
    /// A link.
    Link,
    /// A border.
    Border,
    /// A place.
    Place,
    /// A body.
    Body,
    /// A stack.
    Stack,
    /// A piece.
    Piece,
    /// A side.
    Side,
    /// A seat.
    Seat,
    /// An interned word.
    Word,
    /// A rule id.
    Rule,
    /// A value or none: a word 1 and the value, or a word 0 and zeros in its place.
    Option(&'static LocalType),
    /// At most so many values, in order: their number, the values, zeros in the places left over.
    List(&'static LocalType, u8),
    /// Exactly so many values.
    Array(&'static LocalType, u8),
}

impl LocalType {
    /// How many words a value takes.
    ///
    /// ```
    /// use adjutant_kernel::locals::LocalType;
    /// assert_eq!(LocalType::List(&LocalType::Option(&LocalType::Space), 3).words(), 1 + 3 * 2);
    /// ```
    pub const fn words(&self) -> usize {
        match *self {
            LocalType::Option(value) => 1 + value.words(),
            LocalType::List(item, cap) => 1 + cap as usize * item.words(),
            LocalType::Array(item, count) => count as usize * item.words(),
            LocalType::Int
            | LocalType::Flag
            | LocalType::Choice(_)
            | LocalType::Space
            | LocalType::Link
            | LocalType::Border
            | LocalType::Place
            | LocalType::Body
            | LocalType::Stack
            | LocalType::Piece
            | LocalType::Side
            | LocalType::Seat
            | LocalType::Word
            | LocalType::Rule => 1,
        }
    }
}

impl fmt::Display for LocalType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LocalType::Int => f.write_str("a number"),
            LocalType::Flag => f.write_str("a flag"),
            LocalType::Space => f.write_str("a space"),
            LocalType::Link => f.write_str("a link"),
            LocalType::Border => f.write_str("a border"),
            LocalType::Place => f.write_str("a place"),
            LocalType::Body => f.write_str("a body"),
            LocalType::Stack => f.write_str("a stack"),
            LocalType::Piece => f.write_str("a piece"),
            LocalType::Side => f.write_str("a side"),
            LocalType::Seat => f.write_str("a seat"),
            LocalType::Word => f.write_str("a word"),
            LocalType::Rule => f.write_str("a rule id"),
            LocalType::Choice(_) | LocalType::Option(_) | LocalType::List(..) | LocalType::Array(..) => {
                FieldType::from(*self).fmt(f)
            }
        }
    }
}

/// One field of a frame's locals.
///
/// ```
/// use adjutant_kernel::SpaceId;
/// use adjutant_kernel::locals::{FieldDef, LocalClass, LocalType, Locals};
/// #[derive(Locals)]
/// struct Rally {
///     #[local(class = "hidden")]
///     at: SpaceId,
/// }
/// let at = FieldDef { name: "at", ty: LocalType::Space, class: LocalClass::Hidden, words: 1 };
/// assert_eq!(Rally::FIELDS, [at]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldDef {
    /// Its name, as saves write it.
    pub name: &'static str,
    /// What it is.
    pub ty: LocalType,
    /// Who may see it.
    pub class: LocalClass,
    /// How many words it takes.
    pub words: u16,
}

/// A type that a local can have.
///
/// ```
/// use adjutant_kernel::{SideId, locals::{Local, LocalType, Words}};
///
/// let mut words = Words::new();
/// Some(SideId(1)).put(&mut words);
/// assert_eq!(words[..], [1, 1]);
/// assert_eq!(Option::<SideId>::get(&words), Ok(Some(SideId(1))));
/// assert_eq!(Option::<SideId>::TYPE, LocalType::Option(&LocalType::Side));
/// ```
pub trait Local: Sized {
    /// How many words a value takes: `Self::TYPE.words()`.
    const WORDS: usize;
    /// What a save writes.
    const TYPE: LocalType;

    /// Appends exactly [`Self::WORDS`] words.
    fn put(&self, out: &mut Words);

    /// Reads a value from the first [`Self::WORDS`] words; what follows them is not looked at.
    fn get(words: &[i32]) -> Result<Self, BadLocal>;
}

/// The locals of a procedure, a struct that `#[derive(Locals)]` describes.
///
/// Every field has a type that is [`Local`], and a class: `#[local(class = "owner")]`, `"sides"`, `"hidden"` or
/// `"public"`, which is the default. A field of class `"sides"` is an array.
///
/// ```
/// use adjutant_kernel::{BodyId, SideId, locals::{Locals, Words}};
///
/// #[derive(Locals)]
/// struct March {
///     owner: SideId,
///     left: u8,
///     #[local(class = "owner")]
///     body: BodyId,
/// }
///
/// let mut words = Words::new();
/// March { owner: SideId(0), left: 4, body: BodyId(9) }.store(&mut words);
/// assert_eq!(March::load(&words)?.left, 4);
/// # Ok::<(), adjutant_kernel::locals::BadLocal>(())
/// ```
///
/// ```compile_fail
/// # use adjutant_kernel::locals::Locals;
/// #[derive(Locals)]
/// struct Orders {
///     #[local(class = "sides")]
///     order: u8,   // not an array
/// }
/// ```
pub trait Locals: Sized {
    /// The fields, in the order in which their words are stored.
    const FIELDS: &'static [FieldDef];

    /// How many words all fields take.
    const WORDS: usize = support::total(Self::FIELDS);

    /// Appends exactly [`Self::WORDS`] words.
    fn store(&self, out: &mut Words);

    /// Reads the struct from its words, of which there must be exactly [`Self::WORDS`].
    fn load(words: &[i32]) -> Result<Self, BadLocal>;
}

/// A field-less enum that a local can hold; `#[derive(Choice)]` makes it a [`Local`] as well.
///
/// A variant's name is its identifier in snake case, or what `#[choice(name = "...")]` says.
///
/// ```
/// use adjutant_kernel::locals::{Choice, Local, LocalType};
///
/// #[derive(Choice, Clone, Copy, PartialEq, Debug)]
/// enum Order {
///     ForcedMarch,
///     #[choice(name = "entrench")]
///     DigIn,
/// }
///
/// assert_eq!(Order::NAMES, ["forced_march", "entrench"]);
/// assert_eq!(Order::DigIn.number(), 1);
/// assert_eq!(Order::from_number(1), Some(Order::DigIn));
/// assert_eq!(Order::TYPE, LocalType::Choice(&["forced_march", "entrench"]));
/// ```
pub trait Choice: Copy + Sized {
    /// The names of the variants, in the order of their declaration.
    const NAMES: &'static [&'static str];

    /// The position of this variant among [`Self::NAMES`].
    fn number(self) -> i32;

    /// The variant at a position, if there is one.
    fn from_number(number: i32) -> Option<Self>;
}

/// Words that are no value of the type that a local has.
///
/// For the umpire and the log: the word found may be one that no seat may know.
///
/// ```
/// use adjutant_kernel::locals::{BadLocal, Expected, Found, Local};
/// let bad = <Option<bool>>::get(&[2, 0]).unwrap_err(); // neither 1 before a value nor 0 for none
/// assert_eq!(bad, BadLocal { field: "", expected: Expected::Presence, found: Found::Word(2) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: expected {expected}, found {found}", InField(.field))]
pub struct BadLocal {
    /// The field, or nothing where all the locals or a value outside a struct are meant.
    pub field: &'static str,
    /// What would be right.
    pub expected: Expected,
    /// What is there.
    pub found: Found,
}

/// What would be right in place of a [`BadLocal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A value of this type.
    Value {
        /// The type.
        ty: LocalType,
        /// The least word that is such a value.
        least: i32,
        /// The greatest one.
        most: i32,
    },
    /// The word before an optional value, 1 if it is there.
    Presence,
    /// The number of items in a list.
    Length {
        /// How many fit.
        most: u8,
    },
    /// A zero, where a list or an option holds no value.
    Blank,
    /// So many words.
    Words(usize),
}

/// What is there in place of a good local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// This word.
    Word(i32),
    /// So many words.
    Words(usize),
}

struct InField<'a>(&'a str);

impl fmt::Display for InField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("locals") } else { write!(f, "local `{}`", self.0) }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Value { ty, least, most } => write!(f, "{ty} ({least} to {most})"),
            Expected::Presence => f.write_str("1 before a value or 0 for none"),
            Expected::Length { most } => write!(f, "a length (0 to {most})"),
            Expected::Blank => f.write_str("0 where no value is"),
            Expected::Words(count) => write!(f, "{}", Found::Words(*count)),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Word(word) => write!(f, "{word}"),
            Found::Words(1) => f.write_str("1 word"),
            Found::Words(count) => write!(f, "{count} words"),
        }
    }
}

impl BadLocal {
    /// The same error, in this field of a struct.
    #[must_use]
    pub fn in_field(self, field: &'static str) -> Self {
        BadLocal { field, ..self }
    }

    #[cold]
    fn word(expected: Expected, found: i32) -> Self {
        BadLocal { field: "", expected, found: Found::Word(found) }
    }

    /// So many words in place of all the locals.
    pub(crate) fn wrong_number(expected: usize, found: usize) -> Self {
        Self::words(expected, found)
    }

    #[cold]
    fn words(expected: usize, found: usize) -> Self {
        BadLocal { field: "", expected: Expected::Words(expected), found: Found::Words(found) }
    }
}

/// The words of a value that takes so many.
#[inline]
fn first(words: &[i32], count: usize) -> Result<&[i32], BadLocal> {
    words.get(..count).ok_or_else(|| BadLocal::words(count, words.len()))
}

/// The only word of a value that takes one.
#[inline]
fn single(words: &[i32]) -> Result<i32, BadLocal> {
    words.first().copied().ok_or_else(|| BadLocal::words(1, 0))
}

/// Checks that the words of absent values are zeros.
#[inline]
fn blank(words: &[i32]) -> Result<(), BadLocal> {
    match words.iter().find(|word| **word != 0) {
        None => Ok(()),
        Some(word) => Err(BadLocal::word(Expected::Blank, *word)),
    }
}

/// Appends the words of absent values.
#[inline]
fn put_blank(count: usize, out: &mut Words) {
    for _ in 0..count {
        out.push(0);
    }
}

/// The number of items of a list or an array, which a [`LocalType`] holds in a byte.
const fn count(items: usize) -> u8 {
    assert!(items <= u8::MAX as usize, "a local holds at most 255 items");
    items as u8
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        impl Local for $name {
            const WORDS: usize = 1;
            const TYPE: LocalType = LocalType::Int;

            #[inline]
            fn put(&self, out: &mut Words) {
                out.push(i32::from(*self));
            }

            #[inline]
            fn get(words: &[i32]) -> Result<Self, BadLocal> {
                let word = single(words)?;
                $name::try_from(word).map_err(|_| {
                    let (least, most) = (i32::from($name::MIN), i32::from($name::MAX));
                    BadLocal::word(Expected::Value { ty: Self::TYPE, least, most }, word)
                })
            }
        }
    )*};
}

numbers! { i16 u8 u16 }

impl Local for i32 {
    const WORDS: usize = 1;
    const TYPE: LocalType = LocalType::Int;

    #[inline]
    fn put(&self, out: &mut Words) {
        out.push(*self);
    }

    #[inline]
    fn get(words: &[i32]) -> Result<Self, BadLocal> {
        single(words)
    }
}

/// Numbers up to [`i32::MAX`]. A greater one is stored as a negative word, which is refused when it is read.
impl Local for u32 {
    const WORDS: usize = 1;
    const TYPE: LocalType = LocalType::Int;

    #[inline]
    fn put(&self, out: &mut Words) {
        out.push(self.cast_signed());
    }

    #[inline]
    fn get(words: &[i32]) -> Result<Self, BadLocal> {
        let word = single(words)?;
        u32::try_from(word)
            .map_err(|_| BadLocal::word(Expected::Value { ty: Self::TYPE, least: 0, most: i32::MAX }, word))
    }
}

impl Local for bool {
    const WORDS: usize = 1;
    const TYPE: LocalType = LocalType::Flag;

    #[inline]
    fn put(&self, out: &mut Words) {
        out.push(i32::from(*self));
    }

    #[inline]
    fn get(words: &[i32]) -> Result<Self, BadLocal> {
        match single(words)? {
            0 => Ok(false),
            1 => Ok(true),
            word => Err(BadLocal::word(Expected::Value { ty: Self::TYPE, least: 0, most: 1 }, word)),
        }
    }
}

macro_rules! id_locals {
    ($($name:ident($repr:ty): $ty:ident;)*) => {$(
        impl Local for $name {
            const WORDS: usize = 1;
            const TYPE: LocalType = LocalType::$ty;

            #[inline]
            fn put(&self, out: &mut Words) {
                out.push(i32::from(self.0));
            }

            #[inline]
            fn get(words: &[i32]) -> Result<Self, BadLocal> {
                let word = single(words)?;
                <$repr>::try_from(word).map($name).map_err(|_| {
                    let most = i32::from(<$repr>::MAX);
                    BadLocal::word(Expected::Value { ty: Self::TYPE, least: 0, most }, word)
                })
            }
        }
    )*};
}

id_locals! {
    SpaceId(u16): Space;
    LinkId(u16): Link;
    BorderId(u16): Border;
    PlaceId(u16): Place;
    BodyId(u16): Body;
    StackId(u16): Stack;
    PieceId(u16): Piece;
    SideId(u8): Side;
    SeatId(u8): Seat;
    WordId(u16): Word;
    RuleId(u16): Rule;
}

impl<T: Local> Local for Option<T> {
    const WORDS: usize = 1 + T::WORDS;
    const TYPE: LocalType = LocalType::Option(&T::TYPE);

    #[inline]
    fn put(&self, out: &mut Words) {
        match self {
            None => put_blank(Self::WORDS, out),
            Some(value) => {
                out.push(1);
                value.put(out);
            }
        }
    }

    #[inline]
    fn get(words: &[i32]) -> Result<Self, BadLocal> {
        let words = first(words, Self::WORDS)?;
        match words[0] {
            0 => blank(&words[1..]).map(|()| None),
            1 => T::get(&words[1..]).map(Some),
            word => Err(BadLocal::word(Expected::Presence, word)),
        }
    }
}

/// Arrays of 1 to 255 items.
impl<T: Local + Copy, const N: usize> Local for [T; N] {
    const WORDS: usize = {
        assert!(N > 0 && T::WORDS > 0, "an array that takes no words is no local");
        N * T::WORDS
    };
    const TYPE: LocalType = LocalType::Array(&T::TYPE, count(N));

    #[inline]
    fn put(&self, out: &mut Words) {
        for item in self {
            item.put(out);
        }
    }

    #[inline]
    fn get(words: &[i32]) -> Result<Self, BadLocal> {
        let words = first(words, Self::WORDS)?;
        let mut items = [T::get(words)?; N];
        for (item, words) in items.iter_mut().zip(words.chunks_exact(T::WORDS)).skip(1) {
            *item = T::get(words)?;
        }
        Ok(items)
    }
}

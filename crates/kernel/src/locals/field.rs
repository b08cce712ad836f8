//! Locals as a rulebook keeps them: owned, because procedures may come from a pack.

use std::fmt;
use std::sync::Arc;

use super::{FieldDef, LocalClass, LocalType};

/// What a local is. The owned twin of [`LocalType`].
///
/// ```
/// use adjutant_kernel::locals::{FieldType, LocalType};
/// let spaces = FieldType::List(FieldType::One(LocalType::Space).into(), 3);
/// assert_eq!(spaces.words(), 4); // how many there are, and room for three
/// assert_eq!(FieldType::from(LocalType::List(&LocalType::Space, 3)), spaces);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// A value of one word that is no choice; never [`LocalType::Choice`] nor a type with an inner one.
    One(LocalType),
    /// One of these names; the word is its position among them.
    Choice(Arc<[String]>),
    /// A value or none: a word 1 and the value, or a word 0 and zeros in its place.
    Option(Arc<FieldType>),
    /// At most so many values, in order: their number, the values, zeros in the places left over.
    List(Arc<FieldType>, u8),
    /// Exactly so many values.
    Array(Arc<FieldType>, u8),
}

impl FieldType {
    /// How many words a value takes.
    pub fn words(&self) -> usize {
        match self {
            Self::One(_) | Self::Choice(_) => 1,
            Self::Option(value) => 1 + value.words(),
            Self::List(item, most) => 1 + usize::from(*most) * item.words(),
            Self::Array(item, count) => usize::from(*count) * item.words(),
        }
    }

    /// Whether all words within the type's bounds are values as good as any other: flags and choices, and arrays of
    /// them.
    pub fn is_drawable(&self) -> bool {
        match self {
            Self::One(LocalType::Flag) | Self::Choice(_) => true,
            Self::Array(item, _) => item.is_drawable(),
            Self::One(_) | Self::Option(_) | Self::List(..) => false,
        }
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(one) => write!(f, "{one}"),
            Self::Choice(names) => write!(f, "one of {}", names.join(", ")),
            Self::Option(value) => write!(f, "{value} or none"),
            Self::List(item, most) => write!(f, "at most {most} times {item}"),
            Self::Array(item, count) => write!(f, "{count} times {item}"),
        }
    }
}

impl From<LocalType> for FieldType {
    fn from(ty: LocalType) -> Self {
        let inner = |ty: &LocalType| Arc::new(Self::from(*ty));
        match ty {
            LocalType::Choice(names) => Self::Choice(names.iter().map(|n| (*n).to_owned()).collect()),
            LocalType::Option(value) => Self::Option(inner(value)),
            LocalType::List(item, most) => Self::List(inner(item), most),
            LocalType::Array(item, count) => Self::Array(inner(item), count),
            LocalType::Int
            | LocalType::Flag
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
            | LocalType::Rule => Self::One(ty),
        }
    }
}

/// One field of a procedure's locals.
///
/// ```
/// use adjutant_kernel::locals::{Field, FieldType, LocalClass, LocalType};
/// let stance = FieldType::Choice(["hold".to_owned(), "fall_back".to_owned()].into());
/// let field = Field::new("stance", FieldType::Option(stance.into()), LocalClass::Public);
/// assert_eq!(field.words, 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, as saves write it.
    pub name: String,
    /// What it is.
    pub ty: FieldType,
    /// Who may see it.
    pub class: LocalClass,
    /// How many words it takes.
    pub words: u16,
}

impl Field {
    /// A field.
    pub fn new(name: &str, ty: FieldType, class: LocalClass) -> Self {
        let words = u16::try_from(ty.words()).unwrap_or(u16::MAX);
        Self { name: name.to_owned(), ty, class, words }
    }
}

impl From<&FieldDef> for Field {
    fn from(def: &FieldDef) -> Self {
        Self::new(def.name, def.ty.into(), def.class)
    }
}

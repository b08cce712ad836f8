//! Pieces, their decks, and sets of them.

use super::ValueKind;
use crate::ids::*;

/// A piece of the pack: the identity that a body may have.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let horse = rulebook.piece(ids.horse);
/// assert_eq!((horse.name.as_str(), horse.side, rulebook.word(horse.kind)), ("Horse", Some(ids.blue), "horse"));
/// assert_eq!(horse.attributes[ids.strength.index()], Some(3));
/// assert!(horse.deck.is_some() && rulebook.piece(ids.guns).deck.is_none()); // everybody knows the guns
/// ```
#[derive(Clone, Debug)]
pub struct PieceDef {
    /// Its name, unique in the pack.
    pub name: String,
    /// The side that owns it, if any.
    pub side: Option<SideId>,
    /// What kind it is (infantry, leader, dummy).
    pub kind: WordId,
    /// The deck of look-alikes that it belongs to; `None` when its identity is public.
    pub deck: Option<DeckId>,
    /// Attribute values by [`AttributeDef`] order; `None` where it has none.
    pub attributes: Vec<Option<i32>>,
}

/// Who may read an attribute of a piece.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{AttributeClass, ValueKind};
/// # let (mut builder, _) = Field::builder(|_, _| Ok(()));
/// let morale = builder.attribute("morale", ValueKind::Int { min: 0, max: 5 }, AttributeClass::Owner);
/// # let rulebook = builder.build().unwrap();
/// assert_eq!(rulebook.attributes()[morale.index()].class, AttributeClass::Owner);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeClass {
    /// Everybody, even when the piece is face down; it must then be equal within each deck.
    Public,
    /// The owner of the piece.
    Owner,
    /// One named side.
    Side(SideId),
    /// Everybody who knows which piece it is.
    OnReveal,
}

/// A typed attribute of pieces, fixed by the pack.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::ValueKind;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let strength = &rulebook.attributes()[ids.strength.index()];
/// assert_eq!((strength.name.as_str(), &strength.kind), ("strength", &ValueKind::Int { min: 0, max: 9 }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeDef {
    /// Its name.
    pub name: String,
    /// Type and bounds of its values.
    pub kind: ValueKind,
    /// Who may read it.
    pub class: AttributeClass,
}

/// Pieces of one side whose backs look alike.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let backs = rulebook.deck(rulebook.piece(ids.horse).deck.unwrap());
/// assert_eq!(backs.pieces, [ids.horse, ids.dummy]); // one of them may be taken for the other
/// ```
#[derive(Clone, Debug)]
pub struct DeckDef {
    /// Its name.
    pub name: String,
    /// The side that owns its pieces.
    pub side: SideId,
    /// Its pieces in order of declaration; a candidate set is a set of indices into this list.
    pub pieces: Vec<PieceId>,
    /// 64-bit words of a candidate set.
    pub(crate) words: usize,
    /// Offset of a body's candidate set within a viewer's arena is `offset + position * words`.
    pub(crate) offset: usize,
}

/// A declared set of pieces, as a mask over each deck and over all pieces.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let real = rulebook.piece_set(ids.real);
/// assert!(real.has(ids.horse) && !real.has(ids.dummy));
/// ```
#[derive(Clone, Debug)]
pub struct PieceSetDef {
    /// Its name.
    pub name: String,
    /// One bit a piece.
    pub(crate) pieces: Vec<u64>,
    /// One bit a deck position, for each deck.
    pub(crate) decks: Vec<Vec<u64>>,
}

impl PieceSetDef {
    /// The pieces in the set.
    pub(crate) fn members(&self) -> impl Iterator<Item = PieceId> {
        (0..(self.pieces.len() * 64) as u16).map(PieceId).filter(|piece| self.has(*piece))
    }

    /// Whether `piece` is in the set.
    #[inline]
    pub fn has(&self, piece: PieceId) -> bool {
        self.pieces[piece.index() / 64] >> (piece.index() % 64) & 1 == 1
    }
}

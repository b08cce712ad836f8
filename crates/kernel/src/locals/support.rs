//! What the derives call. Not for use by hand.

use super::{BadLocal, Choice, Expected, FieldDef, Local, LocalClass, LocalType, Locals, single};

/// The description of a field of type `T`.
pub const fn field<T: Local>(name: &'static str, class: LocalClass) -> FieldDef {
    assert!(
        !matches!(class, LocalClass::Sides) || matches!(T::TYPE, LocalType::Array(..)),
        "a local of class \"sides\" is an array with an element for each side"
    );
    assert!(T::WORDS == T::TYPE.words(), "a local takes as many words as its type says");
    assert!(T::WORDS <= u16::MAX as usize, "a local takes at most 65535 words");
    FieldDef { name, ty: T::TYPE, class, words: T::WORDS as u16 }
}

/// How many words all fields take.
pub const fn total(fields: &[FieldDef]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < fields.len() {
        sum += fields[i].words as usize;
        i += 1;
    }
    sum
}

/// Checks the number of words of a whole struct.
///
/// # Errors
/// When it is another than the struct takes.
#[inline]
pub fn check_length<L: Locals>(words: &[i32]) -> Result<(), BadLocal> {
    if words.len() == L::WORDS { Ok(()) } else { Err(BadLocal::words(L::WORDS, words.len())) }
}

/// Reads a field and moves on to the next one.
///
/// # Errors
/// When the words are no such value; it names the field.
#[inline]
pub fn take<T: Local>(rest: &mut &[i32], field: &'static str) -> Result<T, BadLocal> {
    match T::get(rest) {
        Ok(value) => {
            *rest = rest.get(T::WORDS..).unwrap_or_default();
            Ok(value)
        }
        Err(bad) => Err(bad.in_field(field)),
    }
}

/// Reads a choice.
///
/// # Errors
/// When the word is none, or the number of no choice.
#[inline]
pub fn get_choice<C: Choice>(words: &[i32]) -> Result<C, BadLocal> {
    let word = single(words)?;
    C::from_number(word).ok_or_else(|| {
        let most = i32::try_from(C::NAMES.len()).unwrap_or(i32::MAX) - 1;
        BadLocal::word(Expected::Value { ty: LocalType::Choice(C::NAMES), least: 0, most }, word)
    })
}

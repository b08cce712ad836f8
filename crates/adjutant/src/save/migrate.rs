//! Old formats of saves: each step makes a save of one format one of the next.
//!
//! A step works on the bare JSON, so that it goes on working whatever becomes of the types. A new format gets a
//! step at the end of [`STEPS`] and a save of the old one among the tests; no step is ever changed.

use serde_json::Value;

/// Makes a save of the format that is its place in the list one of the next format.
type Step = fn(Value) -> Value;

/// The steps, from format 0 on.
const STEPS: &[Step] = &[from_0];

/// The format that this version writes.
pub(crate) const FORMAT: u32 = STEPS.len() as u32;

/// The first format called the journal `moves`.
fn from_0(mut save: Value) -> Value {
    if let Some(map) = save.as_object_mut()
        && let Some(moves) = map.remove("moves")
    {
        map.insert("journal".to_owned(), moves);
    }
    save
}

/// Brings a save of an older format to the one that is written now.
pub(super) fn to_current(mut save: Value, format: u32) -> Value {
    for step in STEPS.iter().skip(format as usize) {
        save = step(save);
    }
    if let Some(map) = save.as_object_mut() {
        map.insert("format".to_owned(), FORMAT.into());
    }
    save
}

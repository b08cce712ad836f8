//! Where a table, board feature, unit or scenario block comes from. Nothing is invented silently (invariant 11):
//! whatever a pack declares carries one of these, and tools can list them.

use serde::{Deserialize, Serialize};

/// The source of something that a pack declares.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// let source = Provenance::Derived("the row above, mirrored".into());
/// assert_eq!(source.text(), "the row above, mirrored");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Provenance {
    /// It stands in the printed game; the text says where.
    Printed(String),
    /// It follows from what is printed; the text gives the reasoning.
    Derived(String),
    /// It is not known and was chosen; the text gives the reason.
    Reconstructed(String),
}

impl Provenance {
    /// The place, reasoning or reason.
    pub fn text(&self) -> &str {
        match self {
            Provenance::Printed(text) | Provenance::Derived(text) | Provenance::Reconstructed(text) => text,
        }
    }
}

//! Where data come from. Nothing is invented silently (invariant 11): whatever a pack declares - a board and
//! every type of feature on it, a table, a unit, a scenario block - carries one of these, tools can list them,
//! and single features, links, borders and cells may say so again where they differ.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where something that a pack declares comes from.
///
/// ```
/// use adjutant_kernel::provenance::Provenance;
/// let source = Provenance::derived("the row above, mirrored");
/// assert_eq!(source.text(), "the row above, mirrored");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Provenance {
    /// Printed in the game: the rule, chart or place on the map, such as `cwcs:charts.terrain`.
    Printed(String),
    /// Follows from what is printed: the reasoning.
    Derived(String),
    /// Filled in because it is not known what is printed: the reason for this filling.
    Reconstructed(String),
}

impl Provenance {
    /// Printed at this rule, chart or place.
    pub fn printed(place: impl Into<String>) -> Self {
        Self::Printed(place.into())
    }

    /// Follows from what is printed, by this reasoning.
    pub fn derived(reasoning: impl Into<String>) -> Self {
        Self::Derived(reasoning.into())
    }

    /// Filled in, for this reason.
    pub fn reconstructed(reason: impl Into<String>) -> Self {
        Self::Reconstructed(reason.into())
    }

    /// The place, reasoning or reason.
    pub fn text(&self) -> &str {
        match self {
            Self::Printed(text) | Self::Derived(text) | Self::Reconstructed(text) => text,
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Printed(place) => write!(f, "printed: {place}"),
            Self::Derived(reasoning) => write!(f, "derived: {reasoning}"),
            Self::Reconstructed(reason) => write!(f, "reconstructed: {reason}"),
        }
    }
}

//! Where data come from.

use adjutant_kernel::provenance::Provenance;

use crate::read::{Name, variants};

variants! {
    /// Where something comes from; nothing is invented silently.
    pub enum Source {
        /// Printed in the game: the rule, chart or place on the map.
        Printed(Name),
        /// Follows from what is printed: the reasoning.
        Derived(Name),
        /// Filled in because it is not known what is printed: the reason for this filling.
        Reconstructed(Name),
    }
}

impl Source {
    /// The place, reasoning or reason.
    pub fn text(&self) -> &Name {
        match self {
            Self::Printed(text) | Self::Derived(text) | Self::Reconstructed(text) => text,
        }
    }

    /// As the kernel keeps it.
    pub fn provenance(&self) -> Provenance {
        match self {
            Self::Printed(text) => Provenance::printed(&text.value),
            Self::Derived(text) => Provenance::derived(&text.value),
            Self::Reconstructed(text) => Provenance::reconstructed(&text.value),
        }
    }
}

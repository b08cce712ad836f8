//! `options.ron`: switches, and named bundles of them.

use crate::read::{Entries, Name, record};

record! {
    /// Options and presets.
    pub struct Options {
        /// Switches.
        pub options: Entries<Switch>,
        /// Named bundles.
        pub presets: Entries<Preset> = default,
    }

    /// A switch.
    pub struct Switch {
        /// The rules that it touches.
        pub rules: Vec<Name>,
        /// Options that must be on for it to be on.
        pub needs: Vec<Name> = default,
        /// Options that must be off for it to be on.
        pub excludes: Vec<Name> = default,
    }

    /// A named bundle of options.
    pub struct Preset {
        /// The options that are on.
        pub on: Vec<Name>,
    }
}

//! `pack.ron`: what the pack is.

use crate::read::{Entries, Name, Spanned, record};

record! {
    /// What the pack is and what it needs.
    pub struct Pack {
        /// Its id: small letters, digits and `-`.
        pub id: Name,
        /// Its title.
        pub title: String,
        /// Its version, such as `1.2.0`.
        pub version: Name,
        /// The format of its files.
        pub format: Spanned<u32>,
        /// The version of what scripts may use.
        pub api: Spanned<u32>,
        /// Who made it.
        pub authors: Vec<String>,
        /// Under which licence it may be used.
        pub licence: String,
        /// A sentence or two about it.
        pub about: Option<String>,
        /// It is only the base of other packs, which add what it lacks: it is no game by itself.
        pub base: bool = default,
        /// The pack below it: a series for a title, a title for an overlay.
        pub extends: Option<Name>,
        /// Other packs that must be there, with their versions.
        pub requires: Entries<Name> = default,
        /// The native modules that it plays by, with their versions.
        pub modules: Entries<Name> = default,
        /// The rulebooks whose rules it cites: what stands before the `:` of a rule id, and which book it is.
        pub rulebooks: Entries<String> = default,
    }
}

//! `rules.ron`: every rule of the rulebook, and how it is carried out.

use crate::read::{record, variants};

record! {
    /// A rule of the rulebook.
    pub struct LedgerRule {
        /// What kind of statement it is.
        pub kind: RuleKind,
        /// What it says, in short and in our own words.
        pub summary: String,
        /// How it is carried out.
        pub how: How,
        /// The reading chosen where the text can be read in several ways.
        pub reading: Option<String>,
        /// The gap in the rules that it fills.
        pub fills: Option<String>,
    }
}

variants! {
    /// What kind of statement a rule is.
    pub enum RuleKind {
        /// A rule.
        Rule,
        /// An optional rule.
        Option,
        /// A table or chart.
        Table,
        /// An example of play.
        Example,
        /// A scenario.
        Scenario,
        /// A definition.
        Define,
        /// A correction by the publisher.
        Erratum,
        /// Something that the rulebook leaves open.
        Gap,
    }

    /// How a rule is carried out.
    pub enum How {
        /// By the kernel or a native module.
        Native,
        /// By data of the pack.
        Data,
        /// By a script of the pack.
        Script,
        /// Not at all, for this reason.
        NotApplicable(String),
        /// Not yet.
        Open,
    }
}

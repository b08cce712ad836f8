//! `points.ron` and `restrictions.ron`: what may be changed, and changes that are only a filter.

use crate::read::{Name, record, variants};

record! {
    /// A rule point: something that titles and overlays contribute to.
    pub struct Point {
        /// What its attachments look at.
        pub runs_on: Sees,
        /// How contributions combine.
        pub combine: Combining,
        /// The value that contributions start from.
        pub start: i32 = default,
        /// The rules that it stands for.
        pub rules: Vec<Name> = default,
    }

    /// A contribution that needs no script: a constant under a filter. At a permission it forbids.
    pub struct Restriction {
        /// The point that it contributes to.
        pub point: Name,
        /// What it contributes; 1, which forbids at a permission, if left out.
        pub value: Option<i32>,
        /// The stage, at a point with stages.
        pub stage: u8 = default,
        /// When it applies.
        pub when: Filter = default,
    }

    /// When a restriction applies: every part that is given must hold.
    #[derive(Default)]
    pub struct Filter {
        /// Some piece among the arguments is of this set.
        pub pieces: Option<Name>,
        /// A side among the arguments is one of these.
        pub sides: Vec<Name> = default,
        /// A space among the arguments is one of these.
        pub spaces: Vec<Name> = default,
        /// A link among the arguments is one of these.
        pub links: Vec<Name> = default,
        /// A space among the arguments has this feature.
        pub feature: Option<Name>,
        /// A link among the arguments has this feature, or the border that it crosses.
        pub crossing: Option<Name>,
        /// The sequence is in one of these phases.
        pub phases: Vec<Name> = default,
        /// This option is on.
        pub option: Option<Name>,
        /// This option is off.
        pub without_option: Option<Name>,
    }
}

variants! {
    /// What attachments of a point look at.
    pub enum Sees {
        /// What a side may know.
        Seen,
        /// The truth.
        Truth,
        /// Both, at different times: permissions.
        Both,
    }

    /// How contributions combine.
    pub enum Combining {
        /// The start value and all values added.
        Sum,
        /// Multiplied.
        Product,
        /// The least.
        Least,
        /// The greatest.
        Most,
        /// 1 if any is not 0.
        Any,
        /// 1 if none is 0.
        All,
        /// So many stages, one after another.
        Stages(u8),
    }
}

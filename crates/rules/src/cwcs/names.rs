//! The words and rule ids that the rules use, interned once.

/// A struct of words: `field = "word"`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($field:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: adjutant_kernel::WordId,)*
        }

        impl $name {
            /// Their texts.
            pub(crate) const ALL: &'static [&'static str] = &[$($text),*];

            /// Interns them.
            pub(crate) fn intern(rb: &mut adjutant_kernel::RulebookBuilder) -> Self {
                Self { $($field: rb.word($text),)* }
            }
        }
    };
}

/// A struct of rule ids: `field = "rule"`.
macro_rules! rules {
    ($(#[$doc:meta])* $name:ident { $($field:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: adjutant_kernel::RuleId,)*
        }

        impl $name {
            /// Interns them.
            pub(crate) fn intern(rb: &mut adjutant_kernel::RulebookBuilder) -> Self {
                Self { $($field: rb.rule($text),)* }
            }
        }
    };
}

pub(crate) use {rules, words};

words! {
    /// Words of the series that are of no one phase.
    Words {
        done = "done",
        side = "side",
        unit = "unit",
        units = "units",
        area = "area",
        areas = "areas",
        number = "number",
        points = "points",
        result = "result",
        // Causes of placements.
        removed = "removed",
        eliminated = "eliminated",
        arranged = "arranged",
        // Kinds of dummies and what they stand for.
        infantry = "infantry",
        cavalry = "cavalry",
        // 3.21, 11.32
        return_ = "return",
        replace = "replace",
        dummies = "return dummies",
        returned = "returned",
        // 3.31
        raise = "raise",
        arrange = "arrange stacks",
        restacked = "restacked",
        // 3.52, 3.53
        condition = "condition",
        effective = "effective",
        spent = "spent",
        ineffective = "ineffective",
        restored = "restored",
        // 5
        weather = "weather",
        // 6
        communications = "communications",
        traces = "traces through",
        cut_off = "cut off",
        in_communications = "in communications",
    }
}

rules! {
    /// Rules of modules 2 to 6, 11 and 12.
    Rules {
        dummy_goes = "cwcs:3.21#2",
        dummy_returns = "cwcs:3.21#3",
        dummy_beside_real = "cwcs:3.21.a#1",
        dummies_on_line = "cwcs:3.22.a",
        dummies_passed = "cwcs:3.22.b#1",
        dummy_limit = "cwcs:3.25#1",
        stacks_of_five = "cwcs:3.31#1",
        restack_after_combat = "cwcs:3.32#3",
        ineffective = "cwcs:3.52#1",
        artillery_spent = "cwcs:7.44#2",
        communications = "cwcs:6.1#1",
        weather = "cwcs:5.0#1",
        weather_roll = "cwcs:5.1#1",
        replacement = "cwcs:11.32#1",
        replacement_place = "cwcs:11.32#2",
        winner = "cwcs:12.0#3",
    }
}

//! The words that the kernel's own events use.

use crate::ids::*;

macro_rules! keywords {
    ($($name:ident)*) => {
        /// The words that the kernel's own events use, interned in every rulebook.
        #[derive(Clone, Debug)]
        pub(crate) struct Keywords {
            $(pub(crate) $name: WordId,)*
        }

        impl Keywords {
            pub(crate) fn intern(mut intern: impl FnMut(&str) -> WordId) -> Self {
                Self { $($name: intern(stringify!($name)),)* }
            }
        }
    };
}

keywords! {
    about added answer at bodies body cause column concealed die draw end faced from is joined lapsed mixed moved name narrow number of phase
    piece question raised record removed renewed reset reveal set side stack stopped stream table tell to umpire value winner
}

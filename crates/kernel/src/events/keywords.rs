//! The words that the kernel's own events use: names of events, marked so, and of their arguments.

use crate::ids::*;

macro_rules! keywords {
    ($($name:ident $(($event:ident))?)*) => {
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

        /// The names of the events that the kernel itself emits, whatever the title: a pack may have texts for them.
        ///
        /// ```
        /// assert!(adjutant_kernel::events::KERNEL_EVENTS.contains(&"draw"));
        /// ```
        pub const KERNEL_EVENTS: &[&str] = &[$($(name_of!($event $name),)?)*];
    };
}

macro_rules! name_of {
    (event $name:ident) => {
        stringify!($name)
    };
}

keywords! {
    about added(event) answer at bodies body cause column concealed(event) die draw(event) end(event) faced(event)
    from is joined(event) lapsed(event) mixed(event) moved(event) name narrow(event) number of phase(event) piece
    question raised(event) record removed(event) renewed(event) reset(event) reveal(event) set(event) side stack
    stopped(event) stream table tell(event) to umpire value winner
}

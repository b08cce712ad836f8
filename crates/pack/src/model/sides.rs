//! `sides.ron`: the sides and their seats.

use crate::read::{Entries, Name, record, variants};

record! {
    /// Who plays.
    pub struct Sides {
        /// The sides, in order.
        pub sides: Entries<Side>,
        /// The seats, in order.
        pub seats: Entries<Seat>,
    }

    /// A side.
    pub struct Side {
        /// Colour for frontends, such as `#3060a0` or `navy`.
        pub colour: Option<Name>,
    }

    /// A seat.
    pub struct Seat {
        /// The side that it plays for.
        pub side: Option<Name>,
        /// What it is for.
        pub role: Role = default,
    }
}

variants! {
    /// What a seat is for.
    #[derive(Default)]
    pub enum Role {
        /// Plays for a side.
        #[default]
        Player,
        /// Sees what everybody sees.
        Spectator,
        /// Sees everything and may edit.
        Umpire,
    }
}

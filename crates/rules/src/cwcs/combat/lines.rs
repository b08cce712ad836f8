//! Line Positions (9.3) and Combat Orders (9.4).

use adjutant_kernel::locals::Choice;
use adjutant_kernel::{PlaceId, SideId, WordId};

use crate::cwcs::Cwcs;
use crate::cwcs::names::words;

/// A Line Position of a side, as its own player calls it: his left faces the right of the other.
#[derive(Choice, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum LinePosition {
    Left,
    #[default]
    Center,
    Right,
}

impl LinePosition {
    /// All, from the left.
    pub(crate) const ALL: [Self; 3] = [Self::Left, Self::Center, Self::Right];

    /// Its place in lists of three.
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Center => 1,
            Self::Right => 2,
        }
    }

    /// Whether two positions of one side stand next to one another.
    pub(crate) fn is_next_to(self, other: Self) -> bool {
        self.index().abs_diff(other.index()) == 1
    }
}

/// What a Line Position is ordered to do: the first three attack, the others defend (9.42, 9.43).
#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Diversion,
    Advance,
    Assault,
    Withdraw,
    Stand,
    Counterattack,
}

words! {
    /// The words of positions and orders.
    LineWords {
        left = "left",
        center = "center",
        right = "right",
        diversion = "diversion",
        advance = "advance",
        assault = "assault",
        withdraw = "withdraw",
        stand = "stand",
        counterattack = "counterattack",
    }
}

impl LineWords {
    /// The word for a position.
    pub(crate) fn position(&self, position: LinePosition) -> WordId {
        match position {
            LinePosition::Left => self.left,
            LinePosition::Center => self.center,
            LinePosition::Right => self.right,
        }
    }

    /// The position that a word names.
    pub(crate) fn position_named(&self, word: WordId) -> Option<LinePosition> {
        LinePosition::ALL.into_iter().find(|&position| self.position(position) == word)
    }

    /// The word for an order.
    pub(crate) fn order(&self, order: Order) -> WordId {
        match order {
            Order::Diversion => self.diversion,
            Order::Advance => self.advance,
            Order::Assault => self.assault,
            Order::Withdraw => self.withdraw,
            Order::Stand => self.stand,
            Order::Counterattack => self.counterattack,
        }
    }
}

impl Cwcs {
    /// The box of a Line Position.
    pub(crate) fn line_box(&self, side: SideId, position: LinePosition) -> PlaceId {
        self.boxes(side).line[position.index()]
    }
}

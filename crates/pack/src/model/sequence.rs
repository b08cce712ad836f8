//! `sequence.ron`: what a turn is.

use crate::read::{Name, Spanned, record, variants};

variants! {
    /// A part of the sequence of play.
    pub enum Item {
        /// A phase, which runs a procedure.
        Phase(Phase),
        /// The same for each of these sides in turn.
        Sides(PlayerTurns),
        /// A moment: what resets, lapses or is attached there happens.
        Moment(Name),
        /// Left out unless a condition holds.
        When(Conditional),
        /// Repeated while a condition holds.
        While(Conditional),
        /// Turns, counted in a column of the game.
        Turns(Turns),
    }

    /// A condition on what everybody knows.
    pub enum Condition {
        /// An option is on.
        Option(Name),
        /// A public column of the game is within these bounds.
        Column(ColumnTest),
        /// It is this side's turn.
        Turn(Name),
        /// The other way round.
        Not(Box<Condition>),
        /// All of these hold.
        All(Vec<Condition>),
        /// One of these holds.
        Any(Vec<Condition>),
    }
}

record! {
    /// A phase.
    pub struct Phase {
        /// Its name.
        pub name: Name,
        /// The procedure that it runs; one of its own name if left out.
        pub run: Option<Name>,
    }

    /// The same for each side in turn.
    pub struct PlayerTurns {
        /// The sides, in order.
        pub sides: Vec<Name>,
        /// What each does.
        pub items: Vec<Spanned<Item>>,
    }

    /// Items under a condition.
    pub struct Conditional {
        /// The condition.
        pub condition: Condition,
        /// What depends on it.
        pub items: Vec<Spanned<Item>>,
    }

    /// Turns.
    pub struct Turns {
        /// The column of the game that counts them.
        pub column: Name,
        /// The number of the last turn.
        pub last: Spanned<i32>,
        /// What a turn is.
        pub items: Vec<Spanned<Item>>,
    }

    /// A public column of the game within bounds.
    pub struct ColumnTest {
        /// The column.
        pub name: Name,
        /// At least this.
        pub least: Option<i32>,
        /// At most this.
        pub most: Option<i32>,
    }
}

/// Calls `visit` with every item, outer ones first.
pub(crate) fn walk<'a>(items: &'a [Spanned<Item>], visit: &mut dyn FnMut(&'a Spanned<Item>)) {
    for item in items {
        visit(item);
        match &item.value {
            Item::Phase(_) | Item::Moment(_) => {}
            Item::Sides(turns) => walk(&turns.items, visit),
            Item::When(part) | Item::While(part) => walk(&part.items, visit),
            Item::Turns(turns) => walk(&turns.items, visit),
        }
    }
}

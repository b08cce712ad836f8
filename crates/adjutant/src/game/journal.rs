//! The journal: all that a game is beside its start (invariant 3).

use adjutant_kernel::view::ShownAction;
use serde::{Deserialize, Serialize};

/// One entry of the journal; targets are named as they are called in the pack, never by handle or index.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Entry, Game, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// let march = game.offers(blue)[0].clone(); // a body by its handle for blue
/// game.act(blue, None, &march)?;
/// let Entry::Act { seat, action, standing: false } = &game.journal()[0] else { panic!() };
/// assert_eq!((seat.as_str(), action.to_string().as_str()), ("blue", "march Horse ford")); // by its piece
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// A seat's decision.
    Act {
        /// The seat.
        seat: String,
        /// What it did.
        action: ShownAction,
        /// Whether a standing answer did it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        standing: bool,
    },
    /// A seat took its last decision back.
    Undo {
        /// The seat.
        seat: String,
    },
    /// The umpire changed the position.
    Edit {
        /// What, one after another.
        edits: Vec<NamedEdit>,
    },
    /// The umpire switched off what is attached for a rule, because it fails.
    Skip {
        /// The rule.
        rule: String,
    },
    /// The umpire fixed the next die of a table.
    Force {
        /// The table.
        table: String,
        /// The number that the die will show.
        value: i32,
    },
    /// A seat gave up for its side.
    Resign {
        /// The seat.
        seat: String,
    },
}

/// One thing that an umpire changes, by names.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, NamedEdit, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// game.edit(&[
///     NamedEdit::Place { pieces: vec!["Horse".into()], place: "ford".into(), stacked: false },
///     NamedEdit::Reveal("Horse".into()),
///     NamedEdit::Set { column: "turn".into(), of: None, side: None, value: 4 },
/// ])?;
/// let red = game.rulebook().seat_named("red").unwrap();
/// let at_ford = &game.view(red).position.places["ford"].bodies;
/// assert!(at_ford.iter().any(|body| body.piece.as_deref() == Some("Horse")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedEdit {
    /// Pieces, top first, stand in a place now: as a stack of their own, or loose.
    Place {
        /// Their names.
        pieces: Vec<String>,
        /// The place.
        place: String,
        /// As a stack.
        #[serde(default)]
        stacked: bool,
    },
    /// A piece is turned up, and everybody knows it.
    Reveal(String),
    /// A piece is turned down.
    Conceal(String),
    /// A cell has this value now.
    Set {
        /// The column.
        column: String,
        /// The holder: a piece, place, link, border, side, seat or choice by name; absent for the game.
        #[serde(default)]
        of: Option<String>,
        /// The side, in a column with one value a side.
        #[serde(default)]
        side: Option<String>,
        /// The value.
        value: i32,
    },
}

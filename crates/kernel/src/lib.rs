//! The rules kernel of Adjutant.
//!
//! It knows boards, pieces, phases, tables, dice, decisions and hidden information, and no title, series or
//! period. A [`Rulebook`] is the immutable set of rules, a [`State`] plain data, and a [`Worker`] runs the one
//! on the other. Nothing here does I/O, reads a clock, starts a thread or keeps a global.
//!
//! A whole game, to show the parts: two sides take one or two stones in turn, and who takes the last one wins.
//!
//! ```
//! use std::sync::Arc;
//! use adjutant_kernel::board::BoardBuilder;
//! use adjutant_kernel::chance::Key;
//! use adjutant_kernel::flow::{self, ProcRef, Sink};
//! use adjutant_kernel::locals::Locals;
//! use adjutant_kernel::provenance::Provenance;
//! use adjutant_kernel::rulebook::{Column, ColumnClass, SeatRole, ValueKind};
//! use adjutant_kernel::*;
//!
//! struct Nim { take: WordId, turn: WordId, seats: [SeatId; 2], stones: Column<()>, last: RuleId }
//!
//! #[derive(Locals)]
//! struct Turn { side: SideId } // the locals of the procedure: plain data in the state
//!
//! impl Procedure for Turn {
//!     type Module = Nim;
//!
//!     fn run(&mut self, nim: &Nim, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
//!         if cx.get(nim.stones, ()) == 0 {
//!             cx.end_game(Some(SideId(1 - self.side.0)), nim.last)?;
//!             return Ok(Flow::Done);
//!         }
//!         Ok(Flow::ask(nim.seats[self.side.index()], nim.turn))
//!     }
//!
//!     fn offers(&self, nim: &Nim, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
//!         for n in 1..=2i16 {
//!             out.consider(Action::new(nim.take).on(n), || match seen.get(nim.stones, ()) {
//!                 Some(left) if left >= i32::from(n) => Ok(()),
//!                 _ => Err(Refusal { rule: nim.last }),
//!             });
//!         }
//!     }
//!
//!     fn act(&mut self, nim: &Nim, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
//!         cx.add(nim.stones, (), -action.number(0).unwrap_or(1))?;
//!         self.side = SideId(1 - self.side.0);
//!         Ok(Flow::Again)
//!     }
//! }
//!
//! let board = BoardBuilder::new("heap", Provenance::printed("nim")).space("heap").build()?;
//! let mut b = RulebookBuilder::new("nim", "1", board);
//! let (left, right) = (b.side("left"), b.side("right"));
//! let seats = [
//!     b.seat("left", Some(left), SeatRole::Player),
//!     b.seat("right", Some(right), SeatRole::Player),
//! ];
//! let nim = Arc::new(Nim {
//!     take: b.word("take"),
//!     turn: b.word("your_turn"),
//!     seats,
//!     stones: b.column("stones", ValueKind::Int { min: 0, max: 7 }, 7, ColumnClass::Public),
//!     last: b.rule("nim:1"),
//! });
//! let turn: ProcRef<Turn> = b.proc("turn");
//! b.define(turn, &nim);
//! b.opening(turn.with(Turn { side: left }));
//! let rulebook = b.build()?;
//!
//! let mut worker = Worker::new();
//! let mut state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0)?;
//! let mut offers = Vec::new();
//! while let Some(asked) = flow::asked(&state) {
//!     flow::offers(&rulebook, &worker, &state, asked.seats[0], &mut offers)?;
//!     flow::act(&rulebook, &mut worker, &mut Sink::off(), &mut state, asked.seats[0], &offers[0])?;
//! }
//! assert_eq!(state.outcome().and_then(|o| o.winner), Some(left)); // seven stones, one at a time
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Many examples below are of one small game, `Field` (`tests/field/mod.rs`): blue holds a hill with a piece of horse
//! and a dummy, whose backs look alike, and red a ford with guns. `Field::where_first` runs something as the first
//! step of that game, where operations are allowed; `ids` are the numbers of all that it declares.

extern crate self as adjutant_kernel;

pub mod allocation;
pub mod board;
pub mod chance;
pub mod contributions;
pub mod decisions;
pub mod error;
pub mod events;
pub mod flow;
pub mod handles;
pub mod ids;
pub mod knowledge;
pub mod locals;
pub mod ops;
pub mod points;
pub mod provenance;
pub mod rulebook;
pub mod state;
pub mod suggest;
pub mod tables;
pub mod view;
pub mod worker;

pub use decisions::{Action, Offers, Refusal, Target, Verdict};
pub use error::{Fault, Refused};
pub use flow::{Cx, Flow, Halt, Imagine, Procedure};
pub use ids::*;
pub use knowledge::{Audience, Common, Seen, Sight, Tri, Truth};
pub use rulebook::{Module, Placement, Rulebook, RulebookBuilder};
pub use state::{Digest, Read, State};
pub use worker::Worker;

//! Scenarios: how a game begins, as data.

use crate::ids::*;

/// Where pieces of a scenario stand in their place.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::Standing;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let placings = &rulebook.scenarios()[0].placings;
/// assert_eq!((placings[0].standing, placings[1].standing), (Standing::Stack, Standing::Loose));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In a stack of their own, the first on top.
    Stack,
    /// Outside stacks, in this order.
    Loose,
    /// Under the command of a piece that stands already.
    Under(PieceId),
}

/// Pieces that a scenario puts somewhere.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::PlaceId;
/// use adjutant_kernel::rulebook::{Placing, ScenarioDef, Standing};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let place = PlaceId(ids.ford.0);
/// let pieces = vec![ids.horse, ids.dummy];
/// let placing = Placing { place, standing: Standing::Loose, pieces, up: Some(ids.rule), facing: 0, mixed: false };
/// builder.scenario(ScenarioDef { placings: vec![placing], ..ScenarioDef::new("crossing") });
/// # use adjutant_kernel::{Read, Worker, chance::Key, flow::{self, Sink}};
/// # let rulebook = builder.build().unwrap();
/// # let (mut worker, mut sink) = (Worker::new(), Sink::off());
/// # let crossing = rulebook.scenario_named("crossing").unwrap();
/// # let state = flow::start_scenario(&rulebook, &mut worker, &mut sink, Key::from_seed(1), 0, crossing).unwrap();
/// let read = Read::new(&rulebook, &state);
/// assert!(read.bodies(ids.ford).all(|body| read.face_up(body)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placing {
    /// The place.
    pub place: PlaceId,
    /// How they stand there.
    pub standing: Standing,
    /// The pieces.
    pub pieces: Vec<PieceId>,
    /// The rule by which they are face up; without one, those that have a back are face down.
    pub up: Option<RuleId>,
    /// Which way they face.
    pub facing: u8,
    /// They stand there in a random order, not in this one: whoever sees their backs learns nothing from it.
    pub mixed: bool,
}

/// A cell that a scenario sets.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{ScenarioDef, StartCell};
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let late = StartCell { column: ids.turn.id, holder: 0, side: 0, value: 6 }; // the column of the game has one holder
/// builder.scenario(ScenarioDef { cells: vec![late], ..ScenarioDef::new("evening") });
/// # use adjutant_kernel::{Read, Worker, chance::Key, flow::{self, Sink}};
/// # let rulebook = builder.build().unwrap();
/// # let (mut worker, mut sink) = (Worker::new(), Sink::off());
/// # let evening = rulebook.scenario_named("evening").unwrap();
/// # let state = flow::start_scenario(&rulebook, &mut worker, &mut sink, Key::from_seed(1), 0, evening).unwrap();
/// assert_eq!(Read::new(&rulebook, &state).get(ids.turn, ()), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartCell {
    /// The column.
    pub column: ColumnId,
    /// Which of its holders, by number.
    pub holder: u16,
    /// The side, in a column by side.
    pub side: u8,
    /// The value.
    pub value: i32,
}

/// How a game begins: what stands where, the values of columns, and where in the sequence of play it is.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::ScenarioDef;
/// # let (mut builder, _) = Field::builder(|_, _| Ok(()));
/// let empty = builder.scenario(ScenarioDef::new("empty"));
/// # let rulebook = builder.build().unwrap();
/// assert_eq!(rulebook.scenario_named("empty"), Some(empty));
/// assert!(rulebook.scenarios()[empty.index()].placings.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioDef {
    /// Its name.
    pub name: String,
    /// What is put where, in this order. The placement check is asked for the cause `set_up`.
    pub placings: Vec<Placing>,
    /// Cells that do not have the start value of their column.
    pub cells: Vec<StartCell>,
    /// Entries of relations, field by field.
    pub records: Vec<(RecordId, Vec<i32>)>,
    /// The phase to begin with, and the side whose turn it is; at the opening procedure or the beginning of the
    /// sequence without. What precedes the phase, such as the count of the turn, is not made up for: set the cells.
    pub start: Option<(WordId, Option<SideId>)>,
    /// The options that are on unless the players choose otherwise, a bit each.
    pub options: u64,
}

impl ScenarioDef {
    /// A scenario in which nothing stands anywhere.
    pub fn new(name: impl Into<String>) -> Self {
        let (placings, cells, records) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.into(), placings, cells, records, start: None, options: 0 }
    }
}

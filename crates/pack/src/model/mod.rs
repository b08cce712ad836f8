//! What a pack says, one file a concept. The types here are what `schemas/` is made of and what the loader reads.
//!
//! Each file of a pack and the types that it is read into, as a tool meets them that looks into packs. In the examples
//! `read` reads one file; what it lacks of a pack is another matter.
//!
//! The manifest `pack.ron`, and `sides.ron`:
//!
//! ```
//! use adjutant_pack::model::{Pack, Role, Seat, Side, Sides};
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let pack: Pack = read("pack.ron", r#"(
//!     id: "ford", title: "The Ford", version: "1.0.0", format: 1, api: 1, authors: ["A. Author"], licence: "MIT",
//! )"#).pack.unwrap();
//! assert_eq!((pack.id.as_str(), pack.api.value), ("ford", 1));
//!
//! let sides: Sides = read("sides.ron", r##"(
//!     sides: { "blue": (colour: "#3060a0") },
//!     seats: { "blue": (side: "blue"), "umpire": (role: Umpire) },
//! )"##).sides.unwrap();
//! let blue: &Side = sides.sides.get("blue").unwrap();
//! let umpire: &Seat = sides.seats.get("umpire").unwrap();
//! assert_eq!(blue.colour.as_ref().map(|colour| colour.as_str()), Some("#3060a0"));
//! assert!(matches!(umpire.role, Role::Umpire) && umpire.side.is_none());
//! ```
//!
//! `boards/*.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let model = read("boards/map.ron", r#"(
//!     title: "The valley",
//!     source: Printed("map"),
//!     networks: ["land"],
//!     grid: (
//!         orientation: FlatTop, shifted: Second, columns: 8, rows: 6, numbering: (order: RowColumn), holes: ["0101"],
//!     ),
//!     spaces: { "Camp": (features: ["port"], at: (40, 80)) },
//!     links: { "land": [("Camp", "0302"), (from: "Camp", to: "0402", one_way: true)] },
//!     borders: [(a: "Camp", b: "0302", name: "Long Wall", source: Reconstructed("a wall is spoken of"))],
//!     features: { "port": (on: Space, values: { "Camp": 4 }, sources: { "Camp": Derived("the fleet is there") }) },
//!     holding: (borders: ["Long Wall"]),
//!     drawing: (
//!         size: (800, 600),
//!         outlines: { "Camp": [(0, 0), (90, 0), (40, 160)] },
//!         lines: [(kind: "river", name: "Till", points: [(0, 300), (800, 320)])],
//!         marks: { "Long Wall": (90, 80) },
//!     ),
//! )"#);
//! let board: &Board = model.boards.get("map").unwrap();
//! assert!(matches!(&board.source, Some(Source::Printed(place)) if place.as_str() == "map"));
//! let grid: &Grid = board.grid.as_ref().unwrap();
//! assert!(matches!((&grid.orientation, &grid.shifted), (Orientation::FlatTop, Shifted::Second)));
//! let numbering: &Numbering = &grid.numbering;
//! assert!(matches!(numbering.order, Order::RowColumn));
//! let camp: &Space = board.spaces.get("Camp").unwrap();
//! assert_eq!((camp.features[0].as_str(), camp.at), ("port", Some((40, 80))));
//! let way_out: &Link = &board.links.get("land").unwrap()[1];
//! assert!(way_out.one_way && way_out.name.is_none());
//! let (wall, holding): (&Border, &Holding) = (&board.borders[0], &board.holding);
//! assert_eq!(wall.name.as_deref(), Some(holding.borders[0].as_str()));
//! let port: &FeatureKind = board.features.get("port").unwrap();
//! assert!(matches!(port.on, On::Space) && port.values.get("Camp") == Some(&4));
//! assert!(matches!(port.sources.get("Camp"), Some(Source::Derived(_))));
//! let drawing: &Drawing = board.drawing.as_ref().unwrap();
//! let till: &DrawnLine = &drawing.lines[0];
//! assert_eq!((till.kind.as_str(), drawing.outlines.get("Camp").unwrap().len()), ("river", 3));
//! ```
//!
//! `pieces.ron` and `columns.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let pieces: Pieces = read("pieces.ron", r#"(
//!     kinds: ["foot", "marker"],
//!     attributes: { "strength": (values: Int(0, 9), class: Owner) },
//!     decks: { "backs": (side: "blue") },
//!     pieces: {
//!         "Guard": (kind: "foot", side: "blue", deck: "backs", attributes: { "strength": 4 }),
//!         "Works": (kind: "marker", count: 2),
//!     },
//! )"#).pieces.unwrap();
//! let strength: &Attribute = pieces.attributes.get("strength").unwrap();
//! assert!(matches!((&strength.values, &strength.class), (Values::Int((0, 9)), Visible::Owner)));
//! let backs: &Deck = pieces.decks.get("backs").unwrap();
//! let guard: &Piece = pieces.pieces.get("Guard").unwrap();
//! assert_eq!((backs.side.as_str(), &guard.attributes.get("strength").unwrap().value), ("blue", &Scalar::Number(4)));
//! assert_eq!(pieces.pieces.get("Works").unwrap().names("Works"), ["Works 1", "Works 2"]);
//!
//! let columns: Columns = read("columns.ron", r#"(
//!     columns: {
//!         "gold": (
//!             of: Side, values: Int(0, 99), class: Owner, resets: [(at: "spring", own: true)],
//!             sample: [(side: "blue", least: Is(10), most: Column((name: "turn", times: 2, plus: 10)))],
//!         ),
//!     },
//!     relations: { "ambush": (fields: { "at": Space }, most: 3, class: Hidden) },
//!     watches: [(column: "gold", most: 0, run: "ruin")],
//! )"#).columns.unwrap();
//! let gold: &Column = columns.columns.get("gold").unwrap();
//! assert!(matches!((&gold.of, &gold.class), (Of::Side, Who::Owner)));
//! let reset: &Reset = &gold.resets[0];
//! let sample: &Sample = &gold.sample[0];
//! assert!(reset.own && matches!(sample.least, Bound::Is(10)));
//! assert!(matches!(&sample.most, Bound::Column(ColumnBound { times: 2, plus: 10, .. })));
//! let ambush: &Relation = columns.relations.get("ambush").unwrap();
//! assert!(matches!(ambush.fields.get("at"), Some(FieldType::Space)));
//! let ruin: &WatchRow = &columns.watches[0];
//! assert_eq!((ruin.least, ruin.most), (None, Some(0)));
//! ```
//!
//! `tables.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let tables = read("tables.ron", r#"{
//!     "fire": Table(
//!         roll: "1d6",
//!         columns: Numbers(["1..3", "4.."]),
//!         column_ends: (low: Refuse, high: Clamp),
//!         shifts: LeftThenRight,
//!         rows: { "1..4": [0, "rout"], "5..6": [1, (2, None)] },
//!         modifiers: [(rule: "ford:4", flag: "uphill", shift: -1)],
//!         cells: [Number, Word, Several],
//!     ),
//!     "combat": Table(
//!         columns: Ratios(
//!             steps: ["1:1", "2:1"], first: Attacker, rounding: Down,
//!             zero: (attacker: Lowest, defender: Highest, both: Refuse),
//!         ),
//!         rows: { "": [0, 1] },
//!     ),
//!     "siege": Table(
//!         rows: { "1:1": 0, "2:1": 1 },
//!         rows_are: Ratios(
//!             first: Defender, rounding: Up, zero: (attacker: Lowest, defender: Line("2:1"), both: Refuse),
//!         ),
//!     ),
//! }"#).tables;
//! let fire: &Table = tables.get("fire").unwrap();
//! let lines: &Lines = match fire.columns.as_ref().unwrap() {
//!     Axis::Numbers(lines) | Axis::Differences(lines) | Axis::Words(lines) => lines,
//!     Axis::Ratios(odds) => &odds.steps,
//! };
//! assert_eq!(lines[1].as_str(), "4..");
//! assert!(matches!(&fire.column_ends, Some(Beyond { low: Edge::Refuse, high: Edge::Clamp })));
//! assert!(matches!((&fire.shifts, &fire.cells[2]), (Shifting::LeftThenRight, CellOf::Several)));
//! let row: &Row = fire.rows.get("5..6").unwrap();
//! assert_eq!(row.cells[1].value, Cell::Several(vec![Cell::Number(2), Cell::None]));
//! let uphill: &Modifier = &fire.modifiers[0];
//! assert_eq!((uphill.shift, uphill.die), (Some(-1), None));
//! let Some(Axis::Ratios(odds)) = &tables.get("combat").unwrap().columns else { panic!() };
//! let Odds { first, rounding, zero, .. } = odds;
//! assert!(matches!((first, rounding), (OddsParty::Attacker, Favour::Down)));
//! let Zero { attacker, both, .. } = zero;
//! assert!(matches!((attacker, both), (ZeroAt::Lowest, ZeroAt::Refuse)));
//! let Some(Rows::Ratios(siege)) = &tables.get("siege").unwrap().rows_are else { panic!() };
//! let OddsRows { zero, .. } = siege;
//! assert!(matches!(&zero.defender, ZeroAt::Line(line) if line.as_str() == "2:1"));
//! ```
//!
//! `sequence.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let sequence = read("sequence.ron", r#"[
//!     Turns(column: "turn", last: 4, items: [
//!         Sides(sides: ["blue", "red"], items: [Phase(name: "march", run: "move")]),
//!         When(condition: All([Column(name: "turn", least: 2), Not(Option("calm"))]), items: [Moment("storm")]),
//!     ]),
//! ]"#).sequence;
//! let Item::Turns(turns) = &sequence[0].value else { panic!() };
//! let Turns { last, items, .. } = turns;
//! assert_eq!(last.value, 4);
//! let Item::Sides(PlayerTurns { sides, items: march }) = &items[0].value else { panic!() };
//! assert_eq!(sides[1].as_str(), "red");
//! assert!(matches!(&march[0].value, Item::Phase(Phase { run: Some(run), .. }) if run.as_str() == "move"));
//! let Item::When(Conditional { condition: Condition::All(all), .. }) = &items[1].value else { panic!() };
//! assert!(matches!(&all[0], Condition::Column(ColumnTest { least: Some(2), most: None, .. })));
//! ```
//!
//! `knowledge.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let knowledge: Knowledge = read("knowledge.ron", r#"(
//!     sets: { "strong": (kinds: ["foot"], attributes: { "strength": AtLeast(3) }) },
//!     questions: { "any_strong": (any: "strong"), "supplied": (joined: (from: "strong", to: ["Camp"])),
//!         "lost": (caught: (pieces: "wagons", by: "horse", without: "strong")) },
//!     moments: { "dusk": (run: [(name: "rest", rule: "ford:8")]) },
//!     levels: [(places: ["Camp"], onlooker: Others, level: Number, rule: "ford:1")],
//!     hideouts: [(set: "strong", places: ["Camp", "Woods"], alone: true)],
//! )"#).knowledge.unwrap();
//! let strong: &PieceSet = knowledge.sets.get("strong").unwrap();
//! assert!(matches!(strong.attributes.get("strength"), Some(Test::AtLeast(3))));
//! let supplied: &Question = knowledge.questions.get("supplied").unwrap();
//! let joined: &Joined = supplied.joined.as_ref().unwrap();
//! assert!(joined.barred.is_none() && supplied.any.is_none());
//! let caught: &Caught = knowledge.questions.get("lost").unwrap().caught.as_ref().unwrap();
//! assert_eq!((caught.by.as_str(), caught.without.as_str()), ("horse", "strong"));
//! let dusk: &MomentDef = knowledge.moments.get("dusk").unwrap();
//! let rest: &RunAt = &dusk.run[0];
//! assert!(!rest.instead);
//! let level: &LevelRow = &knowledge.levels[0];
//! assert!(matches!((&level.onlooker, &level.level), (Onlookers::Others, LevelOf::Number)));
//! let hideout: &Hideout = &knowledge.hideouts[0];
//! assert_eq!(hideout.places.len(), 2);
//! ```
//!
//! `options.ron`, `points.ron`, `restrictions.ron` and `rules.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let options: Options = read("options.ron", r#"(
//!     options: { "fog": (rules: ["ford:9"], excludes: ["calm"]), "calm": (rules: ["ford:8"]) },
//!     presets: { "hard": (on: ["fog"]) },
//! )"#).options.unwrap();
//! let (fog, hard): (&Switch, &Preset) = (options.options.get("fog").unwrap(), options.presets.get("hard").unwrap());
//! assert_eq!((fog.excludes[0].as_str(), hard.on[0].as_str()), ("calm", "fog"));
//!
//! let points = read("points.ron", r#"{ "may_enter": (runs_on: Both, combine: Any) }"#).points;
//! let may_enter: &Point = points.get("may_enter").unwrap();
//! assert!(matches!((&may_enter.runs_on, &may_enter.combine), (Sees::Both, Combining::Any)));
//!
//! let text = r#"{ "ford:3.1": (point: "may_enter", when: (pieces: "horse", feature: "woods")) }"#;
//! let restrictions = read("restrictions.ron", text).restrictions;
//! let woods: &Restriction = restrictions.get("ford:3.1").unwrap();
//! let when: &Filter = &woods.when;
//! assert_eq!((when.pieces.as_ref().map(|set| set.as_str()), when.option.is_none()), (Some("horse"), true));
//!
//! let rules = read("rules.ron", r#"{ "ford:3.1": (kind: Rule, summary: "Horse avoids woods.", how: Data) }"#).rules;
//! let rule: &LedgerRule = rules.get("ford:3.1").unwrap();
//! assert!(matches!((&rule.kind, &rule.how), (RuleKind::Rule, How::Data)));
//! ```
//!
//! `scenarios/*.ron`:
//!
//! ```
//! use adjutant_pack::model::*;
//! # use adjutant_pack::{Files, LoadedPack};
//! # let read = |path, text| LoadedPack::read(&[Files::new("", [(path, text)])], &mut Vec::new()).model;
//! let scenarios = read("scenarios/dawn.ron", r#"(
//!     title: "Dawn",
//!     start: (phase: "march", side: "red"),
//!     options: ["fog"],
//!     columns: { "turn": 2 },
//!     place: [(at: "Camp", stack: ["Guard"], face: Up, rule: "ford:7")],
//! )"#).scenarios;
//! let dawn: &Scenario = scenarios.get("dawn").unwrap();
//! let start: &Start = dawn.start.as_ref().unwrap();
//! let group: &Group = &dawn.place[0];
//! assert_eq!((start.phase.as_str(), group.stack[0].as_str()), ("march", "Guard"));
//! assert!(matches!(group.face, Face::Up));
//! ```

mod board;
mod columns;
mod imagine;
mod knowledge;
mod ledger;
mod manifest;
mod options;
mod pieces;
mod points;
mod scenario;
mod sequence;
mod sides;
mod source;
mod tables;
mod values;

pub use board::{
    Board, Border, Drawing, DrawnLine, FeatureKind, Grid, Holding, Link, Numbering, On, Order, Orientation,
    Shifted, Space,
};
pub use columns::{Column, Columns, FieldType, Of, Relation, Reset, WatchRow, Who};
pub use imagine::{Bound, Caught, ColumnBound, Hideout, Joined, Sample};
pub use knowledge::{Knowledge, LevelOf, LevelRow, MomentDef, Onlookers, PieceSet, Question, RunAt, Test};
pub use ledger::{How, LedgerRule, RuleKind};
pub use manifest::Pack;
pub use options::{Options, Preset, Switch};
pub use pieces::{Attribute, Deck, Piece, Pieces, Visible};
pub use points::{Combining, Filter, Point, Restriction, Sees};
pub use scenario::{Face, Group, Scenario, Start};
pub(crate) use sequence::walk;
pub use sequence::{ColumnTest, Condition, Conditional, Item, Phase, PlayerTurns, Turns};
pub use sides::{Role, Seat, Side, Sides};
pub use source::Source;
pub use tables::{
    Axis, Beyond, Cell, CellOf, Edge, Favour, Lines, Modifier, Odds, OddsParty, OddsRows, Row, Rows,
    Shifting, Table, Zero, ZeroAt,
};
pub use values::{Scalar, Values};

use crate::read::{Entries, Spanned};

/// A pack, or a pack with what lies below it, as it was read.
///
/// ```
/// use adjutant_pack::model::Model;
/// use adjutant_pack::{Files, LoadedPack};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let model: Model = LoadedPack::read(&[Files::read(folder.as_ref()).unwrap()], &mut Vec::new()).model;
/// assert_eq!(model.rules.get("tiny:4").unwrap().summary, "Odds.");
/// assert!(model.boards.get("map").is_some() && model.switched_off.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `pack.ron` of the uppermost layer.
    pub pack: Option<Pack>,
    /// `sides.ron`.
    pub sides: Option<Sides>,
    /// `boards/*.ron` by file.
    pub boards: Entries<Board>,
    /// `pieces.ron`.
    pub pieces: Option<Pieces>,
    /// `columns.ron`.
    pub columns: Option<Columns>,
    /// `tables.ron`.
    pub tables: Entries<Table>,
    /// `sequence.ron`.
    pub sequence: Vec<Spanned<Item>>,
    /// `options.ron`.
    pub options: Option<Options>,
    /// `points.ron`.
    pub points: Entries<Point>,
    /// `restrictions.ron` by rule id.
    pub restrictions: Entries<Restriction>,
    /// `knowledge.ron`.
    pub knowledge: Option<Knowledge>,
    /// `scenarios/*.ron` by file.
    pub scenarios: Entries<Scenario>,
    /// `rules.ron` by rule id.
    pub rules: Entries<LedgerRule>,
    /// Sections (file names without `.ron`) that are there and could not be read: what they may declare is not
    /// asked for.
    pub broken: Vec<String>,
    /// Rule ids that layers switch off, with the places where they say so.
    pub switched_off: Vec<Spanned<String>>,
}

impl Model {
    /// Whether the uppermost layer is only the base of other packs.
    pub fn is_base(&self) -> bool {
        self.pack.as_ref().is_some_and(|pack| pack.base)
    }
}

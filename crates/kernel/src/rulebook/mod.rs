//! The rulebook: everything about a game that does not change while it is played (invariant 4).

mod builder;
mod columns;
mod levels;
mod module;
mod names;
mod pieces;
mod scenario;

use std::ops::Range;

use crate::board::Board;
use crate::flow::{MomentDef, NewFrame, ProcDef, SequenceOp, Watch};
use crate::ids::*;
use crate::knowledge::QuestionDef;
use crate::points::{Attachments, PointDef};
use crate::tables::Table;

pub use builder::{BadRulebook, RulebookBuilder};
pub use columns::{
    CellKey, ChoiceIndex, Column, ColumnClass, ColumnDef, FieldKind, Holder, RECORD_FIELDS, RecordDef,
    RecordSampler, Sampler, ValueKind,
};
pub use levels::{Level, LevelCondition, LevelRule, Onlooker};
pub(crate) use levels::{Levels, unruled};
pub use module::{Module, Placement};
pub(crate) use names::Names;
pub use pieces::{AttributeClass, AttributeDef, DeckDef, PieceDef, PieceSetDef};
pub use scenario::{Placing, ScenarioDef, Standing, StartCell};

/// What a seat is for.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::SeatRole;
/// # let (rulebook, _) = Field::rules(|_, _| Ok(()));
/// let umpire = rulebook.seat(rulebook.seat_named("umpire").unwrap());
/// assert_eq!((umpire.role, umpire.side), (SeatRole::Umpire, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeatRole {
    /// Plays for a side.
    Player,
    /// Sees what everybody sees.
    Spectator,
    /// Sees everything and may edit.
    Umpire,
}

/// A seat.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Viewer;
/// use adjutant_kernel::rulebook::SeatDef;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// let eyes: Vec<Option<Viewer>> = rulebook.seats().iter().map(SeatDef::viewer).collect();
/// assert_eq!(eyes, [Some(Viewer::Side(ids.blue)), Some(Viewer::Side(ids.red)), None]); // the umpire sees all
/// ```
#[derive(Clone, Debug)]
pub struct SeatDef {
    /// Its name.
    pub name: String,
    /// The side that it plays for.
    pub side: Option<SideId>,
    /// What it is for.
    pub role: SeatRole,
}

impl SeatDef {
    /// Through whose eyes the seat sees; `None` for an umpire, who sees everything.
    pub fn viewer(&self) -> Option<Viewer> {
        match (self.role, self.side) {
            (SeatRole::Umpire, _) => None,
            (_, Some(side)) => Some(Viewer::Side(side)),
            (_, None) => Some(Viewer::Public),
        }
    }
}

/// A switch of the game.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let fog = builder.option("fog", &[ids.rule]);
/// # let rulebook = builder.build().unwrap();
/// let def = &rulebook.options()[fog.index()];
/// assert_eq!((def.name.as_str(), &def.rules[..]), ("fog", &[ids.rule][..]));
/// ```
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// Its name.
    pub name: String,
    /// The rules that it touches.
    pub rules: Vec<RuleId>,
}

/// A modifier of a table that applies when whoever looks it up raises its flag.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::TableModifier;
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let flag = builder.word("uphill");
/// builder.table_modifier(TableModifier { table: ids.die, rule: ids.rule, flag, die: -1, shift: 0 });
/// # let rulebook = builder.build().unwrap();
/// assert_eq!(rulebook.table_modifiers(ids.die).find(|modifier| modifier.flag == flag).unwrap().die, -1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableModifier {
    /// The table.
    pub table: TableId,
    /// The rule that it comes from.
    pub rule: RuleId,
    /// The flag.
    pub flag: WordId,
    /// What is added to the die.
    pub die: i32,
    /// By how many columns to shift; to the left if negative.
    pub shift: i32,
}

/// Where a body's candidate sets lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) deck: DeckId,
    pub(crate) offset: usize,
    pub(crate) words: usize,
}

/// A compiled set of rules: board, pieces, columns, tables, procedures, all by number.
///
/// It is immutable, `Send + Sync`, and made by a [`RulebookBuilder`].
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::Rulebook;
/// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
/// fn answer_for(rulebook: &Rulebook, wrong: &str) -> String {
///     let names = rulebook.pieces().iter().map(|piece| piece.name.as_str());
///     adjutant_kernel::suggest::instead(wrong, names)
/// }
/// assert_eq!((rulebook.title(), rulebook.version()), ("field", "1"));
/// assert_eq!((rulebook.word(ids.march), rulebook.rule(ids.rule)), ("march", "field:1"));
/// assert_eq!(answer_for(&rulebook, "Hrose"), "did you mean `Horse`?");
/// assert_eq!(rulebook.side_ids().count(), 2);
/// ```
pub struct Rulebook {
    pub(crate) title: String,
    pub(crate) version: String,
    pub(crate) board: Board,
    pub(crate) words: Names,
    pub(crate) rules: Names,
    pub(crate) sides: Vec<String>,
    pub(crate) seats: Vec<SeatDef>,
    pub(crate) pieces: Vec<PieceDef>,
    /// The side of each piece again, close together: it is read more than anything else.
    pub(crate) piece_sides: Vec<Option<SideId>>,
    pub(crate) attributes: Vec<AttributeDef>,
    pub(crate) decks: Vec<DeckDef>,
    pub(crate) piece_sets: Vec<PieceSetDef>,
    pub(crate) columns: Vec<ColumnDef>,
    pub(crate) records: Vec<RecordDef>,
    pub(crate) questions: Vec<QuestionDef>,
    pub(crate) levels: Vec<Vec<LevelRule>>,
    pub(crate) fixed_levels: Levels,
    pub(crate) hideouts: Vec<crate::knowledge::Hideout>,
    pub(crate) options: Vec<OptionDef>,
    pub(crate) tables: Vec<(String, Table)>,
    pub(crate) table_modifiers: Vec<TableModifier>,
    pub(crate) points: Vec<PointDef>,
    pub(crate) attachments: Vec<Attachments>,
    pub(crate) procs: Vec<ProcDef>,
    pub(crate) moments: Vec<MomentDef>,
    pub(crate) watches: Vec<Watch>,
    pub(crate) sequence: Vec<SequenceOp>,
    pub(crate) opening: Option<NewFrame>,
    pub(crate) scenarios: Vec<ScenarioDef>,
    /// The procedure that lays out scenarios, and the cause for which it places pieces.
    pub(crate) set_up: Option<(ProcId, WordId)>,
    pub(crate) modules: Vec<std::sync::Arc<dyn Module>>,
    pub(crate) slots: Vec<Option<Slot>>,
    pub(crate) deck_positions: Vec<u16>,
    pub(crate) candidate_words: usize,
    pub(crate) cell_count: usize,
    pub(crate) step_bound: u32,
    pub(crate) first_handle: u8,
    /// The rules that are switched off, a bit each.
    pub(crate) off: Vec<u64>,
    /// The rule id that an umpire's reveals cite.
    pub(crate) umpire: RuleId,
    pub(crate) keywords: crate::events::Keywords,
    #[cfg(feature = "mutants")]
    pub(crate) mutants: Vec<String>,
}

impl Rulebook {
    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The version of the rules.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The names of the sides.
    pub fn sides(&self) -> &[String] {
        &self.sides
    }

    /// The side with a name.
    pub fn side_named(&self, name: &str) -> Option<SideId> {
        self.sides.iter().position(|s| s == name).map(|n| SideId(n as u8))
    }

    /// All sides.
    pub fn side_ids(&self) -> impl Iterator<Item = SideId> + use<> {
        (0..self.sides.len() as u8).map(SideId)
    }

    /// The seats.
    pub fn seats(&self) -> &[SeatDef] {
        &self.seats
    }

    /// All seats.
    pub fn seat_ids(&self) -> impl Iterator<Item = SeatId> + use<> {
        (0..self.seats.len() as u8).map(SeatId)
    }

    /// The seat with a name.
    pub fn seat_named(&self, name: &str) -> Option<SeatId> {
        self.seats.iter().position(|s| s.name == name).map(|n| SeatId(n as u8))
    }

    /// The definition of a seat.
    pub fn seat(&self, seat: SeatId) -> &SeatDef {
        &self.seats[seat.index()]
    }

    /// The pieces.
    pub fn pieces(&self) -> &[PieceDef] {
        &self.pieces
    }

    /// The definition of a piece.
    #[inline]
    pub fn piece(&self, piece: PieceId) -> &PieceDef {
        &self.pieces[piece.index()]
    }

    /// The piece with a name.
    pub fn piece_named(&self, name: &str) -> Option<PieceId> {
        self.pieces.iter().position(|p| p.name == name).map(|n| PieceId(n as u16))
    }

    /// The decks of look-alikes.
    pub fn decks(&self) -> &[DeckDef] {
        &self.decks
    }

    /// The definition of a deck.
    #[inline]
    pub fn deck(&self, deck: DeckId) -> &DeckDef {
        &self.decks[deck.index()]
    }

    /// The attributes of pieces.
    pub fn attributes(&self) -> &[AttributeDef] {
        &self.attributes
    }

    /// A declared set of pieces.
    #[inline]
    pub fn piece_set(&self, set: PieceSetId) -> &PieceSetDef {
        &self.piece_sets[set.index()]
    }

    /// The declared sets of pieces.
    pub fn piece_sets(&self) -> &[PieceSetDef] {
        &self.piece_sets
    }

    /// The set of pieces with a name.
    pub fn piece_set_named(&self, name: &str) -> Option<PieceSetId> {
        self.piece_sets.iter().position(|s| s.name == name).map(|n| PieceSetId(n as u16))
    }

    /// The point with a name.
    pub fn point_named(&self, name: &str) -> Option<PointId> {
        self.points.iter().position(|p| p.name == name).map(|n| PointId(n as u16))
    }

    /// The question with a name.
    pub fn question_named(&self, name: &str) -> Option<QuestionId> {
        let name = self.word_named(name)?;
        self.questions.iter().position(|q| q.name == name).map(|n| QuestionId(n as u16))
    }

    /// The relation with a name.
    pub fn relation_named(&self, name: &str) -> Option<RecordId> {
        self.records.iter().position(|r| r.name == name).map(|n| RecordId(n as u16))
    }

    /// The names of all moments.
    pub fn moment_names(&self) -> impl Iterator<Item = &str> {
        self.moments.iter().map(|m| self.word(m.name))
    }

    /// The declared columns.
    pub fn columns(&self) -> &[ColumnDef] {
        &self.columns
    }

    /// The definition of a column.
    #[inline]
    pub fn column(&self, column: ColumnId) -> &ColumnDef {
        &self.columns[column.index()]
    }

    /// The column with a name, for the holders that native code expects: `None` if no column is called so or it
    /// belongs to something else.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::{BodyId, SpaceId};
    /// # let (rulebook, ids) = Field::rules(|_, _| Ok(()));
    /// assert_eq!(rulebook.column_named::<BodyId>("weary").map(|column| column.id), Some(ids.weary.id));
    /// assert!(rulebook.column_named::<SpaceId>("weary").is_none()); // bodies have it
    /// ```
    pub fn column_named<K: CellKey>(&self, name: &str) -> Option<Column<K>> {
        let at = self.columns.iter().position(|c| c.name == name)?;
        let fits = self.columns[at].holder == K::HOLDER && self.columns[at].by_side == K::BY_SIDE;
        fits.then(|| Column::new(ColumnId(at as u16)))
    }

    /// The declared relations.
    pub fn records(&self) -> &[RecordDef] {
        &self.records
    }

    /// The declared options.
    pub fn options(&self) -> &[OptionDef] {
        &self.options
    }

    /// The option with a name.
    pub fn option_named(&self, name: &str) -> Option<OptionId> {
        self.options.iter().position(|o| o.name == name).map(|n| OptionId(n as u8))
    }

    /// The declared scenarios.
    pub fn scenarios(&self) -> &[ScenarioDef] {
        &self.scenarios
    }

    /// The scenario with a name.
    pub fn scenario_named(&self, name: &str) -> Option<ScenarioId> {
        self.scenarios.iter().position(|s| s.name == name).map(|n| ScenarioId(n as u16))
    }

    /// A table.
    #[inline]
    pub fn table(&self, table: TableId) -> &Table {
        &self.tables[table.index()].1
    }

    /// The name of a table.
    pub fn table_name(&self, table: TableId) -> &str {
        &self.tables[table.index()].0
    }

    /// The names of all tables.
    pub fn table_names(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|(name, _)| name.as_str())
    }

    /// The table with a name.
    pub fn table_named(&self, name: &str) -> Option<TableId> {
        self.tables.iter().position(|(n, _)| n == name).map(|n| TableId(n as u16))
    }

    /// How many words there are.
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// The text of a word.
    pub fn word(&self, word: WordId) -> &str {
        self.words.name(word.0)
    }

    /// The text of the n-th word.
    pub fn word_at(&self, n: u16) -> Option<&str> {
        self.words.iter().nth(usize::from(n))
    }

    /// The word with a text.
    pub fn word_named(&self, text: &str) -> Option<WordId> {
        self.words.find(text).map(WordId)
    }

    /// The text of a rule id.
    pub fn rule(&self, rule: RuleId) -> &str {
        self.rules.name(rule.0)
    }

    /// The rule with an id.
    pub fn rule_named(&self, id: &str) -> Option<RuleId> {
        self.rules.find(id).map(RuleId)
    }

    /// All rule ids that the rulebook cites.
    pub fn rule_ids(&self) -> impl Iterator<Item = &str> {
        self.rules.iter()
    }

    /// Whether a rule is in force by these rules: nothing has switched it off. What the umpire of a game has
    /// switched off besides, [`Cx::rule_on`](crate::Cx::rule_on) and
    /// [`Sight::rule_on`](crate::knowledge::Sight::rule_on) know.
    #[inline]
    pub fn rule_on(&self, rule: RuleId) -> bool {
        self.off.get(rule.index() / 64).is_none_or(|bits| bits >> (rule.index() % 64) & 1 == 0)
    }

    /// The declared rule points.
    pub fn points(&self) -> &[PointDef] {
        &self.points
    }

    /// Whether anything is attached to a point: a module that would have to gather arguments asks first.
    #[inline]
    pub fn has_attachments(&self, point: PointId) -> bool {
        !self.attachments[point.index()].is_empty()
    }

    /// The rules for which something is attached to a point or a moment: those whose attachments an umpire may
    /// switch off when they fail. A rule may come more than once.
    pub fn attached_rules(&self) -> impl Iterator<Item = RuleId> {
        let points = self.attachments.iter().flat_map(|list| list.iter().map(|a| a.rule));
        points.chain(self.moments.iter().flat_map(|m| m.attached.iter().map(|a| a.rule)))
    }

    /// The modifiers of a table, each with the flag for which it applies.
    pub fn table_modifiers(&self, table: TableId) -> impl Iterator<Item = &TableModifier> {
        self.table_modifiers.iter().filter(move |m| m.table == table)
    }

    /// The rules for which a procedure is attached to a moment, in layer order.
    pub fn attached(&self, moment: MomentId) -> impl Iterator<Item = RuleId> {
        self.moments[moment.index()].attached.iter().map(|a| a.rule)
    }

    /// Where pieces are imagined that a viewer sees nothing of.
    pub fn hideouts(&self) -> &[crate::knowledge::Hideout] {
        &self.hideouts
    }

    /// The moment with a name.
    pub fn moment_named(&self, name: &str) -> Option<MomentId> {
        let name = self.word_named(name)?;
        self.moments.iter().position(|m| m.name == name).map(|n| MomentId(n as u16))
    }

    /// The viewers: every side, then the public.
    pub fn viewers(&self) -> impl Iterator<Item = Viewer> + use<> {
        self.side_ids().map(Viewer::Side).chain(std::iter::once(Viewer::Public))
    }

    /// How many viewers there are.
    #[inline]
    pub(crate) fn viewer_count(&self) -> usize {
        self.sides.len() + 1
    }

    #[inline]
    pub(crate) fn viewer_index(&self, viewer: Viewer) -> usize {
        match viewer {
            Viewer::Side(side) => side.index(),
            Viewer::Public => self.sides.len(),
        }
    }

    /// The watch on a column that fires at a value, by number.
    pub(crate) fn watch_met(&self, column: ColumnId, value: i32) -> Option<u16> {
        self.watches.iter().position(|w| w.column == column && w.threshold.met(value)).map(|n| n as u16)
    }

    pub(crate) fn question(&self, question: QuestionId) -> &QuestionDef {
        &self.questions[question.index()]
    }

    pub(crate) fn record_class(&self, relation: RecordId) -> ColumnClass {
        self.records[relation.index()].class
    }

    pub(crate) fn level_rules(&self, place: PlaceId) -> &[LevelRule] {
        &self.levels[place.index()]
    }

    #[inline]
    pub(crate) fn slot(&self, body: BodyId) -> Option<Slot> {
        self.slots[body.index()]
    }

    /// The deck that a body's back belongs to, which everybody sees.
    #[inline]
    pub fn deck_of(&self, body: BodyId) -> Option<DeckId> {
        self.slots[body.index()].map(|s| s.deck)
    }

    #[inline]
    pub(crate) fn deck_position(&self, piece: PieceId) -> usize {
        usize::from(self.deck_positions[piece.index()])
    }

    /// The part of a set of pieces that lies in a body's deck; empty for a body without a deck.
    #[inline]
    pub(crate) fn deck_mask(&self, set: PieceSetId, body: BodyId) -> &[u64] {
        match self.slots[body.index()] {
            Some(slot) => &self.piece_sets[set.index()].decks[slot.deck.index()],
            None => &[],
        }
    }

    #[inline]
    pub(crate) fn cell_index(&self, def: &ColumnDef, holder: u16, side: u8) -> usize {
        let stride = if def.by_side { self.sides.len() } else { 1 };
        def.offset as usize + usize::from(holder) * stride + usize::from(side)
    }

    pub(crate) fn cell_range(&self, def: &ColumnDef) -> Range<usize> {
        let stride = if def.by_side { self.sides.len() } else { 1 };
        def.offset as usize..def.offset as usize + usize::from(def.holders) * stride
    }

    /// A fingerprint of all names that saves may use, in order: sides, seats, pieces, places, links, columns,
    /// tables, options, procedures, words and rules.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// let plain = Field::rules(|_, _| Ok(())).0;
    /// let (mut builder, _) = Field::builder(|_, _| Ok(()));
    /// builder.word("retreat");
    /// let more = builder.build().unwrap();
    /// assert_ne!(plain.fingerprint(), more.fingerprint()); // so that a save knows
    /// ```
    pub fn fingerprint(&self) -> crate::state::Digest {
        use sha2::Digest as _;
        let mut hash = sha2::Sha256::new();
        let mut add = |kind: &str, name: &str| {
            hash.update(kind.as_bytes());
            hash.update([0]);
            hash.update(name.as_bytes());
            hash.update([0]);
        };
        add("title", &self.title);
        add("version", &self.version);
        self.sides.iter().for_each(|s| add("side", s));
        self.seats.iter().for_each(|s| add("seat", &s.name));
        self.pieces.iter().for_each(|p| add("piece", &p.name));
        (0..self.board.place_count() as u16).for_each(|p| add("place", self.board.place_name(PlaceId(p))));
        (0..self.board.link_count() as u16).for_each(|l| add("link", self.board.link_name(LinkId(l))));
        self.columns.iter().for_each(|c| add("column", &c.name));
        self.tables.iter().for_each(|(name, _)| add("table", name));
        self.options.iter().for_each(|o| add("option", &o.name));
        self.procs.iter().for_each(|p| add("procedure", &p.name));
        self.words.iter().for_each(|w| add("word", w));
        self.rules.iter().for_each(|r| add("rule", r));
        crate::state::Digest(hash.finalize().into())
    }

    /// Whether a deliberate fault is switched on (only in builds that test the conformance suite).
    #[inline]
    pub fn mutant(&self, name: &str) -> bool {
        #[cfg(feature = "mutants")]
        return self.mutants.iter().any(|m| m == name);
        #[cfg(not(feature = "mutants"))]
        {
            let _ = name;
            false
        }
    }
}

impl ColumnClass {
    /// Whether a viewer may see values of this class that have no owner of their own.
    pub(crate) fn shows(self, viewer: Viewer) -> bool {
        match self {
            Self::Public => true,
            Self::Side(side) => viewer == Viewer::Side(side),
            Self::Owner | Self::Hidden => false,
        }
    }
}

impl std::fmt::Debug for Rulebook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rulebook({} {})", self.title, self.version)
    }
}

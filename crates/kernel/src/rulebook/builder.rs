//! Building a rulebook: declarations in, numbers out, everything checked at the end.

mod check;
mod declared;
mod lay_out;
mod play;

use std::sync::Arc;

use super::*;
use crate::flow::{MomentRun, SequenceRun};
use crate::points::{Attachment, Attachments};

/// Why a rulebook could not be built: all problems together.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::SeatRole;
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// builder.seat("gallery", Some(ids.red), SeatRole::Spectator);
/// builder.problem("the pack names no author");
/// let bad = builder.build().unwrap_err();
/// assert_eq!(bad.problems.len(), 2);
/// assert_eq!(bad.problems[0], "seat `gallery`: players have a side, umpires and spectators have none");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the rulebook cannot be built:\n{}", .problems.join("\n"))]
pub struct BadRulebook {
    /// What is wrong, where, and what would be right; one text a problem.
    pub problems: Vec<String>,
}

/// Collects declarations and makes a [`Rulebook`] of them.
///
/// ```
/// use adjutant_kernel::RulebookBuilder;
/// use adjutant_kernel::board::{BoardBuilder, Provenance};
/// use adjutant_kernel::rulebook::{ColumnClass, SeatRole, ValueKind};
/// # use adjutant_kernel::flow::Item;
/// let board = BoardBuilder::new("plain", Provenance::printed("map")).space("plain").build()?;
/// let mut builder = RulebookBuilder::new("truce", "1", board);
/// let blue = builder.side("blue");
/// builder.seat("blue", Some(blue), SeatRole::Player);
/// builder.piece("Envoy", Some(blue), "leader", None, &[]);
/// let turn = builder.column::<()>("turn", ValueKind::Int { min: 0, max: 9 }, 1, ColumnClass::Public);
/// # let dusk = builder.moment("dusk");
/// builder.sequence(&[Item::Moment(dusk)]);
/// let rulebook = builder.build()?;
/// assert_eq!(rulebook.column(turn.id).start, 1);
/// assert!(rulebook.piece_named("Envoy").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RulebookBuilder {
    rb: Rulebook,
    level_rules: Vec<LevelRule>,
    switched_off: Vec<RuleId>,
    problems: Vec<String>,
}

impl RulebookBuilder {
    /// Begins a rulebook on a board: the title and version of its rules as saves and frontends name them. Nothing is
    /// declared yet but the words of the kernel's own events, the rule `umpire` (which an umpire's reveals cite),
    /// and the procedures `sequence` and `moment`; their names are taken. What [`build`](Self::build) needs
    /// besides: a side, and an [`opening`](Self::opening) or a [`sequence`](Self::sequence) of play.
    pub fn new(title: &str, version: &str, board: Board) -> Self {
        let mut words = Names::default();
        let keywords = crate::events::Keywords::intern(|w| WordId(words.intern(w)));
        let mut rules = Names::default();
        let umpire = RuleId(rules.intern("umpire"));
        let places = board.place_count();
        let rb = Rulebook {
            title: title.to_owned(),
            version: version.to_owned(),
            board,
            words,
            rules,
            umpire,
            sides: Vec::new(),
            seats: Vec::new(),
            pieces: Vec::new(),
            piece_sides: Vec::new(),
            attributes: Vec::new(),
            decks: Vec::new(),
            piece_sets: Vec::new(),
            columns: Vec::new(),
            records: Vec::new(),
            questions: Vec::new(),
            levels: vec![Vec::new(); places],
            fixed_levels: Levels::default(),
            hideouts: Vec::new(),
            options: Vec::new(),
            tables: Vec::new(),
            table_modifiers: Vec::new(),
            points: Vec::new(),
            attachments: Vec::new(),
            procs: Vec::new(),
            moments: Vec::new(),
            watches: Vec::new(),
            sequence: Vec::new(),
            opening: None,
            scenarios: Vec::new(),
            set_up: None,
            off: Vec::new(),
            modules: Vec::new(),
            slots: Vec::new(),
            deck_positions: Vec::new(),
            candidate_words: 0,
            cell_count: 0,
            step_bound: 10_000,
            first_handle: 4,
            keywords,
            #[cfg(feature = "mutants")]
            mutants: Vec::new(),
        };
        let mut builder =
            Self { rb, level_rules: Vec::new(), switched_off: Vec::new(), problems: Vec::new() };
        let sequence = builder.proc::<SequenceRun>("sequence");
        builder.define(sequence, &Arc::new(()));
        let moment = builder.proc::<MomentRun>("moment");
        builder.define(moment, &Arc::new(()));
        builder
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.rb.board
    }

    /// Notes a problem, to be reported with all others by [`build`](Self::build).
    pub fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }

    /// A side.
    pub fn side(&mut self, name: &str) -> SideId {
        self.rb.sides.push(name.to_owned());
        SideId(last8(self.rb.sides.len()))
    }

    /// A seat.
    pub fn seat(&mut self, name: &str, side: Option<SideId>, role: SeatRole) -> SeatId {
        if (role == SeatRole::Player) != side.is_some() {
            self.problem(format!("seat `{name}`: players have a side, umpires and spectators have none"));
        }
        self.rb.seats.push(SeatDef { name: name.to_owned(), side, role });
        SeatId(last8(self.rb.seats.len()))
    }

    /// A word: a verb, choice, prompt, event or argument.
    pub fn word(&mut self, text: &str) -> WordId {
        WordId(self.rb.words.intern(text))
    }

    /// A rule id.
    pub fn rule(&mut self, id: &str) -> RuleId {
        RuleId(self.rb.rules.intern(id))
    }

    /// A deck of look-alike pieces of a side.
    pub fn deck(&mut self, name: &str, side: SideId) -> DeckId {
        self.rb.decks.push(DeckDef { name: name.to_owned(), side, pieces: Vec::new(), words: 0, offset: 0 });
        DeckId(last8(self.rb.decks.len()))
    }

    /// An attribute of pieces.
    pub fn attribute(&mut self, name: &str, kind: ValueKind, class: AttributeClass) -> AttributeId {
        self.rb.attributes.push(AttributeDef { name: name.to_owned(), kind, class });
        AttributeId(last16(self.rb.attributes.len()))
    }

    /// A piece; without a deck its identity is public.
    pub fn piece(
        &mut self,
        name: &str,
        side: Option<SideId>,
        kind: &str,
        deck: Option<DeckId>,
        attributes: &[Option<i32>],
    ) -> PieceId {
        let id = PieceId(last16(self.rb.pieces.len() + 1));
        let kind = self.word(kind);
        if let Some(deck) = deck {
            // A deck that is not there is reported by `build`.
            if let Some(deck) = self.rb.decks.get_mut(deck.index()) {
                deck.pieces.push(id);
            }
        }
        self.rb.piece_sides.push(side);
        self.rb.pieces.push(PieceDef {
            name: name.to_owned(),
            side,
            kind,
            deck,
            attributes: attributes.to_vec(),
        });
        id
    }

    /// The piece with a name, if it is declared already.
    pub fn piece_called(&self, name: &str) -> Option<PieceId> {
        self.rb.piece_named(name)
    }

    /// A set of pieces, out of those declared so far.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// let (mut builder, _) = Field::builder(|_, _| Ok(()));
    /// let guns = builder.word("guns");
    /// let artillery = builder.piece_set("artillery", |_, piece| piece.kind == guns);
    /// let rulebook = builder.build().unwrap();
    /// assert!(rulebook.piece_set(artillery).has(rulebook.piece_named("Guns").unwrap()));
    /// ```
    pub fn piece_set(&mut self, name: &str, member: impl Fn(PieceId, &PieceDef) -> bool) -> PieceSetId {
        let mut pieces = vec![0u64; self.rb.pieces.len().div_ceil(64)];
        for (n, def) in self.rb.pieces.iter().enumerate() {
            if member(PieceId(last16(n + 1)), def) {
                pieces[n / 64] |= 1 << (n % 64);
            }
        }
        self.rb.piece_sets.push(PieceSetDef { name: name.to_owned(), pieces, decks: Vec::new() });
        PieceSetId(last16(self.rb.piece_sets.len()))
    }

    /// A column.
    pub fn column<K: CellKey>(
        &mut self,
        name: &str,
        kind: ValueKind,
        start: i32,
        class: ColumnClass,
    ) -> Column<K> {
        self.word(name);
        self.rb.columns.push(ColumnDef {
            name: name.to_owned(),
            holder: K::HOLDER,
            by_side: K::BY_SIDE,
            kind,
            start,
            class,
            resets: Vec::new(),
            sampler: None,
            offset: 0,
            holders: 0,
            choices: Vec::new(),
            watched: false,
            min: 0,
            max: 0,
        });
        Column::new(ColumnId(last16(self.rb.columns.len())))
    }

    /// A declared column; one of another rulebook is a problem.
    fn column_def(&mut self, column: ColumnId) -> Option<&mut ColumnDef> {
        if column.index() >= self.rb.columns.len() {
            self.problem(format!("column number {} is used and not declared", column.0));
        }
        self.rb.columns.get_mut(column.index())
    }

    /// The choices that a column of choices has one value for.
    pub fn choices<K>(&mut self, column: Column<K>, choices: &[WordId]) {
        if let Some(def) = self.column_def(column.id) {
            def.choices = choices.to_vec();
        }
    }

    /// Resets a column at a moment; with `own` only the cells of the side whose turn it is.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// let (mut builder, ids) = Field::builder(|_, _| Ok(()));
    /// builder.reset_at(ids.weary, ids.dusk, false); // everybody is fresh again
    /// let rulebook = builder.build().unwrap();
    /// assert_eq!(rulebook.column(ids.weary.id).resets, [ids.dusk]);
    /// ```
    pub fn reset_at<K>(&mut self, column: Column<K>, moment: MomentId, own: bool) {
        if let Some(def) = self.column_def(column.id) {
            def.resets.push(moment);
        }
        if let Some(def) = self.rb.moments.get_mut(moment.index()) {
            def.resets.push((column.id, own));
        }
    }

    /// How a viewer who may not see a column's cells imagines them.
    pub fn sampler<K>(
        &mut self,
        column: Column<K>,
        sampler: impl Fn(&crate::knowledge::Sampling<'_>) -> i32 + Send + Sync + 'static,
    ) {
        self.sampler_of(column.id, sampler);
    }

    /// The same for a column by number.
    pub fn sampler_of(
        &mut self,
        column: ColumnId,
        sampler: impl Fn(&crate::knowledge::Sampling<'_>) -> i32 + Send + Sync + 'static,
    ) {
        if let Some(def) = self.column_def(column) {
            def.sampler = Some(Arc::new(sampler));
        }
    }

    /// How a viewer imagines where bodies stand that it sees nothing of.
    pub fn hideout(&mut self, hideout: crate::knowledge::Hideout) {
        self.rb.hideouts.push(hideout);
    }

    /// A relation.
    pub fn relation(
        &mut self,
        name: &str,
        fields: &[(&str, FieldKind)],
        max: u16,
        class: ColumnClass,
    ) -> RecordId {
        let fields = fields.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect();
        self.rb.records.push(RecordDef { name: name.to_owned(), fields, max, class, sampler: None });
        RecordId(last16(self.rb.records.len()))
    }

    /// How a viewer who may not see the entries of a relation imagines them; without it, there are none.
    pub fn relation_sampler(
        &mut self,
        relation: RecordId,
        sampler: impl Fn(crate::state::Read<'_>, &mut dyn FnMut() -> u64) -> Vec<[i32; RECORD_FIELDS]>
        + Send
        + Sync
        + 'static,
    ) {
        if let Some(def) = self.rb.records.get_mut(relation.index()) {
            def.sampler = Some(Arc::new(sampler));
        }
    }

    /// A question.
    pub fn question(&mut self, name: &str, kind: crate::knowledge::QuestionKind) -> QuestionId {
        let name = self.word(name);
        self.rb.questions.push(QuestionDef { name, kind });
        QuestionId(last16(self.rb.questions.len()))
    }

    /// What viewers see of the bodies in some places. Of the rules that match, the first declared counts;
    /// owners see their own pieces without a rule.
    pub fn level(&mut self, rule: LevelRule) {
        self.level_rules.push(rule);
    }

    /// A game without hidden pieces: everybody sees everything everywhere.
    ///
    /// ```
    /// use adjutant_kernel::board::{BoardBuilder, Provenance};
    /// use adjutant_kernel::rulebook::Level;
    /// use adjutant_kernel::{PlaceId, Read, RulebookBuilder, Viewer};
    /// # use adjutant_kernel::{Cx, Flow, Halt, Procedure, RuleId, Worker};
    /// # use adjutant_kernel::{chance::Key, flow::{self, ProcRef, Sink}, locals::Locals};
    /// # #[derive(Locals)]
    /// # struct End {}
    /// # impl Procedure for End {
    /// #     type Module = RuleId;
    /// #     fn run(&mut self, rule: &RuleId, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
    /// #         cx.end_game(None, *rule)?;
    /// #         Ok(Flow::Done)
    /// #     }
    /// # }
    /// let board = BoardBuilder::new("plain", Provenance::printed("map")).space("plain").build()?;
    /// let mut builder = RulebookBuilder::new("chess", "1", board);
    /// let (white, rule) = (builder.side("white"), builder.rule("chess:1"));
    /// builder.open_information(rule);
    /// # let end: ProcRef<End> = builder.proc("end");
    /// # builder.define(end, &std::sync::Arc::new(rule));
    /// # builder.opening(end.with(End {}));
    /// let rulebook = builder.build()?;
    /// # let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0)?;
    /// let seen = Read::new(&rulebook, &state).level(Viewer::Public, PlaceId(0), None, Some(white));
    /// assert_eq!(seen, (Level::Everything, Some(rule)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_information(&mut self, rule: RuleId) {
        self.level(LevelRule {
            decks: Vec::new(),
            places: Vec::new(),
            onlooker: Onlooker::Anyone,
            when: LevelCondition::default(),
            level: Level::Everything,
            rule,
        });
    }

    /// An option.
    pub fn option(&mut self, name: &str, rules: &[RuleId]) -> OptionId {
        self.rb.options.push(OptionDef { name: name.to_owned(), rules: rules.to_vec() });
        OptionId(last8(self.rb.options.len()))
    }

    /// A table.
    pub fn table(&mut self, name: &str, table: Table) -> TableId {
        self.rb.tables.push((name.to_owned(), table));
        TableId(last16(self.rb.tables.len()))
    }

    /// A modifier of a table for a flag.
    pub fn table_modifier(&mut self, modifier: TableModifier) {
        self.rb.table_modifiers.push(modifier);
    }

    /// A rule point.
    pub fn point(&mut self, def: PointDef) -> PointId {
        self.rb.points.push(def);
        self.rb.attachments.push(Attachments::default());
        PointId(last16(self.rb.points.len()))
    }

    /// The point with a name.
    pub fn point_named(&self, name: &str) -> Option<PointId> {
        self.rb.points.iter().position(|p| p.name == name).map(|n| PointId(n as u16))
    }

    /// Attaches to a point, after whatever is attached already.
    pub fn attach(&mut self, point: PointId, attachment: Attachment) {
        match self.rb.attachments.get_mut(point.index()) {
            Some(list) => list.push(attachment),
            None => {
                let rule = self.rb.rule(attachment.rule).to_owned();
                self.problem(format!("{rule} is attached to a rule point that is not declared"));
            }
        }
    }

    /// Switches off a rule: whatever is attached to points and moments for it and the level rules that cite it
    /// are left out, and native code that asks [`Rulebook::rule_on`] leaves out what it does for it.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// let (mut builder, ids) = Field::builder(|_, _| Ok(()));
    /// builder.switch_off(ids.rule);
    /// let rulebook = builder.build().unwrap();
    /// assert!(!rulebook.rule_on(ids.rule));
    /// ```
    pub fn switch_off(&mut self, rule: RuleId) {
        self.switched_off.push(rule);
    }

    /// What has been declared so far. It is not laid out: names and definitions may be looked up in it, and no
    /// game played by it.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// let (builder, ids) = Field::builder(|_, _| Ok(()));
    /// assert_eq!(builder.so_far().piece_named("Guns"), Some(ids.guns));
    /// assert_eq!(builder.so_far().word(ids.march), "march");
    /// ```
    pub fn so_far(&self) -> &Rulebook {
        &self.rb
    }

    /// The greatest number of steps between two asks; passing it is a fault.
    pub fn step_bound(&mut self, steps: u32) {
        self.rb.step_bound = steps;
    }

    /// The number of letters of the first handles: 2 to 8, normally 4.
    pub fn first_handle(&mut self, letters: u8) {
        self.rb.first_handle = letters.clamp(2, 8);
    }

    /// Switches on a deliberate fault.
    #[cfg(feature = "mutants")]
    pub fn mutant(&mut self, name: &str) {
        self.rb.mutants.push(name.to_owned());
    }

    /// Checks everything and makes the rulebook.
    ///
    /// # Errors
    /// All problems found.
    pub fn build(mut self) -> Result<Rulebook, BadRulebook> {
        if !self.check_numbers() {
            return Err(BadRulebook { problems: self.problems });
        }
        self.check_names();
        self.check_procedures();
        if self.rb.opening.is_none() && self.rb.sequence.is_empty() {
            self.problem("there is neither an opening procedure nor a sequence of play");
        }
        if !self.check_ids() {
            return Err(BadRulebook { problems: self.problems });
        }
        let off = &self.switched_off;
        self.level_rules.retain(|rule| !off.contains(&rule.rule));
        self.lay_out();
        self.check_scenarios();
        let off = std::mem::take(&mut self.switched_off);
        for rule in &off {
            let words = self.rb.rules.len().div_ceil(64);
            self.rb.off.resize(words, 0);
            self.rb.off[rule.index() / 64] |= 1 << (rule.index() % 64);
        }
        for attachments in &mut self.rb.attachments {
            attachments.settle(&off, &self.rb.board, &self.rb.piece_sets);
        }
        for moment in &mut self.rb.moments {
            moment.attached.retain(|a| !off.contains(&a.rule));
        }
        // Their flags may still be raised.
        for modifier in self.rb.table_modifiers.iter_mut().filter(|m| off.contains(&m.rule)) {
            (modifier.die, modifier.shift) = (0, 0);
        }
        self.rb.modules.retain(|m| m.rule().is_none_or(|rule| !off.contains(&rule)));
        if self.problems.is_empty() { Ok(self.rb) } else { Err(BadRulebook { problems: self.problems }) }
    }
}

/// The number of the last of `count` things. More than there are numbers for is reported by `build`.
fn last8(count: usize) -> u8 {
    u8::try_from(count.saturating_sub(1)).unwrap_or(u8::MAX)
}

/// As [`last8`], for numbers of 16 bits.
fn last16(count: usize) -> u16 {
    u16::try_from(count.saturating_sub(1)).unwrap_or(u16::MAX)
}

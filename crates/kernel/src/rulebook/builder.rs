//! Building a rulebook: declarations in, numbers out, everything checked at the end.

use std::sync::Arc;

use super::*;
use crate::flow::{
    AnyProcedure, AtMoment, Item, MomentDef, MomentRun, NewFrame, ProcDef, ProcRef, Procedure, Registered,
    ScriptModule, Scripted, SequenceRun, SetUp, Threshold, Watch, compile,
};
use crate::locals::{Field, LocalClass};
use crate::points::Attachment;

/// Why a rulebook could not be built: all problems together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the rulebook cannot be built:\n{}", .problems.join("\n"))]
pub struct BadRulebook {
    /// What is wrong, where, and what would be right; one text a problem.
    pub problems: Vec<String>,
}

/// A deck that pieces may be put in.
pub type Deck = DeckId;

/// Collects declarations and makes a [`Rulebook`] of them.
pub struct RulebookBuilder {
    rb: Rulebook,
    level_rules: Vec<LevelRule>,
    switched_off: Vec<RuleId>,
    problems: Vec<String>,
}

impl RulebookBuilder {
    /// Begins a rulebook on a board.
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
        if self.rb.sides.iter().any(|s| s == name) {
            self.problem(format!("side `{name}` is declared twice; give it another name"));
        }
        self.rb.sides.push(name.to_owned());
        SideId(self.rb.sides.len() as u8 - 1)
    }

    /// A seat.
    pub fn seat(&mut self, name: &str, side: Option<SideId>, role: SeatRole) -> SeatId {
        if self.rb.seat_named(name).is_some() {
            self.problem(format!("seat `{name}` is declared twice; give it another name"));
        }
        if (role == SeatRole::Player) != side.is_some() {
            self.problem(format!("seat `{name}`: players have a side, umpires and spectators have none"));
        }
        self.rb.seats.push(SeatDef { name: name.to_owned(), side, role });
        SeatId(self.rb.seats.len() as u8 - 1)
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
        DeckId(self.rb.decks.len() as u8 - 1)
    }

    /// An attribute of pieces.
    pub fn attribute(&mut self, name: &str, kind: ValueKind, class: AttributeClass) -> AttributeId {
        if self.rb.attributes.iter().any(|a| a.name == name) {
            self.problem(format!("attribute `{name}` is declared twice; give it another name"));
        }
        self.rb.attributes.push(AttributeDef { name: name.to_owned(), kind, class });
        AttributeId(self.rb.attributes.len() as u16 - 1)
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
        if self.rb.piece_named(name).is_some() {
            self.problem(format!("piece `{name}` is declared twice; give it another name"));
        }
        let id = PieceId(self.rb.pieces.len() as u16);
        let kind = self.word(kind);
        if let Some(deck) = deck {
            if side != Some(self.rb.decks[deck.index()].side) {
                self.problem(format!("piece `{name}` is not of the side of its deck"));
            }
            self.rb.decks[deck.index()].pieces.push(id);
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
    pub fn piece_set(&mut self, name: &str, member: impl Fn(PieceId, &PieceDef) -> bool) -> PieceSetId {
        let mut pieces = vec![0u64; self.rb.pieces.len().div_ceil(64)];
        for (n, def) in self.rb.pieces.iter().enumerate() {
            if member(PieceId(n as u16), def) {
                pieces[n / 64] |= 1 << (n % 64);
            }
        }
        self.rb.piece_sets.push(PieceSetDef { name: name.to_owned(), pieces, decks: Vec::new() });
        PieceSetId(self.rb.piece_sets.len() as u16 - 1)
    }

    /// A column.
    pub fn column<K: CellKey>(
        &mut self,
        name: &str,
        kind: ValueKind,
        start: i32,
        class: ColumnClass,
    ) -> Column<K> {
        if self.rb.columns.iter().any(|c| c.name == name) {
            self.problem(format!("column `{name}` is declared twice; give it another name"));
        }
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
        Column::new(ColumnId(self.rb.columns.len() as u16 - 1))
    }

    /// The choices that a column of choices has one value for.
    pub fn choices<K>(&mut self, column: Column<K>, choices: &[WordId]) {
        self.rb.columns[column.id.index()].choices = choices.to_vec();
    }

    /// Resets a column at a moment; with `own` only the cells of the side whose turn it is.
    pub fn reset_at<K>(&mut self, column: Column<K>, moment: MomentId, own: bool) {
        self.rb.columns[column.id.index()].resets.push(moment);
        self.rb.moments[moment.index()].resets.push((column.id, own));
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
        self.rb.columns[column.index()].sampler = Some(Arc::new(sampler));
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
        if fields.len() > RECORD_FIELDS {
            self.problem(format!("relation `{name}` has {} fields; {RECORD_FIELDS} at most", fields.len()));
        }
        let fields = fields.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect();
        self.rb.records.push(RecordDef { name: name.to_owned(), fields, max, class });
        RecordId(self.rb.records.len() as u16 - 1)
    }

    /// A question.
    pub fn question(&mut self, name: &str, kind: crate::knowledge::QuestionKind) -> QuestionId {
        let name = self.word(name);
        self.rb.questions.push(QuestionDef { name, kind });
        QuestionId(self.rb.questions.len() as u16 - 1)
    }

    /// What viewers see of the bodies in some places. Of the rules that match, the first declared counts;
    /// owners see their own pieces without a rule.
    pub fn level(&mut self, rule: LevelRule) {
        self.level_rules.push(rule);
    }

    /// A game without hidden pieces: everybody sees everything everywhere.
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
        OptionId(self.rb.options.len() as u8 - 1)
    }

    /// A table.
    pub fn table(&mut self, name: &str, table: Table) -> TableId {
        if self.rb.table_named(name).is_some() {
            self.problem(format!("table `{name}` is declared twice; give it another name"));
        }
        self.rb.tables.push((name.to_owned(), table));
        TableId(self.rb.tables.len() as u16 - 1)
    }

    /// A modifier of a table for a flag.
    pub fn table_modifier(&mut self, modifier: TableModifier) {
        self.rb.table_modifiers.push(modifier);
    }

    /// A rule point.
    pub fn point(&mut self, def: PointDef) -> PointId {
        self.rb.points.push(def);
        self.rb.attachments.push(Vec::new());
        PointId(self.rb.points.len() as u16 - 1)
    }

    /// The point with a name.
    pub fn point_named(&self, name: &str) -> Option<PointId> {
        self.rb.points.iter().position(|p| p.name == name).map(|n| PointId(n as u16))
    }

    /// Attaches to a point, after whatever is attached already.
    pub fn attach(&mut self, point: PointId, attachment: Attachment) {
        self.rb.attachments[point.index()].push(attachment);
    }

    /// Switches off whatever is attached for a rule.
    pub fn switch_off(&mut self, rule: RuleId) {
        self.switched_off.push(rule);
    }

    /// A moment.
    pub fn moment(&mut self, name: &str) -> MomentId {
        let name = self.word(name);
        self.rb.moments.push(MomentDef { name, attached: Vec::new(), resets: Vec::new() });
        MomentId(self.rb.moments.len() as u16 - 1)
    }

    /// Runs a procedure at a moment for a rule, if an option is on or off as stated, after what is attached
    /// already.
    pub fn at_moment(
        &mut self,
        moment: MomentId,
        rule: RuleId,
        option: Option<(OptionId, bool)>,
        run: NewFrame,
    ) {
        self.rb.moments[moment.index()].attached.push(AtMoment { rule, option, instead: false, run });
    }

    /// As [`at_moment`](Self::at_moment); the procedure stands in for the step that asks for the moment.
    pub fn instead(
        &mut self,
        moment: MomentId,
        rule: RuleId,
        option: Option<(OptionId, bool)>,
        run: NewFrame,
    ) {
        self.rb.moments[moment.index()].attached.push(AtMoment { rule, option, instead: true, run });
    }

    /// Names a procedure; [`define`](Self::define) gives it its code.
    pub fn proc<P: Procedure>(&mut self, name: &str) -> ProcRef<P> {
        self.rb.procs.push(ProcDef {
            name: name.to_owned(),
            fields: P::FIELDS.iter().map(Field::from).collect(),
            open: P::FIELDS.iter().all(|f| f.class == LocalClass::Public),
            code: None,
        });
        ProcRef::new(ProcId(self.rb.procs.len() as u16 - 1))
    }

    /// Gives a procedure the module that its code works with.
    pub fn define<P: Procedure>(&mut self, proc: ProcRef<P>, module: &Arc<P::Module>) {
        let code: Box<dyn AnyProcedure> = Box::new(Registered::<P>(Arc::clone(module)));
        self.rb.procs[proc.id().index()].code = Some(code);
    }

    /// A procedure whose code is a script of the worker's host. `owner` names the local that says to which side
    /// locals of class owner belong; `settled` is [`Procedure::settled`].
    pub fn script_proc(
        &mut self,
        name: &str,
        fields: Vec<Field>,
        owner: Option<&str>,
        settled: bool,
        script: u32,
    ) -> ProcId {
        if self.rb.procedure_named(name).is_some() {
            self.problem(format!("procedure `{name}` is declared twice; give it another name"));
        }
        let mut offset = 0;
        let mut owner_at = None;
        for field in &fields {
            if owner == Some(field.name.as_str()) {
                owner_at = Some(offset);
            }
            offset += usize::from(field.words);
        }
        let code = Scripted { script, count: offset, owner: owner_at, settled };
        self.rb.procs.push(ProcDef {
            name: name.to_owned(),
            open: fields.iter().all(|f| f.class == LocalClass::Public),
            fields,
            code: Some(Box::new(code)),
        });
        ProcId(self.rb.procs.len() as u16 - 1)
    }

    /// A script of the worker's host that answers the placement check for a rule; of all answers the strictest
    /// counts. See [`Module::placement`].
    pub fn script_placement(&mut self, rule: RuleId, script: u32) {
        let name = self.rb.rules.name(rule.0).to_owned();
        self.module(Arc::new(ScriptModule { name, rule, placement: Some(script), revealed: None }));
    }

    /// A script of the worker's host that is told of every reveal, for a rule. See [`Module::revealed`].
    pub fn script_revealed(&mut self, rule: RuleId, script: u32) {
        let name = self.rb.rules.name(rule.0).to_owned();
        self.module(Arc::new(ScriptModule { name, rule, placement: None, revealed: Some(script) }));
    }

    /// What has been declared so far. It is not laid out: names and definitions may be looked up in it, and no
    /// game played by it.
    pub fn so_far(&self) -> &Rulebook {
        &self.rb
    }

    /// When cells of a column pass a threshold, drops all that goes on and runs a procedure.
    pub fn watch<K>(&mut self, column: Column<K>, threshold: Threshold, then: NewFrame) {
        self.watch_column(column.id, threshold, then);
    }

    /// The same for a column by number.
    pub fn watch_column(&mut self, column: ColumnId, threshold: Threshold, then: NewFrame) {
        self.rb.columns[column.index()].watched = true;
        self.rb.watches.push(Watch { column, threshold, then });
    }

    /// The sequence of play.
    pub fn sequence(&mut self, items: &[Item]) {
        let (words, mut ops) = (&mut self.rb.words, Vec::new());
        compile(items, &mut |w| WordId(words.intern(w)), &mut ops);
        self.rb.sequence = ops;
    }

    /// A procedure to begin with instead of the sequence of play.
    pub fn opening(&mut self, opening: NewFrame) {
        self.rb.opening = Some(opening);
    }

    /// A scenario.
    pub fn scenario(&mut self, scenario: ScenarioDef) -> ScenarioId {
        if self.rb.scenario_named(&scenario.name).is_some() {
            self.problem(format!("scenario `{}` is declared twice; give it another name", scenario.name));
        }
        if self.rb.set_up.is_none() {
            let proc = self.proc::<SetUp>("scenario");
            self.define(proc, &Arc::new(()));
            self.rb.set_up = Some((proc.id(), self.word("set_up")));
        }
        self.rb.scenarios.push(scenario);
        ScenarioId(self.rb.scenarios.len() as u16 - 1)
    }

    /// A module, asked for placements and told of reveals.
    pub fn module(&mut self, module: Arc<dyn Module>) {
        self.rb.modules.push(module);
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
        let off = std::mem::take(&mut self.switched_off);
        self.level_rules.retain(|level| !off.contains(&level.rule));
        self.lay_out_columns();
        self.lay_out_decks();
        self.lay_out_levels();
        self.check_scenarios();
        for list in &mut self.rb.attachments {
            list.retain(|a| !off.contains(&a.rule));
        }
        for moment in &mut self.rb.moments {
            moment.attached.retain(|a| !off.contains(&a.rule));
        }
        // Their flags may still be raised.
        for modifier in self.rb.table_modifiers.iter_mut().filter(|m| off.contains(&m.rule)) {
            (modifier.die, modifier.shift) = (0, 0);
        }
        self.rb.modules.retain(|m| m.rule().is_none_or(|rule| !off.contains(&rule)));
        for n in 0..self.rb.procs.len() {
            if self.rb.procs[n].code.is_none() {
                let name = self.rb.procs[n].name.clone();
                self.problem(format!("procedure `{name}` is declared and never defined"));
            }
        }
        self.check_names();
        if self.rb.opening.is_none() && self.rb.sequence.is_empty() {
            self.problem("there is neither an opening procedure nor a sequence of play");
        }
        if self.rb.sides.is_empty() || self.rb.sides.len() > 14 {
            self.problem(format!("there are {} sides; 1 to 14 are possible", self.rb.sides.len()));
        }
        if self.rb.seats.len() > 32 {
            self.problem(format!("there are {} seats; 32 at most", self.rb.seats.len()));
        }
        if self.rb.options.len() > 64 {
            self.problem(format!("there are {} options; 64 at most", self.rb.options.len()));
        }
        if self.problems.is_empty() { Ok(self.rb) } else { Err(BadRulebook { problems: self.problems }) }
    }

    fn check_scenarios(&mut self) {
        for n in 0..self.rb.scenarios.len() {
            let Some((phase, side)) = self.rb.scenarios[n].start else { continue };
            let (name, phase) = (&self.rb.scenarios[n].name, self.rb.word(phase));
            if self.rb.sequence_from(phase, side).is_none() {
                let side = side.and_then(|s| self.rb.sides.get(s.index()));
                let turn = side.map_or_else(String::new, |s| format!(" in the turn of `{s}`"));
                let text = format!(
                    "scenario `{name}` begins with phase `{phase}`{turn}, which the sequence of play lacks"
                );
                self.problem(text);
            }
        }
    }

    /// Saves write everything by name, so no two things of a kind may share one.
    fn check_names(&mut self) {
        let rb = &self.rb;
        let word = |word: WordId| rb.words.name(word.0);
        let kinds: [(&str, Vec<&str>); 6] = [
            ("option", rb.options.iter().map(|o| o.name.as_str()).collect()),
            ("relation", rb.records.iter().map(|r| r.name.as_str()).collect()),
            ("question", rb.questions.iter().map(|q| word(q.name)).collect()),
            ("moment", rb.moments.iter().map(|m| word(m.name)).collect()),
            ("procedure", rb.procs.iter().map(|p| p.name.as_str()).collect()),
            ("rule point", rb.points.iter().map(|p| p.name.as_str()).collect()),
        ];
        let mut problems = Vec::new();
        for (kind, names) in kinds {
            let mut seen = std::collections::HashSet::new();
            for name in names {
                if !seen.insert(name) {
                    problems.push(format!("{kind} `{name}` is declared twice; give it another name"));
                }
            }
        }
        self.problems.extend(problems);
    }

    fn lay_out_columns(&mut self) {
        let rb = &mut self.rb;
        let (sides, spaces) = (rb.sides.len(), rb.board.space_count());
        let mut offset = 0;
        let mut problems = Vec::new();
        for def in &mut rb.columns {
            let holders = match def.holder {
                Holder::Game => 1,
                Holder::Side => sides,
                Holder::Seat => rb.seats.len(),
                Holder::Piece | Holder::Body => rb.pieces.len(),
                Holder::Space => spaces,
                Holder::Border => rb.board.border_count(),
                Holder::Link => rb.board.link_count(),
                Holder::Choice => def.choices.len(),
            };
            def.holders = holders as u16;
            (def.min, def.max) = def.kind.bounds(sides, spaces);
            if def.start < def.min || def.start > def.max {
                problems.push(format!(
                    "column `{}` starts at {}; it takes {} to {}",
                    def.name, def.start, def.min, def.max
                ));
            }
            if def.holder == Holder::Choice && def.choices.is_empty() {
                problems.push(format!("column `{}` of choices names no choices", def.name));
            }
            if !def.sparse() {
                def.offset = offset as u32;
                offset += holders * if def.by_side { sides } else { 1 };
            }
        }
        rb.cell_count = offset;
        self.problems.extend(problems);
    }

    fn lay_out_decks(&mut self) {
        let rb = &mut self.rb;
        let mut offset = 0;
        rb.slots = vec![None; rb.pieces.len()];
        rb.deck_positions = vec![0; rb.pieces.len()];
        for (n, deck) in rb.decks.iter_mut().enumerate() {
            deck.words = deck.pieces.len().div_ceil(64);
            deck.offset = offset;
            for (position, piece) in deck.pieces.iter().enumerate() {
                rb.deck_positions[piece.index()] = position as u16;
                rb.slots[piece.index()] = Some(Slot { deck: DeckId(n as u8), offset, words: deck.words });
                offset += deck.words;
            }
        }
        rb.candidate_words = offset;
        for set in &mut rb.piece_sets {
            set.pieces.resize(rb.pieces.len().div_ceil(64), 0);
            set.decks = rb
                .decks
                .iter()
                .map(|deck| {
                    let mut mask = vec![0u64; deck.words];
                    for (position, &piece) in deck.pieces.iter().enumerate() {
                        if set.has(piece) {
                            mask[position / 64] |= 1 << (position % 64);
                        }
                    }
                    mask
                })
                .collect();
        }
        for piece in &rb.pieces {
            for (attribute, value) in rb.attributes.iter().zip(&piece.attributes) {
                let (min, max) = attribute.kind.bounds(rb.sides.len(), rb.board.space_count());
                if let Some(value) = value.filter(|v| *v < min || *v > max) {
                    self.problems.push(format!(
                        "piece `{}` has {} {value}; it takes {min} to {max}",
                        piece.name, attribute.name
                    ));
                }
            }
        }
        let public = |a: &AttributeDef| a.class == AttributeClass::Public;
        for (n, attribute) in rb.attributes.iter().enumerate().filter(|(_, a)| public(a)) {
            for deck in &rb.decks {
                let value = |p: &PieceId| rb.pieces[p.index()].attributes.get(n).copied().flatten();
                if deck.pieces.windows(2).any(|pair| value(&pair[0]) != value(&pair[1])) {
                    self.problems.push(format!(
                        "attribute `{}` is public and differs within deck `{}`: it would tell pieces apart \
                         that look alike",
                        attribute.name, deck.name
                    ));
                }
            }
        }
    }

    fn lay_out_levels(&mut self) {
        let spaces = self.rb.board.space_count();
        for rule in &self.level_rules {
            let all = (0..self.rb.levels.len() as u16).map(PlaceId);
            for place in all.filter(|p| rule.places.is_empty() || rule.places.contains(p)) {
                if let Some((column, _)) = rule.when.column {
                    let def = &self.rb.columns[column.index()];
                    let fits =
                        def.holder == Holder::Space && def.class == ColumnClass::Public && !def.by_side;
                    if !fits || place.index() >= spaces {
                        self.problems.push(format!(
                            "a level of {} depends on column `{}`; it may depend on a public column of \
                             the space",
                            self.rb.board.place_name(place),
                            def.name
                        ));
                    }
                }
                self.rb.levels[place.index()].push(rule.clone());
            }
        }
        let decks: Vec<SideId> = self.rb.decks.iter().map(|d| d.side).collect();
        self.rb.fixed_levels = Levels::new(&self.rb.levels, &decks, self.rb.sides.len());
    }
}

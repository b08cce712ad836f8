//! A checked model as the kernel's rulebook.

mod board;
mod imagine;
mod play;
mod tables;

use std::collections::HashMap;
use std::sync::Arc;

use adjutant_kernel::flow::NewFrame;
use adjutant_kernel::rulebook::{
    AttributeClass, CellKey, ChoiceIndex, Column, ColumnClass, FieldKind, Rulebook, SeatRole, TableModifier,
    ValueKind,
};
use adjutant_kernel::*;

pub(crate) use board::board;
pub(crate) use tables::{Numbers, table};

use crate::check::{Contract, Known, Surroundings, least, number};
use crate::diagnostic::{Diagnostic, Report};
use crate::load::LoadedPack;
use crate::model::{self, FieldType, Model, Of, Role, Test, Values, Visible, Who};

/// Makes the frame of a procedure for the side whose turn it is.
///
/// ```
/// use adjutant_pack::MakeFrame;
/// use adjutant_kernel::flow::{NewFrame, ProcRef};
/// # use adjutant_kernel::{SideId, locals::Locals, Cx, Flow, Halt, Procedure};
/// # #[derive(Locals)]
/// # struct March { side: Option<SideId> }
/// # impl Procedure for March {
/// #     type Module = ();
/// #     fn run(&mut self, _: &(), _: &mut Cx<'_>) -> Result<Flow, Halt> { Ok(Flow::Done) }
/// # }
/// fn in_turn(march: ProcRef<March>) -> MakeFrame {
///     std::sync::Arc::new(move |side| march.with(March { side }))
/// }
/// ```
pub type MakeFrame = Arc<dyn Fn(Option<SideId>) -> NewFrame + Send + Sync>;

/// The procedures that a pack calls by name: those of native modules and of scripts.
///
/// ```
/// use adjutant_kernel::flow::{Flow, Halt, ProcRef, Procedure};
/// use adjutant_kernel::locals::Locals;
/// use adjutant_kernel::{Action, Cx, Offers, RulebookBuilder, SeatId, Seen, SideId, WordId};
/// use adjutant_pack::{Declared, Diagnostic, LoadedPack, MakeFrame, Procedures, compile};
///
/// /// Asks the side whose turn it is whether it is done.
/// #[derive(Locals)]
/// struct Ask { side: Option<SideId> }
/// impl Procedure for Ask {
///     type Module = WordId;
///     fn run(&mut self, done: &WordId, _: &mut Cx<'_>) -> Result<Flow, Halt> {
///         Ok(Flow::ask(SeatId(self.side.map_or(0, |side| side.0)), *done))
///     }
///     fn offers(&self, done: &WordId, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
///         out.add(Action::new(*done));
///     }
///     fn act(&mut self, _: &WordId, _: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
///         Ok(Flow::Done)
///     }
/// }
///
/// #[derive(Default)]
/// struct Mine { act: Option<ProcRef<Ask>> }
/// impl Procedures for Mine {
///     fn names(&self) -> Vec<String> {
///         vec!["act".into()] // as the sequence of play of the pack calls it
///     }
///     fn declare(&mut self, builder: &mut RulebookBuilder, _: &Declared) -> Result<(), Vec<Diagnostic>> {
///         let done = builder.word("done");
///         let act = builder.proc("act");
///         builder.define(act, &std::sync::Arc::new(done));
///         self.act = Some(act);
///         Ok(())
///     }
///     fn find(&self, name: &str, _: bool) -> Result<MakeFrame, String> {
///         let act = self.act.filter(|_| name == "act").ok_or("there is none")?;
///         Ok(std::sync::Arc::new(move |side| act.with(Ask { side })))
///     }
/// }
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let pack = LoadedPack::open(folder.as_ref(), &[], &|_| None, &mut Vec::new()).unwrap();
/// let (rulebook, declared) = compile(&pack, &[], &mut Mine::default()).unwrap();
/// assert_eq!(rulebook.title(), "Tiny");
/// assert_eq!(rulebook.column(declared.game_columns["turn"].id).start, 0);
/// ```
pub trait Procedures {
    /// The names of all.
    fn names(&self) -> Vec<String>;

    /// Declares what data may refer to by name: points and moments. Called when sides and seats are declared.
    /// Gives the moments.
    fn begin(&mut self, builder: &mut RulebookBuilder) -> Vec<(String, MomentId)> {
        let _ = builder;
        Vec::new()
    }

    /// Declares and defines the procedures, and attaches to points. Called when all data but restrictions,
    /// knowledge, the sequence of play and scenarios are declared.
    ///
    /// # Errors
    /// What is wrong with them.
    fn declare(&mut self, builder: &mut RulebookBuilder, declared: &Declared) -> Result<(), Vec<Diagnostic>> {
        let _ = (builder, declared);
        Ok(())
    }

    /// Whether there is a procedure with this name; asked for checks before `declare` is called.
    fn knows(&self, name: &str) -> bool {
        self.names().iter().any(|n| n == name)
    }

    /// A procedure that data call, after `declare`; `in_turn` when it is always some side's turn then.
    ///
    /// # Errors
    /// Why data cannot call it, as in "procedure `x` cannot be called here: ..".
    fn find(&self, name: &str, in_turn: bool) -> Result<MakeFrame, String>;
}

/// The numbers of what was declared, by name.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Columns.
    pub columns: HashMap<String, ColumnId>,
    /// Columns of the game, which turns and conditions read.
    pub game_columns: HashMap<String, Column<()>>,
    /// Relations.
    pub relations: HashMap<String, RecordId>,
    /// Attributes.
    pub attributes: HashMap<String, AttributeId>,
    /// What the attributes and columns hold.
    pub choices: HashMap<String, Vec<String>>,
    /// Tables.
    pub tables: HashMap<String, TableId>,
    /// Moments.
    pub moments: HashMap<String, MomentId>,
    /// Points that the pack declares.
    pub points: HashMap<String, PointId>,
    /// Sets of pieces.
    pub sets: HashMap<String, PieceSetId>,
    /// Questions.
    pub questions: HashMap<String, QuestionId>,
    /// Options.
    pub options: HashMap<String, OptionId>,
}

/// Checks a pack and compiles it.
///
/// # Errors
/// All that is wrong, errors and warnings.
pub fn compile(
    pack: &LoadedPack,
    contracts: &[Contract],
    procedures: &mut dyn Procedures,
) -> Result<(Rulebook, Declared), Report> {
    let around = Surroundings { contracts, procedures: Some(procedures), texts: &[] };
    let mut problems = Vec::new();
    let known = Known::new(pack, &around, &mut problems);
    let problems = crate::check::check_known(pack, &around, &known, problems);
    if pack.has_errors || problems.iter().any(Diagnostic::is_error) {
        return Err(pack.report(problems));
    }
    let mut problems = Vec::new();
    let model = &pack.model;
    let (Some(title), Some(board)) = (pack.title_layer(), known.board.clone()) else {
        let message = "the pack has no manifest or no board";
        return Err(pack.report(vec![Diagnostic::of_file("no-manifest", "pack.ron", message)]));
    };
    let builder = RulebookBuilder::new(&title.title, &title.version, board);
    let mut compiling =
        Compiling { model, known: &known, rb: builder, declared: Declared::default(), own_sides: Vec::new() };
    compiling.sides();
    let moments = procedures.begin(&mut compiling.rb);
    compiling.declared.moments.extend(moments);
    compiling.declare();
    if let Err(found) = procedures.declare(&mut compiling.rb, &compiling.declared) {
        // Whatever else would be found only follows from these.
        return Err(pack.report(found));
    }
    compiling.play(procedures, &mut problems);
    let Compiling { rb, declared, .. } = compiling;
    if problems.is_empty() {
        match rb.build() {
            Ok(rulebook) => return Ok((rulebook, declared)),
            Err(bad) => {
                let problem = |text: &String| Diagnostic::of_file("rulebook", "pack.ron", text.clone());
                problems.extend(bad.problems.iter().map(problem));
            }
        }
    }
    Err(pack.report(problems))
}

pub(crate) struct Compiling<'a> {
    pub(crate) model: &'a Model,
    pub(crate) known: &'a Known,
    pub(crate) rb: RulebookBuilder,
    pub(crate) declared: Declared,
    pub(crate) own_sides: Vec<SideId>,
}

impl Compiling<'_> {
    /// A name as a number: checked before, so that it is one.
    pub(crate) fn side(&self, name: &str) -> SideId {
        SideId(self.known.sides.find(name).unwrap_or_default() as u8)
    }

    fn sides(&mut self) {
        let Some(sides) = &self.model.sides else { return };
        for name in sides.sides.names() {
            let side = self.rb.side(name);
            self.own_sides.push(side);
        }
        for (name, seat) in sides.seats.iter() {
            let role = match seat.role {
                Role::Player => SeatRole::Player,
                Role::Spectator => SeatRole::Spectator,
                Role::Umpire => SeatRole::Umpire,
            };
            let side = seat.side.as_ref().map(|s| self.side(s));
            self.rb.seat(name, side, role);
        }
    }

    fn declare(&mut self) {
        for name in self.model.rules.names() {
            self.rb.rule(name);
        }
        self.pieces();
        if let Some(knowledge) = &self.model.knowledge {
            for name in knowledge.moments.names() {
                if !self.declared.moments.contains_key(&name.value) {
                    let moment = self.rb.moment(name);
                    self.declared.moments.insert(name.value.clone(), moment);
                }
            }
            for (name, set) in knowledge.sets.iter() {
                let id = self.piece_set(name, set);
                self.declared.sets.insert(name.value.clone(), id);
            }
            for (name, question) in knowledge.questions.iter() {
                let Some(kind) = self.question(question) else { continue };
                let id = self.rb.question(name, kind);
                self.declared.questions.insert(name.value.clone(), id);
            }
        }
        self.columns();
        self.samplers();
        if let Some(options) = &self.model.options {
            for (name, option) in options.options.iter() {
                let rules: Vec<RuleId> = option.rules.iter().map(|r| self.rb.rule(r)).collect();
                let id = self.rb.option(name, &rules);
                self.declared.options.insert(name.value.clone(), id);
            }
        }
        self.tables();
        self.points();
    }

    fn pieces(&mut self) {
        let Some(pieces) = &self.model.pieces else { return };
        let mut decks = HashMap::new();
        for (name, deck) in pieces.decks.iter() {
            let side = self.side(&deck.side);
            decks.insert(name.value.as_str(), self.rb.deck(name, side));
        }
        for (name, attribute) in pieces.attributes.iter() {
            let class = match &attribute.class {
                Visible::Public => AttributeClass::Public,
                Visible::Owner => AttributeClass::Owner,
                Visible::Side(side) => AttributeClass::Side(self.side(side)),
                Visible::OnReveal => AttributeClass::OnReveal,
            };
            let kind = self.value_kind(&attribute.values);
            let id = self.rb.attribute(name, kind, class);
            self.declared.attributes.insert(name.value.clone(), id);
            self.note_choices(name, &attribute.values);
        }
        for (name, piece) in pieces.pieces.iter() {
            let values: Vec<Option<i32>> = pieces
                .attributes
                .iter()
                .map(|(attribute, def)| {
                    number(piece.attributes.get(attribute)?, &def.values, self.known).ok()
                })
                .collect();
            let side = piece.side.as_ref().map(|s| self.side(s));
            let deck = piece.deck.as_ref().and_then(|d| decks.get(d.value.as_str()).copied());
            for name in piece.names(name) {
                self.rb.piece(&name, side, &piece.kind, deck, &values);
            }
        }
    }

    fn note_choices(&mut self, name: &str, values: &Values) {
        if let Values::Choice(words) = values {
            let words = words.iter().map(|w| w.value.clone()).collect();
            self.declared.choices.insert(name.to_owned(), words);
        }
    }

    fn piece_set(&mut self, name: &str, set: &model::PieceSet) -> PieceSetId {
        let Some(pieces) = &self.model.pieces else { return self.rb.piece_set(name, |_, _| false) };
        let among = |list: &[crate::read::Name], name: Option<&str>| {
            list.is_empty() || name.is_some_and(|n| list.iter().any(|l| l.value == n))
        };
        let mut members = Vec::new();
        for (entry, piece) in pieces.pieces.iter() {
            for one in piece.names(entry) {
                let tested = set.attributes.iter().all(|(attribute, test)| {
                    let Some(def) = pieces.attributes.get(attribute) else { return false };
                    let value = |v| number(v, &def.values, self.known).ok();
                    let Some(here) = piece.attributes.get(attribute).and_then(|v| value(v)) else {
                        return false;
                    };
                    match test {
                        Test::Is(wanted) => value(wanted) == Some(here),
                        Test::AtLeast(least) => here >= *least,
                        Test::AtMost(most) => here <= *most,
                    }
                });
                let inside = tested
                    && among(&set.kinds, Some(&piece.kind))
                    && among(&set.sides, piece.side.as_ref().map(|s| s.value.as_str()))
                    && among(&set.decks, piece.deck.as_ref().map(|d| d.value.as_str()))
                    && (among(&set.pieces, Some(&one)) || among(&set.pieces, Some(entry)));
                members.push(inside != set.but);
            }
        }
        self.rb.piece_set(name, |piece, _| members.get(piece.index()).copied().unwrap_or_default())
    }

    pub(crate) fn class(&self, who: &Who) -> ColumnClass {
        match who {
            Who::Public => ColumnClass::Public,
            Who::Owner => ColumnClass::Owner,
            Who::Side(side) => ColumnClass::Side(self.side(side)),
            Who::Hidden => ColumnClass::Hidden,
        }
    }

    fn columns(&mut self) {
        let Some(columns) = &self.model.columns else { return };
        for (name, column) in columns.columns.iter() {
            let id = match (&column.of, column.by_side) {
                (Of::Game, false) => {
                    let game = self.column::<()>(name, column);
                    self.declared.game_columns.insert(name.value.clone(), game);
                    game.id
                }
                (Of::Game, true) => self.column::<((), SideId)>(name, column).id,
                (Of::Side, false) => self.column::<SideId>(name, column).id,
                (Of::Side, true) => self.column::<(SideId, SideId)>(name, column).id,
                (Of::Seat, false) => self.column::<SeatId>(name, column).id,
                (Of::Seat, true) => self.column::<(SeatId, SideId)>(name, column).id,
                (Of::Piece, false) => self.column::<PieceId>(name, column).id,
                (Of::Piece, true) => self.column::<(PieceId, SideId)>(name, column).id,
                (Of::Body, false) => self.column::<BodyId>(name, column).id,
                (Of::Body, true) => self.column::<(BodyId, SideId)>(name, column).id,
                (Of::Space, false) => self.column::<SpaceId>(name, column).id,
                (Of::Space, true) => self.column::<(SpaceId, SideId)>(name, column).id,
                (Of::Border, false) => self.column::<BorderId>(name, column).id,
                (Of::Border, true) => self.column::<(BorderId, SideId)>(name, column).id,
                (Of::Link, false) => self.column::<LinkId>(name, column).id,
                (Of::Link, true) => self.column::<(LinkId, SideId)>(name, column).id,
                (Of::Choice, false) => self.column::<ChoiceIndex>(name, column).id,
                (Of::Choice, true) => self.column::<(ChoiceIndex, SideId)>(name, column).id,
            };
            self.declared.columns.insert(name.value.clone(), id);
            self.note_choices(name, &column.values);
        }
        for (name, relation) in columns.relations.iter() {
            let fields: Vec<(&str, FieldKind)> =
                relation.fields.iter().map(|(name, kind)| (name.value.as_str(), field_kind(kind))).collect();
            let class = self.class(&relation.class);
            let id = self.rb.relation(name, &fields, relation.most.value, class);
            self.declared.relations.insert(name.value.clone(), id);
        }
    }

    fn value_kind(&mut self, values: &Values) -> ValueKind {
        match values {
            Values::Int((min, max)) => ValueKind::Int { min: *min, max: *max },
            Values::Flag => ValueKind::Flag,
            Values::Choice(words) => ValueKind::Choice(words.iter().map(|w| self.rb.word(w)).collect()),
            Values::Side => ValueKind::Side,
            Values::Space => ValueKind::Space,
        }
    }

    fn column<K: CellKey>(&mut self, name: &str, column: &model::Column) -> Column<K> {
        let kind = self.value_kind(&column.values);
        let start = column.start.as_ref().and_then(|s| number(s, &column.values, self.known).ok());
        let class = self.class(&column.class);
        let id = self.rb.column::<K>(name, kind, start.unwrap_or_else(|| least(&column.values)), class);
        if !column.choices.is_empty() {
            let words: Vec<WordId> = column.choices.iter().map(|c| self.rb.word(c)).collect();
            self.rb.choices(id, &words);
        }
        for reset in &column.resets {
            if let Some(&moment) = self.declared.moments.get(&reset.at.value) {
                self.rb.reset_at(id, moment, reset.own);
            }
        }
        id
    }

    fn tables(&mut self) {
        let known = self.known;
        for (name, def) in self.model.tables.iter() {
            let other = |name: &str| known.tables.find(name).map(|n| TableId(n as u16));
            let rb = &mut self.rb;
            let mut word = |word: &str| rb.word(word);
            let mut numbers = Numbers { word: &mut word, table: &other };
            let Ok(compiled) = table(name, def, &mut numbers) else { continue };
            let id = self.rb.table(name, compiled);
            self.declared.tables.insert(name.value.clone(), id);
            for modifier in &def.modifiers {
                let (rule, flag) = (self.rb.rule(&modifier.rule), self.rb.word(&modifier.flag));
                let (die, shift) = (modifier.die.unwrap_or(0), modifier.shift.unwrap_or(0));
                self.rb.table_modifier(TableModifier { table: id, rule, flag, die, shift });
            }
        }
    }
}

fn field_kind(kind: &FieldType) -> FieldKind {
    match kind {
        FieldType::Int => FieldKind::Int,
        FieldType::Space => FieldKind::Space,
        FieldType::Side => FieldKind::Side,
        FieldType::Body => FieldKind::Body,
        FieldType::Piece => FieldKind::Piece,
        FieldType::Word => FieldKind::Word,
    }
}

//! The sequence of play as data, and the moments that hang on it.

use std::sync::Arc;

use super::{Cx, Flow, Halt, NewFrame, Procedure};
use crate::events::Arg;
use crate::ids::*;
use crate::knowledge::Audience;
use crate::locals::Locals;
use crate::rulebook::Column;
use crate::state::Read;

/// Makes the frame of a phase for the side whose turn it is.
pub(crate) type MakeFrame = Arc<dyn Fn(Option<SideId>) -> NewFrame + Send + Sync>;
/// A condition on the position; it may depend on public facts only.
pub(crate) type Condition = Arc<dyn Fn(Read<'_>) -> bool + Send + Sync>;

/// A part of the sequence of play.
///
/// ```
/// use adjutant_kernel::flow::{self, Item, ProcRef, phase};
/// use adjutant_kernel::locals::Locals;
/// use adjutant_kernel::rulebook::{Column, ColumnClass, ValueKind};
/// use adjutant_kernel::{Cx, Flow, Halt, Procedure, RuleId, SideId};
/// # use adjutant_kernel::{Read, RulebookBuilder, Worker, chance::Key, flow::Sink};
/// # let source = adjutant_kernel::provenance::Provenance::printed("map");
/// # let board = adjutant_kernel::board::BoardBuilder::new("camp", source).space("camp").build()?;
/// # let mut builder = RulebookBuilder::new("camp", "1", board);
/// # let (blue, red, last) = (builder.side("blue"), builder.side("red"), builder.rule("camp:1"));
/// struct Rules { rallied: Column<SideId>, last: RuleId }
/// #[derive(Locals)]
/// struct Rally { side: SideId }
/// impl Procedure for Rally {
///     type Module = Rules;
///     fn run(&mut self, rules: &Rules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
///         cx.add(rules.rallied, self.side, 1)?;
///         if cx.get(rules.rallied, SideId(1)) == 3 {
///             cx.end_game(None, rules.last)?;
///         }
///         Ok(Flow::Done)
///     }
/// }
/// let kind = ValueKind::Int { min: 0, max: 3 };
/// let turn = builder.column("turn", kind.clone(), 0, ColumnClass::Public);
/// let rallied = builder.column("rallied", kind, 0, ColumnClass::Public);
/// let rally: ProcRef<Rally> = builder.proc("rally");
/// builder.define(rally, &std::sync::Arc::new(Rules { rallied, last }));
/// let rally = phase("rally", move |side| rally.with(Rally { side: side.unwrap_or_default() }));
/// // Three turns, in each of which first blue rallies and then red.
/// builder.sequence(&[Item::Turns { column: turn, last: 3, turn: vec![Item::Sides(vec![blue, red], vec![rally])] }]);
/// let rulebook = builder.build()?;
/// let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0)?;
/// let read = Read::new(&rulebook, &state);
/// assert_eq!((read.get(turn, ()), read.get(rallied, blue)), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum Item {
    /// A phase: its name and the procedure that it runs. Made by [`phase`].
    Phase {
        /// Its name.
        name: String,
        /// Makes the frame.
        run: MakeFrame,
    },
    /// The same items once a side, in this order (player turns).
    Sides(Vec<SideId>, Vec<Item>),
    /// A moment: what resets, lapses or is attached there happens.
    Moment(MomentId),
    /// Items that are left out unless a condition holds.
    When(Condition, Vec<Item>),
    /// Items repeated while a condition holds.
    While(Condition, Vec<Item>),
    /// Turns, counted in a column from the value after its own up to a last one.
    Turns {
        /// The column that counts them.
        column: Column<()>,
        /// The number of the last turn.
        last: i32,
        /// What a turn is.
        turn: Vec<Item>,
    },
}

/// A phase that runs one procedure.
pub fn phase(name: &str, run: impl Fn(Option<SideId>) -> NewFrame + Send + Sync + 'static) -> Item {
    Item::Phase { name: name.to_owned(), run: Arc::new(run) }
}

/// One instruction of the compiled sequence.
pub(crate) enum SequenceOp {
    Phase { name: WordId, run: MakeFrame },
    Side(Option<SideId>),
    Moment(MomentId),
    NextTurn(Column<()>),
    JumpUnless(Condition, u16),
    Jump(u16),
    JumpWhileTurns(Column<()>, i32, u16),
}

impl SequenceOp {
    /// The side that it names.
    pub(crate) fn side(&self) -> Option<SideId> {
        if let Self::Side(side) = self { *side } else { None }
    }

    /// The moment that it names.
    pub(crate) fn moment(&self) -> Option<MomentId> {
        if let Self::Moment(moment) = self { Some(*moment) } else { None }
    }

    /// The column that it names.
    pub(crate) fn column(&self) -> Option<ColumnId> {
        match self {
            Self::NextTurn(column) | Self::JumpWhileTurns(column, ..) => Some(column.id),
            Self::Phase { .. } | Self::Side(_) | Self::Moment(_) | Self::JumpUnless(..) | Self::Jump(_) => {
                None
            }
        }
    }
}

/// Compiles items into instructions. Of more than can be numbered the jumps go astray; the builder refuses them.
pub(crate) fn compile(items: &[Item], intern: &mut dyn FnMut(&str) -> WordId, out: &mut Vec<SequenceOp>) {
    for item in items {
        match item {
            Item::Phase { name, run } => out.push(SequenceOp::Phase { name: intern(name), run: run.clone() }),
            Item::Sides(sides, turn) => {
                for &side in sides {
                    out.push(SequenceOp::Side(Some(side)));
                    compile(turn, intern, out);
                }
                out.push(SequenceOp::Side(None));
            }
            Item::Moment(moment) => out.push(SequenceOp::Moment(*moment)),
            Item::When(condition, items) => {
                let at = out.len();
                out.push(SequenceOp::Jump(0));
                compile(items, intern, out);
                out[at] = SequenceOp::JumpUnless(condition.clone(), out.len() as u16);
            }
            Item::While(condition, items) => {
                let at = out.len();
                out.push(SequenceOp::Jump(0));
                compile(items, intern, out);
                out.push(SequenceOp::Jump(at as u16));
                out[at] = SequenceOp::JumpUnless(condition.clone(), out.len() as u16);
            }
            Item::Turns { column, last, turn } => {
                let at = out.len();
                out.push(SequenceOp::NextTurn(*column));
                compile(turn, intern, out);
                out.push(SequenceOp::JumpWhileTurns(*column, *last, at as u16));
            }
        }
    }
}

/// The procedure that runs the sequence of play.
#[derive(Default, Locals)]
pub(crate) struct SequenceRun {
    pub(crate) next: u16,
    pub(crate) side: Option<SideId>,
}

impl Procedure for SequenceRun {
    type Module = ();

    fn run(&mut self, _: &(), cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let rb = cx.rb;
        let Some(op) = rb.sequence.get(usize::from(self.next)) else { return Ok(Flow::Done) };
        self.next += 1;
        match op {
            SequenceOp::Phase { name, run } => {
                cx.st.phase = Some(*name);
                let words = &rb.keywords;
                let (w_name, w_side, side) = (words.name, words.side, self.side);
                cx.story_for(words.phase, Audience::ALL, None, |e| {
                    e.arg(w_name, Arg::Word(*name));
                    if let Some(side) = side {
                        e.arg(w_side, Arg::Side(side));
                    }
                });
                return Ok(Flow::Call(run(self.side)));
            }
            SequenceOp::Side(side) => self.side = *side,
            SequenceOp::Moment(moment) => return Ok(Flow::Moment(*moment)),
            SequenceOp::NextTurn(column) => cx.add(*column, (), 1)?,
            SequenceOp::JumpUnless(condition, to) => {
                self.show(cx);
                if !condition(cx.read()) {
                    self.next = *to;
                }
            }
            SequenceOp::Jump(to) => self.next = *to,
            SequenceOp::JumpWhileTurns(column, last, to) => {
                if cx.get(*column, ()) < *last {
                    self.next = *to;
                }
            }
        }
        Ok(Flow::Again)
    }
}

impl crate::rulebook::Rulebook {
    /// The sequence of play, to be called from an opening procedure that has loaded a position: it begins with
    /// the first phase of this name (in a side's turn, if one is given). The column that counts turns is the
    /// caller's to set; what resets or lapses at moments before the phase does not happen. `None` when there
    /// is no such phase.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::flow::{Item, phase};
    /// # use field::Turn;
    /// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
    /// let march = phase("march", move |_| ids.proc.with(Turn { begun: true }));
    /// builder.sequence(&[Item::Sides(vec![ids.blue, ids.red], vec![march])]);
    /// let rulebook = builder.build().unwrap();
    /// assert!(rulebook.sequence_from("march", Some(ids.red)).is_some());
    /// assert!(rulebook.sequence_from("winter", None).is_none()); // there is no such phase
    /// ```
    pub fn sequence_from(&self, phase: &str, side: Option<SideId>) -> Option<NewFrame> {
        let name = self.word_named(phase)?;
        let mut turn_of = None;
        let next = self.sequence.iter().position(|op| {
            if let SequenceOp::Side(s) = op {
                turn_of = *s;
            }
            matches!(op, SequenceOp::Phase { name: n, .. } if *n == name) && turn_of == side
        })?;
        let mut words = crate::locals::Words::new();
        SequenceRun { next: next as u16, side }.store(&mut words);
        Some(NewFrame { proc: super::driver::SEQUENCE, words })
    }
}

impl SequenceRun {
    /// Puts the locals where conditions look for whose turn it is: they are out of the frame while it runs.
    fn show(&self, cx: &mut Cx<'_>) {
        if let Some(frame) = cx.st.frames.iter_mut().find(|f| f.proc == super::driver::SEQUENCE) {
            frame.words.clear();
            self.store(&mut frame.words);
        }
    }
}

/// Something attached to a moment: a procedure of a title, an option or an overlay.
pub(crate) struct AtMoment {
    pub(crate) rule: RuleId,
    pub(crate) option: Option<(OptionId, bool)>,
    /// Whether it stands in for the step that asked for the moment.
    pub(crate) instead: bool,
    pub(crate) run: NewFrame,
}

/// A named moment.
pub(crate) struct MomentDef {
    pub(crate) name: WordId,
    /// Procedures in layer order.
    pub(crate) attached: Vec<AtMoment>,
    /// Columns that are reset; with `true` only the cells of the side whose turn it is.
    pub(crate) resets: Vec<(ColumnId, bool)>,
}

/// The procedure that runs what is attached to a moment.
#[derive(Locals)]
pub(crate) struct MomentRun {
    pub(crate) moment: u16,
    pub(crate) next: u16,
    /// Whether something that ran stands in for the step that asked for the moment.
    pub(crate) replaced: bool,
}

impl Procedure for MomentRun {
    type Module = ();

    fn run(&mut self, _: &(), cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let rb = cx.rb;
        let Some(def) = rb.moments.get(usize::from(self.moment)) else {
            return Err(cx.fault(format!("there is no moment {}", self.moment)));
        };
        while let Some(attached) = def.attached.get(usize::from(self.next)) {
            self.next += 1;
            let on = attached.option.is_none_or(|(option, on)| cx.read().option(option) == on);
            if on && !cx.st.skipped.contains(&attached.rule) {
                self.replaced |= attached.instead;
                return Ok(Flow::Call(attached.run.clone()));
            }
        }
        Ok(Flow::Done)
    }
}

impl Cx<'_> {
    /// The side whose turn the sequence of play is in.
    pub fn phasing(&self) -> Option<SideId> {
        self.read().phasing()
    }

    /// What resets or lapses at a moment does.
    pub(crate) fn pass(&mut self, moment: MomentId) -> Result<(), Halt> {
        let rb = self.rb;
        let phasing = self.phasing();
        let resets = &rb.moments[moment.index()].resets;
        resets.iter().try_for_each(|&(column, own)| self.reset(column, phasing.filter(|_| own)))?;
        self.lapse(moment)
    }
}

impl Read<'_> {
    /// The side whose turn the sequence of play is in.
    pub fn phasing(&self) -> Option<SideId> {
        let frame = self.st.frames.iter().find(|f| f.proc == super::driver::SEQUENCE)?;
        SequenceRun::load(&frame.words).ok()?.side
    }
}

//! The projection of a position for a viewer.

use std::collections::BTreeMap;

use super::names::Names;
use super::{BodyView, FrameView, OutcomeView, PlaceView, StackView, ToldView, ValueView, View};
use crate::events::Shown;
use crate::flow::{Frame, Status};
use crate::ids::*;
use crate::knowledge::{About, Seen, Sight as _};
use crate::locals::{FieldType, LocalClass, LocalType};
use crate::rulebook::{ColumnClass, ColumnDef, FieldKind, Holder, Level, ValueKind};
use crate::state::{Read, Spot};

/// Everything that a viewer may see of a position; without a viewer, everything (the umpire's view). `seat`
/// picks whose prompt is shown when several seats are asked different things.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::view::{Ciphers, Names, view};
/// use adjutant_kernel::{Read, Viewer};
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let mut cache = Ciphers::default();
/// let names = Names::new(state.ciphers(&rulebook, &mut cache), Read::new(&rulebook, &state));
/// let top = |viewer| view(&names, viewer, None).places["hill"].stacks[0].bodies[0].piece.clone();
/// assert_eq!(top(None).as_deref(), Some("Horse")); // the umpire sees all
/// assert_eq!(top(Some(Viewer::Side(ids.red))), None);
/// ```
pub fn view(names: &Names<'_>, viewer: Option<Viewer>, seat: Option<SeatId>) -> View {
    let projection = Projection { names, read: names.read, viewer };
    projection.view(seat)
}

struct Projection<'a> {
    names: &'a Names<'a>,
    read: Read<'a>,
    viewer: Option<Viewer>,
}

impl Projection<'_> {
    fn view(&self, seat: Option<SeatId>) -> View {
        let (rb, st) = (self.read.rb, self.read.st);
        let fork = st.fork_seats();
        let asked = crate::flow::asked(st);
        let seats = if fork.is_empty() { asked.map_or(fork, |a| a.seats) } else { fork };
        View {
            phase: st.phase.map(|p| rb.word(p).to_owned()),
            phasing: self.read.phasing().map(|s| rb.sides()[s.index()].clone()),
            places: self.places(),
            links: self.named_cells(Holder::Link),
            borders: self.named_cells(Holder::Border),
            values: self.game_cells(),
            holders: self.holders(),
            records: self.records(),
            told: self.told(),
            frames: self.frames(),
            asked: seats.iter().map(|&s| rb.seat(s).name.clone()).collect(),
            prompt: self.prompt(seat),
            outcome: st.outcome.as_ref().map(|o| OutcomeView {
                winner: o.winner.map(|s| rb.sides()[s.index()].clone()),
                rule: o.rule.map(|r| rb.rule(r).to_owned()),
            }),
        }
    }

    fn prompt(&self, seat: Option<SeatId>) -> Option<String> {
        let st = self.read.st;
        let own = seat.and_then(|s| st.asking(s)).map(usize::from);
        let at = own.or_else(|| st.frames.iter().position(|f| matches!(f.status, Status::Asking { .. })))?;
        match st.frames[at].status {
            Status::Asking { prompt, .. } => Some(self.read.rb.word(prompt).to_owned()),
            _ => None,
        }
    }

    fn level(&self, place: PlaceId, body: BodyId) -> Level {
        match self.viewer {
            None => Level::Everything,
            Some(viewer) => {
                self.read.level(viewer, place, self.read.rb.deck_of(body), self.read.side(body)).0
            }
        }
    }

    fn places(&self) -> BTreeMap<String, PlaceView> {
        let board = self.read.rb.board();
        let mut places: BTreeMap<String, PlaceView> = BTreeMap::new();
        for n in 0..board.place_count() as u16 {
            let place = PlaceId(n);
            let mut view = PlaceView::default();
            let mut stacks: Vec<StackId> = self.read.stacks(place).collect();
            if self.read.rb.mutant("list_by_identity") {
                stacks.sort_by_key(|&s| self.read.loose(s).next().map(|b| self.read.piece(b)));
            }
            for stack in stacks {
                self.stack(place, stack, &mut view);
            }
            for body in self.read.loose(place) {
                match self.level(place, body) {
                    Level::Nothing => {}
                    Level::Number if !self.read.face_up(body) => self.count(body, &mut view),
                    Level::Number | Level::Top | Level::Order | Level::Everything => {
                        view.bodies.push(self.body(body));
                    }
                }
            }
            if view != PlaceView::default() {
                places.insert(board.place_name(place).to_owned(), view);
            }
        }
        for (holder, values) in self.sparse_cells(Holder::Space) {
            places.entry(board.place_name(PlaceId(holder)).to_owned()).or_default().values = values;
        }
        places
    }

    fn count(&self, body: BodyId, view: &mut PlaceView) {
        let side = self.read.side(body).map_or_else(String::new, |s| self.read.rb.sides()[s.index()].clone());
        *view.more.entry(side).or_default() += 1;
    }

    fn stack(&self, place: PlaceId, stack: StackId, view: &mut PlaceView) {
        let bodies: Vec<BodyId> = self.read.loose(stack).collect();
        let Some(&top) = bodies.first() else { return };
        let level = self.level(place, top);
        let shown = match level {
            Level::Nothing => return,
            Level::Number => {
                for &body in &bodies {
                    if self.read.face_up(body) {
                        view.bodies.push(self.body(body));
                    } else {
                        self.count(body, view);
                    }
                }
                return;
            }
            Level::Top => 1,
            Level::Order | Level::Everything => bodies.len(),
        };
        view.stacks.push(StackView {
            handle: self.names.stack_handle(self.viewer, stack),
            side: self.read.rb.sides()[self.read.stack_side(stack).index()].clone(),
            bodies: bodies[..shown].iter().map(|&b| self.body(b)).collect(),
            more: (bodies.len() - shown) as u32,
        });
    }

    fn body(&self, body: BodyId) -> BodyView {
        let (rb, read) = (self.read.rb, self.read);
        let (piece, candidates) = match self.viewer {
            None => (Some(read.piece(body)), Vec::new()),
            Some(viewer) => {
                let seen = Seen::new(read, viewer);
                match seen.piece(body) {
                    Some(piece) => (Some(piece), Vec::new()),
                    None => (None, seen.candidates(body).iter().map(|&p| rb.piece(p).name.clone()).collect()),
                }
            }
        };
        let mut values = self.dense_cells(Holder::Body, body.0);
        if let Some(piece) = piece {
            values.extend(self.private_piece_cells(piece));
        }
        BodyView {
            handle: self.names.handle(self.viewer, body),
            side: read.side(body).map(|s| rb.sides()[s.index()].clone()),
            piece: piece.map(|p| rb.piece(p).name.clone()),
            candidates,
            up: read.face_up(body),
            facing: read.facing(body),
            values,
            command: read.loose(Spot::Body(body)).map(|b| self.body(b)).collect(),
        }
    }

    fn may_see(&self, column: ColumnId, holder: u16, side: u8) -> bool {
        self.viewer.is_none_or(|v| Seen::new(self.read, v).may_see(column, holder, side))
    }

    fn columns(&self, holder: Holder) -> impl Iterator<Item = (ColumnId, &ColumnDef)> {
        self.read
            .rb
            .columns()
            .iter()
            .enumerate()
            .filter(move |(_, def)| def.holder == holder)
            .map(|(n, def)| (ColumnId(n as u16), def))
    }

    fn value(&self, def: &ColumnDef, value: i32) -> ValueView {
        let rb = self.read.rb;
        match &def.kind {
            ValueKind::Choice(words) => match words.get(value.max(0) as usize) {
                Some(word) => ValueView::Name(rb.word(*word).to_owned()),
                None => ValueView::Number(value),
            },
            ValueKind::Side if value >= 0 => ValueView::Name(rb.sides()[value as usize].clone()),
            ValueKind::Space if value >= 0 => {
                ValueView::Name(rb.board().space_name(SpaceId(value as u16)).to_owned())
            }
            ValueKind::Int { .. } | ValueKind::Flag | ValueKind::Side | ValueKind::Space => {
                ValueView::Number(value)
            }
        }
    }

    /// A cell as it is shown; `None` where it has its start value or may not be seen.
    fn cell(&self, column: ColumnId, def: &ColumnDef, holder: u16) -> Option<ValueView> {
        let shown = |side: u8| {
            let value = self.read.cell(column, holder, side);
            (value != def.start && self.may_see(column, holder, side)).then(|| self.value(def, value))
        };
        if !def.by_side {
            return shown(0);
        }
        let sides: BTreeMap<String, ValueView> = self
            .read
            .rb
            .sides()
            .iter()
            .enumerate()
            .filter_map(|(side, name)| Some((name.clone(), shown(side as u8)?)))
            .collect();
        (!sides.is_empty()).then_some(ValueView::Sides(sides))
    }

    fn dense_cells(&self, holder: Holder, index: u16) -> BTreeMap<String, ValueView> {
        self.columns(holder)
            .filter_map(|(column, def)| Some((def.name.clone(), self.cell(column, def, index)?)))
            .collect()
    }

    /// Columns of a known piece that are not public (those are listed for all pieces together).
    fn private_piece_cells(&self, piece: PieceId) -> BTreeMap<String, ValueView> {
        self.columns(Holder::Piece)
            .filter(|(_, def)| def.class != ColumnClass::Public)
            .filter_map(|(column, def)| Some((def.name.clone(), self.cell(column, def, piece.0)?)))
            .collect()
    }

    fn sparse_cells(&self, holder: Holder) -> BTreeMap<u16, BTreeMap<String, ValueView>> {
        let mut all: BTreeMap<u16, BTreeMap<String, ValueView>> = BTreeMap::new();
        for (column, def) in self.columns(holder) {
            for (index, ..) in self.read.st.sparse.of(column) {
                if let Some(value) = self.cell(column, def, index) {
                    all.entry(index).or_default().insert(def.name.clone(), value);
                }
            }
        }
        all
    }

    fn named_cells(&self, holder: Holder) -> BTreeMap<String, BTreeMap<String, ValueView>> {
        let board = self.read.rb.board();
        self.sparse_cells(holder)
            .into_iter()
            .map(|(index, values)| {
                let name = match holder {
                    Holder::Link => board.link_name(LinkId(index)),
                    _ => board.border_name(BorderId(index)),
                };
                (name.to_owned(), values)
            })
            .collect()
    }

    fn game_cells(&self) -> BTreeMap<String, ValueView> {
        self.columns(Holder::Game)
            .filter(|(column, _)| self.may_see(*column, 0, 0))
            .map(|(column, def)| (def.name.clone(), self.value(def, self.read.cell(column, 0, 0))))
            .collect()
    }

    fn holders(&self) -> BTreeMap<String, BTreeMap<String, ValueView>> {
        let rb = self.read.rb;
        let mut all = BTreeMap::new();
        for holder in [Holder::Side, Holder::Seat, Holder::Choice, Holder::Piece] {
            for (column, def) in self.columns(holder) {
                if holder == Holder::Piece && def.class != ColumnClass::Public {
                    continue;
                }
                let cells: BTreeMap<String, ValueView> = (0..def.holders)
                    .filter_map(|index| {
                        let name = match holder {
                            Holder::Side => rb.sides()[usize::from(index)].clone(),
                            Holder::Seat => rb.seats()[usize::from(index)].name.clone(),
                            Holder::Choice => rb.word(def.choices[usize::from(index)]).to_owned(),
                            _ => rb.piece(PieceId(index)).name.clone(),
                        };
                        Some((name, self.cell(column, def, index)?))
                    })
                    .collect();
                if !cells.is_empty() {
                    all.insert(def.name.clone(), cells);
                }
            }
        }
        all
    }

    fn records(&self) -> BTreeMap<String, Vec<BTreeMap<String, ValueView>>> {
        let rb = self.read.rb;
        let mut all: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for record in &self.read.st.records {
            let def = &rb.records()[record.relation.index()];
            if self.viewer.is_some_and(|v| !def.class.shows(v)) {
                continue;
            }
            let entry = def.fields.iter().zip(record.fields).map(|((name, kind), value)| {
                let value = match kind {
                    FieldKind::Int => ValueView::Number(value),
                    FieldKind::Space => {
                        ValueView::Name(rb.board().space_name(SpaceId(value as u16)).to_owned())
                    }
                    FieldKind::Side => ValueView::Name(rb.sides()[value as usize].clone()),
                    FieldKind::Piece => ValueView::Name(rb.piece(PieceId(value as u16)).name.clone()),
                    FieldKind::Word => ValueView::Name(rb.word(WordId(value as u16)).to_owned()),
                    FieldKind::Body => ValueView::Name(
                        self.names.body(self.viewer, BodyId(value as u16)).unwrap_or_default(),
                    ),
                };
                (name.clone(), value)
            });
            all.entry(def.name.clone()).or_default().push(entry.collect());
        }
        all
    }

    fn told(&self) -> Vec<ToldView> {
        let rb = self.read.rb;
        self.read
            .st
            .knowledge
            .told
            .iter()
            .filter(|t| self.viewer.is_none_or(|v| t.audience.has(v)))
            .map(|told| {
                let mut about: Vec<String> = match &told.about {
                    About::Place(place) => vec![rb.board().place_name(*place).to_owned()],
                    About::Bodies => {
                        told.bodies.iter().filter_map(|&b| self.names.body(self.viewer, b)).collect()
                    }
                    About::Nothing => Vec::new(),
                };
                about.sort();
                ToldView {
                    question: rb.word(rb.question(told.question).name).to_owned(),
                    about,
                    answer: told.answer,
                }
            })
            .collect()
    }

    fn frames(&self) -> Vec<FrameView> {
        let rb = self.read.rb;
        let frames = &self.read.st.frames;
        let live = (0..frames.len()).filter(|&n| frames[n].status != Status::Free && self.is_shown(n));
        live.map(|n| &frames[n])
            .filter(|f| usize::from(f.proc.0) > 1)
            .map(|frame| FrameView {
                procedure: rb.procs[frame.proc.index()].name.clone(),
                locals: self.locals(frame),
            })
            .collect()
    }

    /// Whether a frame is no part of a branch, or of one of the viewer's side.
    fn is_shown(&self, mut at: usize) -> bool {
        let frames = &self.read.st.frames;
        loop {
            if let Some(seat) = frames[at].branch {
                let side = self.read.rb.seat(seat).side;
                return self.viewer.is_none_or(|v| side.is_some_and(|s| v == Viewer::Side(s)));
            }
            match frames.get(usize::from(frames[at].parent)) {
                Some(_) => at = usize::from(frames[at].parent),
                None => return true,
            }
        }
    }

    fn locals(&self, frame: &Frame) -> BTreeMap<String, Shown> {
        let rb = self.read.rb;
        let def = &rb.procs[frame.proc.index()];
        let owner = def.code.as_ref().and_then(|code| code.owner(&frame.words));
        let mut at = 0;
        let mut shown = BTreeMap::new();
        for field in &def.fields {
            let words = &frame.words[at..at + usize::from(field.words)];
            at += usize::from(field.words);
            let is_own =
                |side: Option<SideId>| self.viewer.is_none_or(|v| side.is_some_and(|s| v == Viewer::Side(s)));
            let value = match field.class {
                LocalClass::Public => self.local(&field.ty, words),
                LocalClass::Owner => is_own(owner).then(|| self.local(&field.ty, words)).flatten(),
                LocalClass::Hidden => self.viewer.is_none().then(|| self.local(&field.ty, words)).flatten(),
                LocalClass::Sides => match &field.ty {
                    FieldType::Array(each, _) => Some(Shown::List(
                        rb.side_ids()
                            .zip(words.chunks(each.words().max(1)))
                            .filter(|(side, _)| is_own(Some(*side)))
                            .filter_map(|(_, words)| self.local(each, words))
                            .collect(),
                    )),
                    _ => None,
                },
            };
            if let Some(value) = value {
                shown.insert(field.name.to_owned(), value);
            }
        }
        shown
    }

    fn local(&self, ty: &FieldType, words: &[i32]) -> Option<Shown> {
        let rb = self.read.rb;
        let first = words.first().copied().unwrap_or_default();
        let id = first as u16;
        let name = |s: &str| Some(Shown::Name(s.to_owned()));
        let one = match ty {
            FieldType::One(one) => one,
            FieldType::Choice(names) => return name(names.get(first.max(0) as usize)?),
            FieldType::Option(inner) => {
                return if first == 0 { None } else { self.local(inner, &words[1..]) };
            }
            FieldType::List(inner, _) => {
                return Some(Shown::List(
                    words[1..]
                        .chunks(inner.words().max(1))
                        .take(first.max(0) as usize)
                        .filter_map(|w| self.local(inner, w))
                        .collect(),
                ));
            }
            FieldType::Array(inner, _) => {
                return Some(Shown::List(
                    words.chunks(inner.words().max(1)).filter_map(|w| self.local(inner, w)).collect(),
                ));
            }
        };
        match one {
            LocalType::Int => Some(Shown::Number(first)),
            LocalType::Flag => Some(Shown::Flag(first != 0)),
            LocalType::Space => name(rb.board().space_name(SpaceId(id))),
            LocalType::Link => name(rb.board().link_name(LinkId(id))),
            LocalType::Border => name(rb.board().border_name(BorderId(id))),
            LocalType::Place => name(rb.board().place_name(PlaceId(id))),
            LocalType::Body => self.names.shown_body(self.viewer, BodyId(id)).map(Shown::Body),
            LocalType::Stack => self
                .read
                .stack_exists(StackId(id))
                .then(|| self.names.stack(self.viewer, StackId(id)).map(Shown::Stack))
                .flatten(),
            LocalType::Piece => name(&rb.piece(PieceId(id)).name),
            LocalType::Side => name(&rb.sides()[usize::from(id)]),
            LocalType::Seat => name(&rb.seats()[usize::from(id)].name),
            LocalType::Word => name(rb.word(WordId(id))),
            LocalType::Rule => name(rb.rule(RuleId(id))),
            LocalType::Choice(_) | LocalType::Option(_) | LocalType::List(..) | LocalType::Array(..) => None,
        }
    }
}

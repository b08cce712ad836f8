//! Samplers, hideouts and questions, as the kernel runs them.

use adjutant_kernel::board::{SearchScratch, Ways};
use adjutant_kernel::knowledge::{Hideout as Hiding, QuestionKind, Sampling};
use adjutant_kernel::rulebook::{Column, Holder};
use adjutant_kernel::{BodyId, ColumnId, PieceId, PieceSetId, PlaceId, Read, SideId, SpaceId};

use super::Compiling;
use crate::model::{Bound, Caught, Hideout, Joined, Question, Sample};
use crate::read::Name;

/// A bound, its column found.
enum End {
    Is(i32),
    Column(Option<Column<()>>, i32, i32),
}

impl End {
    fn of(&self, read: Read<'_>) -> i32 {
        match self {
            Self::Is(number) => *number,
            Self::Column(column, times, plus) => {
                let value = column.map_or(0, |column| read.get(column, ()));
                (value.saturating_mul(*times).saturating_add(*plus)).max(0)
            }
        }
    }
}

/// A row of a sampler by number.
struct Row {
    set: Option<PieceSetId>,
    not_in: Vec<PlaceId>,
    choice: Option<u16>,
    side: Option<SideId>,
    occupied: Option<PlaceId>,
    least: End,
    most: End,
}

impl Row {
    fn holds(&self, holder: Holder, s: &Sampling<'_>) -> bool {
        let body = match holder {
            Holder::Body => Some(BodyId(s.holder)),
            Holder::Piece => s.read.body_of(PieceId(s.holder)),
            _ => None,
        };
        let stands = |place: PlaceId| s.read.bodies(place).next().is_some();
        self.set.is_none_or(|set| body.is_some_and(|b| s.read.is(b, set)))
            && !body.and_then(|b| s.read.place(b)).is_some_and(|p| self.not_in.contains(&p))
            && self.choice.is_none_or(|choice| choice == s.holder)
            && self.side.is_none_or(|side| side == s.side)
            && self.occupied.is_none_or(stands)
    }
}

impl Compiling<'_> {
    fn set_called(&self, name: &Name) -> Option<PieceSetId> {
        self.declared.sets.get(&name.value).copied()
    }

    fn end(&self, bound: &Bound) -> End {
        match bound {
            Bound::Is(number) => End::Is(*number),
            Bound::Column(column) => {
                let id = self.declared.game_columns.get(&column.name.value).copied();
                End::Column(id, column.times, column.plus)
            }
        }
    }

    /// How cells of columns are imagined. All columns are declared.
    pub(super) fn samplers(&mut self) {
        let Some(columns) = &self.model.columns else { return };
        for (name, column) in columns.columns.iter().filter(|(_, c)| !c.sample.is_empty()) {
            let Some(&id) = self.declared.columns.get(&name.value) else { continue };
            let rows = column.sample.iter().map(|row| self.sample(&column.choices, row)).collect();
            self.sampler(id, rows);
        }
    }

    fn sample(&self, choices: &[Name], row: &Sample) -> Row {
        Row {
            set: row.set.as_ref().and_then(|set| self.set_called(set)),
            not_in: row.not_in.iter().map(|p| self.place(p)).collect(),
            choice: row.choice.as_ref().map(|choice| {
                let at = choices.iter().position(|c| c.value == choice.value);
                at.unwrap_or(usize::from(u16::MAX)) as u16
            }),
            side: row.side.as_ref().map(|side| self.side(side)),
            occupied: row.occupied.as_ref().map(|place| self.place(place)),
            least: self.end(&row.least),
            most: self.end(&row.most),
        }
    }

    fn sampler(&mut self, id: ColumnId, rows: Vec<Row>) {
        let def = &self.rb.so_far().columns()[id.index()];
        let (holder, start) = (def.holder, def.start);
        self.rb.sampler_of(id, move |s| {
            let row = rows.iter().find(|row| row.holds(holder, s));
            row.map_or(start, |row| s.between(row.least.of(s.read), row.most.of(s.read)))
        });
    }

    /// Where pieces are imagined that nobody else sees anything of.
    pub(super) fn hideout(&mut self, hideout: &Hideout) {
        let Some(pieces) = self.set_called(&hideout.set) else { return };
        let lists: Vec<Vec<PlaceId>> =
            hideout.never_all.iter().map(|list| list.iter().map(|p| self.place(p)).collect()).collect();
        let alone = hideout.alone;
        let fits = move |read: Read<'_>, body: BodyId| {
            let by_itself = || read.place(body).is_some_and(|at| read.bodies(at).count() == 1);
            let holds = |side: SideId, list: &[PlaceId]| {
                list.iter().all(|&place| read.bodies_of(side, place).next().is_some())
            };
            let whole = || read.side(body).is_some_and(|side| lists.iter().any(|list| holds(side, list)));
            (!alone || by_itself()) && !whole()
        };
        let places = hideout.places.iter().map(|p| self.place(p)).collect();
        self.rb.hideout(Hiding { pieces, places, fits: Box::new(fits) });
    }

    /// How a question is answered.
    pub(super) fn question(&self, question: &Question) -> Option<QuestionKind> {
        if let Some(side) = &question.occupied {
            return Some(QuestionKind::Occupied(self.side(side)));
        }
        if let Some(joined) = &question.joined {
            return Some(self.joined(joined));
        }
        if let Some(caught) = &question.caught {
            return self.caught(caught);
        }
        question.any.as_ref().and_then(|set| self.set_called(set)).map(QuestionKind::Any)
    }

    fn caught(&self, caught: &Caught) -> Option<QuestionKind> {
        let [pieces, by, without] =
            [&caught.pieces, &caught.by, &caught.without].map(|set| self.set_called(set));
        let (pieces, by, without) = (pieces?, by?, without?);
        let count = move |read: Read<'_>| {
            let bodies = (0..read.rulebook().pieces().len() as u16).map(BodyId);
            let is_caught = |body: &BodyId| {
                let Some(space) = read.space(*body).filter(|_| read.is(*body, pieces)) else { return false };
                let there = |set| read.bodies(space).any(|b| read.is(b, set));
                there(by) && !there(without)
            };
            bodies.filter(is_caught).count() as i32
        };
        Some(QuestionKind::Computed(Box::new(count)))
    }

    fn joined(&self, joined: &Joined) -> QuestionKind {
        let from = self.set_called(&joined.from);
        let barred = joined.barred.as_ref().and_then(|set| self.set_called(set));
        let space = |name: &Name| SpaceId(self.known.spaces.find(name).unwrap_or_default() as u16);
        let to: Vec<SpaceId> = joined.to.iter().map(space).collect();
        let board = self.known.board.as_ref();
        let networks = joined.networks.iter().filter_map(|n| board?.network_named(n));
        let ways = if joined.networks.is_empty() { Ways::all() } else { Ways::over(networks) };
        let leads = move |read: Read<'_>| {
            let held = |space: SpaceId| barred.is_some_and(|set| read.bodies(space).any(|b| read.is(b, set)));
            let bodies = (0..read.rulebook().pieces().len() as u16).map(BodyId);
            let sources = bodies
                .filter(|&b| from.is_some_and(|set| read.is(b, set)))
                .filter_map(|b| read.space(b))
                .filter(|&at| !held(at));
            let mut scratch = SearchScratch::default();
            read.rulebook().board().flood(&mut scratch, ways, sources, |_, edge| !held(edge.to));
            i32::from(to.iter().any(|&space| scratch.is_reached(space)))
        };
        QuestionKind::Computed(Box::new(leads))
    }
}

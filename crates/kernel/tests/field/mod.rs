// A small game for the examples in the docs, which include this file in a hidden line: blue holds a hill with a piece
// of horse and a dummy that looks like it, face down, and red stands at a ford with guns that everybody knows. Blue
// marches or halts. `Field::where_first` runs something as the first step of the game, where operations are allowed.

use adjutant_kernel::board::{BoardBuilder, LinkSpec};
use adjutant_kernel::chance::Key;
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::events::Emitted;
use adjutant_kernel::flow::{self, ProcRef, Sink};
use adjutant_kernel::knowledge::QuestionKind;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::{PointDef, RunsOn};
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::rulebook::{
    AttributeClass, Column, ColumnClass, FieldKind, Level, LevelCondition, LevelRule, Onlooker, Placing,
    ScenarioDef, SeatRole, Standing, ValueKind,
};
use adjutant_kernel::state::Position;
use adjutant_kernel::tables::{Axis, Dice, Ends, TableBuilder};
use adjutant_kernel::*;
use std::sync::Arc;

/// All that the game declares.
#[derive(Clone, Copy)]
pub struct Ids {
    pub blue: SideId,
    pub red: SideId,
    pub seats: [SeatId; 2],
    pub hill: SpaceId,
    pub ford: SpaceId,
    pub horse: PieceId,
    pub dummy: PieceId,
    pub guns: PieceId,
    pub strength: AttributeId,
    pub real: PieceSetId,
    pub any_real: QuestionId,
    pub dusk: MomentId,
    pub turn: Column<()>,
    pub weary: Column<BodyId>,
    pub raid: RecordId,
    pub die: TableId,
    pub march_bonus: PointId,
    pub march: WordId,
    pub halt: WordId,
    pub orders: WordId,
    pub rule: RuleId,
    pub proc: ProcRef<Turn>,
}

type First = Box<dyn Fn(&Ids, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync>;

pub struct Marching {
    ids: Ids,
    first: First,
}

#[derive(Locals)]
pub struct Turn {
    pub begun: bool,
}

impl Procedure for Turn {
    type Module = Marching;

    fn run(&mut self, module: &Marching, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !std::mem::replace(&mut self.begun, true) {
            (module.first)(&module.ids, cx)?;
        }
        Ok(Flow::ask(module.ids.seats[0], module.ids.orders))
    }

    fn offers(&self, module: &Marching, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let ids = &module.ids;
        for from in [ids.hill, ids.ford] {
            for body in seen.bodies_of(ids.blue, from) {
                for edge in seen.rulebook().board().links(from) {
                    let action = Action::new(ids.march).on(body).on(edge.to);
                    let weary = seen.flag(ids.weary, body);
                    out.consider(action, || if weary { Err(Refusal { rule: ids.rule }) } else { Ok(()) });
                }
            }
        }
        out.add(Action::new(ids.halt));
    }

    fn act(&mut self, module: &Marching, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let ids = &module.ids;
        let (Some(body), Some(space)) = (action.body(0), action.space(1)) else {
            cx.end_game(Some(ids.blue), ids.rule)?;
            return Ok(Flow::Done);
        };
        cx.move_group(ids.march, &[body], Dest::Place(PlaceId(space.0), Position::Bottom))?;
        cx.set(ids.weary, body, 1)?;
        Ok(Flow::Again)
    }
}

/// The game, begun.
pub struct Field {
    pub rulebook: Rulebook,
    pub state: State,
    pub worker: Worker,
    pub events: Vec<Emitted>,
    pub ids: Ids,
}

impl Field {
    pub fn start() -> Self {
        Self::where_first(|_, _| Ok(()))
    }

    pub fn where_first(
        first: impl Fn(&Ids, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync + 'static,
    ) -> Self {
        let (rulebook, ids) = Self::rules(first);
        let (mut worker, mut sink) = (Worker::new(), Sink::on());
        let state = flow::start(&rulebook, &mut worker, &mut sink, Key::from_seed(1), 0).unwrap();
        Field { rulebook, state, worker, events: sink.take().0, ids }
    }

    pub fn rules(
        first: impl Fn(&Ids, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync + 'static,
    ) -> (Rulebook, Ids) {
        let (builder, ids) = Self::builder(first);
        (builder.build().unwrap(), ids)
    }

    pub fn builder(
        first: impl Fn(&Ids, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync + 'static,
    ) -> (RulebookBuilder, Ids) {
        let mut board = BoardBuilder::new("field", Provenance::printed("map"));
        board.network("road").space("hill").space("ford").holding_box("reserve");
        board.link(LinkSpec::new("hill", "ford", "road"));
        let mut b = RulebookBuilder::new("field", "1", board.build().unwrap());
        let (blue, red) = (b.side("blue"), b.side("red"));
        let seats = [("blue", blue), ("red", red)].map(|(n, s)| b.seat(n, Some(s), SeatRole::Player));
        b.seat("umpire", None, SeatRole::Umpire);
        let rule = b.rule("field:1");
        let strength = b.attribute("strength", ValueKind::Int { min: 0, max: 9 }, AttributeClass::OnReveal);
        let backs = b.deck("blue backs", blue);
        let horse = b.piece("Horse", Some(blue), "horse", Some(backs), &[Some(3)]);
        let dummy = b.piece("Dummy", Some(blue), "dummy", Some(backs), &[Some(0)]);
        let guns = b.piece("Guns", Some(red), "guns", None, &[Some(5)]);
        let real = b.piece_set("real", |piece, _| piece != dummy);
        b.level(LevelRule {
            decks: Vec::new(),
            places: Vec::new(),
            onlooker: Onlooker::Anyone,
            when: LevelCondition::default(),
            level: Level::Order,
            rule,
        });
        let faces = ["1..3", "4..6"].map(|span| span.parse().unwrap());
        let die = TableBuilder::new("skirmish", Provenance::printed("charts"))
            .dice(Dice::one(6))
            .rows(Axis::Numbers { spans: faces.into(), ends: Ends::CLAMP })
            .row([0])
            .row([1])
            .build()
            .unwrap();
        let ids = Ids {
            blue,
            red,
            seats,
            hill: SpaceId(0),
            ford: SpaceId(1),
            horse,
            dummy,
            guns,
            strength,
            real,
            any_real: b.question("any_real", QuestionKind::Any(real)),
            dusk: b.moment("dusk"),
            turn: b.column("turn", ValueKind::Int { min: 0, max: 9 }, 1, ColumnClass::Public),
            weary: b.column("weary", ValueKind::Flag, 0, ColumnClass::Public),
            raid: b.relation("raid", &[("at", FieldKind::Space)], 2, ColumnClass::Public),
            die: b.table("skirmish", die),
            march_bonus: b.point(PointDef {
                name: "march_bonus".into(),
                runs_on: RunsOn::Both,
                combine: Combine::Sum,
                start: 1,
                rules: vec![rule],
            }),
            march: b.word("march"),
            halt: b.word("halt"),
            orders: b.word("orders"),
            rule,
            proc: b.proc("turn"),
        };
        let place = |space: SpaceId, standing, pieces| Placing {
            place: PlaceId(space.0),
            standing,
            pieces,
            up: None,
            facing: 0,
            mixed: false,
        };
        b.scenario(ScenarioDef {
            placings: vec![
                place(ids.hill, Standing::Stack, vec![horse, dummy]),
                place(ids.ford, Standing::Loose, vec![guns]),
            ],
            ..ScenarioDef::new("meeting")
        });
        b.define(ids.proc, &Arc::new(Marching { ids, first: Box::new(first) }));
        b.opening(ids.proc.with(Turn { begun: false }));
        (b, ids)
    }
}

//! A scenario lays out pieces and columns, and play begins in the middle of a turn.

#![allow(clippy::unwrap_used, reason = "tests may")]

use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Item, Sink, phase};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::rulebook::{
    ColumnClass, Placing, ScenarioDef, SeatRole, Standing, StartCell, ValueKind,
};
use adjutant_kernel::*;

#[derive(Locals)]
struct Asking {
    side: Option<SideId>,
}

impl Procedure for Asking {
    type Module = WordId;

    fn run(&mut self, prompt: &WordId, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(SeatId(self.side.map_or(0, |s| s.0)), *prompt))
    }
}

fn builder() -> RulebookBuilder {
    let mut board = BoardBuilder::new("field", Provenance::printed("map"));
    board.network("land").space("hill").space("mill").link(LinkSpec::new("hill", "mill", "land"));
    let mut rb = RulebookBuilder::new("scenario", "1", board.build().unwrap());
    let (blue, red) = (rb.side("blue"), rb.side("red"));
    rb.seat("blue", Some(blue), SeatRole::Player);
    rb.seat("red", Some(red), SeatRole::Player);
    let rule = rb.rule("x:1");
    rb.open_information(rule);
    for name in ["general", "first", "second"] {
        rb.piece(name, Some(red), "unit", None, &[]);
    }
    let turn = rb.column::<()>("turn", ValueKind::Int { min: 0, max: 5 }, 0, ColumnClass::Public);
    let prompt = rb.word("go");
    let ask = rb.proc::<Asking>("ask");
    rb.define(ask, &Arc::new(prompt));
    let items = ["move", "fight"].map(|name| phase(name, move |side| ask.with(Asking { side })));
    let turns = Item::Turns { column: turn, last: 5, turn: vec![Item::Sides(vec![blue, red], items.into())] };
    rb.sequence(&[turns]);
    rb
}

fn scenario(rb: &mut RulebookBuilder, phase: &str) -> ScenarioDef {
    let mut def = ScenarioDef::new("late");
    def.start = Some((rb.word(phase), Some(SideId(1))));
    def.cells.push(StartCell { column: ColumnId(0), holder: 0, side: 0, value: 3 });
    let placing = |place, standing, pieces: &[u16]| Placing {
        place: PlaceId(place),
        standing,
        pieces: pieces.iter().map(|&p| PieceId(p)).collect(),
        up: None,
        facing: 2,
        mixed: false,
    };
    def.placings = vec![placing(1, Standing::Stack, &[1, 0]), placing(1, Standing::Under(PieceId(0)), &[2])];
    def
}

#[test]
fn play_begins_where_the_scenario_says() {
    let mut builder = builder();
    let def = scenario(&mut builder, "fight");
    builder.scenario(def);
    let rb = builder.build().unwrap();
    let mut sink = Sink::off();
    let state = flow::start(&rb, &mut Worker::new(), &mut sink, Key::from_seed(1), 0).unwrap();
    let read = Read::new(&rb, &state);
    let asked = flow::asked(&state).unwrap();
    assert_eq!((asked.seats.as_slice(), read.phasing()), (&[SeatId(1)][..], Some(SideId(1))));
    assert_eq!(state.phase().map(|p| rb.word(p)), Some("fight"));
    let names: Vec<_> = read.bodies(PlaceId(1)).map(|b| read.piece_def(b).name.as_str()).collect();
    assert_eq!(names, ["first", "general", "second"]);
    assert_eq!(read.facing(BodyId(2)), 2);
    let scenario = rb.scenario_named("late").unwrap();
    let wrong = ScenarioId(scenario.0 + 1);
    assert!(flow::start_scenario(&rb, &mut Worker::new(), &mut sink, Key::from_seed(1), 0, wrong).is_err());
}

#[test]
fn what_is_open_from_the_start_is_no_story() {
    let mut builder = builder();
    let (red, rule) = (SideId(1), builder.rule("x:2"));
    let backs = builder.deck("backs", red);
    builder.piece("spy", Some(red), "unit", Some(backs), &[]);
    let mut def = scenario(&mut builder, "fight");
    let spy = PieceId(3);
    let (place, pieces) = (PlaceId(0), vec![spy]);
    def.placings.push(Placing {
        place,
        standing: Standing::Loose,
        pieces,
        up: Some(rule),
        facing: 0,
        mixed: false,
    });
    builder.scenario(def);
    let rb = builder.build().unwrap();
    let mut sink = Sink::on();
    let state = flow::start(&rb, &mut Worker::new(), &mut sink, Key::from_seed(1), 0).unwrap();
    let blue = Viewer::Side(SideId(0));
    assert_eq!(Seen::new(Read::new(&rb, &state), blue).piece(BodyId(spy.0)), Some(spy));
    let (events, _) = sink.take();
    let shown: Vec<_> = events.iter().filter_map(|e| e.shown(&rb, Some(blue))).collect();
    let story: Vec<_> = shown.iter().filter(|e| !e.detail).map(|e| e.event.as_str()).collect();
    assert!(shown.iter().any(|e| e.event == "reveal"));
    assert_eq!(story, ["phase"]);
}

#[test]
fn what_is_mixed_stands_in_a_random_order_of_the_seed() {
    let mut builder = builder();
    let mut def = scenario(&mut builder, "fight");
    def.placings[0].mixed = true;
    builder.scenario(def);
    let rb = builder.build().unwrap();
    let begun = |seed: u64| {
        let key = Key::from_seed(seed);
        let state = flow::start(&rb, &mut Worker::new(), &mut Sink::off(), key, 0).unwrap();
        let read = Read::new(&rb, &state);
        let order: Vec<String> = read.bodies(PlaceId(1)).map(|b| read.piece_def(b).name.clone()).collect();
        order.into_iter().filter(|name| name != "second").collect::<Vec<_>>()
    };
    let listed = (0..200).filter(|&seed| begun(seed) == ["first", "general"]).count();
    assert!((70..130).contains(&listed), "{listed} of 200 in the order of the list");
    assert_eq!(begun(7), begun(7));
}

#[test]
fn a_phase_that_is_not_there_is_a_problem() {
    let mut builder = builder();
    let def = scenario(&mut builder, "rest");
    builder.scenario(def);
    assert_eq!(
        builder.build().unwrap_err().problems,
        ["scenario `late` begins with phase `rest` in the turn of `red`, which the sequence of play lacks"]
    );
}

//! Rulebooks with scripts for tests.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)] // each test uses a part of it

use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::rulebook::SeatRole;
use adjutant_kernel::{
    Action, BodyId, Fault, PointId, Rulebook, RulebookBuilder, SeatId, State, Viewer, Worker,
};
use adjutant_script::{Host, Program, ScriptProblem};

/// A rulebook with a worker that runs its scripts, and a position.
pub struct Table {
    rulebook: Arc<Rulebook>,
    worker: Worker,
    start: Option<State>,
    state: Option<State>,
    pub host: std::rc::Rc<Host>,
}

impl Table {
    pub fn new(builder: RulebookBuilder, program: &Program) -> Self {
        let rulebook = Arc::new(builder.build().unwrap());
        let host = program.host(&rulebook).unwrap();
        let worker = Worker::new().with_host(host.clone());
        Self { rulebook, worker, start: None, state: None, host }
    }

    pub fn start(&mut self) -> Result<(), Fault> {
        let st = flow::start(&self.rulebook, &mut self.worker, &mut Sink::off(), Key::from_seed(1), 0)?;
        (self.start, self.state) = (Some(st.clone()), Some(st));
        Ok(())
    }

    pub fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    pub fn worker(&self) -> &Worker {
        &self.worker
    }

    pub fn state(&self) -> &State {
        self.state.as_ref().unwrap()
    }

    pub fn body(&self, name: &str) -> BodyId {
        BodyId(self.rulebook.piece_named(name).unwrap().0)
    }

    /// The total of a point, on the truth or through a viewer's eyes, as scripts' hosts are called.
    pub fn total(&self, viewer: Option<Viewer>, point: PointId, args: &[PointArg]) -> Result<i32, Fault> {
        flow::total(&self.rulebook, &self.worker, self.state(), viewer, point, args)
    }

    pub fn offers(&self, seat: SeatId) -> Result<Vec<Action>, Fault> {
        let mut list = Vec::new();
        flow::offers(&self.rulebook, &self.worker, self.state(), seat, &mut list)?;
        Ok(list)
    }

    pub fn act(&mut self, seat: SeatId, action: &Action) -> Result<(), Fault> {
        let state = self.state.as_mut().unwrap();
        flow::act(&self.rulebook, &mut self.worker, &mut Sink::off(), state, seat, action)
    }

    /// Plays at random from the start; gives the number of actions.
    pub fn play_out(&mut self, seed: u64) -> usize {
        self.state = self.start.clone();
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut actions = 0;
        let mut list = Vec::new();
        while let Some(asked) = flow::asked(self.state()) {
            let seat = asked.seats[0];
            flow::offers(&self.rulebook, &self.worker, self.state(), seat, &mut list).unwrap();
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let action = list[(random >> 33) as usize % list.len()];
            self.act(seat, &action).unwrap();
            actions += 1;
        }
        actions
    }

    pub fn perft(&mut self, depth: u32) -> u64 {
        let state = self.start.clone().unwrap();
        self.count(state, depth)
    }

    fn count(&mut self, state: State, depth: u32) -> u64 {
        let Some(asked) = flow::asked(&state).filter(|_| depth > 0) else { return 1 };
        let seat = asked.seats[0];
        let mut list = Vec::new();
        flow::offers(&self.rulebook, &self.worker, &state, seat, &mut list).unwrap();
        if depth == 1 {
            return list.len() as u64;
        }
        let mut sum = 0;
        for action in list {
            let mut next = state.clone();
            flow::act(&self.rulebook, &mut self.worker, &mut Sink::off(), &mut next, seat, &action).unwrap();
            sum += self.count(next, depth - 1);
        }
        sum
    }
}

/// Loads one script.
pub fn load(builder: &mut RulebookBuilder, source: &str) -> Result<Arc<Program>, Vec<ScriptProblem>> {
    Program::load(&[("scripts/test.luau", source)], builder).map(|(program, _)| program)
}

/// Begins with the procedure of a script whose locals may all be absent.
pub fn open_with(builder: &mut RulebookBuilder, name: &str) {
    let rb = builder.so_far();
    let proc = rb.procedure_named(name).unwrap();
    let words = vec![0; rb.procedure_fields(proc).iter().map(|f| usize::from(f.words)).sum()];
    let frame = rb.frame(proc, &words).unwrap();
    builder.opening(frame);
}

/// Breakthrough by its script.
pub fn breakthrough() -> Table {
    let square = |column: u8, row: u8| format!("{}{}", char::from(b'a' + column), row + 1);
    let mut board = BoardBuilder::new("eight by eight", Provenance::printed("bt:1"));
    board.network("straight").network("diagonal");
    for row in 0..8 {
        for column in 0..8 {
            board.space(square(column, row));
        }
    }
    for (row, column) in (0..7).flat_map(|row| (0..8).map(move |column| (row, column))) {
        for to in u8::saturating_sub(column, 1)..=(column + 1).min(7) {
            let network = if to == column { "straight" } else { "diagonal" };
            board.link(LinkSpec::new(square(column, row), square(to, row + 1), network));
        }
    }
    board.holding_box("captured");
    let mut b = RulebookBuilder::new("Breakthrough", "1", board.build().unwrap());
    for name in ["white", "black"] {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
        for n in 1..=16 {
            b.piece(&format!("{name} pawn {n}"), Some(side), "pawn", None, &[]);
        }
    }
    let open = b.rule("bt:1");
    b.open_information(open);
    let program = load(&mut b, include_str!("../games/breakthrough.luau")).unwrap();
    open_with(&mut b, "play");
    let mut table = Table::new(b, &program);
    table.start().unwrap();
    table
}

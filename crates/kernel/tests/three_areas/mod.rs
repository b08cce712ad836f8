//! Three areas in a row and a box, and a game on them whose every step is told and checked.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)] // helpers of tests

use std::sync::Arc;

use adjutant_kernel::board::{Board, BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::ops::{Edit, EditError, edit};
use adjutant_kernel::*;

/// The areas `a`, `b` and `c`, each with a path to the next, and the box `pool`.
pub fn board() -> Board {
    BoardBuilder::new("three areas", Provenance::reconstructed("made up for the test"))
        .network("path")
        .space("a")
        .space("b")
        .space("c")
        .link(LinkSpec::new("a", "b", "path"))
        .link(LinkSpec::new("b", "c", "path"))
        .holding_box("pool")
        .build()
        .unwrap()
}

/// A game that is being played.
pub struct Table {
    pub rb: Arc<Rulebook>,
    pub worker: Worker,
    pub st: State,
    pub sink: Sink,
}

impl Table {
    pub fn start(rb: Rulebook, seed: u64) -> Self {
        let (rb, mut worker, mut sink) = (Arc::new(rb), Worker::new().checking(), Sink::on());
        let st = flow::start(&rb, &mut worker, &mut sink, Key::from_seed(seed), 0).unwrap();
        Self { rb, worker, st, sink }
    }

    /// A seat does the `n`-th thing that the game offers under one verb.
    pub fn act(&mut self, seat: SeatId, verb: WordId, n: i16) -> Result<(), Fault> {
        let action = Action::new(verb).on(n);
        flow::act(&self.rb, &mut self.worker, &mut self.sink, &mut self.st, seat, &action)
    }

    /// The umpire edits the position.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), EditError> {
        edit(&self.rb, &mut self.worker, &mut self.sink, &mut self.st, edits)
    }

    pub fn read(&self) -> Read<'_> {
        Read::new(&self.rb, &self.st)
    }

    /// The events that a viewer was shown since last time.
    pub fn shown(&mut self, viewer: Viewer) -> Vec<events::ShownEvent> {
        let (events, _) = self.sink.take();
        events.iter().filter_map(|e| e.shown(&self.rb, Some(viewer))).cloned().collect()
    }
}

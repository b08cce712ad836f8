//! What the tests of several games share.

use adjutant_kernel::chance::Key;
use adjutant_kernel::events::{Emitted, ShownEvent};
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::view::{Ciphers, Names, View, view};
use adjutant_kernel::{Action, Read, Rulebook, SeatId, State, Verdict, Viewer, Worker};

/// A game in the hands of a test.
pub(crate) struct Table {
    pub(crate) rb: Rulebook,
    pub(crate) worker: Worker,
    pub(crate) st: State,
    /// All events so far.
    pub(crate) events: Vec<Emitted>,
}

impl Table {
    pub(crate) fn new(rb: Rulebook) -> Self {
        let (mut worker, mut sink) = (Worker::new().checking(), Sink::on());
        let st = flow::start(&rb, &mut worker, &mut sink, Key::from_seed(7), 0).unwrap();
        Self { rb, worker, st, events: sink.take().0 }
    }

    pub(crate) fn offers(&self, seat: SeatId) -> Vec<Action> {
        let mut list = Vec::new();
        flow::offers(&self.rb, &self.worker, &self.st, seat, &mut list).unwrap();
        list
    }

    /// Whether an action is offered: `None` when it makes no sense, else the rule that refuses it, if one does.
    pub(crate) fn judge(&self, seat: SeatId, action: &Action) -> Option<Result<(), String>> {
        let verdict: Option<Verdict> = flow::judge(&self.rb, &self.worker, &self.st, seat, action).unwrap();
        verdict.map(|v| v.map_err(|refusal| self.rb.rule(refusal.rule).to_owned()))
    }

    /// Carries out an action that must be offered; gives who notices what cannot be taken back.
    pub(crate) fn act(&mut self, seat: SeatId, action: &Action) -> flow::Barrier {
        assert_eq!(self.judge(seat, action), Some(Ok(())), "{action:?}");
        let mut sink = Sink::on();
        flow::act(&self.rb, &mut self.worker, &mut sink, &mut self.st, seat, action).unwrap();
        let (events, barrier) = sink.take();
        self.events.extend(events);
        barrier
    }

    pub(crate) fn view(&self, viewer: Viewer) -> View {
        self.view_of(&self.st, viewer)
    }

    pub(crate) fn view_of(&self, st: &State, viewer: Viewer) -> View {
        let mut ciphers = Ciphers::default();
        let names = Names::new(st.ciphers(&self.rb, &mut ciphers), Read::new(&self.rb, st));
        view(&names, Some(viewer), None)
    }

    /// All that a viewer was shown so far.
    pub(crate) fn shown(&self, viewer: Viewer) -> Vec<ShownEvent> {
        self.events.iter().filter_map(|e| e.shown(&self.rb, Some(viewer)).cloned()).collect()
    }

    /// Who is asked, by number.
    pub(crate) fn asked(&self) -> Vec<u8> {
        flow::asked(&self.st).map_or_else(Vec::new, |asked| asked.seats.iter().map(|s| s.0).collect())
    }

    /// Who won, by number, and by which rule.
    pub(crate) fn outcome(&self) -> Option<(Option<u8>, String)> {
        let outcome = self.st.outcome()?;
        Some((outcome.winner.map(|s| s.0), self.rb.rule(outcome.rule?).to_owned()))
    }
}

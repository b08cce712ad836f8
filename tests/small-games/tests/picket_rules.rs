//! Situations of picket line, from position P on.

#![allow(clippy::unwrap_used)] // a test may panic

use std::sync::Arc;

use adjutant::kernel::chance::Key;
use adjutant::kernel::events::{Emitted, Shown};
use adjutant::kernel::flow::{self, Sink};
use adjutant::kernel::knowledge::Seen;
use adjutant::kernel::state::Read;
use adjutant::kernel::view::{Ciphers, Names, ShownAction, ShownTarget};
use adjutant::kernel::{Rulebook, SideId, Sight as _, State, Viewer, Worker};
use small_games::picket::position::Position;
use small_games::picket::{Overlay, Variant, rulebook};

/// A game at a table of its own.
struct Table {
    rulebook: Arc<Rulebook>,
    worker: Worker,
    state: State,
    ciphers: Ciphers,
    events: Vec<Emitted>,
}

impl Table {
    fn new(variant: &Variant) -> Self {
        let rulebook = Arc::new(rulebook(variant).unwrap());
        let mut worker = Worker::new().checking();
        let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap();
        Self { rulebook, worker, state, ciphers: Ciphers::default(), events: Vec::new() }
    }

    fn at(position: Position) -> Self {
        Self::new(&Variant { position: Some(position), ..Variant::default() })
    }

    fn force(&mut self, table: &str, values: &[i32]) {
        let table = self.rulebook.table_named(table).unwrap();
        values.iter().for_each(|&v| self.state.force(table, v));
    }

    fn offers(&mut self, seat: &str) -> Vec<String> {
        let seat = self.rulebook.seat_named(seat).unwrap();
        let mut list = Vec::new();
        flow::offers(&self.rulebook, &self.worker, &self.state, seat, &mut list).unwrap();
        let ciphers = self.state.ciphers(&self.rulebook, &mut self.ciphers);
        let names = Names::new(ciphers, Read::new(&self.rulebook, &self.state));
        list.iter().map(|a| names.action(None, a).to_string()).collect()
    }

    /// The rule that refuses an action, if one does.
    fn refusal(&mut self, seat: &str, text: &str) -> Option<String> {
        let action = self.read(text);
        let seat = self.rulebook.seat_named(seat).unwrap();
        let verdict = flow::judge(&self.rulebook, &self.worker, &self.state, seat, &action).unwrap();
        verdict.unwrap().err().map(|refusal| self.rulebook.rule(refusal.rule).to_owned())
    }

    fn read(&mut self, text: &str) -> adjutant::kernel::Action {
        let mut words = text.split(' ').map(str::to_owned);
        let verb = words.next().unwrap();
        let place = ["attack", "retreat", "return"].contains(&verb.as_str());
        let target = |word: String| match word.strip_prefix('/') {
            Some(top) => ShownTarget::Stack(top.to_owned()),
            None if word.contains('-') => ShownTarget::Link(word),
            None => match word.parse::<i16>() {
                Ok(_) if place => ShownTarget::Place(word),
                Ok(number) => ShownTarget::Number(number),
                Err(_) if self.rulebook.piece_named(&word).is_some() => ShownTarget::Body(word),
                Err(_) => ShownTarget::Choice(word),
            },
        };
        let shown = ShownAction { verb, targets: words.map(target).collect() };
        let ciphers = self.state.ciphers(&self.rulebook, &mut self.ciphers);
        Names::new(ciphers, Read::new(&self.rulebook, &self.state)).read_action(None, &shown).unwrap()
    }

    fn act(&mut self, seat: &str, text: &str) {
        assert_eq!(self.refusal(seat, text), None, "{text}");
        let (action, seat) = (self.read(text), self.rulebook.seat_named(seat).unwrap());
        let mut sink = Sink::on();
        flow::act(&self.rulebook, &mut self.worker, &mut sink, &mut self.state, seat, &action).unwrap();
        self.events = sink.take().0;
    }

    /// The names of the events that a viewer was shown by the last act.
    fn shown(&self, viewer: Viewer) -> Vec<String> {
        let shown = self.events.iter().filter_map(|e| e.shown(&self.rulebook, Some(viewer)));
        shown.filter(|e| !e.detail).map(|e| e.event.clone()).collect()
    }

    fn argument(&self, event: &str, name: &str) -> Option<Shown> {
        let umpire = self.events.iter().filter_map(|e| e.shown(&self.rulebook, None));
        umpire.filter(|e| e.event == event).find_map(|e| e.arg(name).cloned())
    }

    fn asked(&self) -> Vec<String> {
        let asked = flow::asked(&self.state).unwrap();
        asked.seats.iter().map(|&s| self.rulebook.seat(s).name.clone()).collect()
    }
}

const AMBER: Viewer = Viewer::Side(SideId(0));
const BLUE: Viewer = Viewer::Side(SideId(1));

/// Section 3, a: stopped by control unseen, and not offered again.
#[test]
fn a_stop_is_told_and_not_offered_again() {
    let mut table = Table::at(Position::p());
    assert_eq!(table.offers("amber").len(), 17);
    table.act("amber", "march /aF2 1 4-5");
    assert_eq!(table.shown(AMBER), ["tell", "tell", "stopped"]);
    assert_eq!(table.shown(BLUE), ["tell", "tell", "stopped"]);
    assert!(!table.offers("amber").iter().any(|o| o.starts_with("march /aH1")));
    assert_eq!(table.refusal("amber", "march /aH1 1 4-5").as_deref(), Some("pl:7.d"));
    assert_eq!(table.refusal("amber", "march /aF2 1 4-5").as_deref(), Some("pl:7.a"));
    assert_eq!(table.refusal("amber", "march /aD1 3 4-7").as_deref(), Some("pl:3.d"));
}

/// Section 3, b and e: an owner without horse is asked all the same; a straggle die says nothing to the enemy.
#[test]
fn a_probe_and_a_force_march() {
    let mut table = Table::at(Position::p());
    table.force("probe", &[4]);
    table.force("straggle", &[6, 5]);
    table.act("amber", "march /aH2 2 6-9");
    assert_eq!(table.asked(), ["scouts"]);
    assert_eq!(table.offers("scouts"), ["decline"]);
    table.act("scouts", "decline");
    table.act("amber", "probe aH2 /bD1");
    assert_eq!(table.offers("scouts"), ["done"]);
    table.act("scouts", "done");
    let seen = ["blocks", "draw", "reveal", "removed", "narrow", "reveal"];
    assert_eq!(table.shown(AMBER), seen);
    assert_eq!(table.shown(BLUE), seen);
    let read = Read::new(&table.rulebook, &table.state);
    let body = |name| read.body_of(table.rulebook.piece_named(name).unwrap()).unwrap();
    let seen = Seen::new(read, AMBER);
    assert_eq!(seen.candidates(body("bL")).len(), 1);
    assert_eq!(seen.candidates(body("bH1")).len(), 5);
    table.act("amber", "march /aD1 2 7-8");
    assert_eq!(table.shown(BLUE), ["marched"]);
    table.act("amber", "press /aD1 8-9");
    let of = |viewer| {
        let draws = table.events.iter().filter_map(|e| e.shown(&table.rulebook, Some(viewer)));
        draws.filter(|e| e.event == "draw").map(|e| e.arg("result").is_some()).collect::<Vec<_>>()
    };
    assert_eq!((of(AMBER), of(BLUE)), (vec![true, true], vec![false, false]));
}

/// pl:7.g#2 off: the leader does not help.
#[test]
fn a_rule_is_switched_off_by_its_id() {
    let weary = |overlays| {
        let mut table =
            Table::new(&Variant { position: Some(Position::p()), overlays, ..Variant::default() });
        table.force("straggle", &[6, 5, 1]);
        table.act("amber", "march /aD1 3 7-8");
        table.act("amber", "press /aD1 7-8");
        let list = table.events.iter().filter_map(|e| e.shown(&table.rulebook, None));
        let draws = list.filter(|e| e.event == "draw");
        draws.map(|e| e.arg("result") == Some(&Shown::Flag(true))).collect::<Vec<_>>()
    };
    assert_eq!(weary(vec![]), [false, false, false]);
    assert_eq!(weary(vec![Overlay::NoLeaderHelp]), [false, true, false]);
}

/// A permission that is only a filter.
#[test]
fn the_marshal_may_be_kept_out_of_an_area() {
    let position = Position::of(&[(4, "aL aF3"), (1, "bF3 bF2")], &[(6, "Base")]);
    let overlays = vec![Overlay::MarshalNotInto5];
    let mut table = Table::new(&Variant { position: Some(position), overlays, ..Variant::default() });
    assert_eq!(table.refusal("amber", "march /aL 1 4-5").as_deref(), Some("overlay:marshal"));
    assert_eq!(table.refusal("amber", "march /aL 1 1-4"), None);
}

/// A shift of an overlay in area 4; T18 and T17 on the way: both sides are told, then deploy.
#[test]
fn a_battle_with_an_overlay() {
    let position = Position::p().at(2, "amber", "combat");
    let overlays = vec![Overlay::RightIn4];
    let mut table = Table::new(&Variant { position: Some(position), overlays, ..Variant::default() });
    table.force("fight", &[1]);
    table.act("amber", "attack 4");
    table.act("blue", "deploy bD2 road");
    assert_eq!(table.offers("blue"), ["deploy bF2 road"]);
    table.act("blue", "deploy bF2 road");
    table.act("blue", "done");
    table.act("amber", "deploy aF2 road");
    table.act("amber", "deploy aH1 road");
    table.act("amber", "done");
    assert_eq!(table.asked(), ["amber", "blue"]);
    table.act("amber", "order road attack");
    table.act("amber", "done");
    assert_eq!(table.asked(), ["blue"]);
    table.act("blue", "order road hold");
    table.act("blue", "done");
    let name = |text: &str| Some(Shown::Name(text.to_owned()));
    assert_eq!(table.argument("draw", "start"), name("3:2"));
    assert_eq!(table.argument("draw", "column"), name("2:1"));
    assert_eq!(table.argument("draw", "result"), name("AR"));
}

/// Whatever is loaded, a name that means nothing is reported.
#[test]
fn a_position_is_checked() {
    let position = Position::of(&[(4, "aF2 aH7")], &[]);
    let problem = rulebook(&Variant { position: Some(position), ..Variant::default() }).unwrap_err();
    assert!(problem.to_string().contains("`aH7`"), "{problem}");
}

/// Twins T9: what is raised unseen shows nowhere.
#[test]
fn a_regroup_tells_nothing() {
    let position = || {
        let mut position = Position::p().at(2, "blue", "regroup");
        position.stacks[6] = (6, vec!["bL".to_owned(), "bF3".to_owned()]);
        position.pool = vec!["bD1".to_owned()];
        position.known = vec!["bL".to_owned(), "bF3".to_owned()];
        position
    };
    let play = |raise: bool| {
        let mut table = Table::at(position());
        if raise {
            table.act("blue", "raise bF3");
        }
        table.act("blue", "done");
        let ciphers = table.state.ciphers(&table.rulebook, &mut table.ciphers);
        let names = Names::new(ciphers, Read::new(&table.rulebook, &table.state));
        let view = adjutant::kernel::view::view(&names, Some(AMBER), None);
        let events: Vec<_> =
            table.events.iter().filter_map(|e| e.shown(&table.rulebook, Some(AMBER))).collect();
        (serde_json::to_string(&view).unwrap(), serde_json::to_string(&events).unwrap())
    };
    assert_eq!(play(false), play(true));
}

//! Each pack plays like its native twin: the same seats are asked, offered the same in the same order, and the
//! positions are the same by name after every decision, draws and handles included.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::sync::Arc;

use adjutant::Pack;
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::view::{Ciphers, Names};
use adjutant_kernel::{Action, Read, Rulebook, SeatId, State, Worker};
use small_games::catalogue;

/// A game at work.
struct Table {
    rulebook: Arc<Rulebook>,
    worker: Worker,
    state: State,
    ciphers: Ciphers,
}

impl Table {
    fn start(rulebook: Arc<Rulebook>, mut worker: Worker, seed: u64, options: &[&str]) -> Self {
        let bit = |name: &&str| 1u64 << rulebook.option_named(name).unwrap().0;
        let options = options.iter().map(bit).sum();
        let key = Key::from_seed(seed);
        let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), key, options).unwrap();
        Self { rulebook, worker, state, ciphers: Ciphers::default() }
    }

    /// Who is asked, by name.
    fn asked(&self) -> Vec<String> {
        let seats = flow::asked(&self.state).map(|a| a.seats).unwrap_or_default();
        seats.iter().map(|s| self.rulebook.seat(*s).name.clone()).collect()
    }

    fn offers(&self, seat: &str) -> (SeatId, Vec<Action>) {
        let seat = self.rulebook.seat_named(seat).unwrap();
        let mut list = Vec::new();
        flow::offers(&self.rulebook, &self.worker, &self.state, seat, &mut list).unwrap();
        (seat, list)
    }

    /// Actions as the umpire names them.
    fn named(&mut self, actions: &[Action]) -> Vec<String> {
        let ciphers = self.state.ciphers(&self.rulebook, &mut self.ciphers);
        let names = Names::new(ciphers, Read::new(&self.rulebook, &self.state));
        actions.iter().map(|a| serde_json::to_string(&names.action(None, a)).unwrap()).collect()
    }

    /// What an action that is not offered is told: the rule that forbids it, if one does.
    fn refusal(&self, seat: SeatId, action: &Action) -> Option<String> {
        match flow::judge(&self.rulebook, &self.worker, &self.state, seat, action).unwrap() {
            Some(Err(refusal)) => Some(self.rulebook.rule(refusal.rule).to_owned()),
            Some(Ok(())) | None => None,
        }
    }

    fn act(&mut self, seat: SeatId, action: &Action) {
        let (rulebook, worker) = (Arc::clone(&self.rulebook), &mut self.worker);
        flow::act(&rulebook, worker, &mut Sink::off(), &mut self.state, seat, action)
            .unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// The position by names. Frames are left out: the procedures of a script keep other locals; so is the
    /// phase, which games that open with a procedure do not have, and columns that only one of the two knows.
    fn position(&self, without: &[&str]) -> serde_json::Value {
        let mut named = serde_json::to_value(self.state.named(&self.rulebook)).unwrap();
        let all = named.as_object_mut().unwrap();
        all.remove("frames");
        all.remove("phase");
        if let Some(columns) = all.get_mut("columns").and_then(|c| c.as_object_mut()) {
            columns.retain(|name, _| !without.contains(&name.as_str()));
        }
        named
    }
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 11
}

/// What is random about a game.
struct Match<'a> {
    name: &'a str,
    options: &'a [&'a str],
    /// Columns that only one of the two knows.
    without: &'a [&'a str],
    /// The offers are the same, in another order.
    any_order: bool,
    /// Whether the pack names the same rule for what is not offered.
    refuses_alike: bool,
}

/// Two offers of a verb and a target in which they differ: what one is with the other's target may make no sense.
fn crossed(dice: &mut u64, offers: &[Action]) -> Option<(usize, usize, usize)> {
    let x = random(dice) as usize % offers.len();
    let like = |a: &Action| a.verb == offers[x].verb && a.given().count() == offers[x].given().count();
    let others: Vec<usize> = (0..offers.len()).filter(|&n| n != x && like(&offers[n])).collect();
    let y = *others.get(random(dice) as usize % others.len().max(1))?;
    let n = (0..4).find(|&n| offers[x].targets[n] != offers[y].targets[n])?;
    Some((x, y, n))
}

/// Plays both in lockstep; gives the number of decisions.
fn lockstep(game: &Pack, m: &Match<'_>, seed: u64) -> usize {
    let native = (catalogue::find(m.name).unwrap().rulebook)().unwrap();
    let mut one = Table::start(Arc::new(native), Worker::new(), seed, m.options);
    let mut two = Table::start(Arc::clone(game.rulebook()), game.rules().worker(), seed, m.options);
    let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let (mut decisions, mut refusals) = (0, 0);
    loop {
        assert_eq!(one.position(m.without), two.position(m.without), "{} {seed} {decisions}", m.name);
        let asked = one.asked();
        assert_eq!(asked, two.asked(), "{} {seed} {decisions}", m.name);
        if asked.is_empty() {
            assert!(one.state.outcome().is_some());
            assert!(!m.refuses_alike || refusals > 0, "nothing was refused");
            return decisions;
        }
        let seat = &asked[random(&mut dice) as usize % asked.len()];
        let ((a, mine), (b, theirs)) = (one.offers(seat), two.offers(seat));
        let (listed, mut other) = (one.named(&mine), two.named(&theirs));
        let (mut sorted, unsorted) = (listed.clone(), other.clone());
        if m.any_order {
            sorted.sort();
            other.sort();
        }
        assert_eq!(sorted, other, "{} {seed} {decisions}: {seat} is offered", m.name);
        if m.refuses_alike {
            for _ in 0..4 {
                let Some((x, y, n)) = crossed(&mut dice, &mine) else { break };
                let cross = |list: &[Action]| {
                    let mut action = list[x];
                    action.targets[n] = list[y].targets[n];
                    action
                };
                let (strange, same) = (cross(&mine), cross(&theirs));
                let named = one.named(&[strange]);
                assert_eq!(
                    one.refusal(a, &strange),
                    two.refusal(b, &same),
                    "{} {seed} {decisions}: {named:?}",
                    m.name
                );
                refusals += usize::from(one.refusal(a, &strange).is_some());
            }
        }
        let at = random(&mut dice) as usize % mine.len();
        one.act(a, &mine[at]);
        let same = unsorted.iter().position(|o| *o == listed[at]).unwrap();
        two.act(b, &theirs[same]);
        decisions += 1;
    }
}

fn open(name: &str) -> Pack {
    pack_games::open(name).unwrap_or_else(|problem| panic!("{problem}"))
}

fn agree(m: &Match<'_>, seeds: std::ops::Range<u64>) {
    let game = open(m.name);
    let decisions: usize = seeds.map(|seed| lockstep(&game, m, seed)).sum();
    assert!(decisions > 0);
}

const PLAIN: Match<'_> =
    Match { name: "", options: &[], without: &[], any_order: false, refuses_alike: false };

#[test]
fn breakthrough_has_the_perft_of_its_twin() {
    fn perft(table: &mut Table, depth: u32) -> u64 {
        let asked = table.asked();
        let (Some(seat), true) = (asked.first(), depth > 0) else { return 1 };
        let (seat, list) = table.offers(seat);
        let before = table.state.clone();
        let mut sum = 0;
        for action in list {
            table.act(seat, &action);
            sum += perft(table, depth - 1);
            table.state = before.clone();
        }
        sum
    }
    let game = open("breakthrough");
    let native = Arc::new((catalogue::find("breakthrough").unwrap().rulebook)().unwrap());
    let mut one = Table::start(native, Worker::new(), 1, &[]);
    let mut two = Table::start(Arc::clone(game.rulebook()), game.rules().worker(), 1, &[]);
    for depth in 1..=3 {
        assert_eq!(perft(&mut one, depth), perft(&mut two, depth));
    }
    // Positions in the middle of the game, where there is something to capture.
    agree(&Match { name: "breakthrough", any_order: true, ..PLAIN }, 0..6);
}

#[test]
fn phantom_plays_like_its_twin() {
    agree(&Match { name: "phantom", ..PLAIN }, 0..40);
}

#[test]
fn the_duel_plays_like_its_twin() {
    agree(&Match { name: "duel", ..PLAIN }, 0..40);
}

#[test]
fn the_skirmish_plays_like_its_twin() {
    agree(&Match { name: "skirmish", ..PLAIN }, 0..3);
}

#[test]
fn picket_line_plays_like_its_twin() {
    agree(&Match { name: "picket-line", refuses_alike: true, ..PLAIN }, 0..6);
    let options: &[&str] = &["dusk", "hesitation"];
    agree(&Match { name: "picket-line", options, refuses_alike: true, ..PLAIN }, 6..12);
}

//! Lockstep twins (invariant 6).
//!
//! Two games begin at one position and differ only in what a viewer may not know: in identities and private
//! values, in decisions that it is not shown, or in both. They go on with the same visible decisions, and until
//! a release answers differently every seat of the viewer must get the same bytes: view, offers, who is asked,
//! version, undo flag, log, "why not". That there is a release, by which rule, about what and to whom is the
//! same in both.
//!
//! | decision of | in both games |
//! | --- | --- |
//! | a seat of the viewer | the same offer |
//! | another seat | one that the viewer would name alike |
//! | another seat, in secret ([`Procedure::shape`](adjutant_kernel::Procedure::shape) is there) | whatever has the same shape when it is committed (of twins by exchange: the same, if that can be); some taken back on the way, and in a fork perhaps at another time |

mod compare;
mod secret;

use adjutant_kernel::flow::{self, AskMode};
use adjutant_kernel::knowledge::{exchange, resample};
use adjutant_kernel::view::ShownAction;
use adjutant_kernel::{Fault, Refused, SeatId, State, Viewer};

use super::mutate::Handles;
use super::report::count;
use super::{Trial, Verdict, play};
use crate::{Entry, Game, Random};
pub use compare::{Apart, Lockstep};
use secret::Secret;

/// How a pair ended, or what is wrong with it.
enum End {
    /// A release to the viewer answered differently: its rule.
    Parted(String),
    /// Both games came to their end, or the budget did.
    Over,
    /// No decision of the one game is one of the other.
    Unmatched,
    /// A seat of the viewer could tell the twins apart.
    Leak(String),
    /// The rules failed in a twin.
    Fault(Box<Fault>),
}

/// In what the twins of a pair differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Exchanged,
    Decisions,
    Both,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Exchanged => "what is hidden from it",
            Self::Decisions => "what others decided unseen",
            Self::Both => "what is hidden from it and what others decided unseen",
        })
    }
}

/// A seat that has committed in one game of a pair, and not yet in the other.
struct Owed {
    lagging: usize,
    seat: SeatId,
    secret: Secret,
}

/// Two games in lockstep.
struct Pair<'a> {
    games: [Game; 2],
    /// The viewer's seats.
    seats: Vec<SeatId>,
    viewer: Viewer,
    kind: Kind,
    random: &'a mut Random,
    owed: Vec<Owed>,
    /// What has been compared.
    lockstep: Lockstep,
    /// Actions to ask "why not" about.
    pool: Vec<ShownAction>,
    handles: Handles,
    explained: u64,
    apart: u64,
    /// The last decision made, for the text of a leak.
    last: String,
}

/// Begins a pair of twins at a position without drafts, and leads it to its end.
pub(super) fn check(trial: &mut Trial<'_>, start: &Game) {
    let rb = trial.rulebook.clone();
    let viewers: Vec<(Viewer, Vec<SeatId>)> = rb
        .viewers()
        .map(|v| (v, rb.seat_ids().filter(|&s| rb.seat(s).viewer() == Some(v)).collect::<Vec<_>>()))
        .filter(|(_, seats)| !seats.is_empty())
        .collect();
    let Some((viewer, seats)) = trial.random.pick(&viewers).cloned() else { return };
    let mut kind = [Kind::Exchanged, Kind::Decisions, Kind::Both][trial.random.below(3)];
    let mut games = [start.branch_bare(), start.branch_bare()];
    if kind != Kind::Decisions {
        match twin(trial, start.state(), viewer) {
            Some(state) => games[1].become_twin(state),
            None => kind = Kind::Decisions,
        }
    }
    let who = rb.seat(seats[0]).name.clone();
    let handles = Handles::of(&mut games[0], seats[0], &mut trial.random);
    let lockstep = Lockstep::new(&rb, viewer);
    let limit = trial.plan.pair_decisions;
    let mut pair = Pair {
        games,
        seats,
        viewer,
        kind,
        random: &mut trial.random,
        owed: Vec::new(),
        lockstep,
        pool: Vec::new(),
        handles,
        explained: 0,
        apart: 0,
        last: "the beginning".to_owned(),
    };
    let (end, steps) = pair.run(limit);
    let (explained, apart, last) = (pair.explained, pair.apart, std::mem::take(&mut pair.last));
    let counts = &mut trial.report.counts;
    counts.pairs += 1;
    counts.explained += explained;
    counts.apart += apart;
    counts.pair_decisions += u64::from(steps);
    match end {
        End::Parted(rule) => count(&mut counts.parted, &rule),
        End::Over => counts.to_the_end += 1,
        End::Unmatched => counts.unmatched += 1,
        End::Fault(fault) => trial.fault(&fault),
        End::Leak(text) => {
            let text = format!(
                "{who} can tell two games apart that differ in {kind}, {steps} decisions on, after {last}:\n{text}"
            );
            trial.find(Verdict::Leak, text);
        }
    }
}

/// A twin of a state for a viewer; `None` when nothing about it could be otherwise.
fn twin(trial: &mut Trial<'_>, state: &State, viewer: Viewer) -> Option<State> {
    let rb = trial.rulebook;
    let random = &mut trial.random;
    let mut twin = state.clone();
    // Few exchanges single out what hangs on one body; many mix everything.
    for _ in 0..3 {
        let tries = [2, 8, 12 * rb.pieces().len()][random.below(3)];
        if exchange(rb, &mut twin, viewer, tries, &mut || random.word()) > 0 {
            break;
        }
    }
    if random.percent(60) {
        resample(rb, &mut twin, viewer, &mut || random.word());
        let worker = trial.rules.worker();
        if let Err(fault) = flow::imagine(rb, &worker, &mut twin, viewer, &mut || random.word()) {
            trial.fault(&fault);
            return None;
        }
    }
    (twin != *state).then_some(twin)
}

impl Pair<'_> {
    fn run(&mut self, limit: u32) -> (End, u32) {
        if let Err(end) = self.compare() {
            return (end, 0);
        }
        for step in 0..limit {
            if self.games.iter().all(Game::ended) {
                return (End::Over, step);
            }
            if let Err(end) = self.step() {
                return (end, step);
            }
        }
        (End::Over, limit)
    }

    /// Seats that are asked in both games and have not committed, and the smaller number of them in one.
    fn open(&self) -> (Vec<SeatId>, usize, bool) {
        let [one, two] = [0, 1].map(|n| flow::asked(self.games[n].state()));
        let (Some(one), Some(two)) = (one, two) else { return (Vec::new(), 0, false) };
        let fork = matches!((one.mode, two.mode), (AskMode::Fork { .. }, AskMode::Fork { .. }));
        let both = one.seats.iter().copied().filter(|s| two.seats.contains(s)).collect();
        (both, one.seats.len().min(two.seats.len()), fork)
    }

    fn step(&mut self) -> Result<(), End> {
        let (open, fewest, fork) = self.open();
        if !self.owed.is_empty() && (open.is_empty() || fewest < 2 || self.random.percent(30)) {
            return self.pay();
        }
        let Some(&seat) = self.random.pick(&open) else { return Err(End::Unmatched) };
        if self.seats.contains(&seat) {
            return self.own_decision(seat);
        }
        if self.games.iter().all(|g| g.shape(seat).is_some()) {
            self.secret_decision(seat, fork && fewest > 1)
        } else {
            if self.random.percent(10) {
                self.dither(seat)?;
            }
            self.visible_decision(seat)
        }
    }

    fn act(&mut self, game: usize, seat: SeatId, action: adjutant_kernel::Action) -> Result<(), End> {
        self.lockstep.touch(game);
        match self.games[game].act_raw(seat, action) {
            Ok(_) => Ok(()),
            Err(refused) => Err(self.failed(game, seat, &refused)),
        }
    }

    fn undo(&mut self, game: usize, seat: SeatId) -> Result<(), End> {
        self.lockstep.touch(game);
        self.games[game].undo(seat).map_err(|refused| self.failed(game, seat, &refused))
    }

    fn failed(&self, game: usize, seat: SeatId, refused: &Refused) -> End {
        let number = if let Refused::Fault(number) = refused { *number } else { 0 };
        let fault = self.games[game].fault(Some(seat), number).cloned();
        End::Fault(Box::new(fault.unwrap_or_else(|| Fault::Rules { text: format!("refused: {refused}") })))
    }

    fn offers(&self, game: usize, seat: SeatId) -> Result<Vec<adjutant_kernel::Action>, End> {
        self.games[game].raw_offers(seat).map_err(|fault| End::Fault(Box::new(fault)))
    }

    /// A seat of the viewer takes the same offer in both, or takes one back.
    fn own_decision(&mut self, seat: SeatId) -> Result<(), End> {
        if self.games.iter().all(|g| g.may_undo(seat)) && self.random.percent(8) {
            self.undo(0, seat)?;
            self.undo(1, seat)?;
            "an undo".clone_into(&mut self.last);
            return self.compare();
        }
        let offers = [self.offers(0, seat)?, self.offers(1, seat)?];
        let Some(at) = play::choose(&offers[0], self.random) else { return Err(End::Unmatched) };
        let Some(&other) = offers[1].get(at) else { return Err(End::Unmatched) };
        self.last = self.games[0].render(seat, Some(self.viewer), &offers[0][at]).to_string();
        self.act(0, seat, offers[0][at])?;
        self.act(1, seat, other)?;
        self.compare()
    }

    /// A seat of another viewer decides, in both games what this viewer would name alike.
    fn visible_decision(&mut self, seat: SeatId) -> Result<(), End> {
        let mut first = self.offers(0, seat)?;
        let second: Vec<(ShownAction, adjutant_kernel::Action)> = self
            .offers(1, seat)?
            .into_iter()
            .map(|a| (self.games[1].render(seat, Some(self.viewer), &a), a))
            .collect();
        while let Some(at) = play::choose(&first, self.random) {
            let action = first.swap_remove(at);
            let shown = self.games[0].render(seat, Some(self.viewer), &action);
            if let Some((_, other)) = second.iter().find(|(s, _)| *s == shown) {
                self.last = format!("`{shown}` of another");
                let before = [0, 1].map(|n| self.games[n].journal().len());
                self.act(0, seat, action)?;
                self.act(1, seat, *other)?;
                // An answer in advance that is one in one of the games only: no decision of the other is like it.
                let [one, two] = [0, 1].map(|n| {
                    let entries = &self.games[n].journal()[before[n]..];
                    entries.iter().filter(|e| matches!(e, Entry::Act { standing: true, .. })).count()
                });
                return if one == two { self.compare() } else { Err(End::Unmatched) };
            }
        }
        Err(End::Unmatched)
    }

    /// In one game the seat does something that nobody is shown, and takes it back.
    fn dither(&mut self, seat: SeatId) -> Result<(), End> {
        let game = self.random.below(2);
        let offers = self.offers(game, seat)?;
        let Some(&action) = self.random.pick(&offers) else { return Ok(()) };
        let mut trial = self.games[game].branch_bare();
        if trial.act_raw(seat, action).is_err() || !trial.may_undo(seat) {
            return Ok(());
        }
        "a draft of another".clone_into(&mut self.last);
        self.act(game, seat, action)?;
        self.compare()?;
        "a draft of another, taken back".clone_into(&mut self.last);
        self.undo(game, seat)?;
        self.compare()
    }
}

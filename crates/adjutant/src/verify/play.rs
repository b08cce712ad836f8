//! Random games to the end.

use std::collections::VecDeque;

use adjutant_kernel::knowledge::forgotten;
use adjutant_kernel::view::ShownAction;
use adjutant_kernel::{Action, Digest, Read, Refused, SeatId, flow};

use super::diff::differences;
use super::report::count;
use super::{Trial, Verdict};
use crate::game::StartError;
use crate::{Game, Packet, Random, Standing};

/// Offers remembered, to be tried when they may no longer be there.
const RECENT: usize = 24;

/// What a game was at a length of its journal.
pub(super) struct Mark {
    pub(super) entries: usize,
    pub(super) digest: Digest,
    /// What one seat got.
    pub(super) seat: SeatId,
    pub(super) packet: Packet,
}

/// A game that was played, and random positions of it.
pub(super) struct Played {
    pub(super) game: Game,
    pub(super) marks: Vec<Mark>,
    /// A position with all that came before it.
    pub(super) middle: Option<Game>,
    /// Positions, with the length of the journal, and what was done and offered of late.
    pub(super) points: Vec<(usize, Game, Vec<ShownAction>)>,
    /// Positions without open drafts.
    pub(super) quiet: Vec<(usize, Game)>,
}

/// One of the offers, with a bias against those that end what a seat does (an action without a target).
pub(super) fn choose(offers: &[Action], random: &mut Random) -> Option<usize> {
    if offers.is_empty() {
        return None;
    }
    let at = random.below(offers.len());
    let ends = offers[at].given().next().is_none();
    Some(if ends && random.percent(70) { random.below(offers.len()) } else { at })
}

/// Keeps `room` of the things offered, each with the same chance.
struct Reservoir<T> {
    room: usize,
    offered: usize,
    kept: Vec<T>,
}

impl<T> Reservoir<T> {
    fn new(room: usize) -> Self {
        Self { room, offered: 0, kept: Vec::new() }
    }

    fn offer(&mut self, random: &mut Random, make: impl FnOnce() -> T) {
        self.offered += 1;
        if self.kept.len() < self.room {
            self.kept.push(make());
        } else if self.room > 0 {
            let at = random.below(self.offered);
            if at < self.room {
                self.kept[at] = make();
            }
        }
    }
}

/// Plays a game; `None` when it cannot even begin.
pub(super) fn play(trial: &mut Trial<'_>) -> Option<Played> {
    trial.at(0, "the opening");
    let mut game = match Game::start(trial.rules, trial.setup.clone()) {
        Ok(game) => game,
        Err(error) => {
            match &error {
                StartError::Fault(fault) => trial.fault(fault),
                StartError::Option { .. } | StartError::Options { .. } | StartError::Scenario { .. } => {
                    trial.find(Verdict::Fault, error.to_string());
                }
            }
            return None;
        }
    };
    let mut marks = Vec::new();
    let mut middle = Reservoir::new(1);
    let mut points = Reservoir::new(trial.plan.points);
    let mut quiet = Reservoir::new(trial.plan.pairs);
    let mut recent = VecDeque::new();
    let umpired = trial.plan.umpired > 0 && trial.random.percent(trial.plan.umpired);
    while !game.ended() {
        let entries = game.journal().len();
        trial.at(entries, "play");
        if entries as u32 >= trial.plan.decisions {
            let asked = flow::asked(game.state()).map(|a| trial.rulebook.word(a.prompt).to_owned());
            let text = format!("no end after {entries} decisions; the last prompt is {asked:?}");
            trial.find(Verdict::Livelock, text);
            break;
        }
        mark(trial, &mut game, &mut marks);
        middle.offer(&mut trial.random, || game.branch_off());
        let recently = || recent.iter().cloned().collect();
        points.offer(&mut trial.random, || (entries, game.branch_bare(), recently()));
        if !game.drafting() {
            quiet.offer(&mut trial.random, || (entries, game.branch_bare()));
        }
        if umpired {
            super::umpire::interfere(trial, &mut game);
        }
        if !checks_hold(trial, &game) || !decide(trial, &mut game, &mut recent) {
            break;
        }
    }
    trial.at(game.journal().len(), "play");
    mark(trial, &mut game, &mut marks);
    trial.report.counts.ended += u64::from(game.ended());
    for seat in trial.rulebook.seat_ids() {
        for release in game.releases(seat) {
            count(&mut trial.report.counts.releases, &release.shown.rule);
        }
    }
    Some(Played { game, marks, middle: middle.kept.pop(), points: points.kept, quiet: quiet.kept })
}

fn mark(trial: &mut Trial<'_>, game: &mut Game, marks: &mut Vec<Mark>) {
    let seat = SeatId(trial.random.below(trial.rulebook.seats().len()) as u8);
    let (entries, digest) = (game.journal().len(), game.digest());
    marks.push(Mark { entries, digest, seat, packet: game.packet(seat) });
}

fn checks_hold(trial: &mut Trial<'_>, game: &Game) -> bool {
    let read = Read::new(trial.rulebook, game.state());
    let broken: Vec<(&str, String)> =
        trial.plan.checks.iter().filter_map(|(name, check)| Some((*name, check(read).err()?))).collect();
    for (name, text) in &broken {
        trial.find(Verdict::Invariant((*name).to_owned()), text.clone());
    }
    broken.is_empty()
}

/// One decision of a seat that is asked, or an undo; `false` when the game cannot go on.
fn decide(trial: &mut Trial<'_>, game: &mut Game, recent: &mut VecDeque<ShownAction>) -> bool {
    let random = &mut trial.random;
    let Some((seat, prompt)) = flow::pick_asked(game.state(), &mut |n| random.below(n)) else {
        trial.find(Verdict::Fault, "nobody is asked and the game has not ended");
        return false;
    };
    if game.may_undo(seat) && random.percent(5) {
        if let Err(refused) = game.undo(seat) {
            trial.find(Verdict::Undo, format!("undo was said to be possible and is refused: {refused}"));
            return false;
        }
        trial.report.counts.undos += 1;
        return true;
    }
    let offers = match game.raw_offers(seat) {
        Ok(offers) => offers,
        Err(fault) => {
            trial.fault(&fault);
            return false;
        }
    };
    let Some(at) = choose(&offers, &mut trial.random) else {
        let text = game.dead_end(seat, prompt).to_string();
        trial.find(Verdict::DeadEnd, text);
        return false;
    };
    let action = offers[at];
    if stand(trial, game, seat, prompt, &action) {
        trial.report.counts.decisions += 1;
        count(&mut trial.report.counts.verbs, trial.rulebook.word(action.verb));
        return true;
    }
    let viewer = trial.rulebook.seat(seat).viewer();
    let shown = game.render(seat, viewer, &action);
    recent.push_front(shown.clone());
    let other = trial.random.below(offers.len());
    recent.push_front(game.render(seat, viewer, &offers[other]));
    recent.truncate(RECENT);
    let before = game.state().clone();
    let onlooker = onlooker(trial, seat);
    let its_packet = onlooker.map(|s| (game.log(s).len(), game.packet(s)));
    let (version, entries) = (game.version(seat), game.journal().len());
    let events = match game.act(seat, Some(version), &shown) {
        Ok(events) => events,
        Err(Refused::Fault(number)) => {
            let fault = game.fault(Some(seat), number).cloned();
            trial.doing = "play";
            match fault {
                Some(fault) => trial.fault(&fault),
                None => trial.find(Verdict::Fault, format!("`{shown}`: a fault that was not noted")),
            }
            return false;
        }
        Err(refused) => {
            trial.find(Verdict::Illegal, format!("`{shown}` is offered and refused: {refused}"));
            return false;
        }
    };
    trial.report.counts.decisions += 1;
    count(&mut trial.report.counts.verbs, &shown.verb);
    if let (Some(onlooker), Some((log, packet))) = (onlooker, its_packet)
        && game.has_draft(seat)
        // Answers in advance go on after a barrier: then the draft is theirs.
        && game.journal().len() == entries + 1
    {
        let now = game.packet(onlooker);
        if now != packet || game.log(onlooker).len() != log {
            let text = format!("`{shown}` is a draft, and seat {} is shown it", now.view.seat);
            trial.find(Verdict::Leak, format!("{text}\n{}", differences(&packet, &now)));
        }
    }
    if let Some((viewer, body)) = forgotten(trial.rulebook, &before, game.state()) {
        let handle = game.render(seat, Some(viewer), &Action::new(action.verb).on(body));
        let text = format!("{viewer:?} knows less of a body after `{shown}` without a mix: {handle}");
        trial.find(Verdict::Invariant("knowledge".to_owned()), text);
    }
    let stopped = events.iter().any(|e| e.event == "stopped");
    // Another question may well be answered with the same word.
    let prompt = |state| flow::asked(state).map(|asked| asked.prompt);
    if stopped && prompt(&before) == prompt(game.state()) && game.offers(seat).contains(&shown) {
        let text = format!("`{shown}` was stopped and is offered again at once");
        trial.find(Verdict::Invariant("told answers".to_owned()), text);
    }
    true
}

/// Now and then another seat, of the same side or not, which may not be shown a draft.
fn onlooker(trial: &mut Trial<'_>, seat: SeatId) -> Option<SeatId> {
    if !trial.random.percent(30) {
        return None;
    }
    let seats = trial.rulebook.seat_ids();
    let others: Vec<SeatId> =
        seats.filter(|&s| s != seat && trial.rulebook.seat(s).viewer().is_some()).collect();
    trial.random.pick(&others).copied()
}

/// Now and then a seat gives the answer that it is about to give in advance, for all time to come, and now and
/// then it thinks better of it. Whether the answer was taken at once.
fn stand(
    trial: &mut Trial<'_>,
    game: &mut Game,
    seat: SeatId,
    prompt: adjutant_kernel::WordId,
    action: &Action,
) -> bool {
    if trial.random.percent(8) {
        game.withdraw_standing(seat);
    } else if action.given().next().is_none() && trial.random.percent(4) {
        let (prompt, verb) = (trial.rulebook.word(prompt).to_owned(), trial.rulebook.word(action.verb));
        let entries = game.entries();
        if let Err(refused) = game.stand(seat, Standing { prompt, verb: verb.to_owned(), until: None }) {
            trial.find(Verdict::Illegal, format!("an answer given in advance: {refused}"));
        }
        return game.entries() > entries;
    }
    false
}

//! Saves, replays, the bare rules on the same decisions, undo and redo, branches.

use adjutant_kernel::view::{Ciphers, Names, ShownAction};
use adjutant_kernel::{Read, Refused, SeatId};

use super::diff::differences;
use super::play::{self, Mark, Played};
use super::{Trial, Verdict};
use crate::{Entry, Game, Packet, Save, Sim};

/// Spoilt saves tried a game.
const SPOILT: usize = 2;
/// Decisions on a branch that must leave the game alone.
const BRANCH: usize = 4;

pub(super) fn check(trial: &mut Trial<'_>, played: &Played) {
    trial.at(played.game.journal().len(), "saves");
    loads_equal(trial, &played.game);
    if let Some(middle) = &played.middle {
        trial.at(middle.journal().len(), "saves");
        loads_equal(trial, middle);
        branches_are_apart(trial, middle);
        resigns(trial, middle);
    }
    spoilt_saves(trial, &played.game);
    trial.doing = "replay";
    replays(trial, &played.game, &played.marks);
    same_without_drafts(trial, &played.game);
}

/// What all seats get, the umpire included.
fn packets(game: &mut Game) -> Vec<Packet> {
    let seats: Vec<SeatId> = game.rulebook().seat_ids().collect();
    seats.into_iter().map(|seat| game.packet(seat)).collect()
}

/// The first difference in what all seats get and got.
fn all_equal(a: &mut Game, b: &mut Game) -> Result<(), String> {
    if a.digest() != b.digest() {
        return Err(format!("the digest is {} / {}", a.digest(), b.digest()));
    }
    let (x, y) = (packets(a), packets(b));
    if x != y {
        return Err(differences(&x, &y));
    }
    for seat in a.rulebook().seat_ids() {
        if a.log(seat) != b.log(seat) {
            return Err(differences(&a.log(seat), &b.log(seat)));
        }
    }
    Ok(())
}

fn loads_equal(trial: &mut Trial<'_>, game: &Game) {
    trial.report.counts.saves += 1;
    let save = game.save();
    let loaded = match Save::from_json(&save.to_json()) {
        Ok(read) if read != save => {
            trial.find(Verdict::Save, format!("its JSON differs: {}", differences(&save, &read)));
            return;
        }
        Ok(read) => Game::load(trial.rules, &read),
        Err(error) => Err(error),
    };
    match loaded {
        Err(error) => trial.find(Verdict::Save, error.to_string()),
        Ok(mut loaded) => {
            if let Err(text) = all_equal(&mut game.branch_off(), &mut loaded) {
                trial.find(Verdict::Save, format!("the game / after saving and loading\n{text}"));
            }
        }
    }
}

/// Whatever a save holds, the answer is an error value or a game (a panic is found by whoever called).
fn spoilt_saves(trial: &mut Trial<'_>, game: &Game) {
    let mut text = game.save().to_json().into_bytes();
    for _ in 0..SPOILT {
        let at = trial.random.below(text.len());
        match trial.random.below(3) {
            0 => text.truncate(at.max(1)),
            1 => text[at] = b'0' + trial.random.below(10) as u8,
            _ => {
                text.remove(at);
            }
        }
        if let Ok(save) = Save::from_json(&String::from_utf8_lossy(&text)) {
            let _ = Game::load(trial.rules, &save);
        }
    }
}

/// The journal carried out entry by entry gives what the game was at each.
fn replays(trial: &mut Trial<'_>, game: &Game, marks: &[Mark]) {
    let Ok(mut again) = Game::start(trial.rules, game.setup().clone()) else {
        trial.find(Verdict::Replay, "the game cannot be begun again");
        return;
    };
    let mut marks = marks.iter().peekable();
    for n in 0..=game.journal().len() {
        trial.at(n, "replay");
        if let Some(mark) = marks.next_if(|m| m.entries == n) {
            let packet = again.packet(mark.seat);
            let text = if again.digest() != mark.digest {
                format!("the digest was {} and is {}", mark.digest, again.digest())
            } else if packet != mark.packet {
                format!("a seat was shown / is shown\n{}", differences(&mark.packet, &packet))
            } else {
                String::new()
            };
            if !text.is_empty() {
                trial.find(Verdict::Replay, text);
                return;
            }
        }
        if let Some(entry) = game.journal().get(n)
            && let Err(reason) = again.apply_entry(entry)
        {
            trial.find(Verdict::Replay, format!("entry {} cannot be carried out: {reason}", n + 1));
            return;
        }
    }
    trial.report.counts.replayed += game.journal().len() as u64;
    if let Err(text) = all_equal(&mut game.branch_off(), &mut again) {
        trial.find(Verdict::Replay, format!("the game / its replay\n{text}"));
    }
}

/// The decisions that were not taken back.
fn standing_decisions(game: &Game) -> Vec<(SeatId, &ShownAction)> {
    let seat = |name: &str| game.rulebook().seat_named(name).unwrap_or_default();
    let mut list: Vec<(SeatId, &ShownAction)> = Vec::new();
    for entry in game.journal() {
        match entry {
            Entry::Act { seat: name, action, .. } => list.push((seat(name), action)),
            Entry::Undo { seat: name } => {
                let last = list.iter().rposition(|(s, _)| *s == seat(name));
                last.map(|at| list.remove(at));
            }
            Entry::Edit { .. } | Entry::Skip { .. } | Entry::Force { .. } | Entry::Resign { .. } => {}
        }
    }
    list
}

/// The bare rules, without drafts and undo, lead to the same position.
fn same_without_drafts(trial: &mut Trial<'_>, game: &Game) {
    let umpired = |e: &Entry| matches!(e, Entry::Edit { .. } | Entry::Skip { .. } | Entry::Force { .. });
    if game.journal().iter().any(umpired) {
        // The bare rules have no umpire; games without one are compared.
        return;
    }
    let rb = trial.rulebook;
    let mut sim = match Sim::set_up(trial.rules, game.setup()) {
        Ok(sim) => sim,
        Err(error) => return trial.find(Verdict::Replay, format!("the bare rules do not begin: {error}")),
    };
    let mut ciphers = Ciphers::default();
    for (seat, shown) in standing_decisions(game) {
        let names = Names::new(sim.state().ciphers(rb, &mut ciphers), Read::new(rb, sim.state()));
        let carried_out = match names.read_action(None, shown) {
            Ok(action) => sim.act(seat, &action).map_err(|fault| fault.to_string()),
            Err(what) => Err(format!("unknown: {what}")),
        };
        if let Err(reason) = carried_out {
            trial.find(
                Verdict::Replay,
                format!("`{shown}` cannot be carried out by the bare rules: {reason}"),
            );
            return;
        }
    }
    if sim.state().digest() != game.digest() {
        let differs = sim.state().differs(game.state());
        trial.find(Verdict::Replay, format!("the bare rules lead elsewhere: {differs:?}"));
    }
}

/// What is done on a branch leaves the game alone.
fn branches_are_apart(trial: &mut Trial<'_>, game: &Game) {
    let mut game = game.branch_off();
    let (digest, before) = (game.digest(), packets(&mut game));
    let mut branch = game.branch_off();
    for _ in 0..BRANCH {
        let random = &mut trial.random;
        let asked = adjutant_kernel::flow::pick_asked(branch.state(), &mut |n| random.below(n));
        let Some((seat, _)) = asked else { break };
        let offers = branch.raw_offers(seat).unwrap_or_default();
        let Some(at) = play::choose(&offers, &mut trial.random) else { break };
        if branch.act_raw(seat, offers[at]).is_err() {
            break;
        }
    }
    if game.digest() != digest || packets(&mut game) != before {
        trial.find(Verdict::Save, "what was done on a branch changed the game that it left");
    }
}

/// A seat that gives up ends the game, and the save of that loads.
fn resigns(trial: &mut Trial<'_>, game: &Game) {
    let mut game = game.branch_off();
    let players: Vec<SeatId> =
        trial.rulebook.seat_ids().filter(|&s| trial.rulebook.seat(s).side.is_some()).collect();
    let Some(&seat) = trial.random.pick(&players) else { return };
    if !game.ended() && game.resign(seat).is_ok() {
        if !game.ended() {
            trial.find(Verdict::Fault, "a seat resigned and the game goes on");
        }
        loads_equal(trial, &game);
    }
}

/// Undoing and redoing the last decision of a seat leaves everything as it was, but for that seat's version.
pub(super) fn check_undo(trial: &mut Trial<'_>, game: &Game) {
    let mut game = game.branch_bare();
    let seats: Vec<SeatId> = trial.rulebook.seat_ids().filter(|&s| game.may_undo(s)).collect();
    let Some(&seat) = trial.random.pick(&seats) else { return };
    let Some(action) = game.last_decision(seat) else { return };
    // An answer in advance would answer at once what is asked again.
    trial.rulebook.seat_ids().for_each(|seat| game.withdraw_standing(seat));
    trial.report.counts.redone += 1;
    let last_of_all = game.is_last_decision(seat);
    let (digest, before) = (game.digest(), packets(&mut game));
    let others_equal = |now: &[Packet]| {
        let other = |p: &&Packet| {
            let of = trial.rulebook.seat_named(&p.view.seat);
            of != Some(seat) && of.is_some_and(|s| trial.rulebook.seat(s).viewer().is_some())
        };
        before.iter().filter(other).eq(now.iter().filter(other))
    };
    let mut text = String::new();
    match game.undo(seat) {
        Err(refused) => text = format!("undo was said to be possible and is refused: {refused}"),
        Ok(()) => {
            let now = packets(&mut game);
            if !others_equal(&now) {
                text = format!(
                    "before / after an undo that others may not notice\n{}",
                    differences(&before, &now)
                );
            } else if let Err(refused) = game.act_raw(seat, action) {
                let fault = match refused {
                    Refused::Fault(number) => game.fault(Some(seat), number).map(ToString::to_string),
                    _ => None,
                };
                let fault = fault.map(|fault| format!(": {fault}")).unwrap_or_default();
                text = format!("what was undone cannot be done again: {refused}{fault}");
            } else {
                let mut now = packets(&mut game);
                if let (Some(old), Some(new)) = (before.get(seat.index()), now.get_mut(seat.index())) {
                    new.view.version = old.view.version;
                }
                if last_of_all && game.digest() != digest {
                    text = "the digest differs after undo and redo".to_owned();
                } else if before != now {
                    text = format!("before / after undo and redo\n{}", differences(&before, &now));
                }
            }
        }
    }
    if !text.is_empty() {
        trial.find(Verdict::Undo, text);
    }
}

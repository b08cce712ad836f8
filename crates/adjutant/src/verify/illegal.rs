//! What is not offered is refused without a trace; what is offered is accepted.

use adjutant_kernel::view::{ShownAction, ShownTarget};
use adjutant_kernel::{Digest, Refused, SeatId, State, WordId};

use super::diff::differences;
use super::mutate::{Handles, mutated};
use super::report::count;
use super::{Trial, Verdict};
use crate::{Game, Packet};

/// Actions tried a seat that is asked, and one that is not.
const TRIED: (usize, usize) = (24, 4);
/// Offers carried out on branches, a seat.
const OFFERED: usize = 12;

/// All that a refusal must leave alone.
struct Trace {
    digest: Digest,
    entries: usize,
    versions: Vec<u32>,
    published: State,
}

impl Trace {
    fn of(game: &Game) -> Self {
        Self {
            digest: game.digest(),
            entries: game.journal().len(),
            versions: game.rulebook().seat_ids().map(|s| game.version(s)).collect(),
            published: game.published().clone(),
        }
    }

    fn left_by(&self, game: &Game) -> bool {
        let now = Self::of(game);
        now.digest != self.digest
            || now.entries != self.entries
            || now.versions != self.versions
            || now.published != self.published
    }
}

/// `recent` is what was offered of late.
pub(super) fn check(trial: &mut Trial<'_>, game: &Game, recent: &[ShownAction]) {
    let mut game = game.branch_bare();
    let seats: Vec<SeatId> = trial.rulebook.seat_ids().collect();
    let before: Vec<Packet> = seats.iter().map(|&s| game.packet(s)).collect();
    let all: Vec<ShownAction> = before.iter().flat_map(|p| &p.offers).chain(recent).cloned().collect();
    for &seat in &seats {
        let offers = &before[seat.index()].offers;
        if game.offers(seat) != *offers {
            let text = format!("asked twice for offers, seat {}:", trial.rulebook.seat(seat).name);
            trial.find(Verdict::Illegal, format!("{text}\n{}", differences(offers, &game.offers(seat))));
        }
        refuses(trial, &mut game, seat, offers, &all);
        accepts(trial, &game, seat, offers);
    }
    unseen_and_nonsense(trial, &mut game, &before);
    let now: Vec<Packet> = seats.iter().map(|&s| game.packet(s)).collect();
    if now != before {
        trial.find(Verdict::Illegal, format!("before / after refusals\n{}", differences(&before, &now)));
    }
}

/// Tries what a seat is not offered.
fn refuses(
    trial: &mut Trial<'_>,
    game: &mut Game,
    seat: SeatId,
    offers: &[ShownAction],
    all: &[ShownAction],
) {
    let handles = Handles::of(game, seat, &mut trial.random);
    let trace = Trace::of(game);
    let version = game.version(seat);
    let times = if offers.is_empty() { TRIED.1 } else { TRIED.0 };
    for n in 0..times {
        let rb = trial.rulebook;
        let own = if offers.is_empty() { all } else { offers };
        let base = match trial.random.below(6) {
            0 => trial.random.pick(all).cloned(),
            1 => {
                let word = WordId(trial.random.below(rb.word_count()) as u16);
                Some(ShownAction { verb: rb.word(word).to_owned(), targets: Vec::new() })
            }
            2 if n % 2 == 0 => Some(ShownAction { verb: "no such verb".to_owned(), targets: Vec::new() }),
            _ => trial.random.pick(own).map(|a| mutated(rb, &handles, a, &mut trial.random)),
        };
        let Some(action) = base.filter(|a| !offers.contains(a)) else { continue };
        match game.act(seat, Some(version), &action) {
            Ok(_) => {
                let text = format!("`{action}` of {} is not offered and accepted", rb.seat(seat).name);
                return trial.find(Verdict::Illegal, text);
            }
            Err(Refused::Fault(number)) => {
                let fault = game.fault(Some(seat), number).map_or_else(String::new, ToString::to_string);
                trial.find(Verdict::Fault, format!("`{action}`, which is not offered: {fault}"));
            }
            Err(refused) => count(&mut trial.report.counts.refusals, kind(&refused)),
        }
        if trace.left_by(game) {
            return trial.find(Verdict::Illegal, format!("`{action}` is refused and leaves a trace"));
        }
    }
    if let Some(action) = trial.random.pick(offers) {
        for stale in [version.wrapping_add(1), version.wrapping_sub(1)] {
            match game.act(seat, Some(stale), action) {
                Err(Refused::Stale { .. }) => count(&mut trial.report.counts.refusals, "stale"),
                Err(refused) => trial.find(Verdict::Illegal, format!("a stale version: {refused}")),
                Ok(_) => return trial.find(Verdict::Illegal, "an action with a stale version is accepted"),
            }
        }
    }
    if trace.left_by(game) {
        trial.find(Verdict::Illegal, "a stale action leaves a trace");
    }
}

fn kind(refused: &Refused) -> &'static str {
    match refused {
        Refused::NotAsked => "not asked",
        Refused::Stale { .. } => "stale",
        Refused::Unknown(_) => "unknown",
        Refused::NotOffered => "not offered",
        Refused::Rule { .. } => "rule",
        Refused::NothingToUndo => "nothing to undo",
        Refused::DraftOpen => "draft open",
        Refused::CannotShow { .. } => "cannot be shown",
        Refused::Ended => "ended",
        Refused::Fault(_) => "fault",
    }
}

/// Carries out what a seat is offered, each on a branch of its own: it may be stopped, never refused.
fn accepts(trial: &mut Trial<'_>, game: &Game, seat: SeatId, offers: &[ShownAction]) {
    for n in 0..offers.len().min(OFFERED) {
        let at = if offers.len() <= OFFERED { n } else { trial.random.below(offers.len()) };
        let mut branch = game.branch_bare();
        trial.report.counts.tried += 1;
        match branch.act(seat, None, &offers[at]) {
            Ok(_) => {}
            Err(Refused::Fault(number)) => {
                if let Some(fault) = branch.fault(Some(seat), number) {
                    trial.fault(&fault.clone());
                }
            }
            Err(refused) => {
                trial.find(Verdict::Illegal, format!("`{}` is offered and refused: {refused}", offers[at]));
            }
        }
    }
}

/// An unseen handle and one that nobody has get the same refusal, wherever a body may be named.
fn unseen_and_nonsense(trial: &mut Trial<'_>, game: &mut Game, before: &[Packet]) {
    for seat in trial.rulebook.seat_ids() {
        let handles = Handles::of(game, seat, &mut trial.random);
        let offers = &before[seat.index()].offers;
        let named = offers.iter().filter(|a| a.targets.iter().any(|t| matches!(t, ShownTarget::Body(_))));
        let named: Vec<&ShownAction> = named.collect();
        for _ in 0..4 {
            let (Some(unseen), Some(nonsense), Some(action)) = (
                trial.random.pick(&handles.unseen).cloned(),
                trial.random.pick(&handles.nonsense).cloned(),
                trial.random.pick(&named).copied().or(offers.first()),
            ) else {
                break;
            };
            let mut answer = |handle: &str| {
                let mut action = action.clone();
                match action.targets.iter_mut().find(|t| matches!(t, ShownTarget::Body(_))) {
                    Some(target) => *target = ShownTarget::Body(handle.to_owned()),
                    None => action.targets.insert(0, ShownTarget::Body(handle.to_owned())),
                }
                let refused = game.explain(seat, &action);
                (refused.map(|r| format!("{r:?}").replace(handle, "?")), action)
            };
            let ((one, action), (other, _)) = (answer(&unseen), answer(&nonsense));
            if one != other {
                let text =
                    format!("`{action}` names a body that {} does not see", trial.rulebook.seat(seat).name);
                trial.find(
                    Verdict::Leak,
                    format!("{text}: refused as {one:?}; a nonsense handle as {other:?}"),
                );
            }
        }
    }
}

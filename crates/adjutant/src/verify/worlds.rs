//! Sampled worlds: they look like the true one to whom they were sampled for, hide it from his bot, and can be
//! played to their end.

use adjutant_kernel::chance::Key;
use adjutant_kernel::knowledge::{exchange, resample};
use adjutant_kernel::view::{Ciphers, Names, ShownAction, view};
use adjutant_kernel::{Fault, Read, SeatId, State, Viewer, flow};

use super::diff::differences;
use super::mutate::{Handles, mutated};
use super::{Trial, Verdict};
use crate::{Game, Random, Sim};

/// Worlds sampled a seat.
const SAMPLES: usize = 2;
/// Worlds sampled a viewer from a position in which a seat has committed what nobody is shown.
const SECRET_SAMPLES: usize = 4;
/// "Why not" answers compared a world.
const EXPLAINED: usize = 6;

pub(super) fn check(trial: &mut Trial<'_>, game: &Game) {
    if game.ended() {
        return;
    }
    let mut game = game.branch_bare();
    let rb = trial.rulebook.clone();
    let seats: Vec<(SeatId, Viewer)> =
        rb.seat_ids().filter_map(|s| Some((s, rb.seat(s).viewer()?))).collect();
    let played = trial.random.below(seats.len().max(1));
    for (n, &(seat, viewer)) in seats.iter().enumerate() {
        for sample in 0..SAMPLES {
            trial.report.counts.worlds += 1;
            match game.world(seat, &mut trial.random) {
                Err(fault) => trial.fault(&fault),
                Ok(world) => {
                    looks_alike(trial, &mut game, seat, viewer, &world);
                    differs(trial, &mut game, seat, viewer, &world);
                    if n == played && sample == 0 {
                        plays_to_its_end(trial, world);
                    }
                }
            }
        }
    }
    // Secret commits are rare: where there are any, more is sampled.
    let truth = game.state();
    let samples = if truth.fork_seats().iter().any(|&s| truth.committed(s)) { SECRET_SAMPLES } else { 1 };
    for viewer in rb.viewers() {
        for _ in 0..samples {
            from_the_truth(trial, &game, viewer);
        }
    }
}

/// The seat's packet, its "why not" answers and what it was told are the same in the world.
fn looks_alike(trial: &mut Trial<'_>, game: &mut Game, seat: SeatId, viewer: Viewer, world: &State) {
    let name = trial.rulebook.seat(seat).name.clone();
    let truth = game.packet(seat);
    let packet = match game.packet_on(world, seat) {
        Ok(packet) => packet,
        Err(fault) => return trial.fault(&fault),
    };
    if packet != truth {
        let text = differences(&truth, &packet);
        return trial.find(Verdict::Determinize, format!("seat {name} sees / in a sampled world\n{text}"));
    }
    let handles = Handles::of(game, seat, &mut trial.random);
    for _ in 0..EXPLAINED {
        let Some(offer) = trial.random.pick(&truth.offers) else { break };
        let action: ShownAction = mutated(trial.rulebook, &handles, offer, &mut trial.random);
        let there = game.explain_on(world, seat, &action);
        match there {
            Err(fault) => trial.fault(&fault),
            Ok(there) => {
                let here = game.explain(seat, &action);
                if here != there {
                    let text =
                        format!("why not `{action}` for {name}: {here:?}, in a sampled world {there:?}");
                    trial.find(Verdict::Determinize, text);
                }
            }
        }
    }
    told_hold(trial, viewer, world);
}

fn told_hold(trial: &mut Trial<'_>, viewer: Viewer, world: &State) {
    let read = Read::new(trial.rulebook, world);
    let broken = read.told(viewer).filter(|t| !read.holds(t)).count();
    if broken > 0 {
        let text = format!("{broken} answers that {viewer:?} was told are not true in a sampled world");
        trial.find(Verdict::Determinize, text);
    }
}

/// The world has dice of its own, and is another where it can be.
fn differs(trial: &mut Trial<'_>, game: &mut Game, seat: SeatId, viewer: Viewer, world: &State) {
    let truth = game.position(seat).clone();
    let differs = truth.differs(world);
    if !differs.key {
        trial.find(Verdict::Determinize, "a sampled world has the key of the true one");
    }
    let random = &mut trial.random;
    let mut other = truth.clone();
    let tries = 12 * trial.rulebook.pieces().len();
    let exchanges = exchange(trial.rulebook, &mut other, viewer, tries, &mut || random.word());
    note(trial, "identities", exchanges > 0, differs.identities || differs.places);
    let random = &mut trial.random;
    let mut other = truth.clone();
    resample(trial.rulebook, &mut other, viewer, &mut || random.word());
    // In a fork, what others decide anew may change values too.
    let could = truth.fork_seats().is_empty() && truth.differs(&other).values;
    note(trial, "values", could, differs.values);
}

fn note(trial: &mut Trial<'_>, what: &str, could: bool, did: bool) {
    if could {
        let (possible, seen) = trial.report.counts.world_differences.entry(what.to_owned()).or_default();
        *possible += 1;
        *seen += u64::from(did);
    }
}

/// A world sampled from the whole truth, other's undisclosed decisions included, shows none of it.
fn from_the_truth(trial: &mut Trial<'_>, game: &Game, viewer: Viewer) {
    let rb = trial.rulebook;
    let truth = game.state();
    let random = &mut trial.random;
    let key = Key::from_seed(random.word());
    let mut worker = trial.rules.worker().checking();
    let world = match flow::determinize(rb, &mut worker, truth, viewer, key, &mut || random.word()) {
        Ok(world) => world,
        Err(fault) => return trial.fault(&fault),
    };
    trial.report.counts.worlds += 1;
    let mut ciphers = Ciphers::default();
    let mut seen = |state: &State| {
        view(&Names::new(state.ciphers(rb, &mut ciphers), Read::new(rb, state)), Some(viewer), None)
    };
    let (here, there) = (seen(truth), seen(&world));
    if here != there {
        let text = differences(&here, &there);
        return trial.find(Verdict::Determinize, format!("{viewer:?} sees / in a sampled world\n{text}"));
    }
    told_hold(trial, viewer, &world);
    let differs = truth.differs(&world);
    if !differs.key {
        trial.find(Verdict::Determinize, "a sampled world has the key of the true one");
    }
    // Somebody else has decided in an open fork, and had a choice.
    for seat in truth.fork_seats() {
        let mut list = Vec::new();
        let offers = flow::offers(rb, &worker, game.published(), seat, &mut list);
        let secret = truth.branch_locals(seat);
        let decided = rb.seat(seat).viewer() != Some(viewer)
            && truth.committed(seat)
            && secret != game.published().branch_locals(seat);
        let could = decided && offers.is_ok() && list.len() > 1;
        note(trial, "decisions", could, secret != world.branch_locals(seat));
    }
}

/// What is drawn without a list of all is on that list, and something is drawn where there is anything.
fn draws_what_is_offered(trial: &mut Trial<'_>, sim: &mut Sim, random: &mut Random) {
    let Some((seat, _)) = flow::pick_asked(sim.state(), &mut |n| random.below(n)) else { return };
    let drawn = match sim.draw(seat, random) {
        Ok(drawn) => drawn,
        Err(fault) => return trial.fault(&fault),
    };
    match sim.offers(seat) {
        Ok(list) if drawn.map_or(list.is_empty(), |drawn| list.contains(&drawn)) => {}
        Ok(list) => {
            let text = format!("{drawn:?} is drawn, and {} things are offered, not that", list.len());
            trial.find(Verdict::Illegal, text);
        }
        Err(fault) => trial.fault(&fault),
    }
}

fn plays_to_its_end(trial: &mut Trial<'_>, world: State) {
    let mut sim = Sim::new(trial.rulebook, trial.rules.worker().checking(), world);
    for step in 0..trial.plan.decisions {
        if step % 8 == 0 {
            draws_what_is_offered(trial, &mut sim, &mut Random::new(u64::from(step)));
        }
        match sim.random_step(&mut trial.random) {
            Ok(true) => {}
            Ok(false) => return,
            Err(fault) if matches!(fault.what(), Fault::DeadEnd { .. }) => {
                return trial.find(Verdict::DeadEnd, format!("{fault} (in a sampled world)"));
            }
            Err(fault) => return trial.fault(&fault),
        }
    }
    trial.find(Verdict::Livelock, "a sampled world is not played to its end");
}

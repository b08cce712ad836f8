//! `adjutant bench`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use adjutant::kernel::State;
use adjutant::{Random, Sim};
use serde_json::json;

use super::{no_start, open_pack, setup};
use crate::args::Bench;
use crate::console::{Console, Failure, Outcome};

/// Decisions after which a playout is given up.
const MOST: u64 = 1_000_000;

/// As many games go into the median, so that an hour of short ones does not fill the memory.
const TIMED: usize = 1 << 16;

/// How often a state is cloned to see how long it takes, and the time after which that is enough.
const CLONES: u32 = 10_000;
const CLONING: Duration = Duration::from_millis(500);

pub(super) fn run(args: &Bench, console: &Console) -> Outcome {
    if !args.seconds.is_finite() || !(0.0..=86_400.0).contains(&args.seconds) {
        return Err(Failure::Usage("--seconds takes a number from 0 to 86400".to_owned()));
    }
    let pack = open_pack(&args.pack)?;
    let start = Sim::set_up(&pack, &setup(&pack, &args.start, 1)?).map_err(no_start)?;
    let mut sim = Sim::new(pack.rulebook(), pack.rules().worker(), start.state().clone());
    let (mut games, mut decisions) = (0u64, 0u64);
    let (mut times, mut midway) = (Vec::new(), None);
    let progress = console.progress("seconds", args.seconds as u64);
    let line = progress.line();
    let (begun, limit) = (Instant::now(), Duration::from_secs_f64(args.seconds));
    // One game at least, so that there is a figure however short the time.
    while games == 0 || begun.elapsed() < limit {
        let mut random = Random::new(games);
        let mut state = start.state().clone();
        state.rekey(adjutant::kernel::chance::Key::from_seed(games));
        sim.set_state(&state);
        let (before, started) = (decisions, Instant::now());
        while sim
            .random_step(&mut random)
            .map_err(|fault| Failure::Found(format!("the rules are at fault in game {games}: {fault}")))?
        {
            decisions += 1;
            if decisions - before > MOST {
                return Err(Failure::Found(format!("game {games} does not end within {MOST} decisions")));
            }
            // The last of these is from the second half of the game.
            if games == 0 && decisions.is_power_of_two() {
                midway = Some(sim.state().clone());
            }
        }
        if times.len() < TIMED {
            times.push(started.elapsed());
        }
        games += 1;
        if games.is_multiple_of(64) {
            progress.at(begun.elapsed().as_secs());
        }
    }
    drop(line);
    let seconds = begun.elapsed().as_secs_f64();
    let median = median(&mut times).as_secs_f64() * 1e6;
    let clone = time_of_clone(midway.as_ref().unwrap_or(start.state()));
    let (per_second, each) = (decisions as f64 / seconds, 1e6 * seconds / (decisions.max(1)) as f64);
    console.print(
        || {
            format!(
                "games          {games}\ndecisions      {decisions}\nseconds        {seconds:.2}\ngames/s        \
                 {:.1}\ndecisions/s    {per_second:.0}\nus a decision  {each:.2}\n\
                 us a game      {median:.0} (median)\nns a clone     {clone:.0}\n",
                games as f64 / seconds
            )
        },
        || {
            json!({ "ok": true, "pack": pack.id(), "games": games, "decisions": decisions,
                "seconds": seconds, "games_per_second": games as f64 / seconds,
                "decisions_per_second": per_second, "microseconds_per_decision": each,
                "microseconds_per_game_median": median, "nanoseconds_per_clone": clone })
        },
    )
}

fn median(times: &mut [Duration]) -> Duration {
    let middle = times.len() / 2;
    if times.is_empty() { Duration::ZERO } else { *times.select_nth_unstable(middle).1 }
}

/// How long it takes to clone a state and to drop the clone, in nanoseconds.
fn time_of_clone(state: &State) -> f64 {
    let (mut clones, begun) = (0, Instant::now());
    while clones == 0 || (clones < CLONES && begun.elapsed() < CLONING) {
        // Looking at the clock costs a part of what a small state does.
        for _ in 0..100 {
            drop(black_box(black_box(state).clone()));
        }
        clones += 100;
    }
    1e9 * begun.elapsed().as_secs_f64() / f64::from(clones)
}

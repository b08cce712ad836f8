//! `adjutant bench`.

use std::time::{Duration, Instant};

use adjutant::{Random, Sim};
use serde_json::json;

use super::{no_start, open_pack, setup};
use crate::args::Bench;
use crate::console::{Console, Failure, Outcome};

/// Decisions after which a playout is given up.
const MOST: u64 = 1_000_000;

pub(super) fn run(args: &Bench, console: &Console) -> Outcome {
    if !args.seconds.is_finite() || !(0.0..=86_400.0).contains(&args.seconds) {
        return Err(Failure::Usage("--seconds takes a number from 0 to 86400".to_owned()));
    }
    let pack = open_pack(&args.pack)?;
    let start = Sim::set_up(&pack, &setup(&args.start, 1)?).map_err(no_start)?;
    let mut sim = Sim::new(pack.rulebook(), pack.rules().worker(), start.state().clone());
    let (mut games, mut decisions) = (0u64, 0u64);
    let progress = console.progress("seconds", args.seconds as u64);
    let line = progress.line();
    let (begun, limit) = (Instant::now(), Duration::from_secs_f64(args.seconds));
    // One game at least, so that there is a figure however short the time.
    while games == 0 || begun.elapsed() < limit {
        let mut random = Random::new(games);
        let mut state = start.state().clone();
        state.rekey(adjutant::kernel::chance::Key::from_seed(games));
        sim.set_state(&state);
        let before = decisions;
        while sim
            .random_step(&mut random)
            .map_err(|fault| Failure::Found(format!("the rules are at fault in game {games}: {fault}")))?
        {
            decisions += 1;
            if decisions - before > MOST {
                return Err(Failure::Found(format!("game {games} does not end within {MOST} decisions")));
            }
        }
        games += 1;
        if games.is_multiple_of(64) {
            progress.at(begun.elapsed().as_secs());
        }
    }
    drop(line);
    let seconds = begun.elapsed().as_secs_f64();
    let (per_second, each) = (decisions as f64 / seconds, 1e6 * seconds / (decisions.max(1)) as f64);
    console.print(
        || {
            format!(
                "games          {games}\ndecisions      {decisions}\nseconds        {seconds:.2}\ngames/s        \
                 {:.1}\ndecisions/s    {per_second:.0}\nus a decision  {each:.2}\n",
                games as f64 / seconds
            )
        },
        || {
            json!({ "ok": true, "pack": pack.id(), "games": games, "decisions": decisions,
                "seconds": seconds, "games_per_second": games as f64 / seconds,
                "decisions_per_second": per_second, "microseconds_per_decision": each })
        },
    )
}

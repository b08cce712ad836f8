//! `adjutant perft`.

use adjutant::kernel::flow::{self, AskMode};
use adjutant::kernel::{Fault, SeatId, State};
use adjutant::{Rules, Sim};
use serde_json::json;

use super::{no_start, open_pack, setup};
use crate::args::Perft;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Perft, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let start = Sim::set_up(&pack, &setup(&args.start, args.seed)?).map_err(no_start)?;
    let mut counter = Counter::new(pack.rules(), start.state());
    let mut counts = Vec::new();
    for depth in 1..=args.depth {
        let count = counter.count(start.state(), depth);
        counts.push(count.map_err(|fault| Failure::Found(format!("the rules are at fault: {fault}")))?);
    }
    console.print(
        || counts.iter().enumerate().map(|(n, count)| format!("{:>3}  {count}\n", n + 1)).collect(),
        || {
            let list = counts.iter().enumerate().map(|(n, count)| json!({ "depth": n + 1, "count": count }));
            json!({ "ok": true, "pack": pack.id(), "seed": args.seed, "counts": list.collect::<Vec<_>>() })
        },
    )
}

struct Counter {
    sim: Sim,
}

impl Counter {
    fn new(rules: &Rules, state: &State) -> Self {
        Self { sim: Sim::new(rules.rulebook(), rules.worker(), state.clone()) }
    }

    /// How many lines of play of this length there are; shorter ones that end the game count too. Of seats that
    /// decide at the same time the first is taken: the others' decisions do not depend on its.
    fn count(&mut self, state: &State, depth: u32) -> Result<u64, Fault> {
        let Some(asked) = flow::asked(state).filter(|_| depth > 0) else { return Ok(1) };
        let seats: Vec<SeatId> = match asked.mode {
            AskMode::Any => asked.seats.to_vec(),
            AskMode::One | AskMode::Fork { .. } => asked.seats.iter().take(1).copied().collect(),
        };
        let mut sum = 0u64;
        for seat in seats {
            self.sim.set_state(state);
            let offers = self.sim.offers(seat)?.to_vec();
            if depth == 1 {
                sum += offers.len() as u64;
                continue;
            }
            for action in offers {
                self.sim.set_state(state);
                self.sim.act(seat, &action)?;
                let next = self.sim.state().clone();
                sum = sum.saturating_add(self.count(&next, depth - 1)?);
            }
        }
        Ok(sum)
    }
}

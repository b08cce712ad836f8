//! `adjutant verify`.

use std::sync::Arc;

use adjutant::kernel::suggest::instead;
use adjutant::verify::{Plan, verify};
use serde_json::json;

use super::open_pack;
use crate::args::Verify;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Verify, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    if let Some(name) = &args.scenario
        && pack.rulebook().scenario_named(name).is_none()
    {
        let known = pack.rulebook().scenarios().iter().map(|s| s.name.as_str());
        return Err(Failure::Usage(format!("there is no scenario `{name}`; {}", instead(name, known))));
    }
    let progress = console.progress("games", args.games.into());
    let line = progress.line();
    let plan = Plan {
        games: args.games,
        seed: args.seed,
        threads: args.threads.clamp(1, 64),
        scenario: args.scenario.clone(),
        progress: Some(Arc::new(move |done| progress.at(done))),
        ..Plan::default()
    };
    let report = verify(&pack, &plan);
    drop(line);
    console.print(
        || report.to_string(),
        || json!({ "ok": report.passed(), "pack": pack.id(), "report": report }),
    )?;
    if report.passed() { Ok(()) } else { Err(Failure::Wrong) }
}

//! `adjutant verify`.

use std::sync::Arc;

use adjutant::Game;
use adjutant::kernel::suggest::instead;
use adjutant::verify::{Plan, verify, verify_game};
use serde_json::json;

use super::{no_start, open_pack, setup};
use crate::args::{StartArgs, Verify};
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Verify, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    if let Some(name) = &args.scenario
        && pack.rulebook().scenario_named(name).is_none()
    {
        let known = pack.rulebook().scenarios().iter().map(|s| s.name.as_str());
        return Err(Failure::Usage(format!("there is no scenario `{name}`; {}", instead(name, known))));
    }
    if args.game.is_none() && !args.option.is_empty() {
        let text = "`--option` goes with `--game`; without it games are played with pairs of all options";
        return Err(Failure::Usage(text.to_owned()));
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
    let report = match args.game {
        Some(seed) => {
            let (scenario, option) = (args.scenario.clone(), args.option.clone());
            let setup = setup(&pack, &StartArgs { scenario, preset: None, option }, seed)?;
            Game::start(&pack, setup.clone()).map_err(no_start)?; // of an option that is not there
            verify_game(&pack, &plan, setup)
        }
        None => verify(&pack, &plan),
    };
    drop(line);
    console.print(
        || report.to_string(),
        || json!({ "ok": report.passed(), "pack": pack.id(), "report": report }),
    )?;
    if report.passed() { Ok(()) } else { Err(Failure::Wrong) }
}

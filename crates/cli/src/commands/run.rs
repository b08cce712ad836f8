//! `adjutant run`.

use adjutant::{Game, Random};
use adjutant_cli::random_step;
use serde_json::json;

use super::{no_start, open_pack, setup};
use crate::args::Run;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Run, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let mut game = Game::start(&pack, setup(&args.start, args.seed)?).map_err(no_start)?;
    let mut random = Random::new(args.seed);
    let mut problem = None;
    while game.journal().len() < args.decisions {
        match random_step(&mut game, &mut random) {
            Ok(true) => {}
            Ok(false) => break,
            Err(refused) => {
                problem = Some(refused.to_string());
                break;
            }
        }
    }
    if let Some(file) = &args.save {
        let write = std::fs::write(file, game.save().to_json());
        write.map_err(|error| Failure::Found(format!("{}: {error}", file.display())))?;
    }
    if let Some(fault) = game.faults().last() {
        problem = Some(format!("the rules are at fault: {}", fault.fault));
    } else if problem.is_none() && !game.ended() {
        problem = Some(format!("the game has not come to its end after {} decisions", game.journal().len()));
    }
    let rb = game.rulebook().clone();
    let outcome = game.state().outcome();
    let winner = outcome.and_then(|o| o.winner).map(|side| rb.sides()[side.index()].clone());
    let rule = outcome.and_then(|o| o.rule).map(|rule| rb.rule(rule).to_owned());
    let scenario = game.setup().scenario.clone();
    let scenario = scenario.or_else(|| rb.scenarios().first().map(|s| s.name.clone()));
    let (decisions, digest) = (game.journal().len(), game.digest().to_string());
    console.print(
        || {
            let result = match (&winner, &rule, game.ended()) {
                (Some(winner), Some(rule), _) => {
                    format!("{} won ({rule})", pack.text("en").label("side", winner))
                }
                (Some(winner), None, _) => format!("{} won", pack.text("en").label("side", winner)),
                (None, Some(rule), _) => format!("a draw ({rule})"),
                (None, None, true) => "a draw".to_owned(),
                (None, None, false) => "no result".to_owned(),
            };
            format!("result     {result}\ndecisions  {decisions}\ndigest     {digest}\n")
        },
        || {
            json!({ "ok": problem.is_none(), "error": problem, "pack": pack.id(), "scenario": scenario,
                "seed": args.seed, "ended": game.ended(), "winner": winner, "rule": rule,
                "decisions": decisions, "digest": digest })
        },
    )?;
    match problem {
        Some(_) if console.is_json() => Err(Failure::Wrong),
        Some(problem) => Err(Failure::Found(problem)),
        None => Ok(()),
    }
}

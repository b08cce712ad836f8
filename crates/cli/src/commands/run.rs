//! `adjutant run`.

use adjutant::{Game, Pack, Random, Save};
use adjutant_cli::random_step;
use serde_json::json;

use super::{games, no_start, open_pack, setup};
use crate::args::Run;
use crate::console::{Console, Failure, Outcome};

/// A game that random players have played, and what came of it.
pub(super) struct Played {
    pub(super) game: Game,
    /// Why it has not come to its end, or at what the rules are at fault.
    pub(super) problem: Option<String>,
    /// The side that has won, by name.
    pub(super) winner: Option<String>,
    /// The rule by which it ended.
    pub(super) rule: Option<String>,
}

/// Lets random players play the game of a seed.
pub(super) fn play(pack: &Pack, args: &Run, seed: u64) -> Result<Played, Failure> {
    let mut game = Game::start(pack, setup(pack, &args.start, seed)?).map_err(no_start)?;
    let mut random = Random::new(seed);
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
    if let Some(fault) = game.faults().last() {
        problem = Some(format!("the rules are at fault: {}", fault.fault));
    } else if problem.is_none() && !game.ended() {
        problem = Some(format!("the game has not come to its end after {} decisions", game.journal().len()));
    }
    let (winner, rule) = outcome(&game);
    Ok(Played { game, problem, winner, rule })
}

/// How a game has ended: the side that has won and the rule, by name.
pub(super) fn outcome(game: &Game) -> (Option<String>, Option<String>) {
    let (rb, outcome) = (game.rulebook(), game.state().outcome());
    let winner = outcome.and_then(|o| o.winner).map(|side| rb.sides()[side.index()].clone());
    (winner, outcome.and_then(|o| o.rule).map(|rule| rb.rule(rule).to_owned()))
}

/// The scenario that is played, by name.
pub(super) fn scenario(game: &Game) -> Option<String> {
    let chosen = game.setup().scenario.clone();
    chosen.or_else(|| game.rulebook().scenarios().first().map(|s| s.name.clone()))
}

pub(super) fn run(args: &Run, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    if let Some(count) = args.games {
        return games::run(&pack, args, count, console);
    }
    if let Some(file) = args.save.as_ref().filter(|file| file.is_file() && Save::read(file).is_err()) {
        let file = file.display();
        return Err(Failure::Usage(format!(
            "{file} is there already and is no saved game; give another name"
        )));
    }
    let Played { game, problem, winner, rule } = play(&pack, args, args.seed)?;
    if let Some(file) = &args.save {
        game.save_to(file).map_err(|error| Failure::Found(error.to_string()))?;
    }
    let scenario = scenario(&game);
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

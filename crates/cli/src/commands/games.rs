//! `adjutant run --games`: who wins how often, so that one set of rules can be compared with another.

use std::collections::BTreeMap;

use adjutant::kernel::Read;
use adjutant::kernel::view::{Ciphers, Names, view};
use adjutant::{Game, Pack};
use serde_json::{Value, json};

use super::run::{play, scenario};
use crate::args::Run;
use crate::console::{Console, Failure, Outcome};

/// What came of many games.
#[derive(Default)]
struct Tally {
    /// Each game, for programs.
    games: Vec<Value>,
    /// Games by their winner; the empty name stands for none.
    winners: BTreeMap<String, u32>,
    /// Games by the rule that ended them.
    ended_by: BTreeMap<String, u32>,
    /// Events by the rule that they name.
    events: BTreeMap<String, u32>,
    decisions: usize,
    /// Games that have not come to their end: the seed, and why.
    unfinished: Vec<(u64, String)>,
}

/// Plays the games of `count` seeds, from that of the arguments on: each the one that `run` plays for its seed. What came
/// of those that ended is told also where others did not.
pub(super) fn run(pack: &Pack, args: &Run, count: u32, console: &Console) -> Outcome {
    let progress = console.progress("games", count.into());
    let line = progress.line();
    let (mut tally, mut name) = (Tally::default(), None);
    for at in 0..count {
        let seed = args.seed.wrapping_add(at.into());
        let played = play(pack, args, seed)?;
        name = name.or_else(|| scenario(&played.game));
        progress.at(u64::from(at) + 1);
        if let Some(problem) = played.problem {
            tally.unfinished.push((seed, problem));
            continue;
        }
        let decisions = played.game.journal().len();
        let by_rule = events(&played.game);
        tally.games.push(json!({ "seed": seed, "winner": played.winner, "rule": played.rule,
            "decisions": decisions, "events_by_rule": by_rule, "values": values(&played.game) }));
        tally.decisions += decisions;
        *tally.winners.entry(played.winner.unwrap_or_default()).or_default() += 1;
        *tally.ended_by.entry(played.rule.unwrap_or_default()).or_default() += 1;
        for (rule, events) in by_rule {
            *tally.events.entry(rule).or_default() += events;
        }
    }
    drop(line);
    console.print(
        || text(pack, args, count, &tally),
        || {
            // Who won nothing is named too, so that every program finds every side.
            let won = |side: &String| (side.clone(), json!(tally.winners.get(side).copied().unwrap_or(0)));
            let winners: serde_json::Map<_, _> = pack.rulebook().sides().iter().map(won).collect();
            let ended_by = tally.ended_by.iter().filter(|(rule, _)| !rule.is_empty());
            let ended_by: serde_json::Map<_, _> = ended_by.map(|(rule, n)| (rule.clone(), json!(n))).collect();
            let unfinished = tally.unfinished.iter();
            let unfinished: Vec<Value> =
                unfinished.map(|(seed, why)| json!({ "seed": seed, "error": why })).collect();
            json!({ "ok": unfinished.is_empty(), "pack": pack.id(), "scenario": name, "seed": args.seed,
                "winners": winners, "draws": tally.winners.get("").copied().unwrap_or(0), "ended_by": ended_by,
                "events_by_rule": tally.events, "decisions": tally.decisions, "games": tally.games,
                "unfinished": unfinished })
        },
    )?;
    match tally.unfinished.first() {
        None => Ok(()),
        Some(_) if console.is_json() => Err(Failure::Wrong),
        Some((seed, why)) => {
            let (number, first) = (tally.unfinished.len(), format!("seed {seed}: {why}"));
            Err(Failure::Found(format!(
                "{number} of {count} games have not come to their end; the first is {first}"
            )))
        }
    }
}

/// The columns of the game and of its sides at the end, those that are hidden too.
fn values(game: &Game) -> Value {
    let (rb, state, mut ciphers) = (game.rulebook(), game.state(), Ciphers::default());
    let names = Names::new(state.ciphers(rb, &mut ciphers), Read::new(rb, state));
    json!(view(&names, None, None).values)
}

/// How many events name a rule. Events are told to seats, so this is what that seat was told which was told the
/// most of them: an umpire, where there is one.
fn events(game: &Game) -> BTreeMap<String, u32> {
    let mut most = BTreeMap::new();
    for seat in game.rulebook().seat_ids() {
        let mut told: BTreeMap<String, u32> = BTreeMap::new();
        for rule in game.log(seat).iter().flatten().filter_map(|event| event.rule.as_ref()) {
            *told.entry(rule.clone()).or_default() += 1;
        }
        for (rule, count) in told {
            let known = most.entry(rule).or_insert(0);
            *known = count.max(*known);
        }
    }
    most
}

/// Seeds of unfinished games that are named, at most.
const MOST_SEEDS: usize = 12;

fn text(pack: &Pack, args: &Run, count: u32, tally: &Tally) -> String {
    let (ended, names) = (tally.games.len(), pack.text("en"));
    let last = args.seed.wrapping_add(u64::from(count).saturating_sub(1));
    let mut out = format!("games      {count}, seeds {} to {last}\n", args.seed);
    let sides = pack.rulebook().sides().iter().map(|side| (side.as_str(), names.label("side", side)));
    for (side, label) in sides.chain([("", "a draw".to_owned())]) {
        let won = tally.winners.get(side).copied().unwrap_or(0);
        let part = 100.0 * f64::from(won) / ended.max(1) as f64;
        out.push_str(&format!("  {label:<20} {won:>6} {part:>5.1} %\n"));
    }
    if !tally.unfinished.is_empty() {
        let seeds: Vec<String> =
            tally.unfinished.iter().take(MOST_SEEDS).map(|(seed, _)| seed.to_string()).collect();
        let more = if tally.unfinished.len() > seeds.len() { ", .." } else { "" };
        let number = tally.unfinished.len();
        out.push_str(&format!("unfinished {number}, not counted here: seeds {}{more}\n", seeds.join(", ")));
    }
    for (what, counts) in [("ended by", &tally.ended_by), ("events", &tally.events)] {
        let list: Vec<String> = counts
            .iter()
            .map(|(rule, count)| format!("{} {count}", if rule.is_empty() { "no rule" } else { rule }))
            .collect();
        out.push_str(&format!("{what:<10} {}\n", list.join(", ")));
    }
    let each = tally.decisions as f64 / ended.max(1) as f64;
    out.push_str(&format!("decisions  {}, {each:.1} a game\n", tally.decisions));
    out
}

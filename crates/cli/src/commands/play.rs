//! `adjutant play`.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::time::{SystemTime, UNIX_EPOCH};

use adjutant::kernel::SeatId;
use adjutant::kernel::rulebook::SeatRole;
use adjutant::{Game, Pack};
use adjutant_cli::{End, Player, Reload, Table};
use serde_json::json;

use super::replay::{no_load, read_save};
use super::run::outcome;
use super::{no_start, open_pack, setup, watch};
use crate::args::{PackArgs, Play};
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Play, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let players = players(&pack, &args.seat)?;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let game = match &args.load {
        Some(file) => {
            let save = read_save(file)?;
            Game::load(&pack, &save).map_err(|error| no_load(&pack, &save, &error))?
        }
        None => Game::start(&pack, setup(&pack, &args.start, seed)?).map_err(no_start)?,
    };
    let people = players.len();
    let mut table = Table::new(game, players, seed).with_text(pack.text("en"));
    if let Some(file) = &args.load {
        table = table.with_file(file);
    }
    table.details = args.details;
    if args.watch {
        let reload =
            Watched { args: args.pack.clone(), watch: watch::Watch::new(watch::folders(&args.pack)?) };
        table = table.with_reload(Box::new(reload));
    }
    if console.is_json() {
        // For programs: the game is played by whoever writes to the input, and only what came of it is printed.
        let end = table.play(&mut io::stdin().lock(), &mut io::sink())?;
        let game = table.game();
        let error = if let End::Stuck(text) = end { Some(text) } else { None };
        let (winner, rule) = outcome(game);
        let value = json!({ "ok": error.is_none(), "error": error, "pack": pack.id(), "ended": game.ended(),
            "winner": winner, "rule": rule, "decisions": game.journal().len(),
            "digest": game.digest().to_string() });
        console.print(String::new, || value)?;
        return if error.is_some() { Err(Failure::Wrong) } else { Ok(()) };
    }
    table.hot_seat = people > 1 && !args.together && io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut table = table.with_host(Box::new(io::stderr()));
    let seed = table.game().setup().seed;
    console.print(|| format!("{}, seed {seed}; ? for help", pack.title()), || json!({}))?;
    match table.play(&mut io::stdin().lock(), &mut io::stdout().lock())? {
        End::Over | End::Quit => Ok(()),
        // It has been told.
        End::Stuck(_) => Err(Failure::Wrong),
    }
}

/// Who sits where: persons at the seats named, else at all those of the first side that has players.
fn players(pack: &Pack, seats: &[String]) -> Result<BTreeMap<SeatId, Player>, Failure> {
    let rb = pack.rulebook();
    let plays = |seat: &SeatId| rb.seat(*seat).role == SeatRole::Player;
    if seats.is_empty() {
        let first = rb.seat_ids().find(plays);
        let of_first = |seat: &SeatId| {
            first.is_some_and(|first| {
                *seat == first || rb.seat(first).side.is_some_and(|side| rb.seat(*seat).side == Some(side))
            })
        };
        return Ok(rb.seat_ids().filter(|seat| plays(seat) && of_first(seat)).map(person).collect());
    }
    if seats.len() > 1 && seats.iter().any(|name| name == "none") {
        return Err(Failure::Usage(
            "--seat none leaves every seat to random players: name no other".to_owned(),
        ));
    }
    let named = |name: &String| {
        rb.seat_named(name).map(person).ok_or_else(|| {
            let known: Vec<&str> = rb.seats().iter().map(|seat| seat.name.as_str()).collect();
            Failure::Usage(format!("there is no seat `{name}`; the seats are {}", known.join(", ")))
        })
    };
    seats.iter().filter(|name| *name != "none").map(named).collect()
}

fn person(seat: SeatId) -> (SeatId, Player) {
    (seat, Player::Person)
}

/// Looks for changes of a pack between two commands.
struct Watched {
    args: PackArgs,
    watch: watch::Watch,
}

impl Reload for Watched {
    fn changed(&mut self) -> Option<Result<Box<Pack>, String>> {
        self.watch.changed().then(|| match open_pack(&self.args) {
            Ok(pack) => Ok(Box::new(pack)),
            Err(Failure::Pack(report)) => Err(report.render()),
            Err(Failure::Usage(text) | Failure::Found(text)) => Err(text),
            Err(Failure::Wrong) => Err("the pack cannot be opened".to_owned()),
        })
    }
}

fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}

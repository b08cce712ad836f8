//! `adjutant play`.

use std::collections::BTreeMap;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use adjutant::kernel::rulebook::SeatRole;
use adjutant::{Game, Pack};
use adjutant_cli::{Player, Reload, Table};
use serde_json::json;

use super::replay::read_save;
use super::{no_start, open_pack, setup, watch};
use crate::args::{PackArgs, Play};
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Play, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let players = players(&pack, &args.seat)?;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let game = match &args.load {
        Some(file) => {
            Game::load(&pack, &read_save(file)?).map_err(|error| Failure::Found(error.to_string()))?
        }
        None => Game::start(&pack, setup(&args.start, seed)?).map_err(no_start)?,
    };
    let mut table = Table::new(game, players, seed).with_text(pack.text("en"));
    table.details = args.details;
    if args.watch {
        let reload =
            Watched { args: args.pack.clone(), watch: watch::Watch::new(watch::folders(&args.pack)?) };
        table = table.with_reload(Box::new(reload));
    }
    if console.is_json() {
        // For programs: the game is played by whoever writes to the input, and only what came of it is printed.
        table.play(&mut io::stdin().lock(), &mut io::sink())?;
        let game = table.game();
        let value = json!({ "ok": true, "pack": pack.id(), "ended": game.ended(),
            "decisions": game.journal().len(), "digest": game.digest().to_string(), "save": game.save() });
        return console.print(String::new, || value);
    }
    println!("{}, seed {seed}; ? for help", pack.title());
    table.play(&mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(())
}

/// Who sits where: persons at the seats named, else at the first.
fn players(pack: &Pack, seats: &[String]) -> Result<BTreeMap<adjutant::kernel::SeatId, Player>, Failure> {
    let rb = pack.rulebook();
    let of_players = || rb.seat_ids().filter(|s| rb.seat(*s).role == SeatRole::Player);
    if seats.is_empty() {
        return Ok(of_players().take(1).map(|seat| (seat, Player::Person)).collect());
    }
    let mut players = BTreeMap::new();
    for name in seats.iter().filter(|name| *name != "none") {
        match of_players().find(|seat| rb.seat(*seat).name == *name) {
            Some(seat) => players.insert(seat, Player::Person),
            None => {
                let known: Vec<&str> = of_players().map(|seat| rb.seat(seat).name.as_str()).collect();
                let text = format!("there is no seat `{name}`; the seats are {}", known.join(", "));
                return Err(Failure::Usage(text));
            }
        };
    }
    Ok(players)
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

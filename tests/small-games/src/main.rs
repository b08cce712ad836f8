//! Plays a small game in the terminal.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use adjutant::kernel::Rulebook;
use adjutant::kernel::rulebook::SeatRole;
use adjutant::{Game, Setup};
use adjutant_cli::{End, Player, Table};
use clap::Parser;
use small_games::catalogue;

/// Play a small game in the terminal: you at one seat or several, random players at the others.
///
/// Type the number of what you want to do; `?` lists the other commands (undo, log, why not, save, load).
#[derive(Parser)]
#[command(name = "small-games", version, after_help = after_help())]
struct Arguments {
    /// The game.
    game: String,
    /// A seat that you play; may be repeated. `none`: random players everywhere. Default: the first seat.
    #[arg(long, value_name = "SEAT")]
    seat: Vec<String>,
    /// An option of the game to switch on; may be repeated.
    #[arg(long, value_name = "NAME")]
    option: Vec<String>,
    /// Go on from a game that was saved in a file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["option", "seed"])]
    load: Option<std::path::PathBuf>,
    /// Seed of the dice and of the random players; the clock's when not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Show every small event in the log.
    #[arg(long)]
    details: bool,
}

fn after_help() -> String {
    let games: Vec<String> =
        catalogue::GAMES.iter().map(|g| format!("  {:<20} {}", g.name, g.about)).collect();
    format!("Games:\n{}\n\nExample: small-games breakthrough --seed 1", games.join("\n"))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let entry = catalogue::find(&arguments.game).ok_or_else(|| {
        let known: Vec<&str> = catalogue::GAMES.iter().map(|g| g.name).collect();
        format!("there is no game `{}`; the games are {}", arguments.game, known.join(", "))
    })?;
    let rulebook = Arc::new((entry.rulebook)().map_err(|e| e.to_string())?);
    let mut players = BTreeMap::new();
    for (n, seat) in rulebook.seats().iter().enumerate() {
        let id = rulebook.seat_named(&seat.name).ok_or("a seat without a name")?;
        let chosen = if arguments.seat.is_empty() { n == 0 } else { arguments.seat.contains(&seat.name) };
        if chosen && seat.role == SeatRole::Player {
            players.insert(id, Player::Person);
        }
    }
    check_seats(&rulebook, &arguments.seat)?;
    let seed = arguments.seed.unwrap_or_else(clock_seed);
    let game = match &arguments.load {
        Some(file) => Game::load_from(&rulebook, file).map_err(|e| e.to_string())?,
        None => {
            let setup = Setup { options: arguments.option.clone(), seed, ..Setup::default() };
            Game::start(&rulebook, setup).map_err(|e| e.to_string())?
        }
    };
    let people = players.len();
    let mut table = Table::new(game, players, seed);
    table.details = arguments.details;
    let mut out = io::stdout().lock();
    table.hot_seat = people > 1 && io::stdout().is_terminal();
    let begun = match &arguments.load {
        Some(file) => writeln!(out, "{}, from {}; ? for help", rulebook.title(), file.display()),
        None => writeln!(out, "{}, seed {seed}; ? for help", rulebook.title()),
    };
    match begun.and_then(|()| table.play(&mut io::stdin().lock(), &mut out)) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Ok(End::Stuck(text)) => Err(text),
        Ok(End::Over | End::Quit) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether people can sit where they want to.
fn check_seats(rulebook: &Rulebook, wanted: &[String]) -> Result<(), String> {
    for name in wanted.iter().filter(|name| *name != "none") {
        let playing = rulebook.seats().iter().filter(|s| s.role == SeatRole::Player);
        let playing: Vec<&str> = playing.map(|s| s.name.as_str()).collect();
        let playing = playing.join(", ");
        match rulebook.seat_named(name).map(|seat| rulebook.seat(seat).role) {
            Some(SeatRole::Player) => {}
            Some(SeatRole::Spectator | SeatRole::Umpire) => {
                return Err(format!("the seat `{name}` does not play; the seats that do are {playing}"));
            }
            None => return Err(format!("there is no seat `{name}`; the seats that play are {playing}")),
        }
    }
    Ok(())
}

fn clock_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos() as u64)
}

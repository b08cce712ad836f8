//! Plays a small game in the terminal.

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use adjutant::kernel::rulebook::SeatRole;
use adjutant::{Game, Setup};
use adjutant_cli::{Player, Table};
use clap::Parser;
use small_games::catalogue;

/// Play a small game in the terminal: you at one seat or several, random players at the others.
///
/// Type the number of what you want to do; `?` lists the other commands (undo, log, why not, save).
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
    if let Some(unknown) = arguments.seat.iter().find(|s| *s != "none" && rulebook.seat_named(s).is_none()) {
        let known: Vec<&str> =
            rulebook.seats().iter().filter(|s| s.role == SeatRole::Player).map(|s| s.name.as_str()).collect();
        return Err(format!("there is no seat `{unknown}`; the seats are {}", known.join(", ")));
    }
    let seed = arguments.seed.unwrap_or_else(clock_seed);
    let setup = Setup { options: arguments.option.clone(), seed, ..Setup::default() };
    let game = Game::start(&rulebook, setup).map_err(|e| e.to_string())?;
    println!("{}, seed {seed}; ? for help", rulebook.title());
    let mut table = Table::new(game, players, seed);
    table.details = arguments.details;
    table.play(&mut io::stdin().lock(), &mut io::stdout().lock()).map_err(|e| e.to_string())
}

fn clock_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos() as u64)
}

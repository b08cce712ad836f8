//! The commands, a file each.

mod bench;
mod check;
mod coverage;
mod games;
mod ledger;
mod new;
mod perft;
mod play;
mod provenance;
mod replay;
mod resolve;
mod run;
mod schema;
mod sheet;
mod test;
mod verify;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant::scripts::Watchdog;
use adjutant::{Library, Pack, Setup};

use crate::args::{Above, Command, PackArgs, StartArgs};
use crate::console::{Console, Failure};

/// How long a script, or a test in Luau, may take: a last line behind the count of fuel.
const PATIENCE: Duration = Duration::from_secs(60);

/// Carries out a command; gives the exit code.
pub(crate) fn run(command: &Command, console: &Console) -> u8 {
    let _dog = Watchdog::new(PATIENCE);
    let outcome = match command {
        Command::New(args) => new::run(args, console),
        Command::Check(args) => check::run(args, console),
        Command::Resolve(args) => resolve::run(args, console),
        Command::Test(args) => test::run(args, console),
        Command::Play(args) => play::run(args, console),
        Command::Run(args) => run::run(args, console),
        Command::Replay(args) => replay::run(args, console),
        Command::Perft(args) => perft::run(args, console),
        Command::Bench(args) => bench::run(args, console),
        Command::Verify(args) => verify::run(args, console),
        Command::Coverage(args) => coverage::run(args, console),
        Command::Provenance(args) => provenance::run(args, console),
        Command::Sheet(args) => sheet::run(args, console),
        Command::ImportLedger(args) => ledger::run(args, console),
        Command::Schema(args) => schema::run(args, console),
    };
    outcome.err().map_or(0, |failure| console.failed(&failure))
}

/// Where packs are found by their ids.
fn library(above: &Above) -> Result<Library, Failure> {
    let library = match &above.library {
        Some(folder) => Library::open(folder)?,
        None if Path::new("games").is_dir() => Library::open("games")?,
        None => Library::default(),
    };
    Ok(library.with_modules(adjutant_rules::modules()))
}

/// The folder that a person means by a path or an id.
fn folder(name: &str, library: &Library) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    if path.join("pack.ron").is_file() {
        return Ok(path.to_owned());
    }
    if let Some(found) = library.folder(name) {
        return Ok(found.to_owned());
    }
    let ids: Vec<&str> = library.packs().map(|(id, _)| id).collect();
    let help = match ids.is_empty() {
        true => "give the folder of a pack, or the library with --library".to_owned(),
        false => format!("the packs of the library are {}", ids.join(", ")),
    };
    let what = if path.is_dir() { "is a folder without a pack.ron" } else { "is no pack" };
    Err(Failure::Usage(format!("`{name}` {what}; {help}")))
}

/// Opens a pack with its overlays.
fn open(name: &str, above: &Above) -> Result<Pack, Failure> {
    let library = library(above)?;
    let overlays: Vec<PathBuf> =
        above.overlay.iter().map(|name| folder(name, &library)).collect::<Result<_, _>>()?;
    Ok(library.open_pack(&folder(name, &library)?, &overlays)?)
}

fn open_pack(args: &PackArgs) -> Result<Pack, Failure> {
    open(&args.pack, &args.above)
}

/// How a game begins.
fn setup(pack: &Pack, start: &StartArgs, seed: u64) -> Result<Setup, Failure> {
    let mut setup = Setup { scenario: start.scenario.clone(), seed, ..Setup::default() };
    if let Some(name) = &start.preset {
        let Some((_, preset)) = pack.presets().find(|(known, _)| known == name) else {
            let known: Vec<&str> = pack.presets().map(|(name, _)| name).collect();
            let known = match known.is_empty() {
                true => "the pack has none".to_owned(),
                false => format!("the presets are: {}", known.join(", ")),
            };
            return Err(Failure::Usage(format!("there is no preset `{name}`; {known}")));
        };
        setup.options = preset;
        let all = pack.rulebook().options().iter().map(|option| &option.name);
        setup.without = all.filter(|name| !setup.options.contains(name)).cloned().collect();
    }
    for option in &start.option {
        let (name, value) = option.split_once('=').unwrap_or((option, "on"));
        let (to, from) = match value {
            "on" | "true" | "yes" | "1" => (&mut setup.options, &mut setup.without),
            "off" | "false" | "no" | "0" => (&mut setup.without, &mut setup.options),
            _ => return Err(Failure::Usage(format!("--option {option}: write `{name}=on` or `{name}=off`"))),
        };
        from.retain(|other| other != name);
        to.push(name.to_owned());
    }
    Ok(setup)
}

/// Why a game cannot begin.
fn no_start(error: adjutant::StartError) -> Failure {
    use adjutant::StartError::{Fault, Option, Options, Scenario};
    match error {
        Scenario { .. } | Option { .. } | Options { .. } => Failure::Usage(error.to_string()),
        Fault(fault) => Failure::Found(format!("the rules are at fault: {fault}")),
    }
}

//! What the command line takes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Adjutant: rules of board wargames as packs of data and scripts.
///
/// A PACK is a folder with a `pack.ron`, or the id of one in the library (the folder `games`, or what --library
/// names). What it extends is looked for there, and near it.
#[derive(Parser, Debug)]
#[command(
    name = "adjutant",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  adjutant new my-title                     begin a title of your own
  adjutant check games/my-title             what is wrong with it, all at once
  adjutant test games/my-title              its own tests
  adjutant play games/my-title --watch      play it while you work on it
  adjutant run my-title --seed 7 --option rain=on
  adjutant run my-title --overlay house-rules

Exit codes: 0 all is well, 1 something was found wrong, 2 bad usage."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON for programs instead of text for people.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Begin a pack: a small game that passes `check` and `test`, to be changed into yours.
    #[command(after_help = "Example:\n  adjutant new games/my-title && adjutant play games/my-title")]
    New(New),
    /// Check a pack: data, texts and scripts, all problems at once with their places.
    #[command(after_help = "Examples:\n  adjutant check games/my-title
  adjutant check my-title --overlay house-rules --json      for editors")]
    Check(Check),
    /// Print every value of a pack with the layer and the place that it comes from.
    #[command(after_help = "Examples:\n  adjutant resolve my-title --overlay house-rules
  adjutant resolve my-title --why tables/fire/rows/3..4")]
    Resolve(Resolve),
    /// Run the tests of a pack (tests/*.luau).
    #[command(after_help = "Examples:\n  adjutant test games/my-title
  adjutant test games/my-title --extra more-tests --only \"horse\"
  adjutant test games/my-title --watch      again whenever a file changes")]
    Test(Test),
    /// Play: you at some seats, random players at the others.
    #[command(after_help = "Examples:\n  adjutant play my-title --seat blue          against a random player
  adjutant play my-title --seat blue --seat red      both seats at this terminal
  adjutant play my-title --seat umpire        you watch, put things right, and do what the rules leave to an umpire
  adjutant play my-title --watch              files that you change are taken over between two commands")]
    Play(Play),
    /// Let random players play a game to its end; print result, decisions and digest.
    #[command(after_help = "Examples:\n  adjutant run my-title --scenario crossing --option rain=on --seed 7
  adjutant run my-title --games 500 --overlay house-rules      who wins how often")]
    Run(Run),
    /// Load a saved game and play its journal again.
    #[command(after_help = "Examples:\n  adjutant replay --check game.json
  adjutant replay --check game.json --pack games/my-title      by a changed pack
  adjutant replay game.json --seat blue       the story as blue saw it")]
    Replay(Replay),
    /// Count the positions that a number of decisions leads to: equal counts, equal legal moves.
    #[command(after_help = "Example:\n  adjutant perft my-title --depth 3")]
    Perft(Perft),
    /// Measure how fast random players play a pack.
    #[command(after_help = "Example:\n  adjutant bench my-title --seconds 10")]
    Bench(Bench),
    /// Play many random games and test what must always hold: fog, undo, saves, replays, endings.
    #[command(after_help = "Example:\n  adjutant verify my-title --games 100 --seed 1")]
    Verify(Verify),
    /// Which rules of the ledger have tests: fails when a rule, option, table, example or scenario has none.
    #[command(after_help = "Example:\n  adjutant coverage my-title")]
    Coverage(Coverage),
    /// List where the data of a pack come from: printed, derived or reconstructed.
    #[command(after_help = "Example:\n  adjutant provenance my-title --kind reconstructed")]
    Provenance(Provenance),
    /// Print what a page needs to draw the title, as JSON: map, counters, columns, labels.
    #[command(after_help = "Example:\n  adjutant sheet my-title > sheet.json")]
    Sheet(Sheet),
    /// Take the rules of a table (id, kind, line, summary, gap; with tabs between) into a pack's rules.ron.
    #[command(after_help = "Example:\n  adjutant import-ledger my-rules.tsv games/my-title

What is in rules.ron already is never changed; only ids that it lacks are added.")]
    ImportLedger(ImportLedger),
    /// Write what editors and programs need: JSON Schemas of the files, definitions for scripts and tests.
    #[command(after_help = "Examples:\n  adjutant schema                      all of it as one JSON object
  adjutant schema --out schemas        as files
  adjutant schema my-title --out .     with the names that a pack declares")]
    Schema(Schema),
}

/// Which pack.
#[derive(Args, Debug, Clone)]
pub(crate) struct PackArgs {
    /// Folder of the pack, or its id in the library.
    pub(crate) pack: String,
    #[command(flatten)]
    pub(crate) above: Above,
}

/// What lies above a pack, and where packs are found.
#[derive(Args, Debug, Clone)]
pub(crate) struct Above {
    /// Lay an overlay over the pack (a folder, or an id in the library); may be repeated, the lowest first.
    #[arg(long, value_name = "DIR")]
    pub(crate) overlay: Vec<String>,
    /// Where packs are found by their ids. Default: `games`, if there is such a folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) library: Option<PathBuf>,
}

/// How a game begins.
#[derive(Args, Debug, Clone)]
pub(crate) struct StartArgs {
    /// The scenario. Default: the first.
    #[arg(long, value_name = "NAME")]
    pub(crate) scenario: Option<String>,
    /// A bundle of options of the pack: those of the bundle are on and all others off.
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// Switch an option on or off: `rain`, `rain=on`, `rain=off`; may be repeated. Counts after a preset.
    #[arg(long, value_name = "NAME[=on|off]")]
    pub(crate) option: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct New {
    /// Folder to be made; its name is the id: small letters, digits and `-`.
    pub(crate) name: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// One line a problem, `file:line:column: error[code]: message`.
    #[arg(long)]
    pub(crate) short: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Resolve {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// Only the value at this path and what is below it, as in `tables/fire/rows`.
    #[arg(long, value_name = "PATH")]
    pub(crate) why: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// More tests: the *.luau files of a folder; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) extra: Vec<PathBuf>,
    /// Only tests whose name, file or rule ids contain this.
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Run them again whenever a file of the pack or of the tests changes.
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// A seat that you take, the umpire's too; may be repeated. `none`: random players everywhere. Default: all
    /// seats of the first side.
    #[arg(long, value_name = "SEAT")]
    pub(crate) seat: Vec<String>,
    /// Whoever shares this terminal may see all of it: no pause between one and another who has secrets.
    #[arg(long)]
    pub(crate) together: bool,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "preset", "option"])]
    pub(crate) load: Option<PathBuf>,
    /// Seed of the dice and of the random players; the clock's when not given.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Show every small event in the log.
    #[arg(long)]
    pub(crate) details: bool,
    /// Take over files of the pack that change, between two commands, if it checks clean.
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Seed of the dice and of the random players.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Give up after so many decisions.
    #[arg(long, default_value_t = 100_000)]
    pub(crate) decisions: usize,
    /// Play the games of so many seeds, from --seed on, and count who wins and by which rules: for comparing.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) games: Option<u32>,
    /// Write the game to a file.
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// The saved game.
    pub(crate) file: PathBuf,
    /// Only play the journal again and compare; print in what the rules differ from those of the save.
    #[arg(long)]
    pub(crate) check: bool,
    /// The pack to play it by. Default: the one that the save names, from the library.
    #[arg(long, value_name = "PACK")]
    pub(crate) pack: Option<String>,
    #[command(flatten)]
    pub(crate) above: Above,
    /// Print the story as this seat was shown it. Default: the first seat.
    #[arg(long, value_name = "SEAT", conflicts_with = "check")]
    pub(crate) seat: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// How many decisions deep, from 1.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: u32,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// For how long.
    #[arg(long, value_name = "N")]
    pub(crate) seconds: f64,
}

#[derive(Args, Debug)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// Only this scenario. Default: all in turn, each with pairs of options.
    #[arg(long, value_name = "NAME")]
    pub(crate) scenario: Option<String>,
    /// How many games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(
        required_unless_present = "game",
        default_value_if("game", clap::builder::ArgPredicate::IsPresent, "1")
    )]
    pub(crate) games: u32,
    /// Seed from which all games follow.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Only the game of this seed, to look into a finding: as it says, with its `--scenario` and `--option`.
    #[arg(long, value_name = "SEED", conflicts_with_all = ["games", "seed"])]
    pub(crate) game: Option<u64>,
    /// With `--game`: switch an option on or off, `rain=on` or `rain=off`; may be repeated.
    #[arg(long, value_name = "NAME[=on|off]")]
    pub(crate) option: Vec<String>,
    /// Threads; the outcome does not depend on their number.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
}

#[derive(Args, Debug)]
pub(crate) struct Coverage {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// More tests: the *.luau files of a folder; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) extra: Vec<PathBuf>,
    /// Tests of another pack count too, where it has the same rules in its ledger (a folder, or an id in the library): of
    /// one that stands on the same base; may be repeated.
    #[arg(long, value_name = "PACK")]
    pub(crate) with: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Provenance {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// Only what is `printed`, `derived` or `reconstructed`.
    #[arg(long, value_name = "KIND", value_parser = ["printed", "derived", "reconstructed"])]
    pub(crate) kind: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Sheet {
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// The language of the labels.
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    pub(crate) language: String,
}

#[derive(Args, Debug)]
pub(crate) struct ImportLedger {
    /// The table: a line a rule, with the columns id, kind, line, summary and gap.
    pub(crate) file: PathBuf,
    /// Folder of the pack.
    pub(crate) pack: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// A pack whose names the definitions of scripts are to know.
    pub(crate) pack: Option<String>,
    #[command(flatten)]
    pub(crate) above: Above,
    /// Write files into this folder instead of printing.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

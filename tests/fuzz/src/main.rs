//! Throws spoilt packs and saves at what reads them, and wrong decisions at games, for a while.
//!
//! ```text
//! cargo run --release -p fuzz -- pack --seconds 300
//! cargo run --release -p fuzz -- save --seconds 300 --seed 7
//! cargo run --release -p fuzz -- game --seconds 300
//! cargo run --release -p fuzz -- pack --again fuzz-found/pack-1-812
//! ```
//!
//! Whatever the bytes, the answer must be an error value or a game that can be played: no panic, no case that takes
//! seconds, no memory beyond the bound. A case that breaks this is kept as a folder in `fuzz-found`; `--again` tries
//! it once more. The same seed gives the same cases on every machine.

mod corpus;
mod game;
mod mutate;
mod pack;
mod play;
mod save;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use corpus::Case;
use watch::Watch;

const USAGE: &str = "usage: fuzz pack|save|game [--seconds N | --cases N] [--seed N] [--again FOLDER]";

/// Where cases that break something are kept.
const FOUND: &str = "fuzz-found";

/// What is thrown at.
trait Target {
    /// Makes the next case.
    fn next(&mut self) -> Case;
    /// Tries a case; its files lie in the folder too. Gives what came of it, in a word.
    fn try_case(&self, folder: &Path, case: &Case) -> &'static str;
}

struct Args {
    target: String,
    seconds: u64,
    cases: Option<u64>,
    seed: u64,
    again: Option<PathBuf>,
}

fn args() -> Option<Args> {
    let mut words = std::env::args().skip(1);
    let mut args = Args { target: words.next()?, seconds: 10, cases: None, seed: 1, again: None };
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--seconds" => args.seconds = value.parse().ok()?,
            "--cases" => args.cases = Some(value.parse().ok()?),
            "--seed" => args.seed = value.parse().ok()?,
            "--again" => args.again = Some(value.into()),
            _ => return None,
        }
    }
    Some(args)
}

fn main() -> ExitCode {
    let Some(args) = args() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("error: {problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing was broken.
fn run(args: &Args) -> Result<bool, String> {
    let mut target: Box<dyn Target> = match args.target.as_str() {
        "pack" => Box::new(pack::Packs::new(args.seed)?),
        "game" => Box::new(game::Games::new(args.seed)?),
        "save" => Box::new(save::Saves::new(args.seed)?),
        other => return Err(format!("there is no target `{other}`")),
    };
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = scratch.path().join("case");
    let watch = Watch::new(Path::new(FOUND), &args.target, args.seed);
    if let Some(again) = &args.again {
        let case = Case::read(again)?;
        println!("{:?}", watch.attempt(&*target, &folder, 0, case));
        return Ok(watch.found() == 0);
    }
    let begun = Instant::now();
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    let mut number = 0;
    let goes_on = |number: u64| match args.cases {
        Some(cases) => number < cases,
        None => begun.elapsed() < Duration::from_secs(args.seconds),
    };
    while goes_on(number) {
        number += 1;
        let case = target.next();
        *counts.entry(watch.attempt(&*target, &folder, number, case)).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
    println!("{}: {number} cases: {}", args.target, counts.join(", "));
    println!("slowest {:.2} s, most memory {} MB", watch.slowest().as_secs_f64(), watch::most_memory() >> 20);
    Ok(watch.found() == 0)
}

//! `adjutant test`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant::Pack;
use adjutant::scripts::Watchdog;
use adjutant_testing::{Failure as Failed, Outcome as Tested, Suite, Test as One};
use serde_json::json;

use super::{open_pack, watch};
use crate::args::Test;
use crate::console::{Console, Failure, Outcome};

/// How long a script may hold up a test: a last line behind the count of fuel.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) fn run(args: &Test, console: &Console) -> Outcome {
    if !args.watch {
        return once(args, console);
    }
    let mut folders = watch::folders(&args.pack)?;
    folders.extend(args.extra.iter().cloned());
    let mut watched = watch::Watch::new(folders);
    loop {
        // What is wrong is shown; it may be right the next time.
        if let Err(failure) = once(args, console) {
            console.failed(&failure);
        }
        if !console.is_json() {
            eprintln!("waiting for changes; end with ^C");
        }
        while !watched.changed() {
            std::thread::sleep(watch::PERIOD);
        }
    }
}

fn once(args: &Test, console: &Console) -> Outcome {
    let _dog = Watchdog::new(PATIENCE);
    let pack = open_pack(&args.pack)?;
    let suite = load(&pack, &args.extra, console)?;
    let wanted = |test: &One| {
        args.only.as_ref().is_none_or(|text| {
            test.name.contains(text)
                || test.file.contains(text)
                || test.rules.iter().any(|r| r.contains(text))
        })
    };
    let total = suite.tests().filter(|test| wanted(test)).count();
    let progress = console.progress("tests", total as u64);
    let line = progress.line();
    let mut done = 0;
    let outcomes = suite.run(wanted, |_| {
        done += 1;
        progress.at(done);
    });
    drop(line);
    let failed = outcomes.iter().filter(|o| o.failure.is_some()).count();
    console.print(
        || text(&outcomes),
        || {
            json!({ "ok": failed == 0, "pack": pack.id(), "passed": outcomes.len() - failed, "failed": failed,
                "tests": outcomes })
        },
    )?;
    match (failed, outcomes.len()) {
        (0, 0) if args.only.is_some() => Err(Failure::Usage("no test is called so".to_owned())),
        (0, _) => Ok(()),
        _ => Err(Failure::Wrong),
    }
}

fn text(outcomes: &[Tested]) -> String {
    let mut out = String::new();
    for outcome in outcomes {
        if let Some(failure) = &outcome.failure {
            out.push_str(&format!("FAILED {}\n", outcome.test.name));
            failure.to_string().lines().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
    }
    let failed = outcomes.iter().filter(|o| o.failure.is_some()).count();
    out.push_str(&format!("{} tests passed, {failed} failed\n", outcomes.len() - failed));
    out
}

/// Loads the tests of a pack, and of more folders.
pub(super) fn load(pack: &Pack, extra: &[PathBuf], console: &Console) -> Result<Suite, Failure> {
    let mut more = Vec::new();
    for folder in extra {
        files(folder, &mut more).map_err(|error| Failure::Usage(format!("{}: {error}", folder.display())))?;
    }
    Suite::load(pack, &more).map_err(|failures: Vec<Failed>| {
        if console.is_json() {
            println!("{:#}", json!({ "ok": false, "pack": pack.id(), "unreadable": failures }));
        } else {
            failures.iter().for_each(|failure| eprintln!("error: {failure}"));
        }
        Failure::Wrong
    })
}

/// The Luau files of a folder, by path.
fn files(folder: &Path, out: &mut Vec<(String, String)>) -> std::io::Result<()> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "luau") {
            out.push((path.display().to_string(), std::fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

//! `adjutant test`.

use std::path::{Path, PathBuf};

use adjutant::Pack;
use adjutant::packs::files::{LARGEST_FILE, read_text};
use adjutant_testing::{Failure as Failed, Outcome as Tested, Suite, Test as One};
use serde_json::json;

use super::{open_pack, watch};
use crate::args::Test;
use crate::console::{Console, Failure, Outcome};

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
        console.remark("waiting for changes; end with ^C");
        while !watched.changed() {
            std::thread::sleep(watch::PERIOD);
        }
    }
}

fn once(args: &Test, console: &Console) -> Outcome {
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
    if let (Some(text), true) = (&args.only, outcomes.is_empty()) {
        return Err(Failure::Usage(format!("no test has `{text}` in its name, file or rule ids")));
    }
    console.print(
        || text(&outcomes),
        || {
            json!({ "ok": failed == 0, "pack": pack.id(), "passed": outcomes.len() - failed, "failed": failed,
                "tests": outcomes })
        },
    )?;
    if outcomes.is_empty() {
        console.remark("the pack has no tests; they lie in `tests/*.luau`");
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Wrong) }
}

fn text(outcomes: &[Tested]) -> String {
    let mut out = String::new();
    for outcome in outcomes {
        if !outcome.shown.is_empty() {
            out.push_str(&format!("shown by {}\n", outcome.test.name));
            outcome.shown.iter().for_each(|text| out.push_str(&format!("  {text}\n")));
        }
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
        let text = failures.iter().map(|failure| format!("error: {failure}")).collect::<Vec<_>>().join("\n");
        console.wrong(&text, || json!({ "ok": false, "pack": pack.id(), "unreadable": failures }));
        Failure::Wrong
    })
}

/// The Luau files of a folder, by path. Links to folders are not followed: they may lead round and round.
fn files(folder: &Path, out: &mut Vec<(String, String)>) -> std::io::Result<()> {
    let mut paths: Vec<(PathBuf, bool)> = std::fs::read_dir(folder)?
        .map(|entry| entry.and_then(|e| Ok((e.path(), e.file_type()?.is_dir()))))
        .collect::<Result<_, _>>()?;
    paths.sort();
    for (path, is_folder) in paths {
        if is_folder {
            files(&path, out)?;
        } else if path.is_file() && path.extension().is_some_and(|e| e == "luau") {
            out.push((path.display().to_string(), read_text(&path, LARGEST_FILE)?));
        }
    }
    Ok(())
}

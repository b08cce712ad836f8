//! The pages for modders and designers are true: their files are laid down in the order in which they stand, their
//! commands are run by the real program, and what the pages say that it prints is what it prints.
//!
//! Every fenced block is one of two kinds, by the words after its fence:
//!
//! - ` ```ron my-title/tables.ron `: the whole of a file. With `add` behind, lines that come at its end (in RON
//!   before the bracket that closes it).
//! - ` ```console `: commands after `$ ` (`> ` goes on with one) and what each prints. `exit=1` behind says that the
//!   last of them finds something wrong. A line `…` stands for any lines, `…` within a line for any text.
//!
//! `DOCS_UPDATE=1` writes what was printed into the pages, and what the first page builds into `tests/packs`.
#![allow(clippy::expect_used)] // helpers of tests
#![cfg(unix)] // the commands of the pages are those of a shell

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{copy, packs};

/// Which pack the page for modders builds.
const TITLE: &str = "night-run";

/// A page at work: where it stands, and the folder in which its commands run.
struct Page {
    file: PathBuf,
    folder: tempfile::TempDir,
}

/// A block between fences.
struct Block<'a> {
    /// The words after the fence.
    words: Vec<&'a str>,
    /// Its lines.
    lines: Vec<&'a str>,
    /// The number of its first line in the page, from 1.
    at: usize,
}

/// A command of a page, and what it is said to print.
struct Call {
    shown: Vec<String>,
    command: String,
    printed: Vec<String>,
}

fn updating() -> bool {
    std::env::var_os("DOCS_UPDATE").is_some()
}

impl Page {
    /// A page of the project, by its path.
    fn open(path: &str) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        Self { file, folder: tempfile::tempdir().expect("a folder") }
    }

    /// Does all that the page says, from top to bottom; gives the number of commands.
    fn follow(&self) -> usize {
        let text = fs::read_to_string(&self.file).expect("a page");
        let (mut out, mut calls, mut wrong) = (String::new(), 0, Vec::new());
        for part in parts(&text) {
            match part {
                Part::Prose(line) => writeln!(out, "{line}").expect("a text"),
                Part::Block(block) => {
                    writeln!(out, "```{}", block.words.join(" ")).expect("a text");
                    let lines = match block.words[..] {
                        ["console", ..] => {
                            calls += 1;
                            self.console(&block, &mut wrong)
                        }
                        [_, path, ref how @ ..] if path.contains('/') => {
                            self.lay_down(path, how, &block);
                            block.lines.iter().map(|l| (*l).to_owned()).collect()
                        }
                        _ => panic!("{}:{}: neither a file nor a console", self.file.display(), block.at),
                    };
                    lines.iter().for_each(|line| writeln!(out, "{line}").expect("a text"));
                    out.push_str("```\n");
                }
            }
        }
        if updating() {
            fs::write(&self.file, out).expect("it is written");
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        calls
    }

    fn lay_down(&self, path: &str, how: &[&str], block: &Block<'_>) {
        let file = self.folder.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        let new: String = block.lines.iter().map(|line| format!("{line}\n")).collect();
        let text = match how {
            [] => new,
            ["add"] => {
                let old = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{path} is added to: {e}"));
                let end = match path.ends_with(".ron") {
                    true => old.trim_end().rfind('\n').expect("several lines") + 1,
                    false => old.len(),
                };
                format!("{}{new}{}", &old[..end], &old[end..])
            }
            _ => panic!("{}:{}: a file is whole, or `add`", self.file.display(), block.at),
        };
        fs::write(file, text).expect("it is written");
    }

    /// Runs the commands of a block; gives its lines as they should be.
    fn console(&self, block: &Block<'_>, wrong: &mut Vec<String>) -> Vec<String> {
        let exit = match block.words[1..] {
            [] => 0,
            [exit] => exit.strip_prefix("exit=").and_then(|n| n.parse().ok()).expect("exit=N"),
            _ => panic!("{}:{}: one word at most", self.file.display(), block.at),
        };
        let calls = calls(&block.lines);
        let mut lines = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            let (code, printed) = self.call(&call.command);
            let place = format!("{}:{}: `{}`", self.file.display(), block.at, call.command);
            let wanted = if at + 1 == calls.len() { exit } else { 0 };
            if code != wanted {
                wrong.push(format!("{place} exits with {code}, not {wanted}:\n{printed}"));
            }
            lines.extend(call.shown.iter().cloned());
            let found: Vec<&str> = printed.lines().map(str::trim_end).collect();
            if fits(&call.printed, &found) {
                lines.extend(call.printed.iter().cloned());
            } else if updating() {
                lines.extend(found.iter().map(|l| (*l).to_owned()));
            } else {
                let said = call.printed.join("\n");
                wrong.push(format!(
                    "{place} is said to print\n{said}\nand prints\n{printed}(DOCS_UPDATE=1 writes it into the page)"
                ));
            }
        }
        lines
    }

    fn call(&self, command: &str) -> (i32, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_adjutant")).parent().expect("a folder");
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .env("PATH", path)
            .current_dir(self.folder.path())
            .output()
            .expect("it starts");
        (
            output.status.code().expect("it was not killed"),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    }
}

/// A line of prose, or a block.
enum Part<'a> {
    Prose(&'a str),
    Block(Block<'a>),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(words), None) => {
                open =
                    Some(Block { words: words.split_whitespace().collect(), lines: Vec::new(), at: at + 2 });
            }
            (Some(_), Some(_)) => parts.extend(open.take().map(Part::Block)),
            (None, Some(block)) => block.lines.push(line),
            (None, None) => parts.push(Part::Prose(line)),
        }
    }
    assert!(open.is_none(), "a block is not closed");
    parts
}

fn calls(lines: &[&str]) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            let (shown, command) = (vec![(*line).to_owned()], command.to_owned());
            calls.push(Call { shown, command, printed: Vec::new() });
            continue;
        }
        let call = calls.last_mut().expect("a console begins with a command");
        match line.strip_prefix("> ") {
            Some(more) if call.printed.is_empty() => {
                call.command = format!("{}\n{more}", call.command);
                call.shown.push((*line).to_owned());
            }
            _ => call.printed.push((*line).to_owned()),
        }
    }
    calls
}

/// Whether lines are as said, `…` standing for anything.
fn fits(said: &[String], found: &[&str]) -> bool {
    match said {
        [] => found.is_empty(),
        [any, rest @ ..] if any == "…" => (0..=found.len()).any(|skip| fits(rest, &found[skip..])),
        [line, rest @ ..] => found.first().is_some_and(|first| alike(line, first)) && fits(rest, &found[1..]),
    }
}

fn alike(said: &str, found: &str) -> bool {
    match said.split_once('…') {
        None => said == found,
        Some((before, after)) => found.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|skip| rest.is_char_boundary(skip) && alike(after, &rest[skip..]))
        }),
    }
}

/// The files below a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|e| panic!("{}: {e}", next.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a text");
                all.insert(path.strip_prefix(folder).expect("it is below").to_owned(), text);
            }
        }
    }
    all
}

#[test]
fn modding_leads_to_a_title_that_plays() {
    let page = Page::open("docs/modding.md");
    assert!(page.follow() > 10);
    let (made, kept) = (page.folder.path().join(TITLE), packs().join(TITLE));
    if updating() {
        if kept.exists() {
            fs::remove_dir_all(&kept).expect("it goes");
        }
        copy(&made, &kept);
    }
    assert!(
        files(&made) == files(&kept),
        "tests/packs/{TITLE} is what the page builds: DOCS_UPDATE=1 writes it"
    );
}

#[test]
fn house_rules_do_what_the_page_says() {
    let page = Page::open("docs/house-rules.md");
    copy(&packs().join(TITLE), &page.folder.path().join(TITLE));
    assert!(page.follow() > 6);
}

#[test]
fn owners_put_printed_values_in_place_of_reconstructed_ones() {
    let page = Page::open("games/lee-takes-command/owners-overlay.md");
    for pack in ["civil-war-campaign-series", "lee-takes-command"] {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        copy(&games.join(pack), &page.folder.path().join("games").join(pack));
    }
    assert!(page.follow() > 3);
}

/// The test itself can fail: other output, other exit codes and blocks of no kind are noticed.
#[test]
fn what_a_page_says_wrongly_is_noticed() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n…\nd"), &["a", "b", "c", "d"]) && fits(&lines("a\n…"), &["a"]));
    assert!(!fits(&lines("a\n…\nd"), &["a", "b"]) && !fits(&lines("a"), &["a", "b"]) && !fits(&[], &["a"]));
    assert!(alike("took … s, … games", "took 3.1 s, 7 games") && !alike("took … s", "took 3.1 ms"));
    let says = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("page.md");
        fs::write(&file, text).expect("it is written");
        let page = Page { file, folder };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| page.follow())).map_err(|_| ())
    };
    assert_eq!(says("```text a/b.txt\none\n```\n```console\n$ cat a/b.txt\none\n```\n"), Ok(1));
    assert_eq!(
        says(
            "```ron a/b.ron\n{\n}\n```\n```ron a/b.ron add\n1\n```\n```console\n$ cat a/b.ron\n{\n1\n}\n```\n"
        ),
        Ok(1)
    );
    if !updating() {
        assert_eq!(says("```console\n$ echo one\ntwo\n```\n"), Err(()));
    }
    assert_eq!(says("```console\n$ false\n```\n"), Err(()));
    assert_eq!(says("```console exit=1\n$ true\n```\n"), Err(()));
    assert_eq!(says("```sh\nadjutant\n```\n"), Err(()));
}

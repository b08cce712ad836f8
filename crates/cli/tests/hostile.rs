//! Hostile folders, files, names and command lines: an exit code of 0, 1 or 2, words that say why, and nothing that a
//! terminal would take for a command.
#![allow(clippy::expect_used)] // helpers of tests

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::{Answer, call, call_in, copy, packs};

/// A folder with a copy of the pack `ford` in it.
fn with_ford() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&packs().join("ford"), &folder.path().join("ford"));
    folder
}

/// It ended as it should, with a reason on stderr and no panic.
fn ends(answer: &Answer, code: i32, says: &str) {
    assert!(answer.code == code && answer.err.contains(says), "{}", answer.whole());
    assert!(!answer.err.contains("panicked"), "{}", answer.whole());
    let commands = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!answer.err.contains(commands) && !answer.out.contains(commands), "{:?}", answer.whole());
}

#[test]
fn what_is_no_pack() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("odd/pack.ron")).expect("a folder");
    fs::write(folder.path().join("file"), "x").expect("it is written");
    ends(&call_in(folder.path(), &["check", "odd"], ""), 2, "without a pack.ron");
    ends(&call_in(folder.path(), &["check", "file"], ""), 2, "is no pack");
    ends(&call_in(folder.path(), &["check", ""], ""), 2, "is no pack");
    ends(&call_in(folder.path(), &["check", "ford", "--library", "file"], ""), 1, "cannot be listed");
    ends(&call_in(folder.path(), &["check", "ford", "--library", "none"], ""), 1, "cannot be listed");
    ends(&call_in(folder.path(), &["check", "ford", "--overlay", "file"], ""), 2, "is no pack");
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let folder = with_ford();
    // Sparse: as large as anybody likes, and no bytes on the disk.
    let large = |path: &str| {
        let file = fs::File::create(folder.path().join(path)).expect("a file");
        file.set_len(1 << 40).expect("it grows");
    };
    large("ford/boards/more.ron");
    ends(&call_in(folder.path(), &["check", "ford"], ""), 1, "4194304 at most");
    fs::remove_file(folder.path().join("ford/boards/more.ron")).expect("it is removed");
    large("game.json");
    ends(&call_in(folder.path(), &["replay", "--check", "game.json"], ""), 1, "more than");
    ends(&call_in(folder.path(), &["play", "ford", "--load", "game.json"], ""), 1, "more than");
    large("rules.tsv");
    ends(&call_in(folder.path(), &["import-ledger", "rules.tsv", "ford"], ""), 2, "more than");
    fs::create_dir(folder.path().join("tests")).expect("a folder");
    large("tests/one.luau");
    ends(&call_in(folder.path(), &["test", "ford", "--extra", "tests"], ""), 2, "more than");
    // A manifest is read whenever packs are looked for.
    large("ford/pack.ron");
    ends(&call_in(folder.path(), &["check", "nothing", "--library", "."], ""), 2, "is no pack");
    ends(&call_in(folder.path(), &["check", "ford", "--library", "."], ""), 1, "4194304 at most");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_round_and_round() {
    use std::os::unix::fs::symlink;
    let folder = with_ford();
    let path = folder.path();
    symlink(path, path.join("round")).expect("a link");
    symlink(path, path.join("again")).expect("a link");
    assert_eq!(call_in(path, &["check", "ford", "--library", "."], "").code, 0);
    fs::create_dir(path.join("more")).expect("a folder");
    fs::write(path.join("more/one.luau"), "test(\"solitaire\", {}, function() end)").expect("it is written");
    symlink(path.join("more"), path.join("more/round")).expect("a link");
    symlink(path.join("more"), path.join("more/again")).expect("a link");
    let tested = call_in(path, &["test", "ford", "--extra", "more", "--only", "solitaire"], "");
    assert!(tested.code == 0 && tested.out.contains("1 tests passed"), "{}", tested.whole());
    symlink(path.join("ford"), path.join("ford/inside")).expect("a link");
    ends(&call_in(path, &["check", "ford"], ""), 1, "is a symbolic link");
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_said() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = with_ford();
    let locked = folder.path().join("ford/boards");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("it is locked");
    let checked = call_in(folder.path(), &["check", "ford"], "");
    // Nothing is locked for the superuser.
    if fs::read_dir(&locked).is_ok() {
        assert_eq!(checked.code, 0, "{}", checked.whole());
    } else {
        ends(&checked, 1, "cannot be listed");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).expect("it is opened");
    let unwritten = ["run", "ford", "--save", "no-such-folder/game.json"];
    ends(&call_in(folder.path(), &unwritten, ""), 1, "no-such-folder/game.json: it cannot be written");
    ends(&call_in(folder.path(), &["run", "ford", "--save", "ford"], ""), 1, "ford: it cannot be written");
}

/// Tests of packs that would have no end, or take all memory.
#[test]
fn tests_that_ask_too_much_come_to_an_end() {
    let folder = with_ford();
    fs::create_dir(folder.path().join("more")).expect("a folder");
    let tests = r#"
        test("tables that hold one another", {}, function(t)
            local x = {} x.x = x
            t.eq(x, x)
            local a, b = {}, {} a.x, b.x = a, b
            t.raises(function() t.eq(a, b) end, "too deep to compare")
            local c, d = {}, {}
            for i = 1, 26 do c, d = { c, c }, { d, d } end
            t.raises(function() t.eq(c, d) end, "too large to compare")
            t.eq({ 1, { x = 2 } }, { 1, { x = 2 } })
            t.raises(function() t.eq({ 1 }, { 1, 2 }) end, "expected")
            t.raises(function() t.eq({ 1, 2 }, { 1 }) end, "expected")
        end)
        test("games without number", {}, function(t)
            local first, last = t.game{}, nil
            for seed = 1, 64 do last = t.game{ seed = seed } end
            t.eq(last.ended(), false)
            t.raises(function() first.ended() end, "64 other games were begun since")
        end)"#;
    fs::write(folder.path().join("more/one.luau"), tests).expect("it is written");
    for only in ["tables that hold", "games without"] {
        let tested = call_in(folder.path(), &["test", "ford", "--extra", "more", "--only", only], "");
        assert!(tested.code == 0 && tested.out.contains("1 tests passed"), "{}", tested.whole());
    }
}

/// What a pack, a file or a command line says is no command to a terminal.
#[test]
fn control_characters_are_spelled_out() {
    ends(&call(&["run", "ford", "--option", "x\x1b[2J=on"]), 2, "x\\u{1b}[2J");
    ends(&call(&["check", "a\x1b]0;title\x07"]), 2, "a\\u{1b}]0;title\\u{7}");
    let folder = with_ford();
    let columns = folder.path().join("ford/columns.ron");
    let text = fs::read_to_string(&columns).expect("a file");
    fs::write(&columns, text.replacen("class: ", "\"\\u{1b}[31mred\": 1, class: ", 1))
        .expect("it is written");
    let checked = call_in(folder.path(), &["check", "ford"], "");
    ends(&checked, 1, "u{1b}[31mred");
    fs::write(&columns, text).expect("it is written");
    fs::write(folder.path().join("ford/boards/a\x1b[31m.ron"), "()").expect("it is written");
    ends(&call_in(folder.path(), &["check", "ford"], ""), 1, "control characters");
}

#[test]
fn nonsense_is_bad_usage() {
    for args in [
        &["run", "ford", "--option", ""] as &[&str],
        &["run", "ford", "--option", "="],
        &["run", "ford", "--option", "=on"],
        &["run", "ford", "--option", "rain=on=off"],
        &["run", "ford", "--option"],
        &["run", "ford", "--seed", "-1"],
        &["run", "ford", "--seed", "18446744073709551616"],
        &["run", "ford", "--decisions", "x"],
        &["run", "ford", "--scenario", ""],
        &["run", "ford", "--no-such-option"],
        &["bench", "ford", "--seconds", "NaN"],
        &["bench", "ford", "--seconds", "1e300"],
        &["verify", "ford", "--games", "0"],
        &["verify", "ford", "--games", "4294967296"],
        &["perft", "ford", "--depth", "-1"],
        &["play", "ford", "--seat", "nobody"],
        &["replay", "--check", "."],
        &["schema", "no-such-pack"],
        &["new", "../..", "x"],
        &["new", ""],
        &["new", "a\x1bb"],
        &["run", "ford", "--seed", "\x1b[2J"],
        &["\x1b[2J"],
    ] {
        ends(&call(args), 2, "error");
    }
}

#[test]
fn saves_of_others_are_refused() {
    let folder = with_ford();
    copy(&packs().join("phantom"), &folder.path().join("phantom"));
    assert_eq!(call_in(folder.path(), &["run", "phantom", "--save", "game.json"], "").code, 0);
    for args in [
        &["replay", "--check", "game.json", "--pack", "ford"] as &[&str],
        &["replay", "game.json", "--pack", "ford"],
    ] {
        ends(&call_in(folder.path(), args, ""), 1, "the save");
    }
    ends(&call_in(folder.path(), &["play", "ford", "--load", "game.json"], ""), 1, "the save");
    ends(&call_in(folder.path(), &["replay", "--check", "game.json"], ""), 1, "there are none");
    for text in ["", "{", "[]", "{\"format\": 99}", "\u{0}\u{0}", "{\"format\": 1}"] {
        fs::write(folder.path().join("bad.json"), text).expect("it is written");
        ends(&call_in(folder.path(), &["replay", "--check", "bad.json", "--pack", "ford"], ""), 1, "error");
    }
    fs::write(folder.path().join("bad.json"), b"\xff\xfe").expect("it is written");
    ends(&call_in(folder.path(), &["replay", "--check", "bad.json"], ""), 1, "error");
}

/// Nobody has to read to the end, and nobody has to type lines.
#[test]
fn broken_pipes_and_endless_lines() {
    for args in [
        &["play", "ford", "--seat", "none"] as &[&str],
        &["verify", "ford", "--games", "1"],
        &["run", "ford"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .args(args)
            .current_dir(packs())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().expect("it was not killed");
        assert!(code <= 1 && !err.contains("panicked"), "{args:?}: {code} {err}");
    }
    let answer = call_in(&packs(), &["play", "ford"], &"x".repeat(1 << 20));
    assert!(answer.code == 0 && !answer.err.contains("panicked"), "{}", answer.err);
}

/// The most memory in bytes that a process has held so far, while it lives.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// A game of each pack fits into 64 MB.
#[cfg(target_os = "linux")]
#[test]
fn games_take_little_memory() {
    const MOST: u64 = 64 << 20;
    // To the end; a build without optimisation is slow.
    const DECISIONS: &str = if cfg!(debug_assertions) { "30" } else { "100000" };
    for pack in ["breakthrough", "duel", "ford", "phantom", "picket-line", "skirmish"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .args(["run", pack, "--seed", "3", "--decisions", DECISIONS])
            .current_dir(packs())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // The mark only rises, and is gone with the process.
        let mut most = 0;
        let ended = loop {
            most = most.max(most_memory(child.id()).unwrap_or(0));
            if let Some(status) = child.try_wait().expect("it can be asked") {
                break status;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        assert!(ended.success() || cfg!(debug_assertions), "{pack}");
        assert!(most > 1 << 20 && most < MOST, "{pack}: {most} bytes");
    }
}

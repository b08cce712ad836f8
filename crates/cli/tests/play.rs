//! Playing at the terminal: seats, umpires, saves, and what happens when the rules are at fault.
#![allow(clippy::expect_used)] // helpers of tests

mod common;

use std::fs;
use std::path::Path;

use common::{Answer, call, call_in, changed};

/// What the terminal says to somebody who plays and types this.
fn play(folder: &Path, args: &[&str], typed: &str) -> Answer {
    call_in(folder, &[&["play", "ford", "--seed", "3"], args].concat(), typed)
}

fn ford() -> tempfile::TempDir {
    changed("ford", "pack.ron", "about", "about")
}

/// The Ford with scripts in which every action of red is at fault.
fn spilt() -> tempfile::TempDir {
    let fault = "if march.side == \"red\" then error(\"the ink is spilt\") end\n";
    let march = "march = function(g, march, unit, to)\n";
    let folder = changed("ford", "scripts/march.luau", march, &format!("{march}{fault}"));
    let file = folder.path().join("ford/scripts/march.luau");
    let text = fs::read_to_string(&file).expect("a script");
    let rest = "rest = function(g, march)\n";
    assert!(text.contains(rest));
    fs::write(&file, text.replace(rest, &format!("{rest}{fault}"))).expect("it is written");
    folder
}

#[test]
fn a_game_of_a_pack_is_loaded_where_it_was_saved() {
    let folder = ford();
    let played = play(folder.path(), &[], "1\nsave \"my game.json\"\nu\nload my game.json\nu\nq\n");
    assert!(played.out.contains("saved as my game.json"), "{}", played.whole());
    assert!(folder.path().join("my game.json").is_file());
    // The first march is there again, and was not taken back twice.
    assert_eq!(played.out.matches("done: Rifles marches to Hill").count(), 1, "{}", played.whole());
    assert!(!played.out.contains("other rules") && !played.out.contains("may be taken back"));
    assert_eq!(played.code, 0);
}

#[test]
fn what_was_not_written_by_this_game_is_not_written_over_unasked() {
    let folder = ford();
    fs::write(folder.path().join("notes.txt"), "my notes").expect("it is written");
    let refused = play(folder.path(), &[], "save notes.txt\nsave a.json\nsave a.json\nq\n");
    assert!(refused.out.contains("notes.txt is there already; `save! notes.txt` writes over it"));
    assert_eq!(refused.out.matches("saved as a.json").count(), 2, "{}", refused.whole());
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).expect("a file"), "my notes");
    let on = play(folder.path(), &["--load", "a.json"], "save a.json\nsave! notes.txt\nq\n");
    assert!(on.out.contains("saved as a.json") && on.out.contains("saved as notes.txt"), "{}", on.whole());
}

#[test]
fn verbs_are_understood_and_what_is_forbidden_says_by_which_rule() {
    let typed = "march Hussars Hill\nmarch Rifles Hill\nmarhc Rifles Hill\nwhy 77\nb\nq\n";
    let played = play(ford().path(), &[], typed);
    for text in [
        "forbidden by ford:3.1: Horse stays off heights.",
        "done: Rifles marches to Hill",
        "a number from 1 to 4, or ? for help",
        "there is no offer 77; they go from 1 to 4",
        "not final yet: Rifles marches to Hill",
    ] {
        assert!(played.out.contains(text), "no `{text}` in {}", played.whole());
    }
}

#[test]
fn who_names_no_seat_has_all_of_the_first_side() {
    let seats = "\"blue\": (side: \"blue\"),\n        \"second blue\": (side: \"blue\"),";
    let folder = changed("ford", "sides.ron", "\"blue\": (side: \"blue\"),", seats);
    let script = folder.path().join("ford/scripts/march.luau");
    let text = fs::read_to_string(&script).expect("a script");
    let seat = "return if march.side == \"blue\" and g.turn == 2 then \"second blue\" else march.side";
    fs::write(&script, text.replacen("return march.side", seat, 1)).expect("it is written");
    let played = play(folder.path(), &[], "rest\nrest\nq\n");
    assert!(played.out.contains("second blue: March"), "{}", played.whole());
    assert!(!played.out.contains("red: March"), "{}", played.whole());
    let one = play(folder.path(), &["--seat", "blue"], "rest\nq\n");
    assert!(!one.out.contains("second blue: March"), "{}", one.whole());
    let none = play(folder.path(), &["--seat", "none", "--seat", "red"], "");
    assert!(none.code == 2 && none.err.contains("--seat none"), "{}", none.whole());
    let wrong = play(folder.path(), &["--seat", "green"], "");
    assert!(wrong.err.contains("the seats are blue, second blue, red, umpire"), "{}", wrong.whole());
}

#[test]
fn a_person_sits_as_umpire() {
    let edits = "umpire set turn 4\numpire place Rifles Hill\numpire reveal Rifles\numpire set marched Rifles yes\n\
                 umpire force fight 9\numpire force fight 6\numpire skip ford:9\numpire set tunr 2\numpire dance\nq\n";
    let both = ["--seat", "blue", "--seat", "umpire"];
    let played = play(ford().path(), &both, edits);
    for text in [
        "done: set turn 4",
        "done: place Rifles Hill",
        "done: reveal Rifles",
        "done: set marched Rifles yes",
        "the dice of `fight` show 1 to 6 each, not 9",
        "done: force fight 6",
        "unknown target or verb: rule ford:9",
        "there is no column `tunr`; the columns are",
        "umpire place PIECE... PLACE",
        "turn: 4",
    ] {
        assert!(played.out.contains(text), "no `{text}` in {}", played.whole());
    }
    let other = play(ford().path(), &["--seat", "blue"], "umpire set turn 4\nq\n");
    assert!(!other.out.contains("done:"), "who is not the umpire may not: {}", other.whole());
}

#[test]
fn an_umpire_is_asked_what_the_rules_leave_open() {
    let forum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let args = [
        "play",
        "forum-strategic",
        "--library",
        ".",
        "--preset",
        "umpire",
        "--seat",
        "umpire",
        "--seed",
        "1",
    ];
    let played = call_in(&forum, &args, "r\nq\n");
    assert!(played.out.contains("umpire: Umpire: "), "{}", played.whole());
}

/// What only shows when offers are named for a seat has the line of the offers.
#[test]
fn an_offer_of_what_the_seat_does_not_see_is_told_with_its_line() {
    let pieces = "            for _, unit in g:pieces(march.side) do";
    let unseen = "            offer:action(\"march\", g:pieces({ anywhere = true })[6], g:space(\"Hill\"))\n";
    let folder = changed("ford", "scripts/march.luau", pieces, &format!("{unseen}{pieces}"));
    let file = folder.path().join("ford/knowledge.ron");
    let text = fs::read_to_string(&file).expect("a file");
    let hidden = text.replace("onlooker: Anyone, level: Order", "onlooker: Side(\"red\"), level: Order");
    assert_ne!(hidden, text);
    fs::write(&file, hidden).expect("it is written");
    let script = fs::read_to_string(folder.path().join("ford/scripts/march.luau")).expect("a script");
    let line = 1 + script.lines().position(|line| line.contains("offers = function")).expect("offers");
    let played = play(folder.path(), &["--seat", "blue"], "f\nq\n");
    let says = format!(
        "scripts/march.luau:{line}: seat `blue` is offered `march` on something that it does not see"
    );
    assert!(played.out.contains(&says), "no `{says}` in {}", played.whole());
}

/// Where nobody asks the umpire, random players wait for him to look on.
#[test]
fn an_umpire_who_is_not_asked_looks_on_and_puts_things_right() {
    let typed = "?\numpire place Rifles Hill\n\n2\nexit\n";
    let played = play(ford().path(), &["--seat", "umpire"], typed);
    for text in [
        "umpire: nobody asks you now; Enter lets a random player decide, ? for help",
        "they go on until you are asked, or to the end",
        "done: place Rifles Hill",
    ] {
        assert!(played.out.contains(text), "no `{text}` in {}", played.whole());
    }
    // At the beginning, after his edit, after one decision and after two more.
    assert_eq!(played.out.matches("nobody asks you now").count(), 4, "{}", played.whole());
    assert!(!played.out.contains("the game is over") && played.code == 0, "{}", played.whole());
    let whole = play(ford().path(), &["--seat", "umpire"], "r\n");
    assert_eq!(whole.out.matches("nobody asks you now").count(), 1, "{}", whole.whole());
    assert!(whole.out.contains("the game is over"), "{}", whole.whole());
}

#[test]
fn a_march_is_named_by_where_it_leads_and_long_boards_show_what_has_changed() {
    let forum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let typed =
        "allot East\nallot East\nallot East\nallot East\nallot East\nallot East\nmarch Washington\nq\n";
    let played = call_in(&forum, &["play", "forum-strategic", "--library", ".", "--seed", "1"], typed);
    let out = &played.out;
    assert!(
        out.contains("done: a march for the East\n") && out.contains("  marches to allot: 5\n"),
        "{}",
        played.whole()
    );
    assert!(out.contains("Union Corps 1 goes to Baltimore (rail)"), "{}", played.whole());
    assert!(out.contains("control union: Albany (New York), Annapolis, "), "{}", played.whole());
    assert!(out.lines().all(|line| line.chars().count() <= 130), "{}", played.whole());
}

#[test]
fn a_fault_that_a_person_meets_is_told_to_the_host_of_the_terminal() {
    let folder = spilt();
    let played = play(folder.path(), &["--seat", "red", "--seat", "blue"], "6\nrest\nf\nb\nq\n");
    assert!(played.err.contains("fault 1: scripts/march.luau:"), "{}", played.whole());
    assert!(played.err.contains("the ink is spilt"), "{}", played.whole());
    assert!(played.out.contains("red, fault 1: ") && played.code == 0, "{}", played.whole());
}

#[test]
fn a_fault_that_a_random_player_meets_does_not_lose_the_game() {
    let folder = spilt();
    let typed = "6\nr\n?\nsave game.json\nu\nq\n";
    let played = play(folder.path(), &["--seat", "blue"], typed);
    assert_eq!(played.code, 1, "{}", played.whole());
    assert!(played.err.contains("the ink is spilt"), "{}", played.whole());
    assert_eq!(played.out.matches("the game cannot go on (red)").count(), 2, "{}", played.whole());
    assert!(played.out.contains("let random players try something else"), "{}", played.whole());
    assert!(played.out.contains("there is nothing that may be taken back"), "{}", played.whole());
    assert!(folder.path().join("game.json").is_file());
    // Nobody is there to be asked.
    let json = play(folder.path(), &["--seat", "none", "--json"], "");
    assert_eq!(json.code, 1, "{}", json.whole());
    let value = json.json();
    assert_eq!((value["ok"].as_bool(), value["ended"].as_bool()), (Some(false), Some(false)));
    let error = value["error"].as_str().expect("a text");
    assert!(
        error.starts_with("the rules are at fault (red)") && error.contains("the ink is spilt"),
        "{error}"
    );
}

#[test]
fn a_save_of_a_game_with_an_overlay_says_what_is_missing() {
    let folder = ford();
    common::copy(&common::packs().join("ford-heights"), &folder.path().join("ford-heights"));
    let played = play(folder.path(), &["--overlay", "ford-heights"], "save a.json\nq\n");
    assert!(played.out.contains("saved as a.json"), "{}", played.whole());
    let without = play(folder.path(), &["--load", "a.json"], "q\n");
    assert_eq!(without.code, 1, "{}", without.whole());
    assert!(without.err.contains("help: it was played with --overlay ford-heights"), "{}", without.whole());
    assert_eq!(play(folder.path(), &["--load", "a.json", "--overlay", "ford-heights"], "q\n").code, 0);
}

#[test]
fn bad_usage_is_json_too_where_json_is_asked_for() {
    for wrong in [
        &["run", "ford", "--json", "--games", "0"] as &[&str],
        &["check", "--json"],
        &["perft", "ford", "--depth", "0", "--json"],
        &["test", "ford", "--json", "--only", "zzz"],
    ] {
        let answer = call(wrong);
        assert_eq!(answer.code, 2, "{wrong:?}: {}", answer.whole());
        let value = answer.json();
        assert!(value["ok"] == false && value["error"].is_string(), "{value}");
    }
}

#[test]
fn what_is_typed_wrongly_is_told_with_what_is_like_it() {
    let typed = "v\nmarch Rifles Hlil\nmarch\nMARCH Rifles Hill\nq\n";
    let played = play(ford().path(), &[], typed);
    for text in [
        "blue: as typed",
        " march Rifles Hill",
        "that is not listed; did you mean `march Rifles Hill`?",
        "that is not listed; there are `march Rifles Hill`",
    ] {
        assert!(played.out.contains(text), "no `{text}` in {}", played.whole());
    }
}

#[test]
fn when_the_game_is_over_nothing_is_left_that_is_not_final() {
    let (ford, mut typed) = (ford(), String::new());
    (0..40).for_each(|_| typed.push_str("march Rifles Hill\nrest\n1\n"));
    let played = play(ford.path(), &[], &typed);
    let end = played.out.rfind("the game is over").expect("it ends");
    assert!(!played.out[end..].contains("not final"), "{}", played.whole());
}

#[test]
#[cfg(unix)]
fn a_save_takes_the_place_of_no_device_and_a_run_of_no_other_file() {
    let folder = ford();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let played = play(folder.path(), &[], "save! pipe\nq\n");
    assert!(played.out.contains("what is there is no file"), "{}", played.whole());
    assert!(!pipe.is_file() && pipe.exists());
    fs::write(folder.path().join("notes.txt"), "my notes").expect("it is written");
    let refused =
        call(&["run", "ford", "--library", path(&folder), "--save", &format!("{}/notes.txt", path(&folder))]);
    assert!(refused.code == 2 && refused.err.contains("is no saved game"), "{}", refused.whole());
    for _ in 0..2 {
        let over = call(&[
            "run",
            "ford",
            "--library",
            path(&folder),
            "--save",
            &format!("{}/a.json", path(&folder)),
        ]);
        assert_eq!(over.code, 0, "{}", over.whole());
    }
}

fn path(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().expect("a path")
}

#[test]
fn a_copy_with_the_same_id_beside_a_pack_is_told() {
    let folder = ford();
    let (ford, copy) = (folder.path().join("ford"), folder.path().join("ford backup"));
    fs::create_dir(&copy).expect("a folder");
    fs::copy(ford.join("pack.ron"), copy.join("pack.ron")).expect("a copy");
    let above = folder.path().join("above");
    fs::create_dir(&above).expect("a folder");
    let manifest = "Pack(id: \"above\", title: \"Above\", version: \"1.0.0\", format: 1, api: 1,\n\
                    authors: [\"us\"], licence: \"MIT\", extends: \"ford\")";
    fs::write(above.join("pack.ron"), manifest).expect("it is written");
    let check = || call(&["check", above.to_str().expect("a path")]);
    // The one that is called by its id is meant.
    let checked = check();
    assert!(checked.code == 0 && checked.err.contains("warning[duplicate]"), "{}", checked.whole());
    assert!(
        checked.err.contains("ford backup: has the id `ford` too; what extends it stands on"),
        "{}",
        checked.err
    );
    fs::rename(&ford, folder.path().join("ford of old")).expect("it is renamed");
    let checked = check();
    assert!(checked.code == 1 && checked.whole().contains("has the id `ford`, as"), "{}", checked.whole());
}

//! Every command end to end on a small pack, as a person and as a program calls it.
#![allow(clippy::expect_used)] // helpers of tests

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{call, call_in, changed, copy, packs};

#[test]
fn help_teaches_and_bad_usage_is_2() {
    let help = call(&["--help"]);
    assert_eq!(help.code, 0);
    insta::assert_snapshot!("help", help.out);
    for command in [
        "new",
        "check",
        "resolve",
        "test",
        "play",
        "run",
        "replay",
        "perft",
        "bench",
        "verify",
        "coverage",
        "provenance",
        "import-ledger",
        "schema",
    ] {
        let help = call(&[command, "--help"]);
        assert!(help.code == 0 && help.out.contains("Example"), "{command}: {}", help.whole());
    }
    for wrong in [&["chekc", "ford"] as &[&str], &[], &["perft", "ford"], &["check", "no-such-pack"]] {
        assert_eq!(call(wrong).code, 2, "{wrong:?}");
    }
    insta::assert_snapshot!("unknown_pack", call(&["check", "fort", "--library", "."]).whole());
    insta::assert_snapshot!("unknown_scenario", call(&["run", "ford", "--scenario", "cros"]).whole());
    insta::assert_snapshot!("unknown_option", call(&["run", "ford", "--option", "rain=maybe"]).whole());
}

#[test]
fn who_stops_reading_is_no_error() {
    for args in [&["resolve", "ford"] as &[&str], &["schema"], &["check", "ford", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .args(args)
            .current_dir(packs())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && err.is_empty(), "{args:?}: {err}");
    }
}

#[test]
fn new_makes_a_pack_that_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = call_in(folder.path(), &["new", "two-roads"], "");
    insta::assert_snapshot!("new", made.whole());
    for command in [&["check", "two-roads"] as &[&str], &["test", "two-roads"], &["coverage", "two-roads"]] {
        let answer = call_in(folder.path(), command, "");
        assert_eq!(answer.code, 0, "{}", answer.whole());
        assert!(!answer.err.contains("warning"), "{}", answer.whole());
    }
    let verified = call_in(folder.path(), &["verify", "two-roads", "--games", "4"], "");
    assert_eq!(verified.code, 0, "{}", verified.whole());
    assert_eq!(call_in(folder.path(), &["new", "two-roads"], "").code, 2, "never over what is there");
    assert_eq!(call_in(folder.path(), &["new", "Two Roads"], "").code, 2);
}

#[test]
fn check_says_all_that_is_wrong() {
    insta::assert_snapshot!("check", call(&["check", "ford", "--overlay", "ford-heights"]).whole());
    let json = call(&["check", "ford", "--json"]).json();
    assert_eq!((json["ok"].as_bool(), json["layers"][0]["id"].as_str()), (Some(true), Some("ford")));
    let folder = changed("ford", "scripts/march.luau", "local function show(", "local functon show(");
    let file = folder.path().join("ford/tables.ron");
    fs::write(&file, fs::read_to_string(&file).expect("a file").replace("1d6", "1d7x")).expect("written");
    let wrong = call_in(folder.path(), &["check", "ford"], "");
    insta::assert_snapshot!("check_wrong", wrong.whole());
    let short = call_in(folder.path(), &["check", "ford", "--short"], "");
    assert_eq!(short.code, 1);
    assert!(short.out.contains("\nford/tables.ron:4:15: error[bad-table]"), "{}", short.out);
    let json = call_in(folder.path(), &["check", "ford", "--json"], "").json();
    assert_eq!(
        (&json["problems"][1]["file"], &json["problems"][1]["line"]),
        (&"ford/tables.ron".into(), &4.into())
    );
}

#[test]
fn packs_and_overlays_are_found_by_their_ids_in_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&packs().join("ford"), &folder.path().join("games/ford"));
    copy(&packs().join("ford-heights"), &folder.path().join("games/series/heights"));
    let args = ["check", "ford", "--overlay", "ford-heights"];
    let found = call_in(folder.path(), &args, "");
    assert!(found.code == 0 && found.out.contains("2 layers"), "{}", found.whole());
    fs::rename(folder.path().join("games"), folder.path().join("titles")).expect("it is renamed");
    assert_eq!(call_in(folder.path(), &args, "").code, 2);
    let named = call_in(folder.path(), &[&args[..], &["--library", "titles"]].concat(), "");
    assert_eq!(named.code, 0, "{}", named.whole());
}

#[test]
fn resolve_names_the_origin_of_values() {
    let why = ["resolve", "ford", "--overlay", "ford-heights", "--why", "tables/fight/rows/5..6"];
    insta::assert_snapshot!("resolve", call(&why).whole());
    let json = call(&[&why[..], &["--json"]].concat()).json();
    assert_eq!(json["values"][0]["earlier"][0]["layer"], "ford");
    assert_eq!(call(&["resolve", "ford", "--why", "tables/fihgt"]).code, 2);
    assert!(call(&["resolve", "ford"]).out.contains("sequence/0/column = \"turn\""));
}

#[test]
fn tests_pass_and_failures_say_where_and_why() {
    insta::assert_snapshot!("test", call(&["test", "ford"]).whole());
    let extra = tempfile::tempdir().expect("a folder");
    let more = "test('hussars climb', { 'ford:3.1' }, function(t)
    local g = t.game { scenario = 'crossing' }
    t.offered(g.seat('blue'), 'march', 'Hussars', 'Hill')
end)
test('a slip of the pen', {}, function(t)
    local g = t.game { scenario = 'crossing' }
    g.seat('blue').act('marsch', 'Hussars', 'Ford')
end)
test('no end', {}, function(t)
    while true do end
end)
test('a look', {}, function(t)
    local far = {}
    for n = 1, 200 do
        table.insert(far, n)
    end
    t.show('numbers', far)
    t.eq(#far, 200)
end)
test('a die', {}, function(t)
    t.game { scenario = 'crossing' }.force('fight', 9)
end)
test('values', {}, function(t)
    t.eq({ a = { 1, 2 } }, { a = { 1, 3 } })
end)
";
    fs::write(extra.path().join("more.luau"), more).expect("it is written");
    let folder = extra.path().display().to_string();
    let failed = call(&["test", "ford", "--extra", &folder]);
    insta::assert_snapshot!("test_failed", failed.whole().replace(&folder, "EXTRA"));
    let json = call(&["test", "ford", "--extra", &folder, "--only", "hussars", "--json"]).json();
    assert_eq!((json["failed"].as_u64(), json["tests"][0]["failure"]["line"].as_u64()), (Some(1), Some(3)));
    fs::write(extra.path().join("more.luau"), "test('x')\n").expect("it is written");
    let unreadable = call(&["test", "ford", "--extra", &folder]);
    assert_eq!(unreadable.code, 1);
    assert!(unreadable.err.contains("more.luau:1: a test is a function of `t`"), "{}", unreadable.err);
    assert_eq!(call(&["test", "ford", "--only", "nothing so called"]).code, 2);
}

#[test]
fn play_takes_commands_and_undoes() {
    // The input of a person: why not, an action, undo, another, and quit.
    let input = "why march Hussars Hill\nwhy 2\no\n1\nu\nl\nsave game.json\nq\n";
    let folder = changed("ford", "pack.ron", "about", "about");
    let args = ["play", "ford", "--seat", "blue", "--seat", "red", "--seed", "3"];
    let played = call_in(folder.path(), &args, input);
    insta::assert_snapshot!("play", played.whole());
    let saved = fs::read_to_string(folder.path().join("game.json")).expect("it is saved");
    assert!(saved.contains("\"pack\": \"ford\""));
    let on = call_in(folder.path(), &["play", "ford", "--load", "game.json", "--seed", "1"], "q\n");
    assert_eq!(on.code, 0, "{}", on.whole());
    let bots = call_in(folder.path(), &["play", "ford", "--seat", "none", "--seed", "5"], "");
    assert!(bots.code == 0 && bots.out.contains("the game is over"), "{}", bots.whole());
    assert_eq!(call(&["play", "ford", "--seat", "green"]).code, 2);
}

#[test]
fn run_is_the_same_every_time() {
    let args = ["run", "ford", "--scenario", "crossing", "--option", "rain=on", "--seed", "7"];
    let one = call(&args);
    insta::assert_snapshot!("run", one.whole());
    assert_eq!(call(&args).out, one.out);
    let json = call(&[&args[..], &["--json"]].concat()).json();
    assert_eq!((json["ok"].as_bool(), json["ended"].as_bool()), (Some(true), Some(true)));
    assert!(one.out.contains(json["digest"].as_str().expect("a digest")));
    let cut = call(&["run", "ford", "--decisions", "2"]);
    assert_eq!(cut.code, 1);
    assert!(cut.err.contains("has not come to its end after 2 decisions"), "{}", cut.err);
}

#[test]
fn a_sheet_holds_what_a_page_needs_to_draw_a_title() {
    let sheet = call(&["sheet", "ford", "--json"]).json()["sheet"].clone();
    assert_eq!(sheet["sides"][0]["label"], "Blue");
    assert_eq!(
        (&sheet["counters"]["Guards"]["side"], &sheet["counters"]["Guards"]["deck"]),
        (&"red".into(), &"red backs".into())
    );
    assert_eq!(sheet["columns"]["turn"]["of"], "game");
    let printed: serde_json::Value = serde_json::from_str(&call(&["sheet", "ford"]).out).expect("it is JSON");
    assert_eq!(printed, sheet);
}

#[test]
fn many_games_are_counted_and_those_that_do_not_end_are_told() {
    let args = ["run", "ford", "--games", "6", "--seed", "1"];
    let all = call(&[&args[..], &["--json"]].concat()).json();
    assert_eq!((&all["ok"], all["unfinished"].as_array().map(Vec::len)), (&true.into(), Some(0)));
    let winners = all["winners"].as_object().expect("an object");
    assert_eq!(winners.keys().collect::<Vec<_>>(), ["blue", "red"], "who won nothing is named too");
    let games = all["games"].as_array().expect("a list");
    assert!(
        games.iter().all(|game| game["values"]["turn"].is_number() && game["events_by_rule"].is_object())
    );
    // By so many decisions some of them are at their end and some are not.
    let mut decisions: Vec<u64> = games.iter().filter_map(|game| game["decisions"].as_u64()).collect();
    decisions.sort_unstable();
    let cut = decisions[2].to_string();
    let ended = decisions.iter().filter(|n| **n <= decisions[2]).count();
    assert!(ended < 6, "{decisions:?}");
    let args = [&args[..], &["--decisions", &cut]].concat();
    let some = call(&args);
    assert_eq!(some.code, 1, "{}", some.whole());
    let unfinished = format!("unfinished {}, not counted here: seeds ", 6 - ended);
    assert!(some.out.contains("games      6, ") && some.out.contains(&unfinished), "{}", some.whole());
    assert!(
        some.err.contains(&format!("{} of 6 games have not come to their end", 6 - ended)),
        "{}",
        some.err
    );
    let json = call(&[&args[..], &["--json"]].concat());
    assert_eq!((json.code, &json.json()["ok"]), (1, &false.into()));
    let json = json.json();
    assert_eq!(json["games"].as_array().map(Vec::len), Some(ended));
    assert!(json["unfinished"][0]["error"].as_str().is_some_and(|text| text.contains("not come to its end")));
}

#[test]
fn a_preset_is_its_options_and_no_others() {
    let preset = "presets: { \"wet\": (on: [\"rain\"]), \"dry\": (on: []) } )";
    let folder = changed("ford", "options.ron", "} )", &format!("}}, {preset}"));
    let pack = folder.path().join("ford").display().to_string();
    let digest = |more: &[&str]| {
        let args = [&["run", pack.as_str(), "--seed", "5", "--json"], more].concat();
        call(&args).json()["digest"].as_str().expect("there is one").to_owned()
    };
    assert_eq!(digest(&["--preset", "wet"]), digest(&["--option", "rain"]));
    assert_eq!(digest(&["--preset", "wet", "--option", "rain=off"]), digest(&[]));
    assert_ne!(digest(&["--preset", "wet"]), digest(&["--preset", "dry"]));
    let wrong = call(&["run", &pack, "--preset", "damp"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.whole().contains("there is no preset `damp`; the presets are: wet, dry"),
        "{}",
        wrong.whole()
    );
}

#[test]
fn replay_checks_a_save_by_its_pack_and_by_a_changed_one() {
    let folder = changed("ford", "text/en.ftl", "Rain", "Rain");
    copy(&packs().join("ford-heights"), &folder.path().join("ford-heights"));
    let run = ["run", "ford", "--overlay", "ford-heights", "--seed", "4", "--save", "game.json"];
    assert_eq!(call_in(folder.path(), &run, "").code, 0);
    let check = ["replay", "--check", "game.json", "--library", "."];
    insta::assert_snapshot!("replay", call_in(folder.path(), &check, "").whole());
    let changed = ["replay", "--check", "game.json", "--pack", "ford"];
    let other = call_in(folder.path(), &changed, "");
    assert!(other.out.contains("note: `ford-heights` 0.1.0 is not there"), "{}", other.whole());
    let story = call_in(folder.path(), &["replay", "game.json", "--library", ".", "--seat", "blue"], "");
    assert!(story.code == 0 && story.out.contains("Blue: March"), "{}", story.whole());
    let file = folder.path().join("game.json");
    let text = fs::read_to_string(&file).expect("a save");
    fs::write(&file, text.replacen("\"seed\": 4", "\"seed\": 5", 1)).expect("it is written");
    let wrong = call_in(folder.path(), &check, "");
    assert_eq!(wrong.code, 1, "{}", wrong.whole());
    let json = call_in(folder.path(), &[&check[..], &["--json"]].concat(), "").json();
    assert!(json["ok"] == false && json["error"].is_string(), "{json}");
    assert_eq!(call_in(folder.path(), &["replay", "--check", "no.json"], "").code, 2);
}

#[test]
fn perft_counts_positions() {
    insta::assert_snapshot!("perft", call(&["perft", "ford", "--depth", "3"]).whole());
    let json = call(&["perft", "ford", "--depth", "2", "--json"]).json();
    assert_eq!(json["counts"][1]["depth"], 2);
}

#[test]
fn bench_gives_figures() {
    let answer = call(&["bench", "ford", "--scenario", "last-light", "--seconds", "0.05"]);
    for row in ["decisions/s", "us a game", "ns a clone"] {
        assert!(answer.code == 0 && answer.out.contains(row), "{row}: {}", answer.whole());
    }
    let json = call(&["bench", "ford", "--seconds", "0", "--json"]).json();
    assert_eq!(json["games"], 1);
    let figure = |name: &str| json[name].as_f64().unwrap();
    // One game is its own median, and takes no longer than all; a clone takes some time, but less than a game.
    let (median, clone) = (figure("microseconds_per_game_median"), figure("nanoseconds_per_clone"));
    assert!(0.0 < median && median <= 1e6 * figure("seconds"), "{json}");
    assert!(0.0 < clone && clone < 1e3 * median, "{json}");
    assert_eq!(call(&["bench", "ford", "--seconds", "-1"]).code, 2);
}

#[test]
fn verify_reports() {
    let answer = call(&["verify", "ford", "--games", "3", "--seed", "2"]);
    assert!(answer.code == 0 && answer.out.starts_with("The Ford: passed"), "{}", answer.whole());
    let json = call(&["verify", "ford", "--scenario", "last-light", "--games", "2", "--json"]).json();
    assert_eq!((json["ok"].as_bool(), json["report"]["counts"]["games"].as_u64()), (Some(true), Some(2)));
    assert_eq!(call(&["verify", "ford", "--scenario", "x", "--games", "1"]).code, 2);
    // A script that peeks: what it offers depends on what the seat may not know.
    let leak = changed(
        "ford",
        "scripts/march.luau",
        "unit.marched = true",
        "unit.marched = true\n            g:story(\"rumour\", { strength = unit.strength })",
    );
    let found = call_in(leak.path(), &["verify", "ford", "--games", "20"], "");
    assert!(found.code == 1 && found.out.contains("leak"), "{}", found.whole());
    // A finding says how its game is tested again alone.
    let (game, _) = found.out.split_once(", entry ").unwrap();
    let game: Vec<&str> = game[game.find("--game").unwrap()..].split(' ').collect();
    let again = call_in(leak.path(), &[&["verify", "ford"], game.as_slice()].concat(), "");
    assert!(again.code == 1 && again.out.contains("\n  1 games"), "{}", again.whole());
    assert_eq!(call(&["verify", "ford", "--game", "1", "--games", "2"]).code, 2);
    assert_eq!(call(&["verify", "ford", "--games", "2", "--option", "rain"]).code, 2);
    assert_eq!(call(&["verify", "ford", "--game", "1", "--option", "rein"]).code, 2);
    assert_eq!(call(&["verify", "ford"]).code, 2);
}

#[test]
fn coverage_fails_for_rules_without_tests() {
    insta::assert_snapshot!("coverage", call(&["coverage", "ford"]).whole());
    let folder = changed("ford", "tests/marches.luau", "\"ford:5\"", "\"ford:9\"");
    let wrong = call_in(folder.path(), &["coverage", "ford"], "");
    insta::assert_snapshot!("coverage_missing", wrong.whole());
    let json = call_in(folder.path(), &["coverage", "ford", "--json"], "").json();
    assert_eq!(json["missing"][0]["rule"], "ford:5");
    assert_eq!(json["unknown"][0]["rule"], "ford:9");
}

#[test]
fn provenance_lists_sources() {
    insta::assert_snapshot!("provenance", call(&["provenance", "ford"]).whole());
    assert_eq!(call(&["provenance", "ford", "--kind", "reconstructed"]).out, "");
    assert_eq!(call(&["provenance", "ford", "--json"]).json()["statements"][0]["kind"], "Printed");
}

#[test]
fn a_ledger_is_imported_once_and_nothing_is_overwritten() {
    let table = "id\tkind\tline\tsummary\tgap\n\
        ford:2\trule\t3\tNot this one.\t\n\
        ford:8\trule\t9\tA \"new\" rule.\t\n\
        ford:8#1\tgap\t9\tHow far?\tTwo areas.\n\
        new:1\tnarrative\t1\tOnce upon a time.\t\n";
    let folder = changed("ford", "rules.ron", "at dusk", "at dusk");
    fs::write(folder.path().join("rules.tsv"), table).expect("it is written");
    let args = ["import-ledger", "rules.tsv", "ford"];
    insta::assert_snapshot!("import_ledger", call_in(folder.path(), &args, "").whole());
    let file = folder.path().join("ford/rules.ron");
    let old = fs::read_to_string(packs().join("ford/rules.ron")).expect("a ledger");
    let new = fs::read_to_string(&file).expect("a ledger");
    assert!(new.starts_with(old.trim_end().trim_end_matches('}')), "what was there stays: {new}");
    assert!(
        new.contains("\"ford:8#1\": (kind: Gap, summary: \"How far?\", how: Open, fills: \"Two areas.\")"),
        "{new}"
    );
    assert!(call_in(folder.path(), &args, "").out.contains("0 added, 4 there already"));
    assert_eq!(fs::read_to_string(&file).expect("a ledger"), new);
    fs::write(&file, "{ \"ford:1\": (kind: Rule, summary: \"x\", how: Data) /* , */ }").expect("written");
    assert_eq!(call_in(folder.path(), &args, "").code, 0);
    let manifest = folder.path().join("ford/pack.ron");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replacen("rulebooks: {", "rulebooks: { \"new\": \"New\",", 1))
        .expect("written");
    let resolved = call_in(folder.path(), &["check", "ford", "--short"], "");
    assert!(!resolved.out.contains("syntax"), "{}", resolved.whole());
    fs::write(folder.path().join("rules.tsv"), "id\tkind\tsummary\nford:9\trul\tx\n").expect("written");
    let wrong = call_in(folder.path(), &args, "");
    assert!(wrong.code == 1 && wrong.err.contains("rules.tsv:2: unknown kind `rul`"), "{}", wrong.whole());
    for (line, says) in [
        ("ford:9\trule\tx\ty", "rules.tsv:2: there are 4 fields and 3 columns"),
        ("ford:9\trule\tx\x1b[2J", "rules.tsv:2: there is a control character in it"),
    ] {
        // Some programs put a byte order mark before a table.
        fs::write(folder.path().join("rules.tsv"), format!("\u{feff}id\tkind\tsummary\n{line}\n"))
            .expect("written");
        let wrong = call_in(folder.path(), &args, "");
        assert!(wrong.code == 1 && wrong.err.contains(says), "{}", wrong.whole());
    }
}

#[test]
fn schemas_are_printed_and_written() {
    let all = call(&["schema"]).json();
    assert!(all["pack.schema.json"]["properties"]["id"].is_object());
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    assert_eq!(call(&["schema", "ford", "--out", &out]).code, 0);
    let scripts = fs::read_to_string(folder.path().join("scripts.d.luau")).expect("it is written");
    assert!(scripts.contains("\"blue\" | \"red\"") && scripts.contains("marched"), "{scripts}");
    let tests = fs::read_to_string(folder.path().join("tests.d.luau")).expect("it is written");
    assert!(tests.contains("declare function test("));
}

/// A call that goes on while files are changed.
struct Going {
    child: std::process::Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Going {
    fn new(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("an output"));
        Self { child, out }
    }

    /// Reads to a line with a text; gives what was read.
    fn until(&mut self, text: &str) -> String {
        let mut read = String::new();
        loop {
            let before = read.len();
            let count = self.out.read_line(&mut read).expect("it can be read");
            assert!(count > 0, "`{text}` does not come:\n{read}");
            if read[before..].contains(text) {
                return read;
            }
        }
    }

    fn say(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("an input");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("it listens");
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_pack_that_changes_is_taken_over_between_two_commands() {
    let folder = changed("ford", "text/en.ftl", "Rain", "Rain");
    let write = |file: &str, from: &str, to: &str| {
        let path = folder.path().join("ford").join(file);
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(from), "{file}: {from}");
        fs::write(path, text.replacen(from, to, 1)).expect("it is written");
    };
    let mut game = Going::new(folder.path(), &["play", "ford", "--seat", "blue", "--seed", "1", "--watch"]);
    game.until("blue: March with a piece, or rest");
    write("text/en.ftl", "March with a piece, or rest", "Give your orders now");
    game.say("o");
    game.until("the pack has changed; the game goes on by it");
    game.until("blue: Give your orders now");
    // What was typed is done by the new rules.
    game.until("blue: again");
    write("tables.ron", "\"1d6\"", "\"1d6");
    game.say("o");
    let wrong = game.until("tables.ron:");
    assert!(wrong.contains("is wrong; the game goes on as before"), "{wrong}");
    write("tables.ron", "\"1d6", "\"1d6\"");
    // Pieces that the game so far has moved cannot go.
    write("scenarios/crossing.ron", "\"Rifles\", ", "");
    game.say("why march Hill");
    game.until("the pack has changed; the game goes on");
    game.say("q");
    let mut rest = String::new();
    game.out.read_to_string(&mut rest).expect("it ends");
    assert!(game.child.wait().expect("it ends").success());
}

#[test]
fn tests_run_again_when_a_file_changes() {
    let folder = changed("ford", "text/en.ftl", "Rain", "Rain");
    let mut tests = Going::new(folder.path(), &["test", "ford", "--watch"]);
    tests.until("10 tests passed, 0 failed");
    let file = folder.path().join("ford/tests/fights.luau");
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, text.replacen("meet(t, 3)", "meet(t, 2)", 1) + "\n").expect("it is written");
    tests.until("FAILED a fight is won or beaten back by the table");
    tests.until("9 tests passed, 1 failed");
}

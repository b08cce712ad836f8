//! Overlays that change nothing, or change scripts: what is said of it.
#![allow(clippy::expect_used)] // helpers of tests

mod common;

use std::fs;
use std::path::Path;

use common::{Answer, call_in, changed};

const MANIFEST: &str = "Pack(id: \"house\", title: \"House\", version: \"0.1.0\", format: 1, api: 1, authors: [\"a\"], \
                        licence: \"MIT\", extends: \"ford\")\n";

/// The Ford, and an overlay over it of these files.
fn overlay(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = changed("ford", "pack.ron", "about", "about");
    lay(folder.path(), "house", MANIFEST, files);
    folder
}

fn lay(folder: &Path, name: &str, manifest: &str, files: &[(&str, &str)]) {
    for (path, text) in files.iter().chain(&[("pack.ron", manifest)]) {
        let path = folder.join(name).join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("it is written");
    }
}

fn check(folder: &Path, overlays: &[&str]) -> Answer {
    let mut args = vec!["check", "ford"];
    overlays.iter().for_each(|name| args.extend(["--overlay", name]));
    call_in(folder, &args, "")
}

#[test]
fn to_switch_off_what_is_attached_nowhere_is_a_warning() {
    let idle = overlay(&[("changes.ron", "[SwitchOff(rule: \"ford:6\"), SwitchOff(rule: \"ford:7.1\")]")]);
    insta::assert_snapshot!("idle", check(idle.path(), &["house"]).whole());
    // A restriction, a permission of a script, a modifier, and what is seen by a rule are attached.
    let good = overlay(&[("changes.ron", "[SwitchOff(rule: \"ford:3.1\"), SwitchOff(rule: \"ford:3.2\")]")]);
    let good = check(good.path(), &["house"]);
    assert!(good.code == 0 && good.out.contains("0 errors, 0 warnings"), "{}", good.whole());
}

#[test]
fn a_point_that_nobody_asks_is_a_warning() {
    let points = "{ \"may_rest\": (runs_on: Both, combine: Any) }";
    let script = "rules.permit(\"may_rest\", \"ford:2\")\n";
    let idle = overlay(&[("points.ron", points), ("scripts/rest.luau", script)]);
    let idle = check(idle.path(), &["house"]);
    assert!(idle.err.contains("no script asks the rule point `may_rest`"), "{}", idle.whole());
    assert!(idle.err.contains("g:forbidden(\"may_rest\", ..)"), "{}", idle.whole());
    let asks = "rules.permit(\"may_rest\", \"ford:2\")\n\
                local function no_rest(g: Game) return g:forbidden(\"may_\" .. \"rest\") end\nreturn no_rest\n";
    let good = overlay(&[("points.ron", points), ("scripts/rest.luau", asks)]);
    let good = check(good.path(), &["house"]);
    assert!(good.out.contains("0 errors, 0 warnings"), "{}", good.whole());
}

#[test]
fn a_section_that_no_pack_below_has_is_begun_with_a_file() {
    let wrong = overlay(&[(
        "changes.ron",
        "[Insert(path: \"decks/x\", value: 1), Set(path: \"scenarios/y\", to: 1)]",
    )]);
    let wrong = check(wrong.path(), &["house"]);
    assert!(wrong.err.contains("there is no section `decks`"), "{}", wrong.whole());
    let folder = overlay(&[("changes.ron", "[Insert(path: \"restrictions/x\", value: 1)]")]);
    fs::remove_file(folder.path().join("ford/restrictions.ron")).expect("it goes");
    let wrong = check(folder.path(), &["house"]);
    assert!(wrong.err.contains("begin it with a file `restrictions.ron` in this pack"), "{}", wrong.whole());
}

#[test]
fn a_script_of_an_overlay_stands_in_place_of_one_with_the_same_path() {
    let march = fs::read_to_string(common::packs().join("ford/scripts/march.luau")).expect("a script");
    let march = march.replacen("if result == \"won\"", "if result ~= \"won\"", 1);
    let folder = overlay(&[("scripts/march.luau", &march)]);
    let told = check(folder.path(), &["house"]);
    let text = "scripts/march.luau of `house` stands in place of that of `ford`";
    assert!(told.code == 0 && told.out.contains(text), "{}", told.whole());
    let args = ["resolve", "ford", "--overlay", "house"];
    let origin = call_in(folder.path(), &[&args[..], &["--why", "scripts/march.luau"]].concat(), "");
    insta::assert_snapshot!("replaced", origin.whole());
    let all = call_in(folder.path(), &args, "").out;
    assert!(all.contains("scripts/dusk.luau = ") && all.contains("scripts/march.luau = "), "{all}");
    let run = |more: &[&str]| {
        let args = [&["run", "ford", "--games", "40", "--json"], more].concat();
        call_in(folder.path(), &args, "").json()["events_by_rule"].clone()
    };
    assert_ne!(run(&[]), run(&["--overlay", "house"]), "the other script is played by");
}

#[test]
fn two_overlays_that_replace_the_same_script_are_a_conflict() {
    let dusk = fs::read_to_string(common::packs().join("ford/scripts/dusk.luau")).expect("a script");
    let folder = overlay(&[("scripts/dusk.luau", &dusk)]);
    let other = MANIFEST.replace("\"house\"", "\"home\"");
    lay(folder.path(), "home", &other, &[("scripts/dusk.luau", &dusk)]);
    let wrong = check(folder.path(), &["house", "home"]);
    assert_eq!(wrong.code, 1, "{}", wrong.whole());
    assert!(
        wrong.err.contains("`scripts/dusk.luau` is replaced by two layers, `house` and `home`"),
        "{}",
        wrong.whole()
    );
    let above = other.replace("extends: \"ford\"", "extends: \"house\"");
    fs::write(folder.path().join("home/pack.ron"), above).expect("it is written");
    let good = check(folder.path(), &["house", "home"]);
    assert_eq!(good.code, 0, "{}", good.whole());
}

#[test]
fn a_pack_that_is_laid_twice_is_one_problem() {
    let folder = overlay(&[]);
    let wrong = check(folder.path(), &["house", "house"]);
    assert!(wrong.code == 1 && wrong.err.contains("1 error, 0 warnings"), "{}", wrong.whole());
    assert!(wrong.err.contains("`house` is laid twice"), "{}", wrong.whole());
}

#[test]
fn texts_of_what_the_kernel_tells_and_names_in_expressions_are_used() {
    let texts = "event-reveal = { $piece } steps forward\nevent-ebb = Ebb\nevent-flood = Flood\nevent-spring = Spring\n";
    let script = "local function tide(g: Game, up: boolean) g:story(if up then \"flood\" else \"ebb\") end\nreturn tide\n";
    let told = overlay(&[("text/en.ftl", texts), ("scripts/tide.luau", script)]);
    let told = check(told.path(), &["house"]);
    assert!(told.err.contains("nothing uses the text `event-spring`"), "{}", told.whole());
    assert!(told.out.contains("0 errors, 1 warning;"), "{}", told.whole());
}

#[test]
fn names_that_a_script_puts_together_are_used() {
    let phantom = call_in(&common::packs(), &["check", "phantom"], "");
    assert!(phantom.out.contains("0 errors, 0 warnings"), "{}", phantom.whole());
}

#[test]
fn a_folder_in_place_of_a_file_is_noticed() {
    let wrong = overlay(&[("scenarios/late.ron/late.ron", "()")]);
    let wrong = check(wrong.path(), &["house"]);
    assert!(
        wrong.err.contains("`scenarios/late.ron` is a folder, and should be a file"),
        "{}",
        wrong.whole()
    );
}

#[test]
fn a_pack_without_ledger_or_tests_is_told_so() {
    let folder = changed("ford", "pack.ron", "about", "about");
    fs::remove_dir_all(folder.path().join("ford/tests")).expect("it goes");
    let tests = call_in(folder.path(), &["test", "ford"], "");
    assert!(tests.code == 0 && tests.err.contains("the pack has no tests"), "{}", tests.whole());
    fs::remove_file(folder.path().join("ford/rules.ron")).expect("it goes");
    let coverage = call_in(folder.path(), &["coverage", "ford"], "");
    assert!(coverage.err.contains("the pack has no ledger"), "{}", coverage.whole());
}

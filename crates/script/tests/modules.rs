//! Scripts that use one another by `require`.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use adjutant_kernel::RulebookBuilder;
use adjutant_kernel::board::{BoardBuilder, Provenance};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::points::{PointDef, RunsOn};
use adjutant_kernel::rulebook::SeatRole;
use adjutant_script::{Program, ScriptProblem};
use common::{Table, open_with};

fn builder() -> RulebookBuilder {
    let mut board = BoardBuilder::new("one", Provenance::printed("t:1"));
    board.space("a");
    let mut b = RulebookBuilder::new("test", "1", board.build().unwrap());
    let side = b.side("red");
    b.seat("red", Some(side), SeatRole::Player);
    let rule = b.rule("t:1");
    let (runs_on, combine) = (RunsOn::Both, Combine::Sum);
    b.point(PointDef { name: "sum".into(), runs_on, combine, start: 0, rules: vec![rule] });
    b
}

fn problems(files: &[(&str, &str)]) -> Vec<String> {
    let found: Vec<ScriptProblem> = Program::load(files, &mut builder()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

const PLAY: &str = "rules.procedure('play', { wait = ask { seat = 'red',
    offers = function(g, l, offer) offer:action('pass') end, pass = function(g, l) return 'wait' end } })";

#[test]
fn a_file_gets_what_another_gives_whatever_their_order() {
    let first = format!("local army = require('./lib/army')
        rules.point('sum', 't:2', nil, function(g) return army.size() + army.numbers[1] end)
        {PLAY}");
    let files = [
        ("scripts/a.luau", first.as_str()),
        ("scripts/lib/army.luau", "local base = require('../base') local army = { numbers = { 30 } }
            function army.size() return base.five end return army"),
        ("scripts/base.luau", "return { five = 5 }"),
    ];
    let mut b = builder();
    let (program, loaded) = Program::load(&files, &mut b).unwrap();
    assert_eq!((loaded.contributions, loaded.procedures), (1, 1));
    open_with(&mut b, "play");
    let mut table = Table::new(b, &program);
    table.start().unwrap();
    let sum = table.rulebook().point_named("sum").unwrap();
    assert_eq!(table.total(None, sum, &[]), Ok(35));
}

#[test]
fn a_declaration_is_of_the_file_that_makes_it() {
    let found = problems(&[
        ("scripts/a.luau", "require('./b')\nrules.point('summ', 't:2', nil, function(g) return 1 end)"),
        ("scripts/b.luau", "rules.point('some', 't:3', nil, function(g) return 1 end) return {}"),
    ]);
    assert_eq!(
        found,
        [
            "scripts/b.luau:1: there is no point `some`; did you mean `sum`?",
            "scripts/a.luau:2: there is no point `summ`; did you mean `sum`?"
        ]
    );
}

#[test]
fn mistakes_are_told_once_and_where_they_are() {
    let one = |text: &str| problems(&[("scripts/a.luau", text), ("scripts/army.luau", "return {}")]);
    assert_eq!(
        one("local x = require('./armi')"),
        ["scripts/a.luau:1: there is no script `./armi`; did you mean `./army`?"]
    );
    for path in ["army", "/etc/passwd", "../../army", "./../x"] {
        let found = one(&format!("local x = require('{path}')"));
        assert!(found[0].starts_with(&format!("scripts/a.luau:1: there is no script `{path}`")), "{found:?}");
    }
    let circle =
        problems(&[("scripts/a.luau", "require('./b')"), ("scripts/b.luau", "\nrequire('./a') return 1")]);
    assert_eq!(circle, ["scripts/b.luau:2: `./a` asks for this file itself, directly or by others"]);
    let broken = problems(&[
        ("scripts/a.luau", "local b = require('./b')"),
        ("scripts/b.luau", "\nlocal x = nil + 1 return x"),
        ("scripts/c.luau", "require('./b') error('never')"),
    ]);
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(broken[0].starts_with("scripts/b.luau:2: "), "{broken:?}");
}

#[test]
fn what_a_file_gives_is_read_only_and_remembers_nothing() {
    let written = problems(&[
        ("scripts/a.luau", "local b = require('./b') b.n = 2"),
        ("scripts/b.luau", "return { n = 1 }"),
    ]);
    assert_eq!(written.len(), 1, "{written:?}");
    assert!(written[0].starts_with("scripts/a.luau:1: ") && written[0].contains("readonly"), "{written:?}");
    let remembers = problems(&[
        ("scripts/a.luau", "local b = require('./b') rules.point('sum', 't:2', nil, function(g) return b.f() end)"),
        ("scripts/b.luau", "local n = 0 return { f = function()\nn += 1 return n end }"),
    ]);
    assert_eq!(remembers.len(), 1, "{remembers:?}");
    assert!(remembers[0].starts_with("scripts/b.luau:2: this function writes a variable"), "{remembers:?}");
}

#[test]
fn a_game_that_runs_loads_nothing() {
    let text = format!("rules.point('sum', 't:2', nil, function(g) return require('./b') end) {PLAY}");
    let mut b = builder();
    let files = [("scripts/a.luau", text.as_str()), ("scripts/b.luau", "return 1")];
    let (program, _) = Program::load(&files, &mut b).unwrap();
    open_with(&mut b, "play");
    let mut table = Table::new(b, &program);
    table.start().unwrap();
    let sum = table.rulebook().point_named("sum").unwrap();
    let fault = table.total(None, sum, &[]).unwrap_err();
    assert!(fault.to_string().contains("`require` is for the load"), "{fault}");
}

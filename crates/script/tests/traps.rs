//! Traps of the interpreter that no single hostile script shows: fuel and orders that must be the same in every
//! process, conversions that must not be lax, and functions of the host that must use fuel.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use adjutant_kernel::board::{BoardBuilder, HexGridSpec, Orientation, Provenance, Shift};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::points::{PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::{ColumnClass, SeatRole, ValueKind};
use adjutant_kernel::{BodyId, Fault, RulebookBuilder, SpaceId};
use common::{Table, load, open_with};

/// A table whose point `p` runs the body of a function of `g` and `unit`.
fn table(point: &str, step: &str) -> Table {
    let mut board = BoardBuilder::new("field", Provenance::printed("t:1"));
    board.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 8, 8), ["land"]);
    let mut b = RulebookBuilder::new("traps", "1", board.build().unwrap());
    let red = b.side("red");
    b.seat("red", Some(red), SeatRole::Player);
    for n in 0..12 {
        b.piece(&format!("unit {n}"), Some(red), "foot", None, &[]);
    }
    b.column::<BodyId>("steps", ValueKind::Int { min: 0, max: 9 }, 2, ColumnClass::Public);
    b.column::<SpaceId>("mined", ValueKind::Flag, 0, ColumnClass::Public);
    let rule = b.rule("t:1");
    b.open_information(rule);
    let (runs_on, combine) = (RunsOn::Both, Combine::Sum);
    b.point(PointDef { name: "p".into(), runs_on, combine, start: 0, rules: vec![rule] });
    let script = format!(
        "rules.point('p', 't:2', nil, function(g, unit)\n{point}\nend)
        rules.procedure('play', {{ start = function(g)
            for n, unit in g:pieces({{ anywhere = true }}) do g:move(unit, g:spaces()[n * 3], 'set_up') end
            {step} return 'wait' end,
        wait = ask {{ seat = 'red', offers = function(g, l, offer) offer:action('pass') end,
            pass = function() return 'wait' end }} }})"
    );
    let program = load(&mut b, &script).unwrap_or_else(|p| panic!("{}", p[0]));
    open_with(&mut b, "play");
    Table::new(b, &program)
}

fn ask(table: &Table) -> Result<i32, Fault> {
    let point = table.rulebook().point_named("p").unwrap();
    table.total(None, point, &[PointArg::Body(BodyId(0))])
}

/// Scripts whose count would hang on the state of the collector or on the build if it could.
const COUNTED: [&str; 7] = [
    // A table with things as keys is gone through in the same order everywhere.
    "local t = {} for _, space in g:spaces() do t[space] = tonumber(space.name) end
     for i = 1, 30 do t[g:spaces()[i * 2]] = nil end
     local n = 0 for _, number in t do n = (n * 31 + number) % 100003 end return n",
    "local n = 0 for i = 1, 1000 do n += i % 7 end return n",
    "local s = '' for i = 1, 300 do s = string.sub(s .. tostring(i), 1, 40) end return #s",
    "local t = {} for i = 1, 500 do t[i] = string.char(65 + i % 26) .. i end return #table.concat(t)",
    "local n = 0 for i = 1, 200 do for _, u in g:pieces() do n += u.steps end end return n % 1000",
    "local r = g:reach(unit.space, { budget = 4 }) local n = 0 for _, c in r do n += c end return n",
    "local t = {} for i = 1, 200 do table.insert(t, { i }) end table.sort(t, function(a, b) return a[1] > b[1] end) return t[1][1]",
];

/// What must be the same everywhere.
fn facts() -> String {
    let mut facts = String::new();
    for body in COUNTED {
        let mut table = table(body, "");
        table.start().unwrap();
        let first = ask(&table).unwrap();
        let fuel = table.host.fuel_used();
        // Garbage of earlier calls moves the collector on.
        for _ in 0..5 {
            assert_eq!(ask(&table).unwrap(), first, "{body}");
            assert_eq!(table.host.fuel_used(), fuel, "{body}");
        }
        facts.push_str(&format!("{first} {fuel}\n"));
    }
    facts
}

#[test]
fn fuel_and_orders_are_the_same_in_every_process() {
    let mine = facts();
    if std::env::var_os("TRAPS_CHILD").is_some() {
        println!("facts<{mine}>");
        return;
    }
    for heap in ["", "another environment, so that the heap lies elsewhere"] {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "fuel_and_orders_are_the_same_in_every_process", "--nocapture"])
            .env("TRAPS_CHILD", "1")
            .env("HEAP", heap.repeat(50))
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&child.stdout).into_owned();
        let theirs = printed.split_once("facts<").and_then(|(_, rest)| rest.split_once('>')).map(|(f, _)| f);
        assert_eq!(theirs, Some(mine.as_str()));
    }
    // And in every build: a release build must find the same.
    insta::assert_snapshot!(mine);
}

#[test]
fn the_same_limit_is_met_at_the_same_step() {
    // The loop is cut off after the same number of rounds whatever was allocated before.
    let cut = |garbage: usize| {
        let body = format!(
            "local waste = {{}} for i = 1, {garbage} do waste[i] = {{ i }} end
            local n = 0 while n < 10000000 do n += 1 end return n"
        );
        let mut table = table(&body, "");
        table.start().unwrap();
        let fault = ask(&table).unwrap_err().to_string();
        (fault.contains("ran too long"), table.host.fuel_used())
    };
    let (ended, used) = cut(10);
    assert!(ended);
    assert_eq!(cut(10), (true, used));
    assert_eq!(cut(5000), (true, used));
}

#[test]
fn values_are_not_converted_in_silence() {
    for (step, part) in [
        ("g:pieces()[1].steps = '3'", "takes a whole number, not \"3\""),
        ("g:pieces()[1].steps = nil", "takes a whole number, not nil"),
        ("g:pieces()[1].steps = 1.5", "takes a whole number, not 1.5"),
        ("g:pieces()[1].steps = true", "takes a whole number"),
        ("g:pieces()[1].steps = 0 / 0", "takes a whole number"),
        ("g:pieces()[1].steps = 2 ^ 53 + 1", "takes a whole number"),
        ("g:spaces()[1].mined = 1", "takes true or false, not 1"),
        ("g:spaces()[1].mined = nil", "takes true or false, not nil"),
        ("g:spaces()[1].mined = 'true'", "takes true or false"),
    ] {
        let fault = table("return 1", step).start().unwrap_err().to_string();
        assert!(fault.contains(part), "{step}: {fault}");
    }
}

/// Whatever the host does for a script uses fuel, so that no loop around it is free.
#[test]
fn every_costly_function_of_the_host_uses_fuel() {
    for call in [
        "g:pieces()",
        "unit.space:pieces()",
        "g:unit('unit 3')",
        "g:reach(unit.space, { budget = 3 })",
        "g:path(unit.space, g:spaces()[64])",
        "unit.space:within(3)",
        "unit.space:line(g:spaces()[64])",
        "unit.space:clear_to(g:spaces()[64], {})",
        "g:allot({ items = { 1, 2, 3 }, slots = { {}, {} } })",
    ] {
        let used = |times: u32| {
            let mut table = table(&format!("for i = 1, {times} do local _ = {call} end return 1"), "");
            table.start().unwrap();
            ask(&table).unwrap();
            table.host.fuel_used()
        };
        // A loop uses one unit a round, and one for the call of a method.
        assert!(used(101) - used(1) > 2 * 100, "{call} is free: {} {}", used(101), used(1));
    }
}

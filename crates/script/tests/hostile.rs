//! Hostile scripts: whatever a script does, the host gets a fault or nothing happens. No panic, no hang, no more
//! memory than the limit.

#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use std::time::{Duration, Instant};

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::points::{PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::{ColumnClass, SeatRole, ValueKind};
use adjutant_kernel::{BodyId, RulebookBuilder, Viewer};
use adjutant_script::{MEMORY, Watchdog};
use common::{Table, load, open_with};

/// How a case must end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Not even loaded.
    Refused,
    /// A fault of the call.
    Fault,
    /// A value, and nothing else.
    Harmless,
}
use End::{Fault, Harmless, Refused};

/// Bodies of a function `f(g, unit)` that a point calls, or, with `main:` before them, whole files.
const CASES: &[(&str, End, &str)] = &[
    // Loops that never end.
    ("while", Fault, "while true do end"),
    ("repeat", Fault, "repeat until false"),
    ("numeric for", Fault, "for i = 1, 1e300 do end"),
    (
        "for over a growing table",
        Fault,
        "local t = {1} for i, v in t do t[i + 1] = i if i > 1e6 then t = {} end end",
    ),
    ("goto by recursion", Fault, "local function f(n) return f(n + 1) end return f(0)"),
    ("deep recursion", Fault, "local function f(n) return 1 + f(n + 1) end return f(0)"),
    (
        "mutual recursion",
        Fault,
        "local a, b function a() return b() end function b() return 1 + a() end return a()",
    ),
    ("closures without end", Fault, "while true do local x = 1 local f = function() return x end f() end"),
    ("comparator", Fault, "table.sort({3, 2, 1}, function() while true do end end)"),
    ("iterator", Fault, "for x in function() return 1 end do end"),
    (
        "sort with a bad order",
        Fault,
        "local t = {} for i = 1, 50 do t[i] = i * 7 % 13 end table.sort(t, function() return true end)",
    ),
    ("nested loops", Fault, "for i = 1, 1e4 do for j = 1, 1e4 do local x = i * j end end"),
    // Memory.
    ("table growth", Fault, "local t = {} local i = 0 while true do i += 1 t[i] = i end"),
    ("nested tables", Fault, "local t = {} while true do t = { t } end"),
    ("doubling a text", Fault, "local s = 'x' while true do s = s .. s end"),
    ("texts in a table", Fault, "local t = {} for i = 1, 1e7 do t[i] = 'text number ' .. i end"),
    ("table.create", Fault, "return #table.create(1e8, 1)"),
    ("table.create, huge", Fault, "return #table.create(1e15, 1)"),
    (
        "table.concat",
        Fault,
        "local t = table.create(1e5, 'xxxxxxxxxx') local s = table.concat(t) local u = table.create(1e4, s) return #table.concat(u)",
    ),
    ("table.concat without end", Fault, "local t = table.create(1e5, 'x') while true do table.concat(t) end"),
    ("table.find without end", Fault, "local t = table.create(1e5, 1) while true do table.find(t, 2) end"),
    ("table.clone without end", Fault, "local t = table.create(1e5, 1) while true do table.clone(t) end"),
    (
        "table.insert in front",
        Fault,
        "local t = table.create(1e5, 1) while true do table.insert(t, 1, 1) end",
    ),
    ("table.sort without end", Fault, "local t = table.create(1e5, 1) while true do table.sort(t) end"),
    (
        "string.lower without end",
        Fault,
        "local s = table.concat(table.create(1e5, 'xxxxxxxxxx')) while true do string.lower(s) end",
    ),
    ("table.unpack", Fault, "return select('#', table.unpack(table.create(1e6, 1)))"),
    ("table.pack", Harmless, "return table.pack(1, 2, 3).n"),
    ("format", Fault, "return string.format('%99999999d', 1)"),
    ("upper of a great text", Fault, "local s = 'abcdefgh' for i = 1, 30 do s = string.upper(s .. s) end"),
    (
        "clone",
        Fault,
        "local t = table.create(1e5, 1) local all = {} while true do all[#all + 1] = table.clone(t) end",
    ),
    ("varargs", Fault, "local function f(...) return f(1, ...) end return f()"),
    ("lists of the API", Fault, "local all = {} while true do all[#all + 1] = g:pieces() end"),
    // What is not there; the names are found before anything runs.
    ("os", Refused, "return os.time()"),
    ("os.execute", Refused, "os.execute('true')"),
    ("io", Refused, "return io.open('/etc/passwd')"),
    ("require", Refused, "return require('x')"),
    ("loadstring", Refused, "return loadstring('return 1')()"),
    ("load", Refused, "return load('return 1')()"),
    ("dofile", Refused, "dofile('x')"),
    ("debug", Refused, "return debug.info(1, 'l')"),
    ("coroutine", Refused, "return coroutine.create(function() end)"),
    ("pcall", Refused, "return pcall(function() while true do end end)"),
    ("xpcall", Refused, "return xpcall(function() end, function() end)"),
    ("math.random", Refused, "return math.random(6)"),
    ("math.sin", Refused, "return math.floor(math.sin(1))"),
    ("setmetatable", Refused, "return setmetatable({}, {})"),
    ("getmetatable", Refused, "return getmetatable('')"),
    ("rawset", Refused, "rawset(math, 'abs', nil)"),
    ("getfenv", Refused, "return getfenv(1)"),
    ("setfenv", Refused, "setfenv(1, {})"),
    ("newproxy", Refused, "return newproxy(true)"),
    ("gcinfo", Refused, "return gcinfo()"),
    ("collectgarbage", Refused, "return collectgarbage('count')"),
    ("string.rep", Refused, "return #string.rep('x', 9e8)"),
    ("rep as a method", Fault, "return #('x'):rep(9e8)"),
    (
        "find as a method",
        Fault,
        "return ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'):find('a?a?a?a?a?a?a?a?a?aaaaaaaaa')",
    ),
    ("gsub", Fault, "return ('x'):gsub('.-.-.-b', '')"),
    ("gmatch", Fault, "for w in ('x y'):gmatch('%a+') do end"),
    ("buffer", Refused, "return buffer.create(1e9)"),
    ("vector", Refused, "return vector.create(1, 2, 3)"),
    ("utf8", Refused, "return utf8.char(1)"),
    ("table.move", Refused, "table.move({}, 1, 2 ^ 31 - 2, 2)"),
    ("print", Refused, "print('x')"),
    // Writes to what everybody shares.
    ("a library", Fault, "math.abs = nil"),
    ("a library's new name", Fault, "table.mine = 1"),
    ("the globals by name", Refused, "counter = 1"),
    ("a table of the file", Fault, "kept.n = 1"),
    ("a table in a table of the file", Fault, "kept.list[1] = 1"),
    ("table.insert into the file's", Fault, "table.insert(kept.list, 1)"),
    ("table.clear of the file's", Fault, "table.clear(kept)"),
    ("a table behind a function", Fault, "return remember(1)"),
    ("g itself", Fault, "g.move = nil"),
    ("a method of g", Fault, "g.space = function() end"),
    ("a method of things", Fault, "unit.pieces = nil"),
    ("a list of the API", Fault, "table.insert(g:spaces(), unit)"),
    ("the filter of rules", Fault, "rules.point = nil"),
    // What a point may not do.
    ("sets a column", Fault, "unit.steps = 1"),
    ("sets a column of the game", Fault, "g.turn = 3"),
    ("moves", Fault, "g:move(unit, g:space('a'), 'march')"),
    ("ends the game", Fault, "g:end_game(nil, 'h:1')"),
    ("rolls", Fault, "return g:draw('none', 6, 'h:1')"),
    ("calls", Fault, "return g:call('play', {}, 'x')"),
    ("declares", Fault, "rules.point('p', 'h:1', nil, function() end)"),
    ("returns a text", Fault, "return '12'"),
    ("returns a fraction", Fault, "return 1.5"),
    ("returns infinity", Fault, "return 1 / 0"),
    ("returns no number", Fault, "return 0 / 0"),
    ("returns too much", Fault, "return 2 ^ 53"),
    ("returns a table", Fault, "return {}"),
    ("returns a thing", Fault, "return unit"),
    // Errors of every kind.
    ("error of nil", Fault, "error(nil)"),
    ("error of a table", Fault, "error({ 1 })"),
    ("error of a great text", Fault, "local s = 'x' for i = 1, 20 do s = s .. s end error(s)"),
    ("assert", Fault, "assert(false, {})"),
    ("arithmetic on nil", Fault, "return nil + 1"),
    ("arithmetic on things", Fault, "return unit + 1"),
    ("compares things", Fault, "return unit < unit"),
    ("calls a thing", Fault, "unit()"),
    ("indexes nil", Fault, "return unit.leader.leader"),
    ("an unknown name", Fault, "return unit.strenght"),
    ("a name that is no text", Fault, "return unit[1]"),
    ("length of a thing", Fault, "return #unit"),
    ("iterates a thing", Fault, "for k in unit do end"),
    ("things of another kind", Fault, "return g:space('a'):is('all')"),
    ("methods without self", Fault, "return g.pieces()"),
    ("methods of something else", Fault, "local f = unit.pieces return f(12)"),
    ("unknown names", Fault, "return g:space('nowhere')"),
    ("arguments of wrong types", Fault, "return g:space({})"),
    ("no arguments", Fault, "return g:total()"),
    ("a point that calls itself", Fault, "return g:total('p', unit)"),
    // Addresses.
    ("address of a table", Harmless, "assert(tostring({}) == 'table') return 1"),
    ("address of a function", Harmless, "assert(tostring(tostring) == 'function') return 1"),
    ("address of a thing", Harmless, "assert(tostring(unit) == 'unit') return 1"),
    ("address by format", Harmless, "assert(string.format('%s %s', {}, unit) == 'table unit') return 1"),
    ("address by concatenation", Fault, "return #({} .. '')"),
    // Files.
    ("a file that loops", Refused, "main:while true do end"),
    ("a file that grows", Refused, "main:local t = {} while true do t[#t + 1] = {} end"),
    ("a file that fails", Refused, "main:error('no')"),
    (
        "a file with an upvalue",
        Refused,
        "main:local n = 0 rules.point('p', 'h:1', nil, function() n += 1 return n end)",
    ),
    (
        "an upvalue within",
        Refused,
        "main:local n = 0 rules.point('p', 'h:1', nil, function() local function f() n += 1 end f() return n end)",
    ),
    (
        "an upvalue of a maker",
        Refused,
        "main:local function make() local n = 0 return function() n += 1 return n end end local f = make() rules.point('p', 'h:1', nil, function() return f() end)",
    ),
    ("a syntax error", Refused, "main:local = 1"),
    ("bytecode", Refused, "main:\u{1b}Lua"),
    (
        "too many declarations",
        Refused,
        "main:for i = 1, 5000 do rules.point('p', 'h:1', nil, function() end) end",
    ),
    ("a loop over itself", Refused, "main:local t = {} t.t = t rules.procedure('q', { x = t })"),
    ("deep nesting", Refused, "main:local t = {} for i = 1, 1e5 do t = { t } end rules.procedure('q', t)"),
    ("a chunk that returns", Harmless, "main:return {}"),
];

fn builder() -> RulebookBuilder {
    let mut board = BoardBuilder::new("two", Provenance::printed("h:1"));
    board.network("land").space("a").space("b").link(LinkSpec::new("a", "b", "land"));
    let mut b = RulebookBuilder::new("hostile", "1", board.build().unwrap());
    let side = b.side("red");
    b.seat("red", Some(side), SeatRole::Player);
    b.piece("unit", Some(side), "foot", None, &[]);
    b.piece_set("all", |_, _| true);
    b.column::<BodyId>("steps", ValueKind::Int { min: 0, max: 9 }, 2, ColumnClass::Public);
    b.column::<()>("turn", ValueKind::Int { min: 0, max: 9 }, 1, ColumnClass::Public);
    let open = b.rule("h:1");
    b.open_information(open);
    b.point(PointDef {
        name: "p".into(),
        runs_on: RunsOn::Both,
        combine: Combine::Sum,
        start: 0,
        rules: vec![open],
    });
    b
}

const FRAME: &str = "
local kept = { n = 0, list = {} }
local behind = {}
local function remember(x) behind[1] = x end
rules.procedure('play', { start = function(g, l) return 'wait' end,
    wait = ask { seat = 'red', offers = function(g, l, offer) offer:action('pass') end,
        pass = function(g, l) return 'wait' end } })
";

fn source(body: &str) -> String {
    match body.strip_prefix("main:") {
        Some(file) => format!(
            "rules.procedure('play', {{ wait = ask {{ seat = 'red', offers = function(g, l, offer) \
             offer:action('pass') end, pass = function(g, l) return 'wait' end }} }})\n{file}"
        ),
        None => format!(
            "{FRAME}\nrules.point('p', 'h:1', nil, function(g, unit)\nlocal _ = kept, remember\n{body}\nend)"
        ),
    }
}

/// Runs a case; gives the message that it ended with.
fn run(name: &str, wanted: End, body: &str) -> Result<String, String> {
    let mut b = builder();
    let text = source(body);
    let program = match load(&mut b, &text) {
        Ok(program) => program,
        Err(problems) if wanted == Refused => {
            let first = problems.first().ok_or_else(|| format!("{name}: refused without a reason"))?;
            return Ok(first.to_string());
        }
        Err(problems) => return Err(format!("{name}: refused: {}", problems[0])),
    };
    if wanted == Refused {
        return Err(format!("{name}: should not have been loaded"));
    }
    open_with(&mut b, "play");
    let mut table = Table::new(b, &program);
    table.start().map_err(|e| format!("{name}: {e}"))?;
    let before = table.state().digest();
    let point = table.rulebook().point_named("p").unwrap();
    let mut message = String::new();
    for viewer in [None, Some(Viewer::Public)] {
        let result = table.total(viewer, point, &[PointArg::Body(BodyId(0))]);
        match (wanted, result) {
            (Fault, Err(fault)) => message = fault.to_string(),
            (Harmless, Ok(value)) => message = format!("harmless: {value}"),
            (_, other) => return Err(format!("{name}: {other:?}")),
        }
    }
    if table.state().digest() != before {
        return Err(format!("{name}: the state has changed"));
    }
    if table.host.memory() > MEMORY {
        return Err(format!("{name}: {} bytes", table.host.memory()));
    }
    // The worker goes on.
    table
        .offers(table.rulebook().seat_named("red").unwrap())
        .map_err(|e| format!("{name}: afterwards: {e}"))?;
    Ok(message)
}

#[test]
fn every_hostile_script_ends_in_a_fault_or_is_harmless() {
    let (mut bad, mut messages) = (Vec::new(), String::new());
    for (name, end, body) in CASES {
        let begun = Instant::now();
        match run(name, *end, body) {
            Ok(message) => {
                // Which limit of the two is met first, and where, depends on when the collector ran.
                let limit = message.contains("need more than") || message.contains("ran too long");
                let short: String =
                    if limit { "a limit".into() } else { message.chars().take(200).collect() };
                messages.push_str(&format!("{name}: {short}\n"));
            }
            Err(problem) => bad.push(problem),
        }
        if begun.elapsed() > Duration::from_secs(20) {
            bad.push(format!("{name}: took {:?}", begun.elapsed()));
        }
    }
    assert!(CASES.len() >= 100);
    assert!(bad.is_empty(), "{}\n{} of {}", bad.join("\n"), bad.len(), CASES.len());
    insta::assert_snapshot!(messages);
}

/// Library calls are not counted as fuel; the watchdog ends what is made of many long ones.
#[test]
fn the_watchdog_ends_what_fuel_does_not_count() {
    let _dog = Watchdog::new(Duration::from_millis(300));
    let big = "local t = table.create(500000, 1)";
    for body in [
        format!("{big} for i = 1, 1e6 do table.insert(t, 1, 1) table.remove(t, 1) end"),
        format!("{big} for i = 1, 1e6 do table.find(t, 2) end"),
        format!("{big} for i = 1, 1e6 do table.sort(t) end"),
        "local s = 'x' for i = 1, 20 do s ..= s end local u = s .. 'a' local v = s .. 'b' for i = 1, 1e7 do local _ = u < v end".to_owned(),
        format!("{big} for i = 1, 1e6 do table.clone(t) end"),
    ] {
        let begun = Instant::now();
        run("watched", Fault, &body).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(15), "{body}: {:?}", begun.elapsed());
    }
}

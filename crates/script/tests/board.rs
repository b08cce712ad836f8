//! What scripts ask of the map: hexes, borders, lines, searches, and the allocation of items to slots.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use adjutant_kernel::board::{
    BoardBuilder, FeatureOn, FeatureSpec, HexGridSpec, LinkSpec, Orientation, Provenance, Shift,
};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::points::{PointDef, RunsOn};
use adjutant_kernel::rulebook::{ColumnClass, SeatRole, ValueKind};
use adjutant_kernel::{Fault, RulebookBuilder, SideId, SpaceId};
use common::{Table, load, open_with};

/// Five by five hexes; woods in 0202 and 0302, a river below row 3 in two columns, bridged once; a road, and a
/// path for red only.
fn builder() -> RulebookBuilder {
    let printed = || Provenance::printed("t:1");
    let mut board = BoardBuilder::new("field", printed());
    board.network("land").network("path");
    for (name, on) in [
        ("woods", FeatureOn::Space),
        ("river", FeatureOn::Border),
        ("bridge", FeatureOn::Border),
        ("road", FeatureOn::Link),
    ] {
        board.feature(name, on, printed());
    }
    board
        .hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"])
        .link(LinkSpec::new("0101", "0105", "path").closed_for(SideId(1)))
        .features(FeatureSpec::new("woods", ["0202", "0302"]))
        .features(FeatureSpec::new("river", ["0103|0104", "0203|0204"]))
        .features(FeatureSpec::new("bridge", ["0203|0204"]))
        .features(FeatureSpec::new("road", ["0301-0302"]));
    let mut b = RulebookBuilder::new("test", "1", board.build().unwrap());
    for name in ["red", "blue"] {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
    }
    let rule = b.rule("t:1");
    b.open_information(rule);
    b.column::<SpaceId>("held", ValueKind::Side, -1, ColumnClass::Public);
    b.column::<SpaceId>("dug", ValueKind::Flag, 0, ColumnClass::Public);
    b.column::<SpaceId>("depth", ValueKind::Int { min: 0, max: 9 }, 0, ColumnClass::Public);
    b.column::<SpaceId>("mined", ValueKind::Flag, 0, ColumnClass::Side(SideId(0)));
    for (name, combine, start) in [("may_enter", Combine::Any, 0), ("cost", Combine::Sum, 1)] {
        b.point(PointDef { name: name.into(), runs_on: RunsOn::Both, combine, start, rules: vec![rule] });
    }
    b
}

/// Runs the body of a function of `g`.
fn run(before: &str, body: &str) -> Result<(), Fault> {
    let script = format!(
        "{before}\nrules.procedure('play', {{ start = function(g, l)\n{body}\nreturn 'wait' end,
            wait = ask {{ seat = 'red', offers = function(g, l, offer) offer:action('pass') end,
                pass = function() return 'wait' end }} }})"
    );
    let mut b = builder();
    let program = load(&mut b, &script).unwrap_or_else(|p| panic!("{}", p[0]));
    open_with(&mut b, "play");
    Table::new(b, &program).start()
}

fn holds(before: &str, body: &str) {
    run(before, body).unwrap_or_else(|fault| panic!("{fault}"));
}

/// The text of the fault that a script ends in.
fn fault(body: &str) -> String {
    run("", body).unwrap_err().to_string()
}

#[test]
fn hexes_know_their_neighbours_and_distances() {
    holds(
        "",
        "local a, b = g:space('0101'), g:space('0303')
        assert(a:distance(b) == 3 and a:distance(a) == 0)
        local south = a:direction(g:space('0104'))
        assert(a:ahead(south) == g:space('0102') and a:ahead(south + 6) == g:space('0102'))
        assert(a:ahead(south + 3) == nil and a:direction(b) == nil)
        assert(#a:within(1) == 3 and a:within(1)[1] == a and #b:ring(1) == 6 and #b:within(2) == 19)
        assert(#b:ring(65535) == 0 and #b:within(65535) == #g:spaces())",
    );
}

#[test]
fn borders_have_two_sides_and_meet() {
    holds(
        "",
        "local a = g:space('0103')
        local river = a:border_to(g:space('0104'))
        assert(river:has('river') and river:beyond(a) == g:space('0104'))
        local one, other = river:between()
        assert(one == a and other == g:space('0104') or one == g:space('0104') and other == a)
        assert(#a:borders() == 6 and #river:meeting() > 0)
        local edges = 0
        for _, border in a:borders() do
            if not border:beyond(a) then edges += 1 end
        end
        assert(edges == 2)",
    );
}

#[test]
fn lines_say_what_they_cross_and_what_blocks_them() {
    holds(
        "",
        "local a, b = g:space('0101'), g:space('0103')
        local line = a:line(b)
        assert(#line == 5 and line[1].what == 'through' and line[1].space == a)
        assert(line[2].what == 'across' and line[2].border == a:border_to(g:space('0102')))
        local along = g:space('0101'):line(g:space('0301'))[2]
        assert(along.what == 'along' and along.left == nil and along.right == g:space('0201'))
        local west, east = g:space('0102'), g:space('0402')
        local clear, by = west:clear_to(east, { spaces = 'woods' })
        assert(clear == false and (by == g:space('0202') or by == g:space('0302')))
        assert(west:clear_to(east, { spaces = function(hex) return false end }))
        assert(g:space('0103'):clear_to(g:space('0105'), { borders = 'river' }) == false)
        assert(g:space('0101'):clear_to(g:space('0301'), { along = 'either' }) == false)
        assert(g:space('0101'):clear_to(g:space('0301'), { along = 'either', off_map = 'clear' }))",
    );
    assert!(
        fault("g:space('0101'):clear_to(g:space('0103'), { space = 'woods' })")
            .contains("a line has no `space`")
    );
    assert!(
        fault("g:space('0101'):clear_to(g:space('0103'), { along = 'left' })")
            .contains("\"either\" or \"both\"")
    );
}

#[test]
fn searches_cost_what_data_or_functions_say() {
    holds(
        "rules.permit('may_enter', 't:2', { spaces = '0302' })
        rules.point('cost', 't:3', { feature = 'woods' }, function() return 4 end)",
        "local start = g:space('0301')
        local function count(reached)
            local n = 0
            for _ in reached do n += 1 end
            return n
        end
        assert(count(g:reach(start, { budget = 1 })) == #start:within(1) and count(g:reach(start)) == 25)
        local woods = g:reach(start, { space = { woods = 2 }, link = { road = 1 }, networks = 'land' })
        assert(woods[g:space('0302')] == 1 and woods[g:space('0202')] == 4)
        local shut = g:reach(start, { space = { woods = false } })
        assert(shut[g:space('0302')] == nil and shut[g:space('0202')] == nil)
        local wet = { river = false, bridge = 1 }
        assert(g:path(g:space('0103'), g:space('0104'), { border = wet, networks = 'land' }) > 1)
        assert(g:path(g:space('0203'), g:space('0204'), { border = wet }) == 2)
        local points = g:reach(start, { total = 'cost', forbids = 'may_enter', networks = 'land' })
        assert(points[g:space('0302')] == nil and points[g:space('0202')] == 6)
        local stop = g:reach(g:space('0101'), { stops = { g:space('0102'), g:space('0201') }, networks = 'land' })
        assert(count(stop) == 3)
        assert(count(g:reach(start, { closed = start:ring(1), networks = 'land' })) == 1)
        local own = g:reach(start, { budget = 4, cost = function(from, link, to)
            return if to:has('woods') then false elseif link.network == 'path' then nil else 2
        end })
        assert(own[g:space('0302')] == nil and own[g:space('0201')] == 2)
        local hops, links = g:path(g:space('0101'), g:space('0105'), { open_for = 'red' })
        assert(hops == 1 and #links == 1 and links[1].network == 'path')
        assert(g:path(g:space('0101'), g:space('0105'), { open_for = 'blue' }) == 4)
        assert(g:path(g:space('0101'), g:space('0105'), { open_for = 'blue', budget = 3 }) == nil)
        -- A search within a search has buffers of its own.
        local nested = g:reach(start, { budget = 2, cost = function(from, link, to)
            return g:reach(to, { budget = 1 })[from]
        end })
        assert(count(nested) == count(g:reach(start, { budget = 2 })))",
    );
    assert!(fault("g:reach(g:space('0101'), { bugdet = 3 })").contains("did you mean `budget`?"));
    assert!(fault("g:reach(g:space('0101'), { budget = 'much' })").contains("`budget` takes a whole number"));
    assert!(
        fault("g:reach(g:space('0101'), { cost = function() return 'dear' end })").contains("`cost` takes")
    );
    let text = fault("g:reach(g:space('0101'), { cost = function()\nerror('no') end })");
    assert!(text.contains("scripts/test.luau:4: no"), "{text}");
}

#[test]
fn a_search_that_never_stops_asking_uses_fuel() {
    let text = fault("while true do g:reach(g:space('0101')) end");
    assert!(text.contains("too long") || text.contains("fuel"), "{text}");
}

#[test]
fn items_go_where_the_rest_can_still_be_placed() {
    holds(
        "",
        "local position = { most = 2, needs = { { 1, { 'guard', 'line' } } } }
        local task = { items = { 'guard', 'line', 'sham', 'fake' }, slots = { position, position, {} },
            filled = { { 1, { 1, 2 } } } }
        local free = g:allot(task, { guard = 3, sham = 1 })
        assert(free.line[1] and not free.line[2] and not free.line[3])
        assert(free.fake[3] and not free.fake[1] and not free.fake[2] and not free.guard)
        assert(g:allot(task, { guard = 3, line = 3 }) == nil)
        local row = { items = { 1, 2, 3 }, slots = { { contiguous = true }, {} },
            neighbours = function(a, b) return math.abs(a - b) == 1 end }
        local next_to = g:allot(row, { [1] = 1 })
        assert(next_to[2][1] and not next_to[3][1])
        local least = g:allot({ items = { 1, 2 }, slots = { { least = 2, only = { 1, 2 } }, {} } })
        assert(least[1][1] and not least[1][2])
        local either = g:allot({ items = { 1, 2 }, slots = { { least = 2, or_empty = true }, {} } })
        assert(either[1][1] and either[1][2])",
    );
    assert!(fault("g:allot({ items = { 1 }, slots = { { mots = 1 } } })").contains("did you mean `most`?"));
    assert!(fault("g:allot({ items = { 1 }, slots = { {} } }, { [2] = 1 })").contains("none of the items"));
    assert!(fault("g:allot({ items = { 1 }, slots = { {} } }, { [1] = 2 })").contains("there is no slot 2"));
}

#[test]
fn lists_are_sifted_and_summed() {
    holds(
        "",
        "local even = list.filter({ 1, 2, 3, 4 }, function(n) return if n % 2 == 0 then n else nil end)
        assert(#even == 2 and even[1] == 2 and even[2] == 4)
        assert(list.any(even, function(n) return n > 3 end) and not list.any(even, function(n) return n > 4 end))
        assert(not list.any({}, function() return true end) and #list.filter(even, function() end) == 0)
        assert(list.sum(even, function(n) return n * 10 end) == 60 and list.sum({}, function() return 1 end) == 0)
        assert(#list.filter(g:spaces(), function(hex) return hex:has('woods') end) == 2)",
    );
    assert!(fault("list.filter({ 1 }, function(n) return n.x.y end)").contains("index"));
    assert!(fault("list.sum({ 1 }, function() end)").contains("number"));
    assert!(
        run("", "local l = {} for i = 1, 3000 do l[i] = i end while true do list.any(l, function() end) end")
            .is_err()
    );
}

#[test]
fn spaces_are_listed_whole_or_by_a_feature() {
    holds(
        "",
        "assert(#g:spaces() == 25 and g:spaces()[1] == g:space('0101'))
        local woods = g:spaces('woods')
        assert(#woods == 2 and woods[1] == g:space('0202') and woods[2] == g:space('0302'))
        assert(#g:spaces('river') == 0)",
    );
    assert!(fault("g:spaces('wood')").contains("did you mean `woods`?"));
}

#[test]
fn spaces_are_found_by_what_columns_say() {
    holds(
        "",
        "local one, two, far = g:space('0202'), g:space('0302'), g:space('0505')
        far.held, two.held, far.dug, one.depth = 'red', 'red', true, 3
        local function are(found, ...)
            local wanted = { ... }
            assert(#found == #wanted)
            for n, space in wanted do assert(found[n] == space) end
        end
        local function all(side)
            are(g:spaces({ held = side }), two, far)
            are(g:spaces({ held = side, dug = true }), far)
            are(g:spaces({ held = side, feature = 'woods' }), two)
            are(g:spaces({ feature = 'woods' }), one, two)
            are(g:spaces({ feature = 'woods', dug = false, depth = 3 }), one)
            are(g:spaces({ held = 'blue' }))
        end
        all('red')
        all('r' .. 'ed')
        -- By what who looks does not see nothing is found.
        assert(#g:spaces({ mined = false }) == 25)
        local blind = g:seen_by('blue', function() return #g:spaces({ mined = false }) + #g:spaces({ mined = true }) end)
        assert(blind == 0)",
    );
    assert!(
        fault("g:spaces({ hold = 'red' })").contains("spaces are not chosen by `hold`; did you mean `held`?")
    );
    assert!(fault("g:spaces({ held = 'green' })").contains("`held` takes a side or nil, not \"green\""));
    assert!(fault("g:spaces({ held = 1 })").contains("`held` takes a side"));
    assert!(fault("g:spaces({ feature = 1 })").contains("`feature` takes the name of a feature, not 1"));
    assert!(fault("g:spaces({ feature = 'wood' })").contains("did you mean `woods`?"));
    assert!(fault("g:spaces(7)").contains("expected a feature or a table of wishes, found 7"));
}

#[test]
fn what_never_changes_is_derived_once() {
    holds(
        "local far = rules.derived(function(g)
            local far = {}
            for _, hex in g:spaces() do far[hex] = hex:distance(g:space('0101')) end
            return far
        end)",
        "assert(far[g:space('0103')] == 2)",
    );
    let frozen = run("local t = rules.derived(function(g) return { a = {} } end)", "t.a.b = 1");
    assert!(frozen.unwrap_err().to_string().contains("readonly"));
    // No position is lent, so nothing can hang on one.
    let mut b = builder();
    let script = "local t = rules.derived(function(g) return { g.phase } end)
        rules.procedure('play', { start = function() return done end })";
    let program = load(&mut b, script).unwrap();
    open_with(&mut b, "play");
    let problems = program.host(&std::sync::Arc::new(b.build().unwrap())).unwrap_err();
    assert!(problems[0].to_string().contains("no position"), "{}", problems[0]);
}

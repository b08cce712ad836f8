//! What the kernel asks of scripts directly, files that use one another, moments for options, and knowledge.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, FeatureOn, FeatureSpec, LinkSpec, Provenance};
use adjutant_kernel::chance::Key;
use adjutant_kernel::events::Shown;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::knowledge::QuestionKind;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::rulebook::{
    ColumnClass, FieldKind, Level, LevelCondition, LevelRule, Onlooker, SeatRole, ValueKind,
};
use adjutant_kernel::tables::{Axis, Dice, Ends, Span, TableBuilder};
use adjutant_kernel::{Fault, PieceId, RulebookBuilder, SideId, State, Viewer, Worker};
use adjutant_script::{Program, ScriptProblem, opening};
use common::{load, open_with};

fn builder() -> RulebookBuilder {
    let mut board = BoardBuilder::new("three", Provenance::printed("t:1"));
    board.network("land").space("a").space("b").space("c").holding_box("pool");
    board.feature("town", FeatureOn::Space, Provenance::printed("t:1"));
    board.features(FeatureSpec::new("town", ["b"]));
    board.link(LinkSpec::new("a", "b", "land")).link(LinkSpec::new("b", "c", "land"));
    let mut b = RulebookBuilder::new("test", "1", board.build().unwrap());
    for name in ["red", "blue"] {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
    }
    let deck = b.deck("red backs", SideId(0));
    for (name, kind) in [("guard", "foot"), ("line", "foot"), ("sham", "dummy")] {
        b.piece(name, Some(SideId(0)), kind, Some(deck), &[]);
    }
    b.piece("scout", Some(SideId(1)), "horse", None, &[]);
    let real = b.piece_set("real", |_, piece| piece.name != "sham");
    b.question("real", QuestionKind::Any(real));
    b.question("red there", QuestionKind::Occupied(SideId(0)));
    b.question("count", QuestionKind::Computed(Box::new(|read| read.rulebook().pieces().len() as i32)));
    let fields = [("at", FieldKind::Space), ("by", FieldKind::Body), ("turns", FieldKind::Int)];
    b.relation("siege", &fields, 4, ColumnClass::Public);
    b.column::<PieceId>("weary", ValueKind::Flag, 0, ColumnClass::Owner);
    b.column::<()>("seen", ValueKind::Int { min: 0, max: 9 }, 0, ColumnClass::Public);
    for name in ["dawn", "dusk"] {
        b.moment(name);
    }
    let night = b.rule("t:9");
    b.option("night", &[night]);
    let rule = b.rule("t:1");
    let level = |level, places| LevelRule {
        decks: Vec::new(),
        places,
        onlooker: Onlooker::Others,
        when: LevelCondition::default(),
        level,
        rule,
    };
    b.level(level(Level::Nothing, vec![adjutant_kernel::PlaceId(2)]));
    b.level(level(Level::Order, Vec::new()));
    let mut fire = TableBuilder::new("fire", Provenance::printed("t:2"))
        .dice(Dice::one(6))
        .columns(Axis::Single)
        .rows(Axis::Numbers { spans: (1..=6).map(Span::exactly).collect(), ends: Ends::CLAMP });
    for n in 1..=6 {
        fire = fire.row([n * 10]);
    }
    b.table("fire", fire.build().unwrap());
    let (foot, horse) = (b.word("foot"), b.word("horse"));
    let forage = TableBuilder::new("forage", Provenance::printed("t:2"));
    b.table("forage", forage.columns(Axis::Words(vec![foot, horse])).row([1, 2]).build().unwrap());
    b
}

const WAIT: &str = "
    wait = ask { seat = 'red', offers = function(g, l, offer) offer:action('pass') end,
        pass = function(g, l) return 'wait' end },";

/// Starts a game of a script whose procedure `play` has this step; gives the position and all events.
fn start(before: &str, body: &str, options: u64) -> Result<(State, Vec<String>, Arc<Program>), Fault> {
    let script = format!(
        "{before}\nrules.procedure('play', {{ start = function(g, l)\n{body}\nreturn 'wait' end, {WAIT} }})"
    );
    let mut b = builder();
    let program = load(&mut b, &script).unwrap_or_else(|p| panic!("{}", p[0]));
    open_with(&mut b, "play");
    let rulebook = Arc::new(b.build().unwrap());
    let mut worker = Worker::new().with_host(program.host(&rulebook).unwrap()).checking();
    let mut sink = Sink::on();
    let state = flow::start(&rulebook, &mut worker, &mut sink, Key::from_seed(1), options)?;
    let blue = Some(Viewer::Side(SideId(1)));
    let shown = sink.take().0.into_iter().filter_map(|e| e.shown(&rulebook, blue).cloned());
    let told = shown.map(|e| {
        let args = e.args.iter().map(|(n, a)| match a {
            Shown::Body(_) | Shown::Bodies(_) | Shown::Stack(_) => format!("{n}=*"),
            Shown::Name(name) => format!("{n}={name}"),
            Shown::Number(number) => format!("{n}={number}"),
            Shown::Flag(flag) => format!("{n}={flag}"),
            Shown::List(list) => format!("{n}=[{}]", list.len()),
        });
        format!("{} {}", e.event, args.collect::<Vec<_>>().join(" "))
    });
    Ok((state, told.collect(), program))
}

#[test]
fn the_strictest_part_of_the_placement_check_counts() {
    let rules = "
        rules.placement('t:3', function(g, cause, units, to)
            return if to.name == 'b' then 'must_go_on' else nil end)
        rules.placement('t:4', function(g, cause, units, to)
            if cause == 'flee' and to:first('red') then return 'displaces', to:pieces('red') end
            return nil end)
        rules.placement('t:5', function(g, cause, units, to)
            return if cause == 'raid' and to.name == 'b' then 'forbidden' else nil end)";
    start(
        rules,
        "local guard, scout = g:unit('guard'), g:unit('scout')
        assert(g:move(guard, g:space('a'), 'set_up') == nil)
        local verdict, rule = g:placement(scout, g:space('b'), 'march')
        assert(verdict == 'must_go_on' and rule == 't:3')
        local verdict, rule, whom = g:placement(scout, g:space('a'), 'flee')
        assert(verdict == 'displaces' and rule == 't:4' and whom[1] == guard)
        assert(g:placement(scout, g:space('b'), 'raid') == 'forbidden')
        assert(g:move(scout, g:space('b'), 'raid') == 't:5' and scout.space == nil)
        local none, displaced = g:move(scout, g:space('a'), 'flee')
        assert(none == nil and displaced[1] == guard and scout.space == g:space('a'))
        local may, why = g:may_stand(scout, g:space('b'), 'raid')
        assert(not may and why == 't:5')",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_placement_sees_what_the_moving_side_may_know() {
    let rules = "rules.placement('t:3', function(g, cause, units, to)
        return if to:first() and to:first() ~= units[1] then 'forbidden' else nil end)";
    start(
        rules,
        "g:move(g:unit('guard'), g:space('c'), 'set_up')
        -- Blue sees nothing of what stands in c.
        assert(g:move(g:unit('scout'), g:space('c'), 'march') == nil)
        assert(g:move(g:unit('line'), g:space('c'), 'march') == 't:3')",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_placement_that_fails_is_a_fault() {
    let bad = start(
        "rules.placement('t:3', function() return 'maybe' end)",
        "g:move(g:unit('scout'), g:space('a'), 'march')",
        0,
    );
    let text = bad.map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("the function returns \"maybe\"") && text.contains("t:3"), "{text}");
    let writes = start(
        "rules.placement('t:3', function(g) g.seen = 1 return nil end)",
        "g:move(g:unit('scout'), g:space('a'), 'march')",
        0,
    );
    assert!(writes.map(|_| ()).unwrap_err().to_string().contains("only a step"));
}

#[test]
fn what_fails_in_a_placement_is_found_at_its_line() {
    let fault = |body: &str| {
        let rules = format!("rules.placement('t:3', function(g, cause, units, to)\n{body}\nend)");
        let moved = start(&rules, "g:move(g:unit('scout'), g:space('a'), 'march')", 0);
        moved.map(|_| ()).unwrap_err().to_string()
    };
    for (body, text) in [
        ("local x = 1\nerror('no ground')", "scripts/test.luau:3: no ground (t:3)"),
        ("error('without a place', 0)", "scripts/test.luau:2: without a place (t:3)"),
        ("return nil + 1", "scripts/test.luau:2: attempt to"),
        (
            "error({ 1 })",
            "scripts/test.luau:2: the script raised an error that is a table; give `error` a text (t:3)",
        ),
        ("return to:has('a')", "scripts/test.luau:2: there is no feature `a`"),
        ("while true do end", "scripts/test.luau:2: the script ran too long"),
        ("local all = {}\nwhile true do all[#all + 1] = {} end", "the scripts need more than 16 MB"),
        ("return 'displaces', 3", "expected a unit or a list of units, found 3"),
    ] {
        let fault = fault(body);
        assert!(fault.contains(text), "`{body}`: {fault}");
    }
}

#[test]
fn what_follows_a_reveal_happens_at_once_and_may_be_switched_off() {
    let rules = "rules.revealed('t:6', function(g, unit)
        if unit.kind == 'dummy' then
            g:conceal(unit)
            g:move(unit, g:place('pool'), 'removed')
        end end)";
    let body = "g:move({ g:unit('sham'), g:unit('guard') }, g:space('a'), 'set_up', 'stack')
        g:reveal(g:unit('sham'), 't:1')
        g.seen = if g:unit('sham').space == g:place('pool') then 1 else 2";
    let (state, ..) = start(rules, body, 0).unwrap_or_else(|fault| panic!("{fault}"));
    let script = format!(
        "{rules}\nrules.procedure('play', {{ start = function(g, l)\n{body}\nreturn 'wait' end, {WAIT} }})"
    );
    let mut b = builder();
    let program = load(&mut b, &script).unwrap();
    open_with(&mut b, "play");
    let rule = b.rule("t:6");
    b.switch_off(rule);
    let rulebook = Arc::new(b.build().unwrap());
    let mut worker = Worker::new().with_host(program.host(&rulebook).unwrap());
    let off = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0).unwrap();
    let told = |state: &State| state.named(&rulebook).columns["seen"]["game"].clone();
    assert_ne!(told(&state), told(&off));
    // It is no step: it can neither call procedures nor write locals.
    let calls = start("rules.revealed('t:6', function(g) g:moment('dawn', 'start') end)", body, 0);
    assert!(calls.map(|_| ()).unwrap_err().to_string().contains("only a step"));
}

#[test]
fn moments_are_for_options() {
    let rules = "
        rules.at('dawn', 't:9', { option = 'night' }, procedure {
            start = function(g) g.seen += 1 return done end })
        rules.at('dawn', 't:9', { without_option = 'night' }, procedure {
            start = function(g) g.seen += 2 return done end })";
    let script = format!(
        "{rules}\nrules.procedure('play', {{ start = function(g) return g:moment('dawn', 'wait') end, {WAIT} }})"
    );
    let mut b = builder();
    let program = load(&mut b, &script).unwrap();
    open_with(&mut b, "play");
    let rulebook = Arc::new(b.build().unwrap());
    let mut worker = Worker::new().with_host(program.host(&rulebook).unwrap());
    for (options, wanted) in [(0, 2), (1, 1)] {
        let state =
            flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), options).unwrap();
        let told = serde_json::to_value(state.named(&rulebook)).unwrap();
        let seen = told["columns"]["seen"]["game"].to_string();
        assert!(seen.contains(&wanted.to_string()), "{seen}");
    }
    let mut b = builder();
    let wrong = "rules.at('dawn', 't:9', { spaces = 'a' }, procedure { start = function() return done end })";
    let problems = load(&mut b, wrong).unwrap_err();
    assert!(problems[0].to_string().contains("`option` or `without_option` only"), "{}", problems[0]);
}

#[test]
fn answers_stand_lapse_and_are_asked_for() {
    start(
        "",
        "g:move({ g:unit('guard'), g:unit('sham') }, g:space('a'), 'set_up', 'stack')
        g:move(g:unit('line'), g:space('c'), 'set_up')
        local units = g:space('a'):pieces()
        g:mix({ g:unit('guard'), g:unit('sham') })
        g:mix({ g:unit('line') })
        local function blue(look) return g:seen_by('blue', look) end
        assert(g:any('real', units) == true and blue(function() return g:any('real', units) end) == nil)
        assert(g:tell('real', { units = units, rule = 't:3', ['until'] = 'dusk' }) == 1)
        assert(blue(function() return g:any('real', units) end) == true)
        g:lapse('dusk')
        assert(blue(function() return g:any('real', units) end) == nil)
        g:tell('real', { units = units, rule = 't:3', ['until'] = 'dusk' })
        g:forget({ units[1], g:unit('line') }, true)
        assert(blue(function() return g:any('real', units) end) == true)
        g:forget({ units[1] })
        assert(blue(function() return g:any('real', units) end) == nil)
        assert(blue(function() return g:occupied('red', g:space('c')) end) == nil)
        g:tell('red there', { at = g:space('c'), to = 'blue', rule = 't:3', ['until'] = 'dusk' })
        assert(blue(function() return g:occupied('red', g:space('c')) end) == true)
        assert(g:publicly(function() return g:occupied('red', g:space('c')) end) == nil)
        assert(blue(function() return g:told('count') end) == nil and g:told('count') == 4)
        g:tell('count', { to = 'blue', rule = 't:3', ['until'] = 'dusk' })
        assert(blue(function() return g:told('count') end) == 4)",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_mix_leaves_what_looks_different_what_it_was() {
    start(
        "",
        "g:move({ g:unit('guard'), g:unit('sham') }, g:space('a'), 'set_up', 'stack')
        local up = g:unit('guard')
        g:reveal(up, 't:1')
        g:mix({ up, g:unit('sham') })
        assert(g:unit('guard') == up and g:publicly(function() return up.piece end) ~= nil)",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_reveal_with_values_shows_them_and_a_secret_roll_hides_them() {
    let (_, told, _) = start(
        "",
        "g:move({ g:unit('guard'), g:unit('sham') }, g:space('a'), 'set_up', 'stack')
        g:mix({ g:unit('guard'), g:unit('sham') })
        g:unit('guard').weary = true
        g:reveal(g:unit('guard'), 't:1', { 'weary' })
        assert(g:seen_by('blue', function() return g:unit('guard').weary end) == true)
        local result = g:roll('fire', { rule = 't:2', secret = 'red', args = { bodies = { known = { g:unit('guard') } } },
            modifiers = { { 't:7', 0 }, { 't:8', 0, secret = true } } })
        assert(result == g:look_up('fire', { die = result / 10 }))
        g:roll('fire', { rule = 't:2', modifiers = { { 't:7', 0 } } })
        g:publish('orders', 't:3', { order = 'go' }, { at = g:space('a') })
        g:stop('t:4', { at = g:space('a') })
        local drawn = g:draw('fire', 3, 't:2', nil, function(n) return { chit = n * 2 } end)",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
    let of = |event: &str| -> Vec<&String> { told.iter().filter(|t| t.starts_with(event)).collect() };
    assert!(of("reveal")[0].contains("weary=1"), "{told:?}");
    let rolls = of("draw");
    assert!(!rolls[0].contains("answer") && rolls[0].contains("modifiers=[1]"), "{rolls:?}");
    assert!(!rolls[0].contains("secret_modifiers") && rolls[0].contains("bodies=*"), "{rolls:?}");
    assert!(rolls[1].contains("answer=") && rolls[2].contains("chit="), "{rolls:?}");
    assert!(
        of("orders")[0].contains("order=go at=a") || of("orders")[0].contains("at=a order=go"),
        "{told:?}"
    );
    assert_eq!(of("stopped").len(), 1);
}

#[test]
fn units_are_moved_unseen_and_stacks_renewed() {
    let (_, told, _) = start(
        "",
        "g:move({ g:unit('guard'), g:unit('sham') }, g:space('a'), 'set_up', 'stack')
        local stack = g:unit('guard').stack
        g:move_unseen(g:unit('line'), stack, 'return', 'on_top')
        assert(g:space('a'):pieces()[1] == g:unit('line') and #g:seats('red') == 1 and #g:seats() == 2)
        g:renew(stack)
        assert(g:piece('guard').kind == 'foot' and g:piece('guard').side == 'red')
        assert(#g:pieces({ deck = 'red backs' }) == 3 and #g:pieces({ anywhere = true }) == 4)",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
    assert!(!told.iter().any(|t| t.contains("cause=return")), "{told:?}");
}

#[test]
fn units_on_the_map_are_listed_space_by_space() {
    start(
        "",
        "local function are(found, ...)
            local wanted = { ... }
            assert(#found == #wanted)
            for n, name in wanted do assert(found[n] == g:unit(name)) end
        end
        g:move(g:unit('guard'), g:space('b'), 'set_up')
        g:move(g:unit('line'), g:place('pool'), 'set_up')
        g:move(g:unit('scout'), g:space('a'), 'set_up')
        are(g:pieces(), 'guard', 'line', 'scout')
        are(g:pieces({ anywhere = true }), 'guard', 'line', 'sham', 'scout')
        are(g:pieces({ on_map = true }), 'scout', 'guard') -- and not in the order in which they are declared
        are(g:pieces({ on_map = true, anywhere = true }), 'scout', 'guard')
        are(g:pieces({ feature = 'town' }), 'guard')
        are(g:pieces({ feature = 't' .. 'own', side = 'blue' }))
        are(g:place('pool'):pieces({ on_map = true }))
        are(g:place('pool'):pieces({ on_map = false }), 'line')
        are(g:space('b'):pieces({ feature = 'town' }), 'guard')
        are(g:space('a'):pieces({ feature = 'town' }))
        g:move(g:unit('guard'), g:space('a'), 'march')
        g:move(g:unit('sham'), g:space('a'), 'set_up', 'on_top')
        are(g:pieces({ on_map = true }), 'sham', 'scout', 'guard')",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
    let wrong = |body: &str| start("", body, 0).unwrap_err().to_string();
    assert!(wrong("g:pieces({ feature = 'twon' })").contains("did you mean `town`?"));
    assert!(wrong("g:pieces({ feature = 3 })").contains("`feature` takes the name of one, not 3"));
}

#[test]
fn entries_are_found_by_their_fields() {
    start(
        "",
        "local function of(like) return #g:records('siege', like) end
        g:record('siege', { at = g:space('a'), by = g:unit('line'), turns = 1 })
        g:record('siege', { at = g:space('b'), by = g:unit('line'), turns = 2 })
        g:record('siege', { at = g:space('b'), by = g:unit('guard'), turns = 2 })
        assert(of(nil) == 3 and of({}) == 3 and of({ at = g:space('b') }) == 2)
        assert(of({ by = g:unit('line'), turns = 2 }) == 1 and of({ turns = 3 }) == 0)
        assert(g:records('siege', { by = g:unit('guard') })[1].at == g:space('b'))
        g:unrecord('siege', { at = g:space('b') })
        assert(of(nil) == 1)",
        0,
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
    let wrong = start("", "g:records('siege', { turn = 1 })", 0).unwrap_err().to_string();
    assert!(wrong.contains("did you mean `turns`?"), "{wrong}");
}

fn files(list: &[(&str, &str)]) -> Result<(), Vec<ScriptProblem>> {
    Program::load(list, &mut builder()).map(|_| ())
}

#[test]
fn files_use_one_another() {
    let play = "local shared = rules.use('zones')
        rules.procedure('play', { start = function(g) assert(shared.twice(2) == 4) return done end })";
    let zones = "return { twice = function(n) return n * 2 end }";
    files(&[("scripts/play.luau", play), ("scripts/zones.luau", zones)])
        .unwrap_or_else(|p| panic!("{}", p[0]));
    let (a, b) = ("rules.use('b')", "rules.use('a')");
    let round = files(&[("scripts/a.luau", a), ("scripts/b.luau", b)]).unwrap_err();
    assert!(round[0].to_string().contains("uses itself"), "{}", round[0]);
    let none = files(&[("scripts/a.luau", "rules.use('zoans')")]).unwrap_err();
    assert!(none[0].to_string().contains("there is no file `zoans.luau`"), "{}", none[0]);
    // What a file returns cannot be written by others after the load.
    let keeps = "local t = rules.use('zones')
        rules.point('x', 't:1', nil, function() t.n = 1 return 1 end)";
    let program = Program::compile(&[("scripts/a.luau", keeps), ("scripts/zones.luau", "return { n = 0 }")]);
    assert!(program.is_ok());
}

#[test]
fn a_frame_begins_in_the_turn_of_a_side() {
    let mut b = builder();
    let script = "rules.procedure('turn', { locals = { side = 'side', n = 'number' }, start = function() return done end })
        rules.procedure('needs', { locals = { at = 'space' }, start = function() return done end })";
    let program = load(&mut b, script).unwrap();
    assert_eq!(program.procedures(), ["turn", "needs"]);
    let rb = b.so_far();
    let frame = |name, side| opening(rb, rb.procedure_named(name).unwrap(), side);
    assert_ne!(frame("turn", Some(SideId(1))), frame("turn", Some(SideId(0))));
    assert!(frame("turn", None).is_err());
    let missing = frame("needs", None).unwrap_err();
    assert_eq!(missing, "its local `at` has no value to begin with; make it optional");
}

#[test]
fn a_column_of_the_game_is_not_called_like_a_function() {
    let mut b = builder();
    b.column::<()>("reach", ValueKind::Flag, 0, ColumnClass::Public);
    let program = load(&mut b, "rules.procedure('play', { start = function() return done end })").unwrap();
    open_with(&mut b, "play");
    let problems = program.host(&Arc::new(b.build().unwrap())).unwrap_err();
    assert!(problems[0].to_string().contains("`reach` is a column of the game"), "{}", problems[0]);
}

#[test]
fn a_wrong_entry_of_a_table_is_explained_with_its_names() {
    let told = |entry: &str| match start("", &format!("g:roll('forage', {{ rule = 't:1', {entry} }})"), 0) {
        Err(fault) => fault.to_string(),
        Ok(_) => panic!("{entry} is right"),
    };
    insta::assert_snapshot!(
        [
            told("column = 'hrose'"),
            told("column = 3"),
            told("column = 'foot', modifiers = { ['t:1'] = 1 }"),
            told("column = 'foot', modifiers = { { 't:1', 1 } }"),
        ]
        .join("\n"),
        @r#"
    scripts/test.luau:3: table `forage`: no column has the name `hrose`; did you mean `horse`? (play)
    scripts/test.luau:3: table `forage`: its columns are entered with a name, not with the number 3 (play)
    scripts/test.luau:3: shifts and modifiers are a list of pairs, as { { "book:1", 2 } } (play)
    scripts/test.luau:3: table `forage`: t:1 modifies the die of a table without dice (play)
    "#
    );
}

#[test]
fn a_procedure_that_is_declared_twice_is_told_with_both_places() {
    let nothing = "rules.procedure('sail', { start = function() return done end })";
    let problems = load(&mut builder(), &format!("{nothing}\n{nothing}")).err().unwrap();
    let told = "scripts/test.luau:2: procedure `sail` is declared at scripts/test.luau:1 already; give it another name";
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
}

/// What a function answers is remembered while all that it reads is the same, and no longer.
#[test]
fn an_answer_is_remembered_as_long_as_all_that_was_read_is_the_same() {
    let script = "
        rules.point('bonus', 't:1', nil, function(g, unit)
            return (if unit.weary then 0 elseif unit:is('real') then 10 else 20) + g.seen
        end)
        rules.point('bonus', 't:2', nil, function(g, unit) return 100 + #g:pieces() end)
        rules.procedure('play', { start = function(g, l) return 'wait' end, wait = ask {
            seat = 'red', offers = function(g, l, offer) offer:action('tire'); offer:action('see') end,
            tire = function(g, l) g:unit('line').weary = true; return 'wait' end,
            see = function(g, l) g.seen += 1; return 'wait' end,
        } })";
    let mut b = builder();
    b.rule("t:2");
    let point = b.point(adjutant_kernel::points::PointDef {
        name: "bonus".into(),
        runs_on: adjutant_kernel::points::RunsOn::Both,
        combine: adjutant_kernel::contributions::Combine::Sum,
        start: 0,
        rules: Vec::new(),
    });
    let program = load(&mut b, script).unwrap_or_else(|p| panic!("{}", p[0]));
    open_with(&mut b, "play");
    let mut table = common::Table::new(b, &program);
    table.start().unwrap();
    let [line, sham] = ["line", "sham"].map(|name| [PointArg::Body(table.body(name))]);
    let red = adjutant_kernel::SeatId(0);
    let offered = table.offers(red).unwrap();
    let ask = |table: &common::Table, who: &[PointArg]| {
        let before = table.host.remembered();
        let bonus = table.total(None, point, who).unwrap();
        (bonus, table.host.remembered() - before)
    };
    assert_eq!(ask(&table, &line), (110, 0));
    assert_eq!(ask(&table, &sham), (120, 0));
    let fuel = table.host.fuel_used();
    // The second function goes through all units, and is run each time.
    assert_eq!((ask(&table, &line), ask(&table, &sham)), ((110, 1), (120, 1)));
    assert_eq!(table.host.fuel_used(), fuel);
    // Who may not know what they are is answered otherwise.
    let blue = Some(Viewer::Side(SideId(1)));
    assert_eq!(table.total(blue, point, &line).unwrap(), 120);
    assert_eq!(ask(&table, &line).0, 110);
    table.act(red, &offered[0]).unwrap();
    assert_eq!((ask(&table, &line), ask(&table, &line)), ((100, 0), (100, 1)));
    assert_eq!(ask(&table, &sham), (120, 1));
    table.act(red, &offered[1]).unwrap();
    assert_eq!((ask(&table, &line), ask(&table, &sham)), ((101, 0), (121, 0)));
}

/// A function that a point asks cannot be remembered for what another reads.
#[test]
fn who_asks_a_point_is_not_remembered_for_what_it_answers() {
    let script = "
        rules.point('inner', 't:1', nil, function(g) return g.seen end)
        rules.point('outer', 't:1', nil, function(g) return g:total('inner') + 10 end)
        rules.procedure('play', { start = function(g, l) return 'wait' end, wait = ask {
            seat = 'red', offers = function(g, l, offer) offer:action('see') end,
            see = function(g, l) g.seen += 1; return 'wait' end,
        } })";
    let mut b = builder();
    let mut point = |name: &str| {
        b.point(adjutant_kernel::points::PointDef {
            name: name.into(),
            runs_on: adjutant_kernel::points::RunsOn::Both,
            combine: adjutant_kernel::contributions::Combine::Sum,
            start: 0,
            rules: Vec::new(),
        })
    };
    let (_, outer) = (point("inner"), point("outer"));
    let program = load(&mut b, script).unwrap_or_else(|p| panic!("{}", p[0]));
    open_with(&mut b, "play");
    let mut table = common::Table::new(b, &program);
    table.start().unwrap();
    let red = adjutant_kernel::SeatId(0);
    for n in 0..3 {
        assert_eq!(table.total(None, outer, &[]).unwrap(), 10 + n);
        let see = table.offers(red).unwrap()[0];
        table.act(red, &see).unwrap();
    }
}

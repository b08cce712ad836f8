//! Procedures of scripts: locals, calls, forks, moments, columns, rolls, and what is hidden.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::flow;
use adjutant_kernel::points::{PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::{
    AttributeClass, ColumnClass, Level, LevelCondition, LevelRule, Onlooker, SeatRole, TableModifier,
    ValueKind,
};
use adjutant_kernel::tables::{Axis, Dice, Ends, Span, TableBuilder};
use adjutant_kernel::{Action, BodyId, Fault, RulebookBuilder, SideId, Target, Viewer};
use common::{Table, load, open_with};

fn builder() -> RulebookBuilder {
    let mut board = BoardBuilder::new("three", Provenance::printed("t:1"));
    board.network("land").space("a").space("b").space("c");
    board.link(LinkSpec::new("a", "b", "land")).link(LinkSpec::new("b", "c", "land"));
    let mut b = RulebookBuilder::new("test", "1", board.build().unwrap());
    for name in ["red", "blue"] {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
    }
    let strength = ValueKind::Int { min: 0, max: 9 };
    b.attribute("strength", strength.clone(), AttributeClass::OnReveal);
    let deck = b.deck("red backs", SideId(0));
    b.piece("guard", Some(SideId(0)), "foot", Some(deck), &[Some(5)]);
    b.piece("dummy", Some(SideId(0)), "sham", Some(deck), &[Some(0)]);
    b.piece("scout", Some(SideId(1)), "horse", None, &[Some(2)]);
    b.piece_set("real", |_, piece| !piece.name.starts_with("dummy"));
    let stances = vec![b.word("hold"), b.word("go")];
    b.column::<BodyId>("steps", strength.clone(), 2, ColumnClass::Public);
    b.column::<BodyId>("stance", ValueKind::Choice(stances), 0, ColumnClass::Public);
    b.column::<adjutant_kernel::SpaceId>("control", ValueKind::Side, -1, ColumnClass::Public);
    b.column::<()>("turn", strength.clone(), 1, ColumnClass::Public);
    b.column::<SideId>("morale", strength, 4, ColumnClass::Owner);
    let rule = b.rule("t:1");
    b.level(LevelRule {
        decks: Vec::new(),
        places: Vec::new(),
        onlooker: Onlooker::Anyone,
        when: LevelCondition::default(),
        level: Level::Order,
        rule,
    });
    for name in ["may_enter", "defence"] {
        let combine = if name == "defence" { Combine::Sum } else { Combine::Any };
        b.point(PointDef { name: name.into(), runs_on: RunsOn::Both, combine, start: 0, rules: vec![rule] });
    }
    b.moment("dawn");
    let mut fire = TableBuilder::new("fire", Provenance::printed("t:2"))
        .dice(Dice::one(6))
        .columns(Axis::Single)
        .rows(Axis::Numbers { spans: (1..=6).map(Span::exactly).collect(), ends: Ends::CLAMP });
    for n in 0..6 {
        fire = fire.row([n * 10]);
    }
    b.table("fire", fire.build().unwrap());
    b
}

fn table(script: &str) -> Table {
    let mut b = builder();
    let program = load(&mut b, script).unwrap_or_else(|p| panic!("{}", p[0]));
    open_with(&mut b, "play");
    Table::new(b, &program)
}

const WAIT: &str = "
    wait = ask { seat = 'red', offers = function(g, l, offer) offer:action('pass') end,
        pass = function(g, l) return 'wait' end },";

#[test]
fn a_procedure_calls_forks_rolls_and_writes() {
    let mut table = table(
        "local wish = rules.procedure('wish', {
            locals = { side = 'side', chosen = 'owner (left | right)?' }, owner = 'side',
            imagine = 'blank',
            choose = ask {
                seat = function(g, l) return l.side end,
                offers = function(g, l, offer) offer:action('take', 'left') offer:action('take', 'right') end,
                take = function(g, l, which) l.chosen = which return done end,
            },
        })
        local double = rules.procedure('double', {
            locals = { list = 'unit[3]', n = 'number' },
            start = function(g, l)
                assert(l.n == 7 and #l.list == 2 and l.list[2] == g:unit('scout'))
                for _, unit in l.list do unit.steps = unit.steps * 2 end
                return done
            end,
        })
        rules.at('dawn', 't:3', procedure { locals = { seen = 'number' },
            start = function(g, l) g.turn += 1 return done end })
        rules.procedure('play', {
            locals = { roll = 'number', left = 'number', at = 'space?' },
            start = function(g, l)
                g:move({ g:unit('guard'), g:unit('dummy') }, g:space('a'), 'set_up', 'stack')
                g:move(g:unit('scout'), g:space('c'), 'set_up')
                g:space('a').control = 'red'
                assert(g:space('a').control == 'red' and g:space('b').control == nil)
                l.at = g:space('b')
                assert(l.at == g:space('b') and l.at.name == 'b')
                g:unit('scout').stance = 'go'
                assert(g:unit('scout').stance == 'go')
                g:set('blue', 'morale', 6)
                assert(g:side('blue').morale == 6)
                return g:call(double, { n = 7, list = { g:unit('guard'), g:unit('scout') } }, 'dawn')
            end,
            dawn = function(g, l) return g:moment('dawn', 'fire') end,
            fire = function(g, l)
                assert(g.turn == 2 and g:unit('scout').steps == 4)
                local result, rolled = g:roll('fire', { rule = 't:2' })
                assert(result == (rolled - 1) * 10)
                l.roll = rolled
                return 'both'
            end,
            both = fork { seats = { 'red', 'blue' }, procedure = wish,
                locals = function(g, l, seat) return { side = seat } end,
                joined = function(g, l, seat, branch)
                    if branch.chosen == 'left' then l.left += 1 end
                end,
                next = 'ending' },
            ending = function(g, l)
                g:story('over', { left = l.left, at = l.at })
                g:end_game(if l.left == 2 then 'red' else nil, 't:1')
                return done
            end,
        })",
    );
    table.start().unwrap();
    for name in ["red", "blue"] {
        let seat = table.rulebook().seat_named(name).unwrap();
        let offers = table.offers(seat).unwrap();
        assert_eq!(offers.len(), 2);
        table.act(seat, &offers[0]).unwrap();
    }
    assert_eq!(table.state().outcome().unwrap().winner, Some(SideId(0)));
}

#[test]
fn an_ask_names_a_local_for_its_seats_and_steps_for_its_verbs() {
    let mut table = table(
        "rules.procedure('play', {
            locals = { asked = 'seat[2]', who = 'side' },
            start = function(g, l) l.asked = { 'red', 'blue' } return 'choose' end,
            choose = ask { seat = 'asked', offers = function(g, l, offer) offer:action('go_on') end,
                go_on = 'then_one' },
            then_one = function(g, l) l.who = 'blue' return 'one' end,
            one = ask { seat = 'who', offers = function(g, l, offer) offer:action('stop') end, stop = done },
        })",
    );
    table.start().unwrap();
    let seats = |table: &Table| flow::asked(table.state()).map(|a| a.seats.to_vec()).unwrap_or_default();
    let [red, blue] = ["red", "blue"].map(|name| table.rulebook().seat_named(name).unwrap());
    assert_eq!(seats(&table), [red, blue]);
    let offers = table.offers(red).unwrap();
    table.act(red, &offers[0]).unwrap();
    assert_eq!(seats(&table), [blue]);
    let mut b = builder();
    let wrong = load(
        &mut b,
        "rules.procedure('play', { one = ask { seat = 'red',
        offers = function(g, l, offer) offer:action('go_on') end, go_on = 'too' } })",
    );
    let problem = wrong.unwrap_err()[0].to_string();
    assert!(
        problem.contains("step `one`: there is no step `too` to go on with; there are: one"),
        "{problem}"
    );
}

#[test]
fn what_a_side_may_not_know_is_nil() {
    let mut table = table(&format!(
        "rules.point('defence', 't:4', nil, function(g, unit)
            return if unit.strength == nil then 9 else unit.strength end)
        rules.permit('may_enter', 't:5', nil, function(g, unit, space)
            local first = space:first('red')
            return if first == nil then nil else first:is('real') ~= true end)
        rules.permit('may_enter', 't:6', {{ spaces = 'b' }})
        rules.procedure('play', {{ start = function(g, l)
            g:move({{ g:unit('guard'), g:unit('dummy') }}, g:space('a'), 'set_up', 'stack')
            g:move(g:unit('scout'), g:space('c'), 'set_up')
            assert(g:publicly(function() return g:unit('guard') end) == nil)
            assert(g:seen_by('red', function() return g:unit('guard') end) ~= nil)
            return 'wait' end, {WAIT} }})"
    ));
    table.start().unwrap();
    let rb = table.rulebook();
    let (defence, enter) = (rb.point_named("defence").unwrap(), rb.point_named("may_enter").unwrap());
    let (guard, scout) = (table.body("guard"), table.body("scout"));
    let red = Some(Viewer::Side(SideId(0)));
    let blue = Some(Viewer::Side(SideId(1)));
    let space = |name: &str| PointArg::Space(rb.board().space_named(name).unwrap());
    assert_eq!(table.total(red, defence, &[PointArg::Body(guard)]), Ok(5));
    assert_eq!(table.total(blue, defence, &[PointArg::Body(guard)]), Ok(9));
    assert_eq!(table.total(None, defence, &[PointArg::Body(guard)]), Ok(5));
    let scout = PointArg::Body(scout);
    assert_eq!(table.total(blue, enter, &[scout, space("a")]), Ok(0));
    assert_eq!(table.total(None, enter, &[scout, space("a")]), Ok(1));
    assert_eq!(table.total(blue, enter, &[scout, space("b")]), Ok(1));
}

#[test]
fn a_verb_is_offered_for_each_of_a_list() {
    let offered = |body: &str| {
        let mut table = table(&format!(
            "rules.procedure('play', {{ wait = ask {{ seat = 'red',
                offers = function(g, l, offer) {body} end,
                go = done, pass = done, wait = done }} }})"
        ));
        table.start().unwrap();
        let red = table.rulebook().seat_named("red").unwrap();
        table.offers(red)
    };
    let each = "offer:each('go', g:spaces()) offer:each('wait', 'hold', { 1, 2 }) offer:each('pass', {})";
    let one_by_one = "for _, space in g:spaces() do offer:action('go', space) end
        offer:action('wait', 'hold', 1) offer:action('wait', 'hold', 2)";
    assert_eq!(offered(each).unwrap(), offered(one_by_one).unwrap());
    assert_eq!(offered(each).unwrap().len(), 5);
    let fault = offered("offer:each('go', 'a')").unwrap_err().to_string();
    assert!(fault.contains("comes last, as a list"), "{fault}");
}

#[test]
fn mistakes_are_explained_where_they_are() {
    for (body, message) in [
        ("l.at = 3", "scripts/test.luau:3: local `at`: expected space or nil, found 3 (play)"),
        (
            "l.att = nil",
            "scripts/test.luau:3: the procedure has no local `att` to set; did you mean `at`? (play)",
        ),
        (
            "g:unit('scout').stance = 'goo'",
            "scripts/test.luau:3: `stance` takes hold, go, not \"goo\" (play)",
        ),
        ("g:unit('scout').steps = 12", "scripts/test.luau:3: column `steps` takes 0 to 9, not 12"),
        (
            "g:roll('fire', { rule = 't:2', colum = 1 })",
            "scripts/test.luau:3: a roll takes no `colum`; did you mean `column`? (play)",
        ),
        (
            "return 'wat'",
            "scripts/test.luau:1: step `start` names `wat`; procedure `play` has no such step; did you mean `wait`? (play)",
        ),
        (
            "return nil",
            "scripts/test.luau:1: step `start` returns nil; return the name of the next step, `done`, or what \
             g:call gives (play)",
        ),
        (
            "return g:call('play', { at = g:space('d') }, 'wait')",
            "scripts/test.luau:3: there is no space `d`; did you mean `a`? (play)",
        ),
        (
            "return g:call('play', { ad = g:space('a') }, 'wait')",
            "scripts/test.luau:3: procedure `play` has no local `ad`; did you mean `at`? (play)",
        ),
        (
            "g:call('play', {}, 'wait')",
            "scripts/test.luau:1: step `start` prepared a call and does not return it (play)",
        ),
        (
            "local x = g:unit('scout').strenght",
            "scripts/test.luau:3: a unit has no `strenght`; did you mean `strength`? (play)",
        ),
    ] {
        let mut table = table(&format!(
            "rules.procedure('play', {{ locals = {{ at = 'space?' }}, start = function(g, l)\n\n{body}\n{} end, {WAIT} }})",
            if body.starts_with("return") { "" } else { "return 'wait'" }
        ));
        let fault = table.start().unwrap_err();
        assert_eq!(fault.to_string(), message, "{body}");
    }
}

#[test]
fn a_rule_that_is_switched_off_takes_its_scripts_along() {
    let mut b = builder();
    let script = format!(
        "rules.point('defence', 't:4', nil, function() return 3 end)
        rules.point('defence', 't:7', nil, function() return 4 end)
        rules.procedure('play', {{ {WAIT} }})"
    );
    let program = load(&mut b, &script).unwrap();
    open_with(&mut b, "play");
    let rule = b.rule("t:7");
    b.switch_off(rule);
    let mut table = Table::new(b, &program);
    table.start().unwrap();
    let point = table.rulebook().point_named("defence").unwrap();
    assert_eq!(table.total(None, point, &[]), Ok(3));
}

#[test]
fn handlers_are_given_their_targets() {
    let mut table = table(
        "rules.procedure('play', { locals = { sum = 'number' },
            wait = ask { seat = { 'red', 'blue' },
                offers = function(g, l, offer)
                    offer:action('add', 3, g:space('b'), 'hold', 'blue')
                end,
                add = function(g, l, n, space, word, side)
                    assert(n == 3 and space == g:space('b') and word == 'hold' and side == 'blue' and g.seat == 'blue')
                    l.sum += n
                    return 'wait'
                end } })",
    );
    table.start().unwrap();
    let blue = table.rulebook().seat_named("blue").unwrap();
    let offers = table.offers(blue).unwrap();
    assert_eq!(offers[0].targets[3], Target::Side(SideId(1)));
    table.act(blue, &offers[0]).unwrap();
    let other = Action::new(table.rulebook().word_named("hold").unwrap());
    let fault = table.act(blue, &other).unwrap_err();
    assert!(matches!(fault.what(), Fault::Rules { .. }), "{fault}");
}

/// Whoever mends a script is told where: the line of the call, or of the step in which the fault came up.
#[test]
fn every_fault_names_a_line() {
    let asks = |offers: &str, act: &str| {
        table(&format!(
            "rules.procedure('play', {{\n start = function(g, l) return 'wait' end,\n wait = ask {{ seat = 'red',\n\
             offers = function(g, l, offer)\n{offers}\nend,\ngo = function(g, l)\n{act}\nend }} }})"
        ))
    };
    for (line, says, act) in [
        (8, "column `turn` takes 0 to 9, not 99", "g:set(nil, 'turn', 99) return 'wait'"),
        (8, "column `turn` is of the game, so write nil", "g:set({}, 'turn', 1) return 'wait'"),
        (8, "the game has ended", "g:end_game('red', 't:1') g:end_game('red', 't:1') return done"),
        (
            8,
            "the script raised an error, and  it goes on",
            "error('the script raised an error, and\\n it goes on')",
        ),
        (7, "step `go` names `nowhere`", "return 'nowhere'"),
    ] {
        let mut table = asks("offer:action('go')", act);
        table.start().unwrap();
        let red = table.rulebook().seat_named("red").unwrap();
        let offers = table.offers(red).unwrap();
        let fault = table.act(red, &offers[0]).unwrap_err().to_string();
        assert!(fault.starts_with(&format!("scripts/test.luau:{line}: ")) && fault.contains(says), "{fault}");
    }
    let mut table = asks("offer:action('fly')", "return 'wait'");
    table.start().unwrap();
    let red = table.rulebook().seat_named("red").unwrap();
    let offers = table.offers(red).unwrap();
    let fault = table.act(red, &offers[0]).unwrap_err().to_string();
    assert_eq!(fault, "scripts/test.luau:4: procedure `play` offers `fly` and does nothing with it");
    let mut table = asks("local nothing = 'go'", "return 'wait'");
    table.start().unwrap();
    let (seat, prompt) = flow::pick_asked(table.state(), &mut |_| 0).unwrap();
    assert_eq!(
        flow::place_of_ask(table.rulebook(), table.worker(), table.state(), seat).as_deref(),
        Some("scripts/test.luau:4")
    );
    let fault = flow::dead_end(table.rulebook(), table.worker(), table.state(), seat, prompt).to_string();
    assert!(fault.starts_with("scripts/test.luau:4: ") && fault.ends_with("can do nothing"), "{fault}");
    let mut endless = crate::table("rules.procedure('play', {\nstart = function(g, l) return 'start' end })");
    let fault = endless.start().unwrap_err().to_string();
    assert!(fault.starts_with("scripts/test.luau:2: no seat was asked after "), "{fault}");
}

/// A name that is not there is found also where no call has come yet; blanks in quotes are no name.
#[test]
fn names_in_functions_are_looked_up_when_a_script_is_loaded() {
    let found = |script: &str| match load(&mut builder(), script) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    };
    let script = "local function never(g)\n local from = untit.space\n return math.random(6), tonumber(from)\nend\n\
                  local blanks = { \" \", \"  \" }\nreturn { never, blanks }";
    let problems = found(script);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems[0].starts_with("scripts/test.luau:2: `untit` is neither a local nor a name"),
        "{problems:?}"
    );
    assert!(problems[1].starts_with("scripts/test.luau:3: `math` has no `random`"), "{problems:?}");
    let right = script.replace("untit.space", "g.seat").replace("math.random(6)", "math.max(6)");
    assert_eq!(found(&right), [] as [String; 0]);
    let mut b = builder();
    assert!(load(&mut b, &right).is_ok());
    let problems = format!("{:?}", b.build().err());
    assert!(!problems.contains("empty name"), "texts of blanks are no words: {problems}");
}

#[test]
fn a_roll_raises_the_flags_of_its_table() {
    let play = |flags: &str, off: bool| {
        let mut b = builder();
        let (rule, flag) = (b.rule("t:8"), b.word("wet"));
        let table = b.so_far().table_named("fire").unwrap();
        b.table_modifier(TableModifier { table, rule, flag, die: -9, shift: 0 });
        if off {
            b.switch_off(rule);
        }
        let script = format!(
            "rules.procedure('play', {{ start = function(g, l)
                g.turn = g:roll('fire', {{ rule = 't:2', flags = {flags} }}) / 10 return 'wait' end, {WAIT} }})"
        );
        let program = load(&mut b, &script).unwrap();
        open_with(&mut b, "play");
        let mut table = Table::new(b, &program);
        table.start().map(|()| {
            let named = serde_json::to_value(table.state().named(table.rulebook())).unwrap();
            named["columns"]["turn"]["game"].to_string()
        })
    };
    // The die falls to the lowest row.
    let dry = play("{}", false).unwrap();
    assert_ne!(dry, play("{ 'wet' }", false).unwrap());
    // A rule that is switched off modifies nothing, and its flag may be raised all the same.
    assert_eq!(dry, play("{ 'wet' }", true).unwrap());
    assert!(play("{ 'dry' }", false).unwrap_err().to_string().contains("there is no flag `dry`"));
}

/// What makes sense and is not offered is refused by a rule; the rest is nothing that can be done now.
#[test]
fn what_is_not_offered_may_be_refused_by_a_rule() {
    let mut b = builder();
    b.rule("t:2");
    let program = load(
        &mut b,
        "rules.procedure('play', { wait = ask { seat = 'red', prompt = 'p',
            offers = function(g, l, offer)
                offer:action('pass', 1)
                offer:otherwise('t:1', 'pass', function(n) return what(n) == 'number' and n > 1 end)
                offer:otherwise('t:2', 'pass')
            end,
            pass = 'wait' } })",
    )
    .unwrap();
    open_with(&mut b, "play");
    let mut table = Table::new(b, &program);
    table.start().unwrap();
    let rb = table.rulebook();
    let red = rb.seat_named("red").unwrap();
    let pass = Action::new(rb.word_named("pass").unwrap());
    let judge = |action: &Action| flow::judge(rb, table.worker(), table.state(), red, action).unwrap();
    let rule = |action: Action| match judge(&action) {
        Some(Err(refusal)) => Some(rb.rule(refusal.rule).to_owned()),
        Some(Ok(())) => Some("offered".to_owned()),
        None => None,
    };
    assert_eq!(rule(pass.on(1i16)).as_deref(), Some("offered"));
    assert_eq!(rule(pass.on(2i16)).as_deref(), Some("t:1"));
    assert_eq!(rule(pass.on(-1i16)).as_deref(), Some("t:2"));
    assert_eq!(rule(pass.on(BodyId(0))), None, "a slip of the pen: it takes numbers");
    assert_eq!(rule(Action::new(rb.word_named("p").unwrap())), None);
}

/// A verb with a test: each action is judged by it, and one that is drawn is tested alone.
#[test]
fn what_makes_sense_is_tested_when_it_is_asked_for() {
    let ask = |unless: &str| {
        format!(
            "rules.procedure('play', {{ locals = {{ tests = 'number' }}, wait = ask {{ seat = 'red',
                offers = function(g, l, offer)
                    for n = 1, 9 do offer:action('go', n, g:space('a')) end
                    offer:unless('t:1', 'go', 10) offer:action('pass')
                end,
                unless = {unless},
                go = 'wait', pass = 'wait' }} }})"
        )
    };
    let mut table = table(&ask("{ go = function(g, l, n, at)
        return if n % 3 == 0 and at.name == 'a' and l.tests == 0 and g.seat == 'red' then nil else 't:1' end }"));
    table.start().unwrap();
    let rb = table.rulebook();
    let red = rb.seat_named("red").unwrap();
    let [go, pass] = ["go", "pass"].map(|verb| Action::new(rb.word_named(verb).unwrap()));
    let at = rb.board().space_named("a").unwrap();
    let allowed = [3i16, 6, 9].map(|n| go.on(n).on(at));
    assert_eq!(table.offers(red).unwrap(), [&allowed[..], &[pass]].concat());
    let judge = |action: &Action| flow::judge(rb, table.worker(), table.state(), red, action).unwrap();
    assert!(matches!(judge(&allowed[1]), Some(Ok(()))));
    assert!(matches!(judge(&go.on(4i16).on(at)), Some(Err(_))));
    assert!(matches!(judge(&go.on(10i16)), Some(Err(_))));
    // All that is allowed is drawn, equally often, and nothing else.
    let (mut urn, mut drawn, mut turn) = (adjutant_kernel::decisions::Urn::default(), Vec::new(), 0);
    for _ in 0..4000 {
        let mut below = |n: usize| {
            turn = (turn * 75 + 74) % 65_537;
            turn % n
        };
        let draw = flow::draw(rb, table.worker(), table.state(), red, &mut urn, &mut below).unwrap();
        drawn.push(draw.unwrap());
    }
    for action in allowed.iter().chain([&pass]) {
        let times = drawn.iter().filter(|drawn| *drawn == action).count();
        assert!((800..1200).contains(&times), "{action:?}: {times} of 4000");
    }
    assert!(drawn.iter().all(|drawn| allowed.contains(drawn) || *drawn == pass));
    // What a test gives, and what it is about.
    let fault = |unless: &str| {
        let mut table = crate::table(&ask(unless));
        table.start().unwrap();
        table.offers(red).unwrap_err().to_string()
    };
    let not_a_rule = fault("{ go = function(g, l, n) return 7 end }");
    assert!(
        not_a_rule.contains("the test of `go` in line 6 returns 7; it may return a rule, or nil"),
        "{not_a_rule}"
    );
    let unknown = fault("{ go = function(g, l, n) return 'nonsense' end }");
    assert!(unknown.contains("there is no rule `nonsense`"), "{unknown}");
    let wrong = |unless: &str| load(&mut builder(), &ask(unless)).unwrap_err()[0].to_string();
    let odd = wrong("{ fly = function(g, l) return nil end }");
    assert!(odd.contains("`unless` tests `fly`, and nothing follows that verb here"), "{odd}");
    let none = wrong("function(g) return 't:1' end");
    assert!(none.contains("`unless` is a table"), "{none}");
    let none = wrong("{ go = 't:1' }");
    assert!(none.contains("`unless` holds for verbs a function"), "{none}");
}

/// One call cannot fill the memory with operations, and procedures cannot call one another without end.
#[test]
fn operations_and_frames_are_bounded() {
    let fault = |script: &str| {
        let mut b = builder();
        let program = load(&mut b, script).unwrap();
        open_with(&mut b, "play");
        let mut table = Table::new(b, &program);
        table.start().unwrap();
        let red = table.rulebook().seat_named("red").unwrap();
        for _ in 0..2000 {
            let offers = table.offers(red).unwrap();
            if let Err(fault) = table.act(red, &offers[0]) {
                return fault.to_string();
            }
        }
        panic!("it goes on");
    };
    let changes = fault(
        "rules.procedure('play', { wait = ask { seat = 'red',
            offers = function(g, l, offer) offer:action('pass') end,
            pass = function(g, l) for i = 1, 100000 do g.turn = 1 g.turn = 2 end return 'wait' end } })",
    );
    assert!(changes.contains("the script ran too long"), "{changes}");
    let calls = fault(
        "rules.procedure('play', { wait = ask { seat = 'red',
            offers = function(g, l, offer) offer:action('pass') end,
            pass = function(g, l) return g:call('play', {}, 'wait') end } })",
    );
    assert!(calls.contains("more than 1000 procedures wait on one another; the last is `play`"), "{calls}");
}

/// A local that a side may not see is not the truth in worlds sampled for it, and the script says what it is.
#[test]
fn a_script_imagines_its_secrets() {
    let script = format!(
        "local watch = rules.procedure('watch', {{
            locals = {{ by = 'side', trap = 'owner unit' }}, owner = 'by',
            imagine = function(g, l, draw, caller)
                l.trap = caller.trap
            end,
            {}
        }})
        rules.procedure('play', {{
            locals = {{ by = 'side?', trap = 'hidden unit?', stake = 'hidden number' }},
            imagine = function(g, l, draw, caller)
                assert(caller == nil and l.by == 'red' and l.trap == nil and l.stake == 0)
                l.trap = draw:one_of({{ g:unit('guard'), g:unit('dummy') }})
                l.stake = draw:number(4, 6)
                assert(draw:one_of({{}}) == nil)
            end,
            start = function(g, l)
                l.by, l.trap, l.stake = 'red', g:unit('dummy'), 5
                return g:call(watch, {{ by = 'red', trap = l.trap }}, 'start')
            end }})",
        WAIT.replace("'red'", "'blue'")
    );
    let mut table = table(&script);
    table.start().unwrap();
    let (state, blue) = (table.state().clone(), Viewer::Side(SideId(1)));
    let mut worker = table.worker().branch_off();
    let (mut seen, mut word) = (std::collections::BTreeSet::new(), 1u64);
    for seed in 0..60 {
        let mut random = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            word
        };
        let key = adjutant_kernel::chance::Key::from_seed(seed);
        let world = flow::determinize(table.rulebook(), &mut worker, &state, blue, key, &mut random).unwrap();
        let named = serde_json::to_value(world.named(table.rulebook())).unwrap();
        let [outer, inner] = [0, 1].map(|n| named["frames"][n]["locals"].clone());
        assert_eq!(outer["trap"], inner["trap"]);
        seen.insert((outer["trap"].to_string(), outer["stake"].to_string()));
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn a_script_that_hides_a_local_says_how_it_is_imagined() {
    let problem = |locals: &str, imagine: &str| {
        let script = format!("rules.procedure('play', {{ locals = {{ {locals} }}, {imagine} {WAIT} }})");
        load(&mut builder(), &script).err().map(|problems| problems[0].to_string())
    };
    let how = "`imagine` is a function of `g`, the locals, `draw` and the locals of the caller that sets what is \
               hidden, \"blank\", or \"drawn\" (flags and choices)";
    assert_eq!(
        problem("plan = 'hidden flag'", ""),
        Some(format!(
            "scripts/test.luau:1: the procedure hides its local `plan` and does not say what others imagine in its \
             place; {how}"
        ))
    );
    assert_eq!(
        problem("plan = 'hidden unit?'", "imagine = 'drawn',"),
        Some(format!(
            "scripts/test.luau:1: the procedure has its local `plan` drawn, which is a body or none; flags and \
             choices can be; {how}"
        ))
    );
    assert_eq!(problem("plan = 'flag'", "imagine = 'guessed',"), Some(format!("scripts/test.luau:1: {how}")));
    assert_eq!(problem("plan = 'hidden flag'", "imagine = 'drawn',"), None);
    assert_eq!(problem("plan = 'hidden unit?'", "imagine = 'blank',"), None);
}

/// What an `imagine` function does that it may not is a fault, and what is seen stays as it is.
#[test]
fn what_imagines_changes_nothing_else() {
    let outcome = |imagine: &str, start: &str| {
        let mut table = table(&format!(
            "rules.procedure('play', {{ locals = {{ plan = 'hidden number', shown = 'number' }},
                imagine = function(g, l, draw) {imagine} end,
                start = function(g, l) {start} return 'wait' end, {WAIT} }})"
        ));
        let started = table.start().map_err(|fault| fault.to_string());
        started.and_then(|()| {
            let (state, mut worker) = (table.state().clone(), table.worker().branch_off());
            let key = adjutant_kernel::chance::Key::from_seed(1);
            let world =
                flow::determinize(table.rulebook(), &mut worker, &state, Viewer::Public, key, &mut || 9);
            let named = world.map(|w| serde_json::to_value(w.named(table.rulebook())).unwrap());
            named
                .map(|n| ["plan", "shown"].map(|name| n["frames"][0]["locals"][name].to_string()))
                .map_err(|fault| fault.to_string())
        })
    };
    assert_eq!(
        outcome("l.plan = 2 l.shown = 3", "l.plan = 1 l.shown = 7"),
        Ok(["2", "7"].map(str::to_owned))
    );
    let said = |imagine: &str| outcome(imagine, "").unwrap_err();
    let wrote = said("g.turn = 3");
    assert!(wrote.contains("only a step of a procedure may change anything"), "{wrote}");
    let bad = said("l.plan = draw:number(3, 1)");
    assert!(bad.contains("the first no greater than the second"), "{bad}");
}

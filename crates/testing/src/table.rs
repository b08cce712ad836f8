//! `t`: what a test calls to set up games and to say what must hold.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use adjutant::kernel::{Refused, SeatId};
use adjutant::text::Text;
use adjutant::{Game, Pack, Random, Rules, Setup};
use adjutant_script::strict;
use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use crate::actions::{self, Wanted};
use crate::game::game_table;
use crate::seats::{seat_of, tell};
use crate::values::{fail, json, name, same, show, word};

/// How seats decide for which the test does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Others {
    /// They do not: the game waits.
    Wait,
    /// They decline whatever they may decline.
    Decline,
    /// At random.
    Random,
}

/// A game of a test.
pub(crate) struct Played {
    pub(crate) game: Game,
    pub(crate) others: Others,
    pub(crate) random: Random,
    /// The seats for which the test decides.
    pub(crate) taken: Vec<SeatId>,
}

impl Played {
    /// What was wrong, if a seat (`None`: the umpire) was refused for a fault: to be put at the end of a message.
    pub(crate) fn fault_text(&self, seat: Option<SeatId>, refused: &Refused) -> String {
        match refused {
            Refused::Fault(number) => {
                self.game.fault(seat, *number).map(|fault| format!(": {fault}")).unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}

/// What a test works with.
pub(crate) struct Inner {
    pub(crate) rules: Rules,
    pub(crate) text: Text,
    pub(crate) games: RefCell<Games>,
    /// What the test has shown.
    pub(crate) shown: RefCell<Vec<String>>,
}

/// The games of a test that are kept, by the order in which they were begun.
#[derive(Default)]
pub(crate) struct Games {
    begun: usize,
    latest: VecDeque<Played>,
}

/// Games of a test that are kept, at most: one that goes through a thousand seeds looks at each game and goes on.
const MOST_GAMES: usize = 64;

impl Games {
    /// Keeps a game; gives its number.
    fn push(&mut self, game: Played) -> usize {
        if self.latest.len() == MOST_GAMES {
            self.latest.pop_front();
        }
        self.latest.push_back(game);
        self.begun += 1;
        self.begun - 1
    }

    fn get_mut(&mut self, number: usize) -> mlua::Result<&mut Played> {
        let gone = self.begun - self.latest.len();
        if number < gone {
            return fail(format!("{MOST_GAMES} other games were begun since; a test keeps no more"));
        }
        match self.latest.get_mut(number - gone) {
            Some(played) => Ok(played),
            None => fail("the game of another test is over"),
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Bytes that a test may show, at most.
const MOST_SHOWN: usize = 1 << 20;

/// What the tests of a file work with.
#[derive(Clone)]
pub(crate) struct Bench(pub(crate) Rc<Inner>);

impl Bench {
    pub(crate) fn new(pack: &Pack) -> Self {
        Self(Rc::new(Inner {
            rules: pack.into(),
            text: pack.text("en"),
            games: RefCell::default(),
            shown: RefCell::default(),
        }))
    }

    /// Forgets all games; gives what was shown.
    pub(crate) fn clear(&self) -> Vec<String> {
        self.0.games.borrow_mut().clear();
        std::mem::take(&mut *self.0.shown.borrow_mut())
    }

    /// Shows values to whoever runs the tests, with the line that does.
    fn show(&self, lua: &Lua, values: &MultiValue) -> mlua::Result<()> {
        let line = lua.inspect_stack(1, |debug| debug.current_line()).flatten().unwrap_or(0);
        let values: Vec<String> = values
            .iter()
            .map(|value| match value {
                Value::String(text) => text.to_string_lossy(),
                other => show(other),
            })
            .collect();
        let mut shown = self.0.shown.try_borrow_mut().map_err(mlua::Error::external)?;
        let text = format!("{line}: {}", values.join(" "));
        if shown.iter().map(String::len).sum::<usize>() + text.len() > MOST_SHOWN {
            return fail("a test shows no more than a megabyte");
        }
        shown.push(text);
        Ok(())
    }

    /// Does something with a game.
    pub(crate) fn with<R>(
        &self,
        game: usize,
        work: impl FnOnce(&mut Played, &Text) -> mlua::Result<R>,
    ) -> mlua::Result<R> {
        let mut games = self.0.games.try_borrow_mut().map_err(mlua::Error::external)?;
        work(games.get_mut(game)?, &self.0.text)
    }

    fn begin(&self, lua: &Lua, wanted: Option<&Table>) -> mlua::Result<Table> {
        let (setup, others) = wanted.map_or_else(|| Ok((Setup::default(), Others::Wait)), read_setup)?;
        let random = Random::new(setup.seed);
        let game =
            Game::start(&self.0.rules, setup).map_err(|error| mlua::Error::runtime(error.to_string()))?;
        let index = {
            let mut games = self.0.games.try_borrow_mut().map_err(mlua::Error::external)?;
            games.push(Played { game, others, random, taken: Vec::new() })
        };
        game_table(lua, self, index)
    }

    /// The table `t`.
    pub(crate) fn test_table(&self, lua: &Lua) -> mlua::Result<Table> {
        let t = lua.create_table()?;
        let bench = self.clone();
        let begin = move |lua: &Lua, wanted: Option<Table>| bench.begin(lua, wanted.as_ref());
        t.raw_set("game", lua.create_function(begin)?)?;
        for (name, check) in [
            ("offered", offered as Check),
            ("not_offered", not_offered),
            ("stopped", stopped),
            ("refused", refused),
            ("log", log),
        ] {
            let bench = self.clone();
            t.raw_set(
                name,
                lua.create_function(move |_, args: MultiValue| {
                    let mut args: Vec<Value> = args.into_iter().collect();
                    if args.is_empty() {
                        return fail(format!("t.{name} takes a seat first"));
                    }
                    let (game, seat) = seat_of(&args.remove(0))?;
                    bench.with(game, |played, text| check(played, text, seat, &args))
                })?,
            )?;
        }
        t.raw_set("eq", lua.create_function(eq)?)?;
        let bench = self.clone();
        let show = move |lua: &Lua, values: MultiValue| bench.show(lua, &values);
        t.raw_set("show", lua.create_function(show)?)?;
        t.raw_set("raises", lua.create_function(raises)?)?;
        let bench = self.clone();
        t.raw_set("twins", lua.create_function(move |lua, args| twins(&bench, lua, args))?)?;
        strict(lua, &t, "`t`")?;
        Ok(t)
    }
}

/// Something that must hold of a game, said with a seat and what follows it.
type Check = fn(&mut Played, &Text, SeatId, &[Value]) -> mlua::Result<()>;

fn read_setup(wanted: &Table) -> mlua::Result<(Setup, Others)> {
    let (mut setup, mut others) = (Setup { seed: 1, ..Setup::default() }, Others::Wait);
    for pair in wanted.pairs::<LuaString, Value>() {
        let (key, value) = pair?;
        match (&*key.to_str()?, &value) {
            ("scenario", value) => setup.scenario = Some(name(value, "a scenario")?),
            ("seed", value) => {
                let seed = word(value).and_then(|text| text.parse().ok());
                setup.seed =
                    seed.map_or_else(|| fail(format!("a seed is a whole number, not {}", show(value))), Ok)?;
            }
            ("options", Value::Table(options)) => {
                for pair in options.pairs::<Value, Value>() {
                    match pair? {
                        (Value::String(option), Value::Boolean(on)) => {
                            let list = if on { &mut setup.options } else { &mut setup.without };
                            list.push(option.to_str()?.to_owned());
                        }
                        (_, option) => setup.options.push(name(&option, "an option")?),
                    }
                }
            }
            ("others", value) => {
                others = match word(value).as_deref() {
                    Some("decline") => Others::Decline,
                    Some("random") => Others::Random,
                    Some("wait") => Others::Wait,
                    _ => {
                        return fail(format!(
                            "`others` is \"decline\", \"random\" or \"wait\", not {}",
                            show(value)
                        ));
                    }
                };
            }
            (key, value) => {
                return fail(format!(
                    "t.game takes scenario, options, seed and others, not `{key}` = {}",
                    show(value)
                ));
            }
        }
    }
    Ok((setup, others))
}

fn seat_name(played: &Played, seat: SeatId) -> String {
    played.game.rulebook().seat(seat).name.clone()
}

fn offered(played: &mut Played, text: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<()> {
    let wanted = Wanted::read(args)?;
    let who = seat_name(played, seat);
    match actions::find(played, seat, &wanted)? {
        Ok(_) => Ok(()),
        Err(refused) => {
            let list = actions::alike(played, seat, &wanted)?;
            fail(format!(
                "expected that `{wanted}` is offered to {who}, found: {}; {list}",
                text.refused(&refused)
            ))
        }
    }
}

fn not_offered(played: &mut Played, _: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<()> {
    let wanted = Wanted::read(args)?;
    let who = seat_name(played, seat);
    match actions::find(played, seat, &wanted)? {
        Ok(_) => fail(format!("expected that `{wanted}` is not offered to {who}, found that it is")),
        Err(_) => Ok(()),
    }
}

/// What comes last is a rule id.
fn with_rule<'a>(what: &str, args: &'a [Value]) -> mlua::Result<(&'a [Value], String)> {
    match args.split_last() {
        Some((last, rest)) if word(last).is_some_and(|text| text.contains(':')) && !rest.is_empty() => {
            Ok((rest, name(last, "a rule")?))
        }
        _ => fail(format!("t.{what} takes a seat, an action and, last, a rule id")),
    }
}

fn refused(played: &mut Played, text: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<()> {
    let (args, rule) = with_rule("refused", args)?;
    let wanted = Wanted::read(args)?;
    let who = seat_name(played, seat);
    let expected = format!("expected that {rule} forbids `{wanted}` to {who}, found");
    match actions::find(played, seat, &wanted)? {
        Err(Refused::Rule { rule: found }) if found == rule => Ok(()),
        Err(other) => fail(format!("{expected}: {}", text.refused(&other))),
        Ok(_) => fail(format!("{expected} that it may be done")),
    }
}

fn stopped(played: &mut Played, text: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<()> {
    let (args, rule) = with_rule("stopped", args)?;
    let wanted = Wanted::read(args)?;
    let who = seat_name(played, seat);
    let expected = format!("expected that `{wanted}` of {who} is stopped by {rule}, found");
    let action = match actions::find(played, seat, &wanted)? {
        Ok(action) => action,
        Err(refused) => return fail(format!("{expected} that it is refused: {}", text.refused(&refused))),
    };
    let events = actions::act(played, seat, &action, &wanted, text)?;
    let is = |event: &&adjutant::kernel::events::ShownEvent| event.event == "stopped";
    match events.iter().find(is) {
        Some(event) if event.rule.as_deref() == Some(rule.as_str()) => Ok(()),
        Some(event) => fail(format!("{expected}: {}", text.event(event))),
        None => fail(format!("{expected} that it is carried out{}", tell(text, &events))),
    }
}

fn log(played: &mut Played, text: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<()> {
    let wanted = match args {
        [wanted] => name(wanted, "what the log must say")?,
        _ => return fail("t.log takes a seat and a text"),
    };
    let lines = played.game.log(seat).iter().flatten().filter(|event| !event.detail);
    let lines: Vec<String> = lines.map(|event| text.event(event)).collect();
    if lines.iter().any(|line| line.contains(&wanted)) {
        return Ok(());
    }
    let last: String = lines.iter().rev().take(8).rev().map(|line| format!("\n    {line}")).collect();
    fail(format!("expected `{wanted}` in the log of {}, found{last}", seat_name(played, seat)))
}

fn eq(_: &Lua, (found, expected): (Value, Value)) -> mlua::Result<()> {
    if same(&found, &expected)? {
        return Ok(());
    }
    fail(format!("expected {}, found {}", show(&expected), show(&found)))
}

fn raises(_: &Lua, (function, text): (Function, Option<LuaString>)) -> mlua::Result<()> {
    let wanted = text.map(|text| text.to_string_lossy().clone()).unwrap_or_default();
    match function.call::<MultiValue>(()) {
        Ok(_) => fail(format!(
            "expected an error{}, found none",
            if wanted.is_empty() { String::new() } else { format!(" with `{wanted}`") }
        )),
        Err(error) if error.to_string().contains(&wanted) => Ok(()),
        Err(error) => fail(format!("expected an error with `{wanted}`, found {error}")),
    }
}

type Twins = (Value, Function, Function, Option<Table>);

/// Two set-ups that differ only in what a seat may not know must look the same to it.
fn twins(bench: &Bench, lua: &Lua, (seat, a, b, wanted): Twins) -> mlua::Result<()> {
    let name = match &seat {
        Value::Table(table) => table.raw_get::<Value>("name")?,
        other => other.clone(),
    };
    let mut seen = Vec::new();
    for function in [a, b] {
        let game = bench.begin(lua, wanted.as_ref())?;
        let (index, id) = seat_of(&Value::Table(game.get::<Function>("seat")?.call::<Table>(name.clone())?))?;
        function.call::<MultiValue>(game)?;
        seen.push(bench.with(index, |played, _| {
            let packet = played.game.packet(id);
            let log = json(&played.game.log(id));
            Ok(renamed(json(&packet), log))
        })?);
    }
    if seen[0] == seen[1] {
        return Ok(());
    }
    let lines = |value: &serde_json::Value| format!("{value:#}");
    let (one, two) = (lines(&seen[0]), lines(&seen[1]));
    let differ = one.lines().zip(two.lines()).find(|(a, b)| a != b);
    let (x, y) = differ.map_or(("more", "less"), |(x, y)| (x.trim(), y.trim()));
    fail(format!(
        "expected that {} sees the same in both, found `{x}` in one and `{y}` in the other",
        show(&name)
    ))
}

/// What a seat sees with handles numbered in the order in which they occur: which letters they have is nobody's
/// business.
fn renamed(packet: serde_json::Value, log: serde_json::Value) -> serde_json::Value {
    fn collect(value: &serde_json::Value, handles: &mut Vec<String>) {
        match value {
            serde_json::Value::Array(list) => list.iter().for_each(|item| collect(item, handles)),
            serde_json::Value::Object(map) => {
                for (key, item) in map {
                    match item {
                        serde_json::Value::String(handle) if key == "handle" => {
                            if !handles.contains(handle) {
                                handles.push(handle.clone());
                            }
                        }
                        other => collect(other, handles),
                    }
                }
            }
            _ => {}
        }
    }
    fn rename(value: &mut serde_json::Value, handles: &[String]) {
        match value {
            serde_json::Value::String(text) => {
                if let Some(n) = handles.iter().position(|h| h == text) {
                    *text = format!("handle {n}");
                }
            }
            serde_json::Value::Array(list) => list.iter_mut().for_each(|item| rename(item, handles)),
            serde_json::Value::Object(map) => map.values_mut().for_each(|item| rename(item, handles)),
            _ => {}
        }
    }
    let mut all = serde_json::json!([packet, log]);
    let mut handles = Vec::new();
    collect(&all, &mut handles);
    rename(&mut all, &handles);
    all
}

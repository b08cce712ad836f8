//! `g`: a game of a test, as its umpire handles it.

use adjutant::NamedEdit;
use adjutant::kernel::rulebook::ValueKind;
use adjutant::kernel::view::{Ciphers, Names};
use adjutant::kernel::{ColumnId, Read, Refused, Rulebook, SpaceId, WordId};
use adjutant_script::strict;
use mlua::{Lua, Table, Value};

use crate::charts::look_up;
use crate::decline;
use crate::map::{counters, map};
use crate::seats::seat_table;
use crate::table::{Bench, Played};
use crate::values::{fail, json, name, show, to_lua, word};

/// The table `g`.
pub(crate) fn game_table(lua: &Lua, bench: &Bench, index: usize) -> mlua::Result<Table> {
    let g = lua.create_table()?;
    let with = |work: Work| {
        let bench = bench.clone();
        lua.create_function(move |lua, args: mlua::MultiValue| {
            let args: Vec<Value> = args.into_iter().collect();
            bench.with(index, |played, _| work(lua, played, &args))
        })
    };
    for (name, work) in [
        ("place", place as Work),
        ("move", move_pieces),
        ("set", set),
        ("get", get),
        ("force", force),
        ("skip", skip),
        ("next_turn", next_turn),
        ("advance_to", advance_to),
        ("view", view),
        ("map", map),
        ("look_up", look_up),
        ("counters", counters),
        ("phase", phase),
        ("side", side),
        ("winner", winner),
        ("ended", ended),
    ] {
        g.raw_set(name, with(work)?)?;
    }
    let bench = bench.clone();
    let seat = lua.create_function(move |lua, seat: Value| seat_table(lua, &bench, index, &seat))?;
    g.raw_set("seat", seat)?;
    strict(lua, &g, "the game of a test")?;
    Ok(g)
}

type Work = fn(&Lua, &mut Played, &[Value]) -> mlua::Result<Value>;

/// A name, or a list of names.
fn names(value: Option<&Value>, what: &str) -> mlua::Result<Vec<String>> {
    match value {
        Some(Value::Table(list)) => list.sequence_values::<Value>().map(|item| name(&item?, what)).collect(),
        Some(one) => Ok(vec![name(one, what)?]),
        None => fail(format!("{what} is missing")),
    }
}

/// Makes edits as the umpire; says what is refused.
fn edit(played: &mut Played, edits: &[NamedEdit]) -> mlua::Result<()> {
    played.game.edit(edits).or_else(|refused| {
        let fault = played.fault_text(None, &refused);
        fail(format!("the position cannot be changed so: {refused}{fault}"))
    })
}

fn place(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let pieces = names(args.first(), "a piece")?;
    let at = name(args.get(1).unwrap_or(&Value::Nil), "a place")?;
    let (mut up, mut stack) = (false, false);
    match args.get(2) {
        None | Some(Value::Nil) => {}
        Some(Value::Table(how)) => {
            for pair in how.pairs::<String, bool>() {
                match pair? {
                    (key, flag) if key == "up" => up = flag,
                    (key, flag) if key == "stack" => stack = flag,
                    (key, _) => return fail(format!("g.place takes up and stack, not `{key}`")),
                }
            }
        }
        Some(other) => {
            return fail(format!("g.place takes {{ up = .., stack = .. }} last, not {}", show(other)));
        }
    }
    let mut edits = vec![NamedEdit::Place { pieces: pieces.clone(), place: at, stacked: stack }];
    let rb = played.game.rulebook().clone();
    let read = Read::new(&rb, played.game.state());
    for piece in &pieces {
        let id = rb.piece_named(piece).map_or_else(|| fail(format!("there is no piece `{piece}`")), Ok)?;
        let is_up = read.body_of(id).is_some_and(|body| read.face_up(body));
        match (up, is_up) {
            (true, false) => edits.push(NamedEdit::Reveal(piece.clone())),
            // A piece without a back is always face up.
            (false, true) if rb.piece(id).deck.is_some() => edits.push(NamedEdit::Conceal(piece.clone())),
            _ => {}
        }
    }
    edit(played, &edits)?;
    Ok(Value::Nil)
}

fn move_pieces(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let pieces = names(args.first(), "a piece")?;
    let place = name(args.get(1).unwrap_or(&Value::Nil), "a place")?;
    edit(played, &[NamedEdit::Place { pieces, place, stacked: false }])?;
    Ok(Value::Nil)
}

/// A column with its holder and side: `column`, then what has it (none for one of the game), then the side.
struct Cell {
    column: ColumnId,
    holder: u16,
    side: u8,
}

fn cell(played: &Played, column: &str, of: Option<&str>, side: Option<&str>) -> mlua::Result<Cell> {
    let rb = played.game.rulebook();
    let mut ciphers = Ciphers::default();
    let state = played.game.state();
    let names = Names::new(state.ciphers(rb, &mut ciphers), Read::new(rb, state));
    let (id, holder) =
        names.read_cell(column, of).map_err(|what| mlua::Error::runtime(format!("there is no {what}")))?;
    let side = match (side, rb.column(id).by_side) {
        (None, false) => 0,
        (Some(name), true) => {
            rb.side_named(name).map_or_else(|| fail(format!("there is no side `{name}`")), |s| Ok(s.0))?
        }
        (Some(_), false) => return fail(format!("column `{column}` has no value a side; name none")),
        (None, true) => return fail(format!("column `{column}` has one value a side; name the side")),
    };
    Ok(Cell { column: id, holder, side })
}

fn set(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let column = name(args.first().unwrap_or(&Value::Nil), "a column")?;
    let (of, value, side) = match args {
        [_, value] => (None, value, None),
        [_, of, value] => (word(of), value, None),
        [_, of, value, side] => (word(of), value, Some(name(side, "a side")?)),
        _ => {
            return fail(
                "g.set takes a column, what has it (not for one of the game), a value, and a side for one a side",
            );
        }
    };
    let cell = cell(played, &column, of.as_deref(), side.as_deref())?;
    let value = number(played.game.rulebook(), cell.column, value)?;
    edit(played, &[NamedEdit::Set { column, of, side, value }])?;
    Ok(Value::Nil)
}

/// A value of a column as a number.
fn number(rb: &Rulebook, column: ColumnId, value: &Value) -> mlua::Result<i32> {
    let def = rb.column(column);
    let found = match (&def.kind, value) {
        (ValueKind::Flag, Value::Boolean(flag)) => Some(i32::from(*flag)),
        (ValueKind::Side | ValueKind::Space, Value::Nil) => Some(-1),
        (ValueKind::Side, value) => word(value).and_then(|n| rb.side_named(&n)).map(|s| s.0.into()),
        (ValueKind::Space, value) => word(value).and_then(|n| rb.board().space_named(&n)).map(|s| s.0.into()),
        (ValueKind::Choice(words), value) => {
            let name = word(value);
            words.iter().position(|w| name.as_deref() == Some(rb.word(*w))).map(|n| n as i32)
        }
        (ValueKind::Int { .. } | ValueKind::Flag, value) => word(value).and_then(|n| n.parse().ok()),
    };
    found.map_or_else(|| fail(format!("column `{}` does not take {}", def.name, show(value))), Ok)
}

fn get(lua: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let column = name(args.first().unwrap_or(&Value::Nil), "a column")?;
    let of = args.get(1).and_then(word);
    let side = args.get(2).and_then(word);
    let cell = cell(played, &column, of.as_deref(), side.as_deref())?;
    let rb = played.game.rulebook();
    let value = Read::new(rb, played.game.state()).cell(cell.column, cell.holder, cell.side);
    let text = |text: &str| lua.create_string(text).map(Value::String);
    let index = |count: usize| usize::try_from(value).ok().filter(|n| *n < count);
    match &rb.column(cell.column).kind {
        ValueKind::Int { .. } => Ok(Value::Number(value.into())),
        ValueKind::Flag => Ok(Value::Boolean(value != 0)),
        ValueKind::Choice(words) => {
            let word: Option<WordId> = index(words.len()).map(|n| words[n]);
            word.map_or(Ok(Value::Nil), |word| text(rb.word(word)))
        }
        ValueKind::Side => index(rb.sides().len()).map_or(Ok(Value::Nil), |n| text(&rb.sides()[n])),
        ValueKind::Space => index(rb.board().space_count())
            .map_or(Ok(Value::Nil), |n| text(rb.board().space_name(SpaceId(n as u16)))),
    }
}

fn force(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let table = name(args.first().unwrap_or(&Value::Nil), "a table")?;
    let value = args.get(1).and_then(word).and_then(|text| text.parse().ok());
    let Some(value) = value else { return fail("g.force takes a table and the number that its die shows") };
    let forced = played.game.force(&table, value);
    match forced {
        Ok(()) => Ok(Value::Nil),
        Err(Refused::Unknown(_)) => {
            let known: Vec<&str> = played.game.rulebook().table_names().collect();
            fail(format!("there is no table `{table}`; the tables are {}", known.join(", ")))
        }
        Err(refused @ Refused::CannotShow { .. }) => {
            fail(format!("{refused}; of several dice each takes a call of its own"))
        }
        Err(refused) => fail(refused.to_string()),
    }
}

fn skip(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let rule = name(args.first().unwrap_or(&Value::Nil), "a rule")?;
    played.game.skip(&rule).map_err(|refused| mlua::Error::runtime(refused.to_string()))?;
    Ok(Value::Nil)
}

/// The next turn of a side (any side where none is named), or the next phase of a name in it.
fn next_turn(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let side = args.first().and_then(word);
    let phase = args.get(1).and_then(word);
    decline::until(played, phase.as_deref(), side.as_deref(), true)?;
    Ok(Value::Nil)
}

fn advance_to(_: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let phase = name(args.first().unwrap_or(&Value::Nil), "a phase")?;
    let side = args.get(1).and_then(word);
    decline::until(played, Some(&phase), side.as_deref(), false)?;
    Ok(Value::Nil)
}

/// The position as the umpire sees it.
fn view(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let mut ciphers = Ciphers::default();
    let state = played.game.state();
    let names = Names::new(state.ciphers(rb, &mut ciphers), Read::new(rb, state));
    to_lua(lua, &json(&adjutant::kernel::view::view(&names, None, None)))
}

fn phase(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let phase = played.game.state().phase();
    phase.map_or(Ok(Value::Nil), |phase| lua.create_string(rb.word(phase)).map(Value::String))
}

fn side(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let side = Read::new(rb, played.game.state()).phasing();
    side.map_or(Ok(Value::Nil), |side| lua.create_string(&rb.sides()[side.index()]).map(Value::String))
}

fn winner(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let winner = played.game.state().outcome().and_then(|outcome| outcome.winner);
    winner.map_or(Ok(Value::Nil), |side| lua.create_string(&rb.sides()[side.index()]).map(Value::String))
}

fn ended(_: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    Ok(Value::Boolean(played.game.ended()))
}

//! A seat of a test: it does what a frontend would.

use adjutant::kernel::SeatId;
use adjutant::kernel::events::ShownEvent;
use adjutant::text::Text;
use mlua::{Lua, MultiValue, Table, Value};

use crate::actions::{self, Wanted};
use crate::decline;
use crate::table::{Bench, Played};
use crate::values::{fail, json, name, show, to_lua};

/// The fields by which a seat's table says whose it is.
const GAME: &str = "(game)";
const SEAT: &str = "(seat)";

/// The table of a seat. From now on the test decides for it.
pub(crate) fn seat_table(lua: &Lua, bench: &Bench, game: usize, seat: &Value) -> mlua::Result<Table> {
    let wanted = name(seat, "a seat")?;
    let id = bench.with(game, |played, _| {
        let rb = played.game.rulebook();
        let Some(id) = rb.seat_named(&wanted) else {
            let known: Vec<&str> = rb.seats().iter().map(|s| s.name.as_str()).collect();
            return fail(format!("there is no seat `{wanted}`; the seats are {}", known.join(", ")));
        };
        if !played.taken.contains(&id) {
            played.taken.push(id);
        }
        decline::others(played)?;
        Ok(id)
    })?;
    let table = lua.create_table()?;
    table.raw_set("name", wanted)?;
    table.raw_set(GAME, game)?;
    table.raw_set(SEAT, id.0)?;
    for (name, work) in [
        ("act", act as Work),
        ("undo", undo),
        ("offers", offers),
        ("view", view),
        ("log", log),
        ("explain", explain),
    ] {
        let bench = bench.clone();
        let function = lua.create_function(move |lua, args: MultiValue| {
            let args: Vec<Value> = args.into_iter().collect();
            bench.with(game, |played, text| work(lua, played, text, id, &args))
        })?;
        table.raw_set(name, function)?;
    }
    Ok(table)
}

/// The game and the seat that a table of a seat stands for.
pub(crate) fn seat_of(value: &Value) -> mlua::Result<(usize, SeatId)> {
    let Value::Table(table) = value else {
        return fail(format!("expected a seat, as g.seat(..) gives it, found {}", show(value)));
    };
    match (table.raw_get::<Option<usize>>(GAME)?, table.raw_get::<Option<u8>>(SEAT)?) {
        (Some(game), Some(seat)) => Ok((game, SeatId(seat))),
        _ => fail("expected a seat, as g.seat(..) gives it, found another table"),
    }
}

type Work = fn(&Lua, &mut Played, &Text, SeatId, &[Value]) -> mlua::Result<Value>;

/// What events say, a line each, to be appended to a message.
pub(crate) fn tell(text: &Text, events: &[ShownEvent]) -> String {
    let story = events.iter().filter(|event| !event.detail);
    let lines: String = story.map(|event| format!("\n    {}", text.event(event))).collect();
    if lines.is_empty() { lines } else { format!(":{lines}") }
}

fn act(lua: &Lua, played: &mut Played, text: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<Value> {
    let wanted = Wanted::read(args)?;
    match actions::find(played, seat, &wanted)? {
        Ok(action) => {
            let events = actions::act(played, seat, &action, &wanted, text)?;
            to_lua(lua, &json(&events))
        }
        Err(refused) => {
            let who = played.game.rulebook().seat(seat).name.clone();
            let list = actions::alike(played, seat, &wanted)?;
            fail(format!("{who} cannot `{wanted}`: {}; {list}", text.refused(&refused)))
        }
    }
}

fn undo(_: &Lua, played: &mut Played, text: &Text, seat: SeatId, _: &[Value]) -> mlua::Result<Value> {
    let undone = played.game.undo(seat);
    undone.map(|()| Value::Nil).map_err(|refused| mlua::Error::runtime(text.refused(&refused)))
}

/// What is offered, a text each, pieces by their names.
fn offers(lua: &Lua, played: &mut Played, _: &Text, seat: SeatId, _: &[Value]) -> mlua::Result<Value> {
    let offers = played.game.offers_by_piece(seat);
    let offers = offers.map_err(|fault| mlua::Error::runtime(fault.to_string()))?;
    to_lua(lua, &json(&offers.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

/// The position as the seat sees it.
fn view(lua: &Lua, played: &mut Played, _: &Text, seat: SeatId, _: &[Value]) -> mlua::Result<Value> {
    to_lua(lua, &json(&played.game.view(seat).position))
}

/// What the seat was shown, a line each.
fn log(lua: &Lua, played: &mut Played, text: &Text, seat: SeatId, _: &[Value]) -> mlua::Result<Value> {
    let lines = played.game.log(seat).iter().flatten().filter(|event| !event.detail);
    to_lua(lua, &json(&lines.map(|event| text.event(event)).collect::<Vec<_>>()))
}

/// Why the seat may not do something; nil when it may.
fn explain(lua: &Lua, played: &mut Played, text: &Text, seat: SeatId, args: &[Value]) -> mlua::Result<Value> {
    let wanted = Wanted::read(args)?;
    match actions::find(played, seat, &wanted)? {
        Ok(_) => Ok(Value::Nil),
        Err(refused) => lua.create_string(text.refused(&refused)).map(Value::String),
    }
}

//! The charts of a game, for tests of what is printed on them.

use adjutant::kernel::Rulebook;
use adjutant::kernel::contributions::Contribution;
use adjutant::kernel::tables::{Cell, Entry, Faces, Input, Part};
use mlua::{Lua, Table, Value};
use serde_json::{Value as Json, json};

use crate::table::Played;
use crate::values::{fail, name, show, to_lua};

/// What a chart may be entered with.
const KEYS: [&str; 4] = ["column", "row", "die", "flags"];

/// What stands in a cell of a chart: `g.look_up("fire", { die = 3, column = 4 })`.
pub(crate) fn look_up(lua: &Lua, played: &mut Played, args: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let chart = name(args.first().unwrap_or(&Value::Nil), "a chart")?;
    let id = rb.table_named(&chart).map_or_else(|| fail(format!("there is no table `{chart}`")), Ok)?;
    let Some(Value::Table(how)) = args.get(1) else {
        return fail("g.look_up takes a table, such as { column = 3, row = \"rain\" }");
    };
    for pair in how.pairs::<Value, Value>() {
        let key = name(&pair?.0, "a key")?;
        if !KEYS.contains(&key.as_str()) {
            return fail(format!("g.look_up takes {}, not `{key}`", KEYS.join(", ")));
        }
    }
    let table = rb.table(id);
    let die: Option<u16> = how.get("die")?;
    let flags: Vec<String> = how.get::<Option<Vec<String>>>("flags")?.unwrap_or_default();
    let (mut shifts, mut modifiers) = (Vec::new(), Vec::new());
    for flag in &flags {
        let word = rb.word_named(flag);
        let mut raised = rb.table_modifiers(id).filter(|m| Some(m.flag) == word).peekable();
        if raised.peek().is_none() {
            return fail(format!("table `{chart}` knows no flag `{flag}`"));
        }
        for m in raised {
            let at = |value: i32, stage: Option<u8>| Contribution {
                rule: m.rule,
                value,
                stage: stage.unwrap_or(0),
            };
            shifts.extend((m.shift != 0).then(|| at(m.shift, table.column_order().stage_for(m.shift))));
            modifiers.extend((m.die != 0).then(|| at(m.die, table.die_order().stage_for(m.die))));
        }
    }
    let entry = Entry {
        column: input(rb, &how.get("column")?)?,
        row: input(rb, &how.get("row")?)?,
        dice: die.and_then(|die| Faces::new(&[die])).unwrap_or_default(),
        shifts: &shifts,
        modifiers: &modifiers,
    };
    match table.look_up(&entry) {
        Ok(working) => to_lua(lua, &cell(rb, &working.result)),
        Err(error) => fail(format!("table `{chart}`: {error}")),
    }
}

/// A number, a name, or both numbers of odds and differences.
fn input(rb: &Rulebook, value: &Value) -> mlua::Result<Input> {
    let whole = |value: &Value| {
        value.as_i32().map_or_else(|| fail(format!("{} is no whole number", show(value))), Ok)
    };
    match value {
        Value::Nil => Ok(Input::None),
        Value::Table(pair) => two(pair, whole),
        Value::String(text) => {
            let text = text.to_string_lossy();
            rb.word_named(&text)
                .map_or_else(|| fail(format!("nothing is called `{text}`")), |w| Ok(Input::Word(w)))
        }
        other => whole(other).map(Input::Number),
    }
}

fn two(pair: &Table, whole: impl Fn(&Value) -> mlua::Result<i32>) -> mlua::Result<Input> {
    Ok(Input::Pair { attacker: whole(&pair.get(1)?)?, defender: whole(&pair.get(2)?)? })
}

/// A cell: a number, a name, a list of results; nothing is nil.
fn cell(rb: &Rulebook, cell: &Cell) -> Json {
    let part = |part: &Part| match part {
        Part::None => Json::Null,
        Part::Number(number) => json!(number),
        Part::Word(word) => json!(rb.word(*word)),
    };
    match cell {
        Cell::None => Json::Null,
        Cell::Number(number) => json!(number),
        Cell::Word(word) => json!(rb.word(*word)),
        Cell::Several(parts) => parts.iter().map(part).collect(),
        Cell::Table(table) => json!(rb.table_name(*table)),
    }
}

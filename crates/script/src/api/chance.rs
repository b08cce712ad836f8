//! Draws and rolls: all chance comes from the kernel, and all of it is told.

use adjutant_kernel::TableId;
use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::tables::{Cell, Dice, Entry, Faces, Input, Part};
use mlua::{Lua, LuaString, Table, Value};

use super::Api;
use crate::fields::{integer, show};
use crate::shared::{Shared, charge, str_of, unknown};

const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "roll",
        "(self: Game, table: string, entry: Roll) -> (number | string | { number | string }?, number?)",
        "Rolls for a table and looks it up: `rule`, `column` and `row` (numbers or names; `column = { a, d }` for \
         odds), `shifts` and `modifiers` (lists of { rule, amount }), `by` (a side, when only it may notice). \
         Gives the result and the roll. All is in the event.",
        |lua, shared, (_, table, entry): (Value, LuaString, Table)| roll(lua, shared, &table, &entry),
    )?;
    api.object(
        G,
        g,
        "draw",
        "(self: Game, table: string, sides: number, rule: string, by: Side?) -> number",
        "Draws a number from 1 to `sides` under the name of a table, on a side's own stream when only that side \
         may notice.",
        |_, shared, (_, table, sides, rule, by): (Value, LuaString, u16, LuaString, Option<LuaString>)| {
            let table = table_named(shared, &table)?;
            let rule = shared.rule(&rule.to_str()?)?;
            let by = by.map(|s| shared.side(&s.to_str()?)).transpose()?;
            shared.work(|cx| {
                let drawn = cx.draw(by, table, sides)?;
                Ok(cx.report(drawn, rule, |_| {}))
            })
        },
    )
}

fn table_named(shared: &Shared, name: &LuaString) -> mlua::Result<TableId> {
    let rb = shared.rb()?;
    let name = str_of(name)?;
    rb.table_named(&name).ok_or_else(|| unknown("table", &name, rb.table_names()))
}

fn roll(lua: &Lua, shared: &Shared, name: &LuaString, entry: &Table) -> mlua::Result<(Value, Option<i32>)> {
    let rb = shared.rb()?;
    let id = table_named(shared, name)?;
    let table = rb.table(id);
    let rule = shared.rule(&entry.get::<LuaString>("rule")?.to_str()?)?;
    let by = entry.get::<Option<LuaString>>("by")?.map(|s| shared.side(&s.to_str()?)).transpose()?;
    let column = input(shared, &entry.get("column")?)?;
    let row = input(shared, &entry.get("row")?)?;
    let shifts = contributions(shared, &entry.get("shifts")?, |n| table.column_order().stage_for(n))?;
    let modifiers = contributions(shared, &entry.get("modifiers")?, |n| table.die_order().stage_for(n))?;
    let (count, sides) = match table.dice() {
        Dice::None => (0, 0),
        dice => dice.count_and_sides(),
    };
    let working = shared.work(|cx| {
        let mut drawn = Vec::new();
        for _ in 0..count {
            drawn.push(cx.draw(by, id, sides)?);
        }
        let faces: Vec<u16> = drawn.iter().map(|d| d.value() as u16).collect();
        let dice = Faces::new(&faces).unwrap_or_default();
        let entry = Entry { column, row, dice, shifts: &shifts, modifiers: &modifiers };
        let working =
            table.look_up(&entry).map_err(|e| cx.fault(format!("table `{}`: {e}", rb.table_name(id))));
        let last = drawn.len().saturating_sub(1);
        for (n, one) in drawn.into_iter().enumerate() {
            cx.report(one, rule, |e| {
                let (Ok(working), true) = (&working, n == last) else { return };
                let key = |text: &str| rb.word_named(text);
                if let (Some(word), Some(heading)) =
                    (key("column"), table.columns().heading(working.column.end.into()))
                {
                    e.arg(word, Arg::Text(heading));
                }
                let steps = working.column.shifts.iter().chain(working.row.modifiers.iter());
                let steps: Vec<Arg> =
                    steps.map(|s| Arg::List(vec![Arg::Rule(s.rule), Arg::Number(s.amount)])).collect();
                if let Some(word) = key("modifiers").filter(|_| !steps.is_empty()) {
                    e.arg(word, Arg::List(steps));
                }
                if let (Some(word), Some(result)) = (key("answer"), cell_arg(&working.result)) {
                    e.arg(word, result);
                }
            });
        }
        working
    })?;
    Ok((cell_value(lua, shared, &working.result)?, working.row.rolled))
}

fn cell_arg(cell: &Cell) -> Option<Arg> {
    let part = |part: &Part| match part {
        Part::None => Arg::Text("-".into()),
        Part::Number(n) => Arg::Number(*n),
        Part::Word(w) => Arg::Word(*w),
    };
    match cell {
        Cell::None => None,
        Cell::Number(n) => Some(Arg::Number(*n)),
        Cell::Word(w) => Some(Arg::Word(*w)),
        Cell::Several(parts) => Some(Arg::List(parts.iter().map(part).collect())),
        Cell::Table(table) => Some(Arg::Table(*table)),
    }
}

fn cell_value(lua: &Lua, shared: &Shared, cell: &Cell) -> mlua::Result<Value> {
    let names = shared.names()?;
    let part = |part: &Part| match part {
        Part::None => Value::Boolean(false),
        Part::Number(n) => Value::Integer((*n).into()),
        Part::Word(w) => names.word(*w),
    };
    Ok(match cell {
        Cell::None => Value::Nil,
        Cell::Number(n) => Value::Integer((*n).into()),
        Cell::Word(w) => names.word(*w),
        Cell::Several(parts) => Value::Table(lua.create_sequence_from(parts.iter().map(part))?),
        Cell::Table(table) => shared.text(shared.rb()?.table_name(*table))?,
    })
}

fn input(shared: &Shared, value: &Value) -> mlua::Result<Input> {
    Ok(match value {
        Value::Nil => Input::None,
        Value::String(word) => Input::Word(shared.word(&word.to_str()?)?),
        Value::Table(pair) => Input::Pair { attacker: pair.get(1)?, defender: pair.get(2)? },
        other => match integer(other) {
            Some(number) => Input::Number(number),
            None => return fail(format!("a table is not entered with {}", show(other))),
        },
    })
}

fn contributions(
    shared: &Shared,
    value: &Value,
    stage: impl Fn(i32) -> Option<u8>,
) -> mlua::Result<Vec<Contribution>> {
    let Value::Table(list) = value else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for pair in list.sequence_values::<Table>() {
        let pair = pair?;
        charge(1)?;
        let rule = shared.rule(&pair.get::<LuaString>(1)?.to_str()?)?;
        let value: i32 = pair.get(2)?;
        let given: Option<u8> = pair.get("stage")?;
        found.push(Contribution { rule, value, stage: given.or_else(|| stage(value)).unwrap_or(0) });
    }
    Ok(found)
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

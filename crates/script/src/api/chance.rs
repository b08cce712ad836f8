//! Draws and rolls: all chance comes from the kernel, and all of it is told.

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::{Arg, EventBuilder};
use adjutant_kernel::knowledge::Audience;
use adjutant_kernel::tables::{Cell, Dice, Entry, Faces, Input, Part, Step, Working};
use adjutant_kernel::{Rulebook, SideId, TableId, WordId};
use mlua::{Function, Lua, LuaString, Table, Value};

use super::Api;
use super::story::{arguments, said};
use crate::fields::{integer, show};
use crate::shared::{Shared, charge, str_of, unknown};

const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "roll",
        "(self: Game, table: string, entry: Roll) -> (number | string | { number | string }?, number?)",
        "Throws the dice of a table and looks it up: `rule`, `column` and `row` (numbers or names; `column = { a, d }` \
         for odds), `shifts` and `modifiers` (lists of { rule, amount }), `flags` (names, for the modifiers that the \
         table declares), `by` (a side, when only it may notice), \
         `args` (what else the event says). With `secret`, a side, all see the die and only that side the column, \
         the result and the modifiers that say `secret = true`: so is a sham roll made. Gives the result and the \
         roll.",
        |lua, shared, (_, table, entry): (Value, LuaString, Table)| roll(lua, shared, &table, &entry),
    )?;
    api.object(
        G,
        g,
        "look_up",
        "(self: Game, table: string, entry: { [string]: any }) -> number | string | { number | string }?",
        "Looks up a table without rolling: `column`, `row`, `shifts`, `modifiers` and `flags` as for a roll, and `die` for a \
         table with dice.",
        |lua, shared, (_, table, entry): (Value, LuaString, Table)| {
            let id = table_named(shared, &table)?;
            let inputs = Inputs::read(shared, id, &entry)?;
            let die: Option<u16> = shared.get(&entry, "die")?;
            charge(8)?;
            let faces = die.and_then(|die| Faces::new(&[die])).unwrap_or_default();
            let working = inputs.look_up(shared, faces).map_err(mlua::Error::runtime)?;
            cell_value(lua, shared, &working.result)
        },
    )?;
    api.object(
        G,
        g,
        "draw",
        "(self: Game, table: string, sides: number, rule: string, by: Side?, told: ((drawn: number) -> { [string]: any })?) -> number",
        "Draws a number from 1 to `sides` under the name of a table, on a side's own stream when only that side \
         may notice. `told` gives what else the event says of what was drawn.",
        |_, shared, args: (Value, LuaString, u16, LuaString, Option<LuaString>, Option<Function>)| {
            let (_, table, sides, rule, by, told) = args;
            let table = table_named(shared, &table)?;
            let rule = shared.rule(&rule.to_str()?)?;
            let by = by.map(|s| shared.side(&s.to_str()?)).transpose()?;
            let drawn = shared.work(|cx| cx.draw(by, table, sides))?;
            let args = match told {
                Some(told) => arguments(shared, told.call::<Option<Table>>(drawn.value())?.as_ref())?,
                None => Vec::new(),
            };
            shared.work(|cx| Ok(cx.report(drawn, rule, said(args))))
        },
    )
}

fn table_named(shared: &Shared, name: &LuaString) -> mlua::Result<TableId> {
    let rb = shared.rb()?;
    let name = str_of(name)?;
    rb.table_named(&name).ok_or_else(|| unknown("table", &name, rb.table_names()))
}

/// What a table is entered with.
struct Inputs {
    table: TableId,
    column: Input,
    row: Input,
    shifts: Vec<Contribution>,
    /// Each with whether it is secret.
    modifiers: Vec<Contribution>,
    secret: Vec<bool>,
}

/// What a look-up may be told.
const KEYS: [&str; 10] =
    ["rule", "column", "row", "shifts", "modifiers", "flags", "by", "secret", "args", "die"];

impl Inputs {
    fn read(shared: &Shared, id: TableId, entry: &Table) -> mlua::Result<Self> {
        for pair in entry.pairs::<Value, Value>() {
            let key = crate::fields::text(&pair?.0).unwrap_or_default();
            if !KEYS.contains(&key.as_str()) {
                let near = crate::problem::suggest(&key, KEYS);
                return Err(mlua::Error::runtime(format!("a roll takes no `{key}`{near}")));
            }
        }
        let table = shared.rb()?.table(id);
        let (column_stage, die_stage) =
            (|n| table.column_order().stage_for(n), |n| table.die_order().stage_for(n));
        let (mut shifts, _) = contributions(shared, &shared.get(entry, "shifts")?, column_stage)?;
        let (mut modifiers, mut secret) = contributions(shared, &shared.get(entry, "modifiers")?, die_stage)?;
        for flag in flags(shared, id, entry)? {
            for m in shared.rb()?.table_modifiers(id).filter(|m| m.flag == flag) {
                let one = |value: i32, stage: Option<u8>| {
                    (value != 0).then_some(Contribution { rule: m.rule, value, stage: stage.unwrap_or(0) })
                };
                shifts.extend(one(m.shift, column_stage(m.shift)));
                modifiers.extend(one(m.die, die_stage(m.die)));
            }
        }
        secret.resize(modifiers.len(), false);
        let (column, row) =
            (input(shared, &shared.get(entry, "column")?)?, input(shared, &shared.get(entry, "row")?)?);
        Ok(Self { table: id, column, row, shifts, modifiers, secret })
    }

    fn look_up(&self, shared: &Shared, dice: Faces) -> Result<Working, String> {
        let rb = shared.rb().map_err(|e| e.to_string())?;
        let (shifts, modifiers) = (&self.shifts[..], &self.modifiers[..]);
        let entry = Entry { column: self.column, row: self.row, dice, shifts, modifiers };
        let table = rb.table(self.table);
        table
            .look_up(&entry)
            .map_err(|e| format!("table `{}`: {}", rb.table_name(self.table), table.explain(&e, rb)))
    }

    /// Says how the result was found; what is secret, to its side alone.
    fn report(&self, rb: &Rulebook, working: &Working, audience: Audience, e: &mut EventBuilder<'_>) {
        let key = |text: &str| rb.word_named(text);
        let heading = rb.table(self.table).columns().heading(working.column.end.into());
        if let (Some(word), Some(heading)) = (key("column"), heading) {
            e.arg_for(word, audience, Arg::Text(heading));
        }
        let secret = |rule| {
            let at = self.modifiers.iter().position(|m| m.rule == rule);
            at.is_some_and(|at| self.secret[at])
        };
        let steps = working.column.shifts.iter().chain(working.row.modifiers.iter());
        let (hidden, open): (Vec<&Step>, Vec<&Step>) = steps.partition(|s| secret(s.rule));
        for (name, list, audience) in
            [("modifiers", open, Audience::ALL), ("secret_modifiers", hidden, audience)]
        {
            let list: Vec<Arg> =
                list.into_iter().map(|s| Arg::List(vec![Arg::Rule(s.rule), Arg::Number(s.amount)])).collect();
            if let Some(word) = key(name).filter(|_| !list.is_empty()) {
                e.arg_for(word, audience, Arg::List(list));
            }
        }
        if let (Some(word), Some(result)) = (key("answer"), cell_arg(&working.result)) {
            e.arg_for(word, audience, result);
        }
    }
}

/// The flags that are raised for the modifiers that a table declares.
fn flags(shared: &Shared, table: TableId, entry: &Table) -> mlua::Result<Vec<WordId>> {
    let rb = shared.rb()?;
    let Some(list) = shared.get::<Option<Table>>(entry, "flags")? else { return Ok(Vec::new()) };
    let known = || rb.table_modifiers(table).map(|m| rb.word(m.flag));
    let one = |name: LuaString| {
        let name = str_of(&name)?;
        let found = rb.word_named(&name).filter(|_| known().any(|k| k == name));
        found.ok_or_else(|| unknown("flag", &name, known()))
    };
    list.sequence_values::<LuaString>().map(|name| one(name?)).collect()
}

fn roll(lua: &Lua, shared: &Shared, name: &LuaString, entry: &Table) -> mlua::Result<(Value, Option<i32>)> {
    let rb = shared.rb()?;
    let id = table_named(shared, name)?;
    let rule = shared.rule(&shared.get::<LuaString>(entry, "rule")?.to_str()?)?;
    let side = |key: &str| -> mlua::Result<Option<SideId>> {
        shared.get::<Option<LuaString>>(entry, key)?.map(|s| shared.side(&s.to_str()?)).transpose()
    };
    let (by, secret) = (side("by")?, side("secret")?);
    let inputs = Inputs::read(shared, id, entry)?;
    let args = arguments(shared, shared.get::<Option<Table>>(entry, "args")?.as_ref())?;
    let working = shared.work(|cx| {
        if rb.table(id).dice() == Dice::None {
            return inputs.look_up(shared, Faces::default()).map_err(|e| cx.fault(e));
        }
        let drawn = cx.throw(by, id)?;
        let working = inputs.look_up(shared, drawn.faces().unwrap_or_default());
        let audience = Audience::side_or_all(secret);
        cx.report(drawn, rule, |e| {
            said(args)(e);
            if let Ok(working) = &working {
                inputs.report(rb, working, audience, e);
            }
        });
        working.map_err(|e| cx.fault(e))
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
        Part::Word(w) => names.value(names.word(*w)),
    };
    Ok(match cell {
        Cell::None => Value::Nil,
        Cell::Number(n) => Value::Integer((*n).into()),
        Cell::Word(w) => names.value(names.word(*w)),
        Cell::Several(parts) => Value::Table(lua.create_sequence_from(parts.iter().map(part))?),
        Cell::Table(table) => Value::String(lua.create_string(shared.rb()?.table_name(*table))?),
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
) -> mlua::Result<(Vec<Contribution>, Vec<bool>)> {
    let Value::Table(list) = value else { return Ok(Default::default()) };
    let (mut found, mut secret) = (Vec::new(), Vec::new());
    if list.raw_len() == 0 && !list.is_empty() {
        return fail("shifts and modifiers are a list of pairs, as { { \"book:1\", 2 } }".to_owned());
    }
    for pair in list.sequence_values::<Table>() {
        let pair = pair?;
        charge(1)?;
        let rule = shared.rule(&pair.get::<LuaString>(1)?.to_str()?)?;
        let value: i32 = pair.get(2)?;
        let given: Option<u8> = shared.get(&pair, "stage")?;
        found.push(Contribution { rule, value, stage: given.or_else(|| stage(value)).unwrap_or(0) });
        secret.push(shared.get::<Option<bool>>(&pair, "secret")?.unwrap_or(false));
    }
    Ok((found, secret))
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

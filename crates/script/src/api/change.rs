//! What steps do: kernel operations, each with the rule that it carries out.

use std::collections::HashMap;
use std::rc::Rc;

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::Flow;
use adjutant_kernel::knowledge::{About, Audience};
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::rulebook::{Holder, Placement};
use adjutant_kernel::state::Position;
use adjutant_kernel::tables::{Cell, Dice, Entry, Faces, Input, Part};
use adjutant_kernel::{ColumnId, PlaceId, SideId, Sight as _, StackId, TableId};
use mlua::{Function, Lua, LuaString, Table, Value};

use super::Api;
use super::game::{bodies, cell, record_word};
use crate::columns::{CellRead, kind_of};
use crate::fields::{integer, show};
use crate::handle::{Handle, Kind, PREPARED};
use crate::shared::{Shared, charge, look, str_of, unknown};

const G: &str = "Game";

/// Sets a cell as a step does.
pub(super) fn set(
    shared: &Shared,
    cell: &CellRead,
    name: &str,
    holder: u16,
    side: u8,
    value: &Value,
) -> mlua::Result<()> {
    let number =
        cell.number(shared.rb()?, value).map_err(|e| mlua::Error::runtime(format!("`{name}` {e}")))?;
    shared.work(|cx| cx.set_cell(cell.column, holder, side, number))
}

/// The function by which properties of things are set.
pub(super) fn setter(api: &Api<'_>) -> mlua::Result<Function> {
    let mut cells: HashMap<(Kind, String), (CellRead, bool)> = HashMap::new();
    if let Ok(rb) = api.shared.rb() {
        for (n, def) in rb.columns().iter().enumerate() {
            if let Some(kind) = kind_of(def.holder).filter(|_| !def.by_side) {
                let cell = CellRead::new(ColumnId(n as u16), def);
                cells.insert((kind, def.name.clone()), (cell, def.holder == Holder::Piece));
            }
        }
    }
    let shared = Rc::clone(api.shared);
    api.lua.create_function(move |_, (handle, key, value): (Handle, LuaString, Value)| {
        let key = str_of(&key)?;
        let Some((cell, of_piece)) = cells.get(&(handle.kind, key.clone())) else {
            let names = cells.keys().filter(|(kind, _)| *kind == handle.kind).map(|(_, name)| name.as_str());
            return fail(format!(
                "a {} has no column `{key}` that could be set{}",
                handle.kind.name(),
                crate::problem::suggest(&key, names)
            ));
        };
        let holder = if *of_piece { look(|sight| sight.piece(handle.body().ok()?))? } else { None };
        set(&shared, cell, &key, holder.map_or(handle.id, |p| p.0), 0, &value)
    })
}

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    flow(api, g)?;
    moving(api, g)?;
    knowing(api, g)?;
    chance(api, g)?;
    remembering(api, g)?;
    telling(api, g)
}

fn flow(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "call",
        "(self: Game, procedure: Procedure | string, locals: { [string]: any }?, next: string) -> Signal",
        "Runs another procedure with these locals, then the step `next`. Return what it gives.",
        |_, shared, (_, procedure, locals, next): (Value, Value, Option<Table>, LuaString)| {
            let frame = shared.frame(&procedure, locals.as_ref())?;
            shared.prepare(Flow::Call(frame), &next)
        },
    )?;
    api.object(
        G,
        g,
        "moment",
        "(self: Game, moment: string, next: string) -> Signal",
        "Lets a moment pass - what is attached to it runs, what lapses or is reset there does - then the step \
         `next`. Return what it gives.",
        |_, shared, (_, moment, next): (Value, LuaString, LuaString)| {
            let rb = shared.rb()?;
            let name = str_of(&moment)?;
            let moment = rb.moment_named(&name).ok_or_else(|| unknown("moment", &name, rb.moment_names()))?;
            shared.prepare(Flow::Moment(moment), &next)
        },
    )?;
    api.object(
        G,
        g,
        "end_game",
        "(self: Game, winner: Side?, rule: string) -> ()",
        "Ends the game; without a winner it is a draw.",
        |_, shared, (_, winner, rule): (Value, Option<LuaString>, LuaString)| {
            let winner = winner.map(|w| shared.side(&w.to_str()?)).transpose()?;
            let rule = shared.rule(&rule.to_str()?)?;
            shared.work(|cx| cx.end_game(winner, rule))
        },
    )?;
    api.object(
        G,
        g,
        "commit",
        "(self: Game) -> ()",
        "The choice of the seat is final: its draft is published and cannot be taken back.",
        |_, shared, _: Value| {
            shared.work(|cx| {
                cx.commit();
                Ok(())
            })
        },
    )
}

fn moving(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "move",
        "(self: Game, units: Unit | { Unit }, to: Space | Place | Stack | Unit, cause: string, how: string?) -> string?",
        "Moves units, top first: into a place, `how` being \"loose\" (as they are), \"on_top\" or \"stack\" (a new \
         stack); into a stack (\"on_top\" or below), or under the command of a unit. What the placement check \
         forbids is not done and its rule is given.",
        |_, shared, (_, units, to, cause, how): (Value, Value, Handle, LuaString, Option<LuaString>)| {
            let units = bodies(&units)?;
            charge(units.len())?;
            let rb = shared.rb()?;
            let cause = shared.word(&cause.to_str()?)?;
            let how = how.map(|h| str_of(&h)).transpose()?.unwrap_or_default();
            let position = if how == "on_top" { Position::Top } else { Position::Bottom };
            let dest = match (to.kind, how.as_str()) {
                (Kind::Stack, "" | "on_top" | "loose") => {
                    to.spot(rb)?;
                    Dest::Stack(StackId(to.id), position)
                }
                (Kind::Unit, "") => Dest::Command(to.body()?),
                (_, "" | "loose" | "on_top" | "stack") => {
                    let Some(place) = to.place(rb) else {
                        return fail(format!("units cannot be moved to a {}", to.kind.name()));
                    };
                    if how == "stack" { Dest::NewStack(place) } else { Dest::Place(place, position) }
                }
                (_, other) => return fail(format!("units are not moved `{other}`; loose, on_top or stack")),
            };
            let verdict = shared.work(|cx| cx.move_group(cause, &units, dest))?;
            placed(shared, &verdict)
        },
    )?;
    api.object(
        G,
        g,
        "move_stack",
        "(self: Game, stack: Stack, to: Space | Place, cause: string) -> string?",
        "Moves a whole stack. What the placement check forbids is not done and its rule is given.",
        |_, shared, (_, stack, to, cause): (Value, Handle, Handle, LuaString)| {
            let rb = shared.rb()?;
            let cause = shared.word(&cause.to_str()?)?;
            let (Kind::Stack, Some(place)) = (stack.kind, to.place(rb)) else {
                return fail("expected a stack and a place".into());
            };
            stack.spot(rb)?;
            let verdict = shared.work(|cx| cx.move_stack(cause, StackId(stack.id), place))?;
            placed(shared, &verdict)
        },
    )?;
    api.object(
        G,
        g,
        "join_stacks",
        "(self: Game, side: Side, at: Space | Place) -> Stack?",
        "Joins all stacks of a side in a place into the oldest.",
        |_, shared, (_, side, at): (Value, LuaString, Handle)| {
            let side = shared.side(&side.to_str()?)?;
            let place = place_of(shared, at)?;
            shared.work(|cx| cx.join_stacks(side, place)).map(|s| s.map(Handle::from))
        },
    )?;
    api.object(
        G,
        g,
        "raise",
        "(self: Game, unit: Unit) -> ()",
        "Puts a unit on top of its stack. Only its owner notices.",
        |_, shared, (_, unit): (Value, Handle)| {
            let body = unit.body()?;
            shared.work(|cx| cx.raise(body))
        },
    )?;
    api.object(
        G,
        g,
        "face",
        "(self: Game, unit: Unit, facing: number) -> ()",
        "Turns a unit to face a direction of its grid.",
        |_, shared, (_, unit, facing): (Value, Handle, u8)| {
            let body = unit.body()?;
            shared.work(|cx| cx.face(body, facing))
        },
    )
}

fn placed(shared: &Shared, verdict: &Placement) -> mlua::Result<Value> {
    let names = shared.names()?;
    Ok(verdict.forbidden().map_or(Value::Nil, |rule| names.rule(rule)))
}

pub(super) fn place_of(shared: &Shared, at: Handle) -> mlua::Result<PlaceId> {
    let place = at.place(shared.rb()?);
    place.ok_or_else(|| mlua::Error::runtime(format!("expected a place, found a {}", at.kind.name())))
}

fn knowing(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "reveal",
        "(self: Game, unit: Unit, rule: string) -> ()",
        "Turns a unit face up: everybody learns which piece it is.",
        |_, shared, (_, unit, rule): (Value, Handle, LuaString)| {
            let (body, rule) = (unit.body()?, shared.rule(&rule.to_str()?)?);
            shared.work(|cx| cx.reveal(body, rule))
        },
    )?;
    api.object(
        G,
        g,
        "show",
        "(self: Game, unit: Unit, to: Side?, rule: string) -> ()",
        "Shows a side (or everybody) which piece a unit is without turning it up.",
        |_, shared, (_, unit, to, rule): (Value, Handle, Option<LuaString>, LuaString)| {
            let (body, rule) = (unit.body()?, shared.rule(&rule.to_str()?)?);
            let audience = audience(shared, to.as_ref())?;
            shared.work(|cx| cx.show(body, audience, rule))
        },
    )?;
    api.object(
        G,
        g,
        "narrow",
        "(self: Game, unit: Unit, set: string, rule: string) -> ()",
        "Says of a unit that it is of a declared set of pieces; a fault when it is not.",
        |_, shared, (_, unit, set, rule): (Value, Handle, LuaString, LuaString)| {
            let rb = shared.rb()?;
            let (body, rule) = (unit.body()?, shared.rule(&rule.to_str()?)?);
            let name = str_of(&set)?;
            let set = rb.piece_set_named(&name).ok_or_else(|| {
                unknown("set of pieces", &name, rb.piece_sets().iter().map(|s| s.name.as_str()))
            })?;
            shared.work(|cx| cx.narrow(body, set, rule))
        },
    )?;
    api.object(
        G,
        g,
        "conceal",
        "(self: Game, unit: Unit) -> ()",
        "Turns a unit face down. What is known of it stays known.",
        |_, shared, (_, unit): (Value, Handle)| {
            let body = unit.body()?;
            shared.work(|cx| cx.conceal(body))
        },
    )?;
    api.object(
        G,
        g,
        "mix",
        "(self: Game, units: { Unit }) -> ()",
        "Mixes units that their owner may rearrange unseen. Which they are must follow from what everybody knows.",
        |_, shared, (_, units): (Value, Value)| {
            let units = bodies(&units)?;
            charge(units.len())?;
            shared.work(|cx| cx.mix(&units))
        },
    )?;
    api.object(
        G,
        g,
        "settle",
        "(self: Game, at: Space | Place) -> ()",
        "Reveals what must be seen in a place, after whatever changed who stands there or on top.",
        |_, shared, (_, at): (Value, Handle)| {
            let place = place_of(shared, at)?;
            shared.work(|cx| cx.settle(place))
        },
    )?;
    api.object(
        G,
        g,
        "tell",
        "(self: Game, question: string, about: Telling) -> number",
        "Answers a declared question truly: `units` that it is about, `at` (the place by which they are named), \
         `to` (a side; else everybody), `rule`, and `until` (the moment at which the answer lapses).",
        |_, shared, (_, question, about): (Value, LuaString, Table)| {
            let rb = shared.rb()?;
            let name = str_of(&question)?;
            let question = rb
                .question_named(&name)
                .ok_or_else(|| mlua::Error::runtime(format!("there is no question `{name}`")))?;
            let units: Value = about.get("units")?;
            let units = if units.is_nil() { Default::default() } else { bodies(&units)? };
            let at: Option<Handle> = about.get("at")?;
            let to: Option<LuaString> = about.get("to")?;
            let rule = shared.rule(&about.get::<LuaString>("rule")?.to_str()?)?;
            let until = str_of(&about.get("until")?)?;
            let lapse = rb.moment_named(&until).ok_or_else(|| unknown("moment", &until, rb.moment_names()))?;
            let named = match at {
                Some(at) => About::Place(place_of(shared, at)?),
                None if units.is_empty() => About::Nothing,
                None => About::Bodies,
            };
            let audience = audience(shared, to.as_ref())?;
            shared.work(|cx| {
                cx.tell(Telling { question, bodies: &units, about: named.clone(), audience, rule, lapse })
            })
        },
    )
}

fn audience(shared: &Shared, to: Option<&LuaString>) -> mlua::Result<Audience> {
    Ok(match to {
        Some(side) => Audience::side(shared.side(&side.to_str()?)?),
        None => Audience::ALL,
    })
}

fn chance(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
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

fn remembering(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "set",
        "(self: Game, of: any, column: string, value: any, side: Side?) -> ()",
        "Sets a column of a thing (or of nil, the game), for a side where there is one value a side.",
        |_, shared, (_, of, column, value, side): (Value, Value, LuaString, Value, Option<LuaString>)| {
            let (cell, holder, side) = cell(shared, &of, &column, side.as_ref())?;
            set(shared, &cell, &str_of(&column)?, holder, side, &value)
        },
    )?;
    api.object(
        G,
        g,
        "reset",
        "(self: Game, column: string, side: Side?) -> ()",
        "Sets all cells of a column (of a side, where there is one value a side) back to their start.",
        |_, shared, (_, column, side): (Value, LuaString, Option<LuaString>)| {
            let rb = shared.rb()?;
            let name = str_of(&column)?;
            let n = rb.columns().iter().position(|c| c.name == name);
            let n =
                n.ok_or_else(|| unknown("column", &name, rb.columns().iter().map(|c| c.name.as_str())))?;
            let side = side.map(|s| shared.side(&s.to_str()?)).transpose()?;
            shared.work(|cx| cx.reset(ColumnId(n as u16), side))
        },
    )?;
    api.object(
        G,
        g,
        "record",
        "(self: Game, relation: string, entry: { [string]: any }) -> ()",
        "Adds an entry to a relation.",
        |_, shared, (_, relation, entry): (Value, LuaString, Table)| {
            let (id, fields) = fields(shared, &relation, &entry)?;
            let fields: Vec<i32> = fields.into_iter().map(|f| f.unwrap_or_default()).collect();
            shared.work(|cx| cx.record(id, &fields))
        },
    )?;
    api.object(
        G,
        g,
        "unrecord",
        "(self: Game, relation: string, like: { [string]: any }) -> number",
        "Takes out the entries of a relation whose fields are as given; gives their number.",
        |_, shared, (_, relation, like): (Value, LuaString, Table)| {
            let (id, fields) = fields(shared, &relation, &like)?;
            shared.work(|cx| {
                cx.unrecord(id, |record| {
                    record.fields.iter().zip(&fields).all(|(have, want)| want.is_none_or(|w| w == *have))
                })
            })
        },
    )
}

/// The words of an entry's fields; none for those that are not given.
fn fields(
    shared: &Shared,
    relation: &LuaString,
    entry: &Table,
) -> mlua::Result<(adjutant_kernel::RecordId, Vec<Option<i32>>)> {
    let rb = shared.rb()?;
    let name = str_of(relation)?;
    let id = rb
        .relation_named(&name)
        .ok_or_else(|| unknown("relation", &name, rb.records().iter().map(|r| r.name.as_str())))?;
    let def = &rb.records()[id.index()];
    let mut words = vec![None; def.fields.len()];
    for pair in entry.pairs::<LuaString, Value>() {
        let (key, value) = pair?;
        let key = str_of(&key)?;
        let n = def.fields.iter().position(|(n, _)| *n == key);
        let n = n.ok_or_else(|| unknown("field", &key, def.fields.iter().map(|(n, _)| n.as_str())))?;
        words[n] = Some(record_word(shared, def.fields[n].1, &value)?);
    }
    Ok((id, words))
}

fn telling(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "story",
        "(self: Game, event: string, args: { [string]: any }?, rule: string?, to: Side?) -> ()",
        "Tells everybody (or a side) a piece of the story. Arguments are never hidden from who is told: give \
         only what they may know.",
        |_,
         shared,
         (_, event, args, rule, to): (
            Value,
            LuaString,
            Option<Table>,
            Option<LuaString>,
            Option<LuaString>,
        )| {
            let event = shared.word(&event.to_str()?)?;
            let rule = rule.map(|r| shared.rule(&r.to_str()?)).transpose()?;
            let audience = audience(shared, to.as_ref())?;
            let mut list = Vec::new();
            if let Some(args) = args {
                for pair in args.pairs::<LuaString, Value>() {
                    let (key, value) = pair?;
                    let key = str_of(&key)?;
                    list.push((key.clone(), shared.word(&key)?, arg(shared, &value)?));
                }
            }
            list.sort_by(|a, b| a.0.cmp(&b.0));
            shared.work(|cx| {
                cx.story_for(event, audience, rule, |e| {
                    for (_, key, arg) in list {
                        e.arg(key, arg);
                    }
                });
                Ok(())
            })
        },
    )
}

fn arg(shared: &Shared, value: &Value) -> mlua::Result<Arg> {
    let rb = shared.rb()?;
    Ok(match value {
        Value::Boolean(flag) => Arg::Flag(*flag),
        Value::String(name) => {
            let name = str_of(name)?;
            match rb.side_named(&name) {
                Some(side) => Arg::Side(side),
                None => rb.word_named(&name).map_or(Arg::Text(name), Arg::Word),
            }
        }
        Value::LightUserData(raw) => match Handle::from_raw(*raw) {
            Some(Handle { kind: Kind::Unit, id }) => Arg::Body(adjutant_kernel::BodyId(id)),
            Some(Handle { kind: Kind::Stack, id }) => Arg::Stack(StackId(id)),
            Some(Handle { kind: Kind::Space | Kind::Place, id }) => Arg::Place(PlaceId(id)),
            Some(Handle { kind: Kind::Link, id }) => Arg::Link(adjutant_kernel::LinkId(id)),
            Some(Handle { kind: Kind::Border, id }) => Arg::Border(adjutant_kernel::BorderId(id)),
            Some(Handle { kind: Kind::Piece, id }) => Arg::Piece(adjutant_kernel::PieceId(id)),
            Some(Handle { kind: Kind::Side, id }) => Arg::Side(SideId(id as u8)),
            Some(Handle { kind: Kind::Signal, .. }) | None => return fail("that is no argument".into()),
        },
        Value::Table(list) => {
            charge(list.raw_len())?;
            Arg::List(
                list.sequence_values::<Value>().map(|v| flat(shared, &v?)).collect::<mlua::Result<_>>()?,
            )
        }
        other => match integer(other) {
            Some(number) => Arg::Number(number),
            None => return fail(format!("{} is no argument", show(other))),
        },
    })
}

fn flat(shared: &Shared, value: &Value) -> mlua::Result<Arg> {
    match value {
        Value::Table(_) => fail("an argument is no list of lists".into()),
        other => arg(shared, other),
    }
}

impl Shared {
    /// Prepares what a step then returns.
    fn prepare(&self, flow: Flow, next: &LuaString) -> mlua::Result<Handle> {
        if !self.writable.get() {
            return fail("only a step of a procedure may do this".into());
        }
        let next = str_of(next)?;
        let before = self.prepared.borrow_mut().replace((flow, next));
        if before.is_some() {
            return fail("a step makes one call and returns it".into());
        }
        Ok(PREPARED)
    }
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

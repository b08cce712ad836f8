//! What the game remembers, and what is told of it.

use adjutant_kernel::events::{Arg, EventBuilder};
use adjutant_kernel::{PlaceId, SideId, StackId, WordId};
use mlua::{LuaString, Table, Value};

use super::Api;
use super::cells::{cell, column_named};
use super::change::{audience, set};
use super::game::{bodies, record_word};
use crate::fields::{integer, show};
use crate::handle::{Handle, Kind};
use crate::shared::{Shared, charge, str_of, unknown};

const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    remembering(api, g)?;
    telling(api, g)
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
            let column = column_named(shared, &column)?;
            let side = side.map(|s| shared.side(&s.to_str()?)).transpose()?;
            shared.work(|cx| cx.reset(column, side))
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
            shared.work(|cx| cx.unrecord(id, |record| is_like(&record.fields, &fields)))
        },
    )
}

/// Whether the fields of an entry are as given.
pub(super) fn is_like(fields: &[i32], wanted: &[Option<i32>]) -> bool {
    fields.iter().zip(wanted).all(|(have, want)| want.is_none_or(|w| w == *have))
}

/// The words of an entry's fields; none for those that are not given.
pub(super) fn fields(
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
         only what they may know. Units are named to those who see them; `{ known = units }` to everybody.",
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
            let args = arguments(shared, args.as_ref())?;
            shared.work(|cx| {
                cx.story_for(event, audience, rule, said(args));
                Ok(())
            })
        },
    )
}

/// Letters of a text in an event, at most: it is a name or the like, not a report.
const LONGEST_TEXT: usize = 300;

/// The arguments of an event, by name.
pub(super) fn arguments(shared: &Shared, args: Option<&Table>) -> mlua::Result<Vec<(WordId, Arg)>> {
    let Some(args) = args else { return Ok(Vec::new()) };
    let mut list = Vec::new();
    for pair in args.pairs::<LuaString, Value>() {
        let (key, value) = pair?;
        let key = str_of(&key)?;
        list.push((shared.word(&key)?, key, arg(shared, &value)?));
    }
    list.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(list.into_iter().map(|(word, _, arg)| (word, arg)).collect())
}

/// Adds arguments to an event.
pub(super) fn said(args: Vec<(WordId, Arg)>) -> impl FnOnce(&mut EventBuilder<'_>) {
    move |e| args.into_iter().for_each(|(key, arg)| e.arg(key, arg))
}

fn arg(shared: &Shared, value: &Value) -> mlua::Result<Arg> {
    let rb = shared.rb()?;
    Ok(match value {
        Value::Boolean(flag) => Arg::Flag(*flag),
        Value::String(name) => {
            let name = str_of(name)?;
            if name.chars().count() > LONGEST_TEXT || name.chars().any(char::is_control) {
                return fail(format!("a text of a story is one line of at most {LONGEST_TEXT} letters"));
            }
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
        // Units whose handles are known though they may be seen no more: what an event was about.
        Value::Table(list) => {
            let known: Value = shared.get(list, "known")?;
            if !known.is_nil() {
                return Ok(Arg::KnownBodies(bodies(&known)?));
            }
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

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

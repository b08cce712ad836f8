//! Columns by name: `get`, and the properties of `g`.

use std::collections::BTreeMap;
use std::rc::Rc;

use adjutant_kernel::rulebook::{ColumnDef, Holder};
use adjutant_kernel::{BodyId, ColumnId, Sight as _};
use mlua::{Lua, LuaString, Table, Value};

use super::game::G;
use super::{Api, Form};
use crate::columns::CellRead;
use crate::fields::{show, text};
use crate::handle::{Handle, Kind};
use crate::memo::{self, Look};
use crate::names::ByName;
use crate::raw::{self, Given, Slot, Small, Stack};
use crate::shared::{Shared, look, str_of, unknown};

/// The properties of `g` that are no columns.
const PROPERTIES: [(&str, &str, &str); 3] = [
    ("phase", "string?", "The phase that the sequence of play is in."),
    ("phasing", "Side?", "The side whose turn it is."),
    ("seat", "string?", "The seat that is asked or acts."),
];

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    for (name, ty, text) in PROPERTIES {
        api.note(G, name, Form::Property, ty, text);
    }
    api.object(
        G,
        g,
        "get",
        "(self: Game, of: any, column: string, side: Side?) -> any",
        "The value of a column of a thing (or of nil, the game), for a side where there is one a side.",
        |_, shared, (_, of, column, side): (Value, Value, LuaString, Option<LuaString>)| {
            let (cell, holder, side) = cell(shared, &of, &column, side.as_ref())?;
            let names = shared.names()?;
            Ok(names.value(look(|sight| cell.read(names, &sight, holder, side))?))
        },
    )?;
    api.object_front(g, "get", get_front)
}

/// What answers `get` from the bare stack.
fn get_front(shared: &Shared, stack: &Stack) -> Option<Given> {
    let (rb, names) = (shared.rb().ok()?, shared.names().ok()?);
    let column = names.known(stack.slot(3))?.column?;
    let def = rb.columns().get(column.index())?;
    let side = match (def.by_side, stack.slot(4)) {
        (false, Slot::Nil) => 0,
        (true, text @ Slot::Text(_)) => names.known(text)?.side?.0,
        _ => return None,
    };
    let of = stack.slot(2);
    let holder = match (def.holder, of) {
        (Holder::Game, Slot::Nil) => 0,
        (Holder::Seat, Slot::Text(_)) => names.known(of)?.seat?.0.into(),
        (Holder::Side, Slot::Text(_)) => names.known(of)?.side?.0.into(),
        (Holder::Choice, Slot::Text(_)) => {
            let word = names.known(of)?.word?;
            def.choices().iter().position(|w| *w == word)? as u16
        }
        (Holder::Piece, Slot::Handle(Handle { kind: Kind::Piece, id })) => id,
        (Holder::Piece, _) => return None,
        (holder, Slot::Handle(handle)) if crate::columns::kind_of(holder) == Some(handle.kind) => handle.id,
        _ => return None,
    };
    Some(stack.give(memo::read(shared, Look::Cell(column, holder, side)).ok()?))
}

/// The cell that a thing, the name of a column and a side mean.
pub(super) fn cell(
    shared: &Shared,
    of: &Value,
    column: &LuaString,
    side: Option<&LuaString>,
) -> mlua::Result<(CellRead, u16, u8)> {
    let id = column_named(shared, column)?;
    let (rb, name) = (shared.rb()?, str_of(column)?);
    let def = &rb.columns()[id.index()];
    let side = match (def.by_side, side) {
        (true, Some(side)) => shared.side(&side.to_str()?)?.0,
        (false, None) => 0,
        (true, None) => return fail(format!("column `{name}` has one value a side; say which")),
        (false, Some(_)) => return fail(format!("column `{name}` has not one value a side")),
    };
    let handle = match of {
        Value::LightUserData(raw) => Handle::from_raw(*raw),
        _ => None,
    };
    let holder = match (def.holder, handle, of) {
        (Holder::Game, None, Value::Nil) => 0,
        (Holder::Game, ..) => {
            return fail(format!(
                "column `{name}` is of the game, so write nil in place of a thing, not {}",
                show(of)
            ));
        }
        (Holder::Seat, None, Value::String(seat)) => match rb.seat_named(&seat.to_str()?) {
            Some(seat) => seat.0.into(),
            None => return fail("there is no such seat".into()),
        },
        (Holder::Side, None, Value::String(side)) => shared.side(&side.to_str()?)?.0.into(),
        (Holder::Choice, None, choice) => choice_of(shared, def, choice)?,
        (Holder::Piece, Some(Handle { kind: Kind::Unit, id }), _) => {
            match look(|sight| sight.piece(BodyId(id)))? {
                Some(piece) => piece.0,
                None => return fail("it is not known which piece that is".into()),
            }
        }
        (Holder::Piece, Some(Handle { kind: Kind::Piece, id }), _) => id,
        (holder, Some(handle), _) if crate::columns::kind_of(holder) == Some(handle.kind) => handle.id,
        _ => return fail(format!("column `{name}` is not of {}", show(of))),
    };
    Ok((CellRead::new(id, def), holder, side))
}

/// The column with a name.
pub(super) fn column_named(shared: &Shared, name: &LuaString) -> mlua::Result<ColumnId> {
    let rb = shared.rb()?;
    let name = str_of(name)?;
    let n = rb.columns().iter().position(|c| c.name == name);
    let n = n.ok_or_else(|| unknown("column", &name, rb.columns().iter().map(|c| c.name.as_str())))?;
    Ok(ColumnId(n as u16))
}

/// One of a column's declared choices, by name.
fn choice_of(shared: &Shared, def: &ColumnDef, choice: &Value) -> mlua::Result<u16> {
    let rb = shared.rb()?;
    let names = || def.choices().iter().map(|w| rb.word(*w));
    let name = text(choice).unwrap_or_else(|| show(choice));
    let at = names().position(|n| n == name);
    at.map(|n| n as u16).ok_or_else(|| unknown("choice", &name, names()))
}

/// What `g` has besides methods.
enum Property {
    Cell(CellRead),
    Phase,
    Phasing,
    Seat,
}

impl Property {
    fn read(&self, shared: &Shared) -> mlua::Result<Small> {
        match self {
            Self::Cell(cell) => memo::read(shared, Look::Cell(cell.column, 0, 0)),
            Self::Phase => memo::read(shared, Look::Phase),
            Self::Phasing => memo::read(shared, Look::Phasing),
            Self::Seat => {
                memo::spoil();
                let names = shared.names()?;
                Ok(shared.seat.get().map_or(Small::Nil, |seat| names.seat(seat)))
            }
        }
    }
}

pub(super) type GameColumns = BTreeMap<String, CellRead>;

/// The columns of the game, by name.
pub(super) fn columns(api: &mut Api<'_>, g: &Table) -> mlua::Result<GameColumns> {
    let mut columns = GameColumns::new();
    let Ok(rb) = api.shared.rb().cloned() else { return Ok(columns) };
    for (n, def) in rb.columns().iter().enumerate() {
        if def.holder == Holder::Game && !def.by_side {
            let taken = PROPERTIES.iter().any(|(name, ..)| *name == def.name);
            if taken || g.contains_key(def.name.as_str())? {
                api.problems.push(format!(
                    "`{}` is a column of the game, and scripts know something else of the game by that name; \
                     rename it",
                    def.name
                ));
                continue;
            }
            let cell = CellRead::new(ColumnId(n as u16), def);
            api.note(G, &def.name, Form::Property, &cell.type_name(&rb), "A column of the pack.");
            columns.insert(def.name.clone(), cell);
        }
    }
    Ok(columns)
}

/// Gives `g` its properties and freezes it.
pub(super) fn seal(api: &Api<'_>, g: &Table, columns: GameColumns) -> mlua::Result<()> {
    let columns = Rc::new(columns);
    let meta = api.lua.create_table()?;
    let methods = g.pairs::<String, Value>().map(|pair| pair.map(|(name, _)| name));
    let methods: Vec<String> = methods.collect::<mlua::Result<_>>()?;
    let (shared, read) = (Rc::clone(api.shared), Rc::clone(&columns));
    let property = Rc::new(move |key: &str| -> Option<Property> {
        Some(match (read.get(key), key) {
            (Some(cell), _) => Property::Cell(cell.clone()),
            (None, "phase") => Property::Phase,
            (None, "phasing") => Property::Phasing,
            (None, "seat") => Property::Seat,
            _ => return None,
        })
    });
    let mut by_name = ByName::default();
    for name in columns.keys().map(String::as_str).chain(PROPERTIES.iter().map(|(n, ..)| *n)) {
        let at = raw::anchor(api.lua, name)?;
        by_name.extend(property(name).map(|p| (at, p)));
    }
    let front = {
        let shared = Rc::clone(&shared);
        move |stack: &Stack| {
            let property = by_name.get(&stack.slot(2).text()?)?;
            Some(stack.give(property.read(&shared).ok()?))
        }
    };
    let known: Vec<String> = columns.keys().cloned().collect();
    let index = move |_: &Lua, (_, key): (Value, LuaString)| -> mlua::Result<Value> {
        let key = key.to_str()?;
        let Some(property) = property(&key) else {
            let known = known.iter().chain(&methods).map(String::as_str);
            let known = known.chain(PROPERTIES.iter().map(|(n, ..)| *n));
            return fail(format!("the game has no `{key}`{}", crate::problem::suggest(&key, known)));
        };
        shared.value(property.read(&shared)?)
    };
    let index = api.lua.create_function(index)?;
    meta.raw_set("__index", raw::fronted(api.lua, Box::new(front), &index)?)?;
    let shared = Rc::clone(api.shared);
    let set = move |_: &Lua, (_, key, value): (Value, LuaString, Value)| -> mlua::Result<()> {
        let key = key.to_str()?;
        let Some(cell) = columns.get(&*key) else {
            let near = crate::problem::suggest(&key, columns.keys().map(String::as_str));
            return fail(format!("the game has no column `{key}`{near}"));
        };
        super::change::set(&shared, cell, &key, 0, 0, &value)
    };
    meta.raw_set("__newindex", api.lua.create_function(set)?)?;
    meta.set_readonly(true);
    g.set_metatable(Some(meta))?;
    g.set_readonly(true);
    Ok(())
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

//! `g`: the game as a whole, read.

use std::collections::BTreeMap;
use std::rc::Rc;

use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::points::{PointArg, PointArgs};
use adjutant_kernel::rulebook::{ColumnDef, FieldKind, Holder, Placement};
use adjutant_kernel::{
    BodyId, ColumnId, LinkId, PieceId, PlaceId, PointId, SideId, Sight as _, SpaceId, WordId,
};
use mlua::{Function, Lua, LuaString, Table, Value, Variadic};

use super::lists::{Made, Wanted, once_each};
use super::things::feature_named;
use super::{Api, Form};
use crate::columns::CellRead;
use crate::fields::{integer, show, text};
use crate::freeze;
use crate::handle::{Handle, Kind};
use crate::names::{ByName, Names};
use crate::raw::{self, Given, Slot, Small, Stack, Things};
use crate::shared::{SIGHT, Shared, WORK, charge, look, str_of, unknown};

const G: &str = "Game";

/// The properties of `g` that are no columns.
const PROPERTIES: [(&str, &str, &str); 3] = [
    ("phase", "string?", "The phase that the sequence of play is in."),
    ("phasing", "Side?", "The side whose turn it is."),
    ("seat", "string?", "The seat that is asked or acts."),
];

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<Table> {
    let g = api.lua.create_table()?;
    let spaces = named(api, &g)?;
    points(api, &g)?;
    fronts(api, &g, spaces)?;
    eyes(api, &g)?;
    records(api, &g)?;
    api.object_front(&g, "get", get_front)?;
    api.object_front(&g, "records", records_front)?;
    for (name, ty, text) in PROPERTIES {
        api.note(G, name, Form::Property, ty, text);
    }
    Ok(g)
}

fn named(api: &mut Api<'_>, g: &Table) -> mlua::Result<Rc<Made>> {
    api.object(
        G,
        g,
        "space",
        "(self: Game, name: string) -> Space",
        "The space with a name.",
        |_, shared, (_, name): (Value, LuaString)| {
            let board = shared.rb()?.board();
            let name = str_of(&name)?;
            let all = (0..board.space_count() as u16).map(|n| board.space_name(SpaceId(n)));
            board.space_named(&name).map(Handle::from).ok_or_else(|| unknown("space", &name, all))
        },
    )?;
    api.object(
        G,
        g,
        "place",
        "(self: Game, name: string) -> Space | Place",
        "The space, box or other place with a name.",
        |_, shared, (_, name): (Value, LuaString)| {
            let rb = shared.rb()?;
            let board = rb.board();
            let name = str_of(&name)?;
            let all = (0..board.place_count() as u16).map(|n| board.place_name(PlaceId(n)));
            board
                .place_named(&name)
                .map(|p| Handle::of_place(rb, p))
                .ok_or_else(|| unknown("place", &name, all))
        },
    )?;
    api.object(
        G,
        g,
        "link",
        "(self: Game, name: string) -> Link",
        "The link with a name.",
        |_, shared, (_, name): (Value, LuaString)| {
            let board = shared.rb()?.board();
            let name = str_of(&name)?;
            let all = (0..board.link_count() as u16).map(|n| board.link_name(LinkId(n)));
            board.link_named(&name).map(Handle::from).ok_or_else(|| unknown("link", &name, all))
        },
    )?;
    api.object(
        G,
        g,
        "unit",
        "(self: Game, name: string) -> Unit?",
        "The unit that is a piece, if who looks knows which it is.",
        |_, shared, (_, name): (Value, LuaString)| {
            let rb = shared.rb()?;
            let name = str_of(&name)?;
            let piece = rb
                .piece_named(&name)
                .ok_or_else(|| unknown("piece", &name, rb.pieces().iter().map(|p| p.name.as_str())))?;
            charge(1 + rb.pieces().len() / 16)?;
            look(|sight| {
                let first = BodyId(piece.0);
                if sight.piece(first) == Some(piece) {
                    return Some(first.into());
                }
                (0..sight.body_count() as u16)
                    .map(BodyId)
                    .find(|&b| sight.piece(b) == Some(piece))
                    .map(Handle::from)
            })
        },
    )?;
    api.object(
        G,
        g,
        "piece",
        "(self: Game, name: string) -> Piece",
        "The piece with a name, whatever unit it is.",
        |_, shared, (_, name): (Value, LuaString)| {
            let rb = shared.rb()?;
            let name = str_of(&name)?;
            let names = rb.pieces().iter().map(|p| p.name.as_str());
            rb.piece_named(&name).map(Handle::from).ok_or_else(|| unknown("piece", &name, names))
        },
    )?;
    api.object(
        G,
        g,
        "seats",
        "(self: Game, side: Side?) -> { string }",
        "The names of all seats, or of those that play for a side.",
        |lua, shared, (_, side): (Value, Option<LuaString>)| {
            let side = side.map(|s| shared.side(&s.to_str()?)).transpose()?;
            let (rb, names) = (shared.rb()?, shared.names()?);
            let seats = rb.seat_ids().filter(|s| side.is_none() || rb.seat(*s).side == side);
            crate::shared::list(lua, seats.map(|s| names.value(names.seat(s))))
        },
    )?;
    api.object(
        G,
        g,
        "side",
        "(self: Game, name: Side) -> SideColumns",
        "A side, for its columns.",
        |_, shared, (_, name): (Value, LuaString)| Ok(Handle::from(shared.side(&name.to_str()?)?)),
    )?;
    api.object(
        G,
        g,
        "other",
        "(self: Game, side: Side) -> Side",
        "The other of two sides.",
        |_, shared, (_, name): (Value, LuaString)| {
            let side = shared.side(&name.to_str()?)?;
            if shared.rb()?.sides().len() != 2 {
                return fail("there are more than two sides; which other?".into());
            }
            shared.value(shared.names()?.side(SideId(1 - side.0)))
        },
    )?;
    let (sides, spaces) = (std::cell::OnceCell::new(), Rc::new(Made::default()));
    let all = Rc::clone(&spaces);
    api.object(
        G,
        g,
        "sides",
        "(self: Game) -> { Side }",
        "All sides, in order.",
        move |lua, shared, _: Value| {
            let names = shared.names()?;
            once(&sides, || freeze::list(lua, shared.rb()?.side_ids().map(|s| names.value(names.side(s)))))
        },
    )?;
    api.object(
        G,
        g,
        "spaces",
        "(self: Game, feature: string?) -> { Space }",
        "All spaces, in order, or those that have a feature.",
        move |lua, shared, (_, feature): (Value, Option<LuaString>)| {
            let board = shared.rb()?.board();
            let feature = feature.map(|name| feature_named(shared, &name)).transpose()?;
            let key = (0, feature.map_or(u16::MAX, |f| f.0));
            once_each(lua, &all, key, || {
                let each = (0..board.space_count() as u16).map(SpaceId);
                let wanted = each.filter(|&s| feature.is_none_or(|f| board.has_feature_space(s, f)));
                freeze::list(lua, wanted.map(|s| Handle::from(s).value()))
            })
        },
    )?;
    api.object(
        G,
        g,
        "pieces",
        "(self: Game, wanted: (Side | Wanted)?) -> { Unit }",
        "All units that stand somewhere, as a side or a table wants; with `anywhere`, those too that stand nowhere.",
        |lua, shared, (_, wanted): (Value, Value)| {
            let wanted = Wanted::read(shared, &wanted)?;
            let found = all_units(&wanted)?;
            charge(1 + shared.rb()?.pieces().len())?;
            crate::shared::list(lua, found)
        },
    )?;
    api.object(
        G,
        g,
        "option",
        "(self: Game, name: string) -> boolean",
        "Whether an option is on.",
        |_, shared, (_, name): (Value, LuaString)| {
            let rb = shared.rb()?;
            let name = str_of(&name)?;
            let option = rb
                .option_named(&name)
                .ok_or_else(|| unknown("option", &name, rb.options().iter().map(|o| o.name.as_str())))?;
            look(|sight| sight.option(option))
        },
    )?;
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
    Ok(spaces)
}

/// What answers from the bare stack.
fn fronts(api: &mut Api<'_>, g: &Table, spaces: Rc<Made>) -> mlua::Result<()> {
    api.object_front(g, "place", |shared, stack| {
        let place = shared.names().ok()?.known(stack.slot(2))?.place?;
        Some(stack.give(Small::Handle(Handle::of_place(shared.rb().ok()?, place))))
    })?;
    api.object_front(g, "other", |shared, stack| {
        let names = shared.names().ok()?;
        let side = names.known(stack.slot(2))?.side?;
        let two = shared.rb().ok()?.sides().len() == 2;
        two.then(|| stack.give(names.side(SideId(1 - side.0))))
    })?;
    api.object_front(g, "option", |shared, stack| {
        let option = shared.names().ok()?.known(stack.slot(2))?.option?;
        Some(stack.give(Small::Flag(look(|sight| sight.option(option)).ok()?)))
    })?;
    api.object_front(g, "pieces", |shared, stack| {
        let wanted = Wanted::on(shared, stack, 2)?;
        let found = all_units(&wanted).ok()?;
        charge(1 + shared.rb().ok()?.pieces().len()).ok()?;
        Some(Given::List(found))
    })?;
    api.object_front(g, "spaces", move |shared, stack| {
        let feature = match stack.slot(2) {
            Slot::Nil => u16::MAX,
            text => shared.names().ok()?.known(text)?.feature?.0,
        };
        Some(stack.give(Small::Kept(spaces.borrow().get(&(0, feature))?.1)))
    })?;
    api.object_front(g, "total", |shared, stack| {
        let (point, args) = point_call(shared, stack)?;
        Some(stack.give(Small::Number(look(|sight| sight.total(point, &args)).ok()?)))
    })?;
    api.object_front(g, "forbidden", |shared, stack| {
        let (point, args) = point_call(shared, stack)?;
        let names = shared.names().ok()?;
        let rule = look(|sight| sight.forbidden(point, &args)).ok()?;
        Some(stack.give(rule.map_or(Small::Nil, |rule| names.rule(rule))))
    })
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
        (Holder::Game, Slot::Nil | Slot::Table) => 0,
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
    let cell = names.cell(column)?;
    Some(stack.give(look(|sight| cell.read(names, &sight, holder, side)).ok()?))
}

/// What answers `records` from the bare stack.
fn records_front(shared: &Shared, stack: &Stack) -> Option<Given> {
    let names = shared.names().ok()?;
    let relation = names.known(stack.slot(2))?.relation?;
    let def = shared.rb().ok()?.records().get(relation.index())?;
    let mut values = Vec::new();
    look(|sight| {
        for record in sight.records(relation) {
            let fields = def.fields.iter().zip(record.fields);
            values.extend(fields.map(|((_, kind), value)| record_small(names, *kind, value)));
        }
    })
    .ok()?;
    charge(1 + values.len() / def.fields.len().max(1)).ok()?;
    Some(Given::Entries(Rc::clone(names.fields(relation)?), values))
}

/// All units that are wanted.
fn all_units(wanted: &Wanted) -> mlua::Result<Things> {
    look(|sight| {
        let all = (0..sight.body_count() as u16).map(BodyId);
        all.filter(|&b| wanted.admits(&sight, b) && (wanted.anywhere || sight.place(b).is_some()))
            .map(Handle::from)
            .collect()
    })
}

/// The point and its arguments on the bare stack.
fn point_call(shared: &Shared, stack: &Stack) -> Option<(PointId, PointArgs)> {
    let names = shared.names().ok()?;
    let point = names.known(stack.slot(2))?.point?;
    let arg = |n: usize| {
        Some(match stack.slot(n) {
            Slot::Handle(handle) => point_arg(handle)?,
            text @ Slot::Text(_) => {
                let known = names.known(text)?;
                known.side.map(PointArg::Side).or_else(|| known.word.map(PointArg::Word))?
            }
            other => PointArg::Number(other.integer()?),
        })
    };
    Some((point, (3..=stack.count()).map(arg).collect::<Option<_>>()?))
}

/// The argument of a point that a thing is.
fn point_arg(handle: Handle) -> Option<PointArg> {
    match handle {
        Handle { kind: Kind::Unit, id } => Some(PointArg::Body(BodyId(id))),
        Handle { kind: Kind::Space, id } => Some(PointArg::Space(SpaceId(id))),
        Handle { kind: Kind::Link, id } => Some(PointArg::Link(LinkId(id))),
        Handle { kind: Kind::Side, id } => Some(PointArg::Side(SideId(id as u8))),
        _ => None,
    }
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
        (Holder::Game, None, Value::Nil | Value::Table(_)) => 0,
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

fn points(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "total",
        "(self: Game, point: string, ...any) -> number",
        "The total of a rule point, as far as who looks may know.",
        |_, shared, (_, name, args): (Value, LuaString, Variadic<Value>)| {
            let (point, args) = (point_named(shared, &name)?, point_args(shared, &args)?);
            look(|sight| sight.total(point, &args))
        },
    )?;
    api.object(
        G,
        g,
        "forbidden",
        "(self: Game, point: string, ...any) -> string?",
        "The rule by which a permission point forbids something, as far as who looks may know.",
        |_, shared, (_, name, args): (Value, LuaString, Variadic<Value>)| {
            let (point, args) = (point_named(shared, &name)?, point_args(shared, &args)?);
            let rule = look(|sight| sight.forbidden(point, &args))?;
            Ok(rule.map(|r| shared.names().map_or(Value::Nil, |n| n.value(n.rule(r)))))
        },
    )?;
    api.object(
        G,
        g,
        "contributions",
        "(self: Game, point: string, ...any) -> { any }",
        "What is contributed to a rule point, as a list of { rule, amount, stage = number } that a roll takes as \
         shifts or modifiers.",
        |lua, shared, (_, name, args): (Value, LuaString, Variadic<Value>)| {
            let (point, args) = (point_named(shared, &name)?, point_args(shared, &args)?);
            let found = look(|sight| sight.contributions(point, &args))?;
            let list = crate::shared::list::<Table>(lua, [])?;
            for one in found.iter() {
                let entry = lua.create_sequence_from([shared.value(shared.names()?.rule(one.rule))?, Value::Integer(one.value.into())])?;
                entry.raw_set("stage", one.stage)?;
                list.raw_push(entry)?;
            }
            Ok(list)
        },
    )?;
    api.object(
        G,
        g,
        "placement",
        "(self: Game, units: Unit | { Unit }, at: Space | Place, cause: string) -> (string, string?, { Unit }?)",
        "The placement check as the units' side may know: \"allowed\", \"must_go_on\", \"displaces\" or \"forbidden\", \
         then the rule, and of \"displaces\" whom.",
        |lua, shared, (_, units, at, cause): (Value, Value, Handle, LuaString)| {
            let verdict = placement(shared, &units, at, &cause)?;
            let names = shared.names()?;
            Ok(match verdict {
                Placement::Allowed => ("allowed", Value::Nil, None),
                Placement::MustGoOn(rule) => ("must_go_on", names.value(names.rule(rule)), None),
                Placement::Forbidden(rule) => ("forbidden", names.value(names.rule(rule)), None),
                Placement::Displaces(bodies, rule) => {
                    let bodies = crate::shared::list(lua, bodies.into_iter().map(Handle::from))?;
                    ("displaces", names.value(names.rule(rule)), Some(bodies))
                }
            })
        },
    )?;
    api.object(G, g, "may_stand", "(self: Game, units: Unit | { Unit }, at: Space | Place, cause: string) -> (boolean, string?)", "The placement check as the units' side may know: whether they may come to stand there, and the rule if not.", |_, shared, (_, units, at, cause): (Value, Value, Handle, LuaString)| {
        let verdict = placement(shared, &units, at, &cause)?.forbidden();
        Ok((verdict.is_none(), verdict.map(|r| shared.names().map_or(Value::Nil, |n| n.value(n.rule(r))))))
    })
}

fn placement(shared: &Shared, units: &Value, at: Handle, cause: &LuaString) -> mlua::Result<Placement> {
    let bodies = bodies(units)?;
    charge(1 + bodies.len())?;
    let cause = shared.word(&cause.to_str()?)?;
    let Some(place) = at.place(shared.rb()?) else { return fail("expected a place".into()) };
    look(|sight| {
        let side = bodies.first().and_then(|&b| sight.side(b));
        sight.placement(side, cause, &bodies, place)
    })
}

fn eyes(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "publicly",
        "(self: Game, look: () -> any) -> any",
        "What a function finds when it sees only what everybody knows. Who is asked, what is mixed and how often \
         is drawn follows from this.",
        |_, _, (_, function): (Value, Function)| with_eyes(|sight| Some(sight.common()), &function),
    )?;
    api.object(
        G,
        g,
        "seen_by",
        "(self: Game, side: Side, look: () -> any) -> any",
        "What a function finds when it sees only what a side may know.",
        |_, shared, (_, side, function): (Value, LuaString, Function)| {
            let side = shared.side(&side.to_str()?)?;
            with_eyes(|sight| sight.seen_by(side), &function)
        },
    )
}

fn with_eyes(
    eyes: impl for<'a> Fn(&Lent<'a>) -> Option<Lent<'a>>,
    function: &Function,
) -> mlua::Result<Value> {
    let call = |sight: Lent<'_>| match eyes(&sight) {
        Some(lent) => SIGHT.set(lent, || function.call::<Value>(())),
        None => fail("who looks may not look through those eyes".into()),
    };
    if SIGHT.is_set() {
        SIGHT.with(call)
    } else if WORK.is_set() {
        WORK.with(|work| call(work.0.lent()))
    } else {
        fail("there is no position to look at".into())
    }
}

fn records(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "records",
        "(self: Game, relation: string) -> { { [string]: any } }",
        "The entries of a relation, oldest first.",
        |lua, shared, (_, name): (Value, LuaString)| {
            let rb = shared.rb()?;
            let name = str_of(&name)?;
            let relation = rb
                .relation_named(&name)
                .ok_or_else(|| unknown("relation", &name, rb.records().iter().map(|r| r.name.as_str())))?;
            let def = &rb.records()[relation.index()];
            let found: Vec<_> = look(|sight| sight.records(relation).copied().collect())?;
            charge(1 + found.len())?;
            let list = crate::shared::list::<Table>(lua, [])?;
            for record in found {
                let entry = lua.create_table()?;
                for ((name, kind), value) in def.fields.iter().zip(record.fields) {
                    entry
                        .raw_set(name.as_str(), shared.value(record_small(shared.names()?, *kind, value))?)?;
                }
                list.raw_push(entry)?;
            }
            Ok(list)
        },
    )
}

fn record_small(names: &Names, kind: FieldKind, value: i32) -> Small {
    let Ok(id) = u16::try_from(value) else {
        return if kind == FieldKind::Int { Small::Number(value) } else { Small::Nil };
    };
    match kind {
        FieldKind::Int => Small::Number(value),
        FieldKind::Space => Small::Handle(SpaceId(id).into()),
        FieldKind::Side => names.side(SideId(id as u8)),
        FieldKind::Body => Small::Handle(BodyId(id).into()),
        FieldKind::Piece => Small::Handle(PieceId(id).into()),
        FieldKind::Word => names.word(WordId(id)),
    }
}

pub(super) fn record_word(shared: &Shared, kind: FieldKind, value: &Value) -> mlua::Result<i32> {
    let handle = match value {
        Value::LightUserData(raw) => Handle::from_raw(*raw),
        _ => None,
    };
    let word = match (kind, handle) {
        (FieldKind::Int, None) => integer(value),
        (FieldKind::Space, Some(Handle { kind: Kind::Space, id }))
        | (FieldKind::Body, Some(Handle { kind: Kind::Unit, id }))
        | (FieldKind::Piece, Some(Handle { kind: Kind::Piece, id })) => Some(id.into()),
        (FieldKind::Side, None) => text(value).and_then(|t| shared.side(&t).ok()).map(|s| s.0.into()),
        (FieldKind::Word, None) => text(value).and_then(|t| shared.word(&t).ok()).map(|w| w.0.into()),
        _ => None,
    };
    word.ok_or_else(|| mlua::Error::runtime(format!("{} does not fit the field", show(value))))
}

pub(super) fn point_named(shared: &Shared, name: &LuaString) -> mlua::Result<PointId> {
    let rb = shared.rb()?;
    let name = str_of(name)?;
    rb.point_named(&name).ok_or_else(|| unknown("point", &name, rb.points().iter().map(|p| p.name.as_str())))
}

pub(super) fn point_args(shared: &Shared, args: &[Value]) -> mlua::Result<PointArgs> {
    let one = |value: &Value| -> mlua::Result<PointArg> {
        Ok(match value {
            Value::LightUserData(raw) => {
                let arg = Handle::from_raw(*raw).and_then(point_arg);
                arg.ok_or_else(|| mlua::Error::runtime(format!("a point takes no {}", show(value))))?
            }
            Value::String(name) => {
                let name = name.to_str()?;
                match shared.rb()?.side_named(&name) {
                    Some(side) => PointArg::Side(side),
                    None => PointArg::Word(shared.word(&name)?),
                }
            }
            other => match integer(other) {
                Some(number) => PointArg::Number(number),
                None => return fail(format!("a point takes no {}", show(other))),
            },
        })
    };
    args.iter().map(one).collect()
}

/// A unit or a list of units.
pub(crate) fn bodies(value: &Value) -> mlua::Result<smallvec::SmallVec<[BodyId; 8]>> {
    match value {
        Value::LightUserData(raw) => match Handle::from_raw(*raw) {
            Some(handle) => Ok(smallvec::smallvec![handle.body()?]),
            None => fail("expected a unit".into()),
        },
        Value::Table(list) => {
            charge(list.raw_len())?;
            list.sequence_values::<Handle>().map(|h| h?.body()).collect()
        }
        other => fail(format!("expected a unit or a list of units, found {}", show(other))),
    }
}

fn once(
    cell: &std::cell::OnceCell<Table>,
    make: impl FnOnce() -> mlua::Result<Table>,
) -> mlua::Result<Table> {
    if let Some(table) = cell.get() {
        return Ok(table.clone());
    }
    let table = make()?;
    Ok(cell.get_or_init(|| table).clone())
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
        let names = shared.names()?;
        Ok(match self {
            Self::Cell(cell) => look(|sight| cell.read(names, &sight, 0, 0))?,
            Self::Phase => look(|sight| sight.phase())?.map_or(Small::Nil, |p| names.word(p)),
            Self::Phasing => look(|sight| sight.phasing())?.map_or(Small::Nil, |s| names.side(s)),
            Self::Seat => shared.seat.get().map_or(Small::Nil, |s| names.seat(s)),
        })
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

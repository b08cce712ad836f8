//! `g`: the game as a whole, read.

use std::rc::Rc;

use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::rulebook::FieldKind;
use adjutant_kernel::{BodyId, LinkId, PieceId, PlaceId, SideId, Sight as _, SpaceId, WordId};
use mlua::{Function, LuaString, Table, Value};

use super::lists::{Made, Wanted, once_each};
use super::things::feature_named;
use super::wanted_spaces::WantedSpaces;
use super::{Api, cells, points};
use crate::fields::{integer, show, text};
use crate::freeze;
use crate::handle::{Handle, Kind};
use crate::memo::{self, Look};
use crate::names::Names;
use crate::raw::{Given, Slot, Small, Stack, Things};
use crate::shared::{SIGHT, Shared, WORK, charge, look, str_of, unknown};

pub(super) const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<Table> {
    let g = api.lua.create_table()?;
    let spaces = named(api, &g)?;
    fronts(api, &g, spaces)?;
    points::install(api, &g)?;
    eyes(api, &g)?;
    records(api, &g)?;
    api.object_front(&g, "records", records_front)?;
    cells::install(api, &g)?;
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
        "(self: Game, wanted: (string | WantedSpaces)?) -> { Space }",
        "All spaces, in order, or those that have a feature; or those that a table wants: by `feature`, and by \
         columns of spaces that have just these values, as in `{ feature = \"port\", blockaded = true }`.",
        move |lua, shared, (_, wanted): (Value, Value)| {
            let board = shared.rb()?.board();
            let feature = match &wanted {
                Value::Nil => None,
                Value::String(name) => Some(feature_named(shared, name)?),
                other => {
                    let wanted = WantedSpaces::read(shared, other)?;
                    return crate::shared::list(lua, wanted.found(shared)?);
                }
            };
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
        "All units that stand somewhere, as a side or a table wants, in the order in which they are declared; with \
         `anywhere`, those too that stand nowhere. With `on_map` those in spaces only, with a `feature` those in \
         spaces that have it, both space by space: where units are hidden any other order would tell which is which.",
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
        Some(stack.give(memo::read(shared, Look::Option(option)).ok()?))
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
            Slot::Table => {
                let wanted = WantedSpaces::on(shared, stack, 2)?;
                return Some(Given::List(wanted.found(shared).ok()?));
            }
            text => shared.names().ok()?.known(text)?.feature?.0,
        };
        Some(stack.give(Small::Kept(spaces.borrow().get(&(0, feature))?.1)))
    })
}

/// What answers `records` from the bare stack.
fn records_front(shared: &Shared, stack: &Stack) -> Option<Given> {
    let Slot::Nil = stack.slot(3) else { return None };
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

/// All units that are wanted: those on the map in the order of the tree, for the order of their numbers would tell
/// whoever knows which is which; else in that of their numbers.
fn all_units(wanted: &Wanted) -> mlua::Result<Things> {
    look(|sight| {
        let board = sight.rulebook().board();
        let mut found = Things::new();
        if wanted.is_of_spaces() {
            let bodies = sight.each_body_on_map(|space| wanted.reaches(board, PlaceId(space.0)));
            found.extend(bodies.filter(|&b| wanted.fits(&sight, b)).map(Handle::from));
        } else {
            let all = (0..sight.body_count() as u16).map(BodyId);
            let wanted =
                all.filter(|&b| wanted.fits(&sight, b) && (wanted.anywhere || sight.place(b).is_some()));
            found.extend(wanted.map(Handle::from));
        }
        found
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
    memo::spoil();
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
        "(self: Game, relation: string, like: { [string]: any }?) -> { { [string]: any } }",
        "The entries of a relation, oldest first, or those whose fields are as given.",
        |lua, shared, (_, name, like): (Value, LuaString, Option<Table>)| {
            let like = like.map_or_else(|| lua.create_table(), Ok)?;
            let (relation, wanted) = super::story::fields(shared, &name, &like)?;
            let def = &shared.rb()?.records()[relation.index()];
            let mut seen = 0;
            let found: Vec<_> = look(|sight| {
                let all = sight.records(relation).inspect(|_| seen += 1);
                all.filter(|record| super::story::is_like(&record.fields, &wanted)).copied().collect()
            })?;
            charge(1 + seen)?;
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

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

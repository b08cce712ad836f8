//! Rule points and the placement check, as scripts ask for them.

use adjutant_kernel::points::{PointArg, PointArgs};
use adjutant_kernel::rulebook::Placement;
use adjutant_kernel::{BodyId, LinkId, PointId, SideId, Sight as _, SpaceId};
use mlua::{LuaString, Table, Value, Variadic};
use smallvec::{SmallVec, smallvec};

use super::Api;
use super::game::{G, bodies};
use crate::fields::{integer, show};
use crate::handle::{Handle, Kind};
use crate::raw::{self, Slot, Small, Stack};
use crate::shared::{Shared, charge, look, str_of, unknown};

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
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
    })?;
    fronts(api, g)
}

/// What answers from the bare stack.
fn fronts(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object_front(g, "total", |shared, stack| {
        let (point, args) = point_call(shared, stack)?;
        Some(stack.give(Small::Number(look(|sight| sight.total(point, &args)).ok()?)))
    })?;
    api.object_front(g, "forbidden", |shared, stack| {
        let (point, args) = point_call(shared, stack)?;
        let names = shared.names().ok()?;
        let rule = look(|sight| sight.forbidden(point, &args)).ok()?;
        Some(stack.give(rule.map_or(Small::Nil, |rule| names.rule(rule))))
    })?;
    let word = |text| raw::kept_text(api.lua, text);
    let words = [word("allowed")?, word("must_go_on")?, word("forbidden")?];
    api.object_front(g, "placement", move |shared, stack| {
        let names = shared.names().ok()?;
        let (word, rule) = match placement_on(shared, stack)? {
            Placement::Allowed => (words[0], Small::Nil),
            Placement::MustGoOn(rule) => (words[1], names.rule(rule)),
            Placement::Forbidden(rule) => (words[2], names.rule(rule)),
            // Whom it displaces is a list beside other results.
            Placement::Displaces(..) => return None,
        };
        Some(stack.give_all([word, rule, Small::Nil]))
    })?;
    api.object_front(g, "may_stand", |shared, stack| {
        let rule = placement_on(shared, stack)?.forbidden();
        let names = shared.names().ok()?;
        Some(stack.give_all([Small::Flag(rule.is_none()), rule.map_or(Small::Nil, |rule| names.rule(rule))]))
    })
}

/// The placement check that is asked for on the bare stack.
fn placement_on(shared: &Shared, stack: &Stack) -> Option<Placement> {
    let bodies: SmallVec<[BodyId; 8]> = match stack.slot(2) {
        Slot::Handle(unit) => smallvec![unit.body().ok()?],
        Slot::Table => {
            charge(stack.length(2)).ok()?;
            (1..=stack.length(2)).map(|n| stack.item(2, n).handle()?.body().ok()).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let place = stack.slot(3).handle()?.place(shared.rb().ok()?)?;
    let cause = shared.names().ok()?.known(stack.slot(4))?.word?;
    charge(1 + bodies.len()).ok()?;
    look(|sight| {
        let side = bodies.first().and_then(|&b| sight.side(b));
        sight.placement(side, cause, &bodies, place)
    })
    .ok()
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
    let mut args = PointArgs::new();
    for n in 3..=stack.count() {
        args.push(arg(n)?);
    }
    Some((point, args))
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

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

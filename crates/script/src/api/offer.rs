//! `offer`: what a seat may do.

use adjutant_kernel::{Action, BodyId, LinkId, PieceId, PlaceId, RuleId, Rulebook, SideId, StackId, Target};
use mlua::{LuaString, Table, Value, Variadic};

use super::Api;
use crate::fields::{integer, show};
use crate::handle::{Handle, Kind};
use crate::raw::{Given, Slot};
use crate::shared::{Shared, charge};

const OFFER: &str = "Offer";
/// More than any seat can read; a script that offers more is at fault.
const MOST: usize = 100_000;

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<Table> {
    let offer = api.lua.create_table()?;
    api.object(
        OFFER,
        &offer,
        "action",
        "(self: Offer, verb: string, ...any) -> ()",
        "Offers a verb with up to four targets: units, stacks, spaces, links, sides, whole numbers, choices.",
        |_, shared, (_, verb, targets): (Value, LuaString, Variadic<Value>)| {
            push(shared, &verb, &targets, None)
        },
    )?;
    api.object(
        OFFER,
        &offer,
        "each",
        "(self: Offer, verb: string, ...any) -> ()",
        "Offers a verb once for each of a list, which comes last: `offer:each(\"sail\", ship, harbours)`.",
        |_, shared, (_, verb, targets): (Value, LuaString, Variadic<Value>)| {
            let Some((Value::Table(list), before)) = targets.split_last() else {
                return fail("what is offered for each comes last, as a list".into());
            };
            for last in list.sequence_values::<Value>() {
                push(shared, &verb, &[before, &[last?]].concat(), None)?;
            }
            Ok(())
        },
    )?;
    api.object(
        OFFER,
        &offer,
        "unless",
        "(self: Offer, rule: string?, verb: string, ...any) -> ()",
        "Offers it unless there is a rule that forbids it (nil: there is none). A seat that asks why not is told \
         the rule.",
        |_, shared, (_, rule, verb, targets): (Value, Option<LuaString>, LuaString, Variadic<Value>)| {
            let rule = rule.map(|r| shared.rule(&r.to_str()?)).transpose()?;
            push(shared, &verb, &targets, rule)
        },
    )?;
    api.object(
        OFFER,
        &offer,
        "otherwise",
        "(self: Offer, rule: string, verb: string, fits: ((...any) -> boolean?)?) -> ()",
        "Actions that make sense and are not offered, because they are without number or never allowed (marching three \
         of a stack of two): a verb with targets for which `fits` gives true - any targets, if it is left out - is \
         refused by a rule, instead of being nothing that can be done now. It comes after what is offered; of several \
         the first that fits counts.",
        |_, shared, (_, rule, verb, fits): (Value, LuaString, LuaString, Option<mlua::Function>)| {
            let (rule, verb) = (shared.rule(&rule.to_str()?)?, shared.word(&verb.to_str()?)?);
            let Ok(mut others) = shared.others.try_borrow_mut() else {
                return fail("nothing is offered here".into());
            };
            if shared.seat.get().is_none() || shared.writable.get() || others.len() >= MOST {
                return fail("only the `offers` of a step that asks may offer anything".into());
            }
            charge(1)?;
            others.push((rule, verb, fits));
            Ok(())
        },
    )?;
    api.object(
        OFFER,
        &offer,
        "count",
        "(self: Offer) -> number",
        "How many actions have been offered so far.",
        |_, shared, _: Value| Ok(shared.offered.borrow().iter().filter(|(_, rule)| rule.is_none()).count()),
    )?;
    fronts(api, &offer)?;
    Ok(offer)
}

/// What answers from the bare stack.
fn fronts(api: &mut Api<'_>, offer: &Table) -> mlua::Result<()> {
    api.object_front(offer, "action", |shared, stack| {
        add(shared, stack.slot(2), (3..=stack.count()).map(|n| stack.slot(n)), None)?;
        Some(Given::Pushed(0))
    })?;
    api.object_front(offer, "unless", |shared, stack| {
        let rule = match stack.slot(2) {
            Slot::Nil => None,
            text => Some(shared.names().ok()?.known(text)?.rule?),
        };
        add(shared, stack.slot(3), (4..=stack.count()).map(|n| stack.slot(n)), rule)?;
        Some(Given::Pushed(0))
    })?;
    api.object_front(offer, "otherwise", |shared, stack| {
        let names = shared.names().ok()?;
        let (rule, verb) = (names.known(stack.slot(2))?.rule?, names.known(stack.slot(3))?.word?);
        let Slot::Nil = stack.slot(4) else { return None };
        let mut others = shared.others.try_borrow_mut().ok()?;
        if shared.seat.get().is_none() || shared.writable.get() || others.len() >= MOST {
            return None;
        }
        charge(1).ok()?;
        others.push((rule, verb, None));
        Some(Given::Pushed(0))
    })?;
    api.object_front(offer, "each", |shared, stack| {
        let list = stack.count();
        let Slot::Table = stack.slot(list) else { return None };
        let before = shared.offered.try_borrow().ok()?.len();
        for n in 1..=stack.length(list) {
            let targets = (3..list).map(|n| stack.slot(n)).chain([stack.item(list, n)]);
            if add(shared, stack.slot(2), targets, None).is_none() {
                shared.offered.try_borrow_mut().ok()?.truncate(before);
                return None;
            }
        }
        Some(Given::Pushed(0))
    })
}

/// Adds an offer; `None`, with nothing added, when anything about it is out of the way.
#[inline]
fn add(shared: &Shared, verb: Slot, targets: impl Iterator<Item = Slot>, rule: Option<RuleId>) -> Option<()> {
    let (rb, names) = (shared.rb().ok()?, shared.names().ok()?);
    let mut action = Action::new(names.known(verb)?.word?);
    let mut places = action.targets.iter_mut();
    for target in targets {
        *places.next()? = match target {
            Slot::Handle(handle) => target_of(rb, handle)?,
            Slot::Text(_) => {
                let known = names.known(target)?;
                known.side.map(Target::Side).or_else(|| known.word.map(Target::Choice))?
            }
            _ => Target::Number(i16::try_from(target.integer()?).ok()?),
        };
    }
    let mut offered = shared.offered.try_borrow_mut().ok()?;
    if shared.seat.get().is_none() || shared.writable.get() || offered.len() >= MOST {
        return None;
    }
    charge(1).ok()?;
    offered.push((action, rule));
    Some(())
}

/// The target that a thing is; `None` for what is none.
#[inline]
fn target_of(rb: &Rulebook, handle: Handle) -> Option<Target> {
    Some(match handle {
        Handle { kind: Kind::Unit, id } => Target::Body(BodyId(id)),
        Handle { kind: Kind::Stack, id } => Target::Stack(StackId(id)),
        Handle { kind: Kind::Space | Kind::Place, id } => Target::Place(PlaceId(id)),
        Handle { kind: Kind::Link, id } => Target::Link(LinkId(id)),
        Handle { kind: Kind::Piece, id } => Target::Piece(PieceId(id)),
        Handle { kind: Kind::Side, id } => Target::Side(SideId(id as u8)),
        Handle { kind: Kind::Border | Kind::Signal, .. } => Target::Place(handle.place(rb)?),
    })
}

fn push(shared: &Shared, verb: &LuaString, targets: &[Value], rule: Option<RuleId>) -> mlua::Result<()> {
    let rb = shared.rb()?;
    let Ok(mut offered) = shared.offered.try_borrow_mut() else {
        return fail("nothing is offered here".into());
    };
    if shared.seat.get().is_none() || shared.writable.get() {
        return fail("only the `offers` of a step that asks may offer anything".into());
    }
    if targets.len() > 4 || offered.len() >= MOST {
        return fail("an action has four targets at most, and no seat can be offered 100,000".into());
    }
    charge(1)?;
    let mut action = Action::new(shared.word(&verb.to_str()?)?);
    for (to, value) in action.targets.iter_mut().zip(targets) {
        *to = target(shared, rb, value)?;
    }
    offered.push((action, rule));
    Ok(())
}

fn target(shared: &Shared, rb: &Rulebook, value: &Value) -> mlua::Result<Target> {
    match value {
        Value::LightUserData(raw) => {
            let handle = Handle::from_raw(*raw).ok_or_else(|| mlua::Error::runtime("that is no target"))?;
            target_of(rb, handle)
                .ok_or_else(|| mlua::Error::runtime(format!("a {} is no target", handle.kind.name())))
        }
        Value::String(name) => {
            let name = name.to_str()?;
            match rb.side_named(&name) {
                Some(side) => Ok(Target::Side(side)),
                None => Ok(Target::Choice(shared.word(&name)?)),
            }
        }
        other => match integer(other).and_then(|n| i16::try_from(n).ok()) {
            Some(number) => Ok(Target::Number(number)),
            None => fail(format!("{} is no target", show(other))),
        },
    }
}

/// What a handler of a verb is given for a target.
pub(crate) fn value(shared: &Shared, rb: &Rulebook, target: Target) -> mlua::Result<Value> {
    let names = shared.names()?;
    Ok(match target {
        Target::None => Value::Nil,
        Target::Body(body) => Handle::from(body).value(),
        Target::Stack(stack) => Handle::from(stack).value(),
        Target::Place(place) => Handle::of_place(rb, place).value(),
        Target::Link(link) => Handle::from(link).value(),
        Target::Number(number) => Value::Integer(number.into()),
        Target::Choice(word) => names.value(names.word(word)),
        Target::Piece(piece) => Handle::from(piece).value(),
        Target::Side(side) => names.value(names.side(side)),
    })
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

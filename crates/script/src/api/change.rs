//! What steps do: kernel operations, each with the rule that it carries out.

use std::collections::HashMap;
use std::rc::Rc;

use adjutant_kernel::flow::Flow;
use adjutant_kernel::knowledge::Audience;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{Holder, Placement};
use adjutant_kernel::state::Position;
use adjutant_kernel::{ColumnId, PlaceId, Sight as _, StackId};
use mlua::{Function, Lua, LuaString, Table, Value};

use super::Api;
use super::game::bodies;
use crate::columns::{CellRead, kind_of};
use crate::handle::{Handle, Kind, PREPARED};
use crate::names::ByName;
use crate::raw::{self, Given, Stack};
use crate::shared::{Shared, charge, look, str_of};

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
    let mut by_name: ByName<Vec<(Kind, CellRead, bool)>> = ByName::default();
    for ((kind, name), (cell, of_piece)) in &cells {
        let named = by_name.entry(raw::anchor(api.lua, name)?).or_default();
        named.push((*kind, cell.clone(), *of_piece));
    }
    let shared = Rc::clone(api.shared);
    let front = move |stack: &Stack| {
        let handle = stack.slot(1).handle()?;
        let named = by_name.get(&stack.slot(2).text()?)?;
        let (_, cell, of_piece) = named.iter().find(|(kind, ..)| *kind == handle.kind)?;
        let number = cell.number_on(shared.names().ok()?, stack.slot(3))?;
        let holder = if *of_piece { look(|sight| sight.piece(handle.body().ok()?)).ok()? } else { None };
        let holder = holder.map_or(handle.id, |piece| piece.0);
        Some(done(shared.work(|cx| cx.set_cell(cell.column, holder, 0, number))))
    };
    let shared = Rc::clone(api.shared);
    let set = api.lua.create_function(move |_, (handle, key, value): (Handle, LuaString, Value)| {
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
    })?;
    raw::fronted(api.lua, Box::new(front), &set)
}

/// What a front answers when an operation was tried: it may not be tried again.
fn done(result: mlua::Result<()>) -> Given {
    match result {
        Ok(()) => Given::Pushed(0),
        Err(mlua::Error::RuntimeError(text)) => Given::Failed(text),
        Err(error) => Given::Failed(error.to_string()),
    }
}

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    flow(api, g)?;
    moving(api, g)?;
    super::knowing::install(api, g)?;
    super::chance::install(api, g)?;
    super::story::install(api, g)
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
            let moment = super::knowing::moment_named(shared, &moment)?;
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
    for (name, unseen, text) in [
        (
            "move",
            false,
            "Moves units, top first: into a place, `how` being \"loose\" (as they are, last), \"on_top\" or \"stack\" (a \
             new stack); into a stack (\"on_top\" or below), or under the command of a unit. What the placement check \
             forbids is not done and its rule is given. Of units that must go on the rule is not given: who moves \
             them asks `placement` first. The second result is whom they displace.",
        ),
        (
            "move_unseen",
            true,
            "The same, of which only the owner has an event: a side arranges its pieces in a draft, and what shows is \
             told when it commits.",
        ),
    ] {
        api.object(
            G,
            g,
            name,
            "(self: Game, units: Unit | { Unit }, to: Space | Place | Stack | Unit, cause: string, how: string?) -> (string?, { Unit }?)",
            text,
            move |lua, shared, args: (Value, Value, Handle, LuaString, Option<LuaString>)| {
                let (_, units, to, cause, how) = args;
                let units = bodies(&units)?;
                charge(units.len())?;
                let cause = shared.word(&cause.to_str()?)?;
                let dest = destination(shared, to, how.as_ref())?;
                let verdict = shared.work(|cx| {
                    if unseen { cx.move_unseen(cause, &units, dest) } else { cx.move_group(cause, &units, dest) }
                })?;
                placed(lua, shared, verdict)
            },
        )?;
    }
    api.object(
        G,
        g,
        "move_stack",
        "(self: Game, stack: Stack, to: Space | Place, cause: string) -> (string?, { Unit }?)",
        "Moves a whole stack. What the placement check forbids is not done and its rule is given; then whom it \
         displaces.",
        |lua, shared, (_, stack, to, cause): (Value, Handle, Handle, LuaString)| {
            let rb = shared.rb()?;
            let cause = shared.word(&cause.to_str()?)?;
            let (Kind::Stack, Some(place)) = (stack.kind, to.place(rb)) else {
                return fail("expected a stack and a place".into());
            };
            stack.spot(rb)?;
            let verdict = shared.work(|cx| cx.move_stack(cause, StackId(stack.id), place))?;
            placed(lua, shared, verdict)
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
        "renew",
        "(self: Game, stack: Stack) -> ()",
        "Gives a stack new handles, so that nobody else can tell it from what it was: its units were mixed.",
        |_, shared, (_, stack): (Value, Handle)| {
            let Kind::Stack = stack.kind else { return fail("expected a stack".into()) };
            stack.spot(shared.rb()?)?;
            shared.work(|cx| cx.renew_stack(StackId(stack.id)))
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

/// Where units are moved to.
fn destination(shared: &Shared, to: Handle, how: Option<&LuaString>) -> mlua::Result<Dest> {
    let rb = shared.rb()?;
    let how = how.map(str_of).transpose()?.unwrap_or_default();
    let position = if how == "on_top" { Position::Top } else { Position::Bottom };
    match (to.kind, how.as_str()) {
        (Kind::Stack, "" | "on_top" | "loose") => {
            to.spot(rb)?;
            Ok(Dest::Stack(StackId(to.id), position))
        }
        (Kind::Unit, "") => Ok(Dest::Command(to.body()?)),
        (_, "" | "loose" | "on_top" | "stack") => {
            let Some(place) = to.place(rb) else {
                return fail(format!("units cannot be moved to a {}", to.kind.name()));
            };
            Ok(if how == "stack" { Dest::NewStack(place) } else { Dest::Place(place, position) })
        }
        (_, other) => fail(format!("units are not moved `{other}`; loose, on_top or stack")),
    }
}

/// The rule that forbids, and who is displaced.
fn placed(lua: &Lua, shared: &Shared, verdict: Placement) -> mlua::Result<(Value, Option<Table>)> {
    Ok(match verdict {
        Placement::Allowed | Placement::MustGoOn(_) => (Value::Nil, None),
        Placement::Forbidden(rule) => (shared.value(shared.names()?.rule(rule))?, None),
        Placement::Displaces(bodies, _) => {
            (Value::Nil, Some(crate::shared::list(lua, bodies.into_iter().map(Handle::from))?))
        }
    })
}

pub(super) fn place_of(shared: &Shared, at: Handle) -> mlua::Result<PlaceId> {
    let place = at.place(shared.rb()?);
    place.ok_or_else(|| mlua::Error::runtime(format!("expected a place, found a {}", at.kind.name())))
}

pub(super) fn audience(shared: &Shared, to: Option<&LuaString>) -> mlua::Result<Audience> {
    Ok(match to {
        Some(side) => Audience::side(shared.side(&side.to_str()?)?),
        None => Audience::ALL,
    })
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

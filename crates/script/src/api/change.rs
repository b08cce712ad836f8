//! What steps do: kernel operations, each with the rule that it carries out.

use std::collections::HashMap;
use std::rc::Rc;

use adjutant_kernel::flow::Flow;
use adjutant_kernel::knowledge::{About, Audience};
use adjutant_kernel::ops::{Dest, Telling};
use adjutant_kernel::rulebook::{Holder, Placement};
use adjutant_kernel::state::Position;
use adjutant_kernel::{ColumnId, PlaceId, Sight as _, StackId};
use mlua::{Function, LuaString, Table, Value};

use super::Api;
use super::game::bodies;
use crate::columns::{CellRead, kind_of};
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

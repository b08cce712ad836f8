//! What is known: reveals, answers and what lapses, each with the rule that it carries out.

use adjutant_kernel::knowledge::About;
use adjutant_kernel::ops::Telling;
use adjutant_kernel::rulebook::Column;
use adjutant_kernel::{MomentId, PieceId, QuestionId, Sight as _, Tri};
use mlua::{LuaString, Table, Value};

use super::Api;
use super::cells::column_named;
use super::change::{audience, place_of};
use super::game::bodies;
use super::lists::set_named;
use super::story::{arguments, said};
use crate::handle::Handle;
use crate::shared::{Shared, charge, look, str_of, unknown};

const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    showing(api, g)?;
    answering(api, g)?;
    publishing(api, g)
}

fn showing(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "reveal",
        "(self: Game, unit: Unit, rule: string, with: { string }?) -> ()",
        "Turns a unit face up: everybody learns which piece it is, and what these private columns of its piece hold \
         until it is turned down.",
        |_, shared, (_, unit, rule, with): (Value, Handle, LuaString, Option<Table>)| {
            let (body, rule) = (unit.body()?, shared.rule(&rule.to_str()?)?);
            let values = with.map(|list| piece_columns(shared, &list)).transpose()?.unwrap_or_default();
            shared.work(|cx| cx.reveal_with(body, rule, &values))
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
            let (body, rule) = (unit.body()?, shared.rule(&rule.to_str()?)?);
            let set = set_named(shared, &set.to_str()?)?;
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
        "Mixes units that their owner may rearrange unseen, those among each other that look alike: what looks different \
         stays what it was. Which they are must follow from what everybody knows.",
        |_, shared, (_, units): (Value, Value)| {
            let units = bodies(&units)?;
            charge(units.len())?;
            shared.work(|cx| cx.mix_alike(&units))
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
    )
}

fn answering(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "tell",
        "(self: Game, question: string, about: Telling) -> number",
        "Answers a declared question truly: `units` that it is about, `at` (the place by which they are named), \
         `to` (a side; else everybody), `rule`, and `until` (the moment at which the answer lapses).",
        |_, shared, (_, question, about): (Value, LuaString, Table)| {
            let question = question_named(shared, &question)?;
            let units: Value = shared.get(&about, "units")?;
            let units = if units.is_nil() { Default::default() } else { bodies(&units)? };
            let at: Option<Handle> = shared.get(&about, "at")?;
            let to: Option<LuaString> = shared.get(&about, "to")?;
            let rule = shared.rule(&shared.get::<LuaString>(&about, "rule")?.to_str()?)?;
            let lapse = moment_named(shared, &shared.get(&about, "until")?)?;
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
    )?;
    api.object(
        G,
        g,
        "told",
        "(self: Game, question: string) -> number?",
        "The answer to a question about nothing in particular that who looks was told and that stands; the truth \
         knows it always.",
        |_, shared, (_, question): (Value, LuaString)| {
            let question = question_named(shared, &question)?;
            charge(16)?;
            look(|sight| sight.was_told(question))
        },
    )?;
    api.object(
        G,
        g,
        "any",
        "(self: Game, set: string, units: { Unit }) -> boolean?",
        "Whether there is one of a declared set of pieces among units, from what is known of each and from what was \
         told; nil when who looks cannot tell.",
        |_, shared, (_, set, units): (Value, LuaString, Value)| {
            let (set, units) = (set_named(shared, &set.to_str()?)?, bodies(&units)?);
            charge(1 + units.len())?;
            look(|sight| known(sight.any(set, &units)))
        },
    )?;
    api.object(
        G,
        g,
        "occupied",
        "(self: Game, side: Side, at: Space | Place) -> boolean?",
        "Whether a unit of a side stands in a place, from what is seen there and from what was told; nil when who \
         looks cannot tell.",
        |_, shared, (_, side, at): (Value, LuaString, Handle)| {
            let (side, place) = (shared.side(&side.to_str()?)?, place_of(shared, at)?);
            look(|sight| known(sight.occupied(side, place)))
        },
    )?;
    api.object(
        G,
        g,
        "lapse",
        "(self: Game, moment: string) -> ()",
        "Answers that stand until a moment lapse, without letting the moment pass.",
        |_, shared, (_, moment): (Value, LuaString)| {
            let moment = moment_named(shared, &moment)?;
            shared.work(|cx| cx.lapse(moment))
        },
    )?;
    api.object(
        G,
        g,
        "forget",
        "(self: Game, units: { Unit }, whole: boolean?) -> ()",
        "Answers about any of these units lapse; with `whole` only those about no others.",
        |_, shared, (_, units, whole): (Value, Value, Option<bool>)| {
            let units = bodies(&units)?;
            charge(1 + units.len())?;
            shared.work(|cx| cx.lapse_about(&units, whole.unwrap_or(false)))
        },
    )?;
    api.object(
        G,
        g,
        "leave_told",
        "(self: Game, unit: Unit) -> ()",
        "A unit that was revealed and went leaves the sets that answers are about.",
        |_, shared, (_, unit): (Value, Handle)| {
            let body = unit.body()?;
            shared.work(|cx| cx.leave_told(body))
        },
    )
}

fn publishing(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "publish",
        "(self: Game, event: string, rule: string, answers: { [string]: any }, about: { [string]: any }?) -> ()",
        "Publishes what was decided in secret (orders, a bid): everybody learns it at once.",
        |_, shared, (_, event, rule, answers, about): (Value, LuaString, LuaString, Table, Option<Table>)| {
            let (event, rule) = (shared.word(&event.to_str()?)?, shared.rule(&rule.to_str()?)?);
            let (answers, about) = (arguments(shared, Some(&answers))?, arguments(shared, about.as_ref())?);
            shared.work(|cx| {
                cx.publish(event, rule, |e| {
                    about.into_iter().for_each(|(key, arg)| e.about(key, arg));
                    answers.into_iter().for_each(|(key, arg)| e.answer(key, arg));
                })
            })
        },
    )?;
    api.object(
        G,
        g,
        "stop",
        "(self: Game, rule: string, args: { [string]: any }?) -> ()",
        "Says that what the seat chose was stopped: the truth forbids it by this rule. What the rule lets the seat \
         learn is told before.",
        |_, shared, (_, rule, args): (Value, LuaString, Option<Table>)| {
            let rule = shared.rule(&rule.to_str()?)?;
            let args = arguments(shared, args.as_ref())?;
            shared.work(|cx| {
                cx.stop(rule, said(args));
                Ok(())
            })
        },
    )
}

fn known(answer: Tri) -> Option<bool> {
    match answer {
        Tri::Yes => Some(true),
        Tri::No => Some(false),
        Tri::Unknown => None,
    }
}

fn question_named(shared: &Shared, name: &LuaString) -> mlua::Result<QuestionId> {
    let name = str_of(name)?;
    let found = shared.rb()?.question_named(&name);
    found.ok_or_else(|| mlua::Error::runtime(format!("there is no question `{name}`")))
}

pub(super) fn moment_named(shared: &Shared, name: &LuaString) -> mlua::Result<MomentId> {
    let rb = shared.rb()?;
    let name = str_of(name)?;
    rb.moment_named(&name).ok_or_else(|| unknown("moment", &name, rb.moment_names()))
}

fn piece_columns(shared: &Shared, list: &Table) -> mlua::Result<Vec<Column<PieceId>>> {
    let one = |name: LuaString| {
        let id = column_named(shared, &name)?;
        shared.rb()?.typed(id).ok_or_else(|| {
            mlua::Error::runtime(format!("column `{}` is not of pieces", name.to_string_lossy()))
        })
    };
    list.sequence_values::<LuaString>().map(|name| one(name?)).collect()
}

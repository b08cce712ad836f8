//! What scripts declare while they are loaded: contributions, permissions, moments and procedures.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table, Value};

use crate::api::Api;
use crate::fields::{integer, show, text};
use crate::handle::{DONE, Handle, Kind};
use crate::modules::Modules;
use crate::shared::str_of;

/// When an attachment applies, by names.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilterNames {
    pub(crate) pieces: Option<String>,
    pub(crate) sides: Vec<String>,
    pub(crate) spaces: Vec<String>,
    pub(crate) links: Vec<String>,
    pub(crate) feature: Option<String>,
    pub(crate) phases: Vec<String>,
    /// The name of an option, and whether it is to be on.
    pub(crate) option: Option<(String, bool)>,
    pub(crate) stage: u8,
}

/// What was declared, where, and for which rule.
pub(crate) struct Declared {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) what: Declaration,
}

pub(crate) enum Declaration {
    Point { point: String, rule: String, filter: FilterNames, permit: bool, function: Option<Function> },
    Moment { moment: String, rule: String, procedure: String, instead: bool },
    Procedure { name: String, definition: Table },
}

/// Collects declarations, in their order.
#[derive(Default)]
pub(crate) struct Registrar {
    /// The file that is being loaded.
    pub(crate) file: String,
    pub(crate) open: bool,
    pub(crate) list: Vec<Declared>,
    pub(crate) anonymous: u32,
}

pub(crate) type SharedRegistrar = Rc<RefCell<Registrar>>;

/// The key by which a table of a step says what it is.
pub(crate) const STEP_KIND: &str = "(step)";

/// Adds what scripts call while they are loaded.
pub(crate) fn install(
    api: &mut Api<'_>,
    registrar: &SharedRegistrar,
    modules: &Rc<Modules>,
) -> mlua::Result<()> {
    let modules = Rc::clone(modules);
    api.global(
        "require",
        "(path: string) -> any",
        "What another script of the pack gives back with `return` at its end: `require(\"./army\")` is \
         `army.luau` beside this file. Each file runs once; what it gives is read-only.",
        move |lua, path: LuaString| modules.require(lua, &str_of(&path)?),
    )?;
    for (name, permit, doc) in [
        (
            "point",
            false,
            "Contributes to a rule point for a rule. The function is called with `g` and the point's arguments \
             where the filter lets it, and returns a whole number, a flag, or nil for nothing.",
        ),
        (
            "permit",
            true,
            "Restricts a permission point by a rule. The function returns false where the rule forbids; true and \
             nil (not known) allow. Without a function the filter alone forbids.",
        ),
    ] {
        let registrar = Rc::clone(registrar);
        let signature = if permit {
            "(point: string, rule: string, filter: Filter?, allowed: ((g: Game, ...any) -> boolean?)?) -> ()"
        } else {
            "(point: string, rule: string, filter: Filter?, contribution: (g: Game, ...any) -> (number | boolean)?) -> ()"
        };
        api.library(
            "rules",
            name,
            signature,
            doc,
            move |lua, args: (LuaString, LuaString, Value, Value)| {
                let (point, rule, filter, function) = args;
                let (filter, function) = match (filter, function) {
                    (Value::Function(f), Value::Nil) => (FilterNames::default(), Some(f)),
                    (filter, Value::Nil) if permit => (read_filter(&filter)?, None),
                    (filter, Value::Function(f)) => (read_filter(&filter)?, Some(f)),
                    (_, other) => return fail(format!("expected a function, found {}", show(&other))),
                };
                let (point, rule) = (name_of(&point)?, name_of(&rule)?);
                let what = Declaration::Point { point, rule, filter, permit, function };
                declare(lua, &registrar, what)
            },
        )?;
    }
    for (name, prefix, instead, doc) in [
        ("before", "before ", false, "Runs a procedure before a named step of the rules, for a rule."),
        ("after", "after ", false, "Runs a procedure after a named step of the rules, for a rule."),
        ("at", "", false, "Runs a procedure at a named moment, for a rule."),
        ("instead", "before ", true, "Runs a procedure in place of a named step of the rules, for a rule."),
    ] {
        let registrar = Rc::clone(registrar);
        let signature = "(moment: string, rule: string, procedure: Procedure | string) -> ()";
        api.library("rules", name, signature, doc, move |lua, args: (LuaString, LuaString, Value)| {
            let procedure = procedure_name(&args.2)?;
            let moment = format!("{prefix}{}", name_of(&args.0)?);
            declare(
                lua,
                &registrar,
                Declaration::Moment { moment, rule: name_of(&args.1)?, procedure, instead },
            )
        })?;
    }
    let named = Rc::clone(registrar);
    api.library(
        "rules",
        "procedure",
        "(name: string, definition: { [string]: any }) -> Procedure",
        "A procedure: `locals` by name and type, `start` (the step to begin with; else the first in the file), \
         `owner` (the local that names the side of locals of class owner), `settled` (false where a side rearranges \
         its own pieces and what must be seen is revealed later), and its steps by name.",
        move |lua, (name, definition): (LuaString, Table)| {
            let name = name_of(&name)?;
            procedure(lua, &named, &name, definition)
        },
    )?;
    let unnamed = Rc::clone(registrar);
    api.global(
        "procedure",
        "(definition: { [string]: any }) -> Procedure",
        "A procedure without a name of its own; it is named by its file and place in it.",
        move |lua, definition: Table| {
            let name = {
                let mut registrar = unnamed.borrow_mut();
                registrar.anonymous += 1;
                format!("{}#{}", registrar.file, registrar.anonymous)
            };
            procedure(lua, &unnamed, &name, definition)
        },
    )?;
    for (kind, doc) in [
        (
            "ask",
            "A step that asks: `seat` (a seat or side, several, or a function of `g` and the locals), `offers` (a \
             function of `g`, the locals and `offer`), `prompt`, `shape`, and for each verb what follows when it \
             was chosen: a function of `g`, the locals and the targets.",
        ),
        (
            "fork",
            "A step that asks several seats at once: `seats` and `procedure` (run by each seat in a branch of its \
             own), `locals` (a function of `g`, the locals and the seat, for the branch), `together` (applied at \
             the join), `joined` (a function of `g`, the locals, the seat and the locals of its branch) and \
             `next` (the step to go on with).",
        ),
    ] {
        api.global(kind, "(definition: { [string]: any }) -> Step", doc, move |_, definition: Table| {
            definition.raw_set(STEP_KIND, kind)?;
            Ok(definition)
        })?;
    }
    api.constant("done", "Signal", "What a step returns when its procedure is over.", DONE.value())
}

fn procedure(lua: &Lua, registrar: &SharedRegistrar, name: &str, definition: Table) -> mlua::Result<Handle> {
    declare(lua, registrar, Declaration::Procedure { name: name.to_owned(), definition })?;
    let index = registrar.borrow().list.len() - 1;
    Ok(Handle {
        kind: Kind::Signal,
        id: 2 + u16::try_from(index).map_err(|_| mlua::Error::runtime("too many"))?,
    })
}

/// The declaration that a handle of a procedure was made for.
pub(crate) fn index_of(handle: Handle) -> Option<usize> {
    (handle.kind == Kind::Signal).then_some(())?;
    usize::from(handle.id).checked_sub(2)
}

/// A procedure by its handle (then `#` and the number of its declaration) or its name.
fn procedure_name(value: &Value) -> mlua::Result<String> {
    match value {
        Value::String(name) => name_of(name),
        Value::LightUserData(raw) => match Handle::from_raw(*raw).and_then(index_of) {
            Some(index) => Ok(format!("#{index}")),
            None => fail("expected a procedure or its name".into()),
        },
        other => fail(format!("expected a procedure or its name, found {}", show(other))),
    }
}

fn declare(lua: &Lua, registrar: &SharedRegistrar, what: Declaration) -> mlua::Result<()> {
    let line = lua.inspect_stack(1, |debug| debug.current_line()).flatten().unwrap_or(0);
    let mut registrar = registrar.borrow_mut();
    if !registrar.open {
        return fail("this is declared while scripts are loaded, not in a game".into());
    }
    if registrar.list.len() >= 4096 {
        return fail("more than 4096 declarations".into());
    }
    let file = registrar.file.clone();
    registrar.list.push(Declared { file, line: u32::try_from(line).unwrap_or(0), what });
    Ok(())
}

fn read_filter(value: &Value) -> mlua::Result<FilterNames> {
    let table = match value {
        Value::Nil => return Ok(FilterNames::default()),
        Value::Table(table) => table,
        other => return fail(format!("expected a filter, found {}", show(other))),
    };
    let mut filter = FilterNames::default();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let key = text(&key).unwrap_or_default();
        match key.as_str() {
            "pieces" => filter.pieces = Some(one(&key, &value)?),
            "feature" => filter.feature = Some(one(&key, &value)?),
            "side" | "sides" => filter.sides = several(&key, &value)?,
            "space" | "spaces" => filter.spaces = several(&key, &value)?,
            "link" | "links" => filter.links = several(&key, &value)?,
            "phase" | "phases" => filter.phases = several(&key, &value)?,
            "option" => filter.option = Some((one(&key, &value)?, true)),
            "without_option" => filter.option = Some((one(&key, &value)?, false)),
            "stage" => {
                let stage = integer(&value).and_then(|n| u8::try_from(n).ok());
                filter.stage =
                    stage.ok_or_else(|| mlua::Error::runtime("a stage is a number from 0 to 255"))?;
            }
            _ => {
                let known = [
                    "pieces",
                    "feature",
                    "sides",
                    "spaces",
                    "links",
                    "phases",
                    "option",
                    "without_option",
                    "stage",
                ];
                return fail(format!("a filter has no `{key}`{}", crate::problem::suggest(&key, known)));
            }
        }
    }
    Ok(filter)
}

fn one(key: &str, value: &Value) -> mlua::Result<String> {
    text(value).ok_or_else(|| mlua::Error::runtime(format!("`{key}` of a filter is a name")))
}

fn several(key: &str, value: &Value) -> mlua::Result<Vec<String>> {
    match value {
        Value::Table(list) => list.sequence_values::<Value>().map(|v| one(key, &v?)).collect(),
        other => Ok(vec![one(key, other)?]),
    }
}

fn name_of(text: &LuaString) -> mlua::Result<String> {
    let text = text.to_str()?.to_owned();
    if text.is_empty() || text.len() > 200 { fail("a name has 1 to 200 letters".into()) } else { Ok(text) }
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

//! What scripts declare while they are loaded: contributions, permissions, moments and procedures.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaString, Table, Value};

use crate::api::Api;
use crate::fields::{integer, show, text};
use crate::handle::{DONE, Handle, Kind};

/// When an attachment applies, by names.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilterNames {
    pub(crate) pieces: Option<String>,
    pub(crate) sides: Vec<String>,
    pub(crate) spaces: Vec<String>,
    pub(crate) links: Vec<String>,
    pub(crate) feature: Option<String>,
    pub(crate) crossing: Option<String>,
    pub(crate) phases: Vec<String>,
    /// The name of an option, and whether it is to be on.
    pub(crate) option: Option<(String, bool)>,
    pub(crate) stage: u8,
}

impl FilterNames {
    /// Whether it asks for nothing but options.
    fn is_of_options(&self) -> bool {
        self.pieces.is_none()
            && self.feature.is_none()
            && self.crossing.is_none()
            && [&self.sides, &self.spaces, &self.links, &self.phases].iter().all(|list| list.is_empty())
    }
}

/// What was declared, where, and for which rule.
pub(crate) struct Declared {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) what: Declaration,
}

pub(crate) enum Declaration {
    Point {
        point: String,
        rule: String,
        filter: FilterNames,
        permit: bool,
        function: Option<Function>,
    },
    Moment {
        moment: String,
        rule: String,
        filter: FilterNames,
        procedure: String,
        instead: bool,
    },
    /// A part of the placement check.
    Placement {
        rule: String,
        function: Function,
    },
    /// Told of every reveal.
    Revealed {
        rule: String,
        function: Function,
    },
    /// A table that a function fills when a game is set up, of what never changes.
    Derived {
        function: Function,
        table: Table,
    },
    Procedure {
        name: String,
        definition: Table,
    },
}

impl Declaration {
    /// The rule for which something is attached.
    pub(crate) fn rule(&self) -> Option<&str> {
        match self {
            Self::Point { rule, .. }
            | Self::Moment { rule, .. }
            | Self::Placement { rule, .. }
            | Self::Revealed { rule, .. } => Some(rule),
            Self::Derived { .. } | Self::Procedure { .. } => None,
        }
    }
}

/// Collects declarations, in their order.
#[derive(Default)]
pub(crate) struct Registrar {
    /// The file that is being loaded.
    pub(crate) file: String,
    pub(crate) open: bool,
    pub(crate) list: Vec<Declared>,
    pub(crate) anonymous: u32,
    /// The compiled files by path, in their order.
    pub(crate) code: Rc<Vec<(String, Vec<u8>)>>,
    /// What files returned; none while a file runs.
    pub(crate) modules: BTreeMap<String, Option<Value>>,
}

/// Runs a file unless it has run already, and gives what it returned.
pub(crate) fn run_file(lua: &Lua, registrar: &SharedRegistrar, path: &str) -> mlua::Result<Value> {
    let (code, before) = {
        let mut registrar = registrar.borrow_mut();
        match registrar.modules.get(path) {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => return fail(format!("`{path}` uses itself, by way of others or not")),
            None => {}
        }
        registrar.modules.insert(path.to_owned(), None);
        (Rc::clone(&registrar.code), std::mem::replace(&mut registrar.file, path.to_owned()))
    };
    let Some((_, code)) = code.iter().find(|(p, _)| p == path) else {
        return fail(format!("there is no file `{path}`"));
    };
    let chunk = lua.load(&code[..]).set_name(format!("={path}")).set_mode(ChunkMode::Binary);
    let result = chunk.call::<Value>(());
    let mut registrar = registrar.borrow_mut();
    registrar.file = before;
    match &result {
        Ok(value) => registrar.modules.insert(path.to_owned(), Some(value.clone())),
        Err(_) => registrar.modules.remove(path),
    };
    result
}

impl Registrar {
    /// Forgets what files returned; scripts hold what they use.
    pub(crate) fn close(&mut self) -> Vec<Declared> {
        self.open = false;
        self.modules.clear();
        std::mem::take(&mut self.list)
    }

    /// The path of a file by its name without folder and ending; of the uppermost layer if there are several.
    fn path_of(&self, name: &str) -> Option<String> {
        let stem = |path: &str| path.rsplit('/').next().and_then(|f| f.strip_suffix(".luau")) == Some(name);
        self.code.iter().rev().find(|(path, _)| stem(path)).map(|(path, _)| path.clone())
    }
}

pub(crate) type SharedRegistrar = Rc<RefCell<Registrar>>;

/// The key by which a table of a step says what it is.
pub(crate) const STEP_KIND: &str = "(step)";

/// Adds what scripts call while they are loaded.
pub(crate) fn install(api: &mut Api<'_>, registrar: &SharedRegistrar) -> mlua::Result<()> {
    crate::api::list_library(api)?;
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
        let signature =
            "(moment: string, rule: string, filter: Filter?, procedure: (Procedure | string)?) -> ()";
        let doc = format!("{doc} A filter, which may be left out, says for which option.");
        api.library(
            "rules",
            name,
            signature,
            &doc,
            move |lua, args: (LuaString, LuaString, Value, Value)| {
                let (moment, rule, filter, procedure) = args;
                let (filter, procedure) = match (filter, procedure) {
                    (procedure, Value::Nil) => (FilterNames::default(), procedure),
                    (filter, procedure) => (read_filter(&filter)?, procedure),
                };
                if !filter.is_of_options() {
                    return fail("the filter of a moment has `option` or `without_option` only".into());
                }
                let procedure = procedure_name(&procedure)?;
                let moment = format!("{prefix}{}", name_of(&moment)?);
                let rule = name_of(&rule)?;
                declare(lua, &registrar, Declaration::Moment { moment, rule, filter, procedure, instead })
            },
        )?;
    }
    hooks(api, registrar)?;
    files(api, registrar)?;
    let named = Rc::clone(registrar);
    api.library(
        "rules",
        "procedure",
        "(name: string, definition: { [string]: any }) -> Procedure",
        "A procedure: `locals` by name and type, `start` (the step to begin with; else the first in the file), \
         `owner` (the local that names the side of locals of class owner), `settled` (false where a side rearranges \
         its own pieces and what must be seen is revealed later), `imagine` if a local is hidden from anybody, and \
         its steps by name. \
         In a world that a bot imagines nothing hidden is true; what stands there in place of hidden locals, so that \
         play can go on, is for `imagine` to say: a function of `g`, the locals (what is hidden is blank in them; what \
         it does to others is dropped), `draw` and the locals of the calling procedure (nil if there is none); or \
         \"blank\" (zero, false, the first choice, nil, an empty list: right for what a side has only drafted); or \
         \"drawn\" (at random, for flags and choices).",
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
    api.global(
        "what",
        "(value: any) -> string",
        "What a value is: \"unit\", \"stack\", \"space\", \"place\", \"link\", \"border\", \"piece\", or what `type` gives.",
        |_, value: Value| {
            Ok(match &value {
                Value::LightUserData(raw) => Handle::from_raw(*raw).map_or("nil", |handle| handle.kind.name()),
                Value::Integer(_) => "number",
                other => other.type_name(),
            })
        },
    )?;
    for (kind, doc) in [
        (
            "ask",
            "A step that asks: `seat` (a seat or side, several, the name of a local that holds them, or a function of \
             `g` and the locals), `offers` (a function of `g`, the locals and `offer`), `prompt`, `shape`, `unless` (for \
             verbs a function of `g`, the locals and the targets of an action that is offered: the rule that forbids \
             it, or nil. Long tests belong there: who wants any one action asks no more of them than it must), and for \
             each verb what follows when it was chosen: a function of `g`, the locals and the targets, or just the \
             next step or `done`.",
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

/// Files that use one another.
fn files(api: &mut Api<'_>, registrar: &SharedRegistrar) -> mlua::Result<()> {
    let registrar = Rc::clone(registrar);
    api.library(
        "rules",
        "use",
        "(file: string) -> any",
        "What another file of the pack returns, such as a table of functions: `rules.use(\"ground\")` runs \
         `scripts/ground.luau`, unless it has run already.",
        move |lua, name: LuaString| {
            let name = name_of(&name)?;
            let (path, open) = {
                let registrar = registrar.borrow();
                (registrar.path_of(&name), registrar.open)
            };
            if !open {
                return fail("files are used while scripts are loaded, not in a game".into());
            }
            match path {
                Some(path) => run_file(lua, &registrar, &path),
                None => fail(format!("there is no file `{name}.luau` among the scripts")),
            }
        },
    )
}

/// What the kernel asks of a pack directly, and what is worked out beforehand.
fn hooks(api: &mut Api<'_>, registrar: &SharedRegistrar) -> mlua::Result<()> {
    let placements = Rc::clone(registrar);
    api.library(
        "rules",
        "placement",
        "(rule: string, check: (g: Game, cause: string, units: { Unit }, to: Space | Place) -> (string?, { Unit }?)) -> ()",
        "A part of the placement check, through which every way of entering a place goes: the function reads what \
         the moving side may know, and returns nil (allowed), \"forbidden\", \"must_go_on\" (they may enter, not \
         stay), or \"displaces\" and the units that must leave. Of all answers the strictest counts.",
        move |lua, (rule, function): (LuaString, Function)| {
            declare(lua, &placements, Declaration::Placement { rule: name_of(&rule)?, function })
        },
    )?;
    let reveals = Rc::clone(registrar);
    api.library(
        "rules",
        "revealed",
        "(rule: string, follows: (g: Game, unit: Unit) -> ()) -> ()",
        "What follows at once whenever a unit is revealed, by whatever rule: a dummy goes. The function may change \
         the position as a step may.",
        move |lua, (rule, function): (LuaString, Function)| {
            declare(lua, &reveals, Declaration::Revealed { rule: name_of(&rule)?, function })
        },
    )?;
    let derived = Rc::clone(registrar);
    api.library(
        "rules",
        "derived",
        "(make: (g: Game) -> { [any]: any }) -> { [any]: any }",
        "A table of what follows from the map and the pieces and never changes, so that it need not be worked out \
         again. It is empty while scripts are loaded; the function fills it once, when they are made ready for \
         games, and may ask everything that hangs on no position.",
        move |lua, function: Function| {
            let table = lua.create_table()?;
            declare(lua, &derived, Declaration::Derived { function, table: table.clone() })?;
            Ok(table)
        },
    )
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
            "crossing" => filter.crossing = Some(one(&key, &value)?),
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
                    "crossing",
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

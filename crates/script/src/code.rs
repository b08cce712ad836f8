//! What the host runs: contributions and procedures, resolved.

use std::rc::Rc;
use std::sync::Arc;

use adjutant_kernel::locals::Field;
use adjutant_kernel::{ProcId, Rulebook};
use mlua::{Function, Lua, LuaString, Table, Value};

use crate::declare::{Declaration, Declared};
use crate::fields::decode;
use crate::host::{PointCode, write_local};
use crate::problem::{ScriptProblem, suggest};
use crate::shared::{Names, Shared, str_of};
use crate::steps::{self, Imagine, STEP, StepPlan};

/// A declaration as the host runs it.
pub(crate) enum Code {
    Point(PointCode),
    Procedure(Box<ProcedureCode>),
    Placement(PointCode),
    Revealed(PointCode),
    /// Nothing to run: a moment, or a filter alone.
    None,
}

/// A procedure of a script.
pub(crate) struct ProcedureCode {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) steps: Vec<(String, StepPlan)>,
    /// Sets what is hidden of its locals in worlds that are imagined.
    pub(crate) imagine: Option<Function>,
    /// The object by which its steps read and write the locals of the frame that runs.
    pub(crate) locals: Table,
}

/// Resolves the procedures among the declarations.
pub(crate) fn procedures(
    lua: &Lua,
    shared: &Rc<Shared>,
    rulebook: &Arc<Rulebook>,
    declared: &[Declared],
) -> Result<Vec<Option<ProcedureCode>>, Vec<ScriptProblem>> {
    let mut found = Vec::new();
    for (n, one) in declared.iter().enumerate() {
        let Declaration::Procedure { name, definition } = &one.what else {
            found.push(None);
            continue;
        };
        let problem = |text: String| vec![ScriptProblem::new(&one.file, one.line, text)];
        let plan =
            steps::plan(name, definition, rulebook.sides().len()).map_err(|list| problem(list.join("; ")))?;
        let word = |text: &str| {
            rulebook.word_named(text).ok_or_else(|| problem(format!("`{text}` is no word of the rulebook")))
        };
        let id = rulebook.procedure_named(name);
        let id = id.ok_or_else(|| problem(format!("procedure `{name}` is not in the rulebook")))?;
        if rulebook.procedure_fields(id) != plan.fields {
            return Err(problem(format!("procedure `{name}` is another in the rulebook")));
        }
        shared.procedures.borrow_mut().insert(n, id);
        let mut steps = plan.steps;
        for (_, step) in &mut steps {
            if let StepPlan::Ask(ask) = step {
                ask.words = ask.verbs.iter().map(|(verb, _)| word(verb)).collect::<Result<_, _>>()?;
                ask.prompt_word = word(&ask.prompt)?;
            }
        }
        let locals = locals_object(lua, shared, &plan.fields).map_err(|e| problem(e.to_string()))?;
        let imagine = if let Imagine::By(function) = plan.imagine { Some(function) } else { None };
        let (file, line) = (one.file.clone(), one.line);
        found.push(Some(ProcedureCode { name: plan.name, file, line, steps, imagine, locals }));
    }
    Ok(found)
}

/// The locals of the frame that runs, by name. It holds nothing itself.
fn locals_object(lua: &Lua, shared: &Rc<Shared>, fields: &[Field]) -> mlua::Result<Table> {
    let getters = lua.create_table()?;
    let mut layout = Vec::new();
    let mut at = 0;
    for field in fields {
        let words = field.ty.words();
        layout.push((field.name.clone(), field.ty.clone(), at));
        let (shared, ty, from) = (Rc::clone(shared), field.ty.clone(), at);
        let getter = lua.create_function(move |lua, _: ()| {
            let held = shared.words.borrow();
            let part = held.get(from..from + words).unwrap_or_default();
            decode(lua, shared.rb()?, shared.names()?, &ty, part)
        })?;
        getters.raw_set(field.name.as_str(), getter)?;
        at += words;
    }
    let names: Vec<String> = fields.iter().map(|f| f.name.clone()).collect();
    let missing = lua.create_function(move |_, key: Value| -> mlua::Result<()> {
        let key = crate::fields::show(&key);
        let key = key.trim_matches('"');
        let near = suggest(key, names.iter().map(String::as_str));
        Err(mlua::Error::runtime(format!("the procedure has no local `{key}`{near}")))
    })?;
    let index = lua.load(
        "local getters, missing = ...\n\
         return function(self, key)\n\
           local get = getters[key]\n\
           if get then return get() end\n\
           return missing(key)\n\
         end",
    );
    let index: Value = index.set_name("=api").call((getters, missing))?;
    let shared = Rc::clone(shared);
    let set = move |_: &Lua, (_, key, value): (Value, LuaString, Value)| -> mlua::Result<()> {
        let key = str_of(&key)?;
        match layout.iter().find(|(name, ..)| *name == key && key != STEP) {
            Some((name, ty, at)) => write_local(&shared, ty, name, *at, &value),
            None => {
                let near =
                    suggest(&key, layout.iter().map(|(name, ..)| name.as_str()).filter(|n| *n != STEP));
                Err(mlua::Error::runtime(format!("the procedure has no local `{key}` to set{near}")))
            }
        }
    };
    let meta = lua.create_table()?;
    meta.raw_set("__index", index)?;
    meta.raw_set("__newindex", lua.create_function(set)?)?;
    meta.set_readonly(true);
    let object = lua.create_table()?;
    object.set_metatable(Some(meta))?;
    object.set_readonly(true);
    Ok(object)
}

/// The locals of a frame as a plain table: those of a branch that was joined.
pub(crate) fn locals_table(
    lua: &Lua,
    rulebook: &Rulebook,
    names: &Names,
    proc: ProcId,
    words: &[i32],
) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let mut at = 0;
    for field in rulebook.procedure_fields(proc) {
        let count = usize::from(field.words);
        let part = words.get(at..at + count).unwrap_or_default();
        table.raw_set(field.name.as_str(), decode(lua, rulebook, names, &field.ty, part)?)?;
        at += count;
    }
    Ok(table)
}

//! What the host runs: contributions and procedures, resolved.

use std::rc::Rc;
use std::sync::Arc;

use adjutant_kernel::locals::{Field, FieldType, Words};
use adjutant_kernel::{ProcId, Rulebook};
use mlua::{Function, Lua, LuaString, Table, Value};

use crate::declare::{Declaration, Declared};
use crate::fields::{decode, decode_small, decode_things, encode_small};
use crate::host::{PointCode, write_local};
use crate::memo;
use crate::names::{ByName, Names};
use crate::problem::{ScriptProblem, suggest};
use crate::raw::{self, Given, Stack};
use crate::shared::{Shared, str_of};
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
    pub(crate) kept: raw::Kept,
}

impl ProcedureCode {
    /// The line of the step that locals are at, else that of the declaration.
    pub(crate) fn line_at(&self, words: &[i32]) -> u32 {
        let step = words.first().and_then(|at| self.steps.get(usize::try_from(*at).ok()?));
        step.map(|(_, step)| step.line()).filter(|line| *line > 0).unwrap_or(self.line)
    }
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
                ask.unless_words = ask.unless.iter().map(|(verb, _)| word(verb)).collect::<Result<_, _>>()?;
                ask.prompt_word = word(&ask.prompt)?;
            }
        }
        let locals = locals_object(lua, shared, &plan.fields).map_err(|e| problem(e.to_string()))?;
        let kept = raw::keep(lua, &Value::Table(locals.clone())).map_err(|e| problem(e.to_string()))?;
        let imagine = if let Imagine::By(function) = plan.imagine { Some(function) } else { None };
        let (file, line) = (one.file.clone(), one.line);
        found.push(Some(ProcedureCode { name: plan.name, file, line, steps, imagine, locals, kept }));
    }
    Ok(found)
}

/// The locals of the frame that runs, by name. It holds nothing itself.
fn locals_object(lua: &Lua, shared: &Rc<Shared>, fields: &[Field]) -> mlua::Result<Table> {
    let mut layout: Vec<(String, FieldType, usize)> = Vec::new();
    let mut by_name = ByName::default();
    let mut at = 0;
    for field in fields {
        by_name.insert(raw::anchor(lua, &field.name)?, layout.len());
        layout.push((field.name.clone(), field.ty.clone(), at));
        at += field.ty.words();
    }
    let layout: Rc<[_]> = layout.into();
    let names_of = by_name.clone();
    let (held, all) = (Rc::clone(shared), Rc::clone(&layout));
    let front = move |stack: &Stack| {
        let (_, ty, from) = &all[*by_name.get(&stack.slot(2).text()?)?];
        memo::spoil();
        let (rb, names, held) = (held.rb().ok()?, held.names().ok()?, held.words.borrow());
        let words = held.get(*from..from + ty.words())?;
        match decode_small(rb, names, ty, words) {
            Some(value) => Some(stack.give(value)),
            None => decode_things(rb, names, ty, words).map(Given::List),
        }
    };
    let (held, all) = (Rc::clone(shared), Rc::clone(&layout));
    let index = lua.create_function(move |lua, (_, key): (Value, Value)| -> mlua::Result<Value> {
        let key = crate::fields::text(&key).unwrap_or_else(|| crate::fields::show(&key));
        let Some((_, ty, from)) = all.iter().find(|(name, ..)| *name == key) else {
            let near = suggest(&key, all.iter().map(|(name, ..)| name.as_str()));
            return Err(mlua::Error::runtime(format!("the procedure has no local `{key}`{near}")));
        };
        memo::spoil();
        let words = held.words.borrow();
        let part = words.get(*from..from + ty.words()).unwrap_or_default();
        decode(lua, held.rb()?, held.names()?, ty, part)
    })?;
    let index = raw::fronted(lua, Box::new(front), &index)?;
    let (held, all) = (Rc::clone(shared), Rc::clone(&layout));
    let set_front = move |stack: &Stack| {
        let (name, ty, at) = &all[*names_of.get(&stack.slot(2).text()?)?];
        let (rb, names) = (held.rb().ok()?, held.names().ok()?);
        if name == STEP || !held.writable.get() {
            return None;
        }
        let mut written = Words::new();
        encode_small(rb, names, ty, stack.slot(3), &mut written)?;
        held.words.borrow_mut().get_mut(*at..at + written.len())?.copy_from_slice(&written);
        Some(Given::Pushed(0))
    };
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
    let set = lua.create_function(set)?;
    meta.raw_set("__newindex", raw::fronted(lua, Box::new(set_front), &set)?)?;
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

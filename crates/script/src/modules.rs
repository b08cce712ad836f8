//! The files of a pack as modules: what one gives back, others get by `require`.

use std::cell::RefCell;
use std::sync::Arc;

use mlua::chunk::ChunkMode;
use mlua::{Lua, Value};

use crate::declare::SharedRegistrar;
use crate::fuel::{self, Running};
use crate::problem::{ScriptProblem, suggest};
use crate::program::Unit;
use crate::{freeze, sandbox};

/// How far a file has come.
enum Progress {
    Waiting,
    Running,
    Loaded(Value),
    Failed,
}

/// The files of a pack while they are loaded: each runs once, when it is its turn or when another asks for it.
pub(crate) struct Modules {
    units: Arc<[Unit]>,
    files: Vec<String>,
    registrar: SharedRegistrar,
    progress: RefCell<Vec<Progress>>,
    problems: RefCell<Vec<ScriptProblem>>,
}

impl Modules {
    pub(crate) fn new(units: &Arc<[Unit]>, registrar: &SharedRegistrar) -> Self {
        Self {
            units: Arc::clone(units),
            files: units.iter().map(|u| u.path.clone()).collect(),
            registrar: registrar.clone(),
            progress: RefCell::new(units.iter().map(|_| Progress::Waiting).collect()),
            problems: RefCell::default(),
        }
    }

    /// Runs all files, in their order. The problems are those of all of them; a file that asks for one that
    /// failed has no problem of its own.
    pub(crate) fn run_all(&self, lua: &Lua) -> Vec<ScriptProblem> {
        for n in 0..self.units.len() {
            let waiting = matches!(self.progress.borrow().get(n), Some(Progress::Waiting));
            if waiting {
                let _running = Running::begin(sandbox::FUEL);
                self.run(lua, n);
            }
        }
        // What the files gave to one another is no longer needed.
        self.progress.borrow_mut().clear();
        std::mem::take(&mut self.problems.borrow_mut())
    }

    /// What a file gives back: `path` as in `./army`, from the folder of the file that asks.
    ///
    /// # Errors
    /// There is no such file, it asks for itself, or it failed.
    pub(crate) fn require(&self, lua: &Lua, path: &str) -> mlua::Result<Value> {
        let fail = |text: String| Err(mlua::Error::runtime(text));
        let (open, from) = {
            let registrar = self.registrar.borrow();
            (registrar.open, registrar.file.clone())
        };
        if !open {
            return fail("`require` is for the load; write it at the top of the file".to_owned());
        }
        let wanted = resolve(&from, path);
        let Some(n) = wanted.as_ref().and_then(|wanted| self.files.iter().position(|file| file == wanted))
        else {
            let names: Vec<String> = self.files.iter().filter_map(|file| relative(&from, file)).collect();
            let near = suggest(path, names.iter().map(String::as_str));
            return fail(format!("there is no script `{path}`{near}"));
        };
        let seen = match self.progress.borrow().get(n) {
            Some(Progress::Loaded(value)) => return Ok(value.clone()),
            Some(Progress::Running) => {
                return fail(format!("`{path}` asks for this file itself, directly or by others"));
            }
            Some(Progress::Waiting) => false,
            Some(Progress::Failed) | None => true,
        };
        if !seen {
            self.run(lua, n);
            if let Some(Progress::Loaded(value)) = self.progress.borrow().get(n) {
                return Ok(value.clone());
            }
        }
        fail(format!("`{path}` {FAILED}"))
    }

    fn run(&self, lua: &Lua, n: usize) {
        let unit = &self.units[n];
        self.progress.borrow_mut()[n] = Progress::Running;
        let before = std::mem::replace(&mut self.registrar.borrow_mut().file, unit.path.clone());
        let chunk = lua.load(&unit.code[..]).set_name(format!("={}", unit.path)).set_mode(ChunkMode::Binary);
        let result = chunk.eval::<Value>().and_then(|value| {
            // Others get it to read.
            freeze::freeze(lua, [value.clone()], |_| ())?;
            Ok(value)
        });
        let spent = fuel::exhausted() || fuel::killed();
        self.registrar.borrow_mut().file = before;
        let (progress, problem) = match result {
            Ok(_) if spent => {
                (Progress::Failed, Some(ScriptProblem::new(&unit.path, 0, "the script ran too long")))
            }
            Ok(value) => (Progress::Loaded(value), None),
            Err(error) => {
                let problem = ScriptProblem::of(&error, &self.files, &unit.path, 0);
                // What went wrong is said where it did.
                let follows = problem.message.ends_with(FAILED) && !self.problems.borrow().is_empty();
                (Progress::Failed, (!follows).then_some(problem))
            }
        };
        self.progress.borrow_mut()[n] = progress;
        self.problems.borrow_mut().extend(problem);
    }
}

const FAILED: &str = "could not be loaded";

/// The path in the pack of what a file asks for by a relative path.
fn resolve(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    let relative = path.strip_suffix(".luau").unwrap_or(path);
    if !relative.starts_with("./") && !relative.starts_with("../") {
        return None;
    }
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            "" => return None,
            name => parts.push(name),
        }
    }
    Some(format!("{}.luau", parts.join("/")))
}

/// How a file is named from another one; `None` for itself.
fn relative(from: &str, file: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let inner = file.strip_prefix(folder)?.trim_start_matches('/');
    (file != from).then(|| format!("./{}", inner.trim_end_matches(".luau")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_folder_of_the_file() {
        let resolve = |path| resolve("scripts/combat/fire.luau", path);
        assert_eq!(resolve("./losses").as_deref(), Some("scripts/combat/losses.luau"));
        assert_eq!(resolve("./losses.luau").as_deref(), Some("scripts/combat/losses.luau"));
        assert_eq!(resolve("../army").as_deref(), Some("scripts/army.luau"));
        assert_eq!(resolve("../../../etc/passwd"), None);
        assert_eq!(resolve("/etc/passwd"), None);
        assert_eq!(resolve("army"), None);
        assert_eq!(resolve(".//army"), None);
    }
}

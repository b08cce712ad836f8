//! Other guests than rules: tests of packs. They get the same sandbox and count of fuel, and what their host
//! gives them.

use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLuaMulti, Lua, Value};

use crate::fuel::{self, Running};
use crate::problem::ScriptProblem;
use crate::program::compile;
use crate::sandbox;

/// An interpreter for guests that are not the rules of a game.
///
/// ```
/// use adjutant_script::Guest;
///
/// let guest = Guest::new("tests/one.luau", |lua| {
///     lua.globals().set("twice", lua.create_function(|_, n: i64| Ok(2 * n))?)
/// });
/// let guest = guest.expect("it is made");
/// assert!(guest.run("assert(twice(2) == 4)", 1_000).is_ok());
/// let problem = guest.run("local x = nil\nreturn x.y", 1_000).expect_err("x is nil");
/// assert_eq!((problem.file.as_str(), problem.line), ("tests/one.luau", 2));
/// assert!(guest.run("while true do end", 1_000).is_err());
/// assert!(guest.run("return os.time()", 1_000).is_err());
/// ```
#[derive(Debug)]
pub struct Guest {
    lua: Lua,
    file: String,
}

impl Guest {
    /// A new interpreter for the script of a file. `api` adds to its globals what the script may call.
    ///
    /// # Errors
    /// When the interpreter cannot be made.
    pub fn new(file: &str, api: impl FnOnce(&Lua) -> mlua::Result<()>) -> Result<Self, ScriptProblem> {
        let lua = sandbox::new(api).map_err(|e| ScriptProblem::new(file, 0, e.to_string()))?;
        Ok(Self { lua, file: file.to_owned() })
    }

    /// The interpreter.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Runs the script, with so much fuel.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn run(&self, source: &str, units: i64) -> Result<(), ScriptProblem> {
        let files = std::slice::from_ref(&self.file);
        let unit = compile(&self.file, source, files).map_err(|mut problems| problems.remove(0))?;
        if let Some(problem) = unit.unknown_names(&self.lua).into_iter().next() {
            return Err(problem);
        }
        let chunk = self.lua.load(&unit.code[..]).set_name(format!("={}", self.file));
        let main = chunk.set_mode(ChunkMode::Binary).into_function();
        let main = main.map_err(|e| ScriptProblem::of(&e, files, &self.file, 0))?;
        self.call(&main, (), units).map(drop)
    }

    /// Calls a function of the script, with so much fuel: rules that run meanwhile live on it too.
    ///
    /// # Errors
    /// What went wrong, and where.
    pub fn call(
        &self,
        function: &Function,
        args: impl IntoLuaMulti,
        units: i64,
    ) -> Result<Value, ScriptProblem> {
        let running = Running::begin(units);
        let result = function.call::<Value>(args);
        let spent = fuel::exhausted() || fuel::killed();
        drop(running);
        match result {
            Err(error) => Err(ScriptProblem::of(&error, std::slice::from_ref(&self.file), &self.file, 0)),
            Ok(_) if spent => Err(ScriptProblem::new(&self.file, 0, "the script ran too long")),
            Ok(value) => Ok(value),
        }
    }
}

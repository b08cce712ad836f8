//! What the functions that scripts call share: the rulebook, its names as texts of the interpreter, and the
//! position for the time of a call.
//!
//! Scripts run while a position is lent: either a sight, which is read only, or a context of work, which a step
//! has. Both live in scoped thread-locals, so that no reference outlives the call and nothing is made for it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use adjutant_kernel::board::SearchScratch;
use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::locals::Words;
use adjutant_kernel::{Action, Cx, Flow, Halt, ProcId, RuleId, Rulebook, SeatId, SideId, WordId};
use mlua::{FromLua, Lua, LuaString, Table, Value, WeakLua};
use scoped_tls_hkt::{ReborrowMut, scoped_thread_local};

use crate::api::Wish;
use crate::fuel;
use crate::handle::{Handle, Kind};
use crate::memo;
use crate::names::{ByName, Names};
use crate::raw::{self, Arg, Calls, Small, Stack};

/// A context of work behind a pointer: it is large, and is handed on whenever a script reads anything.
pub(crate) trait Working {
    fn cx(&mut self) -> Cx<'_>;
    fn lent(&self) -> Lent<'_>;
}

impl Working for Cx<'_> {
    fn cx(&mut self) -> Cx<'_> {
        self.reborrow()
    }

    fn lent(&self) -> Lent<'_> {
        Cx::lent(self)
    }
}

/// A context, so that it may be borrowed for a shorter time.
pub(crate) struct Work<'a>(pub(crate) &'a mut (dyn Working + 'a));

impl<'a> ReborrowMut<'a> for Work<'_> {
    type Result = Work<'a>;

    fn reborrow_mut(&'a mut self) -> Work<'a> {
        Work(self.0)
    }
}

scoped_thread_local!(pub(crate) static SIGHT: for<'a> Lent<'a>);
scoped_thread_local!(pub(crate) static mut WORK: for<'a> Work<'a>);

/// Reads the position that is lent, in a way that is not noted.
#[inline]
pub(crate) fn look<R>(read: impl FnOnce(Lent<'_>) -> R) -> mlua::Result<R> {
    memo::spoil();
    if SIGHT.is_set() {
        Ok(SIGHT.with(read))
    } else if WORK.is_set() {
        Ok(WORK.with(|work| read(work.0.lent())))
    } else {
        Err(mlua::Error::runtime("there is no position to look at here"))
    }
}

/// The fuel that an operation takes. What it writes and emits is kept outside the memory of scripts, so one call may
/// carry out some ten thousand and no more.
const OPERATION: usize = 400;

/// See the module.
#[derive(Default)]
pub(crate) struct Shared {
    game: OnceCell<(Arc<Rulebook>, Names)>,
    calls: OnceCell<Calls>,
    lua: OnceCell<WeakLua>,
    /// Names of fields as the interpreter has them.
    keys: RefCell<HashMap<Box<str>, LuaString>>,
    /// The locals of the frame that runs.
    pub(crate) words: RefCell<Words>,
    /// Whether they may be written.
    pub(crate) writable: Cell<bool>,
    /// The seat that is asked or acts.
    pub(crate) seat: Cell<Option<SeatId>>,
    /// What a step prepared: a flow and the step to go on with.
    pub(crate) prepared: RefCell<Option<(Flow, String)>>,
    /// What a script offers, each with the rule that forbids it, if one does.
    pub(crate) offered: RefCell<Vec<(Action, Option<RuleId>)>>,
    /// What a script says of actions that it does not offer: the rule, the verb, and a test of the targets.
    pub(crate) others: RefCell<Vec<(RuleId, WordId, Option<mlua::Function>)>>,
    /// The procedures of scripts by the number of their declaration.
    pub(crate) procedures: RefCell<HashMap<usize, ProcId>>,
    /// Buffers of searches.
    pub(crate) search: RefCell<SearchScratch>,
    /// Where the keys of a table of wishes are.
    pub(crate) wanted: OnceCell<ByName<Wish>>,
    /// While a procedure imagines its locals, where its chance has got to.
    pub(crate) chance: Cell<Option<u64>>,
    /// Why an operation could not be carried out.
    pub(crate) halt: RefCell<Option<Halt>>,
}

impl Shared {
    pub(crate) fn set_game(&self, lua: &Lua, rb: Arc<Rulebook>, names: Names, calls: Calls) {
        // A host is given its rulebook once.
        let _ = self.game.set((rb, names));
        let _ = self.calls.set(calls);
        let _ = self.lua.set(lua.weak());
    }

    /// Calls a function of a script with what is lent set already, and reads its first two results. What `read` gives
    /// `None` for is given back, for a message.
    pub(crate) fn call<R>(
        &self,
        lua: &Lua,
        function: &mlua::Function,
        args: &[Arg],
        read: impl FnOnce(&Stack) -> Option<R>,
    ) -> mlua::Result<Result<R, (Value, Value)>> {
        match self.calls.get().ok_or_else(no_game)?.call(lua, function, args, read) {
            // Whatever it came to: a script that ran too long has no result.
            Ok(_) if fuel::exhausted() || fuel::killed() => {
                Err(mlua::Error::runtime("the script ran too long"))
            }
            result => result,
        }
    }

    /// A field of a table. To make its name a text of the interpreter costs more than the look-up: it is made once.
    pub(crate) fn get<V: FromLua>(&self, table: &Table, name: &str) -> mlua::Result<V> {
        if let Some(key) = self.keys.borrow().get(name) {
            return table.get(key);
        }
        let lua = self.lua.get().and_then(WeakLua::try_upgrade).ok_or_else(no_game)?;
        let key = lua.create_string(name)?;
        // A look-up that made this one keeps the names as they are.
        if let Ok(mut keys) = self.keys.try_borrow_mut() {
            keys.insert(name.into(), key.clone());
        }
        table.get(key)
    }

    /// The name of a thing, made once.
    pub(crate) fn named(
        &self,
        kind: Kind,
        id: u16,
        name: impl FnOnce(&Rulebook) -> String,
    ) -> mlua::Result<Small> {
        let rb = self.rb()?;
        let lua = || self.lua.get().and_then(WeakLua::try_upgrade).ok_or_else(no_game);
        self.names()?.made(kind, id, lua, || name(rb))
    }

    /// A value as the safe interface has it.
    pub(crate) fn value(&self, small: Small) -> mlua::Result<Value> {
        Ok(self.names()?.value(small))
    }

    pub(crate) fn rb(&self) -> mlua::Result<&Arc<Rulebook>> {
        self.game.get().map(|(rb, _)| rb).ok_or_else(no_game)
    }

    pub(crate) fn names(&self) -> mlua::Result<&Names> {
        self.game.get().map(|(_, names)| names).ok_or_else(no_game)
    }

    /// Carries out operations on the position; only steps may.
    pub(crate) fn work<R>(&self, act: impl FnOnce(&mut Cx<'_>) -> Result<R, Halt>) -> mlua::Result<R> {
        if SIGHT.is_set() || !WORK.is_set() {
            return Err(mlua::Error::runtime("only a step of a procedure may change anything"));
        }
        charge(OPERATION)?;
        WORK.with(|work| act(&mut work.0.cx())).map_err(|halt| {
            let text = match &halt {
                Halt::Fault(fault) => fault.to_string(),
                Halt::Watch(_) => "a watch fired".to_owned(),
            };
            self.halt.borrow_mut().get_or_insert(halt);
            mlua::Error::runtime(text)
        })
    }

    /// The side with a name.
    pub(crate) fn side(&self, name: &str) -> mlua::Result<SideId> {
        let rb = self.rb()?;
        rb.side_named(name).ok_or_else(|| unknown("side", name, rb.sides().iter().map(String::as_str)))
    }

    /// The rule with an id.
    pub(crate) fn rule(&self, id: &str) -> mlua::Result<RuleId> {
        let rb = self.rb()?;
        rb.rule_named(id).ok_or_else(|| unknown("rule", id, rb.rule_ids()))
    }

    /// The word with a text.
    pub(crate) fn word(&self, text: &str) -> mlua::Result<WordId> {
        let rb = self.rb()?;
        rb.word_named(text).ok_or_else(|| {
            mlua::Error::runtime(format!("`{text}` is no word that the pack knows; write it out in a script"))
        })
    }
}

fn no_game() -> mlua::Error {
    mlua::Error::runtime("this may be asked while a game is played, not while scripts are loaded")
}

/// The error that there is no such thing.
pub(crate) fn unknown<'a>(what: &str, name: &str, names: impl IntoIterator<Item = &'a str>) -> mlua::Error {
    mlua::Error::runtime(format!("there is no {what} `{name}`{}", crate::problem::suggest(name, names)))
}

/// Uses up fuel for work outside the interpreter.
#[inline]
pub(crate) fn charge(units: usize) -> mlua::Result<()> {
    if fuel::charge(units as i64) { Err(mlua::Error::runtime("the script ran too long")) } else { Ok(()) }
}

/// A list made for a script, unless the scripts have no memory left: the limit does not hold back what Rust
/// makes for them.
pub(crate) fn list<T: mlua::IntoLua>(
    lua: &mlua::Lua,
    items: impl IntoIterator<Item = T>,
) -> mlua::Result<mlua::Table> {
    check_memory(lua)?;
    lua.create_sequence_from(items)
}

/// A table of numbers made for a script, as [`list`].
pub(crate) fn table(lua: &Lua, entries: &[(Handle, u32)]) -> mlua::Result<mlua::Table> {
    check_memory(lua)?;
    raw::table(lua, entries)
}

fn check_memory(lua: &Lua) -> mlua::Result<()> {
    if lua.used_memory() + (64 << 10) > crate::sandbox::MEMORY {
        return Err(mlua::Error::MemoryError("not enough memory".to_owned()));
    }
    Ok(())
}

/// A text as Rust reads it.
pub(crate) fn str_of(text: &LuaString) -> mlua::Result<String> {
    Ok(text.to_str()?.to_owned())
}

//! Calls of functions of scripts from Rust, as fronts are called: the arguments go on the bare stack, the results are
//! read from it. The safe interface takes three times as long, and a list takes it more than ten times as long. Errors
//! are those of the safe interface.

use std::ffi::{CStr, c_int, c_void};

use mlua::{Function, Lua, Value, ffi};

use super::{Kept, Small, Stack, Things, push, push_list};
use crate::raw::Address;

/// An argument of a function of a script.
pub(crate) enum Arg {
    One(Small),
    List(Things),
}

/// What calls need, kept in the interpreter.
#[derive(Debug)]
pub(crate) struct Calls {
    /// Notes where an error came from.
    trace: Kept,
    /// Makes lists, where memory may run out, and calls on.
    enter: Kept,
}

/// As many results as are looked at.
const RESULTS: c_int = 2;

/// What a script may not have memory for has no trace either.
const NO_MEMORY: &CStr = c"not enough memory";

impl Calls {
    pub(crate) fn new(lua: &Lua) -> mlua::Result<Self> {
        // SAFETY: two functions without upvalues are pushed, kept and taken away, and two numbers are left.
        let (trace, enter): (i32, i32) = unsafe {
            lua.exec_raw((), |state| {
                for function in [traced as unsafe extern "C-unwind" fn(_) -> _, entered] {
                    ffi::lua_pushcclosurek(state, function, c"api".as_ptr(), 0, None);
                    let kept = ffi::lua_ref(state, -1);
                    ffi::lua_settop(state, -2);
                    ffi::lua_pushinteger(state, kept.into());
                }
            })?
        };
        Ok(Self { trace: Kept(trace), enter: Kept(enter) })
    }

    /// Calls a function, of which `read` reads the first two results. If it gives `None` they are given as the safe
    /// interface has them, for a message.
    pub(crate) fn call<R>(
        &self,
        lua: &Lua,
        function: &Function,
        args: &[Arg],
        read: impl FnOnce(&Stack) -> Option<R>,
    ) -> mlua::Result<Result<R, (Value, Value)>> {
        lua.exec_raw_lua(|raw| {
            let state = raw.state();
            // SAFETY: room is made for everything that is pushed, and what is above `top` is taken away again. Nothing
            // that is pushed here needs memory, so that nothing but the protected call can raise an error.
            unsafe {
                let top = ffi::lua_gettop(state);
                let room = c_int::try_from(args.len()).unwrap_or(c_int::MAX).saturating_add(3 + RESULTS);
                if ffi::lua_checkstack(state, room) == 0 {
                    return Err(mlua::Error::runtime("stack overflow"));
                }
                let _restored = Restored { state, top };
                push(state, Small::Kept(self.trace));
                let plain = args.iter().all(|arg| matches!(arg, Arg::One(_)));
                if !plain {
                    push(state, Small::Kept(self.enter));
                }
                raw.push(function)?;
                let count = if plain {
                    for arg in args {
                        if let Arg::One(small) = arg {
                            push(state, *small);
                        }
                    }
                    args.len() as c_int
                } else {
                    let request: *const &[Arg] = &raw const args;
                    ffi::lua_pushlightuserdata(state, request.cast_mut().cast::<c_void>());
                    2
                };
                let status = ffi::lua_pcall(state, count, RESULTS, top + 1);
                match status {
                    ffi::LUA_OK => {
                        let stack = Stack { state, first: top + 1, count: RESULTS, method: Address(0) };
                        match read(&stack) {
                            Some(read) => Ok(Ok(read)),
                            None => {
                                let second = raw.pop::<Value>();
                                let first = raw.pop::<Value>();
                                first.and_then(|first| Ok(Err((first, second?))))
                            }
                        }
                    }
                    status => Err(error(raw.pop(), status)),
                }
            }
        })
    }
}

/// Leaves the stack as it was, if a panic of a function that the script called goes on from here too.
struct Restored {
    state: *mut ffi::lua_State,
    top: c_int,
}

impl Drop for Restored {
    fn drop(&mut self) {
        // SAFETY: what is above was pushed since.
        unsafe { ffi::lua_settop(self.state, self.top) }
    }
}

/// The error that a call left on the stack.
#[cold]
fn error(left: mlua::Result<Value>, status: c_int) -> mlua::Error {
    match left {
        Ok(Value::Error(error)) => *error,
        Ok(Value::String(text)) if status == ffi::LUA_ERRMEM => {
            mlua::Error::MemoryError(text.to_string_lossy())
        }
        Ok(Value::String(text)) => mlua::Error::RuntimeError(text.to_string_lossy()),
        Ok(other) => mlua::Error::RuntimeError(other.type_name().to_owned()),
        Err(error) => error,
    }
}

/// Handles an error as that of the safe interface does: an error of Rust is left as it is, anything else becomes a text
/// that says where it came from.
unsafe extern "C-unwind" fn traced(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the interpreter calls it with the error on the stack; room is made for what is pushed, and nothing of
    // Rust would have to be dropped if there is no memory for it.
    unsafe {
        if ffi::lua_checkstack(state, 2) == 0 || ffi::lua_type(state, 1) == ffi::LUA_TUSERDATA {
            return 1;
        }
        let text = ffi::luaL_tolstring(state, 1, std::ptr::null_mut());
        if CStr::from_ptr(text) != NO_MEMORY && ffi::lua_checkstack(state, ffi::LUA_TRACEBACK_STACK) != 0 {
            ffi::luaL_traceback(state, state, text, 0);
        }
        1
    }
}

/// Makes the arguments of a request, calls its function with them, and gives on what it gives.
unsafe extern "C-unwind" fn entered(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: `Calls::call` alone calls it, with a function and the address of arguments that outlive the call; nothing
    // of Rust would have to be dropped if an error is raised.
    unsafe {
        let args = *ffi::lua_tolightuserdata(state, 2).cast::<&[Arg]>();
        ffi::lua_settop(state, 1);
        ffi::luaL_checkstack(state, args.len() as c_int + 2, c"arguments".as_ptr());
        for arg in args {
            match arg {
                Arg::One(small) => push(state, *small),
                Arg::List(things) => push_list(state, things),
            }
        }
        ffi::lua_call(state, args.len() as c_int, RESULTS);
        RESULTS
    }
}

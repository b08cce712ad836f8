//! The two things that the safe interface of the interpreter cannot do.
//!
//! A callback of the safe interface for interrupts costs 45 to 60 % of a loop's time and may be entered again
//! by what it calls; and nothing in it looks into the upvalues of a function, without which no freeze is deep.
//! Everything `unsafe` of the crate is here.
#![allow(unsafe_code)]

use std::ffi::c_int;

use mlua::{Function, Lua, Value, ffi};

use crate::fuel;

/// Counts the fuel of every script that `lua` runs.
pub(crate) fn install_interrupt(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: `lua_callbacks` gives the callbacks of a live state, and nobody else holds a reference to them.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            (*ffi::lua_callbacks(state)).interrupt = Some(interrupt);
        })
    }
}

/// Called by the interpreter at every loop and call. It does not touch the stack of the script.
unsafe extern "C-unwind" fn interrupt(state: *mut ffi::lua_State, gc: c_int) {
    // What the collector polls is not counted: when it runs depends on the memory of earlier calls.
    if gc < 0 && fuel::tick() {
        // SAFETY: the interpreter calls an interrupt where a script may raise an error; nothing of Rust is on
        // the native stack between here and the interpreter's own handler but this function, which owns nothing.
        unsafe { ffi::luaL_error(state, c"the script ran too long".as_ptr()) }
    }
}

/// The n-th upvalue of a function of a script, counted from 1.
pub(crate) fn upvalue(lua: &Lua, function: &Function, n: u8) -> mlua::Result<Value> {
    // SAFETY: the function is on top of the stack; `lua_getupvalue` pushes one value or none, and nil takes the
    // place of none, so that exactly one value is left above the function.
    let (_, value): (Value, Value) = unsafe {
        lua.exec_raw(function, |state| {
            if ffi::lua_getupvalue(state, -1, c_int::from(n)).is_null() {
                ffi::lua_pushnil(state);
            }
        })?
    };
    Ok(value)
}

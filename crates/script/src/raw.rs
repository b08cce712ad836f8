//! What the safe interface of the interpreter cannot do, or only slowly.
//!
//! A callback of the safe interface for interrupts costs 45 to 60 % of a loop's time and may be entered again
//! by what it calls; nothing in it looks into the upvalues of a function, without which no freeze is deep; and a
//! function of the safe interface costs 100 to 300 ns, because every text and table among its arguments is first
//! made a value of Rust. A *front* stands before such a function and answers what it can from the bare stack.
//! Everything `unsafe` of the crate is here.
#![allow(unsafe_code)]

mod call;

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::{Function, LightUserData, Lua, Table, Value, ffi};

use crate::fuel;
use crate::handle::Handle;

pub(crate) use call::{Arg, Calls};

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

/// How many arguments a function can look at.
pub(crate) fn takes(lua: &Lua, function: &Function) -> mlua::Result<usize> {
    // SAFETY: the function is on top of the stack, a number takes its place. Of the zeroed description what was asked
    // for is filled in and read alone.
    let takes: i32 = unsafe {
        lua.exec_raw(function, |state| {
            let mut about: ffi::lua_Debug = std::mem::zeroed();
            let known = ffi::lua_getinfo(state, -1, c"a".as_ptr(), &raw mut about) != 0;
            let fixed = known && about.isvararg == 0;
            ffi::lua_settop(state, -2);
            ffi::lua_pushinteger(state, if fixed { about.nparams.into() } else { -1 });
        })?
    };
    Ok(usize::try_from(takes).unwrap_or(usize::MAX))
}

/// A value that the interpreter keeps for as long as it lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Kept(c_int);

/// Keeps a value.
pub(crate) fn keep(lua: &Lua, value: &Value) -> mlua::Result<Kept> {
    // SAFETY: the value is on top of the stack, and a number takes its place.
    let kept: i32 = unsafe {
        lua.exec_raw(value, |state| {
            let kept = ffi::lua_ref(state, -1);
            ffi::lua_settop(state, -2);
            ffi::lua_pushinteger(state, kept.into());
        })?
    };
    Ok(Kept(kept))
}

/// Where the interpreter has a text. All equal texts are one, and it stays where it is while it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Address(usize);

/// Where a text is. It must be kept for the address to mean anything later.
pub(crate) fn address(lua: &Lua, text: &mlua::LuaString) -> mlua::Result<Address> {
    // SAFETY: the text is on top of the stack, and an address takes its place.
    let found: LightUserData = unsafe {
        lua.exec_raw(text, |state| {
            let at = ffi::lua_tolstring(state, -1, std::ptr::null_mut());
            ffi::lua_settop(state, -2);
            ffi::lua_pushlightuserdata(state, at.cast_mut().cast::<c_void>());
        })?
    };
    Ok(Address(found.0.addr()))
}

/// The items of a list that holds nothing but handles; `None` for any other, and one that answers by itself.
pub(crate) fn handles(lua: &Lua, list: &Table) -> mlua::Result<Option<Vec<Handle>>> {
    if list.metatable().is_some() {
        return Ok(None);
    }
    let mut found = Some(Vec::with_capacity(list.raw_len()));
    // SAFETY: the list is on top of the stack, where it is left; above it one value at a time is pushed and taken away.
    // Nothing here raises an error.
    unsafe {
        lua.exec_raw::<Value>(list, |state| {
            for n in 1..=ffi::lua_objlen(state, -1) {
                ffi::lua_rawgeti(state, -1, n as ffi::lua_Integer);
                let raw = LightUserData(ffi::lua_tolightuserdata(state, -1));
                ffi::lua_settop(state, -2);
                match (Handle::from_raw(raw), &mut found) {
                    (Some(handle), Some(found)) => found.push(handle),
                    _ => {
                        found = None;
                        break;
                    }
                }
            }
        })?;
    }
    Ok(found)
}

/// A table that has true for each of some numbers.
pub(crate) fn flags(lua: &Lua, numbers: impl Iterator<Item = usize>) -> mlua::Result<Table> {
    // SAFETY: as in `table`, of which the key is a number and the value a flag.
    unsafe {
        lua.exec_raw((), |state| {
            ffi::lua_createtable(state, 0, 0);
            for number in numbers {
                ffi::lua_pushnumber(state, number as f64);
                ffi::lua_pushboolean(state, 1);
                ffi::lua_rawset(state, -3);
            }
        })
    }
}

/// A table of numbers. The safe interface protects every entry by itself.
pub(crate) fn table(lua: &Lua, entries: &[(Handle, u32)]) -> mlua::Result<Table> {
    // SAFETY: one table is pushed and left; each key and value above it are taken away as they are set. If there is no
    // memory left this raises an error, and nothing of Rust would have to be dropped.
    unsafe {
        lua.exec_raw((), |state| {
            // It grows as it is filled: the order in which a script goes through it hangs on how it grew.
            ffi::lua_createtable(state, 0, 0);
            for (key, value) in entries {
                ffi::lua_pushlightuserdata(state, key.pointer());
                ffi::lua_pushnumber(state, f64::from(*value));
                ffi::lua_rawset(state, -3);
            }
        })
    }
}

/// Keeps a text that is given again and again.
pub(crate) fn kept_text(lua: &Lua, text: &str) -> mlua::Result<Small> {
    Ok(Small::Kept(keep(lua, &Value::String(lua.create_string(text)?))?))
}

/// Keeps a text, and where it is.
pub(crate) fn anchor(lua: &Lua, text: &str) -> mlua::Result<Address> {
    let text = lua.create_string(text)?;
    keep(lua, &Value::String(text.clone()))?;
    address(lua, &text)
}

/// A value of the interpreter as a front sees it: what needs no memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Slot {
    Nil,
    Flag(bool),
    Number(f64),
    Handle(Handle),
    Text(Address),
    Table,
    Other,
}

impl Slot {
    /// A whole number that fits.
    #[inline]
    pub(crate) fn integer(self) -> Option<i32> {
        match self {
            Self::Number(n) if n.fract() == 0.0 && n.abs() <= f64::from(i32::MAX) => Some(n as i32),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn flag(self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn handle(self) -> Option<Handle> {
        match self {
            Self::Handle(handle) => Some(handle),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn text(self) -> Option<Address> {
        match self {
            Self::Text(at) => Some(at),
            _ => None,
        }
    }
}

/// The arguments of a function on the stack of the interpreter, counted from 1, and the place for its results; or the
/// results of a function of a script.
pub(crate) struct Stack {
    state: *mut ffi::lua_State,
    /// What is below the first.
    first: c_int,
    count: c_int,
    method: Address,
}

impl Stack {
    /// How many arguments there are.
    pub(crate) fn count(&self) -> usize {
        self.count.max(0) as usize
    }

    /// The name by which the function was called as a method; only where a type answers all its methods.
    pub(crate) fn method(&self) -> Address {
        self.method
    }

    /// An argument; nil where there is none.
    #[inline]
    pub(crate) fn slot(&self, n: usize) -> Slot {
        if n == 0 || n > self.count() {
            return Slot::Nil;
        }
        // SAFETY: the argument is there.
        unsafe { self.at(self.first + n as c_int) }
    }

    /// The value at a place of the stack.
    ///
    /// # Safety
    /// There is a value.
    #[inline]
    unsafe fn at(&self, index: c_int) -> Slot {
        // SAFETY: these read a value and change nothing; `lua_tolstring` is called for what is a text already.
        unsafe {
            match ffi::lua_type(self.state, index) {
                ffi::LUA_TNIL | ffi::LUA_TNONE => Slot::Nil,
                ffi::LUA_TBOOLEAN => Slot::Flag(ffi::lua_toboolean(self.state, index) != 0),
                ffi::LUA_TNUMBER => Slot::Number(ffi::lua_tonumberx(self.state, index, std::ptr::null_mut())),
                ffi::LUA_TLIGHTUSERDATA => {
                    let raw = LightUserData(ffi::lua_tolightuserdata(self.state, index));
                    Handle::from_raw(raw).map_or(Slot::Other, Slot::Handle)
                }
                ffi::LUA_TSTRING => {
                    let text = ffi::lua_tolstring(self.state, index, std::ptr::null_mut());
                    Slot::Text(Address(text.addr()))
                }
                ffi::LUA_TTABLE => Slot::Table,
                _ => Slot::Other,
            }
        }
    }

    /// How many items a list among the arguments has.
    pub(crate) fn length(&self, n: usize) -> usize {
        match self.slot(n) {
            // SAFETY: the argument is a table.
            Slot::Table => unsafe { ffi::lua_objlen(self.state, self.first + n as c_int) },
            _ => 0,
        }
    }

    /// How much work an argument is to go through: the items of a list, the bytes of a text.
    pub(crate) fn bulk(&self, n: usize) -> usize {
        match self.slot(n) {
            // SAFETY: the argument is a table or a text.
            Slot::Table | Slot::Text(_) => unsafe { ffi::lua_objlen(self.state, self.first + n as c_int) },
            _ => 0,
        }
    }

    /// An item, counted from 1, of a list among the arguments.
    #[inline]
    pub(crate) fn item(&self, n: usize, item: usize) -> Slot {
        let (Slot::Table, Ok(item)) = (self.slot(n), c_int::try_from(item)) else { return Slot::Nil };
        // SAFETY: the argument is a table; one value is pushed, of the 20 for which a function has room, and
        // taken away again. A text among them lives on in the table.
        unsafe {
            ffi::lua_rawgeti(self.state, self.first + n as c_int, item.into());
            let slot = self.at(-1);
            ffi::lua_settop(self.state, -2);
            slot
        }
    }

    /// Every key and value of a table among the arguments, while `each` gives true; whether it always did.
    pub(crate) fn entries(&self, n: usize, mut each: impl FnMut(Slot, Slot) -> bool) -> bool {
        let Slot::Table = self.slot(n) else { return false };
        let mut at = 0;
        loop {
            // SAFETY: the argument is a table; a key and a value are pushed, if there are any, and taken away again.
            let (key, value) = unsafe {
                at = ffi::lua_rawiter(self.state, self.first + n as c_int, at);
                if at < 0 {
                    return true;
                }
                let pair = (self.at(-2), self.at(-1));
                ffi::lua_settop(self.state, -3);
                pair
            };
            if !each(key, value) {
                return false;
            }
        }
    }

    #[inline]
    pub(crate) fn give(&self, small: Small) -> Given {
        // SAFETY: as in `nil`; what is kept stays in the registry.
        unsafe { push(self.state, small) };
        Given::Pushed(1)
    }

    /// Several results.
    pub(crate) fn give_all<const N: usize>(&self, small: [Small; N]) -> Given {
        // SAFETY: as in `give`; a function has room for 20.
        small.into_iter().for_each(|small| unsafe { push(self.state, small) });
        Given::Pushed(N as c_int)
    }
}

/// A value that needs no memory: what properties and locals are, but for lists.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Small {
    Nil,
    Flag(bool),
    Number(i32),
    Handle(Handle),
    Kept(Kept),
}

impl<T: Into<Handle>> From<Option<T>> for Small {
    #[inline]
    fn from(handle: Option<T>) -> Self {
        handle.map_or(Self::Nil, |handle| Self::Handle(handle.into()))
    }
}

impl From<Option<i32>> for Small {
    #[inline]
    fn from(number: Option<i32>) -> Self {
        number.map_or(Self::Nil, Self::Number)
    }
}

/// Pushes a value.
///
/// # Safety
/// There is room for it.
#[inline]
unsafe fn push(state: *mut ffi::lua_State, small: Small) {
    // SAFETY: each pushes one value and raises no error.
    unsafe {
        match small {
            Small::Nil => ffi::lua_pushnil(state),
            Small::Flag(flag) => ffi::lua_pushboolean(state, flag.into()),
            Small::Number(number) => ffi::lua_pushnumber(state, number.into()),
            Small::Handle(handle) => ffi::lua_pushlightuserdata(state, handle.pointer()),
            Small::Kept(kept) => {
                ffi::lua_rawgeti(state, ffi::LUA_REGISTRYINDEX, kept.0.into());
            }
        }
    }
}

/// Pushes a list.
///
/// # Safety
/// There is room for two values, and an error may be raised: there may be no memory for it.
unsafe fn push_list(state: *mut ffi::lua_State, things: &[Handle]) {
    // SAFETY: one table is pushed, and each item above it is taken away as it is set.
    unsafe {
        ffi::lua_createtable(state, size(things.len()), 0);
        for (n, thing) in things.iter().enumerate() {
            ffi::lua_pushlightuserdata(state, thing.pointer());
            ffi::lua_rawseti(state, -2, n as ffi::lua_Integer + 1);
        }
    }
}

/// Things of a list.
pub(crate) type Things = smallvec::SmallVec<[Handle; 16]>;

/// What a front answers.
#[must_use]
pub(crate) enum Given {
    /// So many results, which are on the stack.
    Pushed(c_int),
    /// A list that is yet to be made.
    List(Things),
    /// A list of tables with the same keys, whose values follow one another.
    Entries(Rc<[Kept]>, Vec<Small>),
    /// An error.
    Failed(String),
}

/// Answers a call from the bare stack; `None` leaves it, untouched, to the function behind.
pub(crate) type Front = Box<dyn Fn(&Stack) -> Option<Given>>;

/// A function that answers what the front can, and leaves the rest, errors too, to the function behind it.
pub(crate) fn fronted(lua: &Lua, front: Front, behind: &Function) -> mlua::Result<Function> {
    // SAFETY: the function behind is on top of the stack. A userdata with the front is put below it and both
    // become upvalues of the new function, which alone is left.
    unsafe {
        lua.exec_raw(behind, |state| {
            push_front(state, front);
            ffi::lua_insert(state, -2);
            ffi::lua_pushcclosurek(state, enter, c"api".as_ptr(), 2, None);
        })
    }
}

/// A function that answers every method of a type that a front knows; others are looked up as a property is.
pub(crate) fn methods(lua: &Lua, front: Front) -> mlua::Result<Function> {
    // SAFETY: a userdata with the front is pushed and becomes the upvalue of the new function, which alone is left.
    unsafe {
        lua.exec_raw((), |state| {
            push_front(state, front);
            ffi::lua_pushcclosurek(state, enter_method, c"api".as_ptr(), 1, None);
        })
    }
}

/// Pushes a userdata that owns a front.
///
/// # Safety
/// There is room for a value.
unsafe fn push_front(state: *mut ffi::lua_State, front: Front) {
    // SAFETY: the userdata is as large as what is written to it, the interpreter aligns it to 16 bytes, and it is
    // dropped once, when the collector frees it.
    unsafe {
        let place = ffi::lua_newuserdatadtor(state, size_of::<Front>(), drop_front);
        place.cast::<Front>().write(front);
    }
}

unsafe extern "C" fn drop_front(_: *mut ffi::lua_State, place: *mut c_void) {
    // SAFETY: `push_front` wrote a front there, and the collector calls this once.
    unsafe { place.cast::<Front>().drop_in_place() }
}

/// What the front in the first upvalue answers.
///
/// # Safety
/// Called as a function of the interpreter whose first upvalue `push_front` made, from where it may raise an error.
#[inline]
unsafe fn answer(state: *mut ffi::lua_State, method: Address) -> Option<c_int> {
    // SAFETY: the upvalue lives as long as the function that runs.
    let front = unsafe { &*ffi::lua_touserdata(state, ffi::lua_upvalueindex(1)).cast::<Front>() };
    // SAFETY: this reads how many values there are.
    let count = unsafe { ffi::lua_gettop(state) };
    let stack = Stack { state, first: 0, count, method };
    // A panic must not run through the interpreter. The function behind meets it again, where mlua carries it on.
    match catch_unwind(AssertUnwindSafe(|| front(&stack))) {
        Ok(Some(Given::Pushed(count))) => Some(count),
        Ok(Some(Given::List(things))) => {
            // SAFETY: one table is pushed, and each item above it is taken away as it is set. If there is no memory
            // left this raises an error, which is none of Rust's and may not meet a `catch_unwind` on its way.
            unsafe { push_list(state, &things) };
            Some(1)
        }
        Ok(Some(Given::Entries(keys, values))) => {
            // SAFETY: as for a list; of each entry a table is pushed, and above it a key and a value.
            unsafe {
                ffi::lua_createtable(state, size(values.len() / keys.len().max(1)), 0);
                for (n, entry) in values.chunks_exact(keys.len().max(1)).enumerate() {
                    ffi::lua_createtable(state, 0, size(keys.len()));
                    for (key, value) in keys.iter().zip(entry) {
                        push(state, Small::Kept(*key));
                        push(state, *value);
                        ffi::lua_rawset(state, -3);
                    }
                    ffi::lua_rawseti(state, -2, n as ffi::lua_Integer + 1);
                }
            }
            Some(1)
        }
        Ok(Some(Given::Failed(text))) => {
            // SAFETY: a text is pushed and raised as an error, with the line of the script before it.
            unsafe {
                ffi::luaL_where(state, 1);
                ffi::lua_pushlstring(state, text.as_ptr().cast(), text.len());
                ffi::lua_concat(state, 2);
            }
            drop(text);
            // SAFETY: nothing of Rust that would have to be dropped is left between here and the interpreter.
            unsafe { ffi::lua_error(state) }
        }
        Ok(None) | Err(_) => {
            // SAFETY: what a front may have pushed is above the arguments.
            unsafe { ffi::lua_settop(state, count) };
            None
        }
    }
}

fn size(items: usize) -> c_int {
    c_int::try_from(items).unwrap_or(c_int::MAX)
}

unsafe extern "C-unwind" fn enter(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: see `answer`; then the function behind is called with all arguments, and nothing of Rust that would
    // have to be dropped is on the native stack if it raises an error.
    unsafe {
        if let Some(given) = answer(state, Address(0)) {
            return given;
        }
        let count = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, count, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

unsafe extern "C-unwind" fn enter_method(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `enter`; the name is there in a call of a method, and the thing is the first argument.
    unsafe {
        let name = ffi::lua_namecallatom(state, std::ptr::null_mut());
        if let Some(given) = answer(state, Address(name.addr())) {
            return given;
        }
        let count = ffi::lua_gettop(state);
        ffi::lua_getfield(state, 1, name);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, count, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

//! The sandbox: an interpreter with what a rule needs and nothing else.
//!
//! No files, clock, randomness, coroutines, protected calls, metatables, patterns, code from text, or names of
//! addresses. After the sandbox is shut, taking a name out of a table does not stop a compiled fast call of it,
//! so that all that is taken out is unknown to the compiler too.

use mlua::chunk::Compiler;
use mlua::{Function, Lua, LuaOptions, MultiValue, StdLib, Table, Value};

use crate::handle::Handle;
use crate::{fuel, raw, strict};

/// How much memory the scripts of a worker may take, in bytes.
pub const MEMORY: usize = 16 << 20;

/// How many loops and calls a script may make in one call of the host.
pub const FUEL: i64 = 5_000_000;

const GLOBALS: &[&str] = &[
    "math", "string", "table", "bit32", "assert", "error", "ipairs", "pairs", "next", "select", "tonumber",
    "type",
];

const LIBRARIES: &[(&str, &[&str])] = &[
    ("math", &["abs", "ceil", "floor", "max", "min", "sign", "clamp", "round"]),
    ("string", &["sub", "len", "byte", "char", "lower", "upper", "format"]),
    (
        "table",
        &[
            "insert", "remove", "sort", "concat", "unpack", "pack", "create", "find", "clone", "freeze",
            "isfrozen", "clear",
        ],
    ),
    (
        "bit32",
        &[
            "arshift", "band", "bnot", "bor", "btest", "bxor", "extract", "replace", "lrotate", "lshift",
            "rrotate", "rshift", "countlz", "countrz", "byteswap",
        ],
    ),
];

/// Functions that go through a whole list or text in one call, which uses fuel for all of it; those that do so only with
/// so many arguments.
const METERED: &[(&str, &str, usize)] = &[
    ("table", "insert", 3),
    ("table", "remove", 2),
    ("table", "sort", 1),
    ("table", "concat", 1),
    ("table", "unpack", 1),
    ("table", "find", 1),
    ("table", "clone", 1),
    ("table", "clear", 1),
    ("string", "sub", 1),
    ("string", "lower", 1),
    ("string", "upper", 1),
    ("string", "format", 1),
];

/// Bytes that are gone through for a unit of fuel.
const BYTES: usize = 64;

/// What the compiler would call without looking: removed names, and those whose fast call takes a step more
/// when the collector is due, so that the count of fuel would vary.
const NO_FAST_CALL: &[&str] = &[
    "tostring",
    "string.sub",
    "string.char",
    "typeof",
    "rawset",
    "rawget",
    "rawequal",
    "rawlen",
    "unpack",
    "getmetatable",
    "setmetatable",
    "pcall",
    "xpcall",
    "string.format",
    "math.acos",
    "math.asin",
    "math.atan2",
    "math.atan",
    "math.cosh",
    "math.cos",
    "math.deg",
    "math.exp",
    "math.fmod",
    "math.frexp",
    "math.ldexp",
    "math.log10",
    "math.log",
    "math.modf",
    "math.pow",
    "math.rad",
    "math.sinh",
    "math.sin",
    "math.sqrt",
    "math.tanh",
    "math.tan",
    "math.noise",
    "math.lerp",
    "math.map",
    "math.isnan",
    "math.isinf",
    "math.isfinite",
    "math.random",
    "math.randomseed",
    "vector.create",
    "vector.magnitude",
    "vector.normalize",
    "vector.cross",
    "vector.dot",
    "vector.floor",
    "vector.ceil",
    "vector.abs",
    "vector.sign",
    "vector.clamp",
    "vector.min",
    "vector.max",
    "vector.lerp",
    "buffer.readi8",
    "buffer.readu8",
    "buffer.writeu8",
    "buffer.readi16",
    "buffer.readu16",
    "buffer.writeu16",
    "buffer.readi32",
    "buffer.readu32",
    "buffer.writeu32",
    "buffer.readf32",
    "buffer.writef32",
    "buffer.readf64",
    "buffer.writef64",
    "buffer.readinteger",
    "buffer.writeinteger",
];

/// The compiler of all scripts.
pub(crate) fn compiler() -> Compiler {
    Compiler::new()
        .set_optimization_level(1)
        .set_debug_level(1)
        .set_disabled_builtins(NO_FAST_CALL.iter().copied())
}

/// A new interpreter. `api` adds what scripts may call before the sandbox is shut.
pub(crate) fn new(api: impl FnOnce(&Lua) -> mlua::Result<()>) -> mlua::Result<Lua> {
    let libraries = StdLib::MATH | StdLib::STRING | StdLib::TABLE | StdLib::BIT;
    let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(true))?;
    let globals = lua.globals();
    let plain_format: Function = globals.get::<Table>("string")?.get("format")?;
    prune(&globals, GLOBALS)?;
    for (name, kept) in LIBRARIES {
        prune(&globals.get::<Table>(*name)?, kept)?;
    }
    globals.raw_set("tostring", lua.create_function(|lua, value: Value| text(lua, &value))?)?;
    let format = lua.create_function(move |lua, (pattern, values): (mlua::LuaString, MultiValue)| {
        let mut safe = MultiValue::with_capacity(values.len() + 1);
        safe.push_back(Value::String(pattern));
        for value in values {
            safe.push_back(match value {
                Value::Number(_) | Value::Integer(_) | Value::String(_) | Value::Boolean(_) | Value::Nil => {
                    value
                }
                other => text(lua, &other)?,
            });
        }
        plain_format.call::<Value>(safe)
    })?;
    globals.get::<Table>("string")?.raw_set("format", format)?;
    for (library, name, least) in METERED {
        meter(&lua, &globals.get::<Table>(*library)?, name, *least)?;
    }
    api(&lua)?;
    for (name, _) in LIBRARIES {
        strict::strict(&lua, &globals.get::<Table>(*name)?, &format!("`{name}`"))?;
    }
    strict::globals(&lua, &globals)?;
    lua.set_compiler(compiler());
    lua.sandbox(true)?;
    let own = lua.globals();
    own.set_readonly(true);
    own.set_safeenv(true);
    lua.set_memory_limit(MEMORY)?;
    raw::install_interrupt(&lua)?;
    Ok(lua)
}

/// Lets a function of a library use fuel for what it goes through.
fn meter(lua: &Lua, library: &Table, name: &str, least: usize) -> mlua::Result<()> {
    let behind: Function = library.get(name)?;
    let is_text = name == "sub" || name == "lower" || name == "upper" || name == "format";
    let front: raw::Front = Box::new(move |stack| {
        if stack.count() < least {
            return None;
        }
        let bulk = match is_text {
            true => (1..=stack.count()).map(|n| stack.bulk(n)).sum::<usize>() / BYTES,
            false => stack.bulk(1),
        };
        let spent = bulk > 0 && fuel::charge(i64::try_from(bulk).unwrap_or(i64::MAX));
        spent.then(|| raw::Given::Failed("the script ran too long".to_owned()))
    });
    library.raw_set(name, raw::fronted(lua, front, &behind)?)
}

/// Takes everything out of a table but what is kept.
fn prune(table: &Table, kept: &[&str]) -> mlua::Result<()> {
    let mut gone = Vec::new();
    for pair in table.pairs::<mlua::LuaString, Value>() {
        let (name, _) = pair?;
        if !kept.iter().any(|k| name.as_bytes() == k.as_bytes()) {
            gone.push(name);
        }
    }
    gone.into_iter().try_for_each(|name| table.raw_set(name, Value::Nil))
}

/// A value as text, without addresses.
fn text(lua: &Lua, value: &Value) -> mlua::Result<Value> {
    let text = match value {
        Value::String(_) => return Ok(value.clone()),
        Value::Number(_) | Value::Integer(_) => {
            return Ok(lua.coerce_string(value.clone())?.map_or(Value::Nil, Value::String));
        }
        Value::Nil => "nil",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        Value::LightUserData(raw) => Handle::from_raw(*raw).map_or("nothing", |h| h.kind.name()),
        Value::Table(_) => "table",
        Value::Function(_) => "function",
        _ => "value",
    };
    Ok(Value::String(lua.create_string(text)?))
}

//! The deep freeze: after the load nothing that a script can reach may change.

use std::collections::HashSet;

use mlua::{Function, Lua, Table, Value};

use crate::raw;

/// Freezes everything reachable from some values - tables, their metatables, tables in upvalues - and hands
/// every function of a script on the way to `check`.
pub(crate) fn freeze(
    lua: &Lua,
    roots: impl IntoIterator<Item = Value>,
    mut check: impl FnMut(&Function),
) -> mlua::Result<()> {
    let mut seen = HashSet::new();
    let mut todo: Vec<Value> = roots.into_iter().collect();
    while let Some(value) = todo.pop() {
        match value {
            Value::Table(table) if seen.insert(table.to_pointer().addr()) => {
                if let Some(meta) = table.metatable() {
                    todo.push(Value::Table(meta));
                }
                for pair in table.pairs::<Value, Value>() {
                    let (key, value) = pair?;
                    todo.extend([key, value]);
                }
                table.set_readonly(true);
            }
            Value::Function(function) if seen.insert(function.to_pointer().addr()) => {
                let info = function.info();
                if info.what != "Lua" {
                    continue;
                }
                check(&function);
                for n in 1..=info.num_upvalues {
                    todo.push(raw::upvalue(lua, &function, n)?);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A frozen list.
pub(crate) fn list(lua: &Lua, items: impl IntoIterator<Item = Value>) -> mlua::Result<Table> {
    let table = lua.create_sequence_from(items)?;
    table.set_readonly(true);
    Ok(table)
}

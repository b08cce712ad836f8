//! Tables that know their names. A name that is not there would be nil, and a call of it an error that says
//! neither which name nor what would be right.

use mlua::{Lua, LuaString, Table, Value};

use crate::problem::suggest;

/// Makes it an error to ask a table for a name that it has not. `whose` is how the error calls the table, as in
/// "`math` has no `random`". What the table has now is what would be right.
///
/// ```
/// use adjutant_script::{Guest, strict};
/// let guest = Guest::new("tests/one.luau", |lua| {
///     let dice = lua.create_table()?;
///     dice.set("roll", 6)?;
///     strict(lua, &dice, "`dice`")?;
///     lua.globals().set("dice", dice)
/// })?;
/// assert!(guest.run("assert(dice.roll == 6)", 1_000).is_ok());
/// let slip = guest.run("return dice.rol", 1_000).unwrap_err();
/// assert!(slip.message.contains("`dice` has no `rol`") && slip.message.contains("roll"));
/// # Ok::<(), adjutant_script::ScriptProblem>(())
/// ```
///
/// # Errors
/// When the interpreter has no memory left.
pub fn strict(lua: &Lua, table: &Table, whose: &str) -> mlua::Result<()> {
    let whose = format!("{whose} has no");
    meta(lua, table, move |key, near| format!("{whose} `{key}`{near}"))
}

/// The same of the globals of a script.
pub(crate) fn globals(lua: &Lua, table: &Table) -> mlua::Result<()> {
    meta(lua, table, |key, near| format!("`{key}` is neither a local nor a name that scripts know{near}"))
}

fn meta(lua: &Lua, table: &Table, text: impl Fn(&str, &str) -> String + 'static) -> mlua::Result<()> {
    let mut names = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        if let (Value::String(name), _) = pair? {
            names.push(name.to_string_lossy());
        }
    }
    // What a host keeps in brackets is not for scripts.
    names.retain(|name: &String| !name.starts_with('('));
    let missing = move |_: &Lua, (_, key): (Value, Value)| -> mlua::Result<()> {
        let key =
            key.as_string().map(LuaString::to_string_lossy).unwrap_or_else(|| crate::fields::show(&key));
        let near = suggest(&key, names.iter().map(String::as_str));
        Err(mlua::Error::runtime(text(&key, &near)))
    };
    let meta = lua.create_table()?;
    meta.raw_set("__index", lua.create_function(missing)?)?;
    meta.set_readonly(true);
    table.set_metatable(Some(meta))
}

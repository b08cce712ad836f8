//! What is printed on map and counters of a game, for tests of it.

use adjutant::sheet::Sheet;
use mlua::{Lua, Value};

use crate::table::Played;
use crate::values::to_lua;

/// Spaces by name with their features; links with their ends, network and features; borders between two spaces.
pub(crate) fn map(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    to_lua(lua, &serde_json::json!(Sheet::of(played.game.rulebook()).map))
}

/// Pieces by name, with their kind, side and what is printed on them.
pub(crate) fn counters(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    to_lua(lua, &serde_json::json!(Sheet::of(played.game.rulebook()).counters))
}

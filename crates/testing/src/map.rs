//! The map of a game, for tests of what is printed on it.

use adjutant::kernel::board::Board;
use adjutant::kernel::{BorderId, FeatureId, LinkId, SpaceId};
use mlua::{Lua, Value};
use serde_json::{Map, Value as Json, json};

use crate::table::Played;
use crate::values::to_lua;

/// Spaces by name with their features; links with their ends, network and features; borders between two spaces.
pub(crate) fn map(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let board = rb.board();
    let spaces: Map<String, Json> = (0..board.space_count() as u16)
        .map(SpaceId)
        .map(|space| {
            let value = |feature| board.feature_value_space(space, feature);
            let features = features(board, board.features_of_space(space), value);
            (board.space_name(space).to_owned(), json!({ "features": features }))
        })
        .collect();
    let links: Vec<Json> = (0..board.link_count() as u16)
        .map(LinkId)
        .map(|link| {
            let (from, to) = board.link_ends(link);
            let value = |feature| board.feature_value_link(link, feature);
            json!({
                "name": board.link_name(link),
                "from": board.space_name(from),
                "to": board.space_name(to),
                "network": board.network_name(board.link_network(link)),
                "features": features(board, board.features_of_link(link), value),
            })
        })
        .collect();
    let borders: Vec<Json> = (0..board.border_count() as u16)
        .map(BorderId)
        .filter_map(|border| {
            let (from, to) = board.border_ends(border);
            let value = |feature| board.feature_value_border(border, feature);
            Some(json!({
                "name": board.border_name(border),
                "from": board.space_name(from),
                "to": board.space_name(to?),
                "features": features(board, board.features_of_border(border), value),
            }))
        })
        .collect();
    to_lua(lua, &json!({ "spaces": spaces, "links": links, "borders": borders }))
}

/// Features by name: their value, or `true` for one that has none.
fn features(
    board: &Board,
    list: impl Iterator<Item = FeatureId>,
    value: impl Fn(FeatureId) -> Option<i32>,
) -> Map<String, Json> {
    list.map(|f| (board.feature_name(f).to_owned(), value(f).map_or(Json::Bool(true), Json::from))).collect()
}

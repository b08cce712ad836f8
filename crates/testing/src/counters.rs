//! The counters of a game, for tests of what is printed on them.

use adjutant::kernel::rulebook::ValueKind;
use adjutant::kernel::{Rulebook, SpaceId};
use mlua::{Lua, Value};
use serde_json::{Map, Value as Json, json};

use crate::table::Played;
use crate::values::to_lua;

/// Pieces by name, with their kind, side and what is printed on them.
pub(crate) fn counters(lua: &Lua, played: &mut Played, _: &[Value]) -> mlua::Result<Value> {
    let rb = played.game.rulebook();
    let pieces = rb.pieces().iter().map(|piece| {
        let printed = rb.attributes().iter().zip(&piece.attributes).filter_map(|(attribute, value)| {
            Some((attribute.name.clone(), printed(rb, &attribute.kind, (*value)?)?))
        });
        let about = json!({
            "kind": rb.word(piece.kind),
            "side": piece.side.map(|side| &rb.sides()[side.index()]),
            "deck": piece.deck.map(|deck| &rb.deck(deck).name),
            "attributes": printed.collect::<Map<String, Json>>(),
        });
        (piece.name.clone(), about)
    });
    to_lua(lua, &Json::Object(pieces.collect()))
}

/// A value as it is printed: a number, a flag, a name.
fn printed(rb: &Rulebook, kind: &ValueKind, value: i32) -> Option<Json> {
    let index = usize::try_from(value).ok();
    match kind {
        ValueKind::Int { .. } => Some(json!(value)),
        ValueKind::Flag => Some(json!(value != 0)),
        ValueKind::Choice(words) => Some(json!(rb.word(*words.get(index?)?))),
        ValueKind::Side => Some(json!(rb.sides().get(index?)?)),
        ValueKind::Space => {
            let space = index.filter(|n| *n < rb.board().space_count())?;
            Some(json!(rb.board().space_name(SpaceId(space as u16))))
        }
    }
}

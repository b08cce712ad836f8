//! Properties of spaces, places, links, borders, units, stacks, sides and pieces.

use adjutant_kernel::board::Board;
use adjutant_kernel::{
    BodyId, BorderId, FeatureId, LinkId, PieceId, PlaceId, Rulebook, SideId, Sight as _, SpaceId, StackId,
    Tri,
};
use mlua::{Lua, LuaString};

use super::Api;
use crate::handle::{Handle, Kind};
use crate::memo::{self, Look};
use crate::raw::Small;
use crate::shared::{Shared, look, str_of, unknown};

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<()> {
    names(api);
    units(api);
    api.property(Kind::Stack, "side", "Side?", "The side that it belongs to.", |shared, sight, id| {
        let side = sight.stack_side(StackId(id));
        let names = shared.names()?;
        Ok(side.map_or(Small::Nil, |s| names.side(s)))
    });
    api.property(Kind::Stack, "space", "(Space | Place)?", "Where it stands.", |shared, sight, id| {
        let rb = shared.rb()?;
        Ok(sight.stack_place(StackId(id)).map_or(Small::Nil, |p| Small::Handle(Handle::of_place(rb, p))))
    });
    features(api)
}

fn names(api: &mut Api<'_>) {
    for kind in [Kind::Space, Kind::Place] {
        api.fixed(kind, "name", "string", "Its name on the map.", |shared, id| {
            Ok(shared.names()?.place(PlaceId(id)))
        });
    }
    api.fixed(Kind::Link, "name", "string", "Its name.", |shared, id| {
        let name = |rb: &Rulebook| rb.board().link_name(LinkId(id)).to_owned();
        shared.named(Kind::Link, id, name)
    });
    api.fixed(Kind::Link, "network", "string", "The network that it belongs to.", |shared, id| {
        let network = shared.rb()?.board().link_network(LinkId(id));
        Ok(shared.names()?.network(network))
    });
    api.fixed(Kind::Link, "border", "Border?", "The border that it crosses.", |shared, id| {
        Ok(Small::from(shared.rb()?.board().border_of_link(LinkId(id))))
    });
    api.fixed(Kind::Border, "name", "string", "Its name.", |shared, id| {
        let name = |rb: &Rulebook| rb.board().border_name(BorderId(id)).to_owned();
        shared.named(Kind::Border, id, name)
    });
    api.fixed(Kind::Side, "name", "Side", "Its name.", |shared, id| {
        Ok(shared.names()?.side(SideId(id as u8)))
    });
    api.fixed(Kind::Piece, "name", "string", "Its name.", piece_name);
    api.fixed(Kind::Piece, "kind", "string", "Its kind.", |shared, id| {
        Ok(shared.names()?.word(shared.rb()?.piece(PieceId(id)).kind))
    });
    api.fixed(Kind::Piece, "side", "Side?", "The side that it belongs to.", |shared, id| {
        let names = shared.names()?;
        Ok(shared.rb()?.piece(PieceId(id)).side.map_or(Small::Nil, |s| names.side(s)))
    });
}

fn piece_name(shared: &Shared, id: u16) -> mlua::Result<Small> {
    shared.named(Kind::Piece, id, |rb| rb.piece(PieceId(id)).name.clone())
}

fn units(api: &mut Api<'_>) {
    api.property(Kind::Unit, "side", "Side?", "The side that it belongs to.", |shared, sight, id| {
        let names = shared.names()?;
        Ok(sight.side(BodyId(id)).map_or(Small::Nil, |s| names.side(s)))
    });
    api.property(
        Kind::Unit,
        "space",
        "(Space | Place)?",
        "Where it stands; nil if that is nowhere or hidden.",
        |shared, sight, id| {
            let rb = shared.rb()?;
            Ok(sight.place(BodyId(id)).map_or(Small::Nil, |p| Small::Handle(Handle::of_place(rb, p))))
        },
    );
    api.property(Kind::Unit, "stack", "Stack?", "The stack that it is in.", |_, sight, id| {
        Ok(Small::from(sight.stack(BodyId(id))))
    });
    api.property(Kind::Unit, "leader", "Unit?", "The unit under whose command it is.", |_, sight, id| {
        Ok(Small::from(sight.command(BodyId(id))))
    });
    api.property(
        Kind::Unit,
        "piece",
        "Piece?",
        "The piece that it is; nil while that is not known.",
        |_, sight, id| Ok(Small::from(sight.piece(BodyId(id)))),
    );
    api.property(
        Kind::Unit,
        "name",
        "string?",
        "The name of its piece; nil while that is not known.",
        |shared, sight, id| match sight.piece(BodyId(id)) {
            Some(piece) => piece_name(shared, piece.0),
            None => Ok(Small::Nil),
        },
    );
    api.property(
        Kind::Unit,
        "kind",
        "string?",
        "The kind of its piece; nil while that is not known.",
        |shared, sight, id| {
            let rb = shared.rb()?;
            let names = shared.names()?;
            Ok(sight.piece(BodyId(id)).map_or(Small::Nil, |p| names.word(rb.piece(p).kind)))
        },
    );
    api.property(Kind::Unit, "face_up", "boolean", "Whether it is face up.", |_, sight, id| {
        Ok(Small::Flag(sight.face_up(BodyId(id))))
    });
    api.property(
        Kind::Unit,
        "facing",
        "number",
        "Which way it faces, in steps of its grid.",
        |_, sight, id| Ok(Small::Number(sight.facing(BodyId(id)).into())),
    );
}

fn has_feature(board: &Board, of: Handle, feature: FeatureId) -> bool {
    match of.kind {
        Kind::Space => board.has_feature_space(SpaceId(of.id), feature),
        Kind::Link => board.has_feature_link(LinkId(of.id), feature),
        Kind::Border => board.has_feature_border(BorderId(of.id), feature),
        _ => false,
    }
}

fn feature_value(board: &Board, of: Handle, feature: FeatureId) -> Option<i32> {
    match of.kind {
        Kind::Space => board.feature_value_space(SpaceId(of.id), feature),
        Kind::Link => board.feature_value_link(LinkId(of.id), feature),
        Kind::Border => board.feature_value_border(BorderId(of.id), feature),
        _ => None,
    }
}

fn known(set: Tri) -> Small {
    match set {
        Tri::Yes => Small::Flag(true),
        Tri::No => Small::Flag(false),
        Tri::Unknown => Small::Nil,
    }
}

/// What answers from the bare stack.
fn fronts(api: &mut Api<'_>) {
    api.front("has", |shared, stack| {
        let feature = shared.names().ok()?.known(stack.slot(2))?.feature?;
        let has = has_feature(shared.rb().ok()?.board(), stack.slot(1).handle()?, feature);
        Some(stack.give(Small::Flag(has)))
    });
    api.front("value", |shared, stack| {
        let feature = shared.names().ok()?.known(stack.slot(2))?.feature?;
        let value = feature_value(shared.rb().ok()?.board(), stack.slot(1).handle()?, feature);
        Some(stack.give(value.into()))
    });
    api.front("is", |shared, stack| {
        let names = shared.names().ok()?;
        let (body, set) = (stack.slot(1).handle()?.body().ok()?, names.known(stack.slot(2))?.set?);
        Some(stack.give(memo::read(shared, Look::Is(body, set)).ok()?))
    });
}

fn features(api: &mut Api<'_>) -> mlua::Result<()> {
    let kinds = [Kind::Space, Kind::Link, Kind::Border];
    api.method(
        &kinds,
        "has",
        "(self: any, feature: string) -> boolean",
        "Whether it has a feature (woods, river, road).",
        |_: &Lua, shared, (handle, feature): (Handle, LuaString)| {
            Ok(has_feature(shared.rb()?.board(), handle, feature_named(shared, &feature)?))
        },
    )?;
    api.method(
        &kinds,
        "value",
        "(self: any, feature: string) -> number?",
        "The value of a feature; nil without it.",
        |_: &Lua, shared, (handle, feature): (Handle, LuaString)| {
            Ok(feature_value(shared.rb()?.board(), handle, feature_named(shared, &feature)?))
        },
    )?;
    api.method(
        &[Kind::Unit],
        "is",
        "(self: Unit, set: string) -> boolean?",
        "Whether it is of a declared set of pieces; nil when who looks cannot tell.",
        |_: &Lua, shared, (handle, set): (Handle, LuaString)| {
            let rb = shared.rb()?;
            let name = str_of(&set)?;
            let set = rb.piece_set_named(&name).ok_or_else(|| {
                unknown("set of pieces", &name, rb.piece_sets().iter().map(|s| s.name.as_str()))
            })?;
            let body = handle.body()?;
            shared.value(known(look(|sight| sight.is(body, set))?))
        },
    )?;
    fronts(api);
    Ok(())
}

pub(super) fn feature_named(shared: &Shared, name: &LuaString) -> mlua::Result<FeatureId> {
    let board = shared.rb()?.board();
    let name = str_of(name)?;
    board.feature_named(&name).ok_or_else(|| {
        let all = (0..board.feature_count() as u16).map(|n| board.feature_name(FeatureId(n)));
        unknown("feature", &name, all)
    })
}

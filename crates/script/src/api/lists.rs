//! What hangs together: units in places, links of spaces, neighbours. What never changes is made once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use adjutant_kernel::board::Board;
use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::state::Spot;
use adjutant_kernel::{
    BodyId, DeckId, FeatureId, LinkId, NetworkId, PieceSetId, PlaceId, SideId, Sight as _, SpaceId, Tri,
    WordId,
};
use mlua::{Function, Lua, LuaString, Table, Value};

use super::Api;
use super::things::feature_named;
use crate::fields::{show, text};
use crate::freeze;
use crate::handle::{Handle, Kind};
use crate::raw::{self, Given, Kept, Slot, Small, Stack, Things};
use crate::shared::{Shared, charge, look, str_of, unknown};

/// Which units are wanted.
#[derive(Default)]
pub(super) struct Wanted {
    side: Option<SideId>,
    kind: Option<WordId>,
    set: Option<PieceSetId>,
    face_up: Option<bool>,
    deck: Option<DeckId>,
    /// Those in spaces only, none in boxes or on links.
    on_map: bool,
    /// Those in spaces with a feature only.
    feature: Option<FeatureId>,
    /// Those too that stand nowhere.
    pub(super) anywhere: bool,
}

impl Wanted {
    /// Reads a side's name, or a table of wishes.
    pub(super) fn read(shared: &Shared, value: &Value) -> mlua::Result<Self> {
        let mut wanted = Self::default();
        match value {
            Value::Nil => {}
            Value::String(side) => wanted.side = Some(shared.side(&side.to_str()?)?),
            Value::Table(table) => {
                for pair in table.pairs::<Value, Value>() {
                    let (key, value) = pair?;
                    let (key, name) = (text(&key).unwrap_or_default(), text(&value).unwrap_or_default());
                    match key.as_str() {
                        "side" => wanted.side = Some(shared.side(&name)?),
                        "kind" => wanted.kind = Some(shared.word(&name)?),
                        "set" => wanted.set = Some(set_named(shared, &name)?),
                        "face_up" => wanted.face_up = value.as_boolean(),
                        "deck" => wanted.deck = Some(deck_named(shared, &name)?),
                        "feature" => match &value {
                            Value::String(name) => wanted.feature = Some(feature_named(shared, name)?),
                            other => {
                                return fail(format!("`feature` takes the name of one, not {}", show(other)));
                            }
                        },
                        "on_map" => wanted.on_map = value.as_boolean() == Some(true),
                        "anywhere" => wanted.anywhere = value.as_boolean() == Some(true),
                        _ => {
                            let known =
                                ["side", "kind", "set", "face_up", "deck", "feature", "on_map", "anywhere"];
                            let near = crate::problem::suggest(&key, known);
                            return fail(format!("units are not chosen by `{key}`{near}"));
                        }
                    }
                }
            }
            other => return fail(format!("expected a side or a table of wishes, found {}", show(other))),
        }
        Ok(wanted)
    }

    /// The same from the bare stack.
    pub(super) fn on(shared: &Shared, stack: &Stack, n: usize) -> Option<Self> {
        let names = shared.names().ok()?;
        let mut wanted = Self::default();
        match stack.slot(n) {
            Slot::Nil => Some(wanted),
            text @ Slot::Text(_) => {
                wanted.side = Some(names.known(text)?.side?);
                Some(wanted)
            }
            Slot::Table => {
                let keys = shared.wanted.get()?;
                let mut read = |key: Slot, value: Slot| -> Option<()> {
                    let known = names.known(value);
                    match keys.get(&key.text()?)? {
                        Wish::Side => wanted.side = Some(known?.side?),
                        Wish::Kind => wanted.kind = Some(known?.word?),
                        Wish::Set => wanted.set = Some(known?.set?),
                        Wish::Deck => wanted.deck = Some(known?.deck?),
                        Wish::FaceUp => wanted.face_up = Some(value.flag()?),
                        Wish::OnMap => wanted.on_map = value.flag()?,
                        Wish::Anywhere => wanted.anywhere = value.flag()?,
                        Wish::Feature => wanted.feature = Some(known?.feature?),
                    }
                    Some(())
                };
                stack.entries(n, |key, value| read(key, value).is_some()).then_some(wanted)
            }
            _ => None,
        }
    }

    /// Whether a unit is known to be wanted.
    pub(super) fn admits(&self, sight: &Lent<'_>, body: BodyId) -> bool {
        self.fits(sight, body)
            && (!self.is_of_spaces()
                || sight.place(body).is_some_and(|place| self.reaches(sight.rulebook().board(), place)))
    }

    /// The same of a unit in a place that is wanted.
    pub(super) fn fits(&self, sight: &Lent<'_>, body: BodyId) -> bool {
        self.side.is_none_or(|s| sight.side(body) == Some(s))
            && self
                .kind
                .is_none_or(|k| sight.piece(body).is_some_and(|p| sight.rulebook().piece(p).kind == k))
            && self.set.is_none_or(|s| sight.is(body, s) == Tri::Yes)
            && self.face_up.is_none_or(|f| sight.face_up(body) == f)
            && self.deck.is_none_or(|d| sight.rulebook().deck_of(body) == Some(d))
    }

    /// Whether only units in spaces are wanted.
    pub(super) fn is_of_spaces(&self) -> bool {
        self.on_map || self.feature.is_some()
    }

    /// Whether units in a place may be wanted.
    pub(super) fn reaches(&self, board: &Board, place: PlaceId) -> bool {
        let space = Some(SpaceId(place.0)).filter(|s| s.index() < board.space_count());
        match (self.feature, space) {
            (Some(feature), Some(space)) => board.has_feature_space(space, feature),
            (None, Some(_)) => true,
            (_, None) => !self.is_of_spaces(),
        }
    }
}

pub(super) fn set_named(shared: &Shared, name: &str) -> mlua::Result<PieceSetId> {
    let rb = shared.rb()?;
    rb.piece_set_named(name)
        .ok_or_else(|| unknown("set of pieces", name, rb.piece_sets().iter().map(|s| s.name.as_str())))
}

fn deck_named(shared: &Shared, name: &str) -> mlua::Result<DeckId> {
    let decks = shared.rb()?.decks();
    let at = decks.iter().position(|d| d.name == name);
    let at = at.ok_or_else(|| unknown("deck", name, decks.iter().map(|d| d.name.as_str())))?;
    Ok(DeckId(at as u8))
}

/// The units on or in a spot that are wanted, as a list.
pub(super) fn units(lua: &Lua, shared: &Shared, spot: Spot, wanted: &Value) -> mlua::Result<Table> {
    crate::shared::list(lua, wanted_in(spot, &Wanted::read(shared, wanted)?)?)
}

/// The units on or in a spot that are wanted. All that stand there use fuel.
fn wanted_in(spot: Spot, wanted: &Wanted) -> mlua::Result<Things> {
    let mut seen = 0;
    let found = look(|sight| {
        let all = sight.each_body(spot).inspect(|_| seen += 1);
        all.filter(|&b| wanted.admits(&sight, b)).map(Handle::from).collect()
    })?;
    charge(1 + seen)?;
    Ok(found)
}

/// The first unit on or in a spot that is wanted.
fn first_in(spot: Spot, wanted: &Wanted) -> mlua::Result<Option<BodyId>> {
    look(|sight| sight.each_body(spot).find(|&b| wanted.admits(&sight, b)))
}

/// The keys of a table of wishes that fronts read.
#[derive(Clone, Copy)]
pub(crate) enum Wish {
    Side,
    Kind,
    Set,
    Deck,
    FaceUp,
    OnMap,
    Anywhere,
    Feature,
}

/// Learns where the keys of wishes are.
fn wishes(api: &Api<'_>) -> mlua::Result<()> {
    let keys = [
        ("side", Wish::Side),
        ("kind", Wish::Kind),
        ("set", Wish::Set),
        ("deck", Wish::Deck),
        ("face_up", Wish::FaceUp),
        ("on_map", Wish::OnMap),
        ("anywhere", Wish::Anywhere),
        ("feature", Wish::Feature),
    ];
    let keys = keys.into_iter().map(|(name, wish)| Ok((raw::anchor(api.lua, name)?, wish)));
    // A host is installed once.
    let _ = api.shared.wanted.set(keys.collect::<mlua::Result<_>>()?);
    Ok(())
}

/// What answers from the bare stack.
fn fronts(api: &mut Api<'_>, links: Rc<Made>, neighbours: Rc<Made>) {
    api.front("pieces", |shared, stack| {
        let spot = stack.slot(1).handle()?.spot(shared.rb().ok()?).ok()?;
        let wanted = Wanted::on(shared, stack, 2)?;
        Some(Given::List(wanted_in(spot, &wanted).ok()?))
    });
    api.front("first", |shared, stack| {
        let spot = stack.slot(1).handle()?.spot(shared.rb().ok()?).ok()?;
        let wanted = Wanted::on(shared, stack, 2)?;
        Some(stack.give(first_in(spot, &wanted).ok()?.into()))
    });
    api.front("stacks", |shared, stack| {
        let handle = stack.slot(1).handle()?;
        let side = match stack.slot(2) {
            Slot::Nil => None,
            text => Some(shared.names().ok()?.known(text)?.side?),
        };
        let (Kind::Space | Kind::Place) = handle.kind else { return None };
        let found: Things = look(|sight| {
            let stacks = sight.stacks(PlaceId(handle.id));
            stacks.filter(|&s| side.is_none() || sight.stack_side(s) == side).map(Handle::from).collect()
        })
        .ok()?;
        charge(1 + found.len()).ok()?;
        Some(Given::List(found))
    });
    for (name, made) in [("links", links), ("neighbours", neighbours)] {
        api.front(name, move |shared, stack| {
            let Handle { kind: Kind::Space, id } = stack.slot(1).handle()? else { return None };
            let network = match stack.slot(2) {
                Slot::Nil => u16::MAX,
                text => shared.names().ok()?.known(text)?.network?.0.into(),
            };
            Some(stack.give(Small::Kept(made.borrow().get(&(id, network))?.1)))
        });
    }
    api.front("other", |shared, stack| {
        let (link, space) = (stack.slot(1).handle()?, stack.slot(2).handle()?);
        let (link, space) = (link_of(link).ok()?, space_of(space).ok()?);
        Some(stack.give(Some(shared.rb().ok()?.board().other_end(link, space)).into()))
    });
    api.front("link_to", |shared, stack| {
        let (from, to) = (stack.slot(1).handle()?, stack.slot(2).handle()?);
        let (from, to) = (space_of(from).ok()?, space_of(to).ok()?);
        let network = match stack.slot(3) {
            Slot::Nil => None,
            text => Some(shared.names().ok()?.known(text)?.network?),
        };
        let link = link_to(shared.rb().ok()?.board(), from, to, network);
        Some(stack.give(link.into()))
    });
}

fn link_to(board: &Board, from: SpaceId, to: SpaceId, network: Option<NetworkId>) -> Option<LinkId> {
    let mut edges = board.links(from).iter();
    edges.find(|e| e.to == to && network.is_none_or(|n| e.network == n)).map(|e| e.link)
}

const PLACES: [Kind; 4] = [Kind::Space, Kind::Place, Kind::Stack, Kind::Unit];

const LIST: &str = "list";

/// What is done with any list by a function of the script. In Luau, because a call out of a native function costs
/// four times as much.
const LISTS: &str = "
local function list(items)
    if type(items) ~= 'table' then
        error('expected a list, found ' .. type(items), 3)
    end
    return items
end
local function filter(items, keep)
    local kept = {}
    for _, item in ipairs(list(items)) do
        if keep(item) then
            table.insert(kept, item)
        end
    end
    return kept
end
local function any(items, test)
    for _, item in ipairs(list(items)) do
        if test(item) then
            return true
        end
    end
    return false
end
local function sum(items, value)
    local total = 0
    for _, item in ipairs(list(items)) do
        total += value(item)
    end
    return total
end
return filter, any, sum
";

/// What is done with any list by a function of the script.
pub(crate) fn library(api: &mut Api<'_>) -> mlua::Result<()> {
    let (filter, any, sum): (Function, Function, Function) = api.lua.load(LISTS).set_name("=api").call(())?;
    api.library_function(
        LIST,
        "filter",
        "<T>(items: { T }, keep: (item: T) -> any) -> { T }",
        "Those of a list for which a function gives something else than nil and false.",
        filter,
    )?;
    api.library_function(
        LIST,
        "any",
        "<T>(items: { T }, test: (item: T) -> any) -> boolean",
        "Whether a function gives something else than nil and false for one of a list at least.",
        any,
    )?;
    api.library_function(
        LIST,
        "sum",
        "<T>(items: { T }, value: (item: T) -> number) -> number",
        "The sum of what a function gives for each of a list.",
        sum,
    )
}

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<()> {
    api.method(
        &PLACES,
        "pieces",
        "(self: any, wanted: (Side | Wanted)?) -> { Unit }",
        "The units on or in it, in order, in stacks and commands too; those of a side, or as a table wants: \
         `side`, `kind`, `set`, `deck`, `face_up`, `feature` (of the space that they are in), `on_map` (in a space).",
        |lua, shared, (at, wanted): (Handle, Value)| units(lua, shared, at.spot(shared.rb()?)?, &wanted),
    )?;
    api.method(
        &PLACES,
        "first",
        "(self: any, wanted: (Side | Wanted)?) -> Unit?",
        "The first of its pieces, if there is one.",
        |_, shared, (at, wanted): (Handle, Value)| {
            let spot = at.spot(shared.rb()?)?;
            let wanted = Wanted::read(shared, &wanted)?;
            Ok(first_in(spot, &wanted)?.map(Handle::from))
        },
    )?;
    api.method(
        &[Kind::Space, Kind::Place],
        "stacks",
        "(self: any, side: Side?) -> { Stack }",
        "The stacks in it, oldest first.",
        |lua, shared, (at, side): (Handle, Option<LuaString>)| {
            let place = PlaceId(at.id);
            let side = side.map(|s| shared.side(&s.to_str()?)).transpose()?;
            let found: smallvec::SmallVec<[Handle; 8]> = look(|sight| {
                let stacks = sight.stacks(place).filter(|&s| side.is_none() || sight.stack_side(s) == side);
                stacks.map(Handle::from).collect()
            })?;
            charge(1 + found.len())?;
            crate::shared::list(lua, found)
        },
    )?;
    let (links, neighbours) = (Rc::new(Made::default()), Rc::new(Made::default()));
    let made = Rc::clone(&links);
    api.method(
        &[Kind::Space],
        "links",
        "(self: Space, network: string?) -> { Link }",
        "The links that lead out of it, of one network or all.",
        move |lua, shared, (at, network): (Handle, Option<LuaString>)| {
            let space = space_of(at)?;
            let board = shared.rb()?.board();
            let network = network.map(|n| network_named(shared, &n)).transpose()?;
            let key = (space.0, network.map_or(u16::MAX, |n| n.0.into()));
            once_each(lua, &made, key, || {
                let edges = board.links(space).iter().filter(|e| network.is_none_or(|n| e.network == n));
                freeze::list(lua, edges.map(|e| Handle::from(e.link).value()))
            })
        },
    )?;
    let made = Rc::clone(&neighbours);
    api.method(
        &[Kind::Space],
        "neighbours",
        "(self: Space, network: string?) -> { Space }",
        "The spaces to which its links lead, of one network or all.",
        move |lua, shared, (at, network): (Handle, Option<LuaString>)| {
            let space = space_of(at)?;
            let board = shared.rb()?.board();
            let network = network.map(|n| network_named(shared, &n)).transpose()?;
            let key = (space.0, network.map_or(u16::MAX, |n| n.0.into()));
            once_each(lua, &made, key, || {
                let edges = board.links(space).iter().filter(|e| network.is_none_or(|n| e.network == n));
                let mut to: Vec<SpaceId> = edges.map(|e| e.to).collect();
                to.dedup();
                freeze::list(lua, to.into_iter().map(|s| Handle::from(s).value()))
            })
        },
    )?;
    api.method(
        &[Kind::Link],
        "other",
        "(self: Link, space: Space) -> Space",
        "The space at its other end.",
        |_, shared, (link, space): (Handle, Handle)| {
            let board = shared.rb()?.board();
            Ok(Handle::from(board.other_end(link_of(link)?, space_of(space)?)))
        },
    )?;
    api.method(
        &[Kind::Link],
        "ends",
        "(self: Link) -> (Space, Space)",
        "Both its ends; a one-way link leads from the first to the second.",
        |_, shared, link: Handle| {
            let (a, b) = shared.rb()?.board().link_ends(link_of(link)?);
            Ok((Handle::from(a), Handle::from(b)))
        },
    )?;
    api.method(
        &[Kind::Space],
        "border_to",
        "(self: Space, other: Space) -> Border?",
        "The border between two spaces.",
        |_, shared, (a, b): (Handle, Handle)| {
            let board = shared.rb()?.board();
            Ok(board.border_between(space_of(a)?, space_of(b)?).map(Handle::from))
        },
    )?;
    api.method(
        &[Kind::Space],
        "link_to",
        "(self: Space, other: Space, network: string?) -> Link?",
        "The first link to another space.",
        |_, shared, (a, b, network): (Handle, Handle, Option<LuaString>)| {
            let board = shared.rb()?.board();
            let (from, to) = (space_of(a)?, space_of(b)?);
            let network = network.map(|n| network_named(shared, &n)).transpose()?;
            Ok(link_to(board, from, to, network).map(Handle::from))
        },
    )?;
    wishes(api)?;
    fronts(api, links, neighbours);
    Ok(())
}

/// Frozen lists that are made when they are first asked for, each also as fronts give it.
pub(super) type Made = RefCell<BTreeMap<(u16, u16), (Table, Kept)>>;

/// The list with a key, made once.
pub(super) fn once_each(
    lua: &Lua,
    made: &Made,
    key: (u16, u16),
    make: impl FnOnce() -> mlua::Result<Table>,
) -> mlua::Result<Table> {
    if let Some((list, _)) = made.borrow().get(&key) {
        return Ok(list.clone());
    }
    let list = make()?;
    let kept = raw::keep(lua, &Value::Table(list.clone()))?;
    made.borrow_mut().insert(key, (list.clone(), kept));
    Ok(list)
}

pub(super) fn space_of(handle: Handle) -> mlua::Result<SpaceId> {
    match handle.kind {
        Kind::Space => Ok(SpaceId(handle.id)),
        other => fail(format!("expected a space, found a {}", other.name())),
    }
}

fn link_of(handle: Handle) -> mlua::Result<LinkId> {
    match handle.kind {
        Kind::Link => Ok(LinkId(handle.id)),
        other => fail(format!("expected a link, found a {}", other.name())),
    }
}

pub(super) fn network_named(shared: &Shared, name: &LuaString) -> mlua::Result<NetworkId> {
    let board = shared.rb()?.board();
    let name = str_of(name)?;
    board.network_named(&name).ok_or_else(|| {
        let all = (0..board.network_count() as u8).map(|n| board.network_name(NetworkId(n)));
        unknown("network", &name, all)
    })
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

//! Hex geometry and borders: distances, directions, neighbours, lines and what they cross.

use adjutant_kernel::board::{Direction, Grazing, LinePolicy, LineStep, Obstacle, OffMap, Sight};
use adjutant_kernel::{BorderId, FeatureId, SpaceId};
use mlua::{Function, Lua, LuaString, Table, Value};

use super::Api;
use super::lists::{once_each, space_of};
use super::things::feature_named;
use crate::fields::{show, text};
use crate::freeze;
use crate::handle::{Handle, Kind};
use crate::raw::Stack;
use crate::shared::{Shared, charge};

const SPACE: [Kind; 1] = [Kind::Space];
const BORDER: [Kind; 1] = [Kind::Border];

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<()> {
    hexes(api)?;
    borders(api)?;
    lines(api)
}

/// What answers from the bare stack.
fn fronts(api: &mut Api<'_>) {
    let two = |stack: &Stack| -> Option<(SpaceId, SpaceId)> {
        Some((space_of(stack.slot(1).handle()?).ok()?, space_of(stack.slot(2).handle()?).ok()?))
    };
    api.front("distance", move |shared, stack| {
        let (a, b) = two(stack)?;
        let distance = shared.rb().ok()?.board().distance(a, b);
        Some(stack.give(distance.and_then(|n| i32::try_from(n).ok()).into()))
    });
    api.front("direction", move |shared, stack| {
        let (a, b) = two(stack)?;
        let direction = shared.rb().ok()?.board().direction(a, b);
        Some(stack.give(direction.map(|d| d.index() as i32).into()))
    });
    api.front("border_to", move |shared, stack| {
        let (a, b) = two(stack)?;
        Some(stack.give(shared.rb().ok()?.board().border_between(a, b).into()))
    });
}

fn hexes(api: &mut Api<'_>) -> mlua::Result<()> {
    fronts(api);
    api.method(
        &SPACE,
        "distance",
        "(self: Space, other: Space) -> number?",
        "How many hexes away another is; nil where there is no grid.",
        |_, shared, (a, b): (Handle, Handle)| Ok(shared.rb()?.board().distance(space_of(a)?, space_of(b)?)),
    )?;
    api.method(
        &SPACE,
        "direction",
        "(self: Space, other: Space) -> number?",
        "The direction, from 0 to 5 as units face, in which another hex lies; nil if it lies in none straight.",
        |_, shared, (a, b): (Handle, Handle)| {
            let direction = shared.rb()?.board().direction(space_of(a)?, space_of(b)?);
            Ok(direction.map(Direction::index))
        },
    )?;
    api.method(
        &SPACE,
        "ahead",
        "(self: Space, direction: number) -> Space?",
        "The hex next to it in a direction from 0 to 5 (others are turned round: 6 is 0, -1 is 5).",
        |_, shared, (at, direction): (Handle, i32)| {
            let direction = Direction::ALL[direction.rem_euclid(6) as usize];
            Ok(shared.rb()?.board().neighbour(space_of(at)?, direction).map(Handle::from))
        },
    )?;
    api.method(
        &SPACE,
        "within",
        "(self: Space, radius: number) -> { Space }",
        "The hexes at most so far away, itself included, from the near to the far.",
        |lua, shared, (at, radius): (Handle, u16)| {
            let board = shared.rb()?.board();
            let walked = usize::from(radius.min(board.span()));
            charge(walked * walked / 4)?;
            let found = board.within(space_of(at)?, radius);
            counted(lua, found.map(Handle::from))
        },
    )?;
    api.method(
        &SPACE,
        "ring",
        "(self: Space, radius: number) -> { Space }",
        "The hexes exactly so far away, round about.",
        |lua, shared, (at, radius): (Handle, u16)| {
            let board = shared.rb()?.board();
            charge(usize::from(radius.min(board.span())) / 2)?;
            let found = board.ring(space_of(at)?, radius);
            counted(lua, found.map(Handle::from))
        },
    )
}

/// A list of which every item uses fuel: what it holds was searched for.
fn counted(lua: &Lua, items: impl Iterator<Item = Handle>) -> mlua::Result<Table> {
    let mut found = Vec::new();
    for item in items {
        charge(1)?;
        found.push(item);
    }
    crate::shared::list(lua, found)
}

fn border_of(handle: Handle) -> mlua::Result<BorderId> {
    match handle.kind {
        Kind::Border => Ok(BorderId(handle.id)),
        other => fail(format!("expected a border, found a {}", other.name())),
    }
}

fn borders(api: &mut Api<'_>) -> mlua::Result<()> {
    let made = Default::default();
    api.method(
        &SPACE,
        "borders",
        "(self: Space) -> { Border }",
        "Its borders; those of a hex by direction.",
        move |lua, shared, at: Handle| {
            let space = space_of(at)?;
            once_each(lua, &made, (space.0, 0), || {
                let borders = shared.rb()?.board().borders(space).iter();
                freeze::list(lua, borders.map(|b| Handle::from(b.border).value()))
            })
        },
    )?;
    api.method(
        &BORDER,
        "between",
        "(self: Border) -> (Space, Space?)",
        "The spaces on both sides; the second is nil at the edge of the map.",
        |_, shared, border: Handle| {
            let (a, b) = shared.rb()?.board().border_ends(border_of(border)?);
            Ok((Handle::from(a), b.map(Handle::from)))
        },
    )?;
    api.method(
        &BORDER,
        "beyond",
        "(self: Border, space: Space) -> Space?",
        "The space on its other side; nil at the edge of the map.",
        |_, shared, (border, space): (Handle, Handle)| {
            let (border, space) = (border_of(border)?, space_of(space)?);
            Ok(match shared.rb()?.board().border_ends(border) {
                (a, b) if a == space => b.map(Handle::from),
                (a, Some(b)) if b == space => Some(Handle::from(a)),
                _ => return fail("the border is none of that space's".into()),
            })
        },
    )?;
    let made = Default::default();
    api.method(
        &BORDER,
        "meeting",
        "(self: Border) -> { Border }",
        "The borders that meet it at a corner.",
        move |lua, shared, border: Handle| {
            let border = border_of(border)?;
            once_each(lua, &made, (border.0, 0), || {
                let list = shared.rb()?.board().borders_meeting(border).iter();
                freeze::list(lua, list.map(|b| Handle::from(*b).value()))
            })
        },
    )
}

fn lines(api: &mut Api<'_>) -> mlua::Result<()> {
    api.method(
        &SPACE,
        "line",
        "(self: Space, other: Space) -> { LineStep }?",
        "The straight line to another hex, step by step: `what` is \"through\" (a `space`), \"across\" (a `border`), \
         \"along\" (a `border` between `left` and `right`) or \"vertex\" (a `border` at whose end the corner is, and \
         the space `beside`). What is off the map is nil. Nil where there is no grid.",
        |lua, shared, (a, b): (Handle, Handle)| {
            let board = shared.rb()?.board();
            let Some(line) = board.line(space_of(a)?, space_of(b)?) else { return Ok(None) };
            let list = crate::shared::list::<Table>(lua, [])?;
            for step in line {
                charge(4)?;
                list.raw_push(line_step(lua, step)?)?;
            }
            Ok(Some(list))
        },
    )?;
    api.method(
        &SPACE,
        "clear_to",
        "(self: Space, other: Space, policy: LinePolicy) -> (boolean?, (Space | Border)?)",
        "Whether nothing blocks the straight line to another hex, and what does first. `spaces` and `borders` say \
         what blocks: features by name, or a function. Where the line runs along a hexside (`along`) or through a \
         corner (`vertex`), it is blocked when \"either\" way round is or only when \"both\" are (that if left out); \
         what is `off_map` \"blocks\" or is \"clear\". Nil where there is no grid.",
        |_, shared, (a, b, policy): (Handle, Handle, Table)| {
            let board = shared.rb()?.board();
            let blocks = Blocking::read(shared, &policy)?;
            let lines = LinePolicy {
                along_side: grazing(&policy, "along")?,
                through_vertex: grazing(&policy, "vertex")?,
                off_map: match text(&policy.get("off_map")?).as_deref() {
                    None | Some("blocks") => OffMap::Blocks,
                    Some("clear") => OffMap::Clear,
                    Some(other) => return fail(format!("`off_map` is \"blocks\" or \"clear\", not \"{other}\"")),
                },
            };
            let failed = std::cell::RefCell::new(None);
            let ask = |answer: mlua::Result<bool>| answer.unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                false
            });
            let sight = board.trace(
                space_of(a)?,
                space_of(b)?,
                lines,
                |s| ask(blocks.spaces.holds(Handle::from(s), &|f| board.has_feature_space(s, f))),
                |b| ask(blocks.borders.holds(Handle::from(b), &|f| board.has_feature_border(b, f))),
            );
            match failed.into_inner() {
                Some(error) => Err(error),
                None => Ok(match sight {
                    None => (None, None),
                    Some(Sight::Clear) => (Some(true), None),
                    Some(Sight::Blocked(by)) => (Some(false), match by {
                        Obstacle::Space(space) => Some(Handle::from(space)),
                        Obstacle::Border(border) => Some(Handle::from(border)),
                        Obstacle::OffMap(_) => None,
                    }),
                }),
            }
        },
    )
}

fn line_step(lua: &Lua, step: LineStep) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let space = |key: &str, space: Option<SpaceId>| table.raw_set(key, space.map(Handle::from));
    let border = |border: Option<BorderId>| table.raw_set("border", border.map(Handle::from));
    let what = match step {
        LineStep::Through(cell) => {
            space("space", cell.space)?;
            "through"
        }
        LineStep::Across(side) => {
            border(side.border)?;
            "across"
        }
        LineStep::AlongSide { left, right, side, .. } => {
            border(side.border)?;
            space("left", left.space)?;
            space("right", right.space)?;
            "along"
        }
        LineStep::ThroughVertex { beside, side, .. } => {
            border(side.border)?;
            space("beside", beside.space)?;
            "vertex"
        }
    };
    table.raw_set("what", what)?;
    Ok(table)
}

fn grazing(policy: &Table, key: &str) -> mlua::Result<Grazing> {
    match text(&policy.get(key)?).as_deref() {
        None | Some("both") => Ok(Grazing::BothBlock),
        Some("either") => Ok(Grazing::EitherBlocks),
        Some(other) => fail(format!("`{key}` is \"either\" or \"both\", not \"{other}\"")),
    }
}

/// What blocks a line, of one kind of thing.
enum Test {
    Features(Vec<FeatureId>),
    Function(Function),
}

impl Test {
    fn read(shared: &Shared, value: Value) -> mlua::Result<Self> {
        let named = |name: LuaString| feature_named(shared, &name);
        Ok(match value {
            Value::Nil => Self::Features(Vec::new()),
            Value::String(name) => Self::Features(vec![named(name)?]),
            Value::Table(list) => Self::Features(
                list.sequence_values::<LuaString>().map(|n| named(n?)).collect::<mlua::Result<_>>()?,
            ),
            Value::Function(function) => Self::Function(function),
            other => return fail(format!("expected features or a function, found {}", show(&other))),
        })
    }

    fn holds(&self, of: Handle, has: &dyn Fn(FeatureId) -> bool) -> mlua::Result<bool> {
        charge(1)?;
        match self {
            Self::Features(list) => Ok(list.iter().any(|f| has(*f))),
            Self::Function(function) => Ok(function.call::<Option<bool>>(of)?.unwrap_or(false)),
        }
    }
}

struct Blocking {
    spaces: Test,
    borders: Test,
}

impl Blocking {
    fn read(shared: &Shared, policy: &Table) -> mlua::Result<Self> {
        for pair in policy.pairs::<Value, Value>() {
            let key = text(&pair?.0).unwrap_or_default();
            let known = ["spaces", "borders", "along", "vertex", "off_map"];
            if !known.contains(&key.as_str()) {
                return fail(format!("a line has no `{key}`{}", crate::problem::suggest(&key, known)));
            }
        }
        let read = |key: &str| Test::read(shared, policy.get(key)?);
        Ok(Self { spaces: read("spaces")?, borders: read("borders")? })
    }
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

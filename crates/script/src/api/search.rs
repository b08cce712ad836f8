//! Searches over the links: what can be reached, the cheapest path, tracing.
//!
//! What a step costs is said as data, which the host works out natively, or by a function of the script. Both
//! use fuel for every step that is looked at.

use std::cell::RefCell;

use adjutant_kernel::board::{Board, Edge, Ways};
use adjutant_kernel::points::{PointArg, PointArgs};
use adjutant_kernel::{FeatureId, PointId, SpaceId};
use mlua::{Function, Lua, LuaString, Table, Value};
use smallvec::SmallVec;

use super::Api;
use super::lists::{network_named, space_of};
use super::points::{point_args, point_named};
use super::things::feature_named;
use crate::fields::{integer, show, text};
use crate::handle::{Handle, Kind};
use crate::raw::{self, Arg, Slot, Small};
use crate::shared::{Shared, charge, look};

const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "reach",
        "(self: Game, from: Space | { Space }, ways: Ways?) -> { [Space]: number }",
        "The spaces that can be reached, each with what it costs, within a `budget` if there is one. Over links of \
         `networks`, not closed for `open_for`. A step costs `base` (1 if left out), and more or less by `space` \
         features where it leads; of the `border` features that it crosses the least counts; a `link` feature gives \
         its whole cost instead; false closes it. `total` and `forbids` name rule points that are asked with \
         `args`, the link and the space. Spaces in `closed` are not entered, those in `stops` not left. Or `cost` \
         is a function that gives what a step costs: a number, true for 1, nil or false if it is closed.",
        |lua, shared, (_, from, ways): (Value, Value, Option<Table>)| {
            let search = Search::read(lua, shared, ways.as_ref())?;
            let sources = spaces(lua, &from)?;
            let mut scratch = std::mem::take(&mut *shared.search.borrow_mut());
            let budget = search.budget;
            search.run(lua, shared, |ways, cost| {
                shared.rb()?.board().reachable(&mut scratch, ways, sources, budget, cost);
                Ok(())
            })?;
            let found = scratch.reached().map(|(space, cost)| (space.into(), cost));
            let reached = crate::shared::table(lua, &found.collect::<SmallVec<[_; 64]>>())?;
            *shared.search.borrow_mut() = scratch;
            Ok(reached)
        },
    )?;
    api.object(
        G,
        g,
        "path",
        "(self: Game, from: Space, to: Space, ways: Ways?) -> (number?, { Link }?)",
        "What the cheapest path between two spaces costs, and its links; nil if there is none within the `budget`. \
         Ways are as for `reach`.",
        |lua, shared, (_, from, to, ways): (Value, Handle, Handle, Option<Table>)| {
            let search = Search::read(lua, shared, ways.as_ref())?;
            let (from, to) = (space_of(from)?, space_of(to)?);
            let mut scratch = std::mem::take(&mut *shared.search.borrow_mut());
            let mut found = None;
            search.run(lua, shared, |ways, cost| {
                found = shared.rb()?.board().cheapest_path(&mut scratch, ways, from, to, cost);
                Ok(())
            })?;
            let Some(cost) = found.filter(|cost| *cost <= search.budget) else { return Ok((None, None)) };
            let links = scratch.path_to(to).iter().map(|step| Handle::from(step.link));
            let links = crate::shared::list(lua, links.collect::<Vec<_>>())?;
            *shared.search.borrow_mut() = scratch;
            Ok((Some(cost), Some(links)))
        },
    )
}

/// A space or a list of spaces.
fn spaces(lua: &Lua, value: &Value) -> mlua::Result<Vec<SpaceId>> {
    match value {
        Value::Nil => Ok(Vec::new()),
        Value::LightUserData(raw) => match Handle::from_raw(*raw) {
            Some(handle) => Ok(vec![space_of(handle)?]),
            None => fail("expected a space".into()),
        },
        Value::Table(list) => {
            charge(list.raw_len())?;
            match raw::handles(lua, list)? {
                Some(handles) => handles.into_iter().map(space_of).collect(),
                None => list.sequence_values::<Handle>().map(|h| space_of(h?)).collect(),
            }
        }
        other => fail(format!("expected a space or a list of spaces, found {}", show(other))),
    }
}

/// What a feature does to a step: so much, or closed.
type Costs = Vec<(FeatureId, Option<i32>)>;

/// Which ways there are and what they cost.
struct Search {
    ways: Ways,
    budget: u32,
    function: Option<Function>,
    base: i32,
    space: Costs,
    border: Costs,
    link: Costs,
    total: Option<PointId>,
    forbids: Option<PointId>,
    args: PointArgs,
    closed: Marked,
    stops: Marked,
}

/// A set of spaces that is asked for every step.
#[derive(Default)]
struct Marked(Vec<u64>);

impl Marked {
    fn read(lua: &Lua, value: &Value) -> mlua::Result<Self> {
        let mut marked = Self::default();
        for space in spaces(lua, value)? {
            let (word, bit) = (space.index() / 64, space.index() % 64);
            if word >= marked.0.len() {
                marked.0.resize(word + 1, 0);
            }
            marked.0[word] |= 1 << bit;
        }
        Ok(marked)
    }

    fn has(&self, space: SpaceId) -> bool {
        self.0.get(space.index() / 64).is_some_and(|word| word >> (space.index() % 64) & 1 == 1)
    }
}

const KEYS: [&str; 12] = [
    "budget", "networks", "open_for", "base", "space", "border", "link", "total", "forbids", "args",
    "closed", "stops",
];

impl Search {
    fn read(lua: &Lua, shared: &Shared, table: Option<&Table>) -> mlua::Result<Self> {
        let mut search = Self {
            ways: Ways::all(),
            budget: u32::MAX,
            function: None,
            base: 1,
            space: Costs::new(),
            border: Costs::new(),
            link: Costs::new(),
            total: None,
            forbids: None,
            args: PointArgs::new(),
            closed: Marked::default(),
            stops: Marked::default(),
        };
        let Some(table) = table else { return Ok(search) };
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let key = text(&key).unwrap_or_default();
            let number = || integer(&value).ok_or_else(|| expected(&key, "a whole number", &value));
            match (key.as_str(), &value) {
                ("budget", _) => search.budget = number()?.max(0) as u32,
                ("base", _) => search.base = number()?,
                ("networks" | "open_for", _) => {}
                ("space", Value::Table(list)) => search.space = costs(shared, list)?,
                ("border", Value::Table(list)) => search.border = costs(shared, list)?,
                ("link", Value::Table(list)) => search.link = costs(shared, list)?,
                ("total", Value::String(name)) => search.total = Some(point_named(shared, name)?),
                ("forbids", Value::String(name)) => search.forbids = Some(point_named(shared, name)?),
                ("args", Value::Table(list)) => {
                    let args: Vec<Value> = list.sequence_values().collect::<mlua::Result<_>>()?;
                    search.args = point_args(shared, &args)?;
                }
                ("closed", _) => search.closed = Marked::read(lua, &value)?,
                ("stops", _) => search.stops = Marked::read(lua, &value)?,
                ("cost", Value::Function(function)) => search.function = Some(function.clone()),
                _ => {
                    let known = KEYS.into_iter().chain(["cost"]);
                    return match known.clone().any(|k| k == key) {
                        true => Err(expected(&key, "something else", &value)),
                        false => {
                            fail(format!("ways have no `{key}`{}", crate::problem::suggest(&key, known)))
                        }
                    };
                }
            }
        }
        let networks: Value = shared.get(table, "networks")?;
        search.ways = match &networks {
            Value::Nil => Ways::all(),
            Value::String(name) => Ways::over([network_named(shared, name)?]),
            Value::Table(list) => {
                let names = list.sequence_values::<LuaString>().map(|n| network_named(shared, &n?));
                Ways::over(names.collect::<mlua::Result<Vec<_>>>()?)
            }
            other => return Err(expected("networks", "names of networks", other)),
        };
        if let Some(side) = shared.get::<Option<LuaString>>(table, "open_for")? {
            search.ways = search.ways.open_for(shared.side(&side.to_str()?)?);
        }
        Ok(search)
    }

    /// Runs a search with what a step costs; what fails on the way ends it.
    fn run(
        &self,
        lua: &Lua,
        shared: &Shared,
        search: impl FnOnce(Ways, &mut dyn FnMut(SpaceId, &Edge) -> Option<u32>) -> mlua::Result<()>,
    ) -> mlua::Result<()> {
        let failed = RefCell::new(None);
        let board = shared.rb()?.board();
        let mut cost = |from: SpaceId, edge: &Edge| {
            if failed.borrow().is_some() {
                return None;
            }
            let cost = charge(1).and_then(|()| match &self.function {
                Some(function) => called(lua, shared, function, from, edge),
                None => self.cost(board, from, edge),
            });
            cost.unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                None
            })
        };
        search(self.ways, &mut cost)?;
        failed.into_inner().map_or(Ok(()), Err)
    }

    /// What a step costs by the data.
    fn cost(&self, board: &Board, from: SpaceId, edge: &Edge) -> mlua::Result<Option<u32>> {
        if self.closed.has(edge.to) || self.stops.has(from) {
            return Ok(None);
        }
        let args = || {
            let mut args: PointArgs = self.args.clone();
            args.extend([PointArg::Link(edge.link), PointArg::Space(edge.to)]);
            args
        };
        if let Some(point) = self.forbids
            && look(|sight| sight.forbidden(point, &args()))?.is_some()
        {
            return Ok(None);
        }
        let mut cost = match self.total {
            Some(point) => look(|sight| sight.total(point, &args()))?,
            None => self.base,
        };
        let on_link = self.link.iter().find(|(f, _)| board.has_feature_link(edge.link, *f));
        match on_link {
            Some((_, None)) => return Ok(None),
            Some((_, Some(whole))) => cost = *whole,
            None => {
                for (feature, more) in &self.space {
                    if board.has_feature_space(edge.to, *feature) {
                        let Some(more) = more else { return Ok(None) };
                        cost += more;
                    }
                }
                if let Some(border) = board.border_of_link(edge.link) {
                    let here = self.border.iter().filter(|(f, _)| board.has_feature_border(border, *f));
                    // Closed is more than any number.
                    let least = here.map(|(_, more)| more.map_or((true, 0), |n| (false, n))).min();
                    match least {
                        Some((true, _)) => return Ok(None),
                        Some((false, more)) => cost += more,
                        None => {}
                    }
                }
            }
        }
        Ok(Some(cost.max(0) as u32))
    }
}

/// What a function of the script says of a step.
fn called(
    lua: &Lua,
    shared: &Shared,
    function: &Function,
    from: SpaceId,
    edge: &Edge,
) -> mlua::Result<Option<u32>> {
    let args = [Handle::from(from), Handle::from(edge.link), Handle::from(edge.to)];
    let cost = shared.call(lua, function, &args.map(|arg| Arg::One(Small::Handle(arg))), |results| {
        Some(match results.slot(1) {
            Slot::Nil | Slot::Flag(false) => None,
            Slot::Flag(true) => Some(1),
            other => Some(other.integer()?.max(0) as u32),
        })
    })?;
    cost.map_err(|(other, _)| expected("cost", "a whole number, true, false or nil", &other))
}

fn costs(shared: &Shared, table: &Table) -> mlua::Result<Costs> {
    let mut found = Costs::new();
    for pair in table.pairs::<LuaString, Value>() {
        let (name, value) = pair?;
        let cost = match &value {
            Value::Boolean(false) => None,
            other => match integer(other) {
                Some(cost) => Some(cost),
                None => return Err(expected(&name.to_string_lossy(), "a whole number or false", other)),
            },
        };
        found.push((feature_named(shared, &name)?, cost));
    }
    found.sort_unstable();
    Ok(found)
}

fn expected(key: &str, what: &str, found: &Value) -> mlua::Error {
    let kind = match found {
        Value::LightUserData(raw) => {
            Handle::from_raw(*raw).map_or("nothing", |h: Handle| Kind::name(h.kind)).to_owned()
        }
        other => show(other),
    };
    mlua::Error::runtime(format!("`{key}` takes {what}, not {kind}"))
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

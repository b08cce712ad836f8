//! Putting items into slots, step by step, so that the rest can always still be placed.

use adjutant_kernel::allocation::{Assignment, Problem, Set, Slot, Spec};
use mlua::{Function, Lua, Table, Value};

use super::Api;
use crate::fields::{integer, show, text};
use crate::shared::{Shared, charge};

const G: &str = "Game";

pub(super) fn install(api: &mut Api<'_>, g: &Table) -> mlua::Result<()> {
    api.object(
        G,
        g,
        "allot",
        "(self: Game, task: Allotment, placed: { [any]: number }?) -> { [any]: { [number]: boolean } }?",
        "Where each of the `items` that are not `placed` yet (by item, the number of its slot) may go so that all \
         can still be placed: by item, the slots that are possible. A slot takes from `least` to `most` items, \
         `only` some if so said, and `needs` { count, items } if it is filled; `or_empty` lets it stay empty though \
         there is a least; a `contiguous` one takes only neighbours of what it holds. Of `filled` { count, slots } \
         at least so many are filled. Nil when the rest can be placed in no way.",
        |lua, shared, (_, task, placed): (Value, Table, Option<Table>)| allot(lua, shared, &task, placed.as_ref()),
    )
}

/// The items of a task, found by value.
struct Items(Vec<Value>);

impl Items {
    fn find(&self, wanted: &Value) -> mlua::Result<usize> {
        let at = self.0.iter().position(|item| item == wanted);
        at.ok_or_else(|| mlua::Error::runtime(format!("{} is none of the items", show(wanted))))
    }

    fn set(&self, list: &Table) -> mlua::Result<Set> {
        charge(1 + list.raw_len())?;
        let mut set = Set::default();
        for item in list.sequence_values::<Value>() {
            set = set.with(self.find(&item?)?);
        }
        Ok(set)
    }
}

fn allot(lua: &Lua, shared: &Shared, task: &Table, placed: Option<&Table>) -> mlua::Result<Option<Table>> {
    let items: Vec<Value> =
        shared.get::<Table>(task, "items")?.sequence_values().collect::<mlua::Result<_>>()?;
    let items = Items(items);
    let count = items.0.len();
    charge(8 + count * count)?;
    let mut spec = Spec::new(count);
    let mut slots = 0;
    for one in shared.get::<Table>(task, "slots")?.sequence_values::<Table>() {
        spec = spec.slot(slot(&items, &one?)?);
        slots += 1;
    }
    if let Some(filled) = shared.get::<Option<Table>>(task, "filled")? {
        for pair in filled.sequence_values::<Table>() {
            let pair = pair?;
            let numbers: Table = pair.get(2)?;
            let numbers: Vec<usize> = numbers.sequence_values().collect::<mlua::Result<_>>()?;
            let numbers = numbers.into_iter().map(|n| slot_number(n, slots));
            spec = spec.filled(pair.get(1)?, numbers.collect::<mlua::Result<_>>()?);
        }
    }
    if let Some(function) = shared.get::<Option<Function>>(task, "neighbours")? {
        let pairs = neighbours(&items, &function)?;
        spec = spec.neighbours(|a, b| pairs.contains(&(a, b)));
    }
    let problem: Problem = spec.check().map_err(|mistakes| {
        let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        mlua::Error::runtime(texts.join("; "))
    })?;
    let mut so_far = Assignment::new();
    if let Some(placed) = placed {
        for pair in placed.pairs::<Value, usize>() {
            let (item, number) = pair?;
            charge(1)?;
            so_far.place(items.find(&item)?, slot_number(number, slots)?);
        }
    }
    charge(count * slots)?;
    if !problem.feasible(&so_far) {
        return Ok(None);
    }
    let offers = problem.offers(&so_far);
    let result = crate::shared::list::<Table>(lua, [])?;
    for item in Set::below(count).without(so_far.placed()).iter() {
        let free = offers.slots(item).iter().map(|slot| slot + 1);
        result.raw_set(&items.0[item], crate::raw::flags(lua, free)?)?;
    }
    Ok(Some(result))
}

fn slot_number(number: usize, slots: usize) -> mlua::Result<usize> {
    match number.checked_sub(1).filter(|n| *n < slots) {
        Some(n) => Ok(n),
        None => Err(mlua::Error::runtime(format!("there is no slot {number}; there are {slots}, from 1"))),
    }
}

fn neighbours(items: &Items, function: &Function) -> mlua::Result<Vec<(usize, usize)>> {
    let mut pairs = Vec::new();
    for b in 0..items.0.len().min(64) {
        for a in 0..b {
            charge(1)?;
            if function.call::<Option<bool>>((&items.0[a], &items.0[b]))?.unwrap_or(false) {
                pairs.push((a, b));
            }
        }
    }
    Ok(pairs)
}

/// What a slot may hold.
const KEYS: [&str; 6] = ["least", "most", "only", "needs", "or_empty", "contiguous"];

fn slot(items: &Items, table: &Table) -> mlua::Result<Slot> {
    let (mut least, mut most, mut only, mut needs) = (0u8, 64u8, None, None);
    let (mut or_empty, mut contiguous) = (false, false);
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let key = text(&key).unwrap_or_default();
        let takes = |what: &str| mlua::Error::runtime(format!("`{key}` is {what}"));
        let number = || integer(&value).and_then(|n| u8::try_from(n).ok());
        let number = || number().ok_or_else(|| takes("a number from 0 to 255"));
        let list = || value.as_table().cloned().ok_or_else(|| takes("a list"));
        let flag = || value.as_boolean().ok_or_else(|| takes("true or false"));
        match key.as_str() {
            "least" => least = number()?,
            "most" => most = number()?,
            "only" => only = Some(list()?),
            "needs" => needs = Some(list()?),
            "or_empty" => or_empty = flag()?,
            "contiguous" => contiguous = flag()?,
            _ => {
                let near = crate::problem::suggest(&key, KEYS);
                return Err(mlua::Error::runtime(format!("a slot has no `{key}`{near}")));
            }
        }
    }
    let mut slot = Slot::between(least, most);
    if let Some(only) = only {
        slot = slot.only(items.set(&only)?);
    }
    if let Some(needs) = needs {
        for need in needs.sequence_values::<Table>() {
            let need = need?;
            slot = slot.needs(need.get(1)?, items.set(&need.get(2)?)?);
        }
    }
    if or_empty {
        slot = slot.or_empty();
    }
    if contiguous {
        slot = slot.contiguous();
    }
    Ok(slot)
}

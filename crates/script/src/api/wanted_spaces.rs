//! Which spaces a script wants, found natively.

use adjutant_kernel::rulebook::Holder;
use adjutant_kernel::{ColumnId, FeatureId, SpaceId};
use mlua::Value;
use smallvec::SmallVec;

use super::lists::Wish;
use super::things::feature_named;
use crate::fields::{show, text};
use crate::handle::Handle;
use crate::raw::{Slot, Stack, Things};
use crate::shared::{Shared, charge, look};

/// Spaces with a feature, whose cells have just these values.
#[derive(Default)]
pub(super) struct WantedSpaces {
    feature: Option<FeatureId>,
    cells: SmallVec<[(ColumnId, i32); 4]>,
}

impl WantedSpaces {
    /// Reads a table with `feature` and columns of spaces.
    pub(super) fn read(shared: &Shared, value: &Value) -> mlua::Result<Self> {
        let (rb, names) = (shared.rb()?, shared.names()?);
        let Value::Table(table) = value else {
            return fail(format!("expected a feature or a table of wishes, found {}", show(value)));
        };
        let mut wanted = Self::default();
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let name = text(&key).unwrap_or_else(|| show(&key));
            if name == "feature" {
                let Value::String(feature) = &value else {
                    return fail(format!("`feature` takes the name of a feature, not {}", show(&value)));
                };
                wanted.feature = Some(feature_named(shared, feature)?);
                continue;
            }
            let column = rb.columns().iter().position(|c| c.name == name && is_of_spaces(c));
            let Some(cell) = column.and_then(|n| names.cell(ColumnId(n as u16))) else {
                let known = rb.columns().iter().filter(|c| is_of_spaces(c)).map(|c| c.name.as_str());
                let near = crate::problem::suggest(&name, known.chain(["feature"]));
                return fail(format!("spaces are not chosen by `{name}`{near}"));
            };
            let number =
                cell.number(rb, &value).map_err(|e| mlua::Error::runtime(format!("`{name}` {e}")))?;
            wanted.cells.push((cell.column, number));
        }
        Ok(wanted)
    }

    /// The same from the bare stack.
    pub(super) fn on(shared: &Shared, stack: &Stack, n: usize) -> Option<Self> {
        let (rb, names, keys) = (shared.rb().ok()?, shared.names().ok()?, shared.wanted.get()?);
        let mut wanted = Self::default();
        let mut read = |key: Slot, value: Slot| -> Option<()> {
            if matches!(keys.get(&key.text()?), Some(Wish::Feature)) {
                wanted.feature = Some(names.known(value)?.feature?);
                return Some(());
            }
            let column = names.known(key)?.column.filter(|c| is_of_spaces(rb.column(*c)))?;
            wanted.cells.push((column, names.cell(column)?.number_on(names, value)?));
            Some(())
        };
        stack.entries(n, |key, value| read(key, value).is_some()).then_some(wanted)
    }

    /// The spaces, in order; a cell that who looks may not see has no value. All that are looked at use fuel.
    pub(super) fn found(&self, shared: &Shared) -> mlua::Result<Things> {
        let board = shared.rb()?.board();
        charge(1 + board.space_count() / 16)?;
        look(|sight| {
            let columns: SmallVec<[_; 4]> =
                self.cells.iter().map(|&(column, value)| (sight.cells(column), column, value)).collect();
            let each = (0..board.space_count() as u16).map(SpaceId);
            each.filter(|&space| {
                self.feature.is_none_or(|f| board.has_feature_space(space, f))
                    && columns.iter().all(|(cells, column, value)| match cells {
                        Some(cells) => cells.get(space.index()) == Some(value),
                        None => sight.cell(*column, space.0, 0) == Some(*value),
                    })
            })
            .map(Handle::from)
            .collect()
        })
    }
}

/// Whether a column is of spaces, one value each.
fn is_of_spaces(column: &adjutant_kernel::rulebook::ColumnDef) -> bool {
    column.holder == Holder::Space && !column.by_side
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

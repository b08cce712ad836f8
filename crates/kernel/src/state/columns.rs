//! Sparse cells: columns of spaces, borders and links hold few values that differ from their start.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// Cells that differ from their column's start value, sorted by column, holder, side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SparseCells(Vec<(u64, i32)>);

fn key(column: ColumnId, holder: u16, side: u8) -> u64 {
    u64::from(column.0) << 24 | u64::from(holder) << 8 | u64::from(side)
}

impl SparseCells {
    #[inline]
    pub(crate) fn get(&self, column: ColumnId, holder: u16, side: u8) -> Option<i32> {
        if self.0.is_empty() {
            return None;
        }
        let key = key(column, holder, side);
        self.0.binary_search_by_key(&key, |&(k, _)| k).ok().map(|at| self.0[at].1)
    }

    /// Sets a cell; `None` gives it back its start value.
    pub(crate) fn set(&mut self, column: ColumnId, holder: u16, side: u8, value: Option<i32>) {
        let key = key(column, holder, side);
        match (self.0.binary_search_by_key(&key, |&(k, _)| k), value) {
            (Ok(at), Some(value)) => self.0[at].1 = value,
            (Ok(at), None) => {
                self.0.remove(at);
            }
            (Err(at), Some(value)) => self.0.insert(at, (key, value)),
            (Err(_), None) => {}
        }
    }

    pub(crate) fn reset(&mut self, column: ColumnId, side: Option<u8>) {
        self.0.retain(|&(k, _)| {
            k >> 24 != u64::from(column.0) || side.is_some_and(|side| k & 0xff != u64::from(side))
        });
    }

    /// The cells of a column as (holder, side, value), in order.
    pub(crate) fn of(&self, column: ColumnId) -> impl Iterator<Item = (u16, u8, i32)> + '_ {
        let from = self.0.partition_point(|&(k, _)| k >> 24 < u64::from(column.0));
        self.0[from..]
            .iter()
            .take_while(move |&&(k, _)| k >> 24 == u64::from(column.0))
            .map(|&(k, value)| ((k >> 8) as u16, k as u8, value))
    }
}

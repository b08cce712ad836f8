//! Checks of tables.

use std::collections::HashMap;

use adjutant_kernel::{TableId, WordId};

use super::Checking;
use crate::compile::{Numbers, table};
use crate::diagnostic::Diagnostic;
use crate::model::{Cell, Table};
use crate::read::{Name, Spanned};

impl Checking<'_> {
    pub(super) fn tables(&mut self) {
        let known = self.known;
        let mut words: HashMap<String, u16> = HashMap::new();
        for (name, table_here) in self.model.tables.iter() {
            let path = format!("tables/{}", name.value);
            self.source(table_here.source.as_ref(), name.span, &format!("the table `{}`", name.value), &path);
            for (_, (_, source)) in &table_here.cell_sources {
                self.source_text(source, &path);
            }
            self.modifiers(name, table_here, &path);
            for row in table_here.rows.values() {
                row.cells.iter().for_each(|cell| self.cell(cell, cell.span, &path));
            }
            let mut intern = |word: &str| {
                let next = words.len() as u16;
                WordId(*words.entry(word.to_owned()).or_insert(next))
            };
            let other = |name: &str| known.tables.find(name).map(|n| TableId(n as u16));
            let mut numbers = Numbers { word: &mut intern, table: &other };
            // A row that could not be read would be missed by every check.
            let whole = table_here.rows.names().count() == table_here.rows.len();
            if whole && let Err(found) = table(name, table_here, &mut numbers) {
                self.problems.extend(found.into_iter().map(|d| d.at(path.clone())));
            }
        }
    }

    fn cell(&mut self, cell: &Cell, span: crate::source::Span, path: &str) {
        match cell {
            Cell::Table(other) => {
                let known = self.known;
                known.tables.refer(&Spanned { span, value: other.clone() }, path, self);
            }
            Cell::Several(parts) => {
                if parts.iter().any(|p| matches!(p, Cell::Several(_) | Cell::Table(_))) {
                    let message = "several results in one cell are numbers, words and `None`";
                    self.push(Diagnostic::error("bad-table", span, message).at(path));
                }
            }
            Cell::None | Cell::Number(_) | Cell::Word(_) => {}
        }
    }

    fn modifiers(&mut self, name: &Name, table: &Table, path: &str) {
        for (n, modifier) in table.modifiers.iter().enumerate() {
            let path = format!("{path}/modifiers/{n}");
            self.rule(&modifier.rule, &path);
            let (die, shift) = (modifier.die.is_some(), modifier.shift.is_some());
            let wrong = if die == shift {
                Some("a modifier has either `die` or `shift`")
            } else if die && table.roll.is_none() {
                Some("this modifies a die, and the table has none")
            } else if shift && table.columns.is_none() {
                Some("this shifts columns, and the table has one")
            } else {
                None
            };
            if let Some(wrong) = wrong {
                self.push(Diagnostic::error("bad-table", modifier.span, wrong).at(path));
            }
        }
        let (low, high) = open_ends(table);
        let dies = || table.modifiers.iter().filter_map(|m| m.die);
        let whole = table.rows.names().count() == table.rows.len();
        let beyond = whole && (dies().any(|d| d < 0) && !low || dies().any(|d| d > 0) && !high);
        if beyond && table.row_ends.is_none() {
            let message = format!("modifiers can lead beyond the rows of table `{}`", name.value);
            let help = "say what happens then: `row_ends: (low: Clamp, high: Clamp)`, or open the row: `..2`";
            self.push(Diagnostic::error("bad-table", name.span, message).help(help).at(path));
        }
    }
}

/// Whether the first row goes down without end, and the last up.
fn open_ends(table: &Table) -> (bool, bool) {
    let headings: Vec<&str> = table.rows.iter().map(|(name, _)| name.value.trim()).collect();
    let first = headings.first().is_some_and(|h| h.starts_with(".."));
    (first, headings.last().is_some_and(|h| h.ends_with("..")))
}

//! Tables as the kernel's look-up charts.

use adjutant_kernel::tables::{self as kernel, TableBuilder};
use adjutant_kernel::{TableId, WordId};

use crate::diagnostic::Diagnostic;
use crate::model::{
    Axis, Beyond, Cell, CellOf, Edge, Favour, OddsParty, Row, Rows, Shifting, Table, Zero, ZeroAt,
};
use crate::read::{Name, Spanned};
use crate::source::Span;

/// How a table is compiled: what gives numbers to words and to other tables.
pub(crate) struct Numbers<'a> {
    pub(crate) word: &'a mut dyn FnMut(&str) -> WordId,
    pub(crate) table: &'a dyn Fn(&str) -> Option<TableId>,
}

/// Compiles a table.
///
/// # Errors
/// All that is wrong with it.
pub(crate) fn table(
    name: &Name,
    table: &Table,
    numbers: &mut Numbers<'_>,
) -> Result<kernel::Table, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let Some(source) = &table.source else { return Err(problems) };
    let mut builder = TableBuilder::new(&name.value, source.provenance());
    if let Some(roll) = &table.roll {
        match dice(roll) {
            Some(dice) => builder = builder.dice(dice),
            None => {
                let message = format!("`{}` are no dice", roll.value);
                let help = "write `1d6`, `2d6`, `1d10`, or `d66` for tens and units";
                problems.push(Diagnostic::error("bad-table", roll.span, message).help(help));
            }
        }
    }
    if let Some(columns) = &table.columns {
        builder = builder.columns(axis(columns, table.column_ends.as_ref(), numbers, &mut problems));
    }
    let headings: Vec<&Name> = table.rows.iter().map(|(name, _)| name).collect();
    builder = builder.rows(rows(table, &headings, numbers, &mut problems));
    builder = builder.column_order(order(&table.shifts, numbers)).die_order(order(&table.die_order, numbers));
    for kind in &table.cells {
        builder = builder.may_hold(match kind {
            CellOf::None => kernel::CellKind::None,
            CellOf::Number => kernel::CellKind::Number,
            CellOf::Word => kernel::CellKind::Word,
            CellOf::Several => kernel::CellKind::Several,
            CellOf::Table => kernel::CellKind::Table,
        });
    }
    for row in table.rows.values() {
        builder = builder.row(row.cells.iter().map(|c| cell(c, numbers)));
    }
    for (heading, (column, source)) in &table.cell_sources {
        match headings.iter().position(|h| h.value == heading.value) {
            Some(row) => builder = builder.cell_source(row, usize::from(*column), source.provenance()),
            None => {
                let message = format!("there is no row `{}`", heading.value);
                problems.push(Diagnostic::error("bad-table", heading.span, message));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    builder.build().map_err(|found| Told { name, table, headings: &headings }.all(found.0))
}

fn dice(text: &str) -> Option<kernel::Dice> {
    let (count, sides) = text.split_once('d')?;
    if count.is_empty() && sides.len() == 2 && sides.as_bytes()[0] == sides.as_bytes()[1] {
        let sides = sides[..1].parse().ok().filter(|s| (2..=9).contains(s))?;
        return Some(kernel::Dice::TensAndUnits { sides });
    }
    let count = if count.is_empty() { 1 } else { count.parse().ok()? };
    let dice = kernel::Dice::Sum { count, sides: sides.parse().ok()? };
    dice.is_valid().then_some(dice)
}

fn spans(headings: &[&Name], problems: &mut Vec<Diagnostic>) -> Vec<kernel::Span> {
    let read = |h: &&Name| match h.parse::<kernel::Span>() {
        Ok(span) => Some(span),
        Err(error) => {
            problems.push(Diagnostic::error("bad-table", h.span, error.to_string()).label("this heading"));
            None
        }
    };
    headings.iter().filter_map(read).collect()
}

fn ratio(text: &Name, problems: &mut Vec<Diagnostic>) -> Option<kernel::Ratio> {
    match text.parse() {
        Ok(ratio) => Some(ratio),
        Err(error) => {
            let error: kernel::BadHeading = error;
            problems.push(Diagnostic::error("bad-table", text.span, error.to_string()));
            None
        }
    }
}

fn axis(
    axis: &Axis,
    beyond: Option<&Beyond>,
    numbers: &mut Numbers<'_>,
    problems: &mut Vec<Diagnostic>,
) -> kernel::Axis {
    let ends = ends(beyond);
    let refs = |list: &'_ [Name]| -> Vec<Name> { list.to_vec() };
    match axis {
        Axis::Numbers(list) => {
            let list = refs(list);
            kernel::Axis::Numbers { spans: spans(&list.iter().collect::<Vec<_>>(), problems), ends }
        }
        Axis::Differences(list) => {
            let list = refs(list);
            kernel::Axis::Differences { spans: spans(&list.iter().collect::<Vec<_>>(), problems), ends }
        }
        Axis::Words(list) => kernel::Axis::Words(list.iter().map(|w| (numbers.word)(w)).collect()),
        Axis::Ratios(odds) => {
            let steps: Vec<&Name> = odds.steps.iter().collect();
            ratios(&steps, (&odds.first, &odds.rounding, &odds.zero), ends, problems)
        }
    }
}

/// Lines of odds.
fn ratios(
    steps: &[&Name],
    (first, rounding, zero): (&OddsParty, &Favour, &Zero),
    ends: kernel::Ends,
    problems: &mut Vec<Diagnostic>,
) -> kernel::Axis {
    let steps = steps.iter().filter_map(|s| ratio(s, problems)).collect();
    let mut at = |at: &ZeroAt| match at {
        ZeroAt::Lowest => kernel::AtZero::Lowest,
        ZeroAt::Highest => kernel::AtZero::Highest,
        ZeroAt::Refuse => kernel::AtZero::Refuse,
        ZeroAt::Line(line) => ratio(line, problems).map_or(kernel::AtZero::Refuse, kernel::AtZero::Line),
    };
    let zero =
        kernel::ZeroRule { attacker: at(&zero.attacker), defender: at(&zero.defender), both: at(&zero.both) };
    let first = match first {
        OddsParty::Attacker => kernel::Party::Attacker,
        OddsParty::Defender => kernel::Party::Defender,
    };
    let rounding = match rounding {
        Favour::DefendersFavour => kernel::Rounding::DefendersFavour,
        Favour::Down => kernel::Rounding::Down,
        Favour::Up => kernel::Rounding::Up,
        Favour::Nearest => kernel::Rounding::Nearest,
        Favour::TowardsEven => kernel::Rounding::TowardsEven,
    };
    kernel::Axis::Ratios(kernel::Ratios { steps, first, rounding, zero, ends })
}

fn rows(
    table: &Table,
    headings: &[&Name],
    numbers: &mut Numbers<'_>,
    problems: &mut Vec<Diagnostic>,
) -> kernel::Axis {
    let ends = ends(table.row_ends.as_ref());
    let numeric = || headings.iter().all(|h| h.parse::<kernel::Span>().is_ok());
    let words = |numbers: &mut Numbers<'_>| headings.iter().map(|w| (numbers.word)(w)).collect();
    match &table.rows_are {
        Some(Rows::Ratios(odds)) => {
            ratios(headings, (&odds.first, &odds.rounding, &odds.zero), ends, problems)
        }
        Some(Rows::Numbers) => kernel::Axis::Numbers { spans: spans(headings, problems), ends },
        Some(Rows::Differences) => kernel::Axis::Differences { spans: spans(headings, problems), ends },
        Some(Rows::Words) => kernel::Axis::Words(words(numbers)),
        None if table.roll.is_some() || numeric() => {
            kernel::Axis::Numbers { spans: spans(headings, problems), ends }
        }
        None => kernel::Axis::Words(words(numbers)),
    }
}

fn ends(beyond: Option<&Beyond>) -> kernel::Ends {
    let end = |edge: &Edge| match edge {
        Edge::Clamp => kernel::End::Clamp,
        Edge::Refuse => kernel::End::Refuse,
    };
    match beyond {
        Some(beyond) => kernel::Ends { low: end(&beyond.low), high: end(&beyond.high) },
        None => kernel::Ends::REFUSE,
    }
}

fn order(shifting: &Shifting, numbers: &mut Numbers<'_>) -> kernel::Order {
    match shifting {
        Shifting::Netted => kernel::Order::netted(),
        Shifting::LeftThenRight => kernel::Order::left_then_right(),
        Shifting::LeftThenRightThen(last) => kernel::Order::left_then_right_then((numbers.word)(last)),
        Shifting::NettedThen(last) => kernel::Order::netted_then((numbers.word)(last)),
    }
}

fn cell(cell: &Cell, numbers: &mut Numbers<'_>) -> kernel::Cell {
    match cell {
        Cell::None => kernel::Cell::None,
        Cell::Number(number) => kernel::Cell::Number(*number),
        Cell::Word(word) => kernel::Cell::Word((numbers.word)(word)),
        Cell::Table(name) => (numbers.table)(name).map_or(kernel::Cell::None, kernel::Cell::Table),
        Cell::Several(parts) => {
            let part = |part: &Cell| match part {
                Cell::Number(number) => kernel::Part::Number(*number),
                Cell::Word(word) => kernel::Part::Word((numbers.word)(word)),
                Cell::None | Cell::Several(_) | Cell::Table(_) => kernel::Part::None,
            };
            let parts: Vec<kernel::Part> = parts.iter().map(part).collect();
            kernel::Parts::new(&parts).map_or(kernel::Cell::None, kernel::Cell::Several)
        }
    }
}

/// The kernel's problems of a table, told with places.
struct Told<'a> {
    name: &'a Name,
    table: &'a Table,
    headings: &'a [&'a Name],
}

impl Told<'_> {
    fn all(&self, found: Vec<kernel::Problem>) -> Vec<Diagnostic> {
        let mut rolls: Vec<i32> = Vec::new();
        let mut out = Vec::new();
        for problem in found {
            if let kernel::Problem::RollWithoutRow { roll } = problem {
                rolls.push(roll);
                continue;
            }
            let (span, message) = self.one(&problem);
            out.push(Diagnostic::error("bad-table", span, format!("table `{}`: {message}", self.name.value)));
        }
        if !rolls.is_empty() {
            let roll = self.table.roll.as_ref();
            let list = rolls.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
            let (what, have) = if rolls.len() == 1 { ("roll", "has") } else { ("rolls", "have") };
            let message = format!("table `{}`: the {what} {list} {have} no row", self.name.value);
            let span = roll.map_or(self.name.span, |r| r.span);
            out.push(
                Diagnostic::error("bad-table", span, message).help("add a row, or widen one of those there"),
            );
        }
        out
    }

    fn row(&self, row: usize) -> (Span, &str) {
        match self.headings.get(row) {
            Some(heading) => (heading.span, heading.value.as_str()),
            None => (self.name.span, "?"),
        }
    }

    fn heading(&self, axis: kernel::Which, span: kernel::Span) -> Span {
        let named = |h: &&Name| h.parse::<kernel::Span>() == Ok(span);
        let columns = match (&self.table.columns, axis) {
            (Some(Axis::Numbers(list) | Axis::Differences(list)), kernel::Which::Column) => {
                list.iter().collect::<Vec<_>>()
            }
            _ => self.headings.to_vec(),
        };
        columns.iter().find(|h| named(h)).map_or(self.name.span, |h| h.span)
    }

    fn one(&self, problem: &kernel::Problem) -> (Span, String) {
        use kernel::Problem;
        let whole = (self.name.span, problem.to_string());
        match problem {
            Problem::RowLength { row, expected, found } => {
                let (_, heading) = self.row(*row);
                let span = self.table.rows.values().nth(*row).map_or(self.name.span, |r: &Row| r.span);
                (span, format!("row `{heading}` has {found} cells; the table has {expected} columns"))
            }
            Problem::CellKind { row, column, kind } => {
                let (_, heading) = self.row(*row);
                let cell: Option<&Spanned<Cell>> =
                    self.table.rows.values().nth(*row).and_then(|r| r.cells.get(*column));
                let kind = format!("{kind:?}").to_lowercase();
                let text = format!("a cell of row `{heading}` is a {kind}, which `cells` does not allow");
                (cell.map_or(self.name.span, |c| c.span), text)
            }
            Problem::Overlap { axis, span, .. }
            | Problem::Gap { axis, span, .. }
            | Problem::Backwards { axis, span } => (self.heading(*axis, *span), whole.1),
            Problem::DuplicateWord { axis: kernel::Which::Column, line, .. } => {
                let heading = match &self.table.columns {
                    Some(Axis::Words(words)) => words.get(*line),
                    _ => None,
                };
                match heading {
                    Some(heading) => (heading.span, format!("the column `{}` is there twice", heading.value)),
                    None => whole,
                }
            }
            Problem::RatioOrder { ratio, .. } | Problem::RatioOfZero { ratio, .. } => {
                let steps = match &self.table.columns {
                    Some(Axis::Ratios(odds)) => odds.steps.as_slice(),
                    _ => &[],
                };
                let step = steps.iter().find(|s| s.value == ratio.to_string());
                (step.map_or(self.name.span, |s| s.span), whole.1)
            }
            Problem::Dice { .. } | Problem::DiceWithoutRows => {
                (self.table.roll.as_ref().map_or(self.name.span, |r| r.span), whole.1)
            }
            _ => whole,
        }
    }
}

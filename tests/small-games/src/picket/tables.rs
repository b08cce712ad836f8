//! The tables.

use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::tables::{
    AtZero, Axis, Cell, Dice, Ends, Entry, Order, Party, Ratios, Rounding, Span, Table, TableBuilder,
    Working, ZeroRule,
};
use adjutant_kernel::{Cx, Halt, RulebookBuilder, TableId, WordId};

use super::{Picket, Words};

/// The tables by number.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) rain: TableId,
    pub(crate) straggle: TableId,
    pub(crate) probe: TableId,
    pub(crate) fight: TableId,
    pub(crate) arrears: TableId,
    pub(crate) levy: TableId,
    pub(crate) hesitation: TableId,
}

fn table(name: &str) -> TableBuilder {
    TableBuilder::new(name, Provenance::Reconstructed("made up for the test".into()))
}

fn die() -> Axis {
    Axis::Numbers { spans: (1..=6).map(Span::exactly).collect(), ends: Ends::CLAMP }
}

/// Declares every table; a fault in one is a problem of the rulebook.
pub(super) fn declare(rb: &mut RulebookBuilder, w: &Words) -> Tables {
    let mut add = |name: &str, builder: TableBuilder| match builder.build() {
        Ok(table) => rb.table(name, table),
        Err(problems) => {
            rb.problem(format!("table `{name}`: {problems}"));
            TableId(0)
        }
    };
    Tables {
        rain: add("rain", rain(w)),
        straggle: add("straggle", straggle(w)),
        probe: add("probe", probe()),
        fight: add("fight", fight(w)),
        arrears: add("arrears", arrears(w)),
        levy: add("levy", table("levy").row([Cell::None])),
        hesitation: add("hesitation", hesitation(w)),
    }
}

/// pl:5.a
fn rain(w: &Words) -> TableBuilder {
    let rows = table("rain").dice(Dice::one(6)).rows(die());
    (1..=6).fold(rows, |rows, n| rows.row([if n == 6 { Cell::Word(w.high) } else { Cell::None }]))
}

/// pl:7.f; clamped to 1..6.
fn straggle(w: &Words) -> TableBuilder {
    let columns = Axis::Words(vec![w.foot, w.other]);
    let rows = table("straggle").dice(Dice::one(6)).columns(columns).rows(die());
    (1..=6)
        .fold(rows, |rows, n| rows.row([if n >= 5 { Cell::Word(w.weary) } else { Cell::None }, Cell::None]))
}

/// pl:9.c; the column is the strength of the horse less that of the blockers.
fn probe() -> TableBuilder {
    let spans = vec![Span::at_most(-1), Span::exactly(0), Span::exactly(1), Span::at_least(2)];
    let columns = Axis::Differences { spans, ends: Ends::CLAMP };
    let rows = table("probe").dice(Dice::one(6)).columns(columns).rows(die());
    [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 2], [1, 1, 2, 2], [1, 2, 2, 3], [2, 2, 3, 3]]
        .into_iter()
        .fold(rows, TableBuilder::row)
}

/// pl:10.h; odds rounded down for the defender, shifts left, right, last.
fn fight(w: &Words) -> TableBuilder {
    let steps = [(1, 2), (1, 1), (3, 2), (2, 1), (3, 1)];
    let columns = Axis::Ratios(Ratios {
        steps: steps.map(|(a, d)| adjutant_kernel::tables::Ratio::new(a, d)).into(),
        first: Party::Attacker,
        rounding: Rounding::DefendersFavour,
        zero: ZeroRule { attacker: AtZero::Lowest, defender: AtZero::Highest, both: AtZero::Lowest },
        ends: Ends::CLAMP,
    });
    let (a1, ar, ex, dr, d1) = (w.a1, w.ar, w.ex, w.dr, w.d1);
    let builder = table("fight")
        .dice(Dice::one(6))
        .columns(columns)
        .rows(die())
        .column_order(Order::left_then_right_then(w.last));
    [
        [a1, a1, a1, ar, ex],
        [a1, ar, ar, ex, dr],
        [ar, ar, ex, dr, dr],
        [ar, ex, dr, dr, d1],
        [ex, dr, dr, d1, d1],
        [dr, dr, d1, d1, d1],
    ]
    .into_iter()
    .fold(builder, |rows, row: [WordId; 5]| rows.row(row.map(Cell::Word)))
}

/// pl:12.c
fn arrears(w: &Words) -> TableBuilder {
    let columns = Axis::Words(vec![w.north, w.south]);
    let rows = table("arrears").dice(Dice::one(6)).columns(columns).rows(die());
    (1..=6).fold(rows, |rows, n| rows.row([1, if n > 3 { 2 } else { 1 }]))
}

/// pl:13.b
fn hesitation(w: &Words) -> TableBuilder {
    let rows = table("hesitation").dice(Dice::one(6)).rows(die());
    (1..=6).fold(rows, |rows, n| rows.row([if n == 1 { Cell::Word(w.falters) } else { Cell::None }]))
}

impl Picket {
    /// The table with a number.
    pub(crate) fn table<'a>(&self, cx: &Cx<'a>, table: TableId) -> &'a Table {
        cx.rulebook().table(table)
    }

    /// Looks a table up.
    pub(crate) fn look_up(&self, cx: &Cx<'_>, table: TableId, entry: &Entry<'_>) -> Result<Working, Halt> {
        let table = self.table(cx, table);
        table.look_up(entry).map_err(|error| cx.fault(table.explain(&error, cx.rulebook())))
    }
}

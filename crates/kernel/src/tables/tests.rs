//! Whole tables, as a title would declare them.

use super::*;
use crate::chance::{ChanceCache, Key};
use crate::{RuleId, TableId, WordId};

const RESULTS: [&str; 6] = ["A1", "AR", "EX", "DR", "D1", "-"];
const LAST: WordId = WordId(90);

fn printed() -> Provenance {
    Provenance::Printed("made up for the test".into())
}

fn word(text: &str) -> WordId {
    WordId(RESULTS.iter().position(|result| *result == text).unwrap() as u16)
}

fn numbers(spans: &[&str], ends: Ends) -> Axis {
    Axis::Numbers { spans: spans.iter().map(|span| span.parse().unwrap()).collect(), ends }
}

fn shift(rule: u16, value: i32, stage: u8) -> Contribution {
    Contribution { rule: RuleId(rule), value, stage }
}

/// The fight table of a small game: odds rounded for the defender, shifts left, right, last, clamped each.
fn fight() -> Table {
    let steps = ["1:2", "1:1", "3:2", "2:1", "3:1"].map(|step| step.parse().unwrap());
    let columns = Axis::Ratios(Ratios {
        steps: steps.into(),
        first: Party::Attacker,
        rounding: Rounding::DefendersFavour,
        zero: ZeroRule { attacker: AtZero::Lowest, defender: AtZero::Highest, both: AtZero::Lowest },
        ends: Ends::CLAMP,
    });
    let mut builder = TableBuilder::new("fight", printed())
        .dice(Dice::one(6))
        .columns(columns)
        .rows(numbers(&["1", "2", "3", "4", "5", "6"], Ends::REFUSE))
        .column_order(Order::left_then_right_then(LAST))
        .may_hold(CellKind::Word);
    for row in [
        "A1 A1 A1 AR EX",
        "A1 AR AR EX DR",
        "AR AR EX DR DR",
        "AR EX DR DR D1",
        "EX DR DR D1 D1",
        "DR DR D1 D1 D1",
    ] {
        builder = builder.row(row.split(' ').map(word));
    }
    builder.build().unwrap()
}

fn fight_at(attacker: i32, defender: i32, die: u16, shifts: &[Contribution]) -> Working {
    let dice = Faces::new(&[die]).unwrap();
    let column = Input::Pair { attacker, defender };
    fight().look_up(&Entry { column, dice, shifts, ..Entry::default() }).unwrap()
}

/// Every strength, shift and die against the rule written out by hand.
#[test]
fn the_whole_fight_table() {
    let table = fight();
    let columns = [
        ["A1", "A1", "AR", "AR", "EX", "DR"],
        ["A1", "AR", "AR", "EX", "DR", "DR"],
        ["A1", "AR", "EX", "DR", "DR", "D1"],
        ["AR", "EX", "DR", "DR", "D1", "D1"],
        ["EX", "DR", "DR", "D1", "D1", "D1"],
    ];
    for (x, y) in (0..14).flat_map(|x| (0..14).map(move |y| (x, y))) {
        let start = match () {
            () if x == 0 => 0,
            () if y == 0 || x >= 3 * y => 4,
            () if x >= 2 * y => 3,
            () if 2 * x >= 3 * y => 2,
            () if x >= y => 1,
            () => 0,
        };
        for (left, right, last) in
            [(0, 0, 0), (1, 0, 0), (2, 1, 0), (0, 1, 1), (2, 2, -1), (0, 3, -1), (9, 0, 9)]
        {
            let end = (start - left).max(0) + right;
            let end = (end.min(4) + last).clamp(0, 4);
            let shifts = [shift(3, last, 2), shift(1, -left, 0), shift(2, right, 1)];
            for die in 1..=6u16 {
                let working = table
                    .look_up(&Entry {
                        column: Input::Pair { attacker: x, defender: y },
                        dice: Faces::new(&[die]).unwrap(),
                        shifts: &shifts,
                        ..Entry::default()
                    })
                    .unwrap();
                assert_eq!((working.column.start, working.column.end), (start as u16, end as u16));
                let expected = columns[end as usize][usize::from(die) - 1];
                assert_eq!(working.result, Cell::Word(word(expected)), "{x}:{y} {shifts:?} {die}");
            }
        }
    }
}

/// The working says all that a log needs.
#[test]
fn the_working_can_be_printed() {
    let table = fight();
    let working = fight_at(4, 2, 5, &[shift(13, 1, 2), shift(10, -1, 0), shift(11, -1, 0)]);
    let heading = |column: u16| table.columns().heading(column.into()).unwrap();
    let shifts: Vec<String> =
        working.column.shifts.iter().map(|s| format!("{:+} (rule {})", s.amount, s.rule.0)).collect();
    let text = format!(
        "{} {:?}: {}, {}, so {}; rolled {}: {}",
        table.name(),
        working.column.input,
        heading(working.column.start),
        shifts.join(", "),
        heading(working.column.end),
        working.row.rolled.unwrap(),
        RESULTS[working.result.word().unwrap().index()],
    );
    assert_eq!(
        text,
        "fight Pair { attacker: 4, defender: 2 }: 2:1, -1 (rule 10), -1 (rule 11), +1 (rule 13), so 3:2; \
         rolled 5: DR"
    );
    let saved = postcard::to_allocvec(&working).unwrap();
    assert_eq!(postcard::from_bytes::<Working>(&saved).unwrap(), working);
}

#[test]
fn die_modifiers_are_clamped_to_the_rows() {
    let straggle = TableBuilder::new("straggle", printed())
        .dice(Dice::one(6))
        .columns(Axis::Words(vec![WordId(20), WordId(21)]))
        .rows(numbers(&["1..4", "5..6"], Ends::CLAMP))
        .row([Cell::None, Cell::None])
        .row([Cell::Word(WordId(30)), Cell::None])
        .build()
        .unwrap();
    let look = |die, modifiers: &[Contribution]| {
        let (column, dice) = (Input::Word(WordId(20)), Faces::new(&[die]).unwrap());
        let working = straggle.look_up(&Entry { column, dice, modifiers, ..Entry::default() }).unwrap();
        (working.row.rolled.unwrap(), working.row.modified.unwrap(), working.result)
    };
    let weary = Cell::Word(WordId(30));
    assert_eq!(look(5, &[shift(1, -1, 0)]), (5, 4, Cell::None));
    assert_eq!(look(6, &[shift(1, 1, 0)]), (6, 6, weary));
    assert_eq!(look(1, &[shift(1, -1, 0)]), (1, 1, Cell::None));
    assert_eq!(look(4, &[shift(1, 1, 0), shift(2, 1, 0), shift(3, -1, 0)]), (4, 5, weary));
    let strange =
        Entry { column: Input::Word(WordId(22)), dice: Faces::new(&[1]).unwrap(), ..Entry::default() };
    let unknown = LookUpError::UnknownWord { axis: Which::Column, word: WordId(22) };
    assert_eq!(straggle.look_up(&strange), Err(unknown));
}

#[test]
fn open_rows_take_any_modified_roll_and_refused_ends_do_not() {
    let table = |spans: &[&str], ends| {
        TableBuilder::new("t", printed())
            .dice(Dice::Sum { count: 2, sides: 6 })
            .rows(numbers(spans, ends))
            .row([1])
            .row([2])
            .build()
            .unwrap()
    };
    let look = |table: &Table, modifier| {
        let (dice, modifiers) = (Faces::new(&[6, 6]).unwrap(), &[shift(1, modifier, 0)]);
        table.look_up(&Entry { dice, modifiers, ..Entry::default() }).map(|w| (w.row.modified, w.result))
    };
    let open = table(&["..7", "8.."], Ends::REFUSE);
    assert_eq!(look(&open, 5), Ok((Some(17), Cell::Number(2))));
    assert_eq!(look(&open, -20), Ok((Some(-8), Cell::Number(1))));
    let closed = table(&["2..7", "8..12"], Ends::REFUSE);
    assert_eq!(look(&closed, 1), Err(LookUpError::Above { axis: Which::Row }));
    assert_eq!(look(&closed, i32::MIN), Err(LookUpError::Below { axis: Which::Row }));
}

#[test]
fn tens_and_units() {
    let events = |ends| {
        TableBuilder::new("events", printed())
            .dice(Dice::TensAndUnits { sides: 6 })
            .rows(numbers(&["11..16", "21..36", "41..66"], ends))
            .row([Cell::None])
            .row([Cell::Table(TableId(3))])
            .row([Cell::Number(5)])
            .build()
            .unwrap()
    };
    let look = |table: &Table, faces: &[u16], modifier| {
        let (dice, modifiers) = (Faces::new(faces).unwrap(), &[shift(1, modifier, 0)]);
        table
            .look_up(&Entry { dice, modifiers, ..Entry::default() })
            .map(|w| (w.row.modified.unwrap(), w.result))
    };
    let clamped = events(Ends::CLAMP);
    assert_eq!(look(&clamped, &[1, 6], 1), Ok((21, Cell::Table(TableId(3)))));
    assert_eq!(look(&clamped, &[6, 6], 1), Ok((66, Cell::Number(5))));
    assert_eq!(look(&clamped, &[1, 1], i32::MIN), Ok((11, Cell::None)));
    let refused = events(Ends::REFUSE);
    assert_eq!(look(&refused, &[6, 6], i32::MAX), Err(LookUpError::Above { axis: Which::Row }));
    assert_eq!(look(&refused, &[1, 1], -1), Err(LookUpError::Below { axis: Which::Row }));
}

/// A table without dice: the level is the row, a cell is the losses of either side.
#[test]
fn rows_by_level_and_two_results_in_a_cell() {
    let losses = |a: i32, d: Option<i32>| {
        Cell::Several(Parts::new(&[Part::Number(a), d.map_or(Part::None, Part::Number)]).unwrap())
    };
    let table = TableBuilder::new("losses", printed())
        .columns(numbers(&["..2", "3.."], Ends::CLAMP))
        .rows(numbers(&["1", "2"], Ends { low: End::Refuse, high: End::Clamp }))
        .row([losses(1, None), losses(1, Some(1))])
        .row([losses(2, None), losses(2, Some(2))])
        .may_hold(CellKind::Several)
        .cell_source(1, 1, Provenance::Reconstructed("cut off in print".into()))
        .build()
        .unwrap();
    let (column, row) = (Input::Number(2), Input::Number(4));
    let entry = Entry { column, row, shifts: &[shift(1, 1, 0)], ..Entry::default() };
    assert_eq!(table.look_up(&entry).unwrap().result, losses(2, Some(2)));
    let below = table.look_up(&Entry { row: Input::Number(0), ..entry });
    assert_eq!(below, Err(LookUpError::Below { axis: Which::Row }));
    let modified = table.look_up(&Entry { modifiers: &[shift(1, 1, 0)], ..entry });
    assert_eq!(modified, Err(LookUpError::NoDice { rule: RuleId(1) }));
    let faces = Faces::new(&[1]).unwrap();
    let thrown = table.look_up(&Entry { dice: faces, ..entry });
    assert_eq!(thrown, Err(LookUpError::WrongDice { dice: Dice::None, faces }));
    assert_eq!((table.cell_provenance(0, 0), table.cell(1, 1)), (&printed(), Some(losses(2, Some(2)))));
    assert_eq!(table.cell_provenance(1, 1).text(), "cut off in print");
    assert_eq!((table.cell(0, 2), table.cell(2, 0)), (None, None));
}

#[test]
fn all_problems_are_told_at_once() {
    let ratio = |text: &str| -> Ratio { text.parse().unwrap() };
    let columns = Axis::Ratios(Ratios {
        steps: vec![ratio("1:1"), ratio("2:2"), ratio("3:0")],
        first: Party::Attacker,
        rounding: Rounding::Down,
        zero: ZeroRule {
            attacker: AtZero::Line(ratio("1:9")),
            defender: AtZero::Refuse,
            both: AtZero::Refuse,
        },
        ends: Ends::CLAMP,
    });
    let stage = Stage { name: Some(LAST), ..Stage::new(Direction::Left) };
    let problems = TableBuilder::new("t", Provenance::Derived(" ".into()))
        .dice(Dice::one(6))
        .columns(columns)
        .rows(numbers(&["1..3", "3", "6..5", "9"], Ends::CLAMP))
        .column_order(Order::new([stage, stage], Clamping::AtEnd))
        .die_order(Order::new([], Clamping::AtEnd))
        .may_hold(CellKind::Number)
        .row([1, 2])
        .row([Cell::None, Cell::Number(1), Cell::Number(1)])
        .cell_source(0, 3, printed())
        .build()
        .unwrap_err()
        .0;
    let [rows, columns] = [Which::Row, Which::Column];
    let span = |text: &str| -> Span { text.parse().unwrap() };
    assert_eq!(
        problems,
        [
            Problem::RatioOfZero { axis: columns, ratio: ratio("3:0") },
            Problem::RatioOrder { axis: columns, before: ratio("1:1"), ratio: ratio("2:2") },
            Problem::UnknownZeroLine { axis: columns, ratio: ratio("1:9") },
            Problem::Backwards { axis: rows, span: span("6..5") },
            Problem::Overlap { axis: rows, before: span("1..3"), span: span("3") },
            Problem::Gap { axis: rows, before: span("3"), span: span("6..5") },
            Problem::Gap { axis: rows, before: span("6..5"), span: span("9") },
            Problem::RollWithoutRow { roll: 4 },
            Problem::RollWithoutRow { roll: 5 },
            Problem::RollWithoutRow { roll: 6 },
            Problem::DuplicateStage { axis: columns, name: LAST },
            Problem::StageCount { axis: rows, count: 0 },
            Problem::RowCount { expected: 4, found: 2 },
            Problem::RowLength { row: 0, expected: 3, found: 2 },
            Problem::CellKind { row: 1, column: 0, kind: CellKind::None },
            Problem::NoSource,
            Problem::SourceOfNothing { row: 0, column: 3 },
        ]
    );
    let nothing = TableBuilder::new("t", printed())
        .dice(Dice::one(0))
        .columns(Axis::Words(vec![WordId(1), WordId(1)]))
        .rows(Axis::Words(vec![]))
        .build();
    let text = nothing.unwrap_err().to_string();
    assert!(
        text.starts_with("column 1 repeats the name WordId(1); 0 rows; a table has 1 to 65535"),
        "{text}"
    );
    assert!(
        text.contains("must be ranges of numbers") && text.contains("no dice that can be thrown"),
        "{text}"
    );
}

/// From the key to the result: what a draw does.
#[test]
fn a_draw_from_the_key() {
    let table = fight();
    let (mut cache, key) = (ChanceCache::new(), Key::from_seed(1862));
    let faces: Vec<u16> = (0..8).map(|i| table.dice().throw(cache.word(&key, 0, i))[0]).collect();
    assert_eq!(faces, [6, 3, 4, 5, 1, 3, 4, 5]);
}

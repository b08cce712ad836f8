//! A rulebook that cannot be built says why, all at once, and never panics (invariant 12).

#![allow(clippy::unwrap_used, reason = "tests may")]

use std::sync::Arc;

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::flow::{Item, Threshold};
use adjutant_kernel::knowledge::{Hideout, QuestionKind};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::points::{Attachment, Contribute, Filter, PointDef, RunsOn};
use adjutant_kernel::rulebook::{
    AttributeClass, ColumnClass, FieldKind, Level, LevelCondition, LevelRule, Onlooker, Placing, ScenarioDef,
    SeatRole, Standing, StartCell, ValueKind,
};
use adjutant_kernel::*;

#[derive(Default, Locals)]
struct Nothing {
    step: u8,
}

impl Procedure for Nothing {
    type Module = ();

    fn run(&mut self, (): &(), _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::Done)
    }
}

/// A rulebook of two sides on two areas that can be built.
struct Sound {
    rb: RulebookBuilder,
    side: SideId,
    rule: RuleId,
    nothing: flow::ProcRef<Nothing>,
}

fn sound() -> Sound {
    let mut board = BoardBuilder::new("field", Provenance::printed("map"));
    board.space("hill").space("mill").network("land").link(LinkSpec::new("hill", "mill", "land"));
    let mut rb = RulebookBuilder::new("builder", "1", board.build().unwrap());
    let side = rb.side("blue");
    rb.side("red");
    rb.seat("blue", Some(side), SeatRole::Player);
    let rule = rb.rule("x:1");
    let nothing = rb.proc::<Nothing>("nothing");
    rb.define(nothing, &Arc::new(()));
    rb.opening(nothing.with(Nothing::default()));
    Sound { rb, side, rule, nothing }
}

fn problems(rb: RulebookBuilder) -> Vec<String> {
    rb.build().err().map_or_else(Vec::new, |bad| bad.problems)
}

/// The id that a declaration gives is of no use here.
fn done<T>(_: T) {}

/// What the builder says when this is done to a sound rulebook.
fn spoilt(spoil: impl FnOnce(&mut Sound)) -> String {
    let mut sound = sound();
    spoil(&mut sound);
    problems(sound.rb).join("\n")
}

#[track_caller]
fn says(text: &str, spoil: impl FnOnce(&mut Sound)) {
    let said = spoilt(spoil);
    assert!(said.contains(text), "expected `{text}` in:\n{said}");
}

#[test]
fn a_sound_rulebook_is_built() {
    assert_eq!(problems(sound().rb), Vec::<String>::new());
}

#[test]
fn more_things_than_numbers_are_reported() {
    says("there are 258 sides; 1 to 14", |s| (0..256).for_each(|n| done(s.rb.side(&format!("s{n}")))));
    says("there are 301 seats; 0 to 32", |s| {
        (0..300).for_each(|n| done(s.rb.seat(&format!("s{n}"), Some(s.side), SeatRole::Player)));
    });
    says("there are 300 options; 0 to 64", |s| {
        (0..300).for_each(|n| done(s.rb.option(&format!("o{n}"), &[])));
    });
    says("there are 300 decks; 0 to 256", |s| {
        let decks: Vec<_> = (0..300).map(|n| s.rb.deck(&format!("d{n}"), s.side)).collect();
        s.rb.piece("general", Some(s.side), "unit", Some(decks[299]), &[]);
    });
    says("there are 70000 pieces", |s| {
        (0..70_000).for_each(|n| done(s.rb.piece(&format!("p{n}"), None, "unit", None, &[])));
        s.rb.piece_set("all", |_, _| true);
    });
    says("rule points; 0 to 65535", |s| {
        for n in 0..66_000 {
            let (runs_on, combine) = (RunsOn::Both, Combine::Sum);
            s.rb.point(PointDef { name: format!("p{n}"), runs_on, combine, start: 0, rules: Vec::new() });
        }
    });
    says(" words; 0 to 65535", |s| (0..66_000).for_each(|n| done(s.rb.word(&format!("w{n}")))));
    says(" rule ids; 0 to 65535", |s| (0..66_000).for_each(|n| done(s.rb.rule(&format!("x:{n}")))));
    says("steps of the sequence of play; 0 to 65535", |s| {
        let moment = s.rb.moment("now");
        s.rb.sequence(&vec![Item::Moment(moment); 66_000]);
    });
}

#[test]
fn names_are_given_and_distinct() {
    for (text, spoil) in [
        ("side `red` is declared twice", (|s| done(s.rb.side("red"))) as fn(&mut Sound)),
        ("a side has an empty name", |s| done(s.rb.side(""))),
        ("seat `blue` is declared twice", |s| done(s.rb.seat("blue", Some(s.side), SeatRole::Player))),
        ("the name \"gr\\neen\" of a side has a line break", |s| done(s.rb.side("gr\neen"))),
        ("a seat has an empty name", |s| done(s.rb.seat(" ", Some(s.side), SeatRole::Player))),
        ("deck `d` is declared twice", |s| done((s.rb.deck("d", s.side), s.rb.deck("d", s.side)))),
        ("piece set `p` is declared twice", |s| {
            done((s.rb.piece_set("p", |_, _| true), s.rb.piece_set("p", |_, _| false)));
        }),
        ("a piece has an empty name", |s| done(s.rb.piece("", None, "unit", None, &[]))),
        ("a word has an empty name", |s| done(s.rb.piece("p", None, "", None, &[]))),
        ("a rule id has an empty name", |s| done(s.rb.rule(""))),
        ("option `o` is declared twice", |s| done((s.rb.option("o", &[]), s.rb.option("o", &[])))),
        ("an option has an empty name", |s| done(s.rb.option("", &[]))),
        ("procedure `nothing` is declared twice", |s| {
            let again = s.rb.proc::<Nothing>("nothing");
            s.rb.define(again, &Arc::new(()));
        }),
        ("scenario `s` is declared twice", |s| {
            s.rb.scenario(ScenarioDef::new("s"));
            s.rb.scenario(ScenarioDef::new("s"));
        }),
        ("field `who` of relation `r` is declared twice", |s| {
            let fields = [("who", FieldKind::Side), ("who", FieldKind::Body)];
            s.rb.relation("r", &fields, 3, ColumnClass::Public);
        }),
        ("a field of relation `r` has an empty name", |s| {
            s.rb.relation("r", &[("", FieldKind::Side)], 3, ColumnClass::Public);
        }),
        ("value `calm` of column `sea` is declared twice", |s| {
            let calm = s.rb.word("calm");
            let kind = ValueKind::Choice(vec![calm, calm]);
            s.rb.column::<()>("sea", kind, 0, ColumnClass::Public);
        }),
        ("value `calm` of attribute `sea` is declared twice", |s| {
            let calm = s.rb.word("calm");
            s.rb.attribute("sea", ValueKind::Choice(vec![calm, calm]), AttributeClass::Public);
        }),
        ("choice `left` of column `turned` is declared twice", |s| {
            let left = s.rb.word("left");
            let column =
                s.rb.column::<rulebook::ChoiceIndex>("turned", ValueKind::Flag, 0, ColumnClass::Public);
            s.rb.choices(column, &[left, left]);
        }),
    ] {
        says(text, spoil);
    }
}

#[derive(Locals)]
struct Silent {
    #[local(class = "owner")]
    plan: bool,
}

impl Procedure for Silent {
    type Module = ();

    fn run(&mut self, (): &(), _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::Done)
    }
}

#[derive(Locals)]
struct Guessing {
    #[local(class = "hidden")]
    plan: bool,
    #[local(class = "sides")]
    targets: [Option<SpaceId>; 2],
}

impl Procedure for Guessing {
    type Module = ();

    const IMAGINE: Imagine<Self> = Imagine::Drawn;

    fn run(&mut self, (): &(), _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::Done)
    }
}

/// A bot that imagines a position must have something to put in the place of every secret.
#[test]
fn whoever_hides_a_local_says_how_it_is_imagined() {
    says("procedure `p` hides its local `plan` and does not say what others imagine in its place", |s| {
        let silent = s.rb.proc::<Silent>("p");
        s.rb.define(silent, &Arc::new(()));
    });
    says(
        "procedure `p` has its local `targets` drawn, which is 2 times a space or none; flags and choices can be",
        |s| {
            let guessing = s.rb.proc::<Guessing>("p");
            s.rb.define(guessing, &Arc::new(()));
        },
    );
}

/// Ids of another, larger rulebook.
const NO_SIDE: SideId = SideId(200);
const NO_RULE: RuleId = RuleId(900);
const NO_WORD: WordId = WordId(9000);
const NO_OPTION: OptionId = OptionId(99);
const NO_PLACE: PlaceId = PlaceId(77);

fn column_of_another() -> rulebook::Column<()> {
    let mut other = sound().rb;
    let column = |n| other.column::<()>(&format!("c{n}"), ValueKind::Flag, 0, ColumnClass::Public);
    (0..9).map(column).last().unwrap()
}

fn level(s: &Sound) -> LevelRule {
    LevelRule {
        decks: Vec::new(),
        places: Vec::new(),
        onlooker: Onlooker::Anyone,
        when: LevelCondition::default(),
        level: Level::Order,
        rule: s.rule,
    }
}

#[test]
fn ids_that_nothing_has_are_reported() {
    for (text, spoil) in [
        (
            "seat `x` names side number 200",
            (|s| done(s.rb.seat("x", Some(NO_SIDE), SeatRole::Player))) as fn(&mut Sound),
        ),
        ("deck `d` names side number 200", |s| done(s.rb.deck("d", NO_SIDE))),
        ("piece `p` names side number 200", |s| done(s.rb.piece("p", Some(NO_SIDE), "unit", None, &[]))),
        ("piece `p` names deck number 7", |s| {
            done(s.rb.piece("p", Some(s.side), "unit", Some(DeckId(7)), &[]));
        }),
        ("piece `p` is not of the side of its deck", |s| {
            let deck = s.rb.deck("d", s.side);
            s.rb.piece("p", None, "unit", Some(deck), &[]);
        }),
        ("piece `p` has 2 values; 0 attributes", |s| {
            done(s.rb.piece("p", None, "unit", None, &[Some(1), None]));
        }),
        ("attribute `a` names side number 200", |s| {
            done(s.rb.attribute("a", ValueKind::Flag, AttributeClass::Side(NO_SIDE)));
        }),
        ("attribute `a` takes 3 to 1: no number at all", |s| {
            done(s.rb.attribute("a", ValueKind::Int { min: 3, max: 1 }, AttributeClass::Public));
        }),
        ("column `c` names side number 200", |s| {
            s.rb.column::<()>("c", ValueKind::Flag, 0, ColumnClass::Side(NO_SIDE));
        }),
        ("column `c` names word number 9000", |s| {
            s.rb.column::<()>("c", ValueKind::Choice(vec![NO_WORD]), 0, ColumnClass::Public);
        }),
        ("column `c` takes no value at all", |s| {
            s.rb.column::<()>("c", ValueKind::Choice(Vec::new()), 0, ColumnClass::Public);
        }),
        ("column `c` names moment number 5", |s| {
            let column = s.rb.column::<()>("c", ValueKind::Flag, 0, ColumnClass::Public);
            s.rb.reset_at(column, MomentId(5), false);
        }),
        ("column `c` is not of choices and names some", |s| {
            let column = s.rb.column::<()>("c", ValueKind::Flag, 0, ColumnClass::Public);
            let left = s.rb.word("left");
            s.rb.choices(column, &[left]);
        }),
        ("column `c` is of 0 choices", |s| {
            s.rb.column::<rulebook::ChoiceIndex>("c", ValueKind::Flag, 0, ColumnClass::Public);
        }),
        ("column number 8 is used and not declared", |s| s.rb.choices(column_of_another(), &[])),
        ("column number 8 is used and not declared", |s| s.rb.sampler(column_of_another(), |_| 0)),
        ("column number 8 is used and not declared", |s| {
            let moment = s.rb.moment("now");
            s.rb.reset_at(column_of_another(), moment, false);
        }),
        ("column number 8 is used and not declared", |s| {
            let then = s.nothing.with(Nothing::default());
            s.rb.watch(column_of_another(), Threshold::AtLeast(1), then);
        }),
        ("relation `r` names side number 200", |s| {
            s.rb.relation("r", &[("n", FieldKind::Int)], 3, ColumnClass::Side(NO_SIDE));
        }),
        ("question `q` names piece set number 4", |s| {
            s.rb.question("q", QuestionKind::Any(PieceSetId(4)));
        }),
        ("question `q` names side number 200", |s| {
            s.rb.question("q", QuestionKind::Occupied(NO_SIDE));
        }),
        ("a hideout names place number 77", |s| {
            let pieces = s.rb.piece_set("p", |_, _| true);
            s.rb.hideout(Hideout { pieces, places: vec![NO_PLACE], fits: Box::new(|_, _| true) });
        }),
        ("option `o` names rule number 900", |s| done(s.rb.option("o", &[NO_RULE]))),
        ("x:1 is attached to a rule point that is not declared", |s| {
            let (filter, contribute) = (Filter::default(), Contribute::Constant(1));
            s.rb.attach(PointId(3), Attachment { rule: s.rule, filter, stage: 0, contribute });
        }),
        ("an attachment to rule point `p` names link number 44", |s| {
            let (runs_on, combine) = (RunsOn::Both, Combine::Sum);
            let def = PointDef { name: "p".into(), runs_on, combine, start: 0, rules: Vec::new() };
            let point = s.rb.point(def);
            let filter = Filter { links: Some(vec![LinkId(44)]), ..Filter::default() };
            s.rb.attach(
                point,
                Attachment { rule: s.rule, filter, stage: 0, contribute: Contribute::Constant(1) },
            );
        }),
        ("x:1 is attached to a moment that is not declared", |s| {
            s.rb.at_moment(MomentId(9), s.rule, None, s.nothing.with(Nothing::default()));
        }),
        ("moment `now` names option number 99", |s| {
            let now = s.rb.moment("now");
            s.rb.instead(now, s.rule, Some((NO_OPTION, true)), s.nothing.with(Nothing::default()));
        }),
        ("a procedure is defined that is not declared", |s| {
            let mut other = sound().rb;
            let far = (0..9).map(|n| other.proc::<Nothing>(&format!("p{n}"))).last().unwrap();
            s.rb.define(far, &Arc::new(()));
        }),
        ("the opening names procedure number 11", |s| {
            let mut other = sound().rb;
            let far = (0..9).map(|n| other.proc::<Nothing>(&format!("p{n}"))).last().unwrap();
            s.rb.opening(far.with(Nothing::default()));
        }),
        ("the sequence of play names side number 200", |s| {
            s.rb.sequence(&[Item::Sides(vec![NO_SIDE], Vec::new())]);
        }),
        ("the sequence of play names moment number 6", |s| s.rb.sequence(&[Item::Moment(MomentId(6))])),
        ("the sequence of play names column number 8", |s| {
            s.rb.sequence(&[Item::Turns { column: column_of_another(), last: 3, turn: Vec::new() }]);
        }),
    ] {
        says(text, spoil);
    }
}

#[test]
fn level_rules_name_what_there_is() {
    for (text, spoil) in [
        ("level rule 1 names place number 77", (|rule| rule.places = vec![NO_PLACE]) as fn(&mut LevelRule)),
        ("level rule 1 names deck number 9", |rule| rule.decks = vec![DeckId(9)]),
        ("level rule 1 names rule number 900", |rule| rule.rule = NO_RULE),
        ("level rule 1 names side number 200", |rule| {
            rule.onlooker = Onlooker::Viewer(Viewer::Side(NO_SIDE));
        }),
        ("level rule 1 names option number 99", |rule| rule.when.option = Some((NO_OPTION, true))),
        ("level rule 1 names column number 30", |rule| rule.when.column = Some((ColumnId(30), 1))),
        ("level rule 1 waits for 7 in column `cover`", |rule| {
            rule.places = vec![PlaceId(0)];
            rule.when.column = Some((ColumnId(0), 7));
        }),
    ] {
        says(text, |s| {
            s.rb.column::<SpaceId>("cover", ValueKind::Flag, 0, ColumnClass::Public);
            let mut rule = level(s);
            spoil(&mut rule);
            s.rb.level(rule);
        });
    }
}

#[test]
fn scenarios_name_what_there_is() {
    for (text, spoil) in [
        ("scenario `s` names place number 77", (|d| d.placings[0].place = NO_PLACE) as fn(&mut ScenarioDef)),
        ("scenario `s` names piece number 8", |d| d.placings[0].pieces.push(PieceId(8))),
        ("scenario `s` names piece number 9", |d| d.placings[0].standing = Standing::Under(PieceId(9))),
        ("scenario `s` names rule number 900", |d| d.placings[0].up = Some(NO_RULE)),
        ("scenario `s` names column number 12", |d| d.cells[0].column = ColumnId(12)),
        ("scenario `s` sets a cell that column `c` does not have", |d| d.cells[0].holder = 1),
        ("scenario `s` sets a cell that column `c` does not have", |d| d.cells[0].side = 1),
        ("scenario `s` sets column `c` to 4; it takes 0 to 1", |d| d.cells[0].value = 4),
        ("scenario `s` names word number 9000", |d| d.start = Some((NO_WORD, None))),
        ("scenario `s` switches on options beyond", |d| d.options = 2),
    ] {
        says(text, |s| {
            s.rb.option("o", &[]);
            s.rb.piece("general", None, "unit", None, &[]);
            s.rb.column::<()>("c", ValueKind::Flag, 0, ColumnClass::Public);
            let mut def = ScenarioDef::new("s");
            let (pieces, up) = (vec![PieceId(0)], None);
            let (place, standing) = (PlaceId(0), Standing::Loose);
            def.placings = vec![Placing { place, standing, pieces, up, facing: 0, mixed: false }];
            def.cells = vec![StartCell { column: ColumnId(0), holder: 0, side: 0, value: 1 }];
            spoil(&mut def);
            s.rb.scenario(def);
        });
    }
}

#[test]
fn all_problems_come_together() {
    let said = spoilt(|s| {
        s.rb.side("red");
        s.rb.deck("d", NO_SIDE);
        let mut rule = level(s);
        rule.places = vec![NO_PLACE];
        s.rb.level(rule);
    });
    assert_eq!(said.lines().count(), 3, "{said}");
}

//! Rule points: filters, combination, switching off, and permissions that never tell what is hidden.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use adjutant_kernel::board::{BoardBuilder, BorderSpec, FeatureOn, FeatureSpec, LinkSpec};
use adjutant_kernel::chance::Key;
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::flow::{self, Halt, Sink};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::points::{Attachment, Contribute, Filter, PointArg, PointDef, RunsOn};
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::rulebook::SeatRole;
use adjutant_kernel::*;

#[derive(Locals)]
struct Wait;

impl Procedure for Wait {
    type Module = (SeatId, WordId);

    fn run(&mut self, module: &Self::Module, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(module.0, module.1))
    }
}

struct Setting {
    limit: PointId,
    may_enter: PointId,
    may_stay: PointId,
    may_pass: PointId,
    shift: PointId,
    rules: [RuleId; 3],
    ford: SpaceId,
    /// How often what comes last at `may_pass` was asked.
    asked: Arc<AtomicU32>,
}

fn setting(switched_off: Option<usize>) -> (Rulebook, Setting) {
    let board = BoardBuilder::new("ford", Provenance::reconstructed("made up for the test"))
        .space("ford")
        .space("hill")
        .apart("hill")
        .build()
        .unwrap();
    let mut b = RulebookBuilder::new("points", "1", board);
    let (red, grey) = (b.side("red"), b.side("grey"));
    let seat = b.seat("red", Some(red), SeatRole::Player);
    let deck = b.deck("grey", grey);
    b.piece("gun", Some(grey), "gun", Some(deck), &[]);
    b.piece("foot", Some(grey), "foot", Some(deck), &[]);
    let kind = b.word("gun");
    let guns = b.piece_set("guns", |_, piece| piece.kind == kind);
    let rules = [b.rule("po:1"), b.rule("po:2"), b.rule("po:3")];
    let mut point = |name: &str, combine, start| {
        b.point(PointDef { name: name.into(), runs_on: RunsOn::Both, combine, start, rules: Vec::new() })
    };
    let limit = point("limit", Combine::Least, 4);
    let may_enter = point("may_enter", Combine::Any, 0);
    let may_stay = point("may_stay", Combine::Any, 0);
    let may_pass = point("may_pass", Combine::Any, 0);
    let shift = point("shift", Combine::Stages(2), 0);
    let attachment = |rule, filter, stage, contribute| Attachment { rule, filter, stage, contribute };
    let at_ford = Filter { spaces: Some(vec![SpaceId(0)]), ..Filter::default() };
    let guns_at_ford = Filter { pieces: Some(guns), ..at_ford.clone() };
    b.attach(may_pass, attachment(rules[0], at_ford.clone(), 0, Contribute::Constant(1)));
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    let never: points::NativePoint = Arc::new(move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        Some(1)
    });
    b.attach(may_pass, attachment(rules[1], Filter::default(), 0, Contribute::Native(never)));
    b.attach(limit, attachment(rules[0], at_ford, 0, Contribute::Constant(2)));
    b.attach(may_enter, attachment(rules[1], guns_at_ford, 0, Contribute::Constant(1)));
    b.attach(shift, attachment(rules[2], Filter::default(), 1, Contribute::Constant(2)));
    let by_number: points::NativePoint = Arc::new(|_, args| match args {
        [PointArg::Number(n)] if *n > 3 => Some(-1),
        _ => None,
    });
    b.attach(shift, attachment(rules[0], Filter::default(), 0, Contribute::Native(by_number)));
    // A body alone; then all who are on the hill; then guns wherever they are.
    let not_foot: points::NativePoint =
        Arc::new(|_, args| args.contains(&PointArg::Body(BodyId(1))).then_some(1));
    b.attach(may_stay, attachment(rules[2], Filter::default(), 0, Contribute::Native(not_foot)));
    let on_hill = Filter { spaces: Some(vec![SpaceId(1)]), ..Filter::default() };
    b.attach(may_stay, attachment(rules[0], on_hill, 0, Contribute::Constant(1)));
    let any_guns = Filter { pieces: Some(guns), ..Filter::default() };
    b.attach(may_stay, attachment(rules[1], any_guns, 0, Contribute::Constant(1)));
    if let Some(n) = switched_off {
        b.switch_off(rules[n]);
    }
    let module = Arc::new((seat, b.word("wait")));
    let wait = b.proc::<Wait>("wait");
    b.define(wait, &module);
    b.opening(wait.with(Wait));
    let set = Setting { limit, may_enter, may_stay, may_pass, shift, rules, ford: SpaceId(0), asked };
    (b.build().unwrap(), set)
}

fn state(rb: &Rulebook) -> State {
    flow::start(rb, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap()
}

#[test]
fn a_filter_decides_where_a_contribution_counts() {
    let (rb, set) = setting(None);
    let st = state(&rb);
    let seen = Seen::new(Read::new(&rb, &st), Viewer::Public);
    assert_eq!(seen.total(set.limit, &[PointArg::Space(set.ford)]), 2);
    assert_eq!(seen.total(set.limit, &[PointArg::Space(SpaceId(1))]), 4);
}

#[test]
fn a_permission_forbids_only_what_is_known() {
    let (rb, set) = setting(None);
    let st = state(&rb);
    let read = Read::new(&rb, &st);
    let gun = [PointArg::Body(BodyId(0)), PointArg::Space(set.ford)];
    let foot = [PointArg::Body(BodyId(1)), PointArg::Space(set.ford)];
    let grey = Seen::new(read, Viewer::Side(SideId(1)));
    let red = Seen::new(read, Viewer::Side(SideId(0)));
    assert_eq!(grey.forbidden(set.may_enter, &gun), Some(set.rules[1]));
    assert_eq!(grey.forbidden(set.may_enter, &foot), None);
    assert_eq!(red.forbidden(set.may_enter, &gun), None, "red does not know that it is a gun");
}

#[test]
fn once_a_permission_is_refused_nobody_else_is_asked() {
    let (rb, set) = setting(None);
    let st = state(&rb);
    let seen = Seen::new(Read::new(&rb, &st), Viewer::Public);
    let asked = || set.asked.load(Ordering::Relaxed);
    assert_eq!(seen.forbidden(set.may_pass, &[PointArg::Space(set.ford)]), Some(set.rules[0]));
    assert_eq!(asked(), 0);
    assert_eq!(seen.forbidden(set.may_pass, &[PointArg::Space(SpaceId(1))]), Some(set.rules[1]));
    assert_eq!(asked(), 1);
}

#[test]
fn what_is_asked_once_for_many_is_what_each_is_told() {
    let (rb, set) = setting(None);
    let st = state(&rb);
    let read = Read::new(&rb, &st);
    let groups: [&[BodyId]; 4] = [&[], &[BodyId(0)], &[BodyId(1)], &[BodyId(0), BodyId(1)]];
    let mut answers = Vec::new();
    for viewer in [Viewer::Side(SideId(0)), Viewer::Side(SideId(1)), Viewer::Public] {
        let seen = Seen::new(read, viewer);
        for point in [set.may_enter, set.may_stay] {
            for space in [SpaceId(0), SpaceId(1)] {
                let alike = seen.alike(point, &[PointArg::Space(space)]);
                for group in groups {
                    let mut args = vec![PointArg::Space(space)];
                    args.extend(group.iter().map(|body| PointArg::Body(*body)));
                    let alone = seen.forbidden(point, &args);
                    assert_eq!(alike.forbidden(group), alone, "{viewer:?} {point:?} {args:?}");
                    answers.push(alone);
                }
            }
        }
    }
    // All rules have spoken, and each viewer had his own answers.
    assert!(set.rules.iter().all(|rule| answers.contains(&Some(*rule))) && answers.contains(&None));
    assert_ne!(answers[..16], answers[16..32]);
}

#[test]
fn contributions_name_their_rules_and_stages() {
    let (rb, set) = setting(None);
    let st = state(&rb);
    let seen = Seen::new(Read::new(&rb, &st), Viewer::Public);
    assert_eq!(seen.total(set.shift, &[PointArg::Number(2)]), 2);
    assert_eq!(seen.total(set.shift, &[PointArg::Number(4)]), 1);
}

#[test]
fn what_is_switched_off_by_its_rule_id_does_not_count() {
    let (rb, set) = setting(Some(0));
    let st = state(&rb);
    let seen = Seen::new(Read::new(&rb, &st), Viewer::Public);
    assert_eq!(seen.total(set.limit, &[PointArg::Space(set.ford)]), 4);
    assert_eq!(seen.total(set.shift, &[PointArg::Number(4)]), 2);
}

#[test]
fn the_builder_reports_all_problems_together() {
    let board = BoardBuilder::new("one", Provenance::printed("test")).space("a").build().unwrap();
    let mut b = RulebookBuilder::new("bad", "1", board);
    let side = b.side("red");
    b.side("red");
    b.seat("red", None, SeatRole::Player);
    b.piece("x", Some(side), "foot", None, &[]);
    b.piece("x", Some(side), "foot", None, &[]);
    let problems = b.build().unwrap_err().problems;
    assert_eq!(problems.len(), 4, "{problems:#?}");
    assert!(problems.iter().any(|p| p.contains("side `red` is declared twice")));
    assert!(problems.iter().any(|p| p.contains("neither an opening procedure nor a sequence")));
}

/// All filters over a few of each kind of argument, on all argument lists of up to three of these, against the
/// words of [`Filter`]. Numbers beyond 64 are among them, for sets are kept in words.
#[test]
fn a_filter_lets_through_what_all_its_parts_name_and_nothing_else() {
    let name = |n: u16| format!("s{n}");
    let mut board = BoardBuilder::new("road", Provenance::printed("test"));
    board.network("road").feature("woods", FeatureOn::Space, Provenance::printed("test"));
    board.feature("river", FeatureOn::Border, Provenance::printed("test"));
    for n in 0..70 {
        board.space(name(n));
    }
    for n in 1..70 {
        board.link(LinkSpec::new(name(n - 1), name(n), "road"));
    }
    board.border(BorderSpec::new("s1", "s2")).features(FeatureSpec::new("river", ["s1|s2"]));
    let board = board.features(FeatureSpec::new("woods", ["s3", "s66"])).build().unwrap();
    let woods = board.feature_named("woods").unwrap();
    let river = board.feature_named("river").unwrap();
    let mut b = RulebookBuilder::new("filters", "1", board);
    let (red, grey) = (b.side("red"), b.side("grey"));
    let seat = b.seat("red", Some(red), SeatRole::Player);
    let cold = b.option("cold", &[]);
    b.piece("gun", Some(grey), "gun", None, &[]);
    b.piece("foot", Some(grey), "foot", None, &[]);
    let kind = b.word("gun");
    let guns = b.piece_set("guns", |_, piece| piece.kind == kind);
    let rule = b.rule("fi:1");
    let mut filters = Vec::new();
    for parts in 0..=u8::MAX {
        let given = |n: u8| parts >> n & 1 == 1;
        filters.push(Filter {
            pieces: given(0).then_some(guns),
            sides: given(1).then(|| vec![grey]),
            spaces: given(2).then(|| vec![SpaceId(3), SpaceId(65)]),
            links: given(3).then(|| vec![LinkId(0), LinkId(68)]),
            feature: given(4).then_some(woods),
            phases: given(5).then(|| vec![kind]),
            option: given(6).then_some((cold, true)),
            crossing: given(7).then_some(river),
        });
    }
    filters.push(Filter { spaces: Some(Vec::new()), ..Filter::default() });
    let points: Vec<PointId> = filters
        .iter()
        .enumerate()
        .map(|(n, filter)| {
            let (combine, rules) = (Combine::Any, Vec::new());
            let def = PointDef { name: name(n as u16), runs_on: RunsOn::Both, combine, start: 0, rules };
            let point = b.point(def);
            let contribute = Contribute::Constant(1);
            b.attach(point, Attachment { rule, filter: filter.clone(), stage: 0, contribute });
            point
        })
        .collect();
    let wait = b.proc::<Wait>("wait");
    let module = Arc::new((seat, b.word("wait")));
    b.define(wait, &module);
    b.opening(wait.with(Wait));
    let rb = b.build().unwrap();

    use PointArg::*;
    let all = [
        Body(BodyId(0)),
        Body(BodyId(1)),
        Side(red),
        Side(grey),
        Space(SpaceId(3)),
        Space(SpaceId(65)),
        Space(SpaceId(66)),
        Link(LinkId(1)),
        Link(LinkId(68)),
        Number(3),
        Word(kind),
    ];
    let mut lists: Vec<Vec<PointArg>> = vec![Vec::new()];
    for from in 0..3 {
        let longer: Vec<_> = lists.iter().filter(|l| l.len() == from).cloned().collect();
        lists.extend(longer.iter().flat_map(|l| all.map(|arg| [&l[..], &[arg]].concat())));
    }
    let mut through = 0;
    for options in 0..2 {
        let st = flow::start(&rb, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), options).unwrap();
        let seen = Seen::new(Read::new(&rb, &st), Viewer::Public);
        for (filter, &point) in filters.iter().zip(&points) {
            for args in &lists {
                let some = |test: &dyn Fn(&PointArg) -> bool| args.iter().any(test);
                let expected = filter.pieces.is_none_or(|_| some(&|a| *a == Body(BodyId(0))))
                    && filter.sides.as_ref().is_none_or(|l| l.iter().any(|&x| some(&|a| *a == Side(x))))
                    && filter.spaces.as_ref().is_none_or(|l| l.iter().any(|&x| some(&|a| *a == Space(x))))
                    && filter.links.as_ref().is_none_or(|l| l.iter().any(|&x| some(&|a| *a == Link(x))))
                    && filter
                        .feature
                        .is_none_or(|_| some(&|a| [Space(SpaceId(3)), Space(SpaceId(66))].contains(a)))
                    && filter.crossing.is_none_or(|_| some(&|a| *a == Link(LinkId(1))))
                    && filter.phases.is_none()
                    && filter.option.is_none_or(|_| options == 1);
                assert_eq!(seen.forbidden(point, args).is_some(), expected, "{filter:?} {args:?} {options}");
                through += u32::from(expected);
            }
        }
    }
    assert!(through > 10_000, "{through}");
}

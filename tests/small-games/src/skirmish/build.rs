//! The rulebook.

use std::sync::Arc;

use adjutant_kernel::contributions::Combine;
use adjutant_kernel::flow::{Item, Threshold, phase};
use adjutant_kernel::points::{Attachment, Contribute, Filter, PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::{BadRulebook, ColumnClass, SeatRole, ValueKind};
use adjutant_kernel::{
    FeatureId, LinkId, PieceSetId, PointId, RuleId, Rulebook, RulebookBuilder, SideId, WordId,
};

use super::ground::Ground;
use super::roster::{Kind, ROSTER, Scenario};
use super::vocabulary::{Rules, Words};
use super::{BLUE, Columns, Points, Procs, RED, Skirmish};
use super::{allot, battle, ending, ground, march, odds, retreat};

/// The rulebook of the battle at the bridge.
///
/// # Errors
/// What is wrong with it.
pub fn rulebook() -> Result<Rulebook, BadRulebook> {
    rulebook_of(Scenario::default(), |_| ())
}

/// The rulebook of another scenario, after `change` has had its way with the builder (an overlay).
///
/// # Errors
/// What is wrong with it.
pub fn rulebook_of(
    scenario: Scenario,
    change: impl FnOnce(&mut RulebookBuilder),
) -> Result<Rulebook, BadRulebook> {
    assemble(scenario, change).map(|(rulebook, _)| rulebook)
}

/// The rulebook and the module that it works with.
pub(crate) fn assemble(
    scenario: Scenario,
    change: impl FnOnce(&mut RulebookBuilder),
) -> Result<(Rulebook, Arc<Skirmish>), BadRulebook> {
    let bad = |problem: String| BadRulebook { problems: vec![problem] };
    let board = ground::board().map_err(|problems| bad(problems.to_string()))?;
    let ground = Ground::of(&board).ok_or_else(|| bad("the board lacks a feature".into()))?;
    let away = ending::away(&board).ok_or_else(|| bad("the board lacks the box `away`".into()))?;
    let mut builder = RulebookBuilder::new("Hex skirmish", "1", board);
    let sides = [builder.side("Blue"), builder.side("Red")];
    let seats = [("blue", BLUE), ("red", RED)].map(|(n, side)| builder.seat(n, Some(side), SeatRole::Player));
    builder.seat("spectator", None, SeatRole::Spectator);
    debug_assert_eq!(sides, [BLUE, RED]);
    for unit in ROSTER {
        builder.piece(unit.name, Some(unit.side), unit.kind.name(), None, &[]);
    }
    let words = Words::intern(&mut builder);
    let rules = Rules::intern(&mut builder);
    builder.open_information(rules.open);
    let turn_ends = builder.moment("turn_ends");
    let columns = columns(&mut builder);
    builder.reset_at(columns.moved, turn_ends, false);
    builder.reset_at(columns.target, turn_ends, false);
    let points = points(&mut builder, &words, &rules, &ground);
    let table = odds::table(&words).map_err(|problems| bad(problems.to_string()))?;
    let fight = builder.table("fight", table);

    let deployment = builder.proc::<ending::Deployment>("deployment");
    let march = builder.proc::<march::March>("march");
    let allot = builder.proc::<allot::Allot>("allot");
    let assaults = builder.proc::<battle::Assaults>("assaults");
    let battle = builder.proc::<battle::Battle>("battle");
    let retreat = builder.proc::<retreat::Retreat>("retreat");
    let rout = builder.proc::<ending::Rout>("rout");
    let reckoning = builder.proc::<ending::Reckoning>("reckoning");
    builder.watch(columns.morale, Threshold::AtMost(0), rout.with(ending::Rout {}));
    let blue = |side: Option<SideId>| side.unwrap_or(BLUE);
    let march_of = move |side| march.with(march::March { side: blue(side) });
    let allot_of = move |side| allot.with(allot::Allot::of(blue(side)));
    let assaults_of = move |side| assaults.with(battle::Assaults { side: blue(side) });
    let turn = vec![
        phase("march", march_of),
        phase("allotment", allot_of),
        phase("assaults", assaults_of),
        Item::Moment(turn_ends),
    ];
    builder.sequence(&[
        phase("deployment", move |_| deployment.with(ending::Deployment {})),
        Item::Turns {
            column: columns.turn,
            last: scenario.turns,
            turn: vec![Item::Sides(vec![BLUE, RED], turn)],
        },
        phase("reckoning", move |_| reckoning.with(ending::Reckoning {})),
    ]);

    let game = Arc::new(Skirmish {
        scenario,
        words,
        rules,
        ground,
        units: ROSTER.to_vec(),
        seats,
        columns,
        points,
        fight,
        procs: Procs { battle, retreat },
        away,
    });
    builder.define(deployment, &game);
    builder.define(march, &game);
    builder.define(allot, &game);
    builder.define(assaults, &game);
    builder.define(battle, &game);
    builder.define(retreat, &game);
    builder.define(rout, &game);
    builder.define(reckoning, &game);
    builder.module(game.clone());
    change(&mut builder);
    Ok((builder.build()?, game))
}

fn columns(builder: &mut RulebookBuilder) -> Columns {
    let public = ColumnClass::Public;
    let int = |min, max| ValueKind::Int { min, max };
    Columns {
        turn: builder.column("turn", int(0, 99), 0, public),
        steps: builder.column("steps", int(0, 2), 0, public),
        moved: builder.column("moved", ValueKind::Flag, 0, public),
        target: builder.column("target", ValueKind::Space, -1, public),
        fled: builder.column("fled", ValueKind::Flag, 0, public),
        morale: builder.column("morale", int(0, 99), 1, public),
        holder: builder.column("holder", ValueKind::Side, -1, public),
    }
}

/// Something attached to a point at a stage.
struct Attach<'a> {
    builder: &'a mut RulebookBuilder,
    point: PointId,
}

impl Attach<'_> {
    fn at(&mut self, point: PointId) -> &mut Self {
        self.point = point;
        self
    }

    fn add(&mut self, rule: RuleId, stage: u8, filter: Filter, contribute: Contribute) -> &mut Self {
        self.builder.attach(self.point, Attachment { rule, filter, stage, contribute });
        self
    }

    fn always(&mut self, rule: RuleId, value: i32, filter: Filter) -> &mut Self {
        self.add(rule, 0, filter, Contribute::Constant(value))
    }

    /// A value for crossing a border with a feature and without others.
    fn over(&mut self, rule: RuleId, on: FeatureId, not: &[FeatureId]) -> &mut Self {
        let board = self.builder.board();
        let all = (0..board.link_count() as u16).map(LinkId);
        let crossing = all.filter(|&link| {
            board.border_of_link(link).is_some_and(|border| {
                let has = |feature: &FeatureId| board.has_feature_border(border, *feature);
                has(&on) && !not.iter().any(has)
            })
        });
        let links = Some(crossing.collect());
        self.always(rule, 1, Filter { links, ..Filter::default() })
    }

    /// A value in a circumstance, or unless there is one.
    fn when(&mut self, rule: RuleId, value: i32, word: WordId, holds: bool, filter: Filter) -> &mut Self {
        let native = Contribute::Native(Arc::new(move |_, args| {
            (args.contains(&PointArg::Word(word)) == holds).then_some(value)
        }));
        self.add(rule, u8::from(value > 0), filter, native)
    }
}

fn points(builder: &mut RulebookBuilder, words: &Words, rules: &Rules, ground: &Ground) -> Points {
    let mut point = |name: &str, runs_on, combine, start, rules: &[RuleId]| {
        let rules = rules.to_vec();
        builder.point(PointDef { name: name.to_owned(), runs_on, combine, start, rules })
    };
    let points = Points {
        may_cross: point("may_cross", RunsOn::Both, Combine::Any, 0, &[rules.river, rules.gun_woods]),
        move_cost: point("move_cost", RunsOn::Both, Combine::Sum, 1, &[rules.reach]),
        zone: point("zone", RunsOn::Both, Combine::Any, 0, &[rules.gun_zone, rules.river_zone]),
        odds_shift: point("odds_shift", RunsOn::Truth, Combine::Stages(2), 0, &[rules.battle]),
        die_modifier: point("die_modifier", RunsOn::Truth, Combine::Sum, 0, &[rules.battle]),
    };
    let mut kind = |kind: Kind| {
        let word = builder.word(kind.name());
        builder.piece_set(kind.name(), move |_, piece| piece.kind == word)
    };
    let (guns, cavalry) = (kind(Kind::Guns), kind(Kind::Cavalry));
    let of = |set: PieceSetId| Filter { pieces: Some(set), ..Filter::default() };
    let on = |feature: FeatureId| Filter { feature: Some(feature), ..Filter::default() };
    let mut attach = Attach { builder, point: points.may_cross };

    attach.at(points.may_cross).over(rules.river, ground.river, &[ground.bridge, ground.ford]).always(
        rules.gun_woods,
        1,
        Filter { pieces: Some(guns), ..on(ground.woods) },
    );
    attach
        .at(points.move_cost)
        .always(rules.rough, 1, on(ground.woods))
        .always(rules.rough, 1, on(ground.hill))
        .over(rules.ford, ground.ford, &[ground.bridge])
        .when(rules.cavalry_zone, 1, words.zone, true, of(cavalry));
    attach.at(points.zone).always(rules.gun_zone, 1, of(guns)).over(
        rules.river_zone,
        ground.river,
        &[ground.bridge],
    );
    attach
        .at(points.odds_shift)
        .when(rules.over_river, -1, words.across_river, true, Filter::default())
        .always(rules.town, -1, on(ground.town))
        .when(rules.hill, -1, words.from_hill, false, on(ground.hill))
        .when(rules.charge, 1, words.charge, true, Filter::default())
        .when(rules.pincer, 1, words.pincer, true, Filter::default());
    attach.at(points.die_modifier).always(rules.woods, -1, on(ground.woods)).add(
        rules.barrage,
        0,
        Filter::default(),
        Contribute::Native(barrage(words.barrage)),
    );
    points
}

fn barrage(word: WordId) -> adjutant_kernel::points::NativePoint {
    Arc::new(move |_, args| args.contains(&PointArg::Word(word)).then_some(1))
}

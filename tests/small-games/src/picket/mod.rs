//! Picket line: the small game that pins down hidden information.
//!
//! Two sides march face-down stacks over nine areas, probe, intercept and fight; Amber hides a base and Blue
//! looks for it. The files follow the order of the rules: the map (pl:2), the pieces (pl:3), the
//! set-up (pl:4), regroup (pl:6), march (pl:7), what happens on arrival (pl:7.e, pl:7.h, pl:8), the probe
//! (pl:9), combat (pl:10, pl:11), the end of a turn (pl:12) and of the game (pl:14).

mod arrive;
mod board;
mod combat;
mod finish;
mod march;
mod march_acts;
mod names;
mod pieces;
mod points;
pub mod position;
mod probe;
mod real;
mod regroup;
mod setup;
mod tables;
mod turn_end;
mod variant;

use std::sync::Arc;

use adjutant_kernel::flow::{Item, ProcRef, Threshold, phase};
use adjutant_kernel::knowledge::QuestionKind;
use adjutant_kernel::rulebook::{
    BadRulebook, ChoiceIndex, Column, ColumnClass, FieldKind, SeatRole, ValueKind,
};
use adjutant_kernel::{
    BodyId, BorderId, Cx, Halt, LinkId, Module, MomentId, OptionId, PieceId, PlaceId, Placement, QuestionId,
    RecordId, Rulebook, RulebookBuilder, SeatId, SideId, SpaceId, WordId,
};

use board::Map;
use names::{Rules, Words};
use pieces::Pieces;
use points::Points;
use tables::Tables;
pub use variant::{MUTANTS, Overlay, Variant};

/// All that the rules name, by number.
#[derive(Debug)]
pub struct Picket {
    pub(crate) amber: SideId,
    pub(crate) blue: SideId,
    pub(crate) amber_seat: SeatId,
    pub(crate) blue_seat: SeatId,
    pub(crate) scouts: SeatId,
    pub(crate) map: Map,
    pub(crate) pieces: Pieces,
    pub(crate) tables: Tables,
    pub(crate) points: Points,
    pub(crate) procs: Procs,
    pub(crate) w: Words,
    pub(crate) rules: Rules,
    pub(crate) dusk: OptionId,
    pub(crate) hesitation: OptionId,
    /// pl:7: fresh, marched, halted, arrived, probed or caught; a [`March`](march::State).
    pub(crate) march: Column<BodyId>,
    pub(crate) weary: Column<PieceId>,
    /// The strength that a levy has drawn, or -1 (pl:10.g).
    pub(crate) levy: Column<PieceId>,
    /// A faulty rule: the chits of the levies are drawn before the game and lie in the position.
    pub(crate) chit: Option<Column<PieceId>>,
    pub(crate) cover: Column<SpaceId>,
    pub(crate) over: Column<(SpaceId, SideId)>,
    pub(crate) engaged: Column<(SpaceId, SideId)>,
    pub(crate) fought: Column<SpaceId>,
    pub(crate) used: Column<LinkId>,
    pub(crate) high: Column<BorderId>,
    pub(crate) vp: Column<SideId>,
    pub(crate) lost: Column<SideId>,
    pub(crate) arrears: Column<()>,
    pub(crate) pressed: Column<SeatId>,
    /// Who turned the flank of a position, or -1 (pl:10.j).
    pub(crate) turned: Column<ChoiceIndex>,
    /// The orders from their commitment until they are told: none, attack, hold (pl:10.e).
    pub(crate) ordered: Column<(ChoiceIndex, SideId)>,
    pub(crate) battle_at: Column<()>,
    pub(crate) attacker: Column<()>,
    pub(crate) turn: Column<()>,
    pub(crate) clash: RecordId,
    /// Is there a foot or horse among these bodies?
    pub(crate) real: QuestionId,
    /// Is Base supplied (pl:12.b)?
    pub(crate) supplied: QuestionId,
    pub(crate) moments: Moments,
    pub(crate) position: Option<position::Loading>,
}

/// The named moments.
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    /// The side's March ends.
    pub(crate) march_end: MomentId,
    /// Amber's combat phase begins (pl:12.b).
    pub(crate) amber_combat: MomentId,
    /// A combat phase begins.
    pub(crate) combat: MomentId,
    /// Orders are given and not yet told (pl:13.b).
    pub(crate) before_orders: MomentId,
    pub(crate) player_turn_end: MomentId,
    pub(crate) turn_end: MomentId,
}

/// The procedures.
#[derive(Clone, Debug)]
pub(crate) struct Procs {
    pub(crate) load: ProcRef<position::Load>,
    pub(crate) set_up: ProcRef<setup::SetUp>,
    pub(crate) place: ProcRef<setup::Place>,
    pub(crate) rain: ProcRef<turn_end::Rain>,
    pub(crate) regroup: ProcRef<regroup::Regroup>,
    pub(crate) march: ProcRef<march::March>,
    pub(crate) arrive: ProcRef<arrive::Arrive>,
    pub(crate) probe: ProcRef<probe::Probe>,
    pub(crate) combat: ProcRef<combat::Combat>,
    pub(crate) battle: ProcRef<combat::battle::Battle>,
    pub(crate) deploy: ProcRef<combat::deploy::Deploy>,
    pub(crate) orders: ProcRef<combat::orders::Orders>,
    pub(crate) falter: ProcRef<combat::orders::Falter>,
    pub(crate) fight: ProcRef<combat::fight::Fight>,
    pub(crate) loss: ProcRef<combat::fight::Loss>,
    pub(crate) retreat: ProcRef<combat::retreat::Retreat>,
    pub(crate) rest: ProcRef<turn_end::Rest>,
    pub(crate) rest_branch: ProcRef<turn_end::RestBranch>,
    pub(crate) reopen: ProcRef<turn_end::Reopen>,
    pub(crate) finish: ProcRef<finish::Finish>,
}

/// The rulebook of a variant.
///
/// ```
/// use small_games::picket::{Variant, rulebook};
/// let rulebook = rulebook(&Variant::default())?;
/// assert_eq!(rulebook.title(), "picket line");
/// # Ok::<(), adjutant_kernel::rulebook::BadRulebook>(())
/// ```
///
/// # Errors
/// All problems found; the game itself has none.
pub fn rulebook(variant: &Variant) -> Result<Rulebook, BadRulebook> {
    let board = board::board().map_err(|problem| BadRulebook { problems: vec![problem] })?;
    let mut rb = RulebookBuilder::new("picket line", "1", board);
    variant.prepare(&mut rb);
    let picket = declare(&mut rb, variant);
    register(&mut rb, &Arc::new(picket));
    rb.build()
}

/// Declares everything that the game names.
fn declare(rb: &mut RulebookBuilder, variant: &Variant) -> Picket {
    let (w, rules) = (Words::intern(rb), Rules::intern(rb));
    let (amber, blue) = (rb.side("amber"), rb.side("blue"));
    let amber_seat = rb.seat("amber", Some(amber), SeatRole::Player);
    let blue_seat = rb.seat("blue", Some(blue), SeatRole::Player);
    let scouts = rb.seat("scouts", Some(blue), SeatRole::Player);
    rb.seat("spectator", None, SeatRole::Spectator);
    rb.seat("umpire", None, SeatRole::Umpire);
    let map = board::map(rb);
    let pieces = pieces::declare(rb, [amber, blue]);
    let tables = tables::declare(rb, &w);
    let moments = Moments {
        march_end: rb.moment("march_end"),
        amber_combat: rb.moment("amber_combat"),
        combat: rb.moment("combat_begins"),
        before_orders: rb.moment("before_orders"),
        player_turn_end: rb.moment("player_turn_end"),
        turn_end: rb.moment("turn_end"),
    };
    let (public, owner, amber_only) = (ColumnClass::Public, ColumnClass::Owner, ColumnClass::Side(amber));
    let states = [w.fresh, w.marched, w.halted, w.arrived, w.probed, w.caught];
    let covers = ValueKind::Choice(vec![w.close, w.open]);
    let none = rb.word("none");
    let orders = ValueKind::Choice(vec![none, w.attack, w.hold]);
    let number = |min, max| ValueKind::Int { min, max };
    let weary_class = if variant.mutant("leak_weary") { public } else { owner };
    let arrears_class = if variant.mutant("leak_arrears") { public } else { amber_only };
    let picket = Picket {
        march: rb.column("march", ValueKind::Choice(states.to_vec()), 0, public),
        weary: rb.column("weary", ValueKind::Flag, 0, weary_class),
        levy: rb.column("levy", number(-1, 3), -1, public),
        chit: variant
            .mutant("levy_at_setup")
            .then(|| rb.column("chit", number(0, 3), 2, ColumnClass::Hidden)),
        cover: rb.column("cover", covers, 0, public),
        over: rb.column("over", ValueKind::Flag, 0, public),
        engaged: rb.column("engaged", ValueKind::Flag, 0, public),
        fought: rb.column("fought", ValueKind::Flag, 0, public),
        used: rb.column("used", ValueKind::Flag, 0, public),
        high: rb.column("high", ValueKind::Flag, 0, public),
        vp: rb.column("vp", number(0, 99), 0, public),
        lost: rb.column("lost", number(0, 5), 0, public),
        arrears: rb.column("arrears", number(0, 12), 0, arrears_class),
        pressed: rb.column("pressed", ValueKind::Flag, 0, public),
        turned: rb.column("turned", ValueKind::Side, -1, public),
        ordered: rb.column("ordered", orders, 0, owner),
        battle_at: rb.column("battle", ValueKind::Space, -1, public),
        attacker: rb.column("attacker", ValueKind::Side, -1, public),
        turn: rb.column("turn", number(0, 6), 0, public),
        clash: rb.relation("clash", &[("area", FieldKind::Space), ("by", FieldKind::Side)], 9, public),
        real: rb.question("real", QuestionKind::Any(pieces.real)),
        supplied: turn_end::supply_question(rb, blue, &pieces, &map),
        dusk: rb.option("dusk", &[rules.dusk]),
        hesitation: rb.option("hesitation", &[rules.hesitation]),
        points: points::declare(rb, &rules),
        procs: procs(rb),
        position: None,
        amber,
        blue,
        amber_seat,
        blue_seat,
        scouts,
        map,
        pieces,
        tables,
        w,
        rules,
        moments,
    };
    picket.columns(rb);
    pieces::levels(rb, &picket.pieces, &picket.map, picket.cover.id, &picket.rules);
    points::attach(rb, &picket);
    variant.attach(rb, &picket);
    let position = variant.position.as_ref().map(|position| position.resolve(rb));
    Picket { position, ..picket }
}

fn procs(rb: &mut RulebookBuilder) -> Procs {
    Procs {
        load: rb.proc("load"),
        set_up: rb.proc("set_up"),
        place: rb.proc("place"),
        rain: rb.proc("rain"),
        regroup: rb.proc("regroup"),
        march: rb.proc("march"),
        arrive: rb.proc("arrive"),
        probe: rb.proc("probe"),
        combat: rb.proc("combat"),
        battle: rb.proc("battle"),
        deploy: rb.proc("deploy"),
        orders: rb.proc("orders"),
        falter: rb.proc("falter"),
        fight: rb.proc("fight"),
        loss: rb.proc("loss"),
        retreat: rb.proc("retreat"),
        rest: rb.proc("rest"),
        rest_branch: rb.proc("rest_branch"),
        reopen: rb.proc("reopen"),
        finish: rb.proc("finish"),
    }
}

/// Gives every procedure its code and sets out the sequence of play (pl:5).
fn register(rb: &mut RulebookBuilder, picket: &Arc<Picket>) {
    let procs = picket.procs.clone();
    rb.define(procs.load, picket);
    rb.define(procs.set_up, picket);
    rb.define(procs.place, picket);
    rb.define(procs.rain, picket);
    rb.define(procs.regroup, picket);
    rb.define(procs.march, picket);
    rb.define(procs.arrive, picket);
    rb.define(procs.probe, picket);
    rb.define(procs.combat, picket);
    rb.define(procs.battle, picket);
    rb.define(procs.deploy, picket);
    rb.define(procs.orders, picket);
    rb.define(procs.falter, picket);
    rb.define(procs.fight, picket);
    rb.define(procs.loss, picket);
    rb.define(procs.retreat, picket);
    rb.define(procs.rest, picket);
    rb.define(procs.rest_branch, picket);
    rb.define(procs.reopen, picket);
    rb.define(procs.finish, picket);
    rb.module(Arc::clone(picket) as Arc<dyn Module>);
    rb.watch(picket.lost, Threshold::AtLeast(5), procs.finish.with(finish::Finish {}));
    let falter = procs.falter.with(combat::orders::Falter::default());
    rb.at_moment(
        picket.moments.before_orders,
        picket.rules.hesitation,
        Some((picket.hesitation, true)),
        falter,
    );
    let reopen = procs.reopen.with(turn_end::Reopen {});
    rb.at_moment(picket.moments.turn_end, picket.rules.dusk, Some((picket.dusk, false)), reopen);
    if picket.position.is_some() {
        rb.opening(procs.load.with(position::Load::default()));
    }
    rb.sequence(&sequence(picket));
}

/// pl:5: six turns; rain, either player turn, rest and supply.
fn sequence(picket: &Picket) -> Vec<Item> {
    let (procs, moments, amber) = (picket.procs.clone(), picket.moments.clone(), picket.amber);
    let (set_up, rain, rest, finish) = (procs.set_up, procs.rain, procs.rest, procs.finish);
    let player_turn = vec![
        phase("regroup", move |side| procs.regroup.with(regroup::Regroup::of(side.unwrap_or(amber)))),
        phase("march", move |side| procs.march.with(march::March { side: side.unwrap_or(amber) })),
        Item::Moment(moments.march_end),
        Item::When(
            Arc::new(move |read| read.phasing() == Some(amber)),
            vec![Item::Moment(moments.amber_combat)],
        ),
        Item::Moment(moments.combat),
        phase("combat", move |side| procs.combat.with(combat::Combat::of(side.unwrap_or(amber)))),
        Item::Moment(moments.player_turn_end),
    ];
    vec![
        phase("setup", move |_| set_up.with(setup::SetUp::default())),
        Item::Turns {
            column: picket.turn,
            last: 6,
            turn: vec![
                phase("rain", move |_| rain.with(turn_end::Rain {})),
                Item::Sides(vec![amber, picket.blue], player_turn),
                phase("rest", move |_| rest.with(turn_end::Rest::default())),
                Item::Moment(moments.turn_end),
            ],
        },
        phase("end", move |_| finish.with(finish::Finish {})),
    ]
}

impl Picket {
    /// When columns are reset, and how those who may not see their cells imagine them.
    fn columns(&self, rb: &mut RulebookBuilder) {
        rb.choices(self.turned, &[self.w.road, self.w.field]);
        rb.choices(self.ordered, &[self.w.road, self.w.field]);
        let moments = &self.moments;
        rb.reset_at(self.march, moments.march_end, false);
        rb.reset_at(self.used, moments.march_end, false);
        rb.reset_at(self.pressed, moments.march_end, false);
        rb.reset_at(self.engaged, moments.march_end, true);
        rb.reset_at(self.fought, moments.combat, false);
        rb.reset_at(self.over, moments.turn_end, false);
        rb.reset_at(self.high, moments.turn_end, false);
        let foot = self.pieces.foot;
        let lost = self.map.boxes.map(|boxes| boxes.lost);
        rb.sampler(self.weary, move |s| {
            let body = s.read.body_of(PieceId(s.holder));
            let may_be = body
                .is_some_and(|b| s.read.is(b, foot) && !s.read.place(b).is_some_and(|p| lost.contains(&p)));
            if may_be { s.below(2) as i32 } else { 0 }
        });
        if let Some(chit) = self.chit {
            rb.sampler(chit, move |s| s.read.get(chit, PieceId(s.holder)));
        }
        let turn = self.turn;
        rb.sampler(self.arrears, move |s| s.between(0, 2 * (s.read.get(turn, ()) - 1).max(0)));
        let boxes = self.map.boxes;
        rb.sampler(self.ordered, move |s| {
            let own = &boxes[s.side.index()];
            let place = if s.holder == 0 { own.road } else { own.field };
            if s.read.loose(place).next().is_some() { s.between(1, 2) } else { 0 }
        });
    }

    /// A side's chief seat (pl:1.a).
    pub(crate) fn chief(&self, side: SideId) -> SeatId {
        if side == self.amber { self.amber_seat } else { self.blue_seat }
    }

    /// The seat that decides on interceptions and blocks (pl:1.b).
    pub(crate) fn outposts(&self, side: SideId) -> SeatId {
        if side == self.amber { self.amber_seat } else { self.scouts }
    }

    /// The word for a side.
    pub(crate) fn side_word(&self, side: SideId) -> WordId {
        if side == self.amber { self.w.amber } else { self.w.blue }
    }
}

impl Module for Picket {
    fn name(&self) -> &str {
        "picket line"
    }

    /// pl:3.d, by cause; a lone leader face up is displaced by a march or press (pl:7.h).
    fn placement(
        &self,
        seen: &adjutant_kernel::Seen<'_>,
        cause: WordId,
        bodies: &[BodyId],
        to: PlaceId,
    ) -> Placement {
        use adjutant_kernel::Sight as _;
        let Some(side) = bodies.first().and_then(|&b| seen.side(b)) else { return Placement::Allowed };
        if to.index() >= seen.rulebook().board().space_count() {
            return Placement::Allowed;
        }
        let area = SpaceId(to.0);
        let there = self.seen_here(seen, side, area).len() as i32;
        let full = there + bodies.len() as i32 > self.limit(seen, side, area);
        let w = &self.w;
        if [w.march, w.press, w.return_, w.displaced].contains(&cause) && full {
            return Placement::Forbidden(self.rules.limit);
        }
        if cause == w.retreat && full {
            return Placement::MustGoOn(self.rules.limit);
        }
        if cause == w.march || cause == w.press {
            let foes = self.seen_here(seen, self.enemy(side), area);
            if let [lone] = foes[..]
                && seen.face_up(lone)
                && seen.is(lone, self.pieces.leader).is_yes()
                && seen.rule_on(self.rules.displace)
            {
                return Placement::Displaces(foes.iter().copied().collect(), self.rules.displace);
            }
        }
        Placement::Allowed
    }

    /// pl:3.c: a dummy that is revealed goes at once to its owner's pool.
    fn revealed(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        match cx.read().side(body) {
            Some(side) if cx.read().is(body, self.pieces.dummy) && cx.rule_on(self.rules.dummies) => {
                let pool = self.boxes(side).pool;
                self.remove(cx, body, pool, self.w.removed, self.rules.dummies)
            }
            Some(_) | None => Ok(()),
        }
    }
}

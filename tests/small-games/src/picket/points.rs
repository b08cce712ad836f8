//! The rule points, and what the game itself attaches to them.

use std::sync::Arc;

use adjutant_kernel::contributions::Combine;
use adjutant_kernel::knowledge::{Seen, Sight};
use adjutant_kernel::points::{Attachment, Contribute, Filter, NativePoint, PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::ChoiceIndex;
use adjutant_kernel::{BodyId, LinkId, PointId, RuleId, RulebookBuilder, SideId, SpaceId, WordId};
use smallvec::SmallVec;

use super::{Picket, Rules};

/// The points by number.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    /// Whether a group may leave an area that holds enemies; side, area, link, bodies.
    pub(crate) may_leave: PointId,
    /// Whether a group may enter an area; side, area, link, bodies.
    pub(crate) may_enter: PointId,
    /// How many bodies of a side may stand in an area; side, area.
    pub(crate) area_limit: PointId,
    /// Die modifiers of stragglers that are their owner's secret; side, link, bodies.
    pub(crate) straggle_die: PointId,
    /// Column shifts of a fight; the fight's attacker, area, position.
    pub(crate) fight_shift: PointId,
}

pub(super) fn declare(rb: &mut RulebookBuilder, rules: &Rules) -> Points {
    let mut point = |name: &str, runs_on, combine, start, rules: &[RuleId]| {
        rb.point(PointDef { name: name.to_owned(), runs_on, combine, start, rules: rules.to_vec() })
    };
    use RunsOn::{Both, Truth};
    Points {
        may_leave: point("may_leave", Both, Combine::Any, 0, &[rules.leave, rules.stopped]),
        may_enter: point("may_enter", Both, Combine::Any, 0, &[]),
        area_limit: point("area_limit", Both, Combine::Least, 4, &[rules.limit]),
        straggle_die: point("straggle_die", Truth, Combine::Sum, 0, &[rules.straggle_leader]),
        fight_shift: point(
            "fight_shift",
            Truth,
            Combine::Stages(3),
            0,
            &[rules.over_river, rules.flank, rules.leader],
        ),
    }
}

/// The modifiers and shifts of the rules: pl:7.g#2, pl:10.i, pl:10.j, pl:10.k.
pub(super) fn attach(rb: &mut RulebookBuilder, picket: &Picket) {
    let mut attach = |point, rule, stage, native: NativePoint| {
        let contribute = Contribute::Native(native);
        rb.attach(point, Attachment { rule, filter: Filter::default(), stage, contribute });
    };
    let (points, rules) = (&picket.points, &picket.rules);
    let leader = picket.pieces.leader;
    let led = move |sight: &dyn Sight, args: &[PointArg]| {
        let is_leader = |arg: &PointArg| matches!(arg, PointArg::Body(b) if sight.is(*b, leader).is_yes());
        args.iter().any(is_leader).then_some(-1)
    };
    attach(points.straggle_die, rules.straggle_leader, 0, Arc::new(led));

    let over = picket.over;
    let over_river = move |sight: &dyn Sight, args: &[PointArg]| {
        let fight = FightArgs::of(args)?;
        (sight.value(over, (fight.area, fight.attacker)) == Some(1)).then_some(-1)
    };
    attach(points.fight_shift, rules.over_river, LEFT, Arc::new(over_river));

    let (turned, w) = (picket.turned, picket.w.clone());
    let flank = move |by_attacker: bool| -> NativePoint {
        let road = w.road;
        Arc::new(move |sight, args| {
            let fight = FightArgs::of(args)?;
            let position = ChoiceIndex(u8::from(fight.position != road));
            let by = sight.value(turned, position).filter(|&side| side >= 0)?;
            let attacks = by == i32::from(fight.attacker.0);
            (attacks == by_attacker).then_some(if by_attacker { 1 } else { -1 })
        })
    };
    attach(points.fight_shift, rules.flank, LEFT, flank(false));
    attach(points.fight_shift, rules.flank, RIGHT, flank(true));

    let (boxes, road) = (picket.map.boxes, picket.w.road);
    let led = move |of_attacker: bool| -> NativePoint {
        Arc::new(move |sight, args| {
            let fight = FightArgs::of(args)?;
            let side = if of_attacker { fight.attacker.index() } else { 1 - fight.attacker.index() };
            let place = if fight.position == road { boxes[side].road } else { boxes[side].field };
            let is_led = sight.standing(place).iter().any(|&b| sight.is(b, leader).is_yes());
            is_led.then_some(if of_attacker { 1 } else { -1 })
        })
    };
    attach(points.fight_shift, rules.leader, LAST, led(true));
    attach(points.fight_shift, rules.leader, LAST, led(false));
}

/// The stages of a fight's shifts (pl:10.h).
pub(crate) const LEFT: u8 = 0;
pub(crate) const RIGHT: u8 = 1;
pub(crate) const LAST: u8 = 2;

/// The arguments of `fight_shift`.
struct FightArgs {
    attacker: SideId,
    area: SpaceId,
    position: WordId,
}

impl FightArgs {
    fn of(args: &[PointArg]) -> Option<Self> {
        match *args {
            [PointArg::Side(attacker), PointArg::Space(area), PointArg::Word(position)] => {
                Some(Self { attacker, area, position })
            }
            _ => None,
        }
    }
}

/// The arguments of a group that goes over a link into (or out of) an area.
pub(crate) fn group_args(
    side: SideId,
    area: SpaceId,
    link: LinkId,
    bodies: &[BodyId],
) -> SmallVec<[PointArg; 8]> {
    let mut args: SmallVec<[PointArg; 8]> = SmallVec::new();
    args.extend([PointArg::Side(side), PointArg::Space(area), PointArg::Link(link)]);
    args.extend(bodies.iter().map(|&b| PointArg::Body(b)));
    args
}

impl Picket {
    /// How many bodies of a side may stand in an area (pl:3.d).
    pub(crate) fn limit(&self, seen: &Seen<'_>, side: SideId, area: SpaceId) -> i32 {
        if !seen.rule_on(self.rules.limit) {
            return i32::MAX;
        }
        seen.total(self.points.area_limit, &[PointArg::Side(side), PointArg::Space(area)])
    }
}

//! The strength of a Line Position, for odds and for fire (9.72 to 9.74, 9.81 to 9.83).

use adjutant_kernel::contributions::Combine;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Input};
use adjutant_kernel::{BodyId, Cx, Halt, RuleId, SideId};
use smallvec::SmallVec;

use super::fight::Fight;
use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;

/// Strength that is multiplied by `factor` and divided by `divisor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    /// In points.
    pub(crate) strength: i32,
    /// Artillery is totalled by itself (9.82).
    pub(crate) artillery: bool,
    pub(crate) factor: i32,
    pub(crate) divisor: i32,
}

impl Share {
    /// The multiple in its lowest terms; a divisor below 1 counts as 1, a factor below 0 as 0.
    fn reduced(self) -> Self {
        let (factor, divisor) = (self.factor.max(0), self.divisor.max(1));
        let common = greatest_common_divisor(factor, divisor);
        Self { factor: factor / common, divisor: divisor / common, ..self }
    }
}

/// Of numbers of which the second is at least 1.
fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    if a == 0 { b } else { greatest_common_divisor(b % a, a) }
}

/// What shares come to together: those that are multiplied alike are totalled before that, and what comes out is
/// rounded down (9.72).
pub(crate) fn total(shares: impl IntoIterator<Item = Share>) -> i32 {
    let mut groups: SmallVec<[Share; 4]> = SmallVec::new();
    for share in shares {
        let share = share.reduced();
        let alike = |g: &&mut Share| {
            (g.artillery, g.factor, g.divisor) == (share.artillery, share.factor, share.divisor)
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.strength = group.strength.saturating_add(share.strength),
            None => groups.push(share),
        }
    }
    let points = |g: &Share| i64::from(g.strength) * i64::from(g.factor) / i64::from(g.divisor);
    groups.iter().map(points).sum::<i64>().clamp(0, i64::from(i32::MAX)) as i32
}

/// The strength of a position with the rules that changed it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strength {
    /// In points.
    pub(crate) total: i32,
    pub(crate) rules: SmallVec<[RuleId; 6]>,
}

/// A position that is about to be counted.
#[derive(Clone, Copy)]
struct Counted {
    side: SideId,
    position: LinePosition,
    order: Order,
    attacks: bool,
    /// The other position is all militia.
    against_militia: bool,
}

impl Counted {
    fn attacks(self) -> PointArg {
        PointArg::Number(i32::from(self.attacks))
    }
}

/// A multiple with the rules that made it.
struct Multiple<'a> {
    factor: i32,
    divisor: i32,
    rules: &'a mut SmallVec<[RuleId; 6]>,
}

impl Multiple<'_> {
    fn note(&mut self, rule: RuleId) {
        if !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
    }

    /// Multiplies or divides if the rule is in force.
    fn change(&mut self, cx: &Cx<'_>, factor: i32, divisor: i32, rule: RuleId) {
        if cx.rule_on(rule) {
            self.factor = self.factor.saturating_mul(factor);
            self.divisor = self.divisor.saturating_mul(divisor);
            self.note(rule);
        }
    }
}

impl Cwcs {
    /// The strength of a position against an enemy position (9.74, 9.83).
    pub(crate) fn position_strength(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        (side, position): (SideId, LinePosition),
        against: LinePosition,
    ) -> Result<Strength, Halt> {
        let Some(order) = fight.order(side, position) else {
            return Err(cx.fault("a position without an order fights"));
        };
        let counted = Counted {
            side,
            position,
            order,
            attacks: side == fight.attacker,
            against_militia: self.is_all_militia(cx, self.enemy(side), against),
        };
        let mut rules = SmallVec::new();
        let mut shares: SmallVec<[Share; 8]> = SmallVec::new();
        for body in self.line_units(&cx.truth(), side, position) {
            let artillery = cx.read().is(body, self.pieces.sets.artillery);
            let mut multiple = Multiple { factor: 1, divisor: 1, rules: &mut rules };
            if artillery {
                self.multiply_artillery(cx, fight, counted, body, &mut multiple)?;
            } else {
                self.multiply_others(cx, fight, counted, body, &mut multiple);
            }
            self.multiply_by_title(cx, fight, counted, body, &mut multiple)?;
            let strength = self.unit_strength(cx, fight, counted, body, &mut multiple)?;
            shares.push(Share { strength, artillery, factor: multiple.factor, divisor: multiple.divisor });
        }
        let extra = cx.contributions(self.points.extra_strength, &self.line_args(fight, counted))?;
        rules.extend(extra.iter().map(|c| c.rule));
        let total = total(shares).saturating_add(extra.total(Combine::Sum)).max(0);
        Ok(Strength { total, rules })
    }

    /// 9.72: terrain for who defends without counterattacking; the river and the march for who attacks; cavalry.
    fn multiply_others(
        &self,
        cx: &Cx<'_>,
        fight: &Fight,
        counted: Counted,
        body: BodyId,
        multiple: &mut Multiple<'_>,
    ) {
        let rules = &self.resolution.rules;
        let board = cx.rulebook().board();
        if counted.attacks {
            self.halve_for_river(cx, fight, counted, body, rules.forded, multiple);
            if counted.side == fight.phasing && cx.flag(self.columns.force_marching, body) {
                multiple.change(cx, 1, 2, rules.force_marched);
            }
        } else if counted.order != Order::Counterattack {
            if board.has_feature_space(fight.area, self.map.mountain) {
                multiple.change(cx, 3, 1, rules.mountain);
            } else if board.has_feature_space(fight.area, self.map.rough) {
                multiple.change(cx, 2, 1, rules.rough);
            }
        }
        if cx.read().is(body, self.pieces.sets.cavalry) && !counted.against_militia {
            multiple.change(cx, 1, 2, rules.cavalry);
        }
    }

    /// 9.73: the chart, and the river for who attacks.
    fn multiply_artillery(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        counted: Counted,
        body: BodyId,
        multiple: &mut Multiple<'_>,
    ) -> Result<(), Halt> {
        let side = cx.rulebook().sides().get(counted.side.index());
        let column = side.and_then(|side| cx.rulebook().word_named(side)).map_or(Input::None, Input::Word);
        let row = Input::Word(self.lines.order(counted.order));
        let found =
            self.look_up(cx, self.tables.artillery_multiplier, &Entry { column, row, ..Entry::default() })?;
        multiple.change(cx, found.number().unwrap_or(1), 1, self.resolution.rules.artillery);
        if counted.attacks {
            self.halve_for_river(cx, fight, counted, body, self.resolution.rules.artillery_forded, multiple);
        }
        Ok(())
    }

    /// Units that crossed a major river this turn attack with half their strength (9.92.a).
    fn halve_for_river(
        &self,
        cx: &Cx<'_>,
        fight: &Fight,
        counted: Counted,
        body: BodyId,
        rule: RuleId,
        multiple: &mut Multiple<'_>,
    ) {
        if counted.side == fight.phasing && cx.get(self.columns.forded_from, body) >= 0 {
            multiple.change(cx, 1, 2, rule);
        }
    }

    fn multiply_by_title(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        counted: Counted,
        body: BodyId,
        multiple: &mut Multiple<'_>,
    ) -> Result<(), Halt> {
        let w = &self.resolution.w;
        let arm = if cx.read().is(body, self.pieces.sets.artillery) { w.artillery } else { w.others };
        let [side, area, position, order] = self.line_args(fight, counted);
        let args =
            [side, area, position, order, PointArg::Word(arm), counted.attacks(), PointArg::Body(body)];
        for (point, divides) in [(self.points.strength_factor, false), (self.points.strength_divisor, true)] {
            for given in &cx.contributions(point, &args)? {
                let (factor, divisor) = if divides { (1, given.value) } else { (given.value, 1) };
                multiple.factor = multiple.factor.saturating_mul(factor);
                multiple.divisor = multiple.divisor.saturating_mul(divisor);
                multiple.note(given.rule);
            }
        }
        Ok(())
    }

    /// The strength of a unit by itself, with what the title adds to it.
    fn unit_strength(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        counted: Counted,
        body: BodyId,
        multiple: &mut Multiple<'_>,
    ) -> Result<i32, Halt> {
        let strength = self.units.strength(&cx.truth(), body).unwrap_or(0);
        let [side, area, position, order] = self.line_args(fight, counted);
        let (unit, own) = (PointArg::Body(body), PointArg::Number(strength));
        let args = [side, area, position, order, unit, counted.attacks(), own];
        let more = cx.contributions(self.points.unit_strength, &args)?;
        more.iter().for_each(|given| multiple.note(given.rule));
        Ok(strength.saturating_add(more.total(Combine::Sum)).max(0))
    }

    fn line_args(&self, fight: &Fight, counted: Counted) -> [PointArg; 4] {
        [
            PointArg::Side(counted.side),
            PointArg::Space(fight.area),
            PointArg::Word(self.lines.position(counted.position)),
            PointArg::Word(self.lines.order(counted.order)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::{Share, total};

    fn share(strength: i32, factor: i32, divisor: i32) -> Share {
        Share { strength, artillery: false, factor, divisor }
    }

    /// The examples of 9.72: 9 and 6 halved are 7; a lone 1 halved is nothing.
    #[test]
    fn strengths_are_totalled_before_they_are_halved() {
        assert_eq!(total([share(9, 1, 2), share(6, 1, 2)]), 7);
        assert_eq!(total([share(1, 1, 2)]), 0);
        assert_eq!(total([share(3, 1, 2), share(3, 1, 2)]), 3);
    }

    #[test]
    fn multipliers_are_cumulative_and_shares_alike_are_one() {
        // Cavalry of 5 that defends rough country: doubled and halved, like infantry in the open.
        assert_eq!(total([share(5, 2, 2), share(4, 1, 1)]), 9);
        // A quarter of 7 and of 4 together is 2, not 1 and 1.
        assert_eq!(total([share(7, 1, 4), share(4, 2, 8)]), 2);
        // Tripled and halved: 7, and the infantry by itself.
        assert_eq!(total([share(5, 3, 2), share(5, 3, 1)]), 7 + 15);
    }

    /// The example of 9.83: 12 points of others and 7 of artillery are 19; each is rounded by itself.
    #[test]
    fn artillery_is_rounded_by_itself() {
        let guns = |strength| Share { artillery: true, ..share(strength, 1, 2) };
        assert_eq!(total([share(12, 1, 1), Share { artillery: true, ..share(7, 1, 1) }]), 19);
        assert_eq!(total([share(3, 1, 2), guns(3)]), 2);
    }

    #[test]
    fn odd_multiples_do_no_harm() {
        assert_eq!(total([share(5, 0, 2), share(5, -1, 1), share(5, 1, 0)]), 5);
        assert_eq!(total([share(i32::MAX, i32::MAX, 1); 3]), i32::MAX);
        assert_eq!(total([]), 0);
    }
}

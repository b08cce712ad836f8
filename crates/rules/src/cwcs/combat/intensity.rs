//! The Combat Intensity Charts: what both sides lose whatever the dice (9.7).

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Cell, ColumnWorking, Direction, Entry, Input, Part, Steps};
use adjutant_kernel::{Cx, Halt, PlaceId, TableId};
use smallvec::SmallVec;

use super::fight::Fight;
use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;
use crate::cwcs::points::by_rule;

/// The highest Combat Intensity Level.
const HIGHEST: i32 = 4;

/// What the charts say of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Automatic {
    /// The Combat Intensity Level.
    pub(crate) level: i32,
    /// Points that the attacker and the defender lose.
    pub(crate) losses: [i32; 2],
}

/// The column shifts of a look-up.
pub(crate) type Shifts = SmallVec<[Contribution; 6]>;

impl Cwcs {
    /// The Combat Intensity Level of a pair (9.71).
    fn intensity(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        pair: (LinePosition, LinePosition),
        orders: (Order, Order),
    ) -> Result<i32, Halt> {
        let [own, other] = [orders.0, orders.1].map(|order| self.lines.order(order));
        let entry = Entry { row: Input::Word(own), column: Input::Word(other), ..Entry::default() };
        let level = self.look_up(cx, self.tables.intensity, &entry)?.number().unwrap_or(0);
        let args = [
            PointArg::Side(fight.attacker),
            PointArg::Space(fight.area),
            PointArg::Word(self.lines.position(pair.0)),
            PointArg::Word(self.lines.position(pair.1)),
            PointArg::Word(own),
            PointArg::Word(other),
        ];
        Ok(level.saturating_add(cx.total(self.points.intensity, &args)?).clamp(0, HIGHEST))
    }

    /// The shifts of the odds (9.75).
    fn odds_shifts(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        pair: (LinePosition, LinePosition),
        defence: Order,
    ) -> Result<Shifts, Halt> {
        let (map, rule, board) = (&self.map, self.resolution.rules.odds_terrain, cx.rulebook().board());
        let mut shifts = Shifts::new();
        let terrain = [map.rough, map.mountain, map.defensible];
        let helps = terrain.iter().any(|&t| board.has_feature_space(fight.area, t));
        if helps && defence != Order::Counterattack && cx.rule_on(rule) {
            shifts.push(Contribution::new(rule, -1));
        }
        let args = [
            PointArg::Side(fight.attacker),
            PointArg::Space(fight.area),
            PointArg::Word(self.lines.position(pair.0)),
            PointArg::Word(self.lines.position(pair.1)),
        ];
        shifts.extend(cx.contributions(self.points.odds_shift, &args)?.iter().copied());
        Ok(self.in_stages(cx, self.tables.automatic_losses, shifts))
    }

    /// Shifts in stages of a table's order: who names none that admits his shift means the first that does.
    pub(crate) fn in_stages(&self, cx: &Cx<'_>, table: TableId, shifts: Shifts) -> Shifts {
        let order = cx.rulebook().table(table).column_order();
        let admits = |shift: &Contribution| {
            order.stages().get(usize::from(shift.stage)).is_some_and(|stage| match stage.direction {
                Direction::Left => shift.value <= 0,
                Direction::Right => shift.value >= 0,
                Direction::Either => true,
            })
        };
        let placed = |shift: Contribution| {
            if admits(&shift) {
                return Some(shift);
            }
            order.stage_for(shift.value).map(|stage| Contribution { stage, ..shift })
        };
        shifts.into_iter().filter(|shift| shift.value != 0).filter_map(placed).collect()
    }

    /// What CIC A and B say of a pair (9.71 to 9.76); all are told how.
    pub(crate) fn automatic_losses(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        pair: (LinePosition, LinePosition),
    ) -> Result<Automatic, Halt> {
        let (attacker, defender) = (fight.attacker, fight.defender());
        let (Some(attack), Some(defence)) = (fight.order(attacker, pair.0), fight.order(defender, pair.1))
        else {
            return Err(cx.fault("a position without an order fights"));
        };
        let level = self.intensity(cx, fight, pair, (attack, defence))?;
        let own = self.position_strength(cx, fight, (attacker, pair.0), pair.1)?;
        let other = self.position_strength(cx, fight, (defender, pair.1), pair.0)?;
        let shifts = self.odds_shifts(cx, fight, pair, defence)?;
        let table = self.tables.automatic_losses;
        let entry = Entry {
            row: Input::Number(level),
            column: Input::Pair { attacker: own.total, defender: other.total },
            shifts: &shifts,
            ..Entry::default()
        };
        let working = cx.rulebook().table(table).look_up(&entry);
        let working =
            working.map_err(|error| cx.fault(format!("`{}`: {error}", cx.rulebook().table_name(table))))?;
        let losses = [0, 1].map(|n| part(working.result, n));
        let w = &self.resolution.w;
        let column = |n: u16| self.heading(cx, table, n);
        let (start, end) = (column(working.column.start), column(working.column.end));
        cx.publish(w.intensity, self.resolution.rules.automatic, |e| {
            e.about(w.area, Arg::Place(PlaceId(fight.area.0)));
            e.about(w.attacker, Arg::Side(attacker));
            e.about(w.position, Arg::Word(self.lines.position(pair.0)));
            e.about(w.order, Arg::Word(self.lines.order(attack)));
            e.about(w.defender, Arg::Side(defender));
            e.about(w.target, Arg::Word(self.lines.position(pair.1)));
            e.about(w.reply, Arg::Word(self.lines.order(defence)));
            e.about(w.level, Arg::Number(level));
            e.answer(w.strength, Arg::Number(own.total));
            e.answer(w.against, Arg::Number(other.total));
            let rules = own.rules.iter().chain(&other.rules).map(|rule| Arg::Rule(*rule));
            e.answer(w.multiplied, Arg::List(rules.collect()));
            e.answer(w.start, start);
            e.answer(w.shifts, shown(&working.column));
            e.answer(w.shifted, Arg::Flag(working.column.start != working.column.end));
            e.answer(w.column, end);
            e.answer(w.attacker_loses, Arg::Number(losses[0]));
            e.answer(w.defender_loses, Arg::Number(losses[1]));
        })?;
        Ok(Automatic { level, losses })
    }

    /// The heading of a table's column.
    pub(crate) fn heading(&self, cx: &Cx<'_>, table: TableId, column: u16) -> Arg {
        Arg::Text(cx.rulebook().table(table).columns().heading(column.into()).unwrap_or_default())
    }
}

/// The shifts of a column, each with its rule.
pub(crate) fn shown(column: &ColumnWorking) -> Arg {
    let steps: &Steps = &column.shifts;
    by_rule(steps.iter().map(|step| (step.amount, step.rule)))
}

/// What stands in a cell for one side: a dash is nothing.
fn part(cell: Cell, n: usize) -> i32 {
    match cell.parts().get(n) {
        Some(Part::Number(points)) => (*points).max(0),
        Some(Part::None | Part::Word(_)) | None => 0,
    }
}

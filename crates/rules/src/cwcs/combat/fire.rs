//! Fire: the Fire Combat Results Table (9.8).

use adjutant_kernel::contributions::Contribution;
use adjutant_kernel::events::Arg;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Cell, Entry, Input};
use adjutant_kernel::{Cx, Halt, RuleId, SideId};

use super::fight::Fight;
use super::intensity::{Shifts, shown};
use super::lines::{LinePosition, Order};
use crate::cwcs::Cwcs;

impl Cwcs {
    /// A position fires at an enemy position (9.8): gives the points that the target loses.
    pub(crate) fn fire(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        (side, position): (SideId, LinePosition),
        target: LinePosition,
    ) -> Result<i32, Halt> {
        let (w, rules, table) = (&self.resolution.w, &self.resolution.rules, self.tables.fire);
        let Some(order) = fight.order(side, position) else {
            return Err(cx.fault("a position without an order fires"));
        };
        let strength = self.position_strength(cx, fight, (side, position), target)?;
        let shifts = self.fire_shifts(cx, fight, (side, position), target)?;
        // 9.83: who has less than a point does not fire.
        let column = match strength.total {
            ..1 => None,
            points => Some(self.fire_column(cx, order, points)?),
        };
        let working = match column {
            Some(column) => Some(self.find_fire_column(cx, column, &shifts)?),
            None => None,
        };
        let rule = if working.is_some() { rules.fire_column } else { rules.no_fire };
        let headings = working.as_ref().map(|working| {
            let is_shifted = Arg::Flag(working.start != working.end);
            let heading = |column| self.heading(cx, table, column);
            (heading(working.start), heading(working.end), shown(working), is_shifted)
        });
        cx.publish(w.fires, rule, |e| {
            e.about(w.side, Arg::Side(side));
            e.about(w.position, Arg::Word(self.lines.position(position)));
            e.about(w.order, Arg::Word(self.lines.order(order)));
            e.about(w.target, Arg::Word(self.lines.position(target)));
            e.answer(w.strength, Arg::Number(strength.total));
            if let Some((start, end, shifts, is_shifted)) = headings {
                e.answer(w.start, start);
                e.answer(w.shifts, shifts);
                e.answer(w.shifted, is_shifted);
                e.answer(w.column, end);
            }
        })?;
        let Some(column) = column else { return Ok(0) };
        self.roll_fire(cx, (side, position), column, &shifts)
    }

    /// The die, and another for an asterisk (9.87).
    fn roll_fire(
        &self,
        cx: &mut Cx<'_>,
        (side, position): (SideId, LinePosition),
        column: i32,
        shifts: &Shifts,
    ) -> Result<i32, Halt> {
        let (w, rules) = (&self.resolution.w, &self.resolution.rules);
        let drawn = cx.throw(None, self.tables.fire)?;
        let dice = drawn.faces().unwrap_or_default();
        let entry = Entry { column: Input::Number(column), dice, shifts, ..Entry::default() };
        let found = self.look_up(cx, self.tables.fire, &entry)?;
        let again = found.word().is_some();
        let lost = points(found);
        cx.report(drawn, if again { rules.fire_again } else { rules.fire_result }, |e| {
            e.arg(w.side, Arg::Side(side));
            e.arg(w.position, Arg::Word(self.lines.position(position)));
            e.arg(w.again, Arg::Flag(again));
            e.arg(w.lost, Arg::Number(lost));
        });
        if !again {
            self.tell_hits(cx, side, position, lost);
            return Ok(lost);
        }
        let drawn = cx.throw(None, self.tables.fire_again)?;
        let dice = drawn.faces().unwrap_or_default();
        let found = self.look_up(cx, self.tables.fire_again, &Entry { dice, ..Entry::default() })?;
        let lost = points(found);
        cx.report(drawn, rules.fire_again, |e| {
            e.arg(w.side, Arg::Side(side));
            e.arg(w.position, Arg::Word(self.lines.position(position)));
            e.arg(w.again, Arg::Flag(false));
            e.arg(w.lost, Arg::Number(lost));
        });
        self.tell_hits(cx, side, position, lost);
        Ok(lost)
    }

    fn tell_hits(&self, cx: &mut Cx<'_>, side: SideId, position: LinePosition, lost: i32) {
        let w = &self.resolution.w;
        cx.story(w.hits, Some(self.resolution.rules.fire_result), |e| {
            e.arg(w.side, Arg::Side(side));
            e.arg(w.position, Arg::Word(self.lines.position(position)));
            e.arg(w.lost, Arg::Number(lost));
        });
    }

    /// The column for an order and a fire strength (9.84).
    fn fire_column(&self, cx: &Cx<'_>, order: Order, strength: i32) -> Result<i32, Halt> {
        let row = Input::Word(self.lines.order(order));
        let entry = Entry { row, column: Input::Number(strength), ..Entry::default() };
        let found = self.look_up(cx, self.tables.fire_column, &entry)?;
        found.number().ok_or_else(|| cx.fault("`fire column` gives no column"))
    }

    fn find_fire_column(
        &self,
        cx: &Cx<'_>,
        column: i32,
        shifts: &Shifts,
    ) -> Result<adjutant_kernel::tables::ColumnWorking, Halt> {
        let table = self.tables.fire;
        let found = cx.rulebook().table(table).find_column(Input::Number(column), shifts);
        found.map_err(|error| cx.fault(format!("`{}`: {error}", cx.rulebook().table_name(table))))
    }

    /// The shifts of 9.85 and 9.86, and the title's.
    fn fire_shifts(
        &self,
        cx: &mut Cx<'_>,
        fight: &Fight,
        (side, position): (SideId, LinePosition),
        target: LinePosition,
    ) -> Result<Shifts, Halt> {
        let mut shifts = Shifts::new();
        let mixed = self.line_formations(cx, side, position).len() > 1;
        let helped = self.officer_helps(cx, fight, (side, position), target);
        let mut shift = |cx: &Cx<'_>, columns: i32, rule: RuleId| {
            if cx.rule_on(rule) {
                shifts.push(Contribution::new(rule, columns));
            }
        };
        let rules = &self.resolution.rules;
        if side == fight.attacker {
            if mixed {
                shift(cx, -2, rules.attackers_mixed);
            }
            for _ in 0..self.unfired_beside(cx, fight, target) {
                shift(cx, -1, rules.unfired_beside);
            }
            if helped {
                shift(cx, 1, rules.attackers_officer);
            }
            if self.is_all_militia(cx, fight.defender(), target) {
                shift(cx, 1, rules.at_militia);
            }
            if self.withdraws_beside(fight, target) {
                shift(cx, 1, rules.withdrawal_beside);
            }
        } else {
            if mixed {
                shift(cx, -1, rules.defenders_mixed);
            }
            if helped {
                shift(cx, 1, rules.defenders_officer);
            }
        }
        let order = fight.order(side, position).map(|order| self.lines.order(order)).unwrap_or_default();
        let args = [
            PointArg::Side(side),
            PointArg::Space(fight.area),
            PointArg::Word(self.lines.position(position)),
            PointArg::Word(self.lines.position(target)),
            PointArg::Word(order),
        ];
        shifts.extend(cx.contributions(self.points.fire_shift, &args)?.iter().copied());
        Ok(self.in_stages(cx, self.tables.fire, shifts))
    }

    /// How many of the defender's positions next to the target no position of the attacker fires at (9.86.b).
    fn unfired_beside(&self, cx: &Cx<'_>, fight: &Fight, target: LinePosition) -> usize {
        let (attacker, defender) = (fight.attacker, fight.defender());
        let fired_at = |position: LinePosition| {
            LinePosition::ALL.iter().any(|&own| fight.target(attacker, own) == Some(position))
        };
        let stands = |position: LinePosition| !self.line_units(&cx.truth(), defender, position).is_empty();
        let beside = LinePosition::ALL.into_iter().filter(|other| other.is_next_to(target));
        beside.filter(|&other| stands(other) && !fired_at(other)).count()
    }

    /// Whether a position next to the target is ordered to withdraw (9.86.c.3).
    fn withdraws_beside(&self, fight: &Fight, target: LinePosition) -> bool {
        let defender = fight.defender();
        LinePosition::ALL
            .into_iter()
            .any(|other| other.is_next_to(target) && fight.order(defender, other) == Some(Order::Withdraw))
    }
}

/// The points of a result: a dash and an asterisk are none.
fn points(cell: Cell) -> i32 {
    cell.number().unwrap_or(0).max(0)
}

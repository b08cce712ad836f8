//! What the end of a Movement Phase brings: stragglers of force marches (7.33), recovery (7.4), and markers come off.

use adjutant_kernel::events::Arg;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::tables::{Entry, Input};
use adjutant_kernel::{Audience, BodyId, Cx, Halt, RuleId, SideId, SpaceId, WordId};
use smallvec::SmallVec;

use super::super::Cwcs;
use super::super::points::contributed;
use super::super::units::Bodies;

impl Cwcs {
    /// A Movement Phase begins: the marks of the last one that the side still bears come off.
    pub(crate) fn begin_movement(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        let marks = &self.movement.marks;
        for body in self.on_map(&cx.truth(), side) {
            cx.set(marks.across, body, 0)?;
            cx.set(marks.compelled, body, 0)?;
            cx.set(self.columns.bridgehead, body, 0)?;
        }
        self.note_contested(cx, side)
    }

    /// All have moved: stragglers are lost and recovered, and what was noted of the moves is forgotten, so that units
    /// look alike when their owner arranges his stacks.
    pub(crate) fn end_movement(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        self.roll_after_marches(cx, side)?;
        self.recover_stragglers(cx, side)?;
        let (columns, marks) = (&self.columns, &self.movement.marks);
        for body in self.on_map(&cx.truth(), side) {
            if let Some(area) = cx.read().space(body).filter(|_| cx.get(columns.moved, body) > 0) {
                cx.set(columns.entered, (area, side), 1)?;
            }
            for mark in [columns.moved, marks.group, columns.initiated_combat] {
                cx.set(mark, body, 0)?;
            }
            cx.set(marks.entered_from, body, -1)?;
        }
        if let Some(waiting) = self.movement.waiting[side.index().min(1)] {
            let bodies: Bodies = cx.read().bodies(waiting).collect();
            for body in bodies {
                cx.set(columns.force_marching, body, 0)?;
            }
        }
        cx.set(marks.moves, (), 0)?;
        cx.set(marks.retreats, side, 0)?;
        cx.reset(marks.barred.id, Some(side))?;
        cx.reset(marks.dense.id, Some(side))
    }

    /// A die for every unit that force marched, in the order of areas and stacks (7.33).
    fn roll_after_marches(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        let marched: Bodies = self
            .on_map(&cx.truth(), side)
            .into_iter()
            .filter(|&body| cx.flag(self.columns.force_marching, body))
            .collect();
        for body in marched {
            let Some(at) = cx.read().space(body) else { continue };
            let from = u16::try_from(cx.get(self.movement.marks.entered_from, body)).map_or(at, SpaceId);
            let rule = self.movement.rules.stragglers;
            self.roll_for_stragglers(cx, body, (from, at), self.movement.w.force_march, rule)?;
        }
        Ok(())
    }

    /// A unit rolls for stragglers (7.33, 9.91), having come from an area into another for a cause, and loses them. Gives
    /// the points that it lost.
    ///
    /// The die is thrown before all; what it means is its owner's secret. So a die is thrown for those too who cannot
    /// straggle: dummies (3.23), leaders, artillery on a force march.
    pub(crate) fn roll_for_stragglers(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        way: (SpaceId, SpaceId),
        cause: WordId,
        rule: RuleId,
    ) -> Result<i32, Halt> {
        let loss = self.straggler_roll(cx, body, way, cause, rule)?;
        self.straggle(cx, body, loss, rule)
    }

    /// The die for stragglers alone, for losses that count later (9.91.b): gives the points.
    pub(crate) fn straggler_roll(
        &self,
        cx: &mut Cx<'_>,
        body: BodyId,
        (from, to): (SpaceId, SpaceId),
        cause: WordId,
        rule: RuleId,
    ) -> Result<i32, Halt> {
        let Some(side) = cx.read().side(body) else { return Ok(0) };
        let mut args: SmallVec<[PointArg; 6]> = SmallVec::new();
        args.extend([PointArg::Side(side), PointArg::Space(from), PointArg::Space(to)]);
        args.extend([PointArg::Word(cause), PointArg::Body(body)]);
        let table = self.tables.stragglers;
        let drawn = cx.throw(None, table)?;
        let modifiers: SmallVec<[_; 4]> =
            cx.contributions(self.points.straggler_die, &args)?.iter().copied().collect();
        let spared = cx.forbidden(self.points.no_stragglers, &args)?.is_some();
        let strength = self.units.strength(&cx.truth(), body).unwrap_or(0);
        let mut loss = 0;
        let straggles = !spared && strength > 0 && self.may_straggle(cx, body, cause);
        if straggles {
            let dice = drawn.faces().unwrap_or_default();
            let column = Input::Number(strength);
            let entry = Entry { column, dice, modifiers: &modifiers, ..Entry::default() };
            let found = self.look_up(cx, table, &entry)?.number().unwrap_or(0);
            args.push(PointArg::Number(found));
            loss = (found + cx.total(self.points.straggler_loss, &args)?).clamp(0, strength);
        }
        let (w, own) = (&self.movement.w, Audience::side(side));
        cx.report(drawn, rule, |e| {
            e.arg(self.w.unit, Arg::KnownBodies(Bodies::from_slice(&[body])));
            e.arg(w.cause, Arg::Word(cause));
        });
        if loss > 0 {
            cx.story_for(w.straggles, own, Some(rule), |e| {
                e.arg(self.w.unit, Arg::KnownBodies(Bodies::from_slice(&[body])));
                e.arg(self.w.points, Arg::Number(loss));
                e.arg(w.modifiers, contributed(&modifiers));
                e.arg(w.modified, Arg::Flag(!modifiers.is_empty()));
            });
        }
        Ok(loss)
    }

    /// Whether a unit can lose stragglers for a cause: nobody but infantry and cavalry does by force march (7.33).
    fn may_straggle(&self, cx: &Cx<'_>, body: BodyId, cause: WordId) -> bool {
        let (read, sets) = (cx.read(), &self.pieces.sets);
        if cause == self.movement.w.force_march {
            return read.is(body, sets.foot) || read.is(body, sets.cavalry);
        }
        read.is(body, sets.units)
    }
}

//! Where units go that retreat before combat or withdraw (9.22), and how they come there.
//!
//! The priorities hang on who controls the areas around, the retreating side or the other. What it does not know of the
//! other it asks, area by area, and no more than its priorities need; that it asks for nothing more is a release, too.
//! It learns whether the enemy controls an area, and nothing of why.

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight as _, Tri};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{BodyId, Cx, Halt, LinkId, PlaceId, RuleId, SideId, SpaceId, WordId};
use smallvec::SmallVec;

use crate::cwcs::Cwcs;
use crate::cwcs::movement::Distances;
use crate::cwcs::units::Bodies;

/// Areas in their order.
pub(crate) type Areas = SmallVec<[SpaceId; 8]>;

/// An area to which a way leads.
#[derive(Clone, Copy)]
struct Way {
    to: SpaceId,
    /// The crossing of a major river by which they would come: against those artillery may exert control (3.44).
    over: Option<LinkId>,
}

type WaysOut = SmallVec<[Way; 8]>;

/// A side that looks for refuges, with what it knows.
struct Search<'a> {
    cw: &'a Cwcs,
    seen: &'a Seen<'a>,
    side: SideId,
    from: SpaceId,
}

impl Search<'_> {
    /// The areas next to that of the combat to which units may go at all (7.2, and what the title says).
    fn ways(&self, cause: WordId, units: &[BodyId]) -> WaysOut {
        let (cw, seen, side, from) = (self.cw, self.seen, self.side, self.from);
        let board = seen.rulebook().board();
        let mut ways = WaysOut::new();
        for &to in cw.map.adjacent(from) {
            let Ok(link) = cw.way_back(seen, side, (from, to), cause, units) else { continue };
            ways.push(Way { to, over: Some(link).filter(|&link| cw.map.is_over_river(board, link)) });
        }
        ways
    }

    fn is_own(&self, way: Way) -> bool {
        self.cw.control.controls(self.seen, self.side, way.to, None).is_yes()
    }

    fn is_enemys(&self, way: Way) -> Tri {
        self.cw.control.controls(self.seen, self.cw.enemy(self.side), way.to, way.over)
    }

    /// Whether a leader who is not in the combat is in an area or next to it.
    fn has_leader_near(&self, way: Way) -> bool {
        let near = |area: SpaceId| area != self.from && self.cw.map.near(way.to, area);
        let is_leader = |body: BodyId| self.seen.is(body, self.cw.pieces.sets.leaders).is_yes();
        let areas = self.cw.map.areas.iter().copied().filter(|&area| near(area));
        areas.flat_map(|area| self.seen.bodies_of(self.side, area)).any(is_leader)
    }

    fn is_closer(&self, homeward: &Distances, way: Way) -> bool {
        match (homeward.of(way.to), homeward.of(self.from)) {
            (Some(there), Some(here)) => there < here,
            _ => false,
        }
    }

    /// The areas of the best priority, or one of which the side must know more first.
    fn find(&self, ways: &[Way]) -> Result<Areas, Way> {
        let pick =
            |test: &dyn Fn(Way) -> bool| ways.iter().copied().filter(|&way| test(way)).collect::<WaysOut>();
        // (1) Their own alone.
        let own = pick(&|way| self.is_own(way));
        let alone = self.not_the_enemys(&own)?;
        if !alone.is_empty() {
            return Ok(alone);
        }
        // (2) Near a leader.
        let led = self.not_the_enemys(&pick(&|way| self.has_leader_near(way)))?;
        if !led.is_empty() {
            return Ok(led);
        }
        // (3) Nearer home.
        let homeward = self.cw.distances(self.seen, self.side);
        let nearer = self.not_the_enemys(&pick(&|way| self.is_closer(&homeward, way)))?;
        if !nearer.is_empty() {
            return Ok(nearer);
        }
        // (4) Of both: all that must be known for it was asked for (1).
        Ok(own.iter().filter(|&&way| self.is_enemys(way).is_yes()).map(|way| way.to).collect())
    }

    /// Those of some areas that the enemy does not control.
    fn not_the_enemys(&self, ways: &[Way]) -> Result<Areas, Way> {
        let mut areas = Areas::new();
        for &way in ways {
            match self.is_enemys(way) {
                Tri::No => areas.push(way.to),
                Tri::Yes => {}
                Tri::Unknown => return Err(way),
            }
        }
        Ok(areas)
    }

    /// The same for each of several units; the areas of all of them.
    fn find_for(&self, cause: WordId, units: &[BodyId]) -> Result<Areas, Way> {
        let cw = self.cw;
        let hangs_on_units = [cw.points.may_cross, cw.points.may_retreat_to]
            .iter()
            .any(|&point| self.seen.rulebook().has_attachments(point));
        let mut areas = Areas::new();
        for unit in units.iter().take(if hangs_on_units { units.len() } else { 1 }) {
            areas.extend(self.find(&self.ways(cause, &[*unit]))?);
        }
        areas.sort_unstable();
        areas.dedup();
        Ok(areas)
    }
}

/// What is asked about a way on which units retreat.
fn retreat_args(
    side: SideId,
    (from, to): (SpaceId, SpaceId),
    link: LinkId,
    cause: WordId,
    units: &[BodyId],
) -> SmallVec<[PointArg; 12]> {
    let mut args: SmallVec<[PointArg; 12]> = SmallVec::new();
    args.extend([PointArg::Side(side), PointArg::Space(from), PointArg::Space(to)]);
    args.extend([PointArg::Link(link), PointArg::Word(cause)]);
    args.extend(units.iter().map(|&unit| PointArg::Body(unit)));
    args
}

impl Cwcs {
    /// The link by which units may retreat or withdraw to an area next to theirs, as far as their side knows, or the rule
    /// that is against it: a way (7.2), and what the title says.
    pub(crate) fn way_back(
        &self,
        seen: &Seen<'_>,
        side: SideId,
        way: (SpaceId, SpaceId),
        cause: WordId,
        units: &[BodyId],
    ) -> Result<LinkId, RuleId> {
        let link = self.way(seen, side, way, cause, units)?;
        if !seen.rulebook().has_attachments(self.points.may_retreat_to) {
            return Ok(link);
        }
        let args = retreat_args(side, way, link, cause, units);
        seen.forbidden(self.points.may_retreat_to, &args).map_or(Ok(link), Err)
    }

    /// Where units may retreat or withdraw to (9.22), each by itself, as far as their side knows; an area of which it
    /// must be told first, if that is not enough.
    pub(crate) fn refuges(
        &self,
        seen: &Seen<'_>,
        side: SideId,
        from: SpaceId,
        cause: WordId,
        units: &[BodyId],
    ) -> Result<Areas, SpaceId> {
        Search { cw: self, seen, side, from }.find_for(cause, units).map_err(|way| way.to)
    }

    /// Tells what a side must know whose units retreat or withdraw, and gives the areas where some of them may go (9.22):
    /// none, if they may go nowhere.
    pub(crate) fn retreats_to(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        from: SpaceId,
        cause: WordId,
        units: &[BodyId],
        rule: RuleId,
    ) -> Result<Areas, Halt> {
        loop {
            let found = Search { cw: self, seen: &cx.seen(side), side, from }.find_for(cause, units);
            let asked = found.as_ref().err().map(|way| way.to);
            let w = &self.cavalry.w;
            cx.publish(w.asks, rule, |e| {
                e.about(self.w.side, Arg::Side(side));
                e.about(w.from, Arg::Place(PlaceId(from.0)));
                e.answer(self.w.number, Arg::Number(i32::from(asked.is_some())));
                if let Some(area) = asked {
                    e.answer(self.w.area, Arg::Place(PlaceId(area.0)));
                }
            })?;
            match found {
                Ok(areas) => return Ok(areas),
                Err(Way { to, over }) => {
                    self.tell_control(cx, (self.enemy(side), to), over, rule, self.moments.turn_ends)?;
                }
            }
        }
    }

    /// Units fall back from an area into another as one stack. If dummies and leaders alone hold it, and those who come
    /// are no mere dummies, the dummies go (3.22.d). Whoever comes takes no part in a combat there (9.22).
    ///
    /// What the title forbids on the truth alone stops them: the answer is whether they went.
    pub(crate) fn falls_back(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        units: &[BodyId],
        (from, to): (SpaceId, SpaceId),
        cause: WordId,
        rule: RuleId,
    ) -> Result<bool, Halt> {
        let (w, named) = (&self.cavalry.w, Bodies::from_slice(units));
        let way = self.way(&cx.seen(side), side, (from, to), cause, units);
        let against = match way {
            Ok(link) => {
                let args = retreat_args(side, (from, to), link, cause, units);
                cx.forbidden(self.points.may_retreat_to, &args)?
            }
            Err(rule) => Some(rule),
        };
        if let Some(rule) = against {
            cx.stop(rule, |e| {
                e.arg(self.w.units, Arg::KnownBodies(named));
                e.arg(self.w.area, Arg::Place(PlaceId(from.0)));
            });
            return Ok(false);
        }
        cx.move_group(cause, units, Dest::NewStack(PlaceId(to.0)))?;
        cx.story(w.retreats, Some(rule), |e| {
            e.arg(self.w.units, Arg::KnownBodies(named));
            e.arg(w.from, Arg::Place(PlaceId(from.0)));
            e.arg(w.to, Arg::Place(PlaceId(to.0)));
        });
        for &body in units {
            cx.set(self.columns.sits_out, body, 1)?;
        }
        self.open_area(cx, side, units, to)?;
        Ok(true)
    }

    /// What 3.22.d asks of the enemy where units come.
    pub(crate) fn open_area(
        &self,
        cx: &mut Cx<'_>,
        side: SideId,
        units: &[BodyId],
        area: SpaceId,
    ) -> Result<(), Halt> {
        let (enemy, sets, rule) = (self.enemy(side), &self.pieces.sets, self.cavalry.rules.opens);
        let foes = self.here(cx, enemy, area);
        let known = foes.iter().any(|&body| cx.common().is(body, sets.units).is_yes());
        if foes.is_empty() || known || !cx.rule_on(rule) {
            return Ok(());
        }
        let opens = units.iter().any(|&body| !cx.read().is(body, sets.dummies))
            && !foes.iter().any(|&body| cx.read().is(body, sets.units));
        cx.publish(self.cavalry.w.opened, rule, |e| {
            e.about(self.w.area, Arg::Place(PlaceId(area.0)));
            e.answer(self.w.result, Arg::Flag(opens));
        })?;
        if opens {
            self.unmask(cx, (enemy, area), rule, self.moments.turn_ends)?;
        }
        Ok(())
    }
}

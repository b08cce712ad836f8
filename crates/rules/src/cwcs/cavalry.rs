//! Cavalry (8) and those who retreat before combat (9.2): the words, rules and marks that their files share.

use std::sync::Arc;

use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::ProcRef;
use adjutant_kernel::knowledge::QuestionKind;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::rulebook::Column;
use adjutant_kernel::{
    BodyId, Common, Cx, Halt, PlaceId, PointId, QuestionId, Refusal, RuleId, RulebookBuilder, Seen, SideId,
    Sight as _, SpaceId, TableId, Verdict,
};

use super::Cwcs;
use super::combat::retreat::RetreatBeforeCombat;
use super::interception::Intercept;
use super::names::{rules, words};
use super::pieces::{Missing, Pieces, stand_in};
use super::probes::Probe;
use super::units::Bodies;

words! {
    /// Words of probes, interceptions and retreats.
    Words {
        // What is asked.
        combine = "combine for the probe",
        blocking = "block the probe",
        inspection = "inspect a stack",
        intercept = "intercept",
        contest = "attack or defend",
        retreating = "retreat before combat",
        going = "go where",
        // What is done.
        probe = "probe",
        join = "join the probe",
        block = "block",
        inspect = "inspect",
        attack = "take the attack",
        defend = "take the defence",
        retreat = "retreat",
        retreat_to = "retreat to",
        // What is told.
        probes = "probes",
        blocks = "blocks",
        opposed = "probe opposed",
        blocked = "probe blocked",
        inspects = "inspects",
        intercepts = "intercepts",
        declines = "does not intercept",
        caught = "intercepted",
        missed = "interception missed",
        chosen = "attacker chosen",
        stands = "does not retreat",
        would_retreat = "would retreat",
        asks = "asks for a refuge",
        refuge = "refuge",
        retreats = "retreats",
        opened = "area opened",
        // With what.
        strength = "strength",
        against = "against",
        modifiers = "modifiers",
        modified = "modified",
        from = "from",
        to = "to",
    }
}

rules! {
    /// Rules of probes, interceptions and retreats.
    Rules {
        no_dummies = "cwcs:3.25.b#1",
        ineffective = "cwcs:3.53.2",
        spent = "cwcs:7.44#3",
        // 8.1
        probe = "cwcs:8.1",
        enters = "cwcs:8.11#1",
        prober_shown = "cwcs:8.11#2",
        together = "cwcs:8.11.a#1",
        block = "cwcs:8.11.c#1",
        difference = "cwcs:8.11.d#1",
        blocked = "cwcs:8.13.a",
        die = "cwcs:8.11.e#1",
        choice = "cwcs:8.11.f#1",
        shown = "cwcs:8.11.f#2",
        leaders_skipped = "cwcs:8.11.f#3",
        stays_shown = "cwcs:8.11.g#1",
        once = "cwcs:8.12#2",
        blocks_once = "cwcs:8.12#3",
        third_area = "cwcs:8.13.b",
        // 8.2
        intercept = "cwcs:8.21#1",
        interceptor_shown = "cwcs:8.22#1",
        affected = "cwcs:8.22#2",
        missed = "cwcs:8.22.b#1",
        caught = "cwcs:8.23#1",
        contest = "cwcs:8.23#4",
        committed = "cwcs:8.23.a#3",
        not_blockers = "cwcs:8.24.2",
        // 9.2
        opens = "cwcs:3.22.d",
        dummies_follow = "cwcs:3.22.c#2",
        retreat = "cwcs:9.21#1",
        who_retreats = "cwcs:9.21#2",
        infantry_stays = "cwcs:9.21#3",
        dummy_cavalry = "cwcs:9.21.a#1",
        dummy_infantry = "cwcs:9.21.a#3",
        priorities = "cwcs:9.22#2",
        no_refuge = "cwcs:9.22.a",
    }
}

/// What is remembered of cavalry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// It has probed in this Movement Phase (8.12).
    pub(crate) probed: Column<BodyId>,
    /// It was revealed to block a probe in this Movement Phase (8.12, 8.24).
    pub(crate) blocked: Column<BodyId>,
    /// The area of a probe from its announcement until the strengths are compared.
    pub(crate) probe: Column<()>,
}

impl Marks {
    /// The names of the columns.
    pub(crate) const NAMES: &'static [&'static str] = &["probed", "blocked", "probe"];
}

/// The procedures.
#[derive(Clone, Debug)]
pub(crate) struct CavalryProcs {
    pub(crate) probe: ProcRef<Probe>,
    pub(crate) intercept: ProcRef<Intercept>,
    pub(crate) retreat: ProcRef<RetreatBeforeCombat>,
}

impl CavalryProcs {
    fn declare(rb: &mut RulebookBuilder) -> Self {
        Self {
            probe: rb.proc("cwcs.probe"),
            intercept: rb.proc("cwcs.interception"),
            retreat: rb.proc("cwcs.retreat before combat"),
        }
    }

    pub(crate) fn define(&self, rb: &mut RulebookBuilder, cwcs: &Arc<Cwcs>) {
        rb.define(self.probe, cwcs);
        rb.define(self.intercept, cwcs);
        rb.define(self.retreat, cwcs);
    }
}

/// What probes, interceptions and retreats name, by number.
pub(crate) struct Cavalry {
    pub(crate) w: Words,
    pub(crate) rules: Rules,
    pub(crate) marks: Marks,
    pub(crate) procs: CavalryProcs,
    /// Is there cavalry among these, or what passes for it?
    pub(super) mounted: QuestionId,
    /// Is there dummy infantry among these?
    pub(super) dummy_infantry: QuestionId,
    /// Is there anybody among these who keeps others from retreating (9.21)?
    pub(super) bars_retreat: QuestionId,
    /// A die for which there is no table.
    pub(super) die: TableId,
}

impl Cavalry {
    pub(crate) fn resolve(rb: &mut RulebookBuilder, pieces: &Pieces, missing: &mut Missing) -> Self {
        let sets = pieces.sets;
        Self {
            w: Words::intern(rb),
            rules: Rules::intern(rb),
            marks: Marks {
                probed: missing.column(rb, "probed").unwrap_or_else(|| stand_in(rb)),
                blocked: missing.column(rb, "blocked").unwrap_or_else(|| stand_in(rb)),
                probe: missing.column(rb, "probe").unwrap_or_else(|| stand_in(rb)),
            },
            procs: CavalryProcs::declare(rb),
            mounted: rb.question("cavalry", QuestionKind::Any(sets.mounted)),
            dummy_infantry: rb.question("dummy infantry", QuestionKind::Any(sets.dummy_infantry)),
            bars_retreat: rb.question("bars a retreat", QuestionKind::Any(sets.bars_retreat)),
            die: missing.found(rb.so_far().table_named("die"), "a table", "die"),
        }
    }
}

impl Cwcs {
    /// The cavalry of a side in an area that may act, as all see it: of which nobody knows that it is none, or
    /// without strength (7.44).
    pub(super) fn possible_cavalry(&self, common: &Common<'_>, side: SideId, area: SpaceId) -> Bodies {
        let mut bodies = common.bodies_of(side, area);
        bodies.retain(|body| {
            !common.is(*body, self.pieces.sets.cavalry).is_no() && !common.flag(self.columns.spent, *body)
        });
        bodies
    }

    /// Whether an own body is cavalry with strength: dummies conduct no operations (3.25.b).
    pub(super) fn is_own_cavalry(&self, seen: &Seen<'_>, body: BodyId) -> Verdict {
        let (sets, rules) = (&self.pieces.sets, &self.cavalry.rules);
        if seen.is(body, sets.cavalry).is_yes() {
            return if seen.flag(self.columns.spent, body) {
                Err(Refusal { rule: rules.spent })
            } else {
                Ok(())
            };
        }
        let dummy = seen.is(body, sets.dummy_cavalry).is_yes();
        Err(Refusal { rule: if dummy { rules.no_dummies } else { rules.probe } })
    }

    /// Whether the title lets a unit do what a permission is about, as far as its owner knows.
    pub(super) fn title_permits(
        &self,
        seen: &Seen<'_>,
        point: PointId,
        side: SideId,
        area: SpaceId,
        body: BodyId,
    ) -> Verdict {
        let args = [PointArg::Side(side), PointArg::Space(area), PointArg::Body(body)];
        seen.forbidden(point, &args).map_or(Ok(()), |rule| Err(Refusal { rule }))
    }

    /// The units of a group that the title lets do it in truth; the others are stopped, by its rule.
    pub(super) fn permitted(
        &self,
        cx: &mut Cx<'_>,
        point: PointId,
        side: SideId,
        area: SpaceId,
        bodies: &[BodyId],
    ) -> Result<Bodies, Halt> {
        let mut permitted = Bodies::new();
        for &body in bodies {
            let args = [PointArg::Side(side), PointArg::Space(area), PointArg::Body(body)];
            match cx.forbidden(point, &args)? {
                None => permitted.push(body),
                Some(rule) => cx.stop(rule, |e| {
                    e.arg(self.w.units, Arg::KnownBodies([body].into_iter().collect()));
                    e.arg(self.w.area, Arg::Place(PlaceId(area.0)));
                }),
            }
        }
        Ok(permitted)
    }

    /// What cavalry has now, all told, in points.
    pub(super) fn strength_of(&self, cx: &Cx<'_>, bodies: &[BodyId]) -> i32 {
        bodies.iter().filter_map(|&body| self.units.strength(&cx.truth(), body)).sum()
    }

    /// Reveals a unit that is not face up; it stays so until its owner's next Movement Phase, combat or not (8.11.g).
    pub(super) fn expose(&self, cx: &mut Cx<'_>, body: BodyId, rule: RuleId) -> Result<(), Halt> {
        let area = cx.read().space(body);
        if !cx.read().face_up(body) {
            cx.reveal(body, rule)?;
        }
        // Unless it was a dummy, which is gone.
        if area.is_some() && cx.read().space(body) == area && cx.rule_on(self.cavalry.rules.stays_shown) {
            cx.set(self.columns.exposed, body, 1)?;
        }
        Ok(())
    }
}

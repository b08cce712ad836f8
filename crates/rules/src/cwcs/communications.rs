//! Lines of communication (6.1 to 6.5).
//!
//! What a side's lines hang on is where its leaders are, which the enemy does not know, and who of the enemy stands in
//! their way, which the side does not know. So the side traces on what it knows, and where that is not enough it says
//! through which area a line would go; the enemy answers, and it traces again. Each such step is a release of its own,
//! and that the side asks for nothing more is one, too: the checks of two sides look alike but for the answers.

use std::cell::OnceCell;

use adjutant_kernel::board::{Edge, SearchScratch, Ways};
use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{About, QuestionKind, Seen, Sight};
use adjutant_kernel::ops::Telling;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::state::Read;
use adjutant_kernel::{
    Audience, BodyId, Cx, Halt, PieceSetId, PlaceId, QuestionId, RulebookBuilder, SideId, SpaceId, Truth,
    WordId,
};
use smallvec::SmallVec;

use super::Cwcs;
use super::control::Control;
use super::leaders::Line;
use super::pieces::Columns;
use super::units::Bodies;

/// The answer to the question `bars`: the enemy alone controls the area.
const CONTROLLED: i32 = 1;
/// And lines may not pass it. Infantry whose officer is cut off controls and does not bar (6.31).
const BARRED: i32 = 2;

/// A step through an area of which the side does not know whether it is barred: so dear that a way without is taken
/// where there is one (3.22.a).
const UNKNOWN: u32 = 1000;

/// What is known of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Traced {
    Whole,
    No,
    /// It hangs on whether the enemy bars this area.
    Ask(SpaceId),
}

impl Traced {
    /// Of several lines of which one is enough.
    fn or(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Whole => self,
            Self::No => other(),
            Self::Ask(_) => match other() {
                Self::Whole => Self::Whole,
                Self::No | Self::Ask(_) => self,
            },
        }
    }
}

/// The question whether the area in the column `tracing` is barred to the side in the column `tracer`.
pub(super) fn question(rb: &mut RulebookBuilder, control: &Control, columns: &Columns) -> QuestionId {
    let (control, tracing, tracer) = (*control, columns.tracing, columns.tracer);
    let areas: Vec<SpaceId> = (0..rb.board().space_count() as u16).map(SpaceId).collect();
    let bars = move |read: Read<'_>| {
        let (area, side) = (read.get(tracing, ()), read.get(tracer, ()));
        let (Ok(area), Ok(side)) = (u16::try_from(area), u8::try_from(side)) else { return 0 };
        let enemy = SideId(1 - side.min(1));
        control.bars(read, enemy, SpaceId(area), &areas)
    };
    rb.question("bars the lines", QuestionKind::Computed(Box::new(bars)))
}

impl Control {
    /// How a side stands in the way of the other's lines in an area, in truth: [`CONTROLLED`] and [`BARRED`].
    fn bars(&self, read: Read<'_>, side: SideId, area: SpaceId, areas: &[SpaceId]) -> i32 {
        let truth = Truth(read);
        if !self.controls(&truth, side, area, None).is_yes() {
            return 0;
        }
        let bars = |body: &BodyId| {
            self.controls_alone(read, *body, area)
                && !(read.is(*body, self.units.sets.infantry) && self.is_cut_off(&truth, side, *body, areas))
        };
        let barred = self.units.may_control(&truth, side, area).iter().any(bars);
        CONTROLLED + if barred { BARRED } else { 0 }
    }

    /// Whether a unit's officer could not trace to the commander when lines were last checked (6.31).
    fn is_cut_off(&self, truth: &Truth<'_>, side: SideId, body: BodyId, areas: &[SpaceId]) -> bool {
        let Some(formation) = self.units.formation(truth, body) else { return false };
        let officers = self.officers_of(truth, side, formation, areas);
        let line = |officer: &BodyId| truth.get(self.communications, truth.0.piece(*officer));
        !officers.is_empty() && officers.iter().all(|o| line(o).is_some_and(|l| l < Line::Whole.value()))
    }
}

impl Cwcs {
    /// Checks all lines of a side (6.1), and writes them down where only that side sees.
    pub(crate) fn check_lines(&self, cx: &mut Cx<'_>, side: SideId) -> Result<(), Halt> {
        cx.reset(self.columns.traced.id, Some(side))?;
        loop {
            let wanted = self.lines(&cx.seen(side), side).err();
            let w = &self.w;
            cx.publish(w.traces, self.rules.communications, |e| {
                e.about(w.side, Arg::Side(side));
                e.answer(w.number, Arg::Number(i32::from(wanted.is_some())));
                if let Some(area) = wanted {
                    e.answer(w.area, Arg::Place(PlaceId(area.0)));
                }
            })?;
            let Some(area) = wanted else { break };
            self.ask_for(cx, side, area)?;
        }
        let lines = self.lines(&cx.seen(side), side).unwrap_or_default();
        for &(body, line) in &lines {
            let piece = cx.read().piece(body);
            cx.set(self.columns.communications, piece, line.value())?;
        }
        self.say_lines(cx, side, &lines);
        Ok(())
    }

    /// Tells the side itself who is cut off.
    fn say_lines(&self, cx: &mut Cx<'_>, side: SideId, lines: &[(BodyId, Line)]) {
        let off = lines.iter().filter(|(_, line)| *line == Line::CutOff).map(|(body, _)| *body);
        let off: Bodies = off.collect();
        let w = &self.w;
        let name = if off.is_empty() { w.in_communications } else { w.cut_off };
        cx.story_for(name, Audience::side(side), Some(self.rules.communications), |e| {
            e.arg(w.side, Arg::Side(side));
            if !off.is_empty() {
                e.arg(w.units, Arg::KnownBodies(off));
            }
        });
    }

    /// The enemy answers whether he bars an area; dummies that alone would bar it are removed (3.22.a).
    fn ask_for(&self, cx: &mut Cx<'_>, side: SideId, area: SpaceId) -> Result<(), Halt> {
        let (columns, lapse) = (&self.columns, self.moments.communications_checked);
        cx.set(columns.tracing, (), i32::from(area.0))?;
        cx.set(columns.tracer, (), i32::from(side.0))?;
        let answer = cx.tell(Telling {
            question: self.questions.bars,
            bodies: &[],
            about: About::Nothing,
            audience: Audience::ALL,
            rule: self.rules.communications,
            lapse,
        })?;
        cx.lapse(lapse)?;
        cx.set(columns.traced, (area, side), answer + 1)?;
        if answer == 0 {
            self.unmask(cx, (self.enemy(side), area), self.rules.dummies_on_line, lapse)?;
        }
        Ok(())
    }

    /// The lines of all whom the rules ask for one, or the area of which the side must know more first.
    fn lines(&self, seen: &Seen<'_>, side: SideId) -> Result<Vec<(BodyId, Line)>, SpaceId> {
        let tracing = Tracing::new(self, seen, side);
        let own = self.on_map(seen, side);
        let is = |set: PieceSetId| {
            own.iter().copied().filter(|&body| seen.is(body, set).is_yes()).collect::<Bodies>()
        };
        let sets = &self.pieces.sets;
        let (commanders, officers) = (is(sets.commanders), is(sets.officers));
        let mut lines = Vec::new();
        for &commander in &commanders {
            lines.push((commander, whole(tracing.to_home(commander))?));
        }
        for &officer in &officers {
            lines.push((officer, whole(tracing.to_commander(officer, &commanders))?));
        }
        for unit in is(sets.infantry) {
            let formation = self.units.formation(seen, unit);
            let line = match formation.filter(|_| !tracing.needs_none(unit)) {
                None => Line::Whole,
                Some(formation) => tracing.of_unit(unit, formation, &officers, &lines)?,
            };
            lines.push((unit, line));
        }
        Ok(lines)
    }
}

/// A line that is there or not.
fn whole(traced: Traced) -> Result<Line, SpaceId> {
    match traced {
        Traced::Whole => Ok(Line::Whole),
        Traced::No => Ok(Line::CutOff),
        Traced::Ask(area) => Err(area),
    }
}

/// A side at the check of its lines.
struct Tracing<'a> {
    cw: &'a Cwcs,
    seen: &'a Seen<'a>,
    side: SideId,
    /// What was found of areas, and of links either way: every officer's line goes over the same ground.
    passed: Vec<OnceCell<Result<bool, SpaceId>>>,
    led: Vec<[OnceCell<bool>; 2]>,
}

impl<'a> Tracing<'a> {
    fn new(cw: &'a Cwcs, seen: &'a Seen<'a>, side: SideId) -> Self {
        let board = seen.rulebook().board();
        let passed = vec![OnceCell::new(); board.space_count()];
        let led = vec![[OnceCell::new(), OnceCell::new()]; board.link_count()];
        Self { cw, seen, side, passed, led }
    }

    fn needs_none(&self, body: BodyId) -> bool {
        let args = [PointArg::Side(self.side), PointArg::Body(body)];
        self.seen.forbidden(self.cw.points.needs_no_line, &args).is_some()
    }

    fn area(&self, body: BodyId) -> Option<SpaceId> {
        self.seen.space(body)
    }

    /// What the side knows of an area: the answer to `bars`, or that it must ask.
    fn known(&self, area: SpaceId) -> Result<i32, SpaceId> {
        let enemy = self.cw.enemy(self.side);
        let foes = self.cw.control.controls(self.seen, enemy, area, None);
        if foes.is_no() {
            return Ok(0);
        }
        let traced = self.seen.get(self.cw.columns.traced, (area, self.side)).unwrap_or(0);
        if traced > 0 { Ok(traced - 1) } else { Err(area) }
    }

    /// Whether an own unit keeps an area open: militia, leaders and dummies do not (6.3).
    fn is_open(&self, area: SpaceId) -> bool {
        let cw = self.cw;
        let bodies = cw.units.may_control(self.seen, self.side, area);
        let opens = |b: &BodyId| self.seen.is(*b, cw.pieces.sets.opens_lines).is_yes();
        let artillery = |b: &BodyId| self.seen.is(*b, cw.pieces.sets.artillery).is_yes();
        let counts = cw.control.artillery_counts(self.seen.rulebook(), area, None);
        bodies.iter().any(|b| opens(b) && (counts || !artillery(b)))
    }

    /// Whether lines may pass an area.
    fn passes(&self, area: SpaceId) -> Result<bool, SpaceId> {
        *self.passed[area.index()].get_or_init(|| self.may_pass(area))
    }

    fn may_pass(&self, area: SpaceId) -> Result<bool, SpaceId> {
        let args = [PointArg::Side(self.side), PointArg::Space(area)];
        if self.seen.forbidden(self.cw.points.may_trace, &args).is_some() {
            return Ok(false);
        }
        Ok(self.is_open(area) || self.known(area)? < CONTROLLED + BARRED)
    }

    /// Whether the enemy alone controls an area.
    fn is_enemys(&self, area: SpaceId) -> Result<bool, SpaceId> {
        let own = self.cw.control.controls(self.seen, self.side, area, None);
        Ok(!own.is_yes() && self.known(area)? >= CONTROLLED)
    }

    /// Whether nobody may trace to a leader, for he is alone in an area that the enemy controls (6.2, 6.3, 3.46).
    fn is_isolated(&self, leader: BodyId) -> Result<bool, SpaceId> {
        let Some(area) = self.area(leader) else { return Ok(true) };
        let units = self.cw.pieces.sets.units;
        let is_escort =
            |b: BodyId| self.seen.is(b, units).is_yes() && !self.seen.flag(self.cw.columns.spent, b);
        let escort = self.seen.bodies_of(self.side, area).into_iter().any(is_escort);
        if escort { Ok(false) } else { self.is_enemys(area) }
    }

    /// From a unit to its officer, and by him to the commander (6.2).
    fn of_unit(
        &self,
        unit: BodyId,
        formation: WordId,
        officers: &[BodyId],
        lines: &[(BodyId, Line)],
    ) -> Result<Line, SpaceId> {
        let Some(at) = self.area(unit) else { return Ok(Line::CutOff) };
        let mut best = Line::CutOff;
        for &officer in officers {
            let own = self.cw.units.formation(self.seen, officer) == Some(formation);
            let near = self.area(officer).is_some_and(|area| self.cw.map.near(at, area));
            if own && near && !self.is_isolated(officer)? {
                let whole = lines.iter().any(|(body, line)| *body == officer && *line == Line::Whole);
                best = best.max(if whole { Line::Whole } else { Line::Officer });
            }
        }
        Ok(best)
    }

    /// From an officer to a commander (6.3). Where there is no commander, none is asked for.
    fn to_commander(&self, officer: BodyId, commanders: &[BodyId]) -> Traced {
        let Some(from) = self.area(officer) else { return Traced::No };
        if commanders.is_empty() || self.needs_none(officer) {
            return Traced::Whole;
        }
        commanders.iter().fold(Traced::No, |so_far, &commander| {
            so_far.or(|| {
                let Some(to) = self.area(commander) else { return Traced::No };
                match self.is_isolated(commander) {
                    Err(area) => Traced::Ask(area),
                    Ok(true) => Traced::No,
                    Ok(false) if self.cw.map.near(from, to) => Traced::Whole,
                    Ok(false) => self.path(from, to),
                }
            })
        })
    }

    /// From a commander to a Home Area of his side (6.4).
    fn to_home(&self, commander: BodyId) -> Traced {
        let Some(from) = self.area(commander) else { return Traced::No };
        let home = |area: &&SpaceId| self.seen.flag(self.cw.columns.home, (**area, self.side));
        self.cw.map.areas.iter().filter(home).fold(Traced::No, |so_far, &to| {
            so_far.or(|| {
                if !self.cw.map.near(from, to) {
                    return self.path(from, to);
                }
                match self.is_enemys(to) {
                    Ok(false) => Traced::Whole,
                    Ok(true) => Traced::No,
                    Err(area) => Traced::Ask(area),
                }
            })
        })
    }

    /// A path along roads and railroads, over major rivers at crossing points, through no area that the enemy bars.
    fn path(&self, from: SpaceId, to: SpaceId) -> Traced {
        let mut scratch = SearchScratch::default();
        let board = self.seen.rulebook().board();
        let cost = |at: SpaceId, edge: &Edge| {
            if !self.leads(at, edge) {
                return None;
            }
            match self.passes(edge.to) {
                Ok(true) => Some(1),
                Ok(false) => None,
                Err(_) => Some(UNKNOWN),
            }
        };
        if board.cheapest_path(&mut scratch, Ways::all(), from, to, cost).is_none() {
            return Traced::No;
        }
        let path: SmallVec<[SpaceId; 16]> = scratch.path_to(to).iter().map(|step| step.to).collect();
        path.iter().find_map(|&area| self.passes(area).err()).map_or(Traced::Whole, Traced::Ask)
    }

    /// Whether a line may go over a link: a road or railroad, or a crossing between areas that have one (6.3).
    fn leads(&self, at: SpaceId, edge: &Edge) -> bool {
        *self.led[edge.link.index()][usize::from(at < edge.to)].get_or_init(|| self.may_lead(at, edge))
    }

    fn may_lead(&self, at: SpaceId, edge: &Edge) -> bool {
        let (cw, board) = (self.cw, self.seen.rulebook().board());
        let link = PointArg::Link(edge.link);
        let leads = if cw.map.is_over_river(board, edge.link) {
            cw.is_crossing(self.seen, edge.link) && cw.map.has_road(at) && cw.map.has_road(edge.to)
        } else {
            cw.map.is_road(board, edge.link)
        };
        let (from, to) = (PointArg::Space(at), PointArg::Space(edge.to));
        let args = [PointArg::Side(self.side), link, from, to, PointArg::Word(cw.w.communications)];
        leads && self.seen.forbidden(cw.points.may_cross, &args).is_none()
    }
}

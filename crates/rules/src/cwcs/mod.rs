//! The Civil War Campaign Series, second edition.
//!
//! The files follow the order of the rulebook: the units and their strength (2, 3.5), faces (3.1), dummies (3.2),
//! stacks (3.3), control (3.4), the sequence of play (4), the weather (5), communications (6), movement (7, 8.1, 8.2),
//! combat (9, 10), leaders (11), victory (12). `points` is where a title comes in; `names` has the words and rules.
//!
//! A pack that plays by the module declares what the contract asks for; `games/civil-war-campaign-series` has all of
//! it that does not depend on the title.

mod cavalry;
mod combat;
mod communications;
mod control;
mod dummies;
mod general_retreat;
mod interception;
mod inverted;
mod leaders;
mod losses;
mod map;
mod movement;
mod names;
mod pieces;
mod points;
mod probes;
mod sequence;
mod stacking;
#[cfg(test)]
mod tests;
mod units;
mod victory;
mod weather;

use std::sync::Arc;

use adjutant::NativeModule;
use adjutant_kernel::flow::{NewFrame, ProcRef};
use adjutant_kernel::{
    BodyId, Cx, Halt, Module, MomentId, OptionId, PieceSetId, QuestionId, RulebookBuilder, SeatId, SideId,
};
use adjutant_pack::{Contract, Declared, Diagnostic, MakeFrame, Procedures, text};

use control::Control;
use map::Map;
use movement::{Marks, MovementWords};
use names::{Rules, Words};
use pieces::{Boxes, Columns, Missing, Pieces, Tables};
use points::{Moments, Points};
use units::Units;

/// All that the rules name, by number.
pub(crate) struct Cwcs {
    pub(crate) seats: [SeatId; 2],
    pub(crate) map: Map,
    pub(crate) boxes: [Boxes; 2],
    pub(crate) pieces: Pieces,
    pub(crate) columns: Columns,
    pub(crate) tables: Tables,
    pub(crate) units: Units,
    pub(crate) control: Control,
    pub(crate) questions: Questions,
    /// What is no real unit, no leader and no dummy, and goes with them (wagons of a title).
    others: PieceSetId,
    pub(crate) options: Options,
    pub(crate) points: Points,
    pub(crate) moments: Moments,
    pub(crate) w: Words,
    pub(crate) lines: combat::lines::LineWords,
    pub(crate) combat: combat::names::CombatNames,
    pub(crate) resolution: combat::resolution::ResolutionNames,
    pub(crate) rules: Rules,
    pub(crate) procs: Procs,
    pub(crate) movement: movement::Movement,
    pub(crate) cavalry: cavalry::Cavalry,
}

/// What is answered to seats.
#[derive(Clone, Debug)]
pub(crate) struct Questions {
    /// Is there a real unit (no dummy, no leader) among these?
    pub(crate) units: QuestionId,
    /// Is there one among these that exerts control wherever it stands?
    pub(crate) controls: QuestionId,
    /// Is there one among these that exerts control where artillery does?
    pub(crate) controls_with_artillery: QuestionId,
    /// Does the area that is asked about bar the lines of the side that asks (6.3)?
    pub(crate) bars: QuestionId,
}

/// The options of the series.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) optional_weather: OptionId,
}

/// The procedures.
#[derive(Clone, Debug)]
pub(crate) struct Procs {
    pub(crate) pre_game: ProcRef<sequence::PreGame>,
    pub(crate) weather: ProcRef<weather::Weather>,
    pub(crate) communications: ProcRef<sequence::Communications>,
    pub(crate) movement: ProcRef<sequence::Movement>,
    pub(crate) combat: combat::CombatProcs,
    pub(crate) resolution: combat::resolution::ResolutionProcs,
    pub(crate) victory: ProcRef<victory::VictoryPoints>,
    pub(crate) turn_record: ProcRef<victory::TurnRecord>,
    pub(crate) returns: ProcRef<dummies::Returns>,
    pub(crate) arrange: ProcRef<stacking::Arrange>,
}

impl Procs {
    fn declare(rb: &mut RulebookBuilder) -> Self {
        Self {
            pre_game: rb.proc("cwcs.pre-game"),
            weather: rb.proc("cwcs.weather"),
            communications: rb.proc("cwcs.communications"),
            movement: rb.proc("cwcs.movement"),
            combat: combat::CombatProcs::declare(rb),
            resolution: combat::resolution::ResolutionProcs::declare(rb),
            victory: rb.proc("cwcs.victory points"),
            turn_record: rb.proc("cwcs.turn record"),
            returns: rb.proc("cwcs.returns"),
            arrange: rb.proc("cwcs.arrange"),
        }
    }

    fn define(&self, rb: &mut RulebookBuilder, cwcs: &Arc<Cwcs>) {
        rb.define(self.pre_game, cwcs);
        rb.define(self.weather, cwcs);
        rb.define(self.communications, cwcs);
        rb.define(self.movement, cwcs);
        self.combat.define(rb, cwcs);
        self.resolution.define(rb, cwcs);
        rb.define(self.victory, cwcs);
        rb.define(self.turn_record, cwcs);
        rb.define(self.returns, cwcs);
        rb.define(self.arrange, cwcs);
    }

    /// The phase with a name, for the side whose turn it is.
    fn phase(&self, name: &str, side: Option<SideId>) -> Option<NewFrame> {
        let side = side.unwrap_or_default();
        Some(match name {
            "cwcs.pre-game" => self.pre_game.with(sequence::PreGame::of(side)),
            "cwcs.weather" => self.weather.with(weather::Weather::default()),
            "cwcs.communications" => self.communications.with(sequence::Communications::of(side)),
            "cwcs.movement" => self.movement.with(sequence::Movement::of(side)),
            "cwcs.combat" => self.combat.phase.with(combat::Combat::of(side)),
            "cwcs.victory points" => self.victory.with(victory::VictoryPoints::of(side)),
            "cwcs.turn record" => self.turn_record.with(victory::TurnRecord::default()),
            _ => return None,
        })
    }
}

/// The phases that a sequence of play calls by name; those in a side's turn, and those in nobody's.
const PHASES: &[&str] = &[
    "cwcs.pre-game",
    "cwcs.weather",
    "cwcs.communications",
    "cwcs.movement",
    "cwcs.combat",
    "cwcs.victory points",
    "cwcs.turn record",
];
const NOBODYS: &[&str] = &["cwcs.weather", "cwcs.turn record"];

impl Cwcs {
    /// The enemy of a side.
    pub(crate) fn enemy(&self, side: SideId) -> SideId {
        SideId(1 - side.0.min(1))
    }

    /// The seat that plays a side.
    pub(crate) fn seat(&self, side: SideId) -> SeatId {
        self.seats[side.index().min(1)]
    }

    /// The boxes of a side.
    pub(crate) fn boxes(&self, side: SideId) -> &Boxes {
        &self.boxes[side.index().min(1)]
    }

    /// Resolves all names; what the pack lacks is in `missing`.
    fn resolve(rb: &mut RulebookBuilder, points: Points, moments: Moments, missing: &mut Missing) -> Self {
        let (w, rules, procs) = (Words::intern(rb), Rules::intern(rb), Procs::declare(rb));
        let seats = missing.seats(rb);
        let pieces = Pieces::find(rb, missing);
        let columns = Columns::find(rb, missing);
        let map = Map::find(rb, missing);
        let units = Units::new(rb, &pieces, &columns);
        let control = Control::new(&pieces, &columns, &map, &units);
        let questions = Questions {
            units: missing.question(rb, "real units"),
            controls: missing.question(rb, "controlled"),
            controls_with_artillery: missing.question(rb, "controlled with artillery"),
            bars: communications::question(rb, &control, &columns),
        };
        let others = pieces.others(rb);
        let options = Options { optional_weather: missing.option(rb, "optional weather") };
        Self {
            seats,
            map,
            boxes: missing.boxes(rb),
            movement: movement::Movement::resolve(rb, &pieces, missing),
            cavalry: cavalry::Cavalry::resolve(rb, &pieces, missing),
            tables: Tables::find(rb, missing),
            pieces,
            columns,
            units,
            control,
            questions,
            others,
            options,
            points,
            moments,
            lines: combat::lines::LineWords::intern(rb),
            combat: combat::names::CombatNames::find(rb, missing),
            resolution: combat::resolution::ResolutionNames::intern(rb),
            w,
            rules,
            procs,
        }
    }
}

impl Module for Cwcs {
    fn name(&self) -> &str {
        "cwcs"
    }

    /// A dummy that is revealed leaves play at once (3.21).
    fn revealed(&self, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        self.dummy_revealed(cx, body)
    }
}

/// All words of which there may be texts.
const WORDS: &[&[&str]] = &[
    Words::ALL,
    MovementWords::ALL,
    cavalry::Words::ALL,
    combat::names::CombatWords::ALL,
    combat::lines::LineWords::ALL,
    combat::resolution::ResolutionWords::ALL,
];

/// The module `cwcs`.
///
/// ```
/// use adjutant::NativeModule as _;
/// use adjutant_rules::cwcs::CivilWarCampaignSeries;
/// let contract = CivilWarCampaignSeries.contract();
/// assert!(contract.points.iter().any(|point| point == "may cross"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CivilWarCampaignSeries;

impl NativeModule for CivilWarCampaignSeries {
    fn contract(&self) -> Contract {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Contract {
            module: "cwcs".to_owned(),
            version: "1.0.0".to_owned(),
            attributes: owned(pieces::ATTRIBUTES),
            kinds: owned(pieces::KINDS),
            columns: owned(&[Columns::NAMES, Marks::NAMES, cavalry::Marks::NAMES].concat()),
            tables: owned(Tables::NAMES),
            phases: Vec::new(),
            features: owned(map::FEATURES),
            sets: owned(pieces::Sets::NAMES),
            points: owned(Points::NAMES),
            moments: owned(Moments::NAMES),
            texts: ["event", "prompt"]
                .iter()
                .flat_map(|kind| WORDS.iter().copied().flatten().map(|word| text::key(kind, word)))
                .collect(),
        }
    }

    fn procedures(&self) -> Box<dyn Procedures> {
        Box::<Declaring>::default()
    }
}

/// The module while a rulebook is being made.
#[derive(Default)]
struct Declaring {
    begun: Option<(Points, Moments)>,
    cwcs: Option<Arc<Cwcs>>,
}

impl Procedures for Declaring {
    fn names(&self) -> Vec<String> {
        PHASES.iter().map(|name| (*name).to_owned()).collect()
    }

    fn begin(&mut self, rb: &mut RulebookBuilder) -> Vec<(String, MomentId)> {
        let (points, moments) = (Points::declare(rb), Moments::declare(rb));
        let names = moments.by_name();
        self.begun = Some((points, moments));
        names
    }

    fn declare(&mut self, rb: &mut RulebookBuilder, _: &Declared) -> Result<(), Vec<Diagnostic>> {
        let (points, moments) =
            self.begun.take().unwrap_or_else(|| (Points::declare(rb), Moments::declare(rb)));
        let mut missing = Missing::default();
        let cwcs = Arc::new(Cwcs::resolve(rb, points, moments, &mut missing));
        missing.report()?;
        self.cwcs = Some(Arc::clone(&cwcs));
        cwcs.procs.define(rb, &cwcs);
        cwcs.movement.procs.define(rb, &cwcs);
        cwcs.cavalry.procs.define(rb, &cwcs);
        cwcs.units.samplers(rb, &cwcs.pieces, &cwcs.columns);
        rb.module(cwcs as Arc<dyn Module>);
        Ok(())
    }

    fn find(&self, name: &str, in_turn: bool) -> Result<MakeFrame, String> {
        let cwcs = self.cwcs.as_ref().ok_or_else(|| format!("procedure `{name}` is not declared"))?;
        let procs = cwcs.procs.clone();
        if !in_turn && !NOBODYS.contains(&name) {
            return Err(format!(
                "procedure `{name}` cannot be called here: it is a side's, write it in `Sides`"
            ));
        }
        let name = PHASES.iter().find(|known| **known == name).copied();
        let name = name.ok_or("there is no such procedure")?;
        // One of the names that `phase` knows.
        let nothing = procs.turn_record.with(victory::TurnRecord::default());
        Ok(Arc::new(move |side| procs.phase(name, side).unwrap_or_else(|| nothing.clone())))
    }
}

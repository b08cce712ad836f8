//! What no seat can do by itself, tried on the drill ground.

mod control;
mod units;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use adjutant::{Library, Modules, NativeModule, Pack};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, ProcRef, Sink};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::{
    BodyId, Cx, Flow, Halt, MomentId, Procedure, RulebookBuilder, SideId, SpaceId, State, Worker,
};
use adjutant_pack::{Contract, Declared, Diagnostic, MakeFrame, Procedures};

use super::{CivilWarCampaignSeries, Cwcs, Declaring};

type Run = Arc<dyn Fn(&Cwcs, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync>;

/// The module with one procedure more, which runs at the beginning of every turn.
struct Hooked(Run);

struct Hooks {
    inner: Declaring,
    moment: MomentId,
    run: Run,
}

/// The procedure.
#[derive(Locals)]
struct Hook {}

struct HookRules {
    cwcs: Arc<Cwcs>,
    run: Run,
}

impl Procedure for Hook {
    type Module = HookRules;

    fn run(&mut self, rules: &HookRules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        (rules.run)(&rules.cwcs, cx)?;
        Ok(Flow::Done)
    }
}

impl NativeModule for Hooked {
    fn contract(&self) -> Contract {
        CivilWarCampaignSeries.contract()
    }

    fn procedures(&self) -> Box<dyn Procedures> {
        let run = Arc::clone(&self.0);
        Box::new(Hooks { inner: Declaring::default(), moment: MomentId::default(), run })
    }
}

impl Procedures for Hooks {
    fn names(&self) -> Vec<String> {
        self.inner.names()
    }

    fn begin(&mut self, rb: &mut RulebookBuilder) -> Vec<(String, MomentId)> {
        let moments = self.inner.begin(rb);
        self.moment =
            moments.iter().find(|(name, _)| name == "turn begins").expect("there is such a moment").1;
        moments
    }

    fn declare(&mut self, rb: &mut RulebookBuilder, declared: &Declared) -> Result<(), Vec<Diagnostic>> {
        self.inner.declare(rb, declared)?;
        let cwcs = self.inner.cwcs.clone().expect("it was declared");
        let hook: ProcRef<Hook> = rb.proc("hook");
        rb.define(hook, &Arc::new(HookRules { cwcs, run: Arc::clone(&self.run) }));
        let rule = rb.rule("cwcs:4.2#2");
        rb.at_moment(self.moment, rule, None, hook.with(Hook {}));
        Ok(())
    }

    fn find(&self, name: &str, in_turn: bool) -> Result<MakeFrame, String> {
        self.inner.find(name, in_turn)
    }
}

/// The drill ground by a module.
pub(super) fn pack(module: impl NativeModule + 'static) -> Pack {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = Library::open(root.join("games")).expect("the games are there");
    let library = library.with_modules(Modules::default().with(module));
    let pack = library.open_pack(&root.join("tests/packs/cwcs-drill"), &[]);
    pack.unwrap_or_else(|report| panic!("{}", report.render()))
}

/// Runs something at the beginning of the first turn; nobody brings dummies or arranges his stacks before. Gives the
/// position then.
pub(super) fn at_drill(
    run: impl Fn(&Cwcs, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync + 'static,
) -> (Pack, State) {
    let ran = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&ran);
    let pack = pack(Hooked(Arc::new(move |cw: &Cwcs, cx: &mut Cx<'_>| {
        flag.store(true, Ordering::Relaxed);
        run(cw, cx)
    })));
    let rulebook = pack.rulebook();
    let (mut worker, key) = (Worker::new(), Key::from_seed(1));
    let scenario = rulebook.scenario_named("drill").expect("there is such a scenario");
    let options = 0;
    let started = flow::start_scenario(rulebook, &mut worker, &mut Sink::off(), key, options, scenario);
    let mut state = started.unwrap_or_else(|fault| panic!("{fault}"));
    let done = rulebook.word_named("done").expect("one can be done");
    while state.phase().map(|phase| rulebook.word(phase)) == Some("pre-game") {
        let seat = flow::asked(&state).expect("somebody is asked").seats[0];
        let action = adjutant_kernel::Action::new(done);
        flow::act(rulebook, &mut worker, &mut Sink::off(), &mut state, seat, &action)
            .unwrap_or_else(|refused| panic!("{refused}"));
    }
    assert!(ran.load(Ordering::Relaxed), "the turn has begun");
    (pack, state)
}

/// The body of a piece.
pub(super) fn body(cx: &Cx<'_>, name: &str) -> BodyId {
    let piece = cx.rulebook().piece_named(name).unwrap_or_else(|| panic!("there is no {name}"));
    cx.read().body_of(piece).expect("it has a body")
}

/// An area.
pub(super) fn area(cx: &Cx<'_>, name: &str) -> SpaceId {
    cx.rulebook().board().space_named(name).unwrap_or_else(|| panic!("there is no {name}"))
}

/// The sides.
pub(super) const CONFEDERATE: SideId = SideId(0);
pub(super) const UNION: SideId = SideId(1);

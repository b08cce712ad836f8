//! The conformance suite: what every rulebook must stand, tested on random games.
//!
//! | file | what it tests |
//! | --- | --- |
//! | `play` | random games to the end: crash, fault, dead end, livelock, knowledge lost, checks of the title |
//! | `saves` | saves, replays, the bare rules on the same decisions, undo and redo, branches |
//! | `illegal` | what is not offered is refused without a trace; what is offered is accepted |
//! | `twins` | pairs of games that differ only in what a viewer may not know give it the same bytes |
//! | `worlds` | sampled worlds look like the true one, and hide it |
//! | `twice` | the same digests on any number of threads |
//! | `umpire` | in some games an umpire fixes dice, turns pieces up and down, skips what is attached |
//! | `golden` | [`Golden`]: playthroughs kept in files are what they were |
//!
//! ```
//! # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
//! # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
//! use adjutant::verify::{Plan, verify};
//! let report = verify(&rules, &Plan { games: 2, ..Plan::default() });
//! assert!(report.passed(), "{report}");
//! ```
//!
//! A finding names the set-up of its game, seed included; [`verify_game`] plays that game again.

pub(crate) mod diff;
mod golden;
mod illegal;
mod mutate;
mod options;
mod play;
mod report;
mod saves;
#[cfg(test)]
mod tests;
mod twice;
mod twins;
mod umpire;
mod worlds;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use adjutant_kernel::{Fault, Read, Rulebook};

use crate::{Random, Rules, Setup};

pub use golden::{Changed, Golden};
pub use report::{Counts, Finding, Report, Verdict};
pub use twice::fingerprint;
pub use twins::{Apart, Lockstep};

/// A check of the title's own, made at every decision: its name, and what it says of a position.
///
/// ```
/// use adjutant::verify::{Check, Plan};
/// # use std::sync::Arc;
/// let two_armies: Check = ("two armies", Arc::new(|read| {
///     let sides = read.rulebook().sides().len();
///     if sides == 2 { Ok(()) } else { Err(format!("there are {sides}")) }
/// }));
/// let plan = Plan { checks: vec![two_armies], ..Plan::default() };
/// ```
pub type Check = (&'static str, Arc<dyn Fn(Read<'_>) -> Result<(), String> + Send + Sync>);

/// How much is tested.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::{Plan, verify};
/// let quick = Plan { games: 1, pairs: 1, points: 1, seed: 7, ..Plan::default() };
/// let report = verify(&rules, &quick);
/// assert!(report.passed(), "{report}");
/// assert_eq!(report.counts.games, 1);
/// ```
#[derive(Clone)]
pub struct Plan {
    /// Random games; they go through all scenarios and pairs of options in turn.
    pub games: u32,
    /// Seed from which all games follow.
    pub seed: u64,
    /// The only scenario to be played; all when absent.
    pub scenario: Option<String>,
    /// The greatest number of journal entries of a game; to need more is a livelock.
    pub decisions: u32,
    /// Threads; the report does not depend on their number.
    pub threads: usize,
    /// Random positions of each game at which actions, undo and sampled worlds are tested.
    pub points: usize,
    /// Pairs of twins begun in each game.
    pub pairs: usize,
    /// The greatest number of decisions of a pair.
    pub pair_decisions: u32,
    /// In so many of 100 games an umpire takes part.
    pub umpired: u32,
    /// Stop after the game with the first finding (with several threads, those under way are finished).
    pub stop: bool,
    /// Checks of the title's own, made at every decision: lines of fire are symmetric, caches equal
    /// recomputation.
    pub checks: Vec<Check>,
    /// Called with the number of games done after each.
    pub progress: Option<Progress>,
}

/// Is told of the progress of something long.
///
/// ```
/// use adjutant::verify::{Plan, Progress};
/// # use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
/// let done = Arc::new(AtomicU64::new(0));
/// let seen = Arc::clone(&done);
/// let progress: Progress = Arc::new(move |games| seen.store(games, Ordering::Relaxed));
/// let plan = Plan { progress: Some(progress), ..Plan::default() };
/// ```
pub type Progress = Arc<dyn Fn(u64) + Send + Sync>;

impl Default for Plan {
    fn default() -> Self {
        Self {
            games: 20,
            seed: 1,
            scenario: None,
            decisions: 20_000,
            threads: 1,
            points: 2,
            pairs: 3,
            pair_decisions: 400,
            umpired: 25,
            stop: false,
            checks: Vec::new(),
            progress: None,
        }
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan")
            .field("games", &self.games)
            .field("seed", &self.seed)
            .field("scenario", &self.scenario)
            .field("decisions", &self.decisions)
            .field("threads", &self.threads)
            .field("points", &self.points)
            .field("pairs", &self.pairs)
            .field("pair_decisions", &self.pair_decisions)
            .field("umpired", &self.umpired)
            .field("stop", &self.stop)
            .field("checks", &self.checks.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Tests a rulebook, rules or a pack: all scenarios, each with pairwise options, in turn.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::{Plan, verify};
/// let report = verify(&rules, &Plan { games: 2, ..Plan::default() });
/// assert!(report.passed(), "{report}");
/// ```
pub fn verify(rules: impl Into<Rules>, plan: &Plan) -> Report {
    let rules = &rules.into();
    let setups = setups(rules, plan);
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let game = |n: usize| {
        if stop.load(Ordering::Relaxed) {
            return Report::new(rules.rulebook());
        }
        let report = verify_game(
            rules,
            plan,
            Setup { seed: game_seed(plan.seed, n), ..setups[n % setups.len()].clone() },
        );
        stop.fetch_or(plan.stop && !report.passed(), Ordering::Relaxed);
        if let Some(progress) = &plan.progress {
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        report
    };
    let mut report = Report::new(rules.rulebook());
    for part in in_threads(plan.games as usize, plan.threads, &game) {
        report.merge(part);
    }
    if !stop.load(Ordering::Relaxed) {
        twice::check(rules, plan, &mut report);
    }
    report.conclude();
    report
}

/// Every scenario with every combination of options, scenarios changing fastest.
fn setups(rules: &Rules, plan: &Plan) -> Vec<Setup> {
    let rb = rules.rulebook();
    let scenarios: Vec<Option<String>> = match (&plan.scenario, rb.scenarios()) {
        (Some(name), _) => vec![Some(name.clone())],
        (None, []) => vec![None],
        (None, all) => all.iter().map(|s| Some(s.name.clone())).collect(),
    };
    let names = |wanted: u64| -> Vec<String> {
        let all = rb.options().iter().enumerate();
        all.filter(|(n, _)| wanted >> n & 1 == 1).map(|(_, o)| o.name.clone()).collect()
    };
    let mut setups: Vec<Setup> = Vec::new();
    for row in options::pairwise(rb.options().len()) {
        let on = row.iter().enumerate().fold(0, |bits, (n, on)| bits | u64::from(*on) << n);
        let on = rules.settle(on);
        for scenario in &scenarios {
            let default = scenario.as_ref().and_then(|s| rb.scenario_named(s));
            let default = default.map_or(0, |s| rb.scenarios()[s.index()].options);
            let (options, without) = (names(on), names(default & !on));
            let setup = Setup { scenario: scenario.clone(), options, without, seed: 0 };
            if !setups.contains(&setup) {
                setups.push(setup);
            }
        }
    }
    setups
}

/// Tests one game by its set-up: to look into a finding.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::Setup;
/// use adjutant::verify::{Plan, verify_game};
/// let setup = Setup { seed: 1862, ..Setup::default() }; // as a finding states it
/// assert!(verify_game(&rules, &Plan::default(), setup).passed());
/// ```
pub fn verify_game(rules: impl Into<Rules>, plan: &Plan, setup: Setup) -> Report {
    let rules = &rules.into();
    let rulebook = rules.rulebook();
    let entry = AtomicU32::new(0);
    let tested = catch_unwind(AssertUnwindSafe(|| {
        let report = Report::new(rulebook);
        let random = Random::new(setup.seed ^ 0x7665_7269_6679);
        let mut trial = Trial {
            rules,
            rulebook,
            plan,
            setup: setup.clone(),
            random,
            report,
            entry: &entry,
            doing: "play",
        };
        trial.run();
        trial.report
    }));
    tested.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
            .unwrap_or_else(|| "a panic without a text".to_owned());
        let mut report = Report::new(rulebook);
        report.counts.games = 1;
        let entry = entry.load(Ordering::Relaxed) as usize;
        report.find(Finding { verdict: Verdict::Crash, setup, entry, text });
        report
    })
}

/// The seed of the n-th game.
fn game_seed(seed: u64, n: usize) -> u64 {
    Random::new(seed ^ (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).word()
}

/// Does `count` pieces of work on some threads; gives their results in order.
fn in_threads<T: Send>(count: usize, threads: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    if threads <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let mut parts: Vec<(usize, T)> = std::thread::scope(|scope| {
        let run = || {
            let mut done = Vec::new();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= count {
                    return done;
                }
                done.push((n, work(n)));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        // A panic in the work was caught there; one here is a fault of this module.
        handles.into_iter().flat_map(|h| h.join().unwrap_or_default()).collect()
    });
    parts.sort_by_key(|(n, _)| *n);
    parts.into_iter().map(|(_, part)| part).collect()
}

/// One game under test, with what has been found.
struct Trial<'a> {
    rules: &'a Rules,
    rulebook: &'a Arc<Rulebook>,
    plan: &'a Plan,
    setup: Setup,
    random: Random,
    report: Report,
    entry: &'a AtomicU32,
    /// What is being tested, for the texts of faults.
    doing: &'static str,
}

impl Trial<'_> {
    fn run(&mut self) {
        self.report.counts.games = 1;
        let Some(played) = play::play(self) else { return };
        saves::check(self, &played);
        for (entry, game, recent) in &played.points {
            self.at(*entry, "illegal actions");
            illegal::check(self, game, recent);
            self.doing = "undo";
            saves::check_undo(self, game);
            self.doing = "sampled worlds";
            worlds::check(self, game);
        }
        for (entry, game) in &played.quiet {
            self.at(*entry, "twins");
            twins::check(self, game);
        }
    }

    /// Where findings are from now on, and in which test.
    fn at(&mut self, entry: usize, doing: &'static str) {
        self.entry.store(entry as u32, Ordering::Relaxed);
        self.doing = doing;
    }

    fn find(&mut self, verdict: Verdict, text: impl Into<String>) {
        let finding = Finding {
            verdict,
            setup: self.setup.clone(),
            entry: self.entry.load(Ordering::Relaxed) as usize,
            text: text.into(),
        };
        self.report.find(finding);
    }

    /// Notes a fault of the rules under the verdict that fits it.
    fn fault(&mut self, fault: &Fault) {
        let verdict = match fault.what() {
            Fault::DeadEnd { .. } => Verdict::DeadEnd,
            Fault::StepBound { .. } => Verdict::Livelock,
            Fault::Knowledge { .. } => Verdict::Invariant("knowledge".to_owned()),
            Fault::Rules { .. }
            | Fault::OutOfBounds { .. }
            | Fault::Ended
            | Fault::Branch { .. }
            | Fault::Locals(_)
            | Fault::Unseen { .. }
            | Fault::Unfinished { .. }
            | Fault::Full { .. }
            | Fault::NoCode(_)
            | Fault::At { .. } => Verdict::Fault,
        };
        let text = format!("{fault} (in {})", self.doing);
        self.find(verdict, text);
    }
}

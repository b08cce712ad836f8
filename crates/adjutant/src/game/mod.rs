//! Games: seats around a table, with a journal.
//!
//! Every seat has its own view, offers, draft and version. The view of a seat is made from what was published
//! at the last barrier and its own draft alone, so that nothing of another's draft can be in it.

mod act;
mod draft;
mod faults;
mod history;
mod journal;
mod seat;
mod standing;
mod suite;
mod umpire;

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_kernel::chance::Key;
use adjutant_kernel::events::{ShownEvent, ShownRelease};
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::view::Ciphers;
use adjutant_kernel::{Digest, Fault, Rulebook, SeatId, State, Worker};
use serde::{Deserialize, Serialize};

pub use faults::{MOST_NOTES, NotedFault};
pub(crate) use history::Base;
pub use history::{Happened, Replay, ReplayStep};
pub use journal::{Entry, NamedEdit};
pub(crate) use seat::LAST_VERSION;
pub use seat::{Packet, SeatView};
pub use standing::{MOST_STANDING, Standing};

use crate::Rules;

use draft::{Draft, Late, Pending};
use faults::Faults;
use history::Step;

/// How a game begins.
///
/// ```
/// use adjutant::{Game, Library, Setup};
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// let pack = Library::open(games).and_then(|packs| packs.pack("ford")).map_err(|report| report.render())?;
/// let scenario = Some("last-light".to_owned()); // in the rain
/// let setup = Setup { scenario, without: vec!["rain".into()], seed: 7, ..Setup::default() };
/// let dry = Game::start(&pack, setup)?;
/// assert!(dry.save().setup.options.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The scenario; the first, where there are any, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// The options that are on beside those of the scenario.
    #[serde(default)]
    pub options: Vec<String>,
    /// Options of the scenario that are off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Seed of the secret key from which all dice come.
    pub seed: u64,
}

/// A game being played.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Setup};
/// use adjutant::kernel::Refused;
/// let mut game = Game::start(&rules, Setup { seed: 1862, ..Setup::default() })?;
/// let [blue, red] = ["blue", "red"].map(|seat| game.rulebook().seat_named(seat).unwrap());
/// assert_eq!((game.offers(blue).len(), game.offers(red).len()), (3, 0)); // blue is asked
///
/// let (before, version, march) = (game.digest(), game.version(blue), game.offers(blue)[0].clone());
/// game.act(blue, Some(version), &march)?;
/// let stale = game.act(blue, Some(version), &march);
/// assert!(matches!(stale, Err(Refused::Stale { .. })));
/// game.undo(blue)?;
/// assert_eq!(game.digest(), before);
///
/// game.resign(red)?;
/// assert!(game.ended());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Game {
    rules: Rules,
    rulebook: Arc<Rulebook>,
    worker: Worker,
    setup: Setup,
    /// Where the logs of the seats begin, when that is not where the game began.
    base: Option<Arc<Base>>,
    /// How many entries came before the first that is known.
    journal_from: usize,
    journal: Vec<Entry>,
    /// How many known entries there were at the last barrier.
    barrier: usize,
    /// The versions of the seats then.
    barrier_versions: Vec<u32>,
    /// What the umpire did among the drafts since.
    late: Option<Late>,
    /// The position as of the last barrier.
    published: State,
    /// The position with all drafts.
    live: State,
    drafts: BTreeMap<SeatId, Draft>,
    pending: Vec<Pending>,
    versions: Vec<u32>,
    /// What each seat has been shown, batch by batch.
    batches: Vec<Vec<Vec<ShownEvent>>>,
    /// What each seat did and was shown, in order.
    history: Vec<Vec<Step>>,
    /// The number of events that each seat has been shown.
    shown: Vec<usize>,
    /// The releases among them, for the conformance suite.
    releases: Vec<Vec<Release>>,
    standing: BTreeMap<SeatId, Vec<Standing>>,
    faults: Faults,
    ciphers: Ciphers,
}

/// A release as a seat was shown it, for the conformance suite.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Release {
    pub(crate) shown: ShownRelease,
    /// The number of events in the seat's log before it.
    pub(crate) at: usize,
}

/// Why a game could not begin.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Setup, StartError};
/// let setup = Setup { options: vec!["fog".into()], ..Setup::default() };
/// let error = Game::start(&rules, setup).unwrap_err();
/// assert!(matches!(error, StartError::Option { ref name, .. } if name == "fog"));
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such scenario.
    #[error("there is no scenario `{name}`; {known}")]
    Scenario {
        /// What was given.
        name: String,
        /// What there is.
        known: String,
    },
    /// Options that cannot be on together.
    #[error("these options cannot be on together: {text}")]
    Options {
        /// Which, and why.
        text: String,
    },
    /// There is no such option.
    #[error("there is no option `{name}`; {known}")]
    Option {
        /// What was given.
        name: String,
        /// What there is.
        known: String,
    },
    /// The rules are at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Game {
    /// Begins a game, by a rulebook, rules or a pack.
    ///
    /// # Errors
    /// An unknown scenario or option, options that cannot be on together, or a fault of the rules.
    pub fn start(rules: impl Into<Rules>, setup: Setup) -> Result<Self, StartError> {
        let rules = rules.into();
        let (scenario, options) = (rules.scenario(&setup)?, rules.options(&setup)?);
        let mut worker = rules.worker().checking();
        let mut sink = Sink::on();
        let (rb, key) = (rules.rulebook(), Key::from_seed(setup.seed));
        let live = match scenario {
            Some(scenario) => flow::start_scenario(rb, &mut worker, &mut sink, key, options, scenario)?,
            None => flow::start(rb, &mut worker, &mut sink, key, options)?,
        };
        let mut game = Self::at(&rules, worker, setup, live);
        let (events, _) = sink.take();
        game.open(&events);
        game.mark_barrier();
        Ok(game)
    }

    /// A game at a barrier, of which nobody has seen anything yet.
    fn at(rules: &Rules, worker: Worker, setup: Setup, live: State) -> Self {
        let seats = rules.rulebook().seats().len();
        Self {
            rules: rules.clone(),
            rulebook: Arc::clone(rules.rulebook()),
            worker,
            setup,
            base: None,
            journal_from: 0,
            journal: Vec::new(),
            barrier: 0,
            barrier_versions: vec![0; seats],
            late: None,
            published: live.clone(),
            live,
            drafts: BTreeMap::new(),
            pending: Vec::new(),
            versions: vec![0; seats],
            batches: vec![Vec::new(); seats],
            history: vec![Vec::new(); seats],
            shown: vec![0; seats],
            releases: vec![Vec::new(); seats],
            standing: BTreeMap::new(),
            faults: Faults::default(),
            ciphers: Ciphers::default(),
        }
    }

    /// The rules, with whatever runs them.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The rules.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// How the game began.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The journal so far; of a game that was loaded from a snapshot, what is known of it (see
    /// [`journal_from`](Self::journal_from)).
    pub fn journal(&self) -> &[Entry] {
        &self.journal
    }

    /// The whole position, hidden facts and all drafts included. It is the host's.
    pub fn state(&self) -> &State {
        &self.live
    }

    /// The fingerprint of the whole position.
    pub fn digest(&self) -> Digest {
        self.live.digest()
    }

    /// Whether the game has ended.
    pub fn ended(&self) -> bool {
        self.live.outcome().is_some()
    }

    /// The faults of the rules, for the umpire: seat by seat, of each the latest. Equal ones that follow each
    /// other are one note, and of each seat the latest [`MOST_NOTES`] are kept.
    pub fn faults(&self) -> impl Iterator<Item = &NotedFault> {
        self.faults.iter()
    }

    /// What was wrong when a seat (`None`: the umpire) was told of a fault by this number, for the umpire;
    /// `None` when there was no such fault or it is no longer kept.
    pub fn fault(&self, seat: Option<SeatId>, number: u32) -> Option<&Fault> {
        self.faults.find(seat, number)
    }

    /// The position as a seat may see it: what was published and its own draft.
    pub(crate) fn position(&self, seat: SeatId) -> &State {
        if self.rulebook.mutant("view_live") {
            return &self.live;
        }
        if self.rulebook.mutant("draft_to_partner") && self.rulebook.seat(seat).side.is_some() {
            let side = self.rulebook.seat(seat).side;
            let partner = self.drafts.iter().find(|(s, _)| self.rulebook.seat(**s).side == side);
            return partner.map_or(&self.published, |(_, d)| &d.state);
        }
        self.drafts.get(&seat).map_or(&self.published, |d| &d.state)
    }

    /// A game like this one that goes on by itself (the journal so far is shared history).
    #[must_use]
    pub fn branch_off(&self) -> Self {
        Self {
            base: self.base.clone(),
            journal_from: self.journal_from,
            journal: self.journal.clone(),
            barrier: self.barrier,
            late: self.late.clone(),
            batches: self.batches.clone(),
            history: self.history.clone(),
            shown: self.shown.clone(),
            releases: self.releases.clone(),
            faults: self.faults.clone(),
            ..self.branch_bare()
        }
    }

    /// A branch with the same position, drafts and versions, and nothing of what came before.
    pub(crate) fn branch_bare(&self) -> Self {
        let seats = self.versions.len();
        Self {
            rules: self.rules.clone(),
            rulebook: Arc::clone(&self.rulebook),
            worker: self.worker.branch_off(),
            setup: self.setup.clone(),
            base: None,
            journal_from: 0,
            journal: Vec::new(),
            barrier: 0,
            barrier_versions: self.barrier_versions.clone(),
            late: None,
            published: self.published.clone(),
            live: self.live.clone(),
            drafts: self.drafts.clone(),
            pending: self.pending.clone(),
            versions: self.versions.clone(),
            batches: vec![Vec::new(); seats],
            history: vec![Vec::new(); seats],
            shown: vec![0; seats],
            releases: vec![Vec::new(); seats],
            standing: self.standing.clone(),
            faults: Faults::default(),
            ciphers: self.ciphers.clone(),
        }
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Game({:?}, {} entries)", self.rulebook, self.journal.len())
    }
}

//! Games: seats around a table, with a journal.
//!
//! Every seat has its own view, offers, draft and version. The view of a seat is made from what was published
//! at the last barrier and its own draft alone, so that nothing of another's draft can be in it.

mod act;
mod draft;
mod journal;
mod seat;
mod umpire;

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_kernel::chance::Key;
use adjutant_kernel::events::ShownEvent;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::view::Ciphers;
use adjutant_kernel::{Digest, Fault, Rulebook, SeatId, State, Viewer, Worker};
use serde::{Deserialize, Serialize};

pub use journal::{Entry, NamedEdit};
pub use seat::{Packet, SeatView};

use draft::{Draft, Pending};

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The options that are on.
    #[serde(default)]
    pub options: Vec<String>,
    /// Seed of the secret key from which all dice come.
    pub seed: u64,
}

/// An answer given in advance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// The prompt that it answers.
    pub prompt: String,
    /// The verb of the action to take when it is offered without targets.
    pub verb: String,
    /// The phase at whose beginning it lapses; never, when absent.
    pub until: Option<String>,
}

/// A game being played.
pub struct Game {
    rulebook: Arc<Rulebook>,
    worker: Worker,
    setup: Setup,
    journal: Vec<Entry>,
    /// The position as of the last barrier.
    published: State,
    /// The position with all drafts.
    live: State,
    drafts: BTreeMap<SeatId, Draft>,
    pending: Vec<Pending>,
    versions: Vec<u32>,
    /// What each seat has been shown, batch by batch.
    batches: Vec<Vec<Vec<ShownEvent>>>,
    /// Releases to each viewer in the order of their publication, for the conformance suite.
    releases: Vec<Vec<verify_hook::Release>>,
    standing: BTreeMap<SeatId, Vec<Standing>>,
    faults: Vec<Fault>,
    ciphers: Ciphers,
}

pub(crate) mod verify_hook {
    //! What the conformance suite needs to know of a game beside what seats are shown.

    use adjutant_kernel::events::ShownRelease;

    /// A release with its place in what the viewer's seats were shown: the number of events before it.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Release {
        pub(crate) shown: ShownRelease,
        pub(crate) events_before: usize,
    }
}

/// Why a game could not begin.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such option.
    #[error("there is no option `{name}`; the options are: {known}")]
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
    /// Begins a game.
    ///
    /// # Errors
    /// An unknown option, or a fault of the rules.
    pub fn start(rulebook: &Arc<Rulebook>, setup: Setup) -> Result<Self, StartError> {
        let mut options = 0;
        for name in &setup.options {
            let option = rulebook.option_named(name).ok_or_else(|| StartError::Option {
                name: name.clone(),
                known: rulebook.options().iter().map(|o| o.name.as_str()).collect::<Vec<_>>().join(", "),
            })?;
            options |= 1 << option.0;
        }
        let mut worker = Worker::new().checking();
        let mut sink = Sink::on();
        let live = flow::start(rulebook, &mut worker, &mut sink, Key::from_seed(setup.seed), options)?;
        let seats = rulebook.seats().len();
        let mut game = Self {
            rulebook: Arc::clone(rulebook),
            worker,
            setup,
            journal: Vec::new(),
            published: live.clone(),
            live,
            drafts: BTreeMap::new(),
            pending: Vec::new(),
            versions: vec![0; seats],
            batches: vec![Vec::new(); seats],
            releases: vec![Vec::new(); rulebook.viewers().count()],
            standing: BTreeMap::new(),
            faults: Vec::new(),
            ciphers: Ciphers::default(),
        };
        let (events, _) = sink.take();
        game.show(None, &events);
        Ok(game)
    }

    /// The rules.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// How the game began.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The journal so far.
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

    /// The faults of the rules that refused actions, by their numbers from 1: for the umpire.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
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

    /// The releases to a viewer so far.
    pub(crate) fn releases(&self, viewer: Viewer) -> &[verify_hook::Release] {
        let index = self.rulebook.viewers().position(|v| v == viewer).unwrap_or(0);
        &self.releases[index]
    }

    /// Replaces the position by a twin of it, before any draft.
    pub(crate) fn become_twin(&mut self, twin: State) {
        self.published = twin.clone();
        self.live = twin;
    }

    /// Whether any seat has an open draft.
    pub(crate) fn drafting(&self) -> bool {
        !self.drafts.is_empty()
    }

    /// A game like this one that goes on by itself (the journal so far is shared history).
    #[must_use]
    pub fn branch_off(&self) -> Self {
        Self {
            rulebook: Arc::clone(&self.rulebook),
            worker: Worker::new().checking(),
            setup: self.setup.clone(),
            journal: self.journal.clone(),
            published: self.published.clone(),
            live: self.live.clone(),
            drafts: self.drafts.clone(),
            pending: self.pending.clone(),
            versions: self.versions.clone(),
            batches: self.batches.clone(),
            releases: self.releases.clone(),
            standing: self.standing.clone(),
            faults: self.faults.clone(),
            ciphers: Ciphers::default(),
        }
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Game({:?}, {} entries)", self.rulebook, self.journal.len())
    }
}

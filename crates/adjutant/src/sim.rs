//! Simulations: the rules on a bare state.

use std::sync::Arc;

use adjutant_kernel::chance::Key;
use adjutant_kernel::decisions::Urn;
use adjutant_kernel::flow::{self, Asked, Sink};
use adjutant_kernel::{Action, Fault, Rulebook, SeatId, State, Viewer, Worker};

use crate::game::StartError;
use crate::{Random, Rules, Setup};

/// A bare state with the rules that run it: no drafts, no journal, no events.
///
/// Nothing here hides anything: a bot that must not peek plays on what [`Sim::determinize`] gives it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::kernel::Viewer;
/// use adjutant::{Random, Setup, Sim};
/// let mut sim = Sim::set_up(&rules, &Setup { seed: 1862, ..Setup::default() })?;
/// let seat = sim.asked().unwrap().seats[0];
/// let first = sim.offers(seat)?[0];
/// sim.act(seat, &first)?;
/// let mut random = Random::new(7);
/// while sim.random_step(&mut random)? {}
/// assert!(sim.state().outcome().is_some());
/// let world = sim.determinize(Viewer::Public, &mut random)?; // for a bot that must not peek
/// assert_eq!(world.outcome(), sim.state().outcome());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sim {
    rulebook: Arc<Rulebook>,
    worker: Worker,
    state: State,
    list: Vec<Action>,
    urn: Urn,
}

impl Sim {
    /// Begins the first scenario, or the game where there are none, with options (a bit each) and the dice of a key.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn start(rules: impl Into<Rules>, key: Key, options: u64) -> Result<Self, Fault> {
        let rules = rules.into();
        let mut worker = rules.worker();
        let state = flow::start(rules.rulebook(), &mut worker, &mut Sink::off(), key, options)?;
        Ok(Self::new(rules.rulebook(), worker, state))
    }

    /// Begins a game as [`Game::start`](crate::Game::start) does: a scenario, its options and those of the
    /// set-up, the seed.
    ///
    /// # Errors
    /// As there.
    pub fn set_up(rules: impl Into<Rules>, setup: &Setup) -> Result<Self, StartError> {
        let rules = rules.into();
        let (scenario, options) = (rules.scenario(setup)?, rules.options(setup)?);
        let (rb, mut worker, key) = (rules.rulebook(), rules.worker(), Key::from_seed(setup.seed));
        let state = match scenario {
            Some(scenario) => {
                flow::start_scenario(rb, &mut worker, &mut Sink::off(), key, options, scenario)?
            }
            None => flow::start(rb, &mut worker, &mut Sink::off(), key, options)?,
        };
        Ok(Self::new(rb, worker, state))
    }

    /// Goes on from a state.
    pub fn new(rulebook: &Arc<Rulebook>, worker: Worker, state: State) -> Self {
        Self { rulebook: Arc::clone(rulebook), worker, state, list: Vec::new(), urn: Urn::default() }
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes on from another state of the same rulebook.
    pub fn set_state(&mut self, state: &State) {
        self.state.clone_from(state);
    }

    /// The rules.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// Who is asked what; `None` when the game has ended.
    pub fn asked(&self) -> Option<Asked> {
        flow::asked(&self.state)
    }

    /// What a seat may do; empty when it is not asked.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn offers(&mut self, seat: SeatId) -> Result<&[Action], Fault> {
        flow::offers(&self.rulebook, &self.worker, &self.state, seat, &mut self.list)?;
        Ok(&self.list)
    }

    /// Carries out an action that was offered.
    ///
    /// # Errors
    /// A fault of the rules; the state is then spoilt.
    pub fn act(&mut self, seat: SeatId, action: &Action) -> Result<(), Fault> {
        flow::act(&self.rulebook, &mut self.worker, &mut Sink::off(), &mut self.state, seat, action)
    }

    /// One of the things that a seat may do, each as likely; `None` when there is none. Much quicker than to list them where
    /// their tests are long.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Random, Setup, Sim};
    /// let mut sim = Sim::set_up(&rules, &Setup { seed: 1, ..Setup::default() })?;
    /// let blue = rules.seat_named("blue").unwrap();
    /// let drawn = sim.draw(blue, &mut Random::new(1))?.unwrap();
    /// assert!(sim.offers(blue)?.contains(&drawn));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn draw(&mut self, seat: SeatId, random: &mut Random) -> Result<Option<Action>, Fault> {
        let (rb, urn) = (&self.rulebook, &mut self.urn);
        flow::draw(rb, &self.worker, &self.state, seat, urn, &mut |n| random.below(n))
    }

    /// Lets a seat that is asked do something at random, each offer as likely; `false` when the game has
    /// ended.
    ///
    /// # Errors
    /// A fault of the rules; one that offers nothing is a dead end.
    pub fn random_step(&mut self, random: &mut Random) -> Result<bool, Fault> {
        let Some((seat, prompt)) = flow::pick_asked(&self.state, &mut |n| random.below(n)) else {
            return Ok(false);
        };
        let Some(action) = self.draw(seat, random)? else {
            return Err(flow::dead_end(&self.rulebook, &self.worker, &self.state, seat, prompt));
        };
        self.act(seat, &action)?;
        Ok(true)
    }

    /// A world that a viewer cannot tell from this one, with dice of its own.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn determinize(&mut self, viewer: Viewer, random: &mut Random) -> Result<State, Fault> {
        let key = Key::from_seed(random.word());
        flow::determinize(&self.rulebook, &mut self.worker, &self.state, viewer, key, &mut || random.word())
    }
}

impl std::fmt::Debug for Sim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sim({:?})", self.rulebook)
    }
}

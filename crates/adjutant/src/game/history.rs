//! What came before: the last barrier, where logs begin, forks at an entry, replays for a seat.

use std::sync::Arc;

use adjutant_kernel::events::ShownEvent;
use adjutant_kernel::view::ShownAction;
use adjutant_kernel::{OptionId, Read, SeatId, State};
use serde::{Deserialize, Serialize};

use super::{Entry, Game, Setup};
use crate::Rules;
use crate::save::Incompatible;

/// A position at a barrier, from which a game was loaded.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Base {
    /// How many entries of the journal lead to it.
    pub(crate) entries: usize,
    /// The position.
    pub(crate) state: State,
    /// The versions of the seats.
    pub(crate) versions: Vec<u32>,
}

/// Something that a seat did or was shown.
#[derive(Clone, Debug)]
pub(super) struct Step {
    version: u32,
    what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Did(ShownAction),
    Undid,
    Resigned,
    /// A batch by number.
    Shown(usize),
}

/// A game as one seat saw it: for looking back, study and publication. It holds what the seat was shown and what
/// it did itself, in the names that it knew then, and nothing else: no key, no seed, no journal.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Happened, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let [blue, red] = ["blue", "red"].map(|seat| game.rulebook().seat_named(seat).unwrap());
/// # let march = game.offers(blue)[0].clone();
/// game.act(blue, None, &march)?;
/// let decisions = |seat| {
///     game.replay(seat).steps.iter().filter(|step| matches!(step.what, Happened::Did(_))).count()
/// };
/// assert_eq!((decisions(blue), decisions(red)), (1, 0));
/// assert!(game.replay(red).whole && game.replay(red).to_json().contains("\"red\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The title.
    pub title: String,
    /// The version of the rules.
    pub rules: String,
    /// The options that are on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The seat.
    pub seat: String,
    /// Whether it begins with the game; if not, with the snapshot that the game was loaded from.
    pub whole: bool,
    /// What the seat did and was shown, in order.
    pub steps: Vec<ReplayStep>,
}

/// One step of a replay.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Happened, ReplayStep, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// let march = game.offers(blue)[0].clone();
/// game.act(blue, None, &march)?;
/// game.undo(blue)?;
/// let steps: Vec<ReplayStep> = game.replay(blue).steps;
/// assert!(matches!(&steps[0].what, Happened::Shown(_))); // how the game begins
/// assert_eq!(steps[1].what, Happened::Did(march));
/// let last = steps.last().unwrap();
/// assert_eq!((&last.what, last.version), (&Happened::Undid, game.version(blue)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayStep {
    /// The version of the seat after it.
    pub version: u32,
    /// What happened.
    pub what: Happened,
}

/// What happened to a seat.
///
/// ```
/// use adjutant::Happened;
/// use adjutant::text::Text;
/// fn told(happened: &Happened, text: &Text) -> String {
///     match happened {
///         Happened::Did(action) => text.action(action),
///         Happened::Undid => "takes it back".into(),
///         Happened::Resigned => "gives up".into(),
///         Happened::Shown(events) => events.iter().map(|event| text.event(event)).collect::<Vec<_>>().join("; "),
///     }
/// }
/// assert_eq!(told(&Happened::Undid, &Text::default()), "takes it back");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// It did this.
    Did(ShownAction),
    /// It took its last decision back.
    Undid,
    /// It gave up.
    Resigned,
    /// It was shown this: what a barrier published, or what came of its own decision.
    Shown(Vec<ShownEvent>),
}

impl Replay {
    /// The replay as JSON.
    pub fn to_json(&self) -> String {
        // Names and numbers always have a JSON form.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl Game {
    pub(super) fn note(&mut self, seat: SeatId, what: What) {
        let version = self.versions[seat.index()];
        self.history[seat.index()].push(Step { version, what });
    }

    /// Everything so far is published.
    pub(super) fn mark_barrier(&mut self) {
        self.barrier = self.journal.len();
        self.barrier_versions.clone_from(&self.versions);
        self.late = None;
    }

    /// The position at the last barrier, with the number of entries that lead to it and the versions then.
    pub(crate) fn last_barrier(&self) -> Base {
        Base {
            entries: self.journal_from + self.barrier,
            state: self.late.as_ref().map_or(&self.published, |late| &late.state).clone(),
            versions: self.barrier_versions.clone(),
        }
    }

    /// The snapshot that the game was loaded from.
    pub(crate) fn base(&self) -> Option<&Base> {
        self.base.as_deref()
    }

    /// How many entries of the journal came before what this game knows of it: more than 0 when it was loaded
    /// from a save whose snapshot replaces a prefix of the journal.
    pub fn journal_from(&self) -> usize {
        self.journal_from
    }

    /// How many entries of the journal came before the logs of the seats begin: more than 0 when the game was
    /// loaded from a snapshot. What seats were shown before is not known any more.
    pub fn log_from(&self) -> usize {
        self.base.as_ref().map_or(0, |base| base.entries)
    }

    /// How many entries the journal has, those before its known part included.
    pub fn entries(&self) -> usize {
        self.journal_from + self.journal.len()
    }

    /// Goes on from a position at a barrier, of which `known` is the end of the journal that leads to it.
    pub(crate) fn resume(rules: &Rules, setup: Setup, base: Arc<Base>, known: &[Entry]) -> Self {
        let mut game = Self::at(rules, rules.worker().checking(), setup, base.state.clone());
        game.versions.clone_from(&base.versions);
        game.journal_from = base.entries - known.len();
        game.journal = known.to_vec();
        game.base = Some(base);
        game.mark_barrier();
        game
    }

    /// The game as it was after so many entries of its journal, to go on otherwise from there. The logs of its
    /// seats begin where those of this game do.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// let offers = game.offers(blue);
    /// game.act(blue, None, &offers[0])?;
    /// let mut otherwise = game.fork_at(0)?; // as it began
    /// otherwise.act(blue, None, &offers[1])?;
    /// assert_ne!(otherwise.digest(), game.digest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are not so many entries, or what they did is no longer known.
    pub fn fork_at(&self, entries: usize) -> Result<Self, Incompatible> {
        let (from, to) = (self.log_from(), self.entries());
        let mut fork = match &self.base {
            Some(base) if (from..=to).contains(&entries) => {
                let known = &self.journal[..from - self.journal_from];
                Self::resume(&self.rules, self.setup.clone(), Arc::clone(base), known)
            }
            _ if self.journal_from == 0 && entries <= to => Self::start(&self.rules, self.setup.clone())
                .map_err(|e| Incompatible::Start(e.to_string()))?,
            _ => {
                let from = if self.journal_from == 0 { 0 } else { from };
                return Err(Incompatible::NoEntry { wanted: entries, from, to });
            }
        };
        let (first, last) = (fork.entries() - self.journal_from, entries - self.journal_from);
        for (n, entry) in self.journal[first..last].iter().enumerate() {
            fork.apply_entry(entry).map_err(|reason| Incompatible::Entry {
                number: self.journal_from + first + n + 1,
                saved: "this game".to_owned(),
                reason,
            })?;
        }
        Ok(fork)
    }

    fn options_on(&self) -> Vec<String> {
        let read = Read::new(&self.rulebook, &self.live);
        let all = self.rulebook.options().iter().enumerate();
        all.filter(|(n, _)| read.option(OptionId(*n as u8))).map(|(_, option)| option.name.clone()).collect()
    }

    /// The game as a seat saw it; it can be given to whoever may know what the seat knows.
    ///
    /// # Panics
    /// For a seat that the rulebook does not have.
    pub fn replay(&self, seat: SeatId) -> Replay {
        let steps = self.history[seat.index()].iter().map(|step| ReplayStep {
            version: step.version,
            what: match &step.what {
                What::Did(action) => Happened::Did(action.clone()),
                What::Undid => Happened::Undid,
                What::Resigned => Happened::Resigned,
                What::Shown(batch) => {
                    Happened::Shown(self.batches[seat.index()].get(*batch).cloned().unwrap_or_default())
                }
            },
        });
        Replay {
            title: self.rulebook.title().to_owned(),
            rules: self.rulebook.version().to_owned(),
            options: self.options_on(),
            seat: self.rulebook.seat(seat).name.clone(),
            whole: self.base.is_none(),
            steps: steps.collect(),
        }
    }
}

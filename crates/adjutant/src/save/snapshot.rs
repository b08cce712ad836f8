//! Saves that need not be played from the beginning: a snapshot stands for a prefix of the journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_kernel::state::NamedState;
use adjutant_kernel::{Rulebook, State};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{FindRules, Incompatible, Save};
use crate::game::{Base, Game, LAST_VERSION};
use crate::verify::diff::differences;

/// The position at a barrier, by names.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Setup, Snapshot};
/// # let game = Game::start(&rules, Setup::default())?;
/// let save = game.save_from_snapshot();
/// let snapshot: &Snapshot = save.snapshot.as_ref().unwrap();
/// assert_eq!((snapshot.entries, snapshot.versions["blue"]), (0, 1));
/// assert_eq!(Game::load(&rules, &save)?.digest(), game.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// How many entries of the journal lead to it.
    pub entries: usize,
    /// The versions of the seats by name.
    pub versions: BTreeMap<String, u32>,
    /// The position.
    pub state: NamedState,
    /// The fingerprint of the position, so that damage is noticed.
    pub fingerprint: String,
}

/// What [`Game::check_save`] found to be sound.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Checked, Game, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// # let march = game.offers(blue)[0].clone();
/// game.act(blue, None, &march)?;
/// assert_eq!(Game::check_save(&rules, &game.save())?, Checked { entries: 1, snapshot: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// How many entries were carried out.
    pub entries: usize,
    /// After how many of them the snapshot was compared, if there is one.
    pub snapshot: Option<usize>,
}

/// The fingerprint of a position by names: equal as long as the names are, however the rules number things.
pub(crate) fn fingerprint(state: &NamedState) -> String {
    // Names and numbers always have a JSON form, and maps are written in the order of their keys.
    let json = serde_json::to_vec(state).unwrap_or_default();
    Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Snapshot {
    pub(super) fn of(rb: &Rulebook, base: &Base) -> Self {
        let state = base.state.named(rb);
        let names = rb.seats().iter().map(|seat| seat.name.clone());
        Self {
            entries: base.entries,
            versions: names.zip(base.versions.iter().copied()).collect(),
            fingerprint: fingerprint(&state),
            state,
        }
    }

    /// The position by a rulebook.
    pub(super) fn base(&self, rb: &Rulebook) -> Result<Base, Incompatible> {
        let fingerprint = fingerprint(&self.state);
        if fingerprint != self.fingerprint {
            return Err(Incompatible::Damaged);
        }
        let state: State = self
            .state
            .state(rb)
            .map_err(|problems| Incompatible::Snapshot(problems.iter().map(ToString::to_string).collect()))?;
        let known = |seat: &adjutant_kernel::rulebook::SeatDef| self.versions.get(&seat.name).copied();
        let versions: Vec<u32> = rb.seats().iter().filter_map(known).collect();
        if versions.len() != rb.seats().len() || versions.len() != self.versions.len() {
            let seats: Vec<&str> = rb.seats().iter().map(|seat| seat.name.as_str()).collect();
            let text = format!("versions: every seat has one; the seats are {}", seats.join(", "));
            return Err(Incompatible::Snapshot(vec![text]));
        }
        // A version counts what one seat was shown and did.
        if versions.iter().any(|v| *v > LAST_VERSION) {
            return Err(Incompatible::Snapshot(vec!["versions: they are impossibly high".to_owned()]));
        }
        Ok(Base { entries: self.entries, state, versions })
    }
}

impl Game {
    /// The game as a save in which a snapshot of the last barrier replaces all of the journal before it. It
    /// loads at once, however long the game is, and also by rules under which the beginning could no longer be
    /// played; but what the seats were shown before is lost, and nobody can check how it came about.
    pub fn save_from_snapshot(&self) -> Save {
        let barrier = self.last_barrier();
        let mut save = self.save();
        save.journal.drain(..barrier.entries - self.journal_from());
        save.journal_from = barrier.entries;
        save.snapshot = Some(Snapshot::of(self.rulebook(), &barrier));
        save
    }

    /// The game as a save with a snapshot of the last barrier and all of the journal that is known: it loads at
    /// once too (the logs of the seats begin at the snapshot), and can be checked.
    pub fn save_with_snapshot(&self) -> Save {
        let mut save = self.save();
        save.snapshot = Some(Snapshot::of(self.rulebook(), &self.last_barrier()));
        save
    }

    /// Plays the whole journal of a save and compares: each entry must be possible, the snapshot (if there is
    /// one) must be what the entries before it lead to, and from it each entry must lead to the same as without
    /// it. The rules may be others than those of the save: [`Save::differences`] says in what.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// # let march = game.offers(blue)[0].clone();
    /// game.act(blue, None, &march)?;
    /// let mut save = game.save_with_snapshot();
    /// assert_eq!(Game::check_save(&rules, &save)?.entries, 1);
    /// save.journal.clear(); // somebody has touched it
    /// assert!(Game::check_save(&rules, &save).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong, with the first entry after which it is; [`Incompatible::NoEntry`] when the snapshot
    /// replaces a part of the journal, so that there is nothing to compare it with.
    pub fn check_save<S: FindRules + ?Sized>(source: &S, save: &Save) -> Result<Checked, Incompatible> {
        let rules = source.find_rules(save)?;
        let rulebook = rules.rulebook();
        if save.journal_from > 0 {
            let (from, to) = (save.journal_from, save.journal_from.saturating_add(save.journal.len()));
            return Err(Incompatible::NoEntry { wanted: 0, from, to });
        }
        let whole = Save { snapshot: None, ..save.clone() };
        let base = match &save.snapshot {
            Some(snapshot) => Some(Arc::new(snapshot.base(rulebook)?)),
            None => None,
        };
        let mut game = Self::begin(&rules, &whole)?;
        let mut from_snapshot: Option<Self> = None;
        for number in 0..=save.journal.len() {
            let differs = |what: String| Incompatible::Differs { number, what };
            if let Some(base) = base.as_ref().filter(|base| base.entries == number) {
                let found = game.last_barrier();
                if found != **base {
                    let seen = |base: &Base| (base.state.named(rulebook), base.versions.clone());
                    return Err(differs(differences(&seen(&found), &seen(base))));
                }
                let known = &save.journal[..number];
                from_snapshot = Some(Self::resume(&rules, save.setup.clone(), Arc::clone(base), known));
            }
            let Some(entry) = save.journal.get(number) else { break };
            let failed = |reason| save.entry_error(number, reason);
            game.apply_entry(entry).map_err(failed)?;
            if let Some(other) = &mut from_snapshot {
                other.apply_entry(entry).map_err(failed)?;
                if other.state() != game.state() {
                    let (a, b) = (game.state().named(rulebook), other.state().named(rulebook));
                    return Err(Incompatible::Differs { number: number + 1, what: differences(&a, &b) });
                }
            }
        }
        if fingerprint(&game.state().named(rulebook)) != save.fingerprint {
            return Err(Incompatible::Diverged { saved: save.provenance() });
        }
        Ok(Checked { entries: save.journal.len(), snapshot: base.map(|base| base.entries) })
    }
}

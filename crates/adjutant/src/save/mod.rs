//! Saves: a start and a journal, by stable names. A save holds the seed and everything hidden: it is the
//! host's; what a seat exports is its view and its log.

mod file;
mod migrate;
mod snapshot;

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_kernel::Rulebook;
use serde::{Deserialize, Serialize};

use crate::game::{Entry, Game, Setup, Standing};
use crate::{Rules, Stamp};

pub use file::{Io, LoadError};
use migrate::FORMAT;
pub(crate) use snapshot::fingerprint;
pub use snapshot::{Checked, Snapshot};

/// A saved game.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Save, Setup};
/// # let mut game = Game::start(&rules, Setup { seed: 3, ..Setup::default() })?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// # let march = game.offers(blue)[0].clone();
/// game.act(blue, None, &march)?;
/// let save: Save = Save::from_json(&game.save().to_json())?;
/// assert_eq!((save.title.as_str(), save.setup.seed, save.journal.len()), ("field", 3, 1));
/// assert_eq!(Game::load(&rules, &save)?.digest(), game.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The format of this record.
    pub format: u32,
    /// The version of the engine that wrote it.
    pub engine: String,
    /// The title.
    pub title: String,
    /// The version of the rules.
    pub rules: String,
    /// Fingerprint of all names that the rules declare.
    pub rulebook: String,
    /// The pack that it was played by, with its overlays and modules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<Stamp>,
    /// How the game began.
    pub setup: Setup,
    /// A position on the way, from which the game can go on without what came before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
    /// How many entries the journal leaves out at its beginning; the snapshot stands for them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub journal_from: usize,
    /// The journal.
    pub journal: Vec<Entry>,
    /// The answers that seats have given in advance, by seat.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub standing: BTreeMap<String, Vec<Standing>>,
    /// The fingerprint of the position that it leads to, by names.
    pub fingerprint: String,
}

/// Where the rules of a save are found: a rulebook, rules or a pack give their own; a library looks for the pack
/// that the save names, with its overlays.
///
/// ```
/// use adjutant::{FindRules, Game, Library, Setup};
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// let library = Library::open(games).map_err(|report| report.render())?;
/// let pack = library.pack("ford").map_err(|report| report.render())?;
/// let save = Game::start(&pack, Setup::default())?.save();
/// let rules = library.find_rules(&save)?; // the pack that the save names
/// assert_eq!(rules.rulebook().title(), "The Ford");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FindRules {
    /// The rules.
    ///
    /// # Errors
    /// When there are none for this save.
    fn find_rules(&self, save: &Save) -> Result<Rules, Incompatible>;
}

impl FindRules for Arc<Rulebook> {
    fn find_rules(&self, _: &Save) -> Result<Rules, Incompatible> {
        Ok(Rules::from(self))
    }
}

impl FindRules for Rules {
    fn find_rules(&self, _: &Save) -> Result<Rules, Incompatible> {
        Ok(self.clone())
    }
}

/// More entries than any game has, and few enough that no count runs over.
const MOST_ENTRIES: usize = 1 << 30;

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// As much of what a save says as a message needs: it may be of any length.
fn short(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text.to_owned(),
    }
}

/// Why a save cannot be loaded.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Incompatible, Setup};
/// # let game = Game::start(&rules, Setup::default())?;
/// let mut save = game.save();
/// save.title = "another game".into();
/// let error = Game::load(&rules, &save).unwrap_err();
/// assert!(matches!(error, Incompatible::Title { .. }));
/// assert_eq!(error.to_string(), "the save is of `another game`; the rules given are of `field`");
/// # Ok::<(), adjutant::StartError>(())
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Incompatible {
    /// It is no save.
    #[error("this is no saved game: {0}")]
    Malformed(String),
    /// Another format.
    #[error("the save has format {found}; this engine reads format {known}")]
    Format {
        /// Its format.
        found: u32,
        /// What can be read.
        known: u32,
    },
    /// Another title.
    #[error("the save is of `{}`; the rules given are of `{expected}`", short(found))]
    Title {
        /// Its title.
        found: String,
        /// The title of the rules.
        expected: String,
    },
    /// It was made by other rules.
    #[error("the save was made by other rules:\n  {}", .0.join("\n  "))]
    Rules(Vec<String>),
    /// The pack of the save cannot be opened.
    #[error("the pack of the save cannot be opened: {0}")]
    Pack(String),
    /// The rules have changed, and an entry of the journal is no longer possible.
    #[error(
        "entry {number} of the journal cannot be carried out by these rules (saved by {saved}): {reason}"
    )]
    Entry {
        /// Its number, from 1.
        number: usize,
        /// What the save says of its rules.
        saved: String,
        /// Why.
        reason: String,
    },
    /// The journal leads elsewhere than when it was written.
    #[error("the journal leads to another position than it did (saved by {saved})")]
    Diverged {
        /// What the save says of its rules.
        saved: String,
    },
    /// The snapshot is not what was written.
    #[error("the snapshot of the save is damaged: it does not have the fingerprint that it names")]
    Damaged,
    /// The snapshot makes no position by these rules.
    #[error("the snapshot of the save makes no position by these rules:\n{}", .0.join("\n"))]
    Snapshot(Vec<String>),
    /// The snapshot and the journal do not agree.
    #[error(
        "after entry {number} of the journal the position differs (replayed / from the snapshot): {what}"
    )]
    Differs {
        /// The first entry after which they differ, from 1; 0 is the beginning.
        number: usize,
        /// In what.
        what: String,
    },
    /// There is no such entry, or it is not known any more.
    #[error("entry {wanted} of the journal is not known: it is known from {from} to {to}")]
    NoEntry {
        /// What was asked for.
        wanted: usize,
        /// How many entries came before what is known.
        from: usize,
        /// How many there are.
        to: usize,
    },
    /// An answer given in advance that means nothing by these rules.
    #[error("the answers in advance of seat `{seat}`: {what}")]
    Standing {
        /// The seat.
        seat: String,
        /// What is wrong.
        what: String,
    },
    /// The game cannot be begun.
    #[error("the game cannot be begun: {0}")]
    Start(String),
}

impl Save {
    /// Reads a save from JSON. One of an older format is brought up to date.
    ///
    /// # Errors
    /// When it is malformed or of a newer format.
    pub fn from_json(text: &str) -> Result<Self, Incompatible> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|e| Incompatible::Malformed(e.to_string()))?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(found) if found <= u64::from(FORMAT) => {
                let value = migrate::to_current(value, found as u32);
                serde_json::from_value(value).map_err(|e| Incompatible::Malformed(e.to_string()))
            }
            Some(found) => {
                Err(Incompatible::Format { found: u32::try_from(found).unwrap_or(u32::MAX), known: FORMAT })
            }
            None => Err(Incompatible::Malformed("it names no format".to_owned())),
        }
    }

    /// The save as JSON.
    pub fn to_json(&self) -> String {
        // Names and numbers always have a JSON form.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// In what the rules that it was made by differ from these: engine, pack, overlays, modules; a text each.
    pub fn differences(&self, rules: &Rules) -> Vec<String> {
        match (&self.pack, rules.stamp()) {
            (None, None) => Vec::new(),
            (Some(saved), None) => {
                vec![format!("the save is of pack `{}`; these rules are of none", saved.pack)]
            }
            (None, Some(found)) => {
                vec![format!("the save is of no pack; these rules are of `{}`", found.pack)]
            }
            (Some(saved), Some(found)) => {
                let engine = env!("CARGO_PKG_VERSION");
                let other = (self.engine != engine)
                    .then(|| format!("the engine is version {engine}; the save has {}", short(&self.engine)));
                let mut differs: Vec<String> = other.into_iter().chain(saved.differences(found)).collect();
                let names = rules.rulebook().fingerprint().to_string();
                if self.rulebook != names {
                    let start = |hash: &str| hash.chars().take(12).collect::<String>();
                    let (is, was) = (start(&names), start(&self.rulebook));
                    differs.push(format!(
                        "the names that the rules declare have fingerprint {is}; the save has {was}"
                    ));
                }
                differs
            }
        }
    }

    /// What the save says of who wrote it.
    fn provenance(&self) -> String {
        format!("engine {}, rules {} {}", short(&self.engine), short(&self.rules), short(&self.rulebook))
    }

    fn entry_error(&self, index: usize, reason: String) -> Incompatible {
        Incompatible::Entry { number: self.journal_from + index + 1, saved: self.provenance(), reason }
    }
}

impl Game {
    /// The game as a save: its start and its journal. When the game was loaded from a snapshot, so can the save
    /// be, for the journal alone may not be enough.
    pub fn save(&self) -> Save {
        let rb = self.rulebook();
        Save {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            title: rb.title().to_owned(),
            rules: rb.version().to_owned(),
            rulebook: rb.fingerprint().to_string(),
            pack: self.rules().stamp().cloned(),
            setup: self.setup().clone(),
            snapshot: self.base().map(|base| Snapshot::of(rb, base)),
            journal_from: self.journal_from(),
            journal: self.journal().to_vec(),
            standing: rb
                .seat_ids()
                .map(|seat| (rb.seat(seat).name.clone(), self.standing(seat).to_vec()))
                .filter(|(_, answers)| !answers.is_empty())
                .collect(),
            fingerprint: snapshot::fingerprint(&self.state().named(rb)),
        }
    }

    /// Goes on from a save: from its snapshot, if there is one. The logs of the seats begin there then (see
    /// [`Game::log_from`]), and their versions go on. The rules are those of a library, pack or rulebook.
    ///
    /// # Errors
    /// When the save is of another title or format, its pack, modules, overlays or (with a pack) the engine are
    /// others, its snapshot makes no position by these rules, or its journal cannot be carried out by them.
    pub fn load<S: FindRules + ?Sized>(source: &S, save: &Save) -> Result<Self, Incompatible> {
        let rules = source.find_rules(save)?;
        let differs = save.differences(&rules);
        if differs.is_empty() { Self::go_on(&rules, save) } else { Err(Incompatible::Rules(differs)) }
    }

    /// As [`Game::load`], by rules that may differ from those of the save, such as a newer version of its pack.
    /// What the seats know of their game stays as it is; what comes follows the new rules.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let save = Game::start(&rules, Setup::default())?.save();
    /// # let (mut builder, _) = field::Field::builder(|_, _| Ok(()));
    /// # builder.rule("field:2");
    /// # let newer = std::sync::Arc::new(builder.build()?); // with one more rule
    /// let game = Game::upgrade(&newer, &save)?;
    /// assert!(game.rulebook().rule_named("field:2").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As there, but for what differs.
    pub fn upgrade<S: FindRules + ?Sized>(source: &S, save: &Save) -> Result<Self, Incompatible> {
        Self::go_on(&source.find_rules(save)?, save)
    }

    fn go_on(rules: &Rules, save: &Save) -> Result<Self, Incompatible> {
        let mut game = Self::begin(rules, save)?;
        let known = game.journal().len();
        for (n, entry) in save.journal.iter().enumerate().skip(known) {
            game.apply_entry(entry).map_err(|reason| save.entry_error(n, reason))?;
        }
        if snapshot::fingerprint(&game.state().named(rules.rulebook())) != save.fingerprint {
            return Err(Incompatible::Diverged { saved: save.provenance() });
        }
        for (name, answers) in &save.standing {
            let failed = |what: String| Incompatible::Standing { seat: name.clone(), what };
            let seat = rules.rulebook().seat_named(name);
            let seat = seat.ok_or_else(|| failed("there is no such seat".to_owned()))?;
            for answer in answers {
                game.resume_standing(seat, answer.clone()).map_err(|e| failed(e.to_string()))?;
            }
        }
        Ok(game)
    }

    /// The game where the journal of a save goes on: at its snapshot, or at the beginning.
    fn begin(rules: &Rules, save: &Save) -> Result<Self, Incompatible> {
        let rulebook = rules.rulebook();
        if save.format != FORMAT {
            return Err(Incompatible::Format { found: save.format, known: FORMAT });
        }
        if save.title != rulebook.title() {
            let (found, expected) = (save.title.clone(), rulebook.title().to_owned());
            return Err(Incompatible::Title { found, expected });
        }
        if save.journal_from > MOST_ENTRIES
            || save.snapshot.as_ref().is_some_and(|s| s.entries > MOST_ENTRIES)
        {
            return Err(Incompatible::Malformed("no game has so many entries".to_owned()));
        }
        let Some(snapshot) = &save.snapshot else {
            if save.journal_from > 0 {
                let text = format!("{} entries are left out and there is no snapshot", save.journal_from);
                return Err(Incompatible::Malformed(text));
            }
            return Self::start(rules, save.setup.clone()).map_err(|e| Incompatible::Start(e.to_string()));
        };
        let base = snapshot.base(rulebook)?;
        let known = base.entries.checked_sub(save.journal_from);
        let Some(known) = known.and_then(|count| save.journal.get(..count)) else {
            let (from, count) = (save.journal_from, save.journal.len());
            let text =
                format!("the snapshot is at entry {}; the journal has {count} from {from}", base.entries);
            return Err(Incompatible::Malformed(text));
        };
        let options = rules.options(&save.setup).map_err(|e| Incompatible::Start(e.to_string()))?;
        let on = snapshot.state.options.iter().filter_map(|o| rulebook.option_named(o));
        if options != on.fold(0, |bits, option| bits | 1 << option.0) {
            return Err(Incompatible::Malformed("snapshot and setup have other options on".to_owned()));
        }
        Ok(Self::resume(rules, save.setup.clone(), Arc::new(base), known))
    }
}

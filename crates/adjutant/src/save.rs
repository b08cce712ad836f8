//! Saves: a start and a journal, by stable names. A save holds the seed and everything hidden: it is the
//! host's; what a seat exports is its view and its log.

use std::sync::Arc;

use adjutant_kernel::Rulebook;
use serde::{Deserialize, Serialize};

use crate::game::{Entry, Game, Setup};

/// The format that this version writes.
pub(crate) const FORMAT: u32 = 1;

/// A saved game.
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
    /// How the game began.
    pub setup: Setup,
    /// The journal.
    pub journal: Vec<Entry>,
    /// The fingerprint of the position that it leads to.
    pub digest: String,
}

/// Why a save cannot be loaded.
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
    #[error("the save is of `{found}`; the rules given are of `{expected}`")]
    Title {
        /// Its title.
        found: String,
        /// The title of the rules.
        expected: String,
    },
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
    /// The game cannot be begun.
    #[error("the game cannot be begun: {0}")]
    Start(String),
}

impl Save {
    /// Reads a save from JSON.
    ///
    /// # Errors
    /// When it is malformed or of another format.
    pub fn from_json(text: &str) -> Result<Self, Incompatible> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|e| Incompatible::Malformed(e.to_string()))?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {
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
}

impl Game {
    /// The game as a save.
    pub fn save(&self) -> Save {
        let rb = self.rulebook();
        Save {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            title: rb.title().to_owned(),
            rules: rb.version().to_owned(),
            rulebook: rb.fingerprint().to_string(),
            setup: self.setup().clone(),
            journal: self.journal().to_vec(),
            digest: self.digest().to_string(),
        }
    }

    /// Goes on from a save.
    ///
    /// # Errors
    /// When the save is of another title or format, or its journal cannot be carried out by these rules.
    pub fn load(rulebook: &Arc<Rulebook>, save: &Save) -> Result<Self, Incompatible> {
        if save.format != FORMAT {
            return Err(Incompatible::Format { found: save.format, known: FORMAT });
        }
        if save.title != rulebook.title() {
            let (found, expected) = (save.title.clone(), rulebook.title().to_owned());
            return Err(Incompatible::Title { found, expected });
        }
        let saved = format!("engine {}, rules {} {}", save.engine, save.rules, &save.rulebook);
        let mut game =
            Self::start(rulebook, save.setup.clone()).map_err(|e| Incompatible::Start(e.to_string()))?;
        for (n, entry) in save.journal.iter().enumerate() {
            game.apply_entry(entry).map_err(|reason| Incompatible::Entry {
                number: n + 1,
                saved: saved.clone(),
                reason,
            })?;
        }
        if game.digest().to_string() != save.digest {
            return Err(Incompatible::Diverged { saved });
        }
        Ok(game)
    }
}

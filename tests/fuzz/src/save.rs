//! Spoilt saves: read, checked, loaded, and played on if they load.

use std::path::Path;

use adjutant::{Game, Pack, Random, Rules, Save, Setup};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Target;
use crate::corpus::{Case, titles};
use crate::mutate;
use crate::play::play;

/// Decisions after a save that loads.
const DECISIONS: usize = 8;

struct Origin {
    name: &'static str,
    rules: Rules,
    saves: Vec<(String, Value, Vec<String>)>,
}

pub(crate) struct Saves {
    random: Random,
    origins: Vec<Origin>,
}

impl Saves {
    /// Saves of games of each pack, with and without snapshots, at several moments.
    pub(crate) fn new(seed: u64) -> Result<Self, String> {
        let origins = titles().map(Origin::new).collect::<Result<_, _>>()?;
        Ok(Self { random: Random::new(seed), origins })
    }
}

impl Origin {
    fn new(name: &'static str) -> Result<Self, String> {
        let pack: Pack = pack_games::open(name)?;
        let mut saves = Vec::new();
        for seed in 1..=3 {
            let setup = Setup { seed, ..Setup::default() };
            let mut game = Game::start(&pack, setup).map_err(|e| e.to_string())?;
            play(&mut game, 12 * seed as usize, &mut Random::new(seed));
            for save in [game.save(), game.save_from_snapshot(), game.save_with_snapshot()] {
                let text = save.to_json();
                let value: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
                let mut words = Vec::new();
                mutate::texts(&value, &mut words);
                let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
                words.sort();
                words.dedup();
                saves.push((text, value, words));
            }
        }
        Ok(Self { name, rules: pack.rules().clone(), saves })
    }
}

/// Makes the fingerprint of a snapshot right again, so that what is in it is looked at.
fn mend(save: Value) -> String {
    match serde_json::from_value::<Save>(save.clone()) {
        Ok(mut save) => {
            if let Some(snapshot) = &mut save.snapshot {
                let json = serde_json::to_vec(&snapshot.state).unwrap_or_default();
                snapshot.fingerprint = Sha256::digest(&json).iter().map(|b| format!("{b:02x}")).collect();
            }
            save.to_json()
        }
        Err(_) => save.to_string(),
    }
}

impl Target for Saves {
    fn next(&mut self) -> Case {
        let random = &mut self.random;
        let origin = &self.origins[random.below(self.origins.len())];
        let (text, value, words) = &origin.saves[random.below(origin.saves.len())];
        let other = &origin.saves[random.below(origin.saves.len())].0;
        let spoilt = match random.below(4) {
            0 => {
                let mut bytes = text.clone().into_bytes();
                mutate::bytes(&mut bytes, other.as_bytes(), random);
                bytes
            }
            _ => {
                let mut value = value.clone();
                for _ in 0..=random.below(3) {
                    mutate::record(&mut value, words, random);
                }
                mend(value).into_bytes()
            }
        };
        Case { files: [(format!("{}.json", origin.name), spoilt)].into() }
    }

    fn try_case(&self, folder: &Path, case: &Case) -> &'static str {
        let Some(name) = case.files.keys().next() else { return "empty" };
        let Ok(save) = Save::read(folder.join(name)) else { return "unread" };
        let Some(origin) = self.origins.iter().find(|o| name.starts_with(o.name)) else {
            return "of no pack";
        };
        let _ = Game::check_save(&origin.rules, &save);
        let _ = save.differences(&origin.rules);
        let _ = Game::upgrade(&origin.rules, &save);
        match Game::load(&origin.rules, &save) {
            Ok(mut game) => {
                play(&mut game, DECISIONS, &mut Random::new(1));
                "loaded"
            }
            Err(_) => "refused",
        }
    }
}

//! Golden playthroughs: random games written down decision by decision, to be played again and compared.
//!
//! A file a game: its start, then for each decision who did what, the fingerprint of the position by names, and
//! the events, detail included, as the umpire (or, without one, a seat of no side, else the first seat) is shown
//! them. A change of the rules shows as the first line that differs, in the file and in whatever reviews it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use adjutant_kernel::events::ShownEvent;
use adjutant_kernel::{Rulebook, SeatId, flow};

use super::options;
use crate::save::fingerprint;
use crate::{Entry, Game, Io, Random, Rules, Setup};

/// Golden playthroughs of a rulebook: where they are kept and which they are.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::Golden;
/// # let temporary = tempfile::tempdir().unwrap();
/// # let folder = temporary.path();
/// let golden = Golden { games: 1, ..Golden::new(folder) };
/// assert_eq!(golden.compare(&rules)?[0].line, 0); // there is no such file yet
/// golden.update(&rules)?;
/// assert!(golden.compare(&rules)?.is_empty());
/// # Ok::<(), adjutant::Io>(())
/// ```
#[derive(Clone, Debug)]
pub struct Golden {
    /// The folder of their files.
    pub folder: PathBuf,
    /// How many; they go through all pairs of options in turn.
    pub games: u32,
    /// Seed from which all follow.
    pub seed: u64,
    /// The greatest number of decisions of each.
    pub decisions: u32,
}

/// A playthrough that is not what its file says.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::{Changed, Golden};
/// # let temporary = tempfile::tempdir().unwrap();
/// # let golden = Golden { games: 1, ..Golden::new(temporary.path()) };
/// let missing: Changed = golden.compare(&rules)?.remove(0);
/// assert_eq!((missing.line, missing.expected.is_empty()), (0, true));
/// # Ok::<(), adjutant::Io>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The file.
    pub file: PathBuf,
    /// The first line that differs, from 1; 0 when there is no such file.
    pub line: usize,
    /// What the file says there.
    pub expected: String,
    /// What the game says there.
    pub found: String,
}

impl Golden {
    /// Two playthroughs of at most 150 decisions in a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), games: 2, seed: 1, decisions: 150 }
    }

    /// Plays all again and compares.
    ///
    /// # Errors
    /// When a file is there and cannot be read.
    pub fn compare(&self, rules: impl Into<Rules>) -> Result<Vec<Changed>, Io> {
        let mut changed = Vec::new();
        for (file, text) in self.all(&rules.into()) {
            let expected = match fs::read_to_string(&file) {
                Ok(expected) => expected,
                Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                    let (expected, found) = (String::new(), "a playthrough without a file".to_owned());
                    changed.push(Changed { file, line: 0, expected, found });
                    continue;
                }
                Err(cause) => return Err(Io { path: file, doing: "read", cause }),
            };
            changed.extend(first_difference(&file, &expected, &text));
        }
        Ok(changed)
    }

    /// Plays all and writes their files.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn update(&self, rules: impl Into<Rules>) -> Result<(), Io> {
        let written = |path: &Path, done: std::io::Result<()>| {
            done.map_err(|cause| Io { path: path.to_owned(), doing: "written", cause })
        };
        written(&self.folder, fs::create_dir_all(&self.folder))?;
        for (file, text) in self.all(&rules.into()) {
            written(&file, fs::write(&file, text))?;
        }
        Ok(())
    }

    fn all(&self, rules: &Rules) -> Vec<(PathBuf, String)> {
        let rulebook = rules.rulebook();
        let rows = options::pairwise(rulebook.options().len());
        let names = |n: usize| -> Vec<String> {
            let row = rulebook.options().iter().zip(&rows[n % rows.len()]);
            row.filter(|(_, on)| **on).map(|(option, _)| option.name.clone()).collect()
        };
        let games = 0..self.games as usize;
        games.map(|n| (self.folder.join(format!("{}.txt", n + 1)), self.play(rules, n, names(n)))).collect()
    }

    /// One playthrough as text.
    fn play(&self, rules: &Rules, n: usize, options: Vec<String>) -> String {
        let rulebook = rules.rulebook();
        let seed = super::game_seed(self.seed, n);
        let mut random = Random::new(seed);
        let mut out =
            format!("{} {}, options [{}]\n", rulebook.title(), rulebook.version(), options.join(" "));
        let mut game = match Game::start(rules, Setup { options, seed, ..Setup::default() }) {
            Ok(game) => game,
            Err(error) => return format!("{out}it cannot begin: {error}\n"),
        };
        let watcher = watcher(rulebook);
        let mut shown = 0;
        for _ in 0..self.decisions {
            if let Err(text) = decide(&mut game, &mut random) {
                let _ = writeln!(out, "{text}");
                break;
            }
            for event in game.log(watcher)[shown..].iter().flatten() {
                let _ = writeln!(out, "    {}", event_line(event));
            }
            shown = game.log(watcher).len();
            if let Some(Entry::Act { seat, action, .. }) = game.journal().last() {
                let digest = fingerprint(&game.state().named(rulebook));
                let _ = writeln!(out, "{} {seat}: {action} [{}]", game.journal().len(), &digest[..16]);
            }
            if game.ended() {
                break;
            }
        }
        out
    }
}

fn watcher(rulebook: &Rulebook) -> SeatId {
    let by = |test: &dyn Fn(SeatId) -> bool| rulebook.seat_ids().find(|seat| test(*seat));
    by(&|seat| rulebook.seat(seat).viewer().is_none())
        .or_else(|| by(&|seat| rulebook.seat(seat).side.is_none()))
        .unwrap_or_default()
}

/// One random decision, or what kept it from being made.
fn decide(game: &mut Game, random: &mut Random) -> Result<(), String> {
    let asked = flow::pick_asked(game.state(), &mut |n| random.below(n));
    let (seat, _) = asked.ok_or("nobody is asked")?;
    let offers = game.offers(seat);
    let action = random.pick(&offers).ok_or("nothing is offered")?;
    game.act(seat, None, action).map(drop).map_err(|refused| format!("{action}: {refused}"))
}

/// An event in a form that says everything about it; its JSON, for any reader.
fn event_line(event: &ShownEvent) -> String {
    // Names and numbers always have a JSON form.
    serde_json::to_string(event).unwrap_or_default()
}

fn first_difference(file: &Path, expected: &str, found: &str) -> Option<Changed> {
    let (mut old, mut new) = (expected.lines(), found.lines());
    for line in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let text = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
                let (expected, found) = (text(a), text(b));
                return Some(Changed { file: file.to_owned(), line, expected, found });
            }
        }
    }
    None
}

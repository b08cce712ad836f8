//! Spoilt packs: opened, reported on, tested, and played if they open.

use std::path::Path;

use adjutant::{Game, Pack, Random, Setup};
use adjutant_testing::Suite;

use crate::Target;
use crate::corpus::{Case, PACKS};
use crate::mutate;
use crate::play::{play, replays};

/// Decisions of a game by a spoilt pack.
const DECISIONS: usize = 12;
/// Files that a pack may also have.
const ODD: &[&str] =
    &["odd.ron", "boards/odd.ron", "scripts/odd.luau", "tests/odd.luau", "text/xx.ftl", "text/de.ftl"];

pub(crate) struct Packs {
    random: Random,
    packs: Vec<Case>,
}

impl Packs {
    /// The packs to begin from; overlays lie over the pack that they are for.
    pub(crate) fn new(seed: u64) -> Result<Self, String> {
        let packs = PACKS.iter().map(|name| Case::read(&pack_games::folder(name)));
        Ok(Self { random: Random::new(seed), packs: packs.collect::<Result<_, _>>()? })
    }

    /// A pack below `pack/`; one that is an overlay has another one below `base/`.
    fn whole(&mut self) -> Case {
        let at = self.random.below(self.packs.len());
        let mut case = Case::default();
        let mut add = |prefix: &str, from: &Case| {
            let files = from.files.iter().map(|(path, bytes)| (format!("{prefix}/{path}"), bytes.clone()));
            case.files.extend(files);
        };
        let overlay = self.packs[at].files.contains_key("changes.ron");
        add(if overlay { "over" } else { "pack" }, &self.packs[at]);
        if overlay {
            add("pack", &self.packs[PACKS.iter().position(|name| *name == "ford").unwrap_or_default()]);
        }
        case
    }

    fn spoil(&mut self, case: &mut Case) {
        let paths: Vec<String> = case.files.keys().cloned().collect();
        let path = paths[self.random.below(paths.len())].clone();
        let other = paths[self.random.below(paths.len())].clone();
        let random = &mut self.random;
        match random.below(20) {
            0 => drop(case.files.remove(&path)),
            1 => {
                let bytes = case.files[&path].clone();
                case.files.insert(other, bytes);
            }
            2 => {
                let name = ODD[random.below(ODD.len())];
                let bytes = case.files[&path].clone();
                case.files.insert(format!("pack/{name}"), bytes);
            }
            _ => {
                let from = case.files[&other].clone();
                if let Some(bytes) = case.files.get_mut(&path) {
                    mutate::bytes(bytes, &from, random);
                }
            }
        }
    }
}

impl Target for Packs {
    fn next(&mut self) -> Case {
        let mut case = self.whole();
        for _ in 0..=self.random.below(3) {
            self.spoil(&mut case);
        }
        case
    }

    fn try_case(&self, folder: &Path, case: &Case) -> &'static str {
        let overlays: Vec<_> = if case.files.keys().any(|path| path.starts_with("over/")) {
            vec![folder.join("over")]
        } else {
            Vec::new()
        };
        let pack = match Pack::open_with(folder.join("pack"), &overlays) {
            Ok(pack) => pack,
            Err(report) => {
                let _ = (report.render(), report.render_short(), report.to_json());
                return "refused";
            }
        };
        let _ = (pack.warnings().render(), pack.provenance(), pack.resolve(None));
        let text = pack.text("en");
        if let Ok(suite) = Suite::load(&pack, &[]) {
            suite.run(|_| true, |_| {});
        }
        let options: Vec<String> = pack.rulebook().options().iter().map(|o| o.name.clone()).collect();
        for options in [Vec::new(), options] {
            let Ok(mut game) = Game::start(&pack, Setup { options, seed: 1, ..Setup::default() }) else {
                return "opened, no game";
            };
            play(&mut game, DECISIONS, &mut Random::new(1));
            replays(&game);
            let seats: Vec<_> = game.rulebook().seat_ids().collect();
            for seat in seats {
                game.log(seat).iter().flatten().for_each(|event| drop(text.event(event)));
            }
        }
        "played"
    }
}

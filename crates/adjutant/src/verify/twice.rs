//! The same games twice: on other threads, in other processes, in other builds.

use adjutant_kernel::flow;
use sha2::{Digest as _, Sha256};

use super::report::{Finding, Report, Verdict};
use super::{Plan, game_seed, in_threads, play};
use crate::{Game, Random, Rules, Setup};

/// Games compared on one thread and on several.
const GAMES: u32 = 6;
/// Entries after which a game is left.
const LENGTH: usize = 1_000;

/// A fingerprint of random games: of every position and of all that every seat is shown. It is the same on
/// every machine, in every build and on any number of threads.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::fingerprint;
/// assert_eq!(fingerprint(&rules, 2, 7), fingerprint(&rules, 2, 7));
/// assert_ne!(fingerprint(&rules, 2, 7), fingerprint(&rules, 2, 8));
/// ```
pub fn fingerprint(rules: impl Into<Rules>, games: u32, seed: u64) -> String {
    on_threads(&rules.into(), games, seed, 1)
}

/// Compares the fingerprints on one thread and on several.
pub(super) fn check(rules: &Rules, plan: &Plan, report: &mut Report) {
    let games = plan.games.min(GAMES);
    // A panic of the rules is found by the games themselves.
    let both = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        [1, plan.threads.max(3)].map(|threads| on_threads(rules, games, plan.seed, threads))
    }));
    if let Ok([one, several]) = both
        && one != several
    {
        report.find(Finding {
            verdict: Verdict::Replay,
            setup: Setup { seed: plan.seed, ..Setup::default() },
            entry: 0,
            text: format!("{games} games on one thread and on several have other digests: {one} / {several}"),
        });
    }
}

fn on_threads(rules: &Rules, games: u32, seed: u64, threads: usize) -> String {
    let mut all = Sha256::new();
    for digest in in_threads(games as usize, threads, &|n| one(rules, game_seed(seed, n))) {
        all.update(digest);
    }
    all.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn one(rules: &Rules, seed: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut random = Random::new(seed);
    let rulebook = rules.rulebook();
    let on = (0..rulebook.options().len()).filter(|_| random.percent(30)).fold(0, |bits, n| bits | 1 << n);
    let on = rules.settle(on);
    let named = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
        let all = rulebook.options().iter().enumerate();
        all.filter(|(n, _)| wanted(*n)).map(|(_, o)| o.name.clone()).collect()
    };
    let (options, without) = (named(&|n| on >> n & 1 == 1), named(&|n| on >> n & 1 == 0));
    let scenario = random.pick(rulebook.scenarios()).map(|s| s.name.clone());
    let mut game = match Game::start(rules, Setup { scenario, options, without, seed }) {
        Ok(game) => game,
        Err(error) => {
            hash.update(error.to_string());
            return hash.finalize().into();
        }
    };
    while game.journal().len() < LENGTH {
        hash.update(game.digest().0);
        let Some((seat, _)) = flow::pick_asked(game.state(), &mut |n| random.below(n)) else { break };
        let offers = game.raw_offers(seat).unwrap_or_default();
        let Some(at) = play::choose(&offers, &mut random) else { break };
        if let Err(refused) = game.act_raw(seat, offers[at]) {
            hash.update(refused.to_string());
            break;
        }
    }
    for seat in rulebook.seat_ids() {
        hash.update(serde_json::to_vec(game.log(seat)).unwrap_or_default());
        hash.update(serde_json::to_vec(&game.packet(seat)).unwrap_or_default());
    }
    hash.finalize().into()
}

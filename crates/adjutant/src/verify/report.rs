//! What was found, and how much was tested.

use std::collections::BTreeMap;

use adjutant_kernel::Rulebook;
use serde::{Deserialize, Serialize};

use crate::Setup;

/// Findings of each verdict that are kept; more are only counted.
const KEPT: usize = 5;
/// A sampled world must differ from the true one at least once in so many that could.
const WORLDS: u64 = 24;

/// What is wrong.
///
/// ```
/// use adjutant::verify::Verdict;
/// assert_eq!(Verdict::DeadEnd.to_string(), "dead end");
/// assert_eq!(Verdict::Invariant("no stack of ten".into()).to_string(), "invariant broken: no stack of ten");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The rules panicked.
    Crash,
    /// The rules could not carry out what they offer.
    Fault,
    /// A seat is asked and nothing is offered to it.
    DeadEnd,
    /// A game does not come to its end, or to the next ask.
    Livelock,
    /// Something that must always hold does not: its name.
    Invariant(String),
    /// A seat is shown what it may not know.
    Leak,
    /// A replay, or the bare rules on the same decisions, leads elsewhere.
    Replay,
    /// A game that was saved and loaded is another.
    Save,
    /// Undoing and redoing leaves a trace.
    Undo,
    /// A sampled world can be told from the true one, or is the true one.
    Determinize,
    /// An action that is not offered was accepted or left a trace, or one that is offered was refused.
    Illegal,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crash => f.write_str("crash"),
            Self::Fault => f.write_str("fault"),
            Self::DeadEnd => f.write_str("dead end"),
            Self::Livelock => f.write_str("livelock"),
            Self::Invariant(name) => write!(f, "invariant broken: {name}"),
            Self::Leak => f.write_str("leak"),
            Self::Replay => f.write_str("replay differs"),
            Self::Save => f.write_str("save differs"),
            Self::Undo => f.write_str("undo leaves a trace"),
            Self::Determinize => f.write_str("sampled world"),
            Self::Illegal => f.write_str("illegal action"),
        }
    }
}

/// Something wrong, and where.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::{Finding, Plan, Verdict, verify};
/// # use std::sync::Arc;
/// let never = Arc::new(|_: adjutant::kernel::Read<'_>| Err("as it must".to_owned()));
/// let plan = Plan { games: 1, checks: vec![("fails", never)], ..Plan::default() };
/// let finding: Finding = verify(&rules, &plan).findings.remove(0);
/// assert_eq!(finding.verdict, Verdict::Invariant("fails".into()));
/// assert!(finding.text.contains("as it must"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What.
    pub verdict: Verdict,
    /// How the game began.
    pub setup: Setup,
    /// Entries of its journal before it (for twins: where they began).
    pub entry: usize,
    /// What exactly.
    pub text: String,
}

/// How much was tested.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::{Counts, Plan, verify};
/// let counts: Counts = verify(&rules, &Plan { games: 2, ..Plan::default() }).counts;
/// assert_eq!((counts.games, counts.ended), (2, 2));
/// assert!(counts.verbs.contains_key("halt"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Games begun.
    pub games: u64,
    /// Games that came to their end.
    pub ended: u64,
    /// Decisions in them.
    pub decisions: u64,
    /// Decisions taken back.
    pub undos: u64,
    /// What umpires did, by kind, refusals apart.
    pub umpired: BTreeMap<String, u64>,
    /// Verbs that occurred.
    pub verbs: BTreeMap<String, u64>,
    /// Releases to seats, by rule.
    pub releases: BTreeMap<String, u64>,
    /// Actions that were not offered and were refused, by kind of refusal.
    pub refusals: BTreeMap<String, u64>,
    /// Offered actions that were tried on branches.
    pub tried: u64,
    /// Pairs of twins.
    pub pairs: u64,
    /// Those given up because no decision of the one game was one of the other.
    pub unmatched: u64,
    /// Those that came to the end of the game (or of the budget) without a differing release.
    pub to_the_end: u64,
    /// Those that ended at a differing release, by its rule.
    pub parted: BTreeMap<String, u64>,
    /// Decisions in both games of all pairs.
    pub pair_decisions: u64,
    /// Secret decisions played apart in twins.
    pub apart: u64,
    /// "Why not" answers compared.
    pub explained: u64,
    /// Worlds sampled.
    pub worlds: u64,
    /// Worlds that could differ from the true one in identities, values, decisions; and those that did.
    pub world_differences: BTreeMap<String, (u64, u64)>,
    /// Games saved and loaded.
    pub saves: u64,
    /// Entries replayed.
    pub replayed: u64,
    /// Decisions undone and redone.
    pub redone: u64,
}

/// Adds one to a count.
pub(super) fn count(map: &mut BTreeMap<String, u64>, name: &str) {
    match map.get_mut(name) {
        Some(n) => *n += 1,
        None => {
            map.insert(name.to_owned(), 1);
        }
    }
}

fn add(to: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>) {
    for (name, n) in from {
        *to.entry(name).or_default() += n;
    }
}

/// The outcome of the suite.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::verify::{Plan, Report, Verdict, verify};
/// let report: Report = verify(&rules, &Plan { games: 1, ..Plan::default() });
/// assert!(report.passed() && !report.found(&Verdict::Leak));
/// assert_eq!(report.title, "field");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The title.
    pub title: String,
    /// The first findings of each verdict.
    pub findings: Vec<Finding>,
    /// The number of findings by verdict.
    pub totals: BTreeMap<String, u64>,
    /// How much was tested.
    pub counts: Counts,
}

impl Report {
    pub(super) fn new(rulebook: &Rulebook) -> Self {
        Self {
            title: rulebook.title().to_owned(),
            findings: Vec::new(),
            totals: BTreeMap::new(),
            counts: Counts::default(),
        }
    }

    /// Whether nothing was found.
    pub fn passed(&self) -> bool {
        self.totals.is_empty()
    }

    /// Whether something was found with a verdict.
    pub fn found(&self, verdict: &Verdict) -> bool {
        self.totals.contains_key(&verdict.to_string())
    }

    pub(super) fn find(&mut self, finding: Finding) {
        count(&mut self.totals, &finding.verdict.to_string());
        self.keep(finding);
    }

    fn keep(&mut self, finding: Finding) {
        if self.findings.iter().filter(|f| f.verdict == finding.verdict).count() < KEPT {
            self.findings.push(finding);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        add(&mut self.totals, other.totals);
        other.findings.into_iter().for_each(|f| self.keep(f));
        let (to, from) = (&mut self.counts, other.counts);
        for (to, from) in [
            (&mut to.games, from.games),
            (&mut to.ended, from.ended),
            (&mut to.decisions, from.decisions),
            (&mut to.undos, from.undos),
            (&mut to.tried, from.tried),
            (&mut to.pairs, from.pairs),
            (&mut to.unmatched, from.unmatched),
            (&mut to.to_the_end, from.to_the_end),
            (&mut to.pair_decisions, from.pair_decisions),
            (&mut to.apart, from.apart),
            (&mut to.explained, from.explained),
            (&mut to.worlds, from.worlds),
            (&mut to.saves, from.saves),
            (&mut to.replayed, from.replayed),
            (&mut to.redone, from.redone),
        ] {
            *to += from;
        }
        add(&mut to.umpired, from.umpired);
        add(&mut to.verbs, from.verbs);
        add(&mut to.releases, from.releases);
        add(&mut to.refusals, from.refusals);
        add(&mut to.parted, from.parted);
        for (name, (could, did)) in from.world_differences {
            let both = to.world_differences.entry(name).or_default();
            *both = (both.0 + could, both.1 + did);
        }
    }

    /// Judges what only all games together can show: that sampled worlds vary.
    pub(super) fn conclude(&mut self) {
        let stuck: Vec<String> = self
            .counts
            .world_differences
            .iter()
            .filter(|(_, (could, did))| *could >= WORLDS && *did == 0)
            .map(|(what, (could, _))| {
                format!("of {could} sampled worlds that could differ from the true one in {what} none did")
            })
            .collect();
        for text in stuck {
            let verdict = Verdict::Determinize;
            self.find(Finding { verdict, setup: Setup::default(), entry: 0, text });
        }
    }
}

/// What `adjutant verify` is given to test the game again alone.
fn again(setup: &Setup) -> String {
    let Setup { scenario, options, without, seed } = setup;
    let scenario = scenario.iter().map(|name| format!(" --scenario {}", quoted(name)));
    let on = options.iter().map(|name| format!(" --option {}", quoted(name)));
    let off = without.iter().map(|name| format!(" --option {}", quoted(&format!("{name}=off"))));
    format!("--game {seed}{}", scenario.chain(on).chain(off).collect::<String>())
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-=./".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let c = &self.counts;
        writeln!(f, "{}: {}", self.title, if self.passed() { "passed" } else { "FAILED" })?;
        for (verdict, total) in &self.totals {
            writeln!(f, "  {verdict}: {total}")?;
            for finding in self.findings.iter().filter(|x| x.verdict.to_string() == *verdict) {
                writeln!(f, "    {}, entry {}:", again(&finding.setup), finding.entry)?;
                finding.text.lines().try_for_each(|line| writeln!(f, "      {line}"))?;
            }
        }
        writeln!(
            f,
            "  {} games ({} ended), {} decisions, {} undos; {} saves, {} entries replayed, {} redone",
            c.games, c.ended, c.decisions, c.undos, c.saves, c.replayed, c.redone
        )?;
        writeln!(
            f,
            "  {} twins: {} parted, {} to the end, {} unmatched; {} decisions, {} secret ones apart, {} \
             explanations",
            c.pairs,
            c.parted.values().sum::<u64>(),
            c.to_the_end,
            c.unmatched,
            c.pair_decisions,
            c.apart,
            c.explained
        )?;
        writeln!(f, "  {} worlds sampled; {} offered actions tried", c.worlds, c.tried)?;
        for (what, (could, did)) in &c.world_differences {
            writeln!(f, "    {what}: {did} of {could} differ")?;
        }
        let list = |map: &BTreeMap<String, u64>| {
            map.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
        };
        writeln!(f, "  umpires: {}", list(&c.umpired))?;
        writeln!(f, "  verbs: {}", list(&c.verbs))?;
        writeln!(f, "  releases: {}", list(&c.releases))?;
        writeln!(f, "  twins parted by: {}", list(&c.parted))?;
        write!(f, "  refusals: {}", list(&c.refusals))
    }
}

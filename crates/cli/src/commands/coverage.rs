//! `adjutant coverage`: the ledger joined with the rule ids that tests cite.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use adjutant::Pack;
use adjutant::packs::model::{How, RuleKind};
use adjutant_testing::Suite;
use serde_json::json;

use super::{open, open_pack, test};
use crate::args::{Above, Coverage};
use crate::console::{Console, Failure, Outcome};

/// The names of the kinds, in the order of the table, and whether each must have a test.
const KINDS: &[(&str, bool)] = &[
    ("rule", true),
    ("option", true),
    ("table", true),
    ("example", true),
    ("scenario", true),
    ("define", false),
    ("erratum", false),
    ("gap", false),
];

fn name_of(kind: &RuleKind) -> &'static str {
    match kind {
        RuleKind::Rule => "rule",
        RuleKind::Option => "option",
        RuleKind::Table => "table",
        RuleKind::Example => "example",
        RuleKind::Scenario => "scenario",
        RuleKind::Define => "define",
        RuleKind::Erratum => "erratum",
        RuleKind::Gap => "gap",
    }
}

/// How much of a kind has tests.
#[derive(Clone, Copy, Default)]
struct Row {
    total: usize,
    tested: usize,
    not_applicable: usize,
    open: usize,
}

pub(super) fn run(args: &Coverage, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let suite = test::load(&pack, &args.extra, console)?;
    let above = Above { overlay: Vec::new(), library: args.pack.above.library.clone() };
    let mut others = Vec::new();
    for name in &args.with {
        let other = open(name, &above)?;
        let tests = test::load(&other, &[], console)?;
        others.push((other, tests));
    }
    let found = Found::new(&pack, &suite, &others);
    console.print(|| found.text(), || found.json(&pack))?;
    if pack.ledger().is_empty() {
        console.remark("the pack has no ledger `rules.ron`: there is no rule to be covered");
    }
    if found.is_good() {
        return Ok(());
    }
    let (missing, unknown) = (found.missing.len(), found.unknown.len());
    if console.is_json() {
        return Err(Failure::Wrong);
    }
    Err(Failure::Found(format!("without a test: {missing}; cited and not in the ledger: {unknown}")))
}

/// What came of joining the ledger with the tests.
struct Found {
    rows: Vec<(&'static str, bool, Row)>,
    missing: Vec<(String, &'static str, String)>,
    unknown: Vec<(String, String)>,
    tests: usize,
}

impl Found {
    fn new(pack: &Pack, suite: &Suite, others: &[(Pack, Suite)]) -> Self {
        let mut cited: BTreeMap<&str, &adjutant_testing::Test> = BTreeMap::new();
        for test in suite.tests().chain(others.iter().flat_map(|(_, tests)| tests.tests())) {
            for rule in &test.rules {
                cited.entry(rule).or_insert(test);
            }
        }
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        for &(name, needed) in KINDS {
            let mut row = Row::default();
            for (id, rule) in pack.ledger().iter().filter(|(_, rule)| name_of(&rule.kind) == name) {
                row.total += 1;
                let is_cited = cited.contains_key(id.value.as_str());
                row.tested += usize::from(is_cited);
                row.not_applicable += usize::from(matches!(rule.how, How::NotApplicable(_)));
                row.open += usize::from(matches!(rule.how, How::Open));
                if needed && !is_cited && !matches!(rule.how, How::NotApplicable(_)) {
                    missing.push((id.value.clone(), name, rule.summary.clone()));
                }
            }
            rows.push((name, needed, row));
        }
        let ledgers = others.iter().map(|(other, _)| other).chain([pack]).map(Pack::ledger);
        let known: BTreeSet<&str> = ledgers.flat_map(|l| l.names().map(|n| n.value.as_str())).collect();
        let known = |rule: &str| known.contains(rule);
        let unknown = cited.iter().filter(|(rule, _)| !known(rule));
        let unknown =
            unknown.map(|(rule, test)| ((*rule).to_owned(), format!("{}:{}", test.file, test.line)));
        Self { rows, missing, unknown: unknown.collect(), tests: suite.tests().count() }
    }

    fn is_good(&self) -> bool {
        self.missing.is_empty() && self.unknown.is_empty()
    }

    fn text(&self) -> String {
        let mut out =
            format!("{:<10} {:>6} {:>7} {:>8} {:>5}\n", "kind", "rules", "tested", "no need", "open");
        for (name, needed, row) in &self.rows {
            let note = if *needed { "" } else { "  (needs no test)" };
            let _ = writeln!(
                out,
                "{name:<10} {:>6} {:>7} {:>8} {:>5}{note}",
                row.total, row.tested, row.not_applicable, row.open
            );
        }
        let _ = writeln!(out, "{} tests", self.tests);
        if !self.missing.is_empty() {
            out.push_str("without a test:\n");
        }
        for (id, kind, summary) in &self.missing {
            let _ = writeln!(out, "  {id} ({kind}) {summary}");
        }
        if !self.unknown.is_empty() {
            out.push_str("cited by tests, and not in the ledger:\n");
        }
        for (id, place) in &self.unknown {
            let _ = writeln!(out, "  {id} ({place})");
        }
        out
    }

    fn json(&self, pack: &Pack) -> serde_json::Value {
        let rows = self.rows.iter().map(|(name, needed, row)| {
            json!({ "kind": name, "needs_tests": needed, "rules": row.total, "tested": row.tested,
                "not_applicable": row.not_applicable, "open": row.open })
        });
        let missing = self
            .missing
            .iter()
            .map(|(id, kind, summary)| json!({ "rule": id, "kind": kind, "summary": summary }));
        let unknown = self.unknown.iter().map(|(id, place)| json!({ "rule": id, "place": place }));
        json!({ "ok": self.is_good(), "pack": pack.id(), "tests": self.tests,
            "kinds": rows.collect::<Vec<_>>(), "missing": missing.collect::<Vec<_>>(),
            "unknown": unknown.collect::<Vec<_>>() })
    }
}

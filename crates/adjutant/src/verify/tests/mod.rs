//! The suite passes sound rules and fails every fault that is built into them.

mod outpost;

use std::sync::Arc;

use super::{Check, Plan, Report, Verdict, fingerprint, verify, verify_game};
use outpost::{Flaw, rulebook};

fn plan(games: u32) -> Plan {
    Plan { games, decisions: 400, ..Plan::default() }
}

fn flawed(flaw: Flaw) -> Report {
    verify(&rulebook(flaw, None), &plan(12))
}

#[track_caller]
fn assert_found(report: &Report, verdict: &Verdict) {
    assert!(report.found(verdict), "{verdict} was not found\n{report}");
}

#[test]
fn sound_rules_pass_and_everything_occurs() {
    let report = verify(&rulebook(Flaw::None, None), &plan(40));
    assert!(report.passed(), "{report}");
    let counts = &report.counts;
    assert_eq!((counts.games, counts.ended), (40, 40));
    for verb in ["raise", "done", "split", "halt", "probe", "pass", "peek", "order", "salute"] {
        assert!(counts.verbs.contains_key(verb), "{verb} never occurred\n{report}");
    }
    for refusal in ["not asked", "stale", "unknown", "not offered", "rule"] {
        assert!(counts.refusals.contains_key(refusal), "no refusal: {refusal}\n{report}");
    }
    for rule in ["op:probed", "op:peeked", "op:ordered"] {
        assert!(counts.parted.contains_key(rule), "no twins parted by {rule}\n{report}");
    }
    assert!(counts.pairs > 60 && counts.unmatched * 5 < counts.pairs, "{report}");
    assert!(counts.apart > 20 && counts.to_the_end > 0 && counts.redone > 0, "{report}");
    for (what, (could, did)) in &counts.world_differences {
        assert!(*could > 0 && did * 2 > *could, "{what}\n{report}");
    }
    assert_eq!(counts.world_differences.len(), 3, "{report}");
}

#[test]
fn flaws_are_found() {
    for (flaw, verdict) in [
        (Flaw::Panics, Verdict::Crash),
        (Flaw::Fails, Verdict::Fault),
        (Flaw::OffersNothing, Verdict::DeadEnd),
        (Flaw::NeverEnds, Verdict::Livelock),
        (Flaw::NeverAsks, Verdict::Livelock),
        (Flaw::AsksOnTruth, Verdict::Leak),
        (Flaw::DrawsOnTruth, Verdict::Leak),
        (Flaw::Tells, Verdict::Leak),
        (Flaw::TellsAboutTruth, Verdict::Leak),
        (Flaw::Wavers, Verdict::Illegal),
        (Flaw::LooksAtAClock, Verdict::Replay),
        (Flaw::LooksAtAClock, Verdict::Save),
    ] {
        let report = flawed(flaw);
        assert!(report.found(&verdict), "{flaw:?}: {verdict} was not found\n{report}");
    }
}

#[test]
fn an_umpire_takes_part() {
    let umpired =
        |flaw| verify(&rulebook(flaw, None), &Plan { umpired: 100, points: 0, pairs: 0, ..plan(30) });
    let sound = umpired(Flaw::None);
    assert!(sound.passed(), "{sound}");
    for kind in ["force", "reveal", "conceal"] {
        assert!(sound.counts.umpired.contains_key(kind), "no {kind}: {sound}");
    }
    assert_found(&umpired(Flaw::ForgetsUmpires), &Verdict::Invariant("knowledge".to_owned()));
    let none = verify(&rulebook(Flaw::None, None), &Plan { umpired: 0, ..plan(4) });
    assert!(none.counts.umpired.is_empty());
}

#[test]
fn checks_of_the_title_are_made() {
    let check: Check = (
        "at most 30 frames",
        Arc::new(|read| {
            if read.state().size() > 30 { Err(format!("{} bytes", read.state().size())) } else { Ok(()) }
        }),
    );
    let report = verify(&rulebook(Flaw::None, None), &Plan { checks: vec![check], ..plan(1) });
    assert_found(&report, &Verdict::Invariant("at most 30 frames".to_owned()));
}

#[test]
fn a_finding_can_be_played_again() {
    let rules = rulebook(Flaw::Tells, None);
    let report = verify(&rules, &plan(6));
    let finding = report.findings.iter().find(|f| f.verdict == Verdict::Leak).unwrap();
    let again = verify_game(&rules, &plan(6), finding.setup.clone());
    assert!(again.findings.contains(finding), "{finding:?}\n{again}");
}

#[test]
fn reports_do_not_depend_on_threads_and_can_be_saved() {
    let rules = rulebook(Flaw::None, None);
    let one = verify(&rules, &plan(6));
    assert_eq!(verify(&rules, &Plan { threads: 3, ..plan(6) }), one);
    let json = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), one);
    assert_eq!(fingerprint(&rules, 3, 1), fingerprint(&rules, 3, 1));
    assert_ne!(fingerprint(&rules, 3, 1), fingerprint(&rules, 3, 2));
}

/// Faults of the kernel and of games, each found in the way that it must be.
#[cfg(feature = "mutants")]
mod mutants {
    use super::*;

    #[track_caller]
    fn caught(mutant: &str, verdict: &Verdict) {
        let rules = rulebook(Flaw::None, Some(mutant));
        let mut report = verify(&rules, &plan(24));
        if !report.found(verdict) {
            // Some need a position that is rare.
            report = verify(&rules, &plan(240));
        }
        assert!(report.found(verdict), "{mutant}: {verdict} was not found\n{report}");
    }

    #[test]
    fn what_seats_are_shown() {
        for mutant in [
            "view_live",
            "version_counts_all",
            "undo_any",
            "fork_shows_commit",
            "undo_keeps_handles",
            "unseen_differs",
            "mix_keeps_handles",
            "mix_keeps_candidates",
            "handles_by_identity",
            "raise_event",
            "handle_reuse",
        ] {
            caught(mutant, &Verdict::Leak);
        }
    }

    #[test]
    fn drafts_of_partners() {
        caught("draft_to_partner", &Verdict::Leak);
    }

    #[test]
    fn what_is_remembered() {
        caught("conceal_forgets", &Verdict::Invariant("knowledge".to_owned()));
        caught("mix_keeps_handles", &Verdict::Invariant("knowledge".to_owned()));
        caught("fact_dropped", &Verdict::Invariant("told answers".to_owned()));
    }

    #[test]
    fn what_is_undone() {
        caught("undo_keeps_handles", &Verdict::Undo);
    }

    #[test]
    fn sampled_worlds() {
        for mutant in
            ["sample_ignores_told", "sample_keeps_key", "sample_keeps_values", "sample_keeps_decisions"]
        {
            caught(mutant, &Verdict::Determinize);
        }
    }
}

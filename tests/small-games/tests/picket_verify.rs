//! Picket line stands the conformance suite.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;

use adjutant::verify::{Plan, verify};
use small_games::picket::{Variant, rulebook};

#[test]
fn picket_line_conforms() {
    let rulebook = Arc::new(rulebook(&Variant::default()).unwrap());
    let report = verify(&rulebook, &Plan { games: 60, ..Plan::default() });
    assert!(report.passed(), "{report}");
    for kind in ["force", "reveal", "conceal", "skip"] {
        assert!(report.counts.umpired.get(kind).is_some_and(|n| *n > 0), "no {kind}: {report}");
    }
}

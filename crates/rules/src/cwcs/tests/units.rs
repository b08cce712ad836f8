//! Strength, losses and markers (3.5, 7.44, 10.11).

use adjutant_kernel::{Cx, Sight};

use super::super::Cwcs;
use super::{CONFEDERATE, UNION, at_drill, body};

/// The strength of a unit and whether it is ineffective, spent.
fn status(cw: &Cwcs, cx: &Cx<'_>, name: &str) -> (i32, bool, bool) {
    let unit = body(cx, name);
    let strength = cw.units.strength(&cx.truth(), unit).expect("the truth knows");
    (strength, cx.flag(cw.columns.ineffective, unit), cx.flag(cw.columns.spent, unit))
}

#[test]
fn a_unit_becomes_ineffective_at_its_number_and_recovers_stragglers_alone() {
    at_drill(|cw, cx| {
        let rule = cw.rules.communications;
        let ames = body(cx, "Ames");
        assert_eq!(status(cw, cx, "Ames"), (8, false, false));
        assert_eq!(cw.lose(cx, ames, 2, rule)?, 2);
        assert_eq!(cw.straggle(cx, ames, 2, rule)?, 2);
        assert_eq!(status(cw, cx, "Ames"), (4, false, false));
        cw.straggle(cx, ames, 1, rule)?;
        assert_eq!(status(cw, cx, "Ames"), (3, true, false)); // 3 is its number
        assert_eq!(cw.recover(cx, ames, 9, rule)?, 3); // not what it lost in combat
        assert_eq!(status(cw, cx, "Ames"), (6, false, false));
        Ok(())
    });
}

#[test]
fn losses_are_their_owners_secret_and_markers_are_not() {
    at_drill(|cw, cx| {
        let ames = body(cx, "Ames");
        cw.straggle(cx, ames, 5, cw.rules.communications)?;
        let (own, other) = (cx.seen(CONFEDERATE), cx.seen(UNION));
        assert_eq!(cw.units.strength(&own, ames), Some(3));
        assert_eq!(cw.units.strength(&other, ames), None);
        assert!(other.flag(cw.columns.ineffective, ames));
        // Nor when it lies face up.
        cx.reveal(ames, cw.rules.communications)?;
        assert_eq!(cw.units.strength(&cx.seen(UNION), ames), None);
        Ok(())
    });
}

/// What a marker says of who has none in truth, as in a world that is only imagined, it says no more once he has rested.
#[test]
fn a_marker_on_who_has_no_strength_comes_off() {
    at_drill(|cw, cx| {
        let gray = body(cx, "Gray");
        cx.set(cw.columns.ineffective, gray, 1)?;
        cw.recover(cx, gray, 0, cw.rules.communications)?;
        assert!(!cx.flag(cw.columns.ineffective, gray));
        Ok(())
    });
}

#[test]
fn without_strength_units_stay_and_artillery_goes_and_combat_eliminates() {
    at_drill(|cw, cx| {
        let rule = cw.rules.communications;
        // A unit without a number never becomes ineffective (3.52); it is spent all the same (7.44).
        let rangers = body(cx, "Rangers");
        assert_eq!(cw.straggle(cx, rangers, 5, rule)?, 2);
        assert_eq!(status(cw, cx, "Rangers"), (0, false, true));
        let guns = body(cx, "Reserve Guns");
        cw.straggle(cx, guns, 3, rule)?;
        let eliminated = cw.boxes(CONFEDERATE).eliminated;
        assert_eq!(cx.read().place(guns), Some(eliminated));
        assert!(cx.read().face_up(guns));
        let eads = body(cx, "Eads");
        cw.straggle(cx, eads, 2, rule)?;
        assert_eq!(cw.lose(cx, eads, 5, rule)?, 3);
        // Two are stragglers, and come back.
        assert_eq!(status(cw, cx, "Eads"), (0, true, true));
        cw.recover(cx, eads, 2, rule)?;
        assert_eq!(cw.lose(cx, eads, 2, rule)?, 2);
        assert_eq!(cx.read().place(eads), Some(eliminated));
        Ok(())
    });
}

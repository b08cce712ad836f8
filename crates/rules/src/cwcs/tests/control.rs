//! Control of areas (3.4), and what a challenge tells (3.22).

use adjutant_kernel::ops::Dest;
use adjutant_kernel::{Cx, Halt, MomentId, PlaceId, RuleId, SideId, Sight, SpaceId, Tri};

use super::super::Cwcs;
use super::super::control::Unmasked;
use super::{CONFEDERATE, UNION, area, at_drill, body};

/// Who stands alone in an area.
fn put(cw: &Cwcs, cx: &mut Cx<'_>, names: &[&str], at: &str) -> Result<SpaceId, Halt> {
    let at = area(cx, at);
    let bodies: Vec<_> = names.iter().map(|name| body(cx, name)).collect();
    cx.move_group(cw.w.arranged, &bodies, Dest::NewStack(PlaceId(at.0)))?;
    Ok(at)
}

fn controls(cw: &Cwcs, sight: &impl Sight, side: SideId, area: SpaceId) -> Tri {
    cw.control.controls(sight, side, area, None)
}

#[test]
fn real_units_control_and_others_do_not_which_the_enemy_cannot_tell() {
    at_drill(|cw, cx| {
        for (names, expected) in [
            (&["Ames"][..], true),
            (&["Fort Guard"], true),
            (&["Home Guard"], true),
            (&["Rangers"], true),
            (&["Archer"], false),
            (&["Dummy A 1", "Dummy A Horse 1"], false),
            (&["Dummy A 2", "Bell"], true),
        ] {
            let at = put(cw, cx, names, "Marsh")?;
            assert_eq!(controls(cw, &cx.truth(), CONFEDERATE, at), Tri::from(expected), "{names:?}");
            assert_eq!(controls(cw, &cx.seen(UNION), CONFEDERATE, at), Tri::Unknown, "{names:?}");
            put(cw, cx, names, "Drum")?;
        }
        assert_eq!(controls(cw, &cx.seen(UNION), CONFEDERATE, area(cx, "Marsh")), Tri::No);
        Ok(())
    });
}

#[test]
fn artillery_controls_hills_and_crossings_only() {
    at_drill(|cw, cx| {
        for (at, expected) in [("Heath", false), ("Cedar", true), ("Gap", true), ("Marsh", false)] {
            let at = put(cw, cx, &["Reserve Guns"], at)?;
            assert_eq!(controls(cw, &cx.truth(), CONFEDERATE, at), Tri::from(expected));
        }
        // The railroad bridge from Heath leads to Marsh; from Larch one walks.
        let at = area(cx, "Marsh");
        let link = |name: &str| cx.rulebook().board().link_named(name);
        let over = |link| cw.control.controls(&cx.truth(), CONFEDERATE, at, link);
        assert_eq!(over(link("Heath railroad bridge")), Tri::Yes);
        assert_eq!(over(link("Larch-Marsh")), Tri::No);
        Ok(())
    });
}

#[test]
fn markers_take_control_away_and_everybody_knows() {
    at_drill(|cw, cx| {
        let at = put(cw, cx, &["Ames"], "Gap")?;
        let ames = body(cx, "Ames");
        for marker in [cw.columns.ineffective, cw.columns.spent, cw.columns.no_control] {
            cx.set(marker, ames, 1)?;
            assert_eq!(controls(cw, &cx.truth(), CONFEDERATE, at), Tri::No);
            assert_eq!(controls(cw, &cx.seen(UNION), CONFEDERATE, at), Tri::No);
            cx.set(marker, ames, 0)?;
        }
        assert_eq!(controls(cw, &cx.truth(), CONFEDERATE, at), Tri::Yes);
        Ok(())
    });
}

/// What is told when somebody comes to an area: nothing more where it is controlled.
fn challenge(
    cw: &Cwcs,
    cx: &mut Cx<'_>,
    at: SpaceId,
    rule: RuleId,
    lapse: MomentId,
) -> Result<Option<Unmasked>, Halt> {
    match cw.tell_control(cx, (CONFEDERATE, at), None, rule, lapse)? {
        true => Ok(None),
        false => cw.unmask(cx, (CONFEDERATE, at), rule, lapse).map(Some),
    }
}

#[test]
fn a_challenge_tells_no_more_than_it_must() {
    at_drill(|cw, cx| {
        let (rule, lapse) = (cw.rules.dummies_passed, cw.moments.turn_ends);
        // Control: the enemy knows that, and not by whom.
        let at = put(cw, cx, &["Dummy A 1", "Ames"], "Gap")?;
        assert_eq!(challenge(cw, cx, at, rule, lapse)?, None);
        assert_eq!(controls(cw, &cx.seen(UNION), CONFEDERATE, at), Tri::Yes);
        assert_eq!(cx.seen(UNION).piece(body(cx, "Ames")), None);
        // Artillery in the open does not control, but dummies stay hidden beside it.
        let at = put(cw, cx, &["Dummy A 2", "Reserve Guns"], "Heath")?;
        assert_eq!(challenge(cw, cx, at, rule, lapse)?, Some(Unmasked::Held));
        assert_eq!(cx.read().space(body(cx, "Dummy A 2")), Some(at));
        // Dummies alone go; a leader is known for one, and not which.
        let at = put(cw, cx, &["Dummy A 3", "Archer"], "Larch")?;
        assert_eq!(challenge(cw, cx, at, rule, lapse)?, Some(Unmasked::Empty));
        assert_eq!(cx.read().place(body(cx, "Dummy A 3")), Some(cw.boxes(CONFEDERATE).pool));
        let archer = body(cx, "Archer");
        assert_eq!(cx.seen(UNION).is(archer, cw.pieces.sets.leaders), Tri::Yes);
        assert_eq!(cx.seen(UNION).piece(archer), None);
        Ok(())
    });
}

//! Rules of picket line that the traced turn does not come to: refusals in their order, overlays, the options, the
//! end in mid-fight.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod table;

use adjutant::Game;
use adjutant::kernel::Refused;
use adjutant::kernel::view::{ShownAction, ShownTarget};
use small_games::picket::position::Position;
use small_games::picket::{Overlay, Variant, rulebook};
use table::{act, at, begin, play, seat, shape, why_not, words};

/// Why a decision would be refused: the rule, nothing when it would not.
fn refusal(game: &mut Game, decision: &str) -> Option<String> {
    let (who, what) = decision.split_once(' ').unwrap();
    let shown = words(game, seat(game, who), what);
    why_not(game, who, &shown)
}

fn refused_by(game: &mut Game, decision: &str, rule: &str) {
    assert_eq!(refusal(game, decision).as_deref(), Some(rule), "{decision}");
    let before = versions(game);
    assert!(matches!(act(game, decision), Err(Refused::Rule { .. })), "{decision}");
    assert_eq!(versions(game), before, "a refused action changes nothing");
}

fn allowed(game: &mut Game, decision: &str) {
    assert_eq!(refusal(game, decision), None, "{decision}");
}

/// The versions of all seats.
fn versions(game: &Game) -> [u32; 4] {
    table::SEATS.map(|name| game.version(seat(game, name)))
}

/// What a seat has been shown, handles left out.
fn shown(game: &Game, who: &str) -> Vec<String> {
    table::lines(game, seat(game, who), 0).iter().map(|line| shape(line)).collect()
}

/// P with other stacks of a side in some areas.
fn amber(areas: &[(u8, &str)]) -> Position {
    let mut position = Position::p();
    position.stacks.retain(|(_, names)| names[0].starts_with('b'));
    let own = areas.iter().map(|(area, names)| (*area, names.split(' ').map(str::to_owned).collect()));
    position.stacks = own.chain(position.stacks).collect();
    position
}

#[test]
fn not_asked_stale_unknown_then_the_rules() {
    let mut game = begin(&at(Position::p()), &[], &[]);
    let [amber, blue] = ["amber", "blue"].map(|name| seat(&game, name));
    let nonsense = |verb: &str| ShownAction {
        verb: verb.to_owned(),
        targets: vec![
            ShownTarget::Stack("zzzz".to_owned()),
            ShownTarget::Number(1),
            ShownTarget::Link("4-5".to_owned()),
        ],
    };
    assert_eq!(game.act(blue, Some(99), &nonsense("march")), Err(Refused::NotAsked));
    assert_eq!(game.act(amber, Some(99), &nonsense("march")), Err(Refused::Stale { given: 99, current: 1 }));
    assert_eq!(game.act(amber, Some(1), &nonsense("march")), Err(Refused::Unknown("/zzzz".to_owned())));
    assert_eq!(game.act(amber, Some(1), &nonsense("fly")), Err(Refused::Unknown("fly".to_owned())));

    // A stack that Blue sees under this handle, and Amber under another.
    let of_blue = table::stacks(&mut game, blue, "4", "amber")[0].handle.clone();
    let mut action = nonsense("march");
    action.targets[0] = ShownTarget::Stack(of_blue.clone());
    assert_eq!(game.act(amber, Some(1), &action), Err(Refused::Unknown(format!("/{of_blue}"))));
    // The enemy's stack is known, and not the seat's to march.
    let enemy = table::stacks(&mut game, amber, "4", "blue")[0].handle.clone();
    action.targets[0] = ShownTarget::Stack(enemy);
    assert_eq!(game.act(amber, Some(1), &action), Err(Refused::NotOffered));
    assert_eq!(game.faults().next(), None);
}

/// 6 and 9: the ford is used, 9 is full, Blue is real in 6.
#[test]
fn a_march_is_refused_by_7a_then_7b_then_3d() {
    let mut game = begin(&at(amber(&[(6, "aF2 aH1"), (8, "aD1 aF3"), (9, "aH2 aG aD2 aL")])), &[], &[]);
    refused_by(&mut game, "amber 6/1 6-9", "pl:3.d");
    play(&mut game, &["amber 6/1 5-6", "amber 9/1 6-9", "scouts decline", "amber 8/1 8-9"]);
    refused_by(&mut game, "amber 6#2/1 6-9", "pl:7.a");
    refused_by(&mut game, "amber 6/1 6-9", "pl:7.b");
    refused_by(&mut game, "amber 6/1 3-6", "pl:7.d");
    refused_by(&mut game, "amber 8/1 8-9", "pl:3.d");
    allowed(&mut game, "amber 8/1 7-8");
}

/// 4 holds enemies of whom a real one was told, 7 is full.
#[test]
fn a_march_is_refused_by_3d_then_7c_then_7d() {
    let mut game = begin(&at(amber(&[(4, "aF2 aD1 aH2"), (7, "aF3 aL aG aH1")])), &[], &[]);
    refused_by(&mut game, "amber 4/1 4-7", "pl:3.d");
    play(&mut game, &["amber 4/1 4-5"]);
    refused_by(&mut game, "amber 4#2/1 4-7", "pl:7.a");
    refused_by(&mut game, "amber 4/1 4-7", "pl:3.d");
    refused_by(&mut game, "amber 4/1 4-5", "pl:7.c");
    refused_by(&mut game, "amber 4/2 4-5", "pl:7.d");
}

#[test]
fn press_and_probe_are_refused_by_their_rules() {
    let mut game = begin(&at(Position::p()), &[], &[]);
    refused_by(&mut game, "amber press 9 6-9", "pl:7.f");
    refused_by(&mut game, "amber probe aH1 4", "pl:9");
    play(&mut game, &["amber 7/2 7-8"]);
    refused_by(&mut game, "amber press 8 8-9", "pl:3.d");
    play(&mut game, &["amber press 8 7-8", "amber 9/1 8-9"]);
    // Each seat once a phase.
    refused_by(&mut game, "amber press 8 7-8", "pl:7.f");
}

#[test]
fn a_regroup_is_refused_by_its_rules() {
    let mut position = Position::p().at(2, "blue", "regroup");
    position.stacks.retain(|(area, names)| *area != 6 && !(*area == 2 && names[0] == "bH2"));
    position.stacks.retain(|(area, names)| !(*area == 1 && names[0].starts_with('b')));
    position.stacks.push((1, ["bH1", "bG", "bL", "bF3"].map(str::to_owned).to_vec()));
    position.stacks.push((2, vec!["bH2".to_owned()]));
    position.pool = vec!["bD1".to_owned()];
    let mut game = begin(&at(position), &[], &[]);
    refused_by(&mut game, "blue raise bH1", "pl:6.d");
    refused_by(&mut game, "blue return bD1 1", "pl:3.d");
    play(&mut game, &["blue raise bG"]);
    // Each body once; what was returned not at all.
    refused_by(&mut game, "blue raise bG", "pl:6.d");
    play(&mut game, &["blue return bD1 2"]);
    refused_by(&mut game, "blue raise bD1", "pl:6.d");
    // Amber's areas are none where Blue has anybody.
    let amber = seat(&game, "amber");
    assert!(game.offers(amber).is_empty());
}

#[test]
fn combat_is_refused_by_its_rules() {
    let dummies = amber(&[(4, "aD1 aL"), (6, "aF2 aH1"), (7, "aF3"), (9, "aH2 aG aD2")]);
    let mut game = begin(&at(dummies.at(2, "amber", "combat")), &[], &[]);
    refused_by(&mut game, "amber attack 4", "pl:10.a");
    play(&mut game, &["amber attack 6"]);
    // bD1 bL bF3: a dummy or the leader may stand only where the one real body will, too.
    play(&mut game, &["blue deploy bD1 road"]);
    refused_by(&mut game, "blue deploy bF3 field", "pl:10.c");
    refused_by(&mut game, "blue done", "pl:10.c");
    play(&mut game, &["blue deploy bF3 road"]);
    refused_by(&mut game, "blue deploy bL road", "pl:10.c");
    play(
        &mut game,
        &["blue deploy bL reserve", "blue done", "amber deploy aF2 road", "amber deploy aH1 road"],
    );
    play(
        &mut game,
        &["amber done", "amber order road hold", "amber done", "blue order road hold", "blue done"],
    );
    // One battle an area a phase.
    refused_by(&mut game, "amber attack 6", "pl:10");

    let mut game = begin(&at(Position::p().at(2, "blue", "combat")), &[], &[]);
    refused_by(&mut game, "blue search @7", "pl:11.a");
    play(&mut game, &["blue search @4"]);
    refused_by(&mut game, "blue search @4", "pl:11");
    let lines = shown(&game, "amber");
    let end = &lines[lines.len() - 4..];
    assert_eq!(
        end,
        ["search _ 4 11.a", "tell R{_ _} yes 11.a", "tell R{_ _} yes 11.b", "stopped 4 11.b"],
        "a search that is stopped"
    );
}

fn overlaid(overlay: Overlay, position: Position) -> Variant {
    Variant { overlays: vec![overlay], ..at(position) }
}

/// pl:7.g#2: with the leader in the stack a 5 does not make the foot weary, unless the rule is switched off.
#[test]
fn overlay_leaders_do_not_help_stragglers() {
    let position = amber(&[(4, "aF2 aH1"), (7, "aF3 aL"), (9, "aH2 aG aD2 aD1")]);
    let pressed = |variant: &Variant| {
        let mut game = begin(variant, &[], &[("straggle", 5), ("straggle", 5)]);
        play(&mut game, &["amber 7/2 7-8", "amber press 8 7-8"]);
        shown(&game, "amber").into_iter().filter(|line| line.starts_with("draw")).collect::<Vec<_>>()
    };
    let helped = " mods [] private_mods [[pl:7.g#2, -1]] column";
    assert_eq!(
        pressed(&at(position.clone())),
        [
            format!("draw public#1 straggle 5 bodies _{helped} foot result no 7.f"),
            format!("draw public#2 straggle 5 bodies _{helped} other result no 7.f"),
        ]
    );
    assert_eq!(
        pressed(&overlaid(Overlay::NoLeaderHelp, position)),
        [
            "draw public#1 straggle 5 bodies _ mods [] private_mods [] column foot result yes 7.f",
            "draw public#2 straggle 5 bodies _ mods [] private_mods [] column other result no 7.f",
        ]
    );
}

/// `may_enter` by a filter alone: aL not into 5, marching or pressing; others go, and Blue may.
#[test]
fn overlay_the_marshal_does_not_enter_5() {
    let mut position = amber(&[(1, "aL aF2"), (8, "aH1 aF3"), (9, "aH2 aG aD2 aD1")]);
    position.stacks.retain(|(area, names)| names[0].starts_with('a') || *area == 6);
    let mut game = begin(&overlaid(Overlay::MarshalNotInto5, position.clone()), &[], &[]);
    play(&mut game, &["amber 1/2 1-2"]);
    refused_by(&mut game, "amber press 2 2-5", "overlay:marshal");
    play(&mut game, &["amber undo", "amber 1/1 1-2"]);
    refused_by(&mut game, "amber press 2 2-5", "overlay:marshal");
    play(&mut game, &["amber undo", "amber 1/1 1-4", "amber 1/1 1-2"]);
    refused_by(&mut game, "amber press 4 4-5", "overlay:marshal");
    allowed(&mut game, "amber press 2 2-5");
    let mut game = begin(&at(position), &[], &[]);
    play(&mut game, &["amber 1/2 1-2"]);
    allowed(&mut game, "amber press 2 2-5");
}

/// `fight_shift` +1 right in area 4, as the working of the fight shows it.
#[test]
fn overlay_high_ground_in_4() {
    let fight = |variant: &Variant| {
        let mut game = begin(variant, &[], &[("fight", 1)]);
        play(
            &mut game,
            &[
                "amber attack 4",
                "blue deploy 4.1 road",
                "blue deploy 4.2 road",
                "blue done",
                "amber deploy aF2 road",
                "amber deploy aH1 reserve",
                "amber done",
                "amber order road attack",
                "amber done",
                "blue order road hold",
                "blue done",
            ],
        );
        shown(&game, "spectator").into_iter().find(|line| line.starts_with("draw public#1 fight"))
    };
    let combat = Position::p().at(2, "amber", "combat");
    let working = |shifts: &str, column: &str| {
        let head = "draw public#1 fight 1 position road by amber odds [2, 2] start 1:1";
        Some(format!("{head} shifts {shifts} column {column} result A1 10.h"))
    };
    assert_eq!(fight(&at(combat.clone())), working("[]", "1:1"));
    assert_eq!(fight(&overlaid(Overlay::RightIn4, combat)), working("[[overlay:high_ground, 1]]", "3:2"));
}

/// pl:13.a: at dusk area 5 hides its stacks as any other, pl:3.f does not apply there.
#[test]
fn dusk_closes_5() {
    let mut position = Position::p().at(2, "blue", "march");
    position.stacks.retain(|(_, names)| names[0].starts_with('a'));
    for (area, names) in [(1, "bG"), (4, "bF2"), (5, "bF3 bD1 bH1"), (6, "bL bH2")] {
        position.stacks.push((area, names.split(' ').map(str::to_owned).collect()));
    }
    for (options, on_top, more) in [(&[][..], Some("bF3"), 2), (&["dusk"], None, 0)] {
        let mut game = begin(&at(position.clone()), options, &[]);
        let amber = seat(&game, "amber");
        let stack = table::stacks(&mut game, amber, "5", "blue").pop().unwrap();
        assert_eq!(stack.bodies[0].piece.as_deref(), on_top, "{options:?}");
        assert_eq!((stack.bodies.len(), stack.more), (3 - more, more as u32), "{options:?}");
        play(&mut game, &["blue 5/1 2-5"]);
        let seen = shown(&game, "amber").iter().filter(|line| line.ends_with("3.f")).count();
        // bF3, then bD1 below it, which goes, then bH1.
        assert_eq!(seen, if options.is_empty() { 3 } else { 0 }, "{options:?}");
    }
    // It does not open again at the end of a turn.
    for (options, opens) in [(&[][..], true), (&["dusk"], false)] {
        let mut game = begin(&at(position.clone().at(2, "blue", "combat")), options, &[]);
        play(&mut game, &["blue done", "amber done", "blue done"]);
        let view = game.view(seat(&game, "spectator")).position;
        let cover = view.places["5"].values.contains_key("cover");
        assert_eq!(cover, opens, "{options:?}");
    }
}

/// pl:13.b: on a 1 one of the attacker's positions holds; with one position nobody is asked.
#[test]
fn hesitation() {
    let combat = at(Position::p().at(2, "amber", "combat"));
    let deploy = ["amber attack 4", "blue deploy bF2 road", "blue deploy bD2 reserve", "blue done"];
    let orders = |positions: &[&'static str]| -> Vec<&'static str> {
        let two = positions.len() == 2;
        let mut list = vec!["amber deploy aF2 road"];
        list.push(if two { "amber deploy aH1 field" } else { "amber deploy aH1 reserve" });
        list.extend(["amber done", "amber order road attack"]);
        if two {
            list.push("amber order field attack");
        }
        list.extend(["amber done", "blue order road hold", "blue done"]);
        list
    };
    let last = |game: &Game, count: usize| {
        let lines = shown(game, "blue");
        lines[lines.len() - count..].to_vec()
    };
    let mut game = begin(&combat, &["hesitation"], &[("hesitation", 1)]);
    play(&mut game, &deploy);
    play(&mut game, &orders(&["road", "field"]));
    assert_eq!(last(&game, 1), ["draw public#1 hesitation 1 13.b"]);
    let amber = seat(&game, "amber");
    let offers: Vec<String> = game.offers(amber).iter().map(ToString::to_string).collect();
    assert_eq!(offers, ["falter road", "falter field"]);
    play(&mut game, &["amber falter road"]);
    let lines = shown(&game, "blue");
    let told = lines.iter().position(|line| line == "falters amber road 13.b").unwrap();
    assert_eq!(lines[told + 1], "orders [[road, hold], [field, attack]] [[road, hold]] 10.f");

    // One position: it is not asked; and nothing but a 1 makes anybody falter.
    for (die, order) in [(1, "hold"), (2, "attack")] {
        let mut game = begin(&combat, &["hesitation"], &[("hesitation", die), ("fight", 1)]);
        play(&mut game, &deploy);
        play(&mut game, &orders(&["road"]));
        let lines = shown(&game, "spectator");
        assert_eq!(lines.iter().any(|line| line == "falters amber road 13.b"), die == 1);
        assert!(lines.contains(&format!("orders [[road, {order}]] [[road, hold]] 10.f")), "{lines:?}");
    }
}

/// pl:14: the fifth real loss ends the game in mid-fight; everything is revealed, area by area, then road, field and
/// reserve, then the markers; arrears are told and scored.
#[test]
fn the_end_in_mid_fight() {
    let mut position = Position::of(
        &[(4, "aF2 aH2"), (7, "aD1 aF3"), (9, "aG aL"), (1, "bD1 bL"), (4, "bD2 bH1")],
        &[(4, "X1"), (7, "Base"), (9, "X2")],
    )
    .at(2, "amber", "combat");
    position.lost = ["bF3", "bF2", "bG", "bH2", "aH1"].map(str::to_owned).to_vec();
    let mut game = begin(&at(position), &[], &[("fight", 6)]);
    play(
        &mut game,
        &[
            "amber attack 4",
            "blue deploy bH1 road",
            "blue deploy bD2 reserve",
            "blue done",
            "amber deploy aF2 road",
            "amber deploy aH2 field",
            "amber done",
            "amber order road attack",
            "amber order field attack",
            "amber done",
            "blue order road hold",
            "blue done",
        ],
    );
    assert!(game.ended());
    let lines = shown(&game, "spectator");
    let lost = lines.iter().position(|line| line.starts_with("lost")).unwrap();
    assert_eq!(
        lines[lost..],
        [
            "lost _ blue.lost 10.l",
            "see _ = bD1 14.a",
            "see _ = bL 14.a",
            "see _ = aD1 14.a",
            "see _ = aF3 14.a",
            "see _ = aG 14.a",
            "see _ = aL 14.a",
            "see _ = bD2 14.a",
            "see _ = X1 14.a",
            "see _ = Base 14.a",
            "see _ = X2 14.a",
            "arrears 0 14.b",
            // One fifth body lost since the game was loaded, and Base; 7, 8 and 9 are Amber's own.
            "scores 6 0 14",
            "end amber 14",
        ]
    );
    let amber = seat(&game, "amber");
    let nothing = ShownAction { verb: "done".to_owned(), targets: Vec::new() };
    assert_eq!(game.act(amber, None, &nothing), Err(Refused::Ended));
}

/// pl:14 after turn 6: control of homes and of 5, arrears told and added to Blue's points.
#[test]
fn the_end_after_turn_6() {
    let position = Position::p().at(6, "blue", "combat");
    let mut game = begin(&at(position), &[], &[("arrears", 4)]);
    play(&mut game, &["blue done", "amber done", "blue done"]);
    assert!(game.ended());
    let lines = shown(&game, "blue");
    let from = lines.iter().position(|line| line == "rested 12.a").unwrap();
    assert_eq!(
        lines[from..],
        [
            "rested 12.a",
            "phase end",
            "see _ = bH1 14.a",
            "see _ = bG 14.a",
            "see _ = bH2 14.a",
            "see _ = aF2 14.a",
            "see _ = aH1 14.a",
            "see _ = bD2 14.a",
            "see _ = bF2 14.a",
            "see _ = bD1 14.a",
            "see _ = bL 14.a",
            "see _ = bF3 14.a",
            "see _ = aD1 14.a",
            "see _ = aF3 14.a",
            "see _ = aL 14.a",
            "see _ = aH2 14.a",
            "see _ = aG 14.a",
            "see _ = aD2 14.a",
            "see _ = Base 14.a",
            "see _ = X1 14.a",
            "see _ = X2 14.a",
            "arrears 1 14.b",
            "scores 5 1 14",
            "end amber 14",
        ]
    );
}

/// A name in a position that means nothing is reported.
#[test]
fn a_position_is_checked() {
    let position = Position::of(&[(4, "aF2 aH7")], &[]);
    let problem = rulebook(&Variant { position: Some(position), ..Variant::default() }).unwrap_err();
    assert!(problem.to_string().contains("`aH7`"), "{problem}");
}

/// P with Blue's leader alone and face up in 6, dummies and foot elsewhere.
fn lone_leader(others: &[(u8, &str)]) -> Position {
    let mut position = Position::p();
    position.stacks.retain(|(_, names)| names[0].starts_with('a'));
    let list = |names: &str| -> Vec<String> { names.split(' ').map(str::to_owned).collect() };
    position.stacks.extend(others.iter().map(|(area, names)| (*area, list(names))));
    position.stacks.push((6, list("bL")));
    (position.known, position.up) = (list("bL"), list("bL"));
    position
}

/// pl:7.h: a lone leader face up goes where his owner chooses, and is turned down.
#[test]
fn a_lone_leader_is_displaced() {
    let mut game = begin(&at(lone_leader(&[(1, "bH1 bG"), (2, "bH2 bF2"), (3, "bD1 bF3 bD2")])), &[], &[]);
    play(&mut game, &["amber 9/1 6-9"]);
    let blue = seat(&game, "blue");
    let offers: Vec<String> = game.offers(blue).iter().map(ToString::to_string).collect();
    assert_eq!(offers, ["retreat 3", "retreat 5"], "without enemies and with room: not 9");
    play(&mut game, &["blue retreat 3"]);
    let view = game.view(seat(&game, "amber"));
    let stacks = &view.position.places["3"].stacks;
    let leader = &stacks[stacks.len() - 1].bodies[0];
    assert_eq!((leader.piece.as_deref(), leader.up), (Some("bL"), false), "turned down, and still known");
    assert!(game.offers(seat(&game, "scouts")).is_empty(), "nobody is left to intercept");
}

/// pl:7.h, pl:3.d: with one refuge only nobody is asked; without room there is none, and he is lost.
#[test]
fn a_lone_leader_with_one_refuge_or_none() {
    let full = [(1, "bH1 bG"), (2, "bH2"), (3, "bD1 bF3 bD2 bF2")];
    let mut game = begin(&at(lone_leader(&full)), &[], &[]);
    play(&mut game, &["amber 9/1 6-9"]);
    assert!(game.offers(seat(&game, "blue")).is_empty(), "5 is the only refuge");
    assert_eq!(game.view(seat(&game, "blue")).position.places["5"].stacks.len(), 1);

    let mut game = begin(&at(lone_leader(&full)), &[], &[]);
    play(&mut game, &["amber 4/1 4-5"]);
    // 4 holds no enemies now, so the group goes to 5, which is then no refuge.
    play(&mut game, &["amber 9/1 6-9"]);
    let view = game.view(seat(&game, "blue")).position;
    assert!(view.places.get("6").is_none_or(|p| p.stacks.iter().all(|s| s.side == "amber")));
    assert_eq!(view.places["blue.lost"].bodies.len(), 1, "lost");
}

/// pl:3.d, pl:10.m: where a fifth body would stand a retreating group goes on.
#[test]
fn a_retreat_into_a_full_area_goes_on() {
    let rules = std::sync::Arc::new(rulebook(&Variant::default()).unwrap());
    let mut met = 0;
    for seed in 0..80 {
        let mut game =
            Game::start(&rules, adjutant::Setup { options: Vec::new(), seed, ..adjutant::Setup::default() })
                .unwrap();
        let mut random = adjutant::Random::new(seed);
        while !game.ended() {
            let seats: Vec<_> = rules.seat_ids().filter(|&s| !game.offers(s).is_empty()).collect();
            let who = *random.pick(&seats).unwrap();
            let offers = game.offers(who);
            game.act(who, None, random.pick(&offers).unwrap()).unwrap();
        }
        let log: Vec<_> = game.log(seat(&game, "umpire")).iter().flatten().cloned().collect();
        for (n, event) in log.iter().enumerate().filter(|(_, e)| e.event == "retreats") {
            let verdict = event.arg("verdict").map(|v| format!("{v:?}")).unwrap_or_default();
            let next = log[n + 1..].iter().find(|e| ["open", "lost", "retreats"].contains(&e.event.as_str()));
            if verdict.contains("must") {
                met += 1;
                assert!(next.is_some_and(|e| e.event == "open"), "asks again: {next:?}");
            }
        }
    }
    assert!(met > 0, "no game came to it");
}

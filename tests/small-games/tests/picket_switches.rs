//! Rules of picket line switched off by their ids, overlays of its points, and what an umpire may come between.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod table;

use adjutant::kernel::chance::Key;
use adjutant::kernel::flow::{self, Sink};
use adjutant::kernel::view::ShownTarget;
use adjutant::kernel::{Refused, Worker};
use adjutant::{Game, NamedEdit};
use small_games::picket::position::Position;
use small_games::picket::{Overlay, Variant, rulebook};
use small_games::playout::{Random, Scratch, play_out};
use table::{act, at, begin, play, seat, shape, why_not, words};

fn refusal(game: &mut Game, decision: &str) -> Option<String> {
    let (who, what) = decision.split_once(' ').unwrap();
    let shown = words(game, seat(game, who), what);
    why_not(game, who, &shown)
}

fn shown(game: &Game, who: &str) -> Vec<String> {
    table::lines(game, seat(game, who), 0).iter().map(|line| shape(line)).collect()
}

fn overlaid(overlays: &[Overlay], position: Position) -> Variant {
    Variant { overlays: overlays.to_vec(), ..at(position) }
}

fn off(id: &'static str, position: Position) -> Variant {
    overlaid(&[Overlay::Off(id)], position)
}

/// P with other stacks of Amber.
fn amber(areas: &[(u8, &str)]) -> Position {
    let mut position = Position::p();
    position.stacks.retain(|(_, names)| names[0].starts_with('b'));
    let own = areas.iter().map(|(area, names)| (*area, names.split(' ').map(str::to_owned).collect()));
    position.stacks = own.chain(position.stacks).collect();
    position
}

fn told(game: &Game) -> usize {
    shown(game, "spectator").iter().filter(|line| line.starts_with("tell")).count()
}

/// pl:7.c: without it a group without a real body leaves an area with enemies, and nothing is told of the group.
#[test]
fn groups_leave_without_7c() {
    let position = amber(&[(4, "aD1 aL aH1"), (7, "aF3"), (9, "aF2 aH2 aG aD2")]);
    let mut plain = begin(&at(position.clone()), &[], &[]);
    assert_eq!(refusal(&mut plain, "amber 4/1 4-5").as_deref(), Some("pl:7.c"));
    let mut game = begin(&off("pl:7.c", position), &[], &[]);
    play(&mut game, &["amber 4/1 4-5"]);
    let lines = shown(&game, "spectator");
    assert!(!lines.iter().any(|line| line.ends_with("7.c")), "{lines:?}");
    // 7.d stops it all the same: bF2 is real.
    assert!(lines.iter().any(|line| line.starts_with("stopped")), "{lines:?}");
}

/// pl:7.d: without it nobody is challenged or stopped.
#[test]
fn nobody_is_stopped_without_7d() {
    let position = amber(&[(4, "aF2 aH1"), (7, "aF3 aL"), (9, "aH2 aG aD2 aD1")]);
    let mut plain = begin(&at(position.clone()), &[], &[]);
    play(&mut plain, &["amber 4/1 4-5"]);
    assert_eq!(refusal(&mut plain, "amber 4/1 4-5").as_deref(), Some("pl:7.d"));
    let mut game = begin(&off("pl:7.d", position), &[], &[]);
    play(&mut game, &["amber 4/1 4-5", "amber 4/1 1-4"]);
    let lines = shown(&game, "spectator");
    assert!(!lines.iter().any(|line| line.ends_with("7.d")), "{lines:?}");
    // That each group has a real body is told (7.c).
    assert!(lines.iter().any(|line| line.ends_with("7.c")), "{lines:?}");
}

/// pl:7.c and pl:7.d together, and by the umpire of a game that has begun.
#[test]
fn nothing_is_told_by_a_march_without_7c_and_7d() {
    let position = amber(&[(4, "aF2 aH1"), (7, "aF3 aL"), (9, "aH2 aG aD2 aD1")]);
    let mut game =
        begin(&overlaid(&[Overlay::Off("pl:7.c"), Overlay::Off("pl:7.d")], position.clone()), &[], &[]);
    let before = told(&game);
    play(&mut game, &["amber 4/2 4-5"]);
    assert_eq!(told(&game), before);
    let mut game = begin(&at(position), &[], &[]);
    game.skip("pl:7.c").unwrap();
    game.skip("pl:7.d").unwrap();
    play(&mut game, &["amber 4/2 4-5"]);
    assert_eq!(told(&game), before);
}

#[test]
fn other_native_rules_are_switched_off_by_their_ids() {
    // pl:7.b: the ford may be used again.
    let position = amber(&[(9, "aF2 aH1 aG aD1"), (8, "aF3 aL")]);
    for (id, refused) in [("pl:7.b", None), ("pl:13.b", Some("pl:7.b"))] {
        let mut game = begin(&off(id, position.clone()), &[], &[]);
        play(&mut game, &["amber 9/1 6-9"]);
        if game.rulebook().seat_named("scouts").is_some_and(|s| !game.offers(s).is_empty()) {
            play(&mut game, &["scouts decline"]);
        }
        assert_eq!(refusal(&mut game, "amber 9/1 6-9").as_deref(), refused, "{id}");
    }
    // pl:3.d: a fifth body.
    let position = amber(&[(9, "aF2 aH1 aG aD1"), (8, "aF3 aL")]);
    for (id, refused) in [("pl:3.d", None), ("pl:13.b", Some("pl:3.d"))] {
        let mut game = begin(&off(id, position.clone()), &[], &[]);
        assert_eq!(refusal(&mut game, "amber 8/1 8-9").as_deref(), refused, "{id}");
    }
    // pl:8: nobody is asked to intercept.
    for (id, asked) in [("pl:8", false), ("pl:13.b", true)] {
        let mut game = begin(&off(id, Position::p()), &[], &[]);
        play(&mut game, &["amber 9/2 6-9"]);
        let scouts = seat(&game, "scouts");
        assert_eq!(!game.offers(scouts).is_empty(), asked, "{id}");
    }
    // pl:3.f: 5 does not show who is on top.
    let mut position = Position::p().at(2, "blue", "march");
    position.stacks.retain(|(_, names)| names[0].starts_with('a'));
    for (area, names) in [(1, "bG"), (4, "bF2"), (5, "bF3 bD1 bH1"), (6, "bL bH2")] {
        position.stacks.push((area, names.split(' ').map(str::to_owned).collect()));
    }
    for (id, top) in [("pl:3.f", None), ("pl:13.b", Some("bF3"))] {
        let mut game = begin(&off(id, position.clone()), &[], &[]);
        let amber = seat(&game, "amber");
        let stack = table::stacks(&mut game, amber, "5", "blue").pop();
        let piece = stack.and_then(|s| s.bodies.first().and_then(|b| b.piece.clone()));
        assert_eq!(piece.as_deref(), top, "{id}");
    }
}

/// A game in which a rule is switched off is played to its end.
#[test]
fn games_without_a_rule_end() {
    for id in ["pl:7.c", "pl:7.d", "pl:7.b", "pl:7.h", "pl:3.d", "pl:3.c", "pl:8", "pl:9.b", "pl:3.f"] {
        let variant = Variant { overlays: vec![Overlay::Off(id)], ..Variant::default() };
        let rb = rulebook(&variant).unwrap();
        for seed in 0..6 {
            let mut scratch = Scratch { worker: Worker::new().checking(), ..Scratch::default() };
            let key = Key::from_seed(seed);
            let mut st = flow::start(&rb, &mut scratch.worker, &mut Sink::off(), key, 0).unwrap();
            let played = play_out(&rb, &mut scratch, &mut st, &mut Random::new(seed));
            assert!(played.is_ok() && st.outcome().is_some(), "{id}, seed {seed}: {played:?}");
        }
    }
}

/// `may_leave` and `area_limit`, which nothing in the game itself is attached to.
#[test]
fn overlays_of_leaving_and_of_the_limit() {
    let position = amber(&[(4, "aF2 aH1"), (7, "aF3 aL"), (8, "aG aD1"), (9, "aH2 aD2")]);
    let mut game = begin(&overlaid(&[Overlay::StayIn7], position.clone()), &[], &[]);
    assert_eq!(refusal(&mut game, "amber 7/1 7-8").as_deref(), Some("overlay:stay"));
    assert_eq!(refusal(&mut game, "amber 8/1 7-8"), None);
    let mut game = begin(&overlaid(&[Overlay::ThreeIn8], position.clone()), &[], &[]);
    assert_eq!(refusal(&mut game, "amber 7/1 7-8"), None);
    assert_eq!(refusal(&mut game, "amber 7/2 7-8").as_deref(), Some("pl:3.d"));
    let mut game = begin(&at(position), &[], &[]);
    assert_eq!(refusal(&mut game, "amber 7/2 7-8"), None);
}

/// What cannot be is refused by the rule that says so, though it is not listed.
#[test]
fn marching_more_than_there_are_is_refused_by_7a() {
    let mut game = begin(&at(Position::p()), &[], &[]);
    let amber = seat(&game, "amber");
    let mut march = words(&game, amber, "4/2 4-5");
    for (n, link) in [(3, "4-5"), (0, "4-5"), (-1, "4-5"), (2, "8-9")] {
        march.targets[1] = ShownTarget::Number(n);
        march.targets[2] = ShownTarget::Link(link.to_owned());
        assert_eq!(
            game.act(amber, None, &march),
            Err(Refused::Rule { rule: "pl:7.a".to_owned() }),
            "{n} {link}"
        );
    }
    assert_eq!(refusal(&mut game, "amber press 4 8-9").as_deref(), Some("pl:7.f"));
    assert_eq!(refusal(&mut game, "amber probe aF2 4").as_deref(), Some("pl:9"));
    let mut game = begin(&at(Position::p().at(2, "amber", "combat")), &[], &[]);
    for area in ["3", "7"] {
        let attack = format!("amber attack {area}");
        assert_eq!(refusal(&mut game, &attack).as_deref(), Some("pl:10.a"), "{area}");
    }
    play(&mut game, &["amber attack 4", "blue deploy bD2 reserve"]);
    assert_eq!(refusal(&mut game, "blue deploy bD2 road").as_deref(), Some("pl:10.c"));
}

/// An umpire turns a body up, or marks it, in the middle of a regroup: it is turned down again before the mix.
#[test]
fn an_umpire_reveals_in_the_middle_of_a_regroup() {
    let mut position = Position::p().at(2, "blue", "regroup");
    position.pool = vec!["bD1".to_owned()];
    position.stacks.iter_mut().for_each(|(_, names)| names.retain(|name| name != "bD1"));
    for edit in [
        NamedEdit::Reveal("bF3".to_owned()),
        NamedEdit::Reveal("bD2".to_owned()),
        NamedEdit::Set { column: "march".to_owned(), of: Some("bF3".to_owned()), side: None, value: 2 },
    ] {
        let mut game = begin(&at(position.clone()), &[], &[]);
        game.edit(std::slice::from_ref(&edit)).unwrap();
        play(&mut game, &["blue raise bF3", "blue done"]);
        let amber = seat(&game, "amber");
        let bodies = table::stacks(&mut game, amber, "6", "blue").pop().unwrap().bodies;
        if matches!(edit, NamedEdit::Reveal(_)) {
            assert!(bodies.iter().all(|b| !b.up && b.piece.is_none()), "{bodies:?}");
        }
    }
}

/// pl:2.b: on a turn of high water nobody retreats or is displaced over the ford.
#[test]
fn high_water_keeps_retreats_from_the_ford() {
    let water = |on| NamedEdit::Set {
        column: "high".to_owned(),
        of: Some("6|9".to_owned()),
        side: None,
        value: i32::from(on),
    };
    // Amber retreats from 6, where it attacks; 5 and 3 are linked to 6 as well.
    let position = amber(&[(6, "aF2"), (7, "aF3 aL"), (9, "aH2 aG aD2")]).at(2, "amber", "combat");
    for (high, open) in [(false, "3 5 9"), (true, "3 5")] {
        let mut game = begin(&at(position.clone()), &[], &[("fight", 3)]);
        game.edit(&[water(high)]).unwrap();
        play(
            &mut game,
            &[
                "amber attack 6",
                "blue deploy bF3 road",
                "blue deploy bL reserve",
                "blue deploy bD1 reserve",
                "blue done",
                "amber deploy aF2 road",
                "amber done",
                "amber order road attack",
                "amber done",
                "blue order road hold",
                "blue done",
            ],
        );
        let amber = seat(&game, "amber");
        let areas: Vec<String> = game.offers(amber).iter().map(|a| a.targets[0].to_string()).collect();
        assert_eq!(areas.join(" "), open, "high water: {high}");
    }
    // Amber's marshal, alone and face up in 9, is displaced: over the ford only while it can be used.
    let mut position = Position::of(
        &[
            (9, "aL"),
            (4, "aF2 aH1 aG aH2"),
            (7, "aD1 aF3"),
            (8, "bF2"),
            (1, "bG bH1"),
            (2, "bF3 bL"),
            (5, "bH2"),
        ],
        &[(4, "Base"), (7, "X1"), (9, "X2")],
    )
    .at(2, "blue", "march");
    position.known = vec!["aL".to_owned()];
    position.up = vec!["aL".to_owned()];
    for (high, open) in [(false, "6 8"), (true, "")] {
        let mut game = begin(&at(position.clone()), &[], &[]);
        game.edit(&[water(high)]).unwrap();
        play(&mut game, &["blue 8/1 8-9"]);
        let amber = seat(&game, "amber");
        let mut areas: Vec<String> = game.offers(amber).iter().map(|a| a.targets[0].to_string()).collect();
        areas.sort();
        assert_eq!(areas.join(" "), open, "high water: {high}");
        // With one area left nobody is asked.
        let lines = shown(&game, "spectator");
        assert_eq!(lines.iter().any(|l| l == "displaced _ 8 7.h"), high, "{lines:?}");
    }
}

/// pl:7.i: with the end of its March a side is engaged nowhere; the other side's engagements stay.
#[test]
fn engagements_end_with_the_march() {
    let mut position = amber(&[(4, "aF2 aH1"), (7, "aF3 aL"), (9, "aH2 aG aD2 aD1")]);
    position.engaged = vec![("amber".to_owned(), 4), ("blue".to_owned(), 4)];
    let mut game = begin(&at(position), &[], &[]);
    let engaged = |game: &mut Game| {
        let spectator = seat(game, "spectator");
        format!("{:?}", game.view(spectator).position.places["4"].values.get("engaged"))
    };
    assert!(engaged(&mut game).contains("amber"));
    // Engaged, a dummy's company would leave freely; afterwards 7.c speaks again.
    play(&mut game, &["amber done"]);
    let after = engaged(&mut game);
    assert!(!after.contains("(\"amber\", Number(1))") && after.contains("blue"), "{after}");
    assert!(act(&mut game, "amber done").is_ok(), "combat follows");
}

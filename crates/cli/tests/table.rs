//! A table in the terminal, driven by what somebody types.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use adjutant::text::Text;
use adjutant::{Game, Setup};
use adjutant_cli::{End, Player, Table, board_text, map_text};
use adjutant_kernel::board::{
    BoardBuilder, FeatureOn, FeatureSpec, HexGridSpec, Orientation, Provenance, Shift,
};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{AttributeClass, SeatRole, ValueKind};
use adjutant_kernel::state::Position;
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, PlaceId, Procedure, RuleId, Rulebook, RulebookBuilder, SeatId,
    Seen, SideId, SpaceId, WordId,
};

struct Words {
    prompt: WordId,
    walk: WordId,
    rule: RuleId,
}

/// Two walkers go to a hex of their choice by turns, four times in all.
#[derive(Default, Locals)]
struct Walk {
    turn: i32,
}

impl Procedure for Walk {
    type Module = Words;

    fn run(&mut self, words: &Words, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.turn == 0 {
            for n in 0..2 {
                cx.move_group(words.walk, &[BodyId(n)], Dest::Place(PlaceId(n), Position::Bottom))?;
            }
        }
        if self.turn == 4 {
            cx.end_game(Some(SideId(0)), words.rule)?;
            return Ok(Flow::Done);
        }
        Ok(Flow::ask(SeatId((self.turn % 2) as u8), words.prompt))
    }

    fn offers(&self, words: &Words, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        (0..6).for_each(|n| out.add(Action::new(words.walk).on(SpaceId(n))));
    }

    fn act(&mut self, words: &Words, cx: &mut Cx<'_>, seat: SeatId, action: &Action) -> Result<Flow, Halt> {
        let to = Dest::Place(PlaceId(action.space(0).unwrap().0), Position::Bottom);
        cx.move_group(words.walk, &[BodyId(u16::from(seat.0))], to)?;
        cx.commit();
        self.turn += 1;
        Ok(Flow::Again)
    }
}

/// Two walkers on a map of six hexes; their orders are their side's secret, if they have any.
fn rulebook(orientation: Orientation, orders: bool) -> Arc<Rulebook> {
    let source = || Provenance::printed("map");
    let mut board = BoardBuilder::new("field", source());
    board.network("land").hex_grid(HexGridSpec::new(orientation, Shift::Second, 3, 2), ["land"]);
    board.feature("woods", FeatureOn::Space, source()).feature("water", FeatureOn::Space, source());
    board.features(FeatureSpec::new("woods", ["0101", "0202"]));
    board.features(FeatureSpec::new("water", ["0301"]));
    let mut rb = RulebookBuilder::new("walk", "1", board.build().unwrap());
    let strength = ValueKind::Int { min: 0, max: 9 };
    rb.attribute("strength", strength.clone(), AttributeClass::OnReveal);
    if orders {
        rb.attribute("orders", strength, AttributeClass::Owner);
    }
    let rule = rb.rule("wa:1");
    rb.open_information(rule);
    for name in ["blue", "red"] {
        let side = rb.side(name);
        rb.seat(name, Some(side), SeatRole::Player);
        rb.piece(
            &format!("{name} foot"),
            Some(side),
            "foot",
            None,
            &[Some(4), Some(7)][..1 + usize::from(orders)],
        );
    }
    let words = Words { prompt: rb.word("move"), walk: rb.word("walk"), rule };
    let walk = rb.proc::<Walk>("walk");
    rb.define(walk, &Arc::new(words));
    rb.opening(walk.with(Walk::default()));
    Arc::new(rb.build().unwrap())
}

fn game(orientation: Orientation) -> Game {
    Game::start(&rulebook(orientation, true), Setup::default()).unwrap()
}

/// What the terminal writes to people at these seats who type this.
fn terminal(people: &[u8], hot_seat: bool, typed: &str) -> (String, Table) {
    let players: BTreeMap<SeatId, Player> = people.iter().map(|n| (SeatId(*n), Player::Person)).collect();
    let mut table = Table::new(game(Orientation::PointyTop), players, 1);
    table.hot_seat = hot_seat;
    let mut out = Vec::new();
    table.play(&mut Cursor::new(typed.as_bytes()), &mut out).unwrap();
    (String::from_utf8(out).unwrap(), table)
}

#[test]
fn a_game_is_played_to_its_end() {
    let (out, table) = terminal(&[0], false, "why walk 0101\n9\nnonsense words\n3\n4\n");
    assert!(table.game().ended());
    for text in [
        "blue: move",
        "walk 0101: you may",
        "a number from 1 to 6, or ? for help",
        "the game is over; blue won",
        "4 decisions, digest ",
    ] {
        assert!(out.contains(text), "no `{text}` in:\n{out}");
    }
}

#[test]
fn a_line_without_end_is_one_line() {
    let (out, _) = terminal(&[0], false, &format!("{}\nEXIT\n", "x".repeat(200_000)));
    assert_eq!(out.matches("a number from 1 to 6, or ? for help").count(), 1);
    assert_eq!(out.matches("blue> ").count(), 2, "and then one leaves");
}

#[test]
fn a_verb_that_is_not_offered_now_is_told_from_a_slip() {
    // `move` is a word of the rules, and nothing that blue could do.
    let (out, _) = terminal(&[0], false, "move 0101\nmoev 0101\n");
    let told = "move 0101: that is not among the things that can be done now; a number from 1 to 6";
    assert!(out.contains(told), "{out}");
    assert!(!out.contains("moev 0101: "), "{out}");
}

#[test]
fn input_that_ends_and_quitting_end_it_quietly() {
    for typed in ["", "1\n", "q\n", "\u{0}\u{fffd}\n"] {
        let (out, table) = terminal(&[0, 1], false, typed);
        assert!(!table.game().ended() && out.contains("blue"), "{out}");
    }
}

#[test]
fn games_are_saved_and_loaded() {
    let file = std::env::temp_dir().join(format!("adjutant-cli-{}.json", std::process::id()));
    let name = file.display();
    let typed = format!("3\nsave {name}\nsave\nload {name}.not\n4\nload {name}\nq\n");
    let (out, table) = terminal(&[0, 1], false, &typed);
    assert!(out.contains(&format!("saved as {name}")), "{out}");
    assert!(out.contains("save FILE: name the file"), "{out}");
    assert!(out.contains(&format!("{name}.not: it cannot be read: ")), "{out}");
    // After loading it is red's first turn again.
    assert!(out.rfind("red> ").unwrap() > out.rfind("blue> ").unwrap(), "{out}");
    assert_eq!(table.game().journal().len(), 1);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn the_screen_is_cleared_between_people_who_share_it() {
    const CLEAR: &str = "\u{1b}[2J";
    const ASK: &str = "it is for red to look; press Enter> ";
    let (out, table) = terminal(&[0, 1], true, "1\n\n2\n\n3\n\n4\n");
    assert!(table.game().ended(), "{out}");
    assert_eq!(out.matches(ASK).count(), 2, "{out}");
    // Nothing of red's is shown before red has pressed Enter.
    let (before, after) = out.split_once(ASK).unwrap();
    assert!(before.contains(CLEAR) && !before.contains("red: move") && after.starts_with(CLEAR));
    assert!(!terminal(&[0, 1], false, "1\n2\n3\n4\n").0.contains(CLEAR));
    assert!(!terminal(&[0], true, "1\n2\n").0.contains(CLEAR), "one person needs no such thing");
    // Where nothing is hidden nobody waits.
    let open = Game::start(&rulebook(Orientation::PointyTop, false), Setup::default()).unwrap();
    let people = (0..2).map(|n| (SeatId(n), Player::Person)).collect();
    let mut table = Table::new(open, people, 1);
    table.hot_seat = true;
    let mut out = Vec::new();
    let end = table.play(&mut Cursor::new(b"1\n2\n3\n4\n"), &mut out).unwrap();
    assert_eq!(end, End::Over);
    assert!(!String::from_utf8(out).unwrap().contains(CLEAR));
}

#[test]
fn a_reader_who_goes_away_is_told_to_the_caller() {
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut table = Table::new(game(Orientation::PointyTop), BTreeMap::new(), 1);
    let error = table.play(&mut Cursor::new(b""), &mut Gone).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn hexes_are_drawn_with_ground_and_units() {
    let mut pointy = game(Orientation::PointyTop);
    let view = pointy.view(SeatId(0)).position;
    let drawn = map_text(pointy.rulebook(), &view).unwrap();
    let expected = "\
0101 wo      0201         0301 wa
b:blue foot

      0102         0202 wo      0302
      r:red foot
ground: wo woods, wa water
";
    assert_eq!(drawn.trim_end(), expected.trim_end(), "\n{drawn}");
    let mut flat = game(Orientation::FlatTop);
    let view = flat.view(SeatId(0)).position;
    let drawn = map_text(flat.rulebook(), &view).unwrap();
    let lines: Vec<&str> = drawn.lines().collect();
    assert!(lines[0].starts_with("0101 wo") && lines[0].contains("0301 wa"), "{drawn}");
    assert!(lines[1].starts_with("b:blue foot") && lines[1].contains("0201"), "{drawn}");
}

#[test]
fn what_pieces_are_worth_is_shown_to_those_who_may_know() {
    let mut game = game(Orientation::PointyTop);
    for (seat, own) in [(0, "blue"), (1, "red")] {
        let view = game.view(SeatId(seat)).position;
        let text = board_text(game.rulebook(), SeatId(seat), &view, &Text::default());
        assert_eq!(text.matches("strength:4").count(), 2, "{text}");
        assert_eq!(text.matches("orders:7").count(), 1, "{text}");
        let line = text.lines().find(|line| line.contains("orders:7")).unwrap();
        assert!(line.contains(&format!("={own} foot")), "{text}");
    }
}

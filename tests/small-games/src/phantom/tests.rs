use adjutant_kernel::Viewer;
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow;

use super::*;
use crate::playout::{Random, Scratch, play_out};
use crate::testing::Table;

const CROSSES: Viewer = Viewer::Side(SideId(0));
const NOUGHTS: Viewer = Viewer::Side(SideId(1));

fn table() -> Table {
    Table::new(rulebook().unwrap())
}

fn at(table: &Table, cell: &str) -> Action {
    Action::new(table.rb.word_named("mark").unwrap()).on(table.rb.board().space_named(cell).unwrap())
}

/// Plays attempts such as `x a1`.
fn play(table: &mut Table, attempts: &[&str]) {
    for text in attempts {
        let (side, cell) = text.split_once(' ').unwrap();
        let seat = SeatId(u8::from(side == "o"));
        assert_eq!(table.asked(), [seat.0], "{text}");
        table.act(seat, &at(table, cell));
    }
}

/// pt:4
#[test]
fn a_stopped_attempt_tells_its_side_and_nobody_else() {
    let mut table = table();
    play(&mut table, &["x b2"]);
    let before =
        (table.view(CROSSES), table.view(Viewer::Public), table.shown(CROSSES), table.shown(Viewer::Public));
    let barrier = table.act(SeatId(1), &at(&table, "b2"));
    assert_eq!((barrier.public, barrier.private), (false, Some(Audience::side(SideId(1)))));
    let after =
        (table.view(CROSSES), table.view(Viewer::Public), table.shown(CROSSES), table.shown(Viewer::Public));
    assert_eq!(before, after);

    let told = table.shown(NOUGHTS).last().cloned().unwrap();
    assert_eq!((told.event.as_str(), told.rule.as_deref()), ("tell", Some("pt:4")));
    assert_eq!(table.view(NOUGHTS).told.len(), 1);
    assert_eq!(table.asked(), [1]);
}

/// pt:3: neither where one's own mark is nor where the enemy's is known to be, for the rest of the game.
#[test]
fn what_is_known_to_be_taken_is_not_offered() {
    let mut table = table();
    play(&mut table, &["x b2", "o b2", "o a1"]);
    assert_eq!(table.offers(SeatId(0)).len(), 8);
    assert_eq!(table.judge(SeatId(0), &at(&table, "b2")), Some(Err("pt:3".to_owned())));
    assert_eq!(table.judge(SeatId(0), &at(&table, "a1")), Some(Ok(())));
    play(&mut table, &["x c3"]);
    assert_eq!(table.offers(SeatId(1)).len(), 7);
    for cell in ["a1", "b2"] {
        assert_eq!(table.judge(SeatId(1), &at(&table, cell)), Some(Err("pt:3".to_owned())));
    }
    assert_eq!(table.judge(SeatId(1), &at(&table, "c3")), Some(Ok(())));
}

/// pt:2: twins whose crosses stand elsewhere, one of which ran into a nought, are the same to all others.
#[test]
fn the_enemy_and_spectators_cannot_tell_where_marks_are() {
    let (mut one, mut other) = (table(), table());
    play(&mut one, &["x b2", "o a1", "x c1"]);
    play(&mut other, &["x c3", "o a1", "x a1", "x b1"]);
    for viewer in [NOUGHTS, Viewer::Public] {
        assert_eq!(one.view(viewer), other.view(viewer));
        assert_eq!(one.shown(viewer), other.shown(viewer));
    }
    let offered = |table: &Table| table.offers(SeatId(1));
    assert_eq!(offered(&one), offered(&other));
    assert_ne!(one.view(CROSSES), other.view(CROSSES));
    let text = serde_json::to_string(&one.view(Viewer::Public)).unwrap();
    assert!(text.contains(r#""places":{}"#) && !text.contains("handle"), "{text}");
}

/// pt:1, pt:5, pt:7
#[test]
fn three_in_a_line_win_and_all_is_shown() {
    let mut table = table();
    play(&mut table, &["x a1", "o a2", "x b1", "o b2", "x c1"]);
    assert_eq!(table.outcome(), Some((Some(0), "pt:5".to_owned())));
    for viewer in [CROSSES, NOUGHTS, Viewer::Public] {
        let view = table.view(viewer);
        let marks: Vec<&str> =
            view.places.iter().filter(|(_, p)| !p.bodies.is_empty()).map(|(n, _)| n.as_str()).collect();
        assert_eq!(marks, ["a1", "a2", "b1", "b2", "c1"]);
        assert!(
            table.shown(viewer).iter().any(|e| e.event == "final_board" && e.rule.as_deref() == Some("pt:7"))
        );
    }
}

/// pt:1, pt:6
#[test]
fn nine_marks_without_a_line_are_a_draw() {
    let mut table = table();
    play(&mut table, &["x a1", "o b1", "x c1", "o b2", "x a2", "o c2", "x b3", "o a3", "x c3"]);
    assert_eq!(table.outcome(), Some((None, "pt:6".to_owned())));
}

#[test]
fn random_games_end_in_every_way() {
    let rb = rulebook().unwrap();
    let mut scratch = Scratch { worker: adjutant_kernel::Worker::new().checking(), ..Scratch::default() };
    let st = flow::start(&rb, &mut scratch.worker, &mut flow::Sink::off(), Key::from_seed(1), 0).unwrap();
    let mut ends = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let mut game = st.clone();
        let actions = play_out(&rb, &mut scratch, &mut game, &mut Random::new(seed)).unwrap();
        assert!(actions <= 9 + 8, "nine marks, and each is run into once at most");
        ends.insert(game.outcome().unwrap().winner.map(|s| s.0));
    }
    assert_eq!(ends.len(), 3);
}

/// An imagined world looks the same to the one who imagines it, and keeps what it was told.
#[test]
fn imagined_worlds_agree_with_what_is_seen_and_told() {
    let mut table = table();
    play(&mut table, &["x b2", "o b2", "o a1", "x c3", "o c1", "x a3"]);
    let mut random = Random::new(5);
    let mut places = std::collections::BTreeSet::new();
    for n in 0..200 {
        let world = flow::determinize(
            &table.rb,
            &mut table.worker,
            &table.st,
            NOUGHTS,
            Key::from_seed(n),
            &mut || random.word(),
        )
        .unwrap();
        assert_eq!(table.view_of(&world, NOUGHTS), table.view(NOUGHTS));
        let read = Read::new(&table.rb, &world);
        let crosses: Vec<u16> =
            cells().filter(|&c| read.bodies_of(SideId(0), c).next().is_some()).map(|c| c.0).collect();
        assert!(crosses.len() == 3 && crosses.contains(&4), "{crosses:?}");
        places.insert(crosses);
    }
    // Two crosses on any two of the six cells left, but for the two lines through the middle among them.
    assert_eq!(places.len(), 6 * 5 / 2 - 2);
}

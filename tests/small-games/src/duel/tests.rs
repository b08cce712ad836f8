use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, AskMode};
use adjutant_kernel::{Viewer, Worker};

use super::*;
use crate::playout::{Random, Scratch, play_out};
use crate::testing::Table;

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);

fn table() -> Table {
    Table::new(rulebook().unwrap())
}

/// An action such as `bid 3`, `pass`, `done`, `strike head`.
fn read(table: &Table, seat: SeatId, text: &str) -> Action {
    let (verb, what) = text.split_once(' ').unwrap_or((text, ""));
    let action = Action::new(table.rb.word_named(verb).unwrap());
    match verb {
        "bid" => action.on(table.rb.piece_named(&format!("{} {what}", NAMES[seat.index()])).unwrap()),
        "strike" => action.on(table.rb.word_named(what).unwrap()),
        _ => action,
    }
}

fn act(table: &mut Table, seat: SeatId, text: &str) -> flow::Barrier {
    let action = read(table, seat, text);
    table.act(seat, &action)
}

/// Both bid.
fn bids(table: &mut Table, red: &str, blue: &str) {
    for (seat, bid) in [(RED, red), (BLUE, blue)] {
        act(table, seat, bid);
        act(table, seat, "done");
    }
}

fn judge(table: &Table, seat: SeatId, text: &str) -> Option<Result<(), String>> {
    table.judge(seat, &read(table, seat, text))
}

fn get(table: &Table, column: &str, side: &str) -> i32 {
    let view = serde_json::to_value(table.view(Viewer::Public)).unwrap();
    view["holders"][column][side].as_i64().unwrap() as i32
}

fn round(table: &Table) -> i64 {
    serde_json::to_value(table.view(Viewer::Public)).unwrap()["values"]["round"].as_i64().unwrap()
}

/// du:1, du:2
#[test]
fn both_choose_at_once_from_the_same_cards() {
    let table = table();
    let asked = flow::asked(&table.st).unwrap();
    assert_eq!((table.asked(), asked.mode), (vec![0, 1], AskMode::Fork { together: true }));
    for seat in [RED, BLUE] {
        assert_eq!(table.offers(seat).len(), 6);
    }
    assert_eq!(table.offers(SeatId(2)).len(), 0);
}

/// du:2: whatever red chooses, and whether he has chosen and is done, is the same to all others.
#[test]
fn a_bid_is_secret_until_both_are_done() {
    let mut first = table();
    let others = [Viewer::Side(SideId(1)), Viewer::Public];
    let before = others.map(|viewer| (first.view(viewer), first.shown(viewer)));
    let mut seen = std::collections::BTreeSet::new();
    for bid in ["bid 1", "bid 5", "pass"] {
        let mut table = table();
        assert_eq!(act(&mut table, RED, bid), flow::Barrier::default());
        assert_eq!(others.map(|v| (table.view(v), table.shown(v))), before);
        seen.insert(serde_json::to_string(&table.view(Viewer::Side(SideId(0)))).unwrap());
        assert_eq!(act(&mut table, RED, "done"), flow::Barrier::default());
        assert_eq!(others.map(|v| (table.view(v), table.shown(v))), before);
        assert_eq!((table.offers(RED).len(), table.offers(BLUE).len()), (0, 6));
    }
    assert_eq!(seen.len(), 3, "red sees his own choice");
    bids(&mut first, "bid 1", "bid 5");
    let published = first.shown(Viewer::Public).into_iter().find(|e| e.event == "bids").unwrap();
    assert_eq!(published.rule.as_deref(), Some("du:2"));
    let text = serde_json::to_string(&published.args).unwrap();
    assert!(text.contains("red 1") && text.contains("blue 5"), "{text}");
}

/// du:2: until he is done, a duellist may take his choice back; what the other chose meanwhile stays.
#[test]
fn a_choice_in_a_branch_leaves_the_other_branch_alone() {
    let mut table = table();
    act(&mut table, RED, "bid 1");
    let chosen = table.st.clone();
    act(&mut table, BLUE, "bid 2");
    act(&mut table, BLUE, "done");
    assert_eq!((table.asked(), table.st.committed(BLUE)), (vec![0], true));
    assert_ne!(chosen, table.st);
    assert_eq!(judge(&table, RED, "bid 3"), None);
    assert_eq!(judge(&table, RED, "done"), Some(Ok(())));
    assert!(act(&mut table, RED, "done").public);
    assert_eq!(table.asked(), [1]);
}

/// du:1, du:3: after a tie both cards are gone and the round is bid for again.
#[test]
fn equal_bids_are_spent_and_the_round_is_repeated() {
    let mut table = table();
    bids(&mut table, "bid 3", "bid 3");
    assert_eq!((round(&table), table.asked()), (1, vec![0, 1]));
    assert_eq!(judge(&table, RED, "bid 3"), Some(Err("du:1".to_owned())));
    bids(&mut table, "pass", "pass");
    assert_eq!((round(&table), get(&table, "passes", "red"), get(&table, "passes", "blue")), (1, 1, 1));
    bids(&mut table, "bid 1", "bid 2");
    assert_eq!((round(&table), table.asked()), (1, vec![1]));
    act(&mut table, BLUE, "done");
    assert_eq!((round(&table), table.asked()), (2, vec![0, 1]));
}

/// du:4
#[test]
fn the_winner_strikes_as_often_as_he_can_pay_and_wants() {
    let mut table = table();
    bids(&mut table, "bid 4", "bid 1");
    assert_eq!(table.offers(RED).len(), 3);
    act(&mut table, RED, "strike head");
    assert_eq!(judge(&table, RED, "strike head"), Some(Err("du:4".to_owned())));
    act(&mut table, RED, "strike body");
    assert_eq!((get(&table, "head", "blue"), get(&table, "body", "blue"), round(&table)), (1, 1, 2));
    bids(&mut table, "bid 5", "bid 2");
    act(&mut table, RED, "done");
    assert_eq!((get(&table, "head", "blue"), get(&table, "body", "blue"), round(&table)), (1, 1, 3));
}

/// du:5: in the middle of the strikes, with a point left.
#[test]
fn a_duellist_who_is_down_has_lost_at_once() {
    let mut table = table();
    bids(&mut table, "pass", "bid 5");
    act(&mut table, BLUE, "strike head");
    act(&mut table, BLUE, "strike head");
    assert_eq!(table.outcome(), Some((Some(1), "du:5".to_owned())));

    let mut table = self::table();
    bids(&mut table, "bid 5", "pass");
    (0..4).for_each(|_| {
        act(&mut table, RED, "strike body");
    });
    assert_eq!(table.outcome(), Some((Some(0), "du:5".to_owned())));
}

/// du:6
#[test]
fn three_passes_lose() {
    let mut table = table();
    for card in 1..=2 {
        bids(&mut table, "pass", &format!("bid {card}"));
        act(&mut table, BLUE, "done");
    }
    bids(&mut table, "pass", "bid 3");
    assert_eq!(table.outcome(), Some((Some(1), "du:6".to_owned())));

    let mut table = self::table();
    (0..3).for_each(|_| bids(&mut table, "pass", "pass"));
    assert_eq!(table.outcome(), Some((None, "du:6".to_owned())));
}

/// du:7
#[test]
fn fewer_hits_win_in_the_end() {
    let mut table = table();
    for card in 1..=5 {
        bids(&mut table, &format!("bid {card}"), &format!("bid {card}"));
    }
    assert_eq!(table.outcome(), Some((None, "du:7".to_owned())));

    let mut table = self::table();
    for (red, blue) in [(1, 2), (3, 4), (4, 5), (2, 1), (5, 3)] {
        bids(&mut table, &format!("bid {red}"), &format!("bid {blue}"));
        let winner = SeatId(table.asked()[0]);
        act(&mut table, winner, if red < blue { "strike body" } else { "done" });
    }
    assert_eq!(table.outcome(), Some((Some(1), "du:7".to_owned())));
}

#[test]
fn random_games_end_within_the_bound() {
    let rb = rulebook().unwrap();
    let mut scratch = Scratch { worker: Worker::new().checking(), ..Scratch::default() };
    let st = flow::start(&rb, &mut scratch.worker, &mut flow::Sink::off(), Key::from_seed(1), 0).unwrap();
    let mut ends = std::collections::BTreeSet::new();
    for seed in 0..1000 {
        let mut game = st.clone();
        let actions = play_out(&rb, &mut scratch, &mut game, &mut Random::new(seed)).unwrap();
        assert!(actions <= 13 * 4 + 5 * 5);
        ends.insert(rb.rule(game.outcome().unwrap().rule.unwrap()).to_owned());
    }
    assert_eq!(Vec::from_iter(ends), ["du:5", "du:6", "du:7"]);
}

/// A bot that imagines the other's choice sees the same as before, and every choice comes up.
#[test]
fn imagined_bids_do_not_peek() {
    let mut table = table();
    act(&mut table, RED, "bid 4");
    act(&mut table, RED, "done");
    let (blue, mut random) = (Viewer::Side(SideId(1)), Random::new(3));
    let mut worlds = std::collections::BTreeSet::new();
    for n in 0..100 {
        let key = Key::from_seed(n);
        let world =
            flow::determinize(&table.rb, &mut table.worker, &table.st, blue, key, &mut || random.word())
                .unwrap();
        assert_eq!(table.view_of(&world, blue), table.view(blue));
        worlds.insert(serde_json::to_string(&table.view_of(&world, Viewer::Side(SideId(0)))).unwrap());
    }
    assert_eq!(worlds.len(), 6);
}

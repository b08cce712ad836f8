//! sk:5.

use super::*;

fn fires(play: &Play, from: &str, to: &str) -> bool {
    play.game.ground.line_of_fire(play.rulebook.board(), play.hex(from), play.hex(to))
}

/// sk:5.a to sk:5.c: over all pairs, both ways alike, and the remembered lines are those of the board.
#[test]
fn sk_5_lines_of_fire_are_symmetric() {
    let play = Play::of(&[]);
    let (board, ground) = (play.rulebook.board(), &play.game.ground);
    let hexes = || (0..board.space_count() as u16).map(SpaceId);
    let mut clear = 0;
    for a in hexes() {
        for b in hexes() {
            let line = ground.line_of_fire(board, a, b);
            assert_eq!(
                line,
                ground.line_of_fire(board, b, a),
                "{} {}",
                board.space_name(a),
                board.space_name(b)
            );
            assert_eq!(line, ground.fire[a.index()].has(b), "cache");
            assert!(!line || board.distance(a, b).is_some_and(|d| (1..=3).contains(&d)), "sk:5.a");
            clear += usize::from(line);
        }
    }
    assert!(clear > 500, "{clear}");
}

#[test]
fn sk_5a_range_three() {
    let play = Play::of(&[]);
    assert!(fires(&play, "0905", "0908") && !fires(&play, "0904", "0908"));
    assert!(!fires(&play, "0904", "0904"));
}

#[test]
fn sk_5b_what_blocks() {
    let play = Play::of(&[]);
    assert!(!fires(&play, "0705", "0707"), "woods at 0706");
    assert!(!fires(&play, "0302", "0304"), "town at 0303");
    assert!(!fires(&play, "0405", "0407"), "hill at 0406");
    assert!(fires(&play, "0804", "0806"), "hill at 0805, from a hill");
    assert!(fires(&play, "0704", "0706"), "woods do not hide who stands in them");
    assert!(!fires(&play, "0703", "0704"), "hedge between");
    assert!(fires(&play, "0404", "0405"), "a river hides nobody");
}

#[test]
fn sk_5c_along_a_hexside_one_way_round_is_enough() {
    let play = Play::of(&[]);
    assert!(fires(&play, "0507", "0707"), "between woods at 0606 and 0607");
    assert!(fires(&play, "0605", "0805"), "between 0705 and woods at 0706");
}

/// The suite's check notices a line that leads one way only.
#[test]
fn a_line_of_fire_one_way_is_found() {
    use crate::skirmish::checks::symmetric;
    let board = crate::skirmish::ground::board().unwrap();
    let mut ground = crate::skirmish::ground::Ground::of(&board).unwrap();
    assert_eq!(symmetric(&board, &ground.fire), Ok(()));
    let pair = (0..ground.fire.len() as u16).map(SpaceId).find(|&to| !ground.fire[0].has(to) && to.0 > 0);
    ground.fire[0].add(pair.unwrap());
    assert!(symmetric(&board, &ground.fire).is_err());
}

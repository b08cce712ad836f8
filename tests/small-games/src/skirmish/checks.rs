//! What the conformance suite looks at beside what it looks at in every game.

use std::sync::{Arc, OnceLock};

use adjutant::verify::Check;
use adjutant_kernel::board::Board;
use adjutant_kernel::{Read, SpaceId};

use super::ground::{Ground, Hexes};

/// Lines of fire are symmetric (sk:5.a). The map does not change, so that once a game is enough.
pub fn checks() -> Vec<Check> {
    let known: OnceLock<Result<(), String>> = OnceLock::new();
    let check = move |read: Read<'_>| {
        let board = read.rulebook().board();
        known.get_or_init(|| Ground::of(board).map_or(Ok(()), |g| symmetric(board, &g.fire))).clone()
    };
    vec![("lines of fire", Arc::new(check))]
}

/// Whether who can fire at whom can be fired at by him.
pub(crate) fn symmetric(board: &Board, fire: &[Hexes]) -> Result<(), String> {
    let spaces = || (0..fire.len() as u16).map(SpaceId);
    for from in spaces() {
        for to in spaces() {
            if fire[from.index()].has(to) != fire[to.index()].has(from) {
                let (from, to) = (board.space_name(from), board.space_name(to));
                return Err(format!("there is a line of fire between {from} and {to} one way only"));
            }
        }
    }
    Ok(())
}

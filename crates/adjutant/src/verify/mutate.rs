//! Actions that nobody offered: what is offered with a part exchanged, and nonsense.

use adjutant_kernel::view::{ShownAction, ShownTarget};
use adjutant_kernel::{LinkId, PieceId, PlaceId, Rulebook, SeatId, WordId};

use crate::{Game, Random};

/// Handles that a seat sees, that it does not see, that others see, and that nobody has.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    pub(super) seen: Vec<String>,
    pub(super) unseen: Vec<String>,
    pub(super) stacks: Vec<String>,
    pub(super) of_others: Vec<String>,
    pub(super) nonsense: Vec<String>,
}

impl Handles {
    /// The handles of a game for a seat.
    pub(super) fn of(game: &mut Game, seat: SeatId, random: &mut Random) -> Self {
        let rb = game.rulebook().clone();
        let own = rb.seat(seat).viewer();
        let mut handles = Self::default();
        (handles.seen, handles.unseen, handles.stacks) = game.handles(seat, own);
        for viewer in rb.viewers().filter(|v| own.is_some_and(|own| own != *v)) {
            handles.of_others.extend(game.handles(seat, Some(viewer)).0);
        }
        let known = |text: &String| {
            [&handles.seen, &handles.unseen, &handles.stacks].iter().any(|l| l.contains(text))
        };
        while handles.nonsense.len() < 3 {
            let length = handles.seen.first().map_or(4, String::len);
            let text: String =
                (0..length).map(|_| char::from(b"bcdfghjklmnpqrstvwxz"[random.below(20)])).collect();
            if !known(&text) {
                handles.nonsense.push(text);
            }
        }
        handles
    }

    fn any<'a>(&'a self, random: &mut Random) -> Option<&'a String> {
        let lists = [&self.seen, &self.seen, &self.unseen, &self.stacks, &self.of_others, &self.nonsense];
        let at = random.below(lists.len());
        random.pick(lists[at])
    }
}

/// Some target: of the same kind as another, or of any.
fn target(rb: &Rulebook, handles: &Handles, like: &ShownTarget, random: &mut Random) -> ShownTarget {
    let board = rb.board();
    let word = |random: &mut Random| rb.word(WordId(random.below(rb.word_count()) as u16)).to_owned();
    let kind = if random.percent(75) {
        match like {
            ShownTarget::Body(_) => 0,
            ShownTarget::Stack(_) => 1,
            ShownTarget::Place(_) => 2,
            ShownTarget::Link(_) => 3,
            ShownTarget::Number(_) => 4,
            ShownTarget::Choice(_) => 5,
            ShownTarget::Piece(_) => 6,
            ShownTarget::Side(_) => 7,
        }
    } else {
        random.below(8)
    };
    let nothing = || "nowhere at all".to_owned();
    match kind {
        0 => ShownTarget::Body(handles.any(random).cloned().unwrap_or_else(nothing)),
        1 => ShownTarget::Stack(handles.any(random).cloned().unwrap_or_else(nothing)),
        2 => ShownTarget::Place(match random.below(board.place_count() + 1) {
            0 => nothing(),
            n => board.place_name(PlaceId(n as u16 - 1)).to_owned(),
        }),
        3 => ShownTarget::Link(match random.below(board.link_count() + 1) {
            0 => nothing(),
            n => board.link_name(LinkId(n as u16 - 1)).to_owned(),
        }),
        4 => ShownTarget::Number(match (random.below(4), like) {
            (0, _) => i16::MAX,
            (1, _) => i16::MIN,
            (n, ShownTarget::Number(number)) => number.wrapping_add(n as i16 * 2 - 5),
            (n, _) => n as i16,
        }),
        5 => ShownTarget::Choice(word(random)),
        6 => ShownTarget::Piece(match random.below(rb.pieces().len() + 1) {
            0 => nothing(),
            n => rb.piece(PieceId(n as u16 - 1)).name.clone(),
        }),
        _ => ShownTarget::Side(random.pick(rb.sides()).cloned().unwrap_or_default()),
    }
}

/// An action with a part exchanged, taken away or added.
pub(super) fn mutated(
    rb: &Rulebook,
    handles: &Handles,
    action: &ShownAction,
    random: &mut Random,
) -> ShownAction {
    let mut action = action.clone();
    match random.below(10) {
        0 => action.verb = rb.word(WordId(random.below(rb.word_count()) as u16)).to_owned(),
        1 => {
            action.targets.pop();
        }
        2 => {
            let like = action.targets.last().cloned().unwrap_or(ShownTarget::Number(1));
            action.targets.push(target(rb, handles, &like, random));
        }
        3 => action.targets = (0..5).map(|n| ShownTarget::Number(n as i16)).collect(),
        4 if action.targets.len() > 1 => action.targets.swap(0, 1),
        _ if action.targets.is_empty() => {
            action.targets.push(target(rb, handles, &ShownTarget::Number(0), random))
        }
        _ => {
            let at = random.below(action.targets.len());
            action.targets[at] = target(rb, handles, &action.targets[at].clone(), random);
        }
    }
    action
}

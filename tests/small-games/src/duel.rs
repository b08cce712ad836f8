//! The sealed-bid duel: a game of simultaneous secret choices.
//!
//! | rule | text |
//! | --- | --- |
//! | `du:1` | Two duellists, red and blue, hold the cards 1 to 5 each. A card is spent once for all; everybody sees which are. |
//! | `du:2` | In each of five rounds both choose, in secret and at the same time, a card in hand or to pass. When both are done, the bids are published together and the cards spent. |
//! | `du:3` | The higher bid wins the round; a pass is worth nothing. After equal bids, two passes too, the same round is bid for again. |
//! | `du:4` | The winner has as many points as his bid is higher. He strikes as often as he can pay and wants: a hit on the body costs one point, on the head two. |
//! | `du:5` | With two hits on the head or four on the body a duellist is down and has lost, at once. |
//! | `du:6` | Who has passed three times in all has lost before anybody strikes; if it is both, nobody has won. |
//! | `du:7` | After five rounds, or when nobody has a card left, who has taken fewer points of hits wins; if they are equal, nobody. |
//!
//! It ends: each bidding spends a card or has two passes, of which there are four at most before `du:6`, so there
//! are no more than twelve biddings and one that ends it.

use std::sync::Arc;

use adjutant_kernel::board::{Board, BoardBuilder, BoardProblems, Provenance};
use adjutant_kernel::events::Arg;
use adjutant_kernel::flow::{Flow, Halt, Imagine, NewFrame, ProcRef, Procedure, Threshold};
use adjutant_kernel::knowledge::Seen;
use adjutant_kernel::locals::{Choice, Locals};
use adjutant_kernel::ops::Dest;
use adjutant_kernel::rulebook::{BadRulebook, Column, ColumnClass, SeatRole, ValueKind};
use adjutant_kernel::state::{Position, Read};
use adjutant_kernel::{
    Action, BodyId, Cx, Offers, PieceId, PlaceId, Refusal, RuleId, Rulebook, RulebookBuilder, SeatId, SideId,
    WordId,
};

const SIDES: [SideId; 2] = [SideId(0), SideId(1)];
const NAMES: [&str; 2] = ["red", "blue"];
const CARDS: u16 = 5;
const ROUNDS: i32 = 5;
const HEAD_COST: u8 = 2;
const HEAD_DOWN: i32 = 2;
const BODY_DOWN: i32 = 4;
const PASSES_LOSE: i32 = 3;

struct Rules {
    bid: ProcRef<Bid>,
    words: Words,
    hand: [PlaceId; 2],
    spent: [PlaceId; 2],
    round: Column<()>,
    passes: Column<SideId>,
    head: Column<SideId>,
    body: Column<SideId>,
    du1: RuleId,
    du2: RuleId,
    du4: RuleId,
    du5: RuleId,
    du6: RuleId,
    du7: RuleId,
}

struct Words {
    bid: WordId,
    pass: WordId,
    done: WordId,
    strike: WordId,
    head: WordId,
    body: WordId,
    choose: WordId,
    hit: WordId,
    bids: WordId,
    sides: [WordId; 2],
}

#[derive(Choice, Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    Bids,
    Publish,
    NextRound,
}

/// The rounds of a duel.
#[derive(Locals)]
struct Duel {
    step: Step,
    winner: SideId,
    points: u8,
}

/// One duellist's secret choice.
#[derive(Locals)]
struct Bid {
    side: SideId,
    /// What was chosen: a card, or inside it nothing for a pass.
    #[local(class = "owner")]
    chosen: Option<Option<PieceId>>,
}

/// A duellist is down.
#[derive(Locals)]
struct Down;

fn other(side: SideId) -> SideId {
    SideId(1 - side.0)
}

fn seat(side: SideId) -> SeatId {
    SeatId(side.0)
}

fn cards(side: SideId) -> impl Iterator<Item = PieceId> {
    (u16::from(side.0) * CARDS..(u16::from(side.0) + 1) * CARDS).map(PieceId)
}

fn value(card: Option<PieceId>) -> u8 {
    card.map_or(0, |card| (card.0 % CARDS) as u8 + 1)
}

fn in_hand(read: Read<'_>, rules: &Rules, side: SideId) -> usize {
    read.loose(rules.hand[side.index()]).count()
}

impl Rules {
    fn deal(&self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        for side in SIDES {
            let hand: Vec<BodyId> = cards(side).filter_map(|c| cx.read().body_of(c)).collect();
            cx.move_group(self.words.choose, &hand, Dest::Place(self.hand[side.index()], Position::Bottom))?;
        }
        Ok(())
    }

    fn ask_for_bids(&self) -> Flow {
        let branch = |side| (seat(side), self.bid.with(Bid { side, chosen: None }));
        Flow::Fork { branches: SIDES.map(branch).into_iter().collect(), together: true }
    }

    /// Shows both bids at once (du:2), and counts cards and passes.
    fn publish(&self, cx: &mut Cx<'_>, bids: [Option<PieceId>; 2]) -> Result<(), Halt> {
        let words = &self.words;
        cx.publish(words.bids, self.du2, |e| {
            for (name, card) in words.sides.into_iter().zip(bids) {
                e.answer(name, card.map_or(Arg::Word(words.pass), Arg::Piece));
            }
        })?;
        for (side, card) in SIDES.into_iter().zip(bids) {
            match card.and_then(|card| cx.read().body_of(card)) {
                Some(body) => {
                    let spent = Dest::Place(self.spent[side.index()], Position::Bottom);
                    cx.move_group(words.bid, &[body], spent)?;
                }
                None => cx.add(self.passes, side, 1)?,
            }
        }
        Ok(())
    }

    /// Who has lost by passing (du:6).
    fn lost_by_passes(&self, cx: &mut Cx<'_>) -> Result<bool, Halt> {
        let lost = SIDES.map(|side| cx.get(self.passes, side) >= PASSES_LOSE);
        let winner = match lost {
            [false, false] => return Ok(false),
            [true, true] => None,
            [true, false] => Some(SIDES[1]),
            [false, true] => Some(SIDES[0]),
        };
        cx.end_game(winner, self.du6)?;
        Ok(true)
    }

    /// The end by hits (du:7).
    fn count_hits(&self, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let [red, blue] =
            SIDES.map(|side| i32::from(HEAD_COST) * cx.get(self.head, side) + cx.get(self.body, side));
        let winner = match red.cmp(&blue) {
            std::cmp::Ordering::Less => Some(SIDES[0]),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(SIDES[1]),
        };
        cx.end_game(winner, self.du7)?;
        Ok(Flow::Done)
    }
}

impl Procedure for Duel {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.step {
            Step::Begin => {
                rules.deal(cx)?;
                self.step = Step::Bids;
            }
            Step::Bids => {
                if SIDES.iter().all(|&side| in_hand(cx.read(), rules, side) == 0) {
                    return rules.count_hits(cx);
                }
                self.step = Step::Publish;
                return Ok(rules.ask_for_bids());
            }
            Step::Publish => {
                let mut bids = [None; 2];
                for side in SIDES {
                    bids[side.index()] = cx.joined(rules.bid, seat(side))?.chosen.flatten();
                }
                rules.publish(cx, bids)?;
                if rules.lost_by_passes(cx)? {
                    return Ok(Flow::Done);
                }
                let [red, blue] = bids.map(value);
                self.step = if red == blue { Step::Bids } else { Step::NextRound };
                if red != blue {
                    self.winner = SIDES[usize::from(blue > red)];
                    self.points = red.abs_diff(blue);
                    return Ok(Flow::ask(seat(self.winner), rules.words.hit));
                }
            }
            Step::NextRound => {
                if cx.get(rules.round, ()) == ROUNDS {
                    return rules.count_hits(cx);
                }
                cx.add(rules.round, (), 1)?;
                self.step = Step::Bids;
            }
        }
        Ok(Flow::Again)
    }

    fn offers(&self, rules: &Rules, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let words = &rules.words;
        out.add(Action::new(words.strike).on(words.body));
        out.consider(Action::new(words.strike).on(words.head), || {
            if self.points < HEAD_COST { Err(Refusal { rule: rules.du4 }) } else { Ok(()) }
        });
        out.add(Action::new(words.done));
    }

    fn act(&mut self, rules: &Rules, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == rules.words.done {
            self.points = 0;
        } else {
            let head = action.choice(0) == Some(rules.words.head);
            let (column, cost) = if head { (rules.head, HEAD_COST) } else { (rules.body, 1) };
            self.points = self.points.saturating_sub(cost);
            cx.add(column, other(self.winner), 1)?;
        }
        if self.points > 0 {
            return Ok(Flow::ask(seat(self.winner), rules.words.hit));
        }
        cx.commit();
        Ok(Flow::Again)
    }
}

impl Procedure for Bid {
    type Module = Rules;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, rules: &Rules, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(seat(self.side), rules.words.choose))
    }

    fn offers(&self, rules: &Rules, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let words = &rules.words;
        if self.chosen.is_some() {
            out.add(Action::new(words.done));
            return;
        }
        let hand = Some(rules.hand[self.side.index()]);
        // The cards are public, so that a body and its piece have the same number.
        for card in cards(self.side) {
            out.consider(Action::new(words.bid).on(card), || {
                let held = seen.place(BodyId(card.0)) == hand;
                if held { Ok(()) } else { Err(Refusal { rule: rules.du1 }) }
            });
        }
        out.add(Action::new(words.pass));
    }

    fn act(&mut self, rules: &Rules, _: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        if action.verb == rules.words.done {
            return Ok(Flow::Done);
        }
        let card = match action.targets[0] {
            adjutant_kernel::Target::Piece(card) => Some(card),
            _ => None,
        };
        self.chosen = Some(card);
        Ok(Flow::ask(seat(self.side), rules.words.choose))
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// That a duellist is done shows nothing of his choice.
    fn shape(&self, _: &Rules, _: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        Some(Vec::new())
    }
}

impl Procedure for Down {
    type Module = Rules;

    fn run(&mut self, rules: &Rules, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let down =
            |side: &SideId| cx.get(rules.head, *side) >= HEAD_DOWN || cx.get(rules.body, *side) >= BODY_DOWN;
        let loser = SIDES.into_iter().find(down);
        cx.end_game(loser.map(other), rules.du5)?;
        Ok(Flow::Done)
    }
}

fn board() -> Result<Board, BoardProblems> {
    let mut builder = BoardBuilder::new("duelling ground", Provenance::Printed("du:1".into()));
    builder.space("ground");
    for name in NAMES {
        builder.holding_box(format!("{name} hand")).holding_box(format!("{name} spent"));
    }
    builder.build()
}

/// The rulebook.
///
/// # Errors
/// When the kernel does not accept it.
pub fn rulebook() -> Result<Rulebook, BadRulebook> {
    let board = board().map_err(|problems| BadRulebook { problems: vec![problems.to_string()] })?;
    let mut b = RulebookBuilder::new("Sealed-bid duel", "1", board);
    for name in NAMES {
        let side = b.side(name);
        b.seat(name, Some(side), SeatRole::Player);
        for n in 1..=CARDS {
            b.piece(&format!("{name} {n}"), Some(side), "card", None, &[]);
        }
    }
    b.seat("spectator", None, SeatRole::Spectator);
    let du1 = b.rule("du:1");
    b.open_information(du1);
    let count = |max| ValueKind::Int { min: 0, max };
    let head = b.column("head", count(HEAD_DOWN), 0, ColumnClass::Public);
    let body = b.column("body", count(BODY_DOWN), 0, ColumnClass::Public);
    let (duel, bid, down) = (b.proc::<Duel>("duel"), b.proc::<Bid>("bid"), b.proc::<Down>("down"));
    let place = |b: &RulebookBuilder, n: usize, what: &str| {
        b.board().place_named(&format!("{} {what}", NAMES[n])).unwrap_or_default()
    };
    let rules = Arc::new(Rules {
        bid,
        words: Words {
            bid: b.word("bid"),
            pass: b.word("pass"),
            done: b.word("done"),
            strike: b.word("strike"),
            head: b.word("head"),
            body: b.word("body"),
            choose: b.word("choose_a_bid"),
            hit: b.word("strike_or_leave_off"),
            bids: b.word("bids"),
            sides: NAMES.map(|name| b.word(name)),
        },
        hand: [0, 1].map(|n| place(&b, n, "hand")),
        spent: [0, 1].map(|n| place(&b, n, "spent")),
        round: b.column("round", ValueKind::Int { min: 1, max: ROUNDS }, 1, ColumnClass::Public),
        passes: b.column("passes", count(PASSES_LOSE), 0, ColumnClass::Public),
        head,
        body,
        du1,
        du2: b.rule("du:2"),
        du4: b.rule("du:4"),
        du5: b.rule("du:5"),
        du6: b.rule("du:6"),
        du7: b.rule("du:7"),
    });
    b.define(duel, &rules);
    b.define(bid, &rules);
    b.define(down, &rules);
    let is_down: NewFrame = down.with(Down);
    b.watch(head, Threshold::AtLeast(HEAD_DOWN), is_down.clone());
    b.watch(body, Threshold::AtLeast(BODY_DOWN), is_down);
    b.opening(duel.with(Duel { step: Step::Begin, winner: SIDES[0], points: 0 }));
    b.build()
}

#[cfg(test)]
mod tests;

//! Decisions that the viewer is not shown, played apart in the two games of a pair.

use adjutant_kernel::{Action, SeatId};

use super::{End, Kind, Owed, Pair};
use crate::verify::play;
use crate::{Game, Random};

/// Decisions before a commit.
const LENGTH: usize = 40;
/// Samples until one has the wanted shape.
const TRIES: usize = 40;

/// Of 100 secret decisions those that are the same in both games.
const SAME: u32 = 35;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Act(Action),
    Undo,
}

/// Secret decisions of a seat, up to the one that commits them, which others may notice.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Secret {
    steps: Vec<Step>,
    commit: Action,
    shape: Vec<i32>,
}

/// Whether a seat goes on deciding in secret.
fn is_open(game: &Game, seat: SeatId) -> bool {
    game.has_draft(seat) && game.shape(seat).is_some()
}

impl Secret {
    /// Random decisions of a seat; `game` is used up.
    fn sample(mut game: Game, seat: SeatId, random: &mut Random) -> Option<Self> {
        let mut steps = Vec::new();
        while steps.len() < LENGTH {
            let shape = game.shape(seat)?;
            let offers = game.raw_offers(seat).ok()?;
            let action = offers[play::choose(&offers, random)?];
            let mut after = game.branch_bare();
            after.act_raw(seat, action).ok()?;
            if !is_open(&after, seat) {
                return Some(Self { steps, commit: action, shape });
            }
            steps.push(Step::Act(action));
            game = after;
            if random.percent(25) && game.may_undo(seat) {
                game.undo(seat).ok()?;
                steps.push(Step::Undo);
            }
        }
        None
    }

    /// Random decisions of a seat in another game that show the same when they are committed.
    fn like(&self, game: &Game, seat: SeatId, same: u32, random: &mut Random) -> Option<Self> {
        let fits = |other: &Self| {
            other.shape == self.shape
                && other.commit.verb == self.commit.verb
                && (other.commit == self.commit || (other.steps.is_empty() && self.steps.is_empty()))
        };
        // Now and then the same, so that some pairs go on beyond the moment at which the secret is told.
        if random.percent(same) && self.is_possible(game.branch_bare(), seat) {
            return Some(self.clone());
        }
        for _ in 0..TRIES {
            if let Some(other) = Self::sample(game.branch_bare(), seat, random).filter(fits) {
                return Some(other);
            }
        }
        self.is_possible(game.branch_bare(), seat).then(|| self.clone())
    }

    /// Whether these very decisions can be made in a game and have the same shape there.
    fn is_possible(&self, mut game: Game, seat: SeatId) -> bool {
        let offered = |game: &Game, a: &Action| game.raw_offers(seat).is_ok_and(|list| list.contains(a));
        for step in &self.steps {
            let done = match step {
                Step::Act(action) => {
                    offered(&game, action) && game.act_raw(seat, *action).is_ok() && is_open(&game, seat)
                }
                Step::Undo => game.undo(seat).is_ok(),
            };
            if !done {
                return false;
            }
        }
        let shape = game.shape(seat);
        offered(&game, &self.commit)
            && shape.as_ref() == Some(&self.shape)
            && game.act_raw(seat, self.commit).is_ok()
            && !is_open(&game, seat)
    }
}

impl Pair<'_> {
    /// How many of 100 secret decisions are the same in both games.
    fn same(&self) -> u32 {
        if self.kind == Kind::Exchanged { 100 } else { SAME }
    }

    /// A seat decides in secret, in the two games differently.
    pub(super) fn secret_decision(&mut self, seat: SeatId, may_lag: bool) -> Result<(), End> {
        let leading = self.random.below(2);
        let lagging = 1 - leading;
        let Some(secret) = Secret::sample(self.games[leading].branch_bare(), seat, self.random) else {
            return Err(End::Unmatched);
        };
        self.apart += u64::from(self.kind != Kind::Exchanged);
        self.prepare(leading, seat, &secret)?;
        if may_lag && self.random.percent(50) {
            "a secret commit of another in a fork".clone_into(&mut self.last);
            self.act(leading, seat, secret.commit)?;
            self.owed.push(Owed { lagging, seat, secret });
            return self.compare();
        }
        let Some(other) = secret.like(&self.games[lagging], seat, self.same(), self.random) else {
            return Err(End::Unmatched);
        };
        self.prepare(lagging, seat, &other)?;
        self.last = format!("{secret:?} / {other:?}");
        self.act(leading, seat, secret.commit)?;
        self.act(lagging, seat, other.commit)?;
        self.compare()
    }

    /// The steps before a commit: nothing of them may show.
    fn prepare(&mut self, game: usize, seat: SeatId, secret: &Secret) -> Result<(), End> {
        "a secret draft of another".clone_into(&mut self.last);
        for step in &secret.steps {
            match step {
                Step::Act(action) => self.act(game, seat, *action)?,
                Step::Undo => self.undo(game, seat)?,
            }
            if self.random.percent(40) {
                self.compare()?;
            }
        }
        if secret.steps.is_empty() { Ok(()) } else { self.compare() }
    }

    /// Seats that have committed in one game commit in the other.
    pub(super) fn pay(&mut self) -> Result<(), End> {
        for Owed { lagging, seat, secret } in std::mem::take(&mut self.owed) {
            let Some(other) = secret.like(&self.games[lagging], seat, self.same(), self.random) else {
                return Err(End::Unmatched);
            };
            self.prepare(lagging, seat, &other)?;
            "a secret commit of another in a fork, later".clone_into(&mut self.last);
            self.act(lagging, seat, other.commit)?;
        }
        self.compare()
    }
}

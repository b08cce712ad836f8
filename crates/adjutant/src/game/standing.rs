//! Answers given in advance. They are no part of the position: they belong to the saved game, and enter the
//! journal as decisions when they apply.

use adjutant_kernel::events::{Emitted, Shown};
use adjutant_kernel::flow::{self, AskMode};
use adjutant_kernel::rulebook::SeatRole;
use adjutant_kernel::{Action, Refused, SeatId};
use serde::{Deserialize, Serialize};

use super::draft::Pending;
use super::{Entry, Game};

/// How many answers a seat may have standing.
pub const MOST_STANDING: usize = 64;

/// An answer given in advance.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Setup, Standing};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// // Whenever it is asked for orders, blue halts; it is asked now, so that it does at once.
/// game.stand(blue, Standing { prompt: "orders".into(), verb: "halt".into(), until: None })?;
/// assert!(game.ended());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The prompt that it answers.
    pub prompt: String,
    /// The verb of the action to take when it is offered without targets.
    pub verb: String,
    /// The phase at whose beginning it lapses; never, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

impl Game {
    /// Gives an answer in advance; several may stand. When the seat is asked already, and no draft is open, the
    /// answer is given at once. Undoing what an answer did withdraws the answer; what is decided anew after any undo
    /// the seat decides itself.
    ///
    /// # Errors
    /// When the seat does not play, the prompt, verb or phase means nothing, or [`MOST_STANDING`] answers stand
    /// already; nothing has changed then.
    pub fn stand(&mut self, seat: SeatId, answer: Standing) -> Result<(), Refused> {
        if self.ended() {
            return Err(Refused::Ended);
        }
        self.check_standing(seat, &answer)?;
        self.standing.entry(seat).or_default().push(answer);
        self.apply_standing();
        Ok(())
    }

    /// The answers that a seat has standing, in the order in which they were given.
    pub fn standing(&self, seat: SeatId) -> &[Standing] {
        self.standing.get(&seat).map_or(&[], Vec::as_slice)
    }

    /// Withdraws all of a seat's answers given in advance.
    pub fn withdraw_standing(&mut self, seat: SeatId) {
        self.standing.remove(&seat);
    }

    /// Lets an answer of a save stand as it did, without giving it.
    pub(crate) fn resume_standing(&mut self, seat: SeatId, answer: Standing) -> Result<(), Refused> {
        self.check_standing(seat, &answer)?;
        self.standing.entry(seat).or_default().push(answer);
        Ok(())
    }

    fn check_standing(&self, seat: SeatId, answer: &Standing) -> Result<(), Refused> {
        let rb = &self.rulebook;
        // An umpire may be asked as players are.
        if rb.seats().get(seat.index()).is_none_or(|s| s.role == SeatRole::Spectator) {
            return Err(Refused::NotAsked);
        }
        if self.standing(seat).len() >= MOST_STANDING {
            return Err(Refused::Unknown(format!("more than {MOST_STANDING} answers in advance")));
        }
        let words = [
            ("prompt", Some(&answer.prompt)),
            ("verb", Some(&answer.verb)),
            ("phase", answer.until.as_ref()),
        ];
        for (kind, word) in words {
            if let Some(word) = word.filter(|w| rb.word_named(w).is_none()) {
                return Err(Refused::Unknown(format!("{kind} `{word}`")));
            }
        }
        Ok(())
    }

    /// Standing answers apply after the ask was published: nobody can tell them from an answer given then.
    pub(super) fn apply_standing(&mut self) {
        if self.standing.is_empty() {
            return;
        }
        for _ in 0..1_000 {
            let Some(asked) = flow::asked(&self.live) else { return };
            if asked.mode != AskMode::One || !self.drafts.is_empty() {
                return;
            }
            let (seat, prompt) = (asked.seats[0], self.rulebook.word(asked.prompt));
            let wanted = self.standing(seat).iter().find(|s| s.prompt == prompt);
            let Some(verb) = wanted.and_then(|s| self.rulebook.word_named(&s.verb)) else { return };
            let action = Action::new(verb);
            let may = flow::judge(&self.rulebook, &self.worker, &self.live, seat, &action);
            if !matches!(may, Ok(Some(Ok(())))) || self.carry_out(seat, action, true).is_err() {
                return;
            }
        }
    }

    /// Whoever takes back what an answer given in advance did does not want it to be given again at once.
    pub(super) fn withdraw_undone(&mut self, undone: &Pending) {
        let Some(Entry::Act { action, standing: true, .. }) = self.journal.get(undone.entry) else { return };
        let prompt = flow::asked(&self.live).map(|asked| self.rulebook.word(asked.prompt).to_owned());
        if let Some(list) = self.standing.get_mut(&undone.seat) {
            list.retain(|s| s.verb != action.verb || Some(&s.prompt) != prompt.as_ref());
        }
        self.standing.retain(|_, list| !list.is_empty());
    }

    /// Answers that stand until a phase lapse when it begins.
    pub(super) fn lapse_standing<'a>(&mut self, events: impl Iterator<Item = &'a Emitted>) {
        if self.standing.is_empty() {
            return;
        }
        let begun: Vec<String> = events
            .filter_map(|e| e.shown(&self.rulebook, None))
            .filter(|e| e.event == "phase")
            .filter_map(|e| match e.arg("name") {
                Some(Shown::Name(name)) => Some(name.clone()),
                _ => None,
            })
            .collect();
        for list in self.standing.values_mut() {
            list.retain(|s| !s.until.as_ref().is_some_and(|phase| begun.contains(phase)));
        }
        self.standing.retain(|_, list| !list.is_empty());
    }
}

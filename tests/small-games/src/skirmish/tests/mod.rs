//! The rules one by one, with positions of their own and forced dice.

mod allot;
mod battle;
mod drafts;
mod fire;
mod march;
mod odds;
mod playouts;
mod retreat;

use std::sync::Arc;

use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::state::Outcome;
use adjutant_kernel::{
    Action, BodyId, Read, Rulebook, RulebookBuilder, SeatId, Seen, SideId, SpaceId, State, Target, Viewer,
    Worker,
};

use super::build::assemble;
use super::field::bodies;
use super::{Deployed, Scenario, Skirmish};

/// A game in which a test plays both sides.
pub(super) struct Play {
    pub(super) rulebook: Rulebook,
    pub(super) game: Arc<Skirmish>,
    pub(super) state: State,
    worker: Worker,
}

impl Play {
    /// Blue's march in a position, with morale to spare.
    pub(super) fn of(deployed: &[Deployed]) -> Self {
        Self::with(Scenario { deployed: deployed.to_vec(), morale: [30, 30], turns: 8 }, |_| ())
    }

    pub(super) fn with(scenario: Scenario, change: impl FnOnce(&mut RulebookBuilder)) -> Self {
        let (rulebook, game) = assemble(scenario, change).unwrap();
        let mut worker = Worker::new().checking();
        let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(7), 0).unwrap();
        Self { rulebook, game, state, worker }
    }

    /// Begins again with other dice.
    pub(super) fn restart(&mut self, seed: u64) {
        let key = Key::from_seed(seed);
        self.state = flow::start(&self.rulebook, &mut self.worker, &mut Sink::off(), key, 0).unwrap();
    }

    pub(super) fn hex(&self, name: &str) -> SpaceId {
        self.rulebook.board().space_named(name).unwrap()
    }

    pub(super) fn body(&self, name: &str) -> BodyId {
        bodies().find(|&b| self.game.unit(b).name == name).unwrap()
    }

    pub(super) fn read(&self) -> Read<'_> {
        Read::new(&self.rulebook, &self.state)
    }

    pub(super) fn seen(&self, side: SideId) -> Seen<'_> {
        Seen::new(self.read(), Viewer::Side(side))
    }

    /// Where a unit stands: its hex or "away".
    pub(super) fn at(&self, unit: &str) -> &str {
        self.rulebook.board().place_name(self.read().place(self.body(unit)).unwrap())
    }

    pub(super) fn steps(&self, unit: &str) -> i32 {
        self.read().get(self.game.columns.steps, self.body(unit))
    }

    pub(super) fn morale(&self, side: SideId) -> i32 {
        self.read().get(self.game.columns.morale, side)
    }

    /// The seat that is asked and the prompt; "over" at the end.
    pub(super) fn asked(&self) -> (String, String) {
        match flow::asked(&self.state) {
            Some(asked) => {
                let seat = self.rulebook.seat(asked.seats[0]).name.clone();
                (seat, self.rulebook.word(asked.prompt).to_owned())
            }
            None => ("over".into(), String::new()),
        }
    }

    pub(super) fn seat(&self) -> SeatId {
        flow::asked(&self.state).unwrap().seats[0]
    }

    /// An action in words: a verb, then units or hexes.
    pub(super) fn action(&self, text: &[&str]) -> Action {
        let target = |name: &&str| match self.rulebook.board().space_named(name) {
            Some(hex) => Target::from(hex),
            None => Target::from(self.body(name)),
        };
        let verb = self.rulebook.word_named(text[0]).unwrap();
        text[1..].iter().map(target).fold(Action::new(verb), Action::on)
    }

    /// The offers in words.
    pub(super) fn offers(&self) -> Vec<String> {
        let mut list = Vec::new();
        flow::offers(&self.rulebook, &self.worker, &self.state, self.seat(), &mut list).unwrap();
        let name = |target: Target| match target {
            Target::Body(body) => self.game.unit(body).name.to_owned(),
            Target::Place(place) => self.rulebook.board().place_name(place).to_owned(),
            other => panic!("{other:?}"),
        };
        list.iter()
            .map(|a| {
                let verb = self.rulebook.word(a.verb).to_owned();
                std::iter::once(verb).chain(a.given().map(name)).collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    /// Why an action is refused: the rule, "no sense", or "allowed".
    pub(super) fn verdict(&self, text: &[&str]) -> &str {
        let action = self.action(text);
        match flow::judge(&self.rulebook, &self.worker, &self.state, self.seat(), &action).unwrap() {
            None => "no sense",
            Some(Ok(())) => "allowed",
            Some(Err(refusal)) => self.rulebook.rule(refusal.rule),
        }
    }

    /// Acts for whoever is asked.
    #[track_caller]
    pub(super) fn act(&mut self, text: &[&str]) -> &mut Self {
        assert_eq!(self.verdict(text), "allowed", "{text:?} of {:?}", self.offers());
        let (seat, action) = (self.seat(), self.action(text));
        flow::act(&self.rulebook, &mut self.worker, &mut Sink::on(), &mut self.state, seat, &action).unwrap();
        self
    }

    pub(super) fn force(&mut self, face: i32) -> &mut Self {
        self.state.force(self.game.fight, face);
        self
    }

    pub(super) fn outcome(&self) -> &Outcome {
        self.state.outcome().unwrap()
    }
}

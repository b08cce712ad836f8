//! What a seat gets: its view, offers, explanations, packets.

use std::sync::Arc;

use adjutant_kernel::chance::Key;
use adjutant_kernel::events::ShownEvent;
use adjutant_kernel::flow;
use adjutant_kernel::view::{self, Ciphers, Names, ShownAction, View};
use adjutant_kernel::{Action, Fault, Read, Refused, SeatId, State, WordId};
use serde::{Deserialize, Serialize};

use super::Game;
use crate::Random;

/// Everything that a seat may see.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, SeatView, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let red = game.rulebook().seat_named("red").unwrap();
/// let view: SeatView = game.view(red);
/// assert_eq!((view.seat.as_str(), view.version, view.undo), ("red", 1, false));
/// let top = &view.position.places["hill"].stacks[0].bodies[0];
/// assert_eq!((&top.piece, top.candidates.len()), (&None, 2)); // the horse or the dummy
/// # Ok::<(), adjutant::StartError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatView {
    /// The seat.
    pub seat: String,
    /// The version: counted from what the seat was shown and did.
    pub version: u32,
    /// Whether it may take something back.
    pub undo: bool,
    /// The position.
    pub position: View,
}

/// All that a seat gets of a position, as bytes that twins must agree in: its view and what it is offered.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Game, Packet, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// let packet: Packet = game.packet(blue);
/// assert_eq!((packet.view, packet.offers), (game.view(blue), game.offers(blue)));
/// # Ok::<(), adjutant::StartError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Packet {
    /// The view.
    pub view: SeatView,
    /// The offers.
    pub offers: Vec<ShownAction>,
}

/// No seat is ever shown more.
pub(crate) const LAST_VERSION: u32 = u32::MAX / 2;

impl Game {
    /// Everything that a seat may see; the umpire sees everything.
    ///
    /// # Panics
    /// For a seat that the rulebook does not have.
    pub fn view(&mut self, seat: SeatId) -> SeatView {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let state = match self.rulebook.seat(seat).viewer() {
            None => &self.live,
            Some(_) => self.position(seat),
        };
        let view = self.view_on(state, seat, &mut ciphers);
        self.ciphers = ciphers;
        view
    }

    /// What a seat would see if `state` were the position.
    pub(super) fn view_on(&self, state: &State, seat: SeatId, ciphers: &mut Ciphers) -> SeatView {
        let rb = &self.rulebook;
        let undo = if rb.mutant("undo_any") {
            self.drafts.keys().any(|&s| self.may_undo(s))
        } else {
            self.may_undo(seat)
        };
        let names = Names::new(state.ciphers(rb, ciphers), Read::new(rb, state));
        let mut position = view::view(&names, rb.seat(seat).viewer(), Some(seat));
        if rb.mutant("fork_shows_commit") {
            let committed = |name: &str| {
                rb.seat_named(name).is_some_and(|s| self.drafts.get(&s).is_some_and(|d| d.committed))
            };
            position.asked.retain(|name| !committed(name));
        }
        SeatView { seat: rb.seat(seat).name.clone(), version: self.versions[seat.index()], undo, position }
    }

    /// Every action that is not known to the seat to be illegal, in the order of the rules; empty when it is
    /// not asked. A fault of the rules offers nothing and is noted for the umpire.
    pub fn offers(&mut self, seat: SeatId) -> Vec<ShownAction> {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let offers = self.offers_on(self.position(seat), seat, &mut ciphers);
        self.ciphers = ciphers;
        offers.unwrap_or_else(|fault| {
            self.faults.note(Some(seat), fault);
            Vec::new()
        })
    }

    /// What a seat would be offered if `state` were the position.
    pub(super) fn offers_on(
        &self,
        state: &State,
        seat: SeatId,
        ciphers: &mut Ciphers,
    ) -> Result<Vec<ShownAction>, Fault> {
        let rb = &self.rulebook;
        let list = self.raw_offers_on(state, seat)?;
        if list.is_empty() {
            return Ok(Vec::new());
        }
        let names = Names::new(state.ciphers(rb, ciphers), Read::new(rb, state));
        let viewer = rb.seat(seat).viewer();
        let name = |action: &Action| {
            names.offer(viewer, action).ok_or_else(|| {
                let verb = rb.word(action.verb).to_owned();
                let fault = Fault::Unseen { seat: rb.seat(seat).name.clone(), verb };
                match flow::place_of_ask(rb, &self.worker, state, seat) {
                    Some(place) => fault.at(place),
                    None => fault,
                }
            })
        };
        list.iter().map(name).collect()
    }

    pub(super) fn raw_offers_on(&self, state: &State, seat: SeatId) -> Result<Vec<Action>, Fault> {
        let mut list = Vec::new();
        if !self.has_committed(seat) {
            flow::offers(&self.rulebook, &self.worker, state, seat, &mut list)?;
        }
        Ok(list)
    }

    /// The fault that a seat is asked and nothing is offered to it.
    pub(crate) fn dead_end(&self, seat: SeatId, prompt: WordId) -> Fault {
        flow::dead_end(&self.rulebook, &self.worker, self.position(seat), seat, prompt)
    }

    /// Whether a seat's branch of a fork has committed, as the seat knows.
    pub(super) fn has_committed(&self, seat: SeatId) -> bool {
        self.drafts.get(&seat).is_some_and(|d| d.committed)
    }

    /// The view and the offers of a seat.
    ///
    /// # Panics
    /// For a seat that the rulebook does not have.
    pub fn packet(&mut self, seat: SeatId) -> Packet {
        Packet { view: self.view(seat), offers: self.offers(seat) }
    }

    /// Judges an action of a seat from what the seat may know, without doing it.
    pub(super) fn check(&mut self, seat: SeatId, shown: &ShownAction) -> Result<Action, Refused> {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let judged = self.check_on(self.position(seat), seat, shown, &mut ciphers);
        self.ciphers = ciphers;
        judged.unwrap_or_else(|fault| Err(self.faults.note(Some(seat), fault)))
    }

    /// Judges an action as if `state` were the position.
    pub(super) fn check_on(
        &self,
        state: &State,
        seat: SeatId,
        shown: &ShownAction,
        ciphers: &mut Ciphers,
    ) -> Result<Result<Action, Refused>, Fault> {
        let rb = &self.rulebook;
        if self.ended() {
            return Ok(Err(Refused::Ended));
        }
        if self.has_committed(seat) || !flow::is_asked(state, seat) {
            return Ok(Err(Refused::NotAsked));
        }
        let names = Names::new(state.ciphers(rb, ciphers), Read::new(rb, state));
        let action = match names.read_action(rb.seat(seat).viewer(), shown) {
            Ok(action) => action,
            Err(what) => return Ok(Err(Refused::Unknown(what))),
        };
        Ok(match flow::judge(rb, &self.worker, state, seat, &action)? {
            Some(Ok(())) => Ok(action),
            Some(Err(refusal)) => Err(Refused::Rule { rule: rb.rule(refusal.rule).to_owned() }),
            None => Err(Refused::NotOffered),
        })
    }

    /// Why a seat may not do something: `None` when it may. Made from what the seat may know alone.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::kernel::Refused;
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let [blue, red] = ["blue", "red"].map(|seat| game.rulebook().seat_named(seat).unwrap());
    /// let march = game.offers(blue)[0].clone();
    /// assert_eq!(game.explain(blue, &march), None); // it may
    /// assert_eq!(game.explain(red, &march), Some(Refused::NotAsked));
    /// # Ok::<(), adjutant::StartError>(())
    /// ```
    pub fn explain(&mut self, seat: SeatId, action: &ShownAction) -> Option<Refused> {
        self.check(seat, action).err()
    }

    /// A world for a seat's bot: a position that the seat cannot tell from the true one - what was published
    /// and its own draft, those of others dropped - with dice of its own. The umpire's world is the position
    /// itself.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Random, Setup, Sim};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// let world = game.world(blue, &mut Random::new(7))?;
    /// let mut sim = Sim::new(game.rulebook(), game.rules().worker(), world); // to look ahead in
    /// assert_eq!(sim.offers(blue)?.len(), game.offers(blue).len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    ///
    /// # Panics
    /// For a seat that the rulebook does not have.
    pub fn world(&mut self, seat: SeatId, random: &mut Random) -> Result<State, Fault> {
        let key = Key::from_seed(random.word());
        let state = self.position(seat).clone();
        match self.rulebook.seat(seat).viewer() {
            Some(viewer) => {
                let rb = Arc::clone(&self.rulebook);
                flow::determinize(&rb, &mut self.worker, &state, viewer, key, &mut || random.word())
            }
            None => {
                let mut world = self.live.clone();
                world.rekey(key);
                Ok(world)
            }
        }
    }

    /// The batches that a seat was shown, from one on: its log, and its replay. Each batch is what one barrier
    /// published, or one of the seat's own decisions.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// # let march = game.offers(blue)[0].clone();
    /// let before = game.log(blue).len();
    /// let events = game.act(blue, None, &march)?;
    /// assert_eq!(game.log(blue)[before..], [events]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// For a seat that the rulebook does not have.
    pub fn log(&self, seat: SeatId) -> &[Vec<ShownEvent>] {
        &self.batches[seat.index()]
    }

    /// Counts what a seat did or was shown. A save that was tampered with may be at the last number; it stays there,
    /// so that what it becomes can be saved and loaded too.
    pub(super) fn count_version(&mut self, seat: SeatId) {
        let version = &mut self.versions[seat.index()];
        *version = version.saturating_add(1).min(LAST_VERSION);
    }

    /// The version of a seat: a count of its own decisions and undos and of the batches that it was shown. Pass it
    /// to [`Game::act`](Game::act) to be told when the seat has been shown something since. 0 for a seat that is
    /// not there.
    pub fn version(&self, seat: SeatId) -> u32 {
        self.versions.get(seat.index()).copied().unwrap_or_default()
    }

    /// Whether a seat may take its last decision back.
    pub fn may_undo(&self, seat: SeatId) -> bool {
        let count = self.pending.iter().filter(|p| p.seat == seat).count();
        self.drafts.get(&seat).is_some_and(|d| !d.committed && count > d.sealed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, unreachable_pub, dead_code)] // helpers of tests

    mod field {
        include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs"));
    }

    use super::LAST_VERSION;
    use crate::{Game, Setup};

    #[test]
    fn no_version_goes_beyond_the_last() {
        let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
        let mut game = Game::start(&rules, Setup::default()).unwrap();
        let seat = game.rulebook().seat_ids().find(|&s| !game.offers(s).is_empty()).unwrap();
        game.versions[seat.index()] = LAST_VERSION - 1;
        for version in [LAST_VERSION, LAST_VERSION] {
            let offers = game.offers(seat);
            game.act(seat, None, &offers[0]).unwrap();
            assert_eq!(game.version(seat), version);
            game.undo(seat).unwrap();
        }
    }
}

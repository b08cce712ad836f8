//! What a seat gets: its view, offers, explanations, packets.

use adjutant_kernel::events::ShownEvent;
use adjutant_kernel::flow;
use adjutant_kernel::view::{self, Names, ShownAction, View};
use adjutant_kernel::{Read, Refused, SeatId};
use serde::{Deserialize, Serialize};

use super::Game;

/// Everything that a seat may see.
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Packet {
    /// The view.
    pub view: SeatView,
    /// The offers.
    pub offers: Vec<ShownAction>,
}

impl Game {
    /// Everything that a seat may see; the umpire sees everything.
    pub fn view(&mut self, seat: SeatId) -> SeatView {
        let viewer = self.rulebook.seat(seat).viewer();
        let undo = if self.rulebook.mutant("undo_any") {
            self.drafts.keys().any(|&s| self.may_undo(s))
        } else {
            self.may_undo(seat)
        };
        let state = match viewer {
            None => self.live.clone(),
            Some(_) => self.position(seat).clone(),
        };
        let names =
            Names::new(state.ciphers(&self.rulebook, &mut self.ciphers), Read::new(&self.rulebook, &state));
        let mut position = view::view(&names, viewer, Some(seat));
        if self.rulebook.mutant("fork_shows_commit") {
            let committed = |name: &str| {
                self.rulebook
                    .seat_named(name)
                    .is_some_and(|s| self.drafts.get(&s).is_some_and(|d| d.committed))
            };
            position.asked.retain(|name| !committed(name));
        }
        SeatView {
            seat: self.rulebook.seat(seat).name.clone(),
            version: self.versions[seat.index()],
            undo,
            position,
        }
    }

    /// Every action that is not known to the seat to be illegal, in the order of the rules; empty when it is
    /// not asked. A fault of the rules offers nothing and is noted for the umpire.
    pub fn offers(&mut self, seat: SeatId) -> Vec<ShownAction> {
        let mut list = Vec::new();
        let state = self.position(seat).clone();
        if self.drafts.get(&seat).is_some_and(|d| d.committed) {
            return Vec::new();
        }
        if let Err(fault) = flow::offers(&self.rulebook, &self.worker, &state, seat, &mut list) {
            self.faults.push(fault);
            return Vec::new();
        }
        let names =
            Names::new(state.ciphers(&self.rulebook, &mut self.ciphers), Read::new(&self.rulebook, &state));
        list.iter().map(|a| names.action(self.rulebook.seat(seat).viewer(), a)).collect()
    }

    /// The view and the offers of a seat.
    pub fn packet(&mut self, seat: SeatId) -> Packet {
        Packet { view: self.view(seat), offers: self.offers(seat) }
    }

    /// Why a seat may not do something: `None` when it may. Made from what the seat may know alone.
    pub fn explain(&mut self, seat: SeatId, action: &ShownAction) -> Option<Refused> {
        self.check(seat, action).err()
    }

    /// The batches that a seat was shown, from one on: its log, and its replay. Each batch is what one barrier
    /// published, or one of the seat's own decisions.
    pub fn log(&self, seat: SeatId) -> &[Vec<ShownEvent>] {
        &self.batches[seat.index()]
    }

    /// The version of a seat.
    pub fn version(&self, seat: SeatId) -> u32 {
        self.versions[seat.index()]
    }

    /// Whether a seat may take its last decision back.
    pub fn may_undo(&self, seat: SeatId) -> bool {
        let count = self.pending.iter().filter(|p| p.seat == seat).count();
        self.drafts.get(&seat).is_some_and(|d| !d.committed && count > d.sealed)
    }
}

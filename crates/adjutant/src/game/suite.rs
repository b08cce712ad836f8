//! What the conformance suite needs of a game beside what seats and hosts may do.

use adjutant_kernel::events::ShownEvent;
use adjutant_kernel::flow;
use adjutant_kernel::view::{Names, ShownAction};
use adjutant_kernel::{Action, BodyId, Fault, PlaceId, Read, Refused, SeatId, State, Viewer};

use super::{Game, Packet, Release};

impl Game {
    /// The releases that a seat has been shown.
    pub(crate) fn releases(&self, seat: SeatId) -> &[Release] {
        &self.releases[seat.index()]
    }

    /// The position as of the last barrier.
    pub(crate) fn published(&self) -> &State {
        &self.published
    }

    /// Replaces the position by a twin of it, before any draft.
    pub(crate) fn become_twin(&mut self, twin: State) {
        self.published = twin.clone();
        self.live = twin;
    }

    /// Whether any seat has an open draft.
    pub(crate) fn drafting(&self) -> bool {
        !self.drafts.is_empty()
    }

    /// Whether a seat has decided something that others have not been shown and may go on deciding.
    pub(crate) fn has_draft(&self, seat: SeatId) -> bool {
        self.drafts.get(&seat).is_some_and(|d| !d.committed)
    }

    /// What a seat may do, by number.
    pub(crate) fn raw_offers(&self, seat: SeatId) -> Result<Vec<Action>, Fault> {
        self.raw_offers_on(self.position(seat), seat)
    }

    /// Carries out an action that is among the raw offers.
    pub(crate) fn act_raw(&mut self, seat: SeatId, action: Action) -> Result<Vec<ShownEvent>, Refused> {
        let events = self.carry_out(seat, action, false)?;
        self.apply_standing();
        Ok(events)
    }

    /// An action of a seat as somebody names it, whether or not he sees all that it is about.
    pub(crate) fn render(&mut self, seat: SeatId, viewer: Option<Viewer>, action: &Action) -> ShownAction {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let state = self.position(seat);
        let names = Names::new(state.ciphers(&self.rulebook, &mut ciphers), Read::new(&self.rulebook, state));
        let shown = names.action(viewer, action);
        self.ciphers = ciphers;
        shown
    }

    /// An action as the umpire names it - bodies by the names of their pieces - in the names of a seat, whether or
    /// not the seat sees all that it is about. It is for tests: it tells what the seat may not know.
    ///
    /// # Errors
    /// The part that means nothing to the umpire.
    pub fn in_names_of(&mut self, seat: SeatId, action: &ShownAction) -> Result<ShownAction, String> {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let state = self.position(seat);
        let names = Names::new(state.ciphers(&self.rulebook, &mut ciphers), Read::new(&self.rulebook, state));
        let read = names.read_action(None, action);
        let shown = read.map(|action| names.action(self.rulebook.seat(seat).viewer(), &action));
        self.ciphers = ciphers;
        shown
    }

    /// What a seat is offered as the umpire names it: for tests and records.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// let offers = game.offers_by_piece(blue)?;
    /// assert_eq!(offers[0].to_string(), "march Horse ford");
    /// let shown = game.in_names_of(blue, &offers[0])?; // as blue would say it
    /// assert_eq!(shown, game.offers(blue)[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn offers_by_piece(&mut self, seat: SeatId) -> Result<Vec<ShownAction>, Fault> {
        let offers = self.raw_offers(seat)?;
        Ok(offers.iter().map(|action| self.render(seat, None, action)).collect())
    }

    /// What a commit of a seat will show of its secret decisions; see
    /// [`Procedure::shape`](adjutant_kernel::Procedure::shape).
    pub(crate) fn shape(&self, seat: SeatId) -> Option<Vec<i32>> {
        flow::shape(&self.rulebook, &self.worker, self.position(seat), seat)
    }

    /// The handles of bodies that `viewer` sees in the position of a seat, of those that it does not see, and of
    /// the stacks that it sees.
    pub(crate) fn handles(
        &mut self,
        seat: SeatId,
        viewer: Option<Viewer>,
    ) -> (Vec<String>, Vec<String>, Vec<String>) {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let state = self.position(seat);
        let read = Read::new(&self.rulebook, state);
        let names = Names::new(state.ciphers(&self.rulebook, &mut ciphers), read);
        let (mut seen, mut unseen, mut stacks) = (Vec::new(), Vec::new(), Vec::new());
        for body in (0..self.rulebook.pieces().len() as u16).map(BodyId) {
            match names.body(viewer, body) {
                Some(handle) => seen.push(handle),
                None => unseen.push(names.any_handle(viewer, body)),
            }
        }
        for place in (0..self.rulebook.board().place_count() as u16).map(PlaceId) {
            stacks.extend(read.stacks(place).filter_map(|s| names.stack(viewer, s)));
        }
        self.ciphers = ciphers;
        (seen, unseen, stacks)
    }

    /// Whether the last of all decisions not yet shown to others is one of this seat.
    pub(crate) fn is_last_decision(&self, seat: SeatId) -> bool {
        self.pending.last().is_some_and(|p| p.seat == seat)
    }

    /// The last decision of a seat that it may take back.
    pub(crate) fn last_decision(&self, seat: SeatId) -> Option<Action> {
        self.pending.iter().rfind(|p| p.seat == seat).map(|p| p.action)
    }

    /// The packet of a seat as if `state` were the position: a world sampled for it, say.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Random, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let red = game.rulebook().seat_named("red").unwrap();
    /// let world = game.world(red, &mut Random::new(7))?;
    /// assert_eq!(game.packet_on(&world, red)?, game.packet(red)); // red cannot tell it from the truth
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn packet_on(&mut self, state: &State, seat: SeatId) -> Result<Packet, Fault> {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let view = self.view_on(state, seat, &mut ciphers);
        let offers = self.offers_on(state, seat, &mut ciphers);
        self.ciphers = ciphers;
        Ok(Packet { view, offers: offers? })
    }

    /// Why a seat may not do something, as if `state` were the position.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn explain_on(
        &mut self,
        state: &State,
        seat: SeatId,
        action: &ShownAction,
    ) -> Result<Option<Refused>, Fault> {
        let mut ciphers = std::mem::take(&mut self.ciphers);
        let judged = self.check_on(state, seat, action, &mut ciphers);
        self.ciphers = ciphers;
        Ok(judged?.err())
    }
}

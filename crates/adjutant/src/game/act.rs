//! Acting and undoing: drafts, barriers and what they publish.

use adjutant_kernel::events::{Emitted, ShownEvent};
use adjutant_kernel::flow::{self, AskMode, Sink};
use adjutant_kernel::view::{Names, ShownAction};
use adjutant_kernel::{Action, Read, Refused, SeatId, State};

use super::history::What;
use super::{Draft, Entry, Game, Pending, Release};

impl Game {
    /// A seat acts. With a version the action is refused when the seat has been shown or has done something
    /// since. Gives the events that the seat is shown.
    ///
    /// # Errors
    /// Why it is refused; nothing has changed then.
    pub fn act(
        &mut self,
        seat: SeatId,
        version: Option<u32>,
        shown: &ShownAction,
    ) -> Result<Vec<ShownEvent>, Refused> {
        let Some(&current) = self.versions.get(seat.index()) else { return Err(Refused::NotAsked) };
        if let Some(given) = version.filter(|&v| v != current) {
            // Who is not asked is told so first.
            if let Err(refused @ (Refused::NotAsked | Refused::Ended)) = self.check(seat, shown) {
                return Err(refused);
            }
            return Err(Refused::Stale { given, current });
        }
        let action = self.check(seat, shown)?;
        let events = self.carry_out(seat, action, false)?;
        self.apply_standing();
        Ok(events)
    }

    pub(super) fn carry_out(
        &mut self,
        seat: SeatId,
        action: Action,
        standing: bool,
    ) -> Result<Vec<ShownEvent>, Refused> {
        let rb = self.rulebook.clone();
        let mut next = self.live.clone();
        let mut sink = Sink::on();
        if let Err(fault) = flow::act(&rb, &mut self.worker, &mut sink, &mut next, seat, &action) {
            return Err(self.faults.note(Some(seat), fault));
        }
        let (events, barrier) = sink.take();
        let own_words = self.render(seat, rb.seat(seat).viewer(), &action);
        let names = Names::new(self.live.ciphers(&rb, &mut self.ciphers), Read::new(&rb, &self.live));
        let entry =
            Entry::Act { seat: rb.seat(seat).name.clone(), action: names.action(None, &action), standing };
        let number = self.journal.len();
        self.journal.push(entry);
        self.count_version(seat);
        self.note(seat, What::Did(own_words));
        if rb.mutant("version_counts_all") {
            self.versions
                .iter_mut()
                .enumerate()
                .filter(|(n, _)| *n != seat.index())
                .for_each(|(_, v)| *v += 1);
        }
        let before = flow::asked(&self.live);
        let after = flow::asked(&next);
        let in_fork = matches!(before, Some(ref a) if matches!(a.mode, AskMode::Fork { .. }));
        let changed = match (&before, &after) {
            (Some(x), Some(y)) => x.seats != y.seats || x.mode != y.mode,
            _ => true,
        };
        let one_of_several = matches!(before, Some(ref a) if a.mode == AskMode::Any);
        let public = barrier.public || (!in_fork && (changed || one_of_several));
        self.live = next;
        if public {
            return Ok(self.publish(seat, events));
        }
        let own = self.deliver(seat, true, events.iter());
        let viewer = rb.seat(seat).viewer();
        self.pending.push(Pending { seat, entry: number, action, events });
        let count = 1 + self.drafts.get(&seat).map_or(0, |draft| draft.count);
        let state = self.own_position(seat, count);
        let noticed = barrier.private.is_some_and(|a| viewer.is_some_and(|v| a.has(v)));
        let committed = self.live.committed(seat);
        let draft = self.drafts.entry(seat).or_insert_with(|| Draft {
            state: state.clone(),
            count,
            sealed: 0,
            committed: false,
        });
        draft.state = state;
        draft.count = count;
        draft.committed = committed;
        if noticed {
            draft.sealed = count;
        }
        if let Some(AskMode::Fork { together: false }) = before.map(|a| a.mode)
            && committed
        {
            self.publish_branch(seat);
        }
        Ok(own)
    }

    /// What was published with the seat's own decisions since, `count` of them, and nobody else's.
    fn own_position(&mut self, seat: SeatId, count: usize) -> State {
        if self.pending.len() == count {
            return self.live.clone();
        }
        self.replayed(|p| p.seat == seat)
    }

    /// What was published with some of the decisions since.
    fn replayed(&mut self, which: impl Fn(&Pending) -> bool) -> State {
        let rb = self.rulebook.clone();
        let late = self.late.as_ref();
        let mut state = late.map_or(&self.published, |late| &late.state).clone();
        let mut umpired = late.map_or(Vec::new(), |late| late.done.clone()).into_iter().peekable();
        for p in self.pending.iter().filter(|p| which(p)) {
            while let Some((_, what)) = umpired.next_if(|(entry, _)| *entry <= p.entry) {
                what.apply(&mut state);
            }
            let mut sink = Sink::off();
            if let Err(fault) = flow::act(&rb, &mut self.worker, &mut sink, &mut state, p.seat, &p.action) {
                self.faults.note(Some(p.seat), fault);
            }
        }
        umpired.for_each(|(_, what)| what.apply(&mut state));
        state
    }

    /// Shows events to a seat as one batch; gives what it is shown of them. What it did `itself` does not count
    /// for its version.
    fn deliver<'a>(
        &mut self,
        seat: SeatId,
        itself: bool,
        events: impl Iterator<Item = &'a Emitted>,
    ) -> Vec<ShownEvent> {
        let viewer = self.rulebook.seat(seat).viewer();
        let before = self.shown[seat.index()];
        let mut batch: Vec<ShownEvent> = Vec::new();
        for event in events {
            let Some(shown) = event.shown(&self.rulebook, viewer) else { continue };
            if let Some(release) = viewer.and_then(|v| event.release(&self.rulebook, v)) {
                let at = before + batch.len();
                self.releases[seat.index()].push(Release { shown: release.clone(), at });
            }
            batch.push(shown.clone());
        }
        if !batch.is_empty() {
            self.shown[seat.index()] += batch.len();
            if !itself {
                self.count_version(seat);
            }
            self.note(seat, What::Shown(self.batches[seat.index()].len()));
            self.batches[seat.index()].push(batch.clone());
        }
        batch
    }

    /// Shows everybody what no seat did: what happened before anybody was asked, an umpire's edit.
    pub(super) fn open(&mut self, events: &[Emitted]) {
        for seat in self.rulebook.seat_ids() {
            self.deliver(seat, false, events.iter());
        }
    }

    /// A barrier: everybody is shown what was pending and what has just happened.
    fn publish(&mut self, actor: SeatId, events: Vec<Emitted>) -> Vec<ShownEvent> {
        let pending = self.take_pending();
        let mut answer = Vec::new();
        for seat in self.rulebook.seat_ids() {
            let of_others = pending.iter().filter(|p| p.seat != seat).flat_map(|p| &p.events);
            let batch = self.deliver(seat, seat == actor, of_others.chain(&events));
            if seat == actor {
                answer = batch;
            }
        }
        self.drafts.clear();
        self.published = self.live.clone();
        self.mark_barrier();
        self.lapse_standing(pending.iter().flat_map(|p| &p.events).chain(&events));
        answer
    }

    /// Takes the decisions since the barrier, in the order in which others are shown them: in a fork branch by
    /// branch, for who acted first is nobody's business.
    fn take_pending(&mut self) -> Vec<Pending> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_by_key(|p| p.seat);
        pending
    }

    /// A branch of a fork that is applied as it commits is shown at once to those who may see its effect.
    fn publish_branch(&mut self, seat: SeatId) {
        let rb = self.rulebook.clone();
        let mine: Vec<Pending> = self.pending.iter().filter(|p| p.seat == seat).cloned().collect();
        let side = rb.seat(seat).side;
        for other in rb.seat_ids().filter(|&s| s != seat && rb.seat(s).side == side && side.is_some()) {
            self.deliver(other, false, mine.iter().flat_map(|p| &p.events));
            // A partner with a branch of its own in this fork goes on with it.
            let has_branch = self.live.fork_seats().contains(&other);
            let state = self.drafts.get(&seat).map(|d| d.state.clone());
            if let Some(state) = state.filter(|_| !has_branch) {
                self.drafts.entry(other).or_insert(Draft {
                    state,
                    count: 0,
                    sealed: usize::MAX,
                    committed: true,
                });
            }
        }
        for p in &mut self.pending {
            if p.seat == seat {
                for event in &mut p.events {
                    event.withdraw_from(&rb, side);
                }
            }
        }
    }

    /// A seat takes back its last decision.
    ///
    /// # Errors
    /// When there is none since the last barrier, or it may not be taken back.
    pub fn undo(&mut self, seat: SeatId) -> Result<(), Refused> {
        if self.ended() {
            return Err(Refused::Ended);
        }
        if !self.may_undo(seat) {
            return Err(Refused::NothingToUndo);
        }
        let Some(at) = self.pending.iter().rposition(|p| p.seat == seat) else {
            return Err(Refused::NothingToUndo);
        };
        let undone = self.pending.remove(at);
        #[cfg_attr(not(feature = "mutants"), expect(unused_mut))]
        let mut state = self.replayed(|_| true);
        #[cfg(feature = "mutants")]
        if self.rulebook.mutant("undo_keeps_handles") {
            state.keep_handles_of(&self.live);
        }
        self.live = state;
        let left = self.pending.iter().filter(|p| p.seat == seat).count();
        if left > 0 {
            let state = self.own_position(seat, left);
            if let Some(draft) = self.drafts.get_mut(&seat) {
                draft.state = state;
                draft.count = left;
            }
        } else {
            self.drafts.remove(&seat);
            #[cfg(feature = "mutants")]
            if self.rulebook.mutant("undo_keeps_handles") {
                self.published = self.live.clone();
            }
        }
        self.withdraw_undone(&undone);
        self.journal.push(Entry::Undo { seat: self.rulebook.seat(seat).name.clone() });
        self.count_version(seat);
        // Nothing is answered for him now: what is taken back must not commit anything.
        self.note(seat, What::Undid);
        Ok(())
    }

    /// Carries out an entry of a journal.
    pub(crate) fn apply_entry(&mut self, entry: &Entry) -> Result<(), String> {
        let rb = self.rulebook.clone();
        let find = |name: &str| rb.seat_named(name).ok_or_else(|| format!("there is no seat `{name}`"));
        match entry {
            Entry::Act { seat, action, standing } => {
                let seat = find(seat)?;
                let state = self.position(seat).clone();
                let names = Names::new(state.ciphers(&rb, &mut self.ciphers), Read::new(&rb, &state));
                let action = names.read_action(None, action).map_err(|what| format!("unknown: {what}"))?;
                let judged = flow::judge(&rb, &self.worker, &state, seat, &action);
                if !matches!(judged, Ok(Some(Ok(())))) {
                    return Err("the rules do not offer it".to_owned());
                }
                self.carry_out(seat, action, *standing).map(drop).map_err(|e| e.to_string())
            }
            Entry::Undo { seat } => self.undo(find(seat)?).map_err(|e| e.to_string()),
            Entry::Force { table, value } => self.force(table, *value).map_err(|e| e.to_string()),
            Entry::Edit { edits } => self.edit(edits).map_err(|e| e.to_string()),
            Entry::Skip { rule } => self.skip(rule).map_err(|e| e.to_string()),
            Entry::Resign { seat } => self.resign(find(seat)?).map_err(|e| e.to_string()),
        }
    }
}

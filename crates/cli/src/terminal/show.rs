//! What is shown of a game: the log, the board, the draft, what may be done, and what is wrong with the rules.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use adjutant::kernel::rulebook::{AttributeClass, ColumnClass};
use adjutant::kernel::view::{BodyView, ShownAction, View};
use adjutant::kernel::{Refused, SeatId};

use super::Table;
use crate::plain::Screen;
use crate::text::{Entry, board_entries, board_text, phase_text};

/// A list as long as this is worth a look at what has changed in it alone.
const LONG: usize = 20;

/// A board as it was last shown.
pub(super) struct Shown {
    seat: SeatId,
    text: String,
    entries: Vec<Entry>,
}

impl Table {
    pub(super) fn show_log(&mut self, seat: SeatId, out: &mut Screen<'_>) -> io::Result<()> {
        let log = self.game.log(seat);
        let from = self.shown.insert(seat, log.len()).unwrap_or(0);
        self.write_log(seat, from, out)
    }

    pub(super) fn write_log(&self, seat: SeatId, from: usize, out: &mut Screen<'_>) -> io::Result<()> {
        let log = self.game.log(seat);
        for event in log[from.min(log.len())..].iter().flatten() {
            if self.details || !event.detail {
                writeln!(out, "  . {}", self.text.event(event))?;
            }
        }
        Ok(())
    }

    /// The whole board, and what the seat has done that it may still take back.
    pub(super) fn show_board(&mut self, seat: SeatId, out: &mut Screen<'_>) -> io::Result<()> {
        let view = self.game.view(seat);
        let text = board_text(self.game.rulebook(), seat, &view.position, &self.text);
        let entries = board_entries(self.game.rulebook(), seat, &view.position, &self.text);
        writeln!(out, "\n{text}")?;
        self.board = Some(Shown { seat, text, entries });
        if !self.game.may_undo(seat) {
            self.drafts.remove(&seat);
        }
        match self.drafts.get(&seat).filter(|draft| !draft.is_empty()) {
            Some(draft) => writeln!(out, "  not final yet: {}\n", draft.join("; ")),
            None => Ok(()),
        }
    }

    /// The board where something has changed; all of it, if it is short or was last shown to somebody who sees
    /// another one.
    pub(super) fn show_changes(&mut self, seat: SeatId, out: &mut Screen<'_>) -> io::Result<()> {
        let view = self.game.view(seat).position;
        let rb = self.game.rulebook();
        let side = |seat: SeatId| rb.seat(seat).side;
        let Some(before) = self.board.as_ref().filter(|shown| side(shown.seat) == side(seat)) else {
            return self.show_board(seat, out);
        };
        let text = board_text(rb, seat, &view, &self.text);
        if before.text == text {
            return Ok(());
        }
        let entries = board_entries(rb, seat, &view, &self.text);
        let changed: String =
            entries.iter().filter(|entry| !before.entries.contains(entry)).map(Entry::lines).collect();
        let gone = |old: &&Entry| entries.iter().all(|entry| entry.name != old.name);
        let gone: String = before.entries.iter().filter(gone).map(Entry::emptied).collect();
        let lines = changed.lines().count() + gone.lines().count();
        if entries.len() < LONG || lines * 2 > entries.len() {
            return self.show_board(seat, out);
        }
        writeln!(out, "\n{}  changed (b: the whole board):\n{changed}{gone}", phase_text(&view, &self.text))?;
        self.board = Some(Shown { seat, text, entries });
        Ok(())
    }

    /// What a decision of a draft has changed in the list.
    pub(super) fn show_step(&mut self, seat: SeatId, out: &mut Screen<'_>) -> io::Result<()> {
        let view = self.game.view(seat).position;
        let entries = board_entries(self.game.rulebook(), seat, &view, &self.text);
        let Some(before) = self.board.as_mut().filter(|shown| shown.seat == seat) else { return Ok(()) };
        for entry in entries.iter().filter(|entry| !before.entries.contains(entry)) {
            write!(out, "{}", entry.lines())?;
        }
        for old in before.entries.iter().filter(|old| entries.iter().all(|entry| entry.name != old.name)) {
            write!(out, "{}", old.emptied())?;
        }
        before.text = board_text(self.game.rulebook(), seat, &view, &self.text);
        before.entries = entries;
        Ok(())
    }

    /// An action in words.
    pub(super) fn in_words(&self, action: &ShownAction, view: &View) -> String {
        self.text.action_on(action, view, self.game.rulebook())
    }

    /// Says why something is refused. What is wrong with the rules goes to the host, who is at this terminal: for
    /// seats it is a number.
    pub(super) fn say_refused(
        &mut self,
        seat: Option<SeatId>,
        what: &str,
        refused: &Refused,
        out: &mut Screen<'_>,
    ) -> io::Result<()> {
        let Refused::Fault(number) = refused else {
            return writeln!(out, "  {what}{}", self.text.refused(refused));
        };
        writeln!(out, "  {what}fault {number}: the rules could not carry this out; `f` lists what is wrong")?;
        out.flush()?;
        let details = self.game.fault(seat, *number).map(ToString::to_string);
        self.tell_host(&format!("fault {number}: {}", details.unwrap_or_default()))
    }

    pub(super) fn tell_host(&mut self, text: &str) -> io::Result<()> {
        match &mut self.host {
            Some(host) => {
                writeln!(host, "{}", crate::plain(text))?;
                host.flush()
            }
            None => Ok(()),
        }
    }

    /// The faults so far: for whoever makes the rules.
    pub(super) fn show_faults(&self, out: &mut Screen<'_>) -> io::Result<()> {
        let rb = self.game.rulebook();
        let mut any = false;
        for note in self.game.faults() {
            any = true;
            let seat = note.seat.map_or("umpire", |seat| rb.seat(seat).name.as_str());
            let numbers = match note.first == note.last {
                true => note.first.to_string(),
                false => format!("{} to {}", note.first, note.last),
            };
            writeln!(out, "  {seat}, fault {numbers}: {}", note.fault)?;
        }
        if any { Ok(()) } else { writeln!(out, "  nothing is wrong with the rules so far") }
    }

    /// Whether what one seat was shown could tell another what that may not know.
    pub(super) fn hides(&mut self, from: SeatId, to: SeatId) -> bool {
        let rb = self.game.rulebook();
        if rb.seat(from).viewer() == rb.seat(to).viewer() {
            return false;
        }
        let hidden = |class: &ColumnClass| *class != ColumnClass::Public;
        let private = rb.columns().iter().any(|def| hidden(&def.class))
            || rb
                .attributes()
                .iter()
                .any(|a| matches!(a.class, AttributeClass::Owner | AttributeClass::Side(_)));
        // In a fork each decides unseen by the others.
        private
            || !self.game.state().fork_seats().is_empty()
            || [from, to].into_iter().any(|seat| has_unknown(&self.game.view(seat).position))
    }
}

/// Whether a view leaves open who somebody is.
fn has_unknown(view: &View) -> bool {
    fn unknown(body: &BodyView) -> bool {
        body.piece.is_none() || body.command.iter().any(unknown)
    }
    view.places.values().any(|place| {
        !place.more.is_empty()
            || place.bodies.iter().any(unknown)
            || place.stacks.iter().any(|stack| stack.more > 0 || stack.bodies.iter().any(unknown))
    })
}

/// The offers, numbered, in columns.
pub(super) fn list(offers: &[String], prompt: &str, seat: &str, out: &mut Screen<'_>) -> io::Result<()> {
    writeln!(out, "{seat}: {prompt}")?;
    let cells: Vec<String> = offers.iter().enumerate().map(|(n, o)| format!("{:>3} {o}", n + 1)).collect();
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 2;
    let columns = (110 / width.max(1)).clamp(1, 6);
    for row in cells.chunks(columns) {
        let line: String = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        writeln!(out, "  {}", line.trim_end())?;
    }
    Ok(())
}

/// What each seat has done that it may still take back, in words.
pub(super) type Drafts = BTreeMap<SeatId, Vec<String>>;

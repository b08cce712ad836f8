//! What an umpire may do, and giving up.

use adjutant_kernel::events::{Shown, ShownEvent};
use adjutant_kernel::flow::Sink;
use adjutant_kernel::ops::{self, Edit, EditError};
use adjutant_kernel::view::Names;
use adjutant_kernel::{BodyId, Read, Refused, SeatId, SideId};

use super::draft::{Late, Umpired};
use super::history::What;
use super::{Entry, Game, NamedEdit};

impl Game {
    /// The umpire changes the position: what is forbidden by the placement check, or would make untrue what was
    /// told, is refused. Edits are published at once, each viewer seeing what it may.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, NamedEdit, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// game.edit(&[NamedEdit::Set { column: "turn".into(), of: None, side: None, value: 3 }])?;
    /// let slip = NamedEdit::Reveal("Hrose".into());
    /// assert!(game.edit(&[slip]).is_err()); // and nothing has changed
    /// assert_eq!(game.entries(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::DraftOpen`] when somebody has an open draft; when a name means nothing, or the rules forbid it; nothing has changed then.
    pub fn edit(&mut self, edits: &[NamedEdit]) -> Result<(), Refused> {
        if self.ended() {
            return Err(Refused::Ended);
        }
        if !self.drafts.is_empty() || !self.live.fork_seats().is_empty() {
            return Err(Refused::DraftOpen);
        }
        let rb = self.rulebook.clone();
        let edits_by_id = edits.iter().map(|e| self.read_edit(e)).collect::<Result<Vec<Edit>, String>>();
        let edits_by_id = edits_by_id.map_err(Refused::Unknown)?;
        if let Some(twice) = placed_twice(&edits_by_id) {
            let name = rb.piece(Read::new(&rb, &self.live).piece(twice)).name.clone();
            return Err(Refused::Unknown(format!("piece `{name}`: one placing has it twice")));
        }
        let mut next = self.live.clone();
        let mut sink = Sink::on();
        match ops::edit(&rb, &mut self.worker, &mut sink, &mut next, &edits_by_id) {
            Ok(()) => {}
            Err(EditError::Placement(rule)) => {
                return Err(Refused::Rule { rule: rb.rule(rule).to_owned() });
            }
            Err(EditError::Fault(fault)) => {
                return Err(self.faults.note(None, fault));
            }
        }
        let (events, _) = sink.take();
        self.live = next;
        self.published = self.live.clone();
        self.journal.push(Entry::Edit { edits: edits.to_vec() });
        self.open(&events);
        self.mark_barrier();
        self.apply_standing();
        Ok(())
    }

    fn read_edit(&mut self, edit: &NamedEdit) -> Result<Edit, String> {
        let rb = self.rulebook.clone();
        let names = Names::new(self.live.ciphers(&rb, &mut self.ciphers), Read::new(&rb, &self.live));
        let body = |name: &String| -> Result<BodyId, String> {
            names.read_body(None, name).ok_or_else(|| format!("piece `{name}`"))
        };
        match edit {
            NamedEdit::Place { pieces, place, stacked } => Ok(Edit::Place {
                bodies: pieces.iter().map(body).collect::<Result<_, _>>()?,
                place: rb.board().place_named(place).ok_or_else(|| format!("place `{place}`"))?,
                stacked: *stacked,
            }),
            NamedEdit::Reveal(piece) => Ok(Edit::Reveal(body(piece)?)),
            NamedEdit::Conceal(piece) => Ok(Edit::Conceal(body(piece)?)),
            NamedEdit::Set { column, of, side, value } => {
                let (column, holder) = names.read_cell(column, of.as_deref())?;
                let def = rb.column(column);
                let side = match (side, def.by_side) {
                    (Some(name), true) => rb.side_named(name).ok_or_else(|| format!("side `{name}`"))?.0,
                    (None, false) => 0,
                    (Some(_), false) => {
                        return Err(format!("column `{}` has no value a side: name none", def.name));
                    }
                    (None, true) => {
                        return Err(format!("column `{}` has one value a side: name the side", def.name));
                    }
                };
                let (min, max) = def.bounds();
                if !(min..=max).contains(value) {
                    return Err(format!("column `{}` takes {min} to {max}, not {value}", def.name));
                }
                Ok(Edit::Set { column, holder, side, value: *value })
            }
        }
    }

    /// The umpire switches off what is attached for a rule, for the rest of the game: a script that fails would
    /// freeze it otherwise.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// game.skip("field:1")?; // because its script fails, say
    /// assert!(game.skip("field:99").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such rule, or the game has ended.
    pub fn skip(&mut self, rule: &str) -> Result<(), Refused> {
        if self.ended() {
            return Err(Refused::Ended);
        }
        let id = self.rulebook.rule_named(rule).ok_or_else(|| Refused::Unknown(format!("rule {rule}")))?;
        self.umpire_does(Umpired::Skip(id), Entry::Skip { rule: rule.to_owned() });
        Ok(())
    }

    /// The umpire fixes the next die of a table; of a table of several dice, the next one of them. A table without
    /// dice is one from whose pool is drawn: the number counts what is left in it, and one beyond is the last.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// use adjutant::kernel::Refused;
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// game.force("skirmish", 6)?;
    /// assert!(matches!(game.force("skirmish", 7), Err(Refused::CannotShow { max: 6, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such table, its dice cannot show the number, or the game has ended.
    pub fn force(&mut self, table: &str, value: i32) -> Result<(), Refused> {
        if self.ended() {
            return Err(Refused::Ended);
        }
        let id =
            self.rulebook.table_named(table).ok_or_else(|| Refused::Unknown(format!("table {table}")))?;
        let max = match self.rulebook.table(id).dice().count_and_sides() {
            (0, _) => i32::MAX,
            (_, sides) => i32::from(sides),
        };
        if !(1..=max).contains(&value) {
            return Err(Refused::CannotShow { table: table.to_owned(), min: 1, max, value });
        }
        self.umpire_does(Umpired::Force(id, value), Entry::Force { table: table.to_owned(), value });
        Ok(())
    }

    /// Does something to all positions at once, drafts included. Nobody is shown it.
    fn umpire_does(&mut self, what: Umpired, entry: Entry) {
        if self.pending.is_empty() {
            self.late = None;
        } else {
            let (state, at) = (&self.published, self.journal.len());
            let late = self.late.get_or_insert_with(|| Late { state: state.clone(), done: Vec::new() });
            late.done.push((at, what));
        }
        what.apply(&mut self.live);
        what.apply(&mut self.published);
        self.drafts.values_mut().for_each(|draft| what.apply(&mut draft.state));
        self.journal.push(entry);
        if self.pending.is_empty() {
            self.mark_barrier();
        }
        self.apply_standing();
    }

    /// A seat gives up for its side: the game ends.
    ///
    /// # Errors
    /// When the seat plays for no side, or the game has ended.
    pub fn resign(&mut self, seat: SeatId) -> Result<(), Refused> {
        if self.ended() {
            return Err(Refused::Ended);
        }
        let side = self.rulebook.seats().get(seat.index()).and_then(|s| s.side).ok_or(Refused::NotAsked)?;
        let mut others = self.rulebook.side_ids().filter(|&s| s != side);
        let winner = match (others.next(), others.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        };
        // What was not published is not played.
        self.live = self.published.clone();
        self.pending.clear();
        self.drafts.clear();
        self.live.resign(winner);
        self.published = self.live.clone();
        self.count_version(seat);
        self.journal.push(Entry::Resign { seat: self.rulebook.seat(seat).name.clone() });
        self.note(seat, What::Resigned);
        self.show_resignation(seat, winner);
        self.mark_barrier();
        Ok(())
    }

    /// Everybody is shown that a seat gave up, and who has won by it.
    fn show_resignation(&mut self, seat: SeatId, winner: Option<SideId>) {
        let rb = self.rulebook.clone();
        let name = |text: &str| Shown::Name(text.to_owned());
        let mut args = vec![("seat".to_owned(), name(&rb.seat(seat).name))];
        args.extend(winner.map(|side| ("winner".to_owned(), name(&rb.sides()[side.index()]))));
        let event = ShownEvent { event: "resigned".to_owned(), rule: None, detail: false, args };
        for other in rb.seat_ids() {
            if other != seat {
                self.count_version(other);
            }
            self.note(other, What::Shown(self.batches[other.index()].len()));
            self.batches[other.index()].push(vec![event.clone()]);
        }
    }
}

/// A body that one placing names twice.
fn placed_twice(edits: &[Edit]) -> Option<BodyId> {
    edits.iter().find_map(|edit| {
        let Edit::Place { bodies, .. } = edit else { return None };
        bodies.iter().enumerate().find(|(n, body)| bodies[..*n].contains(body)).map(|(_, body)| *body)
    })
}

//! What somebody does who sits as umpire.

use std::io::{self, BufRead, Write as _};

use adjutant::NamedEdit;
use adjutant::kernel::rulebook::{SeatRole, ValueKind};
use adjutant::kernel::{Refused, Rulebook, SeatId};

use super::ask::Done;
use super::{Player, Table};
use crate::plain::Screen;
use crate::words::words_of;

/// What the umpire may type.
pub(super) const HELP: &str = "\
  The umpire, whoever is asked (names with blanks in quotes):
  umpire place PIECE... PLACE       pieces stand in a place now, loose
  umpire stack PIECE... PLACE       the same, as a stack, the first on top
  umpire reveal PIECE, umpire conceal PIECE
  umpire set COLUMN [OF] VALUE      a value of the game, or of a piece, place, link, side or seat
  umpire set COLUMN [OF] SIDE VALUE in a column with one value a side
  umpire force TABLE NUMBER         the next die of a table
  umpire skip RULE                  what is attached for a rule is switched off for the rest of the game";

/// What an umpire may type while random players have the word.
const HELP_WATCHING: &str = "\
  Enter      a random player decides; a number: so many decisions
  r          they go on until you are asked, or to the end
  umpire     what you may put right now
  save FILE, load FILE, b, l, f   as ever
  q          quit";

impl Table {
    /// Whether somebody at this terminal is the umpire.
    pub(super) fn has_umpire(&self) -> bool {
        self.players.iter().any(|(seat, player)| self.is_umpire(*seat) && *player == Player::Person)
    }

    fn is_umpire(&self, seat: SeatId) -> bool {
        self.game.rulebook().seat(seat).role == SeatRole::Umpire
    }

    /// The umpire, where nobody else sits at this terminal: random players would play on past him.
    pub(super) fn watching(&self) -> Option<SeatId> {
        let mut people = self.players.iter().filter(|(_, player)| **player == Player::Person);
        let (seat, _) = people.next()?;
        (self.is_umpire(*seat) && people.all(|(seat, _)| self.is_umpire(*seat))).then_some(*seat)
    }

    /// Lets the umpire look, and put things right, before random players go on: how many decisions they may make;
    /// nothing when he quits.
    pub(super) fn watch(
        &mut self,
        seat: SeatId,
        input: &mut dyn BufRead,
        out: &mut Screen<'_>,
    ) -> io::Result<Option<usize>> {
        self.show_log(seat, out)?;
        self.show_changes(seat, out)?;
        let name = self.game.rulebook().seat(seat).name.clone();
        writeln!(out, "{name}: nobody asks you now; Enter lets a random player decide, ? for help")?;
        loop {
            let Some(line) = self.line(&name, input, out)? else { return Ok(None) };
            if self.take_over(out)? {
                self.keep(line, out)?;
                return Ok(Some(0));
            }
            match self.command(seat, &line, out)? {
                Done::Answered => continue,
                Done::Changed => return Ok(Some(0)),
                Done::Quit => return Ok(None),
                Done::No => {}
            }
            match line.trim() {
                "" => return Ok(Some(1)),
                "r" => return Ok(Some(usize::MAX)),
                text => match text.parse::<usize>() {
                    Ok(count) if count > 0 => return Ok(Some(count)),
                    Ok(_) | Err(_) => writeln!(out, "{HELP_WATCHING}")?,
                },
            }
        }
    }

    /// Does what an umpire typed after `umpire`; whether anything has changed.
    pub(super) fn umpire(&mut self, line: &str, out: &mut Screen<'_>) -> io::Result<bool> {
        let words = words_of(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = match words.as_slice() {
            [verb @ ("place" | "stack"), pieces @ .., place] if !pieces.is_empty() => {
                let pieces = pieces.iter().map(|piece| (*piece).to_owned()).collect();
                let (place, stacked) = ((*place).to_owned(), *verb == "stack");
                self.game.edit(&[NamedEdit::Place { pieces, place, stacked }])
            }
            ["reveal", piece] => self.game.edit(&[NamedEdit::Reveal((*piece).to_owned())]),
            ["conceal", piece] => self.game.edit(&[NamedEdit::Conceal((*piece).to_owned())]),
            ["set", column, more @ .., value] if more.len() <= 2 => {
                match set(self.game.rulebook(), column, more, value) {
                    Ok(edit) => self.game.edit(&[edit]),
                    Err(text) => return writeln!(out, "  {text}").map(|()| false),
                }
            }
            ["force", table, number] => match number.parse() {
                Ok(number) => self.game.force(table, number),
                Err(_) => Err(Refused::Unknown(format!("number {number}"))),
            },
            ["skip", rule] => self.game.skip(rule),
            _ => return writeln!(out, "{HELP}").map(|()| false),
        };
        match done {
            Ok(()) => writeln!(out, "  done: {}", line.trim()).map(|()| true),
            Err(refused) => self.say_refused(None, "", &refused, out).map(|()| false),
        }
    }
}

/// Reads `COLUMN [OF] VALUE`; of a column with one value a side the last word before the value is the side.
fn set(rulebook: &Rulebook, column: &str, more: &[&str], value: &str) -> Result<NamedEdit, String> {
    let Some(def) = rulebook.columns().iter().find(|def| def.name == column) else {
        let known: Vec<&str> = rulebook.columns().iter().map(|def| def.name.as_str()).collect();
        return Err(format!("there is no column `{column}`; the columns are {}", known.join(", ")));
    };
    let index = |found: Option<usize>| found.and_then(|n| i32::try_from(n).ok());
    let number = match (&def.kind, value) {
        (ValueKind::Side | ValueKind::Space, "none") => Some(-1),
        (ValueKind::Choice(words), _) => index(words.iter().position(|word| rulebook.word(*word) == value)),
        (ValueKind::Side, _) => rulebook.side_named(value).map(|side| i32::from(side.0)),
        (ValueKind::Space, _) => rulebook.board().space_named(value).map(|space| i32::from(space.0)),
        (ValueKind::Flag, "yes" | "true" | "on") => Some(1),
        (ValueKind::Flag, "no" | "false" | "off") => Some(0),
        (ValueKind::Int { .. } | ValueKind::Flag, _) => None,
    };
    let value = number.or_else(|| value.parse().ok());
    let value = value.ok_or_else(|| format!("`{column}` has no such value"))?;
    let (of, side) = match (def.by_side, more) {
        (true, [side]) => (None, Some(*side)),
        (true, [of, side]) => (Some(*of), Some(*side)),
        (_, [of]) => (Some(*of), None),
        (_, []) => (None, None),
        (_, _) => return Err(format!("`{column}` does not have one value a side")),
    };
    let owned = |name: Option<&str>| name.map(str::to_owned);
    Ok(NamedEdit::Set { column: column.to_owned(), of: owned(of), side: owned(side), value })
}

//! A table in the terminal: people at some seats, random players at the others.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use adjutant::kernel::SeatId;
use adjutant::kernel::view::{ShownAction, ShownTarget};
use adjutant::{Game, Random, Save};

use crate::text::{event_line, position_text};

/// Who sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Somebody at this terminal.
    Person,
    /// A random player.
    Random,
}

/// A game with its players.
pub struct Table {
    game: Game,
    players: BTreeMap<SeatId, Player>,
    random: Random,
    /// Show the kernel's details in the log too.
    pub details: bool,
}

const HELP: &str = "\
  a number   do what is listed under it
  b          show the board again
  o          list again what may be done
  u          take your last decision back
  l          show the whole log
  why VERB TARGETS...   why may I not do that? (targets as they are listed)
  save FILE  write the game to a file (it holds everything hidden)
  q          quit";

impl Table {
    /// Seats players at a game; seats that are not named play at random.
    pub fn new(game: Game, players: BTreeMap<SeatId, Player>, seed: u64) -> Self {
        Self { game, players, random: Random::new(seed), details: false }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    fn player(&self, seat: SeatId) -> Player {
        self.players.get(&seat).copied().unwrap_or(Player::Random)
    }

    fn asked(&mut self) -> Vec<SeatId> {
        let seats: Vec<SeatId> = self.game.rulebook().seat_ids().collect();
        seats.into_iter().filter(|&s| !self.game.offers(s).is_empty()).collect()
    }

    /// Plays until the game is over, the input ends, or somebody quits.
    ///
    /// # Errors
    /// Whatever reading or writing answers.
    pub fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let mut shown: BTreeMap<SeatId, usize> = BTreeMap::new();
        let mut board_for = None;
        while !self.game.ended() {
            let asked = self.asked();
            let person = asked.iter().copied().find(|&s| self.player(s) == Player::Person);
            let robot = asked.iter().copied().find(|&s| self.player(s) == Player::Random);
            match (robot, person) {
                (Some(seat), _) => self.random_move(seat),
                (None, Some(seat)) => {
                    self.show_log(seat, &mut shown, out)?;
                    if board_for != Some(seat) {
                        self.show_board(seat, out)?;
                        board_for = Some(seat);
                    }
                    if !self.ask(seat, input, out)? {
                        return Ok(());
                    }
                }
                (None, None) => {
                    writeln!(out, "nobody can act; the umpire's notes: {:?}", self.game.faults())?;
                    return Ok(());
                }
            }
        }
        let watcher = self.players.keys().copied().find(|&s| self.player(s) == Player::Person);
        let seat = watcher.or_else(|| self.game.rulebook().seat_ids().next());
        if let Some(seat) = seat {
            self.show_log(seat, &mut shown, out)?;
            self.show_board(seat, out)?;
        }
        writeln!(out, "{} decisions, digest {}", self.game.journal().len(), self.game.digest())
    }

    fn random_move(&mut self, seat: SeatId) {
        let offers = self.game.offers(seat);
        if let Some(action) = self.random.pick(&offers) {
            // What is offered is accepted; a fault is noted for the umpire and the loop says so.
            let _ = self.game.act(seat, None, action);
        }
    }

    fn show_log(
        &self,
        seat: SeatId,
        shown: &mut BTreeMap<SeatId, usize>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let log = self.game.log(seat);
        let from = shown.insert(seat, log.len()).unwrap_or(0);
        for event in log[from.min(log.len())..].iter().flatten() {
            if self.details || !event.detail {
                writeln!(out, "  . {}", event_line(event))?;
            }
        }
        Ok(())
    }

    fn show_board(&mut self, seat: SeatId, out: &mut dyn Write) -> io::Result<()> {
        let view = self.game.view(seat);
        writeln!(out, "\n{}", position_text(&view.position))
    }

    /// Asks a person; `false` to quit.
    fn ask(&mut self, seat: SeatId, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let offers = self.game.offers(seat);
        let view = self.game.view(seat);
        let name = &view.seat;
        list(&offers, view.position.prompt.as_deref().unwrap_or("act"), name, out)?;
        loop {
            write!(out, "{name}{}> ", if view.undo { " (u: undo)" } else { "" })?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(out)?;
                return Ok(false);
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["q" | "quit"] => return Ok(false),
                ["?" | "h" | "help"] => writeln!(out, "{HELP}")?,
                ["b"] => self.show_board(seat, out)?,
                ["o"] => list(&offers, "again", name, out)?,
                ["l"] => {
                    for event in self.game.log(seat).iter().flatten() {
                        writeln!(out, "  . {}", event_line(event))?;
                    }
                }
                ["u" | "undo"] => match self.game.undo(seat) {
                    Ok(()) => return Ok(true),
                    Err(refused) => writeln!(out, "  {refused}")?,
                },
                ["save", file] => match std::fs::write(file, save_text(&self.game.save())) {
                    Ok(()) => writeln!(out, "  saved as {file}")?,
                    Err(error) => writeln!(out, "  {file}: {error}")?,
                },
                ["why", verb, targets @ ..] => {
                    let action = read_action(verb, targets, &offers);
                    match self.game.explain(seat, &action) {
                        Some(refused) => writeln!(out, "  {action}: {refused}")?,
                        None => writeln!(out, "  {action}: you may")?,
                    }
                }
                [number] => match number.parse::<usize>().ok().and_then(|n| offers.get(n.wrapping_sub(1))) {
                    Some(action) => match self.game.act(seat, Some(view.version), action) {
                        Ok(_) => return Ok(true),
                        Err(refused) => writeln!(out, "  {refused}")?,
                    },
                    None => writeln!(out, "  a number from 1 to {}, or ? for help", offers.len())?,
                },
                _ => writeln!(out, "  a number from 1 to {}, or ? for help", offers.len())?,
            }
        }
    }
}

fn save_text(save: &Save) -> String {
    save.to_json()
}

/// Reads targets in the form in which those of the listed offers are written; what is in none of them is
/// taken for a place.
fn read_action(verb: &str, words: &[&str], offers: &[ShownAction]) -> ShownAction {
    let targets = words.iter().enumerate().map(|(n, word)| {
        let same_verb = offers.iter().filter(|o| o.verb == verb).find_map(|o| o.targets.get(n));
        let exact = offers.iter().flat_map(|o| &o.targets).find(|t| t.to_string() == *word);
        let text = word.trim_start_matches('/').to_owned();
        match exact.or(same_verb) {
            Some(ShownTarget::Body(_)) => ShownTarget::Body(text),
            Some(ShownTarget::Stack(_)) => ShownTarget::Stack(text),
            Some(ShownTarget::Link(_)) => ShownTarget::Link(text),
            Some(ShownTarget::Choice(_)) => ShownTarget::Choice(text),
            Some(ShownTarget::Piece(_)) => ShownTarget::Piece(text),
            Some(ShownTarget::Side(_)) => ShownTarget::Side(text),
            Some(ShownTarget::Number(_)) => {
                word.parse().map_or(ShownTarget::Place(text), ShownTarget::Number)
            }
            Some(ShownTarget::Place(_)) | None => ShownTarget::Place(text),
        }
    });
    ShownAction { verb: verb.to_owned(), targets: targets.collect() }
}

fn list(offers: &[ShownAction], prompt: &str, seat: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{seat}: {}", prompt.replace('_', " "))?;
    let cells: Vec<String> = offers.iter().enumerate().map(|(n, o)| format!("{:>3} {o}", n + 1)).collect();
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 2;
    let columns = (110 / width.max(1)).clamp(1, 6);
    for row in cells.chunks(columns) {
        let line: String = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        writeln!(out, "  {}", line.trim_end())?;
    }
    Ok(())
}

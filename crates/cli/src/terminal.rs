//! A table in the terminal: people at some seats, random players at the others.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use adjutant::kernel::view::{ShownAction, ShownTarget};
use adjutant::kernel::{Refused, SeatId};
use adjutant::text::Text;
use adjutant::{Game, Pack, Random};

use crate::bots::random_move;
use crate::text::board_text;
use crate::words::{pieces_named, words_of};

/// Who sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Somebody at this terminal.
    Person,
    /// A random player.
    Random,
}

/// Looks between two commands whether the pack that is played has changed.
pub trait Reload {
    /// Nothing when it has not; else the pack as it is now, or what is wrong with it.
    fn changed(&mut self) -> Option<Result<Box<Pack>, String>>;
}

/// A game with its players.
pub struct Table {
    game: Game,
    players: BTreeMap<SeatId, Player>,
    random: Random,
    text: Text,
    reload: Option<Box<dyn Reload>>,
    /// Show the kernel's details in the log too.
    pub details: bool,
    /// Several people share this terminal: when another is to look, wait for him and clear the screen.
    pub hot_seat: bool,
    /// How many batches of its log each seat has been shown.
    shown: BTreeMap<SeatId, usize>,
}

/// Clears the screen and goes to its top.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

const HELP: &str = "\
  a number   do what is listed under it
  b          show the board again
  o          list again what may be done
  u          take your last decision back
  l          show the whole log
  why VERB TARGETS...   why may I not do that? (names with blanks in quotes, or the number of an offer)
  save FILE  write the game to a file (it holds everything hidden)
  load FILE  go on from a game in a file, by the same rules
  q          quit
In the board and the list: abcd=aF2 is the body with handle abcd, known to be aF2; abcd?8 may be any of
eight pieces; ^ is face up; /abcd is a stack.";

impl Table {
    /// Seats players at a game; seats that are not named play at random.
    pub fn new(game: Game, players: BTreeMap<SeatId, Player>, seed: u64) -> Self {
        Self {
            game,
            players,
            random: Random::new(seed),
            text: Text::default(),
            reload: None,
            details: false,
            hot_seat: false,
            shown: BTreeMap::new(),
        }
    }

    /// The same table with texts of a pack.
    #[must_use]
    pub fn with_text(mut self, text: Text) -> Self {
        self.text = text;
        self
    }

    /// The same table; a pack that has changed and checks clean is taken over between two commands.
    #[must_use]
    pub fn with_reload(mut self, reload: Box<dyn Reload>) -> Self {
        self.reload = Some(reload);
        self
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
        let mut board_for = None;
        let mut looking = None;
        while !self.game.ended() {
            let asked = self.asked();
            let person = asked.iter().copied().find(|&s| self.player(s) == Player::Person);
            let robot = asked.iter().copied().find(|&s| self.player(s) == Player::Random);
            match (robot, person) {
                (Some(seat), _) => {
                    if let Err(refused) = random_move(&mut self.game, seat, &mut self.random) {
                        return writeln!(out, "the game cannot go on: {refused}");
                    }
                }
                (None, Some(seat)) => {
                    if !self.hand_over(looking.replace(seat), seat, input, out)? {
                        return Ok(());
                    }
                    self.show_log(seat, out)?;
                    let version = self.game.version(seat);
                    if board_for != Some((seat, version)) {
                        self.show_board(seat, out)?;
                    }
                    if !self.ask(seat, input, out)? {
                        return Ok(());
                    }
                    // After an own step of a draft the board is as before but for that step.
                    board_for = Some((seat, self.game.version(seat))).filter(|_| self.game.may_undo(seat));
                }
                (None, None) => {
                    return writeln!(out, "nobody can act; the umpire has the details");
                }
            }
        }
        let watcher = self.players.keys().copied().find(|&s| self.player(s) == Player::Person);
        let seat = watcher.or_else(|| self.game.rulebook().seat_ids().next());
        if let Some(seat) = seat {
            self.show_log(seat, out)?;
            self.show_board(seat, out)?;
        }
        writeln!(out, "{} decisions, digest {}", self.game.journal().len(), self.game.digest())
    }

    /// Takes over a pack that has changed, if the game so far can be played by it; else says why not and goes on
    /// as before. Whether it was taken over.
    fn take_over(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        match self.reload.as_mut().and_then(|reload| reload.changed()) {
            None => Ok(false),
            Some(Err(text)) => {
                writeln!(out, "  the pack has changed and is wrong; the game goes on as before:\n{text}")?;
                Ok(false)
            }
            Some(Ok(pack)) => match Game::upgrade(&*pack, &self.game.save()) {
                Ok(game) => {
                    self.game = game;
                    self.text = pack.text("en");
                    writeln!(out, "  the pack has changed; the game goes on by it")?;
                    Ok(true)
                }
                Err(error) => {
                    writeln!(out, "  the pack has changed; the game goes on as before, for {error}")?;
                    Ok(false)
                }
            },
        }
    }

    /// Lets another person come to the screen, if people share it; `false` when the input is over.
    fn hand_over(
        &self,
        from: Option<SeatId>,
        to: SeatId,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        if !self.hot_seat || from.is_none_or(|seat| seat == to) {
            return Ok(true);
        }
        let name = &self.game.rulebook().seat(to).name;
        write!(out, "{CLEAR}it is for {name} to look; press Enter> ")?;
        out.flush()?;
        let read = input.read_until(b'\n', &mut Vec::new())?;
        write!(out, "{CLEAR}")?;
        Ok(read > 0)
    }

    fn show_log(&mut self, seat: SeatId, out: &mut dyn Write) -> io::Result<()> {
        let log = self.game.log(seat);
        let from = self.shown.insert(seat, log.len()).unwrap_or(0);
        for event in log[from.min(log.len())..].iter().flatten() {
            if self.details || !event.detail {
                writeln!(out, "  . {}", self.text.event(event))?;
            }
        }
        Ok(())
    }

    fn show_board(&mut self, seat: SeatId, out: &mut dyn Write) -> io::Result<()> {
        let view = self.game.view(seat);
        writeln!(out, "\n{}", board_text(self.game.rulebook(), seat, &view.position, &self.text))
    }

    /// Reads an action as it is listed: the number of an offer, its text, or a verb and targets in whatever
    /// reading means most to the seat.
    fn read_action(&mut self, seat: SeatId, words: &[&str], offers: &[ShownAction]) -> ShownAction {
        let text = words.join(" ");
        let by_number = text.parse::<usize>().ok().and_then(|n| offers.get(n.wrapping_sub(1)));
        if let Some(offer) = by_number.or_else(|| offers.iter().find(|o| o.to_string() == text)) {
            return offer.clone();
        }
        let words = words_of(&text);
        let Some(verb) = words.first() else { return ShownAction { verb: text, targets: Vec::new() } };
        let position = self.game.view(seat).position;
        let known = adjutant::text::known(&position);
        let mut actions = vec![ShownAction { verb: verb.clone(), targets: Vec::new() }];
        for word in words[1..].iter().take(4) {
            let longer = |a: &ShownAction| {
                let with = |target| {
                    let mut action = a.clone();
                    action.targets.push(target);
                    action
                };
                pieces_named(word, &known).into_iter().chain(readings(word)).map(with).collect::<Vec<_>>()
            };
            let means = |a: &ShownAction| !matches!(self.game.explain(seat, a), Some(Refused::Unknown(_)));
            let (good, bad): (Vec<_>, Vec<_>) = actions.iter().flat_map(longer).partition(means);
            actions = if good.is_empty() { bad } else { good };
            actions.truncate(16);
        }
        let rank = |a: &ShownAction| match self.game.explain(seat, a) {
            None => 0,
            Some(Refused::Rule { .. }) => 1,
            Some(Refused::Unknown(_)) => 3,
            Some(_) => 2,
        };
        actions.into_iter().min_by_key(rank).unwrap_or(ShownAction { verb: text, targets: Vec::new() })
    }

    /// Asks a person; `false` to quit.
    fn ask(&mut self, seat: SeatId, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let offers = self.game.offers(seat);
        let view = self.game.view(seat);
        let name = &view.seat;
        let prompt = view.position.prompt.as_ref().map_or_else(|| "act".to_owned(), |p| self.text.prompt(p));
        let texts: Vec<String> = offers.iter().map(|o| self.text.action_in(o, &view.position)).collect();
        list(&texts, &prompt, name, out)?;
        loop {
            write!(out, "{name}{}> ", if view.undo { " (u: undo)" } else { "" })?;
            out.flush()?;
            let mut bytes = Vec::new();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                writeln!(out)?;
                return Ok(false);
            }
            let line = String::from_utf8_lossy(&bytes);
            // Numbers of offers may mean something else by other rules: the seat is asked anew.
            if self.take_over(out)? {
                return Ok(true);
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["q" | "quit"] => return Ok(false),
                ["?" | "h" | "help"] => writeln!(out, "{HELP}")?,
                ["b"] => self.show_board(seat, out)?,
                ["o"] => list(&texts, "again", name, out)?,
                ["l"] => {
                    for event in self.game.log(seat).iter().flatten() {
                        if self.details || !event.detail {
                            writeln!(out, "  . {}", self.text.event(event))?;
                        }
                    }
                }
                ["u" | "undo"] => match self.game.undo(seat) {
                    Ok(()) => return Ok(true),
                    Err(refused) => writeln!(out, "  {}", self.text.refused(&refused))?,
                },
                [command @ ("save" | "load")] => writeln!(out, "  {command} FILE: name the file")?,
                ["save", ..] => {
                    let file = argument(&line);
                    match self.game.save_to(file) {
                        Ok(()) => writeln!(out, "  saved as {file}; it holds everything hidden")?,
                        Err(error) => writeln!(out, "  {error}")?,
                    }
                }
                ["load", ..] => match Game::load_from(self.game.rulebook(), argument(&line)) {
                    Ok(game) => {
                        self.game = game;
                        self.shown.clear();
                        return Ok(true);
                    }
                    Err(error) => writeln!(out, "  {error}")?,
                },
                ["why", words @ ..] if !words.is_empty() => {
                    let action = self.read_action(seat, words, &offers);
                    match self.game.explain(seat, &action) {
                        Some(refused) => {
                            writeln!(
                                out,
                                "  {}: {}",
                                self.text.action_in(&action, &view.position),
                                self.text.refused(&refused)
                            )?;
                        }
                        None => writeln!(out, "  {}: you may", self.text.action_in(&action, &view.position))?,
                    }
                }
                [number] => match number.parse::<usize>().ok().and_then(|n| offers.get(n.wrapping_sub(1))) {
                    Some(action) => match self.game.act(seat, Some(view.version), action) {
                        Ok(_) => return Ok(true),
                        Err(refused) => writeln!(out, "  {}", self.text.refused(&refused))?,
                    },
                    None => writeln!(out, "  a number from 1 to {}, or ? for help", offers.len())?,
                },
                _ => writeln!(out, "  a number from 1 to {}, or ? for help", offers.len())?,
            }
        }
    }
}

/// What follows the first word of a line.
fn argument(line: &str) -> &str {
    line.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
}

/// The readings of a word as a target.
fn readings(word: &str) -> Vec<ShownTarget> {
    let text = word.trim_start_matches('/').to_owned();
    let mut all = Vec::new();
    if let Ok(number) = word.parse() {
        all.push(ShownTarget::Number(number));
    }
    all.extend([
        ShownTarget::Stack(text.clone()),
        ShownTarget::Body(text.clone()),
        ShownTarget::Link(text.clone()),
        ShownTarget::Place(text.clone()),
        ShownTarget::Choice(text.clone()),
        ShownTarget::Piece(text.clone()),
        ShownTarget::Side(text),
    ]);
    all
}

fn list(offers: &[String], prompt: &str, seat: &str, out: &mut dyn Write) -> io::Result<()> {
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

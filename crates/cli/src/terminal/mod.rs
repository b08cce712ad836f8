//! A table in the terminal: people at some seats, random players at the others.

mod ask;
mod read;
mod show;
mod umpire;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read as _, Write};

use adjutant::kernel::SeatId;
use adjutant::text::Text;
use adjutant::{Game, Pack, Random};

use crate::bots::random_move;
use crate::plain::Screen;

/// Who sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Somebody at this terminal.
    Person,
    /// A random player.
    Random,
}

/// How playing came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The game is over.
    Over,
    /// Somebody quit, or the input ended.
    Quit,
    /// The rules are at fault, and nobody mended it: this is wrong.
    Stuck(String),
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
    host: Option<Box<dyn Write>>,
    /// Show the kernel's details in the log too.
    pub details: bool,
    /// Several people share this terminal: when another is to look who may not see all that the last one saw, wait
    /// for him and clear the screen.
    pub hot_seat: bool,
    /// How many batches of its log each seat has been shown.
    shown: BTreeMap<SeatId, usize>,
    board: Option<show::Shown>,
    drafts: show::Drafts,
    /// Files that this table has written or read, which it may write again.
    files: BTreeSet<String>,
    /// How many entries of the journal the last file that was written or read holds.
    kept: usize,
    /// With how many entries somebody was told that leaving loses them.
    warned: usize,
    /// A line that was typed before the rules changed.
    typed: Option<String>,
    /// How many decisions random players may make before an umpire who sits here alone is asked again.
    going: usize,
}

/// Bytes of a line that somebody types, at most.
const LONGEST_LINE: u64 = 1 << 16;

impl Table {
    /// Seats players at a game; seats that are not named play at random.
    pub fn new(game: Game, players: BTreeMap<SeatId, Player>, seed: u64) -> Self {
        Self {
            game,
            players,
            random: Random::new(seed),
            text: Text::default(),
            reload: None,
            host: None,
            details: false,
            hot_seat: false,
            shown: BTreeMap::new(),
            board: None,
            drafts: BTreeMap::new(),
            files: BTreeSet::new(),
            kept: 0,
            warned: 0,
            typed: None,
            going: 0,
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

    /// The same table; what is wrong with the rules is written here, as soon as it is met. It may tell of anything
    /// hidden: it is for whoever makes the rules.
    #[must_use]
    pub fn with_host(mut self, host: Box<dyn Write>) -> Self {
        self.host = Some(host);
        self
    }

    /// The same table; this file is the one that the game came from, and may be written again.
    #[must_use]
    pub fn with_file(mut self, file: &std::path::Path) -> Self {
        self.files.insert(file.display().to_string());
        self.kept = self.game.entries();
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
    pub fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<End> {
        let out = &mut Screen(out);
        let mut board_for = None;
        let mut looking = None;
        while !self.game.ended() {
            let asked = self.asked();
            let person = asked.iter().copied().find(|&s| self.player(s) == Player::Person);
            let robot = asked.iter().copied().find(|&s| self.player(s) == Player::Random);
            match (robot, person) {
                (Some(seat), _) => {
                    if let Some(umpire) = self.watching().filter(|_| self.going == 0) {
                        match self.watch(umpire, input, out)? {
                            Some(0) => continue,
                            Some(going) => self.going = going,
                            None => return Ok(End::Quit),
                        }
                    }
                    self.going = self.going.saturating_sub(1);
                    if let Err(refused) = random_move(&mut self.game, seat, &mut self.random)
                        && let Some(end) = self.stuck(Some((seat, refused)), input, out)?
                    {
                        return Ok(end);
                    }
                }
                (None, Some(seat)) => {
                    self.going = 0;
                    if !self.hand_over(looking.replace(seat), seat, input, out)? {
                        return Ok(End::Quit);
                    }
                    self.show_log(seat, out)?;
                    let version = self.game.version(seat);
                    // After an own step of a draft the board is as before but for that step.
                    if board_for == Some((seat, version)) {
                        self.show_step(seat, out)?;
                    } else {
                        self.show_changes(seat, out)?;
                    }
                    if !self.ask(seat, input, out)? {
                        return Ok(End::Quit);
                    }
                    board_for = Some((seat, self.game.version(seat))).filter(|_| self.game.may_undo(seat));
                }
                (None, None) => {
                    if let Some(end) = self.stuck(None, input, out)? {
                        return Ok(end);
                    }
                }
            }
        }
        self.drafts.clear();
        if let Some(seat) = self.onlooker() {
            self.show_log(seat, out)?;
            self.show_board(seat, out)?;
        }
        writeln!(out, "{} decisions, digest {}", self.game.journal().len(), self.game.digest())?;
        Ok(End::Over)
    }

    /// Whoever looks at the terminal while nobody at it is asked.
    fn onlooker(&self) -> Option<SeatId> {
        let person = self.players.keys().copied().find(|&s| self.player(s) == Player::Person);
        person.or_else(|| self.game.rulebook().seat_ids().next())
    }

    /// Takes over a pack that has changed, if the game so far can be played by it; else says why not and goes on
    /// as before. Whether it was taken over.
    fn take_over(&mut self, out: &mut Screen<'_>) -> io::Result<bool> {
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
                    self.board = None;
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
        &mut self,
        from: Option<SeatId>,
        to: SeatId,
        input: &mut dyn BufRead,
        out: &mut Screen<'_>,
    ) -> io::Result<bool> {
        let Some(from) = from.filter(|&from| from != to) else { return Ok(true) };
        if !self.hot_seat || !self.hides(from, to) {
            return Ok(true);
        }
        self.board = None;
        let name = &self.game.rulebook().seat(to).name;
        out.clear()?;
        write!(out, "it is for {name} to look; press Enter> ")?;
        out.flush()?;
        let read = read_line(input, &mut Vec::new())?;
        out.clear()?;
        Ok(read > 0)
    }
}

/// Reads a line. Of one that is too long the rest is passed over.
fn read_line(input: &mut dyn BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let read = (&mut *input).take(LONGEST_LINE).read_until(b'\n', bytes)?;
    let mut ended = bytes.ends_with(b"\n") || read < LONGEST_LINE as usize;
    while !ended {
        let mut rest = Vec::new();
        let passed = (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut rest)?;
        ended = passed == 0 || rest.ends_with(b"\n");
    }
    Ok(read)
}

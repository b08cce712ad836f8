//! Asking a person: the commands.

use std::io::{self, BufRead, Write as _};

use adjutant::Game;
use adjutant::kernel::suggest::nearest;
use adjutant::kernel::view::{ShownAction, ShownTarget, View};
use adjutant::kernel::{Refused, SeatId};
use adjutant::text::known;

use super::read::argument;
use super::show::list;
use super::{End, Table, read_line, umpire};
use crate::plain::Screen;
use crate::words::words_of;

const HELP: &str = "\
  a number   do what is listed under it; its verb and targets do it too (names with blanks in quotes)
  b          show the board again
  o          list again what may be done
  v          list it as verbs and targets, as they are typed
  u, undo    take your last decision back
  l          show the whole log
  why VERB TARGETS...   why may I not do that? (or the number of an offer)
  f          what is wrong with the rules, if anything was
  save FILE  write the game to a file (it holds everything hidden); save! FILE writes over another
  load FILE  go on from a game in a file, by the same rules
  q, quit, exit
In the board and the list: abcd=aF2 is the body with handle abcd, known to be aF2; abcd?8 may be any of
eight pieces; ^ is face up; /abcd is a stack.";

const HELP_STUCK: &str = "\
  r          let random players try something else
  u          take the last decision back that may be
  f          what is wrong with the rules
  save FILE, load FILE, b, l   as ever
  q          quit";

/// Letters of a line that are said again, at most.
const MOST_REPEATED: usize = 80;

/// What became of a line.
pub(super) enum Done {
    /// It is none of the commands that can be given whenever.
    No,
    /// It was answered.
    Answered,
    /// The position is another now, or may be.
    Changed,
    /// Somebody quits.
    Quit,
}

/// An action as it is typed, pieces that the seat knows by their names.
fn typed(action: &ShownAction, view: &View) -> String {
    let known = known(view);
    let word = |text: String| if text.contains(char::is_whitespace) { format!("\"{text}\"") } else { text };
    let target = |target: &ShownTarget| match target {
        ShownTarget::Body(handle) => known.get(handle.as_str()).map_or(handle.as_str(), |n| n).to_owned(),
        ShownTarget::Stack(handle) => {
            format!("/{}", known.get(handle.as_str()).map_or(handle.as_str(), |n| n))
        }
        other => other.to_string(),
    };
    let targets = action.targets.iter().map(|t| format!(" {}", word(target(t))));
    word(action.verb.clone()) + &targets.collect::<String>()
}

/// What to say of a line that is none of the offers.
fn not_listed(text: &str, offers: &[ShownAction], view: &View) -> String {
    let wanted = words_of(text);
    let same_verb =
        |offer: &&ShownAction| wanted.first().is_some_and(|verb| offer.verb.eq_ignore_ascii_case(verb));
    let alike: Vec<String> = offers.iter().filter(same_verb).map(|offer| typed(offer, view)).collect();
    if alike.is_empty() {
        return format!("a number from 1 to {}, or ? for help", offers.len());
    }
    match nearest(text, alike.iter().map(String::as_str)) {
        Some(near) => format!("that is not listed; did you mean `{near}`?"),
        None => {
            let more = if alike.len() > 6 { ", ... (v lists all)" } else { "" };
            let some: Vec<String> = alike.iter().take(6).map(|offer| format!("`{offer}`")).collect();
            format!("that is not listed; there are {}{more}", some.join(", "))
        }
    }
}

impl Table {
    /// Asks a person; `false` to quit.
    pub(super) fn ask(
        &mut self,
        seat: SeatId,
        input: &mut dyn BufRead,
        out: &mut Screen<'_>,
    ) -> io::Result<bool> {
        if !self.game.may_undo(seat) {
            self.drafts.remove(&seat);
        }
        let offers = self.game.offers(seat);
        let view = self.game.view(seat);
        let name = &view.seat;
        let prompt = view.position.prompt.as_ref().map_or_else(|| "act".to_owned(), |p| self.text.prompt(p));
        let texts: Vec<String> = offers.iter().map(|o| self.in_words(o, &view.position)).collect();
        list(&texts, &prompt, name, out)?;
        loop {
            let who = if view.undo { format!("{name} (u: undo)") } else { name.clone() };
            let Some(line) = self.line(&who, input, out)? else { return Ok(false) };
            if self.take_over(out)? {
                self.keep(line, out)?;
                return Ok(true);
            }
            match self.command(seat, &line, out)? {
                Done::Answered => continue,
                Done::Changed => return Ok(true),
                Done::Quit => return Ok(false),
                Done::No => {}
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["?" | "h" | "help"] => {
                    writeln!(out, "{HELP}")?;
                    if self.has_umpire() {
                        writeln!(out, "{}", umpire::HELP)?;
                    }
                }
                ["o"] => list(&texts, "again", name, out)?,
                ["v"] => {
                    let typed: Vec<String> = offers.iter().map(|o| typed(o, &view.position)).collect();
                    list(&typed, "as typed", name, out)?;
                }
                ["u" | "undo"] => match self.game.undo(seat) {
                    Ok(()) => {
                        self.drafts.entry(seat).or_default().pop();
                        return Ok(true);
                    }
                    Err(refused) => self.say_refused(Some(seat), "", &refused, out)?,
                },
                ["why", number] if number.parse::<usize>().is_ok_and(|n| n == 0 || n > offers.len()) => {
                    writeln!(out, "  there is no offer {number}; they go from 1 to {}", offers.len())?;
                }
                ["why", _, ..] => {
                    let text = line.trim().trim_start_matches("why").trim();
                    let action = self.read_action(seat, text, &offers);
                    let words = self.in_words(&action, &view.position);
                    match self.game.explain(seat, &action) {
                        Some(refused) => {
                            self.say_refused(Some(seat), &format!("{words}: "), &refused, out)?;
                        }
                        None => writeln!(out, "  {words}: you may")?,
                    }
                }
                _ => {
                    if self.do_as_typed(seat, line.trim(), &offers, out)? {
                        return Ok(true);
                    }
                }
            }
        }
    }
    /// Does what is listed under a number, or what a verb and targets say; whether it was done.
    fn do_as_typed(
        &mut self,
        seat: SeatId,
        text: &str,
        offers: &[ShownAction],
        out: &mut Screen<'_>,
    ) -> io::Result<bool> {
        let action = self.read_action(seat, text, offers);
        let judged = self.game.explain(seat, &action);
        let view = self.game.view(seat);
        if let Some(refused @ (Refused::Unknown(_) | Refused::NotOffered)) = &judged {
            let mut said = not_listed(text, offers, &view.position);
            // A verb of the game that is not among the offers is told from a slip of the pen.
            let listed = offers.iter().any(|offer| offer.verb.eq_ignore_ascii_case(&action.verb));
            if *refused == Refused::NotOffered && !listed {
                let typed: String = text.chars().take(MOST_REPEATED).collect();
                said = format!("{typed}: {}; {said}", self.text.refused(refused));
            }
            writeln!(out, "  {said}")?;
            return Ok(false);
        }
        let words = self.in_words(&action, &view.position);
        match self.game.act(seat, Some(view.version), &action) {
            Ok(_) => {
                writeln!(out, "  done: {words}")?;
                if self.game.may_undo(seat) {
                    self.drafts.entry(seat).or_default().push(words);
                }
                Ok(true)
            }
            Err(refused) => self.say_refused(Some(seat), "", &refused, out).map(|()| false),
        }
    }

    /// Tells that the game cannot go on - by what a random player was refused, or because nobody can act - and asks
    /// what to do; the end, if that is nothing.
    pub(super) fn stuck(
        &mut self,
        refused: Option<(SeatId, Refused)>,
        input: &mut dyn BufRead,
        out: &mut Screen<'_>,
    ) -> io::Result<Option<End>> {
        let (who, what) = match &refused {
            Some((seat, refused)) => {
                let fault = match refused {
                    Refused::Fault(number) => self.game.fault(Some(*seat), *number),
                    _ => None,
                };
                let what = fault.map_or_else(|| refused.to_string(), ToString::to_string);
                (self.game.rulebook().seat(*seat).name.clone(), what)
            }
            None => {
                let what = self.game.faults().last().map(|note| note.fault.to_string());
                ("nobody can act".to_owned(), what.unwrap_or_else(|| "nobody is offered anything".to_owned()))
            }
        };
        writeln!(out, "the game cannot go on ({who}): the rules are at fault; ? for what can be done")?;
        out.flush()?;
        self.tell_host(&format!("{who}: {what}"))?;
        let end = Ok(Some(End::Stuck(format!("the rules are at fault ({who}): {what}"))));
        let Some(seat) = self.onlooker() else { return end };
        loop {
            let Some(line) = self.line("the game cannot go on", input, out)? else { return end };
            if self.take_over(out)? {
                self.keep(line, out)?;
                return Ok(None);
            }
            match self.command(seat, &line, out)? {
                Done::Answered => continue,
                Done::Changed => return Ok(None),
                Done::Quit => return end,
                Done::No => {}
            }
            match line.trim() {
                "" => {}
                "r" if refused.is_some() => return Ok(None),
                "u" | "undo" => {
                    let seats: Vec<SeatId> = self.game.rulebook().seat_ids().collect();
                    match seats.into_iter().find(|&seat| self.game.may_undo(seat)) {
                        Some(seat) => {
                            if self.game.undo(seat).is_ok() {
                                self.drafts.entry(seat).or_default().pop();
                                return Ok(None);
                            }
                        }
                        None => self.say_refused(None, "", &Refused::NothingToUndo, out)?,
                    }
                }
                _ => writeln!(out, "{HELP_STUCK}")?,
            }
        }
    }

    /// The next line; nothing when the input is over.
    pub(super) fn line(
        &mut self,
        who: &str,
        input: &mut dyn BufRead,
        out: &mut Screen<'_>,
    ) -> io::Result<Option<String>> {
        write!(out, "{who}> ")?;
        out.flush()?;
        if let Some(line) = self.typed.take() {
            writeln!(out, "{}", line.trim_end())?;
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        if read_line(input, &mut bytes)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Keeps a line that was typed before the rules changed; a number may mean something else by them.
    pub(super) fn keep(&mut self, line: String, out: &mut Screen<'_>) -> io::Result<()> {
        if line.trim().parse::<usize>().is_ok() {
            return writeln!(out, "  {} was the number of another list: type it again", line.trim());
        }
        self.typed = Some(line);
        Ok(())
    }

    /// Does what can be done whenever somebody may type something.
    pub(super) fn command(&mut self, seat: SeatId, line: &str, out: &mut Screen<'_>) -> io::Result<Done> {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if let [word] = &mut words[..]
            && ["q", "quit", "exit"].iter().any(|quit| quit.eq_ignore_ascii_case(word))
        {
            *word = "q";
        }
        match words.as_slice() {
            ["q!" | "quit!"] => return Ok(Done::Quit),
            ["q" | "quit"] => {
                let entries = self.game.entries();
                if entries <= self.kept || self.warned == entries {
                    return Ok(Done::Quit);
                }
                self.warned = entries;
                let lost = entries - self.kept;
                writeln!(out, "  not saved: {lost} decisions; `save FILE` keeps them, `q` again leaves")?;
            }
            ["b"] => self.show_board(seat, out)?,
            ["l"] => self.write_log(seat, 0, out)?,
            ["f"] => self.show_faults(out)?,
            [command @ ("save" | "save!" | "load")] => writeln!(out, "  {command} FILE: name the file")?,
            [command @ ("save" | "save!"), ..] => self.save(argument(line), *command == "save!", out)?,
            ["load", ..] => match Game::load_from(self.game.rules(), argument(line)) {
                Ok(game) => {
                    self.game = game;
                    self.shown.clear();
                    self.drafts.clear();
                    self.board = None;
                    self.files.insert(argument(line).to_owned());
                    self.kept = self.game.entries();
                    return Ok(Done::Changed);
                }
                Err(error) => writeln!(out, "  {error}")?,
            },
            ["umpire", ..] if self.has_umpire() => {
                if self.umpire(argument(line), out)? {
                    return Ok(Done::Changed);
                }
            }
            _ => return Ok(Done::No),
        }
        Ok(Done::Answered)
    }

    fn save(&mut self, file: &str, over: bool, out: &mut Screen<'_>) -> io::Result<()> {
        if !over && !self.files.contains(file) && std::path::Path::new(file).exists() {
            return writeln!(out, "  {file} is there already; `save! {file}` writes over it");
        }
        match self.game.save_to(file) {
            Ok(()) => {
                self.files.insert(file.to_owned());
                self.kept = self.game.entries();
                writeln!(out, "  saved as {file}; it holds everything hidden")
            }
            Err(error) => writeln!(out, "  {error}"),
        }
    }
}

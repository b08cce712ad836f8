//! Text of packs, saves and command lines on a terminal: what it would take for a command is spelled out.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Clears the screen and goes to its top.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Whether a terminal may take a character for more than a character: it moves, colours, rings, or turns the
/// direction of the text around.
fn commands(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text without commands to a terminal: they are spelled out, as in `\u{1b}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if commands(c) {
            let _ = write!(out, "{}", c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A terminal on which only what is [`plain`] is written, and which can be cleared.
pub(crate) struct Screen<'a>(pub(crate) &'a mut dyn Write);

impl Screen<'_> {
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.0.write_all(CLEAR.as_bytes())
    }
}

impl Write for Screen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(plain(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_a_terminal_are_spelled_out() {
        assert_eq!(plain("Löwe\tund\n\u{1f981}"), "Löwe\tund\n\u{1f981}");
        assert_eq!(plain("a\x1b[2Jb\r\u{9b}\x07"), "a\\u{1b}[2Jb\\u{d}\\u{9b}\\u{7}");
        assert_eq!(plain("\u{202e}drow"), "\\u{202e}drow");
        let mut out = Vec::new();
        let mut screen = Screen(&mut out);
        let home = "\x1b[H";
        write!(screen, "{home}-").expect("it is written");
        screen.clear().expect("it is written");
        assert_eq!(out, format!("\\u{{1b}}[H-{CLEAR}").as_bytes());
    }
}

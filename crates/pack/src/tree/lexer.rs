//! The words of RON.

use super::parser::MOST_PROBLEMS;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// A word with its place.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: Kind,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// One of `( ) [ ] { } , :`.
    Sign(char),
    Word(String),
    Text(String),
    Number(i64),
    Decimal(String),
    /// What cannot be a word; it was reported.
    Broken,
    End,
}

impl Kind {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Sign(c) => format!("`{c}`"),
            Self::Word(word) => format!("`{word}`"),
            Self::Text(text) => format!("the text {:?}", shorten(text)),
            Self::Number(number) => format!("the number {number}"),
            Self::Decimal(text) => format!("the number {text}"),
            Self::Broken => "something unreadable".to_owned(),
            Self::End => "the end of the file".to_owned(),
        }
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(30) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// Splits a file into words. What cannot be a word is reported and left out; a file with more such places than are
/// reported is read no further.
pub(super) fn words(file: FileId, text: &str, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { file, text, at: 0, problems };
    let mut tokens = Vec::new();
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    loop {
        lexer.skip_blank();
        let start = lexer.at;
        let Some(c) = lexer.peek().filter(|_| lexer.problems.len() < MOST_PROBLEMS) else {
            tokens.push(Token { span: lexer.span(start), kind: Kind::End });
            return tokens;
        };
        if let Some(kind) = lexer.word(c) {
            tokens.push(Token { span: lexer.span(start), kind });
        }
    }
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    problems: &'a mut Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn problem(&mut self, start: usize, message: impl Into<String>, help: &str) {
        let span = self.span(start);
        self.problems.push(Diagnostic::error("syntax", span, message).help(help));
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                // Old editors end lines in a carriage return alone.
                self.at += trimmed.find(['\n', '\r']).unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.skip_block();
            } else {
                return;
            }
        }
    }

    fn skip_block(&mut self) {
        let start = self.at;
        let mut depth = 0;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else if self.next().is_none() {
                self.at = start + 2;
                self.problem(start, "this comment is never closed", "close it with `*/`");
                self.at = self.text.len();
                return;
            }
        }
    }

    fn word(&mut self, c: char) -> Option<Kind> {
        let start = self.at;
        match c {
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':' => {
                self.next();
                Some(Kind::Sign(c))
            }
            '"' => self.quoted(),
            '\'' => self.character(),
            'r' if self.rest().starts_with("r\"") || self.rest().starts_with("r#") => self.raw(),
            'b' if self.rest().starts_with("b\"") || self.rest().starts_with("b'") => {
                self.next();
                self.problem(start, "byte strings are not used in packs", "drop the `b`");
                None
            }
            '-' | '+' | '.' | '0'..='9' => self.number(),
            c if is_word_start(c) => {
                while self.peek().is_some_and(is_word) {
                    self.next();
                }
                Some(Kind::Word(self.text[start..self.at].to_owned()))
            }
            '#' if self.rest().starts_with("#!") => {
                let end = self.rest().find(']').map_or(self.text.len(), |n| self.at + n + 1);
                self.at = end;
                self.problem(
                    start,
                    "RON extensions are not used in packs",
                    "leave it out; `Some(..)` need not be written anyway",
                );
                None
            }
            '=' => {
                self.next();
                self.problem(start, "`=` has no meaning here", "write `:`");
                Some(Kind::Sign(':'))
            }
            _ => {
                self.next();
                self.problem(start, format!("`{}` has no meaning here", c.escape_debug()), "");
                None
            }
        }
    }

    fn quoted(&mut self) -> Option<Kind> {
        let start = self.at;
        self.next();
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.next() {
                Some('"') => return Some(Kind::Text(text)),
                Some('\\') => match self.escape() {
                    Some(c) => text.push(c),
                    None => self.problem(
                        at,
                        "this escape has no meaning",
                        "the escapes are \\n \\t \\r \\0 \\\\ \\\" \\' \\x41 \\u{41}",
                    ),
                },
                Some(c) => text.push(c),
                None => {
                    self.at = start + 1;
                    self.problem(start, "this text is never closed", "close it with `\"`");
                    self.at = self.text.len();
                    return Some(Kind::Text(text));
                }
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        match self.next()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '0' => Some('\0'),
            c @ ('\\' | '"' | '\'') => Some(c),
            'x' => {
                let digits = self.rest().get(..2)?;
                let c = u8::from_str_radix(digits, 16).ok()?;
                self.at += 2;
                Some(char::from(c))
            }
            'u' => {
                let inner = self.rest().strip_prefix('{')?;
                let digits = inner.get(..inner.find('}')?)?.to_owned();
                let c = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
                self.at += digits.len() + 2;
                Some(c)
            }
            _ => None,
        }
    }

    fn character(&mut self) -> Option<Kind> {
        let start = self.at;
        self.next();
        let c = match self.next() {
            Some('\\') => self.escape(),
            Some('\'' | '\n') | None => None,
            c => c,
        };
        if let Some(c) = c
            && self.rest().starts_with('\'')
        {
            self.next();
            return Some(Kind::Text(c.to_string()));
        }
        self.problem(start, "this is no character", "texts stand in double quotes");
        Some(Kind::Broken)
    }

    fn raw(&mut self) -> Option<Kind> {
        let start = self.at;
        let hashes = self.rest()[1..].chars().take_while(|c| *c == '#').count();
        let body = &self.rest()[1 + hashes..];
        let Some(inner) = body.strip_prefix('"') else {
            self.at += 1 + hashes;
            self.problem(start, "`r#` begins neither a raw text nor a name", "write r#\"..\"#");
            return None;
        };
        let close = format!("\"{}", "#".repeat(hashes));
        match inner.find(&close) {
            Some(end) => {
                let text = inner[..end].to_owned();
                self.at += 2 + hashes + end + close.len();
                Some(Kind::Text(text))
            }
            None => {
                self.at = start + 2 + hashes;
                self.problem(start, "this text is never closed", &format!("close it with `{close}`"));
                self.at = self.text.len();
                None
            }
        }
    }

    fn number(&mut self) -> Option<Kind> {
        let start = self.at;
        self.next();
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
            self.next();
        }
        let written = self.text[start..self.at].to_owned();
        let plain = written.replace('_', "");
        let (sign, digits) = match plain.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, plain.strip_prefix('+').unwrap_or(&plain)),
        };
        let radix = |prefix: &str, radix| {
            digits.strip_prefix(prefix).and_then(|d| i64::from_str_radix(d, radix).ok()).filter(|n| *n >= 0)
        };
        let whole = radix("0x", 16)
            .or_else(|| radix("0o", 8))
            .or_else(|| radix("0b", 2))
            .or_else(|| if digits.starts_with(['-', '+']) { None } else { digits.parse::<i64>().ok() });
        if let Some(number) = whole {
            return Some(Kind::Number(sign * number));
        }
        let decimal = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && !digits.contains(|c: char| c.is_ascii_alphabetic())
            && digits.matches('.').count() <= 1
            && digits.contains(|c: char| c.is_ascii_digit());
        if decimal {
            return Some(Kind::Decimal(written));
        }
        self.problem(start, format!("`{written}` is no number"), "names and texts stand in double quotes");
        Some(Kind::Broken)
    }
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

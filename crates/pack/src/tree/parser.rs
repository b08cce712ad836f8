//! RON text into a tree. A slip costs the value that it is in, not the file: reading goes on after the next
//! comma, so that one run reports many.

use super::lexer::{Kind, Token, words};
use super::node::{Field, Fields, Node, Value};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// Values within values within values: this deep and no deeper.
const DEEPEST: usize = 64;
/// Problems of one file that are reported; more would only follow from these, and a file of nonsense may have as many
/// as letters.
pub(super) const MOST_PROBLEMS: usize = 12;

/// Reads a file. Values that could not be read are [`Value::Broken`].
///
/// ```
/// use adjutant_pack::source::FileId;
/// use adjutant_pack::tree::parse;
/// let mut problems = Vec::new();
/// let node = parse(FileId(0), "(first: 1, second: #, third: ], fourth: 4)", &mut problems);
/// assert!(!problems.is_empty());
/// assert_eq!(node.field("first").unwrap().node.to_string(), "1"); // what is right is read all the same
/// ```
pub fn parse(file: FileId, text: &str, problems: &mut Vec<Diagnostic>) -> Node {
    let mut found = Vec::new();
    let tokens = words(file, text, &mut found);
    // A text over several lines is rare; before a problem it is likely one that lacks its closing quote.
    let lines = |t: &Token| matches!(&t.kind, Kind::Text(_)) && text[t.span.range()].contains('\n');
    let open_text = tokens.iter().find(|t| lines(t)).map(|t| t.span);
    let mut parser = Parser { tokens, at: 0, depth: 0, ended: false, problems: Vec::new() };
    let node = parser.file();
    found.append(&mut parser.problems);
    found.sort_by_key(|d| d.span.map(|s| s.start));
    match open_text.filter(|open| found.first().and_then(|d| d.span).is_some_and(|s| open.start < s.start)) {
        Some(open) => {
            found.truncate(1);
            let first = found.pop();
            found.extend(first.map(|d| d.and(open, "is this text closed where it should be?")));
        }
        None => found.truncate(MOST_PROBLEMS),
    }
    problems.append(&mut found);
    node
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The end of the file was met inside something and reported.
    ended: bool,
    problems: Vec<Diagnostic>,
}

/// Could not read a value; the problem was reported.
struct Lost;

impl Parser {
    fn file(&mut self) -> Node {
        let span = self.span();
        if self.kind() == &Kind::End {
            self.note(Diagnostic::error("syntax", span, "the file is empty"));
            return Node { span, value: Value::Broken };
        }
        let node = self.value().unwrap_or(Node { span, value: Value::Broken });
        if self.kind() != &Kind::End && self.problems.is_empty() {
            let problem = Diagnostic::error(
                "syntax",
                self.span(),
                format!("expected the end of the file, found {}", self.kind().describe()),
            );
            let help = match &node.value {
                Value::Tuple { .. } | Value::Text(_) => "a file holds one value; wrap the entries in `{ }`",
                _ => "one closing bracket too many above?",
            };
            self.note(problem.help(help));
        }
        node
    }

    /// Notes a problem, unless there are as many as are reported.
    fn note(&mut self, problem: Diagnostic) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn is(&self, sign: char) -> bool {
        self.kind() == &Kind::Sign(sign)
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn value(&mut self) -> Result<Node, Lost> {
        if self.depth == DEEPEST {
            let message = format!("nested more than {DEEPEST} deep");
            self.note(Diagnostic::error("syntax", self.span(), message));
            return Err(Lost);
        }
        self.depth += 1;
        let node = self.value_here();
        self.depth -= 1;
        node
    }

    fn value_here(&mut self) -> Result<Node, Lost> {
        let span = self.span();
        let value = match self.kind().clone() {
            Kind::Text(text) => Value::Text(text),
            Kind::Number(number) => Value::Number(number),
            Kind::Decimal(text) => Value::Decimal(text),
            Kind::Broken => Value::Broken,
            Kind::Word(word) if word == "true" || word == "false" => Value::Flag(word == "true"),
            Kind::Word(word) => {
                self.bump();
                if self.is('(') {
                    return Ok(self.bracketed(span, Some(word)));
                }
                return Ok(Node { span, value: Value::Tuple { name: Some(word), items: Vec::new() } });
            }
            Kind::Sign('(') => return Ok(self.bracketed(span, None)),
            Kind::Sign('[') => return Ok(self.list(span)),
            Kind::Sign('{') => return Ok(self.map(span)),
            Kind::Sign(_) | Kind::End => {
                if !self.ended {
                    let message = format!("expected a value, found {}", self.kind().describe());
                    self.note(Diagnostic::error("syntax", span, message));
                    self.ended = self.kind() == &Kind::End;
                }
                return Err(Lost);
            }
        };
        self.bump();
        Ok(Node { span, value })
    }

    fn list(&mut self, span: Span) -> Node {
        let open = self.bump().span;
        let mut items = Vec::new();
        let end = self.separated(open, ']', |p| {
            let item = p.value()?;
            items.push(item);
            Ok(())
        });
        Node { span: span.to(end), value: Value::List(items) }
    }

    fn map(&mut self, span: Span) -> Node {
        let open = self.bump().span;
        let mut list = Vec::new();
        let end = self.separated(open, '}', |p| {
            let key = p.key()?;
            p.colon(&key.0, "a map")?;
            let node = p.field_value(&mut list, &key)?;
            list.push(Field { key: key.0, key_span: key.1, node });
            Ok(())
        });
        let fields = Fields { name: None, braces: true, list };
        Node { span: span.to(end), value: Value::Fields(fields) }
    }

    /// `(..)` with or without a name before it: fields if the first thing is a word and a colon.
    fn bracketed(&mut self, span: Span, name: Option<String>) -> Node {
        let open = self.bump().span;
        // A word and a value: a colon was forgotten.
        let fields = match (self.kind(), self.tokens.get(self.at + 1).map(|t| &t.kind)) {
            (Kind::Word(_) | Kind::Text(_), Some(Kind::Sign(':'))) => true,
            (Kind::Word(_), Some(next)) => {
                matches!(next, Kind::Word(_) | Kind::Text(_) | Kind::Number(_) | Kind::Sign('[' | '{'))
            }
            _ => false,
        };
        if fields {
            let mut list = Vec::new();
            let end = self.separated(open, ')', |p| {
                let key = p.field_name()?;
                p.colon(&key.0, "a struct")?;
                let node = p.field_value(&mut list, &key)?;
                list.push(Field { key: key.0, key_span: key.1, node });
                Ok(())
            });
            let fields = Fields { name, braces: false, list };
            return Node { span: span.to(end), value: Value::Fields(fields) };
        }
        let mut items = Vec::new();
        let end = self.separated(open, ')', |p| {
            let item = p.value()?;
            items.push(item);
            Ok(())
        });
        Node { span: span.to(end), value: Value::Tuple { name, items } }
    }

    /// The value after a colon; if it is lost, the field is kept as broken, so that its name stays known.
    fn field_value(&mut self, list: &mut Vec<Field>, key: &(String, Span)) -> Result<Node, Lost> {
        self.value().inspect_err(|_| {
            let node = Node { span: key.1, value: Value::Broken };
            list.push(Field { key: key.0.clone(), key_span: key.1, node });
        })
    }

    fn field_name(&mut self) -> Result<(String, Span), Lost> {
        let token = self.tokens[self.at].clone();
        match token.kind {
            Kind::Word(word) => {
                self.bump();
                Ok((word, token.span))
            }
            Kind::Text(text) => {
                let problem = Diagnostic::error(
                    "syntax",
                    token.span,
                    format!("the field name {text:?} stands in quotes"),
                );
                let help = format!("write `{text}:`, or use `{{ }}` if this is a map");
                self.note(problem.help(help));
                Err(Lost)
            }
            other => Err(self.unexpected("a field name", &other)),
        }
    }

    fn key(&mut self) -> Result<(String, Span), Lost> {
        let token = self.tokens[self.at].clone();
        let key = match token.kind {
            Kind::Text(text) | Kind::Word(text) => text,
            Kind::Number(number) => number.to_string(),
            other => return Err(self.unexpected("a key", &other)),
        };
        self.bump();
        Ok((key, token.span))
    }

    fn colon(&mut self, key: &str, what: &str) -> Result<(), Lost> {
        if self.is(':') {
            self.bump();
            return Ok(());
        }
        let found = self.kind().clone();
        let help = format!("{what} has entries `{}: value`", if what == "a map" { "\"key\"" } else { key });
        let problem = self.unexpected_at(&format!("`:` after `{key}`"), &found).help(help);
        self.report(problem, &found);
        Err(Lost)
    }

    fn unexpected(&mut self, wanted: &str, found: &Kind) -> Lost {
        let problem = self.unexpected_at(wanted, found);
        self.report(problem, found);
        Lost
    }

    fn unexpected_at(&self, wanted: &str, found: &Kind) -> Diagnostic {
        let message = format!("expected {wanted}, found {}", found.describe());
        Diagnostic::error("syntax", self.span(), message)
    }

    fn report(&mut self, problem: Diagnostic, found: &Kind) {
        if !self.ended {
            self.note(problem);
            self.ended = found == &Kind::End;
        }
    }

    /// Entries with commas between them up to a closing sign; gives the place of that.
    fn separated(
        &mut self,
        open: Span,
        close: char,
        mut entry: impl FnMut(&mut Self) -> Result<(), Lost>,
    ) -> Span {
        loop {
            if self.is(close) {
                return self.bump().span;
            }
            if let Some(end) = self.wrong_end(open, close) {
                return end;
            }
            if entry(self).is_err() {
                self.skip(close);
                continue;
            }
            if self.is(',') {
                self.bump();
            } else if !self.is(close) && self.wrong_end_ahead().is_none() {
                let found = self.kind().clone();
                let before = self.tokens[self.at.saturating_sub(1)].span;
                let message = format!("expected `,` or `{close}`, found {}", found.describe());
                let problem = Diagnostic::error("syntax", self.span(), message)
                    .and(Span { start: before.end.saturating_sub(1), ..before }, "a comma after this?");
                self.report(problem, &found);
                if self.is(':') {
                    self.skip(close);
                }
            }
        }
    }

    fn wrong_end_ahead(&self) -> Option<char> {
        match self.kind() {
            Kind::Sign(c @ (')' | ']' | '}')) => Some(*c),
            Kind::End => Some(' '),
            _ => None,
        }
    }

    /// Another closing sign than the one wanted, or the end of the file: reported, and taken as the end.
    fn wrong_end(&mut self, open: Span, close: char) -> Option<Span> {
        self.wrong_end_ahead()?;
        let (found, span) = (self.kind().clone(), self.span());
        if !self.ended {
            let message = format!("expected `{close}`, found {}", found.describe());
            let problem = Diagnostic::error("syntax", span, message).and(open, "to close this");
            self.note(problem);
            // Whatever follows a bracket that closes nothing is guesswork.
            self.ended = true;
        }
        if found != Kind::End {
            self.bump();
        }
        Some(span)
    }

    /// Goes on after the next comma of this level, or at its end.
    fn skip(&mut self, close: char) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                Kind::End => return,
                Kind::Sign(',') if depth == 0 => {
                    self.bump();
                    return;
                }
                Kind::Sign(c) if depth == 0 && *c == close => return,
                Kind::Sign('(' | '[' | '{') => depth += 1,
                Kind::Sign(')' | ']' | '}') if depth == 0 => return,
                Kind::Sign(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }
}

//! What is wrong with a script, and where.

use adjutant_kernel::Fault;

/// Something is wrong with a script of a pack.
///
/// ```
/// use adjutant_script::{Program, ScriptProblem};
/// let problems: Vec<ScriptProblem> = Program::compile(&[("scripts/a.luau", "local x =\n")]).unwrap_err();
/// assert_eq!((problems[0].file.as_str(), problems.len()), ("scripts/a.luau", 1));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
#[error("{}: {message}", self.place())]
pub struct ScriptProblem {
    /// The file, as it was given.
    pub file: String,
    /// The line; 0 when only the file is known.
    pub line: u32,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl ScriptProblem {
    /// The file and the line, as far as they are known.
    pub(crate) fn place(&self) -> String {
        if self.line == 0 { self.file.clone() } else { format!("{}:{}", self.file, self.line) }
    }

    pub(crate) fn new(file: &str, line: u32, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }

    /// The problem that an error of the interpreter is. `file` and `line` say where it is when the error does
    /// not.
    pub(crate) fn of(error: &mlua::Error, files: &[String], file: &str, line: u32) -> Self {
        let (place, message) = read(error, files);
        let (file, line) = place.unwrap_or((file, line));
        Self::new(file, line, message)
    }

    /// The fault of a game. Most nils that a game meets are no slips of the pen: a script asked for what is hidden.
    pub(crate) fn into_fault(self, rule: &str) -> Fault {
        let nil = self.message.starts_with("attempt to ") && self.message.contains("nil");
        let note = if nil { "; what is not known to the one who looks is nil" } else { "" };
        // What was called from a script for a rule has the rule in it already.
        let told = rule.is_empty() || self.message.ends_with(&format!("({rule})"));
        let rule = if told { String::new() } else { format!(" ({rule})") };
        Fault::Rules { text: format!("{}{note}{rule}", self.message) }.at(self.place())
    }
}

type Place<'a> = (&'a str, u32);

fn read<'a>(error: &mlua::Error, files: &'a [String]) -> (Option<Place<'a>>, String) {
    match error {
        mlua::Error::CallbackError { traceback, cause } => {
            let (place, message) = read(cause, files);
            (place.or_else(|| first_place(traceback, files)), message)
        }
        mlua::Error::WithContext { cause, .. } => read(cause, files),
        mlua::Error::BadArgument { pos, cause, .. } => {
            let (place, message) = read(cause, files);
            (place, format!("argument {pos}: {message}"))
        }
        // What Rust calls a text; other values are not taken for one.
        mlua::Error::FromLuaConversionError { from: "string", to, .. } if to == "&str" => {
            (None, "a text is not UTF-8".to_owned())
        }
        mlua::Error::FromLuaConversionError { from, to, message } => {
            let note = message.as_ref().map(|m| format!(" ({m})")).unwrap_or_default();
            (None, format!("expected {to}, found {from}{note}"))
        }
        mlua::Error::MemoryError(_) => {
            (None, format!("the scripts need more than {} MB", crate::sandbox::MEMORY >> 20))
        }
        mlua::Error::RuntimeError(text) | mlua::Error::SyntaxError { message: text, .. } => {
            let (text, trace) = text.split_once("\nstack traceback:").unwrap_or((text, ""));
            let place = first_place(text, files);
            let message = match place {
                Some((file, line)) => {
                    text.split_once(&format!("{file}:{line}:")).map_or(text, |(_, rest)| rest)
                }
                None => text,
            };
            (place.or_else(|| first_place(trace, files)), plain(message.trim()))
        }
        other => (None, other.to_string()),
    }
}

/// A message of a script, cut to a length that people read, and without an address where it is no text.
fn plain(message: &str) -> String {
    match message.split_once(": 0x") {
        Some((what, hex)) if hex.chars().all(|c| c.is_ascii_hexdigit()) => {
            format!("the script raised an error that is a {what}; give `error` a text")
        }
        // On one line: whoever reads it would take another for something that the host says.
        _ => message.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect(),
    }
}

/// The first `file:line` of a text.
fn first_place<'a>(text: &str, files: &'a [String]) -> Option<Place<'a>> {
    files
        .iter()
        .filter_map(|file| {
            let at = text.find(&format!("{file}:"))?;
            let digits = &text[at + file.len() + 1..];
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            Some((at, (file.as_str(), digits[..end].parse().ok()?)))
        })
        .min_by_key(|(at, _)| *at)
        .map(|(_, place)| place)
}

/// What would be right in place of a wrong name, to be appended to a message.
pub(crate) fn suggest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    format!("; {}", adjutant_kernel::suggest::instead(wrong, names))
}

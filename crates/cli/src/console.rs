//! What is printed, and where: outcomes on stdout, progress and complaints on stderr.

use std::io::{self, IsTerminal as _, Write as _};

use adjutant::packs::Report;
use serde_json::{Value, json};

/// How a command ends when it does not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something was found wrong; it has been printed.
    Wrong,
    /// Something was found wrong: this.
    Found(String),
    /// A pack is wrong.
    Pack(Box<Report>),
    /// The command makes no sense, for this reason.
    Usage(String),
}

/// The outcome of a command.
pub(crate) type Outcome = Result<(), Failure>;

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Found(error.to_string())
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        // A pack that is not there is a slip of whoever typed the command.
        match report.diagnostics.iter().find(|d| d.code == "unknown-pack") {
            Some(problem) => {
                Self::Usage(format!("{}: {}", problem.file.as_deref().unwrap_or_default(), problem.message))
            }
            None => Self::Pack(Box::new(report)),
        }
    }
}

/// Where a command prints.
#[derive(Debug)]
pub(crate) struct Console {
    json: bool,
}

impl Console {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether programs read it.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints an outcome: a text for people or a value for programs.
    pub(crate) fn print(&self, text: impl FnOnce() -> String, value: impl FnOnce() -> Value) -> Outcome {
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", value())?;
        } else {
            let text = text();
            write!(out, "{text}{}", if text.is_empty() || text.ends_with('\n') { "" } else { "\n" })?;
        }
        Ok(())
    }

    /// Prints the problems of a pack where they do not end the command.
    pub(crate) fn report(&self, report: &Report) {
        if !self.json && !report.diagnostics.is_empty() {
            let styled = io::stderr().is_terminal();
            let text = if styled { report.render_styled() } else { report.render() };
            eprint!("{text}");
        }
    }

    /// Prints why a command did not end well; gives its exit code.
    pub(crate) fn failed(&self, failure: &Failure) -> u8 {
        let (text, code) = match failure {
            Failure::Wrong => return 1,
            Failure::Found(text) => (text.clone(), 1),
            Failure::Usage(text) => (text.clone(), 2),
            Failure::Pack(report) => {
                let (errors, warnings) = report.counts();
                if self.json {
                    let value = json!({ "ok": false, "errors": errors, "warnings": warnings,
                        "problems": report.to_json() });
                    println!("{value:#}");
                } else {
                    self.report(report);
                    eprintln!("{}", counted(errors, warnings));
                }
                return 1;
            }
        };
        if self.json {
            println!("{:#}", json!({ "ok": false, "error": text }));
        } else {
            eprintln!("error: {text}");
        }
        code
    }

    /// Progress of something long: shown on a terminal only.
    pub(crate) fn progress(&self, what: &'static str, total: u64) -> Progress {
        Progress { what, total, shown: io::stderr().is_terminal() && !self.json }
    }
}

/// "2 errors, 1 warning".
pub(crate) fn counted(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!("{}, {}", plural(errors, "error"), plural(warnings, "warning"))
}

/// See [`Console::progress`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    what: &'static str,
    total: u64,
    shown: bool,
}

impl Progress {
    /// So much is done.
    pub(crate) fn at(self, done: u64) {
        if self.shown {
            eprint!("\r{done} of {} {}", self.total, self.what);
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.0 {
            eprint!("\r\x1b[K");
        }
    }
}

/// Wipes the line of a progress when it is dropped.
#[derive(Debug)]
pub(crate) struct Line(bool);

impl Progress {
    /// What wipes the line in the end.
    pub(crate) fn line(self) -> Line {
        Line(self.shown)
    }
}

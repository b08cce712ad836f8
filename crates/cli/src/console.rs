//! What is printed, and where: outcomes on stdout, progress and complaints on stderr.

use std::io::{self, IsTerminal as _, Write as _};

use adjutant::packs::Report;
use adjutant_cli::plain;
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
        if self.json { put(&format!("{:#}", value())) } else { put(&plain(&text())) }
    }

    /// Prints a remark for people, beside the outcome.
    pub(crate) fn remark(&self, text: &str) {
        if !self.json {
            complain(&format!("{}\n", plain(text)));
        }
    }

    /// Prints the problems of a pack where they do not end the command.
    pub(crate) fn report(&self, report: &Report) {
        if !self.json && !report.diagnostics.is_empty() {
            let styled = io::stderr().is_terminal();
            if styled {
                complain(&report.render_styled());
            } else {
                complain(&plain(&report.render()));
            }
        }
    }

    /// Prints why a command did not end well; gives its exit code.
    pub(crate) fn failed(&self, failure: &Failure) -> u8 {
        let (text, code) = match failure {
            Failure::Wrong => return 1,
            Failure::Found(text) => (text, 1),
            Failure::Usage(text) => (text, 2),
            Failure::Pack(report) => {
                let (errors, warnings) = report.counts();
                let value = || json!({ "ok": false, "errors": errors, "warnings": warnings, "problems": report.to_json() });
                self.report(report);
                self.wrong(&counted(errors, warnings), value);
                return 1;
            }
        };
        self.wrong(&format!("error: {text}"), || json!({ "ok": false, "error": text }));
        code
    }

    /// Prints that something is wrong: on stderr for people, as the outcome for programs.
    pub(crate) fn wrong(&self, text: &str, value: impl FnOnce() -> Value) {
        if self.json {
            // The exit code says it too, where nobody reads the output.
            let _ = put(&format!("{:#}", value()));
        } else {
            complain(&format!("{}\n", plain(text)));
        }
    }

    /// Progress of something long: shown on a terminal only.
    pub(crate) fn progress(&self, what: &'static str, total: u64) -> Progress {
        Progress { what, total, shown: io::stderr().is_terminal() && !self.json }
    }
}

/// Prints an outcome. Who has stopped reading it has read enough.
fn put(text: &str) -> Outcome {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let mut out = io::stdout().lock();
    match write!(out, "{text}{end}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints on stderr, as far as anybody listens there.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
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
            complain(&format!("\r{done} of {} {}", self.total, self.what));
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.0 {
            complain("\r\x1b[K");
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

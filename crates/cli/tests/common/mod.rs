//! Calls of the program, and packs to call it on.
#![allow(dead_code)] // not every test calls all of it
#![allow(clippy::expect_used)] // helpers of tests

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) fn packs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packs")
}

/// What a call answers: exit code, stdout, stderr.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Calls the command line in the folder of the packs.
pub(crate) fn call(args: &[&str]) -> Answer {
    call_in(&packs(), args, "")
}

pub(crate) fn call_in(folder: &Path, args: &[&str], input: &str) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("an input");
    // Whoever ends without reading has closed its input.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Answer {
        code: output.status.code().expect("it was not killed"),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

impl Answer {
    /// All of it, for a snapshot.
    pub(crate) fn whole(&self) -> String {
        let err = if self.err.is_empty() { String::new() } else { format!("--- stderr\n{}", self.err) };
        format!("exit {}\n{}{err}", self.code, self.out)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}\n{}\n{}", self.out, self.err))
    }
}

/// A copy of a pack with a change.
pub(crate) fn changed(pack: &str, file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&packs().join(pack), &folder.path().join(pack));
    let path = folder.path().join(pack).join(file);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains(from), "{file} has `{from}`");
    fs::write(path, text.replacen(from, to, 1)).expect("it is written");
    folder
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

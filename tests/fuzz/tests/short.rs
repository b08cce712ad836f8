//! A short run of each target; and that the program sees what breaks.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::process::{Command, Output};

fn fuzz(folder: &std::path::Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fuzz")).args(args).current_dir(folder).output().unwrap()
}

#[test]
fn nothing_breaks_in_a_moment() {
    let folder = tempfile::tempdir().unwrap();
    for (target, cases, outcome) in
        [("pack", "60", "refused"), ("save", "40", "refused"), ("game", "8", "played")]
    {
        let answer = fuzz(folder.path(), &[target, "--cases", cases, "--seed", "2"]);
        let (out, err) = (String::from_utf8_lossy(&answer.stdout), String::from_utf8_lossy(&answer.stderr));
        assert!(answer.status.success(), "{target}: {out}{err}");
        assert!(out.contains(outcome), "{out}");
    }
}

#[test]
fn a_case_can_be_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("case");
    std::fs::create_dir_all(case.join("pack")).unwrap();
    std::fs::write(case.join("pack/pack.ron"), "(").unwrap();
    let answer = fuzz(folder.path(), &["pack", "--again", case.to_str().unwrap()]);
    assert_eq!(String::from_utf8_lossy(&answer.stdout).trim(), "\"refused\"");
}

#[test]
fn nonsense_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&[] as &[&str], &["horse"], &["pack", "--seconds", "x"], &["pack", "--seed"]] {
        assert_eq!(fuzz(folder.path(), args).status.code(), Some(2), "{args:?}");
    }
}

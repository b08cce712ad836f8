//! A battery of packs with one thing wrong each, and the exact message for each in `messages.snap`.

mod cases;

use adjutant_pack::Files;

use crate::common::{problems, tiny};

/// What is done to the tiny pack.
pub(crate) enum Change {
    /// In a file, the first such text becomes another.
    Patch(&'static str, &'static str, &'static str),
    /// A file has this text instead.
    File(&'static str, &'static str),
    /// A file has these bytes instead.
    Bytes(&'static str, &'static [u8]),
    /// A file is not there.
    Without(&'static str),
}

fn apply(files: &mut Files, change: &Change) {
    match change {
        Change::Patch(file, from, to) => {
            let bytes = files.files.get_mut(*file).unwrap_or_else(|| panic!("no file {file}"));
            let text = String::from_utf8(bytes.clone()).unwrap();
            assert!(text.contains(from), "{file} has no {from:?}");
            *bytes = text.replacen(from, to, 1).into_bytes();
        }
        Change::File(file, text) => {
            files.files.insert((*file).to_owned(), text.as_bytes().to_vec());
        }
        Change::Bytes(file, bytes) => {
            files.files.insert((*file).to_owned(), bytes.to_vec());
        }
        Change::Without(file) => {
            files.files.remove(*file).unwrap_or_else(|| panic!("no file {file}"));
        }
    }
}

#[test]
fn every_mistake_has_its_message() {
    let cases = cases::cases();
    assert!(cases.len() >= 80, "{} cases", cases.len());
    let mut all = String::new();
    for (name, changes) in &cases {
        let mut files = tiny();
        changes.iter().for_each(|change| apply(&mut files, change));
        let report = problems(&[files]);
        assert!(!report.diagnostics.is_empty(), "nothing is wrong with {name:?}");
        let places = report.to_json();
        assert!(places.as_array().unwrap().iter().all(|d| d["message"].is_string()));
        all += &format!("==== {name}\n{}", report.render());
    }
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("messages", all);
    });
}

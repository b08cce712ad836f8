//! Whatever the bytes, there is an answer and never a panic; and what this crate reads, `ron` reads too.

use std::path::Path;

use adjutant_pack::source::{FileId, Sources};
use adjutant_pack::{Files, tree};

use crate::common::{problems, tiny};

/// A small generator, the same on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % most.max(1)
    }
}

fn mutate(bytes: &mut Vec<u8>, chance: &mut Chance) {
    const SIGNS: &[u8] = b"()[]{},:\"'\\#!/*-._ \n0159aZ\xff\xc3\xa9\x00";
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len() + 1);
        match chance.below(5) {
            0 if at < bytes.len() => {
                bytes.remove(at);
            }
            1 => bytes.insert(at, SIGNS[chance.below(SIGNS.len())]),
            2 if at < bytes.len() => bytes[at] = SIGNS[chance.below(SIGNS.len())],
            3 => bytes.truncate(at),
            _ => {
                let end = (at + chance.below(30)).min(bytes.len());
                let part: Vec<u8> = bytes[at..end].to_vec();
                let to = chance.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
        }
    }
}

#[test]
fn no_change_of_bytes_panics() {
    let base = tiny();
    let names: Vec<String> = base.files.keys().cloned().collect();
    let mut chance = Chance(1);
    for round in 0..3000 {
        let mut files = base.clone();
        for _ in 0..=chance.below(2) {
            let name = &names[chance.below(names.len())];
            mutate(files.files.get_mut(name).unwrap(), &mut chance);
        }
        let report = problems(&[files]);
        if round % 10 == 0 {
            let _ = (report.render(), report.to_json(), report.render_short());
        }
    }
}

#[test]
fn no_change_of_an_overlay_panics() {
    let overlay = crate::layers::overlay();
    let base = overlay.files["changes.ron"].clone();
    let mut chance = Chance(2);
    for _ in 0..500 {
        let mut files = overlay.clone();
        let mut bytes = base.clone();
        mutate(&mut bytes, &mut chance);
        files.files.insert("changes.ron".to_owned(), bytes);
        let _ = problems(&[tiny(), files]).render();
    }
}

/// Whether this crate's reader finds nothing wrong with a text.
fn reads(text: &str) -> bool {
    let mut found = Vec::new();
    tree::parse(FileId(0), text, &mut found);
    found.is_empty()
}

#[test]
fn what_is_read_here_is_ron() {
    let base = tiny();
    let mut chance = Chance(3);
    let (mut right, mut wrong) = (0, 0);
    for (name, bytes) in base.files.iter().filter(|(name, _)| name.ends_with(".ron")) {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(reads(&text) && ron::from_str::<ron::Value>(&text).is_ok(), "{name}");
        for _ in 0..300 {
            let mut bytes = bytes.clone();
            mutate(&mut bytes, &mut chance);
            let Ok(text) = String::from_utf8(bytes) else { continue };
            if reads(&text) {
                right += 1;
                if let Err(error) = ron::from_str::<ron::Value>(&text) {
                    panic!("{name}: ron does not read what is read here: {error}\n{text}");
                }
            } else {
                wrong += 1;
            }
        }
    }
    assert!(right > 200 && wrong > 200, "{right} {wrong}");
}

#[test]
fn values_are_as_ron_has_them() {
    for (text, value) in [
        ("-12", "-12"),
        ("0x1F", "31"),
        ("1_000", "1000"),
        ("\"a\\n\\u{e9}\\x41\"", "\"a\\né A\""),
        ("r#\"a\"b\"#", "\"a\\\"b\""),
        ("'x'", "\"x\""),
        ("[1, 2,]", "[1, 2]"),
        ("(a: 1, b: Some(2))", "(a: 1, b: Some(2))"),
        ("{ \"k\": Name, 3: () }", "{ \"k\": Name, \"3\": () }"),
        ("/* a /* b */ */ true // c", "true"),
    ] {
        let mut found = Vec::new();
        let node = tree::parse(FileId(0), text, &mut found);
        assert!(found.is_empty(), "{text}: {found:?}");
        assert_eq!(node.to_string().replace(' ', ""), value.replace(' ', ""), "{text}");
    }
    let deep = "[".repeat(100_000);
    assert!(!reads(&deep));
}

#[test]
fn places_count_letters_not_bytes() {
    let mut sources = Sources::default();
    let file = sources.add(0, "a", "a".into(), "é\nàb".into());
    let span = adjutant_pack::source::Span { file, start: 5, end: 6 };
    assert_eq!(sources.line_column(span), (2, 2));
}

#[test]
fn folders_are_read_with_care() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("pack.ron"), "()").unwrap();
    std::fs::write(path.join(".hidden"), "x").unwrap();
    std::fs::create_dir(path.join("boards")).unwrap();
    std::fs::write(path.join("boards/map.ron"), "()").unwrap();
    let files = Files::read(path).unwrap();
    assert_eq!(files.files.keys().collect::<Vec<_>>(), ["boards/map.ron", "pack.ron"]);
    assert_eq!(Files::read(&path.join("none")).unwrap_err()[0].code, "io");
    assert!(Files::read(&path.join("pack.ron")).unwrap_err()[0].message.contains("a pack is a folder"));
    std::fs::write(path.join("big.png"), vec![0; (adjutant_pack::files::LARGEST_FILE + 1) as usize]).unwrap();
    assert!(Files::read(path).unwrap_err()[0].message.contains("4194304 at most"));
    std::fs::remove_file(path.join("big.png")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(Path::new("/"), path.join("way-out")).unwrap();
        assert!(Files::read(path).unwrap_err()[0].message.contains("is a symbolic link"));
    }
}

#[test]
fn a_problem_on_a_very_long_line_is_told_by_its_place() {
    let manifest = "(id: \"more\", title: \"more\", version: \"1.0.0\", format: 1, api: 1, authors: [], \
                    licence: \"MIT\", extends: \"tiny\")";
    let render = |between: &str| {
        let changes: String =
            (0..3000).map(|n| format!("Remove(path: \"tables/none/é{n}\"),{between}")).collect();
        let files = [("pack.ron", manifest.to_owned()), ("changes.ron", format!("[{changes}]"))];
        let overlay = Files::new("more", files.map(|(path, text)| (path.to_owned(), text)));
        problems(&[tiny(), overlay])
    };
    let (long, short) = (render(""), render("\n"));
    assert_eq!((long.counts(), short.counts()), ((3000, 0), (3000, 0)), "all are counted");
    let (long, short) = (long.render(), short.render());
    assert_eq!(long.matches("error[bad-path]").count(), 100, "and a hundred shown");
    assert!(long.contains("there are 2900 more errors in this file"), "{}", &long[long.len() - 2000..]);
    // The hundredth begins after a bracket and 99 others of 31 or 32 characters.
    assert!(long.contains("--> more/changes.ron:1:3173\n"), "{}", &long[long.len() - 2000..]);
    assert!(!long.contains("Remove("), "lines of many thousands of characters are not drawn");
    assert!(short.contains("--> more/changes.ron:100:14\n") && short.contains("Remove("));
    assert!(long.len() < 100 * 400 && short.len() < 100 * 600, "{} and {}", long.len(), short.len());
}

/// Files of nonsense, and of the same slip many thousand times, are read and told of in little time.
#[test]
fn many_slips_cost_little() {
    let begun = std::time::Instant::now();
    for nonsense in ["@", "\0", "1 ", "(", "\"a\" \"b\" ", "a = "] {
        let mut found = Vec::new();
        tree::parse(FileId(0), &nonsense.repeat(1_000_000), &mut found);
        assert!((1..=12).contains(&found.len()), "{nonsense:?}: {} problems", found.len());
    }
    let slips = |between: &str| {
        let mut files = tiny();
        let pieces: String =
            (0..20_000).map(|n| format!("\"Unit {n}\": (kind: \"fot\", side: \"bleu\"),{between}")).collect();
        let text = String::from_utf8(files.files["pieces.ron"].clone()).unwrap();
        let text = text.replacen("    pieces: {", &format!("    pieces: {{{pieces}"), 1);
        files.files.insert("pieces.ron".to_owned(), text.into_bytes());
        problems(&[files])
    };
    for report in [slips(""), slips("\n")] {
        assert_eq!(report.counts().0, 40_000);
        assert!(report.render().len() < 100_000 && report.render_short().len() < 100_000);
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// What is declared far from where it is named is drawn too, and not all that stands between.
#[test]
fn places_that_lie_far_apart_are_drawn_by_themselves() {
    let mut files = tiny();
    let text = String::from_utf8(files.files["pieces.ron"].clone()).unwrap();
    let blanks = "\n".repeat(5_000);
    let slip = format!("{blanks}        \"Last\": (kind: \"fot\", side: \"blue\"),\n        \"Works\"");
    files.files.insert("pieces.ron".to_owned(), text.replacen("\"Works\"", &slip, 1).into_bytes());
    let text = problems(&[files]).render();
    assert!(text.contains("no such kind") && text.contains("`foot` is declared here"), "{text}");
    assert!(
        text.contains("kinds: [\"foot\"") && text.contains("\"Last\": (kind:"),
        "both lines are drawn: {text}"
    );
    assert!(text.lines().count() < 30, "{text}");
}

/// Some editors put a byte order mark before whatever they save.
#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    let mut files = tiny();
    for (path, bytes) in &mut files.files {
        if [".ron", ".luau", ".ftl"].iter().any(|end| path.ends_with(end)) {
            bytes.splice(0..0, "\u{feff}".bytes());
        }
    }
    let report = problems(std::slice::from_ref(&files));
    assert_eq!(report.render(), "");
    let mut problems = Vec::new();
    let pack = adjutant_pack::LoadedPack::read(&[files], &mut problems);
    assert!(pack.layers.sources.files().all(|(_, file)| !file.text.starts_with('\u{feff}')));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("save.json"), "\u{feff}{}").unwrap();
    assert_eq!(adjutant_pack::files::read_text(&folder.path().join("save.json"), 100).unwrap(), "{}");
    std::fs::write(folder.path().join("save.json"), b"\xff").unwrap();
    let error = adjutant_pack::files::read_text(&folder.path().join("save.json"), 100).unwrap_err();
    assert_eq!(error.to_string(), "it is no text in UTF-8");
}

#[test]
fn an_empty_folder_that_should_be_a_file_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("pieces.ron")).unwrap();
    let files = Files::read(folder.path()).unwrap();
    let text = problems(&[files]).render();
    assert!(text.contains("`pieces.ron` is a folder, and should be a file"), "{text}");
}

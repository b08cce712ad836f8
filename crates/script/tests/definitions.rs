//! The generated definitions are fresh. Run with `UPDATE_SCHEMAS=1` to write them anew.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::path::Path;

use adjutant_script::Definitions;

#[test]
fn the_definitions_are_fresh() {
    let definitions = Definitions::new(None).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    for (name, text) in [
        ("scripts.d.luau", definitions.luau()),
        ("scripts.md", definitions.markdown()),
        ("scripts.json", definitions.json()),
    ] {
        let path = folder.join(name);
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "schemas/{name} is stale: run this test with UPDATE_SCHEMAS=1");
    }
}

#[test]
fn every_name_has_a_text_and_a_signature() {
    for name in Definitions::new(None).unwrap().names {
        assert!(!name.text.is_empty() && !name.signature.is_empty(), "{name:?}");
    }
}

/// A file of definitions as a script that declares locals of the same types, which the compiler can read.
fn as_script(definitions: &str) -> String {
    let lines = definitions.lines().map(|line| match line.strip_prefix("declare ") {
        Some(rest) => match rest.strip_prefix("function ") {
            Some(function) => {
                let (name, signature) = function.split_once('(').unwrap();
                let (takes, gives) = signature.rsplit_once("): ").unwrap();
                format!("local {name}: ({takes}) -> {gives}\n")
            }
            None => format!("local {rest}\n"),
        },
        None => format!("{line}\n"),
    });
    lines.collect()
}

/// Every type and signature is one that Luau can read. (Whether scripts agree with them only an analyser can tell.)
#[test]
fn luau_reads_the_definitions() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let compile = |text: &str| mlua::chunk::Compiler::new().compile(text);
    for name in ["scripts.d.luau", "tests.d.luau"] {
        let text = std::fs::read_to_string(schemas.join(name)).unwrap();
        let script = as_script(&text);
        compile(&script).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(compile(&script.replacen(" -> ", " => ", 1)).is_err(), "{name}: types are read");
    }
}

/// The methods of `g` that a script calls, with their lines.
fn calls(script: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in script.lines().enumerate() {
        let code = line.split("--").next().unwrap_or_default();
        for (at, _) in code.match_indices("g:") {
            let before = code[..at].chars().next_back();
            let rest = &code[at + 2..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let is_call = rest[end..].starts_with('(');
            if is_call && !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.') {
                found.push((number + 1, &rest[..end]));
            }
        }
    }
    found
}

/// What the scripts of the small packs ask of the game is in the definitions, so that editors know it.
#[test]
fn scripts_use_what_is_defined() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../");
    let definitions = std::fs::read_to_string(root.join("schemas/scripts.d.luau")).unwrap();
    let mut seen = 0;
    for pack in ["breakthrough", "duel", "ford", "phantom", "picket-line", "skirmish"] {
        for entry in std::fs::read_dir(root.join("tests/packs").join(pack).join("scripts")).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            for (line, name) in calls(&text) {
                seen += 1;
                let known = definitions.contains(&format!("    {name}: (self: Game"));
                assert!(known, "{}:{line}: g:{name} is not defined", path.display());
            }
        }
    }
    assert!(seen > 100, "{seen} calls");
}

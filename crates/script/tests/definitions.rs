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

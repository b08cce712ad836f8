//! The tracked schemas are those of today. Run with `BLESS=1` to write them.

use std::path::Path;

#[test]
fn tracked_schemas_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/pack");
    for (name, text) in adjutant_pack::schema::schemas() {
        let file = folder.join(&name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &text).unwrap();
        }
        let tracked = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(tracked == text, "{name} is stale; run the tests of adjutant-pack with BLESS=1");
    }
}

//! JSON Schemas of the files of a pack, made from the model.
//!
//! They describe the data as JSON: a variant `Ratios(steps: [..])` of RON is `{ "Ratios": { "steps": [..] } }`
//! there, and a bare variant a text.

use std::collections::BTreeMap;

use schemars::{JsonSchema, generate::SchemaSettings};

use crate::layers::ChangeKind;
use crate::model::*;
use crate::read::Entries;

/// The schema of each file, by the name of the schema's file.
///
/// ```
/// use adjutant_pack::schema::schemas;
/// let schemas = schemas();
/// assert!(schemas.keys().any(|name| name.starts_with("pieces")));
/// assert!(schemas.values().all(|schema| schema.contains("\"title\"")));
/// ```
pub fn schemas() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    add::<Pack>(&mut all, "pack");
    add::<Sides>(&mut all, "sides");
    add::<Board>(&mut all, "board");
    add::<Pieces>(&mut all, "pieces");
    add::<Columns>(&mut all, "columns");
    add::<Entries<Table>>(&mut all, "tables");
    add::<Vec<Item>>(&mut all, "sequence");
    add::<Options>(&mut all, "options");
    add::<Entries<Point>>(&mut all, "points");
    add::<Entries<Restriction>>(&mut all, "restrictions");
    add::<Knowledge>(&mut all, "knowledge");
    add::<Scenario>(&mut all, "scenario");
    add::<Entries<LedgerRule>>(&mut all, "rules");
    add::<Vec<ChangeKind>>(&mut all, "changes");
    all
}

fn add<T: JsonSchema>(all: &mut BTreeMap<String, String>, name: &str) {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    // A schema is a tree of JSON values: it can always be written.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    all.insert(format!("{name}.schema.json"), text);
}

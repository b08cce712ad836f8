//! `adjutant schema`.

use std::collections::BTreeMap;
use std::path::Path;

use adjutant::scripts::Definitions;
use serde_json::{Value, json};

use super::open;
use crate::args::Schema;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Schema, console: &Console) -> Outcome {
    let pack = args.pack.as_ref().map(|name| open(name, &args.above)).transpose()?;
    let definitions = Definitions::new(pack.as_ref().map(|pack| pack.rulebook()));
    let definitions = definitions.map_err(|error| Failure::Found(error.to_string()))?;
    let mut files: BTreeMap<String, String> = adjutant::packs::schema::schemas();
    files.insert("scripts.d.luau".to_owned(), definitions.luau());
    files.insert("scripts.json".to_owned(), definitions.json());
    files.insert("tests.d.luau".to_owned(), adjutant_testing::DEFINITIONS.to_owned());
    match &args.out {
        Some(folder) => {
            let written = write(folder, &files);
            written.map_err(|error| Failure::Found(format!("{}: {error}", folder.display())))?;
            let names: Vec<&String> = files.keys().collect();
            console.print(
                || names.iter().map(|name| format!("{}\n", folder.join(name).display())).collect(),
                || json!({ "ok": true, "files": names }),
            )
        }
        None => {
            let value = |text: &String| {
                serde_json::from_str::<Value>(text).unwrap_or_else(|_| Value::String(text.clone()))
            };
            let all: BTreeMap<&String, Value> =
                files.iter().map(|(name, text)| (name, value(text))).collect();
            console.print(|| format!("{:#}", json!(all)), || json!(all))
        }
    }
}

fn write(folder: &Path, files: &BTreeMap<String, String>) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

//! `adjutant new`.

use std::path::Path;

use serde_json::json;

use crate::args::New;
use crate::console::{Console, Failure, Outcome};

/// The files of a new pack; `my-title` and `My Title` are replaced.
const FILES: &[(&str, &str)] = &[
    ("pack.ron", include_str!("../../templates/new/pack.ron")),
    ("sides.ron", include_str!("../../templates/new/sides.ron")),
    ("boards/map.ron", include_str!("../../templates/new/boards/map.ron")),
    ("pieces.ron", include_str!("../../templates/new/pieces.ron")),
    ("columns.ron", include_str!("../../templates/new/columns.ron")),
    ("knowledge.ron", include_str!("../../templates/new/knowledge.ron")),
    ("sequence.ron", include_str!("../../templates/new/sequence.ron")),
    ("scenarios/first.ron", include_str!("../../templates/new/scenarios/first.ron")),
    ("rules.ron", include_str!("../../templates/new/rules.ron")),
    ("scripts/march.luau", include_str!("../../templates/new/scripts/march.luau")),
    ("tests/march.luau", include_str!("../../templates/new/tests/march.luau")),
    ("text/en.ftl", include_str!("../../templates/new/text/en.ftl")),
];

pub(super) fn run(args: &New, console: &Console) -> Outcome {
    let folder = &args.name;
    let id = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || id.starts_with('-') || !id.chars().all(letters) {
        let text =
            format!("`{id}` is no id of a pack; use small letters, digits and `-`, such as `my-title`");
        return Err(Failure::Usage(text));
    }
    if folder.exists() {
        return Err(Failure::Usage(format!("{} is there already", folder.display())));
    }
    write(folder, id).map_err(|error| Failure::Found(format!("{}: {error}", folder.display())))?;
    let shown = folder.display();
    console.print(
        || {
            let list: String = FILES.iter().map(|(path, _)| format!("  {shown}/{path}\n")).collect();
            format!("A pack of {} files:\n{list}Next: adjutant play {shown} --watch\n", FILES.len())
        },
        || {
            let list: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
            json!({ "ok": true, "pack": id, "folder": shown.to_string(), "files": list })
        },
    )
}

fn write(folder: &Path, id: &str) -> std::io::Result<()> {
    let title: Vec<String> = id
        .split('-')
        .map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            format!("{}{rest}", first.to_uppercase())
        })
        .collect();
    for (path, text) in FILES {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text.replace("my-title", id).replace("My Title", &title.join(" ")))?;
    }
    Ok(())
}

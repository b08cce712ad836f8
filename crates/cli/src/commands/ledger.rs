//! `adjutant import-ledger`: the rules of a table into a pack's `rules.ron`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use adjutant::packs::files::{LARGEST_FILE, read_text};
use adjutant::packs::source::FileId;
use adjutant::packs::tree;
use serde_json::json;

use crate::args::ImportLedger;
use crate::console::{Console, Failure, Outcome};

/// A line of the table.
struct Row {
    id: String,
    kind: String,
    summary: String,
    gap: String,
}

pub(super) fn run(args: &ImportLedger, console: &Console) -> Outcome {
    let unreadable = |path: &std::path::Path, error: std::io::Error| {
        Failure::Usage(format!("{}: {error}", path.display()))
    };
    let table = read_text(&args.file, LARGEST_FILE).map_err(|e| unreadable(&args.file, e))?;
    let manifest = args.pack.join("pack.ron");
    let manifest = read_text(&manifest, LARGEST_FILE).map_err(|e| unreadable(&manifest, e))?;
    let rows = read(&table).map_err(|text| Failure::Found(format!("{}:{text}", args.file.display())))?;
    let file = args.pack.join("rules.ron");
    let old = match read_text(&file, LARGEST_FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "{\n}\n".to_owned(),
        Err(error) => return Err(unreadable(&file, error)),
    };
    let (new, added) =
        merged(&old, &rows).map_err(|text| Failure::Found(format!("{}: {text}", file.display())))?;
    if added > 0 {
        std::fs::write(&file, new).map_err(|error| Failure::Found(format!("{}: {error}", file.display())))?;
    }
    let missing = undeclared(&manifest, &rows);
    console.print(
        || {
            let kept = rows.len() - added;
            let mut text = format!("{}: {added} added, {kept} there already\n", file.display());
            for book in &missing {
                let _ = writeln!(
                    text,
                    "note: declare the rulebook in pack.ron: rulebooks: {{ \"{book}\": \"..\" }}"
                );
            }
            text
        },
        || json!({ "ok": true, "added": added, "kept": rows.len() - added, "undeclared": missing }),
    )
}

/// The rows of a table; the first line names the columns.
fn read(table: &str) -> Result<Vec<Row>, String> {
    let mut lines = table.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().map(|(_, line)| line.split('\t').collect()).unwrap_or_default();
    let column = |name: &str| {
        let found = header.iter().position(|h| h.trim() == name);
        found.ok_or_else(|| {
            format!("1: there is no column `{name}`; the columns are id, kind, line, summary, gap")
        })
    };
    let (id, kind, summary) = (column("id")?, column("kind")?, column("summary")?);
    let gap = column("gap").ok();
    let (mut rows, mut ids) = (Vec::new(), BTreeSet::new());
    for (number, line) in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() > header.len() {
            let (number, columns) = (number + 1, header.len());
            return Err(format!("{number}: there are {} fields and {columns} columns", fields.len()));
        }
        if fields.iter().any(|field| field.contains(char::is_control)) {
            return Err(format!("{}: there is a control character in it", number + 1));
        }
        let field = |n: usize| fields.get(n).map_or("", |f| f.trim()).to_owned();
        let row = Row {
            id: field(id),
            kind: field(kind),
            summary: field(summary),
            gap: gap.map_or_else(String::new, field),
        };
        let at = number + 1;
        if !row.id.contains(':') {
            return Err(format!("{at}: `{}` is no rule id; write the book, a colon and the number", row.id));
        }
        if how(&row.kind).is_none() {
            return Err(format!("{at}: unknown kind `{}`; the kinds are {}", row.kind, kinds()));
        }
        if row.summary.is_empty() {
            return Err(format!("{at}: the summary of `{}` is empty", row.id));
        }
        if !ids.insert(row.id.clone()) {
            return Err(format!("{at}: the rule `{}` is there twice", row.id));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What each kind of a table is in a ledger, and how it is carried out as far as that is known.
const KINDS: &[(&str, &str, &str)] = &[
    ("rule", "Rule", "Open"),
    ("option", "Option", "Open"),
    ("table", "Table", "Open"),
    ("example", "Example", "Open"),
    ("scenario", "Scenario", "Open"),
    ("define", "Define", "Open"),
    ("erratum", "Erratum", "Open"),
    ("gap", "Gap", "Open"),
    ("narrative", "Define", "NotApplicable(\"it tells a story and rules nothing\")"),
    ("note", "Define", "NotApplicable(\"it is a remark and rules nothing\")"),
];

fn how(kind: &str) -> Option<(&'static str, &'static str)> {
    KINDS.iter().find(|(name, ..)| *name == kind).map(|(_, kind, how)| (*kind, *how))
}

fn kinds() -> String {
    KINDS.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ")
}

/// The text of a ledger with the rules that it lacks at its end, and their number. Not a letter of what is there
/// changes.
fn merged(old: &str, rows: &[Row]) -> Result<(String, usize), String> {
    let mut problems = Vec::new();
    let root = tree::parse(FileId(0), old, &mut problems);
    let tree::Value::Fields(fields) = &root.value else {
        return Err("is no map of rules; correct it first (adjutant check)".to_owned());
    };
    if !problems.is_empty() {
        return Err("cannot be read; correct it first (adjutant check)".to_owned());
    }
    let there: BTreeSet<&str> = fields.list.iter().map(|f| f.key.as_str()).collect();
    let new: Vec<&Row> = rows.iter().filter(|row| !there.contains(row.id.as_str())).collect();
    let mut entries = String::new();
    for row in &new {
        let Some((kind, how)) = how(&row.kind) else { continue };
        let _ = write!(
            entries,
            "    {}: (kind: {kind}, summary: {}, how: {how}",
            quoted(&row.id),
            quoted(&row.summary)
        );
        if !row.gap.is_empty() {
            let name = if row.kind == "gap" { "fills" } else { "reading" };
            let _ = write!(entries, ", {name}: {}", quoted(&row.gap));
        }
        entries.push_str("),\n");
    }
    // The closing brace is the last byte of the root.
    let close = (root.span.end as usize).saturating_sub(1);
    let (mut before, after) = (old.get(..close).unwrap_or(old).to_owned(), old.get(close..).unwrap_or("}\n"));
    if let Some(last) = fields.list.last() {
        let end = last.node.span.end as usize;
        if !has_comma(before.get(end..).unwrap_or_default()) {
            before.insert(end, ',');
        }
    }
    if !before.ends_with('\n') {
        before.push('\n');
    }
    Ok((format!("{before}{entries}{after}"), new.len()))
}

/// Whether there is a comma outside comments.
fn has_comma(text: &str) -> bool {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        rest = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, rest)| rest)
        } else if first == ',' {
            return true;
        } else {
            &rest[first.len_utf8()..]
        };
    }
    false
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The rulebooks that the rows cite and the manifest does not declare.
fn undeclared(manifest: &str, rows: &[Row]) -> Vec<String> {
    let root = tree::parse(FileId(0), manifest, &mut Vec::new());
    let books = root.field("rulebooks").map(|f| f.node.fields()).unwrap_or_default();
    let cited: BTreeSet<&str> =
        rows.iter().filter_map(|row| row.id.split_once(':')).map(|(book, _)| book).collect();
    let declared = |book: &str| books.iter().any(|f| f.key == book);
    cited.into_iter().filter(|book| !declared(book)).map(str::to_owned).collect()
}

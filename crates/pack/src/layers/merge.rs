//! A section of an upper layer laid over the same section below: entries are added, never replaced.

use crate::diagnostic::Diagnostic;
use crate::tree::{Field, Fields, Node, Value};

/// Lays a section over the outcome so far.
pub(super) fn section(root: &mut Fields, upper: Field, problems: &mut Vec<Diagnostic>) {
    let Some(lower) = root.list.iter_mut().find(|f| f.key == upper.key) else {
        root.list.push(upper);
        return;
    };
    match upper.key.as_str() {
        "pack" => manifest(&mut lower.node, upper.node),
        "sides" | "pieces" | "columns" | "options" | "knowledge" => {
            parts(&mut lower.node, upper.node, &upper.key, problems);
        }
        key => entries(&mut lower.node, upper.node, key, problems),
    }
}

/// The manifest of the uppermost layer counts; modules, rulebooks and requirements of those below stay.
fn manifest(lower: &mut Node, mut upper: Node) {
    for key in ["modules", "rulebooks", "requires"] {
        let Some(below) = lower.field(key).cloned() else { continue };
        let Value::Fields(fields) = &mut upper.value else { break };
        match fields.list.iter_mut().find(|f| f.key == key) {
            None => fields.list.push(below),
            Some(here) => {
                let Value::Fields(here) = &mut here.node.value else { continue };
                for field in below.node.fields() {
                    if here.get(&field.key).is_none() {
                        here.list.push(field.clone());
                    }
                }
            }
        }
    }
    *lower = upper;
}

/// A struct of maps and lists, such as `pieces.ron`.
fn parts(lower: &mut Node, mut upper: Node, path: &str, problems: &mut Vec<Diagnostic>) {
    if path == "pieces" {
        hand_down_source(&mut upper);
    }
    let (Value::Fields(below), Value::Fields(above)) = (&mut lower.value, upper.value) else { return };
    for field in above.list {
        match below.list.iter_mut().find(|f| f.key == field.key) {
            None => below.list.push(field),
            Some(_) if field.key == "source" => {}
            Some(here) => {
                let path = format!("{path}/{}", field.key);
                entries(&mut here.node, field.node, &path, problems);
            }
        }
    }
}

/// Pieces of an upper layer come from where its own list does.
fn hand_down_source(pieces: &mut Node) {
    let Some(source) = pieces.field("source").cloned() else { return };
    let Value::Fields(fields) = &mut pieces.value else { return };
    let Some(list) = fields.list.iter_mut().find(|f| f.key == "pieces") else { return };
    let Value::Fields(list) = &mut list.node.value else { return };
    for piece in &mut list.list {
        if let Value::Fields(piece) = &mut piece.node.value
            && piece.get("source").is_none()
        {
            piece.list.push(source.clone());
        }
    }
}

fn entries(lower: &mut Node, upper: Node, path: &str, problems: &mut Vec<Diagnostic>) {
    let span = upper.span;
    match (&mut lower.value, upper.value) {
        (Value::Fields(below), Value::Fields(above)) => {
            for field in above.list {
                match below.get(&field.key) {
                    None => below.list.push(field),
                    Some(here) => {
                        let message = format!("`{}` is declared in a layer below already", field.key);
                        let place = match here.key_span.end {
                            0 => here.node.span,
                            _ => here.key_span,
                        };
                        let at = if field.key_span.end == 0 { field.node.span } else { field.key_span };
                        problems.push(
                            Diagnostic::error("layer-conflict", at, message)
                                .label("again here")
                                .and(place, "first here")
                                .help(format!(
                                    "to change it, write `Set(path: \"{path}/{}\", ..)` in `changes.ron`",
                                    field.key
                                ))
                                .at(format!("{path}/{}", field.key)),
                        );
                    }
                }
            }
        }
        (Value::List(below), Value::List(above)) if path != "sequence" => below.extend(above),
        (Value::Broken, _) | (_, Value::Broken) => {}
        _ => {
            let message = format!("`{path}` is given in a layer below already");
            problems.push(
                Diagnostic::error("layer-conflict", span, message)
                    .label("again here")
                    .and(lower.span, "first here")
                    .help("to change it, use `changes.ron`")
                    .at(path),
            );
        }
    }
}

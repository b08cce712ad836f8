//! Readable differences of what seats get.

use serde::Serialize;
use serde_json::Value;

/// Differences shown.
const SHOWN: usize = 4;
/// Characters of a value shown.
const WIDTH: usize = 240;

/// The first differences of two values, one a line: where, the one, the other.
pub(crate) fn differences(a: &impl Serialize, b: &impl Serialize) -> String {
    let json = |value: Result<Value, serde_json::Error>| value.unwrap_or(Value::Null);
    let (a, b) = (json(serde_json::to_value(a)), json(serde_json::to_value(b)));
    let mut found = Vec::new();
    walk("", &a, &b, &mut found);
    if found.is_empty() { "they are written alike".to_owned() } else { found.join("\n") }
}

fn walk(path: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
    if found.len() >= SHOWN || a == b {
        return;
    }
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            for (key, value) in x {
                walk(&format!("{path}.{key}"), value, y.get(key).unwrap_or(&Value::Null), found);
            }
            for (key, value) in y.iter().filter(|(key, _)| !x.contains_key(*key)) {
                walk(&format!("{path}.{key}"), &Value::Null, value, found);
            }
        }
        (Value::Array(x), Value::Array(y)) => {
            for n in 0..x.len().max(y.len()) {
                let part = |list: &[Value]| list.get(n).cloned().unwrap_or(Value::Null);
                let (one, other) = (part(x), part(y));
                walk(&format!("{path}[{n}]{}", event(&one, &other)), &one, &other, found);
            }
        }
        _ => found.push(format!("{path}: {} / {}", short(a), short(b))),
    }
}

/// Which event an entry of a list is, where it is the same in both: a number alone tells an author nothing.
fn event(a: &Value, b: &Value) -> String {
    match (a["event"].as_str(), &a["rule"], &b["event"]) {
        (Some(name), rule, other) if other == name => match rule.as_str() {
            Some(rule) if b["rule"] == rule => format!("(event {name}, {rule})"),
            _ => format!("(event {name})"),
        },
        _ => String::new(),
    }
}

fn short(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        value => {
            let text = value.to_string();
            match text.char_indices().nth(WIDTH) {
                Some((at, _)) => format!("{}...", &text[..at]),
                None => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn paths_and_both_values() {
        let a = serde_json::json!({ "x": [1, { "y": "b" }], "z": 1 });
        let b = serde_json::json!({ "x": [1, { "y": "c" }, 4] });
        assert_eq!(differences(&a, &b), ".x[1].y: \"b\" / \"c\"\n.x[2]: nothing / 4\n.z: 1 / nothing");
        let event = |place: &str| serde_json::json!([{ "event": "moved", "rule": "b:1", "args": [place] }]);
        assert_eq!(
            differences(&event("Hill"), &event("Mill")),
            "[0](event moved, b:1).args[0]: \"Hill\" / \"Mill\""
        );
        assert_eq!(differences(&a, &a), "they are written alike");
    }
}

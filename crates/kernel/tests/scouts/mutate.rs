//! Records spoilt at random, for tests of whatever reads them.

use serde_json::Value;

/// Changes one thing somewhere in a record; `below` gives a number from 0 to less than what it is given.
pub fn mutate(value: &mut Value, below: &mut dyn FnMut(usize) -> usize) {
    match value {
        Value::Object(map) if !map.is_empty() && below(10) > 0 => {
            let n = below(map.len());
            if let Some((_, inner)) = map.iter_mut().nth(n) {
                mutate(inner, below);
            }
        }
        Value::Array(list) if !list.is_empty() && below(6) > 0 => {
            let n = below(list.len());
            mutate(&mut list[n], below);
        }
        Value::Object(map) if !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let (a, b) = (&keys[below(keys.len())], &keys[below(keys.len())]);
            let taken = map.remove(a).unwrap_or_default();
            if let Some(old) = map.get_mut(b).map(|slot| std::mem::replace(slot, taken)) {
                map.insert(a.clone(), old);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let (a, b) = (below(list.len()), below(list.len()));
            match below(3) {
                0 => drop(list.remove(a)),
                1 => list.swap(a, b),
                _ => list.push(list[a].clone()),
            }
        }
        Value::Number(_) => {
            let odd = [
                0,
                1,
                -1,
                2,
                3,
                7,
                255,
                65_535,
                i64::from(i32::MAX),
                i64::from(u32::MAX),
                i64::MAX,
                i64::MIN,
            ];
            *value = odd[below(odd.len())].into();
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::String(text) => {
            let others = [
                "amber",
                "blue",
                "Ash",
                "Elder",
                "Amber Dummy",
                "Blue Horse",
                "Anna",
                "march",
                "sc:1",
                "reply",
                "challenge",
                "decline",
                "go",
                "umpire",
                "watcher",
                "",
            ];
            match below(3) {
                0 => drop(text.pop()),
                _ => *text = others[below(others.len())].to_owned(),
            }
        }
        _ => *value = Value::Null,
    }
}

//! How bytes and records are spoilt.

use adjutant::Random;
use serde_json::Value;

/// Signs and words that readers of RON, Luau, Fluent and JSON look out for.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "#",
    "!",
    "/*",
    "*/",
    "//",
    "--",
    "-",
    ".",
    "..",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "é",
    "0",
    "1",
    "-1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551616",
    "1e308",
    "0x",
    "r#\"",
    "None",
    "Some(",
    "true",
    "false",
    "()",
    "nil",
    "end",
    "done",
    "function() ",
    "while true do end ",
    "return ",
    "{ $",
    "}}",
];

/// Spoils a text here and there; `other` is a text from which pieces may come.
pub(crate) fn bytes(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        match random.below(9) {
            0 if at < text.len() => {
                text.remove(at);
            }
            1 if at < text.len() => text[at] ^= 1 << random.below(8),
            2 => text.truncate(at),
            3 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            4 | 5 => insert(text, at, WORDS[random.below(WORDS.len())].as_bytes()),
            6 => {
                let from = random.below(other.len() + 1);
                let end = (from + random.below(200)).min(other.len());
                insert(text, at, &other[from..end]);
            }
            7 => swap_words(text, random),
            // A piece again and again, as many times as a limit may take.
            _ => {
                let end = (at + 1 + random.below(20)).min(text.len());
                let times = [2, 17, 300, 5_000][random.below(4)];
                let piece = text[at..end].repeat(times);
                insert(text, at, &piece);
            }
        }
    }
}

fn insert(text: &mut Vec<u8>, at: usize, piece: &[u8]) {
    text.splice(at..at, piece.iter().copied());
}

/// Puts a word or number of the text in the place of another.
fn swap_words(text: &mut Vec<u8>, random: &mut Random) {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b == b'-';
    let mut words: Vec<(usize, usize)> = Vec::new();
    for (at, &byte) in text.iter().enumerate() {
        match words.last_mut() {
            Some((_, end)) if *end == at && is_word(byte) => *end += 1,
            _ if is_word(byte) => words.push((at, at + 1)),
            _ => {}
        }
    }
    if let (Some(&(a, a_end)), Some(&(b, b_end))) = (random.pick(&words), random.pick(&words)) {
        let with = text[b..b_end].to_vec();
        text.splice(a..a_end, with);
    }
}

/// The texts in a record.
pub(crate) fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(list) => list.iter().for_each(|inner| texts(inner, found)),
        Value::Object(map) => map.iter().for_each(|(key, inner)| {
            found.push(key);
            texts(inner, found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Changes one thing somewhere in a record; texts come from a list.
pub(crate) fn record(value: &mut Value, words: &[String], random: &mut Random) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let (a, b) = (keys[random.below(keys.len())].clone(), keys[random.below(keys.len())].clone());
            match random.below(16) {
                0 => drop(map.remove(&a)),
                1 => {
                    let taken = map.get(&b).cloned().unwrap_or_default();
                    map.insert(a, taken);
                }
                2 => {
                    let name = random.pick(words).cloned().unwrap_or_default();
                    let taken = map.remove(&a).unwrap_or_default();
                    map.insert(name, taken);
                }
                _ => record(map.entry(a).or_insert(Value::Null), words, random),
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let (a, b) = (random.below(list.len()), random.below(list.len()));
            match random.below(16) {
                0 => drop(list.remove(a)),
                1 => list.swap(a, b),
                2 => list.push(list[a].clone()),
                3 => list.truncate(a),
                _ => record(&mut list[a], words, random),
            }
        }
        Value::Number(_) => {
            let odd: [i64; 12] = [
                0,
                1,
                -1,
                2,
                7,
                255,
                65_535,
                65_536,
                i64::from(i32::MAX),
                i64::from(u32::MAX),
                i64::MAX,
                i64::MIN,
            ];
            *value = if random.below(8) == 0 { u64::MAX.into() } else { odd[random.below(odd.len())].into() };
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::String(text) => match random.below(4) {
            0 => drop(text.pop()),
            _ => *text = random.pick(words).cloned().unwrap_or_default(),
        },
        Value::Null | Value::Object(_) | Value::Array(_) => {
            let some = [Value::Null, 0.into(), "".into(), Value::Array(Vec::new()), true.into()];
            *value = some[random.below(some.len())].clone();
        }
    }
}

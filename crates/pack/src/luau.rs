//! Scripts as text: what stands in quotes in them. Nothing is compiled here; it is for checks that compare names.

/// The texts in quotes of a script, and where each begins. Comments are left out.
///
/// ```
/// use adjutant_pack::luau::texts;
/// assert_eq!(texts("f(\"ford\") -- \"a note\""), [(3, "ford")]);
/// ```
pub fn texts(script: &str) -> Vec<(usize, &str)> {
    let bytes = script.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'-' if bytes[at..].starts_with(b"--") => {
                at += 2;
                at = match long(&script[at..]) {
                    Some(length) => at + length,
                    None => at + bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at),
                };
            }
            b'[' => at += long(&script[at..]).unwrap_or(1),
            quote @ (b'"' | b'\'' | b'`') => {
                let start = at + 1;
                at = start;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                found.extend(script.get(start..at).map(|text| (start, text)));
                at += 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// Whether a text in quotes, which begins at `start`, is joined to something else and with it may be a name.
///
/// ```
/// use adjutant_pack::luau::is_part;
/// let script = "ask(\"taken by \" .. side)";
/// assert!(is_part(script, 5, "taken by ", "taken by red"));
/// assert!(!is_part(script, 5, "taken by ", "lost by red"));
/// ```
pub fn is_part(script: &str, start: usize, text: &str, name: &str) -> bool {
    if let Some((begun, _)) = text.split_once('{') {
        return begun.len() > 1 && name.starts_with(begun);
    }
    let before = script.get(..start.saturating_sub(1)).unwrap_or_default().trim_end();
    let after = script.get(start + text.len() + 1..).unwrap_or_default().trim_start();
    text.len() > 1
        && (after.starts_with("..") && name.starts_with(text)
            || before.ends_with("..") && name.ends_with(text))
}

/// Whether a text in quotes, which begins at `start`, stands by itself among the arguments of a call.
///
/// ```
/// use adjutant_pack::luau::is_argument;
/// let script = "g:stop(\"ford:1\", { label = \"Turn:3\" }) f \"a\"";
/// assert!(is_argument(script, 8) && is_argument(script, 44));
/// assert!(!is_argument(script, 28));
/// ```
pub fn is_argument(script: &str, start: usize) -> bool {
    let before = script.get(..start.saturating_sub(1)).unwrap_or_default().trim_end();
    // What `f "a"` ends in is a name; so does `return "a"`, which is no call.
    let named = |text: &str| {
        let at = text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let word = &text[at..];
        !word.is_empty() && !["return", "and", "or", "not", "then", "else", "in"].contains(&word)
    };
    if !before.ends_with([',', '(']) {
        return named(before);
    }
    // Brackets in texts and comments before it are few, and what is told by them is how bad a slip is.
    let mut depth = 0usize;
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => return named(before[..at].trim_end()),
            '[' | '{' if depth == 0 => return false,
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// How long a long bracket at the beginning is, with both its ends.
fn long(text: &str) -> Option<usize> {
    let level = text.strip_prefix('[')?;
    let marks = level.bytes().take_while(|b| *b == b'=').count();
    level[marks..].strip_prefix('[')?;
    let end = format!("]{}]", &level[..marks]);
    Some(text.find(&end).map_or(text.len(), |at| at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::{is_part, texts};

    #[test]
    fn names_may_be_put_together() {
        let script = "ask(\"taken by \" .. side); f(`seen by {side}`); g(\"lost by \")";
        let parts =
            |name: &str| texts(script).iter().filter(|(at, text)| is_part(script, *at, text, name)).count();
        assert_eq!(parts("taken by crosses"), 1);
        assert_eq!(parts("seen by crosses"), 1);
        assert_eq!(parts("lost by crosses") + parts("taken"), 0);
    }

    #[test]
    fn texts_are_found_and_comments_are_not() {
        let script = "local a = \"b:1\" -- 'b:2'\nf('b:3', `b:4`) --[[ \"b:5\"\n]] g(\"say \\\"b:6\\\"\", \"b:7\")\n\
                      h([==[ \"b:8\" ]] ]==], t[1], \"b:9";
        let found: Vec<&str> = texts(script).into_iter().map(|(_, text)| text).collect();
        assert_eq!(found, ["b:1", "b:3", "b:4", "say \\\"b:6\\\"", "b:7", "b:9"]);
        for (at, text) in texts(script) {
            assert!(script[at..].starts_with(text));
        }
        assert!(
            texts("").is_empty()
                && texts("--").is_empty()
                && texts("\"").len() == 1
                && texts("\"\\").len() <= 1
        );
    }
}

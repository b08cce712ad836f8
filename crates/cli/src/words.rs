//! What people type for actions.

use std::collections::BTreeMap;

use adjutant::kernel::view::ShownTarget;

/// The words of a line; what stands in quotes is one.
pub(crate) fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (n, part) in line.split('"').enumerate() {
        if n % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// What a word means as the name of a piece that a seat knows, by the handles of what is known: first the piece, with a
/// stroke before it first the stack of which it is the first.
pub(crate) fn pieces_named(word: &str, known: &BTreeMap<&str, &str>) -> Vec<ShownTarget> {
    let name = word.trim_start_matches('/');
    let handles = known.iter().filter(|(_, piece)| **piece == name).map(|(handle, _)| (*handle).to_owned());
    let both = |handle: String| {
        let [piece, stack] = [ShownTarget::Body(handle.clone()), ShownTarget::Stack(handle)];
        if word.starts_with('/') { [stack, piece] } else { [piece, stack] }
    };
    handles.flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::{BTreeMap, ShownTarget, pieces_named, words_of};

    #[test]
    fn a_name_is_the_piece_before_it_is_its_stack() {
        let known = BTreeMap::from([("cxsm", "Magruder"), ("fqdq", "Lee")]);
        let [piece, stack] = [ShownTarget::Body("cxsm".into()), ShownTarget::Stack("cxsm".into())];
        assert_eq!(pieces_named("Magruder", &known), [piece.clone(), stack.clone()]);
        assert_eq!(pieces_named("/Magruder", &known), [stack, piece]);
        assert_eq!(pieces_named("Jackson", &known), []);
    }

    #[test]
    fn what_stands_in_quotes_is_one_word() {
        assert_eq!(words_of(" march \"1st Foot\"  Hill\n"), ["march", "1st Foot", "Hill"]);
        assert_eq!(words_of(""), [""; 0]);
    }
}

//! Did you mean: the known name that is most like a wrong one.

/// The name most like `wrong`, if one is near enough to be a slip of the pen; of equally near ones the first by
/// the alphabet.
///
/// ```
/// use adjutant_kernel::suggest::nearest;
/// assert_eq!(nearest("Savage Sation", ["Savage Station", "Seven Pines"]), Some("Savage Station"));
/// assert_eq!(nearest("Richmond", ["Savage Station", "Seven Pines"]), None);
/// ```
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = wrong.chars().count();
    let most = 1 + letters / 4;
    names
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(letters) <= most)
        .map(|name| (edits(name, wrong), name))
        .filter(|(edits, _)| *edits <= most)
        .min()
        .map(|(_, name)| name)
}

/// What would be right in place of a wrong name: the nearest one, else all of them when they are few.
///
/// ```
/// use adjutant_kernel::suggest::instead;
/// assert_eq!(instead("bleu", ["blue", "amber"]), "did you mean `blue`?");
/// assert_eq!(instead("green", ["blue", "amber"]), "there are: blue, amber");
/// assert_eq!(instead("green", []), "there are none");
/// ```
pub fn instead<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match (nearest(wrong, names.iter().copied()), names.len()) {
        (Some(name), _) => format!("did you mean `{name}`?"),
        (None, 0) => "there are none".to_owned(),
        (None, 1..=12) => format!("there are: {}", names.join(", ")),
        (None, count) => format!("none of the {count} names is like it"),
    }
}

/// The number of letters to insert, remove or change to turn `a` into `b`.
///
/// ```
/// use adjutant_kernel::suggest::edits;
/// assert_eq!(edits("sevn", "seven"), 1);
/// assert_eq!(edits("ford", "food"), 1);
/// ```
pub fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "abc", 0), ("añb", "anb", 1)]
        {
            assert_eq!((edits(a, b), edits(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn long_names_are_not_compared_letter_by_letter() {
        let long = "x".repeat(1_000_000);
        assert_eq!(nearest(&long, ["a", "b"]), None);
        assert_eq!(nearest("a", [long.as_str()]), None);
    }
}

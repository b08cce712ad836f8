//! Did you mean: the known name that is most like a wrong one.

/// The name most like `wrong`, if one is near enough to be a slip of the pen, capitals or small letters; of equally
/// near ones the first by the alphabet.
///
/// ```
/// use adjutant_kernel::suggest::nearest;
/// assert_eq!(nearest("savage Sation", ["Savage Station", "Seven Pines"]), Some("Savage Station"));
/// assert_eq!(nearest("rlol", ["rows", "roll"]), Some("roll"));
/// assert_eq!(nearest("Richmond", ["Savage Station", "Seven Pines"]), None);
/// ```
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = wrong.chars().count();
    let most = 1 + letters.min(40) / 4;
    let folded = wrong.to_lowercase();
    names
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(letters) <= most)
        .map(|name| (edits(&name.to_lowercase(), &folded), name))
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

/// How many of the letters of a name are compared: no slip is found by more, and packs may name things at any length.
const COMPARED: usize = 64;

/// The number of letters to insert, remove, change or swap to turn `a` into `b`, as far as they are compared.
fn edits(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|name| name.chars().take(COMPARED).collect::<Vec<char>>());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("añb", "anb", 1),
            ("rlol", "roll", 1),
        ] {
            assert_eq!((edits(a, b), edits(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn long_names_are_not_compared_letter_by_letter() {
        let long = "x".repeat(1_000_000);
        assert_eq!(nearest(&long, ["a", "b"]), None);
        assert_eq!(nearest("a", [long.as_str()]), None);
        assert_eq!(nearest(&long, [format!("y{long}").as_str()]).map(str::len), Some(1_000_001));
    }
}

//! Did you mean ...?

/// The name most like `wrong`, if one is near enough to be a slip of the pen.
pub(crate) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = 1 + wrong.chars().count().min(40) / 4;
    let folded = wrong.to_lowercase();
    names
        .into_iter()
        .filter(|name| name.len().abs_diff(wrong.len()) <= 4 * most)
        .map(|name| (edits(&name.to_lowercase(), &folded), name))
        .filter(|(edits, _)| *edits <= most)
        .min()
        .map(|(_, name)| name)
}

/// What to say of a name that is none of these: the nearest, or the first few.
pub(crate) fn help<'a>(wrong: &str, what: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(name) = nearest(wrong, names.clone()) {
        return format!("did you mean `{name}`?");
    }
    list(what, names)
}

/// The first few of the names that there are.
pub(crate) fn list<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() {
        return format!("there are no {what}");
    }
    let shown = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(SHOWN);
    if more == 0 {
        format!("the {what} are {shown}")
    } else {
        format!("the {what} are {shown} and {more} more")
    }
}

/// The number of letters to insert, remove, change or swap to turn `a` into `b`.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
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
    fn slips_are_found() {
        assert_eq!(nearest("Infantery", ["Cavalry", "Infantry"]), Some("Infantry"));
        assert_eq!(nearest("rlol", ["rows", "roll"]), Some("roll"));
        assert_eq!(nearest("swamp", ["clear", "woods"]), None);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}

//! Did you mean ...?

pub(crate) use adjutant_kernel::suggest::nearest;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_named_else_the_first_few() {
        assert_eq!(help("infantery", "kinds", ["Cavalry", "Infantry"]), "did you mean `Infantry`?");
        assert_eq!(help("swamp", "terrains", ["clear", "woods"]), "the terrains are `clear`, `woods`");
        assert_eq!(help("x", "sides", []), "there are no sides");
        let many = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        assert!(list("numbers", many).ends_with("`eight` and 2 more"));
    }
}

//! Names and their numbers, both ways.

use std::collections::HashMap;

/// The names of one kind of thing, numbered from 0. The first of two equal names keeps its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    names: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u16>,
}

impl Names {
    /// Adds a name; false if it was there before.
    pub(super) fn push(&mut self, name: &str) -> bool {
        let number = self.names.len() as u16;
        self.names.push(name.into());
        let fresh = !self.numbers.contains_key(name);
        if fresh {
            self.numbers.insert(name.into(), number);
        }
        fresh
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    pub(super) fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// Finds `a<separator>b` also as `b<separator>a`, and `a<separator>b (c)` also as `b<separator>a (c)`.
    pub(super) fn number_either_way(&self, name: &str, separator: char) -> Option<u16> {
        let swapped = |pair: &str, suffix: &str| {
            pair.match_indices(separator).find_map(|(at, _)| {
                let (a, b) = (&pair[..at], &pair[at + separator.len_utf8()..]);
                self.number(&format!("{b}{separator}{a}{suffix}"))
            })
        };
        self.number(name).or_else(|| swapped(name, "")).or_else(|| {
            let suffix = name.rfind(" (")?;
            swapped(&name[..suffix], &name[suffix..])
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The name most like `wrong`, if one is near enough to be a slip of the pen.
    pub(super) fn nearest(&self, wrong: &str) -> Option<String> {
        crate::suggest::nearest(wrong, self.iter()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_slip_of_the_pen() {
        let mut names = Names::default();
        assert!(names.push("Savage Station"));
        assert!(names.push("Seven Pines"));
        assert!(!names.push("Seven Pines"));
        assert_eq!(names.nearest("Savage Sation").as_deref(), Some("Savage Station"));
        assert_eq!(names.nearest("Richmond"), None);
    }

    #[test]
    fn a_pair_is_found_in_either_order() {
        let mut names = Names::default();
        names.push("Mary-le-Bow-Soho");
        assert_eq!(names.number_either_way("Soho-Mary-le-Bow", '-'), Some(0));
        assert_eq!(names.number_either_way("Bow-Soho", '-'), None);
        names.push("4-7 (rail)");
        assert_eq!(names.number_either_way("7-4 (rail)", '-'), Some(1));
    }
}

//! Interned names: strings at load, small numbers while a game runs (invariant 4).

use std::collections::HashMap;

/// A table of distinct names, numbered in the order of their first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    list: Vec<String>,
    index: HashMap<String, u16>,
}

impl Names {
    /// The number of `name`, given to it if it is new. More names than there are numbers are counted and
    /// share the last number; whoever interns them looks at [`len`](Self::len) in the end.
    pub(crate) fn intern(&mut self, name: &str) -> u16 {
        if let Some(&n) = self.index.get(name) {
            return n;
        }
        let n = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), n);
        n
    }

    /// The number of a name that is there already.
    pub(crate) fn find(&self, name: &str) -> Option<u16> {
        self.index.get(name).copied()
    }

    /// The name with a number; `"?"` for a number that this table never gave out.
    pub(crate) fn name(&self, n: u16) -> &str {
        self.list.get(usize::from(n)).map_or("?", String::as_str)
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// All names in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
}

//! Combinations of options: a small set in which every two options occur in all four ways.

/// Rows of switches; the first is all off.
pub(super) fn pairwise(options: usize) -> Vec<Vec<bool>> {
    let mut rows = vec![vec![false; options]];
    if options == 0 {
        return rows;
    }
    rows.push(vec![true; options]);
    let covered = |rows: &[Vec<bool>], a: usize, b: usize, x: bool, y: bool| {
        rows.iter().any(|row| row[a] == x && row[b] == y)
    };
    for a in 0..options {
        for b in a + 1..options {
            for (x, y) in [(true, false), (false, true)] {
                if covered(&rows, a, b, x, y) {
                    continue;
                }
                // The other switches take whatever pairs with the two are still missing.
                let mut row = vec![false; options];
                (row[a], row[b]) = (x, y);
                for c in (0..options).filter(|&c| c != a && c != b) {
                    let missing = |z: bool| {
                        let pair = |i: usize, v: bool| {
                            if i < c { !covered(&rows, i, c, v, z) } else { !covered(&rows, c, i, z, v) }
                        };
                        usize::from(pair(a, x)) + usize::from(pair(b, y))
                    };
                    row[c] = missing(true) > missing(false);
                }
                rows.push(row);
            }
        }
    }
    if options == 1 {
        rows.truncate(2);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::pairwise;

    #[test]
    fn every_pair_occurs_in_all_four_ways() {
        for options in 0..12 {
            let rows = pairwise(options);
            assert!(rows.len() <= 2 + options, "{} rows for {options} options", rows.len());
            for a in 0..options {
                for b in a + 1..options {
                    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
                        assert!(rows.iter().any(|r| r[a] == x && r[b] == y), "{options}: {a} {b}");
                    }
                }
            }
        }
    }
}

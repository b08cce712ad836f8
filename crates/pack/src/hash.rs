//! Fingerprints of packs, by which saves, replays and lobbies name what they were played with.
//!
//! The rules hash covers what can change play: `pack.ron`, all other RON but the ledger `rules.ron`, and the
//! scripts, of all layers from the bottom up. Texts (`text/`), tests and the ledger are not in it, so that a
//! better translation or one more test keeps games going; comments in RON files and scripts are. The full hash
//! covers every file. Files are taken in the order of their paths, with `\r\n` read as `\n`; the order in which a
//! file system lists them does not matter.

use sha2::{Digest, Sha256};

use crate::files::Files;

/// A SHA-256 fingerprint, shown as 64 hexadecimal digits.
///
/// ```
/// use adjutant_pack::{Files, LoadedPack};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let files = Files::read(folder.as_ref()).unwrap();
/// let mut translated = files.clone();
/// translated.files.insert("text/de.ftl".into(), "side-blue = Die Blauen".into());
/// let [before, after] = [files, translated].map(|files| LoadedPack::read(&[files], &mut Vec::new()));
/// assert_eq!(before.rules_hash, after.rules_hash); // games go on
/// assert_ne!(before.full_hash, after.full_hash);
/// assert_eq!(before.rules_hash.to_string().len(), 64);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hash(pub [u8; 32]);

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Whether a file can change play.
pub(crate) fn is_rule_relevant(path: &str) -> bool {
    path != "rules.ron" && (path.ends_with(".ron") || path.ends_with(".luau")) && !path.starts_with("tests/")
}

/// The fingerprint of what can change play in these layers, from the bottom up.
pub(crate) fn rules_hash(layers: &[Files]) -> Hash {
    hash(layers, is_rule_relevant)
}

/// The fingerprint of everything in these layers, from the bottom up.
pub(crate) fn full_hash(layers: &[Files]) -> Hash {
    hash(layers, |_| true)
}

fn hash(layers: &[Files], wanted: impl Fn(&str) -> bool) -> Hash {
    let mut hash = Sha256::new();
    hash.update(b"adjutant pack 1\0");
    for layer in layers {
        hash.update(b"layer\0");
        for (path, bytes) in layer.files.iter().filter(|(path, _)| wanted(path)) {
            let bytes = normal(bytes);
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path.as_bytes());
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
        }
    }
    Hash(hash.finalize().into())
}

fn normal(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (n, &byte) in bytes.iter().enumerate() {
        if byte != b'\r' || bytes.get(n + 1) != Some(&b'\n') {
            out.push(byte);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> [Files; 1] {
        [Files::new("x", list.iter().copied())]
    }

    #[test]
    fn only_what_changes_play_counts() {
        let base = files(&[("pack.ron", "()"), ("tables.ron", "{\n}")]);
        let same = [
            files(&[("tables.ron", "{\r\n}"), ("pack.ron", "()")]),
            files(&[("pack.ron", "()"), ("tables.ron", "{\n}"), ("text/en.ftl", "a = b")]),
            files(&[("pack.ron", "()"), ("tables.ron", "{\n}"), ("tests/a.luau", ""), ("rules.ron", "{}")]),
        ];
        for other in &same {
            assert_eq!(rules_hash(&base), rules_hash(other));
        }
        assert_ne!(full_hash(&base), full_hash(&same[1]));
        let others = [
            files(&[("pack.ron", "()"), ("tables.ron", "{ }")]),
            files(&[("pack.ron", "()"), ("tables.ro", "n{\n}")]),
            files(&[("pack.ron", "()"), ("tables.ron", "{\n}"), ("scripts/a.luau", "")]),
        ];
        for other in &others {
            assert_ne!(rules_hash(&base), rules_hash(other));
        }
        let twice = [base[0].clone(), base[0].clone()];
        assert_ne!(rules_hash(&base), rules_hash(&twice));
    }
}

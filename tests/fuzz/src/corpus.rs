//! Cases: the files of a spoilt pack or save; and what they are made from.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files by their path, `/` between folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// The packs to begin from.
pub(crate) const PACKS: &[&str] =
    &["breakthrough", "duel", "ford", "ford-heights", "phantom", "picket-line", "skirmish"];

/// Those of them that can be played as they are.
pub(crate) fn titles() -> impl Iterator<Item = &'static str> {
    PACKS.iter().copied().filter(|name| !pack_games::folder(name).join("changes.ron").exists())
}

impl Case {
    /// Reads a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut case = Self::default();
        case.add(folder, "").map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(case)
    }

    fn add(&mut self, folder: &Path, prefix: &str) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.add(&entry.path(), &format!("{path}/"))?;
            } else {
                self.files.insert(path, fs::read(entry.path())?);
            }
        }
        Ok(())
    }

    /// Writes it into a folder where `before` lies already, or nothing.
    pub(crate) fn write(&self, folder: &Path, before: &Self) -> std::io::Result<()> {
        for path in before.files.keys().filter(|path| !self.files.contains_key(*path)) {
            fs::remove_file(folder.join(path))?;
        }
        for (path, bytes) in self.files.iter().filter(|(path, bytes)| before.files.get(*path) != Some(bytes))
        {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}

//! Noticing that files have changed. The times of a pack's few files are looked at again and again: that works on
//! every system and every kind of disk, and follows files that could not be read at first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{folder, library};
use crate::args::PackArgs;
use crate::console::Failure;

/// How often to look.
pub(super) const PERIOD: Duration = Duration::from_millis(300);
/// Files that are looked at, at most.
const MOST: usize = 20_000;

/// Folders whose files are watched.
pub(super) struct Watch {
    folders: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, (SystemTime, u64)>,
}

impl Watch {
    pub(super) fn new(folders: Vec<PathBuf>) -> Self {
        let seen = times(&folders);
        Self { folders, seen }
    }

    /// Whether something has changed since this was asked.
    pub(super) fn changed(&mut self) -> bool {
        let now = times(&self.folders);
        let changed = now != self.seen;
        self.seen = now;
        changed
    }
}

fn times(folders: &[PathBuf]) -> BTreeMap<PathBuf, (SystemTime, u64)> {
    let mut all = BTreeMap::new();
    folders.iter().for_each(|folder| collect(folder, 0, &mut all));
    all
}

fn collect(folder: &Path, depth: usize, all: &mut BTreeMap<PathBuf, (SystemTime, u64)>) {
    // A folder that is away for a moment, while an editor writes, is empty for that moment.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let Ok(meta) = entry.metadata() else { continue };
        if hidden || depth > 8 || all.len() >= MOST {
            continue;
        }
        if meta.is_dir() {
            collect(&entry.path(), depth + 1, all);
        } else {
            let time = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            all.insert(entry.path(), (time, meta.len()));
        }
    }
}

/// The folders of a pack and of its overlays, and of what it extends as far as that can be opened now.
pub(super) fn folders(args: &PackArgs) -> Result<Vec<PathBuf>, Failure> {
    let library = library(&args.above)?;
    let mut all = vec![folder(&args.pack, &library)?];
    for overlay in &args.above.overlay {
        all.push(folder(overlay, &library)?);
    }
    if let Ok(pack) = super::open_pack(args) {
        all.extend(pack.folders().map(PathBuf::from));
    }
    all.sort();
    all.dedup();
    Ok(all)
}

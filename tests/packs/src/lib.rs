//! The small games as packs: RON and Luau alone.

use std::path::{Path, PathBuf};

use adjutant::Pack;

/// The folder of the pack of a small game.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Opens the pack of a small game by the name of its folder.
///
/// # Errors
/// All that is wrong with it, as a text.
pub fn open(name: &str) -> Result<Pack, String> {
    Pack::open(folder(name)).map_err(|report| report.render())
}

//! Saves in files.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use adjutant_pack::files::read_text;

use super::{FindRules, Incompatible, Save};
use crate::game::Game;

/// Bytes of a file with a save, at most.
const LARGEST_SAVE: u64 = 256 << 20;

/// A file could not be read or written: it names the file and the cause.
///
/// ```
/// use adjutant::{LoadError, Save};
/// let Err(LoadError::Io(error)) = Save::read("no/such/game.json") else { panic!() };
/// assert_eq!((error.doing, error.path.ends_with("game.json")), ("read", true));
/// assert!(error.to_string().starts_with("no/such/game.json: it cannot be read: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}: it cannot be {doing}: {cause}", .path.display())]
pub struct Io {
    /// The file.
    pub path: PathBuf,
    /// What was to be done to it: `read` or `written`.
    pub doing: &'static str,
    /// Why not.
    #[source]
    pub cause: io::Error,
}

/// Why a game cannot be loaded from a file.
///
/// ```
/// use adjutant::{Incompatible, LoadError, Save};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// std::fs::write(&path, "Dear diary")?;
/// let Err(LoadError::Incompatible { cause, .. }) = Save::read(&path) else { panic!() };
/// assert!(matches!(cause, Incompatible::Malformed(_)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] Io),
    /// What is in it cannot be loaded.
    #[error("{}: {cause}", .path.display())]
    Incompatible {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        cause: Incompatible,
    },
}

impl Save {
    /// Reads a save from a file. One of an older format is brought up to date.
    ///
    /// # Errors
    /// When the file cannot be read, or [`Save::from_json`] cannot read what is in it.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let read = match read_text(path, LARGEST_SAVE) {
            Ok(text) => Self::from_json(&text),
            Err(error)
                if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge) =>
            {
                Err(Incompatible::Malformed(error.to_string()))
            }
            Err(cause) => return Err(Io { path: path.to_owned(), doing: "read", cause }.into()),
        };
        read.map_err(|cause| LoadError::Incompatible { path: path.to_owned(), cause })
    }

    /// Writes the save to a file, whole or not at all: whatever stands there is replaced only when all of the
    /// new one is on disk.
    ///
    /// # Errors
    /// When it cannot be written; what stood there still does.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Io> {
        let path = path.as_ref();
        replace(path, self.to_json().as_bytes()).map_err(|cause| Io {
            path: path.to_owned(),
            doing: "written",
            cause,
        })
    }
}

impl Game {
    /// Saves the game to a file, whole or not at all. It holds everything hidden: it is the host's.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::{Game, Setup};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("game.json");
    /// let game = Game::start(&rules, Setup::default())?;
    /// game.save_to(&path)?;
    /// assert_eq!(Game::load_from(&rules, &path)?.digest(), game.digest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file cannot be written; what stood there still does.
    pub fn save_to(&self, path: impl AsRef<Path>) -> Result<(), Io> {
        self.save().write(path)
    }

    /// Goes on from a save in a file; see [`Game::load`].
    ///
    /// # Errors
    /// When the file cannot be read, or what is in it cannot be loaded by these rules.
    pub fn load_from(rules: &impl FindRules, path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let save = Save::read(path)?;
        Self::load(rules, &save).map_err(|cause| LoadError::Incompatible { path: path.to_owned(), cause })
    }
}

/// Writes to a file beside the wanted one, which takes its place then.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    // Through a link to what it points at: the link stays.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A device or a pipe would be gone.
    if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "what is there is no file; give another name",
        ));
    }
    let (mut file, beside) = beside(&path, name)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| fs::rename(&beside, &path));
    if done.is_err() {
        // The first error is the one to tell of.
        let _ = fs::remove_file(&beside);
    }
    done
}

/// A new file in the same folder. A crash may have left some behind, and other threads may be saving.
fn beside(path: &Path, name: &OsStr) -> io::Result<(File, PathBuf)> {
    let mut tried = io::ErrorKind::AlreadyExists.into();
    for n in 0..32 {
        let mut own = OsString::from(".");
        own.push(name);
        own.push(format!(".{}-{n}.part", std::process::id()));
        let beside = path.with_file_name(own);
        match File::create_new(&beside) {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => tried = error,
            Err(error) => return Err(error),
        }
    }
    Err(tried)
}

//! The files of a pack, read from a folder with care: a pack may come from anybody.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;

/// Bytes of one file, at most.
pub const LARGEST_FILE: u64 = 4 << 20;
/// Bytes of all files of a pack, at most.
pub const LARGEST_PACK: u64 = 64 << 20;
/// Files of a pack, at most.
pub const MOST_FILES: usize = 10_000;
/// What some editors put before a text. It is no part of it.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';
/// Folders within folders, at most.
pub const DEEPEST_FOLDER: usize = 8;

/// The files of one pack, by path within it with `/`.
///
/// ```
/// use adjutant_pack::Files;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let files = Files::read(folder.as_ref()).unwrap();
/// assert!(files.files.contains_key("boards/map.ron"));
/// let at_hand = Files::new("my-title", [("pack.ron", "(id: \"my-title\")")]);
/// assert_eq!(at_hand.shown("pack.ron"), "my-title/pack.ron");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// How the folder is shown to people, without a `/` at its end; may be empty.
    pub shown: String,
    /// The files.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Files {
    /// Files that are at hand already.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(
        shown: impl Into<String>,
        files: impl IntoIterator<Item = (P, B)>,
    ) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { shown: shown.into(), files }
    }

    /// Reads a folder. Symbolic links are not followed, hidden files are left out, and what is too large is
    /// refused.
    ///
    /// # Errors
    /// Everything that could not be read, with the reason.
    pub fn read(folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        let shown = folder.display().to_string().trim_end_matches('/').to_owned();
        let mut reader = Reader { files: Self { shown, ..Self::default() }, total: 0, problems: Vec::new() };
        match fs::metadata(folder) {
            Ok(meta) if meta.is_dir() => reader.folder(folder, "", 0),
            Ok(_) => reader.problem(folder, "is a file; a pack is a folder with a `pack.ron`"),
            Err(error) => reader.io(folder, "cannot be opened", &error),
        }
        if reader.problems.is_empty() { Ok(reader.files) } else { Err(reader.problems) }
    }

    /// How a file is shown to people.
    pub fn shown(&self, path: &str) -> String {
        if self.shown.is_empty() { path.to_owned() } else { format!("{}/{path}", self.shown) }
    }
}

/// Reads a text, of so many bytes at most: a file may be larger than the memory, or have no end. A byte order mark
/// before it is left out.
///
/// ```
/// use adjutant_pack::files::{LARGEST_FILE, read_text};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let manifest = format!("{folder}/pack.ron");
/// assert!(read_text(manifest.as_ref(), LARGEST_FILE)?.contains("Tiny"));
/// assert!(read_text(manifest.as_ref(), 10).is_err()); // it is larger
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When it cannot be read, is no text in UTF-8, or is larger.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"));
    let (file, mut text) = (fs::File::open(path)?, String::new());
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    // What states no size, or grows, shows by a byte more than it may have.
    let read = file.take(most.saturating_add(1)).read_to_string(&mut text);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => io::Error::new(error.kind(), "it is no text in UTF-8"),
        _ => error,
    })?;
    if text.len() as u64 > most {
        return Err(too_large());
    }
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

struct Reader {
    files: Files,
    total: u64,
    problems: Vec<Diagnostic>,
}

impl Reader {
    fn problem(&mut self, path: &Path, message: &str) {
        self.problems.push(Diagnostic::of_file("io", path.display().to_string(), message));
    }

    fn io(&mut self, path: &Path, what: &str, error: &io::Error) {
        self.problem(path, &format!("{what}: {error}"));
    }

    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) {
        if depth > DEEPEST_FOLDER {
            self.problem(folder, &format!("lies more than {DEEPEST_FOLDER} folders deep"));
            return;
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.io(folder, "cannot be listed", &error),
        };
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => paths.push(entry.path()),
                Err(error) => self.io(folder, "cannot be listed", &error),
            }
        }
        paths.sort();
        for path in paths {
            let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
                self.problem(&path, "has a name that is not UTF-8; rename it");
                continue;
            };
            if name.starts_with('.') {
                continue;
            }
            if name.contains(char::is_control) {
                self.problem(&path, "has a name with control characters; rename it");
                continue;
            }
            let inside = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => self.problem(
                    &path,
                    "is a symbolic link; links are not followed, so that a pack cannot reach out of its folder",
                ),
                Ok(meta) if meta.is_dir() => {
                    let before = self.files.files.len();
                    self.folder(&path, &inside, depth + 1);
                    // An empty folder that should be a file would not be noticed: whoever reads the files is told.
                    if name.ends_with(".ron") && self.files.files.len() == before {
                        self.files.files.insert(format!("{inside}/"), Vec::new());
                    }
                }
                Ok(meta) if meta.is_file() => self.file(&path, inside, meta.len()),
                Ok(_) => self.problem(&path, "is neither a file nor a folder"),
                Err(error) => self.io(&path, "cannot be read", &error),
            }
        }
    }

    fn file(&mut self, path: &Path, inside: String, size: u64) {
        if size > LARGEST_FILE {
            return self.problem(path, &format!("has {size} bytes; {LARGEST_FILE} at most"));
        }
        self.total += size;
        if self.total > LARGEST_PACK || self.files.files.len() >= MOST_FILES {
            if self.problems.iter().all(|p| p.code != "too-large") {
                let message = format!("a pack has at most {MOST_FILES} files and {LARGEST_PACK} bytes");
                self.problems.push(Diagnostic::of_file("too-large", self.files.shown.clone(), message));
            }
            return;
        }
        // The size may have changed since: never read more than was asked for.
        let read = fs::File::open(path).and_then(|file| {
            let mut bytes = Vec::with_capacity(size as usize);
            file.take(LARGEST_FILE).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        match read {
            Ok(bytes) => {
                self.files.files.insert(inside, bytes);
            }
            Err(error) => self.io(path, "cannot be read", &error),
        }
    }
}

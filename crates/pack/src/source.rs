//! The text of all files of all layers, and places in it.

use std::ops::Range;

/// Number of a file in [`Sources`].
///
/// ```
/// use adjutant_pack::source::{FileId, Sources};
/// let mut sources = Sources::default();
/// assert_eq!(sources.add(0, "pack.ron", "my-title/pack.ron".into(), String::new()), FileId(0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A stretch of a file, in bytes.
///
/// ```
/// use adjutant_pack::source::{Sources, Span};
/// let mut sources = Sources::default();
/// let file = sources.add(0, "options.ron", "options.ron".into(), "(\n  options: {},\n)".into());
/// let word = Span { file, start: 4, end: 11 };
/// assert_eq!((sources.text(word), sources.line_column(word)), ("options", (2, 3)));
/// assert_eq!(word.to(Span { start: 13, end: 15, ..word }).range(), 4..15);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The stretch as a range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// From the beginning of this to the end of another of the same file.
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.start), ..self }
    }
}

/// A file of a layer.
///
/// ```
/// use adjutant_pack::source::Sources;
/// let mut sources = Sources::default();
/// let id = sources.add(1, "text/en.ftl", "my-title/text/en.ftl".into(), "side-blue = Blue\nside-red = Red".into());
/// let file = sources.file(id);
/// assert_eq!((file.layer, file.path.as_str(), file.line_column(17)), (1, "text/en.ftl", (2, 1)));
/// ```
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The layer (pack) that it belongs to, counted from the bottom.
    pub layer: usize,
    /// Path within the pack, with `/`.
    pub path: String,
    /// Path as it is shown to people.
    pub shown: String,
    /// The text.
    pub text: String,
    /// Where each line begins.
    lines: Vec<u32>,
    /// How many characters begin before each [`BLOCK`] of bytes: columns on a very long line are not counted from
    /// its beginning for every problem.
    characters: Vec<u32>,
}

/// See [`SourceFile::characters`].
const BLOCK: usize = 512;

/// All files that were read.
///
/// ```
/// use adjutant_pack::source::Sources;
/// let mut sources = Sources::default();
/// let file = sources.add(0, "scripts/march.luau", "scripts/march.luau".into(), "--!strict\n  local x = 1\n".into());
/// let second = sources.line(file, 2).unwrap();
/// assert_eq!((sources.text(second), sources.place(second)), ("local x = 1", "scripts/march.luau:2:3".into()));
/// assert_eq!(sources.line(file, 9), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, layer: usize, path: &str, shown: String, text: String) -> FileId {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(n, _)| n as u32 + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        let mut before = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let begun = before;
            before += count(block);
            begun
        });
        let characters = blocks.collect();
        self.files.push(SourceFile { layer, path: path.to_owned(), shown, text, lines, characters });
        FileId(self.files.len() as u32 - 1)
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(n, f)| (FileId(n as u32), f))
    }

    /// Line and column (in characters), both from 1, of the beginning of a stretch.
    pub fn line_column(&self, span: Span) -> (u32, u32) {
        self.file(span.file).line_column(span.start)
    }

    /// `file:line:column` of the beginning of a stretch.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        format!("{}:{line}:{column}", self.file(span.file).shown)
    }

    /// The stretch of a line, counted from 1, without the blanks around it; `None` when the file is shorter.
    pub fn line(&self, file: FileId, line: u32) -> Option<Span> {
        let source = self.file(file);
        let start = *source.lines.get(line.checked_sub(1)? as usize)? as usize;
        let end = source.lines.get(line as usize).map_or(source.text.len(), |next| *next as usize);
        let text = source.text.get(start..end)?;
        let start = start + text.len() - text.trim_start().len();
        Some(Span { file, start: start as u32, end: (start + text.trim().len()) as u32 })
    }

    /// The lines of a file, counted from 1 and both included, with line breaks.
    pub(crate) fn lines(&self, file: FileId, from: u32, to: u32) -> Span {
        let source = self.file(file);
        let begin = |line: u32| source.lines.get(line as usize).map_or(source.text.len() as u32, |at| *at);
        Span { file, start: begin(from.saturating_sub(1)), end: begin(to) }
    }

    /// The length of the longest of some lines of a file, counted from 1 and both included, with their breaks.
    pub(crate) fn longest_line(&self, file: FileId, from: u32, to: u32) -> u32 {
        let lines = (from.max(1)..=to).map(|line| self.lines(file, line, line));
        lines.map(|line| line.end.saturating_sub(line.start)).max().unwrap_or(0)
    }

    /// The text of a stretch.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or_default()
    }
}

/// How many characters begin in a stretch of UTF-8.
fn count(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u32
}

impl SourceFile {
    /// Line and column (in characters), both from 1, of a byte.
    pub fn line_column(&self, at: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&l| l <= at).max(1);
        let start = self.lines[line - 1];
        (line as u32, self.characters_before(at).saturating_sub(self.characters_before(start)) + 1)
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, at: u32) -> u32 {
        let at = (at as usize).min(self.text.len());
        let block = at / BLOCK;
        // The end of the text may be the end of the last block.
        let begun = self.characters.get(block).copied();
        let (begun, from) = match begun {
            Some(begun) => (begun, block * BLOCK),
            None => (self.characters.last().copied().unwrap_or_default(), block.saturating_sub(1) * BLOCK),
        };
        begun + count(&self.text.as_bytes()[from..at])
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Sources, Span};

    #[test]
    fn columns_count_characters_across_blocks() {
        for text in
            ["", "a", "ä", &"x".repeat(BLOCK), &"äx".repeat(BLOCK), &format!("a\n{}", "€y".repeat(BLOCK))]
        {
            let mut sources = Sources::default();
            let file = sources.add(0, "a", "a".to_owned(), text.to_owned());
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
                let column = text[start..at].chars().count() as u32 + 1;
                let span = Span { file, start: at as u32, end: at as u32 };
                assert_eq!(sources.line_column(span).1, column, "{at} of {} bytes", text.len());
            }
        }
    }
}

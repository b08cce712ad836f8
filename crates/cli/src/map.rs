//! A hex map as plain text: number and ground of each hex, and who is seen to stand there.

use std::collections::BTreeMap;

use adjutant::kernel::board::{Board, Orientation, Shift};
use adjutant::kernel::view::{BodyView, PlaceView, View};
use adjutant::kernel::{FeatureId, Rulebook, SpaceId};

/// Lines of text of a hex.
const LINES: usize = 2;
/// The widest that a cell may be, in characters.
const WIDEST: usize = 14;

/// The map of a board with a hex grid, as a viewer sees it, with a legend of the ground; `None` without a grid.
///
/// Of each hex the first line has its number and the letters of its ground, the second who is on top, with the
/// first letter of the side, and how many more there are.
pub fn map_text(rulebook: &Rulebook, view: &View) -> Option<String> {
    let board = rulebook.board();
    let grid = board.hex_grid()?;
    let letters = letters(board);
    let mut cells = Vec::new();
    for &hex in grid.hexes() {
        let space = board.space_at(hex)?;
        let (column, row) = grid.column_row(hex);
        let ground: String =
            board.features_of_space(space).filter_map(|f| letters.get(&f).cloned()).collect();
        let number = [board.space_name(space), ground.as_str()].join(" ");
        let who = view.places.get(board.space_name(space)).map_or_else(String::new, who);
        cells.push((column.max(0) as usize, row.max(0) as usize, [number.trim_end().to_owned(), who]));
    }
    let length = |text: &String| text.chars().count();
    let widest = cells.iter().flat_map(|(_, _, lines)| lines).map(length).max().unwrap_or(0);
    let width = widest.min(WIDEST) + 2;
    let shifted = |line: usize| (line % 2 == 1) == (grid.shift() == Shift::Second);
    let mut canvas: Vec<Vec<char>> = Vec::new();
    for (column, row, lines) in cells {
        let (x, y) = match grid.orientation() {
            Orientation::PointyTop => {
                (column * width + if shifted(row) { width / 2 } else { 0 }, row * (LINES + 1))
            }
            Orientation::FlatTop => (column * width, row * (LINES + 1) + usize::from(shifted(column))),
        };
        for (n, text) in lines.iter().enumerate() {
            write(&mut canvas, x, y + n, &text.chars().take(WIDEST).collect::<Vec<_>>());
        }
    }
    let mut out = String::new();
    for line in canvas {
        out.push_str(line.iter().collect::<String>().trim_end());
        out.push('\n');
    }
    let legend: Vec<String> =
        letters.iter().map(|(f, letter)| format!("{letter} {}", board.feature_name(*f))).collect();
    if !legend.is_empty() {
        out.push_str(&format!("ground: {}\n", legend.join(", ")));
    }
    Some(out)
}

fn write(canvas: &mut Vec<Vec<char>>, x: usize, y: usize, text: &[char]) {
    if canvas.len() <= y {
        canvas.resize(y + 1, Vec::new());
    }
    let line = &mut canvas[y];
    if line.len() < x + text.len() {
        line.resize(x + text.len(), ' ');
    }
    line[x..x + text.len()].copy_from_slice(text);
}

/// For each type of ground on the map the fewest first letters that no other has.
fn letters(board: &Board) -> BTreeMap<FeatureId, String> {
    let spaces = (0..board.space_count() as u16).map(SpaceId);
    let mut found: Vec<FeatureId> =
        spaces.flat_map(|s| board.features_of_space(s).collect::<Vec<_>>()).collect();
    found.sort_unstable();
    found.dedup();
    let name = |f: &FeatureId| board.feature_name(*f).to_owned();
    let prefix = |f: &FeatureId| {
        let own = name(f);
        let others: Vec<String> = found.iter().filter(|o| *o != f).map(name).collect();
        let lengths = own.char_indices().map(|(at, c)| at + c.len_utf8());
        let unique = |end: &usize| !others.iter().any(|other| other.starts_with(&own[..*end]));
        let end = lengths.into_iter().find(unique).unwrap_or(own.len());
        own[..end].to_owned()
    };
    found.iter().map(|f| (*f, prefix(f))).collect()
}

/// Who is on top of the first stack, and how many more are seen to be there.
fn who(place: &PlaceView) -> String {
    let stacked = place.stacks.iter().flat_map(|s| s.bodies.iter().map(move |b| (Some(&s.side), b)));
    let loose = place.bodies.iter().map(|b| (b.side.as_ref(), b));
    let seen: Vec<(Option<&String>, &BodyView)> = stacked.chain(loose).collect();
    let unseen: u32 = place.stacks.iter().map(|s| s.more).chain(place.more.values().copied()).sum();
    let all = seen.len() + unseen as usize;
    let more = |shown: usize| if all > shown { format!("+{}", all - shown) } else { String::new() };
    match seen.first() {
        Some((side, body)) => {
            let initial = side.and_then(|s| s.chars().next()).map_or_else(String::new, |c| format!("{c}:"));
            format!("{initial}{}{}", body.piece.as_ref().unwrap_or(&body.handle), more(1))
        }
        None if all > 0 => format!("{all} unseen"),
        None => String::new(),
    }
}

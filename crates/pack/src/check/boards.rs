//! Checks of boards, beyond what makes them a board.

use super::Checking;

impl Checking<'_> {
    pub(super) fn boards(&mut self) {
        let known = self.known;
        let boards: Vec<_> = self.model.boards.iter().collect();
        for (file, board) in boards {
            let path = format!("boards/{}", file.value);
            self.source(board.source.as_ref(), file.span, &format!("the board `{}`", board.title), &path);
            for (name, feature) in board.features.iter() {
                if let Some(source) = &feature.source {
                    self.source_text(source, &path);
                }
                if !feature.places.is_empty() || !feature.values.is_empty() {
                    known.features.find(name);
                }
            }
            let inline = board
                .spaces
                .values()
                .flat_map(|s| &s.features)
                .chain(board.borders.iter().flat_map(|b| &b.features))
                .chain(board.links.values().flatten().flat_map(|l| &l.features));
            for feature in inline {
                known.features.find(feature);
            }
        }
    }
}

//! Checks of boards, beyond what makes them a board.

use super::Checking;
use crate::diagnostic::Diagnostic;
use crate::model::Drawing;
use crate::suggest;

impl Checking<'_> {
    pub(super) fn boards(&mut self) {
        let known = self.known;
        let boards: Vec<_> = self.model.boards.iter().collect();
        for (file, board) in boards {
            let path = format!("boards/{}", file.value);
            self.source(board.source.as_ref(), file.span, &format!("the board `{}`", board.title), &path);
            for (name, feature) in board.features.iter() {
                let sources = feature.source.iter().chain(feature.sources.values());
                sources.for_each(|source| self.source_text(source, &path));
                if !feature.places.is_empty() || !feature.values.is_empty() {
                    known.features.find(name);
                }
            }
            let links = board.links.values().flatten().filter_map(|link| link.source.as_ref());
            let borders = board.borders.iter().filter_map(|border| border.source.as_ref());
            links.chain(borders).for_each(|source| self.source_text(source, &path));
            if let Some(drawing) = &board.drawing {
                self.drawing(drawing, &format!("{path}/drawing"));
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

    /// What is drawn is there.
    fn drawing(&mut self, drawing: &Drawing, path: &str) {
        let known = self.known;
        for space in drawing.outlines.names() {
            known.spaces.refer(space, &format!("{path}/outlines"), self);
        }
        for mark in drawing.marks.names() {
            if !known.places.has(mark) && !known.links.has(mark) && !known.borders.has(mark) {
                let message = format!("there is no place, link or border `{}`", mark.value);
                let help = suggest::help(mark, "links", known.links.iter());
                let problem = Diagnostic::error("unknown-name", mark.span, message);
                self.push(problem.help(help).at(format!("{path}/marks")));
            }
        }
    }
}

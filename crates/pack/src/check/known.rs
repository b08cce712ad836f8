//! All names that a pack declares, by what they name, and which of them something refers to.

use std::cell::Cell;
use std::collections::HashMap;

use adjutant_kernel::board::Board;
use adjutant_kernel::{PlaceId, SpaceId};

use super::{Checking, Contract, Surroundings};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::load::LoadedPack;
use crate::model::{Item, Model, walk};
use crate::read::{Entries, Name};
use crate::source::Span;
use crate::suggest;

/// Names of one kind of thing, in order.
pub(crate) struct Names {
    /// What one is called, and several.
    pub(crate) what: (&'static str, &'static str),
    list: Vec<(String, Option<Span>)>,
    index: HashMap<String, usize>,
    used: Vec<Cell<bool>>,
    /// Where they are declared could not be read: any name may be one.
    open: bool,
}

impl Names {
    pub(crate) fn new(one: &'static str, several: &'static str, open: bool) -> Self {
        let (list, index, used) = (Vec::new(), HashMap::new(), Vec::new());
        Self { what: (one, several), list, index, used, open }
    }

    fn of<'a>(mut self, names: impl IntoIterator<Item = &'a Name>) -> Self {
        names.into_iter().for_each(|n| self.add(&n.value, Some(n.span)));
        self
    }

    fn entries<T>(self, entries: Option<&Entries<T>>) -> Self {
        match entries {
            Some(entries) => self.of(entries.names()),
            None => self,
        }
    }

    pub(crate) fn add(&mut self, name: &str, span: Option<Span>) {
        if !self.index.contains_key(name) {
            self.index.insert(name.to_owned(), self.list.len());
            self.list.push((name.to_owned(), span));
            self.used.push(Cell::new(false));
        }
    }

    /// The number of a name, counted as they were declared. It is used from now on.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let at = self.index.get(name).copied()?;
        self.used[at].set(true);
        Some(at)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.open || self.index.contains_key(name)
    }

    pub(crate) fn place(&self, name: &str) -> Option<Span> {
        self.list[*self.index.get(name)?].1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty() && !self.open
    }

    /// Checks a reference, and reports it when nothing is called so.
    pub(crate) fn refer(&self, name: &Name, path: &str, cx: &mut Checking<'_>) -> Option<usize> {
        let found = self.find(name);
        if found.is_none() && !self.open {
            cx.push(self.unknown(name).at(path));
        }
        found
    }

    pub(crate) fn unknown(&self, name: &Name) -> Diagnostic {
        let (one, several) = self.what;
        let message = format!("there is no {one} `{}`", name.value);
        let problem = Diagnostic::error("unknown-name", name.span, message)
            .label(format!("no such {one}"))
            .help(suggest::help(name, several, self.iter()));
        let near = suggest::nearest(name, self.iter());
        let declared = near.and_then(|n| Some((n, self.place(n)?)));
        match (declared, self.list.first().and_then(|(_, span)| *span)) {
            (Some((near, span)), _) => problem.and(span, format!("`{near}` is declared here")),
            (None, Some(first)) => problem.and(first, format!("the {several} are declared from here on")),
            (None, None) => problem,
        }
    }

    /// Those to which nothing refers.
    pub(crate) fn unused(&self) -> impl Iterator<Item = (&str, Span)> {
        let unused = self.list.iter().zip(&self.used).filter(|(_, used)| !used.get());
        unused.filter_map(|((name, span), _)| Some((name.as_str(), (*span)?)))
    }
}

/// All names of a pack.
pub(crate) struct Known {
    pub(crate) sides: Names,
    pub(crate) seats: Names,
    pub(crate) kinds: Names,
    pub(crate) attributes: Names,
    pub(crate) decks: Names,
    pub(crate) pieces: Names,
    pub(crate) columns: Names,
    pub(crate) tables: Names,
    pub(crate) points: Names,
    pub(crate) moments: Names,
    pub(crate) phases: Names,
    pub(crate) options: Names,
    pub(crate) presets: Names,
    pub(crate) sets: Names,
    pub(crate) questions: Names,
    pub(crate) rules: Names,
    pub(crate) features: Names,
    pub(crate) spaces: Names,
    pub(crate) places: Names,
    pub(crate) links: Names,
    pub(crate) borders: Names,
    pub(crate) board: Option<Board>,
}

impl Known {
    /// Gathers them. The board is compiled for it, and what is wrong with it reported.
    pub(crate) fn new(pack: &LoadedPack, around: &Surroundings<'_>, problems: &mut Vec<Diagnostic>) -> Self {
        let model = &pack.model;
        let broken = |section: &str| model.broken.iter().any(|b| b == section);
        let names = |one, several, section: &str| Names::new(one, several, broken(section));
        let pieces = model.pieces.as_ref();
        let columns = model.columns.as_ref();
        let knowledge = model.knowledge.as_ref();
        let options = model.options.as_ref();
        let sides = model.sides.as_ref();
        let mut all = Self {
            sides: names("side", "sides", "sides").entries(sides.map(|s| &s.sides)),
            seats: names("seat", "seats", "sides").entries(sides.map(|s| &s.seats)),
            kinds: names("kind", "kinds", "pieces").of(pieces.iter().flat_map(|p| &p.kinds)),
            attributes: names("attribute", "attributes", "pieces").entries(pieces.map(|p| &p.attributes)),
            decks: names("deck", "decks", "pieces").entries(pieces.map(|p| &p.decks)),
            pieces: names("piece", "pieces", "pieces"),
            columns: names("column", "columns", "columns").entries(columns.map(|c| &c.columns)),
            tables: names("table", "tables", "tables").of(model.tables.names()),
            points: names("rule point", "rule points", "points").of(model.points.names()),
            moments: names("moment", "moments", "knowledge").entries(knowledge.map(|k| &k.moments)),
            phases: names("phase", "phases", "sequence"),
            options: names("option", "options", "options").entries(options.map(|o| &o.options)),
            presets: names("preset", "presets", "options").entries(options.map(|o| &o.presets)),
            sets: names("set of pieces", "sets", "knowledge").entries(knowledge.map(|k| &k.sets)),
            questions: names("question", "questions", "knowledge").entries(knowledge.map(|k| &k.questions)),
            rules: names("rule", "rules", "rules").of(model.rules.names()),
            features: names("feature", "features", "boards"),
            spaces: names("space", "spaces", "boards"),
            places: names("place", "places", "boards"),
            links: names("link", "links", "boards"),
            borders: names("border", "borders", "boards"),
            board: None,
        };
        if let Some(pieces) = pieces {
            for (name, piece) in pieces.pieces.iter() {
                piece.names(name).iter().for_each(|n| all.pieces.add(n, Some(name.span)));
            }
            // A piece that could not be read may stand for any number of them.
            for name in pieces.pieces.names() {
                all.pieces.open |= pieces.pieces.get(name).is_none();
            }
        }
        walk(&model.sequence, &mut |item| {
            if let Item::Phase(phase) = &item.value {
                all.phases.add(&phase.name, Some(phase.name.span));
            }
        });
        all.add_board(model, pack.layers.section("boards").is_none(), problems);
        for contract in around.contracts.iter().filter(|c| c.is_used(model)) {
            all.add_contract(contract);
        }
        all
    }

    fn add_board(&mut self, model: &Model, missing: bool, problems: &mut Vec<Diagnostic>) {
        for board in model.boards.values() {
            for (name, _) in board.features.iter() {
                self.features.add(name, Some(name.span));
            }
        }
        if model.boards.is_empty() {
            self.features.open = true;
            let message = "the pack has no board; add `boards/map.ron`";
            if missing && !model.is_base() {
                problems.push(Diagnostic::of_file("no-board", "boards", message));
            }
            for names in [&mut self.spaces, &mut self.places, &mut self.links, &mut self.borders] {
                names.open = true;
            }
            return;
        }
        let declared: HashMap<&str, Span> = model
            .boards
            .values()
            .flat_map(|b| b.spaces.names().chain(&b.boxes))
            .map(|name| (name.value.as_str(), name.span))
            .collect();
        let sides: Vec<&str> = self.sides.iter().collect();
        match compile::board(model, &sides) {
            Ok(board) => {
                let place = |name: &str| declared.get(name).copied();
                for n in 0..board.space_count() as u16 {
                    let name = board.space_name(SpaceId(n));
                    self.spaces.add(name, place(name));
                }
                for n in 0..board.place_count() as u16 {
                    let name = board.place_name(PlaceId(n));
                    self.places.add(name, place(name));
                }
                for n in 0..board.link_count() as u16 {
                    self.links.add(board.link_name(adjutant_kernel::LinkId(n)), None);
                }
                for n in 0..board.border_count() as u16 {
                    self.borders.add(board.border_name(adjutant_kernel::BorderId(n)), None);
                }
                self.board = Some(board);
            }
            Err(found) => {
                problems.extend(found);
                for names in [&mut self.spaces, &mut self.places, &mut self.links, &mut self.borders] {
                    names.open = true;
                }
            }
        }
    }

    fn add_contract(&mut self, contract: &Contract) {
        contract.points.iter().for_each(|p| self.points.add(p, None));
        contract.moments.iter().for_each(|m| self.moments.add(m, None));
        for (names, needed) in [
            (&self.attributes, &contract.attributes),
            (&self.kinds, &contract.kinds),
            (&self.columns, &contract.columns),
            (&self.tables, &contract.tables),
            (&self.features, &contract.features),
            (&self.sets, &contract.sets),
        ] {
            for name in needed {
                names.find(name);
            }
        }
    }
}

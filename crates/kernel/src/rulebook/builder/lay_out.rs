//! Giving what was declared its place in the arenas of a state.

use crate::ids::*;
use crate::rulebook::levels::Levels;
use crate::rulebook::{AttributeClass, AttributeDef, ColumnClass, Holder, RulebookBuilder, Slot};

impl RulebookBuilder {
    /// Lays everything out. What is numbered here has been checked: ids name something that is declared.
    pub(super) fn lay_out(&mut self) {
        self.lay_out_columns();
        self.lay_out_decks();
        self.lay_out_levels();
    }

    fn lay_out_columns(&mut self) {
        let rb = &self.rb;
        let (sides, spaces) = (rb.sides.len(), rb.board.space_count());
        let holders: Vec<usize> = rb.columns.iter().map(|def| def.count_holders(rb)).collect();
        let mut offset = 0;
        let mut problems = Vec::new();
        for (def, holders) in self.rb.columns.iter_mut().zip(holders) {
            // Every kind of holder has ids of 16 bits.
            def.holders = holders as u16;
            (def.min, def.max) = def.kind.bounds(sides, spaces);
            if def.start < def.min || def.start > def.max {
                problems.push(format!(
                    "column `{}` starts at {}; it takes {} to {}",
                    def.name, def.start, def.min, def.max
                ));
            }
            if !def.sparse() {
                def.offset = offset as u32;
                offset += holders * if def.by_side { sides } else { 1 };
            }
        }
        if u32::try_from(offset).is_err() {
            problems.push(format!("the columns have {offset} cells; {} are possible", u32::MAX));
        }
        self.rb.cell_count = offset;
        self.problems.extend(problems);
    }

    fn lay_out_decks(&mut self) {
        let rb = &mut self.rb;
        let mut offset = 0;
        rb.slots = vec![None; rb.pieces.len()];
        rb.deck_positions = vec![0; rb.pieces.len()];
        for (n, deck) in rb.decks.iter_mut().enumerate() {
            deck.words = deck.pieces.len().div_ceil(64);
            deck.offset = offset;
            for (position, piece) in deck.pieces.iter().enumerate() {
                rb.deck_positions[piece.index()] = position as u16;
                rb.slots[piece.index()] = Some(Slot { deck: DeckId(n as u8), offset, words: deck.words });
                offset += deck.words;
            }
        }
        rb.candidate_words = offset;
        for set in &mut rb.piece_sets {
            set.pieces.resize(rb.pieces.len().div_ceil(64), 0);
            set.decks = rb
                .decks
                .iter()
                .map(|deck| {
                    let mut mask = vec![0u64; deck.words];
                    for (position, &piece) in deck.pieces.iter().enumerate() {
                        if set.has(piece) {
                            mask[position / 64] |= 1 << (position % 64);
                        }
                    }
                    mask
                })
                .collect();
        }
        for piece in &rb.pieces {
            for (attribute, value) in rb.attributes.iter().zip(&piece.attributes) {
                let (min, max) = attribute.kind.bounds(rb.sides.len(), rb.board.space_count());
                if let Some(value) = value.filter(|v| *v < min || *v > max) {
                    self.problems.push(format!(
                        "piece `{}` has {} {value}; it takes {min} to {max}",
                        piece.name, attribute.name
                    ));
                }
            }
        }
        let public = |a: &AttributeDef| a.class == AttributeClass::Public;
        for (n, attribute) in rb.attributes.iter().enumerate().filter(|(_, a)| public(a)) {
            for deck in &rb.decks {
                let value = |p: &PieceId| rb.pieces[p.index()].attributes.get(n).copied().flatten();
                if deck.pieces.windows(2).any(|pair| value(&pair[0]) != value(&pair[1])) {
                    self.problems.push(format!(
                        "attribute `{}` is public and differs within deck `{}`: it would tell pieces apart \
                         that look alike",
                        attribute.name, deck.name
                    ));
                }
            }
        }
    }

    fn lay_out_levels(&mut self) {
        let spaces = self.rb.board.space_count();
        for rule in &self.level_rules {
            let all = (0..self.rb.levels.len() as u16).map(PlaceId);
            for place in all.filter(|p| rule.places.is_empty() || rule.places.contains(p)) {
                if let Some((column, _)) = rule.when.column {
                    let def = &self.rb.columns[column.index()];
                    let fits =
                        def.holder == Holder::Space && def.class == ColumnClass::Public && !def.by_side;
                    if !fits || place.index() >= spaces {
                        self.problems.push(format!(
                            "a level of {} depends on column `{}`; it may depend on a public column of \
                             the space",
                            self.rb.board.place_name(place),
                            def.name
                        ));
                    }
                }
                self.rb.levels[place.index()].push(rule.clone());
            }
        }
        let decks: Vec<SideId> = self.rb.decks.iter().map(|d| d.side).collect();
        self.rb.fixed_levels = Levels::new(&self.rb.levels, &decks, self.rb.sides.len());
    }
}

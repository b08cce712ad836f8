//! From a state to names.

use std::collections::BTreeMap;

use super::kind::Kind;
use super::*;
use crate::ids::*;
use crate::rulebook::{ColumnDef, Holder};
use crate::state::{Read, Spot};

/// Reads a state to write it by names.
pub(super) struct Writer<'a> {
    pub(super) rb: &'a Rulebook,
    pub(super) st: &'a State,
}

impl<'a> Writer<'a> {
    pub(super) fn new(rb: &'a Rulebook, st: &'a State) -> Self {
        Self { rb, st }
    }

    pub(super) fn state(&self) -> NamedState {
        let (rb, st) = (self.rb, self.st);
        NamedState {
            key: Secret(st.key.hex()),
            handles: Secret(st.handles.hex()),
            options: (0..rb.options.len())
                .filter(|n| st.options >> n & 1 == 1)
                .map(|n| rb.options[n].name.clone())
                .collect(),
            places: self.places(),
            commands: self.commands(),
            closed_stacks: (0..st.stacks.len() as u16)
                .filter(|&n| !st.stacks[usize::from(n)].used)
                .map(|n| (n, self.side(st.stacks[usize::from(n)].side)))
                .collect(),
            bodies: (0..st.bodies.len() as u16)
                .map(|n| (self.body(BodyId(n)), self.body_record(BodyId(n))))
                .collect(),
            columns: self.columns(),
            records: st.records.iter().map(|record| self.record(record)).collect(),
            knowledge: self.by_viewer(|index| self.knowledge(index)),
            told: st.knowledge.told.iter().map(|told| self.told(told)).collect(),
            draws: ByViewer {
                sides: rb.side_ids().map(|s| (self.side(s), self.draws(1 + s.index()))).collect(),
                public: self.draws(0),
            },
            forced: st
                .forced
                .iter()
                .map(|&(table, value)| NamedForced { table: rb.table_name(table).to_owned(), value })
                .collect(),
            skipped: st.skipped.iter().map(|&rule| rb.rule(rule).to_owned()).collect(),
            owed: st
                .owed
                .iter()
                .map(|owed| NamedOwed {
                    bodies: owed.bodies.iter().map(|&body| self.body(body)).collect(),
                    place: rb.board.place_name(owed.place).to_owned(),
                    rule: rb.rule(owed.rule).to_owned(),
                })
                .collect(),
            frames: st.frames.iter().map(|frame| self.frame(frame)).collect(),
            phase: st.phase.map(|word| rb.word(word).to_owned()),
            outcome: st.outcome.as_ref().map(|outcome| NamedOutcome {
                winner: outcome.winner.map(|side| self.side(side)),
                rule: outcome.rule.map(|rule| rb.rule(rule).to_owned()),
            }),
        }
    }

    fn draws(&self, stream: usize) -> u32 {
        self.st.draws.get(stream).copied().unwrap_or_default()
    }

    /// A thing for each viewer, by the viewer's number.
    pub(super) fn by_viewer<T>(&self, one: impl Fn(usize) -> T) -> ByViewer<T> {
        let sides = self.rb.side_ids().map(|side| (self.side(side), one(side.index()))).collect();
        ByViewer { sides, public: one(self.rb.sides.len()) }
    }

    pub(super) fn side(&self, side: SideId) -> String {
        Kind::Side.name(self.rb, side.index()).unwrap_or("?").to_owned()
    }

    pub(super) fn seat(&self, seat: SeatId) -> String {
        Kind::Seat.name(self.rb, seat.index()).unwrap_or("?").to_owned()
    }

    /// A body by the piece that it is.
    pub(super) fn body(&self, body: BodyId) -> String {
        let piece = self.st.bodies.get(body.index()).map(|b| b.ident.index());
        piece.and_then(|n| Kind::Piece.name(self.rb, n)).unwrap_or("?").to_owned()
    }

    fn body_record(&self, body: BodyId) -> NamedBody {
        let is = &self.st.bodies[body.index()];
        NamedBody {
            of: (is.ident.0 != body.0).then(|| self.rb.piece(PieceId(body.0)).name.clone()),
            up: is.up,
            bared: is.bared,
            facing: is.facing,
        }
    }

    fn places(&self) -> BTreeMap<String, Vec<NamedSpot>> {
        let read = Read::new(self.rb, self.st);
        let tree = &self.st.tree;
        let spot = |spot: Spot| match spot {
            Spot::Stack(stack) => Some(NamedSpot::Stack {
                stack: stack.0,
                side: self.side(self.st.stacks[stack.index()].side),
                bodies: read.loose(stack).map(|b| self.body(b)).collect(),
            }),
            Spot::Body(body) => Some(NamedSpot::Body(self.body(body))),
            Spot::Place(_) => None,
        };
        (0..self.rb.board.place_count() as u16)
            .map(|n| {
                let here = tree.children(tree.node(Spot::Place(PlaceId(n))));
                (n, here.filter_map(|node| spot(tree.spot(node))).collect::<Vec<_>>())
            })
            .filter(|(_, spots)| !spots.is_empty())
            .map(|(n, spots)| (self.rb.board.place_name(PlaceId(n)).to_owned(), spots))
            .collect()
    }

    fn commands(&self) -> BTreeMap<String, Vec<String>> {
        let read = Read::new(self.rb, self.st);
        (0..self.st.bodies.len() as u16)
            .map(BodyId)
            .map(|leader| (leader, read.loose(Spot::Body(leader)).map(|b| self.body(b)).collect::<Vec<_>>()))
            .filter(|(_, bodies)| !bodies.is_empty())
            .map(|(leader, bodies)| (self.body(leader), bodies))
            .collect()
    }

    fn columns(&self) -> BTreeMap<String, BTreeMap<String, NamedValue>> {
        let mut all = BTreeMap::new();
        for (n, def) in self.rb.columns.iter().enumerate() {
            let column = ColumnId(n as u16);
            let holders: Vec<u16> = if def.sparse() {
                let mut list: Vec<u16> = self.st.sparse.of(column).map(|(holder, ..)| holder).collect();
                list.dedup();
                list
            } else {
                (0..def.holders).collect()
            };
            let cells: BTreeMap<String, NamedValue> = holders
                .into_iter()
                .filter_map(|holder| Some((self.holder(def, holder), self.cell(column, def, holder)?)))
                .collect();
            if !cells.is_empty() {
                all.insert(def.name.clone(), cells);
            }
        }
        all
    }

    fn holder(&self, def: &ColumnDef, holder: u16) -> String {
        let n = usize::from(holder);
        let kind = match def.holder {
            Holder::Game => return "game".to_owned(),
            Holder::Body => return self.body(BodyId(holder)),
            Holder::Choice => {
                return def.choices.get(n).map_or("?", |word| self.rb.word(*word)).to_owned();
            }
            Holder::Side => Kind::Side,
            Holder::Seat => Kind::Seat,
            Holder::Piece => Kind::Piece,
            Holder::Space => Kind::Space,
            Holder::Border => Kind::Border,
            Holder::Link => Kind::Link,
        };
        kind.name(self.rb, n).unwrap_or("?").to_owned()
    }

    /// The cells of a holder that differ from the start value.
    fn cell(&self, column: ColumnId, def: &ColumnDef, holder: u16) -> Option<NamedValue> {
        let read = Read::new(self.rb, self.st);
        let value = |side: u8| {
            let value = read.cell(column, holder, side);
            (value != def.start).then(|| self.cell_value(&def.kind, value))
        };
        if !def.by_side {
            return value(0);
        }
        let sides: BTreeMap<String, NamedValue> =
            self.rb.side_ids().filter_map(|side| Some((self.side(side), value(side.0)?))).collect();
        (!sides.is_empty()).then_some(NamedValue::Sides(sides))
    }

    fn record(&self, record: &crate::state::Record) -> NamedRecord {
        let def = &self.rb.records[record.relation.index()];
        let fields = def.fields.iter().zip(record.fields);
        NamedRecord {
            relation: def.name.clone(),
            fields: fields.map(|((name, kind), v)| (name.clone(), self.field_value(*kind, v))).collect(),
        }
    }
}

//! From names to a state: everything is checked, and all that is wrong is said at once.

use std::collections::HashMap;

use super::kind::{At, Kind};
use super::*;
use crate::chance::Key;
use crate::flow::blank;
use crate::ids::*;
use crate::rulebook::{ColumnDef, Holder, RECORD_FIELDS};
use crate::state::{Body, Outcome, Owed, Position, Read, Record, Spot, Stack};
use smallvec::SmallVec;

/// Reads a snapshot by a rulebook, collecting what is wrong.
pub(super) struct Reader<'a> {
    pub(super) rb: &'a Rulebook,
    pub(super) from: &'a NamedState,
    pub(super) problems: Vec<BadSnapshot>,
    /// How many stacks there are, closed ones too.
    pub(super) stacks: usize,
    pieces: HashMap<&'a str, u16>,
    /// The body that each piece is.
    body_of: Vec<Option<BodyId>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(rb: &'a Rulebook, from: &'a NamedState) -> Self {
        let pieces = rb.pieces.iter().enumerate().map(|(n, p)| (p.name.as_str(), n as u16)).collect();
        let body_of = vec![None; rb.pieces.len()];
        Self { rb, from, problems: Vec::new(), stacks: 0, pieces, body_of }
    }

    pub(super) fn bad(&mut self, at: &At<'_>, what: String, right: String) {
        self.problems.push(BadSnapshot { at: at.to_string(), what, right });
    }

    /// The number of something by its name.
    pub(super) fn id(&mut self, at: &At<'_>, kind: Kind, name: &str) -> Option<u16> {
        let found = match kind {
            Kind::Piece => self.pieces.get(name).copied(),
            _ => kind.number(self.rb, name),
        };
        if found.is_none() {
            let right = crate::suggest::instead(name, kind.names(self.rb));
            self.bad(at, format!("there is no {} `{name}`", kind.label()), right);
        }
        found
    }

    /// The body that is a piece.
    pub(super) fn body(&mut self, at: &At<'_>, name: &str) -> Option<BodyId> {
        let piece = self.id(at, Kind::Piece, name)?;
        // A piece without a body was complained of where bodies are read.
        self.body_of[usize::from(piece)]
    }

    fn key(&mut self, at: &str, secret: &Secret) -> Key {
        Key::from_hex(&secret.0).unwrap_or_else(|| {
            self.bad(&At::top(at), "it is no key".into(), "it should be 64 hexadecimal digits".into());
            Key::from_bytes([0; 32])
        })
    }

    pub(super) fn state(mut self) -> Result<State, Vec<BadSnapshot>> {
        let from = self.from;
        let mut options = 0;
        for name in &from.options {
            options |= self.id(&At::top("options"), Kind::Option, name).map_or(0, |n| 1 << n);
        }
        let key = self.key("key", &from.key);
        let mut st = blank(self.rb, key, options);
        st.handles = self.key("handles", &from.handles);
        self.read_bodies(&mut st);
        self.read_stacks(&mut st);
        self.read_tree(&mut st);
        self.read_columns(&mut st);
        self.read_records(&mut st);
        self.read_knowledge(&mut st.knowledge);
        self.read_draws(&mut st.draws);
        for (n, forced) in from.forced.iter().enumerate() {
            let table = self.id(&At::top("forced").nth(n), Kind::Table, &forced.table);
            st.forced.extend(table.map(|table| (TableId(table), forced.value)));
        }
        for (n, name) in from.skipped.iter().enumerate() {
            let rule = self.id(&At::top("skipped").nth(n), Kind::Rule, name);
            st.skipped.extend(rule.map(RuleId));
        }
        st.owed = self.read_owed(&st);
        st.frames = self.read_frames();
        let phase = from.phase.as_ref();
        st.phase = phase.and_then(|name| self.id(&At::top("phase"), Kind::Word, name)).map(WordId);
        if let Some(outcome) = &from.outcome {
            let at = At::top("outcome");
            let winner = outcome.winner.as_ref().and_then(|name| self.id(&at, Kind::Side, name));
            let rule = outcome.rule.as_ref().and_then(|name| self.id(&at, Kind::Rule, name));
            st.outcome = Some(Outcome { winner: winner.map(|n| SideId(n as u8)), rule: rule.map(RuleId) });
        }
        if self.problems.is_empty() { Ok(st) } else { Err(self.problems) }
    }

    fn read_owed(&mut self, st: &State) -> Vec<Owed> {
        let mut all = Vec::new();
        for (n, from) in self.from.owed.iter().enumerate() {
            let top = At::top("owed");
            let at = top.nth(n);
            let place = self.id(&at.of("place"), Kind::Place, &from.place).map(PlaceId);
            let rule = self.id(&at.of("rule"), Kind::Rule, &from.rule).map(RuleId);
            let bodies: SmallVec<[BodyId; 4]> =
                from.bodies.iter().filter_map(|name| self.body(&at.of("bodies"), name)).collect();
            let (Some(place), Some(rule)) = (place, rule) else { continue };
            let there = |body: &BodyId| Read::new(self.rb, st).place(*body) == Some(place);
            if bodies.is_empty() || !bodies.iter().all(there) {
                self.bad(&at, "they do not stand there".into(), "it names bodies where they stand".into());
            }
            all.push(Owed { bodies, place, rule });
        }
        all
    }

    fn read_bodies(&mut self, st: &mut State) {
        let top = At::top("bodies");
        let mut taken = vec![false; st.bodies.len()];
        for (name, body) in &self.from.bodies {
            let at = top.of(name);
            let Some(piece) = self.id(&at, Kind::Piece, name).map(PieceId) else { continue };
            let slot = match &body.of {
                Some(of) => self.id(&at.of("of"), Kind::Piece, of),
                None => Some(piece.0),
            };
            let Some(slot) = slot.map(BodyId) else { continue };
            if std::mem::replace(&mut taken[slot.index()], true) {
                let of = self.rb.piece(PieceId(slot.0)).name.clone();
                self.bad(&at, format!("the body of `{of}` is two pieces"), "each body is one".into());
                continue;
            }
            let (own, is) = (self.rb.piece(PieceId(slot.0)).deck, self.rb.piece(piece).deck);
            if slot.0 != piece.0 && (own != is || is.is_none()) {
                self.bad(&at, "it is a body of another deck".into(), "look-alikes may be exchanged".into());
            }
            self.body_of[piece.index()] = Some(slot);
            let NamedBody { up, bared, facing, .. } = *body;
            st.bodies[slot.index()] = Body { ident: piece, up, bared, facing };
        }
        for n in 0..self.body_of.len() {
            if self.body_of[n].is_none() {
                let name = &self.rb.pieces[n].name;
                let what = format!("there is no body of `{name}`");
                self.bad(&top, what, "every piece of the rules has one".into());
            }
        }
    }

    fn read_stacks(&mut self, st: &mut State) {
        let mut sides: BTreeMap<u16, (&'a str, bool)> = BTreeMap::new();
        let closed = self.from.closed_stacks.iter().map(|(n, side)| (*n, side.as_str(), false));
        let open = self.from.places.values().flatten().filter_map(|spot| match spot {
            NamedSpot::Stack { stack, side, .. } => Some((*stack, side.as_str(), true)),
            NamedSpot::Body(_) => None,
        });
        let all: Vec<(u16, &str, bool)> = closed.chain(open).collect();
        for (stack, side, used) in all {
            if sides.insert(stack, (side, used)).is_some() {
                let right = "each stack has a number of its own".to_owned();
                self.bad(&At::top("places"), format!("two stacks have number {stack}"), right);
            }
        }
        let room = usize::from(u16::MAX) - st.bodies.len() - self.rb.board.place_count();
        for (expected, (&stack, &(side, used))) in sides.iter().enumerate() {
            if usize::from(stack) != expected || expected >= room {
                let right = "stacks, closed ones too, are numbered from 0 without a gap".to_owned();
                self.bad(&At::top("places"), format!("there is a stack {stack} and no {expected}"), right);
                break;
            }
            let id = self.id(&At::top("places"), Kind::Side, side).unwrap_or_default();
            st.tree.new_stack(|_| false);
            st.stacks.push(Stack { side: SideId(id as u8), used });
        }
        self.stacks = st.stacks.len();
    }

    fn read_tree(&mut self, st: &mut State) {
        let from = self.from;
        let mut placed = vec![false; st.bodies.len()];
        let top = At::top("places");
        for (name, spots) in &from.places {
            let at = top.of(name);
            let Some(place) = self.id(&at, Kind::Place, name).map(PlaceId) else { continue };
            for (n, spot) in spots.iter().enumerate() {
                let at = at.nth(n);
                match spot {
                    NamedSpot::Body(body) => self.hang(&at, st, &mut placed, body, Spot::Place(place)),
                    NamedSpot::Stack { stack, bodies, .. } => {
                        if usize::from(*stack) >= self.stacks {
                            continue;
                        }
                        let stack = Spot::Stack(StackId(*stack));
                        let (node, parent) = (st.tree.node(stack), st.tree.node(Spot::Place(place)));
                        st.tree.attach(node, parent, Position::Bottom);
                        bodies.iter().for_each(|b| self.hang(&at, st, &mut placed, b, stack));
                        if bodies.is_empty() {
                            self.bad(&at, "the stack is empty".into(), "it holds a body at least".into());
                        }
                    }
                }
            }
        }
        let top = At::top("commands");
        for (name, bodies) in &from.commands {
            let at = top.of(name);
            let Some(leader) = self.body(&at, name) else { continue };
            bodies.iter().for_each(|b| self.hang(&at, st, &mut placed, b, Spot::Body(leader)));
        }
    }

    /// Hangs a body on a spot, after what hangs there.
    fn hang(&mut self, at: &At<'_>, st: &mut State, placed: &mut [bool], name: &str, spot: Spot) {
        let Some(body) = self.body(at, name) else { return };
        let (node, parent) = (st.tree.node(Spot::Body(body)), st.tree.node(spot));
        if std::mem::replace(&mut placed[body.index()], true) {
            self.bad(at, format!("`{name}` stands in two places"), "a body stands in one".into());
        } else if st.tree.below(parent, node) {
            let right = "a body is not under its own command".to_owned();
            self.bad(at, format!("`{name}` is under what it commands"), right);
        } else {
            st.tree.attach(node, parent, Position::Bottom);
        }
    }

    fn read_columns(&mut self, st: &mut State) {
        let (rb, from) = (self.rb, self.from);
        let top = At::top("columns");
        for (name, cells) in &from.columns {
            let at = top.of(name);
            let Some(column) = self.id(&at, Kind::Column, name).map(ColumnId) else { continue };
            let def = rb.column(column);
            for (name, value) in cells {
                let at = at.of(name);
                let Some(holder) = self.holder(&at, def, name) else { continue };
                match (value, def.by_side) {
                    (NamedValue::Sides(sides), true) => {
                        for (name, value) in sides {
                            let at = at.of(name);
                            if let Some(side) = self.id(&at, Kind::Side, name) {
                                self.read_cell(&at, st, column, (holder, side as u8), value);
                            }
                        }
                    }
                    (_, true) => {
                        self.bad(&at, "it has one value".into(), "it has one a side, by name".into())
                    }
                    (_, false) => self.read_cell(&at, st, column, (holder, 0), value),
                }
            }
        }
    }

    fn read_cell(
        &mut self,
        at: &At<'_>,
        st: &mut State,
        column: ColumnId,
        (holder, side): (u16, u8),
        value: &NamedValue,
    ) {
        let def = self.rb.column(column);
        let Some(value) = self.cell_word(at, &def.kind, value) else { return };
        if def.sparse() {
            st.sparse.set(column, holder, side, (value != def.start).then_some(value));
        } else {
            let cell = self.rb.cell_index(def, holder, side);
            st.cells[cell] = value;
        }
    }

    fn holder(&mut self, at: &At<'_>, def: &ColumnDef, name: &str) -> Option<u16> {
        let kind = match def.holder {
            Holder::Game if name == "game" => return Some(0),
            Holder::Game => {
                self.bad(at, format!("`{name}` is nothing"), "it should be `game`".into());
                return None;
            }
            Holder::Body => return self.body(at, name).map(|b| b.0),
            Holder::Choice => {
                let names: Vec<&str> = def.choices.iter().map(|w| self.rb.word(*w)).collect();
                let found = names.iter().position(|n| *n == name);
                if found.is_none() {
                    let right = crate::suggest::instead(name, names);
                    self.bad(at, format!("`{name}` is no choice of the column"), right);
                }
                return found.map(|n| n as u16);
            }
            Holder::Side => Kind::Side,
            Holder::Seat => Kind::Seat,
            Holder::Piece => Kind::Piece,
            Holder::Space => Kind::Space,
            Holder::Border => Kind::Border,
            Holder::Link => Kind::Link,
        };
        self.id(at, kind, name)
    }

    fn read_records(&mut self, st: &mut State) {
        let (rb, from) = (self.rb, self.from);
        let mut counts = vec![0u32; rb.records.len()];
        for (n, record) in from.records.iter().enumerate() {
            let top = At::top("records");
            let at = top.nth(n);
            let Some(relation) = self.id(&at, Kind::Relation, &record.relation).map(RecordId) else {
                continue;
            };
            let def = &rb.records[relation.index()];
            counts[relation.index()] += 1;
            if counts[relation.index()] == u32::from(def.max) + 1 {
                self.bad(
                    &at,
                    format!("there are too many of `{}`", def.name),
                    format!("{} at most", def.max),
                );
            }
            let mut fields = [0; RECORD_FIELDS];
            for ((name, kind), to) in def.fields.iter().zip(&mut fields) {
                match record.fields.get(name) {
                    Some(value) => *to = self.field_word(&at.of(name), *kind, value).unwrap_or_default(),
                    None => self.bad(&at.of(name), "it is missing".into(), "all fields are given".into()),
                }
            }
            for name in record.fields.keys().filter(|name| !def.fields.iter().any(|(n, _)| n == *name)) {
                let right = crate::suggest::instead(name, def.fields.iter().map(|(n, _)| n.as_str()));
                self.bad(&at.of(name), "there is no such field".into(), right);
            }
            st.records.push(Record { relation, fields });
        }
    }
}

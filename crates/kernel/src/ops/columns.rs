//! Setting cells of columns, and entries of relations.

use smallvec::SmallVec;

use crate::error::Fault;
use crate::events::Arg;
use crate::flow::{Cx, Halt};
use crate::ids::*;
use crate::knowledge::Audience;
use crate::rulebook::{CellKey, Column, ColumnClass, ColumnDef, FieldKind, Holder, RECORD_FIELDS};
use crate::state::{Read, Record};

impl Cx<'_> {
    /// The value of a cell.
    #[inline]
    pub fn get<K: CellKey>(&self, column: Column<K>, key: K) -> i32 {
        self.read().get(column, key)
    }

    /// Whether a flag is set.
    #[inline]
    pub fn flag<K: CellKey>(&self, column: Column<K>, key: K) -> bool {
        self.read().flag(column, key)
    }

    /// Sets a cell.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.set(ids.weary, horse, 1)?;
    ///     assert!(cx.flag(ids.weary, horse));
    ///     assert!(cx.set(ids.turn, (), 10).is_err()); // it goes up to 9
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the value is out of the column's bounds, the game has ended, or a branch may not write it;
    /// [`Halt::Watch`] when a watch fires.
    pub fn set<K: CellKey>(&mut self, column: Column<K>, key: K, value: i32) -> Result<(), Halt> {
        let (holder, side) = key.cell();
        self.set_cell(column.id, holder, side, value)
    }

    /// Adds to a cell, within its bounds: what goes beyond is a fault.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     cx.add(ids.turn, (), 2)?;
    ///     assert_eq!(cx.get(ids.turn, ()), 3);
    ///     assert!(cx.add(ids.turn, (), -4).is_err());
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// As [`Cx::set`].
    pub fn add<K: CellKey>(&mut self, column: Column<K>, key: K, amount: i32) -> Result<(), Halt> {
        let value = self.get(column, key).saturating_add(amount);
        self.set(column, key, value)
    }

    /// Sets a cell by numbers.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     cx.set_cell(ids.turn.id, 0, 0, 3)?; // as a script does
    ///     assert_eq!(cx.get(ids.turn, ()), 3);
    ///     assert!(cx.set_cell(ids.turn.id, 1, 0, 3).is_err()); // a column of the game has one cell
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// As [`Cx::set`], and a fault when there is no such cell.
    pub fn set_cell(&mut self, column: ColumnId, holder: u16, side: u8, value: i32) -> Result<(), Halt> {
        let def = self.rb.column(column);
        if holder >= def.holders || side > 0 && !(def.by_side && usize::from(side) < self.rb.sides.len()) {
            return Err(self.fault(format!("column `{}` has no such cell", def.name)));
        }
        if value < def.min || value > def.max {
            let column = def.name.clone();
            return Err(Fault::OutOfBounds { column, min: def.min, max: def.max, value }.into());
        }
        if self.branch.is_some() {
            let owner = match def.class {
                ColumnClass::Owner => self.read().holder_side(def.holder, holder, side, def.by_side),
                ColumnClass::Side(side) => Some(side),
                ColumnClass::Public | ColumnClass::Hidden => None,
            };
            self.guard_owned(owner, &def.name)?;
        } else {
            self.guard()?;
        }
        if def.sparse() {
            if self.st.sparse.get(column, holder, side).unwrap_or(def.start) == value {
                return Ok(());
            }
            self.st.sparse.set(column, holder, side, (value != def.start).then_some(value));
        } else {
            let at = self.rb.cell_index(def, holder, side);
            if self.st.cells[at] == value {
                return Ok(());
            }
            self.st.cells[at] = value;
        }
        if self.sink.on {
            self.emit_set(def, column, holder, side, value);
        }
        match def.watched.then(|| self.rb.watch_met(column, value)).flatten() {
            Some(watch) => Err(Halt::Watch(watch)),
            None => Ok(()),
        }
    }

    /// Sets every cell of a column back to its start value; with a side, only that side's (of a column with
    /// one value a side).
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.set(ids.weary, horse, 1)?;
    ///     cx.reset(ids.weary.id, None)?;
    ///     assert!(!cx.flag(ids.weary, horse));
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn reset(&mut self, column: ColumnId, side: Option<SideId>) -> Result<(), Halt> {
        let def = self.rb.column(column);
        self.guard_public(&def.name)?;
        if def.sparse() {
            let before = self.st.sparse.of(column).count();
            self.st.sparse.reset(column, side.map(|s| s.0));
            return self.after_reset(column, self.st.sparse.of(column).count() != before);
        }
        let range = self.rb.cell_range(def);
        let before: SmallVec<[i32; 16]> = SmallVec::from_slice(&self.st.cells[range.clone()]);
        match side.filter(|_| def.by_side) {
            None => self.st.cells[range.clone()].fill(def.start),
            Some(side) => {
                let stride = self.rb.sides.len();
                for cell in self.st.cells[range.clone()].iter_mut().skip(side.index()).step_by(stride) {
                    *cell = def.start;
                }
            }
        }
        let changed = self.st.cells[range] != before[..];
        self.after_reset(column, changed)
    }

    /// Sets every column of one body back to its start value: who comes back into play comes without a marker.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let [horse, guns] = [ids.horse, ids.guns].map(|piece| cx.read().body_of(piece).unwrap());
    ///     cx.set(ids.weary, horse, 1)?;
    ///     cx.set(ids.weary, guns, 1)?;
    ///     cx.clear_markers(horse)?;
    ///     assert!(!cx.flag(ids.weary, horse) && cx.flag(ids.weary, guns));
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// As [`Cx::set`].
    pub fn clear_markers(&mut self, body: BodyId) -> Result<(), Halt> {
        let rb = self.rb;
        for (n, def) in rb.columns().iter().enumerate().filter(|(_, def)| def.holder == Holder::Body) {
            for side in 0..if def.by_side { rb.sides().len() as u8 } else { 1 } {
                self.set_cell(ColumnId(n as u16), body.0, side, def.start)?;
            }
        }
        Ok(())
    }

    /// The event of a reset, and the watches. Whether private cells changed is not told by there being one.
    fn after_reset(&mut self, column: ColumnId, changed: bool) -> Result<(), Halt> {
        let def = self.rb.column(column);
        let audience = match def.class {
            ColumnClass::Public if changed => Audience::ALL,
            ColumnClass::Side(side) => Audience::side(side),
            ColumnClass::Owner => {
                self.rb.side_ids().fold(Audience::NOBODY, |a, side| a.or(Audience::side(side)))
            }
            ColumnClass::Public | ColumnClass::Hidden => Audience::NOBODY,
        };
        let words = &self.rb.keywords;
        let key = words.column;
        self.detail(words.reset, audience, |e| e.arg(key, Arg::Column(column)));
        match (def.watched && changed).then(|| self.rb.watch_met(column, def.start)).flatten() {
            Some(watch) => Err(Halt::Watch(watch)),
            None => Ok(()),
        }
    }

    fn emit_set(&mut self, def: &ColumnDef, column: ColumnId, holder: u16, side: u8, value: i32) {
        let words = &self.rb.keywords;
        let audience = self.column_audience(def, column, holder, side);
        let holder = match def.holder {
            Holder::Game => None,
            Holder::Side => Some(Arg::Side(SideId(holder as u8))),
            Holder::Seat => Some(Arg::Seat(SeatId(holder as u8))),
            Holder::Piece => Some(Arg::Piece(PieceId(holder))),
            Holder::Body => Some(Arg::Body(BodyId(holder))),
            Holder::Space => Some(Arg::Place(PlaceId(holder))),
            Holder::Border => Some(Arg::Border(BorderId(holder))),
            Holder::Link => Some(Arg::Link(LinkId(holder))),
            Holder::Choice => def.choices.get(usize::from(holder)).map(|w| Arg::Word(*w)),
        };
        let by_side = def.by_side;
        let (w_column, w_of, w_side, w_value) = (words.column, words.of, words.side, words.value);
        self.detail(words.set, audience, |e| {
            e.arg(w_column, Arg::Column(column));
            if let Some(holder) = holder {
                e.arg(w_of, holder);
            }
            if by_side {
                e.arg(w_side, Arg::Side(SideId(side)));
            }
            e.arg(w_value, Arg::Number(value));
        });
    }

    /// Who may see a cell now, and learn of its change.
    fn column_audience(&self, def: &ColumnDef, column: ColumnId, holder: u16, side: u8) -> Audience {
        use crate::knowledge::Sight as _;
        let read = Read { rb: self.rb, st: self.st };
        let mut audience = Audience::NOBODY;
        for viewer in self.rb.viewers() {
            let seen = crate::knowledge::Seen::new(read, viewer);
            let there = match def.holder {
                Holder::Body => read.shows_handle(viewer, BodyId(holder)),
                _ => true,
            };
            if there && seen.may_see(column, holder, side) {
                audience = audience.or(Audience::viewer(viewer));
            }
        }
        audience
    }

    /// Adds an entry to a relation.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let ford = i32::from(ids.ford.0);
    ///     cx.record(ids.raid, &[ford])?;
    ///     cx.record(ids.raid, &[ford])?;
    ///     assert!(cx.record(ids.raid, &[ford]).is_err()); // two at most
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the relation is full, a field names nothing, the game has ended, or in a branch.
    pub fn record(&mut self, relation: RecordId, fields: &[i32]) -> Result<(), Halt> {
        let def = &self.rb.records()[relation.index()];
        self.guard_public(&def.name)?;
        if self.read().records(relation).count() >= usize::from(def.max) {
            return Err(Fault::Full { relation: def.name.clone(), max: def.max }.into());
        }
        for ((field, kind), &value) in def.fields.iter().zip(fields) {
            if self.field_bound(*kind).is_some_and(|bound| !(0..bound).contains(&value)) {
                let text =
                    format!("field `{field}` of a `{}` is given {value}, which names nothing", def.name);
                return Err(self.fault(text));
            }
        }
        if fields.len() > def.fields.len() {
            return Err(self.fault(format!("a `{}` has {} fields", def.name, def.fields.len())));
        }
        let mut record = Record { relation, fields: [0; RECORD_FIELDS] };
        record.fields.iter_mut().zip(fields).for_each(|(to, from)| *to = *from);
        self.st.records.push(record);
        self.note_relation(self.rb.keywords.added, relation, 1);
        Ok(())
    }

    /// Those who may see a relation have an event of its entries; who others are is theirs to look up.
    fn note_relation(&mut self, what: WordId, relation: RecordId, number: usize) {
        let def = &self.rb.records()[relation.index()];
        let seers = self.rb.viewers().filter(|&v| def.class.shows(v));
        let audience = seers.fold(Audience::NOBODY, |a, v| a.or(Audience::viewer(v)));
        let words = &self.rb.keywords;
        let (w_record, w_number) = (words.record, words.number);
        self.detail(what, audience, |e| {
            e.arg(w_record, Arg::Text(def.name.clone()));
            e.arg(w_number, Arg::Number(number as i32));
        });
    }

    /// The least number that is too great for a field of a record; none where every number will do.
    fn field_bound(&self, kind: FieldKind) -> Option<i32> {
        let count = match kind {
            FieldKind::Int => return None,
            FieldKind::Space => self.rb.board.space_count(),
            FieldKind::Side => self.rb.sides.len(),
            FieldKind::Body | FieldKind::Piece => self.rb.pieces.len(),
            FieldKind::Word => self.rb.words.len(),
        };
        Some(count as i32)
    }

    /// Takes the entries that `test` picks out of a relation; gives their number.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     cx.record(ids.raid, &[i32::from(ids.ford.0)])?;
    ///     assert_eq!(cx.unrecord(ids.raid, |entry| entry.fields[0] == i32::from(ids.ford.0))?, 1);
    ///     assert_eq!(cx.read().records(ids.raid).count(), 0);
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended or in a branch.
    pub fn unrecord(
        &mut self,
        relation: RecordId,
        mut test: impl FnMut(&Record) -> bool,
    ) -> Result<usize, Halt> {
        self.guard_public(&self.rb.records()[relation.index()].name)?;
        let before = self.st.records.len();
        self.st.records.retain(|r| r.relation != relation || !test(r));
        let gone = before - self.st.records.len();
        if gone > 0 {
            self.note_relation(self.rb.keywords.removed, relation, gone);
        }
        Ok(gone)
    }
}

//! The names of a rulebook as texts of the interpreter, and values that need no memory.
//!
//! A text that the interpreter keeps stays where it is, and every equal text is the same one. So a front
//! (`raw.rs`) knows a name by its address and finds what it is the name of without reading it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use adjutant_kernel::{
    ColumnId, DeckId, FeatureId, NetworkId, OptionId, PieceSetId, PlaceId, PointId, RecordId, RuleId,
    Rulebook, SeatId, SideId, WordId,
};
use mlua::{Lua, Value};

use crate::columns::CellRead;
use crate::handle::Kind;
use crate::raw::{self, Address, Kept, Slot, Small};

/// What a text is the name of.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Known {
    pub(crate) side: Option<SideId>,
    pub(crate) word: Option<WordId>,
    pub(crate) rule: Option<RuleId>,
    pub(crate) feature: Option<FeatureId>,
    pub(crate) network: Option<NetworkId>,
    pub(crate) option: Option<OptionId>,
    pub(crate) point: Option<PointId>,
    pub(crate) set: Option<PieceSetId>,
    pub(crate) place: Option<PlaceId>,
    pub(crate) seat: Option<SeatId>,
    pub(crate) deck: Option<DeckId>,
    pub(crate) column: Option<ColumnId>,
    pub(crate) relation: Option<RecordId>,
}

impl Known {
    fn of(rb: &Rulebook, text: &str) -> Self {
        let board = rb.board();
        Self {
            side: rb.side_named(text),
            word: rb.word_named(text),
            rule: rb.rule_named(text),
            feature: board.feature_named(text),
            network: board.network_named(text),
            option: rb.option_named(text),
            point: rb.point_named(text),
            set: rb.piece_set_named(text),
            place: board.place_named(text),
            seat: rb.seat_named(text),
            deck: rb.decks().iter().position(|d| d.name == text).map(|n| DeckId(n as u8)),
            column: rb.columns().iter().position(|c| c.name == text).map(|n| ColumnId(n as u16)),
            relation: rb.relation_named(text),
        }
    }
}

/// Hashes an address: it is spread already, but for its lowest bits.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, n: usize) {
        self.0 = (self.0 ^ n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// Something by the address of its name.
pub(crate) type ByName<T> = HashMap<Address, T, BuildHasherDefault<Spread>>;

/// The texts of a rulebook's names in the interpreter.
pub(crate) struct Names {
    /// Each text once. Names of links, borders and pieces come when they are first asked for.
    texts: RefCell<HashMap<Kept, Value>>,
    sides: Vec<Kept>,
    seats: Vec<Kept>,
    words: Vec<Kept>,
    rules: Vec<Kept>,
    places: Vec<Kept>,
    networks: Vec<Kept>,
    made: RefCell<HashMap<(Kind, u16), Kept>>,
    known: ByName<Known>,
    cells: Vec<CellRead>,
    /// The names of the fields of each relation.
    fields: Vec<Rc<[Kept]>>,
}

impl Names {
    pub(crate) fn new(lua: &Lua, rb: &Rulebook) -> mlua::Result<Self> {
        let board = rb.board();
        let mut names = Self {
            texts: RefCell::default(),
            sides: Vec::new(),
            seats: Vec::new(),
            words: Vec::new(),
            rules: Vec::new(),
            places: Vec::new(),
            networks: Vec::new(),
            made: RefCell::default(),
            known: ByName::default(),
            cells: rb
                .columns()
                .iter()
                .enumerate()
                .map(|(n, c)| CellRead::new(ColumnId(n as u16), c))
                .collect(),
            fields: Vec::new(),
        };
        let mut once = HashMap::new();
        let mut all = |texts: &mut dyn Iterator<Item = &str>| -> mlua::Result<Vec<Kept>> {
            texts
                .map(|text| match once.get(text) {
                    Some(name) => Ok(*name),
                    None => {
                        let (name, at) = names.add(lua, text)?;
                        names.known.insert(at, Known::of(rb, text));
                        once.insert(text.to_owned(), name);
                        Ok(name)
                    }
                })
                .collect()
        };
        let sides = all(&mut rb.sides().iter().map(String::as_str))?;
        let seats = all(&mut rb.seats().iter().map(|s| s.name.as_str()))?;
        let words = all(&mut (0..=u16::MAX).map_while(|n| rb.word_at(n)))?;
        let rules = all(&mut rb.rule_ids())?;
        let places = all(&mut (0..board.place_count() as u16).map(|n| board.place_name(PlaceId(n))))?;
        let networks = all(&mut (0..board.network_count() as u8).map(|n| board.network_name(NetworkId(n))))?;
        all(&mut (0..board.feature_count() as u16).map(|n| board.feature_name(FeatureId(n))))?;
        all(&mut rb.options().iter().map(|o| o.name.as_str()))?;
        all(&mut rb.points().iter().map(|p| p.name.as_str()))?;
        all(&mut rb.piece_sets().iter().map(|s| s.name.as_str()))?;
        all(&mut rb.decks().iter().map(|d| d.name.as_str()))?;
        all(&mut rb.columns().iter().map(|c| c.name.as_str()))?;
        all(&mut rb.records().iter().map(|r| r.name.as_str()))?;
        let fields = rb.records().iter().map(|r| all(&mut r.fields.iter().map(|(name, _)| name.as_str())));
        let fields = fields.map(|list| Ok(list?.into())).collect::<mlua::Result<_>>()?;
        Ok(Self { sides, seats, words, rules, places, networks, fields, ..names })
    }

    /// Keeps a text.
    fn add(&self, lua: &Lua, text: &str) -> mlua::Result<(Kept, Address)> {
        let text = lua.create_string(text)?;
        let at = raw::address(lua, &text)?;
        let value = Value::String(text);
        let kept = raw::keep(lua, &value)?;
        self.texts.borrow_mut().insert(kept, value);
        Ok((kept, at))
    }

    /// A value as the safe interface has it.
    pub(crate) fn value(&self, small: Small) -> Value {
        match small {
            Small::Nil => Value::Nil,
            Small::Flag(flag) => Value::Boolean(flag),
            Small::Number(number) => Value::Integer(number.into()),
            Small::Handle(handle) => handle.value(),
            Small::Kept(kept) => self.texts.borrow().get(&kept).cloned().unwrap_or(Value::Nil),
        }
    }

    /// How a column is read.
    pub(crate) fn cell(&self, column: ColumnId) -> Option<&CellRead> {
        self.cells.get(column.index())
    }

    /// The names of the fields of a relation.
    pub(crate) fn fields(&self, relation: RecordId) -> Option<&Rc<[Kept]>> {
        self.fields.get(relation.index())
    }

    /// What a text is the name of; `None` for a text that no name is.
    #[inline]
    pub(crate) fn known(&self, slot: Slot) -> Option<&Known> {
        self.known.get(&slot.text()?)
    }

    /// The name of a thing, made once.
    pub(crate) fn made(
        &self,
        kind: Kind,
        id: u16,
        lua: impl FnOnce() -> mlua::Result<Lua>,
        text: impl FnOnce() -> String,
    ) -> mlua::Result<Small> {
        if let Some(name) = self.made.borrow().get(&(kind, id)) {
            return Ok(Small::Kept(*name));
        }
        let (name, _) = self.add(&lua()?, &text())?;
        self.made.borrow_mut().insert((kind, id), name);
        Ok(Small::Kept(name))
    }
}

fn at(names: &[Kept], n: usize) -> Small {
    names.get(n).map_or(Small::Nil, |name| Small::Kept(*name))
}

/// Names as values that need no memory.
impl Names {
    #[inline]
    pub(crate) fn side(&self, side: SideId) -> Small {
        at(&self.sides, side.index())
    }

    pub(crate) fn seat(&self, seat: SeatId) -> Small {
        at(&self.seats, seat.index())
    }

    #[inline]
    pub(crate) fn word(&self, word: WordId) -> Small {
        at(&self.words, word.index())
    }

    pub(crate) fn rule(&self, rule: RuleId) -> Small {
        at(&self.rules, rule.index())
    }

    pub(crate) fn place(&self, place: PlaceId) -> Small {
        at(&self.places, place.index())
    }

    pub(crate) fn network(&self, network: NetworkId) -> Small {
        at(&self.networks, network.index())
    }

    /// The text of a name that is likely to be a word.
    pub(crate) fn word_text(&self, lua: &Lua, rb: &Rulebook, name: &str) -> mlua::Result<Value> {
        match rb.word_named(name) {
            Some(word) => Ok(self.value(self.word(word))),
            None => lua.create_string(name).map(Value::String),
        }
    }
}

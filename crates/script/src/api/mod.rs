//! What scripts see, registered in one place: the functions and, with each, its signature and its text, from
//! which the definitions for editors and the reference are made.

mod allot;
mod cells;
mod chance;
mod change;
mod docs;
mod draw;
mod game;
mod knowing;
mod lists;
mod offer;
mod points;
mod search;
mod space;
mod story;
mod things;
mod wanted_spaces;

use std::collections::BTreeMap;
use std::rc::Rc;

use adjutant_kernel::knowledge::Lent;
use mlua::{FromLuaMulti, IntoLuaMulti, LightUserData, Lua, Table, Value};

use crate::handle::{Handle, KINDS, Kind};
use crate::memo::{self, Look};
use crate::names::ByName;
use crate::problem::suggest;
use crate::raw::{self, Address, Front, Given, Kept, Slot, Small, Stack};
use crate::shared::Shared;

pub use docs::{API, Definition, Definitions, Form};
pub(crate) use game::bodies as units;
pub(crate) use lists::{Wish, library as list_library};
pub(crate) use offer::value as target_value;

/// How a property of a thing is read.
#[derive(Clone)]
pub(crate) enum Get {
    /// By a function of the API.
    Call(fn(&Shared, &Lent<'_>, u16) -> mlua::Result<Small>),
    /// By a function that looks at no position: what never changes.
    Fixed(fn(&Shared, u16) -> mlua::Result<Small>),
    /// From a column of what the thing is.
    Cell(crate::columns::CellRead),
    /// From a column of the piece that a unit is.
    PieceCell(crate::columns::CellRead),
    /// From an attribute of the piece that a unit is.
    Attribute(adjutant_kernel::AttributeId, crate::columns::Meaning),
    /// From an attribute of a piece of the pack.
    Printed(adjutant_kernel::AttributeId, crate::columns::Meaning),
}

type Slots = [Option<Get>; KINDS];

/// Registers what scripts see.
pub(crate) struct Api<'a> {
    pub(crate) lua: &'a Lua,
    pub(crate) shared: &'a Rc<Shared>,
    pub(crate) docs: Vec<Definition>,
    libraries: BTreeMap<&'static str, Table>,
    properties: BTreeMap<String, Slots>,
    methods: Table,
    /// What answers methods from the bare stack, by name.
    fronts: BTreeMap<String, Front>,
    pub(crate) problems: Vec<String>,
}

impl<'a> Api<'a> {
    pub(crate) fn new(lua: &'a Lua, shared: &'a Rc<Shared>) -> mlua::Result<Self> {
        Ok(Self {
            lua,
            shared,
            docs: Vec::new(),
            libraries: BTreeMap::new(),
            properties: BTreeMap::new(),
            methods: lua.create_table()?,
            fronts: BTreeMap::new(),
            problems: Vec::new(),
        })
    }

    fn note(&mut self, on: &str, name: &str, form: Form, signature: &str, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.docs.push(Definition {
            on: on.to_owned(),
            name: name.to_owned(),
            form,
            signature: signature.to_owned(),
            text,
        });
    }

    /// A function of a library that is there while scripts are loaded.
    pub(crate) fn library<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        library: &'static str,
        name: &str,
        signature: &str,
        text: &str,
        function: impl Fn(&Lua, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        let function = self.lua.create_function(function)?;
        self.library_function(library, name, signature, text, function)
    }

    /// The same of a function that is one of the interpreter already.
    pub(crate) fn library_function(
        &mut self,
        library: &'static str,
        name: &str,
        signature: &str,
        text: &str,
        function: mlua::Function,
    ) -> mlua::Result<()> {
        self.note(library, name, Form::Function, signature, text);
        let table = match self.libraries.get(library) {
            Some(table) => table.clone(),
            None => {
                let table = self.lua.create_table()?;
                self.libraries.insert(library, table.clone());
                table
            }
        };
        table.raw_set(name, function)
    }

    /// A global function.
    pub(crate) fn global<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: &str,
        signature: &str,
        text: &str,
        function: impl Fn(&Lua, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        self.note("", name, Form::Function, signature, text);
        self.lua.globals().raw_set(name, self.lua.create_function(function)?)
    }

    /// A global constant.
    pub(crate) fn constant(&mut self, name: &str, ty: &str, text: &str, value: Value) -> mlua::Result<()> {
        self.note("", name, Form::Property, ty, text);
        self.lua.globals().raw_set(name, value)
    }

    /// Makes the libraries global.
    pub(crate) fn finish(self) -> mlua::Result<()> {
        let globals = self.lua.globals();
        self.libraries.iter().try_for_each(|(name, table)| {
            crate::strict::strict(self.lua, table, &format!("`{name}`"))?;
            table.set_readonly(true);
            globals.raw_set(*name, table)
        })
    }

    /// A method of an object that is a table: `g` and `offer`.
    pub(crate) fn object<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        on: &str,
        table: &Table,
        name: &str,
        signature: &str,
        text: &str,
        function: impl Fn(&Lua, &Shared, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        self.note(on, name, Form::Method, signature, text);
        let shared = Rc::clone(self.shared);
        table.raw_set(name, self.lua.create_function(move |lua, args| function(lua, &shared, args))?)
    }

    /// A method of things of some kinds.
    pub(crate) fn method<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        kinds: &[Kind],
        name: &str,
        signature: &str,
        text: &str,
        function: impl Fn(&Lua, &Shared, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        for kind in kinds {
            self.note(docs::type_name(*kind), name, Form::Method, signature, text);
        }
        let shared = Rc::clone(self.shared);
        self.methods.raw_set(name, self.lua.create_function(move |lua, args| function(lua, &shared, args))?)
    }

    /// What answers a method, registered before, from the bare stack.
    pub(crate) fn front(&mut self, name: &str, front: impl Fn(&Shared, &Stack) -> Option<Given> + 'static) {
        let shared = Rc::clone(self.shared);
        self.fronts.insert(name.to_owned(), Box::new(move |stack| front(&shared, stack)));
    }

    /// What answers a method of an object, registered before, from the bare stack.
    pub(crate) fn object_front(
        &mut self,
        table: &Table,
        name: &str,
        front: impl Fn(&Shared, &Stack) -> Option<Given> + 'static,
    ) -> mlua::Result<()> {
        let shared = Rc::clone(self.shared);
        let behind: mlua::Function = table.raw_get(name)?;
        let front: Front = Box::new(move |stack| front(&shared, stack));
        table.raw_set(name, raw::fronted(self.lua, front, &behind)?)
    }

    /// A property of things of a kind.
    pub(crate) fn property(
        &mut self,
        kind: Kind,
        name: &str,
        ty: &str,
        text: &str,
        get: fn(&Shared, &Lent<'_>, u16) -> mlua::Result<Small>,
    ) {
        self.note(docs::type_name(kind), name, Form::Property, ty, text);
        self.get(kind, name, Get::Call(get));
    }

    /// A property of things of a kind that never changes.
    pub(crate) fn fixed(
        &mut self,
        kind: Kind,
        name: &str,
        ty: &str,
        text: &str,
        get: fn(&Shared, u16) -> mlua::Result<Small>,
    ) {
        self.note(docs::type_name(kind), name, Form::Property, ty, text);
        self.get(kind, name, Get::Fixed(get));
    }

    /// A property that a pack declares.
    pub(crate) fn declared(&mut self, kind: Kind, name: &str, ty: &str, text: &str, get: Get) {
        let taken = self.properties.get(name).is_some_and(|slots| slots[kind as usize].is_some());
        let method = self.methods.raw_get::<Value>(name).is_ok_and(|v| !v.is_nil());
        if taken || method {
            self.problems.push(format!(
                "`{name}` is declared for {}s, and scripts know something else by that name; rename it",
                kind.name()
            ));
            return;
        }
        self.note(docs::type_name(kind), name, Form::Property, ty, text);
        self.get(kind, name, get);
    }

    fn get(&mut self, kind: Kind, name: &str, get: Get) {
        let slots = self.properties.entry(name.to_owned()).or_default();
        slots[kind as usize] = Some(get);
    }

    /// Gives handles their properties and methods.
    pub(crate) fn install_things(&mut self) -> mlua::Result<()> {
        let lua = self.lua;
        let things = Rc::new(self.things()?);
        let (shared, known) = (Rc::clone(self.shared), Rc::clone(&things));
        let front = move |stack: &Stack| {
            let Slot::Handle(handle) = stack.slot(1) else { return None };
            let key = stack.slot(2).text()?;
            match known.properties.get(&key).and_then(|slots| slots[handle.kind as usize].as_ref()) {
                Some(get) => Some(stack.give(read(&shared, get, handle.id).ok()?)),
                None => known.methods.get(&key).map(|method| stack.give(Small::Kept(method.function))),
            }
        };
        let meta = lua.create_table()?;
        let (shared, methods) = (Rc::clone(self.shared), self.methods.clone());
        let properties = std::mem::take(&mut self.properties);
        let names = properties.keys().cloned();
        let names: Vec<String> = names
            .chain(self.methods.pairs::<String, Value>().filter_map(|pair| Some(pair.ok()?.0)))
            .collect();
        let index = lua.create_function(move |_, (handle, key): (Handle, Value)| -> mlua::Result<Value> {
            let key = crate::fields::text(&key).unwrap_or_else(|| crate::fields::show(&key));
            if let Some(slots) = properties.get(&key) {
                return match &slots[handle.kind as usize] {
                    Some(get) => shared.value(read(&shared, get, handle.id)?),
                    None => Err(mlua::Error::runtime(format!("a {} has no `{key}`", handle.kind.name()))),
                };
            }
            match methods.raw_get::<Value>(key.as_str())? {
                Value::Nil => {
                    let near = suggest(&key, names.iter().map(String::as_str));
                    Err(mlua::Error::runtime(format!("a {} has no `{key}`{near}", handle.kind.name())))
                }
                method => Ok(method),
            }
        })?;
        meta.raw_set("__index", raw::fronted(lua, Box::new(front), &index)?)?;
        let front = move |stack: &Stack| things.methods.get(&stack.method())?.front.as_ref()?(stack);
        meta.raw_set("__namecall", raw::methods(lua, Box::new(front))?)?;
        meta.raw_set("__newindex", change::setter(self)?)?;
        meta.set_readonly(true);
        lua.set_type_metatable::<LightUserData>(Some(meta));
        Ok(())
    }

    /// Properties and methods by the addresses of their names.
    fn things(&mut self) -> mlua::Result<Things> {
        let lua = self.lua;
        let mut things = Things::default();
        for (name, slots) in &self.properties {
            things.properties.insert(raw::anchor(lua, name)?, slots.clone());
        }
        for pair in self.methods.pairs::<String, Value>() {
            let (name, function) = pair?;
            let front = self.fronts.remove(&name);
            let method = Method { function: raw::keep(lua, &function)?, front };
            things.methods.insert(raw::anchor(lua, &name)?, method);
        }
        Ok(things)
    }
}

/// What things have by name, as fronts find it.
#[derive(Default)]
struct Things {
    properties: ByName<Slots>,
    methods: ByName<Method>,
}

struct Method {
    function: Kept,
    front: Option<Front>,
}

#[inline]
fn read(shared: &Shared, get: &Get, id: u16) -> mlua::Result<Small> {
    use adjutant_kernel::{BodyId, PieceId};
    let names = shared.names()?;
    match get {
        Get::Fixed(function) => function(shared, id),
        Get::Call(function) => memo::read(shared, Look::Property(*function, id)),
        Get::Cell(cell) => memo::read(shared, Look::Cell(cell.column, id, 0)),
        Get::PieceCell(cell) => memo::read(shared, Look::PieceCell(cell.column, BodyId(id))),
        Get::Attribute(attribute, meaning) => {
            Ok(match memo::read(shared, Look::Attribute(*attribute, BodyId(id)))? {
                Small::Number(value) => meaning.value(names, value),
                _ => Small::Nil,
            })
        }
        Get::Printed(attribute, meaning) => {
            let printed = &shared.rb()?.piece(PieceId(id)).attributes;
            let value = printed.get(attribute.index()).copied().flatten();
            Ok(value.map_or(Small::Nil, |value| meaning.value(names, value)))
        }
    }
}

/// What a host keeps of the API.
pub(crate) struct Objects {
    pub(crate) game: Table,
    /// The same as it is pushed.
    pub(crate) game_kept: Kept,
    /// What a placement may be answered with.
    pub(crate) placements: Placements,
    pub(crate) offer: Table,
    pub(crate) draw: Table,
}

/// Where the words are that a placement is answered with.
pub(crate) struct Placements {
    pub(crate) forbidden: Address,
    pub(crate) must_go_on: Address,
}

/// Adds what scripts may call in a game. The definitions are given back for the reference.
pub(crate) fn install(
    lua: &Lua,
    shared: &Rc<Shared>,
) -> mlua::Result<(Objects, Vec<Definition>, Vec<String>)> {
    let mut api = Api::new(lua, shared)?;
    things::install(&mut api)?;
    lists::install(&mut api)?;
    space::install(&mut api)?;
    let game = game::install(&mut api)?;
    search::install(&mut api, &game)?;
    allot::install(&mut api, &game)?;
    change::install(&mut api, &game)?;
    let offer = offer::install(&mut api)?;
    let draw = draw::install(&mut api)?;
    if let Ok(rb) = shared.rb() {
        crate::columns::install(&mut api, rb);
    }
    let columns = cells::columns(&mut api, &game)?;
    api.install_things()?;
    cells::seal(&api, &game, columns)?;
    crate::strict::strict(lua, &offer, "`offer`")?;
    offer.set_readonly(true);
    crate::strict::strict(lua, &draw, "`draw`")?;
    draw.set_readonly(true);
    let placements =
        Placements { forbidden: raw::anchor(lua, "forbidden")?, must_go_on: raw::anchor(lua, "must_go_on")? };
    let game_kept = raw::keep(lua, &Value::Table(game.clone()))?;
    Ok((Objects { game, game_kept, placements, offer, draw }, api.docs, api.problems))
}

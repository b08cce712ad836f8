//! The definitions file for editors, the reference and its machine-readable form, made of the registrations.

use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

use adjutant_kernel::Rulebook;
use serde::Serialize;

use super::Api;
use crate::declare::{self, Registrar};
use crate::handle::Kind;
use crate::names::Names;
use crate::problem::ScriptProblem;
use crate::raw::Calls;
use crate::shared::Shared;

/// What a name stands for.
///
/// ```
/// use adjutant_script::{Definitions, Form};
/// let names = Definitions::new(None)?.names;
/// assert!(names.iter().any(|name| name.on == "rules" && name.form == Form::Function)); // called with `.`
/// assert!(names.iter().any(|name| name.on == "Game" && name.form == Form::Method)); // called with `:`
/// # Ok::<(), adjutant_script::ScriptProblem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A value.
    Property,
    /// A function called with `:`.
    Method,
    /// A function called with `.` or alone.
    Function,
}

/// A name that scripts know.
///
/// ```
/// use adjutant_script::{Definition, Definitions};
/// let names = Definitions::new(None)?.names;
/// let roll: &Definition = names.iter().find(|name| name.on == "Game" && name.name == "roll").unwrap();
/// assert!(roll.signature.contains("Roll") && !roll.text.is_empty());
/// # Ok::<(), adjutant_script::ScriptProblem>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Definition {
    /// The type or library that it belongs to; empty for globals.
    pub on: String,
    /// The name.
    pub name: String,
    /// What it stands for.
    pub form: Form,
    /// Its type as Luau writes it.
    pub signature: String,
    /// What it is.
    pub text: String,
}

/// Everything that scripts know, with what a pack declares if there is one.
///
/// ```
/// use adjutant_script::{API, Definitions};
/// let definitions = Definitions::new(None)?; // of any pack
/// assert_eq!((definitions.api, definitions.sides.len()), (API, 0));
/// assert!(definitions.luau().contains("export type Roll = ")); // what editors complete
/// assert!(definitions.markdown().contains("roll"));
/// # Ok::<(), adjutant_script::ScriptProblem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Definitions {
    /// The version of the API.
    pub api: u32,
    /// The sides of the pack.
    pub sides: Vec<String>,
    /// All names, by what they belong to.
    pub names: Vec<Definition>,
}

/// The version of the API that scripts see. The count of fuel belongs to it.
pub const API: u32 = 1;

/// The name of the type of a kind of thing.
pub(super) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Space => "Space",
        Kind::Place => "Place",
        Kind::Link => "Link",
        Kind::Border => "Border",
        Kind::Unit => "Unit",
        Kind::Stack => "Stack",
        Kind::Side => "SideColumns",
        Kind::Piece => "Piece",
        Kind::Signal => "Signal",
    }
}

const ABOUT: [(&str, &str); 14] = [
    ("", "Globals, beside the parts of Luau that are left: see the end."),
    ("rules", "What a script declares while it is loaded."),
    ("list", "What is done with lists."),
    ("Game", "`g`: the game. Steps may change it, everything else reads it."),
    ("Offer", "`offer`: what a seat may do."),
    ("Draw", "`draw`: chance for what a procedure imagines. Nothing of the game hangs on it."),
    (
        "Unit",
        "A unit: what stands somewhere. Which piece it is may be hidden; then what hangs on that is nil.",
    ),
    ("Stack", "A stack of units of one side."),
    ("Space", "A space of the map."),
    ("Place", "A box, or a link or border on which pieces stand."),
    ("Link", "A link between two spaces."),
    ("Border", "A border between two spaces."),
    ("SideColumns", "A side, for its columns. Elsewhere a side is its name."),
    ("Piece", "A piece of the pack: what a unit may turn out to be."),
];

const LUAU: &str = "math: abs ceil floor max min sign clamp round. string: sub len byte char lower upper format. \
    table: insert remove sort concat unpack pack create find clone freeze isfrozen clear. bit32. assert error \
    ipairs pairs next select tonumber tostring type. Nothing else: no files, clock, chance, coroutines, pcall, \
    metatables or patterns; and no variable outside a function may be written after the load.";

const PRELUDE: &str = "\
export type Wanted = { side: Side?, kind: string?, set: string?, deck: string?, face_up: boolean?, feature: string?, on_map: boolean?, anywhere: boolean? }
export type WantedSpaces = { feature: string?, [string]: any }
export type Filter = { pieces: string?, sides: (string | { string })?, spaces: (string | { string })?, links: (string | { string })?, feature: string?, crossing: string?, phases: (string | { string })?, option: string?, without_option: string?, stage: number? }
export type Roll = { rule: string, column: any, row: any, shifts: { any }?, modifiers: { any }?, flags: { string }?, by: Side?, secret: Side?, args: { [string]: any }? }
export type Telling = { units: any, at: any, to: Side?, rule: string, [\"until\"]: string }
export type Ways = { budget: number?, networks: (string | { string })?, open_for: Side?, base: number?, space: { [string]: number | boolean }?, border: { [string]: number | boolean }?, link: { [string]: number | boolean }?, total: string?, forbids: string?, args: { any }?, closed: { Space }?, stops: { Space }?, cost: ((from: Space, link: Link, to: Space) -> (number | boolean)?)? }
export type LinePolicy = { spaces: (string | { string } | (space: Space) -> boolean?)?, borders: (string | { string } | (border: Border) -> boolean?)?, along: string?, vertex: string?, off_map: string? }
export type LineStep = { what: string, space: Space?, border: Border?, left: Space?, right: Space?, beside: Space? }
export type Allotment = { items: { any }, slots: { Slot }, filled: { { number | { number } } }?, neighbours: ((a: any, b: any) -> boolean)? }
export type Slot = { least: number?, most: number?, only: { any }?, needs: { { number | { any } } }?, or_empty: boolean?, contiguous: boolean? }
export type Signal = { __signal: true }
export type Procedure = { __procedure: true }
export type Step = { [string]: any }
";

impl Definitions {
    /// Everything that scripts know; with a rulebook its sides, columns and attributes too.
    ///
    /// # Errors
    /// What scripts and a pack both know something else by.
    pub fn new(rulebook: Option<&Arc<Rulebook>>) -> Result<Self, ScriptProblem> {
        let broken = |e: mlua::Error| ScriptProblem::new("", 0, e.to_string());
        let (lua, shared) = (mlua::Lua::new(), Rc::new(Shared::default()));
        if let Some(rb) = rulebook {
            let names = Names::new(&lua, rb).map_err(broken)?;
            shared.set_game(&lua, Arc::clone(rb), names, Calls::new(&lua).map_err(broken)?);
        }
        let mut api = Api::new(&lua, &shared).map_err(broken)?;
        declare::install(&mut api, &Rc::new(Registrar::default().into())).map_err(broken)?;
        let mut names = api.docs;
        let (_, found, problems) = super::install(&lua, &shared).map_err(broken)?;
        if !problems.is_empty() {
            return Err(ScriptProblem::new("", 0, problems.join("; ")));
        }
        names.extend(found);
        names.sort();
        let sides = rulebook.map(|rb| rb.sides().to_vec()).unwrap_or_default();
        Ok(Self { api: API, sides, names })
    }

    fn of<'a>(&'a self, on: &'a str) -> impl Iterator<Item = &'a Definition> {
        self.names.iter().filter(move |d| d.on == on)
    }

    /// The definitions file for editors (`.d.luau`).
    pub fn luau(&self) -> String {
        let mut out = format!("-- What scripts know, API {API}. Generated; do not edit.\n\n");
        let sides: Vec<String> = self.sides.iter().map(|s| format!("{s:?}")).collect();
        let side = if sides.is_empty() { "string".to_owned() } else { sides.join(" | ") };
        let _ = writeln!(out, "export type Side = {side}\n{PRELUDE}");
        for (on, about) in ABOUT.iter().filter(|(on, _)| on.chars().next().is_some_and(char::is_uppercase)) {
            let _ = writeln!(out, "-- {about}\nexport type {on} = {{");
            for name in self.of(on) {
                let _ = writeln!(out, "    -- {}\n    {}: {},", name.text, key(&name.name), name.signature);
            }
            let _ = writeln!(out, "}}\n");
        }
        for (library, about) in &ABOUT[1..3] {
            let _ = writeln!(out, "-- {about}\ndeclare {library}: {{");
            for name in self.of(library) {
                let _ = writeln!(out, "    -- {}\n    {}: {},", name.text, name.name, name.signature);
            }
            let _ = writeln!(out, "}}\n");
        }
        for name in self.of("") {
            let _ = writeln!(out, "-- {}\ndeclare {}: {}", name.text, name.name, name.signature);
        }
        out
    }

    /// The reference, in Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("# What scripts know\n\nAPI {API}. Generated from the registrations.\n");
        for (on, about) in ABOUT {
            let title = if on.is_empty() { "Globals" } else { on };
            let _ = writeln!(out, "\n## {title}\n\n{about}\n");
            for name in self.of(on) {
                let _ = writeln!(out, "- `{}: {}`  \n  {}", name.name, name.signature, name.text);
            }
        }
        let _ = writeln!(out, "\n## Luau\n\n{LUAU}");
        out
    }

    /// The same for programs, in JSON.
    pub fn json(&self) -> String {
        // Names and texts are plain; there is nothing that could fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn key(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.to_owned() } else { format!("[{name:?}]") }
}

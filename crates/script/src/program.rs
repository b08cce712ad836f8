//! Loading: the scripts of a pack become attachments and procedures of a rulebook.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use adjutant_kernel::flow::NewFrame;
use adjutant_kernel::locals::{FieldType, LocalType};
use adjutant_kernel::points::{Attachment, Contribute, Filter};
use adjutant_kernel::{ProcId, Rulebook, RulebookBuilder, SideId, SpaceId, WordId};
use mlua::{Lua, Value};

use crate::api::Api;
use crate::bytecode::{self, Bytecode};
use crate::declare::{self, Declaration, Declared, FilterNames, Registrar, SharedRegistrar};
use crate::fuel::Running;
use crate::host::Host;
use crate::problem::{ScriptProblem, suggest};
use crate::shared::Shared;
use crate::steps::{self, Plan};
use crate::{freeze, fuel, sandbox};

/// A file of a pack, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    path: String,
    pub(crate) code: Vec<u8>,
    facts: Bytecode,
}

/// The compiled scripts of a pack: immutable, shared by all workers.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # use adjutant_kernel::{chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = field::Field::builder(|_, _| Ok(()));
/// use adjutant_script::Program;
/// let script = "rules.point('march_bonus', 'field:2', nil, function(g) return 1 end)";
/// let program = Program::compile(&[("scripts/march.luau", script)]).unwrap(); // nothing is looked up yet
/// assert!(program.procedures().is_empty());
/// assert_eq!(program.declare(&mut builder).unwrap().contributions, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    units: Vec<Unit>,
    declarations: usize,
    procedures: Vec<String>,
    attached: Vec<String>,
}

impl Unit {
    /// The names that it asks of the globals of an interpreter, and of the libraries there, and that are not there.
    pub(crate) fn unknown_names(&self, lua: &Lua) -> Vec<ScriptProblem> {
        let unknown = |(names, line): &(Vec<String>, u32)| {
            let mut table = lua.globals();
            for name in names {
                match table.get::<Value>(name.as_str()) {
                    Ok(Value::Table(next)) => table = next,
                    Ok(_) => return None,
                    Err(error) => return Some(ScriptProblem::of(&error, &[], &self.path, *line)),
                }
            }
            None
        };
        self.facts.reads.iter().filter_map(unknown).collect()
    }
}

/// What a load added to a rulebook.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # use adjutant_kernel::{chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = field::Field::builder(|_, _| Ok(()));
/// use adjutant_script::{Loaded, Program};
/// let script = "
///     rules.point('march_bonus', 'field:2', nil, function(g) return 1 end)
///     rules.point('march_bonus', 'field:3', nil, function(g) return 2 end)
/// ";
/// let (_, loaded) = Program::load(&[("scripts/march.luau", script)], &mut builder).unwrap();
/// assert_eq!(loaded, Loaded { contributions: 2, ..Loaded::default() });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Loaded {
    /// Contributions to points.
    pub contributions: usize,
    /// Permissions with reasons.
    pub permissions: usize,
    /// Procedures.
    pub procedures: usize,
    /// Procedures that hang on moments.
    pub moments: usize,
    /// Parts of the placement check, and what follows reveals.
    pub hooks: usize,
}

/// An interpreter in which all files have run and everything is frozen.
pub(crate) struct Vm {
    pub(crate) lua: Lua,
    pub(crate) shared: Rc<Shared>,
    pub(crate) declared: Vec<Declared>,
    pub(crate) files: Vec<String>,
}

impl Program {
    /// Loads files of scripts, each with its path in the pack, in their order, and declares in `builder` what
    /// they declare. Everything that they name - points, moments, sets, options - is in it already.
    ///
    /// # Errors
    /// All problems found; the builder is then of no use.
    pub fn load(
        files: &[(&str, &str)],
        builder: &mut RulebookBuilder,
    ) -> Result<(Arc<Self>, Loaded), Vec<ScriptProblem>> {
        let program = Self::compile(files)?;
        let loaded = program.declare(builder)?;
        Ok((Arc::new(program), loaded))
    }

    /// Compiles files of scripts, each with its path in the pack, in their order, and runs them once to see what
    /// they declare. Nothing that they name is looked up yet.
    ///
    /// # Errors
    /// All problems found.
    pub fn compile(files: &[(&str, &str)]) -> Result<Self, Vec<ScriptProblem>> {
        let mut problems = Vec::new();
        let mut units = Vec::new();
        let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        for (path, source) in files {
            match compile(path, source, &paths) {
                Ok(unit) => units.push(unit),
                Err(found) => problems.extend(found),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut program = Self { units, declarations: 0, procedures: Vec::new(), attached: Vec::new() };
        // A name that is not there stops what asks for it at the top of a file, so both are found.
        let unknown = program.unknown_names()?;
        let vm = program.start().map_err(|mut found| {
            let known = |p: &ScriptProblem| unknown.iter().any(|u| (&u.file, u.line) == (&p.file, p.line));
            found.retain(|problem| !known(problem));
            found.extend(unknown.iter().cloned());
            found.sort();
            found
        })?;
        if !unknown.is_empty() {
            return Err(unknown);
        }
        program.declarations = vm.declared.len();
        program.procedures = vm
            .declared
            .iter()
            .filter_map(|d| match &d.what {
                Declaration::Procedure { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect();
        program.attached = vm.declared.iter().filter_map(|d| d.what.rule().map(str::to_owned)).collect();
        Ok(program)
    }

    /// The ids of the rules for which scripts attach something, in their order.
    pub fn attached(&self) -> &[String] {
        &self.attached
    }

    /// The names of the procedures that the scripts declare, in their order.
    pub fn procedures(&self) -> &[String] {
        &self.procedures
    }

    /// Declares in `builder` what the scripts declare. Everything that they name - points, moments, sets,
    /// options - is in it already.
    ///
    /// # Errors
    /// All problems found; the builder is then of no use.
    pub fn declare(&self, builder: &mut RulebookBuilder) -> Result<Loaded, Vec<ScriptProblem>> {
        for text in self.units.iter().flat_map(|u| &u.facts.strings) {
            if is_rule(text) {
                builder.rule(text);
            } else if is_word(text) {
                builder.word(text);
            }
        }
        // Sides may be arguments of events by name.
        for side in builder.so_far().sides().to_vec() {
            builder.word(&side);
        }
        // What the events of rolls call their parts.
        for word in ["column", "modifiers", "secret_modifiers", "answer"] {
            builder.word(word);
        }
        let vm = self.start()?;
        let mut problems = Vec::new();
        let loaded =
            Registration { builder, problems: &mut problems, loaded: Loaded::default() }.all(&vm.declared);
        if problems.is_empty() { Ok(loaded) } else { Err(problems) }
    }

    /// A host that runs the scripts by a rulebook, for one worker.
    ///
    /// # Errors
    /// A problem that did not show when they were loaded.
    pub fn host(&self, rulebook: &Arc<Rulebook>) -> Result<Rc<Host>, Vec<ScriptProblem>> {
        let vm = self.start()?;
        if vm.declared.len() != self.declarations {
            return Err(vec![ScriptProblem::new("", 0, "the scripts declared something else than before")]);
        }
        Host::new(vm, rulebook).map(Rc::new)
    }

    /// The names that scripts ask of the globals and that are not there, also where no call has come yet.
    fn unknown_names(&self) -> Result<Vec<ScriptProblem>, Vec<ScriptProblem>> {
        let (lua, ..) = self.interpreter()?;
        let mut problems: Vec<_> = self.units.iter().flat_map(|unit| unit.unknown_names(&lua)).collect();
        problems.sort();
        problems.dedup();
        Ok(problems)
    }

    /// A new interpreter with all that scripts may call while they are loaded.
    fn interpreter(&self) -> Result<(Lua, Rc<Shared>, SharedRegistrar), Vec<ScriptProblem>> {
        let registrar: SharedRegistrar =
            Rc::new(RefCell::new(Registrar { open: true, code: self.code(), ..Registrar::default() }));
        let shared = Rc::new(Shared::default());
        let lua = sandbox::new(|lua| {
            let mut api = Api::new(lua, &shared)?;
            declare::install(&mut api, &registrar)?;
            api.finish()
        });
        match lua {
            Ok(lua) => Ok((lua, shared, registrar)),
            Err(error) => Err(vec![ScriptProblem::of(&error, &[], "", 0)]),
        }
    }

    /// A new interpreter in which all files have run.
    fn start(&self) -> Result<Vm, Vec<ScriptProblem>> {
        let files: Vec<String> = self.units.iter().map(|u| u.path.clone()).collect();
        let (lua, shared, registrar) = self.interpreter()?;
        let mut problems = Vec::new();
        for unit in &self.units {
            if let Err(problem) = run_file(&lua, &registrar, &unit.path, &files) {
                problems.push(problem);
            }
        }
        // A file that others use fails for each of them.
        problems.dedup();
        let declared = registrar.borrow_mut().close();
        if problems.is_empty() {
            self.freeze(&lua, &declared, &files, &mut problems);
        }
        if problems.is_empty() { Ok(Vm { lua, shared, declared, files }) } else { Err(problems) }
    }

    fn code(&self) -> Rc<Vec<(String, Vec<u8>)>> {
        Rc::new(self.units.iter().map(|u| (u.path.clone(), u.code.clone())).collect())
    }

    fn freeze(&self, lua: &Lua, declared: &[Declared], files: &[String], problems: &mut Vec<ScriptProblem>) {
        let roots = declared.iter().filter_map(|d| match &d.what {
            Declaration::Point { function, .. } => function.clone().map(Value::Function),
            Declaration::Procedure { definition, .. } => Some(Value::Table(definition.clone())),
            Declaration::Placement { function, .. } | Declaration::Revealed { function, .. } => {
                Some(Value::Function(function.clone()))
            }
            Declaration::Derived { function, .. } => Some(Value::Function(function.clone())),
            Declaration::Moment { .. } => None,
        });
        let done = freeze::freeze(lua, roots, |function| {
            let info = function.info();
            let source = info.short_src.or(info.source).unwrap_or_default();
            let Some(unit) = self.units.iter().find(|u| source.trim_start_matches('=') == u.path) else {
                return;
            };
            let line = info.line_defined.unwrap_or(0) as u32;
            let alike = unit.facts.protos.iter().filter(|p| {
                (p.line, p.upvalues, p.params, p.vararg)
                    == (line, info.num_upvalues, info.num_params, info.is_vararg)
            });
            for (_, line) in alike.flat_map(|p| &p.writes) {
                let text = "this function writes a variable of the script around it, which would remember it \
                            between calls; make it a local of the procedure, or a column";
                problems.push(ScriptProblem::new(&unit.path, *line, text));
            }
        });
        if let Err(error) = done {
            problems.push(ScriptProblem::of(&error, files, "", 0));
        }
        problems.sort();
        problems.dedup();
    }
}

/// Compiles a file; the problems are at least one.
pub(crate) fn compile(path: &str, source: &str, paths: &[String]) -> Result<Unit, Vec<ScriptProblem>> {
    let code = sandbox::compiler().compile(source).map_err(|e| {
        let mlua::Error::SyntaxError { message, .. } = &e else {
            return vec![ScriptProblem::of(&e, paths, path, 0)];
        };
        // The line, with or without what the compiler calls the chunk before it.
        let parts: Vec<&str> = message.splitn(3, ':').collect();
        let at = parts.iter().position(|part| part.trim().parse::<u32>().is_ok());
        let line = at.and_then(|n| parts[n].trim().parse().ok());
        let text = at.map_or_else(|| message.clone(), |n| parts[n + 1..].join(":"));
        vec![ScriptProblem::new(path, line.unwrap_or(0), text.trim())]
    })?;
    let Some(facts) = bytecode::read(&code) else {
        return Err(vec![ScriptProblem::new(path, 0, "the compiler made what the host cannot check")]);
    };
    let globals: Vec<ScriptProblem> = facts
        .globals
        .iter()
        .map(|(name, line)| {
            ScriptProblem::new(path, *line, format!("`{name}` is no local; write `local {name}`"))
        })
        .collect();
    if globals.is_empty() { Ok(Unit { path: path.to_owned(), code, facts }) } else { Err(globals) }
}

fn run_file(
    lua: &Lua,
    registrar: &SharedRegistrar,
    path: &str,
    files: &[String],
) -> Result<(), ScriptProblem> {
    let running = Running::begin(sandbox::FUEL);
    let result = declare::run_file(lua, registrar, path);
    let spent = fuel::exhausted() || fuel::killed();
    drop(running);
    match result {
        Err(error) => Err(ScriptProblem::of(&error, files, path, 0)),
        Ok(_) if spent => Err(ScriptProblem::new(path, 0, "the script ran too long")),
        Ok(_) => Ok(()),
    }
}

fn is_word(text: &str) -> bool {
    (1..=48).contains(&text.len())
        && !text.trim().is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " _.-".contains(c))
}

/// `book:section`, without spaces.
fn is_rule(text: &str) -> bool {
    text.len() <= 64
        && text.split_once(':').is_some_and(|(book, section)| {
            let good = |s: &str, more: &str| {
                !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
            };
            good(book, "_-") && good(section, "._-#:")
        })
}

/// The moment with a name; `before x` is also `before_x`, or `x` itself where it has but one.
fn moment_named(rb: &Rulebook, name: &str) -> Option<adjutant_kernel::MomentId> {
    rb.moment_named(name)
        .or_else(|| rb.moment_named(&name.replacen(' ', "_", 1)))
        .or_else(|| rb.moment_named(name.strip_prefix("before ")?))
}

/// A procedure of a script that something else than a script begins: the sequence of play, a moment. Its local
/// `side`, if it has one, is the side whose turn it is; what else it keeps is absent at first.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # use adjutant_kernel::{chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = field::Field::builder(|_, _| Ok(()));
/// use adjutant_script::{Program, opening};
/// let script = "
///     rules.procedure('rally', { locals = { at = 'space?' }, start = function(g, l) return done end })
///     rules.procedure('march', { locals = { to = 'space' }, start = function(g, l) return done end })
/// ";
/// Program::load(&[("scripts/march.luau", script)], &mut builder).unwrap();
/// # let rulebook = builder.build().unwrap();
/// let open = |name| opening(&rulebook, rulebook.procedure_named(name).unwrap(), Some(ids.blue));
/// assert!(open("rally").is_ok());
/// assert_eq!(open("march").unwrap_err(), "its local `to` has no value to begin with; make it optional");
/// ```
///
/// # Errors
/// The local that would have no value to begin with.
pub fn opening(rb: &Rulebook, proc: ProcId, side: Option<SideId>) -> Result<NewFrame, String> {
    let mut words = Vec::new();
    for field in rb.procedure_fields(proc) {
        let at = words.len();
        words.resize(at + usize::from(field.words), 0);
        match (&field.ty, side) {
            (FieldType::One(LocalType::Side), Some(side)) if field.name == "side" => {
                words[at] = i32::from(side.0);
            }
            (FieldType::Option(inner), Some(side))
                if field.name == "side" && **inner == FieldType::One(LocalType::Side) =>
            {
                words[at] = 1;
                words[at + 1] = i32::from(side.0);
            }
            (ty, _) if crate::fields::may_be_absent(ty) => {}
            _ => {
                return Err(format!(
                    "its local `{}` has no value to begin with; make it optional",
                    field.name
                ));
            }
        }
    }
    rb.frame(proc, &words).ok_or_else(|| "the frame does not fit".to_owned())
}

/// Declares in a rulebook what scripts declare.
struct Registration<'a> {
    builder: &'a mut RulebookBuilder,
    problems: &'a mut Vec<ScriptProblem>,
    loaded: Loaded,
}

impl Registration<'_> {
    fn all(mut self, declared: &[Declared]) -> Loaded {
        let procedure_before = |n: usize, wanted: &str| {
            let is_it =
                |d: &&Declared| matches!(&d.what, Declaration::Procedure { name, .. } if name == wanted);
            declared[..n].iter().find(is_it)
        };
        for (n, declared) in declared.iter().enumerate() {
            if let Declaration::Procedure { name, definition } = &declared.what {
                if let Some(first) = procedure_before(n, name) {
                    let text = format!(
                        "procedure `{name}` is declared at {}:{} already; give it another name",
                        first.file, first.line
                    );
                    self.problem(declared, text);
                    continue;
                }
                if self.builder.so_far().procedure_named(name).is_some() {
                    let text =
                        format!("a native module has a procedure `{name}` already; give it another name");
                    self.problem(declared, text);
                    continue;
                }
                match steps::plan(name, definition, self.builder.so_far().sides().len()) {
                    Ok(plan) => self.procedure(&plan, n as u32),
                    Err(list) => list.into_iter().for_each(|text| self.problem(declared, text)),
                }
            }
        }
        for (n, one) in declared.iter().enumerate() {
            let result = match &one.what {
                Declaration::Point { point, rule, filter, permit, function } => {
                    let contribute = match function {
                        Some(_) => Contribute::Script(n as u32),
                        None => Contribute::Constant(1),
                    };
                    self.point(point, rule, filter, *permit, contribute)
                }
                Declaration::Moment { moment, rule, filter, procedure, instead } => {
                    let name = match procedure.strip_prefix('#').and_then(|n| n.parse::<usize>().ok()) {
                        Some(index) => match declared.get(index).map(|d| &d.what) {
                            Some(Declaration::Procedure { name, .. }) => name.clone(),
                            _ => procedure.clone(),
                        },
                        None => procedure.clone(),
                    };
                    self.moment(moment, rule, filter, &name, *instead)
                }
                Declaration::Placement { rule, .. } => {
                    let rule = self.builder.rule(rule);
                    self.builder.script_placement(rule, n as u32);
                    self.loaded.hooks += 1;
                    Ok(())
                }
                Declaration::Revealed { rule, .. } => {
                    let rule = self.builder.rule(rule);
                    self.builder.script_revealed(rule, n as u32);
                    self.loaded.hooks += 1;
                    Ok(())
                }
                Declaration::Procedure { .. } | Declaration::Derived { .. } => Ok(()),
            };
            if let Err(text) = result {
                self.problem(one, text);
            }
        }
        self.loaded
    }

    fn problem(&mut self, at: &Declared, text: String) {
        self.problems.push(ScriptProblem::new(&at.file, at.line, text));
    }

    fn procedure(&mut self, plan: &Plan, script: u32) {
        for (_, step) in &plan.steps {
            if let steps::StepPlan::Ask(ask) = step {
                self.builder.word(&ask.prompt);
                for (verb, _) in &ask.verbs {
                    self.builder.word(verb);
                }
            }
        }
        self.builder.script_proc(
            &plan.name,
            plan.fields.clone(),
            plan.owner.as_deref(),
            plan.settled,
            plan.imagine.kind(),
            script,
        );
        self.loaded.procedures += 1;
    }

    fn point(
        &mut self,
        point: &str,
        rule: &str,
        filter: &FilterNames,
        permit: bool,
        contribute: Contribute,
    ) -> Result<(), String> {
        let id = self.builder.point_named(point).ok_or_else(|| {
            let points = self.builder.so_far().points();
            format!("there is no point `{point}`{}", suggest(point, points.iter().map(|p| p.name.as_str())))
        })?;
        let rule = self.builder.rule(rule);
        let stage = filter.stage;
        let filter = self.filter(filter)?;
        self.builder.attach(id, Attachment { rule, filter, stage, contribute });
        if permit {
            self.loaded.permissions += 1
        } else {
            self.loaded.contributions += 1
        }
        Ok(())
    }

    fn moment(
        &mut self,
        moment: &str,
        rule: &str,
        filter: &FilterNames,
        procedure: &str,
        instead: bool,
    ) -> Result<(), String> {
        let rb = self.builder.so_far();
        let id = moment_named(rb, moment)
            .ok_or_else(|| format!("there is no moment `{moment}`{}", suggest(moment, rb.moment_names())))?;
        let proc =
            rb.procedure_named(procedure).ok_or_else(|| format!("there is no procedure `{procedure}`"))?;
        let frame = opening(rb, proc, None)
            .map_err(|e| format!("procedure `{procedure}` cannot hang on a moment: {e}"))?;
        let option = self.filter(filter)?.option;
        let rule = self.builder.rule(rule);
        if instead {
            self.builder.instead(id, rule, option, frame);
        } else {
            self.builder.at_moment(id, rule, option, frame);
        }
        self.loaded.moments += 1;
        Ok(())
    }

    fn filter(&self, names: &FilterNames) -> Result<Filter, String> {
        let rb = self.builder.so_far();
        let board = rb.board();
        let all = |list: &[String],
                   what: &str,
                   find: &dyn Fn(&str) -> Option<u16>|
         -> Result<Option<Vec<u16>>, String> {
            if list.is_empty() {
                return Ok(None);
            }
            let one = |n: &String| find(n).ok_or_else(|| format!("there is no {what} `{n}`"));
            list.iter().map(one).collect::<Result<_, _>>().map(Some)
        };
        let sides = all(&names.sides, "side", &|n| rb.side_named(n).map(|s| s.0.into()))?;
        let spaces = all(&names.spaces, "space", &|n| board.space_named(n).map(|s| s.0))?;
        let links = all(&names.links, "link", &|n| board.link_named(n).map(|l| l.0))?;
        let phases = all(&names.phases, "phase", &|n| rb.word_named(n).map(|w| w.0))?;
        let feature = |name: &Option<String>| {
            let found = |n| board.feature_named(n).ok_or(format!("there is no feature `{n}`"));
            name.as_deref().map(found).transpose()
        };
        let pieces = names.pieces.as_ref().map(|n| {
            rb.piece_set_named(n).ok_or_else(|| {
                format!(
                    "there is no set of pieces `{n}`{}",
                    suggest(n, rb.piece_sets().iter().map(|s| s.name.as_str()))
                )
            })
        });
        let option = names.option.as_ref().map(|(n, on)| {
            let id = rb.option_named(n).ok_or_else(|| {
                format!(
                    "there is no option `{n}`{}",
                    suggest(n, rb.options().iter().map(|o| o.name.as_str()))
                )
            });
            id.map(|id| (id, *on))
        });
        Ok(Filter {
            pieces: pieces.transpose()?,
            sides: sides.map(|l| l.into_iter().map(|n| SideId(n as u8)).collect()),
            spaces: spaces.map(|l| l.into_iter().map(SpaceId).collect()),
            links: links.map(|l| l.into_iter().map(adjutant_kernel::LinkId).collect()),
            feature: feature(&names.feature)?,
            crossing: feature(&names.crossing)?,
            phases: phases.map(|l| l.into_iter().map(WordId).collect()),
            option: option.transpose()?,
        })
    }
}

//! The tests of a pack: collected, and run.

use std::cell::RefCell;
use std::rc::Rc;

use adjutant::Pack;
use adjutant_script::{Guest, ScriptProblem};
use mlua::{Function, Lua, LuaString, Table, Value};
use serde::Serialize;

use crate::table;
use crate::values::{fail, show};

/// What a file of tests may use up while it is loaded, and each test of it, in loops and calls of scripts.
const FUEL: i64 = 200_000_000;

/// A test as it was declared.
///
/// ```
/// use adjutant_testing::{Outcome, Suite, Test};
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let pack = adjutant::Pack::open(format!("{games}/ford")).unwrap();
/// let mine = r#"
/// test("horse stays off heights", { "ford:3.1" }, function(t)
///     local g = t.game { scenario = "crossing" }
///     t.refused(g.seat("blue"), "march", "Hussars", "Hill", "ford:3.1")
/// end)"#;
/// let suite = Suite::load(&pack, &[("mine.luau".into(), mine.into())]).unwrap();
/// let test: &Test = suite.tests().find(|test| test.file == "mine.luau").unwrap();
/// assert_eq!((test.name.as_str(), test.rules[0].as_str(), test.line), ("horse stays off heights", "ford:3.1", 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The rules that it cites.
    pub rules: Vec<String>,
    /// The file, as it is shown.
    pub file: String,
    /// The line of its declaration.
    pub line: u32,
}

/// How a test ended.
///
/// ```
/// use adjutant_testing::{Outcome, Suite, Test};
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let pack = adjutant::Pack::open(format!("{games}/ford")).unwrap();
/// let mine = r#"
/// test("horse stays off heights", { "ford:3.1" }, function(t)
///     local g = t.game { scenario = "crossing" }
///     t.refused(g.seat("blue"), "march", "Hussars", "Hill", "ford:3.1")
/// end)"#;
/// let suite = Suite::load(&pack, &[("mine.luau".into(), mine.into())]).unwrap();
/// let outcomes: Vec<Outcome> = suite.run(|test| test.rules.iter().any(|rule| rule == "ford:3.1"), |_| {});
/// assert!(outcomes.iter().any(|outcome| outcome.test.file == "mine.luau" && outcome.failure.is_none()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// The test.
    #[serde(flatten)]
    pub test: Test,
    /// Why it failed; absent when it passed.
    pub failure: Option<Failure>,
    /// What it showed with `t.show`, in order, each with the number of its line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
}

/// Why a test failed, and where.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let pack = adjutant::Pack::open(format!("{games}/ford"))?;
/// use adjutant_testing::{Failure, Suite};
/// let slip = ("mine.luau".to_owned(), "test('horse', { 'ford:3.1' }, function(t)\n  t.offerd()\nend)".to_owned());
/// let suite = Suite::load(&pack, &[slip]).unwrap();
/// let outcomes = suite.run(|test| test.file == "mine.luau", |_| {});
/// let failure: &Failure = outcomes[0].failure.as_ref().unwrap();
/// assert_eq!((failure.line, failure.text.as_str()), (2, "t.offerd()"));
/// assert!(failure.message.contains("offered")); // what would be right
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The line itself.
    pub text: String,
    /// What was expected, and what was found.
    pub message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Of a want of memory nobody knows the line.
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message)?,
            line => write!(f, "{}:{line}: {}", self.file, self.message)?,
        }
        if self.text.is_empty() { Ok(()) } else { write!(f, "\n  {} | {}", self.line, self.text) }
    }
}

/// The tests of a pack.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let pack = adjutant::Pack::open(format!("{games}/ford"))?;
/// use adjutant_testing::Suite;
/// let suite = Suite::load(&pack, &[]).unwrap(); // the tests of the pack itself
/// let outcomes = suite.run(|_| true, |outcome| println!("{}", outcome.test.name));
/// assert_eq!(outcomes.len(), suite.tests().count());
/// assert!(outcomes.iter().all(|outcome| outcome.failure.is_none()));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
pub struct Suite {
    files: Vec<Loaded>,
}

/// A file of tests in its interpreter.
struct Loaded {
    source: String,
    guest: Guest,
    tests: Vec<(Test, Function)>,
    bench: table::Bench,
}

type Declared = Rc<RefCell<Vec<(String, Vec<String>, u32, Function)>>>;

impl Suite {
    /// Loads the tests of a pack, and more files, each by how it is shown and its text.
    ///
    /// # Errors
    /// All files that cannot be loaded, with the reasons.
    pub fn load(pack: &Pack, more: &[(String, String)]) -> Result<Self, Vec<Failure>> {
        let own = pack.tests().map(|(shown, text)| (shown.to_owned(), text.to_owned()));
        let (mut files, mut failures) = (Vec::new(), Vec::new());
        for (shown, source) in own.chain(more.iter().cloned()) {
            match Loaded::new(pack, &shown, &source) {
                Ok(loaded) => files.push(loaded),
                Err(problem) => failures.push(failure(problem, &source)),
            }
        }
        if failures.is_empty() { Ok(Self { files }) } else { Err(failures) }
    }

    /// All tests, in the order of their files.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.files.iter().flat_map(|file| file.tests.iter().map(|(test, _)| test))
    }

    /// Runs those tests that are wanted, in order; `each` is told of each outcome.
    pub fn run(&self, wanted: impl Fn(&Test) -> bool, mut each: impl FnMut(&Outcome)) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for file in &self.files {
            for (test, function) in file.tests.iter().filter(|(test, _)| wanted(test)) {
                let (failure, shown) = file.run(function);
                let outcome = Outcome { test: test.clone(), failure, shown };
                each(&outcome);
                outcomes.push(outcome);
            }
        }
        outcomes
    }
}

impl std::fmt::Debug for Suite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Suite({} tests)", self.tests().count())
    }
}

impl Loaded {
    fn new(pack: &Pack, shown: &str, source: &str) -> Result<Self, ScriptProblem> {
        let declared = Declared::default();
        let list = Rc::clone(&declared);
        let guest = Guest::new(shown, move |lua| lua.globals().set("test", declare(lua, list)?))?;
        guest.run(source, FUEL)?;
        let list = std::mem::take(&mut *declared.borrow_mut());
        let tests = list.into_iter().map(|(name, rules, line, function)| {
            (Test { name, rules, file: shown.to_owned(), line }, function)
        });
        let tests = tests.collect();
        Ok(Self { source: source.to_owned(), guest, tests, bench: table::Bench::new(pack) })
    }

    fn run(&self, function: &Function) -> (Option<Failure>, Vec<String>) {
        self.bench.clear();
        let t = self.bench.test_table(self.guest.lua());
        let result = t
            .map_err(|error| ScriptProblem { file: String::new(), line: 0, message: error.to_string() })
            .and_then(|t| self.guest.call(function, t, FUEL));
        let shown = self.bench.clear();
        (result.err().map(|problem| failure(problem, &self.source)), shown)
    }
}

/// `test(name, rules, function)`.
fn declare(lua: &Lua, list: Declared) -> mlua::Result<Function> {
    lua.create_function(move |lua, (name, rules, function): (LuaString, Value, Value)| {
        let Value::Function(function) = function else {
            return fail(format!(
                "a test is a function of `t`, not {}; test(name, rules, function)",
                show(&function)
            ));
        };
        let rules = match rules {
            Value::Table(rules) => rules_of(&rules)?,
            other => {
                return fail(format!("the rules of a test are a list of rule ids, not {}", show(&other)));
            }
        };
        let name = name.to_str()?.to_owned();
        let mut list = list.borrow_mut();
        if list.iter().any(|(other, ..)| *other == name) {
            return fail(format!("there are two tests `{name}`"));
        }
        let line = lua.inspect_stack(1, |debug| debug.current_line()).flatten().unwrap_or(0);
        list.push((name, rules, u32::try_from(line).unwrap_or(0), function));
        Ok(())
    })
}

fn rules_of(rules: &Table) -> mlua::Result<Vec<String>> {
    rules.sequence_values::<LuaString>().map(|rule| Ok(rule?.to_str()?.to_owned())).collect()
}

fn failure(problem: ScriptProblem, source: &str) -> Failure {
    let line = (problem.line as usize).checked_sub(1).and_then(|n| source.lines().nth(n));
    let text = line.unwrap_or_default().trim().to_owned();
    Failure { file: problem.file, line: problem.line, text, message: problem.message }
}

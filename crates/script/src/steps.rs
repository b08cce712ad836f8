//! Procedures of scripts: their locals and steps.

use adjutant_kernel::WordId;
use adjutant_kernel::flow::ScriptImagine;
use adjutant_kernel::locals::{Field, FieldType, LocalClass, LocalType};
use mlua::{Function, Table, Value};

use crate::declare::STEP_KIND;
use crate::fields::{parse, text};
use crate::problem::suggest;

/// The name of the local that holds the step.
pub(crate) const STEP: &str = "step";

const IMAGINE: &str = "a function of `g`, the locals, `draw` and the locals of the caller that sets what is hidden, \"blank\", or \
     \"drawn\" (flags and choices)";

/// A procedure as it was declared.
pub(crate) struct Plan {
    pub(crate) name: String,
    /// The first is the step.
    pub(crate) fields: Vec<Field>,
    pub(crate) owner: Option<String>,
    /// Whether what levels demand has been revealed whenever it asks.
    pub(crate) settled: bool,
    /// What stands in imagined worlds in place of locals that are hidden.
    pub(crate) imagine: Imagine,
    /// The first is the one to begin with.
    pub(crate) steps: Vec<(String, StepPlan)>,
}

/// How locals that somebody may not see are imagined by him.
pub(crate) enum Imagine {
    /// Nothing is hidden.
    Nothing,
    /// Flags and choices are drawn.
    Drawn,
    /// All is blank.
    Blank,
    /// The function sets them.
    By(Function),
}

impl Imagine {
    /// As the kernel calls it.
    pub(crate) fn kind(&self) -> ScriptImagine {
        match self {
            Self::Nothing => ScriptImagine::Nothing,
            Self::Drawn => ScriptImagine::Drawn,
            Self::Blank => ScriptImagine::Blank,
            Self::By(_) => ScriptImagine::Asked,
        }
    }
}

pub(crate) enum StepPlan {
    Run(Function),
    Ask(AskPlan),
    Fork(ForkPlan),
}

impl StepPlan {
    /// The line of the function that a fault of the step is looked for in first; 0 when nobody knows.
    pub(crate) fn line(&self) -> u32 {
        let of = |value: &Value| value.as_function().map(line);
        let line = match self {
            Self::Run(function) => Some(line(function)),
            Self::Ask(ask) => Some(line(&ask.offers)),
            Self::Fork(fork) => {
                let function = fork.locals.as_ref().or(fork.joined.as_ref());
                function.map(line).or_else(|| of(&fork.seats))
            }
        };
        line.unwrap_or(0) as u32
    }
}

pub(crate) struct AskPlan {
    /// Who is asked: a seat or side, several, a function, or the name of a local that holds it.
    pub(crate) seat: Value,
    pub(crate) seat_is_local: bool,
    pub(crate) prompt: String,
    pub(crate) offers: Function,
    pub(crate) shape: Option<Function>,
    /// Why a verb is refused, where a function says so of each of its actions.
    pub(crate) unless: Vec<(String, Function)>,
    pub(crate) unless_words: Vec<WordId>,
    /// What follows each verb: a function that says, the name of a step, or `done`.
    pub(crate) verbs: Vec<(String, Value)>,
    /// The words of the verbs and the prompt, once there is a rulebook.
    pub(crate) words: Vec<WordId>,
    pub(crate) prompt_word: WordId,
}

impl AskPlan {
    /// The test of a verb.
    pub(crate) fn test(&self, verb: WordId) -> Option<&Function> {
        let at = self.unless_words.iter().position(|word| *word == verb)?;
        self.unless.get(at).map(|(_, test)| test)
    }
}

pub(crate) struct ForkPlan {
    pub(crate) seats: Value,
    pub(crate) procedure: Value,
    pub(crate) locals: Option<Function>,
    pub(crate) joined: Option<Function>,
    pub(crate) together: bool,
    pub(crate) next: String,
}

/// Reads a declared procedure. The problems are all that is wrong with it.
pub(crate) fn plan(name: &str, definition: &Table, sides: usize) -> Result<Plan, Vec<String>> {
    let mut problems = Vec::new();
    let (mut fields, mut steps): (Vec<Field>, Vec<(usize, String, StepPlan)>) = (Vec::new(), Vec::new());
    let (mut start, mut owner, mut settled, mut imagine) = (None, None, true, Imagine::Nothing);
    for pair in definition.pairs::<Value, Value>() {
        let Ok((Value::String(key), value)) = pair else {
            problems.push("the parts of a procedure have names".to_owned());
            continue;
        };
        let key = key.to_string_lossy();
        match key.as_str() {
            "locals" => locals(&value, sides, &mut fields, &mut problems),
            "start" if value.is_string() => start = text(&value),
            "owner" => owner = text(&value),
            "settled" => settled = value.as_boolean().unwrap_or(true),
            "imagine" => match imagined(value) {
                Some(how) => imagine = how,
                None => problems.push(format!("`imagine` is {IMAGINE}")),
            },
            _ => match step(name, &key, value) {
                Ok((line, step)) => steps.push((line, key, step)),
                Err(problem) => problems.push(format!("step `{key}`: {problem}")),
            },
        }
    }
    // In the order of the file; names tell apart what stands in one line.
    steps.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    fields.sort_by(|a, b| a.name.cmp(&b.name));
    let names: Vec<String> = steps.iter().map(|(_, name, _)| name.clone()).collect();
    let first = match &start {
        Some(start) => names.iter().position(|n| n == start),
        None => names.iter().position(|n| n == "start").or((!names.is_empty()).then_some(0)),
    };
    let Some(first) = first else {
        let wanted = start.unwrap_or_default();
        if !names.is_empty() {
            problems.push(format!(
                "there is no step `{wanted}` to start with{}",
                suggest(&wanted, names.iter().map(String::as_str))
            ));
        } else if problems.is_empty() {
            problems.push("a procedure needs a step".to_owned());
        }
        return Err(problems);
    };
    if let Some(owner) = &owner
        && !fields.iter().any(|f| f.name == *owner && f.ty == FieldType::One(LocalType::Side))
    {
        problems.push(format!("`owner` names a local of type side; `{owner}` is none"));
    }
    if let Err(wrong) = imagine.kind().suits(&fields) {
        problems.push(format!("the procedure {wrong}; `imagine` is {IMAGINE}"));
    }
    for (_, key, step) in &mut steps {
        let next: Vec<String> = match step {
            StepPlan::Run(_) => Vec::new(),
            StepPlan::Fork(fork) => vec![fork.next.clone()],
            StepPlan::Ask(ask) => {
                let seat = text(&ask.seat);
                ask.seat_is_local = seat.is_some_and(|seat| fields.iter().any(|f| f.name == seat));
                ask.verbs.iter().filter_map(|(_, then)| text(then)).collect()
            }
        };
        for next in next.iter().filter(|next| !names.contains(next)) {
            let near = suggest(next, names.iter().map(String::as_str));
            problems.push(format!("step `{key}`: there is no step `{next}` to go on with{near}"));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let begin = steps.remove(first);
    steps.insert(0, begin);
    let names: Vec<String> = steps.iter().map(|(_, name, _)| name.clone()).collect();
    let step_type = FieldType::Choice(names.into());
    fields.insert(0, Field::new(STEP, step_type, LocalClass::Public));
    let steps = steps.into_iter().map(|(_, name, step)| (name, step)).collect();
    Ok(Plan { name: name.to_owned(), fields, owner, settled, imagine, steps })
}

fn imagined(value: Value) -> Option<Imagine> {
    match value {
        Value::Function(function) => Some(Imagine::By(function)),
        other => match text(&other)?.as_str() {
            "drawn" => Some(Imagine::Drawn),
            "blank" => Some(Imagine::Blank),
            _ => None,
        },
    }
}

fn locals(value: &Value, sides: usize, fields: &mut Vec<Field>, problems: &mut Vec<String>) {
    let Value::Table(table) = value else {
        problems.push("`locals` is a table of names and types".to_owned());
        return;
    };
    for pair in table.pairs::<Value, Value>() {
        let Ok((key, value)) = pair else { continue };
        match (text(&key), text(&value)) {
            (Some(name), Some(_)) if name == STEP => {
                problems
                    .push(format!("a local cannot be called `{STEP}`: every procedure has one of that name"));
            }
            (Some(name), Some(ty)) => match parse(&name, &ty, sides) {
                Ok(field) => fields.push(field),
                Err(problem) => problems.push(problem),
            },
            _ => problems.push("`locals` is a table of names and types, as in { at = \"space\" }".to_owned()),
        }
    }
}

fn step(procedure: &str, name: &str, value: Value) -> Result<(usize, StepPlan), String> {
    let table = match value {
        Value::Function(function) => return Ok((line(&function), StepPlan::Run(function))),
        Value::Table(table) => table,
        _ => return Err("a step is a function, ask { ... } or fork { ... }".into()),
    };
    let kind = table.raw_get::<Value>(STEP_KIND).ok().and_then(|k| text(&k)).unwrap_or_default();
    let mut parts = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair {
            Ok((Value::String(key), value)) if key.as_bytes() != STEP_KIND.as_bytes() => {
                parts.push((key.to_string_lossy(), value));
            }
            _ => {}
        }
    }
    let first = parts.iter().filter_map(|(_, v)| v.as_function().map(line)).min().unwrap_or(0);
    match kind.as_str() {
        "ask" => Ok((first, StepPlan::Ask(ask(procedure, name, parts)?))),
        "fork" => Ok((first, StepPlan::Fork(fork(parts)?))),
        _ => Err("a step is a function, ask { ... } or fork { ... }".into()),
    }
}

fn ask(procedure: &str, name: &str, parts: Vec<(String, Value)>) -> Result<AskPlan, String> {
    let (mut seat, mut prompt, mut offers, mut shape) = (Value::Nil, None, None, None);
    let (mut verbs, mut unless) = (Vec::new(), Vec::new());
    for (key, value) in parts {
        match (key.as_str(), value) {
            ("seat" | "seats", value) => seat = value,
            ("prompt", value) => prompt = Some(text(&value).ok_or("the prompt is a key of a text")?),
            ("offers", Value::Function(function)) => offers = Some(function),
            ("shape", Value::Function(function)) => shape = Some(function),
            ("unless", Value::Table(table)) => unless = tests(&table)?,
            ("offers" | "shape", _) => return Err(format!("`{key}` is a function")),
            ("unless", _) => {
                return Err(
                    "`unless` is a table: for verbs a function that gives the rule against an action".into(),
                );
            }
            (_, value @ (Value::Function(_) | Value::String(_) | Value::LightUserData(_))) => {
                verbs.push((key, value));
            }
            _ => {
                return Err(format!(
                    "`{key}` is neither a verb - with a function, the next step or `done` - nor seat, prompt, offers, \
                     unless or shape"
                ));
            }
        }
    }
    if seat.is_nil() {
        return Err("ask { ... } needs a `seat`".into());
    }
    let offers = offers.ok_or("ask { ... } needs `offers`, a function")?;
    verbs.sort_by(|a, b| a.0.cmp(&b.0));
    if let Some((odd, _)) = unless.iter().find(|(verb, _)| !verbs.iter().any(|(known, _)| known == verb)) {
        return Err(format!("`unless` tests `{odd}`, and nothing follows that verb here"));
    }
    let prompt = prompt.unwrap_or_else(|| format!("{procedure}.{name}"));
    let (words, unless_words, prompt_word) = (Vec::new(), Vec::new(), WordId(0));
    let seat_is_local = false;
    Ok(AskPlan {
        seat,
        seat_is_local,
        prompt,
        offers,
        shape,
        unless,
        unless_words,
        verbs,
        words,
        prompt_word,
    })
}

/// The tests of verbs, in the order of their names.
fn tests(table: &Table) -> Result<Vec<(String, Function)>, String> {
    let mut tests = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair {
            Ok((Value::String(verb), Value::Function(test))) => tests.push((verb.to_string_lossy(), test)),
            _ => {
                return Err(
                    "`unless` holds for verbs a function that gives the rule against an action, or nil"
                        .into(),
                );
            }
        }
    }
    tests.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(tests)
}

fn fork(parts: Vec<(String, Value)>) -> Result<ForkPlan, String> {
    let mut plan = ForkPlan {
        seats: Value::Nil,
        procedure: Value::Nil,
        locals: None,
        joined: None,
        together: true,
        next: String::new(),
    };
    for (key, value) in parts {
        match (key.as_str(), value) {
            ("seats", value) => plan.seats = value,
            ("procedure", value) => plan.procedure = value,
            ("locals", Value::Function(function)) => plan.locals = Some(function),
            ("joined", Value::Function(function)) => plan.joined = Some(function),
            ("together", Value::Boolean(together)) => plan.together = together,
            ("next", Value::String(next)) => plan.next = next.to_string_lossy(),
            _ => {
                let known = ["seats", "procedure", "locals", "joined", "together", "next"];
                return Err(format!("fork {{ ... }} has no such `{key}`{}", suggest(&key, known)));
            }
        }
    }
    if plan.seats.is_nil() || plan.procedure.is_nil() || plan.next.is_empty() {
        return Err("fork { ... } needs `seats`, `procedure` and `next`".into());
    }
    Ok(plan)
}

fn line(function: &Function) -> usize {
    function.info().line_defined.unwrap_or(0)
}

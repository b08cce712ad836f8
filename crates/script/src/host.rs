//! The host: runs the scripts of a pack for one worker.

mod offers;

use std::rc::Rc;
use std::sync::Arc;

use adjutant_kernel::flow::{Flow, Imagining};
use adjutant_kernel::knowledge::Lent;
use adjutant_kernel::locals::Words;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::rulebook::Placement;
use adjutant_kernel::worker::ScriptHost;
use adjutant_kernel::{
    Action, BodyId, Cx, Fault, Halt, Offers, PlaceId, RuleId, Rulebook, SeatId, Verdict, WordId,
};
use mlua::{Function, IntoLuaMulti, Table, Value};

use crate::api::{self, Objects};
use crate::code::{Code, ProcedureCode, locals_table, procedures};
use crate::declare::Declaration;
use crate::fields::{encode, integer, show};
use crate::fuel::{self, Running};
use crate::handle::{DONE, Handle, PREPARED};
use crate::memo::{self, Key, Memo};
use crate::names::Names;
use crate::problem::{ScriptProblem, suggest};
use crate::program::Vm;
use crate::raw::{self, Arg, Calls, Slot, Small, Stack};
use crate::shared::{SIGHT, Shared, WORK, Work};
use crate::steps::{AskPlan, ForkPlan, StepPlan};
use crate::{freeze, sandbox};

/// A function that is called from a point, the placement check or a reveal.
pub(crate) struct PointCode {
    pub(crate) function: Function,
    /// As many arguments beside `g` as it can look at.
    pub(crate) takes: usize,
    pub(crate) permit: bool,
    pub(crate) rule: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

/// Runs the scripts of a pack by one rulebook; one a worker.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # use adjutant_kernel::{chance::Key, flow::{self, Sink}};
/// # let (mut builder, ids) = field::Field::builder(|_, _| Ok(()));
/// use adjutant_kernel::Worker;
/// use adjutant_script::{FUEL, Host, Program};
/// let script = "rules.point('march_bonus', 'field:2', nil, function(g) return 40 end)";
/// let (program, _) = Program::load(&[("scripts/march.luau", script)], &mut builder).unwrap();
/// # let rulebook = std::sync::Arc::new(builder.build().unwrap());
/// let host: std::rc::Rc<Host> = program.host(&rulebook).unwrap();
/// let mut worker = Worker::new().with_host(host.clone());
/// # let state = flow::start(&rulebook, &mut worker, &mut Sink::off(), Key::from_seed(1), 0)?;
/// assert_eq!(flow::total(&rulebook, &worker, &state, None, ids.march_bonus, &[])?, 41); // it starts from 1
/// assert!(host.fuel_used() < FUEL && host.memory() > 0);
/// assert_eq!(host.remembered(), 0); // it was asked once
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
pub struct Host {
    // Declared before the interpreter, so that what points into it goes first.
    codes: Vec<Code>,
    objects: Objects,
    memo: Memo,
    shared: Rc<Shared>,
    rulebook: Arc<Rulebook>,
    files: Vec<String>,
    /// Keeps the interpreter alive.
    lua: mlua::Lua,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Host({:?}, {} scripts)", self.rulebook, self.codes.len())
    }
}

/// Fills a table with what a function derives from the map and the pieces, and freezes it.
fn fill(lua: &mlua::Lua, function: &Function, game: &Table, table: &Table) -> mlua::Result<()> {
    let running = Running::begin(sandbox::FUEL);
    let made = function.call::<Table>(game);
    let spent = fuel::exhausted() || fuel::killed();
    drop(running);
    if spent {
        return fail("the script ran too long".into());
    }
    table.set_readonly(false);
    for pair in made?.pairs::<Value, Value>() {
        let (key, value) = pair?;
        table.raw_set(key, value)?;
    }
    freeze::freeze(lua, [Value::Table(table.clone())], |_| ())
}

/// Why a call ended: an operation that could not be carried out, or a script that failed.
type Ended = Halt;

impl Host {
    pub(crate) fn new(vm: Vm, rulebook: &Arc<Rulebook>) -> Result<Self, Vec<ScriptProblem>> {
        let Vm { lua, shared, declared, files } = vm;
        let broken = |e: mlua::Error| vec![ScriptProblem::of(&e, &files, "", 0)];
        let names = Names::new(&lua, rulebook).map_err(broken)?;
        shared.set_game(&lua, Arc::clone(rulebook), names, Calls::new(&lua).map_err(broken)?);
        let (objects, _, clashes) = api::install(&lua, &shared).map_err(broken)?;
        if !clashes.is_empty() {
            return Err(clashes.into_iter().map(|text| ScriptProblem::new("", 0, text)).collect());
        }
        let procedures = procedures(&lua, &shared, rulebook, &declared)?;
        let mut codes: Vec<Code> = Vec::new();
        for (declared, procedure) in declared.into_iter().zip(procedures) {
            codes.push(match (declared.what, procedure) {
                (_, Some(procedure)) => Code::Procedure(Box::new(procedure)),
                (Declaration::Point { function: Some(function), permit, rule, .. }, None) => {
                    let (file, line) = (declared.file, declared.line);
                    let takes = raw::takes(&lua, &function).map_err(broken)?.saturating_sub(1);
                    Code::Point(PointCode { function, takes, permit, rule, file, line })
                }
                (Declaration::Placement { rule, function }, None) => {
                    let (file, line) = (declared.file, declared.line);
                    Code::Placement(PointCode { function, takes: usize::MAX, permit: true, rule, file, line })
                }
                (Declaration::Revealed { rule, function }, None) => {
                    let (file, line) = (declared.file, declared.line);
                    Code::Revealed(PointCode { function, takes: usize::MAX, permit: false, rule, file, line })
                }
                (Declaration::Derived { function, table }, None) => {
                    fill(&lua, &function, &objects.game, &table)
                        .map_err(|e| vec![ScriptProblem::of(&e, &files, &declared.file, declared.line)])?;
                    Code::None
                }
                _ => Code::None,
            });
        }
        Ok(Self { codes, objects, memo: Memo::default(), shared, rulebook: Arc::clone(rulebook), files, lua })
    }

    /// How much memory the scripts take, in bytes.
    pub fn memory(&self) -> usize {
        self.lua.used_memory()
    }

    /// How many answers of points were given without running their functions, because all that these would read is what it
    /// was when they answered the same before.
    pub fn remembered(&self) -> u64 {
        self.memo.recalled()
    }

    /// How much fuel the last call on this thread used, of [`FUEL`](crate::FUEL). The same call uses the same on
    /// every machine and build.
    pub fn fuel_used(&self) -> i64 {
        sandbox::FUEL - fuel::left()
    }

    /// What a function of a point answers, and the fuel that it uses.
    fn asked_point(
        &self,
        code: &PointCode,
        sight: Lent<'_>,
        args: &[PointArg],
    ) -> Result<(Option<i32>, i64), Fault> {
        let _running = Running::begin(sandbox::FUEL);
        let before = fuel::left();
        let names = self.shared.names().map_err(|e| self.fault_of(&e, code))?;
        let value = |arg: &PointArg| match arg {
            PointArg::Body(id) => Small::Handle((*id).into()),
            PointArg::Space(id) => Small::Handle((*id).into()),
            PointArg::Link(id) => Small::Handle((*id).into()),
            PointArg::Side(id) => names.side(*id),
            PointArg::Number(n) => Small::Number(*n),
            PointArg::Word(word) => names.word(*word),
        };
        let given = std::iter::once(Small::Kept(self.objects.game_kept)).chain(args.iter().map(value));
        let given: smallvec::SmallVec<[Arg; 6]> = given.map(Arg::One).collect();
        let read = |results: &Stack| match (results.slot(1), code.permit) {
            (Slot::Nil, _) | (Slot::Flag(true), true) => Some(None),
            (Slot::Flag(false), true) => Some(Some(1)),
            (Slot::Flag(flag), false) => Some(Some(flag.into())),
            (other, false) => other.integer().map(Some),
            (_, true) => None,
        };
        let result = SIGHT.set(sight, || self.shared.call(&self.lua, &code.function, &given, read));
        let answer = result.map_err(|e| self.fault_of(&e, code))?.map_err(|(other, _)| {
            let wanted =
                if code.permit { "true, false or nil" } else { "a whole number, true, false or nil" };
            let text = format!("the function returns {}; it may return {wanted}", show(&other));
            self.fault_of(&mlua::Error::runtime(text), code)
        })?;
        Ok((answer, before - fuel::left()))
    }

    fn procedure(&self, script: u32) -> Result<&ProcedureCode, Fault> {
        match self.codes.get(script as usize) {
            Some(Code::Procedure(code)) => Ok(code),
            _ => {
                Err(Fault::Rules { text: format!("there is no procedure of a script with number {script}") })
            }
        }
    }

    /// Calls a function of a script with what is lent set already.
    fn call(&self, function: &Function, args: impl IntoLuaMulti) -> Result<Value, mlua::Error> {
        match function.call::<Value>(args) {
            // Whatever it came to: a script that ran too long has no result.
            Ok(_) if fuel::exhausted() || fuel::killed() => {
                Err(mlua::Error::runtime("the script ran too long"))
            }
            result => result,
        }
    }

    /// What an error of a script is to the kernel.
    #[cold]
    fn ended(&self, error: &mlua::Error, file: &str, line: u32, rule: &str) -> Ended {
        if matches!(error, mlua::Error::MemoryError(_)) {
            // What is left over of the call is garbage now. If this fails the next call fails too.
            let _ = self.lua.gc_collect();
        }
        self.shared.prepared.borrow_mut().take();
        let problem = ScriptProblem::of(error, &self.files, file, line);
        match self.shared.halt.borrow_mut().take() {
            Some(Halt::Fault(Fault::Rules { .. })) | None => Halt::Fault(problem.into_fault(rule)),
            Some(Halt::Fault(fault)) => Halt::Fault(fault.at(problem.place())),
            Some(watch) => watch,
        }
    }

    /// The same of a procedure that is at a step.
    #[cold]
    fn ended_at(&self, error: &mlua::Error, code: &ProcedureCode, words: &[i32]) -> Ended {
        self.ended(error, &code.file, code.line_at(words), &code.name)
    }

    /// Runs something with the locals of a frame in place.
    fn with_locals<R>(
        &self,
        words: &mut Words,
        writable: bool,
        seat: Option<SeatId>,
        run: impl FnOnce() -> R,
    ) -> R {
        let before = std::mem::replace(&mut *self.shared.words.borrow_mut(), std::mem::take(words));
        let (was_writable, was_seat) =
            (self.shared.writable.replace(writable), self.shared.seat.replace(seat));
        let result = run();
        *words = std::mem::replace(&mut *self.shared.words.borrow_mut(), before);
        self.shared.writable.set(was_writable);
        self.shared.seat.set(was_seat);
        result
    }

    /// Runs the step that a frame is at.
    fn step(&self, code: &ProcedureCode, cx: &mut Cx<'_>) -> Result<Flow, Ended> {
        let at = self.shared.words.borrow().first().copied().unwrap_or_default();
        let Some((name, step)) = code.steps.get(at.max(0) as usize) else {
            return Err(cx.fault(format!("procedure `{}` has no step {at}", code.name)));
        };
        let ended = |e: mlua::Error| self.ended_at(&e, code, &[at]);
        match step {
            StepPlan::Run(function) => {
                let result = WORK.set(Work(cx), || self.call(function, (&self.objects.game, &code.locals)));
                self.next(code, name, &result.map_err(ended)?).map_err(ended)
            }
            StepPlan::Ask(ask) => {
                let seats = WORK.set(Work(cx), || self.asked(ask, code)).map_err(ended)?;
                let bits = seats.iter().fold(0u32, |bits, s| bits | 1 << s.0);
                Ok(Flow::Ask { seats: bits, prompt: ask.prompt_word })
            }
            StepPlan::Fork(fork) => self.fork(code, fork, cx),
        }
    }

    fn fork(&self, code: &ProcedureCode, fork: &ForkPlan, cx: &mut Cx<'_>) -> Result<Flow, Ended> {
        let at = self.shared.words.borrow().first().copied().unwrap_or_default();
        let ended = |e: mlua::Error| self.ended_at(&e, code, &[at]);
        let joined: Vec<(SeatId, adjutant_kernel::ProcId, Words)> =
            cx.joined_words().map(|(seat, proc, words)| (seat, proc, Words::from_slice(words))).collect();
        if joined.is_empty() {
            let branches = WORK.set(Work(cx), || -> mlua::Result<_> {
                let names = self.shared.names()?;
                let mut branches = Vec::new();
                for seat in self.seats(&fork.seats, code)? {
                    let locals = match &fork.locals {
                        Some(function) => {
                            let args = (&self.objects.game, &code.locals, names.value(names.seat(seat)));
                            match self.call(function, args)? {
                                Value::Table(table) => Some(table),
                                Value::Nil => None,
                                other => {
                                    return fail(format!("`locals` gives a table, not {}", show(&other)));
                                }
                            }
                        }
                        None => None,
                    };
                    branches.push((seat, self.shared.frame(&fork.procedure, locals.as_ref())?));
                }
                Ok(branches)
            });
            return Ok(Flow::Fork { branches: branches.map_err(ended)?, together: fork.together });
        }
        if let Some(function) = &fork.joined {
            for (seat, proc, words) in joined {
                WORK.set(Work(cx), || -> mlua::Result<()> {
                    let names = self.shared.names()?;
                    let branch = locals_table(&self.lua, &self.rulebook, names, proc, &words)?;
                    self.call(
                        function,
                        (&self.objects.game, &code.locals, names.value(names.seat(seat)), branch),
                    )
                    .map(|_| ())
                })
                .map_err(ended)?;
            }
        }
        self.go_to(code, "fork", &fork.next).map_err(ended)
    }

    /// The seats that an ask is for.
    fn asked(&self, ask: &AskPlan, code: &ProcedureCode) -> mlua::Result<smallvec::SmallVec<[SeatId; 4]>> {
        if ask.seat_is_local {
            return self.seats(&code.locals.get(&ask.seat)?, code);
        }
        self.seats(&ask.seat, code)
    }

    /// The seats that a value of an ask means: a seat, a side (its first seat), several, or a function.
    fn seats(&self, value: &Value, code: &ProcedureCode) -> mlua::Result<smallvec::SmallVec<[SeatId; 4]>> {
        let one = |value: &Value| -> mlua::Result<SeatId> {
            let Some(name) = crate::fields::text(value) else {
                return fail(format!("expected a seat or side, found {}", show(value)));
            };
            if let Some(seat) = self.rulebook.seat_named(&name) {
                return Ok(seat);
            }
            let side = self.shared.side(&name)?;
            let seat = self.rulebook.seat_ids().find(|s| self.rulebook.seat(*s).side == Some(side));
            seat.ok_or_else(|| mlua::Error::runtime(format!("side `{name}` has no seat")))
        };
        let found = match value {
            Value::Function(function) => {
                return match self.call(function, (&self.objects.game, &code.locals))? {
                    Value::Function(_) => fail("the seat cannot be a function that gives a function".into()),
                    value => self.seats(&value, code),
                };
            }
            Value::Table(list) => {
                list.sequence_values::<Value>().map(|v| one(&v?)).collect::<mlua::Result<_>>()?
            }
            other => smallvec::smallvec![one(other)?],
        };
        let found: smallvec::SmallVec<[SeatId; 4]> = found;
        if found.is_empty() { fail("nobody is asked".into()) } else { Ok(found) }
    }

    /// What the value that a step returned makes of the procedure.
    fn next(&self, code: &ProcedureCode, step: &str, value: &Value) -> mlua::Result<Flow> {
        let prepared = self.shared.prepared.borrow_mut().take();
        match value {
            Value::String(next) => match prepared {
                None => self.go_to(code, step, &next.to_str()?),
                Some(_) => fail(format!("step `{step}` prepared a call and does not return it")),
            },
            Value::LightUserData(raw) => match (Handle::from_raw(*raw), prepared) {
                (Some(DONE), None) => Ok(Flow::Done),
                (Some(PREPARED), Some((flow, next))) => self.go_to(code, step, &next).map(|_| flow),
                _ => fail(format!("step `{step}` returns something that is no step")),
            },
            other => fail(format!(
                "step `{step}` returns {}; return the name of the next step, `done`, or what g:call gives",
                show(other)
            )),
        }
    }

    /// Goes on with a step that another names.
    fn go_to(&self, code: &ProcedureCode, from: &str, next: &str) -> mlua::Result<Flow> {
        let Some(at) = code.steps.iter().position(|(name, _)| name == next) else {
            let near = suggest(next, code.steps.iter().map(|(name, _)| name.as_str()));
            return fail(format!(
                "step `{from}` names `{next}`; procedure `{}` has no such step{near}",
                code.name
            ));
        };
        if let Some(first) = self.shared.words.borrow_mut().first_mut() {
            *first = at as i32;
        }
        Ok(Flow::Again)
    }

    fn ask<'a>(&self, code: &'a ProcedureCode, words: &[i32]) -> Result<&'a AskPlan, Fault> {
        match words.first().and_then(|at| code.steps.get((*at).max(0) as usize)) {
            Some((_, StepPlan::Ask(ask))) => Ok(ask),
            _ => Err(Fault::Rules { text: format!("procedure `{}` is at no step that asks", code.name) }),
        }
    }
}

fn fail<T>(text: String) -> mlua::Result<T> {
    Err(mlua::Error::runtime(text))
}

impl ScriptHost for Host {
    fn contribute(&self, script: u32, sight: Lent<'_>, args: &[PointArg]) -> Result<Option<i32>, Fault> {
        let Some(Code::Point(code)) = self.codes.get(script as usize) else {
            return Err(Fault::Rules { text: format!("there is no script with number {script}") });
        };
        // Whoever asks by way of a script looks at more than is noted of it.
        memo::spoil();
        let args = &args[..args.len().min(code.takes)];
        let Some(key) = Key::new(script, args) else {
            return self.asked_point(code, sight, args).map(|a| a.0);
        };
        match self.memo.recall(&key, &self.shared, &sight) {
            Some((answer, fuel)) if fuel::spend(sandbox::FUEL, fuel) => {
                self.memo.count();
                Ok(answer)
            }
            _ => self.memo.keep(&key, || self.asked_point(code, sight, args)),
        }
    }

    fn takes(&self, script: u32) -> usize {
        match self.codes.get(script as usize) {
            Some(Code::Point(code)) => code.takes,
            _ => usize::MAX,
        }
    }

    fn run(&self, script: u32, cx: &mut Cx<'_>, words: &mut Words) -> Result<Flow, Halt> {
        let code = self.procedure(script)?;
        let _running = Running::begin(sandbox::FUEL);
        self.with_locals(words, true, None, || self.step(code, cx))
    }

    fn act(
        &self,
        script: u32,
        cx: &mut Cx<'_>,
        words: &mut Words,
        seat: SeatId,
        action: &Action,
    ) -> Result<Flow, Halt> {
        let code = self.procedure(script)?;
        let ask = self.ask(code, words)?;
        let Some(at) = ask.words.iter().position(|verb| *verb == action.verb) else {
            let verb = self.rulebook.word(action.verb);
            return Err(
                cx.fault(format!("procedure `{}` offers `{verb}` and does nothing with it", code.name))
            );
        };
        let then = &ask.verbs[at].1;
        // What the function returns is looked for in the function.
        let line = then.as_function().and_then(|f| f.info().line_defined);
        let line = line.map_or_else(|| code.line_at(words), |line| line as u32);
        let _running = Running::begin(sandbox::FUEL);
        let ended = |e: mlua::Error| self.ended(&e, &code.file, line, &code.name);
        self.with_locals(words, true, Some(seat), || {
            let Value::Function(function) = then else {
                return self.next(code, &ask.verbs[at].0, then).map_err(ended);
            };
            let [a, b, c, d] = action.targets.map(|t| api::target_value(&self.shared, &self.rulebook, t));
            let result = WORK
                .set(Work(cx), || self.call(function, (&self.objects.game, &code.locals, a?, b?, c?, d?)));
            self.next(code, &ask.verbs[at].0, &result.map_err(ended)?).map_err(ended)
        })
    }

    fn offers(
        &self,
        script: u32,
        sight: Lent<'_>,
        words: &[i32],
        seat: SeatId,
        out: &mut Offers<'_>,
    ) -> Result<(), Fault> {
        let code = self.procedure(script)?;
        let ask = self.ask(code, words)?;
        let _running = Running::begin(sandbox::FUEL);
        let result = self.with_locals(&mut Words::from_slice(words), false, Some(seat), || {
            SIGHT.set(sight, || self.list(code, ask, out))
        });
        result.map_err(|e| fault(self.ended_at(&e, code, words)))
    }

    fn test(
        &self,
        script: u32,
        sight: Lent<'_>,
        words: &[i32],
        seat: SeatId,
        action: &Action,
    ) -> Result<Verdict, Fault> {
        let code = self.procedure(script)?;
        let ask = self.ask(code, words)?;
        let Some(test) = ask.test(action.verb) else { return Ok(Ok(())) };
        let _running = Running::begin(sandbox::FUEL);
        let result = self.with_locals(&mut Words::from_slice(words), false, Some(seat), || {
            SIGHT.set(sight, || self.refusal(code, test, action))
        });
        result.map_err(|e| fault(self.ended_at(&e, code, words)))
    }

    fn placement(
        &self,
        script: u32,
        rule: RuleId,
        sight: Lent<'_>,
        cause: WordId,
        bodies: &[BodyId],
        to: PlaceId,
    ) -> Result<Placement, Fault> {
        let Some(Code::Placement(code)) = self.codes.get(script as usize) else {
            return Err(Fault::Rules {
                text: format!("there is no placement of a script with number {script}"),
            });
        };
        let _running = Running::begin(sandbox::FUEL);
        let call = || {
            let names = self.shared.names()?;
            let args = [
                Arg::One(Small::Kept(self.objects.game_kept)),
                Arg::One(names.word(cause)),
                Arg::List(bodies.iter().map(|b| Handle::from(*b)).collect()),
                Arg::One(Small::Handle(Handle::of_place(&self.rulebook, to))),
            ];
            let read = |results: &Stack| self.placed(rule, results);
            match SIGHT.set(sight, || self.shared.call(&self.lua, &code.function, &args, read))? {
                Ok(placement) => Ok(placement),
                Err((word, units)) => self.verdict(rule, (word, units)),
            }
        };
        call().map_err(|e| self.fault_of(&e, code))
    }

    fn revealed(&self, script: u32, cx: &mut Cx<'_>, body: BodyId) -> Result<(), Halt> {
        let Some(Code::Revealed(code)) = self.codes.get(script as usize) else {
            return Err(cx.fault(format!("there is no script with number {script} that is told of reveals")));
        };
        let _running = Running::begin(sandbox::FUEL);
        // No step: it has no locals and cannot call procedures.
        let result = self.with_locals(&mut Words::new(), false, None, || {
            let args = (&self.objects.game, Handle::from(body));
            WORK.set(Work(cx), || self.call(&code.function, args))
        });
        result.map(|_| ()).map_err(|e| self.ended(&e, &code.file, code.line, &code.rule))
    }

    fn shape(&self, script: u32, sight: Lent<'_>, words: &[i32], seat: SeatId) -> Option<Vec<i32>> {
        let code = self.procedure(script).ok()?;
        let shape = self.ask(code, words).ok()?.shape.as_ref()?;
        let _running = Running::begin(sandbox::FUEL);
        let result = self.with_locals(&mut Words::from_slice(words), false, Some(seat), || {
            SIGHT.set(sight, || self.call(shape, (&self.objects.game, &code.locals)))
        });
        match result.ok()? {
            Value::Table(list) => list.sequence_values::<Value>().map(|v| integer(&v.ok()?)).collect(),
            _ => None,
        }
    }

    fn imagine(&self, script: u32, imagining: &mut Imagining<'_>, words: &mut Words) -> Result<(), Fault> {
        let code = self.procedure(script)?;
        let Some(function) = &code.imagine else { return Ok(()) };
        let _running = Running::begin(sandbox::FUEL);
        let before = self.shared.chance.replace(Some(imagining.word()));
        let result = self.with_locals(words, true, None, || -> mlua::Result<()> {
            let names = self.shared.names()?;
            let caller = imagining
                .caller()
                .map(|(proc, words)| locals_table(&self.lua, &self.rulebook, names, proc, words))
                .transpose()?;
            let args = (&self.objects.game, &code.locals, &self.objects.draw, caller);
            SIGHT.set(imagining.lent(), || self.call(function, args)).map(|_| ())
        });
        self.shared.chance.set(before);
        let line = || function.info().line_defined.map_or(code.line, |line| line as u32);
        result.map_err(|e| fault(self.ended(&e, &code.file, line(), &code.name)))
    }

    fn place(&self, script: u32, words: &[i32]) -> Option<String> {
        let code = self.procedure(script).ok()?;
        Some(format!("{}:{}", code.file, code.line_at(words)))
    }
}

impl Host {
    /// What the placement check is answered with, on the bare stack.
    fn placed(&self, rule: RuleId, results: &Stack) -> Option<Placement> {
        let word = match results.slot(1) {
            Slot::Nil => return Some(Placement::Allowed),
            other => other.text()?,
        };
        let words = &self.objects.placements;
        if word == words.forbidden {
            return Some(Placement::Forbidden(rule));
        } else if word == words.must_go_on {
            return Some(Placement::MustGoOn(rule));
        }
        None
    }

    /// What the placement check is answered with, in all its forms.
    fn verdict(&self, rule: RuleId, (word, units): (Value, Value)) -> mlua::Result<Placement> {
        Ok(match crate::fields::text(&word).as_deref() {
            None if word.is_nil() => Placement::Allowed,
            Some("forbidden") => Placement::Forbidden(rule),
            Some("must_go_on") => Placement::MustGoOn(rule),
            Some("displaces") => Placement::Displaces(api::units(&units)?.into_iter().collect(), rule),
            _ => {
                let wanted = "nil, \"forbidden\", \"must_go_on\", or \"displaces\" and units";
                return fail(format!("the function returns {}; it may return {wanted}", show(&word)));
            }
        })
    }

    #[cold]
    fn fault_of(&self, error: &mlua::Error, code: &PointCode) -> Fault {
        fault(self.ended(error, &code.file, code.line, &code.rule))
    }
}

fn fault(ended: Ended) -> Fault {
    match ended {
        Halt::Fault(fault) => fault,
        Halt::Watch(_) => Fault::Rules { text: "a watch fired where nothing may change".into() },
    }
}

/// Writes a local of the frame that runs.
pub(crate) fn write_local(
    shared: &Shared,
    ty: &adjutant_kernel::locals::FieldType,
    name: &str,
    at: usize,
    value: &Value,
) -> mlua::Result<()> {
    if !shared.writable.get() {
        return fail("locals may be written by steps only".into());
    }
    let mut written = Words::new();
    encode(shared.rb()?, ty, value, &mut written)
        .map_err(|e| mlua::Error::runtime(format!("local `{name}`: {e}")))?;
    let mut words = shared.words.borrow_mut();
    match words.get_mut(at..at + written.len()) {
        Some(place) => place.copy_from_slice(&written),
        None => return fail("the frame does not fit its procedure".into()),
    }
    Ok(())
}

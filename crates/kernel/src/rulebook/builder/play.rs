//! What happens when: moments, procedures, watches, the sequence of play, scenarios, modules.

use std::sync::Arc;

use super::{RulebookBuilder, last16};
use crate::flow::{
    AnyProcedure, AtMoment, Item, MomentDef, NewFrame, ProcDef, ProcRef, Procedure, Registered,
    ScriptImagine, ScriptModule, Scripted, SetUp, Threshold, Watch, compile,
};
use crate::ids::*;
use crate::locals::{Field, LocalClass};
use crate::rulebook::{Column, Module, ScenarioDef};

impl RulebookBuilder {
    /// A moment.
    pub fn moment(&mut self, name: &str) -> MomentId {
        let name = self.word(name);
        self.rb.moments.push(MomentDef { name, attached: Vec::new(), resets: Vec::new() });
        MomentId(last16(self.rb.moments.len()))
    }

    /// Runs a procedure at a moment for a rule, if an option is on or off as stated, after what is attached
    /// already.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// # use field::Turn;
    /// let (mut builder, ids) = Field::builder(|_, _| Ok(()));
    /// let fog = builder.option("fog", &[ids.rule]);
    /// builder.at_moment(ids.dusk, ids.rule, Some((fog, true)), ids.proc.with(Turn { begun: true })); // with fog alone
    /// let rulebook = builder.build().unwrap();
    /// assert_eq!(rulebook.attached(ids.dusk).collect::<Vec<_>>(), [ids.rule]);
    /// ```
    pub fn at_moment(
        &mut self,
        moment: MomentId,
        rule: RuleId,
        option: Option<(OptionId, bool)>,
        run: NewFrame,
    ) {
        self.attach_to(moment, AtMoment { rule, option, instead: false, run });
    }

    /// As [`at_moment`](Self::at_moment); the procedure stands in for the step that asks for the moment.
    pub fn instead(
        &mut self,
        moment: MomentId,
        rule: RuleId,
        option: Option<(OptionId, bool)>,
        run: NewFrame,
    ) {
        self.attach_to(moment, AtMoment { rule, option, instead: true, run });
    }

    fn attach_to(&mut self, moment: MomentId, attached: AtMoment) {
        match self.rb.moments.get_mut(moment.index()) {
            Some(def) => def.attached.push(attached),
            None => {
                let rule = self.rb.rule(attached.rule).to_owned();
                self.problem(format!("{rule} is attached to a moment that is not declared"));
            }
        }
    }

    /// Names a procedure; [`define`](Self::define) gives it its code.
    pub fn proc<P: Procedure>(&mut self, name: &str) -> ProcRef<P> {
        self.rb.procs.push(ProcDef {
            name: name.to_owned(),
            fields: P::FIELDS.iter().map(Field::from).collect(),
            open: P::FIELDS.iter().all(|f| f.class == LocalClass::Public),
            code: None,
        });
        ProcRef::new(ProcId(last16(self.rb.procs.len())))
    }

    /// Gives a procedure the module that its code works with.
    pub fn define<P: Procedure>(&mut self, proc: ProcRef<P>, module: &Arc<P::Module>) {
        let code: Box<dyn AnyProcedure> = Box::new(Registered::<P>(Arc::clone(module)));
        match self.rb.procs.get_mut(proc.id().index()) {
            Some(def) => def.code = Some(code),
            None => self.problem("a procedure is defined that is not declared"),
        }
    }

    /// A procedure whose code is a script of the worker's host. `owner` names the local that says to which side
    /// locals of class owner belong; `settled` is [`Procedure::settled`], `imagine` [`Procedure::IMAGINE`].
    pub fn script_proc(
        &mut self,
        name: &str,
        fields: Vec<Field>,
        owner: Option<&str>,
        settled: bool,
        imagine: ScriptImagine,
        script: u32,
    ) -> ProcId {
        let mut offset = 0;
        let mut owner_at = None;
        for field in &fields {
            if owner == Some(field.name.as_str()) {
                owner_at = Some(offset);
            }
            offset += usize::from(field.words);
        }
        let code = Scripted { script, count: offset, owner: owner_at, settled, imagine };
        self.rb.procs.push(ProcDef {
            name: name.to_owned(),
            open: fields.iter().all(|f| f.class == LocalClass::Public),
            fields,
            code: Some(Box::new(code)),
        });
        ProcId(last16(self.rb.procs.len()))
    }

    /// A script of the worker's host that answers the placement check for a rule; of all answers the strictest
    /// counts. See [`Module::placement`].
    pub fn script_placement(&mut self, rule: RuleId, script: u32) {
        let name = self.rb.rules.name(rule.0).to_owned();
        self.module(Arc::new(ScriptModule { name, rule, placement: Some(script), revealed: None }));
    }

    /// A script of the worker's host that is told of every reveal, for a rule. See [`Module::revealed`].
    pub fn script_revealed(&mut self, rule: RuleId, script: u32) {
        let name = self.rb.rules.name(rule.0).to_owned();
        self.module(Arc::new(ScriptModule { name, rule, placement: None, revealed: Some(script) }));
    }

    /// Looks at every cell of a column whenever an operation sets or resets it: when its value then meets the
    /// threshold, all that goes on, the sequence of play included, is dropped and `then` runs instead, as the only
    /// thing at work: it ends the game or goes on by itself. In a branch of a fork, where others could notice, that
    /// is a fault, and so is an umpire's edit that would do it. Of several watches of a column that are met the
    /// first declared counts.
    pub fn watch<K>(&mut self, column: Column<K>, threshold: Threshold, then: NewFrame) {
        self.watch_column(column.id, threshold, then);
    }

    /// The same for a column by number.
    pub fn watch_column(&mut self, column: ColumnId, threshold: Threshold, then: NewFrame) {
        if let Some(def) = self.column_def(column) {
            def.watched = true;
        }
        self.rb.watches.push(Watch { column, threshold, then });
    }

    /// The sequence of play.
    pub fn sequence(&mut self, items: &[Item]) {
        let (words, mut ops) = (&mut self.rb.words, Vec::new());
        compile(items, &mut |w| WordId(words.intern(w)), &mut ops);
        self.rb.sequence = ops;
    }

    /// A procedure to begin with instead of the sequence of play.
    pub fn opening(&mut self, opening: NewFrame) {
        self.rb.opening = Some(opening);
    }

    /// A scenario.
    pub fn scenario(&mut self, scenario: ScenarioDef) -> ScenarioId {
        if self.rb.set_up.is_none() {
            let proc = self.proc::<SetUp>("scenario");
            self.define(proc, &Arc::new(()));
            self.rb.set_up = Some((proc.id(), self.word("set_up")));
        }
        self.rb.scenarios.push(scenario);
        ScenarioId(last16(self.rb.scenarios.len()))
    }

    /// A module, asked for placements and told of reveals.
    pub fn module(&mut self, module: Arc<dyn Module>) {
        self.rb.modules.push(module);
    }
}

//! What a step that asks offers, and why it refuses.

use adjutant_kernel::{Action, Offers, Refusal, Target, Verdict};
use mlua::{Function, Value};
use smallvec::SmallVec;

use super::{Host, fail};
use crate::api;
use crate::code::ProcedureCode;
use crate::fields::show;
use crate::handle::Handle;
use crate::raw::{Arg, Slot, Small, Stack};
use crate::steps::AskPlan;

impl Host {
    /// Lists what a step offers: the script names what makes sense, and what it says nothing against is tested.
    pub(super) fn list(&self, code: &ProcedureCode, ask: &AskPlan, out: &mut Offers<'_>) -> mlua::Result<()> {
        self.shared.offered.borrow_mut().clear();
        self.shared.others.borrow_mut().clear();
        self.call(&ask.offers, (&self.objects.game, &code.locals, &self.objects.offer))?;
        let mut failed = None;
        // Lent while tests run, so that none of them can offer anything.
        for &(action, rule) in self.shared.offered.borrow().iter() {
            match (rule, ask.test(action.verb)) {
                (Some(rule), _) => out.decided(action, Err(Refusal { rule })),
                (None, None) => out.decided(action, Ok(())),
                (None, Some(test)) => out.consider(action, || {
                    self.refusal(code, test, &action).unwrap_or_else(|error| {
                        failed.get_or_insert(error);
                        Ok(())
                    })
                }),
            }
        }
        failed.map_or(Ok(()), Err)?;
        self.otherwise(out)
    }

    /// Asks the test of a verb about one action.
    pub(super) fn refusal(
        &self,
        code: &ProcedureCode,
        test: &Function,
        action: &Action,
    ) -> mlua::Result<Verdict> {
        let names = self.shared.names()?;
        let target = |target: Target| match target {
            Target::None => Small::Nil,
            Target::Body(body) => Small::Handle(body.into()),
            Target::Stack(stack) => Small::Handle(stack.into()),
            Target::Place(place) => Small::Handle(Handle::of_place(&self.rulebook, place)),
            Target::Link(link) => Small::Handle(link.into()),
            Target::Number(number) => Small::Number(number.into()),
            Target::Choice(word) => names.word(word),
            Target::Piece(piece) => Small::Handle(piece.into()),
            Target::Side(side) => names.side(side),
        };
        let mut args: SmallVec<[Arg; 6]> = SmallVec::new();
        args.extend([self.objects.game_kept, code.kept].map(|kept| Arg::One(Small::Kept(kept))));
        args.extend(action.given().map(|given| Arg::One(target(given))));
        let read = |results: &Stack| match results.slot(1) {
            Slot::Nil => Some(Ok(())),
            text => Some(Err(Refusal { rule: names.known(text)?.rule? })),
        };
        match self.shared.call(&self.lua, test, &args, read)? {
            Ok(verdict) => Ok(verdict),
            Err((Value::String(name), _)) => Ok(Err(Refusal { rule: self.shared.rule(&name.to_str()?)? })),
            Err((other, _)) => {
                let (verb, found) = (self.rulebook.word(action.verb), show(&other));
                let line = test.info().line_defined.map_or(String::new(), |line| format!(" in line {line}"));
                fail(format!("the test of `{verb}`{line} returns {found}; it may return a rule, or nil"))
            }
        }
    }

    /// What is said of an action that is judged and was not offered.
    fn otherwise(&self, out: &mut Offers<'_>) -> mlua::Result<()> {
        let others = self.shared.others.take();
        let mut failed = None;
        for (rule, verb, fits) in others {
            out.otherwise(rule, |action| {
                let Some(fits) = fits.filter(|_| action.verb == verb) else { return action.verb == verb };
                let [a, b, c, d] = action.targets.map(|t| api::target_value(&self.shared, &self.rulebook, t));
                let judged = (|| self.call(&fits, (a?, b?, c?, d?)))();
                matches!(
                    judged.unwrap_or_else(|error| {
                        failed = Some(error);
                        Value::Nil
                    }),
                    Value::Boolean(true)
                )
            });
        }
        failed.map_or(Ok(()), Err)
    }
}

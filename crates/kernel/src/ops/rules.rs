//! Rule points and permissions, the end of the game, commits.

use crate::contributions::{Combine, Contributions};
use crate::events::{Arg, EventBuilder};
use crate::flow::{Cx, Halt};
use crate::ids::*;
use crate::knowledge::{Audience, Seen, Truth};
use crate::points::{self, PointArg};
use crate::state::Outcome;

impl Cx<'_> {
    /// The contributions to a point, computed on the truth; empty at once when nothing is attached.
    ///
    /// # Errors
    /// A fault when a script fails.
    #[inline]
    pub fn contributions(&mut self, point: PointId, args: &[PointArg]) -> Result<Contributions, Halt> {
        let start = self.rb.points[point.index()].start;
        let attachments = &self.rb.attachments[point.index()];
        if attachments.is_empty() {
            return Ok(Contributions::new(start));
        }
        let truth = Truth(self.read());
        let list = points::gather(attachments, start, &truth, args, &mut |script, sight, args| {
            self.scratch.host.call(script, sight, args)
        });
        match self.scratch.host.take_fault() {
            Some(fault) => Err(fault.into()),
            None => Ok(list),
        }
    }

    /// The total of a point: its start value and the contributions, combined as it declares.
    ///
    /// # Errors
    /// As [`Cx::contributions`].
    #[inline]
    pub fn total(&mut self, point: PointId, args: &[PointArg]) -> Result<i32, Halt> {
        let def = &self.rb.points[point.index()];
        let (combine, start) = (def.combine, def.start);
        if self.rb.attachments[point.index()].is_empty() {
            return Ok(start);
        }
        Ok(self.contributions(point, args)?.total(combine))
    }

    /// Whether a rule is in force: neither the rulebook nor the umpire has switched it off. Native code that does
    /// something for a rule asks this first, so that the rule can be switched off like any other.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// # use adjutant_kernel::{Worker, chance::Key, flow::{self, Sink}};
    /// let (mut builder, ids) = Field::builder(|ids, cx| {
    ///     assert!(!cx.rule_on(ids.rule));
    ///     Ok(())
    /// });
    /// builder.switch_off(ids.rule); // as an overlay may
    /// # let rulebook = builder.build().unwrap();
    /// # flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
    /// ```
    #[inline]
    pub fn rule_on(&self, rule: RuleId) -> bool {
        self.rb.rule_on(rule) && !self.st.skipped.contains(&rule)
    }

    /// How a point combines, for those who work through the stages themselves.
    pub fn combine(&self, point: PointId) -> Combine {
        self.rb.points[point.index()].combine
    }

    /// The rule by which a permission point forbids something in truth.
    ///
    /// # Errors
    /// A fault when a script fails.
    pub fn forbidden(&mut self, point: PointId, args: &[PointArg]) -> Result<Option<RuleId>, Halt> {
        Ok(self.contributions(point, args)?.iter().find(|c| c.value != 0).map(|c| c.rule))
    }

    /// The seat's choice is final: its draft is published.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::flow::{self, Sink};
    /// use adjutant_kernel::{Worker, chance::Key};
    /// let (rulebook, _) = Field::rules(|_, cx| {
    ///     cx.commit();
    ///     Ok(())
    /// });
    /// let mut sink = Sink::on();
    /// flow::start(&rulebook, &mut Worker::new(), &mut sink, Key::from_seed(1), 0)?;
    /// assert!(sink.take().1.public); // whoever hosts the game publishes what the seat did
    /// # Ok::<(), adjutant_kernel::Fault>(())
    /// ```
    pub fn commit(&mut self) {
        if self.branch.is_none() {
            self.sink.barrier.public = true;
        }
    }

    /// Says that an accepted action was stopped: the truth forbids it by this rule, at the cost that the rule
    /// names. What it lets the seat learn was told before.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::events::Arg;
    /// let field = Field::where_first(|ids, cx| {
    ///     let horse = cx.read().body_of(ids.horse).unwrap();
    ///     cx.stop(ids.rule, |event| event.arg(ids.march, Arg::Body(horse)));
    ///     Ok(())
    /// });
    /// let event = field.events.last().unwrap().shown(&field.rulebook, None).unwrap();
    /// assert_eq!((event.event.as_str(), event.rule.as_deref()), ("stopped", Some("field:1")));
    /// ```
    pub fn stop(&mut self, rule: RuleId, build: impl FnOnce(&mut EventBuilder<'_>)) {
        self.sink.barrier.public = true;
        self.story_for(self.rb.keywords.stopped, Audience::ALL, Some(rule), build);
    }

    /// Ends the game. Every later operation is refused.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// let field = Field::where_first(|ids, cx| {
    ///     cx.end_game(None, ids.rule)?;
    ///     assert!(cx.set(ids.turn, (), 2).is_err()); // nothing can be changed any more
    ///     Ok(())
    /// });
    /// assert_eq!(field.state.outcome().map(|outcome| outcome.winner), Some(None)); // a draw
    /// ```
    ///
    /// # Errors
    /// A fault when it has ended already, or in a branch.
    pub fn end_game(&mut self, winner: Option<SideId>, rule: RuleId) -> Result<(), Halt> {
        self.guard_public("the end of the game")?;
        self.st.outcome = Some(Outcome { winner, rule: Some(rule) });
        self.sink.barrier.public = true;
        let words = &self.rb.keywords;
        let key = words.winner;
        self.story_for(words.end, Audience::ALL, Some(rule), |e| {
            if let Some(side) = winner {
                e.arg(key, Arg::Side(side));
            }
        });
        Ok(())
    }
}

impl Seen<'_> {
    /// The rule by which a permission point forbids something, as far as the viewer may know.
    #[inline]
    pub fn forbidden(&self, point: PointId, args: &[PointArg]) -> Option<RuleId> {
        use crate::knowledge::Sight as _;
        let attachments = &self.rulebook().attachments[point.index()];
        if attachments.is_empty() {
            return None;
        }
        points::forbids(attachments, self, args, &mut |script, sight, args| {
            self.host().and_then(|host| host.call(script, sight, args))
        })
    }

    /// The total of a point, as far as the viewer may know.
    #[inline]
    pub fn total(&self, point: PointId, args: &[PointArg]) -> i32 {
        use crate::knowledge::Sight as _;
        let rb = self.rulebook();
        let def = &rb.points[point.index()];
        let attachments = &rb.attachments[point.index()];
        if attachments.is_empty() {
            return def.start;
        }
        points::gather(attachments, def.start, self, args, &mut |script, sight, args| {
            self.host().and_then(|host| host.call(script, sight, args))
        })
        .total(def.combine)
    }
}

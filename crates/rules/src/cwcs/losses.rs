//! Combat results: who of a Line Position loses how much (10).
//!
//! How many points a position loses is known to all, and how many of them its infantry bears (10.13). Which unit lost
//! them is its owner's secret, but for the markers (3.5).

use adjutant_kernel::events::Arg;
use adjutant_kernel::knowledge::{Seen, Sight};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::{
    Action, AttributeId, BodyId, Cx, Flow, Halt, Imagine, Offers, Procedure, Refusal, RuleId, SeatId, SideId,
    Verdict,
};
use smallvec::SmallVec;

use super::Cwcs;
use super::combat::lines::LinePosition;
use super::combat::resolution::ResolutionRules;

/// A unit of a position, and what it is to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bearer {
    /// Points that it has before the losses.
    pub(crate) strength: i32,
    /// The points at which it becomes ineffective; 0 for never.
    pub(crate) ineffective_at: i32,
    /// Infantry of any kind.
    pub(crate) infantry: bool,
    /// Points that it is to lose.
    pub(crate) taken: i32,
}

impl Bearer {
    fn left(&self) -> i32 {
        self.strength - self.taken
    }

    fn is_effective(&self) -> bool {
        self.left() > self.ineffective_at.max(0)
    }
}

/// Why a unit may not take the next point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bar {
    /// It has none left, or all are distributed.
    Nothing,
    /// Other effective infantry has lost none (10.12.1).
    Evenly,
    /// Effective infantry is left (10.12.2).
    IneffectiveLast,
    /// Effective infantry has lost none (10.12.3).
    InfantryFirst,
    /// The infantry must still lose as many as the defender's did (10.13).
    AsTheDefender,
}

/// The losses of a position while they are distributed. They can always be distributed to the end: whatever was
/// taken, some unit with strength may take the next point.
#[derive(Clone, Debug)]
pub(crate) struct Distribution {
    pub(crate) units: SmallVec<[Bearer; 8]>,
    /// Points to lose, no more than the units have.
    pub(crate) points: i32,
    /// Points of these that infantry must bear, if it has them (10.13).
    pub(crate) infantry: i32,
}

impl Distribution {
    /// The points that are distributed.
    pub(crate) fn taken(&self) -> i32 {
        self.units.iter().map(|unit| unit.taken).sum()
    }

    /// The points that infantry is to lose.
    pub(crate) fn taken_by_infantry(&self) -> i32 {
        self.units.iter().filter(|unit| unit.infantry).map(|unit| unit.taken).sum()
    }

    /// The points that infantry must bear: no more than there are, and than it has (10.13).
    fn duty(&self) -> i32 {
        let has: i32 = self.units.iter().filter(|unit| unit.infantry).map(|unit| unit.strength).sum();
        self.infantry.min(self.points).min(has)
    }

    /// Whether a unit may take the next point (10.12, 10.13).
    ///
    /// # Errors
    /// What bars it.
    pub(crate) fn may_take(&self, n: usize) -> Result<(), Bar> {
        let Some(unit) = self.units.get(n).filter(|unit| unit.left() > 0) else { return Err(Bar::Nothing) };
        let left = self.points - self.taken();
        if left <= 0 {
            return Err(Bar::Nothing);
        }
        let others = self.units.iter().enumerate().filter(|&(m, other)| m != n && other.infantry);
        let mut effective = others.map(|(_, other)| other).filter(|other| other.is_effective()).peekable();
        match (unit.infantry, unit.is_effective()) {
            (true, true) if unit.taken > 0 && effective.any(|other| other.taken == 0) => Err(Bar::Evenly),
            (true, false) if effective.peek().is_some() => Err(Bar::IneffectiveLast),
            (false, _) if effective.any(|other| other.taken == 0) => Err(Bar::InfantryFirst),
            (false, _) if left <= self.duty() - self.taken_by_infantry() => Err(Bar::AsTheDefender),
            (true | false, _) => Ok(()),
        }
    }
}

/// The most units of a position that losses can be distributed among.
const MOST: usize = 24;

/// A position loses points (10): its owner says which unit loses them, in a draft until `done`.
#[derive(Locals)]
pub(crate) struct Losses {
    side: SideId,
    position: LinePosition,
    points: i32,
    /// Points that infantry must bear (10.13).
    infantry: i32,
    begun: bool,
    #[local(class = "owner")]
    taken: [i32; MOST],
}

impl Losses {
    /// Losses of a position, of which infantry must bear so many.
    pub(crate) fn of(side: SideId, position: LinePosition, points: i32, infantry: i32) -> Self {
        Self { side, position, points, infantry, begun: false, taken: [0; MOST] }
    }

    fn distribution<S: Sight>(&self, cw: &Cwcs, sight: &S) -> Distribution {
        let units = cw.line_units(sight, self.side, self.position);
        let attribute = |body: BodyId, a: AttributeId| sight.attribute(body, a).unwrap_or(0);
        let bearer = |(body, taken): (&BodyId, &i32)| Bearer {
            strength: cw.units.strength(sight, *body).unwrap_or(0),
            ineffective_at: attribute(*body, cw.pieces.ineffective_at),
            infantry: sight.is(*body, cw.pieces.sets.foot).is_yes(),
            taken: *taken,
        };
        let units = units.iter().zip(&self.taken).map(bearer).collect();
        Distribution { units, points: self.points, infantry: self.infantry }
    }

    /// Says how many points are lost, and whether they are all that there are; takes them where nothing is left to say.
    fn begin(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let units = cw.line_units(&cx.truth(), self.side, self.position);
        if units.len() > MOST {
            return Err(cx.fault("more units in a position than losses can be distributed among"));
        }
        let mut distribution = self.distribution(cw, &cx.truth());
        let has: i32 = distribution.units.iter().map(|unit| unit.strength).sum();
        let all = self.points >= has;
        self.points = self.points.min(has);
        cx.set(cw.columns.infantry_lost, (), 0)?;
        if self.points <= 0 {
            return Ok(Flow::Done);
        }
        let w = &cw.resolution.w;
        cx.publish(w.loses, cw.resolution.rules.losses, |e| {
            e.about(w.side, Arg::Side(self.side));
            e.about(w.position, Arg::Word(cw.lines.position(self.position)));
            e.answer(w.lost, Arg::Number(self.points));
            e.answer(w.all, Arg::Flag(all));
        })?;
        // What it loses in the round, and not what was called for, endangers its officer (11.3).
        let at = (self.position.choice(), self.side);
        let lost = cx.get(cw.columns.line_losses, at).saturating_add(self.points).min(999);
        cx.set(cw.columns.line_losses, at, lost)?;
        if !all && units.len() > 1 {
            return Ok(Flow::ask(cw.seat(self.side), w.distribute));
        }
        let mut left = self.points;
        for (unit, taken) in distribution.units.iter_mut().zip(&mut self.taken) {
            *taken = unit.strength.min(left);
            left -= *taken;
        }
        self.apply(cw, cx)?;
        Ok(Flow::Done)
    }

    /// All learn how much of it infantry bears (10.13), then the units lose what they were given.
    fn apply(&self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<(), Halt> {
        cx.commit();
        let (w, rules) = (&cw.resolution.w, &cw.resolution.rules);
        let infantry = self.distribution(cw, &cx.truth()).taken_by_infantry();
        cx.publish(w.distributes, rules.as_the_defender, |e| {
            e.about(w.side, Arg::Side(self.side));
            e.about(w.position, Arg::Word(cw.lines.position(self.position)));
            e.answer(w.infantry, Arg::Number(infantry));
        })?;
        cx.set(cw.columns.infantry_lost, (), infantry)?;
        let units = cw.line_units(&cx.truth(), self.side, self.position);
        for (&body, &taken) in units.iter().zip(&self.taken) {
            cw.lose(cx, body, taken, rules.recorded)?;
        }
        Ok(())
    }
}

/// The rule by which a unit may not take the next point.
fn rule(rules: &ResolutionRules, bar: Bar) -> RuleId {
    match bar {
        Bar::Nothing => rules.distributed,
        Bar::Evenly => rules.evenly,
        Bar::IneffectiveLast => rules.ineffective_last,
        Bar::InfantryFirst => rules.infantry_first,
        Bar::AsTheDefender => rules.as_the_defender,
    }
}

impl Procedure for Losses {
    type Module = Cwcs;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if !self.begun {
            self.begun = true;
            return self.begin(cw, cx);
        }
        Ok(Flow::ask(cw.seat(self.side), cw.resolution.w.distribute))
    }

    fn offers(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let (w, rules) = (&cw.resolution.w, &cw.resolution.rules);
        let distribution = self.distribution(cw, seen);
        for (n, &body) in cw.line_units(seen, self.side, self.position).iter().enumerate() {
            out.consider(Action::new(w.lose).on(body), || -> Verdict {
                match distribution.may_take(n).map_err(|bar| rule(rules, bar)) {
                    Err(rule) if seen.rule_on(rule) || rule == rules.distributed => Err(Refusal { rule }),
                    Ok(()) | Err(_) => Ok(()),
                }
            });
        }
        out.consider(Action::new(cw.w.done), || {
            let all = distribution.taken() == self.points;
            if all { Ok(()) } else { Err(Refusal { rule: rules.distributed }) }
        });
        out.otherwise(rules.distributed, |a| a.verb == w.lose);
    }

    fn act(&mut self, cw: &Cwcs, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let Some(body) = action.body(0) else {
            self.apply(cw, cx)?;
            return Ok(Flow::Done);
        };
        let units = cw.line_units(&cx.truth(), self.side, self.position);
        match units.iter().position(|&b| b == body).and_then(|n| self.taken.get_mut(n)) {
            Some(taken) => *taken += 1,
            None => return Err(cx.fault("a unit of the position loses")),
        }
        self.run(cw, cx)
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }

    /// What the infantry bears, and the markers that follow.
    fn shape(&self, cw: &Cwcs, seen: &Seen<'_>, _: SeatId) -> Option<Vec<i32>> {
        let distribution = self.distribution(cw, seen);
        let marker = |unit: &Bearer| match (unit.left(), unit.is_effective()) {
            (..=0, _) => 2,
            (_, effective) => i32::from(!effective),
        };
        let markers = distribution.units.iter().map(marker);
        Some([distribution.taken_by_infantry()].into_iter().chain(markers).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Bearer, Distribution};

    fn infantry(strength: i32, ineffective_at: i32) -> Bearer {
        Bearer { strength, ineffective_at, infantry: true, taken: 0 }
    }

    fn other(strength: i32, ineffective_at: i32) -> Bearer {
        Bearer { infantry: false, ..infantry(strength, ineffective_at) }
    }

    fn losses(units: &[Bearer], points: i32, infantry: i32) -> Distribution {
        Distribution { units: units.into(), points, infantry }
    }

    impl Distribution {
        /// Takes points one after the other, if all of them may be.
        fn take(mut self, order: &[usize]) -> Result<Self, Bar> {
            for &n in order {
                self.may_take(n)?;
                self.units[n].taken += 1;
            }
            Ok(self)
        }
    }

    /// The example of 10.13, number for number.
    #[test]
    fn the_attacker_is_bound_by_what_the_defender_chose() -> Result<(), Bar> {
        let defender = losses(&[infantry(10, 3), infantry(8, 3), other(2, 0)], 3, 0).take(&[0, 1, 2])?;
        assert_eq!(defender.taken_by_infantry(), 2);
        let attacker = losses(&[infantry(21, 8), other(4, 1), other(3, 1)], 3, defender.taken_by_infantry());
        for third in [0, 1, 2] {
            assert_eq!(attacker.clone().take(&[0, 0, third])?.taken(), 3);
        }
        // One point of three may be borne by others, and that one at any time once the infantry has lost.
        assert!(attacker.clone().take(&[0, 1, 0]).is_ok());
        assert_eq!(attacker.clone().take(&[0, 1, 2]).err(), Some(Bar::AsTheDefender));
        assert_eq!(attacker.take(&[1]).err(), Some(Bar::InfantryFirst));
        Ok(())
    }

    #[test]
    fn effective_infantry_bears_evenly_first() {
        let losses = losses(&[infantry(5, 2), infantry(6, 2), other(3, 0)], 4, 0);
        assert_eq!(losses.clone().take(&[0, 0]).err(), Some(Bar::Evenly));
        assert_eq!(losses.clone().take(&[0, 2]).err(), Some(Bar::InfantryFirst));
        assert!(losses.clone().take(&[0, 1, 0, 0]).is_ok());
        assert!(losses.take(&[1, 0, 2, 2]).is_ok());
    }

    #[test]
    fn ineffective_infantry_bears_when_no_other_is_left() {
        let losses = losses(&[infantry(3, 2), infantry(2, 2), other(3, 0)], 5, 0);
        assert_eq!(losses.clone().take(&[1]).err(), Some(Bar::IneffectiveLast));
        assert_eq!(losses.clone().take(&[2]).err(), Some(Bar::InfantryFirst));
        // After its first point none is effective, and all may bear (10.12.4).
        assert!(losses.clone().take(&[0, 0, 0, 1, 2]).is_ok());
        assert!(losses.take(&[0, 2, 2, 2, 1]).is_ok());
    }

    #[test]
    fn who_has_too_little_infantry_is_bound_by_what_it_has() {
        let thin = losses(&[infantry(1, 0), other(4, 0)], 3, 3);
        assert!(thin.take(&[0, 1, 1]).is_ok());
        let none = losses(&[other(4, 0), other(2, 0)], 3, 3);
        assert!(none.take(&[1, 1, 0]).is_ok());
    }

    /// Whatever was taken before, some unit may take the next point, until all are taken.
    #[test]
    fn it_can_always_be_distributed_to_the_end() {
        fn play(losses: &Distribution, seen: &mut usize) {
            let open = losses.points - losses.taken();
            let may: Vec<usize> = (0..losses.units.len()).filter(|&n| losses.may_take(n).is_ok()).collect();
            assert_eq!(open == 0, may.is_empty(), "{losses:?}");
            *seen += 1;
            for n in may {
                let mut next = losses.clone();
                next.units[n].taken += 1;
                play(&next, seen);
            }
        }
        let mut seen = 0;
        for points in 1..=6 {
            for duty in 0..=points {
                let units = [infantry(3, 1), infantry(2, 1), other(2, 0), other(1, 0)];
                play(&losses(&units, points.min(8), duty), &mut seen);
                play(&losses(&[infantry(1, 1), other(3, 1), infantry(4, 2)], points, duty), &mut seen);
            }
        }
        assert!(seen > 1000);
    }
}

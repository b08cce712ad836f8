//! The allotment of attackers to defenders, one unit after another (sk:6.b, sk:6.c).
//!
//! Items are the units that may attack, slots the hexes that they may attack and one more for those that hold.
//! As many hexes in own zones must be filled as can be at all, so that there is always a way to go on.

use adjutant_kernel::allocation::{Assignment, Mistake, Problem, Set, Slot, Spec};
use adjutant_kernel::locals::{List, Locals};
use adjutant_kernel::{
    Action, BodyId, Cx, Flow, Halt, Offers, Procedure, Refusal, SeatId, Seen, SideId, Sight as _, SpaceId,
};

use super::Skirmish;
use super::field::Field;
use super::ground::Hexes;
use super::roster::UNITS;

/// A side allots its attackers.
#[derive(Locals)]
pub(crate) struct Allot {
    pub(crate) side: SideId,
    /// How many hexes in own zones must be attacked; not known before the first step.
    pub(crate) most: Option<u8>,
    /// Units that hold back.
    pub(crate) held: List<BodyId, UNITS>,
}

/// Who may attack what, and what is allotted so far.
pub(crate) struct Duties {
    pub(crate) items: Vec<BodyId>,
    pub(crate) slots: Vec<SpaceId>,
    /// Units that must assault.
    pub(crate) pressed: Set,
    /// Hexes in own zones.
    pub(crate) zone: Set,
    /// For each slot the units that may attack it.
    pub(crate) near: Vec<Set>,
    pub(crate) placed: Assignment,
}

impl Allot {
    pub(crate) fn of(side: SideId) -> Self {
        Self { side, most: None, held: List::new() }
    }

    fn problem(&self, duties: &Duties) -> Result<Problem, Vec<Mistake>> {
        duties.problem(self.most.unwrap_or(0))
    }
}

impl Procedure for Allot {
    type Module = Skirmish;

    fn run(&mut self, game: &Skirmish, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        let duties = game.duties(&cx.seen(self.side), self.side, &self.held);
        if self.most.is_none() {
            match duties.most() {
                Some(most) => self.most = Some(most),
                None => return Err(cx.fault("the units that must assault cannot all be allotted")),
            }
        }
        if duties.placed.placed().len() == duties.items.len() {
            cx.commit();
            return Ok(Flow::Done);
        }
        Ok(Flow::ask(game.seats[self.side.index()], game.words.assign))
    }

    fn offers(&self, game: &Skirmish, seen: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        let duties = game.duties(seen, self.side, &self.held);
        let Ok(problem) = self.problem(&duties) else { return };
        let steps = problem.offers(&duties.placed);
        let left = Set::below(duties.items.len()).without(duties.placed.placed());
        for item in left.iter() {
            let body = duties.items[item];
            let slots = steps.slots(item);
            for (slot, &hex) in
                duties.slots.iter().enumerate().filter(|&(s, _)| duties.near[s].contains(item))
            {
                out.consider(Action::new(game.words.assign).on(body).on(hex), || {
                    let refusal = Refusal { rule: game.rules.must_be_attacked };
                    if slots.contains(slot) { Ok(()) } else { Err(refusal) }
                });
            }
            out.consider(Action::new(game.words.hold).on(body), || {
                let rule = if duties.pressed.contains(item) {
                    game.rules.must_assault
                } else {
                    game.rules.must_be_attacked
                };
                if slots.contains(duties.slots.len()) { Ok(()) } else { Err(Refusal { rule }) }
            });
        }
    }

    fn act(&mut self, game: &Skirmish, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match (action.body(0), action.space(1)) {
            (Some(body), Some(hex)) => cx.set(game.columns.target, body, i32::from(hex.0))?,
            (Some(body), None) => {
                if self.held.push(body).is_err() {
                    return Err(cx.fault("more units hold than there are"));
                }
            }
            (None, _) => return Err(cx.fault("an allotment without a unit")),
        }
        Ok(Flow::Again)
    }
}

impl Skirmish {
    /// What a side's units may and must attack, and what they are allotted to.
    pub(crate) fn duties(&self, seen: &Seen<'_>, side: SideId, held: &[BodyId]) -> Duties {
        let field = Field::of(self, seen);
        let mut all = Hexes::default();
        let mut reach: Vec<(BodyId, Hexes)> = Vec::with_capacity(UNITS / 2);
        for (body, _) in field.units(self, side) {
            let (assault, bombard) = self.targets(&field, body);
            let targets = assault.or(bombard);
            if !targets.is_empty() {
                all = all.or(targets);
                reach.push((body, targets));
            }
        }
        let slots: Vec<SpaceId> = all.iter().collect();
        let mut duties = Duties {
            pressed: Set::default(),
            zone: Set::default(),
            near: vec![Set::default(); slots.len()],
            placed: Assignment::new(),
            items: reach.iter().map(|r| r.0).collect(),
            slots,
        };
        for (slot, &hex) in duties.slots.iter().enumerate() {
            if field.zone[side.index()].has(hex) {
                duties.zone = duties.zone.with(slot);
            }
        }
        for (item, &(body, targets)) in reach.iter().enumerate() {
            if self.pressed(&field, body) {
                duties.pressed = duties.pressed.with(item);
            }
            let target = seen.get(self.columns.target, body);
            for (slot, &hex) in duties.slots.iter().enumerate().filter(|&(_, &hex)| targets.has(hex)) {
                duties.near[slot] = duties.near[slot].with(item);
                if target == Some(i32::from(hex.0)) {
                    duties.placed.place(item, slot);
                }
            }
            if held.contains(&body) {
                duties.placed.place(item, duties.slots.len());
            }
        }
        duties
    }
}

impl Duties {
    /// The problem of filling so many of the hexes in own zones.
    pub(crate) fn problem(&self, filled: u8) -> Result<Problem, Vec<Mistake>> {
        let hold = Set::below(self.items.len()).without(self.pressed);
        let spec = self
            .near
            .iter()
            .fold(Spec::new(self.items.len()), |spec, near| spec.slot(Slot::any().only(*near)));
        spec.slot(Slot::any().only(hold)).filled(filled, self.zone).check()
    }

    /// The greatest number of hexes in own zones that can be attacked; `None` if not even none can.
    pub(crate) fn most(&self) -> Option<u8> {
        let none = Assignment::new();
        let fits = |&count: &u8| self.problem(count).is_ok_and(|p| p.feasible(&none));
        (0..=self.zone.len() as u8).rev().find(fits)
    }
}

//! Odds, shifts and the fight table (sk:7.a to sk:7.i).

use adjutant_kernel::locals::Choice;
use adjutant_kernel::points::PointArg;
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::tables::{
    AtZero, Axis, CellKind, Dice, Ends, Order, Party, Problems, Ratio, Ratios, Rounding, Span, Table,
    TableBuilder, ZeroRule,
};
use adjutant_kernel::{BodyId, Seen, SideId, Sight as _, SpaceId, WordId};
use smallvec::SmallVec;

use super::field::{Field, bodies};
use super::ground::Hexes;
use super::roster::Kind;
use super::vocabulary::Words;
use super::{Skirmish, enemy_of};

/// The columns of the fight table, attackers first.
pub(crate) const ODDS: [(u16, u16); 7] = [(1, 3), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)];

/// The fight table: a row for each roll, a column for each odds.
pub(crate) const FIGHT: [[Outcome; 7]; 6] = {
    use Outcome::{A1, Ae, Ar, D1, De, Dr, Ex};
    [
        [Ae, Ae, A1, Ar, Ar, Ex, Ex],
        [Ae, A1, Ar, Ar, Ex, Dr, Dr],
        [A1, Ar, Ar, Ex, Dr, Dr, D1],
        [Ar, Ar, Ex, Dr, Dr, D1, D1],
        [Ar, Ex, Dr, Dr, D1, D1, De],
        [Ex, Dr, Dr, D1, D1, De, De],
    ]
};

/// A result of the fight table (sk:7.i).
#[derive(Choice, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Attackers eliminated.
    Ae,
    /// Attackers lose a step.
    A1,
    /// Attackers retreat.
    Ar,
    /// Both lose a step.
    Ex,
    /// Defenders retreat.
    Dr,
    /// Defenders lose a step and retreat.
    D1,
    /// Defenders eliminated.
    De,
}

impl Outcome {
    pub(crate) const ALL: [Self; 7] = [Self::Ae, Self::A1, Self::Ar, Self::Ex, Self::Dr, Self::D1, Self::De];

    pub(crate) fn word(self, words: &Words) -> WordId {
        match self {
            Self::Ae => words.ae,
            Self::A1 => words.a1,
            Self::Ar => words.ar,
            Self::Ex => words.ex,
            Self::Dr => words.dr,
            Self::D1 => words.d1,
            Self::De => words.de,
        }
    }
}

/// The fight table.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn table(words: &Words) -> Result<Table, Problems> {
    let steps = ODDS.map(|(attacker, defender)| Ratio::new(attacker, defender));
    let zero = ZeroRule { attacker: AtZero::Lowest, defender: AtZero::Highest, both: AtZero::Lowest };
    let mut builder = TableBuilder::new("fight", Provenance::Printed("sk:7.a".into()))
        .dice(Dice::one(6))
        .columns(Axis::Ratios(Ratios {
            steps: steps.into(),
            first: Party::Attacker,
            rounding: Rounding::DefendersFavour,
            zero,
            ends: Ends::CLAMP,
        }))
        .rows(Axis::Numbers { spans: (1..=6).map(Span::exactly).collect(), ends: Ends::CLAMP })
        .column_order(Order::left_then_right())
        .may_hold(CellKind::Word);
    for row in FIGHT {
        builder = builder.row(row.map(|outcome| outcome.word(words)));
    }
    builder.build()
}

/// Who fights over a hex.
pub(crate) struct Sides {
    /// Attackers that assault it.
    pub(crate) assault: SmallVec<[BodyId; 16]>,
    /// Guns that bombard it.
    pub(crate) bombard: SmallVec<[BodyId; 8]>,
    /// Its defenders, in the order in which they stand.
    pub(crate) defend: SmallVec<[BodyId; 4]>,
}

impl Skirmish {
    /// Who fights over a hex as units are allotted now (sk:6.e).
    pub(crate) fn sides(&self, seen: &Seen<'_>, hex: SpaceId) -> Sides {
        let mut sides = Sides { assault: SmallVec::new(), bombard: SmallVec::new(), defend: SmallVec::new() };
        for body in bodies() {
            let allotted = seen.get(self.columns.target, body) == Some(i32::from(hex.0));
            let Some(at) = seen.space(body).filter(|_| allotted) else { continue };
            if self.ground.open[at.index()].has(hex) {
                sides.assault.push(body);
            } else {
                sides.bombard.push(body);
            }
        }
        if let Some(&attacker) = sides.assault.first().or(sides.bombard.first()) {
            let enemy = enemy_of(self.unit(attacker).side);
            sides.defend = seen.bodies_of(enemy, hex).into_iter().collect();
        }
        sides
    }

    /// The strength of units together.
    pub(crate) fn strength(&self, seen: &Seen<'_>, units: &[BodyId]) -> i32 {
        let of = |&b: &BodyId| self.unit(b).strength(seen.get(self.columns.steps, b).unwrap_or(0));
        units.iter().map(of).sum()
    }

    /// What odds shifts and die modifiers depend on: the defenders' hex and the circumstances (sk:7.b to sk:7.h).
    pub(crate) fn circumstances(
        &self,
        seen: &Seen<'_>,
        hex: SpaceId,
        sides: &Sides,
    ) -> SmallVec<[PointArg; 8]> {
        let board = seen.rulebook().board();
        let ground = &self.ground;
        let mut args: SmallVec<[PointArg; 8]> = SmallVec::new();
        args.push(PointArg::Space(hex));
        if sides.assault.is_empty() {
            return args;
        }
        let from: SmallVec<[SpaceId; 16]> = sides.assault.iter().filter_map(|&b| seen.space(b)).collect();
        let over_river = |&at: &SpaceId| {
            board.border_between(at, hex).is_some_and(|side| board.has_feature_border(side, ground.river))
        };
        let rough = [ground.woods, ground.hill, ground.town].iter().any(|&f| board.has_feature_space(hex, f));
        let fresh_horse = |&&b: &&BodyId| {
            let unit = self.unit(b);
            unit.kind == Kind::Cavalry && seen.get(self.columns.steps, b) == Some(unit.steps())
        };
        let opposite = |a: SpaceId, b: SpaceId| match (board.direction(hex, a), board.direction(hex, b)) {
            (Some(a), Some(b)) => a.opposite() == b,
            _ => false,
        };
        let words = &self.words;
        let circumstances = [
            (words.across_river, from.iter().all(over_river)),
            (words.from_hill, from.iter().any(|&at| board.has_feature_space(at, ground.hill))),
            (words.charge, !rough && sides.assault.iter().any(|b| fresh_horse(&b))),
            (words.pincer, from.iter().any(|&a| from.iter().any(|&b| opposite(a, b)))),
            (words.barrage, !sides.bombard.is_empty()),
        ];
        args.extend(circumstances.into_iter().filter(|c| c.1).map(|c| PointArg::Word(c.0)));
        args
    }

    /// Hexes that units are allotted to and that somebody defends (sk:6.d, sk:6.e).
    pub(crate) fn battles(&self, seen: &Seen<'_>, field: &Field, side: SideId) -> Hexes {
        let enemies = field.held[enemy_of(side).index()];
        let mut hexes = Hexes::default();
        for (body, _) in field.units(self, side) {
            let target = seen.get(self.columns.target, body).and_then(|t| u16::try_from(t).ok()).map(SpaceId);
            if let Some(hex) = target.filter(|&hex| enemies.has(hex)) {
                hexes.add(hex);
            }
        }
        hexes
    }
}

//! The words and rules of the course of combat (9.0 to 9.5, 9.93, 9.94), and what else it names.

use adjutant_kernel::rulebook::{ChoiceIndex, Column};
use adjutant_kernel::{BodyId, OptionId, QuestionId, RecordId, RulebookBuilder};

use super::lines::LinePosition;
use crate::cwcs::names::{rules, words};
use crate::cwcs::pieces::Missing;

words! {
    /// Words of the course of combat.
    CombatWords {
        // What is asked.
        choose = "choose combat",
        instead = "attack instead",
        deployment = "deploy for combat",
        reserves = "bring up reserves",
        orders = "give orders",
        attacks = "declare attacks",
        targets = "declare fire",
        again = "another round",
        // What is done.
        attack = "attack",
        fight = "fight interception",
        deploy = "deploy",
        bring_up = "bring up",
        order = "order",
        engage = "engage",
        fire = "fire",
        hold_fire = "hold fire",
        second = "second round",
        decline = "decline",
        // What is told.
        battle = "battle",
        no_battle = "no battle",
        deployed = "deployed",
        ordered = "orders",
        declared = "attacks declared",
        targeted = "fire declared",
        round_begins = "round begins",
        void = "combat void",
        over = "battle over",
        // With what.
        attacker = "attacker",
        defender = "defender",
        interception = "interception",
        round = "round",
        reserve = "reserve",
        pairs = "pairs",
        fires = "fires",
        // Causes of placements.
        to_reserve = "to reserve",
    }
}

rules! {
    /// Rules of the course of combat.
    CombatRules {
        needs_enemies = "cwcs:9.0#1",
        mandatory = "cwcs:9.0#3",
        one_regular = "cwcs:9.1#3",
        declared = "cwcs:9.1#1",
        dummies_attacked = "cwcs:3.22.c#1",
        dummies_attack = "cwcs:3.24#1",
        artillery = "cwcs:9.73.b#1",
        spent = "cwcs:7.44#5",
        interception_first = "cwcs:8.23.a#2",
        committed = "cwcs:8.23.a#3",
        cavalry_alone = "cwcs:8.23.b#1",
        // 9.11, 9.3
        deployed = "cwcs:9.11.a#1",
        defender_center = "cwcs:9.31.a",
        attacker_center = "cwcs:9.31.b#1",
        opposite = "cwcs:9.31.b#2",
        two_at_most = "cwcs:9.31#2",
        stacking = "cwcs:3.33",
        able = "cwcs:9.32#1",
        alone = "cwcs:9.32#2",
        no_ineffective = "cwcs:9.32.a",
        ineffective_alone = "cwcs:3.53.3#1",
        commander = "cwcs:9.34#1",
        reinforced = "cwcs:9.93.a#1",
        stays = "cwcs:9.93.a#2",
        // 9.4
        one_order = "cwcs:9.41#1",
        void = "cwcs:9.41.a",
        only_withdraw = "cwcs:9.32.b#1",
        stand_or_withdraw = "cwcs:9.32.b#2",
        counterattack_line = "cwcs:9.42.c.1",
        counterattack_foot = "cwcs:9.42.c.2",
        counterattack_militia = "cwcs:9.42.c.3",
        advance_line = "cwcs:9.43.b.1",
        assault_line = "cwcs:9.43.c.1",
        assault_militia = "cwcs:9.43.c.2",
        new_attacker = "cwcs:9.93#3",
        new_defender = "cwcs:9.93#4",
        revealed = "cwcs:9.12.b#7",
        // 9.5
        attacks = "cwcs:9.5#1",
        opposed = "cwcs:9.51.a#1",
        once_each = "cwcs:9.5#4",
        all_attack = "cwcs:9.12.b#2",
        fire = "cwcs:9.5#2",
        fires_once = "cwcs:9.51#3",
        turned_down = "cwcs:3.12#2",
        // 9.93, 9.94
        second = "cwcs:9.93#1",
        second_by_defender = "cwcs:9.93#2",
        over = "cwcs:9.6.d",
        instead = "cwcs:9.94#1",
    }
}

/// What else the course of combat names.
#[derive(Clone, Debug)]
pub(crate) struct CombatNames {
    pub(crate) w: CombatWords,
    pub(crate) rules: CombatRules,
    /// Pairs of Line Positions of a round, in sequence.
    pub(crate) attack: RecordId,
    /// Interception combats to be fought (8.23).
    pub(crate) interception: RecordId,
    /// Is there an officer among these?
    pub(crate) officers: QuestionId,
    /// Attacks by the defender (9.94).
    pub(crate) by_defender: OptionId,
    /// The body came under the control of artillery this turn (3.45).
    pub(crate) compelled: Option<Column<BodyId>>,
}

impl CombatNames {
    pub(crate) fn find(rb: &mut RulebookBuilder, missing: &mut Missing) -> Self {
        Self {
            w: CombatWords::intern(rb),
            rules: CombatRules::intern(rb),
            attack: missing.relation(rb, "attack"),
            interception: missing.relation(rb, "interception"),
            officers: missing.question(rb, "officers present"),
            by_defender: missing.option(rb, "defender-initiated attacks"),
            compelled: rb.so_far().column_named("compelled"),
        }
    }
}

/// Bodies and the positions where they were put, as drafts keep them.
pub(crate) type Placed<'a> = (&'a [BodyId], &'a [LinePosition]);

impl LinePosition {
    /// As holder of a column.
    pub(crate) fn choice(self) -> ChoiceIndex {
        ChoiceIndex(self.index() as u8)
    }

    /// The position of the enemy that faces it: his right faces one's left (9.31.b).
    pub(crate) fn facing(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Center => Self::Center,
            Self::Right => Self::Left,
        }
    }
}

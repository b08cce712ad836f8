//! The resolution of combat: words, rules and procedures.

use std::sync::Arc;

use adjutant_kernel::RulebookBuilder;
use adjutant_kernel::flow::ProcRef;

use super::casualties::{Casualties, Fallen};
use super::pair::Pair;
use super::rivers::RiverReturn;
use super::withdrawal::Withdraw;
use crate::cwcs::Cwcs;
use crate::cwcs::losses::Losses;
use crate::cwcs::names::{rules, words};

words! {
    /// Words of the resolution of combat.
    ResolutionWords {
        area = "area",
        side = "side",
        attacker = "attacker",
        defender = "defender",
        position = "position",
        target = "target",
        order = "order",
        reply = "reply",
        unit = "unit",
        units = "units",
        // Events of 9.6 to 9.8.
        meets = "meets",
        no_fight = "no fight",
        intensity = "intensity",
        fires = "fires",
        // What they say.
        level = "level",
        strength = "strength",
        against = "against",
        multiplied = "multiplied",
        start = "start",
        shifts = "shifts",
        shifted = "shifted",
        column = "column",
        attacker_loses = "attacker loses",
        defender_loses = "defender loses",
        lost = "lost",
        again = "again",
        infantry = "infantry",
        all = "all",
        result = "result",
        // Classes of units.
        artillery = "artillery",
        others = "others",
        // 10
        distribute = "distribute losses",
        lose = "lose",
        loses = "loses",
        distributes = "distributes",
        // 11.3
        casualty = "casualty",
        // 9.91
        withdraw = "withdraw",
        withdrawal = "withdrawal",
        may_withdraw = "may withdraw",
        // 9.92
        stay = "stay",
        go_back = "go back",
        river_return = "river return",
        drives_off = "drives off",
        goes_back = "goes back",
        stays = "stays",
        contested = "contested",
        hits = "hits",
        adjusts = "adjusts losses",
        called = "called for",
    }
}

rules! {
    /// Rules of the resolution of combat.
    ResolutionRules {
        pair = "cwcs:9.6#1",
        revealed = "cwcs:9.6#2",
        automatic = "cwcs:9.76#1",
        mountain = "cwcs:9.72.a#1",
        rough = "cwcs:9.72.a#2",
        forded = "cwcs:9.72.b",
        force_marched = "cwcs:9.72.c#1",
        cavalry = "cwcs:9.72.d#1",
        artillery = "cwcs:9.73#1",
        artillery_forded = "cwcs:9.73.a",
        odds_terrain = "cwcs:9.75.1",
        no_fire = "cwcs:9.83#1",
        fire_column = "cwcs:9.84#1",
        fire_result = "cwcs:9.87#3",
        fire_again = "cwcs:9.87#4",
        defenders_mixed = "cwcs:9.85.a",
        defenders_officer = "cwcs:9.85.b#1",
        attackers_mixed = "cwcs:9.86.a",
        unfired_beside = "cwcs:9.86.b",
        attackers_officer = "cwcs:9.86.c.1#1",
        at_militia = "cwcs:9.86.c.2",
        withdrawal_beside = "cwcs:9.86.c.3",
        losses = "cwcs:10.0#1",
        recorded = "cwcs:10.11",
        distributed = "cwcs:10.12",
        evenly = "cwcs:10.12.1",
        ineffective_last = "cwcs:10.12.2",
        infantry_first = "cwcs:10.12.3#2",
        as_the_defender = "cwcs:10.13#1",
        casualty = "cwcs:11.3#1",
        casualty_low = "cwcs:11.3.2",
        casualty_high = "cwcs:11.3.3",
        fallen = "cwcs:11.31#3",
        withdrawal = "cwcs:9.91#1",
        withdrawal_areas = "cwcs:9.91.a",
        withdrawal_straggles = "cwcs:9.91.b#1",
        straggled = "cwcs:9.91.b#4",
        reserve_withdraws = "cwcs:9.91.c",
        driven_off = "cwcs:9.92.b",
        back_after_first = "cwcs:9.92.c#1",
        back_after_second = "cwcs:9.92.c#2",
        officer_holds = "cwcs:9.92.c#3",
        mutual = "cwcs:9.92.e#1",
    }
}

/// What the resolution of combat names.
#[derive(Clone, Debug)]
pub(crate) struct ResolutionNames {
    pub(crate) w: ResolutionWords,
    pub(crate) rules: ResolutionRules,
}

impl ResolutionNames {
    pub(crate) fn intern(rb: &mut RulebookBuilder) -> Self {
        Self { w: ResolutionWords::intern(rb), rules: ResolutionRules::intern(rb) }
    }
}

/// The procedures.
#[derive(Clone, Debug)]
pub(crate) struct ResolutionProcs {
    pub(crate) pair: ProcRef<Pair>,
    pub(crate) losses: ProcRef<Losses>,
    pub(crate) casualties: ProcRef<Casualties>,
    pub(crate) fallen: ProcRef<Fallen>,
    pub(crate) withdraw: ProcRef<Withdraw>,
    pub(crate) river: ProcRef<RiverReturn>,
}

impl ResolutionProcs {
    pub(crate) fn declare(rb: &mut RulebookBuilder) -> Self {
        Self {
            pair: rb.proc("cwcs.pair"),
            losses: rb.proc("cwcs.losses"),
            casualties: rb.proc("cwcs.casualties"),
            fallen: rb.proc("cwcs.fallen"),
            withdraw: rb.proc("cwcs.withdraw"),
            river: rb.proc("cwcs.river return"),
        }
    }

    pub(crate) fn define(&self, rb: &mut RulebookBuilder, cwcs: &Arc<Cwcs>) {
        rb.define(self.pair, cwcs);
        rb.define(self.losses, cwcs);
        rb.define(self.casualties, cwcs);
        rb.define(self.fallen, cwcs);
        rb.define(self.withdraw, cwcs);
        rb.define(self.river, cwcs);
    }
}

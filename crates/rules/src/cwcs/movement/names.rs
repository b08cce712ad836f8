//! The words and rule ids of movement.

use super::super::names::{rules, words};

words! {
    /// Words of movement.
    Words {
        // Verbs and prompts.
        move_units = "move units",
        move_ = "move",
        gather = "gather",
        exit = "exit",
        force_march = "force march",
        arrive = "arrive",
        retreat = "general retreat",
        declare_retreat = "declare retreats",
        // Events and their arguments.
        marches = "marches",
        leaves_map = "leaves the map",
        force_marches = "force marches",
        arrives = "arrives",
        goes = "goes",
        how = "how",
        passes = "passes dummies",
        compelled = "compelled",
        guns = "guns",
        density = "density",
        recovers = "recovers",
        straggles = "straggles",
        halts = "halts",
        retreats = "retreats generally",
        army = "army",
        none = "none",
        cause = "cause",
        modifiers = "modifiers",
        modified = "modified",
        from = "from",
        to = "to",
        // By what right a group goes.
        as_cavalry = "cavalry",
        in_retreat = "retreat",
        by_leave = "leave",
    }
}

rules! {
    /// Rules of movement.
    Rules {
        not_by_dummies = "cwcs:3.25.c#1",
        lone_dummies = "cwcs:3.23.a#3",
        exit = "cwcs:3.42.a",
        exit_declared = "cwcs:3.42",
        marked = "cwcs:3.43#1",
        artillery_stops = "cwcs:3.45#1",
        artillery_shown = "cwcs:3.45#2",
        declare_retreat = "cwcs:6.6#1",
        must_retreat = "cwcs:6.6#2",
        retreat_exit = "cwcs:6.6#4",
        who_can_must = "cwcs:6.6#5",
        moves = "cwcs:7.1",
        allowance = "cwcs:7.11",
        adjacent = "cwcs:7.12",
        stop = "cwcs:7.12.a#1",
        off_map = "cwcs:7.12.c#1",
        river = "cwcs:7.2#1",
        march_first = "cwcs:7.3#2",
        marches = "cwcs:7.3#1",
        may_march = "cwcs:7.31#1",
        march_line = "cwcs:7.31#2",
        no_militia = "cwcs:7.31#3",
        march_road = "cwcs:7.32.1",
        march_terrain = "cwcs:7.32.2",
        march_river = "cwcs:7.32.3",
        march_ineffective = "cwcs:7.32.4",
        stragglers = "cwcs:7.33#1",
        recovery_alone = "cwcs:7.41#1",
        recovery = "cwcs:7.41#3",
        recovery_later = "cwcs:7.4#2",
        recovery_foot = "cwcs:7.42#1",
        recovery_horse = "cwcs:7.42#2",
        recovery_help = "cwcs:7.43",
        spent_stays = "cwcs:7.44#3",
        arrives = "cwcs:7.5#1",
        arrives_late = "cwcs:7.5#3",
        arrival_costs = "cwcs:7.5#4",
        density = "cwcs:7.6#2",
        density_costs = "cwcs:7.6#8",
        only_back = "cwcs:8.14.1",
        caught = "cwcs:8.23#1",
    }
}

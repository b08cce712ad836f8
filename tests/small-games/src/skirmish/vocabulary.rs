//! Words and rule ids, interned once.

use adjutant_kernel::{RuleId, RulebookBuilder, WordId};

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident: $id:ty, $intern:ident { $($field:ident = $text:literal,)* }) => {
        $(#[$doc])*
        pub(crate) struct $name {
            $(pub(crate) $field: $id,)*
        }

        impl $name {
            pub(crate) fn intern(builder: &mut RulebookBuilder) -> Self {
                Self { $($field: builder.$intern($text),)* }
            }
        }
    };
}

vocabulary! {
    /// Causes, verbs, prompts, circumstances and results.
    Words: WordId, word {
        march = "march",
        retreat = "retreat",
        displaced = "displaced",
        advance = "advance",
        deployment = "deployment",
        elimination = "elimination",
        move_unit = "move",
        done = "done",
        assign = "assign",
        hold = "hold",
        resolve = "resolve",
        lose = "lose",
        decline = "decline",
        zone = "in_zone",
        across_river = "across_river",
        from_hill = "from_hill",
        charge = "charge",
        pincer = "pincer",
        barrage = "barrage",
        odds = "odds",
        result = "result",
        ae = "AE",
        a1 = "A1",
        ar = "AR",
        ex = "EX",
        dr = "DR",
        d1 = "D1",
        de = "DE",
        eliminated = "eliminated",
        unit = "unit",
        to = "to",
        step_lost = "step_lost",
        left = "left",
    }
}

vocabulary! {
    /// The rules that the code cites.
    Rules: RuleId, rule {
        open = "sk:1.c",
        full = "sk:2.b",
        shared = "sk:2.c",
        reach = "sk:3.a",
        rough = "sk:3.b",
        ford = "sk:3.c",
        river = "sk:3.d",
        gun_woods = "sk:3.e",
        once = "sk:3.f",
        gun_zone = "sk:4.a",
        river_zone = "sk:4.b",
        cavalry_zone = "sk:4.c",
        zone_to_zone = "sk:4.d",
        must_assault = "sk:6.b",
        must_be_attacked = "sk:6.c",
        battle = "sk:7.a",
        over_river = "sk:7.b",
        town = "sk:7.c",
        hill = "sk:7.d",
        charge = "sk:7.e",
        pincer = "sk:7.f",
        woods = "sk:7.g",
        barrage = "sk:7.h",
        no_room = "sk:8.d",
        retreat_zone = "sk:8.c",
        cut_off = "sk:8.e",
        advance = "sk:8.f",
        results = "sk:7.i",
        morale = "sk:9.a",
        objectives = "sk:9.b",
        spirits = "sk:9.c",
    }
}

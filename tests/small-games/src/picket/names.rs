//! The words and rule ids of the game, interned when its rulebook is built.

use adjutant_kernel::{RuleId, RulebookBuilder, WordId};

macro_rules! words {
    ($($name:ident $(= $text:literal)?),* $(,)?) => {
        /// Verbs, prompts, choices, events and their arguments.
        #[derive(Clone, Debug)]
        pub(crate) struct Words {
            $(pub(crate) $name: WordId,)*
        }

        impl Words {
            /// Interns all words.
            pub(super) fn intern(rb: &mut RulebookBuilder) -> Self {
                Self { $($name: rb.word(words!(@ $name $($text)?)),)* }
            }
        }
    };
    (@ $name:ident $text:literal) => { $text };
    (@ $name:ident) => { stringify!($name) };
}

words! {
    // verbs
    place, hide, return_ = "return", raise, march, press, probe, intercept, decline, block, attack, search,
    deploy, order, lose, retreat, falter, rest, done,
    // prompts
    setup, regroup, displace, combat, orders, hesitate, loss,
    // choices
    road, field, reserve, hold, foot, other, north, south, high, weary, last, close, open,
    fresh, marched, halted, arrived, probed, caught,
    a1 = "A1", ar = "AR", ex = "EX", dr = "DR", d1 = "D1", allowed, must_go_on,
    // causes of a change of place
    removed, lost, displaced, battle, found,
    // events
    set_up, regrouped, pressed, declined, intercepts, clash, turned_down, blocks, no_battle, deployed,
    falters, battle_over, retreats, rested, arrears, scores, rolls,
    // arguments
    side, amber, blue, area, areas, bodies, stack, target, link, to, by, number = "n", returned, position,
    odds, start, shifts, column, result, mods, private_mods, difference, piece, verdict, clashed, attacker,
}

macro_rules! rules {
    ($($name:ident = $id:literal),* $(,)?) => {
        /// The rule ids that the game cites.
        #[derive(Clone, Debug)]
        pub(crate) struct Rules {
            $(pub(crate) $name: RuleId,)*
        }

        impl Rules {
            /// Interns all rule ids.
            pub(super) fn intern(rb: &mut RulebookBuilder) -> Self {
                Self { $($name: rb.rule($id),)* }
            }
        }
    };
}

rules! {
    faces = "pl:3.b", dummies = "pl:3.c", limit = "pl:3.d", challenge = "pl:3.e", open_ground = "pl:3.f",
    set_up = "pl:4", rain = "pl:5.a", regroup = "pl:6", returns = "pl:6.c", raises = "pl:6.d",
    march = "pl:7.a", usable = "pl:7.b", leave = "pl:7.c", stopped = "pl:7.d", force = "pl:7.f",
    straggle = "pl:7.g", straggle_leader = "pl:7.g#2", displace = "pl:7.h",
    intercept = "pl:8", interceptor = "pl:8.a", intercepted = "pl:8.b", missed = "pl:8.c",
    probe = "pl:9", prober = "pl:9.a", block = "pl:9.b", probe_die = "pl:9.c", probed = "pl:9.d",
    combat = "pl:10", attacker = "pl:10.a", defender = "pl:10.b", deploy = "pl:10.c",
    battle = "pl:10.f", levy = "pl:10.g", fight = "pl:10.h", over_river = "pl:10.i", flank = "pl:10.j",
    leader = "pl:10.k", loss = "pl:10.l", retreat = "pl:10.m", no_retreat = "pl:10.n", after = "pl:10.o",
    search = "pl:11", searcher = "pl:11.a", search_stopped = "pl:11.b", found = "pl:11.c",
    rest = "pl:12.a", supply = "pl:12.b", arrears = "pl:12.c", hesitation = "pl:13.b", dusk = "pl:13.a",
    end = "pl:14", reveal_all = "pl:14.a", tell_arrears = "pl:14.b", umpire = "pl:umpire",
}

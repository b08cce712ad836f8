//! All rule points and moments of the series: where a title may change what its rules compute, and when it may act.
//!
//! | point | arguments, in order |
//! | --- | --- |
//! | `may cross` | side, link, area from, area to, cause (`move`, `force march`, `probe`, `retreat`, `withdraw`, `communications`, `return`), units if there are any |
//! | `crossing` | link: is it a crossing point of a major river now, which the map does not show? |
//! | `may set out` | side, units: asked once of those who would go together, wherever they would go, off the map too |
//! | `may move` | side, area from, area to, link, units |
//! | `may force march` | side, area from, area to, link, units |
//! | `stops` | side, area from, area to, link, units: asked on the truth as they go, where the enemy stands in either area; not 0 stops them and ends their move |
//! | `may exit the map` | side, area, cause, units |
//! | `may arrive` | side, area, unit |
//! | `movement allowance` | side, unit: areas more than 7.11 says |
//! | `may trace` | side, area: a line of communication of the side may pass it |
//! | `needs no line` | side, unit |
//! | `dummy limit` | side, `infantry` or `cavalry`, real units in play: a limit in place of 3.25 |
//! | `straggler die` | side, area from, area to, cause, unit |
//! | `straggler loss` | the same, and the points that the table says: added to them |
//! | `no stragglers` | as `straggler die`: not 0 spares the unit the roll |
//! | `recovery` | side, area, unit: points more |
//! | `troop density` | side, area: points more |
//! | `may probe`, `may block`, `may intercept`, `may retreat` | side, area, unit |
//! | `probe strength` | side, area, units |
//! | `probe die` | side, area, units |
//! | `may attack` | side, area: asked before it is looked at what could be deployed |
//! | `may be deployed` | side, area, position, unit |
//! | `most positions` | side, area, `attacker` or `defender` |
//! | `most formations` | side, area, `attacker` or `defender`: of regular infantry, in all its positions together |
//! | `may be ordered` | side, area, position, order, units |
//! | `intensity` | attacker, area, his position, the other, his order, the other: levels more |
//! | `unit strength` | side, area, position, order, unit, whether it attacks (0, 1), its strength: points more, before it is multiplied and totalled |
//! | `strength factor`, `strength divisor` | side, area, position, order, `artillery` or `others`, whether it attacks (0, 1), unit |
//! | `extra strength` | side, area, position, order |
//! | `odds shift` | attacker, area, his position, the other; stages left, right, last |
//! | `fire shift` | side that fires, area, its position, the target, its order; stages left, right, last |
//! | `position losses` | side, area, position, points so far, points that earlier pairs of this round have called for from it: points more |
//! | `casualty die` | side, area, officer |
//! | `may retreat to` | side, area from, area to, link, cause, units |
//! | `rounds` | attacker, area |
//! | `may begin a round` | side, area, round |
//!
//! Whether a unit exerts control is no point: it must be the same for all who ask, and so is data, the sets `controls`
//! and `controls with artillery` and the column `no control` of bodies.
//!
//! A point whose name begins with `may` is a permission: any value but 0 forbids, by the rule of the contribution.

use adjutant_kernel::contributions::{Combine, Contribution};
use adjutant_kernel::events::Arg;
use adjutant_kernel::points::{PointDef, RunsOn};
use adjutant_kernel::{MomentId, PointId, RuleId, RulebookBuilder};

macro_rules! points {
    ($($(#[$doc:meta])* $field:ident = $name:literal, $on:ident, $combine:expr, $start:literal, $rules:expr;)*) => {
        /// The points by number.
        #[derive(Clone, Debug)]
        pub(crate) struct Points {
            $($(#[$doc])* pub(crate) $field: PointId,)*
        }

        impl Points {
            /// The names of all.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            /// Declares them.
            pub(crate) fn declare(rb: &mut RulebookBuilder) -> Self {
                Self { $($field: declare(rb, $name, RunsOn::$on, $combine, $start, &$rules),)* }
            }
        }
    };
}

fn declare(
    rb: &mut RulebookBuilder,
    name: &str,
    runs_on: RunsOn,
    combine: Combine,
    start: i32,
    rules: &[&str],
) -> PointId {
    let rules = rules.iter().map(|rule| rb.rule(rule)).collect();
    rb.point(PointDef { name: name.to_owned(), runs_on, combine, start, rules })
}

/// The stages of shifts: those to the left apply before those to the right, and a title may have some after both.
pub(crate) const SHIFTS: Combine = Combine::Stages(3);

points! {
    /// Whether anything may go over a link: movement, probes, retreats and lines of communication.
    may_cross = "may cross", Both, Combine::Any, 0, ["cwcs:7.12", "cwcs:7.2#1"];
    /// Whether a link is a crossing point that the map does not show as one.
    crossing = "crossing", Both, Combine::Any, 0, ["cwcs:7.2#2"];
    /// Whether units may go into any other area at all.
    may_set_out = "may set out", Both, Combine::Any, 0, ["cwcs:7.1"];
    /// Whether units may move from an area into another.
    may_move = "may move", Both, Combine::Any, 0, ["cwcs:7.12"];
    /// Whether units may go there by force march.
    may_force_march = "may force march", Both, Combine::Any, 0, ["cwcs:7.32"];
    /// Whether units that set out are stopped by what their side cannot know.
    stops = "stops", Truth, Combine::Any, 0, ["cwcs:7.12"];
    /// Whether units may leave the map.
    may_exit_the_map = "may exit the map", Both, Combine::Any, 0, ["cwcs:7.12.c#1"];
    /// Whether a reinforcement may arrive in an area.
    may_arrive = "may arrive", Both, Combine::Any, 0, ["cwcs:7.5#1"];
    /// How many areas more a unit may move than 7.11 says.
    movement_allowance = "movement allowance", Both, Combine::Sum, 0, ["cwcs:7.11"];
    /// Whether a line of communication may pass an area.
    may_trace = "may trace", Both, Combine::Any, 0, ["cwcs:6.3.2#1"];
    /// Whether a unit needs no line of communication although its kind does.
    needs_no_line = "needs no line", Both, Combine::Any, 0, ["cwcs:6.5#1"];
    /// How many dummies of a type a side may have in play, in place of one for every two units.
    dummy_limit = "dummy limit", Both, Combine::Most, -1, ["cwcs:3.25#3"];
    /// Modifiers of the straggler die.
    straggler_die = "straggler die", Truth, Combine::Sum, 0, ["cwcs:7.34"];
    /// What is added to the stragglers that a unit loses.
    straggler_loss = "straggler loss", Truth, Combine::Sum, 0, ["cwcs:7.33#1"];
    /// Whether a unit need not roll for stragglers.
    no_stragglers = "no stragglers", Truth, Combine::Any, 0, ["cwcs:7.33#1"];
    /// How many stragglers more a unit recovers.
    recovery = "recovery", Truth, Combine::Sum, 0, ["cwcs:7.42#1"];
    /// What is added to the troop density level of an area.
    troop_density = "troop density", Both, Combine::Sum, 0, ["cwcs:7.6#1"];
    /// Whether a unit of cavalry may probe.
    may_probe = "may probe", Both, Combine::Any, 0, ["cwcs:8.1"];
    /// Whether a unit of cavalry may block a probe.
    may_block = "may block", Both, Combine::Any, 0, ["cwcs:8.11.c#1"];
    /// Whether a unit of cavalry may intercept.
    may_intercept = "may intercept", Both, Combine::Any, 0, ["cwcs:8.2"];
    /// Whether a unit may retreat before combat.
    may_retreat = "may retreat", Both, Combine::Any, 0, ["cwcs:9.21#1"];
    /// What is added to the strength of a probe.
    probe_strength = "probe strength", Truth, Combine::Sum, 0, ["cwcs:8.11.d#1"];
    /// Modifiers of the die of a probe.
    probe_die = "probe die", Truth, Combine::Sum, 0, ["cwcs:8.11.e#1"];
    /// Whether a side may attack in an area.
    may_attack = "may attack", Both, Combine::Any, 0, ["cwcs:9.0#1"];
    /// Whether a unit may be deployed in a position.
    may_be_deployed = "may be deployed", Both, Combine::Any, 0, ["cwcs:3.33"];
    /// How many line positions a side may have.
    most_positions = "most positions", Both, Combine::Least, 3, ["cwcs:9.31#1"];
    /// How many formations of regular infantry a side may have in its line positions.
    most_formations = "most formations", Both, Combine::Least, 99, ["cwcs:3.33"];
    /// Whether a position may be given an order.
    may_be_ordered = "may be ordered", Both, Combine::Any, 0, ["cwcs:9.41#1"];
    /// What is added to the combat intensity level.
    intensity = "intensity", Truth, Combine::Sum, 0, ["cwcs:9.71"];
    /// What is added to the strength of a unit by itself.
    unit_strength = "unit strength", Truth, Combine::Sum, 0, ["cwcs:9.72#1"];
    /// By what the strength of a unit in a position is multiplied.
    strength_factor = "strength factor", Truth, Combine::Product, 1, ["cwcs:9.72#1"];
    /// By what the strength of a unit in a position is divided.
    strength_divisor = "strength divisor", Truth, Combine::Product, 1, ["cwcs:9.72#1"];
    /// Strength of a position beside that of its units.
    extra_strength = "extra strength", Truth, Combine::Sum, 0, ["cwcs:9.74#1"];
    /// Shifts of the odds.
    odds_shift = "odds shift", Truth, SHIFTS, 0, ["cwcs:9.75#1"];
    /// Shifts of the fire.
    fire_shift = "fire shift", Truth, SHIFTS, 0, ["cwcs:9.85", "cwcs:9.86"];
    /// What is added to the losses of a position.
    position_losses = "position losses", Truth, Combine::Sum, 0, ["cwcs:10.0#1"];
    /// Modifiers of the die for a casualty among officers.
    casualty_die = "casualty die", Truth, Combine::Sum, 0, ["cwcs:11.3#1"];
    /// Whether units may retreat or withdraw to an area.
    may_retreat_to = "may retreat to", Both, Combine::Any, 0, ["cwcs:9.22.1"];
    /// How many rounds a combat has at most.
    rounds = "rounds", Both, Combine::Least, 2, ["cwcs:9.1#1"];
    /// Whether a side may begin another round.
    may_begin_a_round = "may begin a round", Both, Combine::Any, 0, ["cwcs:9.93#1"];
}

macro_rules! moments {
    ($($(#[$doc:meta])* $field:ident = $name:literal;)*) => {
        /// The moments at which a title may act.
        #[derive(Clone, Debug)]
        pub(crate) struct Moments {
            $($(#[$doc])* pub(crate) $field: MomentId,)*
        }

        impl Moments {
            /// The names of all.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            /// Declares them.
            pub(crate) fn declare(rb: &mut RulebookBuilder) -> Self {
                Self { $($field: rb.moment($name),)* }
            }

            /// Them by name.
            pub(crate) fn by_name(&self) -> Vec<(String, MomentId)> {
                vec![$(($name.to_owned(), self.$field)),*]
            }
        }
    };
}

moments! {
    /// Once, before the first turn (4.1), in the turn of each side.
    before_play = "before play";
    /// A turn begins: its weather is known.
    turn_begins = "turn begins";
    /// A Communications Phase begins.
    communications_begin = "communications begin";
    /// Lines of communication have been checked, in either phase (6.1).
    communications_checked = "communications checked";
    /// A Movement Phase begins: what was face up has been turned down.
    movement_begins = "movement begins";
    /// A probe is announced and blocked or not, and the die not thrown yet; the column `probe` says where (8.11.d).
    probe_met = "probe met";
    /// The side has done moving: units still bear whence and by which move they came (`entered from`, `group`, `moved`).
    marches_over = "marches over";
    /// A Movement Phase ends: stragglers are lost and recovered, stacks arranged.
    movement_ends = "movement ends";
    /// A Combat Phase begins.
    combat_begins = "combat begins";
    /// The defender is deployed on the Battle Board, and the attacker not yet.
    defender_deployed = "defender deployed";
    /// Both sides are deployed on the Battle Board.
    battle_deployed = "battle deployed";
    /// Orders are given and not yet revealed.
    orders_given = "orders given";
    /// A round of combat ends.
    round_ended = "round ended";
    /// A combat is over and its units are back on the map.
    battle_ended = "battle ended";
    /// A Combat Phase ends.
    combat_ends = "combat ends";
    /// A side's Victory Point Phase: its lines are checked, and it scores.
    victory_points = "victory points";
    /// A turn ends.
    turn_ends = "turn ends";
    /// The last turn is over: points that are counted at the end (12.0). Who acts instead decides who wins.
    game_ends = "game ends";
}

/// What is added, each with its rule.
pub(crate) fn contributed(contributions: &[Contribution]) -> Arg {
    by_rule(contributions.iter().map(|c| (c.value, c.rule)))
}

/// Amounts of an event, each with its rule.
pub(crate) fn by_rule(amounts: impl Iterator<Item = (i32, RuleId)>) -> Arg {
    Arg::List(amounts.map(|(amount, rule)| Arg::List(vec![Arg::Number(amount), Arg::Rule(rule)])).collect())
}

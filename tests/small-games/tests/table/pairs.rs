//! Twin pairs: two games that differ in what a side may not know, led through the same script.

use adjutant::Game;
use adjutant::kernel::SeatId;
use adjutant::kernel::events::{Shown, ShownRelease};
use adjutant::verify::{Apart, Lockstep};
use small_games::picket::Variant;
use small_games::picket::position::Position;

use super::{act, at, begin, marches, viewer};

/// A pair of twins, and what tells them apart.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) name: &'static str,
    /// The side compared, `P` for the public.
    pub(crate) side: char,
    /// The positions at which the two begin; without them at the set-up.
    pub(crate) states: Option<[Position; 2]>,
    pub(crate) options: &'static [&'static str],
    pub(crate) forced: &'static [(&'static str, i32)],
    /// Decisions in the one game and in the other; `-` is none.
    pub(crate) script: Vec<[&'static str; 2]>,
    pub(crate) parting: Option<Parting>,
}

/// The first release that answers differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parting {
    pub(crate) rule: &'static str,
    pub(crate) answers: [&'static str; 2],
    /// Whether everybody is told, and not the side alone.
    pub(crate) to_all: bool,
}

/// The release that parted a pair, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parted {
    pub(crate) rule: String,
    pub(crate) answers: [String; 2],
    pub(crate) to_all: bool,
}

impl PartialEq<Parting> for Parted {
    fn eq(&self, other: &Parting) -> bool {
        self.rule == other.rule
            && self.answers.iter().zip(other.answers).all(|(a, b)| a == b)
            && self.to_all == other.to_all
    }
}

fn answer(release: &ShownRelease) -> String {
    let words = release.answer.iter().map(|(name, shown)| match shown {
        Shown::Number(0) if name == "weary" => String::new(),
        shown => super::text(shown).trim().to_owned(),
    });
    let text = words.filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    if release.answer[0].1 == Shown::Name("tell".to_owned()) {
        text.replace("tell 0", "tell no").replace("tell 1", "tell yes")
    } else {
        text
    }
}

impl Pair {
    /// Plays the pair with deliberate faults: what parted it, or why it failed.
    pub(crate) fn run(&self, mutants: &[&str]) -> Result<Option<Parted>, String> {
        let variant = |n: usize| {
            let plain = self.states.as_ref().map_or_else(Variant::default, |states| at(states[n].clone()));
            Variant { mutants: mutants.iter().map(|&m| m.to_owned()).collect(), ..plain }
        };
        let mut games = [0, 1].map(|n| begin(&variant(n), self.options, self.forced));
        let side = viewer(&games[0], self.side);
        let mut lockstep = Lockstep::new(games[0].rulebook(), side);
        let mut done = "the start";
        let mut steps = self.script.iter();
        loop {
            match lockstep.compare(&mut games) {
                Ok(()) => {
                    compare_more(&mut games, lockstep.seats()).map_err(|e| format!("after {done}: {e}"))?
                }
                Err(Apart::Released(releases)) => {
                    return Ok(Some(Parted {
                        rule: releases[0].rule.clone(),
                        answers: [0, 1].map(|n| answer(&releases[n])),
                        to_all: releases[0].to_all,
                    }));
                }
                Err(Apart::Leak(text)) => return Err(format!("after {done}: {text}")),
            }
            let Some(step) = steps.next() else { return Ok(None) };
            done = step[usize::from(step[0] == "-")];
            for n in [0, 1] {
                if step[n] != "-" {
                    lockstep.touch(n);
                    act(&mut games[n], step[n]).map_err(|refused| format!("{}: {refused}", step[n]))?;
                }
            }
        }
    }
}

/// What packets and logs do not hold: the "why not" of every march, and replays.
fn compare_more(games: &mut [Game; 2], seats: &[SeatId]) -> Result<(), String> {
    for &seat in seats {
        for march in marches(&mut games[0], seat) {
            let [one, two] = [0, 1].map(|n| games[n].explain(seat, &march).map(|r| format!("{r:?}")));
            if one != two {
                return Err(format!("why not {march}: {one:?} / {two:?}"));
            }
        }
        let [one, two] = [0, 1].map(|n| games[n].replay(seat).to_json());
        if one != two {
            return Err("replays differ".to_owned());
        }
    }
    Ok(())
}

fn both(script: &[&'static str]) -> Vec<[&'static str; 2]> {
    script.iter().map(|&step| [step, step]).collect()
}

/// `done` through Amber's player turn and Blue's regroup.
const END: [&str; 3] = ["amber done", "amber done", "blue done"];

fn to_end(script: &[&'static str]) -> Vec<[&'static str; 2]> {
    both(&[script, &END].concat())
}

fn told(rule: &'static str, one: &'static str, two: &'static str) -> Option<Parting> {
    Some(Parting { rule, answers: [one, two], to_all: true })
}

/// A position and the same with identities exchanged.
fn swapped(position: &Position, pairs: &[(&str, &str)]) -> Option<[Position; 2]> {
    Some([position.clone(), position.clone().swapped(pairs)])
}

fn twice(position: &Position) -> Option<[Position; 2]> {
    swapped(position, &[])
}

/// P with other stacks in some areas.
fn with(changes: &[(u8, char, &str)]) -> Position {
    let mut position = Position::p();
    for (area, side, names) in changes {
        position.stacks.retain(|(at, stack)| at != area || !stack[0].starts_with(*side));
        if !names.is_empty() {
            position.stacks.push((*area, names.split(' ').map(str::to_owned).collect()));
        }
    }
    position.stacks.sort_by_key(|(area, stack)| (stack[0].starts_with('b'), *area));
    position
}

fn named(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

/// Amber attacks in 4; both deploy in the road.
const BATTLE: [&str; 7] = [
    "amber attack 4",
    "blue deploy 4.1 road",
    "blue deploy 4.2 road",
    "blue done",
    "amber deploy aF2 road",
    "amber deploy aH1 road",
    "amber done",
];

fn battle(then: &[[&'static str; 2]]) -> Vec<[&'static str; 2]> {
    both(&BATTLE).into_iter().chain(then.iter().copied()).collect()
}

/// The table of the page.
#[allow(clippy::too_many_lines)] // a table
pub(crate) fn table() -> Vec<Pair> {
    let p = Position::p();
    let amber_combat = Position::p().at(2, "amber", "combat");
    let blue_combat = Position::p().at(2, "blue", "combat");
    let pair = |name, side, states, script, parting| Pair {
        name,
        side,
        states,
        options: &[],
        forced: &[],
        script,
        parting,
    };
    let pressed = to_end(&["amber 7/2 7-8", "amber press 8 7-8"]);
    let press_dice = &[("straggle", 6), ("straggle", 5)];
    let probe = ["amber 9/2 6-9", "scouts decline", "amber probe aH2 6", "scouts done"];
    // Blue's regroup after the probe of the trace: bL and bF3 are known, bD1 is in the pool.
    let mut known = with(&[(6, 'b', "bL bF3")]).at(2, "blue", "regroup");
    (known.known, known.pool) = (named("bL bF3"), named("bD1"));
    let raise = [["blue raise bF3", "-"], ["blue done", "blue done"], ["blue done", "blue done"]];
    let mut weary = blue_combat.clone();
    weary.weary = named("aF3");

    let t5 = with(&[(1, 'b', "bD1 bH1 bG"), (6, 'b', "bL bF3")]).at(2, "blue", "march");
    let mut t8 =
        with(&[(4, 'a', "aL"), (7, 'a', "aD1 aF3 aF2"), (9, 'a', "aH2 aG aH1")]).at(2, "amber", "regroup");
    t8.pool = named("aD2");
    let mut t10 = with(&[(4, 'b', "bF2"), (6, 'b', "bL bF3")]).at(2, "blue", "regroup");
    t10.pool = named("bD1 bD2");
    let t16 =
        with(&[(2, 'b', ""), (9, 'b', "bH2"), (9, 'a', ""), (8, 'a', "aH2 aG aD2")]).at(2, "blue", "combat");
    let t21 = with(&[
        (1, 'b', "bG"),
        (2, 'b', "bH2 bD2"),
        (4, 'b', "bF2"),
        (5, 'b', "bF3 bD1 bH1"),
        (6, 'b', "bL"),
    ])
    .at(2, "blue", "march");
    let t25 = with(&[(4, 'a', "aF2 aD1"), (7, 'a', "aF3 aL"), (9, 'a', "aH2 aH1 aG aD2")]);
    let mut t26 = with(&[(2, 'b', ""), (7, 'b', "bH2")]).at(2, "blue", "combat");
    t26.markers = vec![(4, "X1".to_owned()), (7, "Base".to_owned()), (9, "X2".to_owned())];
    let mut t27 = with(&[(1, 'b', "bG"), (4, 'b', "bF2 bH1 bD2")]).at(2, "amber", "combat");
    t27.known = named("bH1");

    vec![
        pair(
            "T1",
            'A',
            swapped(&p, &[("bF2", "bL")]),
            both(&["amber 4/1 4-5"]),
            told("pl:7.d", "tell yes", "tell no"),
        ),
        pair("T2", 'A', swapped(&p, &[("bF2", "bH1")]), to_end(&["amber 4/1 4-5"]), None),
        Pair {
            forced: &[("probe", 1)],
            ..pair("T3", 'A', swapped(&p, &[("bF3", "bH2")]), to_end(&probe), None)
        },
        Pair {
            forced: &[("probe", 4)],
            ..pair(
                "T4",
                'A',
                swapped(&p, &[("bF3", "bL")]),
                both(&probe),
                told("pl:9.d", "narrow leader", "reveal bF3"),
            )
        },
        pair(
            "T5",
            'A',
            swapped(&t5, &[("bD1", "bH1")]),
            both(&["scouts 1/1 1-4", "amber intercept aH1"]),
            told("pl:8.b", "tell no", "tell yes"),
        ),
        Pair { forced: press_dice, ..pair("T6", 'B', swapped(&p, &[("aD1", "aG")]), pressed.clone(), None) },
        Pair { forced: press_dice, ..pair("T7", 'B', swapped(&p, &[("aF3", "aL")]), pressed, None) },
        pair(
            "T8",
            'B',
            swapped(&t8, &[("aL", "aF2")]),
            both(&["amber return aD2 9", "amber done", "amber done"]),
            None,
        ),
        pair("T9", 'A', twice(&known), raise.to_vec(), None),
        pair(
            "T10",
            'A',
            twice(&t10),
            vec![
                ["blue return bD1 1", "blue return bD2 1"],
                ["blue return bD2 2", "blue return bD1 2"],
                ["blue done", "blue done"],
            ],
            None,
        ),
        pair(
            "T11",
            'A',
            swapped(&amber_combat, &[("bD2", "bG")]),
            battle(&both(&["amber order road attack", "blue order road hold", "blue done", "amber done"])),
            told("pl:10.f", "reveal bD2", "reveal bG"),
        ),
        pair(
            "T12",
            'A',
            twice(&amber_combat),
            battle(&[
                ["blue order road hold", "blue order road attack"],
                ["blue done", "blue done"],
                ["amber order road hold", "amber order road hold"],
                ["amber undo", "amber undo"],
                ["amber order road attack", "amber order road attack"],
                ["amber done", "amber done"],
            ]),
            told(
                "pl:10.f",
                "orders [[road, attack]] [[road, hold]]",
                "orders [[road, attack]] [[road, attack]]",
            ),
        ),
        pair(
            "T13",
            'A',
            twice(&amber_combat),
            battle(&[
                ["blue order road hold", "-"],
                ["amber order road attack", "amber order road attack"],
                ["blue done", "-"],
                ["amber undo", "amber undo"],
                ["amber order road hold", "amber order road hold"],
                ["-", "blue order road hold"],
                ["-", "blue done"],
            ]),
            None,
        ),
        Pair {
            forced: &[("fight", 1)],
            ..pair(
                "T14",
                'A',
                twice(&amber_combat),
                battle(&[
                    ["blue order road hold", "-"],
                    ["amber order road attack", "amber order road attack"],
                    ["amber done", "amber done"],
                    ["-", "blue order road hold"],
                    ["blue done", "blue done"],
                ]),
                None,
            )
        },
        pair(
            "T15",
            'B',
            swapped(&blue_combat, &[("Base", "X1")]),
            both(&[
                "blue done",
                "amber done",
                "blue done",
                "amber done",
                "amber 9/1 8-9",
                "amber press 8 8-9",
                "amber done",
            ]),
            None,
        ),
        pair(
            "T16",
            'B',
            swapped(&t16, &[("Base", "X2")]),
            both(&["blue search @9"]),
            told("pl:11.c", "reveal X2", "reveal Base"),
        ),
        Pair {
            forced: &[("fight", 5)],
            ..pair(
                "T17",
                'B',
                swapped(&amber_combat, &[("aF3", "aD2")]),
                battle(&both(&[
                    "amber order road attack",
                    "amber done",
                    "blue order road hold",
                    "blue done",
                ])),
                told("pl:10.m", "tell yes", "tell no"),
            )
        },
        pair(
            "T18",
            'A',
            swapped(&amber_combat, &[("bF2", "bL")]),
            both(&["amber attack 4"]),
            told("pl:10.b", "tell yes", "tell no"),
        ),
        pair(
            "T19",
            'B',
            Some([weary, blue_combat.clone()]),
            vec![
                ["blue done", "blue done"],
                ["amber rest aF3", "-"],
                ["amber done", "amber done"],
                ["blue done", "blue done"],
            ],
            None,
        ),
        pair(
            "T20",
            'P',
            swapped(&p, &[("aH2", "aD1"), ("bF2", "bH1")]),
            both(&["amber 7/1 7-8", "amber 9/1 8-9", "amber done", "amber done"]),
            None,
        ),
        pair(
            "T21",
            'A',
            swapped(&t21, &[("bD1", "bH1")]),
            both(&["blue 5/1 2-5"]),
            told("pl:3.f", "reveal bD1", "reveal bH1"),
        ),
        pair(
            "T22",
            'B',
            swapped(&blue_combat, &[("aF2", "aD1"), ("aH1", "aL")]),
            both(&["blue search @4"]),
            told("pl:11.b", "tell yes", "tell no"),
        ),
        pair("T23", 'B', None, set_up(), None),
        Pair {
            options: &["hesitation"],
            forced: &[("hesitation", 1), ("fight", 1)],
            ..pair(
                "T24",
                'B',
                twice(&amber_combat),
                vec![
                    ["amber attack 4"; 2],
                    ["blue deploy bD2 road"; 2],
                    ["blue deploy bF2 road"; 2],
                    ["blue done"; 2],
                    ["amber deploy aF2 road"; 2],
                    ["amber deploy aH1 field"; 2],
                    ["amber done"; 2],
                    ["amber order road attack"; 2],
                    ["amber order field attack", "amber order field hold"],
                    ["amber done"; 2],
                    ["blue order road hold"; 2],
                    ["blue done"; 2],
                    ["amber falter road"; 2],
                ],
                told(
                    "pl:10.f",
                    "orders [[road, hold], [field, attack]] [[road, hold]]",
                    "orders [[road, hold], [field, hold]] [[road, hold]]",
                ),
            )
        },
        Pair {
            forced: &[("probe", 1)],
            ..pair(
                "T25",
                'B',
                swapped(&t25, &[("aH1", "aG")]),
                both(&[&probe[..], &["amber done"]].concat()),
                None,
            )
        },
        pair(
            "T26",
            'A',
            swapped(&t26, &[("bH2", "bD2")]),
            both(&["blue done", "amber done", "blue done"]),
            Some(Parting { rule: "pl:12.b", answers: ["tell no", "tell yes"], to_all: false }),
        ),
        pair(
            "T27",
            'A',
            twice(&t27),
            vec![
                ["amber attack 4"; 2],
                ["blue deploy bF2 road"; 2],
                ["blue deploy bH1 reserve", "blue deploy bD2 reserve"],
                ["blue deploy bD2 reserve", "blue deploy bH1 reserve"],
                ["blue done"; 2],
                ["amber deploy aF2 road"; 2],
                ["amber deploy aH1 road"; 2],
                ["amber done"; 2],
                ["amber order road hold"; 2],
                ["amber done"; 2],
                ["blue order road hold"; 2],
                ["blue done"; 2],
                ["amber done"; 2],
            ],
            None,
        ),
        Pair {
            forced: press_dice,
            ..pair(
                "T28",
                'B',
                twice(&p),
                [
                    vec![["amber 7/3 7-8", "-"], ["amber undo", "-"]],
                    to_end(&["amber 7/2 7-8", "amber press 8 7-8"]),
                ]
                .concat(),
                None,
            )
        },
        pair(
            "T29",
            'A',
            twice(&known.clone().at(6, "blue", "regroup")),
            [&raise[..], &[["blue done"; 2], ["amber done"; 2], ["blue done"; 2]]].concat(),
            told("pl:14.a", "reveal bF3", "reveal bL"),
        ),
    ]
}

/// Two set-ups of Amber with equal numbers, other pieces and base; up to Blue's first regroup.
fn set_up() -> Vec<[&'static str; 2]> {
    let amber = [
        ["amber place aF3 7", "amber place aD2 7"],
        ["amber place aD1 7", "amber place aL 7"],
        ["amber place aL 7", "amber place aH2 7"],
        ["amber place aF2 8", "amber place aF3 8"],
        ["amber place aH1 8", "amber place aF2 8"],
        ["amber place aG 9", "amber place aD1 9"],
        ["amber place aH2 9", "amber place aG 9"],
        ["amber place aD2 9", "amber place aH1 9"],
        ["amber hide Base 4", "amber hide Base 9"],
        ["amber hide X1 7", "amber hide X2 7"],
        ["amber hide X2 9", "amber hide X1 4"],
        ["amber done"; 2],
    ];
    let then = [
        "blue place bF3 1",
        "blue place bD1 1",
        "blue place bL 2",
        "blue place bF2 2",
        "blue place bH1 2",
        "blue place bG 3",
        "blue place bH2 3",
        "blue place bD2 3",
        "blue done",
        "amber done",
        "amber done",
        "amber done",
        "blue done",
    ];
    amber.into_iter().chain(both(&then)).collect()
}

/// The pair with a name.
pub(crate) fn named_pair(name: &str) -> Pair {
    table().into_iter().find(|pair| pair.name == name).unwrap_or_else(|| panic!("there is no pair {name}"))
}

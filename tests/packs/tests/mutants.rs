//! The deliberate faults of picket line that data and scripts can commit, as patches to the pack: the conformance
//! suite finds each in a bounded number of games.
//!
//! Numbers and names are those of `small-games/picket-line.md` and `small_games::picket::MUTANTS`. The others only the
//! kernel or the facade could commit ([`OUT_OF_REACH`]): a script sees what its seat may see when it offers and
//! explains, and handles, versions, undo and sampled worlds are not in its hands.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::fs;
use std::path::Path;

use adjutant::Pack;
use adjutant::verify::{Plan, Report, Verdict, verify};
use small_games::picket::MUTANTS;

/// A change of a file: what stands there, once, and what takes its place.
type Patch = (&'static str, &'static str, &'static str);

struct Mutant {
    number: &'static str,
    name: &'static str,
    patches: &'static [Patch],
}

/// What each is found by in moments.
const QUICK: &[Mutant] = &[
    Mutant {
        number: "M1",
        name: "ask_by_truth",
        patches: &[(
            "scripts/common.luau",
            "return g:publicly(function()",
            "return (function(ask) return ask() end)(function()",
        )],
    },
    Mutant {
        number: "M2",
        name: "skip_single",
        patches: &[(
            "scripts/arrive.luau",
            "return if pl.may_be_horse(g, foes) then",
            "local horse = 0
        for _, unit in foes do
            horse += if unit:is(\"horse\") then 1 else 0
        end
        return if horse > 0 and pl.may_be_horse(g, foes) then",
        )],
    },
    Mutant {
        number: "M3",
        name: "no_sham",
        patches: &[(
            "scripts/march.luau",
            "                straggle(g, side, unit, group, link)",
            "                if unit:is(\"foot\") then straggle(g, side, unit, group, link) end",
        )],
    },
    Mutant {
        number: "M4",
        name: "leak_result",
        patches: &[(
            "scripts/march.luau",
            "    if weary then",
            "    if weary then
        g:story(\"turned_down\", { bodies = { known = { unit } } }, \"pl:7.f\")",
        )],
    },
    Mutant {
        number: "M5",
        name: "mods_public",
        patches: &[("scripts/march.luau", "modifier.secret = true", "modifier.secret = false")],
    },
    Mutant {
        number: "M6",
        name: "mix_only_real",
        patches: &[(
            "scripts/regroup.luau",
            "if #units > 0 then\n            g:mix(units)",
            "if pl.has_real(units) then\n            g:mix(units)",
        )],
    },
    Mutant {
        number: "M7",
        name: "mix_keeps_handles",
        patches: &[("scripts/regroup.luau", "            g:mix(units)\n", "")],
    },
    Mutant {
        number: "M11",
        name: "raise_event",
        patches: &[(
            "scripts/regroup.luau",
            "            g:raise(unit)\n",
            "            g:raise(unit)\n            g:story(\"regrouped\", { side = regroup.side }, \"pl:6.d\")\n",
        )],
    },
    Mutant {
        number: "M16",
        name: "no_mix_deploy",
        patches: &[("scripts/deploy.luau", "    g:mix(deploy.bodies)\n", "")],
    },
    Mutant {
        number: "M18",
        name: "secret_on_public",
        patches: &[("scripts/turn.luau", "                by = \"amber\",\n", "")],
    },
    Mutant {
        number: "M19",
        name: "arrears_event",
        patches: &[(
            "scripts/turn.luau",
            "            g.arrears += g:roll(",
            "            g:story(\"rested\", nil, \"pl:12.c\")\n            g.arrears += g:roll(",
        )],
    },
    Mutant {
        number: "M20",
        name: "leak_arrears",
        patches: &[("columns.ron", "class: Side(\"amber\")", "class: Public")],
    },
    Mutant {
        number: "M23",
        name: "rest_by_truth",
        patches: &[(
            "scripts/turn.luau",
            "    start = fork {",
            "    start = function(g)
        for _, area in g:spaces() do
            for _, unit in area:pieces() do
                if unit.weary then
                    return \"both\"
                end
            end
        end
        return \"supply\"
    end,

    both = fork {",
        )],
    },
    Mutant {
        number: "M24",
        name: "leak_weary",
        patches: &[(
            "columns.ron",
            "values: Flag,\n            class: Owner,",
            "values: Flag,\n            class: Public,",
        )],
    },
    Mutant {
        number: "M26",
        name: "stop_names",
        patches: &[(
            "scripts/march.luau",
            "    g:stop(\"pl:7.d\", { bodies = { known = group }, area = at, link = link })",
            "    local real
    for _, unit in pl.here(pl.enemy[group[1].side], at) do
        real = real or (if unit:is(\"real\") then unit else nil)
    end
    g:stop(\"pl:7.d\", { bodies = { known = group }, area = at, link = link, piece = real.piece })",
        )],
    },
    Mutant {
        number: "M27",
        name: "offer_on_truth",
        patches: &[
            (
                "scripts/march.luau",
                "    locals = { side = \"side\" },\n",
                "    locals = { side = \"side\", held = \"space[9]\" },

    start = function(g, march)
        local held = {}
        for _, area in g:spaces() do
            if pl.controls(pl.enemy[march.side], area) then
                table.insert(held, area)
            end
        end
        march.held = held
        return \"march\"
    end,
",
            ),
            (
                "scripts/march.luau",
                "elseif g:any(\"real\", foes) then",
                "elseif table.find(march.held, from) ~= nil then",
            ),
        ],
    },
    Mutant {
        number: "M40",
        name: "final_by_number",
        // What stands for a number that goes with the piece: its name.
        patches: &[(
            "scripts/finish.luau",
            "    return list\nend\n\n-- Who alone",
            "    table.sort(list, function(a, b)
        return a.name < b.name
    end)
    return list
end

-- Who alone",
        )],
    },
];

/// What turns up in one of many pairs only.
const RARE: &[Mutant] = &[
    Mutant {
        number: "M13",
        name: "no_pool_mix",
        patches: &[("scripts/regroup.luau", "        g:mix(pl.boxes[side].pool:pieces())\n", "")],
    },
    Mutant {
        number: "M22",
        name: "retreat_no_tell",
        patches: &[(
            "scripts/fight.luau",
            "if #foes == 0 or not pl.challenge(g, foes, \"pl:10.m\") then",
            "if not pl.has_real(foes) then",
        )],
    },
    Mutant {
        number: "M29",
        name: "skip_silent",
        patches: &[(
            "scripts/probe.luau",
            "                g:narrow(unit, \"leader\", \"pl:9.d\")",
            "                continue",
        )],
    },
    Mutant {
        number: "M30",
        name: "falter_by_order",
        patches: &[(
            "scripts/orders.luau",
            "if #filled == 2 then",
            "local one, other = g:get(\"road\", \"ordered\", g.attacker), g:get(\"field\", \"ordered\", g.attacker)
        if #filled == 2 and one == \"attack\" and other == \"attack\" then",
        )],
    },
    Mutant {
        number: "M31",
        name: "probe_all_horse",
        patches: &[(
            "scripts/probe.luau",
            "        g:reveal(probe.prober, \"pl:9.a\")\n",
            "        for _, unit in stack:pieces() do
            if unit:is(\"horse\") then
                g:reveal(unit, \"pl:9.a\")
            end
        end
",
        )],
    },
];

/// What the kernel itself does not let the rules do: a fault, at once.
const GUARDED: &[&str] = &["leak_weary"];

/// What no script and no data can do wrong.
const OUT_OF_REACH: &[&str] = &[
    "M8", "M9", "M10", "M12", "M14", "M15", "M17", "M21", "M25", "M28", "M32", "M33", "M34", "M35", "M36",
    "M37", "M38", "M39",
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Picket line with changes.
fn patched(patches: &[Patch]) -> Pack {
    let folder = tempfile::tempdir().unwrap();
    copy(&pack_games::folder("picket-line"), folder.path());
    for (file, from, to) in patches {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{file} has `{from}` once");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }
    Pack::open(folder.path()).unwrap_or_else(|report| panic!("{}", report.render()))
}

/// Plays until something is found, so many games at most.
fn search(patches: &[Patch], games: u32) -> Report {
    let plan = Plan { games, points: 0, pairs: 8, umpired: 0, stop: true, ..Plan::default() };
    verify(&patched(patches), &plan)
}

/// Whether rules do not work at all.
fn fails(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Crash | Verdict::Fault | Verdict::DeadEnd | Verdict::Livelock)
}

/// Those that are not found, and those whose patch makes the rules fail.
fn missed(mutants: &[Mutant], games: u32) -> Vec<String> {
    let mut missed = Vec::new();
    for mutant in mutants {
        let report = search(mutant.patches, games);
        let who = format!("{} {}", mutant.number, mutant.name);
        let done = report.counts.games;
        match report.findings.first() {
            // A patch that makes the rules fail would be found too, and would show nothing.
            Some(found) if fails(&found.verdict) == GUARDED.contains(&mutant.name) => {
                println!("{who}: {} in {done} games", found.verdict)
            }
            Some(found) => {
                missed.push(format!("{who}: {} after {done} games: {}", found.verdict, found.text));
            }
            None => missed.push(format!("{who}: nothing in {done} games")),
        }
    }
    missed
}

fn games(default: u32) -> u32 {
    std::env::var("VERIFY_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn every_fault_is_a_patch_or_out_of_reach() {
    let listed = QUICK.iter().chain(RARE).map(|m| (m.number, m.name));
    for (number, name) in listed {
        assert!(MUTANTS.iter().any(|(n, known, _)| *n == number && *known == name), "{number} {name}");
    }
    for (number, ..) in MUTANTS {
        let patched = QUICK.iter().chain(RARE).any(|m| m.number == *number);
        assert!(patched != OUT_OF_REACH.contains(number), "{number} is either");
    }
}

#[test]
fn without_a_fault_nothing_is_found() {
    let report = search(&[], 2);
    assert!(report.passed(), "{report}");
}

#[test]
#[ignore = "takes minutes"]
fn faults_are_found_in_a_few_games() {
    let missed = missed(QUICK, games(40));
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
#[ignore = "takes minutes"]
fn rare_faults_are_found_in_many_games() {
    let missed = missed(RARE, games(400));
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

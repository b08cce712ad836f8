//! The deliberate faults of picket line: each is caught by the twin pair, the point of the trace, the sampled worlds
//! or the refusal that stands beside it in [`MUTANTS`], which the rules without faults pass.
#![cfg(feature = "mutants")]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod table;

use adjutant::kernel::Refused;
use adjutant::kernel::view::{ShownAction, ShownTarget};
use adjutant::verify::{Plan, Verdict, verify};
use small_games::picket::{MUTANTS, Variant, rulebook};
use table::story::after;
use table::worlds::{self, Claim};
use table::{pairs, play, seat, words};

fn claim(holds: bool, what: &str) -> Claim {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// A twin pair comes out as the page says.
fn pair(name: &str, mutants: &[&str]) -> Claim {
    let pair = pairs::named_pair(name);
    match (pair.run(mutants)?, pair.parting) {
        (None, None) => Ok(()),
        (Some(parted), Some(parting)) if parted == parting => Ok(()),
        (got, _) => Err(format!("{name} parts at {got:?}")),
    }
}

/// After a1 aH1 is fresh and its links are free, but a real enemy was told of.
fn told_counts(mutants: &[&str]) -> Claim {
    let mut game = after("a1", mutants);
    let amber = seat(&game, "amber");
    let march = words(&game, amber, "4/1 4-5");
    claim(!game.offers(amber).contains(&march), "aH1 is offered again")
}

/// After c2 Blue knows aH1 though it was turned down.
fn known_stays_known(mutants: &[&str]) -> Claim {
    let mut game = after("c2", mutants);
    let blue = seat(&game, "blue");
    let view = table::stacks(&mut game, blue, "4", "amber");
    let known = view.iter().flat_map(|s| &s.bodies).any(|b| b.piece.as_deref() == Some("aH1") && !b.up);
    claim(known, "Blue has forgotten aH1")
}

/// Blue's draft of f1 and f2 is not shown to scouts.
fn drafts_are_hidden_from_partners(mutants: &[&str]) -> Claim {
    let mut game = after("e5", mutants);
    let scouts = seat(&game, "scouts");
    let before = game.packet(scouts);
    for step in ["blue return bD1 1", "blue raise bF3"] {
        play(&mut game, &[step]);
        claim(game.packet(scouts) == before, "scouts can see the draft of blue")?;
    }
    Ok(())
}

/// The handle of a dummy that has gone to the pool is as unknown to Amber as one that never was.
fn unseen_is_unknown(mutants: &[&str]) -> Claim {
    let mut game = after("b3", mutants);
    let amber = seat(&game, "amber");
    let top = table::stacks(&mut game, amber, "6", "blue")[0].bodies[0].handle.clone();
    let own = table::stacks(&mut game, amber, "7", "amber")[0].handle.clone();
    play(&mut game, &["scouts done"]);
    let mut refusal = |handle: &str| {
        let action = ShownAction {
            verb: "probe".to_owned(),
            targets: vec![ShownTarget::Body(handle.to_owned()), ShownTarget::Stack(own.clone())],
        };
        game.explain(amber, &action)
    };
    let unknown = |handle: &str| Some(Refused::Unknown(handle.to_owned()));
    claim(refusal(&top) == unknown(&top), "an unseen handle means something")?;
    claim(refusal("zzzz") == unknown("zzzz"), "a nonsense handle means something")
}

/// Random games and twins with hidden decisions, with handles of two letters.
fn random_lockstep(mutants: &[&str]) -> Claim {
    let mutants = mutants.iter().map(|&m| m.to_owned()).collect();
    let variant = Variant { handle_letters: Some(2), mutants, ..Variant::default() };
    let plan = Plan { games: 2, points: 0, pairs: 24, pair_decisions: 120, ..Plan::default() };
    let report = verify(&std::sync::Arc::new(rulebook(&variant).unwrap()), &plan);
    let leak = report.findings.iter().find(|f| f.verdict == Verdict::Leak);
    match leak {
        None => Ok(()),
        Some(finding) => Err(finding.text.clone()),
    }
}

fn check(beside: &str, mutants: &[&str]) -> Claim {
    match beside {
        "a1" => told_counts(mutants),
        "c2" => known_stays_known(mutants),
        "f1" => drafts_are_hidden_from_partners(mutants),
        "refusals" => unseen_is_unknown(mutants),
        "random" => random_lockstep(mutants),
        "D1" if mutants.contains(&"levy_at_setup") => worlds::d1_levy(mutants),
        "D1" => worlds::d1(mutants),
        "D3" => worlds::d3(mutants),
        "D4" => worlds::d4(mutants),
        twins => pair(twins, mutants),
    }
}

/// Every number of the page is there.
#[test]
fn all_forty_are_listed() {
    let mut numbers: Vec<u32> = MUTANTS.iter().map(|(number, ..)| number[1..].parse().unwrap()).collect();
    numbers.dedup();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}

#[test]
fn without_faults_everything_passes() {
    let mut beside: Vec<&str> = MUTANTS.iter().map(|(.., beside)| *beside).collect();
    beside.sort_unstable();
    beside.dedup();
    for beside in beside {
        check(beside, &[]).unwrap_or_else(|why| panic!("{beside}: {why}"));
    }
}

#[test]
fn every_fault_is_caught() {
    let mut missed = Vec::new();
    for (number, name, beside) in MUTANTS {
        match check(beside, &[name]) {
            Err(why) => println!("{number} {name}: {}", why.lines().take(2).collect::<Vec<_>>().join(" ")),
            Ok(()) => missed.push(format!("{number} {name} is not caught by {beside}")),
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

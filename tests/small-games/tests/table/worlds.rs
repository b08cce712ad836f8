//! Worlds sampled for a seat, against a slow enumeration of all that it may take for true.

use std::collections::{BTreeMap, BTreeSet};

use adjutant::kernel::chance::Key;
use adjutant::kernel::view::{BodyView, Ciphers, Names, ValueView, View, view};
use adjutant::kernel::{BodyId, Read, Rulebook, Seen, Sight as _, State, Viewer, Worker, flow};
use adjutant::{Game, Random, Sim};

use super::story::after;
use super::{marches, seat};

/// Worlds sampled a claim, and how many of them are looked at and played to their end.
const SAMPLES: usize = 600;
const PLAYED: usize = 12;

/// A failed claim.
pub(crate) type Claim = Result<(), String>;

fn claim(holds: bool, what: impl FnOnce() -> String) -> Claim {
    if holds { Ok(()) } else { Err(what()) }
}

/// The bodies of a side that has no markers among them, by name of the piece each is.
type World = Vec<String>;

fn bodies_of(read: Read<'_>, side: &str) -> Vec<BodyId> {
    let rb = read.rulebook();
    let side = rb.side_named(side);
    let all = (0..rb.pieces().len() as u16).map(BodyId);
    all.filter(|&b| read.side(b) == side && !is_marker(&read.piece_def(b).name)).collect()
}

fn is_marker(name: &str) -> bool {
    ["Base", "X1", "X2"].contains(&name)
}

fn arrangement(rb: &Rulebook, st: &State, side: &str) -> World {
    let read = Read::new(rb, st);
    bodies_of(read, side).into_iter().map(|b| read.piece_def(b).name.clone()).collect()
}

/// Every arrangement of a side's pieces within candidate sets in which all that the viewer was told holds; by
/// trying all of them.
pub(crate) fn enumerate(rb: &Rulebook, st: &State, viewer: Viewer, side: &str) -> BTreeSet<World> {
    let read = Read::new(rb, st);
    let seen = Seen::new(read, viewer);
    let bodies = bodies_of(read, side);
    let name = |p| rb.piece(p).name.clone();
    let may: Vec<Vec<String>> =
        bodies.iter().map(|&b| seen.candidates(b).iter().map(|&p| name(p)).collect()).collect();
    // Of the answers those about these bodies: is one of them foot or horse?
    let told: Vec<(Vec<usize>, bool)> = read
        .told(viewer)
        .map(|told| {
            let about = told.bodies.iter().filter_map(|b| bodies.iter().position(|x| x == b));
            (about.collect::<Vec<_>>(), told.answer != 0)
        })
        .filter(|(about, _)| !about.is_empty())
        .collect();
    let is_real = |piece: &str| !piece.ends_with('L') && !piece.contains('D');
    let mut found = BTreeSet::new();
    let mut world: World = Vec::new();
    fn place(
        world: &mut World,
        may: &[Vec<String>],
        fits: &dyn Fn(&World) -> bool,
        found: &mut BTreeSet<World>,
    ) {
        let Some(options) = may.get(world.len()) else {
            if fits(world) {
                found.insert(world.clone());
            }
            return;
        };
        for piece in options {
            if !world.contains(piece) {
                world.push(piece.clone());
                place(world, may, fits, found);
                world.pop();
            }
        }
    }
    let fits = |world: &World| {
        told.iter().all(|(about, answer)| about.iter().any(|&n| is_real(&world[n])) == *answer)
    };
    place(&mut world, &may, &fits, &mut found);
    found
}

/// Everything in a world.
pub(crate) fn everything(rb: &Rulebook, st: &State) -> View {
    let mut ciphers = Ciphers::default();
    view(&Names::new(st.ciphers(rb, &mut ciphers), Read::new(rb, st)), None, None)
}

/// The pieces of a side in an area of a world, top first.
fn there(all: &View, area: &str, side: &str) -> Vec<String> {
    let stacks = all.places.get(area).map(|p| p.stacks.as_slice()).unwrap_or_default();
    let own = stacks.iter().filter(|s| s.side == side);
    own.flat_map(|s| s.bodies.iter().filter_map(|b| b.piece.clone())).collect()
}

fn every_body(all: &View) -> Vec<&BodyView> {
    all.places.values().flat_map(|p| p.stacks.iter().flat_map(|s| &s.bodies).chain(&p.bodies)).collect()
}

fn number(value: Option<&ValueView>) -> i32 {
    match value {
        Some(ValueView::Number(n)) => *n,
        _ => 0,
    }
}

/// A world sampled from the whole truth (drafts of others included), as for a bot with a state in hand.
fn from_truth(game: &Game, viewer: Viewer, random: &mut Random) -> Result<State, String> {
    let key = Key::from_seed(random.word());
    let mut worker = Worker::new().checking();
    flow::determinize(game.rulebook(), &mut worker, game.state(), viewer, key, &mut || random.word())
        .map_err(|fault| fault.to_string())
}

/// Worlds sampled for a seat. Each looks to it like the true one, has dice of its own, and the first of them are
/// played to their end.
fn samples(game: &mut Game, who: &str, count: usize) -> Result<Vec<State>, String> {
    let who = seat(game, who);
    let rb = game.rulebook().clone();
    let mut random = Random::new(11);
    let packet = game.packet(who);
    let marches = marches(game, who);
    let mut worlds = Vec::new();
    for n in 0..count {
        let world = game.world(who, &mut random).map_err(|fault| fault.to_string())?;
        claim(game.state().differs(&world).key, || "the dice to come are the true ones".to_owned())?;
        claim(world.named(&rb).forced.is_empty(), || "dice are forced in a sampled world".to_owned())?;
        let other = game.packet_on(&world, who).map_err(|fault| fault.to_string())?;
        claim(other == packet, || "the seat can tell a sampled world from the true one".to_owned())?;
        if n < PLAYED {
            for march in &marches {
                let there = game.explain_on(&world, who, march).map_err(|fault| fault.to_string())?;
                let here = game.explain(who, march);
                claim(here == there, || format!("why not {march}: {here:?}, in a world {there:?}"))?;
            }
            play_to_the_end(&rb, &world, &mut random)?;
        }
        worlds.push(world);
    }
    Ok(worlds)
}

fn play_to_the_end(rb: &std::sync::Arc<Rulebook>, world: &State, random: &mut Random) -> Claim {
    let mut sim = Sim::new(rb, Worker::new().checking(), world.clone());
    for _ in 0..2_000 {
        if !sim.random_step(random).map_err(|fault| fault.to_string())? {
            return Ok(());
        }
    }
    Err("a sampled world does not end".to_owned())
}

/// Every world is one of the enumeration; gives how many different ones there were.
fn within(rb: &Rulebook, worlds: &[State], side: &str, all: &BTreeSet<World>) -> Result<usize, String> {
    let mut met = BTreeSet::new();
    for world in worlds {
        let world = arrangement(rb, world, side);
        claim(all.contains(&world), || format!("no such world may be: {world:?}"))?;
        met.insert(world);
    }
    Ok(met.len())
}

fn amber(rb: &Rulebook) -> Viewer {
    rb.side_named("amber").map_or(Viewer::Public, Viewer::Side)
}

fn blue(rb: &Rulebook) -> Viewer {
    rb.side_named("blue").map_or(Viewer::Public, Viewer::Side)
}

fn occurs<'a>(views: impl Iterator<Item = &'a View>, area: &str, side: &str, wanted: &str) -> bool {
    let mut views = views;
    views.any(|all| {
        let names = there(all, area, side);
        wanted.split(' ').all(|w| names.iter().any(|n| n == w))
    })
}

/// After a1, for Amber.
pub(crate) fn d1(mutants: &[&str]) -> Claim {
    let mut game = after("a1", mutants);
    let rb = game.rulebook().clone();
    let all = enumerate(&rb, game.state(), amber(&rb), "blue");
    claim(all.len() == 36_000, || format!("{} arrangements", all.len()))?;
    let worlds = samples(&mut game, "amber", SAMPLES)?;
    let met = within(&rb, &worlds, "blue", &all)?;
    claim(met > SAMPLES * 9 / 10, || format!("only {met} different worlds"))?;
    let views: Vec<View> = worlds.iter().map(|w| everything(&rb, w)).collect();
    for (area, wanted, may) in [("4", "bL bD1", false), ("4", "bH1 bF2", true), ("1", "bD1 bL", true)] {
        claim(occurs(views.iter(), area, "blue", wanted) == may, || format!("{wanted} in {area}: {may}"))?;
    }
    Ok(())
}

/// After a1, for Amber: the levy draws its strength when it is seen, so two worlds give it two.
pub(crate) fn d1_levy(mutants: &[&str]) -> Claim {
    let mut game = after("a1", mutants);
    let rb = game.rulebook().clone();
    let mut random = Random::new(5);
    let mut chits = BTreeSet::new();
    for world in samples(&mut game, "amber", 60)? {
        let mut sim = Sim::new(&rb, Worker::new().checking(), world);
        while sim.random_step(&mut random).map_err(|fault| fault.to_string())? {
            let all = everything(&rb, sim.state());
            if let Some(chit) = all.holders.get("levy").and_then(|levies| levies.get("bG")) {
                chits.insert(number(Some(chit)));
                break;
            }
        }
    }
    claim(chits.len() > 1, || format!("the levy's strength is always {chits:?}"))
}

/// After f3, for Amber.
pub(crate) fn d2(mutants: &[&str]) -> Claim {
    let mut game = after("f3", mutants);
    let rb = game.rulebook().clone();
    let all = enumerate(&rb, game.state(), amber(&rb), "blue");
    claim(all.len() == 720, || format!("{} arrangements", all.len()))?;
    let worlds = samples(&mut game, "amber", 10 * SAMPLES)?;
    let met = within(&rb, &worlds, "blue", &all)?;
    claim(met > 700, || format!("only {met} of 720 worlds"))?;
    let mut in_six = BTreeSet::new();
    let mut first_dummy = BTreeSet::new();
    let mut second_dummy = BTreeSet::new();
    for world in &worlds {
        let all = everything(&rb, world);
        in_six.insert(there(&all, "6", "blue").join(" "));
        for area in ["1", "2", "4", "6"] {
            for (n, piece) in there(&all, area, "blue").iter().enumerate() {
                match piece.as_str() {
                    "bD1" => drop(first_dummy.insert(format!("{area}.{n}"))),
                    "bD2" => drop(second_dummy.insert(area)),
                    _ => {}
                }
            }
        }
        let real = there(&all, "1", "blue").iter().any(|p| !p.contains('D') && !p.ends_with('L'));
        claim(real, || "nobody real in 1".to_owned())?;
    }
    let is =
        |set: &BTreeSet<String>, wanted: &[&str]| set.iter().map(String::as_str).eq(wanted.iter().copied());
    claim(is(&in_six, &["bF3 bL", "bL bF3"]), || format!("in 6: {in_six:?}"))?;
    claim(is(&first_dummy, &["1.0", "1.1", "1.2"]), || format!("bD1: {first_dummy:?}"))?;
    claim(second_dummy == BTreeSet::from(["1", "2", "4"]), || format!("bD2: {second_dummy:?}"))
}

/// In the fork of the orders, for Amber and for Blue, whatever the other has drafted or committed.
pub(crate) fn d3(mutants: &[&str]) -> Claim {
    for step in ["d9", "d10", "d13", "d15"] {
        let mut game = after(step, mutants);
        let rb = game.rulebook().clone();
        if step == "d13" {
            // Blue has committed.
            super::play(&mut game, &["blue done"]);
        }
        let all = enumerate(&rb, game.state(), amber(&rb), "blue");
        claim(all.len() == 192, || format!("{} arrangements after {step}", all.len()))?;
        let worlds = samples(&mut game, "amber", 5 * SAMPLES)?;
        let met = within(&rb, &worlds, "blue", &all)?;
        claim(met == 192, || format!("only {met} of 192 worlds after {step}"))?;
        battle_lines(&rb, &worlds)?;
        let mut random = Random::new(3);
        for (name, viewer, other) in [("amber", amber(&rb), "blue"), ("blue", blue(&rb), "amber")] {
            if game.state().branch_locals(seat(&game, other)).is_none() {
                return Err(format!("{other} is not in the fork"));
            }
            let orders = orders_in(&game, viewer, other, &mut random)?;
            claim(orders.len() == 4, || format!("{} pairs of orders for {name} after {step}", orders.len()))?;
            let counts = orders.values().copied();
            let (least, most) = (counts.clone().min(), counts.max());
            claim(least > Some(40) && most < Some(180), || format!("orders: {orders:?}"))?;
        }
    }
    Ok(())
}

/// Blue's positions in 4 hold somebody real each, so its field is never the dummy; its reserve may be.
fn battle_lines(rb: &Rulebook, worlds: &[State]) -> Claim {
    let mut reserve = BTreeSet::new();
    for world in worlds {
        let all = everything(rb, world);
        let at = |place: &str| -> Vec<String> {
            all.places[place].bodies.iter().filter_map(|b| b.piece.clone()).collect()
        };
        for (place, bodies) in [("blue.road", 2), ("blue.field", 1)] {
            let real = at(place).iter().any(|piece| piece != "bD2");
            claim(real && at(place).len() == bodies, || format!("{place}: {:?}", at(place)))?;
        }
        reserve.extend(at("blue.reserve"));
    }
    claim(reserve.contains("bD2") && reserve.len() == 5, || format!("reserve: {reserve:?}"))
}

/// The orders of another at the join, and how often, in worlds sampled from the whole truth; who has not committed
/// there orders at random.
fn orders_in(
    game: &Game,
    viewer: Viewer,
    other: &str,
    random: &mut Random,
) -> Result<BTreeMap<Vec<i32>, usize>, String> {
    let other = seat(game, other);
    let mut met = BTreeMap::new();
    for _ in 0..400 {
        let world = from_truth(game, viewer, random)?;
        claim(game.state().differs(&world).key, || "the dice to come are the true ones".to_owned())?;
        let mut sim = Sim::new(game.rulebook(), Worker::new().checking(), world);
        let mut given = Vec::new();
        while let Some(locals) = sim.state().branch_locals(other) {
            given = locals.to_vec();
            sim.random_step(random).map_err(|fault| fault.to_string())?;
        }
        *met.entry(given).or_default() += 1;
    }
    Ok(met)
}

/// After g2, for Blue.
pub(crate) fn d4(mutants: &[&str]) -> Claim {
    let mut game = after("g2", mutants);
    let rb = game.rulebook().clone();
    let all = enumerate(&rb, game.state(), blue(&rb), "amber");
    claim(all.len() == 24, || format!("{} arrangements", all.len()))?;
    let worlds = samples(&mut game, "blue", SAMPLES)?;
    let met = within(&rb, &worlds, "amber", &all)?;
    claim(met == 24, || format!("only {met} of 24 worlds"))?;
    let (mut markers, mut arrears) = (BTreeSet::new(), BTreeSet::new());
    let mut weary: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    for world in &worlds {
        let all = everything(&rb, world);
        let lie =
            |area: &str| all.places[area].bodies.iter().find_map(|b| b.piece.clone()).unwrap_or_default();
        let lying = ["4", "7", "9"].map(lie);
        arrears.insert(number(all.values.get("arrears")));
        for body in every_body(&all).into_iter().filter(|b| b.side.as_deref() == Some("amber")) {
            let piece = body.piece.clone().unwrap_or_default();
            weary.entry(piece).or_default().insert(body.values.contains_key("weary"));
        }
        // Base in 4 is cut off by bG and bH1; Amber's answer is answered anew.
        let supplied = all.told.iter().find(|t| t.question == "supplied").map(|t| t.answer != 0);
        claim(supplied == Some(lying[0] != "Base"), || format!("supplied {supplied:?} with {lying:?}"))?;
        claim(there(&all, "7", "amber").join(" ") == "aL", || "aL stands in 7".to_owned())?;
        claim(occurs(std::iter::once(&all), "6", "amber", "aH2"), || "aH2 stands in 6".to_owned())?;
        markers.insert(lying);
    }
    claim(markers.len() == 6, || format!("markers: {markers:?}"))?;
    claim(arrears.iter().copied().eq(0..=4), || format!("arrears: {arrears:?}"))?;
    for (piece, states) in &weary {
        let wanted = if piece.contains('F') || piece.ends_with('G') { 2 } else { 1 };
        claim(states.len() == wanted, || format!("{piece} weary: {states:?}"))?;
    }
    Ok(())
}

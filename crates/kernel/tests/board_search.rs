//! Searches against slow references, on hex grids with holes and on random graphs.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use adjutant_kernel::board::{
    Board, BoardBuilder, Edge, HexGridSpec, LinkSpec, Orientation, Provenance, SearchScratch, Shift, Ways,
};
use adjutant_kernel::{LinkId, NetworkId, SideId, SpaceId};

struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn spaces(board: &Board) -> impl Iterator<Item = SpaceId> + use<> {
    (0..board.space_count() as u16).map(SpaceId)
}

fn hex_board(orientation: Orientation, shift: Shift, holes: &[&str]) -> Board {
    let mut spec = HexGridSpec::new(orientation, shift, 9, 8);
    spec.holes = holes.iter().map(|hole| (*hole).to_owned()).collect();
    let mut builder = BoardBuilder::new("field", Provenance::printed("test"));
    builder.network("land").hex_grid(spec, ["land"]).build().unwrap()
}

/// Spaces in a ring with random chords over three networks, some one-way, some closed for side 1, some double.
fn random_board(chance: &mut Chance, count: u64) -> Board {
    let mut builder = BoardBuilder::new("web", Provenance::printed("test"));
    builder.network("land").network("river").network("rail");
    for number in 0..count {
        builder.space(format!("s{number}"));
    }
    for number in 0..count * 3 {
        let from = number % count;
        let to = if number < count { (from + 1) % count } else { chance.below(count) };
        if from == to {
            continue;
        }
        let network = ["land", "river", "rail"][chance.below(3) as usize];
        let mut link =
            LinkSpec::new(format!("s{from}"), format!("s{to}"), network).named(format!("l{number}"));
        if chance.below(6) == 0 {
            link = link.one_way();
        }
        if chance.below(5) == 0 {
            link = link.closed_for(SideId(1));
        }
        builder.link(link);
    }
    builder.build().unwrap()
}

/// Cost, number of links and predecessor of the canonical cheapest path to each space, by Bellman and Ford over the
/// links as declared.
type Label = (u64, u64, SpaceId, LinkId);

fn bellman_ford(
    board: &Board,
    sources: &[SpaceId],
    side: Option<SideId>,
    networks: &[NetworkId],
    cost: impl Fn(SpaceId, LinkId, SpaceId) -> Option<u32>,
) -> Vec<Option<Label>> {
    let mut labels: Vec<Option<Label>> = vec![None; board.space_count()];
    for source in sources {
        labels[source.index()] = Some((0, 0, *source, LinkId(0)));
    }
    loop {
        let mut changed = false;
        for number in 0..board.link_count() as u16 {
            let link = LinkId(number);
            if !networks.contains(&board.link_network(link))
                || side.is_some_and(|side| board.closed_for(link, side))
            {
                continue;
            }
            let (a, b) = board.link_ends(link);
            let ways = if board.is_one_way(link) { vec![(a, b)] } else { vec![(a, b), (b, a)] };
            for (from, to) in ways {
                assert_eq!(board.other_end(link, from), to);
                let (Some((before, hops, ..)), Some(step)) = (labels[from.index()], cost(from, link, to))
                else {
                    continue;
                };
                let label = (before + u64::from(step), hops + 1, from, link);
                if labels[to.index()].is_none_or(|old| label < old) && !sources.contains(&to) {
                    labels[to.index()] = Some(label);
                    changed = true;
                }
            }
        }
        if !changed {
            return labels;
        }
    }
}

#[test]
fn paths_agree_with_bellman_and_ford() {
    let mut chance = Chance(3);
    let mut scratch = SearchScratch::default();
    // Free steps, small costs, costs beyond the ring of buckets, closed links.
    let scales: [&[u32]; 4] =
        [&[1, 2, 3], &[0, 0, 1, 2], &[1, 63, 64, 65, 200, 1000], &[0, 5, 64, u32::MAX / 3]];
    for round in 0..60 {
        let count = 5 + chance.below(40);
        let board = random_board(&mut chance, count);
        let scale = scales[round % 4];
        let costs: Vec<Option<u32>> = (0..board.link_count())
            .map(|_| (chance.below(10) > 0).then(|| scale[chance.below(scale.len() as u64) as usize]))
            .collect();
        // Dearer one way than the other.
        let cost = |from: SpaceId, link: LinkId, to: SpaceId| {
            costs[link.index()].map(|cost| cost + u32::from(from > to && cost > 0))
        };
        let side = [None, Some(SideId(1)), Some(SideId(0))][round % 3];
        let networks = [vec![NetworkId(0), NetworkId(1), NetworkId(2)], vec![NetworkId(0), NetworkId(2)]];
        let networks = &networks[round % 2];
        let mut ways = Ways::over(networks.iter().copied());
        if let Some(side) = side {
            ways = ways.open_for(side);
        }
        let edge_cost = |from: SpaceId, edge: &Edge| cost(from, edge.link, edge.to);
        for source in spaces(&board).take(8) {
            let expected = bellman_ford(&board, &[source], side, networks, cost);
            let expected: Vec<Option<Label>> = expected
                .into_iter()
                .map(|label| label.filter(|label| label.0 <= u64::from(u32::MAX)))
                .collect();
            let path_of = |mut to: SpaceId| {
                let mut path = Vec::new();
                while let Some((_, hops, from, link)) = expected[to.index()]
                    && hops > 0
                {
                    path.push((from, link, to));
                    to = from;
                }
                path.reverse();
                path
            };
            for target in spaces(&board) {
                let found = board.cheapest_path(&mut scratch, ways, source, target, edge_cost);
                assert_eq!(found.map(u64::from), expected[target.index()].map(|label| label.0));
                let path: Vec<_> =
                    scratch.path_to(target).iter().map(|step| (step.from, step.link, step.to)).collect();
                assert_eq!(path, path_of(target), "round {round} to {target:?}");
            }
            let budget = [0, 3, 70, 500][chance.below(4) as usize];
            board.reachable(&mut scratch, ways, [source], budget, edge_cost);
            let within: Vec<_> = spaces(&board)
                .filter_map(|space| expected[space.index()].map(|label| (space, label.0)))
                .filter(|(_, cost)| *cost <= u64::from(budget))
                .collect();
            let reached: Vec<_> = scratch.reached().map(|(space, cost)| (space, u64::from(cost))).collect();
            assert_eq!(reached, within);
        }
        // From several sources, over open links only.
        let sources = [SpaceId(0), SpaceId(3)];
        let open = |_: SpaceId, link: LinkId, _: SpaceId| costs[link.index()].map(|_| 1);
        let expected = bellman_ford(&board, &sources, side, networks, open);
        board.flood(&mut scratch, ways, sources, |from, edge| open(from, edge.link, edge.to).is_some());
        for space in spaces(&board) {
            let found = scratch.cost(space).map(u64::from);
            assert_eq!(found, expected[space.index()].map(|label| label.0));
        }
    }
}

#[test]
fn distance_is_the_number_of_steps() {
    let mut scratch = SearchScratch::default();
    for orientation in [Orientation::FlatTop, Orientation::PointyTop] {
        for shift in [Shift::First, Shift::Second] {
            let board = hex_board(orientation, shift, &[]);
            for a in spaces(&board) {
                board.flood(&mut scratch, Ways::all(), [a], |_, _| true);
                for b in spaces(&board) {
                    assert_eq!(scratch.cost(b), board.distance(a, b));
                    let direction = board.direction(a, b);
                    let walked = direction.and_then(|direction| {
                        (0..board.distance(a, b).unwrap()).try_fold(a, |at, _| board.neighbour(at, direction))
                    });
                    assert_eq!(walked, direction.map(|_| b));
                }
                let within: Vec<_> =
                    scratch.reached().filter(|(_, cost)| *cost <= 3).map(|(b, _)| b).collect();
                let mut near: Vec<_> = board.within(a, 3).collect();
                near.sort();
                assert_eq!(near, within);
            }
        }
    }
}

#[test]
fn paths_go_round_holes() {
    let board = hex_board(
        Orientation::FlatTop,
        Shift::Second,
        &["0502", "0503", "0504", "0505", "0506", "0507", "0508"],
    );
    let hex = |number| board.space_named(number).unwrap();
    let mut scratch = SearchScratch::default();
    let found = board.cheapest_path(&mut scratch, Ways::all(), hex("0406"), hex("0606"), |_, _| Some(1));
    assert!(found > board.distance(hex("0406"), hex("0606")));
    assert!(scratch.path_to(hex("0606")).iter().any(|step| step.to == hex("0501")));
}

#[test]
fn a_space_can_be_entered_but_not_left() {
    let board = hex_board(Orientation::PointyTop, Shift::First, &[]);
    let hex = |number| board.space_named(number).unwrap();
    // Enemy zones of control in the whole of row 4: enter and stop.
    let zone = |space: SpaceId| board.space_name(space).ends_with("04");
    let mut scratch = SearchScratch::default();
    board.flood(&mut scratch, Ways::all(), [hex("0301")], |from, _| !zone(from));
    assert!(spaces(&board).all(|space| {
        let row: u32 = board.space_name(space)[2..].parse().unwrap();
        scratch.is_reached(space) == (row <= 4)
    }));
}

#[test]
fn several_links_join_two_spaces_over_several_networks() {
    let mut builder = BoardBuilder::new("james", Provenance::printed("test"));
    builder.network("land").network("river").space("Richmond").space("Petersburg").space("Norfolk");
    builder.link(LinkSpec::new("Petersburg", "Richmond", "land").named("turnpike"));
    builder.link(LinkSpec::new("Richmond", "Petersburg", "land").named("plank road").closed_for(SideId(1)));
    builder.link(LinkSpec::new("Richmond", "Petersburg", "river"));
    builder.link(LinkSpec::new("Norfolk", "Richmond", "river").one_way());
    let board = builder.build().unwrap();
    let [richmond, petersburg, norfolk] =
        ["Richmond", "Petersburg", "Norfolk"].map(|name| board.space_named(name).unwrap());
    let [land, river] = ["land", "river"].map(|name| board.network_named(name).unwrap());
    let names = |space| board.links(space).iter().map(|edge| board.link_name(edge.link)).collect::<Vec<_>>();
    assert_eq!(names(richmond), ["turnpike", "plank road", "Richmond-Petersburg (river)"]);
    assert_eq!(names(norfolk), ["Norfolk-Richmond (river)"]);
    assert!(board.link_named("Petersburg-Richmond (river)").is_some());

    let [turnpike, plank] = ["turnpike", "plank road"].map(|name| board.link_named(name).unwrap());
    assert!(board.closed_for(plank, SideId(1)) && !board.closed_for(plank, SideId(0)));
    assert!(!board.closed_for(plank, SideId(200)) && !board.closed_for(turnpike, SideId(1)));
    let mut scratch = SearchScratch::default();
    let dear = |_: SpaceId, edge: &Edge| Some(if edge.link == turnpike { 5 } else { 2 });
    let mut cost = |ways, from, to| board.cheapest_path(&mut scratch, ways, from, to, dear);
    assert_eq!(cost(Ways::over([land]), richmond, petersburg), Some(2));
    assert_eq!(cost(Ways::over([land]).open_for(SideId(1)), richmond, petersburg), Some(5));
    assert_eq!(cost(Ways::over([land]).open_for(SideId(0)), richmond, petersburg), Some(2));
    assert_eq!(cost(Ways::over([land]), norfolk, petersburg), None);
    assert_eq!(cost(Ways::over([river]), norfolk, petersburg), Some(4));
    assert_eq!(cost(Ways::over([river]), petersburg, norfolk), None);
    assert_eq!(cost(Ways::all(), norfolk, norfolk), Some(0));
    assert!(scratch.path_to(norfolk).is_empty());
}

#[test]
fn a_scratch_serves_boards_of_any_size() {
    let mut chance = Chance(11);
    let mut scratch = SearchScratch::default();
    assert!(!scratch.is_reached(SpaceId(0)));
    for count in [30, 5, 40, 6] {
        let board = random_board(&mut chance, count);
        board.flood(&mut scratch, Ways::all(), [SpaceId(0)], |_, _| false);
        assert_eq!(scratch.reached().collect::<Vec<_>>(), [(SpaceId(0), 0)]);
    }
}

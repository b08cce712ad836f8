//! The straight line between hex centres against a slow reference that knows nothing of hex coordinates: it cuts the
//! segment with every hexagon as a polygon, in exact fractions.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use adjutant_kernel::SpaceId;
use adjutant_kernel::board::{
    Board, BoardBuilder, Cell, Direction, Grazing, Hex, HexGridSpec, Hexside, LinePolicy, LineStep, OffMap,
    Orientation, Provenance, Shift, Sight,
};
use std::cmp::Ordering;
use std::collections::BTreeSet;

const GRIDS: [(Orientation, Shift); 4] = [
    (Orientation::FlatTop, Shift::First),
    (Orientation::FlatTop, Shift::Second),
    (Orientation::PointyTop, Shift::First),
    (Orientation::PointyTop, Shift::Second),
];

fn board(orientation: Orientation, shift: Shift, columns: u16, rows: u16, holes: &[&str]) -> Board {
    let mut spec = HexGridSpec::new(orientation, shift, columns, rows);
    spec.holes = holes.iter().map(|hole| (*hole).to_owned()).collect();
    let mut builder = BoardBuilder::new("field", Provenance::printed("test"));
    builder.network("land").hex_grid(spec, ["land"]);
    builder.build().unwrap()
}

// The reference.

/// A fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(n: i128, d: i128) -> Self {
        if d < 0 { Self(-n, -d) } else { Self(n, d) }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Fraction {}
impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

type Point = (i128, i128);
/// Column and row from 0, also off the grid.
type Place = (i32, i32);

/// The centre on a screen whose heights (widths for pointy-top) are measured in units of their own, so that all
/// corners are whole numbers.
fn centre(orientation: Orientation, shift: Shift, (column, row): Place) -> Point {
    let (line, along) = match orientation {
        Orientation::FlatTop => (column, row),
        Orientation::PointyTop => (row, column),
    };
    let shifted = match shift {
        Shift::First => line.rem_euclid(2) == 0,
        Shift::Second => line.rem_euclid(2) == 1,
    };
    let (across, along) = (i128::from(3 * line), i128::from(2 * along + i32::from(shifted)));
    match orientation {
        Orientation::FlatTop => (across, along),
        Orientation::PointyTop => (along, across),
    }
}

fn corners(orientation: Orientation, (x, y): Point) -> [Point; 6] {
    let flat = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)];
    flat.map(|(across, along)| match orientation {
        Orientation::FlatTop => (x + across, y + along),
        Orientation::PointyTop => (x + along, y + across),
    })
}

fn cross(o: Point, a: Point, b: Point) -> i128 {
    (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    Inside,
    OnTheEdge,
    Corner,
}

/// The part of the segment within a closed hexagon, as fractions of its length.
fn cut(orientation: Orientation, hexagon: Point, a: Point, b: Point) -> Option<(Fraction, Fraction, Cut)> {
    let corners = corners(orientation, hexagon);
    let (mut enter, mut leave) = (Fraction(0, 1), Fraction(1, 1));
    let mut on_the_edge = false;
    for i in 0..6 {
        let (p, q) = (corners[i], corners[(i + 1) % 6]);
        // Positive on the side of the centre.
        let sense = cross(p, q, hexagon).signum();
        let (at_a, at_b) = (sense * cross(p, q, a), sense * cross(p, q, b));
        match (at_b - at_a).signum() {
            0 if at_a < 0 => return None,
            0 => on_the_edge |= at_a == 0,
            1 => enter = enter.max(Fraction::new(-at_a, at_b - at_a)),
            _ => leave = leave.min(Fraction::new(-at_a, at_b - at_a)),
        }
    }
    match enter.cmp(&leave) {
        Ordering::Greater => None,
        Ordering::Equal => Some((enter, leave, Cut::Corner)),
        Ordering::Less => Some((enter, leave, if on_the_edge { Cut::OnTheEdge } else { Cut::Inside })),
    }
}

/// A step in terms of columns and rows.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Expected {
    Through(Place),
    Across(Place, Place),
    Along { from: Place, left: Place, right: Place, to: Place },
    Vertex { from: Place, beside: Place, to: Place },
}

fn reference(orientation: Orientation, shift: Shift, size: Place, a: Place, b: Place) -> Vec<Expected> {
    let (from, to) = (centre(orientation, shift, a), centre(orientation, shift, b));
    let mut inside = Vec::new();
    let mut edges = Vec::new();
    let mut touched = Vec::new();
    let near = |p: Point| {
        p.0 >= from.0.min(to.0) - 4
            && p.0 <= from.0.max(to.0) + 4
            && p.1 >= from.1.min(to.1) - 4
            && p.1 <= from.1.max(to.1) + 4
    };
    for column in -2..size.0 + 2 {
        for row in -2..size.1 + 2 {
            let place = (column, row);
            let hexagon = centre(orientation, shift, place);
            if !near(hexagon) {
                continue;
            }
            match cut(orientation, hexagon, from, to) {
                None => {}
                Some((enter, leave, Cut::Inside)) => inside.push((enter, leave, place)),
                Some((enter, _, Cut::OnTheEdge)) => edges.push((enter, place)),
                Some((enter, _, Cut::Corner)) => touched.push((enter, place)),
            }
        }
    }
    inside.sort();
    let mut steps = Vec::new();
    for (number, (_, leave, place)) in inside.iter().enumerate() {
        steps.push(Expected::Through(*place));
        let Some((enter, _, next)) = inside.get(number + 1) else { break };
        let beside: Vec<Place> =
            touched.iter().filter(|(t, _)| t == leave).map(|(_, place)| *place).collect();
        let along: Vec<Place> = edges.iter().filter(|(t, _)| t == leave).map(|(_, place)| *place).collect();
        steps.push(match (&beside[..], &along[..]) {
            ([], []) => {
                assert_eq!(enter, leave);
                Expected::Across(*place, *next)
            }
            ([beside], []) => {
                assert_eq!(enter, leave);
                Expected::Vertex { from: *place, beside: *beside, to: *next }
            }
            ([], [one, other]) => {
                assert!(enter > leave);
                // With y downward, a positive cross product is a turn to the right.
                let is_right = cross(from, to, centre(orientation, shift, *one)) > 0;
                let (left, right) = if is_right { (*other, *one) } else { (*one, *other) };
                Expected::Along { from: *place, left, right, to: *next }
            }
            odd => panic!("{odd:?}"),
        });
    }
    steps
}

fn as_expected(board: &Board, step: LineStep) -> Expected {
    let grid = board.hex_grid().unwrap();
    let check = |cell: Cell| {
        assert_eq!(cell.space, board.space_at(cell.hex));
        let (column, row) = grid.column_row(cell.hex);
        let on_grid =
            (0..i32::from(grid.columns())).contains(&column) && (0..i32::from(grid.rows())).contains(&row);
        assert_eq!(cell.space.is_some(), on_grid);
        (column, row)
    };
    let check_side = |side: Hexside, a: Hex, b: Hex| {
        assert_eq!(side.hexes, (a.min(b), a.max(b)));
        let spaces = (board.space_at(a), board.space_at(b));
        match (side.border, spaces) {
            (None, (None, None)) => {}
            (Some(border), (Some(a), Some(b))) => assert_eq!(board.border_between(a, b), Some(border)),
            (Some(border), (Some(a), None) | (None, Some(a))) => {
                assert_eq!(board.border_ends(border), (a, None));
            }
            odd => panic!("{odd:?}"),
        }
    };
    match step {
        LineStep::Through(cell) => Expected::Through(check(cell)),
        LineStep::Across(side) => {
            check_side(side, side.hexes.0, side.hexes.1);
            Expected::Across(grid.column_row(side.hexes.0), grid.column_row(side.hexes.1))
        }
        LineStep::AlongSide { from, left, right, side, to } => {
            check_side(side, left.hex, right.hex);
            Expected::Along { from: check(from), left: check(left), right: check(right), to: check(to) }
        }
        LineStep::ThroughVertex { from, beside, side, to } => {
            check_side(side, from.hex, to.hex);
            Expected::Vertex { from: check(from), beside: check(beside), to: check(to) }
        }
    }
}

/// Hexsides have no direction; the reference gives them in that of the line.
fn undirected(steps: impl IntoIterator<Item = Expected>) -> Vec<Expected> {
    let step = |step| match step {
        Expected::Across(a, b) => Expected::Across(a.min(b), a.max(b)),
        other => other,
    };
    steps.into_iter().map(step).collect()
}

fn reversed(step: LineStep) -> LineStep {
    match step {
        LineStep::Through(_) | LineStep::Across(_) => step,
        LineStep::AlongSide { from, left, right, side, to } => {
            LineStep::AlongSide { from: to, left: right, right: left, side, to: from }
        }
        LineStep::ThroughVertex { from, beside, side, to } => {
            LineStep::ThroughVertex { from: to, beside, side, to: from }
        }
    }
}

fn spaces(board: &Board) -> impl Iterator<Item = SpaceId> + Clone + use<> {
    (0..board.space_count() as u16).map(SpaceId)
}

#[test]
fn lines_agree_with_polygons_for_all_pairs() {
    let mut seen = [0usize; 4];
    for (orientation, shift) in GRIDS {
        let board = board(orientation, shift, 12, 12, &[]);
        let grid = board.hex_grid().unwrap();
        let place = |space| grid.column_row(board.hex(space).unwrap());
        for a in spaces(&board) {
            for b in spaces(&board) {
                let line: Vec<LineStep> = board.line(a, b).unwrap().collect();
                for step in &line {
                    seen[match step {
                        LineStep::Through(_) => 0,
                        LineStep::Across(_) => 1,
                        LineStep::AlongSide { .. } => 2,
                        LineStep::ThroughVertex { .. } => 3,
                    }] += 1;
                }
                let expected = reference(orientation, shift, (12, 12), place(a), place(b));
                let found = line.iter().map(|step| as_expected(&board, *step));
                assert_eq!(
                    undirected(found),
                    undirected(expected),
                    "{orientation} {shift:?} {} to {}",
                    board.space_name(a),
                    board.space_name(b)
                );
                let back: Vec<LineStep> = board.line(b, a).unwrap().map(reversed).collect();
                assert!(line.iter().rev().eq(&back));
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 5_000), "{seen:?}");
}

fn policies() -> Vec<LinePolicy> {
    let mut policies = Vec::new();
    for along_side in [Grazing::EitherBlocks, Grazing::BothBlock] {
        for through_vertex in [Grazing::EitherBlocks, Grazing::BothBlock] {
            for off_map in [OffMap::Blocks, OffMap::Clear] {
                policies.push(LinePolicy { along_side, through_vertex, off_map });
            }
        }
    }
    policies
}

#[test]
fn sight_is_symmetric_with_holes_and_at_the_edge() {
    let mut seed = 7u64;
    let mut chance = |percent| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % 100 < percent
    };
    let (mut clear, mut blocked) = (0, 0);
    for (orientation, shift) in GRIDS {
        let board = board(orientation, shift, 9, 8, &["0302", "0303", "0505", "0901", "0608"]);
        let woods: Vec<bool> = (0..board.space_count()).map(|_| chance(12)).collect();
        let walls: Vec<bool> = (0..board.border_count()).map(|_| chance(6)).collect();
        for policy in policies() {
            for a in spaces(&board) {
                for b in spaces(&board) {
                    let sight = |a: SpaceId, b: SpaceId| {
                        let space_blocks = |space: SpaceId| {
                            assert!(space != a && space != b);
                            woods[space.index()]
                        };
                        board.trace(a, b, policy, space_blocks, |border| walls[border.index()]).unwrap()
                    };
                    let is_clear = sight(a, b) == Sight::Clear;
                    assert_eq!(is_clear, sight(b, a) == Sight::Clear);
                    if is_clear { clear += 1 } else { blocked += 1 }
                }
            }
        }
    }
    assert!(clear > 10_000 && blocked > 10_000, "{clear} {blocked}");
}

/// A line can be nudged left or right: it is clear where one nudged line is (both block), or where both are and
/// nothing is touched (either blocks). A single grazing is compared here with hand-made nudged ways.
#[test]
fn a_grazing_line_obeys_its_policy() {
    let board = board(Orientation::FlatTop, Shift::Second, 5, 5, &[]);
    let hex = |number: &str| board.space_named(number).unwrap();
    let side = |a: &str, b: &str| board.border_between(hex(a), hex(b)).unwrap();
    let sight = |a: &str, b: &str, grazing, spaces: &[&str], sides: &[(&str, &str)]| {
        let policy = LinePolicy { along_side: grazing, through_vertex: grazing, off_map: OffMap::Blocks };
        let spaces: BTreeSet<_> = spaces.iter().map(|number| hex(number)).collect();
        let sides: BTreeSet<_> = sides.iter().map(|(a, b)| side(a, b)).collect();
        let blocks = |space| spaces.contains(&space);
        board.trace(hex(a), hex(b), policy, blocks, |border| sides.contains(&border)) == Some(Sight::Clear)
    };
    use Grazing::{BothBlock, EitherBlocks};
    // 0203 to 0403 runs along the side between 0303 and 0304.
    assert!(sight("0203", "0403", EitherBlocks, &["0302", "0204"], &[]));
    for one in ["0303", "0304"] {
        assert!(!sight("0203", "0403", EitherBlocks, &[one], &[]));
        assert!(sight("0203", "0403", BothBlock, &[one], &[]));
    }
    assert!(!sight("0203", "0403", BothBlock, &["0303", "0304"], &[]));
    assert!(!sight("0203", "0403", BothBlock, &["0303"], &[("0203", "0304")]));
    assert!(sight("0203", "0403", BothBlock, &["0303"], &[("0203", "0303")]));
    assert!(sight("0203", "0403", BothBlock, &[], &[("0303", "0304")]));
    assert!(!sight("0203", "0403", EitherBlocks, &[], &[("0303", "0304")]));
    // Adjacent hexes: only the side between them counts.
    assert!(!sight("0203", "0303", BothBlock, &[], &[("0203", "0303")]));
    assert!(sight("0203", "0303", EitherBlocks, &["0203", "0303"], &[("0203", "0304")]));
    assert!(sight("0203", "0203", EitherBlocks, &["0203"], &[]));
}

#[test]
fn a_line_through_a_vertex_obeys_its_policy() {
    let board = board(Orientation::FlatTop, Shift::Second, 6, 4, &[]);
    let [a, b] = ["0102", "0603"].map(|number| board.space_named(number).unwrap());
    let vertex = board.line(a, b).unwrap().find_map(|step| match step {
        LineStep::ThroughVertex { from, beside, side, to } => Some((from, beside, side, to)),
        LineStep::Through(_) | LineStep::Across(_) | LineStep::AlongSide { .. } => None,
    });
    let (from, beside, side, to) = vertex.unwrap();
    let beside = beside.space.unwrap();
    let [entry, exit] = [from, to].map(|cell| board.border_between(cell.space.unwrap(), beside).unwrap());
    let direct = side.border.unwrap();
    for (start, end) in [(a, b), (b, a)] {
        let sight = |through_vertex, spaces: &[SpaceId], sides: &[_]| {
            let policy =
                LinePolicy { along_side: Grazing::BothBlock, through_vertex, off_map: OffMap::Blocks };
            let blocks = |space| spaces.contains(&space);
            board.trace(start, end, policy, blocks, |border| sides.contains(&border)) == Some(Sight::Clear)
        };
        for (spaces, sides) in [
            (&[][..], &[direct][..]),
            (&[beside], &[]),
            (&[], &[entry]),
            (&[], &[exit]),
            (&[beside], &[entry, exit]),
        ] {
            assert!(!sight(Grazing::EitherBlocks, spaces, sides));
            assert!(sight(Grazing::BothBlock, spaces, sides));
        }
        for (spaces, sides) in
            [(&[beside][..], &[direct][..]), (&[], &[direct, entry]), (&[], &[exit, direct])]
        {
            assert!(!sight(Grazing::EitherBlocks, spaces, sides));
            assert!(!sight(Grazing::BothBlock, spaces, sides));
        }
        assert!(sight(Grazing::EitherBlocks, &[], &[]));
    }
}

#[test]
fn the_maps_edge_blocks_as_the_policy_says() {
    let board = board(Orientation::FlatTop, Shift::Second, 3, 2, &[]);
    let (a, b) = (board.space_named("0101").unwrap(), board.space_named("0301").unwrap());
    let sight = |along_side, off_map| {
        let policy = LinePolicy { along_side, through_vertex: Grazing::BothBlock, off_map };
        board.trace(a, b, policy, |_| false, |_| false).unwrap()
    };
    let beyond = board.hex(a).unwrap().neighbour(Direction::ALL[1]);
    assert!(matches!(sight(Grazing::EitherBlocks, OffMap::Blocks), Sight::Blocked(at)
        if at == adjutant_kernel::board::Obstacle::OffMap(beyond)));
    assert_eq!(sight(Grazing::EitherBlocks, OffMap::Clear), Sight::Clear);
    assert_eq!(sight(Grazing::BothBlock, OffMap::Blocks), Sight::Clear);
}

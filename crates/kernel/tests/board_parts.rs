//! Names, numbers, places, features, borders and their neighbours; and what the builder complains of.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use adjutant_kernel::board::{
    Board, BoardBuilder, BorderSpec, DigitOrder, Direction, FeatureOn, FeatureSpec, HexDigits, HexGridSpec,
    LinkSpec, Orientation, PlaceKind, Problem, Provenance, Shift,
};
use adjutant_kernel::{BorderId, LinkId, PlaceId, SideId, SpaceId};
use std::collections::{BTreeMap, BTreeSet};

const GRIDS: [(Orientation, Shift); 4] = [
    (Orientation::FlatTop, Shift::First),
    (Orientation::FlatTop, Shift::Second),
    (Orientation::PointyTop, Shift::First),
    (Orientation::PointyTop, Shift::Second),
];

fn builder() -> BoardBuilder {
    let mut builder = BoardBuilder::new("test", Provenance::printed("test"));
    builder.network("land");
    builder
}

fn grid(spec: HexGridSpec) -> Board {
    builder().hex_grid(spec, ["land"]).build().unwrap()
}

fn problems(builder: &BoardBuilder) -> Vec<Problem> {
    builder.build().unwrap_err().problems
}

/// The only problem, as text.
fn complaint(builder: &BoardBuilder) -> String {
    let problems = problems(builder);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].to_string()
}

/// The picket-line map: nine areas, a river with a bridge and a ford.
fn picket_line() -> BoardBuilder {
    let mut b = builder();
    for area in 1..=9 {
        b.space(area.to_string());
    }
    for (from, to) in [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9), (1, 4), (2, 5), (3, 6)] {
        b.link(LinkSpec::new(from.to_string(), to.to_string(), "land"));
    }
    b.link(LinkSpec::new("4", "7", "land").named("bridge").holding_pieces());
    b.link(LinkSpec::new("6", "9", "land").named("ford").source(Provenance::reconstructed("blurred")));
    for (north, south) in [("4", "7"), ("5", "8"), ("6", "9")] {
        b.border(BorderSpec::new(north, south));
    }
    b.feature("river", FeatureOn::Border, Provenance::printed("pl:2.a"));
    b.feature("town", FeatureOn::Space, Provenance::printed("pl:2.a"));
    b.feature("span", FeatureOn::Link, Provenance::derived("a bridge has a span"));
    b.features(FeatureSpec::new("river", ["4|7", "8|5", "6|9"]));
    b.features(FeatureSpec::new("town", ["5"]).value(2).source(Provenance::derived("named in the text")));
    b.features(FeatureSpec::new("town", ["2"]));
    b.features(FeatureSpec::new("span", ["bridge"]).value(-1));
    b.borders_meet("4|7", "5|8").borders_meet("6|9", "5|8");
    b.holding_box("turn track").holding_box("reserve").holding_border("5|8");
    b
}

#[test]
fn an_area_map_has_borders_with_and_without_links() {
    let board = picket_line().build().unwrap();
    let space = |name| board.space_named(name).unwrap();
    assert_eq!((board.space_count(), board.link_count(), board.border_count()), (9, 11, 3));
    let no_link = board.border_between(space("8"), space("5")).unwrap();
    assert_eq!(board.border_name(no_link), "5|8");
    assert_eq!(board.border_named("8|5"), Some(no_link));
    assert_eq!(board.border_ends(no_link), (space("5"), Some(space("8"))));
    assert_eq!(board.border_between(space("1"), space("2")), None);
    assert_eq!(board.borders(space("5")).len(), 1);
    let (bridge, plain) = (board.link_named("bridge").unwrap(), board.link_named("2-1").unwrap());
    assert_eq!(board.border_of_link(bridge), board.border_named("4|7"));
    assert_eq!(board.border_of_link(plain), None);
    assert_eq!(board.borders_meeting(no_link), [BorderId(0), BorderId(2)]);
    assert_eq!(board.borders_meeting(BorderId(0)), [no_link]);
    let out: Vec<_> = board.links(space("5")).iter().map(|edge| board.space_name(edge.to)).collect();
    assert_eq!(out, ["2", "4", "6"]);
    assert_eq!(board.hex(space("1")), None);
    assert!(board.line(space("1"), space("2")).is_none());
}

#[test]
fn features_lie_where_they_were_put() {
    let board = picket_line().build().unwrap();
    let [river, town, span] = ["river", "town", "span"].map(|name| board.feature_named(name).unwrap());
    let towns: Vec<_> = (0..9).map(SpaceId).filter(|space| board.has_feature_space(*space, town)).collect();
    assert_eq!(towns, [SpaceId(1), SpaceId(4)]);
    assert_eq!(board.feature_value_space(SpaceId(4), town), Some(2));
    assert_eq!(board.feature_value_space(SpaceId(1), town), None);
    assert_eq!(board.feature_value_space(SpaceId(0), town), None);
    let bridge = board.link_named("bridge").unwrap();
    assert!(board.has_feature_link(bridge, span) && !board.has_feature_link(LinkId(0), span));
    assert_eq!(board.feature_value_link(bridge, span), Some(-1));
    assert!((0..3).all(|border| board.has_feature_border(BorderId(border), river)));
    assert_eq!(board.features_of_border(BorderId(1)).collect::<Vec<_>>(), [river]);
    assert_eq!(board.features_of_space(SpaceId(4)).collect::<Vec<_>>(), [town]);
    assert_eq!(board.feature_on(span), FeatureOn::Link);
    let sources: Vec<_> = board.sources().map(|(what, source)| format!("{what} - {source}")).collect();
    assert_eq!(
        sources,
        [
            "board \"test\" - printed: test",
            "feature \"river\" - printed: pl:2.a",
            "feature \"town\" - printed: pl:2.a",
            "feature \"span\" - derived: a bridge has a span",
            "link \"ford\" - reconstructed: blurred",
            "feature \"town\" on \"5\" - derived: named in the text",
        ]
    );
}

#[test]
fn more_than_64_types_of_features() {
    let mut b = builder();
    b.space("a").space("b").link(LinkSpec::new("a", "b", "land"));
    for number in 0..150 {
        b.feature(format!("f{number}"), FeatureOn::Space, Provenance::printed("test"));
        b.features(
            FeatureSpec::new(format!("f{number}"), [if number % 3 == 0 { "a" } else { "b" }]).value(number),
        );
    }
    let board = b.build().unwrap();
    for number in 0..150 {
        let feature = board.feature_named(&format!("f{number}")).unwrap();
        let (has, lacks) = if number % 3 == 0 { (SpaceId(0), SpaceId(1)) } else { (SpaceId(1), SpaceId(0)) };
        assert!(board.has_feature_space(has, feature) && !board.has_feature_space(lacks, feature));
        assert_eq!(board.feature_value_space(has, feature), Some(number));
    }
}

#[test]
fn places_are_spaces_boxes_links_and_borders() {
    let board = picket_line().build().unwrap();
    let names: Vec<_> =
        (9..board.place_count() as u16).map(|place| board.place_name(PlaceId(place))).collect();
    assert_eq!(names, ["turn track", "reserve", "bridge", "5|8"]);
    let bridge = board.link_named("bridge").unwrap();
    let border = board.border_named("5|8").unwrap();
    assert_eq!(board.place(PlaceId(3)), PlaceKind::Space(SpaceId(3)));
    assert_eq!(board.place(PlaceId(9)), PlaceKind::Box);
    assert_eq!(board.place(PlaceId(11)), PlaceKind::Link(bridge));
    assert_eq!(board.place(PlaceId(12)), PlaceKind::Border(border));
    assert_eq!(board.place_of_link(bridge), Some(PlaceId(11)));
    assert_eq!(board.place_of_link(LinkId(0)), None);
    assert_eq!(board.place_of_border(border), Some(PlaceId(12)));
    assert_eq!(board.place_of_space(SpaceId(3)), PlaceId(3));
    assert_eq!(board.boxes().collect::<Vec<_>>(), [PlaceId(9), PlaceId(10)]);
    for place in 0..board.place_count() as u16 {
        assert_eq!(board.place_named(board.place_name(PlaceId(place))), Some(PlaceId(place)));
    }
    let board = picket_line().holding_feature("river").holding_link("ford").build().unwrap();
    assert_eq!(board.place_count(), 9 + 2 + 2 + 3);
    assert!(board.place_of_border(BorderId(0)).is_some());
}

#[test]
fn hex_numbers_both_ways() {
    let digits = [
        (HexDigits::default(), "0101", "0412"),
        (HexDigits { order: DigitOrder::RowColumn, ..HexDigits::default() }, "0101", "1204"),
        (
            HexDigits { first_column: 10, first_row: 0, separator: ".".into(), ..HexDigits::default() },
            "10.00",
            "13.11",
        ),
        (HexDigits { column_digits: 1, row_digits: 3, ..HexDigits::default() }, "1001", "4012"),
        (HexDigits { first_row: 12, row_step: -1, ..HexDigits::default() }, "0112", "0401"),
    ];
    for (orientation, shift) in GRIDS {
        for (digits, first, last) in &digits {
            let mut spec = HexGridSpec::new(orientation, shift, 4, 12);
            spec.digits = digits.clone();
            let hexes = spec.build().unwrap();
            let board = grid(spec);
            assert_eq!(hexes.label(hexes.hex_at(0, 0).unwrap()), Some(*first));
            assert_eq!(hexes.label(hexes.hex_at(3, 11).unwrap()), Some(*last));
            let mut seen = BTreeSet::new();
            for (column, row) in (0..4u16).flat_map(|column| (0..12).map(move |row| (column, row))) {
                let hex = hexes.hex_at(column, row).unwrap();
                assert_eq!(hexes.column_row(hex), (i32::from(column), i32::from(row)));
                let label = hexes.label(hex).unwrap();
                assert_eq!(hexes.hex_named(label), Some(hex));
                let space = board.space_named(label).unwrap();
                assert_eq!((board.hex(space), board.space_at(hex)), (Some(hex), Some(space)));
                assert_eq!(board.space_name(space), label);
                assert!(seen.insert(label));
            }
            assert_eq!(
                (hexes.hex_at(4, 0), hexes.hex_at(0, 12), hexes.hex_named("9999")),
                (None, None, None)
            );
        }
    }
}

#[test]
fn neighbours_lie_where_the_map_shows_them() {
    // The neighbours of a hex of an unshifted and of a shifted line, clockwise from direction 0, as on paper.
    let flat = [
        ("0303", ["0302", "0402", "0403", "0304", "0203", "0202"]),
        ("0203", ["0202", "0303", "0304", "0204", "0104", "0103"]),
    ];
    let pointy = [
        ("0303", ["0202", "0302", "0403", "0304", "0204", "0203"]),
        ("0302", ["0301", "0401", "0402", "0403", "0303", "0202"]),
    ];
    for (orientation, shift) in GRIDS {
        let board = grid(HexGridSpec::new(orientation, shift, 6, 6));
        for (number, around) in if orientation == Orientation::FlatTop { flat } else { pointy } {
            // If the first line is the shifted one, all lies one line further.
            let name = |number: &str| {
                let (mut column, mut row): (u32, u32) =
                    (number[..2].parse().unwrap(), number[2..].parse().unwrap());
                match (orientation, shift) {
                    (_, Shift::Second) => {}
                    (Orientation::FlatTop, Shift::First) => column += 1,
                    (Orientation::PointyTop, Shift::First) => row += 1,
                }
                board.space_named(&format!("{column:02}{row:02}")).unwrap()
            };
            let found = Direction::ALL.map(|direction| board.neighbour(name(number), direction));
            assert_eq!(found, around.map(|number| Some(name(number))), "{orientation} {shift:?} {number}");
        }
    }
}

#[test]
fn lines_of_differing_lengths_holes_and_labels_of_ones_own() {
    let mut spec = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 4, 3);
    spec.line_lengths = Some(vec![3, 2, 3, 2]);
    spec.holes.push("0302".into());
    let board = grid(spec);
    let names: Vec<_> =
        (0..board.space_count() as u16).map(|space| board.space_name(SpaceId(space))).collect();
    assert_eq!(names, ["0101", "0102", "0103", "0201", "0202", "0301", "0303", "0401", "0402"]);

    let letters = |column: u16, row: u16| {
        (row > 0 || column != 1).then(|| format!("{}{}", char::from(b'A' + row as u8), column + 1))
    };
    let board = grid(HexGridSpec::new(Orientation::PointyTop, Shift::First, 3, 2).labelled(letters));
    let names: Vec<_> =
        (0..board.space_count() as u16).map(|space| board.space_name(SpaceId(space))).collect();
    assert_eq!(names, ["A1", "B1", "B2", "A3", "B3"]);
    assert_eq!(board.distance(board.space_named("A1").unwrap(), board.space_named("B3").unwrap()), Some(2));
}

/// The corners of hexsides, from a drawing of the grid: two borders meet if they share exactly one.
#[test]
fn hexsides_meet_at_their_corners() {
    for (orientation, shift) in GRIDS {
        let mut spec = HexGridSpec::new(orientation, shift, 6, 5);
        spec.holes = vec!["0303".into(), "0304".into(), "0501".into()];
        let board = grid(spec);
        let hexes = board.hex_grid().unwrap();
        let mut corners: BTreeMap<BorderId, BTreeSet<(i32, i32)>> = BTreeMap::new();
        for space in (0..board.space_count() as u16).map(SpaceId) {
            let hex = board.hex(space).unwrap();
            let (column, row) = hexes.column_row(hex);
            let (line, along) =
                if orientation == Orientation::FlatTop { (column, row) } else { (row, column) };
            let shifted = (line % 2 == 0) == (shift == Shift::First);
            let (across, along) = (3 * line, 2 * along + i32::from(shifted));
            // Sides in the order of the directions: clockwise from the top, or counter-clockwise from the left when
            // the picture is mirrored at its diagonal.
            let ring = [(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)];
            for direction in Direction::ALL {
                let side = match orientation {
                    Orientation::FlatTop => direction.index(),
                    Orientation::PointyTop => (11 - direction.index()) % 6,
                };
                let ends = [ring[side], ring[(side + 1) % 6]].map(|(x, y)| (across + x, along + y));
                let border = board.border_at(hex, direction).unwrap();
                let before = corners.insert(border, ends.into());
                assert!(before.is_none_or(|before| before == ends.into()), "{orientation} {shift:?}");
            }
            assert_eq!(board.borders(space).len(), 6);
        }
        assert_eq!(corners.len(), board.border_count());
        for (border, ends) in &corners {
            let expected: Vec<_> = corners
                .iter()
                .filter(|(_, other)| ends.intersection(other).count() == 1)
                .map(|(b, _)| *b)
                .collect();
            assert_eq!(board.borders_meeting(*border), expected, "{}", board.border_name(*border));
        }
    }
}

#[test]
fn hexsides_are_named_and_found() {
    let board = grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3));
    let (a, b) = (board.space_named("0101").unwrap(), board.space_named("0102").unwrap());
    let side = board.border_named("0102|0101").unwrap();
    assert_eq!((board.border_between(a, b), board.border_between(b, a)), (Some(side), Some(side)));
    let edge = board.border_named("0101|NW").unwrap();
    assert_eq!(board.border_ends(edge), (a, None));
    assert_eq!(board.border_at(board.hex(a).unwrap(), Direction::ALL[5]), Some(edge));
    assert_eq!(board.borders(a).iter().filter(|edge| edge.to.is_none()).count(), 4);
    let link = board.link_named("0102-0101").unwrap();
    assert_eq!(board.border_of_link(link), Some(side));
}

#[test]
fn a_grid_and_areas_share_a_board() {
    let mut b = builder();
    b.network("rail").space("Washington");
    b.hex_grid(HexGridSpec::new(Orientation::PointyTop, Shift::Second, 3, 3), ["land", "rail"])
        .space("Richmond");
    b.link(LinkSpec::new("Washington", "0101", "land")).link(LinkSpec::new("Richmond", "0303", "rail"));
    b.border(BorderSpec::new("Richmond", "0303")).borders_meet("Richmond|0303", "0303|E");
    let board = b.build().unwrap();
    assert_eq!(board.space_named("0101"), Some(SpaceId(1)));
    assert_eq!(board.space_named("Richmond"), Some(SpaceId(10)));
    assert_eq!(board.hex(SpaceId(0)), None);
    assert_eq!(board.hex(SpaceId(10)), None);
    assert_eq!(board.link_count(), 2 * 16 + 2);
    assert!(board.link_named("0102-0101 (rail)").is_some());
    assert_eq!(board.distance(SpaceId(0), SpaceId(1)), None);
    assert_eq!(board.ring(SpaceId(0), 1).count(), 0);
    let edge = board.border_named("0303|E").unwrap();
    assert!(board.borders_meeting(edge).contains(&board.border_named("0303|Richmond").unwrap()));
}

#[test]
fn every_problem_is_reported_at_once() {
    let mut b = BoardBuilder::new("bad", Provenance::printed(" "));
    b.network("land").network("land");
    b.space("Seven Pines").space("Savage Station").space("Savage Station").space("");
    b.link(LinkSpec::new("Seven Pines", "Savage Staton", "land"));
    b.link(LinkSpec::new("Seven Pines", "Seven Pines", "lnd").closed_for(SideId(64)));
    b.border(BorderSpec::new("Seven Pines", "Seven Pines"));
    b.feature("woods", FeatureOn::Space, Provenance::derived(""));
    b.features(FeatureSpec::new("wods", ["Seven Pines"]));
    b.features(FeatureSpec::new("woods", ["Seven Pines", "Seven Pines", "Nowhere"]));
    b.borders_meet("a|b", "c|d").holding_feature("woods").holding_link("ferry").apart("Nowhere");
    b.holding_box("Seven Pines").holding_box("pool").holding_box("pool");
    let text = b.build().unwrap_err().to_string();
    for expected in [
        "board \"bad\": its provenance is empty",
        "two of the networks are called \"land\"",
        "feature \"woods\": its provenance is empty",
        "two of the spaces are called \"Savage Station\"",
        "a space has an empty name",
        "link \"Seven Pines-Savage Staton\": there is no space \"Savage Staton\"; did you mean \"Savage Station\"?",
        "there is no network \"lnd\"; did you mean \"land\"?",
        "closed for side 64, but sides are numbered 0 to 63",
        "border \"Seven Pines|Seven Pines\": both ends are \"Seven Pines\"",
        "there is no feature \"wods\"; did you mean \"woods\"?",
        "feature \"woods\" is put on \"Seven Pines\" twice",
        "feature \"woods\": there is no space \"Nowhere\"",
        "there is no border \"a|b\"",
        "there is no border \"c|d\"",
        "feature \"woods\" lies on spaces, so that pieces cannot stand on its links or borders",
        "two of the boxes are called \"pool\"",
        "both a space and a box in which pieces stand are called \"Seven Pines\"",
        "spaces apart: there is no space \"Nowhere\"",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
    assert_eq!(text.lines().count(), 19, "{text}");
}

#[test]
fn each_problem_alone() {
    let field = || HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3);
    let with = |spec: HexGridSpec| {
        let mut b = builder();
        b.hex_grid(spec, ["land"]);
        b
    };
    let mut spec = field();
    spec.holes.push("0404".into());
    assert_eq!(
        complaint(&with(spec)),
        "the holes of the grid: no hex is numbered \"0404\"; the hexes are 0101 to 0303, without the holes"
    );
    let mut b = with(field());
    b.link(LinkSpec::new("0101", "0199", "land"));
    assert!(complaint(&b).starts_with("link \"0101-0199\": no hex is numbered \"0199\""));
    let mut spec = field();
    spec.digits.first_column = 98;
    spec.digits.first_row = -1;
    assert_eq!(
        problems(&with(spec)),
        [
            Problem::HexDigits { line: "column", index: 2, number: 100, digits: 2 },
            Problem::HexDigits { line: "row", index: 0, number: -1, digits: 2 },
        ]
    );
    let mut spec = field();
    spec.line_lengths = Some(vec![3, 4]);
    assert_eq!(
        problems(&with(spec)),
        [
            Problem::LineLengths { given: 2, right: 3 },
            Problem::LineTooLong { line: 1, length: 4, longest: 3 },
        ]
    );
    let mut spec = field();
    spec.labels = Some(vec![vec![None; 3]; 2]);
    assert_eq!(problems(&with(spec)), [Problem::LabelTable { columns: 3, rows: 3 }]);
    assert!(complaint(&with(field().labelled(|_, _| None))).starts_with("the board has no spaces"));
    let twice = problems(&with(field().labelled(|column, _| Some(format!("{column}")))));
    assert_eq!(twice.len(), 6, "{twice:?}");
    assert!(
        complaint(&with(HexGridSpec::new(Orientation::FlatTop, Shift::First, 0, 3))).contains("1 to 10000")
    );
    let square = |size| {
        let mut spec = HexGridSpec::new(Orientation::FlatTop, Shift::First, size, size);
        (spec.digits.column_digits, spec.digits.row_digits) = (3, 3);
        with(spec)
    };
    assert_eq!(complaint(&square(300)), "the board has more than 65535 hexes");
    assert_eq!(complaint(&square(200)), "the board has more than 65535 links");
    assert!(square(140).build().is_ok());
    let mut b = with(field());
    b.hex_grid(field(), ["land"]);
    assert_eq!(problems(&b), [Problem::SecondGrid]);
    let mut b = builder();
    b.hex_grid(field(), ["sea"]);
    assert!(complaint(&b).starts_with("the hex grid: there is no network \"sea\""));
    let mut b = with(field());
    b.border(BorderSpec::new("0102", "0101"));
    assert!(complaint(&b).contains("called \"0101|0102\""));
    let mut b = with(field());
    b.link(LinkSpec::new("0101", "0102", "land"));
    assert!(complaint(&b).starts_with("two of the links are called \"0101-0102\""));
    let mut b = picket_line();
    b.borders_meet("4|7", "7|4");
    assert_eq!(problems(&b), [Problem::MeetsItself { border: "4|7".into() }]);
    assert_eq!(problems(&builder()), [Problem::NoSpaces]);
    let mut b = builder();
    b.hex_grid(field(), [""; 0]);
    assert_eq!(problems(&b), [Problem::NoLinks { spaces: 9 }]);
    let mut b = picket_line();
    b.features(FeatureSpec::new("span", ["brigde"]));
    assert_eq!(complaint(&b), "feature \"span\": there is no link \"brigde\"; did you mean \"bridge\"?");
    let mut b = builder();
    for number in 0..70 {
        b.network(format!("n{number}"));
    }
    assert!(complaint(b.space("a")).contains("more than 64 networks"));
}

#[test]
fn spaces_must_be_joined_or_declared_apart() {
    let mut b = picket_line();
    b.space("Elba").space("Corsica").space("Malta").link(LinkSpec::new("Elba", "Corsica", "land").one_way());
    let apart = |names: &[&str]| Problem::Unreachable {
        spaces: names.iter().map(|name| (*name).to_owned()).collect(),
        main: "1".into(),
    };
    assert_eq!(problems(&b), [apart(&["Elba", "Corsica"]), apart(&["Malta"])]);
    b.apart("Corsica");
    assert_eq!(problems(&b), [apart(&["Malta"])]);
    b.apart("Malta");
    assert!(b.build().is_ok());
    // The first space may be the one apart.
    let mut islands = builder();
    islands.space("Elba").space("Genoa").space("Pisa").link(LinkSpec::new("Genoa", "Pisa", "land"));
    assert_eq!(
        problems(&islands),
        [Problem::Unreachable { spaces: vec!["Elba".into()], main: "Genoa".into() }]
    );
    assert!(islands.apart("Elba").build().is_ok());
    b.apart("9");
    assert_eq!(problems(&b), [Problem::NotApart { space: "9".into(), main: "1".into() }]);
}

#[test]
fn a_board_is_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    shared(&picket_line().build().unwrap());
}

//! The map (pl:2) and the boxes beside it.

use adjutant_kernel::board::{Board, BoardBuilder, BorderSpec, LinkSpec, Provenance};
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::{BorderId, LinkId, PlaceId, RulebookBuilder, SideId, SpaceId};

use super::Picket;

const LINKS: [(&str, &str); 11] = [
    ("1", "2"),
    ("2", "3"),
    ("4", "5"),
    ("5", "6"),
    ("7", "8"),
    ("8", "9"),
    ("1", "4"),
    ("2", "5"),
    ("3", "6"),
    ("4", "7"),
    ("6", "9"),
];

/// The boxes of a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    /// Where bodies wait for the set-up.
    pub(crate) muster: PlaceId,
    pub(crate) road: PlaceId,
    pub(crate) field: PlaceId,
    pub(crate) reserve: PlaceId,
    pub(crate) pool: PlaceId,
    pub(crate) lost: PlaceId,
    /// Markers that were found.
    pub(crate) out: PlaceId,
}

/// The map by number.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// The links of each area with where they lead, by the number of that area.
    pub(crate) ways: Vec<Vec<(LinkId, SpaceId)>>,
    pub(crate) bridge: LinkId,
    pub(crate) ford: LinkId,
    /// The border that the ford crosses.
    pub(crate) ford_border: BorderId,
    pub(crate) boxes: [Boxes; 2],
}

/// Nine areas (pl:2.a) and, for either side, the boxes of pl:3.b.
pub(super) fn board() -> Result<Board, String> {
    let mut board = BoardBuilder::new("picket line", Provenance::reconstructed("made up for the test"));
    board.network("land");
    for area in 1..=9 {
        board.space(area.to_string());
    }
    for (from, to) in LINKS {
        board.link(LinkSpec::new(from, to, "land"));
    }
    for (a, b) in [("4", "7"), ("5", "8"), ("6", "9")] {
        board.border(BorderSpec::new(a, b));
    }
    for side in ["amber", "blue"] {
        for name in ["muster", "road", "field", "reserve", "pool", "lost", "out"] {
            board.holding_box(format!("{side}.{name}"));
        }
    }
    board.build().map_err(|problems| problems.to_string())
}

/// Finds everything on the board by name.
pub(super) fn map(rb: &mut RulebookBuilder) -> Map {
    let board = rb.board().clone();
    let mut missing = Vec::new();
    let mut place = |name: String| {
        board.place_named(&name).unwrap_or_else(|| {
            missing.push(name);
            PlaceId(0)
        })
    };
    let boxes = ["amber", "blue"].map(|side| Boxes {
        muster: place(format!("{side}.muster")),
        road: place(format!("{side}.road")),
        field: place(format!("{side}.field")),
        reserve: place(format!("{side}.reserve")),
        pool: place(format!("{side}.pool")),
        lost: place(format!("{side}.lost")),
        out: place(format!("{side}.out")),
    });
    let ways = (0..board.space_count() as u16)
        .map(|from| {
            let edges = board.links(SpaceId(from)).iter();
            let mut ways: Vec<_> = edges.map(|edge| (edge.link, edge.to)).collect();
            ways.sort_by_key(|&(_, to)| to);
            ways
        })
        .collect();
    let map = Map {
        ways,
        bridge: board.link_named("4-7").unwrap_or_default(),
        ford: board.link_named("6-9").unwrap_or_default(),
        ford_border: board.border_named("6|9").unwrap_or_default(),
        boxes,
    };
    for name in missing {
        rb.problem(format!("the board has no place `{name}`"));
    }
    map
}

/// The space of an area by its printed number.
pub(crate) const fn area(number: u16) -> SpaceId {
    SpaceId(number - 1)
}

/// The one open area (pl:2.c).
pub(crate) const OPEN: SpaceId = area(5);

/// All areas in the order of their numbers.
pub(crate) fn areas() -> impl Iterator<Item = SpaceId> {
    (0..9).map(SpaceId)
}

/// Whether an area is north of the river (pl:2.a).
pub(crate) fn is_north(area: SpaceId) -> bool {
    area.0 < 6
}

impl Picket {
    /// A side's home (pl:2.c).
    pub(crate) fn home(&self, side: SideId) -> [SpaceId; 3] {
        if side == self.amber { [area(7), area(8), area(9)] } else { [area(1), area(2), area(3)] }
    }

    /// Whether a link crosses the river (pl:2.a).
    pub(crate) fn crosses(&self, link: LinkId) -> bool {
        link == self.map.bridge || link == self.map.ford
    }

    /// Whether a group may march or press over a link now (pl:2.b).
    pub(crate) fn usable(&self, seen: &Seen<'_>, link: LinkId) -> bool {
        link != self.map.ford
            || !seen.rule_on(self.rules.usable)
            || !(seen.flag(self.high, self.map.ford_border) || seen.flag(self.used, link))
    }
}

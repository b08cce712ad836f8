//! The map: terrain, river, lines of fire.
//!
//! What hangs on terrain alone is worked out once; the tests compare it with the board's own answer.

use adjutant_kernel::board::{
    Board, BoardBuilder, BoardProblems, FeatureOn, FeatureSpec, Grazing, HexGridSpec, LinePolicy, OffMap,
    Orientation, Provenance, Shift, Sight,
};
use adjutant_kernel::{FeatureId, SpaceId};

const COLUMNS: u16 = 9;
const ROWS: u16 = 8;
/// The river runs below this row, from the west edge to the column [`RIVER_ENDS`].
const RIVER_BELOW: u16 = 4;
const RIVER_ENDS: u16 = 6;

/// A set of hexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hexes(u128);

impl Hexes {
    pub(crate) fn has(self, hex: SpaceId) -> bool {
        self.0 >> hex.0 & 1 == 1
    }

    pub(crate) fn add(&mut self, hex: SpaceId) {
        self.0 |= 1 << hex.0;
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hexes in the order of their numbers.
    pub(crate) fn iter(self) -> impl Iterator<Item = SpaceId> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let hex = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (hex < 128).then_some(SpaceId(hex as u16))
        })
    }
}

/// Features, and what follows from them for each hex.
pub(crate) struct Ground {
    pub(crate) woods: FeatureId,
    pub(crate) hill: FeatureId,
    pub(crate) town: FeatureId,
    pub(crate) river: FeatureId,
    pub(crate) bridge: FeatureId,
    pub(crate) ford: FeatureId,
    pub(crate) hedge: FeatureId,
    pub(crate) objectives: Hexes,
    /// The hexes beside each over a passable hexside (sk:3.d).
    pub(crate) open: Vec<Hexes>,
    /// The hexes to which each has a line of fire (sk:5.a).
    pub(crate) fire: Vec<Hexes>,
}

impl Ground {
    /// The ground of a board made by [`board`]; `None` if a feature is missing.
    pub(crate) fn of(board: &Board) -> Option<Self> {
        let feature = |name| board.feature_named(name);
        let objective = feature("objective")?;
        let mut ground = Self {
            woods: feature("woods")?,
            hill: feature("hill")?,
            town: feature("town")?,
            river: feature("river")?,
            bridge: feature("bridge")?,
            ford: feature("ford")?,
            hedge: feature("hedge")?,
            objectives: Hexes::default(),
            open: Vec::new(),
            fire: Vec::new(),
        };
        let spaces = || (0..board.space_count() as u16).map(SpaceId);
        for hex in spaces() {
            if board.has_feature_space(hex, objective) {
                ground.objectives.add(hex);
            }
            let (mut open, mut fire) = (Hexes::default(), Hexes::default());
            for edge in board.borders(hex) {
                let passable = !board.has_feature_border(edge.border, ground.river)
                    || board.has_feature_border(edge.border, ground.bridge)
                    || board.has_feature_border(edge.border, ground.ford);
                if let Some(to) = edge.to.filter(|_| passable) {
                    open.add(to);
                }
            }
            for to in spaces().filter(|&to| ground.line_of_fire(board, hex, to)) {
                fire.add(to);
            }
            ground.open.push(open);
            ground.fire.push(fire);
        }
        Some(ground)
    }

    /// Whether a gun has a line of fire from one hex to another (sk:5.a to sk:5.c).
    pub(crate) fn line_of_fire(&self, board: &Board, from: SpaceId, to: SpaceId) -> bool {
        if !board.distance(from, to).is_some_and(|d| (1..=3).contains(&d)) {
            return false;
        }
        let policy = LinePolicy {
            along_side: Grazing::BothBlock,
            through_vertex: Grazing::BothBlock,
            off_map: OffMap::Blocks,
        };
        let on_hill = board.has_feature_space(from, self.hill) || board.has_feature_space(to, self.hill);
        let sight = board.trace(
            from,
            to,
            policy,
            |hex| {
                board.has_feature_space(hex, self.woods)
                    || board.has_feature_space(hex, self.town)
                    || board.has_feature_space(hex, self.hill) && !on_hill
            },
            |side| board.has_feature_border(side, self.hedge),
        );
        sight == Some(Sight::Clear)
    }
}

/// The map.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn board() -> Result<Board, BoardProblems> {
    let printed = || Provenance::printed("sk:map");
    let mut builder = BoardBuilder::new("the bridge", printed());
    builder.network("land");
    for name in ["woods", "hill", "town", "objective"] {
        builder.feature(name, FeatureOn::Space, printed());
    }
    for name in ["river", "bridge", "ford", "hedge"] {
        builder.feature(name, FeatureOn::Border, printed());
    }
    builder.hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, COLUMNS, ROWS), ["land"]);
    builder
        .holding_box("away")
        .features(FeatureSpec::new("woods", ["0203", "0502", "0603", "0606", "0706", "0205", "0908"]))
        .features(FeatureSpec::new("hill", ["0804", "0805", "0406"]))
        .features(FeatureSpec::new("town", ["0303", "0506"]))
        .features(FeatureSpec::new("objective", ["0303", "0506", "0804"]))
        .features(FeatureSpec::new("river", river()))
        .features(FeatureSpec::new("bridge", ["0304|0305"]))
        .features(FeatureSpec::new("ford", ["0504|0505"]))
        .features(FeatureSpec::new("hedge", ["0703|0704", "0704|0803"]));
    builder.build()
}

/// The names of the river's hexsides: those between a hex of the row above it and one of the row below. Hexes of
/// even columns lie half a hex lower.
fn river() -> Vec<String> {
    let hex = |column: u16, row: u16| format!("{column:02}{row:02}");
    let mut sides = Vec::new();
    for column in 1..=RIVER_ENDS {
        sides.push(format!("{}|{}", hex(column, RIVER_BELOW), hex(column, RIVER_BELOW + 1)));
        if column % 2 == 1 {
            for even in [column - 1, column + 1].into_iter().filter(|c| (1..=RIVER_ENDS).contains(c)) {
                sides.push(format!("{}|{}", hex(column, RIVER_BELOW + 1), hex(even, RIVER_BELOW)));
            }
        }
    }
    sides
}

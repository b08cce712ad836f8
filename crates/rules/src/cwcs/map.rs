//! The map (2.2): areas, what lies in and between them.

use adjutant_kernel::board::Board;
use adjutant_kernel::{FeatureId, LinkId, RulebookBuilder, SpaceId};
use smallvec::SmallVec;

use super::pieces::Missing;

/// The features that boards must know.
pub(crate) const FEATURES: &[&str] = &[
    "clear",
    "rough",
    "mountain",
    "swamp",
    "defensible",
    "map edge",
    "major river",
    "ridge",
    "open",
    "road",
    "railroad",
    "crossing",
];

/// What lies in and between areas.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) terrain: [FeatureId; 4],
    pub(crate) rough: FeatureId,
    pub(crate) mountain: FeatureId,
    pub(crate) swamp: FeatureId,
    pub(crate) defensible: FeatureId,
    pub(crate) map_edge: FeatureId,
    pub(crate) major_river: FeatureId,
    pub(crate) ridge: FeatureId,
    pub(crate) open: FeatureId,
    pub(crate) road: FeatureId,
    pub(crate) railroad: FeatureId,
    pub(crate) crossing: FeatureId,
    /// Spaces with a terrain, in their order.
    pub(crate) areas: Vec<SpaceId>,
    /// For each space the areas next to it, in their order, whatever lies between.
    adjacent: Vec<SmallVec<[SpaceId; 8]>>,
    /// For each space the links to each area next to it by which units can ever pass.
    ways: Vec<SmallVec<[Way; 8]>>,
    /// For each space whether a road or railroad touches it.
    has_road: Vec<bool>,
}

/// A link by which units can pass to an area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) to: SpaceId,
    pub(crate) link: LinkId,
    /// It goes over a major river where the map shows no crossing point: a rule of the title may make it one.
    pub(crate) is_open: bool,
}

impl Map {
    pub(crate) fn find(rb: &RulebookBuilder, missing: &mut Missing) -> Self {
        let board = rb.board();
        let feature = |name: &str| board.feature_named(name).unwrap_or_default();
        let terrain = ["clear", "rough", "mountain", "swamp"].map(feature);
        let mut map = Self {
            terrain,
            rough: feature("rough"),
            mountain: feature("mountain"),
            swamp: feature("swamp"),
            defensible: feature("defensible"),
            map_edge: feature("map edge"),
            major_river: feature("major river"),
            ridge: feature("ridge"),
            open: feature("open"),
            road: feature("road"),
            railroad: feature("railroad"),
            crossing: feature("crossing"),
            areas: Vec::new(),
            adjacent: Vec::new(),
            ways: Vec::new(),
            has_road: Vec::new(),
        };
        let spaces = || (0..board.space_count() as u16).map(SpaceId);
        let is_area = |space: SpaceId| terrain.iter().any(|t| board.has_feature_space(space, *t));
        map.areas = spaces().filter(|&space| is_area(space)).collect();
        map.adjacent = spaces()
            .map(|space| {
                let links = board.links(space).iter().map(|edge| edge.to);
                let borders = board.borders(space).iter().filter_map(|edge| edge.to);
                let mut next: SmallVec<[SpaceId; 8]> = links.chain(borders).filter(|s| is_area(*s)).collect();
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        map.ways = spaces().map(|space| map.ways_from(board, space)).collect();
        map.has_road = spaces()
            .map(|space| board.links(space).iter().any(|edge| map.is_road(board, edge.link)))
            .collect();
        if map.areas.is_empty() {
            missing.found(None::<u8>, "areas with a terrain, such as", "clear");
        }
        map
    }

    /// The links from a space by which units can ever pass: open ways first, then roads, railroads, crossings, so that a
    /// road is used by those alone who need it.
    fn ways_from(&self, board: &Board, space: SpaceId) -> SmallVec<[Way; 8]> {
        let rank = |way: &Way| {
            let kinds = [self.open, self.road, self.railroad];
            kinds.iter().position(|kind| board.has_feature_link(way.link, *kind)).unwrap_or(kinds.len())
        };
        let way = |to, link| {
            let crosses = board.has_feature_link(link, self.crossing);
            let over_river = self.is_over_river(board, link);
            let leads =
                crosses || over_river || board.has_feature_link(link, self.open) || self.is_road(board, link);
            leads.then_some(Way { to, link, is_open: crosses || !over_river })
        };
        let mut ways: SmallVec<[Way; 8]> =
            board.links(space).iter().filter_map(|edge| way(edge.to, edge.link)).collect();
        ways.sort_by_key(rank);
        ways
    }

    /// The links from an area to another by which units can ever pass, the best first.
    pub(crate) fn ways(&self, from: SpaceId, to: SpaceId) -> impl Iterator<Item = Way> + '_ {
        self.ways_out(from).iter().copied().filter(move |way| way.to == to)
    }

    /// All links from an area by which units can ever pass, the best first.
    pub(crate) fn ways_out(&self, from: SpaceId) -> &[Way] {
        &self.ways[from.index()]
    }

    /// The areas next to one, whatever lies between.
    pub(crate) fn adjacent(&self, area: SpaceId) -> &[SpaceId] {
        &self.adjacent[area.index()]
    }

    /// Whether two areas are the same or next to one another.
    pub(crate) fn near(&self, a: SpaceId, b: SpaceId) -> bool {
        a == b || self.adjacent(a).contains(&b)
    }

    /// Whether a link is a road or a railroad.
    pub(crate) fn is_road(&self, board: &Board, link: LinkId) -> bool {
        board.has_feature_link(link, self.road) || board.has_feature_link(link, self.railroad)
    }

    /// Whether a road or railroad touches an area.
    pub(crate) fn has_road(&self, area: SpaceId) -> bool {
        self.has_road[area.index()]
    }

    /// Whether a link goes over a major river.
    pub(crate) fn is_over_river(&self, board: &Board, link: LinkId) -> bool {
        board.border_of_link(link).is_some_and(|border| board.has_feature_border(border, self.major_river))
    }
}

//! The board: spaces, links and borders, the same for a hex grid and an area map.
//!
//! A [`Board`] is compiled once by a [`BoardBuilder`], which reports all problems together, and never changes. It is
//! a graph of spaces with typed features on spaces (terrain, town), on borders (river, slope) and on links (road,
//! bridge), over which several networks run, and boxes that are no map spaces. Geometry is exact integer arithmetic;
//! searches run on flat arrays in a [`SearchScratch`] of the caller.
//!
//! Invariants kept here:
//! - Nothing is invented silently: the board and each type of feature have a [`Provenance`].
//! - No panic on input: every mistake in the data of a board is a [`Problem`]. Ids are not input; those of another
//!   board may panic.
//! - Order never depends on chance: neighbours, paths and lines come in the same order on every machine.

mod build;
mod compile;
mod feature;
mod geometry;
mod grid;
mod hex;
mod layout;
mod line;
mod names;
mod problem;
mod search;
mod spec;
mod trace;

pub use crate::provenance::Provenance;
pub use build::BoardBuilder;
pub use feature::FeatureOn;
pub use grid::{DigitOrder, HexDigits, HexGrid, HexGridSpec, Shift};
pub use hex::{Direction, Hex, Orientation};
pub use line::{Cell, Hexside, Line, LineStep};
pub use problem::{BoardProblems, Problem};
pub use search::{PathStep, SearchScratch, Ways};
pub use spec::{BorderSpec, FeatureSpec, LinkSpec};
pub use trace::{Grazing, LinePolicy, Obstacle, OffMap, Sight};

use crate::{BorderId, FeatureId, LinkId, NetworkId, PlaceId, SideId, SpaceId};
use feature::{FeatureBits, FeatureType};
use names::Names;

/// A way out of a space.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
/// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
/// builder.network("road").space("Ashby").space("Berry").link(LinkSpec::new("Ashby", "Berry", "road"));
/// let board = builder.build().unwrap();
/// let edge = board.links(board.space_named("Ashby").unwrap())[0];
/// assert_eq!(board.space_name(edge.to), "Berry");
/// assert_eq!((board.link_name(edge.link), board.network_name(edge.network)), ("Ashby-Berry", "road"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The link.
    pub link: LinkId,
    /// The space that it leads to.
    pub to: SpaceId,
    /// The network of the link.
    pub network: NetworkId,
}

/// A border of a space.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, HexGridSpec, Orientation, Provenance, Shift};
/// let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 1, 2), ["land"]);
/// let board = builder.build().unwrap();
/// let borders = board.borders(board.space_named("0101").unwrap());
/// assert_eq!(borders.len(), 6);
/// assert_eq!(borders.iter().filter(|edge| edge.to.is_none()).count(), 5); // at the map's edge
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BorderEdge {
    /// The border.
    pub border: BorderId,
    /// The space on its other side; `None` at the edge of a hex grid.
    pub to: Option<SpaceId>,
}

/// What a place is.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, PlaceKind, Provenance};
/// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
/// let board = builder.space("Ashby").holding_box("Turn 2").build().unwrap();
/// let place = |name| board.place(board.place_named(name).unwrap());
/// assert_eq!(place("Ashby"), PlaceKind::Space(board.space_named("Ashby").unwrap()));
/// assert_eq!(place("Turn 2"), PlaceKind::Box);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    /// A space of the map.
    Space(SpaceId),
    /// A box that is no map space: a track, holding box, pool.
    Box,
    /// A link on which pieces may stand.
    Link(LinkId),
    /// A border on which pieces may stand.
    Border(BorderId),
}

/// A compiled, immutable board.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, FeatureOn, FeatureSpec, LinkSpec, BorderSpec, Provenance};
/// let mut builder = BoardBuilder::new("picket line", Provenance::printed("pl:2"));
/// builder.network("land").feature("river", FeatureOn::Border, Provenance::printed("pl:2.a"));
/// builder.space("4").space("7").space("8");
/// builder.link(LinkSpec::new("4", "7", "land").named("bridge")).link(LinkSpec::new("7", "8", "land"));
/// builder.border(BorderSpec::new("4", "7")).features(FeatureSpec::new("river", ["4|7"]));
/// let board = builder.build().unwrap();
///
/// let (four, river) = (board.space_named("4").unwrap(), board.feature_named("river").unwrap());
/// let bridge = board.links(four)[0];
/// assert_eq!(board.link_name(bridge.link), "bridge");
/// assert_eq!(board.space_name(bridge.to), "7");
/// assert!(board.has_feature_border(board.border_of_link(bridge.link).unwrap(), river));
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    name: String,
    source: Provenance,
    spaces: Names,
    links: Names,
    borders: Names,
    networks: Names,
    features: Names,
    feature_types: Vec<FeatureType>,
    /// Sources of single links, borders and features.
    special_sources: Vec<(String, Provenance)>,

    /// Where the edges of each space begin, and the end of the last.
    edge_starts: Vec<u32>,
    edges: Vec<Edge>,
    border_starts: Vec<u32>,
    border_edges: Vec<BorderEdge>,
    meeting_starts: Vec<u32>,
    meetings: Vec<BorderId>,

    link_ends: Vec<(SpaceId, SpaceId)>,
    link_networks: Vec<NetworkId>,
    link_borders: Vec<Option<BorderId>>,
    one_way: Vec<bool>,
    /// A bit for each side that may never use the link.
    closed: Vec<u64>,
    border_ends: Vec<(SpaceId, Option<SpaceId>)>,

    places: Names,
    place_kinds: Vec<PlaceKind>,
    link_places: Vec<Option<PlaceId>>,
    border_places: Vec<Option<PlaceId>>,

    on_spaces: FeatureBits,
    on_borders: FeatureBits,
    on_links: FeatureBits,

    hexes: Option<HexMap>,
}

/// The hex grid of a board, tied to its spaces and borders.
#[derive(Clone, Debug)]
struct HexMap {
    grid: HexGrid,
    /// The space of the first hex; the others follow.
    first: u16,
    /// The borders of each hex by direction.
    sides: Vec<[BorderId; 6]>,
}

impl Board {
    /// The name of the board.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the board comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.source
    }

    /// Where the board, its types of features, and single links, borders and features that differ come from: what it
    /// is, such as `feature "river" on "4|7"`, and its source.
    ///
    /// ```
    /// use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
    /// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
    /// let guessed = Provenance::reconstructed("the fold hides it");
    /// builder.network("road").space("A").space("B").link(LinkSpec::new("A", "B", "road").source(guessed.clone()));
    /// let board = builder.build().unwrap();
    /// assert!(board.sources().any(|(what, source)| what.contains("A-B") && *source == guessed));
    /// ```
    pub fn sources(&self) -> impl Iterator<Item = (String, &Provenance)> {
        let board = std::iter::once((format!("board {:?}", self.name), &self.source));
        let types = self.features.iter().zip(&self.feature_types);
        let types = types.map(|(name, kind)| (format!("feature {name:?}"), &kind.source));
        board.chain(types).chain(self.special_sources.iter().map(|(what, source)| (what.clone(), source)))
    }

    /// Number of spaces; they are `SpaceId(0)` on.
    pub fn space_count(&self) -> usize {
        self.spaces.len()
    }

    /// Number of links.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Number of borders.
    pub fn border_count(&self) -> usize {
        self.borders.len()
    }

    /// Number of places in which pieces can stand: the spaces, boxes, and the links and borders declared so.
    pub fn place_count(&self) -> usize {
        self.place_kinds.len()
    }

    /// Number of networks.
    pub fn network_count(&self) -> usize {
        self.networks.len()
    }

    /// Number of types of features.
    pub fn feature_count(&self) -> usize {
        self.features.len()
    }

    /// The name of a space: its hex number or the name of the area.
    pub fn space_name(&self, space: SpaceId) -> &str {
        self.spaces.name(space.index())
    }

    /// The name of a link.
    pub fn link_name(&self, link: LinkId) -> &str {
        self.links.name(link.index())
    }

    /// The name of a border.
    pub fn border_name(&self, border: BorderId) -> &str {
        self.borders.name(border.index())
    }

    /// The name of a place: that of its space, box, link or border.
    pub fn place_name(&self, place: PlaceId) -> &str {
        self.places.name(place.index())
    }

    /// The name of a network.
    pub fn network_name(&self, network: NetworkId) -> &str {
        self.networks.name(network.index())
    }

    /// The name of a type of feature.
    pub fn feature_name(&self, feature: FeatureId) -> &str {
        self.features.name(feature.index())
    }

    /// The space with this name.
    pub fn space_named(&self, name: &str) -> Option<SpaceId> {
        self.spaces.number(name).map(SpaceId)
    }

    /// The link with this name; `a-b` is also found as `b-a`.
    pub fn link_named(&self, name: &str) -> Option<LinkId> {
        self.links.number_either_way(name, '-').map(LinkId)
    }

    /// The border with this name; `a|b` is also found as `b|a`.
    pub fn border_named(&self, name: &str) -> Option<BorderId> {
        self.borders.number_either_way(name, '|').map(BorderId)
    }

    /// The place with this name: a space, box, or a link or border in which pieces can stand.
    pub fn place_named(&self, name: &str) -> Option<PlaceId> {
        self.places.number(name).map(PlaceId)
    }

    /// The network with this name.
    pub fn network_named(&self, name: &str) -> Option<NetworkId> {
        self.networks.number(name).map(|number| NetworkId(number as u8))
    }

    /// The type of feature with this name.
    pub fn feature_named(&self, name: &str) -> Option<FeatureId> {
        self.features.number(name).map(FeatureId)
    }

    /// What a place is.
    #[inline]
    pub fn place(&self, place: PlaceId) -> PlaceKind {
        self.place_kinds[place.index()]
    }

    /// The place of a space.
    #[inline]
    pub fn place_of_space(&self, space: SpaceId) -> PlaceId {
        PlaceId(space.0)
    }

    /// The place of a link, if pieces may stand on it.
    #[inline]
    pub fn place_of_link(&self, link: LinkId) -> Option<PlaceId> {
        self.link_places[link.index()]
    }

    /// The place of a border, if pieces may stand on it.
    #[inline]
    pub fn place_of_border(&self, border: BorderId) -> Option<PlaceId> {
        self.border_places[border.index()]
    }

    /// The boxes, in the order of their declaration.
    pub fn boxes(&self) -> impl Iterator<Item = PlaceId> {
        let kinds = self.place_kinds.iter().enumerate();
        kinds.filter(|(_, kind)| **kind == PlaceKind::Box).map(|(number, _)| PlaceId(number as u16))
    }

    /// The ways out of a space over all networks, by `to`, then by link. A one-way link is listed only where it
    /// leaves. Closed links are listed: see [`Board::closed_for`].
    #[inline]
    pub fn links(&self, space: SpaceId) -> &[Edge] {
        row(&self.edge_starts, &self.edges, space.index())
    }

    /// Both ends of a link; a one-way link leads from the first to the second.
    #[inline]
    pub fn link_ends(&self, link: LinkId) -> (SpaceId, SpaceId) {
        self.link_ends[link.index()]
    }

    /// The end of a link that is not `space` (its first end if `space` is neither).
    #[inline]
    pub fn other_end(&self, link: LinkId, space: SpaceId) -> SpaceId {
        let (a, b) = self.link_ends[link.index()];
        if space == a { b } else { a }
    }

    /// The network of a link.
    #[inline]
    pub fn link_network(&self, link: LinkId) -> NetworkId {
        self.link_networks[link.index()]
    }

    /// Whether a link leads only from its first end to its second.
    #[inline]
    pub fn is_one_way(&self, link: LinkId) -> bool {
        self.one_way[link.index()]
    }

    /// Whether a link is never open for a side.
    ///
    /// ```
    /// use adjutant_kernel::SideId;
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("bay", Provenance::printed("map"));
    /// # builder.network("sea").space("Port").space("Sound");
    /// builder.link(LinkSpec::new("Port", "Sound", "sea").closed_for(SideId(1)));
    /// let board = builder.build().unwrap();
    /// let passage = board.link_named("Port-Sound").unwrap();
    /// assert!(board.closed_for(passage, SideId(1)) && !board.closed_for(passage, SideId(0)));
    /// ```
    #[inline]
    pub fn closed_for(&self, link: LinkId, side: SideId) -> bool {
        side.0 < 64 && self.closed[link.index()] >> side.0 & 1 == 1
    }

    /// The border that a link crosses: that between its ends.
    #[inline]
    pub fn border_of_link(&self, link: LinkId) -> Option<BorderId> {
        self.link_borders[link.index()]
    }

    /// The borders of a space, by the space beyond, those at the map's edge first.
    #[inline]
    pub fn borders(&self, space: SpaceId) -> &[BorderEdge] {
        row(&self.border_starts, &self.border_edges, space.index())
    }

    /// The spaces on both sides of a border; a hexside at the edge of the grid has only the first.
    #[inline]
    pub fn border_ends(&self, border: BorderId) -> (SpaceId, Option<SpaceId>) {
        self.border_ends[border.index()]
    }

    /// The border between two spaces, whether a link crosses it or not.
    pub fn border_between(&self, a: SpaceId, b: SpaceId) -> Option<BorderId> {
        self.borders(a).iter().find(|edge| edge.to == Some(b)).map(|edge| edge.border)
    }

    /// The borders that meet this one at one of its two ends, ascending.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 3, 3), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hexside = board.border_named("0202|0203").unwrap();
    /// assert_eq!(board.borders_meeting(hexside).len(), 4); // two at each end
    /// ```
    #[inline]
    pub fn borders_meeting(&self, border: BorderId) -> &[BorderId] {
        row(&self.meeting_starts, &self.meetings, border.index())
    }

    /// What a type of feature lies on.
    pub fn feature_on(&self, feature: FeatureId) -> FeatureOn {
        self.feature_types[feature.index()].on
    }

    /// Whether a space has a feature.
    #[inline]
    pub fn has_feature_space(&self, space: SpaceId, feature: FeatureId) -> bool {
        self.on_spaces.has(space.index(), feature)
    }

    /// Whether a border has a feature.
    #[inline]
    pub fn has_feature_border(&self, border: BorderId, feature: FeatureId) -> bool {
        self.on_borders.has(border.index(), feature)
    }

    /// Whether a link has a feature.
    #[inline]
    pub fn has_feature_link(&self, link: LinkId, feature: FeatureId) -> bool {
        self.on_links.has(link.index(), feature)
    }

    /// The value of a feature on a space; `None` without the feature and where it has no value.
    pub fn feature_value_space(&self, space: SpaceId, feature: FeatureId) -> Option<i32> {
        self.on_spaces.value(space.index(), feature)
    }

    /// The value of a feature on a border; `None` without the feature and where it has no value.
    pub fn feature_value_border(&self, border: BorderId, feature: FeatureId) -> Option<i32> {
        self.on_borders.value(border.index(), feature)
    }

    /// The value of a feature on a link; `None` without the feature and where it has no value.
    pub fn feature_value_link(&self, link: LinkId, feature: FeatureId) -> Option<i32> {
        self.on_links.value(link.index(), feature)
    }

    /// The features of a space, ascending.
    ///
    /// ```
    /// use adjutant_kernel::board::{BoardBuilder, FeatureOn, FeatureSpec, Provenance};
    /// let mut builder = BoardBuilder::new("island", Provenance::printed("map"));
    /// for feature in ["hills", "port", "woods"] {
    ///     builder.feature(feature, FeatureOn::Space, Provenance::printed("map"));
    /// }
    /// builder.space("Malta");
    /// builder.features(FeatureSpec::new("port", ["Malta"])).features(FeatureSpec::new("hills", ["Malta"]));
    /// let board = builder.build().unwrap();
    /// let malta = board.space_named("Malta").unwrap();
    /// let names: Vec<_> = board.features_of_space(malta).map(|feature| board.feature_name(feature)).collect();
    /// assert_eq!(names, ["hills", "port"]); // in the order of their declaration
    /// ```
    pub fn features_of_space(&self, space: SpaceId) -> impl Iterator<Item = FeatureId> {
        self.on_spaces.of(space.index())
    }

    /// The features of a border, ascending.
    pub fn features_of_border(&self, border: BorderId) -> impl Iterator<Item = FeatureId> {
        self.on_borders.of(border.index())
    }

    /// The features of a link, ascending.
    pub fn features_of_link(&self, link: LinkId) -> impl Iterator<Item = FeatureId> {
        self.on_links.of(link.index())
    }

    /// The bits of the sides that may never use a link.
    #[inline]
    fn closed_mask(&self, link: LinkId) -> u64 {
        self.closed[link.index()]
    }
}

/// A row of a flat table of rows.
#[inline]
fn row<'a, T>(starts: &[u32], items: &'a [T], number: usize) -> &'a [T] {
    &items[starts[number] as usize..starts[number + 1] as usize]
}

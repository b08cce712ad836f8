//! From declarations to a [`Board`]: names are resolved, problems collected, neighbours laid out in flat arrays.

use super::build::{BoardBuilder, Holders};
use super::feature::{FeatureBits, FeatureOn, FeatureType};
use super::grid::HexGrid;
use super::hex::Direction;
use super::names::Names;
use super::problem::Problem;
use super::provenance::Provenance;
use super::{Board, BorderEdge, Edge, HexMap, PlaceKind};
use crate::{BorderId, FeatureId, LinkId, NetworkId, PlaceId, SpaceId};
use petgraph::unionfind::UnionFind;
use std::collections::HashMap;

/// Ids are `u16`, and the last is kept free.
const MOST_IDS: usize = u16::MAX as usize;
/// Searches choose networks, and links their closed sides, by the bits of a `u64`.
const MOST_BITS: usize = 64;

pub(super) struct Compiler<'a> {
    from: &'a BoardBuilder,
    problems: Vec<Problem>,
    /// The grid has problems, so that hex numbers cannot be looked up.
    grid_failed: bool,
    /// A link is lost for another problem, so that nothing can be said about unreachable spaces.
    link_lost: bool,
    grid: Option<(HexGrid, u16)>,
    networks: Names,
    features: Names,
    spaces: Names,
    links: Names,
    borders: Names,
    link_list: Vec<Link>,
    border_ends: Vec<(SpaceId, Option<SpaceId>)>,
    /// By the spaces on both sides, the lower first.
    border_by_ends: HashMap<(SpaceId, SpaceId), BorderId>,
    sides: Vec<[BorderId; 6]>,
    meetings: Vec<(BorderId, BorderId)>,
    holding_links: Vec<bool>,
    holding_borders: Vec<bool>,
    sources: Vec<(String, Provenance)>,
}

struct Link {
    ends: (SpaceId, SpaceId),
    network: NetworkId,
    one_way: bool,
    closed: u64,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(from: &'a BoardBuilder) -> Self {
        Self {
            from,
            problems: Vec::new(),
            grid_failed: false,
            link_lost: false,
            grid: None,
            networks: Names::default(),
            features: Names::default(),
            spaces: Names::default(),
            links: Names::default(),
            borders: Names::default(),
            link_list: Vec::new(),
            border_ends: Vec::new(),
            border_by_ends: HashMap::new(),
            sides: Vec::new(),
            meetings: Vec::new(),
            holding_links: Vec::new(),
            holding_borders: Vec::new(),
            sources: Vec::new(),
        }
    }

    pub(super) fn compile(mut self) -> Result<Board, Vec<Problem>> {
        let from = self.from;
        self.need_source(&from.source, || format!("board {:?}", from.name));
        for network in &from.networks {
            push_name(&mut self.networks, &mut self.problems, "network", network);
        }
        for (feature, _, source) in &from.features {
            push_name(&mut self.features, &mut self.problems, "feature", feature);
            self.need_source(source, || format!("feature {feature:?}"));
        }
        self.spaces();
        // Numbers beyond those of an id mean nothing, so that nothing more can be looked up.
        self.enough("networks", self.networks.len(), MOST_BITS)?;
        self.enough("features", self.features.len(), MOST_IDS)?;
        self.enough("spaces", self.spaces.len(), MOST_IDS)?;
        self.grid_links()?;
        self.links();
        self.enough("links", self.links.len(), MOST_IDS)?;
        self.grid_borders()?;
        self.borders();
        self.enough("borders", self.borders.len(), MOST_IDS)?;
        self.grid_meetings();
        self.meetings();
        let (on_spaces, on_borders, on_links) = self.placements();
        self.holders(&on_borders, &on_links);
        self.reachable();
        self.layout(on_spaces, on_borders, on_links)
    }

    fn spaces(&mut self) {
        let from = self.from;
        if from.more_grids > 0 {
            self.problems.push(Problem::SecondGrid);
        }
        let before = from.grid.as_ref().map_or(0, |grid| grid.after_areas);
        for area in &from.areas[..before] {
            push_name(&mut self.spaces, &mut self.problems, "space", area);
        }
        if let Some(declaration) = &from.grid {
            match declaration.spec.build() {
                Ok(grid) => {
                    for hex in grid.hexes() {
                        let name = grid.label(*hex).unwrap_or_default();
                        push_name(&mut self.spaces, &mut self.problems, "space", name);
                    }
                    self.grid = Some((grid, before as u16));
                }
                Err(problems) => {
                    self.problems.extend(problems);
                    self.grid_failed = true;
                }
            }
        }
        for area in &from.areas[before..] {
            push_name(&mut self.spaces, &mut self.problems, "space", area);
        }
        if self.spaces.len() == 0 && !self.grid_failed {
            self.problems.push(Problem::NoSpaces);
        }
    }

    fn grid_links(&mut self) -> Result<(), Vec<Problem>> {
        let Some(declaration) = &self.from.grid else { return Ok(()) };
        for name in &declaration.networks {
            let Some(network) = self.find_network(name, || "the hex grid".into()) else {
                self.link_lost = true;
                continue;
            };
            let Some((grid, first)) = self.grid.take() else { continue };
            for (index, hex) in grid.hexes().iter().enumerate() {
                for direction in Direction::ALL {
                    let beyond = grid.index_of(hex.neighbour(direction)).filter(|beyond| *beyond > index);
                    let Some(beyond) = beyond else { continue };
                    let ends = (SpaceId(first + index as u16), SpaceId(first + beyond as u16));
                    let (a, b) = (self.spaces.name(ends.0.index()), self.spaces.name(ends.1.index()));
                    let name = link_name(a, b, network, &self.networks);
                    push_name(&mut self.links, &mut self.problems, "link", &name);
                    self.link_list.push(Link { ends, network, one_way: false, closed: 0 });
                }
                self.enough("links", self.links.len(), MOST_IDS)?;
            }
            self.grid = Some((grid, first));
        }
        self.holding_links = vec![false; self.link_list.len()];
        Ok(())
    }

    fn links(&mut self) {
        for link in &self.from.links {
            let network = self.networks.number(&link.network).map(|number| NetworkId(number as u8));
            let name = link.name.clone().unwrap_or_else(|| {
                link_name(&link.from, &link.to, network.unwrap_or_default(), &self.networks)
            });
            let place = || format!("link {name:?}");
            if let Some(source) = &link.source {
                self.need_source(source, place);
                self.sources.push((place(), source.clone()));
            }
            let mut closed = 0;
            for side in &link.closed_for {
                match 1u64.checked_shl(u32::from(side.0)) {
                    Some(bit) => closed |= bit,
                    None => self.problems.push(Problem::SideTooLarge { place: place(), side: side.0 }),
                }
            }
            let network = self.find_network(&link.network, place);
            let ends = (self.find_space(&link.from, place), self.find_space(&link.to, place));
            let (Some(network), (Some(a), Some(b))) = (network, ends) else {
                self.link_lost = true;
                continue;
            };
            if a == b {
                self.problems.push(Problem::SameEnds { place: place(), space: link.from.clone() });
            }
            push_name(&mut self.links, &mut self.problems, "link", &name);
            self.link_list.push(Link { ends: (a, b), network, one_way: link.one_way, closed });
            self.holding_links.push(link.holds_pieces);
        }
    }

    fn grid_borders(&mut self) -> Result<(), Vec<Problem>> {
        let Some((grid, first)) = self.grid.take() else { return Ok(()) };
        self.sides = vec![[BorderId::default(); 6]; grid.hexes().len()];
        for (index, hex) in grid.hexes().iter().enumerate() {
            let here = SpaceId(first + index as u16);
            for direction in Direction::ALL {
                let beyond = grid.index_of(hex.neighbour(direction));
                self.sides[index][direction.index()] = match beyond {
                    Some(beyond) if beyond < index => self.sides[beyond][direction.opposite().index()],
                    _ => {
                        let border = BorderId(self.border_ends.len() as u16);
                        let to = beyond.map(|beyond| SpaceId(first + beyond as u16));
                        let far = match to {
                            Some(to) => self.spaces.name(to.index()),
                            None => direction.name(grid.orientation()),
                        };
                        let name = format!("{}|{far}", self.spaces.name(here.index()));
                        push_name(&mut self.borders, &mut self.problems, "border", &name);
                        self.border_ends.push((here, to));
                        if let Some(to) = to {
                            self.border_by_ends.insert((here.min(to), here.max(to)), border);
                        }
                        border
                    }
                };
            }
            self.enough("borders", self.borders.len(), MOST_IDS)?;
        }
        self.holding_borders = vec![false; self.border_ends.len()];
        self.grid = Some((grid, first));
        Ok(())
    }

    fn borders(&mut self) {
        for border in &self.from.borders {
            let name = border.label();
            let place = || format!("border {name:?}");
            if let Some(source) = &border.source {
                self.need_source(source, place);
                self.sources.push((place(), source.clone()));
            }
            let ends = (self.find_space(&border.a, place), self.find_space(&border.b, place));
            let (Some(a), Some(b)) = ends else { continue };
            if a == b {
                self.problems.push(Problem::SameEnds { place: place(), space: border.a.clone() });
                continue;
            }
            let id = BorderId(self.border_ends.len() as u16);
            if let Some(before) = self.border_by_ends.get(&(a.min(b), a.max(b))) {
                self.problems.push(Problem::DuplicateBorder {
                    place: place(),
                    a: border.a.clone(),
                    b: border.b.clone(),
                    first: self.borders.name(before.index()).to_owned(),
                });
                continue;
            }
            self.border_by_ends.insert((a.min(b), a.max(b)), id);
            push_name(&mut self.borders, &mut self.problems, "border", &name);
            self.border_ends.push((a, Some(b)));
            self.holding_borders.push(border.holds_pieces);
        }
    }

    /// Two hexsides meet if they end at the same corner of a hex.
    fn grid_meetings(&mut self) {
        let Some((grid, _)) = &self.grid else { return };
        for (index, hex) in grid.hexes().iter().enumerate() {
            for direction in Direction::ALL {
                let (one, next) = (direction.index(), direction.turned(1).index());
                self.meetings.push((self.sides[index][one], self.sides[index][next]));
                // The third hexside of the corner lies between the two hexes beyond.
                let beyond = grid.index_of(hex.neighbour(direction));
                let third = match (beyond, grid.index_of(hex.neighbour(direction.turned(1)))) {
                    (Some(beyond), _) => self.sides[beyond][direction.turned(2).index()],
                    (None, Some(beyond)) => self.sides[beyond][direction.turned(-1).index()],
                    (None, None) => continue,
                };
                self.meetings.push((self.sides[index][one], third));
                self.meetings.push((self.sides[index][next], third));
            }
        }
    }

    fn meetings(&mut self) {
        for (a, b) in &self.from.meetings {
            let place = || format!("the meeting of borders {a:?} and {b:?}");
            let ends = (self.find_border(a, place), self.find_border(b, place));
            let (Some(one), Some(other)) = ends else { continue };
            if one == other {
                self.problems.push(Problem::MeetsItself { border: a.clone() });
            } else {
                self.meetings.push((one, other));
            }
        }
    }

    fn placements(&mut self) -> (FeatureBits, FeatureBits, FeatureBits) {
        let features = self.features.len();
        let mut on_spaces = FeatureBits::new(self.spaces.len(), features);
        let mut on_borders = FeatureBits::new(self.borders.len(), features);
        let mut on_links = FeatureBits::new(self.links.len(), features);
        for placement in &self.from.placements {
            let name = &placement.feature;
            let place = || format!("feature {name:?}");
            let Some(feature) = self.find_feature(name, || "a feature on the board".into()) else { continue };
            if let Some(source) = &placement.source {
                self.need_source(source, || format!("feature {name:?} on {}", placement.places.join(", ")));
            }
            for holder in &placement.places {
                let (bits, number) = match self.from.features[feature.index()].1 {
                    FeatureOn::Space => (&mut on_spaces, self.find_space(holder, place).map(|id| id.index())),
                    FeatureOn::Border => {
                        (&mut on_borders, self.find_border(holder, place).map(|id| id.index()))
                    }
                    FeatureOn::Link => (&mut on_links, self.find_link(holder, place).map(|id| id.index())),
                };
                let Some(number) = number else { continue };
                if !bits.put(number, feature, placement.value) {
                    self.problems
                        .push(Problem::DuplicateFeature { feature: name.clone(), place: holder.clone() });
                }
                if let Some(source) = &placement.source {
                    self.sources.push((format!("feature {name:?} on {holder:?}"), source.clone()));
                }
            }
        }
        (on_spaces, on_borders, on_links)
    }

    fn holders(&mut self, on_borders: &FeatureBits, on_links: &FeatureBits) {
        let place = || "where pieces may stand".to_owned();
        for holder in &self.from.holders {
            match holder {
                Holders::Link(name) => {
                    if let Some(link) = self.find_link(name, place) {
                        self.holding_links[link.index()] = true;
                    }
                }
                Holders::Border(name) => {
                    if let Some(border) = self.find_border(name, place) {
                        self.holding_borders[border.index()] = true;
                    }
                }
                Holders::Feature(name) => {
                    let Some(feature) = self.find_feature(name, place) else { continue };
                    let (bits, holding) = match self.from.features[feature.index()].1 {
                        FeatureOn::Border => (on_borders, &mut self.holding_borders),
                        FeatureOn::Link => (on_links, &mut self.holding_links),
                        FeatureOn::Space => {
                            self.problems.push(Problem::WrongHolder {
                                feature: name.clone(),
                                right: FeatureOn::Space,
                                wrong: "links or borders",
                            });
                            continue;
                        }
                    };
                    for (number, holds) in holding.iter_mut().enumerate() {
                        *holds |= bits.has(number, feature);
                    }
                }
            }
        }
    }

    /// Every space must be joined to the first one by links of any network, whichever way they lead.
    fn reachable(&mut self) {
        let apart: Vec<(&String, Option<SpaceId>)> = self
            .from
            .apart
            .iter()
            .map(|name| (name, self.find_space(name, || "spaces apart".into())))
            .collect();
        if self.link_lost || self.grid_failed || self.spaces.len() == 0 {
            return;
        }
        let mut joined = UnionFind::<u16>::new(self.spaces.len());
        for link in &self.link_list {
            joined.union(link.ends.0.0, link.ends.1.0);
        }
        let main = joined.find(0);
        let main_name = self.spaces.name(0).to_owned();
        let mut excused = vec![false; self.spaces.len()];
        for (name, space) in apart {
            let Some(space) = space else { continue };
            let group = joined.find(space.0);
            if group == main {
                self.problems.push(Problem::NotApart { space: name.clone(), main: main_name.clone() });
            }
            excused[group as usize] = true;
        }
        let mut groups: Vec<(u16, Vec<String>)> = Vec::new();
        for space in 0..self.spaces.len() as u16 {
            let group = joined.find(space);
            if group == main || excused[group as usize] {
                continue;
            }
            let name = self.spaces.name(space as usize).to_owned();
            match groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, names)) => names.push(name),
                None => groups.push((group, vec![name])),
            }
        }
        let problem = |(_, spaces)| Problem::Unreachable { spaces, main: main_name.clone() };
        self.problems.extend(groups.into_iter().map(problem));
    }

    fn layout(
        mut self,
        on_spaces: FeatureBits,
        on_borders: FeatureBits,
        on_links: FeatureBits,
    ) -> Result<Board, Vec<Problem>> {
        let (places, place_kinds) = self.places();
        self.enough("places", places.len(), MOST_IDS)?;
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let mut link_places = vec![None; self.links.len()];
        let mut border_places = vec![None; self.borders.len()];
        for (number, kind) in place_kinds.iter().enumerate() {
            let place = Some(PlaceId(number as u16));
            match kind {
                PlaceKind::Space(_) | PlaceKind::Box => {}
                PlaceKind::Link(link) => link_places[link.index()] = place,
                PlaceKind::Border(border) => border_places[border.index()] = place,
            }
        }

        let spaces = self.spaces.len();
        let mut edges = Vec::new();
        for (number, link) in self.link_list.iter().enumerate() {
            let (a, b) = link.ends;
            let edge = |to| Edge { link: LinkId(number as u16), to, network: link.network };
            edges.push((a.index(), edge(b)));
            if !link.one_way {
                edges.push((b.index(), edge(a)));
            }
        }
        edges.sort_unstable_by_key(|(from, edge)| (*from, edge.to, edge.link));
        let mut border_edges = Vec::new();
        for (number, (a, b)) in self.border_ends.iter().enumerate() {
            let border = BorderId(number as u16);
            border_edges.push((a.index(), BorderEdge { border, to: *b }));
            if let Some(b) = b {
                border_edges.push((b.index(), BorderEdge { border, to: Some(*a) }));
            }
        }
        border_edges.sort_unstable_by_key(|(from, edge)| (*from, edge.to, edge.border));
        let mut meetings: Vec<(usize, BorderId)> =
            self.meetings.iter().flat_map(|(a, b)| [(a.index(), *b), (b.index(), *a)]).collect();
        meetings.sort_unstable();
        meetings.dedup();

        let (edge_starts, edges) = rows(spaces, edges);
        let (border_starts, border_edges) = rows(spaces, border_edges);
        let (meeting_starts, meetings) = rows(self.borders.len(), meetings);
        let sides = self.sides;
        let links = &self.link_list;
        let border_of = |link: &Link| {
            let (a, b) = link.ends;
            self.border_by_ends.get(&(a.min(b), a.max(b))).copied()
        };
        Ok(Board {
            name: self.from.name.clone(),
            source: self.from.source.clone(),
            feature_types: self
                .from
                .features
                .iter()
                .map(|(_, on, source)| FeatureType { on: *on, source: source.clone() })
                .collect(),
            special_sources: self.sources,
            edge_starts,
            edges,
            border_starts,
            border_edges,
            meeting_starts,
            meetings,
            link_ends: links.iter().map(|link| link.ends).collect(),
            link_networks: links.iter().map(|link| link.network).collect(),
            link_borders: links.iter().map(border_of).collect(),
            one_way: links.iter().map(|link| link.one_way).collect(),
            closed: links.iter().map(|link| link.closed).collect(),
            border_ends: self.border_ends,
            spaces: self.spaces,
            links: self.links,
            borders: self.borders,
            networks: self.networks,
            features: self.features,
            places,
            place_kinds,
            link_places,
            border_places,
            on_spaces,
            on_borders,
            on_links,
            hexes: self.grid.map(|(grid, first)| HexMap { grid, first, sides }),
        })
    }

    /// The places: spaces, boxes, holding links, holding borders. Their names must be told apart.
    fn places(&mut self) -> (Names, Vec<PlaceKind>) {
        let mut places = Names::default();
        let mut kinds = Vec::new();
        for (number, name) in self.spaces.iter().enumerate() {
            places.push(name);
            kinds.push(PlaceKind::Space(SpaceId(number as u16)));
        }
        let mut names = Names::default();
        for name in &self.from.boxes {
            push_name(&mut names, &mut self.problems, "box", name);
        }
        let boxes = names.iter().map(|name| (name, PlaceKind::Box));
        let links = self.links.iter().zip(&self.holding_links).enumerate();
        let links = links
            .filter(|(_, (_, holds))| **holds)
            .map(|(number, (name, _))| (name, PlaceKind::Link(LinkId(number as u16))));
        let borders = self.borders.iter().zip(&self.holding_borders).enumerate();
        let borders = borders
            .filter(|(_, (_, holds))| **holds)
            .map(|(number, (name, _))| (name, PlaceKind::Border(BorderId(number as u16))));
        for (name, kind) in boxes.chain(links).chain(borders) {
            let before = places.number(name).map(|number| kind_name(kinds[number as usize]));
            if let Some(first) = before.filter(|first| *first != kind_name(kind)) {
                let second = kind_name(kind);
                self.problems.push(Problem::AmbiguousPlace { name: name.to_owned(), first, second });
            }
            places.push(name);
            kinds.push(kind);
        }
        (places, kinds)
    }

    fn find_space(&mut self, name: &str, place: impl Fn() -> String) -> Option<SpaceId> {
        let found = self.spaces.number(name).map(SpaceId);
        if found.is_none() && !self.grid_failed {
            let numeric = name.starts_with(|first: char| first.is_ascii_digit());
            self.problems.push(match &self.grid {
                Some((grid, _)) if numeric => grid.bad_number(name, place()),
                _ => unknown("space", name, place(), &self.spaces),
            });
        }
        found
    }

    fn find_network(&mut self, name: &str, place: impl Fn() -> String) -> Option<NetworkId> {
        let found = self.networks.number(name).map(|number| NetworkId(number as u8));
        if found.is_none() {
            self.problems.push(unknown("network", name, place(), &self.networks));
        }
        found
    }

    fn find_feature(&mut self, name: &str, place: impl Fn() -> String) -> Option<FeatureId> {
        let found = self.features.number(name).map(FeatureId);
        if found.is_none() {
            self.problems.push(unknown("feature", name, place(), &self.features));
        }
        found
    }

    fn find_link(&mut self, name: &str, place: impl Fn() -> String) -> Option<LinkId> {
        let found = self.links.number_either_way(name, '-').map(LinkId);
        if found.is_none() && !self.grid_failed && !self.link_lost {
            self.problems.push(unknown("link", name, place(), &self.links));
        }
        found
    }

    fn find_border(&mut self, name: &str, place: impl Fn() -> String) -> Option<BorderId> {
        let found = self.borders.number_either_way(name, '|').map(BorderId);
        if found.is_none() && !self.grid_failed {
            self.problems.push(unknown("border", name, place(), &self.borders));
        }
        found
    }

    fn need_source(&mut self, source: &Provenance, place: impl Fn() -> String) {
        if source.text().trim().is_empty() {
            self.problems.push(Problem::EmptyProvenance { place: place() });
        }
    }

    fn enough(&mut self, what: &'static str, count: usize, most: usize) -> Result<(), Vec<Problem>> {
        if count <= most {
            return Ok(());
        }
        self.problems.push(Problem::TooMany { what, most });
        Err(std::mem::take(&mut self.problems))
    }
}

fn push_name(names: &mut Names, problems: &mut Vec<Problem>, what: &'static str, name: &str) {
    if name.trim().is_empty() {
        problems.push(Problem::EmptyName { what });
    }
    if !names.push(name) {
        problems.push(Problem::DuplicateName { what, name: name.to_owned() });
    }
}

fn unknown(what: &'static str, name: &str, place: String, names: &Names) -> Problem {
    Problem::Unknown { what, name: name.to_owned(), place, nearest: names.nearest(name) }
}

fn link_name(a: &str, b: &str, network: NetworkId, networks: &Names) -> String {
    if network == NetworkId(0) {
        format!("{a}-{b}")
    } else {
        format!("{a}-{b} ({})", networks.name(network.index()))
    }
}

fn kind_name(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::Space(_) => "space",
        PlaceKind::Box => "box",
        PlaceKind::Link(_) => "link",
        PlaceKind::Border(_) => "border",
    }
}

/// Lays sorted items out in rows: where each row begins (and the last ends), and the items.
fn rows<T>(count: usize, sorted: Vec<(usize, T)>) -> (Vec<u32>, Vec<T>) {
    let mut starts = vec![0u32; count + 1];
    for (row, _) in &sorted {
        starts[row + 1] += 1;
    }
    for row in 0..count {
        starts[row + 1] += starts[row];
    }
    (starts, sorted.into_iter().map(|(_, item)| item).collect())
}

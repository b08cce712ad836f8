//! From declarations to a [`Board`]: names are resolved and problems collected.

use super::Board;
use super::build::{BoardBuilder, Holders};
use super::feature::{FeatureBits, FeatureOn};
use super::grid::HexGrid;
use super::hex::Direction;
use super::names::Names;
use super::problem::Problem;
use crate::provenance::Provenance;
use crate::{BorderId, FeatureId, LinkId, NetworkId, SpaceId};
use petgraph::unionfind::UnionFind;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Ids are `u16`, and the last is kept free.
pub(super) const MOST_IDS: usize = u16::MAX as usize;
/// Searches choose networks, and links their closed sides, by the bits of a `u64`.
const MOST_BITS: usize = 64;

pub(super) struct Compiler<'a> {
    pub(super) from: &'a BoardBuilder,
    pub(super) problems: Vec<Problem>,
    /// The grid has problems, so that hex numbers cannot be looked up.
    pub(super) grid_failed: bool,
    /// A link is lost for another problem, so that nothing can be said about unreachable spaces.
    pub(super) link_lost: bool,
    pub(super) grid: Option<(HexGrid, u16)>,
    pub(super) networks: Names,
    pub(super) features: Names,
    pub(super) spaces: Names,
    pub(super) links: Names,
    pub(super) borders: Names,
    pub(super) link_list: Vec<Link>,
    pub(super) border_ends: Vec<(SpaceId, Option<SpaceId>)>,
    /// By the spaces on both sides, the lower first.
    pub(super) border_by_ends: HashMap<(SpaceId, SpaceId), BorderId>,
    pub(super) sides: Vec<[BorderId; 6]>,
    pub(super) meetings: Vec<(BorderId, BorderId)>,
    pub(super) holding_links: Vec<bool>,
    pub(super) holding_borders: Vec<bool>,
    pub(super) sources: Vec<(String, Provenance)>,
}

pub(super) struct Link {
    pub(super) ends: (SpaceId, SpaceId),
    pub(super) network: NetworkId,
    pub(super) one_way: bool,
    pub(super) closed: u64,
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

    /// Links of any network, whichever way they lead, must join every space to the largest part of the board.
    fn reachable(&mut self) {
        let mut apart = Vec::new();
        for name in &self.from.apart {
            apart.extend(self.find_space(name, || "spaces apart".into()).map(|space| (name, space)));
        }
        let spaces = self.spaces.len();
        if self.link_lost || self.grid_failed || spaces == 0 {
            return;
        }
        let mut joined = UnionFind::<u16>::new(spaces);
        for link in &self.link_list {
            joined.union(link.ends.0.0, link.ends.1.0);
        }
        let mut parts: Vec<Vec<u16>> = vec![Vec::new(); spaces];
        for space in 0..spaces as u16 {
            parts[joined.find(space) as usize].push(space);
        }
        let mut excused = vec![false; spaces];
        for (_, space) in &apart {
            excused[joined.find(space.0) as usize] = true;
        }
        // Of the largest parts, that with the lowest space.
        let main =
            (0..spaces).max_by_key(|part| (parts[*part].len(), Reverse(parts[*part].first().copied())));
        let main = main.unwrap_or_default();
        let main_name = || self.spaces.name(parts[main][0] as usize).to_owned();
        let not_apart = apart.iter().filter(|(_, space)| joined.find(space.0) as usize == main && spaces > 1);
        self.problems.extend(
            not_apart.map(|(name, _)| Problem::NotApart { space: (*name).clone(), main: main_name() }),
        );
        let mut lost: Vec<&Vec<u16>> = (0..spaces)
            .filter(|part| *part != main && !excused[*part] && !parts[*part].is_empty())
            .map(|part| &parts[part])
            .collect();
        lost.sort_unstable();
        if self.link_list.is_empty() && !lost.is_empty() {
            self.problems.push(Problem::NoLinks { spaces });
            return;
        }
        let names =
            |part: &Vec<u16>| part.iter().map(|space| self.spaces.name(*space as usize).to_owned()).collect();
        let problems =
            lost.into_iter().map(|part| Problem::Unreachable { spaces: names(part), main: main_name() });
        self.problems.extend(problems);
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

    pub(super) fn enough(
        &mut self,
        what: &'static str,
        count: usize,
        most: usize,
    ) -> Result<(), Vec<Problem>> {
        if count <= most {
            return Ok(());
        }
        self.problems.push(Problem::TooMany { what, most });
        Err(std::mem::take(&mut self.problems))
    }
}

pub(super) fn push_name(names: &mut Names, problems: &mut Vec<Problem>, what: &'static str, name: &str) {
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

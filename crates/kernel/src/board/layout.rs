//! The last step of a compilation: places are numbered, neighbours laid out in flat arrays.

use super::compile::{Compiler, Link, MOST_IDS, push_name};
use super::feature::{FeatureBits, FeatureType};
use super::names::Names;
use super::problem::Problem;
use super::{Board, BorderEdge, Edge, HexMap, PlaceKind};
use crate::{BorderId, LinkId, PlaceId, SpaceId};

impl Compiler<'_> {
    pub(super) fn layout(
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

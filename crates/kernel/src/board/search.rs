//! Searches over the links: cheapest path, what can be reached within a budget, lines of communication.
//!
//! Shortest paths by Dijkstra over a ring of 64 buckets, one a unit of cost, with a heap for the rare step that costs
//! more. The answer does not depend on the order in which spaces are taken: of the cheapest paths, the one of the
//! fewest links counts, and of those, reading back from the end, the one by the lowest previous space and link.

use super::{Board, Edge};
use crate::{LinkId, NetworkId, SideId, SpaceId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which links a search may use: those of some networks, open for a side.
///
/// ```
/// use adjutant_kernel::{NetworkId, SideId, board::Ways};
/// let roads_of_union = Ways::over([NetworkId(0)]).open_for(SideId(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    networks: u64,
    side: u64,
}

/// A step of a path.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, LinkSpec, PathStep, Provenance, SearchScratch, Ways};
/// # let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
/// # builder.network("road").space("Ashby").space("Berry").link(LinkSpec::new("Ashby", "Berry", "road"));
/// # let board = builder.build().unwrap();
/// let (a, b) = (board.space_named("Ashby").unwrap(), board.space_named("Berry").unwrap());
/// let mut scratch = SearchScratch::default();
/// board.cheapest_path(&mut scratch, Ways::all(), a, b, |_, _| Some(1));
/// let road = board.link_named("Ashby-Berry").unwrap();
/// assert_eq!(scratch.path_to(b), [PathStep { from: a, link: road, to: b }]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The space that the step leaves.
    pub from: SpaceId,
    /// The link.
    pub link: LinkId,
    /// The space that it enters.
    pub to: SpaceId,
}

/// Buffers of the searches, and the result of the last one. Reuse it: once it has seen the board, searches allocate
/// nothing.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, HexGridSpec, Orientation, Provenance, SearchScratch, Shift, Ways};
/// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5), ["land"]);
/// # let board = builder.build().unwrap();
/// let hex = |number| board.space_named(number).unwrap();
/// let mut scratch = SearchScratch::default();
/// board.reachable(&mut scratch, Ways::all(), [hex("0303")], 4, |_, _| Some(2)); // two hexes at two points each
/// assert_eq!(scratch.cost(hex("0305")), Some(4));
/// assert!(!scratch.is_reached(hex("0105")));
/// assert_eq!(scratch.reached().count(), 19);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    nodes: Vec<Node>,
    /// Nodes of other searches have other stamps.
    stamp: u32,
    queue: Buckets,
    path: Vec<PathStep>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    stamp: u32,
    cost: u32,
    /// Links of the path from the source.
    hops: u16,
    from: SpaceId,
    link: LinkId,
    /// Its neighbours have been looked at since the path last changed.
    expanded: bool,
}

impl Ways {
    /// All networks, links closed for any side included.
    pub fn all() -> Self {
        Self { networks: u64::MAX, side: 0 }
    }

    /// These networks and no others, links closed for any side included; none at all is no way at all. A network
    /// that no board can have (from 64 on) adds nothing.
    pub fn over(networks: impl IntoIterator<Item = NetworkId>) -> Self {
        let bit = |network: NetworkId| 1u64.checked_shl(u32::from(network.0)).unwrap_or(0);
        Self { networks: networks.into_iter().fold(0, |bits, network| bits | bit(network)), side: 0 }
    }

    /// Only links that are not closed for this side on the board.
    pub fn open_for(self, side: SideId) -> Self {
        Self { side: 1u64.checked_shl(u32::from(side.0)).unwrap_or(0), ..self }
    }
}

impl Board {
    /// The cost of the cheapest path between two spaces; [`SearchScratch::path_to`] gives the path. `None` if there
    /// is none. A path from a space to itself costs 0.
    ///
    /// `cost` is that of leaving a space by an edge, in any unit; `None` if it is closed now. It is asked in no promised
    /// order, and not about every edge.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// let grid = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 5);
    /// let board = builder.network("land").hex_grid(grid, ["land"]).build().unwrap();
    /// let (a, b) = (board.space_named("0101").unwrap(), board.space_named("0503").unwrap());
    /// let mut scratch = SearchScratch::default();
    /// assert_eq!(board.cheapest_path(&mut scratch, Ways::all(), a, b, |_, _| Some(2)), Some(8));
    /// assert_eq!(scratch.path_to(b).len(), 4);
    /// ```
    pub fn cheapest_path(
        &self,
        scratch: &mut SearchScratch,
        ways: Ways,
        from: SpaceId,
        to: SpaceId,
        cost: impl FnMut(SpaceId, &Edge) -> Option<u32>,
    ) -> Option<u32> {
        scratch.search(self, ways, [from], u32::MAX, Some(to), cost);
        scratch.cost(to)
    }

    /// Finds all spaces that cost at most `budget` from the nearest of the sources, for
    /// [`SearchScratch::reached`], [`SearchScratch::cost`] and [`SearchScratch::path_to`].
    ///
    /// A space that must be entered but not left (an enemy zone of control) is one from which `cost` says `None`.
    /// `cost` is not asked about steps that cannot matter.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 1), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// let watched = hex("0301"); // must be entered and not left
    /// let cost = |from, _: &Edge| (from != watched).then_some(1);
    /// let mut scratch = SearchScratch::default();
    /// board.reachable(&mut scratch, Ways::all(), [hex("0101")], 9, cost);
    /// assert!(scratch.is_reached(watched) && !scratch.is_reached(hex("0401")));
    /// ```
    pub fn reachable(
        &self,
        scratch: &mut SearchScratch,
        ways: Ways,
        sources: impl IntoIterator<Item = SpaceId>,
        budget: u32,
        cost: impl FnMut(SpaceId, &Edge) -> Option<u32>,
    ) {
        scratch.search(self, ways, sources, budget, None, cost);
    }

    /// Finds all spaces joined to one of the sources by edges that `passes` lets through: lines of communication.
    /// The cost of a space is the number of links to the nearest source. The sources are always reached.
    ///
    /// ```
    /// use adjutant_kernel::board::*;
    /// # let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
    /// # builder.network("land").hex_grid(HexGridSpec::new(Orientation::FlatTop, Shift::Second, 5, 1), ["land"]);
    /// # let board = builder.build().unwrap();
    /// let hex = |number| board.space_named(number).unwrap();
    /// let mut supply = SearchScratch::default();
    /// let enemy = hex("0401");
    /// board.flood(&mut supply, Ways::all(), [hex("0101")], |_, edge| edge.to != enemy);
    /// assert_eq!((supply.cost(hex("0301")), supply.cost(hex("0501"))), (Some(2), None));
    /// ```
    pub fn flood(
        &self,
        scratch: &mut SearchScratch,
        ways: Ways,
        sources: impl IntoIterator<Item = SpaceId>,
        mut passes: impl FnMut(SpaceId, &Edge) -> bool,
    ) {
        scratch.search(self, ways, sources, u32::MAX, None, |from, edge| passes(from, edge).then_some(1));
    }
}

impl SearchScratch {
    /// What the last search found a space to cost; `None` if it did not reach it. After
    /// [`Board::cheapest_path`] only the costs of the spaces on the path are final.
    #[inline]
    pub fn cost(&self, space: SpaceId) -> Option<u32> {
        self.nodes
            .get(space.index())
            .filter(|node| node.stamp == self.stamp && self.stamp > 0)
            .map(|node| node.cost)
    }

    /// Whether the last search reached a space.
    #[inline]
    pub fn is_reached(&self, space: SpaceId) -> bool {
        self.cost(space).is_some()
    }

    /// The spaces that the last search reached and their costs, in the order of their numbers.
    pub fn reached(&self) -> impl Iterator<Item = (SpaceId, u32)> {
        (0..self.nodes.len()).filter_map(|number| {
            let space = SpaceId(number as u16);
            self.cost(space).map(|cost| (space, cost))
        })
    }

    /// The path by which the last search reached a space, from the source on; empty at a source, and if it was not
    /// reached.
    pub fn path_to(&mut self, space: SpaceId) -> &[PathStep] {
        self.path.clear();
        let mut to = space;
        while self.is_reached(to) && self.nodes[to.index()].hops > 0 {
            let node = self.nodes[to.index()];
            self.path.push(PathStep { from: node.from, link: node.link, to });
            to = node.from;
        }
        self.path.reverse();
        &self.path
    }

    fn begin(&mut self, spaces: usize) {
        self.queue.clear();
        // Another board may have fewer spaces; those beyond keep old stamps.
        if self.nodes.len() < spaces {
            self.nodes.resize(spaces, Node::default());
        }
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.nodes.fill(Node::default());
                1
            }
        };
    }

    fn search(
        &mut self,
        board: &Board,
        ways: Ways,
        sources: impl IntoIterator<Item = SpaceId>,
        budget: u32,
        target: Option<SpaceId>,
        mut cost: impl FnMut(SpaceId, &Edge) -> Option<u32>,
    ) {
        self.begin(board.space_count());
        let stamp = self.stamp;
        for source in sources {
            self.nodes[source.index()] =
                Node { stamp, cost: 0, hops: 0, expanded: false, from: source, link: LinkId::default() };
            self.queue.push(0, source);
        }
        while let Some(now) = self.queue.advance() {
            if target.and_then(|target| self.cost(target)).is_some_and(|found| found < now) {
                return;
            }
            // A step that costs nothing may add to the bucket that is being emptied.
            while let Some(space) = self.queue.pop() {
                let node = &mut self.nodes[space.index()];
                if node.cost != now || node.expanded {
                    continue;
                }
                node.expanded = true;
                let hops = node.hops.saturating_add(1);
                for edge in board.links(space) {
                    let open = ways.networks >> edge.network.0 & 1 == 1
                        && (ways.side == 0 || board.closed_mask(edge.link) & ways.side == 0);
                    if !open {
                        continue;
                    }
                    // No step from here makes a space cheaper that was found for less already.
                    let found = self.nodes[edge.to.index()];
                    if found.stamp == stamp && found.cost < now {
                        continue;
                    }
                    let Some(total) = cost(space, edge).and_then(|step| now.checked_add(step)) else {
                        continue;
                    };
                    if total > budget {
                        continue;
                    }
                    let next = &mut self.nodes[edge.to.index()];
                    let fresh = next.stamp != stamp;
                    if fresh || (total, hops) < (next.cost, next.hops) {
                        *next =
                            Node { stamp, cost: total, hops, expanded: false, from: space, link: edge.link };
                        self.queue.push(total, edge.to);
                    } else if (total, hops) == (next.cost, next.hops)
                        && (space, edge.link) < (next.from, next.link)
                    {
                        (next.from, next.link) = (space, edge.link);
                    }
                }
            }
        }
    }
}

/// A queue of spaces by cost. What is pushed costs no less than what was last popped.
#[derive(Clone, Debug)]
struct Buckets {
    now: u32,
    /// Bit `c % 64` is set if the bucket of cost `c` (`now` to `now + 63`) is not empty.
    filled: u64,
    /// The first entry of each bucket.
    heads: [u32; 64],
    entries: Vec<Entry>,
    /// Costs from `now + 64` on, when they were pushed.
    far: BinaryHeap<Reverse<(u32, SpaceId)>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    next: u32,
    space: SpaceId,
}

const END: u32 = u32::MAX;

impl Default for Buckets {
    fn default() -> Self {
        Self { now: 0, filled: 0, heads: [END; 64], entries: Vec::new(), far: BinaryHeap::new() }
    }
}

impl Buckets {
    fn clear(&mut self) {
        self.now = 0;
        self.filled = 0;
        self.entries.clear();
        self.far.clear();
    }

    #[inline]
    fn push(&mut self, cost: u32, space: SpaceId) {
        if cost - self.now >= 64 {
            self.far.push(Reverse((cost, space)));
            return;
        }
        let bucket = (cost % 64) as usize;
        let next = if self.filled >> bucket & 1 == 1 { self.heads[bucket] } else { END };
        self.filled |= 1 << bucket;
        self.heads[bucket] = self.entries.len() as u32;
        self.entries.push(Entry { next, space });
    }

    /// Goes on to the lowest cost in the queue.
    #[inline]
    fn advance(&mut self) -> Option<u32> {
        let near =
            (self.filled != 0).then(|| self.now + self.filled.rotate_right(self.now % 64).trailing_zeros());
        let far = self.far.peek().map(|Reverse((cost, _))| *cost);
        self.now = match (near, far) {
            (Some(near), Some(far)) => near.min(far),
            (near, far) => near.or(far)?,
        };
        while let Some(Reverse((cost, space))) = self.far.peek().copied()
            && cost == self.now
        {
            self.far.pop();
            self.push(cost, space);
        }
        Some(self.now)
    }

    /// Takes a space from the bucket of the present cost.
    #[inline]
    fn pop(&mut self) -> Option<SpaceId> {
        let bucket = (self.now % 64) as usize;
        if self.filled >> bucket & 1 == 0 {
            return None;
        }
        let entry = self.entries[self.heads[bucket] as usize];
        self.heads[bucket] = entry.next;
        if entry.next == END {
            self.filled &= !(1 << bucket);
        }
        Some(entry.space)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BoardBuilder, HexGridSpec, Orientation, Provenance, Shift};
    use super::*;

    fn capacities(scratch: &SearchScratch) -> [usize; 4] {
        let queue = &scratch.queue;
        [scratch.nodes.capacity(), scratch.path.capacity(), queue.entries.capacity(), queue.far.capacity()]
    }

    #[test]
    fn a_warm_scratch_allocates_nothing_and_outlives_its_stamps() {
        let mut builder = BoardBuilder::new("field", Provenance::printed("test"));
        let spec = HexGridSpec::new(Orientation::FlatTop, Shift::Second, 20, 20);
        let board = builder.network("land").hex_grid(spec, ["land"]).build().unwrap();
        let mut scratch = SearchScratch::default();
        let cost = |from: SpaceId, edge: &Edge| Some(1 + u32::from(from.0 ^ edge.to.0) % 100);
        let (a, b) = (SpaceId(0), SpaceId(399));
        let first = board.cheapest_path(&mut scratch, Ways::all(), a, b, cost);
        let path = scratch.path_to(b).to_vec();
        let warm = capacities(&scratch);
        scratch.stamp = u32::MAX - 2;
        for _ in 0..5 {
            assert_eq!(board.cheapest_path(&mut scratch, Ways::all(), a, b, cost), first);
            assert_eq!(scratch.path_to(b), path);
            board.flood(&mut scratch, Ways::all(), [a], |_, _| false);
            assert_eq!(scratch.reached().count(), 1);
        }
        assert_eq!(capacities(&scratch), warm);
    }
}

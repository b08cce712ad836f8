//! Where everything stands: one tree of places, stacks and bodies.
//!
//! Every body hangs on exactly one node - a place, a stack, or another body (its command) - and every stack
//! hangs on a place. Children are ordered: the first child of a stack is its top body, the first stack of a
//! place the oldest.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// A node: places first, then bodies, then stacks.
pub(crate) type Node = u16;

/// No node.
pub(crate) const NONE: Node = u16::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Links {
    parent: Node,
    prev: Node,
    next: Node,
    first: Node,
    last: Node,
}

const LOOSE: Links = Links { parent: NONE, prev: NONE, next: NONE, first: NONE, last: NONE };

/// Where in an order something is put.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::ops::Dest;
/// use adjutant_kernel::state::Position;
/// Field::where_first(|ids, cx| {
///     let stack = cx.read().stacks(ids.hill).next().unwrap();
///     let top = cx.read().bodies(stack).next().unwrap();
///     cx.move_group(ids.march, &[top], Dest::Stack(stack, Position::Bottom))?;
///     assert_eq!(cx.read().bodies(stack).last(), Some(top));
///     Ok(())
/// });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Position {
    /// Before all others: the top of a stack.
    Top,
    /// After all others: the bottom of a stack, the newest of a place.
    Bottom,
}

/// What a node is.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::{PlaceId, Read};
/// use adjutant_kernel::state::Spot;
/// # let Field { rulebook, state, ids, .. } = Field::start();
/// let read = Read::new(&rulebook, &state);
/// let spot = |piece| read.body_of(piece).and_then(|body| read.spot(body));
/// assert!(matches!(spot(ids.horse), Some(Spot::Stack(_))));
/// assert_eq!(spot(ids.guns), Some(Spot::Place(PlaceId(ids.ford.0))));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Spot {
    /// A space, box, link or border.
    Place(PlaceId),
    /// A stack.
    Stack(StackId),
    /// Another body, whose command it is.
    Body(BodyId),
}

impl From<PlaceId> for Spot {
    fn from(place: PlaceId) -> Self {
        Self::Place(place)
    }
}

impl From<SpaceId> for Spot {
    fn from(space: SpaceId) -> Self {
        Self::Place(PlaceId(space.0))
    }
}

impl From<StackId> for Spot {
    fn from(stack: StackId) -> Self {
        Self::Stack(stack)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Tree {
    nodes: Vec<Links>,
    places: u16,
    bodies: u16,
}

impl Tree {
    pub(crate) fn new(places: u16, bodies: u16) -> Self {
        Self { nodes: vec![LOOSE; usize::from(places) + usize::from(bodies)], places, bodies }
    }

    #[inline]
    pub(crate) fn node(&self, spot: Spot) -> Node {
        match spot {
            Spot::Place(p) => p.0,
            Spot::Body(b) => self.places + b.0,
            Spot::Stack(s) => self.places + self.bodies + s.0,
        }
    }

    #[inline]
    pub(crate) fn spot(&self, node: Node) -> Spot {
        if node < self.places {
            Spot::Place(PlaceId(node))
        } else if node < self.places + self.bodies {
            Spot::Body(BodyId(node - self.places))
        } else {
            Spot::Stack(StackId(node - self.places - self.bodies))
        }
    }

    /// A stack that hangs nowhere: the lowest free number.
    pub(crate) fn new_stack(&mut self, is_free: impl Fn(StackId) -> bool) -> StackId {
        let first = usize::from(self.places + self.bodies);
        let count = self.nodes.len() - first;
        for n in 0..count {
            if is_free(StackId(n as u16)) {
                self.nodes[first + n] = LOOSE;
                return StackId(n as u16);
            }
        }
        self.nodes.push(LOOSE);
        StackId(count as u16)
    }

    #[inline]
    pub(crate) fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.nodes[usize::from(node)].parent;
        (parent != NONE).then_some(parent)
    }

    /// The body that a node is, if it is one.
    #[inline]
    pub(crate) fn body(&self, node: Node) -> Option<BodyId> {
        // Nodes before the first body wrap to numbers beyond the last.
        let number = node.wrapping_sub(self.places);
        (number < self.bodies).then_some(BodyId(number))
    }

    /// The stack that a node is, if it is one.
    #[inline]
    pub(crate) fn stack(&self, node: Node) -> Option<StackId> {
        let before = self.places + self.bodies;
        (node >= before).then(|| StackId(node - before))
    }

    /// The place at the root of the chain of parents of a body or stack; `None` when it hangs nowhere.
    #[inline]
    pub(crate) fn place(&self, mut node: Node) -> Option<PlaceId> {
        loop {
            node = self.nodes[usize::from(node)].parent;
            if node < self.places {
                return Some(PlaceId(node));
            }
            if node == NONE {
                return None;
            }
        }
    }

    #[inline]
    pub(crate) fn children(&self, node: Node) -> Children<'_> {
        Children { tree: self, next: self.nodes[usize::from(node)].first }
    }

    #[inline]
    pub(crate) fn first(&self, node: Node) -> Option<Node> {
        let first = self.nodes[usize::from(node)].first;
        (first != NONE).then_some(first)
    }

    #[inline]
    pub(crate) fn next_sibling(&self, node: Node) -> Option<Node> {
        let next = self.nodes[usize::from(node)].next;
        (next != NONE).then_some(next)
    }

    pub(crate) fn detach(&mut self, node: Node) {
        let Links { parent, prev, next, .. } = self.nodes[usize::from(node)];
        if parent == NONE {
            return;
        }
        match prev {
            NONE => self.nodes[usize::from(parent)].first = next,
            _ => self.nodes[usize::from(prev)].next = next,
        }
        match next {
            NONE => self.nodes[usize::from(parent)].last = prev,
            _ => self.nodes[usize::from(next)].prev = prev,
        }
        let links = &mut self.nodes[usize::from(node)];
        (links.parent, links.prev, links.next) = (NONE, NONE, NONE);
    }

    /// Hangs `node`, taken from wherever it was, on `parent`. The caller has made sure that `parent` is not
    /// below `node`.
    pub(crate) fn attach(&mut self, node: Node, parent: Node, position: Position) {
        self.detach(node);
        let Links { first, last, .. } = self.nodes[usize::from(parent)];
        let (prev, next) = match position {
            Position::Top => (NONE, first),
            Position::Bottom => (last, NONE),
        };
        match prev {
            NONE => self.nodes[usize::from(parent)].first = node,
            _ => self.nodes[usize::from(prev)].next = node,
        }
        match next {
            NONE => self.nodes[usize::from(parent)].last = node,
            _ => self.nodes[usize::from(next)].prev = node,
        }
        let links = &mut self.nodes[usize::from(node)];
        (links.parent, links.prev, links.next) = (parent, prev, next);
    }

    /// Whether `node` is `root` or hangs below it.
    pub(crate) fn below(&self, node: Node, root: Node) -> bool {
        let mut at = Some(node);
        while let Some(n) = at {
            if n == root {
                return true;
            }
            at = self.parent(n);
        }
        false
    }
}

pub(crate) struct Children<'a> {
    tree: &'a Tree,
    next: Node,
}

impl Iterator for Children<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        if self.next == NONE {
            return None;
        }
        let node = self.next;
        self.next = self.tree.nodes[usize::from(node)].next;
        Some(node)
    }
}

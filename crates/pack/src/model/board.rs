//! `boards/*.ron`: maps. All files together make one board.

use schemars::JsonSchema;

use super::Source;
use crate::read::{Entries, FromNode, Name, Reading, Spanned, Taking, default, record, variants};
use crate::tree::{Node, Value};

record! {
    /// A map: a hex grid, areas, or both, and boxes.
    pub struct Board {
        /// Its name.
        pub title: String,
        /// Where it comes from.
        pub source: Option<Source>,
        /// Networks of links (land, river, rail), the usual one first.
        pub networks: Vec<Name> = default,
        /// The hex grid.
        pub grid: Option<Grid>,
        /// Areas.
        pub spaces: Entries<Space> = default,
        /// Places that are no map spaces: tracks, holding boxes, pools.
        pub boxes: Vec<Name> = default,
        /// Links by network: `"land": [("Hill", "Mill"), ..]`.
        pub links: Entries<Vec<Spanned<Link>>> = default,
        /// Borders between areas; hexes have theirs already.
        pub borders: Vec<Spanned<Border>> = default,
        /// Types of features, and where they are.
        pub features: Entries<FeatureKind> = default,
        /// Pairs of borders that meet at an end; hexsides know theirs.
        pub meet: Vec<(Name, Name)> = default,
        /// On what else than spaces and boxes pieces may stand.
        pub holding: Holding = default,
        /// How frontends may draw it.
        pub drawing: Option<Drawing>,
    }

    /// An area.
    pub struct Space {
        /// Features of it.
        pub features: Vec<Name> = default,
        /// No links need lead here.
        pub apart: bool = default,
        /// Where frontends draw it.
        pub at: Option<(i32, i32)>,
    }

    /// A hex grid.
    pub struct Grid {
        /// How the hexes lie.
        pub orientation: Orientation,
        /// Which columns (flat-top) or rows (pointy-top) are shifted by half a hex.
        pub shifted: Shifted,
        /// Number of columns.
        pub columns: Spanned<u16>,
        /// Number of rows.
        pub rows: Spanned<u16>,
        /// How the hexes are numbered.
        pub numbering: Numbering = default,
        /// Missing hexes.
        pub holes: Vec<Name> = default,
        /// The names of the hexes if they are no regular numbers: a list for each row, from the top, its hexes
        /// from the left; an empty name is a missing hex.
        pub labels: Option<Vec<Vec<Name>>>,
        /// The number of hexes of each column (flat-top) or row (pointy-top), if they differ.
        pub lengths: Option<Vec<u16>>,
        /// The networks in which adjacent hexes are linked.
        pub networks: Vec<Name> = default,
    }

    /// A border between two areas.
    pub struct Border {
        /// One area.
        pub a: Name,
        /// The other.
        pub b: Name,
        /// Its name, if not `a|b`.
        pub name: Option<String>,
        /// Features of it.
        pub features: Vec<Name> = default,
        /// Pieces may stand on it.
        pub holds_pieces: bool = default,
        /// Where it comes from, if not whence the board does.
        pub source: Option<Source>,
    }

    /// A type of feature, and where it is.
    pub struct FeatureKind {
        /// What it lies on.
        pub on: On,
        /// Where it comes from, if not whence the board does.
        pub source: Option<Source>,
        /// Where it is.
        pub places: Vec<Name> = default,
        /// Where it is with a value.
        pub values: Entries<i32> = default,
        /// Where it comes from in single places, if not whence the rest does.
        pub sources: Entries<Source> = default,
    }

    /// How frontends may draw a board; nothing of the game hangs on it. Points are counted in a unit of the pack's own
    /// from the upper left corner, first to the right and then down.
    pub struct Drawing {
        /// Width and height.
        pub size: (i32, i32),
        /// The outlines of spaces, a polygon each.
        pub outlines: Entries<Vec<(i32, i32)>> = default,
        /// Rivers, roads and what else runs over the map.
        pub lines: Vec<DrawnLine> = default,
        /// Where links, borders, boxes and spaces have their mark (a bridge, a ferry).
        pub marks: Entries<(i32, i32)> = default,
    }

    /// A line that is drawn.
    pub struct DrawnLine {
        /// What it is (river, road).
        pub kind: String,
        /// Its name.
        pub name: String,
        /// The points that it runs through.
        pub points: Vec<(i32, i32)>,
    }

    /// Links and borders on which pieces may stand.
    #[derive(Default)]
    pub struct Holding {
        /// These links.
        pub links: Vec<Name> = default,
        /// These borders.
        pub borders: Vec<Name> = default,
        /// All links or borders with these features.
        pub features: Vec<Name> = default,
    }

    /// How hexes are numbered: `0101` unless said otherwise.
    #[derive(Default)]
    pub struct Numbering {
        /// Which part comes first.
        pub order: Order = default,
        /// Number of the leftmost column (1).
        pub first_column: Option<i32>,
        /// Number of the top row (1).
        pub first_row: Option<i32>,
        /// What is added from a column to the next (1).
        pub column_step: Option<i32>,
        /// What is added from a row to the next (1).
        pub row_step: Option<i32>,
        /// Digits of a column (2).
        pub column_digits: Option<u8>,
        /// Digits of a row (2).
        pub row_digits: Option<u8>,
        /// What stands between the two.
        pub separator: String = default,
    }
}

variants! {
    /// How hexes lie.
    pub enum Orientation {
        /// A side on top.
        FlatTop,
        /// A corner on top.
        PointyTop,
    }

    /// Which lines are shifted.
    pub enum Shifted {
        /// The first, third, fifth ...
        First,
        /// The second, fourth, sixth ...
        Second,
    }

    /// Which part of a hex number comes first.
    #[derive(Default)]
    pub enum Order {
        /// The column.
        #[default]
        ColumnRow,
        /// The row.
        RowColumn,
    }

    /// What a feature lies on.
    pub enum On {
        /// Spaces.
        Space,
        /// Borders.
        Border,
        /// Links.
        Link,
    }
}

/// A link between two spaces: `("Hill", "Mill")`, or with more `(from: "Hill", to: "Mill", one_way: true)`.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Link {
    /// One end.
    pub from: Name,
    /// The other.
    pub to: Name,
    /// Its name, needed where several join the same two spaces.
    pub name: Option<String>,
    /// Leads only from the first to the second.
    #[schemars(default)]
    pub one_way: bool,
    /// Sides for which it is never open.
    #[schemars(default)]
    pub closed_for: Vec<Name>,
    /// Features of it.
    #[schemars(default)]
    pub features: Vec<Name>,
    /// Pieces may stand on it.
    #[schemars(default)]
    pub holds_pieces: bool,
    /// Where it comes from, if not whence the board does.
    pub source: Option<Source>,
}

impl FromNode for Link {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        if matches!(&node.value, Value::Tuple { items, .. } if !items.is_empty()) {
            let (from, to) = <(Name, Name)>::from_node(node, cx)?;
            let (closed_for, features) = (Vec::new(), Vec::new());
            let (one_way, holds_pieces) = (false, false);
            let (name, source) = (None, None);
            return Some(Self { from, to, name, one_way, closed_for, features, holds_pieces, source });
        }
        let known = ["from", "to", "name", "one_way", "closed_for", "features", "holds_pieces", "source"];
        let fields = Taking::open(node, "Link", &known, cx)?;
        let (from, to) = (fields.take("from", None, cx), fields.take("to", None, cx));
        let name = fields.take("name", Some(None), cx);
        let one_way = fields.take("one_way", Some(false), cx);
        let closed_for = fields.take("closed_for", Some(default()), cx);
        let features = fields.take("features", Some(default()), cx);
        let holds_pieces = fields.take("holds_pieces", Some(false), cx);
        let source = fields.take("source", Some(None), cx);
        Some(Self {
            from: from?,
            to: to?,
            name: name?,
            one_way: one_way?,
            closed_for: closed_for?,
            features: features?,
            holds_pieces: holds_pieces?,
            source: source?,
        })
    }
}

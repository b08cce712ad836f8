//! The builder of a board: it takes what a map says in any order and reports all problems together.

use super::compile::Compiler;
use super::feature::FeatureOn;
use super::grid::HexGridSpec;
use super::problem::BoardProblems;
use super::spec::{BorderSpec, FeatureSpec, LinkSpec};
use super::{Board, Problem};
use crate::provenance::Provenance;

/// Collects what a map says and makes a [`Board`] of it.
///
/// Names may be used before they are declared. Spaces, boxes, networks and types of features are numbered in the order
/// of their declaration; links and borders too, after those of the hex grid.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, HexGridSpec, Orientation, Provenance, Shift};
/// let mut builder = BoardBuilder::new("field", Provenance::printed("map"));
/// builder.network("land");
/// builder.hex_grid(HexGridSpec::new(Orientation::PointyTop, Shift::Second, 10, 8), ["land"]);
/// builder.space("off-map camp"); // and nothing leads there
/// let problems = builder.build().unwrap_err();
/// assert_eq!(problems.problems.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct BoardBuilder {
    pub(super) name: String,
    pub(super) source: Provenance,
    pub(super) networks: Vec<String>,
    pub(super) features: Vec<(String, FeatureOn, Provenance)>,
    pub(super) areas: Vec<String>,
    pub(super) grid: Option<GridDeclaration>,
    pub(super) more_grids: usize,
    pub(super) boxes: Vec<String>,
    pub(super) links: Vec<LinkSpec>,
    pub(super) borders: Vec<BorderSpec>,
    pub(super) placements: Vec<FeatureSpec>,
    pub(super) meetings: Vec<(String, String)>,
    pub(super) holders: Vec<Holders>,
    pub(super) apart: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct GridDeclaration {
    pub(super) spec: HexGridSpec,
    pub(super) networks: Vec<String>,
    /// How many areas were declared before it.
    pub(super) after_areas: usize,
}

/// Links or borders on which pieces may stand.
#[derive(Clone, Debug)]
pub(super) enum Holders {
    Link(String),
    Border(String),
    Feature(String),
}

impl BoardBuilder {
    /// An empty board and where it comes from.
    pub fn new(name: impl Into<String>, source: Provenance) -> Self {
        Self {
            name: name.into(),
            source,
            networks: Vec::new(),
            features: Vec::new(),
            areas: Vec::new(),
            grid: None,
            more_grids: 0,
            boxes: Vec::new(),
            links: Vec::new(),
            borders: Vec::new(),
            placements: Vec::new(),
            meetings: Vec::new(),
            holders: Vec::new(),
            apart: Vec::new(),
        }
    }

    /// Declares a network of links (land, river, rail); at most 64.
    pub fn network(&mut self, name: impl Into<String>) -> &mut Self {
        self.networks.push(name.into());
        self
    }

    /// Declares a type of feature, what it lies on, and where it comes from.
    pub fn feature(&mut self, name: impl Into<String>, on: FeatureOn, source: Provenance) -> &mut Self {
        self.features.push((name.into(), on, source));
        self
    }

    /// Declares an area.
    pub fn space(&mut self, name: impl Into<String>) -> &mut Self {
        self.areas.push(name.into());
        self
    }

    /// Declares the hexes of a grid as spaces, column by column, called by their numbers.
    ///
    /// Each hexside becomes a border, called `0101|0102`, or `0101|N` with its direction where there is no hex beyond.
    /// Adjacent hexes are linked in each of the given networks, by a link called as in [`LinkSpec::new`].
    pub fn hex_grid<S: Into<String>>(
        &mut self,
        spec: HexGridSpec,
        networks: impl IntoIterator<Item = S>,
    ) -> &mut Self {
        if self.grid.is_some() {
            self.more_grids += 1;
        } else {
            let networks = networks.into_iter().map(Into::into).collect();
            self.grid = Some(GridDeclaration { spec, networks, after_areas: self.areas.len() });
        }
        self
    }

    /// Declares a box, which is no map space: a track, holding box, pool, off-map display.
    pub fn holding_box(&mut self, name: impl Into<String>) -> &mut Self {
        self.boxes.push(name.into());
        self
    }

    /// Declares a link.
    pub fn link(&mut self, link: LinkSpec) -> &mut Self {
        self.links.push(link);
        self
    }

    /// Declares a border between two spaces. The hexes of a grid have theirs already.
    pub fn border(&mut self, border: BorderSpec) -> &mut Self {
        self.borders.push(border);
        self
    }

    /// Puts a feature on spaces, borders or links.
    pub fn features(&mut self, features: FeatureSpec) -> &mut Self {
        self.placements.push(features);
        self
    }

    /// Declares that two borders meet at an end. The hexsides of a grid know theirs already.
    ///
    /// ```
    /// use adjutant_kernel::board::{BoardBuilder, BorderSpec, LinkSpec, Provenance};
    /// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
    /// builder.network("road").space("A").space("B").space("C");
    /// for (from, to) in [("A", "B"), ("B", "C")] {
    ///     builder.link(LinkSpec::new(from, to, "road")).border(BorderSpec::new(from, to));
    /// }
    /// let board = builder.borders_meet("A|B", "B|C").build().unwrap();
    /// let (first, second) = (board.border_named("A|B").unwrap(), board.border_named("B|C").unwrap());
    /// assert_eq!(board.borders_meeting(first), [second]);
    /// ```
    pub fn borders_meet(&mut self, a: impl Into<String>, b: impl Into<String>) -> &mut Self {
        self.meetings.push((a.into(), b.into()));
        self
    }

    /// Pieces may stand on this link.
    pub fn holding_link(&mut self, link: impl Into<String>) -> &mut Self {
        self.holders.push(Holders::Link(link.into()));
        self
    }

    /// Pieces may stand on this border.
    pub fn holding_border(&mut self, border: impl Into<String>) -> &mut Self {
        self.holders.push(Holders::Border(border.into()));
        self
    }

    /// Pieces may stand on all links or borders with this feature (ships on rivers).
    ///
    /// ```
    /// use adjutant_kernel::board::{BoardBuilder, FeatureOn, FeatureSpec, LinkSpec, PlaceKind, Provenance};
    /// let mut builder = BoardBuilder::new("delta", Provenance::printed("map"));
    /// builder.network("land").space("Bank").space("Isle").link(LinkSpec::new("Bank", "Isle", "land"));
    /// builder.feature("deep", FeatureOn::Link, Provenance::printed("map"));
    /// builder.features(FeatureSpec::new("deep", ["Bank-Isle"])).holding_feature("deep"); // ships
    /// let board = builder.build().unwrap();
    /// let channel = board.link_named("Bank-Isle").unwrap();
    /// assert_eq!(board.place(board.place_of_link(channel).unwrap()), PlaceKind::Link(channel));
    /// ```
    pub fn holding_feature(&mut self, feature: impl Into<String>) -> &mut Self {
        self.holders.push(Holders::Feature(feature.into()));
        self
    }

    /// No links need join this space, or what is linked to it, to the rest of the board.
    pub fn apart(&mut self, space: impl Into<String>) -> &mut Self {
        self.apart.push(space.into());
        self
    }

    /// Compiles the board.
    ///
    /// # Errors
    /// All problems together; what would only follow from another problem is left out.
    pub fn build(&self) -> Result<Board, BoardProblems> {
        Compiler::new(self)
            .compile()
            .map_err(|problems: Vec<Problem>| BoardProblems { board: self.name.clone(), problems })
    }
}

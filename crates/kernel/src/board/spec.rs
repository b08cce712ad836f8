//! What a map says of its links, borders and features; a [`BoardBuilder`](super::BoardBuilder) takes these.

use crate::SideId;
use crate::provenance::Provenance;

/// A link between two spaces.
///
/// ```
/// use adjutant_kernel::{SideId, board::LinkSpec};
/// let ferry = LinkSpec::new("Gosport", "Norfolk", "river").named("ferry").one_way().closed_for(SideId(1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkSpec {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) network: String,
    pub(super) name: Option<String>,
    pub(super) one_way: bool,
    pub(super) closed_for: Vec<SideId>,
    pub(super) holds_pieces: bool,
    pub(super) source: Option<Provenance>,
}

impl LinkSpec {
    /// A link of a network, open both ways for all sides. Unless named otherwise it is called `from-to` in the first
    /// network of the board, and `from-to (rail)` in another, called rail.
    pub fn new(from: impl Into<String>, to: impl Into<String>, network: impl Into<String>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            network: network.into(),
            name: None,
            one_way: false,
            closed_for: Vec::new(),
            holds_pieces: false,
            source: None,
        }
    }

    /// Gives the link a name of its own; needed where several join the same two spaces.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Leads only from the first space to the second.
    pub fn one_way(mut self) -> Self {
        self.one_way = true;
        self
    }

    /// Never open for this side (0 to 63).
    pub fn closed_for(mut self, side: SideId) -> Self {
        self.closed_for.push(side);
        self
    }

    /// Pieces may stand on the link.
    pub fn holding_pieces(mut self) -> Self {
        self.holds_pieces = true;
        self
    }

    /// Where the link comes from, if not whence the board does.
    pub fn source(mut self, source: Provenance) -> Self {
        self.source = Some(source);
        self
    }
}

/// A border between two adjacent areas.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, BorderSpec, LinkSpec, Provenance};
/// let mut builder = BoardBuilder::new("valley", Provenance::printed("map"));
/// builder.network("road").space("Ashby").space("Berry").link(LinkSpec::new("Ashby", "Berry", "road"));
/// builder.border(BorderSpec::new("Ashby", "Berry").named("Long Wall").holding_pieces());
/// let board = builder.build().unwrap();
/// let wall = board.border_named("Long Wall").unwrap();
/// assert!(board.place_of_border(wall).is_some()); // pieces may stand on it
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BorderSpec {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) name: Option<String>,
    pub(super) holds_pieces: bool,
    pub(super) source: Option<Provenance>,
}

impl BorderSpec {
    /// A border, with or without a link over it, called `a|b` unless named otherwise.
    pub fn new(a: impl Into<String>, b: impl Into<String>) -> Self {
        Self { a: a.into(), b: b.into(), name: None, holds_pieces: false, source: None }
    }

    /// Gives the border a name of its own.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Pieces may stand on the border.
    pub fn holding_pieces(mut self) -> Self {
        self.holds_pieces = true;
        self
    }

    /// Where the border comes from, if not whence the board does.
    pub fn source(mut self, source: Provenance) -> Self {
        self.source = Some(source);
        self
    }

    pub(super) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}|{}", self.a, self.b))
    }
}

/// A feature put on some spaces, borders or links.
///
/// ```
/// use adjutant_kernel::board::{FeatureSpec, Provenance};
/// let woods = FeatureSpec::new("woods", ["0101", "0102"]);
/// let port = FeatureSpec::new("port", ["Norfolk"]).value(4).source(Provenance::derived("the fleet starts here"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureSpec {
    pub(super) feature: String,
    pub(super) places: Vec<String>,
    pub(super) value: Option<i32>,
    pub(super) source: Option<Provenance>,
}

impl FeatureSpec {
    /// A feature on what has these names.
    pub fn new<S: Into<String>>(feature: impl Into<String>, places: impl IntoIterator<Item = S>) -> Self {
        Self {
            feature: feature.into(),
            places: places.into_iter().map(Into::into).collect(),
            value: None,
            source: None,
        }
    }

    /// Its value on these places, in the unit of the feature.
    pub fn value(mut self, value: i32) -> Self {
        self.value = Some(value);
        self
    }

    /// Where it comes from here, if not whence the type of feature does.
    pub fn source(mut self, source: Provenance) -> Self {
        self.source = Some(source);
        self
    }
}

//! What is printed: map, counters, columns and options as plain data, for whoever draws a title without knowing it.
//!
//! Points are counted in a unit of the pack's own from the upper left corner, first to the right and then down; the size
//! of the map is in the same unit. Hexes are counted from 0.
//!
//! Nothing here changes in the course of a game; what stands where is in the view of a seat. [`Pack::sheet`] adds what
//! the rules alone do not know: labels in a language, and how the map may be drawn.

use std::collections::BTreeMap;

use adjutant_kernel::board::{Board, Orientation, Shift};
use adjutant_kernel::rulebook::{ColumnDef, Holder, PieceDef, ValueKind};
use adjutant_kernel::{BorderId, FeatureId, LinkId, Rulebook, SpaceId};
use adjutant_pack::model::Drawing;
use serde::Serialize;
use serde_json::Value;

use crate::Pack;
use crate::text::Text;

/// Features by name: the value of each, or `true` for one that has none.
type Features = BTreeMap<String, Value>;

/// A point of a drawing, in a unit of the pack's own from the upper left corner: to the right, and down.
type Point = (i32, i32);

/// What is printed of a title.
///
/// ```
/// use adjutant::Pack;
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// let sheet = Pack::open(format!("{games}/ford"))?.sheet("en");
/// assert_eq!(sheet.sides[0].label, "Blue");
/// assert_eq!(sheet.counters["Rifles"].attributes["strength"], 3);
/// assert_eq!(sheet.counters["Rifles"].deck.as_deref(), Some("blue backs"));
/// assert!(sheet.map.links.iter().any(|link| link.from == "Ford" || link.to == "Ford"));
/// let page = serde_json::to_string(&sheet).unwrap(); // all of it as JSON
/// # assert!(page.contains("blue backs"));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sheet {
    /// The title.
    pub title: String,
    /// The sides, in order.
    pub sides: Vec<SideSheet>,
    /// The seats, in order.
    pub seats: Vec<SeatSheet>,
    /// The map.
    pub map: MapSheet,
    /// The pieces by name.
    pub counters: BTreeMap<String, Counter>,
    /// What the game remembers, by name.
    pub columns: BTreeMap<String, ColumnSheet>,
    /// Labels of the options by name.
    pub options: BTreeMap<String, String>,
    /// Labels of the scenarios by name.
    pub scenarios: BTreeMap<String, String>,
}

/// A side.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::SideSheet;
/// let blue: &SideSheet = &sheet.sides[0];
/// assert_eq!((blue.name.as_str(), blue.label.as_str()), ("blue", "Blue"));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SideSheet {
    /// Its name in views and actions.
    pub name: String,
    /// What people read.
    pub label: String,
    /// Its colour, such as `#3060a0`.
    pub colour: Option<String>,
}

/// A seat.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::SeatSheet;
/// let seat: &SeatSheet = &sheet.seats[0];
/// assert_eq!(seat.side.as_deref(), Some("blue"));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatSheet {
    /// Its name.
    pub name: String,
    /// What people read.
    pub label: String,
    /// The side that it plays for.
    pub side: Option<String>,
}

/// A map.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::MapSheet;
/// let map: &MapSheet = &sheet.map;
/// assert!(map.grid.is_none() && map.spaces.contains_key("Hill"));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MapSheet {
    /// The hex grid, if there is one.
    pub grid: Option<GridSheet>,
    /// The spaces by name.
    pub spaces: BTreeMap<String, SpaceSheet>,
    /// Places that are no map spaces, in order.
    pub boxes: Vec<BoxSheet>,
    /// The links between spaces.
    pub links: Vec<LinkSheet>,
    /// The borders between two spaces.
    pub borders: Vec<BorderSheet>,
    /// Width and height of the drawing that all points refer to.
    pub size: Option<Point>,
    /// Rivers, roads and what else runs over the map.
    pub lines: Vec<LineSheet>,
}

/// How hexes lie.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/skirmish"))?.sheet("en");
/// use adjutant::sheet::GridSheet;
/// let grid: &GridSheet = sheet.map.grid.as_ref().unwrap();
/// let hexes = sheet.map.spaces.values().filter_map(|space| space.hex).count();
/// assert_eq!((grid.flat_top, hexes), (true, sheet.map.spaces.len()));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GridSheet {
    /// Whether a side of a hex is on top; else a corner is.
    pub flat_top: bool,
    /// Whether the second, fourth .. line is shifted by half a hex; else the first, third .. is. Lines are columns with
    /// flat tops, and rows else.
    pub second_shifted: bool,
}

/// A space.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::SpaceSheet;
/// let hill: &SpaceSheet = &sheet.map.spaces["Hill"];
/// assert_eq!(hill.label, "Hill");
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SpaceSheet {
    /// What people read.
    pub label: String,
    /// Where it is drawn.
    pub at: Option<Point>,
    /// Column and row of a hex, from 0.
    pub hex: Option<Point>,
    /// Its outline.
    pub outline: Vec<Point>,
    /// What is on it.
    pub features: Features,
}

/// A box.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::BoxSheet;
/// let lost: &BoxSheet = &sheet.map.boxes[0];
/// assert_eq!(lost.name, "Lost");
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoxSheet {
    /// Its name.
    pub name: String,
    /// What people read.
    pub label: String,
    /// Where it is drawn.
    pub at: Option<Point>,
}

/// A link.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::LinkSheet;
/// let link: &LinkSheet = &sheet.map.links[0];
/// assert!(sheet.map.spaces.contains_key(&link.from) && sheet.map.spaces.contains_key(&link.to));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LinkSheet {
    /// Its name.
    pub name: String,
    /// One end.
    pub from: String,
    /// The other.
    pub to: String,
    /// Its network.
    pub network: String,
    /// What is on it.
    pub features: Features,
    /// Where its mark is drawn.
    pub at: Option<Point>,
}

/// A border.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/skirmish"))?.sheet("en");
/// use adjutant::sheet::BorderSheet;
/// let border: &BorderSheet = &sheet.map.borders[0];
/// assert!(sheet.map.spaces.contains_key(&border.from) && sheet.map.spaces.contains_key(&border.to));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BorderSheet {
    /// Its name.
    pub name: String,
    /// One of the two spaces.
    pub from: String,
    /// The other.
    pub to: String,
    /// What is on it.
    pub features: Features,
    /// Where its mark is drawn.
    pub at: Option<Point>,
}

/// A line of a drawing.
///
/// ```
/// use adjutant::sheet::LineSheet;
/// let line = LineSheet { kind: "river".into(), name: "Mill Creek".into(), points: vec![(0, 40), (25, 60)] };
/// assert!(serde_json::to_string(&line).unwrap().contains("[25,60]"));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineSheet {
    /// What it is (river, road).
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The points that it runs through.
    pub points: Vec<Point>,
}

/// A piece.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::Counter;
/// let rifles: &Counter = &sheet.counters["Rifles"];
/// assert_eq!((rifles.kind.as_str(), rifles.side.as_deref()), ("foot", Some("blue")));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Counter {
    /// What people read.
    pub label: String,
    /// Its kind.
    pub kind: String,
    /// The side that owns it.
    pub side: Option<String>,
    /// Whose back it has; without one it is always known.
    pub deck: Option<String>,
    /// What is printed on it.
    pub attributes: BTreeMap<String, Value>,
}

/// A column.
///
/// ```
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// # let sheet = adjutant::Pack::open(format!("{games}/ford"))?.sheet("en");
/// use adjutant::sheet::ColumnSheet;
/// let turn: &ColumnSheet = &sheet.columns["turn"];
/// assert_eq!((turn.of, turn.kind, turn.by_side), ("game", "int", false));
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ColumnSheet {
    /// What people read; `-` for what is of use to the rules alone and is not shown.
    pub label: String,
    /// What has a value: `game`, `side`, `seat`, `piece`, `body`, `space`, `border`, `link`, `choice`.
    pub of: &'static str,
    /// Whether each of them has one a side.
    pub by_side: bool,
    /// What a value is: `int`, `flag`, `choice`, `side`, `space`.
    pub kind: &'static str,
    /// The value that views leave out; `null` where it stands for none.
    pub start: Value,
}

impl Sheet {
    /// What the rules alone know, with the names themselves for labels.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rulebook = field::Field::rules(|_, _| Ok(())).0;
    /// use adjutant::sheet::Sheet;
    /// let sheet = Sheet::of(&rulebook);
    /// assert_eq!(sheet.counters["Horse"].label, "Horse");
    /// assert!(sheet.map.spaces.contains_key("hill"));
    /// ```
    pub fn of(rulebook: &Rulebook) -> Self {
        Self::with(rulebook, &Text::default())
    }

    fn with(rb: &Rulebook, text: &Text) -> Self {
        let side = |side: Option<adjutant_kernel::SideId>| Some(rb.sides()[side?.index()].clone());
        let sides = rb.sides().iter().map(|name| SideSheet {
            name: name.clone(),
            label: text.label("side", name),
            colour: None,
        });
        let seats = rb.seats().iter().map(|seat| {
            let label = text.label("seat", &seat.name);
            SeatSheet { name: seat.name.clone(), label, side: side(seat.side) }
        });
        let counters = rb.pieces().iter().map(|piece| {
            let counter = Counter {
                label: text.label("piece", &piece.name),
                kind: rb.word(piece.kind).to_owned(),
                side: side(piece.side),
                deck: piece.deck.map(|deck| rb.deck(deck).name.clone()),
                attributes: attributes(rb, piece),
            };
            (piece.name.clone(), counter)
        });
        let columns = rb.columns().iter().map(|def| (def.name.clone(), column(rb, def, text)));
        let label = |kind: &'static str, name: &String| (name.clone(), text.label(kind, name));
        Self {
            title: rb.title().to_owned(),
            sides: sides.collect(),
            seats: seats.collect(),
            map: map(rb.board(), text),
            counters: counters.collect(),
            columns: columns.collect(),
            options: rb.options().iter().map(|option| label("option", &option.name)).collect(),
            scenarios: rb.scenarios().iter().map(|def| label("scenario", &def.name)).collect(),
        }
    }
}

impl Pack {
    /// What is printed of the title, with labels in a language and what its boards say of drawing.
    pub fn sheet(&self, language: &str) -> Sheet {
        let mut sheet = Sheet::with(self.rulebook(), &self.text(language));
        let model = self.model();
        for side in &mut sheet.sides {
            let declared = model.sides.as_ref().and_then(|sides| sides.sides.get(&side.name));
            side.colour =
                declared.and_then(|declared| declared.colour.as_ref()).map(|colour| colour.value.clone());
        }
        for (_, board) in model.boards.iter() {
            for (name, space) in board.spaces.iter() {
                if let Some(sheet) = sheet.map.spaces.get_mut(&name.value) {
                    sheet.at = space.at;
                }
            }
            if let Some(drawing) = &board.drawing {
                sheet.map.draw(drawing);
            }
        }
        sheet
    }
}

impl MapSheet {
    fn draw(&mut self, drawing: &Drawing) {
        self.size = Some(drawing.size);
        for (name, space) in &mut self.spaces {
            space.outline = drawing.outlines.get(name).cloned().unwrap_or_default();
            space.at = space.at.or_else(|| drawing.marks.get(name).copied());
        }
        let mark = |name: &str| drawing.marks.get(name).copied();
        self.boxes.iter_mut().for_each(|sheet| sheet.at = mark(&sheet.name));
        self.links.iter_mut().for_each(|sheet| sheet.at = mark(&sheet.name));
        self.borders.iter_mut().for_each(|sheet| sheet.at = mark(&sheet.name));
        let line = |line: &adjutant_pack::model::DrawnLine| LineSheet {
            kind: line.kind.clone(),
            name: line.name.clone(),
            points: line.points.clone(),
        };
        self.lines.extend(drawing.lines.iter().map(line));
    }
}

fn map(board: &Board, text: &Text) -> MapSheet {
    let grid = board.hex_grid();
    let space = |space: SpaceId| {
        let hex = grid.zip(board.hex(space)).map(|(grid, hex)| grid.column_row(hex));
        let value = |feature| board.feature_value_space(space, feature);
        let features = features(board, board.features_of_space(space), value);
        let name = board.space_name(space);
        let label = text.label("place", name);
        (name.to_owned(), SpaceSheet { label, at: None, hex, outline: Vec::new(), features })
    };
    let link = |link: LinkId| {
        let (from, to) = board.link_ends(link);
        let value = |feature| board.feature_value_link(link, feature);
        LinkSheet {
            name: board.link_name(link).to_owned(),
            from: board.space_name(from).to_owned(),
            to: board.space_name(to).to_owned(),
            network: board.network_name(board.link_network(link)).to_owned(),
            features: features(board, board.features_of_link(link), value),
            at: None,
        }
    };
    let border = |border: BorderId| {
        let (from, to) = board.border_ends(border);
        let value = |feature| board.feature_value_border(border, feature);
        Some(BorderSheet {
            name: board.border_name(border).to_owned(),
            from: board.space_name(from).to_owned(),
            to: board.space_name(to?).to_owned(),
            features: features(board, board.features_of_border(border), value),
            at: None,
        })
    };
    let boxes = board.boxes().map(|place| {
        let name = board.place_name(place);
        BoxSheet { name: name.to_owned(), label: text.label("place", name), at: None }
    });
    MapSheet {
        grid: grid.map(|grid| GridSheet {
            flat_top: grid.orientation() == Orientation::FlatTop,
            second_shifted: grid.shift() == Shift::Second,
        }),
        spaces: (0..board.space_count() as u16).map(SpaceId).map(space).collect(),
        boxes: boxes.collect(),
        links: (0..board.link_count() as u16).map(LinkId).map(link).collect(),
        borders: (0..board.border_count() as u16).map(BorderId).filter_map(border).collect(),
        size: None,
        lines: Vec::new(),
    }
}

fn features(
    board: &Board,
    list: impl Iterator<Item = FeatureId>,
    value: impl Fn(FeatureId) -> Option<i32>,
) -> Features {
    list.map(|f| (board.feature_name(f).to_owned(), value(f).map_or(Value::Bool(true), Value::from)))
        .collect()
}

fn attributes(rb: &Rulebook, piece: &PieceDef) -> BTreeMap<String, Value> {
    let printed = rb.attributes().iter().zip(&piece.attributes);
    printed
        .filter_map(|(attribute, value)| {
            Some((attribute.name.clone(), named(rb, &attribute.kind, (*value)?)?))
        })
        .collect()
}

fn column(rb: &Rulebook, def: &ColumnDef, text: &Text) -> ColumnSheet {
    let of = match def.holder {
        Holder::Game => "game",
        Holder::Side => "side",
        Holder::Seat => "seat",
        Holder::Piece => "piece",
        Holder::Body => "body",
        Holder::Space => "space",
        Holder::Border => "border",
        Holder::Link => "link",
        Holder::Choice => "choice",
    };
    let kind = match def.kind {
        ValueKind::Int { .. } => "int",
        ValueKind::Flag => "flag",
        ValueKind::Choice(_) => "choice",
        ValueKind::Side => "side",
        ValueKind::Space => "space",
    };
    let start = named(rb, &def.kind, def.start).unwrap_or(Value::Null);
    ColumnSheet { label: text.label("column", &def.name), of, by_side: def.by_side, kind, start }
}

/// A value as it is printed: a number, a flag, a name; `None` for none.
fn named(rb: &Rulebook, kind: &ValueKind, value: i32) -> Option<Value> {
    let index = usize::try_from(value).ok();
    let name: &str = match kind {
        ValueKind::Int { .. } => return Some(value.into()),
        ValueKind::Flag => return Some((value != 0).into()),
        ValueKind::Choice(words) => rb.word(*words.get(index?)?),
        ValueKind::Side => rb.sides().get(index?)?,
        ValueKind::Space => {
            let space = index.filter(|n| *n < rb.board().space_count())?;
            rb.board().space_name(SpaceId(space as u16))
        }
    };
    Some(name.into())
}

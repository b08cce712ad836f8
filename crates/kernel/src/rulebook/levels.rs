//! Levels: what a viewer sees of the bodies in a place, declared by deck, place and viewer.
//!
//! Hiding is an allow-list (invariant 7): what no rule shows is not shown.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// How much of the bodies in a place a viewer sees. Values (who they are) are a matter of knowledge, not of
/// levels: a level says only which handles and numbers are drawn.
///
/// ```
/// use adjutant_kernel::rulebook::Level;
/// assert!(Level::Nothing < Level::Number && Level::Top < Level::Order); // from less to more
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Level {
    /// Not even whether there is anything.
    Nothing,
    /// The number of bodies; of those that are face up more: they are seen.
    Number,
    /// The top body of each stack by handle, of the rest the number. A body that comes to be on top is
    /// revealed.
    Top,
    /// Every body by handle, in order.
    Order,
    /// Every body by handle, in order, face up.
    Everything,
}

/// Which viewers a level rule speaks of.
///
/// ```
/// use adjutant_kernel::rulebook::Onlooker;
/// use adjutant_kernel::{SideId, Viewer};
/// // Spies: one side sees more than the others do.
/// let spies = Onlooker::Viewer(Viewer::Side(SideId(1)));
/// assert_ne!(spies, Onlooker::Others);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Onlooker {
    /// The side that owns the bodies.
    Owner,
    /// Everybody else.
    Others,
    /// Everybody.
    Anyone,
    /// One viewer.
    Viewer(Viewer),
}

/// A condition of a level rule; both parts must hold.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{ColumnClass, LevelCondition, ValueKind};
/// use adjutant_kernel::SpaceId;
/// # let (mut builder, ids) = Field::builder(|_, _| Ok(()));
/// let fog = builder.option("fog", &[ids.rule]);
/// let screened = builder.column::<SpaceId>("screened", ValueKind::Flag, 0, ColumnClass::Public);
/// // Where cavalry screens a space, in games with fog.
/// let when = LevelCondition { column: Some((screened.id, 1)), option: Some((fog, true)) };
/// assert_ne!(when, LevelCondition::default()); // which always holds
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LevelCondition {
    /// A public column of the space has this value.
    pub column: Option<(ColumnId, i32)>,
    /// An option is on (true) or off (false).
    pub option: Option<(OptionId, bool)>,
}

/// One rule; of the rules that match, the first counts.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::rulebook::{Level, LevelCondition, LevelRule, Onlooker};
/// # use adjutant_kernel::{PlaceId, Read, RulebookBuilder, Viewer, Worker, chance::Key, flow::{self, Sink}};
/// # let (_, ids) = Field::rules(|_, _| Ok(()));
/// # let mut builder = Field::builder(|_, _| Ok(())).0;
/// # let hill = PlaceId(ids.hill.0);
/// // Enemies on the hill are not even counted; elsewhere the rule that was declared first holds.
/// builder.level(LevelRule {
///     decks: Vec::new(), // all pieces
///     places: vec![hill],
///     onlooker: Onlooker::Others,
///     when: LevelCondition::default(),
///     level: Level::Nothing,
///     rule: ids.rule,
/// });
/// # let rulebook = builder.build().unwrap();
/// # let state = flow::start(&rulebook, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap();
/// let read = Read::new(&rulebook, &state);
/// let (red, backs) = (Viewer::Side(ids.red), rulebook.piece(ids.horse).deck);
/// assert_eq!(read.level(red, hill, backs, Some(ids.blue)).0, Level::Order); // for it came first
/// ```
#[derive(Clone, Debug)]
pub struct LevelRule {
    /// The decks it speaks of; empty means every piece, those without a deck included.
    pub decks: Vec<DeckId>,
    /// The places it speaks of; empty means all.
    pub places: Vec<PlaceId>,
    /// For whom.
    pub onlooker: Onlooker,
    /// When.
    pub when: LevelCondition,
    /// What they see.
    pub level: Level,
    /// The rule id that a reveal under level top cites.
    pub rule: RuleId,
}

impl LevelRule {
    /// Whether the rule speaks of what `viewer` sees of the bodies of a deck (or those without one) and side.
    pub(crate) fn concerns(&self, viewer: Viewer, deck: Option<DeckId>, side: Option<SideId>) -> bool {
        let onlooker = match self.onlooker {
            Onlooker::Anyone => true,
            Onlooker::Owner => side.is_some_and(|s| viewer == Viewer::Side(s)),
            Onlooker::Others => side.is_none_or(|s| viewer != Viewer::Side(s)),
            Onlooker::Viewer(v) => v == viewer,
        };
        onlooker && (self.decks.is_empty() || deck.is_some_and(|d| self.decks.contains(&d)))
    }
}

/// What no rule shows: owners see their own by handle, others see nothing.
pub(crate) fn unruled(viewer: Viewer, side: Option<SideId>) -> (Level, Option<RuleId>) {
    match (side, viewer) {
        (Some(side), Viewer::Side(own)) if side == own => (Level::Order, None),
        _ => (Level::Nothing, None),
    }
}

/// Levels that hang on no condition, looked up instead of searched for: by place, viewer and *class* of bodies,
/// which is their deck or, without one, their side.
#[derive(Default)]
pub(crate) struct Levels {
    fixed: Vec<Option<(Level, Option<RuleId>)>>,
    /// By place and viewer: whether the viewer may know of whatever is there.
    open: Vec<bool>,
    /// By viewer: whether he may know of whatever is anywhere.
    all_open: Vec<bool>,
    viewers: usize,
    decks: usize,
    sides: usize,
}

impl Levels {
    /// Finds the levels of every place by its rules.
    pub(crate) fn new(rules: &[Vec<LevelRule>], decks: &[SideId], sides: usize) -> Self {
        let mut levels = Self { viewers: sides + 1, decks: decks.len(), sides, ..Self::default() };
        let side_ids = || (0..sides as u8).map(SideId);
        for rules in rules {
            for viewer in side_ids().map(Viewer::Side).chain([Viewer::Public]) {
                let first_class = levels.fixed.len();
                let of_decks = decks.iter().enumerate().map(|(n, side)| (Some(DeckId(n as u8)), Some(*side)));
                let of_sides = side_ids().map(Some).chain([None]).map(|side| (None, side));
                for (deck, side) in of_decks.chain(of_sides) {
                    let first = rules.iter().find(|rule| rule.concerns(viewer, deck, side));
                    levels.fixed.push(match first {
                        None => Some(unruled(viewer, side)),
                        Some(rule) if rule.when == LevelCondition::default() => {
                            Some((rule.level, Some(rule.rule)))
                        }
                        Some(_) => None,
                    });
                }
                let mut classes = levels.fixed[first_class..].iter();
                levels.open.push(classes.all(|c| c.is_some_and(|(level, _)| level != Level::Nothing)));
            }
        }
        let of_viewer = |viewer: usize| levels.open.iter().skip(viewer).step_by(sides + 1);
        levels.all_open = (0..=sides).map(|viewer| of_viewer(viewer).all(|open| *open)).collect();
        levels
    }

    fn viewer_index(&self, viewer: Viewer) -> usize {
        match viewer {
            Viewer::Side(side) => side.index(),
            Viewer::Public => self.sides,
        }
    }

    /// Whether a viewer may know of whatever is in a place, under every condition.
    #[inline]
    pub(crate) fn open(&self, viewer: Viewer, place: PlaceId) -> bool {
        self.open[place.index() * self.viewers + self.viewer_index(viewer)]
    }

    /// Whether a viewer may know of whatever is anywhere, under every condition.
    #[inline]
    pub(crate) fn all_open(&self, viewer: Viewer) -> bool {
        self.all_open.get(self.viewer_index(viewer)).is_some_and(|open| *open)
    }

    /// The level, unless it hangs on a condition.
    #[inline]
    pub(crate) fn fixed(
        &self,
        viewer: Viewer,
        place: PlaceId,
        deck: Option<DeckId>,
        side: Option<SideId>,
    ) -> Option<(Level, Option<RuleId>)> {
        let viewer = self.viewer_index(viewer);
        let class = match (deck, side) {
            (Some(deck), _) => deck.index(),
            (None, Some(side)) => self.decks + side.index(),
            (None, None) => self.decks + self.sides,
        };
        let classes = self.decks + self.sides + 1;
        self.fixed[(place.index() * self.viewers + viewer) * classes + class]
    }
}

//! Pieces and their sets (pl:3.a), and what stands where.

use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::rulebook::{
    AttributeClass, Level, LevelCondition, LevelRule, Onlooker, PieceDef, ValueKind,
};
use adjutant_kernel::state::Read;
use adjutant_kernel::{
    AttributeId, BodyId, Common, DeckId, PieceId, PieceSetId, PlaceId, RulebookBuilder, SideId, SpaceId, Tri,
};
use smallvec::SmallVec;

use super::board::{self, Boxes, Map};
use super::{Picket, Rules};

/// A few bodies, top first.
pub(crate) type Bodies = SmallVec<[BodyId; 8]>;

/// The bodies of a side: name, kind, strength (a levy's is not known to anyone: pl:10.g).
const BODIES: [(&str, &str, Option<i32>); 8] = [
    ("F3", "foot", Some(3)),
    ("F2", "foot", Some(2)),
    ("G", "foot", None),
    ("H2", "horse", Some(2)),
    ("H1", "horse", Some(1)),
    ("L", "leader", Some(0)),
    ("D1", "dummy", Some(0)),
    ("D2", "dummy", Some(0)),
];

/// The pieces by number.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// The decks of bodies, a side each.
    pub(crate) decks: [DeckId; 2],
    pub(crate) markers: DeckId,
    pub(crate) base: PieceId,
    pub(crate) strength: AttributeId,
    pub(crate) real: PieceSetId,
    pub(crate) foot: PieceSetId,
    pub(crate) horse: PieceSetId,
    pub(crate) leader: PieceSetId,
    pub(crate) dummy: PieceSetId,
    pub(crate) levy: PieceSetId,
}

/// Eight bodies a side and Amber's three markers (pl:3.a).
pub(super) fn declare(rb: &mut RulebookBuilder, sides: [SideId; 2]) -> Pieces {
    let decks = [rb.deck("amber bodies", sides[0]), rb.deck("blue bodies", sides[1])];
    let markers = rb.deck("markers", sides[0]);
    let strength = rb.attribute("strength", ValueKind::Int { min: 0, max: 3 }, AttributeClass::OnReveal);
    for ((letter, side), deck) in ["a", "b"].iter().zip(sides).zip(decks) {
        for (name, kind, points) in BODIES {
            rb.piece(&format!("{letter}{name}"), Some(side), kind, Some(deck), &[points]);
        }
    }
    let base = rb.piece("Base", Some(sides[0]), "marker", Some(markers), &[None]);
    rb.piece("X1", Some(sides[0]), "marker", Some(markers), &[None]);
    rb.piece("X2", Some(sides[0]), "marker", Some(markers), &[None]);
    let [foot, horse, leader, dummy] = ["foot", "horse", "leader", "dummy"].map(|kind| {
        let word = rb.word(kind);
        rb.piece_set(kind, move |_, def: &PieceDef| def.kind == word)
    });
    let (on_foot, mounted) = (rb.word("foot"), rb.word("horse"));
    let real = rb.piece_set("real", move |_, def| def.kind == on_foot || def.kind == mounted);
    let levy = rb.piece_set("levy", |_, def| def.name.ends_with('G'));
    Pieces { decks, markers, base, strength, real, foot, horse, leader, dummy, levy }
}

/// What others see of stacks, boxes and markers (pl:3.b), and of stacks in the open (pl:3.f).
pub(super) fn levels(
    rb: &mut RulebookBuilder,
    pieces: &Pieces,
    map: &Map,
    cover: adjutant_kernel::ColumnId,
    rules: &Rules,
) {
    let spaces: Vec<PlaceId> = board::areas().map(|a| PlaceId(a.0)).collect();
    let boxes = |of: fn(&Boxes) -> PlaceId| -> Vec<PlaceId> { map.boxes.iter().map(of).collect() };
    let mut level = |decks: &[DeckId], places: Vec<PlaceId>, open: bool, level, rule| {
        rb.level(LevelRule {
            decks: decks.to_vec(),
            places,
            onlooker: Onlooker::Others,
            when: LevelCondition { column: open.then_some((cover, 1)), option: None },
            level,
            rule,
        });
    };
    level(&pieces.decks, vec![PlaceId(board::OPEN.0)], true, Level::Top, rules.open_ground);
    level(&[], spaces, false, Level::Order, rules.faces);
    for number in [boxes(|b| b.muster), boxes(|b| b.road), boxes(|b| b.field), boxes(|b| b.pool)] {
        level(&[], number, false, Level::Number, rules.faces);
    }
    for all in [boxes(|b| b.lost), boxes(|b| b.out)] {
        level(&[], all, false, Level::Everything, rules.faces);
    }
}

impl Picket {
    /// The other side.
    pub(crate) fn enemy(&self, side: SideId) -> SideId {
        if side == self.amber { self.blue } else { self.amber }
    }

    /// The boxes of a side.
    pub(crate) fn boxes(&self, side: SideId) -> &Boxes {
        &self.map.boxes[side.index()]
    }

    /// The bodies of a side in an area, stack by stack, markers left out.
    pub(crate) fn here(&self, read: Read<'_>, side: SideId, area: SpaceId) -> Bodies {
        read.stacks_of(side, area).flat_map(|stack| read.loose(stack)).collect()
    }

    /// The same as far as a viewer may know of them.
    pub(crate) fn seen_here(&self, seen: &Seen<'_>, side: SideId, area: SpaceId) -> Bodies {
        let mut bodies = Bodies::new();
        for stack in seen.stacks_of(side, area) {
            bodies.extend(seen.loose(stack));
        }
        bodies
    }

    /// Whether a body is foot or horse (pl:1.c).
    pub(crate) fn is_real(&self, read: Read<'_>, body: BodyId) -> bool {
        read.is(body, self.pieces.real)
    }

    /// Whether there is a real body among these, which the viewer owns.
    pub(crate) fn own_real(&self, seen: &Seen<'_>, bodies: &[BodyId]) -> bool {
        bodies.iter().any(|&b| seen.is(b, self.pieces.real).is_yes())
    }

    /// Whether a side controls an area (pl:1.c).
    pub(crate) fn controls(&self, read: Read<'_>, side: SideId, area: SpaceId) -> bool {
        read.stacks_of(side, area).flat_map(|stack| read.loose(stack)).any(|b| self.is_real(read, b))
    }

    /// Whether everybody must reckon with horse among these bodies (pl:8, pl:9.b).
    pub(crate) fn may_be_horse(&self, common: &Common<'_>, read: Read<'_>, bodies: &[BodyId]) -> bool {
        if read.rulebook().mutant("ask_by_truth") || read.rulebook().mutant("skip_single") {
            return bodies.iter().any(|&b| read.is(b, self.pieces.horse));
        }
        bodies.iter().any(|&b| common.is(b, self.pieces.horse) != Tri::No)
    }

    /// The markers on the map, area by area.
    pub(crate) fn markers<'a>(&self, read: Read<'a>) -> impl Iterator<Item = (BodyId, SpaceId)> + use<'a> {
        board::areas().flat_map(move |area| read.loose(area).map(move |marker| (marker, area)))
    }

    /// The area where Base lies, if it is on the map.
    pub(crate) fn base_at(&self, read: Read<'_>) -> Option<SpaceId> {
        read.body_of(self.pieces.base).and_then(|body| read.space(body))
    }
}

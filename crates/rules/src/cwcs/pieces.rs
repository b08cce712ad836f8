//! What a pack declares for the series, by number: attributes, sets of pieces, columns, tables, boxes.

use adjutant_kernel::rulebook::{CellKey, ChoiceIndex, Column};
use adjutant_kernel::{
    AttributeId, BodyId, OptionId, PieceId, PieceSetId, PlaceId, QuestionId, RecordId, RulebookBuilder,
    SeatId, SideId, SpaceId, TableId,
};
use adjutant_pack::Diagnostic;

/// What is missing in a pack, gathered so that all of it is reported at once.
#[derive(Debug, Default)]
pub(crate) struct Missing(Vec<String>);

impl Missing {
    fn note(&mut self, what: String) {
        self.0.push(what);
    }

    /// All that is missing as errors of the pack.
    pub(crate) fn report(self) -> Result<(), Vec<Diagnostic>> {
        let error = |what: String| Diagnostic::of_file("contract", "pack.ron", what);
        if self.0.is_empty() { Ok(()) } else { Err(self.0.into_iter().map(error).collect()) }
    }

    pub(crate) fn found<T: Default>(&mut self, found: Option<T>, what: &str, name: &str) -> T {
        found.unwrap_or_else(|| {
            self.note(format!("module `cwcs` needs {what} `{name}`"));
            T::default()
        })
    }

    /// The seats of the two sides, each called as its side is.
    pub(crate) fn seats(&mut self, rb: &RulebookBuilder) -> [SeatId; 2] {
        let rulebook = rb.so_far();
        if rulebook.sides().len() != 2 {
            self.note("module `cwcs` is for two sides".to_owned());
        }
        [0, 1].map(|n| match rulebook.sides().get(n) {
            Some(side) => self.found(rulebook.seat_named(side), "a seat", side),
            None => SeatId::default(),
        })
    }

    /// A question of the pack.
    pub(crate) fn question(&mut self, rb: &RulebookBuilder, name: &str) -> QuestionId {
        self.found(rb.so_far().question_named(name), "a question", name)
    }

    /// A relation of the pack.
    pub(crate) fn relation(&mut self, rb: &RulebookBuilder, name: &str) -> RecordId {
        self.found(rb.so_far().relation_named(name), "a relation", name)
    }

    /// An option of the pack.
    pub(crate) fn option(&mut self, rb: &RulebookBuilder, name: &str) -> OptionId {
        self.found(rb.so_far().option_named(name), "an option", name)
    }

    /// The boxes of both sides.
    pub(crate) fn boxes(&mut self, rb: &RulebookBuilder) -> [Boxes; 2] {
        [0, 1].map(|n| {
            let side = rb.so_far().sides().get(n).cloned().unwrap_or_default();
            let mut chars = side.chars();
            let side: String = chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
            Boxes::find(rb, &side, self)
        })
    }

    pub(crate) fn column<K: CellKey>(&mut self, rb: &RulebookBuilder, name: &str) -> Option<Column<K>> {
        let found = rb.so_far().column_named(name);
        if found.is_none() {
            self.note(format!("module `cwcs` needs a column `{name}` of other holders"));
        }
        found
    }
}

/// The attributes that pieces must have.
pub(crate) const ATTRIBUTES: &[&str] =
    &["strength", "ineffective at", "formation", "offence", "defence", "succession"];

/// The kinds that there must be.
pub(crate) const KINDS: &[&str] = &[
    "infantry",
    "garrison",
    "militia",
    "cavalry",
    "artillery",
    "dummy infantry",
    "dummy cavalry",
    "commander",
    "officer",
];

macro_rules! sets {
    ($($(#[$doc:meta])* $field:ident = $name:literal,)*) => {
        /// The sets of pieces that the series knows.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Sets {
            $($(#[$doc])* pub(crate) $field: PieceSetId,)*
        }

        impl Sets {
            /// Their names.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            fn find(rb: &RulebookBuilder, missing: &mut Missing) -> Self {
                Self { $($field: missing.found(rb.so_far().piece_set_named($name), "a set", $name),)* }
            }
        }
    };
}

sets! {
    /// Real units: infantry of all kinds, cavalry, artillery, and what a title adds.
    units = "units",
    /// Regular infantry.
    infantry = "infantry",
    /// Infantry of all kinds (2.11.a).
    foot = "foot",
    garrison = "garrison",
    militia = "militia",
    cavalry = "cavalry",
    artillery = "artillery",
    commanders = "commanders",
    officers = "officers",
    leaders = "leaders",
    dummies = "dummies",
    /// What marches and lies in stacks (3.31.a): units, leaders, dummies, and what else a title has that goes with them.
    /// All others are markers, which stay where a title puts them.
    stacks = "stacks",
    dummy_infantry = "dummy infantry",
    dummy_cavalry = "dummy cavalry",
    /// Who exerts control wherever he stands (3.4).
    controls = "controls",
    /// Who exerts control where artillery does (3.44).
    controls_with_artillery = "controls with artillery",
    /// Who keeps an area open for his own side's lines (6.3).
    opens_lines = "opens lines",
    /// Cavalry, and what passes for it.
    mounted = "mounted",
    /// Who keeps all others in his area from retreating before combat (9.21).
    bars_retreat = "bars retreat",
}

/// Attributes and sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces {
    pub(crate) strength: AttributeId,
    pub(crate) ineffective_at: AttributeId,
    pub(crate) formation: AttributeId,
    pub(crate) offence: AttributeId,
    pub(crate) defence: AttributeId,
    /// Of officers: 0 who starts, 1 the named replacement, 2 one of many without rating (11.32).
    pub(crate) succession: AttributeId,
    pub(crate) sets: Sets,
}

impl Pieces {
    pub(crate) fn find(rb: &RulebookBuilder, missing: &mut Missing) -> Self {
        let mut attribute = |name: &str| {
            let at = rb.so_far().attributes().iter().position(|a| a.name == name);
            missing.found(at.map(|n| AttributeId(n as u16)), "an attribute", name)
        };
        Self {
            strength: attribute("strength"),
            ineffective_at: attribute("ineffective at"),
            formation: attribute("formation"),
            offence: attribute("offence"),
            defence: attribute("defence"),
            succession: attribute("succession"),
            sets: Sets::find(rb, missing),
        }
    }

    /// The set of what is neither a real unit nor a leader nor a dummy.
    pub(crate) fn others(&self, rb: &mut RulebookBuilder) -> PieceSetId {
        let Sets { units, leaders, dummies, .. } = self.sets;
        let known: Vec<_> = [units, leaders, dummies].map(|set| rb.so_far().piece_set(set).clone()).into();
        rb.piece_set("trains and the like", move |piece, _| !known.iter().any(|set| set.has(piece)))
    }
}

/// A column that is not there, standing in until the pack is refused for the lack of it.
pub(crate) fn stand_in<K: CellKey>(rb: &mut RulebookBuilder) -> Column<K> {
    use adjutant_kernel::rulebook::{ColumnClass, ValueKind};
    rb.column("-", ValueKind::Flag, 0, ColumnClass::Hidden)
}

macro_rules! columns {
    ($($(#[$doc:meta])* $field:ident: $of:ty = $name:literal,)*) => {
        /// What the series remembers.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Columns {
            $($(#[$doc])* pub(crate) $field: Column<$of>,)*
        }

        impl Columns {
            /// Their names.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            pub(crate) fn find(rb: &mut RulebookBuilder, missing: &mut Missing) -> Self {
                Self { $($field: missing.column(rb, $name).unwrap_or_else(|| stand_in(rb)),)* }
            }
        }
    };
}

columns! {
    turn: () = "turn",
    /// The turn after which the game is over.
    last_turn: () = "last turn",
    /// A choice of weathers.
    weather: () = "weather",
    victory_points: SideId = "victory points",
    /// Points that a Line Position has lost in this round, and the highest intensity at which it fought (11.3).
    line_losses: (ChoiceIndex, SideId) = "line losses",
    /// Points that charts and dice have called for from it in this round, before the title changed them.
    points_called: (ChoiceIndex, SideId) = "points called",
    line_intensity: (ChoiceIndex, SideId) = "line intensity",
    /// Of the points that a position has just lost those that its infantry bore (10.13).
    infantry_lost: () = "infantry lost",
    /// The officer is a casualty of the first round, and goes after the second (11.31).
    fallen: BodyId = "fallen",
    /// It has withdrawn, or gone back over a river, in this Combat Phase: 1 while it has still to roll for stragglers, 2
    /// when it has, 3 if it does not.
    fell_back: BodyId = "fell back",
    /// Points of stragglers that it loses at the end of the Combat Phase (9.91.b).
    straggling: PieceId = "straggling",
    /// It crossed a major river into an area under the enemy's sole control (9.92.b).
    bridgehead: BodyId = "bridgehead",
    /// Of an area when the last Movement Phase began, as far as all know: 0 the side whose it was had nobody there, 1 it
    /// had, 2 and 3 it was said that both sides controlled it, or not (9.92.e).
    contested: SpaceId = "contested",
    /// And in truth.
    both_controlled: SpaceId = "both controlled",
    /// Strength lost in combat, for good (3.51).
    losses: PieceId = "losses",
    /// Strength lost by straggling (7.45).
    stragglers: PieceId = "stragglers",
    /// How far a leader's or unit's line reaches (6.1): cut off, to the officer, to the commander. Of a commander:
    /// to his home.
    communications: PieceId = "communications",
    /// The marker of a unit that is ineffective (3.53).
    ineffective: BodyId = "ineffective",
    /// The unit has no strength left (7.44).
    spent: BodyId = "spent",
    /// It exerts no control although its kind does: for titles to set.
    no_control: BodyId = "no control",
    /// Areas that it moved in this Movement Phase.
    moved: BodyId = "moved",
    /// It force marches, until its owner's next Movement Phase (7.31.a).
    force_marching: BodyId = "force marching",
    /// The marker of a unit that initiated combat (3.43).
    initiated_combat: BodyId = "initiated combat",
    /// Whence it crossed a major river this turn (7.2).
    forded_from: BodyId = "forded from",
    /// It was revealed by a probe and stays so (8.11.g).
    exposed: BodyId = "exposed",
    /// It was raised in the arrangement of stacks.
    arranged: BodyId = "arranged",
    /// The Home Areas of each side.
    home: (SpaceId, SideId) = "home",
    /// What a side learned of an area when it last traced its lines: nothing, or 1 more than the answer.
    traced: (SpaceId, SideId) = "traced",
    /// The area through which lines are being traced.
    tracing: () = "tracing",
    /// The side that traces them.
    tracer: () = "tracer",
    /// The area of the combat that is being fought.
    battle: () = "battle",
    /// Who attacks in this round of it.
    attacker: () = "attacker",
    /// The round; 0 before the first.
    round: () = "round",
    /// The order of a Line Position from when both sides have given theirs until they are revealed.
    order_given: (ChoiceIndex, SideId) = "order given",
    /// Its order of this round, once it is revealed.
    order: (ChoiceIndex, SideId) = "order",
    /// The enemy's position that it fires at: nobody, left, center, right.
    fires_at: (ChoiceIndex, SideId) = "fires at",
    /// A body of the side has come there in this turn's Movement Phase.
    entered: (SpaceId, SideId) = "entered",
    /// No combat can be declared there any more in this phase.
    fought: SpaceId = "fought",
    /// It takes no part in further combats of this phase.
    sits_out: BodyId = "sits out",
    /// It fights the interception combat of its area.
    in_interception: BodyId = "in interception",
}

macro_rules! tables {
    ($($field:ident = $name:literal,)*) => {
        /// The tables that a title prints.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Tables {
            $(pub(crate) $field: TableId,)*
        }

        impl Tables {
            /// Their names.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            pub(crate) fn find(rb: &RulebookBuilder, missing: &mut Missing) -> Self {
                Self { $($field: missing.found(rb.so_far().table_named($name), "a table", $name),)* }
            }
        }
    };
}

tables! {
    intensity = "intensity",
    automatic_losses = "automatic losses",
    fire = "fire",
    fire_column = "fire column",
    fire_again = "fire again",
    officer_casualty = "officer casualty",
    artillery_multiplier = "artillery multiplier",
    stragglers = "stragglers",
    probe = "probe",
    troop_density = "troop density",
    optional_weather = "optional weather",
    historical_weather = "historical weather",
}

/// The boxes of a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    /// The line positions: left, center, right.
    pub(crate) line: [PlaceId; 3],
    pub(crate) reserve: PlaceId,
    pub(crate) eliminated: PlaceId,
    pub(crate) exited: PlaceId,
    pub(crate) pool: PlaceId,
}

impl Boxes {
    fn find(rb: &RulebookBuilder, side: &str, missing: &mut Missing) -> Self {
        let mut place = |name: &str| {
            let name = format!("{side} {name}");
            missing.found(rb.board().place_named(&name), "a box", &name)
        };
        Self {
            line: ["Left", "Center", "Right"].map(&mut place),
            reserve: place("Reserve"),
            eliminated: place("Eliminated"),
            exited: place("Exited"),
            pool: place("Pool"),
        }
    }
}

//! The units and where they begin.

use super::{BLUE, RED};
use adjutant_kernel::SideId;

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Foot.
    Infantry,
    /// Horse.
    Cavalry,
    /// Artillery.
    Guns,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Infantry => "infantry",
            Self::Cavalry => "cavalry",
            Self::Guns => "guns",
        }
    }
}

/// A unit (sk:2.a).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) name: &'static str,
    pub(crate) side: SideId,
    pub(crate) kind: Kind,
    /// Strength by steps lost; guns have no second.
    pub(crate) strengths: [i32; 2],
    pub(crate) moves: u32,
}

impl Unit {
    const fn new(name: &'static str, side: SideId, kind: Kind, fresh: i32, spent: i32) -> Self {
        let moves = match kind {
            Kind::Infantry => 4,
            Kind::Cavalry => 6,
            Kind::Guns => 3,
        };
        Self { name, side, kind, strengths: [fresh, spent], moves }
    }

    /// The steps of a fresh unit.
    pub(crate) fn steps(&self) -> i32 {
        if self.kind == Kind::Guns { 1 } else { 2 }
    }

    /// The strength with so many steps left.
    pub(crate) fn strength(&self, steps: i32) -> i32 {
        match self.steps() - steps {
            0 => self.strengths[0],
            1 => self.strengths[1],
            _ => 0,
        }
    }
}

/// How many units there are.
pub(crate) const UNITS: usize = 16;

/// All units of both sides.
pub(crate) const ROSTER: [Unit; UNITS] = [
    Unit::new("1st Foot", BLUE, Kind::Infantry, 5, 3),
    Unit::new("2nd Foot", BLUE, Kind::Infantry, 4, 2),
    Unit::new("3rd Foot", BLUE, Kind::Infantry, 4, 2),
    Unit::new("4th Foot", BLUE, Kind::Infantry, 3, 1),
    Unit::new("Blue Lancers", BLUE, Kind::Cavalry, 3, 2),
    Unit::new("Blue Dragoons", BLUE, Kind::Cavalry, 2, 1),
    Unit::new("Blue Battery A", BLUE, Kind::Guns, 3, 0),
    Unit::new("Blue Battery B", BLUE, Kind::Guns, 2, 0),
    Unit::new("Garrison", RED, Kind::Infantry, 5, 3),
    Unit::new("Fusiliers", RED, Kind::Infantry, 4, 2),
    Unit::new("Grenadiers", RED, Kind::Infantry, 4, 2),
    Unit::new("Militia", RED, Kind::Infantry, 3, 1),
    Unit::new("Red Hussars", RED, Kind::Cavalry, 3, 2),
    Unit::new("Red Guides", RED, Kind::Cavalry, 2, 1),
    Unit::new("Red Battery A", RED, Kind::Guns, 3, 0),
    Unit::new("Red Battery B", RED, Kind::Guns, 2, 0),
];

/// A unit at the start: its name, its hex, its steps.
pub type Deployed = (&'static str, &'static str, i32);

/// A start position.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Units; the others take no part.
    pub deployed: Vec<Deployed>,
    /// Morale of Blue and Red.
    pub morale: [i32; 2],
    /// The number of turns.
    pub turns: i32,
}

impl Default for Scenario {
    /// The battle at the bridge.
    fn default() -> Self {
        Self {
            deployed: vec![
                ("1st Foot", "0306", 2),
                ("2nd Foot", "0306", 2),
                ("3rd Foot", "0507", 2),
                ("4th Foot", "0607", 2),
                ("Blue Lancers", "0806", 2),
                ("Blue Dragoons", "0107", 2),
                ("Blue Battery A", "0407", 1),
                ("Blue Battery B", "0707", 1),
                ("Garrison", "0303", 2),
                ("Fusiliers", "0503", 2),
                ("Grenadiers", "0602", 2),
                ("Militia", "0102", 2),
                ("Red Hussars", "0803", 2),
                ("Red Guides", "0702", 2),
                ("Red Battery A", "0402", 1),
                ("Red Battery B", "0703", 1),
            ],
            morale: [9, 9],
            turns: 8,
        }
    }
}

//! Faults of the rules, kept for the umpire.
//!
//! Each seat counts its own faults, every one, whatever it is: so that its numbers say nothing of what others
//! met, nor whether two faults are the same. However often something fails the record does not grow without
//! limit: faults of a seat that are the same and follow each other are one note, and of each seat the latest
//! [`MOST_NOTES`] notes are kept.

use std::collections::{BTreeMap, VecDeque};

use adjutant_kernel::{Fault, Refused, SeatId};

/// How many notes are kept of the faults of each seat.
pub const MOST_NOTES: usize = 64;

/// One or more equal faults that a seat met one after another.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::kernel::Fault;
/// use adjutant::{Game, NotedFault, Setup};
/// # let game = Game::start(&rules, Setup::default())?;
/// fn for_the_umpire(note: &NotedFault) -> String {
///     format!("faults {} to {}: {}", note.first, note.last, note.fault)
/// }
/// let fault = Fault::DeadEnd { seat: "blue".into(), prompt: "march".into() };
/// let note = NotedFault { seat: None, first: 1, last: 3, fault };
/// assert_eq!(for_the_umpire(&note), "faults 1 to 3: seat `blue` is asked `march` and can do nothing");
/// assert_eq!(game.faults().count(), 0); // of a game that goes well
/// # Ok::<(), adjutant::StartError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct NotedFault {
    /// The seat whose actions or questions met it; `None` for what the umpire did.
    pub seat: Option<SeatId>,
    /// The number of the first, counted for the seat from 1.
    pub first: u32,
    /// The number of the last.
    pub last: u32,
    /// What is wrong.
    pub fault: Fault,
}

/// The faults of all seats.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(BTreeMap<Option<SeatId>, VecDeque<NotedFault>>);

impl Faults {
    /// Notes a fault; gives the refusal that carries its number.
    pub(super) fn note(&mut self, seat: Option<SeatId>, fault: Fault) -> Refused {
        let notes = self.0.entry(seat).or_default();
        let number = notes.back().map_or(0, |last| last.last).saturating_add(1);
        match notes.back_mut() {
            Some(last) if last.fault == fault => last.last = number,
            _ => {
                if notes.len() == MOST_NOTES {
                    notes.pop_front();
                }
                notes.push_back(NotedFault { seat, first: number, last: number, fault });
            }
        }
        Refused::Fault(number)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &NotedFault> {
        self.0.values().flatten()
    }

    pub(super) fn find(&self, seat: Option<SeatId>, number: u32) -> Option<&Fault> {
        let notes = self.0.get(&seat)?;
        notes.iter().find(|note| (note.first..=note.last).contains(&number)).map(|note| &note.fault)
    }
}

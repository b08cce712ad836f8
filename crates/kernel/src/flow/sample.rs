//! Determinize: a world that a viewer cannot tell from the true one, for bots that must not peek.

use smallvec::SmallVec;

use super::{asks, driver, fork, imagine};
use crate::chance::{self, Key};
use crate::decisions::Action;
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::{exchange, resample};
use crate::rulebook::Rulebook;
use crate::state::State;
use crate::worker::Worker;

/// Samples a world that looks to `viewer` like `st`: pieces are exchanged within candidate sets while all told
/// answers that the viewer knows hold, private values come from their samplers, locals of procedures are imagined
/// ([`Procedure::IMAGINE`](super::Procedure::IMAGINE)), what others have decided and not shown is decided anew at
/// random among what is offered, and draws come from `key`.
///
/// `random` yields uniformly random words and must not be the source that `key` came from.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::chance::Key;
/// use adjutant_kernel::{Viewer, flow};
/// # let Field { rulebook, state, mut worker, ids, .. } = Field::start();
/// let mut seed = 0u64;
/// let mut random = || {
///     seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); // a bot has a better one
///     seed
/// };
/// let viewer = Viewer::Side(ids.red); // who cannot tell the horse from the dummy
/// let mut sample = |n| flow::determinize(&rulebook, &mut worker, &state, viewer, Key::from_seed(n), &mut random);
/// let worlds = (0..20).map(&mut sample).collect::<Result<Vec<_>, _>>()?;
/// assert!(worlds.iter().any(|world| world.differs(&state).identities));
/// assert!(!worlds.iter().any(|world| world.differs(&state).places));
/// # Ok::<(), adjutant_kernel::Fault>(())
/// ```
///
/// # Errors
/// A fault of the rules.
pub fn determinize(
    rb: &Rulebook,
    worker: &mut Worker,
    st: &State,
    viewer: Viewer,
    key: Key,
    random: &mut dyn FnMut() -> u64,
) -> Result<State, Fault> {
    let mut world = st.clone();
    let mine = |seat: SeatId| rb.seat(seat).viewer() == Some(viewer);
    let tries = 12 * world.bodies.len().max(8);
    exchange(rb, &mut world, viewer, tries, random);
    if !rb.mutant("sample_keeps_values") {
        resample(rb, &mut world, viewer, random);
    }
    if !rb.mutant("sample_keeps_key") {
        world.rekey(key);
        world.forced.clear();
    }
    // Branches are begun in the world as it is imagined: what they do first must not hang on the truth.
    let begun = if rb.mutant("sample_keeps_decisions") {
        SmallVec::new()
    } else {
        imagine(rb, worker, &mut world, viewer, random)?;
        fork::drop_branches(rb, worker, &mut world, viewer, random)?
    };
    let own_is_open = world.fork_seats().iter().any(|&s| mine(s) && !world.committed(s));
    let answered = if own_is_open { begun.len() } else { begun.len().saturating_sub(1) };
    for &seat in &begun[..answered] {
        answer_at_random(rb, worker, &mut world, seat, random)?;
    }
    Ok(world)
}

/// Lets a seat act at random until its branch has committed.
fn answer_at_random(
    rb: &Rulebook,
    worker: &mut Worker,
    world: &mut State,
    seat: SeatId,
    random: &mut dyn FnMut() -> u64,
) -> Result<(), Fault> {
    let mut sink = super::Sink::off();
    let mut list: Vec<Action> = Vec::new();
    for _ in 0..rb.step_bound {
        if world.committed(seat) || world.asking(seat).is_none() {
            return Ok(());
        }
        asks::offers(rb, worker, world, seat, &mut list)?;
        if list.is_empty() {
            return Ok(());
        }
        let action = list[chance::below(random(), list.len() as u32) as usize];
        driver::act(rb, worker, &mut sink, world, seat, &action)?;
    }
    Ok(())
}

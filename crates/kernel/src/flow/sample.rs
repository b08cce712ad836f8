//! Determinize: a world that a viewer cannot tell from the true one, for bots that must not peek.

use super::{Status, driver, fork};
use crate::chance::{self, Key};
use crate::decisions::Action;
use crate::error::Fault;
use crate::ids::*;
use crate::knowledge::{exchange, resample};
use crate::locals::{FieldType, LocalClass, LocalType};
use crate::rulebook::Rulebook;
use crate::state::State;
use crate::worker::Worker;

/// Samples a world that looks to `viewer` like `st`: pieces are exchanged within candidate sets while all told
/// answers that the viewer knows hold, private values come from their samplers, what others have decided and
/// not shown is decided anew at random among what is offered, and draws come from `key`.
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
    let keep_decisions = rb.mutant("sample_keeps_decisions");
    let begun = fork::drop_branches(rb, worker, &mut world, |seat| keep_decisions || mine(seat))?;
    let tries = 12 * world.bodies.len().max(8);
    exchange(rb, &mut world, viewer, tries, random);
    if !rb.mutant("sample_keeps_values") {
        resample(rb, &mut world, viewer, random);
    }
    if !keep_decisions {
        resample_locals(rb, &mut world, viewer, random);
    }
    if !rb.mutant("sample_keeps_key") {
        world.rekey(key);
        world.forced.clear();
    }
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
        driver::offers(rb, worker, world, seat, &mut list)?;
        if list.is_empty() {
            return Ok(());
        }
        let action = list[chance::below(random(), list.len() as u32) as usize];
        driver::act(rb, worker, &mut sink, world, seat, &action)?;
    }
    Ok(())
}

/// Locals of frames that the viewer may not see are drawn anew: flags and choices uniformly; whether an option
/// is there, and how long a list is, stays. References and numbers stay too: what is secret about those belongs
/// into a column with a sampler.
fn resample_locals(rb: &Rulebook, world: &mut State, viewer: Viewer, random: &mut dyn FnMut() -> u64) {
    for n in 0..world.frames.len() {
        if world.frames[n].status == Status::Free {
            continue;
        }
        let def = &rb.procs[world.frames[n].proc.index()];
        if def.open || world.frames[n].words.is_empty() {
            continue;
        }
        let owner = def.code.as_ref().and_then(|code| code.owner(&world.frames[n].words));
        let words = &mut world.frames[n].words;
        let mut at = 0;
        for field in &def.fields {
            let part = &mut words[at..at + usize::from(field.words)];
            at += usize::from(field.words);
            match (field.class, &field.ty) {
                (LocalClass::Public, _) => {}
                (LocalClass::Owner, ty) => {
                    if owner.is_none_or(|s| viewer != Viewer::Side(s)) {
                        draw_anew(ty, part, random);
                    }
                }
                (LocalClass::Sides, FieldType::Array(each, _)) => {
                    for (side, own) in rb.side_ids().zip(part.chunks_mut(each.words().max(1))) {
                        if viewer != Viewer::Side(side) {
                            draw_anew(each, own, random);
                        }
                    }
                }
                (LocalClass::Sides | LocalClass::Hidden, ty) => draw_anew(ty, part, random),
            }
        }
    }
}

fn draw_anew(ty: &FieldType, words: &mut [i32], random: &mut dyn FnMut() -> u64) {
    match ty {
        FieldType::One(LocalType::Flag) => words[0] = chance::below(random(), 2) as i32,
        FieldType::Choice(names) => words[0] = chance::below(random(), names.len().max(1) as u32) as i32,
        FieldType::Option(inner) if words[0] != 0 => draw_anew(inner, &mut words[1..], random),
        FieldType::List(inner, _) => {
            let used = words[0].max(0) as usize;
            words[1..].chunks_mut(inner.words().max(1)).take(used).for_each(|w| draw_anew(inner, w, random));
        }
        FieldType::Array(inner, _) => {
            words.chunks_mut(inner.words().max(1)).for_each(|w| draw_anew(inner, w, random));
        }
        FieldType::One(_) | FieldType::Option(_) => {}
    }
}

//! How seats decide for which the test does not.

use adjutant::kernel::{SeatId, flow};

use crate::table::{Others, Played};
use crate::values::fail;

/// Decisions in a row, at most.
const MOST: usize = 20_000;

/// Verbs by which one lets something go by.
const DECLINING: &[&str] = &["decline", "pass", "no", "rest", "stay", "done", "end", "stop", "skip", "hold"];

/// Lets those decide for whom the test does not, as long as nobody else is asked.
pub(crate) fn others(played: &mut Played) -> mlua::Result<()> {
    for _ in 0..MOST {
        if played.others == Others::Wait {
            return Ok(());
        }
        let Some(asked) = flow::asked(played.game.state()) else { return Ok(()) };
        let taken = |seat: &SeatId| played.taken.contains(seat);
        let Some(seat) = asked.seats.iter().copied().find(|seat| !taken(seat)) else { return Ok(()) };
        // Where several are asked and one of them is the test's, it is the test's turn.
        if asked.seats.iter().any(taken) {
            return Ok(());
        }
        one(played, seat)?;
    }
    fail(format!("others have decided {MOST} times in a row; is there an end?"))
}

/// Lets a seat decide as others do.
pub(crate) fn one(played: &mut Played, seat: SeatId) -> mlua::Result<()> {
    let offers = played.game.offers(seat);
    let action = match played.others {
        Others::Random => played.random.pick(&offers),
        Others::Decline | Others::Wait => DECLINING
            .iter()
            .find_map(|verb| offers.iter().find(|o| o.verb == *verb && o.targets.is_empty()))
            .or_else(|| DECLINING.iter().find_map(|verb| offers.iter().find(|o| o.verb == *verb)))
            .or_else(|| offers.iter().find(|o| o.targets.is_empty()))
            // Where there is but one thing to do it is done.
            .or_else(|| offers.first().filter(|_| offers.len() == 1)),
    };
    let name = played.game.rulebook().seat(seat).name.clone();
    let Some(action) = action.cloned() else {
        let prompt = played.game.view(seat).position.prompt.unwrap_or_default();
        let fault = played.game.faults().filter(|f| f.seat == Some(seat)).last();
        let fault = fault.map(|f| format!(" ({})", f.fault)).unwrap_or_default();
        let few: Vec<String> = offers.iter().take(6).map(ToString::to_string).collect();
        return fail(format!(
            "seat {name} is asked `{prompt}` and has nothing to decline with{fault}; act for it: {}",
            few.join(", ")
        ));
    };
    played.game.act(seat, None, &action).map(drop).or_else(|refused| {
        let fault = played.fault_text(Some(seat), &refused);
        fail(format!("seat {name} cannot `{action}`: {refused}{fault}"))
    })
}

/// Goes on, everybody declining, until a phase of a side is reached; with `leave` it must begin anew.
pub(crate) fn until(
    played: &mut Played,
    phase: Option<&str>,
    side: Option<&str>,
    leave: bool,
) -> mlua::Result<()> {
    let rb = played.game.rulebook().clone();
    for (what, known) in [
        (phase.map(|name| ("phase", name)), phase.is_none_or(|name| rb.word_named(name).is_some())),
        (side.map(|name| ("side", name)), side.is_none_or(|name| rb.side_named(name).is_some())),
    ] {
        if let Some((what, name)) = what.filter(|_| !known) {
            return fail(format!("there is no {what} `{name}`"));
        }
    }
    let begun = |played: &Played| {
        let all = rb.seat_ids().next().map(|seat| played.game.log(seat)).unwrap_or_default();
        all.iter().flatten().filter(|event| event.event == "phase").count()
    };
    let before = begun(played);
    for _ in 0..MOST {
        let state = played.game.state();
        let read = adjutant::kernel::Read::new(&rb, state);
        let here = phase.is_none_or(|name| state.phase().is_some_and(|p| rb.word(p) == name))
            && side.is_none_or(|name| read.phasing() == rb.side_named(name));
        if here && (!leave || begun(played) > before) {
            return Ok(());
        }
        match flow::asked(state) {
            None => {
                let what = phase.or(side).unwrap_or("turn");
                return fail(format!("the game has ended before the {what} came"));
            }
            Some(asked) => match asked.seats.first() {
                Some(&seat) => one(played, seat)?,
                None => return fail("nobody is asked"),
            },
        }
    }
    fail(format!("it has not come after {MOST} decisions"))
}

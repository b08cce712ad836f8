//! Actions as tests give them: a verb and targets by name.

use adjutant::kernel::Refused;
use adjutant::kernel::SeatId;
use adjutant::kernel::events::ShownEvent;
use adjutant::kernel::view::{ShownAction, ShownTarget};
use adjutant::text::Text;
use mlua::Value;

use crate::decline;
use crate::table::Played;
use crate::values::{fail, show, word};

/// An action as a test gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    verb: String,
    targets: Vec<String>,
}

impl Wanted {
    pub(crate) fn read(args: &[Value]) -> mlua::Result<Self> {
        let words: Vec<String> = args
            .iter()
            .map(|arg| {
                word(arg)
                    .map_or_else(|| fail(format!("a target is a name or a number, not {}", show(arg))), Ok)
            })
            .collect::<mlua::Result<_>>()?;
        match words.split_first() {
            Some((verb, targets)) if targets.len() <= 4 => {
                Ok(Self { verb: verb.clone(), targets: targets.to_vec() })
            }
            Some(_) => fail("an action has four targets at most"),
            None => fail("an action begins with a verb"),
        }
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.verb)?;
        self.targets.iter().try_for_each(|t| write!(f, " {t}"))
    }
}

/// A target without the mark of a stack.
fn plain(target: &str) -> &str {
    target.trim_start_matches('/')
}

/// The action that a test means, as the seat names it, or why the seat may not do it.
pub(crate) fn find(
    played: &mut Played,
    seat: SeatId,
    wanted: &Wanted,
) -> mlua::Result<Result<ShownAction, Refused>> {
    if !adjutant::kernel::flow::is_asked(played.game.state(), seat) {
        decline::others(played)?;
    }
    let game = &mut played.game;
    let offers = game.offers_by_piece(seat).map_err(|fault| mlua::Error::runtime(fault.to_string()))?;
    let matches = |offer: &&ShownAction| {
        offer.verb == wanted.verb
            && offer.targets.len() == wanted.targets.len()
            && offer.targets.iter().zip(&wanted.targets).all(|(t, w)| plain(&t.to_string()) == plain(w))
    };
    let found: Vec<&ShownAction> = offers.iter().filter(matches).collect();
    // Of a piece alone and a stack with it on top the one is meant that is marked as such.
    let exact =
        |offer: &&&ShownAction| offer.targets.iter().zip(&wanted.targets).all(|(t, w)| t.to_string() == *w);
    if let Some(offer) = found.iter().find(exact).or(found.first()) {
        let shown = game.in_names_of(seat, offer);
        let shown = shown
            .map_err(|what| mlua::Error::runtime(format!("the offer names {what}, which is unknown")))?;
        return Ok(match game.explain(seat, &shown) {
            None => Ok(shown),
            Some(refused) => Err(refused),
        });
    }
    // Not offered: of all that the names may mean, what says most.
    let mut best: Option<Refused> = None;
    for reading in readings(wanted) {
        let refused = match game.in_names_of(seat, &reading) {
            Ok(shown) => match game.explain(seat, &shown) {
                None => return Ok(Ok(shown)),
                Some(refused) => refused,
            },
            Err(what) => Refused::Unknown(what),
        };
        let better = best.as_ref().is_none_or(|b| rank(&refused) < rank(b));
        if better {
            best = Some(refused);
        }
    }
    Ok(Err(best.unwrap_or(Refused::NotOffered)))
}

fn rank(refused: &Refused) -> u8 {
    match refused {
        Refused::Fault(_) => 0,
        Refused::Rule { .. } => 1,
        Refused::Unknown(_) => 3,
        _ => 2,
    }
}

/// All that the names of an action may mean.
fn readings(wanted: &Wanted) -> Vec<ShownAction> {
    let mut all = vec![ShownAction { verb: wanted.verb.clone(), targets: Vec::new() }];
    for target in &wanted.targets {
        let name = plain(target).to_owned();
        let mut meanings = Vec::new();
        if let Ok(number) = target.parse() {
            meanings.push(ShownTarget::Number(number));
        }
        meanings.extend([
            ShownTarget::Body(name.clone()),
            ShownTarget::Stack(name.clone()),
            ShownTarget::Place(name.clone()),
            ShownTarget::Link(name.clone()),
            ShownTarget::Choice(name.clone()),
            ShownTarget::Piece(name.clone()),
            ShownTarget::Side(name),
        ]);
        all = all
            .iter()
            .flat_map(|action| {
                meanings.iter().map(move |meaning| {
                    let mut action = action.clone();
                    action.targets.push(meaning.clone());
                    action
                })
            })
            .collect();
    }
    all
}

/// Carries out an action; then those decide for whom the test does not.
pub(crate) fn act(
    played: &mut Played,
    seat: SeatId,
    action: &ShownAction,
    wanted: &Wanted,
    text: &Text,
) -> mlua::Result<Vec<ShownEvent>> {
    match played.game.act(seat, None, action) {
        Ok(events) => {
            decline::others(played)?;
            Ok(events)
        }
        Err(refused) => {
            let who = played.game.rulebook().seat(seat).name.clone();
            let fault = played.fault_text(Some(seat), &refused);
            fail(format!("{who} cannot `{wanted}`: {}{fault}", text.refused(&refused)))
        }
    }
}

/// What is offered with the same verb, or if there is none, what is offered at all.
pub(crate) fn alike(played: &mut Played, seat: SeatId, wanted: &Wanted) -> mlua::Result<String> {
    let offers =
        played.game.offers_by_piece(seat).map_err(|fault| mlua::Error::runtime(fault.to_string()))?;
    let list = |offers: Vec<String>| {
        let more = offers.len().saturating_sub(12);
        let mut text = offers.into_iter().take(12).collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    };
    let same: Vec<String> =
        offers.iter().filter(|o| o.verb == wanted.verb).map(ToString::to_string).collect();
    Ok(match (same.is_empty(), offers.is_empty()) {
        (false, _) => format!("offered are {}", list(same)),
        (true, false) => format!("offered are {}", list(offers.iter().map(ToString::to_string).collect())),
        (true, true) => "nothing is offered".to_owned(),
    })
}

//! An umpire among random players: he fixes dice, turns pieces up and down and, seldom, switches off what is
//! attached for a rule, at any moment. What he may do must leave a game that goes on.

use adjutant_kernel::{RuleId, TableId};

use super::report::count;
use super::{Trial, Verdict};
use crate::{Game, NamedEdit};

/// Of 100 decisions those before which he does something.
const OFTEN: u32 = 5;

/// Now and then the umpire does something.
pub(super) fn interfere(trial: &mut Trial<'_>, game: &mut Game) {
    if game.ended() || !trial.random.percent(OFTEN) {
        return;
    }
    let done = match trial.random.below(20) {
        0 => skip(trial, game),
        1..10 => force(trial, game),
        _ => turn(trial, game),
    };
    if let Some((kind, done)) = done {
        match done {
            Ok(()) => count(&mut trial.report.counts.umpired, kind),
            Err(adjutant_kernel::Refused::DraftOpen | adjutant_kernel::Refused::Fault(_)) => {
                count(&mut trial.report.counts.umpired, &format!("{kind} refused"));
            }
            Err(refused) => trial.find(Verdict::Illegal, format!("an umpire's {kind}: {refused}")),
        }
    }
}

type Done = Option<(&'static str, Result<(), adjutant_kernel::Refused>)>;

fn skip(trial: &mut Trial<'_>, game: &mut Game) -> Done {
    let rules: Vec<RuleId> = trial.rulebook.attached_rules().collect();
    let rule = *trial.random.pick(&rules)?;
    Some(("skip", game.skip(trial.rulebook.rule(rule))))
}

fn force(trial: &mut Trial<'_>, game: &mut Game) -> Done {
    let count = trial.rulebook.table_names().count();
    let table = TableId(trial.random.below(count.max(1)) as u16);
    let name = trial.rulebook.table_names().nth(table.index())?.to_owned();
    let (dice, sides) = trial.rulebook.table(table).dice().count_and_sides();
    let sides = if dice == 0 { 6 } else { usize::from(sides) };
    let beyond = i32::try_from(sides).unwrap_or(i32::MAX).saturating_add(1);
    if dice > 0 && game.force(&name, beyond).is_ok() {
        trial.find(Verdict::Illegal, format!("a die of `{name}` is fixed to show {beyond}"));
    }
    Some(("force", game.force(&name, 1 + trial.random.below(sides) as i32)))
}

/// Turns a piece up or down.
fn turn(trial: &mut Trial<'_>, game: &mut Game) -> Done {
    let piece = trial.random.pick(trial.rulebook.pieces())?.name.clone();
    let up = trial.random.percent(60);
    let edit = if up { NamedEdit::Reveal(piece) } else { NamedEdit::Conceal(piece) };
    Some((if up { "reveal" } else { "conceal" }, game.edit(&[edit])))
}

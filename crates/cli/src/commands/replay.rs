//! `adjutant replay`.

use adjutant::{FindRules as _, Game, Rules, Save};
use serde_json::json;

use super::{library, open};
use crate::args::Replay;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Replay, console: &Console) -> Outcome {
    let save = read_save(&args.file)?;
    let (rules, text) = match &args.pack {
        Some(name) => {
            let pack = open(name, &args.above)?;
            (Rules::from(&pack), pack.text("en"))
        }
        None => {
            let library = library(&args.above)?;
            let rules = library.find_rules(&save).map_err(|e| Failure::Found(e.to_string()))?;
            let id = save.pack.as_ref().map_or("", |stamp| stamp.pack.as_str());
            (rules, library.pack(id)?.text("en"))
        }
    };
    if !args.check {
        let game = Game::load(&rules, &save).map_err(|e| Failure::Found(e.to_string()))?;
        let rb = game.rulebook();
        let seat = match &args.seat {
            Some(name) => rb.seat_named(name),
            None => rb.seat_ids().next(),
        };
        let Some(seat) = seat else {
            let known: Vec<&str> = rb.seats().iter().map(|s| s.name.as_str()).collect();
            return Err(Failure::Usage(format!("there is no such seat; the seats are {}", known.join(", "))));
        };
        let replay = game.replay(seat);
        return console.print(
            || {
                let shown = game.log(seat).iter().flatten().filter(|event| !event.detail);
                shown.map(|event| format!("{}\n", text.event(event))).collect()
            },
            || json!({ "ok": true, "replay": replay }),
        );
    }
    let differs = save.differences(&rules);
    let checked = Game::check_save(&rules, &save);
    console.print(
        || {
            let notes: String = differs.iter().map(|text| format!("note: {text}\n")).collect();
            match &checked {
                Ok(checked) => {
                    let snapshot = checked.snapshot.map_or_else(String::new, |n| {
                        format!("; the snapshot after entry {n} is what they lead to")
                    });
                    format!("{notes}{} entries lead to the position of the save{snapshot}\n", checked.entries)
                }
                Err(_) => notes,
            }
        },
        || {
            json!({ "ok": checked.is_ok(), "differs": differs,
                "entries": checked.as_ref().ok().map(|c| c.entries),
                "snapshot": checked.as_ref().ok().and_then(|c| c.snapshot),
                "error": checked.as_ref().err().map(ToString::to_string) })
        },
    )?;
    match checked {
        Ok(_) => Ok(()),
        Err(_) if console.is_json() => Err(Failure::Wrong),
        Err(error) => Err(Failure::Found(error.to_string())),
    }
}

/// Reads a saved game.
pub(super) fn read_save(file: &std::path::Path) -> Result<Save, Failure> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
    Save::from_json(&text).map_err(|error| Failure::Found(format!("{}: {error}", file.display())))
}

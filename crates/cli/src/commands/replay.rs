//! `adjutant replay`.

use adjutant::{Game, LoadError, Save};
use serde_json::json;

use super::{library, open};
use crate::args::Replay;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Replay, console: &Console) -> Outcome {
    let save = read_save(&args.file)?;
    let pack = match &args.pack {
        Some(name) => open(name, &args.above)?,
        None => {
            let pack = library(&args.above)?.pack_of(&save);
            pack.map_err(|error| Failure::Found(error.to_string()))?
        }
    };
    if !args.check {
        let game = Game::load(&pack, &save).map_err(|e| Failure::Found(e.to_string()))?;
        let rb = game.rulebook();
        let seat = match &args.seat {
            Some(name) => rb.seat_named(name),
            None => rb.seat_ids().next(),
        };
        let Some(seat) = seat else {
            let known: Vec<&str> = rb.seats().iter().map(|s| s.name.as_str()).collect();
            return Err(Failure::Usage(format!("there is no such seat; the seats are {}", known.join(", "))));
        };
        let (replay, text) = (game.replay(seat), pack.text("en"));
        return console.print(
            || {
                let shown = game.log(seat).iter().flatten().filter(|event| !event.detail);
                shown.map(|event| format!("{}\n", text.event(event))).collect()
            },
            || json!({ "ok": true, "replay": replay }),
        );
    }
    let differs = save.differences(pack.rules());
    let checked = Game::check_save(&pack, &save);
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
    Save::read(file).map_err(|error| match error {
        LoadError::Io(io) => Failure::Usage(format!("{}: {}", io.path.display(), io.cause)),
        LoadError::Incompatible { .. } => Failure::Found(error.to_string()),
    })
}

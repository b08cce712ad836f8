//! `adjutant replay`.

use adjutant::{Game, Incompatible, LoadError, Pack, Save};
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
            pack.map_err(|error| {
                Failure::Found(format!("{error}\nhelp: say with --pack or --library where the packs are"))
            })?
        }
    };
    if !args.check {
        let game = Game::load(&pack, &save).map_err(|error| no_load(&pack, &save, &error))?;
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
    let mut differs = save.differences(pack.rules());
    let rules = pack.rulebook().version();
    if save.rules != rules {
        differs.push(format!("the rules are version {rules}; the save has {}", save.rules));
    }
    let checked = Game::check_save(&pack, &save);
    console.print(
        || {
            let notes: String = differs.iter().map(|text| format!("note: {text}\n")).collect();
            match &checked {
                Ok(checked) => {
                    let snapshot = checked.snapshot.map_or_else(String::new, |n| {
                        format!("; the snapshot after entry {n} is what they lead to")
                    });
                    let entries = match checked.entries {
                        1 => "1 entry leads".to_owned(),
                        n => format!("{n} entries lead"),
                    };
                    format!("{notes}{entries} to the position of the save{snapshot}\n")
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

/// Why a save cannot be loaded by a pack, and what may be missing on the command line.
pub(super) fn no_load(pack: &Pack, save: &Save, error: &Incompatible) -> Failure {
    let mut text = error.to_string();
    let mut missing = save.pack.iter().flat_map(|stamp| {
        let above = stamp.layers.iter().skip_while(|layer| layer.id != stamp.pack).skip(1);
        above.map(|layer| layer.id.as_str())
    });
    let given = |id: &str| pack.rules().stamp().is_some_and(|stamp| stamp.layers.iter().any(|l| l.id == id));
    if matches!(error, Incompatible::Rules(_)) && missing.clone().any(|id| !given(id)) {
        let overlays = missing.by_ref().map(|id| format!(" --overlay {id}")).collect::<String>();
        text.push_str(&format!("\nhelp: it was played with{overlays}"));
    }
    Failure::Found(text)
}

/// Reads a saved game.
pub(super) fn read_save(file: &std::path::Path) -> Result<Save, Failure> {
    Save::read(file).map_err(|error| match error {
        LoadError::Io(io) => Failure::Usage(format!("{}: {}", io.path.display(), io.cause)),
        LoadError::Incompatible { .. } => Failure::Found(error.to_string()),
    })
}

//! `adjutant resolve`.

use serde_json::json;

use super::open_pack;
use crate::args::Resolve;
use crate::console::{Console, Failure, Outcome};

pub(super) fn run(args: &Resolve, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let origins = pack.resolve(args.why.as_deref()).map_err(|error| Failure::Usage(error.to_string()))?;
    console.print(
        || origins.iter().map(|origin| format!("{origin}\n")).collect(),
        || {
            let place = |value: &str, layer: &str, place: &str| {
                json!({ "value": value, "layer": layer, "place": place })
            };
            let list = origins.iter().map(|o| {
                let mut entry = place(&o.value, &o.layer, &o.place);
                entry["path"] = o.path.as_str().into();
                entry["earlier"] = o.earlier.iter().map(|(v, l, p)| place(v, l, p)).collect();
                entry
            });
            json!({ "ok": true, "values": list.collect::<Vec<_>>() })
        },
    )
}

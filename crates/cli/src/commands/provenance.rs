//! `adjutant provenance`.

use serde_json::json;

use super::open_pack;
use crate::args::Provenance;
use crate::console::{Console, Outcome};

pub(super) fn run(args: &Provenance, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let mut list = pack.provenance();
    if let Some(kind) = &args.kind {
        list.retain(|statement| statement.kind.eq_ignore_ascii_case(kind));
    }
    console.print(
        || {
            let width = list.iter().map(|s| s.path.chars().count()).max().unwrap_or(0);
            let line = |s: &adjutant::packs::provenance::Statement| {
                format!("{:<width$}  {:<13}  {}  // {} {}\n", s.path, s.kind, s.text, s.layer, s.place)
            };
            list.iter().map(line).collect()
        },
        || json!({ "ok": true, "statements": list }),
    )
}

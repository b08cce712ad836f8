//! `adjutant sheet`.

use serde_json::json;

use super::open_pack;
use crate::args::Sheet;
use crate::console::{Console, Outcome};

pub(super) fn run(args: &Sheet, console: &Console) -> Outcome {
    let pack = open_pack(&args.pack)?;
    let sheet = json!(pack.sheet(&args.language));
    console.print(|| format!("{sheet:#}\n"), || json!({ "ok": true, "sheet": sheet }))
}

//! `adjutant check`.

use adjutant::packs::Report;
use serde_json::json;

use super::open_pack;
use crate::args::Check;
use crate::console::{Console, Failure, Outcome, counted};

pub(super) fn run(args: &Check, console: &Console) -> Outcome {
    let short = args.short && !console.is_json();
    let pack = match open_pack(&args.pack) {
        Err(Failure::Pack(report)) if report.diagnostics.iter().any(|d| d.code == adjutant::BASE_PACK) => {
            return base(*report, short, console);
        }
        Err(Failure::Pack(report)) if short => {
            console.print(|| report.render_short(), || json!({}))?;
            return Err(Failure::Wrong);
        }
        other => other?,
    };
    let warnings = pack.warnings();
    let (errors, count) = warnings.counts();
    if short {
        return console.print(|| warnings.render_short(), || json!({}));
    }
    console.report(warnings);
    console.print(
        || {
            let layers = pack.rules().stamp().map_or(1, |stamp| stamp.layers.len());
            let replaced = pack.replaced_scripts().map(|(path, by, below)| {
                format!("  {path} of `{by}` stands in place of that of `{below}`\n")
            });
            let replaced: String = replaced.collect();
            let overlays: Vec<String> =
                pack.overlays().map(|(title, version)| format!("{title} {version}")).collect();
            format!(
                "{} {}{}{}: {}; {layers} {}, rules {}\n{replaced}",
                pack.title(),
                pack.rulebook().version(),
                if overlays.is_empty() { "" } else { " with " },
                overlays.join(" and "),
                counted(errors, count),
                if layers == 1 { "layer" } else { "layers" },
                &pack.rules_hash().to_string()[..12],
            )
        },
        || {
            json!({ "ok": true, "errors": errors, "warnings": count, "problems": warnings.to_json(),
                "pack": pack.id(), "title": pack.title(), "version": pack.rulebook().version(),
                "rules_hash": pack.rules_hash().to_string(), "full_hash": pack.full_hash().to_string(),
                "layers": pack.rules().stamp().map(|s| &s.layers),
                "replaced": pack.replaced_scripts().map(|(path, by, below)| {
                    json!({ "script": path, "by": by, "below": below })
                }).collect::<Vec<_>>() })
        },
    )
}

/// A pack that is only the base of others is right as far as it goes.
fn base(mut report: Report, short: bool, console: &Console) -> Outcome {
    report.diagnostics.retain(|d| d.code != adjutant::BASE_PACK);
    let (errors, count) = report.counts();
    if short {
        return console.print(|| report.render_short(), || json!({}));
    }
    console.report(&report);
    console.print(
        || format!("{}; a base for other packs, which are checked with it\n", counted(errors, count)),
        || {
            json!({ "ok": true, "base": true, "errors": errors, "warnings": count, "problems": report.to_json() })
        },
    )
}

//! Standard rules that several titles share, as native modules, a folder each.
//!
//! A pack names the modules that it plays by in its manifest; whoever opens packs brings them along:
//!
//! ```
//! use adjutant::Library;
//! # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
//! # let drill = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs/cwcs-drill");
//! let library = Library::open(games)?.with_modules(adjutant_rules::modules());
//! let pack = library.open_pack(drill.as_ref(), &[])?;
//! assert!(pack.rulebook().point_named("may cross").is_some());
//! # Ok::<(), adjutant::packs::Report>(())
//! ```

pub mod cwcs;

use adjutant::Modules;

/// All native modules of this crate.
pub fn modules() -> Modules {
    Modules::default().with(cwcs::CivilWarCampaignSeries)
}

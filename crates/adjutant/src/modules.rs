//! Native modules of rules, by which packs may play.

use std::sync::Arc;

use adjutant_pack::{Contract, Procedures};

/// A native module: standard rules that several titles share, written in Rust.
///
/// A pack names it with a version in its manifest. Its contract says what the pack must declare for it and what it
/// provides; its procedures declare points and moments, define the procedures that data and scripts call by name,
/// and may change whatever else the builder of the rulebook lets them.
pub trait NativeModule: Send + Sync {
    /// Its name, its version, and what it needs of a pack.
    fn contract(&self) -> Contract;

    /// What it declares in a rulebook; made anew for each.
    fn procedures(&self) -> Box<dyn Procedures>;
}

/// The native modules that there are. Cheap to clone.
#[derive(Clone, Default)]
pub struct Modules(Vec<Arc<dyn NativeModule>>);

impl Modules {
    /// The same and one more. Of two with the same name the later counts.
    #[must_use]
    pub fn with(mut self, module: impl NativeModule + 'static) -> Self {
        let name = module.contract().module;
        self.0.retain(|known| known.contract().module != name);
        self.0.push(Arc::new(module));
        self
    }

    /// What all of them need and provide.
    pub fn contracts(&self) -> Vec<Contract> {
        self.0.iter().map(|module| module.contract()).collect()
    }

    /// The module with a name.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<dyn NativeModule>> {
        self.0.iter().find(|module| module.contract().module == name)
    }
}

impl std::fmt::Debug for Modules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.contracts().iter().map(|c| format!("{} {}", c.module, c.version)))
            .finish()
    }
}

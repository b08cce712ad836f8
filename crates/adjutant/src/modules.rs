//! Native modules of rules, by which packs may play.

use std::sync::Arc;

use adjutant_pack::{Contract, Procedures};

/// A native module: standard rules that several titles share, written in Rust.
///
/// A pack names it with a version in its manifest. Its contract says what the pack must declare for it and what it
/// provides; its procedures declare points and moments, define the procedures that data and scripts call by name,
/// and may change whatever else the builder of the rulebook lets them.
///
/// ```
/// use adjutant::packs::{Contract, Declared, Diagnostic, MakeFrame, Procedures};
/// use adjutant::kernel::RulebookBuilder;
/// use adjutant::{Modules, NativeModule};
/// struct Weather;
/// struct WeatherRules;
/// impl NativeModule for Weather {
///     fn contract(&self) -> Contract {
///         let tables = vec!["weather".to_owned()]; // which a pack that plays by it must have
///         Contract { module: "weather".into(), version: "1.0.0".into(), tables, ..Contract::default() }
///     }
///     fn procedures(&self) -> Box<dyn Procedures> {
///         Box::new(WeatherRules)
///     }
/// }
/// impl Procedures for WeatherRules {
///     fn names(&self) -> Vec<String> {
///         vec!["weather.roll".into()]
///     }
///     // `declare` defines the procedure, and `find` gives it to the sequence of play.
/// #    fn declare(&mut self, _: &mut RulebookBuilder, _: &Declared) -> Result<(), Vec<Diagnostic>> {
/// #        Ok(())
/// #    }
/// #    fn find(&self, name: &str, _: bool) -> Result<MakeFrame, String> {
/// #        Err(format!("procedure `{name}` is left out of this example"))
/// #    }
/// }
/// let modules = Modules::default().with(Weather);
/// assert!(Weather.procedures().knows("weather.roll"));
/// assert_eq!(modules.contracts()[0].tables, ["weather"]);
/// ```
pub trait NativeModule: Send + Sync {
    /// Its name, its version, and what it needs of a pack.
    fn contract(&self) -> Contract;

    /// What it declares in a rulebook; made anew for each.
    fn procedures(&self) -> Box<dyn Procedures>;
}

/// The native modules that there are. Cheap to clone.
///
/// ```
/// use adjutant::{Library, Modules};
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// let library = Library::open(games)?.with_modules(Modules::default()); // and `.with(..)` each of them
/// assert!(library.modules().contracts().is_empty());
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
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

//! Rules to play by: a rulebook, and how to make a worker that runs it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use adjutant_kernel::suggest::instead;
use adjutant_kernel::{Rulebook, ScenarioId, Worker};
use adjutant_script::Program;
use serde::{Deserialize, Serialize};

use crate::Setup;
use crate::game::StartError;

/// Rules to play by: a rulebook, the scripts that belong to it, and what saves state of where they come from.
/// Cheap to clone.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rulebook = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::{Rules, Sim};
/// use adjutant::kernel::chance::Key;
///
/// let rules = Rules::from(&rulebook); // of a native game; a pack has its own
/// assert!(rules.program().is_none() && rules.stamp().is_none());
/// let sim = Sim::start(&rules, Key::from_seed(1862), 0)?;
/// assert!(sim.asked().is_some());
/// # Ok::<(), adjutant::kernel::Fault>(())
/// ```
#[derive(Clone)]
pub struct Rules {
    rulebook: Arc<Rulebook>,
    more: Option<Arc<FromPack>>,
}

/// What a pack adds to a rulebook.
pub(crate) struct FromPack {
    pub(crate) program: Option<Program>,
    pub(crate) stamp: Stamp,
    pub(crate) switches: Vec<Switch>,
}

/// What an option demands of others, by their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Switch {
    pub(crate) bit: u64,
    pub(crate) needs: u64,
    pub(crate) excludes: u64,
}

/// What a save states of the pack that it was played by.
///
/// ```
/// use adjutant::{Library, Stamp};
/// # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packs");
/// let pack = Library::open(games)?.pack("ford-heights")?; // an overlay of the ford
/// let stamp: &Stamp = pack.rules().stamp().unwrap();
/// let layers: Vec<&str> = stamp.layers.iter().map(|layer| layer.id.as_str()).collect();
/// assert_eq!(layers, ["ford", "ford-heights"]);
/// assert!(stamp.differences(stamp).is_empty());
/// # Ok::<(), adjutant::packs::Report>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// The pack: the uppermost that is no overlay.
    pub pack: String,
    /// Its layers from the bottom up: series, title, overlays.
    pub layers: Vec<LayerStamp>,
    /// The native modules that it plays by, with their versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub modules: BTreeMap<String, String>,
}

/// A layer of a pack as a save states it.
///
/// ```
/// use adjutant::{LayerStamp, Stamp};
/// let layer = |version: &str, hash: &str| {
///     let layer = LayerStamp { id: "ford".into(), version: version.into(), hash: hash.into() };
///     Stamp { pack: "ford".into(), layers: vec![layer], ..Stamp::default() }
/// };
/// let (saved, found) = (layer("1.0.0", "ab"), layer("1.1.0", "cd"));
/// assert_eq!(saved.differences(&found).len(), 1); // one text, which names both versions
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerStamp {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The fingerprint of what can change play in it.
    pub hash: String,
}

impl Rules {
    pub(crate) fn of_pack(rulebook: Arc<Rulebook>, more: FromPack) -> Self {
        Self { rulebook, more: Some(Arc::new(more)) }
    }

    /// The rulebook.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The scripts, if there are any.
    pub fn program(&self) -> Option<&Program> {
        self.more.as_ref()?.program.as_ref()
    }

    /// What saves state of the pack; nothing where no pack was read.
    pub fn stamp(&self) -> Option<&Stamp> {
        self.more.as_ref().map(|more| &more.stamp)
    }

    /// A worker that runs these rules, with a host for their scripts.
    pub fn worker(&self) -> Worker {
        match self.program().map(|program| program.host(&self.rulebook)) {
            Some(Ok(host)) => Worker::new().with_host(host as Rc<dyn adjutant_kernel::worker::ScriptHost>),
            // A pack is opened only when a host can be made. If the memory is short now, the first script that is
            // needed is a fault, for the worker has no host.
            Some(Err(_)) | None => Worker::new(),
        }
    }

    /// The scenario that a game begins with; none where the rulebook has none.
    pub(crate) fn scenario(&self, setup: &Setup) -> Result<Option<ScenarioId>, StartError> {
        let rb = &self.rulebook;
        match &setup.scenario {
            Some(name) => rb.scenario_named(name).map(Some).ok_or_else(|| StartError::Scenario {
                name: name.clone(),
                known: instead(name, rb.scenarios().iter().map(|s| s.name.as_str())),
            }),
            None => Ok((!rb.scenarios().is_empty()).then_some(ScenarioId(0))),
        }
    }

    /// The options that a game has on, a bit each: those of the scenario and of the set-up, without what the
    /// set-up switches off.
    pub(crate) fn options(&self, setup: &Setup) -> Result<u64, StartError> {
        let bits = |names: &[String]| -> Result<u64, StartError> {
            names.iter().try_fold(0, |bits, name| Ok(bits | 1 << self.option(name)?))
        };
        let scenario = self.scenario(setup)?;
        let default = scenario.map_or(0, |s| self.rulebook.scenarios()[s.index()].options);
        if let Some(both) = setup.options.iter().find(|name| setup.without.contains(name)) {
            return Err(StartError::Options {
                text: format!("option `{both}` is asked for, and switched off too"),
            });
        }
        let on = (default | bits(&setup.options)?) & !bits(&setup.without)?;
        self.clash(on).map_or(Ok(on), |text| Err(StartError::Options { text }))
    }

    fn option(&self, name: &str) -> Result<u8, StartError> {
        self.rulebook.option_named(name).map(|id| id.0).ok_or_else(|| StartError::Option {
            name: name.to_owned(),
            known: instead(name, self.rulebook.options().iter().map(|o| o.name.as_str())),
        })
    }

    /// Why these options cannot be on together.
    fn clash(&self, on: u64) -> Option<String> {
        let names = |bits: u64| {
            let all = self.rulebook.options().iter().enumerate();
            let some = all.filter(|(n, _)| bits >> n & 1 == 1).map(|(_, o)| format!("`{}`", o.name));
            some.collect::<Vec<_>>().join(", ")
        };
        self.switches().iter().filter(|s| on & s.bit != 0).find_map(|switch| {
            let (missing, barred) = (switch.needs & !on, switch.excludes & on);
            match (missing, barred) {
                (0, 0) => None,
                (0, barred) => Some(format!("{} excludes {}", names(switch.bit), names(barred))),
                (missing, _) => Some(format!("{} needs {}", names(switch.bit), names(missing))),
            }
        })
    }

    fn switches(&self) -> &[Switch] {
        self.more.as_ref().map_or(&[], |more| &more.switches)
    }

    /// Changes options, a bit each, as little as it takes that they can be on together: what is needed comes on,
    /// what is excluded goes off, and what still clashes goes off.
    pub(crate) fn settle(&self, mut on: u64) -> u64 {
        let switches = self.switches();
        for _ in 0..64 {
            let Some(switch) =
                switches.iter().find(|s| on & s.bit != 0 && (s.needs & !on != 0 || s.excludes & on != 0))
            else {
                return on;
            };
            // One that is needed may be excluded by what is needed too: then it goes off itself.
            let wanted = (on | switch.needs) & !switch.excludes;
            let good = switch.needs & switch.excludes == 0 && wanted != on && wanted & switch.bit != 0;
            on = if good { wanted } else { on & !switch.bit };
        }
        0
    }
}

impl From<&Arc<Rulebook>> for Rules {
    fn from(rulebook: &Arc<Rulebook>) -> Self {
        Self { rulebook: Arc::clone(rulebook), more: None }
    }
}

impl From<&Self> for Rules {
    fn from(rules: &Self) -> Self {
        rules.clone()
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rules({:?})", self.rulebook)
    }
}

impl Stamp {
    /// In what two stamps differ, a text each: what the save says, and what is there.
    pub fn differences(&self, found: &Self) -> Vec<String> {
        let mut out = Vec::new();
        if self.pack != found.pack {
            out.push(format!("the save is of pack `{}`, not of `{}`", self.pack, found.pack));
        }
        let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
        for saved in &self.layers {
            match found.layers.iter().find(|l| l.id == saved.id) {
                None => out.push(format!("`{}` {} is not there", saved.id, saved.version)),
                Some(layer) if layer != saved => out.push(format!(
                    "`{}` is version {} with fingerprint {}; the save has version {} with {}",
                    saved.id,
                    layer.version,
                    short(&layer.hash),
                    saved.version,
                    short(&saved.hash)
                )),
                Some(_) => {}
            }
        }
        for layer in found.layers.iter().filter(|l| self.layers.iter().all(|s| s.id != l.id)) {
            out.push(format!("`{}` {} is there and was not used", layer.id, layer.version));
        }
        let ids = |stamp: &Self| stamp.layers.iter().map(|l| l.id.clone()).collect::<Vec<_>>();
        if out.is_empty() && ids(self) != ids(found) {
            let (was, is) = (ids(self).join(", "), ids(found).join(", "));
            out.push(format!("the layers lie in another order: {is}; the save has {was}"));
        }
        for (name, saved) in &self.modules {
            match found.modules.get(name) {
                None => out.push(format!("the module `{name}` {saved} is not there")),
                Some(version) if version != saved => {
                    out.push(format!("the module `{name}` is version {version}; the save has {saved}"));
                }
                Some(_) => {}
            }
        }
        for (name, version) in found.modules.iter().filter(|(n, _)| !self.modules.contains_key(*n)) {
            out.push(format!("the module `{name}` {version} is there and was not used"));
        }
        out
    }
}

//! Workers: scratch buffers, caches and the script host that run a rulebook on states.
//!
//! A worker is not part of any state and may be dropped at any time without a trace: with a new one every game
//! goes on the same.

use std::cell::RefCell;

use crate::chance::ChanceCache;
use crate::error::Fault;
use crate::knowledge::Sight;
use crate::points::PointArg;

/// Runs scripts. The kernel knows nothing of their language.
pub trait ScriptHost {
    /// What a script contributes to a point, computed on `sight`; `None` when it has nothing to say.
    ///
    /// # Errors
    /// A fault when the script fails or exceeds a limit.
    fn contribute(&mut self, script: u32, sight: &dyn Sight, args: &[PointArg])
    -> Result<Option<i32>, Fault>;
}

/// A script host with the first fault of the current call.
#[derive(Default)]
pub(crate) struct Host {
    host: RefCell<Option<Box<dyn ScriptHost>>>,
    fault: RefCell<Option<Fault>>,
}

impl Host {
    pub(crate) fn call(&self, script: u32, sight: &dyn Sight, args: &[PointArg]) -> Option<i32> {
        let answer = match self.host.borrow_mut().as_mut() {
            Some(host) => host.contribute(script, sight, args),
            None => Err(Fault::Rules { text: "the worker has no script host".into() }),
        };
        match answer {
            Ok(value) => value,
            Err(fault) => {
                self.fault.borrow_mut().get_or_insert(fault);
                None
            }
        }
    }

    pub(crate) fn take_fault(&self) -> Option<Fault> {
        self.fault.borrow_mut().take()
    }
}

/// Scratch buffers and caches of a worker.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) chance: ChanceCache,
    pub(crate) ciphers: crate::view::Ciphers,
    pub(crate) host: Host,
    pub(crate) unreported: u32,
    /// Check what viewers know against the truth after every step.
    pub(crate) check: bool,
}

/// Runs a rulebook on states; one a thread.
#[derive(Default)]
pub struct Worker {
    pub(crate) scratch: Scratch,
}

impl Worker {
    /// A worker without a script host.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same worker, checking after every step that told answers hold and candidate sets contain the truth.
    #[must_use]
    pub fn checking(mut self) -> Self {
        self.scratch.check = true;
        self
    }

    /// A worker for a game that branches off from this one's: the same checks and caches, no script host.
    #[must_use]
    pub fn branch_off(&self) -> Self {
        let mut worker = Self::new();
        worker.scratch.check = self.scratch.check;
        worker.scratch.ciphers = self.scratch.ciphers.clone();
        worker
    }

    /// The same worker with a script host.
    #[must_use]
    pub fn with_host(mut self, host: Box<dyn ScriptHost>) -> Self {
        self.scratch.host.host = RefCell::new(Some(host));
        self
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Worker")
    }
}
